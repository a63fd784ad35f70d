//! Models: small programs of one owner and one or two thieves, run by loom over all interleavings and all
//! values that relaxed loads may see, up to a bound on preemptions.
//!
//! ```text
//! cargo test --manifest-path models/Cargo.toml --release -p lyocell-queues-models --lib models
//! ```
//! `LOOM_MAX_PREEMPTIONS` overrides the bound (3). Slots, notices and arrays are loom's too, so that a
//! slot written under a reader, or an item read without having been handed over, fails the model.

mod board;
mod exactly_once;
mod injector;
mod programs;
mod relaxed;

use crate::queue::{Owner, Promise, StealHalf};
use crate::steal::Steal;
use loom::thread;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// How many preemptions a run may have, if `LOOM_MAX_PREEMPTIONS` says nothing.
const PREEMPTIONS: usize = 3;

/// What the owner does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Push,
    Take,
}
use Step::{Push, Take};

/// What a thief does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Try {
    One,
    Half,
    /// As `Half`, with a sink that panics at its first item.
    HalfInVain,
    /// One, through a handle made for it and given up after.
    Anew,
}
use Try::{Anew, Half, HalfInVain, One};

/// Items that tell which push they came from.
trait Numbered: Send {
    fn of(number: usize) -> Self;
    fn number(&self) -> usize;
}

/// For exactly-once queues: freed twice, or never, if the queue is wrong.
impl Numbered for Box<usize> {
    fn of(number: usize) -> Self {
        Box::new(number)
    }
    fn number(&self) -> usize {
        **self
    }
}

impl Numbered for usize {
    fn of(number: usize) -> Self {
        number
    }
    fn number(&self) -> usize {
        *self
    }
}

/// For relaxed queues: two words that betray a mixture of two items.
impl Numbered for [usize; 2] {
    fn of(number: usize) -> Self {
        [number, !number]
    }
    fn number(&self) -> usize {
        assert_eq!(self[0], !self[1], "a mixture of two items");
        self[0]
    }
}

/// A program for one owner and some thieves.
struct Program<'a> {
    capacity: usize,
    /// Done before the thieves start.
    before: &'a [Step],
    /// Done beside the thieves.
    beside: &'a [Step],
    thieves: &'a [&'a [Try]],
}

/// The owner's side of a run.
struct Run<Q> {
    queue: Q,
    pushed: usize,
    /// The owner's pushes and takes, counted at each item's push.
    steps: usize,
    steps_at_push: Vec<usize>,
    out: Vec<usize>,
}

impl<Q: Owner<Item: Numbered>> Run<Q> {
    fn step(&mut self, step: Step) {
        self.steps += 1;
        match step {
            Push => match self.queue.push(Q::Item::of(self.pushed)) {
                Ok(()) => {
                    self.pushed += 1;
                    self.steps_at_push.push(self.steps);
                }
                Err(full) => assert_eq!(full.item.number(), self.pushed),
            },
            Take => self.out.extend(self.queue.take().map(|item| item.number())),
        }
    }

    /// How often the item may come out.
    fn most(&self, number: usize) -> usize {
        match Q::PROMISE {
            Promise::ExactlyOnce => 1,
            Promise::AtMost(most) => most,
            Promise::OncePerOwnerStep => 1 + self.steps - self.steps_at_push[number],
        }
    }
}

fn steal<T: StealHalf<Item: Numbered>>(thief: &T, tries: &[Try]) -> Vec<usize> {
    let mut out = Vec::new();
    for attempt in tries {
        match attempt {
            One => out.extend(thief.steal().taken().map(|item| item.number())),
            Anew => out.extend(thief.clone().steal().taken().map(|item| item.number())),
            Half => {
                let before = out.len();
                if let Steal::Taken(count) = thief.steal_half(|item| out.push(item.number())) {
                    assert_eq!(count, out.len() - before);
                }
            }
            HalfInVain => {
                let in_vain = catch_unwind(AssertUnwindSafe(|| {
                    thief.steal_half(|item| {
                        out.push(item.number());
                        resume_unwind(Box::new("the sink"));
                    })
                }));
                assert!(!matches!(in_vain, Ok(Steal::Taken(_))));
            }
        }
    }
    out
}

/// Runs a model in all interleavings with so many preemptions.
fn check(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(PREEMPTIONS);
    builder.check(model);
}

/// Runs the program in all interleavings, then empties the queue, and checks that every item came out, and
/// as often as promised.
fn explore<Q>(program: Program<'static>)
where
    Q: Owner<Item: Numbered> + 'static,
    Q::Thief: StealHalf + 'static,
{
    check(move || {
        let mut run = Run {
            queue: Q::with_capacity(program.capacity),
            pushed: 0,
            steps: 0,
            steps_at_push: Vec::new(),
            out: Vec::new(),
        };
        program.before.iter().for_each(|&step| run.step(step));
        let thieves: Vec<_> = program
            .thieves
            .iter()
            .map(|&tries| {
                let thief = run.queue.thief();
                thread::spawn(move || steal(&thief, tries))
            })
            .collect();
        program.beside.iter().for_each(|&step| run.step(step));
        for thief in thieves {
            run.out.extend(thief.join().unwrap());
        }
        while let Some(item) = run.queue.take() {
            run.steps += 1;
            run.out.push(item.number());
        }
        let mut counts = BTreeMap::new();
        for &number in &run.out {
            assert!(number < run.pushed, "item {number} was never pushed");
            *counts.entry(number).or_insert(0) += 1;
        }
        for number in 0..run.pushed {
            let count = counts.get(&number).copied().unwrap_or(0);
            assert!(count > 0, "item {number} is lost");
            let most = run.most(number);
            assert!(count <= most, "item {number} came out {count} times, more than {most}");
        }
        assert!(run.queue.is_empty());
    });
}

/// A model for each program, on one queue.
macro_rules! models {
    ($queue:ident as $module:ident: $($name:ident = $program:ident),* $(,)?) => {
        mod $module {
            use super::*;
            $(
                #[test]
                fn $name() {
                    explore::<$queue<Item>>($program);
                }
            )*
        }
    };
}
use models;

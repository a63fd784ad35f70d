//! Programs drawn at random, whose size is known.

use lyocell::{Deque, Worker};
use std::env;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program drawn from a seed: what a task does, and what its parts are drawn from.
#[derive(Clone, Copy)]
pub(crate) struct Drawn {
    pub(crate) seed: u64,
    pub(crate) depth: u32,
}

enum Deed {
    Join,
    Range(usize),
    Scope(usize),
    Loop(usize),
    /// So many joins in a row, each with nothing to do: what was public becomes private.
    Row(usize),
    /// So many steps, long enough to be interrupted in.
    Leaf(usize),
}

impl Drawn {
    pub(crate) fn draw(self, salt: u64) -> usize {
        let mixed = (self.seed ^ salt.wrapping_mul(0xA24B_AED4_963E_E407))
            .wrapping_mul(0x9FB2_1C65_1E98_DF25);
        ((mixed ^ mixed >> 28).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize
    }

    fn part(self, number: usize) -> Drawn {
        Drawn {
            seed: (self.draw(number as u64 + 7) as u64) << 20 ^ self.seed.rotate_left(9),
            depth: self.depth - 1,
        }
    }

    fn deed(self) -> Deed {
        match self.draw(1) % 9 {
            _ if self.depth == 0 => Deed::Leaf(self.draw(2) % 50),
            0..=3 => Deed::Join,
            4 => Deed::Range(self.draw(2) % 5),
            5 => Deed::Scope(self.draw(2) % 5),
            6 => Deed::Loop(self.draw(2) % 40),
            7 => Deed::Row(self.draw(2) % 200),
            _ => Deed::Leaf(self.draw(2) % 20_000),
        }
    }

    /// How many tasks it is.
    pub(crate) fn size(self) -> usize {
        let parts = |count: usize| (0..count).map(|part| self.part(part).size()).sum::<usize>();
        1 + match self.deed() {
            Deed::Join => parts(2),
            Deed::Range(count) | Deed::Scope(count) => parts(count),
            Deed::Loop(items) => items,
            Deed::Row(joins) => joins,
            Deed::Leaf(_) => 0,
        }
    }

    /// Runs it, and counts its tasks as they run.
    pub(crate) fn run<D: Deque>(self, w: &Worker<D>) -> usize {
        let part = |w: &Worker<D>, part: usize| self.part(part).run(w);
        1 + match self.deed() {
            Deed::Join => {
                let (a, b) = w.join(|w| part(w, 0), |w| part(w, 1));
                a + b
            }
            Deed::Range(count) => w.join_range(0..count, 0, part, |a, b| a + b),
            Deed::Scope(count) => {
                let sum = AtomicUsize::new(0);
                w.scope(|s| {
                    for number in 0..count {
                        let sum = &sum;
                        s.spawn(move |w| {
                            sum.fetch_add(part(w, number), Ordering::Relaxed);
                        });
                    }
                });
                sum.into_inner()
            }
            Deed::Loop(items) => w.map_reduce(0..items, |_| 1, || 0, |a, b| a + b),
            Deed::Row(joins) => (0..joins).map(|_| w.join(|_| (), |_| 1).1).sum(),
            Deed::Leaf(steps) => {
                (0..steps).for_each(|step| {
                    black_box(step);
                });
                0
            }
        }
    }
}

/// What the environment says, if it says it.
pub(crate) fn number(variable: &str) -> Option<u64> {
    Some(env::var(variable).ok()?.parse().expect("a number"))
}

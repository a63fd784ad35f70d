//! Work and spans with declared costs are those that can be computed from the recursion, on any number of workers.

use lyocell::deque::{Amount, SplitOptions};
use lyocell::{Deque, Pool, Receiver, Split, Worker};
use lyocell_profile::{Declared, Profile, Profiled, advance, region};

type Handle<D> = Worker<D, Profile<Declared>>;

/// What is known of a piece of a program: its work, its tasks, and its span for each burden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    work: u64,
    tasks: u64,
    spans: [u64; 3],
}

impl Known {
    fn strand(ticks: u64) -> Known {
        Known { work: ticks, tasks: 0, spans: [ticks; 3] }
    }

    fn then(self, next: Known) -> Known {
        Known {
            work: self.work + next.work,
            tasks: self.tasks + next.tasks,
            spans: std::array::from_fn(|i| self.spans[i] + next.spans[i]),
        }
    }

    /// Side by side if that saves more than the burden (Faxén 2010, section IV-B).
    fn beside(self, other: Known, burdens: [u64; 3]) -> Known {
        let span = |i: usize| {
            let (a, b) = (self.spans[i], other.spans[i]);
            if a.min(b) < burdens[i] { a + b } else { a.max(b) + burdens[i] }
        };
        Known {
            work: self.work + other.work,
            tasks: self.tasks + other.tasks,
            spans: std::array::from_fn(span),
        }
    }
}

/// A program, and what is known of it.
trait Program: Sync {
    fn run<D: Deque>(&self, w: &Handle<D>);
    fn known(&self, burdens: [u64; 3]) -> Known;
}

struct Fib(u64);

impl Program for Fib {
    fn run<D: Deque>(&self, w: &Handle<D>) {
        advance(w, 300 + self.0);
        if self.0 >= 2 {
            w.join(|w| Fib(self.0 - 1).run(w), |w| Fib(self.0 - 2).run(w));
            advance(w, 70);
        }
    }

    fn known(&self, burdens: [u64; 3]) -> Known {
        let before = Known::strand(300 + self.0);
        if self.0 < 2 {
            return before;
        }
        let [a, b] = [1, 2].map(|less| Fib(self.0 - less).known(burdens));
        let fork = Known { tasks: 1, ..Known::strand(0) };
        before.then(fork).then(a.beside(b, burdens)).then(Known::strand(70))
    }
}

/// Placing queens; a board costs what it takes to look at its rows.
struct Queens {
    size: usize,
    columns: Vec<usize>,
}

impl Queens {
    fn safe(&self) -> Vec<Queens> {
        let safe = |column: &usize| {
            let threatens = |(row, other): (usize, &usize)| {
                *other == *column || other.abs_diff(*column) == self.columns.len() - row
            };
            !self.columns.iter().enumerate().any(threatens)
        };
        let place =
            |column| Queens { size: self.size, columns: [&self.columns[..], &[column]].concat() };
        if self.columns.len() == self.size {
            return Vec::new();
        }
        (0..self.size).filter(safe).map(place).collect()
    }

    fn cost(&self) -> u64 {
        90 * self.columns.len() as u64 + 11
    }
}

/// The children of a node one after the other, with what the fold costs.
fn range_known(children: &[Known], burdens: [u64; 3], fold: u64) -> Known {
    let count = Known { tasks: children.len() as u64, ..Known::strand(0) };
    let Some((first, others)) = children.split_first() else { return count };
    let sum = others.iter().fold(first.then(Known::strand(fold)), |sum, child| {
        sum.beside(*child, burdens).then(Known::strand(fold))
    });
    count.then(sum)
}

impl Program for Queens {
    fn run<D: Deque>(&self, w: &Handle<D>) {
        advance(w, self.cost());
        let boards = self.safe();
        w.join_range(0..boards.len(), (), |w, i| boards[i].run(w), |(), ()| advance(w, 5));
    }

    fn known(&self, burdens: [u64; 3]) -> Known {
        let children: Vec<Known> = self.safe().iter().map(|board| board.known(burdens)).collect();
        Known::strand(self.cost()).then(range_known(&children, burdens, 5))
    }
}

/// An unbalanced tree: how many children a node has, and what it costs, comes from a hash of its path.
struct Uts(u64, u32);

impl Uts {
    fn hash(&self) -> u64 {
        let mut z = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn children(&self) -> Vec<Uts> {
        let children = match self.1 {
            0 => 60,
            _ if self.hash() % 100 < 22 => 4,
            _ => 0,
        };
        (0..children).map(|i| Uts(self.hash().wrapping_add(i), self.1 + 1)).collect()
    }

    fn cost(&self) -> u64 {
        self.hash() >> 20 & 0xfff
    }
}

impl Program for Uts {
    fn run<D: Deque>(&self, w: &Handle<D>) {
        advance(w, self.cost());
        let children = self.children();
        w.join_range(0..children.len(), (), |w, i| children[i].run(w), |(), ()| ());
    }

    fn known(&self, burdens: [u64; 3]) -> Known {
        let children: Vec<Known> =
            self.children().iter().map(|child| child.known(burdens)).collect();
        Known::strand(self.cost()).then(range_known(&children, burdens, 0))
    }
}

fn measured(profile: &Profiled) -> Known {
    let all = &profile.all;
    Known {
        work: all.work_ticks,
        tasks: all.tasks,
        spans: [all.span_ticks, all.span_2k_ticks, all.span_burdened_ticks],
    }
}

fn check_on<D: Deque>(program: &impl Program, workers: usize) {
    let pool =
        Pool::builder().deque::<D>().probe::<Profile<Declared>>().workers(workers).build().unwrap();
    pool.run(|w| region(w, "program", |w| program.run(w)));
    let profile = Profile::of(&pool);
    let burdens = [0, 2_000, profile.burden_ticks.unwrap_or(2_000)];
    let known = program.known(burdens);
    assert_eq!(measured(&profile), known, "{workers} workers");
    let region = profile.region("program").unwrap();
    assert_eq!(
        (region.work_ticks, region.span_ticks, region.tasks),
        (known.work, known.spans[0], known.tasks)
    );
}

fn check(program: &impl Program) {
    for workers in [1, 2, 8] {
        check_on::<Split>(program, workers);
        check_on::<Receiver>(program, workers);
    }
}

#[test]
fn fib() {
    check(&Fib(18));
}

#[test]
fn queens() {
    check(&Queens { size: 7, columns: Vec::new() });
}

#[test]
fn uts() {
    check(&Uts(7, 0));
}

#[test]
fn many_runs_on_many_workers_are_alike() {
    let program = Fib(12);
    for _ in 0..100 {
        check_on::<Split>(&program, 8);
    }
}

#[test]
fn a_full_deque_changes_nothing() {
    let program = Fib(12);
    let pool =
        Pool::builder().probe::<Profile<Declared>>().workers(2).deque_capacity(3).build().unwrap();
    pool.run(|w| program.run(w));
    let profile = Profile::of(&pool);
    let known = program.known([0, 2_000, profile.burden_ticks.unwrap_or(2_000)]);
    assert_eq!(measured(&profile), known);
}

#[test]
fn batches_change_nothing() {
    let program = Fib(14);
    for _ in 0..20 {
        let half = SplitOptions::default().amount(Amount::Half);
        let pool = Pool::builder().deque_options(half).probe::<Profile<Declared>>();
        let pool = pool.workers(8).build().unwrap();
        pool.run(|w| program.run(w));
        let profile = Profile::of(&pool);
        let known = program.known([0, 2_000, profile.burden_ticks.unwrap_or(2_000)]);
        assert_eq!(measured(&profile), known);
    }
}

#[test]
fn the_tasks_of_a_scope_end_when_the_last_one_does() {
    for workers in [1, 2, 8] {
        let pool = Pool::builder().probe::<Profile<Declared>>().workers(workers).build().unwrap();
        pool.run(|w| {
            advance(w, 10);
            w.scope(|s| {
                advance(w, 100);
                s.spawn(|w| {
                    advance(w, 5_000);
                    s.spawn(|w| advance(w, 7_000));
                    advance(w, 1_000);
                });
                advance(w, 200);
                s.spawn(|w| advance(w, 4_000));
            });
            advance(w, 1);
        });
        let all = Profile::of(&pool).all;
        assert_eq!(all.work_ticks, 17_311);
        assert_eq!(all.span_ticks, 10 + 100 + 5_000 + 7_000 + 1, "{workers} workers");
        assert_eq!((all.jobs, all.tasks), (3, 0));
    }
}

#[test]
fn a_panic_leaves_the_profile_in_order() {
    let pool = Pool::builder().probe::<Profile<Declared>>().workers(2).build().unwrap();
    for in_a in [true, false] {
        let panic = std::panic::catch_unwind(|| {
            pool.run(|w| {
                w.join(
                    |w| {
                        advance(w, 10);
                        assert!(!in_a, "a");
                    },
                    |w| {
                        w.join_range(
                            0..5,
                            (),
                            |w, i| {
                                advance(w, 10);
                                assert!(in_a || i < 3, "b");
                            },
                            |(), ()| (),
                        );
                    },
                );
            });
        });
        assert!(panic.is_err());
    }
    let before = Profile::of(&pool).all;
    pool.run(|w| Fib(10).run(w));
    let profile = Profile::of(&pool);
    let known = Fib(10).known([0; 3]);
    assert_eq!(profile.all.work_ticks - before.work_ticks, known.work);
    assert_eq!(profile.all.span_ticks - before.span_ticks, known.spans[0]);
}

#[test]
fn regions_are_nested_as_they_were_entered_whoever_runs_them() {
    fn halves<D: Deque>(w: &Handle<D>, n: u64) {
        if n == 0 {
            region(w, "leaf", |w| advance(w, 1_000));
        } else {
            w.join(|w| halves(w, n - 1), |w| halves(w, n - 1));
        }
    }
    let pool = Pool::builder().probe::<Profile<Declared>>().workers(8).build().unwrap();
    pool.run(|w| {
        region(w, "first", |w| halves(w, 8));
        region(w, "second", |w| halves(w, 5));
    });
    let profile = Profile::of(&pool);
    let names: Vec<&str> = profile.all.regions.iter().map(|region| region.name.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
    for (name, leaves) in [("first", 256), ("second", 32)] {
        let region = profile.region(name).unwrap();
        assert_eq!((region.work_ticks, region.span_ticks), (1_000 * leaves, 1_000));
        assert_eq!((region.tasks, region.regions.len()), (leaves - 1, 1));
        let leaf = &region.regions[0];
        assert_eq!((leaf.times, leaf.work_ticks, leaf.tasks), (leaves, 1_000 * leaves, 0));
    }
}

//! Runs of several ranks in one process, through the public API: every item once, whatever is late, and what fails fails everywhere.

use lyocell::{Caller, Pool};
use lyocell_ranks::{
    Bag, InProcess, Machine, Options, RanksError, Transport, TransportError, run, simulate,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Nodes of an unbalanced tree: the first child of a node is one lower, the second half as high. Counts all.
#[derive(Serialize, Deserialize)]
struct Nodes {
    heights: Vec<u32>,
    /// A node of this height panics.
    fatal: Option<u32>,
    /// What each node carries, to make bags large.
    ballast: Vec<u8>,
    /// Until this is true, the bag is turned over and over, but does not get shorter; on this rank only.
    #[serde(skip)]
    goes_on: Option<fn() -> bool>,
}

impl Nodes {
    fn root(height: u32) -> Nodes {
        Nodes { heights: vec![height], fatal: None, ballast: Vec::new(), goes_on: None }
    }

    fn count(height: u32) -> u64 {
        if height == 0 { 1 } else { 1 + Nodes::count(height - 1) + Nodes::count(height / 2) }
    }
}

impl Bag for Nodes {
    type Total = u64;

    fn work(&mut self, at_most: usize, count: &mut u64) -> usize {
        if self.heights.len() > 1 && self.goes_on.is_some_and(|goes_on| !goes_on()) {
            thread::yield_now();
            return at_most;
        }
        for worked in 0..at_most {
            let Some(height) = self.heights.pop() else { return worked };
            assert_ne!(Some(height), self.fatal, "a node that must not be");
            *count += 1;
            if height > 0 {
                self.heights.extend([height - 1, height / 2]);
            }
        }
        at_most
    }

    fn is_empty(&self) -> bool {
        self.heights.is_empty()
    }

    fn split(&mut self) -> Option<Nodes> {
        let half = self.heights.len() / 2;
        let heights = (half > 0).then(|| self.heights.drain(..half).collect())?;
        Some(Nodes { heights, ballast: self.ballast.clone(), ..*self })
    }

    fn merge(&mut self, other: Nodes) {
        self.heights.splice(..0, other.heights);
    }
}

fn options() -> Options {
    let mut options = Options::default();
    options.at_a_time = 16;
    options
}

/// Has each transport run on a thread of its own, with a pool of so many workers, and returns what each came to.
fn on_threads<T: Transport + Send>(
    transports: Vec<T>,
    workers: usize,
    options: impl Fn(usize) -> Options + Sync,
    first: impl Fn() -> Nodes + Sync,
) -> Vec<Result<u64, RanksError>> {
    thread::scope(|threads| {
        let start = |mut rank: T| {
            let (options, first) = (&options, &first);
            threads.spawn(move || {
                let pool = Pool::builder().workers(workers).caller(Caller::Sleeps).build().unwrap();
                let options = options(rank.rank());
                run(&mut rank, &pool, first, &options)
            })
        };
        let running: Vec<_> = transports.into_iter().map(start).collect();
        running.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn each_item_is_worked_on_once_on_any_number_of_ranks() {
    let known = Nodes::count(40);
    for (ranks, workers) in [(1, 1), (1, 3), (2, 1), (3, 2), (8, 1), (64, 1)] {
        for seed in 0..3 {
            let transports = InProcess::connect(ranks, seed);
            let with_seed = |_| {
                let mut options = options();
                options.seed = seed;
                options
            };
            for total in on_threads(transports, workers, with_seed, || Nodes::root(40)) {
                assert_eq!(
                    total.unwrap(),
                    known,
                    "{ranks} ranks of {workers} workers, seed {seed}"
                );
            }
        }
    }
}

#[test]
fn work_reaches_every_rank() {
    struct Counting(InProcess, &'static [AtomicUsize; 3]);
    impl Transport for Counting {
        fn rank(&self) -> usize {
            self.0.rank()
        }
        fn size(&self) -> usize {
            self.0.size()
        }
        fn send(&mut self, to: usize, message: &[u8]) -> Result<(), TransportError> {
            // A bag with a ballast of a kibibyte is longer than any other message.
            if message.len() > 1 << 10 {
                self.1[to].fetch_add(1, Ordering::Relaxed);
            }
            self.0.send(to, message)
        }
        fn poll(&mut self) -> Result<Option<(usize, Vec<u8>)>, TransportError> {
            self.0.poll()
        }
        fn abort(&mut self, why: &str) {
            self.0.abort(why);
        }
    }
    static BAGS: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
    let ranks = InProcess::connect(3, 1).into_iter().map(|rank| Counting(rank, &BAGS)).collect();
    // However late the others begin, there is work left for them.
    let goes_on = || BAGS[1..].iter().all(|bags| bags.load(Ordering::Relaxed) > 0);
    let first = || Nodes { ballast: vec![7; 1 << 10], goes_on: Some(goes_on), ..Nodes::root(60) };
    for total in on_threads(ranks, 1, |_| options(), first) {
        assert_eq!(total.unwrap(), Nodes::count(60));
    }
    assert!(goes_on());
}

#[test]
fn nothing_to_do_is_over_at_once() {
    for ranks in [1, 2, 7] {
        let nothing = || Nodes { heights: Vec::new(), ..Nodes::root(0) };
        for total in on_threads(InProcess::connect(ranks, 0), 2, |_| options(), nothing) {
            assert_eq!(total.unwrap(), 0);
        }
    }
}

#[test]
fn a_bag_that_panics_ends_all_ranks_with_its_reason() {
    for ranks in [1, 2, 5] {
        let first = || Nodes { fatal: Some(3), ..Nodes::root(40) };
        for total in on_threads(InProcess::connect(ranks, 4), 2, |_| options(), first) {
            let error = total.unwrap_err().to_string();
            assert!(error.contains("a node that must not be"), "{error}");
        }
    }
}

#[test]
fn a_first_bag_that_cannot_be_made_ends_all_ranks() {
    let first = || panic!("no bag today");
    for total in on_threads(InProcess::connect(3, 0), 1, |_| options(), first) {
        let error = total.unwrap_err().to_string();
        assert!(error.contains("rank 0") && error.contains("no bag today"), "{error}");
    }
}

#[test]
fn ranks_that_run_different_programs_end_with_both_names() {
    let of_rank = |rank: usize| {
        let mut options = options();
        options.program = if rank == 2 { "queens:9" } else { "uts:T1" }.to_owned();
        options
    };
    for total in on_threads(InProcess::connect(4, 0), 1, of_rank, || Nodes::root(9)) {
        let error = total.unwrap_err().to_string();
        assert!(error.contains("queens:9") && error.contains("uts:T1"), "{error}");
    }
}

/// Cuts each message of two kibibytes and more short: bags with ballast.
struct Damaging(InProcess);

impl Transport for Damaging {
    fn rank(&self) -> usize {
        self.0.rank()
    }
    fn size(&self) -> usize {
        self.0.size()
    }
    fn send(&mut self, to: usize, message: &[u8]) -> Result<(), TransportError> {
        let mut message = message.to_vec();
        if message.len() > 2 << 10 {
            message.truncate(1 << 10);
        }
        self.0.send(to, &message)
    }
    fn poll(&mut self) -> Result<Option<(usize, Vec<u8>)>, TransportError> {
        self.0.poll()
    }
    fn abort(&mut self, why: &str) {
        self.0.abort(why);
    }
}

#[test]
fn a_message_that_is_cut_short_ends_all_ranks() {
    // There is work to send until one is sent.
    let goes_on: Option<fn() -> bool> = Some(|| false);
    let first = || Nodes { ballast: vec![7; 4 << 10], goes_on, ..Nodes::root(60) };
    let ranks = InProcess::connect(3, 2).into_iter().map(Damaging).collect();
    for total in on_threads(ranks, 1, |_| options(), first) {
        let error = total.unwrap_err().to_string();
        assert!(error.contains("cannot be understood"), "{error}");
    }
}

#[test]
fn a_transport_that_fails_is_an_error_everywhere() {
    struct Failing(InProcess, usize);
    impl Transport for Failing {
        fn rank(&self) -> usize {
            self.0.rank()
        }
        fn size(&self) -> usize {
            self.0.size()
        }
        fn send(&mut self, to: usize, message: &[u8]) -> Result<(), TransportError> {
            self.0.send(to, message)
        }
        fn poll(&mut self) -> Result<Option<(usize, Vec<u8>)>, TransportError> {
            self.1 += 1;
            match self.1 > 100 && self.rank() == 1 {
                true => Err(TransportError::new("receive a message", "the cable is cut")),
                false => self.0.poll(),
            }
        }
        fn abort(&mut self, why: &str) {
            self.0.abort(why);
        }
    }
    let ranks = InProcess::connect(3, 2).into_iter().map(|rank| Failing(rank, 0)).collect();
    for total in on_threads(ranks, 1, |_| options(), || Nodes::root(200)) {
        let error = total.unwrap_err().to_string();
        assert!(error.contains("the cable is cut"), "{error}");
    }
}

#[test]
fn a_thousand_simulated_ranks_share_the_work_and_come_to_the_same_each_time() {
    let machine = Machine { item_ns: 100, latency_ns: 2_000, bytes_per_us: 12_500 };
    let play = |ranks, seed| {
        let mut options = options();
        options.seed = seed;
        simulate(ranks, Nodes::root(100), machine, &options)
    };
    let known = Nodes::count(100);
    for ranks in [1, 2, 3, 17, 64, 1000] {
        let run = play(ranks, 3);
        assert_eq!(run.total, known, "{ranks} ranks");
        assert_eq!(run, play(ranks, 3), "{ranks} ranks");
        assert!(run.efficiency(ranks) <= 1.0);
    }
    assert_eq!(play(1, 0).messages, 0);
    assert_ne!(play(64, 3), play(64, 4));
    // Whether bags travel at all: no rank alone does more than a small part.
    let (one, many) = (play(1, 0).time_ns, play(64, 0).time_ns);
    assert!(many * 16 < one, "{one} ns on one rank, {many} on 64");
}

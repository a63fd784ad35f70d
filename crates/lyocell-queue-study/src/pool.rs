//! A pool of workers: starts them, gives the first one the root, and collects what they did (Alkærsig et al. 2014,
//! section 4).

use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use lyocell_queues::Footprint;

use super::node::{Case, Node};
use super::probe::Probe;
use super::queue::PoolQueue;
use super::termination::Census;
use super::worker::{Report, Worker};
use lyocell_workloads::StartError;

/// The first size of a queue that grows: that of `crossbeam-deque`, which cannot be told another.
const FIRST_CAPACITY: usize = 64;

/// Who runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Team {
    /// Of the queue, for errors.
    pub(super) name: &'static str,
    pub(super) workers: usize,
}

/// Workers with queues, for one run.
pub(super) struct WorkerPool<Q: PoolQueue, P> {
    name: &'static str,
    workers: Vec<Worker<Q, P>>,
}

/// What a pool did.
#[derive(Debug)]
pub(super) struct PoolRun<P> {
    /// From the first worker's first step to the last one's last.
    pub(super) time: Duration,
    pub(super) pushes: u64,
    pub(super) visits: u64,
    pub(super) probes: Vec<P>,
    /// One a queue; `None` if the queues do not tell.
    pub(super) footprints: Option<Vec<Footprint>>,
}

impl<Q: PoolQueue, P: Probe> WorkerPool<Q, P> {
    /// With queues that can hold all of `case`'s nodes that may be in one at once.
    pub(super) fn bounded<C: Case<Node = Q::Item>>(team: Team, case: &C) -> Self {
        WorkerPool::new(team, case.most_queued())
    }

    /// With queues that grow from a small size.
    pub(super) fn growing(team: Team) -> Self {
        WorkerPool::new(team, FIRST_CAPACITY)
    }

    fn new(team: Team, capacity: usize) -> Self {
        let queues = Q::team(team.workers, capacity);
        let mut victims: Vec<Vec<Q::Thief>> = Vec::new();
        for thief in 0..queues.len() {
            let mut others = Vec::new();
            for (owner, queue) in queues.iter().enumerate() {
                if owner != thief {
                    others.push(queue.thief());
                }
            }
            victims.push(others);
        }
        let mut workers = Vec::new();
        for (queue, victims) in queues.into_iter().zip(victims) {
            workers.push(Worker::new(workers.len(), queue, victims));
        }
        WorkerPool { name: team.name, workers }
    }

    /// Visits `case`'s root and all nodes that come of it.
    ///
    /// # Panics
    /// If a node's visit panics; the other workers finish what they can reach.
    ///
    /// # Errors
    /// A thread cannot be started; then nothing was run.
    pub(super) fn run<C>(mut self, case: &C) -> Result<PoolRun<P>, StartError>
    where
        Q::Item: Node<Case = C>,
        C: Case<Node = Q::Item>,
    {
        self.workers[0].push(case.root());
        let (queue, workers) = (self.name, self.workers.len());
        let reports = self.reports(case).map_err(|error| StartError {
            engine: queue,
            workers,
            cause: error.to_string(),
        })?;
        Ok(PoolRun::of(reports))
    }

    /// Runs each worker on a thread of its own.
    fn reports<C: Sync>(self, case: &C) -> io::Result<Vec<Report<P>>>
    where
        Q::Item: Node<Case = C>,
    {
        let census = Census::new(self.workers.len());
        let census = &census;
        let mut bodies: Vec<Body<'_, P>> = Vec::new();
        for worker in self.workers {
            bodies.push(Box::new(move || worker.run(case, census)));
        }
        on_threads(bodies)
    }
}

/// What a thread of the pool does.
type Body<'a, P> = Box<dyn FnOnce() -> Report<P> + Send + 'a>;

/// Calls each of `bodies` on a thread of its own.
///
/// The threads are all there before the first body is called, and go away without calling theirs if not all can be
/// started.
///
/// Not generic over the queue and the case, of which there are a hundred combinations: starting threads is a large
/// piece of code.
fn on_threads<'a, P: Send + 'a>(bodies: Vec<Body<'a, P>>) -> io::Result<Vec<Report<P>>> {
    thread::scope(|scope| {
        let start = |(seat, body): (usize, Body<'a, P>)| {
            let (send, receive) = mpsc::channel::<()>();
            let wait_and_call = move || receive.recv().ok().map(|()| body());
            let thread = thread::Builder::new().name(format!("worker {seat}"));
            Ok((send, thread.spawn_scoped(scope, wait_and_call)?))
        };
        let threads = bodies.into_iter().enumerate().map(start);
        let threads = threads.collect::<io::Result<Vec<_>>>()?;
        for (send, _) in &threads {
            send.send(()).unwrap_or_else(|_| unreachable!("the thread waits for it"));
        }
        let reports = threads.into_iter().map(|(_, thread)| {
            let report = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            report.expect("it was told to begin")
        });
        Ok(reports.collect())
    })
}

impl<P> PoolRun<P> {
    fn of(reports: Vec<Report<P>>) -> PoolRun<P> {
        let start = reports.iter().map(|report| report.start).min();
        let end = reports.iter().map(|report| report.end).max();
        PoolRun {
            time: start.zip(end).map_or(Duration::ZERO, |(start, end)| end - start),
            pushes: reports.iter().map(|report| report.pushes).sum(),
            visits: reports.iter().map(|report| report.visits).sum(),
            footprints: reports.iter().map(|report| report.footprint).collect(),
            probes: reports.into_iter().map(|report| report.probe).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, Ordering};

    use lyocell_queues::{Abp, ChaseLev, Locked};

    use super::super::peers::Crossbeam;
    use super::super::probe::{Counts, NoProbe};
    use super::*;
    use lyocell_workloads::WrongAnswer;

    /// Pushes nodes of one height less, as many as its height; one of height 0 may panic.
    struct Fan {
        height: u32,
        at_the_leaves: Leaves,
        leaves: AtomicU64,
    }

    enum Leaves {
        Count,
        PanicAt(u64),
    }

    struct Height(u32);

    impl Fan {
        fn new(height: u32, at_the_leaves: Leaves) -> Fan {
            Fan { height, at_the_leaves, leaves: AtomicU64::new(0) }
        }
    }

    impl Node for Height {
        type Case = Fan;

        fn visit(self, case: &Fan, push: &mut impl FnMut(Height)) {
            (0..self.0).for_each(|_| push(Height(self.0 - 1)));
            if self.0 == 0 {
                let leaf = case.leaves.fetch_add(1, Ordering::Relaxed);
                if matches!(case.at_the_leaves, Leaves::PanicAt(number) if number == leaf) {
                    panic!("leaf {leaf}, on purpose");
                }
            }
        }
    }

    impl Case for Fan {
        type Node = Height;

        fn reset(&mut self) {}

        fn root(&self) -> Height {
            Height(self.height)
        }

        fn run_serially(&self) {}

        fn nodes(&self) -> u64 {
            1
        }

        fn most_queued(&self) -> usize {
            2
        }

        fn judge(&mut self) -> Result<String, WrongAnswer> {
            Ok(String::new())
        }
    }

    const fn team(workers: usize) -> Team {
        Team { name: "test", workers }
    }

    /// Height 5 has 1 + 5 + 20 + 60 + 120 + 120 nodes.
    const NODES_OF_5: u64 = 326;

    fn ends_every_time<Q: PoolQueue<Item = Height>>() {
        for workers in [1, 2, 3, 8] {
            for _ in 0..200 {
                let fan = Fan::new(5, Leaves::Count);
                let run = WorkerPool::<Q, NoProbe>::growing(team(workers)).run(&fan).unwrap();
                assert_eq!((run.pushes, run.visits), (NODES_OF_5, NODES_OF_5));
                assert_eq!(fan.leaves.into_inner(), 120);
            }
        }
    }

    #[test]
    fn runs_end_when_all_nodes_are_visited_and_not_before() {
        ends_every_time::<ChaseLev<Height>>();
        ends_every_time::<Locked<Height>>();
        ends_every_time::<Crossbeam<Height>>();
    }

    #[test]
    fn what_a_full_queue_gives_back_is_visited_too() {
        let fan = Fan::new(5, Leaves::Count);
        let run = WorkerPool::<Abp<Height>, Counts>::bounded(team(2), &fan).run(&fan).unwrap();
        assert_eq!(run.visits, NODES_OF_5);
        let counts = Counts::sum(run.probes);
        assert!(counts.overflows > 0 && counts.peak_length <= 2, "{counts:?}");
        assert_eq!(counts.takes + counts.steals + counts.overflows, NODES_OF_5);
    }

    #[test]
    fn a_panicking_node_ends_the_run_with_its_panic() {
        for leaf in [0, 60, 119] {
            let fan = Fan::new(5, Leaves::PanicAt(leaf));
            let pool = WorkerPool::<ChaseLev<Height>, NoProbe>::growing(team(4));
            let panic = catch_unwind(AssertUnwindSafe(|| pool.run(&fan))).unwrap_err();
            let message = panic.downcast_ref::<String>().unwrap();
            assert_eq!(*message, format!("leaf {leaf}, on purpose"));
        }
    }
}

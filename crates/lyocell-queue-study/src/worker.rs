//! A worker: a queue, the victims, and the loop that visits nodes.

use std::time::Instant;

use crossbeam_utils::Backoff;
use lyocell_queues::{Footprint, Steal};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::node::Node;
use super::operations::{Attempt, Operation};
use super::probe::Probe;
use super::queue::{PoolQueue, PoolThief};
use super::termination::{Call, Census, Presence};

/// How often all victims are tried before the worker rests. Untuned; resting and coming back cost two writes to
/// a word that all resting workers read.
const ROUNDS: usize = 4;

/// Owns a queue and visits the nodes in it, and what it can steal.
pub(super) struct Worker<Q: PoolQueue, P> {
    queue: Q,
    /// Nodes for which the queue had no room. Nobody steals them.
    overflow: Vec<Q::Item>,
    victims: Vec<Q::Thief>,
    random: SmallRng,
    pushes: u64,
    visits: u64,
    probe: P,
}

/// What a worker did in a run.
#[derive(Debug)]
pub(super) struct Report<P> {
    pub(super) start: Instant,
    pub(super) end: Instant,
    /// Nodes pushed, into the queue or its overflow.
    pub(super) pushes: u64,
    pub(super) visits: u64,
    pub(super) probe: P,
    /// At the end; `None` if the queue does not tell.
    pub(super) footprint: Option<Footprint>,
}

impl<Q: PoolQueue, P: Probe> Worker<Q, P> {
    /// Worker number `seat`.
    pub(super) fn new(seat: usize, queue: Q, victims: Vec<Q::Thief>) -> Self {
        Worker {
            queue,
            overflow: Vec::new(),
            victims,
            random: SmallRng::seed_from_u64(seat as u64),
            pushes: 0,
            visits: 0,
            probe: P::default(),
        }
    }

    /// Adds a node to the own queue.
    #[inline(always)]
    pub(super) fn push(&mut self, node: Q::Item) {
        self.pushes += 1;
        let queue = &self.queue;
        let push = || queue.push(node);
        match self.probe.during(Attempt::Push, push, |_| Some(Operation::Push)) {
            Ok(()) => self.probe.pushed(|| self.queue.len()),
            Err(node) => self.overflow(node),
        }
    }

    #[cold]
    #[inline(never)]
    fn overflow(&mut self, node: Q::Item) {
        self.probe.overflowed();
        self.overflow.push(node);
    }

    /// Visits nodes until there are no more anywhere.
    pub(super) fn run<C>(mut self, case: &C, census: &Census) -> Report<P>
    where
        Q::Item: Node<Case = C>,
    {
        let _guard = census.guard();
        let start = Instant::now();
        loop {
            while let Some(node) = self.take() {
                self.visit(node, case);
            }
            match self.find(census) {
                Some(node) => self.visit(node, case),
                None => break,
            }
        }
        let end = Instant::now();
        let footprint = self.queue.footprint();
        let Worker { pushes, visits, probe, .. } = self;
        Report { start, end, pushes, visits, probe, footprint }
    }

    #[inline(always)]
    fn visit<C>(&mut self, node: Q::Item, case: &C)
    where
        Q::Item: Node<Case = C>,
    {
        self.visits += 1;
        node.visit(case, &mut |node| self.push(node));
    }

    #[inline(always)]
    fn take(&mut self) -> Option<Q::Item> {
        let queue = &self.queue;
        let which = |taken: &Option<_>| taken.is_some().then_some(Operation::Take);
        match self.probe.during(Attempt::Take, || queue.take(), which) {
            Some(node) => {
                self.probe.took();
                Some(node)
            }
            None => self.overflow.pop(),
        }
    }

    /// Steals a node. `None` when the run is over.
    #[cold]
    #[inline(never)]
    fn find(&mut self, census: &Census) -> Option<Q::Item> {
        let patience = Backoff::new();
        let mut presence = Presence::Working;
        loop {
            if let Some(node) = (0..ROUNDS).find_map(|_| self.try_victims()) {
                census.found(presence);
                return Some(node);
            }
            census.rest(presence);
            match census.call(&patience) {
                Call::Leave => return None,
                Call::Search => presence = Presence::Searching,
            }
        }
    }

    /// Tries to steal once from everybody, beginning anywhere.
    fn try_victims(&mut self) -> Option<Q::Item> {
        let first = match self.victims.len() {
            0 => return None,
            victims => self.random.random_range(0..victims),
        };
        let (later, sooner) = self.victims.split_at(first);
        let which = |outcome: &Steal<_>| match outcome {
            Steal::Taken(_) => Some(Operation::Steal),
            Steal::Empty | Steal::Busy => Some(Operation::FailedSteal),
        };
        let probe = &mut self.probe;
        sooner.iter().chain(later).find_map(|victim| {
            match probe.during(Attempt::Steal, || victim.steal(), which) {
                Steal::Taken(node) => {
                    probe.stole();
                    Some(node)
                }
                Steal::Empty => {
                    probe.found_empty();
                    None
                }
                Steal::Busy => {
                    probe.found_busy();
                    None
                }
            }
        })
    }
}

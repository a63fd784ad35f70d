//! Many ranks on one thread, in virtual time: what the protocol does with a thousand of them.
//!
//! The bags are real and worked on for real, by one worker a rank; what an item and a message take is declared. It shows how evenly work
//! spreads, and what that takes in messages. It does not model what a network carries at most, nor what its messages cost the processors.

use crate::communicator::{Communicator, Host, Outgoing};
use crate::message::{LARGEST_BAG, Malformed, Message};
use crate::{Bag, Options, Total};
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What things take in a simulated run. All fields have to be there where it is read from a file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Work on one item, in nanoseconds.
    pub item_ns: u64,
    /// From the sending of a message to its receipt, in nanoseconds, but for its length.
    pub latency_ns: u64,
    /// As many bytes of a message take a microsecond more.
    pub bytes_per_us: u64,
}

/// What a simulated run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated<R> {
    /// The total.
    pub total: R,
    /// When the last rank learned that all was over, in nanoseconds.
    pub time_ns: u64,
    /// The work on all items, in nanoseconds.
    pub work_ns: u64,
    /// How many messages were sent.
    pub messages: u64,
    /// How many of them were bags.
    pub bags: u64,
}

impl<R> Simulated<R> {
    /// The share of their time that so many ranks worked on items.
    pub fn efficiency(&self, ranks: usize) -> f64 {
        self.work_ns as f64 / (self.time_ns as f64 * ranks as f64)
    }
}

/// Plays a run on so many ranks of one worker each. It is the same each time, for the same arguments.
///
/// # Panics
/// Panics if a bag does.
///
/// # Examples
/// ```
/// use lyocell_ranks::{Machine, Options, simulate};
/// # use lyocell_ranks::Bag;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Serialize, Deserialize)]
/// # struct Halvings(Vec<u64>);
/// # impl Bag for Halvings {
/// #     type Total = u64;
/// #     fn work(&mut self, at_most: usize, halvings: &mut u64) -> usize {
/// #         for worked in 0..at_most {
/// #             let Some(number) = self.0.pop() else { return worked };
/// #             if number > 1 {
/// #                 *halvings += 1;
/// #                 self.0.push(number / 2);
/// #             }
/// #         }
/// #         at_most
/// #     }
/// #     fn is_empty(&self) -> bool { self.0.is_empty() }
/// #     fn split(&mut self) -> Option<Self> {
/// #         lyocell_ranks::every_second(&mut self.0).map(Halvings)
/// #     }
/// #     fn merge(&mut self, other: Self) { self.0.extend(other.0); }
/// # }
/// let machine = Machine { item_ns: 1_000, latency_ns: 2_000, bytes_per_us: 10_000 };
/// let run = simulate(8, Halvings(vec![1 << 20; 1 << 10]), machine, &Options::default());
/// assert_eq!(run.total, 20 << 10);
/// assert!(run.efficiency(8) > 0.5);
/// ```
pub fn simulate<B: Bag>(
    ranks: usize,
    first: B,
    machine: Machine,
    options: &Options,
) -> Simulated<B::Total> {
    let mut simulation = Simulation::new(ranks, machine, options);
    simulation.ranks[0].bags.bag = Some(first);
    (0..ranks).for_each(|rank| simulation.look_round(rank));
    while let Some(Reverse((now, _, event))) = simulation.events.pop() {
        simulation.now = now;
        match event {
            Event::Worked(rank) => simulation.worked(rank),
            Event::Arrives(rank, from, message) => simulation.arrives(rank, from, &message),
        }
    }
    simulation.result()
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A rank is done with some items.
    Worked(usize),
    /// A message for this rank, from that one.
    Arrives(usize, usize, Vec<u8>),
}

struct Simulation<B: Bag> {
    machine: Machine,
    at_a_time: usize,
    ranks: Vec<Rank<B>>,
    /// By time, then in the order in which they came up.
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    came_up: u64,
    now: u64,
    work_ns: u64,
    messages: u64,
    bags: u64,
}

struct Rank<B: Bag> {
    communicator: Communicator,
    bags: Bags<B>,
    total: B::Total,
    /// Whether a [`Event::Worked`] is under way.
    works: bool,
    /// By receiver: when the last message to it arrives, so that the next does not come before.
    last_arrival: Vec<u64>,
}

/// What a simulated rank has.
struct Bags<B> {
    bag: Option<B>,
    wanted: bool,
    aside: VecDeque<Vec<u8>>,
}

impl<B: Bag> Host for Bags<B> {
    fn has_nothing(&self) -> bool {
        self.bag.is_none() && self.aside.is_empty()
    }

    fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    fn take_aside(&mut self) -> Option<Vec<u8>> {
        self.aside.pop_front()
    }

    fn receive(&mut self, bag: &[u8]) -> Result<(), Malformed> {
        let bag: B = postcard::from_bytes(bag).map_err(Malformed::Damaged)?;
        match &mut self.bag {
            Some(own) => own.merge(bag),
            None => self.bag = Some(bag),
        }
        Ok(())
    }
}

impl<B: Bag> Bags<B> {
    fn put_aside(&mut self) {
        let Some(bag) = &mut self.bag else { return };
        let Some(mut half) = bag.split() else { return };
        let write = |half: &B| postcard::to_stdvec(half).expect("a bag can be written down");
        let mut written = write(&half);
        while written.len() > LARGEST_BAG {
            let Some(rest) = half.split() else { break };
            bag.merge(rest);
            written = write(&half);
        }
        self.wanted = false;
        self.aside.push_back(written);
    }
}

impl<B: Bag> Simulation<B> {
    fn new(ranks: usize, machine: Machine, options: &Options) -> Self {
        let rank = |me| Rank {
            communicator: Communicator::new(me, ranks, options.tries, options.seed),
            bags: Bags { bag: None, wanted: false, aside: VecDeque::new() },
            total: B::Total::default(),
            works: false,
            last_arrival: vec![0; ranks],
        };
        Simulation {
            machine,
            at_a_time: options.at_a_time.max(1),
            ranks: (0..ranks).map(rank).collect(),
            events: BinaryHeap::new(),
            came_up: 0,
            now: 0,
            work_ns: 0,
            messages: 0,
            bags: 0,
        }
    }

    fn push(&mut self, at: u64, event: Event) {
        self.came_up += 1;
        self.events.push(Reverse((at, self.came_up, event)));
    }

    fn arrives(&mut self, rank: usize, from: usize, message: &[u8]) {
        let mut out = Outgoing::new();
        let Rank { communicator, bags, .. } = &mut self.ranks[rank];
        let message = Message::read(message).expect("it was written by this program");
        communicator.receive(from, message, bags, &mut out).expect("as the bags are");
        self.send(rank, out);
        self.look_round(rank);
    }

    /// The items that a rank has worked on are done; it looks whether others want some.
    fn worked(&mut self, rank: usize) {
        let Rank { bags, works, .. } = &mut self.ranks[rank];
        *works = false;
        if bags.bag.as_ref().is_some_and(B::is_empty) {
            bags.bag = None;
        }
        if bags.wanted {
            bags.put_aside();
        }
        self.look_round(rank);
    }

    /// Does what is to be done now, and begins with the next items.
    fn look_round(&mut self, rank: usize) {
        let mut out = Outgoing::new();
        loop {
            let Rank { communicator, bags, .. } = &mut self.ranks[rank];
            let before = out.len();
            communicator.step(bags, &mut out).expect("as the bags are");
            if out.len() == before {
                break;
            }
        }
        self.send(rank, out);
        let Rank { bags, total, works, .. } = &mut self.ranks[rank];
        let Some(bag) = bags.bag.as_mut().filter(|_| !*works) else { return };
        *works = true;
        let took = bag.work(self.at_a_time, total) as u64 * self.machine.item_ns;
        self.work_ns += took;
        self.push(self.now + took, Event::Worked(rank));
    }

    fn send(&mut self, from: usize, out: Outgoing) {
        for (to, message) in out {
            self.messages += 1;
            self.bags += u64::from(matches!(message, Message::Give(..)));
            let bytes = message.write();
            let on_its_way = self.machine.latency_ns
                + bytes.len() as u64 * 1_000 / self.machine.bytes_per_us.max(1);
            let last = &mut self.ranks[from].last_arrival[to];
            *last = (self.now + on_its_way).max(*last);
            let at = *last;
            self.push(at, Event::Arrives(to, from, bytes));
        }
    }

    fn result(self) -> Simulated<B::Total> {
        let mut total = B::Total::default();
        for rank in self.ranks {
            assert!(rank.communicator.is_over(), "every rank learns that all is over");
            total.merge(rank.total);
        }
        Simulated {
            total,
            time_ns: self.now,
            work_ns: self.work_ns,
            messages: self.messages,
            bags: self.bags,
        }
    }
}

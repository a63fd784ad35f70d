//! What a machine is: processors that are so far apart, and what things take, each number with its source.
//!
//! A machine file is TOML. All times are nanoseconds:
//! ```toml
//! title = "Lace's machine"
//! processors = 48
//! placement = "spread"      # which processors are taken first: neighbours (compact), or one of each part in turn
//!
//! [[distance]]              # from the nearest to the farthest
//! name = "die"
//! processors = 6            # so many beside each other are within it
//! half_round_trip = { ns = 44, source = "recalled" }
//!
//! [cost]
//! hit = { ns = 0.2, source = "calibrated" }
//! # … every field of `Costs`
//!
//! [task]                    # what tasks of programs take by themselves
//! fib = { ns = 3.7, source = "measured" }
//! ```
//! The half round trip is what programs measure that pass a line to and fro by compare-and-swap: half of the time between two
//! successes of one thread. A transfer is what is left of it without the compare-and-swap itself (`rmw`). So a load that misses
//! takes `half_round_trip - rmw + hit`, a read-modify-write takes `half_round_trip`, and a plain store takes `store`, because the
//! store buffer hides the transfer; the processor waits for it at its next fence or read-modify-write.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// A number and where it is from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sourced {
    /// Nanoseconds, or a ratio.
    pub ns: f64,
    /// Where it is from: a publication, a command that measured it, `recalled`, or `proxy` with what it stands in for.
    pub source: String,
}

/// Which processors are taken first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// Neighbours.
    #[default]
    Compact,
    /// One of each of the largest parts of the machine in turn.
    Spread,
}

/// How far apart processors are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distance {
    /// What it is within.
    pub name: String,
    /// So many processors, beginning at a multiple, are within it.
    pub processors: usize,
    /// Half of what a line takes to and fro by compare-and-swap.
    pub half_round_trip: Sourced,
}

/// A machine, as its file describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// What it is.
    pub title: String,
    /// Processors.
    pub processors: usize,
    /// The name of the distance within which processors share a node of the memory; none where all share one.
    #[serde(default)]
    pub node: Option<String>,
    /// Which processors its threads are on, where not all have one.
    #[serde(default)]
    pub placement: Placement,
    /// From the nearest to the farthest, which has all processors.
    pub distance: Vec<Distance>,
    /// What things take, by name: see `NAMES`.
    pub cost: BTreeMap<String, Sourced>,
    /// What a task of a program takes by itself, by the program's word for it.
    #[serde(default)]
    pub task: BTreeMap<String, Sourced>,
}

/// The names that `cost` has, all of them.
pub const NAMES: [&str; 20] = [
    "hit",
    "store",
    "rmw",
    "memory",
    "pause",
    "yield",
    "fence",
    "clock",
    "park",
    "unpark",
    "wake",
    "idle_exit",
    "lock",
    "start",
    "barrier",
    "barrier_each",
    "barrier_target",
    "signal",
    "signal_target",
    "slice",
];

/// Picoseconds in a nanosecond: the clock counts the former.
pub(crate) const PS: f64 = 1000.0;

/// What things take, in picoseconds.
#[derive(Clone, Debug)]
pub struct Costs {
    /// A load whose line is here.
    pub hit: u64,
    /// A plain store, whose line is fetched behind the store buffer.
    pub store: u64,
    /// A read-modify-write whose line is here and nobody else's.
    pub rmw: u64,
    /// A line that nobody has.
    pub memory: u64,
    /// The pause of a spin loop.
    pub pause: u64,
    /// Giving the processor away, where nobody else wants it.
    pub yielding: u64,
    /// A full fence, when all stores have left.
    pub fence: u64,
    /// A look at the clock.
    pub clock: u64,
    /// Going to sleep, until the processor is free.
    pub park: u64,
    /// Waking somebody, for the waker.
    pub unpark: u64,
    /// From then on until the woken thread runs, on a processor that is awake.
    pub wake: u64,
    /// And so much more where the processor was idle.
    pub idle_exit: u64,
    /// Waiting for a lock that somebody holds, beside the wait.
    pub lock: u64,
    /// Starting a thread, for whoever starts it; it runs after the time of a wake-up.
    pub start: u64,
    /// The heavy barrier, where nobody else runs.
    pub barrier: u64,
    /// And so much for each processor that runs another thread of the process.
    pub barrier_each: u64,
    /// What each of these loses by the interrupt.
    pub barrier_target: u64,
    /// Sending a thread a signal, until it is there.
    pub signal: u64,
    /// What the handler takes beside what it does.
    pub signal_target: u64,
    /// How long a thread keeps its processor while others wait for it.
    pub slice: u64,
    /// What a line takes over each distance.
    pub transfer: Vec<u64>,
    /// How many processors are within each distance.
    within: Vec<usize>,
}

impl Costs {
    /// The distance of two processors.
    #[inline]
    pub(crate) fn level(&self, a: usize, b: usize) -> usize {
        let near = |within: &usize| a / within == b / within;
        self.within.iter().position(near).unwrap_or(self.within.len() - 1)
    }
}

/// Why a machine cannot be had.
#[derive(Debug)]
pub struct MachineError(String);

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MachineError {}

impl Machine {
    /// Reads the text of a machine file.
    ///
    /// # Errors
    /// It is no TOML, lacks a number or its source, has one that there is not, or its distances are no distances.
    pub fn parse(text: &str) -> Result<Machine, MachineError> {
        let machine: Machine =
            toml::from_str(text).map_err(|error| MachineError(error.to_string()))?;
        machine.check()?;
        Ok(machine)
    }

    fn check(&self) -> Result<(), MachineError> {
        let fail = |message: String| Err(MachineError(message));
        if let Some(name) = NAMES.into_iter().find(|name| !self.cost.contains_key(*name)) {
            return fail(format!(
                "the cost `{name}` is missing: write {name} = {{ ns = …, source = \"…\" }} below [cost]"
            ));
        }
        for (name, cost) in self.cost.iter().chain(&self.task) {
            if !(cost.ns >= 0.0 && cost.ns < 1e12) {
                let ns = cost.ns;
                return fail(format!("`{name}` takes {ns}: it has to be nanoseconds, from 0 on"));
            }
        }
        if let Some(name) = self.cost.keys().find(|name| !NAMES.contains(&name.as_str())) {
            return fail(format!("there is no cost `{name}`: there are {}", NAMES.join(", ")));
        }
        if self.distance.last().map(|last| last.processors) != Some(self.processors) {
            return fail(format!(
                "the last distance has to be that of all {} processors",
                self.processors
            ));
        }
        let names = || self.distance.iter().map(|distance| &*distance.name);
        if let Some(node) = self.node.as_ref().filter(|node| names().all(|name| name != **node)) {
            let names = names().collect::<Vec<_>>().join(", ");
            return fail(format!("the node `{node}` is no distance: there are {names}"));
        }
        for pair in self.distance.windows(2) {
            if pair[0].processors == 0 || pair[1].processors % pair[0].processors != 0 {
                return fail(format!(
                    "the distance `{}` has {} processors, which is no multiple of the {} of `{}`",
                    pair[1].name, pair[1].processors, pair[0].processors, pair[0].name
                ));
            }
        }
        let rmw = self.cost["rmw"].ns;
        match self.distance.iter().find(|distance| distance.half_round_trip.ns < rmw) {
            Some(distance) => fail(format!(
                "the half round trip of `{}` is shorter than a read-modify-write, {rmw} ns",
                distance.name
            )),
            None => Ok(()),
        }
    }

    /// The names of all its numbers.
    pub fn numbers(&self) -> Vec<&str> {
        let distances = self.distance.iter().map(|distance| distance.name.as_str());
        NAMES.into_iter().chain(distances).chain(self.task.keys().map(String::as_str)).collect()
    }

    /// The same machine, where a cost, a distance or a task takes so many times as long.
    ///
    /// # Errors
    /// There is none of this name, or it makes no machine.
    pub fn scaled(&self, name: &str, factor: f64) -> Result<Machine, MachineError> {
        let mut machine = self.clone();
        let distances = machine
            .distance
            .iter_mut()
            .map(|distance| (&distance.name, &mut distance.half_round_trip));
        let mut numbers = machine.cost.iter_mut().chain(&mut machine.task).chain(distances);
        let Some((_, number)) = numbers.find(|(other, _)| *other == name) else {
            let names = self.numbers().join(", ");
            return Err(MachineError(format!(
                "{name} is no number of the machine: there are {names}"
            )));
        };
        number.ns *= factor;
        machine.check()?;
        Ok(machine)
    }

    /// What a task of this name takes by itself, in picoseconds.
    ///
    /// # Errors
    /// The machine file does not say.
    pub fn task(&self, name: &str) -> Result<u64, MachineError> {
        let task = self.task.get(name).ok_or_else(|| {
            MachineError(format!(
                "{} does not say what `{name}` takes: write {name} = {{ ns = …, source = \"…\" }} below [task]",
                self.title
            ))
        })?;
        Ok((task.ns * PS).round() as u64)
    }

    /// How many processors share a node of the memory.
    pub(crate) fn node_size(&self) -> usize {
        let is_node = |distance: &&Distance| Some(&distance.name) == self.node.as_ref();
        let node = self.distance.iter().find(is_node);
        node.map_or(self.processors, |node| node.processors)
    }

    /// The same machine with so many processors, as far apart as its farthest: for more workers than it has.
    #[must_use]
    pub fn extended(&self, processors: usize) -> Machine {
        let mut machine = self.clone();
        if let Some(last) = machine.distance.last_mut().filter(|_| processors > self.processors) {
            let unit = last.processors;
            last.processors = processors.next_multiple_of(unit);
            machine.processors = last.processors;
        }
        machine
    }

    /// What things take, in picoseconds.
    pub fn costs(&self) -> Costs {
        let cost = |name: &str| (self.cost[name].ns * PS).round() as u64;
        let rmw = cost("rmw");
        let transfer = |distance: &Distance| {
            ((distance.half_round_trip.ns * PS).round() as u64).saturating_sub(rmw).max(1)
        };
        Costs {
            hit: cost("hit"),
            store: cost("store"),
            rmw,
            memory: cost("memory"),
            pause: cost("pause").max(1),
            yielding: cost("yield").max(1),
            fence: cost("fence"),
            clock: cost("clock"),
            park: cost("park"),
            unpark: cost("unpark"),
            wake: cost("wake"),
            idle_exit: cost("idle_exit"),
            lock: cost("lock"),
            start: cost("start"),
            barrier: cost("barrier"),
            barrier_each: cost("barrier_each"),
            barrier_target: cost("barrier_target"),
            signal: cost("signal"),
            signal_target: cost("signal_target"),
            slice: cost("slice").max(1),
            transfer: self.distance.iter().map(transfer).collect(),
            within: self.distance.iter().map(|distance| distance.processors).collect(),
        }
    }
}

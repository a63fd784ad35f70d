//! The queues as they are, without the runtime: the raw case of the queue study (Alkærsig, Didriksen and Harrington 2014, section 4.1), a
//! tree of nodes that do nothing but push their children, visited by workers that steal from each other.
//!
//! The pool is that of the program that is measured, in short: a worker takes what is its own, else tries all others some times, and
//! rests; it comes back while anybody works. A queue that hands out a node again has its children visited again.

use lyocell_queues::{
    Abp, ChaseLev, Duplicating, IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo, Locked,
    Owner, ShrinkingChaseLev, Steal, Thief,
};
use lyocell_virtual::{
    AtomicU32, Counts, Failure, Options, Ordering, counts, now_ps, run, seed, spin_loop, thread,
    work,
};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64};

/// The most children a node has, as in the program that is measured.
const MOST_CHILDREN: u32 = 7;

/// How often all others are tried before a worker rests, as there.
const ROUNDS: usize = 4;

/// The first size of a queue that grows, as there.
const FIRST_CAPACITY: usize = 64;

/// A tree: where the children of each node begin, and one place more.
#[derive(Debug)]
pub struct Tree(Vec<u32>);

impl Tree {
    /// Of `raw:NODES`.
    ///
    /// # Errors
    /// It is no such case.
    pub fn parse(words: &str) -> Result<Tree, String> {
        let nodes = words.strip_prefix("raw:").and_then(|nodes| nodes.parse::<u32>().ok());
        match nodes {
            Some(nodes @ 1..=10_000_000) => Ok(Tree::of(nodes)),
            _ => Err(format!("there is no case {words}: there is raw:NODES, to 10000000")),
        }
    }

    /// Level by level; how many children a node has is drawn by its number.
    fn of(nodes: u32) -> Tree {
        let mut first_child = vec![1];
        for node in 0..nodes {
            // Fibonacci hashing (Knuth).
            let drawn = u64::from(node + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
            let children = 1 + ((drawn * u64::from(MOST_CHILDREN)) >> 32) as u32;
            first_child.push((first_child[node as usize] + children).min(nodes));
        }
        Tree(first_child)
    }

    fn nodes(&self) -> usize {
        self.0.len() - 1
    }

    fn children(&self, node: u32) -> std::ops::Range<u32> {
        self.0[node as usize]..self.0[node as usize + 1]
    }
}

/// How the workers are: those at work by sixteen bits, those that look for work by the others.
struct Census(AtomicU32);

const SEARCHING: u32 = 1;
const WORKING: u32 = 1 << 16;

/// What all workers see.
struct Team {
    tree: Tree,
    census: Census,
    /// How often each node was visited, all together in `visits`. No words of the machine's.
    visited: Vec<AtomicU8>,
    visits: AtomicU64,
    steals: AtomicU64,
    node_ps: u64,
    begin: AtomicU32,
}

/// A run.
#[derive(Debug, Serialize)]
pub struct CaseRow {
    /// As on the command line.
    pub case: String,
    /// The queue.
    pub queue: String,
    /// Workers.
    pub workers: usize,
    /// The seed.
    pub seed: u64,
    /// From the first worker's first step to the end of the last one's, in nanoseconds.
    pub took_ns: f64,
    /// All nodes' own time, in nanoseconds.
    pub serial_ns: f64,
    /// Nodes.
    pub nodes: u64,
    /// Visits beyond one a node.
    pub repeats: u64,
    /// Nodes that were stolen.
    pub steals: u64,
    /// Lines that passed from one processor to another, by distance.
    pub transfers: Vec<u64>,
    /// The digest of the run.
    pub hash: String,
}

/// Runs a case with so many workers; a node takes so many picoseconds.
pub type OneTeam = fn(&Options, Tree, usize, u64) -> Result<Told, Failure>;

/// What came of a run: when it began and ended, in picoseconds, visits, steals, nodes that nobody visited, and what was counted.
#[derive(Debug)]
pub struct Told {
    took_ps: u64,
    visits: u64,
    steals: u64,
    missed: usize,
    counts: Counts,
}

/// The study's queues by their names, and one under a lock.
pub const QUEUES: [(&str, OneTeam); 8] = [
    ("abp", on::<Abp<u32>>),
    ("chase-lev", on::<ChaseLev<u32>>),
    ("chase-lev-shrinking", on::<ShrinkingChaseLev<u32>>),
    ("idempotent-lifo", on::<IdempotentLifo<u32>>),
    ("idempotent-fifo", on::<IdempotentFifo<u32>>),
    ("idempotent-double-ended", on::<IdempotentDoubleEnded<u32>>),
    ("duplicating", on::<Duplicating<u32>>),
    ("locked", on::<Locked<u32>>),
];

/// Runs a case on the queue of this name.
///
/// # Errors
/// There is no such case or queue, the run failed, or a node was not visited.
pub fn measure(
    options: &Options,
    case: &str,
    queue: &str,
    workers: usize,
) -> Result<CaseRow, String> {
    let found = QUEUES.iter().find(|(name, _)| *name == queue);
    let (_, team) = found.ok_or_else(|| {
        format!("there is no queue {queue}: there are {}", QUEUES.map(|(name, _)| name).join(", "))
    })?;
    let node_ps = options.machine.task("raw").map_err(|error| error.to_string())?;
    let tree = Tree::parse(case)?;
    let nodes = tree.nodes() as u64;
    let here =
        |what: String| format!("{case} on {queue}, x{workers}, seed {}: {what}", options.seed);
    let told =
        team(options, tree, workers, node_ps).map_err(|failure| here(failure.to_string()))?;
    if told.missed > 0 {
        return Err(here(format!("{} nodes were not visited", told.missed)));
    }
    Ok(CaseRow {
        case: case.to_owned(),
        queue: queue.to_owned(),
        workers,
        seed: options.seed,
        took_ns: told.took_ps as f64 / 1000.0,
        serial_ns: (nodes * node_ps) as f64 / 1000.0,
        nodes,
        repeats: told.visits - nodes,
        steals: told.steals,
        transfers: told.counts.transfers.clone(),
        hash: format!("{:016x}", told.counts.hash),
    })
}

fn on<Q: Owner<Item = u32> + Send + 'static>(
    options: &Options,
    tree: Tree,
    workers: usize,
    node_ps: u64,
) -> Result<Told, Failure>
where
    Q::Thief: Send,
{
    let mut options = options.clone();
    options.machine = options.machine.extended(workers);
    let report = run(&options, move || {
        let visited = (0..tree.nodes()).map(|_| AtomicU8::new(0)).collect();
        let team = Arc::new(Team {
            tree,
            census: Census(AtomicU32::new(workers as u32 * WORKING)),
            visited,
            visits: AtomicU64::new(0),
            steals: AtomicU64::new(0),
            node_ps,
            begin: AtomicU32::new(0),
        });
        // None is ever so full: a stack that goes down the tree has a family a level.
        let capacity = FIRST_CAPACITY * MOST_CHILDREN as usize;
        let queues = Q::team(workers, capacity);
        let others = |thief: usize| {
            let others = queues.iter().enumerate().filter(move |(owner, _)| *owner != thief);
            others.map(|(_, queue)| queue.thief()).collect::<Vec<_>>()
        };
        let victims: Vec<_> = (0..workers).map(others).collect();
        let _ = queues[0].push(0);
        let mut threads = Vec::new();
        for (seat, (queue, victims)) in queues.into_iter().zip(victims).enumerate() {
            let team = Arc::clone(&team);
            let body = move || {
                while team.begin.load(Ordering::Acquire) == 0 {
                    spin_loop();
                }
                let begin = now_ps();
                Worker { seat, queue, victims, overflow: Vec::new(), drawn: seed(), team }.works();
                (begin, now_ps())
            };
            let name = format!("worker-{seat}");
            threads.push(thread::Builder::new().name(name).spawn(body).expect("a thread"));
        }
        team.begin.store(1, Ordering::Release);
        let spans: Vec<(u64, u64)> =
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        let begin = spans.iter().map(|span| span.0).min().unwrap_or(0);
        let end = spans.iter().map(|span| span.1).max().unwrap_or(0);
        let missed = team.visited.iter().filter(|visits| visits.load(Ordering::Relaxed) == 0);
        Told {
            took_ps: end - begin,
            visits: team.visits.load(Ordering::Relaxed),
            steals: team.steals.load(Ordering::Relaxed),
            missed: missed.count(),
            counts: counts(),
        }
    })?;
    Ok(report.value)
}

struct Worker<Q: Owner<Item = u32>> {
    seat: usize,
    queue: Q,
    victims: Vec<Q::Thief>,
    /// What found no room.
    overflow: Vec<u32>,
    drawn: u64,
    team: Arc<Team>,
}

impl<Q: Owner<Item = u32>> Worker<Q> {
    fn works(mut self) {
        loop {
            while let Some(node) = self.queue.take().or_else(|| self.overflow.pop()) {
                self.visit(node);
            }
            match self.find() {
                Some(node) => self.visit(node),
                None => return,
            }
        }
    }

    fn visit(&mut self, node: u32) {
        work(self.team.node_ps);
        self.team.visits.fetch_add(1, Ordering::Relaxed);
        self.team.visited[node as usize].store(1, Ordering::Relaxed);
        for child in self.team.tree.children(node) {
            if let Err(full) = self.queue.push(child) {
                self.overflow.push(full.item);
            }
        }
    }

    /// A stolen node; `None` when all is over.
    fn find(&mut self) -> Option<u32> {
        let team = Arc::clone(&self.team);
        let Census(census) = &team.census;
        let mut presence = WORKING;
        loop {
            if let Some(node) = (0..ROUNDS).find_map(|_| self.try_all()) {
                if presence == SEARCHING {
                    census.fetch_add(WORKING - SEARCHING, Ordering::AcqRel);
                }
                team.steals.fetch_add(1, Ordering::Relaxed);
                return Some(node);
            }
            census.fetch_sub(presence, Ordering::AcqRel);
            presence = SEARCHING;
            loop {
                let now = census.load(Ordering::Acquire);
                if now == 0 {
                    return None;
                }
                let comes = now >= WORKING
                    && census
                        .compare_exchange(now, now + SEARCHING, Ordering::AcqRel, Ordering::Relaxed)
                        .is_ok();
                if comes {
                    break;
                }
                spin_loop();
            }
        }
    }

    /// Tries to steal once from everybody, from a random one on.
    fn try_all(&mut self) -> Option<u32> {
        if self.victims.is_empty() {
            return None;
        }
        // A linear congruential generator (Knuth).
        self.drawn = (self.drawn ^ self.seat as u64)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let first = (self.drawn >> 33) as usize % self.victims.len();
        let (later, sooner) = self.victims.split_at(first);
        sooner.iter().chain(later).find_map(|victim| match victim.steal() {
            Steal::Taken(node) => Some(node),
            Steal::Empty | Steal::Busy => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_but_the_root_is_the_child_of_one() {
        for nodes in [1, 2, 9, 1000] {
            let tree = Tree::of(nodes);
            let mut parents = vec![0; nodes as usize];
            for child in (0..nodes).flat_map(|node| tree.children(node)) {
                parents[child as usize] += 1;
            }
            assert!(parents[0] == 0 && parents[1..].iter().all(|&parents| parents == 1));
        }
        assert!(Tree::parse("raw:x").unwrap_err().contains("raw:NODES"));
    }

    #[test]
    fn each_queue_hands_out_every_node() {
        let machine = crate::machines::machine("opteron-32").unwrap();
        for (name, _) in QUEUES {
            for workers in [1, 5] {
                let row = measure(&Options::new(machine.clone()), "raw:400", name, workers);
                let row = row.unwrap();
                assert_eq!(row.nodes, 400);
                let exact = !name.starts_with("idempotent") && name != "duplicating";
                assert!(!exact || row.repeats == 0, "{name}: {} repeats", row.repeats);
            }
        }
    }
}

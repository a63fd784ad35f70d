//! What runs. Each program declares what its tasks cost, and knows its answer, its work and its span.

use lyocell::{Deque, Pool, Probe, Worker};
use lyocell_virtual::{Machine, begin_span, extend_span, thread, work};
use std::sync::Arc;
use std::time::Duration;

use crate::calls::Calls;
use crate::dfs::Grid;
use crate::queens::Queens;
use crate::uts::{UtsNode, UtsTree};

/// A program with its parameter.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    /// Fibonacci numbers by their definition: `fib:N`, or `fib:N,CUTOFF`, where numbers up to it are computed without joins; a call takes so
    /// many picoseconds without its join.
    Fib(u32, u32, u64),
    /// A binary tree of so many levels, whose leaves take so many nanoseconds: `tree:LEVELS:NS`.
    Tree(u32, u64),
    /// Trees as those, one after another, so many: `stress:LEVELS:NS:TREES`, or `stress:LEVELSxSTEPSxTREES`.
    Stress(u32, u64, u64),
    /// The same, and before each tree one worker works alone for as long as the others take to fall asleep, each time a bit longer:
    /// `phases:LEVELS:NS:TREES`.
    Phases(u32, u64, u64),
    /// One of those trees, on a pool that has been left alone until all its workers sleep: `burst:LEVELS:NS`.
    Burst(u32, u64),
    /// So many of those trees, each called from outside a millisecond after the one before is over: `bursts:LEVELS:NS:TREES`.
    Bursts(u32, u64, u64),
    /// A loop over so many items, each of which takes so many nanoseconds: `loop:ITEMS:NS`.
    Loop(u64, u64),
    /// Ten to this many leaves, ten children a task: `skynet:LEVELS`; a task takes so many picoseconds.
    Skynet(u32, u64),
    /// In how many ways so many queens stand: `queens:N`; a board takes so many picoseconds.
    Queens(Queens, u64),
    /// So many joins one after another, whose branches take so many nanoseconds, by one worker beside others that sleep:
    /// `stream:JOINS:NS`.
    Stream(u64, u64),
    /// A published tree of UTS: `uts:T1`; a node takes so many picoseconds.
    Uts(UtsTree, u64),
    /// Pseudo-DFS of a cube of nodes, whose bags are halved: `dfs:grid,NODES`; a node takes so many picoseconds.
    Dfs(Grid, u64),
    /// Calls of all kinds, to be checked.
    Calls(Calls),
}

/// No leaf takes longer.
pub(crate) const LONGEST_NS: u64 = 1_000_000_000;
/// No program has more trees.
pub(crate) const MOST_TREES: u64 = 1_000_000;

/// What is known of a program; its work and its span in picoseconds as declared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// What it returns.
    pub answer: u64,
    /// The work of all its tasks.
    pub work: u64,
    /// That of the longest chain.
    pub span: u64,
    /// The branching depth: most forks on one path (F of Acar and others).
    pub depth: u64,
}

impl Program {
    /// Of `NAME:PARAMETER`, with what its tasks take on this machine.
    ///
    /// # Errors
    /// There is no such program, or no such parameter, or the machine does not say what its tasks take.
    pub fn parse(words: &str, machine: &Machine) -> Result<Program, String> {
        let task = |name: &str| machine.task(name).map_err(|error| error.to_string());
        let mut parts = words.split(':');
        let name = parts.next().unwrap_or_default();
        let parameters: Vec<&str> = parts.collect();
        let numbers: Option<Vec<u64>> = parameters.iter().map(|part| part.parse().ok()).collect();
        if let Some(calls) = numbers.as_deref().and_then(|numbers| Calls::parse(name, numbers)) {
            return Ok(Program::Calls(calls));
        }
        match (name, numbers.as_deref(), &*parameters) {
            ("fib", Some(&[n]), _) if n <= 45 => Ok(Program::Fib(n as u32, 1, task("fib")?)),
            ("fib", None, [cut]) => match pair(cut, ',') {
                Some((n, cutoff @ 1..)) if n <= 55 && cutoff <= n => {
                    Ok(Program::Fib(n as u32, cutoff as u32, task("fib")?))
                }
                _ => Err(format!("{words} is not such as fib:41,18")),
            },
            ("dfs", _, [graph]) => match Grid::parse(graph) {
                Some(grid) => Ok(Program::Dfs(grid, task("dfs-grid")?)),
                None => Err(format!("{words} is not such as dfs:grid,4096000, a cube of nodes")),
            },
            // A product of matrices of so many rows is a tree whose leaves are rows.
            ("mm", None, [product]) => match pair(product, 'x') {
                Some((64, trees @ 1..=MOST_TREES)) => {
                    Ok(Program::Stress(6, task("mm-64-row")?.div_ceil(1000), trees))
                }
                _ => Err(format!("{words} is not such as mm:64x16")),
            },
            ("tree", Some(&[levels, ns]), _) if levels <= 24 && ns <= LONGEST_NS => {
                Ok(Program::Tree(levels as u32, ns))
            }
            ("stress" | "phases", Some(&[levels, ns, trees]), _)
                if levels <= 24 && ns <= LONGEST_NS && (1..=MOST_TREES).contains(&trees) =>
            {
                let program = if name == "stress" { Program::Stress } else { Program::Phases };
                Ok(program(levels as u32, ns, trees))
            }
            ("stress", None, [steps]) => Program::of_steps(steps, task("step")?)
                .ok_or_else(|| format!("{words} is not such as stress:3x4096x256")),
            ("burst", Some(&[levels, ns]), _) if levels <= 24 && ns <= LONGEST_NS => {
                Ok(Program::Burst(levels as u32, ns))
            }
            ("bursts", Some(&[levels, ns, trees]), _)
                if levels <= 24 && ns <= LONGEST_NS && (1..=MOST_TREES).contains(&trees) =>
            {
                Ok(Program::Bursts(levels as u32, ns, trees))
            }
            ("loop", Some(&[items, ns]), _) if items <= MOST_TREES && ns <= LONGEST_NS => {
                Ok(Program::Loop(items, ns))
            }
            ("skynet", Some(&[levels]), _) if levels <= 7 => {
                Ok(Program::Skynet(levels as u32, task("skynet")?))
            }
            ("queens", Some(&[rows]), _) => match Queens::new(rows) {
                Some(queens) => Ok(Program::Queens(queens, task("queens")?)),
                None => Err(format!("{words}: there are 1 to 13 queens")),
            },
            ("stream", Some(&[joins, ns]), _)
                if (1..=MOST_TREES).contains(&joins) && ns <= LONGEST_NS =>
            {
                Ok(Program::Stream(joins, ns))
            }
            ("uts", _, [name]) => {
                let tree = UtsTree::named(name)?;
                // A tree so deep that its nodes take longer than others of its kind has a number of its own.
                let node = if machine.task.contains_key(words) { words } else { tree.kind() };
                Ok(Program::Uts(tree, task(node)?))
            }
            _ => Err(format!(
                "there is no program {words}: there are fib:N to 45, fib:N,CUTOFF to 55, dfs:grid,NODES, mm:64xTREES, tree:LEVELS:NS to 24 levels and {LONGEST_NS} ns, \
                 stress:LEVELS:NS:TREES and phases:LEVELS:NS:TREES to {MOST_TREES} trees, burst:LEVELS:NS and bursts:LEVELS:NS:TREES to 24 levels, \
                 loop:ITEMS:NS, skynet:LEVELS to 7, queens:N to 13, stream:JOINS:NS to {MOST_TREES} joins, uts:TREE such as uts:T1"
            )),
        }
    }

    /// Trees as those of the command line's program, whose leaves are so many steps: `LEVELSxSTEPSxTREES`.
    fn of_steps(parameter: &str, step: u64) -> Option<Program> {
        let numbers: Option<Vec<u64>> =
            parameter.split('x').map(|part| part.parse().ok()).collect();
        let &[levels, steps, trees] = &*numbers? else { return None };
        let leaf = steps.checked_mul(step)?.div_ceil(1000);
        let fits = levels <= 24 && leaf <= LONGEST_NS && (1..=MOST_TREES).contains(&trees);
        fits.then_some(Program::Stress(levels as u32, leaf, trees))
    }

    /// Whether it begins when all workers sleep.
    pub(crate) fn is_from_sleep(self) -> bool {
        matches!(self, Program::Burst(..) | Program::Bursts(..) | Program::Stream(..))
    }

    /// Whether its tasks block, so that workers stand in for others.
    pub(crate) fn blocks(self) -> bool {
        matches!(self, Program::Calls(Calls::Blocking(_)))
    }

    /// Runs it; its answer.
    pub(crate) fn run<D: Deque + 'static, P: Probe + 'static>(self, pool: &Arc<Pool<D, P>>) -> u64 {
        match self {
            Program::Calls(calls) => calls.run(pool),
            Program::Bursts(levels, ns, trees) => {
                let burst = |_| {
                    thread::sleep(BETWEEN_BURSTS);
                    pool.run(|worker| root(worker, levels, ns * 1000))
                };
                (0..trees).map(burst).sum()
            }
            _ => pool.run(|worker| self.run_within(worker)),
        }
    }

    fn run_within<D: Deque, P: Probe>(self, worker: &Worker<D, P>) -> u64 {
        match self {
            Program::Fib(n, cutoff, call) => fib(worker, n, (cutoff, call)),
            Program::Dfs(grid, node) => grid.search(worker, node),
            Program::Tree(levels, ns) | Program::Burst(levels, ns) => {
                root(worker, levels, ns * 1000)
            }
            Program::Stream(joins, ns) => {
                let leaf = |_: &Worker<D, P>| {
                    work(ns * 1000);
                    1
                };
                let join = |_| {
                    let (a, b): (u64, u64) = worker.join(leaf, leaf);
                    a + b
                };
                (0..joins).map(join).sum()
            }
            Program::Stress(levels, ns, trees) => {
                (0..trees).map(|_| root(worker, levels, ns * 1000)).sum()
            }
            Program::Phases(levels, ns, trees) => {
                let phase = |tree| {
                    work(alone(tree));
                    root(worker, levels, ns * 1000)
                };
                (0..trees).map(phase).sum()
            }
            Program::Uts(tree, cost) => uts(worker, (tree, cost), &tree.root()),
            Program::Queens(queens, task) => queens.count(worker, task),
            Program::Skynet(levels, task) => skynet(worker, levels, task),
            Program::Loop(items, ns) => {
                let item = |_: usize| {
                    work(ns * 1000);
                    1
                };
                worker.map_reduce(0..items as usize, item, || 0, |a: u64, b| a + b)
            }
            Program::Bursts(..) | Program::Calls(_) => unreachable!("calls come from outside"),
        }
    }

    /// What is known of it: without a walk.
    pub fn known(self) -> Known {
        match self {
            Program::Fib(n, cutoff, call) => serial_fib(n, cutoff, call),
            Program::Dfs(grid, node) => grid.known(node),
            Program::Tree(levels, ns) | Program::Burst(levels, ns) => {
                Program::Stress(levels, ns, 1).known()
            }
            Program::Stream(joins, ns) => Program::Stress(1, ns, joins).known(),
            Program::Stress(levels, ns, trees) => {
                let (leaves, leaf) = (trees << levels, ns * 1000);
                Known {
                    answer: leaves,
                    work: leaves * leaf,
                    span: trees * leaf,
                    depth: trees * u64::from(levels),
                }
            }
            Program::Phases(levels, ns, trees) => {
                let known = Program::Stress(levels, ns, trees).known();
                let alone = (0..trees).map(alone).sum::<u64>();
                Known { work: known.work + alone, span: known.span + alone, ..known }
            }
            Program::Bursts(levels, ns, trees) => {
                let known = Program::Stress(levels, ns, trees).known();
                let between = trees * BETWEEN_BURSTS.as_nanos() as u64 * 1000;
                Known { work: known.work + between, span: known.span + between, ..known }
            }
            Program::Loop(items, ns) => {
                let depth = u64::from(items.max(1).next_power_of_two().ilog2());
                Known { answer: items, work: items * ns * 1000, span: ns * 1000, depth }
            }
            Program::Skynet(levels, task) => {
                let (leaves, depth) = (10_u64.pow(levels), u64::from(levels));
                // 1 + 10 + … + leaves.
                let tasks = (10 * leaves - 1) / 9;
                Known { answer: leaves, work: tasks * task, span: (depth + 1) * task, depth }
            }
            Program::Queens(queens, task) => queens.known(task),
            Program::Uts(tree, cost) => {
                let totals = tree.totals();
                Known {
                    answer: totals.nodes,
                    work: totals.nodes * cost,
                    span: (totals.depth + 1) * cost,
                    depth: totals.depth,
                }
            }
            Program::Calls(calls) => {
                Known { answer: calls.answer(), work: calls.work(), span: 0, depth: 0 }
            }
        }
    }
}

/// Two numbers with a sign between them.
fn pair(words: &str, sign: char) -> Option<(u64, u64)> {
    let (one, other) = words.split_once(sign)?;
    Some((one.parse().ok()?, other.parse().ok()?))
}

fn fib<D: Deque, P: Probe>(w: &Worker<D, P>, n: u32, (cutoff, call): (u32, u64)) -> u64 {
    if n <= cutoff {
        let Known { answer, work: time, .. } = serial_fib(n, 1, call);
        work(time);
        return answer;
    }
    work(call);
    let below = |w: &Worker<D, P>, n| fib(w, n, (cutoff, call));
    let (a, b) = w.join(move |w| below(w, n - 1), move |w| below(w, n - 2));
    a + b
}

fn serial_fib(n: u32, cutoff: u32, call: u64) -> Known {
    let (mut numbers, mut calls) = ((0_u64, 1_u64), (1_u64, 1_u64));
    let mut at_cutoff = 1;
    for number in 1..=n {
        numbers = (numbers.1, numbers.0 + numbers.1);
        calls = (calls.1, calls.0 + calls.1 + 1);
        if number == cutoff.min(n) {
            at_cutoff = calls.0;
        }
    }
    let above = u64::from(n.saturating_sub(cutoff));
    Known {
        answer: numbers.0,
        work: calls.0 * call,
        span: (above + at_cutoff) * call,
        depth: above,
    }
}

/// How long one worker works alone before a tree of phases, in picoseconds: around 100 microseconds, after which workers sleep.
fn alone(tree: u64) -> u64 {
    (60 + 4 * (tree % 24)) * 1_000_000
}

/// How long nobody calls before a burst: in the middle of that all workers fall asleep.
const BETWEEN_BURSTS: Duration = Duration::from_millis(1);

/// A tree on its own. While the span is not over that it is, somebody has a task to give away, but for moments.
fn root<D: Deque, P: Probe>(w: &Worker<D, P>, levels: u32, leaf: u64) -> u64 {
    begin_span();
    tree(w, levels, leaf)
}

fn tree<D: Deque, P: Probe>(w: &Worker<D, P>, levels: u32, leaf: u64) -> u64 {
    if levels == 0 {
        extend_span();
        work(leaf);
        return 1;
    }
    let (a, b) = w.join(move |w| tree(w, levels - 1, leaf), move |w| tree(w, levels - 1, leaf));
    a + b
}

fn skynet<D: Deque, P: Probe>(w: &Worker<D, P>, levels: u32, task: u64) -> u64 {
    work(task);
    if levels == 0 {
        return 1;
    }
    w.join_range(0..10, 0, |w, _| skynet(w, levels - 1, task), |a, b| a + b)
}

fn uts<D: Deque, P: Probe>(w: &Worker<D, P>, (tree, cost): (UtsTree, u64), node: &UtsNode) -> u64 {
    work(cost);
    let children = node.children();
    if children == 0 {
        return 1;
    }
    let below = |w: &Worker<D, P>, index: usize| uts(w, (tree, cost), &node.child(tree, index));
    1 + w.join_range(0..children, 0, below, |a, b| a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Program, String> {
        Program::parse(words, &crate::machines::machine("opteron-48").unwrap())
    }

    #[test]
    fn answers_are_the_published_ones() {
        let fib = Program::Fib(30, 1, 1).known();
        assert_eq!((fib.answer, fib.work, fib.depth), (832_040, 2_692_537, 29));
        let cut = Program::Fib(41, 18, 1).known();
        assert_eq!((cut.answer, cut.work, cut.depth), (165_580_141, 535_828_591, 23));
        assert_eq!(cut.span, 23 + 8361);
        let Ok(Program::Uts(tree, _)) = parse("uts:T1") else { panic!("there is T1") };
        let known = Program::Uts(tree, 1).known();
        assert_eq!((known.answer, known.span, known.depth), (4_130_071, 11, 10));
        assert!(matches!(parse("stress:3x4096x256"), Ok(Program::Stress(3, 4301, 256))));
        assert_eq!(Program::Tree(3, 2).known().work, 16_000);
        let stress = Program::Stress(3, 2, 5).known();
        assert_eq!((stress.answer, stress.span, stress.depth), (40, 10_000, 15));
        let phases = Program::Phases(3, 2, 5).known();
        assert_eq!((phases.answer, phases.span, phases.work), (40, 340_010_000, 340_080_000));
        let skynet = Program::Skynet(3, 2).known();
        assert_eq!((skynet.answer, skynet.work, skynet.span), (1_000, 2_222, 8));
        let bursts = Program::Bursts(3, 2, 5).known();
        assert_eq!((bursts.answer, bursts.span), (40, 5_000_010_000));
        let a_loop = Program::Loop(100, 2).known();
        assert_eq!((a_loop.answer, a_loop.work, a_loop.depth), (100, 200_000, 7));
        let stream = Program::Stream(7, 3).known();
        assert_eq!((stream.answer, stream.work, stream.span), (14, 42_000, 21_000));
    }

    #[test]
    fn words_that_are_no_program_are_refused() {
        for words in [
            "fob:3",
            "fib",
            "fib:x",
            "queens:14",
            "skynet:8",
            "loop:3",
            "bursts:3:3:0",
            "fib:99",
            "tree:3",
            "stress:3:3:0",
            "stress:3x4",
            "uts:T1:2",
        ] {
            assert!(parse(words).unwrap_err().contains(words));
        }
        assert!(parse("uts:T9").unwrap_err().contains("T3L"));
        assert!(matches!(parse("tree:4:1000"), Ok(Program::Tree(4, 1000))));
    }

    #[test]
    fn a_machine_that_does_not_say_what_tasks_take_is_told() {
        let mut machine = crate::machines::machine("opteron-48").unwrap();
        machine.task.remove("fib");
        let told = Program::parse("fib:3", &machine).unwrap_err();
        assert!(told.contains("[task]") && told.contains("`fib`"), "{told}");
    }

    #[test]
    fn a_tree_may_have_a_number_of_its_own() {
        let machine = crate::machines::machine("intel-xeon-2").unwrap();
        let node_ps = |tree| match Program::parse(tree, &machine).unwrap() {
            Program::Uts(_, node_ps) => node_ps,
            other => panic!("{other:?}"),
        };
        assert!(node_ps("uts:T3L") > node_ps("uts:T3"));
    }
}

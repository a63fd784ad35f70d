//! What runs. Each program declares what its tasks cost, and knows its answer, its work and its span.

use lyocell::{Deque, Probe, Worker};
use lyocell_virtual::work;
use sha1::{Digest, Sha1};

/// A program with its parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Program {
    /// Fibonacci numbers by their definition: `fib:N`.
    Fib(u32),
    /// A binary tree of so many levels, whose leaves take so many nanoseconds: `tree:LEVELS:NS`.
    Tree(u32, u64),
    /// UTS's geometric tree of fixed shape, of this depth, seed 19: `uts:DEPTH`; `uts:10` is T1.
    Uts(u32),
}

/// What a call of `fib` costs without its join, in picoseconds. Recalled from README's table of joins.
const FIB_CALL: u64 = 1_550;
/// What a node of UTS costs: a SHA-1 digest, in picoseconds. Recalled.
const UTS_NODE: u64 = 120_000;

/// The work and the span of a program, in picoseconds as declared, and the tasks it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The work of all its tasks.
    pub work: u64,
    /// That of the longest chain.
    pub span: u64,
    /// Calls.
    pub tasks: u64,
}

impl Program {
    /// Of `NAME:PARAMETER`.
    ///
    /// # Errors
    /// There is no such program, or no such parameter.
    pub fn parse(words: &str) -> Result<Program, String> {
        let mut parts = words.split(':');
        let name = parts.next().unwrap_or_default();
        let numbers: Option<Vec<u64>> = parts.map(|part| part.parse().ok()).collect();
        match (name, numbers.as_deref()) {
            ("fib", Some(&[n])) if n <= 45 => Ok(Program::Fib(n as u32)),
            ("tree", Some(&[levels, ns])) if levels <= 24 && ns <= 1_000_000_000 => {
                Ok(Program::Tree(levels as u32, ns))
            }
            ("uts", Some(&[depth])) if depth <= 13 => Ok(Program::Uts(depth as u32)),
            _ => Err(format!(
                "there is no program {words}: there are fib:N to 45, tree:LEVELS:NS to 24 levels, uts:DEPTH to 13"
            )),
        }
    }

    /// Runs it, and checks its answer.
    pub(crate) fn run<D: Deque, P: Probe>(self, worker: &Worker<D, P>) -> u64 {
        match self {
            Program::Fib(n) => fib(worker, n),
            Program::Tree(levels, ns) => tree(worker, levels, ns * 1000),
            Program::Uts(depth) => uts(worker, depth, root(), 0),
        }
    }

    /// Its answer and what is known of it, by a serial walk.
    pub fn known(self) -> (u64, Known) {
        match self {
            Program::Fib(n) => serial_fib(n),
            Program::Tree(levels, ns) => {
                let (leaves, leaf) = (1 << levels, ns * 1000);
                (leaves, Known { work: leaves * leaf, span: leaf, tasks: 2 * leaves - 1 })
            }
            Program::Uts(depth) => {
                let (nodes, height) = serial_uts(depth, root(), 0);
                (
                    nodes,
                    Known { work: nodes * UTS_NODE, span: (height + 1) * UTS_NODE, tasks: nodes },
                )
            }
        }
    }
}

fn fib<D: Deque, P: Probe>(w: &Worker<D, P>, n: u32) -> u64 {
    work(FIB_CALL);
    if n < 2 {
        return u64::from(n);
    }
    let (a, b) = w.join(move |w| fib(w, n - 1), move |w| fib(w, n - 2));
    a + b
}

fn serial_fib(n: u32) -> (u64, Known) {
    let (mut numbers, mut calls) = ((0_u64, 1_u64), (1_u64, 1_u64));
    for _ in 0..n {
        numbers = (numbers.1, numbers.0 + numbers.1);
        calls = (calls.1, calls.0 + calls.1 + 1);
    }
    let longest = u64::from(n.max(1));
    (numbers.0, Known { work: calls.0 * FIB_CALL, span: longest * FIB_CALL, tasks: calls.0 })
}

fn tree<D: Deque, P: Probe>(w: &Worker<D, P>, levels: u32, leaf: u64) -> u64 {
    if levels == 0 {
        work(leaf);
        return 1;
    }
    let (a, b) = w.join(move |w| tree(w, levels - 1, leaf), move |w| tree(w, levels - 1, leaf));
    a + b
}

type State = [u8; 20];

/// UTS's root: the digest of 16 zero bytes and the seed.
fn root() -> State {
    let mut message = [0; 20];
    message[16..].copy_from_slice(&19_u32.to_be_bytes());
    Sha1::digest(message).into()
}

fn child(parent: &State, index: u32) -> State {
    let mut message = [0; 24];
    message[..20].copy_from_slice(parent);
    message[20..].copy_from_slice(&index.to_be_bytes());
    Sha1::digest(message).into()
}

/// Geometrically distributed about four down to the depth, none below.
fn children(depth: u32, state: &State, height: u32) -> u32 {
    if height >= depth {
        return 0;
    }
    let random = u32::from_be_bytes([state[16], state[17], state[18], state[19]]) & 0x7fff_ffff;
    let uniform = f64::from(random) / f64::from(1_u32 << 31);
    (((1.0 - uniform).ln() / 0.8_f64.ln()) as u32).min(100)
}

fn uts<D: Deque, P: Probe>(w: &Worker<D, P>, depth: u32, state: State, height: u32) -> u64 {
    work(UTS_NODE);
    let children = children(depth, &state, height) as usize;
    if children == 0 {
        return 1;
    }
    let below =
        |w: &Worker<D, P>, index: usize| uts(w, depth, child(&state, index as u32), height + 1);
    1 + w.join_range(0..children, 0, below, |a, b| a + b)
}

fn serial_uts(depth: u32, state: State, height: u32) -> (u64, u64) {
    (0..children(depth, &state, height)).fold((1, 0), |(nodes, deepest), index| {
        let (below, height) = serial_uts(depth, child(&state, index), height + 1);
        (nodes + below, deepest.max(height + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_the_published_ones() {
        assert_eq!(Program::Fib(30).known().0, 832_040);
        assert_eq!(Program::Fib(30).known().1.tasks, 2_692_537);
        let (nodes, known) = Program::Uts(10).known();
        assert_eq!((nodes, known.span / UTS_NODE), (4_130_071, 11));
        assert_eq!(Program::Tree(3, 2).known().1.work, 16_000);
    }

    #[test]
    fn words_that_are_no_program_are_refused() {
        for words in ["fob:3", "fib", "fib:x", "fib:99", "tree:3", "uts:1:2"] {
            assert!(Program::parse(words).unwrap_err().contains(words));
        }
        assert_eq!(Program::parse("tree:4:1000"), Ok(Program::Tree(4, 1000)));
    }
}

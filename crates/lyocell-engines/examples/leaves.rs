//! What it costs to join where a branch has nothing to do.
//!
//! `cargo run --release -p lyocell-engines --example leaves`. One worker, trees and boards with known answers; the median of
//! nanoseconds for each node or board, the plain recursion's time taken off.

use lyocell::{Pool, Worker};
use std::hint::black_box;
use std::time::Instant;

const REPETITIONS: usize = 15;
const DEPTH: u32 = 20;
const QUEENS: usize = 12;
const SOLUTIONS: u64 = 14_200;

struct Node {
    value: u64,
    children: [Option<Box<Node>>; 2],
}

fn tree(depth: u32) -> Option<Box<Node>> {
    (depth > 0).then(|| Box::new(Node { value: 1, children: [tree(depth - 1), tree(depth - 1)] }))
}

fn sum(node: &Option<Box<Node>>) -> u64 {
    node.as_ref().map_or(0, |node| node.value + sum(&node.children[0]) + sum(&node.children[1]))
}

/// Joins at each node, also above two empty places.
fn sum_blindly(w: &Worker, node: &Option<Box<Node>>) -> u64 {
    let Some(node) = node else { return 0 };
    let [left, right] = &node.children;
    let (a, b) = w.join(move |w| sum_blindly(w, left), move |w| sum_blindly(w, right));
    node.value + a + b
}

/// Looks for the leaf before the join.
fn sum_looking(w: &Worker, node: &Node) -> u64 {
    let below = match &node.children {
        [Some(left), Some(right)] => {
            let (a, b) = w.join(move |w| sum_looking(w, left), move |w| sum_looking(w, right));
            a + b
        }
        [Some(only), None] | [None, Some(only)] => sum_looking(w, only),
        [None, None] => 0,
    };
    node.value + below
}

/// The columns and diagonals that queens of the rows before attack.
#[derive(Clone, Copy, Default)]
struct Attacked(u32, u32, u32);

impl Attacked {
    fn frees(self, column: usize) -> bool {
        (self.0 | self.1 | self.2) & 1 << column == 0
    }

    fn with(self, column: usize) -> Attacked {
        let queen = 1 << column;
        Attacked(self.0 | queen, (self.1 | queen) << 1, (self.2 | queen) >> 1)
    }
}

fn queens(attacked: Attacked, rows: usize) -> u64 {
    if rows == 0 {
        return 1;
    }
    let free = (0..QUEENS).filter(|column| attacked.frees(*column));
    free.map(|column| queens(attacked.with(column), rows - 1)).sum()
}

/// An index for each column, free or not.
fn queens_blindly(w: &Worker, attacked: Attacked, rows: usize) -> u64 {
    if rows == 0 {
        return 1;
    }
    let place = |w: &Worker, column| match attacked.frees(column) {
        true => queens_blindly(w, attacked.with(column), rows - 1),
        false => 0,
    };
    w.join_range(0..QUEENS, 0, place, |a, b| a + b)
}

/// An index for each column that is free, and a call where there is one.
fn queens_looking(w: &Worker, attacked: Attacked, rows: usize) -> u64 {
    if rows == 0 {
        return 1;
    }
    let (mut free, mut count) = ([0; QUEENS], 0);
    for column in (0..QUEENS).filter(|column| attacked.frees(*column)) {
        free[count] = column;
        count += 1;
    }
    let place = |w: &Worker, at: usize| queens_looking(w, attacked.with(free[at]), rows - 1);
    match count {
        0 => 0,
        1 => place(w, 0),
        _ => w.join_range(0..count, 0, place, |a, b| a + b),
    }
}

/// So many boards are looked at.
fn boards(attacked: Attacked, rows: usize) -> u64 {
    if rows == 0 {
        return 1;
    }
    let free = (0..QUEENS).filter(|column| attacked.frees(*column));
    1 + free.map(|column| boards(attacked.with(column), rows - 1)).sum::<u64>()
}

/// The median of seconds.
fn time(answer: u64, run: impl Fn() -> u64) -> f64 {
    let mut times: Vec<f64> = (0..REPETITIONS)
        .map(|_| {
            let begin = Instant::now();
            assert_eq!(black_box(run()), answer);
            begin.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[REPETITIONS / 2]
}

fn main() {
    let pool = Pool::with_workers(1).unwrap();
    let root = tree(DEPTH);
    let nodes = (1 << DEPTH) - 1;
    let serial = time(nodes, || sum(&root));
    let blindly = time(nodes, || pool.run(|w| sum_blindly(w, &root)));
    let looking = time(nodes, || pool.run(|w| sum_looking(w, root.as_ref().unwrap())));
    println!(
        "| | serial, ms | joins everywhere | ns each more | looks before | ns each more |\n|---|---|---|---|---|---|"
    );
    let row = |what: &str, serial: f64, blindly: f64, looking: f64, each: u64| {
        let more = |time: f64| (time - serial) / each as f64 * 1e9;
        let [a, b, c] = [serial, blindly, looking].map(|time| time * 1e3);
        println!(
            "| {what} | {a:.2} | {b:.2} | {:.1} | {c:.2} | {:.1} |",
            more(blindly),
            more(looking)
        );
    };
    row(&format!("the sum of a tree of {nodes} nodes"), serial, blindly, looking, nodes);
    let none = Attacked::default();
    let serial = time(SOLUTIONS, || queens(none, QUEENS));
    let blindly = time(SOLUTIONS, || pool.run(|w| queens_blindly(w, none, QUEENS)));
    let looking = time(SOLUTIONS, || pool.run(|w| queens_looking(w, none, QUEENS)));
    row(&format!("{QUEENS} queens, each board"), serial, blindly, looking, boards(none, QUEENS));
}

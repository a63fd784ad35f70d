//! Divide and conquer.

use crate::{Program, chain, numbers, timed};
use rayon::join;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("fib-with-cutoff", || timed(&832_040, || fib(30, 16))),
    ("fib-without-cutoff", || timed(&75_025, || fib(25, 2))),
    ("unbalanced-tree", unbalanced),
    ("left-spine", || timed(&10_000, || rayon::scope(|_| spine(10_000)))),
    ("knapsack", knapsack),
    ("max-by-join", maximum),
    ("polynomial-product", polynomials),
    ("linked-tree-sum", linked_tree),
    ("path-count-memoised", paths),
    ("strings-by-join", strings),
];

fn fib(n: u64, cutoff: u64) -> u64 {
    if n < cutoff {
        return (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    }
    let (a, b) = join(|| fib(n - 1, cutoff), || fib(n - 2, cutoff));
    a + b
}

fn unbalanced() -> Result<Duration, String> {
    fn nodes(seed: u64, depth: u32) -> u64 {
        let children = if depth > 30 { 0 } else { (seed >> 60) % 4 };
        match children {
            0 => 1,
            1 => 1 + nodes(next(seed), depth + 1),
            _ => {
                let (left, right) = (next(seed), next(!seed));
                let (a, b) = join(|| nodes(left, depth + 1), || nodes(right, depth + 1));
                a + b + 1
            }
        }
    }
    fn serial(seed: u64, depth: u32) -> u64 {
        let children = if depth > 30 { 0 } else { (seed >> 60) % 4 };
        match children {
            0 => 1,
            1 => 1 + serial(next(seed), depth + 1),
            _ => 1 + serial(next(seed), depth + 1) + serial(next(!seed), depth + 1),
        }
    }
    fn next(seed: u64) -> u64 {
        let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
    let seeds: Vec<u64> = numbers(100);
    let expected: u64 = seeds.iter().map(|seed| serial(*seed, 0)).sum();
    timed(&expected, || rayon::scope(|_| seeds.iter().map(|seed| nodes(*seed, 0)).sum()))
}

/// Each first closure joins again: all joins are open at once.
fn spine(depth: u64) -> u64 {
    if depth == 0 {
        return 0;
    }
    let (a, b) = join(|| spine(depth - 1), || 1);
    a + b
}

fn knapsack() -> Result<Duration, String> {
    fn best(items: &[(u64, u64)], room: u64) -> u64 {
        match items {
            [] => 0,
            [(weight, _), rest @ ..] if *weight > room => best(rest, room),
            [(weight, value), rest @ ..] => {
                let (with, without) =
                    join(|| value + best(rest, room - weight), || best(rest, room));
                with.max(without)
            }
        }
    }
    let items: Vec<(u64, u64)> =
        numbers(17).iter().map(|x| (x % 20 + 5, (x >> 32) % 100)).collect();
    let mut table = vec![0_u64; 141];
    for (weight, value) in &items {
        for room in (*weight as usize..=140).rev() {
            table[room] = table[room].max(table[room - *weight as usize] + value);
        }
    }
    timed(&table[140], || rayon::scope(|_| best(&items, 140)))
}

fn maximum() -> Result<Duration, String> {
    fn largest(values: &[u64]) -> u64 {
        if values.len() <= 32 {
            return values.iter().copied().max().unwrap_or(0);
        }
        let (low, high) = values.split_at(values.len() / 2);
        let (a, b) = join(|| largest(low), || largest(high));
        a.max(b)
    }
    let values = numbers(500_000);
    timed(&values.iter().copied().max().unwrap_or(0), || largest(&values))
}

/// Karatsuba's way.
fn polynomials() -> Result<Duration, String> {
    fn naive(a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut product = vec![0_u64; a.len() * 2];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] = product[i + j].wrapping_add(x.wrapping_mul(*y));
            }
        }
        product
    }
    fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
        if a.len() <= 32 {
            return naive(a, b);
        }
        let half = a.len() / 2;
        let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
        let sum = |x: &[u64], y: &[u64]| -> Vec<u64> {
            x.iter().zip(y).map(|(x, y)| x.wrapping_add(*y)).collect()
        };
        let (low, (high, mixed)) = join(
            || product(a0, b0),
            || join(|| product(a1, b1), || product(&sum(a0, a1), &sum(b0, b1))),
        );
        let mut whole = vec![0_u64; a.len() * 2];
        for i in 0..a.len() {
            let middle = mixed[i].wrapping_sub(low[i]).wrapping_sub(high[i]);
            whole[i] = whole[i].wrapping_add(low[i]);
            whole[i + half] = whole[i + half].wrapping_add(middle);
            whole[i + 2 * half] = whole[i + 2 * half].wrapping_add(high[i]);
        }
        whole
    }
    let (a, b) = (numbers(1_024), numbers(1_024));
    let expected = naive(&a, &b);
    timed(&expected, || rayon::scope(|_| product(&a, &b)))
}

fn linked_tree() -> Result<Duration, String> {
    struct Node {
        value: u64,
        children: Option<Box<(Node, Node)>>,
    }
    fn grow(depth: u64) -> Node {
        let children = (depth > 0).then(|| Box::new((grow(depth - 1), grow(depth - 1))));
        Node { value: depth, children }
    }
    fn sum(node: &Node) -> u64 {
        let Some(children) = &node.children else { return node.value };
        let (a, b) = join(|| sum(&children.0), || sum(&children.1));
        a + b + node.value
    }
    let tree = grow(16);
    let expected = (0..=16_u64).map(|depth| depth << (16 - depth)).sum();
    timed(&expected, || sum(&tree))
}

fn paths() -> Result<Duration, String> {
    use std::collections::HashMap;
    use std::sync::Mutex;
    fn count(known: &Mutex<HashMap<(u64, u64), u64>>, x: u64, y: u64) -> u64 {
        if x == 0 || y == 0 {
            return 1;
        }
        if let Some(paths) = known.lock().unwrap().get(&(x, y)) {
            return *paths;
        }
        let (a, b) = join(|| count(known, x - 1, y), || count(known, x, y - 1));
        known.lock().unwrap().insert((x, y), a.wrapping_add(b));
        a.wrapping_add(b)
    }
    timed(&2_704_156, || count(&Mutex::new(HashMap::new()), 12, 12))
}

fn strings() -> Result<Duration, String> {
    fn text(begin: u64, end: u64) -> String {
        if end - begin <= 16 {
            return (begin..end).map(|i| (chain(20 + i % 3) % 10 + i).to_string()).collect();
        }
        let middle = begin + (end - begin) / 2;
        let (mut a, b) = join(|| text(begin, middle), || text(middle, end));
        a.push_str(&b);
        a
    }
    let expected: String = (0..20_000).map(|i| (chain(20 + i % 3) % 10 + i).to_string()).collect();
    timed(&expected, || text(0, 20_000))
}

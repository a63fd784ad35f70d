//! Coalesced tasks: every item is worked on once, by whoever is free, and the call ends after the last.

mod common;
#[cfg(not(miri))]
#[path = "common/process.rs"]
mod process;

use common::{Drops, many, panic_of, pool};
use lyocell::{
    Abp, Bag, ChaseLev, Deque, Direct, DirectLocked, Pool, Receiver, Sender, Split, Worker,
};
#[cfg(not(miri))]
use process::isolated;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const WORKERS: &[usize] = if cfg!(miri) { &[1, 2, 3] } else { &[1, 2, 3, 8, 64] };

const AT_A_TIME: &[usize] = if cfg!(miri) { &[0, 3] } else { &[0, 1, 64, usize::MAX] };

/// The successors of each node.
type Graph = Vec<Vec<usize>>;

/// A pseudo-random number below `bound`, from a counter.
fn scatter(counter: usize, bound: usize) -> usize {
    let mixed = (counter as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33) as usize % bound
}

/// Nodes on a cubic lattice, linked to their neighbours.
fn grid(side: usize) -> Graph {
    let at = |x: usize, y: usize, z: usize| (x * side + y) * side + z;
    let mut graph = vec![Vec::new(); side * side * side];
    for x in 0..side {
        for y in 0..side {
            for z in 0..side {
                let near = [(x + 1, y, z), (x, y + 1, z), (x, y, z + 1)];
                for (x2, y2, z2) in near.into_iter().filter(|(x, y, z)| *x.max(y).max(z) < side) {
                    graph[at(x, y, z)].push(at(x2, y2, z2));
                    graph[at(x2, y2, z2)].push(at(x, y, z));
                }
            }
        }
    }
    graph
}

/// Links at random; with one a node, a good part of the graph is out of reach.
fn random(nodes: usize, links: usize) -> Graph {
    let link = |node, link| scatter(node * links + link, nodes);
    (0..nodes).map(|node| (0..links).map(|i| link(node, i)).collect()).collect()
}

/// One long way: nothing to do at the same time.
fn path(nodes: usize) -> Graph {
    (0..nodes).map(|node| (node + 1..nodes).take(1).collect()).collect()
}

/// The case of the paper in which a bag never holds more than a few items.
fn tree(nodes: usize) -> Graph {
    (0..nodes).map(|node| (2 * node + 1..nodes).take(2).collect()).collect()
}

/// One node that leads to all others.
fn star(nodes: usize) -> Graph {
    (0..nodes).map(|node| if node == 0 { (1..nodes).collect() } else { vec![0] }).collect()
}

fn reached_in_serial(graph: &Graph) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    reached[0] = true;
    let mut stack = vec![0];
    while let Some(node) = stack.pop() {
        for &next in &graph[node] {
            if !std::mem::replace(&mut reached[next], true) {
                stack.push(next);
            }
        }
    }
    reached
}

fn reached_in_parallel<D: Deque>(w: &Worker<D>, graph: &Graph, at_a_time: usize) -> Vec<bool> {
    let reached: Vec<AtomicBool> = graph.iter().map(|_| AtomicBool::new(false)).collect();
    reached[0].store(true, Ordering::Relaxed);
    w.coalesce([0], at_a_time, |_, node: usize, bag| {
        let is_new = |next: &usize| !reached[*next].swap(true, Ordering::Relaxed);
        bag.extend(graph[node].iter().copied().filter(is_new));
    });
    reached.into_iter().map(AtomicBool::into_inner).collect()
}

fn searches_reach_what_serial_ones_do<D: Deque>() {
    let nodes = many(20_000, 30);
    let graphs = [
        grid(many(27, 3)),
        random(nodes, 1),
        random(nodes, 3),
        path(nodes),
        tree(nodes),
        star(nodes),
    ];
    let expected = graphs.each_ref().map(reached_in_serial);
    assert!(expected[1].contains(&false) && !expected[0].contains(&false));
    for &workers in WORKERS {
        let pool = Pool::builder().deque::<D>().workers(workers).build().unwrap();
        for (graph, expected) in graphs.iter().zip(&expected) {
            for &at_a_time in AT_A_TIME {
                let reached = pool.run(|w| reached_in_parallel(w, graph, at_a_time));
                assert!(reached == *expected, "{workers} workers, {at_a_time} at a time");
            }
        }
    }
}

#[test]
fn searches_over_the_split_deque_reach_what_serial_ones_do() {
    searches_reach_what_serial_ones_do::<Split>();
}

#[test]
fn searches_over_the_concurrent_deques_reach_what_serial_ones_do() {
    searches_reach_what_serial_ones_do::<ChaseLev>();
    searches_reach_what_serial_ones_do::<Abp>();
}

#[test]
fn searches_over_the_private_deques_reach_what_serial_ones_do() {
    searches_reach_what_serial_ones_do::<Receiver>();
    searches_reach_what_serial_ones_do::<Sender>();
}

#[test]
fn searches_over_the_direct_task_stack_reach_what_serial_ones_do() {
    searches_reach_what_serial_ones_do::<Direct>();
    searches_reach_what_serial_ones_do::<DirectLocked>();
}

#[test]
fn every_item_is_worked_on_once() {
    let nodes = many(30_000, 100);
    for &workers in WORKERS {
        let pool = pool(workers);
        let runs: Vec<AtomicUsize> = (0..nodes).map(|_| AtomicUsize::new(0)).collect();
        // From several items, and by joins within.
        pool.run(|w| {
            w.coalesce(0..3, 16, |w, node: usize, bag| {
                let (children, _) = w.join(
                    |_| (3 * node + 3..nodes).take(3),
                    |_| runs[node].fetch_add(1, Ordering::Relaxed),
                );
                bag.extend(children);
            });
        });
        for (node, runs) in runs.iter().enumerate() {
            assert_eq!(runs.load(Ordering::Relaxed), 1, "runs of item {node}, {workers} workers");
        }
    }
}

#[test]
fn nothing_to_do_is_done_at_once() {
    pool(2).run(|w| w.coalesce([], 1, |_, (): (), _| panic!("there is no item")));
}

/// Miri starts no processes.
#[cfg(miri)]
fn isolated(body: impl FnOnce()) {
    body();
}

/// Items beget items until every worker has met one. There are more than workers, so while one has none,
/// another can give some away.
#[test]
fn every_worker_gets_a_part() {
    isolated(|| {
        for workers in [2, 3, 8] {
            let met = Mutex::new(HashSet::new());
            pool(workers).run(|w| {
                w.coalesce(vec![(); 2 * workers], 4, |w, (), bag| {
                    let mut met = met.lock().unwrap();
                    met.insert(w.index());
                    let all = met.len() == workers;
                    drop(met);
                    if !all {
                        thread::yield_now();
                        bag.add(());
                    }
                });
            });
            assert_eq!(met.into_inner().unwrap().len(), workers);
        }
    });
}

/// A caller that sleeps, because its own part is over long before the other, wakes up.
#[test]
fn a_caller_without_items_waits_for_the_others() {
    let pool = Pool::builder().workers(2).search_time(Duration::ZERO).build().unwrap();
    for _ in 0..many(50, 3) {
        let (others, last) = (&AtomicBool::new(false), &AtomicUsize::new(0));
        pool.run(|w| {
            let caller = w.index();
            w.coalesce([0, 0], 1, |w, depth: usize, bag| {
                if w.index() != caller {
                    others.store(true, Ordering::Relaxed);
                    if depth < 20 {
                        thread::sleep(Duration::from_micros(100));
                        bag.add(depth + 1);
                    } else {
                        last.fetch_add(1, Ordering::Relaxed);
                    }
                } else if !others.load(Ordering::Relaxed) {
                    thread::yield_now();
                    bag.add(0);
                }
            });
        });
        assert!(last.load(Ordering::Relaxed) > 0);
    }
}

#[test]
fn a_panic_comes_out_and_every_item_is_dropped_once() {
    for workers in [1, 2, 8] {
        for &at_a_time in AT_A_TIME {
            let (drops, made) = (Drops::default(), AtomicUsize::new(1));
            let first = (drops.ticket(), 0);
            let text = panic_of(|| {
                pool(workers).run(|w| {
                    w.coalesce([first], at_a_time, |_, (_ticket, number), bag: &mut Bag<_>| {
                        assert!(number < 500, "too deep");
                        let more = made.fetch_add(2, Ordering::Relaxed);
                        bag.extend([1, 2].map(|_| (drops.ticket(), number + 1)));
                        assert!(more < usize::MAX / 2);
                    });
                });
            });
            assert_eq!(text, "too deep");
            assert_eq!(drops.count(), made.load(Ordering::Relaxed));
        }
    }
}

#[test]
fn calls_nest() {
    let sum = AtomicUsize::new(0);
    pool(3).run(|w| {
        w.coalesce(0..20, 1, |w, outer: usize, _| {
            w.coalesce(0..20, 1, |_, inner: usize, _| {
                sum.fetch_add(outer * inner, Ordering::Relaxed);
            });
        });
    });
    assert_eq!(sum.into_inner(), 190 * 190);
}

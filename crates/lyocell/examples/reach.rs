//! Which nodes of a graph can be reached from one: the pseudo-DFS of Acar, Charguéraud and Rainey 2013, with
//! coalesced tasks. Tells how long it takes with different numbers of nodes between two looks for thieves.

use lyocell::Pool;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const NODES: usize = 1_000_000;
const LINKS: usize = 4;
const AT_A_TIME: [usize; 4] = [1, 16, 256, 4096];
const ROUNDS: usize = 5;

/// The successors of each node.
type Graph = Vec<[usize; LINKS]>;

/// A node for each link of each node, at random; the last quarter of the nodes leads back to itself only, and
/// is not linked to by the others.
fn random_graph() -> Graph {
    let reachable = NODES / 4 * 3;
    let mut seed = 1_u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % reachable
    };
    let mut links =
        |node| if node < reachable { [(); LINKS].map(|()| draw()) } else { [node; LINKS] };
    (0..NODES).map(&mut links).collect()
}

fn reached_in_serial(graph: &Graph) -> usize {
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
    reached.into_iter().filter(|reached| *reached).count()
}

fn reached(pool: &Pool, graph: &Graph, at_a_time: usize) -> usize {
    let reached: Vec<AtomicBool> = graph.iter().map(|_| AtomicBool::new(false)).collect();
    let visit = |node: usize| {
        let reached = &reached[node];
        !reached.load(Ordering::Relaxed) && !reached.swap(true, Ordering::Relaxed)
    };
    visit(0);
    pool.run(|w| {
        w.coalesce([0], at_a_time, |_, node: usize, bag| {
            bag.extend(graph[node].into_iter().filter(|next| visit(*next)));
        });
    });
    reached.into_iter().filter(|reached| reached.load(Ordering::Relaxed)).count()
}

/// The shortest of some rounds, whose answers must all be right.
fn time(expected: usize, search: impl Fn() -> usize) -> Duration {
    let round = || {
        let begin = Instant::now();
        assert_eq!(search(), expected);
        begin.elapsed()
    };
    (0..ROUNDS).map(|_| round()).min().expect("there are rounds")
}

fn main() -> Result<(), lyocell::BuildError> {
    let graph = random_graph();
    let expected = reached_in_serial(&graph);
    println!("{expected} of {NODES} nodes");
    println!("in serial                    {:>9.1?}", time(expected, || reached_in_serial(&graph)));
    for workers in [1, 2] {
        let pool = Pool::builder().workers(workers).build()?;
        for at_a_time in AT_A_TIME {
            let took = time(expected, || reached(&pool, &graph, at_a_time));
            println!("{workers} workers, {at_a_time:>5} at a time {took:>9.1?}");
        }
    }
    Ok(())
}

//! The three graphs of the suite that the paper runs its graph programs on.

use std::fmt;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::{hash, hash_double, hash_int};
use crate::workload::UnknownParameter;

/// Edges for each node of the graphs at random, as in the paper.
const EDGES_A_NODE: u32 = 5;

/// Of the local graph: separators of n nodes have about n to the power of 4/5.
const DIMENSION: u32 = 5;

/// A pair of nodes.
pub(crate) type Edge = (u32, u32);

/// Which graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A cube of nodes, each with six neighbours; the last in a row is next to the first: the paper's `grid`.
    Grid,
    /// Nodes are linked at random, seldom to those with a very different number: `rlg`.
    Local,
    /// A few nodes have most of the edges (Chakrabarti, Zhan and Faloutsos, 2004): `rMat`.
    Rmat,
}

/// A graph by its kind and size, as a parameter says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    kind: Kind,
    nodes: u32,
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.kind.name(), self.nodes)
    }
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Grid, Kind::Local, Kind::Rmat];

    fn name(self) -> &'static str {
        match self {
            Kind::Grid => "grid",
            Kind::Local => "local",
            Kind::Rmat => "rmat",
        }
    }
}

impl Recipe {
    pub(crate) const PARAMETERS: &str = "GRAPH,NODES, GRAPH grid, local or rmat, NODES from 8 to 50000000 (the \
                                         paper's are 40000000), for grid a cube, for rmat a power of two";

    pub(crate) fn parse(parameter: &str) -> Result<Recipe, UnknownParameter> {
        let (name, nodes) = parameter.split_once(',').ok_or(UnknownParameter)?;
        let kind =
            Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or(UnknownParameter)?;
        let nodes = crate::workload::parse_number(nodes, 8..=50_000_000)?;
        let fits = match kind {
            Kind::Grid => side(nodes).pow(3) == nodes,
            Kind::Local => true,
            Kind::Rmat => nodes.is_power_of_two(),
        };
        if fits { Ok(Recipe { kind, nodes }) } else { Err(UnknownParameter) }
    }

    pub(crate) fn nodes(self) -> u32 {
        self.nodes
    }

    /// The edges, in the order in which they are made; some twice, in either direction.
    pub(crate) fn edges(self) -> Vec<Edge> {
        match self.kind {
            Kind::Grid => grid(side(self.nodes)),
            Kind::Local => local(self.nodes),
            Kind::Rmat => rmat(self.nodes),
        }
    }

    /// The same graph with its nodes numbered at random, and its edges in random order.
    ///
    /// The suite's generators write graphs so unless they are told not to (`-o`): greedy loops have few rounds on average
    /// over all orders (Blelloch, Fineman and Shun, 2012), and as many as there are nodes along a path in the order in
    /// which the graphs are made. The permutations are not the suite's, which come from the C++ library.
    pub(crate) fn edges_at_random(self) -> Vec<Edge> {
        const SEED: u64 = 1;
        let mut random = StdRng::seed_from_u64(SEED);
        let mut number_of: Vec<u32> = (0..self.nodes).collect();
        number_of.shuffle(&mut random);
        let number = |node: u32| number_of[node as usize];
        let mut edges = self.edges();
        for (u, v) in &mut edges {
            (*u, *v) = (number(*u), number(*v));
        }
        edges.shuffle(&mut random);
        edges
    }
}

/// Of a cube of about so many nodes.
fn side(nodes: u32) -> u32 {
    f64::from(nodes).cbrt().round() as u32
}

fn grid(side: u32) -> Vec<Edge> {
    let node = |[i, j, k]: [u32; 3]| ((i % side) * side + j % side) * side + k % side;
    let edges = |index: u32| {
        let place = [index / side / side, index / side % side, index % side];
        [0, 1, 2].map(|axis| {
            let mut next = place;
            next[axis] += 1;
            (node(place), node(next))
        })
    };
    (0..side.pow(3)).flat_map(edges).collect()
}

fn local(nodes: u32) -> Vec<Edge> {
    /// Of the hash numbers; somewhat more than half of the remainders end the search for a distance.
    const PRIME: u32 = 1_000_003;
    const HALF: u32 = 500_001;
    let edge = |index: u32| {
        let node = index / EDGES_A_NODE;
        let (mut random, mut power) = (index, DIMENSION + 2);
        let mut draw = || {
            random = hash_int(random);
            random
        };
        loop {
            while draw() % PRIME < HALF {
                power += DIMENSION;
            }
            // Numbers have 31 bits.
            let distance = u64::from(draw()) % (1 << power.min(32));
            let other = ((u64::from(node) + distance) % u64::from(nodes)) as u32;
            if other != node {
                return (node, other);
            }
        }
    };
    (0..nodes * EDGES_A_NODE).map(edge).collect()
}

fn rmat(nodes: u32) -> Vec<Edge> {
    /// The shares of the quarters of the matrix, one upon the other; the last has the rest.
    const UPPER_LEFT: f64 = 0.5;
    const UPPER: f64 = UPPER_LEFT + 0.1;
    const ALL_BUT_LOWER_RIGHT: f64 = UPPER + 0.1;
    const SEED: u32 = 1;
    let seed = hash(SEED);
    let edge = |index: u32| {
        let twice = 2_u32.wrapping_mul(index);
        let start = hash(twice.wrapping_mul(seed));
        let stride = hash(twice.wrapping_add(1).wrapping_mul(seed));
        let mut edge = (0, 0);
        // From the whole matrix, whose quarter is drawn with the first number.
        for level in 0..nodes.ilog2() {
            let half = nodes >> (level + 1);
            let random = hash_double(start.wrapping_add(level.wrapping_mul(stride)));
            if random > UPPER {
                edge.0 += half;
            }
            if (random > UPPER_LEFT && random <= UPPER) || random > ALL_BUT_LOWER_RIGHT {
                edge.1 += half;
            }
        }
        edge
    };
    (0..nodes * EDGES_A_NODE).map(edge).collect()
}

/// The neighbours of each node.
#[derive(Debug)]
pub(crate) struct Neighbours {
    /// Where those of a node begin, and where the last one's end.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Neighbours {
    /// Along `edges`, in both directions, each once and no node its own.
    pub(crate) fn new(nodes: u32, edges: &[Edge]) -> Neighbours {
        let mut starts = vec![0_u32; nodes as usize + 1];
        let both = || edges.iter().filter(|(u, v)| u != v).flat_map(|&(u, v)| [(u, v), (v, u)]);
        both().for_each(|(from, _)| starts[from as usize + 1] += 1);
        (0..nodes as usize).for_each(|node| starts[node + 1] += starts[node]);
        let (mut all, mut next) = (vec![0; starts[nodes as usize] as usize], starts.clone());
        for (from, to) in both() {
            all[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        let mut kept = Neighbours { starts: vec![0], all: Vec::with_capacity(all.len()) };
        for node in 0..nodes as usize {
            let of_node = &mut all[starts[node] as usize..starts[node + 1] as usize];
            of_node.sort_unstable();
            let first = kept.all.len();
            for &mut neighbour in of_node {
                if kept.all[first..].last() != Some(&neighbour) {
                    kept.all.push(neighbour);
                }
            }
            kept.starts.push(kept.all.len() as u32);
        }
        kept
    }

    #[inline]
    pub(crate) fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.all[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours(parameter: &str) -> (u32, Neighbours) {
        let recipe = Recipe::parse(parameter).unwrap();
        assert_eq!(recipe.to_string(), parameter);
        (recipe.nodes(), Neighbours::new(recipe.nodes(), &recipe.edges()))
    }

    #[test]
    fn neighbours_are_mutual_and_each_is_there_once() {
        for parameter in ["grid,8", "grid,27", "grid,1000", "local,1000", "rmat,1024"] {
            let (nodes, neighbours) = neighbours(parameter);
            for node in 0..nodes {
                let of_node = neighbours.of(node);
                assert!(of_node.windows(2).all(|pair| pair[0] < pair[1]), "{parameter}");
                for &other in of_node {
                    assert!(other != node && neighbours.of(other).contains(&node), "{parameter}");
                }
            }
        }
    }

    #[test]
    fn a_node_of_a_grid_has_six_neighbours() {
        let (nodes, neighbours) = neighbours("grid,125");
        assert!((0..nodes).all(|node| neighbours.of(node).len() == 6));
        assert_eq!(neighbours.of(0), [1, 4, 5, 20, 25, 100]);
    }

    #[test]
    fn few_nodes_of_an_rmat_have_most_edges_and_a_local_graph_is_local() {
        let recipe = Recipe::parse("rmat,65536").unwrap();
        let edges = recipe.edges();
        assert_eq!(edges.len(), 5 * 65_536);
        let upper = edges.iter().filter(|edge| edge.0 < 32_768).count() as f64 / edges.len() as f64;
        let left = edges.iter().filter(|edge| edge.1 < 32_768).count() as f64 / edges.len() as f64;
        assert!((upper - 0.6).abs() < 0.01 && (left - 0.6).abs() < 0.01, "{upper}, {left}");
        let edges = Recipe::parse("local,65536").unwrap().edges();
        let near = edges.iter().filter(|(u, v)| (v + 65_536 - u) % 65_536 < 128).count();
        let share = near as f64 / edges.len() as f64;
        // Every second distance is below 2⁷, and some of the others.
        assert!((0.45..0.60).contains(&share), "{share}");
    }

    #[test]
    fn a_graph_at_random_is_the_same_graph() {
        for parameter in ["grid,1000", "local,1000", "rmat,1024"] {
            let recipe = Recipe::parse(parameter).unwrap();
            let (made, random) = (recipe.edges(), recipe.edges_at_random());
            let degrees = |edges: &[Edge]| {
                let mut degrees = vec![0; recipe.nodes() as usize];
                edges.iter().for_each(|&(u, v)| {
                    degrees[u as usize] += 1;
                    degrees[v as usize] += 1;
                });
                degrees.sort_unstable();
                degrees
            };
            assert_eq!(degrees(&made), degrees(&random), "{parameter}");
            assert_ne!(made, random, "{parameter}");
            assert_eq!(random, recipe.edges_at_random(), "{parameter}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in
            ["", "grid", "grid,9", "grid,7", "rmat,1000", "ring,8", "local,50000001", "local,8,8"]
        {
            assert!(Recipe::parse(text).is_err(), "{text:?}");
        }
    }
}

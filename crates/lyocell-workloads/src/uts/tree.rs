//! The sample trees of UTS and the distribution of a node's children.

use std::f64::consts::PI;

use super::totals::Totals;

/// No node but a binomial root has more children.
const MAX_CHILDREN: u32 = 100;

/// One more than the largest random number of a node.
const RANDOM_RANGE: f64 = (1_u32 << 31) as f64;

/// A hybrid tree is geometric above this share of its geometric depth and binomial below.
const HYBRID_SHIFT: f64 = 0.5;

/// A tree, its parameters named as the options of the published program.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) name: &'static str,
    /// `-r`.
    pub(super) seed: u32,
    /// `-b`: expected number of children of the root.
    pub(super) branching: f64,
    pub(super) kind: Kind,
    /// As published.
    pub(super) totals: Totals,
}

/// `-t`.
#[derive(Debug)]
pub(super) enum Kind {
    Geometric(Geometric),
    Binomial(Binomial),
    Hybrid(Geometric, Binomial),
}

/// The number of children is geometrically distributed, about a mean that depends on the height.
#[derive(Debug)]
pub(super) struct Geometric {
    pub(super) shape: Shape,
    /// `-d`.
    pub(super) depth: u32,
}

/// `-a`: how the mean depends on the height.
#[derive(Debug)]
pub(super) enum Shape {
    /// Falls to 0 at `depth`.
    Linear,
    /// Rises and falls with period `depth`, and is 0 below five periods.
    Cyclic,
    /// The same above `depth`, 0 from there.
    Fixed,
}

/// `children` (`-m`) with probability `probability` (`-q`), else none.
#[derive(Debug)]
pub(super) struct Binomial {
    pub(super) probability: f64,
    pub(super) children: u32,
}

const fn geometric(shape: Shape, depth: u32) -> Kind {
    Kind::Geometric(Geometric { shape, depth })
}

const fn binomial(probability: f64, children: u32) -> Kind {
    Kind::Binomial(Binomial { probability, children })
}

const fn totals(nodes: u64, depth: u64, leaves: u64) -> Totals {
    Totals { nodes, leaves, depth }
}

pub(super) static TREES: [Tree; 9] = [
    Tree {
        name: "T1",
        seed: 19,
        branching: 4.0,
        kind: geometric(Shape::Fixed, 10),
        totals: totals(4_130_071, 10, 3_305_118),
    },
    Tree {
        name: "T2",
        seed: 502,
        branching: 6.0,
        kind: geometric(Shape::Cyclic, 16),
        totals: totals(4_117_769, 81, 2_342_762),
    },
    Tree {
        name: "T3",
        seed: 42,
        branching: 2000.0,
        kind: binomial(0.124875, 8),
        totals: totals(4_112_897, 1572, 3_599_034),
    },
    Tree {
        name: "T4",
        seed: 1,
        branching: 6.0,
        kind: Kind::Hybrid(
            Geometric { shape: Shape::Linear, depth: 16 },
            Binomial { probability: 0.234375, children: 4 },
        ),
        totals: totals(4_132_453, 134, 3_108_986),
    },
    Tree {
        name: "T5",
        seed: 34,
        branching: 4.0,
        kind: geometric(Shape::Linear, 20),
        totals: totals(4_147_582, 20, 2_181_318),
    },
    Tree {
        name: "T1L",
        seed: 29,
        branching: 4.0,
        kind: geometric(Shape::Fixed, 13),
        totals: totals(102_181_082, 13, 81_746_377),
    },
    Tree {
        name: "T2L",
        seed: 220,
        branching: 7.0,
        kind: geometric(Shape::Cyclic, 23),
        totals: totals(96_793_510, 67, 53_791_152),
    },
    Tree {
        name: "T3L",
        seed: 7,
        branching: 2000.0,
        kind: binomial(0.200014, 5),
        totals: totals(111_345_631, 17_844, 89_076_904),
    },
    Tree {
        name: "T1XL",
        seed: 29,
        branching: 4.0,
        kind: geometric(Shape::Fixed, 15),
        totals: totals(1_635_119_272, 15, 1_308_100_063),
    },
];

/// Like T5 in all but its depth: small enough for a test that walks it often. No published tree is.
pub(super) const SMALL: Tree = Tree {
    name: "small",
    seed: 34,
    branching: 4.0,
    kind: geometric(Shape::Linear, 8),
    totals: totals(0, 0, 0),
};

impl Tree {
    /// The number of children of a node at `height` whose random number is `random`.
    pub(super) fn children(&self, height: u32, random: u32) -> u32 {
        let uniform = f64::from(random) / RANDOM_RANGE;
        let children = match &self.kind {
            Kind::Binomial(_) if height == 0 => return self.branching as u32,
            Kind::Binomial(binomial) => binomial.children(uniform),
            Kind::Geometric(geometric) => geometric.children(self.branching, height, uniform),
            Kind::Hybrid(geometric, _) if geometric.is_above_shift(height) => {
                geometric.children(self.branching, height, uniform)
            }
            Kind::Hybrid(_, binomial) => binomial.children(uniform),
        };
        children.min(MAX_CHILDREN)
    }
}

impl Binomial {
    fn children(&self, uniform: f64) -> u32 {
        if uniform < self.probability { self.children } else { 0 }
    }
}

impl Geometric {
    /// Inverts the cumulative distribution of the geometric distribution with the mean of `height`.
    fn children(&self, branching: f64, height: u32, uniform: f64) -> u32 {
        let success = 1.0 / (1.0 + self.mean(branching, height));
        // Neither logarithm is above zero: to cut off is to round down.
        ((1.0 - uniform).ln() / (1.0 - success).ln()) as u32
    }

    fn mean(&self, branching: f64, height: u32) -> f64 {
        let (depth, level) = (float(self.depth), float(height));
        match self.shape {
            _ if height == 0 => branching,
            Shape::Linear => branching * (1.0 - level / depth),
            Shape::Cyclic if height > 5 * self.depth => 0.0,
            Shape::Cyclic => branching.powf((2.0 * PI * level / depth).sin()),
            Shape::Fixed if height < self.depth => branching,
            Shape::Fixed => 0.0,
        }
    }

    fn is_above_shift(&self, height: u32) -> bool {
        f64::from(height) < HYBRID_SHIFT * f64::from(self.depth)
    }
}

/// `f64::from(n)`, put together from bits: x86's instruction that converts keeps half of the register it writes to, and so
/// waits for who wrote there last. Here that is the hash, which takes most of a node's time; a tenth of T2's.
fn float(n: u32) -> f64 {
    const TWO_TO_THE_52: f64 = (1_u64 << 52) as f64;
    f64::from_bits(TWO_TO_THE_52.to_bits() | u64::from(n)) - TWO_TO_THE_52
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(name: &str) -> &'static Tree {
        TREES.iter().find(|tree| tree.name == name).unwrap()
    }

    #[test]
    fn a_binomial_root_has_its_branching_factor_and_others_all_or_none() {
        assert_eq!(tree("T3").children(0, 0), 2000);
        assert_eq!(tree("T3").children(1, 0), 8);
        assert_eq!(tree("T3").children(1, 0x7fff_ffff), 0);
    }

    #[test]
    fn a_number_put_together_is_the_one_converted() {
        for n in [0, 1, 2, 81, 0x7fff_ffff, u32::MAX] {
            assert_eq!(float(n), f64::from(n));
        }
    }

    #[test]
    fn a_fixed_tree_ends_at_its_depth() {
        assert!(tree("T1").children(9, 0x7fff_ffff) > 0);
        assert_eq!(tree("T1").children(10, 0x7fff_ffff), 0);
    }

    #[test]
    fn no_node_of_a_geometric_tree_has_more_than_the_maximum() {
        assert_eq!(tree("T2").children(4, 0x7fff_ffff), MAX_CHILDREN);
    }
}

//! What the programs in C are handed, and what they call.

use sha1::block_api::compress;

use super::tree::{Binomial, Geometric, Kind, Shape, Tree};

/// A tree. Layout shared with `node.h`.
#[repr(C)]
pub(crate) struct Parameters {
    branching: f64,
    probability: f64,
    kind: u32,
    shape: u32,
    depth: u32,
    binomial_children: u32,
    seed: u32,
}

impl Parameters {
    pub(super) fn of(tree: &Tree) -> Parameters {
        const NO_GEOMETRIC: &Geometric = &Geometric { shape: Shape::Linear, depth: 0 };
        const NO_BINOMIAL: &Binomial = &Binomial { probability: 0.0, children: 0 };
        let (kind, geometric, binomial) = match &tree.kind {
            Kind::Geometric(geometric) => (0, geometric, NO_BINOMIAL),
            Kind::Binomial(binomial) => (1, NO_GEOMETRIC, binomial),
            Kind::Hybrid(geometric, binomial) => (2, geometric, binomial),
        };
        let shape = match geometric.shape {
            Shape::Linear => 0,
            Shape::Cyclic => 1,
            Shape::Fixed => 2,
        };
        Parameters {
            branching: tree.branching,
            probability: binomial.probability,
            kind,
            shape,
            depth: geometric.depth,
            binomial_children: binomial.children,
            seed: tree.seed,
        }
    }
}

/// The compression of SHA-1 for C.
#[unsafe(no_mangle)]
extern "C" fn lyocell_uts_compress(words: &mut [u32; 5], block: &[u8; 64]) {
    compress(words, std::slice::from_ref(block));
}

//! A node of a UTS tree, and the SHA-1 generator that makes nodes.
//!
//! A node's state is a SHA-1 digest: the root's of 16 zero bytes and the tree's seed, a child's of its
//! parent's state and its index among the children, both numbers as four bytes, big end first. The
//! last four bytes of the state, without the sign bit, are the node's random number.

use sha1::block_api::compress;

use super::tree::Tree;

const STATE_BYTES: usize = 20;
const BLOCK_BYTES: usize = 64;

/// The message length, in bits, ends a block.
const LENGTH_BYTES: usize = 8;

/// SHA-1's initial value (FIPS 180-4, section 5.3.1).
const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

#[derive(Clone, Copy)]
pub(super) struct Node {
    state: [u8; STATE_BYTES],
    pub(super) height: u32,
    pub(super) children: u32,
}

impl Node {
    pub(super) fn root(tree: &Tree) -> Node {
        let mut message = [0; STATE_BYTES];
        message[STATE_BYTES - 4..].copy_from_slice(&tree.seed.to_be_bytes());
        Node::new(tree, digest(&message), 0)
    }

    /// The leaf work of a task. Never inlined, so that it is the same code for every engine in Rust.
    #[inline(never)]
    pub(super) fn child(tree: &Tree, parent: &Node, index: u32) -> Node {
        let mut message = [0; STATE_BYTES + 4];
        message[..STATE_BYTES].copy_from_slice(&parent.state);
        message[STATE_BYTES..].copy_from_slice(&index.to_be_bytes());
        Node::new(tree, digest(&message), parent.height + 1)
    }

    fn new(tree: &Tree, state: [u8; STATE_BYTES], height: u32) -> Node {
        let children = tree.children(height, random(&state));
        Node { state, height, children }
    }
}

// bags: begin
impl Node {
    /// All that it is, for it to be written down.
    pub(super) fn parts(&self) -> ([u8; STATE_BYTES], u32, u32) {
        (self.state, self.height, self.children)
    }

    pub(super) fn from_parts((state, height, children): ([u8; STATE_BYTES], u32, u32)) -> Node {
        Node { state, height, children }
    }
}
// bags: end

/// The random number of a state, in [0, 2^31).
fn random(state: &[u8; STATE_BYTES]) -> u32 {
    let [.., a, b, c, d] = *state;
    u32::from_be_bytes([a, b, c, d]) & 0x7fff_ffff
}

/// SHA-1 of a message that fits, with its padding, into one block.
fn digest<const LENGTH: usize>(message: &[u8; LENGTH]) -> [u8; STATE_BYTES] {
    const { assert!(LENGTH < BLOCK_BYTES - LENGTH_BYTES) };
    let mut block = [0; BLOCK_BYTES];
    block[..LENGTH].copy_from_slice(message);
    block[LENGTH] = 0x80;
    let bits = (LENGTH as u64) * u64::from(u8::BITS);
    block[BLOCK_BYTES - LENGTH_BYTES..].copy_from_slice(&bits.to_be_bytes());
    let mut words = INITIAL;
    compress(&mut words, &[block]);
    let mut state = [0; STATE_BYTES];
    for (bytes, word) in state.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha1::{Digest, Sha1};

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn one_block_digests_are_the_published_ones() {
        assert_eq!(hex(&digest(b"abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(hex(&digest(b"")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(hex(&digest(&[0; 20])), "6768033e216468247bd031a0a2d9876d79818f8f");
    }

    #[test]
    fn a_child_is_the_digest_of_its_parent_and_its_index() {
        let tree = &super::super::TREES[0];
        let root = Node::root(tree);
        let child = Node::child(tree, &root, 258);
        let message = [&root.state[..], &[0, 0, 1, 2]].concat();
        assert_eq!(child.state, *Sha1::digest(message));
        assert_eq!((root.height, child.height), (0, 1));
    }

    #[test]
    fn the_random_number_has_no_sign() {
        let mut state = [0; STATE_BYTES];
        state[16..].copy_from_slice(&[0xff, 0, 0, 1]);
        assert_eq!(random(&state), 0x7f00_0001);
    }
}

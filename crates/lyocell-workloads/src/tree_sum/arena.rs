//! The nodes of a balanced tree in one array, in a chosen order.
//!
//! - arena-1. A link leads to a node of the same array or is null; the array is not moved, and nobody writes to it,
//!   from [`Arena::new`] on as long as the arena lives.
//! - arena-2. Who has a reference to a node has borrowed the arena: it comes from [`Arena::root`] or along links.

use std::ptr;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::{Child, Layout};

const SEED: u64 = 2024;

/// A node. Layout shared with `node.h`.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Node {
    pub(super) value: u64,
    /// The child that is called first; the only one, if there is one.
    first: *const Node,
    second: *const Node,
}

// SAFETY: nobody writes to a node that others can see (arena-1).
unsafe impl Send for Node {}
// SAFETY: as for `Send`.
unsafe impl Sync for Node {}

/// What is below a node.
pub(super) enum Below<'a> {
    Nothing,
    One(&'a Node),
    Two(&'a Node, &'a Node),
}

impl Node {
    /// What is below it.
    #[inline]
    pub(super) fn below(&self) -> Below<'_> {
        // SAFETY: arena-1; the arena is borrowed for as long as this node (arena-2).
        match unsafe { (self.first.as_ref(), self.second.as_ref()) } {
            (Some(first), Some(second)) => Below::Two(first, second),
            (Some(only), None) => Below::One(only),
            (None, _) => Below::Nothing,
        }
    }
}

/// The nodes of one tree.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Box<[Node]>,
    root: usize,
}

/// Builds a tree of nodes that are numbered as a walk from left to right meets them.
struct Plan {
    first: Child,
    next: usize,
    /// The number of the node, its first child and its second child.
    links: Vec<(usize, Option<usize>, Option<usize>)>,
    /// The numbers of the nodes as the walk leaves them.
    left: Vec<usize>,
}

impl Plan {
    /// A balanced tree of `size` nodes; its root, if there is one.
    fn tree(&mut self, size: usize) -> Option<usize> {
        let below = size.checked_sub(1)?;
        let this = self.next;
        self.next += 1;
        let left = self.tree(below.div_ceil(2));
        let right = self.tree(below / 2);
        let (first, second) = match (self.first, right) {
            (Child::Right, Some(_)) => (right, left),
            _ => (left, right),
        };
        self.links.push((this, first, second));
        self.left.push(this);
        Some(this)
    }
}

impl Arena {
    /// A balanced tree of `nodes` nodes, at least one.
    pub(super) fn new(nodes: u32, layout: Layout, first: Child) -> Arena {
        let mut rng = StdRng::seed_from_u64(SEED);
        let nodes = nodes as usize;
        let mut plan = Plan { first, next: 0, links: Vec::with_capacity(nodes), left: Vec::new() };
        plan.tree(nodes);
        let places = places(nodes, layout, &plan.left, &mut rng);
        let node = |_| Node { value: rng.random(), first: ptr::null(), second: ptr::null() };
        let mut array: Box<[Node]> = (0..nodes).map(node).collect();
        // One pointer for all links, so that making one does not invalidate another.
        let start = array.as_mut_ptr();
        let link = |child: Option<usize>| match child {
            // SAFETY: `places` has places of this array only.
            Some(child) => unsafe { start.add(places[child]).cast_const() },
            None => ptr::null(),
        };
        for &(number, first, second) in &plan.links {
            // SAFETY: a place of this array, which nobody else can see yet.
            unsafe {
                (*start.add(places[number])).first = link(first);
                (*start.add(places[number])).second = link(second);
            }
        }
        Arena { nodes: array, root: places[0] }
    }

    pub(super) fn root(&self) -> &Node {
        &self.nodes[self.root]
    }

    /// The sum of the values, whatever the links.
    pub(super) fn total(&self) -> u64 {
        self.nodes.iter().fold(0, |total, node| total.wrapping_add(node.value))
    }
}

/// Where in memory each of `nodes` nodes is, by its number; `left` has the numbers as a walk leaves the nodes.
fn places(nodes: usize, layout: Layout, left: &[usize], rng: &mut StdRng) -> Vec<usize> {
    let mut places: Vec<usize> = (0..nodes).collect();
    match layout {
        Layout::Pre => {}
        Layout::Post => left.iter().enumerate().for_each(|(place, &node)| places[node] = place),
        Layout::Random => places.shuffle(rng),
    }
    places
}

/// In a balanced tree of `nodes` nodes.
pub(super) fn nodes_with_two_children(nodes: u32) -> u64 {
    /// In trees of `size` nodes and of one more, which are all the sizes that a level has.
    fn pair(size: u64) -> (u64, u64) {
        let Some(below) = size.checked_sub(1) else { return (0, 0) };
        let half = below / 2;
        let (small, large) = pair(half);
        let of = |size| if size == half { small } else { large };
        let with = |below: u64| u64::from(below >= 2) + of(below / 2) + of(below.div_ceil(2));
        (with(below), with(size))
    }
    pair(nodes.into()).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes below and with `node`, and how many of them have two children.
    fn counts(node: &Node) -> (u64, u64) {
        match node.below() {
            Below::Nothing => (1, 0),
            Below::One(only) => {
                let (nodes, with_two) = counts(only);
                (nodes + 1, with_two)
            }
            Below::Two(first, second) => {
                let (a, b) = (counts(first), counts(second));
                (a.0 + b.0 + 1, a.1 + b.1 + 1)
            }
        }
    }

    #[test]
    fn every_node_is_in_the_tree_and_those_with_two_children_are_counted() {
        for nodes in (1..=40).chain([1000, 1023, 1024]) {
            for layout in [Layout::Pre, Layout::Post, Layout::Random] {
                let arena = Arena::new(nodes, layout, Child::Left);
                let expected = (u64::from(nodes), nodes_with_two_children(nodes));
                assert_eq!(counts(arena.root()), expected, "{layout:?}");
            }
        }
        assert_eq!(nodes_with_two_children((1 << 24) - 1), (1 << 23) - 1);
    }

    /// The places of the nodes as calls go, `first` before `second`.
    fn visited(first: Child, layout: Layout) -> Vec<usize> {
        fn visit(arena: &Arena, node: &Node, places: &mut Vec<usize>) {
            let place =
                (ptr::from_ref(node).addr() - arena.nodes.as_ptr().addr()) / size_of::<Node>();
            places.push(place);
            if let Below::Two(first, second) = node.below() {
                visit(arena, first, places);
                visit(arena, second, places);
            }
        }
        let (arena, mut places) = (Arena::new(7, layout, first), Vec::new());
        visit(&arena, arena.root(), &mut places);
        places
    }

    #[test]
    fn layout_and_order_say_where_calls_go() {
        assert_eq!(visited(Child::Left, Layout::Pre), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(visited(Child::Right, Layout::Pre), [0, 4, 6, 5, 1, 3, 2]);
        assert_eq!(visited(Child::Left, Layout::Post), [6, 2, 0, 1, 5, 3, 4]);
        let mut random = visited(Child::Left, Layout::Random);
        random.sort_unstable();
        assert_eq!(random, [0, 1, 2, 3, 4, 5, 6]);
    }
}

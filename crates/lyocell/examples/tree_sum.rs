//! The sum of a tree, in both orders of the children: of the two closures of a `join`, a worker that nobody
//! robs runs the first one first, as serial code would.
//!
//! `cargo run --release --example tree_sum -p lyocell`

use lyocell::{Pool, Worker};
use std::cell::RefCell;
use std::error::Error;

struct Tree {
    value: u64,
    children: Option<[Box<Tree>; 2]>,
}

impl Tree {
    /// A complete tree of this height, its nodes numbered as a walk from left to right meets them.
    fn complete(height: u32, next: &mut u64) -> Tree {
        let value = *next;
        *next += 1;
        let mut child = || Box::new(Tree::complete(height - 1, next));
        Tree { value, children: (height > 0).then(|| [child(), child()]) }
    }

    /// The children in the order of a walk.
    fn children(&self, walk: Walk) -> Option<[&Tree; 2]> {
        let [left, right] = self.children.as_ref()?;
        Some(match walk {
            Walk::LeftFirst => [left, right],
            Walk::RightFirst => [right, left],
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum Walk {
    LeftFirst,
    RightFirst,
}

fn sum(w: &Worker, tree: &Tree, walk: Walk) -> u64 {
    let Some([first, second]) = tree.children(walk) else { return tree.value };
    let (a, b) = w.join(|w| sum(w, first, walk), |w| sum(w, second, walk));
    tree.value + a + b
}

fn serial_order(tree: &Tree, walk: Walk, met: &mut Vec<u64>) {
    met.push(tree.value);
    for child in tree.children(walk).into_iter().flatten() {
        serial_order(child, walk, met);
    }
}

thread_local! {
    /// The nodes this thread has met.
    static MET: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

fn meet(w: &Worker, tree: &Tree, walk: Walk) {
    MET.with_borrow_mut(|met| met.push(tree.value));
    if let Some([first, second]) = tree.children(walk) {
        w.join(|w| meet(w, first, walk), |w| meet(w, second, walk));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut nodes, alone) = (0, Pool::builder().workers(1).build()?);
    let tree = Tree::complete(16, &mut nodes);
    let pool = Pool::new()?;
    for walk in [Walk::LeftFirst, Walk::RightFirst] {
        let total = pool.run(|w| sum(w, &tree, walk));
        assert_eq!(total, nodes * (nodes - 1) / 2);

        let mut expected = Vec::new();
        serial_order(&tree, walk, &mut expected);
        let met = alone.run(|w| {
            meet(w, &tree, walk);
            MET.take()
        });
        assert_eq!(met, expected);
        println!(
            "{walk:?}: sum {total} on {} worker(s); one alone meets {:?} … {:?}, as serial code does",
            pool.workers(),
            &met[..3],
            met[met.len() - 1]
        );
    }
    Ok(())
}

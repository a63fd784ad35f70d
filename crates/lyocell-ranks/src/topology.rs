//! Who talks to whom: a tree for what concerns all ranks, and lifelines for work.
//!
//! ```text
//!              0                 lifelines of 5 of 8 ranks: 4, 7, 1
//!          1       2             (one bit of the number is turned over)
//!        3   4   5   6
//! ```

/// The tree over all ranks by which what concerns all of them goes down and up: rank 0 on top, two below each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree {
    me: usize,
    size: usize,
}

impl Tree {
    pub(crate) fn new(me: usize, size: usize) -> Tree {
        Tree { me, size }
    }

    /// Nobody for rank 0.
    pub(crate) fn parent(self) -> Option<usize> {
        self.me.checked_sub(1).map(|before| before / 2)
    }

    /// In ascending order.
    pub(crate) fn children(self) -> impl Iterator<Item = usize> {
        (2 * self.me + 1..=2 * self.me + 2).filter(move |child| *child < self.size)
    }
}

/// The ranks that this one asks for work when it has none, and that remember it until they have some: its neighbours on a
/// hypercube, as far as these exist. From each rank there is a way to each other, of as many steps as a number of ranks has bits:
/// the highest bit that is set can always be turned off, so there is one to rank 0; and lifelines go both ways.
///
/// Source: Saraswat, Kambadur, Kodali, Grove and Krishnamoorthy, "Lifeline-based global load balancing", PPoPP 2011. Departure:
/// their graphs have a base that may be chosen; here it is 2.
pub(crate) fn lifelines(me: usize, size: usize) -> impl Iterator<Item = usize> {
    let bits = usize::BITS - size.saturating_sub(1).leading_zeros();
    (0..bits).map(move |bit| me ^ 1 << bit).filter(move |neighbour| *neighbour < size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_but_the_first_is_a_child_once() {
        for size in [1, 2, 3, 8, 1000] {
            let children = |rank| Tree::new(rank, size).children().map(move |child| (child, rank));
            let mut all: Vec<(usize, usize)> = (0..size).flat_map(children).collect();
            all.sort_unstable();
            assert!(all.iter().map(|(child, _)| *child).eq(1..size), "{size}");
            assert!(
                all.iter().all(|(child, rank)| Tree::new(*child, size).parent() == Some(*rank))
            );
        }
    }

    #[test]
    fn lifelines_go_both_ways_and_lead_everywhere() {
        for size in [1, 2, 3, 5, 8, 63, 64, 65, 1000] {
            let mut reached = vec![false; size];
            let mut open = vec![0];
            reached[0] = true;
            while let Some(rank) = open.pop() {
                for next in lifelines(rank, size) {
                    assert!(lifelines(next, size).any(|back| back == rank));
                    if !std::mem::replace(&mut reached[next], true) {
                        open.push(next);
                    }
                }
            }
            assert!(reached.iter().all(|reached| *reached), "{size}");
        }
    }
}

//! What the study found of each case, as comparisons of two queues, and whether that is found here.

use super::published::{ABP, CHASE_LEV, DOUBLE_ENDED, DUPLICATING, FIFO, LIFO, SHRINKING};

/// A finding: so many comparisons, all of which the study's means show with its fewest threads.
pub(in crate::experiment) struct Claim {
    /// In a clause.
    pub(super) words: &'static str,
    /// The faster queue first.
    pub(super) orders: &'static [(&'static str, &'static str)],
    /// What two processors cannot show.
    pub(super) beyond: &'static str,
}

/// Sections 5.1 and 5.3.
pub(super) static RAW: Claim = Claim {
    words: "on nodes that do nothing abp is faster than chase-lev and all idempotent queues, of which duplicating is the \
            fastest,",
    orders: &[
        (ABP, CHASE_LEV),
        (ABP, LIFO),
        (ABP, FIFO),
        (ABP, DOUBLE_ENDED),
        (ABP, DUPLICATING),
        (DUPLICATING, LIFO),
        (DUPLICATING, FIFO),
        (DUPLICATING, DOUBLE_ENDED),
    ],
    beyond: "how queues do under more threads",
};

/// Section 5.1.
pub(super) static QUICKSORT: Claim = Claim {
    words: "at quick sort both queues of Chase and Lev are faster than abp",
    orders: &[(CHASE_LEV, ABP), (SHRINKING, ABP)],
    beyond: "that it does not scale past sixteen threads",
};

/// Section 5.1, and the means of appendix A.
pub(super) static SPANNING_TREE: Claim = Claim {
    words: "at the spanning tree, whose nodes are cheap, abp is faster than chase-lev, and the idempotent queue that is \
            first in, first out is the only one faster than that",
    orders: &[(ABP, CHASE_LEV), (FIFO, ABP), (ABP, LIFO), (ABP, DOUBLE_ENDED), (ABP, DUPLICATING)],
    beyond: "how queues do under more threads",
};

/// Section 5.1.
pub(super) static XML: Claim = Claim {
    words: "at writing XML both queues of Chase and Lev are faster than abp",
    orders: &[(CHASE_LEV, ABP), (SHRINKING, ABP)],
    beyond: "that it scales poorly past sixteen threads",
};

#[cfg(test)]
mod tests {
    use super::super::published;
    use super::*;

    #[test]
    fn the_studys_own_means_show_what_it_is_said_to_have_found() {
        for (case, claim) in [
            (&published::RAW, &RAW),
            (&published::QUICKSORT, &QUICKSORT),
            (&published::SPANNING_TREE, &SPANNING_TREE),
            (&published::XML, &XML),
        ] {
            for (faster, slower) in claim.orders {
                let mean = |queue| case.time(queue, 0).unwrap().0;
                assert!(mean(faster) < mean(slower), "{}: {faster} {slower}", case.case);
            }
        }
    }
}

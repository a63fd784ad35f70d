//! What a predicate holds of, in parallel: counted in blocks, and then copied to where each block's part begins.

use crate::fork::{AnyFork, each_chunk_of_two, each_piece};

/// Items a leaf: a few microseconds.
const BLOCK: usize = 2048;

/// The items of `items` of which `holds` is true, in their order.
pub(crate) fn pack<T: Copy + Default + Send + Sync>(
    fork: &mut dyn AnyFork,
    items: &[T],
    holds: &(dyn Fn(usize, T) -> bool + Sync),
) -> Vec<T> {
    // Numbers of the items that are kept, block by block at the blocks' own beginnings.
    let mut kept = vec![T::default(); items.len()];
    let mut counts = vec![0_usize; items.len().div_ceil(BLOCK)];
    each_chunk_of_two(fork, (&mut kept, BLOCK), (&mut counts, 1), &|_, number, kept, count| {
        let start = number * BLOCK;
        for (index, &item) in items[start..][..kept.len()].iter().enumerate() {
            kept[count[0]] = item;
            count[0] += usize::from(holds(start + index, item));
        }
    });
    let ends: Vec<usize> = counts
        .iter()
        .scan(0, |end, count| {
            *end += count;
            Some(*end)
        })
        .collect();
    let mut packed = vec![T::default(); ends.last().copied().unwrap_or_default()];
    each_piece(fork, &mut packed, &ends, &|_, number, to| {
        to.copy_from_slice(&kept[number * BLOCK..][..to.len()]);
    });
    packed
}

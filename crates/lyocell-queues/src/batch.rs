//! Batches: how half of a queue is stolen one by one, and how a batch that left a queue in one step is handed on.
//!
//! One by one it is stolen from a queue whose owner takes without a claim while it sees other items: several indices cannot be had at
//! once, so each is looked at and claimed anew.

use crate::queue::Steal;
use std::mem;
use std::vec;

/// Hands each item of a batch to the sink. If the sink panics, what it did not get is put back.
pub(crate) fn hand_over<T>(
    batch: Vec<T>,
    sink: impl FnMut(T),
    put_back: impl FnMut(vec::IntoIter<T>),
) {
    let mut rest = Rest { items: batch.into_iter(), put_back };
    rest.items.by_ref().for_each(sink);
}

/// The rest of a batch, which is put back where this is dropped.
struct Rest<T, F: FnMut(vec::IntoIter<T>)> {
    items: vec::IntoIter<T>,
    put_back: F,
}

impl<T, F: FnMut(vec::IntoIter<T>)> Drop for Rest<T, F> {
    fn drop(&mut self) {
        if self.items.len() > 0 {
            (self.put_back)(mem::take(&mut self.items));
        }
    }
}

/// Steals up to half of what the first look sees, one by one, and hands each item to the sink. The first that is lost
/// to another ends the batch.
///
/// `look` tells how many items there are and what has to be claimed to have the oldest; `claim` has it, or not.
#[inline]
pub(crate) fn steal_half_one_by_one<S, T>(
    look: impl Fn() -> Option<(usize, S)>,
    claim: impl Fn(S) -> Option<T>,
    mut sink: impl FnMut(T),
) -> Steal<usize> {
    let Some((len, first)) = look() else { return Steal::Empty };
    let half = len.div_ceil(2);
    let (mut stolen, mut next) = (0, Some(first));
    while let Some(item) = next.and_then(&claim) {
        sink(item);
        stolen += 1;
        next = if stolen < half { look().map(|(_, sight)| sight) } else { None };
    }
    if stolen == 0 { Steal::Busy } else { Steal::Taken(stolen) }
}

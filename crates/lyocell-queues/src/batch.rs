//! Batches: how half of a queue is stolen one by one, how a batch that left a queue in one step is handed on, and how a batch
//! is moved into the thief's own queue.
//!
//! One by one it is stolen from a queue whose owner takes without a claim while it sees other items: several indices cannot be had at
//! once, so each is looked at and claimed anew.

use crate::queue::{End, Owner, StealHalf, Thief};
use crate::steal::Steal;
use std::collections::VecDeque;
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

/// Steals up to half of what the first look sees, at most `most`, one by one, and hands each item to the sink. The first
/// that is lost to another ends the batch.
///
/// `look` tells how many items there are and what has to be claimed to have the oldest; `claim` has it, or not.
#[inline]
pub(crate) fn steal_one_by_one<S, T>(
    look: impl Fn() -> Option<(usize, S)>,
    claim: impl Fn(S) -> Option<T>,
    most: usize,
    mut sink: impl FnMut(T),
) -> Steal<usize> {
    let Some((len, first)) = look() else { return Steal::Empty };
    let wanted = half(len, most);
    let (mut stolen, mut next) = (0, Some(first));
    while let Some(item) = next.and_then(&claim) {
        sink(item);
        stolen += 1;
        next = if stolen < wanted { look().map(|(_, sight)| sight) } else { None };
    }
    if stolen == 0 { Steal::Busy } else { Steal::Taken(stolen) }
}

/// How many of `len` items a batch has that may have `most`.
#[inline]
pub(crate) fn half(len: usize, most: usize) -> usize {
    len.div_ceil(2).min(most)
}

/// # Panics
/// If a batch may have no item.
#[inline]
pub(crate) fn at_least_one(most: usize) {
    assert!(most > 0, "a batch of at most 0 items steals nothing: give a limit of 1 or more");
}

/// In which order a batch that was stolen is pushed into the thief's own queue: so that it comes out of it as the owner of the
/// other queue would have taken it.
enum PushOrder {
    AsStolen,
    Reversed,
}

impl PushOrder {
    const fn of<S: Thief, Q: Owner>() -> Self {
        // Stolen at the owner's end, the first is the one that comes out first; and it does if it is pushed last into a queue
        // that takes the youngest.
        let first_is_first =
            matches!((S::STEALS, S::OWNER_TAKES), (End::Young, End::Young) | (End::Old, End::Old));
        let first_pushed_is_first = matches!(Q::TAKES, End::Old);
        if first_is_first == first_pushed_is_first { Self::AsStolen } else { Self::Reversed }
    }
}

fn push<Q: Owner>(own: &Q, item: Q::Item) {
    own.push(item).unwrap_or_else(|full| panic!("{full}, though it said that it had room"));
}

/// Moves a batch into the thief's own queue.
pub(crate) fn steal_into<S, Q>(thief: &S, own: &Q, limit: usize) -> Steal<usize>
where
    S: StealHalf,
    Q: Owner<Item = S::Item>,
{
    at_least_one(limit);
    let most = limit.min(own.room());
    if most == 0 {
        return Steal::Taken(0);
    }
    match PushOrder::of::<S, Q>() {
        PushOrder::AsStolen => thief.steal_up_to(most, |item| push(own, item)),
        PushOrder::Reversed => {
            let mut batch = Vec::new();
            let stolen = thief.steal_up_to(most, |item| batch.push(item));
            batch.into_iter().rev().for_each(|item| push(own, item));
            stolen
        }
    }
}

/// As [`steal_into`], but for the one that comes out first.
pub(crate) fn steal_into_and_pop<S, Q>(thief: &S, own: &Q, limit: usize) -> Steal<S::Item>
where
    S: StealHalf,
    Q: Owner<Item = S::Item>,
{
    at_least_one(limit);
    let most = limit.min(own.room().saturating_add(1));
    let mut first = None;
    let stolen = match (PushOrder::of::<S, Q>(), Q::TAKES) {
        // The last one that is stolen.
        (PushOrder::AsStolen, End::Young) => thief.steal_up_to(most, |item| {
            if let Some(before) = first.replace(item) {
                push(own, before);
            }
        }),
        // The first one.
        (PushOrder::AsStolen, End::Old) => thief.steal_up_to(most, |item| match first {
            None => first = Some(item),
            Some(_) => push(own, item),
        }),
        (PushOrder::Reversed, takes) => {
            let mut batch = VecDeque::new();
            let stolen = thief.steal_up_to(most, |item| batch.push_front(item));
            first = match takes {
                End::Young => batch.pop_back(),
                End::Old => batch.pop_front(),
            };
            batch.into_iter().for_each(|item| push(own, item));
            stolen
        }
    };
    stolen.map(|_| first.expect("one item of a batch that was stolen is returned"))
}

//! At which end the owner takes: the young one, as Chase and Lev have it, or the old one.

use crate::queue::End;

/// At which end the owner takes: [`YoungestFirst`] or [`OldestFirst`].
pub trait TakeOrder: sealed::TakeOrder {}

/// The owner takes the youngest item: last in, first out.
#[derive(Debug)]
pub struct YoungestFirst;

/// The owner takes the oldest item: first in, first out.
#[derive(Debug)]
pub struct OldestFirst;

impl TakeOrder for YoungestFirst {}
impl TakeOrder for OldestFirst {}

pub(super) mod sealed {
    use super::End;

    pub trait TakeOrder {
        const TAKES: End;
    }
}

impl sealed::TakeOrder for YoungestFirst {
    const TAKES: End = End::Young;
}

impl sealed::TakeOrder for OldestFirst {
    const TAKES: End = End::Old;
}

//! The index protocols: who may have which slot. They know nothing of what is in the slots.

pub(crate) mod abp;
pub(crate) mod anchor;
pub(crate) mod chase_lev;
pub(crate) mod tagged;

/// How far `to` is past `from`; negative when it is behind.
///
/// Indices count modulo 2^`usize::BITS`; the two are never further apart than half of that.
#[inline(always)]
pub(crate) fn distance(from: usize, to: usize) -> isize {
    to.wrapping_sub(from) as isize
}

/// Where unbounded indices start: just short of wrap-around, so that every run, test and model goes
/// through it.
pub(crate) const FIRST: usize = 0usize.wrapping_sub(2);

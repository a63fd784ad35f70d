//! The index protocols: who may have which slot. They know nothing of what is in the slots.
//!
//! Public for Lyocell's runtime, whose deques of the same names follow them too; not part of the interface.

pub mod abp;
pub(crate) mod anchor;
pub mod chase_lev;
pub mod tagged;

/// How far `to` is past `from`; negative when it is behind.
///
/// Indices count modulo 2^`usize::BITS`; the two are never further apart than half of that.
#[inline(always)]
pub fn distance(from: usize, to: usize) -> isize {
    to.wrapping_sub(from) as isize
}

/// Where unbounded indices start: just short of wrap-around, so that every run, test and model goes
/// through it.
pub const FIRST: usize = 0usize.wrapping_sub(2);

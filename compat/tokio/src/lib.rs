//! The recipe for Lyocell with tokio, from the documentation of `lyocell`, which does not depend on tokio: here it is run as a test of
//! this documentation.

/// As it stands there.
#[cfg(doctest)]
#[doc = include_str!("../../../crates/lyocell/src/with_tokio.md")]
struct Recipe;

//! What a system looks like that has none of it: no threads, no clock, no pinning, no signal, no forks, no way to ask where a stack
//! is.

pub(crate) mod affinity;
#[cfg(target_has_atomic = "64")]
pub(crate) mod clock;
pub(crate) mod fork;
pub(crate) mod parker;
pub(crate) mod signal;
pub(crate) mod stack;

//! What a system looks like that has none of it: no pinning, no signal, no forks, no way to ask where a stack is.

pub(crate) mod affinity;
pub(crate) mod fork;
pub(crate) mod signal;
pub(crate) mod stack;

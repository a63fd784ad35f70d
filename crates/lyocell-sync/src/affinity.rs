//! Which processors a thread may use: pinning, by processor or by node of the memory, and steering a worker away from who wakes or
//! starts it.
//!
//! A kernel that does not know of a cache two processors share (many virtual machines) puts a thread that
//! slept long on the processor of the thread that woke it. There it waits behind its very waker, while
//! another processor idles: the wake-up is lost for a whole time slice. So the waker takes its own processor,
//! which is busy for certain, out of the sleeper's set, and the sleeper puts it back when it runs, unless somebody
//! has chosen other processors for it since. Both look first what the set is. That is four system calls a wake-up,
//! which itself takes many times as long.
//!
//! With a thread that is started it is the same: it waited behind who had started it for 3.8 ms, a whole time slice, so
//! that a program shorter than that ran on one worker (two processors of such a virtual machine, medians of 60; 0.2 ms when
//! it is steered).
//!
//! Only threads of the pool are steered, never a caller's, and none where the pool is built without. Where there is
//! no such call, or it is refused, nothing happens.

pub use crate::backend::affinity::{Steering, keep_on, nodes, pin, processors, spawn_away};

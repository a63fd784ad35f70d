//! The same tests over every deque. They are one program, because the scheduler is compiled for each deque in each program.

#[path = "../common/mod.rs"]
mod common;
#[cfg(all(target_os = "linux", not(miri)))]
#[path = "../common/drawn.rs"]
mod drawn;
#[macro_use]
#[path = "../common/each_deque.rs"]
mod each_deque;
#[cfg(not(miri))]
#[path = "../common/process.rs"]
mod process;
#[cfg(all(target_os = "linux", not(miri)))]
#[path = "../common/system.rs"]
mod system;

mod cancel;
#[cfg(all(target_os = "linux", not(miri)))]
mod greed;
#[cfg(not(miri))]
mod polling;
#[cfg(all(target_os = "linux", not(miri)))]
mod soak;
mod tasks;
#[cfg(not(miri))]
mod waiting;

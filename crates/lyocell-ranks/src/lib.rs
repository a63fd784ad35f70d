//! Unbalanced work past one machine: bags of items that ranks steal from each other, with a Lyocell pool in each.
//!
//! A *rank* is a process, one on each machine or socket. It works through its bags with all workers of its pool; when it has none left it asks
//! other ranks for half of one. Work that travels is data, a [`Bag`]; what does not travel stays joins, scopes and loops, which an
//! item may use as it likes. What the items come to is a [`Total`], added up over all ranks at the end.
//!
//! ```
//! use lyocell::{Caller, Pool};
//! use lyocell_ranks::{Bag, InProcess, Options, every_second, run};
//! use serde::{Deserialize, Serialize};
//!
//! /// Nodes of a binary tree by their height above the leaves; counts all below them.
//! #[derive(Serialize, Deserialize)]
//! struct Nodes(Vec<u32>);
//!
//! impl Bag for Nodes {
//!     type Total = u64;
//!
//!     fn work(&mut self, at_most: usize, count: &mut u64) -> usize {
//!         for worked in 0..at_most {
//!             let Some(height) = self.0.pop() else { return worked };
//!             *count += 1;
//!             if height > 0 {
//!                 self.0.extend([height - 1; 2]);
//!             }
//!         }
//!         at_most
//!     }
//!     fn is_empty(&self) -> bool {
//!         self.0.is_empty()
//!     }
//!     fn split(&mut self) -> Option<Self> {
//!         every_second(&mut self.0).map(Nodes)
//!     }
//!     fn merge(&mut self, other: Self) {
//!         self.0.extend(other.0);
//!     }
//! }
//!
//! // Three ranks in this process. Under `mpirun` each process has one: see the feature `mpi`.
//! std::thread::scope(|threads| {
//!     for mut rank in InProcess::connect(3, 0) {
//!         threads.spawn(move || {
//!             let pool = Pool::builder().workers(2).caller(Caller::Sleeps).build().unwrap();
//!             let nodes = run(&mut rank, &pool, || Nodes(vec![15]), &Options::default());
//!             assert_eq!(nodes.unwrap(), (1 << 16) - 1);
//!         });
//!     }
//! });
//! ```
//!
//! | file | what |
//! |---|---|
//! | `bag.rs` | work that travels, and what it comes to |
//! | `transport.rs`, `in_process.rs`, `mpi.rs` | how messages travel |
//! | `message.rs` | what ranks say to each other |
//! | `topology.rs` | a tree for what concerns all, lifelines for work |
//! | `communicator.rs` | a rank among ranks: whom it asks, whom it owes |
//! | `waves.rs` | when nothing is left to be done anywhere |
//! | `host.rs` | the workers of a rank |
//! | `parts.rs` | what they and the communicating thread tell each other |
//! | `run.rs` | a run, on one rank |
//! | `simulate.rs` | a thousand ranks on one thread |
//! | `error.rs` | what ends a run before its time |
//!
//! # Failure
//! Ranks are fail-stop: a bag that panics, a message that is damaged, ranks of different builds end the run on all ranks, with an error that
//! names the rank and the reason. A process that dies is the launcher's to notice: `mpirun` ends the others.

mod bag;
mod communicator;
mod error;
mod host;
mod in_process;
mod message;
#[cfg(all(test, loom))]
mod models;
#[cfg(feature = "mpi")]
mod mpi;
mod parts;
#[cfg(feature = "programs")]
pub mod programs;
mod run;
mod simulate;
mod topology;
mod transport;
mod waves;

pub use bag::{Bag, Total, every_second};
pub use error::{RanksError, TransportError};
pub use in_process::InProcess;
#[cfg(feature = "mpi")]
pub use mpi::{Mpi, MpiError};
pub use run::{Options, run};
pub use simulate::{Machine, Simulated, simulate};
pub use transport::Transport;

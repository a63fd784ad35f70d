//! The scheduler of a pool: its workers, and how they find work, wait, sleep and wake each other.
//!
//! | file | what |
//! |---|---|
//! | [`worker`] | the identity that a thread has in a pool: an owner, its jobs, and the handle for users |
//! | [`registry`] | what the threads of a pool and its callers share |
//! | [`fork`] | spawn and sync: an owner's push and pop, with its pool's help |
//! | [`frame`] | all workers set their tasks aside and run something else |
//! | [`search`] | a wait: find a task, run it, search on |
//! | [`sleep`] | the end of a search that found nothing |
//! | [`choice`] | whom to rob meanwhile, and what that counts as |
//! | [`reach`] | whom one round looks at |
//! | [`restraint`] | how it holds back where others are faster |
//! | [`lineage`] | what the tasks of a worker descend from |
//! | [`confined`] | who runs only what descends from one frame |
//! | [`locks`] | what is held while its thread runs other tasks |
//! | [`classes`] | who runs background work, and when |
//! | [`giving_way`] | who runs it lets others come before |
//! | [`steal`] | one victim after the other, and running what was won |
//! | [`batch`] | what to do with several tasks that one steal has won |
//! | [`under`] | the token that tasks are under, and where they stop |
//! | [`answer`] | what a worker does when others ask it for tasks |
//! | [`hunger`] | who has nothing to run, where thieves cannot expose |
//! | [`yielding`] | running one task because the current one asks for it |
//! | [`seat`] | the right to be the first worker, which callers take and leave |
//! | [`seated`] | who sits on it, and reads its mail |
//! | [`alone`] | pools without threads, which are whoever calls them |
//! | [`spares`] | workers that work while others block |
//! | [`ticker`] | the thread that interrupts workers |
//! | [`probes`] | the probes of a pool, for whoever reads them |
//! | [`after_fork`] | what is left of all this in the child of a fork |
//!
//! Here is all that has to know both a worker and its pool.
//!
//! May import: cancel, probe, task, deque, idle, interrupt, wait, jobs, owner, current.
//! Never enters: how a task is forked or joined, how a pool is set up, what its threads do with their lives, how a call
//! comes in.

pub(crate) mod active;
mod after_fork;
mod alone;
mod answer;
mod batch;
mod choice;
mod classes;
pub(crate) mod confined;
mod fork;
pub(crate) mod frame;
mod giving_way;
mod hunger;
pub(crate) mod lineage;
mod locks;
mod patience;
mod probes;
mod reach;
mod registry;
mod restraint;
mod search;
pub(crate) mod seat;
mod seated;
mod sleep;
pub(crate) mod spares;
pub(crate) mod steal;
mod ticker;
mod under;
mod worker;
mod yielding;

pub(crate) use alone::Threads;
pub(crate) use fork::Synced;
pub(crate) use locks::Locks;
pub(crate) use probes::NotAttached;
pub(crate) use registry::{Parts, Registry, Settings, Sharing, SleepingCaller};
pub(crate) use seated::Seated;
pub(crate) use ticker::Ticker;
pub(crate) use under::stop;
pub use worker::Worker;

//! Spare workers: one that goes to rest is there for who blocks, and none sleeps through the end of its pool.

use super::{Meeting, explore, race, role};
use crate::scheduler::spares::{Needed, Rested, Spares};
use lyocell_sync::{AtomicBool, Ordering, Parker};
use std::sync::Arc;

/// A pool with one spare, which has been started.
struct Pool {
    spares: Spares,
    is_over: AtomicBool,
    /// That the spare works while a task blocks.
    works: Meeting,
    /// That the task blocks no more.
    goes_on: Meeting,
}

impl Pool {
    fn new() -> Arc<Pool> {
        let pool = Pool {
            spares: Spares::new(1),
            is_over: AtomicBool::new(false),
            works: Meeting::default(),
            goes_on: Meeting::default(),
        };
        assert_eq!(pool.spares.begin(), Needed::Start(0));
        pool.spares.end();
        Arc::new(pool)
    }

    fn rest(&self, parker: &Parker) -> Rested {
        // Ordering: Acquire and Release; as of the drain that it stands for.
        self.spares.rest(0, parker, || self.is_over.load(Ordering::Acquire))
    }

    /// A task blocks until the spare works, and then the pool closes.
    fn block_until_the_spare_works(&self) {
        assert_eq!(self.spares.begin(), Needed::Nothing, "it has been started");
        self.works.wait_for(1);
        self.spares.end();
        self.goes_on.arrive();
        self.close();
    }

    fn close(&self) {
        self.is_over.store(true, Ordering::Release);
        self.spares.wake_all();
    }
}

/// The spare is about to rest, or rests, when a task begins to block, which waits for it.
#[test]
fn who_blocks_has_a_spare() {
    explore(3, || {
        let pool = Pool::new();
        let spare = Arc::clone(&pool);
        let spare = role(move || {
            let parker = Parker::default();
            if spare.rest(&parker) == Rested::Needed {
                spare.works.arrive();
                spare.goes_on.wait_for(1);
                assert_eq!(spare.rest(&parker), Rested::PoolIsOver);
            }
        });
        race([spare], || pool.block_until_the_spare_works());
    });
}

/// Two tasks block, one after the other or both, and there is one spare.
#[test]
fn no_more_are_awake_than_there_are() {
    explore(3, || {
        let pool = Pool::new();
        let (spare, other) = (Arc::clone(&pool), Arc::clone(&pool));
        let spare = role(move || {
            let parker = Parker::default();
            while spare.rest(&parker) == Rested::Needed {
                spare.goes_on.wait_for(2);
            }
        });
        let block = |pool: &Pool| {
            assert_eq!(pool.spares.begin(), Needed::Nothing);
            pool.spares.end();
            pool.goes_on.arrive();
        };
        race([spare, role(move || block(&other))], || {
            block(&pool);
            pool.goes_on.wait_for(2);
            pool.close();
        });
    });
}

/// A caller is the spare, or finds it needed, while a task begins to block, which waits for it; and the pool closes.
#[test]
fn what_was_lent_works_for_who_blocks() {
    explore(3, || {
        let pool = Pool::new();
        let (spare, caller) = (Arc::clone(&pool), Arc::clone(&pool));
        let spare = role(move || {
            let parker = Parker::default();
            while spare.rest(&parker) == Rested::Needed {
                spare.works.arrive();
                spare.goes_on.wait_for(1);
            }
        });
        let caller = role(move || {
            if let Some(lent) = caller.spares.lend() {
                assert_eq!(caller.spares.take_back(lent), Needed::Nothing, "it has a thread");
            }
        });
        race([spare, caller], || pool.block_until_the_spare_works());
    });
}

//! oxidd: a decision diagram of the queens that do not take each other, in which a join splits each operation down to some
//! depth. It has a pool of its own.

use crate::timed;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::{AllocResult, SatCountCache};
use oxidd::{BooleanFunction, HasWorkers, Manager, ManagerRef, WorkerPool};
use std::hash::RandomState;
use std::time::Duration;

const SIZE: u32 = 8;
const WAYS: u128 = 92;

pub(super) fn queens() -> Result<Duration, String> {
    split_to(None)
}

/// With a fork down to the leaves of most operations, since a fork is cheap.
pub(super) fn queens_split_deeper() -> Result<Duration, String> {
    split_to(Some(64))
}

fn split_to(depth: Option<u32>) -> Result<Duration, String> {
    let threads = rayon::current_num_threads() as u32;
    let manager = new_manager(1 << 20, 1 << 20, threads);
    manager.workers().set_split_depth(depth);
    timed(&Ok(WAYS), || {
        let solutions = solutions(&manager).map_err(|_| String::from("no memory is left"))?;
        let mut cache = SatCountCache::<u128, RandomState>::default();
        Ok::<_, String>(solutions.sat_count(SIZE * SIZE, &mut cache))
    })
}

fn solutions(manager: &BDDManagerRef) -> AllocResult<BDDFunction> {
    let places: Vec<BDDFunction> = manager.with_manager_exclusive(|manager| {
        manager.add_vars(SIZE * SIZE);
        (0..SIZE * SIZE).map(|place| BDDFunction::var(manager, place)).collect::<AllocResult<_>>()
    })?;
    let place = |row: u32, column: u32| &places[(row * SIZE + column) as usize];
    let mut all = manager.with_manager_shared(|manager| BDDFunction::t(manager));
    for row in 0..SIZE {
        let mut some = manager.with_manager_shared(|manager| BDDFunction::f(manager));
        for column in 0..SIZE {
            some = some.or(place(row, column))?;
        }
        all = all.and(&some)?;
    }
    let takes =
        |(a, b): (u32, u32), (c, d): (u32, u32)| a == c || b == d || a.abs_diff(c) == b.abs_diff(d);
    for row in 0..SIZE {
        for column in 0..SIZE {
            let mut alone = manager.with_manager_shared(|manager| BDDFunction::t(manager));
            for other in (0..SIZE * SIZE).map(|other| (other / SIZE, other % SIZE)) {
                if other != (row, column) && takes((row, column), other) {
                    alone = alone.and(&place(other.0, other.1).not()?)?;
                }
            }
            all = all.and(&place(row, column).imp(&alone)?)?;
        }
    }
    Ok(all)
}

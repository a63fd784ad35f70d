//! The barrier in two halves: at the heavy one every running thread's stores leave that come before a light one, at the price of an
//! interrupt for each.

use crate::world::with_world;

/// The light half: it takes no time, and says where the stores before it are (`stores`).
#[inline]
pub fn light_barrier() {
    let place = |world: &crate::world::World| {
        if world.buffers() {
            world.place();
        }
    };
    let _ = with_world(place);
}

/// Issues the heavy half; `false` if it is refused.
///
/// It takes a system call, and some time for each processor that runs another thread; and each of these loses what an interrupt takes.
pub fn heavy_barrier() -> bool {
    let issue = |world: &crate::world::World| {
        world.turn();
        world.wait_for_stores();
        let issued = {
            let counts = &mut *world.counts.borrow_mut();
            counts.barriers += 1;
            counts.barriers
        };
        world.hash(2);
        if world.faults.refuse_barrier_from.is_some_and(|first| issued >= first) {
            world.spend(world.costs.barrier);
            return false;
        }
        world.drain_placed();
        let running = world.threads.borrow().running_beside(world.thread());
        world.spend(world.costs.barrier + world.costs.barrier_each * running.len() as u64);
        for other in running {
            world.threads.borrow_mut().is_interrupted(other, world.costs.barrier_target);
        }
        world.look_round();
        true
    };
    with_world(issue).unwrap_or(true)
}

//! Signals: a function that a thread calls wherever it is, when another one says so.
//!
//! A thread that works is where it was at that moment: its clock goes back to it, and what it has worked since comes after the handler. That is
//! as good as stopping it then, since it has touched nothing meanwhile. One that has fallen asleep in a parker wakes up for
//! it, and sleeps on; one that waits for a processor, a lock, a thread or a moment takes it when it goes on.
//!
//! While a thread handles one, another one waits until it has, and more than that are one.

use crate::world::with_world;

/// From now on this is what a thread does that gets the signal.
pub fn install(handler: fn()) {
    let _ = with_world(|world| world.handler.set(Some(handler)));
}

/// The number of the running thread.
pub fn running() -> usize {
    with_world(|world| world.thread()).unwrap_or(0)
}

/// Sends a thread the signal, which is there when this returns.
pub fn interrupt(thread: usize) {
    let _ = with_world(|world| {
        world.turn();
        world.spend(world.costs.signal);
        world.counts.borrow_mut().signals += 1;
        world.hash(3);
        world.threads.borrow_mut().is_signalled(thread, world.now(), &world.costs);
        world.look_round();
    });
}

//! What this thread holds across its forks, as far as the program says so.

use crate::task::Ancestor;
use lyocell_sync::thread_local;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::panic::Location;

/// Something is held by this thread until this is dropped, see [`held`](crate::held()).
#[must_use = "what is held is held as long as this: bind it to a name"]
#[derive(Debug)]
pub struct Held {
    /// None where nobody wants to know.
    id: Option<u64>,
    /// It stays on its thread, as what is held does.
    not_send: PhantomData<*const ()>,
}

/// Where something is held.
pub(crate) struct Place {
    pub(crate) at: &'static Location<'static>,
    /// What names the pool.
    pub(crate) pool: *const (),
    /// What the worker ran.
    pub(crate) frame: Ancestor,
    /// The address of its head. What is forked meanwhile lies there, or above.
    pub(crate) head: usize,
}

thread_local! {
    // The oldest first, each with its number.
    static PLACES: RefCell<Vec<(u64, Place)>> = const { RefCell::new(Vec::new()) };
}

impl Held {
    pub(crate) fn at(place: Option<Place>) -> Held {
        let id = place.and_then(|place| {
            // None on a thread that is on its way out.
            let number = |places: &RefCell<Vec<(u64, Place)>>| {
                let mut places = places.borrow_mut();
                let id = places.last().map_or(0, |(last, _)| last + 1);
                places.push((id, place));
                id
            };
            PLACES.try_with(number).ok()
        });
        Held { id, not_send: PhantomData }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some(mine) = self.id else { return };
        let _ = PLACES.try_with(|places| places.borrow_mut().retain(|(id, _)| *id != mine));
    }
}

/// Calls `look` with each place of this thread.
pub(crate) fn for_each_held(look: impl FnMut(&Place)) {
    let _ = PLACES.try_with(|places| places.borrow().iter().map(|(_, place)| place).for_each(look));
}

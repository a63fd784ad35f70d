//! What is held while its thread runs other tasks: looked for while a program is tried, and told once a place.
//!
//! By reading nobody finds such a place, since the lock and the `join` are seldom in one function, and it hangs once a year. Here it is
//! found whether the other task wants the lock or not: whenever a worker begins, above something that is [held](crate::held()), what
//! does not descend from there ([`lineage`](super::lineage)). What is forked later lies above the head; and a scope is an entry of
//! its own here, so that the jobs of one that was opened before are told from those of one that is opened now.

use super::lineage::Parent;
use super::{Registry, Worker};
use crate::current::{Held, Place, for_each_held};
use crate::deque::Deque;
use crate::probe::Probe;
use crate::task::Ancestor;
use lyocell_sync::unmodelled::Mutex;
use std::io::Write;
use std::panic::Location;

/// The places that have been told, of a pool that looks for them.
#[derive(Default)]
pub(crate) struct Locks {
    told: Mutex<Vec<&'static Location<'static>>>,
}

impl Locks {
    fn tell(&self, place: &Place, worker: usize) {
        let mut told = self.told.lock();
        if told.contains(&place.at) {
            return;
        }
        told.push(place.at);
        // Nobody may listen any more; the program goes on.
        let _ = writeln!(
            std::io::stderr(),
            "lyocell: what is held at {} is held while its worker, {worker}, begins a task that does not descend from there. If that \
             task wants it too, the thread waits for itself. Fork in `isolated` there, or let go before. (Told once a place, as \
             LYOCELL_CHECK_LOCKS or Builder::check_locks asks.)",
            place.at
        );
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Something is held from here on, if this pool looks for that.
    pub(crate) fn hold(&self, at: &'static Location<'static>) -> Held {
        let is_wanted = self.registry().locks.is_some();
        let frame = if is_wanted { self.current() } else { None };
        let pool = self.registry().identity();
        let head = self.owner.head().pointer().addr();
        Held::at(frame.map(|frame| Place { at, pool, frame, head }))
    }

    /// Calls `body`, which spawns jobs and waits for them, with what they descend from.
    pub(crate) fn with_origin<R>(&self, body: impl FnOnce(Option<Ancestor>) -> R) -> R {
        match self.registry().locks {
            None => body(self.current()),
            Some(_) => self.enter(Parent::Within, |scope| body(Some(scope))),
        }
    }

    /// Something that came from there is about to begin on this thread.
    #[inline]
    pub(super) fn look_at_what_is_held(&self, parent: Parent) {
        if let Some(locks) = &self.registry().locks {
            self.find_held(locks, parent);
        }
    }

    #[cold]
    fn find_held(&self, locks: &Locks, parent: Parent) {
        let registry = self.registry();
        for_each_held(|place| {
            if place.pool == registry.identity() && !registry.descends_since(parent, place) {
                locks.tell(place, self.index);
            }
        });
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Whether what came from there has been forked by what has been holding something here, since it does.
    fn descends_since(&self, parent: Parent, place: &Place) -> bool {
        let mut below = parent;
        for (ancestor, parent) in self.ancestors(parent) {
            if ancestor == place.frame {
                return match below {
                    Parent::Slot { slot, .. } => slot >= place.head,
                    Parent::Scope(_) => false,
                    Parent::Root | Parent::Background | Parent::Below | Parent::Within => true,
                };
            }
            below = parent;
        }
        false
    }
}

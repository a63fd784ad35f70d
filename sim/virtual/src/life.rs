//! The lives of virtual threads: each goes on until it pauses, and then another one does.
//!
//! Either each is a coroutine of the one thread of the real machine that runs the world; or each has a thread of the real machine of its
//! own, and goes on when it gets the baton. The life itself is the same coroutine on the same kind of stack both times: so its words
//! lie in the same lines, and a run is the same. The second way is there to show that.
//!
//! ```text
//!             resume: the baton                resume
//!   world ────────────────────────> thread ───────────────> coroutine
//!         <────────────────────────        (once)
//!             pause, or the end: the baton
//! ```
//!
//! # Invariants
//! - life-1. Whoever has the baton is the only one that touches the world or what belongs to it; it is given by a lock, which orders all
//!   before it and all after it.

use crate::world::World;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// What lives are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Coroutines.
    #[default]
    Coroutines,
    /// Threads of the real machine that pass a baton: slower by far.
    Threads,
}

type Routine = Coroutine<(), (), (), DefaultStack>;

/// The life of a virtual thread.
pub(crate) enum Life {
    Coroutine(Routine),
    Thread(Arc<Baton>, thread::JoinHandle<Ended>),
}

/// By what the running thread pauses.
pub(crate) struct Pause {
    /// Its coroutine's.
    pub(crate) yielder: *const Yielder<(), ()>,
    /// Where it is a thread of the real machine.
    pub(crate) baton: Option<Arc<Baton>>,
}

/// How far a life has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Pauses,
    IsOver,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    World,
    Thread,
    /// The world, for ever.
    Nobody,
}

/// Goes from the world to a thread and back.
pub(crate) struct Baton {
    holder: Mutex<Holder>,
    passed: Condvar,
}

impl Baton {
    fn pass(&self, to: Holder) {
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) = to;
        self.passed.notify_all();
    }

    fn wait_while(&self, holder: Holder) -> Holder {
        let guard = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.passed.wait_while(guard, |now| *now == holder);
        *waited.unwrap_or_else(PoisonError::into_inner)
    }
}

/// What goes to a thread, and comes back when it is over.
pub(crate) struct Sent<T>(T);

// SAFETY: life-1: whoever has the baton touches it.
unsafe impl<T> Send for Sent<T> {}

/// The stack of a life that is over.
pub(crate) type Ended = Sent<DefaultStack>;

impl Life {
    /// One that `live` makes, which is handed its yielder first.
    pub(crate) fn new(
        world: &World,
        stack: DefaultStack,
        live: impl FnOnce(&Yielder<(), ()>) + 'static,
    ) -> io::Result<Life> {
        let routine =
            Coroutine::with_stack(stack, move |yielder: &Yielder<(), ()>, ()| live(yielder));
        match world.backend {
            Backend::Coroutines => Ok(Life::Coroutine(routine)),
            Backend::Threads => {
                let baton =
                    Arc::new(Baton { holder: Mutex::new(Holder::World), passed: Condvar::new() });
                let own = Arc::clone(&baton);
                let sent = Sent((routine, std::ptr::from_ref(world)));
                let thread = thread::Builder::new().spawn(move || live_here(sent, &own))?;
                Ok(Life::Thread(baton, thread))
            }
        }
    }

    /// It goes on.
    pub(crate) fn resume(&mut self) -> Step {
        match self {
            Life::Coroutine(routine) => match routine.resume(()) {
                CoroutineResult::Yield(()) => Step::Pauses,
                CoroutineResult::Return(()) => Step::IsOver,
            },
            Life::Thread(baton, _) => {
                baton.pass(Holder::Thread);
                match baton.wait_while(Holder::Thread) {
                    Holder::Nobody => Step::IsOver,
                    _ => Step::Pauses,
                }
            }
        }
    }

    /// The stack of one that is over.
    pub(crate) fn into_stack(self) -> DefaultStack {
        match self {
            Life::Coroutine(routine) => routine.into_stack(),
            Life::Thread(_, thread) => thread.join().expect("what panics is caught within").0,
        }
    }

    /// What it goes on and pauses by, where it is a thread of the real machine.
    pub(crate) fn baton(&self) -> Option<Arc<Baton>> {
        match self {
            Life::Coroutine(_) => None,
            Life::Thread(baton, _) => Some(Arc::clone(baton)),
        }
    }
}

/// The whole of such a thread.
fn live_here(sent: Sent<(Routine, *const World)>, baton: &Baton) -> Ended {
    let Sent((mut routine, world)) = { sent };
    baton.wait_while(Holder::World);
    // SAFETY: world-2.
    World::install(Some(unsafe { &*world }));
    let step = routine.resume(());
    debug_assert!(matches!(step, CoroutineResult::Return(())), "it pauses by the baton");
    let stack = routine.into_stack();
    // What this thread frees from now on is no business of the world's.
    World::install(None);
    baton.pass(Holder::Nobody);
    Sent(stack)
}

impl Pause {
    /// Returns when the life goes on.
    ///
    /// # Safety
    /// It is the running one's.
    pub(crate) unsafe fn pause(self) {
        match self.baton {
            // SAFETY: by the caller it is the yielder of the running coroutine, which lives as long as that one.
            None => unsafe { (*self.yielder).suspend(()) },
            Some(baton) => {
                baton.pass(Holder::World);
                baton.wait_while(Holder::World);
            }
        }
    }
}

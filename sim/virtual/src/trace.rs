//! What is watched of each thread, without a word of memory that the thread could share with others.

use crate::world::with_world;

/// Kinds of events, and of phases, that a program can tell of.
pub const EVENTS: usize = 32;
/// See [`EVENTS`].
pub const PHASES: usize = 8;
/// No phase has been told.
const NO_PHASE: usize = PHASES - 1;

/// What a thread did.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The thread's name.
    pub name: String,
    /// How often each event was told.
    pub events: [u64; EVENTS],
    /// Picoseconds in each phase.
    pub phases: [u64; PHASES],
    /// Picoseconds asleep.
    pub slept: u64,
    /// When it began, and when it ended.
    pub lived: (u64, u64),
    /// The most of what was told by `tell_most`, where that is asked for.
    pub most: u64,
    /// Each phase that it entered, and when, where that is kept.
    pub entered: Vec<(u64, usize)>,
    /// Each event of a kind that is kept: when, which, and of which other one.
    pub happened: Vec<(u64, usize, Option<usize>)>,
    pub(crate) sleeps_since: u64,
    phase: usize,
    phase_since: u64,
}

impl Watched {
    pub(crate) fn new(name: String, at: u64) -> Watched {
        Watched {
            name,
            events: [0; EVENTS],
            phases: [0; PHASES],
            slept: 0,
            lived: (at, at),
            most: 0,
            entered: Vec::new(),
            happened: Vec::new(),
            sleeps_since: at,
            phase: NO_PHASE,
            phase_since: at,
        }
    }

    pub(crate) fn ends(&mut self, now: u64) {
        self.enter(NO_PHASE, now);
        self.lived.1 = now;
    }

    fn enter(&mut self, phase: usize, now: u64) -> usize {
        self.phases[self.phase] += now.saturating_sub(self.phase_since);
        self.phase_since = now;
        std::mem::replace(&mut self.phase, phase)
    }

    pub(crate) fn phase_in_words(&self) -> String {
        match self.phase {
            NO_PHASE => "in no phase".to_owned(),
            phase => format!("in phase {phase}"),
        }
    }
}

/// The running thread tells of an event.
#[inline]
pub fn tell(event: usize) {
    let _ = with_world(|world| {
        let mut threads = world.threads.borrow_mut();
        threads.get_mut(world.thread()).watched.events[event] += 1;
    });
}

/// The running thread tells of a number, the most of which is kept. Nobody looks, where that is not asked for.
#[inline]
pub fn tell_most(number: impl FnOnce() -> u64) {
    if with_world(|world| world.keep_most) == Some(true) {
        let number = number();
        let _ = with_world(|world| {
            let mut threads = world.threads.borrow_mut();
            let most = &mut threads.get_mut(world.thread()).watched.most;
            *most = number.max(*most);
        });
    }
}

/// The running thread enters a phase, and hears which it was in before.
#[inline]
pub fn enter(phase: usize) -> usize {
    let entered = with_world(|world| {
        let keep = world.keep_trace;
        let now = world.now();
        let mut threads = world.threads.borrow_mut();
        let watched = &mut threads.get_mut(world.thread()).watched;
        let before = watched.enter(phase, now);
        if keep {
            watched.entered.push((now, phase));
        }
        before
    });
    entered.unwrap_or(phase)
}

/// The running thread tells of an event whose moment is to be kept, and of which other one it is. It is not counted.
pub fn tell_when(event: usize, other: Option<usize>) {
    let _ = with_world(|world| {
        if world.keep_trace {
            let now = world.now();
            let mut threads = world.threads.borrow_mut();
            threads.get_mut(world.thread()).watched.happened.push((now, event, other));
        }
    });
}

/// A span of the program begins now.
pub fn begin_span() {
    let _ = with_world(|world| world.spans.borrow_mut().push((world.now(), 0)));
}

/// The latest span reaches up to now.
pub fn extend_span() {
    let _ = with_world(|world| {
        world.spans.borrow_mut().iter_mut().last().into_iter().for_each(|span| span.1 = world.now())
    });
}

/// All spans of the run up to now: when each began, and up to when it reached.
pub fn take_spans() -> Vec<(u64, u64)> {
    with_world(|world| world.spans.take()).unwrap_or_default()
}

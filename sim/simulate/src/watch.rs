//! The probe: what workers tell goes to the machine, which keeps it beside its threads.

use lyocell::probe::{Event, Origin, Phase, Probe};
use lyocell_virtual::{enter, tell, tell_most, tell_when};

/// A probe without a field.
#[derive(Debug, Default)]
pub(crate) struct Watch;

// SAFETY: it enters no pool.
unsafe impl Probe for Watch {
    type Fork = ();
    type Group = ();
    type Start = ();

    fn count(&self, event: Event) {
        tell(event as usize);
        if event == Event::Wake {
            tell_when(event as usize, None);
        }
    }

    fn spawned(&self, depth: impl FnOnce() -> usize) {
        tell_most(|| depth() as u64);
    }

    fn begin_task(&self, origin: Origin) {
        if let Origin::Stolen(victim) = origin {
            tell_when(Event::Steal as usize, Some(victim));
        }
    }

    fn enter(&self, phase: Phase) -> Phase {
        Phase::ALL.get(enter(phase as usize)).copied().unwrap_or(Phase::StartStop)
    }
}

//! Probes: what a worker tells of itself. The empty probe compiles to nothing.

/// Counts or times what one worker does. All methods are called by the worker itself.
pub trait Probe: Default + Send + 'static {
    /// The owner shared tasks because somebody asked.
    fn grew(&self) {}
    /// A task was stolen from a random victim.
    fn stole(&self) {}
    /// A task was stolen from the thief that is waited for.
    fn leapt(&self) {}
    /// The worker goes to sleep.
    fn parked(&self) {}
}

/// No probe: the default, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}

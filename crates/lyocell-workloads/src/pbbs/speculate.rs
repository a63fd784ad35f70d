//! Deterministic reservations (Blelloch, Fineman, Gibbons and Shun, 2012): a serial loop whose steps may depend on
//! earlier ones, in parallel, with the serial loop's result.
//!
//! ```text
//!   round:  | tried again | new |   steps that were not over, and the next ones, in their order
//!   reserve: each step sees what was committed in earlier rounds, and says what it wants
//!   commit:  each step sees whether an earlier one of the round stands in its way
//!            │ over: it had its effect, or has none     │ not over: it is tried again
//! ```
//!
//! Where few steps depend on earlier ones of their round, the effort is linear. That is so on average over all orders of
//! the nodes and edges of a graph (Blelloch, Fineman and Shun, 2012), not in the order in which a graph is made: there a
//! path of steps that wait for one another can be as long as the loop, and the effort is quadratic.

use super::pack::pack;
use crate::fork::{AnyFork, each_chunk_of_two};

/// Steps a leaf: some microseconds.
const BLOCK: usize = 256;

/// A round has the steps that are left of the last one and new ones up to a share of all: the suite's granularity is 20
/// for MIS, and for matching 10 to 150 from version to version. Untuned.
const ROUNDS: usize = 25;

/// The steps of a loop. `State` is what one of them has found out in a round.
pub(crate) trait Steps: Sync {
    type State: Copy + Default + Send + Sync;

    /// What the step with this number wants; `None` if it is over and has no effect.
    fn reserve(&self, step: u32) -> Option<Self::State>;

    /// Whether the step is over, having had its effect.
    fn commit(&self, step: u32, state: Self::State) -> bool;
}

/// What it took to run a loop.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) rounds: u64,
    /// Of steps, each once in every round in which it was.
    pub(crate) tries: u64,
}

#[cfg(test)]
impl Effort {
    /// Whether hardly any of `steps` was tried twice.
    pub(crate) fn is_linear(self, steps: usize) -> bool {
        let rounds = steps.div_ceil(BLOCK).min(ROUNDS) as u64;
        self.rounds <= rounds + 5 && self.tries <= steps as u64 * 11 / 10
    }
}

/// Runs `count` steps.
pub(crate) fn speculate<S: Steps>(fork: &mut dyn AnyFork, count: u32, steps: &S) -> Effort {
    let size = (count as usize / ROUNDS).max(BLOCK);
    let (mut round, mut next, mut effort) = (Vec::new(), 0, Effort::default());
    while next < count || !round.is_empty() {
        let new = (size.saturating_sub(round.len()) as u32).min(count - next);
        round.extend(next..next + new);
        next += new;
        effort.rounds += 1;
        effort.tries += round.len() as u64;
        let mut states: Vec<Option<S::State>> = vec![None; round.len()];
        each_chunk_of_two(
            fork,
            (&mut round, BLOCK),
            (&mut states, BLOCK),
            &|_, _, steps_of, states| {
                for (state, &step) in states.iter_mut().zip(&*steps_of) {
                    *state = steps.reserve(step);
                }
            },
        );
        let mut left = vec![false; round.len()];
        each_chunk_of_two(
            fork,
            (&mut left, BLOCK),
            (&mut states, BLOCK),
            &|_, number, left, states| {
                let of_round = &round[number * BLOCK..][..left.len()];
                for ((left, state), &step) in left.iter_mut().zip(states).zip(of_round) {
                    *left = state.is_some_and(|state| !steps.commit(step, state));
                }
            },
        );
        round = pack(fork, &round, &|index, _| left[index]);
    }
    effort
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::fork::Alone;

    /// Each step may commit once all before it have.
    struct InOrder(Mutex<u32>);

    impl Steps for InOrder {
        type State = ();

        fn reserve(&self, step: u32) -> Option<()> {
            // One in ten has nothing to do.
            (step % 10 != 0).then_some(())
        }

        fn commit(&self, step: u32, (): ()) -> bool {
            let mut last = self.0.lock().unwrap();
            let next = if (*last + 1) % 10 == 0 { *last + 2 } else { *last + 1 };
            if step == next {
                *last = step;
            }
            step == *last
        }
    }

    #[test]
    fn every_step_is_over_some_time() {
        for count in [0, 1, 9, 1000, 10_000] {
            let steps = InOrder(Mutex::new(0));
            speculate(&mut Alone, count, &steps);
            let last = (0..count).filter(|step| step % 10 != 0).max().unwrap_or_default();
            assert_eq!(*steps.0.lock().unwrap(), last, "{count}");
        }
    }
}

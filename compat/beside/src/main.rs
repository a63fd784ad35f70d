//! Programs on rayon, each small and with an answer that is checked, built twice: in `plain/` as rayon is, in `patched/` on
//! Lyocell. `lyocell drop-in` runs both in turn and prints the ratios. `published.rs` has others, around published libraries.

mod forks;
mod items;
mod run;
mod shapes;
mod sorts;

use std::hint::black_box;
use std::process::ExitCode;

use run::{Program, numbers, timed};

fn main() -> ExitCode {
    let first = [forks::PROGRAMS, sorts::PROGRAMS, items::PROGRAMS].concat();
    run::command_line(&[first, shapes::programs()].concat())
}

/// Work that nothing can shorten, of about 1.4 ns a step. In registers alone and in one place, so that it takes the
/// same time in both builds: where each step passed through memory, one build took a quarter longer than the other, by chance.
/// And hidden from the compiler: as it has no effects, one build did it once for all items of a loop, and was 36 times as fast.
#[inline(never)]
pub(crate) fn chain(steps: u64) -> u64 {
    (0..black_box(steps))
        .fold(1, |x: u64, _| (x ^ (x >> 32)).wrapping_mul(6_364_136_223_846_793_005))
}

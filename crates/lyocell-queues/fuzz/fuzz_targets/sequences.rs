//! Sequences of operations on each queue beside a `VecDeque`, chosen by coverage.
//!
//! ```text
//! cd crates/lyocell-queues && cargo +nightly fuzz run sequences -- -max_total_time=60
//! ```
//! The first byte chooses the queue and its capacity, each further byte an operation.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{End, Op, compare};
use libfuzzer_sys::fuzz_target;
use lyocell_queues::{
    Abp, ChaseLev, Duplicating, IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo, Locked,
    ShrinkingChaseLev,
};

type Owned = Box<u32>;
type Copied = [u32; 3];

fn ops(byte: &u8) -> impl Iterator<Item = Op> {
    // The upper bits say which thief, or how often.
    let argument = usize::from(byte >> 3);
    let (op, times) = match byte & 7 {
        0 | 1 => (Op::Push, argument + 1),
        2 => (Op::Take, argument + 1),
        3 => (Op::Steal { thief: argument }, 1),
        4 => (Op::StealHalf { thief: argument }, 1),
        5 => (Op::AddThief, 1),
        6 => (Op::DropThief { thief: argument }, 1),
        _ => (Op::Take, 1),
    };
    std::iter::repeat_n(op, times)
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let capacity = usize::from(choice >> 3);
    let ops = rest.iter().flat_map(ops);
    match choice & 7 {
        0 => compare::<Abp<Owned>>(capacity, ops, End::Young, End::Old),
        1 => compare::<ChaseLev<Owned>>(capacity, ops, End::Young, End::Old),
        2 => compare::<ShrinkingChaseLev<Owned>>(capacity, ops, End::Young, End::Old),
        3 => compare::<Locked<Owned>>(capacity, ops, End::Young, End::Old),
        4 => compare::<IdempotentLifo<Copied>>(capacity, ops, End::Young, End::Young),
        5 => compare::<IdempotentFifo<Copied>>(capacity, ops, End::Old, End::Old),
        6 => compare::<IdempotentDoubleEnded<Copied>>(capacity, ops, End::Young, End::Old),
        _ => compare::<Duplicating<Copied>>(capacity, ops, End::Young, End::Old),
    }
});

//! Sequences of operations on each queue beside a `VecDeque`, chosen by coverage.
//!
//! ```text
//! cd crates/lyocell-queues && cargo +nightly fuzz run sequences -- -max_total_time=60
//! ```
//! The first byte chooses the queue, the second its capacity, each further byte an operation.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/common/injected.rs"]
mod injected;

use common::{Op, compare};
use injected::Injected;
use libfuzzer_sys::fuzz_target;
use lyocell_queues::{
    Abp, ChaseLev, Duplicating, Fifo, IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo, Locked,
    ShrinkingChaseLev, ShrinkingFifo,
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
        5 if argument % 4 == 0 => (Op::AddThief, 1),
        5 => (Op::StealBatch { thief: 0, limit: argument / 2 + 1, pop: argument % 2 == 0 }, 1),
        6 => (Op::DropThief { thief: argument }, 1),
        _ => (Op::Take, 1),
    };
    std::iter::repeat_n(op, times)
}

fuzz_target!(|data: &[u8]| {
    let [choice, capacity, rest @ ..] = data else { return };
    let capacity = usize::from(capacity & 31);
    let ops = rest.iter().flat_map(ops);
    match choice % 11 {
        0 => compare::<Abp<Owned>>(capacity, ops),
        1 => compare::<ChaseLev<Owned>>(capacity, ops),
        2 => compare::<ShrinkingChaseLev<Owned>>(capacity, ops),
        3 => compare::<Locked<Owned>>(capacity, ops),
        4 => compare::<IdempotentLifo<Copied>>(capacity, ops),
        5 => compare::<IdempotentFifo<Copied>>(capacity, ops),
        6 => compare::<IdempotentDoubleEnded<Copied>>(capacity, ops),
        7 => compare::<Fifo<Owned>>(capacity, ops),
        8 => compare::<ShrinkingFifo<Owned>>(capacity, ops),
        9 => compare::<Injected<Owned>>(capacity, ops),
        _ => compare::<Duplicating<Copied>>(capacity, ops),
    }
});

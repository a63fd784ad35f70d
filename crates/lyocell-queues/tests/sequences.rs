//! Random sequences of operations on each queue beside a `VecDeque`, and the sequences that
//! once broke one.

mod common;
#[path = "common/injected.rs"]
mod injected;

use common::{Op, compare};
use injected::Injected;
use lyocell_queues::{
    Abp, CentralLocked, ChaseLev, Duplicating, Fifo, IdempotentDoubleEnded, IdempotentFifo,
    IdempotentLifo, Locked, ShrinkingChaseLev, ShrinkingFifo,
};
use proptest::prelude::*;

type Owned = Box<u32>;
type Copied = [u32; 3];

/// Every queue.
fn compare_all(capacity: usize, ops: &[Op]) {
    let ops = || ops.iter().copied();
    compare::<Abp<Owned>>(capacity, ops());
    compare::<ChaseLev<Owned>>(capacity, ops());
    compare::<ShrinkingChaseLev<Owned>>(capacity, ops());
    compare::<Fifo<Owned>>(capacity, ops());
    compare::<ShrinkingFifo<Owned>>(capacity, ops());
    compare::<Injected<Owned>>(capacity, ops());
    compare::<Locked<Owned>>(capacity, ops());
    compare::<CentralLocked<Owned>>(capacity, ops());
    compare::<IdempotentLifo<Copied>>(capacity, ops());
    compare::<IdempotentFifo<Copied>>(capacity, ops());
    compare::<IdempotentDoubleEnded<Copied>>(capacity, ops());
    compare::<Duplicating<Copied>>(capacity, ops());
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => Just(Op::Push),
        5 => Just(Op::Take),
        3 => (0..4usize).prop_map(|thief| Op::Steal { thief }),
        1 => (0..4usize).prop_map(|thief| Op::StealHalf { thief }),
        1 => (0..4usize, 1..9usize, any::<bool>())
            .prop_map(|(thief, limit, pop)| Op::StealBatch { thief, limit, pop }),
        1 => Just(Op::AddThief),
        1 => (0..4usize).prop_map(|thief| Op::DropThief { thief }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 2 } else { 512 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_queue_does_as_a_vec_deque(
        capacity in 0..9usize,
        ops in prop::collection::vec(op(), 0..if cfg!(miri) { 60 } else { 400 }),
    ) {
        compare_all(capacity, &ops);
    }
}

/// crossbeam issue 33: the length of an empty queue, computed without a sign, underflowed.
#[test]
fn crossbeam_33_takes_from_an_empty_queue() {
    use Op::{Push, Take};
    compare_all(0, &[Take, Take, Push, Take, Take, Take, Push, Push, Take, Take, Take]);
    compare_all(4, &[Op::Steal { thief: 0 }, Take, Op::Steal { thief: 0 }, Push, Take, Take]);
}

/// Grow to a thousand and empty again, by takes and by steals, many times round the ring.
#[test]
fn grows_and_empties_many_times() {
    let rounds = if cfg!(miri) { 2 } else { 20 };
    let most = if cfg!(miri) { 20 } else { 1000 };
    let mut ops = Vec::new();
    for round in 0..rounds {
        ops.extend([Op::Push].repeat(most));
        let out = if round % 2 == 0 { Op::Take } else { Op::Steal { thief: 0 } };
        ops.extend([out].repeat(most + 1));
    }
    compare_all(2, &ops);
    compare_all(1024, &ops);
}

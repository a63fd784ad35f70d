//! One thread's operations on a queue beside the same on a `VecDeque`.
//!
//! With one thread there is no race, so the relaxed queues too must hand out every item once, in order.

use lyocell_queues::{End, Owner, Steal, StealHalf, Thief};
use std::collections::VecDeque;

/// One operation, by the owner or by one of several thieves' handles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Push,
    Take,
    Steal {
        thief: usize,
    },
    StealHalf {
        thief: usize,
    },
    /// A batch into a queue of the thief's own; `pop` says whether the first of it is returned.
    StealBatch {
        thief: usize,
        limit: usize,
        pop: bool,
    },
    AddThief,
    DropThief {
        thief: usize,
    },
}

/// Items that tell which push they came from.
pub(crate) trait Numbered {
    fn of(number: u32) -> Self;
    fn number(self) -> u32;
}

/// On the heap, so that Miri sees one that is freed twice or never.
impl Numbered for Box<u32> {
    fn of(number: u32) -> Self {
        Box::new(number)
    }
    fn number(self) -> u32 {
        *self
    }
}

/// One word and a half, so that Miri sees a slot that is read or written beyond its item.
impl Numbered for [u32; 3] {
    fn of(number: u32) -> Self {
        [number, !number, number]
    }
    fn number(self) -> u32 {
        assert_eq!(self, Self::of(self[0]));
        self[0]
    }
}

fn pop(model: &mut VecDeque<u32>, end: End) -> Option<u32> {
    match end {
        End::Young => model.pop_back(),
        End::Old => model.pop_front(),
    }
}

/// A batch into a queue of the thief's own, which must come out of it as the owner of the other queue would have taken it.
fn steal_batch<Q>(thief: &Q::Thief, model: &mut VecDeque<u32>, limit: usize, and_pop: bool)
where
    Q: Owner<Item: Numbered>,
    Q::Thief: StealHalf,
{
    let own = Q::with_capacity(limit);
    let mut out = Vec::new();
    let outcome = if and_pop {
        let stolen = thief.steal_batch_with_limit_and_pop(&own, limit);
        stolen.map(|item| out.push(item.number())).map(|()| own.len() + 1)
    } else {
        thief.steal_batch_with_limit(&own, limit)
    };
    out.extend(std::iter::from_fn(|| own.take()).map(Numbered::number));
    match outcome {
        Steal::Taken(count) => assert_eq!(count, out.len()),
        Steal::Empty => assert!(model.is_empty() && out.is_empty()),
        Steal::Busy => panic!("busy with one thread"),
    }
    assert!(out.len() <= limit.min(model.len().div_ceil(2)), "more than half, or than the limit");
    let mut expected: Vec<_> =
        (0..out.len()).filter_map(|_| pop(model, <Q::Thief as Thief>::STEALS)).collect();
    if <Q::Thief as Thief>::STEALS != Q::TAKES {
        expected.reverse();
    }
    assert_eq!(out, expected);
}

/// Does the operations, comparing every answer.
pub(crate) fn compare<Q>(capacity: usize, ops: impl IntoIterator<Item = Op>)
where
    Q: Owner<Item: Numbered>,
    Q::Thief: StealHalf,
{
    let (owner, thief) = (Q::TAKES, <Q::Thief as Thief>::STEALS);
    assert_eq!(<Q::Thief as Thief>::OWNER_TAKES, owner);
    let queue = Q::with_capacity(capacity);
    let mut thieves = vec![queue.thief()];
    let mut model = VecDeque::new();
    let mut pushed = 0;
    for op in ops {
        match op {
            Op::Push => {
                let room = queue.room();
                match queue.push(Q::Item::of(pushed)) {
                    Ok(()) => model.push_back(pushed),
                    Err(full) => {
                        assert_eq!(full.item.number(), pushed);
                        assert!(!model.is_empty(), "an empty queue has room");
                        assert_eq!(room, 0);
                        assert!(full.capacity >= capacity);
                    }
                }
                pushed += 1;
            }
            Op::Take => {
                let taken = queue.take().map(Numbered::number);
                assert_eq!(taken, pop(&mut model, owner));
            }
            Op::Steal { thief: number } => {
                let expected = pop(&mut model, thief).map_or(Steal::Empty, Steal::Taken);
                let number = number % thieves.len();
                let stolen = match thieves[number].steal() {
                    Steal::Taken(item) => Steal::Taken(item.number()),
                    Steal::Empty => Steal::Empty,
                    Steal::Busy => Steal::Busy,
                };
                assert_eq!(stolen, expected);
            }
            Op::StealHalf { thief: number } => {
                let number = number % thieves.len();
                let mut batch = Vec::new();
                let outcome = thieves[number].steal_half(|item| batch.push(item.number()));
                match outcome {
                    Steal::Taken(count) => assert_eq!(count, batch.len()),
                    Steal::Empty => assert!(model.is_empty() && batch.is_empty()),
                    Steal::Busy => panic!("busy with one thread"),
                }
                assert!(batch.len() <= model.len().div_ceil(2), "more than half");
                let expected: Vec<_> =
                    (0..batch.len()).filter_map(|_| pop(&mut model, thief)).collect();
                assert_eq!(batch, expected);
            }
            Op::StealBatch { thief: number, limit, pop } => {
                steal_batch::<Q>(&thieves[number % thieves.len()], &mut model, limit, pop);
            }
            Op::AddThief => {
                let clone = thieves[0].clone();
                thieves.push(clone);
            }
            Op::DropThief { thief } => {
                if thieves.len() > 1 {
                    thieves.remove(thief % thieves.len());
                }
            }
        }
        assert!(queue.len() >= model.len());
        assert_eq!(queue.len() == 0, queue.is_empty());
        assert!(thieves[0].len() >= model.len());
        assert!(queue.capacity() >= model.len());
        assert!(queue.footprint().bytes >= model.len() * size_of::<Q::Item>());
    }
    // What is left goes with the last handle; Miri would see a leak or a second free.
    drop(queue);
    drop(thieves);
}

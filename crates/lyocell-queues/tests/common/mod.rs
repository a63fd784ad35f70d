//! One thread's operations on a queue beside the same on a `VecDeque`.
//!
//! With one thread there is no race, so the relaxed queues too must hand out every item once, in order.

use lyocell_queues::{Owner, Steal, StealHalf, Thief};
use std::collections::VecDeque;

/// One operation, by the owner or by one of several thieves' handles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Push,
    Take,
    Steal { thief: usize },
    StealHalf { thief: usize },
    AddThief,
    DropThief { thief: usize },
}

/// Which end of the `VecDeque` corresponds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Young,
    Old,
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

/// Does the operations, comparing every answer; `owner` and `thief` say at which ends they work.
pub(crate) fn compare<Q>(capacity: usize, ops: impl IntoIterator<Item = Op>, owner: End, thief: End)
where
    Q: Owner<Item: Numbered>,
    Q::Thief: StealHalf,
{
    let queue = Q::with_capacity(capacity);
    let mut thieves = vec![queue.thief()];
    let mut model = VecDeque::new();
    let mut pushed = 0;
    for op in ops {
        match op {
            Op::Push => {
                match queue.push(Q::Item::of(pushed)) {
                    Ok(()) => model.push_back(pushed),
                    Err(full) => {
                        assert_eq!(full.item.number(), pushed);
                        assert!(!model.is_empty(), "an empty queue has room");
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
        assert!(queue.capacity() >= model.len());
        assert!(queue.footprint().bytes >= model.len() * size_of::<Q::Item>());
    }
    // What is left goes with the last handle; Miri would see a leak or a second free.
    drop(queue);
    drop(thieves);
}

//! Cache lines: whose each is, who has a copy, and what an access of it costs.
//!
//! | line is | load | plain store | read-modify-write |
//! |---|---|---|---|
//! | one's own alone | hit | store | rmw |
//! | shared, one has a copy | hit | the others' copies go: a transfer, behind the store buffer | a transfer + rmw |
//! | another's, or shared without one's copy | a transfer + hit | a transfer, behind the store buffer | a transfer + rmw |
//! | nobody's | memory + hit | memory, behind the store buffer | memory + rmw |
//!
//! A prefetch comes to a line as a store does, but nobody waits for it unless it is loaded, or read, modified and written, before it is there.
//!
//! A transfer takes as long as the two processors are apart (`machine`), and begins when the line has come to rest from the
//! transfer before: `busy`. So a line that all want passes from one to the next, and whoever comes last waits for all. A
//! read-modify-write keeps it until it is done.
//!
//! The lines stand in a table with open addressing. Its order hangs on addresses, and nothing hangs on its order.

use crate::machine::Costs;

/// How an access touches a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Store,
    Rmw,
    /// For a store to come.
    Prefetch,
}

/// The bytes of a line, as a power of two.
const LINE_BITS: u32 = 6;

const NOBODY: u32 = u32::MAX;
const NO_KEY: usize = usize::MAX;

#[derive(Clone, Copy)]
struct Line {
    key: usize,
    /// When the last transfer is over, and what it was for if nothing may come between.
    busy: u64,
    /// When the last prefetch of it is over.
    fetched: u64,
    /// Who wrote it last, or fetched it first.
    owner: u32,
    /// Whether nobody else has a copy.
    alone: bool,
}

const EMPTY: Line = Line { key: NO_KEY, busy: 0, fetched: 0, owner: NOBODY, alone: false };

/// What an access came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// When the line is there.
    pub(crate) there: u64,
    /// The distance over which it came, if it did not lie here.
    pub(crate) level: Option<usize>,
}

/// All lines that were ever touched.
pub(crate) struct Lines {
    table: Vec<Line>,
    /// Of each line of the table, a bit for each processor that has a copy.
    copies: Vec<u64>,
    /// Words of such bits for one line.
    words: usize,
    used: usize,
}

impl Lines {
    pub(crate) fn new(processors: usize) -> Lines {
        let words = processors.div_ceil(64).max(1);
        let size = 1 << 12;
        Lines { table: vec![EMPTY; size], copies: vec![0; size * words], words, used: 0 }
    }

    #[inline]
    fn place(&self, key: usize) -> usize {
        let mask = self.table.len() - 1;
        let hash = (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let mut at = hash as usize & mask;
        loop {
            let found = self.table[at].key;
            if found == key || found == NO_KEY {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// Whether the line at this address is this processor's alone, and is there now.
    #[inline]
    pub(crate) fn is_own(&self, address: usize, processor: usize, now: u64) -> bool {
        let line = &self.table[self.place(address >> LINE_BITS)];
        let is_there = line.key != NO_KEY && line.fetched <= now;
        is_there && line.alone && line.owner as usize == processor
    }

    /// An access of a processor, now.
    pub(crate) fn touch(
        &mut self,
        address: usize,
        kind: Kind,
        processor: usize,
        now: u64,
        costs: &Costs,
    ) -> Cost {
        let key = address >> LINE_BITS;
        let mut at = self.place(key);
        if self.table[at].key == NO_KEY {
            at = self.insert(key);
        }
        let words = at * self.words..(at + 1) * self.words;
        let copies = &mut self.copies[words];
        let line = &mut self.table[at];
        let (word, bit) = (processor / 64, 1 << (processor % 64));
        let has_copy = copies[word] & bit != 0;
        let hit = match kind {
            Kind::Load => has_copy,
            Kind::Store | Kind::Rmw | Kind::Prefetch => {
                line.alone && line.owner as usize == processor
            }
        };
        if hit {
            return Cost { there: line.fetched.max(now), level: None };
        }
        let (takes, level) = match line.owner {
            NOBODY => (costs.memory, None),
            owner if owner as usize == processor => farthest(copies, processor, costs),
            owner => {
                let level = costs.level(owner as usize, processor);
                (costs.transfer[level], Some(level))
            }
        };
        let there = line.busy.max(now) + takes;
        line.busy = if kind == Kind::Rmw { there + costs.rmw } else { there };
        if kind == Kind::Prefetch {
            line.fetched = there;
        }
        let first = line.owner == NOBODY;
        if kind == Kind::Load && !first {
            line.alone = false;
        } else {
            line.owner = processor as u32;
            line.alone = true;
            copies.fill(0);
        }
        copies[word] |= bit;
        Cost { there, level }
    }

    #[cold]
    fn insert(&mut self, key: usize) -> usize {
        if 2 * (self.used + 1) > self.table.len() {
            self.grow();
        }
        self.used += 1;
        let at = self.place(key);
        self.table[at] = Line { key, ..EMPTY };
        at
    }

    fn grow(&mut self) {
        let size = 2 * self.table.len();
        let table = std::mem::replace(&mut self.table, vec![EMPTY; size]);
        let copies = std::mem::replace(&mut self.copies, vec![0; size * self.words]);
        for (line, copies) in table.into_iter().zip(copies.chunks_exact(self.words)) {
            if line.key != NO_KEY {
                let at = self.place(line.key);
                self.table[at] = line;
                self.copies[at * self.words..(at + 1) * self.words].copy_from_slice(copies);
            }
        }
    }

    /// What lies from here on is new: nobody has it.
    pub(crate) fn forget(&mut self, address: usize, bytes: usize) {
        let end = (address + bytes).next_multiple_of(1 << LINE_BITS) >> LINE_BITS;
        let begin = address >> LINE_BITS;
        if end - begin > self.table.len() {
            let within = |line: &Line| (begin..end).contains(&line.key);
            return (0..self.table.len())
                .filter(|at| within(&self.table[*at]))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|at| self.clear(at));
        }
        for key in begin..end {
            let at = self.place(key);
            if self.table[at].key == key {
                self.clear(at);
            }
        }
    }

    fn clear(&mut self, at: usize) {
        self.table[at] = Line { key: self.table[at].key, ..EMPTY };
        self.copies[at * self.words..(at + 1) * self.words].fill(0);
    }
}

/// The longest way to a copy that is not this processor's.
fn farthest(copies: &[u64], processor: usize, costs: &Costs) -> (u64, Option<usize>) {
    let mut farthest = 0;
    for (word, mut bits) in copies.iter().copied().enumerate() {
        if word == processor / 64 {
            bits &= !(1 << (processor % 64));
        }
        while bits != 0 {
            let other = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            farthest = farthest.max(costs.level(other, processor));
        }
    }
    (costs.transfer[farthest], Some(farthest))
}

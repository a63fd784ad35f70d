//! Which thread writes which cache line of a structure: a table that tests print, and hold.
//!
//! Two threads that write one line, or one that reads what never changes beside what another writes, send the line to and
//! fro though they share nothing. It costs little between two workers, and much among 64.

use crossbeam_utils::CachePadded;

/// Who writes a field while the pool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// Nobody, or so seldom that it does not matter to those who read what is beside it: all read it as it is.
    Nobody,
    /// The worker's occupant. What it alone reads and nobody writes counts as its own, too.
    Owner,
    /// The others.
    Thieves,
    /// Whoever enters the pool and leaves it.
    Callers,
    /// All of these, or they keep it apart themselves.
    Anybody,
}

/// A field of a structure.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) writer: Writer,
}

impl Field {
    /// The cache lines it is on, by their numbers.
    fn lines(&self) -> std::ops::Range<usize> {
        const LINE: usize = align_of::<CachePadded<u8>>();
        self.offset / LINE..(self.offset + self.size).div_ceil(LINE)
    }

    fn shares_a_line_with(&self, other: &Field) -> bool {
        let (mine, theirs) = (self.lines(), other.lines());
        mine.start < theirs.end && theirs.start < mine.end
    }
}

/// Prints who writes what, and fails if two fields on one line have different writers.
pub(crate) fn hold(structure: &str, fields: &[Field]) {
    let mut fields: Vec<_> = fields.iter().filter(|field| field.size > 0).collect();
    fields.sort_by_key(|field| field.offset);
    println!("{structure}");
    for Field { name, offset, size, writer } in &fields {
        println!("{offset:>6} {size:>6}  {name}: {writer:?}");
    }
    for (at, one) in fields.iter().enumerate() {
        for other in &fields[..at] {
            assert!(
                one.writer == other.writer || !one.shares_a_line_with(other),
                "{structure}: {} and {} are on one line, written by {:?} and {:?}",
                other.name,
                one.name,
                other.writer,
                one.writer
            );
        }
    }
}

/// The size of what a field's reference points at.
pub(crate) fn size_of_field<T, F>(_: impl Fn(&T) -> &F) -> usize {
    size_of::<F>()
}

/// Holds a structure to a table of all its fields and their writers.
macro_rules! hold_lines {
    ($structure:ident $(<$($argument:ty),+>)?: $($field:tt: $writer:ident),+ $(,)?) => {{
        type Held = $structure $(<$($argument),+>)?;
        // No field is forgotten: this would not compile.
        #[allow(dead_code)]
        fn all(held: &Held) {
            let $structure { $($field: _),+ } = held;
        }
        $crate::lines::hold(stringify!($structure), &[$($crate::lines::Field {
            name: stringify!($field),
            offset: std::mem::offset_of!(Held, $field),
            size: $crate::lines::size_of_field(|held: &Held| &held.$field),
            writer: $crate::lines::Writer::$writer,
        }),+]);
    }};
}
pub(crate) use hold_lines;

#[test]
#[should_panic(expected = "asked and head are on one line")]
fn two_writers_on_one_line_are_found() {
    #[repr(C)]
    struct Careless {
        asked: u32,
        head: u32,
    }
    hold_lines!(Careless: asked: Thieves, head: Owner);
}

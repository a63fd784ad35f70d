//! A head, a size and a tag in one word.
//!
//! The head counts modulo its width and is no position in any one array; arrays are powers of
//! two and not larger than half of that, so a head means the same slot before and after an array
//! has grown, whoever looks.

use lyocell_sync::Word;

/// Bits of the tag. Three eighths: with 64 bits, a thief must sleep through a multiple of 2^24 pushes
/// between its look and its swap, and find head and size as they were, to be fooled. What it then gets is a value, as
/// [`Plain`](crate::Plain) sees to.
pub(crate) const TAG_BITS: u32 = Word::BITS / 8 * 3;

/// A head, a size and a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor<const TAG_BITS: u32> {
    pub(crate) head: usize,
    pub(crate) size: usize,
    pub(crate) tag: Word,
}

impl<const TAG_BITS: u32> Anchor<TAG_BITS> {
    const FIELD_BITS: u32 = (Word::BITS - TAG_BITS) / 2;
    const FIELD_MASK: Word = ((1 as Word) << Self::FIELD_BITS) - 1;
    const TAG_MASK: Word = ((1 as Word) << TAG_BITS) - 1;

    /// The largest size: a power of two, half of what a head can count.
    pub(crate) const MAX_SIZE: usize = 1 << (Self::FIELD_BITS - 1);

    /// Nothing, with the head at `index` as far as it can count.
    pub(crate) const fn empty(index: usize) -> Self {
        Self { head: index & Self::FIELD_MASK as usize, size: 0, tag: 0 }
    }

    #[inline(always)]
    pub(crate) const fn pack(self) -> Word {
        ((self.head as Word) << (Self::FIELD_BITS + TAG_BITS))
            | ((self.size as Word) << TAG_BITS)
            | self.tag
    }

    #[inline(always)]
    pub(crate) const fn unpack(word: Word) -> Self {
        Self {
            head: ((word >> (Self::FIELD_BITS + TAG_BITS)) & Self::FIELD_MASK) as usize,
            size: ((word >> TAG_BITS) & Self::FIELD_MASK) as usize,
            tag: word & Self::TAG_MASK,
        }
    }

    /// One more at the end, under the next tag.
    #[inline(always)]
    pub(crate) const fn grown(self) -> Self {
        Self {
            size: self.size + 1,
            tag: self.tag.wrapping_add(1) & Self::TAG_MASK,
            head: self.head,
        }
    }

    /// One less at the end.
    #[inline(always)]
    pub(crate) const fn cut(self) -> Self {
        Self { size: self.size - 1, ..self }
    }

    /// `count` less at the head.
    #[inline(always)]
    pub(crate) const fn advanced(self, count: usize) -> Self {
        Self {
            head: self.head.wrapping_add(count) & Self::FIELD_MASK as usize,
            size: self.size - count,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Word};

    /// Leaves two bits for the head and two for the size.
    const TAG: u32 = Word::BITS - 4;

    #[test]
    fn every_narrow_anchor_survives_packing() {
        for head in 0..4 {
            for size in 0..4 {
                for tag in [0, 1, (1 << TAG) - 1] {
                    let anchor = Anchor::<TAG> { head, size, tag };
                    assert_eq!(Anchor::unpack(anchor.pack()), anchor);
                    if size < 3 {
                        let grown = anchor.grown();
                        assert_eq!((grown.head, grown.size), (head, size + 1));
                        assert_eq!(grown.tag, if tag == (1 << TAG) - 1 { 0 } else { tag + 1 });
                        assert_eq!(Anchor::unpack(grown.pack()), grown);
                    }
                    for count in 0..=size {
                        let advanced = anchor.advanced(count);
                        assert_eq!(advanced.head, (head + count) % 4);
                        assert_eq!((advanced.size, advanced.tag), (size - count, tag));
                        assert_eq!(Anchor::unpack(advanced.pack()), advanced);
                    }
                }
            }
        }
    }

    #[test]
    fn the_largest_size_is_half_of_the_heads() {
        assert_eq!(Anchor::<TAG>::MAX_SIZE, 2);
    }
}

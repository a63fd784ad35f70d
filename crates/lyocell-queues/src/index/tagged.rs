//! An index and a tag in one word.
//!
//! The tag tells apart two moments at which the index is the same but what it stands for is not: a
//! compare-and-swap that expects the earlier one fails (the ABA problem). It wraps around: a thief that
//! sleeps between its look and its compare-and-swap for exactly a multiple of 2^`TAG_BITS`
//! changes of tag, and wakes to the same index, would be fooled. With half a 64-bit word that is four thousand
//! million changes: half a minute of an owner that does nothing else. So steals are counted as well ([`crate::attempts`]).

use lyocell_sync::Word;

/// Half of the word, for queues whose only other field is an index.
pub const HALF: u32 = Word::BITS / 2;

/// A tag of so many bits.
#[derive(Debug)]
pub struct Tag<const BITS: u32>;

/// The tags that queues for users may have; the models also have narrow ones, and none.
pub trait Wide {}
impl Wide for Tag<HALF> {}

/// An index and a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tagged<const TAG_BITS: u32> {
    pub index: usize,
    pub tag: Word,
}

impl<const TAG_BITS: u32> Tagged<TAG_BITS> {
    /// The largest index.
    pub const MAX_INDEX: usize = {
        let largest = Word::MAX >> TAG_BITS;
        if largest > isize::MAX as Word { isize::MAX as usize } else { largest as usize }
    };

    #[inline(always)]
    pub const fn pack(self) -> Word {
        ((self.index as Word) << TAG_BITS) | self.tag
    }

    #[inline(always)]
    pub const fn unpack(word: Word) -> Self {
        Self { index: (word >> TAG_BITS) as usize, tag: word & Self::TAG_MASK }
    }

    const TAG_MASK: Word = ((1 as Word) << TAG_BITS) - 1;

    /// The tag before the first: queues start with it, so that every run, test and model goes through the
    /// wrap-around.
    pub const LAST_TAG: Word = Self::TAG_MASK;

    /// Whether it is one of two tags that lie half a round apart (with fewer than two bits, any is): a round goes through both.
    #[inline(always)]
    pub const fn ends_half_a_round(self) -> bool {
        self.tag & (Self::TAG_MASK >> 1) == 0
    }

    /// The same index under the next tag.
    #[inline(always)]
    pub const fn retag(self) -> Self {
        Self { tag: self.tag.wrapping_add(1) & Self::TAG_MASK, ..self }
    }

    #[inline(always)]
    pub const fn with_index(self, index: usize) -> Self {
        Self { index, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::Tagged;

    fn round_trip<const TAG_BITS: u32>() {
        for index in 0..16 {
            for tag in 0..1 << TAG_BITS {
                let tagged = Tagged::<TAG_BITS> { index, tag };
                assert_eq!(Tagged::unpack(tagged.pack()), tagged);
                let next = tagged.retag();
                assert_eq!(next.index, index);
                assert_eq!(next.tag, (tag + 1) % (1 << TAG_BITS));
                assert_eq!(Tagged::unpack(next.pack()), next);
            }
        }
    }

    #[test]
    fn every_narrow_word_survives_packing() {
        round_trip::<0>();
        round_trip::<1>();
        round_trip::<3>();
    }

    #[test]
    fn a_round_of_tags_has_two_halves() {
        fn halves<const TAG_BITS: u32>() -> usize {
            let tags = (0..1 << TAG_BITS).map(|tag| Tagged::<TAG_BITS> { index: 0, tag });
            tags.filter(|tagged| tagged.ends_half_a_round()).count()
        }
        assert_eq!((halves::<0>(), halves::<1>(), halves::<2>(), halves::<5>()), (1, 2, 2, 2));
    }

    #[test]
    fn the_largest_index_survives_packing() {
        let index = Tagged::<{ super::HALF }>::MAX_INDEX;
        let tagged = Tagged::<{ super::HALF }> { index, tag: 0 }.retag();
        assert_eq!(Tagged::unpack(tagged.pack()), tagged);
    }
}

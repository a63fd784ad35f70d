//! What became of an attempt to steal.

/// What became of an attempt to steal.
///
/// Attempts at several queues are collected into one: the first that took something, and no queue after it is asked;
/// else [`Steal::Busy`] if any was, for then there may be more.
///
/// ```
/// use lyocell_queues::{ChaseLev, Owner, Steal, Thief};
///
/// let queues = ChaseLev::team(3, 16);
/// queues[2].push("work")?;
/// let thieves: Vec<_> = queues.iter().map(Owner::thief).collect();
/// let stolen: Steal<_> = thieves.iter().map(Thief::steal).collect();
/// assert_eq!(stolen.success(), Some("work"));
/// # Ok::<(), lyocell_queues::Full<&str>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "what was stolen is in it"]
pub enum Steal<T> {
    /// The attempt succeeded, with this.
    Taken(T),
    /// There was nothing to steal.
    Empty,
    /// Another thief or the owner was at work at the same moment and won; there may be more to steal.
    Busy,
}

impl<T> Steal<T> {
    /// Returns the item or the count, if something was stolen.
    #[inline]
    pub fn taken(self) -> Option<T> {
        match self {
            Self::Taken(item) => Some(item),
            Self::Empty | Self::Busy => None,
        }
    }

    /// As [`taken`](Self::taken), by crossbeam-deque's name.
    #[inline]
    pub fn success(self) -> Option<T> {
        self.taken()
    }

    /// Returns whether something was stolen.
    #[inline]
    #[must_use]
    pub const fn is_taken(&self) -> bool {
        matches!(self, Self::Taken(_))
    }

    /// As [`is_taken`](Self::is_taken), by crossbeam-deque's name.
    #[inline]
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.is_taken()
    }

    /// Returns whether there was nothing to steal.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    /// Returns whether another was at work at the same moment and won.
    #[inline]
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        matches!(self, Self::Busy)
    }

    /// As [`is_busy`](Self::is_busy), by crossbeam-deque's name.
    #[inline]
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        self.is_busy()
    }

    /// Makes something else of what was stolen.
    ///
    /// ```
    /// use lyocell_queues::Steal;
    /// assert_eq!(Steal::Taken(2).map(|number| number * 2), Steal::Taken(4));
    /// ```
    #[inline]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Steal<U> {
        match self {
            Self::Taken(item) => Steal::Taken(f(item)),
            Self::Empty => Steal::Empty,
            Self::Busy => Steal::Busy,
        }
    }

    /// Tries elsewhere if nothing was stolen here. The outcome is [`Steal::Empty`] only if both are.
    ///
    /// ```
    /// use lyocell_queues::Steal::{Busy, Empty, Taken};
    ///
    /// assert_eq!(Taken(1).or_else(|| Taken(2)), Taken(1));
    /// assert_eq!(Busy.or_else(|| Taken(2)), Taken(2));
    /// assert_eq!(Busy::<u32>.or_else(|| Empty), Busy);
    /// assert_eq!(Empty::<u32>.or_else(|| Empty), Empty);
    /// ```
    #[inline]
    pub fn or_else(self, elsewhere: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Taken(_) => self,
            Self::Empty => elsewhere(),
            Self::Busy => match elsewhere() {
                Self::Empty => Self::Busy,
                other => other,
            },
        }
    }
}

impl<T> FromIterator<Self> for Steal<T> {
    /// The first that took something; see the type's documentation.
    fn from_iter<I: IntoIterator<Item = Self>>(attempts: I) -> Self {
        let mut busy = false;
        for attempt in attempts {
            match attempt {
                Self::Taken(_) => return attempt,
                Self::Empty => {}
                Self::Busy => busy = true,
            }
        }
        if busy { Self::Busy } else { Self::Empty }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::Steal::{self, Busy, Empty, Taken};

    const ALL: [Steal<u32>; 3] = [Taken(1), Empty, Busy];

    #[test]
    fn each_outcome_is_one_of_three() {
        for (outcome, [taken, empty, busy]) in
            ALL.into_iter().zip([[true, false, false], [false, true, false], [false, false, true]])
        {
            assert_eq!(
                [outcome.is_taken(), outcome.is_empty(), outcome.is_busy()],
                [taken, empty, busy]
            );
            assert_eq!((outcome.is_success(), outcome.is_retry()), (taken, busy));
            assert_eq!(
                (outcome.taken(), outcome.success()),
                (taken.then_some(1), taken.then_some(1))
            );
            assert_eq!(outcome.map(|number| number + 1).taken(), taken.then_some(2));
        }
    }

    #[test]
    fn a_second_attempt_counts_if_the_first_took_nothing() {
        for first in ALL {
            for second in [Taken(2), Empty, Busy] {
                let expected = match (first, second) {
                    (Taken(item), _) | (_, Taken(item)) => Taken(item),
                    (Empty, Empty) => Empty,
                    _ => Busy,
                };
                assert_eq!(first.or_else(|| second), expected);
                assert_eq!(Steal::from_iter([first, second]), expected);
            }
        }
        assert_eq!(Steal::<u32>::from_iter([]), Empty);
    }

    #[test]
    fn nobody_is_asked_after_one_that_took() {
        let mut asked = 0;
        let attempts = ALL.into_iter().inspect(|_| asked += 1);
        assert_eq!(attempts.collect::<Steal<_>>(), Taken(1));
        assert_eq!(asked, 1);
    }
}

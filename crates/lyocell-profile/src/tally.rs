//! What was measured of a piece of a program, and of the regions in it.

use crate::spans::Spans;
use hdrhistogram::Histogram;
use std::borrow::Cow;

/// What was measured of a region, or of all; times in ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// How often.
    pub(crate) times: u64,
    pub(crate) work: u64,
    pub(crate) spans: Spans,
    /// The part of the plain span that is in forks; in what is left, nothing is forked.
    pub(crate) forked_span: u64,
    /// From begin to end, on the clock on the wall.
    pub(crate) wall: u64,
    /// Tasks of joins, ranges and loops.
    pub(crate) tasks: u64,
    /// Tasks of scopes, and parts of coalesced work.
    pub(crate) jobs: u64,
    /// Tasks that somebody else ran.
    pub(crate) steals: u64,
    /// The part of the work that no processor was used for, because a task waited for something.
    pub(crate) blocked: u64,
    /// How long no processor was to be had because others had them. This is no part of the work.
    pub(crate) crowded: u64,
    /// The longest strand within a fork.
    pub(crate) longest: u64,
    pub(crate) sizes: Sizes,
}

impl Tally {
    /// Adds what somebody else measured of a part of this, but for spans and wall time, which may overlap.
    pub(crate) fn add_part(&mut self, part: &Tally) {
        self.tasks += part.tasks;
        self.jobs += part.jobs;
        self.steals += part.steals;
        self.blocked += part.blocked;
        self.crowded += part.crowded;
        self.longest = self.longest.max(part.longest);
        self.sizes.add(&part.sizes);
    }

    /// Adds another one of the same kind, which came before or after.
    pub(crate) fn add_in_series(&mut self, other: &Tally) {
        self.add_part(other);
        self.times += other.times;
        self.work += other.work;
        self.spans += other.spans;
        self.forked_span += other.forked_span;
        self.wall += other.wall;
    }
}

/// How long tasks are, in ticks, to one digit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes(Option<Box<Histogram<u64>>>);

/// About an hour at any clock rate.
const LONGEST: u64 = 1 << 44;

impl Sizes {
    /// So many tasks took so long.
    pub(crate) fn record(&mut self, ticks: u64, tasks: u64) {
        let histogram = self.0.get_or_insert_with(|| {
            Box::new(Histogram::new_with_bounds(1, LONGEST, 1).expect("sound bounds"))
        });
        histogram.saturating_record_n(ticks.clamp(1, LONGEST), tasks);
    }

    fn add(&mut self, other: &Sizes) {
        let Some(theirs) = &other.0 else { return };
        match &mut self.0 {
            Some(ours) => ours.add(&**theirs).expect("all have the same bounds"),
            None => self.0 = Some(theirs.clone()),
        }
    }

    /// The size that this share of the tasks does not exceed. Those below `resolution` are not told apart.
    pub(crate) fn quantile(&self, share: f64, resolution: u64) -> Option<u64> {
        let histogram = self.0.as_ref().filter(|histogram| !histogram.is_empty())?;
        Some(histogram.value_at_quantile(share).max(resolution))
    }

    /// How many of the sampled tasks are at most so long as each power of two, and longer than the one before it; the
    /// smallest is the first that is not below `resolution`.
    pub(crate) fn by_powers_of_two(&self, resolution: u64) -> Vec<(u64, u64)> {
        let Some(histogram) = &self.0 else { return Vec::new() };
        let mut powers: Vec<(u64, u64)> = Vec::new();
        for step in histogram.iter_recorded() {
            let power = step.value_iterated_to().max(resolution).next_power_of_two();
            match powers.last_mut() {
                Some((last, count)) if *last == power => {
                    *count += step.count_since_last_iteration()
                }
                _ => powers.push((power, step.count_since_last_iteration())),
            }
        }
        powers
    }
}

/// The name of a region.
pub(crate) type Name = Cow<'static, str>;

/// A region of a program, and those in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    pub(crate) name: Name,
    pub(crate) tally: Tally,
    pub(crate) inner: Vec<Region>,
}

/// Adds regions to those of the same name.
pub(crate) fn graft(onto: &mut Vec<Region>, regions: Vec<Region>) {
    for region in regions {
        match onto.iter_mut().find(|same| same.name == region.name) {
            Some(same) => {
                same.tally.add_in_series(&region.tally);
                graft(&mut same.inner, region.inner);
            }
            None => onto.push(region),
        }
    }
}

/// What a task, a root or a region came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    pub(crate) tally: Tally,
    pub(crate) regions: Vec<Region>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_quantiles_and_add_up() {
        let (mut a, mut b) = (Sizes::default(), Sizes::default());
        assert_eq!(a.quantile(0.5, 0), None);
        a.record(10, 90);
        b.record(5_000, 10);
        a.add(&b);
        assert_eq!(a.quantile(0.5, 0), Some(10));
        assert!((4_900..=5_400).contains(&a.quantile(0.99, 0).unwrap()));
        assert_eq!(a.by_powers_of_two(0), [(16, 90), (8_192, 10)]);
    }

    #[test]
    fn sizes_that_the_clock_cannot_tell_apart_are_one() {
        let mut sizes = Sizes::default();
        sizes.record(1, 40);
        sizes.record(20, 30);
        sizes.record(600, 30);
        assert_eq!(sizes.quantile(0.3, 70), Some(70));
        assert_eq!(sizes.by_powers_of_two(70), [(128, 70), (1_024, 30)]);
    }

    #[test]
    fn regions_of_one_name_are_one() {
        let region = |name: &'static str, work| Region {
            name: name.into(),
            tally: Tally { work, ..Tally::default() },
            inner: Vec::new(),
        };
        let mut regions = vec![region("a", 1)];
        graft(&mut regions, vec![region("b", 2), region("a", 3)]);
        assert_eq!(regions.iter().map(|region| region.tally.work).collect::<Vec<_>>(), [4, 2]);
    }
}

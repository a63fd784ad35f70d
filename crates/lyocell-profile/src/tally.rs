//! What was measured of a piece of a program, and of the regions in it.

use crate::spans::Spans;
use hdrhistogram::Histogram;
use std::borrow::Cow;
use std::collections::HashMap;

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
        add(&mut self.tasks, part.tasks);
        add(&mut self.jobs, part.jobs);
        add(&mut self.steals, part.steals);
        add(&mut self.blocked, part.blocked);
        add(&mut self.crowded, part.crowded);
        self.longest = self.longest.max(part.longest);
        self.sizes.add(&part.sizes);
    }

    /// Adds another one of the same kind, which came before or after.
    pub(crate) fn add_in_series(&mut self, other: &Tally) {
        self.add_part(other);
        add(&mut self.times, other.times);
        add(&mut self.work, other.work);
        self.spans += other.spans;
        add(&mut self.forked_span, other.forked_span);
        add(&mut self.wall, other.wall);
    }
}

/// Adds, up to the most there is: what is more than can be told must not end the program that is looked at.
pub(crate) fn add(sum: &mut u64, part: u64) {
    *sum = sum.saturating_add(part);
}

/// How long tasks are, in ticks, to one digit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes {
    histogram: Option<Box<Histogram<u64>>>,
    /// How many tasks were timed. Each may stand for many.
    timed: u64,
}

/// So many of the timed tasks are to be above a size that is given.
const BEYOND: f64 = 3.0;

/// About an hour at any clock rate.
const LONGEST: u64 = 1 << 44;

impl Sizes {
    /// So many tasks took so long.
    pub(crate) fn record(&mut self, ticks: u64, tasks: u64) {
        add(&mut self.timed, 1);
        let histogram = self.histogram.get_or_insert_with(|| {
            Box::new(Histogram::new_with_bounds(1, LONGEST, 1).expect("sound bounds"))
        });
        histogram.saturating_record_n(ticks.clamp(1, LONGEST), tasks);
    }

    fn add(&mut self, other: &Sizes) {
        add(&mut self.timed, other.timed);
        let Some(theirs) = &other.histogram else { return };
        match &mut self.histogram {
            Some(ours) => ours.add(&**theirs).expect("all have the same bounds"),
            None => self.histogram = Some(theirs.clone()),
        }
    }

    /// How many tasks were timed.
    pub(crate) fn timed(&self) -> u64 {
        self.timed
    }

    /// The size that this share of the tasks does not exceed, if enough of so many were timed to tell: nearly all, or some beyond
    /// it. Those below `resolution` are not told apart.
    pub(crate) fn quantile_of(&self, tasks: u64, share: f64, resolution: u64) -> Option<u64> {
        let timed = self.timed as f64;
        let enough = timed >= 0.9 * tasks as f64 || timed * (1.0 - share) >= BEYOND;
        self.quantile(share, resolution).filter(|_| enough)
    }

    /// The same, however few were timed.
    fn quantile(&self, share: f64, resolution: u64) -> Option<u64> {
        let histogram = self.histogram.as_ref().filter(|histogram| !histogram.is_empty())?;
        Some(histogram.value_at_quantile(share).max(resolution))
    }

    /// How many of the sampled tasks are at most so long as each power of two, and longer than the one before it; the
    /// smallest is the first that is not below `resolution`.
    pub(crate) fn by_powers_of_two(&self, resolution: u64) -> Vec<(u64, u64)> {
        let Some(histogram) = &self.histogram else { return Vec::new() };
        let mut powers: Vec<(u64, u64)> = Vec::new();
        for step in histogram.iter_recorded() {
            let power = step.value_iterated_to().max(resolution).next_power_of_two();
            match powers.last_mut() {
                Some((last, count)) if *last == power => {
                    add(count, step.count_since_last_iteration());
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
    pub(crate) inner: RegionSet,
}

/// Regions, one of each name, in the order in which they came first.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionSet {
    list: Vec<Region>,
    /// Where each is in the list, once that is longer than [`FEW`].
    places: Option<HashMap<Name, usize>>,
}

/// Up to so many regions are looked through one by one, which is as fast as to hash a name. Untuned.
const FEW: usize = 16;

impl RegionSet {
    /// Adds a region to the one of the same name.
    pub(crate) fn add(&mut self, region: Region) {
        let Some(place) = self.place_of(&region.name) else { return self.push(region) };
        let same = &mut self.list[place];
        same.tally.add_in_series(&region.tally);
        same.inner.graft(region.inner);
    }

    /// Adds each of other regions to the one of the same name.
    pub(crate) fn graft(&mut self, others: RegionSet) {
        if self.list.is_empty() {
            *self = others;
            return;
        }
        others.list.into_iter().for_each(|region| self.add(region));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Region> {
        self.list.iter()
    }

    fn place_of(&self, name: &Name) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(name).copied(),
            None => self.list.iter().position(|region| region.name == *name),
        }
    }

    /// Adds a region of a new name.
    fn push(&mut self, region: Region) {
        if let Some(places) = &mut self.places {
            places.insert(region.name.clone(), self.list.len());
        }
        self.list.push(region);
        if self.places.is_none() && self.list.len() > FEW {
            let names = self.list.iter().map(|region| region.name.clone());
            self.places = Some(names.zip(0..).collect());
        }
    }
}

/// What a task, a root or a region came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    pub(crate) tally: Tally,
    pub(crate) regions: RegionSet,
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
    fn a_size_is_told_if_enough_tasks_were_timed() {
        let mut sizes = Sizes::default();
        (0..40).for_each(|_| sizes.record(600, 10_000));
        assert_eq!(sizes.timed(), 40);
        assert!(sizes.quantile_of(400_000, 0.5, 0).is_some());
        assert_eq!(sizes.quantile_of(400_000, 0.99, 0), None);
        assert!(sizes.quantile_of(41, 0.99, 0).is_some());
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
            inner: RegionSet::default(),
        };
        let mut regions = RegionSet::default();
        ["b", "a"].into_iter().for_each(|name| regions.add(region(name, 3)));
        let mut others = RegionSet::default();
        ["a", "c"].into_iter().for_each(|name| others.add(region(name, 1)));
        regions.graft(others);
        let works = regions.iter().map(|region| (&*region.name, region.tally.work));
        assert_eq!(works.collect::<Vec<_>>(), [("b", 3), ("a", 4), ("c", 1)]);
    }

    /// Each look-up among many is one of an index that has them all, so it does not depend on how many there are.
    #[test]
    fn many_regions_are_found_without_a_search() {
        let names = || (0..1_000).map(|number| Name::from(format!("region {number}")));
        let mut regions = RegionSet::default();
        for name in names().chain(names()) {
            let tally = Tally { times: 1, ..Tally::default() };
            regions.add(Region { name, tally, inner: RegionSet::default() });
        }
        assert!(regions.iter().map(|region| region.name.clone()).eq(names()));
        assert!(regions.iter().all(|region| region.tally.times == 2));
        let places = regions.places.expect("an index");
        assert!(names().enumerate().all(|(place, name)| places[&name] == place));
    }

    #[test]
    fn what_is_more_than_can_be_told_is_the_most_there_is() {
        let most = u64::MAX - 1;
        let large = || Tally {
            times: most,
            work: most,
            spans: Spans::strand(most),
            forked_span: most,
            wall: most,
            tasks: most,
            jobs: most,
            steals: most,
            blocked: most,
            crowded: most,
            ..Tally::default()
        };
        let mut sum = large();
        sum.add_in_series(&large());
        let Tally { times, work, spans, forked_span, wall, tasks, jobs, steals, .. } = sum;
        assert_eq!([times, work, forked_span, wall, tasks, jobs, steals], [u64::MAX; 7]);
        assert_eq!(
            (spans, sum.blocked, sum.crowded),
            (Spans::strand(u64::MAX), u64::MAX, u64::MAX)
        );
    }
}

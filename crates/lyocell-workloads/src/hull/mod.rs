//! Hull: the convex hull of points in the plane, by quickhull.
//!
//! The `hull` of Acar, Charguéraud and Rainey (2013), section 4, from the Problem Based Benchmark Suite, on the suite's
//! points: uniform in a circle, or Plummer's distribution, which has few of them far out; there 100 million. The point
//! that is furthest from a line is on the hull; what is outside the two lines to it is gone into on both sides at once,
//! after it was found by a parallel search and a parallel pack. Below [`SERIAL`] points all that is serial. The program is
//! written once for all engines ([`fork`](crate::fork)).
//!
//! The answer is checked with exact predicates (Shewchuk's, of the crate `robust`): the hull turns strictly right at each
//! of its points, runs from the first to the last and back, and has no point on its left.

use std::ops::RangeInclusive;
use std::sync::Arc;

use robust::{Coord, orient2d};

use crate::fork::{Alone, AnyFork, Fork, KnownForks, Solve, both, each_chunk};
use crate::made::Made;
use crate::pbbs::pack::pack;
use crate::pbbs::points::{Cloud, Point};
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload, parse_number};

/// The paper's are 100 million: two gigabytes with what a run needs.
const COUNTS: RangeInclusive<u32> = 3..=100_000_000;

/// Fewer points are gone into without joins: some microseconds.
const SERIAL: usize = 1024;

/// Points a leaf of a search: some microseconds.
const BLOCK: usize = 4096;

pub(crate) static PROGRAM: Program<Hull> = Program {
    workload: Workload {
        name: "hull",
        summary: "convex hull of points in the plane, by quickhull",
        source: "Acar, Charguéraud and Rainey 2013, section 4; PBBS, Shun et al. 2012",
        parameters: || {
            format!(
                "KIND,N, KIND {}, N from {} to {} (the paper's)",
                Cloud::PARAMETERS,
                COUNTS.start(),
                COUNTS.end()
            )
        },
        default_parameter: "uniform,1000000",
    },
    small: || Hull::parse("uniform,5000"),
    parse: Hull::parse,
};

/// The convex hull of some points.
#[derive(Clone, Debug)]
pub struct Hull {
    cloud: Cloud,
    count: u32,
    /// Made by the first use.
    points: Made<[Point]>,
    forks: KnownForks,
}

impl Hull {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Hull, UnknownParameter> {
        let (cloud, count) = parameter.split_once(',').ok_or(UnknownParameter)?;
        let cloud = Cloud::parse(cloud).ok_or(UnknownParameter)?;
        let count = parse_number(count, COUNTS)?;
        Ok(Hull { cloud, count, points: Made::default(), forks: KnownForks::default() })
    }

    fn points(&mut self) -> Arc<[Point]> {
        let make = || self.cloud.points(self.count).into();
        self.points.get(make)
    }
}

/// Twice the area of a triangle; positive if `c` is on the left of the line from `a` to `b`.
#[inline]
fn area(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// The best of `items`, of which there is one at least, as `choose` says; in parallel.
fn best(fork: &mut dyn AnyFork, items: &[u32], choose: &(dyn Fn(&[u32]) -> u32 + Sync)) -> u32 {
    if items.len() <= BLOCK {
        return choose(items);
    }
    let mut of_blocks = vec![0; items.len().div_ceil(BLOCK)];
    each_chunk(fork, &mut of_blocks, 1, &|_, number, best| {
        let block = &items[number * BLOCK..];
        best[0] = choose(&block[..block.len().min(BLOCK)]);
    });
    choose(&of_blocks)
}

/// The item with the largest key, the first of equal ones.
fn largest(items: &[u32], key: impl Fn(u32) -> (f64, f64)) -> u32 {
    let (first, rest) = items.split_first().expect("there is one");
    let better = |(item, best): (u32, (f64, f64)), &other: &u32| {
        let other_key = key(other);
        if other_key > best { (other, other_key) } else { (item, best) }
    };
    rest.iter().fold((*first, key(*first)), better).0
}

/// The hull of those `outside` the line from `from` to `to`, all on its left, in their order, without these two.
fn go_into(
    fork: &mut dyn AnyFork,
    points: &[Point],
    outside: &[u32],
    (from, to): (u32, u32),
) -> Vec<u32> {
    if outside.is_empty() {
        return Vec::new();
    }
    let at = |index: u32| points[index as usize];
    let furthest = best(fork, outside, &|items| {
        largest(items, |item| (area(at(from), at(to), at(item)), 0.0))
    });
    let left_of = |fork: &mut dyn AnyFork, a: u32, b: u32| {
        pack(fork, outside, &|_, item| area(at(a), at(b), at(item)) > 0.0)
    };
    let first = left_of(fork, from, furthest);
    let second = left_of(fork, furthest, to);
    let (a, b) = if outside.len() < SERIAL {
        (
            go_into(&mut Alone, points, &first, (from, furthest)),
            go_into(&mut Alone, points, &second, (furthest, to)),
        )
    } else {
        both(
            fork,
            |fork| go_into(fork, points, &first, (from, furthest)),
            |fork| go_into(fork, points, &second, (furthest, to)),
        )
    };
    [a, vec![furthest], b].concat()
}

/// The hull of all, from the leftmost over the upper ones to the rightmost and back.
fn hull(fork: &mut dyn AnyFork, points: &[Point]) -> Vec<u32> {
    let mut all = vec![0; points.len()];
    each_chunk(fork, &mut all, BLOCK, &|_, number, items| {
        let start = (number * BLOCK) as u32;
        items.iter_mut().zip(start..).for_each(|(item, index)| *item = index);
    });
    let at = |index: u32| points[index as usize];
    let leftmost = best(fork, &all, &|items| largest(items, |item| (-at(item).x, -at(item).y)));
    let rightmost = best(fork, &all, &|items| largest(items, |item| (at(item).x, at(item).y)));
    let (left, right) = (at(leftmost), at(rightmost));
    let upper = pack(fork, &all, &|_, item| area(left, right, at(item)) > 0.0);
    let lower = pack(fork, &all, &|_, item| area(right, left, at(item)) > 0.0);
    let (upper, lower) = both(
        fork,
        |fork| go_into(fork, points, &upper, (leftmost, rightmost)),
        |fork| go_into(fork, points, &lower, (rightmost, leftmost)),
    );
    [vec![leftmost], upper, vec![rightmost], lower].concat()
}

impl Solve for Hull {
    fn solve<F: Fork>(&mut self, fork: &mut F) -> Vec<u32> {
        let points = self.points();
        hull(fork, &points)
    }
}

/// Positive if `c` is on the left of the line from `a` to `b`, and exactly so.
fn side(a: Point, b: Point, c: Point) -> f64 {
    let [a, b, c] = [a, b, c].map(|Point { x, y }| Coord { x, y });
    orient2d(a, b, c)
}

/// What is wrong with `hull`.
fn fault(points: &[Point], hull: &[u32]) -> Option<String> {
    let corners: Vec<Point> = hull.iter().map(|&index| points[index as usize]).collect();
    let count = corners.len();
    if count < 3 {
        return Some(format!("{count} corners"));
    }
    let corner = |index: usize| corners[index % count];
    let bent = |&index: &usize| side(corner(index), corner(index + 1), corner(index + 2)) < 0.0;
    if let Some(index) = (0..count).find(|index| !bent(index)) {
        return Some(format!("no turn to the right at corner {}", (index + 1) % count));
    }
    let in_order = |a: &Point, b: &Point| (a.x, a.y) < (b.x, b.y);
    let upper = 1 + corners.windows(2).take_while(|pair| in_order(&pair[0], &pair[1])).count();
    let back = corners[upper - 1..].windows(2).all(|pair| in_order(&pair[1], &pair[0]));
    if !back || !in_order(&corners[0], &corners[count - 1]) {
        return Some("a line that turns back more than once".to_owned());
    }
    let upper_chain = &corners[..upper];
    let mut lower_chain: Vec<Point> = corners[upper - 1..].to_vec();
    lower_chain.push(corners[0]);
    lower_chain.reverse();
    // The edge of a chain from left to right at a point, or the nearest.
    let edge = |chain: &[Point], point: &Point| {
        let after = chain.partition_point(|corner| corner.x < point.x).clamp(1, chain.len() - 1);
        (chain[after - 1], chain[after])
    };
    let outside = points.iter().position(|point| {
        let (a, b) = edge(upper_chain, point);
        let (c, d) = edge(&lower_chain, point);
        side(a, b, *point) > 0.0 || side(c, d, *point) < 0.0
    });
    outside.map(|index| format!("point {index} outside"))
}

impl Problem for Hull {
    /// The numbers of its corners.
    type Answer = Vec<u32>;

    fn parameter(&self) -> String {
        format!("{},{}", self.cloud.name(), self.count)
    }

    fn tasks(&self) -> Option<u64> {
        Some(self.forks.of(self).joins)
    }

    fn branching_depth(&self) -> Option<u64> {
        Some(self.forks.of(self).depth)
    }

    fn reset(&mut self) {
        self.points();
    }

    fn judge(&mut self, answer: &Vec<u32>) -> Result<String, WrongAnswer> {
        match fault(&self.points(), answer) {
            None => Ok(format!("{} corners", answer.len())),
            Some(got) => Err(WrongAnswer { expected: "the convex hull".to_owned(), got }),
        }
    }
}

#[cfg(test)]
mod tests {
    use geo::{ConvexHull, MultiPoint};

    use super::*;
    use crate::engine::{On, Serial};

    #[test]
    fn hulls_are_those_of_the_geometry_library() {
        for kind in ["uniform", "plummer"] {
            for count in [3, 4, 10, 100, 5_000, 50_000] {
                let mut problem = Hull::parse(&format!("{kind},{count}")).unwrap();
                let hull = On::<Serial>::run(&mut problem, ());
                assert!(problem.judge(&hull).is_ok(), "{kind},{count}: {:?}", problem.judge(&hull));
                let points = problem.points();
                let cloud: MultiPoint<f64> = points.iter().map(|p| (p.x, p.y)).collect();
                let polygon = cloud.convex_hull();
                // The first corner is the last one too; in the other direction.
                let mut expected: Vec<_> =
                    polygon.exterior().coords().skip(1).map(|c| (c.x, c.y)).collect();
                expected.reverse();
                let mut corners: Vec<_> =
                    hull.iter().map(|&index| points[index as usize]).map(|p| (p.x, p.y)).collect();
                let start = expected.iter().position(|corner| *corner == corners[0]).unwrap();
                corners.rotate_right(start);
                assert_eq!(corners, expected, "{kind},{count}");
            }
        }
    }

    #[test]
    fn a_corner_too_few_too_many_or_elsewhere_is_refused() {
        let mut problem = Hull::parse("uniform,2000").unwrap();
        let hull = On::<Serial>::run(&mut problem, ());
        for index in 0..hull.len() {
            let mut wrong = hull.clone();
            wrong.remove(index);
            assert!(problem.judge(&wrong).is_err(), "without {index}");
        }
        let inner = (0..2000).find(|index| !hull.contains(index)).unwrap();
        let twice = [&hull[..], &hull].concat();
        let reversed: Vec<u32> = hull.iter().rev().copied().collect();
        for wrong in [[&hull[..], &[inner]].concat(), twice, reversed, Vec::new()] {
            assert!(problem.judge(&wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "uniform", "uniform,2", "square,10", "uniform,10,1", "plummer,100000001"] {
            assert!(Hull::parse(text).is_err(), "{text:?}");
        }
    }
}

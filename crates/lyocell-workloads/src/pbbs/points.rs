//! Points in the plane.

use super::{hash, hash_double, hash_int};

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// How the points are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cloud {
    /// Evenly, in the circle around the origin: the paper's `uniform2d`.
    Uniform,
    /// More and more thinly away from the origin, without end: its `plummer2d`, which in the plane is Kuzmin's.
    Plummer,
}

impl Cloud {
    pub(crate) const PARAMETERS: &str = "uniform or plummer";

    pub(crate) fn parse(name: &str) -> Option<Cloud> {
        [Cloud::Uniform, Cloud::Plummer].into_iter().find(|one| one.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Cloud::Uniform => "uniform",
            Cloud::Plummer => "plummer",
        }
    }

    pub(crate) fn points(self, count: u32) -> Vec<Point> {
        let point = match self {
            Cloud::Uniform => in_circle,
            Cloud::Plummer => plummer,
        };
        (0..count).map(point).collect()
    }
}

impl Point {
    fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    fn scaled(self, by: f64) -> Point {
        Point { x: self.x * by, y: self.y * by }
    }
}

/// In the square.
fn in_square(seed: u32) -> Point {
    let (s0, s1) = (hash(seed), hash(hash(seed)));
    Point { x: 2.0 * hash_double(s0) - 1.0, y: 2.0 * hash_double(s1) - 1.0 }
}

/// The first in the circle of some in the square.
fn in_circle(index: u32) -> Point {
    let tries = (0..).map(|number| in_square(hash_int(number).wrapping_add(index)));
    tries.into_iter().find(|point| point.length() <= 1.0).expect("most are")
}

fn plummer(index: u32) -> Point {
    let direction = in_circle(index);
    let direction = direction.scaled(1.0 / direction.length());
    // Once in two billion points it would be nothing, and the point nowhere.
    let share = (1.0 - hash_double(hash_int(index))).max(f64::EPSILON);
    direction.scaled((1.0 / (share * share) - 1.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of points that are no further than `radius` from the origin.
    fn within(cloud: Cloud, radius: f64) -> f64 {
        let points = cloud.points(100_000);
        points.iter().filter(|point| point.length() <= radius).count() as f64 / 1e5
    }

    #[test]
    fn points_are_distributed_as_they_should_be() {
        let close =
            |got: f64, expected: f64| assert!((got - expected).abs() < 0.01, "{got}, {expected}");
        close(within(Cloud::Uniform, 0.5), 0.25);
        close(within(Cloud::Uniform, 1.0), 1.0);
        // Kuzmin's disk: 1 - 1 / sqrt(1 + r²) of the mass.
        close(within(Cloud::Plummer, 1.0), 1.0 - 0.5_f64.sqrt());
        close(within(Cloud::Plummer, 3.0), 1.0 - 0.1_f64.sqrt());
    }
}

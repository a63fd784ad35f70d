//! Integrate: the area below x³ + x from 0 to N by adaptive quadrature. An interval is halved as long as that changes
//! its area by 10⁻⁹ or more: a tree that is not balanced and whose shape is not known beforehand.
//!
//! The `integrate` of Fibril (Yang and Mellor-Crummey, 2016) and of libfork (Williams and Elliott, 2024), where N is
//! 10,000. The function costs three operations, so the tasks are about as short as those of `fib`.
//!
//! The answer is checked twice: against N⁴/4 + N²/2, within what the trapezoids may be off; and, since a small interval
//! that is left out would not show there, bit for bit against a walk with a stack of its own.

mod chili;
#[cfg(lace)]
mod lace;
mod lyocell;
mod rayon;
mod serial;
#[cfg(lace)]
mod serial_c;

use std::ops::RangeInclusive;
use std::ptr;
use std::sync::Arc;

use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Program, Workload, parse_number, within};

const BOUNDS: RangeInclusive<u32> = 1..=100_000;

/// The change of its area below which an interval is not halved any more.
const TOLERANCE: f64 = 1e-9;

/// What rounding may make of the area, as a share of it.
const ROUNDING: f64 = 1e-12;

pub(crate) static PROGRAM: Program<Integrate> = Program {
    workload: Workload {
        name: "integrate",
        summary: "area below x^3 + x from 0 to N by adaptive quadrature; nearly no work in a task",
        source: "Fibril, Yang and Mellor-Crummey 2016; libfork, Williams and Elliott 2024",
        parameters: || format!("N from {} to {}", BOUNDS.start(), BOUNDS.end()),
        default_parameter: "1000",
    },
    small: || Ok(Integrate::new(20)),
    parse: |parameter| Ok(Integrate::new(parse_number(parameter, BOUNDS)?)),
};

/// The area below a curve.
#[derive(Clone, Debug)]
pub struct Integrate {
    n: u32,
    /// Made by the first use.
    reference: Option<Arc<Reference>>,
}

/// What a run must find.
#[derive(Debug)]
struct Reference {
    area: f64,
    /// Intervals that are halved.
    halved: u64,
}

/// Part of the axis, with the curve at its ends. Layout shared with `interval.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: f64,
    to: f64,
    y_from: f64,
    y_to: f64,
    /// Of the trapezoid.
    area: f64,
}

/// An interval that has been looked at.
enum Seen {
    /// Its area.
    Flat(f64),
    Halved(Interval, Interval),
}

#[inline]
fn curve(x: f64) -> f64 {
    (x * x + 1.0) * x
}

impl Interval {
    #[inline]
    fn new(from: f64, to: f64, y_from: f64, y_to: f64) -> Interval {
        Interval { from, to, y_from, y_to, area: (y_from + y_to) / 2.0 * (to - from) }
    }

    /// From 0 to `n`.
    fn whole(n: u32) -> Interval {
        let to = f64::from(n);
        Interval::new(0.0, to, curve(0.0), curve(to))
    }

    /// Hands an interval on in registers, for the reason told at [`Interval::reread`].
    #[inline(always)]
    fn hand_on<R>(self, to: impl FnOnce(f64, f64, f64, f64, f64) -> R) -> R {
        to(self.from, self.to, self.y_from, self.y_to, self.area)
    }

    /// A copy, read number by number.
    ///
    /// For a copy the compiler reads two numbers at once, which the task that made this one has just written one by one.
    /// The processor cannot hand them on like that and waits for its cache: three times the time of a whole run.
    #[inline(always)]
    fn reread(&self) -> Interval {
        // SAFETY: a reference can be read from.
        let read = |number: &f64| unsafe { ptr::read_volatile(number) };
        Interval {
            from: read(&self.from),
            to: read(&self.to),
            y_from: read(&self.y_from),
            y_to: read(&self.y_to),
            area: read(&self.area),
        }
    }

    /// The leaf work of a task.
    #[inline]
    fn look(self) -> Seen {
        let middle = self.from + (self.to - self.from) / 2.0;
        let y_middle = curve(middle);
        let first = Interval::new(self.from, middle, self.y_from, y_middle);
        let second = Interval::new(middle, self.to, y_middle, self.y_to);
        let area = first.area + second.area;
        if (area - self.area).abs() < TOLERANCE {
            Seen::Flat(area)
        } else {
            Seen::Halved(first, second)
        }
    }
}

impl Reference {
    /// From 0 to `n`, with a stack of intervals and one of areas instead of calls.
    fn new(n: u32) -> Reference {
        enum Step {
            Look(Interval),
            Add,
        }
        let (mut steps, mut areas, mut halved) = (vec![Step::Look(Interval::whole(n))], vec![], 0);
        while let Some(step) = steps.pop() {
            match step {
                Step::Look(interval) => match interval.look() {
                    Seen::Flat(area) => areas.push(area),
                    Seen::Halved(first, second) => {
                        halved += 1;
                        steps.extend([Step::Add, Step::Look(second), Step::Look(first)]);
                    }
                },
                Step::Add => {
                    let second = areas.pop().unwrap_or_default();
                    let first = areas.last_mut().expect("the first half was looked at before");
                    *first += second;
                }
            }
        }
        Reference { area: areas[0], halved }
    }
}

/// The area below the curve from 0 to `n`.
fn exact(n: u32) -> f64 {
    let square = f64::from(n) * f64::from(n);
    square * square / 4.0 + square / 2.0
}

impl Integrate {
    /// From 0 to `n`.
    ///
    /// # Panics
    /// If `n` is not 1 to 100,000.
    pub fn new(n: u32) -> Integrate {
        Integrate { n: within(n, BOUNDS), reference: None }
    }

    fn whole(&self) -> Interval {
        Interval::whole(self.n)
    }

    fn reference(&mut self) -> &Reference {
        self.reference.get_or_insert_with(|| Arc::new(Reference::new(self.n)))
    }
}

impl Problem for Integrate {
    type Answer = f64;

    fn parameter(&self) -> String {
        self.n.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        Some(self.clone().reference().halved)
    }

    /// Makes what the answer is compared with.
    fn reset(&mut self) {
        self.reference();
    }

    fn judge(&mut self, answer: &f64) -> Result<String, WrongAnswer> {
        let (exact, &Reference { area, halved }) = (exact(self.n), self.reference());
        // An interval that is not halved is off by less than what halving it would change.
        let trapezoids = (halved + 1) as f64 * TOLERANCE;
        if (answer - exact).abs() > trapezoids + exact * ROUNDING {
            return Err(WrongAnswer { expected: exact.to_string(), got: answer.to_string() });
        }
        judge_equal(answer, &area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    #[test]
    fn the_area_is_that_below_the_curve() {
        for n in [1, 2, 10, 100, 1000] {
            let mut integrate = Integrate::new(n);
            let area = On::<Serial>::run(&mut integrate, ());
            assert!(integrate.judge(&area).is_ok(), "{n}: {:?}", integrate.judge(&area));
        }
        assert_eq!(exact(2), 6.0);
    }

    #[test]
    fn an_area_off_by_a_bit_or_by_an_interval_is_refused() {
        let mut integrate = Integrate::new(100);
        let area = On::<Serial>::run(&mut integrate, ());
        assert!(integrate.judge(&area.next_up()).is_err());
        assert!(integrate.judge(&(area * 0.999)).is_err());
        assert!(integrate.judge(&f64::NAN).is_err());
    }

    #[test]
    fn every_interval_that_is_halved_is_a_task() {
        fn halved(interval: Interval) -> u64 {
            match interval.look() {
                Seen::Flat(_) => 0,
                Seen::Halved(first, second) => 1 + halved(first) + halved(second),
            }
        }
        assert_eq!(Integrate::new(50).tasks(), Some(halved(Interval::whole(50))));
    }
}

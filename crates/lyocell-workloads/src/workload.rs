//! A program as it is listed, and how its parameters are read.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A program as a list shows it.
pub struct Workload {
    /// What it is called.
    pub name: &'static str,
    /// One line on what it computes.
    pub summary: &'static str,
    /// Where the program is from.
    pub source: &'static str,
    /// The parameters that it takes, in words.
    pub parameters: fn() -> String,
    /// The parameters of a program that is asked for without any.
    pub default_parameter: &'static str,
}

/// What the folder of a program says of it.
pub(crate) struct Program<P> {
    /// How it is listed.
    pub(crate) workload: Workload,
    /// The program with parameters of which a run takes some microseconds, for tests.
    pub(crate) small: fn() -> Result<P, UnknownParameter>,
    /// The program with these parameters. Cheap: large data is made by the first
    /// [`Problem::reset`](crate::Problem::reset).
    pub(crate) parse: fn(&str) -> Result<P, UnknownParameter>,
}

impl fmt::Debug for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The program does not take these parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownParameter;

/// A number within `bounds`, written in digits only.
pub(crate) fn parse_number<N>(
    parameter: &str,
    bounds: RangeInclusive<N>,
) -> Result<N, UnknownParameter>
where
    N: FromStr + PartialOrd,
{
    let digits = !parameter.is_empty() && parameter.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { parameter.parse().ok() } else { None };
    number.filter(|number| bounds.contains(number)).ok_or(UnknownParameter)
}

/// `number`, which a caller in Rust gives.
///
/// # Panics
/// If it is not within `bounds`.
pub(crate) fn within<N: PartialOrd + fmt::Debug>(number: N, bounds: RangeInclusive<N>) -> N {
    assert!(bounds.contains(&number), "{number:?} is not within {bounds:?}");
    number
}

/// A number, and how often what it says is done in a run: `64` or `64x100`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeated {
    pub(crate) n: u32,
    pub(crate) times: u64,
}

impl Repeated {
    const TIMES: RangeInclusive<u64> = 1..=1 << 32;

    /// What there is, in words.
    pub(crate) fn parameters(name: &str, bounds: &RangeInclusive<u32>) -> String {
        let (times, start, end) = (Repeated::TIMES, bounds.start(), bounds.end());
        format!(
            "{name} or {name}xTIMES, {name} from {start} to {end}, TIMES {} to {}",
            times.start(),
            times.end()
        )
    }

    pub(crate) fn parse(
        parameter: &str,
        bounds: RangeInclusive<u32>,
    ) -> Result<Repeated, UnknownParameter> {
        let (n, times) = parameter.split_once('x').unwrap_or((parameter, "1"));
        Ok(Repeated { n: parse_number(n, bounds)?, times: parse_number(times, Repeated::TIMES)? })
    }
}

impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Repeated { n, times } = self;
        if *times == 1 { n.fmt(f) } else { write!(f, "{n}x{times}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_the_bounds_and_other_text_are_refused() {
        assert_eq!(parse_number("12", 1..=20).ok(), Some(12));
        for text in ["", "-1", "+1", "0", "21", "1.5", "x", " 3", "99999999999999999999999"] {
            assert!(parse_number(text, 1..=20_u64).is_err(), "{text:?}");
        }
    }

    #[test]
    fn how_often_is_said_behind_the_number() {
        let parse = |text| Repeated::parse(text, 1..=20).map(|size| (size.n, size.times));
        assert_eq!(parse("12"), Ok((12, 1)));
        assert_eq!(parse("12x34"), Ok((12, 34)));
        for text in ["", "x", "12x", "x3", "12x0", "21x1", "1x2x3"] {
            assert_eq!(parse(text), Err(UnknownParameter), "{text:?}");
        }
        for text in ["12", "12x34"] {
            assert_eq!(Repeated::parse(text, 1..=20).unwrap().to_string(), text);
        }
    }
}

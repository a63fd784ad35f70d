//! A program as it is listed and asked for by name.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::list::{Instance, WORKLOADS};

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
    /// The program with parameters of which a run takes some microseconds, for tests.
    pub small: fn() -> Result<Instance, UnknownParameter>,
    /// The program with these parameters. Cheap: large data is made by the first
    /// [`Problem::reset`](crate::Problem::reset).
    pub parse: fn(&str) -> Result<Instance, UnknownParameter>,
}

impl fmt::Debug for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The program does not take these parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownParameter;

/// Why a text names no instance.
#[derive(Clone, Debug)]
pub enum UnknownInstance {
    /// No program has this name.
    Name(String),
    /// The program does not take these parameters.
    Parameter(&'static Workload, String),
}

impl fmt::Display for UnknownInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownInstance::Name(name) => {
                let names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
                let (last, others) = names.split_last().unwrap_or((&"none", &[]));
                let others = others.join(", ");
                write!(f, "there is no workload `{name}`: there are {others} and {last}")
            }
            UnknownInstance::Parameter(workload, parameter) => {
                let (name, parameters) = (workload.name, (workload.parameters)());
                write!(f, "there is no {name}:{parameter}: {name} takes {parameters}")
            }
        }
    }
}

impl std::error::Error for UnknownInstance {}

impl FromStr for Instance {
    type Err = UnknownInstance;

    /// The instance that `NAME` or `NAME:PARAMETER` names.
    fn from_str(text: &str) -> Result<Instance, UnknownInstance> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let workload = WORKLOADS.iter().copied().find(|workload| workload.name == name);
        let workload = workload.ok_or_else(|| UnknownInstance::Name(name.to_owned()))?;
        let parameter = parameter.unwrap_or(workload.default_parameter);
        (workload.parse)(parameter)
            .map_err(|UnknownParameter| UnknownInstance::Parameter(workload, parameter.to_owned()))
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.workload().name, self.parameter())
    }
}

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

/// One of each program, in the order of the list: each so small that threads are what takes time. For tests.
///
/// # Panics
/// If a program does not take the parameters it has here.
pub fn small_instances() -> Vec<Instance> {
    let small = |workload: &&Workload| (workload.small)().expect("parameters that it takes");
    WORKLOADS.iter().map(small).collect()
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
    fn small_instances_are_of_every_program() {
        let names: Vec<&str> =
            small_instances().iter().map(|instance| instance.workload().name).collect();
        assert!(WORKLOADS.iter().map(|workload| workload.name).eq(names));
    }

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

    #[test]
    fn default_parameters_are_parameters_and_an_instance_is_named_as_it_is_asked_for() {
        for workload in WORKLOADS {
            let instance: Instance = workload.name.parse().unwrap();
            assert_eq!(instance.parameter(), workload.default_parameter);
            let again: Instance = instance.to_string().parse().unwrap();
            assert_eq!(again.to_string(), instance.to_string());
            assert!(std::ptr::eq(instance.workload(), *workload));
        }
    }

    #[test]
    fn what_there_is_not_is_named_with_what_there_is() {
        let message = |text: &str| text.parse::<Instance>().unwrap_err().to_string();
        let unknown = message("fob:3");
        assert!(unknown.contains("`fob`") && unknown.contains("fib, queens"), "{unknown}");
        let out_of_bounds = message("queens:99");
        assert!(out_of_bounds.contains("queens:99: queens takes N"), "{out_of_bounds}");
    }
}

//! Numbers as people read them.

use lyocell_engines::latency::Unit;

/// A number in its unit.
pub(crate) fn amount(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Seconds => seconds(number),
        Unit::Count => count(number as u64),
        Unit::Ratio => format!("{number:.2}"),
        Unit::Bytes => format!("{} MiB", three_digits(number / f64::from(1 << 20))),
    }
}

/// Nanoseconds, microseconds, milliseconds or seconds, three digits.
pub(crate) fn seconds(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")];
    let fits = |&&(unit, _): &&(f64, &str)| seconds.abs() >= unit;
    let &(unit, name) = UNITS.iter().find(fits).unwrap_or(&UNITS[UNITS.len() - 1]);
    format!("{} {name}", three_digits(seconds / unit))
}

/// Three digits, or all before the point.
pub(crate) fn three_digits(number: f64) -> String {
    let decimals = match number.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.decimals$}")
}

/// A whole number with its thousands apart.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_and_three_digits() {
        assert_eq!(seconds(1.2345), "1.23 s");
        assert_eq!(seconds(0.0123), "12.3 ms");
        assert_eq!(seconds(0.000_123), "123 us");
        assert_eq!(seconds(5e-10), "0.50 ns");
        assert_eq!(seconds(0.0), "0.00 ns");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(
            [0, 999, 1000, 20_365_011_073].map(count),
            ["0", "999", "1,000", "20,365,011,073"]
        );
    }
}

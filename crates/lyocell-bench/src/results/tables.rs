//! The tables of README, made from a file of results.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::iter;

use super::file::{Kept, Row};
use super::suite::{CLOCK, DEQUES, HEADLINE, JOIN, LATENCY, TIME};
use crate::measure::{Timing, distinct};
use crate::report::{self, Cell, GAP, Table, seconds, three_digits};
use lyocell_engines::fork_cost::WAYS;
use lyocell_engines::latency::Unit;
use lyocell_engines::runtime::Setup;
use lyocell_engines::{RUNTIME, SERIAL, SERIAL_C};

/// A text with the name of its place in README.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

/// Makes a block, if there are results for it.
type Make = fn(&Kept) -> Option<String>;

/// Every block that `kept` has results for.
pub(crate) fn blocks(kept: &Kept) -> Vec<Block> {
    let all: [(&'static str, Make); 6] = [
        (JOIN, join),
        ("machine", machine),
        (HEADLINE, headline),
        ("overhead", overhead),
        (LATENCY, latency),
        (DEQUES, deques),
    ];
    all.into_iter().filter_map(|(name, make)| Some(Block { name, text: make(kept)? })).collect()
}

/// The engines without workers, which have columns of their own.
const SERIALS: [&str; 2] = [SERIAL, SERIAL_C];

/// The timed runs of a suite.
struct Times<'a>(Vec<&'a Row>);

impl<'a> Times<'a> {
    /// `None` if there are none.
    fn of(kept: &'a Kept, suite: &str) -> Option<Times<'a>> {
        let timed = |row: &&Row| row.suite == suite && row.statistic == TIME;
        let rows: Vec<&Row> = kept.rows.iter().filter(timed).collect();
        (!rows.is_empty()).then_some(Times(rows))
    }

    fn subjects(&self) -> Vec<&'a str> {
        distinct(self.0.iter().map(|row| row.subject.as_str()))
    }

    /// But for the serial programs.
    fn engines(&self) -> Vec<&'a str> {
        let engines = self.0.iter().map(|row| row.engine.as_str());
        distinct(engines.filter(|engine| !SERIALS.contains(engine)))
    }

    /// Of the parallel runs, in ascending order.
    fn workers(&self) -> Vec<usize> {
        let parallel = self.0.iter().filter(|row| !SERIALS.contains(&row.engine.as_str()));
        crate::workers::sorted(parallel.map(|row| row.workers).collect())
    }

    /// Of one layout of the program, the median of its repetitions.
    fn in_layout(
        &self,
        layout: Option<usize>,
        (subject, engine, workers): (&str, &str, usize),
    ) -> Option<f64> {
        let of = |row: &&&Row| {
            let key = (row.subject.as_str(), row.engine.as_str(), row.workers);
            row.layout == layout && key == (subject, engine, workers)
        };
        let times = self.0.iter().filter(of).map(|row| row.value).collect();
        Some(Timing::of(times)?.median)
    }

    fn layouts(&self) -> BTreeSet<Option<usize>> {
        self.0.iter().map(|row| row.layout).collect()
    }

    /// A value of each layout.
    fn over_layouts(&self, value: impl Fn(Option<usize>) -> Option<f64>) -> Option<Timing> {
        Timing::of(self.layouts().into_iter().filter_map(value).collect())
    }

    fn median(&self, subject: &str, engine: &str, workers: usize) -> Option<f64> {
        let key = (subject, engine, workers);
        Some(self.over_layouts(|layout| self.in_layout(layout, key))?.median)
    }

    /// The median, and the range over the layouts, or of one layout over its repetitions.
    fn range(&self, subject: &str, engine: &str, workers: usize) -> Option<Timing> {
        let key = (subject, engine, workers);
        if self.layouts().len() > 1 {
            return self.over_layouts(|layout| self.in_layout(layout, key));
        }
        let of = |row: &&&Row| (row.subject.as_str(), row.engine.as_str(), row.workers) == key;
        Timing::of(self.0.iter().filter(of).map(|row| row.value).collect())
    }

    /// The median of a subject, with the range of the layouts' medians; of one layout with that of half of its repetitions.
    fn quartiles(&self, subject: &str) -> Option<Timing> {
        if self.layouts().len() > 1 {
            return self.range(subject, RUNTIME, 1);
        }
        let of = |row: &&&Row| row.subject == subject;
        let mut values: Vec<f64> = self.0.iter().filter(of).map(|row| row.value).collect();
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((share * values.len() as f64) as usize).copied();
        Some(Timing { median: at(0.5)?, low: at(0.25)?, high: at(0.75)? })
    }

    /// T_S, with the program in C beside it where there is one.
    fn serial(&self, subject: &str) -> String {
        let times = SERIALS.map(|serial| self.median(subject, serial, 1).map(seconds));
        match times {
            [None, None] => GAP.to_owned(),
            [Some(rust), None] => rust,
            [rust, Some(c)] => format!("{}, in C {c}", rust.unwrap_or(GAP.to_owned())),
        }
    }

    /// (T_1 - T_S) / tasks, in nanoseconds.
    fn overhead_ns(&self, subject: &str, engine: &str) -> Option<Timing> {
        let tasks = self.0.iter().find(|row| row.subject == subject)?.tasks?;
        let tasks = Some(tasks).filter(|&tasks| tasks > 0)?;
        self.over_layouts(|layout| {
            let time = |engine| self.in_layout(layout, (subject, engine, 1));
            Some((time(engine)? - time(SERIAL)?) * 1e9 / tasks as f64)
        })
    }

    /// The title of what [`Times::overhead_ns`] says.
    fn overhead_title(&self) -> String {
        match self.layouts().len() {
            1 => "ns per task over serial".to_owned(),
            count => format!("ns per task over serial, median (range) over {count} layouts"),
        }
    }
}

/// What all was measured on.
fn machine(kept: &Kept) -> Option<String> {
    let mut text = format!("{}, {}", kept.note("machine")?, kept.note("date")?);
    for name in ["rust", "lace"] {
        if let Some(value) = kept.note(name) {
            let _ = write!(text, "; {value}");
        }
    }
    Some(text + "\n")
}

/// T_S, and T_1 / T_P of each engine; the shortest T_P of a row in bold, where it is beyond the noise.
fn headline(kept: &Kept) -> Option<String> {
    let times = Times::of(kept, HEADLINE)?;
    let (engines, workers) = (times.engines(), times.workers());
    let title = |engine: &&str| {
        let titles: Vec<String> = workers.iter().map(|count| format!("T_{count}")).collect();
        format!("{engine} {}", titles.join(" / "))
    };
    let titles = engines.iter().map(title);
    let header: Vec<String> =
        ["workload", "serial"].map(str::to_owned).into_iter().chain(titles).collect();
    let row = |subject: &str| {
        let last = |engine: &str| times.range(subject, engine, *workers.last()?);
        // Beyond the noise: all of its range lies below those of the others.
        let is_best = |engine: &str| {
            let others =
                || engines.iter().filter(|other| **other != engine).filter_map(|other| last(other));
            let below =
                |own: Timing| others().count() > 0 && others().all(|other| own.high < other.low);
            last(engine).is_some_and(below)
        };
        let cell = |engine: &&str| {
            let each = workers.iter().map(|&count| times.median(subject, engine, count));
            let each: Option<Vec<String>> = each.map(|time| time.map(seconds)).collect();
            match each {
                None => GAP.into(),
                Some(each) => Cell { text: each.join(" / "), is_best: is_best(engine) },
            }
        };
        let own = vec![subject.into(), times.serial(subject).into()];
        [own, engines.iter().map(cell).collect()].concat()
    };
    Some(Table::new(1, &header).of(times.subjects().into_iter().map(row)).markdown())
}

/// The median, with the range if there is one.
fn nanoseconds(value: Option<Timing>) -> String {
    match value {
        None => GAP.to_owned(),
        Some(Timing { median, low, high }) if low == high => three_digits(median),
        Some(Timing { median, low, high }) => {
            format!("{} ({} to {})", three_digits(median), three_digits(low), three_digits(high))
        }
    }
}

/// Nanoseconds for each task over the serial program.
fn overhead(kept: &Kept) -> Option<String> {
    let times = Times::of(kept, HEADLINE)?;
    let engines = times.engines();
    let names = engines.iter().map(|&engine| engine.to_owned());
    let header: Vec<String> = iter::once(times.overhead_title()).chain(names).collect();
    let row = |subject: &str| {
        let own = |engine: &&str| nanoseconds(times.overhead_ns(subject, engine));
        [vec![subject.to_owned()], engines.iter().map(own).collect()].concat()
    };
    Some(Table::new(1, &header).of(times.subjects().into_iter().map(row)).markdown())
}

/// What a join costs over a call: nanoseconds, their range, and cycles of the clock.
fn join(kept: &Kept) -> Option<String> {
    let times = Times::of(kept, JOIN)?;
    let clock = kept.rows.iter().filter(|row| row.suite == JOIN && row.statistic == CLOCK);
    let clock = Timing::of(clock.map(|row| row.value).collect())?.median;
    let row = |name: &&str| {
        let ns = times.quartiles(name)?;
        let cell = |ns: f64| format!("{:.2}", ns * 1e9);
        let range = format!("{} to {}", cell(ns.low), cell(ns.high));
        let cycles = format!("{:.1}", ns.median * 1e9 * clock);
        Some(vec![(*name).to_owned(), cell(ns.median), range, cycles])
    };
    let titles = "what a join costs over a call, if its closures capture | ns | range | cycles";
    Some(Table::titled(1, titles).of(WAYS.iter().filter_map(row)).markdown())
}

/// A row of the table of latency: the measure, what README calls it, its statistics. What was not measured has no row.
const LATENCY_ROWS: [(&str, &str, &[&str]); 12] = [
    ("enter", "`run` of an empty closure, from outside", &["p50"]),
    (
        "wake",
        "a parked pool gets a join of two 200 us spins: until both run (p50 / p99)",
        &["p50", "p99"],
    ),
    ("wake", "the median of that over a bare `unpark` of a thread", &["p50 over a bare unpark"]),
    ("stream", "a stream of empty joins, on a parked pool over on one worker", &["ratio"]),
    (
        "stream",
        "processor time of all workers meanwhile, over that of one",
        &["ratio of CPU time of all workers"],
    ),
    (
        "alone",
        "left alone for 5 s: processor time / context switches",
        &["CPU time", "context switches"],
    ),
    ("resident", "64 idle workers, resident", &["64 workers"]),
    (
        "callers",
        "`run` of an empty closure from 32 threads at once (p50 / p99.9)",
        &["p50", "p99.9"],
    ),
    (
        "coarse-after-fine",
        "a join of two leaves of 1 ms / 5 ms / 50 ms after finer work",
        &[
            "join of 1 ms: median over prefixes",
            "join of 5 ms: median over prefixes",
            "join of 50 ms: median over prefixes",
        ],
    ),
    (
        "coarse-after-fine",
        "50 times fib(12) and a join of two leaves of 3 ms",
        &["50 x fib(12) and join of 3 ms"],
    ),
    (
        "coarse-after-fine",
        "a loop over 2 / 3 / 4 / 8 items of 3 ms",
        &["loop over 2 x 3 ms", "loop over 3 x 3 ms", "loop over 4 x 3 ms", "loop over 8 x 3 ms"],
    ),
    (
        "coarse-after-fine",
        "a loop over a million cheap items and 3,000 of 100 us, over on one worker",
        &["1 M cheap items then 3000 of 100 us: ratio"],
    ),
];

fn latency(kept: &Kept) -> Option<String> {
    let rows: Vec<&Row> = kept.rows.iter().filter(|row| row.suite == LATENCY).collect();
    let engines = distinct(rows.iter().map(|row| row.engine.as_str()));
    let header = [""].iter().chain(&engines).map(|&word| word.to_owned()).collect::<Vec<_>>();
    let cell = |measure: &str, engine: &str, statistics: &[&str]| {
        let number = |statistic: &&str| {
            rows.iter()
                .find(|row| {
                    row.subject == measure && row.engine == engine && row.statistic == *statistic
                })
                .map(|row| amount(row))
        };
        let numbers: Option<Vec<String>> = statistics.iter().map(number).collect();
        numbers.map_or(GAP.to_owned(), |numbers| numbers.join(" / "))
    };
    let measured = |(measure, _, statistics): &&(&str, &str, &[&str])| {
        rows.iter().any(|row| row.subject == *measure && statistics.contains(&&*row.statistic))
    };
    let line = |(measure, title, statistics): &(&str, &str, &[&str])| {
        let cells = engines.iter().map(|engine| cell(measure, engine, statistics)).collect();
        [vec![(*title).to_owned()], cells].concat()
    };
    let lines: Vec<Vec<String>> = LATENCY_ROWS.iter().filter(measured).map(line).collect();
    (!lines.is_empty()).then(|| Table::new(1, &header).of(lines).markdown())
}

/// A number in its unit.
fn amount(row: &Row) -> String {
    match Unit::ALL.into_iter().find(|unit| unit.name() == row.unit) {
        Some(unit) => report::amount(row.value, unit),
        None => row.value.to_string(),
    }
}

/// Nanoseconds for each task on each deque, with one worker.
fn deques(kept: &Kept) -> Option<String> {
    let times = Times::of(kept, DEQUES)?;
    let subject = times.subjects().into_iter().next()?;
    let prefix = format!("{RUNTIME}:");
    let engines = times.engines();
    let name = |engine: &&str| match engine.strip_prefix(&prefix) {
        Some(deque) => deque.to_owned(),
        None if *engine == RUNTIME => Setup::DEFAULT.deque.name.to_owned(),
        None => (*engine).to_owned(),
    };
    let header = [vec![subject.to_owned()], engines.iter().map(name).collect()].concat();
    let own = |engine: &&str| nanoseconds(times.overhead_ns(subject, engine));
    let title = vec![times.overhead_title()];
    let row = [title, engines.iter().map(own).collect()].concat();
    Some(Table::new(1, &header).of([row]).markdown())
}

#[cfg(test)]
mod tests {
    use super::super::file::tests::time;
    use super::*;

    fn text(rows: Vec<Row>, name: &str) -> Option<String> {
        let kept = Kept { rows, notes: Vec::new() };
        blocks(&kept).into_iter().find(|block| block.name == name).map(|block| block.text)
    }

    #[test]
    fn the_headline_has_medians_and_the_shortest_in_bold() {
        let rows = vec![
            time(HEADLINE, "fib:9", SERIAL, 1, 0.2),
            time(HEADLINE, "fib:9", "lyocell", 1, 0.3),
            time(HEADLINE, "fib:9", "lyocell", 2, 0.15),
            time(HEADLINE, "fib:9", "lyocell", 2, 0.17),
            time(HEADLINE, "fib:9", "lyocell", 2, 0.16),
            time(HEADLINE, "fib:9", "rayon", 1, 1.5),
            time(HEADLINE, "fib:9", "rayon", 2, 0.75),
            time(HEADLINE, "queens:4", "rayon", 1, 1.5),
            time(HEADLINE, "queens:4", SERIAL, 1, 0.4),
            time(HEADLINE, "queens:4", SERIAL_C, 1, 0.3),
        ];
        let expected = "| workload | serial | lyocell T_1 / T_2 | rayon T_1 / T_2 |\n\
                        |---|---|---|---|\n\
                        | fib:9 | 200 ms | **300 ms / 160 ms** | 1.50 s / 750 ms |\n\
                        | queens:4 | 400 ms, in C 300 ms | - | - |\n";
        assert_eq!(text(rows.clone(), HEADLINE).unwrap(), expected);
        let overhead = text(rows, "overhead").unwrap();
        assert!(overhead.contains("| fib:9 | 100 | 1300 |"), "{overhead}");
    }

    #[test]
    fn over_layouts_overheads_are_medians_with_the_range() {
        let layout = |number, serial, parallel| {
            let runs = [(SERIAL, serial), ("lyocell", parallel)];
            runs.map(|(engine, seconds)| {
                let time = time(HEADLINE, "fib:9", engine, 1, seconds);
                Row { layout: Some(number), ..time }
            })
        };
        let rows = [layout(0, 0.2, 0.202), layout(1, 0.3, 0.303), layout(2, 0.2, 0.206)].concat();
        let overhead = text(rows.clone(), "overhead").unwrap();
        assert!(overhead.contains("median (range) over 3 layouts"), "{overhead}");
        assert!(overhead.contains("| fib:9 | 3.00 (2.00 to 6.00) |"), "{overhead}");
        assert!(text(rows, HEADLINE).unwrap().contains("| fib:9 | 200 ms | 206 ms |"));
    }

    #[test]
    fn latency_has_a_row_a_measure() {
        let figure = |measure: &str, statistic: &str, value: f64, unit: Unit| Row {
            rep: None,
            tasks: None,
            statistic: statistic.to_owned(),
            unit: unit.name().to_owned(),
            ..time(LATENCY, measure, "lyocell", 2, value)
        };
        let rows = vec![
            figure("wake", "p50", 93e-6, Unit::Seconds),
            figure("wake", "p99", 151e-6, Unit::Seconds),
            figure("wake", "on another worker", 1.0, Unit::Ratio),
            figure("alone", "CPU time", 0.0, Unit::Seconds),
            figure("alone", "context switches", 7.0, Unit::Count),
        ];
        let latency = text(rows, LATENCY).unwrap();
        assert!(latency.starts_with("|  | lyocell |\n|---|---|\n"), "{latency}");
        assert!(latency.contains("(p50 / p99) | 93.0 us / 151 us |"), "{latency}");
        assert!(latency.contains("context switches | 0.00 ns / 7 |"), "{latency}");
        // A statistic of `wake` that is not in the file has no row either.
        assert_eq!(latency.lines().count(), 4);
    }

    #[test]
    fn deques_are_named_without_the_runtime() {
        let rows = vec![
            time(DEQUES, "fib:9", SERIAL, 1, 0.2),
            time(DEQUES, "fib:9", "lyocell", 1, 0.2003),
            time(DEQUES, "fib:9", "lyocell:abp", 1, 0.2052),
        ];
        let deques = text(rows, DEQUES).unwrap();
        assert!(deques.starts_with("| fib:9 | split | abp |"), "{deques}");
        assert!(deques.contains("| 0.30 | 5.20 |"), "{deques}");
    }

    #[test]
    fn what_was_not_measured_has_no_block() {
        assert_eq!(blocks(&Kept { notes: Vec::new(), rows: Vec::new() }), []);
    }
}

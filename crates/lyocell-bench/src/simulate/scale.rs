//! What is simulated beside what is measured: on the machine that was measured, and on a paper's machine.

use std::collections::BTreeMap;

use super::row::{Answer, Group};
use crate::measure::RunRecord;
use crate::report::{GAP, Table, count, seconds};
use crate::stats::{Timing, distinct};
use lyocell_engines::RUNTIME;

/// A program on so many workers.
type Place = (String, usize);

/// What was measured on the machine that is simulated.
#[derive(Debug)]
pub(crate) struct Measured {
    times: BTreeMap<Place, Timing>,
    steals: BTreeMap<Place, Timing>,
}

impl Measured {
    /// Of the CSV reports of `lyocell run`, one of them with `--stats`; why not, if they are none.
    ///
    /// # Errors
    /// They are no such reports.
    pub(crate) fn of(runs: &str, counted: &str) -> Result<Measured, String> {
        let records = RunRecord::parse_all(runs, 0).ok_or("measured.csv is no report of runs")?;
        let mut times: BTreeMap<Place, Vec<f64>> = BTreeMap::new();
        for record in records.iter().filter(|record| record.engine == RUNTIME) {
            times.entry((record.job(), record.workers)).or_default().push(record.seconds);
        }
        if times.is_empty() {
            return Err("measured.csv has no run of the runtime".to_owned());
        }
        let mut steals: BTreeMap<Place, Vec<f64>> = BTreeMap::new();
        let mut reader = csv::Reader::from_reader(counted.as_bytes());
        for row in reader.deserialize::<BTreeMap<String, String>>() {
            let row = row.map_err(|error| format!("steals.csv: {error}"))?;
            let field = |name: &str| {
                row.get(name).ok_or_else(|| format!("steals.csv has no column {name}"))
            };
            let number = |name: &str| {
                let parsed = field(name)?.parse::<u32>();
                parsed.map_err(|error| format!("steals.csv, {name}: {error}"))
            };
            if field("worker")? == "all" {
                let job = format!("{}:{}", field("workload")?, field("param")?);
                let place = (job, number("workers")? as usize);
                let both = f64::from(number("steals")? + number("leaps")?);
                steals.entry(place).or_default().push(both);
            }
        }
        let all = |values: BTreeMap<Place, Vec<f64>>| {
            values
                .into_iter()
                .filter_map(|(place, values)| Some((place, Timing::of(values)?)))
                .collect()
        };
        Ok(Measured { times: all(times), steals: all(steals) })
    }
}

/// Each program's time and steals, as simulated and as measured, below the machine's title.
pub(crate) fn residuals(predicted: &Answer, measured: &Measured) -> String {
    let row = |group: &Group<'_>| {
        let first = group.first();
        let place = (first.program.clone(), first.workers);
        let took = group.median(|row| row.took_ns) / 1e9;
        let time = measured.times.get(&place)?;
        let steals = measured.steals.get(&place);
        let off = 100.0 * (took / time.median - 1.0);
        Some(vec![
            place.0.clone(),
            place.1.to_string(),
            seconds(took),
            range(time, seconds),
            format!("{off:+.1} %"),
            count(group.median(|row| stolen(row) as f64) as u64),
            steals.map_or_else(|| GAP.to_owned(), |steals| range(steals, |n| count(n as u64))),
        ])
    };
    let groups = predicted.groups();
    let rows = groups.iter().filter_map(row);
    let table = Table::titled(
        2,
        "program | P | simulated | measured | off by | steals and leaps, simulated | measured",
    );
    format!("{}:\n\n{}", predicted.machine.title, table.of(rows).markdown())
}

fn range(timing: &Timing, text: impl Fn(f64) -> String) -> String {
    format!("{} ({} to {})", text(timing.median), text(timing.low), text(timing.high))
}

fn stolen(row: &super::row::Row) -> u64 {
    counted(row, "steals") + counted(row, "leaps")
}

fn counted(row: &super::row::Row, event: &str) -> u64 {
    row.events.iter().find(|(name, _)| name == event).map_or(0, |(_, count)| *count)
}

/// What Lace's paper has of 48 workers: T_48 in seconds, and Figure 7 of leapfrogging only.
struct Published {
    program: &'static str,
    wait: &'static str,
    seconds: f64,
    /// Steals, leaps, grows, shrinks.
    counts: Option<[u64; 4]>,
}

const PUBLISHED: [Published; 3] = [
    Published {
        program: "uts:T2L",
        wait: "leap",
        seconds: 1.81,
        counts: Some([4_554, 82_440, 72_222, 57_701]),
    },
    Published {
        program: "uts:T3L",
        wait: "leap",
        seconds: 2.23,
        counts: Some([158_566, 4_443_432, 2_173_006, 846_509]),
    },
    Published { program: "uts:T3L", wait: "leap+random", seconds: 1.154, counts: None },
];

/// Lace's Figures 5, 7 and 8 on its own machine, simulated.
pub(crate) fn lace(simulated: &Answer) -> String {
    let row = |group: &Group<'_>| {
        let first = group.first();
        let published = PUBLISHED.iter().find(|published| {
            let is_same = (published.program, published.wait) == (&*first.program, &*first.wait);
            is_same && first.search_ns.is_some()
        });
        let took = group.median(|row| row.took_ns) / 1e9;
        let search = if first.search_ns.is_some() { "forever" } else { "usual" };
        let mut cells =
            vec![first.program.clone(), first.wait.clone(), search.to_owned(), seconds(took)];
        cells.push(published.map_or_else(|| GAP.to_owned(), |paper| seconds(paper.seconds)));
        for (at, event) in ["steals", "leaps", "grows", "shrinks"].into_iter().enumerate() {
            let ours = count(group.median(|row| counted(row, event) as f64) as u64);
            let paper = published.and_then(|published| published.counts);
            cells.push(match paper {
                Some(counts) => format!("{ours}; {}", count(counts[at])),
                None => ours,
            });
        }
        cells
    };
    let titles = "program | wait | search | T_48 | the paper's | steals | leaps | grows | shrinks";
    let groups = simulated.groups();
    let rows = groups.iter().filter(|group| group.first().workers == 48).map(row);
    let table = Table::titled(3, titles).of(rows).markdown();
    let time = |wait: &str| {
        let same = |group: &&Group<'_>| {
            let row = group.first();
            (&*row.program, &*row.wait, row.workers) == ("uts:T3L", wait, 48)
                && row.search_ns.is_some()
        };
        groups.iter().find(same).map(|group| group.median(|row| row.took_ns))
    };
    match (time("leap"), time("leap+random")) {
        (Some(leap), Some(random)) => {
            let what = "T_48 of T3L, leapfrogging only over random stealing as well";
            let row = vec![what.to_owned(), format!("{:.2}", leap / random), "1.93".to_owned()];
            let ratio = Table::titled(1, "what | simulated | the paper's").of([row]).markdown();
            format!("{table}\n{ratio}")
        }
        _ => table,
    }
}

/// T_S/T_P for each number of workers, a column for each kind of pool.
pub(crate) fn speedups(simulated: &Answer) -> String {
    let groups = simulated.groups();
    let mut workers = distinct(groups.iter().map(|group| group.first().workers));
    workers.sort_unstable();
    let kinds = distinct(groups.iter().map(|group| {
        let row = group.first();
        (row.program.clone(), row.wait.clone())
    }));
    let titles: Vec<String> = ["P".to_owned()]
        .into_iter()
        .chain(kinds.iter().map(|(program, wait)| format!("{program}, {wait}")))
        .chain(["bound".to_owned()])
        .collect();
    let rows = workers.iter().map(|&workers| {
        let at = |program: &str, wait: &str| {
            groups.iter().find(|group| {
                let row = group.first();
                (&*row.program, &*row.wait, row.workers) == (program, wait, workers)
            })
        };
        let speedup = |group: &Group<'_>, ns: f64| format!("{:.1}", group.first().serial_ns / ns);
        let mut cells = vec![workers.to_string()];
        cells.extend(kinds.iter().map(|(program, wait)| {
            at(program, wait).map_or_else(
                || GAP.to_owned(),
                |group| speedup(group, group.median(|row| row.took_ns)),
            )
        }));
        let any = kinds.first().and_then(|(program, wait)| at(program, wait));
        cells.push(
            any.map_or_else(
                || GAP.to_owned(),
                |group| speedup(group, group.first().bounds.least_ns),
            ),
        );
        cells
    });
    Table::new(1, &titles).of(rows).markdown()
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::{answer, row};
    use super::*;

    #[test]
    fn a_residual_is_what_the_simulated_time_is_off_by() {
        let runs = "workload,param,engine,workers,rep,seconds,tasks,answer\n\
                    fib,20,lyocell,2,1,0.00005,7,1\nfib,20,lyocell,2,2,0.00004,7,1\n\
                    fib,20,lyocell,2,3,0.00006,7,1\nfib,20,serial,1,1,9.0,7,1\n";
        let counted =
            "workload,param,workers,worker,steals,leaps\nfib,20,2,all,20,4\nfib,20,2,0,9,9\n";
        let measured = Measured::of(runs, counted).unwrap();
        let text = residuals(
            &answer(vec![row("split", 2, 1, 45_000.0), row("split", 3, 1, 1.0)]),
            &measured,
        );
        for word in
            ["45.0 us", "50.0 us (40.0 us to 60.0 us)", "-10.0 %", "| 10 |", "24 (24 to 24)"]
        {
            assert!(text.contains(word), "no {word} in\n{text}");
        }
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(Measured::of("rhymes", counted).is_err());
        assert!(Measured::of(runs, "workload\nfib\n").unwrap_err().contains("worker"));
    }

    #[test]
    fn the_papers_numbers_stand_beside_ours() {
        let of = |wait: &str, took_s: f64| {
            let mut row = row("split", 48, 1, took_s * 1e9);
            (row.program, row.wait) = ("uts:T3L".to_owned(), wait.to_owned());
            row.search_ns = Some(f64::MAX);
            row
        };
        let text = lace(&answer(vec![of("leap", 2.2), of("leap+random", 1.1)]));
        for word in ["2.20 s | 2.23 s", "10; 158,566", "1.10 s | 1.15 s", "| 2.00 | 1.93 |"] {
            assert!(text.contains(word), "no {word} in\n{text}");
        }
        let mut sleeping = of("leap", 5.0);
        sleeping.search_ns = None;
        let text = lace(&answer(vec![sleeping]));
        assert!(text.contains("| usual | 5.00 s | - | 10 |"), "{text}");
        let text = speedups(&answer(vec![of("leap", 4e-6), of("leap+random", 1e-6)]));
        assert!(text.contains("| 48 | 2.0 | 8.0 | 48.0 |"), "{text}");
    }
}

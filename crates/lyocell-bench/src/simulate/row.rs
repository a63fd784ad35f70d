//! A run, as the program tells it.

use serde::{Deserialize, Serialize};

use crate::stats::Timing;

/// The machine that was simulated.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct About {
    pub(crate) title: String,
    pub(crate) processors: usize,
    /// Its cycles in a nanosecond, if its file says what two of them take; runs from before do not.
    #[serde(default)]
    pub(crate) gigahertz: f64,
    /// From the nearest to the farthest.
    pub(crate) distances: Vec<String>,
    /// The names of all its numbers.
    pub(crate) numbers: Vec<String>,
}

/// What theory says, in nanoseconds.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Bounds {
    pub(crate) least_ns: f64,
    pub(crate) greedy_ns: f64,
    pub(crate) stealing_ns: f64,
    pub(crate) latency_ns: f64,
    pub(crate) dealing_ns: Option<f64>,
}

/// One run.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Row {
    pub(crate) program: String,
    pub(crate) deque: String,
    pub(crate) wait: String,
    pub(crate) search_ns: Option<f64>,
    pub(crate) workers: usize,
    pub(crate) seed: u64,
    pub(crate) took_ns: f64,
    pub(crate) serial_ns: f64,
    pub(crate) bounds: Bounds,
    pub(crate) wools_model_ns: Option<f64>,
    /// By name.
    pub(crate) events: Vec<(String, u64)>,
    #[serde(default)]
    pub(crate) peak_depth: Option<u64>,
    /// What all threads did, in nanoseconds, by name; runs from before have it not.
    #[serde(default)]
    pub(crate) phases: Vec<(String, f64)>,
    pub(crate) barriers: u64,
    /// By distance.
    pub(crate) transfers: Vec<u64>,
    pub(crate) searching_ns: f64,
    pub(crate) idle_ns: f64,
    pub(crate) processor_ns: f64,
    pub(crate) hash: String,
}

/// One run of a case on a queue.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct CaseRow {
    pub(crate) workers: usize,
    pub(crate) seed: u64,
    pub(crate) took_ns: f64,
    pub(crate) serial_ns: f64,
    pub(crate) nodes: u64,
    pub(crate) repeats: u64,
    pub(crate) steals: u64,
}

/// All rows, and what they are of.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Answer {
    pub(crate) machine: About,
    pub(crate) rows: Vec<Row>,
    /// Those of cases of queues.
    #[serde(skip)]
    pub(crate) cases: Vec<CaseRow>,
}

/// The runs of one program on one pool, one for each seed.
pub(super) struct Group<'a>(pub(super) Vec<&'a Row>);

impl Row {
    /// How often an event of this name was counted, if it is told.
    pub(crate) fn count(&self, event: &str) -> Option<u64> {
        self.events.iter().find(|(name, _)| name == event).map(|(_, count)| *count)
    }

    /// How long all threads were at this, if it is told.
    pub(crate) fn spent(&self, phase: &str) -> Option<f64> {
        self.phases.iter().find(|(name, _)| name == phase).map(|(_, ns)| *ns)
    }

    /// What is compared: the deque and the wait policy.
    pub(super) fn contender(&self) -> String {
        format!("{}, {}", self.deque, self.wait)
    }
}

impl Answer {
    /// The runs that differ by the seed only, in the order in which they were told.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let alike = |a: &Row, b: &Row| {
            (&a.program, &a.deque, &a.wait, a.search_ns, a.workers)
                == (&b.program, &b.deque, &b.wait, b.search_ns, b.workers)
        };
        self.rows.chunk_by(alike).map(|rows| Group(rows.iter().collect())).collect()
    }

    /// T_1 of the same program on the same kind of pool, if it was simulated.
    pub(super) fn alone(&self, of: &Row) -> Option<f64> {
        let same = |row: &&Row| {
            row.workers == 1 && row.program == of.program && row.contender() == of.contender()
        };
        crate::stats::median(self.rows.iter().filter(same).map(|row| row.took_ns))
    }
}

impl Group<'_> {
    /// Any of them: for what they have in common.
    pub(super) fn first(&self) -> &Row {
        self.0[0]
    }

    /// A number of each of them.
    pub(super) fn timing(&self, of: impl Fn(&Row) -> f64) -> Timing {
        let values = self.0.iter().map(|row| of(row)).collect();
        Timing::of(values).expect("a group has a row")
    }

    pub(super) fn median(&self, of: impl Fn(&Row) -> f64) -> f64 {
        self.timing(of).median
    }
}

/// The rows, each as a line; the columns are those of this machine.
pub(crate) fn csv(answer: &Answer) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let events = answer.rows.first().map(|row| &row.events);
    let mut header: Vec<String> =
        "program,deque,wait,workers,seed,T_P_ns,T_S_ns,least_ns,greedy_ns,stealing_ns,latency_ns,dealing_ns,wools_model_ns"
            .split(',')
            .map(str::to_owned)
            .collect();
    header.extend(events.into_iter().flatten().map(|(name, _)| name.clone()));
    header.push("barriers".to_owned());
    header.extend(answer.machine.distances.iter().map(|name| format!("transfers {name}")));
    header.extend(["searching_ns", "idle_ns", "processor_ns", "hash"].map(str::to_owned));
    let mut write = |line: Vec<String>| writer.write_record(line).expect("memory does not fail");
    write(header);
    for row in &answer.rows {
        let ns = |ns: f64| format!("{ns:.1}");
        let maybe = |value: Option<f64>| value.map_or_else(String::new, ns);
        let Bounds { least_ns, greedy_ns, stealing_ns, latency_ns, dealing_ns } = row.bounds;
        let mut line = vec![
            row.program.clone(),
            row.deque.clone(),
            row.wait.clone(),
            row.workers.to_string(),
            row.seed.to_string(),
        ];
        line.extend([row.took_ns, row.serial_ns].map(ns));
        line.extend([least_ns, greedy_ns, stealing_ns, latency_ns].map(ns));
        line.extend([maybe(dealing_ns), maybe(row.wools_model_ns)]);
        line.extend(row.events.iter().map(|(_, count)| count.to_string()));
        line.push(row.barriers.to_string());
        line.extend(row.transfers.iter().map(u64::to_string));
        line.extend([row.searching_ns, row.idle_ns, row.processor_ns].map(ns));
        line.push(row.hash.clone());
        write(line);
    }
    let bytes = writer.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("CSV of text is text")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run that took so long.
    pub(crate) fn row(deque: &str, workers: usize, seed: u64, took_ns: f64) -> Row {
        Row {
            program: "fib:20".to_owned(),
            deque: deque.to_owned(),
            wait: "leap".to_owned(),
            search_ns: None,
            workers,
            seed,
            took_ns,
            serial_ns: 8000.0,
            bounds: Bounds {
                least_ns: 8000.0 / workers as f64,
                greedy_ns: 9000.0,
                stealing_ns: 9500.0,
                latency_ns: 9900.0,
                dealing_ns: None,
            },
            wools_model_ns: None,
            events: vec![("steals".to_owned(), 10 * seed)],
            peak_depth: None,
            phases: Vec::new(),
            barriers: 3,
            transfers: vec![5, 7],
            searching_ns: 1.0,
            idle_ns: 2.0,
            processor_ns: 3.0,
            hash: "00ff".to_owned(),
        }
    }

    pub(crate) fn answer(rows: Vec<Row>) -> Answer {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let machine = About {
            title: "abacus".to_owned(),
            processors: 4,
            gigahertz: 2.0,
            distances: names(&["die", "far"]),
            numbers: names(&["rmw", "die"]),
        };
        Answer { machine, rows, cases: Vec::new() }
    }

    #[test]
    fn every_line_has_the_columns_of_the_machine() {
        let text = csv(&answer(vec![row("split", 1, 0, 8100.0), row("split", 2, 0, 4100.0)]));
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{text}");
        assert!(lines[0].contains(&"transfers far") && lines[0].contains(&"steals"), "{text}");
        assert_eq!(&lines[2][..7], ["fib:20", "split", "leap", "2", "0", "4100.0", "8000.0"]);
    }

    #[test]
    fn runs_that_differ_by_the_seed_are_a_group() {
        let runs = [(1, 0, 8000.0), (2, 0, 4000.0), (2, 1, 5000.0), (2, 2, 4500.0)];
        let answer = answer(runs.map(|(p, seed, took)| row("split", p, seed, took)).to_vec());
        let groups = answer.groups();
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[1].median(|row| row.took_ns), 4500.0);
        assert_eq!(answer.alone(groups[1].first()), Some(8000.0));
        assert_eq!(answer.alone(&row("abp", 2, 0, 1.0)), None);
    }
}

//! Lace's Figure 8: what a waiting worker gains by stealing elsewhere when the thief has nothing, and what it costs in
//! depth.

use lyocell::Wait;
use lyocell_workloads::{Instance, Uts};

use crate::experiment::paper::{LACE, Paper};
use crate::experiment::plan::{lineup, watched_label};
use crate::experiment::record::{Key, Results};
use crate::experiment::report::{Count, Finding, GAP, Report, Table, ratio, time, whole};
use crate::experiment::verdict::{Each, Measured, Part};
use crate::experiment::{Experiment, Request, asked_or};
use crate::measure::Contender;
use lyocell_engines::runtime::options::WAIT;
use lyocell_engines::runtime::{Setup, Value, Watch};
use lyocell_workloads::Refused;

pub(in crate::experiment) struct LaceFig8;

/// A deque with two ways to wait, in seconds on uts T3L with 48 workers.
struct Published {
    /// Ours, which stands for the paper's.
    deque: &'static str,
    system: &'static str,
    /// What the system does beyond leapfrogging, here and in the paper.
    extension: Wait,
    /// T_1, T_48 and T_1/T_48 of Figure 5, leapfrogging only.
    leaping: [f64; 3],
    /// T_1, T_48 and T_1/T_48 of Figure 8.
    extended: [f64; 3],
}

const PUBLISHED: [Published; 3] = [
    Published {
        deque: "split",
        system: "Lace",
        extension: Wait::LeapRandom,
        leaping: [44.2, 2.23, 19.9],
        extended: [44.26, 1.154, 38.3],
    },
    Published {
        deque: "receiver-block",
        system: "Private",
        extension: Wait::LeapRandom,
        leaping: [44.8, 2.55, 17.5],
        extended: [44.83, 1.240, 36.2],
    },
    Published {
        deque: "direct",
        system: "Wool",
        extension: Wait::Transitive,
        leaping: [44.3, 2.12, 20.9],
        extended: [44.27, 1.172, 37.8],
    },
];

/// That random stealing makes the tree scale, it has to be faster, and the depth to be greater.
const GAIN: f64 = 1.0;

/// With fewer, the thief is the only other worker, and both ways to wait are one.
const FEWEST: usize = 3;

impl Published {
    fn setup(&self, wait: Wait) -> Setup {
        Setup::on(self.deque).with(&WAIT, Value::Wait(wait)).never_sleeping()
    }

    fn label(&self, wait: Wait) -> String {
        format!("{} {wait}", self.deque)
    }

    fn timed(&self, wait: Wait, workers: usize) -> Option<Contender> {
        Contender::setup(self.label(wait), self.setup(wait), workers)
    }

    fn counted(&self, wait: Wait, workers: usize) -> Option<Contender> {
        let setup = self.setup(wait).watched(Watch::Counts);
        Contender::setup(watched_label(&self.label(wait)), setup, workers)
    }

    fn ways(&self) -> [Wait; 2] {
        [Wait::Leap, self.extension]
    }
}

/// The one the paper counts depths of.
const LACE_SPLIT: &Published = &PUBLISHED[0];

impl Experiment for LaceFig8 {
    fn name(&self) -> &'static str {
        "lace-fig8"
    }

    fn paper(&self) -> &'static Paper {
        &LACE
    }

    fn place(&self) -> &'static str {
        "Figures 5 and 8, section 4.3"
    }

    fn shows(&self) -> &'static str {
        "leapfrogging only against leapfrogging and random stealing on a binomial tree, with peak depths"
    }

    fn reps(&self) -> usize {
        3
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        Ok(asked_or(request, vec![Uts::new("T3L").into()], vec![Uts::new("T3L").into()]))
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let timed = |workers| {
            let both = move |deque: &'static Published| {
                [Wait::Leap, deque.extension].map(|wait| deque.timed(wait, workers))
            };
            PUBLISHED.iter().flat_map(both)
        };
        let counted = |workers| {
            let [split, ..] = &PUBLISHED;
            [Wait::Leap, split.extension].map(|wait| split.counted(wait, workers))
        };
        let several: Vec<usize> = workers.iter().copied().filter(|&count| count > 1).collect();
        let together = lineup(&several, |workers| timed(workers).chain(counted(workers)));
        [lineup(&[1], timed), together].concat()
    }

    fn report(&self, results: &Results) -> Report {
        let note = "Peak depth: the most tasks in one deque, counted in runs of their own; in the paper it rose from \
                    6,500-12,500 tasks to\n17,000-21,000 with random stealing, and grows fell by half. The paper's \
                    columns are for 48 workers, leapfrogging only from its Figure 5. More workers than processors can be asked for \
                    with --workers, but then\nthe system, not the thief, decides who runs. Nobody sleeps.";
        let (tables, notes) = (vec![table(results)], vec![note.to_owned()]);
        Report { tables, notes, finding: finding(results) }
    }
}

/// The numbers of workers beside one, for which there is T_1.
fn workers(results: &Results) -> Vec<usize> {
    results.workers_beside("").into_iter().filter(|&count| count > 1).collect()
}

fn table(results: &Results) -> Table {
    let header = [
        "workload",
        "who",
        "P",
        "T_1",
        "T_P",
        "T_1/T_P",
        "leap/this",
        "peak depth",
        "grows",
        "paper",
        "T_1",
        "T_48",
        "T_1/T_48",
        "leap/this",
    ];
    let mut table = Table::new(3, &header);
    for job in results.jobs() {
        for workers in workers(results) {
            let rows = PUBLISHED.iter().flat_map(|published| {
                published.ways().map(|wait| row(results, &job, published, wait, workers))
            });
            table.groups.push(rows.collect());
        }
    }
    table
}

fn row(
    results: &Results,
    job: &str,
    published: &Published,
    wait: Wait,
    workers: usize,
) -> Vec<String> {
    let label = published.label(wait);
    let watched = watched_label(&label);
    let counted = Key { job, contender: &watched, workers };
    let mut row = vec![job.to_owned(), label.clone(), workers.to_string()];
    let one = results.time(Key { job, contender: &label, workers: 1 });
    let many = results.time(Key { job, contender: &label, workers });
    row.extend([time(one), time(many)]);
    row.push(ratio(one.zip(many).map(|(one, many)| one.median / many.median)));
    row.push(ratio(gain(results, job, published, wait, workers).map(|gain| gain.value)));
    row.push(whole(results.count(counted, |record| record.peak_depth)));
    row.push(whole(results.count(counted, |record| record.grows)));
    row.push(format!("{} {wait}", published.system));
    let [leaping, extended] = [published.leaping[1], published.extended[1]];
    let ([one, many, speedup], gain) = match wait {
        Wait::Leap => (published.leaping, GAP.to_owned()),
        _ => (published.extended, ratio(Some(leaping / extended))),
    };
    row.extend([format!("{one} s"), format!("{many} s"), format!("{speedup:.1}"), gain]);
    row
}

/// How many times as long leapfrogging alone takes as `wait`.
fn gain(
    results: &Results,
    job: &str,
    published: &Published,
    wait: Wait,
    workers: usize,
) -> Option<Measured> {
    let (leaping, extended) = (published.label(Wait::Leap), published.label(wait));
    let key = |contender| Key { job, contender, workers };
    if wait == Wait::Leap {
        return None;
    }
    results.ratio(key(&leaping), key(&extended))
}

/// The peak depth of the split deque with random stealing over that with leapfrogging only.
fn deeper(results: &Results, job: &str, workers: usize) -> Option<Measured> {
    let label = |wait| watched_label(&LACE_SPLIT.label(wait));
    let (leaping, random) = (label(Wait::Leap), label(LACE_SPLIT.extension));
    results.each_round(|round| {
        let depth = |contender| {
            let depth = round.run(Key { job, contender, workers })?.peak_depth?;
            Some(depth as f64)
        };
        Some(depth(&random)? / depth(&leaping)?)
    })
}

fn finding(results: &Results) -> Finding {
    let most = workers(results).last().copied().unwrap_or(1);
    let jobs = results.jobs();
    let each = |of: &dyn Fn(&str) -> Option<Measured>| -> Each {
        jobs.iter().filter_map(|job| Some((job.clone(), of(job)?))).collect()
    };
    let gains = each(&|job| gain(results, job, LACE_SPLIT, LACE_SPLIT.extension, most));
    let depths = each(&|job| deeper(results, job, most));
    let told = |each: &Each| {
        let values = each.iter().map(|(job, measured)| format!("{} on {job}", measured.text()));
        let values: Vec<String> = values.collect();
        if values.is_empty() { GAP.to_owned() } else { values.join(", ") }
    };
    let slower = format!(
        "with {} on the split deque leapfrogging alone takes, in times of the other (the paper, with 48: 1.93),",
        Count(most, "worker")
    );
    let deeper = "and the deepest deque with random stealing has, in times of that without,";
    let parts = if most < FEWEST {
        let why = "with two workers the thief is the only other one, so both look for tasks in the same place";
        [
            Part::unmeasured(&format!("{slower} {}", told(&gains)), why),
            Part::unmeasured(&format!("{deeper} {}", told(&depths)), why),
        ]
    } else {
        [Part::at_least(&slower, &gains, GAIN), Part::at_least(deeper, &depths, GAIN)]
    };
    Finding::of(
        "stealing at random when the thief has nothing makes a binomial tree scale, at the price of deeper deques,",
        &parts,
        Some(
            "chains of thieves that all run at once (more workers than processors can be asked for with --workers)",
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::ExperimentRecord;
    use crate::experiment::record::tests::{run, twice};
    use crate::experiment::report::Verdict;

    fn results(workers: usize, leap: f64, random: f64, depths: [usize; 2]) -> Results {
        let timed =
            |wait, workers, seconds| run("uts:T3L", &LACE_SPLIT.label(wait), workers, seconds);
        let counted = |wait, depth| {
            let label = watched_label(&LACE_SPLIT.label(wait));
            ExperimentRecord { peak_depth: Some(depth), ..run("uts:T3L", &label, workers, 9.0) }
        };
        twice(vec![
            timed(Wait::Leap, 1, 4.0),
            timed(Wait::LeapRandom, 1, 5.0),
            timed(Wait::Leap, workers, leap),
            timed(Wait::LeapRandom, workers, random),
            counted(Wait::Leap, depths[0]),
            counted(Wait::LeapRandom, depths[1]),
        ])
    }

    #[test]
    fn the_finding_holds_where_random_stealing_is_faster_and_deeper() {
        let finding = finding(&results(8, 2.0, 1.0, [6_500, 17_000]));
        assert_eq!(finding.verdict, Verdict::Holds);
        for words in ["8 workers", "2.00 (2.00 to 2.00) on uts:T3L", "2.62 (2.62 to 2.62)"] {
            assert!(finding.evidence.contains(words), "{}", finding.evidence);
        }
    }

    #[test]
    fn the_finding_fails_where_random_stealing_is_neither() {
        assert_eq!(finding(&results(8, 1.0, 1.1, [9, 8])).verdict, Verdict::Fails);
        assert_eq!(finding(&results(8, 2.0, 1.0, [9, 8])).verdict, Verdict::Partly);
    }

    #[test]
    fn two_workers_leave_the_finding_open() {
        let finding = finding(&results(2, 2.0, 1.0, [6_500, 17_000]));
        assert_eq!(finding.verdict, Verdict::Open);
        assert!(finding.evidence.contains("the only other one"));
    }

    #[test]
    fn the_papers_numbers_stand_beside_ours() {
        let table = table(&results(8, 2.0, 1.0, [6_500, 17_000]));
        let [leap, random] = &table.groups[0][..2] else { panic!("two ways to wait") };
        assert_eq!(leap[5], "2.00");
        assert_eq!(leap[9..], ["Lace leap", "44.2 s", "2.23 s", "19.9", "-"]);
        assert_eq!(random[5..8], ["5.00", "2.00", "17,000"]);
        assert_eq!(random[9..], ["Lace leap+random", "44.26 s", "1.154 s", "38.3", "1.93"]);
        assert_eq!(table.groups.len(), 1, "one worker is T_1's");
    }
}

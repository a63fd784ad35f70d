//! Lace's Figure 8: what a waiting worker gains by stealing elsewhere when the thief has nothing, and what it costs in
//! depth.

use lyocell::Wait;
use lyocell_engines::runtime::options::WAIT;

use crate::experiment::kit::*;

pub(in crate::experiment) static FIG8: Experiment = Experiment {
    name: "lace-fig8",
    place: "Figures 5 and 8, section 4.3",
    shows: "leapfrogging only against leapfrogging and random stealing on a binomial tree, with peak depths",
    reps: 3,
    workloads: Workloads::Named([&["uts:T3L"]; 2]),
    contenders,
    tables: &[table],
    notes: &[
        "Peak depth: the most tasks in one deque, counted in runs of their own. The paper's columns of leapfrogging only are from its Figure \
5. More\nworkers than processors can be asked for with --workers, but then the system, not the thief, decides who runs. Nobody sleeps, and no \
thief exposes.",
    ],
    facts: &[
        ("peak depth, leapfrogging only", "6,500 to 12,500 tasks"),
        ("with random stealing", "17,000 to 21,000 tasks"),
        ("workers", "48"),
        ("T_48 of leapfrogging only over that with random stealing", "1.93"),
    ],
    finding,
    ..Experiment::USUAL
};

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
        Setup::on(self.deque).with(&WAIT, Value::Wait(wait)).never_sleeping().sharing_when_asked()
    }

    fn label(&self, wait: Wait) -> String {
        format!("{} {wait}", self.deque)
    }

    fn timed(&self, wait: Wait, workers: usize) -> Option<Contender> {
        Contender::setup(self.label(wait), self.setup(wait), workers)
    }

    fn counted(&self, wait: Wait, workers: usize) -> Option<Contender> {
        Contender::counted(&self.label(wait), self.setup(wait), workers)
    }

    fn ways(&self) -> [Wait; 2] {
        [Wait::Leap, self.extension]
    }
}

/// The one the paper counts depths of.
const LACE_SPLIT: &Published = &PUBLISHED[0];

fn contenders(_instance: &Instance, workers: &[usize]) -> Vec<Contender> {
    let timed = |workers| {
        let both =
            move |deque: &'static Published| deque.ways().map(|wait| deque.timed(wait, workers));
        PUBLISHED.iter().flat_map(both)
    };
    let counted = |workers| LACE_SPLIT.ways().map(|wait| LACE_SPLIT.counted(wait, workers));
    let several: Vec<usize> = workers.iter().copied().filter(|&count| count > 1).collect();
    let together = lineup(&several, |workers| timed(workers).chain(counted(workers)));
    [lineup(&[1], timed), together].concat()
}

fn table(results: &Results) -> Table {
    let mut table = Table::titled(
        3,
        "workload | who | P | T_1 | T_P | T_1/T_P | leap/this | peak depth | grows | paper | T_1 | T_48 | T_1/T_48 | leap/this",
    );
    for job in results.jobs() {
        for workers in results.several() {
            let rows = PUBLISHED.iter().flat_map(|published| {
                published.ways().map(|wait| row(results, &job, published, wait, workers))
            });
            table.push(rows);
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
    row.push(ratio(results.middle(|round| gain(round, job, published, wait, workers))));
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
    round: &Round<'_>,
    job: &str,
    published: &Published,
    wait: Wait,
    workers: usize,
) -> Option<f64> {
    let (leaping, extended) = (published.label(Wait::Leap), published.label(wait));
    let key = |contender| Key { job, contender, workers };
    if wait == Wait::Leap { None } else { round.ratio(key(&leaping), key(&extended)) }
}

/// The peak depth of the split deque with random stealing over that with leapfrogging only.
fn deeper(round: &Round<'_>, job: &str, workers: usize) -> Option<f64> {
    let depth = |wait| {
        let label = watched_label(&LACE_SPLIT.label(wait));
        Some(round.run(Key { job, contender: &label, workers })?.peak_depth? as f64)
    };
    Some(depth(LACE_SPLIT.extension)? / depth(Wait::Leap)?)
}

fn finding(results: &Results) -> Finding {
    let most = results.several().last().copied().unwrap_or(1);
    let jobs = results.jobs();
    let gains = results
        .on_each(&jobs, |round, job| gain(round, job, LACE_SPLIT, LACE_SPLIT.extension, most));
    let depths = results.on_each(&jobs, |round, job| deeper(round, job, most));
    let slower = format!(
        "T_P of leapfrogging alone, with {} on the split deque, over that with random stealing",
        Count(most, "worker")
    );
    let deeper = "the deepest deque with random stealing over that without";
    let parts = [Part::at_least(&slower, gains, GAIN), Part::at_least(deeper, depths, GAIN)];
    let parts = if most < FEWEST {
        let why = "with two workers the thief is the only other one, so both look for tasks in the same place";
        parts.map(|part| part.unmeasured(why))
    } else {
        parts
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
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    fn results(workers: usize, leap: f64, random: f64, depths: [usize; 2]) -> Results {
        let timed =
            |wait, workers, seconds| run("uts:T3L", &LACE_SPLIT.label(wait), workers, seconds);
        let counted = |wait, depth| {
            let label = watched_label(&LACE_SPLIT.label(wait));
            ExperimentRecord { peak_depth: Some(depth), ..run("uts:T3L", &label, workers, 9.0) }
        };
        often(vec![
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
            assert!(finding.evidence().contains(words), "{}", finding.evidence());
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
        assert!(finding.evidence().contains("the only other one"));
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

//! Lace's open question of the split point: it moves half of the way, and "it is unknown whether more optimal strategies
//! exist".

use lyocell::deque::Share;
use lyocell_engines::runtime::options;

use super::variants::{self, counted, is_no_slower, most_workers};
use super::{PAPERS, SMALL};
use crate::experiment::kit::*;

pub(in crate::experiment) static SHARE: Experiment = Experiment {
    name: "lace-share",
    place: "section 5, open questions",
    shows: "other shares than half that the split point moves over when it grows and when it shrinks",
    workloads: Workloads::Named([SMALL, PAPERS]),
    contenders: |_, workers| {
        let shares: Vec<_> =
            Share::ALL.iter().map(|share| (share.name(), Value::Share(*share))).collect();
        variants::contenders(&options::SHARE, &shares, workers)
    },
    tables: &[table],
    notes: &[
        "Share: of the private tasks, what a grow makes public; of the public ones, what a shrink takes back; rounded up.\n\
                    half/: how many times as long half takes. Steals with leaps, grows and shrinks are counted in runs of their own; \
                    that a thief exposes a share of what an owner in a long leaf keeps to itself is no grow of the owner. Waiting \
                    workers leapfrog, then steal at random; nobody sleeps. The paper has no numbers.",
    ],
    finding,
    ..Experiment::USUAL
};

/// The share of the paper.
const HALF: &str = "half";

/// The others, and what the finding calls them.
const OTHERS: [(&str, &str); 4] = [
    ("one", "a share of one task"),
    ("quarter", "a quarter"),
    ("three-quarters", "three quarters"),
    ("all", "all tasks"),
];

fn table(results: &Results) -> Table {
    let workers = results.workers_beside("").into_iter();
    let rows: Vec<_> =
        workers.flat_map(|workers| Share::ALL.iter().map(move |share| (workers, *share))).collect();
    let table = Table::titled(3, "workload | share | P | T_P | half/ | steals | grows | shrinks");
    table.filled(&results.jobs(), &rows, |job, &(workers, share)| {
        let key = |contender| Key { job, contender, workers };
        let own = key(share.name());
        let counts = [
            counted(results, own, ExperimentRecord::moved),
            counted(results, own, |record| record.grows),
            counted(results, own, |record| record.shrinks),
        ];
        let mut row = vec![job.clone(), share.to_string(), workers.to_string()];
        row.extend([time(results.time(own)), ratio_of(results.ratio(key(HALF), own))]);
        row.extend(counts.map(whole));
        row
    })
}

fn finding(results: &Results) -> Finding {
    let workers = Count(most_workers(results), "worker");
    let parts = OTHERS.map(|(share, called)| {
        let what = format!("T_P with half, with {workers}, over that with {called}");
        is_no_slower(results, HALF, share, &what)
    });
    Finding::of(
        "no other share than half is better",
        &parts,
        Some("more thieves at one deque, who ask its owner more often"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    /// Times by share, in the order of [`Share::ALL`].
    fn times(job: &'static str, seconds: [f64; 5]) -> Vec<ExperimentRecord> {
        let shares = Share::ALL.iter().copied().zip(seconds);
        shares.map(|(share, seconds)| run(job, share.name(), 2, seconds)).collect()
    }

    fn verdict(seconds: [f64; 5]) -> Verdict {
        let fib = times("fib:38", [1.0; 5]);
        finding(&often([fib, times("uts:T3", seconds)].concat())).verdict
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(verdict([1.0; 5]), Verdict::Holds);
        assert_eq!(verdict([1.3, 1.0, 1.0, 1.2, 1.5]), Verdict::Holds, "others are worse");
        assert_eq!(verdict([1.0, 1.0, 1.1, 1.0, 1.0]), Verdict::Fails, "each is better than half");
        assert_eq!(verdict([1.0, 0.9, 1.0, 1.0, 1.0]), Verdict::Partly, "a quarter is better");
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
        assert_eq!(
            finding(&Results(times("uts:T3", [1.0; 5]))).verdict,
            Verdict::Open,
            "one round"
        );
    }

    #[test]
    fn noise_and_a_lone_worker_leave_it_open() {
        let round = |rep, quarter| {
            let runs = times("uts:T3", [1.0, quarter, 1.0, 1.0, 1.0]).into_iter();
            runs.map(move |run| ExperimentRecord { rep, ..run })
        };
        let noisy = Results(round(1, 0.9).chain(round(2, 1.1)).collect());
        assert_eq!(finding(&noisy).verdict, Verdict::Open);
        let alone = times("uts:T3", [9.0, 9.0, 9.0, 1.0, 9.0]).into_iter();
        let alone = alone.map(|run| ExperimentRecord { workers: 1, ..run });
        assert_eq!(finding(&often(alone.collect())).verdict, Verdict::Open);
    }

    #[test]
    fn the_share_that_is_better_is_told() {
        let finding = finding(&often(times("uts:T3", [1.0, 0.8, 1.0, 1.0, 1.0])));
        let told =
            "over that with a quarter 1.25 (1.25 to 1.25) on uts:T3, to be at most 1.02: does not";
        assert!(finding.evidence().contains(told), "{}", finding.evidence());
    }

    #[test]
    fn every_share_has_a_row_and_all_but_half_a_part() {
        let shares = Share::ALL.iter().map(|share| share.name());
        assert_eq!(
            shares.filter(|&share| share != HALF).collect::<Vec<_>>(),
            OTHERS.map(|(share, _)| share)
        );
        let mut runs = times("uts:T3", [1.0, 1.0, 1.5, 1.0, 1.0]);
        runs.push(ExperimentRecord {
            steals: Some(3),
            leaps: Some(4),
            grows: Some(5),
            shrinks: Some(6),
            ..run("uts:T3", &watched_label("one"), 2, 1.0)
        });
        let rows = &table(&Results(runs)).groups[0];
        assert_eq!(rows.len(), Share::ALL.len());
        assert_eq!(rows[0][1..3], ["one", "2"]);
        assert_eq!(rows[0][4..], ["1.50", "7", "5", "6"]);
        assert_eq!(rows[1][4..], ["1.50", "-", "-", "-"]);
    }
}

//! Wool's Table I: how fine grained the programs are: parallelism with and without a burden, the work of a task and the
//! work a steal brings.

use super::PROCESSORS;
use super::systems::WOOL_HERE;
use super::workloads::{ROWS, Row, row_of, rows, times};
use crate::experiment::kit::*;

/// Other machines have other caches and clocks. Untuned.
const CLOSE: f64 = 2.0;

/// Two trees of one height, of which the first has the smaller leaves.
const FINE_AND_COARSE: [&str; 2] = ["stress:7x256", "stress:7x4096"];

pub(in crate::experiment) static TABLE1: Experiment = Experiment {
    name: "wool-table1",
    paper: &WOOL,
    place: "Table I",
    shows: "parallelism with and without a burden of 2,000 cycles, and the work of a task and of a steal",
    reps: 3,
    workers: Workers::From(TWO_WORKERS, PROCESSORS),
    workloads: Workloads::Made(|request, _| Ok(rows(request))),
    contenders: |_, workers| {
        let profiled = Contender::new(&PROFILED, 1);
        let setup = as_published(WOOL_HERE);
        let counted = lineup(workers, |workers| [Contender::counted(WOOL_HERE, setup, workers)]);
        [vec![Contender::serial(), profiled], counted].concat()
    },
    tables: &[table],
    notes: &[
        "Parallelism: T_1 / T_inf on one worker, as the profile has them, without a burden and with one for each branch that is \
worth\nstealing, in cycles (the title). A span is the longest of all chains, so whatever interrupts a leaf, or what reading the clock costs \
beyond what\nis subtracted, makes parallelism smaller, the more so the smaller the tasks: those of cholesky are shorter than two readings.\nRepSz: T_S \
of a repetition, G_T: T_S / tasks, G_L(p): T_S / (steals + leaps) with p workers on direct, which stands for Wool and\nwaits as in the \
paper; RepSz and G_L in thousands of cycles, G_T in cycles, of the measured clock. A column of the paper behind\neach of ours.",
    ],
    facts: &[
        ("what it calls its rows of ssf", "12 to 16"),
        (
            "what their strings are, by its own RepSz and G_T, and so the names here",
            "ssf:11 to ssf:15",
        ),
        ("the burden, in cycles", "2,000"),
    ],
    finding,
    ..Experiment::USUAL
};

fn serial(job: &str) -> Key<'_> {
    Key { job, contender: SERIAL, workers: 1 }
}

/// T_1 / T_inf, with the burden or without.
#[derive(Clone, Copy)]
enum Burden {
    None,
    Wools,
}

fn parallelism(round: &Round<'_>, job: &str, burden: Burden) -> Option<f64> {
    let run = round.run(Key { job, contender: PROFILED.name(), workers: 1 })?;
    let span = match burden {
        Burden::None => run.span_seconds,
        Burden::Wools => run.span_2k_seconds,
    };
    Some(run.work_seconds? / span.filter(|&span| span > 0.0)?)
}

/// G_T, in cycles.
fn task_granularity(round: &Round<'_>, job: &str) -> Option<f64> {
    let tasks = round.run(serial(job))?.tasks.filter(|&tasks| tasks > 0)?;
    Some(round.cycles(serial(job))? / tasks as f64)
}

/// G_L, in thousands of cycles.
fn steal_granularity(round: &Round<'_>, job: &str, workers: usize) -> Option<f64> {
    let label = watched_label(WOOL_HERE);
    let run = round.run(Key { job, contender: &label, workers })?;
    let moved = run.moved()?;
    (moved > 0).then_some(round.cycles(serial(job))? / moved as f64 / 1e3)
}

fn table(results: &Results) -> Table {
    let workers = results.several();
    let mut titles =
        "workload | par 0 | paper | par 2000 | paper | RepSz | paper | G_T | paper".to_owned();
    titles.extend(workers.iter().map(|count| format!(" | G_L({count}) | paper")));
    let mut table = Table::titled(1, &titles);
    let program = |job: &String| job.split(':').next().unwrap_or_default().to_owned();
    for jobs in results.jobs().chunk_by(|one, next| program(one) == program(next)) {
        table.push(jobs.iter().map(|job| cells(results, job, &workers)));
    }
    table
}

fn cells(results: &Results, job: &str, workers: &[usize]) -> Vec<String> {
    let published = row_of(job);
    let paper = |of: fn(&Row) -> f64| cell(published, |row| number(Some(of(row))));
    let value = |of: &dyn Fn(&Round<'_>) -> Option<f64>| results.middle(of);
    let repetition = |round: &Round<'_>| Some(round.cycles(serial(job))? / times(job) as f64 / 1e3);
    let mut row = vec![
        job.to_owned(),
        number(value(&|round| parallelism(round, job, Burden::None))),
        paper(|row| row.parallelism[0]),
        number(value(&|round| parallelism(round, job, Burden::Wools))),
        paper(|row| row.parallelism[1]),
        number(value(&repetition)),
        paper(|row| row.repetition_kcycles),
        number(value(&|round| task_granularity(round, job))),
        paper(|row| row.task_cycles),
    ];
    for &count in workers {
        row.push(number(value(&|round| steal_granularity(round, job, count))));
        // The paper has two to eight processors.
        let column = count.checked_sub(TWO_WORKERS);
        let paper = published.zip(column).and_then(|(row, column)| row.steal_kcycles.get(column));
        row.push(paper.map_or(GAP.to_owned(), |&kcycles| number(Some(kcycles))));
    }
    row
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let workers = results.several().first().copied().unwrap_or(1);
    let apart = results.on_each(&jobs, |round, job| {
        let ratio = parallelism(round, job, Burden::None)? / row_of(job)?.parallelism[0];
        Some(ratio.max(1.0 / ratio))
    });
    // From each row of a program to the next, whose regions are larger.
    let grows = jobs.windows(2).filter_map(|pair| {
        let [small, large] = pair else { return None };
        let next = ROWS.windows(2).any(|rows| {
            rows[0].program() == rows[1].program() && rows[0].is(small) && rows[1].is(large)
        });
        let grows = results.each_round(|round| {
            let of = |job| steal_granularity(round, job, workers);
            Some(of(large)? / of(small)?)
        });
        next.then_some((large.clone(), grows?))
    });
    let grows: Each = grows.collect();
    let [fine, coarse] = FINE_AND_COARSE.map(|prefix| {
        let of = |job: &&String| job.rsplit_once('x').is_some_and(|(tree, _)| tree == prefix);
        jobs.iter().find(of)
    });
    let lost: Option<Measured> = fine.zip(coarse).and_then(|(fine, coarse)| {
        results.each_round(|round| {
            let lost = |job: &str| {
                let free = parallelism(round, job, Burden::None)?;
                Some(free / parallelism(round, job, Burden::Wools)?)
            };
            Some(lost(fine)? / lost(coarse)?)
        })
    });
    Finding::of(
        "programs have the parallelism that the paper says, that a steal brings more work the larger the region, and that small tasks lose more parallelism to the burden,",
        &[
            Part::at_most("how far parallelism is off the paper's, as a ratio", apart, CLOSE),
            Part::at_least("G_L with two workers over that of the next smaller region", grows, 1.0),
            Part::at_least(
                "what trees with leaves of 256 iterations lose over what those of 4,096 do",
                one(lost),
                1.0,
            ),
        ],
        Some("the granularities with three to eight processors"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    /// A run of a second at 2 GHz with a million tasks, with these steals and spans.
    fn program(job: &'static str, steals: usize, spans: [f64; 2]) -> [ExperimentRecord; 3] {
        let [span, burdened] = spans.map(Some);
        [
            run(job, SERIAL, 1, 1.0),
            ExperimentRecord {
                work_seconds: Some(1.0),
                span_seconds: span,
                span_2k_seconds: burdened,
                ..run(job, PROFILED.name(), 1, 2.0)
            },
            ExperimentRecord {
                steals: Some(steals / 2),
                leaps: Some(steals - steals / 2),
                ..run(job, &watched_label(WOOL_HERE), 2, 0.6)
            },
        ]
    }

    fn results(larger: usize, span: f64, burdened: f64) -> Results {
        let runs = [
            program("mm:64x1000", 1_000, [1.0 / 54.0, 1.0 / 30.0]),
            program("mm:128x100", larger, [1.0 / 117.0, 1.0 / 110.0]),
            program("stress:7x256x1000", 1_000, [span, burdened]),
            program("stress:7x4096x100", 100, [1.0 / 108.0, 1.0 / 45.0]),
        ];
        often(runs.concat())
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        let holds = finding(&results(100, 1.0 / 54.0, 1.0 / 7.0));
        assert_eq!(holds.verdict, Verdict::Holds, "{}", holds.evidence());
        // Less work for a steal where the region is larger; a third of the parallelism; nothing lost to the burden.
        assert_eq!(finding(&results(2_000, 1.0 / 54.0, 1.0 / 7.0)).verdict, Verdict::Partly);
        let fails = finding(&results(2_000, 1.0 / 18.0, 1.0 / 18.0));
        assert_eq!(fails.verdict, Verdict::Fails, "{}", fails.evidence());
        assert!(
            fails.evidence().contains("3.03 (3.03 to 3.03) on stress:7x256"),
            "{}",
            fails.evidence()
        );
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
    }

    #[test]
    fn the_papers_numbers_stand_beside_ours() {
        let table = table(&results(100, 1.0 / 50.0, 1.0 / 10.0));
        let expected =
            ["mm:64x1000", "54.0", "54.3", "30.0", "30.6", "2,000", "976", "2,000", "15,486"];
        assert_eq!(table.groups[0][0][..9], expected);
        // Two giga-cycles between a thousand steals.
        assert_eq!(table.groups[0][0][9..], ["2,000", "915"]);
        assert_eq!(table.groups[1][1][1..3], ["108", "108"]);
    }
}

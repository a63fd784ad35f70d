//! Wool's Figure 5: speedups of the programs of Table I on Wool and on other systems.

use super::PROCESSORS;
use super::fig1::{charts, each_speedup, speedups, with_serial};
use super::systems::{judged, none_is_faster, over_wool};
use super::workloads::{ROWS, Row, row_of, rows};
use crate::experiment::kit::*;

/// The abstract: "speed ups over the other systems ranging from 2-3x on many fine grained workloads".
const TWICE: f64 = 2.0;

pub(in crate::experiment) static FIG5: Experiment = Experiment {
    name: "wool-fig5",
    paper: &WOOL,
    place: "Figure 5",
    shows: "speedups of cholesky, mm, ssf and stress, from small regions to large",
    workers: Workers::From(1, PROCESSORS),
    workloads: Workloads::Made(|request, _| Ok(rows(request))),
    contenders: with_serial,
    tables: &[speedups],
    notes: &[
        "cholesky, mm and ssf: T_S / T_P. stress: T_1 of direct / T_P. direct stands for Wool and waits as in the paper; wool is the \
original, tbb,\nopenmp and the others stand where the paper has Cilk++, TBB and OpenMP. What is not built has no column. The figure is a plot; the numbers \
that the\npaper gives, of mm, stand in wool-table4.",
    ],
    facts: &[("over other systems on many fine grained workloads", "2 to 3 times")],
    finding,
    charts: Some(charts),
    ..Experiment::USUAL
};

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.most_workers();
    let finest: Vec<String> = jobs.iter().filter(|job| is_fine(job)).cloned().collect();
    let parts = |wool: &'static str| {
        let gain = format!("speedup of {wool}, with {},", Count(most, "worker"));
        [
            Part::at_least(&gain, each_speedup(results, &jobs, wool, most), 1.0),
            none_is_faster(results, &jobs, wool, most),
            Part::at_least(
                "the same on the smallest regions",
                over_wool(results, &finest, wool, most),
                TWICE,
            ),
        ]
    };
    let parts = judged(results).into_iter().flat_map(parts);
    let parts = parts.map(|part| match most {
        1 => part.unmeasured("one worker steals nothing"),
        _ => part,
    });
    Finding::of(
        "Wool gains on every program, and outperforms other systems, by a factor of two where regions are small,",
        &parts.collect::<Vec<_>>(),
        Some("eight processors, where regions are small for each"),
    )
}

/// Whether a job is the first row of its program in Table I, however often it is repeated.
fn is_fine(job: &str) -> bool {
    let first = |row: &Row| {
        let first = ROWS.iter().find(|other| other.program() == row.program());
        first.is_some_and(|first| first.job == row.job)
    };
    row_of(job).is_some_and(first)
}

#[cfg(test)]
mod tests {
    use super::super::systems::WOOL_HERE;
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    fn results(wool: f64, rayon: f64) -> Results {
        often(vec![
            run("mm:64x9", SERIAL, 1, 1.0),
            run("mm:64x9", WOOL_HERE, 2, wool),
            run("mm:64x9", "rayon", 2, rayon),
        ])
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(finding(&results(0.5, 1.1)).verdict, Verdict::Holds);
        assert_eq!(finding(&results(0.5, 0.6)).verdict, Verdict::Partly);
        assert_eq!(finding(&results(1.5, 0.6)).verdict, Verdict::Fails);
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
        let alone = results(0.5, 1.1).0.into_iter().filter(|run| run.contender != "rayon");
        let alone = finding(&Results(alone.collect()));
        assert_eq!(alone.verdict, Verdict::Open, "{}", alone.evidence());
    }

    #[test]
    fn the_first_row_of_each_program_is_its_finest() {
        let fine = ["cholesky:250,1000", "mm:64x3", "stress:7x256x900", "stress:3x4096x9"];
        assert!(fine.into_iter().all(is_fine));
        assert!(!["mm:640x9", "ssf:13x9", "stress:7x4096x9"].into_iter().any(is_fine));
    }
}

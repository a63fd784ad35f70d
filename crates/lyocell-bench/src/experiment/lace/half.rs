//! Lace's steal-multiple strategies: a steal of half of the shared tasks "did not improve performance".

use lyocell::deque::Amount;
use lyocell_engines::runtime::options::STEAL;

use super::variants::{self, counted, is_no_slower, most_workers};
use super::{PAPERS, SMALL};
use crate::experiment::kit::*;

pub(in crate::experiment) static HALF: Experiment = Experiment {
    name: "lace-half",
    place: "section 3, steal-multiple strategies",
    shows: "steals of one task against steals of half of the shared ones, on the split deque",
    workloads: Workloads::Named([SMALL, PAPERS]),
    contenders: |_, workers| {
        let amounts =
            [(BY_ONE, Value::Amount(Amount::One)), (BY_HALF, Value::Amount(Amount::Half))];
        variants::contenders(&STEAL, &amounts, workers)
    },
    tables: &[table],
    notes: &[
        "Steals and leaps are counted in runs of their own. A steal of half takes the older half of the shared tasks and \
                    runs them newest first,\nas the paper does. Waiting workers leapfrog, then steal at random; nobody \
                    sleeps. The paper has no numbers.",
    ],
    finding,
    ..Experiment::USUAL
};

const BY_ONE: &str = "split one";
const BY_HALF: &str = "split half";

fn table(results: &Results) -> Table {
    let titles = "workload | P | T_P one | T_P half | one/half | steals one | steals half";
    let workers = results.workers_beside("");
    Table::titled(2, titles).filled(&results.jobs(), &workers, |job, &workers| {
        let key = |contender| Key { job, contender, workers };
        let moved = |label| whole(counted(results, key(label), ExperimentRecord::moved));
        let times = [BY_ONE, BY_HALF].map(|label| time(results.time(key(label))));
        let over = ratio_of(results.ratio(key(BY_ONE), key(BY_HALF)));
        let values = [over, moved(BY_ONE), moved(BY_HALF)];
        [vec![job.clone(), workers.to_string()], times.to_vec(), values.to_vec()].concat()
    })
}

fn finding(results: &Results) -> Finding {
    let workers = Count(most_workers(results), "worker");
    let what = format!("T_P with steals of one, with {workers}, over that with steals of half");
    Finding::of(
        "to steal half of the shared tasks does not improve performance",
        &[is_no_slower(results, BY_ONE, BY_HALF, &what)],
        Some("machines where a steal is dearer, for which the paper leaves it open"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    fn results(one: f64, half: f64) -> Results {
        often(vec![run("uts:T3", BY_ONE, 2, one), run("uts:T3", BY_HALF, 2, half)])
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(finding(&results(1.0, 1.0)).verdict, Verdict::Holds);
        assert_eq!(finding(&results(1.1, 1.0)).verdict, Verdict::Fails);
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
        let single = results(1.0, 1.0).0.into_iter().filter(|run| run.rep == 1);
        let single = Results(single.collect());
        assert_eq!(finding(&single).verdict, Verdict::Open, "one round has no noise");
    }

    #[test]
    fn times_and_their_ratio_stand_in_a_row() {
        let table = table(&results(1.5, 1.0));
        assert_eq!(table.groups[0][0][4..], ["1.50", "-", "-"]);
    }
}

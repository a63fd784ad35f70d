//! Lace's steal-multiple strategies: a steal of half of the shared tasks "did not improve performance".

use lyocell::deque::Amount;
use lyocell_workloads::Instance;

use super::variants::{self, counted, is_no_slower, most_workers};
use super::{benchmarks, papers_benchmarks};
use crate::experiment::paper::{LACE, Paper};
use crate::experiment::record::{Key, Results};
use crate::experiment::report::{Count, Finding, Report, Table, ratio, time, whole};
use crate::experiment::{Experiment, Request, asked_or};
use crate::measure::Contender;
use lyocell_engines::runtime::Value;
use lyocell_engines::runtime::options::STEAL;
use lyocell_workloads::Refused;

pub(in crate::experiment) struct LaceHalf;

const ONE: &str = "split one";
const HALF: &str = "split half";

impl Experiment for LaceHalf {
    fn name(&self) -> &'static str {
        "lace-half"
    }

    fn paper(&self) -> &'static Paper {
        &LACE
    }

    fn place(&self) -> &'static str {
        "section 3, steal-multiple strategies"
    }

    fn shows(&self) -> &'static str {
        "steals of one task against steals of half of the shared ones, on the split deque"
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        let small = benchmarks(38, ["T2", "T3"], 12, 1024);
        Ok(asked_or(request, small, papers_benchmarks()))
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let amounts = [(ONE, Value::Amount(Amount::One)), (HALF, Value::Amount(Amount::Half))];
        variants::contenders(&STEAL, &amounts, workers)
    }

    fn report(&self, results: &Results) -> Report {
        let note = "Steals and leaps are counted in runs of their own. A steal of half takes the older half of the shared tasks and \
                    runs them newest first,\nas the paper does. Waiting workers leapfrog, then steal at random; nobody \
                    sleeps. The paper has no numbers.";
        let (tables, notes) = (vec![table(results)], vec![note.to_owned()]);
        Report { tables, notes, finding: finding(results) }
    }
}

fn table(results: &Results) -> Table {
    let header = ["workload", "P", "T_P one", "T_P half", "one/half", "steals one", "steals half"];
    let mut table = Table::new(2, &header);
    for job in results.jobs() {
        let row = |workers: usize| {
            let key = |contender| Key { job: &job, contender, workers };
            let moved =
                |label| counted(results, key(label), |record| Some(record.steals? + record.leaps?));
            let over = results.ratio(key(ONE), key(HALF)).map(|ratio| ratio.value);
            let times = [ONE, HALF].map(|label| time(results.time(key(label))));
            let values = [ratio(over), whole(moved(ONE)), whole(moved(HALF))];
            [vec![job.clone(), workers.to_string()], times.to_vec(), values.to_vec()].concat()
        };
        table.groups.push(results.workers_beside("").into_iter().map(row).collect());
    }
    table
}

fn finding(results: &Results) -> Finding {
    let workers = Count(most_workers(results), "worker");
    let what = format!("with {workers} steals of one take, in times of steals of half,");
    Finding::of(
        "to steal half of the shared tasks does not improve performance",
        &[is_no_slower(results, ONE, HALF, &what)],
        Some("machines where a steal is dearer, for which the paper leaves it open"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{run, twice};
    use crate::experiment::report::Verdict;

    fn results(one: f64, half: f64) -> Results {
        twice(vec![run("uts:T3", ONE, 2, one), run("uts:T3", HALF, 2, half)])
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(finding(&results(1.0, 1.0)).verdict, Verdict::Holds);
        assert_eq!(finding(&results(1.1, 1.0)).verdict, Verdict::Fails);
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
        let single = Results(results(1.0, 1.0).0.into_iter().take(2).collect());
        assert_eq!(finding(&single).verdict, Verdict::Open, "one round has no noise");
    }

    #[test]
    fn times_and_their_ratio_stand_in_a_row() {
        let table = table(&results(1.5, 1.0));
        assert_eq!(table.groups[0][0][4..], ["1.50", "-", "-"]);
    }
}

//! Which rankings hold when a number of the machine is another: a simulated one rests on numbers that are recalled, or stand in for
//! others, so only what none of them decides is claimed.

use super::ask::{Failed, Request};
use super::row::Answer;
use crate::measure::Progress;
use crate::report::{Screen, Table};
use crate::stats::distinct;

/// Two kinds of pools on one program and so many workers.
#[derive(Clone, Debug, PartialEq)]
struct Ranking {
    program: String,
    workers: usize,
    faster: String,
    slower: String,
    /// How many times as long the slower one takes.
    ratio: f64,
}

/// Simulates all again with each number of the machine divided and multiplied by `factor`, and says which rankings of the first
/// answer hold.
///
/// # Errors
/// See [`Failed`].
pub(crate) fn survey(
    request: &Request,
    first: &Answer,
    factor: f64,
    progress: &Progress,
    screen: Screen,
) -> Result<String, Failed> {
    let rankings = rankings(first);
    let mut broken: Vec<Vec<String>> = vec![Vec::new(); rankings.len()];
    let (mut machines, mut none) = (0, Vec::new());
    let request = Request { trace: None, ..request.clone() };
    for name in &first.machine.numbers {
        for by in [1.0 / factor, factor] {
            let changed = format!("{name} x {by}");
            match request.rows(Some((name, by)), progress) {
                Ok(answer) => {
                    machines += 1;
                    note(&rankings, &answer, &changed, &mut broken);
                }
                // Such as a way that is shorter than what begins it.
                Err(Failed::Refused(_)) => none.push(changed),
                Err(failed) => return Err(failed),
            }
        }
    }
    let rows = rankings.iter().zip(&broken).map(|(ranking, broken)| {
        vec![
            ranking.program.clone(),
            ranking.workers.to_string(),
            ranking.faster.clone(),
            ranking.slower.clone(),
            format!("{:.2}", ranking.ratio),
            format!("{} of {machines}", machines - broken.len()),
            broken.join("; "),
        ]
    });
    let table = Table::titled(4, "program | P | faster | slower | ratio | holds on | not with");
    let mut text = format!(
        "\nEach number of the machine by {} and by {factor}: which rankings hold.\n\n{}",
        1.0 / factor,
        table.of(rows).terminal(screen)
    );
    if !none.is_empty() {
        text += &format!("No machine: {}.\n", none.join(", "));
    }
    Ok(text)
}

/// Every two kinds of pools, the faster by the median first.
fn rankings(answer: &Answer) -> Vec<Ranking> {
    let groups = answer.groups();
    let mut rankings = Vec::new();
    let places =
        distinct(groups.iter().map(|group| (&group.first().program, group.first().workers)));
    for (program, workers) in places {
        let here = |row: &super::row::Row| (&row.program, row.workers) == (program, workers);
        let mut times: Vec<(String, f64)> = groups
            .iter()
            .filter(|group| here(group.first()))
            .map(|group| (group.first().contender(), group.median(|row| row.took_ns)))
            .collect();
        times.sort_by(|a, b| a.1.total_cmp(&b.1));
        for (at, (faster, less)) in times.iter().enumerate() {
            rankings.extend(times[at + 1..].iter().map(|(slower, more)| Ranking {
                program: program.clone(),
                workers,
                faster: faster.clone(),
                slower: slower.clone(),
                ratio: more / less,
            }));
        }
    }
    rankings
}

/// Notes which rankings do not hold on another machine. Of equals none is faster.
fn note(first: &[Ranking], answer: &Answer, changed: &str, broken: &mut [Vec<String>]) {
    let now = rankings(answer);
    for (ranking, broken) in first.iter().zip(broken) {
        let holds = now.iter().any(|other| {
            let same = (&other.program, other.workers) == (&ranking.program, ranking.workers);
            let order = (&other.faster, &other.slower) == (&ranking.faster, &ranking.slower);
            same && order && other.ratio > 1.0
        });
        if !holds {
            broken.push(changed.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::{answer, row};
    use super::*;

    #[test]
    fn a_ranking_that_another_machine_turns_round_is_named() {
        let of = |split: f64, abp: f64, direct: f64| {
            let took = [("split", split), ("abp", abp), ("direct", direct)];
            answer(took.map(|(deque, took)| row(deque, 2, 0, took)).to_vec())
        };
        let first = rankings(&of(100.0, 150.0, 120.0));
        let pairs: Vec<_> =
            first.iter().map(|pair| (pair.faster.as_str(), pair.slower.as_str())).collect();
        let expected = [
            ("split, leap", "direct, leap"),
            ("split, leap", "abp, leap"),
            ("direct, leap", "abp, leap"),
        ];
        assert_eq!(pairs, expected);
        assert_eq!(first[1].ratio, 1.5);
        let mut broken = vec![Vec::new(); 3];
        note(&first, &of(200.0, 300.0, 190.0), "rmw x 2", &mut broken);
        note(&first, &of(200.0, 200.0, 190.0), "hit x 2", &mut broken);
        assert_eq!(broken, [vec!["rmw x 2", "hit x 2"], vec!["hit x 2"], vec![]]);
    }
}

//! Work and span, where the time goes, events, who steals from whom.

use std::io;

use maud::{Markup, html};

use super::{Cell, GAP, Section, numbers, strings, table};
use crate::measure::Timing;
use crate::report::{count, seconds, three_digits};
use crate::whole_report::found::{Profiled, Watched};
use crate::whole_report::plot::{Plot, Series, Shape};
use crate::whole_report::whole::Whole;

pub(super) fn sections(whole: &Whole) -> io::Result<Vec<Section>> {
    Ok(vec![
        Section { id: "span", title: "Work and span", body: spans(&whole.profiles) },
        Section { id: "time", title: "Where the time goes", body: breakdown(&whole.workers)? },
        Section { id: "events", title: "Steals, grows, shrinks", body: events(&whole.workers) },
        Section { id: "map", title: "Who steals from whom", body: maps(&whole.profiles) },
    ])
}

fn spans(profiles: &[Profiled]) -> Markup {
    let header = strings(&[
        "workload",
        "alone",
        "profiled",
        "T_1",
        "T_inf",
        "T_1/T_inf",
        "burdened",
        "G_T",
        "G_L",
    ]);
    let ns = |ns: Option<f64>| ns.map_or(GAP.to_owned(), |ns| seconds(ns / 1e9));
    let row = |one: &Profiled| {
        let cells = [
            one.workload.clone(),
            seconds(one.alone),
            seconds(one.profiled),
            seconds(one.work),
            seconds(one.span),
            three_digits(one.parallelism),
            three_digits(one.burdened),
            ns(one.task_ns),
            ns(one.steal_ns),
        ];
        cells.map(Cell::from).to_vec()
    };
    let rows: Vec<Vec<Cell>> = profiles.iter().map(row).collect();
    html! {
        p {
            "Work T_1, span T_inf and parallelism by the profile, of a run with all workers; burdened: with what a steal costs on \
             this machine for each branch that somebody else may run. G_T is the work of a task, G_L that between two steals."
        }
        (table(&header, rows))
        ul { @for one in profiles { li { b { (one.workload) } ": " (one.verdict) } } }
    }
}

/// More workers are shown together.
const EACH: usize = 4;

/// A name, and the phases with their seconds.
type Column = (String, Vec<(String, f64)>);

/// The phases of each worker, or of all together: the program itself first.
fn columns(watched: &[Watched]) -> Vec<Column> {
    let mut columns = Vec::new();
    for one in watched {
        if one.phases.len() <= EACH {
            let each = one.phases.iter().enumerate();
            columns.extend(
                each.map(|(worker, phases)| {
                    (format!("{} w{worker}", one.workload), phases.clone())
                }),
            );
            continue;
        }
        let mut sum = one.phases[0].clone();
        for other in &one.phases[1..] {
            sum.iter_mut().zip(other).for_each(|(sum, other)| sum.1 += other.1);
        }
        columns.push((one.workload.clone(), sum));
    }
    for (_, phases) in &mut columns {
        // Start and stop are first, and what there is least of.
        phases.rotate_left(1);
    }
    columns
}

fn breakdown(watched: &[Watched]) -> io::Result<Markup> {
    let columns = columns(watched);
    let together = |phases: &[(String, f64)]| phases.iter().map(|phase| phase.1).sum::<f64>();
    let share = |phases: &[(String, f64)], phase: usize| {
        100.0 * phases[phase].1 / together(phases).max(f64::MIN_POSITIVE)
    };
    let names: Vec<String> = columns
        .first()
        .map_or_else(Vec::new, |(_, all)| all.iter().map(|one| one.0.clone()).collect());
    let series = names.iter().enumerate().map(|(phase, name)| {
        let point =
            |(_, phases): &(String, Vec<(String, f64)>)| Timing::of(vec![share(phases, phase)]);
        Series::measured(name, columns.iter().map(point).collect())
    });
    // The worker below its bar, and the workload once, below those of its workers.
    let worker =
        |(name, _): &Column| name.split_once(" w").map_or("all", |(_, worker)| worker).to_owned();
    let workload = |(name, _): &Column| name.split(" w").next().unwrap_or(name).to_owned();
    let mut groups: Vec<(f64, String)> = Vec::new();
    let mut begin = 0;
    for group in columns.chunk_by(|a, b| workload(a) == workload(b)) {
        groups.push((begin as f64 + (group.len() as f64 - 1.0) / 2.0, workload(&group[0])));
        begin += group.len();
    }
    let plot = Plot {
        title: "What each worker spent its time on, in percent".to_owned(),
        x: "workload and worker",
        y: "% of the time",
        places: columns.iter().map(worker).collect(),
        groups,
        series: series.collect(),
        shape: Shape::Stacks,
    };
    let header = [strings(&["workload, worker"]), names.clone(), strings(&["together"])].concat();
    let row = |(name, phases): &Column| {
        let cell = |phase: usize| {
            let percent = share(phases, phase);
            Cell::from(format!("{} {percent:.1} %", seconds(phases[phase].1)))
        };
        let all = Cell::from(seconds(together(phases)));
        std::iter::once(name.clone().into())
            .chain((0..names.len()).map(cell))
            .chain([all])
            .collect()
    };
    let rows: Vec<Vec<Cell>> = columns.iter().map(row).collect();
    Ok(html! {
        p { "Of the run of median time, from its begin to its end. Application is the program itself." }
        (plot.markup()?)
        (numbers(&header, rows))
    })
}

/// Events that never happened have no column.
fn events(watched: &[Watched]) -> Markup {
    let happened = |name: &str| {
        let all = watched.iter().flat_map(|one| one.events.iter().flatten());
        all.filter(|(other, _)| other == name).any(|(_, number)| *number > 0)
    };
    let names: Vec<String> = watched
        .first()
        .and_then(|one| one.events.first())
        .map_or_else(Vec::new, |events| events.iter().map(|event| event.0.clone()).collect());
    let (shown, never): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| happened(name));
    let header = [strings(&["workload, worker"]), shown.clone()].concat();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for one in watched {
        for (worker, events) in one.events.iter().enumerate() {
            let number = |name: &String| {
                let event = events.iter().find(|(other, _)| other == name);
                Cell::from(event.map_or(GAP.to_owned(), |event| count(event.1 as u64)))
            };
            let name = Cell::from(format!("{} w{worker}", one.workload));
            rows.push(std::iter::once(name).chain(shown.iter().map(number)).collect());
        }
    }
    html! {
        p {
            "Of the same runs. Grows: an owner shares tasks; shrinks: it takes shared ones back."
            @if !never.is_empty() { " None at all: " (never.join(", ")) "." }
        }
        (table(&header, rows))
    }
}

fn maps(profiles: &[Profiled]) -> Markup {
    html! {
        p { "How many tasks each worker stole from each other, in the runs under the profile: a row a thief, a column a victim." }
        @for one in profiles {
            h3 { (one.workload) }
            (map(&one.steals))
            @if one.dropped > 0 { p { (count(one.dropped)) " marks of the trace had no room: the counts are of its end." } }
        }
    }
}

fn map(steals: &[Vec<u64>]) -> Markup {
    let most = steals.iter().flatten().copied().max().unwrap_or(0).max(1);
    html! {
        div class="scroll" {
            table {
                thead { tr { th scope="col" { "thief" } @for victim in 0..steals.len() { th scope="col" { "from " (victim) } } } }
                tbody {
                    @for (thief, row) in steals.iter().enumerate() {
                        tr {
                            th scope="row" { "worker " (thief) }
                            @for (victim, &number) in row.iter().enumerate() {
                                @if victim == thief { td { "" } }
                                @else { td class="share" style=(format!("--share: {}%", 60 * number / most)) { (count(number)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

//! The headline, the cost of a task, speedups, the deques.

use std::io;

use maud::{Markup, html};

use super::{Cell, GAP, Section, numbers, strings, table};
use crate::measure::{Summary, Timing, distinct};
use crate::report::{count, seconds, three_digits};
use crate::whole_report::plot::{Kind, Plot, Series, Shape};
use crate::whole_report::whole::Whole;
use lyocell_engines::RUNTIME;

pub(super) fn sections(whole: &Whole) -> io::Result<Vec<Section>> {
    let summaries = whole.summaries();
    Ok(vec![
        Section { id: "headline", title: "Headline", body: headline(&summaries) },
        Section { id: "cost", title: "Cost of a task", body: costs(&summaries)? },
        Section { id: "speedup", title: "Speedup", body: speedups(whole, &summaries)? },
        Section { id: "deques", title: "Deques", body: deques(whole)? },
    ])
}

/// The engines of all workloads, in the order they took turns.
fn engines(summaries: &[Summary]) -> Vec<&'static str> {
    distinct(summaries.iter().flat_map(|summary| summary.engines.iter().copied()))
}

/// With half the range of the repetitions.
fn time(timing: Timing) -> String {
    format!("{} ±{:.0} %", seconds(timing.median), timing.spread() * 100.0)
}

fn headline(summaries: &[Summary]) -> Markup {
    let engines = engines(summaries);
    let mut header = strings(&["workload", "tasks", "", "serial", "in C"]);
    header.extend(engines.iter().map(|&engine| engine.to_owned()));
    let mut rows = Vec::new();
    for summary in summaries {
        for (place, &workers) in summary.workers.iter().enumerate() {
            rows.push(headline_row(summary, &engines, workers, place == 0));
        }
    }
    html! {
        // On a phone the engines are what is seen: what is left out there stands below as well, and in the report's files.
        div class="headline" { (table(&header, rows)) }
        p { "The shortest of each row is green, where its range lies below those of the others. What stands behind ± is half the range of the repetitions." }
    }
}

fn headline_row(summary: &Summary, engines: &[&str], workers: usize, is_first: bool) -> Vec<Cell> {
    let times: Vec<Option<Timing>> =
        engines.iter().map(|engine| summary.time(engine, workers)).collect();
    // Beyond the noise: all of its range lies below those of the others.
    let is_best = |own: &Timing| {
        let others = times.iter().flatten().filter(|other| *other != own);
        times.iter().flatten().count() > 1
            && others.clone().all(|other| own.high < other.low)
            && others.count() + 1 == times.iter().flatten().count()
    };
    let cell = |timing: &Option<Timing>| match timing {
        None => Cell::from(GAP),
        Some(timing) => Cell { text: time(*timing), is_best: is_best(timing) },
    };
    let first = |text: String| Cell::from(if is_first { text } else { String::new() });
    let serial = |timing: Option<Timing>| first(timing.map_or(GAP.to_owned(), time));
    let tasks = summary.tasks.map_or("differ".to_owned(), count);
    let own = [
        summary.workload.clone().into(),
        first(tasks),
        format!("T_{workers}").into(),
        serial(summary.serial()),
        serial(summary.serial_c()),
    ];
    own.into_iter().chain(times.iter().map(cell)).collect()
}

/// Nanoseconds a task, from that of the fastest run to that of the slowest.
fn overhead(summary: &Summary, engine: &str) -> Option<Timing> {
    let tasks = summary.tasks.filter(|&tasks| tasks > 0)? as f64;
    let (one, serial) = (summary.time(engine, 1)?, summary.serial()?.median);
    let of = |time: f64| (time - serial) * 1e9 / tasks;
    Some(Timing { median: of(one.median), low: of(one.low), high: of(one.high) })
}

/// Of longer tasks the cost cannot be seen beside that of short ones: it is the difference of two long times.
const SHORT_TASK_S: f64 = 1e-6;

fn has_short_tasks(summary: &&Summary) -> bool {
    let serial = summary.serial().map_or(0.0, |serial| serial.median);
    summary.tasks.is_some_and(|tasks| serial < SHORT_TASK_S * tasks as f64)
}

fn costs(summaries: &[Summary]) -> io::Result<Markup> {
    let engines = engines(summaries);
    let short: Vec<&Summary> = summaries.iter().filter(has_short_tasks).collect();
    let series = engines.iter().map(|engine| {
        let points = short.iter().map(|summary| overhead(summary, engine));
        Series::measured(engine, points.collect())
    });
    let plot = Plot {
        title: "What a task costs on each engine over the serial program, with one worker"
            .to_owned(),
        x: "workload",
        y: "ns per task",
        places: short.iter().map(|summary| summary.workload.clone()).collect(),
        series: series.collect(),
        groups: Vec::new(),
        shape: Shape::Bars,
    };
    let header = [strings(&["ns per task"]), strings(&engines)].concat();
    let row = |summary: &Summary| {
        let own = engines.iter().map(|engine| range(overhead(summary, engine), three_digits));
        std::iter::once(summary.workload.clone().into()).chain(own).collect()
    };
    let rows: Vec<Vec<Cell>> = summaries.iter().map(row).collect();
    Ok(html! {
        p {
            "(T_1 - T_S) / tasks. Where tasks are long the difference is that of two long times, and says little: below zero \
             the program happened to run faster than the serial one. The plot has the workloads with tasks of less than a \
             microsecond."
        }
        (plot.markup()?)
        (numbers(&header, rows))
    })
}

/// A median, and from where to where.
fn range(value: Option<Timing>, show: impl Fn(f64) -> String) -> Cell {
    match value {
        None => GAP.into(),
        Some(Timing { median, low, high }) => {
            format!("{} ({} to {})", show(median), show(low), show(high)).into()
        }
    }
}

/// T_S / T_P, the fastest run the highest.
fn speedup(summary: &Summary, engine: &str, workers: usize) -> Option<Timing> {
    let (serial, time) = (summary.serial()?.median, summary.time(engine, workers)?);
    let over = |time: f64| serial / time;
    Some(Timing { median: over(time.median), low: over(time.high), high: over(time.low) })
}

fn speedups(whole: &Whole, summaries: &[Summary]) -> io::Result<Markup> {
    let each: io::Result<Vec<Markup>> =
        summaries.iter().map(|summary| speedup_of(whole, summary)).collect();
    Ok(html! {
        p {
            "T_S / T_P beside min(P, T_1 / T_inf), what P workers can reach at most with the work and the span that were \
             measured (below)."
        }
        @for one in each? { (one) }
    })
}

fn speedup_of(whole: &Whole, summary: &Summary) -> io::Result<Markup> {
    let profile = whole.profiles.iter().find(|profile| profile.workload == summary.workload);
    let own = summary.engines.iter().map(|engine| {
        let points = summary.workers.iter().map(|&workers| speedup(summary, engine, workers));
        Series::measured(engine, points.collect())
    });
    let bound = profile.map(|profile| {
        let bound = |&workers: &usize| Timing::of(vec![profile.parallelism.min(workers as f64)]);
        let points = summary.workers.iter().map(bound).collect();
        Series { name: "min(P, T_1/T_inf)".to_owned(), points, kind: Kind::Bound }
    });
    let series: Vec<Series> = own.chain(bound).collect();
    let header =
        [strings(&["workers"]), series.iter().map(|one| one.name.clone()).collect()].concat();
    let row = |(place, workers): (usize, &usize)| {
        let two = |number: f64| format!("{number:.2}");
        let cell = |one: &Series| match (one.kind, one.points[place]) {
            (Kind::Bound, Some(bound)) => two(bound.median).into(),
            (_, point) => range(point, two),
        };
        std::iter::once(workers.to_string().into()).chain(series.iter().map(cell)).collect()
    };
    let rows: Vec<Vec<Cell>> = summary.workers.iter().enumerate().map(row).collect();
    let plot = Plot {
        title: format!(
            "Speedup over the serial program on {}, by the number of workers",
            summary.workload
        ),
        x: "workers P",
        y: "T_S / T_P",
        places: summary.workers.iter().map(usize::to_string).collect(),
        series,
        groups: Vec::new(),
        shape: Shape::Lines,
    };
    Ok(html! { h3 { (summary.workload) } (plot.markup()?) (numbers(&header, rows)) })
}

fn deques(whole: &Whole) -> io::Result<Markup> {
    let Some(summary) = Summary::of(&whole.deques) else {
        return Ok(html! { p { "Not measured." } });
    };
    let own = |engine: &'static str| match engine.split_once(':') {
        Some((_, deque)) => deque,
        None if engine == RUNTIME => "split",
        None => engine,
    };
    let points: Vec<Option<Timing>> =
        summary.engines.iter().map(|engine| overhead(&summary, engine)).collect();
    let plot = Plot {
        title: format!("What a task of {} costs on each deque, with one worker", summary.workload),
        x: "deque",
        y: "ns per task",
        places: summary.engines.iter().map(|&engine| own(engine).to_owned()).collect(),
        series: vec![Series::measured(&summary.workload, points.clone())],
        groups: Vec::new(),
        shape: Shape::Bars,
    };
    let header = strings(&["deque", "ns per task over serial", "T_1"]);
    let row = |(engine, point): (&&'static str, &Option<Timing>)| {
        let one = summary.time(engine, 1).map_or(GAP.to_owned(), time);
        vec![own(engine).into(), range(*point, three_digits), one.into()]
    };
    let rows: Vec<Vec<Cell>> = summary.engines.iter().zip(&points).map(row).collect();
    Ok(html! { (plot.markup()?) (numbers(&header, rows)) })
}

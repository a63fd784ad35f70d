//! The papers' tables beside ours, and what a pool does when there is little to do.

use maud::{Markup, html};

use super::{Cell, GAP, Section, strings, table};
use crate::experiment::Verdict;
use crate::measure::distinct;
use crate::whole_report::found::Latency;
use crate::whole_report::plot::inline;
use crate::whole_report::whole::{Paper, Whole};

pub(super) fn sections(whole: &Whole) -> Vec<Section> {
    vec![
        Section { id: "latency", title: "Latency", body: latency(&whole.latency) },
        Section { id: "papers", title: "The papers, again", body: papers(whole) },
    ]
}

fn papers(whole: &Whole) -> Markup {
    let Whole { papers, not_run, .. } = whole;
    html! {
        @if papers.is_empty() { p { "None was done again." } }
        @for Paper { told, drawing, reps } in papers {
            h3 id=(told.name) { (told.name) ": " (told.shows) }
            p { (told.paper) "; there on " (told.machine) ". Here with " (reps) " timed repetition" @if *reps != 1 { "s" } " of each run." }
            p class=(format!("finding {}", class(told.verdict))) { (told.finding) }
            @for one in &told.tables { (one.html()) }
            @if let Some(drawing) = drawing { (inline(drawing, &format!("{}: {}", told.name, told.shows))) }
            @if !told.notes.is_empty() {
                details {
                    summary { "How to read it, and what was done otherwise than in the paper" }
                    @for note in &told.notes { p { (note) } }
                }
            }
        }
        @if !not_run.is_empty() {
            h3 { "Not run" }
            p { (not_run.join(", ")) ". " code { "lyocell report --full" } " runs all, " code { "lyocell experiment NAME" } " one." }
        }
    }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Partly | Verdict::Open => "",
    }
}

fn latency(figures: &[Latency]) -> Markup {
    let place = |figure: &Latency| (figure.measure.clone(), figure.statistic.clone());
    let engines = distinct(figures.iter().map(|figure| figure.engine.as_str()));
    let lines = distinct(figures.iter().map(place));
    let summaries = distinct(figures.iter().map(|figure| (&figure.measure, &figure.summary)));
    let header = [strings(&["measure", "statistic"]), strings(&engines)].concat();
    let row = |line: &(String, String)| {
        let cell = |engine: &&str| {
            let own = |figure: &&Latency| figure.engine == **engine && place(figure) == *line;
            Cell::from(figures.iter().find(own).map_or(GAP.to_owned(), |figure| {
                format!("{}{}", figure.text, if figure.disturbed { " !" } else { "" })
            }))
        };
        let names = vec![line.0.as_str().into(), line.1.as_str().into()];
        [names, engines.iter().map(cell).collect()].concat()
    };
    let rows: Vec<Vec<Cell>> = lines.iter().map(row).collect();
    html! {
        (table(&header, rows))
        @for (measure, summary) in summaries { p { b { (measure) } ": " (summary) "." } }
        @if figures.iter().any(|figure| figure.disturbed) { p { "!: the host disturbed it." } }
    }
}

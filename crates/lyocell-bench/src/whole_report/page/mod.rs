//! The page: one file that needs nothing else.
//!
//! | file | what |
//! |---|---|
//! | `times.rs` | the headline, the cost of a task, speedups, the deques |
//! | `inside.rs` | work and span, where the time goes, events, who steals from whom |
//! | `papers.rs` | the papers' tables beside ours |
//! | `shortfall.rs` | what fell short |

use std::io;

use maud::{Markup, html};

use super::folder::Origin;
use super::plot;
use super::whole::Whole;
use crate::report::{Cell, GAP, Table};

mod inside;
mod papers;
mod shortfall;
mod times;

const STYLE: &str = "
nav a { margin-right: .9rem; white-space: nowrap; } a { color: var(--bar); }
h2 { border-top: 1px solid var(--line); padding-top: 1.2rem; } h3 { font-size: 1rem; margin-top: 1.6rem; }
.plot svg { width: 100%; max-width: 760px; min-width: 34rem; height: auto; } .plot svg text { font-family: system-ui, sans-serif; }
.plot svg { mix-blend-mode: multiply; } @media (prefers-color-scheme: dark) { .plot svg { mix-blend-mode: lighten; } }
details { margin: .4rem 0 1rem; } summary { cursor: pointer; color: var(--soft); } td.best { font-weight: 700; color: var(--good); }
th:first-child, td:first-child { white-space: nowrap; }
.key { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } .key dt { color: var(--soft); } .key dd { margin: 0; overflow-wrap: anywhere; }
.finding { border-left: .3rem solid var(--line); padding: .1rem .8rem; } .holds { border-color: var(--good); } .fails { border-color: var(--bad); }
td.share { background: color-mix(in srgb, var(--bar) var(--share), transparent); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
@media (max-width: 40rem) { .headline :is(th, td):is(:nth-child(2), :nth-child(4), :nth-child(5)) { display: none; } body { margin: 1rem auto; font-size: 14px; } th, td { padding: .25rem .4rem; } .headline table { font-size: 12px; } .headline :is(th, td) { padding: .25rem .2rem; } .headline :is(th, td):nth-child(n+6) { white-space: normal; } .key { grid-template-columns: 1fr; } .key dd { margin-bottom: .4rem; } }
@media print { nav { display: none; } .plot svg { min-width: 0; } .plot { break-inside: avoid; } th:first-child, td:first-child { white-space: normal; } details::details-content { content-visibility: visible; height: auto; } }
";

/// A part of the page.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Markup,
}

/// The whole page.
///
/// # Errors
/// The drawing library's.
pub(super) fn page(whole: &Whole) -> io::Result<String> {
    let mut sections =
        vec![Section { id: "machine", title: "Machine", body: machine(&whole.origin) }];
    sections.extend(times::sections(whole)?);
    sections.extend(inside::sections(whole)?);
    sections.extend(papers::sections(whole));
    sections.push(Section { id: "short", title: "What fell short", body: shortfall::body(whole) });
    let body = html! {
        h1 { "Lyocell, measured" }
        nav { @for section in &sections { a href=(format!("#{}", section.id)) { (section.title) } " " } }
        @for section in &sections {
            section {
                h2 id=(section.id) { (section.title) }
                (section.body)
            }
        }
    };
    let style = STYLE.to_owned() + &plot::style();
    Ok(lyocell_profile::page("Lyocell, measured", &style, &body.into_string()))
}

fn machine(origin: &Origin) -> Markup {
    let Origin { machine, program, size, workers, notes } = origin;
    html! {
        dl class="key" {
            dt { "machine" } dd { (machine) }
            @for (name, value) in notes { dt { (name) } dd { (value) } }
            dt { "program" } dd { "its file's digest begins with " (program) }
            dt { "measured" } dd { (size.name()) ", with up to " (workers) " workers" }
        }
        p {
            "Every answer was checked. T_S is the time of the serial program in Rust, T_P that on P workers: medians of the \
             repetitions, which are taken in turn. Bars in the plots go from the fastest to the slowest run."
        }
    }
}

/// A table, its first column being names.
fn table(header: &[String], rows: Vec<Vec<Cell>>) -> Markup {
    Table::new(1, header).of(rows).html()
}

/// The numbers of a plot, out of the way.
fn numbers(header: &[String], rows: Vec<Vec<Cell>>) -> Markup {
    html! { details { summary { "The numbers" } (table(header, rows)) } }
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[cfg(test)]
mod tests;

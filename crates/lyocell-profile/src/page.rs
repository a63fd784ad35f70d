//! The report as a page of its own: no network, light and dark, on paper too.

use crate::report::{COLUMNS, Profiled, RegionReport, cells, number_of, time, time_ns};
use crate::shell::page;
use lyocell::probe::Event;
use maud::{Markup, html};

const STYLE: &str = "
.verdict { border-left: .3rem solid var(--bad); padding: .1rem .8rem; margin: .6rem 0; } .verdict.good { border-color: var(--good); }
.bar { display: inline-block; height: .7rem; background: var(--bar); vertical-align: baseline; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.wide { width: 100%; } .wide td:last-child { text-align: left; width: 60%; }
";

impl Profiled {
    /// The report as an HTML page that needs nothing else.
    pub fn to_html(&self) -> String {
        let rows = self.rows();
        let body = html! {
            h1 { "Why it is not faster" }
            @for (depth, row) in &rows { (verdict(*depth, row)) }
            h2 { "Regions" }
            div class="scroll" { (regions(&rows, self.own_cost_reading_ns)) }
            p {
                "Parallelism is work by span: plain, with 2,000 cycles for each branch that somebody else runs, and with the \
                 burden of this machine (" (self.burden()) "). G_T is the work of a task, G_L the work between two \
                 steals; p50 and p99 are of tasks with all that they fork."
            }
            @for (_, row) in &rows { (sizes(row)) }
            h2 { "Workers" }
            (bars(self.phases.iter().map(|(name, s)| ((*name).to_owned(), *s, time(*s)))))
            p {
                (self.workers) " workers. Looking for tasks took " (time(self.wasted_s)) ". "
                "Steals " (self.count(Event::Steal)) ", leaps " (self.count(Event::Leap)) ", failed tries "
                (self.count(Event::Failed) + self.count(Event::Busy)) ", parks " (self.count(Event::Park))
                "; at most " (number_of(self.peak_depth)) " tasks in a deque."
            }
            p {
                "The profile itself took " (time(self.own_cost_s)) ", which is subtracted" (self.but_for_what_is_left()) ": "
                (time_ns(Some(self.own_cost_task_ns))) " a task, " (time_ns(Some(self.own_cost_reading_ns)))
                " a reading of the clock."
            }
        };
        page("Profile: work, span and parallelism", STYLE, &body.into_string())
    }
}

fn verdict(depth: usize, row: &RegionReport) -> Markup {
    let class = if row.cause == crate::Cause::Nothing { "verdict good" } else { "verdict" };
    html! {
        div class=(class) style=(format!("margin-left: {depth}rem")) { b { (row.name) } ": " (row.verdict) }
    }
}

fn regions(rows: &[(usize, &RegionReport)], resolution_ns: f64) -> Markup {
    html! {
        table {
            thead { tr { @for column in COLUMNS { th scope="col" { (column) } } } }
            tbody {
                @for (depth, row) in rows { tr { @for cell in cells(*depth, row, resolution_ns) { td { (cell) } } } }
            }
        }
    }
}

fn sizes(row: &RegionReport) -> Markup {
    if row.task_sizes.is_empty() {
        return html! {};
    }
    let bar = |(size, tasks): &(f64, u64)| {
        (format!("up to {}", time_ns(Some(*size))), *tasks as f64, number_of(*tasks))
    };
    html! {
        h2 { "Sizes of tasks: " (row.name) }
        p { "Of " (number_of(row.timed_tasks)) " tasks that were timed." }
        (bars(row.task_sizes.iter().map(bar)))
    }
}

/// A row for each: what it is, how long its bar is, and the number as text.
fn bars(rows: impl Iterator<Item = (String, f64, String)>) -> Markup {
    let rows: Vec<_> = rows.collect();
    let longest = rows.iter().map(|row| row.1).fold(f64::MIN_POSITIVE, f64::max);
    html! {
        table class="wide" {
            @for (name, value, text) in &rows {
                tr {
                    td { (name) }
                    td { (text) }
                    td { span class="bar" style=(format!("width: {:.1}%", 100.0 * value / longest)) {} }
                }
            }
        }
    }
}

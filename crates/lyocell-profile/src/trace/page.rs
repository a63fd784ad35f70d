//! A page with the workers over time, as one drawing.

use super::slices::{Slice, Traced};
use crate::shell::page;
use maud::{Markup, html};

const STYLE: &str = "
:root { --task: #3b6fd4; --stolen: #8a4fc0; --region: #2f9e63; --search: #d98a1f; --sleep: #c9ced6; }
@media (prefers-color-scheme: dark) { :root { --task: #7aa5f5; --stolen: #bb8eea; --region: #69c993; --search: #e7ac58; --sleep: #454d59; } }
svg { width: 100%; height: auto; } text { fill: var(--ink); font: 11px system-ui, sans-serif; } line { stroke: var(--line); }
.task { fill: var(--task); } .stolen { fill: var(--stolen); } .region { fill: var(--region); } .search { fill: var(--search); } .sleep { fill: var(--sleep); }
svg rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .key span { margin-right: 1rem; } .key svg { width: .8rem; height: .8rem; }
";

const WIDTH: f64 = 1_200.0;
const LEFT: f64 = 70.0;
const ROW: f64 = 44.0;
const TOP: f64 = 24.0;
/// Deeper slices are drawn over those that they are within.
const STEP: f64 = 5.0;
/// More than this nobody sees, and a page should open at once.
const MOST: usize = 20_000;
const TICKS: u32 = 10;

impl Traced {
    /// The workers over time, as an HTML page that needs nothing else. Where there is too much to draw, the shortest
    /// slices are left out, and the page says so.
    pub fn to_html(&self) -> String {
        let mut shown: Vec<&Slice> = self.shown().collect();
        let all = shown.len();
        if all > MOST {
            shown.sort_by(|a, b| (b.end - b.begin).total_cmp(&(a.end - a.begin)));
            shown.truncate(MOST);
        }
        // Outer ones first.
        shown.sort_by_key(|slice| slice.depth);
        let body = html! {
            h1 { "Workers over time" }
            p class="key" {
                @for (class, name) in KEY {
                    span { svg viewBox="0 0 10 10" { rect class=(class) width="10" height="10" {} } " " (name) }
                }
            }
            (self.drawing(&shown))
            p {
                (shown.len()) " of " (all) " slices are drawn; " (self.dropped()) " marks had no room in the rings. \
                 Point at a slice for what it is. The same trace opens in Perfetto (ui.perfetto.dev)."
            }
        };
        page("Workers over time", STYLE, &body.into_string())
    }

    fn drawing(&self, shown: &[&Slice]) -> Markup {
        let length = self.length().max(f64::MIN_POSITIVE);
        let height = TOP + ROW * self.workers as f64 + 8.0;
        let x = |at: f64| LEFT + (WIDTH - LEFT - 10.0) * at / length;
        html! {
            svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label="Workers over time" {
                @for tick in 0..=TICKS {
                    @let at = length * f64::from(tick) / f64::from(TICKS);
                    line x1=(x(at)) x2=(x(at)) y1=(TOP - 6.0) y2=(height) {}
                    text x=(x(at)) y="12" text-anchor="middle" { (format!("{:.3} ms", at / 1e3)) }
                }
                @for worker in 0..self.workers {
                    text x="0" y=(TOP + ROW * worker as f64 + 20.0) { "worker " (worker) }
                }
                @for slice in shown {
                    @let inset = STEP * slice.depth.min(5) as f64;
                    rect class=(slice.what.category()) x=(format!("{:.2}", x(slice.begin)))
                        y=(TOP + ROW * slice.worker as f64 + 2.0 + inset)
                        width=(format!("{:.2}", (x(slice.end) - x(slice.begin)).max(0.3)))
                        height=(ROW - 6.0 - inset) {
                        title { (slice.what.name()) ", " (format!("{:.1} us at {:.1} us", slice.end - slice.begin, slice.begin)) }
                    }
                }
            }
        }
    }
}

const KEY: [(&str, &str); 5] = [
    ("task", "calls and tasks"),
    ("stolen", "stolen tasks"),
    ("region", "regions"),
    ("search", "searching"),
    ("sleep", "asleep"),
];

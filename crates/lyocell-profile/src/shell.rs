//! The shell of a page: what every page of ours has around its content, so that it needs nothing else. Light and dark, on
//! paper too. What is cut off at a side has a shadow there, and goes on behind it.

use maud::{DOCTYPE, PreEscaped, html};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1f24; --soft: #5d6672; --paper: #ffffff; --line: #d9dee5; --bar: #3b6fd4; --good: #1e7d47; --bad: #b3541e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa4b2; --paper: #15181d; --line: #343b46; --bar: #7aa5f5; --good: #69c993; --bad: #f0a470; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } p { color: var(--soft); }
.scroll { overflow-x: auto; background:
  linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
  linear-gradient(to right, var(--soft), transparent) left / .7rem 100% no-repeat scroll,
  linear-gradient(to left, var(--soft), transparent) right / .7rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; } th { color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; white-space: pre; }
@page { margin: 12mm; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 11px; } h1, h2, h3, h4 { break-after: avoid; } tr { break-inside: avoid; }
  .scroll { overflow: visible; background: none; } table { white-space: normal; font-size: 9px; } th, td { padding: .15rem .3rem; } }
";

/// A page of this title, with rules of its own beside those of all pages. `style` and `body` are put in as they are.
#[doc(hidden)]
pub fn page(title: &str, style: &str, body: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { (PreEscaped(body)) }
        }
    };
    page.into_string()
}

//! The links of the pages: each leads to a file, and to a heading of it, that is there. And the runs of the experiments:
//! where one section of EXPERIMENTS.md links to its own, each does, or says that nothing was measured.

use crate::page::{Page, pages};
use std::path::Path;

pub(crate) fn check(root: &Path, faults: &mut Vec<String>) {
    pages(root).iter().for_each(|path| check_page(root, path, faults));
    check_runs(&Page::read(&root.join("results/EXPERIMENTS.md")), faults);
}

fn check_page(root: &Path, path: &Path, faults: &mut Vec<String>) {
    let page = Page::read(path);
    let name = path.strip_prefix(root).expect("below the root").display();
    for (at, line) in page.lines.iter().enumerate() {
        for target in links(line).filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let linked = if file.is_empty() { path.into() } else { path.with_file_name(file) };
            if !linked.exists() {
                faults.push(format!("{name}:{}: there is no `{file}`; mend the link", at + 1));
            } else if !heading.is_empty() && !has_heading(&Page::read(&linked), heading) {
                faults.push(format!(
                    "{name}:{}: `{target}` leads to no heading; mend the link",
                    at + 1
                ));
            }
        }
    }
}

/// Where the links of a line lead.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

fn has_heading(page: &Page, anchor: &str) -> bool {
    let headings = page.lines.iter().filter(|line| line.starts_with('#'));
    headings.map(|line| line.trim_start_matches('#').trim()).any(|heading| {
        let words = heading.to_lowercase().replace(' ', "-");
        words.chars().filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c)).eq(anchor.chars())
    })
}

/// What a section says whose experiment was not run on the program of today.
const NOT_MEASURED: &str = "Not measured since";

/// Every section of an experiment links to the runs of that name, if any section links to runs.
fn check_runs(page: &Page, faults: &mut Vec<String>) {
    let starts = page.lines.iter().enumerate().filter(|(_, line)| line.starts_with("## "));
    let mut sections: Vec<(usize, bool)> = Vec::new();
    for (at, heading) in starts {
        let file = format!("/{}.csv", heading.trim_start_matches("## "));
        let section = page.lines[at + 1..].iter().take_while(|line| !line.starts_with("## "));
        let has_runs = |line: &String| {
            line.starts_with(NOT_MEASURED) || links(line).any(|link| link.ends_with(&file))
        };
        sections.push((at + 1, { section }.any(has_runs)));
    }
    if sections.iter().any(|&(_, has_runs)| has_runs) {
        for (line, _) in sections.into_iter().filter(|&(_, has_runs)| !has_runs) {
            faults.push(format!("{}:{line}: links to no file of its name with its runs; `lyocell experiment NAME --keep` writes one", page.name));
        }
    }
}

//! The numbers of the pages: each that stands in a sentence stands in a table of the same section, where it is made from what was
//! measured. A number that only a sentence has is checked by nobody.
//!
//! What is no result may stand anywhere: code between back quotes and in blocks, where links lead, names (`T_1`, `x86-64`), years,
//! dates and versions, and what stands behind words such as Figure, section or Rust.

use crate::page::{Page, pages};
use std::collections::HashSet;
use std::path::Path;

/// What stands behind these is a place or a version.
const PLACES: [&str; 11] = [
    "figure", "figures", "table", "section", "sections", "appendix", "version", "versions", "rust",
    "commit", "issue",
];

/// What goes on with the places before it: `Figures 5 and 8`.
const JOINS: [&str; 4] = ["and", "to", "or", "with"];

pub(crate) fn check(root: &Path, faults: &mut Vec<String>) {
    for path in pages(root) {
        let name = path.strip_prefix(root).expect("below the root").display().to_string();
        check_page(&name, &Page::read(&path), faults);
    }
}

fn check_page(name: &str, page: &Page, faults: &mut Vec<String>) {
    let starts = page.lines.iter().enumerate().filter(|(_, line)| line.starts_with("## "));
    let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    starts.insert(0, 0);
    starts.push(page.lines.len());
    for ends in starts.windows(2) {
        check_section(name, ends[0], &page.lines[ends[0]..ends[1]], faults);
    }
}

fn check_section(name: &str, first: usize, lines: &[String], faults: &mut Vec<String>) {
    let is_row = |line: &&String| line.trim_start().starts_with('|');
    let known: HashSet<String> =
        lines.iter().filter(is_row).flat_map(|line| groups(line)).collect();
    let mut in_code = false;
    let mut in_place = false;
    for (at, line) in lines.iter().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code || is_row(&line) || line.starts_with('#') || line.starts_with("<!--") {
            continue;
        }
        // What stands at the end of a line goes on in the next.
        in_place &= !line.trim().is_empty();
        for number in numbers(&plain(line), &mut in_place) {
            if !known.contains(&number) {
                faults.push(format!(
                    "{name}:{}: the number {number} stands in no table of its section; put it into one, or say it without",
                    first + at + 1
                ));
            }
        }
    }
}

/// A line without code, without where links lead, and without the mark of a list.
fn plain(line: &str) -> String {
    let mut text = String::new();
    for (at, piece) in line.split('`').enumerate() {
        text += if at % 2 == 0 { piece } else { " x " };
    }
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some((before, link)) = rest.split_once("](") {
        plain += before;
        plain += " ";
        rest = link.split_once(')').map_or("", |(_, after)| after);
    }
    plain += rest;
    let trimmed = plain.trim_start();
    let marked =
        trimmed.split_once(". ").filter(|(mark, _)| mark.chars().all(|c| c.is_ascii_digit()));
    marked.map_or(plain.clone(), |(_, rest)| rest.to_owned())
}

/// The numbers of a sentence. `in_place` is whether the words before it name a place.
fn numbers(text: &str, in_place: &mut bool) -> Vec<String> {
    let mut numbers = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || "()[]\"'*;".contains(c)) {
        let bare = word.trim_matches(|c: char| ".,:!?".contains(c));
        if bare.is_empty() {
            continue;
        }
        let lower = bare.to_lowercase();
        if PLACES.contains(&lower.as_str()) {
            *in_place = true;
            continue;
        }
        let unsigned = bare.trim_start_matches(['+', '-', '~', '±', '<', '>', '=']);
        if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            *in_place &= JOINS.contains(&lower.as_str());
            continue;
        }
        if !*in_place && !is_name(unsigned) {
            numbers.extend(groups(unsigned));
        }
    }
    numbers
}

/// A year, a date, a version, a commit, or a width of a word.
fn is_name(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let is_year = digits(word) && word.len() == 4 && ["19", "20"].contains(&&word[..2]);
    let is_date = word.len() == 10 && word.split('-').count() == 3 && word.split('-').all(digits);
    let parts: Vec<&str> = word.split('.').collect();
    let is_version = parts.len() >= 3 && parts[..2].iter().all(|part| digits(part));
    let is_hash = word.len() >= 7
        && word.chars().all(|c| c.is_ascii_hexdigit())
        && word.contains(|c: char| c.is_ascii_lowercase());
    is_year || is_date || is_version || is_hash || word.ends_with("-bit")
}

/// The runs of digits, with the point and without what sets thousands apart.
fn groups(text: &str) -> Vec<String> {
    let pieces = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','));
    let pieces = pieces.map(|piece| piece.trim_matches(['.', ',']).replace(',', ""));
    pieces.filter(|piece| !piece.is_empty()).collect()
}

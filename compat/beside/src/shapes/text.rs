//! Text, by lines and words.

use crate::{Program, numbers, timed};
use rayon::prelude::*;
use std::collections::HashMap;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("word-count", word_count),
    ("lines-parse", lines_parse),
    ("chars-filter", chars_filter),
    ("bytes-count", bytes_count),
    ("split-whitespace", split_whitespace),
    ("grep-lines", grep),
    ("format-records", format_records),
];

fn text() -> String {
    let word = |x: &u64| format!("w{}{}", x % 997, if x.is_multiple_of(11) { "\n" } else { " " });
    numbers(60_000).iter().map(word).collect()
}

fn word_count() -> Result<Duration, String> {
    let text = text();
    let count = |mut counts: HashMap<String, u32>, line: &str| {
        for word in line.split_whitespace() {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
        counts
    };
    let expected = text.lines().fold(HashMap::new(), count);
    timed(&expected, || {
        let merge = |mut a: HashMap<String, u32>, b: HashMap<String, u32>| {
            b.into_iter().for_each(|(word, n)| *a.entry(word).or_default() += n);
            a
        };
        text.par_lines().fold(HashMap::new, count).reduce(HashMap::new, merge)
    })
}

fn lines_parse() -> Result<Duration, String> {
    let text: String = numbers(60_000).iter().map(|x| format!("{x}\n")).collect();
    let parse = |line: &str| line.parse::<u64>().unwrap_or(0);
    let expected: Vec<u64> = text.lines().map(parse).collect();
    timed(&expected, || text.par_lines().map(parse).collect())
}

fn chars_filter() -> Result<Duration, String> {
    let text = text();
    let expected: String = text.chars().filter(|c| !c.is_ascii_digit()).collect();
    timed(&expected, || text.par_chars().filter(|c| !c.is_ascii_digit()).collect())
}

fn bytes_count() -> Result<Duration, String> {
    let text = text();
    let expected = text.bytes().filter(|b| *b == b'7').count();
    timed(&expected, || text.par_bytes().filter(|b| *b == b'7').count())
}

fn split_whitespace() -> Result<Duration, String> {
    let text = text();
    let expected = text.split_whitespace().map(str::len).max();
    timed(&expected, || text.par_split_whitespace().map(str::len).max())
}

fn grep() -> Result<Duration, String> {
    let text = text();
    let lines: Vec<&str> = text.lines().collect();
    let expected: Vec<&&str> = lines.iter().filter(|line| line.contains("w99 ")).collect();
    timed(&expected, || lines.par_iter().filter(|line| line.contains("w99 ")).collect())
}

fn format_records() -> Result<Duration, String> {
    let values = numbers(30_000);
    let record = |x: &u64| format!("{x:016x},{}", x % 100);
    let expected: Vec<String> = values.iter().map(record).collect();
    timed(&expected, || values.par_iter().map(record).collect())
}

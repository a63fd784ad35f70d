//! Invariants: defined once, cited, and in the index.

use crate::page::{Page, quoted};
use crate::source::{Source, is_word};
use std::collections::{BTreeMap, BTreeSet};

/// What looks like the name of an invariant in a comment, and is none.
const NO_INVARIANTS: [&str; 3] = ["utf-8", "sha-1", "latin-1"];

/// Where an invariant is named: name and number, file, line.
pub(crate) type Naming = (String, usize, String, usize);

/// The invariants that a text names: `chase_lev-2`, `index/abp-1`.
pub(crate) fn named(text: &str) -> Vec<(String, usize, usize)> {
    let belongs = |c: char| is_word(&c) || c == '-' || c == '/';
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for word in line.split(|c| !belongs(c)) {
            let Some((name, number)) = word.rsplit_once('-') else { continue };
            let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == '/')
                && !name.contains("//");
            if let (true, Ok(number)) = (is_name && !NO_INVARIANTS.contains(&word), number.parse())
            {
                found.push((name.to_owned(), number, at + 1));
            }
        }
    }
    found
}

/// Splits what a crate's comments name into definitions and citations.
pub(crate) fn namings(source: &Source) -> (Vec<Naming>, Vec<Naming>) {
    let lines: Vec<_> = source.comments.lines().map(str::trim).collect();
    let (mut defined, mut cited) = (Vec::new(), Vec::new());
    for (name, number, line) in named(&source.comments) {
        let head = format!("//! - {name}-{number}. ");
        let defines =
            lines[line - 1].starts_with(&head) && !defined.iter().any(|d: &Naming| d.3 == line);
        let naming = (name, number, source.path.clone(), line);
        if defines { defined.push(naming) } else { cited.push(naming) }
    }
    (defined, cited)
}

/// Crates that others stand on: their invariants are cited there too, where no other of the name is nearer.
const GROUND: [&str; 2] = ["lyocell-sync", "lyocell-queues"];

/// The crate whose invariant a citation in this crate means.
fn meant<'a>(
    krate: &'a str,
    (name, number): (&str, usize),
    defined: &BTreeMap<&str, BTreeSet<(String, usize)>>,
) -> Option<&'a str> {
    let key = (name.to_owned(), number);
    let defines = |one: &str| defined.get(one).is_some_and(|names| names.contains(&key));
    [krate].into_iter().chain(GROUND).find(|one| defines(one))
}

pub(crate) fn check(sources: &[Source], map: &Page, faults: &mut Vec<String>) {
    let crates: BTreeSet<_> = sources.iter().map(|source| source.krate.as_str()).collect();
    let mut index: BTreeMap<(String, String), (usize, String)> = BTreeMap::new();
    for (line, base, cells) in map.rows("Invariants") {
        if let ([name], [path], Some(count)) =
            (&quoted(cells[0])[..], &quoted(cells[1])[..], cells.get(2))
        {
            let path = format!("{}/{path}", base.trim_end_matches('/'));
            index.insert((path, (*name).to_owned()), (line, count.trim().to_owned()));
        }
    }
    let page: Vec<_> = named(&map.lines.join("\n"));
    let mut everywhere = BTreeSet::new();
    let named_in: Vec<_> = sources.iter().map(|source| (source, namings(source))).collect();
    let mut all: BTreeMap<&str, BTreeSet<(String, usize)>> = BTreeMap::new();
    for (source, (defines, _)) in &named_in {
        let names = defines.iter().map(|(name, number, ..)| (name.clone(), *number));
        all.entry(&source.krate).or_default().extend(names);
    }
    for krate in crates {
        let (mut defined, mut cited): (Vec<Naming>, Vec<Naming>) = Default::default();
        let mut cited_elsewhere: Vec<Naming> = Vec::new();
        for (source, (defines, cites)) in named_in.iter().filter(|one| one.0.krate == krate) {
            for (name, number, path, line) in defines {
                let stem = source.module.join("/");
                if !stem.ends_with(name.as_str())
                    && !format!("{stem}/").contains(&format!("{name}/"))
                {
                    faults.push(format!("{path}:{line}: {name}-{number} is defined outside the module `{name}`; name it after its own"));
                }
            }
            defined.extend_from_slice(defines);
            cited.extend_from_slice(cites);
        }
        for (source, (_, cites)) in named_in.iter().filter(|one| one.0.krate != krate) {
            let means =
                |cite: &&Naming| meant(&source.krate, (&cite.0, cite.1), &all) == Some(krate);
            cited_elsewhere.extend(cites.iter().filter(means).cloned());
        }
        check_definitions(&defined, &[&cited[..], &cited_elsewhere].concat(), &page, faults);
        for (name, number, path, line) in &cited {
            if meant(krate, (name, *number), &all).is_none() {
                faults.push(format!(
                    "{path}:{line}: {name}-{number} is cited and defined nowhere in its crate"
                ));
            }
        }
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (name, _, path, _) in &defined {
            *counts.entry((path.clone(), name.clone())).or_default() += 1;
        }
        for ((path, name), count) in counts {
            match index.remove(&(path.clone(), name.clone())) {
                None => faults.push(format!("{path}:1: the invariants {name}-1 to {name}-{count} stand nowhere in {}'s index; give them a row", map.name)),
                Some((line, said)) if said != count.to_string() => {
                    faults.push(format!("{}:{line}: {path} defines {count} invariants {name}, not {said}", map.name));
                }
                Some(_) => {}
            }
        }
        everywhere.extend(defined.into_iter().map(|d| (d.0, d.1)));
    }
    for ((path, name), (line, _)) in index {
        faults.push(format!(
            "{}:{line}: {path} defines no invariants {name}; take the row away",
            map.name
        ));
    }
    for (name, number, line) in page {
        if !everywhere.contains(&(name.clone(), number)) {
            faults
                .push(format!("{}:{line}: {name}-{number} is cited and defined nowhere", map.name));
        }
    }
}

/// Each is defined once, numbered without a gap, and cited, in its crate or on the page.
pub(crate) fn check_definitions(
    defined: &[Naming],
    cited: &[Naming],
    page: &[(String, usize, usize)],
    faults: &mut Vec<String>,
) {
    for (at, (name, number, path, line)) in defined.iter().enumerate() {
        let here = format!("{path}:{line}: {name}-{number}");
        if let Some(other) =
            defined[..at].iter().find(|other| (&other.0, other.1) == (name, *number))
        {
            faults.push(format!(
                "{here} is defined in {}:{} too; one of the two needs another name",
                other.2, other.3
            ));
        }
        if *number > 1 && !defined.iter().any(|other| (&other.0, other.1 + 1) == (name, *number)) {
            faults.push(format!(
                "{here} has no {name}-{} before it; number without a gap",
                number - 1
            ));
        }
        let is_cited = cited.iter().any(|other| (&other.0, other.1) == (name, *number))
            || page.iter().any(|other| (&other.0, other.1) == (name, *number));
        if !is_cited {
            faults.push(format!(
                "{here} is cited nowhere; cite it where the code rests on it, or take it away"
            ));
        }
    }
}

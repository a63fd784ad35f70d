//! What a room may import.

use crate::source::{Source, is_word};
use crate::tokens::{paths, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// What a file names by a path from the root of its crate: the words after `crate`, and the line.
pub(crate) fn paths_from_root(source: &Source) -> Vec<(Vec<String>, usize)> {
    let tokens = tokens(&source.code);
    let word = |at: usize| tokens.get(at).map_or("", |token| token.0.as_str());
    let mut found = Vec::new();
    // The braces that are open, and whether each is a module's.
    let mut open = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match word(at) {
            "{" => open.push(at > 1 && word(at - 2) == "mod"),
            "}" => drop(open.pop()),
            _ => {}
        }
        let begins = at == 0 || word(at - 1) != "::";
        let mut from = at;
        while begins && word(from) == "super" && word(from + 1) == "::" {
            from += 2;
        }
        let depth = source.module.len() + open.iter().filter(|&&module| module).count();
        let from_root = word(at) == "crate" && word(at + 1) == "::";
        if begins && (from_root || from > at && (from - at) / 2 == depth) {
            at = if from_root { at + 2 } else { from };
            let mut end = at;
            found.extend(
                paths(&tokens, &mut end, &[]).into_iter().map(|(path, _, line)| (path, line)),
            );
            // A group is left behind as a whole; a path may be followed by a brace that counts.
            at = end.max(at + 1);
        } else {
            at = from.max(at + 1);
        }
    }
    found
}

/// What the module docs of a room say after a word, up to the full stop.
pub(crate) fn said(source: &Source, what: &str) -> Option<(usize, String)> {
    // Where the module is public, in plain comments: users need not read it.
    let plain = source
        .comments
        .lines()
        .zip(1..)
        .filter_map(|(line, at)| line.trim().strip_prefix("// ").map(|line| (at, line)));
    let mut docs = source.docs().chain(plain).skip_while(|(_, line)| !line.starts_with(what));
    let (at, first) = docs.next()?;
    let mut text = first[what.len()..].to_owned();
    for (_, line) in docs {
        if text.contains('.') || line.is_empty() {
            break;
        }
        text = text + " " + line;
    }
    Some((at, text.split('.').next().unwrap_or_default().to_owned()))
}

pub(crate) fn check(sources: &[&Source], faults: &mut Vec<String>) {
    let for_tests: Vec<_> = sources.iter().flat_map(|source| &source.test_modules).collect();
    let is_test =
        |source: &Source| for_tests.iter().any(|module| source.module.starts_with(module));
    let rooms: BTreeSet<_> = sources.iter().filter_map(|source| source.room()).collect();
    // What the root hands on, and from which room.
    let mut handed_on = BTreeMap::new();
    for source in sources.iter().filter(|source| source.path.ends_with("src/lib.rs")) {
        let tokens = tokens(&source.code);
        for at in (0..tokens.len()).filter(|&at| tokens[at].0 == "use") {
            for (path, name, _) in paths(&tokens, &mut (at + 1), &[]) {
                handed_on.insert(
                    name,
                    path.iter().find(|word| *word != "crate").cloned().unwrap_or_default(),
                );
            }
        }
    }
    let mut allowed = BTreeMap::new();
    for source in sources.iter().filter(|source| source.module.len() == 1 && !is_test(source)) {
        let room = source.room().expect("of a room");
        let path = &source.path;
        if said(source, "Never enters:").is_none() {
            faults.push(format!("{path}:1: the room `{room}` does not say what `Never enters: ` it; say so in its module docs"));
        }
        let Some((line, text)) = said(source, "May import:") else {
            faults.push(format!("{path}:1: the room `{room}` does not say what it `May import: `; say so in its module docs"));
            continue;
        };
        let words = text
            .split(|c: char| !is_word(&c))
            .filter(|word| !["", "and", "nothing"].contains(word));
        let words: BTreeSet<_> = words.map(str::to_owned).collect();
        for word in words.iter().filter(|word| !rooms.contains(word.as_str())) {
            faults
                .push(format!("{path}:{line}: `{word}` is no room; name rooms, each by one word"));
        }
        allowed.insert(room, words);
    }
    circle(&allowed, faults);
    for source in sources.iter().filter(|source| !is_test(source)) {
        let Some(room) = source.room() else { continue };
        let Some(allowed) = allowed.get(room) else { continue };
        for (path, line) in paths_from_root(source) {
            let first = path[0].as_str();
            let target = if rooms.contains(first) {
                first
            } else {
                handed_on.get(first).map_or("", String::as_str)
            };
            let at = format!("{}:{line}", source.path);
            if !rooms.contains(target) {
                faults.push(format!(
                    "{at}: `crate::{first}` is no room, nor does lib.rs hand it on from one"
                ));
            } else if target != room && !allowed.contains(target) {
                faults.push(format!(
                    "{at}: `{room}` may not import `{target}` (`crate::{}`); move what is shared to a lower room, or change `May import: ` in the module docs of `{room}` and say why",
                    path.join("::")
                ));
            }
        }
    }
}

/// Tells of one circle of rooms that may import each other, if there is one: what no other room may import leaves first.
fn circle(allowed: &BTreeMap<&str, BTreeSet<String>>, faults: &mut Vec<String>) {
    let mut left: BTreeSet<_> = allowed.keys().copied().collect();
    loop {
        let imported = |room: &&str| left.iter().any(|other| allowed[other].contains(*room));
        let kept: BTreeSet<_> = left.iter().copied().filter(imported).collect();
        let imports = |room: &&str| kept.iter().any(|other| allowed[room].contains(*other));
        let kept: BTreeSet<_> = kept.iter().copied().filter(imports).collect();
        if kept.len() == left.len() {
            break;
        }
        left = kept;
    }
    if !left.is_empty() {
        let rooms = left.into_iter().collect::<Vec<_>>().join("`, `");
        faults.push(format!("rooms in a circle: `{rooms}`; move what is shared to a lower room"));
    }
}

//! Holds the sources against what is written about them, and tells file, line and what to do where they differ:
//!
//! - rooms: a room of the runtime (a folder or a file at the top of its `src`) says in its module docs what it
//!   `May import:` and what `Never enters:` it; no code of it but its tests goes by `crate::` or `super::` elsewhere;
//! - the code map: every source file stands in ARCHITECTURE.md, and what stands there exists;
//! - invariants: each is defined once as `//! - NAME-N. …` in the module NAME, numbered without a gap, cited
//!   somewhere else, and counted in ARCHITECTURE.md's index; each cited one is defined;
//! - mutations: the files, functions and models that MUTATIONS.md names are there.
//!
//! One file without dependencies, built and run by `.ci/structure`. It takes rustfmt's layout for granted where
//! that makes it shorter, and reads no macros.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Crates whose modules are rooms.
const ROOMED: [&str; 1] = ["lyocell"];
/// Folders that the code map need not tell file by file.
const TOLD_AS_ONE: [&str; 4] = ["tests/", "examples/", "benches/", "lace/"];
/// What looks like the name of an invariant in a comment, and is none.
const NO_INVARIANTS: [&str; 3] = ["utf-8", "sha-1", "latin-1"];

fn main() -> ExitCode {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let sources = sources(&root);
    let map = Page::read(&root.join("ARCHITECTURE.md"));
    let mut faults = Vec::new();
    for name in ROOMED {
        let of_crate: Vec<_> = sources.iter().filter(|source| source.krate == name).collect();
        check_rooms(&of_crate, &mut faults);
    }
    check_map(&root, &sources, &map, &mut faults);
    check_invariants(&sources, &map, &mut faults);
    check_mutations(&sources, &Page::read(&root.join("MUTATIONS.md")), &mut faults);
    faults.sort();
    faults.iter().for_each(|fault| println!("{fault}"));
    println!("structure: {} sources, {} faults", sources.len(), faults.len());
    ExitCode::from(u8::from(!faults.is_empty()))
}

// --- sources ------------------------------------------------------------------------------------------------

/// A source file of a crate.
struct Source {
    /// From the root of the repository.
    path: String,
    krate: String,
    /// The path of the module it is; empty for `lib.rs`, `main.rs` and what is not below `src`.
    module: Vec<String>,
    /// The code alone: comments, strings and what is compiled for tests only are blank.
    code: String,
    /// The comments alone.
    comments: String,
    /// Modules in files of their own that are compiled for tests only.
    test_modules: Vec<Vec<String>>,
}

fn sources(root: &Path) -> Vec<Source> {
    let mut files = Vec::new();
    walk(&root.join("crates"), &mut files);
    files.sort();
    files.iter().map(|file| Source::read(root, file)).collect()
}

/// All files in Rust and C below a folder.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && entry.file_name() != "target" {
            walk(&path, files);
        } else if path.extension().is_some_and(|kind| ["rs", "c", "h"].iter().any(|&k| kind == k)) {
            files.push(path);
        }
    }
}

impl Source {
    fn read(root: &Path, file: &Path) -> Self {
        let path = file.strip_prefix(root).expect("below the root").display().to_string();
        let mut parts = path.split('/').skip(1);
        let krate = parts.next().expect("in a crate").to_owned();
        let mut module: Vec<String> = match parts.next() {
            Some("src") => parts.map(|part| part.trim_end_matches(".rs").to_owned()).collect(),
            _ => Vec::new(),
        };
        if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            module.pop();
        }
        let text = fs::read_to_string(file).expect("a source file in UTF-8");
        let (code, comments) = parted(&text);
        let (code, test_modules) = without_tests(code, &module);
        Self { path, krate, module, code, comments, test_modules }
    }

    fn room(&self) -> Option<&str> {
        self.module.first().map(String::as_str)
    }

    /// The lines of the module docs.
    fn docs(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.comments.lines().enumerate();
        lines.filter_map(|(at, line)| Some((at + 1, line.trim().strip_prefix("//!")?.trim())))
    }
}

/// The code and the comments of a text; in each the rest is blank, so that lines and columns stay.
fn parted(text: &str) -> (String, String) {
    let text: Vec<char> = text.chars().collect();
    let (mut code, mut comments) = (String::new(), String::new());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (length, comment) = match rest {
            ['/', '/', ..] => (rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()), true),
            ['/', '*', ..] => (block_comment(rest), true),
            ['"', ..] => (string(rest), false),
            ['r', '"' | '#', ..] if !text[..at].last().is_some_and(is_word) => {
                (raw_string(rest), false)
            }
            ['\'', ..] => (character(rest), false),
            _ => (0, false),
        };
        let blank = |c: &char| if *c == '\n' { '\n' } else { ' ' };
        let (hidden, end) = (length > 0, at + length.max(1));
        for c in &text[at..end] {
            code.push(if hidden { blank(c) } else { *c });
            comments.push(if comment { *c } else { blank(c) });
        }
        at = end;
    }
    (code, comments)
}

fn is_word(c: &char) -> bool {
    c.is_alphanumeric() || *c == '_'
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

fn string(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// The length of a raw string; 0 for what is none, as `r#type`.
fn raw_string(rest: &[char]) -> usize {
    let hashes = rest[1..].iter().take_while(|&&c| c == '#').count();
    if rest.get(1 + hashes) != Some(&'"') {
        return 0;
    }
    let closes = |at: &usize| {
        rest[*at] == '"' && rest[at + 1..].iter().take_while(|&&c| c == '#').count() >= hashes
    };
    (2 + hashes..rest.len()).find(closes).map_or(rest.len(), |at| at + 1 + hashes)
}

/// The length of a character; 0 for a lifetime.
fn character(rest: &[char]) -> usize {
    match rest {
        [_, '\\', ..] => rest[3..].iter().position(|&c| c == '\'').map_or(0, |at| at + 4),
        [_, _, '\'', ..] => 3,
        _ => 0,
    }
}

/// Blanks what is compiled for tests only, and lists the modules in files of their own among it.
fn without_tests(code: String, module: &[String]) -> (String, Vec<Vec<String>>) {
    let mut code: Vec<char> = code.chars().collect();
    let mut modules = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let attribute = if code[at..].starts_with(&['#', '[', 'c', 'f', 'g', '(']) {
            code[at..].iter().position(|&c| c == ']').map_or(0, |end| end + 1)
        } else {
            0
        };
        let text: String = code[at..at + attribute].iter().collect();
        if !is_for_tests(&text) {
            at += attribute.max(1);
            continue;
        }
        let end = at + attribute + item(&code[at + attribute..]);
        let item: String = code[at + attribute..end].iter().collect();
        if let Some((_, name)) = item.trim_end_matches(';').rsplit_once("mod ")
            && item.ends_with(';')
        {
            modules.push([module, &[name.trim().to_owned()]].concat());
        }
        code[at..end].iter_mut().filter(|c| **c != '\n').for_each(|c| *c = ' ');
        at = end;
    }
    (code.into_iter().collect(), modules)
}

/// Whether what follows an attribute is compiled for tests only: `cfg(test)`, or `test` in an `all`.
fn is_for_tests(attribute: &str) -> bool {
    let mut parts = attribute.split("not(");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once(')').map_or("", |(_, rest)| rest));
    let asked = first + &rest.collect::<String>();
    let words: Vec<&str> = asked.split(|c: char| !is_word(&c)).collect();
    words.contains(&"test") && !words.contains(&"any")
}

/// The length of the item that a text begins with.
fn item(code: &[char]) -> usize {
    let mut depth = 0;
    for (at, c) in code.iter().enumerate() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(c, '}' | ';') || depth < 0 || depth == 0 && *c == ',' {
            return at + 1;
        }
    }
    code.len()
}

// --- rooms ----------------------------------------------------------------------------------------------------

/// A word or a mark of the code, and its line.
type Token = (String, usize);

fn tokens(code: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (at, line) in code.lines().enumerate() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let words = rest.find(|c| !is_word(&c)).unwrap_or(rest.len());
            let length = match first {
                _ if words > 0 => words,
                ':' if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            if !first.is_whitespace() {
                tokens.push((rest[..length].to_owned(), at + 1));
            }
            rest = &rest[length..];
        }
    }
    tokens
}

/// All paths of the tree that begins at a token: `a::{b, c::d as e}` has `a b` and `a c d`. Each with its last name in
/// this scope, and its line.
fn paths(tokens: &[Token], at: &mut usize, before: &[String]) -> Vec<(Vec<String>, String, usize)> {
    let mut path = before.to_vec();
    let word = |at: usize| tokens.get(at).map_or("", |token| token.0.as_str());
    let line = tokens.get(*at).map_or(0, |token| token.1);
    loop {
        if word(*at) == "{" {
            let mut all = Vec::new();
            while word(*at) != "}" && *at < tokens.len() {
                *at += 1;
                if word(*at) != "}" {
                    all.extend(paths(tokens, at, &path));
                }
            }
            *at += 1;
            return all;
        }
        path.push(word(*at).to_owned());
        *at += 1;
        if word(*at) != "::" || word(*at + 1) == "<" {
            break;
        }
        *at += 1;
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if word(*at) == "as" {
        name = word(*at + 1).to_owned();
        *at += 2;
    }
    vec![(path, name, line)]
}

/// What a file names by a path from the root of its crate: the words after `crate`, and the line.
fn paths_from_root(source: &Source) -> Vec<(Vec<String>, usize)> {
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
fn said(source: &Source, what: &str) -> Option<(usize, String)> {
    let mut docs = source.docs().skip_while(|(_, line)| !line.starts_with(what));
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

fn check_rooms(sources: &[&Source], faults: &mut Vec<String>) {
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

// --- the code map -----------------------------------------------------------------------------------------------

/// A page of Markdown.
struct Page {
    name: String,
    lines: Vec<String>,
}

impl Page {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        Self { name, lines: text.lines().map(str::to_owned).collect() }
    }

    /// The rows of the tables of a section (a heading of the second order), with their lines and what stands in backticks
    /// in the heading of the third order above them.
    fn rows<'a>(
        &'a self,
        section: &'a str,
    ) -> impl Iterator<Item = (usize, &'a str, Vec<&'a str>)> {
        let (mut inside, mut base) = (false, "");
        self.lines.iter().enumerate().filter_map(move |(at, line)| {
            if let Some(heading) = line.strip_prefix("## ") {
                inside = heading == section;
            } else if let Some(heading) = line.strip_prefix("### ") {
                base = quoted(heading).first().copied().unwrap_or_default();
            }
            let cells = line.strip_prefix("| ")?.trim_end_matches('|').split(" | ").collect();
            inside.then_some((at + 1, base, cells))
        })
    }
}

/// What stands in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn check_map(root: &Path, sources: &[Source], map: &Page, faults: &mut Vec<String>) {
    // Paths told in a row of their own, and folders with what their rows name.
    let (mut files, mut folders) = (BTreeSet::new(), Vec::new());
    for (line, base, cells) in map.rows("Code map") {
        for path in quoted(cells[0]) {
            let path = format!("{}/{path}", base.trim_end_matches('/'));
            if !root.join(&path).exists() {
                faults.push(format!("{}:{line}: there is no `{path}`; take it out of the code map, or mend its name", map.name));
            }
            if path.ends_with('/') {
                folders.push((
                    path.clone(),
                    quoted(&cells.join(" ")).into_iter().map(str::to_owned).collect::<Vec<_>>(),
                ));
            }
            files.insert(path);
        }
    }
    for source in sources {
        let path = source.path.as_str();
        let told = folders.iter().any(|(folder, names)| {
            path.strip_prefix(folder.as_str()).is_some_and(|name| {
                let short = name.trim_end_matches(".rs");
                name == "mod.rs"
                    || TOLD_AS_ONE.iter().any(|one| folder.ends_with(&format!("/{one}")))
                    || names.iter().any(|named| named == name || named == short)
            })
        });
        if !told && !files.contains(path) {
            faults.push(format!("{path}:1: stands nowhere in {}'s code map; give it a row, or name it in its folder's", map.name));
        }
    }
}

// --- invariants ---------------------------------------------------------------------------------------------

/// Where an invariant is named: name and number, file, line.
type Naming = (String, usize, String, usize);

/// The invariants that a text names: `chase_lev-2`, `index/abp-1`.
fn named(text: &str) -> Vec<(String, usize, usize)> {
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
fn namings(source: &Source) -> (Vec<Naming>, Vec<Naming>) {
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

fn check_invariants(sources: &[Source], map: &Page, faults: &mut Vec<String>) {
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
    for krate in crates {
        let (mut defined, mut cited): (Vec<Naming>, Vec<Naming>) = Default::default();
        for source in sources.iter().filter(|source| source.krate == krate) {
            let (defines, cites) = namings(source);
            for (name, number, path, line) in &defines {
                let stem = source.module.join("/");
                if !stem.ends_with(name.as_str())
                    && !format!("{stem}/").contains(&format!("{name}/"))
                {
                    faults.push(format!("{path}:{line}: {name}-{number} is defined outside the module `{name}`; name it after its own"));
                }
            }
            defined.extend(defines);
            cited.extend(cites);
        }
        check_definitions(&defined, &cited, &page, faults);
        let names: BTreeSet<_> = defined.iter().map(|d| (d.0.as_str(), d.1)).collect();
        for (name, number, path, line) in &cited {
            if !names.contains(&(name.as_str(), *number)) {
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
fn check_definitions(
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

// --- mutations --------------------------------------------------------------------------------------------------

/// Each row of the table: `CRATE/FILE`, `FUNCTION`, what is weakened, `MODEL` or why there is none.
fn check_mutations(sources: &[Source], page: &Page, faults: &mut Vec<String>) {
    let has =
        |source: &Source, word: &str| tokens(&source.code).iter().any(|token| token.0 == word);
    for (at, line) in page.lines.iter().enumerate().filter(|(_, line)| line.starts_with("| `")) {
        let cells: Vec<_> = line.split(" | ").map(quoted).collect();
        let [[file], [function], _, model] = [&cells[0][..], &cells[1][..], &[], &cells[3][..]]
        else {
            continue;
        };
        let here = format!("{}:{}", page.name, at + 1);
        let (krate, name) = file.split_once('/').unwrap_or_default();
        let path = format!("crates/{krate}/src/{name}");
        match sources.iter().find(|source| source.path == path) {
            None => faults.push(format!("{here}: there is no `{path}`; mend the row")),
            Some(source) if !has(source, function) => {
                faults.push(format!("{here}: `{path}` has no `{function}`; mend the row"));
            }
            Some(_) => {}
        }
        let Some((rooms, model)) = model.first().and_then(|model| model.rsplit_once("::")) else {
            continue;
        };
        let room = rooms.split("::").next().unwrap_or_default();
        let told = format!("/src/models/{room}.rs");
        if !sources.iter().any(|source| source.path.ends_with(&told) && has(source, model)) {
            faults.push(format!(
                "{here}: there is no model `{model}` in models/{room}.rs; mend the row"
            ));
        }
    }
}

//! Source files: where they are, and their code apart from their comments.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file of a crate.
pub(crate) struct Source {
    /// From the root of the repository.
    pub(crate) path: String,
    pub(crate) krate: String,
    /// The path of the module it is; empty for `lib.rs`, `main.rs` and what is not below `src`.
    pub(crate) module: Vec<String>,
    /// The code alone: comments, strings and what is compiled for tests only are blank.
    pub(crate) code: String,
    /// The comments alone.
    pub(crate) comments: String,
    /// Modules in files of their own that are compiled for tests only.
    pub(crate) test_modules: Vec<Vec<String>>,
}

pub(crate) fn sources(root: &Path) -> Vec<Source> {
    let mut files = Vec::new();
    walk(&root.join("crates"), &mut files);
    files.sort();
    files.iter().map(|file| Source::read(root, file)).collect()
}

/// All files in Rust and C below a folder.
pub(crate) fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
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
    pub(crate) fn read(root: &Path, file: &Path) -> Self {
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

    pub(crate) fn room(&self) -> Option<&str> {
        self.module.first().map(String::as_str)
    }

    /// The lines of the module docs.
    pub(crate) fn docs(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.comments.lines().enumerate();
        lines.filter_map(|(at, line)| Some((at + 1, line.trim().strip_prefix("//!")?.trim())))
    }
}

/// The code and the comments of a text; in each the rest is blank, so that lines and columns stay.
pub(crate) fn parted(text: &str) -> (String, String) {
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

pub(crate) fn is_word(c: &char) -> bool {
    c.is_alphanumeric() || *c == '_'
}

pub(crate) fn block_comment(rest: &[char]) -> usize {
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

pub(crate) fn string(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// The length of a raw string; 0 for what is none, as `r#type`.
pub(crate) fn raw_string(rest: &[char]) -> usize {
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
pub(crate) fn character(rest: &[char]) -> usize {
    match rest {
        [_, '\\', ..] => rest[3..].iter().position(|&c| c == '\'').map_or(0, |at| at + 4),
        [_, _, '\'', ..] => 3,
        _ => 0,
    }
}

/// Blanks what is compiled for tests only, and lists the modules in files of their own among it.
pub(crate) fn without_tests(code: String, module: &[String]) -> (String, Vec<Vec<String>>) {
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
pub(crate) fn is_for_tests(attribute: &str) -> bool {
    let mut parts = attribute.split("not(");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once(')').map_or("", |(_, rest)| rest));
    let asked = first + &rest.collect::<String>();
    let words: Vec<&str> = asked.split(|c: char| !is_word(&c)).collect();
    words.contains(&"test") && !words.contains(&"any")
}

/// The length of the item that a text begins with.
pub(crate) fn item(code: &[char]) -> usize {
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

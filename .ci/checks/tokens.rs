//! The words and marks of code, and the paths they make.

use crate::source::is_word;

/// A word or a mark of the code, and its line.
pub(crate) type Token = (String, usize);

pub(crate) fn tokens(code: &str) -> Vec<Token> {
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
pub(crate) fn paths(
    tokens: &[Token],
    at: &mut usize,
    before: &[String],
) -> Vec<(Vec<String>, String, usize)> {
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

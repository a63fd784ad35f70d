//! Where tables stand in a document: between `<!-- results: NAME -->` and `<!-- end -->`.

use std::ops::Range;

use super::tables::Block;

const BEGIN: &str = "<!-- results: ";
const BEGIN_ENDS: &str = " -->";
const END: &str = "<!-- end -->";

/// The text between the markers of one place.
struct Place<'a> {
    name: &'a str,
    content: Range<usize>,
}

/// The places of `document`.
///
/// # Errors
/// A marker has no end.
fn places(document: &str) -> Result<Vec<Place<'_>>, String> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(begin) = document[from..].find(BEGIN).map(|at| from + at + BEGIN.len()) {
        let unfinished = || {
            let line = document[..begin].lines().count();
            format!("line {line}: `{BEGIN}` without `{END}`")
        };
        let name_ends = begin + document[begin..].find(BEGIN_ENDS).ok_or_else(unfinished)?;
        let start = name_ends + BEGIN_ENDS.len();
        let end = start + document[start..].find(END).ok_or_else(unfinished)?;
        let name = document[begin..name_ends].trim();
        if document[start..end].contains(BEGIN) {
            return Err(unfinished());
        }
        places.push(Place { name, content: start..end });
        from = end;
    }
    Ok(places)
}

/// What stands at a place.
fn content(block: &Block) -> String {
    format!("\n{}\n", block.text.trim_end())
}

/// `document` with `blocks` in their places.
///
/// # Errors
/// There are no places, a place has no block, or a marker has no end.
pub(crate) fn fill(document: &str, blocks: &[Block]) -> Result<String, String> {
    let places = places(document)?;
    if places.is_empty() {
        return Err(format!("there is no `{BEGIN}NAME{BEGIN_ENDS}` in it"));
    }
    let mut filled = String::new();
    let mut from = 0;
    for place in places {
        let block = blocks.iter().find(|block| block.name == place.name).ok_or_else(|| {
            let names: Vec<&str> = blocks.iter().map(|block| block.name).collect();
            format!("there are no results for `{}`: there are {}", place.name, names.join(", "))
        })?;
        filled += &document[from..place.content.start];
        filled += &content(block);
        from = place.content.end;
    }
    Ok(filled + &document[from..])
}

/// The lines in which `old` and `new` differ, those of `old` marked `-`, those of `new` marked `+`; `None` if they are
/// the same. Lines are compared from both ends towards the middle.
pub(crate) fn differences(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let alike = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let before = old.iter().zip(&new).take_while(alike).count();
    let most = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take(most).take_while(alike).count();
    let (old, new) = (&old[before..old.len() - after], &new[before..new.len() - after]);
    let mut text = format!("@@ line {} @@\n", before + 1);
    if old.len() == new.len() {
        // Line by line: what is alike in between is left out.
        for (old, new) in old.iter().zip(new).filter(|(old, new)| old != new) {
            text += &format!("-{old}\n+{new}\n");
        }
    } else {
        old.iter().for_each(|line| text += &format!("-{line}\n"));
        new.iter().for_each(|line| text += &format!("+{line}\n"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(name: &'static str, text: &str) -> Block {
        Block { name, text: text.to_owned() }
    }

    const DOCUMENT: &str = "# Title\n<!-- results: a -->\nold\n<!-- end -->\nbetween\n<!-- results: b --><!-- end -->\n";

    #[test]
    fn blocks_go_to_their_places_and_nothing_else_changes() {
        let blocks = [block("b", "two\n"), block("a", "one\nmore\n"), block("c", "unused\n")];
        let filled = fill(DOCUMENT, &blocks).unwrap();
        let expected = "# Title\n<!-- results: a -->\none\nmore\n<!-- end -->\nbetween\n\
                        <!-- results: b -->\ntwo\n<!-- end -->\n";
        assert_eq!(filled, expected);
        assert_eq!(fill(&filled, &blocks).unwrap(), filled, "once is enough");
    }

    #[test]
    fn a_place_without_results_and_a_marker_without_an_end_are_refused() {
        let error = |document: &str| fill(document, &[block("a", "one")]).unwrap_err();
        assert!(error(DOCUMENT).contains("`b`: there are a"));
        assert!(error("x\n<!-- results: a -->\n").contains("line 2"));
        assert!(error("<!-- results: a -->\n<!-- results: a -->\n<!-- end -->").contains("line 1"));
        assert!(error("nothing").contains("there is no"));
    }

    #[test]
    fn differences_are_the_lines_that_differ() {
        assert_eq!(differences("a\nb\nc\n", "a\nb\nc\n"), None);
        assert_eq!(differences("a\nb\nc\n", "a\nx\nc\n").unwrap(), "@@ line 2 @@\n-b\n+x\n");
        let more = differences("a\nb\n", "a\nx\ny\nb\n").unwrap();
        assert_eq!(more, "@@ line 2 @@\n+x\n+y\n");
        assert_eq!(differences("a", "a\n").unwrap(), "@@ line 2 @@\n");
    }
}

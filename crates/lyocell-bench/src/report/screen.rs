//! What a report is shown on: how the best stands out, and how many columns there are.

use std::env;
use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use unicode_width::UnicodeWidthStr;

/// How the best value stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emphasis {
    Colour,
    Mark,
}

/// A terminal or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    pub(super) emphasis: Emphasis,
    /// As many as a line may have, if it matters.
    pub(super) columns: Option<usize>,
}

/// The environment variable that says how wide the terminal is, or what stands in for it.
const COLUMNS_VARIABLE: &str = "COLUMNS";

impl Screen {
    /// A file: no colours, and lines as long as they are.
    pub(crate) const FILE: Screen = Screen { emphasis: Emphasis::Mark, columns: None };

    /// What suits the standard output: on a terminal its width, and colours unless `NO_COLOR` or `TERM` forbid. `COLUMNS` says the
    /// width in place of the terminal.
    pub(crate) fn of_stdout() -> Screen {
        let stdout = io::stdout();
        let emphasis = match AutoStream::choice(&stdout) {
            ColorChoice::Never => Emphasis::Mark,
            _ if stdout.is_terminal() => Emphasis::Colour,
            _ => Emphasis::Mark,
        };
        let said = env::var(COLUMNS_VARIABLE).ok().and_then(|word| word.trim().parse().ok());
        let own = || comfy_table::Table::new().width().map(usize::from);
        Screen { emphasis, columns: said.filter(|&columns| columns > 0).or_else(own) }
    }

    /// Whether prose for a wide screen is folded on it.
    pub(crate) fn is_narrow(self) -> bool {
        const WIDE: usize = 160;
        self.columns.is_some_and(|columns| columns < WIDE)
    }

    /// Whether these lines fit.
    pub(super) fn holds(self, text: &str) -> bool {
        self.columns.is_none_or(|columns| text.lines().all(|line| line.width() <= columns))
    }
}

/// Prose, in lines that fit, each paragraph by itself. What goes on in a further line stands below where the text began.
pub(crate) fn folded(text: &str, screen: Screen) -> String {
    let Some(columns) = screen.columns else { return text.to_owned() };
    let mut folded = String::new();
    for paragraph in text.split_inclusive('\n') {
        if paragraph.trim_end().width() <= columns {
            folded += paragraph;
            continue;
        }
        let begins = begin_of_text(paragraph).filter(|begins| *begins <= columns / 2);
        let (head, tail) = paragraph.split_at(begins.unwrap_or(0));
        folded += head;
        let indent = head.width();
        let mut width = indent;
        for (place, word) in tail.split_whitespace().enumerate() {
            if place > 0 && width + 1 + word.width() <= columns {
                folded += " ";
                width += 1;
            } else if place > 0 {
                folded += "\n";
                folded += &" ".repeat(indent);
                width = indent;
            }
            folded += word;
            width += word.width();
        }
        folded += if paragraph.ends_with('\n') { "\n" } else { "" };
    }
    folded
}

/// Where the text of a line of a list begins: behind its name and at least two spaces, or behind what it is indented by.
fn begin_of_text(line: &str) -> Option<usize> {
    let name = line.find(|c: char| c != ' ')?;
    let gap = line[name..].find("  ").map(|gap| name + gap);
    let Some(gap) = gap else { return Some(name) };
    line[gap..].find(|c: char| c != ' ').map(|text| gap + text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_folded_between_words() {
        let narrow = Screen { columns: Some(12), ..Screen::FILE };
        assert_eq!(folded("one two three four\nfive\n", narrow), "one two\nthree four\nfive\n");
        assert_eq!(folded("Charguéraud ist\n", narrow), "Charguéraud\nist\n");
        assert_eq!(folded("one two three four\n", Screen::FILE), "one two three four\n");
        assert_eq!(folded("  a  one two three\n", narrow), "  a  one two\n     three\n");
        assert_eq!(folded("  one two three\n", narrow), "  one two\n  three\n");
        assert_eq!(folded("one two  three four\n", narrow), "one two\nthree four\n", "no room");
        assert!(narrow.holds("┌──────────┐\n") && !narrow.holds("┌───────────┐\n"));
    }
}

//! The one table, and its three writers: for a terminal, for a document in Markdown, for a page. The best value stands out: bold
//! and green on a terminal, with a `*` in a file, in bold elsewhere.

use std::ops::Range;

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{Attribute, CellAlignment, Color, ContentArrangement};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::screen::{Emphasis, Screen};
use crate::stats::Timing;

/// Which value of a row is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Best {
    Smallest,
    Largest,
    /// Nothing to compare.
    None,
}

/// A number, how it is shown, and between which numbers it lay.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) number: f64,
    low: f64,
    high: f64,
    pub(crate) text: String,
}

impl Value {
    /// Without noise.
    pub(crate) fn exact(number: f64, text: String) -> Value {
        Value { number, low: number, high: number, text }
    }

    /// The median and the range of some runs.
    pub(crate) fn of(timing: Timing, text: String) -> Value {
        let Timing { median, low, high } = timing;
        Value { number: median, low, high, text }
    }
}

/// One row; `values` may have gaps.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) labels: Vec<String>,
    pub(crate) values: Vec<Option<Value>>,
    pub(crate) best: Best,
}

impl Row {
    fn best_index(&self) -> Option<usize> {
        best_of(self.values.iter().map(Option::as_ref), self.best)
    }
}

/// The index of the best of at least two values, if it is better than any other beyond the noise: their ranges lie apart.
fn best_of<'a>(values: impl Iterator<Item = Option<&'a Value>>, best_is: Best) -> Option<usize> {
    let there: Vec<(usize, &Value)> =
        values.enumerate().filter_map(|(index, value)| Some((index, value?))).collect();
    if there.len() < 2 {
        return None;
    }
    let order = |a: &&(usize, &Value), b: &&(usize, &Value)| a.1.number.total_cmp(&b.1.number);
    let best = match best_is {
        Best::Smallest => there.iter().min_by(order),
        Best::Largest => there.iter().max_by(order),
        Best::None => None,
    };
    let &(index, best_value) = best?;
    let others = || there.iter().filter(|(other, _)| *other != index).map(|(_, value)| value);
    let apart = match best_is {
        Best::Smallest => others().all(|other| best_value.high < other.low),
        Best::Largest => others().all(|other| best_value.low > other.high),
        Best::None => false,
    };
    apart.then_some(index)
}

/// What stands in a place of a table. In JSON it is its text, or, where that is a number with or without a unit, an object that has
/// both.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(from = "Written", into = "Written")]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) is_best: bool,
}

/// A cell in JSON.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Written {
    Number { text: String, number: f64, unit: String },
    Text(String),
}

impl From<Written> for Cell {
    fn from(written: Written) -> Cell {
        match written {
            Written::Number { text, .. } | Written::Text(text) => text.into(),
        }
    }
}

impl From<Cell> for Written {
    fn from(cell: Cell) -> Written {
        match number_of(&cell.text) {
            Some((number, unit)) => {
                Written::Number { number, unit: unit.to_owned(), text: cell.text }
            }
            None => Written::Text(cell.text),
        }
    }
}

/// The number that a cell begins with, and its unit, be it none: `4.13 s`, `1,234`, `-18%`; the noise of `22.1 +-0.86` or
/// `125 ms +-2%` is left out.
fn number_of(text: &str) -> Option<(f64, &str)> {
    let digits = |c: char| c.is_ascii_digit() || "+-.,".contains(c);
    let end = text.find(|c| !digits(c)).unwrap_or(text.len());
    let number: f64 = text[..end].replace(',', "").parse().ok()?;
    let rest = text[end..].split("+-").next().unwrap_or_default();
    let unit = rest.trim();
    let is_unit =
        unit.len() <= 7 && unit.chars().all(|c| c.is_ascii_alphabetic() || "/%".contains(c));
    // A range, a size of a program or a name is no number.
    is_unit.then_some((number, unit))
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { text, is_best: false }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        text.to_owned().into()
    }
}

impl PartialEq<&str> for Cell {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

/// What a gap in a table looks like.
pub(crate) const GAP: &str = "-";

/// Rows in groups under one header.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    /// How many of the columns, from the left, are names.
    labels: usize,
    pub(crate) groups: Vec<Vec<Vec<Cell>>>,
}

impl Table {
    pub(crate) fn new<T: AsRef<str>>(labels: usize, header: &[T]) -> Table {
        let header = header.iter().map(|title| title.as_ref().to_owned()).collect();
        Table { header, labels, groups: Vec::new() }
    }

    /// With titles that stand between bars, `workload | P | T_1`.
    pub(crate) fn titled(labels: usize, titles: &str) -> Table {
        Table::new(labels, &titles.split(" | ").collect::<Vec<_>>())
    }

    /// A group for each of `groups`, in it a row for each of `rows`.
    pub(crate) fn filled<G, R>(
        mut self,
        groups: &[G],
        rows: &[R],
        row: impl Fn(&G, &R) -> Vec<String>,
    ) -> Table {
        for group in groups {
            self.push(rows.iter().map(|own| row(group, own)));
        }
        self
    }

    /// One group with these rows.
    pub(crate) fn of<C: Into<Cell>>(mut self, rows: impl IntoIterator<Item = Vec<C>>) -> Table {
        self.push(rows);
        self
    }

    /// Adds a group.
    pub(crate) fn push<C: Into<Cell>>(&mut self, rows: impl IntoIterator<Item = Vec<C>>) {
        let row = |row: Vec<C>| row.into_iter().map(Into::into).collect();
        self.groups.push(rows.into_iter().map(row).collect());
    }

    /// Adds a group with the best of each row standing out.
    pub(crate) fn add_group(&mut self, rows: &[Row]) {
        let best: Vec<_> = rows.iter().map(Row::best_index).collect();
        self.add_rows(rows, |row, column| best[row] == Some(column));
    }

    /// Adds a group with the best of each column standing out, as the first row has it.
    pub(crate) fn add_group_by_columns(&mut self, rows: &[Row]) {
        let Some(first) = rows.first() else { return };
        let column = |index: usize| rows.iter().map(move |row| row.values[index].as_ref());
        let best = |index| best_of(column(index), first.best);
        let best: Vec<_> = (0..first.values.len()).map(best).collect();
        self.add_rows(rows, |row, column| best[column] == Some(row));
    }

    fn add_rows(&mut self, rows: &[Row], is_best: impl Fn(usize, usize) -> bool) {
        let row = |(index, row): (usize, &Row)| {
            let values = row.values.iter().enumerate().map(|(column, value)| {
                let text = value.as_ref().map_or(GAP, |value| &value.text).to_owned();
                Cell { text, is_best: is_best(index, column) }
            });
            row.labels.iter().map(|label| Cell::from(label.as_str())).chain(values).collect()
        };
        self.groups.push(rows.iter().enumerate().map(row).collect());
    }

    /// For a terminal or a file, an empty line between groups; ends with a line break. What is wider than the screen is folded:
    /// some columns first, then the others, each time behind the names of the rows. Where the names leave no room for that, each
    /// row is a list of its own.
    pub(crate) fn terminal(&self, screen: Screen) -> String {
        let mut text = String::new();
        let (mut from, end) = (self.labels.min(self.header.len()), self.header.len());
        loop {
            // All that is left, or as many as fit.
            let least = (from + 1).min(end);
            let drawn = (least..=end).rev().map(|to| (to, self.drawn(from..to, screen)));
            let Some((to, drawn)) = drawn.into_iter().find(|(_, drawn)| screen.holds(drawn)) else {
                return self.listed(screen);
            };
            text += &drawn;
            from = to;
            if from == end {
                return text;
            }
        }
    }

    /// Each row as a list of titles and values, which are folded where they are too long.
    fn listed(&self, screen: Screen) -> String {
        let mut table = Table::empty(screen);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        for row in self.groups.iter().flatten() {
            if !table.is_empty() {
                table.add_row(["", ""]);
            }
            let cells = self.header.iter().zip(row).filter(|(_, cell)| !cell.text.is_empty());
            for (title, cell) in cells {
                let value = shown(cell, screen.emphasis);
                table.add_row([comfy_table::Cell::new(title), value]);
            }
        }
        format!("{table}\n")
    }

    /// In the style of all tables.
    fn empty(screen: Screen) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table.load_style(UTF8_BORDERS_ONLY);
        table.set_content_arrangement(ContentArrangement::Disabled);
        if let Some(width) = screen.columns.and_then(|columns| u16::try_from(columns).ok()) {
            table.set_width(width);
        }
        match screen.emphasis {
            Emphasis::Colour => table.enforce_styling(),
            Emphasis::Mark => table.force_no_tty(),
        };
        table
    }

    /// The names of the rows and these columns.
    fn drawn(&self, columns: Range<usize>, screen: Screen) -> String {
        let shown = || (0..self.labels.min(columns.start)).chain(columns.clone());
        let mut table = Table::empty(screen);
        table.set_header(shown().map(|column| &self.header[column]));
        for group in &self.groups {
            if !table.is_empty() {
                table.add_row(vec![""; shown().count()]);
            }
            for row in group {
                let cells = shown().filter_map(|column| Some((column, row.get(column)?)));
                table.add_row(
                    cells.map(|(column, cell)| self.printed(column, cell, screen.emphasis)),
                );
            }
        }
        format!("{table}\n")
    }

    fn printed(&self, column: usize, cell: &Cell, emphasis: Emphasis) -> comfy_table::Cell {
        let printed = shown(cell, emphasis);
        if column < self.labels { printed } else { printed.set_alignment(CellAlignment::Right) }
    }

    /// For a document: the best in bold.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = format!("|{}\n", "---|".repeat(self.header.len()));
        let cell = |cell: &Cell| match cell.is_best {
            true => format!("**{}**", cell.text),
            false => cell.text.clone(),
        };
        let rows = self.groups.iter().flatten();
        let rows: String = rows.map(|row| line(row.iter().map(cell).collect())).collect();
        line(self.header.clone()) + &rule + &rows
    }

    /// For a page: its first column is names.
    pub(crate) fn html(&self) -> Markup {
        html! {
            div class="scroll" {
                table {
                    thead { tr { @for title in &self.header { th scope="col" { (title) } } } }
                    tbody {
                        @for row in self.groups.iter().flatten() {
                            tr {
                                @for (column, cell) in row.iter().enumerate() {
                                    @if column == 0 { th scope="row" { (cell.text) } }
                                    @else if cell.is_best { td class="best" { (cell.text) } }
                                    @else { td { (cell.text) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn shown(cell: &Cell, emphasis: Emphasis) -> comfy_table::Cell {
    match (cell.is_best, emphasis) {
        (true, Emphasis::Colour) => {
            comfy_table::Cell::new(&cell.text).fg(Color::Green).add_attribute(Attribute::Bold)
        }
        (true, Emphasis::Mark) => comfy_table::Cell::new(format!("* {}", cell.text)),
        (false, _) => comfy_table::Cell::new(&cell.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(number: f64) -> Option<Value> {
        Some(Value::exact(number, number.to_string()))
    }

    fn row(best: Best, values: Vec<Option<Value>>) -> Row {
        Row { labels: vec!["row".to_owned()], values, best }
    }

    fn render(screen: Screen, row: Row) -> String {
        let header = vec![String::new(); row.labels.len() + row.values.len()];
        let mut table = Table::new(row.labels.len(), &header);
        table.add_group(&[row]);
        table.terminal(screen)
    }

    #[test]
    fn the_best_of_a_row_is_marked_without_colours() {
        let text = render(Screen::FILE, row(Best::Smallest, vec![value(3.0), None, value(2.0)]));
        assert!(text.contains("* 2") && !text.contains("* 3"), "{text}");
        assert!(!text.contains('\x1b'), "{text}");
        let text = render(Screen::FILE, row(Best::Largest, vec![value(3.0), value(2.0)]));
        assert!(text.contains("* 3"), "{text}");
    }

    #[test]
    fn the_best_of_a_column_is_marked_in_its_group_only() {
        let mut grid = Table::new(1, &["", ""]);
        let column = |numbers: [f64; 2]| numbers.map(|n| row(Best::Smallest, vec![value(n)]));
        grid.add_group_by_columns(&column([3.0, 2.0]));
        grid.add_group_by_columns(&column([7.0, 8.0]));
        let text = grid.terminal(Screen::FILE);
        assert!(text.contains("* 2") && text.contains("* 7"), "{text}");
        assert!(!text.contains("* 3") && !text.contains("* 8"), "{text}");
    }

    #[test]
    fn the_best_of_a_row_is_coloured_with_colours() {
        let text = render(
            Screen { emphasis: Emphasis::Colour, columns: None },
            row(Best::Smallest, vec![value(3.0), value(2.0)]),
        );
        assert!(text.contains('\x1b') && !text.contains('*'), "{text:?}");
    }

    #[test]
    fn nothing_stands_out_alone_or_where_nothing_is_compared() {
        let alone = render(Screen::FILE, row(Best::Smallest, vec![value(3.0), None]));
        let uncompared = render(Screen::FILE, row(Best::None, vec![value(3.0), value(2.0)]));
        assert!(!alone.contains('*') && !uncompared.contains('*'));
    }

    #[test]
    fn numbers_are_numbers_in_json() {
        let json = |text: &str| serde_json::to_value(Cell::from(text)).unwrap();
        for (text, number, unit) in [
            ("4.13 s", 4.13, "s"),
            ("20,365,011,073", 20_365_011_073.0, ""),
            ("-18%", -18.0, "%"),
            ("+1.5%", 1.5, "%"),
            ("125 ms +-2%", 125.0, "ms"),
            ("950 +-1,007", 950.0, ""),
            ("1.30 ns/task", 1.3, "ns/task"),
        ] {
            let expected = serde_json::json!({"text": text, "number": number, "unit": unit});
            assert_eq!(json(text), expected);
        }
        for text in
            ["-", "", "fib 50", "3-19", "0.4 to 0.6", "over 20", "2 of 9 rounds", "64K of height 8"]
        {
            assert_eq!(json(text), serde_json::json!(text), "{text}");
        }
        let cell: Cell = serde_json::from_value(json("4.13 s")).unwrap();
        assert_eq!(cell, "4.13 s");
    }

    fn timed(low: f64, high: f64) -> Option<Value> {
        let timing = Timing { median: low.midpoint(high), low, high };
        Some(Value::of(timing, format!("{low} to {high}")))
    }

    #[test]
    fn nothing_stands_out_within_the_noise() {
        let text = |values| render(Screen::FILE, row(Best::Smallest, values));
        let within = text(vec![timed(1.0, 2.1), timed(2.0, 3.0)]);
        assert!(!within.contains('*'), "{within}");
        let beyond = text(vec![timed(1.0, 1.9), timed(2.0, 3.0)]);
        assert!(beyond.contains("* 1 to 1.9"), "{beyond}");
    }

    #[test]
    fn a_table_that_is_too_wide_is_folded_and_loses_nothing() {
        let header: Vec<String> = (0..13).map(|column| format!("title {column}")).collect();
        let rows = (0..3)
            .map(|row| (0..13).map(|column| format!("{row}/{column} ms +-9%")).collect::<Vec<_>>());
        let mut table = Table::new(2, &header);
        table.push(rows);
        for columns in [40, 60, 80, 120] {
            let screen = Screen { columns: Some(columns), ..Screen::FILE };
            let text = table.terminal(screen);
            assert!(screen.holds(&text), "{columns}: {text}");
            for word in header.iter().cloned().chain((0..13).map(|column| format!("2/{column} ms")))
            {
                assert!(text.contains(&word), "{columns}: {word}: {text}");
            }
        }
        let wide = table.terminal(Screen::FILE);
        assert_eq!(wide.lines().count(), 3 + 3 + 1, "one table: {wide}");
    }

    #[test]
    fn rows_whose_names_are_too_long_are_lists() {
        let long = "a name of a row that alone is wider than the screen, and goes on for a while";
        let table = Table::titled(1, "what | number").of([vec![long, "12.5 ms"]]);
        let screen = Screen { columns: Some(40), ..Screen::FILE };
        let text = table.terminal(screen);
        assert!(
            screen.holds(&text) && text.contains("12.5 ms") && text.contains("while"),
            "{text}"
        );
    }
}

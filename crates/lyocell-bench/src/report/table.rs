//! The one table, and its three writers: for a terminal, for a document in Markdown, for a page. The best value stands out: bold
//! and green on a terminal, with a `*` in a file, in bold elsewhere.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{Attribute, CellAlignment, Color, ContentArrangement};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

/// How the best value stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emphasis {
    Colour,
    Mark,
}

impl Emphasis {
    /// What suits the standard output: colours on a terminal, unless `NO_COLOR` or `TERM` forbid.
    pub(crate) fn of_stdout() -> Emphasis {
        let stdout = io::stdout();
        match AutoStream::choice(&stdout) {
            ColorChoice::Never => Emphasis::Mark,
            _ if stdout.is_terminal() => Emphasis::Colour,
            _ => Emphasis::Mark,
        }
    }
}

/// Which value of a row is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Best {
    Smallest,
    Largest,
    /// Nothing to compare.
    None,
}

/// A number and how it is shown.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) number: f64,
    pub(crate) text: String,
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

/// The index of the best of at least two values.
fn best_of<'a>(values: impl Iterator<Item = Option<&'a Value>>, best: Best) -> Option<usize> {
    let there: Vec<(usize, &Value)> =
        values.enumerate().filter_map(|(index, value)| Some((index, value?))).collect();
    if there.len() < 2 {
        return None;
    }
    let order = |a: &&(usize, &Value), b: &&(usize, &Value)| a.1.number.total_cmp(&b.1.number);
    let best = match best {
        Best::Smallest => there.iter().min_by(order),
        Best::Largest => there.iter().max_by(order),
        Best::None => None,
    };
    best.map(|&(index, _)| index)
}

/// What stands in a place of a table.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(from = "String", into = "String")]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) is_best: bool,
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

impl From<Cell> for String {
    fn from(cell: Cell) -> String {
        cell.text
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

    /// For a terminal or a file, an empty line between groups; ends with a line break.
    pub(crate) fn terminal(&self, emphasis: Emphasis) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(UTF8_BORDERS_ONLY);
        table.set_content_arrangement(ContentArrangement::Disabled);
        match emphasis {
            Emphasis::Colour => table.enforce_styling(),
            Emphasis::Mark => table.force_no_tty(),
        };
        table.set_header(&self.header);
        for group in &self.groups {
            if !table.is_empty() {
                table.add_row(vec![""; self.header.len()]);
            }
            for row in group {
                let cells = row.iter().enumerate();
                table.add_row(cells.map(|(column, cell)| self.printed(column, cell, emphasis)));
            }
        }
        format!("{table}\n")
    }

    fn printed(&self, column: usize, cell: &Cell, emphasis: Emphasis) -> comfy_table::Cell {
        let printed = match (cell.is_best, emphasis) {
            (true, Emphasis::Colour) => {
                comfy_table::Cell::new(&cell.text).fg(Color::Green).add_attribute(Attribute::Bold)
            }
            (true, Emphasis::Mark) => comfy_table::Cell::new(format!("* {}", cell.text)),
            (false, _) => comfy_table::Cell::new(&cell.text),
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn value(number: f64) -> Option<Value> {
        Some(Value { number, text: number.to_string() })
    }

    fn row(best: Best, values: Vec<Option<Value>>) -> Row {
        Row { labels: vec!["row".to_owned()], values, best }
    }

    fn render(emphasis: Emphasis, row: Row) -> String {
        let header = vec![String::new(); row.labels.len() + row.values.len()];
        let mut table = Table::new(row.labels.len(), &header);
        table.add_group(&[row]);
        table.terminal(emphasis)
    }

    #[test]
    fn the_best_of_a_row_is_marked_without_colours() {
        let text = render(Emphasis::Mark, row(Best::Smallest, vec![value(3.0), None, value(2.0)]));
        assert!(text.contains("* 2") && !text.contains("* 3"), "{text}");
        assert!(!text.contains('\x1b'), "{text}");
        let text = render(Emphasis::Mark, row(Best::Largest, vec![value(3.0), value(2.0)]));
        assert!(text.contains("* 3"), "{text}");
    }

    #[test]
    fn the_best_of_a_column_is_marked_in_its_group_only() {
        let mut grid = Table::new(1, &["", ""]);
        let column = |numbers: [f64; 2]| numbers.map(|n| row(Best::Smallest, vec![value(n)]));
        grid.add_group_by_columns(&column([3.0, 2.0]));
        grid.add_group_by_columns(&column([7.0, 8.0]));
        let text = grid.terminal(Emphasis::Mark);
        assert!(text.contains("* 2") && text.contains("* 7"), "{text}");
        assert!(!text.contains("* 3") && !text.contains("* 8"), "{text}");
    }

    #[test]
    fn the_best_of_a_row_is_coloured_with_colours() {
        let text = render(Emphasis::Colour, row(Best::Smallest, vec![value(3.0), value(2.0)]));
        assert!(text.contains('\x1b') && !text.contains('*'), "{text:?}");
    }

    #[test]
    fn nothing_stands_out_alone_or_where_nothing_is_compared() {
        let alone = render(Emphasis::Mark, row(Best::Smallest, vec![value(3.0), None]));
        let uncompared = render(Emphasis::Mark, row(Best::None, vec![value(3.0), value(2.0)]));
        assert!(!alone.contains('*') && !uncompared.contains('*'));
    }
}

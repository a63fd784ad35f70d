//! A table in which the best value of each row stands out: bold and green on a terminal, with a `*`
//! elsewhere.

use std::fmt;
use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, Table};

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

/// Groups of rows under one header, an empty line between groups.
pub(crate) struct Grid {
    table: Table,
    emphasis: Emphasis,
    columns: usize,
}

impl Grid {
    pub(crate) fn new(header: Vec<String>, emphasis: Emphasis) -> Grid {
        let mut table = Table::new();
        table.load_style(UTF8_BORDERS_ONLY);
        table.set_content_arrangement(ContentArrangement::Disabled);
        match emphasis {
            Emphasis::Colour => table.enforce_styling(),
            Emphasis::Mark => table.force_no_tty(),
        };
        let columns = header.len();
        table.set_header(header);
        Grid { table, emphasis, columns }
    }

    pub(crate) fn add_group(&mut self, rows: &[Row]) {
        let best: Vec<_> = rows.iter().map(Row::best_index).collect();
        self.add_rows(rows, |row, column| best[row] == Some(column));
    }

    /// Adds rows with the best of each column standing out, as the first row has it.
    pub(crate) fn add_group_by_columns(&mut self, rows: &[Row]) {
        let Some(first) = rows.first() else { return };
        let column = |index: usize| rows.iter().map(move |row| row.values[index].as_ref());
        let best = |index| best_of(column(index), first.best);
        let best: Vec<_> = (0..first.values.len()).map(best).collect();
        self.add_rows(rows, |row, column| best[column] == Some(row));
    }

    fn add_rows(&mut self, rows: &[Row], is_best: impl Fn(usize, usize) -> bool) {
        if !self.table.is_empty() {
            self.table.add_row(vec![""; self.columns]);
        }
        for (index, row) in rows.iter().enumerate() {
            let labels = row.labels.iter().map(Cell::new);
            let values = row.values.iter().enumerate().map(|(column, value)| {
                let best = is_best(index, column);
                let standing = if best { Standing::Best } else { Standing::Other };
                self.cell(value.as_ref(), standing)
            });
            self.table.add_row(labels.chain(values).collect::<Vec<_>>());
        }
    }

    fn cell(&self, value: Option<&Value>, standing: Standing) -> Cell {
        let text = value.map_or("-", |value| &value.text);
        let cell = match (standing, self.emphasis) {
            (Standing::Best, Emphasis::Colour) => {
                Cell::new(text).fg(Color::Green).add_attribute(Attribute::Bold)
            }
            (Standing::Best, Emphasis::Mark) => Cell::new(format!("* {text}")),
            (Standing::Other, _) => Cell::new(text),
        };
        cell.set_alignment(CellAlignment::Right)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Best,
    Other,
}

impl fmt::Display for Grid {
    /// Ends with a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.table)
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
        let mut grid = Grid::new(header, emphasis);
        grid.add_group(&[row]);
        grid.to_string()
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
        let mut grid = Grid::new(vec![String::new(); 2], Emphasis::Mark);
        let column = |numbers: [f64; 2]| numbers.map(|n| row(Best::Smallest, vec![value(n)]));
        grid.add_group_by_columns(&column([3.0, 2.0]));
        grid.add_group_by_columns(&column([7.0, 8.0]));
        let text = grid.to_string();
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

//! Tables: cells under named columns, as CSV, in Markdown, and with the ranges of their numbers.

use serde::{Deserialize, Serialize};

use super::interval::{Interval, range};
use super::number::short;

/// Rows of cells under named columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its file, relative to the report's folder; set by [`crate::claim::Run::table`].
    pub file: String,
    /// Caption of one sentence.
    pub caption: String,
    /// Heads of the columns, with their units.
    pub columns: Vec<String>,
    /// Cells, one per column in each row.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A measured number.
    Measured(Interval),
    /// A text.
    Text(String),
    /// Not measured, or not printed.
    Missing,
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<Interval> for Cell {
    fn from(value: Interval) -> Self {
        Self::Measured(value)
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Self {
        Self::Number(value as f64)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl Cell {
    /// The number, if it is one.
    pub(crate) fn measured(&self) -> Option<Interval> {
        match self {
            Self::Number(value) => Some((*value).into()),
            Self::Measured(interval) => Some(*interval),
            _ => None,
        }
    }

    /// Text of the cell in a report.
    pub fn text(&self) -> String {
        match self {
            Self::Number(value) => short(*value),
            Self::Measured(value) => short(value.median),
            Self::Text(text) => text.clone(),
            Self::Missing => String::new(),
        }
    }
}

impl Table {
    /// A table without rows.
    pub fn new<T: Into<String>>(
        caption: impl Into<String>,
        columns: impl IntoIterator<Item = T>,
    ) -> Self {
        Self {
            caption: caption.into(),
            columns: columns.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// Adds a row; absent cells at its end are missing.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.columns.len(), Cell::Missing);
        self.rows.push(cells);
    }

    /// Adds a row of cells of one kind, such as texts.
    pub fn row<T: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.push(cells.into_iter().map(Into::into));
    }

    /// Adds a row for a [`chart`](Self::chart): a series, the position in it, and the values there.
    pub fn point<T: Into<Cell>>(
        &mut self,
        series: &str,
        x: impl Into<Cell>,
        values: impl IntoIterator<Item = T>,
    ) {
        let values = values.into_iter().map(Into::into);
        self.push([series.into(), x.into()].into_iter().chain(values));
    }

    /// The numbers of a column.
    pub fn numbers(&self, column: &str) -> Vec<f64> {
        let Some(place) = self.columns.iter().position(|name| name == column) else {
            return Vec::new();
        };
        let cells = self.rows.iter().map(|row| &row[place]);
        cells.filter_map(|cell| cell.measured().map(|value| value.median)).collect()
    }

    /// The smallest and the largest number of a column; NaN if there are no numbers, or if one is NaN.
    pub fn range(&self, column: &str) -> [f64; 2] {
        let numbers = self.numbers(column);
        if numbers.is_empty() || numbers.iter().any(|value| value.is_nan()) {
            return [f64::NAN; 2];
        }
        range(numbers)
    }

    /// The table as CSV, numbers with all their digits; a column with measured ones is followed by the ends of their
    /// intervals.
    pub fn csv(&self) -> String {
        let mut lines = vec![Vec::new(); 1 + self.rows.len()];
        for (place, name) in self.columns.iter().enumerate() {
            let is_measured = |row: &Vec<Cell>| matches!(row[place], Cell::Measured(_));
            let ends = if self.rows.iter().any(is_measured) { 3 } else { 1 };
            for (end, what) in ["", ", low", ", high"].into_iter().enumerate().take(ends) {
                lines[0].push(format!("{name}{what}"));
                for (line, row) in lines[1..].iter_mut().zip(&self.rows) {
                    line.push(match &row[place] {
                        Cell::Number(value) if end == 0 => value.to_string(),
                        Cell::Measured(of) => [of.median, of.low, of.high][end].to_string(),
                        Cell::Text(text) if end == 0 => text.clone(),
                        _ => String::new(),
                    });
                }
            }
        }
        lines.iter().map(csv_line).collect()
    }

    /// The table in Markdown, with some columns aligned to the right.
    pub fn markdown(&self, is_right: impl Fn(usize) -> bool) -> String {
        let ends = (0..self.columns.len()).map(|at| if is_right(at) { "--:|" } else { "---|" });
        let rows = self.rows.iter().map(|row| markdown_line(row.iter().map(Cell::text)));
        let (head, rows) = (markdown_line(&self.columns), rows.collect::<String>());
        format!("{head}|{}\n{rows}", ends.collect::<String>())
    }
}

/// A line of a table in Markdown.
fn markdown_line<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let escaped = cells.into_iter().map(|cell| cell.as_ref().replace('|', "\\|"));
    format!("| {} |\n", escaped.collect::<Vec<_>>().join(" | "))
}

/// A text of somebody else for a page in Markdown: without markup, on one line.
pub fn plain(text: &str) -> String {
    text.replace(char::is_control, " ").replace('&', "&amp;").replace('<', "&lt;")
}

/// A line of CSV; cells are quoted if necessary (RFC 4180).
pub fn csv_line<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let quoted = cells.into_iter().map(|cell| match cell.as_ref() {
        text if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        text => text.to_owned(),
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

/// The fields of each line of CSV.
pub fn read_csv(text: &str) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut field, mut is_quoted) = (vec![], vec![], String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => line.push(std::mem::take(&mut field)),
            '\n' if !is_quoted => {
                line.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut line));
            }
            _ => field.push(letter),
        }
    }
    // A last line without its end.
    if !line.is_empty() || !field.is_empty() {
        line.push(field);
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors() -> Table {
        let mut table = Table::new("factors", ["sides", "n", "GPU", "double precision"]);
        table.point("Dirichlet", 65_usize, [0.088, 0.0881]);
        table.point("Neumann", 65_usize, [0.089, 0.0892]);
        table
    }

    #[test]
    fn a_table_has_ranges_and_csv() {
        let table = factors();
        assert_eq!(table.range("GPU"), [0.088, 0.089]);
        assert!(table.range("absent")[0].is_nan());
        let csv = table.csv();
        assert_eq!(csv.lines().nth(1), Some("Dirichlet,65,0.088,0.0881"));
        let mut times = Table::new("times", ["", "n", "here (ms)"]);
        times.point(
            "",
            65_usize,
            [Interval { median: 2.0, low: 1.0, high: 3.0, rounds: 9, ..Interval::default() }],
        );
        assert_eq!(times.csv(), ",n,here (ms),\"here (ms), low\",\"here (ms), high\"\n,65,2,1,3\n");
    }

    #[test]
    fn fields_are_read_as_they_are_written() {
        let fields = ["plain", "with, a comma", "\"quoted\"", "two\nlines", "\r", ""];
        let line = csv_line(fields);
        assert_eq!(read_csv(&line.repeat(2)), vec![fields.map(String::from).to_vec(); 2]);
    }

    #[test]
    fn cells_of_markdown_do_not_end_early() {
        let mut table = Table::new("", ["|x|", "n"]);
        table.push(["a|b".into(), 2.5.into()]);
        let text = "| \\|x\\| | n |\n|---|--:|\n| a\\|b | 2.50 |\n";
        assert_eq!(table.markdown(|column| column == 1), text);
        assert_eq!(plain("a\n<b> & c"), "a &lt;b> &amp; c");
    }
}

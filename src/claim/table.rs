//! Tables of numbers: a paper's table in the report and as CSV, ranges and differences for a finding.

use serde::{Deserialize, Serialize};

use crate::picture::field;
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::timing::Interval;
use crate::timing::interval::short;

/// Rows of cells under named columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its file, relative to the report's folder; set by [`super::Run::table`].
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
    fn measured(&self) -> Option<Interval> {
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
        crate::timing::rig::range(numbers)
    }

    /// A chart of columns over the second one, with a series for each text of the first one and for each named column.
    pub fn chart(&self, title: &str, axes: [Axis; 2], columns: &[&str]) -> Chart {
        let mut names: Vec<String> = Vec::new();
        for row in &self.rows {
            let name = row[0].text();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let place = |column: &str| self.columns.iter().position(|name| name == column);
        let places: Vec<(&str, usize)> =
            (columns.iter()).filter_map(|column| Some((*column, place(column)?))).collect();
        let (rows, single) = (&self.rows, places.len() == 1);
        let places = &places;
        let series = names.iter().flat_map(|name| {
            places.iter().map(move |&(column, place)| {
                let rows = rows.iter().filter(|row| row[0].text() == *name);
                let points = rows
                    .filter_map(|row| Some((row[1].measured()?.median, row[place].measured()?)));
                let label = match name.as_str() {
                    "" => column.to_owned(),
                    name if single => name.to_owned(),
                    name => format!("{name}, {column}"),
                };
                Series::measured(label, Style::LinePoints, points)
            })
        });
        Chart::new(title, axes, series)
    }

    /// The table as CSV, numbers with all their digits; a column with measured ones is followed by the ends of their
    /// intervals.
    pub fn csv(&self) -> String {
        let mut lines = vec![Vec::new(); 1 + self.rows.len()];
        for (place, name) in self.columns.iter().enumerate() {
            let is_measured = |row: &Vec<Cell>| matches!(row[place], Cell::Measured(_));
            let ends = if self.rows.iter().any(is_measured) { 3 } else { 1 };
            for (end, what) in ["", ", low", ", high"].into_iter().enumerate().take(ends) {
                lines[0].push(field(&format!("{name}{what}")));
                for (line, row) in lines[1..].iter_mut().zip(&self.rows) {
                    line.push(match &row[place] {
                        Cell::Number(value) if end == 0 => value.to_string(),
                        Cell::Measured(of) => [of.median, of.low, of.high][end].to_string(),
                        Cell::Text(text) if end == 0 => field(text),
                        _ => String::new(),
                    });
                }
            }
        }
        lines.into_iter().map(|line| line.join(",") + "\n").collect()
    }
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
    fn a_table_has_ranges_a_chart_and_csv() {
        let table = factors();
        assert_eq!(table.range("GPU"), [0.088, 0.089]);
        assert!(table.range("absent")[0].is_nan());
        let axes = || [Axis::linear("n"), Axis::linear("factor")];
        let chart = table.chart("factors", axes(), &["GPU", "double precision"]);
        let labels: Vec<&str> = chart.series.iter().map(|s| s.label.as_str()).collect();
        assert_eq!(labels[..2], ["Dirichlet, GPU", "Dirichlet, double precision"]);
        let csv = table.csv();
        assert_eq!(csv.lines().nth(1), Some("Dirichlet,65,0.088,0.0881"));
        let mut times = Table::new("times", ["", "n", "here (ms)"]);
        times.point("", 65_usize, [Interval { median: 2.0, low: 1.0, high: 3.0, rounds: 9 }]);
        assert_eq!(times.csv(), ",n,here (ms),\"here (ms), low\",\"here (ms), high\"\n,65,2,1,3\n");
        assert_eq!(times.chart("times", axes(), &["here (ms)"]).series[0].intervals, [[1.0, 3.0]]);
    }
}

//! A printed table next to ours, cell by cell.

use super::{Cell, Found, Run, Table, times};

/// A table of a paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Versus<const R: usize, const C: usize> {
    /// Caption of one sentence.
    pub caption: &'static str,
    /// Names of the rows.
    pub rows: [&'static str; R],
    /// Names of the columns.
    pub columns: [&'static str; C],
    /// Printed numbers.
    pub paper: [[f64; C]; R],
}

impl<const R: usize, const C: usize> Versus<R, C> {
    /// The printed ratio of two columns in each row, for [`Printed::Ratios`](super::Printed).
    pub const fn ratios(&self, of: usize, by: usize) -> [(&'static str, f64); R] {
        let mut ratios = [("", 0.0); R];
        let mut row = 0;
        while row < R {
            ratios[row] = (self.rows[row], self.paper[row][of] / self.paper[row][by]);
            row += 1;
        }
        ratios
    }

    /// Shows the table with our numbers next to the printed ones, in the report and as CSV, and compares that ratio in each
    /// row, by name.
    pub fn compared(
        &self,
        run: &mut Run<'_>,
        file: &str,
        here: [[f64; C]; R],
        (name, of, by): (&str, usize, usize),
    ) -> Found {
        let columns = self.columns.iter();
        let heads = columns.flat_map(|c| [format!("{c}, paper"), format!("{c}, here")]);
        let mut table = Table::new(self.caption, std::iter::once(String::new()).chain(heads));
        let mut found = Found::new();
        for ((row, paper), here) in self.rows.iter().zip(&self.paper).zip(&here) {
            let cells = paper.iter().zip(here).flat_map(|(paper, here)| [*paper, *here]);
            table.push([(*row).into()].into_iter().chain(cells.map(Cell::from)));
            found = found.ratio(times(format!("{name} {row}")), here[of] / here[by]);
        }
        run.table(file, table);
        found.each("times")
    }
}

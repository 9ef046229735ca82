//! Bars over several rows of a paper, drawn from what is stored of them: printed, in the model, and here.

use super::json::Entry;
use crate::claim::{Exhibit, Figure, Interval, Measured, Paper, Printed, Together, Value};
use crate::picture::plot::{Axis, Bars, Group, PlotError};

impl Together {
    /// The exhibit of those rows that are stored; the others are named in its caption.
    ///
    /// # Errors
    /// A row without a ratio of this quantity.
    pub fn exhibit(&self, paper: &Paper, entries: &[Entry]) -> Result<Exhibit, PlotError> {
        let stored = |row: &&&str| {
            let is_it =
                |entry: &&Entry| entry.inputs.is_empty() && entry.parts() == (paper.id, row);
            entries.iter().find(is_it)
        };
        let found: Vec<&Entry> = self.rows.iter().filter_map(|row| stored(&row)).collect();
        let missing = self.rows.iter().filter(|row| stored(row).is_none());
        let missing: Vec<&str> = missing.copied().collect();
        let percent = |ratio: Interval| {
            let [median, low, high] =
                [ratio.median, ratio.low, ratio.high].map(|end| 100.0 * (end - 1.0));
            Interval { median, low, high, ..ratio }
        };
        let of = |entry: &Entry, is_model: bool| {
            let is_it = |v: &&Value| v.name == self.quantity && v.is_model == is_model;
            match entry.values.iter().find(is_it)?.measured {
                Measured::Number(ratio) => Some(percent(ratio)),
                Measured::Text(_) => None,
            }
        };
        if let Some(other) = found.iter().find(|entry| of(entry, false).is_none()) {
            let (title, category) = (self.title.to_owned(), other.id.clone());
            return Err(PlotError::Quantity { title, category, quantity: self.quantity });
        }
        let value = |is_model| found.iter().map(move |entry| of(entry, is_model));
        let printed = found.iter().map(|entry| {
            let claim = paper.claims.iter().find(|claim| claim.id == entry.parts().1)?;
            match claim.paper {
                Printed::Ratio(ratio) | Printed::Rounded(ratio, _) => Some(percent(ratio.into())),
                _ => None,
            }
        });
        let groups = [
            Group::new("paper", printed),
            Group::new(self.model, value(true)),
            Group::new("here", value(false)),
        ];
        let names = found.iter().map(|entry| entry.parts().1);
        let bars = Bars::new(self.title, Axis::linear(self.axis), names, groups);
        let mut caption = self.caption.to_owned();
        if !missing.is_empty() {
            caption += &format!(" Not run: {}.", missing.join(", "));
        }
        let file = format!("{}/{}.svg", paper.id, self.file);
        Ok(Exhibit {
            title: self.title.to_owned(),
            text: bars.csv(),
            command: format!("fragstream reproduce {}", paper.id),
            figure: Figure::new(file, caption, bars.svg()?).with_numbers(bars.csv()),
            run: String::new(),
        })
    }
}

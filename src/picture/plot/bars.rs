//! A few values for each of a few categories, side by side.

use super::PlotError;
use super::axis::{Axis, Ruler, Scale};
use super::style::{GRID, HEIGHT, WIDTH, colour, draw_title, size};
use crate::base::interval::Interval;
use crate::base::number::written;
use crate::base::table::csv_line;
use crate::picture::sheet::{Align, INK, QUIET, Sheet, SheetError, widest, width_of};

/// One value per category, such as "paper" or "measured".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Label, shown in the group's colour above the chart.
    pub label: String,
    /// One value per category, or `None` for a gap. An interval is drawn as a thin line.
    pub values: Vec<Option<Interval>>,
}

impl Group {
    /// A group with these values.
    pub fn new<T: Into<Interval>>(
        label: impl Into<String>,
        values: impl IntoIterator<Item = Option<T>>,
    ) -> Self {
        let values = values.into_iter().map(|value| value.map(Into::into)).collect();
        Group { label: label.into(), values }
    }
}

/// Groups of values over categories: bars from zero on a linear axis, points on a logarithmic one, which has no
/// zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Title.
    pub title: String,
    /// Axis of the values, with the unit, linear or logarithmic.
    pub axis: Axis,
    /// The categories, from the top.
    pub categories: Vec<String>,
    /// The groups, from the top.
    pub groups: Vec<Group>,
}

impl Bars {
    /// Groups over categories by name.
    pub fn new<T: Into<String>>(
        title: impl Into<String>,
        axis: Axis,
        categories: impl IntoIterator<Item = T>,
        groups: impl IntoIterator<Item = Group>,
    ) -> Self {
        let categories = categories.into_iter().map(Into::into).collect();
        Self { title: title.into(), axis, categories, groups: groups.into_iter().collect() }
    }

    /// Draws the chart as SVG, 1280 x 800.
    pub fn svg(&self) -> Result<String, PlotError> {
        let mut sheet = Sheet::vector(WIDTH, HEIGHT);
        self.draw(&mut sheet)?;
        Ok(sheet.svg())
    }

    /// The values as CSV, a category per line, a group per column with its unit, and two more for the ends of intervals;
    /// empty fields for missing values.
    pub fn csv(&self) -> String {
        let is_exact = |group: &Group| group.values.iter().flatten().all(Interval::is_exact);
        let mut lines = vec![vec!["category".to_owned()]];
        lines.extend(self.categories.iter().map(|category| vec![category.clone()]));
        for group in &self.groups {
            let ends = ["", ", low", ", high"];
            for (end, name) in ends.iter().enumerate().take(if is_exact(group) { 1 } else { 3 }) {
                lines[0].push(format!("{}{name} ({})", group.label, self.axis.label));
                for (line, value) in lines[1..].iter_mut().zip(&group.values) {
                    let ends = value.map(|of| [of.median, of.low, of.high][end].to_string());
                    line.push(ends.unwrap_or_default());
                }
            }
        }
        lines.iter().map(csv_line).collect()
    }

    fn draw(&self, sheet: &mut Sheet) -> Result<(), PlotError> {
        let count = self.categories.len();
        if let Some(group) = self.groups.iter().find(|group| group.values.len() != count) {
            return Err(PlotError::Length {
                group: group.label.clone(),
                values: group.values.len(),
                categories: count,
            });
        }
        let values = || self.groups.iter().flat_map(|group| &group.values);
        let ends = |of: &Interval| [of.median, of.low, of.high];
        let shown = || values().flatten().flat_map(ends).filter(|&v| self.axis.scale.shows(v));
        let nothing = || PlotError::Empty(self.title.clone());
        shown().next().ok_or_else(nothing)?;
        let zero = (self.axis.scale == Scale::Linear).then_some(0.0);
        let ruler = self.axis.ruler(shown().chain(zero)).ok_or_else(nothing)?;
        let layout = Layout::new(self, ruler)?;
        layout.draw_axes(sheet, self)?;
        layout.draw_legend(sheet, self)?;
        Ok(layout.draw_values(sheet, self)?)
    }
}

/// Positions on the sheet.
struct Layout {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Height of a category.
    row: f64,
    /// Height of a bar.
    bar: f64,
    ruler: Ruler,
}

impl Layout {
    fn new(bars: &Bars, ruler: Ruler) -> Result<Self, SheetError> {
        let names = widest(&bars.categories, size::LABEL)?;
        let (top, bottom) = (156.0, f64::from(HEIGHT) - 108.0);
        let row = (bottom - top) / bars.categories.len().max(1) as f64;
        Ok(Layout {
            left: 40.0 + names + 24.0,
            // The longest bar has its number after it.
            right: f64::from(WIDTH) - 130.0,
            top,
            bottom,
            row,
            bar: (row * 0.86 / bars.groups.len().max(1) as f64).min(46.0),
            ruler,
        })
    }

    fn at(&self, value: f64) -> f64 {
        self.left + self.ruler.place(value) * (self.right - self.left)
    }

    fn middle(&self, category: usize) -> f64 {
        self.top + (category as f64 + 0.5) * self.row
    }

    fn draw_axes(&self, sheet: &mut Sheet, bars: &Bars) -> Result<(), SheetError> {
        draw_title(sheet, &bars.title)?;
        let below = ((self.left + self.right) / 2.0, self.bottom + 76.0);
        sheet.text(&bars.axis.label, below, Align::Centre, size::LABEL, QUIET)?;
        for tick in self.ruler.ticks(6) {
            let x = self.at(tick);
            sheet.line(&[(x, self.top), (x, self.bottom)], 1.5, GRID)?;
            let below = (x, self.bottom + 30.0);
            sheet.text(&written(tick), below, Align::Centre, size::TICK, QUIET)?;
        }
        for (category, name) in bars.categories.iter().enumerate() {
            let beside = (self.left - 20.0, self.middle(category));
            sheet.text(name, beside, Align::Right, size::LABEL, INK)?;
        }
        Ok(())
    }

    fn draw_legend(&self, sheet: &mut Sheet, bars: &Bars) -> Result<(), SheetError> {
        let mut x = 40.0;
        for (index, group) in bars.groups.iter().enumerate() {
            sheet.fill((x, 98.0), (x + 20.0, 118.0), colour(index));
            sheet.text(&group.label, (x + 32.0, 108.0), Align::Left, size::LABEL, colour(index))?;
            x += 32.0 + width_of(&group.label, size::LABEL)? + 44.0;
        }
        Ok(())
    }

    fn draw_values(&self, sheet: &mut Sheet, bars: &Bars) -> Result<(), SheetError> {
        let number_size = size::NOTE.min(self.bar * 1.1).max(18.0);
        for (index, group) in bars.groups.iter().enumerate() {
            let offset = (index as f64 + 0.5 - bars.groups.len() as f64 / 2.0) * self.bar;
            for (category, value) in group.values.iter().enumerate() {
                let y = self.middle(category) + offset;
                let Some(reading) = value.filter(|one| self.ruler.holds(one.median)) else {
                    continue;
                };
                let value = reading.median;
                let [x, low, high] = [value, reading.low, reading.high].map(|end| self.at(end));
                match bars.axis.scale {
                    Scale::Linear => {
                        let half = self.bar / 2.0 - 2.0;
                        let zero = self.at(0.0);
                        let (left, right) = (zero.min(x), zero.max(x));
                        sheet.fill((left, y - half), (right, y + half), colour(index));
                    }
                    Scale::Logarithmic => {
                        sheet.line(&[(self.left, y), (x, y)], 1.5, GRID)?;
                        sheet.disc((x, y), (self.bar * 0.3).min(9.0), colour(index))?;
                    }
                }
                if !reading.is_exact() {
                    sheet.line(&[(low, y), (high, y)], 3.0, INK)?;
                }
                let (beside, anchor) = match value < 0.0 {
                    true => (x.min(low) - 18.0, Align::Right),
                    false => (x.max(high) + 18.0, Align::Left),
                };
                sheet.text(&written(value), (beside, y), anchor, number_size, INK)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        let bars = Bars {
            title: "Two values".into(),
            axis: Axis::linear("units").with_range(0.0, 4.0),
            categories: vec!["a".into()],
            groups: vec![Group::new("one", [Some(1.0)]), Group::new("three", [Some(3.0)])],
        };
        let svg = bars.svg().expect("two bars");
        // Each colour is that of a label first, then of a bar.
        let length = |colour: &str| -> f64 {
            let ends = format!("fill=\"{colour}\"/>");
            let bar = svg.lines().rfind(|line| line.ends_with(&ends));
            let (_, width) = bar.and_then(|bar| bar.split_once("width=\"")).expect("a bar");
            width.split('"').next().and_then(|width| width.parse().ok()).expect("a width")
        };
        let ratio = length("#d55e00") / length("#0072b2");
        assert!((ratio - 3.0).abs() < 0.01, "{ratio}");
        let gain = Interval { median: 2.0, low: 1.5, high: 2.5, rounds: 9, ..Interval::default() };
        let measured = Bars { groups: vec![Group::new("here", [Some(gain)])], ..bars.clone() };
        assert!(measured.csv().starts_with("category,here (units),\"here, low (units)\""));
        assert!(measured.csv().ends_with("a,2,1.5,2.5\n"));
        assert_eq!(
            measured.svg().map(|svg| svg.matches("stroke-width=\"3\"").count()).ok(),
            Some(1)
        );
        let uneven = Bars { categories: ["a", "b", "c"].map(String::from).into(), ..bars };
        let refused = uneven.svg().expect_err("two categories without a value");
        assert!(refused.to_string().contains("1 values for 3 categories"));
    }
}

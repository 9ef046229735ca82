//! Tables and bars of a row.

use serde::Deserialize;

use super::check::Results;
use super::file::{Ordered, Placed, Text};
use super::line::{Reading, with};
use super::{BoxedError, Row};
use crate::base::expression::Expression;
use crate::claim::{Cell, Interval, Run, Table};
use crate::picture::plot::{self, Axis, Chart, Group, Series, Style};
use crate::timing::laps::Laps;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableText {
    caption: String,
    columns: Vec<String>,
    /// A text, and an expression for each further column; an empty one is a missing cell.
    rows: Vec<Vec<Text>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BarsText {
    title: String,
    axis: String,
    caption: String,
    #[serde(default)]
    logarithmic: bool,
    over: Text,
    groups: Ordered<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartText {
    title: String,
    caption: String,
    axes: [String; 2],
    #[serde(default)]
    logarithmic: [bool; 2],
    /// Ends of the vertical axis.
    range: Option<[f64; 2]>,
    /// Points without lines.
    #[serde(default)]
    points: bool,
    over: Text,
    series: Ordered<Text>,
    /// Positions on the horizontal axis, by their words.
    #[serde(default)]
    marks: Ordered<Text>,
}

impl Placed for ChartText {
    fn place(&self) -> usize {
        self.over.place()
    }
}

impl Placed for TableText {
    fn place(&self) -> usize {
        self.rows.first().and_then(|row| row.first()).map_or(0, Placed::place)
    }
}

impl Placed for BarsText {
    fn place(&self) -> usize {
        self.over.place()
    }
}

/// A table.
#[derive(Debug)]
pub struct Rows {
    name: String,
    caption: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<Expression>>)>,
}

/// Bars: groups of a value for each word of a list.
#[derive(Debug)]
pub struct Bars {
    name: String,
    title: String,
    axis: Axis,
    caption: String,
    words: Vec<String>,
    groups: Vec<(String, Vec<Expression>)>,
}

/// Curves: series over another one.
#[derive(Debug)]
pub struct Curves {
    name: String,
    caption: String,
    title: String,
    axes: [Axis; 2],
    style: Style,
    over: Expression,
    series: Vec<(String, Expression)>,
    marks: Vec<(String, Expression)>,
}

/// An axis.
fn axis(label: String, is_logarithmic: bool) -> Axis {
    if is_logarithmic { Axis::logarithmic(label) } else { Axis::linear(label) }
}

/// The tables; a row whose first cell has a list is one for each of its words.
pub fn tables(reading: &Reading<'_>, texts: Ordered<TableText>) -> Result<Vec<Rows>, BoxedError> {
    let table = |(name, TableText { caption, columns, rows: texts })| {
        let mut rows = Vec::new();
        for row in &texts {
            let Some((head, cells)) = row.split_first() else { continue };
            let (list, words) = reading.shared.words(reading.source, head)?;
            for word in words {
                let cell = |text: &Text| match text.get_ref().is_empty() {
                    true => Ok(None),
                    false => reading.expression(text, [list, word]).map(Some),
                };
                let cells = cells.iter().map(cell).collect::<Result<_, _>>()?;
                rows.push((with(head.get_ref(), [list, &word.replace('_', "-")]), cells));
            }
        }
        Ok(Rows { name, caption, columns, rows })
    };
    texts.0.into_iter().map(table).collect()
}

/// The bars.
pub fn bars(reading: &Reading<'_>, texts: Ordered<BarsText>) -> Result<Vec<Bars>, BoxedError> {
    let bars = |(name, text): (String, BarsText)| {
        let BarsText { title, axis: label, caption, logarithmic, over, groups } = text;
        let (list, words) = reading.shared.list(reading.source, &over, over.get_ref())?;
        let group = |(label, text): (String, Text)| {
            let each = words.iter().map(|word| reading.expression(&text, [list, word]));
            Ok::<_, BoxedError>((label, each.collect::<Result<_, _>>()?))
        };
        let groups = groups.0.into_iter().map(group).collect::<Result<_, _>>()?;
        let words = words.iter().map(|word| word.replace('_', "-")).collect();
        let axis = axis(label, logarithmic);
        Ok(Bars { name, title, axis, caption, words, groups })
    };
    texts.0.into_iter().map(bars).collect()
}

/// The curves.
pub fn charts(reading: &Reading<'_>, texts: Ordered<ChartText>) -> Result<Vec<Curves>, BoxedError> {
    let chart = |(name, text): (String, ChartText)| {
        let expression = |text: &Text| reading.expression(text, ["", ""]);
        let each = |texts: Ordered<Text>| {
            let each = texts.0.into_iter();
            let each = each.map(|(label, text)| expression(&text).map(|text| (label, text)));
            each.collect::<Result<Vec<_>, BoxedError>>()
        };
        let [x, y] = text.axes;
        let mut axes = [axis(x, text.logarithmic[0]), axis(y, text.logarithmic[1])];
        axes[1].range = text.range.map(|[from, to]| (from, to));
        let (title, caption, over) = (text.title, text.caption, expression(&text.over)?);
        let (series, marks) = (each(text.series)?, each(text.marks)?);
        let style = if text.points { Style::Points } else { Style::LinePoints };
        Ok(Curves { name, caption, title, axes, style, over, series, marks })
    };
    texts.0.into_iter().map(chart).collect()
}

impl Row {
    /// Shows its tables and bars.
    pub(super) fn exhibit(
        &self,
        run: &mut Run<'_>,
        results: &Results<'_>,
        laps: Option<&Laps>,
    ) -> Result<(), BoxedError> {
        let cell = |of: &Option<Expression>| {
            let Some(of) = of else { return Ok(Cell::Missing) };
            Ok::<Cell, BoxedError>(match results.number(of, laps)? {
                Interval { rounds: 0, median, .. } => median.into(),
                several => several.into(),
            })
        };
        for Rows { name, caption, columns, rows } in &self.tables {
            let mut table = Table::new(caption, columns.clone());
            for (head, cells) in rows {
                let cells = cells.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
                table.push([head.clone().into()].into_iter().chain(cells));
            }
            run.table(name, table);
        }
        for Bars { name, title, axis, caption, words, groups } in &self.bars {
            let group = |(label, each): &(String, Vec<Expression>)| {
                let values = each.iter().map(|of| results.number(of, laps).map(Some));
                Ok::<_, BoxedError>(Group::new(
                    label.clone(),
                    values.collect::<Result<Vec<_>, String>>()?,
                ))
            };
            let groups = groups.iter().map(group).collect::<Result<Vec<_>, _>>()?;
            let drawn = plot::Bars::new(title.clone(), axis.clone(), words.clone(), groups);
            run.bars(name, caption, &drawn)?;
        }
        for Curves { name, caption, title, axes, style, over, series, marks } in &self.charts {
            let x = results.each(over)?;
            let series = series.iter().map(|(label, of)| {
                let points = x.iter().copied().zip(results.each(of)?);
                Ok::<_, String>(Series::new(label.clone(), *style, points))
            });
            let series = series.collect::<Result<Vec<_>, _>>()?;
            let marks = marks.iter().map(|(word, of)| {
                Ok::<_, String>((results.number(of, None)?.median, word.clone()))
            });
            let marks = marks.collect::<Result<Vec<_>, _>>()?;
            let chart = Chart::new(title.clone(), axes.clone(), series).marked(marks);
            run.chart(name, caption, &chart)?;
        }
        Ok(())
    }
}

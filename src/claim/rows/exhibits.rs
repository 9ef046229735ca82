//! Tables, bars, charts and pictures of a row.

use serde::Deserialize;

use super::check::{Results, interval};
use super::file::{Ordered, Placed, Text};
use super::line::{ALL, Reading, spanned, with};
use super::{BoxedError, Row};
use crate::base::expression::{Expression, Quantity};
use crate::claim::{Cell, Run, Table};
use crate::picture::plot::{self, Axis, Chart, Group, Series, Style};
use crate::picture::sheet::side_by_side;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableText {
    caption: String,
    columns: Vec<String>,
    /// A text, and an expression for each further column; an empty one is a missing cell, and one that begins with ' a
    /// text.
    rows: Vec<Vec<Text>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BarsText {
    title: String,
    axis: String,
    caption: String,
    over: Text,
    /// What is shown for the words of the list.
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    logarithmic: bool,
    groups: Ordered<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartText {
    title: String,
    axes: [String; 2],
    #[serde(default)]
    logarithmic: Logarithmic,
    /// Ends of the vertical axis.
    range: Option<[f64; 2]>,
    /// Points without lines.
    #[serde(default)]
    points: bool,
    /// By default the title and the vertical axis.
    caption: Option<String>,
    /// Positions; without them the curves are over the sweep of the row.
    x: Option<Text>,
    /// Lines have no points on them.
    #[serde(default)]
    plain: bool,
    lines: Ordered<Text>,
    /// Points of the same curves, with the labels of the lines.
    #[serde(default)]
    dots: Ordered<Text>,
    /// Positions on the horizontal axis, by their words.
    #[serde(default)]
    marks: Ordered<Text>,
}

/// Axes that are logarithmic: both or none, or each.
#[derive(Deserialize)]
#[serde(untagged)]
enum Logarithmic {
    Both(bool),
    Each([bool; 2]),
}

impl Default for Logarithmic {
    fn default() -> Self {
        Self::Both(false)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureText {
    caption: String,
    panels: Ordered<Text>,
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

impl Placed for ChartText {
    fn place(&self) -> usize {
        self.lines.0.first().map_or(0, |(_, text)| text.place())
    }
}

impl Placed for PictureText {
    fn place(&self) -> usize {
        self.panels.0.first().map_or(0, |(_, run)| run.place())
    }
}

/// A table.
#[derive(Debug)]
pub struct Rows {
    name: String,
    caption: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<Content>)>,
}

/// Contents of a cell.
#[derive(Debug)]
enum Content {
    Missing,
    Text(String),
    Value(Expression),
}

/// Bars: groups of a value for each word of a list.
#[derive(Debug)]
pub struct Bars {
    name: String,
    title: String,
    axis: String,
    caption: String,
    words: Vec<String>,
    is_logarithmic: bool,
    groups: Vec<(String, Vec<Expression>)>,
}

/// A chart: series over a series.
#[derive(Debug)]
pub struct Lines {
    name: String,
    title: String,
    axes: [Axis; 2],
    caption: String,
    curves: Vec<Curve>,
    marks: Vec<(String, Expression)>,
}

/// A curve of a chart; without positions it is over the sweep.
#[derive(Debug)]
struct Curve {
    label: String,
    style: Style,
    x: Option<Expression>,
    y: Expression,
}

impl Lines {
    /// The expressions that are evaluated at all values of the sweep.
    pub fn over_sweep(&self) -> impl Iterator<Item = &Expression> {
        self.curves.iter().filter(|curve| curve.x.is_none()).map(|curve| &curve.y)
    }
}

/// An axis.
fn axis(label: String, is_logarithmic: bool) -> Axis {
    if is_logarithmic { Axis::logarithmic(label) } else { Axis::linear(label) }
}

/// Pictures of runs next to each other, by their labels; or one.
#[derive(Debug)]
pub struct Sheet {
    name: String,
    caption: String,
    panels: Vec<(String, String)>,
}

/// The tables; a row whose first cell has a list is one for each of its words.
pub fn tables(reading: &Reading<'_>, texts: Ordered<TableText>) -> Result<Vec<Rows>, BoxedError> {
    let table = |(name, TableText { caption, columns, rows: texts })| {
        let mut rows = Vec::new();
        for row in &texts {
            let Some((head, cells)) = row.split_first() else { continue };
            let (list, words) = reading.shared.words(reading.source, head)?;
            for word in words {
                let cell =
                    |text: &Text| match (&**text.get_ref(), text.get_ref().strip_prefix('\'')) {
                        ("", _) => Ok(Content::Missing),
                        (_, Some(text)) => Ok(Content::Text(text.to_owned())),
                        _ => reading.expression(text, [list, word]).map(Content::Value),
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
        let BarsText { title, axis, caption, over, names, logarithmic, groups } = text;
        let (list, words) = reading.shared.list(reading.source, &over, over.get_ref())?;
        let group = |(label, text): (String, Text)| {
            let each = words.iter().map(|word| reading.expression(&text, [list, word]));
            Ok::<_, BoxedError>((label, each.collect::<Result<_, _>>()?))
        };
        let groups = groups.0.into_iter().map(group).collect::<Result<_, _>>()?;
        if !names.is_empty() && names.len() != words.len() {
            return Err(reading.source.fault(&over, 0, "give a name for each word of the list"));
        }
        let shown = words.iter().map(|word| word.replace('_', "-"));
        let words = if names.is_empty() { shown.collect() } else { names };
        let is_logarithmic = logarithmic;
        Ok(Bars { name, title, axis, caption, words, is_logarithmic, groups })
    };
    texts.0.into_iter().map(bars).collect()
}

/// The charts.
pub fn charts(reading: &Reading<'_>, texts: Ordered<ChartText>) -> Result<Vec<Lines>, BoxedError> {
    let chart = |(name, text): (String, ChartText)| {
        let expression = |text: &Text| reading.expression(text, ["", ""]);
        let each = |texts: Ordered<Text>| {
            let each = texts.0.into_iter();
            let each = each.map(|(label, text)| expression(&text).map(|text| (label, text)));
            each.collect::<Result<Vec<_>, BoxedError>>()
        };
        let is_logarithmic = match text.logarithmic {
            Logarithmic::Both(both) => [both; 2],
            Logarithmic::Each(each) => each,
        };
        let [x, y] = text.axes;
        let mut axes = [axis(x, is_logarithmic[0]), axis(y, is_logarithmic[1])];
        axes[1].range = text.range.map(|[from, to]| (from, to));
        let (title, marks, has_dots) = (text.title, each(text.marks)?, !text.dots.0.is_empty());
        let of_lines = match () {
            () if text.points => Style::Points,
            () if text.plain || has_dots => Style::Line,
            () => Style::LinePoints,
        };
        let all = text.dots.0.iter().map(|curve| (Style::Points, curve, true));
        let lines = text.lines.0.iter().map(|curve| (of_lines, curve, !has_dots));
        let mut curves = Vec::new();
        for (style, (label, y), is_named) in all.chain(lines) {
            let (list, words) = reading.shared.words(reading.source, &spanned(label, y))?;
            for word in words {
                let label = match is_named {
                    true => with(label, [list, &word.replace('_', "-")]),
                    false => String::new(),
                };
                let x = text.x.as_ref().map(|x| reading.expression(x, [list, word])).transpose()?;
                curves.push(Curve { label, style, x, y: reading.expression(y, [list, word])? });
            }
        }
        let caption = text.caption.unwrap_or_else(|| format!("{title}: {}.", axes[1].label));
        Ok(Lines { name, title, axes, caption, curves, marks })
    };
    texts.0.into_iter().map(chart).collect()
}

/// The pictures, whose runs `check` finds.
pub fn sheets(
    texts: Ordered<PictureText>,
    check: impl Fn(&Text) -> Result<String, BoxedError>,
) -> Result<Vec<Sheet>, BoxedError> {
    let sheet = |(name, PictureText { caption, panels }): (String, PictureText)| {
        let panels = panels.0.into_iter().map(|(label, run)| Ok((label, check(&run)?)));
        Ok(Sheet { name, caption, panels: panels.collect::<Result<_, BoxedError>>()? })
    };
    texts.0.into_iter().map(sheet).collect()
}

impl Row {
    /// Shows its tables, bars, charts and pictures.
    pub(super) fn exhibit(
        &self,
        run: &mut Run<'_>,
        results: &Results<'_>,
    ) -> Result<(), BoxedError> {
        let cell = |of: &Content| {
            Ok::<Cell, BoxedError>(match of {
                Content::Missing => Cell::Missing,
                Content::Text(text) => text.clone().into(),
                Content::Value(of) if self.times(of) => results.number(of)?.into(),
                Content::Value(of) => match results.value(of)? {
                    Quantity::One(one) => one.into(),
                    several => interval(several).into(),
                },
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
        for Bars { name, title, axis, caption, words, is_logarithmic, groups } in &self.bars {
            let group = |(label, each): &(String, Vec<Expression>)| {
                let values = each.iter().map(|of| Ok(Some(results.number(of)?)));
                Ok::<_, BoxedError>(Group::new(
                    label.clone(),
                    values.collect::<Result<Vec<_>, String>>()?,
                ))
            };
            let groups = groups.iter().map(group).collect::<Result<Vec<_>, _>>()?;
            let axis = if *is_logarithmic { Axis::logarithmic(axis) } else { Axis::linear(axis) };
            let drawn = plot::Bars::new(title.clone(), axis, words.clone(), groups);
            run.bars(name, caption, &drawn)?;
        }
        for Lines { name, title, axes, caption, curves, marks } in &self.charts {
            let series = curves.iter().map(|Curve { label, style, x, y }| {
                let Some(x) = x else {
                    return Ok(Series::measured(label, *style, results.curve(y, ALL)?));
                };
                let (x, y) = (results.value(x)?, results.value(y)?);
                let points = x.all().iter().copied().zip(y.all().iter().copied());
                Ok::<_, String>(Series::new(label, *style, points.collect::<Vec<_>>()))
            });
            let series = series.collect::<Result<Vec<_>, _>>()?;
            let mark = |(word, of): &(String, Expression)| {
                Ok::<_, String>((results.number(of)?.median, word.clone()))
            };
            let marks = marks.iter().map(mark).collect::<Result<Vec<_>, _>>()?;
            run.chart(name, caption, &Chart::new(title, axes.clone(), series).marked(marks))?;
        }
        for Sheet { name, caption, panels } in &self.sheets {
            let png = |of: &str| {
                let first = results.record(of)?.pictures.first();
                first.map(|picture| &picture.png).ok_or_else(|| format!("{of} has no picture"))
            };
            let drawn = match &panels[..] {
                [(_, only)] => png(only)?.clone(),
                several => {
                    let panel = |(label, of): &(String, String)| {
                        let picture = image::load_from_memory(png(of)?)?.into_rgb8();
                        Ok::<_, BoxedError>((label.clone(), picture))
                    };
                    side_by_side(&several.iter().map(panel).collect::<Result<Vec<_>, _>>()?)?
                }
            };
            run.figure(name, caption, drawn);
        }
        Ok(())
    }
}

//! Series over two axes.

use super::PlotError;
use super::axis::{Axis, Ruler, Scale};
use super::style::{GRID, HEIGHT, WIDTH, colour, draw_title, size};
use crate::base::interval::Interval;
use crate::base::number::written;
use crate::base::order::ShortSort;
use crate::base::table::Table;
use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError, widest};

/// Style of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Straight lines from point to point.
    #[default]
    Line,
    /// Only points.
    Points,
    /// Straight lines from point to point, with the points.
    LinePoints,
}

/// Points that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Label, shown at the end of the series in its colour.
    pub label: String,
    /// (x, y) in the order of the line. Points that an axis cannot show are dropped.
    pub points: Vec<(f64, f64)>,
    /// Style.
    pub style: Style,
    /// Ends of the intervals of the points' values, drawn as thin lines; none if the values are exact.
    pub intervals: Vec<[f64; 2]>,
}

impl Series {
    /// A series drawn in the given style.
    pub fn new(
        label: impl Into<String>,
        style: Style,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        Series {
            label: label.into(),
            points: points.into_iter().collect(),
            style,
            intervals: vec![],
        }
    }

    /// A series of values with intervals.
    pub fn measured<T: Into<Interval>>(
        label: impl Into<String>,
        style: Style,
        points: impl IntoIterator<Item = (f64, T)>,
    ) -> Self {
        let points = points.into_iter().map(|(x, y)| (x, y.into()));
        let (points, intervals): (Vec<_>, Vec<_>) =
            points.map(|(x, y)| ((x, y.median), [y.low, y.high])).unzip();
        let is_exact = intervals.iter().all(|[low, high]| low == high);
        Series {
            intervals: if is_exact { vec![] } else { intervals },
            ..Self::new(label, style, points)
        }
    }
}

/// Series over two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, the first in front.
    pub series: Vec<Series>,
    /// Positions on the x axis marked with a line and a word, such as (468.0, "26×18").
    pub marks: Vec<(f64, String)>,
}

impl Chart {
    /// Series over the horizontal and the vertical axis.
    pub fn new(
        title: impl Into<String>,
        [x, y]: [Axis; 2],
        series: impl IntoIterator<Item = Series>,
    ) -> Self {
        let series = series.into_iter().collect();
        Self { title: title.into(), x, y, series, marks: Vec::new() }
    }

    /// Marks positions on the x axis.
    pub fn marked<T: Into<String>>(self, marks: impl IntoIterator<Item = (f64, T)>) -> Self {
        let marks = marks.into_iter().map(|(x, word)| (x, word.into())).collect();
        Self { marks, ..self }
    }

    /// Draws the chart in pixels; PNG, 1280 x 800.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let mut sheet = Sheet::new(WIDTH, HEIGHT);
        self.draw(&mut sheet)?;
        Ok(sheet.png()?)
    }

    /// Draws the chart as SVG.
    pub fn svg(&self) -> Result<String, PlotError> {
        let mut sheet = Sheet::vector(WIDTH, HEIGHT);
        self.draw(&mut sheet)?;
        Ok(sheet.svg())
    }

    /// The points as CSV: series, x, y, and the ends of intervals if a series has them.
    pub fn csv(&self) -> String {
        let has_intervals = self.series.iter().any(|series| !series.intervals.is_empty());
        let columns = ["series", &self.x.label, &self.y.label, "low", "high"];
        let mut table = Table::new("", columns.into_iter().take(if has_intervals { 5 } else { 3 }));
        for series in &self.series {
            for (place, &(x, y)) in series.points.iter().enumerate() {
                let ends = series.intervals.get(place).into_iter().flatten();
                let numbers = [&x, &y].into_iter().chain(ends).map(|&number| number.into());
                table.push([series.label.as_str().into()].into_iter().chain(numbers));
            }
        }
        table.csv()
    }

    /// Ticks of the horizontal axis: the values themselves, such as the sizes of grids, if the axis is logarithmic
    /// and has room for all of them; otherwise round numbers.
    fn x_ticks(&self, ruler: &Ruler) -> Vec<f64> {
        let points = self.series.iter().flat_map(|series| &series.points);
        let mut values: Vec<f64> = points.map(|point| point.0).collect();
        values.retain(|&value| ruler.holds(value));
        values.sort_by(f64::total_cmp);
        values.dedup();
        let fit = |pair: &[f64]| ruler.place(pair[1]) - ruler.place(pair[0]) >= ROOM;
        if self.x.scale == Scale::Logarithmic && values.len() > 1 && values.windows(2).all(fit) {
            values
        } else {
            ruler.ticks(TICKS.0)
        }
    }

    fn draw(&self, sheet: &mut Sheet) -> Result<(), PlotError> {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let shown = || points().filter(|(x, y)| self.x.scale.shows(*x) && self.y.scale.shows(*y));
        let marks = self.marks.iter().map(|mark| mark.0);
        let nothing = || PlotError::Empty(self.title.clone());
        shown().next().ok_or_else(nothing)?;
        let xs = shown().map(|point| point.0).chain(marks);
        let x = self.x.ruler(xs).ok_or_else(nothing)?;
        let ends = self.series.iter().flat_map(|series| series.intervals.iter().flatten().copied());
        let ends = ends.filter(|&end| self.y.scale.shows(end));
        let y = self.y.ruler(shown().map(|point| point.1).chain(ends)).ok_or_else(nothing)?;
        let frame = Frame::new(self, x, y)?;
        frame.draw_axes(sheet, self)?;
        for (index, series) in self.series.iter().enumerate().rev() {
            frame.draw_series(sheet, series, colour(index))?;
        }
        Ok(frame.draw_labels(sheet, &self.series)?)
    }
}

/// Position of the axes on the sheet.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Ruler,
    y: Ruler,
}

/// Number of round values on the x and on the y axis.
const TICKS: (usize, usize) = (7, 6);
/// Smallest distance of two sizes that both get a tick, relative to the axis.
const ROOM: f64 = 0.07;

impl Frame {
    /// A frame with the space that tick and series labels need at its sides.
    fn new(chart: &Chart, x: Ruler, y: Ruler) -> Result<Self, SheetError> {
        let ticks = widest(y.ticks(TICKS.1).into_iter().map(written), size::TICK)?;
        let labels = widest(chart.series.iter().map(|series| &series.label), size::LABEL)?;
        Ok(Frame {
            left: 40.0 + ticks + 16.0,
            right: f64::from(WIDTH) - 44.0 - if labels > 0.0 { labels + 20.0 } else { 0.0 },
            top: 152.0,
            bottom: f64::from(HEIGHT) - 108.0,
            x,
            y,
        })
    }

    fn at_x(&self, x: f64) -> f64 {
        self.left + self.x.place(x) * (self.right - self.left)
    }

    fn at_y(&self, y: f64) -> f64 {
        self.bottom - self.y.place(y) * (self.bottom - self.top)
    }

    fn draw_axes(&self, sheet: &mut Sheet, chart: &Chart) -> Result<(), SheetError> {
        draw_title(sheet, &chart.title)?;
        sheet.text(&chart.y.label, (40.0, 108.0), Align::Left, size::LABEL, QUIET)?;
        let middle = (self.left + self.right) / 2.0;
        let below = (middle, self.bottom + 76.0);
        sheet.text(&chart.x.label, below, Align::Centre, size::LABEL, QUIET)?;
        for tick in self.y.ticks(TICKS.1) {
            let y = self.at_y(tick);
            sheet.line(&[(self.left, y), (self.right, y)], 1.5, GRID)?;
            sheet.text(&written(tick), (self.left - 14.0, y), Align::Right, size::TICK, QUIET)?;
        }
        for tick in chart.x_ticks(&self.x) {
            let x = self.at_x(tick);
            sheet.line(&[(x, self.bottom), (x, self.bottom + 8.0)], 1.5, QUIET)?;
            let below = (x, self.bottom + 30.0);
            sheet.text(&written(tick), below, Align::Centre, size::TICK, QUIET)?;
        }
        sheet.line(&[(self.left, self.bottom), (self.right, self.bottom)], 1.5, QUIET)?;
        for (x, word) in chart.marks.iter().filter(|mark| self.x.holds(mark.0)) {
            let x = self.at_x(*x);
            sheet.line(&[(x, self.top - 8.0), (x, self.bottom)], 1.5, QUIET)?;
            sheet.text(word, (x, self.top - 24.0), Align::Centre, size::NOTE, INK)?;
        }
        Ok(())
    }

    fn draw_series(
        &self,
        sheet: &mut Sheet,
        series: &Series,
        colour: Colour,
    ) -> Result<(), SheetError> {
        if series.style != Style::Points {
            // A point that cannot be shown interrupts the line.
            for run in series.points.split(|point| !self.shows(point)) {
                let path: Vec<_> = run.iter().map(|&(x, y)| (self.at_x(x), self.at_y(y))).collect();
                if path.len() > 1 {
                    sheet.line(&path, 3.5, colour)?;
                }
            }
        }
        for (&(x, _), &[low, high]) in series.points.iter().zip(&series.intervals) {
            if self.shows(&(x, low)) && self.shows(&(x, high)) {
                let x = self.at_x(x);
                sheet.line(&[(x, self.at_y(low)), (x, self.at_y(high))], 2.5, INK)?;
            }
        }
        if matches!(series.style, Style::Points | Style::LinePoints) {
            // Many points are drawn smaller, so that they remain distinguishable.
            let radius = if series.points.len() > 60 { 3.5 } else { 6.5 };
            for &(x, y) in series.points.iter().filter(|point| self.shows(point)) {
                sheet.disc((self.at_x(x), self.at_y(y)), radius, colour)?;
            }
        }
        Ok(())
    }

    fn shows(&self, &(x, y): &(f64, f64)) -> bool {
        self.x.holds(x) && self.y.holds(y)
    }

    /// Draws each label next to the last point of its series, moved up or down to avoid overlaps.
    fn draw_labels(&self, sheet: &mut Sheet, series: &[Series]) -> Result<(), SheetError> {
        let mut labels: Vec<(usize, &str, (f64, f64))> = Vec::new();
        for (index, series) in
            series.iter().enumerate().filter(|(_, series)| !series.label.is_empty())
        {
            if let Some(&(x, y)) = series.points.iter().rev().find(|point| self.shows(point)) {
                labels.push((index, &series.label, (self.at_x(x), self.at_y(y))));
            }
        }
        labels.order_by(|a, b| a.2.1.total_cmp(&b.2.1));
        // A curve that ends early has its label there: a line to the side would look like data.
        let mut early: Vec<_> = labels
            .extract_if(.., |label| label.2.0 < self.left + 0.8 * (self.right - self.left))
            .collect();
        early.order_by(|a, b| a.2.0.total_cmp(&b.2.0));
        for ends in early.chunk_by(|a, b| a.2.0 == b.2.0) {
            let wanted: Vec<f64> = ends.iter().map(|label| label.2.1 - 4.0).collect();
            let places = spread(&wanted, size::LABEL, self.top - size::LABEL, self.bottom);
            for (&(index, label, (x, _)), place) in ends.iter().zip(places) {
                sheet.text(label, (x + 14.0, place), Align::Left, size::LABEL, colour(index))?;
            }
        }
        let wanted: Vec<f64> = labels.iter().map(|label| label.2.1).collect();
        let places = spread(&wanted, size::LABEL * 1.25, self.top, self.bottom);
        for ((index, label, (x, y)), place) in labels.into_iter().zip(places) {
            let start = self.right + 18.0;
            // A thin line connects a label to its series if it is not next to the end.
            if (place - y).abs() > 6.0 || self.right - x > 60.0 {
                sheet.line(&[(x + 10.0, y), (start - 6.0, place)], 1.0, QUIET)?;
            }
            sheet.text(label, (start, place), Align::Left, size::LABEL, colour(index))?;
        }
        Ok(())
    }
}

impl Table {
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
}

/// Moves ascending positions to distances of at least `gap`, as little as a sweep down and a sweep up do, and
/// into `low..=high` if they fit.
fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut places = wanted.to_vec();
    let mut floor = low;
    for place in &mut places {
        *place = place.max(floor);
        floor = *place + gap;
    }
    let mut ceiling = high;
    for place in places.iter_mut().rev() {
        *place = place.min(ceiling);
        ceiling = *place - gap;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_series_for_each_text_and_column() {
        let mut table = Table::new("factors", ["sides", "n", "GPU", "double precision"]);
        table.point("Dirichlet", 65_usize, [0.088, 0.0881]);
        table.point("Neumann", 65_usize, [0.089, 0.0892]);
        let axes = || [Axis::linear("n"), Axis::linear("factor")];
        let chart = table.chart("factors", axes(), &["GPU", "double precision"]);
        let labels: Vec<&str> = chart.series.iter().map(|s| s.label.as_str()).collect();
        assert_eq!(labels[..2], ["Dirichlet, GPU", "Dirichlet, double precision"]);
        let mut times = Table::new("times", ["", "n", "here (ms)"]);
        times.point(
            "",
            65_usize,
            [Interval { median: 2.0, low: 1.0, high: 3.0, rounds: 9, ..Interval::default() }],
        );
        assert_eq!(times.chart("times", axes(), &["here (ms)"]).series[0].intervals, [[1.0, 3.0]]);
    }

    #[test]
    fn labels_that_would_meet_are_moved_apart_and_the_others_stay() {
        assert_eq!(spread(&[10.0, 100.0], 30.0, 0.0, 200.0), [10.0, 100.0]);
        assert_eq!(spread(&[10.0, 12.0], 30.0, 0.0, 200.0), [10.0, 40.0]);
        assert_eq!(spread(&[195.0, 198.0], 30.0, 0.0, 200.0), [170.0, 200.0]);
    }

    #[test]
    fn sizes_on_a_logarithmic_axis_get_the_ticks_if_they_have_room() -> Result<(), PlotError> {
        let chart = |sizes: &[f64]| Chart {
            x: Axis::logarithmic("nodes per side"),
            series: vec![Series::new("", Style::Line, sizes.iter().map(|&n| (n, 1.0)))],
            ..Chart::default()
        };
        let few = chart(&[33.0, 65.0, 129.0, 257.0]).svg()?;
        assert!([">33<", ">65<", ">129<", ">257<"].iter().all(|size| few.contains(size)));
        let many: Vec<f64> = (33..257).map(f64::from).collect();
        let many = chart(&many).svg()?;
        assert!(many.contains(">50<") && !many.contains(">33<"));
        Ok(())
    }

    #[test]
    fn a_long_title_fits_in_fonts_that_are_a_sixth_wider() -> Result<(), PlotError> {
        let width = |title: &str| -> Result<f64, PlotError> {
            let title = title.to_owned();
            let series = vec![Series::new("", Style::Line, [(1.0, 1.0), (2.0, 2.0)])];
            let svg = Chart { title, series, ..Chart::default() }.svg()?;
            let length = svg.split("textLength=\"").nth(1).and_then(|rest| rest.split('"').next());
            Ok(length.and_then(|length| length.parse().ok()).unwrap_or(f64::INFINITY))
        };
        let long =
            "Levels in a pair of buffers each, in two buffers and in one, a context per buffer";
        assert!(40.0 + 7.0 / 6.0 * width(long)? <= f64::from(WIDTH));
        assert!(width("Levels")? < width(long)? / 2.0);
        Ok(())
    }

    #[test]
    fn series_are_drawn_in_colours_of_their_own() -> Result<(), PlotError> {
        let points = [(1.0, 1.0), (1e3, 1e-3)];
        let series = |style| Series::new("", style, points);
        let chart = |x: Axis| Chart {
            x,
            series: vec![series(Style::Points), series(Style::Line)],
            ..Chart::default()
        };
        for chart in [chart(Axis::linear("n")), chart(Axis::logarithmic("n"))] {
            let png = image::load_from_memory(&chart.png()?).expect("a picture");
            let count = |colour| png.to_rgb8().pixels().filter(|at| at.0 == colour).count();
            assert!([0, 1].map(colour).into_iter().map(count).all(|pixels| pixels > 150));
            assert!(count([255; 3]) > 700_000, "mostly white");
        }
        Ok(())
    }

    #[test]
    fn what_cannot_be_shown_is_left_out_and_nothing_to_show_is_an_error() {
        let drawn = |points: &[(f64, f64)], y: Axis| {
            let series = vec![Series::new("s", Style::LinePoints, points.to_vec())];
            let chart = Chart { series, y, ..Chart::default() };
            chart.svg()
        };
        for points in [&[][..], &[(1.0, f64::NAN)]] {
            let refused = drawn(points, Axis::linear("y"));
            assert!(matches!(refused, Err(PlotError::Empty(_))));
        }
        let refused = drawn(&[(1.0, 0.0)], Axis::logarithmic("y"));
        assert!(matches!(refused, Err(PlotError::Empty(_))));
        let points = [(1.0, 0.0), (2.0, f64::INFINITY), (3.0, 5.0)];
        assert!(drawn(&points, Axis::logarithmic("y")).is_ok());
        assert!(drawn(&[(1.0, 1.0)], Axis::linear("y")).is_ok());
    }
}

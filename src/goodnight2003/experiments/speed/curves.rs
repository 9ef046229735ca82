//! The paper's kind of chart: seconds over the nodes of a side, a curve for each way.

use crate::picture::plot::{Axis, Chart, PlotError, Series, Style, chart};

/// Draws, for each name, its seconds on each of the grids.
pub fn curves<const N: usize>(
    title: &str,
    what: &str,
    names: [&str; N],
    sizes: &[u32],
    seconds: &[[f64; N]],
) -> Result<Vec<u8>, PlotError> {
    let curve = |(way, name): (usize, &str)| {
        let points = sizes.iter().zip(seconds);
        let points = points.map(|(n, seconds)| (f64::from(*n), seconds[way]));
        Series::new(name, Style::LinePoints, points)
    };
    chart(&Chart {
        title: title.into(),
        x: Axis::logarithmic("nodes a side"),
        y: Axis::logarithmic(what),
        series: names.into_iter().enumerate().map(curve).collect(),
        marks: Vec::new(),
    })
}

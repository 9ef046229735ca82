//! The paper's kind of chart: seconds over the nodes of a side, a curve for each way.

use crate::picture::plot::{Axis, Chart, PlotError, Series, Style, chart};
use crate::timing::Cost;

/// What each way costs on a grid of so many nodes a side.
pub type OnGrid<const N: usize> = (u32, [Cost; N]);

/// The same on several grids.
pub type Measured<const N: usize> = [OnGrid<N>];

/// Draws, for each name, its seconds on each of the grids.
pub fn curves<const N: usize>(
    title: &str,
    what: &str,
    names: [&str; N],
    measured: &Measured<N>,
) -> Result<Vec<u8>, PlotError> {
    let curve = |(way, name): (usize, &str)| {
        let point = |(n, costs): &(u32, [Cost; N])| (f64::from(*n), costs[way].seconds);
        Series::new(name, Style::LinePoints, measured.iter().map(point))
    };
    chart(&Chart {
        title: title.into(),
        x: Axis::logarithmic("nodes a side"),
        y: Axis::logarithmic(what),
        series: names.into_iter().enumerate().map(curve).collect(),
        marks: Vec::new(),
    })
}

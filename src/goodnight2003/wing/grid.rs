//! The grid around the body, in textures and on the CPU.

use std::f64::consts::TAU;

use super::forces::Surface;
use super::kernels::WingKernels;
use super::settings::WingSettings;
use crate::goodnight2003::{Axis, Boundaries, Condition, Error, Grid, Metric, Problem, Side};
use crate::stream::{Format, Machine, Pass, Rect, Rects, Size, Stream};

/// The grid, with the rectangles over which kernels are drawn.
pub(super) struct WingGrid {
    /// ξ along columns, η along rows, periodic.
    pub grid: Grid,
    pub coordinates: Metric,
    /// x, y, h₁ h₂, h₂/h₁ of each node.
    pub nodes: Stream,
    /// x and y of each node.
    pub places: Vec<[f64; 2]>,
    /// The surface of the body.
    pub surface: Surface,
    /// All nodes.
    pub all: Rects,
    /// All nodes except the first and the last column.
    pub inside: Rects,
    /// All nodes except the first column.
    pub off_body: Rects,
    /// The first column.
    pub body: Rects,
    /// The last column.
    pub far: Rects,
}

impl WingGrid {
    /// Computes the nodes on the GPU and reads them back.
    pub fn new(
        machine: &Machine,
        settings: &WingSettings,
        coordinates: Metric,
        kernels: &WingKernels,
    ) -> Result<Self, Error> {
        let (columns, rows) = settings.size;
        let grid = Grid {
            x: Axis::new(columns, 0.0, settings.range() / f64::from(columns - 1))?,
            // §5.3: two sides meet where the rectangle is wrapped around the body
            y: Axis::periodic(rows, 0.0, TAU / f64::from(rows - 1))?,
        };
        let nodes = Stream::zeros(machine, "nodes", settings.size, Format::Rgba32F)?;
        let all = machine.rect(nodes.full())?;
        let steps = [grid.x.interval(0, 0) as f32, grid.y.interval(0, 0) as f32];
        Pass::new(&kernels.nodes)
            .set("spacing", steps)
            .set("period", (rows - 1) as f32)
            .draw(&nodes, &all)?;
        let texels = nodes.read()?;
        let (texels, _) = texels.as_chunks();
        let columns_of = |x, width| machine.rect(Rect::at([x, 0], (width, rows)));
        Ok(Self {
            places: places(texels, &grid)?,
            surface: surface(texels, &grid),
            inside: columns_of(1, columns - 2)?,
            off_body: columns_of(1, columns - 1)?,
            body: columns_of(0, 1)?,
            far: columns_of(columns - 1, 1)?,
            grid,
            coordinates,
            nodes,
            all,
        })
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.grid.size(0)
    }

    /// Δξ and Δη.
    pub fn steps(&self) -> [f64; 2] {
        [self.grid.x.interval(0, 0), self.grid.y.interval(0, 0)]
    }

    /// Δξ Δη
    pub fn cell(&self) -> f32 {
        let [xi, eta] = self.steps();
        (xi * eta) as f32
    }

    /// Laplace's equation with these values on the body and this normal derivative far away.
    pub fn problem(&self, values: impl Fn([f64; 2]) -> f64, slope: f64) -> Result<Problem, Error> {
        let source = vec![0.0; self.grid.nodes(0)];
        let boundaries = self.boundaries(values, slope);
        Problem::new(self.grid, self.coordinates.clone(), boundaries, source)
    }

    /// Conditions with these values on the body and this normal derivative far away.
    pub fn boundaries(&self, values: impl Fn([f64; 2]) -> f64, slope: f64) -> Boundaries {
        let (columns, _) = self.grid.size(0);
        let body = self.places.iter().step_by(columns as usize);
        let values = body.map(|place| Condition::value(values(*place)));
        Boundaries::new().with_each(Side::West, values.collect()).with(
            &self.grid,
            Side::East,
            Condition::slope(slope),
        )
    }

    /// The circumference of the last column.
    pub fn far_length(&self) -> f64 {
        let (columns, rows) = self.grid.size(0);
        let last = |row: u32| self.places[((row + 1) * columns) as usize - 1];
        let ways = (1..rows).map(|row| (last(row - 1), last(row)));
        ways.map(|([x0, y0], [x1, y1])| (x1 - x0).hypot(y1 - y0)).sum()
    }
}

fn places(texels: &[[f32; 4]], grid: &Grid) -> Result<Vec<[f64; 2]>, Error> {
    let good = |t: &[f32; 4]| t.iter().all(|v| v.is_finite()) && t[2] > 0.0 && t[3] > 0.0;
    match texels.iter().position(|texel| !good(texel)) {
        Some(node) => Err(Error::metric(grid.place(node))),
        None => Ok(texels.iter().map(place).collect()),
    }
}

fn place([x, y, ..]: &[f32; 4]) -> [f64; 2] {
    [*x, *y].map(f64::from)
}

/// h₁ = √(h₁h₂ / (h₂/h₁))
fn surface(texels: &[[f32; 4]], grid: &Grid) -> Surface {
    let (columns, rows) = grid.size(0);
    let body = || texels.iter().step_by(columns as usize).take(rows as usize - 1);
    let across = body().map(|[_, _, area, ratio]| f64::from(area / ratio).sqrt());
    Surface {
        places: body().map(place).collect(),
        across: across.collect(),
        step_xi: grid.x.interval(0, 0),
    }
}

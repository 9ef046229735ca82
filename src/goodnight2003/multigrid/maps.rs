//! The read-only maps (goodnight2003 §4.1.1, §4.2): operator, red–black status, boundary. All
//! levels are in one atlas. The boundary map is folded into the other two, so that all nodes have the same
//! equation: a stencil has five numbers, and the fifth, the part of the centre that does not come from its
//! neighbours, is in the free channel of the red–black map.

use std::rc::Rc;

use crate::card::dialect::user_source;
use crate::goodnight2003::LIMITS;
use crate::solver::Real;
use crate::stream::{Format, Kernel, Machine, Pass, Rect, Stream, StreamError};

use super::atlas::Atlas;
use super::programs::{COARSER_OPERATOR, COPY, FOLD_LEAK, FOLD_OPERATOR, FOLD_SOURCE};
use super::settings::Settings;
use crate::goodnight2003::{Axis, Equations, Error, Grid, Level, Metric, Problem};

const OPERATOR: &str = include_str!("../../../glsl/goodnight2003/multigrid/maps/operator.frag");
/// Definition of the metric's function for programs.
const METRIC: &str = "#define METRIC(p) metric(p)\n";
const SCALES: &str = include_str!("../../../glsl/goodnight2003/multigrid/maps/scales.frag");

/// The maps of all levels.
pub struct Maps {
    /// Position of each level in all three maps.
    pub atlas: Atlas,
    /// W, E, S, N.
    pub operator: Stream,
    /// The operator map with the boundary conditions folded in (§4.2), which kernels read.
    pub folded: Stream,
    /// .x 1 at red nodes, .yz the weights of interpolation along columns and rows, .w the leak.
    pub red_black: Stream,
    /// α, β, γ, s; zero inside.
    pub boundary: Stream,
    /// The red–black map without leaks.
    colours: Stream,
}

impl Maps {
    /// Creates the maps: the operator is computed by fragment programs, the others are uploaded.
    pub fn new(
        machine: &Machine,
        equations: &Equations,
        atlas: Atlas,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let stream = |label| Stream::zeros(machine, label, atlas.size, settings.precision);
        let maps = Self {
            operator: stream("operator map")?,
            folded: stream("folded operator map")?,
            red_black: stream("red-black map and leaks")?,
            boundary: stream("boundary map")?,
            colours: stream("red-black map")?,
            atlas,
        };
        let problem = &equations.problem;
        maps.fill_operator(problem)?;
        maps.coarsen_operator(&problem.grid)?;
        maps.write(&maps.colours, |level| red_black(&problem.grid, level))?;
        let conditions = equations.boundary_maps(maps.atlas.places.len() as u32);
        maps.write(&maps.boundary, |level| texels(&conditions[level as usize]))?;
        maps.fold()?;
        Ok(maps)
    }

    /// The equations of a level on the CPU, with the GPU's maps. The conditions' contributions are
    /// in the source, so derivatives have γ = 0.
    pub fn level<T: Real>(&self, grid: &Grid, level: usize) -> Result<Level<T>, StreamError> {
        let read = |map: &Stream| -> Result<Vec<[f64; 4]>, StreamError> {
            let texels = map.read_rect(self.atlas.places[level])?;
            let (texels, _) = texels.as_chunks();
            Ok(texels.iter().map(|texel| texel.map(f64::from)).collect())
        };
        let (operator, mut conditions) = (read(&self.operator)?, read(&self.boundary)?);
        let flows = conditions.iter_mut().filter(|[_, beta, ..]| *beta != 0.0);
        flows.for_each(|[_, _, gamma, _]| *gamma = 0.0);
        Ok(Level::new(grid, level as u32, operator, conditions))
    }

    /// The program that folds conditions into the source.
    pub(super) fn fold_source(&self) -> Result<Rc<Kernel>, StreamError> {
        self.boundary.machine().kernel(&FOLD_SOURCE, &[])
    }

    /// Folds the conditions into the operator map.
    fn fold(&self) -> Result<(), StreamError> {
        let machine = self.operator.machine();
        // §4.2, Eq. 3: a boundary stencil where U is prescribed: a_k = 0
        Pass::new(&*machine.kernel(&FOLD_OPERATOR, &[])?)
            .read("operator_map", &self.operator)
            .read("boundary_map", &self.boundary)
            .draw(&self.folded, self.operator.full())?;
        // For prescribed values on coarser levels, as large a number as the format can hold.
        let all = match self.operator.format().channel_bytes() {
            2 => 2f32.powi(15),
            _ => 2f32.powi(64),
        };
        let fold_leak = machine.kernel(&FOLD_LEAK, &[])?;
        for (level, place) in self.atlas.places.iter().enumerate() {
            Pass::new(&fold_leak)
                .read("red_black_map", &self.colours)
                .read("boundary_map", &self.boundary)
                .set("held", if level == 0 { 1.0 } else { all })
                .draw(&self.red_black, place)?;
        }
        Ok(())
    }

    /// The corner of a level, as kernels take it.
    pub fn corner(&self, level: usize) -> [f32; 2] {
        let place = self.atlas.places[level];
        [place.x as f32, place.y as f32]
    }

    /// Uploads other conditions of the finest level; those of coarser levels do not change, since they have no γ.
    pub fn write_conditions(&self, equations: &Equations) -> Result<(), StreamError> {
        let texels = texels(&equations.stated_conditions());
        self.boundary.write_rect(self.atlas.places[0], &texels)?;
        self.fold()
    }

    /// Uploads a map level by level.
    fn write(&self, map: &Stream, texels: impl Fn(u32) -> Vec<f32>) -> Result<(), StreamError> {
        let mut levels = (0..).zip(&self.atlas.places);
        levels.try_for_each(|(level, place)| map.write_rect(*place, &texels(level)))
    }

    fn fill_operator(&self, problem: &Problem) -> Result<(), Error> {
        let machine = self.operator.machine();
        let kernel = metric_kernel(machine, &problem.metric, "operator", OPERATOR)?;
        let axes = AxisTables::new(machine, &problem.grid)?;
        Pass::new(&kernel)
            .read("columns", &axes.columns)
            .read("rows", &axes.rows)
            .set("target", self.corner(0))
            .set("aspect", axes.aspect)
            .draw(&self.operator, self.atlas.places[0])?;
        Ok(())
    }

    /// Computes the operators of coarser levels, each from that of the finer one. As no pass may read its own
    /// target, each is computed in another stream and copied.
    fn coarsen_operator(&self, grid: &Grid) -> Result<(), StreamError> {
        let [_, largest, ..] = self.atlas.places[..] else {
            return Ok(());
        };
        let machine = self.operator.machine();
        let size = (largest.width, largest.height);
        let made = Stream::zeros(machine, "coarser operator", size, self.operator.format())?;
        let coarsen = machine.kernel(&COARSER_OPERATOR, &[])?;
        let copy = machine.kernel(&COPY, &[])?;
        let origin = [0.0; 2];
        for (level, pair) in (1..).zip(self.atlas.places.windows(2)) {
            let place = pair[1];
            let at_origin = Rect::of_size(place.width, place.height);
            Pass::new(&coarsen)
                .read("fine", &self.operator)
                .set("target", origin)
                .set("source", self.corner(level - 1))
                .set("map", self.corner(level))
                .set("size", grid.size(level as u32))
                .set("periodic", grid.periodic())
                .set("fine_size", grid.size(level as u32 - 1))
                .set("end", grid.end(level as u32 - 1))
                .draw(&made, at_origin)?;
            Pass::new(&copy)
                .read("state", &made)
                .set("target", self.corner(level))
                .set("source", origin)
                .draw(&self.operator, place)?;
        }
        Ok(())
    }
}

/// The equations of a problem, with scale factors from the CPU if it has the metric, otherwise computed by
/// the fragment program and read back.
pub fn equations_of(machine: &Machine, problem: &Problem) -> Result<Equations, Error> {
    match Equations::new(problem) {
        Err(Error::NoHostMetric(_)) => {}
        known => return known,
    }
    let grid = &problem.grid;
    let kernel = metric_kernel(machine, &problem.metric, "scales", SCALES)?;
    let axes = AxisTables::new(machine, grid)?;
    let target = Stream::zeros(machine, "scale factors", grid.size(0), Format::Rgba32F)?;
    Pass::new(&kernel)
        .read("columns", &axes.columns)
        .read("rows", &axes.rows)
        .draw(&target, target.full())?;
    let texels = target.read()?;
    let (texels, _) = texels.as_chunks::<4>();
    let scales = texels.iter().map(|&[h1, h2, k, _]| [h1, h2, k].map(f64::from));
    Equations::with_scales(problem, scales.collect())
}

/// A program with the metric's text in front.
fn metric_kernel(
    machine: &Machine,
    metric: &Metric,
    file: &str,
    text: &str,
) -> Result<Rc<Kernel>, StreamError> {
    let name = format!("goodnight2003/{file} of {}", metric.name());
    let text = format!("{}\n{METRIC}{text}", metric.glsl());
    let source = user_source(name, text, LIMITS)?;
    machine.kernel(&source, &[])
}

/// Positions and widths of the finest grid's columns and rows, computed in double precision.
struct AxisTables {
    columns: Stream,
    rows: Stream,
    aspect: [f32; 2],
}

impl AxisTables {
    fn new(machine: &Machine, grid: &Grid) -> Result<Self, StreamError> {
        let table = |label, axis: &Axis| {
            let line = |before| (0..axis.nodes(0)).flat_map(move |node| face(axis, node, before));
            let texels: Vec<f32> = line(true).chain(line(false)).collect();
            let size = (axis.nodes(0), 2);
            Stream::from_data(machine, label, size, Format::Rgba32F, &texels)
        };
        let ratio = grid.y.interval(0, 0) / grid.x.interval(0, 0);
        Ok(Self {
            columns: table("columns", &grid.x)?,
            rows: table("rows", &grid.y)?,
            aspect: [ratio as f32, (1.0 / ratio) as f32],
        })
    }
}

/// A node's coordinate, the coordinate midway to the neighbour before (or after) it, its width and the
/// inverse of the distance to that neighbour, the last two in units of the spacing. A replica has its original's.
fn face(axis: &Axis, node: u32, before: bool) -> [f32; 4] {
    let node = axis.original(0, node);
    let spacing = axis.interval(0, 0);
    let last = axis.nodes(0) - 2;
    let (distance, start) = if before {
        (axis.before(0, node), node.checked_sub(1).unwrap_or(last))
    } else {
        (axis.after(0, node), node.min(last))
    };
    let (at, midway) = (axis.position(0, node), axis.midpoint(0, start));
    let width = axis.width(0, node) / spacing;
    let inverse = distance.map_or(0.0, |distance| spacing / distance);
    [at, midway, width, inverse].map(|v| v as f32)
}

fn texels(map: &[[f64; 4]]) -> Vec<f32> {
    map.iter().flatten().map(|v| *v as f32).collect()
}

fn red_black(grid: &Grid, level: u32) -> Vec<f32> {
    let texel = |(column, row): (u32, u32)| {
        // §6: the red–black map: 1 at red nodes, stored instead of computed
        let red = f32::from(grid.is_red(level, (column, row)));
        let weights = [grid.x.weight(level, column), grid.y.weight(level, row)];
        [red, weights[0] as f32, weights[1] as f32, 0.0]
    };
    grid.places(level).flat_map(texel).collect()
}

//! A domain: its operators and the conditions on its sides, everything that is constant from step to step.

use crate::stream::{Format, Machine, Pair, Rect, Rects, Size, Stream, StreamError};

use super::kernels::{FluidKernels, STRIP};
use super::settings::{FluidError, Settings, Walls};
use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::GridHierarchy;

use Boundary::{Dirichlet, Neumann};

/// Everything about a simulation except the fluid itself.
pub struct Domain {
    settings: Settings,
    grid: Grid,
    machine: Machine,
    pub(super) kernels: FluidKernels,
    pub(super) pressure: GridHierarchy,
    /// The Helmholtz operators of u_x and u_y, if there is viscosity.
    pub(super) viscous: Option<[GridHierarchy; 2]>,
    /// Conditions on the sides, as `layer_velocity.frag` takes them.
    pub(super) sides: Stream,
    /// All nodes.
    pub(super) nodes: Rects,
    /// Texels along the open side.
    pub(super) strips: Rects,
    /// A single record.
    pub(super) one: Rects,
}

impl Domain {
    /// Builds the operators.
    pub fn new(machine: &Machine, settings: Settings) -> Result<Self, FluidError> {
        let grid = settings.check()?;
        let size = (grid.columns() as u32, grid.rows() as u32);
        let strips = grid.rows().div_ceil(STRIP) as u32;
        let (storage, options) = (settings.stencils, settings.hierarchy);
        let operator =
            |grid, sigma| GridHierarchy::helmholtz(machine, grid, sigma, storage, options);
        let viscous = match viscous_problems(&grid, &settings) {
            None => None,
            Some(([x, y], sigma)) => Some([operator(x, sigma)?, operator(y, sigma)?]),
        };
        let sides = conditions(&grid, &settings).into_flattened();
        Ok(Self {
            kernels: FluidKernels::new(machine, grid.rows())?,
            pressure: operator(grid, 0.0)?,
            viscous,
            sides: Stream::from_data(machine, "sides", size, Format::Rgba32F, &sides)?,
            nodes: machine.rect(Rect::of_size(size.0, size.1))?,
            strips: machine.rect(Rect::of_size(1, strips))?,
            one: machine.rect(Rect::of_size(1, 1))?,
            machine: machine.clone(),
            settings,
            grid,
        })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The nodes.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The machine that runs it.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The operator of the pressure on all levels.
    pub fn pressure(&self) -> &GridHierarchy {
        &self.pressure
    }

    /// Indices of the last column and row, as programs take them.
    pub(super) fn last(&self) -> [f32; 2] {
        self.grid.cells.map(|n| n as f32)
    }

    fn size(&self) -> Size {
        (self.grid.columns() as u32, self.grid.rows() as u32)
    }

    /// Creates a stream with one record per node, all zero.
    pub(super) fn plain(&self, label: &str, format: Format) -> Result<Stream, StreamError> {
        Stream::zeros(&self.machine, label, self.size(), format)
    }

    /// Creates a pair of such streams.
    pub(super) fn plain_pair(&self, label: &str, format: Format) -> Result<Pair, StreamError> {
        Pair::zeros(&self.machine, label, self.size(), format)
    }
}

/// The Helmholtz problems of u_x and u_y, if there is viscosity: their grids, and the σ of
/// (1 − ν Δt ∇²) u = f divided by ν Δt.
pub fn viscous_problems(grid: &Grid, settings: &Settings) -> Option<([Grid; 2], f64)> {
    let grids = viscous_sides(settings).map(|sides| Grid { sides, ..*grid });
    let sigma = 1.0 / (settings.viscosity * settings.dt);
    (settings.viscosity > 0.0).then_some((grids, sigma))
}

/// Nodes that viscosity does not change, for u_x and for u_y: the velocity normal to a side is
/// prescribed, and so is the velocity along a wall to which the fluid sticks. At the open side u_y
/// has zero normal derivative.
fn viscous_sides(settings: &Settings) -> [Sides; 2] {
    let along = match settings.walls {
        Walls::Slip => Neumann,
        Walls::Stick => Dirichlet,
    };
    let right = settings.inlet.map_or(along, |_| Neumann);
    [
        Sides::new([Dirichlet, Dirichlet, along, along]),
        Sides::new([along, right, Dirichlet, Dirichlet]),
    ]
}

/// Conditions at each node, as `layer_velocity.frag` takes them: the factors of u_x and u_y, the
/// velocity of the inlet, and whether the node is open. Inner nodes keep everything.
pub fn conditions(grid: &Grid, settings: &Settings) -> Vec<[f32; 4]> {
    let [last_column, last_row] = grid.cells;
    let slips = match settings.walls {
        Walls::Slip => 1.0,
        Walls::Stick => 0.0,
    };
    // Factor of a component, given whether a wall is normal to it and whether one is parallel to it.
    let kept = |normal: bool, along: bool| match (normal, along) {
        (true, _) => 0.0,
        (false, true) => slips,
        (false, false) => 1.0,
    };
    let node = |place: usize| {
        let [i, j] = grid.node(place);
        let on_side = i == 0 || i == last_column;
        let above_or_below = j == 0 || j == last_row;
        match settings.inlet {
            Some(inlet) if i == 0 && inlet.contains(j) => [0.0, 0.0, inlet.speed as f32, 0.0],
            Some(_) if i == last_column => [1.0, f32::from(!above_or_below), 0.0, 1.0],
            _ => [
                kept(on_side, above_or_below),
                kept(above_or_below, on_side),
                0.0,
                0.0,
            ],
        }
    };
    (0..grid.nodes()).map(node).collect()
}

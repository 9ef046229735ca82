//! Settings of a simulation.

use crate::bolz2003::Error;
use crate::scene::Setting;
use crate::solver::Cycle;

use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::{Coarsest, HierarchyOptions, StencilStorage, Weights};

/// Behaviour of the fluid along walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Walls {
    /// Slips: only the velocity normal to a wall is zero.
    #[default]
    Slip,
    /// Sticks: the velocity at a wall is zero (the paper's zero Dirichlet conditions).
    Stick,
}

/// An opening in the left side, through which fluid enters with a constant velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inlet {
    /// Speed in grid spaces per unit of time.
    pub speed: f64,
    /// The first row of the opening.
    pub first: usize,
    /// Number of rows of the opening.
    pub rows: usize,
}

impl Inlet {
    /// Creates an opening in the middle of a side with `rows` rows, a sixth of it wide. Fluid in a perfectly
    /// symmetric box stays symmetric, so the opening is one row off the middle.
    pub fn in_the_middle_of(rows: usize, speed: f64) -> Self {
        let width = (rows / 6).max(2);
        Self { speed, first: ((rows - width) / 2).saturating_sub(1).max(1), rows: width }
    }

    /// Tests whether this row belongs to the opening.
    pub fn contains(&self, row: usize) -> bool {
        (self.first..self.first + self.rows).contains(&row)
    }

    /// Inflow in squared grid spaces per unit of time. The opening reaches half a
    /// grid space beyond its outermost nodes.
    pub fn flux(&self) -> f64 {
        self.speed * self.rows as f64
    }
}

/// A simulation's settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Nodes per row, N + 1.
    pub columns: usize,
    /// Nodes per column, M + 1.
    pub rows: usize,
    /// Δt. Default 1.
    pub dt: f64,
    /// ν in squared grid spaces per unit of time. Default 0: the numerical diffusion of advection suffices
    /// for the eye (section 4.3).
    pub viscosity: f64,
    /// Behaviour of the fluid along walls.
    pub walls: Walls,
    /// Inlet, if there is one; the side on the right is then open. Default: two grid spaces
    /// per unit of time (Fig. 5).
    pub inlet: Option<Inlet>,
    /// Cycles per solve. Default 2.
    pub cycles: usize,
    /// Shape of a cycle. Default V(4, 2).
    pub cycle: Cycle,
    /// Layout of the grids.
    pub hierarchy: HierarchyOptions,
    /// Storage of stencils. Default: in textures.
    pub stencils: StencilStorage,
}

impl Settings {
    /// The paper's settings (Fig. 5) for a domain of this many nodes: stencils stored and composed, and borders copied.
    pub fn new(columns: usize, rows: usize) -> Self {
        // §4.3, Fig. 5: ν = 0, two V(4, 2) cycles per step, inflow of two grid spaces per step
        let settings = Self {
            columns,
            rows,
            dt: 1.0,
            viscosity: 0.0,
            walls: Walls::default(),
            inlet: Some(Inlet::in_the_middle_of(rows, 2.0)),
            cycles: 2,
            cycle: Cycle::default(),
            hierarchy: HierarchyOptions::default(),
            stencils: StencilStorage::Streams,
        };
        settings.with_cycle(Cycle::default())
    }

    /// Changes the cycle. Jacobi sweeps on the coarsest grid reduce its slowest error as much as the cycle
    /// reduces any other error: by 1 − ω/2 per sweep of the cycle.
    pub fn with_cycle(self, cycle: Cycle) -> Self {
        let leaves = (1.0 - Weights::PAPER / 2.0).powi((cycle.before + cycle.after) as i32);
        let coarsest = Coarsest::Jacobi { leaves: leaves.max(f64::EPSILON) };
        Self { cycle, hierarchy: HierarchyOptions { coarsest, ..self.hierarchy }, ..self }
    }

    /// fragstream's variant: stencils in constants, and programs that compute the border too.
    pub fn fused(columns: usize, rows: usize) -> Self {
        Self {
            hierarchy: HierarchyOptions::fused(),
            stencils: StencilStorage::Automatic,
            ..Self::new(columns, rows)
        }
    }

    /// Checks the settings and returns the grid of the pressure.
    pub fn check(&self) -> Result<Grid, Error> {
        Setting::positive("the time step", self.dt)?;
        Setting::not_negative("the viscosity", self.viscosity)?;
        Setting::at_least("the number of cycles", self.cycles, 1)?;
        let sweeps = self.cycle.before + self.cycle.after;
        Setting::at_least("the smoothing of a cycle, in sweeps,", sweeps, 1)?;
        let neumann = Sides::all(Boundary::Neumann);
        let grid = Grid::new(self.columns, self.rows, neumann)?;
        if let Some(Inlet { speed, first, rows }) = self.inlet {
            Setting::positive("the speed of the inlet", speed)?;
            Setting::at_least("the inlet's number of rows", rows, 1)?;
            let inside = first >= 1 && first + rows < self.rows;
            let remedy = "put it inside the left side, a row away from its ends";
            Setting::check("the first row of the inlet", first as f64, inside, remedy)?;
        }
        Ok(grid)
    }
}

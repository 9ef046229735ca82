//! What a simulation is given.

use thiserror::Error;

use crate::solver::Cycle;
use crate::stream::StreamError;

use crate::bolz2003::grid::geometry::{Boundary, Grid, GridError, Sides};
use crate::bolz2003::grid::hierarchy::HierarchyOptions;

/// What the fluid does along walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Walls {
    /// It slips: only the velocity normal to a wall is zero.
    #[default]
    Slip,
    /// It sticks: the velocity at a wall is zero (the paper's zero Dirichlet conditions).
    Stick,
}

/// An opening in the left side, through which fluid comes in with a constant velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inlet {
    /// In grid spaces a unit of time.
    pub speed: f64,
    /// The first row of the opening.
    pub first: usize,
    /// Its rows.
    pub rows: usize,
}

impl Inlet {
    /// An opening in the middle of a side of so many rows, a sixth of it wide. Fluid in a perfectly
    /// symmetric box stays symmetric, so the opening lies one row off the middle.
    pub fn in_the_middle_of(rows: usize, speed: f64) -> Self {
        let width = (rows / 6).max(2);
        Self {
            speed,
            first: ((rows - width) / 2).saturating_sub(1).max(1),
            rows: width,
        }
    }

    /// Whether this row belongs to the opening.
    pub fn contains(&self, row: usize) -> bool {
        (self.first..self.first + self.rows).contains(&row)
    }

    /// What comes in through it, in squared grid spaces a unit of time. The opening reaches half a
    /// grid space beyond its outermost nodes.
    pub fn flux(&self) -> f64 {
        self.speed * self.rows as f64
    }
}

/// A simulation's settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Nodes of a row, N + 1.
    pub columns: usize,
    /// Nodes of a column, M + 1.
    pub rows: usize,
    /// Δt. Default 1.
    pub dt: f64,
    /// ν in squared grid spaces a unit of time. Default 0: the advection's own diffusion is enough
    /// for the eye (section 4.3).
    pub viscosity: f64,
    /// What the fluid does along walls.
    pub walls: Walls,
    /// Where fluid comes in, if anywhere; the right side is open then. Default: at two grid spaces
    /// a unit of time (Fig. 5).
    pub inlet: Option<Inlet>,
    /// Cycles of a solve. Default 2.
    pub cycles: usize,
    /// The shape of a cycle. Default V(4, 2).
    pub cycle: Cycle,
    /// How the grids are laid out.
    pub hierarchy: HierarchyOptions,
    /// Whether stencils are kept in nine textures a level, as in the paper, or in constants, which
    /// is faster. Default: in constants.
    pub stored_stencils: bool,
}

impl Settings {
    /// The settings of Fig. 5 for a domain of so many nodes.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            dt: 1.0,
            viscosity: 0.0,
            walls: Walls::default(),
            inlet: Some(Inlet::in_the_middle_of(rows, 2.0)),
            cycles: 2,
            cycle: Cycle::default(),
            hierarchy: HierarchyOptions::default(),
            stored_stencils: false,
        }
    }

    /// The same in a closed box.
    pub fn closed(self) -> Self {
        Self {
            inlet: None,
            ..self
        }
    }

    /// The grid of the pressure, if everything fits.
    ///
    /// # Errors
    /// [`FluidError::Grid`] for sizes that cannot be coarsened, else [`FluidError::Setting`].
    pub fn check(&self) -> Result<Grid, FluidError> {
        let setting = |what, remedy| Err(FluidError::Setting { what, remedy });
        let positive = |value: f64| value.is_finite() && value > 0.0;
        if !positive(self.dt) {
            return setting("the time step", "give a number above 0");
        }
        if !(self.viscosity.is_finite() && self.viscosity >= 0.0) {
            return setting("the viscosity", "give a number of at least 0");
        }
        if self.cycles == 0 {
            return setting("the number of cycles", "give at least 1");
        }
        if self.cycle.before + self.cycle.after == 0 {
            return setting("a cycle without smoothing", "give at least one sweep");
        }
        let neumann = Sides::all(Boundary::Neumann);
        let grid = Grid::new(self.columns, self.rows, neumann)?;
        if let Some(inlet) = self.inlet {
            if !positive(inlet.speed) {
                return setting("the speed of the inlet", "give a number above 0");
            }
            let inside = inlet.first >= 1 && inlet.first + inlet.rows < self.rows;
            if inlet.rows == 0 || !inside {
                return setting(
                    "the inlet",
                    "let it lie inside the left side, a row away from its ends",
                );
            }
        }
        Ok(grid)
    }
}

/// A simulation that cannot be set up or go on. Every message is one line and says the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FluidError {
    /// The sizes cannot be coarsened.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A setting that makes no sense.
    #[error("{what} does not fit; {remedy}")]
    Setting {
        /// Which.
        what: &'static str,
        /// What would.
        remedy: &'static str,
    },
    /// The velocity is infinite or not a number.
    #[error("the velocity is not finite after {steps} steps; take a smaller time step or velocity")]
    NotFinite {
        /// Steps done.
        steps: u64,
    },
    /// The stream processor failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

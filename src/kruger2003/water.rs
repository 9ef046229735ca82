//! Water: the wave equation in two dimensions, by an implicit scheme (Krüger and Westermann 2003,
//! section 6, Figs. 1, 6 and 7).
//!
//! u is the height of the surface, c the speed of waves, h the side of a cell, and the unknown of a
//! step is the average m = (u_after + u_before) / 2, at which the scheme takes the Laplacian:
//!
//! ```text
//! (u_after − 2 u + u_before) / Δt² = c² ∇² m      so      (1 + D − a L) m = u + D u_before
//!                                                         u_after = 2 m − u_before
//! ```
//!
//! with a = (c Δt / h)² / 2, and L the sum of the differences to the neighbours. The paper prints the average
//! of u_after and u and assigns it to u, which is not second order in time. The average of the
//! states after and before is meant; this is Crank and Nicolson's method for the wave
//! equation as a first-order system. It is stable for any step and preserves the energy
//! ([`Water::energy`]) as exactly as the system is solved.
//!
//! D makes waves lose energy: σ Δt / 2 from a term σ u_t everywhere, and c Δt / 2h for each face on an
//! absorbing edge, where u_t + c u_n = 0 lets waves of normal incidence leave (Engquist and
//! Majda 1977). The matrix remains symmetric and positive definite, and conjugate gradients solve with it, five
//! iterations per step, starting from the last state, whose error is of the order of the squared step.

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene::{Effort, Setting};
use crate::settings::{GridSize, pair};
use crate::solver::multigrid::SWEEPS;
use crate::solver::{Criteria, Csr, Operation, TextureSpace, VectorSpace};
use crate::stream::{Format, Kernel, Layout, Machine, Pass, Rects, Size, Source, Stream, source};

use super::diagonals::five_point;
use super::gradients::finite;
use super::operators::residual;
use super::strokes::Strokes;
use super::{DiagonalMatrix, Error, ListedGradients, Matrix, ProductOptions, Stroke};

/// The program of a step's right-hand side.
const RIGHT_HAND_SIDE: Source = source!(kruger2003, "simulation/water_right_hand_side");

/// Residual below which water is at rest: its square is still far above the smallest float.
const REST: f64 = 1e-12;

/// Behaviour of waves at the edges of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shore {
    /// A wall: waves are reflected
    #[default]
    Reflecting,
    /// Open water: waves leave
    Absorbing,
}

/// Settings of the water. Lengths are in cells.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WaterSettings {
    /// Number of cells
    #[serde(with = "pair")]
    #[schemars(with = "GridSize")]
    pub size: Size,
    /// Courant number c Δt / h: cells that a wave travels per step. Beyond 0.71 an explicit scheme would be
    /// unstable
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub courant: f64,
    /// Fraction of its speed that the surface loses while a wave travels one cell. The paper's loses none
    #[schemars(range(min = 0.0))]
    pub damping: f64,
    /// Condition at the edges
    pub shore: Shore,
    /// Iterations of conjugate gradients per step
    #[schemars(range(min = 1, max = SWEEPS))]
    pub iterations: usize,
}

impl Default for WaterSettings {
    /// The paper's, on its largest grid: five iterations per step, and no damping.
    fn default() -> Self {
        Self {
            size: (1024, 1024),
            courant: 1.0,
            damping: 0.0,
            shore: Shore::Reflecting,
            iterations: 5,
        }
    }
}

impl WaterSettings {
    /// The paper's water on a grid of this size.
    pub fn new(width: u32, height: u32) -> Self {
        Self { size: (width, height), ..Self::default() }
    }

    /// Checks the settings.
    pub fn check(&self) -> Result<(), Setting> {
        Setting::side(self.size, 2)?;
        Setting::positive("the Courant number", self.courant)?;
        Setting::share("the damping of a step", self.loss())?;
        Setting::at_least("the number of iterations", self.iterations, 1)
    }

    /// Fraction of its speed that the surface loses per step.
    pub fn loss(&self) -> f64 {
        self.damping * self.courant
    }

    /// Contribution to D of a face on an edge.
    fn outlet(&self) -> f64 {
        match self.shore {
            Shore::Reflecting => 0.0,
            Shore::Absorbing => self.courant / 2.0,
        }
    }

    /// 1 + D − a L
    pub fn matrix(&self) -> Csr<f64> {
        let a = self.courant * self.courant / 2.0;
        let diagonal = |faces| 1.0 + self.loss() / 2.0 + faces as f64 * self.outlet();
        five_point(self.size, a, diagonal)
    }

    /// Stopping criteria of a step's iterations.
    pub fn criteria(&self) -> Criteria {
        Criteria {
            rtol: f64::from(f32::EPSILON),
            atol: REST,
            max_iterations: self.iterations,
            ..Criteria::default()
        }
    }
}

/// Water in textures: the state never leaves graphics memory.
pub struct Water {
    settings: WaterSettings,
    space: TextureSpace,
    matrix: DiagonalMatrix,
    full: Rects,
    right_hand_side: Rc<Kernel>,
    strokes: Strokes,
    /// u now and one step before; time is counted in steps.
    now: Stream,
    before: Stream,
    /// m, b and the next u.
    average: Stream,
    b: Stream,
    after: Stream,
    solver: ListedGradients,
    effort: Effort,
    steps: usize,
}

impl Water {
    /// Creates water at rest.
    pub fn at_rest(machine: &Machine, settings: WaterSettings) -> Result<Self, Error> {
        settings.check()?;
        let layout = Layout::grid(settings.size, Format::R32F);
        let space = TextureSpace::new(machine, layout)?;
        let matrix = settings.matrix();
        Ok(Self {
            settings,
            matrix: DiagonalMatrix::new(machine, layout, &matrix, ProductOptions::default())?,
            full: machine.rects(&layout.rectangles())?,
            right_hand_side: machine.kernel(&RIGHT_HAND_SIDE, &[])?,
            strokes: Strokes::new(machine)?,
            now: space.zeros()?,
            before: space.zeros()?,
            average: space.zeros()?,
            b: space.zeros()?,
            after: space.zeros()?,
            solver: ListedGradients::new(&space)?,
            space,
            effort: Effort::default(),
            steps: 0,
        })
    }

    /// Settings of the water.
    pub fn settings(&self) -> &WaterSettings {
        &self.settings
    }

    /// Takes over other settings for the next steps. Returns false, and changes nothing, if the grid has another size.
    ///
    /// # Errors
    /// Those of [`Water::at_rest`].
    pub fn steer(&mut self, settings: WaterSettings) -> Result<bool, Error> {
        settings.check()?;
        if settings.size != self.settings.size {
            return Ok(false);
        }
        let (machine, layout) = (self.now.machine(), self.space.layout());
        let options = ProductOptions::default();
        self.matrix = DiagonalMatrix::new(machine, layout, &settings.matrix(), options)?;
        self.settings = settings;
        Ok(true)
    }

    /// Sets the height of every cell now and one step before, rows from the bottom up.
    pub fn set(&mut self, now: &[f32], before: &[f32]) -> Result<(), Error> {
        self.now.write(now)?;
        Ok(self.before.write(before)?)
    }

    /// Pushes the surface: along the stroke its speed changes by `speed`, in height per step. The water pushed
    /// down rises around the stroke, so that a short stroke conserves the volume.
    pub fn push(&mut self, stroke: &Stroke, speed: f32) -> Result<(), Error> {
        let (places, with_ring) = ((&self.now, &self.after), (stroke, true));
        let amount = [speed, 0.0, 0.0, 0.0];
        let strokes = &self.strokes;
        strokes.draw(places, [0.0; 2], with_ring, amount, &self.full)?;
        std::mem::swap(&mut self.now, &mut self.after);
        Ok(())
    }

    /// Advances by one time step.
    pub fn step(&mut self) -> Result<(), Error> {
        // §4, (u_after − 2 u + u_before) / Δt² = c² ∇²m: b = u + D u_before
        Pass::new(&self.right_hand_side)
            .read("u", &self.now)
            .read("u_before", &self.before)
            .set("size", self.settings.size)
            .set("damping", self.settings.loss() as f32 / 2.0)
            .set("outlet", self.settings.outlet() as f32)
            .draw(&self.b, &self.full)?;
        let Self { space, average, .. } = self;
        space.copy(&self.now, average)?;
        let criteria = self.settings.criteria();
        let system: (&dyn Matrix, _) = (&self.matrix, &self.b);
        let effort = (self.solver).solve(space, system, average, &criteria, |_| ())?;
        self.effort = finite(effort, "the height of the water", self.steps)?;
        // §4, the average that is meant, m = (u_after + u_before) / 2: u_after = 2 m − u_before
        let (m, before) = ((2.0, &*average), (1.0, &self.before));
        space.combine(Operation::Subtract, m, before, &self.after)?;
        std::mem::swap(&mut self.before, &mut self.now);
        std::mem::swap(&mut self.now, &mut self.after);
        self.steps += 1;
        Ok(())
    }

    /// The height of every cell, for drawing.
    pub fn height(&self) -> &Stream {
        &self.now
    }

    /// Number of steps done.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Iterations in the last step, and the norm of the residual after them.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// b − A m: residual of each cell after the last step's iterations.
    pub fn residuals(&self) -> Result<Stream, Error> {
        let residual = residual(&self.space, &self.matrix, &self.average, &self.b);
        Ok(residual?)
    }

    /// The textures with descriptions of their contents.
    pub fn streams(&self) -> Vec<(String, &Stream)> {
        let vectors = [
            ("u", &self.now),
            ("u one step before", &self.before),
            ("m, the unknown", &self.average),
            ("b, the right-hand side", &self.b),
        ];
        let vectors = vectors.map(|(name, vector)| (name.to_owned(), vector));
        vectors.into_iter().chain(self.matrix.streams()).collect()
    }

    /// The machine that runs the water.
    pub fn machine(&self) -> &Machine {
        self.space.machine()
    }

    /// The energy between the last two states: half the squared speed (in height per step), and half
    /// the squared slope times c², the squared slope averaged over both. Without damping and with
    /// reflecting edges the scheme preserves it. Reads the state back.
    pub fn energy(&self) -> Result<f64, Error> {
        let (now, before) = (self.now.read()?, self.before.read()?);
        let speeds = now.iter().zip(&before);
        let kinetic: f64 = speeds.map(|(a, b)| f64::from(a - b).powi(2)).sum();
        let slopes = self.squared_slopes(&now) + self.squared_slopes(&before);
        Ok(kinetic / 2.0 + self.settings.courant.powi(2) * slopes / 4.0)
    }

    fn squared_slopes(&self, u: &[f32]) -> f64 {
        let width = self.settings.size.0 as usize;
        let squared = |a: f32, b: f32| f64::from(a - b).powi(2);
        let rows = u.chunks(width);
        let across: f64 = rows.flat_map(|row| row.windows(2).map(|w| squared(w[0], w[1]))).sum();
        let up: f64 = u.iter().zip(&u[width..]).map(|(&a, &b)| squared(a, b)).sum();
        across + up
    }
}

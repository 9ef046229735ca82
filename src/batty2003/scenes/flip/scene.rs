//! The description of a simulation: a box of cells, and shapes of liquid, solids and inflows in it.

use crate::base::memory;
use crate::mesh::vector::{norm, subtract};
use crate::scene::Setting;

use super::grid::Grid;

/// A box of cells with liquid and solids in it. Its walls are solid; y points up; units are metres, seconds and
/// kilograms.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Cells in x, y and z.
    pub size: [usize; 3],
    /// The side of a cell, dx (m).
    pub spacing: f64,
    /// Δt (s)
    pub time_step: f64,
    /// The acceleration of everything (m/s²).
    pub gravity: [f64; 3],
    /// ρ (kg/m³)
    pub density: f64,
    /// Share of a particle's velocity that is its own, plus the grid's change (FLIP); the rest
    /// is the grid's (PIC). From 0 to 1.
    pub flip: f64,
    /// The liquid at the start.
    pub liquids: Vec<Body>,
    /// Solids.
    pub solids: Vec<Shape>,
    /// Inflows.
    pub inflows: Vec<Inflow>,
    /// True if the liquid's divergence compensates for lost or gained volume.
    pub keep_volume: bool,
    /// Random seed of the particles' positions.
    pub seed: u64,
}

/// A body of liquid at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its shape.
    pub shape: Shape,
    /// Its velocity (m/s).
    pub velocity: [f64; 3],
}

/// A source of liquid.
#[derive(Debug, Clone, PartialEq)]
pub struct Inflow {
    /// Region that is full at first and in which liquid that leaves is replaced.
    pub shape: Shape,
    /// Velocity of everything in it (m/s).
    pub velocity: [f64; 3],
    /// Its end (s), if it ends.
    pub until: Option<f64>,
}

/// Largest number of cells whose particles can be numbered with 32 bits.
const MOST_CELLS: usize = 1 << 28;

/// Measured bytes of a step per cell, with the largest of the solvers and a picture,
/// and for the particles per cell of liquid.
const BYTES: [f64; 2] = [350.0, 450.0];

/// Positions along a side of the box at which shapes are sampled to estimate the share of liquid.
const SAMPLES: usize = 24;

impl Scene {
    /// An empty box of one metre with n cells per side, and the time step and constants of all
    /// scenes here.
    pub fn empty(n: usize) -> Self {
        Self {
            size: [n; 3],
            spacing: 1.0 / n.max(1) as f64,
            time_step: 1.0 / 120.0,
            gravity: [0.0, -9.81, 0.0],
            density: 1000.0,
            flip: 0.97,
            liquids: Vec::new(),
            solids: Vec::new(),
            inflows: Vec::new(),
            keep_volume: false,
            seed: 2003,
        }
    }

    /// A breaking dam: water in x < 0.4, y < 0.7 of a box of one metre. With n = 100 and 51 steps it is the
    /// replacement of the paper's scene, of which only the number of solves, 51, is printed.
    pub fn dam(n: usize) -> Self {
        Self { liquids: vec![still([0.0; 3], [0.4, 0.7, 1.0])], ..Self::empty(n) }
    }

    /// A ball of water falling into a pool.
    pub fn drop(n: usize) -> Self {
        let ball = Body {
            shape: Shape::Sphere { centre: [0.5, 0.68, 0.5], radius: 0.16 },
            velocity: [0.0, -1.5, 0.0],
        };
        Self { liquids: vec![still([0.0; 3], [1.0, 0.3, 1.0]), ball], ..Self::empty(n) }
    }

    /// A dam that breaks towards a pillar and a ball.
    pub fn obstacle(n: usize) -> Self {
        Self {
            liquids: vec![still([0.0; 3], [0.3, 0.7, 1.0])],
            solids: vec![
                Shape::Box { from: [0.56, -0.1, 0.56], to: [0.70, 0.6, 0.70] },
                Shape::Sphere { centre: [0.60, 0.08, 0.26], radius: 0.14 },
            ],
            ..Self::empty(n)
        }
    }

    /// The grid of cells.
    pub fn grid(&self) -> Grid {
        Grid { size: self.size, spacing: self.spacing }
    }

    /// Checks that the scene is valid and fits in main memory.
    pub fn check(&self) -> Result<(), Setting> {
        let cells = (self.size.iter()).try_fold(1_usize, |n, &m| n.checked_mul(m));
        if !cells.is_some_and(|cells| (1..=MOST_CELLS).contains(&cells)) {
            let remedy = format!("give at least one and at most {MOST_CELLS} in all");
            return Err(self.not_that_many(remedy));
        }
        let positive = |what, value: f64, unit: &str| {
            let remedy = format!("give a positive number of {unit}");
            Setting::check(what, value, value > 0.0, remedy)
        };
        // Single precision holds the square of a length, and a thousandth of it.
        let remedy = "give 1e-19 to 1e19 metres, or choose another unit of length";
        let fits = (1e-19..=1e19).contains(&self.spacing);
        Setting::check("the side of a cell", self.spacing, fits, remedy)?;
        positive("the time step", self.time_step, "seconds")?;
        positive("the density", self.density, "kilograms per cubic metre")?;
        let share = (0.0..=1.0).contains(&self.flip);
        Setting::check("the share of FLIP", self.flip, share, "give 0 to 1")?;
        Setting::vector("a component of gravity", &self.gravity)?;
        for body in &self.liquids {
            body.shape.check()?;
            Setting::vector("a liquid's velocity", &body.velocity)?;
        }
        for inflow in &self.inflows {
            inflow.shape.check()?;
            Setting::vector("an inflow's velocity", &inflow.velocity)?;
            if let Some(until) = inflow.until {
                Setting::check("an inflow's end", until, true, "give seconds")?;
            }
        }
        for solid in &self.solids {
            solid.check()?;
            let (thickness, cell) = (solid.thickness(), self.spacing);
            if thickness <= cell * (1.0 - 1e-9) {
                // A difference in double precision has digits that are not the scene's.
                let [got, cell] = [thickness, cell].map(|length| (length as f32).to_string());
                let remedy = format!("give at least a cell, {cell} m, or more cells (--size)");
                return Err(Setting { what: "the thickness of a solid in metres", got, remedy });
            }
        }
        self.check_memory(memory::available().unwrap_or(u64::MAX))
    }

    /// Checks that this many bytes of main memory suffice.
    pub fn check_memory(&self, available: u64) -> Result<(), Setting> {
        let bytes = self.bytes();
        if bytes <= available {
            return Ok(());
        }
        let longest = self.size.into_iter().fold(1, usize::max) as f64;
        let fits = longest * (available as f64 / bytes as f64).cbrt();
        // With a multiple of four the GPU's texels are full.
        let fits = (fits as usize / 4 * 4).max(1);
        let [bytes, available] = [bytes, available].map(memory::in_words);
        Err(self.not_that_many(format!(
            "they take about {bytes}, and {available} is free: give at most {fits} along \
             the longest side (--size)"
        )))
    }

    /// Approximate number of bytes of main memory for a step.
    pub fn bytes(&self) -> u64 {
        let cells: f64 = self.size.iter().map(|&n| n as f64).product();
        let [cell, liquid] = BYTES;
        (cells * (cell + liquid * self.share_of_liquid())) as u64
    }

    /// Largest share of liquid in the box, from 0 to 1: 1 with inflows.
    fn share_of_liquid(&self) -> f64 {
        if !self.inflows.is_empty() {
            return 1.0;
        }
        let extent = self.grid().extent();
        let wet = (0..SAMPLES.pow(3)).filter(|n| {
            let place = [n % SAMPLES, n / SAMPLES % SAMPLES, n / SAMPLES.pow(2)];
            let place =
                [0, 1, 2].map(|axis| (place[axis] as f64 + 0.5) / SAMPLES as f64 * extent[axis]);
            let inside = |body: &Body| body.shape.distance(place) < 0.0;
            self.liquids.iter().any(inside)
        });
        wet.count() as f64 / SAMPLES.pow(3) as f64
    }

    /// Liquids and inflows of which nothing is in the box and outside of solids: `inflow 1 is inside a solid`.
    pub fn without_effect(&self) -> Vec<String> {
        let liquids = (1..).zip(self.liquids.iter().map(|body| &body.shape));
        let inflows = (1..).zip(self.inflows.iter().map(|inflow| &inflow.shape));
        let all = liquids.map(|body| ("liquid", body)).chain(inflows.map(|body| ("inflow", body)));
        let what = |(kind, (number, shape)): (&str, (usize, &Shape))| {
            let cover = self.cover_of(shape)?;
            Some(format!("{kind} {number} is {cover}"))
        };
        all.filter_map(what).collect()
    }

    /// The obstacle that keeps all of a shape away, judged at the middles of the octants of cells, where particles may start.
    fn cover_of(&self, shape: &Shape) -> Option<&'static str> {
        let octants = Grid { size: self.size.map(|n| 2 * n), spacing: 0.5 * self.spacing };
        let extent = octants.extent();
        let middles = (0..octants.cells()).map(|number| octants.centre(octants.cell(number)));
        let is_inside = |at: &[f64; 3]| {
            shape.distance(*at) < 0.0 && (0..3).all(|k| (0.0..=extent[k]).contains(&at[k]))
        };
        // A small shape may be between the middles.
        let mut places = middles.chain([shape.centre()]).filter(is_inside).peekable();
        let is_solid = |at| self.solids.iter().any(|solid| solid.distance(at) < 0.0);
        match places.peek() {
            None => Some("outside of the box"),
            Some(_) => places.all(is_solid).then_some("inside a solid"),
        }
    }

    fn not_that_many(&self, remedy: String) -> Setting {
        let [x, y, z] = self.size;
        Setting { what: "the number of cells", got: format!("{x} x {y} x {z}"), remedy }
    }
}

/// Water at rest in a box.
fn still(from: [f64; 3], to: [f64; 3]) -> Body {
    Body { shape: Shape::Box { from, to }, velocity: [0.0; 3] }
}

/// A body in space, given by its distance.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A box, between two opposite corners (m).
    Box {
        /// The corner with the smallest coordinates.
        from: [f64; 3],
        /// The corner with the largest coordinates.
        to: [f64; 3],
    },
    /// A sphere (m).
    Sphere {
        /// Its centre.
        centre: [f64; 3],
        /// Its radius.
        radius: f64,
    },
}

impl Shape {
    /// Distance of a position from the surface (m), negative inside.
    pub fn distance(&self, at: [f64; 3]) -> f64 {
        match self {
            Self::Box { from, to } => {
                let beyond = |axis: usize| (from[axis] - at[axis]).max(at[axis] - to[axis]);
                let beyond = [0, 1, 2].map(beyond);
                let inside = beyond.into_iter().fold(f64::NEG_INFINITY, f64::max).min(0.0);
                norm(beyond.map(|d| d.max(0.0))) + inside
            }
            Self::Sphere { centre, radius } => norm(subtract(at, *centre)) - radius,
        }
    }

    fn centre(&self) -> [f64; 3] {
        match self {
            Self::Box { from, to } => [0, 1, 2].map(|axis| 0.5 * (from[axis] + to[axis])),
            Self::Sphere { centre, .. } => *centre,
        }
    }

    /// Smallest extent along an axis (m).
    pub fn thickness(&self) -> f64 {
        match self {
            Self::Box { from, to } => [0, 1, 2]
                .map(|axis| to[axis] - from[axis])
                .into_iter()
                .fold(f64::INFINITY, f64::min),
            Self::Sphere { radius, .. } => 2.0 * radius,
        }
    }

    /// Checks its numbers.
    pub fn check(&self) -> Result<(), Setting> {
        match self {
            Self::Box { from, to } => {
                Setting::vector("a corner of a box", from)?;
                Setting::vector("a corner of a box", to)?;
                (0..3).try_for_each(|axis| {
                    let side = to[axis] - from[axis];
                    let remedy = "let every coordinate of `to` be above that of `from`";
                    Setting::check("a side of a box", side, side > 0.0, remedy)
                })
            }
            Self::Sphere { centre, radius } => {
                Setting::vector("the centre of a sphere", centre)?;
                let remedy = "give a positive number of metres";
                Setting::check("the radius of a sphere", *radius, *radius > 0.0, remedy)
            }
        }
    }
}

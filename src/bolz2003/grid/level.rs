//! One level of the hierarchy on the GPU: its grid, its operator, its relaxation (Bolz
//! et al. 2003, section 4.2).

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::solver::multigrid::chebyshev_weights;
use crate::solver::{Operator, Start, TextureSpace};
use crate::stream::{Pass, Stream, StreamError};
use crate::timing::cost::all;

use super::kernels::{OperatorKernels, StencilKind};
use super::layering::LayeredGrid;

/// Names of the nine streams, in the order of [`OFFSETS`](super::stencil::OFFSETS).
const ENTRIES: [&str; 9] = ["a_mm", "a_0m", "a_pm", "a_m0", "a_00", "a_p0", "a_mp", "a_0p", "a_pp"];

/// Storage of stencils.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum StencilStorage {
    /// In nine textures, as in the paper.
    #[serde(rename = "stored")]
    Streams,
    /// In the constants of the programs.
    ///
    /// If the coefficients are constant; otherwise in streams.
    #[default]
    #[serde(rename = "constant")]
    Automatic,
}

/// The weights ω of Jacobi's corrections.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weights {
    /// One weight for every sweep.
    Fixed(f64),
    /// Different in every sweep: the weights that together leave least of the
    /// [high frequencies](super::stencil::high_frequencies). Not in the paper.
    Chebyshev,
}

impl FromStr for Weights {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "chebyshev" {
            return Ok(Self::Chebyshev);
        }
        let omega = text.parse().ok();
        let omega = omega.filter(|&omega: &f64| omega.is_finite() && omega > 0.0);
        omega.map(Self::Fixed).ok_or("give a number above 0, or chebyshev")
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(omega) => omega.fmt(f),
            Self::Chebyshev => f.write_str("chebyshev"),
        }
    }
}

impl Weights {
    /// The paper's weight, 2/3.
    pub const PAPER: f64 = 2.0 / 3.0;

    /// The weights of `sweeps` consecutive sweeps on a level with these high frequencies.
    pub(crate) fn of(self, high_frequencies: [f64; 2], sweeps: usize) -> Vec<f64> {
        match self {
            Self::Fixed(omega) => vec![omega; sweeps],
            Self::Chebyshev => chebyshev_weights(high_frequencies, sweeps),
        }
    }
}

/// A level's matrix.
pub(crate) enum Stencil {
    Stored(Box<[Stream; 9]>),
    Constant([f32; 4]),
}

/// A level: its grid, its operator and its vectors.
pub struct GridLevel {
    pub(crate) grid: Rc<LayeredGrid>,
    pub(crate) kernels: Rc<OperatorKernels>,
    stencil: Stencil,
    space: TextureSpace,
}

impl GridLevel {
    pub(crate) fn new(
        grid: Rc<LayeredGrid>,
        kind: StencilKind,
        stencil: Stencil,
    ) -> Result<Self, StreamError> {
        Ok(Self {
            kernels: OperatorKernels::new(grid.machine(), kind)?,
            space: grid.space()?,
            grid,
            stencil,
        })
    }

    /// The level's grid, which draws any kernel.
    pub fn grid(&self) -> &Rc<LayeredGrid> {
        &self.grid
    }

    /// The level's vectors as a space: norms, inner products.
    pub fn space(&self) -> &TextureSpace {
        &self.space
    }

    /// The nine streams A^d in the order of [`OFFSETS`](super::stencil::OFFSETS), if they are stored.
    pub fn stored(&self) -> Option<&[Stream; 9]> {
        match &self.stencil {
            Stencil::Stored(entries) => Some(entries),
            Stencil::Constant(_) => None,
        }
    }

    /// Binds the inputs of `APPLY`: the stencil, and the vector u.
    pub(crate) fn operand<'a>(&'a self, pass: Pass<'a>, u: &'a Stream) -> Pass<'a> {
        match &self.stencil {
            Stencil::Stored(entries) => entries_of(pass, entries),
            Stencil::Constant(constants) => pass.set("stencil", *constants),
        }
        .read("u", u)
    }

    /// v ← A u
    pub fn multiply(&self, u: &Stream, v: &Stream) -> Result<(), StreamError> {
        // §4.2: v[i] = Σ_d A^d[i] u[i + d]
        self.grid.draw(&self.kernels.product, v, |pass| self.operand(pass, u))
    }

    /// r ← b − A u
    pub fn residual(&self, b: &Stream, u: &Stream, r: &Stream) -> Result<(), StreamError> {
        self.grid.draw(&self.kernels.residual, r, |pass| self.operand(pass, u).read("b", b))
    }

    /// v ← u + ω D⁻¹ (b − A u)
    pub fn jacobi(
        &self,
        omega: f32,
        b: &Stream,
        u: &Stream,
        v: &Stream,
    ) -> Result<(), StreamError> {
        self.grid.draw(&self.kernels.jacobi, v, |pass| {
            self.operand(pass, u).read("b", b).set("omega", omega)
        })
    }

    /// Improves u, or zero, by a sweep of Jacobi with each of these weights.
    pub(crate) fn sweep(
        &self,
        weights: &[f64],
        start: Start,
        b: &Stream,
        u: &mut Stream,
    ) -> Result<(), StreamError> {
        let mut weights = weights.iter().map(|&omega| omega as f32);
        if start == Start::Zero {
            match weights.next() {
                None => u.fill([0.0; 4]),
                Some(omega) => self.scale_by_diagonal(omega, b, u)?,
            }
        }
        // §4.2, Relax: u ← u + ω D⁻¹ (b − A u)
        for omega in weights {
            let sweep = |u: &Stream, target: &Stream| self.jacobi(omega, b, u, target);
            self.space.replace(u, sweep)?;
        }
        Ok(())
    }

    /// v ← factor D⁻¹ u
    pub fn scale_by_diagonal(
        &self,
        factor: f32,
        u: &Stream,
        v: &Stream,
    ) -> Result<(), StreamError> {
        self.grid.draw(&self.kernels.scale_by_diagonal, v, |pass| {
            self.operand(pass, u).set("omega", factor)
        })
    }
}

/// Binds the nine streams of a stored stencil.
pub(crate) fn entries_of<'a>(pass: Pass<'a>, entries: &'a [Stream; 9]) -> Pass<'a> {
    let named = ENTRIES.iter().zip(entries);
    named.fold(pass, |pass, (name, entry)| pass.read(name, entry))
}

/// The operator of a level, and its diagonal as a preconditioner, for conjugate gradients.
pub(crate) struct Diagonal<'a>(pub &'a GridLevel);

impl Operator<TextureSpace> for GridLevel {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(x, y)
    }
}

impl Operator<TextureSpace> for Diagonal<'_> {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.0.scale_by_diagonal(1.0, x, y)
    }
}

/// Creates nine vectors for a level's stencils.
pub(crate) fn entry_streams(grid: &LayeredGrid) -> Result<[Stream; 9], StreamError> {
    all(ENTRIES.map(|name| grid.zeros(name)))
}

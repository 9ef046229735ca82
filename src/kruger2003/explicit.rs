//! Water by the explicit scheme, with which the paper compares its implicit one (Krüger and Westermann 2003, section 6).

use crate::solver::{Operation, TextureSpace};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

use super::diagonals::five_point;
use super::{DiagonalMatrix, Error, Matrix, ProductOptions};

/// Heights of water: u_after = −M u − u_before, where M is −2 − (c Δt / h)² L.
pub struct Explicit {
    space: TextureSpace,
    matrix: DiagonalMatrix,
    /// The heights before, now and after.
    pub heights: [Stream; 3],
    product: Stream,
}

impl Explicit {
    /// Water on side² cells with the same heights in two steps.
    pub fn new(machine: &Machine, side: u32, courant: f64, heights: &[f32]) -> Result<Self, Error> {
        let size = (side, side);
        let space = TextureSpace::new(machine, Layout::grid(size, Format::R32F))?;
        let matrix = five_point(size, courant * courant, |_| -2.0);
        let options = ProductOptions::default();
        Ok(Self {
            matrix: DiagonalMatrix::new(machine, space.layout(), &matrix, options)?,
            heights: [space.vector(heights)?, space.vector(heights)?, space.zeros()?],
            product: space.zeros()?,
            space,
        })
    }

    /// Advances by one time step.
    pub fn step(&mut self) -> Result<(), StreamError> {
        let [before, now, after] = &self.heights;
        // §4, ∇²u at t: u_after = 2 u + (c Δt / h)² L u − u_before = −M u − u_before
        self.matrix.multiply(now, &mut self.product)?;
        let (product, before) = ((-1.0, &self.product), (1.0, before));
        self.space.combine(Operation::Subtract, product, before, after)?;
        self.heights.rotate_left(1);
        Ok(())
    }
}

//! The vectors of one level as a vector space, for conjugate gradients on the coarsest grid and for
//! norms (Bolz et al. 2003, section 4.2).

use std::cell::RefCell;
use std::rc::Rc;

use crate::solver::{TextureSpace, VectorSpace};
use crate::stream::{Edges, Reduce, Reduction, Stream, StreamError};

use super::kernels::{GridKernel, GridKernels};
use super::layering::LayeredGrid;

/// All vectors of a level. Sums count every node once, however often it is stored.
pub struct GridSpace {
    grid: Rc<LayeredGrid>,
    kernels: Rc<GridKernels>,
    space: TextureSpace,
    sum: Reduction,
    /// A vector in which every node stands once, the rest zero.
    once: RefCell<Stream>,
}

impl GridSpace {
    /// The space of the vectors of this level.
    pub fn new(grid: &Rc<LayeredGrid>, kernels: &Rc<GridKernels>) -> Result<Self, StreamError> {
        let machine = grid.machine();
        let (size, format) = (grid.layering().size(), grid.layering().format());
        Ok(Self {
            grid: Rc::clone(grid),
            kernels: Rc::clone(kernels),
            space: TextureSpace::new(machine, size, format, Edges::Padded)?,
            sum: Reduction::new(machine, size, format, Reduce::Sum, Edges::Padded)?,
            once: RefCell::new(grid.zeros("every node once")?),
        })
    }

    /// ‖v‖₂ of the vector that a kernel computes, one that keeps every node once.
    pub fn norm_of<'a>(
        &self,
        owned: &'a GridKernel,
        bind: impl Fn(crate::stream::Pass<'a>) -> crate::stream::Pass<'a>,
    ) -> Result<f64, StreamError> {
        let once = self.once.borrow();
        self.grid.draw_owned(owned, &once, bind)?;
        Ok(added(self.sum.of_product(&once, &once)?).sqrt())
    }

    /// ‖v‖₂
    pub fn norm(&self, v: &Stream) -> Result<f64, StreamError> {
        self.norm_of(&self.kernels.copy_owned, |pass| pass.read("v", v))
    }
}

/// The channels' sums, added in double precision.
fn added(channels: [f32; 4]) -> f64 {
    channels.iter().map(|&sum| f64::from(sum)).sum()
}

impl VectorSpace for GridSpace {
    type Vector = Stream;
    type Error = StreamError;

    fn zeros(&self) -> Result<Stream, StreamError> {
        self.grid.zeros("vector")
    }

    fn copy(&self, from: &Stream, to: &mut Stream) -> Result<(), StreamError> {
        self.space.copy(from, to)
    }

    fn axpy(&self, y: &mut Stream, alpha: f64, x: &Stream) -> Result<(), StreamError> {
        self.space.axpy(y, alpha, x)
    }

    fn xpby(&self, y: &mut Stream, beta: f64, x: &Stream) -> Result<(), StreamError> {
        self.space.xpby(y, beta, x)
    }

    fn subtract(&self, x: &Stream, y: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        self.space.subtract(x, y, z)
    }

    fn dot(&self, x: &Stream, y: &Stream) -> Result<f64, StreamError> {
        let once = self.once.borrow();
        self.grid
            .draw_owned(&self.kernels.copy_owned, &once, |pass| pass.read("v", x))?;
        Ok(added(self.sum.of_product(&once, y)?))
    }
}

//! Diagonal preconditioning (Bolz et al. 2003, section 3.1.1, notes): the reason why the diagonal
//! has a stream of its own.

use std::rc::Rc;

use crate::solver::{Operator, TextureSpace};
use crate::stream::{Kernel, Machine, Pass, Source, Stream, StreamError, source};

const DIVIDE: Source = source!("bolz2003/divide_by_diagonal");

/// z ← D⁻¹ r, with the diagonal of a matrix; zero where there is no row.
pub struct DiagonalPreconditioner<'a> {
    kernel: Rc<Kernel>,
    diagonal: &'a Stream,
}

impl<'a> DiagonalPreconditioner<'a> {
    /// The preconditioner of a matrix with this diagonal stream.
    pub fn new(machine: &Machine, diagonal: &'a Stream) -> Result<Self, StreamError> {
        Ok(Self {
            kernel: machine.kernel(&DIVIDE, &[])?,
            diagonal,
        })
    }
}

impl Operator<TextureSpace> for DiagonalPreconditioner<'_> {
    fn apply(&self, space: &TextureSpace, r: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        Pass::new(&self.kernel)
            .read("diagonal", self.diagonal)
            .read("r", r)
            .draw(z, &space.machine().rect(z.full())?)
    }
}

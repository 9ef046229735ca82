//! The paper's interface (Krüger and Westermann 2003, section 3), over [`TextureSpace`]: the calls of its
//! listings, with `NULL` for a missing operand.
//!
//! | the paper | here |
//! |---|---|
//! | `clVec` | [`Stream`], with its [`Layout`] |
//! | `clMat` | [`Matrix`] |
//! | `clVecOp(op, α, β, x, y, res)` | [`cl_vec_op`] |
//! | `clVecReduce(cmb, x, y)` | [`cl_vec_reduce`] |
//! | `clMatVec(op, A, x, y, res)` | [`cl_mat_vec`] |
//! | `CL_ADD`, `CL_SUB`, `CL_MULT` | [`Operation`] |
//! | `CL_ADD`, `CL_MULT`, `CL_MAX`, `CL_MIN`, `CL_ABS` of a reduction | [`Reduce`] |
//!
//! The conjugate gradients of section 5.1, call by call, are in
//! [`solvers::gradients`](crate::kruger2003::solvers::gradients).

use crate::solver::{Operation, Operator, TextureSpace, VectorSpace};
use crate::stream::{Layout, Reduce, Stream, StreamError};

use crate::kruger2003::AlgebraError;

/// An operand with its factor: α x. `None` is the paper's `NULL`.
pub type Term<'a> = Option<(f64, &'a Stream)>;

/// z ← (α x) op (β y), entry by entry.
///
/// A missing operand is the operation's neutral element: without y the result is α x, without x
/// it is β y, or −β y for a difference.
pub fn cl_vec_op(
    space: &TextureSpace,
    op: Operation,
    x: Term<'_>,
    y: Term<'_>,
    z: &Stream,
) -> Result<(), AlgebraError> {
    match (x, y) {
        (Some(x), Some(y)) => space.combine(op, x, y, z)?,
        (None, Some((beta, y))) if op == Operation::Subtract => space.scale(-beta, y, z)?,
        (Some((factor, only)), None) | (None, Some((factor, only))) => {
            space.scale(factor, only, z)?;
        }
        (None, None) => return Err(AlgebraError::NoOperand),
    }
    Ok(())
}

/// All entries of x, or all products `x[i] * y[i]`, combined into one number.
/// [`Reduce::AbsoluteSum`] is `CL_ABS`: the sum of the absolute values.
pub fn cl_vec_reduce(
    space: &TextureSpace,
    cmb: Reduce,
    x: &Stream,
    y: Option<&Stream>,
) -> Result<f64, StreamError> {
    space.reduce(cmb, x, y)
}

/// z ← A x op y.
///
/// The product is rendered first, and combined with y in a last pass. Without A and x the
/// result is y (−y for a difference), without y it is A x.
pub fn cl_mat_vec(
    space: &TextureSpace,
    op: Operation,
    product: Option<(&dyn Matrix, &Stream)>,
    y: Option<&Stream>,
    z: &mut Stream,
) -> Result<(), AlgebraError> {
    let y = y.map(|y| (1.0, y));
    match (product, y) {
        (Some((a, x)), None) => Ok(a.multiply(x, z)?),
        (Some((a, x)), Some(y)) => space.with_spare(|spare| {
            a.multiply(x, spare)?;
            Ok(space.combine(op, (1.0, spare), y, z)?)
        }),
        (None, y) => cl_vec_op(space, op, None, y, z),
    }
}

/// b − A x in a vector of its own: the residual of each entry.
pub fn residual(
    space: &TextureSpace,
    a: &dyn Matrix,
    x: &Stream,
    b: &Stream,
) -> Result<Stream, StreamError> {
    let mut residual = space.zeros()?;
    space.with_spare(|product| {
        a.multiply(x, product)?;
        space.subtract(b, product, &mut residual)
    })?;
    Ok(residual)
}

/// A square matrix in graphics memory, whatever its layout: the paper's `clMat`.
pub trait Matrix {
    /// y ← A x. Writes all of y, including its padding.
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError>;
}

impl<M: Matrix + ?Sized> Matrix for Box<M> {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        (**self).multiply(x, y)
    }
}

impl<M: Matrix> Operator<TextureSpace> for M {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(x, y)
    }
}

/// Fails unless a matrix of this size acts on vectors of this layout.
pub(crate) fn check_shape(layout: Layout, rows: usize, columns: usize) -> Result<(), AlgebraError> {
    let length = layout.length();
    if rows == length && columns == length {
        return Ok(());
    }
    Err(AlgebraError::Shape {
        rows,
        columns,
        length,
    })
}

/// Fails unless a texel holds one entry or four, for which the programs of matrices are written.
pub(crate) fn check_channels(layout: Layout) -> Result<(), AlgebraError> {
    match layout.channels() {
        1 | 4 => Ok(()),
        _ => Err(AlgebraError::Format {
            what: "a matrix",
            got: layout.format(),
            needed: "Format::R32F or Format::Rgba32F",
        }),
    }
}

/// Fails unless this many diagonals or columns can be taken per pass.
pub(crate) fn check_a_pass(
    what: &'static str,
    got: usize,
    most: usize,
) -> Result<(), AlgebraError> {
    if (1..=most).contains(&got) {
        Ok(())
    } else {
        Err(AlgebraError::APass { what, got, most })
    }
}

/// Largest number of bytes of textures per matrix. Drivers that render in main memory allocate whatever
/// is requested, until the process is killed.
pub const MOST_BYTES: u64 = 1 << 31;

/// Fails unless the textures of a matrix are within [`MOST_BYTES`].
pub(crate) fn check_bytes(what: String, bytes: u64, remedy: &str) -> Result<(), AlgebraError> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(AlgebraError::TooMuchMemory {
        what,
        bytes,
        most: MOST_BYTES,
        remedy: remedy.into(),
    })
}

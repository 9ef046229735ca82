//! The paper's interface (Krüger and Westermann 2003, section 3), over [`TextureSpace`]: the calls of its
//! listings, with `NULL` for a missing operand, and sums over several passes.
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
//! A product with a matrix sums over several passes (section 3.2). The paper binds the render target as a texture
//! too, so that a pass can add to the result of the previous one. Whether that was defined depended on the driver;
//! with a texture barrier between the passes it is. The alternative is to use two textures alternately (ping-pong).

use crate::solver::{Csr, Operation, Operator, TextureSpace, VectorSpace};
use crate::stream::{Format, Layout, Machine, Pass, Reduce, Size, Stream, StreamError};

use super::Error;

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
) -> Result<(), Error> {
    match (x, y) {
        // §3.1: z_i = (α x_i) op (β y_i)
        (Some(x), Some(y)) => space.combine(op, x, y, z)?,
        (None, Some((beta, y))) if op == Operation::Subtract => space.scale(-beta, y, z)?,
        (Some((factor, only)), None) | (None, Some((factor, only))) => {
            space.scale(factor, only, z)?;
        }
        (None, None) => return Err(Error::NoOperand),
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
) -> Result<(), Error> {
    let y = y.map(|y| (1.0, y));
    match (product, y) {
        (Some((a, x)), None) => Ok(a.multiply(x, z)?),
        // §3.2: A x in a texture of its own, then z = A x op y
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
pub(crate) fn check_shape(layout: Layout, rows: usize, columns: usize) -> Result<(), Error> {
    let length = layout.length();
    if rows == length && columns == length {
        return Ok(());
    }
    Err(Error::Shape { rows, columns, length })
}

/// The square matrix with these entries, whose indices are below n.
pub(crate) fn square(n: usize, entries: impl IntoIterator<Item = (usize, usize, f64)>) -> Csr<f64> {
    match Csr::from_triplets(n, n, entries) {
        Ok(matrix) => matrix,
        Err(error) => unreachable!("all indices are below {n}: {error}"),
    }
}

/// Fails unless a texel holds one entry or four, for which the programs of matrices are written.
pub(crate) fn check_channels(layout: Layout) -> Result<(), Error> {
    match layout.channels() {
        1 | 4 => Ok(()),
        _ => Err(Error::Format {
            what: "a matrix",
            got: layout.format(),
            needed: "Format::R32F or Format::Rgba32F",
        }),
    }
}

/// Largest number of bytes of textures per matrix. Drivers that render in main memory allocate whatever
/// is requested, until the process is killed.
pub const MOST_BYTES: u64 = 1 << 31;

/// Fails unless the textures of a matrix are within [`MOST_BYTES`].
pub(crate) fn check_bytes(what: String, bytes: u64, remedy: &'static str) -> Result<(), Error> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(Error::TooMuchMemory { what, bytes, most: MOST_BYTES, remedy })
}

/// Location of the partial sum that a pass reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Accumulation {
    /// Another texture; two are used alternately.
    #[default]
    PingPong,
    /// The pass's own target, as in the paper: a feedback pass, after a texture barrier.
    InPlace,
}

/// Options of a product that sums over several passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProductOptions {
    /// Diagonals or columns per pass; by default as many as the program takes.
    pub per_pass: Option<usize>,
    /// Location of the partial sum.
    pub accumulation: Accumulation,
}

impl ProductOptions {
    /// This number per pass, or the error that more than `most` are not possible.
    pub(crate) fn per_pass(self, what: &'static str, most: usize) -> Result<usize, Error> {
        let got = self.per_pass.unwrap_or(most);
        if (1..=most).contains(&got) { Ok(got) } else { Err(Error::PerPass { what, got, most }) }
    }
}

impl Accumulation {
    /// Both methods.
    pub const ALL: [Self; 2] = [Self::PingPong, Self::InPlace];
}

/// The second texture for ping-pong, if sums are accumulated that way.
pub(crate) struct Accumulator {
    spare: Option<Stream>,
}

/// One pass of a sum.
pub(crate) struct Step<'a> {
    /// Its number, from 0.
    pub number: usize,
    /// Target of the previous pass. Holds no sum yet before the first pass.
    pub before: &'a Stream,
    /// Target of this pass.
    pub target: &'a Stream,
    in_place: bool,
}

impl<'a> Step<'a> {
    /// Binds the input `before` of the pass.
    pub fn fill(&self, pass: Pass<'a>) -> Pass<'a> {
        let pass = pass.read("before", self.before);
        if self.in_place { pass.feedback() } else { pass }
    }
}

impl Accumulator {
    /// Creates it for results of this size and format.
    pub fn new(
        machine: &Machine,
        accumulation: Accumulation,
        size: Size,
        format: Format,
    ) -> Result<Self, StreamError> {
        let spare = match accumulation {
            Accumulation::PingPong => Some(Stream::zeros(machine, "partial sum", size, format)?),
            Accumulation::InPlace => None,
        };
        Ok(Self { spare })
    }

    /// Sets both textures to zero, for passes that do not write all of their target.
    pub fn clear(&self, y: &Stream) {
        y.fill([0.0; 4]);
        if let Some(spare) = &self.spare {
            spare.fill([0.0; 4]);
        }
    }

    /// Runs a number of passes, the last of which renders to `y`.
    pub fn run<E>(
        &self,
        passes: usize,
        y: &Stream,
        mut draw: impl FnMut(Step<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..passes).try_for_each(|number| {
            let (before, target) = match &self.spare {
                None => (y, y),
                Some(spare) if (passes - number) % 2 == 1 => (spare, y),
                Some(spare) => (y, spare),
            };
            draw(Step { number, before, target, in_place: self.spare.is_none() })
        })
    }
}

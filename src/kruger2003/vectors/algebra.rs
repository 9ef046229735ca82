//! The basic operations on vectors of one layout (Krüger and Westermann 2003, section 3).
//!
//! | the paper | here |
//! |---|---|
//! | `clVecOp(op, α, β, x, y, res)` | [`Algebra::combine`] |
//! | `clVecReduce(cmb, x, y)` | [`Algebra::reduce`] |
//! | `clMatVec(op, A, x, y, res)` | [`Algebra::multiply`] |
//! | `CL_ADD`, `CL_SUB`, `CL_MULT` | [`Operation`] |
//! | `CL_ADD`, `CL_MULT`, `CL_MAX`, `CL_MIN`, `CL_ABS` of a reduction | [`Reduce`] |
//!
//! An [`Algebra`] is a [`VectorSpace`], each of whose operations is one of these calls. So the
//! conjugate gradients of section 5.1 are [`crate::solver::conjugate_gradients()`] on an algebra, the
//! same iteration line by line: lines 1 to 3 are its first residual (there with the sign turned
//! twice), 4 to 9 and 13 its products, inner products and combinations. The sum in line 5 is the
//! one that line 11 has found an iteration before, and is not taken again.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::solver::{Operator, VectorSpace};
use crate::stream::{
    Edges, Kernel, Machine, Pass, Rects, Reduce, Reduction, Source, Stream, StreamError, source,
};

use crate::kruger2003::{AlgebraError, Layout, Packing, Vector};

const VECTOR_OP: Source = source!("kruger2003/vector_op");
const SCALE: Source = source!("kruger2003/scale");
const PAD: Source = source!("kruger2003/pad");

/// What two vectors are combined with, entry by entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `CL_ADD`
    Add,
    /// `CL_SUB`
    Subtract,
    /// `CL_MULT`
    Multiply,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Add, Self::Subtract, Self::Multiply];

    /// The operation in the program's language.
    fn combine(self) -> &'static str {
        match self {
            Self::Add => "((a) + (b))",
            Self::Subtract => "((a) - (b))",
            Self::Multiply => "((a) * (b))",
        }
    }
}

/// An operand with its factor: α x. `None` is the paper's `NULL`.
pub type Term<'a> = Option<(f64, &'a Vector)>;

/// The most bytes of textures that a matrix may take. Drivers that render in main memory take what
/// they are asked for, until the process is ended for it.
pub const MOST_BYTES: u64 = 1 << 31;

/// An error unless the textures of a matrix are within [`MOST_BYTES`].
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

/// A square matrix in graphics memory, whatever its layout: the paper's `clMat`.
pub trait Matrix {
    /// The layout of the vectors that it acts on.
    fn layout(&self) -> Layout;

    /// y ← A x. All of y is rendered, its padding too.
    ///
    /// # Errors
    /// [`AlgebraError::Layout`], or those of the machine.
    fn multiply(&self, x: &Vector, y: &mut Vector) -> Result<(), AlgebraError>;
}

impl<M: Matrix + ?Sized> Matrix for Box<M> {
    fn layout(&self) -> Layout {
        (**self).layout()
    }

    fn multiply(&self, x: &Vector, y: &mut Vector) -> Result<(), AlgebraError> {
        (**self).multiply(x, y)
    }
}

impl<M: Matrix> Operator<Algebra> for M {
    fn apply(&self, _: &Algebra, x: &Vector, y: &mut Vector) -> Result<(), AlgebraError> {
        self.multiply(x, y)
    }
}

/// The operations on vectors of one layout, with their programs and intermediate textures.
pub struct Algebra {
    machine: Machine,
    layout: Layout,
    full: Rects,
    operations: [Rc<Kernel>; 3],
    scale: Rc<Kernel>,
    /// One a [`Reduce`], built at its first use.
    reductions: [OnceCell<Reduction>; 5],
    /// Where a vector that reads itself is rendered, before the two change places.
    spare: RefCell<Vector>,
}

impl Algebra {
    /// The operations on vectors of this layout.
    ///
    /// # Errors
    /// [`AlgebraError::TooLarge`] over the driver's limit, [`AlgebraError::Stream`] when memory is
    /// short.
    pub fn new(machine: &Machine, layout: Layout) -> Result<Self, AlgebraError> {
        let spare = RefCell::new(Vector::zeros(machine, layout)?);
        let kernel = |operation: Operation| {
            machine.kernel(&VECTOR_OP, &[("COMBINE(a, b)", operation.combine())])
        };
        Ok(Self {
            machine: machine.clone(),
            layout,
            full: machine.rects(&layout.rectangles())?,
            operations: [
                kernel(Operation::Add)?,
                kernel(Operation::Subtract)?,
                kernel(Operation::Multiply)?,
            ],
            scale: machine.kernel(&SCALE, &[])?,
            reductions: Default::default(),
            spare,
        })
    }

    /// The machine that holds the vectors.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The layout of the vectors.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// A vector of zeros.
    pub fn zeros(&self) -> Result<Vector, AlgebraError> {
        Vector::zeros(&self.machine, self.layout)
    }

    /// A vector with these entries.
    ///
    /// # Errors
    /// [`AlgebraError::Length`], or when memory is short.
    pub fn vector(&self, entries: &[f32]) -> Result<Vector, AlgebraError> {
        Vector::new(&self.machine, self.layout, entries)
    }

    /// z ← (α x) op (β y), entry by entry: the paper's `clVecOp`.
    ///
    /// A missing operand is the operation's neutral element: without y the result is α x, without x
    /// it is β y, or −β y for a difference. Factors are rounded to single precision.
    ///
    /// # Errors
    /// [`AlgebraError::Layout`], [`AlgebraError::NoOperand`], or those of the machine.
    pub fn combine(
        &self,
        op: Operation,
        x: Term<'_>,
        y: Term<'_>,
        z: &mut Vector,
    ) -> Result<(), AlgebraError> {
        for (what, operand) in [("x", x), ("y", y), ("the result", Some((1.0, &*z)))] {
            if let Some((_, vector)) = operand {
                self.layout.expect(what, &vector.layout())?;
            }
        }
        let (factor, only) = match (x, y) {
            (Some((alpha, x)), Some((beta, y))) => {
                return Ok(Pass::new(&self.operations[op as usize])
                    .read("x", x.stream())
                    .read("y", y.stream())
                    .set("alpha", alpha as f32)
                    .set("beta", beta as f32)
                    .draw(z.stream(), &self.full)?);
            }
            (Some(only), None) => only,
            (None, Some((beta, y))) if op == Operation::Subtract => (-beta, y),
            (None, Some(only)) => only,
            (None, None) => return Err(AlgebraError::NoOperand),
        };
        Ok(Pass::new(&self.scale)
            .read("x", only.stream())
            .set("alpha", factor as f32)
            .draw(z.stream(), &self.full)?)
    }

    /// y ← (α y) op (β x): as [`Algebra::combine`] where the result is an operand too. It is
    /// rendered into a spare texture, which then changes places with that of y.
    pub fn update(
        &self,
        op: Operation,
        (alpha, y): (f64, &mut Vector),
        x: Term<'_>,
    ) -> Result<(), AlgebraError> {
        let mut spare = self.spare.borrow_mut();
        self.combine(op, Some((alpha, y)), x, &mut spare)?;
        std::mem::swap(y, &mut spare);
        Ok(())
    }

    /// All entries of x, or all products `x[i] * y[i]`, combined into one number: the paper's
    /// `clVecReduce`. [`Reduce::AbsoluteSum`] is `CL_ABS`: the sum of the absolute values.
    ///
    /// One read-back of a single texel; the four channels of [`Packing::Quad`] are combined on the
    /// CPU. Operators whose neutral element is not zero take one pass more where there is padding.
    ///
    /// # Errors
    /// [`AlgebraError::Layout`], or those of the machine.
    pub fn reduce(&self, op: Reduce, x: &Vector, y: Option<&Vector>) -> Result<f64, AlgebraError> {
        self.layout.expect("x", &x.layout())?;
        if let Some(y) = y {
            self.layout.expect("y", &y.layout())?;
        }
        let reduction = self.reduction(op)?;
        let channels = if op.identity() != 0.0 && self.layout.has_padding() {
            let spare = self.spare.borrow();
            self.pad(op, x, y, spare.stream())?;
            reduction.of(spare.stream())?
        } else if let Some(y) = y {
            reduction.of_product(x.stream(), y.stream())?
        } else {
            reduction.of(x.stream())?
        };
        let channels = channels[..self.layout.packing().entries()].iter();
        let channels = channels.map(|&value| f64::from(value));
        Ok(match op {
            Reduce::Sum | Reduce::AbsoluteSum => channels.sum(),
            Reduce::Product => channels.product(),
            Reduce::Maximum => channels.fold(f64::NEG_INFINITY, f64::max),
            Reduce::Minimum => channels.fold(f64::INFINITY, f64::min),
        })
    }

    fn reduction(&self, op: Reduce) -> Result<&Reduction, StreamError> {
        let cell = &self.reductions[op as usize];
        if let Some(reduction) = cell.get() {
            return Ok(reduction);
        }
        let format = self.layout.packing().format();
        let size = self.layout.size();
        let reduction = Reduction::new(&self.machine, size, format, op, Edges::Padded)?;
        Ok(cell.get_or_init(|| reduction))
    }

    /// target ← x, or x times y, with the neutral element of `op` in the padding.
    fn pad(
        &self,
        op: Reduce,
        x: &Vector,
        y: Option<&Vector>,
        target: &Stream,
    ) -> Result<(), StreamError> {
        let source = match y {
            Some(_) => "(fetch(x, here) * fetch(y, here))",
            None => "fetch(x, here)",
        };
        let channels = match self.layout.packing() {
            Packing::Single => "1.0",
            Packing::Quad => "4.0",
        };
        let defines = [
            ("SOURCE", source),
            ("IDENTITY", &format!("{:?}", op.identity())),
            ("CHANNELS", channels),
        ];
        let kernel = self.machine.kernel(&PAD, &defines)?;
        let row = self.layout.size().0 as usize * self.layout.packing().entries();
        let end = self.layout.length();
        Pass::new(&kernel)
            .read("x", x.stream())
            .read("y", y.unwrap_or(x).stream())
            .set("end", [(end % row) as f32, (end / row) as f32])
            .draw(target, &self.full)
    }

    /// z ← A x op y: the paper's `clMatVec`.
    ///
    /// The product is rendered first, and combined with y in a last pass. Without A and x the
    /// result is y (−y for a difference), without y it is A x.
    ///
    /// # Errors
    /// [`AlgebraError::Layout`], [`AlgebraError::NoOperand`], or those of the machine.
    pub fn multiply(
        &self,
        op: Operation,
        product: Option<(&dyn Matrix, &Vector)>,
        y: Option<&Vector>,
        z: &mut Vector,
    ) -> Result<(), AlgebraError> {
        let y = y.map(|y| (1.0, y));
        match (product, y) {
            (Some((a, x)), None) => a.multiply(x, z),
            (Some((a, x)), y) => {
                let mut spare = self.spare.borrow_mut();
                a.multiply(x, &mut spare)?;
                self.combine(op, Some((1.0, &*spare)), y, z)
            }
            (None, y) => self.combine(op, None, y, z),
        }
    }

    /// b − A x in a vector of its own: the residual of each entry.
    pub fn residual(&self, a: &dyn Matrix, x: &Vector, b: &Vector) -> Result<Vector, AlgebraError> {
        let (mut product, mut residual) = (self.zeros()?, self.zeros()?);
        a.multiply(x, &mut product)?;
        let terms = (Some((1.0, b)), Some((1.0, &product)));
        self.combine(Operation::Subtract, terms.0, terms.1, &mut residual)?;
        Ok(residual)
    }
}

impl VectorSpace for Algebra {
    type Vector = Vector;
    type Error = AlgebraError;

    fn zeros(&self) -> Result<Vector, AlgebraError> {
        Algebra::zeros(self)
    }

    fn copy(&self, from: &Vector, to: &mut Vector) -> Result<(), AlgebraError> {
        self.combine(Operation::Add, Some((1.0, from)), None, to)
    }

    fn axpy(&self, y: &mut Vector, alpha: f64, x: &Vector) -> Result<(), AlgebraError> {
        self.update(Operation::Add, (1.0, y), Some((alpha, x)))
    }

    fn xpby(&self, y: &mut Vector, beta: f64, x: &Vector) -> Result<(), AlgebraError> {
        self.update(Operation::Add, (beta, y), Some((1.0, x)))
    }

    fn subtract(&self, x: &Vector, y: &Vector, z: &mut Vector) -> Result<(), AlgebraError> {
        self.combine(Operation::Subtract, Some((1.0, x)), Some((1.0, y)), z)
    }

    fn dot(&self, x: &Vector, y: &Vector) -> Result<f64, AlgebraError> {
        self.reduce(Reduce::Sum, x, Some(y))
    }
}

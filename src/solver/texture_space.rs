//! Vectors in textures: the space in which solvers run on the GPU.
//!
//! All vectors of a space share one [`Layout`]. Texels without an entry take part in every operation: operators
//! leave zeros there, so they never contribute to a sum. If entries are stored more than once, a mask selects
//! the copies that are summed.
//!
//! The operations are those of Krüger and Westermann 2003, section 3: [`combine`] (`clVecOp`) and [`reduce`]
//! (`clVecReduce`). Those that conjugate gradients need form a [`VectorSpace`].
//!
//! [`combine`]: TextureSpace::combine
//! [`reduce`]: TextureSpace::reduce

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::stream::{
    Combine, Edges, Kernel, Layout, Machine, Pass, Rects, Reduce, Reduction, Source, Stream,
    StreamError, source,
};

use super::space::VectorSpace;

const VECTOR_OP: Source = source!(stream, "vector_op");
const SCALE: Source = source!(stream, "scale");
const PAD: Source = source!(stream, "pad");

/// Operation that combines two vectors entry by entry.
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
    /// All operations.
    pub const ALL: [Self; 3] = [Self::Add, Self::Subtract, Self::Multiply];

    /// The operation on two numbers.
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
        }
    }

    /// GLSL expression of the operation.
    fn combine(self) -> &'static str {
        match self {
            Self::Add => "((a) + (b))",
            Self::Subtract => "((a) - (b))",
            Self::Multiply => "((a) * (b))",
        }
    }
}

/// Renders a masked copy of its first argument into its second: entries that are summed are kept, the rest is
/// zero.
type Copy = Box<dyn Fn(&Stream, &Stream) -> Result<(), StreamError>>;

/// Selects each entry once, however often it is stored.
struct Mask {
    copy: Copy,
    /// Target of the copies, allocated by the first. Texels outside of the copies remain zero.
    once: OnceCell<Stream>,
}

/// Operations on vectors of one layout, with their programs and intermediate textures.
///
/// A pass cannot read its target, so y ← y + αx is rendered into a spare stream, which is then swapped with y.
/// One spare serves all vectors.
pub struct TextureSpace {
    machine: Machine,
    layout: Layout,
    full: Rects,
    operations: [Rc<Kernel>; 3],
    scale: Rc<Kernel>,
    /// One per [`Reduce`], built at its first use except for the sum.
    reductions: [OnceCell<Reduction>; 5],
    /// Number of records at which reductions stop.
    stop_at: u64,
    spare: RefCell<Stream>,
    mask: Option<Mask>,
}

impl TextureSpace {
    /// The space of the vectors of this layout.
    pub fn new(machine: &Machine, layout: Layout) -> Result<Self, StreamError> {
        let spare = RefCell::new(Stream::vector(machine, "spare", layout)?);
        let kernel = |operation: Operation| {
            machine.kernel(&VECTOR_OP, &[("COMBINE(a, b)", operation.combine())])
        };
        let space = Self {
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
            stop_at: 1,
            spare,
            mask: None,
        };
        // Every solver needs sums: nothing must be uploaded for them while it runs.
        space.reduction(Reduce::Sum)?;
        Ok(space)
    }

    /// A space for layouts that store entries more than once. `copy` renders a copy of its first argument into
    /// its second in which every entry occurs once, the rest zero. It masks all inner products, and nothing
    /// else.
    pub fn masked(
        self,
        copy: impl Fn(&Stream, &Stream) -> Result<(), StreamError> + 'static,
    ) -> Self {
        Self { mask: Some(Mask { copy: Box::new(copy), once: OnceCell::new() }), ..self }
    }

    /// Makes reductions stop as soon as at most `records` records are left
    /// ([`Reduction::stopping_at`]).
    pub fn stopping_at(self, records: u64) -> Result<Self, StreamError> {
        let space = Self { stop_at: records, reductions: Default::default(), ..self };
        space.reduction(Reduce::Sum)?;
        Ok(space)
    }

    /// The machine that holds the vectors.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The layout of the vectors.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Rectangles of an operation on all entries.
    pub fn all(&self) -> &Rects {
        &self.full
    }

    /// A vector of zeros.
    pub fn zeros(&self) -> Result<Stream, StreamError> {
        Stream::vector(&self.machine, "vector", self.layout)
    }

    /// A vector with these entries.
    pub fn vector(&self, entries: &[f32]) -> Result<Stream, StreamError> {
        Stream::from_entries(&self.machine, "vector", self.layout, entries)
    }

    /// z ← (α x) op (β y), entry by entry. Factors are rounded to single precision.
    pub fn combine(
        &self,
        op: Operation,
        (alpha, x): (f64, &Stream),
        (beta, y): (f64, &Stream),
        z: &Stream,
    ) -> Result<(), StreamError> {
        self.expect([("x", x), ("y", y), ("the result", z)])?;
        Pass::new(&self.operations[op as usize])
            .read("x", x)
            .read("y", y)
            .set("alpha", alpha as f32)
            .set("beta", beta as f32)
            .draw(z, &self.full)
    }

    /// z ← α x
    pub fn scale(&self, alpha: f64, x: &Stream, z: &Stream) -> Result<(), StreamError> {
        self.expect([("x", x), ("the result", z)])?;
        Pass::new(&self.scale).read("x", x).set("alpha", alpha as f32).draw(z, &self.full)
    }

    /// Renders y into the spare by `draw`, then swaps the two, as every operation does that reads its own
    /// target.
    pub fn replace(
        &self,
        y: &mut Stream,
        draw: impl FnOnce(&Stream, &Stream) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        self.with_spare(|spare| {
            draw(y, spare)?;
            std::mem::swap(y, spare);
            Ok(())
        })
    }

    /// Lends the spare vector for an intermediate result, which does not persist.
    pub fn with_spare<T>(&self, use_it: impl FnOnce(&mut Stream) -> T) -> T {
        use_it(&mut self.spare.borrow_mut())
    }

    /// Combines all entries of x, or all products `x[i] * y[i]`, into one number.
    ///
    /// Takes one read-back, of a single texel unless reductions stop earlier, whose channels are combined on
    /// the CPU. Operators whose identity element is not zero take one more pass if there is padding.
    pub fn reduce(&self, op: Reduce, x: &Stream, y: Option<&Stream>) -> Result<f64, StreamError> {
        self.expect([("x", x), ("y", y.unwrap_or(x))])?;
        let reduction = self.reduction(op)?;
        let channels = if Combine::from(op).identity != 0.0 && self.layout.has_padding() {
            let spare = self.spare.borrow();
            self.pad(op, x, y, &spare)?;
            reduction.of(&spare)?
        } else if let Some(y) = y {
            reduction.of_product(x, y)?
        } else {
            reduction.of(x)?
        };
        let channels = channels[..self.layout.channels()].iter();
        let channels = channels.map(|&value| f64::from(value));
        let Combine { identity, on_cpu, .. } = op.into();
        Ok(channels.reduce(on_cpu).unwrap_or(identity.into()))
    }

    fn reduction(&self, op: Reduce) -> Result<&Reduction, StreamError> {
        let (size, format) = (self.layout.size(), self.layout.format());
        get_or_make(&self.reductions[op as usize], || {
            let reduction = Reduction::new(&self.machine, size, format, op, Edges::Padded)?;
            Ok(reduction.stopping_at(self.stop_at))
        })
    }

    /// target ← x, or x times y, with the identity element of `op` in the padding.
    fn pad(
        &self,
        op: Reduce,
        x: &Stream,
        y: Option<&Stream>,
        target: &Stream,
    ) -> Result<(), StreamError> {
        let source = match y {
            Some(_) => "(fetch(x, here) * fetch(y, here))",
            None => "fetch(x, here)",
        };
        let channels = self.layout.channels();
        let defines = [
            ("SOURCE", source),
            ("IDENTITY", &format!("{:?}", Combine::from(op).identity)),
            ("CHANNELS", &format!("{channels}.0")),
        ];
        let kernel = self.machine.kernel(&PAD, &defines)?;
        let row = self.layout.size().0 as usize * channels;
        let end = self.layout.length();
        Pass::new(&kernel)
            .read("x", x)
            .read("y", y.unwrap_or(x))
            .set("end", [(end % row) as f32, (end / row) as f32])
            .draw(target, &self.full)
    }

    /// Target of the mask's copies.
    fn once<'a>(&self, mask: &'a Mask) -> Result<&'a Stream, StreamError> {
        get_or_make(&mask.once, || Stream::vector(&self.machine, "every entry once", self.layout))
    }

    /// ‖v‖₂
    pub fn norm(&self, v: &Stream) -> Result<f64, StreamError> {
        match &self.mask {
            Some(mask) => self.norm_of(|once| (mask.copy)(v, once)),
            None => Ok(self.dot(v, v)?.sqrt()),
        }
    }

    /// ‖v‖₂ of the vector v that `draw` renders. With a mask, it must render every entry once, as the mask's
    /// copies do.
    pub(crate) fn norm_of(
        &self,
        draw: impl FnOnce(&Stream) -> Result<(), StreamError>,
    ) -> Result<f64, StreamError> {
        let spare = self.spare.borrow();
        let v = match &self.mask {
            Some(mask) => self.once(mask)?,
            None => &spare,
        };
        draw(v)?;
        Ok(self.reduce(Reduce::Sum, v, Some(v))?.sqrt())
    }

    fn expect<const N: usize>(&self, operands: [(&str, &Stream); N]) -> Result<(), StreamError> {
        let mut operands = operands.into_iter();
        operands.try_for_each(|(what, vector)| vector.expect(what, self.layout))
    }
}

impl VectorSpace for TextureSpace {
    type Vector = Stream;
    type Error = StreamError;

    fn zeros(&self) -> Result<Stream, StreamError> {
        TextureSpace::zeros(self)
    }

    fn copy(&self, from: &Stream, to: &mut Stream) -> Result<(), StreamError> {
        self.scale(1.0, from, to)
    }

    fn axpy(&self, y: &mut Stream, alpha: f64, x: &Stream) -> Result<(), StreamError> {
        self.replace(y, |y, target| self.combine(Operation::Add, (1.0, y), (alpha, x), target))
    }

    fn xpby(&self, y: &mut Stream, beta: f64, x: &Stream) -> Result<(), StreamError> {
        self.replace(y, |y, target| self.combine(Operation::Add, (beta, y), (1.0, x), target))
    }

    fn axpby(&self, y: &mut Stream, beta: f64, alpha: f64, x: &Stream) -> Result<(), StreamError> {
        self.replace(y, |y, target| self.combine(Operation::Add, (beta, y), (alpha, x), target))
    }

    fn subtract(&self, x: &Stream, y: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        self.combine(Operation::Subtract, (1.0, x), (1.0, y), z)
    }

    fn dot(&self, x: &Stream, y: &Stream) -> Result<f64, StreamError> {
        let Some(mask) = &self.mask else {
            return self.reduce(Reduce::Sum, x, Some(y));
        };
        let once = self.once(mask)?;
        (mask.copy)(x, once)?;
        self.reduce(Reduce::Sum, once, Some(y))
    }
}

/// Returns the content of the cell, created now if it is empty.
fn get_or_make<T>(
    cell: &OnceCell<T>,
    make: impl FnOnce() -> Result<T, StreamError>,
) -> Result<&T, StreamError> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

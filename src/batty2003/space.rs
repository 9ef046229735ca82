//! The operations of the paper's table on vectors: Dot Product and Scale-Add.
//!
//! A dot product is a pass that multiplies, followed by the passes of SumReduce (Appendix B), as in the
//! paper, instead of summing products at once as elsewhere in this project. Addition and
//! multiplication by a scalar are one operation, Scale-Add; the copies of a step of conjugate gradients
//! are Scale-Adds too.

use std::cell::Cell;
use std::rc::Rc;
use web_time::Instant;

use crate::solver::{TextureSpace, VectorSpace};
use crate::stream::{
    Edges, Grouping, Kernel, Layout, Machine, Pass, Reduce, Reduction, Stream, StreamError,
};

use super::operation::{CHANNEL_SUM, MULTIPLY, Operation, SCALE_ADD};
use super::settings::{Scalars, Settings};

/// The vectors of one placement, and the paper's operations on them.
pub struct PressureSpace {
    space: TextureSpace,
    /// Products to be summed, of even sides, so that no pass of the sum meets an edge.
    products: Stream,
    multiply: Rc<Kernel>,
    sum: Reduction,
    channel_sum: Rc<Kernel>,
    scale_add: Rc<Kernel>,
    finish: bool,
    /// Seconds of each [`Operation`] since they were last taken: until it is done if each is waited for
    /// ([`Settings::finish`]), otherwise until its calls return.
    pub seconds: Cell<[f64; 4]>,
}

impl PressureSpace {
    /// Creates the space of vectors of this layout.
    pub fn new(
        machine: &Machine,
        layout: Layout,
        settings: &Settings,
    ) -> Result<Self, StreamError> {
        let (width, height) = layout.size();
        let even = (width.next_multiple_of(2), height.next_multiple_of(2));
        let sum = Reduction::new(machine, even, layout.format(), Reduce::Sum, Edges::Padded)?;
        // Appendix C, step 6: sums of four adjacent texels, or of one from each quadrant
        let sum = match settings.grouping {
            Grouping::Adjacent => sum,
            Grouping::Quadrants => sum.by_quadrants(machine)?,
        };
        // Appendix C, step 10: the passes stop at a few texels, which the CPU adds
        let sum = match settings.scalars {
            Scalars::Cpu => sum.stopping_at(settings.stop_at),
            Scalars::Surfaces => sum,
        };
        Ok(Self {
            space: TextureSpace::new(machine, layout)?,
            products: Stream::zeros(machine, "products", even, layout.format())?,
            multiply: machine.kernel(&MULTIPLY, &[])?,
            sum,
            channel_sum: machine.kernel(&CHANNEL_SUM, &[])?,
            scale_add: machine.kernel(&SCALE_ADD, &[])?,
            finish: settings.finish,
            seconds: Cell::default(),
        })
    }

    /// The underlying operations on textures.
    pub fn textures(&self) -> &TextureSpace {
        &self.space
    }

    /// Executes and times an operation, and waits for it if required.
    pub fn operate<T>(
        &self,
        operation: Operation,
        work: impl FnOnce() -> Result<T, StreamError>,
    ) -> Result<T, StreamError> {
        let start = Instant::now();
        let done = work()?;
        if self.finish {
            self.space.machine().finish();
        }
        let mut seconds = self.seconds.get();
        seconds[operation as usize] += start.elapsed().as_secs_f64();
        self.seconds.set(seconds);
        Ok(done)
    }

    /// x · y into a surface of one texel, without read-back (Appendix C, step 8).
    pub fn dot_into(&self, x: &Stream, y: &Stream, surface: &Stream) -> Result<(), StreamError> {
        self.operate(Operation::Dot, || {
            self.multiply(x, y)?;
            Pass::new(&self.channel_sum)
                .read("sums", self.sum.in_stream(&self.products)?)
                .draw(surface, surface.full())
        })
    }

    /// z ← x ± factor y with the factor in a surface of one texel (Appendix C, step 8).
    pub fn scale_add(
        &self,
        x: &Stream,
        (sign, factor, y): (f32, &Stream, &Stream),
        z: &Stream,
    ) -> Result<(), StreamError> {
        self.operate(Operation::ScaleAdd, || {
            Pass::new(&self.scale_add)
                .read("x", x)
                .read("y", y)
                .read("factor", factor)
                .set("sign_of_y", sign)
                .draw(z, self.space.all())
        })
    }

    fn multiply(&self, x: &Stream, y: &Stream) -> Result<(), StreamError> {
        Pass::new(&self.multiply).read("x", x).read("y", y).draw(&self.products, self.space.all())
    }
}

impl VectorSpace for PressureSpace {
    type Vector = Stream;
    type Error = StreamError;

    fn zeros(&self) -> Result<Stream, StreamError> {
        self.space.zeros()
    }

    fn copy(&self, from: &Stream, to: &mut Stream) -> Result<(), StreamError> {
        self.operate(Operation::ScaleAdd, || self.space.copy(from, to))
    }

    fn axpy(&self, y: &mut Stream, alpha: f64, x: &Stream) -> Result<(), StreamError> {
        self.operate(Operation::ScaleAdd, || self.space.axpy(y, alpha, x))
    }

    fn xpby(&self, y: &mut Stream, beta: f64, x: &Stream) -> Result<(), StreamError> {
        self.operate(Operation::ScaleAdd, || self.space.xpby(y, beta, x))
    }

    fn subtract(&self, x: &Stream, y: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        self.operate(Operation::ScaleAdd, || self.space.subtract(x, y, z))
    }

    fn dot(&self, x: &Stream, y: &Stream) -> Result<f64, StreamError> {
        self.operate(Operation::Dot, || {
            self.multiply(x, y)?;
            // Appendix B, SumReduce: x · y = Σ xᵢ yᵢ
            let channels = self.sum.of(&self.products)?;
            Ok(channels.into_iter().map(f64::from).sum())
        })
    }
}

//! Reductions: all records of a stream are combined into one, by halving (Bolz et al. 2003, section 3.1.3).
//! Quadrilaterals of half the size are rendered, like the levels of a mip map, each record from a 2 x 2 block,
//! until one is left.

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gl::{Format, Size};

use super::error::StreamError;
use super::extent::{Rect, Rects};
use super::machine::Machine;
use super::memory::Stream;
use super::pass::Pass;
use super::program::{Kernel, Source, source};

const PADDED: Source = source!(stream, "reduce");
const BOUNDED: Source = source!(stream, "bounded/reduce");
const QUADRANTS: Source = source!(stream, "reduce_quadrants");
const PRODUCT_PADDED: Source = source!(stream, "reduce_product");
const PRODUCT_BOUNDED: Source = source!(stream, "bounded/reduce_product");

/// The operators of the papers' reductions. All are associative and commutative except for rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduce {
    /// v₁ + v₂ + …
    Sum,
    /// |v₁| + |v₂| + …
    AbsoluteSum,
    /// The largest value.
    Maximum,
    /// The smallest value.
    Minimum,
    /// v₁ · v₂ · …
    Product,
}

/// An associative and commutative operator that combines two records, as text of a program and on the CPU.
///
/// The logarithm of a sum of powers of two, for example:
///
/// ```
/// use fragstream::stream::Combine;
///
/// let sum = Combine {
///     text: "max(a, b) + log2(1.0 + exp2(-abs((a) - (b))))",
///     identity: -1e4,
///     on_cpu: |a, b| a.max(b) + (-(a - b).abs()).exp2().ln_1p() / std::f64::consts::LN_2,
/// };
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Combine {
    /// GLSL expression of the vectors `a` and `b`.
    pub text: &'static str,
    /// Identity element. Infinity could not be written in 2003; the largest finite number serves instead.
    pub identity: f32,
    /// The operator on the CPU, where a reduction stops early.
    pub on_cpu: fn(f64, f64) -> f64,
}

impl From<Reduce> for Combine {
    fn from(operator: Reduce) -> Self {
        let (text, identity, on_cpu): (_, _, fn(f64, f64) -> f64) = match operator {
            Reduce::Sum => ("((a) + (b))", 0.0, |a, b| a + b),
            Reduce::AbsoluteSum => ("(abs(a) + abs(b))", 0.0, |a, b| a.abs() + b.abs()),
            Reduce::Maximum => ("max(a, b)", f32::MIN, f64::max),
            Reduce::Minimum => ("min(a, b)", f32::MAX, f64::min),
            Reduce::Product => ("((a) * (b))", 1.0, |a, b| a * b),
        };
        Self { text, identity, on_cpu }
    }
}

/// Treatment of odd sizes: two of the three methods of section 3.1.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edges {
    /// Records beyond the data hold the identity. Intermediate streams have even sizes and are filled with it
    /// once. The texels beyond an input of odd size are unknown, so its first pass is bounded.
    Padded,
    /// Every pass tests whether a record is inside of the data.
    Bounded,
}

/// The four records that a pass combines into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Grouping {
    /// Records of a 2 x 2 block, which a texture cache holds together.
    Adjacent,
    /// Corresponding records of four quadrants.
    Quadrants,
}

/// A reduction for streams of one size, or for one part of them, with its intermediate streams.
pub struct Reduction {
    operator: Combine,
    first: Step,
    first_product: Step,
    rest: Step,
    part: Rect,
    /// The size of the streams.
    size: Size,
    bottom: Level,
    above: Vec<Level>,
}

/// An intermediate stream and its rectangle with data.
struct Level {
    stream: Stream,
    data: Rect,
    rects: Rects,
}

impl Level {
    /// The level that halves data of this size.
    fn halving(
        machine: &Machine,
        (width, height): Size,
        format: Format,
        identity: f32,
    ) -> Result<Self, StreamError> {
        let data = Rect::of_size(width.div_ceil(2), height.div_ceil(2));
        let even = (data.width.next_multiple_of(2), data.height.next_multiple_of(2));
        let stream = Stream::zeros(machine, "reduction", even, format)?;
        stream.fill([identity; 4]);
        Ok(Self { stream, data, rects: machine.rect(data)? })
    }

    fn size(&self) -> Size {
        (self.data.width, self.data.height)
    }
}

/// The program of a pass, and whether it has the extent of the data as a constant.
struct Step {
    kernel: Rc<Kernel>,
    bounded: bool,
    grouping: Grouping,
}

impl Step {
    fn new(
        machine: &Machine,
        (padded, bounded): (&Source, &Source),
        operator: Combine,
        test_bounds: bool,
    ) -> Result<Self, StreamError> {
        let combine = ("COMBINE(a, b)", operator.text);
        let identity = format!("{:?}", operator.identity);
        let kernel = if test_bounds {
            machine.kernel(bounded, &[combine, ("IDENTITY", &identity)])?
        } else {
            machine.kernel(padded, &[combine])?
        };
        Ok(Self { kernel, bounded: test_bounds, grouping: Grouping::Adjacent })
    }

    /// The program by quadrants.
    fn quadrants(machine: &Machine, operator: Combine) -> Result<Self, StreamError> {
        Ok(Self {
            kernel: machine.kernel(&QUADRANTS, &[("COMBINE(a, b)", operator.text)])?,
            bounded: false,
            grouping: Grouping::Quadrants,
        })
    }

    /// The pass that reads this part of its input. The program gets the opposite corner if it declares it.
    fn pass(&self, part: Rect) -> Pass<'_> {
        if self.grouping == Grouping::Quadrants {
            let quadrant = [part.width, part.height].map(|texels| texels.div_ceil(2) as f32);
            return Pass::new(&self.kernel).set("quadrant", quadrant);
        }
        let corner = [part.x, part.y].map(|texels| texels as f32);
        let [width, height] = [part.width, part.height].map(|texels| texels as f32);
        let pass = Pass::new(&self.kernel).set("first", corner.map(|texels| texels - 0.5));
        if self.bounded {
            pass.set("extent", [corner[0] + width, corner[1] + height])
        } else {
            pass
        }
    }
}

impl Reduction {
    /// A reduction of streams of this size and format.
    ///
    /// With [`Edges::Padded`], texels of the input beyond the data must hold the operator's identity: zero for
    /// sums.
    pub fn new(
        machine: &Machine,
        size: Size,
        format: Format,
        operator: impl Into<Combine>,
        edges: Edges,
    ) -> Result<Self, StreamError> {
        let all = Rect::of_size(size.0, size.1);
        Self::of_part(machine, size, all, format, operator, edges)
    }

    /// A reduction of one part of streams of this size and format, such as one grid of an atlas. Nothing beyond
    /// the part is read.
    pub fn of_part(
        machine: &Machine,
        size: Size,
        part: Rect,
        format: Format,
        operator: impl Into<Combine>,
        edges: Edges,
    ) -> Result<Self, StreamError> {
        let operator = operator.into();
        if !part.within(size) || part.area() == 0 {
            return Err(StreamError::Part {
                part,
                stream: "the streams of a reduction".into(),
                size,
            });
        }
        let bounded = edges == Edges::Bounded;
        let first_bounded = bounded || part.width % 2 == 1 || part.height % 2 == 1;
        let halving = |size| Level::halving(machine, size, format, operator.identity);
        // A product needs a pass even for a single record, so the last level always exists.
        let bottom = halving((part.width, part.height))?;
        let mut above = Vec::new();
        let mut last = bottom.size();
        while last != (1, 1) {
            let level = halving(last)?;
            last = level.size();
            above.push(level);
        }
        let sources = (&PADDED, &BOUNDED);
        let products = (&PRODUCT_PADDED, &PRODUCT_BOUNDED);
        Ok(Self {
            operator,
            first: Step::new(machine, sources, operator, first_bounded)?,
            first_product: Step::new(machine, products, operator, first_bounded)?,
            rest: Step::new(machine, sources, operator, bounded)?,
            part,
            size,
            bottom,
            above,
        })
    }

    /// Reduces by quadrants. If the texels beyond the data are unknown (in a part, or a stream of odd size),
    /// the first pass remains adjacent, and so does that of products.
    pub fn by_quadrants(mut self, machine: &Machine) -> Result<Self, StreamError> {
        let is_whole = self.part == Rect::of_size(self.size.0, self.size.1);
        if is_whole && !self.first.bounded {
            self.first = Step::quadrants(machine, self.operator)?;
        }
        self.rest = Step::quadrants(machine, self.operator)?;
        Ok(self)
    }

    /// Stops early: as soon as at most `records` records are left, they are read back and combined on
    /// the CPU in double precision.
    pub fn stopping_at(mut self, records: u64) -> Self {
        let is_enough = |level: &Level| level.data.area() <= records;
        if is_enough(&self.bottom) {
            self.above.clear();
        } else if let Some(last) = self.above.iter().position(is_enough) {
            self.above.truncate(last + 1);
        }
        self
    }

    /// Combines all records of the part of `x`, channel by channel: ⌈log₂ of the longer side⌉ passes and a
    /// read-back of one record.
    pub fn of(&self, x: &Stream) -> Result<[f32; 4], StreamError> {
        self.check(x)?;
        if self.part.area() == 1 {
            let record = x.read_record(self.part.x, self.part.y)?;
            let Combine { identity, on_cpu, .. } = self.operator;
            return Ok(record.map(|value| on_cpu(identity.into(), value.into()) as f32));
        }
        self.run(self.first.pass(self.part).read("x", x))
    }

    /// Combines all products `x[i] * y[i]`, channel by channel; with a sum, the inner product. Takes the same
    /// number of passes as [`Reduction::of`] (at least one).
    pub fn of_product(&self, x: &Stream, y: &Stream) -> Result<[f32; 4], StreamError> {
        self.check(x)?;
        self.check(y)?;
        let pass = self.first_product.pass(self.part);
        self.run(pass.read("x", x).read("y", y))
    }

    /// As [`Reduction::of`], without a read-back: the stream whose first record is the result.
    pub fn in_stream(&self, x: &Stream) -> Result<&Stream, StreamError> {
        self.check(x)?;
        Ok(&self.draw(self.first.pass(self.part).read("x", x))?.stream)
    }

    /// Reads back the result of the passes: one record unless they stop early.
    fn run(&self, first: Pass<'_>) -> Result<[f32; 4], StreamError> {
        let last = self.draw(first)?;
        let data = last.stream.read_rect(last.data)?;
        let channels = last.stream.format().channels();
        let mut records = data.chunks_exact(channels);
        let mut result = [0.0; 4];
        let first = records.next().into_iter().flatten();
        for (result, &value) in result.iter_mut().zip(first) {
            *result = f64::from(value);
        }
        for record in records {
            for (result, &value) in result.iter_mut().zip(record) {
                *result = (self.operator.on_cpu)(*result, f64::from(value));
            }
        }
        Ok(result.map(|value| value as f32))
    }

    fn draw(&self, first: Pass<'_>) -> Result<&Level, StreamError> {
        first.draw(&self.bottom.stream, &self.bottom.rects)?;
        let mut last = &self.bottom;
        for level in &self.above {
            let pass = self.rest.pass(last.data).read("x", &last.stream);
            pass.draw(&level.stream, &level.rects)?;
            last = level;
        }
        Ok(last)
    }

    fn check(&self, x: &Stream) -> Result<(), StreamError> {
        if !x.machine().is(self.bottom.stream.machine()) {
            return Err(StreamError::OtherMachine {
                what: format!("the stream {}", x.label()),
                target: "its reduction".into(),
            });
        }
        if x.size() == self.size {
            return Ok(());
        }
        Err(StreamError::Size {
            what: format!("the reduction of {}", x.label()),
            got: format!("{:?}", x.size()),
            expected: format!("{:?}", self.size),
        })
    }
}

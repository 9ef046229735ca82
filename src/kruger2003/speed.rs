//! How fast the operators are: each beside the trivial kernel with the same fetches (its ceiling)
//! and beside the program for the CPU, all in one run (Krüger and Westermann 2003, section 6).

use crate::experiment::timing::{Effort, Work, medians};
use crate::stream::{Machine, Pass, Rects, Reduce, Source, Stream, StreamError};

use super::diagonals::Diagonals;
use super::{
    Algebra, AlgebraError, ColumnMatrix, ColumnOptions, DiagonalMatrix, DiagonalOptions, Layout,
    Matrix, Operation, Vector, cpu,
};

const COPY: Source = Source {
    name: "stream/copy",
    text: include_str!("../../glsl/stream/copy.frag"),
};
const REDUCE_CEILING: Source = Source {
    name: "stream/reduce_ceiling",
    text: include_str!("../../glsl/stream/reduce_ceiling.frag"),
};
const DIAGONALS_CEILING: Source = Source {
    name: "kruger2003/diagonals_ceiling",
    text: include_str!("../../glsl/kruger2003/diagonals_ceiling.frag"),
};

/// Median seconds of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The operator.
    pub kernel: f64,
    /// The trivial kernel that it is measured against.
    pub ceiling: f64,
    /// The program for the CPU, in single precision, on all cores.
    pub cpu: f64,
}

impl Times {
    /// How many times as fast as the CPU.
    pub fn against_cpu(&self) -> f64 {
        self.cpu / self.kernel
    }
}

/// Two vectors that take turns, so that each run reads what the one before has written.
struct Turns([Vector; 2]);

impl Turns {
    fn new(machine: &Machine, layout: Layout) -> Result<Self, AlgebraError> {
        let ones = vec![1.0; layout.length()];
        let vector = || Vector::new(machine, layout, &ones);
        Ok(Self([vector()?, vector()?]))
    }

    /// What a run reads and writes.
    fn of(&mut self, run: usize) -> (&Vector, &mut Vector) {
        let [even, odd] = &mut self.0;
        if run.is_multiple_of(2) {
            (even, odd)
        } else {
            (odd, even)
        }
    }
}

/// The only error that a run can meet: all its operands are of one layout.
fn machine_error(result: Result<(), AlgebraError>) -> Result<(), StreamError> {
    result.map_err(|error| match error {
        AlgebraError::Stream(error) => error,
        other => unreachable!("operands of one layout: {other}"),
    })
}

/// The product of two vectors, entry by entry, to be timed beside others.
///
/// # Errors
/// When memory is short or a texture over the driver's limit.
pub fn vector_product_work(
    machine: &Machine,
    layout: Layout,
) -> Result<Work<'static>, AlgebraError> {
    let algebra = Algebra::new(machine, layout)?;
    let y = algebra.vector(&vec![1.0; layout.length()])?;
    let mut turns = Turns::new(machine, layout)?;
    Ok(Box::new(move |run| {
        let (x, z) = turns.of(run);
        let (x, y) = (Some((1.0, x)), Some((1.0, &y)));
        machine_error(algebra.combine(Operation::Multiply, x, y, z))
    }))
}

/// The product of two vectors, entry by entry. Its ceiling is the copy of one.
///
/// # Errors
/// Those of the machine.
pub fn vector_product(
    machine: &Machine,
    layout: Layout,
    effort: Effort,
) -> Result<Times, AlgebraError> {
    let kernel = vector_product_work(machine, layout)?;
    let ones = vec![1.0f32; layout.length()];
    let mut copies = Turns::new(machine, layout)?;
    let copy = machine.kernel(&COPY, &[])?;
    let full = Rects::new(machine, &layout.rectangles())?;
    let ceiling = |run| {
        let (x, z) = copies.of(run);
        Pass::new(&copy)
            .read("x", x.stream())
            .draw(z.stream(), &full)
    };
    let mut host = [ones.clone(), ones.clone()];
    let cpu = |run: usize| {
        let [even, odd] = &mut host;
        if run.is_multiple_of(2) {
            cpu::multiply(even, &ones, odd);
        } else {
            cpu::multiply(odd, &ones, even);
        }
        Ok(())
    };
    let works: [Work; 3] = [kernel, Box::new(ceiling), Box::new(cpu)];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Times {
        kernel,
        ceiling,
        cpu,
    })
}

/// The sum of a vector, read back, to be timed beside others.
///
/// # Errors
/// When memory is short or a texture over the driver's limit.
pub fn reduction_work(machine: &Machine, layout: Layout) -> Result<Work<'static>, AlgebraError> {
    let algebra = Algebra::new(machine, layout)?;
    let x = algebra.vector(&vec![1.0; layout.length()])?;
    Ok(Box::new(move |_| {
        machine_error(algebra.reduce(Reduce::Sum, &x, None).map(drop))
    }))
}

/// The sum of a vector, read back. Its ceiling has as many passes, of four fetches each.
///
/// # Errors
/// Those of the machine.
pub fn reduction(machine: &Machine, layout: Layout, effort: Effort) -> Result<Times, AlgebraError> {
    let kernel = reduction_work(machine, layout)?;
    let ones = vec![1.0f32; layout.length()];
    let x = Vector::new(machine, layout, &ones)?;

    let mut levels = Vec::new();
    let (mut width, mut height) = layout.size();
    while width > 1 || height > 1 {
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
        let format = layout.packing().format();
        let stream = Stream::zeros(machine, "level", (width, height), format)?;
        levels.push((machine.rect(stream.full())?, stream));
    }
    let program = machine.kernel(&REDUCE_CEILING, &[])?;
    let ceiling = |_| {
        let mut last = x.stream();
        for (rects, stream) in &levels {
            Pass::new(&program).read("x", last).draw(stream, rects)?;
            last = stream;
        }
        last.read_record(0, 0).map(drop)
    };
    let cpu = |_| {
        std::hint::black_box(cpu::sum(std::hint::black_box(&ones)));
        Ok(())
    };
    let works: [Work; 3] = [kernel, Box::new(ceiling), Box::new(cpu)];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Times {
        kernel,
        ceiling,
        cpu,
    })
}

/// The product of a dense matrix, as columns, with a vector. Its ceiling is a copy of the matrix.
///
/// # Errors
/// Those of the machine.
pub fn dense_product(
    machine: &Machine,
    layout: Layout,
    options: ColumnOptions,
    effort: Effort,
) -> Result<Times, AlgebraError> {
    let n = layout.length();
    let value = 1.0 / n as f32;
    let matrix = ColumnMatrix::zeros(machine, layout, options)?;
    matrix.stream().fill([value; 4]);
    let copy = Stream::zeros(
        machine,
        "copy",
        matrix.stream().size(),
        matrix.stream().format(),
    )?;
    let whole = machine.rect(copy.full())?;
    let program = machine.kernel(&COPY, &[])?;
    let mut turns = Turns::new(machine, layout)?;
    let kernel = |run| {
        let (x, y) = turns.of(run);
        machine_error(matrix.multiply(x, y))
    };
    let ceiling = |run: usize| {
        let (x, y) = if run.is_multiple_of(2) {
            (matrix.stream(), &copy)
        } else {
            (&copy, matrix.stream())
        };
        Pass::new(&program).read("x", x).draw(y, &whole)
    };
    let a = vec![value; n * n];
    let mut host = [vec![1.0f32; n], vec![1.0f32; n]];
    let cpu = |run: usize| {
        let [even, odd] = &mut host;
        if run.is_multiple_of(2) {
            cpu::dense(&a, even, odd);
        } else {
            cpu::dense(&a, odd, even);
        }
        Ok(())
    };
    let works: [Work; 3] = [Box::new(kernel), Box::new(ceiling), Box::new(cpu)];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Times {
        kernel,
        ceiling,
        cpu,
    })
}

/// Diagonals of these numbers that all have the same weight, so that products stay finite.
fn equal_diagonals(layout: Layout, numbers: &[usize]) -> Diagonals<f32> {
    let order = layout.capacity();
    let diagonal = vec![1.0 / numbers.len() as f32; order];
    let entries = numbers.iter().map(|n| (n % order, diagonal.clone()));
    Diagonals {
        order,
        entries: entries.collect(),
    }
}

/// The product of a matrix as diagonals with a vector, to be timed beside others.
///
/// # Errors
/// When memory is short or a texture over the driver's limit.
pub fn banded_product_work(
    machine: &Machine,
    layout: Layout,
    numbers: &[usize],
    options: DiagonalOptions,
) -> Result<Work<'static>, AlgebraError> {
    let diagonals = equal_diagonals(layout, numbers);
    let matrix = DiagonalMatrix::from_diagonals(machine, layout, &diagonals, options)?;
    let mut turns = Turns::new(machine, layout)?;
    Ok(Box::new(move |run| {
        let (x, y) = turns.of(run);
        machine_error(matrix.multiply(x, y))
    }))
}

/// The product of a matrix as diagonals, these with the same weight each, with a vector. Its ceiling
/// has the same fetches of five diagonals, and is scaled to the number there is.
///
/// # Errors
/// Those of the machine.
pub fn banded_product(
    machine: &Machine,
    layout: Layout,
    numbers: &[usize],
    options: DiagonalOptions,
    effort: Effort,
) -> Result<Times, AlgebraError> {
    let kernel = banded_product_work(machine, layout, numbers, options)?;
    let diagonals = equal_diagonals(layout, numbers);
    let order = diagonals.order;
    let mut fetches = Turns::new(machine, layout)?;
    let program = machine.kernel(&DIAGONALS_CEILING, &[])?;
    let full = Rects::new(machine, &layout.rectangles())?;
    let (size, format) = (layout.size(), layout.packing().format());
    let mut streams = Vec::new();
    for _ in 0..5 {
        let stream = Stream::zeros(machine, "diagonal", size, format)?;
        stream.fill([0.2; 4]);
        streams.push(stream);
    }
    let ceiling = |run| {
        let (x, y) = fetches.of(run);
        let mut pass = Pass::new(&program).read("x", x.stream());
        for (name, stream) in ["d0", "d1", "d2", "d3", "d4"].into_iter().zip(&streams) {
            pass = pass.read(name, stream);
        }
        pass.draw(y.stream(), &full)
    };
    let mut host = [vec![1.0f32; order], vec![1.0f32; order]];
    let cpu = |run: usize| {
        let [even, odd] = &mut host;
        if run.is_multiple_of(2) {
            cpu::diagonals(&diagonals, even, odd);
        } else {
            cpu::diagonals(&diagonals, odd, even);
        }
        Ok(())
    };
    let works: [Work; 3] = [kernel, Box::new(ceiling), Box::new(cpu)];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Times {
        kernel,
        ceiling: ceiling * numbers.len() as f64 / 5.0,
        cpu,
    })
}

//! How fast the operators are: each beside the trivial kernel with the same fetches (its ceiling)
//! and beside the program for the CPU, all in one run (Krüger and Westermann 2003, section 6).

use std::time::Instant;

use crate::claim::timing::{Comparison, Effort, Work, medians};
use crate::solver::{Criteria, LinearSystem, Workspace};
use crate::stream::{Machine, Pass, Reduce, Source, Stream, StreamError, source};

use super::matrices::diagonals::Diagonals;
use super::matrices::five_point::five_point;
use super::{
    Algebra, AlgebraError, ColumnMatrix, ColumnOptions, DiagonalMatrix, DiagonalOptions, Layout,
    Matrix, Operation, Vector, cpu,
};

const COPY: Source = source!("stream/copy");
const REDUCE_CEILING: Source = source!("stream/reduce_ceiling");
const DIAGONALS_CEILING: Source = source!("kruger2003/diagonals_ceiling");

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

/// An operation on two vectors, each with the factor ½ (1 for a product), to be timed beside others.
pub fn vector_operation_work(
    machine: &Machine,
    layout: Layout,
    operation: Operation,
) -> Result<Work<'static>, AlgebraError> {
    let algebra = Algebra::new(machine, layout)?;
    let y = algebra.vector(&vec![1.0; layout.length()])?;
    let mut turns = Turns::new(machine, layout)?;
    let factor = factor(operation);
    Ok(Box::new(move |run| {
        let (x, z) = turns.of(run);
        let (x, y) = (Some((factor, x)), Some((factor, &y)));
        machine_error(algebra.combine(operation, x, y, z))
    }))
}

/// What keeps vectors of ones what they are, or lets them become zero.
fn factor(operation: Operation) -> f64 {
    match operation {
        Operation::Multiply => 1.0,
        Operation::Add | Operation::Subtract => 0.5,
    }
}

/// The same on the CPU, for vectors of this length.
pub fn vector_operation_on_cpu(length: usize, operation: Operation) -> Work<'static> {
    let ones = vec![1.0f32; length];
    let mut host = [ones.clone(), ones.clone()];
    let factor = factor(operation) as f32;
    Box::new(move |run| {
        let (x, z) = in_turns(&mut host, run);
        cpu::combine(operation, (factor, x), (factor, &ones), z);
        Ok(())
    })
}

/// What a run on the CPU reads and writes.
fn in_turns([even, odd]: &mut [Vec<f32>; 2], run: usize) -> (&[f32], &mut [f32]) {
    if run.is_multiple_of(2) {
        (even, odd)
    } else {
        (odd, even)
    }
}

/// The product of two vectors, entry by entry, to be timed beside others.
pub fn vector_product_work(
    machine: &Machine,
    layout: Layout,
) -> Result<Work<'static>, AlgebraError> {
    vector_operation_work(machine, layout, Operation::Multiply)
}

/// An operation on two vectors. Its ceiling is a copy of as many bytes: the operation reads two
/// vectors and writes one, so the time of a copy, which moves two, is scaled by three halves. The
/// copies go round three vectors, so that as much memory is touched: two may fit a cache where three
/// do not.
pub fn vector_operation(
    machine: &Machine,
    layout: Layout,
    operation: Operation,
    effort: Effort,
) -> Result<Comparison, AlgebraError> {
    let kernel = vector_operation_work(machine, layout, operation)?;
    let ones = vec![1.0f32; layout.length()];
    let vector = || Vector::new(machine, layout, &ones);
    let copies = [vector()?, vector()?, vector()?];
    let copy = machine.kernel(&COPY, &[])?;
    let full = machine.rects(&layout.rectangles())?;
    let ceiling = |run: usize| {
        let (x, z) = (&copies[run % 3], &copies[(run + 1) % 3]);
        Pass::new(&copy)
            .read("x", x.stream())
            .draw(z.stream(), &full)
    };
    let cpu = vector_operation_on_cpu(layout.length(), operation);
    let works: [Work; 3] = [kernel, Box::new(ceiling), cpu];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Comparison {
        kernel,
        ceiling: 1.5 * ceiling,
        cpu,
    })
}

/// The product of two vectors, entry by entry, as [`vector_operation`].
pub fn vector_product(
    machine: &Machine,
    layout: Layout,
    effort: Effort,
) -> Result<Comparison, AlgebraError> {
    vector_operation(machine, layout, Operation::Multiply, effort)
}

/// The sum of a vector, read back, to be timed beside others.
pub fn reduction_work(machine: &Machine, layout: Layout) -> Result<Work<'static>, AlgebraError> {
    let algebra = Algebra::new(machine, layout)?;
    let x = algebra.vector(&vec![1.0; layout.length()])?;
    Ok(Box::new(move |_| {
        machine_error(algebra.reduce(Reduce::Sum, &x, None).map(drop))
    }))
}

/// The same on the CPU, for a vector of this length.
pub fn reduction_on_cpu(length: usize) -> Work<'static> {
    let ones = vec![1.0f32; length];
    Box::new(move |_| {
        std::hint::black_box(cpu::sum(std::hint::black_box(&ones)));
        Ok(())
    })
}

/// The sum of a vector, read back. Its ceiling has as many passes, of four fetches each.
pub fn reduction(
    machine: &Machine,
    layout: Layout,
    effort: Effort,
) -> Result<Comparison, AlgebraError> {
    let kernel = reduction_work(machine, layout)?;
    let x = Vector::new(machine, layout, &vec![1.0; layout.length()])?;

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
    let works: [Work; 3] = [kernel, Box::new(ceiling), reduction_on_cpu(layout.length())];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Comparison {
        kernel,
        ceiling,
        cpu,
    })
}

/// The product of a dense matrix, as columns, with a vector, to be timed beside others.
pub fn dense_product_work(
    machine: &Machine,
    layout: Layout,
    options: ColumnOptions,
) -> Result<Work<'static>, AlgebraError> {
    let matrix = ColumnMatrix::zeros(machine, layout, options)?;
    matrix.stream().fill([1.0 / layout.length() as f32; 4]);
    let mut turns = Turns::new(machine, layout)?;
    Ok(Box::new(move |run| {
        let (x, y) = turns.of(run);
        machine_error(matrix.multiply(x, y))
    }))
}

/// The same on the CPU, for a matrix of this order.
pub fn dense_product_on_cpu(order: usize) -> Work<'static> {
    let a = vec![1.0 / order as f32; order * order];
    let mut host = [vec![1.0f32; order], vec![1.0f32; order]];
    Box::new(move |run| {
        let (x, y) = in_turns(&mut host, run);
        cpu::dense(&a, x, y);
        Ok(())
    })
}

/// The product of a dense matrix, as columns, with a vector. Its ceiling is a copy of the matrix.
pub fn dense_product(
    machine: &Machine,
    layout: Layout,
    options: ColumnOptions,
    effort: Effort,
) -> Result<Comparison, AlgebraError> {
    let kernel = dense_product_work(machine, layout, options)?;
    let matrix = ColumnMatrix::zeros(machine, layout, options)?;
    let copy = Stream::zeros(
        machine,
        "copy",
        matrix.stream().size(),
        matrix.stream().format(),
    )?;
    let whole = machine.rect(copy.full())?;
    let program = machine.kernel(&COPY, &[])?;
    let ceiling = |run: usize| {
        let (x, y) = if run.is_multiple_of(2) {
            (matrix.stream(), &copy)
        } else {
            (&copy, matrix.stream())
        };
        Pass::new(&program).read("x", x).draw(y, &whole)
    };
    let cpu = dense_product_on_cpu(layout.length());
    let works: [Work; 3] = [kernel, Box::new(ceiling), cpu];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Comparison {
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
pub fn banded_product(
    machine: &Machine,
    layout: Layout,
    numbers: &[usize],
    options: DiagonalOptions,
    effort: Effort,
) -> Result<Comparison, AlgebraError> {
    let kernel = banded_product_work(machine, layout, numbers, options)?;
    let diagonals = equal_diagonals(layout, numbers);
    let order = diagonals.order;
    let mut fetches = Turns::new(machine, layout)?;
    let program = machine.kernel(&DIAGONALS_CEILING, &[])?;
    let full = machine.rects(&layout.rectangles())?;
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
        let (x, y) = in_turns(&mut host, run);
        cpu::diagonals(&diagonals, x, y);
        Ok(())
    };
    let works: [Work; 3] = [kernel, Box::new(ceiling), Box::new(cpu)];
    let [kernel, ceiling, cpu] = medians(machine, effort, works)?;
    Ok(Comparison {
        kernel,
        ceiling: ceiling * numbers.len() as f64 / 5.0,
        cpu,
    })
}

/// What an iteration of conjugate gradients costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Seconds, over all iterations of a solve that is long enough.
    pub seconds: f64,
    /// Uploads during the solve.
    pub uploads: u64,
    /// Read-backs of each inner product: those of the start are counted in.
    pub read_backs_a_product: f64,
    /// Texels of each of these.
    pub texels_a_read_back: f64,
    /// Target switches an iteration, those of the start counted in.
    pub target_switches: f64,
}

/// Times iterations of conjugate gradients with five diagonals, on a grid of side² cells.
pub fn iteration(
    machine: &Machine,
    side: u32,
    iterations: usize,
) -> Result<Iteration, AlgebraError> {
    let layout = Layout::grid(side, side)?;
    let algebra = Algebra::new(machine, layout)?;
    let matrix = five_point((side, side), 0.5, |_| 1.0);
    let matrix = DiagonalMatrix::new(machine, layout, &matrix, DiagonalOptions::default())?;
    let ones: Vec<f32> = (0..layout.length()).map(|k| (k % 7) as f32).collect();
    let (b, mut x) = (algebra.vector(&ones)?, algebra.zeros()?);
    let mut workspace = Workspace::new(&algebra)?;
    let system = LinearSystem {
        space: &algebra,
        operator: &matrix,
        preconditioner: None,
        b: &b,
    };
    let criteria = Criteria {
        rtol: 0.0,
        max_iterations: iterations,
        ..Criteria::default()
    };
    workspace.solve(&system, &mut x, &criteria, |_| ())?;
    x.stream().fill([0.0; 4]);
    machine.take_ledger();
    machine.finish();
    let start = Instant::now();
    let outcome = workspace.solve(&system, &mut x, &criteria, |_| ())?;
    machine.finish();
    let seconds = start.elapsed().as_secs_f64();
    let ledger = machine.take_ledger();
    let count = outcome.iterations.max(1) as f64;
    // |b|, the first residual, and two an iteration.
    let products = 2.0 + 2.0 * outcome.iterations as f64;
    Ok(Iteration {
        seconds: seconds / count,
        uploads: ledger.uploads,
        read_backs_a_product: ledger.read_backs as f64 / products,
        texels_a_read_back: ledger.texels_read_back as f64 / ledger.read_backs.max(1) as f64,
        target_switches: ledger.target_switches as f64 / count,
    })
}

//! Timings: each operator compared with the trivial kernel with the same fetches (its ceiling) and
//! with the CPU program (Krüger and Westermann 2003, section 6).
//!
//! Operands are chosen so that a chain of runs keeps ones unchanged, or makes them zero.

use crate::base::error::BoxedError;
use crate::kruger2003::diagonals::Diagonals;
use crate::kruger2003::scenes::dye::Pens;
use crate::kruger2003::scenes::water::Rain;
use crate::kruger2003::study::cpu;
use crate::kruger2003::{
    ColumnMatrix, DiagonalMatrix, Error, Fluid, FluidSettings, Matrix, ProductOptions, Water,
    WaterSettings,
};
use crate::solver::{Operation, TextureSpace};
use crate::stream::{Format, Layout, Machine, Pass, Reduce, Source, Stream, StreamError, source};
use crate::timing::cpu::sum_of_ones;
use crate::timing::rig::{program, work};
use crate::timing::{Bench, Case, PingPong, Work};

const COPY: Source = source!(stream, "copy");

/// Two vectors of ones, used alternately.
fn vectors(machine: &Machine, layout: Layout) -> Result<PingPong<Stream>, StreamError> {
    let ones = vec![1.0; layout.length()];
    PingPong::new(2, || Stream::from_entries(machine, "vector", layout, &ones))
}

/// An operation on two vectors, each with the factor ½ (1 for a product).
pub fn vector_operation(
    machine: &Machine,
    layout: Layout,
    operation: Operation,
) -> Result<Case<'static>, Error> {
    let space = TextureSpace::new(machine, layout)?;
    let ones = vec![1.0f32; layout.length()];
    let y = space.vector(&ones)?;
    let mut pair = vectors(machine, layout)?;
    let factor = match operation {
        Operation::Multiply => 1.0,
        Operation::Add | Operation::Subtract => 0.5,
    };
    let kernel = work(move |run| {
        let (x, z) = pair.of(run);
        space.combine(operation, (factor, x), (factor, &y), z)
    });
    let cpu = operation_on_cpu(operation, factor as f32, layout.length());
    Ok(Case::with_ceiling(machine, kernel).against(cpu))
}

fn operation_on_cpu(operation: Operation, factor: f32, length: usize) -> Work<'static> {
    let ones = vec![1.0f32; length];
    let mut host = PingPong::of_two(ones.clone());
    program(move |run| {
        let (x, z) = host.of(run);
        cpu::combine(operation, (factor, x), (factor, &ones), z);
    })
}

/// The product of two vectors on the CPU.
pub fn product_on_cpu(length: usize) -> Work<'static> {
    operation_on_cpu(Operation::Multiply, 1.0, length)
}

/// The product of two vectors, entry by entry.
pub fn vector_product(machine: &Machine, layout: Layout) -> Result<Case<'static>, Error> {
    vector_operation(machine, layout, Operation::Multiply)
}

/// The sum of a vector, read back.
pub fn sum(machine: &Machine, layout: Layout) -> Result<Case<'static>, Error> {
    let space = TextureSpace::new(machine, layout)?;
    let x = space.vector(&vec![1.0; layout.length()])?;
    let kernel = work(move |_| space.reduce(Reduce::Sum, &x, None).map(drop));
    Ok(Case::with_ceiling(machine, kernel).against(sum_of_ones(layout.length())))
}

/// Repeated products: of a matrix with a vector, then with the result, and so on.
pub fn product(
    machine: &Machine,
    layout: Layout,
    matrix: impl Matrix + 'static,
) -> Result<Work<'static>, StreamError> {
    let mut pair = vectors(machine, layout)?;
    Ok(work(move |run| {
        let (x, y) = pair.of(run);
        matrix.multiply(x, y)
    }))
}

/// Diagonals with these numbers, with one weight such that a vector of ones is multiplied to ones.
pub fn equal_diagonals(order: usize, numbers: &[usize]) -> Diagonals<f32> {
    let weight = 1.0 / numbers.len() as f32;
    let entries = numbers.iter().map(|n| (n % order, vec![weight; order]));
    Diagonals { order, entries: entries.collect() }
}

/// The product of a dense matrix, as columns in one texture, with a vector. Its ceiling is a copy of the matrix: a
/// trivial program with the same fetches would read the same tiles in every pass, from caches.
pub fn dense_product(machine: &Machine, layout: Layout) -> Result<Case<'static>, Error> {
    let order = layout.length();
    let matrix = ColumnMatrix::zeros(machine, layout, ProductOptions::default())?;
    matrix.stream().fill([1.0 / order as f32; 4]);
    let (size, format) = (matrix.stream().size(), layout.format());
    let mut copies = PingPong::new(2, || Stream::zeros(machine, "copy", size, format))?;
    let whole = machine.rect(matrix.stream().full())?;
    let copy = machine.kernel(&COPY, &[])?;
    let ceiling = work(move |run| {
        let (x, y) = copies.of(run);
        Pass::new(&copy).read("x", x).draw(y, &whole)
    });
    Ok(Case::new(product(machine, layout, matrix)?)
        .with_own_ceiling(ceiling, 1.0)
        .against(dense_on_cpu(order)))
}

/// The product of a dense matrix on the CPU.
pub fn dense_on_cpu(order: usize) -> Work<'static> {
    let a = vec![1.0 / order as f32; order * order];
    let mut host = PingPong::of_two(vec![1.0f32; order]);
    program(move |run| {
        let (x, y) = host.of(run);
        cpu::dense(&a, x, y);
    })
}

/// The product of a matrix as diagonals, all of the same weight, with a vector.
pub fn banded_product(
    machine: &Machine,
    layout: Layout,
    numbers: &[usize],
    per_pass: Option<usize>,
) -> Result<Case<'static>, Error> {
    let order = layout.capacity();
    let diagonals = equal_diagonals(order, numbers);
    let options = ProductOptions { per_pass, ..ProductOptions::default() };
    let matrix = DiagonalMatrix::from_diagonals(machine, layout, &diagonals, options)?;
    let kernel = product(machine, layout, matrix)?;
    let mut host = PingPong::of_two(vec![1.0f32; order]);
    let cpu = program(move |run| {
        let (x, y) = host.of(run);
        cpu::diagonals(&diagonals, x, y);
    });
    Ok(Case::with_ceiling(machine, kernel).against(cpu))
}

/// Water in waves.
pub fn rough_water(machine: &Machine, settings: WaterSettings) -> Result<Water, Error> {
    let mut water = Water::at_rest(machine, settings)?;
    let rain = Rain { every: 1, finger: true, seed: 3 };
    for step in 0..2 {
        rain.push(step, &mut water)?;
        water.step()?;
    }
    Ok(water)
}

/// A fluid that pens have pushed.
pub fn stirred_fluid(machine: &Machine, settings: FluidSettings) -> Result<Fluid, Error> {
    let mut fluid = Fluid::at_rest(machine, settings)?;
    let pens = Pens { speed: 2.0, seed: 1 };
    for step in 0..2 {
        pens.push(step, &mut fluid)?;
    }
    Ok(fluid)
}

/// The lines of `fragstream bench`.
pub fn bench(bench: &mut Bench<'_>) -> Result<(), BoxedError> {
    let (large, grid, dense) = bench.pick((512, 256, 1024), (2048, 1024, 4096));
    bench.text(format_args!("\nvectors of {large}² entries"))?;
    let packings = [(Format::R32F, "one per texel"), (Format::Rgba32F, "four per texel")];
    for (packing, name) in packings {
        let layout = Layout::square(large * large, packing)?;
        for (operation, sign) in [(Operation::Multiply, "x y"), (Operation::Add, "a x + b y")] {
            bench.case(&format!("{sign}, {name}"), |machine| {
                vector_operation(machine, layout, operation)
            })?;
        }
        let what = format!("sum, {name}, read back");
        bench.case(&what, |machine| sum(machine, layout))?;
    }
    bench.text("\nmatrices; the ceiling of columns is a copy of the matrix")?;
    let n = grid * grid;
    for (packing, name) in packings {
        let layout = Layout::square(n, packing)?;
        // The five diagonals of a grid's stencil, all in one pass.
        let numbers = [0, 1, grid, n - grid, n - 1];
        let what = format!("five diagonals of {grid}² rows, {name}");
        bench.case(&what, |machine| banded_product(machine, layout, &numbers, None))?;
    }
    let layout = Layout::square(dense, Format::Rgba32F)?;
    let what = format!("dense matrix of {dense}², four per texel");
    bench.case(&what, |machine| dense_product(machine, layout))
}

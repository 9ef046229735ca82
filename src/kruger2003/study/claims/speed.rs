//! §2, §3.3, §5.1, §6, §7: operators that are timed, on the GPU and on the CPU.

use std::hint::black_box;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::memory;
use crate::experiment::{Study, Takes};
use crate::kruger2003::study::cases::{dense_on_cpu, product_on_cpu, sum, vector_product};
use crate::stream::{Format, Layout, Rect, Stream};
use crate::timing::cpu::{self, sum_of_ones};
use crate::timing::rig::{program, work};

use super::layouts::Side;

/// Settings of an operation on vectors.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Vectors {
    /// Sum the entries of a vector, and read the sum back
    #[schemars(extend("without" = "Multiply two vectors entry by entry"))]
    pub sum: bool,
    /// Number of entries
    #[schemars(range(min = 1, max = 16_777_216))]
    pub entries: usize,
    /// Store four entries per texel
    #[schemars(extend("without" = "Store one entry per texel"))]
    pub packed: bool,
    /// Store floats of 16 bits
    #[schemars(extend("without" = "Store floats of 32 bits"))]
    pub half: bool,
    /// Most texels of a line, drawn as a 1D texture [default: a square]
    #[schemars(range(min = 1, max = 32768))]
    pub line: Option<u32>,
}

impl Default for Vectors {
    fn default() -> Self {
        Self { sum: false, entries: 1024 * 1024, packed: false, half: false, line: None }
    }
}

/// An operation on vectors.
pub static VECTORS: Study = Study::timing(
    "kruger2003/vectors",
    "An operation on vectors",
    Takes::all::<Vectors>(),
    |experiment, place| {
        let Vectors { sum: sums, entries, packed, half, line } = experiment.typed()?;
        let format = match (packed, half) {
            (false, false) => Format::R32F,
            (true, false) => Format::Rgba32F,
            (false, true) => Format::R16F,
            (true, true) => Format::Rgba16F,
        };
        let layout = match line {
            Some(line) => Layout::lines(entries, format, line)?,
            None => Layout::square(entries, format)?,
        };
        let operation = if sums { sum } else { vector_product };
        Ok(operation(place.machine, layout)?.kernel)
    },
);

/// Operation on the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Product of two vectors, entry by entry
    Product,
    /// Sum of all entries of a vector, read back
    Sum,
    /// Product of a dense matrix with a vector
    Matrix,
}

/// Settings of an operation on the CPU.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OnCpu {
    /// Operation
    pub operation: Operation,
    /// Number of entries of a vector
    #[schemars(range(min = 1, max = 16_777_216))]
    pub entries: usize,
}

impl Default for OnCpu {
    fn default() -> Self {
        Self { operation: Operation::Product, entries: 4096 }
    }
}

/// An operation on the CPU.
pub static ON_CPU: Study = Study::timing(
    "kruger2003/cpu",
    "An operation in single precision on all cores, in vector registers",
    Takes::all::<OnCpu>(),
    |experiment, _| {
        let OnCpu { operation, entries } = experiment.typed()?;
        if operation == Operation::Matrix {
            let all = (entries as u64).saturating_pow(2);
            memory::check(format_args!("a dense matrix with {entries} rows"), all, 4, 2)?;
        }
        Ok(match operation {
            Operation::Product => product_on_cpu(entries),
            Operation::Sum => sum_of_ones(entries),
            Operation::Matrix => dense_on_cpu(entries),
        })
    },
);

/// Settings of inner products on one core.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct InnerProducts {
    /// Number of entries of a vector
    #[schemars(range(min = 1, max = 16_777_216))]
    pub entries: usize,
    /// Number of vectors, as the rows of a matrix
    #[schemars(range(min = 1, max = 4096))]
    pub rows: usize,
    /// Add one entry after the other
    #[schemars(extend("without" = "Add in vector registers"))]
    pub scalar: bool,
}

impl Default for InnerProducts {
    fn default() -> Self {
        Self { entries: 4096, rows: 1, scalar: false }
    }
}

/// Inner products on one core.
pub static INNER_PRODUCTS: Study = Study::timing(
    "kruger2003/inner-products",
    "Inner products of the rows of a dense matrix with a vector, on one core",
    Takes::all::<InnerProducts>(),
    |experiment, _| {
        let InnerProducts { entries, rows, scalar } = experiment.typed()?;
        let all = (entries as u64).saturating_mul(rows as u64);
        memory::check(format_args!("{rows} vectors with {entries} entries"), all, 4, 1)?;
        let one_by_one: fn(&[f32], &[f32]) -> f32 =
            |x, y| x.iter().zip(y).map(|(x, y)| x * y).sum();
        let dot = if scalar { one_by_one } else { cpu::dot };
        let (a, x) = (vec![1.0 / entries as f32; entries * rows], vec![1.0f32; entries]);
        Ok(program(move |_| {
            for row in a.chunks(entries) {
                black_box(dot(row, black_box(&x)));
            }
        }))
    },
);

/// A square of texels that is read back.
pub static READ_BACK: Study = Study::timing(
    "kruger2003/read-back",
    "Reading back a square of texels of a vector with 1024² entries, four per texel",
    Takes::all::<Side>(),
    |experiment, place| {
        let Side { side } = experiment.typed()?;
        let x = Stream::zeros(place.machine, "x", (512, 512), Format::Rgba32F)?;
        let part = Rect::of_size(side.min(512), side.min(512));
        Ok(work(move |_| x.read_rect(part).map(|texels| drop(black_box(texels)))))
    },
);

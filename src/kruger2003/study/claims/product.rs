//! §2, §3.2, §4.2: products of a matrix by its storage and summation, and what they cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::memory;
use crate::card::cache::{Sets, Shape};
use crate::card::traffic::Traffic;
use crate::claim::BoxedError;
use crate::experiment::{Record, Study, Takes};
use crate::kruger2003::diagonals::MOST_DIAGONALS;
use crate::kruger2003::rejected::Periodic;
use crate::kruger2003::study::cases::{dense_product, equal_diagonals, product};
use crate::kruger2003::{
    Accumulation, ColumnTextures, DiagonalMatrix, Error, Matrix, ProductOptions, VertexMatrix,
};
use crate::program::interpret::Order;
use crate::stream::{Format, Layout, Machine, Stream};
use crate::timing::Work;
use crate::timing::cost::{all, ledger};
use crate::timing::rig::work;

use super::layouts::{Rows, Side, sparse, stencil, vector};

/// Entries of a matrix that are not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entries {
    /// All
    Dense,
    /// Ten adjacent diagonals
    Adjacent,
    /// Ten diagonals in groups, as of a grid with 64 columns
    Grouped,
    /// Five diagonals, as of a square grid
    Grid,
}

/// Storage of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    /// A texture for each diagonal
    Diagonals,
    /// A texture for each column
    Columns,
    /// All columns as tiles of one texture
    Tiles,
    /// A vertex for each entry
    Vertices,
}

/// Settings of products.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Products {
    /// Number of rows
    #[schemars(range(min = 4, max = 4_194_304))]
    pub rows: usize,
    /// Entries that are not zero
    pub entries: Entries,
    /// Storage of the matrix
    pub storage: Storage,
    /// Store four entries per texel
    #[schemars(extend("without" = "Store one entry per texel"))]
    pub packed: bool,
    /// Diagonals per pass [default: as many as the program takes]
    #[schemars(range(min = 1, max = MOST_DIAGONALS))]
    pub per_pass: Option<usize>,
    /// Sum in two textures alternately
    #[schemars(extend("without" = "Sum in place"))]
    pub alternately: bool,
    /// Number of products, one after the other
    #[schemars(range(min = 1, max = 4096))]
    pub runs: usize,
}

impl Default for Products {
    fn default() -> Self {
        Self {
            rows: 4096,
            entries: Entries::Grouped,
            storage: Storage::Diagonals,
            packed: false,
            per_pass: None,
            alternately: false,
            runs: 1,
        }
    }
}

impl Products {
    /// Numbers of the diagonals with entries.
    fn numbers(&self) -> Vec<usize> {
        let (n, side) = (self.rows, self.rows.isqrt());
        let before = |number| n.saturating_sub(number);
        match self.entries {
            Entries::Dense => (0..n).collect(),
            Entries::Adjacent => (0..MOST_DIAGONALS).collect(),
            Entries::Grouped => {
                vec![0, 1, 2, 3, 64, 65, before(64), before(3), before(2), before(1)]
            }
            Entries::Grid => vec![0, 1, side, before(side), before(1)],
        }
    }

    fn work(&self, machine: &Machine) -> Result<Work<'static>, BoxedError> {
        let (n, side) = (self.rows, self.rows.isqrt());
        if self.entries == Entries::Dense {
            let entries = (n as u64).saturating_pow(2);
            memory::check(format_args!("a dense matrix with {n} rows"), entries, 8, 2)?;
        }
        let format = if self.packed { Format::Rgba32F } else { Format::R32F };
        let layout = Layout::square(n, format)?;
        let accumulation =
            if self.alternately { Accumulation::PingPong } else { Accumulation::InPlace };
        let mut product = match (self.storage, self.entries) {
            (Storage::Diagonals, _) => {
                let diagonals = equal_diagonals(layout.capacity(), &self.numbers());
                let options = ProductOptions { per_pass: self.per_pass, accumulation };
                let matrix = DiagonalMatrix::from_diagonals(machine, layout, &diagonals, options)?;
                product(machine, layout, matrix)?
            }
            (Storage::Columns, Entries::Dense) => {
                let column = |_| vec![1.0 / n as f32; n];
                let columns = ColumnTextures::of_columns(machine, layout, accumulation, column)?;
                product(machine, layout, columns)?
            }
            (Storage::Columns, Entries::Grid) => {
                let columns =
                    ColumnTextures::new(machine, layout, &stencil(side, side, 0.5), accumulation)?;
                product(machine, layout, columns)?
            }
            (Storage::Vertices, Entries::Grid) => {
                let vertices =
                    VertexMatrix::new(machine, layout, &stencil(side, side, 0.5), accumulation)?;
                product(machine, layout, vertices)?
            }
            (Storage::Tiles, Entries::Dense) => dense_product(machine, layout)?.kernel,
            _ => return Err("these entries are not stored so: give --storage diagonals".into()),
        };
        let runs = self.runs;
        Ok(match runs {
            1 => product,
            _ => work(move |_| (0..runs).try_for_each(&mut product)),
        })
    }
}

/// Products of a matrix whose entries are equal, or of the wave equation's.
pub static PRODUCTS: Study = Study::timing(
    "kruger2003/products",
    "Products of a matrix with a vector, one after the other",
    Takes::all::<Products>(),
    |experiment, place| experiment.typed::<Products>()?.work(place.machine),
);

/// Distinct texels of products.
pub static TEXELS: Study = Study::measuring(
    "kruger2003/texels",
    "The distinct texels that the passes of a dense product fetch, by diagonals and by columns",
    Takes::all::<Rows>(),
    &[
        ("{diagonals|columns}.operands", "", "texels of the matrix and the vector, of all passes"),
        ("{diagonals|columns}.sums", "", "texels of the sum so far, of all passes"),
    ],
    |experiment, place| {
        let (Rows { rows }, mut record) = (experiment.typed()?, Record::new());
        for (name, storage) in [("diagonals", Storage::Diagonals), ("columns", Storage::Columns)] {
            let (entries, per_pass) = (Entries::Dense, Some(1));
            let dense = Products { rows, entries, storage, per_pass, ..Products::default() };
            let mut product = dense.work(place.machine)?;
            let [operands, sums] = texels(place.machine, &mut product)?;
            record.one(format!("{name}.operands"), operands);
            record.one(format!("{name}.sums"), sums);
        }
        Ok(record)
    },
);

/// Number of distinct texels that each pass of a product fetches, summed over its passes: of the matrix and the vector, and
/// of the sum so far.
fn texels(machine: &Machine, product: &mut Work<'_>) -> Result<[f64; 2], BoxedError> {
    // A cache that holds all texels, each in a line of its own.
    let cache = Shape { bytes: 1 << 16, line: 4, ways: 16, sets: Sets::Plain };
    let traffic = Traffic::of(machine, vec![cache], Order::Fragments, || product(0))?;
    if let Some((kernel, why)) = traffic.untraced().pop_first() {
        return Err(format!("{kernel} is not traced: {why}").into());
    }
    let (mut operands, mut sums) = (0, 0);
    for ((_, stream), of) in traffic.streams() {
        *(if stream == "before" { &mut sums } else { &mut operands }) += of.misses[0];
    }
    Ok([operands as f64, sums as f64])
}

/// Products in place and not.
pub static IN_PLACE: Study = Study::measuring(
    "kruger2003/in-place",
    "A product with ten diagonals, summed in place and in two textures alternately",
    Takes::all::<Side>(),
    &[("different", "", "entries whose bits differ")],
    |experiment, place| {
        let (machine, side) = (place.machine, experiment.typed::<Side>()?.side as usize);
        let layout = Layout::square(side * side, Format::R32F)?;
        let x = Stream::from_entries(machine, "x", layout, &vector(side * side, 5))?;
        let numbers: Vec<usize> = (0..MOST_DIAGONALS).collect();
        let stored = equal_diagonals(layout.capacity(), &numbers);
        let result = |accumulation| -> Result<Vec<f32>, BoxedError> {
            let options = ProductOptions { per_pass: Some(1), accumulation };
            let matrix = DiagonalMatrix::from_diagonals(machine, layout, &stored, options)?;
            let mut y = Stream::vector(machine, "y", layout)?;
            matrix.multiply(&x, &mut y)?;
            Ok(y.read_rect(y.full())?)
        };
        let [own, turns] = all([Accumulation::InPlace, Accumulation::PingPong].map(result))?;
        let different = own.iter().zip(&turns).filter(|(a, b)| a.to_bits() != b.to_bits());
        Ok(Record::numbers([("different", different.count() as f64)]))
    },
);

/// Adds what a matrix and its product cost.
fn cost<M: Matrix + 'static>(
    record: &mut Record,
    name: &str,
    (machine, layout): (&Machine, Layout),
    make: impl FnOnce() -> Result<M, Error>,
) -> Result<(), BoxedError> {
    machine.take_ledger();
    let matrix = make()?;
    let bytes = machine.take_ledger().bytes_uploaded;
    let total = ledger(machine, &mut product(machine, layout, matrix)?)?.total();
    let counts = [
        ("bytes", bytes),
        ("points", total.points),
        ("fragments", total.fragments),
        ("fetches", total.fetches),
    ];
    for (what, count) in counts {
        record.one(format!("{name}.{what}"), count as f64);
    }
    Ok(())
}

/// A sparse matrix with entries in random columns.
pub static SCATTERED: Study = Study::measuring(
    "kruger2003/scattered",
    "The cost of a matrix with 6.5 entries per row on average, in random columns, as diagonals and as vertices",
    Takes::nothing(),
    &[
        ("rows", "", "rows"),
        ("{diagonals|vertices}.bytes", "", "bytes uploaded for the matrix"),
        ("{diagonals|vertices}.{points|fragments|fetches}", "", "of a product"),
    ],
    |_, place| {
        let (matrix, mut record) = (sparse(1024, 13, 4)?, Record::new());
        let layout = Layout::square(matrix.rows(), Format::R32F)?;
        let on = (place.machine, layout);
        record.one("rows", matrix.rows() as f64);
        cost(&mut record, "diagonals", on, || {
            DiagonalMatrix::new(place.machine, layout, &matrix, ProductOptions::default())
        })?;
        cost(&mut record, "vertices", on, || {
            VertexMatrix::new(place.machine, layout, &matrix, Accumulation::InPlace)
        })?;
        Ok(record)
    },
);

/// Order of a matrix as columns, whose costs grow with the square of the order.
const COLUMNS: usize = 64;

/// The paper's example.
pub static STENCIL: Study = Study::measuring(
    "kruger2003/stencil",
    "The cost of the wave equation's matrix as vertices, and of a matrix of order 64 as columns",
    Takes::all::<Side>(),
    &[
        ("cells", "", "rows of the wave equation's matrix"),
        ("{vertices|columns}.bytes", "", "bytes uploaded for the matrix"),
        ("{vertices|columns}.{points|fragments|fetches}", "", "of a product"),
    ],
    |experiment, place| {
        let (machine, side) = (place.machine, experiment.typed::<Side>()?.side as usize);
        let (matrix, mut record) = (stencil(side, side, 0.5), Record::new());
        let [own, full] = all([matrix.rows(), COLUMNS].map(|n| Layout::square(n, Format::R32F)))?;
        record.one("cells", matrix.rows() as f64);
        cost(&mut record, "vertices", (machine, own), || {
            VertexMatrix::new(machine, own, &matrix, Accumulation::InPlace)
        })?;
        cost(&mut record, "columns", (machine, full), || {
            let column = |_| vec![1.0; COLUMNS];
            ColumnTextures::of_columns(machine, full, Accumulation::InPlace, column)
        })?;
        Ok(record)
    },
);

/// The method that the paper rejects.
pub static REJECTED: Study = Study::timing(
    "kruger2003/rejected",
    "The product of a dense matrix as one texture, times a periodic vector and summed along the rows",
    Takes::all::<Rows>(),
    |experiment, place| {
        let rows = experiment.typed::<Rows>()?.rows;
        if !rows.is_power_of_two() {
            return Err(format!(
                "--rows {rows}: give a power of two, which halvings reduce to one"
            )
            .into());
        }
        let (entries, x) = (vector(rows * rows, 1), vector(rows, 2));
        let periodic = Periodic::new(place.machine, &entries, &x)?;
        Ok(work(move |_| periodic.multiply().map(drop)))
    },
);

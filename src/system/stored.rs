//! A matrix in textures, in any layout, with the vectors that go with it.

use std::rc::Rc;

use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::{Packing, PackingOptions};
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::geveler2011::products::{
    Arithmetic, EllpackLayout, EllpackProduct, EllpackStorage, Entries, RowFormat,
};
use crate::kruger2003::{
    Accumulation, ColumnMatrix, ColumnOptions, DiagonalMatrix, DiagonalOptions, Matrix,
    VertexMatrix,
};
use crate::solver::{Csr, Operation, Operator, TextureSpace};
use crate::stream::{Format, Layout as VectorLayout, Machine, Stream, StreamError};

use super::choice::Layout;
use super::error::SystemError;

/// Records of a sum that are left to the CPU: reading so many back takes less time than the passes that
/// would leave one.
const STOP_AT: u64 = 1 << 13;

/// Texels in a row of vectors that lie four entries a texel: those of a tile of Mesa's llvmpipe, which then is
/// one piece of memory. Of 99 452 rows and seven diagonals the programs take 0.7 of the time that they take in
/// a square.
const WIDTH: usize = 64;

/// A product in textures.
pub type Product = Box<dyn Operator<TextureSpace>>;

/// A square matrix in textures.
pub struct Stored {
    /// The vectors that it acts on.
    pub space: TextureSpace,
    /// A
    pub matrix: Product,
    /// Aᵀ, where it was asked for.
    pub transpose: Option<Product>,
    /// Divides by A's diagonal.
    pub diagonal: Diagonal,
    /// How it lies in textures, in a few words.
    pub words: String,
    /// Where the entries of vectors are, unless they are in their order.
    packing: Option<Packing>,
}

impl Stored {
    /// Stores a matrix, and its transpose if asked for, in a layout.
    pub fn new(
        machine: &Machine,
        a: &Csr<f64>,
        layout: Layout,
        packing: &PackingOptions,
        transposed: bool,
    ) -> Result<Self, SystemError> {
        if layout == Layout::Rows {
            return Self::rows(machine, a, packing, transposed);
        }
        let vectors = match layout {
            Layout::Diagonals => {
                let limit = machine.context().description().rectangle_limit as usize;
                let width = a.rows().div_ceil(4).div_ceil(limit).max(WIDTH);
                VectorLayout::wrapped(a.rows(), Format::Rgba32F, width as u32)?
            }
            _ => VectorLayout::square(a.rows(), Format::R32F)?,
        };
        let space = TextureSpace::new(machine, vectors)?.stopping_at(STOP_AT)?;
        let transpose = transposed.then(|| a.transpose());
        let (matrix, transpose, words) = match layout {
            Layout::Diagonals => diagonals(machine, vectors, a, transposed)?,
            _ => {
                let (matrix, words) = one(machine, vectors, a, layout)?;
                let transpose = transpose.map(|t| one(machine, vectors, &t, layout));
                (matrix, transpose.transpose()?.map(|t| t.0), words)
            }
        };
        Ok(Self {
            diagonal: Diagonal::new(&space, None, a)?,
            space,
            matrix,
            transpose,
            words,
            packing: None,
        })
    }

    /// Groups of rows. The transpose shares the packing: of row i of either the shorter is padded.
    fn rows(
        machine: &Machine,
        a: &Csr<f64>,
        options: &PackingOptions,
        transposed: bool,
    ) -> Result<Self, SystemError> {
        let options = &PackingOptions {
            texture_limit: machine.context().description().rectangle_limit,
            ..*options
        };
        let (packing, images, transpose) = match transposed {
            true => {
                let (packing, [images, transpose]) = pack([a, &a.transpose()], options)?;
                (packing, images, Some(transpose))
            }
            false => {
                let (packing, [images]) = pack([a], options)?;
                (packing, images, None)
            }
        };
        let space = TextureSpace::new(machine, VectorLayout::grid(packing.size, Format::R32F))?;
        let space = space.stopping_at(STOP_AT)?;
        let upload = |images| SparseMatrix::upload(machine, &packing, images, Format::R32F);
        let matrix = upload(&images)?;
        let transpose = transpose.as_ref().map(upload).transpose()?;
        let [width, height] = options.rectangle;
        Ok(Self {
            diagonal: Diagonal::new(&space, Some(&packing), a)?,
            space,
            matrix: Box::new(matrix),
            transpose: transpose.map(|t| Box::new(t) as Product),
            words: format!("rectangles of {width}x{height}"),
            packing: Some(packing),
        })
    }

    /// A vector with these entries.
    pub fn vector(&self, entries: &[f32]) -> Result<Stream, StreamError> {
        vector(&self.space, self.packing.as_ref(), entries)
    }

    /// A vector's entries.
    pub fn read(&self, vector: &Stream) -> Result<Vec<f32>, StreamError> {
        let entries = vector.read()?;
        Ok(match &self.packing {
            Some(packing) => packing.gather(&entries),
            None => entries,
        })
    }
}

fn vector(
    space: &TextureSpace,
    packing: Option<&Packing>,
    entries: &[f32],
) -> Result<Stream, StreamError> {
    match packing {
        Some(packing) => space.vector(&packing.scatter(entries)),
        None => space.vector(entries),
    }
}

/// z ← D⁻¹ r by a product with the reciprocals, which are laid out like the vectors: these may hold four
/// rows a texel, where [`crate::solver::TextureDiagonal`] has one.
pub struct Diagonal(Stream);

impl Diagonal {
    /// Of a matrix; zero where the diagonal is zero.
    fn new(
        space: &TextureSpace,
        packing: Option<&Packing>,
        a: &Csr<f64>,
    ) -> Result<Self, StreamError> {
        let reciprocal = |entry: f64| match 1.0 / entry as f32 {
            reciprocal if reciprocal.is_finite() => reciprocal,
            _ => 0.0,
        };
        let reciprocals: Vec<f32> = a.diagonal().into_iter().map(reciprocal).collect();
        vector(space, packing, &reciprocals).map(Self)
    }
}

impl Operator<TextureSpace> for Diagonal {
    fn apply(&self, space: &TextureSpace, r: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        space.combine(Operation::Multiply, (1.0, &self.0), (1.0, r), z)
    }
}

/// One matrix in a layout whose transpose is a second matrix.
fn one(
    machine: &Machine,
    vectors: VectorLayout,
    a: &Csr<f64>,
    layout: Layout,
) -> Result<(Product, String), SystemError> {
    Ok(match layout {
        Layout::Columns => {
            let matrix = ColumnMatrix::new(machine, vectors, a, ColumnOptions::default())?;
            let (width, height) = matrix.stream().size();
            (Box::new(matrix), format!("one {width}x{height} texture"))
        }
        Layout::Points => {
            let matrix = VertexMatrix::new(machine, vectors, a, Accumulation::default())?;
            let words = format!(
                "{} in {}",
                matrix.vertices(),
                counted(matrix.passes(), "draw")
            );
            (Box::new(matrix), words)
        }
        // Rows and diagonals are stored elsewhere.
        Layout::Ellpack | Layout::EllpackR | Layout::Rows | Layout::Diagonals => {
            let layout = EllpackLayout {
                rows: layout.row_format().unwrap_or(RowFormat::Ellpack),
                entries: Entries::Packed,
            };
            let storage = Rc::new(EllpackStorage::new(machine, a, layout)?);
            let words = format!("rows of {} at most", storage.row_length());
            let matrix = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
            (Box::new(matrix), words)
        }
    })
}

/// Diagonals, whose transpose is in the same textures.
fn diagonals(
    machine: &Machine,
    vectors: VectorLayout,
    a: &Csr<f64>,
    transposed: bool,
) -> Result<(Product, Option<Product>, String), SystemError> {
    let matrix = DiagonalMatrix::new(machine, vectors, a, DiagonalOptions::default())?;
    let passes = counted(matrix.passes(), "pass");
    let words = format!("{} in {passes}", matrix.numbers().count());
    let matrix = Rc::new(matrix);
    let transpose = transposed.then(|| Box::new(Transposed(Rc::clone(&matrix))) as Product);
    Ok((Box::new(matrix), transpose, words))
}

/// The transpose of a matrix as diagonals.
struct Transposed(Rc<DiagonalMatrix>);

impl Matrix for Transposed {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.0.transpose().multiply(x, y)
    }
}

/// As in `1 pass`, `2 passes`, `2 draws`.
pub(super) fn counted(count: usize, what: &str) -> String {
    let plural = match (count, what) {
        (1, _) => "",
        (_, "pass") => "es",
        _ => "s",
    };
    format!("{count} {what}{plural}")
}

//! LU decomposition of a dense matrix as columns: future work in Krüger and Westermann 2003, section
//! 7, on the layout of section 3.2.
//!
//! A step of the elimination is one pass over the texture with all columns; two textures are used alternately.
//! The exchange of rows for pivoting is part of the same pass: it only changes the positions from which
//! entries are fetched. The pivot is found by two reductions of the column, one for the largest
//! absolute value, one for the first row that has it, each with a read-back of one texel.

use crate::solver::Csr;
use crate::stream::{
    Edges, Layout, Machine, Pass, Rects, Reduce, Reduction, Source, Stream, source,
};

use crate::kruger2003::matrices::columns::Tiles;
use crate::kruger2003::matrices::vertices::expect_single;
use crate::kruger2003::{AlgebraError, ColumnMatrix, ColumnOptions};

const LU_STEP: Source = source!("kruger2003/solvers/lu_step");
const PIVOT: Source = source!("kruger2003/solvers/pivot");

/// A number greater than all row indices, as the program writes it.
const BEYOND: &str = "16777216.0";

/// Choice of the pivot row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pivoting {
    /// The next row, without pivoting.
    None,
    /// The row with the largest remaining entry in the column.
    #[default]
    Partial,
}

/// The factors of P A = L U.
pub struct Lu {
    /// L below the diagonal (its own diagonal is one), and U on and above the diagonal.
    pub factors: ColumnMatrix,
    /// The row of A for each row of L U.
    pub permutation: Vec<usize>,
}

impl Lu {
    /// Factorises a matrix with one entry per texel, without changing it.
    ///
    /// # Errors
    /// [`AlgebraError::Format`], [`AlgebraError::ZeroPivot`] if a step has no usable pivot,
    /// or those of the GPU.
    pub fn new(matrix: &ColumnMatrix, pivoting: Pivoting) -> Result<Self, AlgebraError> {
        Self::observed(matrix, pivoting, &mut |_, _| ())
    }

    /// The same, with an observer that receives the number of steps done and their total.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn observed(
        matrix: &ColumnMatrix,
        pivoting: Pivoting,
        observer: &mut dyn FnMut(usize, usize),
    ) -> Result<Self, AlgebraError> {
        let (machine, tiles) = (&matrix.machine, matrix.tiles);
        expect_single("an LU decomposition", tiles.layout)?;
        let search = Search::new(machine, tiles)?;
        let step = machine.kernel(&LU_STEP, &[])?;
        let whole = machine.rect(matrix.columns.full())?;
        let empty = || ColumnMatrix::zeros(machine, tiles.layout, ColumnOptions::default());
        let (mut factors, mut next) = (empty()?, empty()?);
        let order = tiles.layout.length();
        let mut permutation: Vec<usize> = (0..order).collect();
        for k in 0..order {
            let source = if k == 0 { matrix } else { &factors };
            let (row, pivot) = match pivoting {
                Pivoting::None => (k, search.entry(&source.columns, k, k)?),
                Pivoting::Partial => search.largest(&source.columns, k)?,
            };
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(AlgebraError::ZeroPivot {
                    row: k,
                    value: f64::from(pivot),
                    remedy: match pivoting {
                        Pivoting::None => "use partial pivoting",
                        Pivoting::Partial => "the matrix is singular to single precision",
                    },
                });
            }
            Pass::new(&step)
                .read("a", &source.columns)
                .set("size", tiles.layout.size())
                .set("across", tiles.across as f32)
                .set("number", [k as f32, row as f32])
                .set("place_k", tiles.layout.centre(k))
                .set("place_p", tiles.layout.centre(row))
                .set("tile_k", tiles.tile(k).map(|v| v as f32))
                .draw(&next.columns, &whole)?;
            std::mem::swap(&mut factors, &mut next);
            permutation.swap(k, row);
            observer(k + 1, order);
        }
        Ok(Self {
            factors,
            permutation,
        })
    }

    /// L and U, read back.
    pub fn read(&self) -> Result<(Csr<f64>, Csr<f64>), AlgebraError> {
        let entries = self.factors.read()?;
        let n = self.permutation.len();
        let all = || (0..n * n).map(|k| (k / n, k % n, f64::from(entries[k])));
        let ones = (0..n).map(|i| (i, i, 1.0));
        let matrix = |triplets: Vec<(usize, usize, f64)>| {
            Csr::from_triplets(n, n, triplets).map_err(|_| AlgebraError::Shape {
                rows: n,
                columns: n,
                length: n,
            })
        };
        let lower = matrix(all().filter(|&(i, j, _)| j < i).chain(ones).collect())?;
        let upper = matrix(all().filter(|&(i, j, _)| j >= i).collect())?;
        Ok((lower, upper))
    }
}

/// The search for a pivot in a column.
struct Search<'a> {
    machine: &'a Machine,
    tiles: Tiles,
    /// A column of candidates.
    candidates: Stream,
    full: Rects,
    largest: Reduction,
    first: Reduction,
}

impl<'a> Search<'a> {
    fn new(machine: &'a Machine, tiles: Tiles) -> Result<Self, AlgebraError> {
        let (size, format) = (tiles.layout.size(), tiles.layout.format());
        let reduction = |op| Reduction::new(machine, size, format, op, Edges::Padded);
        let candidates = Stream::zeros(machine, "candidates", size, format)?;
        Ok(Self {
            machine,
            tiles,
            full: machine.rect(candidates.full())?,
            candidates,
            largest: reduction(Reduce::Maximum)?,
            first: reduction(Reduce::Minimum)?,
        })
    }

    /// The row, from k on, with the largest entry of column k, and the absolute value of that entry.
    fn largest(&self, a: &Stream, k: usize) -> Result<(usize, f32), AlgebraError> {
        self.draw(a, k, None)?;
        let largest = self.largest.of(&self.candidates)?[0];
        self.draw(a, k, Some(largest))?;
        // After the last row there are zeros, which can tie only with a column of zeros.
        let row = self.first.of(&self.candidates)?[0] as usize;
        let within = row < self.tiles.layout.length();
        Ok((if within { row } else { k }, largest))
    }

    fn draw(&self, a: &Stream, k: usize, largest: Option<f32>) -> Result<(), AlgebraError> {
        let mut defines = vec![("BEYOND", BEYOND)];
        if largest.is_some() {
            defines.push(("FIND_ROW", "1"));
        }
        Ok(Pass::new(&*self.machine.kernel(&PIVOT, &defines)?)
            .read("a", a)
            .set("size", self.tiles.layout.size())
            .set("number", k as f32)
            .set("tile_k", self.tiles.tile(k).map(|v| v as f32))
            .set("largest", largest.unwrap_or_default())
            .draw(&self.candidates, &self.full)?)
    }

    /// One entry, read back.
    fn entry(&self, a: &Stream, row: usize, column: usize) -> Result<f32, AlgebraError> {
        let layout: Layout = self.tiles.layout;
        let ([x, y], _) = layout.place(row);
        let ([across, up], (width, height)) = (self.tiles.tile(column), layout.size());
        Ok(a.read_record(across * width + x, up * height + y)?[0])
    }
}

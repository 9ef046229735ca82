//! LU decomposition of a dense matrix as columns, and systems solved by it: future work in Krüger and Westermann 2003,
//! section 7, on the layout of section 3.2.
//!
//! A step of the elimination is one pass over the texture with all columns; two textures are used alternately.
//! The exchange of rows for pivoting is part of the same pass: it only changes the positions from which
//! entries are fetched. The pivot is found by two reductions of the column, one for the largest
//! absolute value, one for the first row that has it, each with a read-back of one texel.
//!
//! A solve exchanges rows as in the pivoting, and substitutes forward with L and back with U, in place as
//! [Gauss–Seidel](super::GaussSeidel) sweeps. So one texture can hold both triangles, and its other entries do not
//! matter. The remaining residual is solved for again with the same factors: iterative refinement, a stationary method
//! whose first step, from x = 0, is the solve itself.

use std::cell::RefCell;
use std::rc::Rc;

use crate::solver::{Criteria, Csr, Operator, Outcome, Progress, TextureSpace, VectorSpace};
use crate::stream::{
    Edges, Format, Kernel, Machine, Pass, Rects, Reduce, Reduction, Source, Stream, StreamError,
    source,
};

use super::columns::Tiles;
use super::gauss_seidel::{Forward, SUBSTITUTE, iterate, substitute};
use super::operators::square;
use super::vertices::expect_single;
use super::{ColumnMatrix, Error, ProductOptions};

const LU_STEP: Source = source!(kruger2003, "solvers/lu_step");
const PIVOT: Source = source!(kruger2003, "solvers/pivot");
const PERMUTE: Source = source!(kruger2003, "solvers/permute");
const DIVIDE_BY_PIVOTS: Source = source!(kruger2003, "solvers/divide_by_pivots");

/// A number greater than all row indices, as the program writes it.
const BEYOND: &str = "16777216.0";

/// The factors of P A = L U.
pub struct Lu {
    /// L below the diagonal (its own diagonal is one), and U on and above the diagonal.
    pub factors: ColumnMatrix,
    /// The row of A for each row of L U.
    pub permutation: Vec<usize>,
}

impl Lu {
    /// Factorises a matrix with one entry per texel, without changing it; `observer` receives the number of steps done
    /// and their total, and returns true to go on.
    fn new(
        matrix: &ColumnMatrix,
        observer: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<Self, Error> {
        let (machine, tiles) = (&matrix.machine, matrix.tiles);
        expect_single("an LU decomposition", tiles.layout)?;
        let search = Search::new(machine, tiles)?;
        let step = machine.kernel(&LU_STEP, &[])?;
        let whole = machine.rect(matrix.columns.full())?;
        let empty = || ColumnMatrix::zeros(machine, tiles.layout, ProductOptions::default());
        let (mut factors, mut next) = (empty()?, empty()?);
        let order = tiles.layout.length();
        let mut permutation: Vec<usize> = (0..order).collect();
        for k in 0..order {
            let source = if k == 0 { matrix } else { &factors };
            let (row, pivot) = search.largest(&source.columns, k)?;
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(Error::ZeroPivot {
                    row: k,
                    value: f64::from(pivot),
                    remedy: "use another matrix: this one is singular to single precision",
                });
            }
            // §7, LU: l_ik = a_ik / a_kk and a_ij ← a_ij − l_ik a_kj, for rows i > k
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
            if !observer(k + 1, order) {
                return Err(Error::Ended(k + 1));
            }
        }
        Ok(Self { factors, permutation })
    }

    /// L and U, read back.
    pub fn read(&self) -> Result<(Csr<f64>, Csr<f64>), Error> {
        let entries = self.factors.read()?;
        let n = self.permutation.len();
        let all = || (0..n * n).map(|k| (k / n, k % n, f64::from(entries[k])));
        let ones = (0..n).map(|i| (i, i, 1.0));
        let lower = square(n, all().filter(|&(i, j, _)| j < i).chain(ones));
        Ok((lower, square(n, all().filter(|&(i, j, _)| j >= i))))
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
    fn new(machine: &'a Machine, tiles: Tiles) -> Result<Self, Error> {
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
    fn largest(&self, a: &Stream, k: usize) -> Result<(usize, f32), Error> {
        self.draw(a, k, None)?;
        let largest = self.largest.of(&self.candidates)?[0];
        self.draw(a, k, Some(largest))?;
        // After the last row there are zeros, which can tie only with a column of zeros.
        let row = self.first.of(&self.candidates)?[0] as usize;
        let within = row < self.tiles.layout.length();
        Ok((if within { row } else { k }, largest))
    }

    fn draw(&self, a: &Stream, k: usize, largest: Option<f32>) -> Result<(), Error> {
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
}

/// Solves with upper triangles.
struct Back {
    kernel: Rc<Kernel>,
    divide: Rc<Kernel>,
    /// The rows above the diagonal entry of each column from the second on.
    above: Vec<Rects>,
    all: Rects,
}

impl Back {
    /// Creates it for matrices with these tiles, one entry per texel.
    fn new(machine: &Machine, tiles: Tiles) -> Result<Self, StreamError> {
        let (layout, n) = (tiles.layout, tiles.layout.length());
        let rows = |count| machine.rects(&layout.rectangles_of(0..count));
        Ok(Self {
            kernel: machine.kernel(&SUBSTITUTE, &[("DIVIDED", "1")])?,
            divide: machine.kernel(&DIVIDE_BY_PIVOTS, &[])?,
            above: (1..n).map(rows).collect::<Result<_, _>>()?,
            // Padding has no pivot to divide by.
            all: rows(n)?,
        })
    }

    /// x ← U⁻¹ x, where U is the part on and above the matrix's diagonal.
    ///
    /// All divisions on which no other row depends are left to a last pass over all rows.
    fn solve(&self, matrix: &ColumnMatrix, x: &Stream) -> Result<(), StreamError> {
        for (before, rows) in self.above.iter().enumerate().rev() {
            substitute(&self.kernel, matrix, before + 1, x, rows)?;
        }
        Pass::new(&self.divide)
            .read("a", matrix.stream())
            .read("x", x)
            .set("size", matrix.tiles.layout.size())
            .set("across", matrix.tiles.across as f32)
            .feedback()
            .draw(x, &self.all)
    }
}

/// Steps of a refinement that may pass without progress; each gains as many digits as the factors have.
const PATIENCE: usize = 3;

/// A matrix with its factors, prepared for solves.
pub struct LuSolver {
    matrix: ColumnMatrix,
    lu: Lu,
    permute: Rc<Kernel>,
    /// For each row of L U, the position of the row of A.
    places: Stream,
    full: Rects,
    forward: Forward,
    back: Back,
    /// A residual and its correction.
    work: RefCell<[Stream; 2]>,
}

impl LuSolver {
    /// Uploads a matrix and factorises it with partial pivoting. The space's layout must hold one
    /// entry per texel.
    pub fn new(space: &TextureSpace, matrix: &Csr<f64>) -> Result<Self, Error> {
        Self::observed(space, matrix, &mut |_, _| true)
    }

    /// Decomposes with an observer, which receives the number of
    /// steps done and their total, and returns true to go on.
    pub fn observed(
        space: &TextureSpace,
        matrix: &Csr<f64>,
        observer: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<Self, Error> {
        let (machine, layout) = (space.machine(), space.layout());
        let matrix = ColumnMatrix::new(machine, layout, matrix, ProductOptions::default())?;
        let lu = Lu::new(&matrix, observer)?;
        // Padding keeps its position.
        let padding = layout.length()..layout.capacity();
        let rows = lu.permutation.iter().copied().chain(padding);
        let places: Vec<f32> = rows.flat_map(|row| layout.centre(row)).collect();
        let size = layout.size();
        Ok(Self {
            permute: machine.kernel(&PERMUTE, &[])?,
            places: Stream::from_data(machine, "places", size, Format::Rg32F, &places)?,
            full: machine.rects(&layout.rectangles())?,
            forward: Forward::new(machine, matrix.tiles)?,
            back: Back::new(machine, matrix.tiles)?,
            work: RefCell::new([space.zeros()?, space.zeros()?]),
            matrix,
            lu,
        })
    }

    /// The factors.
    pub fn factors(&self) -> &Lu {
        &self.lu
    }

    /// x ← A⁻¹ b by the factors alone.
    pub fn substitute(&self, b: &Stream, x: &mut Stream) -> Result<(), StreamError> {
        let layout = self.matrix.tiles.layout;
        b.expect("b", layout)?;
        x.expect("x", layout)?;
        Pass::new(&self.permute).read("x", b).read("places", &self.places).draw(x, &self.full)?;
        self.forward.solve(&self.lu.factors, x)?;
        self.back.solve(&self.lu.factors, x)
    }

    /// Solves, and refines x until b − A x is within the tolerance. From x = 0 the first step is the
    /// plain solve.
    pub fn solve(
        &self,
        space: &TextureSpace,
        b: &Stream,
        x: &mut Stream,
        criteria: &Criteria,
        observer: impl FnMut(&Progress<'_, Stream>),
    ) -> Result<Outcome, StreamError> {
        let refine = |x: &mut Stream| {
            let [residual, correction] = &mut *self.work.borrow_mut();
            self.matrix.apply(space, x, correction)?;
            space.subtract(b, correction, residual)?;
            self.substitute(residual, correction)?;
            space.axpy(x, 1.0, correction)
        };
        let criteria = Criteria { patience: criteria.patience.min(PATIENCE), ..*criteria };
        iterate(space, &self.matrix, refine, b, x, &criteria, observer)
    }
}

//! Symmetric multicolour Gauss–Seidel as preconditioner, by a change of variables.
//!
//! Suppose that the unknowns of a matrix fall into classes without couplings in a class (the squares of a
//! chessboard; a grid with a five- or seven-point stencil has two, a grid of triangles three), and that its
//! diagonal is one. Then A = L + I + Lᵀ with a lower part L of blocks from class to class. Conjugate gradients
//! for
//!
//! ```text
//! (I + L)⁻¹ A (I + Lᵀ)⁻¹ y = (I + L)⁻¹ b        x = (I + Lᵀ)⁻¹ y
//! ```
//!
//! take the same steps as for A with the preconditioner (I + L) (I + Lᵀ). With t = (I + Lᵀ)⁻¹ y the product is
//! t + (I + L)⁻¹ (y − t), which uses each block once, like a product with A. The first class's part of the
//! product is that of y, so only the other classes are iterated.
//!
//! For two colours the product is y₂ − A₂₁ A₁₂ y₂, as if the first class were eliminated: half as many steps as
//! without a preconditioner, on vectors of half the length. For three colours
//!
//! ```text
//! t₂ = y₂ − A₂₃ y₃      u₁ = A₁₂ t₂ + A₁₃ y₃      w₂ = A₂₃ y₃ − A₂₁ u₁      w₃ = y₃ − A₃₁ u₁
//! z₂ = t₂ + w₂          z₃ = w₃ − A₃₂ w₂
//! ```
//!
//! Source: S. C. Eisenstat, *Efficient implementation of a class of preconditioned conjugate gradient
//! methods*, 1981; for two colours J. K. Reid, *The use of conjugate gradients for systems of linear
//! equations possessing "Property A"*, 1972.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;

use super::error::SolveError;
use crate::base::order::ShortSort;
use crate::layouts::Stored;
use crate::layouts::quarters::{MOST_A_PASS, QuarterMatrix, Quarters, Sum, count, in_passes};
use crate::solver::{Csr, Operation, Operator, TextureSpace};
use crate::stream::{Machine, Stream, StreamError};

/// Maximum number of classes.
const MOST: usize = 3;

/// The classes of a symmetric matrix's unknowns, and the blocks between them.
#[derive(Debug)]
pub(super) struct Colours {
    /// The rows of each class in ascending order, padded with `None` to equal length; the smallest
    /// class first.
    rows: Vec<Vec<Option<u32>>>,
    /// L, row by row: the class of its rows, a lower one of its columns, and the entries.
    blocks: Vec<([usize; 2], Csr<f64>)>,
}

impl Colours {
    /// The classes of a square matrix whose diagonal is one. `None` if more than three colours are needed, or
    /// if the additional diagonals of the blocks outweigh the gain.
    pub fn new(a: &Csr<f64>) -> Option<Self> {
        let colours = colours(a)?;
        let mut rows = vec![Vec::new(); usize::from(*colours.iter().max()?) + 1];
        for (row, &colour) in (0..).zip(&colours) {
            rows[usize::from(colour)].push(Some(row));
        }
        rows.order_by_key(Vec::len);
        let length = rows.last()?.len();
        let (mut class_of, mut numbers) = (vec![0; a.rows()], vec![0; a.rows()]);
        for (class, rows) in rows.iter_mut().enumerate() {
            for (number, &row) in (0..).zip(rows.iter().flatten()) {
                (class_of[row as usize], numbers[row as usize]) = (class, number);
            }
            rows.resize(length, None);
        }
        let classes = (1..rows.len()).flat_map(|to| (0..to).map(move |from| [to, from]));
        let block = |[to, from]: [usize; 2]| {
            let is_joined = |row: usize, column: usize| row != column && class_of[column] == from;
            let entries = a.submatrix(&rows[to], (&numbers, length), is_joined);
            ([to, from], entries)
        };
        let blocks: Vec<_> = classes.map(block).collect();
        let stored: Vec<_> = blocks.iter().map(|block| count(&block.1)).collect();
        let entries = |[diagonals, order]: &[usize; 2]| diagonals * order;
        // There are half as many steps, with each block twice; the gain must pay for the rest, a quarter. With
        // three colours one pass takes all couplings of a class.
        let is_less = 4 * stored.iter().map(entries).sum::<usize>() <= 3 * entries(&count(a));
        let most = stored.iter().map(|[diagonals, _]| diagonals).max()?;
        let is_one_pass = rows.len() == 2 || 2 * most <= MOST_A_PASS;
        (is_less && is_one_pass).then_some(Self { rows, blocks })
    }

    /// The number of classes.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    fn length(&self) -> usize {
        self.rows[0].len()
    }

    /// The number of iterated unknowns: those of all classes except the first.
    pub fn unknowns(&self) -> usize {
        (self.count() - 1) * self.length()
    }

    /// (I + L)⁻¹ b: the first class, and the others.
    pub fn reduce(&self, b: &[f64]) -> [Vec<f64>; 2] {
        let mut all = self.gather(0..self.count(), b, 0.0);
        let mut product = vec![0.0; self.length()];
        for (classes, entries) in &self.blocks {
            let [to, from] = classes.map(|class| self.places(class));
            // All classes have the length of the block.
            if entries.multiply_parallel(&all[from], &mut product).is_ok() {
                let own = all[to].iter_mut().zip(&product);
                own.for_each(|(own, product)| *own -= product);
            }
        }
        let others = all.split_off(self.length());
        [all, others]
    }

    /// x = (I + Lᵀ)⁻¹ y
    pub fn complete(&self, [first, others]: [&[f64]; 2]) -> Vec<f64> {
        let mut all = [first, others].concat();
        for (classes, entries) in self.blocks.iter().rev() {
            let [row, column] = classes.map(|class| self.places(class).start);
            for (i, j, value) in entries.triplets() {
                all[column + j] -= value * all[row + i];
            }
        }
        let rows = || self.rows.iter().flatten();
        let mut x = vec![0.0; rows().flatten().count()];
        for (row, &value) in rows().zip(&all) {
            if let Some(row) = row {
                x[*row as usize] = value;
            }
        }
        x
    }

    fn places(&self, class: usize) -> Range<usize> {
        class * self.length()..(class + 1) * self.length()
    }

    /// Entries of a vector in the order of some classes, with another value where a class has no row.
    pub fn gather(&self, classes: Range<usize>, values: &[f64], otherwise: f64) -> Vec<f64> {
        let rows = self.rows[classes].iter().flatten();
        rows.map(|row| row.map_or(otherwise, |row| values[row as usize])).collect()
    }

    /// (I + L)⁻¹ A (I + Lᵀ)⁻¹ in textures, without the first class.
    pub fn upload(&self, machine: &Machine) -> Result<Stored, SolveError> {
        let one = Quarters::new(self.length(), 1)?;
        let all = Quarters::new(self.length(), self.count() - 1)?;
        let reduced = Reduced::new(machine, (one, all), self)?;
        let share = if self.count() == 2 { "half" } else { "two thirds" };
        let diagonals = in_passes(reduced.counts());
        let words = format!("{diagonals}, for {share} of the unknowns");
        let places = Some(all.places(self.unknowns()));
        let product = (std::rc::Rc::new(reduced) as _, words);
        Ok(Stored::new(machine, all.layout(), places, product, None)?)
    }
}

/// A class for each row, such that no off-diagonal entry couples two rows of one class. `None` if more than
/// three are needed.
///
/// The next row is always one whose neighbours have the most colours already (D. Brélaz, *New methods to color
/// the vertices of a graph*, 1979). This leaves no choice if two colours suffice, or where triangles meet. Of
/// equal rows the one comes first that has waited longest, so that neighbours in the list are mostly neighbours
/// in the matrix.
fn colours(a: &Csr<f64>) -> Option<Vec<u8>> {
    let mut colours: Vec<Option<u8>> = vec![None; a.rows()];
    // A bit for each colour of a neighbour; rows by their number of colours.
    let mut taken = vec![0_u8; a.rows()];
    let mut waiting: [VecDeque<usize>; MOST] = Default::default();
    for start in 0..a.rows() {
        waiting[0].push_back(start);
        while let Some(row) = waiting.iter_mut().rev().find_map(VecDeque::pop_front) {
            if colours[row].is_some() {
                continue;
            }
            let colour = taken[row].trailing_ones() as u8;
            colours[row] = Some(colour);
            for (column, value) in a.row(row) {
                let is_new = taken[column] >> colour & 1 == 0 && colours[column].is_none();
                if is_new && value != 0.0 {
                    taken[column] |= 1 << colour;
                    let neighbours = taken[column].count_ones() as usize;
                    waiting.get_mut(neighbours)?.push_back(column);
                }
            }
        }
    }
    colours.into_iter().collect()
}

/// The product without the first class.
struct Reduced {
    /// Blocks of u₁ from the other classes.
    first: QuarterMatrix,
    /// The remaining block of each other class.
    others: Vec<QuarterMatrix>,
    /// A₂₃, A₃₂, and A₂₃ y₃, t and w.
    third: Option<([QuarterMatrix; 2], RefCell<[Stream; 3]>)>,
    u: RefCell<Stream>,
}

impl Reduced {
    fn new(
        machine: &Machine,
        (one, all): (Quarters, Quarters),
        colours: &Colours,
    ) -> Result<Self, StreamError> {
        // The vector of class 1 is the first of the others.
        let stored = |(classes, entries): &([usize; 2], Csr<f64>), vectors| {
            let places = classes.map(|class| class.saturating_sub(1));
            QuarterMatrix::new(machine, vectors, (entries, places), Sum::Difference)
        };
        let transposed =
            |blocks: &[(&QuarterMatrix, usize)]| QuarterMatrix::of_transposes(machine, all, blocks);
        let (joined, between): (Vec<_>, Vec<_>) =
            (colours.blocks.iter()).partition(|(classes, _)| classes[1] == 0);
        let shared = |a: &Csr<f64>, sum| QuarterMatrix::shared(machine, one, a, sum);
        let pair = match joined[..] {
            [(_, a21)] => {
                shared(a21, Sum::Difference)?.zip(shared(&a21.transpose(), Sum::Product)?)
            }
            _ => None,
        };
        let (others, first) = match pair {
            Some((a21, a12)) => (vec![a21], a12),
            None => {
                let others = joined.into_iter().map(|block| stored(block, one));
                let others = others.collect::<Result<Vec<_>, _>>()?;
                let first = transposed(&others.iter().zip(0..).collect::<Vec<_>>())?;
                (others, first)
            }
        };
        let third = |block: &&_| -> Result<_, StreamError> {
            let a32 = stored(block, all)?;
            let a23 = transposed(&[(&a32, 1)])?;
            let vector = |name| Stream::vector(machine, name, all.layout());
            let vectors = [vector("joined to third")?, vector("t")?, vector("w")?];
            Ok(([a23, a32], RefCell::new(vectors)))
        };
        Ok(Self {
            third: between.first().map(third).transpose()?,
            first,
            others,
            u: RefCell::new(Stream::vector(machine, "first class", one.layout())?),
        })
    }

    /// The numbers of diagonals and of passes.
    fn counts(&self) -> [usize; 2] {
        let third = self.third.iter().flat_map(|(blocks, _)| blocks);
        let all = [&self.first].into_iter().chain(&self.others).chain(third);
        // Two more passes combine vectors.
        let more = if self.third.is_some() { 2 } else { 0 };
        all.map(QuarterMatrix::counts).fold([0, more], |[a, b], [c, d]| [a + c, b + d])
    }
}

impl Operator<TextureSpace> for Reduced {
    fn apply(&self, space: &TextureSpace, y: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        let u = &mut *self.u.borrow_mut();
        let Some(([a23, a32], vectors)) = &self.third else {
            self.first.multiply(space, y, y, u)?;
            return self.others[0].multiply(space, y, u, z);
        };
        let [joined, t, w] = &mut *vectors.borrow_mut();
        a23.multiply(space, y, y, joined)?;
        space.combine(Operation::Subtract, (1.0, y), (1.0, joined), t)?;
        self.first.multiply(space, t, t, u)?;
        self.others[0].multiply(space, joined, u, w)?;
        self.others[1].multiply(space, t, u, w)?;
        space.combine(Operation::Add, (1.0, t), (1.0, w), z)?;
        a32.multiply(space, w, w, z)
    }
}

//! Symmetric Gauss–Seidel by colours as preconditioner, by a change of variables.
//!
//! If the unknowns of a matrix fall into classes, within which none is joined to another (the squares of a
//! chessboard, any grid with five or seven points a stencil: two; a grid of triangles: three), and its diagonal
//! is one, it is A = L + I + Lᵀ with a lower part L of blocks from class to class. Conjugate gradients for
//!
//! ```text
//! (I + L)⁻¹ A (I + Lᵀ)⁻¹ y = (I + L)⁻¹ b        x = (I + Lᵀ)⁻¹ y
//! ```
//!
//! take the steps that they take for A with the preconditioner (I + L) (I + Lᵀ). With t = (I + Lᵀ)⁻¹ y the
//! product is t + (I + L)⁻¹ (y − t), which has each block once: as much as a product with A. And the first class
//! has nothing to do: its part of the product is that of y. So the iteration is for the others alone.
//!
//! Of two colours that is y₂ − A₂₁ A₁₂ y₂, as if the first class were eliminated: half as many steps as without
//! a preconditioner, to the same iterates, on vectors of half the length. Of three
//!
//! ```text
//! t₂ = y₂ − A₂₃ y₃      u₁ = A₁₂ t₂ + A₁₃ y₃      w₂ = A₂₃ y₃ − A₂₁ u₁      w₃ = y₃ − A₃₁ u₁
//! z₂ = t₂ + w₂          z₃ = w₃ − A₃₂ w₂
//! ```
//!
//! Source: S. C. Eisenstat, *Efficient implementation of a class of preconditioned conjugate gradient methods*,
//! 1981. Of two colours: J. K. Reid, *The use of conjugate gradients for systems of linear equations possessing
//! "Property A"*, 1972; L. A. Hageman and D. M. Young, *Applied iterative methods*, 1981, chapter 8.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::kruger2003::matrices::diagonals::{self, MOST_A_PASS};
use crate::solver::{Csr, Operation, Operator, TextureSpace};
use crate::stream::{Machine, Stream, StreamError};

use super::choice::Layout;
use super::quarters::{QuarterMatrix, Quarters, Sum};
use super::stored::places;

/// Classes of unknowns at most.
const MOST: usize = 3;

/// The classes of a symmetric matrix's unknowns, and what joins them.
#[derive(Debug)]
pub(super) struct Colours {
    /// The rows of each, ascending, with places that are none's: all as long, the one with the fewest first.
    rows: Vec<Vec<Option<u32>>>,
    /// L, row by row.
    blocks: Vec<Block>,
}

/// What joins two classes.
#[derive(Debug)]
struct Block {
    /// The class of its rows, and that of its columns, a lower one.
    classes: [usize; 2],
    entries: Csr<f64>,
    /// Its diagonals, in textures.
    diagonals: usize,
}

impl Colours {
    /// Of a square matrix, of which the diagonal is taken for ones. `None` where it takes more than three
    /// colours, or where the blocks have so many more diagonals that nothing is gained.
    pub fn new(a: &Csr<f64>) -> Option<Self> {
        let colours = colours(a)?;
        let count = usize::from(colours.iter().max()? + 1);
        let (numbers, length) =
            in_turn(&colours, count).unwrap_or_else(|| in_order(&colours, count));
        let mut rows = vec![vec![None; length]; count];
        for (row, (&number, &colour)) in (0..).zip(numbers.iter().zip(&colours)) {
            rows[usize::from(colour)][number as usize] = Some(row);
        }
        rows.sort_by_key(|rows| rows.iter().flatten().count());
        let mut of_row = vec![0_u8; a.rows()];
        for (class, rows) in (0..).zip(&rows) {
            rows.iter()
                .flatten()
                .for_each(|&row| of_row[row as usize] = class);
        }
        let order = places(length);
        let block = |[to, from]: [usize; 2]| {
            let is_joined =
                |row: usize, column: usize| row != column && usize::from(of_row[column]) == from;
            let entries = a.part(&rows[to], (&numbers, length), is_joined);
            Block {
                classes: [to, from],
                diagonals: diagonals::count(&entries, order),
                entries,
            }
        };
        let classes = (1..count).flat_map(|to| (0..to).map(move |from| [to, from]));
        let (blocks, all) = rayon::join(
            || classes.map(block).collect(),
            || diagonals::count(a, a.rows()),
        );
        let colours = Self { rows, blocks };
        // In half as many steps, with each block twice: what is less by a quarter at least pays for what it takes
        // beside the products. Of three colours a pass takes all that a class is joined by.
        let stored = colours.blocks.iter().map(|block| block.diagonals);
        let is_less = 4 * stored.clone().sum::<usize>() * length <= 3 * all * a.rows();
        let is_one_pass = count == 2 || 2 * stored.max()? <= MOST_A_PASS;
        (is_less && is_one_pass).then_some(colours)
    }

    /// Those that are solved with, if they are.
    pub fn wanted(a: &Csr<f64>, layout: Layout, is_balanced: bool) -> Option<Self> {
        let is_square = a.rows() == a.columns();
        let is_wanted = layout == Layout::Quarters && is_balanced && is_square;
        is_wanted.then(|| Self::new(a)).flatten()
    }

    /// Those of the matrix whose entries are multiplied by the factors of their row and their column.
    pub fn scaled(self, rows: &[f64], columns: &[f64]) -> Self {
        let blocks = self.blocks.into_iter().map(|block| {
            let [to, from] = block.classes.map(|class| &self.rows[class]);
            let rows: Vec<f64> = part(to, rows, 1.0).collect();
            let columns: Vec<f64> = part(from, columns, 1.0).collect();
            Block {
                entries: block.entries.scaled(&rows, &columns),
                ..block
            }
        });
        Self {
            blocks: blocks.collect(),
            rows: self.rows,
        }
    }

    /// The block of these rows and columns, of which a lower class has the number.
    fn block(&self, [to, from]: [usize; 2]) -> &Csr<f64> {
        &self.blocks[to * (to - 1) / 2 + from].entries
    }

    /// Into how many classes the unknowns fall.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// How many places a class has.
    pub fn length(&self) -> usize {
        self.rows[0].len()
    }

    /// How many unknowns are solved for: the places of all classes but the first.
    pub fn unknowns(&self) -> usize {
        (self.count() - 1) * self.length()
    }

    /// Diagonals of the blocks of L, in textures.
    pub fn diagonals(&self) -> Vec<usize> {
        self.blocks.iter().map(|block| block.diagonals).collect()
    }

    /// (I + L)⁻¹ b: the first class, and the others.
    pub fn reduce(&self, b: &[f64]) -> [Vec<f64>; 2] {
        let mut all: Vec<f64> = self.of(0..self.count(), b, 0.0).collect();
        let mut product = vec![0.0; self.length()];
        for block in &self.blocks {
            let [to, from] = block.classes.map(|class| self.places(class));
            // All classes have the length of the block.
            if block
                .entries
                .multiply_parallel(&all[from], &mut product)
                .is_ok()
            {
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
        for block in self.blocks.iter().rev() {
            let [row, column] = block.classes.map(|class| self.places(class).start);
            for (i, j, value) in block.entries.triplets() {
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

    /// Where a class is, of all one after the other.
    fn places(&self, class: usize) -> std::ops::Range<usize> {
        class * self.length()..(class + 1) * self.length()
    }

    /// Entries of a vector in the order of some classes, with something else in the places that are none's.
    pub fn of<'a>(
        &'a self,
        classes: std::ops::Range<usize>,
        values: &'a [f64],
        otherwise: f64,
    ) -> impl Iterator<Item = f64> + 'a {
        let rows = self.rows[classes].iter();
        rows.flat_map(move |rows| part(rows, values, otherwise))
    }
}

/// Entries of a vector in these rows, with something else in the places that are none's.
fn part<'a>(
    rows: &'a [Option<u32>],
    values: &'a [f64],
    otherwise: f64,
) -> impl Iterator<Item = f64> + 'a {
    let rows = rows.iter();
    rows.map(move |row| row.map_or(otherwise, |row| values[row as usize]))
}

/// A class for each row, such that no entry beside the diagonal joins two rows of one class. `None` where it takes
/// more than three.
///
/// In their order rows of grids of squares take two. Else always a row goes next whose neighbours have the most
/// colours already (D. Brélaz, *New methods to color the vertices of a graph*, 1979), which leaves no choice where
/// two colours do or where triangles join; of these the one that waits longest, so that neighbours in the list are
/// mostly neighbours in the matrix.
fn colours(a: &Csr<f64>) -> Option<Vec<u8>> {
    let mut painted = Painted::none(a);
    (0..a.rows()).for_each(|row| painted.paint(row, |_, _| ()));
    if painted.colours.iter().all(|&colour| colour < Some(2)) {
        return painted.colours.into_iter().collect();
    }
    let mut painted = Painted::none(a);
    let mut waiting: [VecDeque<usize>; MOST + 1] = Default::default();
    for start in 0..a.rows() {
        waiting[0].push_back(start);
        while let Some(row) = waiting.iter_mut().rev().find_map(VecDeque::pop_front) {
            painted.paint(row, |neighbour, taken| {
                waiting[taken.min(MOST)].push_back(neighbour)
            });
            if !waiting[MOST].is_empty() {
                return None;
            }
        }
    }
    painted.colours.into_iter().collect()
}

/// Rows of which some have a colour.
struct Painted<'a> {
    a: &'a Csr<f64>,
    colours: Vec<Option<u8>>,
    /// A bit for each colour of a neighbour.
    taken: Vec<u8>,
}

impl<'a> Painted<'a> {
    fn none(a: &'a Csr<f64>) -> Self {
        Self {
            a,
            colours: vec![None; a.rows()],
            taken: vec![0; a.rows()],
        }
    }

    /// Gives a row that has none the first colour that no neighbour has, up to the eighth, and tells which
    /// neighbours without one now have so many among theirs.
    fn paint(&mut self, row: usize, mut tell: impl FnMut(usize, usize)) {
        if self.colours[row].is_some() {
            return;
        }
        let colour = self.taken[row].trailing_ones().min(7) as u8;
        self.colours[row] = Some(colour);
        for (column, value) in self.a.row(row) {
            let taken = &mut self.taken[column];
            if column != row
                && value != 0.0
                && self.colours[column].is_none()
                && *taken >> colour & 1 == 0
            {
                *taken |= 1 << colour;
                tell(column, taken.count_ones() as usize);
            }
        }
    }
}

/// The place of each row in its class, and the places of a class, where the classes take turns: a place is passed
/// over where the next row is not of the next class. What is so many rows away is then as far away everywhere: on
/// a grid with rows of any length there is a diagonal for each neighbour, and not two for those beside. `None`
/// where more than a place for eight rows is passed over.
fn in_turn(colours: &[u8], count: usize) -> Option<(Vec<u32>, usize)> {
    let mut end = 0;
    let number = |&colour: &u8| {
        end += (usize::from(colour) + count - end % count) % count;
        end += 1;
        ((end - 1) / count) as u32
    };
    let numbers = colours.iter().map(number).collect();
    (8 * end <= 9 * colours.len()).then_some((numbers, end.div_ceil(count)))
}

/// The same without places that are passed over.
fn in_order(colours: &[u8], count: usize) -> (Vec<u32>, usize) {
    let mut lengths = vec![0; count];
    let number = |&colour: &u8| {
        let length = &mut lengths[usize::from(colour)];
        *length += 1;
        *length as u32 - 1
    };
    let numbers = colours.iter().map(number).collect();
    (numbers, lengths.into_iter().max().unwrap_or(0))
}

/// (I + L)⁻¹ A (I + Lᵀ)⁻¹ in textures, without the first class.
pub(super) struct Reduced {
    /// u₁ of the others.
    first: QuarterMatrix,
    /// What is left of each of the others.
    others: Vec<QuarterMatrix>,
    /// A₂₃, A₃₂, and A₂₃ y₃, t and w.
    third: Option<([QuarterMatrix; 2], RefCell<[Stream; 3]>)>,
    u: RefCell<Stream>,
}

impl Reduced {
    /// Uploads it: for vectors like these, of which the textures hold one for each class but the first.
    pub fn new(
        machine: &Machine,
        (one, all): (Quarters, Quarters),
        colours: &Colours,
    ) -> Result<Self, StreamError> {
        let count = colours.count();
        // The vector of class 1 is the first one of the others.
        let stored = |[to, from]: [usize; 2], vectors| {
            let block = (colours.block([to, from]), [to - 1, from.saturating_sub(1)]);
            QuarterMatrix::of_block(machine, vectors, block, Sum::Difference, count == 2)
        };
        let transposed = |blocks: &[(&QuarterMatrix, usize)]| {
            QuarterMatrix::of_transposes(machine, all, blocks, Sum::Product)
        };
        let others = (1..count).map(|class| stored([class, 0], one));
        let others = others.collect::<Result<Vec<_>, _>>()?;
        let first = transposed(&others.iter().zip(0..).collect::<Vec<_>>())?;
        let third = || -> Result<_, StreamError> {
            let a32 = stored([2, 1], all)?;
            let a23 = transposed(&[(&a32, 1)])?;
            let vector = |name| Stream::vector(machine, name, all.layout());
            let vectors = [vector("joined to third")?, vector("t")?, vector("w")?];
            Ok(([a23, a32], RefCell::new(vectors)))
        };
        Ok(Self {
            third: (count == MOST).then(third).transpose()?,
            first,
            others,
            u: RefCell::new(Stream::vector(machine, "first class", one.layout())?),
        })
    }

    /// Diagonals of all blocks, and passes of a product.
    pub fn counts(&self) -> [usize; 2] {
        let third = self.third.iter().flat_map(|(blocks, _)| blocks);
        let all = [&self.first].into_iter().chain(&self.others).chain(third);
        let counts = all.map(|block| [block.count(), block.passes()]);
        // Two more combine vectors.
        let more = if self.third.is_some() { 2 } else { 0 };
        counts.fold([0, more], |[a, b], [c, d]| [a + c, b + d])
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

//! Half of the unknowns, where a matrix has two colours.
//!
//! If the unknowns of a matrix fall into two classes, within which none is joined to another (the squares of a
//! chessboard; any grid with five or seven points a stencil), and its diagonal is one, it is
//!
//! ```text
//! A = ( I   F )        G = Fᵀ
//!     ( G   I )
//! ```
//!
//! and x₂ = b₂ − G x₁ leaves (I − F G) x₁ = b₁ − F b₂. Conjugate gradients for x₁ take half as many steps as
//! those for all of A, to the same iterates: started where the second class has no residual, every other step
//! of these changes one class alone. A step is still one product with F and one with G, but all else is on
//! vectors of half the length.
//!
//! Source: J. K. Reid, *The use of conjugate gradients for systems of linear equations possessing "Property
//! A"*, 1972; L. A. Hageman and D. M. Young, *Applied iterative methods*, 1981, chapter 8.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::kruger2003::matrices::diagonals;
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{Machine, Stream, StreamError};

use super::choice::Layout;
use super::quarters::{QuarterMatrix, Quarters, Sum};
use super::stored::places;

/// The two classes of a symmetric matrix's unknowns, and what joins them.
#[derive(Debug)]
pub(super) struct Colours {
    /// The rows of each, ascending, with places that are none's; the larger one first.
    rows: [Vec<Option<u32>>; 2],
    /// F and G.
    blocks: [Csr<f64>; 2],
    /// Diagonals of both, in textures.
    diagonals: [usize; 2],
}

impl Colours {
    /// Of a square matrix, of which the diagonal is taken for ones. `None` where it takes more than two colours,
    /// or where the blocks have so many more diagonals that nothing is gained.
    pub fn new(a: &Csr<f64>) -> Option<Self> {
        let colours = two_colours(a)?;
        let (numbers, lengths) = in_turn(&colours).unwrap_or_else(|| in_order(&colours));
        let mut rows = lengths.map(|length| vec![None; length]);
        for (row, (&number, &second)) in (0..).zip(numbers.iter().zip(&colours)) {
            rows[usize::from(second)][number as usize] = Some(row);
        }
        rows.sort_by_key(|rows| std::cmp::Reverse(rows.len()));
        let [first, second] = &rows;
        let order = places(first.len());
        // Each with its number of diagonals.
        let block = |(rows, columns): (&Vec<_>, &Vec<_>)| {
            let block = a.off_diagonal_rows(rows, &numbers, columns.len());
            let count = diagonals::count(&block, order);
            (block, count)
        };
        let ((f, g), all) = rayon::join(
            || rayon::join(|| block((first, second)), || block((second, first))),
            || diagonals::count(a, a.rows()),
        );
        // Diagonals half as long, in half as many steps: four times as many would take as long.
        (f.1 + g.1 <= 3 * all).then_some(Self {
            rows,
            blocks: [f.0, g.0],
            diagonals: [f.1, g.1],
        })
    }

    /// Those of which one is solved for, if it is.
    pub fn wanted(a: &Csr<f64>, layout: Layout, is_balanced: bool) -> Option<Self> {
        let is_square = a.rows() == a.columns();
        let is_wanted = layout == Layout::Quarters && is_balanced && is_square;
        is_wanted.then(|| Self::new(a)).flatten()
    }

    /// Those of the matrix whose entries are multiplied by the factors of their row and their column.
    pub fn scaled(self, rows: &[f64], columns: &[f64]) -> Self {
        let of = |factors| [0, 1].map(|class| self.of(class, factors, 1.0).collect::<Vec<_>>());
        let (rows, columns) = (of(rows), of(columns));
        let [f, g] = self.blocks;
        let (f, g) = rayon::join(
            || f.scaled(&rows[0], &columns[1]),
            || g.scaled(&rows[1], &columns[0]),
        );
        Self {
            rows: self.rows,
            blocks: [f, g],
            diagonals: self.diagonals,
        }
    }

    /// How many unknowns are solved for.
    pub fn length(&self) -> usize {
        self.rows[0].len()
    }

    /// Diagonals of both blocks, in textures.
    pub fn diagonals(&self) -> [usize; 2] {
        self.diagonals
    }

    /// b₁ − F b₂, and b₂.
    pub fn reduce(&self, b: &[f64]) -> [Vec<f64>; 2] {
        let [mut b1, b2] = [0, 1].map(|class| self.of(class, b, 0.0).collect::<Vec<_>>());
        subtract_product(&self.blocks[0], &b2, &mut b1);
        [b1, b2]
    }

    /// x, from x₁ and b₂.
    pub fn complete(&self, x1: &[f64], mut b2: Vec<f64>) -> Vec<f64> {
        subtract_product(&self.blocks[1], x1, &mut b2);
        let rows = self.rows.iter().flatten().flatten();
        let mut x = vec![0.0; rows.count()];
        for (rows, values) in self.rows.iter().zip([x1, &b2]) {
            for (row, &value) in rows.iter().zip(values) {
                if let Some(row) = row {
                    x[*row as usize] = value;
                }
            }
        }
        x
    }

    /// Entries of a vector in the order of a class, with something else in the places that are none's.
    pub fn of<'a>(
        &'a self,
        class: usize,
        values: &'a [f64],
        otherwise: f64,
    ) -> impl Iterator<Item = f64> + 'a {
        let rows = self.rows[class].iter();
        rows.map(move |row| row.map_or(otherwise, |row| values[row as usize]))
    }
}

/// y ← y − A x
fn subtract_product(a: &Csr<f64>, x: &[f64], y: &mut [f64]) {
    let mut product = vec![0.0; y.len()];
    // Both have the length of the block.
    if a.multiply_parallel(x, &mut product).is_ok() {
        y.iter_mut()
            .zip(product)
            .for_each(|(y, product)| *y -= product);
    }
}

/// A class for each row, such that no entry beside the diagonal joins two rows of one class.
fn two_colours(a: &Csr<f64>) -> Option<Vec<bool>> {
    let mut colours = vec![None; a.rows()];
    // From the first on, so that neighbours in the list are mostly neighbours in the matrix.
    let mut open = VecDeque::new();
    for start in 0..a.rows() {
        if colours[start].is_some() {
            continue;
        }
        colours[start] = Some(false);
        open.push_back(start);
        while let Some(row) = open.pop_front() {
            let other = colours[row].map(|colour: bool| !colour);
            for (column, _) in a.row(row).filter(|&(j, value)| j != row && value != 0.0) {
                if colours[column].is_none() {
                    colours[column] = other;
                    open.push_back(column);
                } else if colours[column] != other {
                    return None;
                }
            }
        }
    }
    colours.into_iter().collect()
}

/// The place of each row in its class, and places of both, where the classes take turns: a place is passed over
/// where the next row is of the class before. What is so many rows away is then as far away everywhere: on a grid
/// with rows of even length five or seven points a stencil leave a diagonal for each neighbour, and not two for
/// those beside. `None` where more than a place for eight rows is passed over.
fn in_turn(colours: &[bool]) -> Option<(Vec<u32>, [usize; 2])> {
    let mut end = 0;
    let number = |&second: &bool| {
        end += usize::from((end % 2 == 1) != second);
        end += 1;
        (end as u32 - 1) / 2
    };
    let numbers = colours.iter().map(number).collect();
    (8 * end <= 9 * colours.len()).then_some((numbers, [end.div_ceil(2), end / 2]))
}

/// The same without places that are none's.
fn in_order(colours: &[bool]) -> (Vec<u32>, [usize; 2]) {
    let mut lengths = [0; 2];
    let number = |&second: &bool| {
        let length = &mut lengths[usize::from(second)];
        *length += 1;
        *length as u32 - 1
    };
    (colours.iter().map(number).collect(), lengths)
}

/// I − F G in textures.
pub(super) struct Reduced {
    /// G, and p − F q.
    blocks: [QuarterMatrix; 2],
    between: RefCell<Stream>,
}

impl Reduced {
    /// Uploads it, for vectors as long as the larger class.
    pub fn new(
        machine: &Machine,
        vectors: Quarters,
        colours: &Colours,
    ) -> Result<Self, StreamError> {
        let [f, g] = &colours.blocks;
        Ok(Self {
            blocks: [
                QuarterMatrix::new(machine, vectors, g, Sum::Product, true)?,
                QuarterMatrix::new(machine, vectors, f, Sum::Difference, true)?,
            ],
            between: RefCell::new(Stream::vector(machine, "second class", vectors.layout())?),
        })
    }

    /// Diagonals of both blocks, and passes of a product.
    pub fn counts(&self) -> [usize; 2] {
        let [g, f] = &self.blocks;
        [g.count() + f.count(), g.passes() + f.passes()]
    }
}

impl Operator<TextureSpace> for Reduced {
    fn apply(&self, space: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        let [g, f] = &self.blocks;
        let between = &mut *self.between.borrow_mut();
        g.multiply(space, x, x, between)?;
        f.multiply(space, x, between, y)
    }
}

//! The product by diagonals in any arithmetic, by the interpreter (Krüger and Westermann 2003, section 6: 24 bits).

use crate::program::interpret::{self, Arithmetic, InterpretError, Program, Texture};
use crate::solver::interpreted_space::{InterpretedSpace, draw};
use crate::solver::{Csr, Operator};

use super::diagonals::{DIAGONALS, Diagonals, INPUTS, MOST_DIAGONALS};

/// A square matrix with at most [`MOST_DIAGONALS`] diagonals, as `kruger2003/matrices/diagonals.frag` reads it.
pub struct InterpretedDiagonals<T: Arithmetic> {
    program: Program,
    /// The diagonals, with the shift of each: columns, rows, and no channels.
    diagonals: Vec<(Texture<T::Stored>, [f64; 3])>,
}

impl<T: Arithmetic> InterpretedDiagonals<T> {
    /// The diagonals of a matrix on the vectors of a space, rounded.
    ///
    /// # Errors
    /// If the program cannot be interpreted.
    ///
    /// # Panics
    /// If the matrix has another order than the space, or more diagonals.
    pub fn new(space: &InterpretedSpace<T>, matrix: &Csr<f64>) -> Result<Self, InterpretError> {
        let side = space.side();
        let order = side * side;
        assert_eq!((matrix.rows(), matrix.columns()), (order, order));
        let entries = Diagonals::new(matrix, order).entries;
        assert!(entries.len() <= MOST_DIAGONALS, "{} diagonals", entries.len());
        let count = entries.len().to_string();
        let diagonals = entries.into_iter().map(|(number, entries)| {
            let shift = [number % side, number / side, 0].map(|places| places as f64);
            (space.vector(&entries), shift)
        });
        Ok(Self {
            program: Program::new(&DIAGONALS.assemble(&[("DIAGONALS", count.as_str())]))?,
            diagonals: diagonals.collect(),
        })
    }
}

impl<T: Arithmetic> Operator<InterpretedSpace<T>> for InterpretedDiagonals<T> {
    fn apply(
        &self,
        _: &InterpretedSpace<T>,
        x: &Texture<T::Stored>,
        y: &mut Texture<T::Stored>,
    ) -> Result<(), InterpretError> {
        let (width, height) = x.size();
        let mut run = interpret::Run::<T>::new(&self.program).read("x", x);
        run = run.set("size", [width as f64, height as f64]);
        for ((stream, shift), (diagonal, way)) in INPUTS.iter().zip(&self.diagonals) {
            run = run.read(stream, diagonal).set(shift, *way);
        }
        draw(run, y)
    }
}

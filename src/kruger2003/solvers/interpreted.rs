//! Vectors in main memory whose operations (section 3) are executed by the interpreter, in any
//! arithmetic: conjugate gradients in the number formats of other GPUs.

use crate::card::interpret::{Arithmetic, InterpretError, Program, Run, Texture};
use crate::kruger2003::matrices::diagonals::{Diagonals, INPUTS, MOST_A_PASS};
use crate::solver::{Csr, Operator, VectorSpace};
use crate::stream::{Rect, Source, source};

const VECTOR_OP: Source = source!("stream/vector_op");
const REDUCE: Source = source!("stream/reduce");
const REDUCE_PRODUCT: Source = source!("stream/reduce_product");
const DIAGONALS: Source = source!("kruger2003/matrices/diagonals");

/// Vectors with one entry per texel, row by row, on a square whose side is a power of two.
pub struct InterpretedSpace<T> {
    zeros: Texture<T>,
    add: Program,
    subtract: Program,
    sum: Program,
    sum_of_products: Program,
}

/// A square matrix with at most [`MOST_A_PASS`] diagonals, as `kruger2003/matrices/diagonals.frag` reads it.
pub struct InterpretedDiagonals<T> {
    program: Program,
    /// The diagonals, with the shift of each: columns, rows, and no channels.
    diagonals: Vec<(Texture<T>, [f64; 3])>,
}

impl<T: Arithmetic> InterpretedSpace<T> {
    /// The space of vectors with `side` × `side` entries.
    ///
    /// # Errors
    /// If a program cannot be interpreted.
    pub fn new(side: usize) -> Result<Self, InterpretError> {
        let sum = ("COMBINE(a, b)", "((a) + (b))");
        let difference = ("COMBINE(a, b)", "((a) - (b))");
        let program = |source: &Source, define| Program::new(&source.assemble(&[define]));
        Ok(Self {
            zeros: Texture::zeros((side, side), 1),
            add: program(&VECTOR_OP, sum)?,
            subtract: program(&VECTOR_OP, difference)?,
            sum: program(&REDUCE, sum)?,
            sum_of_products: program(&REDUCE_PRODUCT, sum)?,
        })
    }

    /// A vector with these entries, rounded.
    pub fn vector(&self, entries: &[f64]) -> Texture<T> {
        let entries = entries.iter().map(|&entry| T::from_f64(entry));
        Texture::new(self.zeros.size(), 1, entries.collect())
    }

    /// z ← (α x) op (β y)
    fn combine(
        program: &Program,
        (alpha, x): (f64, &Texture<T>),
        (beta, y): (f64, &Texture<T>),
        z: &mut Texture<T>,
    ) -> Result<(), InterpretError> {
        let run = Run::new(program).read("x", x).read("y", y);
        draw(run.set("alpha", [alpha]).set("beta", [beta]), z)
    }
}

/// Runs a program over a whole square.
fn draw<T: Arithmetic>(run: Run<'_, T>, z: &mut Texture<T>) -> Result<(), InterpretError> {
    let side = z.size().0 as u32;
    run.draw(z, &[Rect::of_size(side, side)])?;
    Ok(())
}

impl<T: Arithmetic> VectorSpace for InterpretedSpace<T> {
    type Vector = Texture<T>;
    type Error = InterpretError;

    fn zeros(&self) -> Result<Texture<T>, InterpretError> {
        Ok(self.zeros.clone())
    }

    fn copy(&self, from: &Texture<T>, to: &mut Texture<T>) -> Result<(), InterpretError> {
        to.clone_from(from);
        Ok(())
    }

    fn axpy(&self, y: &mut Texture<T>, alpha: f64, x: &Texture<T>) -> Result<(), InterpretError> {
        let before = y.clone();
        Self::combine(&self.add, (1.0, &before), (alpha, x), y)
    }

    fn xpby(&self, y: &mut Texture<T>, beta: f64, x: &Texture<T>) -> Result<(), InterpretError> {
        let before = y.clone();
        Self::combine(&self.add, (beta, &before), (1.0, x), y)
    }

    fn subtract(
        &self,
        x: &Texture<T>,
        y: &Texture<T>,
        z: &mut Texture<T>,
    ) -> Result<(), InterpretError> {
        Self::combine(&self.subtract, (1.0, x), (1.0, y), z)
    }

    fn dot(&self, x: &Texture<T>, y: &Texture<T>) -> Result<f64, InterpretError> {
        let half = |side: usize| Texture::zeros((side / 2, side / 2), 1);
        let first = [-0.5, -0.5];
        let mut sums = half(x.size().0);
        let products = Run::new(&self.sum_of_products).read("x", x).read("y", y);
        draw(products.set("first", first), &mut sums)?;
        while sums.size().0 > 1 {
            let mut fewer = half(sums.size().0);
            let run = Run::new(&self.sum).read("x", &sums).set("first", first);
            draw(run, &mut fewer)?;
            sums = fewer;
        }
        Ok(sums.data().first().map_or(0.0, |sum| sum.to_f64()))
    }
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
        let side = space.zeros.size().0;
        let order = side * side;
        assert_eq!((matrix.rows(), matrix.columns()), (order, order));
        let entries = Diagonals::new(matrix, order).entries;
        assert!(entries.len() <= MOST_A_PASS, "{} diagonals", entries.len());
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
        x: &Texture<T>,
        y: &mut Texture<T>,
    ) -> Result<(), InterpretError> {
        let (width, height) = x.size();
        let mut run = Run::new(&self.program).read("x", x);
        run = run.set("size", [width as f64, height as f64]);
        for ((stream, shift), (diagonal, way)) in INPUTS.iter().zip(&self.diagonals) {
            run = run.read(stream, diagonal).set(shift, *way);
        }
        draw(run, y)
    }
}

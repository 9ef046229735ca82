//! Vectors in main memory whose operations the interpreter executes, by fragstream's programs, in any arithmetic.

use super::space::VectorSpace;
use crate::program::interpret::{self, Arithmetic, InterpretError, Program, Texture};
use crate::stream::{Rect, Source, source};

const VECTOR_OP: Source = source!(stream, "vector_op");
const REDUCE: Source = source!(stream, "reduce");
const REDUCE_PRODUCT: Source = source!(stream, "reduce_product");

/// Vectors with one entry per texel, row by row, on a square whose side is a power of two.
pub struct InterpretedSpace<T: Arithmetic> {
    zeros: Texture<T::Stored>,
    add: Program,
    subtract: Program,
    sum: Program,
    sum_of_products: Program,
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

    /// Entries per side.
    pub fn side(&self) -> usize {
        self.zeros.size().0
    }

    /// A vector with these entries, rounded.
    pub fn vector(&self, entries: &[f64]) -> Texture<T::Stored> {
        let entries = entries.iter().map(|&entry| T::from_f64(entry).store());
        Texture::new(self.zeros.size(), 1, entries.collect())
    }

    /// z ← (α x) op (β y)
    fn combine(
        program: &Program,
        (alpha, x): (f64, &Texture<T::Stored>),
        (beta, y): (f64, &Texture<T::Stored>),
        z: &mut Texture<T::Stored>,
    ) -> Result<(), InterpretError> {
        let run = interpret::Run::<T>::new(program).read("x", x).read("y", y);
        draw(run.set("alpha", [alpha]).set("beta", [beta]), z)
    }
}

/// Runs a program over a whole square.
///
/// # Errors
/// A missing or unknown name.
pub fn draw<T: Arithmetic>(
    run: interpret::Run<'_, T>,
    z: &mut Texture<T::Stored>,
) -> Result<(), InterpretError> {
    let side = z.size().0 as u32;
    run.draw(z, &[Rect::of_size(side, side)])?;
    Ok(())
}

impl<T: Arithmetic> VectorSpace for InterpretedSpace<T> {
    type Vector = Texture<T::Stored>;
    type Error = InterpretError;

    fn zeros(&self) -> Result<Texture<T::Stored>, InterpretError> {
        Ok(self.zeros.clone())
    }

    fn copy(
        &self,
        from: &Texture<T::Stored>,
        to: &mut Texture<T::Stored>,
    ) -> Result<(), InterpretError> {
        to.clone_from(from);
        Ok(())
    }

    fn axpy(
        &self,
        y: &mut Texture<T::Stored>,
        alpha: f64,
        x: &Texture<T::Stored>,
    ) -> Result<(), InterpretError> {
        let before = y.clone();
        Self::combine(&self.add, (1.0, &before), (alpha, x), y)
    }

    fn xpby(
        &self,
        y: &mut Texture<T::Stored>,
        beta: f64,
        x: &Texture<T::Stored>,
    ) -> Result<(), InterpretError> {
        let before = y.clone();
        Self::combine(&self.add, (beta, &before), (1.0, x), y)
    }

    fn subtract(
        &self,
        x: &Texture<T::Stored>,
        y: &Texture<T::Stored>,
        z: &mut Texture<T::Stored>,
    ) -> Result<(), InterpretError> {
        Self::combine(&self.subtract, (1.0, x), (1.0, y), z)
    }

    fn dot(&self, x: &Texture<T::Stored>, y: &Texture<T::Stored>) -> Result<f64, InterpretError> {
        let half = |side: usize| Texture::zeros((side / 2, side / 2), 1);
        let first = [-0.5, -0.5];
        let mut sums = half(x.size().0);
        let products = interpret::Run::<T>::new(&self.sum_of_products).read("x", x).read("y", y);
        draw(products.set("first", first), &mut sums)?;
        while sums.size().0 > 1 {
            let mut fewer = half(sums.size().0);
            let run = interpret::Run::<T>::new(&self.sum).read("x", &sums).set("first", first);
            draw(run, &mut fewer)?;
            sums = fewer;
        }
        Ok(sums.data().first().map_or(0.0, |sum| sum.to_f64()))
    }
}

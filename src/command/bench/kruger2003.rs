//! Operators on vectors and matrices (kruger2003).

use std::io::Write;

use fragstream::kruger2003::{ColumnOptions, DiagonalOptions, Layout, Operation, Packing, speed};

use super::super::failure::Failure;
use super::super::session::Output;
use super::{Bench, line, waiting};

/// Entries of a texel, and how they are called.
const PACKINGS: [(Packing, &str); 2] = [
    (Packing::Single, "one a texel"),
    (Packing::Quad, "four a texel"),
];

impl Bench<'_> {
    /// All of it.
    pub fn operators(&self, out: &mut Output) -> Result<(), Failure> {
        let (large, grid) = if self.quick { (512, 256) } else { (2048, 1024) };
        let dense = if self.quick { 1024 } else { 4096 };
        writeln!(
            out,
            "\nvectors of {large}² entries; the ceiling of an operation is a copy of as many bytes"
        )?;
        for (packing, name) in PACKINGS {
            self.vectors(Layout::square(large * large, packing)?, name, out)?;
        }
        writeln!(
            out,
            "\nmatrices; the ceiling of columns is a copy of the matrix"
        )?;
        for (packing, name) in PACKINGS {
            self.diagonals(grid, packing, name, out)?;
        }
        let what = format!("full matrix of {dense}², four a texel");
        let layout = Layout::square(dense, Packing::Quad)?;
        let times = waiting(&what, || {
            speed::dense_product(self.machine, layout, ColumnOptions::default(), self.effort)
        })?;
        line(out, &what, &times, None)?;
        self.conjugate_gradients(grid, out)
    }

    fn vectors(&self, layout: Layout, name: &str, out: &mut Output) -> Result<(), Failure> {
        for (operation, sign) in [(Operation::Multiply, "x y"), (Operation::Add, "a x + b y")] {
            let what = format!("{sign}, {name}");
            let times = waiting(&what, || {
                speed::vector_operation(self.machine, layout, operation, self.effort)
            })?;
            line(out, &what, &times, Some(0.8))?;
        }
        let what = format!("sum, {name}, read back");
        let times = waiting(&what, || {
            speed::reduction(self.machine, layout, self.effort)
        })?;
        line(out, &what, &times, None)
    }

    /// The five diagonals of a grid's stencil, all in one pass.
    fn diagonals(
        &self,
        side: usize,
        packing: Packing,
        name: &str,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let n = side * side;
        let layout = Layout::square(n, packing)?;
        let numbers = [0, 1, side, n - side, n - 1];
        let what = format!("five diagonals of {side}² rows, {name}");
        let times = waiting(&what, || {
            let options = DiagonalOptions::default();
            speed::banded_product(self.machine, layout, &numbers, options, self.effort)
        })?;
        line(out, &what, &times, Some(0.6))
    }

    fn conjugate_gradients(&self, side: usize, out: &mut Output) -> Result<(), Failure> {
        let what = format!("CG iteration, five diagonals of {side}²");
        let iteration = waiting(&what, || {
            // The sides of the grids above are small.
            speed::iteration(self.machine, side as u32, 30)
        })?;
        writeln!(
            out,
            "{what:<44} {:>9.3}   {} uploads, {:.2} read-backs of {:.0} texel a dot product, {:.1} \
             target switches",
            iteration.seconds * 1e3,
            iteration.uploads,
            iteration.read_backs_a_product,
            iteration.texels_a_read_back,
            iteration.target_switches,
        )?;
        Ok(())
    }
}

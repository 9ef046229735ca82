//! The product of two dense matrices as columns: future work in Krüger and Westermann 2003, section
//! 7, on the layout of section 3.2.
//!
//! Column k of C = A B is A times column k of B. All columns are tiles of one texture, so that a pass
//! over it multiplies A by all columns of B at once, taking as many columns of A per pass as the
//! matrix–vector product.

use crate::stream::{Pass, Source, source};

use super::vertices::expect_single;
use crate::kruger2003::vectors::accumulate::{Accumulation, Accumulator};
use crate::kruger2003::{AlgebraError, ColumnMatrix};

const MATRIX_PRODUCT: Source = source!("kruger2003/matrices/matrix_product");

impl ColumnMatrix {
    /// c ← A B, all of one layout with one entry per texel.
    pub fn multiply_matrix(&self, b: &Self, c: &mut Self) -> Result<(), AlgebraError> {
        let layout = self.tiles.layout;
        expect_single("a product of two matrices", layout)?;
        layout.expect("the second matrix", b.tiles.layout)?;
        layout.expect("the result", c.tiles.layout)?;
        let (size, format) = (self.columns.size(), self.columns.format());
        let sum = Accumulator::new(&self.machine, Accumulation::PingPong, size, format)?;
        let whole = self.machine.rect(self.columns.full())?;
        sum.run(self.passes(), &c.columns, |step| {
            let first = step.number * self.a_pass;
            let count = format!("{}.0", self.a_pass.min(self.tiles.count - first));
            let mut defines = vec![("COLUMNS", count.as_str())];
            if step.number > 0 {
                defines.push(("CONTINUED", "1"));
            }
            let kernel = self.machine.kernel(&MATRIX_PRODUCT, &defines)?;
            step.fill(Pass::new(&kernel))
                .read("a", &self.columns)
                .read("b", &b.columns)
                .set("size", layout.size())
                .set("across", self.tiles.across as f32)
                .set("first_tile", self.tiles.tile(first).map(|v| v as f32))
                .set("first_entry", layout.centre(first))
                .draw(step.target, &whole)?;
            Ok(())
        })
    }
}

//! Banded matrices as one representative set of vertices (Krüger and Westermann 2003, section 4.2).
//!
//! If every column has the same band, the vertices of one column serve for all: the vertex
//! program adds an offset to place them. Columns at the ends of a grid's rows, and of the grid, lack
//! part of the band; each distinct pattern of entries is stored once. Drawn column by column, in
//! place: one draw per column, but almost no memory.

use std::collections::HashMap;
use std::rc::Rc;

use crate::solver::Csr;
use crate::stream::{Kernel, Layout, Machine, Pass, Point, Points, Stream, StreamError};

use super::vertices::{VERTICES, expect_single};
use crate::kruger2003::vectors::operations::check_shape;
use crate::kruger2003::{AlgebraError, Matrix};

/// A banded matrix as a few sets of vertices that are rendered with offsets.
pub struct BandMatrix {
    layout: Layout,
    patterns: Vec<Points>,
    /// Index of each column's pattern.
    pattern_of: Vec<usize>,
    kernel: Rc<Kernel>,
}

impl BandMatrix {
    /// Finds the patterns of a matrix's columns and uploads each once. The layout must hold one
    /// entry per texel.
    pub fn new(machine: &Machine, layout: Layout, matrix: &Csr<f64>) -> Result<Self, AlgebraError> {
        expect_single("a set of vertices", layout)?;
        check_shape(layout, matrix.rows(), matrix.columns())?;
        layout.check(machine)?;
        // The columns are the rows of the transpose.
        let columns = matrix.transpose();
        let mut numbers: HashMap<Vec<(i64, u32)>, usize> = HashMap::new();
        let mut patterns = Vec::new();
        let mut pattern_of = Vec::with_capacity(columns.rows());
        for column in 0..columns.rows() {
            let pattern: Vec<(i64, u32)> = columns
                .row(column)
                .filter(|&(_, value)| value != 0.0)
                .map(|(row, value)| (row as i64 - column as i64, (value as f32).to_bits()))
                .collect();
            let number = match numbers.get(&pattern) {
                Some(&number) => number,
                None => {
                    patterns.push(upload(machine, layout, &pattern)?);
                    numbers.insert(pattern, patterns.len() - 1);
                    patterns.len() - 1
                }
            };
            pattern_of.push(number);
        }
        Ok(Self {
            layout,
            patterns,
            pattern_of,
            kernel: machine.kernel(&VERTICES.for_points(), &[])?,
        })
    }

    /// Number of different columns, that is, of stored sets of vertices.
    pub fn patterns(&self) -> usize {
        self.patterns.len()
    }

    /// Number of stored vertices.
    pub fn vertices(&self) -> u64 {
        self.patterns.iter().map(Points::count).sum()
    }
}

/// Uploads the points of column 0: distances are rows below the diagonal.
fn upload(
    machine: &Machine,
    layout: Layout,
    pattern: &[(i64, u32)],
) -> Result<Points, AlgebraError> {
    let width = i64::from(layout.size().0);
    let points: Vec<Point> = pattern
        .iter()
        .map(|&(distance, bits)| Point {
            // A texture is smaller than 2^31 texels per side.
            target: [
                distance.rem_euclid(width) as i32,
                distance.div_euclid(width) as i32,
            ],
            value: f32::from_bits(bits),
            source: [0, 0],
        })
        .collect();
    Ok(machine.points(&points)?)
}

impl Matrix for BandMatrix {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        x.expect("x", self.layout)?;
        y.expect("y", self.layout)?;
        y.fill([0.0; 4]);
        for (column, &pattern) in self.pattern_of.iter().enumerate() {
            let offset = self.layout.place(column).0.map(|v| v as i32);
            Pass::new(&self.kernel)
                .read("x", x)
                .read("before", y)
                .feedback()
                .draw(y, self.patterns[pattern].moved_by(offset))?;
        }
        Ok(())
    }
}

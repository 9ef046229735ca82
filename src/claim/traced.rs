//! Values over a range of texture caches.

use super::{Cell, Table};
use crate::card::cache::{Sets, Shape};
use crate::timing::Interval;

/// A value for each cache of a range. A verdict holds for all of them, or is undecided.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The caches.
    pub shapes: Vec<Shape>,
    /// The value for each.
    pub values: Vec<f64>,
}

impl Traced {
    /// Computes the value for each cache, from its place in the range.
    pub fn new(shapes: Vec<Shape>, value: impl Fn(usize) -> f64) -> Self {
        Self { values: (0..shapes.len()).map(value).collect(), shapes }
    }

    /// From the smallest to the largest value.
    pub fn interval(&self) -> Interval {
        let values = || self.values.iter().copied();
        [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)].into()
    }

    /// A row per size and length of lines: the ranges of several values over ways and sets.
    pub fn table(caption: &str, columns: &[(&str, &Self)]) -> Table {
        let heads = columns.iter().map(|(name, _)| *name);
        let mut table = Table::new(caption, ["KB", "bytes per line"].into_iter().chain(heads));
        let shapes = columns.first().map_or(&[][..], |(_, traced)| &traced.shapes);
        let mut kinds: Vec<(u32, u32)> =
            shapes.iter().map(|shape| (shape.bytes, shape.line)).collect();
        kinds.dedup();
        kinds.sort_unstable();
        kinds.dedup();
        for (bytes, line) in kinds {
            let is_kind = |shape: &Shape| (shape.bytes, shape.line) == (bytes, line);
            let ranges = columns.iter().map(|(_, traced)| {
                let own = traced.shapes.iter().zip(&traced.values);
                let own = own.filter(|(shape, _)| is_kind(shape));
                let (shapes, values): (Vec<Shape>, Vec<f64>) = own.unzip();
                Cell::Measured(Self { shapes, values }.interval())
            });
            let size = [Cell::Number(f64::from(bytes >> 10)), Cell::Number(f64::from(line))];
            table.push(size.into_iter().chain(ranges));
        }
        table
    }
}

/// The plausible caches of a card of 2003: 2 to 16 KB.
pub fn caches_of_2003() -> Vec<Shape> {
    Shape::range(&[2, 4, 8, 16])
}

/// A cache that holds all textures, with lines of this length.
pub fn unlimited(line: u32) -> Shape {
    Shape { bytes: 1 << 24, line, ways: 16, sets: Sets::Hashed }
}

//! Textures in main memory, and passes over them.

use fragstream::solver::Real;

/// A texture: records of some channels, rows from the bottom up.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture<T, const CHANNELS: usize> {
    size: (usize, usize),
    records: Vec<[T; CHANNELS]>,
}

impl<T: Real, const CHANNELS: usize> Texture<T, CHANNELS> {
    /// A texture with these records.
    ///
    /// # Panics
    /// If there is not one a texel, or none.
    pub fn new(size: (usize, usize), records: Vec<[T; CHANNELS]>) -> Self {
        assert!(size.0 > 0 && size.0 * size.1 == records.len());
        Self { size, records }
    }

    /// A texture of zeros.
    pub fn zeros(size: (usize, usize)) -> Self {
        Self::render(size, |_| [T::ZERO; CHANNELS])
    }

    /// A pass: a record of each run of the program, which is told the middle of its texel.
    pub fn render(size: (usize, usize), program: impl Fn([T; 2]) -> [T; CHANNELS]) -> Self {
        let middle = |k: usize| T::from_f64(k as f64 + 0.5);
        let texels = (0..size.1).flat_map(|y| (0..size.0).map(move |x| [x, y]));
        let records = texels.map(|texel| program(texel.map(middle))).collect();
        Self { size, records }
    }

    /// The record at a place; beyond the edges, the nearest.
    pub fn fetch(&self, place: [T; 2]) -> [T; CHANNELS] {
        let texel = |v: T, texels: usize| (v.floor().to_f64().max(0.0) as usize).min(texels - 1);
        let (x, y) = (texel(place[0], self.size.0), texel(place[1], self.size.1));
        self.records[y * self.size.0 + x]
    }

    /// The record so many columns and rows from a place.
    pub fn beside(&self, place: [T; 2], columns: i8, rows: i8) -> [T; CHANNELS] {
        let [x, y] = [columns, rows].map(|texels| T::from_f64(f64::from(texels)));
        self.fetch([place[0] + x, place[1] + y])
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// All records.
    pub fn records(&self) -> &[[T; CHANNELS]] {
        &self.records
    }
}

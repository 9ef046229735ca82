//! Streams in main memory.

use rayon::prelude::*;

use super::{Arithmetic, Rect};
use crate::program::formats::Half;

/// Precision of the numbers of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// The precision of their arithmetic.
    #[default]
    Whole,
    /// 16 bits.
    Half,
    /// 255 steps from 0 to 1.
    Byte,
}

impl Storage {
    /// The number that is kept of this one.
    #[inline]
    pub(super) fn kept<T: Arithmetic>(self, value: T) -> T {
        match self {
            Self::Whole => value,
            Self::Half => T::from_f64(Half::from_f64(value.to_f64()).to_f64()),
            Self::Byte => T::from_f64((value.to_f64().clamp(0.0, 1.0) * 255.0).round() / 255.0),
        }
    }
}

/// A rectangle of records with one to four channels, rows from the bottom up, like a rectangle texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture<T> {
    size: (usize, usize),
    /// Number of channels of a record.
    pub(super) channels: usize,
    pub(super) storage: Storage,
    data: Vec<T>,
}

impl<T: Arithmetic> Texture<T> {
    /// Creates a texture with these columns, rows and records.
    ///
    /// # Panics
    /// If `data` is not as long as the texture.
    pub fn new(size: (usize, usize), channels: usize, data: Vec<T>) -> Self {
        assert_eq!(data.len(), size.0 * size.1 * channels, "{size:?}");
        Self { size, channels, storage: Storage::Whole, data }
    }

    /// A texture of zeros.
    pub fn zeros(size: (usize, usize), channels: usize) -> Self {
        let zero = T::from_f64(0.0);
        Self::new(size, channels, vec![zero; size.0 * size.1 * channels])
    }

    /// Changes the storage of later numbers.
    pub fn stored_as(self, storage: Storage) -> Self {
        Self { storage, ..self }
    }

    /// Creates a texture from the contents of a stream.
    pub fn of_singles(size: (u32, u32), channels: usize, data: &[f32]) -> Self {
        let data = data.iter().map(|&value| T::from_f64(value.into()));
        let size = (size.0 as usize, size.1 as usize);
        Self::new(size, channels, data.collect())
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// All channels of all records.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// The record nearest to a texel position; missing channels are 0, 0 and 1.
    #[inline]
    pub fn fetch(&self, x: f64, y: f64) -> [T; 4] {
        let place = self.texel(x, y);
        let (zero, one) = (T::from_f64(0.0), T::from_f64(1.0));
        let mut record = [zero, zero, zero, one];
        let stored = &self.data[place * self.channels..];
        record[..self.channels].copy_from_slice(&stored[..self.channels]);
        record
    }

    /// Index of the texel nearest to a position.
    #[inline]
    pub(super) fn texel(&self, x: f64, y: f64) -> usize {
        // The conversion rounds non-negative numbers down.
        let nearest = |p: f64, length: usize| (p.max(0.0) as usize).min(length - 1);
        nearest(y, self.size.1) * self.size.0 + nearest(x, self.size.0)
    }

    /// Bands of `rows` rows.
    pub(super) fn bands(&mut self, rows: usize) -> impl IndexedParallelIterator<Item = &mut [T]> {
        self.data.par_chunks_mut(rows * self.size.0 * self.channels)
    }

    /// Stores a record, truncated to the texture's channels.
    pub(super) fn store(&mut self, x: usize, y: usize, record: [T; 4]) {
        let first = (y * self.size.0 + x) * self.channels;
        let stored = self.data[first..first + self.channels].iter_mut();
        stored.zip(record).for_each(|(to, value)| *to = self.storage.kept(value));
    }

    /// The records of a part, row by row.
    pub(crate) fn part(&self, part: Rect) -> impl Iterator<Item = T> {
        let (x, width) = (part.x as usize * self.channels, part.width as usize * self.channels);
        let rows = self.data.chunks(self.size.0 * self.channels);
        let rows = rows.skip(part.y as usize).take(part.height as usize);
        rows.flat_map(move |row| row[x..x + width].iter().copied())
    }

    /// Replaces the records of a part, row by row.
    pub(crate) fn replace(&mut self, part: Rect, data: &[T]) {
        let (x, width) = (part.x as usize * self.channels, part.width as usize * self.channels);
        let rows = self.data.chunks_mut(self.size.0 * self.channels);
        let rows = rows.skip(part.y as usize).take(part.height as usize);
        for (row, data) in rows.zip(data.chunks(width)) {
            let stored = row[x..x + width].iter_mut();
            stored.zip(data).for_each(|(to, &value)| *to = self.storage.kept(value));
        }
    }
}

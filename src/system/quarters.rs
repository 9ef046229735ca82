//! Vectors in quarters, and matrices as diagonals that multiply them: a layout of our own.
//!
//! The diagonals are those of Krüger and Westermann 2003, sections 3.2 and 4.1: the one of number i starts at
//! column i of the first row, and the entry of row j is multiplied with x_(i + j) mod N. With four consecutive
//! entries a texel (section 6) most diagonals reach into two texels. Here channel c of texel t holds entry
//! t + c q instead, q being the number of texels: every diagonal reads one, of which the channels take turns
//! where t + i lies beyond the last.

use std::ops::Range;
use std::rc::Rc;

use crate::kruger2003::matrices::diagonals::{self, INPUTS, MOST_A_PASS, number};
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{
    Format, Kernel, Layout, LayoutError, Machine, Pass, Rect, Rects, Source, Stream, StreamError,
    source,
};

const QUARTERS: Source = source!("system/quarters");

/// How a vector lies in quarters.
#[derive(Clone, Copy, Debug)]
pub struct Quarters {
    length: usize,
    layout: Layout,
}

impl Quarters {
    /// Of a vector of this length, in rows of so many texels.
    ///
    /// # Errors
    /// A vector of no entry, or of too many.
    pub fn new(length: usize, width: u32) -> Result<Self, LayoutError> {
        let rows = Layout::wrapped(length, Format::Rgba32F, width)?;
        let layout = Layout::wrapped(rows.capacity(), Format::Rgba32F, width)?;
        Ok(Self { length, layout })
    }

    /// The layout of the texture: all of it, with zeros behind the last entry.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    fn quarter(&self) -> usize {
        self.layout.capacity() / 4
    }

    /// Where an entry is in what the texture holds.
    pub fn place(&self, entry: usize) -> usize {
        4 * (entry % self.quarter()) + entry / self.quarter()
    }

    /// How many diagonals are stored for the product of a matrix with such vectors.
    pub fn diagonals_of(&self, a: &Csr<f64>) -> usize {
        diagonals::count(a, self.layout.capacity()) - usize::from(is_unit(a))
    }

    /// Entries as the texture holds them.
    pub fn scatter(&self, entries: &[f32]) -> Vec<f32> {
        let mut texels = vec![0.0; self.layout.capacity()];
        for (channel, quarter) in entries.chunks(self.quarter()).enumerate() {
            let own = texels.iter_mut().skip(channel).step_by(4);
            own.zip(quarter).for_each(|(texel, &entry)| *texel = entry);
        }
        texels
    }

    /// Entries from what the texture holds.
    pub fn gather(&self, texels: &[f32]) -> Vec<f32> {
        let channel = |channel| texels.iter().skip(channel).step_by(4).copied();
        (0..4).flat_map(channel).take(self.length).collect()
    }
}

/// What a product is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// y ← A x
    Product,
    /// y ← z − A x
    Difference,
}

/// A matrix as diagonals in textures.
pub struct QuarterMatrix {
    vectors: Quarters,
    sum: Sum,
    /// Whether the main diagonal is all ones, and stored nowhere.
    is_unit: bool,
    /// Diagonals with their numbers.
    diagonals: Vec<(usize, Stream)>,
    passes: Vec<Vec<Draw>>,
}

/// What is drawn of a pass at once.
struct Draw {
    kernel: Rc<Kernel>,
    /// Which diagonals.
    diagonals: Range<usize>,
    /// How far to read for each: columns, rows and channels.
    shifts: Vec<[f32; 3]>,
    extent: Rects,
}

impl QuarterMatrix {
    /// Uploads a matrix for vectors that are at least as long as it has rows and columns.
    ///
    /// # Errors
    /// Those of the machine.
    ///
    /// # Panics
    /// If the vectors are shorter.
    pub fn new(
        machine: &Machine,
        vectors: Quarters,
        a: &Csr<f64>,
        sum: Sum,
    ) -> Result<Self, StreamError> {
        let layout = vectors.layout;
        layout.check(machine)?;
        assert!(vectors.length >= a.rows().max(a.columns()));
        let is_unit = sum == Sum::Product && is_unit(a);
        let diagonals = entries(vectors, a, sum, is_unit).into_iter();
        let upload = |(number, texels): (usize, Vec<f32>)| {
            let label = format!("diagonal {number}");
            let (size, format) = (layout.size(), layout.format());
            let stream = Stream::from_data(machine, &label, size, format, &texels)?;
            Ok((number, stream))
        };
        let mut matrix = Self {
            vectors,
            sum,
            is_unit,
            diagonals: diagonals.map(upload).collect::<Result<_, StreamError>>()?,
            passes: Vec::new(),
        };
        let all = matrix.diagonals.len();
        let passes = (0..all).step_by(MOST_A_PASS);
        let passes = passes.map(|first| matrix.pass(machine, first..all.min(first + MOST_A_PASS)));
        matrix.passes = passes.collect::<Result<_, _>>()?;
        Ok(matrix)
    }

    /// How many diagonals are stored.
    pub fn count(&self) -> usize {
        self.diagonals.len()
    }

    /// Passes of a product.
    pub fn passes(&self) -> usize {
        self.passes.len()
    }

    /// A pass with these diagonals: as a whole, or the rows in which none reads beyond the ends apart from
    /// the others.
    fn pass(&self, machine: &Machine, diagonals: Range<usize>) -> Result<Vec<Draw>, StreamError> {
        let layout = self.vectors.layout;
        let (width, height) = layout.size();
        let quarter = self.vectors.quarter();
        let shift = |&(number, _): &(usize, Stream)| {
            let (turn, texel) = (number / quarter, number % quarter);
            let [column, row] = [texel % width as usize, texel / width as usize];
            [column as u32, row as u32, turn as u32]
        };
        let shifts: Vec<_> = self.diagonals[diagonals.clone()]
            .iter()
            .map(shift)
            .collect();
        let is_added = diagonals.start > 0 || self.is_unit || self.sum == Sum::Difference;
        let draw = |inner: bool, rows: &[Range<u32>]| -> Result<Draw, StreamError> {
            let count = shifts.len().to_string();
            let variants = [("CONTINUED", is_added), ("INNER", inner)].into_iter();
            let variants = variants.filter(|v| v.1).map(|v| (v.0, "1"));
            let defines: Vec<_> = [("DIAGONALS", count.as_str())]
                .into_iter()
                .chain(variants)
                .collect();
            let own = |&[column, row, turn]: &[u32; 3]| match (inner, turn) {
                (true, 3) => [column as f32, row as f32 - height as f32, 0.0],
                _ => [column, row, turn].map(|value| value as f32),
            };
            let rows = rows.iter().filter(|rows| !rows.is_empty());
            let rects = rows.map(|rows| Rect::at([0, rows.start], (width, rows.len() as u32)));
            Ok(Draw {
                kernel: machine.kernel(&QUARTERS, &defines)?,
                diagonals: diagonals.clone(),
                shifts: shifts.iter().map(own).collect(),
                extent: machine.rects(&rects.collect::<Vec<_>>())?,
            })
        };
        Ok(match inner(&shifts, height) {
            Some(rows) if rows == (0..height) => vec![draw(true, &[rows])?],
            Some(rows) => vec![
                draw(true, std::slice::from_ref(&rows))?,
                draw(false, &[0..rows.start, rows.end..height])?,
            ],
            None => vec![draw(false, std::slice::from_ref(&(0..height)))?],
        })
    }

    /// y ← A x, or z − A x.
    ///
    /// # Errors
    /// Vectors of another layout; those of the machine.
    pub fn multiply(
        &self,
        space: &TextureSpace,
        z: &Stream,
        x: &Stream,
        y: &mut Stream,
    ) -> Result<(), StreamError> {
        x.expect("x", self.vectors.layout)?;
        let before = match (self.sum, self.is_unit) {
            (Sum::Difference, _) => Some(z),
            (Sum::Product, true) => Some(x),
            (Sum::Product, false) => None,
        };
        if self.passes.is_empty() {
            match before {
                Some(before) => space.scale(1.0, before, y)?,
                None => y.fill([0.0; 4]),
            }
        }
        for (number, pass) in self.passes.iter().enumerate() {
            let mut draws = pass.iter();
            match number {
                0 => draws.try_for_each(|draw| self.draw(draw, before, x, y))?,
                _ => space.replace(y, |sum, target| {
                    draws.try_for_each(|draw| self.draw(draw, Some(sum), x, target))
                })?,
            }
        }
        Ok(())
    }

    fn draw(
        &self,
        draw: &Draw,
        before: Option<&Stream>,
        x: &Stream,
        target: &Stream,
    ) -> Result<(), StreamError> {
        let mut pass = Pass::new(&draw.kernel)
            .read("x", x)
            .read("before", before.unwrap_or(x))
            .set("size", self.vectors.layout.size());
        // Every declared input must be given, also those that this variant does not read.
        let own = &self.diagonals[draw.diagonals.clone()];
        for (slot, (stream, shift)) in INPUTS.into_iter().enumerate() {
            let diagonal = own.get(slot).map_or(x, |(_, stream)| stream);
            let offset = draw.shifts.get(slot).copied().unwrap_or_default();
            pass = pass.read(stream, diagonal).set(shift, offset);
        }
        pass.draw(target, &draw.extent)
    }
}

impl Operator<TextureSpace> for QuarterMatrix {
    fn apply(&self, space: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(space, x, x, y)
    }
}

/// Whether the main diagonal is all ones, in single precision: for a product it is stored nowhere.
pub fn is_unit(a: &Csr<f64>) -> bool {
    a.diagonal().iter().all(|&entry| entry as f32 == 1.0)
}

/// The diagonals that are not all zero, by number, as their textures hold them.
fn entries(vectors: Quarters, a: &Csr<f64>, sum: Sum, is_unit: bool) -> Vec<(usize, Vec<f32>)> {
    let order = vectors.layout.capacity();
    let sign = match sum {
        Sum::Product => 1.0,
        Sum::Difference => -1.0,
    };
    let mut diagonals: Vec<(usize, Vec<f32>)> = Vec::new();
    // The place of each in the list, from one.
    let mut places = vec![0_u32; order];
    for row in 0..a.rows() {
        let texel = vectors.place(row);
        for (column, value) in a.row(row) {
            if value == 0.0 || is_unit && row == column {
                continue;
            }
            let number = number(row, column, order);
            if places[number] == 0 {
                diagonals.push((number, vec![0.0; order]));
                places[number] = diagonals.len() as u32;
            }
            let (_, texels) = &mut diagonals[places[number] as usize - 1];
            texels[texel] = (sign * value) as f32;
        }
    }
    diagonals
}

/// The rows of a texture in which no diagonal reads beyond the first or the last texel, if they are most.
fn inner(shifts: &[[u32; 3]], height: u32) -> Option<Range<u32>> {
    let mut inner = 0..height;
    for &[column, row, turn] in shifts {
        match turn {
            0 => inner.end = inner.end.min(height - row - u32::from(column > 0)),
            // All of the vector less a little: a little back.
            3 => inner.start = inner.start.max(height - row),
            _ => return None,
        }
    }
    (2 * inner.len() > height as usize).then_some(inner)
}

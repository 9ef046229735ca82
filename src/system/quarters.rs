//! Vectors in quarters, and matrices as diagonals that multiply them: a layout of our own.
//!
//! The diagonals are those of Krüger and Westermann 2003, sections 3.2 and 4.1: the one of number i starts at
//! column i of the first row, and the entry of row j is multiplied with x_(i + j) mod N. With four consecutive
//! entries a texel (section 6) most diagonals reach into two texels. Here channel c of texel t holds entry
//! t + c q instead, q being the number of texels: every diagonal reads one, of which the channels take turns
//! where t + i lies beyond the last.
//!
//! Diagonals of one number each, as constant coefficients leave them, can take one texture together
//! (`may_share`): of each entry it tells by a bit for each diagonal whether the number is there
//! or zero, and a product fetches it once.

use std::ops::Range;
use std::rc::Rc;

use crate::kruger2003::matrices::diagonals::{self, INPUTS, MOST_A_PASS, number};
use crate::parallel::collect;
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{
    Format, Kernel, Layout, LayoutError, Machine, Pass, Rect, Rects, Source, Stream, StreamError,
    source,
};

const QUARTERS: Source = source!("system/quarters");

/// How a vector lies in quarters: one, or some of the same length above each other.
#[derive(Clone, Copy, Debug)]
pub struct Quarters {
    /// Of one of them.
    length: usize,
    /// That of one of them, and that of all.
    one: Layout,
    layout: Layout,
}

impl Quarters {
    /// Of a vector of this length, in rows of so many texels.
    ///
    /// # Errors
    /// A vector of no entry, or of too many.
    pub fn new(length: usize, width: u32) -> Result<Self, LayoutError> {
        let rows = Layout::wrapped(length, Format::Rgba32F, width)?;
        let one = Layout::wrapped(rows.capacity(), Format::Rgba32F, width)?;
        Ok(Self {
            length,
            one,
            layout: one,
        })
    }

    /// So many of these in one texture, the first one lowest. Their entries follow each other.
    ///
    /// # Errors
    /// More than a texture's size can tell.
    pub fn stacked(self, count: usize) -> Result<Self, LayoutError> {
        let capacity = count * self.one.capacity();
        let layout = Layout::wrapped(capacity, Format::Rgba32F, self.one.size().0)?;
        Ok(Self { layout, ..self })
    }

    /// The layout of the texture: all of it, with zeros behind the last entry.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    fn quarter(&self) -> usize {
        self.one.capacity() / 4
    }

    /// Where an entry of the first is in what the texture holds.
    pub fn place(&self, entry: usize) -> usize {
        4 * (entry % self.quarter()) + entry / self.quarter()
    }

    /// How many diagonals are stored for the product of a matrix with such vectors.
    pub fn diagonals_of(&self, a: &Csr<f64>) -> usize {
        diagonals::count(a, self.one.capacity()) - usize::from(is_unit(a))
    }

    /// Entries as the texture holds them.
    pub fn scatter(&self, entries: &[f32]) -> Vec<f32> {
        let mut texels = vec![0.0; self.layout.capacity()];
        let all = texels.chunks_mut(self.one.capacity());
        for (texels, entries) in all.zip(entries.chunks(self.length)) {
            for (channel, quarter) in entries.chunks(self.quarter()).enumerate() {
                let own = texels.iter_mut().skip(channel).step_by(4);
                own.zip(quarter).for_each(|(texel, &entry)| *texel = entry);
            }
        }
        texels
    }

    /// Entries from what the texture holds.
    pub fn gather(&self, texels: &[f32]) -> Vec<f32> {
        let mut entries = Vec::with_capacity(texels.len());
        for texels in texels.chunks(self.one.capacity()) {
            let channel = |channel| texels.iter().skip(channel).step_by(4);
            entries.extend((0..4).flat_map(channel).take(self.length));
        }
        entries
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
    /// What it is multiplied with.
    vectors: Quarters,
    /// The first row of texels of the product.
    first_row: u32,
    sum: Sum,
    /// Whether the main diagonal is all ones, and stored nowhere.
    is_unit: bool,
    /// Which diagonals are stored.
    numbers: Vec<Number>,
    /// A texture each, or one that tells where each has its one number.
    streams: Vec<Rc<Stream>>,
    /// Whether the textures are another matrix', of which this is the transpose.
    is_transposed: bool,
    /// If each diagonal has but one number beside zeros.
    singles: Option<Singles>,
    passes: Vec<Vec<Draw>>,
}

/// Diagonals of one number each, which share a texture.
struct Singles {
    /// The number of each.
    entries: Vec<f32>,
    /// Which of them have an entry there, as the texture holds it: the first one's bit is the lowest.
    pattern: Vec<f32>,
}

/// Which diagonal: its number, and which of the vectors above each other it multiplies.
type Number = (usize, usize);

/// What is drawn of a pass at once.
struct Draw {
    kernel: Rc<Kernel>,
    /// Which diagonals.
    diagonals: Range<usize>,
    /// How far to read for each: columns, rows and channels; and its number, where there is but one, or else the
    /// first row of the vector that it multiplies.
    shifts: Vec<[f32; 4]>,
    extent: Rects,
}

impl QuarterMatrix {
    /// Uploads a matrix for vectors that are at least as long as it has rows and columns. Diagonals of one
    /// number each may share a texture, and do if a pass can take them all.
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
        may_share: bool,
    ) -> Result<Self, StreamError> {
        Self::of_block(machine, vectors, (a, [0, 0]), sum, may_share)
    }

    /// The same of a block, which reads and writes one of the vectors above each other: `to` and `from` are their
    /// numbers. Only between the first ones its diagonals share.
    ///
    /// # Errors
    /// Those of the machine.
    ///
    /// # Panics
    /// If the vectors are shorter.
    pub fn of_block(
        machine: &Machine,
        vectors: Quarters,
        (a, [to, from]): (&Csr<f64>, [usize; 2]),
        sum: Sum,
        may_share: bool,
    ) -> Result<Self, StreamError> {
        vectors.layout.check(machine)?;
        assert!(vectors.length >= a.rows().max(a.columns()));
        let is_first = [to, from] == [0, 0];
        let is_unit = is_first && sum == Sum::Product && is_unit(a);
        let (numbers, texels): (Vec<_>, Vec<_>) = entries(vectors, a, is_unit).into_iter().unzip();
        let singles = (may_share && is_first).then(|| Singles::new(&texels));
        let singles = singles.flatten();
        let streams = match &singles {
            Some(singles) => vec![singles.upload(machine, vectors)?],
            None => {
                let diagonals = numbers.iter().zip(&texels);
                let streams = diagonals.map(|(number, texels)| {
                    upload(machine, vectors, &format!("diagonal {number}"), texels)
                });
                streams.collect::<Result<_, _>>()?
            }
        };
        let matrix = Self {
            vectors,
            first_row: to as u32 * vectors.one.size().1,
            sum,
            is_unit,
            streams,
            is_transposed: false,
            numbers: numbers.into_iter().map(|number| (number, from)).collect(),
            singles,
            passes: Vec::new(),
        };
        matrix.with_passes(machine)
    }

    /// The transposes of some blocks, by the same textures: each multiplies the vector of its number of those above
    /// each other, and the sum is for the first one. Diagonals that share a texture, which would be fetched once
    /// for each, get another one.
    ///
    /// # Errors
    /// Those of the machine.
    ///
    /// # Panics
    /// If diagonals share a texture in one of several blocks.
    pub fn of_transposes(
        machine: &Machine,
        vectors: Quarters,
        blocks: &[(&Self, usize)],
        sum: Sum,
    ) -> Result<Self, StreamError> {
        let shared = blocks.iter().find_map(|(block, _)| block.singles.as_ref());
        assert!(blocks.len() == 1 || shared.is_none());
        let order = vectors.one.capacity();
        let numbers = blocks.iter().flat_map(|&(block, from)| {
            let numbers = block.numbers.iter();
            numbers.map(move |&(number, _)| ((order - number) % order, from))
        });
        let singles = shared.map(|singles| singles.transposed(vectors, &blocks[0].0.numbers));
        let streams = match &singles {
            Some(singles) => vec![singles.upload(machine, vectors)?],
            None => {
                let streams = blocks.iter().flat_map(|(block, _)| &block.streams);
                streams.cloned().collect()
            }
        };
        let matrix = Self {
            vectors,
            first_row: 0,
            sum,
            is_unit: false,
            numbers: numbers.collect(),
            streams,
            is_transposed: singles.is_none(),
            singles,
            passes: Vec::new(),
        };
        matrix.with_passes(machine)
    }

    fn with_passes(mut self, machine: &Machine) -> Result<Self, StreamError> {
        let all = self.numbers.len();
        let passes = (0..all).step_by(MOST_A_PASS);
        let passes = passes.map(|first| self.pass(machine, first..all.min(first + MOST_A_PASS)));
        self.passes = passes.collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// How many diagonals are multiplied.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    /// Passes of a product.
    pub fn passes(&self) -> usize {
        self.passes.len()
    }

    /// A pass with these diagonals: as a whole, or the rows in which none reads beyond the ends apart from
    /// the others.
    fn pass(&self, machine: &Machine, diagonals: Range<usize>) -> Result<Vec<Draw>, StreamError> {
        let (width, height) = self.vectors.one.size();
        let quarter = self.vectors.quarter();
        let shift = |&(number, _): &Number| {
            let (turn, texel) = (number / quarter, number % quarter);
            let [column, row] = [texel % width as usize, texel / width as usize];
            [column as u32, row as u32, turn as u32]
        };
        let shifts: Vec<_> = self.numbers[diagonals.clone()].iter().map(shift).collect();
        let is_stacked = self.first_row > 0
            || self.numbers[diagonals.clone()]
                .iter()
                .any(|&(_, from)| from > 0);
        let is_added = diagonals.start > 0 || self.is_unit || self.sum == Sum::Difference;
        let draw = |inner: bool, rows: &[Range<u32>]| -> Result<Draw, StreamError> {
            let count = shifts.len().to_string();
            let variants = [
                ("CONTINUED", is_added),
                ("SUBTRACTED", self.sum == Sum::Difference),
                ("TRANSPOSED", self.is_transposed),
                ("STACKED", is_stacked),
                ("INNER", inner),
                ("PATTERN", self.singles.is_some()),
            ];
            let variants = variants.into_iter();
            let variants = variants.filter(|v| v.1).map(|v| (v.0, "1"));
            let defines: Vec<_> = [("DIAGONALS", count.as_str())]
                .into_iter()
                .chain(variants)
                .collect();
            let own = |(place, &[column, row, turn]): (usize, &[u32; 3])| {
                let from = self.numbers[diagonals.start + place].1 as u32 * height;
                let entry = self
                    .singles
                    .as_ref()
                    .map_or(from as f32, |singles| singles.entries[place]);
                let [column, row, turn] = match (inner, turn) {
                    (true, 3) => [column as f32, row as f32 - height as f32, 0.0],
                    _ => [column, row, turn].map(|value| value as f32),
                };
                [column, row, turn, entry]
            };
            let rows = rows.iter().filter(|rows| !rows.is_empty());
            let first = |rows: &Range<u32>| [0, self.first_row + rows.start];
            let rects = rows.map(|rows| Rect::at(first(rows), (width, rows.len() as u32)));
            Ok(Draw {
                kernel: machine.kernel(&QUARTERS, &defines)?,
                diagonals: diagonals.clone(),
                shifts: shifts.iter().enumerate().map(own).collect(),
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
            .set("size", self.vectors.one.size())
            .set("first_row", self.first_row as f32);
        // Every declared input must be given, also those that this variant does not read.
        for (slot, (stream, shift)) in INPUTS.into_iter().enumerate() {
            let diagonal = self.streams.get(draw.diagonals.start + slot);
            let diagonal = diagonal.map_or(x, Rc::as_ref);
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
    (0..a.rows()).all(|row| a.get(row, row) as f32 == 1.0)
}

/// The diagonals that are not all zero, by number, as their textures hold them.
fn entries(vectors: Quarters, a: &Csr<f64>, is_unit: bool) -> Vec<(usize, Vec<f32>)> {
    let order = vectors.one.capacity();
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
            texels[texel] = value as f32;
        }
    }
    diagonals
}

impl Singles {
    /// Of diagonals that have but one number each, if a pass can take them all: then they need no texture each.
    fn new(diagonals: &[Vec<f32>]) -> Option<Self> {
        let entry = |texels: &Vec<f32>| {
            let mut entries = texels.iter().copied().filter(|&entry| entry != 0.0);
            let first = entries.next()?;
            entries.all(|entry| entry == first).then_some(first)
        };
        if !(1..=MOST_A_PASS).contains(&diagonals.len()) {
            return None;
        }
        let entries = diagonals.iter().map(entry).collect::<Option<_>>()?;
        let bits = |place: usize| {
            let bits = diagonals.iter().enumerate();
            let bits = bits.map(|(k, texels)| u32::from(texels[place] != 0.0) << k);
            bits.sum::<u32>() as f32
        };
        Some(Self {
            entries,
            pattern: collect(diagonals[0].len(), bits),
        })
    }

    /// Those of the transpose: where a column has an entry, there a row has one.
    fn transposed(&self, vectors: Quarters, numbers: &[Number]) -> Self {
        let order = vectors.one.capacity();
        let mut pattern = vec![0.0; order];
        for row in 0..order {
            let bits = self.pattern[vectors.place(row)] as u32;
            for (k, &(number, _)) in numbers.iter().enumerate() {
                if bits >> k & 1 == 1 {
                    let column = (row + number) % order;
                    pattern[vectors.place(column)] += (1 << k) as f32;
                }
            }
        }
        let entries = self.entries.clone();
        Self { entries, pattern }
    }

    fn upload(&self, machine: &Machine, vectors: Quarters) -> Result<Rc<Stream>, StreamError> {
        upload(machine, vectors, "pattern of diagonals", &self.pattern)
    }
}

fn upload(
    machine: &Machine,
    vectors: Quarters,
    label: &str,
    texels: &[f32],
) -> Result<Rc<Stream>, StreamError> {
    let layout = vectors.one;
    Stream::from_data(machine, label, layout.size(), layout.format(), texels).map(Rc::new)
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

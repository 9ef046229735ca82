//! Diagonals for vectors in quarters: fragstream's variant.
//!
//! The diagonals are those of kruger2003 (§3.2 and §4.1): diagonal i starts at column i of the first row, and
//! its entry in row j is multiplied by x_(i + j) mod N. With four consecutive entries per texel (§6) most
//! diagonals need two texels of x. Here channel c of texel t holds entry t + c q, where q is the number of
//! texels. Every diagonal reads one texel, whose channels are rotated where t + i is beyond the last texel.

use std::ops::Range;
use std::rc::Rc;

use crate::base::error::counted;
use crate::kruger2003::diagonals::{self, INPUTS, number};
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{
    Format, Kernel, Layout as VectorLayout, Machine, Pass, Rect, Rects, Source, Stream,
    StreamError, source,
};

use super::diagonals::role;
use super::layout::{Footprint, Layout, MatrixLayout, Stored};

const PROGRAM: Source = source!(layouts, "quarters");

/// Diagonals that one pass takes: of the sixteen texture units, x and the partial sum need two.
pub(crate) const MOST_A_PASS: usize = 14;

/// Texels per row: the width of a tile of Mesa's llvmpipe, whose memory is then contiguous.
const WIDTH: usize = 64;

/// Rows of texels that any driver supports.
const ROWS: usize = 8192;

/// Diagonals for vectors in quarters.
pub const QUARTERS: Layout = &MatrixLayout {
    name: "quarters",
    source: "fragstream",
    about: "Diagonals for vectors with one quarter per channel",
    is_of_2003: true,
    is_variant: false,
    roles: &[role(4)],
    footprint: |matrix, _| {
        let vectors = Quarters::new(matrix.rows(), 1)?.one;
        Ok(Footprint::vectors(diagonals::count(matrix, vectors.capacity()), vectors))
    },
    store: |machine, matrix, upload| {
        let vectors = Quarters::new(matrix.rows(), 1)?;
        let places = Some(vectors.places(matrix.rows()));
        let matrices = (matrix, upload.transposed);
        Stored::pair(machine, vectors.layout(), places, matrices, |a| {
            let stored = QuarterMatrix::new(machine, vectors, (a, [0, 0]), Sum::Product)?;
            let words = in_passes(stored.counts());
            Ok((stored, words))
        })
    },
};

/// The numbers of diagonals and of passes as text.
pub(crate) fn in_passes([diagonals, passes]: [usize; 2]) -> String {
    format!("{} in {}", counted(diagonals, "diagonal"), counted(passes, "pass"))
}

/// Number of diagonals of a matrix for vectors in quarters, and of entries of each in its texture.
pub(crate) fn count(matrix: &Csr<f64>) -> [usize; 2] {
    let order = matrix.rows().next_multiple_of(4 * WIDTH);
    [diagonals::count(matrix, order), order]
}

/// Storage of vectors in quarters: one, or several of the same length above each other.
#[derive(Clone, Copy, Debug)]
pub struct Quarters {
    length: usize,
    one: VectorLayout,
    all: VectorLayout,
}

impl Quarters {
    /// `count` vectors of this length above each other.
    pub fn new(length: usize, count: usize) -> Result<Self, StreamError> {
        let width = length.div_ceil(4 * ROWS).max(WIDTH);
        Self::of_width(length, count, width as u32)
    }

    /// Plans quarters in rows of this many texels.
    pub fn of_width(length: usize, count: usize, width: u32) -> Result<Self, StreamError> {
        let whole = |entries| VectorLayout::wrapped(entries, Format::Rgba32F, width);
        let one = whole(whole(length)?.capacity())?;
        let all = whole(count * one.capacity())?;
        Ok(Self { length, one, all })
    }

    /// The layout of the whole texture, with zeros after the last entry.
    pub fn layout(&self) -> VectorLayout {
        self.all
    }

    fn quarter(&self) -> usize {
        self.one.capacity() / 4
    }

    /// The positions of the first entries among the texture's floats. The entries of the vectors follow each
    /// other.
    pub fn places(&self, entries: usize) -> Vec<u32> {
        let vectors = (0..).flat_map(|vector| (0..self.length).map(move |entry| (vector, entry)));
        let place = |(vector, entry): (usize, usize)| {
            (vector * self.one.capacity() + self.place(entry)) as u32
        };
        vectors.take(entries).map(place).collect()
    }

    fn place(&self, entry: usize) -> usize {
        4 * (entry % self.quarter()) + entry / self.quarter()
    }
}

/// Kind of product.
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
    /// Index of the result among the vectors above each other.
    to: usize,
    sum: Sum,
    diagonals: Vec<Diagonal>,
    draws: Vec<Draw>,
}

/// A diagonal in a texture.
struct Diagonal {
    number: usize,
    /// Index of the factor among the vectors above each other.
    from: usize,
    texture: Rc<Stream>,
    /// Its single value, if the shared texture marks the diagonals at each entry.
    one: Option<f32>,
}

/// A part of a pass: a program for some diagonals on some rows of texels.
struct Draw {
    kernel: Rc<Kernel>,
    diagonals: Range<usize>,
    /// True if no diagonal reads beyond the first or the last texel of x.
    is_inner: bool,
    extent: Rects,
}

impl QuarterMatrix {
    /// Uploads a block between vectors above each other; `to` and `from` are their indices.
    ///
    /// # Panics
    /// If the vectors are shorter than the height or the width of the block.
    pub fn new(
        machine: &Machine,
        vectors: Quarters,
        (a, [to, from]): (&Csr<f64>, [usize; 2]),
        sum: Sum,
    ) -> Result<Self, StreamError> {
        vectors.all.check(machine)?;
        assert!(vectors.length >= a.rows().max(a.columns()));
        let (size, format) = (vectors.one.size(), vectors.one.format());
        let upload = |(number, texels): (usize, Vec<f32>)| {
            let label = format!("diagonal {number}");
            let texture = Stream::from_data(machine, &label, size, format, &texels)?;
            Ok(Diagonal { number, from, texture: Rc::new(texture), one: None })
        };
        let diagonals = entries(vectors, a).into_iter().map(upload);
        let diagonals = diagonals.collect::<Result<_, StreamError>>()?;
        Self::of(machine, (vectors, to, sum), diagonals, false)
    }

    /// A matrix whose diagonals are constant except for zeros, as constant coefficients give them. They share a
    /// texture, which a product fetches once: for each entry a number with one bit per diagonal. `None` for
    /// other matrices, or if one pass cannot process all diagonals.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn shared(
        machine: &Machine,
        vectors: Quarters,
        a: &Csr<f64>,
        sum: Sum,
    ) -> Result<Option<Self>, StreamError> {
        assert!(vectors.length >= a.rows().max(a.columns()));
        let diagonals = entries(vectors, a);
        if !(1..=MOST_A_PASS).contains(&diagonals.len()) {
            return Ok(None);
        }
        let (mut ones, mut pattern) = (Vec::new(), vec![0.0; vectors.one.capacity()]);
        for (k, (_, texels)) in diagonals.iter().enumerate() {
            let one = texels.iter().find(|&&entry| entry != 0.0).copied();
            if texels.iter().any(|&entry| entry != 0.0 && Some(entry) != one) {
                return Ok(None);
            }
            ones.push(one);
            for (bits, &entry) in pattern.iter_mut().zip(texels) {
                *bits += f32::from(u16::from(entry != 0.0) << k);
            }
        }
        let (size, format) = (vectors.one.size(), vectors.one.format());
        let texture = Stream::from_data(machine, "pattern of diagonals", size, format, &pattern)?;
        let texture = Rc::new(texture);
        let numbers = diagonals.into_iter().map(|(number, _)| number);
        let diagonals = numbers.zip(ones).map(|(number, one)| Diagonal {
            number,
            from: 0,
            texture: Rc::clone(&texture),
            one,
        });
        Self::of(machine, (vectors, 0, sum), diagonals.collect(), false).map(Some)
    }

    /// The sum of the transposes of blocks, in their textures. Each block multiplies the vector with its index,
    /// and the sum is for the first vector.
    pub fn of_transposes(
        machine: &Machine,
        vectors: Quarters,
        blocks: &[(&Self, usize)],
    ) -> Result<Self, StreamError> {
        let order = vectors.one.capacity();
        let diagonals = blocks.iter().flat_map(|&(block, from)| {
            block.diagonals.iter().map(move |diagonal| Diagonal {
                number: (order - diagonal.number) % order,
                from,
                texture: Rc::clone(&diagonal.texture),
                one: None,
            })
        });
        Self::of(machine, (vectors, 0, Sum::Product), diagonals.collect(), true)
    }

    fn of(
        machine: &Machine,
        (vectors, to, sum): (Quarters, usize, Sum),
        diagonals: Vec<Diagonal>,
        is_transposed: bool,
    ) -> Result<Self, StreamError> {
        let mut matrix = Self { vectors, to, sum, diagonals, draws: Vec::new() };
        let (all, height) = (matrix.diagonals.len(), vectors.one.size().1);
        for first in (0..all).step_by(MOST_A_PASS) {
            let range = first..all.min(first + MOST_A_PASS);
            // Most rows have a shorter program, if there is one.
            let inner = matrix.inner(&range).unwrap_or(0..0);
            let outer = vec![0..inner.start, inner.end..height];
            for (is_inner, mut rows) in [(true, vec![inner]), (false, outer)] {
                rows.retain(|rows| !rows.is_empty());
                if !rows.is_empty() {
                    let variant = [is_inner, is_transposed];
                    let draw = matrix.part(machine, variant, range.clone(), &rows)?;
                    matrix.draws.push(draw);
                }
            }
        }
        Ok(matrix)
    }

    fn part(
        &self,
        machine: &Machine,
        [is_inner, is_transposed]: [bool; 2],
        diagonals: Range<usize>,
        rows: &[Range<u32>],
    ) -> Result<Draw, StreamError> {
        let count = diagonals.len().to_string();
        let is_difference = self.sum == Sum::Difference;
        let mut own = self.diagonals[diagonals.clone()].iter();
        let is_stacked = self.to > 0 || own.any(|diagonal| diagonal.from > 0);
        let mut defines = vec![("DIAGONALS", count.as_str())];
        let variants = [
            ("CONTINUED", diagonals.start > 0 || is_difference),
            ("SUBTRACTED", is_difference),
            ("TRANSPOSED", is_transposed),
            ("STACKED", is_stacked),
            ("PATTERN", self.diagonals[0].one.is_some()),
            ("INNER", is_inner),
        ];
        defines.extend(variants.iter().filter(|v| v.1).map(|v| (v.0, "1")));
        let (width, height) = self.vectors.one.size();
        let rects = rows.iter().map(|rows| {
            let first = [0, self.to as u32 * height + rows.start];
            Rect::at(first, (width, rows.len() as u32))
        });
        Ok(Draw {
            kernel: machine.kernel(&PROGRAM, &defines)?,
            extent: machine.rects(&rects.collect::<Vec<_>>())?,
            diagonals,
            is_inner,
        })
    }

    /// Columns, rows and channels from the present position to the x of a diagonal.
    fn shift(&self, diagonal: &Diagonal) -> [u32; 3] {
        let (quarter, width) = (self.vectors.quarter(), self.vectors.one.size().0 as usize);
        let (turn, texel) = (diagonal.number / quarter, diagonal.number % quarter);
        [texel % width, texel / width, turn].map(|value| value as u32)
    }

    /// The rows of texels in which none of these diagonals reads beyond the ends, if they are the majority.
    fn inner(&self, diagonals: &Range<usize>) -> Option<Range<u32>> {
        let height = self.vectors.one.size().1;
        let mut inner = 0..height;
        for diagonal in &self.diagonals[diagonals.clone()] {
            match self.shift(diagonal) {
                [column, row, 0] => inner.end = inner.end.min(height - row - u32::from(column > 0)),
                // A large part of the vector forwards is a small part backwards.
                [_, row, 3] => inner.start = inner.start.max(height - row),
                _ => return None,
            }
        }
        (2 * inner.len() > height as usize).then_some(inner)
    }

    /// The numbers of diagonals and of passes.
    pub fn counts(&self) -> [usize; 2] {
        let diagonals = self.diagonals.len();
        [diagonals, diagonals.div_ceil(MOST_A_PASS)]
    }

    /// y ← A x, or z − A x.
    pub fn multiply(
        &self,
        space: &TextureSpace,
        z: &Stream,
        x: &Stream,
        y: &mut Stream,
    ) -> Result<(), StreamError> {
        match (self.draws.is_empty(), self.sum) {
            (true, Sum::Product) => y.fill([0.0; 4]),
            (true, Sum::Difference) => space.scale(1.0, z, y)?,
            _ => {}
        }
        for pass in self.draws.chunk_by(|a, b| a.diagonals == b.diagonals) {
            let draw = |before: &Stream, target: &Stream| {
                let mut draws = pass.iter();
                draws.try_for_each(|draw| self.draw(draw, before, x, target))
            };
            match pass[0].diagonals.start {
                0 => draw(z, y)?,
                _ => space.replace(y, draw)?,
            }
        }
        Ok(())
    }

    fn draw(
        &self,
        draw: &Draw,
        before: &Stream,
        x: &Stream,
        target: &Stream,
    ) -> Result<(), StreamError> {
        let size = self.vectors.one.size();
        let height = size.1 as f32;
        let mut pass = Pass::new(&draw.kernel)
            .read("x", x)
            .read("before", before)
            .set("size", size)
            .set("first_row", self.to as f32 * height);
        // Every declared input must be bound, also those that this variant does not read.
        let mut diagonals = self.diagonals[draw.diagonals.clone()].iter();
        for (stream, shift) in INPUTS {
            pass = match diagonals.next() {
                Some(diagonal) => {
                    let [column, row, turn] = self.shift(diagonal).map(|value| value as f32);
                    let from = diagonal.one.unwrap_or(diagonal.from as f32 * height);
                    let distance = match (draw.is_inner, turn) {
                        (true, 3.0) => [column, row - height, 0.0, from],
                        _ => [column, row, turn, from],
                    };
                    pass.read(stream, &diagonal.texture).set(shift, distance)
                }
                None => pass.read(stream, x).set(shift, [0.0; 4]),
            };
        }
        pass.draw(target, &draw.extent)
    }
}

impl Operator<TextureSpace> for QuarterMatrix {
    fn apply(&self, space: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(space, x, x, y)
    }
}

/// The nonzero diagonals by number, as stored in their textures.
fn entries(vectors: Quarters, a: &Csr<f64>) -> Vec<(usize, Vec<f32>)> {
    let order = vectors.one.capacity();
    let mut diagonals: Vec<(usize, Vec<f32>)> = Vec::new();
    // Index of each diagonal in the list.
    let mut places = vec![usize::MAX; order];
    for (row, column, value) in a.triplets().filter(|&(_, _, value)| value != 0.0) {
        let number = number(row, column, order);
        if places[number] == usize::MAX {
            places[number] = diagonals.len();
            diagonals.push((number, vec![0.0; order]));
        }
        diagonals[places[number]].1[vectors.place(row)] = value as f32;
    }
    diagonals
}

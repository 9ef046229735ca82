//! The position of every unknown and every matrix row in the textures (Bolz et al. 2003, section 3.2.2).
//!
//! The vector texture is a grid of identical rectangles, *slots*. Rows are sorted by the number of
//! their off-diagonal entries, longest first, and fill the slots one after the other, each slot in
//! row-major order. A slot is drawn with the least expensive program that serves all of its rows:
//! the one whose length is that of its longest row, to which the others are padded. (If that is more
//! than a pass can process, the slot is drawn in parts, so that no short row is padded to a very long one;
//! the paper, whose rows are short, does not treat this case.) After the drawn
//! slots come slots that no program writes: values without a row (fixed vertices), and the constant
//! zero that all padding points to.
//!
//! The off-diagonal entries of a row form a *segment*, consecutive texels of one line of a second
//! texture. A row with more entries than one pass can process has a segment of several equal parts,
//! stacked on consecutive lines, so that one pointer serves all of its passes: pass p starts p
//! lines below it.

use std::cmp::Reverse;
use std::ops::Range;

use crate::base::order::ShortSort;
use crate::bolz2003::Error;
use crate::stream::rows::{RowGroups, centre};
use crate::stream::{Machine, Rect, Size, StreamError};

/// Largest width and height of a texture, whatever the driver allows: up to
/// here its texels can be counted in 32 bits, and texel centres are exact in single precision.
const LARGEST_TEXTURE: u32 = 1 << 16;

/// The width of the texture of segments is a multiple of this, unless the limit is smaller.
const SEGMENT_WIDTH_STEP: u64 = 64;

/// Options of a packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackingOptions {
    /// Width and height of a rectangle in texels. The default, 26 × 18, is the best size that the paper found
    /// for the GeForce FX.
    pub rectangle: [u32; 2],
    /// Largest number of off-diagonal entries per pass. The default, 200, is what a program of the
    /// GeForce FX could fetch (section 3.1.1).
    pub longest_pass: u32,
    /// Largest width and height of a texture; the default is 16384.
    pub texture_limit: u32,
}

impl Default for PackingOptions {
    fn default() -> Self {
        PackingOptions { rectangle: [26, 18], longest_pass: 200, texture_limit: 16384 }
    }
}

impl PackingOptions {
    /// The default, with textures as large as a machine allows.
    pub fn of(machine: &Machine) -> Self {
        PackingOptions {
            texture_limit: machine.description().rectangle_limit,
            ..PackingOptions::default()
        }
    }
}

/// Consecutive rectangles drawn by the same program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Off-diagonal entries of the longest row of each of its rectangles.
    pub row_length: u32,
    /// Passes per row: 1 unless rows are longer than the longest pass.
    pub passes: u32,
    /// Entries per pass, `ROW_LENGTH` of the program. Rows are padded to
    /// `passes * pass_length`.
    pub pass_length: u32,
    /// Its rectangles: slots, or parts of a slot with long rows.
    pub rects: Vec<Rect>,
    /// Its rows, as a range of [`Packing::order`].
    pub rows: Range<usize>,
}

impl Group {
    fn new(row_length: u32, longest_pass: u32, rows: Range<usize>, first: Rect) -> Self {
        let passes = row_length.div_ceil(longest_pass).max(1);
        Group {
            row_length,
            passes,
            pass_length: row_length.div_ceil(passes),
            rects: vec![first],
            rows,
        }
    }

    /// Entries of a segment, padding included.
    pub fn padded_length(&self) -> u64 {
        u64::from(self.passes) * u64::from(self.pass_length)
    }

    /// The texel of entry `c` of the segment that starts at `start`.
    pub fn entry(&self, start: [u32; 2], c: u32) -> [u32; 2] {
        [start[0] + c % self.pass_length, start[1] + c / self.pass_length]
    }
}

/// Counts of used and unused texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackingCounts {
    /// Degrees of freedom with a row.
    pub rows: usize,
    /// Texels of the vector texture that hold neither a degree of freedom nor the zero.
    pub unused_texels: usize,
    /// Off-diagonal entries.
    pub entries: u64,
    /// Padding entries in the segments of rows and in that of the dummy rows.
    pub padding: u64,
}

/// The position of every degree of freedom, row and segment.
///
/// Texels are `[column, row]`, counted from 0. "Degree of freedom" is the paper's name for every
/// stored value, whether it has a row (an unknown) or not (a prescribed value).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Width and height of a rectangle in texels.
    pub rectangle: [u32; 2],
    /// Columns and rows of the grid of rectangles.
    pub slots: [u32; 2],
    /// Width and height of the texture of x and of all that is laid out like it.
    pub size: Size,
    /// Width and height of the texture of segments.
    pub segment_size: Size,
    /// Groups to draw, longest rows first.
    pub groups: Vec<Group>,
    /// Degrees of freedom in the order in which they fill the slots: rows by decreasing length
    /// (equal ones in their given order), then prescribed values.
    pub order: Vec<u32>,
    /// Off-diagonal entries of each degree of freedom's row; none for a prescribed value.
    pub row_lengths: Vec<Option<u32>>,
    /// Texel of each degree of freedom.
    pub texel: Vec<[u32; 2]>,
    /// First texel of the segment of each degree of freedom; undefined for prescribed values and
    /// for rows of padded length zero.
    pub segment: Vec<[u32; 2]>,
    /// Texel of the constant zero.
    pub zero: [u32; 2],
    /// Drawn texels without a degree of freedom, all at the end of the last drawn rectangle. Their
    /// x is zero, their diagonal entry one, and their segment all padding, so that y is zero too.
    pub dummies: Vec<[u32; 2]>,
    /// First texel of the segment that all dummy rows share.
    pub dummy_segment: [u32; 2],
}

impl Packing {
    /// Packs one degree of freedom for each element of `row_lengths`: with `Some(k)` it has a row
    /// of k off-diagonal entries, with `None` it is a prescribed value.
    pub fn new(row_lengths: &[Option<u32>], options: &PackingOptions) -> Result<Packing, Error> {
        let limit = options.texture_limit.min(LARGEST_TEXTURE);
        let rectangle = options.rectangle;
        if !rectangle.iter().all(|side| (1..=limit).contains(side)) {
            return Err(Error::Rectangle { rectangle, limit });
        }
        let longest_pass = options.longest_pass.min(limit);
        if longest_pass == 0 {
            return Err(Error::LongestPass);
        }
        let values = row_lengths.len();
        let area = rectangle[0] as usize * rectangle[1] as usize;
        let rows = row_lengths.iter().flatten().count();
        let drawn = rows.div_ceil(area);
        // One texel more than there are prescribed values: the zero.
        let used = drawn + (values - rows + 1).div_ceil(area);
        let slots =
            slot_grid(used, rectangle, limit).ok_or(Error::Vector { values, rectangle, limit })?;
        let mut packing = Packing {
            rectangle,
            slots,
            size: (slots[0] * rectangle[0], slots[1] * rectangle[1]),
            segment_size: (1, 1),
            groups: Vec::new(),
            order: fill_order(row_lengths),
            row_lengths: row_lengths.to_vec(),
            texel: vec![[0, 0]; values],
            segment: vec![[0, 0]; values],
            zero: [0, 0],
            dummies: Vec::new(),
            dummy_segment: [0, 0],
        };
        packing.place_values(rows, drawn * area);
        packing.form_groups(rows, longest_pass);
        packing.place_segments(limit)?;
        Ok(packing)
    }

    /// Assigns a texel to every degree of freedom: rows from position 0 on, prescribed values from position
    /// `undrawn` on, then the zero.
    fn place_values(&mut self, rows: usize, undrawn: usize) {
        let places = (0..rows).chain(undrawn..);
        for (&dof, place) in self.order.iter().zip(places) {
            self.texel[dof as usize] = self.place(place);
        }
        self.zero = self.place(undrawn + self.order.len() - rows);
        self.dummies = (rows..undrawn).map(|place| self.place(place)).collect();
    }

    /// Lower left texel of a slot.
    fn origin(&self, slot: usize) -> [u32; 2] {
        let columns = self.slots[0] as usize;
        [(slot % columns) as u32 * self.rectangle[0], (slot / columns) as u32 * self.rectangle[1]]
    }

    /// The texel at this position in the order of filling.
    fn place(&self, place: usize) -> [u32; 2] {
        let width = self.rectangle[0] as usize;
        let area = width * self.rectangle[1] as usize;
        let origin = self.origin(place / area);
        let within = place % area;
        [origin[0] + (within % width) as u32, origin[1] + (within / width) as u32]
    }

    /// Chooses one program per rectangle; consecutive rectangles with the same program form a group.
    fn form_groups(&mut self, rows: usize, longest_pass: u32) {
        let area = self.rectangle[0] as usize * self.rectangle[1] as usize;
        for slot in 0..rows.div_ceil(area) {
            let mut start = slot * area;
            for rect in self.parts(slot, rows, longest_pass) {
                // §3.2.2: R_j takes P_k, where k is the length of its longest row: its first.
                let longest = self.length_at(start, rows);
                let end = start + rect.area() as usize;
                let of_rows = rows.min(start)..rows.min(end);
                start = end;
                match self.groups.last_mut() {
                    Some(group) if group.row_length == longest => {
                        group.rows.end = of_rows.end;
                        group.rects.push(rect);
                    }
                    _ => (self.groups).push(Group::new(longest, longest_pass, of_rows, rect)),
                }
            }
        }
    }

    /// The rectangles as which a slot is drawn, in the order of filling: the whole slot, unless its longest row
    /// takes several passes, through which much shorter rows would go too. Such a row shares a
    /// rectangle only with rows of at least half its length in its line of texels.
    fn parts(&self, slot: usize, rows: usize, longest_pass: u32) -> Vec<Rect> {
        let [width, height] = self.rectangle.map(|side| side as usize);
        let (first, [x, y]) = (slot * width * height, self.origin(slot));
        let last = first + width * height - 1;
        let mut parts = Vec::new();
        let mut place = 0;
        while place < width * height {
            let (column, line) = (place % width, place / width);
            let longest = self.length_at(first + place, rows);
            let fits =
                |place| longest <= longest_pass || self.length_at(place, rows) >= longest / 2;
            let (across, down) = match column {
                0 if fits(last) => (width, height - line),
                _ => {
                    let rest = first + place..first + (line + 1) * width;
                    (rest.take_while(|&place| fits(place)).count(), 1)
                }
            };
            let corner = [x + column as u32, y + line as u32];
            parts.push(Rect::at(corner, (across as u32, down as u32)));
            place += across * down;
        }
        parts
    }

    /// Entries of the row at a position; zero if there is no row.
    fn length_at(&self, place: usize, rows: usize) -> u32 {
        if place < rows { self.row_lengths[self.order[place] as usize].unwrap_or(0) } else { 0 }
    }

    /// Chooses the size of the texture of segments, nearly square, and places them.
    fn place_segments(&mut self, limit: u32) -> Result<(), Error> {
        let padded = self.padded_entries();
        let longest = self.groups.iter().map(|group| group.pass_length).max();
        let near_square = (padded as f64).sqrt().ceil() as u64;
        let wide_enough = near_square.max(u64::from(longest.unwrap_or(0)));
        let width = wide_enough.max(1).next_multiple_of(SEGMENT_WIDTH_STEP);
        let width = width.min(u64::from(limit)) as u32;
        // The gaps at the ends of lines may make the texture too high where a wider one fits.
        if (self.shelve(width, limit).or_else(|| self.shelve(limit, limit))).is_some() {
            return Ok(());
        }
        let lengths = || self.row_lengths.iter().flatten();
        Err(Error::Segments {
            entries: lengths().map(|&length| u64::from(length)).sum(),
            padded,
            longest: lengths().max().copied().unwrap_or(0),
            limit,
        })
    }

    /// Places all segments in lines of `width` texels; returns none if that takes more than `limit` lines.
    fn shelve(&mut self, width: u32, limit: u32) -> Option<()> {
        let mut shelf = Shelf { width, limit, next: [0, 0], height: 0 };
        for group in self.groups.iter().filter(|group| group.row_length > 0) {
            for dof in self.raster_order(group) {
                self.segment[dof as usize] = shelf.place(group)?;
            }
        }
        if let Some(group) = self.dummy_group() {
            self.dummy_segment = shelf.place(group)?;
        }
        self.segment_size = (width, (shelf.next[1] + shelf.height).max(1));
        Some(())
    }

    /// The rows of a group in the order in which a rasteriser reaches their texels, as far as this can be
    /// known: block by block, in blocks of any power of two (Z-order). Segments are stored in this
    /// order, so that fragments which run together read texels close together.
    fn raster_order(&self, group: &Group) -> Vec<u32> {
        let mut rows = self.order[group.rows.clone()].to_vec();
        rows.sort_by_cached_key(|&dof| z_order(self.texel[dof as usize]));
        rows
    }

    /// The group of the dummy rows, if there are any and they have a segment.
    pub fn dummy_group(&self) -> Option<&Group> {
        let last = self.groups.iter().rfind(|group| !group.rows.is_empty())?;
        (!self.dummies.is_empty() && last.row_length > 0).then_some(last)
    }

    /// Entries of all segments, padding included.
    fn padded_entries(&self) -> u64 {
        let dummies = self.dummy_group().map_or(0, Group::padded_length);
        self.groups.iter().fold(dummies, |sum, group| {
            let rows = group.rows.len() as u64;
            sum.saturating_add(group.padded_length().saturating_mul(rows))
        })
    }

    /// Number of degrees of freedom.
    pub fn values(&self) -> usize {
        self.texel.len()
    }

    /// Texels of the vector texture.
    pub fn area(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize
    }

    /// Texels of the segment texture.
    pub fn segment_area(&self) -> usize {
        self.segment_size.0 as usize * self.segment_size.1 as usize
    }

    /// Index of a texel of the vector texture in its image, which is stored line by line.
    pub fn index(&self, [column, row]: [u32; 2]) -> usize {
        row as usize * self.size.0 as usize + column as usize
    }

    /// Index of a texel of the segment texture in its image, which is stored line by line.
    pub fn segment_index(&self, [column, row]: [u32; 2]) -> usize {
        row as usize * self.segment_size.0 as usize + column as usize
    }

    /// Index of entry `c` of a row of this group in the image of the segment texture.
    pub fn entry_index(&self, row: usize, group: &Group, c: u32) -> usize {
        self.segment_index(group.entry(self.segment[row], c))
    }

    /// Rows with their group: (degree of freedom, group), in fill order.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &Group)> {
        self.groups.iter().flat_map(|group| {
            let dofs = &self.order[group.rows.clone()];
            dofs.iter().map(move |&dof| (dof as usize, group))
        })
    }

    /// The image of a vector: `values[i]` at the texel of degree of freedom i, zero elsewhere.
    ///
    /// # Panics
    /// If `values` does not have one element per degree of freedom.
    pub fn scatter<T: Copy + Default>(&self, values: &[T]) -> Vec<T> {
        assert_eq!(values.len(), self.values(), "one value per degree of freedom");
        let mut image = vec![T::default(); self.area()];
        for (&texel, &value) in self.texel.iter().zip(values) {
            image[self.index(texel)] = value;
        }
        image
    }

    /// The vector in a texture's image: the inverse of [`scatter`](Self::scatter).
    ///
    /// # Panics
    /// If the image does not have the size of the vector texture.
    pub fn gather<T: Copy>(&self, image: &[T]) -> Vec<T> {
        assert_eq!(image.len(), self.area(), "one element per texel");
        let read = |&texel| image[self.index(texel)];
        self.texel.iter().map(read).collect()
    }

    /// The stream ℛ, laid out like x: the centre of the first texel of each row's segment, of the
    /// shared segment for dummy rows, and zeros in texels that are not drawn.
    pub fn row_pointers(&self) -> Vec<[f32; 2]> {
        let mut image = vec![[0.0; 2]; self.area()];
        for (dof, _) in self.rows() {
            image[self.index(self.texel[dof])] = centre(self.segment[dof]);
        }
        for &dummy in &self.dummies {
            image[self.index(dummy)] = centre(self.dummy_segment);
        }
        image
    }

    /// The drawn rectangles in graphics memory.
    pub fn upload_groups(&self, machine: &Machine) -> Result<RowGroups, StreamError> {
        let groups = self.groups.iter();
        RowGroups::new(
            machine,
            groups.map(|group| (group.rects.clone(), group.passes, group.pass_length)),
        )
    }

    /// Counts used and unused texels.
    pub fn counts(&self) -> PackingCounts {
        let lengths = || self.row_lengths.iter().flatten();
        let entries = lengths().map(|&length| u64::from(length)).sum();
        PackingCounts {
            rows: lengths().count(),
            unused_texels: self.area() - self.values() - 1,
            entries,
            padding: self.padded_entries() - entries,
        }
    }
}

/// Position of a texel in Z-order: the bits of its column and row, interleaved.
fn z_order([column, row]: [u32; 2]) -> u64 {
    let spread =
        |side: u32| (0..32).fold(0, |bits, bit| bits | u64::from(side >> bit & 1) << (2 * bit));
    spread(column) | spread(row) << 1
}

/// The best grid (columns s, rows t) for `count` rectangles, or none if no such grid fits in a
/// texture of `limit` × `limit` texels.
///
/// Section 3.2.2 computes it off-line and looks it up; the search is short enough to be done
/// when needed. *Best*, among grids without an empty row: of the textures at most twice as long as
/// wide, the one with the fewest unused slots, since reductions and vector operations run over all
/// texels; among equals, the most nearly square. If no texture is that compact, only the
/// number of unused slots decides.
pub fn slot_grid(count: usize, rectangle: [u32; 2], limit: u32) -> Option<[u32; 2]> {
    let [width, height] = rectangle.map(|side| side as usize);
    let most = |side| limit as usize / side;
    let candidates = (1..=most(width).min(count.max(1))).filter_map(|columns| {
        let rows = count.max(1).div_ceil(columns);
        (rows <= most(height)).then_some([columns, rows])
    });
    let best = candidates.min_by_key(|&[columns, rows]| {
        let sides = [columns * width, rows * height];
        let longer = sides[0].max(sides[1]);
        let shorter = sides[0].min(sides[1]);
        (longer > 2 * shorter, columns * rows, longer)
    });
    best.map(|grid| grid.map(|side| side as u32))
}

/// Rows by decreasing length, equal ones in their given order, then prescribed values.
pub(crate) fn fill_order(row_lengths: &[Option<u32>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..row_lengths.len() as u32).collect();
    // §3.2.2: k = n − 1, …, 0. None is less than every Some.
    order.order_by_key(|&dof| Reverse(row_lengths[dof as usize]));
    order
}

/// The line (or, for rows of several passes, the band of lines) that is being filled.
struct Shelf {
    width: u32,
    limit: u32,
    next: [u32; 2],
    height: u32,
}

impl Shelf {
    /// The start of a new segment of `group`, or none if it does not fit.
    fn place(&mut self, group: &Group) -> Option<[u32; 2]> {
        let [x, y] = self.next;
        // Bands of one height only, so that there is no gap below a short segment.
        if group.passes != self.height || group.pass_length > self.width - x {
            self.next = [0, y + self.height];
            self.height = group.passes;
        }
        let start = self.next;
        let fits = group.pass_length <= self.width && group.passes <= self.limit - start[1];
        self.next[0] += group.pass_length;
        fits.then_some(start)
    }
}

//! An ELLPACK matrix in textures: entry k of all rows is a tile, and tiles are side by side.

use crate::base::parallel::each;
use crate::solver::Csr;
use crate::solver::scaling::pair;
use crate::stream::{
    Format, Layout, Machine, Part, Pass, Rects, Size, Stream, StreamError, source,
};

use super::ellpack::{EllpackLayout, Entries, RowFormat};

const PACKED: Part = source!(part "geveler2011/storage/packed");
const APART: Part = source!(part "geveler2011/storage/apart");
const TILES: Part = source!(part "geveler2011/storage/tiles");
const ROW: Part = source!(part "geveler2011/storage/row");
const ROW_R: Part = source!(part "geveler2011/storage/row_r");

/// A matrix in the form that programs fetch: high and low part of an entry, and the position of its x.
///
/// Any matrix in any numbering. One storage serves all precisions: single precision reads only the high
/// parts.
pub struct EllpackStorage {
    layout: EllpackLayout,
    /// Textures that programs read, by name.
    streams: Vec<(&'static str, Stream)>,
    /// Columns and rows of a tile, which is laid out like y.
    tile: [f32; 2],
    /// Columns of a line of tiles.
    line_end: f32,
    /// The rectangles rasterised for a product.
    pub rects: Rects,
    /// MaxRowSize: entries of the longest row.
    pub row_length: usize,
    /// Σ rl: number of entries without padding.
    pub entries: usize,
}

impl EllpackStorage {
    /// Uploads a matrix. Vectors are laid out in squares, one entry per texel.
    pub fn new(
        machine: &Machine,
        matrix: &Csr<f64>,
        layout: EllpackLayout,
    ) -> Result<Self, StreamError> {
        let y = Layout::square(matrix.rows(), Format::R32F)?;
        let x = Layout::square(matrix.columns(), Format::R32F)?;
        let lengths = (0..matrix.rows()).map(|row| matrix.row_length(row));
        // §3.1: MaxRowSize = max rl_i. A row without entries still has one, which is zero.
        let row_length = lengths.clone().max().unwrap_or(0).max(1);
        let tiles = Tiles::new(machine, row_length, y.size())?;
        let upload = |name, format, data: &[f32]| {
            let stream = Stream::from_data(machine, name, tiles.size(), format, data)?;
            Ok::<_, StreamError>((name, stream))
        };
        let mut streams = match layout.entries {
            Entries::Packed => {
                let texels = tiles.texels(matrix, |value, column| {
                    let ([high, low], [px, py]) = (pair(value), x.centre(column));
                    [high, low, px, py]
                });
                vec![upload("matrix", Format::Rgba32F, texels.as_flattened())?]
            }
            Entries::Apart => {
                let values = tiles.texels(matrix, |value, _| pair(value));
                let columns = tiles.texels(matrix, |_, column| x.centre(column));
                vec![
                    upload("values", Format::Rg32F, values.as_flattened())?,
                    upload("columns", Format::Rg32F, columns.as_flattened())?,
                ]
            }
        };
        if layout.rows == RowFormat::EllpackR {
            let lengths: Vec<f32> = lengths.map(|length| length as f32).collect();
            let name = "row_lengths";
            streams.push((name, Stream::from_entries(machine, name, y, &lengths)?));
        }
        Ok(Self {
            layout,
            streams,
            tile: [tiles.width as f32, tiles.height as f32],
            line_end: tiles.size().0 as f32,
            rects: machine.rects(&y.rectangles())?,
            row_length,
            entries: matrix.entries(),
        })
    }

    /// Columns and rows of the texture of entries, for this number of rows and this largest number of entries;
    /// on any driver.
    pub fn texture_size(rows: usize, row_length: usize) -> Result<[u64; 2], StreamError> {
        let (width, height) = Layout::square(rows, Format::R32F)?.size();
        let [across, down] = Tiles::grid(row_length.max(1), (width, height));
        Ok([u64::from(width) * across, u64::from(height) * down])
    }

    /// The part of a program that reads an entry.
    fn entry_part(&self) -> Part {
        match self.layout.entries {
            Entries::Packed => PACKED,
            Entries::Apart => APART,
        }
    }

    /// The parts of a program that multiplies a row.
    pub(super) fn row_parts(&self) -> [Part; 3] {
        let row = match self.layout.rows {
            RowFormat::Ellpack => ROW,
            RowFormat::EllpackR => ROW_R,
        };
        [self.entry_part(), TILES, row]
    }

    /// A pass that reads this matrix.
    pub(in crate::geveler2011) fn bind<'a>(&'a self, pass: Pass<'a>) -> Pass<'a> {
        let pass = self
            .streams
            .iter()
            .fold(pass, |pass, (name, stream)| pass.read_if_declared(name, stream))
            .set_if_declared("tile", self.tile)
            .set_if_declared("line_end", self.line_end);
        match self.layout.rows {
            RowFormat::Ellpack => pass,
            RowFormat::EllpackR => pass.iterations(self.entries as u64),
        }
    }
}

/// A grid of tiles, about square.
struct Tiles {
    /// Columns and rows of a tile.
    width: u32,
    height: u32,
    /// Tiles side by side, and lines of them.
    across: u32,
    down: u32,
}

impl Tiles {
    fn new(machine: &Machine, count: usize, (width, height): Size) -> Result<Self, StreamError> {
        let limit = machine.description().rectangle_limit;
        let [across, down] = Self::grid(count, (width, height));
        let [wide, high] = [u64::from(width) * across, u64::from(height) * down];
        if wide.max(high) > u64::from(limit) {
            return Err(StreamError::TooLarge {
                what: format!("a matrix of {count} entries per row"),
                width: wide,
                height: high,
                limit,
                remedy: "use fewer levels".into(),
            });
        }
        Ok(Self { width, height, across: across as u32, down: down as u32 })
    }

    /// Number of tiles side by side, and number of lines.
    fn grid(count: usize, (width, height): Size) -> [u64; 2] {
        let square = (count as f64 * f64::from(height) / f64::from(width)).sqrt();
        let across = (square.ceil() as usize).clamp(1, count);
        [across as u64, count.div_ceil(across) as u64]
    }

    /// Columns and rows of all tiles.
    fn size(&self) -> Size {
        (self.width * self.across, self.height * self.down)
    }

    /// The texels of all tiles, each computed from an entry and its column. Padding is zero, and points to
    /// the first entry.
    fn texels<const N: usize>(
        &self,
        matrix: &Csr<f64>,
        texel: impl Fn(f64, usize) -> [f32; N] + Sync,
    ) -> Vec<[f32; N]> {
        let [width, height, across] =
            [self.width, self.height, self.across].map(|side| side as usize);
        let (columns, rows) = self.size();
        let mut texels = vec![texel(0.0, 0); columns as usize * rows as usize];
        // The same line of every tile belongs to one thread, for which it is a sequence of rows.
        let mut lines: Vec<Vec<&mut [[f32; N]]>> = (0..height).map(|_| Vec::new()).collect();
        for (row, line) in texels.chunks_exact_mut(columns as usize).enumerate() {
            lines[row % height].push(line);
        }
        each(&mut lines, &|line, tiles| {
            let rows = line * width..((line + 1) * width).min(matrix.rows());
            for (column, row) in rows.enumerate() {
                for (k, (j, value)) in matrix.row(row).enumerate() {
                    // §3.1: A and j by columns: entry k of all rows in tile k
                    tiles[k / across][k % across * width + column] = texel(value, j);
                }
            }
        });
        texels
    }
}

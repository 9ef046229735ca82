//! An ELLPACK matrix in one texture: entry k of all rows is a tile, and tiles stand side by side.

use crate::solver::Csr;
use crate::stream::{Format, Layout, LayoutError, Machine, Pass, Rects, Stream, StreamError};

use super::ellpack::Ellpack;

/// A matrix as programs fetch it: high and low part of an entry, and the position of its x.
///
/// One storage serves all precisions: single precision reads the high parts alone.
pub struct EllpackStorage {
    stream: Stream,
    /// Columns and rows of a tile, which is laid out like y.
    tile: [f32; 2],
    /// Columns of a line of tiles.
    line_end: f32,
    rects: Rects,
    row_length: String,
    /// Σ rl: entries that are no padding.
    entries: usize,
}

impl EllpackStorage {
    /// Uploads a matrix. Vectors are laid out in squares, one entry a texel.
    ///
    /// # Errors
    /// A texture over the driver's limit; memory that is short.
    pub fn new(machine: &Machine, matrix: &Csr<f64>) -> Result<Self, StreamError> {
        let y = Layout::square(matrix.rows(), Format::R32F)?;
        let x = Layout::square(matrix.columns(), Format::R32F)?;
        let host = Ellpack::new(matrix);
        let (width, height) = y.size();
        // A row without entries still has one, which is zero.
        let tiles = host.width().max(1);
        let (across, down) = arrangement(machine, tiles, (width, height))?;
        let size = (width * across, height * down);
        let mut data = vec![0.0_f32; 4 * size.0 as usize * size.1 as usize];
        // What nothing points to points to the first entry.
        for record in data.chunks_exact_mut(4) {
            record[2..].copy_from_slice(&[0.5, 0.5]);
        }
        for k in 0..host.width() {
            let origin = [k as u32 % across * width, k as u32 / across * height];
            for row in 0..host.rows() {
                let at = k * host.rows() + row;
                let [column, line] = y.place(row).0;
                let texel =
                    (origin[1] + line) as usize * size.0 as usize + (origin[0] + column) as usize;
                let value = host.values[at];
                let pointer = x.centre(host.indices[at] as usize);
                let [high, low] = pair(value);
                data[4 * texel..][..4].copy_from_slice(&[high, low, pointer[0], pointer[1]]);
            }
        }
        Ok(Self {
            stream: Stream::from_data(machine, "matrix", size, Format::Rgba32F, &data)?,
            tile: [width as f32, height as f32],
            line_end: size.0 as f32,
            rects: machine.rects(&y.rectangles())?,
            row_length: format!("{tiles}.0"),
            entries: matrix.entries(),
        })
    }

    /// The define `ROW_LENGTH` of a program that runs over it.
    pub fn row_length(&self) -> &str {
        &self.row_length
    }

    /// What is rasterised for a product.
    pub fn rects(&self) -> &Rects {
        &self.rects
    }

    /// Entries that are no padding.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// The texture's bytes.
    pub fn bytes(&self) -> u64 {
        self.stream.bytes()
    }

    /// A pass that reads this matrix.
    pub fn bind<'a>(&'a self, pass: Pass<'a>) -> Pass<'a> {
        pass.read("matrix", &self.stream)
            .set("tile", self.tile)
            .set("line_end", self.line_end)
    }
}

/// A number as a sum of two floats, the larger one first.
pub fn pair(value: f64) -> [f32; 2] {
    let high = value as f32;
    [high, (value - f64::from(high)) as f32]
}

/// Tiles across and down, such that the texture is about square.
fn arrangement(
    machine: &Machine,
    tiles: usize,
    (width, height): (u32, u32),
) -> Result<(u32, u32), StreamError> {
    let limit = machine.context().description().rectangle_limit;
    let (width, height) = (u64::from(width), u64::from(height));
    let tiles = tiles as u64;
    let square = ((tiles * height) as f64 / width as f64).sqrt().ceil() as u64;
    let across = square.clamp(1, tiles);
    let down = tiles.div_ceil(across);
    if (width * across).max(height * down) > u64::from(limit) {
        return Err(StreamError::Layout(LayoutError::TooLarge {
            what: format!("a matrix of {tiles} entries a row"),
            width: width * across,
            height: height * down,
            limit,
            remedy: "use fewer levels".into(),
        }));
    }
    Ok((across as u32, down as u32))
}

//! A matrix in its layouts: every entry in the colour of its row, every pointer in that of the x to which it
//! refers.
//!
//! The uploaded matrix has the pattern of the given one, with the number of its row as the value of each entry,
//! so the textures themselves show the row of each texel.

use crate::base::error::BoxedError;
use crate::base::memory::in_words;
use crate::layouts::compare::products::{OPERANDS, bytes_allowed, footprint};
use crate::layouts::textures::{Observed, Texture, observe};
use crate::layouts::{Contents, Layout, Stored, Upload};
use crate::picture::colour::map::SEQUENTIAL;
use crate::picture::sheet::{Colour, blend};
use crate::solver::Csr;
use crate::stream::{Machine, Point};

use super::panel::{Legend, PADDING, Panel, Tile};

/// Meaning of the colours.
pub const LEGEND: Legend = Legend {
    text: "first to last row; entries have the colour of their row, pointers that of the x they refer to",
    colour: |x, _| SEQUENTIAL.at(x),
};

/// Side in pixels of the picture of a matrix itself, and of the smallest square for an entry.
const SIDE: usize = 390;
const ENTRY: usize = 3;

/// The matrix, and each layout that holds it.
pub fn panels(
    machine: &Machine,
    matrix: &Csr<f64>,
    layouts: &[Layout],
) -> Result<Vec<Panel>, BoxedError> {
    let by_row = numbered(matrix, |row, _| row)?;
    // A box's diagonals hold one half of a symmetric matrix, twice.
    let symmetric = numbered(matrix, usize::min)?;
    let mut panels = vec![spy(&by_row)];
    for &layout in layouts {
        let refusal = |matrix| footprint(machine, matrix, layout, bytes_allowed());
        let (mut numbered, mut refused) = (&by_row, refusal(&by_row)?.1);
        if refused.is_some() {
            (numbered, refused) = (&symmetric, refusal(&symmetric)?.1);
        }
        let (note, tiles) = match refused {
            Some(_) => ("does not hold it".to_owned(), Vec::new()),
            None => tiles(machine, numbered, layout)?,
        };
        panels.push(Panel::new(layout.name, vec![layout.source.to_owned(), note], tiles));
    }
    Ok(panels)
}

/// The pattern, with 1 + `number` of its row and column as the value of each entry.
fn numbered(matrix: &Csr<f64>, number: fn(usize, usize) -> usize) -> Result<Csr<f64>, BoxedError> {
    let entries = matrix.triplets().filter(|&(_, _, value)| value != 0.0);
    let entries = entries.map(|(row, column, _)| (row, column, (number(row, column) + 1) as f64));
    Ok(Csr::from_triplets(matrix.rows(), matrix.columns(), entries)?)
}

fn colour(row: usize, rows: usize) -> Colour {
    SEQUENTIAL.at(row as f64 / rows.saturating_sub(1).max(1) as f64)
}

/// The matrix itself, the first row at the top; squares for several entries are the darker, the fuller they are.
fn spy(matrix: &Csr<f64>) -> Panel {
    let n = matrix.rows();
    let side = n.min(SIDE / ENTRY);
    let mut counts = vec![(0_usize, 0); side * side];
    for (row, column, _) in matrix.triplets() {
        let (count, last) = &mut counts[row * side / n * side + column * side / n];
        (*count, *last) = (*count + 1, row);
    }
    let most = counts.iter().map(|&(count, _)| count).max().unwrap_or(0).max(1);
    let tile = Tile::new((side as u32, side as u32), 1, |x, y, _| {
        match counts[y as usize * side + x as usize] {
            (0, _) => [255; 3],
            (count, row) => {
                // By the logarithm: a diagonal and a few scattered entries are both seen.
                let share = (1.0 + count as f64).ln() / (1.0 + most as f64).ln();
                blend([255; 3], colour(row, n), 0.25 + 0.75 * share)
            }
        }
    });
    let notes = vec![format!("{n} rows"), format!("{} entries", matrix.entries())];
    Panel::new("the matrix", notes, vec![tile]).at_scale((SIDE / side.max(1)) as f64)
}

/// Bytes and padding of a matrix in a layout, with its textures.
fn tiles(
    machine: &Machine,
    matrix: &Csr<f64>,
    layout: Layout,
) -> Result<(String, Vec<Tile>), BoxedError> {
    let stored = (layout.store)(machine, matrix, &Upload::default())?;
    let (x, mut y) = (stored.space.zeros()?, stored.space.zeros()?);
    let seen = observe(machine, &OPERANDS, true, || stored.multiply(&x, &mut y))?;
    let share = 100.0 * layout.padding(&seen, matrix.entries()).unwrap_or_default();
    let note = format!("{}, {share:.0} % padding", in_words(seen.bytes()));
    let painter = Painter::new(&stored, matrix.rows());
    let tile = |texture: &Texture| {
        let role = layout.role(&texture.name);
        let contents = role.map_or(Contents::Values(1), |role| role.contents);
        painter.tile(texture, contents).labelled(role.map_or("", |role| role.words))
    };
    let mut tiles: Vec<Tile> = seen.data.iter().map(tile).collect();
    tiles.extend(painter.vertices(&seen));
    Ok((note, tiles))
}

/// Colours of the contents of textures.
struct Painter {
    rows: usize,
    /// Columns of a vector's texture, and the row whose x is at each of its positions.
    width: usize,
    row_at: Vec<Option<usize>>,
    channels: usize,
}

impl Painter {
    fn new(stored: &Stored, rows: usize) -> Self {
        let layout = stored.space.layout();
        let width = layout.size().0 as usize;
        let mut row_at = vec![None; layout.capacity()];
        for row in 0..rows {
            row_at[stored.place(row)] = Some(row);
        }
        let channels = layout.channels();
        Self { rows, width, row_at, channels }
    }

    fn colour(&self, row: Option<usize>) -> Colour {
        row.filter(|&row| row < self.rows).map_or(PADDING, |row| colour(row, self.rows))
    }

    /// The colour of an entry by its number.
    fn numbered(&self, value: f32) -> Colour {
        self.colour((value as usize).checked_sub(1))
    }

    /// The colour of the x at a position of a vector's texture.
    fn at(&self, column: usize, row: usize, channel: usize) -> Colour {
        let place = (row * self.width + column) * self.channels + channel;
        self.colour(self.row_at.get(place).copied().flatten())
    }

    fn tile(&self, texture: &Texture, contents: Contents) -> Tile {
        let size = (texture.width as u32, texture.height as u32);
        let channels = texture.format.channels();
        let record = |x: u32, y: u32| {
            let first = (y as usize * size.0 as usize + x as usize) * channels;
            &texture.contents[first..first + channels]
        };
        match contents {
            Contents::Values(entries) => Tile::new(size, entries as u32, |x, y, entry| {
                self.numbered(record(x, y)[entry as usize])
            }),
            // Batty's diagonals hold one half of a symmetric matrix twice, so the number may be that of the
            // other row; the entry's position decides.
            Contents::AtRows(texels) => Tile::new(size, channels as u32, |x, y, entry| {
                if record(x, y)[entry as usize] == 0.0 {
                    PADDING
                } else {
                    self.at(x as usize / texels, y as usize, entry as usize)
                }
            }),
            // Those of padding refer to a position without an x, as do those of missing rows.
            Contents::Pointers => Tile::new(size, 1, |x, y, _| {
                let place = record(x, y);
                self.at(place[0] as usize, place[1] as usize, 0)
            }),
            Contents::OfRows => Tile::new(size, 1, |x, y, _| self.at(x as usize, y as usize, 0)),
        }
    }

    /// The vertices of each draw, in sequence, in lines of one length.
    fn vertices(&self, seen: &Observed) -> Option<Tile> {
        let draws = &seen.points;
        let count: usize = draws.iter().map(Vec::len).sum();
        let width = (count as f64).sqrt().ceil() as usize;
        let lines: Vec<&[Point]> =
            draws.iter().flat_map(|draw| draw.chunks(width.max(1))).collect();
        let height = lines.len() as u32;
        (count > 0).then(|| {
            Tile::new((width as u32, height), 1, |x, y, _| {
                let line = lines[y as usize];
                line.get(x as usize).map_or([255; 3], |point| self.numbered(point.value))
            })
            .labelled("vertices")
        })
    }
}

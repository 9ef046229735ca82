//! A matrix in its layouts: every entry in the colour of its row, every pointer in that of the x to which it
//! refers.
//!
//! The uploaded matrix has the pattern of the given one, with the number of its row as the value of each entry,
//! so the textures themselves show the row of each texel.

use std::collections::HashMap;

use crate::layouts::compare::products::{OPERANDS, bytes_allowed, planned};
use crate::layouts::textures::{Observed, Texture, observe};
use crate::layouts::{Layout, Stored, Upload};
use crate::memory::in_words;
use crate::picture::colour::map::SEQUENTIAL;
use crate::picture::sheet::Colour;
use crate::solver::Csr;
use crate::stream::{Format, Machine, Point};
use crate::timing::TimingError;

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
///
/// # Errors
/// Errors of the machine.
pub fn panels(
    machine: &Machine,
    matrix: &Csr<f64>,
    layouts: &[Layout],
) -> Result<Vec<Panel>, TimingError> {
    let by_row = numbered(matrix, |row, _| row)?;
    // A box's diagonals hold one half of a symmetric matrix, twice.
    let symmetric = numbered(matrix, usize::min)?;
    let mut panels = vec![spy(&by_row)];
    for &layout in layouts {
        let plan = |matrix| planned(machine, matrix, layout, bytes_allowed());
        let (mut numbered, mut plan_of) = (&by_row, plan(&by_row)?);
        if plan_of.1.is_some() {
            (numbered, plan_of) = (&symmetric, plan(&symmetric)?);
        }
        let (memory, refused) = plan_of;
        let share = 100.0 * memory.padding.unwrap_or_default();
        let (note, tiles) = match refused {
            Some(_) => ("does not hold it".to_owned(), Vec::new()),
            None => (
                format!("{}, {share:.0} % padding", in_words(memory.bytes)),
                tiles(machine, numbered, layout)?,
            ),
        };
        let label = layout.label();
        let notes = vec![label.source.to_owned(), note];
        panels.push(Panel::new(label.name, notes, tiles));
    }
    Ok(panels)
}

/// The pattern, with 1 + `number` of its row and column as the value of each entry.
fn numbered(matrix: &Csr<f64>, number: fn(usize, usize) -> usize) -> Result<Csr<f64>, TimingError> {
    let entries = matrix.triplets().filter(|&(_, _, value)| value != 0.0);
    let entries = entries.map(|(row, column, _)| (row, column, (number(row, column) + 1) as f64));
    Ok(Csr::from_triplets(matrix.rows(), matrix.columns(), entries)?)
}

/// The colour of a row.
fn colour(row: usize, rows: usize) -> Colour {
    SEQUENTIAL.at(row as f64 / rows.saturating_sub(1).max(1) as f64)
}

/// The matrix itself, the first row at the top.
fn spy(matrix: &Csr<f64>) -> Panel {
    let n = matrix.rows();
    let side = n.min(SIDE / ENTRY);
    let mut entries = HashMap::new();
    for (row, column, _) in matrix.triplets() {
        entries.insert((column * side / n, row * side / n), row);
    }
    let tile = Tile::new((side as u32, side as u32), 1, |x, y, _| {
        match entries.get(&(x as usize, y as usize)) {
            Some(&row) => colour(row, n),
            None => [255; 3],
        }
    });
    let notes = vec![format!("{n} rows"), format!("{} entries", matrix.entries())];
    Panel::new("the matrix", notes, vec![tile]).at_scale((SIDE / side.max(1)) as f64)
}

fn tiles(machine: &Machine, matrix: &Csr<f64>, layout: Layout) -> Result<Vec<Tile>, TimingError> {
    let stored = layout.upload(machine, matrix, &Upload::default())?;
    let (x, mut y) = (stored.space.zeros()?, stored.space.zeros()?);
    let seen = observe(machine, &OPERANDS, true, || stored.multiply(&x, &mut y))?;
    let painter = Painter::new(&stored, matrix.rows());
    let mut tiles: Vec<Tile> = seen
        .data
        .iter()
        .map(|texture| painter.tile(texture).labelled(contents(&texture.name)))
        .collect();
    tiles.extend(painter.vertices(&seen));
    Ok(tiles)
}

/// The contents of a texture with this name.
fn contents(name: &str) -> &'static str {
    match name {
        "row pointers" => "row pointers",
        "column pointers" => "column pointers",
        "diagonal" => "values on the diagonal",
        "off-diagonal" => "values off the diagonal",
        "matrix" => "values, each with its column pointer",
        "row_lengths" => "row lengths",
        "columns" => "columns",
        "mat" => "seven diagonals",
        _ => "diagonals",
    }
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

    fn tile(&self, texture: &Texture) -> Tile {
        let (width, height) = (texture.width as u32, texture.height as u32);
        let channels = texture.format.channels();
        let record = |x: u32, y: u32| {
            let first = (y as usize * width as usize + x as usize) * channels;
            &texture.contents[first..first + channels]
        };
        match (texture.format, texture.name.as_str()) {
            // Pointers. Those of padding refer to a position without an x, as do those of missing rows.
            (Format::Rg32F, name) => {
                let to_x = name == "column pointers";
                Tile::new((width, height), 1, |x, y, _| {
                    if to_x {
                        let place = record(x, y);
                        self.at(place[0] as usize, place[1] as usize, 0)
                    } else {
                        // A pointer to a row's entries is at the position of the row's x.
                        self.at(x as usize, y as usize, 0)
                    }
                })
            }
            // An entry in two floats, and a pointer.
            (_, "matrix") => {
                Tile::new((width, height), 1, |x, y, _| self.numbered(record(x, y)[0]))
            }
            // Lengths of rows.
            (_, "row_lengths") => {
                Tile::new((width, height), 1, |x, y, _| self.at(x as usize, y as usize, 0))
            }
            // Drawn rows that are not part of the matrix also have a diagonal.
            (_, "diagonal") => Tile::new((width, height), 1, |x, y, _| {
                if record(x, y)[0] == 0.0 { PADDING } else { self.at(x as usize, y as usize, 0) }
            }),
            // Batty's diagonals hold one half of a symmetric matrix twice, so the number may be that of the
            // other row; the entry's position decides.
            (_, name) if name.starts_with("mat") => {
                let diagonals = if name == "mat" { 7 } else { 1 };
                Tile::new((width, height), 4, |x, y, entry| {
                    if record(x, y)[entry as usize] == 0.0 {
                        PADDING
                    } else {
                        self.at((x / diagonals) as usize, y as usize, entry as usize)
                    }
                })
            }
            _ => Tile::new((width, height), channels as u32, |x, y, entry| {
                self.numbered(record(x, y)[entry as usize])
            }),
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

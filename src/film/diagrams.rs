//! Diagrams for slides, as SVG: layouts are those of recorded films.

use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError};

use super::container::Film;
use super::error::FilmError;
use super::trace::Event;

/// Fills of texels, one per channel or kind.
const TINTS: [Colour; 5] = [
    [0xc9, 0xdc, 0xf2],
    [0xf7, 0xd9, 0xb0],
    [0xcf, 0xe8, 0xd5],
    [0xe6, 0xd3, 0xea],
    [0xd9, 0xd9, 0xd9],
];
const ACCENT: Colour = [0x0b, 0x4f, 0x9c];
const SIZE: (u32, u32) = (720, 360);
/// Height of text.
const TEXT: f64 = 17.0;

/// Place of a box: left, top, width and height.
type Place = [f64; 4];

/// Returns the diagrams with the names of their files, given the films of the course.
///
/// # Errors
/// [`FilmError::Run`] if a film that shows a layout is missing.
pub fn diagrams(films: &[Film]) -> Result<Vec<(&'static str, String)>, FilmError> {
    let reduced = passes(films, "reduction", "stream/")?;
    let rows = passes(films, "spmv", "bolz2003/sparse/spmv")?;
    let grids = passes(films, "one-surface", "goodnight2003/multigrid/original/smooth")?;
    let drawn = [
        ("pass", pass()),
        ("gather", gather()),
        ("pyramid", pyramid(&reduced)),
        ("quadrants", quadrants()),
        ("atlas", atlas(&grids)),
        ("rows", row_rectangles(&rows)),
    ];
    let drawn = drawn.into_iter().map(|(name, sheet)| {
        let sheet = sheet.map_err(|error| FilmError::Run(error.to_string()))?;
        Ok((name, sheet.svg()))
    });
    drawn.collect()
}

/// A pass of a film: the first number in its program's name, its first rectangle, and the target's size.
struct Drawn {
    number: Option<u32>,
    rectangle: [f64; 4],
    target: [u32; 2],
}

/// Largest side of a texture whose texels a slide shows.
const SIDE: u32 = 1024;

impl Drawn {
    /// Tests whether a slide shows its texels: the film may be somebody else's.
    fn is_small(&self) -> bool {
        let [x, y, columns, rows] = self.rectangle;
        let [width, height] = self.target;
        width.max(height) <= SIDE
            && x >= 0.0
            && y >= 0.0
            && (1.0..=width.into()).contains(&columns)
            && (1.0..=height.into()).contains(&rows)
    }
}

/// The passes of a film whose programs' names begin in this way.
fn passes(films: &[Film], name: &str, program: &str) -> Result<Vec<Drawn>, FilmError> {
    let missing =
        || FilmError::Run(format!("the diagrams show the scene {name}. Add a lesson with it."));
    let film = films.iter().find(|film| film.trace.name == name);
    let film = film.ok_or_else(missing)?;
    let (trace, floats) = (&film.trace, film.floats()?);
    let drawn = trace.events.iter().filter_map(|event| {
        let Event::Pass(pass) = event else {
            return None;
        };
        let call = &trace.calls[pass.call];
        let kernel = &trace.kernels[call.kernel].name;
        let rectangle = trace.extents[call.extent].rectangles?.of(&floats);
        let define = kernel.split_once('=').map(|(_, value)| value);
        Some(Drawn {
            number: define.and_then(|value| value.split('.').next()?.parse().ok()),
            rectangle: rectangle.first_chunk()?.map(f64::from),
            target: trace.streams[call.target].size,
        })
        .filter(|drawn| kernel.starts_with(program) && drawn.is_small())
    });
    let drawn: Vec<Drawn> = drawn.collect();
    if drawn.is_empty() { Err(missing()) } else { Ok(drawn) }
}

/// Draws what a pass is: streams, a program for each fragment of a rectangle, a target.
fn pass() -> Result<Sheet, SheetError> {
    let mut sheet = sheet("A pass: one program, run for every texel of a rectangle")?;
    for (at, name) in [(90.0, "stream x"), (220.0, "stream y")] {
        grid(&mut sheet, [30.0, at, 100.0, 100.0], [8, 8], |_, _| Some(TINTS[0]))?;
        label(&mut sheet, name, [80.0, at - 12.0])?;
    }
    grid(&mut sheet, [500.0, 120.0, 180.0, 180.0], [8, 8], |x, y| {
        ((1..7).contains(&x) && (2..7).contains(&y)).then_some(TINTS[1])
    })?;
    sheet.outline([522.5, 165.0], [657.5, 277.5], 3.0, INK)?;
    label(&mut sheet, "target z, rectangle drawn", [590.0, 105.0])?;
    sheet.fill([220.0, 160.0], [410.0, 250.0], TINTS[2]);
    sheet.outline([220.0, 160.0], [410.0, 250.0], 2.0, INK)?;
    label(&mut sheet, "fragment program", [315.0, 180.0])?;
    label(&mut sheet, "z = 2 x[here] + y[here]", [315.0, 207.0])?;
    label(&mut sheet, "writes one texel only", [315.0, 233.0])?;
    for (from, to) in [
        ([132.0, 140.0], [218.0, 190.0]),
        ([132.0, 270.0], [218.0, 220.0]),
        ([412.0, 205.0], [520.0, 205.0]),
    ] {
        arrow(&mut sheet, from, to)?;
    }
    label(&mut sheet, "the CPU chooses target, program, streams and rectangle", [360.0, 342.0])?;
    Ok(sheet)
}

/// Draws a five-point stencil as a gather: each fragment collects from its neighbours.
fn gather() -> Result<Sheet, SheetError> {
    let mut sheet = sheet("Gather: a fragment reads anywhere, and writes at its own position")?;
    let (centre, side) = ([3, 3], 36.0);
    let is_read = |x: u32, y: u32| x.abs_diff(centre[0]) + y.abs_diff(centre[1]) <= 1;
    let input = [60.0, 80.0, 7.0 * side, 7.0 * side];
    grid(&mut sheet, input, [7, 7], |x, y| is_read(x, y).then_some(TINTS[0]))?;
    grid(&mut sheet, [400.0, 80.0, 7.0 * side, 7.0 * side], [7, 7], |x, y| {
        ([x, y] == centre).then_some(TINTS[1])
    })?;
    let middle = |left: f64, [x, y]: [u32; 2]| {
        [left + side * (f64::from(x) + 0.5), 80.0 + side * (f64::from(y) + 0.5)]
    };
    for (x, y) in (0..7).flat_map(|x| (0..7).map(move |y| (x, y))) {
        if is_read(x, y) {
            let to = middle(400.0, centre);
            arrow(
                &mut sheet,
                middle(60.0, [x, y]),
                [to[0] - 0.4 * side, to[1] + 4.0 * (f64::from(y) - 3.0)],
            )?;
        }
    }
    label(&mut sheet, "input: five fetches", [186.0, 68.0])?;
    label(&mut sheet, "target: one result", [526.0, 68.0])?;
    Ok(sheet)
}

/// Draws a reduction of the film: a rectangle of half the width and height per pass.
fn pyramid(passes: &[Drawn]) -> Result<Sheet, SheetError> {
    let mut sheet = sheet("Reduction: each pass combines blocks of 2 × 2 texels")?;
    let sizes = passes.iter().map(|one| [one.rectangle[2], one.rectangle[3]]);
    let (side, mut left) = (9.0, 20.0);
    let first = [27.0, 19.0];
    let mut before = f64::INFINITY;
    for [width, height] in [first].into_iter().chain(sizes) {
        // The next sum begins with a larger rectangle.
        if width > before {
            break;
        }
        before = width;
        let top = 180.0 - height * side / 2.0;
        let columns = [width as u32, height as u32];
        grid(&mut sheet, [left, top, width * side, height * side], columns, |x, y| {
            Some(TINTS[((x / 2 + y / 2) % 2) as usize])
        })?;
        let name = format!("{width} × {height}");
        label(&mut sheet, &name, [left + (width * side / 2.0).max(20.0), top - 14.0])?;
        left += (width * side).max(40.0) + 24.0;
        if width > 1.0 {
            arrow(&mut sheet, [left - 20.0, 180.0], [left - 4.0, 180.0])?;
        }
    }
    label(
        &mut sheet,
        "odd edges: the block is filled up with the operator’s identity",
        [360.0, 320.0],
    )?;
    Ok(sheet)
}

/// Draws nine by nine nodes, and the texture that holds them in four channels, with a ring of copies.
fn quadrants() -> Result<Sheet, SheetError> {
    let mut sheet = sheet("Four quadrants in the channels of one texel, and a ring of copies")?;
    let (nodes, quadrant, side) = (9, 4, 26.0);
    let kind = |i: u32, j: u32| match (i == quadrant, j == quadrant) {
        (false, false) => (i / quadrant).min(1) + 2 * (j / quadrant).min(1),
        _ => 4,
    };
    grid(&mut sheet, [40.0, 80.0, 9.0 * side, 9.0 * side], [nodes, nodes], |i, j| {
        Some(TINTS[kind(i, nodes - 1 - j) as usize])
    })?;
    label(&mut sheet, "9 × 9 nodes, one per texel", [157.0, 66.0])?;
    // Texels from -1 to quadrant + 1: a node in the middle belongs to both quadrants.
    let (texels, wide) = (quadrant + 3, 44.0);
    let (left, top) = (380.0, 80.0 - 37.0);
    for (x, y) in (0..texels).flat_map(|x| (0..texels).map(move |y| (x, y))) {
        let (from, is_ring) = (
            [left + wide * f64::from(x), top + wide * f64::from(texels - 1 - y)],
            x == 0 || y == 0 || x == texels - 1 || y == texels - 1,
        );
        for (channel, tint) in (0..4).zip(TINTS) {
            let [right, up] = [channel % 2, channel / 2].map(f64::from);
            let [x, y] = [from[0] + right * wide / 2.0, from[1] + (1.0 - up) * wide / 2.0];
            if !is_ring {
                sheet.fill([x, y], [x + wide / 2.0, y + wide / 2.0], tint);
            }
        }
        sheet.outline(from, from.map(|c| c + wide), if is_ring { 0.7 } else { 1.5 }, QUIET)?;
    }
    for (text, at) in [("x", [0.0, 1.0]), ("y", [1.0, 1.0]), ("z", [0.0, 0.0]), ("w", [1.0, 0.0])] {
        let [column, row] = at.map(|c| c * wide / 2.0 + wide / 4.0);
        let from = [left + 3.0 * wide, top + 3.0 * wide];
        label(&mut sheet, text, [from[0] + column, from[1] + row])?;
    }
    label(&mut sheet, "grey: in all adjacent quadrants", [157.0, 334.0])?;
    label(&mut sheet, "white, on the right: the ring of copies", [157.0, 352.0])?;
    Ok(sheet)
}

/// Draws the grids of the film on their surface.
fn atlas(passes: &[Drawn]) -> Result<Sheet, SheetError> {
    let mut sheet = sheet("An atlas: all grids of a V-cycle on one surface")?;
    let [width, height] = passes[0].target.map(f64::from);
    let (side, left, top) = (8.2, 20.0, 62.0);
    sheet.outline([left, top], [left + width * side, top + height * side], 2.0, INK)?;
    let mut seen: Vec<[f64; 4]> = Vec::new();
    for &Drawn { rectangle, .. } in passes {
        if seen.contains(&rectangle) {
            continue;
        }
        let [x, y, columns, rows] = rectangle;
        let place =
            [left + x * side, top + (height - y - rows) * side, columns * side, rows * side];
        grid(&mut sheet, place, [columns as u32, rows as u32], |_, _| {
            Some(TINTS[seen.len() % TINTS.len()])
        })?;
        let at = 110.0 + 34.0 * seen.len() as f64;
        sheet.fill([470.0, at - 10.0], [490.0, at + 10.0], TINTS[seen.len() % TINTS.len()]);
        let name = format!("level {}: {columns} × {rows} nodes", seen.len());
        sheet.text(&name, [500.0, at], Align::Left, TEXT, INK)?;
        seen.push(rectangle);
    }
    Ok(sheet)
}

/// Draws the rectangles of rows with equal length that the film's first product draws.
fn row_rectangles(passes: &[Drawn]) -> Result<Sheet, SheetError> {
    let mut sheet = sheet("Rows of equal length share a rectangle, a program and a pass")?;
    let [width, height] = passes[0].target.map(f64::from);
    let (side, left, top) = (22.0, 20.0, 62.0);
    grid(&mut sheet, [left, top, width * side, height * side], passes[0].target, |_, _| None)?;
    for (number, one) in (0..passes.len() / 2).zip(passes) {
        let [x, y, columns, rows] = one.rectangle;
        let from = [left + x * side, top + (height - y - rows) * side];
        let place = [from[0], from[1], columns * side, rows * side];
        let tint = TINTS[number % TINTS.len()];
        grid(&mut sheet, place, [columns as u32, rows as u32], |_, _| Some(tint))?;
        let to = [from[0] + place[2], from[1] + place[3]];
        sheet.outline(from, to, 2.5, ACCENT)?;
        let at = 100.0 + 34.0 * number as f64;
        sheet.fill([400.0, at - 10.0], [420.0, at + 10.0], tint);
        let entries = one.number.unwrap_or_default();
        let name = format!("pass {}: rows with {entries} off-diagonal entries", number + 1);
        sheet.text(&name, [430.0, at], Align::Left, TEXT, INK)?;
    }
    Ok(sheet)
}

// ---- Pieces ----

fn sheet(title: &str) -> Result<Sheet, SheetError> {
    let mut sheet = Sheet::vector(SIZE.0, SIZE.1);
    sheet.text(title, [f64::from(SIZE.0) / 2.0, 24.0], Align::Centre, 20.0, INK)?;
    Ok(sheet)
}

fn label(sheet: &mut Sheet, text: &str, at: [f64; 2]) -> Result<(), SheetError> {
    sheet.text(text, at, Align::Centre, TEXT, INK)
}

/// Texels of a box, each with a fill or none, counted from the upper left.
fn grid(
    sheet: &mut Sheet,
    [left, top, width, height]: Place,
    [columns, rows]: [u32; 2],
    fill: impl Fn(u32, u32) -> Option<Colour>,
) -> Result<(), SheetError> {
    let x = |i: u32| left + width * f64::from(i) / f64::from(columns);
    let y = |j: u32| top + height * f64::from(j) / f64::from(rows);
    for j in 0..rows {
        // Texels of one colour side by side are one box.
        let mut start = 0;
        for i in 1..=columns {
            if i == columns || fill(i, j) != fill(start, j) {
                if let Some(colour) = fill(start, j) {
                    sheet.fill([x(start), y(j)], [x(i), y(j + 1)], colour);
                }
                start = i;
            }
        }
    }
    for i in 0..=columns {
        sheet.line(&[[x(i), top], [x(i), top + height]], 0.7, QUIET)?;
    }
    for j in 0..=rows {
        sheet.line(&[[left, y(j)], [left + width, y(j)]], 0.7, QUIET)?;
    }
    Ok(())
}

fn arrow(sheet: &mut Sheet, from: [f64; 2], to: [f64; 2]) -> Result<(), SheetError> {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    let (dx, dy) = (7.0 * dx / length, 7.0 * dy / length);
    let barb = |side: f64| [to[0] - dx - side * dy, to[1] - dy + side * dx];
    sheet.line(&[from, to], 1.5, ACCENT)?;
    sheet.line(&[barb(0.6), to, barb(-0.6)], 1.5, ACCENT)
}

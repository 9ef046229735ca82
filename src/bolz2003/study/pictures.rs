//! Pictures of rectangles and of packing (Bolz et al. 2003, section 3.2), and of the jet (Fig. 5).

use image::RgbImage;

use crate::base::error::BoxedError;
use crate::bolz2003::sparse::packing::Packing;
use crate::card::cost::{Nv30, Rectangle};
use crate::picture::colour::Stop;
use crate::picture::colour::map::SEQUENTIAL;
use crate::picture::colour::oklab::table;
use crate::picture::colour::srgb::srgb;
use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError, blend};
use crate::timing::interval::short;

const BELOW: Colour = [0xcf, 0xe3, 0xf1];
const ABOVE: Colour = [0xfb, 0xe6, 0xc8];
const TWICE: Colour = [0xd5, 0x5e, 0x00];

/// Tests whether the centre of a pixel is in the triangle above the diagonal.
fn is_above(rectangle: Rectangle, x: u32, y: u32) -> bool {
    (2 * x + 1) * rectangle.height < (2 * y + 1) * rectangle.width
}

/// Every tuple of the rectangle; those that both triangles touch are in a strong colour.
pub fn tuples(nv30: &Nv30, rectangle: Rectangle) -> Result<Vec<u8>, BoxedError> {
    let (width, height, side) = (rectangle.width, rectangle.height, nv30.tuple_side);
    let (scale, left, top) = (40.0, 50.0, 96.0);
    let mut sheet = Sheet::new(1140, 900);
    // Rows are counted from the bottom.
    let corner = |x: u32, y: u32| {
        let [right, down] = [x, height - y].map(|pixels| scale * f64::from(pixels));
        [left + right, top + down]
    };
    for y in (0..height).step_by(side as usize) {
        for x in (0..width).step_by(side as usize) {
            let pixels = (0..side * side).map(|k| (x + k % side, y + k / side));
            let above = pixels.clone().filter(|&(x, y)| is_above(rectangle, x, y));
            let (colour, dot) = match above.count() as u32 {
                0 => (BELOW, QUIET),
                n if n == side * side => (ABOVE, QUIET),
                _ => (TWICE, [255; 3]),
            };
            let ([x0, y0], [x1, y1]) = (corner(x, y + side), corner(x + side, y));
            sheet.fill([x0 + 1.5, y0 + 1.5], [x1 - 1.5, y1 - 1.5], colour);
            for (x, y) in pixels {
                let [x, y] = corner(x, y);
                sheet.disc([x + scale / 2.0, y - scale / 2.0], 2.5, dot)?;
            }
        }
    }
    sheet.line(&[corner(0, 0), corner(width, height)], 3.0, INK)?;
    let title = format!(
        "{width} × {height} pixels: {} tuples, {} of them twice, fill one batch of {}",
        rectangle.tuples.covered, rectangle.tuples.twice, nv30.tuples_per_batch
    );
    sheet.text(&title, [left, 48.0], Align::Left, 36.0, INK)?;
    let names = ["lower triangle", "upper triangle", "both: rasterised twice"];
    for (k, entry) in [BELOW, ABOVE, TWICE].into_iter().zip(names).enumerate() {
        explain(&mut sheet, [left + 300.0 * k as f64, 860.0], entry)?;
    }
    Ok(sheet.png()?)
}

/// Draws an entry of a legend: its colour, and its text to the right.
fn explain(sheet: &mut Sheet, [x, y]: [f64; 2], entry: (Colour, &str)) -> Result<(), SheetError> {
    sheet.fill([x, y - 15.0], [x + 30.0, y + 15.0], entry.0);
    sheet.text(entry.1, [x + 46.0, y], Align::Left, 26.0, INK)
}

/// Useful share of every rectangle up to some size, the best one marked, and the numbers as CSV.
pub fn waste(nv30: &Nv30, best: Rectangle) -> Result<(Vec<u8>, String), BoxedError> {
    const LARGEST: u32 = 64;
    let cell = 11.0;
    let (left, bottom) = (110.0, 816.0);
    let mut sheet = Sheet::new(980, 906);
    // The middle of a rectangle's cell.
    let middle = |w: u32, h: u32| {
        let [right, up] = [w, h].map(|side| cell * (f64::from(side) - 0.5));
        [left + right, bottom - up]
    };
    let side = cell * f64::from(LARGEST);
    sheet.shade([left, bottom - side], [left + side, bottom], |across, down| {
        let [w, h] = [across, 1.0 - down].map(|share| (share * f64::from(LARGEST)) as u32 + 1);
        SEQUENTIAL.at(1.0 - nv30.waste(w, h))
    });
    let [x, y] = middle(best.width, best.height);
    sheet.outline([x - 9.0, y - 9.0], [x + 9.0, y + 9.0], 3.0, INK)?;
    let name = format!("{}×{}", best.width, best.height);
    sheet.text(&name, [x + 22.0, y - 22.0], Align::Left, 30.0, INK)?;
    for tick in [1, 16, 32, 48, 64] {
        let ([x, y], tick) = (middle(tick, tick), tick.to_string());
        sheet.text(&tick, [x, bottom + 22.0], Align::Centre, 24.0, QUIET)?;
        sheet.text(&tick, [left - 12.0, y], Align::Right, 24.0, QUIET)?;
    }
    let title = "Useful share of the fragment stage, by size of the rectangle";
    sheet.text(title, [40.0, 40.0], Align::Left, 34.0, INK)?;
    let across = [left + cell * 32.0, bottom + 58.0];
    sheet.text("width (pixels)", across, Align::Centre, 26.0, QUIET)?;
    sheet.text("height", [40.0, 86.0], Align::Left, 26.0, QUIET)?;
    sheet.shade([850.0, bottom - 400.0], [880.0, bottom], |_, down| SEQUENTIAL.at(1.0 - down));
    for percent in [0, 50, 100] {
        let y = bottom - 4.0 * f64::from(percent);
        let text = format!("{percent} %");
        sheet.text(&text, [888.0, y - 2.0], Align::Left, 24.0, QUIET)?;
    }
    let mut csv = "width,height,useful\n".to_owned();
    for (w, h) in (1..=LARGEST).flat_map(|h| (1..=LARGEST).map(move |w| (w, h))) {
        csv += &format!("{w},{h},{:.4}\n", 1.0 - nv30.waste(w, h));
    }
    Ok((sheet.png()?, csv))
}

const UNUSED: Colour = [0xf4, 0xf4, 0xf2];
const KNOWN: Colour = [0x9a, 0xa0, 0xa8];
const DUMMY: Colour = [0xd8, 0xd8, 0xd4];
/// Colours of programs, by the length of their rows.
const PROGRAMS: [Colour; 8] = [
    [0xcc, 0x79, 0xa7],
    [0x7a, 0x4f, 0x9e],
    [0x00, 0x72, 0xb2],
    [0x56, 0xb4, 0xe9],
    [0x00, 0x9e, 0x73],
    [0xe6, 0x9f, 0x00],
    [0xd5, 0x5e, 0x00],
    [0x8c, 0x2d, 0x04],
];

/// Colour of padded rows.
fn pale(colour: Colour) -> Colour {
    blend(colour, [255; 3], 0.55)
}

/// Every texel of a vector's texture.
pub fn packing(packing: &Packing) -> Result<Vec<u8>, BoxedError> {
    let (width, height) = packing.size;
    let scale = (900.0 / f64::from(width.max(height))).floor().max(1.0);
    let (left, top) = (40.0, 84.0);
    let [right, bottom] = [left + scale * f64::from(width), top + scale * f64::from(height)];
    let mut sheet = Sheet::new(right as u32 + 330, (bottom as u32 + 40).max(620));
    let colour_of = |length: u32| PROGRAMS[length as usize % PROGRAMS.len()];
    let mut colours = vec![UNUSED; packing.area()];
    for &texel in &packing.texel {
        colours[packing.index(texel)] = KNOWN;
    }
    for (dof, group) in packing.rows() {
        let colour = colour_of(group.row_length);
        let is_full = packing.row_lengths[dof] == Some(group.row_length);
        let texel = packing.index(packing.texel[dof]);
        colours[texel] = if is_full { colour } else { pale(colour) };
    }
    for &dummy in &packing.dummies {
        colours[packing.index(dummy)] = DUMMY;
    }
    // Rows are counted from the bottom.
    sheet.shade([left, top], [right, bottom], |across, down| {
        let texel = [across * f64::from(width), (1.0 - down) * f64::from(height)];
        colours[packing.index(texel.map(|share| share as u32))]
    });
    let [x, y] = packing.zero.map(|share| scale * f64::from(share));
    let (x, y) = (left + x, bottom - y);
    sheet.fill([x - 3.0, y - scale - 3.0], [x + scale + 3.0, y + 3.0], [0; 3]);
    // The edges of the rectangles.
    let [across, up] = packing.rectangle.map(|side| scale * f64::from(side));
    for slot in 0..packing.slots[0] * packing.slots[1] {
        let [column, row] = [slot % packing.slots[0], slot / packing.slots[0]].map(f64::from);
        let [x, y] = [left + across * column, bottom - up * row];
        sheet.outline([x, y - up], [x + across, y], 1.5, [255; 3])?;
    }
    let values = packing.values();
    let title = format!("Positions of {values} vertices: {width} × {height} texels");
    sheet.text(&title, [left, 42.0], Align::Left, 34.0, INK)?;
    let x = right + 36.0;
    let heading = "entries per row: rectangles";
    sheet.text(heading, [x, top + 12.0], Align::Left, 26.0, QUIET)?;
    let programs = packing.groups.iter().rev().map(|group| {
        let text = format!("{}: {}", group.row_length, group.rects.len());
        (colour_of(group.row_length), text)
    });
    let others = [
        (pale(colour_of(6)), "shorter row, padded"),
        (KNOWN, "prescribed value"),
        (DUMMY, "no row, drawn"),
        ([0; 3], "the zero"),
        (UNUSED, "unused"),
    ];
    let others = others.map(|(colour, text)| (colour, text.to_owned()));
    for (k, (colour, text)) in programs.chain(others).enumerate() {
        explain(&mut sheet, [x, top + 56.0 + 44.0 * k as f64], (colour, &text))?;
    }
    Ok(sheet.png()?)
}

/// Colours, the ends of their range, and the quantity.
type Scale<'a> = (&'a [Stop], [f64; 2], &'a str);

/// Frames below each other, each below its name, and scales of their colours, as PNG.
pub fn film(frames: &[(String, RgbImage)], scales: [Scale<'_>; 2]) -> Result<Vec<u8>, SheetError> {
    const HEAD: u32 = 40;
    let (width, height) = frames.first().map_or((1, 1), |(_, frame)| frame.dimensions());
    let each = HEAD + height;
    let mut sheet = Sheet::new(width, frames.len() as u32 * each + 2 * HEAD);
    for (place, (name, frame)) in (0..).zip(frames) {
        let top = place * each;
        sheet.text(name, [12.0, f64::from(top + HEAD / 2)], Align::Left, 24.0, INK)?;
        sheet.paste(frame, [0, top + HEAD]);
    }
    let (top, half) = (f64::from(frames.len() as u32 * each), f64::from(width) / 2.0);
    for (place, (stops, [low, high], name)) in (0..).zip(scales) {
        let colours = table(stops, 256);
        let (left, right) = (half * f64::from(place) + 24.0, half * f64::from(place + 1) - 24.0);
        sheet.shade([left, top + 12.0], [right, top + 34.0], |x, _| {
            colours[(255.0 * x) as usize].map(srgb)
        });
        for (at, align, text) in [
            (left, Align::Left, short(low)),
            ((left + right) / 2.0, Align::Centre, name.to_owned()),
            (right, Align::Right, short(high)),
        ] {
            sheet.text(&text, [at, top + 56.0], align, 22.0, INK)?;
        }
    }
    sheet.png()
}

//! §3.2: how rows are packed into rectangles, and what padding costs.

use crate::bolz2003::sparse::flow::FlowLayout;
use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::{Packing, PackingOptions};
use crate::bolz2003::sparse::packing_check::{BrokenInvariant, check_packing, check_pointers};
use crate::claim::bundled;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::mesh::{Connectivity, TriangleMesh, generate};
use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, blend};
use crate::picture::table::table;
use crate::stream::Machine;

const CLAIM: Claim = Claim {
    id: "bolz2003/padding",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§3.2.2",
    statement: "Rows are laid out by decreasing length into identical rectangles, each run with the \
                least expensive program valid for all its rows; shorter rows are padded, and padding \
                points to one constant zero.",
    paper: "the least expensive program a rectangle, padding points to one zero",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/packing",
    section: "§3.2.2",
    title: "Rows packed into rectangles",
    claims: &[CLAIM],
    run,
};

/// A packing with the name of what is packed.
struct Packed {
    name: String,
    packing: Packing,
    broken: Option<BrokenInvariant>,
}

impl Packed {
    fn new(name: &str, packing: Packing, pointers: &[Vec<[f32; 2]>]) -> Self {
        let mut pointers = pointers.iter();
        let checked = check_packing(&packing)
            .and_then(|()| pointers.try_for_each(|stream| check_pointers(&packing, stream)));
        Self {
            name: name.to_owned(),
            broken: checked.err(),
            packing,
        }
    }
}

fn run(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let mut all = vec![
        pack_rings("scan", &input::scan()?)?,
        pack_rings("cube", &generate::cube(40))?,
        pack_rings("torus", &generate::torus(20_000, 1))?,
    ];
    for (name, file) in input::MATRICES {
        all.push(pack_rows(name, file)?);
    }
    let defects = all.iter().filter_map(|packed| {
        let broken = packed.broken.as_ref()?;
        Some(format!("{}: {broken}", packed.name))
    });
    let broken: Vec<String> = defects.collect();
    let scan = &all[0].packing;
    let counts = scan.counts();
    let measured = format!(
        "all invariants hold for {} inputs; scan: {} rectangles, {} programs, {:.1} % padding",
        all.len() - broken.len(),
        rectangles(scan),
        scan.groups.len(),
        percent(counts.padding, counts.entries + counts.padding),
    );
    let why = match broken.is_empty() {
        true => "Checked texel by texel: drawn rectangles do not overlap, each has the program of its \
                 longest row, segments share no texel, and all that is no entry points to the zero. Small \
                 matrices waste much, because a rectangle has 468 texels."
            .to_owned(),
        false => broken.join("; "),
    };
    let finding = CLAIM.judge(broken.is_empty(), measured, why);
    Ok(vec![
        finding
            .with_figure(
                "bolz2003/packing.png",
                format!(
                    "The texture of the scan's positions, {}×{} texels: {} rectangles of 26×18, each \
                     coloured by the length of its program, from the longest rows at the bottom on. Pale texels \
                     are rows shorter than their program, which are padded. Then follow the known \
                     values (boundary and unused vertices), and the one zero, black, that all padding \
                     points to.",
                    scan.size.0,
                    scan.size.1,
                    rectangles(scan)
                ),
                draw_texture(scan)?,
            )
            .with_figure(
                "bolz2003/packing-table.png",
                "What packing costs: rows, rectangles of 26×18 texels, programs, entries and the padding \
                 among them, and the texels of the vector's texture that hold nothing.",
                draw_table(&all)?,
            ),
    ])
}

fn pack_rings(name: &str, mesh: &TriangleMesh) -> Result<Packed, BoxedError> {
    let layout = FlowLayout::new(&Connectivity::new(mesh)?, &PackingOptions::default())?;
    Ok(Packed::new(name, layout.packing, &layout.pointers))
}

fn pack_rows(name: &str, file: &[u8]) -> Result<Packed, BoxedError> {
    let matrix = input::matrix(file)?;
    let (packing, [images]) = pack([&matrix], &PackingOptions::default())?;
    Ok(Packed::new(name, packing, &[images.column]))
}

/// Rectangles that are drawn.
fn rectangles(packing: &Packing) -> usize {
    packing.groups.iter().map(|group| group.rects.len()).sum()
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

const UNUSED: Colour = [0xf4, 0xf4, 0xf2];
const KNOWN: Colour = [0x9a, 0xa0, 0xa8];
const DUMMY: Colour = [0xd8, 0xd8, 0xd4];

/// The colour of the program for rows of `length` entries.
fn colour_of(length: u32) -> Colour {
    const PALETTE: [Colour; 8] = [
        [0xcc, 0x79, 0xa7],
        [0x7a, 0x4f, 0x9e],
        [0x00, 0x72, 0xb2],
        [0x56, 0xb4, 0xe9],
        [0x00, 0x9e, 0x73],
        [0xe6, 0x9f, 0x00],
        [0xd5, 0x5e, 0x00],
        [0x8c, 0x2d, 0x04],
    ];
    PALETTE[length as usize % PALETTE.len()]
}

/// The colour of rows that are padded.
fn pale(colour: Colour) -> Colour {
    blend(colour, [255; 3], 0.55)
}

/// Every texel of the vector's texture.
fn draw_texture(packing: &Packing) -> Result<Vec<u8>, BoxedError> {
    let (width, height) = packing.size;
    let scale = (900.0 / f64::from(width.max(height))).floor().max(1.0);
    let (left, top) = (40.0, 84.0);
    let [right, bottom] = [
        left + scale * f64::from(width),
        top + scale * f64::from(height),
    ];
    let mut sheet = Sheet::new(right as u32 + 330, (bottom as u32 + 40).max(620));
    let mut colours = vec![UNUSED; packing.area()];
    for &texel in &packing.texel {
        colours[packing.index(texel)] = KNOWN;
    }
    for (dof, group) in packing.rows() {
        let full = packing.row_lengths[dof] == Some(group.row_length);
        let colour = colour_of(group.row_length);
        let place = packing.index(packing.texel[dof]);
        colours[place] = if full { colour } else { pale(colour) };
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
    let (from, to) = (
        [left + x, bottom - y - scale],
        [left + x + scale, bottom - y],
    );
    sheet.fill(
        from.map(|edge| edge - 3.0),
        to.map(|edge| edge + 3.0),
        [0; 3],
    );
    // The edges of the rectangles.
    let [across, up] = packing.rectangle.map(|side| scale * f64::from(side));
    for slot in 0..packing.slots[0] * packing.slots[1] {
        let [column, row] = [slot % packing.slots[0], slot / packing.slots[0]].map(f64::from);
        let [x, y] = [left + across * column, bottom - up * row];
        sheet.outline([x, y - up], [x + across, y], 1.5, [255; 3])?;
    }
    let title = format!(
        "Where {} vertices lie: {width} × {height} texels",
        packing.values()
    );
    sheet.text(&title, [left, 42.0], Align::Left, 34.0, INK)?;
    draw_legend(&mut sheet, packing, right + 36.0, top)?;
    Ok(sheet.png()?)
}

fn draw_legend(sheet: &mut Sheet, packing: &Packing, x: f64, top: f64) -> Result<(), BoxedError> {
    let title = "entries a row: rectangles";
    sheet.text(title, [x, top + 12.0], Align::Left, 26.0, QUIET)?;
    let programs = packing.groups.iter().rev().map(|group| {
        let count = group.rects.len();
        let text = format!("{}: {count}", group.row_length);
        (colour_of(group.row_length), text)
    });
    let others = [
        (pale(colour_of(6)), "shorter row, padded".to_owned()),
        (KNOWN, "known value".to_owned()),
        (DUMMY, "no row, drawn".to_owned()),
        ([0; 3], "the zero".to_owned()),
        (UNUSED, "unused".to_owned()),
    ];
    for (k, (colour, text)) in programs.chain(others).enumerate() {
        let y = top + 56.0 + 44.0 * k as f64;
        sheet.fill([x, y - 15.0], [x + 30.0, y + 15.0], colour);
        sheet.text(&text, [x + 46.0, y], Align::Left, 26.0, INK)?;
    }
    Ok(())
}

/// The counts of all packings.
fn draw_table(all: &[Packed]) -> Result<Vec<u8>, BoxedError> {
    let row = |Packed { name, packing, .. }: &Packed| {
        let counts = packing.counts();
        let padding = percent(counts.padding, counts.entries + counts.padding);
        let empty = percent(counts.unused_texels as u64, packing.area() as u64);
        vec![
            name.replace('_', " "),
            counts.rows.to_string(),
            rectangles(packing).to_string(),
            packing.groups.len().to_string(),
            counts.entries.to_string(),
            format!("{padding:.1} %"),
            format!("{empty:.1} %"),
        ]
    };
    let headings = [
        "",
        "rows",
        "rectangles",
        "programs",
        "entries",
        "padding",
        "empty texels",
    ];
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    Ok(table(&headings, &rows)?)
}

//! Table 1: unknowns and non-zeros of every level; the meshes (Fig. 1); and the memory of the levels (§4.2).

use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Run, Table};
use crate::geveler2011::study::mesh_picture::meshes;
use crate::geveler2011::{Counts, Element, Numbering, QuadMesh, Setup};

/// A row of Table 1: setup, element, level, N, non-zeros, and whether these were counted. The other numbers
/// are a quarter of the next level's, or nine times Q1's.
type Row = (Setup, Element, usize, usize, usize, bool);

/// Table 1 as printed.
const PRINTED: [Row; 22] = {
    use Element::{Q1, Q2};
    use Setup::{Blood, Circle};
    [
        (Circle, Q1, 4, 576, 4552, false),
        (Circle, Q1, 5, 2176, 18208, false),
        (Circle, Q1, 6, 8448, 72832, false),
        (Circle, Q1, 7, 33280, 291_328, true),
        (Circle, Q1, 8, 132_096, 1_172_480, true),
        (Circle, Q1, 9, 526_336, 4_704_256, true),
        (Circle, Q1, 10, 2_101_248, 18_845_696, true),
        (Circle, Q2, 4, 2176, 32192, false),
        (Circle, Q2, 5, 8448, 128_768, false),
        (Circle, Q2, 6, 33280, 515_072, true),
        (Circle, Q2, 7, 132_096, 2_078_720, true),
        (Circle, Q2, 8, 526_336, 8_351_744, true),
        (Circle, Q2, 9, 2_101_248, 33_480_704, true),
        (Blood, Q1, 4, 15233, 133_890, false),
        (Blood, Q1, 5, 60417, 535_561, true),
        (Blood, Q1, 6, 240_641, 2_149_385, true),
        (Blood, Q1, 7, 960_513, 8_611_849, true),
        (Blood, Q1, 8, 3_837_953, 34_476_041, true),
        (Blood, Q2, 4, 60417, 1_205_010, false),
        (Blood, Q2, 5, 240_641, 4_820_049, false),
        (Blood, Q2, 6, 960_513, 19_344_465, false),
        (Blood, Q2, 7, 3_837_953, 77_506_641, false),
    ]
};

/// The counts of a level of the paper; 1 is the coarsest.
pub fn counts(setup: Setup, level: usize) -> Counts {
    Counts::of_level(&setup.meshes(1)[0], level)
}

pub(super) fn table_1(run: &mut Run<'_>, _: &Claim) -> Checked {
    let columns = [
        "mesh, element",
        "level",
        "N, paper",
        "N, here",
        "non-zeros, paper",
        "non-zeros, here",
        "non-zeros, paper's source",
    ];
    let caption = "Table 1: unknowns and non-zeros, as printed and counted.";
    let mut table = Table::new(caption, columns);
    let mut equal = [0.0; 2];
    for (setup, element, level, unknowns, non_zeros, counted) in PRINTED {
        let of_level = counts(setup, level);
        let (n, entries) = (of_level.unknowns(element), of_level.non_zeros(element));
        equal[0] += f64::from(n == unknowns);
        equal[1] += f64::from(counted && entries == non_zeros);
        table.push([
            format!("{setup:?} {element:?}").to_uppercase().into(),
            level.into(),
            unknowns.into(),
            n.into(),
            non_zeros.into(),
            entries.into(),
            if counted { "counted" } else { "never counted" }.into(),
        ]);
    }
    run.table("table1", table);
    let [circle, blood] = [Setup::Circle, Setup::Blood].map(|setup| setup.meshes(3));
    let caption = "CIRCLE: the coarse mesh, and the mesh after two refinements (Fig. 1 b).";
    let figure = meshes(&[("level 1", &circle[0]), ("level 3", &circle[2])])?;
    run.figure("fig1-circle", caption, figure);
    let caption = "BLOOD: the authors' coarse mesh and its refinement (Fig. 1 c).";
    let figure = meshes(&[("level 1", &blood[0]), ("level 2", &blood[1])])?;
    run.figure("fig1-blood", caption, figure);
    let mut found = Found::new()
        .equal("N as printed, of 22", equal[0], 22.0)
        .headline("as printed")
        .equal("counted non-zeros as printed, of 12", equal[1], 12.0);
    for setup in [Setup::Circle, Setup::Blood] {
        for element in Element::ALL {
            let name = format!("{setup:?} {element:?}: assembled as counted");
            found = found.holds(name, agree(setup, element)?);
        }
    }
    Ok(found.because(
        "Ten of the printed numbers of non-zeros were never counted: on CIRCLE's coarser levels they are a quarter of \
         the next level's, on BLOOD's Q2 nine times those of Q1.",
    ))
}

/// Longest rows of A, P and R on a mesh and its refinement.
fn widths(meshes: &[QuadMesh], setup: Setup, element: Element) -> Result<[usize; 3], BoxedError> {
    let levels = setup.discretise(meshes, element, Numbering::TwoLevel)?;
    let matrices = [&levels.matrices[0], &levels.prolongations[0], &levels.restrictions[0]];
    Ok(matrices.map(|matrix| {
        let lengths = (0..matrix.rows()).map(|row| matrix.row_length(row));
        lengths.max().unwrap_or(0)
    }))
}

/// Bytes of a value and an index in the paper's arrays A and j, with rows of 16 bytes.
const ENTRY: f64 = 16.0;

/// Memory of the paper's GPU (GB).
const MEMORY: f64 = 2.0;

/// Entries of P and R relative to A's on a level, and gigabytes of all levels.
fn stored(setup: Setup, element: Element, level: usize) -> Result<[f64; 2], BoxedError> {
    // Coarse enough to be quick, fine enough for rows not shortened by a boundary.
    let [a, p, r] = widths(&setup.meshes(4)[2..], setup, element)?.map(|w| w as f64);
    let n = |level| counts(setup, level).unknowns(element) as f64;
    let share = (p * n(level) + r * n(level - 1)) / (a * n(level));
    let slots = |level| a * n(level) + p * n(level) + r * n(level - 1);
    let total = (2..=level).map(slots).sum::<f64>() + a * n(1);
    Ok([share, ENTRY * total / 1e9])
}

pub(super) fn memory(_: &mut Run<'_>, _: &Claim) -> Checked {
    let [q1, _] = stored(Setup::Circle, Element::Q1, 10)?;
    let [q2, all] = stored(Setup::Circle, Element::Q2, 9)?;
    let [blood, _] = stored(Setup::Blood, Element::Q2, 7)?;
    Ok(Found::new()
        .at_most("memory of P and R relative to A, CIRCLE Q1", q1, 1.0)
        .at_most("memory of P and R relative to A, CIRCLE Q2", q2, 1.0)
        .at_most("memory of P and R relative to A, BLOOD Q2", blood, 1.0)
        .at_most("memory of CIRCLE Q2 level 9", all, MEMORY)
        .headline("GB"))
}

pub(super) fn blood_memory(_: &mut Run<'_>, _: &Claim) -> Checked {
    let (level, element) = (7, Element::Q2);
    let [_, all] = stored(Setup::Blood, element, level)?;
    let [longest, ..] = widths(&Setup::Blood.meshes(4)[2..], Setup::Blood, element)?;
    let unknowns = counts(Setup::Blood, level).unknowns(element);
    let finest = ENTRY * (longest * unknowns) as f64 / 1e9;
    let share = Interval::of_ratios([finest / MEMORY, all / MEMORY]);
    Ok(Found::new()
        .ratio("memory relative to the GPU's", share)
        .shows("memory, of the finest matrix alone and of all levels", [finest, all])
        .headline("GB")
        .shows("longest row", (longest as f64, "entries"))
        .shows("finest matrix alone, with indices of 4 bytes", (0.75 * finest, "GB"))
        .because(
            "An inner vertex of the mesh has seven cells, and its row on every level of Q2 determines the length of all \
             rows in ELLPACK's arrays. Indices have 8 bytes, as in the authors' programs. Whether the authors stored \
             shorter rows is not known.",
        ))
}

/// Tests whether the matrices assembled on a mesh and its refinements have the counted numbers of entries.
pub fn agree(setup: Setup, element: Element) -> Result<bool, BoxedError> {
    let meshes = setup.meshes(3);
    let levels = setup.discretise(&meshes, element, Numbering::TwoLevel)?;
    let pairs = meshes.iter().rev().zip(&levels.matrices);
    let mut all = pairs.map(|(mesh, matrix)| (Counts::of(mesh), matrix));
    Ok(all.all(|(counts, matrix)| {
        (counts.unknowns(element), counts.non_zeros(element)) == (matrix.rows(), matrix.entries())
    }))
}

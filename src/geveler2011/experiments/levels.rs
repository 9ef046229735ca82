//! Table 1: unknowns and non-zeros of every level; and what the levels take in memory (§4.2).

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::sheet::SheetError;
use crate::picture::table::table;
use crate::stream::Machine;

use super::super::elements::counts::Counts;
use super::super::elements::{Element, Numbering};
use super::super::mesh::QuadMesh;
use super::super::problems::Setup;
use super::pictures::meshes;

const TABLE_1: Claim = Claim {
    id: "geveler2011/table1",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "Table 1",
    statement: "Unknowns and non-zeros of CIRCLE and BLOOD, level by level.",
    paper: "N of all 22 cells; non-zeros of the 12 that were counted",
};

const MEMORY: Claim = Claim {
    id: "geveler2011/memory",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§4.2",
    statement: "Transfer matrices take only moderately more memory; the largest Q2 mesh just fits the \
                card's 2 GB.",
    paper: "P and R take less than A; CIRCLE Q2 level 9 fits 2 GB, and so does BLOOD Q2 level 7",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "geveler2011/levels",
    section: "Table 1",
    title: "Unknowns, non-zeros and memory, level by level",
    claims: &[TABLE_1, MEMORY],
    run,
};

/// A row of Table 1: setup, element, level, N, non-zeros, and whether these were counted. The others
/// are quarters of the next level's, or Q1's times nine.
type Row = (Setup, Element, usize, usize, usize, bool);

/// Table 1 as printed.
pub const PRINTED: [Row; 22] = {
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

/// The counts of a level of the paper's; 1 is the coarsest.
pub fn counts(setup: Setup, level: usize) -> Counts {
    Counts::of_level(&setup.meshes(1)[0], level)
}

fn run(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    Ok(vec![table_1()?, memory()?])
}

fn table_1() -> Result<Finding, BoxedError> {
    let (mut wrong, mut never_counted) = (Vec::new(), Vec::new());
    for (setup, element, level, unknowns, non_zeros, counted) in PRINTED {
        let of_level = counts(setup, level);
        let found = (of_level.unknowns(element), of_level.non_zeros(element));
        let what = format!("{setup:?} {element:?} level {level}");
        if found.0 != unknowns || (counted && found.1 != non_zeros) {
            wrong.push(format!("{what}: {found:?}"));
        } else if !counted {
            never_counted.push(format!("{what}: {} (printed {non_zeros})", found.1));
        }
    }
    for setup in [Setup::Circle, Setup::Blood] {
        for element in Element::ALL {
            if !agree(setup, element)? {
                wrong.push(format!(
                    "{setup:?} {element:?}: assembled matrices have others"
                ));
            }
        }
    }
    let finding = TABLE_1.judge(
        wrong.is_empty(),
        match wrong.is_empty() {
            true => "22 of 22 N, 12 of 12 non-zeros".to_owned(),
            false => wrong.join("; "),
        },
        format!(
            "From the numbers of vertices, edges and cells, by which matrices were found to be right on \
             three levels. Ten of the printed numbers of non-zeros were never counted: on CIRCLE's coarser levels they \
             are quarters of the next level's, on BLOOD's Q2 nine times those of Q1. True are {}. BLOOD \
             is a stand-in with the counts of the unpublished mesh.",
            never_counted.join(", ")
        ),
    );
    let [circle, blood] = [Setup::Circle, Setup::Blood].map(|setup| setup.meshes(3));
    let figures = [
        (
            "fig1-circle",
            "CIRCLE: the coarse mesh, and what two refinements make of it (Fig. 1 b).",
            meshes(&[("level 1", &circle[0]), ("level 3", &circle[2])])?,
        ),
        (
            "fig1-blood",
            "The stand-in for BLOOD, whose mesh is unpublished, and its refinement (Fig. 1 c).",
            meshes(&[("level 1", &blood[0]), ("level 2", &blood[1])])?,
        ),
        (
            "table1",
            "Table 1: what is printed, and the true number of non-zeros.",
            picture()?,
        ),
    ];
    Ok(figures
        .into_iter()
        .fold(finding, |finding, (name, caption, png)| {
            finding.with_figure(format!("geveler2011/{name}.png"), caption, png)
        }))
}

/// Table 1 beside what was counted here.
fn picture() -> Result<Vec<u8>, SheetError> {
    let row = |&(setup, element, level, unknowns, non_zeros, counted): &Row| {
        let of_level = counts(setup, level);
        vec![
            format!("{setup:?} {element:?}").to_uppercase(),
            level.to_string(),
            unknowns.to_string(),
            of_level.unknowns(element).to_string(),
            non_zeros.to_string(),
            of_level.non_zeros(element).to_string(),
            if counted { "" } else { "never counted" }.to_owned(),
        ]
    };
    let headings = [
        "",
        "level",
        "N, printed",
        "here",
        "non-zeros, printed",
        "here",
        "",
    ];
    table(&headings, &PRINTED.iter().map(row).collect::<Vec<_>>())
}

/// Longest rows of A, P and R on a mesh and its refined one.
fn widths(meshes: &[QuadMesh], setup: Setup, element: Element) -> Result<[usize; 3], BoxedError> {
    let levels = setup.discretise(meshes, element, Numbering::TwoLevel)?;
    let matrices = [
        &levels.matrices[0],
        &levels.prolongations[0],
        &levels.restrictions[0],
    ];
    Ok(matrices.map(|matrix| {
        let lengths = (0..matrix.rows()).map(|row| matrix.row_length(row));
        lengths.max().unwrap_or(0)
    }))
}

/// Bytes of a value and an index as the paper's arrays A and j have them, with rows of 16 bytes.
const ENTRY: f64 = 16.0;

fn memory() -> Result<Finding, BoxedError> {
    let mut shares = Vec::new();
    let mut bytes = Vec::new();
    for (setup, element, level) in [
        (Setup::Circle, Element::Q1, 10),
        (Setup::Circle, Element::Q2, 9),
        (Setup::Blood, Element::Q2, 7),
    ] {
        // Coarse enough to be quick, fine enough for rows that no boundary shortens.
        let [a, p, r] = widths(&setup.meshes(4)[2..], setup, element)?.map(|w| w as f64);
        let n = |level| counts(setup, level).unknowns(element) as f64;
        let share = (p * n(level) + r * n(level - 1)) / (a * n(level));
        let slots = |level| a * n(level) + p * n(level) + r * n(level - 1);
        let total = (2..=level).map(slots).sum::<f64>() + a * n(1);
        shares.push(share);
        bytes.push(ENTRY * total / 1e9);
    }
    let fits = |gigabytes: f64| gigabytes <= 2.0;
    Ok(MEMORY.judge(
        shares.iter().all(|&share| share <= 1.0) && fits(bytes[1]),
        format!(
            "P and R {:.2} (Q1) and {:.2} (Q2) of A; CIRCLE Q2 level 9 {:.2} GB, BLOOD Q2 level 7 {:.1} GB",
            shares[0], shares[1], bytes[1], bytes[2]
        ),
        "Slots of ELLPACK at 16 bytes an entry, all levels. Judged are the shares and CIRCLE: BLOOD's mesh \
         is unpublished, and the stand-in, with vertices of six cells whose rows make all rows long, \
         does not fit.",
    ))
}

/// Whether assembled matrices, on a mesh and one finer, have as many entries as the counts say.
pub fn agree(setup: Setup, element: Element) -> Result<bool, BoxedError> {
    let meshes = setup.meshes(3);
    let levels = setup.discretise(&meshes, element, Numbering::TwoLevel)?;
    let pairs = meshes.iter().rev().zip(&levels.matrices);
    let mut all = pairs.map(|(mesh, matrix)| (Counts::of(mesh), matrix));
    Ok(all.all(|(counts, matrix)| {
        (counts.unknowns(element), counts.non_zeros(element)) == (matrix.rows(), matrix.entries())
    }))
}

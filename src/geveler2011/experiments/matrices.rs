//! §2.2, §2.3, §3.1: the format, grid transfer, and the five numberings.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::sheet::side_by_side;
use crate::picture::spy;
use crate::solver::Csr;
use crate::stream::Machine;

use super::super::elements::numbering::renumber_vector;
use super::super::elements::{Element, Numbering, Space};
use super::super::mesh::QuadMesh;
use super::super::problems::Setup;
use super::super::products::Ellpack;

const ELLPACK: Claim = Claim {
    id: "geveler2011/ellpack",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§3.1",
    statement: "The example of four rows in ELLPACK-R.",
    paper: "A, j and rl as printed",
};

const TRANSFER: Claim = Claim {
    id: "geveler2011/transfer",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§2.3",
    statement: "Prolongation as a matrix: at most (k + 1)² entries a row, restriction its transpose.",
    paper: "Q1: rows of 1, 2, 4 entries; Q2: at most 9",
};

const NUMBERING: Claim = Claim {
    id: "geveler2011/numbering",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§2.2",
    statement: "Five numberings; Cuthill and McKee's is to make the bandwidth small.",
    paper: "five numberings of the same unknowns",
};

const DIVERGENCE: Claim = Claim {
    id: "geveler2011/divergence",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§3.2.1",
    statement: "A warp of 32 rows takes as long as its longest row: work beside non-zeros, by numbering.",
    paper: "(only warps of long rows take longer)",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "geveler2011/matrices",
    section: "§2, §3.1",
    title: "The format, grid transfer, numberings",
    claims: &[ELLPACK, TRANSFER, NUMBERING, DIVERGENCE],
    run,
};

fn run(_: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let usual = if options.quick { 6 } else { 7 };
    let level = options.given.levels.unwrap_or(usual);
    Ok(vec![
        ellpack()?,
        transfer()?,
        numbering(level)?,
        divergence(level - 1)?,
    ])
}

/// The paper's S.
pub fn example() -> Result<Csr<f64>, BoxedError> {
    let rows: [&[(usize, f64)]; 4] = [
        &[(0, 1.0), (1, 7.0)],
        &[(1, 2.0), (2, 8.0)],
        &[(0, 5.0), (2, 3.0), (3, 9.0)],
        &[(1, 6.0), (3, 4.0)],
    ];
    let rows = rows.into_iter().enumerate();
    let entries = rows.flat_map(|(i, row)| row.iter().map(move |&(j, value)| (i, j, value)));
    Ok(Csr::from_triplets(4, 4, entries)?)
}

fn ellpack() -> Result<Finding, BoxedError> {
    let format = Ellpack::new(&example()?);
    // By columns; what is printed as * is zero here.
    let holds = format.lengths == [2, 2, 3, 2]
        && format.values == [1.0, 2.0, 5.0, 6.0, 7.0, 8.0, 3.0, 4.0, 0.0, 0.0, 9.0, 0.0]
        && format.indices == [0, 1, 0, 1, 1, 2, 2, 3, 0, 0, 3, 0];
    Ok(ELLPACK.judge(
        holds,
        if holds { "equal" } else { "other arrays" },
        "The printed sum over a row runs to rl_i; it has rl_i terms, from 0 to rl_i − 1.",
    ))
}

/// How many rows of P have how many entries: (entries, rows), from the mesh and from the matrix.
type RowCounts = Vec<(usize, usize)>;

/// The rows that P has, and those that it should have.
pub fn transfer_rows(mesh: &QuadMesh, element: Element) -> Result<[RowCounts; 2], BoxedError> {
    let (v, e, f) = (mesh.vertices.len(), mesh.edges.len(), mesh.cells.len());
    let expected = match element {
        Element::Q1 => vec![(1, v), (2, e), (4, f)],
        Element::Q2 => vec![(1, v + e + f), (3, 2 * e + 4 * f), (9, 4 * f)],
    };
    let fine = mesh.refined();
    let p = Space::new(mesh, element).prolongation(&Space::new(&fine, element))?;
    let mut found = std::collections::BTreeMap::new();
    for row in 0..p.rows() {
        *found.entry(p.row_length(row)).or_insert(0) += 1;
    }
    Ok([found.into_iter().collect(), expected])
}

fn transfer() -> Result<Finding, BoxedError> {
    let mut holds = true;
    for setup in [Setup::Circle, Setup::Blood] {
        for element in Element::ALL {
            let [found, expected] = transfer_rows(&setup.meshes(1)[0], element)?;
            holds &= found == expected;
        }
    }
    Ok(TRANSFER.judge(
        holds,
        "Q1: V, E, F rows of 1, 2, 4; Q2: V + E + F of 1, 2E + 4F of 3 (3/8, 3/4, −1/8), 4F of 9",
        "On both meshes. The paper gives P the size n^q × n^v: rows are fine unknowns, columns coarse \
         ones. Rows and columns of Dirichlet unknowns are emptied afterwards.",
    ))
}

/// The level whose matrix is drawn.
const PICTURED: usize = 4;

fn numbering(level: usize) -> Result<Finding, BoxedError> {
    let meshes = Setup::Circle.meshes(level);
    let finest = &meshes[level - 1..];
    let space = Space::new(&finest[0], Element::Q1);
    let assembled = Setup::Circle.discretise(finest, Element::Q1, Numbering::TwoLevel)?;
    let mut bandwidths = Vec::new();
    let mut are_permutations = true;
    for numbering in Numbering::ALL {
        let mut numbers = numbering.of(&space);
        numbers.sort_unstable();
        are_permutations &= numbers.into_iter().eq(0..space.dimension() as u32);
        let numbered = assembled.renumbered(finest, Element::Q1, numbering);
        let entries = numbered.matrices[0].triplets();
        let distances = entries.map(|(i, j, _)| i.abs_diff(j));
        bandwidths.push((distances.max().unwrap_or(0), numbering.name()));
    }
    bandwidths.sort_unstable();
    let told = |(bandwidth, name): &(usize, &str)| format!("{name} {bandwidth}");
    let order: Vec<String> = bandwidths.iter().map(told).collect();
    let finding = NUMBERING.judge(
        are_permutations,
        format!("five permutations; bandwidths {}", order.join(", ")),
        format!(
            "CIRCLE, Q1, level {level}. Erratum: Cuthill and McKee's bandwidth is not the smallest. The mesh is narrow: sorted by x, then y, a row's neighbours are at \
             most a column and a vertex away, which is less than a front of Cuthill and McKee's that \
             runs askew through it."
        ),
    );
    let meshes = Setup::Circle.meshes(PICTURED);
    let assembled = Setup::Circle.discretise(&meshes, Element::Q1, Numbering::TwoLevel)?;
    let pictures = Numbering::ALL.map(|numbering| {
        let numbered = assembled.renumbered(&meshes, Element::Q1, numbering);
        (numbering.name().to_owned(), spy(&numbered.matrices[0]))
    });
    Ok(finding.with_figure(
        "geveler2011/numberings.png",
        format!("The matrix of CIRCLE, Q1, level {PICTURED}, in the five numberings."),
        side_by_side(&pictures)?,
    ))
}

fn divergence(level: usize) -> Result<Finding, BoxedError> {
    let meshes = Setup::Circle.meshes(level);
    let finest = &meshes[level - 1..];
    let space = Space::new(&finest[0], Element::Q2);
    let assembled = Setup::Circle.discretise(finest, Element::Q2, Numbering::TwoLevel)?;
    let matrix = &assembled.matrices[0];
    let lengths = (0..matrix.rows()).map(|row| matrix.row_length(row));
    let lengths: Vec<usize> = lengths.collect();
    let ratios = Numbering::ALL.map(|numbering| {
        let lengths = renumber_vector(&lengths, &numbering.of(&space));
        let longest = |warp: &[usize]| 32 * warp.iter().max().copied().unwrap_or(0);
        let work: usize = lengths.chunks(32).map(longest).sum();
        work as f64 / matrix.entries() as f64
    });
    let of = |numbering: Numbering| ratios[numbering as usize];
    let holds = of(Numbering::TwoLevel) < 1.1
        && of(Numbering::Xyz) < of(Numbering::CuthillMcKee)
        && of(Numbering::CuthillMcKee) <= 1.05 * of(Numbering::Stochastic);
    let text = Numbering::ALL.map(|n| format!("{} {:.2}", n.name(), of(n)));
    Ok(DIVERGENCE.judge(
        holds,
        text.join(", "),
        format!(
            "CIRCLE, Q2, level {level}: rows have 25, 15 or 9 entries by the kind of their unknown. Sorted \
             by kind, as refining does, warps agree; all other numberings mix the kinds."
        ),
    ))
}

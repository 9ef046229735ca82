//! §2.2, §2.3, §3.1: the format, grid transfer, and the five numberings.

use crate::base::interval::range;
use crate::claim::{BoxedError, Checked, Claim, Found, Run, worst};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::picture::sheet::side_by_side;
use crate::picture::spy;
use crate::solver::Csr;
use crate::timing::cost::all;

use crate::geveler2011::numbering::{neighbours, renumber_vector};
use crate::geveler2011::solves::fem::{self, Assembled, FEM};
use crate::geveler2011::{Curve, Element, Ellpack, Numbering, QuadMesh, Setup, Space};

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

pub(super) fn ellpack(_: &mut Run<'_>, _: &Claim) -> Checked {
    let format = Ellpack::new(&example()?);
    // By columns; the printed * is zero here.
    let values = [1.0, 2.0, 5.0, 6.0, 7.0, 8.0, 3.0, 4.0, 0.0, 0.0, 9.0, 0.0];
    Ok(Found::new()
        .holds("A as printed", format.values == values)
        .holds("j as printed", format.indices == [0, 1, 0, 1, 1, 2, 2, 3, 0, 0, 3, 0])
        .holds("rl as printed", format.lengths == [2, 2, 3, 2])
        .headline("")
        .because("The printed sum over a row runs to rl_i; it has rl_i terms, from 0 to rl_i − 1."))
}

/// A setup's coarse mesh with straight boundaries, so that cells and their children are nested.
fn straight(setup: Setup) -> QuadMesh {
    let mut mesh = setup.meshes(1).remove(0);
    for part in &mut mesh.parts {
        part.curve = Curve::Line;
    }
    mesh
}

/// Largest error of a carried-over polynomial, which has values of about 1.
const CARRIED: f64 = 1e-13;

pub(super) fn transfer(_: &mut Run<'_>, _: &Claim) -> Checked {
    let (mut found, mut rows) = (Found::new(), Vec::new());
    for element in Element::ALL {
        let (mut longest, mut error) = (0, 0.0_f64);
        for setup in [Setup::Circle, Setup::Blood] {
            // CIRCLE's straight cells are rectangles, on which the element has all products of powers up to its degree;
            // on others it has all linear functions.
            let power = match setup {
                Setup::Circle => element.degree() as i32,
                Setup::Blood => 0,
            };
            let u = |[x, y]: [f64; 2]| {
                (0.5 + x).powi(power) * (1.0 - y).powi(power) + 0.1 * x - 0.2 * y
            };
            let mesh = straight(setup);
            let fine = mesh.refined();
            let (coarse, fine) = (Space::new(&mesh, element), Space::new(&fine, element));
            let p = coarse.prolongation(&fine)?;
            longest = (0..p.rows()).map(|row| p.row_length(row)).fold(longest, usize::max);
            let values: Vec<f64> = coarse.points().into_iter().map(u).collect();
            let mut carried = vec![0.0; p.rows()];
            p.multiply(&values, &mut carried)?;
            let pairs = carried.iter().zip(fine.points());
            error = worst(pairs.map(|(value, at)| (value - u(at)).abs()).chain([error]));
        }
        let most = (element.degree() + 1).pow(2) as f64;
        rows.push(longest as f64);
        found = found
            .equal(format!("most entries per row, {element:?}"), longest as f64, most)
            .at_most("largest error of a polynomial of the element", error, CARRIED);
    }
    Ok(found.list("most entries per row, Q1 and Q2", rows, "entries").because(
        "The paper gives P the size n^q × n^v; rows are fine unknowns and columns coarse ones.",
    ))
}

/// Level of the matrix in the picture.
const PICTURED: usize = 4;

/// Cuthill and McKee: the first unknown has the fewest neighbours, and the others follow level by level, in the order of
/// their first neighbours.
fn is_by_levels(space: &Space<'_>, numbers: &[u32]) -> bool {
    let neighbours = neighbours(space);
    // In both directions, the vertices of an edge and those at opposite corners of a cell.
    let pairs = 2 * (space.mesh.edges.len() + 2 * space.mesh.cells.len());
    let counts: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    let counts = renumber_vector(&counts, numbers);
    let first = |list: &Vec<u32>| list.iter().map(|&i| numbers[i as usize]).min();
    let first: Vec<Option<u32>> = neighbours.iter().map(first).collect();
    let first = &renumber_vector(&first, numbers)[1..];
    let earlier = (1..).zip(first).all(|(number, &first)| first < Some(number));
    let is_complete = counts.iter().sum::<usize>() == pairs;
    is_complete && counts.iter().min() == counts.first() && earlier && first.is_sorted()
}

/// Hierarchical: on every level, the unknowns that a cell adds to those of earlier cells have consecutive numbers.
fn is_nested(space: &Space<'_>, numbers: &[u32], levels: usize) -> bool {
    (0..levels).all(|above| {
        let cells: Vec<usize> = (0..space.mesh.cells.len()).collect();
        let mut met = vec![false; numbers.len()];
        let mut next = 0;
        cells.chunks(4_usize.pow(above as u32)).all(|family| {
            let unknowns = family.iter().flat_map(|&cell| space.unknowns_of(cell));
            let mut own: Vec<u32> = unknowns.map(|i| numbers[i]).collect();
            own.sort_unstable();
            own.dedup();
            own.retain(|&number| !std::mem::replace(&mut met[number as usize], true));
            let expected = next..next + own.len() as u32;
            next = expected.end;
            own.into_iter().eq(expected)
        })
    })
}

/// Two-level: on every level, the unknowns of a coarser mesh come first.
fn is_prefixed(meshes: &[QuadMesh], numbers: &[u32]) -> bool {
    let finest = &meshes[meshes.len() - 1].vertices;
    meshes.iter().all(|mesh| {
        let coarse = mesh.vertices.iter().zip(finest).zip(numbers);
        let mut all = coarse.enumerate();
        all.all(|(i, ((a, b), &number))| a == b && number as usize == i)
    })
}

/// Sorted by x, then y, up to rounding errors.
fn is_sorted(space: &Space<'_>, numbers: &[u32]) -> bool {
    let points = renumber_vector(&space.points(), numbers);
    points.is_sorted_by(|a, b| {
        let step = [0, 1].map(|k| if (b[k] - a[k]).abs() < 1e-9 { 0.0 } else { b[k] - a[k] });
        step[0] > 0.0 || step[0] == 0.0 && step[1] > 0.0
    })
}

/// Random: hardly any unknown keeps its number in the order of refinement. The expected number is one.
fn is_random(numbers: &[u32]) -> bool {
    (0..).zip(numbers).filter(|(i, number)| i == *number).count() < 10
}

/// A numbering of the vertices, and its definition.
pub static NUMBERED: Study = Study::measuring(
    "geveler2011/numbering",
    "A numbering of the vertices, and whether it is as defined",
    Takes::of(&FEM, "paper", "mesh levels numbering"),
    &[
        ("permutation", "", "1 if each vertex has a number of its own"),
        ("defined", "", "1 if the numbering is as defined"),
        ("bandwidth", "", "of the matrix"),
    ],
    numbered,
);

/// The definition of a numbering.
fn definition(numbering: Numbering) -> &'static str {
    match numbering {
        Numbering::TwoLevel => "coarser unknowns come first",
        Numbering::CuthillMcKee => "level by level",
        Numbering::Xyz => "sorted by x, then y",
        Numbering::Stochastic => "random",
        Numbering::Hierarchical => "cells are nested",
    }
}

fn numbered(experiment: &Experiment, _: Place<'_>) -> Result<Record, BoxedError> {
    // The definitions are of vertices.
    let one = fem::Settings { element: Element::Q1, ..experiment.typed()? };
    let (numbering, mut record) = (one.numbering, Record::new());
    let Assembled { meshes, system, .. } = one.assembled()?;
    let level = meshes.len();
    let space = Space::new(&meshes[level - 1], Element::Q1);
    let numbers = numbering.of(&space);
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let is_permutation = sorted.into_iter().eq(0..space.dimension() as u32);
    let holds = match numbering {
        Numbering::TwoLevel => is_prefixed(&meshes, &numbers),
        Numbering::CuthillMcKee => is_by_levels(&space, &numbers),
        Numbering::Xyz => is_sorted(&space, &numbers),
        Numbering::Stochastic => is_random(&numbers),
        Numbering::Hierarchical => is_nested(&space, &numbers, level),
    };
    // It was assembled in this numbering.
    let entries = system.matrices[0].triplets();
    let bandwidth = entries.map(|(i, j, _)| i.abs_diff(j)).max().unwrap_or(0);
    record.one("permutation", f64::from(u8::from(is_permutation)));
    record.one("defined", f64::from(u8::from(holds)));
    record.one("bandwidth", bandwidth as f64);
    Ok(record)
}

pub(super) fn numbering(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (mut found, mut defined) = (Found::new(), 0);
    for (numbering, record) in Numbering::ALL.into_iter().zip(run.records::<5>(claim)?) {
        let (name, definition) = (numbering.name(), definition(numbering));
        let [is_permutation, holds] =
            all(["permutation", "defined"].map(|of| record.last(of)))?.map(|holds| holds == 1.0);
        defined += usize::from(is_permutation && holds);
        found = found
            .holds(format!("{name} is a permutation"), is_permutation)
            .holds(format!("{name}: {definition}"), holds)
            .shows(format!("bandwidth of {name}"), record.last("bandwidth")?);
    }
    let meshes = Setup::Circle.meshes(PICTURED);
    let assembled = Setup::Circle.discretise(&meshes, Element::Q1, Numbering::TwoLevel)?;
    let pictures = Numbering::ALL.map(|numbering| {
        let numbered = assembled.renumbered(&meshes, Element::Q1, numbering);
        (numbering.name().to_owned(), spy(&numbered.matrices[0]))
    });
    let caption = format!(
        "The matrix of CIRCLE, Q1, level {PICTURED}, in the five numberings: positive entries are blue, negative ones red."
    );
    run.figure("numberings", &caption, side_by_side(&pictures)?);
    Ok(found.shows("numberings", defined as f64).headline("as defined").because(
        "Cuthill and McKee's bandwidth is not the smallest here (an erratum), because the mesh is narrow and their \
         front runs through it obliquely.",
    )
        .expecting(claim.paper))
}

/// Largest work per non-zero of warps whose rows are equally long; and of CM's, relative to STO's.
const AGREEING: f64 = 1.1;
const MIXED: f64 = 1.05;

/// The work of warps.
pub static WARPS: Study = Study::measuring(
    "geveler2011/warps",
    "Work of warps of 32 rows, each as long as its longest row, relative to the non-zeros",
    Takes::of(&FEM, "paper", "mesh element levels numbering"),
    &[("work", "", "relative to the non-zeros")],
    |experiment, _| {
        let (one, mut record): (fem::Settings, _) = (experiment.typed()?, Record::new());
        let Assembled { system, .. } = one.assembled()?;
        let matrix = &system.matrices[0];
        let lengths: Vec<usize> = (0..matrix.rows()).map(|row| matrix.row_length(row)).collect();
        let longest = |warp: &[usize]| 32 * warp.iter().max().copied().unwrap_or(0);
        let work: usize = lengths.chunks(32).map(longest).sum();
        record.one("work", work as f64 / matrix.entries() as f64);
        Ok(record)
    },
);

pub(super) fn divergence(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let ratios = all(run.records::<5>(claim)?.each_ref().map(|record| record.last("work")))?;
    let of = |numbering: Numbering| ratios[numbering as usize];
    let [cm, xyz] = [Numbering::CuthillMcKee, Numbering::Xyz].map(of);
    Ok(Found::new()
        .at_most("work per non-zero, 2LV", of(Numbering::TwoLevel), AGREEING)
        .shows("CM", cm)
        .shows("XYZ", xyz)
        .shows("STO", of(Numbering::Stochastic))
        .shows("HIE", of(Numbering::Hierarchical))
        .shows("work per non-zero, all numberings", range(ratios))
        .headline("times")
        .at_most("work of XYZ relative to CM", xyz / cm, 1.0)
        .at_most("work of CM relative to STO", cm / of(Numbering::Stochastic), MIXED)
        .because(
            "Rows have 25, 15 or 9 entries, depending on the kind of their unknown. Refining sorts by kind, so that \
             the rows of a warp are equally long; all other numberings mix the kinds.",
        ))
}

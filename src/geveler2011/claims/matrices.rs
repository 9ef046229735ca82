//! §2.2, §2.3, §3.1: the format, grid transfer, and the five numberings.

use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::picture::sheet::side_by_side;
use crate::picture::spy;
use crate::solver::Csr;

use crate::geveler2011::numbering::renumber_vector;
use crate::geveler2011::{Element, Ellpack, Numbering, QuadMesh, Setup, Space};

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
        .holds(
            "j as printed",
            format.indices == [0, 1, 0, 1, 1, 2, 2, 3, 0, 0, 3, 0],
        )
        .holds("rl as printed", format.lengths == [2, 2, 3, 2])
        .because("The printed sum over a row runs to rl_i; it has rl_i terms, from 0 to rl_i − 1."))
}

/// Numbers of rows of P by their entries: (entries, rows).
type RowCounts = Vec<(usize, usize)>;

/// The rows of P, and the expected ones.
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

pub(super) fn transfer(_: &mut Run<'_>, _: &Claim) -> Checked {
    let mut result = Found::new();
    for setup in [Setup::Circle, Setup::Blood] {
        for element in Element::ALL {
            let [found, expected] = transfer_rows(&setup.meshes(1)[0], element)?;
            let text = |rows: RowCounts| {
                let rows = rows
                    .iter()
                    .map(|(entries, rows)| format!("{rows} of {entries}"));
                rows.collect::<Vec<_>>().join(", ")
            };
            let name = format!("{setup:?} {element:?}: rows by number of entries");
            result = result.is(name, text(found), text(expected));
        }
    }
    Ok(result.because(
        "The paper gives P the size n^q × n^v; rows are fine unknowns and columns coarse ones.",
    ))
}

/// Level of the matrix in the picture.
const PICTURED: usize = 4;

/// Finest level of the numbered matrices.
fn level(run: &Run<'_>) -> usize {
    run.given.levels.unwrap_or(run.pick(6, 7))
}

pub(super) fn numbering(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let level = level(run);
    let meshes = Setup::Circle.meshes(level);
    let finest = &meshes[level - 1..];
    let space = Space::new(&finest[0], Element::Q1);
    let assembled = Setup::Circle.discretise(finest, Element::Q1, Numbering::TwoLevel)?;
    let mut found = Found::new();
    for numbering in Numbering::ALL {
        let mut numbers = numbering.of(&space);
        numbers.sort_unstable();
        let is_permutation = numbers.into_iter().eq(0..space.dimension() as u32);
        let numbered = assembled.renumbered(finest, Element::Q1, numbering);
        let entries = numbered.matrices[0].triplets();
        let bandwidth = entries.map(|(i, j, _)| i.abs_diff(j)).max().unwrap_or(0);
        let name = numbering.name();
        found = found
            .holds(format!("{name} is a permutation"), is_permutation)
            .shows(format!("bandwidth of {name}"), bandwidth as f64);
    }
    let meshes = Setup::Circle.meshes(PICTURED);
    let assembled = Setup::Circle.discretise(&meshes, Element::Q1, Numbering::TwoLevel)?;
    let pictures = Numbering::ALL.map(|numbering| {
        let numbered = assembled.renumbered(&meshes, Element::Q1, numbering);
        (numbering.name().to_owned(), spy(&numbered.matrices[0]))
    });
    let caption = format!("The matrix of CIRCLE, Q1, level {PICTURED}, in the five numberings.");
    run.figure("numberings", &caption, side_by_side(&pictures)?);
    let found = found.because(
        "Cuthill and McKee's bandwidth is not the smallest here (an erratum), because the mesh is narrow and their \
         front runs through it obliquely.",
    );
    Ok(match run.given.levels {
        Some(_) => found.expecting(claim.paper),
        None => found,
    })
}

/// Largest work per non-zero of warps whose rows are equally long; and of CM's, relative to STO's.
const AGREEING: f64 = 1.1;
const MIXED: f64 = 1.05;

pub(super) fn divergence(run: &mut Run<'_>, _: &Claim) -> Checked {
    let level = level(run) - 1;
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
    let [cm, xyz] = [Numbering::CuthillMcKee, Numbering::Xyz].map(of);
    Ok(Found::new()
        .at_most("work per non-zero, 2LV", of(Numbering::TwoLevel), AGREEING)
        .shows("CM", cm)
        .shows("XYZ", xyz)
        .shows("STO", of(Numbering::Stochastic))
        .shows("HIE", of(Numbering::Hierarchical))
        .at_most("work of XYZ relative to CM", xyz / cm, 1.0)
        .at_most("work of CM relative to STO", cm / of(Numbering::Stochastic), MIXED)
        .because(
            "Rows have 25, 15 or 9 entries, depending on the kind of their unknown. Refining sorts by kind, so that \
             the rows of a warp are equally long; all other numberings mix the kinds.",
        ))
}

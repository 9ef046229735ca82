//! §2.2, §2.3, §3.1: the format, grid transfer, and the five numberings.

use crate::base::error::BoxedError;
use crate::claim::worst;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::picture::sheet::side_by_side;
use crate::picture::spy;
use crate::solver::Csr;

use crate::geveler2011::numbering::{neighbours, renumber_vector};
use crate::geveler2011::solves::fem::{self, Assembled, FEM};
use crate::geveler2011::{Curve, Element, Ellpack, Numbering, QuadMesh, Setup, Space};

/// The paper's S.
fn example() -> Result<Csr<f64>, BoxedError> {
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

/// The format of the example.
pub static ELLPACK: Study = Study::measuring(
    "geveler2011/ellpack",
    "The paper's example of ELLPACK-R, next to the printed arrays, and the printed sum over its rows",
    Takes::nothing(),
    &[
        ("{values|indices|lengths}", "", "numbers of A, j and rl that are not as printed"),
        (
            "beyond.{printed|corrected}",
            "",
            "rows whose sum reads beyond the array A, to rl_i and to rl_i − 1",
        ),
    ],
    |_, _| {
        let (format, mut record) = (Ellpack::new(&example()?), Record::new());
        // By columns; the printed * is zero here.
        let values = [1.0, 2.0, 5.0, 6.0, 7.0, 8.0, 3.0, 4.0, 0.0, 0.0, 9.0, 0.0];
        record.one("values", differing(&format.values, &values));
        record.one("indices", differing(&format.indices, &[0, 1, 0, 1, 1, 2, 2, 3, 0, 0, 3, 0]));
        record.one("lengths", differing(&format.lengths, &[2, 2, 3, 2]));
        let rows = format.lengths.len();
        // The longest row has no entry after its last one; other rows multiply padding, which is zero.
        for (name, more) in [("beyond.printed", 1), ("beyond.corrected", 0)] {
            let is_beyond = |row: &usize| {
                let mut terms = 0..format.lengths[*row] as usize + more;
                terms.any(|nz| format.values.get(nz * rows + row).is_none())
            };
            record.one(name, (0..rows).filter(is_beyond).count() as f64);
        }
        Ok(record)
    },
);

/// Number of values that differ; all of them if there are not as many.
fn differing<T: PartialEq>(found: &[T], expected: &[T]) -> f64 {
    if found.len() != expected.len() {
        return found.len().max(expected.len()) as f64;
    }
    found.iter().zip(expected).filter(|(a, b)| a != b).count() as f64
}

/// A setup's coarse mesh with straight boundaries, so that cells and their children are nested.
fn straight(setup: Setup) -> QuadMesh {
    let mut mesh = setup.meshes(1).remove(0);
    for part in &mut mesh.parts {
        part.curve = Curve::Line;
    }
    mesh
}

/// Prolongation on meshes whose boundaries are straight.
pub static TRANSFER: Study = Study::measuring(
    "geveler2011/transfer",
    "Prolongation on the paper's coarse meshes with straight boundaries",
    Takes::of(&FEM, "paper", "element"),
    &[
        ("longest", "", "most entries of a row"),
        (
            "error",
            "",
            "largest error of a carried-over polynomial of the element, which has values of about 1",
        ),
    ],
    |experiment, _| {
        let fem::Settings { element, .. } = experiment.typed()?;
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
        let mut record = Record::new();
        record.one("longest", longest as f64);
        record.one("error", error);
        Ok(record)
    },
);

/// One matrix in all numberings.
pub static PATTERNS: Study = Study::measuring(
    "geveler2011/patterns",
    "The matrix of CIRCLE, Q1, level 4, in the five numberings",
    Takes::nothing(),
    &[],
    |_, _| {
        let meshes = Setup::Circle.meshes(PICTURED);
        let assembled = Setup::Circle.discretise(&meshes, Element::Q1, Numbering::TwoLevel)?;
        let pictures = Numbering::ALL.map(|numbering| {
            let numbered = assembled.renumbered(&meshes, Element::Q1, numbering);
            (numbering.name().to_owned(), spy(&numbered.matrices[0]))
        });
        let caption = format!(
            "The matrix of CIRCLE, Q1, level {PICTURED}, in the five numberings: positive entries are blue, negative ones red."
        );
        let mut record = Record::new();
        record.picture("numberings", caption, side_by_side(&pictures)?);
        Ok(record)
    },
);

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

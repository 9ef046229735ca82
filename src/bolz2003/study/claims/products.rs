//! §3, §3.1.1 and §3.2.2: groups of rows, long rows, the transpose, and packing.

use std::collections::HashSet;

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::bolz2003::sparse::flow::FlowLayout;
use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::{Group, Packing, PackingOptions};
use crate::bolz2003::sparse::spmv::{SPMV, SparseMatrix};
use crate::bolz2003::study::pictures;
use crate::bundled;
use crate::card::count::count;
use crate::claim::{difference, worst};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::mesh::{Connectivity, TriangleMesh, generate};
use crate::solver::{
    Criteria, Csr, HostSpace, LinearSystem, Operator, Progress, TextureSpace, Transposed,
    VectorSpace, biconjugate_gradients,
};
use crate::stream::rows::centre;
use crate::stream::{Format, Layout, Rect, Stream};

use super::works::Settings;

/// Longest program of the GeForce FX (NV30), in instructions.
const NV30_INSTRUCTIONS: u32 = 1024;
/// Off-diagonal entries of the long rows. With its diagonal entry, the first row has the paper's 200 non-zero entries.
const LENGTHS: [usize; 6] = [199, 200, 204, 205, 450, 1000];
/// Rows of their matrix; those after the long ones have a diagonal entry only.
const ROWS: usize = 1500;
/// Iterates of biconjugate gradients that are compared.
const ITERATES: usize = 20;

/// Rows longer than a program.
pub static LONG_ROWS: Study = Study::measuring(
    "bolz2003/long-rows",
    "A product with rows of 199 to 1000 entries off the diagonal, in as many passes as a program of NV30 is too short",
    Takes::nothing(),
    &[
        ("longest", "", "entries off the diagonal of the longest row in one pass"),
        ("each", "", "instructions per entry"),
        ("passes", "", "passes for 199, 200, 204, 205, 450, 1000 entries off the diagonal"),
        ("difference", "", "largest difference from double precision, relative to Σ|a x|"),
    ],
    long_rows,
);

fn long_rows(_: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (machine, matrix) = (place.machine, long_matrix()?);
    let length = |entries: u32| -> Result<u32, BoxedError> {
        let bound = format!("{entries}.0");
        Ok(count(&SPMV.assemble(&[("ROW_LENGTH", &bound)]))?.instructions)
    };
    let fits = |&entries: &u32| length(entries).is_ok_and(|length| length <= NV30_INSTRUCTIONS);
    let longest = (1..=NV30_INSTRUCTIONS).collect::<Vec<_>>().partition_point(fits) as u32;
    // Rectangles of one texel, so that every row has the program of its own length.
    let options =
        PackingOptions { rectangle: [1, 1], longest_pass: longest, ..PackingOptions::default() };
    let (packing, [images]) = pack([&matrix], &options)?;
    let (size, format) = (packing.size, Format::R32F);
    let gpu = SparseMatrix::upload(machine, &packing, &images, format)?;
    let mut random = SplitMix64::new(2);
    let x: Vec<f32> = (0..ROWS).map(|_| random.uniform() as f32 - 0.5).collect();
    let y = Stream::zeros(machine, "y", size, format)?;
    let on_gpu = Stream::from_data(machine, "x", size, format, &packing.scatter(&x))?;
    gpu.multiply(&on_gpu, &y)?;
    let errors = packing.gather(&y.read()?).into_iter().enumerate().map(|(row, y)| {
        let terms = || matrix.row(row).map(|(column, a)| a * f64::from(x[column]));
        (f64::from(y) - terms().sum::<f64>()).abs() / terms().map(f64::abs).sum::<f64>()
    });
    let passes = LENGTHS.map(|length| {
        let mut groups = packing.groups.iter();
        let group = groups.find(|group| group.row_length as usize == length);
        group.map_or(0, |group| group.passes)
    });
    let mut record = Record::new();
    record.one("longest", f64::from(longest));
    record.one("each", f64::from(length(1)? - length(0)?));
    record.text("passes", format!("{passes:?}"));
    record.one("difference", worst(errors));
    Ok(record)
}

/// A matrix whose first rows are the long ones.
fn long_matrix() -> Result<Csr<f64>, BoxedError> {
    let mut random = SplitMix64::new(1);
    let mut triplets: Vec<(usize, usize, f64)> = (0..ROWS).map(|row| (row, row, 2.0)).collect();
    for (row, length) in LENGTHS.into_iter().enumerate() {
        for c in 0..length {
            // Single-precision values, so that the upload is exact.
            let value = random.uniform() as f32 - 0.5;
            triplets.push((row, ROWS - 1 - c, f64::from(value)));
        }
    }
    Ok(Csr::from_triplets(ROWS, ROWS, triplets)?)
}

/// A matrix and its transpose.
pub static TRANSPOSE: Study = Study::measuring(
    "bolz2003/transpose",
    "Products with a nonsymmetric matrix and its transpose, and biconjugate gradients, next to double precision",
    Takes::some::<Settings>("rows"),
    &[
        ("products", "", "largest difference of the products, relative"),
        ("iterates", "", "largest difference of 20 iterates, relative"),
        ("single", "", "the same in single precision on the CPU"),
    ],
    transposed,
);

fn transposed(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (machine, Settings { rows, .. }) = (place.machine, experiment.typed()?);
    let single = one_sided(rows)?;
    let entries = single.triplets().map(|(i, j, v)| (i, j, f64::from(v)));
    let a = Csr::from_triplets(rows, rows, entries)?;
    let t = a.transpose();
    let (packing, [images, transposed]) = pack([&a, &t], &PackingOptions::default())?;
    let space = TextureSpace::new(machine, Layout::grid(packing.size, Format::R32F))?;
    let upload = |images| SparseMatrix::upload(machine, &packing, images, Format::R32F);
    let (gpu_a, gpu_t) = (upload(&images)?, upload(&transposed)?);
    let b = SplitMix64::new(2).vector(rows);
    let wide: Vec<f64> = b.iter().map(|&v| f64::from(v)).collect();

    let on_gpu = space.vector(&packing.scatter(&b))?;
    let mut products = Vec::new();
    for (gpu, matrix) in [(&gpu_a, &a), (&gpu_t, &t)] {
        let y = space.zeros()?;
        gpu.multiply(&on_gpu, &y)?;
        let mut expected = vec![0.0; rows];
        matrix.multiply(&wide, &mut expected)?;
        products.push(difference(&packing.gather(&y.read()?), &expected));
    }

    let images = iterates(&space, (&gpu_a, &gpu_t), &on_gpu, Stream::read)?;
    let images = images.into_iter().collect::<Result<Vec<_>, _>>()?;
    let found: Vec<Vec<f32>> = images.iter().map(|x| packing.gather(x)).collect();
    let expected = iterates(&HostSpace::<f64>::new(rows), (&a, &t), &wide, Vec::clone)?;
    let (space, transposed) = (HostSpace::<f32>::new(rows), single.transpose());
    let on_cpu = iterates(&space, (&single, &transposed), &b, Vec::clone)?;
    let error = |iterates: &[Vec<f32>]| {
        let pairs = iterates.iter().zip(&expected);
        let is_short = iterates.len() != expected.len();
        let short = is_short.then_some(f64::INFINITY);
        worst(pairs.map(|(found, expected)| difference(found, expected)).chain(short))
    };
    let mut record = Record::new();
    record.one("products", worst(products));
    record.one("iterates", error(&found));
    record.one("single", error(&on_cpu));
    Ok(record)
}

/// Copies of the iterates of biconjugate gradients from a zero start.
fn iterates<S: VectorSpace, T>(
    space: &S,
    (a, t): (&dyn Operator<S>, &dyn Operator<S>),
    b: &S::Vector,
    keep: impl Fn(&S::Vector) -> T,
) -> Result<Vec<T>, S::Error> {
    let mut iterates = Vec::new();
    let system = LinearSystem { space, operator: a, preconditioner: None, b };
    let transposed = Transposed { operator: t, preconditioner: None };
    let observer = |progress: &Progress<'_, S::Vector>| iterates.push(keep(progress.x));
    let (mut x, criteria) = (space.zeros()?, Criteria::exactly(ITERATES));
    biconjugate_gradients(&system, &transposed, &mut x, &criteria, observer)?;
    Ok(iterates)
}

/// A nonsymmetric, diagonally dominant matrix: up to eight more entries per row, in columns that are more likely
/// the further left they are.
fn one_sided(rows: usize) -> Result<Csr<f32>, BoxedError> {
    let mut random = SplitMix64::new(1);
    let mut triplets = Vec::new();
    for row in 0..rows {
        let mut sum = 1.0f32;
        for _ in 0..random.below(9) {
            let share = random.uniform();
            let column = ((share * share * rows as f64) as usize).min(rows - 1);
            let value = random.signed() as f32;
            if column != row {
                triplets.push((row, column, value));
                sum += value.abs();
            }
        }
        triplets.push((row, row, sum));
    }
    Ok(Csr::from_triplets(rows, rows, triplets)?)
}

/// Packed rows.
pub static PACKING: Study = Study::measuring(
    "bolz2003/packing",
    "Rows of meshes and matrices packed into rectangles",
    Takes::nothing(),
    &[
        ("costly", "", "rectangles without the least expensive program"),
        ("astray", "", "padding that does not point to the zero"),
        (
            "{scan|cube|torus|airfoil|knot|unit_cube|bcsstk01}.{rows|rectangles|programs|entries}",
            "",
            "of an input",
        ),
        (
            "{scan|cube|torus|airfoil|knot|unit_cube|bcsstk01}.{padding|empty}",
            "%",
            "padding of all its entries, and empty texels of the vector's texture",
        ),
    ],
    packed,
);

fn packed(_: &Experiment, _: Place<'_>) -> Result<Record, BoxedError> {
    let mut all = vec![
        of_mesh("scan", &bundled::scan()?)?,
        of_mesh("cube", &generate::cube(40))?,
        of_mesh("torus", &generate::torus(20_000, 1))?,
    ];
    for (name, file) in bundled::MATRICES {
        let (packing, [images]) = pack([&bundled::matrix(file)?], &PackingOptions::default())?;
        all.push((name, packing, vec![images.column]));
    }
    let mut record = Record::new();
    for (name, packing, _) in &all {
        let counts = packing.counts();
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let rectangles: usize = packing.groups.iter().map(|group| group.rects.len()).sum();
        for (what, number) in [
            ("rows", counts.rows as f64),
            ("rectangles", rectangles as f64),
            ("programs", packing.groups.len() as f64),
            ("entries", counts.entries as f64),
            ("padding", percent(counts.padding, counts.entries + counts.padding)),
            ("empty", percent(counts.unused_texels as u64, packing.area() as u64)),
        ] {
            record.one(format!("{name}.{what}"), number);
        }
    }
    let caption = "The texture of the scan's positions, coloured by the length of the program, longest rows at the \
                   bottom. Pale texels are padded rows; all padding points to the one zero, black.";
    record.picture("packing", caption, pictures::packing(&all[0].1)?);
    let costly: usize = all.iter().map(|(_, packing, _)| costly(packing)).sum();
    let wrong =
        |(_, packing, all): &Packed| all.iter().map(|one| astray(packing, one)).sum::<usize>();
    let astray: usize = all.iter().map(wrong).sum();
    record.one("costly", costly as f64);
    record.one("astray", astray as f64);
    Ok(record)
}

/// The name of an input, its packing, and the streams of pointers.
type Packed = (&'static str, Packing, Vec<Vec<[f32; 2]>>);

fn of_mesh(name: &'static str, mesh: &TriangleMesh) -> Result<Packed, BoxedError> {
    let layout = FlowLayout::new(&Connectivity::new(mesh)?, &PackingOptions::default())?;
    Ok((name, layout.packing, layout.pointers.into()))
}

/// Rectangles whose program is not the one for their longest row; one more if they are not in the order of their cost.
fn costly(packing: &Packing) -> usize {
    let mut lengths = vec![0; packing.area()];
    for (&texel, length) in packing.texel.iter().zip(&packing.row_lengths) {
        lengths[packing.index(texel)] = length.unwrap_or(0);
    }
    let longest = |rect: &Rect| {
        let lines = (rect.y..rect.y + rect.height).map(|y| packing.index([rect.x, y]));
        let texels = lines.flat_map(|start| start..start + rect.width as usize);
        texels.map(|texel| lengths[texel]).max()
    };
    let wrong = |group: &Group| {
        let rects = group.rects.iter();
        rects.filter(|rect| longest(rect) != Some(group.row_length)).count()
    };
    let groups = &packing.groups;
    let is_ordered = groups.is_sorted_by(|a, b| a.row_length > b.row_length);
    groups.iter().map(wrong).sum::<usize>() + usize::from(!is_ordered)
}

/// Pointers of padding to anything but the zero, and of entries to no unknown.
fn astray(packing: &Packing, pointers: &[[f32; 2]]) -> usize {
    let bits = |pointer: [f32; 2]| pointer.map(f32::to_bits);
    let zero = HashSet::from([bits(centre(packing.zero))]);
    let values: HashSet<_> = packing.texel.iter().map(|&texel| bits(centre(texel))).collect();
    let mut targets = vec![&zero; packing.segment_area()];
    for (row, group) in packing.rows() {
        for c in 0..packing.row_lengths[row].unwrap_or(0) {
            targets[packing.entry_index(row, group, c)] = &values;
        }
    }
    let pairs = pointers.iter().zip(targets);
    pairs.filter(|(pointer, targets)| !targets.contains(&bits(**pointer))).count()
}

/// The first row of group k, on the CPU. The rows are those of the scan, sorted by their number of off-diagonal entries;
/// unused vertices have none.
pub static GROUPS: Study = Study::measuring(
    "bolz2003/groups",
    "Rows of the scan that get a program of another length, or none, by two formulas for the first row of a group",
    Takes::nothing(),
    &[
        ("wrong.{printed|corrected}", "", "such rows, with the sum from l = 1 or from l = 0"),
        ("rows", "", "rows"),
        ("empty", "", "rows without off-diagonal entries"),
    ],
    |_, _| {
        let rings = Connectivity::new(&bundled::scan()?)?;
        let mut lengths: Vec<usize> = (0..rings.vertices()).map(|i| rings.valence(i)).collect();
        lengths.sort_unstable();
        let rows = |k: usize| lengths.iter().filter(|&&length| length == k).count();
        let counts: Vec<usize> = (0..=lengths.last().map_or(0, |&k| k)).map(rows).collect();
        // Group k begins after the rows of the groups from `first` to k − 1.
        let wrong = |first: usize| {
            let mut drawn = vec![None; lengths.len()];
            for (k, &count) in counts.iter().enumerate() {
                let start: usize = counts[first.min(k)..k].iter().sum();
                drawn[start..start + count].fill(Some(k));
            }
            let pairs = drawn.iter().zip(&lengths);
            pairs.filter(|&(drawn, length)| *drawn != Some(*length)).count() as f64
        };
        let mut record = Record::new();
        record.one("wrong.printed", wrong(1));
        record.one("wrong.corrected", wrong(0));
        record.one("rows", lengths.len() as f64);
        record.one("empty", counts[0] as f64);
        Ok(record)
    },
);

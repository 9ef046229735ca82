//! §3.1.1 and §3.2.2: long rows, the transpose, and packing.

use std::collections::HashSet;

use crate::base::random::SplitMix64;
use crate::bolz2003::sparse::flow::FlowLayout;
use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::{Group, Packing, PackingOptions};
use crate::bolz2003::sparse::spmv::{SPMV, SparseMatrix};
use crate::bolz2003::study::pictures;
use crate::bundled;
use crate::card::count::count;
use crate::claim::{BoxedError, Checked, Claim, Found, Run, Table, difference, worst};
use crate::mesh::{Connectivity, TriangleMesh, generate};
use crate::solver::{
    Criteria, Csr, HostSpace, LinearSystem, Operator, Progress, TextureSpace, Transposed,
    VectorSpace, biconjugate_gradients,
};
use crate::stream::rows::centre;
use crate::stream::{Format, Layout, Rect, Stream};

/// Longest program of the GeForce FX (NV30), in instructions.
const NV30_INSTRUCTIONS: u32 = 1024;
/// Entries of the longest row in one pass: the paper's round number, and the largest that still rounds down to it.
const LONGEST: [f64; 2] = [200.0, 249.0];
/// Off-diagonal entries of the long rows, and their passes. With its diagonal entry, the first row has the paper's 200
/// non-zero entries.
const LENGTHS: [(usize, u32); 6] = [(199, 1), (200, 1), (204, 1), (205, 2), (450, 3), (1000, 5)];
/// Rows of their matrix; those after the long ones have a diagonal entry only.
const ROWS: usize = 1500;
/// Rounding error of single-precision sums of a thousand terms, in units of Σ|a_ij x_j|.
const ROUNDING: f64 = 1e-6;

/// Iterates of biconjugate gradients that are compared.
const ITERATES: usize = 20;
/// Rounding error of products in single precision, relative to the largest value.
const PRODUCTS: f64 = 1e-5;
/// Largest distance of iterates from double precision, relative to that of single precision on the CPU.
const FACTOR: f64 = 4.0;

pub(super) fn long_rows(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, matrix) = (run.machine, long_matrix()?);
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
    let passes = LENGTHS.map(|(length, _)| {
        let mut groups = packing.groups.iter();
        let group = groups.find(|group| group.row_length as usize == length);
        group.map_or(0, |group| group.passes)
    });
    let expected = format!("{:?}", LENGTHS.map(|(_, passes)| passes));
    let each = length(1)? - length(0)?;
    Ok(Found::new()
        .between("entries of the longest row in one pass", f64::from(longest + 1), LONGEST)
        .headline("entries")
        .shows("instructions per entry", f64::from(each))
        .is("passes for 199, 200, 204, 205, 450, 1000 entries off the diagonal", format!("{passes:?}"), expected)
        .at_most("largest difference from double precision, relative to Σ|a x|", worst(errors), ROUNDING)
        .because("Here the length of the program limits a pass. The paper names texture indirections, which NV_fragment_program \
             does not limit."))
}

/// A matrix whose first rows are the long ones.
fn long_matrix() -> Result<Csr<f64>, BoxedError> {
    let mut random = SplitMix64::new(1);
    let mut triplets: Vec<(usize, usize, f64)> = (0..ROWS).map(|row| (row, row, 2.0)).collect();
    for (row, (length, _)) in LENGTHS.into_iter().enumerate() {
        for c in 0..length {
            // Single-precision values, so that the upload is exact.
            let value = random.uniform() as f32 - 0.5;
            triplets.push((row, ROWS - 1 - c, f64::from(value)));
        }
    }
    Ok(Csr::from_triplets(ROWS, ROWS, triplets)?)
}

pub(super) fn transpose(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, rows) = (run.machine, run.pick(700, 7000));
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
    let (name, bound) = ("largest difference of 20 iterates", FACTOR * error(&on_cpu));
    Ok(Found::new()
        .at_most("largest difference of products from double precision", worst(products), PRODUCTS)
        .headline("relative error")
        .at_most(name, error(&found), bound)
        .because(
            "The bound of the iterates is four times the error of single precision on the CPU.",
        ))
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

pub(super) fn padding(run: &mut Run<'_>, _: &Claim) -> Checked {
    let mut all = vec![
        of_mesh("scan", &bundled::scan()?)?,
        of_mesh("cube", &generate::cube(40))?,
        of_mesh("torus", &generate::torus(20_000, 1))?,
    ];
    for (name, file) in bundled::MATRICES {
        let (packing, [images]) = pack([&bundled::matrix(file)?], &PackingOptions::default())?;
        all.push((name, packing, vec![images.column]));
    }
    let caption = "Packing into rectangles of 26×18 texels: programs, padding as a share of the entries, and empty \
                   texels of the vector's texture.";
    let columns =
        ["input", "rows", "rectangles", "programs", "entries", "padding (%)", "empty texels (%)"];
    let mut table = Table::new(caption, columns);
    for (name, packing, _) in &all {
        let counts = packing.counts();
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let numbers = [
            packing.groups.iter().map(|group| group.rects.len()).sum::<usize>() as f64,
            packing.groups.len() as f64,
            counts.entries as f64,
            percent(counts.padding, counts.entries + counts.padding),
            percent(counts.unused_texels as u64, packing.area() as u64),
        ];
        table.point(name, counts.rows, numbers);
    }
    let of_scan = |column: &str| table.numbers(column)[0];
    let [rectangles, programs, padding] = [columns[2], columns[3], columns[5]].map(of_scan);
    run.table("packing", table);
    let caption = "The texture of the scan's positions, coloured by the length of the program, longest rows at the \
                   bottom. Pale texels are padded rows; all padding points to the one zero, black.";
    run.figure("packing", caption, pictures::packing(&all[0].1)?);
    let costly: usize = all.iter().map(|(_, packing, _)| costly(packing)).sum();
    let wrong =
        |(_, packing, all): &Packed| all.iter().map(|one| astray(packing, one)).sum::<usize>();
    let astray: usize = all.iter().map(wrong).sum();
    Ok(Found::new()
        .equal("rectangles without the least expensive program", costly as f64, 0.0)
        .headline("rectangles without it")
        .equal("padding that does not point to the zero", astray as f64, 0.0)
        .shows("rectangles of the scan", rectangles)
        .shows("programs of the scan", programs)
        .shows("padding of the scan", (padding, "%")))
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

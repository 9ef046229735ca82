//! §3.1.1: products with the transpose, which is stored too, and biconjugate gradients by them.

use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::{Packing, PackingOptions};
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, difference, worst,
};
use crate::random::SplitMix64;
use crate::solver::{
    Criteria, Csr, HostSpace, LinearSystem, Operator, Progress, TextureSpace, Transposed,
    VectorSpace, biconjugate_gradients,
};
use crate::stream::{Format, Layout, Machine, Stream};

const CLAIM: Claim = Claim {
    id: "bolz2003/transpose",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.1.1",
    statement: "Products with the transpose need it explicitly; of row i of A and of Aᵀ the shorter is padded \
                with zeros, so that both act on the same vectors. Here: both products, and the first twenty \
                iterates of biconjugate gradients, are those of double precision, but for rounding.",
    paper: "an explicit Aᵀ, padded",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/explicit-transpose",
    section: "§3.1.1",
    title: "A matrix with its transpose, and biconjugate gradients",
    claims: &[CLAIM],
    run,
};

/// Iterates that are compared.
const COUNT: usize = 20;
/// Single precision with short sums allows this much of the largest value.
const BOUND: f64 = 1e-5;
/// Roundings are as large on both sides, but others.
const FACTOR: f64 = 4.0;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let rows = if options.quick { 700 } else { 7000 };
    Ok(vec![check(machine, rows)?])
}

/// Checks it on a matrix with so many rows.
pub fn check(machine: &Machine, rows: usize) -> Result<Finding, BoxedError> {
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
    let mut errors = Vec::new();
    for (gpu, matrix) in [(&gpu_a, &a), (&gpu_t, &t)] {
        let y = space.zeros()?;
        gpu.multiply(&on_gpu, &y)?;
        let mut expected = vec![0.0; rows];
        matrix.multiply(&wide, &mut expected)?;
        errors.push(difference(&packing.gather(&y.read()?), &expected));
    }
    let products = worst(errors);

    let images = iterates(&space, (&gpu_a, &gpu_t), &on_gpu, Stream::read)?;
    let images = images.into_iter().collect::<Result<Vec<_>, _>>()?;
    let found: Vec<Vec<f32>> = images.iter().map(|x| packing.gather(x)).collect();
    let expected = iterates(&HostSpace::<f64>::new(rows), (&a, &t), &wide, Vec::clone)?;
    let (space, transposed) = (HostSpace::<f32>::new(rows), single.transpose());
    let on_cpu = iterates(&space, (&single, &transposed), &b, Vec::clone)?;
    let [iterates, of_cpu] = [found, on_cpu].map(|iterates| {
        let pairs = iterates.iter().zip(&expected);
        let error = worst(pairs.map(|(found, expected)| difference(found, expected)));
        match iterates.len() == expected.len() {
            true => error,
            false => f64::INFINITY,
        }
    });
    let measured = format!("products off by {products:.1e}, {COUNT} iterates by {iterates:.1e}");
    let why = format!(
        "{rows} rows whose lengths are not their columns': entries cluster in the first columns. Off the \
         diagonal A and Aᵀ have {} entries each and {} slots. Of the largest value products may be off by \
         {BOUND:.0e}, and iterates {FACTOR} times as far as the CPU's in single precision, which are off by \
         {of_cpu:.1e}.",
        a.entries() - rows,
        slots(&packing),
    );
    let holds = products <= BOUND && iterates <= FACTOR * of_cpu;
    Ok(CLAIM.judge(holds, measured, why))
}

/// Off-diagonal entries that all rows of a packing have room for.
fn slots(packing: &Packing) -> u64 {
    let rows = packing.rows();
    rows.map(|(_, group)| u64::from(group.row_length)).sum()
}

/// Biconjugate gradients from zero: what is kept of the iterates.
fn iterates<S: VectorSpace, T>(
    space: &S,
    (a, t): (&dyn Operator<S>, &dyn Operator<S>),
    b: &S::Vector,
    keep: impl Fn(&S::Vector) -> T,
) -> Result<Vec<T>, S::Error> {
    let mut iterates = Vec::new();
    let system = LinearSystem {
        space,
        operator: a,
        preconditioner: None,
        b,
    };
    let transposed = Transposed {
        operator: t,
        preconditioner: None,
    };
    let observer = |progress: &Progress<'_, S::Vector>| iterates.push(keep(progress.x));
    let (mut x, criteria) = (space.zeros()?, Criteria::exactly(COUNT));
    biconjugate_gradients(&system, &transposed, &mut x, &criteria, observer)?;
    Ok(iterates)
}

/// A matrix that is not symmetric, dominated by its diagonal: up to eight more entries a row, in columns that
/// are the likelier the further to the left.
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

//! §3.1.1: rows of two hundred entries in a single pass, longer ones in several.

use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::spmv::{SPMV, SparseMatrix};
use crate::card::count::count;
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, listed, worst,
};
use crate::random::SplitMix64;
use crate::solver::Csr;
use crate::stream::{Format, Machine, Stream};

const CLAIM: Claim = Claim {
    id: "bolz2003/rows200",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§3.1.1",
    statement: "Rows of up to 200 non-zero entries are processed in a single pass, as many as a program \
                of the GeForce FX has instructions for; longer ones need more.",
    paper: "200 entries: one pass",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/long-rows",
    section: "§3.1.1",
    title: "Rows of two hundred entries, and longer ones",
    claims: &[CLAIM],
    run,
};

/// Instructions of a program of the GeForce FX (NV30) at most.
const NV30_INSTRUCTIONS: u32 = 1024;
/// The paper's number, which is round.
const PAPER: u32 = 200;
/// Off-diagonal entries of the matrix's long rows. With the diagonal one, the first has the paper's 200
/// non-zero entries.
const LENGTHS: [usize; 6] = [199, 200, 204, 205, 450, 1000];
/// Rows of the matrix; those after the long ones have a diagonal entry only.
const ROWS: usize = 1500;
/// Single-precision sums of a thousand terms may be off by so much, in units of Σ|a_ij x_j|.
const TOLERANCE: f64 = 1e-6;

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let matrix = matrix()?;
    let mut random = SplitMix64::new(2);
    let x: Vec<f32> = (0..ROWS).map(|_| random.uniform() as f32 - 0.5).collect();
    let exact: Vec<f64> = (0..ROWS).map(|row| terms(&matrix, &x, row).sum()).collect();
    let size = |row| terms(&matrix, &x, row).map(f64::abs).sum();
    let scale: Vec<f64> = (0..ROWS).map(size).collect();

    let (longest, instructions) = longest_row()?;
    // A rectangle of one texel, so that every row has the program of its own length.
    let product = |longest_pass| multiply(machine, &matrix, &x, longest_pass);
    let (y, passes) = product(longest)?;
    let (in_one, _) = product(1000)?;
    let (in_many, most) = product(7)?;
    let error = |y: &[f32]| {
        let rows = y.iter().zip(&exact).zip(&scale);
        worst(rows.map(|((&y, exact), scale)| (f64::from(y) - exact).abs() / scale))
    };
    let largest = worst([&y, &in_one, &in_many].map(|y| error(y)));
    let same = y == in_one && y == in_many;

    let each = |(length, passes)| format!("{length} in {passes}");
    let measured = format!(
        "at most {} entries; off the diagonal, in passes: {}",
        longest + 1,
        listed(LENGTHS.iter().zip(&passes).map(each))
    );
    let why = format!(
        "Counted, the program takes {} instructions and {} for each entry off the diagonal: {longest} of \
         them and the diagonal one fit {NV30_INSTRUCTIONS}; the paper's {PAPER} is a round number below. \
         Each row against double precision: at most {largest:.0e} of Σ|a_ij x_j|. The same rows in one \
         pass of 1000 and in up to {} passes of 7 give {}.",
        instructions[0],
        instructions[1],
        most.iter().max().unwrap_or(&0),
        match same {
            true => "the same bits",
            false => "the same to rounding, not the same bits",
        },
    );
    // A fourth less would be rounded to another number.
    let round = (PAPER..PAPER * 5 / 4).contains(&(longest + 1));
    let holds = round && passes == [1, 1, 1, 2, 3, 5] && largest < TOLERANCE;
    Ok(vec![CLAIM.judge(holds, measured, why)])
}

/// The longest row off the diagonal whose program the NV30 holds, and how long programs are: without such
/// an entry, and what each adds.
fn longest_row() -> Result<(u32, [u32; 2]), BoxedError> {
    let length = |entries: u32| -> Result<u32, BoxedError> {
        let bound = format!("{entries}.0");
        Ok(count(&SPMV.assemble(&[("ROW_LENGTH", &bound)]))?.instructions)
    };
    let (first, each) = (length(0)?, length(1)? - length(0)?);
    let longest = (NV30_INSTRUCTIONS - first) / each;
    // Counted, not concluded: the longest fits, and one more does not.
    if length(longest)? > NV30_INSTRUCTIONS || length(longest + 1)? <= NV30_INSTRUCTIONS {
        return Err(format!("a program for {longest} entries is not {first} + {each} each").into());
    }
    Ok((longest, [first, each]))
}

/// A matrix whose first rows have [`LENGTHS`] off-diagonal entries.
fn matrix() -> Result<Csr<f64>, BoxedError> {
    let mut random = SplitMix64::new(1);
    let mut triplets: Vec<(usize, usize, f64)> = (0..ROWS).map(|row| (row, row, 2.0)).collect();
    for (row, length) in LENGTHS.into_iter().enumerate() {
        for c in 0..length {
            // Single-precision values, so that nothing is lost in the upload.
            let value = random.uniform() as f32 - 0.5;
            triplets.push((row, ROWS - 1 - c, f64::from(value)));
        }
    }
    Ok(Csr::from_triplets(ROWS, ROWS, triplets)?)
}

/// The products that a row's result is the sum of.
fn terms<'a>(matrix: &'a Csr<f64>, x: &'a [f32], row: usize) -> impl Iterator<Item = f64> + 'a {
    matrix.row(row).map(|(column, a)| a * f64::from(x[column]))
}

/// The product on the machine, and the passes of each of the long rows.
fn multiply(
    machine: &Machine,
    rows: &Csr<f64>,
    x: &[f32],
    longest_pass: u32,
) -> Result<(Vec<f32>, Vec<u32>), BoxedError> {
    let options = PackingOptions {
        rectangle: [1, 1],
        longest_pass,
        ..PackingOptions::default()
    };
    let (packing, [images]) = pack([rows], &options)?;
    let size = packing.size;
    let matrix = SparseMatrix::upload(machine, &packing, &images, Format::R32F)?;
    let x = Stream::from_data(machine, "x", size, Format::R32F, &packing.scatter(x))?;
    let y = Stream::zeros(machine, "y", size, Format::R32F)?;
    matrix.multiply(&x, &y)?;
    let passes = LENGTHS.iter().map(|&length| {
        let mut groups = packing.groups.iter();
        let group = groups.find(|group| group.row_length as usize == length);
        group.map_or(0, |group| group.passes)
    });
    Ok((packing.gather(&y.read()?), passes.collect()))
}

//! §2, §3.2, §4.2, §6: what a product takes by the ways to store and to sum, and matrices that are not
//! square.

use crate::card::cost::bill;
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, difference, worst,
};
use crate::kruger2003::matrices::diagonals::MOST_A_PASS;
use crate::kruger2003::speed::{equal_diagonals, product, vector_product};
use crate::kruger2003::{
    Accumulation, AlgebraError, DiagonalMatrix, DiagonalOptions, Matrix, VertexMatrix,
};
use crate::solver::Csr;
use crate::stream::{Format, Layout, Machine, Stream};
use crate::timing::case::measure;
use crate::timing::cost::{Cost, all, costs};
use crate::timing::{Effort, Work};

use super::matrices::all_layouts;
use super::samples::{BOUND, judge, sparse, stencil, vector, wide};

const SEVERAL: Claim = Claim {
    id: "kruger2003/diagonals-a-pass",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.2",
    statement: "Several adjacent diagonals in a pass, up to as many as there are texture units for, \
                instead of one.",
    paper: "a considerable speed-up; no number",
};
const IN_PLACE: Claim = Claim {
    id: "kruger2003/in-place",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.2",
    statement: "A pass reads the sum so far from its own target: after the last diagonal the result is in \
                place.",
    paper: "no second texture; no number",
};
const VERTICES: Claim = Claim {
    id: "kruger2003/vertices",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§4.2",
    statement: "Vertices instead of textures save memory, rasterisation and fetches where a matrix is \
                sparse.",
    paper: "a significant amount; no number",
};
const FORMATS: Claim = Claim {
    id: "kruger2003/higher-precision",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "Access to textures of higher precision slows an operation down.",
    paper: "1.5 to 2 times",
};
const NOT_SQUARE: Claim = Claim {
    id: "kruger2003/not-square",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§2",
    statement: "Matrices that are not square can be organised in the same way: here they are extended by \
                empty rows or columns.",
    paper: "in exactly the same way",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/product",
    section: "§2, §3.2, §4.2, §6",
    title: "What a product takes, by how it is stored and summed",
    claims: &[SEVERAL, IN_PLACE, VERTICES, FORMATS, NOT_SQUARE],
    run,
};

/// Diagonals in a pass.
const A_PASS: [usize; 5] = [1, 2, 4, 7, MOST_A_PASS];
/// A time is no longer than another if it is within this factor of it.
const NO_LONGER: f64 = 1.1;
/// A saving is significant if it leaves at most one half.
const SIGNIFICANT: f64 = 2.0;
/// The paper's range of factors between precisions, and by how much ours may lie beyond it.
const PAPER_FORMATS: [f64; 2] = [1.5, 2.0];
const BEYOND: f64 = 1.25;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let effort = Effort {
        chain: 2,
        ..Effort::of(options.quick)
    };
    let [several, in_place] = diagonals(machine, 512 * 512, effort)?;
    Ok(vec![
        several,
        in_place,
        vertices(machine, 1024, effort)?,
        formats(machine, effort)?,
        not_square(machine)?,
    ])
}

/// How often texels are fetched.
fn fetches(cost: &Cost) -> f64 {
    bill(&cost.ledger).total().fetches as f64
}

/// Fourteen adjacent diagonals of matrices with n rows: one to fourteen a pass, and in place.
pub fn diagonals(machine: &Machine, n: usize, effort: Effort) -> Result<[Finding; 2], BoxedError> {
    let layout = Layout::square(n, Format::R32F)?;
    let numbers: Vec<usize> = (0..MOST_A_PASS).collect();
    let stored = equal_diagonals(layout.capacity(), &numbers);
    let matrix = |a_pass, accumulation| {
        let options = DiagonalOptions {
            a_pass,
            accumulation,
        };
        DiagonalMatrix::from_diagonals(machine, layout, &stored, options)
    };
    let timed = |a_pass, accumulation| -> Result<Work<'static>, AlgebraError> {
        Ok(product(machine, layout, matrix(a_pass, accumulation)?)?)
    };
    let [a, b, c, d, e] = A_PASS.map(|a_pass| timed(a_pass, Accumulation::InPlace));
    let works = all([a, b, c, d, e, timed(1, Accumulation::PingPong)])?;
    let costs = costs(machine, effort, works)?;
    let same = {
        let x = Stream::from_entries(machine, "x", layout, &vector(n, 5))?;
        let result = |accumulation| -> Result<Vec<f32>, BoxedError> {
            let mut y = Stream::vector(machine, "y", layout)?;
            matrix(1, accumulation)?.multiply(&x, &mut y)?;
            Ok(y.read_rect(y.full())?)
        };
        result(Accumulation::InPlace)? == result(Accumulation::PingPong)?
    };
    Ok([several(&costs[..A_PASS.len()]), in_place(&costs, same)])
}

fn several(costs: &[Cost]) -> Finding {
    let seconds: Vec<f64> = costs.iter().map(|cost| cost.seconds).collect();
    let last = seconds.len() - 1;
    let gain = seconds[0] / seconds[last];
    let by_fetches = fetches(&costs[0]) / fetches(&costs[last]);
    let falls = seconds
        .windows(2)
        .all(|pair| pair[1] <= NO_LONGER * pair[0]);
    let listed = A_PASS.iter().zip(&seconds);
    let listed: Vec<String> = listed
        .map(|(a_pass, seconds)| format!("{a_pass}: {:.2} ms", seconds * 1e3))
        .collect();
    let text = format!("{}; {gain:.1} times", listed.join(", "));
    let why = format!(
        "Fourteen diagonals, one entry a texel, summed in place. Considerable is taken to mean at least the \
         {by_fetches:.2} times by which fourteen a pass save fetches, of the sum so far, and that no more of \
         them take longer than fewer.",
    );
    let model = costs[0].nv30_seconds / costs[last].nv30_seconds;
    let finding = SEVERAL.judge(falls && gain >= by_fetches, text, why);
    finding.with_model(format!("GeForce FX: {model:.2} times"))
}

fn in_place(costs: &[Cost], same: bool) -> Finding {
    let (own, turns) = (&costs[0], &costs[A_PASS.len()]);
    let ratio = own.seconds / turns.seconds;
    let text = format!(
        "{ratio:.2} times as long as with two textures that take turns, {} results",
        if same { "the same" } else { "other" }
    );
    let why = format!(
        "Fourteen passes of one diagonal, each in two draws; one vector less. Required are the same bits in no more than \
         {NO_LONGER} times the time. Changes of the target: {} in place, {} in turns; passes that read their \
         own target, each after a barrier: {}.",
        own.ledger.target_switches,
        turns.ledger.target_switches,
        own.ledger.total().feedback,
    );
    IN_PLACE.judge(same && ratio <= NO_LONGER, text, why)
}

/// What storing a matrix in both ways takes, and a product.
struct Ways {
    /// Bytes uploaded: diagonals, vertices.
    bytes: [f64; 2],
    costs: [Cost; 2],
}

impl Ways {
    fn of(machine: &Machine, matrix: &Csr<f64>, effort: Effort) -> Result<Self, BoxedError> {
        let layout = Layout::square(matrix.rows(), Format::R32F)?;
        let uploaded = || machine.take_ledger().bytes_uploaded as f64;
        uploaded();
        let options = DiagonalOptions::default();
        let diagonals = DiagonalMatrix::new(machine, layout, matrix, options)?;
        let of_diagonals = uploaded();
        let vertices = VertexMatrix::new(machine, layout, matrix, Accumulation::InPlace)?;
        let bytes = [of_diagonals, uploaded()];
        let works = [
            product(machine, layout, diagonals)?,
            product(machine, layout, vertices)?,
        ];
        Ok(Self {
            bytes,
            costs: costs(machine, effort, works)?,
        })
    }

    /// How many times as much diagonals take as vertices: bytes, fragments, fetches, seconds.
    fn savings(&self) -> [f64; 4] {
        let [diagonals, vertices] = &self.costs;
        let fragments = |cost: &Cost| cost.ledger.total().fragments as f64;
        [
            self.bytes[0] / self.bytes[1],
            fragments(diagonals) / fragments(vertices),
            fetches(diagonals) / fetches(vertices),
            diagonals.seconds / vertices.seconds,
        ]
    }
}

/// A sparse matrix of n rows, entries anywhere, and beside it one with five diagonals.
pub fn vertices(machine: &Machine, n: usize, effort: Effort) -> Result<Finding, BoxedError> {
    let matrix = sparse(n, 13, 4)?;
    let scattered = Ways::of(machine, &matrix, effort)?.savings();
    let side = 2 * (n as f64).sqrt() as usize;
    let band = Ways::of(machine, &stencil(side, side, 0.5), effort)?.savings();
    let listed = |[bytes, fragments, fetches, seconds]: [f64; 4]| {
        format!(
            "{bytes:.2} of the bytes, {fragments:.2} of the fragments, {fetches:.2} of the fetches, {seconds:.2} of the time"
        )
    };
    let [bytes, fragments, fetches, _] = scattered;
    let text = format!(
        "diagonals take {bytes:.0} times the bytes, {fragments:.0} times the fragments, {fetches:.0} times the \
         fetches"
    );
    let why = format!(
        "{n} rows of 6.5 entries in the mean, anywhere: nearly every diagonal has one; fourteen diagonals \
         a pass. Significant is taken to mean one half at most. Diagonals to vertices: {}; on the five \
         diagonals of a grid of {side}²: {}.",
        listed(scattered),
        listed(band),
    );
    let holds = [bytes, fragments, fetches]
        .iter()
        .all(|&r| r >= SIGNIFICANT);
    Ok(VERTICES.judge(holds, text, why))
}

fn formats(machine: &Machine, effort: Effort) -> Result<Finding, BoxedError> {
    let formats = [Format::R32F, Format::R16F, Format::Rgba32F, Format::Rgba16F];
    let products = formats.map(|format| -> Result<_, AlgebraError> {
        let layout = Layout::square(1024 * 1024, format)?;
        Ok(vector_product(machine, layout)?.alone())
    });
    let times = measure(machine, effort, all(products)?)?;
    let [one, four] = [0, 2].map(|k| times[k].kernel / times[k + 1].kernel);
    let text = format!(
        "32 to 16 bits: {four:.2} times as long with four entries a texel, {one:.2} with one"
    );
    let [low, high] = PAPER_FORMATS;
    let why = format!(
        "The product of two vectors of 1024² entries, with four of them a texel as in the paper's \
         timings; agreed is {:.1} to {:.1}. 32 bits are twice the bytes; programs compute in 32 bits \
         here in either case. How much of the time goes into bytes is not isolated.",
        low / BEYOND,
        high * BEYOND,
    );
    let agrees = (low / BEYOND..=high * BEYOND).contains(&four);
    Ok(FORMATS.judge(agrees, text, why))
}

/// Products of a wide and a high matrix from every layout.
pub fn not_square(machine: &Machine) -> Result<Finding, BoxedError> {
    let mut errors = Vec::new();
    for (rows, columns) in [(90, 170), (170, 90)] {
        let order = 170;
        let square = sparse(order, 9, 6)?;
        let inside = |&(row, column, _): &(usize, usize, f64)| row < rows && column < columns;
        let entries: Vec<_> = square.triplets().filter(inside).collect();
        let extended = Csr::from_triplets(order, order, entries.iter().copied())?;
        let matrix = Csr::from_triplets(rows, columns, entries)?;
        let x = vector(columns, 7);
        let mut expected = vec![0.0; rows];
        matrix.multiply(&wide(&x), &mut expected)?;
        let mut padded = x;
        padded.resize(order, 0.0);
        for format in [Format::R32F, Format::Rgba32F] {
            let layout = Layout::square(order, format)?;
            let x = Stream::from_entries(machine, "x", layout, &padded)?;
            for (_, gpu) in all_layouts(machine, layout, &extended)? {
                let mut y = Stream::vector(machine, "y", layout)?;
                gpu.multiply(&x, &mut y)?;
                errors.push(difference(&y.read_rect(y.full())?[..rows], &expected));
            }
        }
    }
    let remark = "90 × 170 and 170 × 90 entries in textures of 170: diagonals, columns and vertices, one and \
                  four entries a texel."
        .to_owned();
    Ok(judge(NOT_SQUARE, worst(errors), BOUND, remark))
}

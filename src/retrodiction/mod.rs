//! A retrodiction: every timing that the papers print and that can be computed from their texts, compared with the
//! calibrated model ([`crate::card::cost::calibrated`]).
//!
//! Lengths of programs are the paper's if it prints them, otherwise those of fragstream's programs,
//! counted from their texts. Textures hold four channels of 32 bits, as the papers' did; G3 is of 16 bits.
//!
//! The model was calibrated with 18 timings, and its form was chosen after they were seen. Timings composed of several
//! operations show only that the operations add up. What one change of a program gains ([`gains`]) was left out of the
//! fit.
//!
//! Not computed: goodnight2003's Fig. 2 is a curve without numbers, and its Fig. 7 is read-backs, which the model does
//! not know; steps 4, 5, 9 and 10 of batty2003's Appendix C change the number of iterations, or have no number.

#[cfg(feature = "plot")]
pub mod claims;
pub mod refit;
pub mod witnesses;

use serde::Serialize;

use crate::batty2003::study::table::{calls, milliseconds, printed};
use crate::batty2003::{Entries, Index, Offsets, Settings, product_source};
use crate::card::cost::theory::reduction_levels;
use crate::card::cost::{
    Architecture, Area, Card, DIRECT3D_9, Demand, Device, Driver, FITTED, GEFORCE_FX_5800_ULTRA,
    Halving, Numbers, OPENGL, QUADRO_FX_1000, QUADRO_FX_2000, RADEON_9800,
};
use crate::card::count::{CountError, count};
use crate::kruger2003::study::printed as in_kruger2003;
use crate::stream::{Size, Source, source};

/// Largest factor between the model and a printed timing.
pub const FACTOR: f64 = 1.3;

/// Relation of a timing to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The model was fitted to it and to others.
    Calibrated,
    /// The model was not fitted to it.
    HeldOut,
    /// The only timing to which one of the model's numbers was fitted: no evidence for the model.
    Witness,
    /// Computed from a printed rate, or with its own witness in it: no evidence for the model.
    Derived,
    /// A part of what was timed; the rest is not printed.
    Share,
}

impl Basis {
    /// All relations.
    pub const ALL: [Self; 5] =
        [Self::Calibrated, Self::HeldOut, Self::Witness, Self::Derived, Self::Share];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calibrated => "calibrated",
            Self::HeldOut => "held out",
            Self::Witness => "its own witness",
            Self::Derived => "derived",
            Self::Share => "a share of what was timed",
        }
    }

    /// Tests whether the model is judged by it.
    pub fn is_judged(self) -> bool {
        matches!(self, Self::Calibrated | Self::HeldOut)
    }
}

/// Origin of the seconds of a timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// The paper prints the time.
    Time,
    /// The paper prints a rate of the operation, as in 120 per second.
    Rate,
    /// The paper prints a rate of something else, as in bytes per second.
    Bytes,
}

impl Provenance {
    /// Words in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Rate => "rate",
            Self::Bytes => "bytes per second",
        }
    }
}

/// A timing that a paper prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// The paper's initial, and a number.
    pub id: &'static str,
    /// The paper.
    pub paper: &'static str,
    /// Section of the paper.
    pub section: &'static str,
    /// Operation that was timed.
    pub what: &'static str,
    /// Name of the GPU.
    pub card: &'static str,
    /// Relation to the model.
    pub basis: Basis,
    /// Origin of the printed seconds.
    pub provenance: Provenance,
    /// Seconds that the paper prints, or that follow from a printed rate.
    #[serde(rename = "printed_seconds")]
    pub printed: f64,
    /// Seconds of the calibrated model.
    #[serde(rename = "model_seconds")]
    pub model: f64,
}

impl Timing {
    /// The model's seconds divided by the printed ones.
    pub fn ratio(&self) -> f64 {
        self.model / self.printed
    }

    /// Tests whether the two agree within this factor.
    pub fn is_within(&self, factor: f64) -> bool {
        (1.0 / factor..=factor).contains(&self.ratio())
    }
}

/// Identical passes.
#[derive(Clone, Copy, Debug)]
struct Passes {
    demand: Demand,
    area: Area,
    times: f64,
    /// Target switches before each.
    switches: f64,
}

/// Bytes of a record of four channels of 32 bits.
const RECORD: u8 = 16;

const SUM: (&str, &str) = ("COMBINE(a, b)", "((a) + (b))");
const PRODUCT: (&str, &str) = ("COMBINE(a, b)", "((a) * (b))");
const VECTOR_OP: Source = source!(stream, "vector_op");
const REDUCE: Source = source!(stream, "reduce");
const REDUCE_PRODUCT: Source = source!(stream, "reduce_product");

/// Demand of one of fragstream's programs, on records of four channels.
fn own(program: &Source, defines: &[(&str, &str)]) -> Result<Demand, CountError> {
    let count = count(&program.assemble(defines))?;
    Ok(Demand::of(&count, |_| RECORD, RECORD.into()))
}

/// The demand with the number of instructions that a paper prints.
fn with_instructions(demand: Demand, printed: u32) -> Demand {
    Demand { arithmetic: printed - demand.fetches, ..demand }
}

/// One pass over a rectangle.
fn pass(demand: Demand, (width, height): Size) -> Passes {
    over(demand, Area::rectangle(width, height))
}

/// One pass over a square.
fn square(demand: Demand, side: u32) -> Vec<Passes> {
    vec![pass(demand, (side, side))]
}

/// One pass over any area.
fn over(demand: Demand, area: Area) -> Passes {
    Passes { demand, area, times: 1.0, switches: 0.0 }
}

/// A reduction of a square to one record: `first` reads the square, `rest` the partial results.
fn reduction(first: Demand, rest: Demand, side: u32) -> Vec<Passes> {
    let levels = reduction_levels(side, side, Halving::Up).into_iter();
    let demands = std::iter::once(first).chain(std::iter::repeat(rest));
    let passes = demands.zip(levels);
    passes.map(|(demand, size)| pass(demand, size)).collect()
}

fn repeated(times: f64, passes: &[Passes]) -> Vec<Passes> {
    let repeat = |one: &Passes| Passes { times: times * one.times, ..*one };
    passes.iter().map(repeat).collect()
}

/// The passes with a target switch before each.
fn switching(passes: &[Passes]) -> Vec<Passes> {
    let switch = |one: &Passes| Passes { switches: 1.0, ..*one };
    passes.iter().map(switch).collect()
}

/// Seconds of passes on a GPU.
fn seconds(card: &Card, passes: &[Passes]) -> f64 {
    let of = |one: &Passes| {
        let switches = one.switches * card.driver.switch;
        one.times * (card.pass_seconds(&one.demand, one.area) + switches)
    };
    passes.iter().map(of).sum()
}

/// Assumptions of the model where the papers leave something open: the [published](Assumed::default) values, and others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumed {
    /// Fitted numbers that all cards share.
    pub numbers: Numbers,
    /// Driver of bolz2003, goodnight2003 and batty2003.
    pub opengl: Driver,
    /// Driver of kruger2003.
    pub direct3d: Driver,
    /// Texels per side of batty2003's grid, which holds four cells each.
    pub side: u32,
    /// Clock frequency of kruger2003's card, in hertz.
    pub radeon: f64,
}

impl Default for Assumed {
    fn default() -> Self {
        let radeon = RADEON_9800.device.clock;
        Self { numbers: FITTED, opengl: OPENGL, direct3d: DIRECT3D_9, side: BOX, radeon }
    }
}

impl Assumed {
    /// The card under these assumptions.
    fn card(&self, card: Card) -> Card {
        let (numbers, device) = (self.numbers, card.device);
        match device.architecture {
            Architecture::Nv30 => Card { numbers, driver: self.opengl, ..card },
            Architecture::R300 => Card {
                numbers,
                driver: self.direct3d,
                device: Device { clock: self.radeon, ..device },
            },
        }
    }
}

/// A timing with the passes of its operation.
struct Counted {
    timing: Timing,
    card: Card,
    passes: Vec<Passes>,
    /// Seconds of what is not a pass.
    other: f64,
}

impl Counted {
    /// The model's seconds.
    fn seconds(&self, assumed: &Assumed) -> f64 {
        seconds(&assumed.card(self.card), &self.passes) + self.other
    }
}

/// A printed timing: identifier and section, operation, relation to the model, origin, milliseconds, and its passes.
type Row = ([&'static str; 2], &'static str, Basis, Provenance, f64, Vec<Passes>);

/// The timings of a paper.
fn timed(
    paper: &'static str,
    card: Card,
    rows: impl IntoIterator<Item = Row>,
) -> impl Iterator<Item = Counted> {
    let rows = rows.into_iter();
    rows.map(move |([id, section], what, basis, provenance, milliseconds, passes)| {
        let (name, printed) = (card.device.name, 1e-3 * milliseconds);
        let model = f64::NAN;
        let timing =
            Timing { id, paper, section, what, card: name, basis, provenance, printed, model };
        Counted { timing, card, passes, other: 0.0 }
    })
}

/// The timings and their passes, with a grid of this many texels per side for batty2003.
fn counted(side: u32) -> Result<Vec<Counted>, CountError> {
    let papers = [bolz2003()?, batty2003(side)?, goodnight2003()?, kruger2003()?];
    Ok(papers.into_iter().flatten().collect())
}

/// All timings, paper by paper.
pub fn timings() -> Result<Vec<Timing>, CountError> {
    let assumed = Assumed::default();
    let all = counted(assumed.side)?.into_iter();
    Ok(all.map(|one| Timing { model: one.seconds(&assumed), ..one.timing }).collect())
}

/// Rates on a GeForce FX; the paper itself subtracts target switches.
///
/// Assumption: "interpolation" is the cycle's "interpolate & correct", with the finer grid's own value as a
/// fifth fetch among its ten instructions. Without that it would take 0.16 ms, 0.75 of the paper's.
#[rustfmt::skip]
fn bolz2003() -> Result<Vec<Counted>, CountError> {
    use Basis::{Calibrated, Derived, HeldOut, Witness};
    use Provenance::Rate;
    const PRODUCT: Source = source!(bolz2003, "sparse/spmv");
    const INTERPOLATION: Source = source!(bolz2003, "grid/transfer/interpolate", with "bolz2003/grid/grid_inner");
    const ADDED: &[(&str, &str)] = &[("ADDED", "1")];
    const PROJECTION: Source = source!(bolz2003, "grid/transfer/project", with "bolz2003/grid/grid_inner");
    const STENCIL: Source = source!(bolz2003, "grid/stencil/product",
        with "bolz2003/grid/stencil/stencil_entries", "bolz2003/grid/stencil/stored_stencil", "bolz2003/grid/grid_inner");
    const JACOBI: Source = source!(bolz2003, "grid/stencil/jacobi",
        with "bolz2003/grid/stencil/stencil_entries", "bolz2003/grid/stencil/stored_stencil", "bolz2003/grid/grid_inner");
    const RESIDUAL: Source = source!(bolz2003, "grid/stencil/residual",
        with "bolz2003/grid/stencil/stencil_entries", "bolz2003/grid/stencil/stored_stencil", "bolz2003/grid/grid_inner");
    // The rows of the matrix fill a square of side 200, and are packed into rectangles of whole batches.
    let (rows, side) = (37_000_u64, 200);
    let area = Area { fragments: rows, tuples: rows.div_ceil(4) };
    let product = vec![over(own(&PRODUCT, &[("ROW_LENGTH", "6.0")])?, area)];
    let sum = with_instructions(own(&REDUCE, &[SUM])?, 10);
    let sum = reduction(sum, sum, side);
    let add = square(own(&VECTOR_OP, &[SUM])?, side);
    let iteration = [&product[..], &repeated(2.0, &sum), &repeated(3.0, &add)].concat();
    let printed = |source, instructions| Ok::<_, CountError>(with_instructions(own(source, &[])?, instructions));
    let (stencil, interpolation, projection) = (printed(&STENCIL, 27)?, with_instructions(own(&INTERPOLATION, ADDED)?, 10), printed(&PROJECTION, 19)?);
    // V(4,2) from 257 texels per side down to 9, four nodes per texel.
    let (jacobi, residual, project, correct) = (own(&JACOBI, &[])?, own(&RESIDUAL, &[])?, own(&PROJECTION, &[])?, own(&INTERPOLATION, ADDED)?);
    let sides = std::iter::successors(Some(257_u32), |side| Some(side.div_ceil(2))).take_while(|&side| side >= 9);
    let cycle: Vec<Passes> = sides.flat_map(|side| [
        repeated(6.0, &square(jacobi, side)), square(residual, side),
        square(project, side.div_ceil(2)), square(correct, side),
    ].concat()).collect();
    Ok(timed("bolz2003", GEFORCE_FX_5800_ULTRA, [
        (["B1", "§3.3"], "product, 37 000 rows", Witness, Rate, 1e3 / 120.0, product),
        (["B2", "§3.3"], "reduction, 200²", Calibrated, Rate, 1e3 / 3400.0, sum),
        (["B3", "§4.3"], "stencil, 129² of four", Calibrated, Rate, 1e3 / 1370.0, square(stencil, 129)),
        (["B4", "§4.3"], "interpolation to 129²", Calibrated, Rate, 1e3 / 4800.0, square(interpolation, 129)),
        (["B5", "§4.3"], "projection to 65²", Calibrated, Rate, 1e3 / 6000.0, square(projection, 65)),
        (["B6", "§3.3"], "CG iteration", Derived, Rate, 1e3 / 110.0, iteration),
        (["B7", "§4.3"], "time step, 513², 2 V(4,2)", HeldOut, Rate, 1e3 / 20.0, repeated(2.0, &cycle)),
    ]).collect())
}

const MULTIPLY: Source = source!(batty2003, "pressure/multiply");
const PRECONDITION: Source = source!(batty2003, "pressure/precondition");

/// batty2003's grid of 10⁶ cells, four per texel: texels per side.
const BOX: u32 = 500;
/// Seconds of set-up and read-back per solve, which cross the bus.
fn transfers() -> f64 {
    printed("ms.set_up") / 1e3 + printed("ms.read_back") / 1e3
}
/// Passes of a sum before the rest is read back.
const SUM_PASSES: usize = 7;

/// The operations of batty2003's table, with one target switch per pass.
struct Operations([Vec<Passes>; 4]);

impl Operations {
    /// With these demands of the product, and of a pass of a sum, on this many texels per side.
    fn new(product: Demand, sum: Demand, side: u32) -> Result<Self, CountError> {
        let mut dot = square(own(&MULTIPLY, &[])?, side);
        dot.extend(reduction(sum, sum, side).into_iter().take(SUM_PASSES));
        let operations = [
            square(product, side),
            dot,
            square(own(&VECTOR_OP, &[SUM])?, side),
            square(own(&PRECONDITION, &[])?, side),
        ];
        Ok(Self(operations.map(|passes| switching(&passes))))
    }

    /// As printed: 56 instructions, 14 fetches and 6 registers; 12 instructions and 3 registers.
    fn printed(side: u32) -> Result<Self, CountError> {
        let product = Demand {
            arithmetic: 42,
            fetches: 14,
            registers: 6,
            bytes: 14.0 * 16.0,
            bytes_written: 16.0,
            ..Demand::default()
        };
        let sum = with_instructions(own(&REDUCE, &[SUM])?, 12);
        Self::new(product, Demand { registers: 3, ..sum }, side)
    }

    fn solve(&self) -> Vec<Passes> {
        let solves = printed("calls.set_up");
        let calls = self.0.iter().zip(calls());
        let calls = calls.map(|(passes, calls)| repeated(calls / solves, passes));
        calls.flatten().collect()
    }
}

/// The table's operations, and whole solves.
///
/// Assumptions: a grid of 10⁶ cells, four per texel (the paper: "at least a million voxels"), and a
/// table measured on the FX 1000. With 0.8 to 1.5 million cells κ would be 1.07 to 0.49, and a target
/// switch 0.49 to 0.05 ms.
#[rustfmt::skip]
fn batty2003(side: u32) -> Result<Vec<Counted>, CountError> {
    use Basis::{Calibrated, HeldOut};
    use Provenance::Time;
    let operations = Operations::printed(side)?;
    let solve = operations.solve();
    let [product, dot, scale_add, precondition] = operations.0;
    let ms = milliseconds();
    let first = timed("batty2003", QUADRO_FX_1000, [
        (["A1", "table"], "matrix–vector product", Calibrated, Time, ms[0], product),
        (["A2", "table"], "dot product", Calibrated, Time, ms[1], dot),
        (["A3", "table"], "scale-add", Calibrated, Time, printed("ms.scale_add_printed"), scale_add),
        (["A4", "table"], "precondition", Calibrated, Time, ms[3], precondition),
        (["A5", "table"], "whole solve", HeldOut, Time, 1e3 * printed("seconds.fx_1000"), solve.clone()),
    ]);
    let second = timed("batty2003", QUADRO_FX_2000, [(["A6", "table"], "whole solve", HeldOut, Time, 1e3 * printed("seconds.fx_2000"), solve)]);
    // Operations were timed with a glFinish after each, solves without; set-up and read-back belong to a solve.
    Ok(first.chain(second).map(|one| {
        let is_solve = one.timing.what == "whole solve";
        let other = if is_solve { transfers() } else { QUADRO_FX_1000.driver.finish };
        Counted { other, ..one }
    }).collect())
}

/// Times derived from the rate of section 7.1 on a GeForce FX, about 8 GB/s, on 1025² nodes; the paper prints no time. The
/// smoother's was among those to which the model was fitted. Printed: 20 instructions, 4 registers.
#[rustfmt::skip]
fn goodnight2003() -> Result<Vec<Counted>, CountError> {
    use Basis::Derived;
    const CONSTANT: Source = source!(goodnight2003, "speed/constant");
    let smooth = Demand { registers: 4, ..with_instructions(own(&SMOOTH_BY_MAP, &[])?, 20) };
    // 16-bit numbers: half of all stored bytes.
    let halved = Demand { registers: 2, bytes: 0.5 * smooth.bytes, bytes_written: 0.5 * smooth.bytes_written, ..smooth };
    let row = |name, what, basis, demand: Demand| {
        let bytes = demand.bytes + demand.bytes_written;
        (name, what, basis, Provenance::Bytes, 1e3 * 1025.0 * 1025.0 * bytes / 8e9, square(demand, 1025))
    };
    Ok(timed("goodnight2003", GEFORCE_FX_5800_ULTRA, [
        row(["G1", "§7.1"], "smooth, 1025²", Derived, smooth),
        row(["G2", "§7.1"], "constant, 1025²", Derived, own(&CONSTANT, &[])?),
        row(["G3", "§7.1"], "smooth in 16 bits: half of it", Derived, halved),
    ]).collect())
}

const SMOOTH_BY_MAP: Source = source!(goodnight2003, "multigrid/fastpath/smooth",
    with "goodnight2003/multigrid/red_black", "goodnight2003/multigrid/relaxed_stored");
const SMOOTH_COMPUTED: Source = source!(goodnight2003, "multigrid/fastpath/smooth",
    with "goodnight2003/multigrid/red_black", "goodnight2003/multigrid/relaxed_computed");

/// Section 6 on a Radeon 9800, four entries per texel.
///
/// Assumptions: 380 MHz (with 325 the worst timing differs by a factor of 1.29); one diagonal per pass in the dense and
/// the banded product; two operands in all three sums of a CG iteration; five iterations per step for water of 512²,
/// as for 1024².
#[rustfmt::skip]
fn kruger2003() -> Result<Vec<Counted>, CountError> {
    use Basis::{Calibrated, HeldOut, Share};
    use Provenance::{Rate, Time};
    const DIAGONALS: Source = source!(kruger2003, "matrices/diagonals");
    let diagonals = |count, continued: bool| {
        let defines = [("DIAGONALS", count), ("CONTINUED", "1")];
        own(&DIAGONALS, &defines[..1 + usize::from(continued)])
    };
    let (multiply, add) = (own(&VECTOR_OP, &[PRODUCT])?, own(&VECTOR_OP, &[SUM])?);
    let (sum, sum_of_products) = (own(&REDUCE, &[SUM])?, own(&REDUCE_PRODUCT, &[SUM])?);
    // A vector of 4096 entries.
    let one = square(diagonals("1", true)?, 32);
    // The wave equation's matrix: two passes of three diagonals each.
    let [first, second] = [diagonals("3", false)?, diagonals("3", true)?];
    let six = |side| [square(first, side), square(second, side)].concat();
    // An iteration as listed in the paper: a product, three sums, three scaled additions.
    let iteration = |side| [
        six(side), repeated(3.0, &reduction(sum_of_products, sum, side)), repeated(3.0, &square(add, side)),
    ].concat();
    let (small, large) = (iteration(256), iteration(512));
    Ok(timed("kruger2003", RADEON_9800, [
        (["K1", "§6"], "vector product, 512²", Calibrated, Time, in_kruger2003("ms.product_512"), square(multiply, 256)),
        (["K2", "§6"], "vector product, 1024²", Calibrated, Time, in_kruger2003("ms.product_1024"), square(multiply, 512)),
        (["K3", "§6"], "vector product, 2048²", Calibrated, Time, in_kruger2003("ms.product_2048"), square(multiply, 1024)),
        (["K4", "§6"], "dense matrix, 4096²", Calibrated, Time, in_kruger2003("ms.dense"), repeated(4096.0, &one)),
        (["K5", "§6"], "ten diagonals of 4096²", Calibrated, Time, in_kruger2003("ms.ten_diagonals"), repeated(10.0, &one)),
        (["K6", "§6"], "reduction, 1024²", Calibrated, Time, in_kruger2003("ms.sum_1024"), reduction(sum, sum, 512)),
        (["K7", "§6"], "reduction, 2048²", Calibrated, Time, in_kruger2003("ms.sum_2048"), reduction(sum, sum, 1024)),
        (["K8", "§6"], "six diagonals of 1024² rows", Calibrated, Time, in_kruger2003("ms.six_diagonals"), six(512)),
        (["K9", "§6"], "CG iteration, 1024²", HeldOut, Time, in_kruger2003("ms.iteration"), large.clone()),
        (["K10", "§6"], "water, 1024²: 13 per second", HeldOut, Rate, 1e3 / in_kruger2003("rate.water_1024"), repeated(5.0, &large)),
        (["K11", "§6"], "water, 512²: 43 per second", HeldOut, Rate, 1e3 / in_kruger2003("rate.water_512"), repeated(5.0, &small)),
        (["K12", "§6"], "Navier–Stokes, 1024²: its CG", Share, Rate, 1e3 / in_kruger2003("rate.fluid"), repeated(4.0, &large)),
    ]).collect())
}

/// The gain of one change to a program, as a paper prints it, and in the model. The model was not fitted to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// The paper's initial, and the number of its step or figure.
    pub id: &'static str,
    /// Section of the paper.
    pub section: &'static str,
    /// The change.
    pub what: &'static str,
    /// Times as long without it, as printed.
    pub printed: f64,
    /// Gain in the model.
    pub model: f64,
}

/// Appendix C of batty2003, of whole solves with fragstream's programs, and goodnight2003's Fig. 6.
#[rustfmt::skip]
pub fn gains() -> Result<Vec<Gain>, CountError> {
    const QUADRANTS: Source = source!(stream, "reduce_quadrants");
    const SCALE_ADD: Source = source!(batty2003, "pressure/scale_add");
    const CHANNEL_SUM: Source = source!(batty2003, "pressure/channel_sum");
    const QUOTIENT: Source = source!(batty2003, "pressure/quotient");
    let card = QUADRO_FX_1000;
    let paper = Settings::paper_2003();
    let skew = Settings { index: Index::Skew, ..paper };
    let sum = own(&REDUCE, &[SUM])?;
    let product = |settings: &Settings| own(&product_source(settings), &[]);
    let solve = |product, sum| Ok::<_, CountError>(transfers() + seconds(&card, &Operations::new(product, sum, BOX)?.solve()));
    let with = |settings: Settings| solve(product(&settings)?, sum);
    let last = with(paper)?;
    // Of the matrix's seven entries of four channels, a byte each instead of four.
    let own_bytes = product(&Settings { entries: Entries::Byte, ..paper })?;
    let bytes = solve(Demand { bytes: own_bytes.bytes - 7.0 * 12.0, ..own_bytes }, sum)?;
    // Sums end in one texel, whose channels are then added up; quotients are passes; Scale-Add fetches its factor.
    let surfaces = {
        let mut operations = Operations::new(product(&paper)?, sum, BOX)?;
        operations.0[1] = square(own(&MULTIPLY, &[])?, BOX);
        operations.0[1].extend(reduction(sum, sum, BOX));
        operations.0[1].extend(square(own(&CHANNEL_SUM, &[])?, 1));
        operations.0[2] = square(own(&SCALE_ADD, &[])?, BOX);
        let solves = printed("calls.set_up");
        let iterations = (printed("calls.product") - solves) / solves;
        let quotients = repeated(2.0 * iterations, &switching(&square(own(&QUOTIENT, &[])?, 1)));
        operations.0 = operations.0.map(|passes| switching(&passes));
        transfers() + seconds(&card, &operations.solve()) + seconds(&card, &quotients)
    };
    let waits = calls().iter().sum::<f64>() / printed("calls.set_up") * card.driver.finish;
    let sweep = |source| Ok::<_, CountError>(seconds(&GEFORCE_FX_5800_ULTRA, &square(own(source, &[])?, 1025)));
    let step = |id, section, what, printed, model| Gain { id, section, what, printed, model };
    Ok(vec![
        step("A-C.1", "App. C", "floats instead of bytes", 15.2 / 12.3, bytes / last),
        step("A-C.2", "App. C", "skewed coordinates instead of quotient and remainder", 24.0 / 21.0,
            with(Settings { index: Index::Divmod, ..paper })? / with(skew)?),
        step("A-C.3", "App. C", "offsets built on the CPU", 13.3 / 12.3,
            with(Settings { offsets: Offsets::Built, ..skew })? / with(skew)?),
        step("A-C.6", "App. C", "sums of adjacent texels instead of quadrants", 12.6 / 12.3,
            solve(product(&paper)?, own(&QUADRANTS, &[SUM])?)? / last),
        step("A-C.7", "App. C", "no glFinish after each operation (its time was taken from this step)", 13.0 / 12.3,
            (last + waits) / last),
        step("A-C.8", "App. C", "scalars on the CPU instead of in surfaces", 14.3 / 12.3, surfaces / last),
        step("G-Fig.6", "Fig. 6", "red nodes from a map instead of computed", 1.3,
            sweep(&SMOOTH_COMPUTED)? / sweep(&SMOOTH_BY_MAP)?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::cost::HELD_OUT;

    #[test]
    fn the_interval_of_the_model_is_that_of_its_timings_held_out() {
        let all = timings().expect("timings");
        let squares = all.iter().filter(|one| one.basis == Basis::HeldOut);
        let squares: Vec<f64> = squares.map(|one| one.ratio().ln().powi(2)).collect();
        let spread = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
        assert!((spread - HELD_OUT).abs() < 5e-4, "{spread}");
    }
}

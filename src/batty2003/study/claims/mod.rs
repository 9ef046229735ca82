//! The paper's claims, in its order: a row each, with the function that checks it.

mod cholesky;
mod dam;
mod iterations;
mod listing;
pub mod product;
mod programs;
pub mod recursion;
mod solves;
mod switches;

use crate::claim::Printed::{Faster, Ratio, Ratios, Words};
use crate::claim::{JudgedOn, Paper, Printed, Runs, count, exact, identity, shape, tolerance};
use crate::experiment::Study;

/// Quick mode.
const SMALL: &[&str] = &["--size 32"];
/// The dam that several claims share.
const PAPER_S: Runs = Runs::of(&dam::DAM, "paper").quick(&["--size 32 --steps 8"]);
/// Thirteen iterations, whose size a user may give.
const TIMED: Runs = Runs::of(&switches::ITERATIONS, "").quick(SMALL);

/// The studies that its claims read.
pub static STUDIES: &[&Study] =
    &[&recursion::ITERATES, &dam::DAM, &cholesky::SYSTEM, &switches::ITERATIONS];

/// The paper and its claims.
#[rustfmt::skip]
pub static PAPER: Paper = Paper {
    id: "batty2003",
    authors: "Chris Batty, Mark Wiebe, Ben Houston",
    title: "High Performance Production-Quality Fluid Simulation via NVIDIA’s QuadroFX",
    year: 2003,
    subject: "the pressure solve of a production liquid",
    partly: &[("sums over 51 solves of a production scene", &["fig2", "operations", "table"])],
    together: &[switches::SWITCHES],
    claims: &[
        tolerance("instructions", "GPU Algorithm Implementation, Appendix B",
            "The matrix–vector product takes 56 instructions: 14 TEX, 7 ADD, 7 MUL, 9 MAD, 6 FRC, 13 MOV. SumReduce \
             takes 12: 4 TEX, 7 ADD, 1 MAD.",
            Words("56 (43 without moves), 12"), programs::instructions)
            .judged_on(JudgedOn::Count),
        count("registers", "GPU Algorithm Implementation, Appendix B",
            "The matrix–vector product takes 6 registers, SumReduce 3.",
            Ratios(&[("product", 6.0), ("SumReduce", 3.0)]), programs::registers)
            .quoting("6, 3"),
        exact("listing", "GPU Algorithm Implementation, Appendix B",
            "The printed listings of the matrix–vector product and of SumReduce give the same bits as fragstream's \
             programs.",
            Words("(the same bits)"), listing::printed_listings)
            .judged_on(JudgedOn::Measurement),
        identity("memory", "Pressure Projection Step, Appendix C",
            "The non-zeros of the matrix take at least 28 MB for a million voxels; one texture of 2048² cannot hold \
             those of a large grid.",
            Words("28 MB"), programs::memory),
        identity("appendix-a", "Appendix A",
            "In theory an Athlon 1800+, a Quadro FX 1000 and a Quadro FX 2000 reach 1.5, 9.6 and 12.8 GFlop/s.",
            Words("1.5, 9.6, 12.8 GFlop/s"), programs::appendix_a),
        tolerance("product", "GPU Algorithm Implementation",
            "The listing multiplies the matrix of seven diagonals by a vector, with every layout and every index.",
            Words("as in double precision"), product::products),
        exact("index", "Appendix C, step 5",
            "frac(y)·width gives the same column as fmod, but breaks down for very large textures.",
            Words("the same, unless very large"), product::indices),
        tolerance("pcg", "Preconditioned Conjugate Gradient Method",
            "Conjugate gradients with the diagonal preconditioner: the first twenty iterates.",
            Words("as in double precision"), recursion::iterates_agree)
            .runs(Runs::of(&recursion::ITERATES, "paper").quick(SMALL)),
        identity("counts-identity", "the table of operations",
            "51 solves took 9600 products, 9600 preconditionings and 28 749 scale-adds. With n iterations per solve \
             these are n + 1, n + 1 and 3n + 2, so 28 749 = 3 · 9600 − 51.",
            Words("28 749 = 3 · 9600 − 51"), solves::identities).runs(PAPER_S),
        shape("fig2", "Fig. 2, the table of operations",
            "The product takes half of the time of all solves (50.3 %), the dot product a quarter (24.4 %), the scale-add \
             10.8 %, set-up 5.7 %, read-back 5.4 %, the preconditioner 3.5 %.",
            Ratios(&solves::SHARES), solves::fig2)
            .quoting("50.3, 24.4, 10.8 %").runs(PAPER_S),
        shape("operations", "the table of operations",
            "A product takes 33.56 ms, a dot product 7.85, a scale-add 2.40 (by the table's totals 2.41), a preconditioning 2.30; a set-up takes \
             711 ms per solve, a read-back 679.",
            Ratios(&solves::PRODUCTS), solves::operations)
            .quoting("0.23, 0.07, 0.07, 21, 20").runs(PAPER_S),
        shape("table", "the table of results",
            "An Athlon 1800+ takes 32.0 s with the diagonal preconditioner and 16.5 s with incomplete Cholesky; a \
             Quadro FX 1000 takes 12.3 s, an FX 2000 10.3 s.",
            Ratios(&solves::RESULTS), solves::results).runs(PAPER_S),
        tolerance("ic", "Preconditioned Conjugate Gradient Method",
            "Conjugate gradients need on average three times as many iterations with the diagonal preconditioner as \
             with incomplete Cholesky (2.2 to 3.5 counts).",
            Words("3 times"), cholesky::iterations).judged_on(JudgedOn::Count)
            .runs(PAPER_S),
        count("c4", "Appendix C",
            "Starting from the previous step's solution instead of from b saves around a second.",
            Printed::saving("about 1", "12.3"), solves::guesses)
            .quoting("≈ 13.3 → 12.3 s: 1.08 times")
            .runs(PAPER_S),
        shape("cpu-breakdown", "GPU Algorithm Implementation",
            "On the CPU the matrix–vector product takes most of the time, followed by the transform of incomplete \
             Cholesky; unlike on the GPU, the dot product does not take significant time.",
            Faster, cholesky::breakdown).quoting("product > transform > dot")
            .runs(Runs::of(&cholesky::SYSTEM, "paper").quick(SMALL)),
        tolerance("liquid", "Pressure Projection Step",
            "Production-quality simulations have at least a million voxels. Checked with a breaking dam: a projection \
             leaves no more divergence than the solve's tolerance.",
            Words("≥ 10⁶ voxels"), dam::projected).ours().runs(PAPER_S),
        shape("ic-cost", "the table of results",
            "Cost of an iteration with incomplete Cholesky relative to one with the diagonal preconditioner, on the \
             CPU: a third of the iterations took 16.5 s, all of them 32.0 s.",
            Ratio(16.5 * 3.0 / 32.0), cholesky::cost)
            .runs(Runs::of(&cholesky::SYSTEM, "paper").quick(SMALL)),
        shape("c1", "Appendix C",
            "Storing the matrix in floats instead of bytes, which have to be mapped, saves about 3 s.",
            Ratio(15.2 / 12.3), switches::step).quoting("15.2 → 12.3 s: 1.24 times")
            .runs(TIMED.comparing(&["--entries byte", "--entries float"])),
        shape("c2", "Appendix C",
            "Skewed coordinates instead of a quotient and a remainder for each offset save around 3 s.",
            Ratio(24.0 / 21.0), switches::step).quoting("24 → 21 s: 1.14 times")
            .runs(TIMED.comparing(&["--index divmod", "--index skew"])),
        shape("c3", "Appendix C",
            "Building the pairs of floats for offsets on the CPU instead of in the program saves nearly a second.",
            Printed::saving("nearly 1", "12.3"), switches::step).quoting("≈ 13.3 → 12.3 s: 1.08 times")
            .runs(TIMED.comparing(&["--index skew --offsets built", "--index skew --offsets prebuilt"])),
        shape("c5", "Appendix C",
            "The fraction of the skewed row replaces fmod.",
            Faster, switches::step)
            .runs(TIMED.comparing(&["--index skew", "--index frac"])),
        shape("c6", "Appendix C",
            "Sums of adjacent texels instead of corresponding ones of four quadrants save a few tenths of a second.",
            Printed::saving("a few times 0.1", "12.3"), switches::step).quoting("≈ 12.6 → 12.3 s: 1.02 times")
            .runs(TIMED.comparing(&["--grouping quadrants", "--grouping adjacent"])),
        shape("c7", "Appendix C",
            "Not waiting after each operation saves about 0.7 s.",
            Ratio(13.0 / 12.3), switches::step).quoting("13.0 → 12.3 s: 1.06 times")
            .runs(TIMED.comparing(&["--finish", "--no-finish"])),
        identity("c8", "Appendix C",
            "Keeping scalars on the CPU instead of in surfaces of one texel saves a couple of seconds.",
            Ratio(14.3 / 12.3), switches::step).quoting("≈ 14.3 → 12.3 s: 1.16 times")
            .runs(TIMED.comparing(&["--scalars surfaces", "--scalars cpu"])),
        shape("read-back", "Appendix C",
            "Timed without waiting for each operation, the dot product with its read-back appears to be the major culprit, \
             because it waits for all operations before it.",
            Words("“major culprit”"), solves::culprit)
            .runs(PAPER_S),
        count("c9", "Appendix C",
            "Storing the matrix in one large texture instead of seven introduces extra computation.",
            Faster, switches::one_texture).quoting("“extra computation”")
            .runs(TIMED.comparing(&["--layout one", "--layout seven"])),
        shape("c9-timed", "Appendix C",
            "Storing the matrix in one large texture instead of seven takes longer, by the extra computation.",
            Faster, switches::one_texture_timed).quoting("(not timed)").ours()
            .runs(TIMED.comparing(&["--layout one", "--layout seven"])),
        shape("c10", "Appendix C",
            "Reading back about 16 texels of a sum instead of one is a minor improvement.",
            Faster, switches::step)
            .runs(TIMED.comparing(&["--stop-at 1", "--stop-at 16"])),
    ],
};

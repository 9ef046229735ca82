//! The paper's claims, in its order: a row each, with the function that checks it.

pub mod cache;
mod convergence;
mod errata;
mod format;
mod levels;
mod matrices;
mod own_tables;
mod precision;
mod printed;
mod race;
mod tables;

use crate::claim::Printed::{Faster, Ratio, Ratios, Slower, Words};
use crate::claim::{
    Claims, JudgedOn, Paper, Runs, count, erratum, exact, identity, shape, tolerance,
};
use crate::experiment::Study;
use crate::geveler2011::solves::FEM;

const NUMBERINGS: [&str; 5] =
    ["--numbering 2lv", "--numbering cm", "--numbering xyz", "--numbering sto", "--numbering hie"];
/// BLOOD in quick mode: a quarter of its sweeps, whose times relative to each other are compared.
const QUICK_BLOOD: &str = "--levels 2 --pre 16 --post 16";
/// Settings of a solve that products and cycles are timed with, in double precision.
const RACED: &[&str] = &["levels", "smoother", "omega", "pre", "post", "rtol"];
/// Both elements in all numberings. The last two in quick mode are those of BLOOD.
const CIRCLES: Runs = Runs::of(&FEM, "paper")
    .comparing(&["circle --element q1", "circle --element q2"])
    .by(&NUMBERINGS)
    .full(&["--levels 8", "--levels 6"])
    .reading(RACED)
    .quick(&["--levels 5", "--levels 4", QUICK_BLOOD, QUICK_BLOOD]);
const BLOODS: Runs = Runs::of(&FEM, "paper")
    .comparing(&["blood --element q1 --levels 5", "blood --element q2 --levels 3"])
    .by(&NUMBERINGS)
    .quick(&[QUICK_BLOOD])
    .reading(RACED);

/// Both elements on CIRCLE, and all numberings.
#[rustfmt::skip]
const CYCLES: Runs = Runs::of(&convergence::CYCLES, "paper")
    .comparing(&["circle --element q1", "circle --element q2"])
    .by(&["--precision mixed", "--precision native"])
    .also(&convergence::CYCLES, &[
        "paper circle --levels 4 --precision mixed --numbering 2lv",
        "paper circle --levels 4 --precision mixed --numbering cm",
        "paper circle --levels 4 --precision mixed --numbering xyz",
        "paper circle --levels 4 --precision mixed --numbering sto",
        "paper circle --levels 4 --precision mixed --numbering hie",
    ])
    .full(&["--levels 8", "--levels 7"])
    .quick(&["--levels 5", "--levels 4",
             "--levels 3", "--levels 3", "--levels 3", "--levels 3", "--levels 3"]);
/// Both elements on BLOOD, and Q1 with the smoothing of CIRCLE.
const BLOOD_CYCLES: Runs = Runs::of(&convergence::CYCLES, "paper")
    .comparing(&["blood --element q1", "blood --element q2", "blood --pre 4 --post 4 --omega 0.7"])
    .full(&["--levels 6", "--levels 5", "--levels 4"])
    .quick(&["--levels 4", "--levels 3", "--levels 4"]);

/// The studies that its claims read.
pub static STUDIES: &[&Study] =
    &[&matrices::NUMBERED, &matrices::WARPS, &convergence::CYCLES, &precision::ERROR];

/// The paper and its claims.
#[rustfmt::skip]
pub static PAPER: Paper = Paper {
    id: "geveler2011",
    authors: "Markus Geveler, Dirk Ribbrock, Dominik Göddeke, Peter Zajac, Stefan Turek",
    title: "Efficient Finite Element Geometric Multigrid Solvers for Unstructured Grids on GPUs",
    year: 2011,
    subject: "finite-element multigrid built from sparse products",
    partly: &[
        ("levels 9 and 10 of Q1 and 7 to 9 of Q2 (CIRCLE), 8 and 7 (BLOOD)", &["table2", "table3", "table4"]),
        ("levels 7 and 8 of Q1 and 6 and 7 of Q2 on BLOOD", &["blood-cycles"]),
    ],
    together: &[],
    claims: Claims::These(&[
        identity("ellpack", "§3.1",
            "The example of four rows in ELLPACK-R.",
            Words("A, j and rl as printed"), matrices::ellpack),
        tolerance("transfer", "§2.3",
            "Prolongation is a matrix of the coarse shape functions' values at the fine nodes, with at most (k + 1)² \
             entries per row: 1, 2 or 4 for Q1, at most 9 for Q2.",
            Words("at most (k + 1)² = 4, 9"), matrices::transfer),
        exact("numbering", "§2.2",
            "There are five numberings: by refinement (2LV), Cuthill and McKee's (CM), by coordinates (XYZ), random (STO) and \
             hierarchical (HIE).",
            Words("five numberings"), matrices::numbering)
            .runs(Runs::of(&matrices::NUMBERED, "paper --levels 7").comparing(&["circle"]).by(&NUMBERINGS).quick(&["--levels 6"])),
        exact("fused-defect", "§2.1",
            "A defect is one program: the product is not written to memory and fetched again.",
            Words("one kernel"), format::fused),
        shape("fused-timed", "§2.1",
            "A defect in one program is faster than a product and a difference: CIRCLE, Q1 level 8, single precision.",
            Faster, format::fused_timed).quoting("no number"),
        shape("row-lengths", "§3.1",
            "Rows that end at their length are faster than rows padded to the longest: CIRCLE, Q2 level 7, single precision.",
            Faster, format::lengths_timed).quoting("no number"),
        shape("csr", "§3.1",
            "ELLPACK-R has a significantly higher throughput than CSR, even for sequential code.",
            Faster, format::sequential).quoting("“significantly higher”"),
        count("divergence", "§3.2.1",
            "A warp of 32 rows takes as long as its longest row: work relative to the non-zeros, by numbering.",
            Words("as long as its longest row"), matrices::divergence)
            .runs(Runs::of(&matrices::WARPS, "paper --element q2 --levels 6").comparing(&["circle"]).by(&NUMBERINGS).quick(&["--levels 5"])),
        exact("table1", "Table 1",
            "Unknowns and non-zeros of CIRCLE and BLOOD, level by level: N of all 22 cells, and the 12 numbers of \
             non-zeros that were counted.",
            Words("N of all 22 cells"), levels::table_1),
        exact("memory", "§4.2",
            "Transfer matrices take only moderately more memory, and the largest Q2 mesh of CIRCLE just fits in the GPU's \
             2 GB.",
            Words("level 9 fits 2 GB"), levels::memory),
        count("memory-blood", "§4.2",
            "The largest Q2 mesh of BLOOD just fits in the GPU's 2 GB, too.",
            Slower, levels::blood_memory).quoting("level 7 fits 2 GB"),
        tolerance("convergence", "§4.2",
            "The number of cycles depends neither on the refinement level nor on the numbering. Here: at most 18 (Q1) and \
             27 (Q2) on CIRCLE, with a spread of at most 2.",
            Words("(at most 18, 27)"), convergence::cycles).ours().judged_on(JudgedOn::Count).runs(CYCLES),
        count("blood-cycles", "§4.2",
            "With 64 sweeps before and after and ω = 0.5, the number of cycles on BLOOD does not depend on the refinement \
             level, which takes significantly more smoothing than on CIRCLE. Here: a spread of at most 2, on levels 4 to 6 of \
             Q1, and 4 and 5 of Q2.",
            Words("the same on each level"), convergence::blood_cycles)
            .runs(BLOOD_CYCLES),
        tolerance("spai", "§5",
            "Future work: stronger smoothers such as sparse approximate inverses make the solver more robust. Here: with \
             four sweeps, at most 7 cycles on CIRCLE, and convergence on BLOOD.",
            Words("(at most 7, 7)"), convergence::approximate_inverses).ours().judged_on(JudgedOn::Count),
        tolerance("precision", "§4.1, §4.2",
            "All benchmarks are performed in double precision. Here: as accurate as the reference within one cycle, \
             whereas the error of single precision grows.",
            Words("as in double precision"), precision::precisions).ours()
            .runs(Runs::of(&precision::ERROR, "paper --element q2 --levels 6 --rtol 1e-10 --rhs 3*sin(2*x+0.3)*exp(y) \
                                  --dirichlet sin(2*x+0.3)*exp(y)").comparing(&["circle"])
            .by(&["--precision mixed", "--precision pairs", "--precision native", "--precision single"]).quick(&["--levels 4"])),
        shape("table2", "§4.3, Table 2",
            "Rates of the product in five numberings on one core, four cores and the GPU: there Q2 is fastest in 2LV, then \
             in XYZ, HIE, CM and STO (levels 7 and 8). Judged by the GPU's bytes through a texture cache, as if only they \
             took time.",
            Faster, tables::table_2).judged_on(JudgedOn::Trace).quoting("2LV, XYZ, HIE, CM, STO").runs(CIRCLES),
        shape("table3", "§4.4, Table 3",
            "The speed-ups of the product carry over to the solver (on the largest level).",
            Ratio(1.0), tables::table_3)
            .quoting("0.72 to 1.05 of the product's").runs(CIRCLES),
        count("seconds", "§4.4",
            "Computations that take tens of seconds on a fully used multicore CPU take one or two seconds on the GPU: by \
             Table 3.",
            Words("one or two seconds"), own_tables::seconds),
        count("speed-ups", "Abstract",
            "Two to three times as fast on twice the memory controllers of the CPU, and another four to 14 times (eight on \
             average) on the GPU: by Table 2, on its largest levels.",
            Words("4, 8, 14 times"), own_tables::speed_ups),
        shape("table4", "§4.4, Table 4",
            "Four cores solve BLOOD 2.05 to 3.05 times as fast as one core, and the GPU 6.2 to 9.7 times as fast as \
             four.",
            Ratios(&printed::SPEED_UPS), tables::table_4)
            .runs(BLOODS),
        shape("problems", "§4.4",
            "The findings are problem-independent: the speed-ups of BLOOD are consistent with those of CIRCLE.",
            Ratio(1.0), tables::problems).quoting("“consistent”").runs(CIRCLES.also(&FEM, &["paper blood --element q1 --levels 5", "paper blood --element q2 --levels 3"])),
        count("same-order", "§4.5",
            "A preferred order of the numberings is found independently of the hardware architecture, and STO is always \
             the slowest: by Table 3.",
            Words("independently of the hardware"), own_tables::preferred_order),
        erratum("ordering", "§4.5",
            "CM is about 7 times as fast as STO; HIE, 2LV and XYZ gain another factor of 1.5 each.",
            Words("7, 1.5, 1.5, 1.5 times"), errata::ordering),
        erratum("factor-25", "Abstract, §4.5",
            "The numbering of the unknowns changes the performance by up to a factor of 25, on the CPU and on the GPU.",
            Words("25 times on both"), errata::factor),
        shape("sorting", "§4.5",
            "The GPU benefits slightly more from a better sorting strategy than the CPU: solves in STO and in XYZ.",
            Faster, tables::sorting).quoting("“slightly more”").runs(CIRCLES),
        erratum("sto-cycles", "Tables 2 and 3",
            "Convergence does not depend on the numbering (§2.2), but according to the tables a solve in STO takes as \
             long as 1156 to 1262 products, in other numberings 209 to 369.",
            Words("4.2 times as many products"), errata::sto_cycles),
        erratum("errata", "§2.3.1, §3.2",
            "Formulas that cannot be meant as printed: the size of a block of the prolongation matrix, and the sum over a \
             row.",
            Words("two formulas"), errata::errata),
    ]),
};

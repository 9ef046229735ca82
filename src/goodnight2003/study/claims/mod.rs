//! The paper's claims, in its order: a row each, with the function that checks it.

mod applications;
mod buffers;
mod kernels;
mod solver;
mod speed;
mod wing;

use crate::claim::Printed::{Faster, Ratio, Value, Words};
use crate::claim::{
    Claims, JudgedOn, Paper, Printed, Runs, count, exact, picture, shape, tolerance,
};
use crate::experiment::Study;
use crate::goodnight2003::solves::HEAT;
use crate::goodnight2003::study::cases::{
    BUFFERS, COLOURS, CYCLE, FORMATS, HAZARDS, PROGRAMS, TEST,
};

/// Programs as first written, without the map of colours, and optimised ones.
const TABLE: Runs = Runs::of(&kernels::KERNELS, "paper")
    .comparing(&["--programs original --no-red-black-map", "--programs fastpath"]);
const FLOW: Runs = Runs::of(&CYCLE, "paper --problem flow --size 1025").quick(&["--size 129"]);
const TESTS: Runs = Runs::of(&TEST, "paper --problem flow --size 1025")
    .quick(&["--size 129"])
    .comparing(&["--test occlusion", "--test read-back --norm max", "--test reduction --norm l2"]);

/// The studies that its claims read.
pub static STUDIES: &[&Study] = &[
    &kernels::KERNELS,
    &CYCLE,
    &TEST,
    &buffers::BYTES,
    &buffers::ATLAS,
    &speed::LEFT,
    &solver::ERRORS,
    &solver::DIFFERENCES,
    &applications::PLATES,
    &applications::TONES,
    &applications::HALF_TONES,
    &wing::BULKY,
    &wing::WING_FLOW,
];

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "goodnight2003",
    authors: "Nolan Goodnight, Cliff Woolley, Gregory Lewin, David Luebke, Greg Humphreys",
    title: "A Multigrid Solver for Boundary Value Problems Using Programmable Graphics Hardware",
    year: 2003,
    subject: "multigrid for heat, tone mapping and a flapping wing",
    partly: &[("registers of 16 bits", &["half-accuracy"])],
    together: &[],
    #[rustfmt::skip]
    claims: Claims::These(&[
        count("table1", "§6, Table 1", "Optimised programs for the interior, with coordinates from a vertex program \
            and vectorised arithmetic, need a quarter to a third of the instructions of the original programs (smooth \
            79→20, residual 45→16, restrict 66→21, interpolate 93→25).", kernels::INSTRUCTIONS, kernels::instructions)
            .runs(TABLE),
        count("table1-registers", "§6, Table 1", "The optimised programs need about half the registers of the original \
            ones (smooth 6→4, residual 7→4, restrict 6→3, interpolate 6→3; vertex programs 2, 1, 1, 2).",
            kernels::REGISTERS, kernels::registers)
            .runs(TABLE),
        shape("fig2", "§4.2, Fig. 2", "A program for all nodes is slower if it supports periodic sides than if it \
            does not, and than optimised programs in the interior with the general one along the sides, which support \
            them, too.", Faster, speed::fig2)
            .quoting("slow > fastpath ≥ fast")
            .runs(Runs::of(&CYCLE, "paper --problem plate --size 1025").comparing(&PROGRAMS[1]).quick(&["--size 129"])),
        shape("fig3", "§5.3, Fig. 3", "A V-cycle with all levels and eight sweeps on each is faster on the CPU for \
            small grids, and on the GPU for large ones.", Faster, speed::fig3)
            .quoting("GPU faster on large grids").runs(FLOW),
        shape("fig4", "§6, Fig. 4", "With a pair of buffers per level, optimised programs gain almost nothing, because \
            changes of the rendering context take the time; two buffers in all are about three times as fast; \
            one buffer gains 8 to 10 % more. By count, with the time that bolz2003 prints for a change, on all grids from 33² \
            to 1025².", Words("3, 1.09 times"), buffers::contexts)
            .judged_on(JudgedOn::Clock)
            .runs(Runs::of(&CYCLE, "paper --problem flow --size 1025 --buffer context").comparing(&BUFFERS[1]).quick(&["--size 65"])),
        count("fig4-memory", "Fig. 4", "At 1025² two buffers run out of memory and the other ways to store the levels \
            do not, so two buffers should take the most bytes.", Faster, buffers::memory)
            .quoting("two buffers take the most")
            .runs(Runs::of(&buffers::BYTES, "paper --size 1025").comparing(&["--storage separate", "--storage two", "--storage one"])),
        shape("finish", "§6", "Waiting for all drawing (glFinish) between each pass and the next that reads what it \
            wrote ruins performance; a copy kernel that avoids such passes costs extra. By count, with the time that \
            batty2003 prints for a wait: longer, also with copies, on all grids from 33² to 1025², and twice as long on one.", Faster, buffers::finish)
            .quoting("ruinous; extra cost").judged_on(JudgedOn::Clock)
            .runs(Runs::of(&CYCLE, "paper --problem flow --size 1025").comparing(&HAZARDS[1]).quick(&["--size 65"])),
        exact("fig5", "§6, Fig. 5", "All levels are in one buffer, once on its front and once on its back surface; the \
            largest problem, 1025², fits in surfaces of 2048².", Words("1025² nodes in 2048²"), buffers::atlas)
            .runs(Runs::of(&buffers::ATLAS, "paper --size 1025")),
        shape("fig6", "§6, Fig. 6", "Looking up the red nodes in a map is faster than computing them in every \
            fragment, although the solver is limited by memory.", Ratio(1.3), speed::fig6)
            .quoting("about 30 %: 1.3 times").runs(FLOW.comparing(&COLOURS[1])),
        shape("fig7", "§4.1.3, §6, Fig. 7", "On large grids an occlusion query that counts the nodes with too large a \
            residual is about five times as fast as reading back all residuals. Here: on 513² and 1025² nodes, each test with the \
            residual that it needs.",
            Ratio(5.0), speed::fig7)
            .quoting("about 5 times on large grids")
            .runs(TESTS),
        shape("read-out", "§4.1.3", "Tests of the L1 or L2 norm need a recursive sum, because reading the residual out to the \
            CPU is ruinously expensive.", Faster, solver::read_out)
            .quoting("“ruinously expensive”")
            .runs(TESTS),
        shape("norms", "§4.1.3", "Tests of the L1 or L2 norm give faster, more consistent run times than one of each node's \
            residual, at the cost of less predictable error and of a test that takes longer. Here: in the model, on ten problems \
            with all kinds of sides, 200 sources in up to ten nodes, and one tolerance for all tests, 1e-4 of the largest first \
            residual.",
            Faster, solver::norms)
            .judged_on(JudgedOn::Model).quoting("“faster, more consistent”")
            .runs(Runs::of(&HEAT, "paper --problem manufactured --size 129 --test reduction --rtol 1e-4 --maxiter 50 --input none")
                .comparing(&solver::PROBLEMS).quick(&["--size 65"]).reading(&["size", "rtol", "maxiter", "pre", "post", "cycle"])),
        shape("half-storage", "§7.1", "With 16-bit floats in all textures and arithmetic of 32 bits everything takes almost \
            exactly half the time: a part of the sentence about the entire system (`half-registers`).",
            Ratio(2.0), speed::half).quoting("(2 times with 16-bit registers)").ours()
            .runs(Runs::of(&CYCLE, "paper --problem flow --size 1025").comparing(&FORMATS[1]).quick(&["--size 257"])),
        tolerance("half-accuracy", "§7.1", "With 16-bit floats the solver is not useful for real-world problems. Here: \
            after four V(4,4)-cycles on 513² nodes the residual is at least ten times that with 32 bits.",
            Words("“not useful”"), speed::half_accuracy)
            .runs(Runs::of(&speed::LEFT, "paper --problem plate --size 513 --maxiter 4")
                .comparing(&FORMATS[1]).quick(&["--size 129"])),
        shape("half-registers", "§7.1", "In 16-bit floats, storage and registers, the system is almost exactly twice as fast, \
            and not useful for real-world problems. Here: in the model of the card on 1025² nodes, and the best residual of eight \
            cycles on 65² is at least ten times that in 32 bits.",
            Printed::almost_exactly("2"), speed::half_registers).quoting("twice; “not useful”").judged_on(JudgedOn::Model)
            .runs(Runs::of(&HEAT, "paper --problem plate --size 65 --test reduction --maxiter 8 --input none")
                .comparing(&FORMATS[1]).quick(&["--size 33 --maxiter 3"]).reading(&["size", "maxiter", "pre", "post", "cycle", "smoother", "programs"])),
        shape("red-black", "§4.1.2", "Red–black iteration often converges faster than Jacobi iteration. Here: V(1,1)-cycles \
            with damped Jacobi iteration (ω = 0.8) that reduce the residual as one with red–black iteration does.",
            Faster, solver::red_black)
            .quoting("often converges faster")
            .runs(Runs::of(&speed::LEFT, "paper --problem manufactured --size 257 --pre 1 --post 1 --maxiter 4")
                .comparing(&["--boundary dirichlet", "--boundary neumann", "--boundary mixed"])
                .by(&["--smoother red-black", "--smoother jacobi:0.8"]).quick(&["--size 65"])),
        tolerance("boundary", "§4.2", "α U + β ∂U/∂n = γ at each boundary node, given in one texture and folded into \
            the operator map by programs: Dirichlet, Neumann and mixed conditions, and periodic sides by replicated \
            cells.",
            Value(2.0, ""), solver::orders)
            .within(0.2).quoting("supported (here: order 2)")
            .runs(Runs::of(&solver::ERRORS, "paper --problem manufactured --test reduction --rtol 1e-9 --maxiter 60")
                .comparing(&solver::CASES[0]).full(&solver::CASES[1]).quick(&solver::CASES[2])),
        tolerance("agree", "§5.1", "The solvers on the GPU and on the CPU agree to within floating-point precision. \
            Here: to four times the rounding error of single precision on the CPU.",
            Words("to floating-point precision"), solver::agree)
            .runs(Runs::of(&solver::DIFFERENCES, "paper --problem manufactured --size 129 --maxiter 10")
                .comparing(&solver::PROBLEMS).quick(&solver::SMALL)),
        tolerance("heat", "§5.1", "Multigrid finds the steady temperature on a plate, with sources in the finest \
            grid's texels and conditions in a texture; GPU and CPU agree to floating-point precision.",
            Words("to floating-point precision"), applications::heat)
            .runs(Runs::of(&applications::PLATES, "paper --test reduction --rtol 1e-7")),
        tolerance("tonemap", "§5.2, colour plate 2", "Gradient-domain compression of a picture of high dynamic range: \
            the results of the Poisson solvers on the GPU and on the CPU look the same.", Words("two pictures look the same"), applications::tonemap)
            .runs(Runs::of(&applications::TONES, "paper").quick(&["--thin 2"])),
        tolerance("tonemap-half", "§5.2, §7.1", "In 16-bit floats the system is not useful for real-world problems. Here: \
            a picture compressed with storage and registers in 16 bits differs from that in 32 bits by more than the \
            shade that separates the GPU's from the CPU's.", Words("“not useful”"), applications::tonemap_half).ours()
            .runs(Runs::of(&applications::HALF_TONES, "paper --thin 8")),
        shape("bulk", "§5.3", "The Poisson equation for the stream function accounts for the bulk of the computation. Here: \
            at least half of a step's time in the model.", Words("“the bulk”"), wing::bulk)
            .judged_on(JudgedOn::Model)
            .runs(Runs::of(&wing::BULKY, "plate1 --steps 10").quick(&["--size 33x33"])),
        picture("wing", "§5.3, colour plate 1", "Flow around an airfoil that heaves and pitches, by vorticity and stream \
            function, without transfers to the GPU between the steps.", Words("no transfers (a picture)"), wing::flap)
            .ours().judged_on(JudgedOn::Measurement)
            .runs(Runs::of(&wing::WING_FLOW, "plate1 --steps 6597").quick(&["--size 33x33 --steps 485"])),
    ]),
};

//! The paper's claims, in its order: a row each, with the function that checks it.

pub mod cache;
mod errata;
mod flow;
mod fluid;
mod full_multigrid;
mod galerkin;
mod grids;
mod long_program;
mod model;
pub mod problems;
mod products;
pub mod rings;
mod speed;
mod tetrahedra;

use crate::claim::Printed::{Faster, Ratio, Ratios, Value, Words};
use crate::claim::{
    Claims, JudgedOn, Needs, Paper, Printed, Runs, count, erratum, exact, identity, shape,
    tolerance,
};
use crate::experiment::Study;

/// Inputs of rows that run no experiment.
const MESH: &[&str] = &["input"];
const SIZE: &[&str] = &["size"];
/// The step that the paper times.
const STEP: &str = "step --method cg";

/// The studies that its claims read.
pub static STUDIES: &[&Study] = &[
    &flow::ENTRIES,
    &flow::CUBE,
    &grids::CYCLES,
    &grids::TORUS_ERRORS,
    &full_multigrid::FULL,
    &fluid::VORTICES,
    &fluid::STEP,
    &speed::FLOW_STEP,
];

/// The paper and its claims.
#[rustfmt::skip]
pub static PAPER: Paper = Paper {
    id: "bolz2003",
    authors: "Jeff Bolz, Ian Farmer, Eitan Grinspun, Peter Schröder",
    title: "Sparse Matrix Solvers on the GPU: Conjugate Gradients and Multigrid",
    year: 2003,
    subject: "sparse conjugate gradients for mesh smoothing; multigrid; a fluid",
    partly: &[],
    together: &[],
    claims: Claims::These(&[
        exact("rows200", "§3.1.1",
            "The number of texture indirections limits the non-zero entries of a row that one pass can process, on the \
             GeForce FX to 200; longer rows need more passes. Here: the length of the program.",
            Words("200 entries: one pass"), products::long_rows),
        tolerance("transpose", "§3.1.1",
            "A product with the transpose needs the transpose explicitly. The shorter of row i of A and row i of Aᵀ is \
             padded with zeros, so that both act on the same vectors.",
            Words("an explicit Aᵀ, padded"), products::transpose),
        tolerance("entries", "§3.1.2",
            "Fragment programs compute the off-diagonal and diagonal entries of the matrix of geometric flow from the \
             positions, without the CPU.",
            Words("computed on the GPU"), flow::entries).runs(Runs::of(&flow::ENTRIES, "paper")),
        exact("fig3", "Fig. 3, §3.2.1",
            "On the GeForce FX time against area is a staircase. A batch has 512 fragments, but the first step is just \
             below 500 pixels, because fragments on the diagonal are rasterised twice.",
            Words("first step just below 500"), model::staircase).judged_on(JudgedOn::Model),
        shape("fig3-measured", "Fig. 3, §3.2.1",
            "The same experiment on the present GPU: a long program without fetches shows a staircase on rectangles of \
             growing area.",
            Ratio(2.0), long_program::staircase).quoting("a step just below 500: twice").needing(Needs::Batches),
        exact("rectangle", "§3.2.2",
            "Of all rectangles that fit in a single batch of the GeForce FX (128 tuples of 2×2 pixels, two triangles \
             per rectangle), 26×18 pixels wastes least.",
            Words("26×18"), model::rectangle),
        exact("waste-bound", "§3.2.2",
            "In a rectangle of w×h tuples, drawn as two triangles, the tuples along the diagonal are wasted: at most \
             max(w, h) of them.",
            Words("at most max(w, h)"), model::waste_bound).judged_on(JudgedOn::Model),
        exact("one-batch", "§3.2.2",
            "Rectangles that fill one batch (z = 1) lose little compared with rectangles of many batches (z ≫ 1): a \
             larger share of their tuples is on the diagonal.",
            Words("less than 10 %"), model::one_batch).judged_on(JudgedOn::Model),
        exact("padding", "§3.2.2",
            "Rows are laid out by decreasing length in identical rectangles. Each rectangle runs the least expensive \
             program valid for all its rows; shorter rows are padded, and padding points to one constant zero.",
            Words("the least expensive program"), products::padding),
        tolerance("fig4-cube", "Fig. 4, §3",
            "Geometric flow smooths a cube with noise along its normals: its faces become flat again.",
            Words("flat faces (a picture)"), flow::cube)
            .runs(Runs::of(&flow::CUBE, "fig4-cube")),
        // The command solves for the displacement, which takes more iterations.
        tolerance("fig4-scan", "Fig. 4, §3.3",
            "Geometric flow with fixed boundaries denoises a scanned mesh with complicated boundaries; a step takes \
             only a few iterations of conjugate gradients, for example five.",
            Words("about 5 iterations per step"), flow::scan).taking(MESH),
        tolerance("instructions", "§3.3, §4.3",
            "For a row of seven entries the product takes 33 instructions, 21 of them fetches. A reduction takes 10: \
             four fetches, three additions, three comparisons. The stencil takes 27, 18 of them fetches; interpolation \
             10; projection 19.",
            Words("33, 10, 27, 10, 19"), model::instructions).judged_on(JudgedOn::Count),
        identity("offset-fetches", "§5",
            "If fetches could add an offset to their coordinates, the product would need up to a fifth fewer \
             instructions.",
            Value(0.2, ""), model::offset_fetches).quoting("as much as 20 %"),
        exact("theory", "§3.3, §4.3",
            "At 500 MHz, theory allows over 15 000 reductions of 200×200 records (10 instructions) and 4500 stencils \
             of 129×129 records (27 instructions) per second. (Over 500 products of 37 000 rows, 33 instructions, are \
             shown and not judged.)",
            Words("15 000 reductions per second"), model::theory)
            .judged_on(JudgedOn::Model),
        exact("batch", "§4.3",
            "On the GeForce FX a grid of 17×17 fragments loses almost half of its time to batches and one of 33×33 29 \
             %; larger grids lose less.",
            Words("almost 50 %, 29 %"), model::batch).judged_on(JudgedOn::Model),
        shape("batch-measured", "§4.3",
            "The same on the present GPU: a grid of 17×17 fragments takes twice as long per fragment as a large one, \
             and one of 33×33 1.41 times; the smaller the longer.",
            Ratios(&[("17²", 1.0 / 0.5), ("33²", 1.0 / 0.71)]), long_program::small_grids).needing(Needs::Batches),
        exact("layering", "§4.2",
            "The domain is cut into four quadrants, which are layered into the channels of a texture of half the size \
             so that odd and even nodes stay together. A border of one texel holds duplicates of neighbours, or zeros, \
             and is kept up to date on the GPU.",
            Words("257² nodes in 129² texels"), rings::layering),
        shape("layering-time", "§4.2",
            "Layering and unlayering by short programs do not pose a performance problem. Here: at most a tenth of a step's \
             time in the model.",
            Words("no performance problem"), fluid::layering).judged_on(JudgedOn::Model).runs(Runs::of(&fluid::STEP, "step")),
        shape("composition-time", "§4.2",
            "The composition of stencils is not a time-critical part. Here: all levels of a domain take at most a tenth of the \
             time of a run of 100 steps, in the model.",
            Words("“not time critical”"), fluid::composition).judged_on(JudgedOn::Model).runs(Runs::of(&fluid::STEP, "step")),
        tolerance("galerkin", "§4.2",
            "The coarser grid's stencils A_2h = P A_h S are composed on the GPU, boundaries included; an access \
             outside the grid or the stencil S counts as zero.",
            Words("A_2h = P A_h S"), galerkin::galerkin).taking(SIZE),
        tolerance("vcycle", "§4.2",
            "V(4,2)-cycles of weighted Jacobi (ω = 2/3), full weighting, bilinear interpolation and Galerkin operators \
             converge by the same factor on every grid, for Dirichlet and Neumann conditions.",
            Value(grids::FACTOR, ""), grids::vcycle).within(grids::NEAR).quoting("theory: (2/3)⁶ = 0.088")
            .runs(Runs::of(&grids::CYCLES, "paper --size 513").quick(&["--size 257"]).comparing(&["--boundary dirichlet",
                "--boundary neumann", "--boundary dirichlet,neumann,neumann,dirichlet"])),
        shape("small-grids", "§4.2",
            "Systems of up to 33² nodes (j ≤ 5) are solved sufficiently fast by conjugate \
             gradients with the diagonal as preconditioner, without multigrid. Here: within the twentieth of a second \
             of a step.",
            Words("“sufficiently fast”"), speed::small_systems),
        tolerance("periodic", "§4.1",
            "With periodic boundary conditions indices are modulo N: the border holds the opposite side, cycles \
             converge as on other grids, and the error falls by 4 when h is halved.",
            Words("indices modulo N (0 ≡ N)"), grids::periodic)
            .runs(Runs::of(&grids::CYCLES, "paper --size 257").quick(&["--size 129"]).comparing(&["--boundary periodic",
                "--boundary periodic,periodic,dirichlet,dirichlet"]).also(&grids::TORUS_ERRORS, &["paper"])),
        tolerance("fmg", "§4.2",
            "Full multigrid is a variant of the V-cycle: a single pass leaves little more than the discretisation \
             error, which falls by 4 when h is halved.",
            Words("falls by 4 when h is halved"), full_multigrid::full_multigrid).ours()
            .runs(Runs::of(&full_multigrid::FULL, "fmg --size 1025").quick(&["--size 257"])),
        shape("four-channels", "§4.2",
            "Four quadrants in the channels of a texel use all four channels of the floating-point units; one node per \
             texel would use one.",
            Faster, speed::four_channels).ours().quoting("all four channels used").taking(SIZE),
        tolerance("fig5", "Fig. 5, §4.3",
            "Fluid pushed at two grid spaces per step into a box of 513×129 nodes at rest sheds vortices. Four pre- \
             and two post-smoothings and two V-cycles per step are enough.",
            Words("vortices (a picture)"), fluid::jet)
            .runs(Runs::of(&fluid::VORTICES, "fig5").quick(&["--size 257x65 --steps 400 --particles 10000"])),
        count("timestep", "§4.3",
            "Without target switches, a step with two V(4,2)-cycles on 513×513 nodes takes about a twentieth of a \
             second, as long as 68 stencil products on 257×257; advection and interpolation are a small part of it. \
             Here: its stencils equal about as many such products by count.",
            Printed::product("about 0.05", "over 1370"), fluid::step)
            .quoting("1/20 s: 68 products of 257²").runs(Runs::of(&fluid::STEP, "step")),
        shape("realtime", "§5",
            "Without target switches both applications would run in real time: a step of the fluid on 513×513 nodes, \
             and a step of geometric flow of the scan. Here: at least ten steps per second.",
            Words("“in realtime”"), fluid::real_time)
            .runs(Runs::of(&fluid::STEP, "step").also(&speed::FLOW_STEP, &[STEP])),
        shape("timestep-fused", "§4.3",
            "fragstream's variant of the step: stencils in constants, and borders computed by every program \
             instead of copied.",
            Faster, fluid::fused_step).ours().quoting("(faster than as published)")
            .runs(Runs::of(&fluid::STEP, "step").comparing(&["--no-fused", "--fused"])),
        shape("rates", "§3.3, §4.3",
            "Rates per second on the GeForce FX of kernels with coherent fetches, target switches subtracted: 3400 sum \
             reductions of 200² records; on a grid of 257² 1370 stencil products, 4800 interpolations from 129² and \
             6000 projections to it.",
            Ratios(&speed::BY_STENCIL), speed::rates)
            .quoting("2.48, 3.50, 4.38 per stencil").taking(MESH),
        shape("product-rate", "§3.3, §4.3",
            "The product with the sparse matrix of a mesh of 37 000 vertices is done 120 times per second, and the \
             stencil product on 257², whose fetches are coherent, 1370 times: as far as the bytes moved through a texture \
             cache explain it.",
            speed::PRODUCT, cache::product_rate).judged_on(JudgedOn::Trace)
            .quoting("120 to 1370/s: 0.088 times").taking(MESH),
        shape("vector-operations", "§3.3",
            "An iteration of conjugate gradients takes hardly longer than its product and its two sums: the other \
             vector operations cost next to nothing (per second 110 iterations, 120 products, 3400 reductions).",
            speed::ITERATION, speed::vector_operations).taking(MESH),
        shape("cpu", "§5",
            "The sparse product (120 to 75 per second) and the stencil product (1370 to 750) are faster on the GPU than \
             on the CPU, of which the paper's programs use one core and SSE.",
            Ratios(&speed::CPU), speed::against_cpu).needing(Needs::Processor).taking(MESH),
        shape("bandwidth", "§5",
            "Tests showed that the products on the GPU are limited by bandwidth. Here: in the model their fetches take longer \
             than their instructions, whatever a register costs within its interval.",
            Words("“bandwidth limited”"), speed::bandwidth).judged_on(JudgedOn::Model),
        shape("bandwidth-cpu", "§5",
            "The product on the CPU is limited by bandwidth. Here: with a matrix that exceeds the caches it takes as long \
             as one core takes to read as many bytes.",
            Ratio(1.0), speed::bandwidth_on_cpu).quoting("“bandwidth limited”"),
        tolerance("tetrahedra", "§5",
            "The product and conjugate gradients apply to tetrahedral meshes as they are.",
            Words("“straightforward extension”"), tetrahedra::tetrahedra).ours(),
        shape("smoothing-step", "§3.3",
            "A step of geometric flow with five iterations of conjugate gradients, its entries computed, takes less \
             than 1/20 s.",
            Words("less than 1/20 s"), speed::smoothing_step).runs(Runs::of(&speed::FLOW_STEP, STEP)),
        // No command takes an iteration alone.
        identity("switches", "§3.3",
            "Target switches, about 200 per second, limit performance severely, which is why the paper subtracts them: \
             110 iterations per second without them, each with 20.",
            Ratio(speed::SWITCHES), speed::switches).taking(MESH),
        shape("access", "§3.3",
            "The product reaches 120 of over 500 products per second that theory allows, because random access causes \
             cache thrashing. Here: batch by batch, a product moves each line at least twice, through any plausible \
             texture cache.",
            Words("“cache thrashing”"), cache::access).judged_on(JudgedOn::Trace),
        shape("access-long", "§3.3",
            "A product is faster if the unknowns follow a curve than if they are shuffled: here with 2048² rows, a size \
             chosen after `access` was timed.",
            Faster, cache::long_access).ours(),
        erratum("errata", "§3",
            "A formula that cannot be meant as printed: the first row of the group of rows with k off-diagonal entries.",
            Words("one formula"), errata::errata),
    ]),
};

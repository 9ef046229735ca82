//! The paper's claims, in its order: a row each, with the function that checks it.

mod dense;
mod errata;
mod fluid;
pub mod layouts;
mod operators;
mod pictures;
mod precision;
pub mod product;
mod registers;
pub mod solvers;
mod speed;
mod steps;
mod water;

use crate::claim::JudgedOn::{Count, Measurement, Model};
use crate::claim::Printed::{Faster, Ratio, Ratios, Slower, Words};
use crate::claim::{Claims, Paper, Runs, count, erratum, exact, picture, shape, tolerance};
use crate::experiment::Study;
use crate::kruger2003::study::{SIX_DIAGONALS, VECTOR_PRODUCT};

const SIZE: &[&str] = &["size"];

/// The studies that its claims read.
pub static STUDIES: &[&Study] = &[
    &registers::WATER_24,
    &registers::FLUID_24,
    &water::WAVE,
    &water::SURFACE,
    &fluid::LEFT,
    &fluid::INK,
    &fluid::STREAKS,
    &steps::WATER_STEP,
    &steps::FLUID_STEP,
    &steps::EXPLICIT_STEP,
];

/// The paper and its claims.
#[rustfmt::skip]
pub static PAPER: Paper = Paper {
    id: "kruger2003",
    authors: "Jens Krüger, Rüdiger Westermann",
    title: "Linear Algebra Operators for GPU Implementation of Numerical Algorithms",
    year: 2003,
    subject: "vector and matrix operators; water; Navier–Stokes",
    partly: &[
        ("1D textures", &["tex1d"]),
        ("vertices drawn column by column", &["vertices", "vertices-grid"]),
        ("water and fluid with four entries per texel", &["wave-iteration", "wave-sizes", "nse-rate"]),
        ("timings of frames that are drawn", &["wave-iteration", "wave-sizes", "nse-rate"]),
    ],
    together: &[],
    claims: Claims::These(&[
        tolerance("layouts", "§2, §3.2, §4",
            "A matrix gives the same product stored as diagonals (each sharing a texture with its counterpart), as \
             columns, and as sets of vertices.",
            Words("one product in all layouts"), layouts::layouts),
        exact("transpose", "§2",
            "The transpose of a matrix stored as diagonals only shifts indices; no data are moved.",
            Words("no data moved"), layouts::transposes),
        count("no-waste", "§2",
            "No texture memory is wasted, because each diagonal shares its texture with its counterpart: dense matrices.",
            Words("none wasted"), product::no_waste),
        tolerance("not-square", "§2",
            "Nonsquare matrices can be organised in the same way. Here empty rows or columns extend them.",
            Words("in exactly the same way"), layouts::not_square).ours(),
        shape("tex1d", "§2",
            "Square 2D textures are rendered faster than 1D textures with the same number of texels, at most 2048.",
            Ratio(2.0), speed::lines).quoting("about 2 times"),
        shape("tex1d-long", "§2",
            "Square 2D textures are rendered faster than lines: here with 1024² texels, a size chosen after `tex1d` was \
             measured.",
            Ratio(2.0), speed::long_lines).ours(),
        count("rejected", "§2, Fig. 2",
            "The rejected method, a matrix as one texture times a periodic vector and then sums along the rows, takes \
             more work than columns.",
            Words("not efficient; no number"), product::rejected),
        shape("rejected-timed", "§2, Fig. 2",
            "The rejected method takes longer than columns: here with 4096 rows, a size chosen after `rejected` was \
             measured.",
            Faster, product::rejected_timed).ours(),
        tolerance("ops", "§3.1 to §3.3",
            "clVecOp and clMatVec compute sums, differences and products; clVecReduce computes sums, products, maxima, \
             minima and sums of magnitudes, on vectors of any length, with all operands or with some missing (NULL).",
            Words("as in double precision"), operators::operators),
        count("columns", "§3.2",
            "Dense matrices as columns might give even more efficient products than as diagonals, with a simple program and a \
             much smaller memory footprint. Here: fewer instructions, and fewer distinct texels of matrix and vector in a pass.",
            Faster, product::columns).quoting("more efficient; no number"),
        shape("columns-timed", "§3.2",
            "Dense matrices as columns give even more efficient products than as diagonals: here 2304 rows, one diagonal \
             or column per pass, timed.",
            Faster, product::columns_timed).quoting("(not timed)").ours(),
        shape("diagonals-a-pass", "§3.2",
            "Several adjacent diagonals per pass, up to the number of texture units, are faster than one per pass.",
            Faster, product::several)
            .quoting("“considerable speed-up”"),
        shape("in-place", "§3.2",
            "A pass reads the partial sum from its own target, so that the result is in place after the last diagonal.",
            Words("no second texture"), product::in_place),
        shape("matvec-tiled", "§3.2",
            "Variant: all columns as tiles of one texture, 64 per pass, are faster than one texture and one pass per \
             column.",
            Faster, speed::tiled).quoting("(faster than as published)").ours(),
        count("vertices", "§4.2",
            "Vertices instead of textures save memory, rasterisation and fetches if a matrix is sparse.",
            Words("a significant amount"), product::vertices),
        shape("vertices-timed", "§4.2",
            "Vertices instead of full columns are faster if a matrix is sparse: the wave equation on 64² cells, timed.",
            Faster, product::vertices_timed).quoting("“a significant amount”"),
        tolerance("vertices-grid", "§4.2",
            "The product of the wave equation's matrix on 512² cells renders only 512² × 6 textured vertices, which saves \
             memory, rasterisation and fetches compared with all entries of its columns.",
            Words("512² × 6 = 1 572 864"), product::vertices_of_a_grid).judged_on(Count),
        tolerance("cg", "§5.1",
            "Conjugate gradients without a preconditioner, call by call as listed, take three reductions per \
             iteration: the first twenty iterates.",
            Words("3 reductions × 20 = 60"), solvers::gradients).taking(SIZE),
        shape("single-pixels", "§5.1",
            "The results of reductions are single pixels, so that hardly anything is read back over the bus: a texel \
             compared with a vector of 1024² entries.",
            Faster, speed::single_pixels).quoting("no number"),
        tolerance("cg-two-sums", "§5.1",
            "Variant: one of the three reductions is kept from the previous iteration: the first twenty iterates.",
            Words("(instead of 60 reductions)"), solvers::gradients).ours().taking(SIZE),
        tolerance("gauss-seidel", "§5.2",
            "Gauss–Seidel by column sweeps that read and write the same target, with the matrix as dense columns: the \
             first twenty iterates.",
            Words("as in double precision"), solvers::by_columns),
        tolerance("precision", "§6",
            "The Radeon 9800 computes in 24 bits, which is not accurate enough in general. Here: on Poisson's \
             equation conjugate gradients leave a hundred times the residual of single precision.",
            Words("“Achilles' heel”"), precision::precision).ours(),
        shape("water-24", "§6, §8",
            "Where accuracy is of lesser concern than in numerical applications, such simulations can be used in 24 bits. \
             Here: after 100 steps water is off by at most a hundredth, and its picture by four shades in a hundredth of \
             the channels.",
            Words("“can be used”"), registers::served).ours().judged_on(Model)
            .runs(Runs::of(&registers::WATER_24, "hump").quick(&["--size 16 --steps 20"])),
        shape("fluid-24", "§6, §8",
            "The same for the Navier–Stokes equations: velocities after 100 steps, and a picture of the pressure.",
            Words("“can be used”"), registers::served).ours().judged_on(Model)
            .runs(Runs::of(&registers::FLUID_24, "vortices").quick(&["--size 16 --steps 20"])),
        shape("gap", "§6",
            "Compared with optimised software, operations on vectors and dense matrices gain most, 12 to 15 times, and \
             the reduction least, 3 times.",
            Slower, speed::gap).quoting("3 of at least 12: 0.25"),
        shape("rgba", "§6",
            "Four consecutive entries per texel instead of one give a considerable speed-up, because up to four times as many \
             entries are processed at once.",
            Faster, speed::rgba).quoting("“considerable speed-up”"),
        shape("vecmul", "§6",
            "The time of the product of two vectors, entry by entry, is proportional to their length: 0.2 ms for 512² \
             entries, 0.72 ms for 1024², 2.8 ms for 2048².",
            Ratios(&[("512² to 1024²", VECTOR_PRODUCT / 0.2), ("1024² to 2048²", 2.8 / VECTOR_PRODUCT)]), speed::vecmul),
        shape("matvec", "§6",
            "The product of a dense 4096 × 4096 matrix takes 320 times as long as that of a matrix of the same size with ten \
             diagonals. Here: one column and one diagonal per pass; the paper does not name the layout that it timed.",
            Ratio(230.0 / 0.72), speed::matvec).quoting("0.72 → 230 ms: 320 times"),
        shape("higher-precision", "§6",
            "Access to textures of higher precision makes an operation slower.",
            Ratio(1.75), speed::formats).quoting("1.5 to 2 times"),
        shape("reduce", "§3.3, §6",
            "A reduction takes one pass per halving of the texture, and its time grows with the length.",
            Ratio(5.4 / 1.6), speed::reduce).quoting("1.6 → 5.4 ms: 3.4 times"),
        tolerance("reduce-program", "§6",
            "The program of a reduction is a lot more complex than that of a product of vectors: at least twice as many \
             instructions.",
            Words("“a lot more complex”"), operators::reduction_program).judged_on(Count),
        tolerance("wave", "§6",
            "Water by the implicit Crank–Nicolson scheme, with five iterations of conjugate gradients per step, \
             preserves the frequency and the energy of a standing wave.",
            Words("(the exact solution)"), water::standing_wave)
            .runs(Runs::of(&water::WAVE, "wave").quick(&["--size 64x42 --steps 509"])),
        tolerance("implicit", "§6",
            "The implicit scheme for water allows larger time steps than an explicit one, which is unstable beyond a \
             Courant number of 0.71.",
            Words("larger time steps"), water::implicit),
        count("six-products", "§4.1, §6",
            "The product of the wave equation's matrix, six diagonals, costs no more than six vector–vector products: by \
             the paper's own milliseconds.",
            Words("at most six products"), product::six_products),
        shape("wave-iteration", "§6",
            "At 1024² an iteration of conjugate gradients takes 3.4 times as long as a matrix–vector \
             product.",
            Ratio(15.4 / SIX_DIAGONALS), steps::iteration).quoting("4.54 → 15.4 ms: 3.4 times")
            .runs(Runs::of(&steps::WATER_STEP, "paper").comparing(&["", "--iterations 1", "--size 512x512"]).also(&steps::FLUID_STEP, &["paper"])
                .quick(&["--size 256", "--size 256", "--size 128", "--size 256"])),
        shape("wave-sizes", "§6, Figs. 6, 7",
            "Water runs at 43 frames per second on 512² cells and at 13 on 1024².",
            Ratio(43.0 / 13.0), steps::sizes).quoting("43 → 13/s: 3.3 times")
            .runs(Runs::of(&steps::WATER_STEP, "paper").comparing(&["--size 512x512", "--size 1024x1024"])
                .quick(&["--size 128", "--size 256"])),
        tolerance("nse", "§6",
            "Four iterations per step suffice for the pressure if they start from the previous step's pressure. Here: \
             they leave a smaller residual than from zero.",
            Words("four iterations suffice"), fluid::warm_start)
            .runs(Runs::of(&fluid::LEFT, "cavity --reynolds 100 --size 256x256 --steps 100")
                .comparing(&["--warm-start", "--no-warm-start"]).quick(&["--size 64"])),
        tolerance("nse-forces", "§6",
            "Four iterations per step yield inaccurate results once abrupt changes are applied by external forces. Here: \
             at least ten times the residual and the divergence of sixty iterations, and ten times the divergence of a \
             slow force.",
            Words("“inaccurate results”"), fluid::forces)
            .runs(Runs::of(&fluid::LEFT, "fig8 --size 256x256 --steps 150").comparing(&["--iterations 4", "--iterations 60"])
                .also(&fluid::LEFT, &["cavity --reynolds 100 --size 256 --steps 100"])
                .quick(&["--size 96x64 --steps 30", "--size 96x64 --steps 30", "--size 64"])),
        shape("nse-rate", "§6",
            "At 1024² the fluid runs at 9 frames per second, water at 13.",
            Ratio(9.0 / 13.0), steps::rate).quoting("9 to 13/s: 0.69 times")
            .runs(Runs::of(&steps::FLUID_STEP, "paper").also(&steps::WATER_STEP, &["paper"]).quick(&["--size 256"])),
        picture("fig1", "Fig. 1",
            "The surface of simulated water, with reflection and refraction.",
            Words("a picture"), water::draw)
            .ours().judged_on(Measurement).runs(Runs::of(&water::SURFACE, "fig1").quick(&["--size 128 --rain 8 --steps 57"])),
        picture("fig6", "Fig. 6",
            "Water on a grid of 512² cells, drawn from the solver's texture.",
            Words("a picture"), water::draw)
            .ours().judged_on(Measurement).runs(Runs::of(&water::SURFACE, "fig6").quick(&["--size 128 --rain 5 --steps 57"])),
        picture("fig7", "Fig. 7",
            "Water on a grid of 1024² cells, disturbed by hand.",
            Words("a picture"), water::draw)
            .ours().judged_on(Measurement).runs(Runs::of(&water::SURFACE, "fig7").quick(&["--size 128 --steps 16"])),
        picture("fig8", "Fig. 8",
            "Dye in a velocity field stirred by hand on 1024² cells, drawn from the solver's textures. The dye of a step is \
             that of the last one, interpolated along the velocity (to 1e-6). The Laplacian of eqs. 5 and 6 is taken at \
             the node nearest to where the fluid comes from, not at x. There, steps over many cells would not be stable.",
            Words("a picture"), fluid::dye).judged_on(Measurement)
            .runs(Runs::of(&fluid::INK, "fig8").comparing(&["", "--size 256x256 --steps 150", "--size 256x256 --iterations 60 --steps 150"])
                .quick(&["--size 192x128 --steps 60", "--size 96x64 --steps 30", "--size 96x64 --steps 30"])),
        picture("fig8-streaks", "Fig. 8",
            "Variant: the dye over streaks along the velocity, a line integral convolution.",
            Words("a picture"), fluid::streaks).ours().judged_on(Measurement)
            .runs(Runs::of(&fluid::STREAKS, "fig8 --size 256x256 --iterations 60 --steps 150")
                .quick(&["--size 96x64 --steps 30"])),
        shape("sse", "§7",
            "CPU programs in vector registers (SSE) are supposed to be 2 to 3 times as fast.",
            Ratios(&[("dense matrix", 2.5), ("inner product", 2.5)]), speed::vector_registers).quoting("2 to 3 times"),
        shape("explicit-rate", "§7",
            "The implicit method is not expected to be significantly slower than an explicit scheme. Here: as long for the \
             same simulated time, at a Courant number from 2 to 8.",
            Words("not significantly slower"), steps::explicit).runs(Runs::of(&steps::WATER_STEP, "fig7").also(&steps::EXPLICIT_STEP, &["paper"]).quick(&["--size 256"])),
        tolerance("matrix-product", "§7",
            "Future work in the paper: two dense matrices are multiplied on the layout of §3.2, all columns of the second \
             in each pass.",
            Words("(rounding error analysis)"), dense::product).ours(),
        tolerance("lu", "§7",
            "Future work in the paper: LU decomposition with partial pivoting on the layout of §3.2, a pass per column.",
            Words("(rounding error analysis)"), dense::decomposition).ours(),
        erratum("errata", "§4, §5.2, eqs. 3, 4, 7",
            "Formulas that cannot be meant as printed: Crank–Nicolson's average, Gauss–Seidel, the sign of the pressure \
             gradient, and F and G in the equation of the pressure.",
            Words("four formulas"), errata::errata).judged_on(Measurement),
    ]),
};

//! # For contributors: architecture, and how to add something
//!
//! One name, four places: `src/bolz2003`, `glsl/bolz2003`, `tests/bolz2003`, `figures/bolz2003`, and the same for
//! every paper. If you know the paper, you know where its code, programs, tests and pictures are.
//!
//! | folder | contents |
//! |---|---|
//! | `src/gl` | OpenGL: contexts, programs, textures, framebuffers, queries. The only `unsafe` |
//! | `src/program` | programs without a driver: the rules of 2003, symbolic execution, and the compiler from a kernel's text to its listing |
//! | `src/stream` | the stream processor: machine, programs, streams, layouts of vectors, passes, reductions, the ledger |
//! | `src/card` | the GPUs of 2003: counts of instructions and registers, read from listings; limits, a model of times; an interpreter that runs any program on the CPU |
//! | `src/parallel.rs` | loops over arrays on all cores |
//! | `src/solver` | algorithms over traits, written once: conjugate gradients and related methods, multigrid, refinement in double precision, dense and sparse matrices; vectors in textures and in main memory |
//! | `src/mesh`, `src/io` | triangle meshes and finite elements; PLY, OBJ, OFF, Matrix Market, HDR, EXR, TOML |
//! | `src/picture` | the canvas, colours, meshes, charts, PNG and GIF |
//! | `src/timing` | a case (kernel, ceiling, CPU baseline) and the rig that measures it |
//! | `src/claim` | claims, verdicts, the report |
//! | `src/simulation.rs` | the trait of simulations that films, GIFs and windows advance |
//! | `src/<paper>` | layouts and kernels by subject; `claims/` has the table of claims and the functions that measure them |
//! | `src/papers.rs` | the papers and their claims |
//! | `src/layouts` | the papers' layouts in one registry, for comparison and for solves by every method (`solve_csr`) |
//! | `src/retrodiction` | the papers' printed timings, compared with the model of their cards |
//! | `src/view` | windows |
//! | `src/live` | the solvers in a browser: the page `figures/course/live.html`, and its build |
//! | `src/command` | the command line; `src/main.rs` calls it |
//! | `glsl/stream`, `glsl/<paper>` | one fragment program per file, each a text to teach from: formula, section, channels; sub-folders have the names of those in `src` |
//!
//! Dependencies point one way: `gl, program ← stream ← card ← solver, mesh, io, picture ← timing, claim ← papers ←
//! layouts, film, view ← live, command`, and papers never import each other.
//!
//! # Tests
//!
//! `LP_NUM_THREADS=0 cargo test` runs all tests; `tests/README.md` describes what they compare.
//!
//! Handing a small pass to llvmpipe's threads takes longer than drawing it, so commands with small passes run llvmpipe
//! single-threaded unless you set `LP_NUM_THREADS`. Times on two cores:
//!
//! | command | with threads | without |
//! |---|--:|--:|
//! | `wing` | 31 to 36 s | 12 s |
//! | `liquid`, twenty steps | 2.7 s | 1.9 s |
//! | `water` on 128², a hundred steps | 1.5 s | 0.7 s |
//!
//! # To add something
//!
//! ## A kernel
//!
//! 1. Write `glsl/<paper>/name.frag`, or put it in a sub-folder. Its header gives the formula, the section and the
//!    meaning of each channel.
//! 2. Load it in `src/<paper>`: `machine.kernel(&source!(<paper>, "name"), &[])`. To put parts in front, use
//!    `source!(<paper>, "name", with "<paper>/part")`. The paper's `LIMITS` are those of its card.
//! 3. Run it: `kernel.pass().read("x", &x).set("scale", 2.0).draw(&y, y.full())`.
//! 4. Compare the result of the function that calls it with a formula in `tests/<paper>`.
//! 5. If its text needs a constant, a `#define` or a part, add a line to `tests/card/programs.rs`, which runs every
//!    program by the driver and by the interpreter. The test lists the missing lines.
//!
//! ## A layout of a matrix
//!
//! 1. Write a file in `src/<paper>` that uploads a `solver::Csr` into streams and implements
//!    `solver::Operator<TextureSpace>`. All solvers then accept it. Its product must leave zeros behind the last entry,
//!    so draw `layout.rectangles_of(0..rows)`.
//! 2. Compare its product with `Csr` in `tests/<paper>`.
//! 3. Register it for `solve` and `layouts`: add a file in `src/layouts` that implements the trait `Layout` (label, plan,
//!    upload), and a line in the list in `src/layouts/mod.rs`.
//! 4. Time it with a case in the paper's `speed`.
//!
//! ## A claim
//!
//! 1. Add a row to the table in `src/<paper>/claims/mod.rs`, in the paper's order: class, name, section, statement, the
//!    paper's number, and the function that measures. `.command(…)` gives the command for the same experiment.
//! 2. Write the function next to those of its subject. It measures and returns [`crate::claim::Found`]; the judges
//!    compare the result with the row.
//! 3. Run it with `fragstream reproduce PAPER/NAME --out report`, and take over the run with
//!    `fragstream reproduce --pages report`. This writes `figures/report.json`, the figures and the pages; until then,
//!    a test fails.
//!
//! ## A paper
//!
//! 1. Create folders with its name in `src`, `glsl`, `tests` (with a line in `tests/it.rs`) and `figures`.
//! 2. Add `pub mod` to `src/lib.rs`, and the limits of its GPU's programs to `src/card/limits.rs`.
//! 3. Write `src/<paper>/claims` with its `PAPER` (authors, title, claims), and list it in `src/papers.rs`.
//! 4. Write `src/<paper>/speed` with `pub fn bench()`, and call it in `src/command/registry/bench.rs`.
//! 5. Add a command for each application to `src/command`: a `Simulation` or a solve.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;

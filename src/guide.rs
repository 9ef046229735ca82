//! # For contributors: architecture, and how to add something
//!
//! One name, four places: `src/bolz2003`, `glsl/bolz2003`, `tests/bolz2003`, `figures/bolz2003`, and the
//! same for every paper: if you know the paper, you know where its code, programs, tests and pictures are.
//!
//! | folder | what |
//! |---|---|
//! | `src/gl` | OpenGL: contexts, programs, textures, framebuffers, queries. The only `unsafe` |
//! | `src/stream` | the stream processor: machine, programs, streams and how vectors lie in them, passes, reductions, the ledger |
//! | `src/card` | the cards of 2003: what a program may be, its instructions and registers, what a run would have cost; an interpreter that runs any program on the CPU |
//! | `src/parallel.rs` | loops over arrays on all cores |
//! | `src/solver` | algorithms written once, over traits: conjugate gradients and their kin, multigrid, refinement in double precision, dense and sparse matrices; vectors in textures and in main memory |
//! | `src/mesh`, `src/io` | triangle meshes and finite elements; PLY, OBJ, OFF, Matrix Market, HDR, EXR, TOML |
//! | `src/picture` | the canvas, colours, meshes, charts, PNG and GIF |
//! | `src/timing` | a case (kernel, ceiling, CPU baseline, goal) and the rig that measures it |
//! | `src/claim` | claims, verdicts, the report |
//! | `src/simulation.rs` | what a film, a GIF and a window step |
//! | `src/<paper>` | layouts and kernels by subject; `claims/` is the table of its claims, and the functions that check them |
//! | `src/papers.rs` | the papers and their claims |
//! | `src/layouts` | the papers' layouts in one registry: compared, and solved in by every method (`solve_csr`) |
//! | `src/retrodiction` | the timings that the papers print, beside the model of their cards |
//! | `src/view` | windows |
//! | `src/command` | the command line; `src/main.rs` calls it |
//! | `glsl/stream`, `glsl/<paper>` | one fragment program a file, each a text to teach from: formula, section, channels; in sub-folders named as those of `src` where one would be long |
//!
//! Dependencies point one way: `gl ← stream ← card ← solver, mesh, io, picture ← timing, claim ← papers ←
//! layouts, film, view ← command`, and papers never import each other.
//!
//! # Tests
//!
//! `LP_NUM_THREADS=0 cargo test` runs all tests; `tests/README.md` says what they compare with what.
//!
//! A command whose passes are small has llvmpipe draw without threads of its own, unless `LP_NUM_THREADS` is set:
//! handing a pass over takes longer than drawing it. On two cores `wing` takes 12 s instead of 31 to 36, twenty steps
//! of `liquid` 1.9 s instead of 2.7, a hundred of `water` on 128² 0.7 s instead of 1.5.
//!
//! # To add something
//!
//! ## A kernel
//!
//! 1. Write `glsl/<paper>/name.frag`, or in a folder there; its head says the formula, the section, and
//!    what each channel holds.
//! 2. Where it is used, in `src/<paper>`: `machine.kernel(&source!("<paper>/name"), &[])`, with parts in
//!    front by `source!("<paper>/name", with "<paper>/part")`.
//! 3. Run it: `kernel.pass().read("x", &x).set("scale", 2.0).draw(&y, y.full())`.
//! 4. Compare what calls it with a formula in `tests/<paper>`.
//! 5. Where its text leaves a constant, a `#define` or a part open, give it a line in
//!    `tests/card/programs.rs`, which runs every program by the driver and by the interpreter; the test
//!    names what is missing.
//!
//! ## A layout of a matrix
//!
//! 1. A file in `src/<paper>` that uploads a `solver::Csr` into streams and is a
//!    `solver::Operator<TextureSpace>`: every solver takes it then. Its product leaves zeros behind the
//!    last entry: it draws `layout.rectangles_of(0..rows)`.
//! 2. Compare its product with `Csr` in `tests/<paper>`.
//! 3. Offer it to `solve` and `layouts`: a file in `src/layouts` with the trait `Layout` (label, plan, upload), and a
//!    line in the list in `src/layouts/mod.rs`.
//! 4. Time it: a case in the paper's `speed`.
//!
//! ## A claim
//!
//! 1. A row in the table of `src/<paper>/claims/mod.rs`, in the paper's order: class, name, section, statement, the
//!    paper's number, and the function that checks it. `.command(…)` names the command by which a user does the same.
//! 2. The function, next to those of its subject: it measures and returns [`crate::claim::Found`]; the judges compare
//!    that with the row.
//! 3. Run it, and take the run over: `fragstream reproduce PAPER/NAME --out report`, then
//!    `REPORT=report cargo test --test it takes_over_a_report -- --ignored`, which writes `figures/report.json`, the
//!    figures and the generated parts of the pages; a test fails while they are missing.
//!
//! ## A paper
//!
//! 1. Folders of its name in `src`, `glsl`, `tests` (named in `tests/it.rs`) and `figures`.
//! 2. `pub mod` in `src/lib.rs`, and what programs its GPU took in `src/card/limits.rs`.
//! 3. `src/<paper>/claims` with its `PAPER` (authors, title, claims), listed in `src/papers.rs`.
//! 4. `src/<paper>/speed` with `pub fn bench()`, called in `src/command/registry/bench.rs`.
//! 5. A command for each application: a `Simulation`, or a solve, in `src/command`.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;

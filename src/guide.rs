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
//! | `src/<paper>` | layouts and kernels by subject; `experiments/` has one file a figure or table |
//! | `src/system` | linear systems in every layout and by every method: `solve_csr` |
//! | `src/experiments.rs` | the experiments of all papers |
//! | `src/layouts` | the papers' layouts side by side |
//! | `src/retrodiction` | the timings that the papers print, beside the model of their cards |
//! | `src/view` | windows |
//! | `src/command` | the command line; `src/main.rs` calls it |
//! | `glsl/stream`, `glsl/<paper>` | one fragment program a file, each a text to teach from: formula, section, channels; in sub-folders named as those of `src` where one would be long |
//!
//! Dependencies point one way: `gl ← stream ← card ← solver, mesh, io, picture ← timing, claim ← papers ←
//! experiments, view ← command`, and papers never import each other.
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
//! 3. Run it: `Pass::new(&kernel).read("x", &x).set("scale", 2.0).draw(&y, &machine.rect(y.full())?)`.
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
//! 3. Offer it to `solve --layout`: a variant in `src/system/choice.rs`, with its name and the methods that
//!    take it; the compiler asks for what it is (`stored.rs` there) and takes (`estimate.rs`).
//! 4. Put it beside the others: a variant in `src/layouts/matrices/layout.rs`, listed in `FOR_MATRICES`;
//!    the compiler asks for its textures (`plan.rs`), its product and its ceiling (`stored.rs`).
//! 5. Time it: a case in the paper's `speed`.
//!
//! ## A claim
//!
//! 1. A constant `Claim` (id, class, variant, what it is judged on, section, what the paper says) in the
//!    file of its experiment.
//! 2. The experiment names it among its `claims`, measures, and returns `claim.judge(holds, measured,
//!    why)`, in the same order.
//! 3. A new experiment stands in `experiments/mod.rs`, and the command by which a user does the same, if
//!    there is one, in `src/claim/commands.rs`.
//! 4. Run it, and take the run over: `fragstream reproduce ID --out report`, then
//!    `REPORT=report/report.json cargo test --test claim takes_over -- --ignored`, which writes
//!    `figures/<paper>/report.json` and the generated parts of the pages; a test fails while they are
//!    missing.
//!
//! ## A paper
//!
//! 1. Folders of its name in `src`, `glsl`, `tests` (with a `main.rs`) and `figures`.
//! 2. `pub mod` in `src/lib.rs`, authors and title in `src/claim/papers.rs`, and what programs its card
//!    took in `src/card/limits.rs`.
//! 3. `src/<paper>/experiments` with `pub fn experiments()`, listed in `src/experiments.rs`.
//! 4. `src/<paper>/speed` with `pub fn bench()`, called in `src/command/registry/bench.rs`.
//! 5. A command for each application: a `Simulation`, or a solve, in `src/command`.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;

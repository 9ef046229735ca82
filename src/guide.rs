//! # For contributors: architecture, and how to add something
//!
//! One name, four places: `src/bolz2003`, `glsl/bolz2003`, `tests/bolz2003`, `figures/bolz2003`, and the same for
//! every paper. If you know the paper, you know where its code, programs, tests and pictures are.
//!
//! | folder | contents |
//! |---|---|
//! | `src/base` | what all others use: errors, free memory, loops on all cores, random numbers, formulas, text in columns |
//! | `src/gl` | OpenGL: contexts, programs, textures, framebuffers, queries. The only `unsafe` |
//! | `src/program` | programs without a driver: the rules of 2003, symbolic execution, the compiler from a kernel's text to its listing, and an interpreter |
//! | `src/stream` | the stream processor: machine, programs, streams, layouts of vectors, passes, reductions, the ledger |
//! | `src/card` | the GPUs of 2003: counts of instructions and registers, read from listings; limits, a model of times, the texture cache |
//! | `src/solver` | algorithms over traits, written once: conjugate gradients and related methods, multigrid, refinement in double precision, dense and sparse matrices; vectors in textures and in main memory |
//! | `src/mesh`, `src/io` | triangle meshes and finite elements; PLY, OBJ, OFF, STL, Gmsh, FEAT, Matrix Market, NPZ, HDR, EXR, TOML |
//! | `src/picture` | the canvas, colours, meshes, charts, PNG and GIF |
//! | `src/timing` | a case (kernel, ceiling, CPU baseline) and the rig that measures it |
//! | `src/claim` | claims, verdicts, the report |
//! | `src/settings`, `src/experiment` | settings as structs with a JSON Schema; an experiment as command line, link and JSON; its record; studies |
//! | `src/scene` | what every simulation that runs and can be seen has in common: steps, views, settings, an entry |
//! | `src/<paper>` | layouts and kernels by subject; `scenes/` has simulations; `study/claims/` has the table of claims and the functions that measure them |
//! | `src/scenes` | the registry of scenes, which the command, windows, the page and films read |
//! | `src/papers.rs`, `src/papers` | the papers and their claims, and the pages about them |
//! | `src/layouts` | the papers' layouts in one registry, for comparison |
//! | `src/solve` | the solver behind `solve`: every method on every layout (`solve_csr`) |
//! | `src/aged` | the papers' advice about performance, judged on several machines |
//! | `src/retrodiction` | the papers' printed timings, compared with the model of their cards |
//! | `src/film`, `src/view` | runs replayed in a browser; windows |
//! | `src/live` | the solvers in a browser: the page `figures/course/live.html`, and its build |
//! | `src/command` | the command line; `src/main.rs` calls it |
//! | `src/guide` | a scene and two layouts outside the library, as examples |
//! | `glsl/stream`, `glsl/<paper>` | one fragment program per file, each a text to teach from: formula, section, channels; sub-folders group them by subject |
//!
//! The documentation of the [crate] gives the direction of the dependencies. Papers never import each other.
//!
//! # Tests
//!
//! `LP_NUM_THREADS=0 cargo test` runs all tests but the unit tests, which need a second build of the library: `cargo test
//! --lib`. `tests/README.md` describes what they compare. `cargo test --test it kruger2003::` runs those of a paper, `cargo test
//! --test cli` those of commands. `.ci/run` runs everything that has to hold: formatting, lints, documentation, tests, claims.
//!
//! `cargo build`, `cargo test` and `cargo run --example` share one build. A release and the feature `mutants` are builds of their
//! own. `.ci/quick`, `.ci/write` and `.ci/run` use the one with `mutants`.
//!
//! An addition has a tail: rows, notes, help texts and pages that follow from it. `.ci/quick KIND` names what is missing,
//! before the long tests do, and `.ci/write` writes all that can be computed. Processor seconds, without the compilation:
//!
//! | kind | seconds | what it names |
//! |---|--:|---|
//! | `.ci/quick kernel` | 7 | a mutant, the `Cost:` line, a section in the header, what its text needs to be compiled, a value that differs from its text |
//! | `.ci/quick layout` | 32 | a matrix that it solves wrongly, its help, its row in the table of layouts |
//! | `.ci/quick scene`, `.ci/quick setting` | 20 | a word or a range, its place in links and JSON, its help |
//! | `.ci/quick claim` | 20 | its criterion, its run, its row on the page |
//! | `.ci/quick texts` | 10 | commands, files and links that a page names |
//!
//! | written by | what |
//! |---|---|
//! | `.ci/write` | `Cost:` lines and the table of special values in `glsl`, help texts, lines of rooms, the pages of the claims, the article |
//! | `.ci/write live` | the live page, the course and the page of the pressure, with their pictures. It needs `rustup target add wasm32-unknown-unknown` and Chromium |
//! | you | rows of `tests/mutants/programs.tsv`, runs of claims (`fragstream reproduce ID --out figures`), entries in lists of changes |
//!
//! `tests/it.rs` is a crate of its own, which sees public items only. It is not mounted in the library under
//! `cfg(test)`: a change of one line in a test would then compile the whole library again. What only the library uses is
//! `pub(crate)` or private, and a section `# Errors` is for what a caller can act on.
//!
//! `--passes` of any command prints the passes that it draws, in their order: `fragstream cycle --passes` is a whole V-cycle.
//!
//! Handing a small pass to llvmpipe's threads takes longer than drawing it, so commands with small passes run llvmpipe
//! single-threaded unless you set `LP_NUM_THREADS`.
//!
//! # To add something
//!
//! ## A kernel
//!
//! 1. Write `glsl/<paper>/name.frag`, or put it in a sub-folder. Its header gives the formula, the section and the
//!    meaning of each channel. `.ci/write` writes its `Cost:` line.
//! 2. Load it in `src/<paper>`: `machine.kernel(&source!(kruger2003, "name"), &[])`. The machine is that of the streams, such as
//!    `space.machine()`. It compiles a program once and keeps it, so ask again for each use. To put parts in front, use
//!    `source!(kruger2003, "name", with "kruger2003/part")`.
//! 3. Run it: `kernel.pass().read("x", &x).set("scale", 2.0).draw(&y, y.full())`. A vector of a layout may have texels behind
//!    its last entry, which have to stay zero: draw `space.all()` instead of `y.full()` if the program is not zero there.
//! 4. Compare the result of the function that calls it with a formula in `tests/<paper>`. Tests see public items only: list the
//!    function among the `pub use` of `src/<paper>/mod.rs`, and a new file of tests in `tests/<paper>/mod.rs`.
//! 5. Add it to `glsl/programs.txt` if its text needs a `#define`, a part, or particular values of its constants
//!    (`tests/card/programs.rs` describes a line), and to `tests/mutants/programs.tsv`: a change that breaks it, and the test that
//!    then fails. Tests name the first program that is missing.
//!
//! The example in the documentation of the [crate] runs a kernel without a file.
//!
//! ## A layout of a matrix
//!
//! 1. Write a file in `src/<paper>` that uploads a [`Csr`](crate::solver::Csr) into streams and implements
//!    [`Operator`](crate::solver::Operator). All solvers then accept it. Its product must leave zeros behind the last
//!    entry, so draw the rectangles of its rows ([`rectangles_of`](crate::stream::Layout::rectangles_of)).
//! 2. Compare its product with `Csr` in `tests/<paper>`.
//! 3. Add a file in `src/layouts` with a [`MatrixLayout`](crate::layouts::MatrixLayout), and list it in `src/layouts/mod.rs`
//!    (`mod`, `pub use`, and `ALL`): `solve` and `layouts` then offer it, and `.ci/write` writes their help. A layout that
//!    holds some matrices only is an exception in the tests of all layouts: `BOXES` in `tests/solver/systems.rs`, `wrapped` in
//!    `tests/command/layouts.rs`.
//! 4. Time it with a case in `src/<paper>/study/cases.rs`.
//!
//! A layout outside the library is a file in a folder `examples`, which `cargo run --example NAME` finds by itself.
//! `src/guide/layout.rs` (`cargo run --example layout`) is a layout outside the library, compared with the papers' layouts and
//! used by a solver. `src/guide/sorted.rs` (`cargo run --example sorted`) is one whose rows have an order of their own, for
//! matrices whose rows differ in length.
//!
//! A matrix with a diagonal alone, for example:
//!
//! ```
//! use std::rc::Rc;
//! use fragstream::card::dialect::user_source;
//! use fragstream::solver::{Criteria, Operator, TextureSpace, conjugate_gradients};
//! use fragstream::stream::{Format, Kernel, Layout, Limits, Machine, Stream, StreamError};
//!
//! struct Diagonal(Rc<Kernel>, Stream);
//!
//! impl Operator<TextureSpace> for Diagonal {
//!     fn apply(&self, space: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
//!         self.0.pass().read("d", &self.1).read("x", x).draw(y, space.all())
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let machine = Machine::headless()?;
//! let text = "uniform stream d; uniform stream x;
//!     void main() { result = fetch(d, here) * fetch(x, here); }";
//! let kernel = machine.kernel(&user_source("diagonal", text, Limits::NV30)?, &[])?;
//! let space = TextureSpace::new(&machine, Layout::square(3, Format::R32F)?)?;
//! let matrix = Diagonal(kernel, space.vector(&[1.0, 2.0, 4.0])?);
//! let (b, mut x) = (space.vector(&[1.0; 3])?, space.zeros()?);
//! conjugate_gradients(&space, &matrix, None, &b, &mut x, &Criteria::default(), |_| ())?;
//! assert!((x.read()?[2] - 0.25).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! ## A claim
//!
//! 1. Add a row: in the `claims.toml` of a paper, as in `figures/bolz2003`, the place, the statement, what runs and the
//!    conditions, as `figures/replicate.md` explains.
//! 2. A [`Study`](crate::experiment::Study) measures, or is timed next to others, and gives a
//!    [`Record`](crate::experiment::Record): `fragstream run bolz2003/cycles` prints one. Its settings are exactly those that it
//!    reads, some of a scene or a solve by name, or a struct of its own. Add it to `STUDIES` of the paper; a test gives each
//!    setting another value, and fails if nothing in the record changes. Before you write one, look at `fragstream run
//!    --help`: several rows may read the record of one study.
//! 3. Commit, run it with `fragstream reproduce PAPER/NAME --out figures`, which stores the result and its figures with the
//!    commit, and write the pages with `fragstream reproduce --pages`; until then, a test fails.
//! 4. A row's criterion is its text: its history is that of the file. If you change one after a run, say in
//!    `figures/changed-criteria.md` what it was, what it is, why, and the verdict before and after.
//!
//! A report of another machine is a folder in `figures` with its `report.json`; `figures/your-card.md` has the steps.
//!
//! ```
//! use std::sync::LazyLock;
//!
//! use fragstream::claim::{Checker, Claim, Claims, Paper, Run, Verdict, rows};
//! use fragstream::stream::Machine;
//!
//! static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
//!     let text = r#"
//!         [row.sum]
//!         place = "§1"
//!         says = "Two and two are four."
//!         about = "arithmetic"
//!         paper = "4"
//!         class = "exact"
//!         value.sum = "sum: 2 + 2 == printed.four"
//!     "#;
//!     rows::built_in("trial.toml", text, "id,value\nfour,4\n", &[])
//! });
//!
//! static PAPER: Paper = Paper {
//!     id: "trial",
//!     authors: "",
//!     title: "A trial",
//!     year: 2003,
//!     subject: "a sum",
//!     partly: &[],
//!     together: &[],
//!     claims: Claims::Of(&CLAIMS),
//! };
//!
//! # fn main() -> Result<(), fragstream::base::error::BoxedError> {
//! let machine = Machine::headless()?;
//! let mut checker = Checker::new(Run::new(&machine));
//! assert_eq!(checker.check((&PAPER, &PAPER.claims[0]))?.verdict, Verdict::Reproduced);
//! # Ok(())
//! # }
//! ```
//!
//! ## A paper
//!
//! 1. Create folders with its name in `src`, `glsl`, `tests` (with a line in `tests/it.rs` and in `tests/README.md`) and
//!    `figures` (with a `README.md` that has the marks of the other papers' pages).
//! 2. Add `pub mod` to `src/lib.rs`, and its GPU's limits, as `LIMITS`, to `src/<paper>/mod.rs` and to `tests/card/programs.rs`.
//! 3. Write `src/<paper>/study/claims` with its `PAPER` (authors, title, claims), and list it in `src/papers.rs`.
//! 4. Write `src/<paper>/study/cases.rs` with its cases, and call it in `src/command/registry/bench.rs`.
//! 5. Write a scene for each simulation, like `src/kruger2003/scenes`, and list it in `src/scenes`; add a command for each
//!    solve to `src/command`.
//!
//! ## A scene
//!
//! Outside the library, `src/guide/plate.rs` is one (`cargo run --example plate`). Inside:
//!
//! 1. Write a file with its settings, a preset `film` among them, its [`Entry`](crate::scene::Entry) and its
//!    [`Scene`](crate::scene::Scene), like `src/kruger2003/scenes/water.rs`. Its programs are files in `glsl`.
//! 2. List the entry in `src/scenes/mod.rs`: it is now a command, a window and a film, and with the live page built again a
//!    scene of the page.
//! 3. `.ci/write` writes its help, `.ci/write live` builds the page.
//!
//! ## A setting or a preset of a scene
//!
//! 1. A setting is a field of the struct of settings in the scene's file. Its doc comment is the help, its type the words that it
//!    takes: an `enum` is a choice, and a new variant needs no other place than the `match` that uses it. Its value in `Default`
//!    is that of the command without options.
//! 2. Attributes of `schemars` give its range (`range(min = 0.0)`) and its slider on the live page (`extend("slides" = [0, 120])`).
//! 3. A preset is a line of `presets()` in the same file: name, description, steps, settings.
//! 4. Nothing has to be listed: the command, links, JSON, windows and the page read the struct. What is old then is the help
//!    (`.ci/write`) and the live page, which has the library of its last build (`.ci/write live`).
//!
//! ## A film of your own kernel
//!
//! A recorder observes a machine before its first stream is made, and the page replays every pass in a browser:
//!
//! ```
//! use fragstream::card::dialect::user_source;
//! use fragstream::film::{About, PAGE_BYTES, Recorder, page};
//! use fragstream::stream::{Format, Limits, Machine, Pair};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let machine = Machine::headless()?;
//! let about = About { name: "halves".into(), title: "Halves".into(), ..About::default() };
//! let recorder = Recorder::start(&machine, about, PAGE_BYTES, |_| ())?;
//! let text = "uniform stream x; void main() { result = 0.5 * fetch(x, here) + vec4(1.0); }";
//! let halve = machine.kernel(&user_source("halve", text, Limits::NV30)?, &[])?;
//! let mut x = Pair::zeros(&machine, "x", (2, 2), Format::R32F)?;
//! for step in 1..=3 {
//!     machine.scene(&format!("Step {step}"));
//!     halve.pass().read("x", x.front()).draw(x.back(), x.back().full())?;
//!     x.swap();
//! }
//! assert_eq!(x.front().read()?, [1.75; 4]);
//! let film = recorder.finish()?;
//! // Write this text to a file, and open it in a browser.
//! let html = page("Halves", &[film], "", PAGE_BYTES)?;
//! assert!(html.starts_with("<!doctype html>"));
//! # Ok(())
//! # }
//! ```
//!
//! On the command line, `--film FILE.html` does this for every command that computes in textures, and
//! `fragstream film my.frag` for a program that reads its own result. Either page can be a lesson of a course
//! (`film = "FILE.html"` in its file).

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;

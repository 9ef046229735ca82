//! `fragstream bench`: kernels and solvers beside their ceiling and their CPU twin.

use std::io::Write;

use clap::Args;

use fragstream::bolz2003::experiments::input;
use fragstream::bolz2003::grid_hierarchy::HierarchyOptions;
use fragstream::bolz2003::grid_kernel_speed::{self, Timed};
use fragstream::bolz2003::grid_speed::{self, Problem};
use fragstream::bolz2003::packing::PackingOptions;
use fragstream::bolz2003::speed::{self, Comparison, SpeedError};
use fragstream::experiment::timing::Effort;
use fragstream::io::read_valid_mesh;
use fragstream::mesh::TriangleMesh;
use fragstream::mesh::generate::torus;
use fragstream::solver::Cycle;
use fragstream::stream::{Edges, Format, Machine};

use super::arguments::Rectangle;
use super::failure::Failure;
use super::session::{Output, Session, spinner};

/// Time kernels and solvers beside their ceiling and a tuned program for the CPU
///
/// The ceiling of a kernel is a trivial one with the same fetches and the same output. All figures
/// of a line come from one run in turns: compare the ratios, not the milliseconds.
#[derive(Args)]
pub struct Arguments {
    /// Fewer repetitions, and a generated mesh of 50 000 instead of 500 000 vertices
    #[arg(long)]
    quick: bool,

    /// The mesh to time beside the generated ones [default: the bundled scan]
    #[arg(long, value_name = "MESH")]
    mesh: Option<std::path::PathBuf>,

    /// Rectangles that rows are packed into: a size, or `auto` for the best one on this GPU
    #[arg(long, value_name = "WxH|auto", default_value_t = Rectangle::default())]
    rect: Rectangle,
}

/// Times everything, and prints a line as soon as it is known.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let scan = match &arguments.mesh {
        Some(path) => read_valid_mesh(path).map_err(Failure::input)?,
        None => input::scan().map_err(Failure::input)?,
    };
    let machine = session.machine()?;
    let bench = Bench {
        machine: &machine,
        packing: arguments.rect.packing(&machine)?,
        effort: Effort::of(arguments.quick),
    };
    let out = &mut session.out;
    let [width, height] = bench.packing.rectangle;
    writeln!(out, "on {}", machine.context().description().renderer)?;
    writeln!(
        out,
        "rectangles of {width}x{height}; medians, in milliseconds"
    )?;
    writeln!(
        out,
        "\n{:<44} {:>9} {:>9} {:>6} {:>6} {:>9} {:>7}",
        "", "here", "ceiling", "ratio", "goal", "CPU", "x CPU"
    )?;
    let large = torus(if arguments.quick { 50_000 } else { 500_000 }, 1);
    bench.products(&scan, "the scan", 0.5, out)?;
    bench.products(
        &large,
        &format!("{} vertices", large.positions.len()),
        0.7,
        out,
    )?;
    bench.reductions(out)?;
    bench.iterations(&scan, out)?;
    let million = torus(if arguments.quick { 100_000 } else { 1_000_000 }, 2);
    bench.set_up(&million, out)?;
    let side = if arguments.quick { 257 } else { 1025 };
    bench.grid_kernels(side, out)?;
    bench.cycles(arguments.quick, out)?;
    bench.poisson(side, out)
}

struct Bench<'a> {
    machine: &'a Machine,
    packing: PackingOptions,
    effort: Effort,
}

impl Bench<'_> {
    fn products(
        &self,
        mesh: &TriangleMesh,
        name: &str,
        goal: f64,
        out: &mut Output,
    ) -> Result<(), Failure> {
        for (format, channels) in [(Format::R32F, "1 channel"), (Format::Rgba32F, "3 channels")] {
            let what = format!("product, {name}, {channels}");
            let product = waiting(&what, || {
                speed::product(self.machine, mesh, &self.packing, format, self.effort)
            })?;
            line(out, &what, &product.times, goal)?;
            writeln!(
                out,
                "{:<44} {:>9} {:>9.3} {:>6.2}",
                "  its ceiling, all from caches",
                "",
                product.cached_ceiling * 1e3,
                product.cached_ceiling / product.times.kernel
            )?;
        }
        Ok(())
    }

    fn reductions(&self, out: &mut Output) -> Result<(), Failure> {
        for (edges, name) in [(Edges::Padded, "padded"), (Edges::Bounded, "bounds tested")] {
            let what = format!("sum of 2048², {name}, read back");
            let times = waiting(&what, || {
                speed::reduction(self.machine, (2048, 2048), edges, self.effort)
            })?;
            line(out, &what, &times, 0.6)?;
        }
        Ok(())
    }

    fn iterations(&self, mesh: &TriangleMesh, out: &mut Output) -> Result<(), Failure> {
        for (preconditioned, name) in [(false, "CG"), (true, "preconditioned CG")] {
            let what = format!("{name} iteration, 3 channels");
            let iteration = waiting(&what, || {
                speed::iteration(self.machine, mesh, &self.packing, preconditioned, 50)
            })?;
            writeln!(
                out,
                "{what:<44} {:>9.3}   {} uploads, {:.2} texels read back, {:.1} target switches",
                iteration.seconds * 1e3,
                iteration.uploads,
                iteration.texels_read_back,
                iteration.target_switches,
            )?;
        }
        Ok(())
    }

    fn set_up(&self, mesh: &TriangleMesh, out: &mut Output) -> Result<(), Failure> {
        let set_up = waiting("set-up", || {
            speed::set_up(self.machine, mesh, &self.packing)
        })?;
        writeln!(
            out,
            "\nset-up of {} vertices: {:.2} s (connectivity {:.2}, packing {:.2}, upload {:.2}); \
             goal: 1 000 000 in 10 s",
            set_up.vertices,
            set_up.seconds(),
            set_up.connectivity,
            set_up.packing,
            set_up.upload
        )?;
        writeln!(
            out,
            "textures: {:.0} bytes a vertex, goal: 400; a step with five iterations: {:.2} s",
            set_up.bytes_a_vertex, set_up.step
        )?;
        Ok(())
    }
}

/// Section 4 of bolz2003: regular grids.
impl Bench<'_> {
    fn grid_kernels(&self, n: usize, out: &mut Output) -> Result<(), Failure> {
        let (machine, effort) = (self.machine, self.effort);
        let problem = Problem::stored(n);
        writeln!(
            out,
            "\na grid of {n}² nodes, four a texel; stencils in streams"
        )?;
        for kernel in Timed::ALL {
            let [seconds, ceiling] = waiting(kernel.name(), || {
                Ok(grid_kernel_speed::beside_ceiling(
                    machine, &problem, kernel, effort,
                )?)
            })?;
            let name = kernel.name();
            let (here, ceiling, ratio) = (seconds * 1e3, ceiling * 1e3, ceiling / seconds);
            write!(
                out,
                "{name:<44} {here:>9.3} {ceiling:>9.3} {ratio:>6.2} {:>6.1}",
                0.6
            )?;
            if kernel == Timed::Product {
                let [seconds, cpu] = waiting("the product on the CPU", || {
                    Ok(grid_kernel_speed::product_beside_cpu(
                        machine, &problem, effort,
                    )?)
                })?;
                write!(out, " {:>9.3} {:>7.2}", cpu * 1e3, cpu / seconds)?;
            }
            writeln!(out)?;
        }
        let constant = Problem::constant(n);
        for kernel in [Timed::Product, Timed::Jacobi] {
            let what = format!("{}, five constants", kernel.name());
            let [seconds] = waiting(&what, || {
                Ok(grid_kernel_speed::kernel_seconds(
                    machine,
                    [&constant],
                    kernel,
                    effort,
                )?)
            })?;
            writeln!(out, "{what:<44} {:>9.3}", seconds * 1e3)?;
        }
        Ok(())
    }

    fn cycles(&self, quick: bool, out: &mut Output) -> Result<(), Failure> {
        let (machine, effort) = (self.machine, self.effort);
        let shape = Cycle::v(4, 2);
        writeln!(
            out,
            "\n{:<44} {:>9} {:>9} {:>7} {:>9} {:>9}",
            "V(4,2)-cycles", "here", "a second", "passes", "switches", "ns a node"
        )?;
        let sizes: &[usize] = if quick {
            &[129, 257]
        } else {
            &[257, 513, 1025, 2049]
        };
        type Variant = (&'static str, fn(usize) -> Problem);
        let variants: [Variant; 3] = [
            ("stencils in streams", Problem::stored),
            ("stencils in constants", Problem::constant),
            ("as in the paper", |n| {
                Problem::stored(n).with(HierarchyOptions::paper())
            }),
        ];
        for (name, problem) in variants {
            let mut per_node = Vec::new();
            for &n in sizes {
                let what = format!("{n}², {name}");
                let [cost] = waiting(&what, || {
                    Ok(grid_speed::cycles(machine, [problem(n)], shape, effort)?)
                })?;
                let nanoseconds = cost.seconds * 1e9 / cost.unknowns as f64;
                per_node.push(nanoseconds);
                writeln!(
                    out,
                    "{what:<44} {:>9.3} {:>9.1} {:>7} {:>9} {nanoseconds:>9.1}",
                    cost.seconds * 1e3,
                    1.0 / cost.seconds,
                    cost.passes,
                    cost.target_switches,
                )?;
            }
            let (low, high) = per_node
                .iter()
                .fold((f64::INFINITY, 0.0f64), |(low, high), &v| {
                    (low.min(v), high.max(v))
                });
            writeln!(out, "  time a node within {:.2}, goal: 1.5", high / low)?;
        }
        let n = if quick { 257 } else { 513 };
        let share = waiting("the border", || {
            Ok(grid_speed::border_share(machine, n, shape, effort)?)
        })?;
        writeln!(
            out,
            "the border's share of a cycle on {n}²: fused {:.0} %, copied {:.0} %; goal: below 20 %",
            100.0 * share.fused,
            100.0 * share.copied
        )?;
        Ok(())
    }

    fn poisson(&self, n: usize, out: &mut Output) -> Result<(), Failure> {
        writeln!(
            out,
            "\nPoisson on {n}², Dirichlet, b = 0, random start, V(2,2) to 1e-6{}",
            if n == 1025 {
                "; goal: 226 ms after 169 ms (AMGCL, f32, two cores)"
            } else {
                ""
            }
        )?;
        let rounds = self.effort.rounds.min(7);
        for (name, problem) in [
            ("stencils in streams", Problem::stored(n)),
            ("stencils in constants", Problem::constant(n)),
            (
                "as in the paper",
                Problem::stored(n).with(HierarchyOptions::paper()),
            ),
        ] {
            let solve = waiting(name, || {
                let shape = Cycle::v(2, 2);
                Ok(grid_speed::solve(
                    self.machine,
                    &problem,
                    shape,
                    1e-6,
                    rounds,
                )?)
            })?;
            writeln!(
                out,
                "{name:<44} {:>9.3}   {} cycles, {} at {:.1e}; set-up {:.1} ms",
                solve.seconds * 1e3,
                solve.cycles,
                solve.reason,
                solve.residual,
                solve.set_up * 1e3
            )?;
        }
        Ok(())
    }
}

/// Does something that takes a while, with a sign of life on a terminal.
fn waiting<T>(what: &str, work: impl FnOnce() -> Result<T, SpeedError>) -> Result<T, Failure> {
    let sign = spinner();
    sign.set_message(what.to_owned());
    sign.tick();
    let result = work();
    sign.finish_and_clear();
    result.map_err(|error| match error {
        SpeedError::Stream(error) => error.into(),
        SpeedError::Matrix(_) | SpeedError::Mesh(_) => Failure::input(error),
    })
}

fn line(out: &mut Output, what: &str, times: &Comparison, goal: f64) -> Result<(), Failure> {
    writeln!(
        out,
        "{what:<44} {:>9.3} {:>9.3} {:>6.2} {goal:>6.1} {:>9.3} {:>7.2}",
        times.kernel * 1e3,
        times.ceiling * 1e3,
        times.of_ceiling(),
        times.cpu * 1e3,
        times.against_cpu()
    )?;
    Ok(())
}

//! Geometric flow and regular grids (bolz2003).

use std::io::Write;

use fragstream::bolz2003::grid::hierarchy::HierarchyOptions;
use fragstream::bolz2003::grid::timing::cycles;
use fragstream::bolz2003::grid::timing::cycles::Problem;
use fragstream::bolz2003::grid::timing::kernels;
use fragstream::bolz2003::grid::timing::kernels::Timed;
use fragstream::bolz2003::sparse::speed;
use fragstream::mesh::TriangleMesh;
use fragstream::mesh::generate::torus;
use fragstream::solver::Cycle;
use fragstream::stream::{Edges, Format};

use super::super::failure::Failure;
use super::super::session::Output;
use super::{Bench, line, waiting};

/// Section 3: geometric flow.
impl Bench<'_> {
    /// All of it, with this mesh beside generated ones.
    pub fn flow_and_grids(&self, scan: &TriangleMesh, out: &mut Output) -> Result<(), Failure> {
        let large = torus(if self.quick { 50_000 } else { 500_000 }, 1);
        self.products(scan, "the scan", 0.5, out)?;
        let name = format!("{} vertices", large.positions.len());
        self.products(&large, &name, 0.7, out)?;
        self.reductions(out)?;
        self.iterations(scan, out)?;
        let million = torus(if self.quick { 100_000 } else { 1_000_000 }, 2);
        self.set_up(&million, out)?;
        let side = if self.quick { 257 } else { 1025 };
        self.grid_kernels(side, out)?;
        self.cycles(out)?;
        self.poisson(side, out)
    }

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
            line(out, &what, &product.times, Some(goal))?;
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
            line(out, &what, &times, Some(0.6))?;
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
                kernels::beside_ceiling(machine, &problem, kernel, effort)
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
                    kernels::product_beside_cpu(machine, &problem, effort)
                })?;
                write!(out, " {:>9.3} {:>7.2}", cpu * 1e3, cpu / seconds)?;
            }
            writeln!(out)?;
        }
        let constant = Problem::constant(n);
        for kernel in [Timed::Product, Timed::Jacobi] {
            let what = format!("{}, five constants", kernel.name());
            let [seconds] = waiting(&what, || {
                kernels::kernel_seconds(machine, [&constant], kernel, effort)
            })?;
            writeln!(out, "{what:<44} {:>9.3}", seconds * 1e3)?;
        }
        Ok(())
    }

    fn cycles(&self, out: &mut Output) -> Result<(), Failure> {
        let (machine, effort) = (self.machine, self.effort);
        let shape = Cycle::v(4, 2);
        writeln!(
            out,
            "\n{:<44} {:>9} {:>9} {:>7} {:>9} {:>9}",
            "V(4,2)-cycles", "here", "a second", "passes", "switches", "ns a node"
        )?;
        let sizes: &[usize] = if self.quick {
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
                    cycles::cycles(machine, [problem(n)], shape, effort)
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
        let n = if self.quick { 257 } else { 513 };
        let share = waiting("the border", || {
            cycles::border_share(machine, n, shape, effort)
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
                cycles::solve(self.machine, &problem, shape, 1e-6, rounds)
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

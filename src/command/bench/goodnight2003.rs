//! The multigrid solver for boundary value problems (goodnight2003).

use std::io::Write;

use fragstream::claim::timing::Effort;
use fragstream::goodnight2003::multigrid::quadrants;
use fragstream::goodnight2003::speed::{self, Cost, eight_sweeps};
use fragstream::goodnight2003::{Hazard, Programs, Settings, SolverError, Strategy};
use fragstream::stream::{Buffer, Format};

use super::super::failure::Failure;
use super::super::session::Output;
use super::{Bench, waiting};

/// Ways to store the levels, beside each other.
const STRATEGIES: [(&str, Strategy, Hazard, Buffer); 7] = [
    (
        "separate",
        Strategy::Separate,
        Hazard::Barrier,
        Buffer::Framebuffer,
    ),
    (
        "two, barrier",
        Strategy::Two,
        Hazard::Barrier,
        Buffer::Framebuffer,
    ),
    (
        "one, barrier",
        Strategy::One,
        Hazard::Barrier,
        Buffer::Framebuffer,
    ),
    (
        "one, copy",
        Strategy::One,
        Hazard::Copy,
        Buffer::Framebuffer,
    ),
    (
        "one, toggle",
        Strategy::One,
        Hazard::Toggle,
        Buffer::Framebuffer,
    ),
    (
        "separate, a context a buffer",
        Strategy::Separate,
        Hazard::Barrier,
        Buffer::Context,
    ),
    (
        "one, a context a buffer",
        Strategy::One,
        Hazard::Barrier,
        Buffer::Context,
    ),
];

impl Bench<'_> {
    /// All of it.
    pub fn boundary_values(&self, out: &mut Output) -> Result<(), Failure> {
        let n = if self.quick { 129 } else { 1025 };
        self.half_sweep(n, out)?;
        self.strategies(if self.quick { 65 } else { 257 }, out)?;
        self.variants(n, out)?;
        self.beside_cpu(n, out)
    }

    fn half_sweep(&self, n: u32, out: &mut Output) -> Result<(), Failure> {
        let what = format!("half a sweep on {n}²");
        let effort = self.effort;
        let times = waiting(&what, || {
            speed::half_sweep_beside_trivial(self.machine, n, effort)
        })?;
        writeln!(out, "\na boundary value problem; a node a texel")?;
        writeln!(
            out,
            "{what:<44} {:>9.3} {:>9.3} {:>6.2} {:>6.1}",
            times.smooth * 1e3,
            times.ceiling * 1e3,
            times.ceiling / times.smooth,
            0.6
        )?;
        let gain = waiting("quadrants", || quadrants::gain(self.machine, n, effort))?;
        writeln!(
            out,
            "{:<44} {:>9.3}   {:.2} times as fast, {:.2} in the model of the NV30; {:.2} of the bytes",
            "  four nodes a texel, in quadrants",
            gain.seconds[1] * 1e3,
            gain.seconds[0] / gain.seconds[1],
            gain.nv30_seconds[0] / gain.nv30_seconds[1],
            gain.bytes[1] as f64 / gain.bytes[0] as f64
        )?;
        Ok(())
    }

    fn strategies(&self, n: u32, out: &mut Output) -> Result<(), Failure> {
        let settings = STRATEGIES.map(|(_, storage, hazard, buffer)| Settings {
            storage,
            hazard,
            buffer,
            ..eight_sweeps()
        });
        let problem = speed::flow(n).map_err(SolverError::from)?;
        let effort = self.cycle_effort();
        let costs = waiting("strategies", || {
            speed::cycles(self.machine, &problem, settings, effort)
        })?;
        writeln!(
            out,
            "\n{:<44} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9}",
            format!("V(4,4)-cycles on {n}²"),
            "here",
            "passes",
            "surfaces",
            "buffers",
            "contexts",
            "NV30*"
        )?;
        for ((name, ..), cost) in STRATEGIES.iter().zip(costs) {
            cycle_line(name, &cost, out)?;
        }
        writeln!(
            out,
            "  changes of what is rendered to; * model, without them"
        )?;
        Ok(())
    }

    fn variants(&self, n: u32, out: &mut Output) -> Result<(), Failure> {
        let with = |change: fn(&mut Settings)| {
            let mut settings = eight_sweeps();
            change(&mut settings);
            settings
        };
        let variants = [
            ("fastpath", with(|_| {})),
            (
                "original programs",
                with(|s| s.programs = Programs::Original),
            ),
            ("colours computed", with(|s| s.red_black_map = false)),
            ("16-bit floats", with(|s| s.precision = Format::Rgba16F)),
        ];
        let problem = speed::flow(n).map_err(SolverError::from)?;
        let effort = self.cycle_effort();
        let costs = waiting("variants", || {
            let settings = variants.each_ref().map(|(_, settings)| settings.clone());
            speed::cycles(self.machine, &problem, settings, effort)
        })?;
        writeln!(out, "\nV(4,4)-cycles on {n}²")?;
        for ((name, _), cost) in variants.iter().zip(costs) {
            cycle_line(name, &cost, out)?;
        }
        Ok(())
    }

    fn beside_cpu(&self, n: u32, out: &mut Output) -> Result<(), Failure> {
        let settings = eight_sweeps();
        let problem = speed::flow(n).map_err(SolverError::from)?;
        let effort = self.cycle_effort();
        let [gpu, one, all] = waiting("the CPU", || {
            speed::cycles_beside_cpu(self.machine, &problem, &settings, effort)
        })?;
        writeln!(
            out,
            "{:<44} {:>9.3}   CPU {:.3} on one core, {:.3} on all",
            format!("V(4,4)-cycle on {n}², beside the CPU"),
            gpu * 1e3,
            one * 1e3,
            all * 1e3
        )?;
        Ok(())
    }

    /// Cycles take long, and are a chain by themselves.
    fn cycle_effort(&self) -> Effort {
        Effort {
            rounds: self.effort.rounds.min(5),
            chain: 1,
        }
    }
}

fn cycle_line(name: &str, cost: &Cost, out: &mut Output) -> Result<(), Failure> {
    writeln!(
        out,
        "{name:<44} {:>9.3} {:>7} {:>9} {:>9} {:>9} {:>9.3}",
        cost.seconds * 1e3,
        cost.passes,
        cost.target_switches,
        cost.buffer_switches,
        cost.context_switches,
        cost.nv30_seconds * 1e3,
    )?;
    Ok(())
}

//! The lines of `fragstream bench`.

use crate::goodnight2003::{Hazard, Programs, Settings, Strategy};
use crate::stream::{Buffer, Format};
use crate::timing::cost::costs;
use crate::timing::{Bench, Cost, Effort, TimingError};

use super::cycles::{cycles, cycles_beside_cpu};
use super::half_sweep::{beside_quadrants, beside_trivial};
use super::problems::flow;

/// Ways to store the levels, for comparison.
const STRATEGIES: [(&str, Strategy, Hazard, Buffer); 6] = {
    use Buffer::{Context, Framebuffer};
    use Hazard::{Barrier, Copy};
    use Strategy::{One, Separate, Two};
    [
        ("separate", Separate, Barrier, Framebuffer),
        ("two, barrier", Two, Barrier, Framebuffer),
        ("one, barrier", One, Barrier, Framebuffer),
        ("one, copy", One, Copy, Framebuffer),
        ("separate, a context per buffer", Separate, Barrier, Context),
        ("one, a context per buffer", One, Barrier, Context),
    ]
};

/// A name, and its change to the settings.
type Variant = (&'static str, fn(&mut Settings));

/// Programs and formats, for comparison.
const VARIANTS: [Variant; 4] = [
    ("fastpath", |_| {}),
    ("original programs", |s| s.programs = Programs::Original),
    ("colours computed", |s| s.red_black_map = false),
    ("16-bit floats", |s| s.precision = Format::Rgba16F),
];

/// Prints all lines.
pub fn bench(bench: &mut Bench<'_>) -> Result<(), TimingError> {
    let n = bench.pick(129, 1025);
    half_sweeps(bench, n)?;
    strategies(bench, bench.pick(65, 257))?;
    variants(bench, n)?;
    beside_cpu(bench, n)
}

fn half_sweeps(bench: &mut Bench<'_>, n: u32) -> Result<(), TimingError> {
    let what = format!("half a sweep on {n}²");
    let costs = bench.measure(&what, |machine, effort| {
        beside_trivial(machine, n, |works| costs(machine, effort, works))
    })?;
    let [smooth, ceiling, _] = costs.map(|cost| cost.seconds);
    bench.text("\na boundary value problem; a node per texel")?;
    let ratio = ceiling / smooth;
    let remark = format!(" {:>9.3} {ratio:>6.2} {:>6.1}", ceiling * 1e3, 0.6);
    bench.line(&what, smooth, remark)?;
    let [one, four] = bench.measure("quadrants", |machine, effort| {
        beside_quadrants(machine, n, effort)
    })?;
    let remark = format!(
        "   {:.2} times as fast, {:.2} in the model of the NV30; {:.2} of the bytes",
        one.seconds / four.seconds,
        one.nv30_seconds / four.nv30_seconds,
        four.bytes() / one.bytes()
    );
    bench.line("  four nodes per texel, in quadrants", four.seconds, remark)
}

/// Effort for cycles, which take long and form a chain by themselves.
fn of_cycles(effort: Effort) -> Effort {
    effort.of_long_runs(5)
}

fn strategies(bench: &mut Bench<'_>, n: u32) -> Result<(), TimingError> {
    let settings = STRATEGIES.map(|(_, storage, hazard, buffer)| Settings {
        storage,
        hazard,
        buffer,
        ..Settings::paper_2003()
    });
    let costs = bench.measure("strategies", |machine, effort| {
        let works = cycles(machine, &flow(n)?, settings)?;
        costs(machine, of_cycles(effort), works)
    })?;
    bench.text(format_args!(
        "\n{:<44} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9}",
        format!("V(4,4)-cycles on {n}²"),
        "here",
        "passes",
        "surfaces",
        "buffers",
        "contexts",
        "NV30*"
    ))?;
    for ((name, ..), cost) in STRATEGIES.iter().zip(costs) {
        cycle_line(bench, name, &cost)?;
    }
    bench.text("  target switches; * model, without them")
}

fn variants(bench: &mut Bench<'_>, n: u32) -> Result<(), TimingError> {
    let settings = VARIANTS.map(|(_, change)| {
        let mut settings = Settings::paper_2003();
        change(&mut settings);
        settings
    });
    let costs = bench.measure("variants", |machine, effort| {
        let works = cycles(machine, &flow(n)?, settings)?;
        costs(machine, of_cycles(effort), works)
    })?;
    bench.text(format_args!("\nV(4,4)-cycles on {n}²"))?;
    for ((name, _), cost) in VARIANTS.iter().zip(costs) {
        cycle_line(bench, name, &cost)?;
    }
    Ok(())
}

fn cycle_line(bench: &mut Bench<'_>, name: &str, cost: &Cost) -> Result<(), TimingError> {
    let ledger = &cost.ledger;
    let remark = format!(
        " {:>7} {:>9} {:>9} {:>9} {:>9.3}",
        ledger.total().passes,
        ledger.target_switches,
        ledger.buffer_switches,
        ledger.context_switches,
        cost.nv30_seconds * 1e3,
    );
    bench.line(name, cost.seconds, remark)
}

fn beside_cpu(bench: &mut Bench<'_>, n: u32) -> Result<(), TimingError> {
    let costs = bench.measure("the CPU", |machine, effort| {
        let works = cycles_beside_cpu(machine, &flow(n)?, &Settings::paper_2003())?;
        costs(machine, of_cycles(effort), works)
    })?;
    let [gpu, one, all] = costs.map(|cost| cost.seconds);
    let what = format!("V(4,4)-cycle on {n}², and on the CPU");
    let remark = format!(
        "   CPU {:.3} on one core, {:.3} on all",
        one * 1e3,
        all * 1e3
    );
    bench.line(&what, gpu, remark)
}

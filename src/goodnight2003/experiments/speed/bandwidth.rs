//! §7.1: memory is what the solver waits for.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::Settings;
use crate::goodnight2003::speed::cycles::cycles;
use crate::goodnight2003::speed::half_sweep::beside_trivial;
use crate::goodnight2003::speed::problems::flow;
use crate::stream::{Format, Machine};
use crate::timing::rig::agrees;

use crate::goodnight2003::experiments::effort;

const HALF: Claim = Claim {
    id: "goodnight2003/half",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§7.1",
    statement: "With 16-bit instead of 32-bit floats everything takes almost exactly half the time.",
    paper: "2 times",
};
const BANDWIDTH: Claim = Claim {
    id: "goodnight2003/bandwidth",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§7.1",
    statement: "A smoother and a program that writes a constant move about as many bytes a second: the \
                bytes of all fetches, and of what is written.",
    paper: "both about 8 GB/s",
};
const MEMORY: Claim = Claim {
    id: "goodnight2003/bandwidth-memory",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§7.1",
    statement: "The same in the other reading of bytes accessed: those that must come from memory and go \
                there, each texel once.",
    paper: "both about 8 GB/s",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/bandwidth",
    section: "§7.1",
    title: "What the solver waits for",
    claims: &[HALF, BANDWIDTH, MEMORY],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let usual = if options.quick { 257 } else { 1025 };
    let n = (options.given.grid).map_or(Ok(usual), u32::try_from)?;
    let mut findings = vec![half(machine, n, options)?];
    findings.extend(bandwidth(machine, n, options)?);
    Ok(findings)
}

fn half(machine: &Machine, n: u32, options: &Options) -> Result<Finding, BoxedError> {
    let settings = [Format::Rgba32F, Format::Rgba16F].map(|precision| Settings {
        precision,
        ..Settings::paper_2003()
    });
    let [full, half] = cycles(machine, &flow(n)?, settings, effort(options.quick, n))?;
    let gain = full.seconds / half.seconds;
    let measured = format!("{gain:.2} times at {n}²");
    let why = format!(
        "In the model of the GeForce FX {:.2} times: there instructions take the time, not bytes. On {} \
         a 16-bit float has to be widened to 32 bits after each fetch, and narrowed before it is written; \
         what either costs is not isolated.",
        full.nv30_seconds / half.nv30_seconds,
        machine.context().description().renderer,
    );
    Ok(HALF.judge((1.6..=2.4).contains(&gain), measured, why))
}

fn bandwidth(machine: &Machine, n: u32, options: &Options) -> Result<[Finding; 2], BoxedError> {
    let [smooth, ceiling, trivial] = beside_trivial(machine, n, effort(options.quick, n))?;
    let written = trivial.bytes() / trivial.seconds;
    let compared = |claim: Claim, bytes: f64, what: &str| {
        let moved = bytes / smooth.seconds;
        let ratio = moved / written;
        let measured = format!(
            "{:.1} GB/s to {:.1} GB/s at {n}²: {ratio:.2} times",
            1e-9 * moved,
            1e-9 * written,
        );
        let why = format!(
            "{what} The smoother takes {:.1} times as long as the constant; a program with its fetches \
             alone {:.1} times, so that is what fetches cost here, whatever they bring in.",
            smooth.seconds / trivial.seconds,
            ceiling.seconds / trivial.seconds,
        );
        claim.judge(agrees(ratio, 1.0), measured, why)
    };
    // If caches keep what a neighbour has fetched.
    let once = 4.0 * Format::Rgba32F.bytes() as f64 * f64::from(n).powi(2);
    let fetched = "Most of the smoother's fetches are of texels that a neighbour has just fetched.";
    let texels =
        "A node's texels of state, operator and red-black map, and its result, 16 bytes each.";
    Ok([
        compared(BANDWIDTH, smooth.bytes(), fetched),
        compared(MEMORY, once, texels),
    ])
}

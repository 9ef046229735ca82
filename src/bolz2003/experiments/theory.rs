//! §3.3 and §4.3: how often a second each program could run if no pipeline ever idled.

use crate::card::cost::theory::reduction_fragments;
use crate::card::cost::{Halving, Nv30};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::stream::Machine;

const CLAIM: Claim = Claim {
    id: "bolz2003/theory",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Model,
    section: "§3.3, §4.3",
    statement: "At 500 MHz the theory allows over 15 000 reductions of 200×200 records (10 \
                instructions), over 500 products of 37 000 rows (33 instructions) and 4500 stencils \
                of 129×129 records (27 instructions) a second.",
    paper: "reduction > 15 000/s, product > 500/s, stencil 4500/s",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/theoretical-rates",
    section: "§3.3, §4.3",
    title: "Theoretical rates of the reduction, the product and the stencil",
    claims: &[CLAIM],
    run,
};

fn run(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let nv30 = Nv30::default();
    // The paper multiplies the first pass by 4/3, the sum of the geometric series.
    let series = nv30.peak_rate(100 * 100, 10) * 3.0 / 4.0;
    let reduction = |halving| nv30.peak_rate(reduction_fragments(200, 200, halving), 10);
    let (up, down) = (reduction(Halving::Up), reduction(Halving::Down));
    let product = nv30.peak_rate(37_000, 33);
    let scalar = nv30.peak_rate_by_component(37_000, 33, 3);
    let stencil = nv30.peak_rate(129 * 129, 27);
    // The paper gives no peak for these, only their lengths and what was observed.
    let interpolation = nv30.peak_rate(129 * 129, 10);
    let projection = nv30.peak_rate(65 * 65, 19);

    // Its numbers are rounded to the second digit.
    let holds = rounded(series) == 15_000.0 && rounded(stencil) == 4500.0 && scalar > 500.0;
    let measured =
        format!("reduction {series:.0}/s, product {scalar:.0}/s, stencil {stencil:.0}/s");
    let why = format!(
        "Reduction: {series:.0}/s with the paper's factor 4/3; counted pass by pass, odd sizes rounded \
         up so that no record is lost, {up:.0}/s, rounded down {down:.0}/s (“over 15 000” holds of the \
         last). Product: four pipelines would give {product:.0}/s; divided by the three components of \
         a position {scalar:.0}/s, which is what “over 500” fits. Stencil: {stencil:.0}/s, printed as \
         4500, of which 1370 observed are {:.0} %. Likewise interpolation (10 instructions on 129×129) \
         could reach {interpolation:.0}/s and projection (19 on 65×65) {projection:.0}/s, of which the \
         4800 and 6000 observed are {:.0} and {:.0} %.",
        100.0 * 1370.0 / stencil,
        100.0 * 4800.0 / interpolation,
        100.0 * 6000.0 / projection,
    );
    Ok(vec![CLAIM.judge(holds, measured, why)])
}

/// A number rounded to two digits.
fn rounded(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    (value / unit).round() * unit
}

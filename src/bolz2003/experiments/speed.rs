//! §3.3, §4.3, §5: how often a second, and how much faster than the CPU.

use crate::bolz2003::grid::hierarchy::HierarchyOptions;
use crate::bolz2003::grid::timing::kernels::Timed;
use crate::bolz2003::grid::timing::problem::Problem;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::speed;
use crate::card::cost::bill;
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, listed,
};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::stream::{Edges, Format, Machine};
use crate::timing::cost::ledger;
use crate::timing::rig::{AGREES, agrees};
use crate::timing::switch::without_switches;
use crate::timing::{Case, Effort, Iteration, Times, TimingError, seconds_a_switch};

const RATES: Claim = Claim {
    id: "bolz2003/rates",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.3, §4.3",
    statement: "A mesh of 37 000 vertices: products, sum reductions and iterations of conjugate \
                gradients a second on the GeForce FX, the cost of switching targets taken off. A grid \
                of 257²: stencil products, interpolations from 129² and projections to it.",
    paper: "120 products/s, 3400 reductions/s, 110 iterations/s, 1370 stencils/s, 4800 \
            interpolations/s, 6000 projections/s",
};

const CPU: Claim = Claim {
    id: "bolz2003/cpu",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§5",
    statement: "The product and the stencil on the GPU beside tuned programs on the CPU.",
    paper: "product 120/s to 75/s: 1.6 times, stencil 1370/s to 750/s: 1.8 times",
};

/// What the paper counts in a second on the CPU: products and stencils.
const PAPER_CPU: [f64; 2] = [75.0, 750.0];
/// Nodes of a side of the paper's grid.
const SIDE: usize = 257;

/// The claims `rates` and `cpu`.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/speed",
    section: "§3.3, §4.3, §5",
    title: "What runs how often a second",
    claims: &[RATES, CPU],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let scan = options.given.scan()?;
    let packing = PackingOptions::default();
    let effort = Effort::of(options.quick);
    let switch = seconds_a_switch(machine, effort)?;
    // Also as a rate; the times are kept for the comparison with the CPU.
    let timed = |name, paper, mut case: Case<'_>| -> Result<(Rate, Times), TimingError> {
        let ledger = ledger(machine, &mut case.kernel)?;
        let times = case.measure(machine, effort)?;
        let rate = Rate {
            name,
            paper,
            seconds: times.kernel,
            net: without_switches(times.kernel, ledger.target_switches as f64, switch),
            nv30_seconds: bill(&ledger).total().nv30_seconds,
        };
        Ok((rate, times))
    };
    let product = speed::product(machine, &scan, &packing, Format::Rgba32F)?;
    let (product, product_times) = timed("product", 120.0, product)?;
    let sum = speed::reduction(machine, (200, 200), Edges::Bounded)?;
    let (sum, _) = timed("reduction 200²", 3400.0, sum.alone())?;
    let iterations = if options.quick { 20 } else { 100 };
    let iteration = speed::iteration(machine, &scan, &packing, false, iterations)?;
    let grid = Problem::stored(SIDE).with(HierarchyOptions::paper_2003());
    let of_grid = |name, paper, kernel: Timed| {
        timed(name, paper, kernel.case(machine, &grid)?.without_ceiling())
    };
    let (stencil, stencil_times) = of_grid("stencil 257²", 1370.0, Timed::Product)?;
    let (interpolation, _) = of_grid("interpolation", 4800.0, Timed::Interpolation)?;
    let (projection, _) = of_grid("projection", 6000.0, Timed::Projection)?;
    let of_iteration = Rate {
        name: "CG iteration",
        paper: 110.0,
        seconds: iteration.seconds,
        net: iteration.net(switch),
        nv30_seconds: iteration.nv30_seconds(),
    };
    let all = [
        product,
        sum,
        of_iteration,
        stencil,
        interpolation,
        projection,
    ];
    Ok(vec![
        rates(&all, switch, &iteration, product_times.of_ceiling())?,
        cpu(machine, &product_times, &stencil_times),
    ])
}

/// How often something runs.
struct Rate {
    name: &'static str,
    /// Times a second in the paper.
    paper: f64,
    /// Seconds that it takes here.
    seconds: f64,
    /// The same without changes of the target.
    net: f64,
    /// Seconds by the model of the NV30.
    nv30_seconds: f64,
}

/// `coherent` is the share of the product's time that a program with the same fetches in order takes.
fn rates(
    all: &[Rate],
    switch: f64,
    iteration: &Iteration,
    coherent: f64,
) -> Result<Finding, BoxedError> {
    let product = &all[0];
    let ratio = |rate: &Rate| product.net / rate.net;
    let paper = |rate: &Rate| rate.paper / product.paper;
    let off = |rate: &&Rate| !agrees(ratio(rate), paper(rate));
    let a_second = |seconds: fn(&Rate) -> f64| {
        listed((all.iter()).map(|rate| format!("{} {:.0}/s", rate.name, 1.0 / seconds(rate))))
    };
    let (text, model) = (
        a_second(|rate| rate.net),
        a_second(|rate| rate.nv30_seconds),
    );
    let both = |rate: &Rate| {
        let (here, there) = (ratio(rate), paper(rate));
        format!("{} {here:.1} (paper {there:.1})", rate.name)
    };
    let ratios = listed(all[1..].iter().map(both));
    let gross = listed(all.iter().map(|rate| format!("{:.0}", 1.0 / rate.seconds)));
    let beyond: Vec<&str> = all[1..].iter().filter(off).map(|rate| rate.name).collect();
    // How much of what the model allows the paper's machine reached.
    let reached = |rate: &Rate| 100.0 * rate.paper * rate.nv30_seconds;
    let verdict = match beyond.as_slice() {
        [] => String::new(),
        names => format!(
            " More than {AGREES:.0} times off: {}. Isolated is what a product's pointers cost: here it \
             takes {:.2} times as long as a program that fetches as much in order; of what the model, \
             which knows of no cache misses, gives it the GeForce FX reached {:.0} % in the product and \
             {:.0} % in the stencil. What else is in the ratios is not isolated.",
            names.join(", "),
            1.0 / coherent,
            reached(product),
            reached(&all[3]),
        ),
    };
    let why = format!(
        "As ratios to the product: {ratios}.{verdict} Changing the target, measured alone, costs {:.0} µs here and is \
         taken off, as the paper does; with it the rates are {gross}. An iteration takes {:.0} target switches, and \
         reads back {:.1} texels, which waits for the machine each time.",
        switch * 1e6,
        iteration.each(iteration.ledger.target_switches),
        iteration.each(iteration.ledger.texels_read_back),
    );
    let finding = RATES.judge(beyond.is_empty(), text, why).with_model(model);
    let group =
        |label, rate: &dyn Fn(&Rate) -> f64| Group::new(label, all.iter().map(|r| Some(rate(r))));
    let figure = bars(&Bars {
        title: "What runs how often a second".into(),
        axis: Axis::logarithmic("a second"),
        categories: all.iter().map(|rate| rate.name.to_owned()).collect(),
        groups: vec![
            group("paper", &|rate| rate.paper),
            group("NV30, model", &|rate| 1.0 / rate.nv30_seconds),
            group("here, switches taken off", &|rate| 1.0 / rate.net),
            group("here, all included", &|rate| 1.0 / rate.seconds),
        ],
    })?;
    Ok(finding.with_figure(
        "bolz2003/rates.png",
        "Rates on the scanned mesh, 34 834 vertices in use, and on a grid of 257² nodes.",
        figure,
    ))
}

fn cpu(machine: &Machine, product: &Times, stencil: &Times) -> Finding {
    let ratios = [product.against_cpu(), stencil.against_cpu()];
    let paper = [120.0 / PAPER_CPU[0], 1370.0 / PAPER_CPU[1]];
    let rate = |seconds: f64| 1.0 / seconds;
    let on_cpu = |times: &Times| rate(times.cpu.unwrap_or(f64::NAN));
    let text = format!(
        "product {:.0}/s to {:.0}/s: {:.2} times, stencil {:.0}/s to {:.0}/s: {:.2} times",
        rate(product.kernel),
        on_cpu(product),
        ratios[0],
        rate(stencil.kernel),
        on_cpu(stencil),
        ratios[1],
    );
    let why = format!(
        "The GPU is {}; the CPU programs run on all cores in single precision: rows grouped by \
         length, three components at once; stencils row by row, several nodes at once. Isolated are \
         fetches: a program with as many as the product, in order and nothing else, takes {:.1} times as \
         long as the whole product on the CPU.",
        machine.context().description().renderer,
        product.of_ceiling() / ratios[0],
    );
    let like = |k: usize| agrees(ratios[k], paper[k]);
    CPU.judge(like(0) && like(1), text, why)
}

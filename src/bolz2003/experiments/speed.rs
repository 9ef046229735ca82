//! §3.3, §5: how often a second, and how much faster than the CPU.

use crate::bolz2003::packing::PackingOptions;
use crate::bolz2003::speed::{self, Iteration, Product};
use crate::experiment::plot::{Axis, Bars, Group, bars};
use crate::experiment::timing::{Effort, Work, medians};
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::stream::{
    Edges, Format, Machine, Pass, Rect, Reduce, Reduction, Source, Stream, StreamError,
};

use super::input;

const COPY: Source = Source {
    name: "stream/copy",
    text: include_str!("../../../glsl/stream/copy.frag"),
};

const RATES: Claim = Claim {
    id: "bolz2003/rates",
    class: Class::Shape,
    section: "§3.3",
    statement: "A mesh of 37 000 vertices: products, sum reductions and iterations of conjugate \
                gradients a second on the GeForce FX, the cost of switching targets taken off.",
    paper: "120 products/s, 3400 reductions/s, 110 iterations/s",
};

const CPU: Claim = Claim {
    id: "bolz2003/cpu",
    class: Class::Shape,
    section: "§5",
    statement: "The product on the GPU beside a tuned program on the CPU.",
    paper: "120/s to 75/s: 1.6 times",
};

/// What the paper counts in a second: products, reductions, iterations; and products on the CPU.
const PAPER: [f64; 3] = [120.0, 3400.0, 110.0];
const PAPER_CPU: f64 = 75.0;
/// A ratio agrees with the paper's if it is within this factor of it.
const AGREES: f64 = 2.0;

/// The claims `rates` and `cpu`.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/speed",
    paper: "bolz2003",
    section: "§3.3, §5",
    title: "Products, reductions and iterations a second",
    claims: &[RATES, CPU],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let scan = input::scan()?;
    let packing = PackingOptions::default();
    let effort = Effort::of(options.quick);
    let product = speed::product(machine, &scan, &packing, Format::Rgba32F, effort)?;
    let size = (200, 200);
    let reduction = speed::reduction(machine, size, Edges::Bounded, effort)?.kernel;
    let iterations = if options.quick { 20 } else { 100 };
    let iteration = speed::iteration(machine, &scan, &packing, false, iterations)?;
    let switch = seconds_a_switch(machine, effort)?;
    let model = [
        1.0 / iteration.nv30_product_seconds,
        1.0 / nv30_seconds_a_reduction(machine, size)?,
        1.0 / iteration.nv30_seconds,
    ];
    Ok(vec![
        rates(&product, reduction, &iteration, switch, model)?,
        cpu(machine, &product),
    ])
}

/// Seconds that a pass of one fragment takes: what is paid for changing the target.
fn seconds_a_switch(machine: &Machine, effort: Effort) -> Result<f64, StreamError> {
    let stream = || Stream::zeros(machine, "one record", (1, 1), Format::R32F);
    let (even, odd) = (stream()?, stream()?);
    let kernel = machine.kernel(&COPY, &[])?;
    let one = machine.rect(Rect::of_size(1, 1))?;
    let chain = Effort {
        chain: 200,
        ..effort
    };
    let work = |run: usize| {
        let (x, y) = if run.is_multiple_of(2) {
            (&even, &odd)
        } else {
            (&odd, &even)
        };
        Pass::new(&kernel).read("x", x).draw(y, &one)
    };
    let works: [Work; 1] = [Box::new(work)];
    Ok(medians(machine, chain, works)?[0])
}

/// What the model of the NV30 gives a sum of this size.
fn nv30_seconds_a_reduction(machine: &Machine, size: (u32, u32)) -> Result<f64, StreamError> {
    let x = Stream::zeros(machine, "x", size, Format::R32F)?;
    let sum = Reduction::new(machine, size, Format::R32F, Reduce::Sum, Edges::Bounded)?;
    machine.take_ledger();
    sum.of(&x)?;
    Ok(machine.take_ledger().total().nv30_seconds)
}

fn rates(
    product: &Product,
    reduction: f64,
    iteration: &Iteration,
    switch: f64,
    model: [f64; 3],
) -> Result<Finding, BoxedError> {
    // A reduction of 200 x 200 takes eight passes.
    let passes = 8.0;
    let switches = iteration.target_switches;
    let net = [
        product.times.kernel - switch,
        reduction - passes * switch,
        iteration.seconds - switches * switch,
    ];
    let gross = [product.times.kernel, reduction, iteration.seconds];
    let measured: Vec<f64> = net.iter().map(|seconds| 1.0 / seconds.max(1e-9)).collect();
    let ratio = |rates: &[f64], n: usize| rates[n] / rates[0];
    let agrees = (1..3).all(|n| {
        let factor = ratio(&measured, n) / ratio(&PAPER, n);
        (1.0 / AGREES..=AGREES).contains(&factor)
    });
    let text = format!(
        "{:.0} products/s, {:.0} reductions/s, {:.0} iterations/s",
        measured[0], measured[1], measured[2]
    );
    let why = format!(
        "As ratios to the product, reductions {:.1} (paper {:.1}) and iterations {:.2} (paper \
         {:.2}). Changing the target costs {:.0} µs here and is taken off, as the paper does; with \
         it the rates are {:.0}, {:.0} and {:.0}. For the GeForce FX the model, which knows of no \
         cache misses, says {:.0}, {:.0} and {:.0}. An iteration takes {:.0} target switches, and \
         reads back {:.1} texels, which waits for the machine each time.",
        ratio(&measured, 1),
        ratio(&PAPER, 1),
        ratio(&measured, 2),
        ratio(&PAPER, 2),
        switch * 1e6,
        1.0 / gross[0],
        1.0 / gross[1],
        1.0 / gross[2],
        model[0],
        model[1],
        model[2],
        switches,
        iteration.texels_read_back,
    );
    let finding = if agrees {
        RATES.reproduced(text).because(why)
    } else {
        RATES.differs(text, why)
    };
    let with: Vec<f64> = gross.iter().map(|seconds| 1.0 / seconds).collect();
    let figure = bars(&Bars {
        title: "Products, reductions and iterations a second".into(),
        axis: Axis::logarithmic("a second"),
        categories: ["product", "reduction 200²", "CG iteration"]
            .map(String::from)
            .into(),
        groups: vec![
            Group::new("paper", PAPER.map(Some)),
            Group::new("NV30, model", model.map(Some)),
            Group::new(
                "here, switches taken off",
                measured.iter().copied().map(Some),
            ),
            Group::new("here, all included", with.into_iter().map(Some)),
        ],
    })?;
    Ok(finding.with_figure(
        "bolz2003/rates.png",
        "Rates on the scanned mesh, 34 834 vertices in use.",
        figure,
    ))
}

fn cpu(machine: &Machine, product: &Product) -> Finding {
    let ratio = product.times.against_cpu();
    let paper = PAPER[0] / PAPER_CPU;
    let text = format!(
        "{:.0}/s to {:.0}/s: {ratio:.2} times",
        1.0 / product.times.kernel,
        1.0 / product.times.cpu
    );
    let why = format!(
        "The GPU is {}; the CPU program runs on all cores in single precision, rows grouped by \
         length, three components at once. The product reaches {:.0} % of a program with the same \
         coherent fetches.",
        machine.context().description().renderer,
        100.0 * product.times.of_ceiling()
    );
    if (paper / AGREES..=paper * AGREES).contains(&ratio) {
        CPU.reproduced(text).because(why)
    } else {
        CPU.differs(text, why)
    }
}

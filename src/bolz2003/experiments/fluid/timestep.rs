//! §4.3: how long a step of the fluid takes, and what takes the time.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::bolz2003::fluid::{Domain, Fluid, Settings, Stage};
use crate::bolz2003::grid::hierarchy::HierarchyOptions;
use crate::bolz2003::grid::timing::kernels::Timed;
use crate::bolz2003::grid::timing::problem::Problem;
use crate::card::cost::bill;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::solver::{Hierarchy, Levels, Multigrid, Start, multigrid};
use crate::stream::{Ledger, Machine};
use crate::timing::cost::ledger;
use crate::timing::rig::agrees;
use crate::timing::{Effort, median, seconds_a_switch};

const CLAIM: Claim = Claim {
    id: "bolz2003/timestep",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.3",
    statement: "A step with two V(4,2) cycles on 513×513 nodes takes about a twentieth of a second, the \
                cost of switching targets taken off, as long as 68 products with the stencil on 257×257, \
                of which 1370 run a second; in it advection and interpolation count little.",
    paper: "1/20 s, 68 products of 257²",
};

const OURS: Claim = Claim {
    id: "bolz2003/timestep-fused",
    class: Class::Shape,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§4.3",
    statement: "Ours beside it: stencils in constants, borders computed by every program instead of \
                copied, the coarsest grid by its inverse.",
    paper: "(the paper's variant in the same run)",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/fluid-step",
    section: "§4.3",
    title: "The time of a step, by kernels",
    claims: &[CLAIM, OURS],
    run,
};

/// Nodes of a side: of the step that the paper times, and of the product with the stencil.
const SIDE: usize = 513;
const PRODUCT_SIDE: usize = 257;
/// The grid of the paper's pictures.
const PICTURES: [usize; 2] = [513, 129];
/// The paper's seconds of a step, and its products a second.
const PAPER: f64 = 1.0 / 20.0;
const PAPER_PRODUCTS: f64 = 1370.0;
/// The largest share of advection, and of interpolation, that is little.
const LITTLE: f64 = 0.25;

/// What takes the time.
const FAMILIES: [&str; 6] = [
    "smoothing",
    "residual, projection",
    "interpolation",
    "advection",
    "layering",
    "divergence, gradient",
];

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let effort = Effort::of(options.quick);
    let rates = Rates::measured(machine, effort)?;
    // A step is long, and its parts are measured once more.
    let steps = if options.quick { 3 } else { 9 };
    let step = |settings| Step::measured(machine, settings, steps);
    let paper = step(Settings::paper_2003(SIDE, SIDE))?;
    let pictures = Domain::new(machine, Settings::paper_2003(PICTURES[0], PICTURES[1]))?;
    let (pictures, _) = seconds_a_step(&pictures, steps)?;
    let ours = step(Settings::new(SIDE, SIDE))?;
    let figure = bars(&Bars {
        title: "What a step of the fluid spends its time on, 513×513 nodes".into(),
        axis: Axis::linear("share of the time (%)"),
        categories: FAMILIES.map(String::from).into(),
        groups: vec![
            shares("NV30 model", &paper.model),
            shares("here", &paper.parts),
            shares("here, ours", &ours.parts),
        ],
    })?;
    let finding = judge(&rates, &paper, pictures).with_figure(
        "bolz2003/timestep.png",
        "Shares of a step by kernels: in the model of the GeForce FX, measured with the paper's variant, and \
         with ours.",
        figure,
    );
    Ok(vec![finding, judge_ours(&paper, &ours)])
}

/// What a step is compared with: seconds, changes of the target taken off.
struct Rates {
    /// A change of the target.
    switch: f64,
    /// A product with the stencil on the smaller grid.
    product: f64,
    /// A sweep of Jacobi on the step's grid.
    sweep: f64,
}

impl Rates {
    fn measured(machine: &Machine, effort: Effort) -> Result<Self, BoxedError> {
        let switch = seconds_a_switch(machine, effort)?;
        let alone = |kernel: Timed, side| -> Result<f64, BoxedError> {
            let problem = Problem::stored(side).with(HierarchyOptions::paper_2003());
            let mut case = kernel.case(machine, &problem)?.alone();
            let switches = ledger(machine, &mut case.kernel)?.target_switches;
            Ok(net(case.measure(machine, effort)?.kernel, switches, switch))
        };
        Ok(Self {
            switch,
            product: alone(Timed::Product, PRODUCT_SIDE)?,
            sweep: alone(Timed::Jacobi, SIDE)?,
        })
    }
}

/// Seconds without changes of the target. Less than a twentieth cannot be told from the noise of what is
/// taken off.
fn net(seconds: f64, switches: u64, switch: f64) -> f64 {
    (seconds - switches as f64 * switch).max(seconds / 20.0)
}

fn judge(rates: &Rates, paper: &Step, pictures: f64) -> Finding {
    let seconds = net(paper.seconds, paper.switches, rates.switch);
    let ratio = seconds / rates.product;
    let measured = format!(
        "{seconds:.3} s, {ratio:.0} products of 257²; advection {:.0} %, interpolation {:.0} %",
        100.0 * paper.share("advection"),
        100.0 * paper.share("interpolation"),
    );
    let agrees = agrees(ratio, PAPER * PAPER_PRODUCTS);
    let little = ["advection", "interpolation"].map(|family| paper.share(family) < LITTLE);
    let cause = match agrees {
        true => String::new(),
        false => format!(
            " A sweep on 513² alone takes {:.1} products of 257², where the number of nodes says 4. On \
             grids of less than 257² the cycles spend {:.0} % of their time, where the number of nodes says \
             6 %: the rest of that is what passes cost however small they are.",
            rates.sweep / rates.product,
            100.0 * paper.coarse
        ),
    };
    let why = format!(
        "The ratio needs no common machine: both grids are the paper's, the step's has four times the nodes, \
         and by count its two cycles are 75 such products. Stencils are stored and composed, borders \
         copied, Jacobi iterates on the coarsest grid. Changing the target {} times, {:.0} µs each, is \
         taken off; with it a step takes {:.3} s, on 513×129 {:.3} s. {}.{cause}",
        paper.switches,
        1e6 * rates.switch,
        paper.seconds,
        pictures,
        paper.split(),
    );
    let finding = CLAIM.judge(agrees && little == [true; 2], measured, why);
    finding.with_model(format!("{:.3} s, no cache misses", paper.in_model()))
}

fn judge_ours(paper: &Step, ours: &Step) -> Finding {
    let gain = paper.seconds / ours.seconds;
    let why = format!(
        "All included, beside {:.3} s. {}. A step changes the target {} times instead of {}.",
        paper.seconds,
        ours.split(),
        ours.switches,
        paper.switches
    );
    let measured = format!("{:.3} s, {gain:.1} times as fast", ours.seconds);
    let finding = OURS.judge(gain > 1.0, measured, why);
    finding.with_model(format!("{:.3} s", ours.in_model()))
}

fn shares(label: &str, parts: &BTreeMap<&'static str, f64>) -> Group {
    let all: f64 = parts.values().sum();
    let part = |family| parts.get(family).map(|part| 100.0 * part / all);
    Group::new(label, FAMILIES.map(part))
}

/// A step on one grid.
struct Step {
    /// The median.
    seconds: f64,
    /// Seconds by families, each waited for.
    parts: BTreeMap<&'static str, f64>,
    /// The cycles' share of time on grids with less than a quarter of the finest grid's nodes.
    coarse: f64,
    /// Modelled seconds on the GeForce FX, by families.
    model: BTreeMap<&'static str, f64>,
    switches: u64,
}

impl Step {
    fn measured(
        machine: &Machine,
        settings: Settings,
        repetitions: usize,
    ) -> Result<Self, BoxedError> {
        let domain = Domain::new(machine, settings)?;
        let (seconds, ledger) = seconds_a_step(&domain, repetitions)?;
        let (parts, coarse) = parts(&domain, repetitions)?;
        Ok(Self {
            seconds,
            parts,
            coarse,
            model: modelled(&ledger),
            switches: ledger.target_switches,
        })
    }

    /// Modelled seconds on the GeForce FX.
    fn in_model(&self) -> f64 {
        self.model.values().sum()
    }

    /// A family's share of what was timed by itself.
    fn share(&self, family: &str) -> f64 {
        let all: f64 = self.parts.values().sum();
        self.parts.get(family).copied().unwrap_or(0.0) / all
    }

    /// The shares in words.
    fn split(&self) -> String {
        let part = |family: &&str| format!("{:.0} % {family}", 100.0 * self.share(family));
        let parts: Vec<String> = FAMILIES.iter().map(part).collect();
        format!("Each waited for: {}", parts.join("; "))
    }
}

/// The median seconds of a step, and the ledger of one.
fn seconds_a_step(domain: &Domain, repetitions: usize) -> Result<(f64, Ledger), BoxedError> {
    let machine = domain.machine();
    let mut fluid = Fluid::at_rest(domain)?;
    // The first steps compile what was not used before.
    for _ in 0..2 {
        fluid.step()?;
    }
    let mut times = Vec::new();
    let mut ledger = Ledger::default();
    for _ in 0..repetitions {
        machine.finish();
        machine.take_ledger();
        let start = Instant::now();
        fluid.step()?;
        machine.finish();
        times.push(start.elapsed().as_secs_f64());
        ledger = machine.take_ledger();
    }
    Ok((median(times), ledger))
}

/// Seconds of a step by families, each operation waited for, and the share of the cycles on coarse grids.
fn parts(
    domain: &Domain,
    repetitions: usize,
) -> Result<(BTreeMap<&'static str, f64>, f64), BoxedError> {
    let machine = domain.machine();
    let mut fluid = Fluid::at_rest(domain)?;
    fluid.step()?;
    let mut clock = Clock::new(machine);
    for _ in 0..repetitions {
        clock.start();
        fluid.step_by_stages(&mut |stage| {
            let family = match stage {
                Stage::Advection => "advection",
                Stage::Layering => "layering",
                Stage::Differences => "divergence, gradient",
                // The cycles are timed by operations, below.
                Stage::Pressure | Stage::Diffusion => "",
            };
            clock.stop(family, 0);
            clock.start();
        })?;
    }
    clock.parts.remove(&("", 0));
    let hierarchy = domain.pressure();
    let (b, mut u) = (hierarchy.zeros(0)?, hierarchy.zeros(0)?);
    let shape = domain.settings().cycle;
    let mut solver = Multigrid::new(hierarchy, shape)?;
    for _ in 0..repetitions {
        for cycle in 0..domain.settings().cycles {
            let inner = solver.on(&b, &mut u);
            let clock = &mut clock;
            multigrid::cycle(&mut TimedLevels { inner, clock }, shape, start_of(cycle))?;
        }
    }
    Ok(clock.totals(repetitions))
}

fn start_of(cycle: usize) -> Start {
    match cycle {
        0 => Start::Zero,
        _ => Start::Given,
    }
}

/// Seconds by families and levels.
struct Clock<'a> {
    machine: &'a Machine,
    started: Instant,
    parts: BTreeMap<(&'static str, usize), f64>,
}

impl<'a> Clock<'a> {
    fn new(machine: &'a Machine) -> Self {
        Self {
            machine,
            started: Instant::now(),
            parts: BTreeMap::new(),
        }
    }

    fn start(&mut self) {
        self.machine.finish();
        self.started = Instant::now();
    }

    fn stop(&mut self, family: &'static str, level: usize) {
        self.machine.finish();
        *self.parts.entry((family, level)).or_default() += self.started.elapsed().as_secs_f64();
    }

    /// Seconds of a step by families, and the share of the cycles on levels from the third on.
    fn totals(&self, steps: usize) -> (BTreeMap<&'static str, f64>, f64) {
        let mut families = BTreeMap::new();
        for (&(family, _), seconds) in &self.parts {
            *families.entry(family).or_insert(0.0) += seconds / steps as f64;
        }
        let of_cycles = ["smoothing", "residual, projection", "interpolation"];
        let sum = |from: usize| {
            let parts = self.parts.iter();
            parts
                .filter(|((family, level), _)| of_cycles.contains(family) && *level >= from)
                .map(|(_, seconds)| seconds)
                .sum::<f64>()
        };
        (families, sum(2) / sum(0))
    }
}

/// Levels whose operations are timed, one by one.
struct TimedLevels<'a, 'b, L> {
    inner: L,
    clock: &'a mut Clock<'b>,
}

impl<L: Levels> TimedLevels<'_, '_, L> {
    fn time<T>(
        &mut self,
        family: &'static str,
        level: usize,
        operation: impl FnOnce(&mut L) -> T,
    ) -> T {
        self.clock.start();
        let result = operation(&mut self.inner);
        self.clock.stop(family, level);
        result
    }
}

impl<L: Levels> Levels for TimedLevels<'_, '_, L> {
    type Error = L::Error;

    fn levels(&self) -> usize {
        self.inner.levels()
    }

    fn smooth(&mut self, level: usize, sweeps: usize, start: Start) -> Result<(), L::Error> {
        self.time("smoothing", level, |inner| {
            inner.smooth(level, sweeps, start)
        })
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), L::Error> {
        let level = self.levels() - 1;
        self.time("smoothing", level, |inner| inner.solve_coarsest(start))
    }

    fn descend(&mut self, level: usize) -> Result<(), L::Error> {
        self.time("residual, projection", level, |inner| inner.descend(level))
    }

    fn ascend(&mut self, level: usize) -> Result<(), L::Error> {
        self.time("interpolation", level, |inner| inner.ascend(level))
    }
}

/// What the recorded passes would have taken on the GeForce FX, by families: the model.
fn modelled(ledger: &Ledger) -> BTreeMap<&'static str, f64> {
    let mut parts = BTreeMap::new();
    for (name, charge) in bill(ledger).kernels {
        *parts.entry(family(&name)).or_insert(0.0) += charge.nv30_seconds;
    }
    parts
}

/// What a program is for.
fn family(program: &str) -> &'static str {
    let is = |words: &[&str]| words.iter().any(|word| program.contains(word));
    if is(&["layer"]) {
        "layering"
    } else if is(&["jacobi", "scale_by_diagonal", "coarsest"]) {
        "smoothing"
    } else if is(&["residual", "/project"]) {
        "residual, projection"
    } else if is(&["/correct", "/interpolate"]) {
        "interpolation"
    } else if is(&["/advect", "/outflow", "/add_force"]) {
        "advection"
    } else {
        "divergence, gradient"
    }
}

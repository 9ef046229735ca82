//! §4.3: how long a step of the fluid takes, and what takes the time.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use crate::bolz2003::fluid::{Domain, Fluid, Settings};
use crate::bolz2003::grid::hierarchy::HierarchyOptions;
use crate::bolz2003::grid::timing::kernels::Timed;
use crate::bolz2003::grid::timing::problem::Problem;
use crate::card::cost::bill;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::stream::{Drawing, Machine, Observer, Switches};
use crate::timing::cost::{costs, ledger};
use crate::timing::rig::{agrees, work};
use crate::timing::switch::without_switches;
use crate::timing::{Cost, Effort, TimingError, seconds_a_switch};

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

/// What takes the time: the first three are the cycles.
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
    let pictures = cost_of_a_step(&pictures, steps)?.seconds;
    let ours = step(Settings::new(SIDE, SIDE))?;
    let figure = bars(&Bars {
        title: "What a step of the fluid spends its time on, 513×513 nodes".into(),
        axis: Axis::linear("share of the time (%)"),
        categories: FAMILIES.map(String::from).into(),
        groups: vec![
            shares("NV30 model", &paper, |part| part.model),
            shares("here", &paper, |part| part.here),
            shares("here, ours", &ours, |part| part.here),
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
            let seconds = case.measure(machine, effort)?.kernel;
            Ok(without_switches(seconds, switches as f64, switch))
        };
        Ok(Self {
            switch,
            product: alone(Timed::Product, PRODUCT_SIDE)?,
            sweep: alone(Timed::Jacobi, SIDE)?,
        })
    }
}

fn judge(rates: &Rates, paper: &Step, pictures: f64) -> Finding {
    let switches = paper.cost.ledger.target_switches;
    let seconds = without_switches(paper.cost.seconds, switches as f64, rates.switch);
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
        switches,
        1e6 * rates.switch,
        paper.cost.seconds,
        pictures,
        paper.split(),
    );
    let finding = CLAIM.judge(agrees && little == [true; 2], measured, why);
    finding.with_model(format!("{:.3} s, no cache misses", paper.cost.nv30_seconds))
}

fn judge_ours(paper: &Step, ours: &Step) -> Finding {
    let gain = paper.cost.seconds / ours.cost.seconds;
    let why = format!(
        "All included, beside {:.3} s. {}. A step changes the target {} times instead of {}.",
        paper.cost.seconds,
        ours.split(),
        ours.cost.ledger.target_switches,
        paper.cost.ledger.target_switches
    );
    let measured = format!("{:.3} s, {gain:.1} times as fast", ours.cost.seconds);
    let finding = OURS.judge(gain > 1.0, measured, why);
    finding.with_model(format!("{:.3} s", ours.cost.nv30_seconds))
}

fn shares(label: &str, step: &Step, of: fn(Part) -> f64) -> Group {
    let percent = |family| Some(100.0 * of(step.shares(family)));
    Group::new(label, FAMILIES.map(percent))
}

/// A step on one grid.
struct Step {
    /// Median seconds, those of the model of the GeForce FX, and what it does.
    cost: Cost,
    parts: BTreeMap<&'static str, Part>,
    /// The cycles' share of time on grids with less than a quarter of the finest grid's nodes.
    coarse: f64,
}

/// What the passes of a family take in a step.
#[derive(Clone, Copy, Default)]
struct Part {
    /// Seconds, each pass waited for.
    here: f64,
    /// Seconds of the model of the GeForce FX.
    model: f64,
}

impl Step {
    fn measured(
        machine: &Machine,
        settings: Settings,
        repetitions: usize,
    ) -> Result<Self, BoxedError> {
        let domain = Domain::new(machine, settings)?;
        let cost = cost_of_a_step(&domain, repetitions)?;
        let (parts, coarse) = Clock::parts(&domain, repetitions)?;
        Ok(Self {
            cost,
            parts,
            coarse,
        })
    }

    /// The shares of a family here and in the model.
    fn shares(&self, family: &str) -> Part {
        let sum = |of: fn(&Part) -> f64| self.parts.values().map(of).sum::<f64>();
        let part = self.parts.get(family).copied().unwrap_or_default();
        Part {
            here: part.here / sum(|part| part.here),
            model: part.model / sum(|part| part.model),
        }
    }

    /// A family's share of what was timed by itself.
    fn share(&self, family: &str) -> f64 {
        self.shares(family).here
    }

    /// The shares in words.
    fn split(&self) -> String {
        let part = |family: &&str| format!("{:.0} % {family}", 100.0 * self.share(family));
        let parts: Vec<String> = FAMILIES.iter().map(part).collect();
        format!("Each pass waited for: {}", parts.join("; "))
    }
}

/// What a step costs, of so many.
fn cost_of_a_step(domain: &Domain, rounds: usize) -> Result<Cost, BoxedError> {
    let mut fluid = Fluid::at_rest(domain)?;
    let step = move |_| fluid.step().map_err(|e| TimingError::Case(e.into()));
    let effort = Effort { rounds, chain: 1 };
    let [cost] = costs(domain.machine(), effort, [work(step)])?;
    Ok(cost)
}

/// Waits for every pass, and adds up what passes take.
struct Clock {
    machine: Machine,
    started: Cell<Instant>,
    /// What the last pass was for, and the parts.
    last: Cell<&'static str>,
    parts: RefCell<BTreeMap<&'static str, Part>>,
    /// The widest target of a coarse grid, and seconds of the cycles there and on all grids.
    narrow: u32,
    cycles: Cell<[f64; 2]>,
}

impl Clock {
    /// The parts of a step, and the share of the cycles on coarse grids.
    fn parts(
        domain: &Domain,
        steps: usize,
    ) -> Result<(BTreeMap<&'static str, Part>, f64), BoxedError> {
        let mut fluid = Fluid::at_rest(domain)?;
        fluid.step()?;
        let machine = domain.machine();
        machine.take_ledger();
        let clock = Rc::new(Self {
            machine: machine.clone(),
            started: Cell::new(Instant::now()),
            last: Cell::default(),
            parts: RefCell::default(),
            narrow: domain.pressure().level(2).grid().layering().size().0,
            cycles: Cell::default(),
        });
        let observation = machine.observe(Rc::clone(&clock) as Rc<dyn Observer>)?;
        for _ in 0..steps {
            fluid.step()?;
        }
        drop(observation);
        let [coarse, all] = clock.cycles.get();
        Ok((clock.parts.take(), coarse / all))
    }
}

impl Observer for Clock {
    fn before(&self, _: Drawing<'_>) {
        self.machine.finish();
        self.started.set(Instant::now());
    }

    fn after(&self, pass: Drawing<'_>, _: Switches) {
        self.machine.finish();
        let here = self.started.get().elapsed().as_secs_f64();
        let model = bill(&self.machine.take_ledger()).total().nv30_seconds;
        // A border is copied for what was drawn last.
        let family = family(pass.kernel.name()).unwrap_or(self.last.get());
        self.last.set(family);
        let mut parts = self.parts.borrow_mut();
        let part = parts.entry(family).or_default();
        part.here += here;
        part.model += model;
        if FAMILIES[..3].contains(&family) {
            let [coarse, all] = self.cycles.get();
            let is_coarse = pass.target.size().0 <= self.narrow;
            self.cycles
                .set([coarse + f64::from(is_coarse) * here, all + here]);
        }
    }
}

/// What a program is for; none of its own, if it copies borders.
fn family(program: &str) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|word| program.contains(word));
    let [
        smoothing,
        residual,
        interpolation,
        advection,
        layering,
        differences,
    ] = FAMILIES;
    if is(&["copy_nodes"]) {
        return None;
    }
    Some(if is(&["layer"]) {
        layering
    } else if is(&["jacobi", "scale_by_diagonal", "coarsest"]) {
        smoothing
    } else if is(&["residual", "/project"]) {
        residual
    } else if is(&["/correct", "/interpolate"]) {
        interpolation
    } else if is(&["/advect", "/outflow", "/add_force"]) {
        advection
    } else {
        differences
    })
}

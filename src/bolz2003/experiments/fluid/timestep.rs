//! §4.3: how long a step of the fluid takes, and what takes the time.

use std::cell::{Cell, RefCell};
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
use crate::timing::cost::costs;
use crate::timing::rig::{agrees, work};
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
/// The largest share of advection, and of interpolation, that is little, in percent.
const LITTLE: f64 = 25.0;

/// What takes the time, and words of the names of its programs, of which the last family has all others.
/// The first three are the cycles.
const FAMILIES: [(&str, &[&str]); 6] = [
    ("smoothing", &["jacobi", "scale_by_diagonal", "coarsest"]),
    ("residual, projection", &["residual", "/project"]),
    ("interpolation", &["/correct", "/interpolate"]),
    ("advection", &["/advect", "/outflow", "/add_force"]),
    ("layering", &["layer"]),
    ("divergence, gradient", &[""]),
];
const INTERPOLATION: usize = 2;

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
        categories: FAMILIES.map(|(family, _)| family.to_owned()).into(),
        groups: vec![
            Group::new("NV30 model", paper.shares(|pass| pass.model).map(Some)),
            Group::new("here", paper.shares(HERE).map(Some)),
            Group::new("here, ours", ours.shares(HERE).map(Some)),
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
            let [cost] = costs(machine, effort, [kernel.case(machine, &problem)?.kernel])?;
            Ok(cost.net(switch))
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
    let seconds = paper.cost.net(rates.switch);
    let ratio = seconds / rates.product;
    let [_, _, interpolation, advection, ..] = paper.shares(HERE);
    let measured = format!(
        "{seconds:.3} s, {ratio:.0} products of 257²; advection {advection:.0} %, interpolation \
         {interpolation:.0} %"
    );
    let agrees = agrees(ratio, PAPER * PAPER_PRODUCTS);
    let cause = match agrees {
        true => String::new(),
        false => format!(
            " A sweep on 513² alone takes {:.1} products of 257², where the number of nodes says 4. On \
             grids of less than 257² the cycles spend {:.0} % of their time, where the number of nodes says \
             6 %: the rest of that is what passes cost however small they are.",
            rates.sweep / rates.product,
            100.0 * paper.coarse()
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
    let holds = agrees && advection < LITTLE && interpolation < LITTLE;
    let finding = CLAIM.judge(holds, measured, why);
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

/// A step on one grid.
struct Step {
    /// Median seconds, those of the model of the GeForce FX, and what it does.
    cost: Cost,
    /// The passes of some steps.
    passes: Vec<TimedPass>,
}

impl Step {
    fn measured(machine: &Machine, settings: Settings, steps: usize) -> Result<Self, BoxedError> {
        let domain = Domain::new(machine, settings)?;
        Ok(Self {
            cost: cost_of_a_step(&domain, steps)?,
            passes: Clock::passes(&domain, steps)?,
        })
    }

    /// What passes of a kind take.
    fn sum(&self, take: fn(&TimedPass) -> f64, is_meant: impl Fn(&TimedPass) -> bool) -> f64 {
        let passes = self.passes.iter().filter(|pass| is_meant(pass));
        passes.map(take).sum()
    }

    /// Each family's share of what all passes take, in percent.
    fn shares(&self, take: fn(&TimedPass) -> f64) -> [f64; FAMILIES.len()] {
        let all = self.sum(take, |_| true);
        std::array::from_fn(|family| 100.0 * self.sum(take, |pass| pass.family == family) / all)
    }

    /// The shares in words.
    fn split(&self) -> String {
        let parts = FAMILIES.iter().zip(self.shares(HERE));
        let parts: Vec<String> = parts
            .map(|((family, _), share)| format!("{share:.0} % {family}"))
            .collect();
        format!("Each pass waited for: {}", parts.join("; "))
    }

    /// The cycles' share of time on grids with less than a quarter of the finest grid's nodes.
    fn coarse(&self) -> f64 {
        let is_cycle = |pass: &TimedPass| pass.family <= INTERPOLATION;
        self.sum(HERE, |pass| is_cycle(pass) && pass.is_coarse) / self.sum(HERE, is_cycle)
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

/// A pass, waited for.
struct TimedPass {
    /// What it was for: a place in [`FAMILIES`].
    family: usize,
    /// Whether its grid has less than a quarter of the finest grid's nodes.
    is_coarse: bool,
    /// Seconds, and those of the model of the GeForce FX.
    here: f64,
    model: f64,
}

const HERE: fn(&TimedPass) -> f64 = |pass| pass.here;

/// Waits for every pass.
struct Clock {
    machine: Machine,
    started: Cell<Instant>,
    passes: RefCell<Vec<TimedPass>>,
    /// The widest target of a coarse grid.
    narrow: u32,
}

impl Clock {
    /// The passes of so many steps.
    fn passes(domain: &Domain, steps: usize) -> Result<Vec<TimedPass>, BoxedError> {
        let mut fluid = Fluid::at_rest(domain)?;
        fluid.step()?;
        let machine = domain.machine();
        machine.take_ledger();
        let clock = Rc::new(Self {
            machine: machine.clone(),
            started: Cell::new(Instant::now()),
            passes: RefCell::default(),
            narrow: domain.pressure().level(2).grid().layering().size().0,
        });
        let observation = machine.observe(Rc::clone(&clock) as Rc<dyn Observer>)?;
        for _ in 0..steps {
            fluid.step()?;
        }
        drop(observation);
        Ok(clock.passes.take())
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
        let mut passes = self.passes.borrow_mut();
        // A border is copied for what was drawn last.
        let last = passes.last().map_or(FAMILIES.len() - 1, |pass| pass.family);
        passes.push(TimedPass {
            family: family(pass.kernel.name()).unwrap_or(last),
            is_coarse: pass.target.size().0 <= self.narrow,
            here,
            model: bill(&self.machine.take_ledger()).total().nv30_seconds,
        });
    }
}

/// What a program is for; none of its own, if it copies borders.
fn family(program: &str) -> Option<usize> {
    let is_of = |(_, words): &(&str, &[&str])| words.iter().any(|word| program.contains(word));
    match program.contains("copy_nodes") {
        true => None,
        false => FAMILIES.iter().position(is_of),
    }
}

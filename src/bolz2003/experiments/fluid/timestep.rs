//! §4.3: how long a step of the fluid takes, and what takes the time.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::bolz2003::fluid::{Domain, Fluid, Settings};
use crate::card::cost::bill;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::solver::{Hierarchy, Levels, Multigrid, Start, multigrid};
use crate::stream::{Ledger, Machine};
use crate::timing::median;

const CLAIM: Claim = Claim {
    id: "bolz2003/timestep",
    class: Class::Shape,
    variant: Variant::Ours,
    judged_on: JudgedOn::Model,
    section: "§4.3",
    statement: "A step with two V(4,2) cycles on 513×513 nodes takes about a twentieth of a second, the \
                cost of switching targets taken off; in it advection, interpolation and projection \
                count little beside smoothing.",
    paper: "about 1/20 s",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/fluid-step",
    section: "§4.3",
    title: "The time of a step, by kernels",
    claims: &[CLAIM],
    run,
};

/// The sizes of the paper: the one that it times, and the one of its pictures.
const SIZES: [[usize; 2]; 2] = [[513, 513], [513, 129]];
/// The paper's seconds on the first.
const PAPER: f64 = 1.0 / 20.0;
/// The model agrees within this factor.
const AGREES: f64 = 2.0;
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
    let repetitions = if options.quick { 5 } else { 25 };
    let steps = SIZES
        .iter()
        .map(|&size| Step::measured(machine, size, repetitions))
        .collect::<Result<Vec<_>, _>>()?;
    let [large, small] = &steps[..] else {
        return Err("two sizes are measured".into());
    };
    let share = |step: &Step, family: &str| step.seconds_of(family) / step.seconds;
    let rate = |step: &Step| 1.0 / step.seconds;
    let measured = format!(
        "model of the GeForce FX {:.3} s; here {:.3} s ({:.1} steps/s), 513×129 {:.1} steps/s",
        large.model.values().sum::<f64>(),
        large.seconds,
        rate(large),
        rate(small),
    );
    let why = format!(
        "On 513² {}. On 513×129 {}. The parts of the solve are measured; what is left of a step is \
         split as in the model. The border needs no pass of its own: every program computes it, \
         which takes {:.0} % of the model's time. The model counts our programs' instructions over \
         the recorded fragments, half a batch wasted a pass, with stencils in textures as in the \
         paper; here they are in constants (with textures a step takes {:.3} s). A step draws {} \
         passes into {} targets.",
        large.split(),
        small.split(),
        100.0 * large.border / large.model.values().sum::<f64>(),
        large.stored,
        large.passes,
        large.switches,
    );
    let model = large.model.values().sum::<f64>();
    let agrees = (PAPER / AGREES..=PAPER * AGREES).contains(&model);
    let little = ["advection", "interpolation"]
        .iter()
        .all(|family| share(large, family) < LITTLE);
    let finding = CLAIM.judge(agrees && little, measured, why);
    let shares = |label: &str, parts: &BTreeMap<&'static str, f64>| {
        let all: f64 = parts.values().sum();
        let part = |family| parts.get(family).map(|part| 100.0 * part / all);
        Group::new(label, FAMILIES.map(part))
    };
    let figure = bars(&Bars {
        title: "What a step of the fluid spends its time on, 513×513 nodes".into(),
        axis: Axis::linear("share of the time (%)"),
        categories: FAMILIES.map(String::from).into(),
        groups: vec![
            shares("NV30 model", &large.model),
            shares("here", &large.parts),
        ],
    })?;
    Ok(vec![finding.with_figure(
        "bolz2003/timestep.png",
        "Shares of a step by kernels: in the model of the GeForce FX, and measured.",
        figure,
    )])
}

/// A step on one grid.
struct Step {
    /// The median.
    seconds: f64,
    /// Of these, by families; their sum is `seconds`.
    parts: BTreeMap<&'static str, f64>,
    /// The median with the stencils in textures.
    stored: f64,
    /// Modelled seconds on the GeForce FX, by families, with the stencils in textures.
    model: BTreeMap<&'static str, f64>,
    /// Of these, those of programs over the border.
    border: f64,
    passes: u64,
    switches: u64,
}

impl Step {
    fn measured(
        machine: &Machine,
        [columns, rows]: [usize; 2],
        repetitions: usize,
    ) -> Result<Self, BoxedError> {
        let settings = Settings::new(columns, rows);
        let paper = Domain::new(
            machine,
            Settings {
                stored_stencils: true,
                ..settings
            },
        )?;
        let (stored, ledger) = seconds_a_step(&paper, repetitions)?;
        let domain = Domain::new(machine, settings)?;
        let (seconds, _) = seconds_a_step(&domain, repetitions)?;
        let mut parts = solve_parts(&domain, repetitions)?;
        let solve: f64 = parts.values().sum();
        // What is not the solve is not timed apart: it is split as the model has it.
        let model = modelled(&ledger, |program| Some(family(program)));
        let border = modelled(&ledger, |program| {
            program.contains(", border").then_some("")
        });
        let rest = (seconds - solve).max(0.0);
        let others = ["advection", "layering", "divergence, gradient"];
        let sum: f64 = others.iter().filter_map(|family| model.get(family)).sum();
        for family in others {
            let share = model.get(family).copied().unwrap_or(0.0) / sum;
            parts.insert(family, rest * share);
        }
        Ok(Self {
            seconds,
            parts,
            stored,
            model,
            border: border.values().sum(),
            passes: ledger.total().passes,
            switches: ledger.target_switches,
        })
    }

    fn seconds_of(&self, family: &str) -> f64 {
        self.parts.get(family).copied().unwrap_or(0.0)
    }

    /// The shares in words.
    fn split(&self) -> String {
        let part = |family: &&str| {
            let percent = 100.0 * self.seconds_of(family) / self.seconds;
            format!("{percent:.0} % {family}")
        };
        FAMILIES.iter().map(part).collect::<Vec<_>>().join("; ")
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

/// The parts of a step's solve, with each operation waited for, scaled to what it takes without
/// waiting.
fn solve_parts(
    domain: &Domain,
    repetitions: usize,
) -> Result<BTreeMap<&'static str, f64>, BoxedError> {
    let hierarchy = domain.pressure();
    let machine = domain.machine();
    let b = hierarchy.zeros(0)?;
    let mut u = hierarchy.zeros(0)?;
    let cycles = domain.settings().cycles;
    let shape = domain.settings().cycle;
    let mut solver = Multigrid::new(hierarchy, shape)?;
    let mut times = Vec::new();
    let mut parts = BTreeMap::new();
    for repetition in 0..=repetitions {
        machine.finish();
        let start = Instant::now();
        solver.cycles(cycles, &b, &mut u)?;
        machine.finish();
        times.push(start.elapsed().as_secs_f64());
        let mut timed = Timed {
            inner: solver.on(&b, &mut u),
            machine,
            parts: &mut parts,
        };
        for cycle in 0..cycles {
            multigrid::cycle(&mut timed, shape, start_of(cycle))?;
        }
        if repetition == 0 {
            times.clear();
            parts.clear();
        }
    }
    let sum: f64 = parts.values().sum();
    let scale = median(times) / sum;
    parts.values_mut().for_each(|part| *part *= scale);
    Ok(parts)
}

fn start_of(cycle: usize) -> Start {
    match cycle {
        0 => Start::Zero,
        _ => Start::Given,
    }
}

/// Levels whose operations are timed, one by one.
struct Timed<'a, L> {
    inner: L,
    machine: &'a Machine,
    parts: &'a mut BTreeMap<&'static str, f64>,
}

impl<L> Timed<'_, L> {
    fn time<T>(&mut self, family: &'static str, operation: impl FnOnce(&mut L) -> T) -> T {
        self.machine.finish();
        let start = Instant::now();
        let result = operation(&mut self.inner);
        self.machine.finish();
        *self.parts.entry(family).or_default() += start.elapsed().as_secs_f64();
        result
    }
}

impl<L: Levels> Levels for Timed<'_, L> {
    type Error = L::Error;

    fn levels(&self) -> usize {
        self.inner.levels()
    }

    fn smooth(&mut self, level: usize, sweeps: usize, start: Start) -> Result<(), L::Error> {
        self.time("smoothing", |inner| inner.smooth(level, sweeps, start))
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), L::Error> {
        self.time("smoothing", |inner| inner.solve_coarsest(start))
    }

    fn descend(&mut self, level: usize) -> Result<(), L::Error> {
        self.time("residual, projection", |inner| inner.descend(level))
    }

    fn ascend(&mut self, level: usize) -> Result<(), L::Error> {
        self.time("interpolation", |inner| inner.ascend(level))
    }
}

/// What the recorded passes would have taken on the GeForce FX, by what `part` says each program
/// belongs to, if anything: the model.
fn modelled(
    ledger: &Ledger,
    part: impl Fn(&str) -> Option<&'static str>,
) -> BTreeMap<&'static str, f64> {
    let mut parts = BTreeMap::new();
    for (name, charge) in bill(ledger).kernels {
        if let Some(part) = part(&name) {
            *parts.entry(part).or_insert(0.0) += charge.nv30_seconds;
        }
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

//! Fig. 2 and the tables: what the solves of the dam consist of, how long each operation takes, and how
//! long the CPU takes for the same.
//!
//! Every system is solved by each contender in turn, each from its own last pressure.

use std::time::Instant;

use crate::batty2003::pressure::gpu::Operation;
use crate::batty2003::pressure::host::{Extent, HostSolver, Preconditioner};
use crate::batty2003::pressure::{GpuSolver, PressureError, PressureSolver, Settings, System};
use crate::card::cost::quadro_seconds;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::solver::{Criteria, Outcome};
use crate::stream::{Ledger, Machine};
use crate::timing::rig::agrees;

use super::dam;
use super::samples::proportion;

const IDENTITY: Claim = Claim {
    id: "batty2003/counts-identity",
    class: Class::Exact,
    section: "the table of operations",
    statement: "51 solves took 9600 products, 9600 preconditionings and 28 749 scale-adds. With n \
                iterations a solve these are n + 1, n + 1 and 3n + 2, and so 28 749 = 3 · 9600 − 51.",
    paper: "28 749 = 3 · 9600 − 51",
};
const COUNTS: Claim = Claim {
    id: "batty2003/counts",
    class: Class::Shape,
    section: "the table of operations",
    statement: "A solve takes 188 products on average; to each product there are 2.07 dot products, 2.99 \
                scale-adds and a preconditioning.",
    paper: "188 a solve; 1 : 2.07 : 2.99 : 1",
};
const FIG2: Claim = Claim {
    id: "batty2003/fig2",
    class: Class::Shape,
    section: "Fig. 2, the table of operations",
    statement: "Of the time of all solves the product takes half, the dot product a quarter.",
    paper: "product 50.3, dot 24.4, scale-add 10.8, set-up 5.7, read-back 5.4, precondition 3.5 %",
};
const OPERATIONS: Claim = Claim {
    id: "batty2003/operations",
    class: Class::Shape,
    section: "the table of operations",
    statement: "A product takes 33.56 ms, a dot product 7.85, a scale-add 2.41, a preconditioning 2.30; \
                setting up takes 711 ms a solve, reading back 679.",
    paper: "1 : 0.23 : 0.07 : 0.07; set-up 21, read-back 20 products",
};
const TABLE: Claim = Claim {
    id: "batty2003/table",
    class: Class::Shape,
    section: "the table of results",
    statement: "An Athlon 1800+ takes 32.0 s with the diagonal preconditioner and 16.5 s with \
                incomplete Cholesky; a Quadro FX 1000 takes 12.3 s, an FX 2000 10.3 s.",
    paper: "CPU diagonal to IC 1.94; GPU to CPU diagonal 2.60 and 3.11, to IC 1.34 and 1.60 times; FX \
            1000 to FX 2000 1.19",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/solves",
    section: "Fig. 2 and the tables",
    title: "What the solves of a dam break consist of, and their times",
    claims: &[IDENTITY, COUNTS, FIG2, OPERATIONS, TABLE],
    run,
};

/// Products, dots, scale-adds, preconditionings, set-ups, read-backs: how many, and milliseconds.
const PAPER_COUNTS: [f64; 4] = [9600.0, 19_891.0, 28_749.0, 9600.0];
const PAPER_MILLISECONDS: [f64; 6] = [33.56, 7.85, 2.41, 2.30, 711.36, 678.88];
const PAPER_SHARES: [f64; 6] = [50.3, 24.4, 10.8, 3.5, 5.7, 5.4];
const NAMES: [&str; 6] = [
    "product",
    "dot",
    "scale-add",
    "precondition",
    "set-up",
    "read-back",
];

/// A solver on the card, its last pressure, and all it did.
struct Gpu {
    machine: Machine,
    solver: GpuSolver,
    pressure: Vec<f64>,
    solves: u64,
    iterations: u64,
    counts: [u64; 4],
    /// By operation; where each is waited for.
    seconds: [f64; 4],
    /// Set-up, solve, read-back.
    phases: [f64; 3],
    /// Of the first solve's iterations.
    ledger: Ledger,
}

impl Gpu {
    fn new(machine: &Machine, settings: Settings) -> Self {
        Self {
            machine: machine.clone(),
            solver: GpuSolver::new(machine, settings),
            pressure: Vec::new(),
            solves: 0,
            iterations: 0,
            counts: [0; 4],
            seconds: [0.0; 4],
            phases: [0.0; 3],
            ledger: Ledger::default(),
        }
    }

    /// One solve; the reason that it ended for stands in the outcome.
    fn solve(
        &mut self,
        system: &System<f64>,
        criteria: &Criteria,
    ) -> Result<Option<Outcome>, PressureError> {
        self.pressure.resize(system.cells(), 0.0);
        if self.solves == 0 {
            // Textures and programs are made once, which is not what set-up means.
            self.solver.set_up(system, &self.pressure)?;
            self.solver.iterate(&Criteria {
                max_iterations: 1,
                ..*criteria
            })?;
        }
        self.machine.finish();
        let mut phases = [0.0; 3];
        let start = Instant::now();
        self.solver.set_up(system, &self.pressure)?;
        self.machine.finish();
        phases[0] = start.elapsed().as_secs_f64();
        self.solver.take_tally();
        self.machine.take_ledger();
        let outcome = self.solver.iterate(criteria)?;
        self.machine.finish();
        phases[1] = start.elapsed().as_secs_f64() - phases[0];
        self.pressure = self.solver.read_back()?;
        phases[2] = start.elapsed().as_secs_f64() - phases[0] - phases[1];
        let (ledger, tally) = (self.machine.take_ledger(), self.solver.take_tally());
        if self.solves == 0 {
            self.ledger = ledger;
        }
        self.solves += 1;
        self.iterations += outcome
            .as_ref()
            .map_or(0, |outcome| outcome.iterations as u64);
        for operation in 0..4 {
            self.counts[operation] += tally.counts[operation];
            self.seconds[operation] += tally.seconds[operation];
        }
        for (sum, phase) in self.phases.iter_mut().zip(phases) {
            *sum += phase;
        }
        Ok(outcome)
    }

    /// Of each operation to a product.
    fn proportions(&self) -> [f64; 4] {
        self.counts
            .map(|count| count as f64 / self.counts[0] as f64)
    }

    fn products_a_solve(&self) -> f64 {
        self.counts[0] as f64 / self.solves as f64
    }
}

/// A solver on the CPU, its last pressure, and its time.
struct Cpu {
    solver: HostSolver<f32>,
    pressure: Vec<f64>,
    seconds: f64,
}

impl Cpu {
    fn new(preconditioner: Preconditioner) -> Self {
        Self {
            // The whole box in single precision, as on the card.
            solver: HostSolver::new(preconditioner, Extent::Box),
            pressure: Vec::new(),
            seconds: 0.0,
        }
    }

    fn solve(&mut self, system: &System<f64>, criteria: &Criteria) -> Result<(), PressureError> {
        self.pressure.resize(system.cells(), 0.0);
        let start = Instant::now();
        self.solver.solve(system, &mut self.pressure, criteria)?;
        self.seconds += start.elapsed().as_secs_f64();
        Ok(())
    }
}

/// Solves of which the norm is taken in every iteration as well, to count.
const COUNTED: u64 = 8;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let quick = options.quick;
    let paper = Settings::paper_2003();
    let mut last = Gpu::new(machine, paper);
    let mut waited_for = Gpu::new(
        machine,
        Settings {
            finish: true,
            ..paper
        },
    );
    let mut always = Gpu::new(
        machine,
        Settings {
            norm_every: 1,
            ..paper
        },
    );
    let mut cpu = [Preconditioner::Diagonal, Preconditioner::Ic].map(Cpu::new);
    let mut unsolved = 0;
    dam::steps(quick, dam::solves(quick), |system, pressure, criteria| {
        waited_for.solve(system, criteria)?;
        if always.solves < COUNTED {
            always.solve(system, criteria)?;
        }
        cpu.iter_mut()
            .try_for_each(|cpu| cpu.solve(system, criteria))?;
        let outcome = last.solve(system, criteria)?;
        pressure.clone_from(&last.pressure);
        let outcome = outcome.unwrap_or_else(|| unreachable!("a system was set up"));
        unsolved += u32::from(!outcome.reason.is_converged());
        Ok(outcome)
    })?;
    if unsolved > 0 {
        return Err(format!("{unsolved} solves did not converge").into());
    }
    Ok(vec![
        identity(&last),
        counts(&last, &always, quick),
        fig2(&waited_for)?,
        operations(&waited_for),
        table(&last, &cpu)?,
    ])
}

fn identity(gpu: &Gpu) -> Finding {
    let [products, dots, scale_adds, preconditionings] = gpu.counts;
    let (solves, iterations) = (gpu.solves, gpu.iterations);
    let holds = products == iterations + solves
        && preconditionings == products
        && scale_adds == 3 * iterations + 2 * solves
        && scale_adds + solves == 3 * products;
    let measured = format!("{scale_adds} = 3 · {products} − {solves}");
    let why = format!(
        "{solves} solves, {iterations} iterations, {dots} dot products. The formulas are not printed; \
         they are the only small ones that fit: a residual, a preconditioning and a copy before the \
         first iteration, and the next direction made before the norm is looked at."
    );
    IDENTITY.judge(holds, measured, why)
}

fn counts(gpu: &Gpu, always: &Gpu, quick: bool) -> Finding {
    let paper = PAPER_COUNTS.map(|count| count / PAPER_COUNTS[0]);
    let ours = gpu.proportions();
    let a_solve = gpu.products_a_solve();
    // Iterations grow in proportion to the cells of a side, and the paper's grid had 10⁶ cells or more.
    let expected = 9600.0 / 51.0 * dam::side(quick) as f64 / 100.0;
    let pairs = ours.iter().zip(paper);
    let holds =
        pairs.clone().all(|(&ours, paper)| agrees(ours, paper)) && agrees(a_solve, expected);
    let measured = format!("{a_solve:.0} a solve; {}", proportion(&ours));
    let why = format!(
        "The norm is taken every 13 iterations, which is inferred: 19 891 dot products are 2 · 9549 + 51 \
         and 742 more. Taken every time it is {}. {}³ cells, of which liquid fills a part; a solve is \
         expected to take {expected:.0} products, in proportion to the cells of a side.",
        proportion(&always.proportions()),
        dam::side(quick)
    );
    COUNTS.judge(holds, measured, why)
}

/// Seconds of the operations, of set-up and of read-back.
fn parts(gpu: &Gpu) -> [f64; 6] {
    let [product, dot, scale_add, precondition] = gpu.seconds;
    [
        product,
        dot,
        scale_add,
        precondition,
        gpu.phases[0],
        gpu.phases[2],
    ]
}

fn fig2(gpu: &Gpu) -> Result<Finding, BoxedError> {
    let parts = parts(gpu);
    let sum: f64 = parts.iter().sum();
    let shares = parts.map(|part| 100.0 * part / sum);
    let order = |shares: [f64; 6]| {
        let mut order = [0, 1, 2, 3, 4, 5];
        order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
        order
    };
    let (ours, paper) = (order(shares), order(PAPER_SHARES));
    let named = ours.map(|part| format!("{} {:.1}", NAMES[part], shares[part]));
    let near = shares
        .iter()
        .zip(PAPER_SHARES)
        .all(|(&share, paper)| agrees(share, paper));
    let seconds = sum / gpu.solves as f64;
    let why = format!(
        "Each operation is waited for, as where the paper took its times; {seconds:.2} s a solve. It is \
         the same order and every share within a factor of 2 that counts. Set-up and read-back crossed \
         a bus in 2003 and are copies in one memory here."
    );
    let figure = bars(&Bars {
        title: "Where the time of the solves goes".into(),
        axis: Axis::linear("per cent"),
        categories: NAMES.map(String::from).into(),
        groups: vec![
            Group::new("paper", PAPER_SHARES.map(Some)),
            Group::new("here", shares.map(Some)),
        ],
    })?;
    let finding = FIG2.judge(
        ours == paper && near,
        format!("{} %", named.join(", ")),
        why,
    );
    Ok(finding.with_figure(
        "batty2003/fig2.png",
        "Shares of the operations in the time of all solves.",
        figure,
    ))
}

fn operations(gpu: &Gpu) -> Finding {
    let each = |operation: Operation| {
        gpu.seconds[operation as usize] / gpu.counts[operation as usize].max(1) as f64
    };
    let [product, dot, scale_add, precondition] = Operation::ALL.map(each);
    let solves = gpu.solves as f64;
    let all = [
        product,
        dot,
        scale_add,
        precondition,
        gpu.phases[0] / solves,
        gpu.phases[2] / solves,
    ];
    let ours = all.map(|seconds| seconds / product);
    let paper = PAPER_MILLISECONDS.map(|ms| ms / PAPER_MILLISECONDS[0]);
    let holds = ours
        .iter()
        .zip(paper)
        .all(|(&ours, paper)| agrees(ours, paper));
    let measured = format!(
        "1 : {:.2} : {:.2} : {:.2}; set-up {:.1}, read-back {:.1} products",
        ours[1], ours[2], ours[3], ours[4], ours[5]
    );
    let milliseconds = all.map(|seconds| format!("{:.2}", 1e3 * seconds));
    let why = format!(
        "{} ms in the table's order, then set-up and read-back. The table prints 2.40 for scale-add, \
         but 69.25 s by 28 749 are 2.41. A product of 2003 was bound by its 56 instructions in six \
         registers, and is bound by its fetches here, which cost as much in every other operation; \
         transfers crossed a bus.",
        milliseconds.join(", ")
    );
    OPERATIONS.judge(holds, measured, why)
}

fn table(gpu: &Gpu, [diagonal, ic]: &[Cpu; 2]) -> Result<Finding, BoxedError> {
    let solves = gpu.solves as f64;
    let card = gpu.phases.iter().sum::<f64>();
    let by_card = [
        diagonal.seconds / ic.seconds,
        diagonal.seconds / card,
        ic.seconds / card,
    ];
    // What is printed for set-up and read-back crossed the bus of one computer.
    let bus = (PAPER_MILLISECONDS[4] + PAPER_MILLISECONDS[5]) * 1e-3;
    let first = quadro_seconds(&gpu.ledger, 300e6)? + bus;
    let second = quadro_seconds(&gpu.ledger, 400e6)? + bus;
    let model = first / second;
    let measured = format!(
        "CPU diagonal to IC {:.2}; GPU to CPU diagonal {:.2}, to IC {:.2} times; FX 1000 to FX 2000 \
         {model:.2} in the model",
        by_card[0], by_card[1], by_card[2]
    );
    let why = format!(
        "Seconds a solve: GPU {:.3}, CPU {:.3} with the diagonal and {:.3} with IC(0), on all cores, in \
         single precision and over the whole box. Model of the first solve: {first:.2} and {second:.2} \
         s. “50 % faster” is 1.34 or 1.60 times. Mesa's llvmpipe runs fragment programs on the same \
         cores that the CPU's solver has to itself.",
        card / solves,
        diagonal.seconds / solves,
        ic.seconds / solves
    );
    // Of the two cards the faster one's ratios are nearer to none: the first one's are compared.
    let paper = [1.94, 2.60, 1.34];
    let holds = by_card
        .iter()
        .zip(paper)
        .all(|(&ours, paper)| agrees(ours, paper))
        && agrees(model, 1.19);
    let groups = [
        ("paper, FX 1000", [32.0, 16.5, 12.3].map(|s: f64| s / 12.3)),
        (
            "here",
            [diagonal.seconds, ic.seconds, card].map(|s| s / card),
        ),
    ];
    let figure = bars(&Bars {
        title: "Times of a solve, the card's as one".into(),
        axis: Axis::linear("times the GPU's"),
        categories: ["CPU, diagonal", "CPU, IC(0)", "GPU, diagonal"]
            .map(String::from)
            .into(),
        groups: groups
            .map(|(label, values)| Group::new(label, values.map(Some)))
            .into(),
    })?;
    Ok(TABLE.judge(holds, measured, why).with_figure(
        "batty2003/table.png",
        "Seconds of a solve on the CPU beside the card's.",
        figure,
    ))
}

//! §3.3 and §4.3: how long the programs are, counted from our own GLSL.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::bolz2003::grid::kernels::{
    Borders, GridKernel, GridKernels, OperatorKernels, StencilKind, interpolated_product,
};
use crate::bolz2003::sparse::spmv;
use crate::card::count::{Count, count};
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, listed,
};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::stream::{Machine, Source, source};

const CLAIM: Claim = Claim {
    id: "bolz2003/instructions",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§3.3, §4.3",
    statement: "The product takes 33 instructions on a row of seven entries, 21 of them fetches; a \
                reduction 10: four fetches, three additions, three comparisons. The stencil takes 27, \
                18 of them fetches, interpolation 10, projection 19.",
    paper: "product 33 (21 fetches), reduction 10 (4 fetches), stencil 27 (18 fetches), interpolation \
            10, projection 19",
};

const OFFSETS: Claim = Claim {
    id: "bolz2003/offset-fetches",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§5",
    statement: "If fetches could add an offset to their coordinates, the product would need up to a fifth \
                less instructions.",
    paper: "as much as 20 %",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/instruction-counts",
    section: "§3.3, §4.3",
    title: "Instructions of each program, counted from its text",
    claims: &[CLAIM, OFFSETS],
    run,
};

/// How far a count may be from the paper's.
const TOLERANCE: f64 = 0.35;

const REDUCTION: Source = source!("stream/bounded/reduce");

/// A program with the paper's numbers for it.
struct Program {
    name: &'static str,
    count: Arc<Count>,
    /// Instructions in the paper.
    instructions: u32,
    /// Fetches among them, where the paper tells.
    fetches: Option<u32>,
}

/// The programs that the paper gives lengths of.
fn programs(machine: &Machine) -> Result<Vec<Program>, BoxedError> {
    // Six off-diagonal entries and the diagonal one.
    let product = spmv::SPMV.assemble(&[("ROW_LENGTH", "6.0")]);
    let reduction = REDUCTION.assemble(&[("COMBINE(a, b)", "((a) + (b))"), ("IDENTITY", "0.0")]);
    let stencil = OperatorKernels::new(machine, StencilKind::Stored, Borders::Any)?;
    let grid = GridKernels::new(machine)?;
    // Over grids, the programs of inner texels are counted: nearly all texels are.
    let text = |kernel: &GridKernel| kernel.inner.text().fragment.clone();
    let programs = [
        ("product, 7 entries a row", product, 33, Some(21)),
        ("reduction", reduction, 10, Some(4)),
        ("stencil", text(&stencil.product), 27, Some(18)),
        ("interpolation", text(&grid.interpolate), 10, None),
        ("projection", text(&grid.project), 19, None),
    ];
    let counted = programs
        .into_iter()
        .map(|(name, text, instructions, fetches)| {
            Ok(Program {
                name,
                count: count(&text)?,
                instructions,
                fetches,
            })
        });
    counted.collect()
}

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let programs = programs(machine)?;
    let measured = listed(programs.iter().map(Program::short));
    let why: Vec<String> = programs.iter().map(Program::long).collect();
    let interpolated = count(&interpolated_product(machine)?.text().fragment)?;
    let why = format!(
        "{} The reduction compares with both bounds, one comparison more. The stencil and projection add \
         twice to a position; with positions of neighbours interpolated, which is built beside it, the \
         stencil takes {} instructions, {} of them fetches.",
        why.join(" "),
        interpolated.instructions,
        interpolated.fetches,
    );
    let holds = programs.iter().all(|program| {
        let fetches = program.fetches;
        program.deviation().abs() <= TOLERANCE
            && fetches.is_none_or(|fetches| fetches == program.count.fetches)
    });
    let finding = CLAIM.judge(holds, measured, why);
    let group = |label, instructions: fn(&Program) -> u32| {
        let values = programs.iter().map(instructions);
        Group::new(label, values.map(|value| Some(f64::from(value))))
    };
    let picture = bars(&Bars {
        title: "Instructions of a fragment program".into(),
        axis: Axis::linear("instructions, fetches included"),
        categories: programs.iter().map(|program| program.name.into()).collect(),
        groups: vec![
            group("ours", |program| program.count.instructions),
            group("paper", |program| program.instructions),
        ],
    })?;
    let finding = finding.with_figure(
        "bolz2003/instructions.png",
        "Counted from the text of our programs as the instructions of NV_fragment_program, beside the \
         paper's numbers.",
        picture,
    );
    Ok(vec![finding, offsets()?])
}

/// What share of the product steps along a segment: its only additions.
fn offsets() -> Result<Finding, BoxedError> {
    let product = |entries: u32| -> Result<[f64; 2], BoxedError> {
        let bound = format!("{entries}.0");
        let count = count(&spmv::SPMV.assemble(&[("ROW_LENGTH", &bound)]))?;
        let steps = count.by_kind.get("ADD").copied().unwrap_or(0);
        Ok([steps, count.instructions].map(f64::from))
    };
    let [steps, all] = product(6)?;
    let [more_steps, more] = product(7)?;
    let (share, limit) = (steps / all, (more_steps - steps) / (more - all));
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let text = format!(
        "{} with seven entries a row, {} in the limit",
        percent(share),
        percent(limit)
    );
    let why = format!(
        "Of {all} instructions {steps} step on to the next entry, and of the {} that a further entry takes, \
         {} does: the paper's number is what long rows approach.",
        more - all,
        more_steps - steps,
    );
    Ok(OFFSETS.judge(share < limit && limit == 0.2, text, why))
}

impl Program {
    /// How much longer than in the paper, as a share.
    fn deviation(&self) -> f64 {
        f64::from(self.count.instructions) / f64::from(self.instructions) - 1.0
    }

    /// As in `reduction 10 (4 fetches)`.
    fn short(&self) -> String {
        // What follows the comma is for the chart.
        let name = self.name.split(',').next().unwrap_or(self.name);
        let (instructions, fetches) = (self.count.instructions, self.count.fetches);
        format!("{name} {instructions} ({fetches} fetches)")
    }

    /// Deviation, how many instructions of each kind, and registers.
    fn long(&self) -> String {
        let counted = |(kind, number)| format!("{number} {kind}");
        let kinds = listed(self.count.by_kind.iter().map(counted));
        let deviation = match self.count.instructions.cmp(&self.instructions) {
            Ordering::Equal => "as in the paper".to_owned(),
            _ => format!("{:+.0} %", 100.0 * self.deviation()),
        };
        let name = capitalised(self.name);
        let registers = self.count.registers;
        format!("{name} {deviation}: {kinds}; temporary registers: {registers}.")
    }
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

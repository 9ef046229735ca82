//! Table 1: instructions and registers of the four kernels.

use std::ops::RangeInclusive;

use crate::card::count::{Count, count};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::multigrid::programs::Library;
use crate::goodnight2003::{Conditions, Programs, Settings};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::stream::Machine;

const INSTRUCTIONS: Claim = Claim {
    id: "goodnight2003/table1",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§6, Table 1",
    statement: "Lean programs for the inside, with coordinates from a vertex program and arithmetic on \
                four numbers at once, take a third to a quarter of the instructions of the first \
                programs.",
    paper: "smooth 79→20, residual 45→16, restrict 66→21, interpolate 93→25: 3 to 4 times",
};

const REGISTERS: Claim = Claim {
    id: "goodnight2003/table1-registers",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§6, Table 1",
    statement: "The lean programs take about half the registers of the first ones.",
    paper: "smooth 6→4, residual 7→4, restrict 6→3, interpolate 6→3; vertex programs 2, 1, 1, 2",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/instructions",
    section: "§6, Table 1",
    title: "Instructions and registers of the first programs and of the lean ones",
    claims: &[INSTRUCTIONS, REGISTERS],
    run,
};

/// Instructions and temporary registers of a program; of the paper's fragment programs the registers of
/// 32-bit numbers.
type Length = [u32; 2];
const INSTRUCTIONS_OF: fn(Length) -> u32 = |[instructions, _]| instructions;
const REGISTERS_OF: fn(Length) -> u32 = |[_, registers]| registers;

/// A line of the table. `new` takes a name, the lengths of the first program, of the lean one, and of
/// its vertex program.
#[derive(Clone, Copy)]
struct Kernel {
    name: &'static str,
    first: Length,
    lean: Length,
    vertex: Length,
}

/// The paper's table.
const PAPER: [Kernel; 4] = [
    Kernel::new("smooth", [79, 6], [20, 4], [12, 2]),
    Kernel::new("residual", [45, 7], [16, 4], [11, 1]),
    Kernel::new("restrict", [66, 6], [21, 3], [11, 1]),
    Kernel::new("interpolate", [93, 6], [25, 3], [13, 2]),
];

/// The factor that each kernel has to gain: the paper's 2.8 to 3.9, and about half as much more or less.
const FACTORS: RangeInclusive<f64> = 2.0..=6.0;

/// What about half is: the share of its registers that a lean program takes, in the mean.
const ABOUT_HALF: RangeInclusive<f64> = 0.35..=0.65;

impl Kernel {
    const fn new(name: &'static str, first: Length, lean: Length, vertex: Length) -> Self {
        Self {
            name,
            first,
            lean,
            vertex,
        }
    }

    /// What the lean program takes of the first one's.
    fn share(&self, of: fn(Length) -> u32) -> f64 {
        f64::from(of(self.lean)) / f64::from(of(self.first))
    }
}

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let kernels = counted(machine)?;
    let figure = |what, unit, of: fn(Length) -> u32| {
        let group = |label, kernels: &[Kernel; 4], size: fn(&Kernel) -> Length| {
            let values = kernels.each_ref().map(|kernel| of(size(kernel)));
            Group::new(label, values.into_iter().map(|value| Some(value.into())))
        };
        bars(&Bars {
            title: format!("{what} of the first programs and of the lean ones"),
            axis: Axis::linear(unit),
            categories: PAPER.map(|kernel| kernel.name.into()).into(),
            groups: vec![
                group("paper, first", &PAPER, |kernel| kernel.first),
                group("here, first", &kernels, |kernel| kernel.first),
                group("paper, lean", &PAPER, |kernel| kernel.lean),
                group("here, lean", &kernels, |kernel| kernel.lean),
            ],
        })
    };
    Ok(vec![
        instructions_of(&kernels, conditions(machine)?).with_figure(
            "goodnight2003/table1.png",
            "Instructions for a fragment: programs for all nodes, as first written, and lean ones \
             for the inside.",
            figure(
                "Instructions",
                "instructions for a fragment",
                INSTRUCTIONS_OF,
            )?,
        ),
        registers_of(&kernels).with_figure(
            "goodnight2003/table1-registers.png",
            "Temporary registers of four channels of the same programs.",
            figure("Registers", "temporary registers", REGISTERS_OF)?,
        ),
    ])
}

/// The table of our programs.
fn counted(machine: &Machine) -> Result<[Kernel; 4], BoxedError> {
    let kernel = |name, version| {
        // Colours stand in a map since one of the later optimisations.
        let settings = Settings {
            red_black_map: version != Programs::Original,
            ..Settings::paper_2003()
        };
        let library = Library::new(machine, &settings);
        match name {
            "smooth" => library.smooth(version),
            "residual" => library.residual(version),
            "restrict" => library.restrict(version, true),
            _ => library.interpolate(version, true),
        }
    };
    let mut kernels = PAPER;
    for counted in &mut kernels {
        let first = kernel(counted.name, Programs::Original)?;
        let lean = kernel(counted.name, Programs::Fastpath)?;
        let size = |count: &Count| [count.instructions, count.registers];
        counted.first = size(&*count(&first.text().fragment)?);
        counted.lean = size(&*count(&lean.text().fragment)?);
        counted.vertex = size(&*count(&lean.text().vertex)?);
    }
    Ok(kernels)
}

/// How many instructions more the first residual takes with conditions from a map of their own.
fn conditions(machine: &Machine) -> Result<u32, BoxedError> {
    let [folded, map] = Conditions::ALL.map(|conditions| {
        let settings = Settings {
            conditions,
            ..Settings::paper_2003()
        };
        let residual = Library::new(machine, &settings).residual(Programs::Original)?;
        Ok::<_, BoxedError>(count(&residual.text().fragment)?.instructions)
    });
    Ok(map? - folded?)
}

/// As in `smooth 79→20, residual 45→16`.
fn changes(kernels: &[Kernel], of: fn(Length) -> u32) -> String {
    let change = |k: &Kernel| format!("{} {}→{}", k.name, of(k.first), of(k.lean));
    kernels.iter().map(change).collect::<Vec<_>>().join(", ")
}

/// As in `12, 11`.
fn of_vertices(kernels: &[Kernel], of: fn(Length) -> u32) -> String {
    let numbers = kernels.iter().map(|kernel| of(kernel.vertex).to_string());
    numbers.collect::<Vec<_>>().join(", ")
}

/// `conditions` is how many instructions a map of boundary conditions adds to the first residual.
fn instructions_of(kernels: &[Kernel], conditions: u32) -> Finding {
    let of = INSTRUCTIONS_OF;
    let factors = || kernels.iter().map(|kernel| 1.0 / kernel.share(of));
    let smallest = factors().fold(f64::INFINITY, f64::min);
    let largest = factors().fold(0.0, f64::max);
    let changes = changes(kernels, of);
    let measured = format!("{changes}: {smallest:.1} to {largest:.1} times");
    let why = format!(
        "Checked is that every kernel gains {:.0} to {:.0} times. A shape, for both sides of the ratio are \
         texts: how long a first program is depends on who writes it, and how long a lean one on the \
         compiler, Cg's of 2003 there; here the texts are counted as instructions of \
         NV_fragment_program, with no compiler's moves. The paper's lean programs take 1.2 to 2.3 times as \
         many as ours. Boundary conditions are folded into the operator map; from a map of their own they take \
         {conditions} instructions more in the first residual, which then gains {:.1} times. The \
         vertex programs take {} (paper: {}).",
        FACTORS.start(),
        FACTORS.end(),
        f64::from(of(kernels[1].first) + conditions) / f64::from(of(kernels[1].lean)),
        of_vertices(kernels, of),
        of_vertices(&PAPER, of),
    );
    let holds = FACTORS.contains(&smallest) && FACTORS.contains(&largest);
    INSTRUCTIONS.judge(holds, measured, why)
}

fn registers_of(kernels: &[Kernel]) -> Finding {
    let of = REGISTERS_OF;
    let share = |kernels: &[Kernel]| {
        let shares = kernels.iter().map(|kernel| kernel.share(of));
        shares.sum::<f64>() / kernels.len() as f64
    };
    let mean = share(kernels);
    let measured = format!(
        "{}: {mean:.2} of them in the mean; vertex programs {}",
        changes(kernels, of),
        of_vertices(kernels, of),
    );
    let why = format!(
        "Checked is that the lean programs take {:.2} to {:.2} of the first ones' registers in the \
         mean (paper: {:.2}; its vertex programs take {}). Counted is how many registers of four \
         channels hold all values, in the better of two orders of the instructions. Both versions \
         take fewer than in the paper, where the compiler of Cg assigned them; that values share \
         registers here saves most in the first programs. Half registers, for numbers of 16 bits, \
         are not used here. What the compiler's part in it is, is not isolated.",
        ABOUT_HALF.start(),
        ABOUT_HALF.end(),
        share(&PAPER),
        of_vertices(&PAPER, of),
    );
    REGISTERS.judge(ABOUT_HALF.contains(&mean), measured, why)
}

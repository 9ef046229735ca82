//! §3.3 and §4.3: how long the programs are, counted from our own GLSL.

use std::cmp::Ordering;

use crate::bolz2003::spmv;
use crate::experiment::plot::{Axis, Bars, Group, bars};
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::stream::instructions::{Count, count};
use crate::stream::{Machine, Source};

const CLAIM: Claim = Claim {
    id: "bolz2003/instructions",
    class: Class::Tolerance,
    section: "§3.3, §4.3",
    statement: "The product takes 33 instructions on a row of seven entries, 21 of them fetches; a \
                reduction 10: four fetches, three additions, three comparisons.",
    paper: "product 33 (21 fetches), reduction 10 (4 fetches)",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/instruction-counts",
    paper: "bolz2003",
    section: "§3.3, §4.3",
    title: "Instructions of each program, counted from its text",
    claims: &[CLAIM],
    run,
};

/// How far a count may be from the paper's.
const TOLERANCE: f64 = 0.35;

/// A program with the paper's numbers for it.
struct Program {
    name: &'static str,
    source: Source,
    defines: &'static [(&'static str, &'static str)],
    /// Instructions in the paper.
    instructions: u32,
    /// Fetches among them, where the paper tells.
    fetches: Option<u32>,
}

/// The programs that the paper gives lengths of.
const PROGRAMS: &[Program] = &[
    Program {
        name: "product, 7 entries a row",
        source: spmv::SPMV,
        // Six off-diagonal entries and the diagonal one.
        defines: &[("ROW_LENGTH", "6.0")],
        instructions: 33,
        fetches: Some(21),
    },
    Program {
        name: "reduction",
        source: Source {
            name: "stream/reduce_bounded",
            text: include_str!("../../../glsl/stream/reduce_bounded.frag"),
        },
        defines: &[("COMBINE(a, b)", "((a) + (b))"), ("IDENTITY", "0.0")],
        instructions: 10,
        fetches: Some(4),
    },
];

fn run(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let counts = PROGRAMS
        .iter()
        .map(|program| count(&program.source.assemble(program.defines)))
        .collect::<Result<Vec<Count>, _>>()?;
    let pairs = || PROGRAMS.iter().zip(&counts);
    let measured: Vec<String> = pairs()
        .map(|(program, count)| short(program, count))
        .collect();
    let why: Vec<String> = pairs()
        .map(|(program, count)| long(program, count))
        .collect();
    let (measured, why) = (measured.join(", "), why.join(" "));
    let holds = pairs().all(|(program, count)| {
        program.deviation(count).abs() <= TOLERANCE
            && program
                .fetches
                .is_none_or(|fetches| fetches == count.fetches)
    });
    let finding = if holds {
        CLAIM.reproduced(measured).because(why)
    } else {
        CLAIM.differs(measured, why)
    };
    let group = |label, values: &mut dyn Iterator<Item = u32>| {
        Group::new(label, values.map(|value| Some(f64::from(value))))
    };
    let picture = bars(&Bars {
        title: "Instructions of a fragment program".into(),
        axis: Axis::linear("instructions, fetches included"),
        categories: PROGRAMS
            .iter()
            .map(|program| program.name.to_owned())
            .collect(),
        groups: vec![
            group("ours", &mut counts.iter().map(|count| count.instructions)),
            group(
                "paper",
                &mut PROGRAMS.iter().map(|program| program.instructions),
            ),
        ],
    })?;
    Ok(vec![finding.with_figure(
        "bolz2003/instructions.png",
        "Counted from the text of our programs as the instructions of NV_fragment_program, beside the \
         paper's numbers.",
        picture,
    )])
}

impl Program {
    /// How much longer than in the paper, as a share.
    fn deviation(&self, count: &Count) -> f64 {
        f64::from(count.instructions) / f64::from(self.instructions) - 1.0
    }
}

/// As in `reduction 10 (4 fetches)`.
fn short(program: &Program, count: &Count) -> String {
    // What follows the comma is for the chart.
    let name = program.name.split(',').next().unwrap_or(program.name);
    format!("{name} {} ({} fetches)", count.instructions, count.fetches)
}

/// Deviation, and how many instructions of each kind.
fn long(program: &Program, count: &Count) -> String {
    let kinds: Vec<String> = count
        .by_kind
        .iter()
        .map(|(kind, number)| format!("{number} {kind}"))
        .collect();
    let deviation = match count.instructions.cmp(&program.instructions) {
        Ordering::Equal => "as in the paper".to_owned(),
        _ => format!("{:+.0} %", 100.0 * program.deviation(count)),
    };
    format!(
        "{} {deviation}: {}.",
        capitalised(program.name),
        kinds.join(", ")
    )
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

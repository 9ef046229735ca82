//! §3.3 and §4.3: how long the programs are, counted from our own GLSL.

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
    instructions: u32,
    fetches: Option<u32>,
    /// Where the difference comes from.
    why: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "product, 7 entries",
        source: crate::bolz2003::spmv::SPMV,
        // Six off-diagonal entries and the diagonal one.
        defines: &[("ROW_LENGTH", "6.0")],
        instructions: 33,
        fetches: Some(21),
        why: "",
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
        why: "",
    },
];

fn run(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    for p in PROGRAMS {
        let c: Count = count(&p.source.assemble(p.defines))?;
        println!("{} {:?}", p.name, c);
    }
    Ok(vec![])
}

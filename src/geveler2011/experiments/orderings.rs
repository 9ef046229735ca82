//! §4.5: what the numbering does to the time of a solve.

use crate::claim::{Claim, Class, Finding, JudgedOn, Variant};
use crate::timing::rig::agrees;

use super::super::elements::Numbering;
use super::printed::{TABLE_2, TABLE_3, products_a_solve};
use super::race::{DEVICE, PROCESSORS};
use super::timed::Timed;

/// §4.5's four factors.
pub const ORDERING: Claim = Claim {
    id: "geveler2011/ordering",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.5",
    statement: "CM is about 7 times as fast as STO; HIE, 2LV and XYZ gain another 1.5 each.",
    paper: "7, 1.5, 1.5, 1.5 times",
};
/// How many products a solve takes.
pub const STO_CYCLES: Claim = Claim {
    id: "geveler2011/sto-cycles",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "Tables 2 and 3",
    statement: "Convergence does not depend on the numbering (§2.2), but by the tables a solve in STO \
                takes as long as 1156 to 1262 products, in other numberings 209 to 369.",
    paper: "STO takes 4.2 times the products of the others",
};

/// §4.5 in the order of its sentence: from which numbering to which, and the factor.
const STEPS: [(Numbering, Numbering, f64); 4] = [
    (Numbering::Stochastic, Numbering::CuthillMcKee, 7.0),
    (Numbering::CuthillMcKee, Numbering::Hierarchical, 1.5),
    (Numbering::Hierarchical, Numbering::TwoLevel, 1.5),
    (Numbering::TwoLevel, Numbering::Xyz, 1.5),
];

/// How many times as fast each numbering of [`STEPS`] is as the one before.
fn steps(seconds: impl Fn(Numbering) -> f64) -> [f64; 4] {
    STEPS.map(|(from, to, _)| seconds(from) / seconds(to))
}

fn listed(steps: [f64; 4]) -> String {
    steps.map(|step| format!("{step:.2}")).join(", ")
}

/// What each numbering gains over the one before.
pub fn ordering(timed: &Timed) -> Finding {
    let solves = timed
        .largest()
        .map(|race| steps(|numbering| race.solve(numbering, DEVICE)));
    let paper = STEPS.map(|(_, _, factor)| factor);
    let agree = |steps: &[f64; 4]| {
        let mut pairs = steps.iter().zip(paper);
        pairs.all(|(&step, paper)| agrees(step, paper))
    };
    let products = timed
        .largest()
        .map(|race| steps(|numbering| race.product(numbering, DEVICE)));
    let of = |table: fn(Numbering, usize) -> f64| {
        let by_element = [0, 1].map(|element| listed(steps(|numbering| table(numbering, element))));
        by_element.join("; ")
    };
    let why = format!(
        "Solves of Q1, and of Q2, on the stream processor. Of products alone the factors are {}. By the \
         paper's own tables they are {} for solves on the GPU, and {} for products: only the first is as \
         printed, and of that a factor of four is cycles that STO does not take here ({} and {}, as 2LV \
         takes {} and {}; claim sto-cycles). What is between the products' factors, here and there, is not \
         isolated.",
        products.map(listed).join("; "),
        of(|numbering, element| TABLE_3[numbering as usize][element][3][DEVICE]),
        of(|numbering, element| 1.0 / TABLE_2[numbering as usize][element][3][DEVICE]),
        timed.largest()[0].counts[1],
        timed.largest()[1].counts[1],
        timed.largest()[0].counts[0],
        timed.largest()[1].counts[0],
    );
    let text = format!("{} times", solves.map(listed).join("; "));
    ORDERING.judge(solves.iter().all(agree), text, why)
}

/// The mean of STO's by the mean of all others.
fn excess(products: impl Fn(Numbering) -> f64) -> f64 {
    let others = Numbering::ALL
        .into_iter()
        .filter(|&n| n != Numbering::Stochastic);
    4.0 * products(Numbering::Stochastic) / others.map(&products).sum::<f64>()
}

/// Products a solve, STO's beside the others'.
pub fn sto_cycles(timed: &Timed) -> Finding {
    let mut of_paper = Vec::new();
    let mut here = Vec::new();
    let mut solves = Vec::new();
    for (element, race) in timed.largest().into_iter().enumerate() {
        for processor in 0..PROCESSORS.len() {
            of_paper.push(excess(|numbering| {
                products_a_solve(numbering, element, 3)[processor]
            }));
            here.push(excess(|numbering| {
                race.solve(numbering, processor) / race.product(numbering, processor)
            }));
        }
        let products = Numbering::ALL.map(|n| race.solve(n, DEVICE) / race.product(n, DEVICE));
        let least = products.into_iter().fold(f64::INFINITY, f64::min);
        let most = products.into_iter().fold(0.0, f64::max);
        let [two_level, stochastic] = race.counts;
        solves.push(format!(
            "{}: {two_level} cycles in 2LV, {stochastic} in STO, {least:.0} to {most:.0} products",
            race.name()
        ));
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (paper, ours) = (mean(&of_paper), mean(&here));
    let text = format!("STO takes {ours:.2} times the products of the others");
    let why = format!(
        "{}. That the paper's STO takes {paper:.1} times the products is no matter of memory, which the \
         product has in it. A cycle has the entries of about 13.7 products: by the tables the others take 15 \
         to 27 cycles, and STO 84 to 92, perhaps the limit of solves that did not converge, which is \
         inferred. Cycles are counted here, and do not depend on the numbering.",
        solves.join("; ")
    );
    STO_CYCLES.judge(agrees(ours, paper), text, why)
}

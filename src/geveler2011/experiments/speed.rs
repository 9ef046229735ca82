//! Tables 2 to 4, §4.3 to §4.5: rates of the product, times of a solve, and what the numbering does to
//! both.
//!
//! Absolute times of 2011 mean nothing today: orders and ratios are compared, within one run. A ratio
//! agrees with the paper's within a factor of two, as everywhere here.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::stream::Machine;
use crate::timing::rig::agrees;

use super::super::elements::Numbering;
use super::super::products::Arithmetic;
use super::orderings::{ORDERING, STO_CYCLES, ordering, sto_cycles};
use super::printed::{TABLE_2, TABLE_3, TABLE_4};
use super::race::{DEVICE, PROCESSORS, Race};
use super::speed_tables::{picture_2, picture_3, picture_4};
use super::timed::Timed;

const PRODUCTS: Claim = Claim {
    id: "geveler2011/table2",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.3, Table 2",
    statement: "Rates of the product in five numberings on one core, four cores and the GPU: on the \
                largest level XYZ is the fastest everywhere, and STO the slowest.",
    paper: "Q1 level 10 on the GPU: XYZ 11.2, HIE 10.6, 2LV 7.9, CM 7.3, STO 1.8 GFlop/s",
};
const SOLVES: Claim = Claim {
    id: "geveler2011/table3",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.4, Table 3",
    statement: "The speed-ups of the product carry over to the solver.",
    paper: "on the largest level the solver's are 0.72 to 1.05 of the product's",
};
const BLOOD: Claim = Claim {
    id: "geveler2011/table4",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.4, Table 4",
    statement: "How many times as fast four cores solve BLOOD as one, and the GPU as four cores.",
    paper: "four cores 2.05 to 3.05, GPU 6.2 to 9.7 times",
};
/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "geveler2011/speed",
    section: "§4.3 to §4.5, Tables 2 to 4",
    title: "Products and solves, by numbering and processor",
    claims: &[PRODUCTS, SOLVES, BLOOD, ORDERING, STO_CYCLES],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let timed = Timed::run(machine, options)?;
    Ok(vec![
        table_2(&timed)?,
        table_3(&timed)?,
        table_4(&timed)?,
        ordering(&timed),
        sto_cycles(&timed),
    ])
}

fn table_2(timed: &Timed) -> Result<Finding, BoxedError> {
    let mut failures = Vec::new();
    let mut rates = Vec::new();
    for race in timed.largest() {
        for (processor, on) in PROCESSORS.iter().enumerate() {
            let others = |but, fails: &dyn Fn(Numbering) -> bool| {
                let others = Numbering::ALL.into_iter().filter(|&n| n != but && fails(n));
                others.map(Numbering::name).collect::<Vec<_>>().join(", ")
            };
            let not_slower = others(Numbering::Stochastic, &|other| {
                !race.is_slower(Numbering::Stochastic, other, processor)
            });
            let faster = others(Numbering::Xyz, &|other| {
                race.is_slower(Numbering::Xyz, other, processor)
            });
            let broken = [
                ("STO is not slower than", not_slower),
                ("XYZ is slower than", faster),
            ];
            let broken = broken.iter().filter(|(_, names)| !names.is_empty());
            failures.extend(
                broken.map(|(what, names)| format!("{}, {on}: {what} {names}", race.name())),
            );
        }
        let mut order = Numbering::ALL.map(|n| (race.rate(n, DEVICE), n.name()));
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let order = order.map(|(rate, name)| format!("{name} {rate:.0}"));
        rates.push(format!("{}: {}", race.name(), order.join(", ")));
    }
    let compared = match failures.is_empty() {
        true => "so it is on all three processors.".to_owned(),
        false => format!(
            "it is otherwise ({}); why is not isolated.",
            failures.join("; ")
        ),
    };
    // Between the last and the first.
    let gap = |race: &Race, processor| {
        race.product(Numbering::Stochastic, processor) / race.product(Numbering::Xyz, processor)
    };
    let gaps = timed.circle.iter().flatten().map(|race| {
        let gaps = [0, 1, 2].map(|processor| format!("{:.2}", gap(race, processor)));
        format!("{} {}", race.name(), gaps.join(", "))
    });
    let gaps: Vec<String> = gaps.collect();
    let arithmetic = match timed.arithmetic {
        Arithmetic::Native => "its own",
        _ => "pairs of floats",
    };
    let gigabytes = timed.largest().map(|race| race.bytes as f64 / 1e9);
    let why = format!(
        "In double precision ({} on the stream processor). A numbering is faster if it is so in the median of rounds in which all take \
         turns, with 95 % confidence: {compared} Times of a product in STO by those in XYZ on one core, all \
         cores and the stream processor: {}. The vector takes {:.1} MB on Q1's largest level here, 17 MB \
         on the paper's, which is left out: the matrices of all numberings are in memory at a time, here \
         {:.1} GB of Q1 and {:.1} GB of Q2 on the stream processor, and a level more takes four times as \
         much. Errata: “up to 14 GFlop/s” are 11.2 in the table, “500 MFlop/s at most” are 871, and XYZ is \
         not best in all benchmarks: in six places of the table 2LV is faster.",
        arithmetic,
        gaps.join("; "),
        8e-6 * timed.largest()[0].unknowns as f64,
        gigabytes[0],
        gigabytes[1],
    );
    let text = format!("MFlop/s of the stream processor: {}", rates.join("; "));
    Ok(PRODUCTS.judge(failures.is_empty(), text, why).with_figure(
        "geveler2011/table2.png",
        "MFlop/s of the product: the paper's and these.",
        picture_2(&timed.circle)?,
    ))
}

/// How many times as fast as the processor before: all cores, the stream processor.
fn gains(seconds: impl Fn(usize) -> f64) -> [f64; 2] {
    [1, DEVICE].map(|processor| seconds(processor - 1) / seconds(processor))
}

/// The least and the largest.
fn range(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    let widen = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
    values.into_iter().fold(start, widen)
}

fn table_3(timed: &Timed) -> Result<Finding, BoxedError> {
    let mut holds = true;
    // Of all cores, and of the stream processor.
    let (mut shares, mut gained) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for (element, race) in timed.largest().into_iter().enumerate() {
        for numbering in Numbering::ALL {
            let [rate, seconds] =
                [TABLE_2, TABLE_3].map(|table| table[numbering as usize][element][3]);
            let paper = [1, 2].map(|p| (seconds[p - 1] / seconds[p]) / (rate[p] / rate[p - 1]));
            let products = gains(|processor| race.product(numbering, processor));
            let solves = gains(|processor| race.solve(numbering, processor));
            for k in [0, 1] {
                let share = solves[k] / products[k];
                holds &= agrees(share, paper[k]);
                shares[k].push(share);
                gained[k].push(solves[k]);
            }
        }
    }
    let [cores, device] = shares.map(range);
    let [core_gain, device_gain] = gained.map(range);
    let seconds = timed.largest().map(|race| {
        let of = |numbering: Numbering| race.solve(numbering, DEVICE);
        let seconds = Numbering::ALL.map(|n| format!("{} {:.2}", n.name(), of(n)));
        format!("{}: {} s", race.name(), seconds.join(", "))
    });
    let why = format!(
        "On the largest levels, {}. Solves gain {:.2} to {:.2} times on all cores, and the stream processor \
         is {:.2} to {:.2} times as fast as these. Compared is how much of the product's gain is left, \
         with the paper's share of the same numbering. A solve is {} cycles of Q1 and {} of Q2; a cycle's \
         time is a median.",
        seconds.join("; "),
        core_gain[0],
        core_gain[1],
        device_gain[0],
        device_gain[1],
        timed.largest()[0].counts[0],
        timed.largest()[1].counts[0],
    );
    let text = format!(
        "solver's to product's: all cores {:.2} to {:.2}, stream processor {:.2} to {:.2}",
        cores[0], cores[1], device[0], device[1]
    );
    Ok(SOLVES.judge(holds, text, why).with_figure(
        "geveler2011/table3.png",
        "Seconds of a solve of CIRCLE: the paper's and these.",
        picture_3(&timed.circle)?,
    ))
}

fn table_4(timed: &Timed) -> Result<Finding, BoxedError> {
    let mut holds = true;
    let (mut cores, mut device) = (Vec::new(), Vec::new());
    for (element, race) in timed.blood.iter().enumerate() {
        for numbering in Numbering::ALL {
            let paper = TABLE_4[numbering as usize][element];
            let ours = gains(|processor| race.solve(numbering, processor));
            let mut pairs = ours.iter().zip(paper);
            holds &= pairs.all(|(&ours, paper)| agrees(ours, paper));
            cores.push(ours[0]);
            device.push(ours[1]);
        }
    }
    let ([a, b], [c, d]) = (range(cores), range(device));
    let [q1, q2] = timed.blood.each_ref().map(Race::name);
    let why = format!(
        "{q1} and {q2} of the stand-in, with the paper's 64 sweeps before and after. {} {} cores took \
         turns with one. What else there is to the difference is not isolated.",
        timed.bandwidth(),
        rayon::current_num_threads(),
    );
    let text = format!("all cores {a:.2} to {b:.2}, stream processor {c:.2} to {d:.2} times");
    Ok(BLOOD.judge(holds, text, why).with_figure(
        "geveler2011/table4.png",
        "How many times as fast BLOOD is solved: the paper's and these.",
        picture_4(&timed.blood)?,
    ))
}

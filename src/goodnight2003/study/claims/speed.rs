//! Figures 2, 3, 6 and 7, and §7.1: cycles and convergence tests, timed alternately.

use crate::card::cost::clock::{READ_BACK, WAIT};
use crate::card::cost::{GEFORCE_FX_5800_ULTRA, bill, work as work_of};
use crate::card::count::{Count, count};
use crate::claim::race::Drawn;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Race, Races, Run, Table, times};
use crate::experiment::{Experiment, Record, Study, Takes};
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::study::cases::{
    COLOURS, FORMATS, OF_A_CYCLE, PROGRAMS, on_cpu, residual_and_cycle,
};
use crate::goodnight2003::{Error, Norm, Reference, Settings, Solver, Test};
use crate::picture::plot::{Axis, Chart};
use crate::program::formats::Registers;
use crate::stream::Machine;
use crate::timing::Work;
use crate::timing::cost::{all, ledger};
use crate::timing::laps::{Lap, ratio};
use crate::timing::rig::work;

/// Axis of the sizes.
pub(super) const NODES: &str = "nodes per side";

/// Works by name on n² nodes, next to the model of the paper's card, whose driver takes time for a change of the buffer.
pub(super) fn race<const N: usize>(
    run: &Run<'_>,
    n: u32,
    names: [&str; N],
    works: [Work<'static>; N],
) -> Result<Race<'static>, BoxedError> {
    let race = Race::new(names.into_iter().zip(works)).chained(if n <= 257 { 2 } else { 1 });
    race.on(run.machine, GEFORCE_FX_5800_ULTRA, |ledger| ledger.buffer_switches)
}

/// Works of experiments by name.
pub(super) fn race_of<const N: usize>(
    run: &Run<'_>,
    names: [&str; N],
    each: &[Experiment; N],
) -> Result<Race<'static>, BoxedError> {
    let works = all(each.each_ref().map(|one| one.work(run.place())))?;
    race(run, side(&each[0].typed()?)?, names, works)
}

/// Experiments on n² nodes.
pub(super) fn on<const N: usize>(
    n: u32,
    each: &[Experiment; N],
) -> Result<[Experiment; N], BoxedError> {
    all(each.each_ref().map(|one| {
        let mut one = one.clone();
        one.set("size", &n.to_string())?;
        Ok(one)
    }))
}

/// Nodes per side of the grid.
pub(super) fn side(settings: &heat::Settings) -> Result<u32, BoxedError> {
    let square = settings.size.filter(|size| size.columns == size.rows);
    square
        .map(|size| size.columns)
        .ok_or("--size: the claim is about square grids. Give one number".into())
}

/// Sides of the grids on which cycles are timed, up to that of the experiment.
pub(super) fn sides(experiment: &Experiment) -> Result<Vec<u32>, BoxedError> {
    let largest = side(&experiment.typed()?)?;
    let smaller = [33, 65, 129, 257, 513].into_iter().filter(|&n| n < largest);
    Ok(smaller.chain([largest]).collect())
}

/// A race on each grid, of which the largest is judged.
fn on_all<const N: usize>(
    each: &[Experiment; N],
    race: impl Fn([Experiment; N]) -> Result<Race<'static>, BoxedError>,
) -> Result<Races<'static>, BoxedError> {
    let sides = sides(&each[0])?;
    Races::new(&sides, sides.len() - 1, |n| race(on(n, each)?))
}

/// Plots a column of a table over the nodes per side.
pub(super) fn draw(
    run: &mut Run<'_>,
    [name, title]: [&str; 2],
    table: &Table,
) -> Result<(), BoxedError> {
    let quantity = table.columns[2].clone();
    let axes = [Axis::logarithmic(NODES), Axis::logarithmic(&*quantity)];
    let chart: Chart = table.chart(title, axes, &[&quantity]);
    run.chart(name, &format!("{title}: {quantity}."), &chart)
}

pub(super) fn fig2(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (by_fastpath, by_fast) = (ratio("slow", "fastpath"), ratio("slow", "fast"));
    let each = run.several::<3>(claim)?;
    let races = on_all(&each, |each| race_of(run, PROGRAMS[0], &each))?;
    let (n, race) = races.judged();
    let found = race.decide(run, |laps| {
        Found::new()
            .raced(laps, times(format!("as long slow as fastpath at {n}²")), by_fastpath)
            .raced(laps, times("as long slow as fast"), by_fast)
            .each("times")
            .at_least(times("as long fastpath as fast"), laps.ratio("fastpath", "fast"), 1.0)
    })?;
    let ratios: [Drawn<'_>; 2] =
        [("slow / fastpath", &by_fastpath, None), ("slow / fast", &by_fast, None)];
    let title = "Periodic sides supported everywhere, compared with at the sides, and nowhere";
    draw(run, ["fig2", title], &races.ratios(run, NODES, &ratios)?)?;
    Ok(found.because("The gain is smaller than that of the instructions. The cause is not known."))
}

pub(super) fn fig3(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let names = ["GPU", "CPU, one core", "CPU, all cores"];
    let each = run.several::<1>(claim)?;
    let races = on_all(&each, |[on]| {
        let settings: heat::Settings = on.typed()?;
        let [one, all] = on_cpu(&settings)?;
        race(run, side(&settings)?, names, [on.work(run.place())?, one, all])
    })?;
    let small = races.first().laps(run)?.ratio("CPU, one core", "GPU");
    let (n, race) = races.judged();
    // Compared with one core, as in the paper.
    let found = race.decide(run, |laps| {
        Found::new()
            .at_most(times("as long on a core of the CPU on the smallest grid"), small, 1.0)
            .ratio(
                times(format!("as long on a core of the CPU as on the GPU at {n}²")),
                laps.ratio("CPU, one core", "GPU"),
            )
            .shows(times("as long on all cores"), laps.ratio("CPU, all cores", "GPU"))
    })?;
    let title = "V-cycles of the flow problem on the GPU and on the CPU";
    draw(run, ["fig3", title], &races.curves(run, NODES)?)?;
    Ok(found.because(format!("The GPU is {}.", run.machine.description().renderer)))
}

pub(super) fn fig6(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let each = run.several::<2>(claim)?;
    let races = on_all(&each, |each| race_of(run, COLOURS[0], &each))?;
    let (n, race) = races.judged();
    let ratio = ratio("computed", "stored");
    let fetches = ratio(&race.counts(|ledger| ledger.total().fetches as f64));
    let instructions = ratio(&race.counts(|ledger| bill(ledger).instructions()));
    let found = race.decide(run, |laps| {
        Found::new()
            .raced(laps, times(format!("as long computed at {n}²")), ratio)
            .shows(times("as many fetches"), fetches)
            .shows(times("as many instructions"), instructions)
    })?;
    let title = "V-cycles with the colours of nodes looked up, or computed";
    draw(run, ["fig6", title], &races.curves(run, NODES)?)?;
    let found = found.because("The map costs a fetch, the computation instructions.");
    Ok(found.because(run.in_software("In software the fetches take the time.")))
}

/// Tests with the residual that each needs, the residual, and a cycle.
pub(super) fn of_tests(
    run: &Run<'_>,
    names: [&str; 5],
    each: &[Experiment; 3],
) -> Result<Race<'static>, BoxedError> {
    let settings: heat::Settings = each[0].typed()?;
    let [query, read, sum] = all(each.each_ref().map(|one| one.work(run.place())))?;
    let [residual, cycle] = residual_and_cycle(run.machine, &settings)?;
    race(run, side(&settings)?, names, [query, read, sum, residual, cycle])
}

pub(super) fn fig7(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let names = ["query", "read-back", "L2 by reduction", "the residual", "a cycle"];
    let each = run.several::<3>(claim)?;
    let races = on_all(&each, |each| of_tests(run, names, &each))?;
    let (n, race) = races.judged();
    let is_large = |(size, _): &(u32, &Race<'_>)| (LARGE..n).contains(size);
    let others = races.each().filter(is_large).map(|(_, race)| race.laps(run));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let found = race.decide(run, |laps| {
        // Less than a fiftieth of the residual's own time is within its noise.
        let net = |lap: &Lap, test: &str| {
            (lap[test] - lap["the residual"]).max(lap["the residual"] / 50.0)
        };
        let all = others.iter().chain([laps]);
        Found::new()
            .ratio(
                times("as long by read-back as by query, each with its residual, on large grids"),
                Interval::span(all.map(|laps| laps.ratio("read-back", "query"))),
            )
            .shows(times("as long including the residual"), laps.ratio("read-back", "query"))
            .shows(
                times(format!("as long by read-back as by query at {n}²")),
                laps.of(|lap| net(lap, "read-back") / net(lap, "query")),
            )
            .shows(
                times("as long including residual and cycle"),
                laps.of(|lap| {
                    (lap["a cycle"] + lap["read-back"]) / (lap["a cycle"] + lap["query"])
                }),
            )
    })?;
    let title = "Convergence tests, each with the residual that it needs";
    draw(run, ["fig7", title], &races.curves(run, NODES)?)?;
    let printed = f64::from(n * n) * READ_BACK.seconds / WAIT.seconds;
    Ok(found
        .shows(times("as long by read-back as by query in batty2003's driver"), printed)
        .because("Here the read-back is a copy in main memory; in 2003 it crossed a bus."))
}

pub(super) fn half(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let each = run.several::<2>(claim)?;
    let (n, race) = (side(&each[0].typed()?)?, race_of(run, FORMATS[0], &each)?);
    let ratio = ratio("32-bit floats", "16-bit floats");
    let fetches = ratio(&race.counts(|ledger| ledger.total().fetches as f64));
    let bytes = ratio(&race.counts(|ledger| bill(ledger).total().done.bytes() as f64));
    let in_software = run.in_software(
        "In software a fetch takes as long whatever its bytes, and a 16-bit float is widened after each fetch and narrowed \
         before it is written.",
    );
    race.decide(run, |laps| {
        Found::new()
            .raced(laps, times(format!("as long with 32-bit floats at {n}²")), ratio)
            .shows(times("as many fetches"), fetches)
            .shows(times("as many bytes"), bytes)
            .because(in_software)
    })
}

/// Fewest nodes per side of a large grid.
const LARGE: u32 = 513;

/// The smallest ratio of the residuals of both precisions that counts as useless: an order of magnitude.
const USELESS: f64 = 10.0;

/// Cycles, and what they leave in double precision.
pub static LEFT: Study = Study::measuring(
    "goodnight2003/left",
    "The residual that --maxiter cycles leave, in double precision",
    Takes::of(&HEAT, "paper", OF_A_CYCLE).and("maxiter"),
    &[
        ("first", "", "norm of the residual of the start"),
        ("left", "", "norm of the residual after the cycles, of the solution that is read back"),
        (
            "reduction",
            "",
            "logarithm of the reduction by the cycles after a first sweep, as the solver measures it",
        ),
    ],
    |experiment, place| {
        let one: heat::Settings = experiment.typed()?;
        // The problem's equations in double precision, whatever the precision of the cycles.
        let (exact, first) = exact(&one)?;
        let settings = Settings { norm: Norm::L2, test: Test::Reduction, ..one.method.settings() };
        let cycles = one.method.criteria.max_iterations;
        let solver =
            || Solver::new(place.machine, &one.problem()?, &settings).map_err(BoxedError::from);
        place.machine.take_ledger();
        let mut solved = solver()?;
        (0..cycles).try_for_each(|_| solved.cycle())?;
        let mut record = Record::new();
        record.ledger("", &place.machine.take_ledger());
        record.one("first", first);
        record.one("left", left(&exact, &solved)?);
        let mut swept = solver()?;
        swept.smooth(0, 1)?;
        let before = swept.residual()?.norm;
        (0..cycles).try_for_each(|_| swept.cycle())?;
        record.one("reduction", (swept.residual()?.norm / before).ln());
        Ok(record)
    },
);

pub(super) fn half_accuracy(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [full, half] = run.records(claim)?;
    let [wide, narrow] = all([&full, &half].map(|record| record.last("left")))?;
    let first = full.last("first")?;
    Ok(Found::new()
        .at_least(times("the residual with 16 bits after four cycles"), narrow / wide, USELESS)
        .headline("times the residual")
        .shows("residual with 16 bits", narrow)
        .shows("residual with 32 bits", wide)
        .shows("residual before the first cycle", first)
        .because("A solution in 16 bits has a rounding error that the second differences of a fine grid magnify. Four cycles \
                  reach this limit in both precisions, whose significands differ by 13 bits. The residual is computed in \
                  double precision from the solution that is read back."))
}

/// The problem in double precision, and the residual of the start.
fn exact(settings: &heat::Settings) -> Result<(Reference<f64>, f64), BoxedError> {
    let exact = Reference::<f64>::new(&settings.problem()?, &settings.method.settings())?;
    let first = exact.check(&exact.level(0).start()).norm;
    Ok((exact, first))
}

/// The residual of what a solver has computed, in the problem's equations and in double precision: its own precision cannot
/// judge itself.
fn left(exact: &Reference<f64>, solver: &Solver) -> Result<f64, Error> {
    let u: Vec<f64> = solver.solution()?.into_iter().map(f64::from).collect();
    Ok(exact.check(&u).norm)
}

/// Nodes per side of the grid on which the time in half precision is judged.
const SPEED: u32 = 1025;

/// Cycles with storage and registers in half precision, by the interpreter, next to single precision: the best residuals,
/// and the time of a cycle in the model, in which two such registers are one.
pub(super) fn half_registers(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [full, half] = run.each::<heat::Settings, 2>(claim)?;
    let (n, most) = (side(&full)?, half.method.criteria.max_iterations);
    let (exact, first) = exact(&full)?;
    let card = GEFORCE_FX_5800_ULTRA;
    let best = |registers, of: &heat::Settings| -> Result<f64, BoxedError> {
        let machine = Machine::interpreted(registers)?;
        let mut solver = Solver::new(&machine, &of.problem()?, &of.method.settings())?;
        let mut best = f64::INFINITY;
        for _ in 0..most {
            solver.cycle()?;
            best = best.min(left(&exact, &solver)? / first);
        }
        Ok(best)
    };
    // A cycle on the paper's grid, whose time does not depend on its values.
    let side = run.pick(n, SPEED);
    let in_model = |registers, of: &heat::Settings| -> Result<[f64; 2], BoxedError> {
        let of = of.on((side, side));
        let mut solver = Solver::new(run.machine, &of.problem()?, &of.method.settings())?;
        let work = ledger(run.machine, &mut work(move |_| solver.cycle()))?;
        let (mut seconds, mut bytes) = (0.0, 0);
        for (text, account) in &work.kernels {
            let mut count = Count::clone(&*count(&text.fragment)?);
            if registers == Registers::Nv30Half {
                count.registers = count.registers.div_ceil(2);
            }
            seconds += card.account_seconds(account, &count);
            let moved =
                |(run, times): (&_, &u64)| times * work_of(run, &account.streams, &count).bytes();
            bytes += account.runs.iter().map(moved).sum::<u64>();
        }
        Ok([seconds, bytes as f64])
    };
    let [wide_seconds, wide_bytes] = in_model(Registers::Single, &full)?;
    let [seconds, bytes] = in_model(Registers::Nv30Half, &half)?;
    let (wide, narrow) = (best(Registers::Single, &full)?, best(Registers::Nv30Half, &half)?);
    let stored = best(Registers::Single, &half)?;
    let name = "the best residual in half precision";
    let found = Found::new()
        .ratio(
            times(format!("as long in the model with 32 bits at {side}²")),
            wide_seconds / seconds,
        )
        .at_least(times(format!("{name}, after {most} cycles")), narrow / wide, USELESS);
    // The half of the sentence that fails is the headline.
    let found = if narrow / wide >= USELESS { found } else { found.headline("times the residual") };
    Ok(found
        .shows(times(format!("{name} with storage alone")), stored / wide)
        .shows("best residual relative to the first in half precision", narrow)
        .shows(times("the bytes with 32 bits"), wide_bytes / bytes)
        .because("The residual stops where the rounding errors of a solution in 16 bits are, magnified by second differences."))
}

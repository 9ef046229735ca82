//! §3.3, §4.3, §5: rates, the CPU, target switches, channels.

use std::rc::Rc;

use super::flow::start;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions, StencilStorage};
use crate::bolz2003::grid::layering::ChannelUse;
use crate::bolz2003::solves::{SMOOTH, smooth};
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::study::cases::{self, Timed, cycle, hierarchy};
use crate::bundled;
use crate::card::cost::clock::SWITCH;
use crate::card::cost::{Cycles, Demand, GEFORCE_FX_5800_ULTRA, bill};
use crate::card::count::count;
use crate::claim::printed::{Printed, number};
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Race, Run, times};
use crate::experiment::{Experiment, Study, Takes};
use crate::mesh::TriangleMesh;
use crate::mesh::generate::sheet;
use crate::picture::plot::{Axis, Bars, Group};
use crate::solver::Cycle;
use crate::stream::{Edges, Format, Ledger, Machine};
use crate::timing::cost::ledger;
use crate::timing::cpu::sum_of_ones;
use crate::timing::laps::{Lap, Laps, ratio};
use crate::timing::switch::without_switches;
use crate::timing::{Effort, Work, own_core, seconds_a_switch};

/// Nodes per side of the paper's grid.
pub(super) const SIDE: usize = 257;
/// Rates of §3.3 and §4.3 on the GeForce FX, per second.
const RATES: [(&str, f64); 6] = [
    ("product", 120.0),
    ("reduction 200²", 3400.0),
    ("CG iteration", 110.0),
    ("stencil 257²", 1370.0),
    ("interpolation", 4800.0),
    ("projection", 6000.0),
];
/// Rates of coherent kernels relative to the stencil product's.
pub const BY_STENCIL: [(&str, f64); 3] = [
    ("reductions", RATES[1].1 / RATES[3].1),
    ("interpolations", RATES[4].1 / RATES[3].1),
    ("projections", RATES[5].1 / RATES[3].1),
];
/// Rate of the sparse product relative to the stencil product's.
pub const PRODUCT: Printed = Printed::quotient("about 120", "over 1370");
/// Time of an iteration relative to that of its product and its two sums.
pub const ITERATION: Printed = {
    const fn times(iterations: f64, products: f64, sums: f64) -> f64 {
        1.0 / iterations / (1.0 / products + 2.0 / sums)
    }
    let [fewest, iterations, most] = number("about 110");
    let ([least, products, fast], [slow, sums, fastest]) = (number("about 120"), number("3400"));
    let ends = [times(most, least, slow), times(fewest, fast, fastest)];
    Printed::Rounded(times(iterations, products, sums), ends)
};
/// Time on the CPU of 2003, which does 75 products and 750 stencils per second, relative to the GPU's.
pub const CPU: [(&str, f64); 2] = [("product", RATES[0].1 / 75.0), ("stencil", RATES[3].1 / 750.0)];
/// The paper's bound for the seconds of a step of either application.
pub const STEP: f64 = 1.0 / 20.0;
/// Cost of an iteration with 20 target switches, as here, relative to one without: 200 switches and 110 iterations per
/// second.
pub const SWITCHES: f64 = 1.0 + 20.0 * 110.0 / 200.0;
/// Seconds per target switch, measured once.
pub fn a_switch(run: &mut Run<'_>) -> Result<f64, BoxedError> {
    seconds_a_switch(run.machine, Effort::of(run.quick))
}

/// Repeats the work, each time with another target.
pub fn repeated(mut work: Work<'_>, times: usize) -> Work<'_> {
    Box::new(move |run| (0..times).try_for_each(|n| work(run * times + n)))
}

/// A race whose target switches are subtracted, per unit of each work, next to the model of the paper's card without
/// switches.
pub struct Net<'w> {
    race: Race<'w>,
    /// Target switches per unit.
    pub switches: Lap,
    /// Seconds per target switch.
    switch: f64,
}

impl<'w> Net<'w> {
    /// Works by name, repeated so often in a run: the units of the run.
    pub fn new<const N: usize>(
        run: &mut Run<'_>,
        works: [(&str, usize, Work<'w>); N],
    ) -> Result<Self, BoxedError> {
        let switch = *run.once(a_switch)?;
        let units = works.each_ref().map(|work| (work.0, work.1 as f64));
        let race = Race::new(works.map(|(name, times, work)| (name, repeated(work, times))));
        let race = units.into_iter().fold(race, |race, (name, units)| race.per(name, units));
        let race = race.on(run.machine, GEFORCE_FX_5800_ULTRA, |_| 0)?;
        let switches = race.counts(|ledger| ledger.target_switches as f64);
        Ok(Self { race, switches, switch })
    }

    /// Judges what was found by the seconds with switches, and without.
    pub fn decide(
        &self,
        run: &Run<'_>,
        found: impl Fn(&Laps, &Laps) -> Found,
    ) -> Result<Found, BoxedError> {
        self.race.decide(run, |gross| found(gross, &self.without(gross)))
    }

    /// Seconds without switches, and with them.
    pub fn laps(&self, run: &Run<'_>) -> Result<[Laps; 2], BoxedError> {
        let gross = self.race.laps(run)?;
        Ok([self.without(&gross), gross])
    }

    fn without(&self, gross: &Laps) -> Laps {
        gross.without_switches(&self.switches, self.switch)
    }

    /// A count of each work, per unit.
    pub fn counts(&self, count: impl Fn(&Ledger) -> f64) -> Lap {
        self.race.counts(count)
    }
}

/// The paper's hierarchy on n² nodes.
pub fn of_the_paper(run: &Run<'_>, n: usize) -> Result<Rc<GridHierarchy>, BoxedError> {
    let options = HierarchyOptions::default();
    hierarchy(run.machine, n, StencilStorage::Streams, options).map(Rc::new)
}

/// Seconds of the six works of [`RATES`], and the product and the stencil on all cores of the CPU and on one.
pub(super) fn measured(run: &mut Run<'_>) -> Result<Net<'static>, BoxedError> {
    let (machine, scan, packing) = (run.machine, run.given.scan()?, PackingOptions::default());
    let format = Format::Rgba32F;
    let grid = of_the_paper(run, SIDE)?;
    let of_grid = |kernel: Timed| Ok::<_, BoxedError>(kernel.case(machine, &grid)?.kernel);
    let own_scan = scan.clone();
    let product_on_one = own_core(move |runs| {
        let work = cases::product_on_cpu(&own_scan, format)?;
        runs.each(work)
    });
    let stencil_on_one = own_core(|runs| {
        let work = cases::stencil_on_cpu(SIDE)?;
        runs.each(work)
    });
    let works = [
        ("product", 8, cases::product(machine, &scan, &packing, format)?.kernel),
        ("reduction 200²", 32, cases::reduction(machine, (200, 200), Edges::Bounded)?.kernel),
        iterations(run, &scan)?,
        ("stencil 257²", 16, of_grid(Timed::Product)?),
        ("interpolation", 32, of_grid(Timed::Interpolation)?),
        ("projection", 32, of_grid(Timed::Projection)?),
        ("product on all cores", 8, cases::product_on_cpu(&scan, format)?),
        ("stencil on all cores", 8, cases::stencil_on_cpu(SIDE)?),
        ("product on one core", 8, product_on_one),
        ("stencil on one core", 8, stencil_on_one),
    ];
    Net::new(run, works)
}

/// Iterations of conjugate gradients for the flow of a mesh: all of a solve are one run.
fn iterations(
    run: &Run<'_>,
    mesh: &TriangleMesh,
) -> Result<(&'static str, usize, Work<'static>), BoxedError> {
    let count = run.pick(20, 100);
    let mut solve = cases::solve(run.machine, mesh, count)?;
    let work = Box::new(move |run| if run % count == 0 { solve(run / count) } else { Ok(()) });
    Ok(("CG iteration", count, work))
}

/// A step of geometric flow.
pub static FLOW_STEP: Study = Study::timing(
    "bolz2003/flow-step",
    "A step of geometric flow of a mesh",
    Takes::of(&SMOOTH, "step", "input lambda_dt noise seed method maxiter rect"),
    |experiment, place| {
        let settings: smooth::Settings = experiment.typed()?;
        cases::step(place.machine, &start(&settings)?, &settings)
    },
);

/// A step of geometric flow, and an iteration.
pub(super) fn smoothing(run: &mut Run<'_>, of: &Experiment) -> Result<Net<'static>, BoxedError> {
    let settings: smooth::Settings = of.typed()?;
    let mesh = start(&settings)?;
    let step = ("step", 1, of.work(run.place())?);
    let works = [step, iterations(run, &mesh)?];
    Net::new(run, works)
}

pub(super) fn rates(run: &mut Run<'_>, _: &Claim) -> Checked {
    let rates = run.once(measured)?;
    let found = rates.decide(run, |_, net| {
        let [reductions, interpolations, projections] =
            BY_STENCIL.map(|(name, _)| format!("{name} per stencil product"));
        let found = Found::new()
            .raced(net, reductions, ratio("stencil 257²", "reduction 200²"))
            .raced(net, interpolations, ratio("stencil 257²", "interpolation"))
            .raced(net, projections, ratio("stencil 257²", "projection"))
            .each("per stencil");
        RATES.iter().fold(found, |found, (name, _)| {
            found.shows(*name, (net.of(|seconds| 1.0 / seconds[name]), "per second"))
        })
    })?;
    let [net, _] = rates.laps(run)?;
    let group = |label, rate: &dyn Fn((&str, f64)) -> Option<Interval>| {
        Group::new(label, RATES.into_iter().map(rate))
    };
    let groups = [
        group("paper", &|(_, rate)| Some(rate.into())),
        group("GeForce FX, calibrated model", &|(name, _)| {
            net.in_model(|seconds| 1.0 / seconds[name]).map(Interval::from)
        }),
        group("here", &|(name, _)| Some(net.of(|seconds| 1.0 / seconds[name]))),
    ];
    let (title, axis) = ("Rates without target switches", Axis::logarithmic("per second"));
    let bars = Bars::new(title, axis, RATES.map(|(name, _)| name), groups);
    let caption = "Rates on the scanned mesh (34 834 vertices in use) and on a grid of 257² nodes. Where only noise is \
                   left without target switches, the interval includes the rate with them.";
    run.bars("rates", caption, &bars)?;
    let passes = rates.counts(|ledger| ledger.total().passes as f64)["reduction 200²"];
    Ok(found.because(format!(
        "A reduction is {passes} passes over few texels, which hardly take longer than their target switches."
    )))
}

pub(super) fn vector_operations(run: &mut Run<'_>, _: &Claim) -> Checked {
    // Milliseconds of an iteration without its product and its two sums, by the paper's rates.
    let [product, sum, iteration] = [0, 1, 2].map(|work| 1e3 / RATES[work].1);
    let others = iteration - product - 2.0 * sum;
    run.once(measured)?.decide(run, |_, net| {
        let name = "as long as a product and two sums";
        let three = |lap: &Lap| lap["product"] + 2.0 * lap["reduction 200²"];
        let others_here = net.of(|lap| 1e3 * (lap["CG iteration"] - three(lap)));
        Found::new()
            .raced(net, times(name), |lap| lap["CG iteration"] / three(lap))
            .shows("a product", (net.seconds("product").times(1e3), "ms"))
            .shows("the other vector operations", (others_here, "ms"))
            .because(format!(
                "Here a product is not slowed down by cache misses, so that the other vector operations can be seen. By the \
                 paper's rates a product takes {product:.1} ms and they take {others:.2} ms."
            ))
    })
}

pub(super) fn against_cpu(run: &mut Run<'_>, _: &Claim) -> Checked {
    let renderer = &run.machine.description().renderer;
    run.once(measured)?.decide(run, |gross, _| {
        let one = "as long on one core of the CPU";
        Found::new()
            .ratio(times(format!("{one}, product")), gross.ratio("product on one core", "product"))
            .ratio(times(format!("{one}, stencil")), gross.ratio("stencil on one core", "stencil 257²"))
            .each("times")
            .shows("on all cores, product", gross.ratio("product on all cores", "product"))
            .shows("on all cores, stencil", gross.ratio("stencil on all cores", "stencil 257²"))
            .because(format!(
                "Here the GPU is {renderer}. The CPU's programs are plain loops in single precision."
            ))
    })
}

pub(super) fn smoothing_step(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [step] = run.several(claim)?;
    run.once_of(&step, smoothing)?.decide(run, |gross, net| {
        Found::new()
            .at_most("time of a step", net.seconds("step"), STEP)
            .headline("s")
            .shows("with its target switches", (gross.seconds("step"), "s"))
            .shows(times("as long as an iteration"), net.ratio("step", "CG iteration"))
            .because("A step's seconds are those of the host.")
    })
}

pub(super) fn switches(run: &mut Run<'_>, _: &Claim) -> Checked {
    let rates = run.once(measured)?;
    rates.decide(run, |gross, _| {
        let switches = rates.switches["CG iteration"];
        let seconds = switches * rates.switch;
        let all = gross.of(|lap| {
            let all = lap["CG iteration"];
            all / without_switches(all, switches, rates.switch)
        });
        // The paper's iteration without switches, and the time that it prints for one.
        let printed = 1.0 + switches * SWITCH.seconds * RATES[2].1;
        Found::new()
            .ratio(times("as long with its target switches in the driver of 2003"), printed)
            .shows(times("as long here"), all)
            .shows("target switches per iteration", switches)
            .shows("target switches", (switches / seconds, "per second"))
            .because("A target switch costs a driver of today microseconds, not milliseconds.")
    })
}

/// Cycles per fragment of all passes of a work, and bytes fetched and written per fragment.
fn bound(machine: &Machine, work: &mut Work<'_>) -> Result<([Cycles; 2], f64), BoxedError> {
    let ledger = ledger(machine, work)?;
    let fragments = ledger.total().fragments as f64;
    let mut sums = [Cycles::default(); 2];
    for (text, account) in &ledger.kernels {
        let count = count(&text.fragment)?;
        for (run, &times) in &account.runs {
            let demand = Demand::of_run(run, &account.streams, &count);
            let share = (times * run.fragments) as f64 / fragments;
            let each = GEFORCE_FX_5800_ULTRA.range_of_cycles(&demand);
            for (sum, cycles) in sums.iter_mut().zip(each) {
                sum.instructions += share * cycles.instructions;
                sum.bytes += share * cycles.bytes;
                sum.random += share * cycles.random;
            }
        }
    }
    Ok((sums, bill(&ledger).total().done.bytes() as f64 / fragments))
}

pub(super) fn bandwidth(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, scan, packing) = (run.machine, bundled::scan()?, PackingOptions::default());
    let mut product = cases::product(machine, &scan, &packing, Format::Rgba32F)?;
    let mut stencil = Timed::Product.case(machine, &of_the_paper(run, SIDE)?)?;
    let bounds = [bound(machine, &mut product.kernel)?, bound(machine, &mut stencil.kernel)?];
    let [product_alone, stencil_alone] =
        [product.ceiling, stencil.ceiling].map(|ceiling| ceiling.ok_or("no ceiling"));
    let works = [
        ("product", product.kernel),
        ("the product's fetches", product_alone?.0),
        ("stencil", stencil.kernel),
        ("the stencil's fetches", stencil_alone?.0),
    ];
    let laps = Race::new(works).chained(8).laps(run)?;
    let alone = "as long as its fetches alone, timed here";
    let (mut found, mut both) = (Found::new(), Vec::new());
    for ((name, fetches), (cycles, bytes)) in
        [("product", "the product's fetches"), ("stencil", "the stencil's fetches")]
            .into_iter()
            .zip(bounds)
    {
        let of = |cycles: Cycles| (cycles.bytes + cycles.random) / cycles.instructions;
        let [most, least] = cycles.map(of);
        let times_as_long = Interval {
            median: (most * least).sqrt(),
            low: least,
            high: most,
            ..Interval::default()
        };
        both.push(times_as_long);
        found = found
            .at_least(
                times(format!("as long as the instructions, the fetches of the {name}")),
                times_as_long,
                1.0,
            )
            .shows(format!("cycles of the bytes per fragment, {name}"), cycles[0].bytes)
            .shows(format!("cycles of random fetches per fragment, {name}"), cycles[0].random)
            .shows(format!("bytes per fragment, {name}"), bytes)
            .shows(times(format!("{alone}, {name}")), laps.ratio(name, fetches));
    }
    Ok(found.list("fetches by instructions, product and stencil", both, "times").because(
        "The interval is that of a register's cost. In the product the random fetches take the time: whether they wait for \
         bytes or for a reply, the model does not say.",
    ))
}

/// Vertices per side of the mesh on which the CPU's product is timed: its matrix exceeds the caches, as the scan's did in
/// 2003.
const SHEET: [u32; 2] = [150, 1000];

pub(super) fn bandwidth_on_cpu(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = run.pick(SHEET[0], SHEET[1]);
    let mesh = sheet(side, side);
    let bytes = cases::bytes_on_cpu(&mesh)?;
    let product = own_core(move |runs| {
        let work = cases::product_on_cpu(&mesh, Format::Rgba32F)?;
        runs.each(work)
    });
    let reading = own_core(move |runs| runs.each(sum_of_ones(bytes / 4)));
    let race = Race::new([("product", product), ("reading", reading)]);
    race.decide(run, |laps| {
        Found::value(
            times("as long as reading its bytes, on one core"),
            laps.ratio("product", "reading"),
        )
        .shows("bytes of the matrix and the vectors", (bytes as f64 / 1e6, "MB"))
        .shows("read", (laps.of(|lap| bytes as f64 / 1e9 / lap["reading"]), "GB/s"))
        .because(
            "A product gathers entries of the vector and adds them one after the other; a sum reads in order.",
        )
    })
}

pub(super) fn small_systems(run: &mut Run<'_>, _: &Claim) -> Checked {
    let [small, large] = [17, 33].map(|n| of_the_paper(run, n));
    let (small, large) = (small?, large?);
    let [[small_cycles, small], [large_cycles, large]] =
        [cases::small_solves(&small)?, cases::small_solves(&large)?];
    let works = [
        ("17²", small),
        ("V(4,2), 17²", small_cycles),
        ("33²", large),
        ("V(4,2), 33²", large_cycles),
    ];
    let race = Race::new(works).counted(run.machine)?;
    let passes = race.counts(|ledger| ledger.total().passes as f64)["33²"];
    let in_software = run.in_software(
        "Each wakes the threads of a software rasteriser: without them (LP_NUM_THREADS=0) a solve takes at most a quarter of \
         the time.",
    );
    race.decide(run, |laps| {
        Found::new()
            .at_most("time on 17²", laps.seconds("17²"), STEP)
            .at_most("time on 33²", laps.seconds("33²"), STEP)
            .headline("s")
            .shows("passes on 33²", passes)
            .shows("time of each", (laps.seconds("33²").times(1e6 / passes), "µs"))
            .shows(times("as long by V(4,2)-cycles, 17²"), laps.ratio("V(4,2), 17²", "17²"))
            .shows(times("as long by V(4,2)-cycles, 33²"), laps.ratio("V(4,2), 33²", "33²"))
            .because("A solve is many small passes.")
            .because(in_software)
            .because(
                "Each iteration reads two sums back, and a cycle one. All solve to a relative residual of 1e-4.",
            )
    })
}

pub(super) fn four_channels(run: &mut Run<'_>, _: &Claim) -> Checked {
    let n = match run.given.size() {
        None => run.pick(257, 1025),
        Some([columns, rows]) if columns == rows => columns,
        Some(_) => return Err("the grid is a square. Give --size one number".into()),
    };
    let [one, four] = [ChannelUse::Scalar, ChannelUse::Layered].map(|layout| {
        let options = HierarchyOptions { layout, ..HierarchyOptions::fused() };
        hierarchy(run.machine, n, StencilStorage::Streams, options)
    });
    let (one, four, shape) = (one?, four?, Cycle::v(4, 2));
    let works = [("one node per texel", cycle(&one, shape)?), ("four", cycle(&four, shape)?)];
    let race = Race::new(works).on(run.machine, GEFORCE_FX_5800_ULTRA, |_| 0)?;
    let found = race.decide(run, |laps| {
        let name = "as long for a V-cycle with one node per texel";
        Found::new().raced(laps, times(name), ratio("one node per texel", "four"))
    })?;
    let in_software = "A software rasteriser computes each channel separately, so it should gain only the overhead of a \
                       fragment and of a fetch.";
    Ok(found.because(run.in_software(in_software)))
}

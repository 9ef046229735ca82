//! §3.3, §4.3, §5: rates, the CPU, target switches, the order of vertices, channels, growth with the grid.

use std::rc::Rc;
use std::thread;

use crate::bolz2003::cases::{self, Timed, cycle, hierarchy};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions, StencilStorage};
use crate::bolz2003::grid::layering::ChannelUse;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::card::cost::bill;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Run, Samples, Table, bundled};
use crate::mesh::TriangleMesh;
use crate::picture::plot::{Axis, Bars, Group};
use crate::random::SplitMix64;
use crate::solver::Cycle;
use crate::stream::{Edges, Format, Ledger};
use crate::timing::cost::ledger;
use crate::timing::switch::{NOISE, without_switches};
use crate::timing::{Effort, TimingError, Work, one_core, seconds_a_switch};

use super::row;

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
/// The same of the sparse product.
pub const PRODUCT: f64 = RATES[0].1 / RATES[3].1;
/// Time of an iteration relative to that of its product and its two sums.
pub const ITERATION: f64 = 1.0 / RATES[2].1 / (1.0 / RATES[0].1 + 2.0 / RATES[1].1);
/// Time of the products relative to that of their fetches.
pub const FETCHES: [(&str, f64); 2] = [("product", 1.0), ("stencil", 1.0)];
/// Time on the CPU of 2003, which does 75 products and 750 stencils per second, relative to the GPU's.
pub const CPU: [(&str, f64); 2] = [("product", RATES[0].1 / 75.0), ("stencil", RATES[3].1 / 750.0)];
/// Iterations of a step of geometric flow, and the paper's bound for its seconds.
const ITERATIONS: usize = 5;
const STEP: f64 = 1.0 / 20.0;
/// Cost of an iteration with 20 target switches, as here, relative to one without: 200 switches and 110 iterations per
/// second.
pub const SWITCHES: f64 = 1.0 + 20.0 * 110.0 / 200.0;
/// Largest spread of fragments per unknown from size to size.
const PROPORTIONAL: f64 = 1.5;

/// Seconds per target switch, measured once.
pub fn a_switch(run: &mut Run<'_>) -> Result<f64, BoxedError> {
    Ok(seconds_a_switch(run.machine, Effort::of(run.quick))?)
}

/// Repeats the work, each time with another target.
pub fn repeated(mut work: Work<'_>, times: usize) -> Work<'_> {
    Box::new(move |run| (0..times).try_for_each(|n| work(run * times + n)))
}

/// Counts of works that are timed alternately.
pub struct Meter {
    /// Ledger of a run of each work, and its number of units, such as iterations.
    laps: Vec<(Ledger, f64)>,
    /// Seconds per target switch.
    switch: f64,
}

impl Meter {
    /// Seconds per unit of a work whose run takes this long, target switches subtracted.
    pub fn net(&self, work: usize, seconds: f64) -> f64 {
        let (ledger, units) = &self.laps[work];
        without_switches(seconds, ledger.target_switches as f64, self.switch) / units
    }

    /// Tests whether a work consists of target switches, as far as can be measured.
    fn is_noise(&self, samples: &Samples, work: usize) -> bool {
        let (seconds, units) = (samples.seconds(work), self.laps[work].1);
        self.net(work, seconds) * units <= NOISE * seconds
    }

    /// A value of the seconds per unit of works, target switches subtracted. Where the subtraction leaves only noise,
    /// a work can take up to its whole time, and the interval includes the value for that.
    fn of(&self, samples: &Samples, value: impl Fn(&dyn Fn(usize) -> f64) -> f64) -> Interval {
        let [net, whole] = [false, true].map(|whole| {
            samples.of(|round| {
                value(&|work| {
                    if whole && self.is_noise(samples, work) {
                        round[work] / self.laps[work].1
                    } else {
                        self.net(work, round[work])
                    }
                })
            })
        });
        Interval { low: net.low.min(whole.low), high: net.high.max(whole.high), ..net }
    }

    /// Ratio of the seconds per unit of two works, target switches subtracted.
    pub fn ratio(&self, samples: &Samples, work: usize, by: usize) -> Interval {
        self.of(samples, |net| net(work) / net(by))
    }

    /// Seconds per unit in the model of the GeForce FX.
    pub fn nv30(&self, work: usize) -> f64 {
        let (ledger, units) = &self.laps[work];
        bill(ledger).total().nv30_seconds / units
    }

    /// Target switches per unit.
    pub fn switches(&self, work: usize) -> f64 {
        let (ledger, units) = &self.laps[work];
        ledger.target_switches as f64 / units
    }
}

/// Times works with their units alternately until the verdict is decided.
pub fn alternately(
    run: &mut Run<'_>,
    works: Vec<(Work<'_>, usize)>,
    is_decided: impl Fn(&Meter, &Samples) -> bool,
) -> Result<(Meter, Samples), BoxedError> {
    let switch = *run.once(a_switch)?;
    let (mut works, units): (Vec<_>, Vec<_>) = works.into_iter().unzip();
    let laps = works.iter_mut().zip(units);
    let laps = laps.map(|(work, units)| Ok((ledger(run.machine, work)?, units as f64)));
    let laps = laps.collect::<Result<_, TimingError>>()?;
    let meter = Meter { laps, switch };
    let samples = run.rounds(1, &mut works, |samples| is_decided(&meter, samples))?;
    Ok((meter, samples))
}

/// The paper's hierarchy on n² nodes.
pub fn of_the_paper(run: &Run<'_>, n: usize) -> Result<Rc<GridHierarchy>, TimingError> {
    let options = HierarchyOptions::default();
    hierarchy(run.machine, n, StencilStorage::Streams, options).map(Rc::new)
}

/// The six works of [`RATES`], and a step of geometric flow; the product and the stencil on all cores of the CPU, and on
/// one.
fn measure_rates(run: &mut Run<'_>) -> Result<(Meter, Samples), BoxedError> {
    let (machine, scan, packing) = (run.machine, run.given.scan()?, PackingOptions::default());
    let (scan, format) = (&scan, Format::Rgba32F);
    let product = cases::product(machine, scan, &packing, format)?;
    let sum = cases::reduction(machine, (200, 200), Edges::Bounded)?;
    let iterations = run.pick(20, 100);
    let solve = cases::solve(machine, scan, iterations)?;
    let step = cases::step(machine, scan, ITERATIONS)?;
    let grid = of_the_paper(run, SIDE)?;
    let of_grid = |kernel: Timed| kernel.case(machine, &grid);
    fn several(work: Work<'_>, times: usize) -> (Work<'_>, usize) {
        (repeated(work, times), times)
    }
    thread::scope(|scope| {
        let product_on_one = one_core(scope, move |runs| {
            let work = cases::product_on_cpu(scan, format)?;
            runs.each(work)
        });
        let stencil_on_one = one_core(scope, |runs| {
            let work = cases::stencil_on_cpu(SIDE)?;
            runs.each(work)
        });
        let works = vec![
            several(product.kernel, 8),
            several(sum.kernel, 32),
            (solve, iterations),
            several(of_grid(Timed::Product)?.kernel, 16),
            several(of_grid(Timed::Interpolation)?.kernel, 32),
            several(of_grid(Timed::Projection)?.kernel, 32),
            several(cases::product_on_cpu(scan, format)?, 8),
            several(cases::stencil_on_cpu(SIDE)?, 8),
            several(product_on_one, 8),
            several(stencil_on_one, 8),
            (step, 1),
        ];
        alternately(run, works, |meter, samples| {
            row("rates").decides_each(&by_stencil(meter, samples))
                && row("product-rate").decides(meter.ratio(samples, 3, 0))
                && row("vector-operations").decides(iteration(meter, samples))
                && row("cpu").decides_each(&on_cpu(meter, samples, [8, 9]))
                && row("smoothing-step").decides(meter.ratio(samples, 10, 2))
                && row("switches").decides(with_switches(meter, samples))
        })
    })
}

/// Rates relative to the stencil product's, target switches subtracted.
fn by_stencil(meter: &Meter, samples: &Samples) -> [Interval; 3] {
    [1, 4, 5].map(|work| meter.ratio(samples, 3, work))
}

/// Seconds of an iteration relative to those of a product and two sums, target switches subtracted.
fn iteration(meter: &Meter, samples: &Samples) -> Interval {
    meter.of(samples, |net| net(2) / (net(0) + 2.0 * net(1)))
}

/// Seconds of the product and the stencil on the CPU relative to those on the GPU, everything included.
fn on_cpu(meter: &Meter, samples: &Samples, [product, stencil]: [usize; 2]) -> [Interval; 2] {
    let per_unit = |round: &[f64], work: usize| round[work] / meter.laps[work].1;
    [(product, 0), (stencil, 3)]
        .map(|(cpu, gpu)| samples.of(|round| per_unit(round, cpu) / per_unit(round, gpu)))
}

/// Cost of an iteration with its target switches relative to one without.
fn with_switches(meter: &Meter, samples: &Samples) -> Interval {
    samples.of(|round| round[2] / meter.laps[2].1 / meter.net(2, round[2]))
}

pub(super) fn rates(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (meter, samples) = &*run.once(measure_rates)?;
    let gross = |work: usize| samples.of(|round| meter.laps[work].1 / round[work]);
    let net = |work: usize| match meter.is_noise(samples, work) {
        true => gross(work),
        false => samples.of(|round| 1.0 / meter.net(work, round[work])),
    };
    let model = |work: usize| 1.0 / meter.nv30(work);
    let group = |label, rate: &dyn Fn(usize) -> Interval| {
        Group::new(label, (0..6).map(|work| Some(rate(work))))
    };
    let bars = Bars {
        title: "Rates".into(),
        axis: Axis::logarithmic("per second"),
        categories: RATES.map(|(name, _)| name.to_owned()).into(),
        groups: vec![
            group("paper", &|work| RATES[work].1.into()),
            group("NV30, model", &|work| model(work).into()),
            group("here, without target switches", &net),
            group("here, everything included", &gross),
        ],
    };
    let caption = "Rates on the scanned mesh (34 834 vertices in use) and on a grid of 257² nodes. Where only noise is \
                   left without target switches, they are included.";
    run.bars("rates", caption, &bars)?;
    let mut found = Found::new();
    for ((name, _), ratio) in BY_STENCIL.into_iter().zip(by_stencil(meter, samples)) {
        found = found.ratio(format!("{name} per stencil product"), ratio);
    }
    found = found.each("per stencil");
    for (work, (name, _)) in RATES.into_iter().enumerate() {
        let included =
            if meter.is_noise(samples, work) { ", target switches included" } else { "" };
        found = found.shows_in(format!("{name}{included}"), net(work), "per second");
    }
    Ok(found)
}

pub(super) fn product_rate(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (meter, samples) = &*run.once(measure_rates)?;
    Ok(Found::new()
        .ratio("products per stencil product", meter.ratio(samples, 3, 0))
        .headline("times")
        .because("Cache misses slowed the product down on the GeForce FX and hardly do here: access measures what the \
                  order of the vertices costs."))
}

pub(super) fn vector_operations(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (meter, samples) = &*run.once(measure_rates)?;
    Ok(Found::new()
        .ratio("times as long as a product and two sums", iteration(meter, samples))
        .because("Here a product is not slowed down by cache misses, so the other vector operations take a share of \
                  the time that can be seen."))
}

pub(super) fn against_cpu(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (meter, samples) = &*run.once(measure_rates)?;
    let [one, all] = [[8, 9], [6, 7]].map(|works| on_cpu(meter, samples, works));
    let mut found = Found::new();
    for ((name, _), ratio) in CPU.into_iter().zip(one) {
        let name = format!("times as long on one core of the CPU, {name}");
        found = found.ratio(name, ratio);
    }
    found = found.each("times");
    for ((name, _), ratio) in CPU.into_iter().zip(all) {
        found = found.shows(format!("on all cores, {name}"), ratio);
    }
    let renderer = &run.machine.context().description().renderer;
    Ok(found.because(format!(
        "Here the GPU is {renderer}. The CPU's programs are plain loops in single precision."
    )))
}

pub(super) fn smoothing_step(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (meter, samples) = &*run.once(measure_rates)?;
    let seconds = meter.net(10, samples.seconds(10));
    Ok(Found::new()
        .ratio("times as long as an iteration", meter.ratio(samples, 10, 2))
        .headline("iterations")
        .at_most("time of a step", seconds, STEP)
        .unit("s")
        .because("The rest of a step computes the matrix, the right-hand side, the first residual and the norms."))
}

pub(super) fn switches(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (meter, samples) = &*run.once(measure_rates)?;
    let ratio = with_switches(meter, samples);
    Ok(Found::new()
        .ratio("times as long with its target switches", ratio)
        .shows("target switches per iteration", meter.switches(2))
        .shows_in("target switches", 1.0 / meter.switch, "per second")
        .because("A target switch costs a driver of today microseconds, not milliseconds."))
}

pub(super) fn bandwidth(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (machine, scan, packing) = (run.machine, bundled::scan()?, PackingOptions::default());
    let product = cases::product(machine, &scan, &packing, Format::Rgba32F)?;
    let stencil = Timed::Product.case(machine, &of_the_paper(run, SIDE)?)?;
    let mut works = Vec::new();
    for case in [product, stencil] {
        works.extend([case.kernel, case.ceiling.ok_or("no ceiling")?.0]);
    }
    let ratios = |samples: &Samples| [samples.ratio(0, 1), samples.ratio(2, 3)];
    let samples = run.rounds(8, &mut works, |samples| claim.decides_each(&ratios(samples)))?;
    let mut found = Found::new();
    for ((name, _), ratio) in FETCHES.into_iter().zip(ratios(&samples)) {
        found = found.ratio(format!("times as long as its fetches alone, {name}"), ratio);
    }
    Ok(found.each("times its fetches").because("A program with as many fetches of neighbouring texels, and nothing else, takes the fetches' time."))
}

pub(super) fn small_systems(run: &mut Run<'_>, claim: &Claim) -> Checked {
    const SIZES: [usize; 3] = [17, 33, 65];
    let grids = SIZES.map(|n| of_the_paper(run, n));
    let grids = grids.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut works = Vec::new();
    for grid in &grids {
        works.extend(cases::small_solves(grid)?);
    }
    let ratio = |samples: &Samples, size: usize| samples.ratio(2 * size, 2 * size + 1);
    let samples = run.rounds(1, &mut works, |samples| {
        claim.decides_each(&[0, 1].map(|size| ratio(samples, size)))
    })?;
    let named = |size: usize| format!("times as long by V(4,2)-cycles, {}²", SIZES[size]);
    Ok(Found::new()
        .ratio(named(0), ratio(&samples, 0))
        .ratio(named(1), ratio(&samples, 1))
        .each("times by V(4,2)")
        .shows(named(2), ratio(&samples, 2))
        .because("Each iteration reads two sums back, and a cycle one. Both solve to a relative residual of 1e-4."))
}

pub(super) fn access(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (mesh, packing) = (bundled::scan()?, PackingOptions::default());
    let mut curve: Vec<usize> = (0..mesh.positions.len()).collect();
    let mut shuffled = curve.clone();
    let places = places_on_curve(&mesh);
    curve.sort_by_key(|&vertex| places[vertex]);
    SplitMix64::new(8).shuffle(&mut shuffled);
    let mut works = Vec::new();
    for order in [shuffled, curve] {
        let mesh = reordered(&mesh, &order);
        works.push(cases::product(run.machine, &mesh, &packing, Format::Rgba32F)?.kernel);
    }
    let samples = run.rounds(4, &mut works, |samples| claim.decides(samples.ratio(0, 1)))?;
    let ratio = samples.ratio(0, 1);
    Ok(Found::new()
        .ratio("times as long in shuffled order as along a curve", ratio)
        .because("The scan's vectors fit in the caches of today: they take 0.6 MB."))
}

/// The mesh with its vertices in this order.
pub(super) fn reordered(mesh: &TriangleMesh, order: &[usize]) -> TriangleMesh {
    let mut place = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        // Indices of meshes have 32 bits.
        place[old] = new as u32;
    }
    let renumbered = |triangle: &[u32; 3]| triangle.map(|vertex| place[vertex as usize]);
    TriangleMesh {
        positions: order.iter().map(|&old| mesh.positions[old]).collect(),
        triangles: mesh.triangles.iter().map(renumbered).collect(),
    }
}

/// Position of each vertex on the Morton curve, with ten bits per coordinate, interleaved.
pub(super) fn places_on_curve(mesh: &TriangleMesh) -> Vec<u32> {
    let coordinates = || mesh.positions.iter().flatten().copied();
    let low = coordinates().fold(f32::INFINITY, f32::min);
    let high = coordinates().fold(f32::NEG_INFINITY, f32::max);
    let scale = 1023.0 / (high - low);
    let place = |position: &[f32; 3]| {
        let bits = position.map(|x| ((x - low) * scale) as u32);
        let turn = |k: u32, axis: u32| ((bits[axis as usize] >> k) & 1) << (3 * k + axis);
        (0..30).fold(0, |place, bit| place | turn(bit / 3, bit % 3))
    };
    mesh.positions.iter().map(place).collect()
}

pub(super) fn four_channels(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let n = run.given.grid.unwrap_or(run.pick(257, 1025));
    let [one, four] = [ChannelUse::Scalar, ChannelUse::Layered].map(|layout| {
        let usual = HierarchyOptions::fused();
        let options = HierarchyOptions { layout, ..usual };
        hierarchy(run.machine, n, StencilStorage::Streams, options)
    });
    let (one, four, shape) = (one?, four?, Cycle::v(4, 2));
    let works = vec![(cycle(&one, shape)?, 1), (cycle(&four, shape)?, 1)];
    let is_decided = |_: &Meter, samples: &Samples| claim.decides(samples.ratio(0, 1));
    let (_, samples) = alternately(run, works, is_decided)?;
    Ok(Found::new()
        .ratio("times as long for a V-cycle with one node per texel", samples.ratio(0, 1))
        .because("A software rasteriser computes each channel separately, so it should gain only the overhead of a \
                  fragment and of a fetch."))
}

pub(super) fn order_n(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let sizes = run.pick(&[65, 129, 257, 513][..], &[65, 129, 257, 513, 1025]);
    let (storage, options) = (StencilStorage::Streams, HierarchyOptions::fused());
    let grids = sizes.iter().map(|&n| hierarchy(run.machine, n, storage, options));
    let grids: Vec<GridHierarchy> = grids.collect::<Result<_, _>>()?;
    let cycles = grids.iter().map(|gpu| Ok((cycle(gpu, Cycle::v(4, 2))?, 1)));
    let cycles = cycles.collect::<Result<_, BoxedError>>()?;
    let per_node = |place: usize, seconds: f64| seconds / (sizes[place] * sizes[place]) as f64;
    let base = sizes.iter().position(|&n| n == SIDE).ok_or("257² is missing")?;
    let growths = |samples: &Samples| -> Vec<Interval> {
        let growth = |place: usize| {
            samples.of(|round| per_node(place, round[place]) / per_node(base, round[base]))
        };
        (base + 1..sizes.len()).map(growth).collect()
    };
    let is_decided = |_: &Meter, samples: &Samples| claim.decides_each(&growths(samples));
    let (meter, samples) = alternately(run, cycles, is_decided)?;
    let columns = ["", "n", "here", "NV30, model", "fragments"];
    let mut table = Table::new("", columns);
    for (place, &n) in sizes.iter().enumerate() {
        let fragments = meter.laps[place].0.total().fragments as f64;
        let here = samples.of(|round| per_node(place, 1e9 * round[place]));
        let [model, fragments] =
            [1e9 * meter.nv30(place), fragments].map(|cost| per_node(place, cost).into());
        table.point("", n, [here, model, fragments]);
    }
    let axes = ["nodes per side", "time per unknown (ns)"].map(Axis::logarithmic);
    let caption = "Time of a V(4,2)-cycle per unknown: on small grids passes and target switches dominate; where the \
                   time is proportional to the nodes the curve is level.";
    let chart = table.chart("A V(4,2)-cycle per unknown", axes, &columns[2..4]);
    run.chart("order-n", caption, &chart)?;
    let [fewest, most] = table.range("fragments");
    let (name, spread) = ("spread of fragments per unknown", most / fewest);
    let mut found = Found::new().at_most(name, spread, PROPORTIONAL);
    for (n, growth) in sizes[base + 1..].iter().zip(growths(&samples)) {
        found = found.ratio(format!("time per unknown on {n}² relative to 257²"), growth);
    }
    let time = table.numbers("here")[base];
    Ok(found
        .each("times")
        .shows_in("time per unknown on 257²", time, "ns")
        .because("On smaller grids the fixed cost of passes dominates; on larger ones the streams of stencils take \
                  most of the time."))
}

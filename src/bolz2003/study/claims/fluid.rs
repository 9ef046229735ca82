//! Fig. 5 and §4.3: the fluid, and the time of a step.

use std::array::from_fn;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use image::RgbImage;

use crate::bolz2003::fluid::picture::{BRIGHTEST, RISING, SIGNED};
use crate::bolz2003::fluid::{Divergence, Domain, Fluid};
use crate::bolz2003::scenes::jet::{self, JET};
use crate::bolz2003::study::cases::Timed;
use crate::card::cost::GEFORCE_FX_5800_ULTRA;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Run, Table, times};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::picture::Canvas;
use crate::picture::colour::Stop;
use crate::picture::colour::oklab::table;
use crate::picture::colour::srgb::srgb;
use crate::picture::plot::{Axis, Bars, Group};
use crate::picture::sheet::{Align, INK, Sheet, SheetError};
use crate::scene::{Drawn, Scene};
use crate::stream::{Drawing, Ledger, Machine, Observer, Size, Source, Switches, source};
use crate::timing::cost::all;
use crate::timing::interval::{FEWEST, short};
use crate::timing::laps::{Lap, Laps, ratio};
use crate::timing::rig::{Work, work};

use super::grids::FACTOR;
use super::speed::{Net, of_the_paper, smoothing};

/// Steps between two measurements, and between two pictures.
const EVERY: usize = 10;
const FRAMES: usize = 4;
/// Views of the jet.
const SPEED: usize = 0;
const VORTICITY: usize = 1;
/// Vorticity below which nothing counts as a vortex, in units of the inlet's speed per grid space.
const THRESHOLD: f64 = 0.005;
/// Fewest sign changes on the axis, averaged over the second half of the run; a symmetric jet has none.
const SHED: f64 = 3.0;
/// Largest residual after two cycles, relative to the theoretical one.
const SLACK: f64 = 2.0;

/// Nodes per side in the stencil product that a step is compared with.
const PRODUCT_SIDE: usize = 257;
/// Products per run.
const PRODUCTS: usize = 8;
/// Largest share of the time, in percent, at which advection or interpolation counts as a small part.
const LITTLE: f64 = 25.0;
const JACOBI: Source = source!(bolz2003, "grid/stencil/jacobi");
const RESIDUAL: Source = source!(bolz2003, "grid/stencil/residual");
const COMPOSE: Source = source!(bolz2003, "grid/stencil/compose");
/// Copies of a border, which belong to the pass before them.
const COPY: Source = source!(bolz2003, "grid/copy_nodes");
/// Kinds of passes with their programs; the last kind also holds all others.
const KINDS: [(&str, &[Source]); 6] = [
    ("smoothing", &[JACOBI, source!(bolz2003, "grid/stencil/scale_by_diagonal")]),
    ("residual, projection", &[RESIDUAL, source!(bolz2003, "grid/transfer/project")]),
    ("interpolation", &[source!(bolz2003, "grid/transfer/interpolate")]),
    (
        "advection",
        &[
            source!(bolz2003, "fluid/advect"),
            source!(bolz2003, "fluid/outflow_strips"),
            source!(bolz2003, "fluid/outflow_correction"),
            source!(bolz2003, "fluid/add_force"),
        ],
    ),
    (
        "layering",
        &[
            source!(bolz2003, "fluid/layer_velocity"),
            source!(bolz2003, "fluid/unlayer_velocity"),
            source!(bolz2003, "grid/layer"),
            source!(bolz2003, "grid/unlayer"),
        ],
    ),
    ("divergence, gradient", &[]),
];
const INTERPOLATION: usize = 2;
const ADVECTION: usize = 3;
const LAYERING: usize = 4;

/// The jet of Fig. 5.
pub static VORTICES: Study = Study::measuring(
    "bolz2003/vortices",
    "The jet, its divergence and the sign changes of the vorticity on its axis, every ten steps",
    Takes::of(
        &JET,
        "fig5",
        "size dt viscosity cycles pre post cycle fused inlet particles zoom steps",
    ),
    &[
        ("step", "", "steps"),
        (
            "before",
            "",
            "root mean square of the divergence before the projection, by central differences",
        ),
        ("after", "", "the same after it"),
        ("residual", "", "the same of the velocities between nodes"),
        ("changes", "", "sign changes of the vorticity on the axis"),
    ],
    vortices,
);

fn vortices(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (settings, steps): (jet::Settings, _) = (experiment.typed()?, experiment.steps() as usize);
    let columns = settings.size.0 as usize;
    let inlet = settings.fluid().inlet.ok_or("the paper's run has an inlet: give --inlet")?;
    let mut scene = jet::Scene::new(place.machine, settings, Drawn::View(SPEED))?;
    let (width, (across, up)) = (scene.width(), scene.shape(SPEED));
    let canvas = Canvas::new(place.machine, width, width / across * up)?;
    // The jet's axis, from a quarter of the length onwards.
    let axis = inlet.first + inlet.rows / 2;
    let line = axis * columns + columns / 4..(axis + 1) * columns;
    let threshold = (THRESHOLD * inlet.speed) as f32;
    let (mut rows, mut frames) = (Vec::new(), Vec::new());
    for step in 1..=steps {
        scene.step(step % EVERY == 0)?;
        if let Some(Divergence { before, after, residual }) = scene.divergence() {
            let vorticity = scene.vorticity()?;
            let changes = sign_changes(&vorticity[line.clone()], threshold) as f64;
            rows.push([step as f64, before, after, residual, changes]);
        }
        if step % (steps / FRAMES).max(1) == 0 {
            scene.draw(SPEED, &canvas)?;
            frames.push((format!("speed and particles, step {step}"), canvas.image()?));
        }
    }
    scene.draw_alone(VORTICITY, &canvas)?;
    frames.push((format!("vorticity, step {steps}"), canvas.image()?));
    let speed = inlet.speed;
    let scales = [
        (&RISING[..], [0.0, BRIGHTEST[0] * speed], "speed (grid spaces per unit of time)"),
        (
            &SIGNED[..],
            [-BRIGHTEST[1] * speed, BRIGHTEST[1] * speed],
            "vorticity (per unit of time)",
        ),
    ];
    let caption = "Speed and particles after each quarter of the steps, and the vorticity at the end: blue is \
                   clockwise, amber counter-clockwise.";
    let mut record = Record::new();
    for (place, name) in SERIES.into_iter().enumerate() {
        record.each(name, rows.iter().map(|row| row[place]));
    }
    record.picture("fig5", caption, film(&frames, scales)?);
    Ok(record)
}

/// Names of the jet's series.
const SERIES: [&str; 5] = ["step", "before", "after", "residual", "changes"];

pub(super) fn jet(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [record] = run.records(claim)?;
    let [steps, before, after, residual, changes] = all(SERIES.map(|name| record.all(name)))?;
    let names = ["", "step", "before", "after", "between nodes"];
    let mut table = Table::new("", names);
    for (place, &step) in steps.iter().enumerate() {
        table.point("", step as usize, [before, after, residual].map(|values| values[place]));
    }
    run.pictures(&record);
    let title = "Two V(4,2) cycles per step keep the divergence small";
    let axes = [Axis::linear("step"), Axis::logarithmic("divergence (root mean square, per step)")];
    let caption = "Root mean square of the divergence: central differences before and after each projection, and the \
                   velocities between nodes after it.";
    run.chart("fig5-divergence", caption, &table.chart(title, axes, &names[2..5]))?;
    // The second half of the run.
    let [before, after, residual, changes] =
        [before, after, residual, changes].map(|values| &values[values.len() / 2..]);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let left = |values: &[f64]| {
        let shares = values.iter().zip(before).map(|(left, before)| left / before);
        mean(&shares.collect::<Vec<_>>())
    };
    Ok(Found::new()
        .at_least("sign changes of the vorticity on the axis, mean", mean(changes), SHED)
        .headline("changes of sign")
        .at_most("divergence left by two cycles, relative", left(residual), SLACK * FACTOR * FACTOR)
        .shows("by central differences", left(after))
        .because("The paper does not say what breaks the symmetry: here the opening is one row off the middle."))
}

/// Colours, the ends of their range, and the quantity.
type Scale<'a> = (&'a [Stop], [f64; 2], &'a str);

/// Frames below each other, each below its name, and scales of their colours, as PNG.
fn film(frames: &[(String, RgbImage)], scales: [Scale<'_>; 2]) -> Result<Vec<u8>, SheetError> {
    const HEAD: u32 = 40;
    let (width, height) = frames.first().map_or((1, 1), |(_, frame)| frame.dimensions());
    let each = HEAD + height;
    let mut sheet = Sheet::new(width, frames.len() as u32 * each + 2 * HEAD);
    for (place, (name, frame)) in (0..).zip(frames) {
        let top = place * each;
        sheet.text(name, [12.0, f64::from(top + HEAD / 2)], Align::Left, 24.0, INK)?;
        sheet.paste(frame, [0, top + HEAD]);
    }
    let (top, half) = (f64::from(frames.len() as u32 * each), f64::from(width) / 2.0);
    for (place, (stops, [low, high], name)) in (0..).zip(scales) {
        let colours = table(stops, 256);
        let (left, right) = (half * f64::from(place) + 24.0, half * f64::from(place + 1) - 24.0);
        sheet.shade([left, top + 12.0], [right, top + 34.0], |x, _| {
            colours[(255.0 * x) as usize].map(srgb)
        });
        for (at, align, text) in [
            (left, Align::Left, short(low)),
            ((left + right) / 2.0, Align::Centre, name.to_owned()),
            (right, Align::Right, short(high)),
        ] {
            sheet.text(&text, [at, top + 56.0], align, 22.0, INK)?;
        }
    }
    sheet.png()
}

/// Counts neighbouring values of opposite sign, leaving out values smaller than `threshold`. Along a line, the number
/// of alternating vortices is one more.
fn sign_changes(values: &[f32], threshold: f32) -> usize {
    let strong = values.iter().filter(|value| value.abs() > threshold);
    let signs: Vec<bool> = strong.map(|&value| value > 0.0).collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// A step of the fluid from rest.
pub static STEP: Study = Study::timing(
    "bolz2003/step",
    "A step of the fluid",
    Takes::of(&JET, "step", "size viscosity cycles pre post cycle fused inlet"),
    a_step,
);

fn a_step(experiment: &Experiment, place: Place<'_>) -> Result<Work<'static>, BoxedError> {
    let settings: jet::Settings = experiment.typed()?;
    let mut fluid = Fluid::at_rest(&Domain::new(place.machine, settings.fluid())?)?;
    Ok(work(move |_| fluid.step()))
}

/// Shares of a step's time by kind of kernel, in percent: measured, and in the model.
type Shares = [[Interval; 2]; KINDS.len()];

/// Steps of the paper's variant and of fragstream's, and products on 257².
struct Steps {
    /// Nodes.
    size: Size,
    /// Without target switches, and with them.
    laps: [Laps; 2],
    /// Target switches of each.
    switches: Lap,
    /// Those of the paper's variant.
    shares: Shares,
    /// Products on 257² with as many fragments as the stencils of a step of the paper's variant.
    products: f64,
}

fn steps(run: &mut Run<'_>, of: &Experiment) -> Result<Steps, BoxedError> {
    let settings: jet::Settings = of.typed()?;
    let paper = Domain::new(run.machine, jet::Settings { fused: false, ..settings }.fluid())?;
    let shares = Clock::shares(&paper, run.pick(FEWEST, 9))?;
    let [one, other] = all(["false", "true"].map(|fused| {
        let mut step = of.clone();
        step.set("fused", fused)?;
        step.work(run.place())
    }))?;
    let grid = of_the_paper(run, PRODUCT_SIDE)?;
    let product = Timed::Product.case(run.machine, &grid)?.kernel;
    let works = [("the paper's", 1, one), ("fused", 1, other), ("product", PRODUCTS, product)];
    let net = Net::new(run, works)?;
    let stencils = |ledger: &Ledger| ledger.passes_of(&[JACOBI, RESIDUAL]).total().fragments as f64;
    let stencils = net.counts(stencils)["the paper's"];
    let product = net.counts(|ledger| ledger.total().fragments as f64)["product"];
    let laps = net.laps(run)?;
    let products = stencils / product;
    Ok(Steps { size: settings.size, laps, switches: net.switches, shares, products })
}

pub(super) fn step(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [jet] = run.several(claim)?;
    let Steps { size: (columns, rows), laps: [net, gross], switches, shares, products } =
        &*run.once_of(&jet, steps)?;
    let group = |label, way: usize| Group::new(label, shares.map(|shares| Some(shares[way])));
    let bars = Bars::new(
        format!("Time of a step by kind of kernel, {columns}×{rows} nodes"),
        Axis::linear("share of the time (%)"),
        KINDS.map(|(kind, _)| kind),
        [group("GeForce FX, calibrated model", 1), group("here", 0)],
    );
    let caption = format!(
        "Shares of a step on {columns}×{rows} nodes by kind of kernel: measured with a wait after each pass, and in the \
         calibrated model of the GeForce FX."
    );
    run.bars("timestep", &caption, &bars)?;
    Ok(Found::new()
        .ratio("products of 257² with as many fragments as its stencils", *products)
        .headline("products")
        .at_most("share of advection", (shares[ADVECTION][0], "%"), LITTLE)
        .at_most("share of interpolation", (shares[INTERPOLATION][0], "%"), LITTLE)
        .shows("a step without target switches", (net.seconds("the paper's"), "s"))
        .modelled(net.in_model(|lap| lap["the paper's"]))
        .shows("with them", (gross.seconds("the paper's"), "s"))
        .shows(times("as long as a product of 257²"), net.ratio("the paper's", "product"))
        .modelled(net.in_model(ratio("the paper's", "product")))
        .shows("target switches", switches["the paper's"]))
}

pub(super) fn fused_step(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [paper, _] = run.several(claim)?;
    let Steps { laps: [_, gross], switches, .. } = &*run.once_of(&paper, steps)?;
    Ok(Found::new()
        .raced(gross, times("as long in the paper's variant"), ratio("the paper's", "fused"))
        .shows("time of a step", (gross.seconds("fused"), "s"))
        .shows("target switches", switches["fused"]))
}

/// Largest share of a step or of a run, in percent, that poses no performance problem.
const NO_PROBLEM: f64 = 10.0;

/// Steps of a short run: five seconds at the paper's twentieth of a second per step.
const STEPS: f64 = 100.0;

pub(super) fn layering(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [jet] = run.several(claim)?;
    let Steps { shares, .. } = &*run.once_of(&jet, steps)?;
    let [here, model] = shares[LAYERING];
    Ok(Found::new()
        .at_most(
            "share of layering and unlayering in a step, in the model",
            (model, "%"),
            NO_PROBLEM,
        )
        .headline("%")
        .shows("the same, timed here", (here, "%")))
}

pub(super) fn composition(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (settings, _) = run.settings::<jet::Settings>(claim)?;
    let (machine, card) = (run.machine, GEFORCE_FX_5800_ULTRA);
    let seconds = |ledger: &Ledger| -> Result<f64, BoxedError> {
        Ok(card.seconds(ledger)? - card.switching_seconds(ledger))
    };
    machine.take_ledger();
    let domain = Domain::new(machine, jet::Settings { fused: false, ..settings }.fluid())?;
    let composing = machine.take_ledger().passes_of(&[COMPOSE]);
    let mut fluid = Fluid::at_rest(&domain)?;
    fluid.step()?;
    machine.take_ledger();
    fluid.step()?;
    let step = machine.take_ledger();
    let steps = seconds(&composing)? / seconds(&step)?;
    let share = 100.0 * steps / (steps + STEPS);
    let name = format!("share of all compositions in a run of {STEPS} steps, in the model");
    Ok(Found::new()
        .at_most(name, (share, "%"), NO_PROBLEM)
        .headline("%")
        .shows(times("as long as a step"), steps)
        .shows("passes that compose stencils", composing.total().passes as f64)
        .shows("passes of a step", step.total().passes as f64)
        .because("The paper gives no bound. A domain is composed once, before all of its steps."))
}

/// Longest step of an application that runs in real time.
const REAL_TIME: f64 = 0.1;

pub(super) fn real_time(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [jet, flow] = run.several(claim)?;
    let [smoothing, _] = run.once_of(&flow, smoothing)?.laps(run)?;
    let Steps { laps: [net, _], .. } = &*run.once_of(&jet, steps)?;
    Ok(Found::new()
        .at_most("a step of geometric flow", (smoothing.seconds("step"), "s"), REAL_TIME)
        .at_most("a step of the fluid", net.seconds("the paper's"), REAL_TIME)
        .headline("s")
        .modelled(net.in_model(|lap| lap["the paper's"]))
        .because("The step of the fluid follows the speed of the host, and takes about as long as the bound."))
}

/// Timer that waits for each pass.
struct Clock {
    machine: Machine,
    started: Cell<Instant>,
    last: Cell<usize>,
    /// Seconds by kind: measured, and in the model.
    seconds: RefCell<[[f64; 2]; KINDS.len()]>,
}

impl Clock {
    /// Shares of the passes of a step, over several steps.
    fn shares(domain: &Rc<Domain>, steps: usize) -> Result<Shares, BoxedError> {
        let mut fluid = Fluid::at_rest(domain)?;
        fluid.step()?;
        let machine = domain.machine().clone();
        machine.take_ledger();
        let clock = Rc::new(Self {
            machine,
            started: Cell::new(Instant::now()),
            last: Cell::new(KINDS.len() - 1),
            seconds: RefCell::default(),
        });
        let observer = Rc::clone(&clock) as Rc<dyn Observer>;
        let observation = domain.machine().observe(observer)?;
        let mut of_steps = Vec::new();
        for _ in 0..steps {
            fluid.step()?;
            of_steps.push(clock.seconds.take());
        }
        drop(observation);
        let share = |step: &[[f64; 2]], kind: usize, way: usize| {
            100.0 * step[kind][way] / step.iter().map(|kind| kind[way]).sum::<f64>()
        };
        let over =
            |kind, way| Interval::of(of_steps.iter().map(|step| share(step, kind, way)).collect());
        Ok(from_fn(|kind| [over(kind, 0), over(kind, 1).median.into()]))
    }
}

impl Observer for Clock {
    fn before(&self, _: Drawing<'_>) {
        self.machine.finish();
        self.started.set(Instant::now());
    }

    fn after(&self, pass: Drawing<'_>, _: Switches) {
        self.machine.finish();
        let seconds = self.started.get().elapsed().as_secs_f64();
        let is_of = |program: &Source| pass.kernel.text().is_of(program);
        if !is_of(&COPY) {
            let kind = KINDS.iter().position(|(_, programs)| programs.iter().any(is_of));
            self.last.set(kind.unwrap_or(KINDS.len() - 1));
        }
        let kind = &mut self.seconds.borrow_mut()[self.last.get()];
        kind[0] += seconds;
        let (card, ledger) = (GEFORCE_FX_5800_ULTRA, self.machine.take_ledger());
        let seconds = card.seconds(&ledger).unwrap_or(f64::NAN);
        kind[1] += seconds - card.switching_seconds(&ledger);
    }
}

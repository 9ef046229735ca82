//! Fig. 5 and §4.3: the fluid, and the time of a step.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use crate::base::error::BoxedError;
use crate::bolz2003::fluid::picture::{BRIGHTEST, RISING, SIGNED};
use crate::bolz2003::fluid::{Divergence, Domain, Fluid};
use crate::bolz2003::scenes::jet::{self, JET};
use crate::bolz2003::study::cases::Timed;
use crate::bolz2003::study::pictures::film;
use crate::card::cost::GEFORCE_FX_5800_ULTRA;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::picture::Canvas;
use crate::scene::{Drawn, Scene};
use crate::stream::{Drawing, Ledger, Machine, Observer, Source, Switches, source};
use crate::timing::cost::ledger;
use crate::timing::median;
use crate::timing::rig::{Work, work};

use super::works::{SIDE, of_the_paper};

/// Steps between two measurements, and between two pictures.
const EVERY: usize = 10;
const FRAMES: usize = 4;
/// Views of the jet.
const SPEED: usize = 0;
const VORTICITY: usize = 1;
/// Vorticity below which nothing counts as a vortex, in units of the inlet's speed per grid space.
const THRESHOLD: f64 = 0.005;
const JACOBI: Source = source!(bolz2003, "grid/stencil/jacobi");
const RESIDUAL: Source = source!(bolz2003, "grid/stencil/residual");
const COMPOSE: Source = source!(bolz2003, "grid/stencil/compose");
/// Copies of a border, which belong to the pass before them.
const COPY: Source = source!(bolz2003, "grid/copy_nodes");
/// Kinds of passes with their programs; the last kind, divergence and gradient, also holds all others.
const KINDS: [(&str, &[Source]); 6] = [
    ("smoothing", &[JACOBI, source!(bolz2003, "grid/stencil/scale_by_diagonal")]),
    ("projection", &[RESIDUAL, source!(bolz2003, "grid/transfer/project")]),
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
    ("others", &[]),
];

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
        ("settled.changes", "", "sign changes in the second half of the run"),
        (
            "settled.{after|residual}",
            "",
            "share of the divergence before the projection that is left after it, in the second half of the run",
        ),
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
    let settled = &rows[rows.len() / 2..];
    record.each("settled.after", settled.iter().map(|row| row[2] / row[1]));
    record.each("settled.residual", settled.iter().map(|row| row[3] / row[1]));
    record.each("settled.changes", settled.iter().map(|row| row[4]));
    record.picture("fig5", caption, film(&frames, scales)?);
    Ok(record)
}

/// Names of the jet's series.
const SERIES: [&str; 5] = ["step", "before", "after", "residual", "changes"];

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

/// The passes of a step.
pub static SHARES: Study = Study::measuring(
    "bolz2003/shares",
    "A step of the fluid by kind of kernel, waiting after each pass, and the composition of its stencils",
    Takes::of(&JET, "step", "size viscosity cycles pre post cycle inlet"),
    &[
        (
            "{here|model}.{smoothing|projection|interpolation|advection|layering|others}",
            "%",
            "share of each step's time, with the projection that of residuals; by the model without target switches",
        ),
        ("products", "", "products on 257² with as many fragments as the stencils of a step"),
        ("step.passes", "", "passes of a step"),
        ("composition.passes", "", "passes that compose the stencils of all levels"),
        (
            "composition.steps",
            "",
            "their time in the model, without target switches, relative to a step",
        ),
    ],
    shares,
);

/// Steps whose passes are timed.
const STEPS: usize = 9;

fn shares(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: jet::Settings = experiment.typed()?;
    let (machine, card) = (place.machine, GEFORCE_FX_5800_ULTRA);
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
    let stencils = step.passes_of(&[JACOBI, RESIDUAL]).total().fragments as f64;
    let mut product = Timed::Product.case(machine, &of_the_paper(machine, SIDE)?)?.kernel;
    let product = ledger(machine, &mut product)?.total().fragments as f64;
    let mut record = Record::new();
    record.one("products", stencils / product);
    record.one("step.passes", step.total().passes as f64);
    record.one("composition.passes", composing.total().passes as f64);
    record.one("composition.steps", seconds(&composing)? / seconds(&step)?);
    let of_steps = Clock::steps(&domain, STEPS)?;
    for (kind, (name, _)) in KINDS.into_iter().enumerate() {
        let [here, model] = [0, 1].map(|way| {
            let share = |step: &[[f64; 2]; KINDS.len()]| {
                100.0 * step[kind][way] / step.iter().map(|kind| kind[way]).sum::<f64>()
            };
            of_steps.iter().map(share).collect::<Vec<f64>>()
        });
        record.each(format!("here.{name}"), here);
        record.one(format!("model.{name}"), median(model));
    }
    Ok(record)
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
    /// Seconds of the passes of several steps.
    fn steps(
        domain: &Rc<Domain>,
        steps: usize,
    ) -> Result<Vec<[[f64; 2]; KINDS.len()]>, BoxedError> {
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
        Ok(of_steps)
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

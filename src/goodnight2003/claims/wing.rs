//! §5.3, colorplate 1: flow around a flapping wing.

use std::f64::consts::FRAC_PI_4;

use image::RgbImage;

use crate::claim::{BoxedError, Checked, Claim, Found, Run, worst};
use crate::goodnight2003::Metric;
use crate::goodnight2003::scenes;
use crate::goodnight2003::wing::{Body, Joukowski, Sample, Wing, WingSettings};
use crate::goodnight2003::wing::{Forces, frequency};
use crate::goodnight2003::wing::{View, WingPainter};
use crate::goodnight2003::wing::{deviation, kutta_circulation};
use crate::picture::Canvas;
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::scene::Settings as _;
use crate::stream::{Machine, Size};

/// Largest difference of the stream function, relative to its largest value at that distance.
const POTENTIAL_BOUND: f64 = 0.005;
/// Largest relative difference of the lift.
const LIFT_BOUND: f64 = 0.01;
/// Strouhal numbers of a cylinder at Re 100 measured and computed by others.
const STROUHAL: [f64; 2] = [0.155, 0.175];

/// Angles of the stream at which potential flows are compared.
const STREAMS: [f64; 2] = [0.0, FRAC_PI_4];

/// Largest [`deviation`] of the potential flows of these streams from `exact`, a function of (ξ, η) and the stream's
/// angle.
fn off_by(
    machine: &Machine,
    settings: WingSettings,
    exact: impl Fn(f64, f64, f64) -> [f64; 2],
) -> Result<f64, BoxedError> {
    let (size, range) = (settings.size, settings.range());
    let wing = Wing::new(machine, settings)?;
    let [straight, slanting] = STREAMS.map(|alpha| {
        let exact = |xi, eta| exact(xi, eta, alpha);
        deviation(wing.potential_flows(), size, range, alpha, exact)
    });
    Ok(worst([straight, slanting]))
}

pub(super) fn potential(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = run.pick(129, 257);
    let settings = WingSettings { size: (side, side), ..WingSettings::new(Body::Cylinder) };
    let off = off_by(run.machine, settings, |xi, eta, alpha| {
        [Body::Cylinder.free_stream(xi, eta, alpha), xi.sinh()]
    })?;
    Ok(Found::new()
        .at_most(
            "largest difference, relative to the largest value at its distance",
            off,
            POTENTIAL_BOUND,
        )
        .headline("share")
        .shows("nodes per side", f64::from(side)))
}

/// Radius of the grid in plain polar coordinates: small enough for the coarser spacing to be a sixteenth of
/// the cylinder's radius, as an order requires.
const POLAR_RADIUS: f64 = 2.0;

/// Factor of ξ: r = 1/2 + stretch ξ, up to the radius of the grid.
fn polar_stretch() -> f64 {
    (POLAR_RADIUS - 0.5) / (POLAR_RADIUS / 0.5).ln()
}

/// Radius and angle: h₁ is the same everywhere, h₂ = r.
fn plain_polar() -> Metric {
    let stretch = polar_stretch();
    let text = format!(
        "#define STRETCH ({stretch:?})
vec3 metric(vec2 p) {{ return vec3(STRETCH, 0.5 + STRETCH * p.x, 1.0); }}
vec2 place(vec2 p) {{ return (0.5 + STRETCH * p.x) * vec2(cos(p.y), sin(p.y)); }}
vec2 coordinates(vec2 z) {{ return z; }}
"
    );
    Metric::new("plain polar coordinates", text, move |xi, _| [stretch, 0.5 + stretch * xi, 1.0])
}

/// Largest value of the stream function at a radius, if the disturbance has zero normal derivative at the end of the
/// grid: r + A r + B / r, zero on the cylinder.
fn reached(r: f64) -> f64 {
    let far = POLAR_RADIUS * POLAR_RADIUS;
    let b = -0.25 / (1.0 + 0.25 / far);
    r + b * (r / far + 1.0 / r)
}

pub(super) fn polar(run: &mut Run<'_>, _: &Claim) -> Checked {
    let off_on = |columns: u32| {
        let settings = WingSettings {
            coordinates: Some(plain_polar()),
            size: (columns, 2 * columns - 1),
            radius: POLAR_RADIUS,
            ..WingSettings::new(Body::Cylinder)
        };
        off_by(run.machine, settings, |xi, eta, alpha| {
            let reached = reached(0.5 + polar_stretch() * xi);
            [reached * (eta - alpha).sin(), reached]
        })
    };
    let [coarse, fine] = run.pick([49, 97], [97, 193]).map(off_on);
    let (coarse, fine) = (coarse?, fine?);
    Ok(Found::value("order in the spacing", (coarse / fine).log2())
        .shows("largest difference, relative to the largest value at its distance", fine)
        .because("Conformal coordinates, such as the airfoil's, have the same stencil everywhere except at the sides."))
}

pub(super) fn lift(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = run.pick(65, 129);
    let cambered = Joukowski::new(0.08, 0.1, 0.05, 0.25);
    let mut off = Vec::new();
    for body in [Joukowski::default(), cambered].map(Body::Airfoil) {
        let settings = WingSettings { size: (side, side), ..WingSettings::new(body) };
        let wing = Wing::new(run.machine, settings)?;
        for alpha in [2.0, 4.0, 8.0].map(f64::to_radians) {
            let found = kutta_circulation(wing.potential_flows(), alpha);
            off.push((found / body.kutta_circulation(alpha) - 1.0).abs());
        }
    }
    Ok(Found::new()
        .at_most("largest relative difference of the lift", worst(off), LIFT_BOUND)
        .headline("share")
        .shows("nodes per side", f64::from(side))
        .because("A symmetric and a cambered airfoil with rounded trailing edges, at 2, 4 and 8 degrees."))
}

pub(super) fn street(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (size, radius, end) = run.pick(((49, 65), 20.0, 50.0), ((97, 97), 40.0, 75.0));
    let settings = scenes::wing::Settings::preset("street")?.settings;
    let settings = scenes::wing::Settings { size, radius, ..settings }.flow()?;
    let mut wing = Wing::new(run.machine, settings)?;
    while wing.time() < end {
        wing.step()?;
    }
    let from = 0.55 * end;
    let history = wing.history();
    let lift: Vec<_> = history.iter().map(|s| (s.time, s.forces.lift)).collect();
    let late: Vec<&Sample> = history.iter().filter(|s| s.time >= from).collect();
    let mean_drag = late.iter().map(|s| s.forces.drag).sum::<f64>() / late.len() as f64;
    let most = worst(late.iter().map(|s| s.forces.lift.abs()));
    draw_forces(run, "wing-street-lift", "A cylinder at Re 100", history)?;
    let view = View { right: 12.0, most: 4.0, ..View::default() };
    let caption = "The vortex street behind a cylinder at Re 100: vorticity, blue clockwise, amber counter-clockwise.";
    run.image("wing-street", caption, &picture(&wing, (960, 320), view)?)?;
    Ok(Found::new()
        .between("Strouhal number", frequency(&lift, from).unwrap_or(f64::NAN), STROUHAL)
        .headline("")
        .shows("mean drag", mean_drag)
        .shows("largest lift", most)
        .because("Others found a mean drag of 1.32 to 1.36 and a lift of 0.32 to 0.34."))
}

/// First time that is drawn: before, the initial vortex sheet causes an unbounded force.
const CALM: f64 = 0.3;

pub(super) fn flap(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (size, end) = run.pick(((33, 33), 2.0), ((97, 129), 5.0));
    let settings = scenes::wing::Settings::preset("plate1")?.settings;
    let settings = scenes::wing::Settings { size, ..settings }.flow()?;
    let mut wing = Wing::new(run.machine, settings)?;
    run.machine.take_ledger();
    while wing.time() < end {
        wing.step()?;
    }
    let uploads = run.machine.take_ledger().uploads;
    let caption = "Vorticity around an airfoil that heaves by half its chord and pitches by 20 degrees, at Re 400.";
    run.image("wing", caption, &picture(&wing, (1080, 480), View::default())?)?;
    draw_forces(run, "wing-lift", "A flapping airfoil at Re 400", wing.history())?;
    Ok(Found::new()
        .equal("uploads between the steps", uploads as f64, 0.0)
        .headline("uploads")
        .shows("steps", wing.steps() as f64))
}

fn picture(wing: &Wing, size: Size, view: View) -> Result<RgbImage, BoxedError> {
    let canvas = Canvas::new(wing.machine(), size.0, size.1)?;
    WingPainter::new(wing, view)?.draw(wing, &canvas)?;
    Ok(canvas.image()?)
}

/// Plots lift and drag over time.
fn draw_forces(
    run: &mut Run<'_>,
    name: &str,
    title: &str,
    history: &[Sample],
) -> Result<(), BoxedError> {
    let of = |label, value: fn(&Forces) -> f64| {
        let calm = history.iter().filter(|sample| sample.time > CALM);
        let points = calm.map(|sample| (sample.time, value(&sample.forces)));
        Series::new(label, Style::Line, points)
    };
    let chart = Chart {
        title: title.into(),
        x: Axis::linear("time (chords travelled by the stream)"),
        y: Axis::linear("force / (½ ρ U² chord)"),
        series: vec![of("lift", |f| f.lift), of("drag", |f| f.drag)],
        marks: Vec::new(),
    };
    run.chart(name, &format!("Lift and drag: {title}."), &chart)
}

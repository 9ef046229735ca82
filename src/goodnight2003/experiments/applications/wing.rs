//! §5.3, colorplate 1: flow round a flapping wing.

use std::f64::consts::PI;

use image::RgbImage;

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::wing::forces::frequency;
use crate::goodnight2003::wing::picture::{View, WingPainter};
use crate::goodnight2003::wing::potential::{deviation, kutta_circulation};
use crate::goodnight2003::wing::{
    Body, Joukowski, Motion, Oscillation, Push, Sample, Wing, WingSettings,
};
use crate::picture::Canvas;
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::stream::Machine;

const POTENTIAL: Claim = Claim {
    id: "goodnight2003/wing-potential",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§5.3",
    statement: "Not in the paper: the potential flow round a cylinder, solved for in periodic \
                coordinates with 257 nodes outwards, beside the analytic one.",
    paper: "(the analytic stream function, to 0.5 %)",
};
const LIFT: Claim = Claim {
    id: "goodnight2003/wing-lift",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§5.3",
    statement: "Not in the paper: the lift of Joukowski airfoils in potential flow with the Kutta \
                condition, beside the analytic one.",
    paper: "(4π a sin(α + β), to 1 %)",
};
const STREET: Claim = Claim {
    id: "goodnight2003/wing-street",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§5.3",
    statement: "Not in the paper: the frequency of the vortex street behind a cylinder at Re 100.",
    paper: "(Strouhal number 0.155 to 0.175)",
};
const WING: Claim = Claim {
    id: "goodnight2003/wing",
    class: Class::Picture,
    variant: Variant::Ours,
    judged_on: JudgedOn::Count,
    section: "§5.3, colorplate 1",
    statement: "Flow round an airfoil that heaves and pitches, by vorticity and stream function.",
    paper: "a picture",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/wing",
    section: "§5.3",
    title: "Flow round a flapping wing",
    claims: &[POTENTIAL, LIFT, STREET, WING],
    run,
};

/// The stream function may be off by so much of what it reaches at that distance.
const POTENTIAL_BOUND: f64 = 0.005;
/// The lift may be off by this share.
const LIFT_BOUND: f64 = 0.01;
/// The Strouhal numbers of a cylinder at Re 100, as others measured and computed them.
const STROUHAL: std::ops::RangeInclusive<f64> = 0.155..=0.175;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    Ok(vec![
        potential(machine)?,
        lift(machine)?,
        street(machine, options.quick)?,
        flap(machine, options.quick)?,
    ])
}

fn potential(machine: &Machine) -> Result<Finding, BoxedError> {
    let settings = WingSettings {
        size: (257, 257),
        ..WingSettings::new(Body::Cylinder)
    };
    let (size, range) = (settings.size, settings.range());
    let wing = Wing::new(machine, settings)?;
    let flows = wing.potential_flows();
    let off = [0.0, 0.25 * PI].map(|alpha| deviation(&Body::Cylinder, flows, size, range, alpha));
    let worst = off[0].max(off[1]);
    let text = format!("off by at most {:.3} %", 100.0 * worst);
    let why =
        "All 257² nodes of a grid that reaches 40 diameters, for a stream along the first row \
               and one at 45 degrees to it; each node's difference over the largest value at its \
               distance."
            .to_owned();
    Ok(POTENTIAL.judge(worst < POTENTIAL_BOUND, text, why))
}

fn lift(machine: &Machine) -> Result<Finding, BoxedError> {
    let cambered = Joukowski::new(0.08, 0.1, 0.05, 0.25);
    let mut worst = 0.0_f64;
    for airfoil in [Joukowski::default(), cambered] {
        let body = Body::Airfoil(airfoil);
        let settings = WingSettings {
            size: (129, 129),
            ..WingSettings::new(body)
        };
        let wing = Wing::new(machine, settings)?;
        for degrees in [2.0_f64, 4.0, 8.0] {
            let alpha = degrees.to_radians();
            let exact = body.kutta_circulation(alpha);
            worst =
                worst.max((kutta_circulation(wing.potential_flows(), alpha) / exact - 1.0).abs());
        }
    }
    let text = format!("off by at most {:.2} %", 100.0 * worst);
    let why = "A symmetric airfoil and a cambered one, both with a rounded trailing edge, at 2, 4 and \
               8 degrees; 129² nodes. Of the flow without circulation and that of a vortex alone as \
               much is taken as makes the trailing edge a stagnation point."
        .to_owned();
    Ok(LIFT.judge(worst < LIFT_BOUND, text, why))
}

fn street(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let (side, radius, end) = if quick {
        (65, 20.0, 75.0)
    } else {
        (97, 40.0, 150.0)
    };
    let settings = WingSettings {
        motion: Motion {
            push: Some(Push::default()),
            ..Motion::default()
        },
        size: (side, side),
        radius,
        courant: 0.45,
        ..WingSettings::new(Body::Cylinder)
    };
    let mut wing = Wing::new(machine, settings)?;
    while wing.time() < end {
        wing.step()?;
    }
    let from = 0.55 * end;
    let of = |value: fn(&Sample) -> f64| -> Vec<(f64, f64)> {
        wing.history().iter().map(|s| (s.time, value(s))).collect()
    };
    let (lift, drag) = (of(|s| s.forces.lift), of(|s| s.forces.drag));
    let late: Vec<&Sample> = wing.history().iter().filter(|s| s.time >= from).collect();
    let mean_drag = late.iter().map(|s| s.forces.drag).sum::<f64>() / late.len().max(1) as f64;
    let most = late.iter().map(|s| s.forces.lift.abs()).fold(0.0, f64::max);
    let strouhal = frequency(&lift, from);
    let text = match strouhal {
        Some(strouhal) => format!("{strouhal:.4}; drag {mean_drag:.3}, lift up to {most:.3}"),
        None => "no oscillation".to_owned(),
    };
    let why = format!(
        "{side}² nodes to a distance of {radius} diameters, {} steps until time {end}, the lift's \
         passages through its mean from time {from:.0} on. A push to the side at the beginning ends \
         the symmetry. Others find a mean drag of 1.32 to 1.36 and a lift of 0.32 to 0.34.",
        wing.steps()
    );
    let finding = STREET.judge(
        strouhal.is_some_and(|strouhal| STROUHAL.contains(&strouhal)),
        text,
        why,
    );
    let view = View {
        right: 12.0,
        most: 4.0,
        ..View::default()
    };
    let finding = finding.with_figure(
        "goodnight2003/wing-street-lift.png",
        "Lift and drag of a cylinder at Re 100.",
        draw_forces("A cylinder at Re 100", &lift, &drag)?,
    );
    Ok(finding.with_image(
        "goodnight2003/wing-street.png",
        "The vortex street behind a cylinder at Re 100: vorticity, blue clockwise, amber the other way.",
        &picture(&wing, (960, 320), view)?,
    )?)
}

fn flap(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let (side, end) = if quick { (49, 3.0) } else { (129, 6.5) };
    let frequency = 0.3;
    let settings = WingSettings {
        motion: Motion {
            heave: Oscillation {
                amplitude: 0.5,
                frequency,
                phase: 0.0,
            },
            // Nose up while the wing moves up: the stream meets it at a smaller angle.
            pitch: Oscillation {
                amplitude: 20.0_f64.to_radians(),
                frequency,
                phase: 0.5 * PI,
            },
            ..Motion::default()
        },
        reynolds: 400.0,
        size: (side, side),
        radius: 30.0,
        ..WingSettings::new(Body::Airfoil(Joukowski::default()))
    };
    let mut wing = Wing::new(machine, settings)?;
    machine.take_ledger();
    while wing.time() < end {
        wing.step()?;
    }
    let ledger = machine.take_ledger();
    let of = |value: fn(&Sample) -> f64| -> Vec<(f64, f64)> {
        let late = wing.history().iter().filter(|s| s.time > 0.3);
        late.map(|s| (s.time, value(s))).collect()
    };
    let text = format!(
        "{side}² nodes, {} steps, {} uploads meanwhile",
        wing.steps(),
        ledger.uploads
    );
    // No data goes to the machine between the steps.
    let finding = WING.judge(ledger.uploads == 0, text, "");
    let finding = finding.with_image(
        "goodnight2003/wing.png",
        "Vorticity round an airfoil that heaves by half its chord and pitches by 20 degrees, at Re 400.",
        &picture(&wing, (1080, 480), View::default())?,
    )?;
    let (lift, drag) = (of(|s| s.forces.lift), of(|s| s.forces.drag));
    Ok(finding.with_figure(
        "goodnight2003/wing-lift.png",
        "Lift and drag of the flapping airfoil.",
        draw_forces("A flapping airfoil at Re 400", &lift, &drag)?,
    ))
}

fn picture(wing: &Wing, size: (u32, u32), view: View) -> Result<RgbImage, BoxedError> {
    let canvas = Canvas::new(wing.machine(), size.0, size.1)?;
    WingPainter::new(wing, view)?.draw(wing, &canvas)?;
    Ok(canvas.image()?)
}

fn draw_forces(
    title: &str,
    lift: &[(f64, f64)],
    drag: &[(f64, f64)],
) -> Result<Vec<u8>, BoxedError> {
    // The vortex sheet of the first moment has a force without bound.
    let calm = |points: &[(f64, f64)]| {
        points
            .iter()
            .copied()
            .filter(|(time, _)| *time > 0.3)
            .collect::<Vec<_>>()
    };
    Ok(chart(&Chart {
        title: title.into(),
        x: Axis::linear("time (chords that the stream has passed)"),
        y: Axis::linear("force / (½ ρ U² chord)"),
        series: vec![
            Series::new("lift", Style::Line, calm(lift)),
            Series::new("drag", Style::Line, calm(drag)),
        ],
        marks: Vec::new(),
    })?)
}

//! Bodies in a flow, their motion, the force on them, and what settings are refused.

use std::f64::consts::TAU;

use fragstream::goodnight2003::wing::{Body, Joukowski, Motion, Oscillation, WingSettings};
use fragstream::goodnight2003::wing::{Frame, rotate};
use fragstream::goodnight2003::wing::{Surface, frequency};

fn bodies() -> [Body; 4] {
    [
        Body::Cylinder,
        Body::Airfoil(Joukowski::default()),
        Body::Airfoil(Joukowski::new(0.1, 0.12, 0.03, 0.5)),
        Body::Airfoil(Joukowski::new(0.0, 0.0, 0.3, 0.0)),
    ]
}

#[test]
fn the_stretch_is_the_length_of_a_small_step_either_way() {
    let step = 1e-6;
    for body in bodies() {
        for (xi, eta) in [(0.0, 0.0), (0.3, 1.0), (1.0, 3.0), (2.5, 5.0)] {
            let [x, y] = body.place(xi, eta);
            for [a, b] in [body.place(xi + step, eta), body.place(xi, eta + step)] {
                let length = (a - x).hypot(b - y) / step;
                let h = body.stretch(xi, eta);
                assert!((length / h - 1.0).abs() < 1e-4, "{body:?}: {length} {h}");
            }
        }
    }
}

#[test]
fn an_airfoil_has_chord_one_and_its_pivot_at_the_origin() {
    for (pivot, camber) in [(0.25, 0.0), (0.5, 0.1)] {
        let body = Body::Airfoil(Joukowski::new(0.08, camber, 0.1, pivot));
        let x = |k: u32| body.place(0.0, f64::from(k) * 1e-3)[0];
        let low = (0..6284).map(x).fold(f64::MAX, f64::min);
        let high = (0..6284).map(x).fold(f64::MIN, f64::max);
        assert!((low + pivot).abs() < 1e-5 && (high - 1.0 + pivot).abs() < 1e-5);
    }
}

/// An ellipse with half axes a and b.
fn ellipse(nodes: usize, a: f64, b: f64) -> Surface {
    let angles = (0..nodes).map(|j| TAU * j as f64 / nodes as f64);
    Surface {
        places: angles.map(|t| [a * t.cos(), b * t.sin()]).collect(),
        across: vec![1.0; nodes],
        step_xi: 0.1,
    }
}

#[test]
fn an_accelerated_body_without_vorticity_feels_the_weight_it_displaces() {
    // The fluid accelerates with the body, so the pressure falls along the acceleration.
    let surface = ellipse(400, 0.5, 0.2);
    let frame = Frame { acceleration: [0.3, -0.7], ..Frame::default() };
    let forces = surface.forces(&frame, 0.01, &[[0.0; 3]; 400]);
    let area = TAU / 2.0 * 0.5 * 0.2;
    assert!((forces.drag - 2.0 * 0.3 * area).abs() < 1e-3);
    assert!((forces.lift + 2.0 * 0.7 * area).abs() < 1e-3);
}

#[test]
fn friction_pulls_along_and_pressure_balances_a_linear_field() {
    // ω = c y round a circle: p rises by c/Re (n·e_y) ds, the same as friction's moment arm.
    let (nodes, c, viscosity) = (400, 3.0, 0.1);
    let surface = ellipse(nodes, 0.5, 0.5);
    let field: Vec<[f64; 3]> = (0..nodes)
        .map(|j| {
            let sine = (TAU * j as f64 / nodes as f64).sin();
            [0.5, 0.6, 0.7].map(|r| c * r * sine)
        })
        .collect();
    let forces = surface.forces(&Frame::default(), viscosity, &field);
    // Pressure: ∮ y (c/Re) sin θ ds = π c r²/Re; friction: (1/Re) ∮ c y t_x ds = −π c r²/Re.
    assert!(forces.drag.abs() < 1e-3 && forces.lift.abs() < 1e-9, "{forces:?}");
    let pressure_only: Vec<[f64; 3]> =
        field.iter().map(|z| [0.0, z[1] - z[0], z[2] - z[0]]).collect();
    let forces = surface.forces(&Frame::default(), viscosity, &pressure_only);
    let expected = 2.0 * TAU / 2.0 * c * 0.25 * viscosity;
    assert!((forces.drag / expected - 1.0).abs() < 1e-3, "{forces:?} {expected}");
}

#[test]
fn the_frequency_of_a_sine_is_found() {
    let history: Vec<(f64, f64)> = (0..4000)
        .map(|k| 0.01 * f64::from(k))
        .map(|t| (t, 0.2 + (TAU * 0.165 * t + 0.3).sin()))
        .collect();
    assert!((frequency(&history, 5.0).unwrap() - 0.165).abs() < 1e-4);
    assert_eq!(frequency(&history[..500], 0.0), None);
}

#[test]
fn rates_are_derivatives() {
    let motion = Motion {
        heave: "0.3,0.2".parse().unwrap(),
        lag: "0.1,0.4,30".parse().unwrap(),
        pitch: "0.5,0.2,90".parse().unwrap(),
        incidence: 0.1,
        push: None,
    };
    let (time, step) = (0.7, 1e-5);
    let [before, now, after] = [time - step, time, time + step].map(|t| motion.frame(t));
    let slope = |f: fn(&Frame) -> f64| (f(&after) - f(&before)) / (2.0 * step);
    assert!((slope(|f| f.angle) - now.turn).abs() < 1e-8);
    assert!((slope(|f| f.turn) - now.turn_rate).abs() < 1e-8);
    let velocity = [slope(|f| f.pivot[0]), slope(|f| f.pivot[1])];
    let stream = rotate([1.0 - velocity[0], -velocity[1]], -now.angle);
    assert!((stream[0] - now.stream[0]).abs() < 1e-8);
    assert!((stream[1] - now.stream[1]).abs() < 1e-8);
    // In a frame at rest the stream's change is minus the pivot's acceleration.
    let at_rest = |frame: &Frame| rotate(frame.stream, frame.angle);
    let acceleration = rotate(now.acceleration, now.angle);
    for (axis, acceleration) in acceleration.iter().enumerate() {
        let change = (at_rest(&after)[axis] - at_rest(&before)[axis]) / (2.0 * step);
        assert!((change + acceleration).abs() < 1e-6);
    }
}

#[test]
fn nose_up_meets_the_stream_from_below() {
    let motion = Motion { incidence: 0.2, ..Motion::default() };
    let [u, v] = motion.frame(0.0).stream;
    assert!((v / u - 0.2_f64.tan()).abs() < 1e-12 && v > 0.0);
}

#[test]
fn oscillations_are_two_or_three_numbers() {
    assert!("0.5,0.2".parse::<Oscillation>().is_ok());
    for bad in ["", "1", "1,2,3,4", "a,b", "1,-1", "NaN,1", "1,inf"] {
        assert!(bad.parse::<Oscillation>().is_err(), "{bad}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_named() {
    let good = WingSettings::new(Body::Cylinder);
    assert_eq!(good.check(), Ok(()));
    type Bad = (&'static str, fn(&mut WingSettings));
    let bad: [Bad; 8] = [
        ("Reynolds", |s| s.reynolds = 0.0),
        ("Reynolds", |s| s.reynolds = f64::NAN),
        ("outwards", |s| s.size.0 = 8),
        ("round", |s| s.size.1 = 128),
        ("radius", |s| s.radius = 1.0),
        ("Courant", |s| s.courant = 0.6),
        ("cycles", |s| s.cycles = 0),
        ("frequency", |s| s.motion.heave.frequency = -1.0),
    ];
    for (word, spoil) in bad {
        let mut settings = good.clone();
        spoil(&mut settings);
        let message = settings.check().unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    }
}

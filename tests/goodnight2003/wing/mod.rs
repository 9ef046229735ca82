//! Flow round a flapping wing (goodnight2003, section 5.3).

mod kernels;

use crate::common::machine;

use std::f64::consts::{PI, TAU};

use fragstream::goodnight2003::Metric;
use fragstream::goodnight2003::wing::potential::deviation;
use fragstream::goodnight2003::wing::reference::formulas::{Flow, Node, Vorticity};
use fragstream::goodnight2003::wing::reference::{Reference, lattice, nodes};
use fragstream::goodnight2003::wing::{Body, Joukowski, Motion, Oscillation, Wing, WingSettings};

fn airfoil() -> Body {
    Body::Airfoil(Joukowski::default())
}

fn at_rest(body: Body, size: (u32, u32)) -> WingSettings {
    WingSettings {
        size,
        ..WingSettings::new(body)
    }
}

#[test]
fn potential_flow_round_the_cylinder_is_the_analytic_one() {
    let machine = machine();
    let settings = at_rest(Body::Cylinder, (65, 65));
    let wing = Wing::new(&machine, settings.clone()).expect("a flow");
    for alpha in [0.0, 0.7] {
        let exact = |xi: f64, eta: f64| [Body::Cylinder.free_stream(xi, eta, alpha), xi.sinh()];
        let (flows, range) = (wing.potential_flows(), settings.range());
        let off = deviation(flows, settings.size, range, alpha, exact);
        println!("{alpha}: off by {off:.2e}");
        assert!(off < 0.005, "{off}");
    }
}

#[test]
fn the_machines_flow_is_the_references() {
    let machine = machine();
    let motion = Motion {
        heave: "0.3,0.25".parse().expect("an oscillation"),
        pitch: Oscillation {
            amplitude: 0.4,
            frequency: 0.25,
            phase: 0.5 * PI,
        },
        lag: "0.1,0.5".parse().expect("an oscillation"),
        incidence: 0.1,
        push: None,
    };
    let settings = WingSettings {
        motion,
        reynolds: 60.0,
        cycles: 3,
        radius: 15.0,
        ..at_rest(airfoil(), (33, 33))
    };
    let mut wing = Wing::new(&machine, settings).expect("a flow");
    let lattice = lattice(&airfoil(), 33, 33, 15.0);
    let mut flow = Reference::new(&airfoil(), lattice, motion, 60.0);
    for _ in 0..60 {
        let before = wing.time();
        wing.step().expect("a step");
        flow.step(wing.time() - before);
    }
    let texels = wing.vorticity().read().expect("data");
    let expected = &flow.flow.vorticity;
    let largest = expected.iter().map(|z| z.value.abs()).fold(0.0, f64::max);
    let difference = |(texel, z): (&[f32], &Vorticity)| (f64::from(texel[0]) - z.value).abs();
    let off = texels
        .chunks_exact(2)
        .zip(expected)
        .map(difference)
        .fold(0.0, f64::max);
    println!(
        "vorticity off by {off:.2e} of {largest:.2e} at time {}",
        wing.time()
    );
    assert!(off < 2e-3 * largest, "{off} of {largest}");
    let (found, expected) = (wing.history().last().expect("a look").forces, flow.forces());
    println!("{found:?} {expected:?}");
    assert!((found.lift - expected.lift).abs() < 0.02 * (1.0 + expected.lift.abs()));
    assert!((found.drag - expected.drag).abs() < 0.02 * (1.0 + expected.drag.abs()));
}

/// ψ = (r − a)² sin θ has ψ = 0 and ∂ψ/∂r = 0 on the cylinder.
#[test]
fn woods_formula_is_of_second_order() {
    let off = |columns: usize| {
        let lattice = lattice(&Body::Cylinder, columns, 17, 2.0);
        let nodes = nodes(&Body::Cylinder, &lattice);
        let polar = |n: &Node| (n.place[0].hypot(n.place[1]), n.place[1].atan2(n.place[0]));
        let psi = |n: &Node| {
            let (r, t) = polar(n);
            (r - 0.5).powi(2) * t.sin()
        };
        let zeta = |n: &Node| {
            let (r, t) = polar(n);
            let value = -(2.0 + 2.0 * (r - 0.5) / r - (r - 0.5).powi(2) / (r * r)) * t.sin();
            Vorticity {
                value,
                tendency: 0.0,
            }
        };
        let exact: Vec<_> = nodes.iter().map(zeta).collect();
        let psi: Vec<f64> = nodes.iter().map(psi).collect();
        let flow = Flow {
            operator: Vec::new(),
            vorticity: exact.clone(),
            lattice,
            nodes,
            psi,
        };
        let found = flow.wall();
        let difference = |(a, b): (&Vorticity, &Vorticity)| (a.value - b.value).abs();
        found
            .iter()
            .zip(&exact)
            .step_by(columns)
            .map(difference)
            .fold(0.0, f64::max)
    };
    let (coarse, fine) = (off(33), off(65));
    println!("{coarse:.3e} {fine:.3e}");
    assert!(
        coarse / fine > 3.6 && coarse / fine < 4.6,
        "{coarse} {fine}"
    );
}

/// A cylinder that oscillates about its axis in a fluid at rest (the pivot moves with the stream):
/// what is seen from the turning cylinder, with −2θ̈, has to be the layer of Stokes that diffuses from
/// it, computed at rest in one dimension.
#[test]
fn the_rotational_acceleration_has_its_sign_and_factor() {
    let (amplitude, rate, reynolds, end) = (0.3, 0.5, 20.0, 0.6);
    let motion = Motion {
        // The pivot's speed is one to seven places until the end.
        lag: Oscillation {
            amplitude: 1e4 / TAU,
            frequency: 1e-4,
            phase: 0.0,
        },
        pitch: Oscillation {
            amplitude,
            frequency: rate,
            phase: 0.0,
        },
        ..Motion::default()
    };
    let lattice = lattice(&Body::Cylinder, 65, 9, 6.0);
    let mut flow = Reference::new(&Body::Cylinder, lattice, motion, reynolds);
    let steps = 1500;
    for _ in 0..steps {
        flow.step(end / f64::from(steps));
    }
    // u(r, t) of ∂u/∂t = (u'' + u'/r − u/r²)/Re, u = θ̇ r on the cylinder.
    let (n, length) = (400, 2.5);
    let h = length / n as f64;
    let dt = 0.2 * h * h * reynolds;
    let count = (end / dt).ceil();
    let dt = end / count;
    let r = |i: usize| 0.5 + h * i as f64;
    let turn = |t: f64| motion.frame(t).turn;
    let mut u: Vec<f64> = vec![0.0; n + 1];
    u[0] = 0.5 * turn(0.0);
    for k in 0..count as usize {
        let old = u.clone();
        for i in 1..n {
            let bend = (old[i + 1] - 2.0 * old[i] + old[i - 1]) / (h * h);
            let slope = (old[i + 1] - old[i - 1]) / (2.0 * h * r(i));
            u[i] = old[i] + dt / reynolds * (bend + slope - old[i] / (r(i) * r(i)));
        }
        u[0] = 0.5 * turn(dt * (k + 1) as f64);
    }
    let omega = |radius: f64| {
        let place = ((radius - 0.5) / h).clamp(1.0, n as f64 - 2.0);
        let curl = |i: usize| (r(i + 1) * u[i + 1] - r(i - 1) * u[i - 1]) / (2.0 * h * r(i));
        let (i, share) = (place as usize, place.fract());
        (1.0 - share) * curl(i) + share * curl(i + 1)
    };
    let (mut off, mut largest) = (0.0_f64, 0.0_f64);
    for i in 2..40 {
        let exact = omega(flow.flow.nodes[i].place[0]);
        off = off.max((flow.flow.vorticity[i].value + 2.0 * turn(flow.time) - exact).abs());
        largest = largest.max(exact.abs());
    }
    println!("off by {off:.3e} of {largest:.3e}");
    assert!(off < 0.02 * largest, "{off} of {largest}");
}

/// A cylinder again, its rows crowded on one side: h₂ is not h₁.
#[test]
fn coordinates_need_not_be_conformal() {
    let machine = machine();
    let crowded = "vec3 metric(vec2 p) {\n\
                   float h = 0.5 * exp(p.x);\n\
                   return vec3(h, h * (1.0 + 0.4 * cos(p.y)), 1.0);\n}\n\
                   vec2 place(vec2 p) {\n\
                   float a = p.y + 0.4 * sin(p.y);\n\
                   return 0.5 * exp(p.x) * vec2(cos(a), sin(a));\n}\n\
                   vec2 coordinates(vec2 z) { return z; }";
    let forces = |coordinates: Option<Metric>| {
        let settings = WingSettings {
            coordinates,
            motion: Motion {
                heave: "0.2,0.3".parse().expect("an oscillation"),
                ..Motion::default()
            },
            reynolds: 40.0,
            radius: 15.0,
            ..at_rest(Body::Cylinder, (65, 65))
        };
        let mut wing = Wing::new(&machine, settings).expect("a flow");
        while wing.time() < 1.0 {
            wing.step().expect("a step");
        }
        wing.history().last().expect("a look").forces
    };
    let (plain, other) = (
        forces(None),
        forces(Some(Metric::of_text("crowded", crowded))),
    );
    println!("{plain:?} {other:?}");
    assert!((plain.drag / other.drag - 1.0).abs() < 0.02);
    assert!((plain.lift / other.lift - 1.0).abs() < 0.02);
}

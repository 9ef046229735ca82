//! Flow round a flapping wing (goodnight2003, section 5.3).

mod flows;
mod formulas;
mod kernels;

use crate::common::machine;

use std::f64::consts::TAU;

use fragstream::goodnight2003::wing::WingKernels;
use fragstream::goodnight2003::wing::{Body, Motion, Oscillation, Wing, WingSettings};
use fragstream::stream::{Format, Pass, Stream};

fn at_rest(body: Body, size: (u32, u32)) -> WingSettings {
    WingSettings { size, ..WingSettings::new(body) }
}

/// ψ = (r − a)² sin θ has ψ = 0 and ∂ψ/∂r = 0 on the cylinder. ξ is the logarithm of r, or r itself, where h₂/h₁
/// varies.
#[test]
fn woods_formula_is_of_second_order() {
    let machine = machine();
    let body = Body::Cylinder;
    let kernels = WingKernels::new(&machine, &body.metric()).expect("kernels");
    let off = |columns: u32, is_logarithm: bool| {
        let range = if is_logarithm { 4f64.ln() } else { 1.5 };
        let (size, step) = ((columns, 17), range / f64::from(columns - 1));
        // r and sin θ of each node.
        let nodes = || {
            (0..17 * columns).map(|node| {
                let (xi, eta) =
                    (f64::from(node % columns) * step, f64::from(node / columns) * TAU / 16.0);
                let r = if is_logarithm { 0.5 * xi.exp() } else { 0.5 + xi };
                [r, eta.sin()]
            })
        };
        let zeta =
            |[r, sine]: [f64; 2]| -(2.0 + 2.0 * (r - 0.5) / r - (r - 0.5).powi(2) / (r * r)) * sine;
        let stream = |format, data: Vec<f64>| {
            let data: Vec<f32> = data.into_iter().map(|v| v as f32).collect();
            Stream::from_data(&machine, "data", size, format, &data).expect("a stream")
        };
        let psi = stream(Format::R32F, nodes().map(|[r, sine]| (r - 0.5).powi(2) * sine).collect());
        let vorticity = stream(Format::Rg32F, nodes().flat_map(|node| [zeta(node), 0.0]).collect());
        let places = stream(
            Format::Rgba32F,
            nodes()
                .flat_map(|[r, _]| match is_logarithm {
                    true => [0.0, 0.0, r * r, 1.0],
                    false => [0.0, 0.0, r, r],
                })
                .collect(),
        );
        let wall = Stream::zeros(&machine, "wall", (1, 17), Format::Rg32F).expect("a stream");
        Pass::new(&kernels.wall)
            .read("vorticity", &vorticity)
            .read("psi", &psi)
            .read("nodes", &places)
            .set("step_xi", step as f32)
            .draw(&wall, wall.full())
            .expect("a pass");
        let found = wall.read().expect("data");
        let exact = nodes().step_by(columns as usize).map(zeta);
        let pairs = found.chunks_exact(2).zip(exact);
        pairs.map(|(found, exact)| (f64::from(found[0]) - exact).abs()).fold(0.0, f64::max)
    };
    for is_logarithm in [true, false] {
        let [coarse, fine] = [33, 65].map(|columns| off(columns, is_logarithm));
        assert!(coarse / fine > 3.6 && coarse / fine < 4.6, "{coarse} {fine}");
    }
}

/// A cylinder that oscillates about its axis in a fluid at rest (the pivot moves with the stream):
/// what is seen from the turning cylinder, with −2θ̈, has to be the layer of Stokes that diffuses from
/// it, computed at rest in one dimension.
#[test]
fn the_rotational_acceleration_has_its_sign_and_factor() {
    let (amplitude, rate, reynolds, end) = (0.3, 0.5, 20.0, 0.6);
    let motion = Motion {
        // The pivot's speed is one to seven places until the end.
        lag: Oscillation { amplitude: 1e4 / TAU, frequency: 1e-4, phase: 0.0 },
        pitch: Oscillation { amplitude, frequency: rate, phase: 0.0 },
        ..Motion::default()
    };
    let settings = WingSettings {
        motion,
        reynolds,
        cycles: 3,
        radius: 4.0,
        ..at_rest(Body::Cylinder, (49, 65))
    };
    let mut wing = Wing::new(&machine(), settings).expect("a flow");
    while wing.time() < end {
        wing.step().expect("a step");
    }
    let end = wing.time();
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
    let texels = wing.vorticity().read().expect("data");
    for i in 2..30 {
        let exact = omega(Body::Cylinder.place(wing.spacing()[0] * i as f64, 0.0)[0]);
        off = off.max((f64::from(texels[2 * i]) + 2.0 * turn(end) - exact).abs());
        largest = largest.max(exact.abs());
    }
    assert!(off < 0.02 * largest, "{off} of {largest}");
}

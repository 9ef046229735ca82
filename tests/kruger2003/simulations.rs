//! The two simulations of kruger2003 against what is known of the equations that they solve.

use std::f64::consts::PI;

use crate::common::machine;
use fragstream::kruger2003::{
    Fluid, FluidSettings, Interpolation, Shore, Stroke, Walls, Water, WaterSettings,
};

/// The mode of a closed basin with so many half waves across and up.
fn mode((width, height): (u32, u32), (p, q): (u32, u32)) -> Vec<f64> {
    let wave = |cell: u32, cells: u32, n: u32| {
        (PI * f64::from(n) * (f64::from(cell) + 0.5) / f64::from(cells)).cos()
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    places.map(|(x, y)| wave(x, width, p) * wave(y, height, q)).collect()
}

fn single(values: impl IntoIterator<Item = f64>) -> Vec<f32> {
    values.into_iter().map(|value| value as f32).collect()
}

/// A hump in the middle, at rest.
fn hump(settings: WaterSettings) -> Water {
    let (width, height) = settings.size;
    let (x0, y0) = (f64::from(width) / 2.0, f64::from(height) / 2.0);
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let heights = single(places.map(|(x, y)| {
        let (dx, dy) = (f64::from(x) + 0.5 - x0, f64::from(y) + 0.5 - y0);
        (-(dx * dx + dy * dy) / 18.0).exp()
    }));
    let mut water = Water::at_rest(&machine(), settings).expect("sound settings");
    water.set(&heights, &heights).expect("of one size");
    water
}

fn run(water: &mut Water, steps: usize) {
    for _ in 0..steps {
        water.step().expect("a step");
    }
}

#[test]
fn waves_leave_through_an_absorbing_edge() {
    let share = |shore| {
        let mut water = hump(WaterSettings { shore, ..WaterSettings::new(64, 64) });
        let first = water.energy().expect("readable");
        run(&mut water, 96);
        water.energy().expect("readable") / first
    };
    assert!(share(Shore::Absorbing) < 0.05);
    assert!(share(Shore::Reflecting) > 0.95);
}

#[test]
fn damping_takes_its_share_of_the_energy() {
    let damping = 0.01;
    let mut water =
        Water::at_rest(&machine(), WaterSettings { damping, ..WaterSettings::new(64, 64) })
            .expect("sound settings");
    let shape = single(mode((64, 64), (6, 5)));
    water.set(&shape, &shape).expect("of one size");
    let first = water.energy().expect("readable");
    run(&mut water, 100);
    let ratio = water.energy().expect("readable") / first;
    // On average half the energy is kinetic, the part that is damped, at twice the rate.
    let exact = (-damping * 100.0_f64).exp();
    assert!((ratio / exact - 1.0).abs() < 0.1, "{ratio} for {exact}");
    // What the scheme makes of it: the product of the roots of u+ K + u- (K - damping) = 2 u.
    let half = |n: f64| (PI * n / 128.0).sin();
    let k = 1.0 + damping / 2.0 + 2.0 * (half(6.0).powi(2) + half(5.0).powi(2));
    let discrete = (1.0 - damping / k).powi(100);
    assert!((ratio / discrete - 1.0).abs() < 0.025, "{ratio} for {discrete}");
}

#[test]
fn the_state_of_the_water_stays_in_textures() {
    let mut water = hump(WaterSettings::new(33, 20));
    run(&mut water, 1);
    water.machine().take_ledger();
    water.push(&Stroke::at([8.0, 9.0], 3.0), 0.1).expect("a push");
    run(&mut water, 4);
    let ledger = water.machine().take_ledger();
    assert_eq!(ledger.uploads, 0);
    // Three sums in each of five iterations, a number each.
    assert_eq!(ledger.texels_read_back, 4 * 15);
    assert_eq!(ledger.read_backs, ledger.texels_read_back);
    assert_eq!(ledger.peak_bytes_allocated, ledger.bytes_allocated);
}

#[test]
fn a_stroke_pushes_along_its_line() {
    let mut water = Water::at_rest(&machine(), WaterSettings::new(20, 10)).expect("sound");
    let stroke = Stroke { from: [4.5, 3.5], to: [14.5, 3.5], radius: 2.0 };
    water.push(&stroke, 0.5).expect("a push");
    let heights = water.height().read().expect("readable");
    let at = |x: usize, y: usize| heights[20 * y + x];
    assert!((at(4, 3) - 0.5).abs() < 1e-6 && (at(9, 3) - 0.5).abs() < 1e-6);
    // The height is 0.5 (1 - s) exp(-s), s the squared distance in radii.
    assert!(at(9, 5).abs() < 1e-6 && at(16, 3).abs() < 1e-6);
    assert!((at(9, 4) - 0.5 * 0.75 * (-0.25f32).exp()).abs() < 1e-6);
}

#[test]
fn settings_that_make_no_sense_are_named() {
    let good = WaterSettings::new(8, 8);
    for (bad, what) in [
        (WaterSettings::new(1, 8), "the smaller side"),
        (WaterSettings { courant: 0.0, ..good }, "the Courant number"),
        (WaterSettings { courant: f64::NAN, ..good }, "the Courant number"),
        (WaterSettings { damping: -0.1, ..good }, "the damping of a step"),
        (WaterSettings { iterations: 0, ..good }, "the number of iterations"),
    ] {
        assert_eq!(bad.check().expect_err("a bad setting").what, what);
    }
}

#[test]
fn no_fluid_leaves_the_box_and_enough_iterations_make_it_free_of_divergence() {
    let settings = FluidSettings { iterations: 200, ..FluidSettings::cavity(20, 50.0) };
    let mut fluid = Fluid::at_rest(&machine(), settings).expect("sound settings");
    let stroke = Stroke::at([7.0, 9.0], 3.0);
    fluid.push(&stroke, [0.5, -0.3]).expect("a push");
    for _ in 0..3 {
        fluid.step().expect("a step");
    }
    assert!(fluid.divergence().expect("readable") < 1e-5);
    let velocity = fluid.read_velocity().expect("readable");
    for k in 0..20 {
        assert_eq!(velocity[21 * k][0], 0.0);
        assert_eq!(velocity[21 * k + 20][0], 0.0);
        assert_eq!(velocity[k][1], 0.0);
        assert_eq!(velocity[21 * 20 + k][1], 0.0);
    }
}

/// The bell of a stroke at one place.
fn bell([x, y]: [f64; 2], [x0, y0]: [f64; 2], radius: f64) -> f64 {
    (-((x - x0).powi(2) + (y - y0).powi(2)) / (radius * radius)).exp()
}

#[test]
fn a_push_acts_on_each_component_at_its_faces_and_leaves_the_walls_alone() {
    let (width, height) = (20, 14);
    let (change, radius) = ([0.5, -0.3], 3.0);
    // Inside, in a corner, and beyond the upper wall.
    for place in [[9.25, 6.5], [0.5, 1.0], [16.0, 14.5]] {
        for walls in [Walls::Slip, Walls::Stick { lid: 0.0 }] {
            let settings = FluidSettings { walls, ..FluidSettings::new(width, height) };
            let mut fluid = Fluid::at_rest(&machine(), settings).expect("sound settings");
            let stroke = Stroke::at(place.map(|x| x as f32), radius as f32);
            fluid.push(&stroke, change.map(|v| v as f32)).expect("a push");
            let texels = fluid.velocity().read().expect("readable");
            let columns = width as usize + 4;
            let at = |x: u32, y: u32| {
                let texel = (y as usize + 2) * columns + x as usize + 2;
                [texels[2 * texel], texels[2 * texel + 1]].map(f64::from)
            };
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let (left, low) = (f64::from(x), f64::from(y));
                let [on_u, on_v] = [[left, low + 0.5], [left + 0.5, low]];
                let u = if x == 0 { 0.0 } else { change[0] * bell(on_u, place, radius) };
                let v = if y == 0 { 0.0 } else { change[1] * bell(on_v, place, radius) };
                let found = at(x, y);
                assert!((found[0] - u).abs() < 1e-6, "u {} for {u} at {x}, {y}", found[0]);
                assert!((found[1] - v).abs() < 1e-6, "v {} for {v} at {x}, {y}", found[1]);
            }
            // On the right and upper walls.
            assert!((0..height).all(|y| at(width, y)[0] == 0.0));
            assert!((0..width).all(|x| at(x, height)[1] == 0.0));
            // Behind a wall, along it: the mirror image, or its negative.
            let sign = if walls == Walls::Slip { 1.0 } else { -1.0 };
            assert!((0..width).all(|x| at(x, height)[0] == sign * at(x, height - 1)[0]));
            assert!((0..height).all(|y| at(width, y)[1] == sign * at(width - 1, y)[1]));
        }
    }
}

#[test]
fn the_state_of_the_fluid_stays_in_textures() {
    let mut fluid = Fluid::at_rest(&machine(), FluidSettings::cavity(24, 100.0)).expect("sound");
    fluid.step().expect("a step");
    fluid.machine().take_ledger();
    let stroke = Stroke::at([8.0, 9.0], 3.0);
    fluid.push(&stroke, [0.1, 0.0]).expect("a push");
    fluid.inject(&stroke, [1.0, 0.5, 0.0]).expect("dye");
    for _ in 0..3 {
        fluid.step().expect("a step");
    }
    let ledger = fluid.machine().take_ledger();
    assert_eq!(ledger.uploads, 0);
    assert_eq!(ledger.texels_read_back, ledger.read_backs);
    assert_eq!(ledger.peak_bytes_allocated, ledger.bytes_allocated);
}

/// The pressure of four iterations reaches four cells into the box; further inside the fluid flows on unchanged.
#[test]
fn uniform_flow_carries_linear_dye_exactly() {
    let (width, height) = (40, 32);
    let [u, v] = [0.5, -0.25];
    // Linear in the position, and exact in single precision.
    let light = |[x, y]: [f64; 2]| 0.5 + x / 64.0 + y / 32.0;
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let settings =
            FluidSettings { interpolation, fade: 0.75, ..FluidSettings::new(width, height) };
        let mut fluid = Fluid::at_rest(&machine(), settings).expect("sound settings");
        fluid.set_velocity(|_| [u, v]).expect("writable");
        let cells = || (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        let centre = |cell: [u32; 2]| cell.map(|place| f64::from(place) + 0.5);
        let dye: Vec<f32> = cells().flat_map(|cell| [light(centre(cell)) as f32; 4]).collect();
        fluid.dye().write(&dye).expect("as many as cells");
        fluid.step().expect("a step");
        let found = fluid.dye().read().expect("readable");
        for (cell, found) in cells().zip(found.chunks(4)) {
            let [x, y] = centre(cell);
            if (8.0..32.0).contains(&x) && (8.0..24.0).contains(&y) {
                let expected = 0.75 * light([x - u, y - v]);
                let off = (f64::from(found[0]) - expected).abs();
                assert!(off < 1e-6, "{interpolation:?} at {cell:?}: {off}");
            }
        }
    }
}

#[test]
fn a_step_that_viscosity_makes_unstable_is_refused() {
    let bad = FluidSettings { viscosity: 0.3, ..FluidSettings::new(16, 16) };
    let error = bad.check().expect_err("over a quarter").to_string();
    assert!(error.contains("0.8333"), "{error}");
    assert!(FluidSettings { dt: 0.8, ..bad }.check().is_ok());
}

/// A shear wave v = a sin kx in a flow u, which carries it without changing it. Far from the walls there is no pressure,
/// and all but the Laplacian is the same with and without viscosity.
#[test]
fn viscosity_damps_what_is_carried_where_it_comes_from() {
    let (side, viscosity, amplitude) = (64, 0.2, 0.1);
    let k = 2.0 * PI / 16.0;
    let after_a_step = |flow: f64, viscosity: f64| {
        let settings = FluidSettings { dt: 1.0, viscosity, ..FluidSettings::new(side, side) };
        let mut fluid = Fluid::at_rest(&machine(), settings).expect("sound settings");
        fluid.set_velocity(|[x, _]| [flow, amplitude * (k * x).sin()]).expect("writable");
        fluid.step().expect("a step");
        fluid.read_velocity().expect("readable")
    };
    for (flow, nodes) in [(0.3, 0.0), (1.6, 2.0), (4.6, 5.0)] {
        let [with, without] = [viscosity, 0.0].map(|viscosity| after_a_step(flow, viscosity));
        for x in 24..40 {
            let place = (32 * (side + 1) + x) as usize;
            let found = f64::from(with[place][1]) - f64::from(without[place][1]);
            // The sum of differences of a wave at the node from which the flow comes.
            let wave = amplitude * (k * (f64::from(x) + 0.5 - nodes)).sin();
            let expected = -viscosity * (2.0 - 2.0 * k.cos()) * wave;
            // Walls act as exp(-24 k) = 1e-4; the rest is rounding of numbers of this size.
            let bound = 1e-3 * viscosity * (2.0 - 2.0 * k.cos()) * amplitude;
            assert!((found - expected).abs() < bound, "{found} for {expected} at {x}, flow {flow}");
        }
    }
}

#[test]
fn a_taylor_green_vortex_decays_like_the_exact_solution_with_cubic_advection() {
    let side = 48_u32;
    let k = PI / f64::from(side);
    let settings = FluidSettings {
        dt: 0.4,
        viscosity: 0.5,
        walls: Walls::Slip,
        interpolation: Interpolation::Cubic,
        ..FluidSettings::new(side, side)
    };
    let speed = 0.5;
    let exact = |[x, y]: [f64; 2]| {
        [speed * (k * x).sin() * (k * y).cos(), -speed * (k * x).cos() * (k * y).sin()]
    };
    let mut fluid = Fluid::at_rest(&machine(), settings).expect("sound settings");
    fluid.set_velocity(exact).expect("writable");
    let rate = 2.0 * settings.viscosity * k * k;
    // Until it has decayed by a tenth.
    let steps = (0.1 / (rate * settings.dt)).ceil() as u32;
    for _ in 0..steps {
        fluid.step().expect("a step");
    }
    let decay = (-rate * f64::from(steps) * settings.dt).exp();
    let velocity = fluid.read_velocity().expect("readable");
    for (place, found) in velocity.into_iter().enumerate() {
        let [x, y] = [place as u32 % (side + 1), place as u32 / (side + 1)];
        if x < side && y < side {
            let [x, y] = [x, y].map(f64::from);
            let expected = [exact([x, y + 0.5])[0], exact([x + 0.5, y])[1]];
            for (found, expected) in found.into_iter().zip(expected) {
                let off = (f64::from(found) - decay * expected).abs() / speed;
                assert!(off <= 0.01, "{off} at {x}, {y}");
            }
        }
    }
}

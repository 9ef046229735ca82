//! Whole steps of kruger2003's simulations against their twins with as many iterations of conjugate
//! gradients.
//!
//! A step has hundreds of roundings, and what they become depends on the flow. The twin in single
//! precision has the same, but for the order of the sums in inner products: how far it is from the
//! twin in double precision says how far the textures may be. It is itself held to a bound.

use super::common::*;
use super::twin::{FluidTwin, WaterTwin};
use crate::common::{UNIT, machine};
use fragstream::claim::difference;
use fragstream::kruger2003::simulation::scene::Pens;
use fragstream::kruger2003::{Fluid, FluidSettings, Stroke, Water, WaterSettings};
use fragstream::random::SplitMix64;
use fragstream::solver::Real;
use fragstream::stream::Machine;

/// Textures are at most four times as far from double precision as the twin in single precision
/// (and 16 u, where that is nearer than the order of sums), which is within a bound. Distances are
/// shares of the largest number.
fn assert_rounded_alike(what: &str, got: &[f32], single: &[f32], double: &[f64], bound: f64) {
    let (textures, twin) = (difference(got, double), difference(single, double));
    let allowed = 4.0 * twin + 16.0 * UNIT;
    assert!(
        twin <= bound,
        "{what}: the twin is off by {twin}, bound {bound}"
    );
    assert!(
        textures <= allowed,
        "{what}: off by {textures}, the twin by {twin}"
    );
}

/// Two residuals are the same but for the rounding of what they are left of.
fn assert_same_residual(what: &str, got: f64, expected: f64, share: f64, rounding: f64) {
    let bound = share * expected + rounding;
    assert!(
        (got - expected).abs() <= bound,
        "{what}: {got} for {expected}"
    );
}

#[test]
fn steps_of_water_are_those_of_the_twin() {
    let machine = machine();
    let mut random = SplitMix64::new(1);
    // The last is large enough for the product to be drawn in two parts.
    for size in WATER_SIZES.into_iter().chain([(150, 131)]) {
        let settings = waters(size).into_iter();
        for settings in settings.take(if size.0 > 100 { 1 } else { 4 }) {
            let now = Field::<1>::random(size, &mut random);
            let before = Field::<1>::random(size, &mut random);
            compare_water(&machine, settings, now.numbers(), before.numbers());
        }
    }
}

/// Of water, the first and the last of which are compared.
const STEPS: usize = 6;

fn compare_water(machine: &Machine, settings: WaterSettings, now: &[f32], before: &[f32]) {
    let mut gpu = Water::at_rest(machine, settings).expect("sound settings");
    gpu.set(now, before).expect("of one size");
    let mut single = WaterTwin::<f32>::new(settings, now, before);
    let mut double = WaterTwin::<f64>::new(settings, now, before);
    let size = (settings.size.0 as usize, settings.size.1 as usize);
    for step in 1..=STEPS {
        let stroke = strokes(size)[step % 3];
        if step % 2 == 1 {
            gpu.push(&stroke, 0.5).expect("a push");
            single.push(&stroke, 0.5);
            double.push(&stroke, 0.5);
        }
        gpu.step().expect("a step");
        single.step();
        double.step();
        if step > 1 && step < STEPS {
            continue;
        }
        let what = format!("{settings:?}, step {step}");
        let (got, exact) = (gpu.read().expect("readable"), double.height());
        // An iteration has some 6 roundings, which the matrix, whose condition is below 6, enlarges:
        // 200 u for five, and half as much for a stroke. What a step is off moves on at that
        // speed until the end.
        let bound = 300.0 * (step * (step + 1) / 2) as f64 * UNIT;
        assert_rounded_alike(&what, &got, &single.height(), &exact, bound);
        // Four or six unknowns are solved for before all iterations are done.
        if exact.len() > 16 {
            assert_eq!(gpu.iterations(), double.iterations(), "{what}");
        }
        let norm = exact.iter().map(|u| u * u).sum::<f64>().sqrt();
        let (got, expected) = (gpu.residual(), double.residual());
        assert_same_residual(&what, got, expected, 0.0, bound * norm);
    }
}

/// The same start for all three: a velocity, and two colours of dye.
fn start<T: Real>(settings: FluidSettings, velocity: &Field<2>) -> FluidTwin<T> {
    let mut twin = FluidTwin::at_rest(settings);
    twin.set_velocity(&velocity.records);
    for (stroke, dye) in dyes(&settings) {
        twin.inject(&stroke, dye);
    }
    twin
}

fn dyes(settings: &FluidSettings) -> [(Stroke, [f32; 3]); 2] {
    let [a, b, _] = strokes((settings.size.0 as usize, settings.size.1 as usize));
    [(a, [1.0, 0.5, 0.0]), (b, [0.0, 0.25, 0.75])]
}

#[test]
fn steps_of_fluid_are_those_of_the_twin() {
    let machine = machine();
    let mut random = SplitMix64::new(2);
    for size in FLUID_SIZES {
        for settings in fluids(size) {
            let framed = (size.0 + 4, size.1 + 4);
            let velocity = Field::<2>::coarse(framed, 1.0, &mut random);
            compare_fluid(&machine, settings, &velocity, 3);
        }
    }
}

#[test]
fn steps_of_a_cavity_and_of_a_cold_start_are_those_of_the_twin() {
    let machine = machine();
    let mut cold = FluidSettings::cavity(19, 50.0);
    cold.warm_start = false;
    for settings in [FluidSettings::cavity(24, 100.0), cold] {
        let side = settings.size.0 as usize + 4;
        let rest = Field::<2>::coarse((side, side), 0.0, &mut SplitMix64::new(0));
        compare_fluid(&machine, settings, &rest, 4);
    }
}

fn compare_fluid(machine: &Machine, settings: FluidSettings, velocity: &Field<2>, steps: i32) {
    let mut gpu = Fluid::at_rest(machine, settings).expect("sound settings");
    gpu.velocity().write(velocity.numbers()).expect("writable");
    for (stroke, dye) in dyes(&settings) {
        gpu.inject(&stroke, dye).expect("dye");
    }
    let mut single = start::<f32>(settings, velocity);
    let mut double = start::<f64>(settings, velocity);
    for step in 1..=steps {
        gpu.step().expect("a step");
        single.step();
        double.step();
        let what = format!("{settings:?}, step {step}");
        // Some 240 u of the explicit part and as many of four iterations; where velocities differ
        // from cell to cell by as much as they are large, a step enlarges what it finds up to
        // fivefold.
        let bound = 500.0 * 5.0_f64.powi(step - 1) * UNIT;
        let got = gpu.velocity().read().expect("readable");
        let twins = (numbers(single.velocity()), numbers(double.velocity()));
        assert_rounded_alike(
            &format!("velocity, {what}"),
            &got,
            &twins.0,
            &twins.1,
            bound,
        );
        let got = gpu.pressure().read().expect("readable");
        let twins = (single.pressure(), double.pressure());
        assert_rounded_alike(&format!("pressure, {what}"), &got, twins.0, twins.1, bound);
        let got = gpu.dye().read().expect("readable");
        let twins = (numbers(single.dye()), numbers(double.dye()));
        assert_rounded_alike(&format!("dye, {what}"), &got, &twins.0, &twins.1, bound);
        assert_eq!(gpu.iterations(), double.iterations(), "{what}");
        let (got, expected) = (gpu.residual(), double.residual());
        let norm = double.pressure().iter().map(|p| p * p).sum::<f64>().sqrt();
        assert_same_residual(&what, got, expected, 0.0, 8.0 * bound * norm);
    }
}

/// The scene of Fig. 8 in textures; now and then the twin takes over their state and does the same
/// step in double precision. Residual and divergence after these steps, in textures and in the
/// twin.
fn pens(
    machine: &Machine,
    size: (u32, u32),
    iterations: usize,
    steps: impl IntoIterator<Item = u32>,
) -> Vec<[[f64; 2]; 2]> {
    let settings = FluidSettings {
        viscosity: 0.01,
        fade: 0.998,
        iterations,
        ..FluidSettings::new(size.0, size.1)
    };
    let scene = Pens {
        speed: 2.0,
        seed: 1,
    };
    let mut gpu = Fluid::at_rest(machine, settings).expect("sound settings");
    let mut next = 0;
    let compared = steps.into_iter().map(|compared| {
        for step in next..compared {
            scene.push(step, &mut gpu).expect("strokes");
            gpu.step().expect("a step");
        }
        next = compared + 1;
        let mut twin = FluidTwin::<f64>::at_rest(settings);
        let velocity = gpu.velocity().read().expect("readable");
        twin.set_velocity(velocity.as_chunks().0);
        twin.set_pressure(&gpu.pressure().read().expect("readable"));
        scene.push(compared, &mut gpu).expect("strokes");
        for pen in scene.strokes(compared, &settings) {
            twin.push(&pen.stroke, pen.change);
        }
        gpu.step().expect("a step");
        twin.step();
        let left = gpu.divergence().expect("readable");
        [[gpu.residual(), left], [twin.residual(), twin.divergence()]]
    });
    compared.collect()
}

/// What the fluid of Fig. 8 is seen to swell and shrink by around the pens is what four iterations
/// leave: from the same state, double precision leaves the same.
#[test]
fn four_iterations_leave_around_the_pens_what_they_leave_in_double_precision() {
    let machine = machine();
    let mut compared = pens(&machine, (96, 64), 4, [0, 4]);
    compared.extend(pens(&machine, (48, 32), 4, [1, 10, 60]));
    for (number, [got, expected]) in compared.iter().enumerate() {
        for k in 0..2 {
            // Places are rounded by up to 96 u, and velocities change by a tenth from cell to
            // cell. A product with the matrix enlarges what differs from cell to cell up to eight
            // times, and what is smooth hardly: 8² times in the first iterations, 3e-4 in all.
            let what = format!("number {k} of comparison {number}");
            assert_same_residual(&what, got[k], expected[k], 1e-3, 0.0);
        }
    }
}

/// On 48 by 32 cells the root of the condition number is 43: 250 iterations leave less than
/// 2 · 43 · exp(−2 · 250 / 43), 0.1 % of what they start from.
#[test]
fn enough_iterations_leave_the_pens_no_divergence() {
    let machine = machine();
    let few = pens(&machine, (48, 32), 4, [0, 10]);
    let many = pens(&machine, (48, 32), 250, [0, 10]);
    for (few, many) in few.iter().zip(&many) {
        for which in [0, 1] {
            let (few, many) = (few[which][1], many[which][1]);
            assert!(
                many < 1e-2 * few,
                "{many} after 250 iterations, {few} after 4"
            );
        }
    }
}

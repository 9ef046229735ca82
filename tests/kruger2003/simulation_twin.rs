//! Every kernel of kruger2003's simulations against its twin, on random data and ugly sizes.
//!
//! Bounds count roundings, each of at most u = 2⁻²⁴ of what is rounded. Settings are numbers that
//! single precision holds exactly. Velocities are multiples of 1/64: then the place that the fluid
//! comes from is exact, too, and no floor depends on rounding.

use crate::common::{UNIT, machine};
use crate::simulation_common::*;
use fragstream::kruger2003::simulation::navier_stokes::programs::{DIVERGENCE, PROJECT};
use fragstream::kruger2003::simulation::picture::{Painter, WaterShown};
use fragstream::kruger2003::simulation::twin::picture::signed_picture;
use fragstream::kruger2003::simulation::twin::{FluidTwin, Texture, WaterTwin, fluid, water};
use fragstream::kruger2003::simulation::water::RIGHT_HAND_SIDE;
use fragstream::kruger2003::{Fluid, FluidSettings, Interpolation, Shore, Water, WaterSettings};
use fragstream::picture::Canvas;
use fragstream::random::SplitMix64;
use fragstream::stream::{Format, Machine, Pass, Rect, Rects, Stream};

/// What a kernel wrote lies within a bound of the twin in double precision, and so within two of it
/// of the one in single precision.
fn assert_near(what: &str, got: &[f32], single: &[f32], double: &[f64], bound: f64) {
    assert_eq!(
        (got.len(), got.len()),
        (single.len(), double.len()),
        "{what}"
    );
    for (k, &value) in got.iter().enumerate() {
        let off = |twin: f64| (f64::from(value) - twin).abs();
        let (exact, rounded) = (double[k], f64::from(single[k]));
        assert!(
            off(exact) <= bound,
            "{what}, at {k}: {value} for {exact}, bound {bound}"
        );
        assert!(
            off(rounded) <= 2.0 * bound,
            "{what}, at {k}: {value} for {rounded}"
        );
    }
}

fn assert_rendered<const C: usize>(
    what: &str,
    got: &Stream,
    (single, double): (&Texture<f32, C>, &Texture<f64, C>),
    bound: f64,
) {
    let got = got.read().expect("readable");
    assert_near(what, &got, &numbers(single), &numbers(double), bound);
}

/// A target of this size, and all of it.
fn target(machine: &Machine, format: Format, size: Size) -> (Stream, Rects) {
    let size = (size.0 as u32, size.1 as u32);
    let stream = Stream::zeros(machine, "result", size, format).expect("memory");
    let full = machine.rect(stream.full()).expect("a rectangle");
    (stream, full)
}

fn cells(settings: &FluidSettings) -> Size {
    (settings.size.0 as usize, settings.size.1 as usize)
}

fn framed(settings: &FluidSettings) -> Size {
    let (width, height) = cells(settings);
    (width + 4, height + 4)
}

fn extent(settings: &FluidSettings) -> [f32; 2] {
    [settings.size.0 as f32, settings.size.1 as f32]
}

/// Roundings of what lies between texels, for numbers up to 1.
///
/// Linear: 1 − t, two products and their sum make 3 u, and as much again for the other direction,
/// on top of the error of what it takes: 7 u with the last sum. Cubic, with |slope| ≤ 1, |bend| ≤ 6
/// and |twist| ≤ 4: the bend has 18 u, the twist 11 u, their nest with t at most 88 u; the other
/// direction takes that with weights whose absolute values add up to 1.25, and adds as much for
/// numbers up to 1.25: 220 u. The cut is no rounding.
fn roundings(interpolation: Interpolation) -> f64 {
    match interpolation {
        Interpolation::Linear => 7.0,
        Interpolation::Cubic => 220.0,
    }
}

#[test]
fn the_right_hand_side_of_the_water_is_that_of_its_twin() {
    let machine = machine();
    let kernel = machine.kernel(&RIGHT_HAND_SIDE, &[]).expect("a program");
    let mut random = SplitMix64::new(1);
    for size in WATER_SIZES {
        let u = Field::<1>::random(size, &mut random);
        let before = Field::<1>::random(size, &mut random);
        for settings in waters(size) {
            let outlet = match settings.shore {
                Shore::Reflecting => 0.0,
                Shore::Absorbing => settings.courant as f32 / 2.0,
            };
            let (target, full) = target(&machine, Format::R32F, size);
            Pass::new(&kernel)
                .read("u", &u.stream(&machine))
                .read("u_before", &before.stream(&machine))
                .set("size", [size.0 as f32, size.1 as f32])
                .set("damping", settings.damping as f32 / 2.0)
                .set("outlet", outlet)
                .draw(&target, &full)
                .expect("a pass");
            let single = water::right_hand_side(&settings, &u.twin(), &before.twin());
            let double = water::right_hand_side(&settings, &u.twin(), &before.twin());
            // A factor of at most 1, so a product of at most 1 and a sum of at most 2.
            let what = format!("{settings:?}");
            assert_rendered(&what, &target, (&single, &double), 3.0 * UNIT);
        }
    }
}

/// δ, the error of the way to a stroke, has at most 10 roundings of the largest coordinate. The
/// profile f(d²/r²) takes it with |f'| 2 d/r ≤ 1.4, over r; the rest of it makes 14 u: 3 for d²/r²
/// (|f'| d²/r² ≤ 0.5), 6 for the exponential function (3 + 2x units in the last place of exp x,
/// what OpenGL's descendants allow), 5 for what is left. The sum with what was there makes 2 u.
fn stroke_bound((width, height): Size, radius: f32, amount: f32) -> f64 {
    let largest = width.max(height) as f64 + 4.0;
    let profile = 1.4 * 10.0 * largest / f64::from(radius) + 14.0;
    (f64::from(amount) * profile + 2.0) * UNIT
}

#[test]
fn strokes_on_water_are_those_of_the_twin() {
    let machine = machine();
    let mut random = SplitMix64::new(2);
    for size in WATER_SIZES {
        let settings = WaterSettings::new(size.0 as u32, size.1 as u32);
        for stroke in strokes(size) {
            let u = Field::<1>::random(size, &mut random);
            let mut gpu = Water::at_rest(&machine, settings).expect("sound settings");
            gpu.set(u.numbers(), u.numbers()).expect("of one size");
            gpu.push(&stroke, -0.7).expect("a push");
            let mut single = WaterTwin::<f32>::new(settings, u.numbers(), u.numbers());
            let mut double = WaterTwin::<f64>::new(settings, u.numbers(), u.numbers());
            single.push(&stroke, -0.7);
            double.push(&stroke, -0.7);
            let got = gpu.read().expect("readable");
            let bound = stroke_bound(size, stroke.radius, 0.7);
            let what = format!("{stroke:?} on {size:?}");
            assert_near(&what, &got, &single.height(), &double.height(), bound);
        }
    }
}

#[test]
fn strokes_in_fluid_and_dye_are_those_of_the_twin() {
    let machine = machine();
    let mut random = SplitMix64::new(3);
    for size in FLUID_SIZES {
        let settings = FluidSettings::new(size.0 as u32, size.1 as u32);
        for stroke in strokes(size) {
            let velocity = Field::<2>::random(framed(&settings), &mut random);
            let mut gpu = Fluid::at_rest(&machine, settings).expect("sound settings");
            gpu.velocity().write(velocity.numbers()).expect("writable");
            let mut single = FluidTwin::<f32>::at_rest(settings);
            let mut double = FluidTwin::<f64>::at_rest(settings);
            single.set_velocity(&velocity.records);
            double.set_velocity(&velocity.records);
            let (change, dye) = ([0.5, -0.7], [0.6, 0.0, 0.7]);
            gpu.push(&stroke, change).expect("a push");
            gpu.inject(&stroke, dye).expect("dye");
            single.push(&stroke, change);
            single.inject(&stroke, dye);
            double.push(&stroke, change);
            double.inject(&stroke, dye);
            let bound = stroke_bound(size, stroke.radius, 0.7);
            let what = format!("{stroke:?} on {size:?}");
            let twins = (single.velocity(), double.velocity());
            assert_rendered(&what, gpu.velocity(), twins, bound);
            assert_rendered(&what, gpu.dye(), (single.dye(), double.dye()), bound);
        }
    }
}

#[test]
fn the_explicit_part_of_a_step_is_that_of_its_twin() {
    let machine = machine();
    let mut random = SplitMix64::new(4);
    for size in FLUID_SIZES {
        for settings in fluids(size) {
            let most = 4.0;
            let velocity = Field::<2>::coarse(framed(&settings), most, &mut random);
            let source = settings.interpolation.explicit();
            let kernel = machine.kernel(&source, &[]).expect("a program");
            let (target, _) = target(&machine, Format::Rg32F, framed(&settings));
            let sides = Rect {
                x: 2,
                y: 2,
                width: settings.size.0 + 1,
                height: settings.size.1 + 1,
            };
            Pass::new(&kernel)
                .read("velocity", &velocity.stream(&machine))
                .set("size", extent(&settings))
                .set("dt", settings.dt as f32)
                .set("viscosity", settings.viscosity as f32)
                .draw(&target, &machine.rect(sides).expect("a rectangle"))
                .expect("a pass");
            let single = fluid::explicit(&settings, &velocity.twin());
            let double = fluid::explicit(&settings, &velocity.twin());
            // The Laplacian, up to 8, has 2 + 3 + 4 + 8 roundings, its product 8 and the sum 1.25
            // and the share of the product.
            let share = settings.dt * settings.viscosity;
            let spread = share * (17.0 + 8.0 + 8.0) + 1.25;
            let bound = f64::from(most) * (roundings(settings.interpolation) + spread) * UNIT;
            let what = format!("{settings:?}");
            assert_rendered(&what, &target, (&single, &double), bound);
        }
    }
}

#[test]
fn the_divergence_is_that_of_its_twin() {
    let machine = machine();
    let kernel = machine.kernel(&DIVERGENCE, &[]).expect("a program");
    let mut random = SplitMix64::new(5);
    for size in FLUID_SIZES {
        let settings = FluidSettings::new(size.0 as u32, size.1 as u32);
        let velocity = Field::<2>::random(framed(&settings), &mut random);
        let (target, full) = target(&machine, Format::R32F, size);
        Pass::new(&kernel)
            .read("velocity", &velocity.stream(&machine))
            .set("factor", -1.25)
            .draw(&target, &full)
            .expect("a pass");
        let single = fluid::divergence(&settings, &velocity.twin(), -1.25);
        let double = fluid::divergence(&settings, &velocity.twin(), -1.25);
        // Two differences of at most 2, their sum and the product of at most 4.
        let bound = 1.25 * (2.0 + 2.0 + 4.0 + 4.0) * UNIT;
        assert_rendered(&format!("{size:?}"), &target, (&single, &double), bound);
    }
}

#[test]
fn the_new_velocity_is_that_of_its_twin_behind_walls_too() {
    let machine = machine();
    let kernel = machine.kernel(&PROJECT, &[]).expect("a program");
    let mut random = SplitMix64::new(6);
    for size in FLUID_SIZES {
        for settings in fluids(size) {
            let explicit = Field::<2>::random(framed(&settings), &mut random);
            let pressure = Field::<1>::random(size, &mut random);
            let [slip, lid] = settings.walls.slip_and_lid().map(|v| v as f32);
            let (target, full) = target(&machine, Format::Rg32F, framed(&settings));
            Pass::new(&kernel)
                .read("explicit", &explicit.stream(&machine))
                .read("pressure", &pressure.stream(&machine))
                .set("size", extent(&settings))
                .set("dt", settings.dt as f32)
                .set("slip", slip)
                .set("lid", lid)
                .draw(&target, &full)
                .expect("a pass");
            let single = fluid::project(&settings, &explicit.twin(), &pressure.twin());
            let double = fluid::project(&settings, &explicit.twin(), &pressure.twin());
            // The gradient of at most 2 and its product with 0.75: 3 u; the difference of at most
            // 2.5, and the sum with what the lid drags of at most 5.5.
            let bound = (3.0 + 2.5 + 5.5) * UNIT;
            let what = format!("{settings:?}");
            assert_rendered(&what, &target, (&single, &double), bound);
        }
    }
}

#[test]
fn dye_is_carried_as_by_the_twin() {
    let machine = machine();
    let mut random = SplitMix64::new(7);
    for size in FLUID_SIZES {
        for settings in fluids(size) {
            let velocity = Field::<2>::coarse(framed(&settings), 4.0, &mut random);
            let dye = Field::<4>::random(size, &mut random);
            let source = settings.interpolation.carry_dye();
            let kernel = machine.kernel(&source, &[]).expect("a program");
            let (target, full) = target(&machine, Format::Rgba32F, size);
            Pass::new(&kernel)
                .read("dye", &dye.stream(&machine))
                .read("velocity", &velocity.stream(&machine))
                .set("size", extent(&settings))
                .set("dt", settings.dt as f32)
                .set("fade", settings.fade as f32)
                .draw(&target, &full)
                .expect("a pass");
            let single = fluid::carry_dye(&settings, &dye.twin(), &velocity.twin());
            let double = fluid::carry_dye(&settings, &dye.twin(), &velocity.twin());
            let bound = (roundings(settings.interpolation) + 1.0) * UNIT;
            let what = format!("{settings:?}");
            assert_rendered(&what, &target, (&single, &double), bound);
        }
    }
}

#[test]
fn the_picture_of_heights_is_that_of_its_twin() {
    let machine = machine();
    let painter = Painter::new(&machine).expect("programs");
    let mut random = SplitMix64::new(8);
    for size in WATER_SIZES {
        let settings = WaterSettings::new(size.0 as u32, size.1 as u32);
        let u = Field::<1>::random(size, &mut random);
        let mut gpu = Water::at_rest(&machine, settings).expect("sound settings");
        gpu.set(u.numbers(), u.numbers()).expect("of one size");
        let canvas = Canvas::with_samples(&machine, (32, 23), 1).expect("a canvas");
        // The brightest colour stands for a height of 1.
        painter
            .draw_water(&gpu, WaterShown::Height, 0.5, &canvas)
            .expect("a picture");
        let spacing = size.0 as f64 / 32.0;
        let single = signed_picture((32, 23), &u.twin(), spacing as f32, 1.0);
        let double = signed_picture((32, 23), &u.twin(), spacing, 1.0);
        // A height changes by at most 2 a cell in each direction, a colour by at most 2 with the
        // height; two mixtures of colours have 4 roundings each. Places are rounded once.
        let largest = size.0.max(size.1) as f64;
        let bound = (2.0 * (roundings(Interpolation::Linear) + 4.0 * largest) + 8.0) * UNIT;
        let what = format!("{size:?}");
        assert_rendered(&what, canvas.stream(), (&single, &double), bound);
    }
}

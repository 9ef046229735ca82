//! Every pass of kruger2003's simulations computes what its program says, from random states of
//! ugly sizes. For strokes and what is interpolated by cubics the bounds say little: `simulation_steps`
//! compares these with formulas.

use fragstream::kruger2003::simulation::picture::{Painter, WaterShown};
use fragstream::kruger2003::{Fluid, Water, WaterSettings};
use fragstream::picture::Canvas;
use fragstream::random::SplitMix64;

use crate::common::machine;
use crate::simulation_common::*;
use crate::witness::assert_faithful;

#[test]
fn passes_of_water_do_what_their_programs_say() {
    let machine = machine();
    let programs = [
        "kruger2003/water_right_hand_side",
        "kruger2003/diagonals",
        "stream/vector_op",
    ];
    let mut random = SplitMix64::new(1);
    assert_faithful(&programs, || {
        for &size in &WATER_SIZES[..5] {
            for settings in waters(size) {
                let [now, before] = [0; 2].map(|_| Field::<1>::random(size, &mut random));
                let mut water = Water::at_rest(&machine, settings).expect("sound settings");
                water
                    .set(now.numbers(), before.numbers())
                    .expect("of one size");
                for stroke in strokes(size) {
                    water.push(&stroke, -0.7).expect("a push");
                }
                water.step().expect("a step");
            }
        }
    });
}

#[test]
fn passes_of_fluid_do_what_their_programs_say() {
    let machine = machine();
    let programs = ["kruger2003/divergence", "kruger2003/project"];
    let mut random = SplitMix64::new(2);
    assert_faithful(&programs, || {
        for size in FLUID_SIZES {
            // All kinds of walls, and fewer on large grids.
            let step = if size.0 > 5 { 5 } else { 1 };
            for settings in fluids(size).into_iter().step_by(step) {
                // Places that the fluid comes from are exact: no floor depends on rounding.
                let framed = (size.0 + 4, size.1 + 4);
                let velocity = Field::<2>::coarse(framed, 4.0, &mut random);
                let mut fluid = Fluid::at_rest(&machine, settings).expect("sound settings");
                fluid
                    .velocity()
                    .write(velocity.numbers())
                    .expect("writable");
                let dye = Field::<4>::random(size, &mut random);
                fluid.dye().write(dye.numbers()).expect("writable");
                fluid.step().expect("a step");
                for stroke in strokes(size) {
                    fluid.push(&stroke, [0.5, -0.7]).expect("a push");
                    fluid.inject(&stroke, [0.6, 0.0, 0.7]).expect("dye");
                }
            }
        }
    });
}

#[test]
fn pictures_of_heights_are_what_their_program_says() {
    let machine = machine();
    let painter = Painter::new(&machine).expect("programs");
    // Not the others: their streaks and tiles are hashes, which rounding decides.
    let programs = ["kruger2003/signed_picture"];
    let mut random = SplitMix64::new(8);
    assert_faithful(&programs, || {
        for size in WATER_SIZES {
            let settings = WaterSettings::new(size.0 as u32, size.1 as u32);
            let u = Field::<1>::random(size, &mut random);
            let mut water = Water::at_rest(&machine, settings).expect("sound settings");
            water.set(u.numbers(), u.numbers()).expect("of one size");
            let canvas = Canvas::with_samples(&machine, (32, 23), 1).expect("a canvas");
            let drawn = painter.draw_water(&water, WaterShown::Height, 0.5, &canvas);
            drawn.expect("a picture");
        }
    });
}

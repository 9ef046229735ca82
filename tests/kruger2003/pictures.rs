//! Pictures have the colours of quantities that are known.

use fragstream::kruger2003::scenes::picture::{FluidShown, Painter, WaterShown};
use fragstream::kruger2003::{Fluid, FluidSettings, Water, WaterSettings};
use fragstream::picture::Canvas;

use crate::common::{assert_filled, machine};

#[test]
fn water_at_rest_is_dark_and_raised_water_has_the_colour_of_its_height() {
    let machine = machine();
    let mut water = Water::at_rest(&machine, WaterSettings::new(16, 12)).expect("sound");
    let canvas = Canvas::with_samples(&machine, (16, 12), 1).expect("a canvas");
    let painter = Painter::new(&machine).expect("programs");
    // At twice a typical height colours are brightest, at once it they are half way there.
    for (height, colour) in [
        (0.0, [0.006, 0.007, 0.012]),
        (1.0, [0.62, 0.16, 0.02]),
        (2.0, [1.0, 0.86, 0.48]),
        (-1.0, [0.02, 0.17, 0.55]),
    ] {
        let heights = [height; 16 * 12];
        water.set(&heights, &heights).expect("as many as cells");
        let drawn = painter.draw_water(&water, WaterShown::Height, 1.0, &canvas);
        drawn.expect("a picture");
        assert_filled(&canvas, colour, &format!("height {height}"));
    }
}

#[test]
fn dye_in_fluid_at_rest_shines_as_much_as_it_does_not_let_through() {
    let machine = machine();
    let fluid = Fluid::at_rest(&machine, FluidSettings::new(16, 12)).expect("sound");
    let light = [0.5_f32, 1.5, 0.1];
    let cell = [light[0], light[1], light[2], 0.0];
    let cells = cell.repeat(16 * 12);
    fluid.dye().write(&cells).expect("as many as cells");
    let canvas = Canvas::with_samples(&machine, (16, 12), 1).expect("a canvas");
    let painter = Painter::new(&machine).expect("programs");
    let draw = |shown| {
        let drawn = painter.draw_fluid(&fluid, shown, 1.0, &canvas);
        drawn.expect("a picture");
    };
    let ground = [0.010, 0.012, 0.022];
    let colour = std::array::from_fn(|k| ground[k] + 1.0 - (-light[k]).exp());
    for shown in [FluidShown::Dye, FluidShown::Streaks] {
        draw(shown);
        assert_filled(&canvas, colour, "dye");
    }
    draw(FluidShown::Velocity);
    assert_filled(&canvas, [0.008, 0.010, 0.030], "no speed");
}

//! Pictures of the fluid show its quantities in the colours that they should have.

use std::collections::HashSet;

use fragstream::bolz2003::fluid::domain::COLOURS;
use fragstream::bolz2003::fluid::picture as colours;
use fragstream::bolz2003::fluid::{Domain, Dye, Fluid, Painter, Particles, Shown};
use fragstream::picture::Canvas;
use fragstream::picture::colour::Linear;
use fragstream::picture::colour::oklab::{colour, table};

use super::closed;
use crate::common::{assert_filled, machine};

/// The colour of a share from 0 to 1, between the two nearest ones of a table.
fn between(table: &[Linear], share: f32) -> Linear {
    let place = share * (table.len() - 1) as f32;
    let below = table[place as usize];
    let above = table[(place as usize + 1).min(table.len() - 1)];
    std::array::from_fn(|light| below[light] + place.fract() * (above[light] - below[light]))
}

#[test]
fn a_fluid_that_turns_or_drifts_has_one_vorticity_one_speed_and_their_colours() {
    let machine = machine();
    let domain = Domain::new(&machine, closed(33, 17)).unwrap();
    let painter = Painter::new(&domain, 4.0).unwrap();
    let canvas = Canvas::with_samples(&machine, (32, 16), 1).unwrap();
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    let nodes = || (0..domain.grid().nodes()).map(|place| domain.grid().node(place));
    let draw = |fluid: &Fluid, shown| painter.draw(fluid, shown, None, None, &canvas).unwrap();

    // Of a rotation by ω the vorticity is 2ω at every node, those on the sides included.
    let turns: Vec<[f32; 2]> =
        nodes().map(|[i, j]| [-0.0625 * j as f32, 0.0625 * i as f32]).collect();
    fluid.set_velocity(&turns).unwrap();
    let vorticity = painter.vorticity(&fluid).unwrap();
    assert!(vorticity.iter().all(|found| (found - 0.125).abs() < 1e-5));
    // An eighth of the typical speed is as bright as can be.
    draw(&fluid, Shown::Vorticity);
    let signed = table(&colours::SIGNED, COLOURS);
    assert_filled(&canvas, between(&signed, 0.5 + 0.5 * 0.125 / 0.5), "vorticity");

    fluid.set_velocity(&vec![[1.8, 2.4]; domain.grid().nodes()]).unwrap();
    draw(&fluid, Shown::Speed);
    let rising = table(&colours::RISING, COLOURS);
    assert_filled(&canvas, between(&rising, 3.0 / 4.8), "speed");

    let dye = Dye::new(&domain).unwrap();
    let shares: Vec<f32> = nodes().flat_map(|_| [0.3, 0.5]).collect();
    dye.concentrations().write(&shares).unwrap();
    painter.draw(&fluid, Shown::Dye, Some(&dye), None, &canvas).unwrap();
    let [ground, lower, upper] = colours::DYES.map(colour);
    let mixed = |light: usize| 0.2 * ground[light] + 0.3 * lower[light] + 0.5 * upper[light];
    assert_filled(&canvas, std::array::from_fn(mixed), "dye");
}

#[test]
fn a_sample_in_which_a_particle_is_born_has_the_colour_of_young_ones_and_no_other_has() {
    let machine = machine();
    let domain = Domain::new(&machine, closed(33, 17)).unwrap();
    let painter = Painter::new(&domain, 4.0).unwrap();
    let (width, height) = (128, 64);
    let canvas = Canvas::with_samples(&machine, (width, height), 1).unwrap();
    let fluid = Fluid::at_rest(&domain).unwrap();
    let particles = Particles::new(&domain, 1).unwrap();
    let drawn = painter.draw(&fluid, Shown::Speed, None, Some(&particles), &canvas);
    drawn.unwrap();
    let sample = |[x, y, _]: [f32; 3]| {
        let [x, y] = [(x - 0.5) * 4.0, (y - 0.5) * 4.0].map(|place| place as usize);
        x + y * width as usize
    };
    let born: HashSet<usize> = particles.read().unwrap().into_iter().map(sample).collect();
    let [_, young] = colours::PARTICLES.map(colour);
    let [ground, ..] = table(&colours::RISING, COLOURS)[..] else {
        panic!("no colours");
    };
    for (place, pixel) in canvas.stream().read().unwrap().chunks(4).enumerate() {
        let expected = if born.contains(&place) { young } else { ground };
        let off = pixel.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f32::max) < 1e-6, "{place}: {pixel:?}");
    }
    assert!(born.len() > 100 && born.len() < 4000, "{}", born.len());
}

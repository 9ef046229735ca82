//! A liquid that the mouse pushes and pours.

use fragstream::batty2003::scenes::flip::Scene;
use fragstream::batty2003::scenes::liquid;
use fragstream::batty2003::{Preconditioner, host_solver};
use fragstream::scene::{Push, Scene as _, Tool};
use fragstream::solver::Criteria;

use crate::common::machine;

/// A dam in a box of 8³ cells.
fn dam() -> liquid::Scene {
    let machine = machine();
    let solver = host_solver::<f64>(Preconditioner::Mic);
    liquid::Scene::new(&machine, Scene::dam(8), Box::new(solver), Criteria::default())
        .expect("a scene")
}

fn push(tool: Tool, from: [f32; 2], to: [f32; 2]) -> Push {
    Push { from, to, way: 1.0, radius: 1.0, tool, begins: false, stroke: 0 }
}

/// The mean velocity of all particles.
fn mean_velocity(scene: &liquid::Scene) -> [f64; 3] {
    let particles = scene.liquid.particles();
    let sum = |axis: usize| particles.iter().map(|p| f64::from(p.velocity[axis])).sum::<f64>();
    [0, 1, 2].map(|axis| sum(axis) / particles.len() as f64)
}

#[test]
fn the_middle_of_the_window_is_the_middle_of_the_box() {
    let [x, y] = dam().cell(0, [0.5, 0.5]).expect("a cell");
    assert!((x - 4.0).abs() < 1e-3 && (y - 4.0).abs() < 1e-3, "{x} {y}");
    let [right, up] = dam().cell(0, [0.6, 0.7]).expect("a cell");
    assert!(right > x && up > y);
}

#[test]
fn a_stroke_pushes_the_liquid_along_and_the_other_button_pours() {
    let mut scene = dam();
    scene.push(&push(Tool::First, [1.0, 2.0], [2.0, 3.0])).expect("a stroke");
    let [x, y, z] = mean_velocity(&scene);
    assert!(x > 0.01 && (x - y).abs() < 1e-6 && z == 0.0, "{x} {y} {z}");
    let before = scene.liquid.particles().len();
    scene.push(&push(Tool::Second, [6.0, 6.0], [6.0, 6.0])).expect("a click");
    assert!(scene.liquid.particles().len() > before);
    scene.reset().expect("a reset");
    assert_eq!(scene.liquid.steps(), 0);
    assert_eq!(mean_velocity(&scene), [0.0; 3]);
    *scene.motion().expect("a tap") = true;
    scene.step(false).expect("a step");
    assert!(scene.liquid.particles().len() > before);
}

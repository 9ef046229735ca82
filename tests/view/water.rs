//! Water that the mouse pushes.

use fragstream::kruger2003::WaterSettings;
use fragstream::kruger2003::scenes::water::{Scene, Settings};
use fragstream::scene::{Push, Scene as _, Tool};

use crate::common::machine;

#[test]
fn a_long_stroke_of_the_mouse_neither_drains_nor_floods_the_water() {
    let settings = Settings { water: WaterSettings::new(64, 64), ..Settings::default() };
    let mut scene = Scene::new(&machine(), &settings).expect("a scene");
    for (stroke, tool) in [Tool::First, Tool::First, Tool::Second].into_iter().enumerate() {
        let (from, to) = ([20.0, 24.0], [44.0, 36.0 + stroke as f32]);
        let push = Push { from, to, way: 27.0, radius: 3.0, tool, begins: false, stroke };
        scene.push(&push).expect("a stroke");
    }
    let streams = scene.streams();
    let heights: Vec<Vec<f32>> =
        streams.iter().map(|(_, stream)| stream.read().expect("heights")).collect();
    let pushed = heights.iter().find(|heights| heights.iter().any(|&height| height != 0.0));
    let pushed = pushed.expect("a surface that was pushed");
    let sum: f64 = pushed.iter().map(|&height| f64::from(height)).sum();
    let moved: f64 = pushed.iter().map(|&height| f64::from(height.abs())).sum();
    assert!(moved > 1.0 && sum.abs() < 1e-3 * moved, "{sum} of {moved}");
}

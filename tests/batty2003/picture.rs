//! The liquid in its glass box: light that is conserved, and what a picture is made of.

use fragstream::batty2003::liquid::{Field, Scene, Shape};
use fragstream::batty2003::picture::bodies::bodies;
use fragstream::batty2003::picture::floor_light::{FloorLight, SUN};
use fragstream::batty2003::picture::{GlassBox, Surface};
use fragstream::picture::Canvas;
use fragstream::stream::Machine;

const N: usize = 16;

fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// A pool in a box of one metre, as deep as this at a place x, z.
fn pool(depth: impl Fn(f64, f64) -> f64) -> Surface {
    let spacing = 1.0 / N as f64;
    let mut values = Vec::new();
    for k in 0..N {
        for j in 0..N {
            for i in 0..N {
                let [x, y, z] = [i, j, k].map(|at| (at as f64 + 0.5) * spacing);
                values.push((y - depth(x, z)) as f32);
            }
        }
    }
    Surface::of(&Field::new([N; 3], [0.5 * spacing; 3], spacing, values).expect("a field"))
}

/// What triangles of positions and more keep from the floor, as an area: each of those that the lamp
/// sees, along its light.
fn shadow(vertices: &[f32], numbers: usize) -> f64 {
    let triangles = vertices.chunks_exact(3 * numbers);
    let areas = triangles.map(|triangle| {
        let corner = |k: usize| [0, 1, 2].map(|axis| f64::from(triangle[k * numbers + axis]));
        let [a, b, c] = [0, 1, 2].map(corner);
        let [u, v] = [b, c].map(|end| [0, 1, 2].map(|axis| end[axis] - a[axis]));
        let cross = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
        let across = [cross(1, 2), cross(2, 0), cross(0, 1)];
        let towards: f64 = (0..3).map(|k| across[k] * f64::from(SUN[k])).sum();
        towards.max(0.0) / 2.0 / f64::from(SUN[1])
    });
    areas.sum()
}

/// The sum over the floor of what a channel has more than 1, as an area.
fn surplus(light: &FloorLight, channel: usize) -> f64 {
    let [_, _, wide, long] = light.region.map(f64::from);
    let texels = light.stream.read().expect("the light");
    let sum: f64 = texels
        .chunks_exact(4)
        .map(|texel| f64::from(texel[channel]) - 1.0)
        .sum();
    sum * wide * long / (texels.len() / 4) as f64
}

#[test]
fn waves_bundle_light_and_lose_none_but_what_the_surface_mirrors() {
    let waves = pool(|x, z| 0.4 + 0.02 * (9.0 * x).sin() + 0.02 * (7.0 * z + 3.0 * x).cos());
    let light = FloorLight::new(&machine(), &[], [1.0; 3]).expect("a floor");
    light.draw(&waves, [0.0; 3]).expect("light");
    let [all, _] = waves.by_side([[0.0; 3], [1.0; 3]], |_, _| true);
    let shaded = shadow(&all, 6);
    assert!(shaded > 1.0, "{shaded}");
    let lost = -surplus(&light, 1) / shaded;
    assert!((lost - 0.03).abs() < 0.01, "{lost}");
    let texels = light.stream.read().expect("the light");
    let brightest = texels
        .chunks_exact(4)
        .map(|texel| texel[1])
        .fold(0.0, f32::max);
    assert!(brightest > 1.3, "{brightest}");
}

#[test]
fn solids_cast_shadows_of_their_size() {
    let solids = [
        Shape::Box {
            from: [0.3, 0.0, 0.3],
            to: [0.5, 0.6, 0.5],
        },
        Shape::Sphere {
            centre: [0.7, 0.3, 0.6],
            radius: 0.15,
        },
    ];
    let standing = bodies(&solids, [1.0; 3]);
    let light = FloorLight::new(&machine(), &standing, [1.0; 3]).expect("a floor");
    light.draw(&Surface::default(), [0.0; 3]).expect("light");
    let shaded = shadow(&standing, 9);
    let found = -surplus(&light, 3);
    assert!((found / shaded - 1.0).abs() < 0.03, "{found} for {shaded}");
    assert_eq!(surplus(&light, 0), 0.0);
}

#[test]
fn a_picture_is_four_passes_over_six_drawings_and_liquid_is_blue() {
    let machine = machine();
    let mut glass_box = GlassBox::new(&machine, &Scene::empty(N)).expect("a box");
    let canvas = Canvas::new(&machine, 40, 30).expect("a canvas");
    let mut redness = |surface: &Surface| {
        machine.take_ledger();
        glass_box.draw(surface, &canvas).expect("a picture");
        let ledger = machine.take_ledger();
        assert_eq!((ledger.total().passes, ledger.drawn_outside), (4, 6));
        let picture = canvas.image().expect("a picture");
        // The middle of the box, and the upper left corner of the picture.
        [(20, 17), (1, 1)].map(|(x, y)| {
            let [red, _, blue] = picture.get_pixel(x, y).0.map(f64::from);
            red / blue
        })
    };
    let [dry, corner] = redness(&Surface::default());
    let [wet, same] = redness(&pool(|_, _| 0.8));
    assert!(wet < 0.6 * dry, "{wet} {dry}");
    assert_eq!(corner, same);
}

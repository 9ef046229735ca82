//! The liquid in its glass box: light that is conserved, and what a picture is made of.

mod programs;

use fragstream::batty2003::scenes::flip::{Scene, Shape};
use fragstream::batty2003::scenes::picture::{FloorLight, SUN};
use fragstream::batty2003::scenes::picture::{GlassBox, Surface};
use fragstream::mesh::TriangleMesh;
use fragstream::picture::{Camera, Canvas};

use crate::common::geometry::{dot, minus, norm, unit};
use crate::common::machine;

const N: usize = 16;

/// Where a function of the place is zero in a box of one metre.
fn surface(phi: impl Fn([f64; 3]) -> f64) -> Surface {
    crate::batty2003::surface::surface([N; 3], phi)
}

/// A pool as deep as this at a place x, z.
fn pool(depth: impl Fn(f64, f64) -> f64) -> Surface {
    surface(|[x, y, z]| y - depth(x, z))
}

/// The exact light of a triangle that the surface has bent: a place on the floor for each corner, how far
/// it is from there, and how much brighter the light is.
#[test]
fn light_lands_where_snell_s_law_says_as_bright_as_it_is_bundled_and_absorbed() {
    let positions = [[0.4_f64, 0.9, 0.35], [0.5, 0.95, 0.8], [0.75, 0.9, 0.45]];
    let tilts = [[0.2, 0.1], [-0.2, 0.15], [0.1, -0.25]];
    let normals = tilts.map(|[x, z]: [f64; 2]| unit([x, 1.0, z]));
    let triangle = Surface {
        mesh: TriangleMesh { positions: positions.to_vec(), triangles: vec![[0, 1, 2]] },
        normals: normals.map(|normal| normal.map(|v| v as f32)).to_vec(),
    };
    let absorbed = [0.8, 0.3, 0.1];
    let light = FloorLight::new(&machine(), &[], [1.0; 3]).expect("a floor");
    light.draw(&triangle, absorbed.map(|a| a as f32)).expect("light");
    let texels = light.stream.read().expect("the light");
    let sun = SUN.map(f64::from);
    let [left, front, wide, long] = light.region.map(f64::from);
    let side = (texels.len() as f64 / 4.0).sqrt();
    let corners = [0, 1, 2].map(|k| {
        let [x, y, z] = positions[k];
        let normal = normals[k];
        let facing = dot(sun, normal);
        let bent = (1.0 - 0.75 * 0.75 * (1.0 - facing * facing)).sqrt();
        let onward =
            [0, 1, 2].map(|axis| -0.75 * sun[axis] + (0.75 * facing - bent) * normal[axis]);
        let way = -y / onward[1];
        let texel = |x: f64, z: f64| [(x - left) / wide * side, (z - front) / long * side];
        let straight = texel(x - y / sun[1] * sun[0], z - y / sun[1] * sun[2]);
        (straight, texel(x + way * onward[0], z + way * onward[2]), way)
    });
    let area =
        |[a, b, c]: [[f64; 2]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let (straight, landed) = (corners.map(|c| c.0), corners.map(|c| c.1));
    let bundled = (area(straight) / area(landed)).abs();
    assert!((bundled - 1.0).abs() > 0.05, "{bundled}");
    let mut found = [0; 2];
    for (texel, light) in texels.chunks_exact(4).enumerate() {
        let at = [texel % side as usize, texel / side as usize].map(|i| i as f64 + 0.5);
        // Shares of the corners; all of them well above zero inside.
        let shares = |[a, b, c]: [[f64; 2]; 3]| {
            [[at, b, c], [a, at, c], [a, b, at]].map(|part| area(part) / area([a, b, c]))
        };
        let least = |corners| shares(corners).into_iter().fold(1.0, f64::min);
        let (taken, put) = (least(straight), least(landed));
        if taken.abs() < 0.05 || put.abs() < 0.05 {
            continue;
        }
        let way: f64 = (0..3).map(|k| shares(landed)[k] * corners[k].2).sum();
        for (channel, absorbed) in absorbed.into_iter().enumerate() {
            let mut expected = 1.0;
            if taken > 0.0 {
                expected -= 1.0;
            }
            if put > 0.0 {
                expected += 0.97 * bundled * (-way * absorbed).exp();
            }
            let is = f64::from(light[channel]);
            assert!((is - expected).abs() < 1e-3, "{is} for {expected} at {at:?}");
        }
        found[0] += usize::from(taken > 0.0);
        found[1] += usize::from(put > 0.0);
    }
    assert!(found[0] > 200 && found[1] > 200, "{found:?}");
}

/// How deep rays meet a ball, its normal there, and what a picture holds of it.
fn on_ball<'a>(
    camera: &'a Camera,
    (width, height): (u32, u32),
    (centre, radius): ([f64; 3], f64),
    texels: &'a [f32],
) -> impl Iterator<Item = (f64, [f64; 3], &'a [f32])> {
    texels.chunks_exact(4).enumerate().filter_map(move |(k, texel)| {
        let (x, y) = (k as u32 % width, k as u32 / width);
        let place = [(x, width), (y, height)].map(|(at, side)| (at as f32 + 0.5) / side as f32);
        let ray = camera.ray(place).map(f64::from);
        let from = minus(camera.eye.map(f64::from), centre);
        let (square, half) = (dot(ray, ray), dot(ray, from));
        let inside = half * half - square * (dot(from, from) - radius * radius);
        // Well inside of its edge.
        (inside > 0.3 * square * radius * radius).then(|| {
            let depth = (-half - inside.sqrt()) / square;
            (depth, [0, 1, 2].map(|axis| (from[axis] + depth * ray[axis]) / radius), texel)
        })
    })
}

#[test]
fn solids_and_the_surface_are_seen_where_rays_meet_them_lit_by_their_normals() {
    let machine = machine();
    let size = (60, 60);
    let canvas = Canvas::with_samples(&machine, size, 1).expect("a canvas");
    let [solid, ball] = [([0.7, 0.3, 0.6], 0.2), ([0.3, 0.65, 0.4], 0.2)];
    let mut scene = Scene::empty(N);
    scene.solids.push(Shape::Sphere { centre: solid.0, radius: solid.1 });
    let mut glass_box = GlassBox::new(&machine, &scene).expect("a box");
    let liquid = surface(|at| norm(minus(at, ball.0)) - ball.1);
    glass_box.draw(&liquid, &canvas).expect("a picture");
    let camera = glass_box.camera(1.0);
    let stream = |name: &str| {
        let mut streams = glass_box.streams().into_iter();
        let (_, stream) = streams.find(|(held, _)| held == name).expect(name);
        stream.read().expect("readable")
    };
    let seen = stream("normal and depth of the surface");
    let mut count = 0;
    for (depth, normal, texel) in on_ball(&camera, size, ball, &seen) {
        assert!((f64::from(texel[3]) - depth).abs() < 0.02, "{depth} {texel:?}");
        let seen = [texel[0], texel[1], texel[2]].map(f64::from);
        assert!(dot(normal, seen) > 0.99, "{normal:?} {texel:?}");
        count += 1;
    }
    let seen = stream("light and depth of solids");
    let sun = SUN.map(f64::from);
    for (depth, normal, texel) in on_ball(&camera, size, solid, &seen) {
        assert!((f64::from(texel[3]) - depth).abs() < 0.005, "{depth} {texel:?}");
        let place = [0, 1, 2].map(|axis| solid.0[axis] + solid.1 * normal[axis]);
        let to_eye = unit(minus(camera.eye.map(f64::from), place));
        let halfway = unit([0, 1, 2].map(|axis| sun[axis] + to_eye[axis]));
        let gloss = 0.25 * dot(normal, halfway).max(0.0).powi(60);
        let key = dot(normal, sun).max(0.0);
        let fill = 0.5 + 0.5 * normal[1];
        // The floor darkens what is nearer to it than twelve centimetres.
        assert!(place[1] > 0.12);
        for channel in 0..3 {
            let around = [0.16, 0.17, 0.19][channel] + [0.34, 0.37, 0.40][channel] * fill;
            let light = around + [0.62, 0.60, 0.56][channel] * key;
            let expected = [0.78, 0.47, 0.26][channel] * light + gloss;
            let is = f64::from(texel[channel]);
            assert!((is - expected).abs() < 0.02, "{is} for {expected}, {normal:?}");
        }
        count += 1;
    }
    assert!(count > 100, "{count}");
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

//! The passes of the picture, interpreted: what one ray sees, where optics says it.

use fragstream::program::interpret::{Program, Run, Texture};

use crate::common::{drawn, interpreted, mix};

const CAMERA: &str = include_str!("../../../glsl/batty2003/picture/camera.glsl");
const STUDIO: &str = include_str!("../../../glsl/batty2003/picture/studio.glsl");
const BACKDROP: &str = include_str!("../../../glsl/batty2003/picture/backdrop.frag");
const GLASS: &str = include_str!("../../../glsl/batty2003/picture/glass.frag");
const LIQUID: &str = include_str!("../../../glsl/batty2003/picture/liquid.frag");

/// The wall where it meets the floor, and its upper end.
const HORIZON: [f64; 3] = [0.90, 0.92, 0.94];
const HEIGHT: [f64; 3] = [0.50, 0.62, 0.76];

/// What a liquid scatters where it is deep.
const SCATTERED: [f64; 3] = [0.010, 0.17, 0.27];

fn smoothstep(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The wall, so far above the horizon as the sine of an angle.
fn wall(rise: f64) -> [f64; 3] {
    mix(HORIZON, HEIGHT, smoothstep(0.0, 0.9, rise))
}

/// One record for all texels.
fn everywhere(record: [f64; 4]) -> Texture<f64> {
    Texture::new((1, 1), 4, record.to_vec())
}

/// A run for a picture of one row, an eye that looks along a vector, and the picture's width there.
fn seen<'a>(
    program: &'a Program,
    columns: u32,
    eye: [f64; 3],
    forward: [f64; 3],
    right: [f64; 3],
) -> Run<'a, f64> {
    Run::new(program)
        .set("picture", [f64::from(columns), 1.0])
        .set("eye", eye)
        .set("forward", forward)
        .set("right", right)
        .set("up", [0.0, 0.0, 1.0])
}

/// Constants of the programs are in single precision.
fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    for (is, should) in found.iter().zip(expected) {
        let off = (is - should).abs();
        assert!(off < 2e-6 * should.abs().max(1.0), "{what}: {found:?} for {expected:?}");
    }
}

#[test]
fn the_room_is_pale_at_the_horizon_and_its_lamp_is_a_rectangle_above() {
    let program =
        interpreted(&[STUDIO, "uniform vec3 ray;\nvoid main() { result = vec4(ROOM(ray), 1.0); }"]);
    let lit = |[x, z]: [f64; 2], share: f64| {
        let wall = wall(1.0 / (1.0 + x * x + z * z).sqrt());
        let lamp = [1.3, 1.26, 1.18];
        ([x, 1.0, z], [0, 1, 2].map(|k| wall[k] + share * lamp[k]))
    };
    for (ray, expected) in [
        ([2.0, 0.0, 0.0], HORIZON),
        ([0.0, -3.0, 0.0], [0.48, 0.50, 0.52]),
        ([0.0, -0.7, -0.51_f64.sqrt()], [0.48, 0.50, 0.52]),
        ([3.0, -1e-9, 0.0], [0.74, 0.75, 0.76]),
        lit([-0.45, 0.25], 1.0),
        lit([2.0, 0.25], 0.0),
        lit([-0.45, -0.2], 0.0),
        // Half-way up its soft edges.
        lit([-0.45 + 0.535, 0.25], 0.5),
        lit([-0.45, 0.25 - 0.34], 0.5),
    ] {
        let found = drawn(Run::new(&program).set("ray", ray), (1, 1));
        assert_near(&found[0][..3], &expected, &format!("along {ray:?}"));
    }
}

#[test]
fn the_floor_has_lines_light_where_it_lands_and_less_of_it_at_the_box() {
    let program = interpreted(&[CAMERA, STUDIO, BACKDROP]);
    // Light on one half, a solid's shadow on the other.
    let (side, shine) = (30, 1.5);
    let texels = (0..side * side).flat_map(|texel| {
        let is_lit = texel % side < side / 2;
        [shine, shine, shine, if is_lit { 1.0 } else { 0.0 }]
    });
    let light = Texture::new((side, side), 4, texels.collect());
    let look = |eye, forward, body| {
        let bodies = everywhere(body);
        let run = seen(&program, 1, eye, forward, [1.0, 0.0, 0.0])
            .read("bodies", &bodies)
            .read("light", &light)
            .set("region", [-1.0, -1.0, 3.0, 3.0])
            .set("texels", [side as f64; 2])
            .set("extent", [1.0, 0.8, 1.0])
            .set("line", [0.2]);
        drawn(run, (1, 1))[0]
    };
    // Four fifths of a ray's way are down.
    let (forward, depth) = ([0.6, -0.8, 0.0], 1.5);
    let none = [0.0; 4];
    // In the last lit column: light is blurred over five texels, by a Gaussian of one.
    let [middle, beside, end] = [0.0_f64, 0.5, 2.0].map(|half_square| (-half_square).exp());
    let lit = (middle + beside + end) / (middle + 2.0 * (beside + end));
    // Where, how much of a line is there, how far from the box, how bright the light.
    for (place, line, away, light) in [
        ([0.1, 0.5], 0.0, 0.0, shine),
        ([0.9, 0.5], 0.0, 0.0, 0.0),
        ([0.45, 0.5], 0.0, 0.0, lit * shine),
        ([0.2, 0.5], 1.0, 0.0, shine),
        ([0.1, 0.6], 1.0, 0.0, shine),
        ([0.1, 0.6 + 1.5 * (0.0015 + 0.0008 * 1.5)], 0.5, 0.0, shine),
        ([-0.3, 0.5], 0.0, 0.3, shine),
    ] {
        let [x, z] = place;
        let paint = mix([0.80, 0.81, 0.82], [0.50, 0.55, 0.60], line * f64::exp(-0.35 * depth));
        let open = 1.0 - 0.22 * (-8.0 * away / 0.8_f64).exp();
        let expected = [0, 1, 2]
            .map(|k| paint[k] * (open * [0.44, 0.45, 0.47][k] + light * [0.50, 0.49, 0.47][k]));
        let found = look([x - 0.6 * depth, 0.8 * depth, z], forward, none);
        assert_near(&found[..3], &expected, &format!("at {place:?}"));
        assert_near(&found[3..], &[depth], "depth");
    }
    let body = [0.1, 0.2, 0.3, 1.1];
    assert_eq!(look([0.3, 1.2, 0.5], forward, body), body);
    // Not where the floor is nearer.
    assert_near(&look([0.3, 0.8, 0.5], forward, body)[3..], &[1.0], "depth");
    let far = look([0.5, 6.0, 0.5], [0.8, -0.6, 0.0], none);
    assert_near(&far[..3], &HORIZON, "the floor far away");
    assert_near(&far[3..], &[10.0], "depth far away");
    let above = look([0.5, 6.0, 0.5], [0.8, 0.6, 0.0], none);
    assert_near(&above[..3], &wall(0.6), "above");
}

#[test]
fn panes_mirror_as_schlick_says_and_the_top_is_open() {
    let program = interpreted(&[CAMERA, STUDIO, GLASS]);
    let scene = [0.2, 0.3, 0.1];
    let (sine, cosine) = (0.75_f64.sqrt(), 0.5);
    for (eye, forward, depth, mirrored) in [
        ([0.5, 0.4, 3.0], [0.0, 0.0, -1.0], 2.5, 0.04),
        // At an angle of 60 degrees, two metres before the pane.
        (
            [0.5 - 2.0 * sine, 0.4, 1.0 + 2.0 * cosine],
            [sine, 0.0, -cosine],
            2.5,
            0.04 + 0.96 / 32.0,
        ),
        ([0.5, 0.4, 3.0], [0.0, 0.0, -1.0], 1.0, 0.0),
        ([0.5, 3.0, 0.5], [0.0, -1.0, 0.0], 3.0, 0.0),
        ([1.5, 0.4, 3.0], [0.0, 0.0, -1.0], 9.0, 0.0),
    ] {
        let [r, g, b] = scene;
        let inside = everywhere([r, g, b, depth]);
        let run = seen(&program, 1, eye, forward, [1.0, 0.0, 0.0])
            .read("inside", &inside)
            .set("extent", [1.0, 0.8, 1.0]);
        let expected = mix(scene, HORIZON, 0.8 * mirrored);
        let what = format!("from {eye:?} along {forward:?}");
        assert_near(&drawn(run, (1, 1))[0][..3], &expected, &what);
    }
}

/// What a metre of liquid absorbs.
const ABSORBED: [f64; 3] = [4.0, 1.0, 0.5];

/// What is behind so much liquid.
fn through(behind: [f64; 3], way: f64) -> [f64; 3] {
    [0, 1, 2].map(|k| {
        let passed = (-way * ABSORBED[k]).exp();
        SCATTERED[k] + passed * (behind[k] - SCATTERED[k])
    })
}

#[test]
fn a_liquid_shows_the_floor_where_snell_s_law_says_and_mirrors_as_schlick_does() {
    let program = interpreted(&[CAMERA, STUDIO, LIQUID]);
    // Level at half a metre; the eye two metres up, its ray 60 degrees off the vertical.
    let (sine, cosine) = (0.75_f64.sqrt(), 0.5);
    let eye = [0.5 - 3.0 * sine, 2.0, 0.5];
    let (columns, width) = (33, 0.3);
    let texels = |record: &dyn Fn(f64) -> [f64; 4]| {
        let records = (0..columns).flat_map(|column| record(f64::from(column)));
        Texture::new((columns as usize, 1), 4, records.collect())
    };
    let middle = 16.0;
    let colour = |column: f64| [0.02 * column, 0.5, 0.25];
    let behind = texels(&|column| {
        let [r, g, b] = colour(column);
        [r, g, b, if column == middle { 4.0 } else { 3.5 }]
    });
    let entry = everywhere([0.0, 1.0, 0.0, 3.0]);
    let leave = texels(&|column| match column == middle {
        true => [0.0, -1.0, 0.0, 4.0],
        false => [0.0; 4],
    });
    let right = [width * cosine, width * sine, 0.0];
    let run = seen(&program, columns, eye, [sine, -cosine, 0.0], right)
        .read("behind", &behind)
        .read("entry", &entry)
        .read("leave", &leave)
        .set("extent", [2.0, 1.0, 1.0])
        .set("absorbed", ABSORBED);
    let found = drawn(run, (columns, 1))[middle as usize];
    // Snell: sines are as 4 to 3. From the surface to the floor, then back to the eye.
    let bent: f64 = (0.75 * sine).asin();
    let way = 0.5 / bent.cos();
    let apart = std::f64::consts::FRAC_PI_3 - bent;
    let (off, depth) = (way * apart.sin(), 3.0 + way * apart.cos());
    let column = (middle + 0.5 - off / depth / width * f64::from(columns)).floor();
    assert!((5.0..16.0).contains(&column), "{column}");
    let expected = mix(through(colour(column), way), wall(cosine), 0.02 + 0.98 / 32.0);
    assert_near(&found[..3], &expected, "the floor");
    assert_near(&found[3..], &[3.0], "depth");
}

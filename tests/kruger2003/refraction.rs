//! What is seen through still water lies where Snell's law says.

use fragstream::kruger2003::scenes::picture::{Painter, WaterShown, over};
use fragstream::kruger2003::{Water, WaterSettings};
use fragstream::picture::Canvas;

use crate::common::machine;

/// The basin is as wide and as long as 1; its depth, the side of a tile, and where the sun stands.
const DEPTH: f64 = 0.22;
const TILE: f64 = 0.0625;
const SUN: [f64; 3] = [-0.2, 0.662, 0.7223];
/// What a way of 1 under water takes of red and of green light: exp of minus so much is left.
const ABSORBED: [f64; 2] = [2.6, 0.75];
/// Red over green light, of tiles and of the joints between.
const COLOURS: [f64; 2] = [0.36 / 0.70, 0.80 / 0.88];

/// Red and green light of the sky.
fn sky(ray: [f64; 3]) -> [f64; 2] {
    let share = ray[2].clamp(0.0, 1.0).powf(0.55);
    let toward = toward_the_sun(ray);
    let sun = 0.25 * toward.powi(24) + 14.0 * toward.powi(900);
    let mix = |low: f64, high: f64| low + share * (high - low);
    [mix(0.78, 0.10) + sun, mix(0.87, 0.28) + 0.93 * sun]
}

fn toward_the_sun(ray: [f64; 3]) -> f64 {
    let product: f64 = ray.iter().zip(SUN).map(|(a, b)| a * b).sum();
    product.max(0.0)
}

#[test]
fn joints_of_tiles_are_seen_where_snell_s_law_says() {
    let machine = machine();
    let water = Water::at_rest(&machine, WaterSettings::new(32, 32)).expect("sound");
    let (width, height) = (160, 120);
    let canvas = Canvas::with_samples(&machine, (width, height), 1).expect("a canvas");
    let painter = Painter::new(&machine).expect("programs");
    let drawn = painter.draw_water(&water, WaterShown::Surface, 0.5, &canvas);
    drawn.expect("a picture");
    let light = canvas.stream().read().expect("readable");
    let camera = over(1.0, width as f32 / height as f32);
    let inside = |place: [f64; 2]| place.iter().all(|p| (0.0..=1.0).contains(p));
    let mut seen = [0, 0];
    for texel in 0..width * height {
        let place = [texel % width, texel / width].map(|v| v as f32 + 0.5);
        let ray = camera.ray([place[0] / width as f32, place[1] / height as f32]);
        let ray = ray.map(f64::from);
        let length = ray.iter().map(|r| r * r).sum::<f64>().sqrt();
        let ray = ray.map(|r| r / length);
        let way = f64::from(camera.eye[2]) / -ray[2];
        let surface = [0, 1].map(|k| f64::from(camera.eye[k]) + way * ray[k]);
        let reflected = [ray[0], ray[1], -ray[2]];
        if ray[2] >= 0.0 || !inside(surface) || toward_the_sun(reflected) > 0.95 {
            continue;
        }
        // sin t = 3/4 sin i, in the plane of the ray and the vertical.
        let sine = ray[0].hypot(ray[1]);
        let below = 0.75 * sine;
        let cosine = (1.0 - below * below).sqrt();
        let bottom = [0, 1].map(|k| surface[k] + ray[k] / sine * DEPTH * below / cosine);
        if !inside(bottom) {
            continue;
        }
        let away = bottom.map(|b| ((b / TILE).fract() - 0.5).abs());
        let kind = match away[0].max(away[1]) {
            away if away < 0.46 => 0,
            away if away > 0.49 => 1,
            _ => continue,
        };
        let mirrored = 0.02 + 0.98 * (1.0 + ray[2]).powi(5);
        let above = sky(reflected);
        let of_bottom = [0, 1].map(|channel| {
            let light = f64::from(light[4 * texel as usize + channel]);
            let through = (light - mirrored * above[channel]) / (1.0 - mirrored);
            through * (ABSORBED[channel] * DEPTH / cosine).exp()
        });
        let ratio = of_bottom[0] / of_bottom[1];
        assert!(
            (ratio / COLOURS[kind] - 1.0).abs() < 0.02,
            "{ratio} for {} at {place:?}",
            COLOURS[kind]
        );
        seen[kind] += 1;
    }
    assert!(seen[0] > 1000 && seen[1] > 50, "{seen:?}");
}

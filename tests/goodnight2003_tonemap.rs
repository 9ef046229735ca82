//! Tone mapping: kernels beside their twins, and what must come out.

use fragstream::goodnight2003::tonemap::attenuation::attenuation;
use fragstream::goodnight2003::tonemap::colour::{DisplayRange, colours_shown};
use fragstream::goodnight2003::tonemap::luminance::{Scene, log_luminance};
use fragstream::goodnight2003::tonemap::source::{divergence, problem};
use fragstream::goodnight2003::tonemap::twin::{self, Field};
use fragstream::goodnight2003::tonemap::ToneMapSettings;
use fragstream::io::hdr::HdrImage;
use fragstream::solver::multigrid::{Cycle, default_criteria};
use fragstream::stream::{Format, Machine, Stream};

/// Widths and heights: single rows and columns, odd ones, and enough for two levels.
const SIZES: [(u32, u32); 8] = [
    (1, 1),
    (1, 7),
    (2, 2),
    (3, 2),
    (5, 9),
    (16, 16),
    (33, 7),
    (70, 65),
];

/// The unit roundoff of single precision.
const ROUNDOFF: f64 = 1.0 / (1u32 << 24) as f64;

fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// Numbers in [0, 1), the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1u32 << 24)
    }
}

/// Random colours over five decades, with some black among them.
fn random_image((width, height): (u32, u32)) -> HdrImage {
    let mut random = Random(u64::from(width * 1000 + height));
    let colour = |_| {
        let light = 10_f64.powf(5.0 * random.next() - 3.0);
        let dark = random.next() < 0.1;
        [(); 3].map(|()| {
            if dark {
                0.0
            } else {
                (light * random.next()) as f32
            }
        })
    };
    let pixels = (0..width * height).map(colour).collect();
    HdrImage::new(width as usize, height as usize, pixels).expect("light")
}

/// A smooth picture with an edge over four decades, as of a window in a dark room.
fn room((width, height): (u32, u32)) -> HdrImage {
    let pixel = |index: u32| {
        let (x, y) = (index % width, index / width);
        let window = 3 * x > width && 3 * x < 2 * width && 2 * y < height;
        let texture = 1.0 + 0.2 * ((0.9 * f64::from(x)).sin() + (0.7 * f64::from(y)).cos());
        let light = if window { 1e4 } else { 1.0 } * texture;
        [light, 0.8 * light, 0.5 * light].map(|channel| channel as f32)
    };
    let pixels = (0..width * height).map(pixel).collect();
    HdrImage::new(width as usize, height as usize, pixels).expect("light")
}

/// The largest difference of a stream's channel from what is expected.
fn apart(stream: &Stream, channel: usize, expected: &[f64]) -> f64 {
    let records = stream.read().expect("a read-back");
    let values = records
        .iter()
        .skip(channel)
        .step_by(stream.format().channels());
    assert_eq!(values.clone().count(), expected.len());
    let differences = values.zip(expected).map(|(a, b)| (f64::from(*a) - b).abs());
    differences.fold(
        0.0,
        |worst, d| if d > worst || d.is_nan() { d } else { worst },
    )
}

fn upload(machine: &Machine, field: &Field<f32>) -> Stream {
    Stream::from_data(machine, "field", field.size, Format::R32F, &field.values).expect("a stream")
}

fn wide(field: &Field<f32>) -> Vec<f64> {
    field.values.iter().map(|v| f64::from(*v)).collect()
}

#[test]
fn log_luminance_is_the_twin_s() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let logarithm = log_luminance(&scene.upload(&machine).unwrap()).unwrap();
        let expected = twin::log_luminance::<f64>(&scene);
        // log may be off by some digits of the last place of its largest value, log(1e-6) = -14.
        let error = apart(&logarithm, 0, &expected.values);
        assert!(error < 64.0 * ROUNDOFF * 14.0, "{size:?}: {error:e}");
    }
}

#[test]
fn attenuation_is_the_twin_s_on_all_levels() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let logarithm = twin::log_luminance::<f32>(&scene);
        let stream = upload(&machine, &logarithm);
        let most = ToneMapSettings::default().level_sizes(scene.size).unwrap();
        for levels in [None, Some(1), Some(2), Some(most.len() as u32)] {
            let settings = ToneMapSettings {
                levels,
                ..ToneMapSettings::default()
            };
            let (factor, found) = attenuation(&stream, &settings).unwrap();
            let (expected, expected_found) = twin::attenuation(&logarithm, &settings).unwrap();
            assert_eq!(found.len(), expected_found.len());
            for (found, expected) in found.iter().zip(&expected_found) {
                assert_eq!(found.size, expected.size);
                let difference = (found.average_gradient - expected.average_gradient).abs();
                assert!(difference <= 32.0 * ROUNDOFF * expected.average_gradient);
            }
            let largest = wide(&expected).iter().copied().fold(0.0, f64::max);
            let error = apart(&factor, 0, &wide(&expected)) / largest;
            assert!(error < 128.0 * ROUNDOFF, "{size:?} {levels:?}: {error:e}");
        }
    }
}

#[test]
fn the_divergence_is_the_twin_s_and_sums_to_zero() {
    let machine = machine();
    for size in SIZES.into_iter().filter(|size| size.0 > 1) {
        let mut random = Random(7);
        let mut field = || Field::<f32>::of(size, |_, _| random.next() as f32);
        let (logarithm, attenuation) = (field(), field());
        let state = divergence(
            &upload(&machine, &logarithm),
            &upload(&machine, &attenuation),
        )
        .unwrap();
        let expected = twin::divergence(&logarithm, &attenuation);
        // Four products of numbers below 1, added.
        let error = apart(&state, 2, &wide(&expected));
        assert!(error <= 8.0 * ROUNDOFF, "{size:?}: {error:e}");
        for channel in [0, 1, 3] {
            assert_eq!(
                apart(&state, channel, &vec![0.0; expected.values.len()]),
                0.0
            );
        }
        let sum: f64 = wide(&expected).iter().sum();
        let bound = 4.0 * ROUNDOFF * expected.values.len() as f64;
        assert!(sum.abs() <= bound, "{size:?}: {sum:e}");
    }
}

#[test]
fn colours_are_the_twin_s() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let mut random = Random(3);
        let solution = Field::<f32>::of(scene.size, |_, _| (8.0 * random.next()) as f32);
        for saturation in [0.0, 0.5, 1.0] {
            let range = DisplayRange {
                low: 1.0,
                high: 7.0,
            };
            let colours = scene.upload(&machine).unwrap();
            let stream = upload(&machine, &solution);
            let shown = colours_shown(&colours, &stream, range, saturation).unwrap();
            let values: Vec<f64> = solution.values.iter().map(|v| f64::from(*v)).collect();
            let expected = twin::colours_shown(&scene, &values, range, saturation);
            for channel in 0..3 {
                let expected: Vec<f64> = expected.iter().map(|c| c[channel]).collect();
                let error = apart(&shown, channel, &expected);
                assert!(error < 1e-4, "{size:?}, s = {saturation}: {error:e}");
            }
        }
    }
}

#[test]
fn the_divergence_of_the_whole_gradient_is_the_operator_s_value() {
    // With nothing attenuated, F is what the solver's equations give for U = H.
    for size in [(2, 2), (7, 3), (16, 9)] {
        let mut random = Random(11);
        let logarithm = Field::<f64>::of(size, |_, _| random.next());
        let ones = Field::of(size, |_, _| 1.0);
        let source = twin::divergence(&logarithm, &ones);
        let problem = problem(size, vec![0.0; source.values.len()]).unwrap();
        let coefficients = problem.coefficients(0).unwrap();
        for (node, faces) in coefficients.iter().enumerate() {
            let (x, y) = ((node as u32 % size.0) as i64, (node as u32 / size.0) as i64);
            let neighbours = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
            let flows = faces
                .iter()
                .zip(neighbours)
                .map(|(a, (p, q))| a * (logarithm.at(p, q) - logarithm.at(x, y)));
            let sum: f64 = flows.sum();
            assert!(
                (sum - source.values[node]).abs() < 1e-14,
                "{size:?}, node {node}"
            );
        }
    }
}

#[test]
fn beta_one_keeps_every_gradient() {
    let settings = ToneMapSettings {
        beta: 1.0,
        ..ToneMapSettings::default()
    };
    let image = room((70, 64));
    let cycle = Cycle::v(2, 2);
    let criteria = fragstream::solver::Criteria {
        rtol: 1e-12,
        ..default_criteria()
    };
    let mapped = twin::tone_map::<f64>(&image, &settings, cycle, &criteria).unwrap();
    let logarithm = twin::log_luminance::<f64>(&Scene::of(&image));
    let shift = logarithm.values[0] - mapped.logarithms[0];
    let pairs = logarithm.values.iter().zip(&mapped.logarithms);
    let worst = pairs
        .map(|(h, i)| (h - i - shift).abs())
        .fold(0.0, f64::max);
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
#[ignore]
fn preview() {
    let image = fragstream::io::read_hdr(std::path::Path::new(
        "/work/shared/data/hdr/st_fagans_interior_1k.hdr",
    ))
    .unwrap();
    for beta in [0.8, 0.85, 0.9] {
        for noise in [0.01, 0.1, 1.0] {
            let settings = ToneMapSettings {
                beta,
                noise,
                ..ToneMapSettings::default()
            };
            let start = std::time::Instant::now();
            let m = twin::tone_map::<f64>(&image, &settings, Cycle::v(2, 2), &default_criteria())
                .unwrap();
            println!(
                "{beta} {noise} {:?} {:?} {:?} {:?}",
                start.elapsed(),
                m.solve,
                m.range,
                m.levels
            );
            m.picture
                .save(format!("/tmp/tm_{beta}_{noise}.png"))
                .unwrap();
        }
    }
}

//! Tone mapping: kernels beside their twins, and what must come out.

use crate::common::{UNIT, machine};
use fragstream::goodnight2003::tonemap::attenuation::attenuation;
use fragstream::goodnight2003::tonemap::colour::{DisplayRange, colours_shown};
use fragstream::goodnight2003::tonemap::luminance::{Scene, log_luminance};
use fragstream::goodnight2003::tonemap::source::{draw_divergence, problem};
use fragstream::goodnight2003::tonemap::twin::{self, Field};
use fragstream::goodnight2003::tonemap::{ToneMapSettings, compare, tone_map};
use fragstream::goodnight2003::{Settings, Solved, Solver};
use fragstream::io::hdr::HdrImage;
use fragstream::random::SplitMix64;
use fragstream::solver::Criteria;
use fragstream::solver::multigrid::default_criteria;
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

/// Random colours over five decades, with some black among them.
fn random_image((width, height): (u32, u32)) -> HdrImage {
    let mut random = SplitMix64::new(u64::from(width * 1000 + height));
    let colour = |_| {
        let light = 10_f64.powf(5.0 * random.uniform() - 3.0);
        let dark = random.uniform() < 0.1;
        [(); 3].map(|()| {
            if dark {
                0.0
            } else {
                (light * random.uniform()) as f32
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

fn upload(machine: &Machine, field: &Field) -> Stream {
    let values: Vec<f32> = field.values.iter().map(|v| *v as f32).collect();
    Stream::from_data(machine, "field", field.size, Format::R32F, &values).expect("a stream")
}

/// A number as a stream holds it.
fn single(value: f64) -> f64 {
    f64::from(value as f32)
}

/// H of a scene, as a stream holds it.
fn stored_logarithm(scene: &Scene) -> Field {
    let mut logarithm = twin::log_luminance(scene);
    logarithm.values.iter_mut().for_each(|h| *h = single(*h));
    logarithm
}

#[test]
fn log_luminance_is_the_twin_s() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let logarithm = log_luminance(&scene.upload(&machine).unwrap()).unwrap();
        let expected = twin::log_luminance(&scene);
        // log may be off by some digits of the last place of its largest value, log(1e-6) = -14.
        let error = apart(&logarithm, 0, &expected.values);
        assert!(error < 64.0 * UNIT * 14.0, "{size:?}: {error:e}");
    }
}

#[test]
fn attenuation_is_the_twin_s_on_all_levels() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let logarithm = stored_logarithm(&scene);
        let stream = upload(&machine, &logarithm);
        let most = 1 + scene.size.0.max(scene.size.1).next_power_of_two().ilog2();
        for scales in [None, Some(1), Some(2), Some(most)] {
            let settings = ToneMapSettings {
                scales,
                ..ToneMapSettings::default()
            };
            let (factor, found) = attenuation(&stream, &settings).unwrap();
            let (expected, expected_found) = twin::attenuation(&logarithm, &settings).unwrap();
            assert_eq!(found.len(), expected_found.len());
            for (found, expected) in found.iter().zip(&expected_found) {
                assert_eq!(found.size, expected.size);
                let difference = (found.average_gradient - expected.average_gradient).abs();
                // Gradients are differences of numbers up to 14, which are rounded on each level.
                assert!(difference <= 32.0 * UNIT * (14.0 + expected.average_gradient));
            }
            let largest = expected.values.iter().copied().fold(0.0, f64::max);
            let error = apart(&factor, 0, &expected.values) / largest;
            assert!(error < 128.0 * UNIT, "{size:?} {scales:?}: {error:e}");
        }
    }
}

#[test]
fn the_divergence_is_the_twin_s_and_sums_to_zero() {
    let machine = machine();
    for size in SIZES.into_iter().filter(|size| size.0 > 1) {
        let mut random = SplitMix64::new(7);
        let mut field = || Field::of(size, |_, _| single(random.uniform()));
        let (logarithm, attenuation) = (field(), field());
        let state = Stream::zeros(&machine, "state", size, Format::Rgba32F).unwrap();
        let place = machine.rect(state.full()).unwrap();
        let streams = [&logarithm, &attenuation].map(|field| upload(&machine, field));
        draw_divergence(&streams[0], &streams[1], &state, &place).unwrap();
        let expected = twin::divergence(&logarithm, &attenuation);
        // Four products of numbers below 1, added.
        let error = apart(&state, 2, &expected.values);
        assert!(error <= 8.0 * UNIT, "{size:?}: {error:e}");
        for channel in [0, 1, 3] {
            assert_eq!(
                apart(&state, channel, &vec![0.0; expected.values.len()]),
                0.0
            );
        }
        let sum: f64 = expected.values.iter().sum();
        let bound = 4.0 * UNIT * expected.values.len() as f64;
        assert!(sum.abs() <= bound, "{size:?}: {sum:e}");
    }
}

#[test]
fn colours_are_the_twin_s() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let mut random = SplitMix64::new(3);
        let solution = Field::of(scene.size, |_, _| single(8.0 * random.uniform()));
        for saturation in [0.0, 0.5, 1.0] {
            let range = DisplayRange {
                low: 1.0,
                high: 7.0,
                gain: 0.5,
                black: 0.05,
            };
            let colours = scene.upload(&machine).unwrap();
            let stream = upload(&machine, &solution);
            let shown = colours_shown(&colours, &stream, range, saturation).unwrap();
            let expected = twin::colours_shown(&scene, &solution.values, range, saturation);
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
        let mut random = SplitMix64::new(11);
        let logarithm = Field::of(size, |_, _| random.uniform());
        let ones = Field::of(size, |_, _| 1.0);
        let source = twin::divergence(&logarithm, &ones);
        let problem = problem(size, false).unwrap();
        let coefficients = problem.coefficients().unwrap();
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
    let solver = Settings::default();
    let criteria = Criteria {
        rtol: 1e-12,
        ..default_criteria()
    };
    let mapped = twin::tone_map(&image, &settings, &solver, &criteria).unwrap();
    let logarithm = twin::log_luminance(&Scene::of(&image));
    let shift = logarithm.values[0] - mapped.logarithms[0];
    let pairs = logarithm.values.iter().zip(&mapped.logarithms);
    let worst = pairs
        .map(|(h, i)| (h - i - shift).abs())
        .fold(0.0, f64::max);
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn a_panorama_has_no_side_wherever_it_is_cut() {
    let settings = ToneMapSettings {
        periodic: true,
        ..ToneMapSettings::default()
    };
    let (columns, rows) = (40, 24);
    let image = random_image((columns as u32, rows as u32));
    let turn = |by: usize, values: &[f64]| -> Vec<f64> {
        let row = |row: &[f64]| [&row[by..], &row[..by]].concat();
        values.chunks(columns).flat_map(row).collect()
    };
    let pixels = image.pixels().chunks(columns);
    let turned = pixels
        .flat_map(|row| [&row[17..], &row[..17]].concat())
        .collect();
    let turned = HdrImage::new(columns, rows, turned).unwrap();
    let criteria = Criteria {
        rtol: 1e-12,
        ..default_criteria()
    };
    let solver = Settings::default();
    let host = |image| twin::tone_map(image, &settings, &solver, &criteria).unwrap();
    let (first, second) = (host(&image), host(&turned));
    let worst = |a: &[f64], b: &[f64]| {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let shift = mean(a) - mean(b);
        let apart = a.iter().zip(b).map(|(a, b)| (a - b - shift).abs());
        apart.fold(0.0, f64::max)
    };
    let apart = worst(&turn(17, &first.logarithms), &second.logarithms);
    // Gradients at the ends of the picture twice round are one-sided: 2 of its 80 columns, by as much as
    // they are, change the average by 2.5 %, and with it, to the power 0.1, logarithms over five decades.
    let bound = 0.1 * 2.0 / 80.0 * 5.0 * 10f64.ln();
    assert!(apart < bound, "{apart:e}, {bound:e}");
    let device = tone_map(
        &machine(),
        &image,
        &settings,
        &solver,
        &default_criteria(),
        |_, _| (),
    );
    let device = device.unwrap();
    assert_eq!(device.picture.dimensions(), (columns as u32, rows as u32));
    let apart = worst(&device.logarithms, &first.logarithms);
    assert!(apart < 1e-2, "{apart:e}");
}

/// A field whose sources are to be solved for on the stream processor, and I of them.
fn solved_on(machine: &Machine, logarithm: &Field, factor: &Field) -> (Vec<f32>, Solved) {
    let problem = problem(logarithm.size, false).unwrap();
    let mut solver = Solver::new(machine, &problem, &Settings::default()).unwrap();
    let (logarithm, factor) = (upload(machine, logarithm), upload(machine, factor));
    solver
        .update(|_, target, place| draw_divergence(&logarithm, &factor, target, place))
        .unwrap();
    let criteria = Criteria {
        rtol: 1e-7,
        ..default_criteria()
    };
    let solved = solver.solve(&criteria, |_, _| {}).unwrap();
    (solver.solution().unwrap(), solved)
}

#[test]
fn without_attenuation_the_stream_processor_gives_the_logarithm_back() {
    let machine = machine();
    for size in [(2, 2), (3, 7), (33, 20), (70, 64)] {
        let logarithm = stored_logarithm(&Scene::of(&room(size)));
        let ones = Field::of(size, |_, _| 1.0);
        let (solution, solved) = solved_on(&machine, &logarithm, &ones);
        assert!(solved.is_solved(), "{size:?}: {solved:?}");
        let nodes = logarithm.values.len() as f64;
        let mean = logarithm.values.iter().sum::<f64>() / nodes;
        let pairs = solution.iter().zip(&logarithm.values);
        let errors = pairs.map(|(i, h)| (f64::from(*i) + mean - h).abs());
        let worst = errors.fold(0.0, f64::max);
        // Each node's equation is rounded like numbers of the size of H, up to 14; the inverse of
        // the Laplacian multiplies that by at most (longer side / pi)^2, were all errors alike.
        let longest = f64::from(size.0.max(size.1));
        let bound = 14.0 * UNIT * (4.0 + (longest / std::f64::consts::PI).powi(2));
        assert!(worst < bound, "{size:?}: {worst:e} over {bound:e}");
    }
}

#[test]
fn a_window_and_a_dark_room_are_both_shown() {
    let machine = machine();
    let image = room((96, 64));
    let settings = ToneMapSettings::default();
    let criteria = default_criteria();
    let solver = Settings::default();
    let mapped = tone_map(&machine, &image, &settings, &solver, &criteria, |_, _| {}).unwrap();
    let clamped = compare::clamped(&image);
    // Grey levels in the middle of the window, and of the wall below it.
    let levels = |picture: &image::RgbImage, y: u32| {
        let greens: Vec<u8> = (40..56).map(|x| picture.get_pixel(x, y).0[1]).collect();
        let mut distinct = greens.clone();
        distinct.sort_unstable();
        distinct.dedup();
        distinct.len()
    };
    assert_eq!(levels(&clamped, 12), 1, "the window is plainly white");
    assert!(levels(&mapped.picture, 12) > 4 && levels(&mapped.picture, 50) > 4);
    // The window stays brighter than the room, and the contrast of 1e4 is compressed.
    let green = |y| mapped.picture.get_pixel(48, y).0[1];
    assert!(green(12) > green(50));
    let contrast = mapped.range.high - mapped.range.low;
    assert!(contrast < 0.5 * 1e4_f64.ln(), "{contrast}");
}

#[test]
fn pictures_without_contrast_stay_so() {
    let machine = machine();
    let settings = ToneMapSettings::default();
    let (solver, criteria) = (Settings::default(), default_criteria());
    for (light, shown) in [(0.0, 0), (3.0, 255)] {
        let image = HdrImage::new(5, 4, vec![[light; 3]; 20]).unwrap();
        let mapped = tone_map(&machine, &image, &settings, &solver, &criteria, |_, _| {}).unwrap();
        assert!(mapped.solve.is_solved());
        assert!(
            mapped.picture.iter().all(|channel| *channel == shown),
            "{light}"
        );
    }
}

#[test]
fn the_state_never_leaves_the_machine_but_for_what_the_cpu_must_know() {
    let machine = machine();
    let image = room((70, 64));
    let settings = ToneMapSettings::default();
    machine.take_ledger();
    let colours = Scene::of(&image).upload(&machine).unwrap();
    let logarithm = log_luminance(&colours).unwrap();
    let (_, levels) = attenuation(&logarithm, &settings).unwrap();
    let ledger = machine.take_ledger();
    assert_eq!(levels.len(), 2);
    // One record a level: the sum of its gradients.
    assert_eq!((ledger.read_backs, ledger.texels_read_back), (2, 2));
    let passes = |kernel: &str| ledger.kernels[kernel].sum().passes;
    assert_eq!(passes("goodnight2003/tonemap/luminance"), 1);
    assert_eq!(passes("goodnight2003/tonemap/halve"), 2);
    assert_eq!(passes("goodnight2003/tonemap/gradient"), 2);
    assert_eq!(passes("goodnight2003/tonemap/attenuation"), 2);
}

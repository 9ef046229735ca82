//! Tone mapping: kernels beside their formulas in double precision, and what must come out.

use crate::common::{UNIT, machine, srgb};
use fragstream::base::random::SplitMix64;
use fragstream::goodnight2003::Settings;
use fragstream::goodnight2003::tonemap::{DisplayRange, colours_shown};
use fragstream::goodnight2003::tonemap::{EPSILON, Scene, draw_divergence, log_luminance};
use fragstream::goodnight2003::tonemap::{PyramidLevel, attenuation};
use fragstream::goodnight2003::tonemap::{ToneMapSettings, ToneMapped, ToneMapper};
use fragstream::io::hdr::{HdrImage, luminance};
use fragstream::solver::Criteria;
use fragstream::solver::multigrid::default_criteria;
use fragstream::stream::{Format, Machine, Stream};

/// Widths and heights: single rows and columns, odd ones, and enough for two levels.
const SIZES: [(u32, u32); 8] =
    [(1, 1), (1, 7), (2, 2), (3, 2), (5, 9), (16, 16), (33, 7), (70, 65)];

/// Random colours over five decades, with some black among them.
fn random_image((width, height): (u32, u32)) -> HdrImage {
    let mut random = SplitMix64::new(u64::from(width * 1000 + height));
    let colour = |_| {
        let light = 10_f64.powf(5.0 * random.uniform() - 3.0);
        let dark = random.uniform() < 0.1;
        [(); 3].map(|()| if dark { 0.0 } else { (light * random.uniform()) as f32 })
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

/// One number per pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq)]
struct Field {
    /// Columns and rows.
    size: (u32, u32),
    /// The numbers.
    values: Vec<f64>,
}

impl Field {
    /// Computes a field by a formula of column and row.
    fn of(size: (u32, u32), mut formula: impl FnMut(i64, i64) -> f64) -> Self {
        let (width, height) = (i64::from(size.0), i64::from(size.1));
        let mut values = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            values.extend((0..width).map(|x| formula(x, y)));
        }
        Self { size, values }
    }

    /// The number at a position; outside the border, the one at the border.
    fn at(&self, x: i64, y: i64) -> f64 {
        let (width, height) = (i64::from(self.size.0), i64::from(self.size.1));
        let (x, y) = (x.clamp(0, width - 1), y.clamp(0, height - 1));
        self.values[(y * width + x) as usize]
    }
}

/// `luminance.frag`
fn log_luminance_of(scene: &Scene) -> Field {
    let colours = scene.colours.iter();
    Field { size: scene.size, values: colours.map(|&c| (luminance(c) + EPSILON).ln()).collect() }
}

/// `halve.frag`, along the rows and then along the columns.
fn halved(fine: &Field) -> Field {
    let smoothed = |at: &dyn Fn(i64) -> f64| {
        let (far, near) = (at(-2) + at(2), at(-1) + at(1));
        0.0625 * (far + 4.0 * near + 6.0 * at(0))
    };
    let (width, height) = fine.size;
    let rows = Field::of((width.div_ceil(2), height), |x, y| smoothed(&|d| fine.at(2 * x + d, y)));
    Field::of((rows.size.0, height.div_ceil(2)), |x, y| smoothed(&|d| rows.at(x, 2 * y + d)))
}

/// `gradient.frag` on level k.
fn gradient(level: &Field, k: usize) -> Field {
    let spacing = (k as f64).exp2();
    let slope = |low: f64, high: f64, place: i64, side: u32| {
        let neighbours = [place > 0, place + 1 < i64::from(side)];
        let distance = neighbours.iter().filter(|there| **there).count().max(1);
        (high - low) / distance as f64
    };
    Field::of(level.size, |x, y| {
        let across = slope(level.at(x - 1, y), level.at(x + 1, y), x, level.size.0);
        let along = slope(level.at(x, y - 1), level.at(x, y + 1), y, level.size.1);
        (across * across + along * along).sqrt() / spacing
    })
}

/// `attenuation.frag` on all levels: Φ, and the measurements on each.
fn attenuation_of(logarithm: &Field, settings: &ToneMapSettings) -> (Field, Vec<PyramidLevel>) {
    let sizes = settings.level_sizes(logarithm.size).unwrap();
    let mut levels = vec![logarithm.clone()];
    for _ in 1..sizes.len() {
        levels.push(halved(&levels[levels.len() - 1]));
    }
    let mut factor = Field::of(logarithm.size, |_, _| 1.0);
    let mut found = Vec::new();
    for (k, level) in levels.iter().enumerate().rev() {
        let gradient = gradient(level, k);
        let average_gradient = gradient.values.iter().sum::<f64>() / gradient.values.len() as f64;
        factor = attenuated(&gradient, average_gradient, &factor, settings);
        found.push(PyramidLevel { size: level.size, average_gradient });
    }
    found.reverse();
    (factor, found)
}

fn attenuated(
    gradient: &Field,
    average: f64,
    coarser: &Field,
    settings: &ToneMapSettings,
) -> Field {
    // Where all gradients are zero nothing is attenuated.
    let alpha = settings.alpha * average;
    let (alpha, least) = if alpha > 0.0 { (alpha, settings.noise * alpha) } else { (1.0, 1.0) };
    Field::of(gradient.size, |x, y| {
        let base = gradient.at(x, y).max(least) / alpha;
        interpolated(coarser, x, y) * base.powf(settings.beta - 1.0)
    })
}

/// A coarser level's value at a sample of the finer one: sample i is at 2i.
fn interpolated(coarser: &Field, x: i64, y: i64) -> f64 {
    let (left, top) = (x / 2, y / 2);
    let mix = |a: f64, b: f64, between: bool| if between { 0.5 * (a + b) } else { a };
    let row = |y| mix(coarser.at(left, y), coarser.at(left + 1, y), x % 2 == 1);
    mix(row(top), row(top + 1), y % 2 == 1)
}

/// `source.frag`: F of each pixel.
fn divergence_of(logarithm: &Field, attenuation: &Field) -> Field {
    let last = (logarithm.size.0 as i64 - 1, logarithm.size.1 as i64 - 1);
    let width = |place, last| {
        if place == 0 || place == last { 0.5 } else { 1.0 }
    };
    Field::of(logarithm.size, |x, y| {
        let towards = |dx, dy| {
            let factor = 0.5 * (attenuation.at(x, y) + attenuation.at(x + dx, y + dy));
            factor * (logarithm.at(x + dx, y + dy) - logarithm.at(x, y))
        };
        let across = towards(-1, 0) + towards(1, 0);
        let along = towards(0, -1) + towards(0, 1);
        width(y, last.1) * across + width(x, last.0) * along
    })
}

/// `colour.frag`: red, green and blue in sRGB from 0 to 1.
fn colours_of(
    scene: &Scene,
    solution: &[f64],
    range: DisplayRange,
    saturation: f64,
) -> Vec<[f64; 3]> {
    let tiny = 1e-30;
    let shown = |(&own, logarithm): (&[f32; 3], &f64)| {
        let light = luminance(own).max(tiny);
        let exposed = (range.gain * (logarithm - range.high)).exp();
        let new = (exposed - range.black) / (1.0 - range.black);
        own.map(|channel| {
            let ratio = (f64::from(channel) / light).max(tiny);
            srgb((ratio.powf(saturation) * new).clamp(0.0, 1.0))
        })
    };
    scene.colours.iter().zip(solution).map(shown).collect()
}

/// The largest difference of a stream's channel from what is expected.
fn apart(stream: &Stream, channel: usize, expected: &[f64]) -> f64 {
    let records = stream.read().expect("a read-back");
    let values = records.iter().skip(channel).step_by(stream.format().channels());
    assert_eq!(values.clone().count(), expected.len());
    let differences = values.zip(expected).map(|(a, b)| (f64::from(*a) - b).abs());
    differences.fold(0.0, |worst, d| if d > worst || d.is_nan() { d } else { worst })
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
    let mut logarithm = log_luminance_of(scene);
    logarithm.values.iter_mut().for_each(|h| *h = single(*h));
    logarithm
}

#[test]
fn log_luminance_is_its_formula() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let logarithm = log_luminance(&scene.upload(&machine).unwrap()).unwrap();
        let expected = log_luminance_of(&scene);
        // log may be off by some digits of the last place of its largest value, log(1e-6) = -14.
        let error = apart(&logarithm, 0, &expected.values);
        assert!(error < 64.0 * UNIT * 14.0, "{size:?}: {error:e}");
    }
}

#[test]
fn attenuation_is_its_formula_on_all_levels() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let logarithm = stored_logarithm(&scene);
        let stream = upload(&machine, &logarithm);
        let most = 1 + scene.size.0.max(scene.size.1).next_power_of_two().ilog2();
        for scales in [None, Some(1), Some(2), Some(most)] {
            let settings = ToneMapSettings { scales, ..ToneMapSettings::default() };
            let (factor, found) = attenuation(&stream, &settings).unwrap();
            let (expected, expected_found) = attenuation_of(&logarithm, &settings);
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
fn the_divergence_is_its_formula_and_sums_to_zero() {
    let machine = machine();
    for size in SIZES.into_iter().filter(|size| size.0 > 1) {
        let mut random = SplitMix64::new(7);
        let mut field = || Field::of(size, |_, _| single(random.uniform()));
        let (logarithm, attenuation) = (field(), field());
        let state = Stream::zeros(&machine, "state", size, Format::Rgba32F).unwrap();
        let place = machine.rect(state.full()).unwrap();
        let streams = [&logarithm, &attenuation].map(|field| upload(&machine, field));
        draw_divergence(&streams[0], &streams[1], &state, &place).unwrap();
        let expected = divergence_of(&logarithm, &attenuation);
        // Four products of numbers below 1, added.
        let error = apart(&state, 2, &expected.values);
        assert!(error <= 8.0 * UNIT, "{size:?}: {error:e}");
        for channel in [0, 1, 3] {
            assert_eq!(apart(&state, channel, &vec![0.0; expected.values.len()]), 0.0);
        }
        let sum: f64 = expected.values.iter().sum();
        let bound = 4.0 * UNIT * expected.values.len() as f64;
        assert!(sum.abs() <= bound, "{size:?}: {sum:e}");
    }
}

#[test]
fn colours_are_their_formula() {
    let machine = machine();
    for size in SIZES {
        let scene = Scene::of(&random_image(size));
        let mut random = SplitMix64::new(3);
        let solution = Field::of(scene.size, |_, _| single(8.0 * random.uniform()));
        for saturation in [0.0, 0.5, 1.0] {
            let range = DisplayRange { low: 1.0, high: 7.0, gain: 0.5, black: 0.05 };
            let colours = scene.upload(&machine).unwrap();
            let stream = upload(&machine, &solution);
            let shown = colours_shown(&colours, &stream, range, saturation).unwrap();
            let expected = colours_of(&scene, &solution.values, range, saturation);
            for channel in 0..3 {
                let expected: Vec<f64> = expected.iter().map(|c| c[channel]).collect();
                let error = apart(&shown, channel, &expected);
                assert!(error < 1e-4, "{size:?}, s = {saturation}: {error:e}");
            }
        }
    }
}

/// With beta 1 nothing is attenuated, and the solution is H up to a constant. Without saturation the picture is grey,
/// with the picture's own contrast or the screen's.
#[test]
fn without_attenuation_the_solver_gives_the_logarithm_back() {
    let machine = machine();
    let settings = ToneMapSettings { beta: 1.0, saturation: 0.0, ..ToneMapSettings::default() };
    let criteria = Criteria { rtol: 1e-7, ..default_criteria() };
    for size in [(2, 2), (3, 7), (33, 20), (70, 64)] {
        let image = room(size);
        let logarithm = stored_logarithm(&Scene::of(&image));
        let mut mapper = ToneMapper::new(&machine, &image, &settings, &Settings::robust()).unwrap();
        let on_gpu = mapper.solve(&criteria, |_, _| {}).unwrap();
        assert!(on_gpu.solve.is_solved(), "{size:?}: {:?}", on_gpu.solve);
        let [low, high] = on_gpu.original;
        let contrast = (high - low).exp().min(settings.contrast);
        let times = on_gpu.range.contrast() / contrast;
        assert!((times - 1.0).abs() < 1e-3, "{size:?}: {times}");
        let is_grey = |pixel: &image::Rgb<u8>| pixel.0 == [pixel.0[0]; 3];
        assert!(on_gpu.picture.pixels().all(is_grey), "{size:?}");
        // Each node's equation is rounded like numbers of the size of H, up to 14; the inverse of
        // the Laplacian multiplies that by at most (longer side / pi)^2, if all errors have the same sign.
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let shift = mean(&logarithm.values) - mean(&on_gpu.logarithms);
        let pairs = on_gpu.logarithms.iter().zip(&logarithm.values);
        let differences = pairs.map(|(i, h)| (i + shift - h).abs());
        let worst = differences.fold(0.0, f64::max);
        let longest = f64::from(size.0.max(size.1));
        let bound = 14.0 * UNIT * (4.0 + (longest / std::f64::consts::PI).powi(2));
        assert!(worst < bound, "{size:?}: {worst:e} over {bound:e}");
    }
}

fn mapped(image: &HdrImage) -> ToneMapped {
    let (look, solver) = (ToneMapSettings::default(), Settings::robust());
    let mut mapper = ToneMapper::new(&machine(), image, &look, &solver).unwrap();
    mapper.solve(&default_criteria(), |_, _| {}).unwrap()
}

#[test]
fn pictures_without_contrast_stay_so() {
    for (light, shown) in [(0.0, 0), (3.0, 255)] {
        let image = HdrImage::new(5, 4, vec![[light; 3]; 20]).unwrap();
        let mapped = mapped(&image);
        assert!(mapped.solve.is_solved());
        assert!(mapped.picture.iter().all(|channel| *channel == shown), "{light}");
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
    let passes = |kernel: &str| {
        let mut kernels = ledger.kernels.iter();
        let (_, account) = kernels.find(|(text, _)| text.name == kernel).unwrap();
        account.sum().passes
    };
    assert_eq!(passes("goodnight2003/tonemap/luminance"), 1);
    assert_eq!(passes("goodnight2003/tonemap/halve"), 2);
    assert_eq!(passes("goodnight2003/tonemap/gradient"), 2);
    assert_eq!(passes("goodnight2003/tonemap/attenuation"), 2);
}

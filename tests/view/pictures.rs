//! What a window shows, without a window: pictures in rectangles of it, textures, meshes, residuals,
//! and which cell lies below which pixel.

use crate::common::geometry::{cross, dot, minus, unit};
use crate::common::{machine, srgb};
use fragstream::bolz2003::fluid::picture::SIGNED;
use fragstream::kruger2003::scenes::picture::{Painter, SIGNED_COLOURS, SPEED_COLOURS, WaterShown};
use fragstream::kruger2003::scenes::water::{Rain, Scene, Settings, WATER};
use fragstream::kruger2003::{Fluid, FluidSettings, Stroke, Water, WaterSettings};
use fragstream::mesh::TriangleMesh;
use fragstream::picture::Canvas;
use fragstream::picture::colour::oklab::table;
use fragstream::picture::colour::srgb as byte;
use fragstream::picture::mesh::{View, draw};
use fragstream::scene::{Scale, Tool};
use fragstream::stream::{Format, Limits, Part, Pass, Rect, Source, Stream};
use fragstream::view::keys::Action;
use fragstream::view::presenter::{Presenter, fit};
use fragstream::view::shelf::{Shelf, Tile};
use fragstream::view::stage::Stage;
use fragstream::view::texture::TextureView;

/// Numbers from `low` to `high` in no order.
fn numbers(count: usize, low: f32, high: f32) -> Vec<f32> {
    let share = |k: usize| ((k as f32 + 1.0) * 0.618_034).fract();
    (0..count).map(|k| low + (high - low) * share(k)).collect()
}

#[test]
fn a_picture_is_read_bilinearly_and_encoded_in_any_rectangle() {
    let machine = machine();
    for (size, window) in
        [((7, 5), (23, 40)), ((1, 1), (5, 3)), ((2, 9), (31, 9)), ((64, 48), (33, 24))]
    {
        let (width, height) = size;
        let light = numbers((4 * width * height) as usize, -0.3, 1.6);
        let picture = Stream::from_data(&machine, "picture", size, Format::Rgba32F, &light);
        let place = fit(window, width as f32 / height as f32);
        let presenter = Presenter::new(&machine, window).expect("small");
        let composed = presenter.compose(&picture.expect("small"), place);
        composed.expect("a pass");
        let seen = presenter.image().expect("readable");
        let expected = |x: u32, y: u32, channel: usize| {
            let sample = |column: f64, row: f64| {
                let column = column.clamp(0.0, f64::from(width - 1)) as usize;
                let row = row.clamp(0.0, f64::from(height - 1)) as usize;
                f64::from(light[4 * (row * width as usize + column) + channel]).clamp(0.0, 1.0)
            };
            let along = |pixel: u32, from: u32, pixels: u32, samples: u32| {
                let place = (f64::from(pixel) + 0.5 - f64::from(from)) / f64::from(pixels);
                let samples = f64::from(samples);
                (place * samples).clamp(0.5, samples - 0.5) - 0.5
            };
            let across = along(x, place.x, place.width, width);
            let up = along(y, place.y, place.height, height);
            let (t, s) = (across.fract(), up.fract());
            let row = |row: f64| {
                (1.0 - t) * sample(across.floor(), row) + t * sample(across.floor() + 1.0, row)
            };
            (1.0 - s) * row(up.floor()) + s * row(up.floor() + 1.0)
        };
        for (x, upper, pixel) in seen.enumerate_pixels() {
            let y = window.1 - 1 - upper;
            let inside = (place.x..place.x + place.width).contains(&x)
                && (place.y..place.y + place.height).contains(&y);
            for channel in 0..3 {
                let light = if inside { expected(x, y, channel) } else { 0.0045 };
                let (is, should) = (f64::from(pixel[channel]), 255.0 * srgb(light));
                assert!((is - should).abs() < 1.0, "{size:?} at {x}, {y}: {is}, not {should}");
            }
        }
    }
}

#[test]
fn a_window_shows_what_a_file_would_hold() {
    let machine = machine();
    let mut water = Water::at_rest(&machine, WaterSettings::new(40, 30)).expect("sound");
    water.push(&Stroke::at([20.0, 12.0], 4.0), -0.3).expect("a push");
    for _ in 0..4 {
        water.step().expect("a step");
    }
    let canvas = Canvas::new(&machine, 80, 60).expect("small");
    let painter = Painter::new(&machine).expect("programs");
    let drawn = painter.draw_water(&water, WaterShown::Surface, Rain::HEIGHT, &canvas);
    drawn.expect("a picture");
    let presenter = Presenter::new(&machine, (80, 60)).expect("small");
    let composed = presenter.compose(canvas.stream(), Rect::of_size(80, 60));
    composed.expect("a pass");
    let (file, window) = (canvas.image().expect("readable"), presenter.image().expect("readable"));
    for (a, b) in file.as_raw().iter().zip(window.as_raw()) {
        assert!(a.abs_diff(*b) <= 1);
    }
}

#[test]
fn a_texture_is_drawn_texel_by_texel_around_grey() {
    let machine = machine();
    let texels = [-2.0, 0.0, 1.0, 4.0, -4.0, 0.5];
    let mut view = TextureView::new(&machine).expect("a program");
    for (format, channels) in [(Format::R32F, 1), (Format::Rg32F, 2), (Format::Rgba32F, 4)] {
        let data: Vec<f32> = texels
            .iter()
            .flat_map(|&texel| (0..channels).map(move |channel| texel / (1.0 + channel as f32)))
            .collect();
        let stored = Stream::from_data(&machine, "stored", (3, 2), format, &data).expect("small");
        let canvas = Canvas::with_samples(&machine, (31, 20), 1).expect("small");
        let most = view.draw(&stored, &canvas).expect("a picture");
        assert_eq!(most, 4.0);
        for (k, texel) in texels.iter().enumerate() {
            let (column, row) = (k % 3, k / 3);
            let centre = (column as u32 * 31 / 3 + 5, row as u32 * 10 + 5);
            let read = |x, y| canvas.stream().read_record(x, y).expect("readable");
            let light = read(centre.0, centre.1);
            let line = read(centre.0, row as u32 * 10);
            for (channel, is) in light[..3].iter().enumerate() {
                let value = match channels {
                    1 => *texel,
                    _ if channel < channels => texel / (1.0 + channel as f32),
                    _ => 0.0,
                };
                let should = (0.5 + value / 8.0).powf(2.2);
                assert!((is - should).abs() < 1e-4, "{format} {texel}: {is}, not {should}");
                // A line half as bright along its lower edge.
                assert!((line[channel] - 0.5 * should).abs() < 1e-4, "{format}");
            }
        }
    }
}

#[test]
fn each_channel_of_a_texture_has_its_own_colours_beside_the_others() {
    let machine = machine();
    let mut shelf = Shelf::new(&machine, (40, 40)).expect("small");
    let values = [-4.0, f32::NAN, 1.0, 3.0, 0.0, f32::NEG_INFINITY];
    let stored = |format: Format, scale: f32| {
        let channels = 0..format.channels();
        let data = values.iter().flat_map(|&value| {
            channels.clone().map(move |channel| scale * value / (1.0 + channel as f32))
        });
        let data: Vec<f32> = data.collect();
        Stream::from_data(&machine, "stored", (3, 2), format, &data).expect("small")
    };
    let streams = [Format::R32F, Format::Rg32F, Format::Rgba32F].map(|format| stored(format, 0.5));
    let finite = Stream::from_data(&machine, "stored", (1, 2), Format::R32F, &[0.5, -2.0]);
    let finite = finite.expect("small");
    let all = [&streams[0], &streams[1], &streams[2], &finite];
    let tiles = shelf.draw(&all, 16).expect("pictures");
    let colours = table(&SIGNED, 255);
    let pixel = |tile: &Tile, x: u32, y: u32| {
        let record = shelf.sheet().read_record(tile.place.x + x, tile.place.y + y);
        record.expect("readable")
    };
    let is = |found: [f32; 4], should: [f32; 3], what: &str| {
        for (found, should) in found.iter().zip(should) {
            assert!((found - should).abs() < 2e-3, "{what}: {found}, not {should}");
        }
    };
    let coloured = |share: f32| {
        colours[(127.0 + 127.0 * share).round() as usize]
            .map(|light| f32::from(byte(light)) / 255.0)
    };
    for ((stream, tile), (across, down)) in streams.iter().zip(&tiles).zip([(1, 1), (2, 1), (2, 2)])
    {
        assert_eq!((tile.place.width, tile.place.height), (3 * across, 2 * down));
        // An infinite value leaves the colours of zero to the finite ones.
        assert_eq!(tile.most, f32::INFINITY);
        for channel in 0..stream.format().channels() as u32 {
            for (k, value) in (0..).zip(values) {
                let (x, y) = (channel % across * 3 + k % 3, channel / across * 2 + k / 3);
                let should = if value.is_finite() { coloured(0.0) } else { [1.0, 0.0, 1.0] };
                is(pixel(tile, x, y), should, &format!("{channel}: {value}"));
            }
        }
    }
    assert_eq!(tiles[3].most, 2.0);
    is(pixel(&tiles[3], 0, 0), coloured(0.25), "a quarter");
    is(pixel(&tiles[3], 0, 1), coloured(-1.0), "the lowest value");
}

#[test]
fn a_large_texture_has_a_small_picture_of_its_texels() {
    let machine = machine();
    let mut shelf = Shelf::new(&machine, (32, 32)).expect("small");
    let amounts: Vec<f32> = (0..64 * 16).map(|k| (k % 64 / 8 + k / 64 / 8) as f32).collect();
    let stored = Stream::from_data(&machine, "stored", (64, 16), Format::R32F, &amounts);
    let tiles = shelf.draw(&[&stored.expect("small")], 8).expect("a picture");
    assert_eq!((tiles[0].place, tiles[0].most), (Rect::of_size(8, 2), 8.0));
    let colours = table(&SIGNED, 255);
    for (x, y) in (0..2).flat_map(|y| (0..8).map(move |x| (x, y))) {
        let found = shelf.sheet().read_record(x, y).expect("readable");
        let should = colours[(127.0 + 127.0 * (x + y) as f32 / 8.0).round() as usize].map(byte);
        for (found, should) in found.iter().zip(should) {
            assert!((255.0 * found - f32::from(should)).abs() < 0.6, "{x} {y}: {found}");
        }
    }
}

#[test]
fn a_mesh_lies_where_its_view_says_and_is_lit_by_its_own_normals() {
    let machine = machine();
    // Two triangles that an eye on the z axis sees beside each other, tilted by different angles, the
    // second from behind.
    let positions = [
        [-1.5, -1.5, 0.0],
        [0.5, -1.5, 0.4],
        [-0.5, 1.5, 0.2],
        [1.0, -1.5, 0.0],
        [1.0, 1.5, 0.0],
        [2.0, 0.0, 0.3],
    ];
    let mesh =
        TriangleMesh { positions: positions.to_vec(), triangles: vec![[0, 1, 2], [3, 4, 5]] };
    let view = View {
        azimuth: 0.0,
        elevation: 0.0,
        centre: [0.25, 0.1, 0.0],
        radius: 2.0,
        albedo: [0.6, 0.4, 0.2],
    };
    let size = 48;
    let picture = draw(&machine, &mesh, &view, size).expect("a picture");
    let eye = [0.0, 0.0, 1.0];
    let light = unit([-0.45, 0.55, 0.70]);
    let mut counts = [0; 3];
    for (x, y, pixel) in picture.enumerate_pixels() {
        let from_middle = |at: u32| 2.0 * (f64::from(at) + 0.5) / f64::from(size) - 1.0;
        let at = [0.25 + 2.0 * from_middle(x), 0.1 - 2.0 * from_middle(y)];
        let mut expected = [0.93; 3];
        let mut which = 0;
        let mut edge = f64::INFINITY;
        for (number, triangle) in mesh.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|v| positions[v as usize].map(f64::from));
            let side = |p: [f64; 3], q: [f64; 3]| {
                let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
                (dx * (at[1] - p[1]) - dy * (at[0] - p[0])) / dx.hypot(dy)
            };
            let across = cross(minus(b, a), minus(c, a));
            let turn = across[2].signum();
            let sides = [side(a, b), side(b, c), side(c, a)].map(|side| turn * side);
            let inside = sides.into_iter().fold(f64::INFINITY, f64::min);
            edge = edge.min(inside.abs());
            if inside > 0.0 {
                let normal = unit(across.map(|v| turn * v));
                let halfway = unit([0, 1, 2].map(|k| light[k] + eye[k]));
                let gloss = dot(normal, halfway).max(0.0).powi(40);
                let shade = 0.12
                    + 0.28 * (0.5 + 0.5 * dot(normal, eye))
                    + 0.75 * dot(normal, light).max(0.0);
                expected = view.albedo.map(|a| f64::from(a) * shade + 0.12 * gloss);
                which = 1 + number;
            }
        }
        // Half a pixel and more from any edge.
        if edge > 0.06 {
            for channel in 0..3 {
                let (is, should) = (f64::from(pixel[channel]), 255.0 * srgb(expected[channel]));
                assert!((is - should).abs() < 1.0, "{x}, {y}: {is}, not {should}");
            }
            counts[which] += 1;
        }
    }
    assert!(counts.into_iter().all(|count| count > 100), "{counts:?}");
}

/// The texture of this name.
fn texture(streams: &[(String, &Stream)], name: &str) -> Vec<f64> {
    let (_, stream) = streams.iter().find(|(n, _)| n.starts_with(name)).expect(name);
    let data = stream.read().expect("readable");
    data.into_iter().map(f64::from).collect()
}

/// factor x + weight (the sum of the differences to the neighbours), reflecting at the edges.
fn five_point((width, height): (usize, usize), factor: f64, weight: f64, x: &[f64]) -> Vec<f64> {
    let cell = |k: usize| {
        let (column, row) = (k % width, k / width);
        let across = [(column > 0).then(|| k - 1), (column + 1 < width).then_some(k + 1)];
        let along = [(row > 0).then(|| k - width), (row + 1 < height).then_some(k + width)];
        let neighbours = across.into_iter().chain(along).flatten();
        factor * x[k] + weight * neighbours.map(|other| x[k] - x[other]).sum::<f64>()
    };
    (0..x.len()).map(cell).collect()
}

fn assert_residual(residual: &[f32], b: &[f64], product: &[f64], norm: f64) {
    let exact: Vec<f64> = b.iter().zip(product).map(|(b, p)| b - p).collect();
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let rounding = 16.0 * f64::from(f32::EPSILON) * largest(b);
    assert!(largest(&exact) > 100.0 * rounding, "nothing to compare");
    for (is, should) in residual.iter().zip(&exact) {
        let off = (f64::from(*is) - should).abs();
        assert!(off < rounding, "{is}, not {should}");
    }
    let exact_norm = exact.iter().map(|r| r * r).sum::<f64>().sqrt();
    assert!((norm - exact_norm).abs() < 1e-2 * exact_norm, "{norm}, not {exact_norm}");
}

#[test]
fn the_residual_of_each_cell_is_that_of_the_last_step() {
    let machine = machine();
    let size = (37, 22);
    // A long step, so that five iterations leave more than rounding does.
    let settings = WaterSettings { courant: 3.0, ..WaterSettings::new(size.0, size.1) };
    let mut water = Water::at_rest(&machine, settings).expect("sound");
    let stroke = Stroke::at([15.0, 9.0], 3.0);
    water.push(&stroke, -0.4).expect("a push");
    for _ in 0..3 {
        water.step().expect("a step");
    }
    let grid = (size.0 as usize, size.1 as usize);
    let residual = water.residuals().expect("memory").read().expect("readable");
    let streams = water.streams();
    let product = five_point(grid, 1.0, 4.5, &texture(&streams, "m,"));
    assert_residual(&residual, &texture(&streams, "b,"), &product, water.effort().residual);
    assert_eq!(water.effort().iterations, 5);

    let mut fluid = Fluid::at_rest(&machine, FluidSettings::new(size.0, size.1)).expect("sound");
    fluid.push(&stroke, [0.5, 0.2]).expect("a push");
    for _ in 0..3 {
        fluid.step().expect("a step");
    }
    // Asking for the divergence changes nothing of it.
    fluid.divergence().expect("readable");
    let residual = fluid.residuals().expect("memory").read().expect("readable");
    let streams = fluid.streams();
    let product = five_point(grid, 0.0, 1.0, &texture(&streams, "pressure"));
    assert_residual(&residual, &texture(&streams, "b,"), &product, fluid.effort().residual);
    assert_eq!(fluid.effort().iterations, 4);
}

#[test]
fn the_cell_below_a_pixel_is_the_one_that_is_seen_there() {
    let machine = machine();
    for size in [(40, 40), (60, 30), (24, 48)] {
        let water = Water::at_rest(&machine, WaterSettings::new(size.0, size.1)).expect("sound");
        let (width, height) = (160, 120);
        let canvas = Canvas::new(&machine, width, height).expect("small");
        let painter = Painter::new(&machine).expect("programs");
        let drawn = painter.draw_water(&water, WaterShown::Surface, Rain::HEIGHT, &canvas);
        drawn.expect("a picture");
        let (columns, rows) = (size.0 as f32, size.1 as f32);
        let mut told = [0; 2];
        for (x, y, pixel) in canvas.image().expect("readable").enumerate_pixels() {
            let place = [(x as f32 + 0.5) / width as f32, 1.0 - (y as f32 + 0.5) / height as f32];
            let Some([column, row]) = WaterShown::Surface.cell(size, 4.0 / 3.0, place) else {
                continue;
            };
            // How far from the edge of the basin, in its widths; outside below zero.
            let inside = column.min(columns - column).min(row).min(rows - row) / columns;
            if inside.abs() < 0.01 {
                continue;
            }
            // Water is blue; stone, and the ground around, is not.
            let blue = i32::from(pixel[2]) - i32::from(pixel[0]) > 15;
            assert_eq!(blue, inside > 0.0, "{pixel:?} at {x}, {y} for cell {column}, {row}");
            told[usize::from(blue)] += 1;
        }
        assert!(told[0] > 1000 && told[1] > 1000, "{told:?}");
    }
}

#[test]
fn a_click_goes_to_the_cell_below_it_in_every_view() {
    let machine = machine();
    let rain = Rain { every: 0, finger: false, seed: 1 };
    let settings = Settings { water: WaterSettings::new(64, 48), rain, ..Settings::default() };
    for view in 0..=WATER.views.len() {
        let scene = Box::new(Scene::new(&machine, &settings).expect("sound"));
        let mut stage = Stage::new(&machine, &WATER, scene, (330, 240), None).expect("small");
        stage.act(Action::View(view)).expect("a view");
        stage.mouse.moved([160.0, 130.0]);
        stage.mouse.pressed(Tool::First);
        stage.mouse.released(Tool::First);
        stage.stroke().expect("a stroke");
        // 4 / 3 as wide as high, so 320 pixels of 330 in every view, and 110 above the lower edge.
        let place = [(160.0 - 5.0) / 320.0, 110.0 / 240.0];
        let cell = match view {
            0 => WaterShown::Surface.cell((64, 48), 4.0 / 3.0, place),
            _ => Some([64.0 * place[0], 48.0 * place[1]]),
        };
        let [column, row] = cell.expect("water");
        // In the view of heights the bluest pixel is where the surface was pressed down.
        stage.act(Action::View(1)).expect("heights");
        stage.draw().expect("a picture");
        let image = stage.presenter().image().expect("readable");
        let bluest =
            image.enumerate_pixels().max_by_key(|(_, _, p)| i32::from(p[2]) - i32::from(p[0]));
        let (x, y, _) = bluest.expect("pixels");
        let found = [(x as f32 + 0.5 - 5.0) / 5.0, (240.0 - y as f32 - 0.5) / 5.0];
        let off = (found[0] - column).hypot(found[1] - row);
        assert!(off < 1.0, "view {view}: {found:?}, not {column}, {row}");
    }
}

#[test]
fn a_colour_bar_has_the_colours_of_its_picture() {
    const LINEAR: &str = include_str!("../../glsl/kruger2003/simulation/interpolate_linear.glsl");
    const COLOURS: &str = include_str!("../../glsl/view/signed.glsl");
    const SIGNED: &str = include_str!("../../glsl/kruger2003/simulation/signed_picture.frag");
    const FLUID: &str = include_str!("../../glsl/kruger2003/simulation/fluid_picture.frag");
    let machine = machine();
    let parts = [LINEAR, COLOURS].map(|text| Part { name: "", text });
    let source = |text| Source::new("picture", text, &[], Limits::R300).with(parts);
    let stream = |name, size, format, data: &[f32]| {
        Stream::from_data(&machine, name, size, format, data).expect("memory")
    };
    let signed = machine.kernel(&source(SIGNED), &[]).expect("a program");
    let values: Vec<f32> = (0..=80).map(|k| k as f32 / 40.0 - 1.0).collect();
    let ramp = stream("ramp", (81, 1), Format::R32F, &values);
    let canvas = Canvas::with_samples(&machine, (81, 1), 1).expect("memory");
    let pass = Pass::new(&signed).read("quantity", &ramp);
    let pass = pass.set("size", (81, 1)).set("spacing", 1.0);
    canvas.draw(pass.set("most", 1.0)).expect("a pass");
    let scale = Scale::signed(&SIGNED_COLOURS, 1.0);
    for (k, seen) in canvas.stream().read().expect("texels").chunks(4).enumerate() {
        let expected = scale.at(k as f32 / 80.0);
        let is_near = expected.iter().zip(seen).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(is_near, "{k}: {seen:?}, not {expected:?}");
    }

    // Streaks make a picture lighter here and darker there; on average they do not change it.
    let speed = machine.kernel(&source(FLUID), &[("SPEED", "1")]).expect("a program");
    let dye = stream("dye", (40, 40), Format::R32F, &[0.0; 1600]);
    let canvas = Canvas::with_samples(&machine, (160, 160), 1).expect("memory");
    for share in [0.0f32, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0] {
        let velocity = stream("velocity", (44, 44), Format::Rg32F, &[share, 0.0].repeat(44 * 44));
        let pass = Pass::new(&speed).read("dye", &dye).read("velocity", &velocity);
        let pass = pass.set("size", (40, 40)).set("spacing", 0.25).set("most", 1.0);
        let pass = pass.set("grain", 1.0).set("corner", [0.0, 0.0]);
        canvas.draw(pass).expect("a pass");
        let texels = canvas.stream().read().expect("texels");
        let expected = Scale { colours: SPEED_COLOURS.to_vec(), ends: [0.0, 1.0] }.at(share);
        for channel in 0..3 {
            let mean = texels.chunks(4).map(|texel| texel[channel]).sum::<f32>() / 25_600.0;
            let wrong = (mean - expected[channel]).abs();
            assert!(wrong < 0.1 * expected[channel], "{share}: {mean}, not {expected:?}");
        }
    }
}

//! Every program of the fluid computes what it says, on random data and grids of ugly sizes; layered
//! streams hold every node as often as they should.

use fragstream::bolz2003::fluid::kernels::{COLOURS, STRIP};
use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::kernels::{GridKernel, GridKernels};
use fragstream::bolz2003::grid::layering::{BorderSync, ChannelUse, LayeredGrid, Layering};
use fragstream::stream::{Format, Pass, Rect, Stream};

use crate::fluid_bench::{Bench, on_all_grids, records};
use crate::witness::assert_faithful;

#[test]
fn a_step_is_made_of_what_its_programs_say() {
    let programs = [
        "bolz2003/advect",
        "bolz2003/add_force",
        "bolz2003/outflow_strips",
        "bolz2003/outflow_correction",
    ];
    on_all_grids(|bench| {
        assert_faithful(&programs, || {
            let (dt, size) = (0.7f32, bench.size());
            // Traced back over up to as much as the domain is long, and beyond its sides.
            let velocity = bench.records::<2>(bench.length() as f32 / dt, 1);
            let [velocity, dye] = [
                bench.stream(&velocity),
                bench.stream(&bench.records::<4>(1.0, 2)),
            ];
            for quantity in [&dye, &velocity] {
                bench.run(&bench.kernels.advect, size, quantity.format(), |pass| {
                    pass.read("quantity", quantity)
                        .read("velocity", &velocity)
                        .set("dt", dt)
                        .set("extent", bench.last)
                });
            }
            let force = bench.stream(&bench.records::<2>(1.0, 4));
            bench.run(&bench.kernels.add_force, size, Format::Rg32F, |pass| {
                pass.read("velocity", &velocity)
                    .read("force", &force)
                    .set("dt", dt)
            });
            let strips = (1, bench.grid.rows().div_ceil(STRIP) as u32);
            let kernel = &bench.kernels.outflow_strips;
            let strips = bench.run(kernel, strips, Format::R32F, |pass| {
                pass.read("velocity", &velocity).set("last", bench.last)
            });
            let kernel = &bench.kernels.outflow_correction;
            bench.run(kernel, (1, 1), Format::R32F, |pass| {
                pass.read("strips", &strips)
                    .set("inflow", 2.5)
                    .set("height", bench.last[1])
            });
        });
    });
}

#[test]
fn what_is_shown_is_what_its_programs_say() {
    let programs = [
        "bolz2003/speed",
        "bolz2003/vorticity",
        "bolz2003/move_particles",
    ];
    on_all_grids(|bench| {
        assert_faithful(&programs, || {
            let velocity = bench.stream(&bench.records::<2>(4.0, 14));
            bench.run(&bench.kernels.speed, bench.size(), Format::R32F, |pass| {
                pass.read("velocity", &velocity)
            });
            let kernel = &bench.kernels.vorticity;
            bench.run(kernel, bench.size(), Format::R32F, |pass| {
                pass.read("velocity", &velocity).set("last", bench.last)
            });
            move_particles(bench, &velocity);
        });
    });
}

#[test]
fn pictures_are_what_their_programs_say() {
    on_all_grids(|bench| {
        // A place far from the origin rounds to more than a colour.
        if bench.length() < 1000.0 {
            let programs = ["bolz2003/picture", "bolz2003/picture_dye"];
            assert_faithful(&programs, || paint(bench));
        }
    });
}

/// Particles all over the domain, every other one less than a grid space from where they leave;
/// some are not born yet, some will be too old.
fn move_particles(bench: &Bench<'_>, velocity: &Stream) {
    let [columns, rows] = bench.last;
    let share = |v: f32| 0.5 * (v + 1.0);
    let size = (64, 7);
    let places = records::<3>(64 * 7, 1.0, 16).into_iter().enumerate();
    let particle = |(k, [x, y, age]): (usize, [f32; 3])| {
        let from_right = share(x) * if k % 2 == 0 { columns } else { 1.0 };
        [
            0.5 + columns - from_right,
            0.5 + rows * share(y),
            2.0 * age,
            0.0,
        ]
    };
    let birth = |[x, y, life]: [f32; 3]| {
        let place = [0.5 + columns * share(x), 0.5 + rows * share(y)];
        [place[0], place[1], 2.0 * share(life), f32::NAN]
    };
    let particles: Vec<[f32; 4]> = places.map(particle).collect();
    let births = records::<3>(64 * 7, 1.0, 17).into_iter().map(birth);
    let streams = [
        bench.stream_of(size, &particles),
        bench.stream_of(size, &births.collect::<Vec<_>>()),
    ];
    let kernel = &bench.kernels.move_particles;
    bench.run(kernel, size, Format::Rgba32F, |pass| {
        pass.read("particles", &streams[0])
            .read("births", &streams[1])
            .read("velocity", velocity)
            .set("dt", 0.375)
            .set("extent", bench.last)
    });
}

/// Pictures with two and with three samples a grid space.
fn paint(bench: &Bench<'_>) {
    let quantity = bench.stream(&bench.records::<1>(1.0, 19));
    let dye = bench.stream(&bench.records::<2>(1.0, 21));
    let colours = bench.stream_of((COLOURS as u32, 1), &records::<4>(COLOURS, 1.0, 20));
    let [background, lower, upper] = records::<3>(3, 1.0, 22)[..] else {
        unreachable!("three colours")
    };
    for zoom in [2, 3] {
        let [width, height] = bench.grid.cells.map(|n| (n * zoom) as u32);
        let spacing = 1.0 / zoom as f32;
        let kernel = &bench.kernels.picture;
        bench.run(kernel, (width, height), Format::Rgba32F, |pass| {
            pass.read("quantity", &quantity)
                .read("colours", &colours)
                .set("range", [-0.5, 0.75])
                .set("spacing", spacing)
                .set("extent", bench.last)
        });
        let kernel = &bench.kernels.picture_dye;
        bench.run(kernel, (width, height), Format::Rgba32F, |pass| {
            pass.read("dye", &dye)
                .set("background", background)
                .set("lower_dye", lower)
                .set("upper_dye", upper)
                .set("spacing", spacing)
                .set("extent", bench.last)
        });
    }
}

#[test]
fn two_dyes_enter_each_in_its_half_and_nowhere_else() {
    on_all_grids(|bench| {
        // Openings of one row, of an odd number of rows and of nearly all.
        let rows = bench.grid.rows();
        for opening in [1..2, 1..(rows / 2 + 1), 1..(rows - 1)] {
            let middle = opening.start as f32 + 0.5 * opening.len() as f32;
            let before = bench.records::<2>(1.0, 15);
            let target = bench.stream(&before);
            let rect = Rect {
                x: 0,
                y: opening.start as u32,
                width: 1,
                height: opening.len() as u32,
            };
            Pass::new(&bench.kernels.dye_inlet)
                .set("middle", middle)
                .draw(&target, &bench.machine.rect(rect).unwrap())
                .unwrap();
            let mut expected = before;
            for j in opening {
                let is_upper = j as f32 >= middle;
                expected[bench.grid.place(0, j)] = if is_upper { [0.0, 1.0] } else { [1.0, 0.0] };
            }
            assert_eq!(target.read().unwrap(), expected.as_flattened());
        }
    });
}

/// The nodes of a layered image, after checking that every texel equals what it duplicates, bit for
/// bit.
fn nodes(layering: &Layering, image: &[f32], what: &str) -> Vec<f32> {
    let width = layering.size().0 as usize;
    let channels = layering.format().channels();
    let mut nodes = vec![f32::NAN; layering.grid.nodes()];
    for (at, &value) in image.iter().enumerate() {
        let texel = at / channels;
        if let Some([i, j]) = layering.node(texel % width, texel / width, at % channels) {
            nodes[layering.grid.place(i, j)] = value;
        }
    }
    let bits = |values: &[f32]| -> Vec<u32> {
        // −0 is as good a zero as 0.
        values.iter().map(|value| (value + 0.0).to_bits()).collect()
    };
    let expected = layering.image(&nodes);
    assert!(bits(&expected) == bits(image), "{what}: {layering:?}");
    nodes
}

/// What a program over grids leaves of a vector whose every texel was NaN, node by node.
fn run_layered<'k>(
    level: &LayeredGrid,
    kernel: &'k GridKernel,
    what: &str,
    bind: impl Fn(Pass<'k>) -> Pass<'k>,
) -> Vec<f32> {
    let target = level.zeros("target").unwrap();
    target.fill([f32::NAN; 4]);
    level.draw(kernel, &target, bind).unwrap();
    nodes(level.layering(), &target.read().unwrap(), what)
}

/// A vector with random values of the nodes.
fn random_layer(bench: &Bench<'_>, level: &LayeredGrid, seed: u64) -> Stream {
    let values = bench.records::<1>(1.0, seed);
    let stream = level.zeros("vector").unwrap();
    let image = level.layering().image(values.as_flattened());
    stream.write(&image).unwrap();
    stream
}

const LAYOUTS: [ChannelUse; 2] = [ChannelUse::Layered, ChannelUse::Scalar];
const SYNCS: [BorderSync; 2] = [BorderSync::Fused, BorderSync::Copy];

/// On all grids, in every layout, with both ways to keep duplicates in step.
fn on_all_layered_grids(check: impl Fn(&Bench<'_>, &LayeredGrid)) {
    on_all_grids(|bench| {
        let kernels = GridKernels::new(bench.machine).unwrap();
        let grid = bench.grid;
        for layout in LAYOUTS {
            for sync in SYNCS {
                let layering = Layering { grid, layout };
                let level = LayeredGrid::new(bench.machine, &kernels, layering, sync).unwrap();
                check(bench, &level);
            }
        }
    });
}

/// Random conditions for the sides of a grid; a third of their nodes is open. Inner nodes keep
/// everything.
fn random_sides(grid: &Grid, seed: u64) -> Vec<[f32; 4]> {
    let numbers = records::<4>(grid.nodes(), 1.0, seed);
    let node = |(place, [keep_x, keep_y, inlet, open]): (usize, [f32; 4])| {
        let (i, j) = (place % grid.columns(), place / grid.columns());
        let at_side = grid.extent(0, i) * grid.extent(1, j) < 1.0;
        match at_side {
            true => [keep_x, keep_y, inlet, f32::from(open > 0.33)],
            false => [1.0, 1.0, 0.0, 0.0],
        }
    };
    numbers.into_iter().enumerate().map(node).collect()
}

#[test]
fn layered_programs_do_what_they_say_and_keep_duplicates_alike() {
    let programs = [
        "bolz2003/layer_velocity",
        "bolz2003/divergence",
        "bolz2003/subtract_gradient",
    ];
    on_all_layered_grids(|bench, level| {
        assert_faithful(&programs, || {
            let (velocity, sides) = (bench.records::<2>(1.0, 6), random_sides(&bench.grid, 7));
            let streams = [bench.stream(&velocity), bench.stream(&sides)];
            let correction = bench.stream_of((1, 1), &[[0.6f32]]);
            let stride = level.layering().quadrant().map(|n| n as f32);
            for (axis, kernel) in bench.kernels.layer_velocity.iter().enumerate() {
                let got = run_layered(level, kernel, "sides", |pass| {
                    pass.read("velocity", &streams[0])
                        .read("sides", &streams[1])
                        .read("correction", &correction)
                        .set("stride", stride)
                });
                let inner = (0..sides.len()).filter(|&place| sides[place] == [1.0, 1.0, 0.0, 0.0]);
                inner.for_each(|place| assert_eq!(got[place], velocity[place][axis]));
            }
            let [u_x, u_y] = [8, 9].map(|seed| random_layer(bench, level, seed));
            run_layered(level, &bench.kernels.divergence, "divergence", |pass| {
                pass.read("u_x", &u_x).read("u_y", &u_y)
            });
            for kernel in &bench.kernels.subtract_gradient {
                run_layered(level, kernel, "gradient", |pass| {
                    pass.read("u", &u_x).read("q", &u_y)
                });
            }
        });
    });
}

#[test]
fn unlayering_gives_both_components_back_from_the_quadrants_that_own_their_nodes() {
    on_all_layered_grids(|bench, level| {
        let n = bench.grid.nodes();
        let components = [records::<1>(n, 1.0, 12), records::<1>(n, 1.0, 13)];
        // Duplicates are not to be read.
        let streams = components.each_ref().map(|values| {
            let layering = level.layering();
            let image = only_owned(layering, &layering.image(values.as_flattened()));
            let stream = level.zeros("vector").unwrap();
            stream.write(&image).unwrap();
            stream
        });
        let kernel = &bench.kernels.unlayer_velocity;
        let stride = level.layering().quadrant().map(|n| n as f32);
        let got = bench.run(kernel, bench.size(), Format::Rg32F, |pass| {
            pass.read("u_x", &streams[0])
                .read("u_y", &streams[1])
                .set("stride", stride)
        });
        let pairs = components[0].iter().zip(&components[1]);
        let expected: Vec<f32> = pairs.flat_map(|(&[x], &[y])| [x, y]).collect();
        assert_eq!(got.read().unwrap(), expected);
    });
}

/// An image with NaN in place of duplicates: a node is left in the first quadrant that holds it
/// outside of its ring.
fn only_owned(layering: &Layering, image: &[f32]) -> Vec<f32> {
    let channels = layering.format().channels();
    let [columns, rows] = layering.quadrant().map(|n| n + 3);
    let owned =
        |texel: usize, length: usize, quadrant: usize| (1 + quadrant..length - 1).contains(&texel);
    let value = |(at, &value): (usize, &f32)| {
        let (texel, channel) = (at / channels, at % channels);
        let in_column = owned(texel % columns, columns, channel % 2);
        let in_row = owned(texel / columns, rows, channel / 2);
        if in_column && in_row { value } else { f32::NAN }
    };
    image.iter().enumerate().map(value).collect()
}

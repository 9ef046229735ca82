//! Every program of a step of the fluid against its twins, in single and in double precision, on
//! random data.

use crate::common::{UNIT, random, wide, wide_records};
use crate::fluid_bench::{Bench, INTERPOLATION, on_all_grids, records};
use fragstream::bolz2003::fluid::kernels::STRIP;
use fragstream::bolz2003::fluid::twin;
use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::kernels::{GridKernel, GridKernels};
use fragstream::bolz2003::grid::layering::{BorderSync, LayeredGrid, Layering, Layout};
use fragstream::stream::{Format, Pass, Stream};

#[test]
fn advection_is_its_twin_s_also_from_beyond_the_sides() {
    on_all_grids(|bench| {
        let grid = &bench.grid;
        // Traced back over up to as much as the domain is long.
        let dt = 0.7f32;
        let velocity = bench.records::<2>(bench.length() as f32 / dt, 1);
        // dt u is rounded, and so is what is left of the place.
        let place = UNIT * (2.0 * bench.length() + bench.length() + 0.5);
        // Neighbours differ by up to 2 along both axes.
        let bound = INTERPOLATION + 2.0 * 2.0 * place;
        let stream = bench.stream(&velocity);
        let carry = |quantity: &Stream| {
            let format = quantity.format();
            let kernel = &bench.kernels.advect;
            let result = bench.run(kernel, bench.size(), format, |pass| {
                pass.read("quantity", quantity)
                    .read("velocity", &stream)
                    .set("dt", dt)
                    .set("extent", bench.last)
            });
            result.read().unwrap()
        };
        let (wide_velocity, wide_dt) = (wide_records(&velocity), f64::from(dt));
        let dye = bench.records::<4>(1.0, 2);
        bench.assert_twins(
            "advected dye",
            &carry(&bench.stream(&dye)),
            twin::advect(grid, &dye, &velocity, dt).as_flattened(),
            twin::advect(grid, &wide_records(&dye), &wide_velocity, wide_dt).as_flattened(),
            bound,
        );
        // A field as large as far is carried: the velocity itself.
        bench.assert_twins(
            "advected velocity",
            &carry(&stream),
            twin::advect(grid, &velocity, &velocity, dt).as_flattened(),
            twin::advect(grid, &wide_velocity, &wide_velocity, wide_dt).as_flattened(),
            bound * bench.length() / wide_dt,
        );
    });
}

#[test]
fn the_force_is_its_twin_s() {
    on_all_grids(|bench| {
        let dt = 0.3f32;
        let (velocity, force) = (bench.records::<2>(1.0, 3), bench.records::<2>(1.0, 4));
        let streams = [bench.stream(&velocity), bench.stream(&force)];
        let kernel = &bench.kernels.add_force;
        let got = bench.run(kernel, bench.size(), Format::Rg32F, |pass| {
            pass.read("velocity", &streams[0])
                .read("force", &streams[1])
                .set("dt", dt)
        });
        bench.assert_twins(
            "forced velocity",
            &got.read().unwrap(),
            twin::add_force(&velocity, &force, dt).as_flattened(),
            twin::add_force(
                &wide_records(&velocity),
                &wide_records(&force),
                f64::from(dt),
            )
            .as_flattened(),
            // A product up to dt, a sum up to 1 + dt.
            UNIT * 2.0,
        );
    });
}

#[test]
fn the_outflow_and_what_balances_it_are_their_twins() {
    on_all_grids(|bench| {
        let grid = &bench.grid;
        let velocity = bench.records::<2>(1.0, 5);
        let stream = bench.stream(&velocity);
        let number = grid.rows().div_ceil(STRIP);
        let size = (1, number as u32);
        let strips = bench.run(&bench.kernels.outflow_strips, size, Format::R32F, |pass| {
            pass.read("velocity", &stream).set("last", bench.last)
        });
        let single = twin::outflow_strips(grid, &velocity);
        let double = twin::outflow_strips(grid, &wide_records(&velocity));
        // Sums of at most so many rows, each rounded once for each that follows.
        let length = STRIP.min(grid.rows()) as f64;
        let rounding = UNIT * length * length;
        bench.assert_twins(
            "strips",
            &strips.read().unwrap(),
            &single,
            &double,
            rounding,
        );

        let (inflow, height) = (2.5f32, bench.last[1]);
        let kernel = &bench.kernels.outflow_correction;
        let correction = bench.run(kernel, (1, 1), Format::R32F, |pass| {
            pass.read("strips", &strips)
                .set("inflow", inflow)
                .set("height", height)
        });
        // Every strip is off by its own rounding and that of the sums after it; a quotient rounds
        // five times as much in the programs' language.
        let number = number as f64;
        let all = f64::from(inflow) + grid.rows() as f64;
        let bound = (number * (rounding + UNIT * all) + 6.0 * UNIT * all) / f64::from(height);
        bench.assert_twins(
            "correction",
            &correction.read().unwrap(),
            &[twin::outflow_correction(grid, &single, inflow)],
            &[twin::outflow_correction(grid, &double, f64::from(inflow))],
            bound,
        );
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

/// A vector with these values of the nodes.
fn layer(level: &LayeredGrid, values: &[f32]) -> Stream {
    let stream = level.zeros("vector").unwrap();
    stream.write(&level.layering().image(values)).unwrap();
    stream
}

const LAYOUTS: [Layout; 2] = [Layout::Layered, Layout::Scalar];
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
fn the_sides_of_the_domain_are_their_twins() {
    on_all_layered_grids(|bench, level| {
        let grid = &bench.grid;
        let (velocity, sides) = (bench.records::<2>(1.0, 6), random_sides(grid, 7));
        let streams = [bench.stream(&velocity), bench.stream(&sides)];
        let correction = 0.6f32;
        let record = bench.stream_of((1, 1), &[[correction]]);
        let stride = level.layering().quadrant().map(|n| n as f32);
        let single = twin::impose_sides(grid, &velocity, &sides, correction);
        let double = twin::impose_sides(
            grid,
            &wide_records(&velocity),
            &wide_records(&sides),
            f64::from(correction),
        );
        for (axis, kernel) in bench.kernels.layer_velocity.iter().enumerate() {
            let got = run_layered(level, kernel, "sides", |pass| {
                pass.read("velocity", &streams[0])
                    .read("sides", &streams[1])
                    .read("correction", &record)
                    .set("stride", stride)
            });
            // A product up to 1 and a sum up to 2; inner nodes are copied.
            let bound = UNIT * 3.0;
            bench.assert_twins("sides", &got, &single[axis], &double[axis], bound);
            let inner = (0..grid.nodes()).filter(|&place| sides[place] == [1.0, 1.0, 0.0, 0.0]);
            inner.for_each(|place| assert_eq!(got[place], velocity[place][axis]));
        }
    });
}

#[test]
fn the_divergence_is_its_twin_s() {
    on_all_layered_grids(|bench, level| {
        let n = bench.grid.nodes();
        let (u_x, u_y) = (random(n, 8), random(n, 9));
        let streams = [layer(level, &u_x), layer(level, &u_y)];
        let kernel = &bench.kernels.divergence;
        let got = run_layered(level, kernel, "divergence", |pass| {
            pass.read("u_x", &streams[0]).read("u_y", &streams[1])
        });
        bench.assert_twins(
            "divergence",
            &got,
            &twin::divergence(&bench.grid, &u_x, &u_y),
            &twin::divergence(&bench.grid, &wide(&u_x), &wide(&u_y)),
            // Two sums up to 2 along each axis, one up to 4, and half of it all.
            UNIT * 0.5 * (2.0 * 2.0 + 2.0 * 2.0 + 4.0),
        );
    });
}

#[test]
fn the_subtracted_gradient_is_its_twin_s() {
    on_all_layered_grids(|bench, level| {
        let n = bench.grid.nodes();
        let (u, q) = (random(n, 10), random(n, 11));
        let streams = [layer(level, &u), layer(level, &q)];
        for (axis, kernel) in bench.kernels.subtract_gradient.iter().enumerate() {
            let got = run_layered(level, kernel, "gradient", |pass| {
                pass.read("u", &streams[0]).read("q", &streams[1])
            });
            bench.assert_twins(
                "gradient",
                &got,
                &twin::subtract_gradient(&bench.grid, &u, &q, axis),
                &twin::subtract_gradient(&bench.grid, &wide(&u), &wide(&q), axis),
                // Half of a difference up to 2, and a difference of that up to 2.
                UNIT * (1.0 + 2.0),
            );
        }
    });
}

#[test]
fn unlayering_gives_both_components_back_from_the_quadrants_that_own_their_nodes() {
    on_all_layered_grids(|bench, level| {
        let n = bench.grid.nodes();
        let components = [random(n, 12), random(n, 13)];
        // Duplicates are not to be read.
        let streams = components.each_ref().map(|values| {
            let layering = level.layering();
            let image = only_owned(layering, &layering.image(values));
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
        let expected: Vec<f32> = pairs.flat_map(|(&x, &y)| [x, y]).collect();
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

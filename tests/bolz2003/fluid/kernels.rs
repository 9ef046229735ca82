//! Layered streams hold every node of a fluid as often as they should, on random data and grids of
//! ugly sizes.

use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::kernels::{GridKernel, GridKernels};
use fragstream::bolz2003::grid::layering::{BorderSync, ChannelUse, LayeredGrid, Layering};
use fragstream::stream::{Format, Pass, Rect, Stream};

use super::bench::{Bench, on_all_grids, records};

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
                .draw(&target, rect)
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
fn layered_programs_keep_duplicates_alike() {
    on_all_layered_grids(|bench, level| {
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
        let divergence = |u_x: &Stream, u_y: &Stream| {
            let kernel = &bench.kernels.divergence;
            run_layered(level, kernel, "divergence", |pass| {
                pass.read("u_x", u_x).read("u_y", u_y)
            })
        };
        divergence(&u_x, &u_y);
        // Of a linear velocity it is its constant times the control volume, at the sides as well.
        let linear = |[a, b, c]: [f32; 3]| {
            let nodes = (0..sides.len()).map(|place| bench.grid.node(place));
            let values: Vec<f32> = nodes
                .map(|[i, j]| a * i as f32 + b * j as f32 + c)
                .collect();
            let stream = level.zeros("linear").unwrap();
            stream.write(&level.layering().image(&values)).unwrap();
            stream
        };
        let (u_x, u_y) = (linear([0.5, -0.25, 2.0]), linear([1.5, -0.75, -1.0]));
        for (place, found) in divergence(&u_x, &u_y).iter().enumerate() {
            let [i, j] = bench.grid.node(place);
            let volume = bench.grid.extent(0, i) * bench.grid.extent(1, j);
            assert!((f64::from(*found) - 0.25 * volume).abs() < 1e-4, "{i} {j}");
        }
        let [u_x, u_y] = [8, 9].map(|seed| random_layer(bench, level, seed));
        for kernel in &bench.kernels.subtract_gradient {
            run_layered(level, kernel, "gradient", |pass| {
                pass.read("u", &u_x).read("q", &u_y)
            });
        }
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

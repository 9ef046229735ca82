//! The fluid's layered programs, on random data and grids of awkward sizes.

use fragstream::bolz2003::fluid::domain::FluidKernels;
use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::kernels::{GridKernel, GridKernels};
use fragstream::bolz2003::grid::layering::{LayeredGrid, Layering};
use fragstream::bolz2003::study::claims::problems::NEUMANN;
use fragstream::bolz2003::study::claims::rings::poisoned;
use fragstream::stream::{Format, Pass, Stream};

use crate::bolz2003::multigrid::kernels::{LAYOUTS, SYNCS, nodes};
use crate::common::{machine, random};

/// The smallest grid, narrow, long and odd ones.
const SIZES: [(usize, usize); 6] = [(3, 3), (5, 3), (3, 33), (65, 3), (17, 63), (33, 97)];

/// Draws into a vector full of NaN, and returns its nodes.
fn run<'k>(
    level: &LayeredGrid,
    kernel: &'k GridKernel,
    bind: impl Fn(Pass<'k>) -> Pass<'k>,
) -> Vec<f32> {
    let target = poisoned(level).unwrap();
    level.draw(kernel, &target, bind).unwrap();
    nodes(level, &target, "a fluid's program")
}

/// Random conditions for the sides of a grid; a third of their nodes is open. Inner nodes keep
/// everything.
fn random_sides(grid: &Grid) -> Vec<[f32; 4]> {
    let numbers = random(4 * grid.nodes(), 7);
    let records = numbers.as_chunks().0.iter().enumerate();
    let node = |(place, &[keep_x, keep_y, inlet, open]): (usize, &[f32; 4])| {
        if grid.share(place) < 1.0 {
            [keep_x, keep_y, inlet, f32::from(open > 0.33)]
        } else {
            [1.0, 1.0, 0.0, 0.0]
        }
    };
    records.map(node).collect()
}

#[test]
fn layered_programs_keep_duplicates_alike() {
    let machine = machine();
    let layered = GridKernels::new(&machine).unwrap();
    for (columns, rows) in SIZES {
        let grid = Grid::new(columns, rows, NEUMANN).unwrap();
        let kernels = FluidKernels::new(&machine, rows).unwrap();
        for (layout, sync) in LAYOUTS.into_iter().flat_map(|l| SYNCS.map(|s| (l, s))) {
            let layering = Layering { grid, layout };
            let level = LayeredGrid::new(&machine, &layered, layering, sync).unwrap();
            check(&kernels, &level);
        }
    }
}

fn check(kernels: &FluidKernels, level: &LayeredGrid) {
    let grid = level.grid();
    let size = (grid.columns() as u32, grid.rows() as u32);
    let stream = |format, size, data: &[f32]| {
        Stream::from_data(level.machine(), "data", size, format, data).unwrap()
    };
    let (velocity, sides) = (random(2 * grid.nodes(), 6), random_sides(grid));
    let streams = [
        stream(Format::Rg32F, size, &velocity),
        stream(Format::Rgba32F, size, sides.as_flattened()),
        stream(Format::R32F, (1, 1), &[0.6]),
    ];
    let stride = level.layering.quadrant().map(|n| n as f32);
    for (axis, kernel) in kernels.layer_velocity.iter().enumerate() {
        let got = run(level, kernel, |pass| {
            pass.read("velocity", &streams[0])
                .read("sides", &streams[1])
                .read("correction", &streams[2])
                .set("stride", stride)
        });
        let inner = (0..sides.len()).filter(|&place| sides[place] == [1.0, 1.0, 0.0, 0.0]);
        inner.for_each(|place| assert_eq!(got[place], velocity[2 * place + axis]));
    }
    let [u_x, u_y] = [8, 9].map(|seed| level.upload(&random(grid.nodes(), seed)).unwrap());
    for kernel in &kernels.subtract_gradient {
        run(level, kernel, |pass| pass.read("u", &u_x).read("q", &u_y));
    }
    let divergence = |u_x: &Stream, u_y: &Stream| {
        run(level, &kernels.divergence, |pass| pass.read("u_x", u_x).read("u_y", u_y))
    };
    divergence(&u_x, &u_y);
    // Of a linear velocity it is its constant times the control volume, at the sides as well.
    let linear = |[a, b, c]: [f32; 3]| {
        let value = |[i, j]: [usize; 2]| a * i as f32 + b * j as f32 + c;
        let nodes: Vec<f32> = (0..grid.nodes()).map(|k| value(grid.node(k))).collect();
        level.upload(&nodes).unwrap()
    };
    let (u_x, u_y) = (linear([0.5, -0.25, 2.0]), linear([1.5, -0.75, -1.0]));
    for (place, found) in divergence(&u_x, &u_y).into_iter().enumerate() {
        let expected = 0.25 * grid.share(place);
        let node = grid.node(place);
        assert!((f64::from(found) - expected).abs() < 1e-4, "{node:?}");
    }
}

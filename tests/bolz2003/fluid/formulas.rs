//! A step of the fluid as formulas over its nodes, generic over the precision (Bolz et al. 2003,
//! sections 4.1 and 4.3).
//!
//! Fields hold a record a node, in the order of the nodes. Places are in texels as in the programs:
//! node (i, j) stands at (i + 1/2, j + 1/2).

use std::array::from_fn;
use std::ops::Range;

use fragstream::bolz2003::fluid::domain::STRIP;
use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::stencil::neighbour;
use fragstream::solver::Real;

/// The steps from a node to the next one on each axis, and back.
const AXES: [[[isize; 2]; 2]; 2] = [[[1, 0], [-1, 0]], [[0, 1], [0, -1]]];

fn half<T: Real>() -> T {
    T::from_f64(0.5)
}

fn whole<T: Real>(number: usize) -> T {
    T::from_f64(number as f64)
}

/// The columns and rows of all nodes, in their order.
fn nodes(grid: &Grid) -> impl Iterator<Item = [usize; 2]> + use<> {
    let (columns, rows) = (grid.columns(), grid.rows());
    (0..rows).flat_map(move |j| (0..columns).map(move |i| [i, j]))
}

/// Where a node, or a pixel of a picture, stands: `here`.
fn centre<T: Real>(texel: [usize; 2]) -> [T; 2] {
    texel.map(|index| whole::<T>(index) + half())
}

/// `INSIDE` of `bilinear.glsl`: a place, clamped to the domain.
fn inside<T: Real>(grid: &Grid, place: [T; 2]) -> [T; 2] {
    from_fn(|axis| {
        let last = whole::<T>(grid.cells[axis]) + half();
        place[axis].max(half()).min(last)
    })
}

fn mix<T: Real, const CHANNELS: usize>(
    a: [T; CHANNELS],
    b: [T; CHANNELS],
    share: T,
) -> [T; CHANNELS] {
    from_fn(|channel| a[channel] * (T::ONE - share) + b[channel] * share)
}

/// `BILINEAR` of `bilinear.glsl`: a field at a place inside.
fn bilinear<T: Real, const CHANNELS: usize>(
    grid: &Grid,
    field: &[[T; CHANNELS]],
    place: [T; 2],
) -> [T; CHANNELS] {
    let lower: [T; 2] = from_fn(|axis| {
        let last_cell = whole::<T>(grid.cells[axis]) - T::ONE;
        (place[axis] - half()).floor().min(last_cell)
    });
    let [x, y] = from_fn(|axis| place[axis] - (lower[axis] + half()));
    let [i, j] = lower.map(|index| index.to_f64() as usize);
    let row = |j| {
        let at = |i| field[grid.place(i, j)];
        mix(at(i), at(i + 1), x)
    };
    mix(row(j), row(j + 1), y)
}

/// `advect.frag`: what was, a step ago, where a straight line along the velocity leads from.
pub fn advect<T: Real, const CHANNELS: usize>(
    grid: &Grid,
    quantity: &[[T; CHANNELS]],
    velocity: &[[T; 2]],
    dt: T,
) -> Vec<[T; CHANNELS]> {
    let node = |[i, j]: [usize; 2]| {
        let here = centre::<T>([i, j]);
        let velocity = velocity[grid.place(i, j)];
        let before = from_fn(|axis| here[axis] - dt * velocity[axis]);
        bilinear(grid, quantity, inside(grid, before))
    };
    nodes(grid).map(node).collect()
}

/// `add_force.frag`: u + Δt f.
pub fn add_force<T: Real>(velocity: &[[T; 2]], force: &[[T; 2]], dt: T) -> Vec<[T; 2]> {
    let node = |(u, f): (&[T; 2], &[T; 2])| from_fn(|axis| u[axis] + dt * f[axis]);
    velocity.iter().zip(force).map(node).collect()
}

/// `outflow_strips.frag`: what leaves through the open side at the right, in strips of [`STRIP`]
/// rows.
pub fn outflow_strips<T: Real>(grid: &Grid, velocity: &[[T; 2]]) -> Vec<T> {
    let strip = |first: usize| {
        (first..grid.rows().min(first + STRIP)).fold(T::ZERO, |sum, j| {
            let [leaving, _] = velocity[grid.place(grid.cells[0], j)];
            sum + T::from_f64(grid.extent(1, j)) * leaving.max(T::ZERO)
        })
    };
    (0..grid.rows()).step_by(STRIP).map(strip).collect()
}

/// `outflow_correction.frag`: the velocity that balances inflow and outflow.
pub fn outflow_correction<T: Real>(grid: &Grid, strips: &[T], inflow: T) -> T {
    let sum = strips.iter().fold(T::ZERO, |sum, &strip| sum + strip);
    (inflow - sum) / whole(grid.cells[1])
}

/// `layer_velocity.frag` but for the layering: u_x and u_y, with what holds on the sides of the
/// domain. `sides` holds at each node what of u_x and u_y is kept, the velocity of the inlet, and 1
/// at nodes of the open side.
pub fn impose_sides<T: Real>(
    grid: &Grid,
    velocity: &[[T; 2]],
    sides: &[[T; 4]],
    correction: T,
) -> [Vec<T>; 2] {
    let at_side = |[i, j]: [usize; 2]| i == 0 || i == grid.cells[0] || j == 0 || j == grid.cells[1];
    let node = |node: [usize; 2]| {
        let place = grid.place(node[0], node[1]);
        let [x, y] = velocity[place];
        let [keep_x, keep_y, inlet, open] = sides[place];
        if !at_side(node) {
            (x, y)
        } else if open > T::ZERO {
            (x.max(T::ZERO) + correction, keep_y * y)
        } else {
            (keep_x * x + inlet, keep_y * y)
        }
    };
    let (u_x, u_y) = nodes(grid).map(node).unzip();
    [u_x, u_y]
}

/// The difference of a node's neighbours along an axis; zero outside the domain.
fn difference<T: Real>(grid: &Grid, field: &[T], node: [usize; 2], axis: usize) -> T {
    let at =
        |offset| neighbour(grid, node, offset).map_or(T::ZERO, |[i, j]| field[grid.place(i, j)]);
    let [forward, back] = AXES[axis];
    at(forward) - at(back)
}

/// The component of the outward normal along an axis: zero off the sides normal to it.
fn outward<T: Real>(grid: &Grid, node: [usize; 2], axis: usize) -> T {
    match node[axis] {
        0 => -T::ONE,
        index if index == grid.cells[axis] => T::ONE,
        _ => T::ZERO,
    }
}

/// `divergence.frag`: the right side of the Poisson equation, −∇·u over each control volume.
pub fn divergence<T: Real>(grid: &Grid, u_x: &[T], u_y: &[T]) -> Vec<T> {
    let node = |node: [usize; 2]| {
        let here = grid.place(node[0], node[1]);
        let along = |u: &[T], axis| {
            difference(grid, u, node, axis) + outward::<T>(grid, node, axis) * u[here]
        };
        let [width, height] = from_fn(|axis| T::from_f64(grid.extent(axis, node[axis])));
        -half::<T>() * (height * along(u_x, 0) + width * along(u_y, 1))
    };
    nodes(grid).map(node).collect()
}

/// `subtract_gradient.frag`: u − ∂q/∂x for axis 0, over y for axis 1.
pub fn subtract_gradient<T: Real>(grid: &Grid, u: &[T], q: &[T], axis: usize) -> Vec<T> {
    let node = |node: [usize; 2]| {
        let share = T::from_f64(grid.extent(axis, node[axis])) - half();
        u[grid.place(node[0], node[1])] - share * difference(grid, q, node, axis)
    };
    nodes(grid).map(node).collect()
}

/// `dye_inlet.frag`: the dyes in these rows of the inlet, whose middle is row `middle`.
pub fn dye_inlet<T: Real>(rows: Range<usize>, middle: T) -> Vec<[T; 2]> {
    let row = |j: usize| {
        let is_upper = whole::<T>(j) + half() >= middle + half();
        let upper = if is_upper { T::ONE } else { T::ZERO };
        [T::ONE - upper, upper]
    };
    rows.map(row).collect()
}

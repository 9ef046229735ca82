//! The programs of the fluid on the CPU, the same arithmetic in the same order, generic over the
//! precision (Bolz et al. 2003, sections 4.1 and 4.3).
//!
//! Fields hold a record a node, in the order of the nodes. Places are in texels as in the programs:
//! node (i, j) stands at (i + 1/2, j + 1/2). Where the nodes of a layered stream lie says
//! [`Layering::image`](crate::bolz2003::grid::layering::Layering::image), so that `layer_velocity.frag` has
//! its conditions here and `unlayer_velocity.frag` no twin of its own.

use std::array::from_fn;
use std::ops::Range;

use crate::solver::Real;

use super::kernels::STRIP;
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::stencil::neighbour;

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

/// `speed.frag`: |u|.
pub fn speed<T: Real>(velocity: &[[T; 2]]) -> Vec<T> {
    let node = |&[x, y]: &[T; 2]| (x * x + y * y).sqrt();
    velocity.iter().map(node).collect()
}

/// `vorticity.frag`: ∂u_y/∂x − ∂u_x/∂y, one-sided at the sides.
pub fn vorticity<T: Real>(grid: &Grid, velocity: &[[T; 2]]) -> Vec<T> {
    let node = |node: [usize; 2]| {
        let derivative = |component: usize, axis: usize| {
            let (mut before, mut after) = (node, node);
            before[axis] = node[axis].saturating_sub(1);
            after[axis] = (node[axis] + 1).min(grid.cells[axis]);
            let at = |[i, j]: [usize; 2]| velocity[grid.place(i, j)][component];
            (at(after) - at(before)) / whole(after[axis] - before[axis])
        };
        derivative(1, 0) - derivative(0, 1)
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

/// A particle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle<T> {
    /// Column and row, from 1/2.
    pub place: [T; 2],
    /// Negative before its birth.
    pub age: T,
}

/// Where a particle is born, again and again, and how old it becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Birth<T> {
    /// Column and row, from 1/2.
    pub place: [T; 2],
    /// The age at which it is born again.
    pub life: T,
}

/// `move_particles.frag`: the midpoint rule; who leaves at the right or is too old is born again.
pub fn move_particles<T: Real>(
    grid: &Grid,
    particles: &[Particle<T>],
    births: &[Birth<T>],
    velocity: &[[T; 2]],
    dt: T,
) -> Vec<Particle<T>> {
    let carried = |(particle, birth): (&Particle<T>, &Birth<T>)| {
        let moved = carry(grid, particle, velocity, dt);
        let age = particle.age + dt;
        let at_right = moved[0] > whole::<T>(grid.cells[0]) + half();
        if age > birth.life || at_right {
            Particle {
                place: birth.place,
                age: T::ZERO,
            }
        } else {
            Particle {
                place: inside(grid, moved),
                age,
            }
        }
    };
    particles.iter().zip(births).map(carried).collect()
}

/// Where the velocity carries a particle, be it out of the domain.
pub fn carry<T: Real>(grid: &Grid, particle: &Particle<T>, velocity: &[[T; 2]], dt: T) -> [T; 2] {
    let place = particle.place;
    let time = if particle.age < T::ZERO { T::ZERO } else { dt };
    let there = bilinear(grid, velocity, place);
    let middle = from_fn(|axis| place[axis] + half::<T>() * time * there[axis]);
    let between = bilinear(grid, velocity, inside(grid, middle));
    from_fn(|axis| place[axis] + time * between[axis])
}

/// Where the samples of a picture lie, row by row: `spacing` grid spaces from one to the next.
fn samples<T: Real>(grid: &Grid, spacing: T, size: [usize; 2]) -> impl Iterator<Item = [T; 2]> {
    let [width, height] = size;
    let texels = (0..height).flat_map(move |y| (0..width).map(move |x| [x, y]));
    texels.map(move |texel| {
        let here = centre::<T>(texel);
        inside(grid, here.map(|here| half::<T>() + spacing * here))
    })
}

/// `picture.frag`: a quantity between its nodes, looked up among colours, the first of them for
/// `range[0]` and the last for `range[1]`; as many columns and rows as `size` says.
pub fn picture<T: Real>(
    grid: &Grid,
    quantity: &[[T; 1]],
    colours: &[[T; 4]],
    range: [T; 2],
    spacing: T,
    size: [usize; 2],
) -> Vec<[T; 4]> {
    let last = colours.len() - 1;
    let sample = |place| {
        let [value] = bilinear(grid, quantity, place);
        let share = (value - range[0]) / (range[1] - range[0]);
        let colour = half::<T>() + whole::<T>(last) * share.max(T::ZERO).min(T::ONE);
        let below = (colour - half()).floor();
        let above = (colour + half()).floor().min(whole(last));
        let [from, to] = [below, above].map(|record| colours[record.to_f64() as usize]);
        mix(from, to, (colour - half()) - below)
    };
    samples(grid, spacing, size).map(sample).collect()
}

/// `picture_dye.frag`: two dyes, each of which adds its colour by its concentration. `colours` are
/// those of the background, of the first and of the second.
pub fn picture_dye<T: Real>(
    grid: &Grid,
    dye: &[[T; 2]],
    colours: &[[T; 3]; 3],
    spacing: T,
    size: [usize; 2],
) -> Vec<[T; 3]> {
    let [background, lower, upper] = colours;
    let sample = |place| {
        let [first, second] = bilinear(grid, dye, place);
        let clear = T::ONE - (first + second).max(T::ZERO).min(T::ONE);
        from_fn(|c| clear * background[c] + first * lower[c] + second * upper[c])
    };
    samples(grid, spacing, size).map(sample).collect()
}

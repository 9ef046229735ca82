//! The kernels of section 3.1 (Bolz et al. 2003) on the CPU: the same arithmetic in the same order
//! over the same images, in single precision (what the GPU should have computed) or in double
//! precision (what is right).
//!
//! Streams are images stored line by line; a record of a vector has one to four channels.

use super::matrix::{Entries, MeshImages, Pointers, RingPointers};
use super::packing::{Group, Packing};
use crate::solver::real::Real;
use crate::stream::rows::{centre, texel_at};

/// A record of a position stream: x, y, z, and an unused channel.
pub type Position<R> = [R; 4];

/// y = A x (section 3.1.1), a row a record, a pass of each program after the other:
/// y_i = a_ii x_i + Σ_c a_ij x_j, summed in the order of c from the diagonal term on. Zero where
/// nothing is drawn.
pub fn spmv<R: Real, const CHANNELS: usize>(
    packing: &Packing,
    pointers: &Pointers,
    entries: &Entries<R>,
    x: &[[R; CHANNELS]],
) -> Vec<[R; CHANNELS]> {
    draw_rows(
        packing,
        pointers,
        [R::ZERO; CHANNELS],
        |record, segment, before| {
            let start = match before {
                Some(sum) => sum,
                None => x[record].map(|channel| entries.diagonal[record] * channel),
            };
            segment.fold(start, |sum, j| {
                let a = entries.off_diagonal[j];
                let x_j = fetch(packing, x, pointers.column[j]);
                std::array::from_fn(|channel| sum[channel] + a * x_j[channel])
            })
        },
    )
}

/// The off-diagonal entries of geometric flow (section 3.1.2), laid out in segments:
/// a_ij = −λΔt (cot(x_j, x_jp, x_i) + cot(x_i, x_jn, x_j)), where jp and jn are the neighbours of i
/// before and after j. Zero in padding, which is known by its pointer to the packing's zero.
pub fn off_diagonal<R: Real>(
    packing: &Packing,
    mesh: &MeshImages,
    x: &[Position<R>],
    lambda_dt: R,
) -> Vec<R> {
    let zero = centre(packing.zero);
    let RingPointers {
        own,
        next,
        previous,
    } = &mesh.ring;
    let entry = |(j, &column): (usize, &[f32; 2])| {
        if column == zero {
            return R::ZERO;
        }
        let x_i = fetch(packing, x, own[j]);
        let x_j = fetch(packing, x, column);
        let x_jn = fetch(packing, x, next[j]);
        let x_jp = fetch(packing, x, previous[j]);
        -lambda_dt * (cotangent(x_j, x_jp, x_i) + cotangent(x_i, x_jn, x_j))
    };
    mesh.pointers.column.iter().enumerate().map(entry).collect()
}

/// The diagonal entries of geometric flow (section 3.1.2), laid out like x:
/// a_ii = Σ_c 4 Area(x_i, x_jp, x_j) − a_ij. Zero in dummy rows and where nothing is drawn.
///
/// The paper says that A_i is the area of the triangles at i. Each of them belongs to one
/// neighbour j, the one that it precedes, and so is counted once.
pub fn diagonal<R: Real>(
    packing: &Packing,
    mesh: &MeshImages,
    off_diagonal: &[R],
    x: &[Position<R>],
) -> Vec<R> {
    draw_rows(
        packing,
        &mesh.pointers,
        R::ZERO,
        |record, segment, before| {
            segment.fold(before.unwrap_or(R::ZERO), |sum, j| {
                sum + (four_areas(packing, mesh, x, record, j) - off_diagonal[j])
            })
        },
    )
}

/// The right-hand side of geometric flow, laid out like x: 4 A_i x_i = (Σ_c 4 Area(x_i, x_jp, x_j)) x_i.
/// Zero where nothing is drawn.
pub fn right_hand_side<R: Real>(
    packing: &Packing,
    mesh: &MeshImages,
    x: &[Position<R>],
) -> Vec<Position<R>> {
    draw_rows(
        packing,
        &mesh.pointers,
        [R::ZERO; 4],
        |record, segment, before| {
            let areas = segment.fold(R::ZERO, |sum, j| {
                sum + four_areas(packing, mesh, x, record, j)
            });
            let before = before.unwrap_or([R::ZERO; 4]);
            std::array::from_fn(|channel| before[channel] + areas * x[record][channel])
        },
    )
}

/// Runs a program on every record of every drawn rectangle, once a pass. It gets the place of the
/// record, the places of the pass's entries in the segment texture, and from the second pass on the
/// result of the pass before.
fn draw_rows<T: Copy>(
    packing: &Packing,
    pointers: &Pointers,
    undrawn: T,
    program: impl Fn(usize, std::ops::Range<usize>, Option<T>) -> T,
) -> Vec<T> {
    let mut target = vec![undrawn; packing.area()];
    for group in &packing.groups {
        for pass in 0..group.passes {
            for record in records(packing, group) {
                let [column, row] = texel_at(pointers.row[record]);
                let first = packing.segment_index([column, row + pass]);
                let before = (pass > 0).then_some(target[record]);
                let segment = first..first + group.pass_length as usize;
                target[record] = program(record, segment, before);
            }
        }
    }
    target
}

/// The places of all records of a group, rectangle by rectangle, line by line.
fn records(packing: &Packing, group: &Group) -> impl Iterator<Item = usize> {
    let [width, height] = packing.rectangle;
    group.origins.iter().flat_map(move |&[column, row]| {
        (0..height).flat_map(move |line| {
            let first = packing.index([column, row + line]);
            first..first + width as usize
        })
    })
}

/// The record that a pointer points to.
fn fetch<T: Copy>(packing: &Packing, stream: &[T], pointer: [f32; 2]) -> T {
    stream[packing.index(texel_at(pointer))]
}

fn minus<R: Real>(a: Position<R>, b: Position<R>) -> [R; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot3<R: Real>(a: [R; 3], b: [R; 3]) -> R {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross<R: Real>(a: [R; 3], b: [R; 3]) -> [R; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn length<R: Real>(a: [R; 3]) -> R {
    dot3(a, a).sqrt()
}

/// The cotangent of the angle at b in the triangle a, b, c: (a−b)·(c−b) / ‖(a−b)×(c−b)‖.
pub fn cotangent<R: Real>(a: Position<R>, b: Position<R>, c: Position<R>) -> R {
    let (u, v) = (minus(a, b), minus(c, b));
    dot3(u, v) / length(cross(u, v))
}

/// 4 Area(x_i, x_jp, x_j) of entry j in the row of a record.
///
/// Both edges are taken from x_j: in padding, where x_j and x_jp are the same zero, one of them is
/// zero, and so is the area, also where a GPU fuses a multiplication with an addition.
fn four_areas<R: Real>(
    packing: &Packing,
    mesh: &MeshImages,
    x: &[Position<R>],
    record: usize,
    j: usize,
) -> R {
    let x_j = fetch(packing, x, mesh.pointers.column[j]);
    let x_jp = fetch(packing, x, mesh.ring.previous[j]);
    let twice_the_area = length(cross(minus(x[record], x_j), minus(x_jp, x_j)));
    (R::ONE + R::ONE) * twice_the_area
}

/// How a reduction treats odd sizes (section 3.1.3). Both give the same sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// What lies outside the data is read, and is zero.
    ZeroPadded,
    /// What lies outside the data is left out by a comparison.
    Bounded,
}

/// The sum of all records of an image of the given width and height, each channel by itself
/// (section 3.1.3): the image is halved until one record is left, each new record being the sum of
/// a block of 2 x 2, the lower line first.
pub fn sum<R: Real, const CHANNELS: usize>(
    x: &[[R; CHANNELS]],
    size: [usize; 2],
    border: Border,
) -> [R; CHANNELS] {
    let outside = match border {
        Border::ZeroPadded => Some([R::ZERO; CHANNELS]),
        Border::Bounded => None,
    };
    reduce(x, size, outside, |a, b| a + b)
}

/// The inner product of two images, each channel by itself: the products are summed as by [`sum`].
pub fn dot<R: Real, const CHANNELS: usize>(
    x: &[[R; CHANNELS]],
    y: &[[R; CHANNELS]],
    size: [usize; 2],
    border: Border,
) -> [R; CHANNELS] {
    let products: Vec<_> = x
        .iter()
        .zip(y)
        .map(|(x, y)| each(*x, *y, |x, y| x * y))
        .collect();
    sum(&products, size, border)
}

/// Reduces an image with any operator, in the order of [`sum`]. `outside` is what stands beyond the
/// data, the operator's identity; with none, records beyond the data are left out. An empty image
/// gives zeros.
pub fn reduce<R: Real, const CHANNELS: usize>(
    x: &[[R; CHANNELS]],
    size: [usize; 2],
    outside: Option<[R; CHANNELS]>,
    operator: impl Fn(R, R) -> R,
) -> [R; CHANNELS] {
    let [mut width, mut height] = size;
    let mut image = x.to_vec();
    while width > 1 || height > 1 {
        let read = |column, row| {
            let inside = column < width && row < height;
            if inside {
                Some(image[row * width + column])
            } else {
                outside
            }
        };
        let half = [width.div_ceil(2), height.div_ceil(2)];
        let blocks =
            (0..half[1]).flat_map(|row| (0..half[0]).map(move |column| [2 * column, 2 * row]));
        let halved = blocks.map(|[column, row]| {
            let rest = [[column + 1, row], [column, row + 1], [column + 1, row + 1]];
            let rest = rest
                .into_iter()
                .filter_map(|[column, row]| read(column, row));
            rest.fold(image[row * width + column], |a, b| each(a, b, &operator))
        });
        image = halved.collect();
        [width, height] = half;
    }
    image.first().copied().unwrap_or([R::ZERO; CHANNELS])
}

fn each<R: Real, const CHANNELS: usize>(
    a: [R; CHANNELS],
    b: [R; CHANNELS],
    operator: impl Fn(R, R) -> R,
) -> [R; CHANNELS] {
    std::array::from_fn(|channel| operator(a[channel], b[channel]))
}

/// a x + y, record by record: the vector operation of conjugate gradients.
pub fn scale_add<R: Real, const CHANNELS: usize>(
    a: R,
    x: &[[R; CHANNELS]],
    y: &[[R; CHANNELS]],
) -> Vec<[R; CHANNELS]> {
    x.iter()
        .zip(y)
        .map(|(x, y)| each(*x, *y, |x, y| a * x + y))
        .collect()
}

/// D⁻¹ r, record by record: diagonal preconditioning, the division of the residual by the diagonal
/// entries (section 3.1.1). Zero where the diagonal is: there is no row.
pub fn precondition<R: Real, const CHANNELS: usize>(
    diagonal: &[R],
    r: &[[R; CHANNELS]],
) -> Vec<[R; CHANNELS]> {
    let divide = |(&a, r): (&R, &[R; CHANNELS])| {
        if a == R::ZERO {
            [R::ZERO; CHANNELS]
        } else {
            r.map(|channel| channel / a)
        }
    };
    diagonal.iter().zip(r).map(divide).collect()
}

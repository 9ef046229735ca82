//! The best rectangle and the staircase of Fig. 3 (Bolz et al. 2003, section 3.2.2).

use crate::base::order::ShortSort;
use crate::stream::Size;

use super::{Nv30, Tuples};

/// Size and cost of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Tuples sent to the fragment stage.
    pub tuples: Tuples,
}

impl Rectangle {
    /// Pixels of the rectangle: the useful work.
    pub fn area(&self) -> u32 {
        self.width * self.height
    }
}

/// One point of the staircase: a rectangle and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stair {
    /// The rectangle.
    pub rectangle: Rectangle,
    /// Number of batches; the last one may be partly filled.
    pub batches: u64,
    /// Modelled seconds.
    pub seconds: f64,
}

impl Nv30 {
    /// All rectangles of the largest area whose tuples fit into `batches` batches (the paper's z). Every size
    /// is tried, odd ones included.
    ///
    /// A rectangle and its transpose cost the same in this model, because transposing it exchanges
    /// the two triangles; so the answer contains both orientations. Wide ones come first.
    pub fn best_rectangles(&self, batches: u32) -> Vec<Rectangle> {
        let capacity = u64::from(batches) * u64::from(self.tuples_per_batch);
        let largest = batches * self.fragments_per_batch();
        let mut best: Vec<Rectangle> = Vec::new();
        for width in (1..=largest).rev() {
            for height in 1..=largest / width {
                let rectangle = self.rectangle(width, height);
                let record = best.first().map_or(0, Rectangle::area);
                if rectangle.area() < record || rectangle.tuples.total() > capacity {
                    continue;
                }
                if rectangle.area() > record {
                    best.clear();
                }
                best.push(rectangle);
            }
        }
        best
    }

    /// Rectangle into which streams are packed: the widest of [`Nv30::best_rectangles`] for one batch, because
    /// it touches the fewest rows of a row-major texture.
    ///
    /// For the GeForce FX this is the paper's 26 x 18.
    pub fn best_rectangle(&self) -> Rectangle {
        // One pixel always fits a batch of at least one tuple; the fallback is never used.
        let best = self.best_rectangles(1).into_iter().next();
        best.unwrap_or_else(|| self.rectangle(1, 1))
    }

    /// Time against area (Fig. 3) for a program of `instructions` without fetches, and rectangles of the given
    /// sizes, by increasing area.
    pub fn staircase(&self, sizes: &[Size], instructions: u32) -> Vec<Stair> {
        let stair = |&(width, height): &Size| {
            let rectangle = self.rectangle(width, height);
            let batches = self.batches(rectangle.tuples.total());
            Stair { rectangle, batches, seconds: self.seconds(batches, instructions) }
        };
        let mut stairs: Vec<Stair> = sizes.iter().map(stair).collect();
        stairs.order_by_key(|stair| stair.rectangle.area());
        stairs
    }

    fn rectangle(&self, width: u32, height: u32) -> Rectangle {
        Rectangle { width, height, tuples: self.tuples(width, height) }
    }
}

/// Sizes of even width and height with at most `largest_area` pixels, no side more than
/// `aspect` times the other: a family of rectangles for [`Nv30::staircase`].
pub fn even_sizes(largest_area: u32, aspect: u32) -> Vec<Size> {
    let evens = |limit: u32| (2..=limit).step_by(2);
    evens(largest_area)
        .flat_map(|width| evens(largest_area / width).map(move |height| (width, height)))
        .filter(|&(width, height)| width <= aspect * height && height <= aspect * width)
        .collect()
}

/// The end of the `n`-th step of a staircase: the largest area with `n` batches, and the smallest with more.
/// `None` if the staircase ends before.
pub fn end_of_step(stairs: &[Stair], n: u64) -> Option<Size> {
    let areas = |on_step: fn(u64, u64) -> bool| {
        let on = stairs.iter().filter(move |stair| on_step(stair.batches, n));
        on.map(|stair| stair.rectangle.area())
    };
    let last = areas(|batches, n| batches == n).max()?;
    let first = areas(|batches, n| batches > n).min()?;
    Some((last, first))
}

//! The layout of a grid in a texture: four quadrants in four channels, and a halo, a ring of
//! duplicates (Bolz et al. 2003, section 4.2, texture layout).
//!
//! The paper specifies only the purpose of the layering: odd and even nodes have to be placed so that
//! interpolation and projection stay local. Here the grid of (N+1) × (M+1) nodes is cut in its
//! middle. Texel t = 0 … N/2 of quadrant p holds node t + p N/2, so the middle column is in
//! both halves and is computed twice, bit for bit the same. Around this is the ring, t = −1 and
//! t = N/2 + 1: the neighbouring quadrant's next column, or zero outside the domain. Where indices are
//! modulo N (section 4.1) the last quadrant's neighbour is the first, and column N is column 0 again. The
//! texture has (N/2 + 3) × (M/2 + 3) texels: 257² nodes take 129² and the ring, as the paper counts them.
//!
//! With N/2 even, coarse texel T of a quadrant coincides with fine texel 2T of the same channel: the two
//! levels' kernels are those of an ordinary grid, in all quadrants at once.
//!
//! Streams with one node per texel use the same code with one quadrant, one channel and a
//! ring of zeros ([`ChannelUse::Scalar`]): the same programs with other constants, for comparison.

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::solver::TextureSpace;
use crate::stream::{Format, Layout, Machine, Pass, Rect, Rects, Size, Stream, StreamError};

use super::geometry::Grid;
use super::kernels::{GridKernel, GridKernels};
use super::stencil::neighbour;

/// Below this many texels, testing every texel for the border is cheaper than a second draw call: with it llvmpipe
/// solves on 33² and 65² nodes in two thirds of the time, softpipe in 0.9 and 1.2 of it. With 5000 instead of 2000
/// they take 0.84 and 1.6 times as long on 129² nodes.
const SMALL: u64 = 2000;

/// Layout of nodes in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChannelUse {
    /// Four quadrants in the four channels of a texel, as in the paper.
    #[default]
    Layered,
    /// One node per texel.
    Scalar,
}

/// Method that keeps duplicates equal to their originals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BorderSync {
    /// Computed by every program.
    ///
    /// From the original's inputs: no further pass, and no target switch.
    Fused,
    /// Copied by a further pass, as in the paper.
    ///
    /// Into the ring, after every kernel.
    Copy,
}

/// A grid laid out in a texture, without the texture: the position of each node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layering {
    /// The grid.
    pub grid: Grid,
    /// The layout.
    pub layout: ChannelUse,
}

impl Layering {
    /// Columns and rows from one quadrant to the next.
    pub fn quadrant(&self) -> [usize; 2] {
        match self.layout {
            ChannelUse::Layered => self.grid.cells.map(|n| n / 2),
            ChannelUse::Scalar => self.grid.cells,
        }
    }

    /// Columns and rows of the texture.
    pub fn size(&self) -> Size {
        let [width, height] = self.quadrant().map(|n| n as u32 + 3);
        (width, height)
    }

    /// Format of a texel.
    pub fn format(&self) -> Format {
        match self.layout {
            ChannelUse::Layered => Format::Rgba32F,
            ChannelUse::Scalar => Format::R32F,
        }
    }

    /// The node in a channel of the texel at this column and row of the texture; `None` if it
    /// is outside the domain.
    pub fn node(&self, column: usize, row: usize, channel: usize) -> Option<[usize; 2]> {
        let quadrant = self.quadrant();
        // §4.2, texture layout: t + p N/2 along each axis, where t = column − 1
        let position = [column + (channel % 2) * quadrant[0], row + (channel / 2) * quadrant[1]];
        neighbour(&self.grid, position, [-1, -1])
    }

    /// The complete texture for these values of the nodes, in their order: duplicates in the ring, zero
    /// at nodes that are not computed.
    pub fn image(&self, nodes: &[f32]) -> Vec<f32> {
        let (width, height) = self.size();
        let [width, height] = [width, height].map(|side| side as usize);
        let channels = self.format().channels();
        let value = |at: usize| {
            let (texel, channel) = (at / channels, at % channels);
            let node = self.node(texel % width, texel / width, channel);
            let computed = node.filter(|&[i, j]| self.grid.is_computed(i, j));
            computed.map_or(0.0, |[i, j]| nodes[self.grid.place(i, j)])
        };
        (0..width * height * channels).map(value).collect()
    }
}

/// The rectangles of one level in graphics memory: draws any kernel over the grid, border included.
pub struct LayeredGrid {
    machine: Machine,
    /// The operator-independent kernels for grids like this one.
    pub(crate) kernels: Rc<GridKernels>,
    /// The position of each node.
    pub layering: Layering,
    inner: Option<Rects>,
    /// Area of the kernel's border program: the outermost two columns and rows, or these without the
    /// ring; all of a small texture whose ring is not copied.
    border: Option<Rects>,
    /// Area copied afterwards.
    ring: Option<Rects>,
    plain: Rects,
}

impl LayeredGrid {
    /// Uploads the rectangles.
    pub fn new(
        machine: &Machine,
        kernels: &Rc<GridKernels>,
        layering: Layering,
        sync: BorderSync,
    ) -> Result<Self, StreamError> {
        let (width, height) = layering.size();
        let plain = Rect::of_size(layering.grid.columns() as u32, layering.grid.rows() as u32);
        let whole = Rect::of_size(width, height);
        let inside = |from| Rect::at([from, from], (width - 2 * from, height - 2 * from));
        let none = Vec::new;
        let (inner, border, ring) = match sync {
            BorderSync::Fused if whole.area() <= SMALL => (none(), vec![whole], none()),
            BorderSync::Fused => {
                let inner = inside(2);
                (vec![inner], frame(whole, inner), none())
            }
            BorderSync::Copy => {
                let [outer, inner] = [inside(1), inside(2)];
                (vec![inner], frame(outer, inner), frame(whole, outer))
            }
        };
        let upload = |rects: Vec<Rect>| {
            let drawn = rects.iter().any(|rect| rect.area() > 0);
            drawn.then(|| machine.rects(&rects)).transpose()
        };
        Ok(Self {
            machine: machine.clone(),
            kernels: Rc::clone(kernels),
            layering,
            inner: upload(inner)?,
            border: upload(border)?,
            ring: upload(ring)?,
            plain: machine.rect(plain)?,
        })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.layering.grid
    }

    /// The machine that runs it.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Creates a vector of this level, all zero.
    pub fn zeros(&self, label: &str) -> Result<Stream, StreamError> {
        let (size, format) = (self.layering.size(), self.layering.format());
        Stream::zeros(&self.machine, label, size, format)
    }

    /// The vectors of this level as a space, for conjugate gradients on the coarsest grid and for
    /// norms. Its mask has every node once, however often it is stored.
    pub fn space(self: &Rc<Self>) -> Result<TextureSpace, StreamError> {
        let layout = Layout::grid(self.layering.size(), self.layering.format());
        let grid = Rc::clone(self);
        let space = TextureSpace::new(&self.machine, layout)?;
        Ok(space.masked(move |v, once| {
            grid.draw_owned(&grid.kernels.copy_owned, once, |pass| pass.read("v", v))
        }))
    }

    /// Creates a plain stream of the grid, one node per texel, all zero.
    pub fn plain(&self, label: &str) -> Result<Stream, StreamError> {
        let size = (self.grid().columns() as u32, self.grid().rows() as u32);
        Stream::zeros(&self.machine, label, size, Format::R32F)
    }

    /// Uploads a vector with these nodes, duplicates included.
    pub fn upload(&self, nodes: &[f32]) -> Result<Stream, StreamError> {
        let stream = self.zeros("vector")?;
        stream.write(&self.layering.image(nodes))?;
        Ok(stream)
    }

    /// Reads back the nodes of a vector.
    pub fn download(&self, v: &Stream) -> Result<Vec<f32>, StreamError> {
        let plain = self.plain("nodes")?;
        self.unlayer(v, &plain)?;
        plain.read()
    }

    /// Runs a kernel for every node of `target`, a vector of this level, and updates its border.
    /// `bind` gives the kernel its streams and constants.
    pub fn draw<'a>(
        &self,
        kernel: &'a GridKernel,
        target: &Stream,
        bind: impl Fn(Pass<'a>) -> Pass<'a>,
    ) -> Result<(), StreamError> {
        self.draw_nodes(kernel, target, bind, self.stored())?;
        self.sync_border(target)
    }

    /// [`LayeredGrid::draw`] for a kernel that keeps every node once: there are no duplicates to
    /// update.
    pub fn draw_owned<'a>(
        &self,
        kernel: &'a GridKernel,
        target: &Stream,
        bind: impl Fn(Pass<'a>) -> Pass<'a>,
    ) -> Result<(), StreamError> {
        let computed = self.grid().computed().map(|n| n as f32);
        self.draw_nodes(kernel, target, bind, computed)
    }

    fn draw_nodes<'a>(
        &self,
        kernel: &'a GridKernel,
        target: &Stream,
        bind: impl Fn(Pass<'a>) -> Pass<'a>,
        kept: [f32; 4],
    ) -> Result<(), StreamError> {
        if let Some(inner) = &self.inner {
            bind(Pass::new(&kernel.inner)).draw(target, inner)?;
        }
        if let Some(border) = &self.border {
            let pass = bind(Pass::new(&kernel.border));
            self.place_nodes(pass, kept).draw(target, border)?;
        }
        Ok(())
    }

    /// Copies the originals into the ring; the pass reads its target, but no texel of the ring.
    /// Does nothing except with [`BorderSync::Copy`].
    pub fn sync_border(&self, v: &Stream) -> Result<(), StreamError> {
        let Some(ring) = &self.ring else {
            return Ok(());
        };
        self.place_nodes(Pass::new(&self.kernels.copy.border), self.stored())
            .read("v", v)
            .feedback()
            .draw(v, ring)
    }

    /// v ← the plain grid `nodes`, zero at nodes that are not computed.
    pub fn layer(&self, nodes: &Stream, v: &Stream) -> Result<(), StreamError> {
        let stride = self.stride();
        self.draw(&self.kernels.layer, v, |pass| pass.read("v", nodes).set("stride", stride))
    }

    /// nodes ← the vector v as a plain grid.
    pub fn unlayer(&self, v: &Stream, nodes: &Stream) -> Result<(), StreamError> {
        Pass::new(&self.kernels.unlayer)
            .read("v", v)
            .set("stride", self.stride())
            .draw(nodes, &self.plain)
    }

    /// Columns and rows from one quadrant to the next, as programs take them.
    pub fn stride(&self) -> [f32; 2] {
        self.layering.quadrant().map(|n| n as f32)
    }

    /// First and last column, first and last row of the stored nodes, however often they are stored.
    fn stored(&self) -> [f32; 4] {
        let (grid, ends) = (self.grid(), self.grid().ends());
        let computed = grid.computed();
        std::array::from_fn(|end| {
            if grid.is_periodic(end / 2) { ends[end] } else { computed[end] as f32 }
        })
    }

    /// Sets the constants of `grid_nodes.glsl`.
    fn place_nodes<'a>(&self, pass: Pass<'a>, kept: [f32; 4]) -> Pass<'a> {
        pass.set("quadrant", self.stride())
            .set("cells", self.grid().cells.map(|n| n as f32))
            .set("ends", self.grid().ends())
            .set("kept", kept)
    }
}

/// The non-empty parts of a rectangle around another one inside it.
fn frame(outer: Rect, inner: Rect) -> Vec<Rect> {
    let [left, below] = [inner.x - outer.x, inner.y - outer.y];
    let (right, top) = (inner.x + inner.width, inner.y + inner.height);
    let [beyond, above] = [outer.x + outer.width - right, outer.y + outer.height - top];
    let rects = [
        Rect::at([outer.x, outer.y], (outer.width, below)),
        Rect::at([outer.x, top], (outer.width, above)),
        Rect::at([outer.x, inner.y], (left, inner.height)),
        Rect::at([right, inner.y], (beyond, inner.height)),
    ];
    rects.into_iter().filter(|rect| rect.area() > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inner_rectangle_and_its_frame_are_the_whole_without_overlap() {
        for (width, height) in (4..30).flat_map(|width| (4..30).map(move |height| (width, height)))
        {
            let inner = Rect::at([2, 2], (width - 4, height - 4));
            let whole = Rect::of_size(width, height);
            let mut rects = frame(whole, inner);
            rects.push(inner);
            assert!(rects.iter().all(|rect| rect.within((width, height))));
            assert_eq!(rects.iter().map(|rect| rect.area()).sum::<u64>(), whole.area());
            let overlap = |(place, rect): (usize, &Rect)| {
                rects[..place].iter().any(|other| other.overlaps(*rect))
            };
            assert!(!rects.iter().enumerate().any(overlap));
        }
    }
}

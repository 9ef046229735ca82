//! Buffers, the owners of surfaces.

use std::rc::Rc;

use crate::gl::{Framebuffer, GlError, RectangleTexture};

use crate::stream::{Machine, Rect, StreamError};

/// Owner of the surfaces of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Buffer {
    /// A framebuffer object of the machine's context.
    #[default]
    Framebuffer,
    /// A framebuffer object of an OpenGL context of its own, like a pbuffer of 2003.
    ///
    /// Rendering to it makes that context current, which is the expensive part (Goodnight et al. 2003, section
    /// 6). Textures, programs and geometry are shared with the machine's context.
    Context,
}

/// Storage of a stream: one surface of a framebuffer.
#[derive(Clone)]
pub(super) struct Allocation {
    pub framebuffer: Rc<Framebuffer>,
    pub surface: usize,
    /// Number of the buffer.
    pub buffer: u64,
}

impl Allocation {
    /// Reads a part back into a slice of exactly the required length.
    pub fn read(&self, part: Rect, data: &mut [f32]) -> Result<(), GlError> {
        let (corner, size) = ([part.x, part.y], (part.width, part.height));
        self.framebuffer.read(self.surface, corner, size, data)
    }

    /// A buffer with these surfaces; without texture barriers, one buffer per surface.
    pub fn surfaces(
        machine: &Machine,
        kind: Buffer,
        textures: &[RectangleTexture],
    ) -> Result<Vec<Self>, StreamError> {
        let context = match kind {
            Buffer::Framebuffer => Rc::clone(machine.context()),
            Buffer::Context => machine.context().sharing()?,
        };
        let together =
            if machine.context().description().texture_barrier { textures.len() } else { 1 };
        let mut allocations = Vec::new();
        for textures in textures.chunks(together.max(1)) {
            let textures: Vec<&RectangleTexture> = textures.iter().collect();
            let framebuffer = Rc::new(Framebuffer::of_surfaces(&context, &textures)?);
            let buffer = machine.next_number();
            allocations.extend((0..textures.len()).map(|surface| Self {
                framebuffer: Rc::clone(&framebuffer),
                surface,
                buffer,
            }));
        }
        Ok(allocations)
    }
}

//! Buffers, the owners of surfaces.

use std::cell::RefCell;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gl::{Format, Framebuffer, GlError, RectangleTexture, Size};
use crate::program::interpret::{Storage, Texture};
use crate::stream::device::{Device, Place};
use crate::stream::{Machine, Rect, StreamError};

/// Owner of the surfaces of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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

/// Storage of a stream: one surface of a buffer.
pub(in crate::stream) struct Allocation {
    pub memory: Memory,
    pub size: Size,
    pub format: Format,
    pub surface: usize,
    /// Number of the buffer.
    pub buffer: u64,
}

/// Memory of a surface.
pub(in crate::stream) enum Memory {
    /// A texture that is attached to a framebuffer.
    Driver(RectangleTexture, Rc<Framebuffer>),
    /// A texture in main memory.
    Interpreter(RefCell<Texture<f32>>, Place),
}

impl Allocation {
    /// A buffer with this number of surfaces; without texture barriers, one buffer per surface.
    pub fn surfaces(
        machine: &Machine,
        kind: Buffer,
        count: usize,
        (size, format): (Size, Format),
    ) -> Result<Vec<Self>, StreamError> {
        let together = if machine.description().texture_barrier { count } else { 1 };
        let mut allocations = Vec::new();
        let memories = match machine.device() {
            Device::Driver(context) => {
                let textures = (0..count).map(|_| RectangleTexture::new(context, size, format));
                let mut textures = textures.collect::<Result<Vec<_>, _>>()?;
                machine.forget_target();
                let context = match kind {
                    Buffer::Framebuffer => Rc::clone(context),
                    Buffer::Context => context.sharing()?,
                };
                let framebuffers = textures.chunks(together).map(|textures| {
                    let textures: Vec<&RectangleTexture> = textures.iter().collect();
                    Framebuffer::of_surfaces(&context, &textures).map(Rc::new)
                });
                let framebuffers = framebuffers.collect::<Result<Vec<_>, _>>()?;
                let framebuffer = |at: usize| Rc::clone(&framebuffers[at / together]);
                let textures = textures.drain(..).enumerate();
                textures.map(|(at, texture)| Memory::Driver(texture, framebuffer(at))).collect()
            }
            Device::Interpreter(..) => {
                let context = match kind {
                    Buffer::Framebuffer => machine.device().place(),
                    Buffer::Context => Place::Interpreter(machine.next_number()),
                };
                let storage = match format.channel_bytes() {
                    1 => Storage::Byte,
                    2 => Storage::Half,
                    _ => Storage::Whole,
                };
                let sides = (size.0 as usize, size.1 as usize);
                let texture = || Texture::zeros(sides, format.channels()).stored_as(storage);
                let texture = || Memory::Interpreter(RefCell::new(texture()), context.clone());
                (0..count).map(|_| texture()).collect::<Vec<_>>()
            }
        };
        for (at, memory) in memories.into_iter().enumerate() {
            let surface = at % together;
            let buffer = match allocations.last() {
                Some(Self { buffer, .. }) if surface > 0 => *buffer,
                _ => machine.next_number(),
            };
            allocations.push(Self { memory, size, format, surface, buffer });
        }
        Ok(allocations)
    }

    /// The context in which the surface is drawn to.
    pub fn context(&self) -> Place {
        match &self.memory {
            Memory::Driver(_, framebuffer) => Place::Driver(Rc::clone(framebuffer.context())),
            Memory::Interpreter(_, context) => context.clone(),
        }
    }

    /// The texture in main memory, if the interpreter draws.
    pub fn interpreted(&self) -> Option<&RefCell<Texture<f32>>> {
        match &self.memory {
            Memory::Driver(..) => None,
            Memory::Interpreter(texture, _) => Some(texture),
        }
    }

    /// Reads a part back into a slice of exactly the required length.
    pub fn read(&self, part: Rect, data: &mut [f32]) -> Result<(), GlError> {
        match &self.memory {
            Memory::Driver(_, framebuffer) => {
                let (corner, size) = ([part.x, part.y], (part.width, part.height));
                framebuffer.read(self.surface, corner, size, data)
            }
            Memory::Interpreter(texture, _) => {
                let texture = texture.borrow();
                data.iter_mut().zip(texture.part(part)).for_each(|(to, value)| *to = value);
                Ok(())
            }
        }
    }

    /// Replaces the records of a part.
    pub fn write(&self, part: Rect, data: &[f32]) -> Result<(), GlError> {
        match &self.memory {
            Memory::Driver(texture, _) => {
                texture.write([part.x, part.y], (part.width, part.height), data)
            }
            Memory::Interpreter(texture, _) => {
                texture.borrow_mut().replace(part, data);
                Ok(())
            }
        }
    }

    /// Sets all records to one value.
    pub fn clear(&self, value: [f32; 4]) {
        match &self.memory {
            Memory::Driver(_, framebuffer) => {
                framebuffer.bind();
                framebuffer.select(self.surface);
                framebuffer.clear(value);
            }
            Memory::Interpreter(texture, _) => {
                let (width, height) = self.size;
                let records = width as usize * height as usize;
                let data = value[..self.format.channels()].repeat(records);
                texture.borrow_mut().replace(Rect::of_size(width, height), &data);
            }
        }
    }
}

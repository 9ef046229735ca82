//! Rectangle textures of floats: unnormalised coordinates, no filtering, no mipmaps.

use std::rc::Rc;

use glow::HasContext;

use super::bound::TEXTURE;
use super::{Context, GlError};
use crate::base::failing::fails;

/// Texel format: one, two or four channels of 32- or 16-bit floats, or four bytes that are read as 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are explicit
pub enum Format {
    R32F,
    Rg32F,
    Rgba32F,
    R16F,
    Rg16F,
    Rgba16F,
    Rgba8,
}

impl Format {
    /// The six float formats.
    pub const ALL: [Self; 6] =
        [Self::R32F, Self::Rg32F, Self::Rgba32F, Self::R16F, Self::Rg16F, Self::Rgba16F];

    /// Number of channels per texel.
    pub const fn channels(self) -> usize {
        match self {
            Self::R32F | Self::R16F => 1,
            Self::Rg32F | Self::Rg16F => 2,
            Self::Rgba32F | Self::Rgba16F | Self::Rgba8 => 4,
        }
    }

    /// Number of bytes per channel.
    pub const fn channel_bytes(self) -> usize {
        match self {
            Self::R32F | Self::Rg32F | Self::Rgba32F => 4,
            Self::R16F | Self::Rg16F | Self::Rgba16F => 2,
            Self::Rgba8 => 1,
        }
    }

    /// Number of bytes per texel.
    pub const fn bytes(self) -> usize {
        self.channels() * self.channel_bytes()
    }

    const fn internal(self) -> u32 {
        match self {
            Self::R32F => glow::R32F,
            Self::Rg32F => glow::RG32F,
            Self::Rgba32F => glow::RGBA32F,
            Self::R16F => glow::R16F,
            Self::Rg16F => glow::RG16F,
            Self::Rgba16F => glow::RGBA16F,
            Self::Rgba8 => glow::RGBA8,
        }
    }

    /// GL's type of the channels of a new texture.
    const fn component(self) -> u32 {
        match self {
            Self::Rgba8 => glow::UNSIGNED_BYTE,
            _ => glow::FLOAT,
        }
    }

    /// GL's format of client data.
    pub(super) const fn external(self) -> u32 {
        match self.channels() {
            1 => glow::RED,
            2 => glow::RG,
            _ => glow::RGBA,
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

/// Columns and rows of texels, of textures, surfaces, parts of them, pictures and windows. A position, its
/// column and row, is a `[u32; 2]`.
pub type Size = (u32, u32);

/// A texture of `GL_TEXTURE_RECTANGLE`, or of `TEXTURE_2D` in a browser.
pub struct RectangleTexture {
    context: Rc<Context>,
    pub(super) name: glow::Texture,
    size: Size,
    format: Format,
}

impl Context {
    /// Binds a texture of this context's group to a unit, or to whichever is active.
    fn bind_texture(&self, unit: Option<u32>, texture: glow::Texture) {
        self.bound.borrow_mut().bind(self.glow(), self.current_number(), unit, texture);
    }
}

impl RectangleTexture {
    /// A texture with undefined content.
    pub(crate) fn new(
        context: &Rc<Context>,
        (width, height): Size,
        format: Format,
    ) -> Result<Self, GlError> {
        let limit = context.description().rectangle_limit;
        if width > limit || height > limit {
            return Err(GlError::TooLarge { width, height, limit });
        }
        let gl = context.glow();
        let doing = "allocating a texture";
        if fails("texture") {
            return Err(GlError::OutOfMemory { doing });
        }
        // SAFETY: sizes are within the limit, so they fit i32; no client data is read.
        let name = unsafe {
            let name = gl.create_texture().map_err(|_| GlError::OutOfMemory { doing })?;
            context.bind_texture(None, name);
            for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
                gl.tex_parameter_i32(TEXTURE, filter, glow::NEAREST as i32);
            }
            for wrap in [glow::TEXTURE_WRAP_S, glow::TEXTURE_WRAP_T] {
                gl.tex_parameter_i32(TEXTURE, wrap, glow::CLAMP_TO_EDGE as i32);
            }
            gl.tex_image_2d(
                TEXTURE,
                0,
                format.internal() as i32,
                width as i32,
                height as i32,
                0,
                format.external(),
                format.component(),
                glow::PixelUnpackData::Slice(None),
            );
            name
        };
        let texture = Self { context: Rc::clone(context), name, size: (width, height), format };
        context.check(doing)?;
        Ok(texture)
    }

    /// Replaces the texels of a part. `data` holds the channels of each, rows from the bottom up.
    ///
    /// # Panics
    /// If the part is outside of the texture, or `data` does not have `width * height * channels` values.
    pub(crate) fn write(
        &self,
        [x, y]: [u32; 2],
        (width, height): Size,
        data: &[f32],
    ) -> Result<(), GlError> {
        assert!(x + width <= self.size.0 && y + height <= self.size.1, "write outside the texture");
        let length = width as usize * height as usize * self.format.channels();
        assert_eq!(data.len(), length, "data does not fill the part");
        let gl = self.context.glow();
        // SAFETY: the part is inside of the texture, and GL reads exactly the slice's length, as asserted.
        unsafe {
            self.context.bind_texture(None, self.name);
            gl.tex_sub_image_2d(
                TEXTURE,
                0,
                x as i32,
                y as i32,
                width as i32,
                height as i32,
                self.format.external(),
                glow::FLOAT,
                glow::PixelUnpackData::Slice(Some(bytemuck::cast_slice(data))),
            );
        }
        self.context.check("uploading a texture")
    }

    /// Binds the texture to a unit for fetching.
    pub fn bind(&self, unit: u32) {
        self.context.bind_texture(Some(unit), self.name);
    }

    /// Columns and rows of texels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Format of the texels.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The context of the texture.
    pub fn context(&self) -> &Rc<Context> {
        &self.context
    }
}

impl Drop for RectangleTexture {
    fn drop(&mut self) {
        self.context.bound.borrow_mut().forget(self.name);
        // SAFETY: the name is ours and is no longer used.
        unsafe { self.context.glow().delete_texture(self.name) }
    }
}

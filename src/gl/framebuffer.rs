//! Framebuffer objects with one texture attached: what is rendered lies in that texture.

use std::rc::Rc;

use glow::HasContext;

use super::{Context, Format, GlError, RectangleTexture};

/// A framebuffer whose one colour attachment is a rectangle texture.
pub struct Framebuffer {
    context: Rc<Context>,
    name: glow::Framebuffer,
    depth: Option<glow::Renderbuffer>,
    width: u32,
    height: u32,
    format: Format,
}

impl Framebuffer {
    /// Attaches `texture`. The texture must outlive the framebuffer to be of use, but GL keeps
    /// both valid in any order of deletion.
    ///
    /// # Errors
    /// [`GlError::Incomplete`] when the driver cannot render to the format.
    pub fn new(texture: &RectangleTexture) -> Result<Self, GlError> {
        Self::build(texture, false)
    }

    /// As [`Framebuffer::new`], with a depth buffer of the same size, for pictures.
    ///
    /// # Errors
    /// [`GlError::Incomplete`].
    pub fn with_depth(texture: &RectangleTexture) -> Result<Self, GlError> {
        Self::build(texture, true)
    }

    fn build(texture: &RectangleTexture, with_depth: bool) -> Result<Self, GlError> {
        let context = Rc::clone(texture.context());
        let gl = context.glow();
        let (width, height) = (texture.width(), texture.height());
        let out_of_memory = |_| GlError::OutOfMemory {
            doing: "making a framebuffer",
        };
        // SAFETY: the names are fresh, the texture is alive, sizes fit i32 (the texture has them).
        let (name, depth, status) = unsafe {
            let name = gl.create_framebuffer().map_err(out_of_memory)?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(name));
            gl.framebuffer_texture_2d(
                glow::FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                glow::TEXTURE_RECTANGLE,
                Some(texture.name),
                0,
            );
            let depth = if with_depth {
                let depth = gl.create_renderbuffer().map_err(out_of_memory)?;
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(depth));
                gl.renderbuffer_storage(
                    glow::RENDERBUFFER,
                    glow::DEPTH_COMPONENT24,
                    width as i32,
                    height as i32,
                );
                gl.framebuffer_renderbuffer(
                    glow::FRAMEBUFFER,
                    glow::DEPTH_ATTACHMENT,
                    glow::RENDERBUFFER,
                    Some(depth),
                );
                Some(depth)
            } else {
                None
            };
            let status = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            (name, depth, status)
        };
        let framebuffer = Self {
            name,
            depth,
            width,
            height,
            format: texture.format(),
            context,
        };
        if status != glow::FRAMEBUFFER_COMPLETE {
            return Err(GlError::Incomplete {
                format: texture.format().to_string(),
                status,
            });
        }
        framebuffer.context.check("making a framebuffer")?;
        Ok(framebuffer)
    }

    /// Texels across.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Texels down.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Makes it the target of what is drawn next, with a viewport over all of it.
    pub fn bind(&self) {
        let gl = self.context.glow();
        // SAFETY: the framebuffer is alive.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.name));
            gl.viewport(0, 0, self.width as i32, self.height as i32);
        }
    }

    /// Sets every texel to `value` (and the depth, where there is one, to the far end).
    pub fn clear(&self, value: [f32; 4]) {
        self.bind();
        let gl = self.context.glow();
        // SAFETY: four values, as a colour buffer takes.
        unsafe {
            gl.clear_buffer_f32_slice(glow::COLOR, 0, &value);
            if self.depth.is_some() {
                gl.clear_buffer_f32_slice(glow::DEPTH, 0, &[1.0]);
            }
        }
    }

    /// Reads a part back: the channels of each texel, rows from the bottom up. Waits for the GPU.
    ///
    /// # Errors
    /// Those of GL.
    ///
    /// # Panics
    /// When the part lies outside.
    pub fn read(&self, x: u32, y: u32, width: u32, height: u32) -> Result<Vec<f32>, GlError> {
        assert!(
            x + width <= self.width && y + height <= self.height,
            "read outside the framebuffer"
        );
        self.bind();
        let mut data = vec![0f32; width as usize * height as usize * self.format.channels()];
        // SAFETY: rows are packed (PACK_ALIGNMENT 1), so GL writes exactly the vector's length.
        unsafe {
            self.context.glow().read_pixels(
                x as i32,
                y as i32,
                width as i32,
                height as i32,
                self.format.external(),
                glow::FLOAT,
                glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(&mut data))),
            );
        }
        self.context.check("reading back")?;
        Ok(data)
    }
}

impl Drop for Framebuffer {
    fn drop(&mut self) {
        let gl = self.context.glow();
        // SAFETY: the names are ours and are not used after this.
        unsafe {
            gl.delete_framebuffer(self.name);
            if let Some(depth) = self.depth {
                gl.delete_renderbuffer(depth);
            }
        }
    }
}

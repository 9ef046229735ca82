//! Framebuffer objects with attached textures, the targets of rendering.

use std::cell::Cell;
use std::rc::Rc;

use glow::HasContext;

use super::bound::TEXTURE;
use super::context::READS_FOUR_CHANNELS;
use super::{Context, Format, GlError, RectangleTexture, Size};

/// A framebuffer whose colour attachments are rectangle textures of one size and format, its
/// *surfaces*. One of them is selected to be drawn into.
pub struct Framebuffer {
    context: Rc<Context>,
    name: glow::Framebuffer,
    depth: Option<glow::Renderbuffer>,
    size: Size,
    format: Format,
    surfaces: usize,
    /// The surface that is drawn to.
    selected: Cell<usize>,
}

impl Framebuffer {
    /// Attaches `texture`. GL keeps both valid in any order of deletion, but without the texture the
    /// framebuffer is of no use.
    pub(crate) fn new(texture: &RectangleTexture) -> Result<Self, GlError> {
        Self::build(texture.context(), &[texture], false)
    }

    /// As [`Framebuffer::new`], with a depth buffer of the same size, for pictures.
    pub(crate) fn with_depth(texture: &RectangleTexture) -> Result<Self, GlError> {
        Self::build(texture.context(), &[texture], true)
    }

    /// Attaches several textures of one size and format, at most eight, in this context, which may be another
    /// one of the textures' group.
    ///
    /// A texture may be fetched while another one of the same framebuffer is selected. OpenGL 3.3 (section
    /// 4.4.3) leaves such results undefined, because it considers all attachments, not only the one that is
    /// drawn to. OpenGL 4.5 (section 9.3.1) and `GL_ARB_texture_barrier` consider texels: those written by
    /// earlier draws can be fetched after a texture barrier. So this needs
    /// [`super::Description::texture_barrier`], and [`Framebuffer::select`] sets barriers.
    pub(crate) fn of_surfaces(
        context: &Rc<Context>,
        textures: &[&RectangleTexture],
    ) -> Result<Self, GlError> {
        Self::build(context, textures, false)
    }

    fn build(
        context: &Rc<Context>,
        textures: &[&RectangleTexture],
        with_depth: bool,
    ) -> Result<Self, GlError> {
        let [texture, ..] = textures else {
            return Err(GlError::Incomplete {
                format: "nameless".into(),
                status: glow::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT,
            });
        };
        let (width, height) = texture.size();
        let out_of_memory = |_| GlError::OutOfMemory { doing: "making a framebuffer" };
        let gl = context.own();
        // From here on, every return deletes the names.
        let mut framebuffer = Self {
            // SAFETY: no arguments.
            name: unsafe { gl.create_framebuffer() }.map_err(out_of_memory)?,
            depth: None,
            size: (width, height),
            format: texture.format(),
            surfaces: textures.len(),
            selected: Cell::new(0),
            context: Rc::clone(context),
        };
        let to = glow::FRAMEBUFFER;
        // SAFETY: the names are fresh, the textures are alive, sizes fit i32 (the texture has them).
        let status = unsafe {
            gl.bind_framebuffer(to, Some(framebuffer.name));
            for (attachment, texture) in (glow::COLOR_ATTACHMENT0..).zip(textures) {
                gl.framebuffer_texture_2d(to, attachment, TEXTURE, Some(texture.name), 0);
            }
            if with_depth {
                let depth = gl.create_renderbuffer().map_err(out_of_memory)?;
                framebuffer.depth = Some(depth);
                let (target, format) = (glow::RENDERBUFFER, glow::DEPTH_COMPONENT24);
                gl.bind_renderbuffer(target, Some(depth));
                gl.renderbuffer_storage(target, format, width as i32, height as i32);
                gl.framebuffer_renderbuffer(to, glow::DEPTH_ATTACHMENT, target, Some(depth));
            }
            gl.check_framebuffer_status(to)
        };
        if status != glow::FRAMEBUFFER_COMPLETE {
            return Err(GlError::Incomplete { format: texture.format().to_string(), status });
        }
        context.check("making a framebuffer")?;
        Ok(framebuffer)
    }

    /// Columns and rows of texels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The context of the framebuffer.
    pub fn context(&self) -> &Rc<Context> {
        &self.context
    }

    /// Makes it the target of subsequent draws, with a viewport over all of it.
    pub fn bind(&self) {
        let gl = self.context.own();
        let (width, height) = self.size;
        // SAFETY: the framebuffer is alive.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.name));
            gl.viewport(0, 0, width as i32, height as i32);
        }
    }

    /// Selects the surface of subsequent draws, while the framebuffer is bound. Texels already drawn to the
    /// other surfaces can be fetched.
    pub fn select(&self, surface: usize) {
        if self.selected.replace(surface) == surface {
            return;
        }
        let attachment = glow::COLOR_ATTACHMENT0 + surface as u32;
        // SAFETY: plain state of the bound framebuffer.
        unsafe { self.context.own().draw_buffers(&[attachment]) }
        self.context.texture_barrier();
    }

    /// Sets every texel of the selected surface to `value` (and the depth buffer, if there is one, to the far
    /// plane).
    pub fn clear(&self, value: [f32; 4]) {
        self.bind();
        let gl = self.context.own();
        // SAFETY: four values, as a colour buffer takes.
        unsafe {
            gl.clear_buffer_f32_slice(glow::COLOR, 0, &value);
            if self.depth.is_some() {
                gl.clear_buffer_f32_slice(glow::DEPTH, 0, &[1.0]);
            }
        }
    }

    /// Reads a part of a surface back: the channels of each texel, rows from the bottom up. Waits for the GPU.
    /// The bound framebuffer stays bound.
    ///
    /// # Panics
    /// If the part is outside of the framebuffer, or the slice does not have exactly the required length.
    pub(crate) fn read(
        &self,
        surface: usize,
        [x, y]: [u32; 2],
        (width, height): Size,
        data: &mut [f32],
    ) -> Result<(), GlError> {
        assert!(
            x + width <= self.size.0 && y + height <= self.size.1 && surface < self.surfaces,
            "read outside the framebuffer"
        );
        let floats = width as usize * height as usize * self.format.channels();
        assert!(data.len() == floats, "read into too much or too little room");
        let channels = self.format.channels();
        let read = |format, data: &mut [f32]| {
            let gl = self.context.own();
            // SAFETY: rows are packed (PACK_ALIGNMENT 1), so GL writes exactly the slice's length.
            unsafe {
                gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.name));
                gl.read_buffer(glow::COLOR_ATTACHMENT0 + surface as u32);
                gl.read_pixels(
                    x as i32,
                    y as i32,
                    width as i32,
                    height as i32,
                    format,
                    glow::FLOAT,
                    glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(data))),
                );
            }
        };
        if READS_FOUR_CHANNELS && channels < 4 {
            let mut records = vec![0.0; floats / channels * 4];
            read(glow::RGBA, &mut records);
            for (to, record) in data.chunks_mut(channels).zip(records.chunks(4)) {
                to.copy_from_slice(&record[..channels]);
            }
        } else {
            read(self.format.external(), data);
        }
        self.context.check("reading back")
    }
}

impl Drop for Framebuffer {
    fn drop(&mut self) {
        let gl = self.context.own();
        // SAFETY: the names are ours and are no longer used.
        unsafe {
            gl.delete_framebuffer(self.name);
            if let Some(depth) = self.depth {
                gl.delete_renderbuffer(depth);
            }
        }
    }
}

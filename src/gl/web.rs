//! The OpenGL layer in a browser: a WebGL 2 context of one canvas, the only one of its group.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use glow::HasContext;
use web_sys::WebGl2RenderingContext;

use super::assembly::{Assembler, Backend};
use super::bound::Bound;
use super::description::{Description, pending};
use super::translation::translated;
use super::{Framebuffer, GlError, Size};

/// True if read-backs always have four channels. In a browser they do (OpenGL ES 3.0, section 4.3.2).
pub(super) const READS_FOUR_CHANNELS: bool = true;

/// True if queries count the surviving fragments. In a browser they only detect any.
pub(crate) const COUNTS_FRAGMENTS: bool = false;

/// Translates a program, which is a vertex program or a fragment program.
pub(super) fn dialect(text: &str, is_vertex: bool) -> Cow<'_, str> {
    translated(text, is_vertex).into()
}

/// `UNMASKED_RENDERER_WEBGL` of the extension `WEBGL_debug_renderer_info`.
const UNMASKED_RENDERER: u32 = 0x9246;

/// Substrings of the names of software renderers.
const SOFTWARE: [&str; 4] = ["SwiftShader", "llvmpipe", "softpipe", "Basic Render"];

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(1) };
}

/// A WebGL 2 context, or another handle of it: see [`Context::sharing`].
pub struct Context {
    glow: Rc<glow::Context>,
    /// None: WebGL has no assembly.
    pub(super) assembler: Option<Assembler>,
    /// Bound textures.
    pub(super) bound: Rc<RefCell<Bound>>,
    number: u64,
    description: Description,
    /// A pixel to wait for: the canvas may have none before it has been shown.
    pixel: Option<glow::Framebuffer>,
}

impl Context {
    /// There is no context without a canvas: see [`Context::on`].
    pub fn headless(_: Backend) -> Result<Rc<Self>, GlError> {
        Err(no_web_gl("there is no context without a canvas"))
    }

    /// The context of a canvas without antialiasing.
    pub fn on(webgl: WebGl2RenderingContext) -> Result<Rc<Self>, GlError> {
        let glow = glow::Context::from_webgl2_context(webgl);
        let extensions = glow.supported_extensions();
        if !extensions.contains("EXT_color_buffer_float") {
            let cause = "it cannot draw into textures of floats (EXT_color_buffer_float)";
            return Err(no_web_gl(cause));
        }
        // SAFETY: queries and plain state of this context.
        let description = unsafe {
            glow.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
            glow.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            // Viewport dimensions are two numbers, all other limits one.
            let limit = |name| {
                let mut values = [i32::MAX; 2];
                glow.get_parameter_i32_slice(name, &mut values);
                u32::try_from(values[0].min(values[1])).unwrap_or(0)
            };
            // The driver behind the browser, if the browser reveals it.
            let mut renderer = glow.get_parameter_string(UNMASKED_RENDERER);
            if renderer.is_empty() {
                glow.get_error();
                renderer = glow.get_parameter_string(glow::RENDERER);
            }
            Description {
                software: SOFTWARE.iter().any(|name| renderer.contains(name)),
                renderer,
                vendor: glow.get_parameter_string(glow::VENDOR),
                version: glow.get_parameter_string(glow::VERSION),
                device: "canvas".into(),
                rectangle_limit: limit(glow::MAX_TEXTURE_SIZE).min(limit(glow::MAX_VIEWPORT_DIMS)),
                texture_units: limit(glow::MAX_TEXTURE_IMAGE_UNITS),
                texture_barrier: false,
                double_precision: false,
                assembly: false,
            }
        };
        // SAFETY: names of this context, which live as long as it.
        let pixel = unsafe {
            let (pixel, store) = (glow.create_framebuffer().ok(), glow.create_renderbuffer().ok());
            glow.bind_renderbuffer(glow::RENDERBUFFER, store);
            glow.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, 1, 1);
            glow.bind_framebuffer(glow::READ_FRAMEBUFFER, pixel);
            let colour = glow::COLOR_ATTACHMENT0;
            let (target, kind) = (glow::READ_FRAMEBUFFER, glow::RENDERBUFFER);
            glow.framebuffer_renderbuffer(target, colour, kind, store);
            pixel
        };
        Ok(Rc::new(Self {
            glow: Rc::new(glow),
            pixel,
            assembler: None,
            bound: Rc::default(),
            number: NEXT.replace(NEXT.get() + 1),
            description,
        }))
    }

    /// Names and limits of the driver.
    pub fn description(&self) -> &Description {
        &self.description
    }

    pub(super) fn glow(&self) -> &glow::Context {
        &self.glow
    }

    pub(super) fn own(&self) -> &glow::Context {
        &self.glow
    }

    /// Its number: it is always current.
    pub(super) fn current_number(&self) -> u64 {
        self.number
    }

    /// Number that identifies the context.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Does nothing: a browser's context is always current.
    pub fn make_current(&self) {}

    /// Replaces a second context, which a browser does not let share textures. It is the same one under another number: a
    /// switch between the two is counted, and all textures are bound again.
    pub(crate) fn sharing(self: &Rc<Self>) -> Result<Rc<Self>, GlError> {
        Ok(Rc::new(Self {
            glow: Rc::clone(&self.glow),
            pixel: self.pixel,
            assembler: None,
            bound: Rc::clone(&self.bound),
            number: NEXT.replace(NEXT.get() + 1),
            description: self.description.clone(),
        }))
    }

    /// Shows a picture on the canvas, its lower left corner in the canvas's, one texel per pixel.
    pub fn show(&self, picture: &Framebuffer) -> Result<(), GlError> {
        let (width, height) = picture.size();
        let (x, y) = (width as i32, height as i32);
        picture.bind();
        // SAFETY: the framebuffer is alive, and none is the canvas. Sides of textures fit i32.
        unsafe {
            let (mask, filter) = (glow::COLOR_BUFFER_BIT, glow::NEAREST);
            self.glow.bind_framebuffer(glow::DRAW_FRAMEBUFFER, None);
            self.glow.blit_framebuffer(0, 0, x, y, 0, 0, x, y, mask, filter);
        }
        self.check("showing a picture")
    }

    /// Does nothing: the page sets the size of its canvas.
    pub fn resize_window(&self, _: Size) {}

    /// Waits until all commands are complete. A browser's `finish` does not wait; a pixel that is read back has to.
    pub fn finish(&self) {
        // SAFETY: a pixel fits its four bytes, and who reads a framebuffer binds it.
        unsafe {
            self.glow.bind_framebuffer(glow::READ_FRAMEBUFFER, self.pixel);
            let pixel = glow::PixelPackData::Slice(Some(&mut [0; 4]));
            self.glow.read_pixels(0, 0, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, pixel);
        }
    }

    /// Does nothing: [`Description::texture_barrier`] is false.
    pub fn texture_barrier(&self) {}

    /// Converts the pending GL error, if there is one.
    pub(crate) fn check(&self, doing: &'static str) -> Result<(), GlError> {
        pending(&self.glow, doing)
    }
}

fn no_web_gl(cause: &str) -> GlError {
    GlError::NoWebGl { cause: cause.into() }
}

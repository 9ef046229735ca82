//! Contexts of windows (X11 and Wayland, through EGL; macOS, through CGL), and the display of pictures in them.
//!
//! Everything is drawn into framebuffer objects, as without a display. Only [`Context::show`] touches the
//! window's own buffers.

use std::num::NonZeroU32;
use std::rc::Rc;

use glow::HasContext;
use glutin::config::{Api, ConfigTemplateBuilder};
use glutin::display::GlDisplay;
use glutin::error::{Error, ErrorKind};
use glutin::prelude::{GlSurface, NotCurrentGlContext};
use glutin::surface::{SurfaceAttributesBuilder, SwapInterval};
use raw_window_handle::HandleError;

use super::assembly::Backend;
use super::context::{Context, RendererLock, attributes};
use super::surface::{NativeWindow, WindowSurface};
use super::system::{Display, device_of, is_software, name_of};
use super::{Framebuffer, GlError, Size};

impl Context {
    /// Creates a context of a window of this size in pixels, on the device that the display uses. It keeps the
    /// window alive; the connection to the display must outlive it.
    ///
    /// Software renderers are locked as in [`Context::headless`].
    pub fn for_window(window: Rc<dyn NativeWindow>, size: Size) -> Result<Rc<Self>, GlError> {
        Self::on_display(window, size)
            .map(Rc::new)
            .map_err(|error| GlError::NoWindow { cause: error.to_string() })
    }

    fn on_display(window: Rc<dyn NativeWindow>, size: Size) -> Result<Self, Error> {
        let lock = RendererLock::take();
        let display = window.display_handle().map_err(unsupported)?.as_raw();
        let handle = window.window_handle().map_err(unsupported)?.as_raw();
        // SAFETY: the window, which is alive, provided the handle of its display.
        let display = unsafe { Display::new(display)? };
        let template = ConfigTemplateBuilder::new()
            .with_api(Api::OPENGL)
            .with_alpha_size(0)
            .with_depth_size(0)
            .with_stencil_size(0)
            .compatible_with_native_window(handle)
            .build();
        // SAFETY: the template names the window, which is alive.
        let config = unsafe { display.find_configs(template)? }
            .next()
            .ok_or_else(|| Error::from(ErrorKind::BadConfig))?;
        // A display without a device handle may well draw in software.
        let device = device_of(&display);
        let lock = device.as_ref().is_none_or(is_software).then_some(lock);
        let name = device.as_ref().map_or_else(String::new, name_of);
        // SAFETY: as above.
        let context =
            unsafe { display.create_context(&config, &attributes(Backend::Glsl, Some(handle)))? };
        let (width, height) = nonzero(size);
        let builder = SurfaceAttributesBuilder::<glutin::surface::WindowSurface>::new();
        let surface = builder.build(handle, width, height);
        // SAFETY: the window is alive, and the surface keeps it so.
        let surface = unsafe { display.create_window_surface(&config, &surface)? };
        let context = context.make_current(&surface)?;
        // The caller paces its frames; a hidden window must not block it. The setting is optional: a driver may
        // not support it.
        let _ = surface.set_swap_interval(&context, SwapInterval::DontWait);
        let surface = WindowSurface::new(surface, window);
        Ok(Self::current(&display, context, Some(surface), (&name, Backend::Glsl), lock))
    }

    /// Shows a picture in the window, one texel per pixel, with their lower left corners aligned. Texels beyond
    /// the window are clipped. A headless context shows nothing. The framebuffer must belong to this very
    /// context and have one surface.
    pub fn show(&self, picture: &Framebuffer) -> Result<(), GlError> {
        let Some(window) = &self.window else {
            return Ok(());
        };
        let (width, height) = picture.size();
        let (width, height) = (width as i32, height as i32);
        let gl = self.own();
        picture.bind();
        // SAFETY: the framebuffer is alive, and 0 is the window, whose surface is current. Sides of textures
        // fit i32.
        unsafe {
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, None);
            gl.blit_framebuffer(
                0,
                0,
                width,
                height,
                0,
                0,
                width,
                height,
                glow::COLOR_BUFFER_BIT,
                glow::NEAREST,
            );
        }
        self.check("showing a picture")?;
        let swapped = window.surface.swap_buffers(self.system());
        swapped.map_err(|error| GlError::NoWindow { cause: error.to_string() })
    }

    /// Sets the new size of the window in pixels.
    pub fn resize_window(&self, size: Size) {
        if let Some(window) = &self.window {
            let (width, height) = nonzero(size);
            window.surface.resize(self.system(), width, height);
        }
    }
}

/// Gives windows without an area one pixel.
fn nonzero((width, height): Size) -> (NonZeroU32, NonZeroU32) {
    let side = |side| NonZeroU32::new(side).unwrap_or(NonZeroU32::MIN);
    (side(width), side(height))
}

/// Reports a useless handle as the system would.
fn unsupported(_: HandleError) -> Error {
    ErrorKind::BadNativeWindow.into()
}

//! The parts that contexts of desktops and of browsers share.

use glow::HasContext;

use super::error::GlError;

/// Names and limits of the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// `GL_VENDOR`.
    pub vendor: String,
    /// `GL_RENDERER`, which a browser may hide.
    pub renderer: String,
    /// `GL_VERSION`.
    pub version: String,
    /// Name of the EGL device, if it has one; in a browser, a canvas.
    pub device: String,
    /// Largest side of a rectangle texture, in texels.
    pub rectangle_limit: u32,
    /// Number of texture units of a fragment program.
    pub texture_units: u32,
    /// True for software rendering, according to EGL or, in a browser, to the driver's name.
    pub software: bool,
    /// True with `GL_ARB_texture_barrier` (or GL 4.5), which feedback passes need.
    pub texture_barrier: bool,
    /// True with `GL_ARB_gpu_shader_fp64`: programs may compute in double precision.
    pub double_precision: bool,
    /// True if programs run as assembly ([`Backend::Arb`](super::Backend::Arb)).
    pub assembly: bool,
}

/// Converts the pending GL error, if there is one.
pub(super) fn pending(gl: &glow::Context, doing: &'static str) -> Result<(), GlError> {
    // SAFETY: no arguments.
    match unsafe { gl.get_error() } {
        glow::NO_ERROR => Ok(()),
        glow::OUT_OF_MEMORY => Err(GlError::OutOfMemory { doing }),
        code => Err(GlError::Other { code, doing }),
    }
}

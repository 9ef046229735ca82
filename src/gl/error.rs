//! Errors of the OpenGL layer, with remedies.

use crate::base::error::{ErrorKind, WithKind};
use thiserror::Error;

/// An error of the OpenGL layer. Every message is one line and ends with the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum GlError {
    /// libEGL is missing, or lists no devices.
    #[error(
        "no EGL: {cause}. Install an OpenGL driver with EGL (Debian: apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri; NVIDIA: the driver's libnvidia-gl and libegl1)."
    )]
    NoEgl { cause: String },
    /// The browser cannot render to float textures.
    #[error("no WebGL 2 with float targets: {cause}. Use another browser or graphics driver.")]
    NoWebGl { cause: String },
    /// `FRAGSTREAM_DEVICE` selects a device that does not exist.
    #[error(
        "FRAGSTREAM_DEVICE={choice:?} selects none of the {devices} device(s). Give a number from 0, or leave the variable out."
    )]
    NoSuchDevice { choice: String, devices: usize },
    /// `FRAGSTREAM_BACKEND` selects a back end that does not exist.
    #[error(
        "FRAGSTREAM_BACKEND={choice:?} is not a back end. Write glsl, arb or interpreter, or leave the variable out."
    )]
    NoSuchBackend { choice: String },
    /// The driver cannot run assembly.
    #[error(
        "the driver {driver} has no GL_ARB_fragment_program in a compatibility context. Use --backend glsl, or another driver (Debian: apt-get install libgl1-mesa-dri)."
    )]
    NoAssembly { driver: String },
    /// No EGL device provides a context.
    #[error(
        "no OpenGL 3.3 context on any of the {devices} EGL device(s): {cause}. Mesa's software renderer gives one (Debian: apt-get install libgl1-mesa-dri)."
    )]
    NoContext { devices: usize, cause: String },
    /// A window cannot be drawn into.
    #[error(
        "cannot draw into the window with OpenGL 3.3: {cause}. Install a driver with EGL for this display (Debian: apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri)."
    )]
    NoWindow { cause: String },
    /// A second context that shares objects with the first cannot be created.
    #[error(
        "no second OpenGL context that shares textures with the first: {cause}. Use buffers that are framebuffer objects."
    )]
    NoSharing { cause: String },
    /// The interpreter draws for lack of a driver, and takes too long.
    #[error(
        "no OpenGL, and the interpreter would take more than a minute. Install an OpenGL driver with EGL (Debian: apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri), or give --backend interpreter to wait."
    )]
    Overdue,
    /// The interpreter draws, and something needs a driver.
    #[error("the interpreter cannot {doing}. Use a driver: leave out --arithmetic and --backend.")]
    NoDriver { doing: &'static str },
    /// A float format cannot be rendered to, or gives wrong results.
    #[error(
        "the driver {driver} fails on {format} targets: {cause}. Use another driver (Debian: apt-get install libgl1-mesa-dri)."
    )]
    BadFormat { driver: String, format: String, cause: String },
    /// The driver rejected a shader.
    #[error("program {program} does not compile: {log}")]
    Compile { program: String, log: String },
    /// A texture would be larger than the driver allows.
    #[error(
        "a {width}x{height} texture is over this driver's limit of {limit} texels per side. Use a smaller problem or another layout."
    )]
    TooLarge { width: u32, height: u32, limit: u32 },
    /// A framebuffer is not complete.
    #[error("a {format} framebuffer is incomplete (status {status:#06x}). Use another driver.")]
    Incomplete { format: String, status: u32 },
    /// GL ran out of memory.
    #[error("out of graphics memory while {doing}. Use a smaller problem.")]
    OutOfMemory { doing: &'static str },
    /// Any other GL error.
    #[error(
        "OpenGL error {code:#06x} while {doing}. This is a defect of fragstream or the driver."
    )]
    Other { code: u32, doing: &'static str },
}

impl WithKind for GlError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::NoEgl { .. }
            | Self::NoWebGl { .. }
            | Self::NoAssembly { .. }
            | Self::NoContext { .. }
            | Self::NoWindow { .. }
            | Self::BadFormat { .. }
            | Self::Compile { .. }
            | Self::Incomplete { .. }
            | Self::Other { .. } => ErrorKind::NoGl,
            Self::NoSharing { .. } | Self::NoDriver { .. } | Self::Overdue => ErrorKind::Lacking,
            Self::NoSuchDevice { .. }
            | Self::NoSuchBackend { .. }
            | Self::TooLarge { .. }
            | Self::OutOfMemory { .. } => ErrorKind::Input,
        }
    }
}

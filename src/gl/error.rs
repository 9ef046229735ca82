//! What can go wrong below the stream processor, and what helps.

use crate::error::{ErrorKind, WithKind};
use thiserror::Error;

/// An error of the OpenGL layer. Every message is one line and says the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GlError {
    /// libEGL is not there, or knows no devices.
    #[error(
        "no EGL: {cause}; install an OpenGL driver with EGL (Debian: apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri; NVIDIA: the driver's libnvidia-gl and libegl1)"
    )]
    NoEgl {
        /// What EGL said.
        cause: String,
    },
    /// A browser that cannot compute in textures of floats.
    #[error("no WebGL 2 with float targets: {cause}; use another browser or graphics driver")]
    NoWebGl {
        /// The missing part.
        cause: String,
    },
    /// A browser cannot count the fragments that survive.
    #[error("a browser cannot count fragments (SAMPLES_PASSED); run this on a desktop")]
    NoCount,
    /// Another device is asked for than there are.
    #[error(
        "FRAGSTREAM_DEVICE={choice:?} is none of the {devices} device(s); give a number from 0, or leave the variable out"
    )]
    NoSuchDevice {
        /// What the variable says.
        choice: String,
        /// How many devices there are.
        devices: usize,
    },
    /// Another back end is asked for than there are.
    #[error(
        "FRAGSTREAM_BACKEND={choice:?} is not a back end; write glsl or arb, or leave the variable out"
    )]
    NoSuchBackend {
        /// What the variable says.
        choice: String,
    },
    /// The driver does not run assembly.
    #[error(
        "the driver {driver} has no GL_ARB_fragment_program in a compatibility context; use --backend glsl, or another driver (Debian: apt-get install libgl1-mesa-dri)"
    )]
    NoAssembly {
        /// The driver's renderer string.
        driver: String,
    },
    /// EGL is there, but none of its devices gives a context.
    #[error(
        "no OpenGL 3.3 context on any of the {devices} EGL device(s): {cause}; Mesa's software renderer gives one (Debian: apt-get install libgl1-mesa-dri)"
    )]
    NoContext {
        /// How many devices were tried.
        devices: usize,
        /// What the last one said.
        cause: String,
    },
    /// A window cannot be drawn into.
    #[error(
        "cannot draw into the window with OpenGL 3.3: {cause}; install a driver with EGL for this display (Debian: apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri)"
    )]
    NoWindow {
        /// What EGL said.
        cause: String,
    },
    /// A second context beside the first one cannot be made.
    #[error(
        "no second OpenGL context that shares textures with the first: {cause}; use buffers that are framebuffer objects"
    )]
    NoSharing {
        /// What EGL said.
        cause: String,
    },
    /// A float format cannot be rendered to, or gives wrong numbers.
    #[error(
        "the driver {driver} fails on {format} targets: {cause}; use another driver (Debian: apt-get install libgl1-mesa-dri)"
    )]
    BadFormat {
        /// The driver's renderer string.
        driver: String,
        /// The format.
        format: String,
        /// What was wrong.
        cause: String,
    },
    /// A shader was refused.
    #[error("program {program} does not compile: {log}")]
    Compile {
        /// Name of the program.
        program: String,
        /// The driver's words, folded into one line.
        log: String,
    },
    /// A texture would be larger than the driver allows.
    #[error(
        "a {width}x{height} texture is over this driver's limit of {limit} texels a side; use a smaller problem or another layout"
    )]
    TooLarge {
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
        /// The limit a side.
        limit: u32,
    },
    /// A framebuffer is not complete.
    #[error("a {format} framebuffer is incomplete (status {status:#06x}); use another driver")]
    Incomplete {
        /// Format of the attached texture.
        format: String,
        /// GL's status.
        status: u32,
    },
    /// GL ran out of memory.
    #[error("out of graphics memory while {doing}; use a smaller problem")]
    OutOfMemory {
        /// What was being done.
        doing: &'static str,
    },
    /// Any other GL error.
    #[error("OpenGL error {code:#06x} while {doing}; this is a defect of fragstream or the driver")]
    Other {
        /// GL's code.
        code: u32,
        /// What was being done.
        doing: &'static str,
    },
}

impl WithKind for GlError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::NoSuchDevice { .. }
            | Self::NoSuchBackend { .. }
            | Self::TooLarge { .. }
            | Self::OutOfMemory { .. } => ErrorKind::Input,
            _ => ErrorKind::NoGl,
        }
    }
}

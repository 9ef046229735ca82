//! The device of a machine: an OpenGL driver, or the interpreter, which needs none.

use std::rc::Rc;
use std::sync::OnceLock;
use std::time::Instant;

use crate::gl::{self, Context, Description, GlError, VertexBuffer};
use crate::program::formats::Registers;

/// Device, and language of its programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// A driver, which gets the programs in this language.
    Driver(gl::Backend),
    /// The interpreter, on all cores, with these registers.
    Interpreter(Registers),
}

static CHOSEN: OnceLock<Backend> = OnceLock::new();

impl Default for Backend {
    fn default() -> Self {
        gl::Backend::default().into()
    }
}

impl From<gl::Backend> for Backend {
    fn from(language: gl::Backend) -> Self {
        Self::Driver(language)
    }
}

impl Backend {
    /// Returns the back end of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "glsl" => Some(Self::Driver(gl::Backend::Glsl)),
            "arb" => Some(Self::Driver(gl::Backend::Arb)),
            "interpreter" => Some(Self::Interpreter(Registers::Single)),
            _ => None,
        }
    }

    /// Makes it the default of all later machines. Only the first call has an effect.
    pub fn choose(self) {
        _ = CHOSEN.set(self);
    }

    /// Returns the chosen back end, else that of the variable `FRAGSTREAM_BACKEND`.
    pub fn chosen() -> Result<Option<Self>, GlError> {
        if let Some(&chosen) = CHOSEN.get() {
            return Ok(Some(chosen));
        }
        match std::env::var("FRAGSTREAM_BACKEND") {
            Err(_) => Ok(None),
            Ok(choice) => Self::named(&choice).map(Some).ok_or(GlError::NoSuchBackend { choice }),
        }
    }
}

/// Device of one machine.
pub(super) enum Device {
    /// A driver, with the context of all streams but those of [`super::Buffer::Context`].
    Driver(Rc<Context>),
    /// The interpreter, and the time at which it gives up.
    Interpreter(Registers, Description, Option<Instant>),
}

/// A context that is drawn in; the interpreter's have only a number.
#[derive(Clone)]
pub(super) enum Place {
    Driver(Rc<Context>),
    Interpreter(u64),
}

impl Place {
    pub fn number(&self) -> u64 {
        match self {
            Self::Driver(context) => context.number(),
            Self::Interpreter(number) => *number,
        }
    }

    pub fn enter(&self) {
        if let Self::Driver(context) = self {
            context.make_current();
        }
    }
}

impl Device {
    /// The interpreter with these registers.
    pub fn interpreter(registers: Registers, until: Option<Instant>) -> Self {
        let description = Description {
            vendor: "fragstream".into(),
            renderer: format!("interpreter, {registers}"),
            version: env!("CARGO_PKG_VERSION").into(),
            device: "CPU".into(),
            rectangle_limit: 1 << 14,
            texture_units: super::STREAMS as u32,
            software: true,
            texture_barrier: true,
            double_precision: false,
            assembly: false,
        };
        Self::Interpreter(registers, description, until)
    }

    /// The main context.
    pub fn place(&self) -> Place {
        match self {
            Self::Driver(context) => Place::Driver(Rc::clone(context)),
            Self::Interpreter(..) => Place::Interpreter(0),
        }
    }

    /// The context of the driver. `doing` completes "the interpreter cannot".
    pub fn context(&self, doing: &'static str) -> Result<&Rc<Context>, GlError> {
        match self {
            Self::Driver(context) => Ok(context),
            Self::Interpreter(..) => Err(GlError::NoDriver { doing }),
        }
    }

    /// Uploads vertices, if a driver needs them.
    pub fn vertices(
        &self,
        attributes: &'static [usize],
        data: &[f32],
    ) -> Result<Option<Rc<VertexBuffer>>, GlError> {
        match self {
            Self::Driver(context) => {
                VertexBuffer::new(context, attributes, data).map(|buffer| Some(Rc::new(buffer)))
            }
            Self::Interpreter(..) => Ok(None),
        }
    }

    pub fn description(&self) -> &Description {
        match self {
            Self::Driver(context) => context.description(),
            Self::Interpreter(_, description, _) => description,
        }
    }
}

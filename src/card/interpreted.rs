//! The passes of a machine in the interpreter: their programs, and the contents of their streams.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::GlError;
use crate::program::front::Stage;
use crate::program::interpret::{Arithmetic, InterpretError, Program, Texture};
use crate::stream::{Drawing, ProgramText, Stream};

/// The fragment and the vertex program of each text that was drawn.
#[derive(Default)]
pub(crate) struct Programs(RefCell<HashMap<Rc<ProgramText>, Rc<[Program; 2]>>>);

impl Programs {
    /// The programs of a pass, parsed once.
    pub fn of(&self, pass: Drawing<'_>, folds: bool) -> Result<Rc<[Program; 2]>, InterpretError> {
        let text = pass.kernel.text();
        if let Some(known) = self.0.borrow().get(text) {
            return Ok(Rc::clone(known));
        }
        let stages = [(&text.fragment, Stage::Fragment), (&text.vertex, Stage::Vertex)];
        let [fragment, vertex] = stages.map(|(text, stage)| Program::of_stage(text, stage, folds));
        let programs = Rc::new([fragment?, vertex?]);
        self.0.borrow_mut().insert(Rc::clone(text), Rc::clone(&programs));
        Ok(programs)
    }
}

/// The contents of a stream, with its padding, in an arithmetic.
pub(crate) fn texture<T: Arithmetic>(stream: &Stream) -> Result<Texture<T>, GlError> {
    let channels = stream.format().channels();
    Ok(Texture::of_singles(stream.size(), channels, &stream.read_back()?))
}

impl From<GlError> for InterpretError {
    fn from(error: GlError) -> Self {
        Self::ReadBack(error.to_string())
    }
}

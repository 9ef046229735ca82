//! The machine: a context with its kernels and its ledger.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::{Context, Framebuffer};

use super::kernel::{self, Kernel, Vertices};
use super::{Ledger, Rect, Rects, Source, SourceText, Stream, StreamError, probe};

/// A stream processor. Clones are handles of the same one; it lives on one thread.
#[derive(Clone)]
pub struct Machine(Rc<Inner>);

struct Inner {
    context: Rc<Context>,
    kernels: RefCell<HashMap<String, Rc<Kernel>>>,
    rects: RefCell<HashMap<Rect, Rects>>,
    ledger: RefCell<Ledger>,
    /// The number of the stream that is rendered to (0: none).
    target: Cell<u64>,
    /// The number of its buffer (0: none).
    buffer: Cell<u64>,
    /// The number of the context that was entered last.
    entered: Cell<u64>,
    /// The number of the kernel that is bound (0: none).
    program: Cell<u64>,
    next_number: Cell<u64>,
}

impl Machine {
    /// A machine without a display, whose formats have been found to give right answers.
    ///
    /// # Errors
    /// [`StreamError::Gl`] without EGL, OpenGL 3.3, or a float format that works.
    pub fn headless() -> Result<Self, StreamError> {
        Self::on(Context::headless()?)
    }

    /// A machine on a context, whose formats have been found to give right answers.
    ///
    /// # Errors
    /// [`StreamError::Gl`] without a float format that works.
    pub fn on(context: Rc<Context>) -> Result<Self, StreamError> {
        let machine = Self(Rc::new(Inner {
            entered: Cell::new(context.number()),
            context,
            kernels: RefCell::default(),
            rects: RefCell::default(),
            ledger: RefCell::default(),
            target: Cell::new(0),
            buffer: Cell::new(0),
            program: Cell::new(0),
            next_number: Cell::new(1),
        }));
        probe::known_answers(&machine)?;
        machine.take_ledger();
        Ok(machine)
    }

    /// The kernel of this source with these defines; compiled at its first use.
    ///
    /// # Errors
    /// [`StreamError::Gl`] when the driver refuses the program.
    pub fn kernel<'a>(
        &self,
        source: impl Into<SourceText<'a>>,
        defines: &[(&str, &str)],
    ) -> Result<Rc<Kernel>, StreamError> {
        self.kernel_for(source.into(), Vertices::Rectangles, defines)
    }

    /// As [`Machine::kernel`], with a vertex program of its own (Goodnight et al. 2003, section 6):
    /// what that declares as `out vec2 NAME;`, the fragment program declares as `in vec2 NAME;` and
    /// gets interpolated, so that offsets of texture coordinates need no fragment instructions. Eight
    /// such coordinates of up to four floats are there. `glsl/stream/vertex.glsl` says what a vertex
    /// program is given. Its uniforms are set like those of the fragment program; a name that stands
    /// in both is set once. The defines hold for both.
    ///
    /// # Errors
    /// [`StreamError::Gl`] when the driver refuses the programs.
    pub fn rectangle_kernel<'a>(
        &self,
        fragment: impl Into<SourceText<'a>>,
        vertex: &Source,
        defines: &[(&str, &str)],
    ) -> Result<Rc<Kernel>, StreamError> {
        self.kernel_for(fragment.into(), Vertices::Own(vertex.into()), defines)
    }

    /// As [`Machine::kernel`], to be run for points ([`super::Points`]).
    ///
    /// # Errors
    /// [`StreamError::Gl`] when the driver refuses the program.
    pub fn point_kernel<'a>(
        &self,
        source: impl Into<SourceText<'a>>,
        defines: &[(&str, &str)],
    ) -> Result<Rc<Kernel>, StreamError> {
        self.kernel_for(source.into(), Vertices::Points, defines)
    }

    fn kernel_for(
        &self,
        source: SourceText<'_>,
        vertices: Vertices<'_>,
        defines: &[(&str, &str)],
    ) -> Result<Rc<Kernel>, StreamError> {
        let key = kernel::label(&source, &vertices, defines) + source.distinction();
        if let Some(kernel) = self.0.kernels.borrow().get(&key) {
            return Ok(Rc::clone(kernel));
        }
        let kernel = Rc::new(Kernel::new(self, source, vertices, defines)?);
        self.0.kernels.borrow_mut().insert(key, Rc::clone(&kernel));
        Ok(kernel)
    }

    /// The geometry of one rectangle; uploaded at its first use.
    pub fn rect(&self, rect: Rect) -> Result<Rects, StreamError> {
        if let Some(rects) = self.0.rects.borrow().get(&rect) {
            return Ok(rects.clone());
        }
        let rects = Rects::new(self, &[rect])?;
        self.0.rects.borrow_mut().insert(rect, rects.clone());
        Ok(rects)
    }

    /// The context below.
    pub fn context(&self) -> &Rc<Context> {
        &self.0.context
    }

    /// What was done since the ledger was last taken.
    pub fn ledger(&self) -> Ledger {
        self.0.ledger.borrow().clone()
    }

    /// As [`Machine::ledger`], and starts a new page: only the memory in use is carried over.
    pub fn take_ledger(&self) -> Ledger {
        let mut ledger = self.0.ledger.borrow_mut();
        let fresh = Ledger {
            bytes_allocated: ledger.bytes_allocated,
            peak_bytes_allocated: ledger.bytes_allocated,
            ..Ledger::default()
        };
        std::mem::replace(&mut ledger, fresh)
    }

    /// Waits until everything is done.
    pub fn finish(&self) {
        self.0.context.finish();
    }

    pub(super) fn ledger_mut(&self) -> RefMut<'_, Ledger> {
        self.0.ledger.borrow_mut()
    }

    pub(super) fn next_number(&self) -> u64 {
        self.0.next_number.replace(self.0.next_number.get() + 1)
    }

    /// Something else was bound meanwhile.
    pub(super) fn forget_target(&self) {
        self.0.target.set(0);
        self.0.buffer.set(0);
    }

    /// Makes a context current. All is bound anew in it: only so is it sure to see what others have
    /// done to shared objects.
    pub(super) fn enter(&self, context: &Context) {
        context.make_current();
        if self.0.entered.replace(context.number()) != context.number() {
            self.ledger_mut().switch_context();
            self.forget_target();
            self.0.program.set(0);
        }
    }

    pub(super) fn bind_target(&self, target: &Stream) {
        self.enter(target.framebuffer().context());
        if self.0.target.replace(target.number()) == target.number() {
            return;
        }
        let changes_buffer = self.0.buffer.replace(target.buffer()) != target.buffer();
        if changes_buffer {
            target.framebuffer().bind();
        }
        target.framebuffer().select(target.surface());
        self.ledger_mut().switch_target(changes_buffer);
    }

    pub(super) fn bind_program(&self, kernel: &Kernel) {
        if self.0.program.replace(kernel.number()) != kernel.number() {
            kernel.program().bind();
            self.ledger_mut().switch_program();
        }
    }

    /// Shows a picture in the window that the context belongs to ([`Context::show`]).
    pub fn show(&self, picture: &Stream) -> Result<(), StreamError> {
        self.enter(&self.0.context);
        let framebuffer = Framebuffer::new(picture.texture())?;
        let shown = self.0.context.show(&framebuffer);
        self.forget_target();
        Ok(shown?)
    }

    /// Lets a picture be drawn by other means, then forgets what was bound.
    pub fn with_context<T>(&self, draw: impl FnOnce(&Rc<Context>) -> T) -> T {
        self.enter(&self.0.context);
        let result = draw(&self.0.context);
        self.forget_target();
        self.0.program.set(0);
        result
    }
}

//! The machine: a context with its kernels and its ledger.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::{Context, Framebuffer};

use super::error::StreamError;
use super::extent::{Point, Points, Rect, Rects};
use super::ledger::Ledger;
use super::observer::{Observation, Observer, Observers, Switches};
use super::program::{self, Kernel, Source, SourceText, Vertices};

/// What stands in for kernels ([`Machine::standing_in`]): for some another one, that is given the streams which
/// it declares by the names of theirs, and no constants.
pub type StandIn = Rc<dyn Fn(&Kernel) -> Result<Option<Rc<Kernel>>, StreamError>>;

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
    /// The context that was entered last.
    entered: RefCell<Rc<Context>>,
    /// The number of the kernel that is bound (0: none).
    program: Cell<u64>,
    next_number: Cell<u64>,
    /// Whether errors of rounding survive the driver's compiler.
    keeps_errors: Cell<bool>,
    observers: Rc<Observers>,
    stand_in: RefCell<Option<StandIn>>,
}

impl Machine {
    /// A machine on a context. Nothing is known of its formats yet.
    pub(super) fn untried(context: Rc<Context>) -> Self {
        Self(Rc::new(Inner {
            entered: RefCell::new(Rc::clone(&context)),
            context,
            kernels: RefCell::default(),
            rects: RefCell::default(),
            ledger: RefCell::default(),
            target: Cell::new(0),
            buffer: Cell::new(0),
            program: Cell::new(0),
            next_number: Cell::new(1),
            keeps_errors: Cell::new(false),
            observers: Rc::default(),
            stand_in: RefCell::default(),
        }))
    }

    /// The kernel of this source with these defines; compiled at its first use.
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
    /// such coordinates of up to four floats are there. `glsl/stream/program/vertex.glsl` says what a
    /// vertex program is given. Its uniforms are set like those of the fragment program; a name that
    /// stands in both is set once. The defines hold for both.
    pub fn rectangle_kernel<'a>(
        &self,
        fragment: impl Into<SourceText<'a>>,
        vertex: &Source,
        defines: &[(&str, &str)],
    ) -> Result<Rc<Kernel>, StreamError> {
        self.kernel_for(fragment.into(), Vertices::Own(vertex.into()), defines)
    }

    /// As [`Machine::kernel`], to be run for points ([`super::Points`]).
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
        let key = program::label(&source, &vertices, defines) + source.distinction();
        if let Some(kernel) = self.0.kernels.borrow().get(&key) {
            return Ok(Rc::clone(kernel));
        }
        let kernel = Rc::new(Kernel::new(
            self.context(),
            self.next_number(),
            source,
            vertices,
            defines,
        )?);
        self.0.kernels.borrow_mut().insert(key, Rc::clone(&kernel));
        Ok(kernel)
    }

    /// The geometry of one rectangle; uploaded at its first use.
    pub fn rect(&self, rect: Rect) -> Result<Rects, StreamError> {
        if let Some(rects) = self.0.rects.borrow().get(&rect) {
            return Ok(rects.clone());
        }
        let rects = self.rects(&[rect])?;
        self.0.rects.borrow_mut().insert(rect, rects.clone());
        Ok(rects)
    }

    /// Uploads the geometry of rectangles.
    pub fn rects(&self, list: &[Rect]) -> Result<Rects, StreamError> {
        let rects = Rects::new(self.context(), list)?;
        self.place(rects.bytes());
        Ok(rects)
    }

    /// Uploads points.
    pub fn points(&self, list: &[Point]) -> Result<Points, StreamError> {
        let points = Points::new(self.context(), list)?;
        self.place(points.bytes());
        Ok(points)
    }

    fn place(&self, bytes: u64) {
        self.ledger_mut().upload(bytes);
        self.tell(|observer| observer.placed(bytes));
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

    /// Lets somebody look on at all that this machine does from now on, beside those who do already.
    ///
    /// # Errors
    /// [`StreamError::Late`] while there are streams, for an observer that has to see how they came to
    /// be ([`Observer::is_there_from_the_start`]).
    pub fn observe(&self, observer: Rc<dyn Observer>) -> Result<Observation, StreamError> {
        match self.0.ledger.borrow().bytes_allocated {
            bytes if bytes > 0 && observer.is_there_from_the_start() => {
                Err(StreamError::Late { bytes })
            }
            _ => Ok(self.0.observers.add(observer)),
        }
    }

    /// Forgets what is bound and which rectangles lie in graphics memory: what follows is uploaded and
    /// switched to as on a machine that has just started, whatever this one did before.
    pub fn forget(&self) {
        self.enter(self.context());
        self.forget_target();
        self.0.program.set(0);
        self.0.rects.borrow_mut().clear();
    }

    /// Says what the passes from here on are about. Unless somebody looks on, nobody hears it.
    pub fn scene(&self, title: &str) {
        self.tell(|observer| observer.scene(title));
    }

    /// Whether the errors of rounding of sums and products come out right, as pairs of floats need
    /// them: found out at start, by a known answer.
    pub fn keeps_errors(&self) -> bool {
        self.0.keeps_errors.get()
    }

    pub(super) fn set_keeps_errors(&self, keeps: bool) {
        self.0.keeps_errors.set(keeps);
    }

    /// Waits until everything is done.
    pub fn finish(&self) {
        self.0.context.finish();
    }

    pub(super) fn ledger_mut(&self) -> RefMut<'_, Ledger> {
        self.0.ledger.borrow_mut()
    }

    /// Whether anybody looks on.
    pub(super) fn is_observed(&self) -> bool {
        self.0.observers.are_there()
    }

    /// Tells all who look on.
    pub(super) fn tell(&self, what: impl Fn(&dyn Observer)) {
        self.0.observers.tell(what);
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
    ///
    /// Whether it was another one.
    pub(super) fn enter(&self, context: &Rc<Context>) -> bool {
        context.make_current();
        let left = self.0.entered.replace(Rc::clone(context));
        let is_other = left.number() != context.number();
        if is_other {
            self.ledger_mut().switch_context();
            self.forget_target();
            self.0.program.set(0);
        }
        is_other
    }

    /// Does something in a context, and returns to the one that was entered last.
    pub(super) fn aside<T>(&self, context: &Context, what: impl FnOnce() -> T) -> T {
        context.make_current();
        let done = what();
        self.0.entered.borrow().make_current();
        done
    }

    /// Makes a stream, by its number and its buffer's, the target of what is drawn next: this
    /// surface of this framebuffer. What changed.
    pub(super) fn bind_target(
        &self,
        stream: u64,
        buffer: u64,
        framebuffer: &Framebuffer,
        surface: usize,
    ) -> Switches {
        let context = self.enter(framebuffer.context());
        let mut switches = Switches {
            context,
            ..Switches::default()
        };
        if self.0.target.replace(stream) == stream {
            return switches;
        }
        switches.target = true;
        switches.buffer = self.0.buffer.replace(buffer) != buffer;
        if switches.buffer {
            framebuffer.bind();
        }
        framebuffer.select(surface);
        self.ledger_mut().switch_target(switches.buffer);
        switches
    }

    /// Runs with other kernels in the place of some, to see what a run takes apart from them. The ledger and
    /// observers hear of the kernels that they stand for.
    pub fn standing_in<T>(&self, stand_in: &StandIn, run: impl FnOnce() -> T) -> T {
        let before = self.0.stand_in.replace(Some(Rc::clone(stand_in)));
        let done = run();
        self.0.stand_in.replace(before);
        done
    }

    /// What stands in for a kernel now.
    pub(super) fn stand_in(&self, kernel: &Kernel) -> Result<Option<Rc<Kernel>>, StreamError> {
        let stand_in = self.0.stand_in.borrow().clone();
        stand_in.map_or(Ok(None), |stand_in| stand_in(kernel))
    }

    pub(super) fn bind_program(&self, kernel: &Kernel) -> bool {
        let is_other = self.0.program.replace(kernel.number()) != kernel.number();
        if is_other {
            kernel.program().bind();
            self.ledger_mut().switch_program();
        }
        is_other
    }

    /// Forgets what was bound: a picture was drawn by other means.
    pub(super) fn drawn_outside(&self) {
        self.ledger_mut().drawn_outside += 1;
        self.forget_target();
        self.0.program.set(0);
    }
}

//! The machine: a context with its kernels and its ledger.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::{Context, Description, GlError};
use crate::program::Listing;
use crate::program::formats::Registers;

use super::device::{Device, Place};
use super::error::StreamError;
use super::extent::{Point, Points, Rect, Rects};
use super::ledger::{Ledger, Recorded};
use super::memory::Allocation;
use super::memory::Memory;
use super::observer::{Observation, Observer, Observers, Switches};
use super::program::{Code, Kernel, Key, ProgramText, Source};

/// Substitutes kernels ([`Machine::standing_in`]). A substitute is bound to the original's streams and constants by
/// their names.
pub type StandIn = Rc<dyn Fn(&Kernel) -> Result<Option<Rc<Kernel>>, StreamError>>;

/// A stream processor. Clones are handles of the same one; it stays on one thread.
#[derive(Clone)]
pub struct Machine(Rc<Inner>);

struct Inner {
    device: Device,
    kernels: RefCell<HashMap<Rc<ProgramText>, Rc<Kernel>>>,
    /// Those of built-in programs, found without putting their texts together.
    built_in: RefCell<HashMap<Key, Rc<Kernel>>>,
    rects: RefCell<HashMap<Rect, Rects>>,
    /// Without the passes of `recorded`.
    ledger: RefCell<Ledger>,
    recorded: RefCell<Recorded>,
    /// Number of the stream that is rendered to (0: none).
    target: Cell<u64>,
    /// Number of its buffer (0: none).
    buffer: Cell<u64>,
    /// The context that was entered last.
    entered: RefCell<Place>,
    /// Number of the bound kernel (0: none).
    program: Cell<u64>,
    next_number: Cell<u64>,
    /// True if rounding errors survive the driver's compiler.
    keeps_errors: Cell<bool>,
    observers: Rc<Observers>,
    stand_in: RefCell<Option<StandIn>>,
    /// Called before each pass that reads a copy of its target; without it such passes need a barrier.
    copying: Cell<Option<fn()>>,
}

impl Machine {
    /// A machine on a device whose formats have not been tested.
    pub(super) fn untried(device: Device) -> Self {
        Self(Rc::new(Inner {
            entered: RefCell::new(device.place()),
            device,
            kernels: RefCell::default(),
            built_in: RefCell::default(),
            rects: RefCell::default(),
            ledger: RefCell::default(),
            recorded: RefCell::default(),
            target: Cell::new(0),
            buffer: Cell::new(0),
            program: Cell::new(0),
            next_number: Cell::new(1),
            keeps_errors: Cell::new(false),
            observers: Rc::default(),
            stand_in: RefCell::default(),
            copying: Cell::default(),
        }))
    }

    /// The kernel of this source with these defines; compiled at its first use.
    ///
    /// # Errors
    /// [`StreamError::Gl`] with the driver's message for a text that does not compile; [`StreamError::Rules`],
    /// [`StreamError::TooManyStreams`], [`StreamError::Coordinate`], [`StreamError::NoDouble`].
    pub fn kernel(
        &self,
        source: &Source,
        defines: &[(&str, &str)],
    ) -> Result<Rc<Kernel>, StreamError> {
        let key = source.key(defines);
        if let Some(kernel) =
            key.as_ref().and_then(|key| self.0.built_in.borrow().get(key).cloned())
        {
            return Ok(kernel);
        }
        let kernel = self.compiled(source.program(defines), source.is_built_in)?;
        if let Some(key) = key {
            self.0.built_in.borrow_mut().insert(key, Rc::clone(&kernel));
        }
        Ok(kernel)
    }

    /// The kernel of a program, compiled at its first use.
    fn compiled(&self, program: ProgramText, is_built_in: bool) -> Result<Rc<Kernel>, StreamError> {
        if let Some(kernel) = self.0.kernels.borrow().get(&program) {
            return Ok(Rc::clone(kernel));
        }
        let kernel = Rc::new(Kernel::new(self.device(), self.next_number(), program, is_built_in)?);
        self.0.kernels.borrow_mut().insert(Rc::clone(kernel.text()), Rc::clone(&kernel));
        Ok(kernel)
    }

    /// A kernel of this machine with another text after the prelude of its fragment program. It can substitute that
    /// kernel ([`Machine::standing_in`]).
    pub fn edited(&self, original: &ProgramText, own: &str) -> Result<Rc<Kernel>, StreamError> {
        let kernel = self.0.kernels.borrow().get(original).cloned();
        let kernel = kernel.ok_or_else(|| StreamError::NoKernel(original.name.clone()))?;
        let edited = kernel.edited(self.device(), self.next_number(), own)?;
        Ok(Rc::new(edited))
    }

    /// A program of this machine by its name; the first if several have it.
    pub fn program(&self, name: &str) -> Option<Rc<ProgramText>> {
        let kernels = self.0.kernels.borrow();
        kernels.keys().filter(|text| text.name == name).min().cloned()
    }

    /// A kernel of an unmodified listing, in the interpreter or on a driver that runs assembly
    /// ([`crate::gl::Backend::Arb`]).
    pub fn listing_kernel(&self, name: &str, listing: &Listing) -> Result<Kernel, StreamError> {
        Kernel::of_listing(self.device(), self.next_number(), name, listing)
    }

    /// The geometry of one rectangle, uploaded at its first use. Passes accept the rectangle itself: this is
    /// for uploads in advance.
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
        let rects = Rects::new(self.device(), list)?;
        self.place(rects.bytes());
        Ok(rects)
    }

    /// Uploads points.
    pub fn points(&self, list: &[Point]) -> Result<Points, StreamError> {
        let points = Points::new(self.device(), list)?;
        self.place(points.bytes());
        Ok(points)
    }

    fn place(&self, bytes: u64) {
        self.ledger_mut().upload(bytes);
        self.notify(|observer| observer.placed(bytes));
    }

    /// The OpenGL context, to draw by other means than passes. `doing` completes "the interpreter cannot".
    pub fn context(&self, doing: &'static str) -> Result<&Rc<Context>, GlError> {
        self.0.device.context(doing)
    }

    pub(super) fn device(&self) -> &Device {
        &self.0.device
    }

    /// The interpreter's registers, if it draws.
    pub fn interpreter(&self) -> Option<Registers> {
        match self.0.device {
            Device::Driver(_) => None,
            Device::Interpreter(registers, ..) => Some(registers),
        }
    }

    /// Name of what draws, as for `--backend`.
    pub fn backend(&self) -> &'static str {
        match self.interpreter() {
            Some(_) => "interpreter",
            None if self.description().assembly => "arb",
            None => "glsl",
        }
    }

    /// Description of the driver, or of the interpreter.
    pub fn description(&self) -> &Description {
        self.0.device.description()
    }

    /// Lets passes with feedback read a copy of their target if the driver lacks the texture barrier. The ledger has
    /// these copies as passes. `tell` is called at the first one.
    pub fn copy_targets(&self, tell: fn()) {
        if !self.description().texture_barrier {
            self.0.copying.set(Some(tell));
        }
    }

    /// Tests whether passes may read their targets, or copies of them.
    pub fn has_feedback(&self) -> bool {
        self.description().texture_barrier || self.0.copying.get().is_some()
    }

    /// Tests whether a pass with feedback reads a copy; the first such pass prints a note.
    pub(super) fn copies(&self) -> bool {
        let tell = self.0.copying.get();
        if let Some(tell) = tell {
            tell();
            self.0.copying.set(Some(|| {}));
        }
        tell.is_some()
    }

    /// Tests whether the other is a handle of this machine.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Number of the context that holds its programs and geometry; 0 for every interpreter.
    pub(super) fn home(&self) -> u64 {
        self.0.device.place().number()
    }

    /// Work since the ledger was last taken.
    pub fn ledger(&self) -> Ledger {
        let mut ledger = self.ledger_mut();
        self.recorded().settle(&mut ledger);
        ledger.clone()
    }

    /// As [`Machine::ledger`], and starts a new ledger: only the memory in use is carried over.
    pub fn take_ledger(&self) -> Ledger {
        let mut ledger = self.0.ledger.borrow_mut();
        self.recorded().settle(&mut ledger);
        let fresh = Ledger {
            bytes_allocated: ledger.bytes_allocated,
            peak_bytes_allocated: ledger.bytes_allocated,
            ..Ledger::default()
        };
        std::mem::replace(&mut ledger, fresh)
    }

    /// Restores a ledger that was taken: later work is forgotten. Only the memory in use is carried over.
    pub fn put_ledger(&self, page: Ledger) {
        let mut ledger = self.0.ledger.borrow_mut();
        let peak = ledger.peak_bytes_allocated;
        *self.recorded() = Recorded::default();
        *ledger = Ledger {
            bytes_allocated: ledger.bytes_allocated,
            peak_bytes_allocated: page.peak_bytes_allocated.max(peak),
            ..page
        };
    }

    /// Adds an observer of all later work of this machine.
    pub fn observe(&self, observer: Rc<dyn Observer>) -> Result<Observation, StreamError> {
        match self.0.ledger.borrow().bytes_allocated {
            bytes if bytes > 0 && observer.needs_full_history() => Err(StreamError::Late { bytes }),
            _ => Ok(self.0.observers.add(observer)),
        }
    }

    /// Forgets what is bound and which rectangles are in graphics memory, so that uploads and switches are
    /// counted as on a machine that has just started.
    pub fn forget(&self) {
        self.enter(&self.0.device.place());
        self.forget_target();
        self.0.program.set(0);
        self.0.rects.borrow_mut().clear();
    }

    /// Gives the next passes a title, for observers.
    pub fn scene(&self, title: &str) {
        self.notify(|observer| observer.scene(title));
    }

    /// Tests whether the rounding errors of sums and products are preserved, as pairs of floats need. The
    /// start-up test determined this.
    pub fn keeps_errors(&self) -> bool {
        self.0.keeps_errors.get()
    }

    pub(super) fn set_keeps_errors(&self, keeps: bool) {
        self.0.keeps_errors.set(keeps);
    }

    /// Waits until all work is done.
    pub fn finish(&self) {
        self.ledger_mut().finishes += 1;
        if let Device::Driver(context) = &self.0.device {
            context.finish();
        }
        self.notify(|observer| observer.finished());
    }

    /// Passes that the ledger does not have yet.
    pub(super) fn recorded(&self) -> RefMut<'_, Recorded> {
        self.0.recorded.borrow_mut()
    }

    pub(super) fn ledger_mut(&self) -> RefMut<'_, Ledger> {
        self.0.ledger.borrow_mut()
    }

    pub(super) fn notify(&self, what: impl Fn(&dyn Observer)) {
        self.0.observers.notify(what);
    }

    pub(super) fn next_number(&self) -> u64 {
        self.0.next_number.replace(self.0.next_number.get() + 1)
    }

    /// Forgets the target, because something else was bound meanwhile.
    pub(super) fn forget_target(&self) {
        self.0.target.set(0);
        self.0.buffer.set(0);
    }

    /// Makes a context current, and returns true if another one was. Everything is bound again in the new one,
    /// because only then are changes to shared objects sure to be visible.
    pub(super) fn enter(&self, context: &Place) -> bool {
        context.enter();
        let left = self.0.entered.replace(context.clone());
        let is_other = left.number() != context.number();
        if is_other {
            self.ledger_mut().context_switches += 1;
            self.forget_target();
            self.0.program.set(0);
        }
        is_other
    }

    /// Runs a function in a context, and returns to the one that was entered last.
    pub(super) fn with_context<T>(&self, context: &Place, what: impl FnOnce() -> T) -> T {
        context.enter();
        let done = what();
        self.0.entered.borrow().enter();
        done
    }

    /// Makes a stream the target of subsequent draws. Returns the switches.
    pub(super) fn bind_target(&self, stream: u64, allocation: &Allocation) -> Switches {
        let context = self.enter(&allocation.context());
        let mut switches = Switches { context, ..Switches::default() };
        if self.0.target.replace(stream) == stream {
            return switches;
        }
        switches.target = true;
        switches.buffer = self.0.buffer.replace(allocation.buffer) != allocation.buffer;
        if let Memory::Driver(_, framebuffer) = &allocation.memory {
            if switches.buffer {
                framebuffer.bind();
            }
            framebuffer.select(allocation.surface);
        }
        self.ledger_mut().switch_target(switches.buffer);
        switches
    }

    /// Runs a function with substitutes for some kernels, to time work without them. The ledger
    /// sees the originals, observers see the substitutes.
    pub fn standing_in<T>(&self, stand_in: &StandIn, run: impl FnOnce() -> T) -> T {
        let before = self.0.stand_in.replace(Some(Rc::clone(stand_in)));
        let done = run();
        self.0.stand_in.replace(before);
        done
    }

    /// Returns the present substitute of a kernel, if there is one.
    pub(super) fn stand_in(&self, kernel: &Kernel) -> Result<Option<Rc<Kernel>>, StreamError> {
        let stand_in = self.0.stand_in.borrow().clone();
        stand_in.map_or(Ok(None), |stand_in| stand_in(kernel))
    }

    /// Binds a kernel's program, and returns true if another one was bound.
    pub(super) fn bind_program(&self, kernel: &Kernel) -> bool {
        let is_other = self.0.program.replace(kernel.number()) != kernel.number();
        if is_other {
            if let Code::Driver(program) = &kernel.code {
                program.bind();
            }
            self.ledger_mut().program_switches += 1;
        }
        is_other
    }

    /// Forgets what was bound, because a picture was drawn by other means.
    pub(super) fn drawn_outside(&self) {
        self.ledger_mut().drawn_outside += 1;
        self.forget_target();
        self.0.program.set(0);
    }
}

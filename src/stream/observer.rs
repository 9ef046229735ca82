//! Observers of a machine's work.
//!
//! An observer sees every access to graphics memory. It reads streams without the ledger
//! ([`Stream::read_back`]), so the ledger and the results do not depend on observers.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use crate::program::interpret::{Arithmetic, InterpretError, Program, Run, Texture};

use super::extent::{Extent, Rect};
use super::ledger::PassCounts;
use super::memory::Stream;
use super::pass::Constant;
use super::program::Kernel;

/// A pass as an observer sees it.
#[derive(Clone, Copy)]
pub struct Drawing<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The streams, by name of the input.
    pub streams: &'a [(&'a str, &'a Stream)],
    /// The constants, by name.
    pub constants: &'a [(&'a str, Constant)],
    /// The target.
    pub target: &'a Stream,
    /// The geometry that is rasterised.
    pub extent: &'a Extent,
    /// Its entry in the ledger.
    pub run: &'a PassCounts,
}

impl<'a> Drawing<'a> {
    /// The run of a fragment and a vertex program in the interpreter, with the inputs of the pass that they declare.
    /// `textures` are the contents of the streams, by name.
    pub(crate) fn bound<T: Arithmetic>(
        self,
        [fragment, vertex]: &'a [Program; 2],
        textures: &'a [(&'a str, impl Deref<Target = Texture<T::Stored>>)],
    ) -> Run<'a, T> {
        let is_declared = |name: &str| fragment.declares(name) || vertex.declares(name);
        let mut run = Run::new(fragment).vertices(vertex);
        for (name, texture) in textures.iter().filter(|(name, _)| is_declared(name)) {
            run = run.read(name, texture);
        }
        for (name, value) in self.constants.iter().filter(|(name, _)| is_declared(name)) {
            run = run.set(name, value.numbers().iter().map(|&value| value.into()));
        }
        run
    }

    /// Draws the pass in the interpreter. Returns the number of fragments that were not discarded.
    pub fn interpret<T: Arithmetic>(
        self,
        programs: &'a [Program; 2],
        textures: &'a [(&'a str, impl Deref<Target = Texture<T::Stored>>)],
        target: &mut Texture<T::Stored>,
    ) -> Result<u64, InterpretError> {
        let run = self.bound::<T>(programs, textures);
        match self.extent {
            Extent::Rects(rects) => run.draw(target, rects.list()),
            Extent::Points(points) => run.draw_points(target, points.list(), points.moved()),
        }
    }
}

/// Switches of state before a pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Switches {
    /// The surface that is rendered to.
    pub target: bool,
    /// The buffer of the surface.
    pub buffer: bool,
    /// The context.
    pub context: bool,
    /// The program.
    pub program: bool,
}

/// Observer of a machine. All methods are optional.
pub trait Observer {
    /// Tests whether it must see every stream from its creation, and so cannot be added late.
    fn needs_full_history(&self) -> bool {
        false
    }

    /// This stream has been created; it contains zeros.
    fn made(&self, _stream: &Stream) {}

    /// This stream is about to be freed.
    fn freed(&self, _stream: &Stream) {}

    /// These records have been uploaded into this part of the stream.
    fn written(&self, _stream: &Stream, _part: Rect, _data: &[f32]) {}

    /// All records of the stream have been set to this value.
    fn filled(&self, _stream: &Stream, _value: [f32; 4]) {}

    /// This part of the stream has been read back, possibly after a switch of the context.
    fn read(&self, _stream: &Stream, _part: Rect, _switches_context: bool) {}

    /// Corners of rectangles, or points, with this number of bytes have been uploaded.
    fn placed(&self, _bytes: u64) {}

    /// This pass is about to be drawn.
    fn before(&self, _pass: Drawing<'_>) {}

    /// This pass has been drawn.
    fn after(&self, _pass: Drawing<'_>, _switches: Switches) {}

    /// This number of fragments of the pass that was drawn last were not discarded.
    fn counted(&self, _survivors: u32) {}

    /// The machine has waited until all its work was done.
    fn finished(&self) {}

    /// A picture has been drawn into the stream by other means than passes.
    fn drawn_outside(&self, _stream: &Stream) {}

    /// A new scene begins ([`super::Machine::scene`]).
    fn scene(&self, _title: &str) {}
}

/// All observers of a machine.
#[derive(Default)]
pub(super) struct Observers {
    list: RefCell<Vec<(u64, Rc<dyn Observer>)>>,
    next: Cell<u64>,
}

/// Keeps an observer on a machine until it is dropped ([`super::Machine::observe`]).
#[must_use = "the observer is removed once this is dropped"]
pub struct Observation {
    observers: Rc<Observers>,
    number: u64,
}

impl Observers {
    pub fn add(self: &Rc<Self>, observer: Rc<dyn Observer>) -> Observation {
        let number = self.next.replace(self.next.get() + 1);
        self.list.borrow_mut().push((number, observer));
        Observation { observers: Rc::clone(self), number }
    }

    pub fn notify(&self, what: impl Fn(&dyn Observer)) {
        // An observer may release another one while all are notified.
        let nth = |at: usize| Some(Rc::clone(&self.list.borrow().get(at)?.1));
        (0..).map_while(nth).for_each(|observer: Rc<dyn Observer>| what(&*observer));
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        let mut list = self.observers.list.borrow_mut();
        list.retain(|(number, _)| *number != self.number);
    }
}

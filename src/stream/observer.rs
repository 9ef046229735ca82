//! Observers of a machine's work.
//!
//! An observer sees every access to graphics memory. It reads streams without the ledger
//! ([`Surface::read_back`]), so the ledger and the results do not depend on observers.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::gl::{Format, GlError, Size};

use super::extent::{Extent, Rect};
use super::ledger::PassCounts;
use super::program::Kernel;

/// A stream as an observer sees it.
pub trait Surface {
    /// Number of the stream, never reused on its machine.
    fn number(&self) -> u64;

    /// Name in messages.
    fn label(&self) -> &str;

    /// Columns and rows.
    fn size(&self) -> Size;

    /// Format of a record.
    fn format(&self) -> Format;

    /// Number of its buffer, and of the surface in it.
    fn place(&self) -> (u64, usize);

    /// The records of a part, padding included. The ledger does not count this.
    ///
    /// # Errors
    /// A failure of the driver.
    fn read_back_part(&self, part: Rect) -> Result<Vec<f32>, GlError>;

    /// All records, padding included. The ledger does not count this.
    ///
    /// # Errors
    /// A failure of the driver.
    fn read_back(&self) -> Result<Vec<f32>, GlError> {
        let (width, height) = self.size();
        self.read_back_part(Rect::of_size(width, height))
    }
}

/// A pass as an observer sees it.
#[derive(Clone, Copy)]
pub struct Drawing<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The streams, by name of the input.
    pub streams: &'a [(&'a str, &'a dyn Surface)],
    /// The constants, by name.
    pub constants: &'a [(&'a str, &'a [f32])],
    /// The target.
    pub target: &'a dyn Surface,
    /// The geometry that is rasterised.
    pub extent: &'a Extent,
    /// Its entry in the ledger.
    pub run: &'a PassCounts,
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
    fn made(&self, _stream: &dyn Surface) {}

    /// This stream is about to be freed.
    fn freed(&self, _stream: &dyn Surface) {}

    /// These records have been uploaded into this part of the stream.
    fn written(&self, _stream: &dyn Surface, _part: Rect, _data: &[f32]) {}

    /// All records of the stream have been set to this value.
    fn filled(&self, _stream: &dyn Surface, _value: [f32; 4]) {}

    /// This part of the stream has been read back, possibly after a switch of the context.
    fn read(&self, _stream: &dyn Surface, _part: Rect, _switches_context: bool) {}

    /// Corners of rectangles, or points, with this number of bytes have been uploaded.
    fn placed(&self, _bytes: u64) {}

    /// This pass is about to be drawn.
    fn before(&self, _pass: Drawing<'_>) {}

    /// This pass has been drawn.
    fn after(&self, _pass: Drawing<'_>, _switches: Switches) {}

    /// This number of fragments of the pass that was drawn last were not discarded.
    fn counted(&self, _survivors: u32) {}

    /// A picture has been drawn into the stream by other means than passes.
    fn drawn_outside(&self, _stream: &dyn Surface) {}

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

    pub fn is_empty(&self) -> bool {
        self.list.borrow().is_empty()
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

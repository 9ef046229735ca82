//! Observers: what watches a machine work.
//!
//! An observer sees all that touches graphics memory. It reads streams without the ledger
//! ([`Surface::read_back`]), so that the ledger and the results are the same with it and without.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::gl::{Format, GlError, Size};

use super::extent::{Extent, Rect};
use super::ledger::Run;
use super::program::Kernel;

/// A stream as an observer sees it.
pub trait Surface {
    /// Number of the stream, unique on its machine for ever.
    fn number(&self) -> u64;

    /// The name in messages.
    fn label(&self) -> &str;

    /// Columns and rows.
    fn size(&self) -> Size;

    /// Format of a record.
    fn format(&self) -> Format;

    /// The number of its buffer, and of the surface within it.
    fn place(&self) -> (u64, usize);

    /// The records of a part, padding included. The ledger does not count this.
    fn read_back_part(&self, part: Rect) -> Result<Vec<f32>, GlError>;

    /// All records, in the same way.
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
    /// The streams, by the names of their inputs.
    pub streams: &'a [(&'a str, &'a dyn Surface)],
    /// The constants, by their names.
    pub constants: &'a [(&'a str, &'a [f32])],
    /// The target.
    pub target: &'a dyn Surface,
    /// What is rasterised.
    pub extent: &'a Extent,
    /// Its entry in the ledger.
    pub run: &'a Run,
}

/// What had to be changed for a pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Switches {
    /// The surface that is rendered into.
    pub target: bool,
    /// The buffer that it belongs to.
    pub buffer: bool,
    /// The context.
    pub context: bool,
    /// The program.
    pub program: bool,
}

/// Is told what a machine does. All methods are optional.
pub trait Observer {
    /// Tests whether it has to see every stream from its beginning, and so cannot be added late.
    fn needs_full_history(&self) -> bool {
        false
    }

    /// This stream has been made; it holds zeros.
    fn made(&self, _stream: &dyn Surface) {}

    /// This stream is about to be freed.
    fn freed(&self, _stream: &dyn Surface) {}

    /// These records have been uploaded into this part of the stream.
    fn written(&self, _stream: &dyn Surface, _part: Rect, _data: &[f32]) {}

    /// All records of the stream have been set to this value.
    fn filled(&self, _stream: &dyn Surface, _value: [f32; 4]) {}

    /// This part of the stream has been read back; another context may have had to be made current.
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
        Observation {
            observers: Rc::clone(self),
            number,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.borrow().is_empty()
    }

    pub fn notify(&self, what: impl Fn(&dyn Observer)) {
        // An observer may free what it held, of which all are notified.
        let nth = |at: usize| Some(Rc::clone(&self.list.borrow().get(at)?.1));
        (0..)
            .map_while(nth)
            .for_each(|observer: Rc<dyn Observer>| what(&*observer));
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        let mut list = self.observers.list.borrow_mut();
        list.retain(|(number, _)| *number != self.number);
    }
}

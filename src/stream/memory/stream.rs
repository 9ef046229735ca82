//! Streams: the data.

use std::rc::Rc;

use crate::base::memory::check;
use crate::gl::{Context, Format, Framebuffer, GlError, RectangleTexture};
use crate::stream::device::Place;
use crate::stream::{Layout, Machine, Rect, Size, StreamError};

use super::buffer::{Allocation, Buffer, Memory};

/// Bytes of a texture above which free memory is checked before it is allocated.
const LARGE: u64 = 1 << 24;

/// A rectangle of records in graphics memory with one to four floats each. Kernels can fetch any record; only
/// passes write records.
pub struct Stream {
    machine: Machine,
    pub(in crate::stream) allocation: Allocation,
    layout: Layout,
    number: u64,
    label: String,
}

impl Stream {
    /// A stream of zeros. `label` names it in messages and films.
    pub fn zeros(
        machine: &Machine,
        label: &str,
        size: Size,
        format: Format,
    ) -> Result<Self, StreamError> {
        let [stream] = Self::surfaces(machine, Buffer::Framebuffer, [label], size, format)?;
        Ok(stream)
    }

    /// A vector of zeros with this layout.
    pub fn vector(machine: &Machine, label: &str, layout: Layout) -> Result<Self, StreamError> {
        layout.check(machine)?;
        let mut stream = Self::zeros(machine, label, layout.size(), layout.format())?;
        stream.layout = layout;
        Ok(stream)
    }

    /// As [`Stream::vector`], with these entries.
    pub fn from_entries(
        machine: &Machine,
        label: &str,
        layout: Layout,
        entries: &[f32],
    ) -> Result<Self, StreamError> {
        let stream = Self::vector(machine, label, layout)?;
        stream.write(entries)?;
        Ok(stream)
    }

    /// The surfaces of one buffer, at most eight, as streams of zeros of one size and format: for example the
    /// front and the back of a pbuffer (Goodnight et al. 2003, section 4.1.1). From one to the other there is a
    /// target switch, but no buffer switch ([`crate::stream::Ledger::buffer_switches`]). One may be read while
    /// another is written: a texture barrier at each target switch makes that defined
    /// (`Framebuffer::of_surfaces`). On a driver without barriers each surface is a buffer of its own, as the
    /// ledger then shows.
    pub fn surfaces<const N: usize>(
        machine: &Machine,
        buffer: Buffer,
        labels: [&str; N],
        size: Size,
        format: Format,
    ) -> Result<[Self; N], StreamError> {
        const { assert!(N >= 1 && N <= 8, "a buffer has one to eight surfaces") };
        if size.0 == 0 || size.1 == 0 {
            return Err(StreamError::Empty { stream: labels[0].to_owned(), size });
        }
        let (texels, bytes) = (u64::from(size.0) * u64::from(size.1), format.bytes() as u64);
        // A software renderer's textures are in main memory. Small ones are not checked.
        if machine.description().software && texels * bytes >= LARGE {
            check(labels[0], texels, N as u64 * bytes, 2)?;
        }
        let allocations = Allocation::surfaces(machine, buffer, N, (size, format))?;
        let streams = allocations.into_iter().zip(labels).map(|(allocation, label)| {
            let stream = Self {
                number: machine.next_number(),
                machine: machine.clone(),
                allocation,
                layout: Layout::grid(size, format),
                label: label.to_owned(),
            };
            stream.clear([0.0; 4]);
            machine.ledger_mut().allocate(stream.bytes());
            machine.notify(|observer| observer.made(&stream));
            stream
        });
        let streams: Vec<Self> = streams.collect();
        match streams.try_into() {
            Ok(streams) => Ok(streams),
            Err(_) => unreachable!("a surface was made for each label"),
        }
    }

    /// A stream with these records: the channels of each, rows from the bottom up.
    pub fn from_data(
        machine: &Machine,
        label: &str,
        size: Size,
        format: Format,
        data: &[f32],
    ) -> Result<Self, StreamError> {
        let stream = Self::zeros(machine, label, size, format)?;
        stream.write(data)?;
        Ok(stream)
    }

    /// Uploads all entries, with zeros in the padding. Counted in the ledger.
    pub fn write(&self, entries: &[f32]) -> Result<(), StreamError> {
        self.check_length(self.layout.length(), entries)?;
        self.write_rect(self.full(), &self.layout.padded(entries))
    }

    /// Uploads the records of a part, its rows from the bottom up. Counted in the ledger.
    pub fn write_rect(&self, part: Rect, data: &[f32]) -> Result<(), StreamError> {
        self.check_part(part)?;
        self.check_length(part.area() as usize * self.format().channels(), data)?;
        if part.area() == 0 {
            return Ok(());
        }
        self.allocation.write(part, data)?;
        let bytes = part.area() * self.format().bytes() as u64;
        self.machine.ledger_mut().upload(bytes);
        self.machine.notify(|observer| observer.written(self, part, data));
        Ok(())
    }

    /// Reads all entries back. Counted in the ledger; waits for the machine.
    pub fn read(&self) -> Result<Vec<f32>, StreamError> {
        let mut entries = self.read_rect(self.full())?;
        entries.truncate(self.layout.length());
        Ok(entries)
    }

    /// Reads one record back, unused channels zero. Counted in the ledger; waits for the machine.
    pub fn read_record(&self, x: u32, y: u32) -> Result<[f32; 4], StreamError> {
        let mut record = [0.0; 4];
        let part = Rect::at([x, y], (1, 1));
        for (channel, value) in record.iter_mut().zip(self.read_rect(part)?) {
            *channel = value;
        }
        Ok(record)
    }

    /// Reads the records of a part back, its rows from the bottom up. Counted in the ledger; waits
    /// for the machine.
    pub fn read_rect(&self, part: Rect) -> Result<Vec<f32>, StreamError> {
        self.check_part(part)?;
        let is_switched = self.machine.enter(&self.allocation.context());
        let mut data = vec![0.0; part.area() as usize * self.format().channels()];
        self.allocation.read(part, &mut data)?;
        let bytes = part.area() * self.format().bytes() as u64;
        self.machine.ledger_mut().read_back(part.area(), bytes);
        self.machine.notify(|observer| observer.read(self, part, is_switched));
        Ok(data)
    }

    fn check_length(&self, expected: usize, data: &[f32]) -> Result<(), StreamError> {
        if data.len() == expected {
            return Ok(());
        }
        Err(StreamError::Size {
            what: format!("the data for {}", self.label),
            got: format!("{} floats", data.len()),
            expected: expected.to_string(),
        })
    }

    fn check_part(&self, part: Rect) -> Result<(), StreamError> {
        if part.within(self.size()) {
            return Ok(());
        }
        Err(StreamError::Part { part, stream: self.label.clone(), size: self.size() })
    }

    /// Sets all records to one value (a clear of the framebuffer, not a pass).
    pub fn fill(&self, value: [f32; 4]) {
        self.clear(value);
        self.machine.notify(|observer| observer.filled(self, value));
    }

    fn clear(&self, value: [f32; 4]) {
        self.machine.enter(&self.allocation.context());
        self.allocation.clear(value);
        self.machine.forget_target();
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.size().0
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.size().1
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.allocation.size
    }

    /// The rectangle of all records.
    pub fn full(&self) -> Rect {
        Rect::at([0, 0], self.size())
    }

    /// Layout of its entries.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Checks that it has this layout.
    pub(crate) fn expect(&self, what: &str, layout: Layout) -> Result<(), StreamError> {
        layout.expect(what, self.layout)
    }

    /// Format of a record.
    pub fn format(&self) -> Format {
        self.allocation.format
    }

    /// Size in graphics memory, in bytes.
    pub fn bytes(&self) -> u64 {
        self.full().area() * self.format().bytes() as u64
    }

    /// Name in messages.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The machine that holds it.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Shows the stream as a picture in the window of the machine's context ([`crate::gl::Context::show`]).
    pub fn show(&self) -> Result<(), StreamError> {
        self.in_main_context("draw in a window", Framebuffer::new, |context, framebuffer| {
            context.show(framebuffer)
        })
    }

    /// Draws a picture into the stream by other means than passes, with a depth buffer.
    pub fn draw_outside(
        &self,
        draw: impl FnOnce(&Rc<Context>, &Framebuffer) -> Result<(), GlError>,
    ) -> Result<(), StreamError> {
        let doing = "hide surfaces by their depth, or add fragments";
        let drawn = self.in_main_context(doing, Framebuffer::with_depth, draw);
        self.machine.drawn_outside();
        self.machine.notify(|observer| observer.drawn_outside(self));
        drawn
    }

    /// Makes a framebuffer of the texture in the machine's context, and uses it.
    fn in_main_context(
        &self,
        doing: &'static str,
        framebuffer: impl Fn(&RectangleTexture) -> Result<Framebuffer, GlError>,
        draw: impl FnOnce(&Rc<Context>, &Framebuffer) -> Result<(), GlError>,
    ) -> Result<(), StreamError> {
        let context = self.machine.context(doing)?;
        self.machine.enter(&Place::Driver(Rc::clone(context)));
        let drawn = match &self.allocation.memory {
            Memory::Driver(texture, _) => {
                framebuffer(texture).and_then(|framebuffer| draw(context, &framebuffer))
            }
            Memory::Interpreter(..) => Ok(()),
        };
        self.machine.forget_target();
        Ok(drawn?)
    }

    /// Number of the stream, never reused on its machine.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Number of its buffer, and of the surface in it.
    pub(crate) fn place(&self) -> (u64, usize) {
        (self.allocation.buffer, self.allocation.surface)
    }

    /// All records, padding included. The ledger does not count this.
    pub fn read_back(&self) -> Result<Vec<f32>, GlError> {
        self.read_back_part(self.full())
    }

    /// The records of a part, padding included. The ledger does not count this.
    pub(crate) fn read_back_part(&self, part: Rect) -> Result<Vec<f32>, GlError> {
        let mut data = vec![0.0; part.area() as usize * self.format().channels()];
        self.machine
            .with_context(&self.allocation.context(), || self.allocation.read(part, &mut data))?;
        Ok(data)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.machine.notify(|observer| observer.freed(self));
        let bytes = self.bytes();
        self.machine.ledger_mut().free(bytes);
    }
}

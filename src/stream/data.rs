//! Streams: the data.

use crate::gl::{Format, Framebuffer, RectangleTexture};

use super::{Machine, Rect, StreamError};

/// A rectangle of records in graphics memory: one to four floats each, fetched from anywhere by
/// kernels, written only by passes.
pub struct Stream {
    machine: Machine,
    texture: RectangleTexture,
    framebuffer: Framebuffer,
    number: u64,
    label: String,
}

impl Stream {
    /// A stream of zeros. `label` stands in messages and in the ledger.
    ///
    /// # Errors
    /// [`StreamError::Gl`] when it is too large or memory is short.
    pub fn zeros(
        machine: &Machine,
        label: &str,
        (width, height): (u32, u32),
        format: Format,
    ) -> Result<Self, StreamError> {
        let texture = RectangleTexture::new(machine.context(), width, height, format)?;
        let framebuffer = Framebuffer::new(&texture)?;
        framebuffer.clear([0.0; 4]);
        machine.forget_target();
        machine
            .ledger_mut()
            .allocate(Rect::of_size(width, height).area() * format.bytes() as u64);
        Ok(Self {
            number: machine.next_number(),
            machine: machine.clone(),
            texture,
            framebuffer,
            label: label.to_owned(),
        })
    }

    /// A stream with these records: the channels of each, rows from the bottom up.
    ///
    /// # Errors
    /// As [`Stream::zeros`] and [`Stream::write`].
    pub fn from_data(
        machine: &Machine,
        label: &str,
        size: (u32, u32),
        format: Format,
        data: &[f32],
    ) -> Result<Self, StreamError> {
        let stream = Self::zeros(machine, label, size, format)?;
        stream.write(data)?;
        Ok(stream)
    }

    /// Uploads all records. Counted in the ledger.
    ///
    /// # Errors
    /// [`StreamError::Size`] when `data` is not as long as the stream.
    pub fn write(&self, data: &[f32]) -> Result<(), StreamError> {
        let expected = self.full().area() as usize * self.format().channels();
        if data.len() != expected {
            return Err(StreamError::Size {
                what: format!("the data for {}", self.label),
                got: format!("{} floats", data.len()),
                expected: expected.to_string(),
            });
        }
        self.texture.write(data)?;
        self.machine.ledger_mut().upload(self.bytes());
        Ok(())
    }

    /// Reads all records back. Counted in the ledger; waits for the machine.
    ///
    /// # Errors
    /// Those of the OpenGL layer.
    pub fn read(&self) -> Result<Vec<f32>, StreamError> {
        self.read_part(self.full())
    }

    /// Reads one record back, unused channels zero. Counted in the ledger; waits for the machine.
    ///
    /// # Errors
    /// Those of the OpenGL layer.
    pub fn read_record(&self, x: u32, y: u32) -> Result<[f32; 4], StreamError> {
        let mut record = [0.0; 4];
        let part = Rect {
            x,
            y,
            width: 1,
            height: 1,
        };
        for (channel, value) in record.iter_mut().zip(self.read_part(part)?) {
            *channel = value;
        }
        Ok(record)
    }

    fn read_part(&self, part: Rect) -> Result<Vec<f32>, StreamError> {
        let data = self
            .framebuffer
            .read(part.x, part.y, part.width, part.height)?;
        let bytes = part.area() * self.format().bytes() as u64;
        self.machine.ledger_mut().read_back(part.area(), bytes);
        Ok(data)
    }

    /// Sets all records to one value (a clear of the framebuffer, not a pass).
    pub fn fill(&self, value: [f32; 4]) {
        self.framebuffer.clear(value);
        self.machine.forget_target();
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.texture.width()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.texture.height()
    }

    /// Columns and rows.
    pub fn size(&self) -> (u32, u32) {
        (self.width(), self.height())
    }

    /// All of it.
    pub fn full(&self) -> Rect {
        Rect::of_size(self.width(), self.height())
    }

    /// What a record holds.
    pub fn format(&self) -> Format {
        self.texture.format()
    }

    /// Bytes of graphics memory.
    pub fn bytes(&self) -> u64 {
        self.full().area() * self.format().bytes() as u64
    }

    /// The name in messages.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The machine that holds it.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Tells streams apart.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn texture(&self) -> &RectangleTexture {
        &self.texture
    }

    pub(super) fn framebuffer(&self) -> &Framebuffer {
        &self.framebuffer
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let bytes = self.bytes();
        self.machine.ledger_mut().free(bytes);
    }
}

//! Vectors in textures: the paper's `clVec` (Krüger and Westermann 2003, sections 2 and 3).

use crate::stream::{Machine, Stream};

use crate::kruger2003::{AlgebraError, Layout};

/// A vector in a texture. The texels behind its last entry are zero.
pub struct Vector {
    layout: Layout,
    stream: Stream,
}

impl Vector {
    /// A vector of zeros.
    ///
    /// # Errors
    /// [`AlgebraError::TooLarge`] over the driver's limit, [`AlgebraError::Stream`] when memory is
    /// short.
    pub fn zeros(machine: &Machine, layout: Layout) -> Result<Self, AlgebraError> {
        layout.check(machine)?;
        let format = layout.packing().format();
        Ok(Self {
            layout,
            stream: Stream::zeros(machine, "vector", layout.size(), format)?,
        })
    }

    /// A vector with these entries.
    pub fn new(machine: &Machine, layout: Layout, entries: &[f32]) -> Result<Self, AlgebraError> {
        let vector = Self::zeros(machine, layout)?;
        vector.write(entries)?;
        Ok(vector)
    }

    /// Uploads all entries.
    ///
    /// # Errors
    /// [`AlgebraError::Length`].
    pub fn write(&self, entries: &[f32]) -> Result<(), AlgebraError> {
        Ok(self.stream.write(&self.layout.padded(entries)?)?)
    }

    /// Reads all entries back.
    pub fn read(&self) -> Result<Vec<f32>, AlgebraError> {
        let mut entries = self.stream.read()?;
        entries.truncate(self.layout.length());
        Ok(entries)
    }

    /// How it lies in its texture.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The texture: to be rendered as a picture, or read by a program of the application.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }
}

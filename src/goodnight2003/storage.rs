//! Where the grids lie, and the state machine that tracks it (goodnight2003 §4.1.1, §6).
//!
//! Every level has two places, each a rectangle of a surface. A kernel reads one, writes the other,
//! and then they change their roles.

use std::cell::Cell;

use crate::stream::{Buffer, Format, Machine, Pass, Rect, Rects, Stream, StreamError};

use super::atlas::Atlas;

/// A rectangle of a surface that holds a level.
pub struct Place {
    /// The number of the surface.
    surface: usize,
    /// Where in it.
    pub rect: Rect,
    /// The same, ready to be drawn.
    pub rects: Rects,
}

impl Place {
    /// The corner, as kernels take it.
    pub fn corner(&self) -> [f32; 2] {
        [self.rect.x as f32, self.rect.y as f32]
    }
}

/// The two places of a level.
struct Level {
    places: [Place; 2],
    /// Which of them holds the level now.
    current: Cell<usize>,
}

/// The solution buffer: solution, residual, source and nothing in each texel, for every level.
pub struct Storage {
    surfaces: Vec<Stream>,
    levels: Vec<Level>,
}

impl Storage {
    /// One buffer with two surfaces, on each of which all levels lie.
    ///
    /// # Errors
    /// Those of the OpenGL layer.
    pub fn one(machine: &Machine, atlas: &Atlas) -> Result<Self, StreamError> {
        let labels = ["front", "back"];
        let surfaces =
            Stream::surfaces(machine, Buffer::Framebuffer, labels, atlas.size, Format::Rgba32F)?;
        let place = |surface, rect| -> Result<Place, StreamError> {
            Ok(Place {
                surface,
                rect,
                rects: machine.rect(rect)?,
            })
        };
        let level = |rect: &Rect| {
            Ok(Level {
                places: [place(0, *rect)?, place(1, *rect)?],
                current: Cell::new(0),
            })
        };
        Ok(Self {
            surfaces: surfaces.into(),
            levels: atlas
                .places
                .iter()
                .map(level)
                .collect::<Result<_, StreamError>>()?,
        })
    }

    /// Where a level lies now: what kernels read.
    pub fn source(&self, level: usize) -> &Place {
        let level = &self.levels[level];
        &level.places[level.current.get()]
    }

    /// Where the next state of a level goes.
    pub fn target(&self, level: usize) -> &Place {
        let level = &self.levels[level];
        &level.places[1 - level.current.get()]
    }

    /// What was the target is the source from now on.
    pub fn toggle(&self, level: usize) {
        let current = &self.levels[level].current;
        current.set(1 - current.get());
    }

    /// The surface of a place.
    pub fn surface(&self, place: &Place) -> &Stream {
        &self.surfaces[place.surface]
    }

    /// Runs a pass that reads the given places into the other place of a level, and toggles. Where
    /// it reads the surface that it writes, it never reads a texel that it writes.
    ///
    /// # Errors
    /// Those of [`Pass::draw`].
    pub fn step(&self, level: usize, pass: Pass<'_>, reads: &[&Place]) -> Result<(), StreamError> {
        let target = self.target(level);
        let is_read = reads.iter().any(|place| place.surface == target.surface);
        let pass = if is_read { pass.feedback() } else { pass };
        pass.draw(self.surface(target), &target.rects)?;
        self.toggle(level);
        Ok(())
    }
}

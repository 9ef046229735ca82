//! The positions of the grids, and the state machine that tracks them (goodnight2003 §4.1.1, §6, Figure 5).
//!
//! Every level has two places, each a rectangle of a surface. A kernel reads one and writes the other,
//! and then they exchange roles. Strategies differ only in the positions of the places.

use std::cell::Cell;

use crate::stream::{Machine, Rect, Size, Stream};

use super::atlas::Atlas;
use super::settings::{Settings, Strategy};
use crate::goodnight2003::Error;

/// A rectangle of a surface that holds a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The number of the surface.
    pub surface: usize,
    /// Position in it.
    pub rect: Rect,
}

impl Place {
    /// The corner, as kernels take it.
    pub fn corner(&self) -> [f32; 2] {
        [self.rect.x as f32, self.rect.y as f32]
    }

    /// The centres of the first texel and of the last, as kernels take them.
    pub fn inside(&self) -> [f32; 4] {
        let Rect { width, height, .. } = self.rect;
        let [x, y] = self.corner().map(|corner| corner + 0.5);
        [x, y, x + width as f32 - 1.0, y + height as f32 - 1.0]
    }
}

/// The two places of a level.
struct Level {
    places: [Place; 2],
    /// Index of the one that holds the level now.
    current: Cell<usize>,
}

/// The solution buffer: solution, residual, source and zero in each texel, for every level.
pub struct Storage {
    pub surfaces: Vec<Stream>,
    levels: Vec<Level>,
}

impl Storage {
    /// Creates surfaces of zeros, within a limit of their sides, for at least one grid with these columns and rows.
    pub fn new(
        machine: &Machine,
        settings: &Settings,
        sizes: &[Size],
        limit: u32,
    ) -> Result<Self, Error> {
        if settings.storage == Strategy::Two && !settings.hazard.reads_target() {
            return Err(Error::SameSurface);
        }
        let mut build = Build { machine, settings, limit, surfaces: Vec::new() };
        let places = build.places(sizes)?;
        let level = |places| Level { places, current: Cell::new(0) };
        Ok(Self { surfaces: build.surfaces, levels: places.into_iter().map(level).collect() })
    }

    /// Both places of a level.
    pub fn places(&self, level: usize) -> &[Place; 2] {
        &self.levels[level].places
    }

    /// Current place of a level, which kernels read.
    pub fn source(&self, level: usize) -> &Place {
        let level = &self.levels[level];
        &level.places[level.current.get()]
    }

    /// Place of the next state of a level.
    pub fn target(&self, level: usize) -> &Place {
        &self.levels[level].places[self.target_number(level)]
    }

    /// Index of that place.
    pub(crate) fn target_number(&self, level: usize) -> usize {
        1 - self.levels[level].current.get()
    }

    /// Makes the target the source.
    pub fn toggle(&self, level: usize) {
        let current = &self.levels[level].current;
        // §4.1.1: source and target surface exchange roles
        current.set(1 - current.get());
    }

    pub fn surface(&self, place: &Place) -> &Stream {
        &self.surfaces[place.surface]
    }
}

/// Surfaces under construction.
struct Build<'a> {
    machine: &'a Machine,
    settings: &'a Settings,
    limit: u32,
    surfaces: Vec<Stream>,
}

impl Build<'_> {
    /// Adds a buffer with these surfaces, each of which holds these grids: returns the number of the first, and
    /// the grids' rectangles.
    fn add<const N: usize>(
        &mut self,
        labels: [&str; N],
        grids: &[Size],
    ) -> Result<(usize, Vec<Rect>), Error> {
        let Atlas { size, places } = Atlas::pack(grids, self.limit)?;
        let first = self.surfaces.len();
        let Settings { buffer, precision, .. } = *self.settings;
        let surfaces = Stream::surfaces(self.machine, buffer, labels, size, precision)?;
        self.surfaces.extend(surfaces);
        Ok((first, places))
    }

    /// The places of all levels.
    fn places(&mut self, sizes: &[Size]) -> Result<Vec<[Place; 2]>, Error> {
        let on = |surfaces: [usize; 2]| {
            move |rect: Rect| surfaces.map(|surface| Place { surface, rect })
        };
        let mut places = Vec::new();
        match self.settings.storage {
            Strategy::Separate => {
                for (level, size) in sizes.iter().enumerate() {
                    let mut add = |side| self.add([&format!("{side} of level {level}")], &[*size]);
                    let ((front, rects), (back, _)) = (add("front")?, add("back")?);
                    places.extend(rects.into_iter().map(on([front, back])));
                }
            }
            // §6, Fig. 5, “Two buffers”: level 0 on two surfaces, the others twice on a third
            Strategy::Two => {
                let (finest, coarser) = sizes.split_at(1);
                let (front, rects) = self.add(["front", "back"], finest)?;
                places.extend(rects.into_iter().map(on([front, front + 1])));
                if !coarser.is_empty() {
                    let twice: Vec<_> = coarser.iter().flat_map(|size| [*size; 2]).collect();
                    let (surface, rects) = self.add(["coarser levels"], &twice)?;
                    let place = |rect| Place { surface, rect };
                    let pairs = rects.chunks_exact(2);
                    places.extend(pairs.map(|pair| [place(pair[0]), place(pair[1])]));
                }
            }
            // §6, Fig. 5, “One buffer”: every grid on the front and on the back surface
            Strategy::One => {
                let (front, rects) = self.add(["front", "back"], sizes)?;
                places.extend(rects.into_iter().map(on([front, front + 1])));
            }
        }
        Ok(places)
    }
}

//! The kernels of one level: the program of each node (goodnight2003 §4.2).
//!
//! With the fastpath, a kernel is two programs. One without boundary conditions and periods runs
//! on a rectangle of inner nodes, the general one on thin rectangles along the sides.

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Rect, Rects, StreamError};

use super::programs::{COPY, Library};
use super::settings::{Programs, Settings};
use super::storage::{Place, Storage};
use crate::goodnight2003::Grid;

/// A program and its nodes.
pub struct Part {
    /// The program.
    pub kernel: Rc<Kernel>,
    /// Texels of the target.
    pub rects: Rects,
}

/// A kernel on one level: its programs, for each of the level's two places as target.
pub type Split = [Vec<Part>; 2];

/// The kernels that write one level.
pub struct LevelKernels {
    /// New values.
    pub smooth: Split,
    /// The residual.
    pub residual: Split,
    /// The finer level's residual as source. None on the finest level.
    pub restrict: Option<Split>,
    /// The coarser level's correction, added. None on the coarsest level.
    pub interpolate: Option<Split>,
    /// A copy of the level.
    pub copy: Split,
}

/// Widths of the sides in nodes, before and after the inside.
#[derive(Debug, Clone, Copy)]
struct Margins {
    before: u32,
    behind: [u32; 2],
}

/// Builds the kernels of levels.
pub struct Builder<'a> {
    /// The machine that runs them.
    pub machine: &'a Machine,
    /// The programs.
    pub library: Library<'a>,
    /// The settings.
    pub settings: &'a Settings,
    /// The grids.
    pub grid: &'a Grid,
    /// The positions of the grids.
    pub storage: &'a Storage,
    /// Number of levels.
    pub levels: usize,
}

impl Builder<'_> {
    /// The kernels that write a level.
    pub fn level(&self, level: usize) -> Result<LevelKernels, StreamError> {
        let library = &self.library;
        let all_sides = Margins {
            before: 1,
            behind: [1, 1],
        };
        let restrict_from = |fine: usize| {
            let (is_even, behind) = self.behind(fine, 2);
            let margins = Margins { before: 1, behind };
            self.split(level, margins, is_even, |version| {
                library.restrict(version, is_even)
            })
        };
        let interpolate = || {
            let (is_even, behind) = self.behind(level, 3);
            let margins = Margins { before: 0, behind };
            self.split(level, margins, is_even, |version| {
                library.interpolate(version, is_even)
            })
        };
        Ok(LevelKernels {
            smooth: self.split(level, all_sides, true, |version| library.smooth(version))?,
            residual: self.split(level, all_sides, true, |version| library.residual(version))?,
            restrict: level.checked_sub(1).map(restrict_from).transpose()?,
            interpolate: (level + 1 < self.levels).then(interpolate).transpose()?,
            copy: self.whole(level, self.machine.kernel(&COPY, &[])?)?,
        })
    }

    /// Tests whether a level and the next coarser one have only even intervals. Also returns, for both axes, how
    /// many nodes at the end have other weights than those inside: `uneven` for uneven intervals.
    fn behind(&self, level: usize, uneven: u32) -> (bool, [u32; 2]) {
        let even = [&self.grid.x, &self.grid.y].map(|axis| axis.halves_evenly(level as u32));
        let behind = even.map(|even| if even { 1 } else { uneven });
        (even == [true; 2], behind)
    }

    /// The chosen programs. `fast_does` is true if the fast program suffices.
    fn split(
        &self,
        level: usize,
        margins: Margins,
        fast_does: bool,
        program: impl Fn(Programs) -> Result<Rc<Kernel>, StreamError>,
    ) -> Result<Split, StreamError> {
        let area = inside(self.storage.places(level)[0].rect, margins).area();
        match self.settings.programs {
            Programs::Fast if fast_does => self.whole(level, program(Programs::Fast)?),
            Programs::Fastpath if area > 0 => {
                let (inner, general) = (program(Programs::Fastpath)?, program(Programs::Original)?);
                self.parts(level, |rect| {
                    let inside = inside(rect, margins);
                    let along_sides = (Rc::clone(&general), sides(rect, inside));
                    vec![(Rc::clone(&inner), vec![inside]), along_sides]
                })
            }
            _ => self.whole(level, program(Programs::Original)?),
        }
    }

    /// One program for all nodes.
    fn whole(&self, level: usize, kernel: Rc<Kernel>) -> Result<Split, StreamError> {
        self.parts(level, |rect| vec![(Rc::clone(&kernel), vec![rect])])
    }

    /// The parts of each of a level's places.
    fn parts(
        &self,
        level: usize,
        divide: impl Fn(Rect) -> Vec<(Rc<Kernel>, Vec<Rect>)>,
    ) -> Result<Split, StreamError> {
        let parts = |place: &Place| -> Result<Vec<Part>, StreamError> {
            let parts = divide(place.rect).into_iter().map(|(kernel, rects)| {
                let rects = match rects[..] {
                    [one] => self.machine.rect(one)?,
                    _ => self.machine.rects(&rects)?,
                };
                Ok(Part { kernel, rects })
            });
            parts.collect()
        };
        let [first, second] = self.storage.places(level);
        Ok([parts(first)?, parts(second)?])
    }
}

/// The rectangle within the margins; empty if there is none.
fn inside(level: Rect, margins: Margins) -> Rect {
    let length = |nodes: u32, behind| nodes.saturating_sub(margins.before + behind);
    Rect {
        x: level.x + margins.before,
        y: level.y + margins.before,
        width: length(level.width, margins.behind[0]),
        height: length(level.height, margins.behind[1]),
    }
}

/// The area around the inside: whole rows below and above, columns between them.
fn sides(level: Rect, inside: Rect) -> Vec<Rect> {
    let (right, top) = (level.x + level.width, level.y + level.height);
    let (inner_right, inner_top) = (inside.x + inside.width, inside.y + inside.height);
    let rows = |y: u32, end: u32| Rect {
        y,
        height: end - y,
        ..level
    };
    let columns = |x: u32, end: u32| Rect {
        x,
        width: end - x,
        ..inside
    };
    let all = [
        rows(level.y, inside.y),
        rows(inner_top, top),
        columns(level.x, inside.x),
        columns(inner_right, right),
    ];
    all.into_iter().filter(|rect| rect.area() > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_and_sides_are_the_level_and_nothing_twice() {
        let level = Rect::at([10, 20], (7, 5));
        for before in [0, 1] {
            for behind in [[1, 1], [1, 2], [2, 2]] {
                let inside = inside(level, Margins { before, behind });
                let mut all = sides(level, inside);
                all.push(inside);
                let area: u64 = all.iter().map(|rect| rect.area()).sum();
                assert_eq!(area, level.area());
                for (number, rect) in all.iter().enumerate() {
                    assert!(!all[..number].iter().any(|other| rect.overlaps(*other)));
                }
            }
        }
        let (before, behind) = (1, [6, 1]);
        let none = inside(level, Margins { before, behind });
        assert_eq!(none.area(), 0);
    }
}

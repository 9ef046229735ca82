//! The grids of all levels with their kernels, that is, the parts of a multigrid cycle (goodnight2003
//! §4.1), and the way passes avoid reading their own targets (§6).
//!
//! With the fastpath (§4.2), a kernel is two programs. One without boundary conditions and periods runs
//! on a rectangle of inner nodes, the general one on thin rectangles along the sides.

use std::cell::RefCell;
use std::rc::Rc;

use crate::solver::{self, Start};
use crate::stream::{Kernel, Machine, Pass, Rect, Rects, StreamError};

use super::atlas::Atlas;
use super::maps::Maps;
use super::programs::{COPY, Library};
use super::settings::{Hazard, Programs, Settings, Smoother};
use super::storage::{Place, Storage};
use crate::goodnight2003::{Colour, Equations, Error, Grid};

/// A program and its texels of the target.
struct Part {
    kernel: Rc<Kernel>,
    rects: Rects,
}

/// A kernel on one level: its programs, for each of the level's two places as target.
type Split = [Vec<Part>; 2];

/// The kernels that write one level.
struct LevelKernels {
    smooth: Split,
    residual: Split,
    /// The finer level's residual as source. None on the finest level.
    restrict: Option<Split>,
    /// The coarser level's correction, added. None on the coarsest level.
    interpolate: Option<Split>,
    copy: Split,
}

/// All levels: storage, maps, kernels.
pub struct Levels {
    grid: Grid,
    /// Positions of the grids.
    pub storage: Storage,
    pub maps: Maps,
    kernels: Vec<LevelKernels>,
    smoother: Smoother,
    hazard: Hazard,
    /// Surfaces written since the last wait, with [`Hazard::Finish`].
    unfinished: RefCell<Vec<usize>>,
    coarsest_sweeps: usize,
}

impl Levels {
    /// Creates the surfaces, the maps and the kernels of all levels of some equations.
    pub fn new(
        machine: &Machine,
        equations: &Equations,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let grid = &equations.problem.grid;
        let is_periodic = grid.x.is_periodic() || grid.y.is_periodic();
        if settings.programs == Programs::Fast && is_periodic {
            return Err(Error::Periodic);
        }
        if settings.precision.channels() != 4 {
            return Err(Error::Precision(settings.precision));
        }
        let levels = settings.levels_of(&equations.problem);
        let sizes: Vec<_> = (0..levels).map(|level| grid.size(level)).collect();
        let driver = machine.description().rectangle_limit;
        let limit = settings.surface_limit.unwrap_or(u32::MAX).min(driver);
        let storage = Storage::new(machine, settings, &sizes, limit)?;
        let maps = Maps::new(machine, equations, Atlas::pack(&sizes, limit)?, settings)?;
        let levels = sizes.len();
        let builder = Builder {
            machine,
            library: Library::new(machine, settings),
            settings,
            grid,
            storage: &storage,
            levels,
        };
        Ok(Self {
            kernels: (0..levels).map(|level| builder.level(level)).collect::<Result<_, _>>()?,
            grid: *grid,
            storage,
            maps,
            smoother: settings.smoother,
            hazard: settings.hazard,
            unfinished: RefCell::default(),
            coarsest_sweeps: settings.coarsest_sweeps,
        })
    }

    /// Half a sweep: new values at the nodes of one colour.
    pub fn half_sweep(&self, level: usize, colour: Colour) -> Result<(), StreamError> {
        let (split, state) = (&self.kernels[level].smooth, self.storage.source(level));
        // §4.1.2: U ← (Σ a_k U_k − F) / Σ a_k inside, at one colour (Jacobi: all, damped)
        self.run(level, split, &[state], |pass| self.smoothing(pass, colour))
    }

    /// Runs sweeps of the smoother.
    pub fn sweep(&self, level: usize, sweeps: usize) -> Result<(), StreamError> {
        let passes: &[Colour] = match self.smoother {
            Smoother::RedBlack => &Colour::BOTH,
            Smoother::Jacobi(_) => &[Colour::Red],
        };
        let mut passes = (0..sweeps).flat_map(|_| passes);
        passes.try_for_each(|colour| self.half_sweep(level, *colour))
    }

    /// Writes the residual of each node into its texel.
    pub fn residual(&self, level: usize) -> Result<(), StreamError> {
        let (split, state) = (&self.kernels[level].residual, self.storage.source(level));
        // §4.1.3: r ← F − Σ a_k (U_k − U) inside
        self.run(level, split, &[state], |pass| pass)
    }

    /// Makes the residual of a level the source of the next coarser one, whose solution becomes zero.
    pub fn restrict(&self, level: usize) -> Result<(), StreamError> {
        let coarser = self.kernels.get(level + 1);
        let Some(split) = coarser.and_then(|kernels| kernels.restrict.as_ref()) else {
            return Ok(());
        };
        let fine = self.storage.source(level);
        // The state of the coarser level is no longer needed, so either place will do.
        let target = self.storage.target(level + 1).surface;
        if !self.hazard.reads_target() && target == fine.surface {
            self.storage.toggle(level + 1);
        }
        // §4.1.4, full weighting: F ← Σ w r with w = 1, ½, ¼ on even grids, and U ← 0
        self.run(level + 1, split, &[fine], |pass| {
            pass.read_if_declared("fine", self.storage.surface(fine))
                .set_if_declared("fine_source", fine.corner())
                .set_if_declared("fine_inside", fine.inside())
                .set_if_declared("fine_size", self.grid.size(level as u32))
                .set_if_declared("end", self.grid.end(level as u32))
        })
    }

    /// Adds the solution of the next coarser level to that of a level.
    pub fn interpolate(&self, level: usize) -> Result<(), StreamError> {
        let Some(split) = &self.kernels[level].interpolate else {
            return Ok(());
        };
        let target = self.storage.target(level).surface;
        if !self.hazard.reads_target() && self.storage.source(level + 1).surface == target {
            self.copy(level + 1)?;
        }
        let (state, coarse) = (self.storage.source(level), self.storage.source(level + 1));
        // §4.1.5: U ← U + the coarser grid's correction, interpolated bilinearly
        self.run(level, split, &[state, coarse], |pass| {
            pass.read_if_declared("coarse", self.storage.surface(coarse))
                .set_if_declared("coarse_source", coarse.corner())
                .set_if_declared("coarse_inside", coarse.inside())
                .set_if_declared("coarse_size", self.grid.size(level as u32 + 1))
                .set_if_declared("end", self.grid.end(level as u32))
        })
    }

    /// Folds the boundary conditions into the finest level's source.
    pub fn fold_source(&self) -> Result<(), StreamError> {
        let fold = self.maps.fold_source()?;
        let target = self.storage.target(0);
        self.pass(&fold, 0).draw(self.storage.surface(target), target.rect)?;
        self.storage.toggle(0);
        Ok(())
    }

    /// Copies the level from one of its places to the other.
    fn copy(&self, level: usize) -> Result<(), StreamError> {
        let state = self.storage.source(level);
        self.run(level, &self.kernels[level].copy, &[state], |pass| pass)
    }

    /// Runs a kernel that reads these places and writes a level's other place, which then holds the
    /// level. If it reads its own target, it never reads a texel that it writes. `own`
    /// adds the inputs specific to the kernel.
    fn run<'a>(
        &'a self,
        level: usize,
        split: &'a Split,
        reads: &[&Place],
        own: impl Fn(Pass<'a>) -> Pass<'a>,
    ) -> Result<(), StreamError> {
        let number = self.storage.target_number(level);
        let target = &self.storage.places(level)[number];
        let is_same = reads.iter().any(|place| place.surface == target.surface);
        let feedback = is_same && self.hazard.reads_target();
        if self.hazard == Hazard::Finish {
            let mut unfinished = self.unfinished.borrow_mut();
            if reads.iter().any(|place| unfinished.contains(&place.surface)) {
                self.storage.surface(target).machine().finish();
                unfinished.clear();
            }
            unfinished.push(target.surface);
        }
        for part in &split[number] {
            let pass = own(self.pass(&part.kernel, level));
            let pass = if feedback { pass.feedback() } else { pass };
            pass.draw(self.storage.surface(target), &part.rects)?;
        }
        self.storage.toggle(level);
        Ok(())
    }

    /// A pass with the inputs shared by programs that write a level.
    fn pass<'a>(&'a self, kernel: &'a Kernel, level: usize) -> Pass<'a> {
        let source = self.storage.source(level);
        Pass::new(kernel)
            .read_if_declared("state", self.storage.surface(source))
            .read_if_declared("operator_map", &self.maps.folded)
            .read_if_declared("boundary_map", &self.maps.boundary)
            .read_if_declared("red_black_map", &self.maps.red_black)
            .set_if_declared("target", self.storage.target(level).corner())
            .set_if_declared("source", source.corner())
            .set_if_declared("map", self.maps.corner(level))
            .set_if_declared("size", self.grid.size(level as u32))
            .set_if_declared("periodic", self.grid.periodic())
    }

    /// Adds the inputs of the smoother: the nodes to change, and the damping factor.
    fn smoothing<'a>(&self, pass: Pass<'a>, colour: Colour) -> Pass<'a> {
        match self.smoother {
            Smoother::RedBlack => pass.set_if_declared("colour", f32::from(colour == Colour::Red)),
            Smoother::Jacobi(omega) => pass.set_if_declared("omega", omega as f32),
        }
    }

    /// The texels of a level: U, residual, F, 0 of each node, rows from the south up.
    pub fn read(&self, level: usize) -> Result<Vec<f32>, StreamError> {
        let place = self.storage.source(level);
        self.storage.surface(place).read_rect(place.rect)
    }

    /// Replaces the texels of a level.
    pub fn write(&self, level: usize, texels: &[f32]) -> Result<(), StreamError> {
        let place = self.storage.source(level);
        self.storage.surface(place).write_rect(place.rect, texels)
    }
}

impl solver::Levels for Levels {
    type Error = StreamError;

    fn levels(&self) -> usize {
        self.kernels.len()
    }

    /// A start of zero is what the restriction leaves.
    fn smooth(&mut self, level: usize, sweeps: usize, _: Start) -> Result<(), StreamError> {
        self.sweep(level, sweeps)
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), StreamError> {
        self.smooth(self.levels() - 1, self.coarsest_sweeps, start)
    }

    fn descend(&mut self, level: usize) -> Result<(), StreamError> {
        self.residual(level)?;
        self.restrict(level)
    }

    fn ascend(&mut self, level: usize) -> Result<(), StreamError> {
        self.interpolate(level)
    }
}

/// Widths of the sides in nodes, before and after the inside.
#[derive(Debug, Clone, Copy)]
struct Margins {
    before: u32,
    behind: [u32; 2],
}

/// Builds the kernels of levels.
struct Builder<'a> {
    machine: &'a Machine,
    library: Library<'a>,
    settings: &'a Settings,
    grid: &'a Grid,
    storage: &'a Storage,
    levels: usize,
}

impl Builder<'_> {
    fn level(&self, level: usize) -> Result<LevelKernels, StreamError> {
        let library = &self.library;
        let all_sides = Margins { before: 1, behind: [1, 1] };
        let restrict_from = |fine: usize| {
            let (is_even, behind) = self.behind(fine, 2);
            let margins = Margins { before: 1, behind };
            self.split(level, margins, is_even, |version| library.restrict(version, is_even))
        };
        let interpolate = || {
            let (is_even, behind) = self.behind(level, 3);
            let margins = Margins { before: 0, behind };
            self.split(level, margins, is_even, |version| library.interpolate(version, is_even))
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
                    // §4.2: the fastpath inside, the general program on lines along the sides
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

/// The rectangle within the margins, which may be empty.
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
    let rows = |y: u32, end: u32| Rect { y, height: end - y, ..level };
    let columns = |x: u32, end: u32| Rect { x, width: end - x, ..inside };
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

//! The grids of all levels with their kernels: what a multigrid cycle is made of (goodnight2003
//! §4.1).

use crate::solver::{Hierarchy, Start};
use crate::stream::{Pass, StreamError};

use super::kernels::{Kernels, Transfers};
use super::maps::Maps;
use super::storage::Storage;
use super::{Colour, Grid, Smoother, SolverError};

/// A level. The state of all levels lies in the storage; this is what a cycle calls a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level(pub usize);

/// All levels: storage, maps, kernels.
pub struct Levels {
    pub(super) grid: Grid,
    pub(super) storage: Storage,
    pub(super) maps: Maps,
    pub(super) kernels: Kernels,
    pub(super) smoother: Smoother,
    pub(super) coarsest_sweeps: usize,
}

impl Levels {
    /// Half a sweep: new values at the nodes of one colour.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn half_sweep(&self, level: usize, colour: Colour) -> Result<(), StreamError> {
        let is_red = f32::from(colour == Colour::Red);
        self.relax_with(level, "colour", is_red)
    }

    /// Sweeps of the smoother.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn smooth(&self, level: usize, sweeps: usize) -> Result<(), StreamError> {
        for _ in 0..sweeps {
            match self.smoother {
                Smoother::RedBlack => {
                    for colour in Colour::BOTH {
                        self.half_sweep(level, colour)?;
                    }
                }
                Smoother::Jacobi(omega) => self.relax_with(level, "omega", omega as f32)?,
            }
        }
        Ok(())
    }

    fn relax_with(&self, level: usize, name: &str, value: f32) -> Result<(), StreamError> {
        let source = self.storage.source(level);
        let pass = Pass::new(&self.kernels.smooth)
            .read("state", self.storage.surface(source))
            .read("operator_map", &self.maps.operator)
            .read("boundary_map", &self.maps.boundary)
            .set(name, value);
        self.storage
            .step(level, self.general(pass, level), &[source])
    }

    /// The residual of each node into its texel.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn residual(&self, level: usize) -> Result<(), StreamError> {
        let source = self.storage.source(level);
        let pass = Pass::new(&self.kernels.residual)
            .read("state", self.storage.surface(source))
            .read("operator_map", &self.maps.operator)
            .read("boundary_map", &self.maps.boundary);
        self.storage
            .step(level, self.general(pass, level), &[source])
    }

    /// The residual of a level becomes the source of the next coarser one, whose solution is zero.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn restrict(&self, level: usize) -> Result<(), StreamError> {
        let fine = self.storage.source(level);
        let pass = Pass::new(&self.transfers(level).restrict)
            .read("fine", self.storage.surface(fine))
            .set("fine_source", fine.corner())
            .set("fine_size", self.size(level))
            .set("end", self.end(level));
        self.storage
            .step(level + 1, self.general(pass, level + 1), &[fine])
    }

    /// The solution of the next coarser level is added to that of a level.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn interpolate(&self, level: usize) -> Result<(), StreamError> {
        let source = self.storage.source(level);
        let coarse = self.storage.source(level + 1);
        let pass = Pass::new(&self.transfers(level).interpolate)
            .read("state", self.storage.surface(source))
            .read("coarse", self.storage.surface(coarse))
            .set("coarse_source", coarse.corner())
            .set("coarse_size", self.size(level + 1))
            .set("end", self.end(level));
        self.storage
            .step(level, self.general(pass, level), &[source, coarse])
    }

    /// The texels of a level: U, residual, F, 0 of each node, rows from the south up.
    ///
    /// # Errors
    /// Those of the stream processor.
    pub fn read(&self, level: usize) -> Result<Vec<f32>, StreamError> {
        let place = self.storage.source(level);
        self.storage.surface(place).read_rect(place.rect)
    }

    /// Replaces the texels of a level.
    ///
    /// # Errors
    /// [`StreamError::Size`] when they are not as many as the level's; those of the stream processor.
    pub fn write(&self, level: usize, texels: &[f32]) -> Result<(), StreamError> {
        let place = self.storage.source(level);
        self.storage.surface(place).write_rect(place.rect, texels)
    }

    /// What general.glsl asks for.
    fn general<'a>(&self, pass: Pass<'a>, level: usize) -> Pass<'a> {
        let periodic = [&self.grid.x, &self.grid.y].map(|axis| f32::from(axis.is_periodic()));
        pass.set("target", self.storage.target(level).corner())
            .set("source", self.storage.source(level).corner())
            .set("map", self.maps.corner(level))
            .set("size", self.size(level))
            .set("periodic", periodic)
    }

    fn size(&self, level: usize) -> [f32; 2] {
        let (columns, rows) = self.grid.size(level as u32);
        [columns as f32, rows as f32]
    }

    /// The last column and row, in the other intervals of the level.
    fn end(&self, level: usize) -> [f32; 2] {
        [&self.grid.x, &self.grid.y].map(|axis| axis.end(level as u32) as f32)
    }

    fn transfers(&self, level: usize) -> &Transfers {
        let axes = [&self.grid.x, &self.grid.y];
        let is_uneven = !axes.iter().all(|axis| axis.halves_evenly(level as u32));
        &self.kernels.transfers[usize::from(is_uneven)]
    }
}

impl Hierarchy for Levels {
    type Vector = Level;
    type Error = SolverError;

    fn levels(&self) -> usize {
        self.maps.atlas.places.len()
    }

    /// Nothing is allocated: the level's texels are there.
    fn zeros(&self, level: usize) -> Result<Level, SolverError> {
        Ok(Level(level))
    }

    /// On coarser levels, the restriction has left a solution of zero: [`Start::Zero`] asks for
    /// nothing more.
    fn relax(
        &self,
        level: usize,
        sweeps: usize,
        start: Start,
        _b: &Level,
        _u: &mut Level,
    ) -> Result<(), SolverError> {
        if level == 0 && start == Start::Zero {
            return Err(SolverError::FinestFromZero);
        }
        Ok(self.smooth(level, sweeps)?)
    }

    fn solve_coarsest(&self, start: Start, b: &Level, u: &mut Level) -> Result<(), SolverError> {
        self.relax(self.levels() - 1, self.coarsest_sweeps, start, b, u)
    }

    fn project_residual(
        &self,
        level: usize,
        _b: &Level,
        _u: &Level,
        _coarse: &mut Level,
    ) -> Result<(), SolverError> {
        self.residual(level)?;
        Ok(self.restrict(level)?)
    }

    fn project(&self, _: usize, _: &Level, _: &mut Level) -> Result<(), SolverError> {
        Err(SolverError::OneSource)
    }

    fn correct(&self, level: usize, _coarse: &Level, _u: &mut Level) -> Result<(), SolverError> {
        Ok(self.interpolate(level)?)
    }

    fn interpolate(&self, _: usize, _: &Level, _: &mut Level) -> Result<(), SolverError> {
        Err(SolverError::OneSource)
    }

    fn residual_norm(&self, _b: &Level, _u: &Level) -> Result<f64, SolverError> {
        Err(SolverError::OneSource)
    }

    fn norm(&self, _b: &Level) -> Result<f64, SolverError> {
        Err(SolverError::OneSource)
    }
}

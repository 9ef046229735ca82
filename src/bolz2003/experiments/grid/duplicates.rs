//! The duplicates of grids, looked at after every kernel.

use crate::bolz2003::grid::check::border::{Border, every_kernel, poison_ring, poisoned};
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::{Coarsest, GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::{BorderSync, ChannelUse, LayeredGrid};
use crate::claim::BoxedError;
use crate::solver::{Hierarchy, Start};
use crate::stream::{Machine, Stream};

use super::grid_problem::variable;

/// What was looked at, and what was found wrong.
#[derive(Debug, Default)]
pub struct Tally {
    /// Grids layered and un-layered.
    pub round_trips: usize,
    /// Of these, not the same afterwards.
    pub changed: usize,
    /// Targets that were looked at after a kernel.
    pub targets: usize,
    /// Duplicates.
    pub border: Border,
    /// Rings that were left poisoned on purpose: all of them must be found to be wrong.
    pub control: Border,
}

impl Tally {
    /// Looks at every target of every kernel on a grid and its coarser ones: four channels and one,
    /// borders fused and copied.
    pub fn check_all(&mut self, machine: &Machine, grid: Grid) -> Result<(), BoxedError> {
        for layout in [ChannelUse::Layered, ChannelUse::Scalar] {
            for sync in [BorderSync::Fused, BorderSync::Copy] {
                let options = HierarchyOptions {
                    layout,
                    sync,
                    ..HierarchyOptions::paper_2003()
                };
                self.check(machine, grid, options)?;
            }
        }
        Ok(())
    }

    fn check(
        &mut self,
        machine: &Machine,
        grid: Grid,
        options: HierarchyOptions,
    ) -> Result<(), BoxedError> {
        let gpu = GridHierarchy::stored(machine, &variable(grid), options)?;
        self.check_layering(gpu.grid())?;
        every_kernel(&gpu, |_, grid, target| self.look_at(grid, target))?;
        for level in 0..gpu.levels() {
            for entry in gpu.level(level).stored().into_iter().flatten() {
                self.look_at(gpu.level(level).grid(), entry)?;
            }
        }
        if grid.nodes() < 1000 {
            let options = HierarchyOptions {
                coarsest: Coarsest::Inverse,
                coarsest_nodes: 30,
                ..options
            };
            let gpu = GridHierarchy::stored(machine, &variable(grid), options)?;
            let coarsest = gpu.level(gpu.levels() - 1).grid();
            let b = coarsest.upload(&coarsest.grid().random(4))?;
            let mut u = poisoned(coarsest)?;
            gpu.solve_coarsest(Start::Zero, &b, &mut u)?;
            self.look_at(coarsest, &u)?;
        }
        Ok(())
    }

    /// Whether grids came back unchanged, all duplicates are in step and all poisoned ones were found.
    pub fn holds(&self) -> bool {
        self.changed == 0
            && self.border.wrong == 0
            && self.control.wrong == self.control.values
            && self.border.values > 0
    }

    fn check_layering(&mut self, grid: &LayeredGrid) -> Result<(), BoxedError> {
        let nodes = grid.grid().random(1);
        let plain = grid.plain("nodes")?;
        plain.write(&nodes)?;
        let v = poisoned(grid)?;
        grid.layer(&plain, &v)?;
        self.look_at(grid, &v)?;
        let bits = |nodes: Vec<f32>| nodes.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        self.round_trips += 1;
        self.changed += usize::from(bits(grid.download(&v)?) != bits(nodes));
        // The check must find a ring that was not brought in step.
        poison_ring(grid, &v)?;
        self.control += Border::of(grid, &v)?;
        Ok(())
    }

    fn look_at(&mut self, grid: &LayeredGrid, v: &Stream) -> Result<(), BoxedError> {
        self.targets += 1;
        self.border += Border::of(grid, v)?;
        Ok(())
    }
}

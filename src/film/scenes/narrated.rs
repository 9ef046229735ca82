//! A multigrid cycle that names its steps as scenes.

use crate::solver::multigrid::cycle::cycle;
use crate::solver::{Cycle, Levels, Start};
use crate::stream::Machine;

/// Runs a cycle, each step of which begins a scene.
pub fn narrated_cycle<L: Levels>(
    machine: &Machine,
    levels: &mut L,
    shape: Cycle,
    start: Start,
) -> Result<(), L::Error> {
    cycle(&mut Narrated { machine, levels }, shape, start)
}

/// Levels that begin a scene for each operation on them.
struct Narrated<'a, L> {
    machine: &'a Machine,
    levels: &'a mut L,
}

impl<L: Levels> Levels for Narrated<'_, L> {
    type Error = L::Error;

    fn levels(&self) -> usize {
        self.levels.levels()
    }

    fn smooth(&mut self, level: usize, sweeps: usize, start: Start) -> Result<(), L::Error> {
        let title = format!("Level {level}: {sweeps} sweeps smooth the error");
        self.machine.scene(&title);
        self.levels.smooth(level, sweeps, start)
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), L::Error> {
        let title = format!("Level {}, the coarsest, is solved", self.levels() - 1);
        self.machine.scene(&title);
        self.levels.solve_coarsest(start)
    }

    fn descend(&mut self, level: usize) -> Result<(), L::Error> {
        let coarser = level + 1;
        let title = format!("From level {level} down to {coarser}: the residual is projected");
        self.machine.scene(&title);
        self.levels.descend(level)
    }

    fn ascend(&mut self, level: usize) -> Result<(), L::Error> {
        let coarser = level + 1;
        let title = format!("From level {coarser} up to {level}: the correction is interpolated");
        self.machine.scene(&title);
        self.levels.ascend(level)
    }
}

//! A bench for programs of the fluid: random data on grids of ugly sizes, and what a program makes
//! of them.

use fragstream::bolz2003::claims::problems::NEUMANN;
use fragstream::bolz2003::fluid::domain::FluidKernels;
use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::stream::{Format, Kernel, Machine, Pass, Stream};

use crate::common::{machine, random};

/// The smallest grid, narrow, long and odd ones.
const SIZES: [(usize, usize); 6] = [(3, 3), (5, 3), (3, 33), (65, 3), (17, 63), (33, 97)];

/// A grid, with what draws on it.
pub struct Bench<'m> {
    pub machine: &'m Machine,
    pub kernels: FluidKernels,
    pub grid: Grid,
}

/// Checks the programs on grids of all sizes.
pub fn on_all_grids(check: impl Fn(&Bench<'_>)) {
    let machine = machine();
    for (columns, rows) in SIZES {
        let grid = Grid::new(columns, rows, NEUMANN).unwrap();
        check(&Bench {
            machine: &machine,
            kernels: FluidKernels::new(&machine, rows).unwrap(),
            grid,
        });
    }
}

impl Bench<'_> {
    pub fn size(&self) -> (u32, u32) {
        (self.grid.columns() as u32, self.grid.rows() as u32)
    }

    /// Random records up to `size`, one a node.
    pub fn records<const CHANNELS: usize>(&self, size: f32, seed: u64) -> Vec<[f32; CHANNELS]> {
        records(self.grid.nodes(), size, seed)
    }

    /// A stream of one record a node.
    pub fn stream<const CHANNELS: usize>(&self, data: &[[f32; CHANNELS]]) -> Stream {
        self.stream_of(self.size(), data)
    }

    /// A stream of as many columns and rows as `size` says.
    pub fn stream_of<const CHANNELS: usize>(
        &self,
        size: (u32, u32),
        data: &[[f32; CHANNELS]],
    ) -> Stream {
        let format = match CHANNELS {
            1 => Format::R32F,
            2 => Format::Rg32F,
            _ => Format::Rgba32F,
        };
        Stream::from_data(self.machine, "data", size, format, data.as_flattened()).unwrap()
    }

    /// What a program leaves in a target of this size that held NaN.
    pub fn run<'k>(
        &self,
        kernel: &'k Kernel,
        size: (u32, u32),
        format: Format,
        bind: impl FnOnce(Pass<'k>) -> Pass<'k>,
    ) -> Stream {
        let target = Stream::zeros(self.machine, "target", size, format).unwrap();
        target.fill([f32::NAN; 4]);
        let all = self.machine.rect(target.full()).unwrap();
        bind(Pass::new(kernel)).draw(&target, &all).unwrap();
        target
    }
}

/// Random records up to `size`.
pub fn records<const CHANNELS: usize>(n: usize, size: f32, seed: u64) -> Vec<[f32; CHANNELS]> {
    let numbers: Vec<f32> = random(n * CHANNELS, seed)
        .iter()
        .map(|v| size * v)
        .collect();
    numbers.as_chunks().0.to_vec()
}

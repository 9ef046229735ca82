//! Multigrid on the stream processor converges as its twin in double precision does.

pub mod kernels;
mod poisson;

use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::hierarchy::{Coarsest, GridHierarchy, HierarchyOptions, Weights};
use fragstream::bolz2003::grid::layering::ChannelUse;
use fragstream::bolz2003::grid::stencil::Stencils;
use fragstream::bolz2003::study::claims::problems::{KINDS, NEUMANN};
use fragstream::bolz2003::study::reference::Reference;
use fragstream::solver::multigrid::{default_criteria, factors};
use fragstream::solver::{Criteria, Cycle, Hierarchy, Multigrid, Real};

use crate::common::machine;

fn poisson<T: Real>(grid: Grid) -> Stencils<T> {
    Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.0)
}

/// The factors of eight cycles on b = 0 from the start u.
fn convergence<H: Hierarchy>(hierarchy: &H, cycle: Cycle, u: &mut H::Vector) -> Vec<f64>
where
    H::Error: std::fmt::Debug,
{
    let criteria = Criteria { rtol: 0.0, max_iterations: 8, patience: 100, ..default_criteria() };
    let b = hierarchy.zeros(0).unwrap();
    let mut multigrid = Multigrid::new(hierarchy, cycle).unwrap();
    let outcome = multigrid.solve(&b, u, &criteria, |_, _| ()).unwrap();
    factors(&outcome.history)
}

fn gpu_convergence(gpu: &GridHierarchy, cycle: Cycle) -> Vec<f64> {
    let layering = gpu.grid().layering;
    let mut u = gpu.zeros(0).unwrap();
    u.write(&layering.image(&layering.grid.random(1))).unwrap();
    convergence(gpu, cycle, &mut u)
}

fn twin_convergence(grid: Grid, options: &HierarchyOptions, cycle: Cycle) -> Vec<f64> {
    let twin = Reference::<f64>::new(poisson(grid), options);
    let mut u = grid.random(1).into_iter().map(f64::from).collect();
    convergence(&twin, cycle, &mut u)
}

#[track_caller]
fn assert_alike(got: &[f64], expected: &[f64], what: impl std::fmt::Debug) {
    for (got, expected) in got.iter().zip(expected) {
        assert!((got - expected).abs() <= 0.05, "{what:?}: {got} for {expected}");
    }
}

#[test]
fn all_variants_converge_as_the_twin_on_a_grid_that_is_not_square() {
    let machine = machine();
    let paper = HierarchyOptions::default();
    let scalar = HierarchyOptions { layout: ChannelUse::Scalar, ..HierarchyOptions::fused() };
    let sweeps = HierarchyOptions {
        coarsest: Coarsest::Jacobi { leaves: 0.5 },
        coarsest_nodes: 50,
        ..HierarchyOptions::fused()
    };
    let chebyshev = HierarchyOptions { weights: Weights::Chebyshev, ..HierarchyOptions::fused() };
    for sides in KINDS.map(|(_, sides)| sides) {
        let grid = Grid::new(33, 9, sides).unwrap();
        let stored = [HierarchyOptions::fused(), paper, scalar, sweeps, chebyshev].map(|options| {
            let gpu = GridHierarchy::stored(&machine, &poisson(grid), options);
            (options, gpu.unwrap())
        });
        let options = HierarchyOptions::fused();
        let constant = GridHierarchy::constant(&machine, grid, 0.0, options).unwrap();
        for (options, gpu) in stored.into_iter().chain([(options, constant)]) {
            for cycle in [Cycle::v(2, 1), Cycle::w(1, 1), Cycle::v(0, 3)] {
                let expected = twin_convergence(grid, &options, cycle);
                let got = gpu_convergence(&gpu, cycle);
                assert_alike(&got, &expected, (sides, options, cycle));
            }
        }
    }
}

#[test]
fn a_cycle_uploads_nothing_and_synchronises_without_further_changes_of_the_target() {
    let machine = machine();
    let grid = Grid::new(65, 65, NEUMANN).unwrap();
    let ledger = |options| {
        let gpu = GridHierarchy::stored(&machine, &poisson(grid), options).unwrap();
        let b = gpu.zeros(0).unwrap();
        let mut u = gpu.zeros(0).unwrap();
        let mut multigrid = Multigrid::new(&gpu, Cycle::v(2, 1)).unwrap();
        let start = fragstream::solver::Start::Given;
        multigrid.cycle(start, &b, &mut u).unwrap();
        machine.take_ledger();
        multigrid.cycle(start, &b, &mut u).unwrap();
        machine.take_ledger()
    };
    let copied = ledger(HierarchyOptions::default());
    let fused = ledger(HierarchyOptions::fused());
    assert_eq!((fused.uploads, fused.read_backs), (0, 0));
    assert_eq!(fused.total().feedback, 0);
    assert_eq!(copied.target_switches, fused.target_switches);
    // One further pass for every kernel, which is drawn in two passes where it has inner texels.
    assert_eq!(copied.total().feedback, fused.target_switches);
}

//! Multigrid on the stream processor converges as its twin in double precision does.

mod kernels;
mod poisson;

use fragstream::bolz2003::claims::problems::{DIRICHLET, KINDS, NEUMANN};
use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::hierarchy::{Coarsest, GridHierarchy, HierarchyOptions, Weights};
use fragstream::bolz2003::grid::layering::ChannelUse;
use fragstream::bolz2003::grid::reference::Reference;
use fragstream::bolz2003::grid::stencil::Stencils;
use fragstream::solver::multigrid::{default_criteria, factors};
use fragstream::solver::{Criteria, Cycle, Hierarchy, Multigrid, Real};

use crate::common::machine;

fn chebyshev() -> HierarchyOptions {
    HierarchyOptions {
        weights: Weights::Chebyshev,
        ..HierarchyOptions::fused()
    }
}

fn poisson<T: Real>(grid: Grid) -> Stencils<T> {
    Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.0)
}

/// The factors of eight cycles on b = 0 from the start u.
fn convergence<H: Hierarchy>(hierarchy: &H, cycle: Cycle, u: &mut H::Vector) -> Vec<f64>
where
    H::Error: std::fmt::Debug,
{
    let criteria = Criteria {
        rtol: 0.0,
        max_iterations: 8,
        patience: 100,
        ..default_criteria()
    };
    let b = hierarchy.zeros(0).unwrap();
    let mut multigrid = Multigrid::new(hierarchy, cycle).unwrap();
    let outcome = multigrid.solve(&b, u, &criteria, |_, _| ()).unwrap();
    factors(&outcome.history)
}

fn gpu_convergence(gpu: &GridHierarchy, cycle: Cycle) -> Vec<f64> {
    let layering = gpu.grid().layering();
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
        assert!(
            (got - expected).abs() <= 0.05,
            "{what:?}: {got} for {expected}"
        );
    }
}

#[test]
fn all_variants_converge_as_the_twin_on_a_grid_that_is_not_square() {
    let machine = machine();
    let paper = HierarchyOptions::default();
    let scalar = HierarchyOptions {
        layout: ChannelUse::Scalar,
        ..HierarchyOptions::fused()
    };
    let sweeps = HierarchyOptions {
        coarsest: Coarsest::Jacobi { leaves: 0.5 },
        coarsest_nodes: 50,
        ..HierarchyOptions::fused()
    };
    let chebyshev = chebyshev();
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

/// The factor of two grids by Fourier analysis: the largest over all waves with the harmonics that the coarser
/// grid takes them for. `left` is what the sweeps leave of an eigenvalue of D⁻¹A.
fn two_grid_factor(cells: usize, left: impl Fn(f64) -> f64) -> f64 {
    let factor = |k: usize, l: usize| {
        let [x, y] = [k, l].map(|k| (std::f64::consts::PI * k as f64 / cells as f64).cos());
        let harmonics = [[x, y], [-x, y], [x, -y], [-x, -y]];
        let eigenvalue = harmonics.map(|[x, y]| 1.0 - (x + y) / 2.0);
        let interpolated = harmonics.map(|[x, y]| (1.0 + x) * (1.0 + y) / 4.0);
        let sum = |f: &dyn Fn(usize) -> f64| (0..4).map(f).sum::<f64>();
        let coarse = sum(&|h| interpolated[h] * eigenvalue[h] * interpolated[h]);
        let cycle = |e: [f64; 4]| {
            let seen = sum(&|h| interpolated[h] * eigenvalue[h] * e[h]) / coarse;
            std::array::from_fn(|h| left(eigenvalue[h]) * (e[h] - interpolated[h] * seen))
        };
        let norm = |cycles| {
            let start = [1.0, 0.7, -0.4, 0.2];
            let e: [f64; 4] = (0..cycles).fold(start, |e, _| cycle(e));
            sum(&|h| e[h] * e[h]).sqrt()
        };
        (norm(60) / norm(40)).powf(1.0 / 20.0)
    };
    let waves = (1..cells / 2).flat_map(|k| (1..cells / 2).map(move |l| (k, l)));
    waves.map(|(k, l)| factor(k, l)).fold(0.0, f64::max)
}

#[test]
fn two_grids_converge_as_fourier_analysis_says() {
    // 33² nodes and 17², where Jacobi solves the system.
    let two = |options| HierarchyOptions {
        coarsest_nodes: 300,
        coarsest: Coarsest::Jacobi { leaves: 1e-3 },
        ..options
    };
    let grid = Grid::new(33, 33, DIRICHLET).unwrap();
    let root = |n: f64| 1.25 + 0.75 * (std::f64::consts::PI * n / 6.0).cos();
    // What a cycle's sweeps leave of an error of this eigenvalue of D⁻¹A.
    type Left<'a> = dyn Fn(f64) -> f64 + 'a;
    let cases: [(HierarchyOptions, Cycle, &Left<'_>); 3] = [
        (HierarchyOptions::fused(), Cycle::v(4, 2), &|e| {
            (1.0 - e / 1.5).powi(6)
        }),
        (chebyshev(), Cycle::v(0, 3), &|e| {
            [1.0, 3.0, 5.0].map(|n| 1.0 - e / root(n)).iter().product()
        }),
        (chebyshev(), Cycle::v(1, 1), &|e| (1.0 - e / 1.25).powi(2)),
    ];
    for (options, cycle, left) in cases {
        let expected = two_grid_factor(32, left);
        let got = twin_convergence(grid, &two(options), cycle)[7];
        assert!(
            (0.85..1.02).contains(&(got / expected)),
            "{cycle:?}: {got} for {expected}"
        );
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

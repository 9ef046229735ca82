//! Multigrid on the stream processor against its twin in double precision.

use fragstream::bolz2003::grid::{Boundary, Grid, Sides};
use fragstream::bolz2003::grid_hierarchy::{GridHierarchy, HierarchyOptions};
use fragstream::bolz2003::grid_twin::GridTwin;
use fragstream::bolz2003::layering::{BorderSync, Layout};
use fragstream::bolz2003::stencil::Stencils;
use fragstream::solver::multigrid::factors;
use fragstream::solver::{Criteria, Cycle, Hierarchy, Multigrid};
use fragstream::stream::{Machine, Stream};

use Boundary::{Dirichlet, Neumann};

const DIRICHLET: Sides = Sides::all(Dirichlet);
const NEUMANN: Sides = Sides::all(Neumann);
const MIXED: Sides = Sides {
    left: Dirichlet,
    right: Neumann,
    bottom: Neumann,
    top: Neumann,
};

fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

/// A small generator of numbers in [-1, 1), the same on every machine.
fn random(n: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f64 / (1u64 << 23) as f64 - 1.0) as f32
    };
    (0..n).map(|_| next()).collect()
}

fn poisson<T: fragstream::solver::Real>(grid: Grid) -> Stencils<T> {
    Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.0)
}

/// The factor of the last of `cycles` V(4, 2) cycles on b = 0 from a random start.
fn factor<H: Hierarchy>(hierarchy: &H, b: &H::Vector, u: &mut H::Vector, cycles: usize) -> f64
where
    H::Error: std::fmt::Debug,
{
    let criteria = Criteria {
        rtol: 1e-30,
        max_iterations: cycles,
        patience: 100,
        ..Criteria::default()
    };
    let mut multigrid = Multigrid::new(hierarchy, Cycle::v(4, 2)).unwrap();
    let outcome = multigrid.solve(b, u, &criteria, |_, _| ()).unwrap();
    println!("{:?}", factors(&outcome.history));
    *factors(&outcome.history).last().unwrap()
}

fn start(hierarchy: &GridHierarchy, nodes: &[f32]) -> Stream {
    let u = hierarchy.zeros(0).unwrap();
    u.write(&hierarchy.grid().layering().image(nodes)).unwrap();
    u
}

#[test]
fn the_convergence_factor_is_the_twins_and_does_not_depend_on_the_size() {
    let machine = machine();
    for sides in [DIRICHLET, NEUMANN, MIXED] {
        let mut all = Vec::new();
        for n in [17, 65, 129] {
            let grid = Grid::new(n, n, sides).unwrap();
            let options = HierarchyOptions::default();
            let nodes = random(grid.nodes(), n as u64);
            let twin = GridTwin::<f64>::new(poisson(grid), 2, options.omega, 8);
            let mut u: Vec<f64> = nodes
                .iter()
                .enumerate()
                .map(|(k, &v)| match grid.is_computed(k % n, k / n) {
                    true => f64::from(v),
                    false => 0.0,
                })
                .collect();
            let expected = factor(&twin, &twin.zeros(0).unwrap(), &mut u, 4);
            let stored = GridHierarchy::stored(&machine, &poisson(grid), options).unwrap();
            let constant = GridHierarchy::constant(&machine, grid, 0.0, options).unwrap();
            let scalar = GridHierarchy::stored(
                &machine,
                &poisson(grid),
                HierarchyOptions {
                    layout: Layout::Scalar,
                    ..options
                },
            )
            .unwrap();
            let copied = GridHierarchy::stored(
                &machine,
                &poisson(grid),
                HierarchyOptions {
                    sync: BorderSync::Copy,
                    ..options
                },
            )
            .unwrap();
            for gpu in [&stored, &constant, &scalar, &copied] {
                let b = gpu.zeros(0).unwrap();
                let got = factor(gpu, &b, &mut start(gpu, &nodes), 4);
                assert!((got - expected).abs() < 0.05, "{got} {expected}");
            }
            all.push(expected);
        }
        println!("{all:?}");
    }
}

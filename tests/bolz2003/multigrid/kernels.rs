//! The kernels over grids: the layout and its duplicates, and every kernel against its twin.

use fragstream::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use fragstream::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use fragstream::bolz2003::grid::kernels::GridKernels;
use fragstream::bolz2003::grid::layering::{BorderSync, ChannelUse, LayeredGrid, Layering};
use fragstream::bolz2003::grid::pair_residual::PairResidual;
use fragstream::bolz2003::grid::stencil::Stencils;
use fragstream::bolz2003::study::claims::problems::{KINDS, NEUMANN, PERIODIC, variable};
use fragstream::bolz2003::study::claims::rings::{every_kernel, poison_ring, poisoned};
use fragstream::bolz2003::study::reference::Reference;
use fragstream::claim::difference;
use fragstream::solver::{Cycle, Hierarchy, Multigrid, Start};
use fragstream::stream::{Machine, Rect, Stream};

use crate::common::{machine, random, wide};

pub const LAYOUTS: [ChannelUse; 2] = [ChannelUse::Layered, ChannelUse::Scalar];
pub const SYNCS: [BorderSync; 2] = [BorderSync::Fused, BorderSync::Copy];

fn options(layout: ChannelUse, sync: BorderSync) -> HierarchyOptions {
    HierarchyOptions { layout, sync, ..HierarchyOptions::default() }
}

/// The nodes of a vector, after checking that every texel holds the value of its node.
pub fn nodes(grid: &LayeredGrid, stream: &Stream, what: &str) -> Vec<f32> {
    let (nodes, layering) = (grid.download(stream).unwrap(), grid.layering);
    let in_step = stream.read().unwrap() == layering.image(&nodes);
    assert!(in_step, "{what} on {layering:?}");
    nodes
}

/// Every combination of layout, border and sides, on grids that are not square.
fn for_all_variants(mut check: impl FnMut(&Machine, Grid, HierarchyOptions)) {
    let machine = machine();
    for (_, sides) in KINDS.into_iter().chain(PERIODIC) {
        for (columns, rows) in [(5, 5), (17, 9), (9, 13)] {
            let grid = Grid::new(columns, rows, sides).unwrap();
            for layout in LAYOUTS {
                for sync in SYNCS {
                    check(&machine, grid, options(layout, sync));
                }
            }
        }
    }
}

#[test]
fn every_kernel_agrees_with_its_twin_and_keeps_its_border_in_step() {
    for_all_variants(|machine, grid, options| {
        let twin = Reference::<f64>::new(variable(grid), &options);
        let gpu = GridHierarchy::stored(machine, &variable(grid), options).unwrap();
        let coarse = gpu.level(1).grid().grid();
        let [u, b, e] = [grid.random(2), grid.random(3), coarse.random(4)].map(|v| wide(&v));
        let zero = vec![0.0; grid.nodes()];
        every_kernel(&gpu, |kernel, level, target| {
            let (mut fine, mut coarse) = (u.clone(), twin.zeros(1)?);
            match kernel {
                "product" => fine = twin.residual(0, &zero, &u).iter().map(|v| -v).collect(),
                "residual" => fine = twin.residual(0, &b, &u),
                "Jacobi" => twin.relax(0, 1, Start::Given, &b, &mut fine)?,
                "first sweep" => twin.relax(0, 1, Start::Zero, &b, &mut fine)?,
                "interpolation" => twin.interpolate(0, &e, &mut fine)?,
                "correction" => twin.correct(0, &e, &mut fine)?,
                "cycle" => {
                    Multigrid::new(&twin, Cycle::v(2, 1))?.cycle(Start::Given, &b, &mut fine)?
                }
                "projection" => twin.project(0, &u, &mut coarse)?,
                "projected residual" => twin.project_residual(0, &b, &u, &mut coarse)?,
                other => panic!("{other} has no twin"),
            }
            let found = nodes(level, target, kernel);
            let mut expected = if found.len() == fine.len() { fine } else { coarse };
            level.grid().bring_in_step(&mut expected);
            let error = difference(&found, &expected);
            assert!(error < 2e-6, "{kernel}: {error:e} on {grid:?}, {options:?}");
            Ok(())
        })
        .unwrap();
        let level = gpu.level(0).grid();
        let [u_gpu, b_gpu] = [2, 3].map(|seed| level.upload(&grid.random(seed)).unwrap());
        let norm = gpu.residual_norm(&b_gpu, &u_gpu).unwrap();
        let expected = twin.residual_norm(&b, &u).unwrap();
        assert!((norm / expected - 1.0).abs() < 1e-6, "{norm} for {expected}");
    });
}

#[test]
fn a_grid_whose_border_is_drawn_apart_is_computed_as_one_whose_border_is_copied() {
    let machine = machine();
    for sides in [Sides::all(Boundary::Dirichlet), NEUMANN] {
        let grid = Grid::new(161, 145, sides).unwrap();
        let [drawn, copied] = SYNCS.map(|sync| {
            let options = HierarchyOptions { sync, ..HierarchyOptions::fused() };
            let gpu = GridHierarchy::constant(&machine, grid, 0.3, options).unwrap();
            let level = gpu.level(0).grid();
            let [u, b] = [2, 3].map(|seed| level.upload(&grid.random(seed)).unwrap());
            let v = poisoned(level).unwrap();
            machine.take_ledger();
            gpu.level(0).jacobi(0.6, &b, &u, &v).unwrap();
            assert!(machine.take_ledger().total().passes > 1);
            nodes(level, &v, "Jacobi")
        });
        assert!(difference(&drawn, &wide(&copied)) < 1e-6);
    }
}

#[test]
fn stencils_in_constants_give_what_stored_stencils_give() {
    for_all_variants(|machine, grid, options| {
        let stencils = Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.3);
        let stored = GridHierarchy::stored(machine, &stencils, options).unwrap();
        let constant = GridHierarchy::constant(machine, grid, 0.3, options).unwrap();
        for level in 0..stored.levels() {
            let (expected, got) = (stored.level(level), constant.level(level));
            let u = got.grid().upload(&got.grid().grid().random(5)).unwrap();
            let b = got.grid().upload(&got.grid().grid().random(6)).unwrap();
            let (v, w) = (poisoned(got.grid()).unwrap(), poisoned(got.grid()).unwrap());
            expected.jacobi(0.6, &b, &u, &v).unwrap();
            got.jacobi(0.6, &b, &u, &w).unwrap();
            let expected = nodes(got.grid(), &v, "stored");
            let error = difference(&nodes(got.grid(), &w, "constant"), &expected);
            assert!(error < 1e-6, "{error}");
        }
    });
}

#[test]
fn synchronising_draws_the_ring_and_nothing_else() {
    let machine = machine();
    let kernels = GridKernels::new(&machine).unwrap();
    let grid = Grid::new(33, 17, NEUMANN).unwrap();
    let layering = Layering { grid, layout: ChannelUse::Layered };
    let level = LayeredGrid::new(&machine, &kernels, layering, BorderSync::Copy).unwrap();
    let values = random(grid.nodes(), 9);
    let v = level.upload(&values).unwrap();
    let (width, height) = layering.size();
    poison_ring(&level, &v).unwrap();
    machine.take_ledger();
    level.sync_border(&v).unwrap();
    let ledger = machine.take_ledger();
    let total = ledger.total();
    assert_eq!((total.passes, total.feedback), (1, 1));
    let inside = Rect::of_size(width - 2, height - 2).area();
    assert_eq!(total.fragments, Rect::of_size(width, height).area() - inside);
    assert_eq!(nodes(&level, &v, "sync"), values);
}

#[test]
fn a_residual_in_pairs_has_48_bits_beside_all_kinds_of_sides() {
    let machine = machine();
    for (_, sides) in KINDS.into_iter().chain(PERIODIC) {
        for (size, sigma_h2) in [([17, 9], 0.0), ([9, 13], 0.1)] {
            let grid = Grid::new(size[0], size[1], sides).unwrap();
            let options = HierarchyOptions::fused();
            let gpu = GridHierarchy::constant(&machine, grid, sigma_h2, options).unwrap();
            let stencils = Stencils::<f64>::helmholtz(grid, |_, _| 1.0, |_, _| sigma_h2);
            // Neither the residual nor the reaction is a number of single precision, and both corrections are large.
            let thirds = wide(&grid.random(1)).into_iter().map(|r| r / 3.0);
            let mut expected: Vec<f64> = thirds.collect();
            let mut pairs = PairResidual::new(gpu.grid(), sigma_h2, &expected, 1.0).unwrap();
            let plain = gpu.grid().plain("correction").unwrap();
            for seed in [2, 3] {
                let d: Vec<f32> = grid.random(seed).into_iter().map(|d| 100.0 * d).collect();
                plain.write(&d).unwrap();
                pairs.correct(&plain).unwrap();
                let d = wide(&d);
                let product = grid.map(0.0, |i, j| stencils.at(&d, i, j));
                expected.iter_mut().zip(product).for_each(|(r, product)| *r -= product);
            }
            grid.bring_in_step(&mut expected);
            let found = wide(&pairs.pairs().read().unwrap());
            let found = found.as_chunks::<2>().0;
            for (place, (&[high, low], expected)) in found.iter().zip(&expected).enumerate() {
                let node = grid.node(place);
                let [i, j] = [0, 1].map(|axis| match grid.is_periodic(axis) {
                    true => node[axis] % grid.cells[axis],
                    false => node[axis],
                });
                if !grid.is_computed(i, j) {
                    continue;
                }
                // The terms add up to at most 1700.
                let error = (high + low - expected).abs();
                assert!(error < 1700.0 * 2f64.powi(-44), "{error:e} at {i}, {j} of {grid:?}");
                assert_eq!(high, f64::from((high + low) as f32));
            }
        }
    }
}

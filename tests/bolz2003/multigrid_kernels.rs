//! The kernels over grids: the layout and its duplicates, and every kernel against its twin.

use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::hierarchy::{Coarsest, GridHierarchy, HierarchyOptions};
use fragstream::bolz2003::grid::kernels::{GridKernels, OperatorKernels, StencilKind};
use fragstream::bolz2003::grid::layering::{BorderSync, LayeredGrid, Layering, Layout};
use fragstream::bolz2003::grid::stencil::{OFFSETS, Stencils, interpolation_weight};
use fragstream::bolz2003::grid::twin::GridTwin;
use fragstream::card::count::count;
use fragstream::solver::{Csr, Hierarchy, Start};
use fragstream::stream::{Machine, Rect, Stream};

use crate::common::{machine, random, wide};
use crate::multigrid_common::{ALL_SIDES, NEUMANN};

const LAYOUTS: [Layout; 2] = [Layout::Layered, Layout::Scalar];
const SYNCS: [BorderSync; 2] = [BorderSync::Fused, BorderSync::Copy];

/// A coefficient that varies and is never small.
fn wavy(i: usize, j: usize) -> f64 {
    1.5 + (0.7 * i as f64).sin() * (0.4 * j as f64).cos()
}

/// Stencils with nothing constant about them.
fn variable<T: fragstream::solver::Real>(grid: Grid) -> Stencils<T> {
    Stencils::helmholtz(grid, wavy, |i, j| 0.1 * wavy(j, i))
}

fn options(layout: Layout, sync: BorderSync) -> HierarchyOptions {
    HierarchyOptions {
        layout,
        sync,
        ..HierarchyOptions::paper()
    }
}

/// A vector of a level whose every texel, ring and all, is NaN.
fn poisoned(grid: &LayeredGrid) -> Stream {
    let stream = grid.zeros("poisoned").unwrap();
    stream.fill([f32::NAN; 4]);
    stream
}

/// The nodes of a vector, after checking that every texel equals, bit for bit, what it duplicates,
/// and is zero where there is no unknown.
fn nodes(grid: &LayeredGrid, stream: &Stream, what: &str) -> Vec<f32> {
    let plain = grid.plain("plain").unwrap();
    grid.unlayer(stream, &plain).unwrap();
    let nodes = plain.read().unwrap();
    let expected = grid.layering().image(&nodes);
    let got = stream.read().unwrap();
    let channels = grid.layering().format().channels();
    let width = grid.layering().size().0 as usize;
    for (at, (got, expected)) in got.iter().zip(&expected).enumerate() {
        let texel = at / channels;
        assert!(
            got.to_bits() == expected.to_bits() || (*got == 0.0 && *expected == 0.0),
            "{what}: channel {} of texel ({}, {}) is {got}, not {expected}; {:?}",
            at % channels,
            texel % width,
            texel / width,
            grid.layering(),
        );
    }
    nodes
}

fn upload(grid: &LayeredGrid, values: &[f32]) -> Stream {
    let stream = grid.zeros("vector").unwrap();
    stream.write(&grid.layering().image(values)).unwrap();
    stream
}

#[track_caller]
fn assert_close(got: &[f32], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), expected.len());
    let largest = expected
        .iter()
        .fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
    for (place, (got, expected)) in got.iter().zip(expected).enumerate() {
        let error = (f64::from(*got) - expected).abs() / largest;
        assert!(
            error <= tolerance,
            "{what}: {got} for {expected} at {place}"
        );
    }
}

/// Every combination of layout, border and sides, on grids that are not square.
fn for_all_variants(mut check: impl FnMut(&Machine, Grid, HierarchyOptions)) {
    let machine = machine();
    for sides in ALL_SIDES {
        for (columns, rows) in [(5, 5), (33, 9), (17, 25)] {
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
fn layering_and_unlayering_is_the_identity() {
    let machine = machine();
    let kernels = GridKernels::new(&machine).unwrap();
    for (columns, rows) in [(3, 3), (5, 3), (7, 11), (33, 9), (129, 33)] {
        let grid = Grid::new(columns, rows, NEUMANN).unwrap();
        let values = random(grid.nodes(), 1);
        for layout in LAYOUTS {
            for sync in SYNCS {
                let layering = Layering { grid, layout };
                let level = LayeredGrid::new(&machine, &kernels, layering, sync).unwrap();
                let plain = level.plain("plain").unwrap();
                plain.write(&values).unwrap();
                let layered = poisoned(&level);
                level.layer(&plain, &layered).unwrap();
                assert_eq!(nodes(&level, &layered, "layer"), values);
            }
        }
    }
}

#[test]
fn a_grid_of_257_by_257_nodes_is_a_texture_of_129_by_129_and_its_ring() {
    let layering = Layering {
        grid: Grid::new(257, 257, NEUMANN).unwrap(),
        layout: Layout::Layered,
    };
    assert_eq!(layering.size(), (131, 131));
    // Coarse texels lie on every other fine texel, in the same channel: odd and even are apart.
    let coarse = Layering {
        grid: layering.grid.coarser().unwrap(),
        ..layering
    };
    for (t, channel) in [(0, 0), (10, 1), (64, 2), (64, 3)] {
        let fine = layering.node(2 * t + 1, 2 * t + 1, channel).unwrap();
        assert_eq!(
            coarse.node(t + 1, t + 1, channel),
            Some(fine.map(|n| n / 2))
        );
    }
}

#[test]
fn every_kernel_agrees_with_its_twin_and_keeps_its_border_in_step() {
    for_all_variants(|machine, grid, options| {
        let twin = GridTwin::<f64>::new(variable(grid), &options);
        let gpu = GridHierarchy::stored(machine, &variable(grid), options).unwrap();
        let (fine, coarse) = (gpu.level(0), gpu.level(1));
        let (u, b) = (grid.random(2), grid.random(3));
        let e = coarse.grid().grid().random(4);
        let (u_gpu, b_gpu) = (upload(fine.grid(), &u), upload(fine.grid(), &b));
        let e_gpu = upload(coarse.grid(), &e);
        let (u, b, e) = (wide(&u), wide(&b), wide(&e));
        let zero = vec![0.0; grid.nodes()];

        let v = poisoned(fine.grid());
        fine.multiply(&u_gpu, &v).unwrap();
        let negative: Vec<f64> = twin.residual(0, &zero, &u).iter().map(|v| -v).collect();
        assert_close(
            &nodes(fine.grid(), &v, "product"),
            &negative,
            1e-6,
            "product",
        );

        let v = poisoned(fine.grid());
        fine.residual(&b_gpu, &u_gpu, &v).unwrap();
        let expected = twin.residual(0, &b, &u);
        assert_close(
            &nodes(fine.grid(), &v, "residual"),
            &expected,
            1e-6,
            "residual",
        );

        let mut v = poisoned(fine.grid());
        fine.jacobi(options.omega as f32, &b_gpu, &u_gpu, &v)
            .unwrap();
        let mut expected = u.clone();
        twin.relax(0, 1, Start::Given, &b, &mut expected).unwrap();
        assert_close(&nodes(fine.grid(), &v, "jacobi"), &expected, 1e-6, "jacobi");

        v.fill([f32::NAN; 4]);
        gpu.relax(0, 1, Start::Zero, &b_gpu, &mut v).unwrap();
        twin.relax(0, 1, Start::Zero, &b, &mut expected).unwrap();
        assert_close(
            &nodes(fine.grid(), &v, "first"),
            &expected,
            1e-6,
            "first sweep",
        );

        let mut v = poisoned(coarse.grid());
        gpu.project(0, &u_gpu, &mut v).unwrap();
        let mut expected = twin.zeros(1).unwrap();
        twin.project(0, &u, &mut expected).unwrap();
        assert_close(
            &nodes(coarse.grid(), &v, "project"),
            &expected,
            1e-6,
            "project",
        );

        let mut v = poisoned(coarse.grid());
        gpu.project_residual(0, &b_gpu, &u_gpu, &mut v).unwrap();
        twin.project_residual(0, &b, &u, &mut expected).unwrap();
        assert_close(
            &nodes(coarse.grid(), &v, "project"),
            &expected,
            2e-6,
            "residual",
        );

        let mut v = poisoned(fine.grid());
        gpu.interpolate(0, &e_gpu, &mut v).unwrap();
        let mut expected = twin.zeros(0).unwrap();
        twin.interpolate(0, &e, &mut expected).unwrap();
        assert_close(&nodes(fine.grid(), &v, "S"), &expected, 1e-6, "interpolate");

        let mut v = upload(fine.grid(), &grid.random(2));
        gpu.correct(0, &e_gpu, &mut v).unwrap();
        let mut expected = u.clone();
        twin.correct(0, &e, &mut expected).unwrap();
        assert_close(
            &nodes(fine.grid(), &v, "correct"),
            &expected,
            1e-6,
            "correct",
        );

        let norm = gpu.residual_norm(&b_gpu, &u_gpu).unwrap();
        let expected = twin.residual_norm(&b, &u).unwrap();
        assert!(
            (norm / expected - 1.0).abs() < 1e-6,
            "{norm} for {expected}"
        );
    });
}

#[test]
fn stencils_in_constants_give_what_stored_stencils_give() {
    for_all_variants(|machine, grid, options| {
        let stencils = Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.3);
        let stored = GridHierarchy::stored(machine, &stencils, options).unwrap();
        let constant = GridHierarchy::constant(machine, grid, 0.3, options).unwrap();
        for level in 0..stored.levels() {
            let (expected, got) = (stored.level(level), constant.level(level));
            let u = upload(got.grid(), &got.grid().grid().random(5));
            let b = upload(got.grid(), &got.grid().grid().random(6));
            let (v, w) = (poisoned(got.grid()), poisoned(got.grid()));
            expected.jacobi(0.6, &b, &u, &v).unwrap();
            got.jacobi(0.6, &b, &u, &w).unwrap();
            let expected = wide(&nodes(got.grid(), &v, "stored"));
            assert_close(
                &nodes(got.grid(), &w, "constant"),
                &expected,
                1e-6,
                "jacobi",
            );
        }
    });
}

/// P and S as sparse matrices between the unknowns of two grids.
fn interpolation_matrix(coarse: &Grid, fine: &Grid) -> Csr<f64> {
    let triplets = (0..coarse.nodes()).flat_map(|place| {
        let (i, j) = (place % coarse.columns(), place / coarse.columns());
        OFFSETS.iter().filter_map(move |d| {
            let k = (2 * i).checked_add_signed(d[0])?;
            let l = (2 * j).checked_add_signed(d[1])?;
            let inside = k <= fine.cells[0] && l <= fine.cells[1];
            let unknown = inside && fine.is_computed(k, l) && coarse.is_computed(i, j);
            unknown.then(|| (fine.place(k, l), place, interpolation_weight(*d)))
        })
    });
    Csr::from_triplets(fine.nodes(), coarse.nodes(), triplets).unwrap()
}

/// 1/4 Sᵀ A S, entry by entry.
fn triple_product(a: &Csr<f64>, s: &Csr<f64>) -> Csr<f64> {
    let triplets = a.triplets().flat_map(|(k, l, entry)| {
        s.row(k).flat_map(move |(i, left)| {
            s.row(l)
                .map(move |(j, right)| (i, j, 0.25 * left * entry * right))
        })
    });
    Csr::from_triplets(s.columns(), s.columns(), triplets).unwrap()
}

#[test]
fn composed_stencils_are_the_sparse_triple_product_at_every_node_of_every_level() {
    for_all_variants(|machine, grid, options| {
        let gpu = GridHierarchy::stored(machine, &variable(grid), options).unwrap();
        let mut matrix = variable::<f64>(grid).matrix().unwrap();
        for level in 1..gpu.levels() {
            let (fine, coarse) = (gpu.level(level - 1).grid().grid(), gpu.level(level).grid());
            matrix = triple_product(&matrix, &interpolation_matrix(coarse.grid(), fine));
            let grid = *coarse.grid();
            let streams = gpu.level(level).stored().unwrap();
            let mut entries = vec![[0.0f32; 9]; grid.nodes()];
            for (d, stream) in streams.iter().enumerate() {
                let values = nodes(coarse, stream, "composed");
                entries.iter_mut().zip(values).for_each(|(e, v)| e[d] = v);
            }
            for (place, entries) in entries.iter().enumerate() {
                let (i, j) = (place % grid.columns(), place / grid.columns());
                let diagonal = f64::from(entries[4]);
                let row: Vec<(usize, f64)> = matrix.row(place).collect();
                let mut found = 0;
                for (d, &entry) in OFFSETS.iter().zip(entries) {
                    let (k, l) = (i.checked_add_signed(d[0]), j.checked_add_signed(d[1]));
                    let (Some(k), Some(l)) = (k, l) else {
                        assert_eq!(entry, 0.0, "an entry out of the domain");
                        continue;
                    };
                    if k > grid.cells[0] || l > grid.cells[1] {
                        assert_eq!(entry, 0.0, "an entry out of the domain");
                        continue;
                    }
                    let column = grid.place(k, l);
                    if let Some(&(_, expected)) = row.iter().find(|(c, _)| *c == column) {
                        let error = (f64::from(entry) - expected).abs() / diagonal;
                        assert!(
                            error < 1e-5,
                            "level {level}, ({i}, {j}): {entry}, {expected}"
                        );
                        found += 1;
                    }
                }
                assert_eq!(
                    found,
                    row.len(),
                    "the product has an entry beyond the stencil"
                );
            }
        }
    });
}

#[test]
fn the_coarsest_level_is_solved_by_its_inverse_in_one_pass() {
    for_all_variants(|machine, grid, options| {
        let options = HierarchyOptions {
            coarsest: Coarsest::Inverse,
            coarsest_nodes: grid.nodes() - 1,
            ..options
        };
        let twin = GridTwin::<f64>::new(variable(grid), &options);
        let gpu = GridHierarchy::stored(machine, &variable(grid), options).unwrap();
        let level = gpu.level(1);
        let b = level.grid().grid().random(8);
        let mut u = poisoned(level.grid());
        gpu.solve_coarsest(Start::Zero, &upload(level.grid(), &b), &mut u)
            .unwrap();
        let mut expected = twin.zeros(1).unwrap();
        twin.solve_coarsest(Start::Zero, &wide(&b), &mut expected)
            .unwrap();
        let got = nodes(level.grid(), &u, "inverse");
        assert_close(&got, &expected, 1e-5, "inverse");
    });
}

#[test]
fn synchronising_draws_the_ring_and_nothing_else() {
    let machine = machine();
    let kernels = GridKernels::new(&machine).unwrap();
    let grid = Grid::new(33, 17, NEUMANN).unwrap();
    let layering = Layering {
        grid,
        layout: Layout::Layered,
    };
    let level = LayeredGrid::new(&machine, &kernels, layering, BorderSync::Copy).unwrap();
    let values = random(grid.nodes(), 9);
    let v = upload(&level, &values);
    let mut image = v.read().unwrap();
    let (width, height) = layering.size();
    for (texel, record) in image.chunks_mut(4).enumerate() {
        let (x, y) = (texel as u32 % width, texel as u32 / width);
        if x == 0 || y == 0 || x == width - 1 || y == height - 1 {
            record.fill(f32::NAN);
        }
    }
    v.write(&image).unwrap();
    machine.take_ledger();
    level.sync_border(&v).unwrap();
    let ledger = machine.take_ledger();
    let total = ledger.total();
    assert_eq!((total.passes, total.feedback), (1, 1));
    let inside = Rect::of_size(width - 2, height - 2).area();
    assert_eq!(
        total.fragments,
        Rect::of_size(width, height).area() - inside
    );
    assert_eq!(nodes(&level, &v, "sync"), values);
}

#[test]
fn the_programs_have_about_as_many_instructions_as_the_papers() {
    let machine = machine();
    let kernels = GridKernels::new(&machine).unwrap();
    let stored = OperatorKernels::new(&machine, StencilKind::Stored).unwrap();
    let product = count(&stored.product.inner().text().fragment).unwrap();
    assert_eq!(product.fetches, 18);
    for (what, got, paper) in [
        ("stencil", product.instructions, 27.0),
        (
            "interpolation",
            count(&kernels.interpolate.inner().text().fragment)
                .unwrap()
                .instructions,
            10.0,
        ),
        (
            "projection",
            count(&kernels.project.inner().text().fragment)
                .unwrap()
                .instructions,
            19.0,
        ),
    ] {
        println!("{what}: {got} instructions, the paper's {paper}");
        assert!(
            (f64::from(got) / paper - 1.0).abs() <= 0.35,
            "{what}: {got}"
        );
    }
}

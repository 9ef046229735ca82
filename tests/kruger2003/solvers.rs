//! The solvers of kruger2003 follow double precision iterate by iterate.

use std::collections::BTreeMap;

use fragstream::base::random::SplitMix64;
use fragstream::kruger2003::ListedGradients;
use fragstream::kruger2003::diagonals::Diagonals;
use fragstream::kruger2003::study::claims::layouts::{BOUND, stencil};
use fragstream::kruger2003::study::claims::solvers::sweeps_error;
use fragstream::kruger2003::{DiagonalMatrix, Error, GaussSeidel, Matrix, ProductOptions};
use fragstream::solver::{Criteria, Csr, Reason, TextureSpace};
use fragstream::stream::{Format, Layout, Stream};

use proptest::prelude::*;

use crate::common::machine;

#[test]
fn an_iteration_makes_the_calls_that_the_paper_lists_and_reads_three_texels_back() {
    let machine = machine();
    let layout = Layout::grid((64, 64), Format::R32F);
    let space = TextureSpace::new(&machine, layout).unwrap();
    let a = stencil(64, 64, 0.0);
    let gpu = DiagonalMatrix::new(&machine, layout, &a, ProductOptions::default()).unwrap();
    let b = space.vector(&SplitMix64::new(2).vector(a.rows())).unwrap();
    let mut x = space.zeros().unwrap();
    let mut pages = Vec::new();
    let mut listed = ListedGradients::new(&space).unwrap();
    let (system, criteria) = ((&gpu as &dyn Matrix, &b), Criteria::exactly(5));
    let turn = |_: &Stream| pages.push(machine.take_ledger());
    listed.solve(&space, system, &mut x, &criteria, turn).unwrap();
    // From one iterate to the next: lines 5 to 13.
    let page = &pages[3];
    let mut passes: BTreeMap<&str, u64> = BTreeMap::new();
    for (text, account) in &page.kernels {
        let file = text.name.split(' ').next().unwrap();
        *passes.entry(file).or_default() += account.sum().passes;
    }
    let expected = [
        ("kruger2003/matrices/diagonals", 1),
        ("stream/vector_op", 3),
        ("stream/reduce", 3 * 5),
        ("stream/reduce_product", 3),
    ];
    assert_eq!(passes, BTreeMap::from(expected));
    assert_eq!((page.uploads, page.texels_read_back), (0, 3));
}

#[test]
fn gauss_seidel_draws_a_column_at_a_time_or_as_early_as_it_can() {
    let machine = machine();
    let (width, height) = (12, 10);
    let a = stencil(width, height, 0.0);
    let space = TextureSpace::new(&machine, Layout::grid((12, 10), Format::R32F)).unwrap();
    let earliest = GaussSeidel::new(&space, &a).unwrap();
    // The last column has nothing below its diagonal.
    let columns = GaussSeidel::by_columns(&space, &a).unwrap();
    assert_eq!(columns.draws(), width * height - 1);
    // The front moves diagonally over the grid; each node is hit from the left and from below.
    assert!(earliest.draws() <= 2 * (width + height), "{}", earliest.draws());
    let scaled = space.vector(&vec![1.0; a.rows()]).unwrap();
    let mut x = space.zeros().unwrap();
    earliest.sweep(&space, &scaled, &mut x).unwrap();
    machine.take_ledger();
    earliest.sweep(&space, &scaled, &mut x).unwrap();
    let ledger = machine.take_ledger();
    let off_diagonal = (a.entries() - a.rows()) as u64;
    assert_eq!(ledger.total().points, off_diagonal);
    assert_eq!((ledger.uploads, ledger.read_backs), (0, 0));
}

#[test]
fn sweeps_over_vertices_follow_double_precision() {
    let a = stencil(33, 27, 0.1);
    let b = SplitMix64::new(1).vector(a.rows());
    let layout = Layout::square(b.len(), Format::R32F).unwrap();
    let space = TextureSpace::new(&machine(), layout).unwrap();
    let solver = GaussSeidel::new(&space, &a).unwrap();
    let error = sweeps_error(&space, &solver, &a, &b, 20).unwrap();
    assert!(error <= BOUND, "{error}");
}

#[test]
fn every_way_of_stopping_has_its_name() {
    let machine = machine();
    let a = stencil(15, 14, 0.3);
    let b = SplitMix64::new(6).vector(a.rows());
    let space = TextureSpace::new(&machine, Layout::grid((15, 14), Format::R32F)).unwrap();
    let solver = GaussSeidel::new(&space, &a).unwrap();
    let criteria = Criteria::default();
    let bv = space.vector(&b).unwrap();
    let few = Criteria { max_iterations: 3, ..criteria };
    let mut x = space.zeros().unwrap();
    let outcome = solver.solve(&space, &bv, &mut x, &few, |_| {}).unwrap();
    assert_eq!((outcome.reason, outcome.iterations), (Reason::MaximumIterations, 3));
    let unreachable = Criteria { rtol: 0.0, patience: 20, ..criteria };
    let outcome = solver.solve(&space, &bv, &mut x, &unreachable, |_| {}).unwrap();
    assert_eq!(outcome.reason, Reason::Stagnated);
    let off = Csr::from_triplets(2, 2, [(0, 0, 1.0), (0, 1, 3.0), (1, 0, 3.0), (1, 1, 1.0)]);
    let pair = TextureSpace::new(&machine, Layout::square(2, Format::R32F).unwrap()).unwrap();
    let diverging = GaussSeidel::new(&pair, &off.unwrap()).unwrap();
    let (ones, mut away) = (pair.vector(&[1.0; 2]).unwrap(), pair.zeros().unwrap());
    let outcome = diverging.solve(&pair, &ones, &mut away, &criteria, |_| {});
    assert_eq!(outcome.unwrap().reason, Reason::Diverged);
    let zero = space.zeros().unwrap();
    let outcome = solver.solve(&space, &zero, &mut x, &criteria, |_| {}).unwrap();
    assert_eq!((outcome.reason, outcome.iterations), (Reason::Converged, 0));
    assert!(x.read().unwrap().iter().all(|&v| v == 0.0));
}

#[test]
fn a_zero_pivot_is_refused_by_its_name() {
    let machine = machine();
    let space = TextureSpace::new(&machine, Layout::square(3, Format::R32F).unwrap()).unwrap();
    let a = Csr::from_triplets(3, 3, [(0, 0, 1.0), (1, 0, 2.0), (2, 2, 1.0)]).unwrap();
    match GaussSeidel::new(&space, &a).err() {
        Some(error @ Error::ZeroPivot { row: 1, .. }) => {
            assert!(error.to_string().starts_with("zero pivot"));
        }
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_diagonals_of_any_matrix_in_any_room_hold_its_entries(
        n in 1..40usize,
        room in 0..9usize,
        entries in prop::collection::vec((0..40usize, 0..40usize, -1.0..1.0f64), 0..200),
    ) {
        let entries = entries.into_iter().filter(|&(i, j, _)| i < n && j < n);
        let a = Csr::from_triplets(n, n, entries).unwrap();
        let stored = Diagonals::new(&a, n + room);
        let held = stored.entries.iter().flat_map(|(&number, diagonal)| {
            let column = move |row| (row + number) % (n + room);
            diagonal.iter().enumerate().map(move |(row, &value)| (row, column(row), value))
        });
        let mut held: Vec<_> = held.filter(|entry| entry.2 != 0.0).collect();
        held.sort_by_key(|entry| (entry.0, entry.1));
        prop_assert_eq!(held, a.triplets().filter(|entry| entry.2 != 0.0).collect::<Vec<_>>());
    }
}

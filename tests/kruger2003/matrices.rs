//! Every layout of a matrix gives the product that double precision gives.

use fragstream::base::random::SplitMix64;
use fragstream::claim::difference;
use fragstream::kruger2003::study::claims::layouts::{all_layouts, sparse};
use fragstream::kruger2003::{
    Accumulation, BandMatrix, ColumnMatrix, DiagonalMatrix, Error, Matrix, ProductOptions,
    VertexMatrix,
};
use fragstream::solver::Csr;
use fragstream::stream::{Format, Layout, Stream, StreamError};

use crate::common::{dense, machine, wide};
use crate::solver::samples::times;

fn csr(n: usize, triplets: impl IntoIterator<Item = (usize, usize, f64)>) -> Csr<f64> {
    Csr::from_triplets(n, n, triplets).expect("indices within the matrix")
}

/// The five-point stencil of a grid, not symmetric, so that a transpose is seen.
fn stencil(width: usize, height: usize) -> Csr<f64> {
    let mut triplets = Vec::new();
    for i in 0..width * height {
        triplets.push((i, i, 5.0));
        if i % width > 0 {
            triplets.extend([(i, i - 1, -1.0), (i - 1, i, -1.5)]);
        }
        if i >= width {
            triplets.extend([(i, i - width, -2.0), (i - width, i, -0.5)]);
        }
    }
    csr(width * height, triplets)
}

#[test]
fn a_diagonal_and_its_counterpart_share_a_texture_and_empty_ones_are_dropped() {
    let machine = machine();
    let n = 64;
    let single = Layout::square(n, Format::R32F).unwrap();
    let options = ProductOptions::default();
    let numbers = |matrix: &Csr<f64>| -> Vec<usize> {
        DiagonalMatrix::new(&machine, single, matrix, options).unwrap().numbers().collect()
    };
    // The diagonal from column 5 of row 0 and the one from row 59 of column 0.
    let pair = (0..n - 5).map(|i| (i, i + 5, 1.0)).chain((0..5).map(|i| (i + 59, i, 2.0)));
    assert_eq!(numbers(&csr(n, pair)), [5]);
    assert!(numbers(&csr(n, [])).is_empty());
    assert!(numbers(&csr(n, [(3, 3, 0.0)])).is_empty());
    assert_eq!(numbers(&dense(n, 1)).len(), n);
    // Five diagonals of a stencil have five different numbers: none is another's counterpart.
    assert_eq!(numbers(&stencil(8, 8)), [0, 1, 8, 56, 63]);
}

#[test]
fn as_many_diagonals_in_a_pass_as_fit_the_program() {
    let machine = machine();
    let matrix = dense(30, 1);
    for packing in [Format::R32F, Format::Rgba32F] {
        let layout = Layout::square(30, packing).unwrap();
        let entries = SplitMix64::new(1).vector(30);
        let expected = times(&matrix, &wide(&entries));
        let x = Stream::from_entries(&machine, "vector", layout, &entries).unwrap();
        let mut y = Stream::vector(&machine, "vector", layout).unwrap();
        // As many columns per pass as the program takes.
        let columns = ColumnMatrix::new(&machine, layout, &matrix, ProductOptions::default());
        columns.unwrap().multiply(&x, &mut y).unwrap();
        assert!(difference(&y.read().unwrap(), &expected) < 3e-6);
        for (per_pass, passes) in [(1, layout.capacity()), (10, layout.capacity().div_ceil(10))] {
            for accumulation in Accumulation::ALL {
                let options = ProductOptions { per_pass: Some(per_pass), accumulation };
                let gpu = DiagonalMatrix::new(&machine, layout, &matrix, options).unwrap();
                machine.take_ledger();
                gpu.multiply(&x, &mut y).unwrap();
                let ledger = machine.take_ledger();
                let passes = passes as u64;
                assert_eq!(ledger.total().passes, passes);
                assert_eq!((ledger.uploads, ledger.read_backs), (0, 0));
                let (switches, feedback) = match accumulation {
                    Accumulation::PingPong => (passes, 0),
                    Accumulation::InPlace => (1, passes),
                };
                assert_eq!(ledger.target_switches, switches);
                assert_eq!(ledger.total().feedback, feedback);
                assert!(difference(&y.read().unwrap(), &expected) < 3e-6);
            }
        }
    }
    let layout = Layout::square(30, Format::R32F).unwrap();
    for got in [0, 11] {
        let options = ProductOptions { per_pass: Some(got), ..ProductOptions::default() };
        let refused = DiagonalMatrix::new(&machine, layout, &matrix, options).err();
        assert!(matches!(refused, Some(Error::PerPass { most: 10, .. })));
    }
}

#[test]
fn no_two_points_of_a_draw_hit_the_same_row_and_all_are_counted() {
    let machine = machine();
    let matrix = sparse(500, 9, 2).unwrap();
    let lengths = (0..matrix.rows()).map(|row| matrix.row(row).count());
    let longest = lengths.max().unwrap();
    let layout = Layout::square(500, Format::R32F).unwrap();
    let x =
        Stream::from_entries(&machine, "vector", layout, &SplitMix64::new(3).vector(500)).unwrap();
    let mut y = Stream::vector(&machine, "vector", layout).unwrap();
    let gpu = VertexMatrix::new(&machine, layout, &matrix, Accumulation::PingPong).unwrap();
    machine.take_ledger();
    gpu.multiply(&x, &mut y).unwrap();
    let ledger = machine.take_ledger();
    let total = ledger.total();
    assert_eq!((gpu.passes(), total.passes), (longest, longest as u64));
    assert_eq!(total.points, matrix.entries() as u64);
    assert_eq!((total.fragments, total.rectangles), (total.points, 0));
    assert_eq!((ledger.uploads, total.feedback), (0, 0));
    assert_eq!(gpu.vertices(), total.points);
}

#[test]
fn one_representative_set_of_vertices_serves_all_inner_columns() {
    let machine = machine();
    let matrix = stencil(16, 12);
    let n = matrix.rows();
    let layout = Layout::grid((16, 12), Format::R32F);
    let gpu = BandMatrix::new(&machine, layout, &matrix).unwrap();
    // Inside, at four sides and at four corners.
    assert_eq!(gpu.patterns(), 9);
    assert_eq!(gpu.vertices(), 5 + 4 * 4 + 4 * 3);
    let x = SplitMix64::new(4).vector(n);
    let xv = Stream::from_entries(&machine, "vector", layout, &x).unwrap();
    let mut y = Stream::vector(&machine, "vector", layout).unwrap();
    machine.take_ledger();
    gpu.multiply(&xv, &mut y).unwrap();
    let ledger = machine.take_ledger();
    assert_eq!((ledger.uploads, ledger.total().passes), (0, n as u64));
    assert_eq!(ledger.total().points, matrix.entries() as u64);
    assert!(difference(&y.read().unwrap(), &times(&matrix, &wide(&x))) < 1e-6);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let machine = machine();
    let layout = Layout::square(9, Format::R32F).unwrap();
    let matrix = dense(9, 1);
    let oblong = Csr::from_triplets(9, 8, [(0, 0, 1.0)]).unwrap();
    let shape = |error: Option<Error>| {
        let expected = Error::Shape { rows: 9, columns: 8, length: 9 };
        assert_eq!(error, Some(expected));
    };
    let (diagonal, column) = (ProductOptions::default(), ProductOptions::default());
    let accumulation = Accumulation::default();
    shape(DiagonalMatrix::new(&machine, layout, &oblong, diagonal).err());
    shape(ColumnMatrix::new(&machine, layout, &oblong, column).err());
    shape(VertexMatrix::new(&machine, layout, &oblong, accumulation).err());
    shape(BandMatrix::new(&machine, layout, &oblong).err());

    let quads = Layout::square(9, Format::Rgba32F).unwrap();
    let refused = VertexMatrix::new(&machine, quads, &matrix, accumulation).err();
    assert!(matches!(refused, Some(Error::Format { .. })));
    let refused = BandMatrix::new(&machine, quads, &matrix).err();
    assert!(matches!(refused, Some(Error::Format { .. })));

    let other = Stream::vector(&machine, "vector", quads).unwrap();
    let mut y = Stream::vector(&machine, "vector", layout).unwrap();
    for (kind, gpu) in all_layouts(&machine, layout, &matrix).unwrap() {
        let refused = gpu.multiply(&other, &mut y);
        let is_size = matches!(refused, Err(StreamError::Size { what, .. }) if what == "x");
        assert!(is_size, "{kind}");
    }
}

#[test]
fn a_dense_matrix_over_the_limit_is_refused_and_told_where_to_go() {
    let machine = machine();
    let limit = machine.description().rectangle_limit as usize;
    for (packing, n, remedy) in [
        (Format::R32F, limit + 1000, "Format::Rgba32F"),
        (Format::R32F, 4 * limit, "vertices"),
        (Format::Rgba32F, 4 * limit, "vertices"),
    ] {
        let layout = Layout::square(n, packing).unwrap();
        let matrix = csr(n, [(0, 0, 1.0)]);
        let refused = ColumnMatrix::new(&machine, layout, &matrix, ProductOptions::default());
        match refused.err() {
            Some(Error::Stream(error @ StreamError::TooLarge { .. })) => {
                let message = error.to_string();
                assert!(message.contains(remedy) && message.contains(&limit.to_string()));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn scattered_entries_of_a_large_matrix_are_too_many_diagonals() {
    let machine = machine();
    // Each entry on a diagonal of its own: 30 000 textures of 160 KB.
    let n = 40_000;
    let matrix = csr(n, (0..30_000).map(|i| (i, (2 * i + 1) % n, 1.0)));
    let layout = Layout::square(n, Format::R32F).unwrap();
    let options = ProductOptions::default();
    match DiagonalMatrix::new(&machine, layout, &matrix, options).err() {
        Some(error @ Error::TooMuchMemory { .. }) => {
            let message = error.to_string();
            assert!(
                message.contains("30000 diagonals") && message.contains("vertices"),
                "{message}"
            );
        }
        other => panic!("{other:?}"),
    }
    let vertices = VertexMatrix::new(&machine, layout, &matrix, Accumulation::default());
    assert!(vertices.is_ok(), "where the message sends to");
}

//! Texture caches over traces: by hand, against independent programs, and against the ledger.

use std::rc::Rc;

use fragstream::bolz2003::sparse::flow::FlowLayout;
use fragstream::bolz2003::sparse::matrix::{MatrixImages, pack, row_lengths};
use fragstream::bolz2003::sparse::packing::{Packing, PackingOptions};
use fragstream::bolz2003::sparse::spmv::SparseMatrix;
use fragstream::bolz2003::study::cases::{Vertices, scan, traffic};
use fragstream::card::cache::{Cache, Sets, Shape, Warps};
use fragstream::card::count::count;
use fragstream::card::dialect::user_source;
use fragstream::card::traffic::{StreamTraffic, Traffic};
use fragstream::geveler2011::Element;
use fragstream::geveler2011::traffic::{matrices, rates};
use fragstream::mesh::connectivity::{Connectivity, VertexKind};
use fragstream::program::interpret::Order;
use fragstream::solver::Csr;
use fragstream::stream::{
    Edges, Format, Limits, Machine, Pass, Reduce, Reduction, Stream, StreamError,
};

use crate::card::programs::{Open, assembled};
use crate::common::machine;
use crate::solver::samples::membrane;

const ORDERS: [Order; 2] = [Order::Batches, Order::Fragments];

/// Traffic of what a function draws.
fn traced(machine: &Machine, shapes: Vec<Shape>, order: Order, draw: impl FnOnce()) -> Rc<Traffic> {
    let traffic = Traffic::of(machine, shapes, order, || {
        draw();
        Ok::<_, StreamError>(())
    });
    let traffic = traffic.expect("a machine");
    assert!(traffic.untraced().is_empty(), "{:?}", traffic.untraced());
    traffic
}

#[test]
fn ten_accesses_by_hand() {
    // Two sets of two lines with 16 bytes: lines 0, 2, 4 share a set.
    let shape = Shape { bytes: 64, line: 16, ways: 2, sets: Sets::Plain };
    let mut cache = Cache::new(shape);
    let accesses = [
        (0, false),  // line 0
        (15, true),  // line 0
        (16, false), // line 1, in the other set
        (32, false), // line 2
        (3, true),   // line 0 is younger than line 2 now
        (64, false), // line 4 replaces line 2
        (5, true),   // line 0
        (40, false), // line 2 replaces line 4
        (17, true),  // line 1 was never touched by these
        (70, false), // line 4 replaces line 0
    ];
    for (number, (address, is_hit)) in accesses.into_iter().enumerate() {
        assert_eq!(cache.fetch(address), is_hit, "access {number}");
    }
}

#[test]
fn half_warps_fetch_a_line_once_and_blocks_are_in_step() {
    let warps = Warps { clusters: 1, blocks: 2, threads: 2, half_warp: 2 };
    // One line of 16 bytes: two elements of 8 bytes.
    let shape = Shape { bytes: 16, line: 16, ways: 1, sets: Sets::Plain };
    // Rows 0 and 1 are a block, rows 2 and 3 another one. Step 0: lines 0, then 1 and 2; step 1: line 0 only.
    let accesses = [0, 8, 8, 16, 32];
    let rows = [0..2, 2..3, 3..4, 4..5];
    // A second level holds everything: three lines.
    let second = Shape { bytes: 256, ..shape };
    let moved = warps.bytes_moved(&accesses, &rows, shape, second);
    assert_eq!(moved, [16 * (1 + 2 + 1), 16 * 3]);
    // Segments of two elements: two for the rows 0 and 1, one for the others.
    assert_eq!(Warps::bytes_streamed(&rows, 8, 16), 16 * 3);
}

#[test]
fn streaming_moves_exactly_its_bytes() {
    let machine = machine();
    let text = "uniform stream x; void main() { result = fetch(x, here); }";
    let source = user_source("copy", text.to_owned(), Limits::NV30).expect("a program");
    let kernel = machine.kernel(&source, &[]).expect("a kernel");
    for format in [Format::R32F, Format::Rg32F, Format::Rgba32F] {
        let x = Stream::zeros(&machine, "x", (64, 48), format).expect("memory");
        let target = Stream::zeros(&machine, "target", (64, 48), format).expect("memory");
        for order in ORDERS {
            let shapes = Shape::range(&[2, 8, 16]);
            let traffic = traced(&machine, shapes, order, || {
                Pass::new(&kernel).read("x", &x).draw(&target, target.full()).expect("a pass");
            });
            for moved in traffic.bytes_moved() {
                assert_eq!(moved, 64 * 48 * format.bytes() as u64, "{format} {order:?}");
            }
        }
    }
}

/// Number of times that caches move each texel in the first pass of a sum over 512² texels.
fn reduction(order: Order, shapes: Vec<Shape>, by_quadrants: bool) -> Vec<f64> {
    let machine = machine();
    let x = Stream::zeros(&machine, "x", (512, 512), Format::Rgba32F).expect("memory");
    let sum = Reduction::new(&machine, (512, 512), Format::Rgba32F, Reduce::Sum, Edges::Padded);
    let sum = sum.expect("memory").stopping_at(256 * 256);
    let sum = if by_quadrants { sum.by_quadrants(&machine).expect("memory") } else { sum };
    let traffic = traced(&machine, shapes, order, || {
        sum.of(&x).expect("a sum");
    });
    let bytes: u64 = traffic.streams().values().map(|stream| stream.bytes).sum();
    assert_eq!(bytes, 512 * 512 * 16);
    traffic.bytes_moved().iter().map(|&moved| moved as f64 / bytes as f64).collect()
}

#[test]
fn a_reduction_in_batches_moves_twice_its_bytes_through_a_small_cache() {
    // As an independent program finds for the same settings (16 or 32 bytes per texel).
    let shape = |line, kb| Shape { line, ..Shape::of_kb(kb) };
    let shapes = [32, 64, 128].map(|line| [2, 4, 8, 16, 32].map(|kb| shape(line, kb))).concat();
    let in_batches = [[2.0, 2.0, 2.0, 1.0, 1.0]; 3].concat();
    assert_eq!(reduction(Order::Batches, shapes.clone(), false), in_batches);
    assert_eq!(reduction(Order::Fragments, shapes, false), [1.0; 15]);
    assert_eq!(reduction(Order::Batches, vec![shape(32, 8)], true), [1.0]);
}

/// The traffic of a product with the scan's matrix, the neighbours of a vertex in ascending order.
fn product(vertices: Vertices, order: Order, shapes: Vec<Shape>) -> Rc<Traffic> {
    let (machine, mesh) = (machine(), scan(vertices).expect("the scan"));
    let rings = Connectivity::new(&mesh).expect("a mesh");
    let packing = FlowLayout::new(&rings, &PackingOptions::default()).expect("a packing").packing;
    let interior = (0..rings.vertices()).filter(|&i| rings.kind()[i] == VertexKind::Interior);
    let entries = interior.flat_map(|i| {
        let ring = rings.neighbours()[rings.ring(i)].iter();
        ring.map(move |&j| (i, j as usize, 1.0)).chain([(i, i, 1.0)])
    });
    let n = rings.vertices();
    let matrix = Csr::from_triplets(n, n, entries).expect("a matrix");
    let images = MatrixImages::new(&packing, &matrix).expect("a packing of this matrix");
    let format = Format::Rgba32F;
    let matrix = SparseMatrix::upload(&machine, &packing, &images, format).expect("memory");
    let vector = || Stream::zeros(&machine, "vector", packing.size, format).expect("memory");
    let (x, y) = (vector(), vector());
    traced(&machine, shapes, order, || matrix.multiply(&x, &y).expect("a product"))
}

/// Per cent of misses of all fetches in a cache, and megabytes moved.
fn misses(traffic: &Traffic, cache: usize) -> [f64; 2] {
    let (fetches, misses) = traffic.misses();
    [100.0 * misses[cache] as f64 / fetches as f64, traffic.bytes_moved()[cache] as f64 / 1e6]
}

/// Compares a trace with the misses and megabytes of product.cpp, which packs the scan by itself: textures in rows, 4 ways.
fn assert_near(traffic: &Traffic, expected: &[[f64; 2]]) {
    for (cache, &[percent, megabytes]) in expected.iter().enumerate() {
        let found = misses(traffic, cache);
        let is_near = (found[0] - percent).abs() < 0.1 && (found[1] / megabytes - 1.0).abs() < 0.01;
        assert!(is_near, "{cache}: {found:?} for {percent} {megabytes}");
    }
}

#[test]
fn the_sparse_product_misses_as_often_as_an_independent_program_finds() {
    use Order::{Batches, Fragments};
    use Vertices::{Curve, Shuffled};
    for (vertices, order, kb, expected) in [
        (Curve, Batches, &[2, 64][..], &[[73.9, 17.32], [24.8, 5.81]][..]),
        (Curve, Fragments, &[8], &[[21.1, 4.94]]),
        (Shuffled, Fragments, &[8], &[[43.9, 10.29]]),
    ] {
        let shapes = kb.iter().map(|&kb| Shape::of_kb(kb)).collect();
        assert_near(&product(vertices, order, shapes), expected);
    }
}

#[test]
fn neighbours_in_the_order_of_the_ring_change_the_gathers_alone() {
    let shapes = || vec![Shape::of_kb(8)];
    let ascending = product(Vertices::File, Order::Batches, shapes());
    assert_near(&ascending, &[[76.6, 17.96]]);
    let mesh = scan(Vertices::File).expect("the scan");
    let ring = traffic(&machine(), &mesh, Order::Batches, shapes()).expect("the scan");
    let others = |traffic: &Traffic| {
        let mut streams = traffic.streams();
        streams.retain(|(_, stream), _| stream != "x");
        streams
    };
    assert_eq!(others(&ascending), others(&ring));
    let [ascending, ring] = [ascending, ring].map(|traffic| misses(&traffic, 0)[0]);
    assert!((ring - ascending).abs() < 2.0, "{ring} {ascending}");
}

#[test]
fn the_trace_of_a_product_on_a_mesh_of_25_nodes_is_that_of_its_definition() {
    let (machine, matrix) = (machine(), membrane(5));
    let options = PackingOptions { rectangle: [4, 2], ..PackingOptions::default() };
    let (packing, [images]) = pack([&matrix], &options).expect("a packing");
    let stored = SparseMatrix::upload(&machine, &packing, &images, Format::R32F).expect("memory");
    let vector = || Stream::zeros(&machine, "vector", packing.size, Format::R32F).expect("memory");
    let (x, y) = (vector(), vector());
    // Large enough for everything, and so small that the order of the fetches decides.
    let shapes: Vec<Shape> =
        [1 << 16, 64, 128].into_iter().map(|bytes| Shape { bytes, ..Shape::of_kb(1) }).collect();
    for order in ORDERS {
        let traffic = traced(&machine, shapes.clone(), order, || {
            stored.multiply(&x, &y).expect("a product");
        });
        let (fetches, misses) = by_definition(&packing, &matrix, order, &shapes);
        assert_eq!(traffic.misses(), (fetches, misses), "{order:?}");
    }
    // 3 fetches per row, 3 per entry off the diagonal, padding included: rows of 2, 3, 4 in rectangles of 8.
    let mut lengths: Vec<u32> = row_lengths(&matrix).expect("rows").into_iter().flatten().collect();
    lengths.sort_unstable();
    assert_eq!(lengths, [vec![2; 4], vec![3; 12], vec![4; 9]].concat());
}

/// Fetches and misses of a product, from the positions of its rows and entries.
fn by_definition(
    packing: &Packing,
    matrix: &Csr<f64>,
    order: Order,
    shapes: &[Shape],
) -> (u64, Vec<u64>) {
    // In the order of the program's declarations: the first bytes of the textures.
    let [diagonal, offdiagonal, row_pointer, column_pointer, x] =
        [0, 1, 2, 3, 4].map(|k: u64| k << 24);
    let width = |size: (u32, u32)| u64::from(size.0);
    let at = |[column, row]: [u32; 2], width: u64| u64::from(row) * width + u64::from(column);
    let own = |texel| at(texel, width(packing.size));
    let mut total = 0;
    let mut misses = vec![0; shapes.len()];
    for group in &packing.groups {
        let mut caches: Vec<Cache> = shapes.iter().map(|&shape| Cache::new(shape)).collect();
        for rect in &group.rects {
            let tuples =
                (0..rect.height / 2).flat_map(|v| (0..rect.width / 2).map(move |u| (2 * u, 2 * v)));
            let texels = tuples.flat_map(|(u, v)| {
                [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| [rect.x + u + i, rect.y + v + j])
            });
            // The addresses of each fragment, in the order of its program.
            let fragments: Vec<Vec<u64>> = texels
                .map(|texel| {
                    let row = packing.texel.iter().position(|&one| one == texel);
                    let segment = row.map_or(packing.dummy_segment, |row| packing.segment[row]);
                    let mut others: Vec<[u32; 2]> = row
                        .into_iter()
                        .flat_map(|row| matrix.row(row).filter(move |&(column, _)| column != row))
                        .map(|(column, _)| packing.texel[column])
                        .collect();
                    others.resize(group.row_length as usize, packing.zero);
                    let mut fetches = vec![
                        row_pointer + 8 * own(texel),
                        diagonal + 4 * own(texel),
                        x + 4 * own(texel),
                    ];
                    for (c, other) in others.into_iter().enumerate() {
                        let entry = at(segment, width(packing.segment_size)) + c as u64;
                        fetches.extend([
                            offdiagonal + 4 * entry,
                            column_pointer + 8 * entry,
                            x + 4 * own(other),
                        ]);
                    }
                    fetches
                })
                .collect();
            let length = fragments[0].len();
            let sequence: Vec<u64> = match order {
                Order::Batches => {
                    (0..length).flat_map(|k| fragments.iter().map(move |one| one[k])).collect()
                }
                Order::Fragments => fragments.concat(),
            };
            total += sequence.len() as u64;
            for (cache, misses) in caches.iter_mut().zip(&mut misses) {
                *misses += sequence.iter().filter(|&&address| !cache.fetch(address)).count() as u64;
            }
        }
    }
    (total, misses)
}

#[test]
fn the_trace_of_every_program_has_the_ledger_s_fetches() {
    let machine = machine();
    // The number of fetches does not depend on the order.
    for (line, order) in assembled().iter().zip(ORDERS.into_iter().cycle()) {
        check(&machine, line, order);
    }
}

fn check(machine: &Machine, line: &Open, order: Order) {
    let kernel = line.kernel(machine);
    let Ok(count) = count(&kernel.text().fragment) else { return };
    machine.take_ledger();
    let traffic = traced(machine, vec![Shape::of_kb(8)], order, || drop(line.drawn(machine)));
    let fragments = machine.ledger().total().fragments;
    let streams = traffic.streams();
    let traced = |name: &str| {
        let mut streams = streams.iter();
        let found = streams.find(|((_, stream), _)| stream == name);
        found.map_or(0, |(_, StreamTraffic { fetches, .. })| *fetches)
    };
    // How often a loop over data ran is what its own streams were fetched for; all must agree.
    let iterations = count.data_loop.as_ref().map(|data_loop| {
        let all = count.by_stream.iter().find_map(|stream| {
            let outside = data_loop.outside.iter().find(|one| one.name == stream.name);
            let inside = u64::from(stream.all - outside.map_or(0, |one| one.all));
            let ran =
                traced(&stream.name) - fragments * outside.map_or(0, |one| u64::from(one.all));
            (inside > 0).then(|| ran * u64::from(data_loop.iterations) / inside)
        });
        all.unwrap_or_default()
    });
    for (name, fetches) in count.fetches_of(fragments, iterations) {
        assert_eq!(traced(name), fetches, "{line:?}: {name}");
    }
}

#[test]
fn rates_on_the_gpu_of_2011_are_those_of_an_independent_program() {
    // GFlop/s of gt200.cpp, with indices of 8 bytes, on the matrices of CIRCLE, Q2 level 6: 2LV, CM, XYZ, STO, HIE.
    let shape = Shape { bytes: 16 << 10, line: 64, ways: 8, sets: Sets::Hashed };
    let matrices = matrices(Element::Q2, 6).expect("a mesh");
    for (matrix, expected) in matrices.zip(EXPECTED) {
        for (found, expected) in rates(&matrix, &[shape])[0].into_iter().zip(expected) {
            assert!((found / 1e9 / expected - 1.0).abs() < 0.01, "{found} for {expected}");
        }
    }
}

/// Without and with a second level of 256 KB.
const EXPECTED: [[f64; 2]; 5] =
    [[10.40, 18.16], [7.53, 11.77], [9.56, 14.13], [4.11, 12.20], [8.11, 12.24]];

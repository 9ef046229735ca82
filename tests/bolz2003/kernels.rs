//! The kernels of bolz2003 agree with double precision, on random data and awkward sizes.

use crate::common::machine;
use fragstream::base::random::SplitMix64;
use fragstream::bolz2003::sparse::matrix::pack;
use fragstream::bolz2003::sparse::packing::{Packing, PackingOptions};
use fragstream::bolz2003::sparse::spmv::SparseMatrix;
use fragstream::claim::difference;
use fragstream::solver::{Csr, Operator, TextureDiagonal, TextureSpace};
use fragstream::stream::{Format, Layout, Machine, Stream};

/// A matrix with rows of 0 to `longest` entries off the diagonal at random places.
fn random_matrix(n: usize, longest: usize, seed: u64) -> Csr<f64> {
    let mut random = SplitMix64::new(seed);
    let mut triplets = Vec::new();
    for row in 0..n {
        triplets.push((row, row, 1.0 + random.uniform()));
        for _ in 0..random.below(longest + 1) {
            triplets.push((row, random.below(n), random.uniform() - 0.5));
        }
    }
    Csr::from_triplets(n, n, triplets).unwrap()
}

/// A vector of four channels in texture order.
fn random_records(packing: &Packing, seed: u64) -> Vec<[f32; 4]> {
    let mut random = SplitMix64::new(seed);
    let values: Vec<[f32; 4]> = (0..packing.values())
        .map(|_| std::array::from_fn(|_| random.uniform() as f32 - 0.5))
        .collect();
    packing.scatter(&values)
}

fn options(width: u32, height: u32, longest_pass: u32) -> PackingOptions {
    PackingOptions { rectangle: [width, height], longest_pass, ..PackingOptions::default() }
}

/// The product on the machine against the plain product in double precision, in every channel.
fn assert_product(machine: &Machine, matrix: &Csr<f64>, options: &PackingOptions) {
    let (packing, [images]) = pack([matrix], options).unwrap();
    let x = random_records(&packing, 7);
    for format in [Format::R32F, Format::Rgba32F] {
        let channels = format.channels();
        let uploaded: Vec<f32> = x.iter().flat_map(|r| r[..channels].to_vec()).collect();
        let gpu = SparseMatrix::upload(machine, &packing, &images, format).unwrap();
        let x_stream = Stream::from_data(machine, "x", packing.size, format, &uploaded).unwrap();
        let y_stream = Stream::zeros(machine, "y", packing.size, format).unwrap();
        gpu.multiply(&x_stream, &y_stream).unwrap();
        let y = y_stream.read().unwrap();

        for channel in 0..channels {
            let vector: Vec<f64> =
                packing.gather(&x).iter().map(|r| f64::from(r[channel])).collect();
            let mut exact = vec![0.0; vector.len()];
            matrix.multiply(&vector, &mut exact).unwrap();
            let found: Vec<f32> = y.iter().skip(channel).step_by(channels).copied().collect();
            let error = difference(&packing.gather(&found), &exact);
            assert!(error < 1e-5, "{error} for {options:?}");
        }
    }
}

#[test]
fn products_of_random_matrices_agree_in_rectangles_of_any_size() {
    let machine = machine();
    for (n, longest) in [(1, 0), (2, 1), (7, 3), (100, 0), (469, 9), (1500, 12), (350, 450)] {
        let matrix = random_matrix(n, longest, n as u64);
        for (width, height) in [(26, 18), (1, 1), (3, 5), (64, 64)] {
            assert_product(&machine, &matrix, &options(width, height, 200));
        }
    }
}

#[test]
fn dividing_by_the_diagonal_agrees_and_leaves_zeros_where_there_is_no_row() {
    let machine = machine();
    let lengths: Vec<Option<u32>> = (0..700).map(|i| (i % 5 > 0).then_some(0)).collect();
    let packing = Packing::new(&lengths, &options(3, 5, 200)).unwrap();
    let r = random_records(&packing, 1);
    let diagonal: Vec<f32> =
        (0..700).map(|i| if i % 5 > 0 { 1.0 + i as f32 } else { 0.0 }).collect();
    let diagonal = packing.scatter(&diagonal);
    let divided = diagonal.iter().zip(&r).map(|(&d, r)| match d {
        0.0 => [0.0; 4],
        d => r.map(|r| r / d),
    });
    let expected: Vec<[f32; 4]> = divided.collect();
    let space = TextureSpace::new(&machine, Layout::grid(packing.size, Format::Rgba32F)).unwrap();
    let diagonal = Stream::from_data(&machine, "d", packing.size, Format::R32F, &diagonal).unwrap();
    let r = space.vector(r.as_flattened()).unwrap();
    let mut z = space.zeros().unwrap();
    let preconditioner = TextureDiagonal::new(&space, &diagonal).unwrap();
    preconditioner.apply(&space, &r, &mut z).unwrap();
    let error = difference(&z.read().unwrap(), expected.as_flattened());
    assert!(error < 1e-6, "{error}");
}

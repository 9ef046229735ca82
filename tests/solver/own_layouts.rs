//! Layouts from outside the crate, whose vectors do not fill their texture.

use std::rc::Rc;

use fragstream::card::dialect::user_source;
use fragstream::layouts::{Contents, Footprint, LayoutsError, MatrixLayout, Role, Stored, Upload};
use fragstream::solve::{Method, Options, solve_csr};
use fragstream::solver::{Csr, Operator, TextureSpace};
use fragstream::stream::{Format, Kernel, Layout, Limits, Machine, Stream, StreamError};

use crate::common::machine;

const ROWS: usize = 37;

/// Multiplies texel by texel, so that x, y and the diagonal have the same places.
struct Diagonal(Stream, Rc<Kernel>);

impl Operator<TextureSpace> for Diagonal {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.1.pass().read("d", &self.0).read("x", x).draw(y, y.full())
    }
}

/// Stores a diagonal matrix, its first row at the end.
fn store(machine: &Machine, a: &Csr<f64>, vectors: Layout) -> Result<Stored, LayoutsError> {
    let places = Vec::from_iter((0..a.rows() as u32).rev());
    let mut diagonal = vec![0.0; a.rows()];
    a.triplets().for_each(|(row, _, value)| diagonal[places[row] as usize] = value as f32);
    diagonal.resize(vectors.length(), 0.0);
    Stored::pair(machine, vectors, Some(places), (a, false), |_| {
        let text = "uniform stream d;
            uniform stream x;
            void main() { result = fetch(d, here) * fetch(x, here); }";
        let kernel = machine.kernel(&user_source("own", text, Limits::NV30)?, &[])?;
        let texture = Stream::from_entries(machine, "d", vectors, &diagonal)?;
        Ok((Diagonal(texture, kernel), "a diagonal".to_owned()))
    })
}

const fn own(
    name: &'static str,
    store: fn(&Machine, &Csr<f64>, &Upload) -> Result<Stored, LayoutsError>,
) -> MatrixLayout {
    MatrixLayout {
        name,
        source: "tests",
        about: "A diagonal",
        is_of_2003: true,
        is_variant: false,
        roles: &[Role { texture: "d", words: "diagonal", contents: Contents::AtRows(1) }],
        footprint: |a, _| Ok(Footprint::vectors(1, Layout::square(a.rows(), Format::R32F)?)),
        store,
    }
}

static OWN: [MatrixLayout; 5] = [
    own("one column", |m, a, _| store(m, a, Layout::wrapped(ROWS, Format::R32F, 1)?)),
    own("wrapped", |m, a, _| store(m, a, Layout::wrapped(ROWS, Format::R32F, 5)?)),
    own("four a texel", |m, a, _| store(m, a, Layout::wrapped(ROWS, Format::Rgba32F, 3)?)),
    own("lines", |m, a, _| store(m, a, Layout::lines(ROWS, Format::R32F, 8)?)),
    own("a grid", |m, a, _| store(m, a, Layout::grid((8, 6), Format::R32F))),
];

fn matrix() -> Csr<f64> {
    let entries = (0..ROWS).map(|row| (row, row, [1.0, 2.0, 5.0][row % 3]));
    Csr::from_triplets(ROWS, ROWS, entries).unwrap()
}

#[test]
fn vectors_with_places_may_end_within_a_row_of_their_texture() {
    let (machine, matrix) = (machine(), matrix());
    let wanted = Vec::from_iter((0..ROWS).map(|row| row as f64 - 9.5));
    let b = Vec::from_iter(matrix.triplets().map(|(row, _, value)| value * wanted[row]));
    for layout in &OWN {
        let options =
            Options { method: Some(Method::Cg), layout: Some(layout), ..Options::default() };
        let solution = solve_csr(&machine, &matrix, &b, &options).unwrap();
        let off = solution.x.iter().zip(&wanted).map(|(x, wanted)| (x - wanted).abs());
        assert!(off.fold(0.0, f64::max) < 1e-6, "{}: {:?}", layout.name, solution.x);
        assert_eq!(solution.layout.to_string(), layout.name);
    }
}

#[test]
fn a_place_in_the_padding_is_refused_with_the_remedy() {
    let vectors = Layout::wrapped(ROWS - 1, Format::R32F, 5).unwrap();
    let error = store(&machine(), &matrix(), vectors).err().expect("a place in the padding");
    let error = error.to_string();
    assert!(error.contains("position 36") && error.contains("Layout::grid"), "{error}");
}

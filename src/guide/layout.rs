//! A layout of your own: the diagonals of a band side by side in one texture, compared with the papers' layouts and used
//! by a solver.
//!
//! `cargo run --example layout`

use std::rc::Rc;

use fragstream::base::error::BoxedError;
use fragstream::card::dialect::user_source;
use fragstream::layouts::compare::products::{Contest, compare};
use fragstream::layouts::compare::{Section, table};
use fragstream::layouts::{
    Contents, ELLPACK, Footprint, LayoutsError, MatrixLayout, ROWS, Role, Stored,
};
use fragstream::solve::{Options, solve_csr};
use fragstream::solver::{Csr, Operator, TextureSpace};
use fragstream::stream::{Format, Kernel, Layout, Limits, Machine, Stream, StreamError};
use fragstream::timing::Effort;

/// The layout: three texels per row, with the entries left of the diagonal, on it and right of it.
static BAND: MatrixLayout = MatrixLayout {
    name: "band",
    source: "src/guide/layout.rs",
    about: "Three diagonals in one texture",
    is_of_2003: true,
    is_variant: false,
    roles: &[Role { texture: "band", words: "three diagonals", contents: Contents::Values(1) }],
    footprint: |matrix, _| {
        if matrix.triplets().any(|(row, column, _)| row.abs_diff(column) > 1) {
            return Err(LayoutsError::Unsuited("more than three diagonals".to_owned()));
        }
        Ok(Footprint::textures(1, [3, matrix.rows() as u64], Format::R32F))
    },
    store: |machine, matrix, upload| {
        let vectors = Layout::wrapped(matrix.rows(), Format::R32F, 1)?;
        Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
            let mut entries = vec![0.0; 3 * a.rows()];
            for (row, column, value) in a.triplets() {
                entries[3 * row + column + 1 - row] = value as f32;
            }
            let size = (3, a.rows() as u32);
            let band = Stream::from_data(machine, "band", size, Format::R32F, &entries)?;
            let source = user_source("band", MULTIPLY, Limits::NV30)
                .map_err(|error| LayoutsError::Unsuited(error.to_string()))?;
            let kernel = machine.kernel(&source, &[])?;
            Ok((Band { band, kernel }, "three diagonals".to_owned()))
        })
    },
};

/// Row i of x is at (0, i), and its entries are at (0, i) to (2, i). Beyond the ends the entry is zero, whatever the
/// clamped fetch of x returns.
const MULTIPLY: &str = "
    uniform stream band;
    uniform stream x;
    void main() {
        vec2 step = vec2(0.0, 1.0);
        float before = fetch(band, here).x * fetch(x, here - step).x;
        float own = fetch(band, here + vec2(1.0, 0.0)).x * fetch(x, here).x;
        float after = fetch(band, here + vec2(2.0, 0.0)).x * fetch(x, here + step).x;
        result = vec4(before + own + after, 0.0, 0.0, 0.0);
    }";

struct Band {
    band: Stream,
    kernel: Rc<Kernel>,
}

impl Operator<TextureSpace> for Band {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.kernel.pass().read("band", &self.band).read("x", x).draw(y, y.full())
    }
}

fn main() -> Result<(), BoxedError> {
    let n = 1000_usize;
    let springs = (0..n).flat_map(|i| {
        let neighbours = [i.checked_sub(1), Some(i + 1).filter(|&j| j < n)];
        neighbours.into_iter().flatten().map(move |j| (i, j, -1.0)).chain([(i, i, 2.5)])
    });
    let matrix = Csr::from_triplets(n, n, springs)?;
    let machine = Machine::headless()?;

    let layouts = [&BAND, ROWS, ELLPACK];
    let raced = compare(&machine, &matrix, Contest::of(&layouts), Effort { rounds: 6, chain: 4 })?;
    let error = raced.lines[0].run.as_ref().and_then(|run| run.error);
    assert!(error.is_some_and(|error| error < 4.0 * 6e-8), "{:?}", raced.lines[0]);
    let section = Section::of_products(format!("springs: {n} rows"), &matrix, raced);
    println!("{}", table::text(&section, 80));

    let options = Options { layout: Some(&BAND), ..Options::default() };
    let solution = solve_csr(&machine, &matrix, &vec![1.0; n], &options)?;
    assert!(solution.reason.is_converged());
    println!("{} on {}: {} iterations", solution.method, solution.layout, solution.iterations);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_layout_is_compared_and_solves() -> Result<(), super::BoxedError> {
        super::main()
    }
}

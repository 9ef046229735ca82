//! Another layout of your own: ELLPACK whose rows are sorted by length, so that only rows of nearly equal length are padded to
//! one length. Entries of the vectors have the order of the rows. Compared with `rows` and `ellpack` on three families.
//!
//! `cargo run --example sorted`

use std::cmp::Reverse;
use std::iter::zip;
use std::rc::Rc;

use fragstream::base::error::BoxedError;
use fragstream::card::dialect::user_source;
use fragstream::layouts::compare::products::{Contest, compare};
use fragstream::layouts::named::Family;
use fragstream::layouts::{
    Contents, ELLPACK, Footprint, LayoutsError, MatrixLayout, ROWS, Role, Stored,
};
use fragstream::solve::{Options, solve_csr};
use fragstream::solver::{Csr, Operator, TextureSpace};
use fragstream::stream::{Format, Kernel, Layout, Limits, Machine, Rect, Stream, StreamError};
use fragstream::timing::Effort;

/// The layout: two entries per texel, with the positions of their x. The texel k of a row is in tile k of its block.
static SORTED: MatrixLayout = MatrixLayout {
    name: "sorted",
    source: "src/guide/sorted.rs",
    about: "ELLPACK with rows sorted by length, two entries per texel",
    is_of_2003: true,
    is_variant: false,
    roles: &[Role {
        texture: "entries",
        words: "two values and the positions of their x",
        contents: Contents::Values(2),
    }],
    footprint: |matrix, _| {
        let blocks = blocks(matrix, &order(matrix));
        let lines: u32 = blocks.iter().map(|block| block.lines * block.texels).sum();
        let size = [width(matrix) as u64, lines.into()];
        Ok(Footprint::textures(1, size, Format::Rgba32F))
    },
    store: |machine, matrix, upload| {
        let (order, width) = (order(matrix), width(matrix));
        let mut places = vec![0; order.len()];
        for (place, &row) in order.iter().enumerate() {
            places[row] = place as u32;
        }
        let lines = order.len().div_ceil(width);
        let vectors = Layout::grid((width as u32, lines as u32), Format::R32F);
        // The transpose has the same order, in which its rows need not be sorted.
        Stored::pair(machine, vectors, Some(places.clone()), (matrix, upload.transposed), |a| {
            let product = Sorted::new(machine, a, &order, &places)?;
            let words = format!("{} of rows", product.blocks.len());
            Ok((product, words))
        })
    },
};

/// Texels of a row of a vector's texture: a power of two, by which positions are divided without an error.
fn width(matrix: &Csr<f64>) -> usize {
    matrix.rows().isqrt().next_power_of_two()
}

/// The rows, the longest first.
fn order(matrix: &Csr<f64>) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..matrix.rows()).collect();
    rows.sort_by_key(|&row| Reverse(matrix.row_length(row)));
    rows
}

/// Lines of a vector's texture whose longest rows need the same number of texels.
struct Block {
    /// Number of lines.
    lines: u32,
    /// Texels of each row.
    texels: u32,
}

fn blocks(matrix: &Csr<f64>, order: &[usize]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in order.chunks(width(matrix)) {
        let longest = line.iter().map(|&row| matrix.row_length(row)).max();
        let texels = longest.unwrap_or(0).div_ceil(2).max(1) as u32;
        match blocks.last_mut().filter(|last| last.texels == texels) {
            Some(last) => last.lines += 1,
            None => blocks.push(Block { lines: 1, texels }),
        }
    }
    blocks
}

/// Texels of a row that one pass multiplies, so that programs keep to the length of 2003.
const PART: u32 = 16;

/// Adds `TEXELS` texels of each row to `BEFORE`. `lines` are those of a block, `offset` is the distance of the first texel.
const MULTIPLY: &str = "
    // RANDOM(x): positions of entries
    uniform stream entries;
    uniform stream x;
    uniform stream before;
    uniform float offset;
    uniform float lines;
    uniform float width;
    float entry(float place) {
        float line = floor((place + 0.5) / width);
        return fetch(x, vec2(place - width * line, line) + vec2(0.5)).x;
    }
    void main() {
        vec2 at = here + vec2(0.0, offset);
        float sum = BEFORE;
        for (float k = 0.0; k < TEXELS; k += 1.0) {
            vec4 pair = fetch(entries, at);
            sum += pair.x * entry(pair.z) + pair.y * entry(pair.w);
            at.y += lines;
        }
        result = vec4(sum, 0.0, 0.0, 0.0);
    }";

/// A pass over a block: its program, the lines of its result, and the constants of the program.
struct Part {
    kernel: Rc<Kernel>,
    target: Rect,
    offset: f32,
    lines: f32,
}

struct Sorted {
    entries: Stream,
    width: f32,
    /// The passes of each block.
    blocks: Vec<Vec<Part>>,
}

impl Sorted {
    fn new(
        machine: &Machine,
        a: &Csr<f64>,
        order: &[usize],
        places: &[u32],
    ) -> Result<Self, LayoutsError> {
        let width = width(a);
        let source = user_source("sorted", MULTIPLY, Limits::NV30)?;
        let (mut texels, mut passes) = (Vec::<[f32; 4]>::new(), Vec::new());
        let (mut rest, mut line) = (order, 0);
        for Block { lines, texels: count } in blocks(a, order) {
            let own;
            (own, rest) = rest.split_at(rest.len().min(width * lines as usize));
            let first = (texels.len() / width) as u32;
            texels.resize(texels.len() + width * (lines * count) as usize, [0.0; 4]);
            let block = &mut texels[first as usize * width..];
            for (place, &row) in own.iter().enumerate() {
                for (k, (column, value)) in a.row(row).enumerate() {
                    let texel = &mut block[place + k / 2 * width * lines as usize];
                    (texel[k % 2], texel[2 + k % 2]) = (value as f32, places[column] as f32);
                }
            }
            let part = |begin: u32| {
                let defines = [
                    ("TEXELS", &*format!("{}.0", PART.min(count - begin))),
                    ("BEFORE", if begin > 0 { "fetch(before, here).x" } else { "0.0" }),
                ];
                let offset = (first + begin * lines) as f32 - line as f32;
                let target = Rect::at([0, line], (width as u32, lines));
                Ok(Part {
                    kernel: machine.kernel(&source, &defines)?,
                    target,
                    offset,
                    lines: lines as f32,
                })
            };
            let parts = (0..count).step_by(PART as usize).map(part);
            passes.push(parts.collect::<Result<Vec<_>, StreamError>>()?);
            line += lines;
        }
        let size = (width as u32, (texels.len() / width) as u32);
        let entries = texels.as_flattened();
        let entries = Stream::from_data(machine, "entries", size, Format::Rgba32F, entries)?;
        Ok(Self { entries, width: width as f32, blocks: passes })
    }
}

impl Operator<TextureSpace> for Sorted {
    fn apply(&self, space: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        space.with_spare(|spare| {
            for parts in &self.blocks {
                for (left, part) in zip((0..parts.len()).rev(), parts) {
                    // A pass does not read its target; the last one of a block writes y.
                    let [target, before] =
                        if left % 2 == 0 { [&*y, &*spare] } else { [&*spare, &*y] };
                    let pass = part.kernel.pass().read("entries", &self.entries).read("x", x);
                    let pass = pass.read_if_declared("before", before).set("offset", part.offset);
                    pass.set("lines", part.lines)
                        .set("width", self.width)
                        .draw(target, part.target)?;
                }
            }
            Ok(())
        })
    }
}

fn main() -> Result<(), BoxedError> {
    let machine = Machine::headless()?;
    let layouts = [&SORTED, ROWS, ELLPACK];
    let effort = Effort { rounds: 1, chain: 1 };
    println!("in memory, and moved through a cache of 8 KB, per useful byte");
    for family in [Family::Mesh, Family::Elements, Family::Graph] {
        let matrix = family.matrix(3000)?;
        let useful = 4.0 * (matrix.entries() + matrix.columns()) as f64;
        let lines = compare(&machine, &matrix, Contest::of(&layouts), effort)?.lines;
        for line in &lines[..layouts.len()] {
            let moved = line.run.as_ref().and_then(|run| Some(run.bytes_moved.as_ref()?[1]));
            let [stored, moved] =
                [line.memory.bytes, moved.unwrap_or(0)].map(|b| b as f64 / useful);
            println!("{:<9} {:<8} {stored:>7.2} {moved:>7.2}", family.name(), line.layout);
        }
        let longest = (0..matrix.rows()).map(|row| matrix.row_length(row)).max().unwrap_or(0);
        let error = lines[0].run.as_ref().and_then(|run| run.error);
        assert!(error.is_some_and(|error| error < (longest + 2) as f64 * 6e-8), "{:?}", lines[0]);
        // Half of ELLPACK's 16 bytes per entry, and its padding only within a line.
        assert!(2 * lines[0].memory.bytes < lines[2].memory.bytes + 16 * matrix.rows() as u64);
    }
    // One more than a graph's Laplacian is positive definite.
    let matrix = Family::Graph.matrix(1000)?;
    let options = Options { layout: Some(&SORTED), ..Options::default() };
    let solution = solve_csr(&machine, &matrix, &vec![1.0; matrix.rows()], &options)?;
    // Rows of the Laplacian sum to zero.
    assert!(solution.x.iter().all(|x| (x - 1.0).abs() < 1e-6));
    println!("{} on {}: {} iterations", solution.method, solution.layout, solution.iterations);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn sorted_rows_multiply_and_solve_with_less_memory() -> Result<(), super::BoxedError> {
        super::main()
    }
}

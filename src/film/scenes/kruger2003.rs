//! Krüger and Westermann 2003: gather and points, Gauss-Seidel, LU.

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::kruger2003::{
    Accumulation, DiagonalMatrix, GaussSeidel, LuSolver, Matrix, ProductOptions, VertexMatrix,
    WaterSettings,
};
use crate::solver::{Csr, TextureSpace};
use crate::stream::{Format, Layout, Machine, Pass, Size, Source, Stream, source};

use super::stream::sampled;
use super::{Run, Scene};

const PERMUTE: Source = source!(kruger2003, "solvers/permute");

pub const GATHER: Scene = Scene {
    name: "gather",
    title: "Gather anywhere, scatter nowhere",
    paper: "kruger2003",
    section: "sections 4.1 and 4.2",
    opens: 0,
    run: Run::Fixed(gather),
};

pub const GAUSS_SEIDEL: Scene = Scene {
    name: "gauss-seidel",
    title: "Gauss-Seidel: points, drawn one after another",
    paper: "kruger2003",
    section: "section 5.2",
    opens: 0,
    run: Run::Fixed(gauss_seidel),
};

pub const LU: Scene = Scene {
    name: "lu",
    title: "A dense matrix in columns: LU with pivots",
    paper: "kruger2003",
    section: "section 7",
    opens: 0,
    run: Run::Fixed(lu),
};

/// The five-point matrix of an implicit step of diffusion.
fn five_points(size: Size) -> Csr<f64> {
    WaterSettings::new(size.0, size.1).matrix()
}

fn gather(machine: &Machine) -> Result<(), BoxedError> {
    let size = (16, 16);
    let layout = Layout::grid(size, Format::R32F);
    let space = TextureSpace::new(machine, layout)?;
    machine.scene("A picture, and for each texel the position to fetch from");
    let picture = sampled(size, |x, y| (x * x + y * y).sqrt().min(1.0) - 0.2 * x);
    let x = Stream::from_entries(machine, "picture", layout, &picture)?;
    let turned = |[column, row]: [u32; 2]| [row as f32 + 0.5, 15.5 - column as f32];
    let places = (0..16).flat_map(|row| (0..16).map(move |column| [column, row]));
    let places: Vec<f32> = places.flat_map(turned).collect();
    let places = Stream::from_data(machine, "places", size, Format::Rg32F, &places)?;
    machine.scene(
        "Gather: each fragment fetches at its pointer, which turns the picture by 90 degrees",
    );
    let mut turned = Stream::vector(machine, "turned", layout)?;
    let permute = machine.kernel(&PERMUTE, &[])?;
    Pass::new(&permute).read("x", &x).read("places", &places).draw(&turned, space.all())?;
    machine.scene("Neighbours: each fragment adds up five, the diagonals of a matrix");
    let matrix = five_points(size);
    let diagonals = DiagonalMatrix::new(machine, layout, &matrix, ProductOptions::default())?;
    diagonals.multiply(&x, &mut turned)?;
    machine.scene("Nearest to a scatter: one point per entry, drawn at the position of its sum");
    let vertices = VertexMatrix::new(machine, layout, &matrix, Accumulation::PingPong)?;
    vertices.multiply(&x, &mut turned)?;
    Ok(())
}

fn gauss_seidel(machine: &Machine) -> Result<(), BoxedError> {
    let size = (8, 8);
    let space = TextureSpace::new(machine, Layout::grid(size, Format::R32F))?;
    machine.scene("The matrix, as points in the order in which their entries are needed");
    let matrix = five_points(size);
    let solver = GaussSeidel::new(&space, &matrix)?;
    let b = space.vector(&sampled(size, |x, y| x - y * y))?;
    let mut x = space.zeros()?;
    let scaled = solver.scale(&space, &b)?;
    for sweep in 1..=3 {
        machine.scene(&format!("Sweep {sweep}: the next pass reads the new values"));
        solver.sweep(&space, &scaled, &mut x)?;
    }
    x.read()?;
    Ok(())
}

fn lu(machine: &Machine) -> Result<(), BoxedError> {
    let n = 9;
    let space = TextureSpace::new(machine, Layout::grid((3, 3), Format::R32F))?;
    let mut random = SplitMix64::new(5);
    let entries = (0..n * n).map(|k| (k / n, k % n, random.signed()));
    let matrix = Csr::from_triplets(n, n, entries)?;
    machine.scene("Nine columns, each a vector in a tile: a step finds a pivot and eliminates");
    let solver = LuSolver::new(&space, &matrix)?;
    machine.scene("Forward and backward substitution");
    let b = space.vector(&random.vector(n))?;
    let mut x = space.zeros()?;
    solver.substitute(&b, &mut x)?;
    x.read()?;
    Ok(())
}

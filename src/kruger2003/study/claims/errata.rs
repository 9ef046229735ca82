//! §4, §5.2, eqs. 3, 4, 7: printed formulas that cannot be meant, run as printed and as corrected.

use std::f64::consts::PI;

use crate::claim::{BoxedError, difference};
use crate::experiment::{Record, Study, Takes};
use crate::kruger2003::columns::FITTING;
use crate::kruger2003::gauss_seidel::Forward;
use crate::kruger2003::{
    ColumnMatrix, DiagonalMatrix, FluidSettings, GaussSeidel, ListedGradients, Matrix,
    ProductOptions, WaterSettings,
};
use crate::solver::{Csr, Operation, TextureSpace, VectorSpace};
use crate::stream::{Format, Layout, Machine, Pass, Rect, Stream, source};

use super::layouts::{stencil, vector, wide};

/// Sweeps of Gauss–Seidel.
const SWEEPS: i32 = 20;
/// Periods of the standing wave.
const PERIODS: f64 = 10.0;
/// Cells per side of the wave and of the fluid.
const SIDE: u32 = 32;

/// Each formula as printed and as corrected, by a number that is small if it is right.
pub static ERRATA: Study = Study::measuring(
    "kruger2003/errata",
    "Formulas as printed and as corrected, by a number that is small if a formula is right",
    Takes::nothing(),
    &[
        ("energy.{printed|corrected}", "", "change of a wave's energy in ten periods"),
        ("sweeps.{printed|corrected}", "", "error of Gauss–Seidel after 20 sweeps from zero"),
        ("gradient.{printed|corrected}", "", "divergence after a projection by eqs. 3 and 4"),
        ("sides.{printed|corrected}", "", "divergence after a projection by eq. 7"),
    ],
    |_, place| {
        let (machine, mut record) = (place.machine, Record::new());
        let projected = divergence(machine, 1.0, false)?;
        for (name, [printed, corrected]) in [
            ("energy", [energy(machine, true)?, energy(machine, false)?]),
            ("sweeps", sweeps(machine)?),
            ("gradient", [divergence(machine, -1.0, false)?, projected]),
            ("sides", [divergence(machine, 1.0, true)?, projected]),
        ] {
            record.one(format!("{name}.printed"), printed);
            record.one(format!("{name}.corrected"), corrected);
        }
        Ok(record)
    },
);

/// Relative errors of sweeps as printed and as corrected, both column by column in place.
fn sweeps(machine: &Machine) -> Result<[f64; 2], BoxedError> {
    let matrix = stencil(19, 13, 1.0);
    let n = matrix.rows();
    let space = TextureSpace::new(machine, Layout::square(n, Format::R32F)?)?;
    let part = |keep: fn(usize, usize) -> bool, sign: f64| -> Result<_, BoxedError> {
        let entries = matrix.triplets().filter(|&(i, j, _)| keep(i, j));
        let part = Csr::from_triplets(n, n, entries.map(|(i, j, a)| (i, j, sign * a)))?;
        let options = ProductOptions { per_pass: Some(FITTING), ..ProductOptions::default() };
        Ok(ColumnMatrix::new(machine, space.layout(), &part, options)?)
    };
    // The substitution subtracts, and the printed formula adds.
    let (lower, upper) = (part(|i, j| i > j, -1.0)?, part(|i, j| i <= j, 1.0)?);
    let forward = Forward::new(machine, lower.tiles)?;
    let exact = wide(&vector(n, 1));
    let mut b = vec![0.0; n];
    matrix.multiply(&exact, &mut b)?;
    let b: Vec<f32> = b.into_iter().map(|b| b as f32).collect();
    let solver = GaussSeidel::by_columns(&space, &matrix)?;
    let scaled = solver.scale(&space, &space.vector(&b)?)?;
    let (mut printed, mut corrected, mut x) = (space.zeros()?, space.zeros()?, space.zeros()?);
    for _ in 0..SWEEPS {
        upper.multiply(&printed, &mut x)?;
        forward.solve(&lower, &x)?;
        std::mem::swap(&mut printed, &mut x);
        solver.sweep(&space, &scaled, &mut corrected)?;
    }
    let solved = [printed.read()?, corrected.read()?];
    Ok(solved.map(|x| difference(&x, &exact)))
}

/// Relative change of the energy of a standing wave with one half wave along each side. The unknown of a step is the
/// average m. As printed, (1 − a L) m = ½ (3 u − u⁻) and u⁺ = 2 m − u; as corrected, (1 − a L) m = u and
/// u⁺ = 2 m − u⁻.
fn energy(machine: &Machine, as_printed: bool) -> Result<f64, BoxedError> {
    // The wave is an eigenvector of the matrix: one iteration would suffice without rounding errors.
    let settings = WaterSettings { iterations: 3, ..WaterSettings::new(SIDE, SIDE) };
    let along = |cell: u32| (PI * (f64::from(cell) + 0.5) / f64::from(SIDE)).cos();
    let rows = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| along(x) * along(y)));
    let shape: Vec<f32> = rows.map(|u| u as f32).collect();
    let (space, matrix) = system(machine, &settings.matrix())?;
    let (mut now, mut before) = (space.vector(&shape)?, space.vector(&shape)?);
    let (b, mut m, mut after) = (space.zeros()?, space.zeros()?, space.zeros()?);
    let mut solver = ListedGradients::new(&space)?;
    // The wave is an eigenvector of −c² Δt² L; λ is its eigenvalue.
    let lambda = 8.0 * (PI / 2.0 / f64::from(SIDE)).sin().powi(2) * settings.courant.powi(2);
    let energy = |u: &Stream, v: &Stream| -> Result<f64, BoxedError> {
        let squares = space.dot(u, u)? + space.dot(v, v)?;
        Ok((1.0 + lambda / 2.0) * squares - 2.0 * space.dot(u, v)?)
    };
    let first = energy(&now, &before)?;
    let steps = (PERIODS * 2.0 * PI / lambda.sqrt()).round() as usize;
    for _ in 0..steps {
        let [of_now, of_before] = if as_printed { [1.5, -0.5] } else { [1.0, 0.0] };
        space.combine(Operation::Add, (of_now, &now), (of_before, &before), &b)?;
        space.copy(&now, &mut m)?;
        solver.solve(&space, (&matrix, &b), &mut m, &settings.criteria(), |_| ())?;
        let other = if as_printed { &now } else { &before };
        space.combine(Operation::Subtract, (2.0, &m), (1.0, other), &after)?;
        std::mem::swap(&mut before, &mut now);
        std::mem::swap(&mut now, &mut after);
    }
    Ok((energy(&now, &before)? / first - 1.0).abs())
}

/// Vectors of a grid, and a matrix for them.
fn system(
    machine: &Machine,
    matrix: &Csr<f64>,
) -> Result<(TextureSpace, DiagonalMatrix), BoxedError> {
    let layout = Layout::grid((SIDE, SIDE), Format::R32F);
    let matrix = DiagonalMatrix::new(machine, layout, matrix, ProductOptions::default())?;
    Ok((TextureSpace::new(machine, layout)?, matrix))
}

/// Norm of the divergence after a projection in a box, relative to that before, with this sign in front of the
/// gradient, and with G and F interchanged in the equation of the pressure or not.
fn divergence(machine: &Machine, sign: f32, interchanged: bool) -> Result<f64, BoxedError> {
    // The right-hand side is an eigenvector, for which the paper's four iterations suffice.
    let settings = FluidSettings::new(SIDE, SIDE);
    let framed = (SIDE + 4, SIDE + 4);
    let wave = |texel: u32| ((f64::from(texel) - 2.0) * PI / f64::from(SIDE)).sin() as f32;
    let texels = (0..framed.1).flat_map(|y| (0..framed.0).map(move |x| [wave(x), wave(y)]));
    let field = |order: [usize; 2]| {
        let records = texels.clone().flat_map(|texel| order.map(|k| texel[k]));
        let records: Vec<f32> = records.collect();
        Stream::from_data(machine, "velocity", framed, Format::Rg32F, &records)
    };
    let (explicit, velocity) = (field([0, 1])?, field([0, 1])?);
    let (space, matrix) = system(machine, &settings.matrix())?;
    let differences = machine.kernel(&source!(kruger2003, "simulation/divergence"), &[])?;
    let differentiate = |velocity: &Stream| -> Result<Stream, BoxedError> {
        let target = space.zeros()?;
        let pass = Pass::new(&differences).read("velocity", velocity);
        pass.set("factor", -1.0).draw(&target, space.all())?;
        Ok(target)
    };
    let b = differentiate(&field(if interchanged { [1, 0] } else { [0, 1] })?)?;
    let mut pressure = space.zeros()?;
    let mut solver = ListedGradients::new(&space)?;
    let criteria = settings.criteria();
    solver.solve(&space, (&matrix, &b), &mut pressure, &criteria, |_| ())?;
    let project = machine.kernel(&source!(kruger2003, "simulation/project"), &[])?;
    Pass::new(&project)
        .read("explicit", &explicit)
        .read("pressure", &pressure)
        .set("size", settings.size)
        .set("dt", sign)
        .set("slip", 1.0)
        .set("lid", 0.0)
        .draw(&velocity, &machine.rect(Rect::of_size(framed.0, framed.1))?)?;
    let norm = |velocity: &Stream| -> Result<f64, BoxedError> {
        let divergence = differentiate(velocity)?;
        Ok(space.dot(&divergence, &divergence)?.sqrt())
    };
    Ok(norm(&velocity)? / norm(&explicit)?)
}

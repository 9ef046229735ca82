//! Timed cases: the operations of the paper's table compared with their ceilings and with the CPU; and
//! iterations.

use std::hint::black_box;

use crate::base::error::BoxedError;
use crate::batty2003::Error;
use crate::solver::host::tree_dot;
use crate::solver::{Criteria, Operation, Operator, Outcome, VectorSpace};
use crate::stream::{Machine, Stream};
use crate::timing::rig::{Work, program, work};
use crate::timing::{Bench, Case, PingPong};

use crate::batty2003::{
    GpuSolver, NORM_EVERY, Placement, PressureSpace, Settings, SevenDiagonals, Storage, System,
};

/// Weights, seven of which sum to one, so that a chain of products stays finite.
fn weights(size: [usize; 3]) -> System<f64> {
    let mut system = System::zeros(size);
    system.diagonal.fill(1.0 / 7.0);
    for cell in 0..system.cells() {
        for axis in 0..3 {
            if system.after(cell, axis).is_some() {
                system.upper[axis][cell] = 1.0 / 7.0;
            }
        }
    }
    system
}

/// The product, compared with the same fetches next to each other.
pub fn product(
    machine: &Machine,
    size: [usize; 3],
    settings: Settings,
) -> Result<Case<'static>, Error> {
    let system = weights(size);
    let placement = Placement::new(machine, size, &settings)?;
    let space = PressureSpace::new(machine, placement.layout(), &settings)?;
    let matrix = SevenDiagonals::new(machine, placement, &settings)?;
    matrix.write(&system)?;
    let ones = vec![1.0f32; system.cells()];
    let mut pair = PingPong::new(2, || space.textures().vector(&ones))?;
    let kernel = work(move |run| {
        let (x, y) = pair.of(run);
        matrix.apply(&space, x, y)
    });
    Ok(Case::with_ceiling(machine, kernel).against(cpu_product(&system)))
}

/// The product on the CPU, over the whole box in single precision.
fn cpu_product(system: &System<f64>) -> Work<'static> {
    let matrix = system.map(|entry| entry as f32);
    let mut pair = PingPong::of_two(vec![1.0; system.cells()]);
    program(move |run| {
        let (x, y) = pair.of(run);
        matrix.product(x, y);
    })
}

/// The vectors of a box, and two of them filled with ones.
fn vectors(machine: &Machine, size: [usize; 3]) -> Result<(PressureSpace, [Stream; 2]), Error> {
    let settings = Settings::paper_2003();
    let layout = Placement::new(machine, size, &settings)?.layout();
    let space = PressureSpace::new(machine, layout, &settings)?;
    let ones = || space.textures().vector(&vec![1.0; layout.length()]);
    let vectors = [ones()?, ones()?];
    Ok((space, vectors))
}

/// The dot product, read back, compared with the CPU's.
pub fn dot(machine: &Machine, size: [usize; 3]) -> Result<Case<'static>, Error> {
    let (space, [x, y]) = vectors(machine, size)?;
    let ones = vec![1.0f32; size.iter().product()];
    let cpu = program(move |_| {
        black_box(tree_dot(black_box(&ones), black_box(&ones)));
    });
    let kernel = work(move |_| space.dot(&x, &y).map(drop));
    Ok(Case::with_ceiling(machine, kernel).against(cpu))
}

pub fn scale_add(machine: &Machine, size: [usize; 3]) -> Result<Case<'static>, Error> {
    let (space, [y, first]) = vectors(machine, size)?;
    let mut next = Some(first);
    let mut pair = PingPong::new(2, || next.take().map_or_else(|| space.zeros(), Ok))?;
    let kernel = work(move |run| {
        let (x, z) = pair.of(run);
        let textures = space.textures();
        textures.combine(Operation::Add, (0.5, x), (0.5, &y), z)
    });
    Ok(Case::with_ceiling(machine, kernel))
}

/// Thirteen iterations of a solve from zero; the norm is computed once.
pub fn iterations(
    machine: &Machine,
    system: &System<f64>,
    settings: Settings,
) -> Result<impl FnMut() -> Result<Outcome, Error> + use<>, Error> {
    let mut solver = GpuSolver::new(machine, system.size, settings)?;
    solver.set_up(system, &vec![0.0; system.cells()])?;
    let criteria = Criteria { norm_every: NORM_EVERY, ..Criteria::exactly(NORM_EVERY) };
    Ok(move || {
        solver.start_from_zero();
        solver.iterate(&criteria)
    })
}

/// The lines of `fragstream bench`.
pub fn bench(bench: &mut Bench<'_>) -> Result<(), BoxedError> {
    let side = bench.pick(48, 100);
    let size = [side; 3];
    bench.text(format_args!(
        "\nthe pressure in {side}³ cells; the ceiling of a product is fourteen fetches"
    ))?;
    for (storage, name) in [
        (Storage::Seven, "seven textures"),
        (Storage::One, "one texture"),
        (Storage::Slices, "slices"),
    ] {
        let settings = Settings { storage, ..Settings::paper_2003() };
        bench.case(&format!("product, {name}"), |machine| product(machine, size, settings))?;
    }
    bench.case("dot product, read back", |machine| dot(machine, size))?;
    bench.case("scale-add", |machine| scale_add(machine, size))
}

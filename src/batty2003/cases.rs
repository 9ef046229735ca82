//! Timings: the product compared with the trivial kernel with the same number of fetches, the dot product and
//! Scale-Add compared with copies, and each with the CPU program; an iteration; and the parts of a
//! step of a liquid.

use std::time::Instant;

use crate::batty2003::LiquidError;
use crate::solver::{Criteria, Operation, Operator, VectorSpace};
use crate::stream::{Machine, Pass, Source, Stream, source};
use crate::timing::rig::{Work, program, work};
use crate::timing::{Bench, Case, Iteration, PingPong, TimingError, reduction};

use super::liquid::{Liquid, Scene, Times};
use super::{
    Extent, GpuSolver, NORM_EVERY, Placement, Preconditioner, PressureSolver, PressureSpace,
    Settings, SevenDiagonals, Storage, System, host_solver,
};

const COPY: Source = source!("stream/copy");

impl From<LiquidError> for TimingError {
    fn from(error: LiquidError) -> Self {
        match error {
            LiquidError::Stream(error) => error.into(),
            error => TimingError::Case(error.into()),
        }
    }
}

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
) -> Result<Case<'static>, LiquidError> {
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
pub fn cpu_product(system: &System<f64>) -> Work<'static> {
    let matrix = system.map(|entry| entry as f32);
    let mut pair = PingPong::of_two(vec![1.0; system.cells()]);
    program(move |run| {
        let (x, y) = pair.of(run);
        matrix.product(x, y);
    })
}

/// The vectors of a box, and ones as their values.
fn space(machine: &Machine, size: [usize; 3]) -> Result<(PressureSpace, Vec<f32>), LiquidError> {
    let settings = Settings::paper_2003();
    let layout = Placement::new(machine, size, &settings)?.layout();
    let ones = vec![1.0; layout.length()];
    Ok((PressureSpace::new(machine, layout, &settings)?, ones))
}

/// The dot product, read back, compared with the passes of a sum and a copy of as many bytes as its products take,
/// which are those of three vectors.
pub fn dot(machine: &Machine, size: [usize; 3]) -> Result<Case<'static>, LiquidError> {
    let (space, ones) = space(machine, size)?;
    let layout = space.textures().layout();
    let (x, y) = (
        space.textures().vector(&ones)?,
        space.textures().vector(&ones)?,
    );
    let (width, height) = layout.size();
    let copied = || Stream::zeros(machine, "x", (width, height * 3 / 2), layout.format());
    let (from, to) = (copied()?, copied()?);
    let whole = machine.rect(to.full())?;
    let kernel = work(move |_| space.dot(&x, &y).map(drop));
    let summed = Stream::zeros(machine, "x", layout.size(), layout.format())?;
    let mut case = reduction::case(machine, kernel, summed, layout.length())?;
    if let Some((mut sum, _)) = case.ceiling.take() {
        let copy = machine.kernel(&COPY, &[])?;
        let both = work(move |run| {
            Pass::new(&copy).read("x", &from).draw(&to, &whole)?;
            sum(run)
        });
        case = case.beside(both, 1.0);
    }
    Ok(case)
}

/// Scale-Add, compared with a copy of the same number of bytes that cycles through three vectors like the operation.
pub fn scale_add(machine: &Machine, size: [usize; 3]) -> Result<Case<'static>, LiquidError> {
    let (space, ones) = space(machine, size)?;
    let y = space.textures().vector(&ones)?;
    let vectors = |count| PingPong::new(count, || space.textures().vector(&ones));
    let (mut pair, mut copies) = (vectors(2)?, vectors(3)?);
    let whole = space.textures().all().clone();
    let copy = machine.kernel(&COPY, &[])?;
    let ceiling = work(move |run| {
        let (x, z) = copies.of(run);
        Pass::new(&copy).read("x", x).draw(z, &whole)
    });
    let kernel = work(move |run| {
        let (x, z) = pair.of(run);
        let textures = space.textures();
        textures.combine(Operation::Add, (0.5, x), (0.5, &y), z)
    });
    Ok(Case::new(kernel).beside(ceiling, 1.5))
}

/// Times iterations of a solve in the paper's configuration.
pub fn iteration(machine: &Machine, size: [usize; 3]) -> Result<Iteration, LiquidError> {
    let mut system = weights(size).map(|weight| -weight);
    system.diagonal.fill(1.0);
    let wavy = (0..system.cells()).map(|cell| (cell % 7) as f64);
    system.right_side = wavy.collect();
    let mut solver = GpuSolver::new(machine, size, Settings::paper_2003())?;
    solver.set_up(&system, &vec![0.0; system.cells()])?;
    let criteria = Criteria {
        norm_every: NORM_EVERY,
        ..Criteria::exactly(2 * NORM_EVERY)
    };
    let mut solve = || {
        solver.start_from_zero();
        solver.iterate(&criteria)
    };
    solve()?;
    Iteration::of(machine, solve)
}

/// Times of the parts of the dam's second step, with the solve on the GPU, and the time of that solve on the
/// CPU in single precision, as on the GPU and in the fastest way.
fn step(machine: &Machine, side: usize) -> Result<(Times, [f64; 2]), LiquidError> {
    let mut card = GpuSolver::new(machine, [side; 3], Settings::default())?;
    let mut cpu = [
        host_solver::<f32>(Preconditioner::Diagonal, Extent::Box),
        host_solver::<f32>(Preconditioner::Mic, Extent::Liquid),
    ];
    let mut seconds = [0.0; 3];
    let criteria = Criteria::to(1e-3);
    let mut liquid = Liquid::new(Scene::dam(side))?;
    let mut parts = Times::default();
    for _ in 0..2 {
        let mut in_turns = |system: &System<f64>, pressure: &mut Vec<f64>, criteria: &Criteria| {
            let [one, other] = &mut cpu;
            let solvers: [&mut dyn PressureSolver; 2] = [one, other];
            for (solver, seconds) in solvers.into_iter().zip(&mut seconds) {
                let (mut pressure, start) = (pressure.clone(), Instant::now());
                solver.solve(system, &mut pressure, criteria)?;
                *seconds = start.elapsed().as_secs_f64();
            }
            let start = Instant::now();
            let outcome = card.solve(system, pressure, criteria)?;
            seconds[2] = start.elapsed().as_secs_f64();
            Ok(outcome)
        };
        parts = liquid.step(&mut in_turns, &criteria)?.times;
    }
    let [diagonal, mic, solve] = seconds;
    Ok((Times { solve, ..parts }, [diagonal, mic]))
}

/// The lines of `fragstream bench`.
pub fn bench(bench: &mut Bench<'_>) -> Result<(), TimingError> {
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
        let settings = Settings {
            storage,
            ..Settings::paper_2003()
        };
        bench.case(&format!("product, {name}"), Some(0.6), |machine| {
            product(machine, size, settings)
        })?;
    }
    bench.case("dot product, read back", Some(0.8), |machine| {
        dot(machine, size)
    })?;
    bench.case("scale-add", Some(0.8), |machine| scale_add(machine, size))?;
    let what = "iteration, diagonal preconditioner";
    let measured = bench.measure(what, |machine, _| iteration(machine, size))?;
    let read_back = format!(
        "{:.2} read-backs",
        measured.each(measured.ledger.read_backs)
    );
    bench.iteration(what, &measured, read_back)?;

    let what = "step of the dam, solved on the GPU";
    let (times, cpu) = bench.measure(what, |machine, _| step(machine, side))?;
    let parts = (times.parts()).map(|(name, seconds)| format!("{name} {:.1}", 1e3 * seconds));
    bench.line(what, times.total(), format_args!("   {}", parts.join(", ")))?;
    let particles = times.advect + times.transfer + times.update;
    bench.line("  of it the particles, on the CPU", particles, "")?;
    bench.line("  of it the solve", times.solve, "")?;
    let [diagonal, mic] = cpu;
    bench.line("  the same on the CPU, whole box, diagonal", diagonal, "")?;
    bench.line("  the same on the CPU, liquid alone, MIC(0)", mic, "")
}

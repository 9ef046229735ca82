//! What is timed: the product beside the trivial kernel with as many fetches, the dot product and
//! Scale-Add beside copies, each beside the program for the CPU.

use crate::solver::{Operation, VectorSpace};
use crate::stream::{Machine, Pass, Source, Stream, StreamError, source};
use crate::timing::cost::all;
use crate::timing::rig::{program, work};
use crate::timing::{Bench, Case, PingPong, TimingError, reduction};

use super::pressure::gpu::matrix::SevenDiagonals;
use super::pressure::gpu::space::PressureSpace;
use super::pressure::gpu::{Placement, Storage};
use super::pressure::{PressureError, Settings, System};
use crate::solver::Operator;

const CEILING: Source = source!("batty2003/product_ceiling");
const COPY: Source = source!("stream/copy");

impl From<PressureError> for TimingError {
    fn from(error: PressureError) -> Self {
        match error {
            PressureError::Stream(error) => error.into(),
            error => TimingError::Case(error.into()),
        }
    }
}

/// Weights of which seven make one, so that a chain of products stays finite.
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

/// The product, beside fourteen fetches next to each other.
pub fn product(
    machine: &Machine,
    size: [usize; 3],
    settings: Settings,
) -> Result<Case<'static>, PressureError> {
    let system = weights(size);
    let placement = Placement::new(machine, size, &settings)?;
    let space = PressureSpace::new(machine, placement.layout(), &settings)?;
    let matrix = SevenDiagonals::new(machine, placement, &settings)?;
    matrix.write(&system)?;
    let ones = vec![1.0f32; system.cells()];
    let vectors = || PingPong::new(2, || space.textures().vector(&ones));
    let (mut pair, mut fetched) = (vectors()?, vectors()?);
    let names = [
        "mat_0", "mat_1", "mat_2", "mat_3", "mat_4", "mat_5", "mat_6",
    ];
    let streams = all(names.map(|name| {
        let stream = Stream::vector(machine, name, placement.layout())?;
        stream.fill([1.0 / 7.0; 4]);
        Ok::<_, StreamError>((name, stream))
    }))?;
    let ceiling = machine.kernel(&CEILING, &[])?;
    let whole = space.textures().all().clone();
    let kernel = work(move |run| {
        let (x, y) = pair.of(run);
        matrix.apply(&space, x, y)
    });
    let ceiling = work(move |run| {
        let (x, y) = fetched.of(run);
        let pass = Pass::new(&ceiling).read("x", x);
        let pass = streams
            .iter()
            .fold(pass, |pass, (name, stream)| pass.read(name, stream));
        pass.draw(y, &whole)
    });
    let system = system.convert::<f32>();
    let mut host = PingPong::of_two(ones);
    let cpu = program(move |run| {
        let (x, y) = host.of(run);
        system.product(x, y);
    });
    Ok(Case::new(kernel).beside(ceiling, 1.0).against(cpu))
}

/// The dot product, read back: beside a copy and the passes of a sum.
pub fn dot(machine: &Machine, size: [usize; 3]) -> Result<Case<'static>, PressureError> {
    let settings = Settings::paper_2003();
    let layout = Placement::new(machine, size, &settings)?.layout();
    let space = PressureSpace::new(machine, layout, &settings)?;
    let ones = vec![1.0f32; layout.length()];
    let (x, y) = (
        space.textures().vector(&ones)?,
        space.textures().vector(&ones)?,
    );
    let (from, to) = (space.zeros()?, space.zeros()?);
    let whole = space.textures().all().clone();
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

/// Scale-Add: beside a copy of as many bytes, which go round three vectors as the operation's do.
pub fn scale_add(machine: &Machine, size: [usize; 3]) -> Result<Case<'static>, PressureError> {
    let settings = Settings::paper_2003();
    let layout = Placement::new(machine, size, &settings)?.layout();
    let space = PressureSpace::new(machine, layout, &settings)?;
    let ones = vec![1.0f32; layout.length()];
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
    bench.case("scale-add", Some(0.8), |machine| scale_add(machine, size))
}

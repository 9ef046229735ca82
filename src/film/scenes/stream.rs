//! The stream processor itself: a kernel, a reduction, a vector in four channels.

use crate::base::error::BoxedError;
use crate::solver::{Operation, TextureSpace, VectorSpace};
use crate::stream::{Edges, Format, Layout, Machine, Reduce, Reduction, Size, Stream};

use super::{Run, Scene};

pub const KERNEL: Scene = Scene {
    name: "kernel",
    title: "A stream and a kernel",
    paper: "kruger2003",
    section: "section 3.1",
    opens: 0,
    run: Run::Fixed(kernel),
};

pub const REDUCTION: Scene = Scene {
    name: "reduction",
    title: "A reduction of odd size",
    paper: "bolz2003",
    section: "section 3.1.3",
    opens: 0,
    run: Run::Fixed(reduction),
};

pub const PACKING: Scene = Scene {
    name: "packing",
    title: "A vector in four channels",
    paper: "kruger2003",
    section: "section 3.1",
    opens: 0,
    run: Run::Fixed(packing),
};

/// Samples a function on a grid over the square from -1 to 1.
pub fn sampled((width, height): Size, f: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    let at = |i: u32, n: u32| (2 * i) as f32 / (n - 1) as f32 - 1.0;
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    rows.map(|(x, y)| f(at(x, width), at(y, height))).collect()
}

fn kernel(machine: &Machine) -> Result<(), BoxedError> {
    let size = (16, 16);
    let layout = Layout::grid(size, Format::R32F);
    let space = TextureSpace::new(machine, layout)?;
    let stream = |label, f: fn(f32, f32) -> f32| {
        Stream::from_entries(machine, label, layout, &sampled(size, f))
    };
    machine.scene("Two streams are uploaded");
    let x = stream("x", |x, y| (3.0 * x).sin() * (2.0 * y).cos())?;
    let y = stream("y", |x, y| x * x - y)?;
    let z = Stream::vector(machine, "z", layout)?;
    machine.scene("One kernel, one pass: z = 2 x");
    space.scale(2.0, &x, &z)?;
    machine.scene("Two streams, two factors: z = 2 x - 0.5 y");
    space.combine(Operation::Add, (2.0, &x), (-0.5, &y), &z)?;
    machine.scene("Entry by entry: z = x y");
    space.combine(Operation::Multiply, (1.0, &x), (1.0, &y), &z)?;
    machine.scene("A pass cannot read its target: z = z + x needs another stream");
    let sum = Stream::vector(machine, "z + x", layout)?;
    space.combine(Operation::Add, (1.0, &z), (1.0, &x), &sum)?;
    machine.scene("The CPU gets a result by reading it back");
    sum.read()?;
    Ok(())
}

fn reduction(machine: &Machine) -> Result<(), BoxedError> {
    let (size, format) = ((27, 19), Format::R32F);
    let layout = Layout::grid(size, format);
    let entries = sampled(size, |x, y| (4.0 * x).sin() + y * y);
    let x = Stream::from_entries(machine, "x", layout, &entries)?;
    let sums = |edges| Reduction::new(machine, size, format, Reduce::Sum, edges);
    machine.scene("A sum: each pass leaves a quarter; odd edges are padded with zeros");
    sums(Edges::Padded)?.of(&x)?;
    machine.scene("The same sum, with bounds tests in every pass");
    sums(Edges::Bounded)?.of(&x)?;
    machine.scene("A maximum: the padding must be the operator's identity");
    let maximum = Reduction::new(machine, size, format, Reduce::Maximum, Edges::Padded)?;
    maximum.of(&x)?;
    machine.scene("A dot product: the first pass multiplies");
    sums(Edges::Padded)?.of_product(&x, &x)?;
    Ok(())
}

fn packing(machine: &Machine) -> Result<(), BoxedError> {
    let size = (32, 16);
    let [x, y] = [|x: f32, y: f32| x + y, |x: f32, y: f32| x * y].map(|f| sampled(size, f));
    let layouts = [
        ("One entry per texel: the inner product of 512 entries", Format::R32F),
        ("Four entries per texel: a quarter of the fragments", Format::Rgba32F),
    ];
    for (title, format) in layouts {
        let layout = Layout::square(x.len(), format)?;
        let space = TextureSpace::new(machine, layout)?;
        machine.scene(title);
        let x = Stream::from_entries(machine, "x", layout, &x)?;
        let y = Stream::from_entries(machine, "y", layout, &y)?;
        let mut z = Stream::vector(machine, "z", layout)?;
        space.subtract(&x, &y, &mut z)?;
        space.dot(&x, &y)?;
    }
    Ok(())
}

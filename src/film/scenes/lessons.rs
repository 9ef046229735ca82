//! Small runs for one idea each: Jacobi's sweeps, two grids, a branch. Their programs are in `programs/`, one node per texel.

use std::f32::consts::PI;
use std::mem::swap;
use std::rc::Rc;

use crate::base::error::BoxedError;
use crate::card::dialect::user_source;
use crate::stream::{
    Edges, Format, Kernel, Limits, Machine, Rect, Reduce, Reduction, Source, Stream, source,
};

use super::{Run, Scene};

pub const JACOBI: Scene = Scene {
    name: "jacobi",
    title: "Jacobi's sweeps on three errors",
    paper: "bolz2003",
    section: "section 4.2",
    opens: 0,
    run: Run::Grid(33, jacobi),
};

pub const TWO_GRIDS: Scene = Scene {
    name: "two-grids",
    title: "A smooth error on a coarser grid",
    paper: "bolz2003",
    section: "section 4.2",
    opens: 0,
    run: Run::Grid(33, two_grids),
};

pub const BRANCH: Scene = Scene {
    name: "branch",
    title: "A choice, inside and outside of a program",
    paper: "goodnight2003",
    section: "section 4.1",
    opens: 0,
    run: Run::Fixed(branch),
};

const COPY: Source = source!(stream, "copy");

/// Damping factor of all sweeps.
const OMEGA: f32 = 2.0 / 3.0;
/// Sweeps per error.
const SWEEPS: usize = 8;
/// Frequency of a smooth error.
const SMOOTH: u32 = 4;

macro_rules! kernel {
    ($machine:expr, $name:literal) => {
        own_kernel($machine, $name, include_str!(concat!("programs/", $name, ".frag")))
    };
}

fn own_kernel(machine: &Machine, name: &str, text: &str) -> Result<Rc<Kernel>, BoxedError> {
    Ok(machine.kernel(&user_source(name, text, Limits::NV30)?, &[])?)
}

/// A square grid with values prescribed on its sides: a solution, a right-hand side, and sweeps that smooth its error.
struct Square {
    machine: Machine,
    nodes: u32,
    u: Stream,
    next: Stream,
    b: Stream,
    sweep: Rc<Kernel>,
    maximum: Reduction,
}

impl Square {
    /// A grid whose right-hand side and solution are zero.
    fn new(machine: &Machine, nodes: u32, names: [&str; 2]) -> Result<Self, BoxedError> {
        let size = (nodes, nodes);
        let stream = |label: &str| Stream::zeros(machine, label, size, Format::R32F);
        let [u, next, b] = [names[0], names[0], names[1]].map(stream);
        let (operator, edges) = (Reduce::Maximum, Edges::Bounded);
        Ok(Self {
            nodes,
            machine: machine.clone(),
            u: u?,
            next: next?,
            b: b?,
            sweep: kernel!(machine, "jacobi")?,
            maximum: Reduction::new(machine, size, Format::R32F, operator, edges)?,
        })
    }

    /// The nodes that are not on a side.
    fn inner(&self) -> Rect {
        Rect::at([1, 1], (self.nodes - 2, self.nodes - 2))
    }

    /// Sets u to a sum of waves with these numbers of half periods per side.
    fn start(&self, waves: &[u32]) -> Result<(), BoxedError> {
        let last = self.nodes - 1;
        // Zero on the sides.
        let wave = |k: u32, i: u32| (PI * (k * i % (2 * last)) as f32 / last as f32).sin();
        let nodes = (0..self.nodes).flat_map(|y| (0..self.nodes).map(move |x| (x, y)));
        let value = |(x, y): (u32, u32)| match x.min(y) > 0 && x.max(y) < last {
            true => waves.iter().map(|&k| wave(k, x) * wave(k, y)).sum(),
            false => 0.0,
        };
        Ok(self.u.write(&nodes.map(value).collect::<Vec<f32>>())?)
    }

    fn smooth(&mut self, sweeps: usize) -> Result<(), BoxedError> {
        for _ in 0..sweeps {
            let pass = self.sweep.pass().read("u", &self.u).read("b", &self.b).set("omega", OMEGA);
            pass.draw(&self.next, self.inner())?;
            swap(&mut self.u, &mut self.next);
        }
        Ok(())
    }

    /// Has the CPU read the largest error.
    fn largest(&self, title: &str) -> Result<(), BoxedError> {
        self.machine.scene(title);
        self.maximum.of(&self.u)?;
        Ok(())
    }
}

fn jacobi(machine: &Machine, nodes: u32) -> Result<(), BoxedError> {
    let mut square = Square::new(machine, nodes, ["error", "b"])?;
    for frequency in [1, SMOOTH, nodes - 2] {
        machine.scene(&format!("An error of frequency {frequency}; its largest value is 1"));
        square.start(&[frequency])?;
        machine.scene(&format!("Frequency {frequency}: {SWEEPS} sweeps"));
        square.smooth(SWEEPS)?;
        square.largest(&format!("Frequency {frequency}: the largest value now"))?;
    }
    machine.scene("All three in one error");
    square.start(&[1, SMOOTH, nodes - 2])?;
    machine.scene(&format!("All three: {SWEEPS} sweeps"));
    square.smooth(SWEEPS)?;
    square.largest("All three: the largest value now")
}

fn two_grids(machine: &Machine, nodes: u32) -> Result<(), BoxedError> {
    let mut fine = Square::new(machine, nodes, ["error", "b"])?;
    let mut coarse = Square::new(machine, nodes.div_ceil(2), ["coarse u", "coarse b"])?;
    let [residual, restrict, correct] = [
        kernel!(machine, "residual")?,
        kernel!(machine, "restrict")?,
        kernel!(machine, "correct")?,
    ];
    let waves = [SMOOTH, nodes - 2];
    machine.scene("A smooth error and a rough one");
    fine.start(&waves)?;
    fine.largest("Before: the largest error")?;
    machine.scene("Two sweeps: the rough error is gone");
    fine.smooth(2)?;
    machine.scene("The residual: by how much each equation is not satisfied");
    residual.pass().read("u", &fine.u).read("b", &fine.b).draw(&fine.next, fine.inner())?;
    machine.scene("Down: the residual is the right-hand side of the coarser grid");
    restrict.pass().read("fine", &fine.next).draw(&coarse.b, coarse.inner())?;
    machine.scene("16 sweeps on a quarter of the nodes");
    coarse.smooth(16)?;
    machine.scene("Up: the correction");
    correct.pass().read("u", &fine.u).read("coarse", &coarse.u).draw(&fine.next, fine.inner())?;
    swap(&mut fine.u, &mut fine.next);
    machine.scene("Two sweeps: what interpolation has roughened is smoothed");
    fine.smooth(2)?;
    fine.largest("After: the largest error")?;
    machine
        .scene("The same error without the coarser grid: ten sweeps, the same number of fragments");
    fine.start(&waves)?;
    fine.smooth(10)?;
    fine.largest("Without it: the largest error")
}

fn branch(machine: &Machine) -> Result<(), BoxedError> {
    let (size, part) = ((32, 32), Rect::at([10, 10], (12, 12)));
    let stream = |label: &str| Stream::zeros(machine, label, size, Format::R32F);
    let [u, kind, v, w, kept] = ["u", "kind", "v", "w", "kept"].map(stream);
    let (u, kind, v, w, kept) = (u?, kind?, v?, w?, kept?);
    machine.scene("1024 numbers, of which 144 are to be smoothed");
    let texels = || (0..32).flat_map(|y: u32| (0..32).map(move |x: u32| (x, y)));
    u.write(&texels().map(|(x, y)| ((x * x + 3 * y) % 7) as f32 / 6.0).collect::<Vec<_>>())?;
    let is_inside = |x: u32| (10..22).contains(&x);
    let inside = texels().map(|(x, y)| f32::from(u8::from(is_inside(x) && is_inside(y))));
    kind.write(&inside.collect::<Vec<_>>())?;
    machine.scene("A choice in the program: all 1024 fragments compute both sides");
    kernel!(machine, "both")?.pass().read("u", &u).read("kind", &kind).draw(&v, v.full())?;
    machine.scene("A choice of rectangles: each side is a program of its own");
    machine.kernel(&COPY, &[])?.pass().read("x", &u).draw(&w, w.full())?;
    kernel!(machine, "smooth")?.pass().read("u", &u).draw(&w, part)?;
    machine.scene("Discarded fragments have run, too; an occlusion query counts the others");
    let remain = kernel!(machine, "remain")?;
    remain.pass().read("kind", &kind).draw_counting(&kept, kept.full())?;
    w.read()?;
    Ok(())
}

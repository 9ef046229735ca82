//! Time of half a sweep, compared with trivial programs (§7.1), and with four nodes per texel (§6, last
//! paragraph).
//!
//! Goodnight et al. keep solution, residual and source of one node in a texel, Bolz et al. one
//! quantity of four nodes. The two ideas, one surface for all levels and four nodes per texel, do not
//! exclude each other: solution and source are then separate areas of the same surface instead of channels.
//! This is the kernel that takes most of the time, half a sweep, written for quadrants. It is run
//! and modelled inside quadrants; their borders would add to its cost, as in bolz2003 §4.2.

use crate::goodnight2003::{Colour, Settings, Solver};
use crate::stream::{Format, Machine, Pass, Rect, Source, Stream, source};
use crate::timing::cost::costs;
use crate::timing::rig::work;
use crate::timing::{Cost, Effort, PingPong, TimingError, Work};

use super::problems::flow;

const CONSTANT: Source = source!("goodnight2003/speed/constant");
const CEILING: Source = source!("goodnight2003/speed/smooth_ceiling");
const QUADRANTS: Source = source!("goodnight2003/speed/smooth_quadrants");
const NEIGHBOURS: Source = source!(vertex "goodnight2003/multigrid/fast/neighbours");

/// Half a sweep, of one colour and then of the other.
fn half_sweep(solver: &Solver) -> Work<'_> {
    work(move |run| solver.levels().half_sweep(0, Colour::BOTH[run % 2]))
}

/// Passes half a sweep on n² nodes, a program with the same fetches, and the paper's trivial
/// program, which writes a constant, to `time`.
pub fn beside_trivial<T>(
    machine: &Machine,
    n: u32,
    time: impl FnOnce([Work<'_>; 3]) -> Result<T, TimingError>,
) -> Result<T, TimingError> {
    let solver = Solver::new(machine, &flow(n)?, &Settings::paper_2003())?;
    let (maps, nodes) = (solver.maps(), machine.rect(solver.state().1)?);
    let surfaces = || {
        let size = maps.atlas.size;
        PingPong::new(2, || {
            Stream::zeros(machine, "surface", size, Format::Rgba32F)
        })
    };
    let (mut fetched, mut written) = (surfaces()?, surfaces()?);
    let ceiling = machine.kernel(&CEILING, &[])?;
    let constant = machine.kernel(&CONSTANT, &[])?;
    time([
        half_sweep(&solver),
        work(|run| {
            let (state, target) = fetched.of(run);
            (Pass::new(&ceiling).read("state", state))
                .read("operator_map", &maps.operator)
                .read("red_black_map", &maps.red_black)
                .draw(target, &nodes)
        }),
        work(|run| {
            // Another target each time, so that nothing is overwritten before it is used.
            let (_, target) = written.of(run);
            (Pass::new(&constant).set("value", [run as f32; 4])).draw(target, &nodes)
        }),
    ])
}

/// Times and models half a sweep on n² nodes, unchanged and with the same number of nodes in quadrants, alternately.
pub fn beside_quadrants(
    machine: &Machine,
    n: u32,
    effort: Effort,
) -> Result<[Cost; 2], TimingError> {
    let solver = Solver::new(machine, &flow(n)?, &Settings::default())?;
    // A quadrant with one texel around it.
    let side = n.div_ceil(2) + 2;
    let stream = |label| Stream::zeros(machine, label, (side, side), Format::Rgba32F);
    let mut pair = PingPong::new(2, || stream("unknown"))?;
    let (f, red_black) = (stream("source")?, stream("red-black map")?);
    let coefficient = stream("coefficient")?;
    coefficient.fill([1.0; 4]);
    let inside = machine.rect(Rect::at([1, 1], (side - 2, side - 2)))?;
    let kernel = machine.kernel(&QUADRANTS.with_vertices(&NEIGHBOURS), &[])?;
    let quadrants = work(move |run| {
        let (u, target) = pair.of(run);
        let pass = Pass::new(&kernel)
            .read("u", u)
            .read("f", &f)
            .read("red_black_map", &red_black)
            .set("colour", (run % 2) as f32);
        let places = ["target", "source", "map"];
        let pass = places
            .iter()
            .fold(pass, |pass, place| pass.set(place, [0.0; 2]));
        let sides = ["west", "east", "south", "north"];
        let pass = sides
            .iter()
            .fold(pass, |pass, side| pass.read(side, &coefficient));
        pass.draw(target, &inside)
    });
    costs(machine, effort, [half_sweep(&solver), quadrants])
}

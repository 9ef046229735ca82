//! What the quadrants of Bolz et al. would give this solver (goodnight2003 §6, last paragraph).
//!
//! Goodnight et al. keep solution, residual and source of one node in a texel, Bolz et al. one
//! quantity of four nodes. The two ideas, one surface for all levels and four nodes a texel, do not
//! exclude each other: solution and source then are places of the same surface instead of channels.
//! Here is the kernel that takes most of the time, half a sweep, written for quadrants. It is run
//! and modelled inside of quadrants; their borders would come on top, as in bolz2003 §4.2.

use crate::card::cost::bill;
use crate::claim::timing::{Effort, Work, medians};
use crate::stream::{Format, Machine, Pass, Rect, Source, Stream, source};

use crate::goodnight2003::speed::flow;
use crate::goodnight2003::{Colour, Settings, Solver, SolverError};

const SMOOTH: Source = source!("goodnight2003/smooth_quadrants");
const NEIGHBOURS: Source = source!(vertex "goodnight2003/neighbours");

/// Half a sweep, a node a texel and four nodes a texel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// Median seconds: as it is, and with quadrants.
    pub seconds: [f64; 2],
    /// Seconds that the model of the NV30 gives them.
    pub nv30_seconds: [f64; 2],
    /// Bytes fetched and written.
    pub bytes: [u64; 2],
}

/// Times and models half a sweep on n² nodes and on as many in quadrants, in turns.
pub fn gain(machine: &Machine, n: u32, effort: Effort) -> Result<Gain, SolverError> {
    let solver = Solver::new(machine, &flow(n)?, &Settings::default())?;
    // A quadrant with a texel around.
    let side = n.div_ceil(2) + 2;
    let stream = |label| Stream::zeros(machine, label, (side, side), Format::Rgba32F);
    let turns = [stream("even")?, stream("odd")?];
    let (f, red_black) = (stream("source")?, stream("red-black map")?);
    let coefficient = stream("coefficient")?;
    coefficient.fill([1.0; 4]);
    let inside = machine.rect(Rect {
        x: 1,
        y: 1,
        width: side - 2,
        height: side - 2,
    })?;
    let kernel = machine.rectangle_kernel(&SMOOTH, &NEIGHBOURS, &[])?;
    let quadrants = |run: usize| {
        let origin = [0.0; 2];
        let pass = Pass::new(&kernel)
            .read("u", &turns[run % 2])
            .read("f", &f)
            .read("red_black_map", &red_black)
            .set("colour", (run % 2) as f32)
            .set("target", origin)
            .set("source", origin)
            .set("map", origin);
        let sides = ["west", "east", "south", "north"];
        let pass = sides
            .iter()
            .fold(pass, |pass, side| pass.read(side, &coefficient));
        pass.draw(&turns[(run + 1) % 2], &inside)
    };
    let half_sweep = |run: usize| solver.levels().half_sweep(0, Colour::BOTH[run % 2]);
    let works: [Work; 2] = [Box::new(half_sweep), Box::new(quadrants)];
    let seconds = medians(machine, effort, works)?;
    machine.take_ledger();
    half_sweep(0)?;
    let one = bill(&machine.take_ledger()).total();
    quadrants(0)?;
    let four = bill(&machine.take_ledger()).total();
    Ok(Gain {
        seconds,
        nv30_seconds: [one.nv30_seconds, four.nv30_seconds],
        bytes: [one, four].map(|charge| charge.bytes()),
    })
}

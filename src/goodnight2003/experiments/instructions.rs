//! Table 1: instructions of the four kernels.

use crate::experiment::plot::{Axis, Bars, Group, bars};
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::goodnight2003::{Parity, Programs};
use crate::goodnight2003::kernels::Kernels;
use crate::stream::Machine;

const TABLE1: Claim = Claim {
    id: "goodnight2003/table1",
    class: Class::Tolerance,
    section: "§6, Table 1",
    statement: "Lean programs for the inside, with coordinates from a vertex program and arithmetic on \
                four numbers at once, take a third to a quarter of the instructions of the first \
                programs.",
    paper: "smooth 79→20, residual 45→16, restrict 66→21, interpolate 93→25: 3 to 4 times",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/instructions",
    paper: "goodnight2003",
    section: "§6, Table 1",
    title: "Instructions of the first programs and of the lean ones",
    claims: &[TABLE1],
    run,
};

//! The programs of the flow, from `glsl/goodnight2003`.

use std::rc::Rc;

use crate::card::dialect::user_source;
use crate::goodnight2003::LIMITS;
use crate::goodnight2003::Metric;
use crate::stream::{Kernel, Machine, Source, StreamError, source};

const NODES: &str = source!(text "goodnight2003/wing/nodes", ".frag");
const CATMULL_ROM: &str = source!(text "stream/catmull_rom", ".glsl");
const SIGNED: &str = source!(text "view/signed", ".glsl");
const PICTURE: &str = source!(text "goodnight2003/wing/picture", ".frag");
const STREAM_FUNCTION: Source = source!(goodnight2003, "wing/stream_function");
const TRANSPORT: Source = source!(
    goodnight2003, "wing/transport",
    with "goodnight2003/wing/grid", "goodnight2003/wing/fluxes"
);
const FAR: Source = source!(goodnight2003, "wing/far", with "goodnight2003/wing/grid");
const WALL: Source = source!(goodnight2003, "wing/wall");
const SOURCE: Source = source!(goodnight2003, "wing/source", with "goodnight2003/wing/grid");
const RATE: Source = source!(goodnight2003, "wing/rate", with "goodnight2003/wing/grid", "goodnight2003/wing/fluxes");
const PROBE: Source = source!(
    goodnight2003, "wing/probe",
    with "goodnight2003/wing/grid", "goodnight2003/wing/fluxes"
);
const COPY: Source = source!(stream, "copy");

/// The programs.
pub struct WingKernels {
    /// Positions and scale factors.
    pub nodes: Rc<Kernel>,
    /// ψ
    pub stream_function: Rc<Kernel>,
    /// A step of ζ inside.
    pub transport: Rc<Kernel>,
    /// ζ in the last column.
    pub far: Rc<Kernel>,
    /// ζ on the body.
    pub wall: Rc<Kernel>,
    /// F, in the solver's state.
    pub source: Rc<Kernel>,
    /// Bounds of the time step.
    pub rate: Rc<Kernel>,
    /// Per-row quantities read back by the CPU.
    pub probe: Rc<Kernel>,
    /// A copy.
    pub copy: Rc<Kernel>,
}

impl WingKernels {
    /// Compiles the programs.
    pub fn new(machine: &Machine, coordinates: &Metric) -> Result<Self, StreamError> {
        let plain = |source: &Source| machine.kernel(source, &[]);
        Ok(Self {
            nodes: with_coordinates(machine, coordinates, NODES)?,
            stream_function: plain(&STREAM_FUNCTION)?,
            transport: plain(&TRANSPORT)?,
            far: plain(&FAR)?,
            wall: plain(&WALL)?,
            source: plain(&SOURCE)?,
            rate: plain(&RATE)?,
            probe: plain(&PROBE)?,
            copy: plain(&COPY)?,
        })
    }
}

/// The program that draws the vorticity.
pub(super) fn picture(machine: &Machine, coordinates: &Metric) -> Result<Rc<Kernel>, StreamError> {
    with_coordinates(machine, coordinates, &format!("{CATMULL_ROM}\n{SIGNED}\n{PICTURE}"))
}

/// Definitions that connect programs to the functions of the coordinates.
const COORDINATES: &str = "#define METRIC(p) metric(p)
#define PLACE(p) place(p)
#define COORDINATES(z) coordinates(z)";

/// A program with the coordinates in front, whose name and lines appear in messages.
fn with_coordinates(
    machine: &Machine,
    coordinates: &Metric,
    text: &str,
) -> Result<Rc<Kernel>, StreamError> {
    // §5.3: a user's program gives x, y and the scale factors at (ξ, η)
    let text = format!("{}\n{COORDINATES}\n{text}", coordinates.glsl());
    machine.kernel(&user_source(coordinates.name(), text, LIMITS)?, &[])
}

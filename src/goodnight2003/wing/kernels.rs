//! The programs of the flow, from `glsl/goodnight2003`.

use std::rc::Rc;

use crate::goodnight2003::Metric;
use crate::stream::{Kernel, Machine, Source, StreamError, UserSource};

/// A file of this paper.
macro_rules! text {
    ($file:expr) => {
        include_str!(concat!("../../../glsl/goodnight2003/", $file))
    };
}

/// The program `file`.frag with the texts `front` before it.
macro_rules! program {
    ($file:literal $(, $front:literal)*) => {
        Source {
            name: concat!("goodnight2003/", $file),
            text: concat!($(text!(concat!($front, ".glsl")),)* text!(concat!($file, ".frag"))),
        }
    };
}

const STREAM_FUNCTION: Source = program!("wing_stream_function");
const TRANSPORT: Source = program!("wing_transport", "wing_grid", "wing_fluxes");
const FAR: Source = program!("wing_far", "wing_grid");
const WALL: Source = program!("wing_wall");
const SOURCE: Source = program!("wing_source", "wing_grid");
const RATE: Source = program!("wing_rate", "wing_grid", "wing_fluxes");
const PROBE: Source = program!("wing_probe", "wing_grid", "wing_fluxes");
const COPY: Source = Source {
    name: "stream/copy",
    text: include_str!("../../../glsl/stream/copy.frag"),
};

/// The programs.
pub struct WingKernels {
    /// Places and scale factors.
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
    /// What bounds the step.
    pub rate: Rc<Kernel>,
    /// What the CPU wants to know.
    pub probe: Rc<Kernel>,
    /// A copy.
    pub copy: Rc<Kernel>,
}

impl WingKernels {
    /// Compiles the programs.
    ///
    /// # Errors
    /// When the driver refuses one; of the coordinates with file and line.
    pub fn new(machine: &Machine, coordinates: &Metric) -> Result<Self, StreamError> {
        let plain = |source: &Source| machine.kernel(source, &[]);
        Ok(Self {
            nodes: with_coordinates(machine, coordinates, text!("wing_nodes.frag"))?,
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
///
/// # Errors
/// When the driver refuses it.
pub(super) fn picture(machine: &Machine, coordinates: &Metric) -> Result<Rc<Kernel>, StreamError> {
    with_coordinates(machine, coordinates, text!("wing_picture.frag"))
}

/// What programs call the functions of the coordinates.
const COORDINATES: &str = "#define METRIC(p) metric(p)
#define PLACE(p) place(p)
#define COORDINATES(z) coordinates(z)";

/// A program behind the coordinates, whose name and lines it has in messages.
fn with_coordinates(
    machine: &Machine,
    coordinates: &Metric,
    text: &str,
) -> Result<Rc<Kernel>, StreamError> {
    let text = format!("{}\n{COORDINATES}\n{text}", coordinates.glsl());
    machine.kernel(&UserSource::new(coordinates.name(), text)?, &[])
}

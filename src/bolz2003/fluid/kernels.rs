//! The programs of the fluid solver, from `glsl/bolz2003`.

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Source, StreamError};

use super::super::grid_kernels::GridKernel;

/// A file of this paper.
macro_rules! text {
    ($file:expr) => {
        include_str!(concat!("../../../glsl/bolz2003/", $file))
    };
}

/// The program `file`.frag with the texts `front` before it.
macro_rules! program {
    ($file:literal $(, $front:literal)*) => {
        Source {
            name: concat!("bolz2003/", $file),
            text: concat!($(text!(concat!($front, ".glsl")),)* text!(concat!($file, ".frag"))),
        }
    };
}

/// A program over a grid: for inner texels, and for the border.
macro_rules! grid_program {
    ($file:literal) => {
        [
            program!($file, "grid_inner", "sides_none"),
            Source {
                name: concat!("bolz2003/", $file, ", border"),
                ..program!($file, "grid_nodes", "grid_border", "sides_normal")
            },
        ]
    };
}

const ADVECT: Source = program!("advect", "bilinear");
const ADD_FORCE: Source = program!("add_force");
const OUTFLOW_STRIPS: Source = program!("outflow_strips");
const OUTFLOW_CORRECTION: Source = program!("outflow_correction");
const UNLAYER_VELOCITY: Source = program!("unlayer_velocity");
const SPEED: Source = program!("speed");
const VORTICITY: Source = program!("vorticity");
const DYE_INLET: Source = program!("dye_inlet");
const MOVE_PARTICLES: Source = program!("move_particles", "bilinear");
const PICTURE: Source = program!("picture", "bilinear");
const PICTURE_DYE: Source = program!("picture_dye", "bilinear");
const LAYER_VELOCITY: [Source; 2] = grid_program!("layer_velocity");
const DIVERGENCE: [Source; 2] = grid_program!("divergence");
const SUBTRACT_GRADIENT: [Source; 2] = grid_program!("subtract_gradient");

/// The rows that one fragment sums: with more, a program for 513 rows would be longer than the
/// NV30's 1024 instructions.
pub const STRIP: usize = 32;

/// Records of a table of colours.
pub const COLOURS: usize = 256;

/// The programs.
pub struct FluidKernels {
    /// Advection.
    pub advect: Rc<Kernel>,
    /// The body force.
    pub add_force: Rc<Kernel>,
    /// What leaves through the open side, in strips.
    pub outflow_strips: Rc<Kernel>,
    /// The velocity that balances it.
    pub outflow_correction: Rc<Kernel>,
    /// Layering of u_x and of u_y, with what holds on the sides.
    pub layer_velocity: [GridKernel; 2],
    /// Un-layering of both.
    pub unlayer_velocity: Rc<Kernel>,
    /// The right side of the Poisson equation.
    pub divergence: GridKernel,
    /// u ← u − ∂q/∂x, and over y.
    pub subtract_gradient: [GridKernel; 2],
    /// |u|
    pub speed: Rc<Kernel>,
    /// ∂u_y/∂x − ∂u_x/∂y
    pub vorticity: Rc<Kernel>,
    /// Dye in the inlet.
    pub dye_inlet: Rc<Kernel>,
    /// Particles.
    pub move_particles: Rc<Kernel>,
    /// A quantity in colours.
    pub picture: Rc<Kernel>,
    /// Two dyes in colours.
    pub picture_dye: Rc<Kernel>,
}

impl FluidKernels {
    /// Compiles the programs for a domain of so many rows.
    ///
    /// # Errors
    /// When the driver refuses one.
    pub fn new(machine: &Machine, rows: usize) -> Result<Self, StreamError> {
        let plain = |source: &Source| machine.kernel(source, &[]);
        let strip = float(STRIP);
        let strips = float(rows.div_ceil(STRIP));
        let colours = float(COLOURS);
        let layer = |component, sides| {
            let component = ("COMPONENT", component);
            grid_kernel(
                machine,
                &LAYER_VELOCITY,
                &[component, ("NODE(p)", "advected(p)")],
                &[component, ("NODE(p)", sides)],
            )
        };
        let subtract = |axis, extent| {
            let defines = [("AXIS", axis), ("EXTENT(i)", extent)];
            grid_kernel(machine, &SUBTRACT_GRADIENT, &defines, &defines)
        };
        Ok(Self {
            advect: plain(&ADVECT)?,
            add_force: plain(&ADD_FORCE)?,
            outflow_strips: machine.kernel(&OUTFLOW_STRIPS, &[("STRIP", &strip)])?,
            outflow_correction: machine.kernel(&OUTFLOW_CORRECTION, &[("STRIPS", &strips)])?,
            layer_velocity: [
                layer("x", "conditioned_x(p)")?,
                layer("y", "conditioned_y(p)")?,
            ],
            unlayer_velocity: plain(&UNLAYER_VELOCITY)?,
            divergence: grid_kernel(machine, &DIVERGENCE, &[], &[])?,
            subtract_gradient: [
                subtract("vec2(1.0, 0.0)", "WIDTH(i)")?,
                subtract("vec2(0.0, 1.0)", "HEIGHT(i)")?,
            ],
            speed: plain(&SPEED)?,
            vorticity: plain(&VORTICITY)?,
            dye_inlet: plain(&DYE_INLET)?,
            move_particles: plain(&MOVE_PARTICLES)?,
            picture: machine.kernel(&PICTURE, &[("COLOURS", &colours)])?,
            picture_dye: plain(&PICTURE_DYE)?,
        })
    }
}

/// A number as the language of the programs writes it.
fn float(number: usize) -> String {
    format!("{number}.0")
}

fn grid_kernel(
    machine: &Machine,
    [inner, border]: &[Source; 2],
    inside: &[(&str, &str)],
    at_sides: &[(&str, &str)],
) -> Result<GridKernel, StreamError> {
    Ok(GridKernel {
        inner: machine.kernel(inner, inside)?,
        border: machine.kernel(border, at_sides)?,
    })
}

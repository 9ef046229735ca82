//! The programs of the fluid solver, from `glsl/bolz2003`.

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Part, Source, StreamError, source};

use crate::bolz2003::grid::kernels::GridKernel;

/// Parts put in front of the programs over a grid: for inner texels, and for the border.
const INNER: [Part; 2] = [
    source!(part "bolz2003/grid/grid_inner"),
    source!(part "bolz2003/fluid/sides_none"),
];
const BORDER: [Part; 3] = [
    source!(part "bolz2003/grid/grid_nodes"),
    source!(part "bolz2003/grid/grid_border"),
    source!(part "bolz2003/fluid/sides_normal"),
];

/// Rows summed by one fragment: with more, a program for 513 rows would be longer than the
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
    /// Outflow through the open side, in strips.
    pub outflow_strips: Rc<Kernel>,
    /// The velocity that balances it.
    pub outflow_correction: Rc<Kernel>,
    /// Layering of u_x and of u_y, with the conditions on the sides.
    pub layer_velocity: [GridKernel; 2],
    /// Un-layering of both components.
    pub unlayer_velocity: Rc<Kernel>,
    /// The right-hand side of the Poisson equation.
    pub divergence: GridKernel,
    /// u ← u − ∂q/∂x, and the same along y.
    pub subtract_gradient: [GridKernel; 2],
    /// |u|
    pub speed: Rc<Kernel>,
    /// ∂u_y/∂x − ∂u_x/∂y
    pub vorticity: Rc<Kernel>,
    /// Dye in the inlet.
    pub dye_inlet: Rc<Kernel>,
    /// Motion of particles.
    pub move_particles: Rc<Kernel>,
    /// Picture of particles.
    pub particles: Rc<Kernel>,
    /// Picture of a quantity in colours.
    pub picture: Rc<Kernel>,
    /// Picture of two dyes in colours.
    pub picture_dye: Rc<Kernel>,
}

impl FluidKernels {
    /// Compiles the programs for a domain with `rows` rows.
    pub fn new(machine: &Machine, rows: usize) -> Result<Self, StreamError> {
        let plain = |source: &Source| machine.kernel(source, &[]);
        let sized = |source: &Source, name, number: usize| {
            machine.kernel(source, &[(name, &format!("{number}.0"))])
        };
        let on_grid = |source: Source, defines: [&[(&str, &str)]; 2]| {
            GridKernel::of(machine, &source, [&INNER, &BORDER], defines)
        };
        let layer = |component, sides| {
            let component = ("COMPONENT", component);
            let inside = [component, ("NODE(p)", "advected(p)")];
            let at_sides = [component, ("NODE(p)", sides)];
            on_grid(
                source!("bolz2003/fluid/layer_velocity"),
                [&inside, &at_sides],
            )
        };
        let subtract = |axis, extent| {
            let defines = [("AXIS", axis), ("EXTENT(i)", extent)];
            on_grid(source!("bolz2003/fluid/subtract_gradient"), [&defines; 2])
        };
        Ok(Self {
            advect: plain(&source!("bolz2003/fluid/advect", with "bolz2003/fluid/bilinear"))?,
            add_force: plain(&source!("bolz2003/fluid/add_force"))?,
            outflow_strips: sized(&source!("bolz2003/fluid/outflow_strips"), "STRIP", STRIP)?,
            outflow_correction: sized(
                &source!("bolz2003/fluid/outflow_correction"),
                "STRIPS",
                rows.div_ceil(STRIP),
            )?,
            layer_velocity: [
                layer("x", "conditioned_x(p)")?,
                layer("y", "conditioned_y(p)")?,
            ],
            unlayer_velocity: plain(&source!("bolz2003/fluid/unlayer_velocity"))?,
            divergence: on_grid(source!("bolz2003/fluid/divergence"), [&[]; 2])?,
            subtract_gradient: [
                subtract("vec2(1.0, 0.0)", "WIDTH(i)")?,
                subtract("vec2(0.0, 1.0)", "HEIGHT(i)")?,
            ],
            speed: plain(&source!("bolz2003/fluid/pictures/speed"))?,
            vorticity: plain(&source!("bolz2003/fluid/pictures/vorticity"))?,
            dye_inlet: plain(&source!("bolz2003/fluid/dye_inlet"))?,
            move_particles: plain(&source!(
                "bolz2003/fluid/pictures/move_particles",
                with "bolz2003/fluid/bilinear"
            ))?,
            particles: machine.kernel(
                &source!("bolz2003/fluid/pictures/particles").for_points(),
                &[],
            )?,
            picture: sized(
                &source!("bolz2003/fluid/pictures/field", with "bolz2003/fluid/bilinear"),
                "COLOURS",
                COLOURS,
            )?,
            picture_dye: plain(&source!(
                "bolz2003/fluid/pictures/dye",
                with "bolz2003/fluid/bilinear"
            ))?,
        })
    }
}

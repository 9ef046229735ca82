//! A domain: its operators, its programs and the conditions on its sides, everything that is constant from step to
//! step.

use std::rc::Rc;

use crate::bolz2003::Error;
use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::grid::kernels::GridKernel;
use crate::stream::{
    Format, Kernel, Machine, Pair, Part, Rect, Rects, Size, Source, Stream, StreamError, source,
};

use super::settings::{Settings, Walls};

use Boundary::{Dirichlet, Neumann};

/// Everything about a simulation except the fluid itself.
pub struct Domain {
    settings: Settings,
    grid: Grid,
    machine: Machine,
    pub(super) kernels: FluidKernels,
    pub(super) pressure: Rc<GridHierarchy>,
    /// The Helmholtz operators of u_x and u_y, if there is viscosity.
    pub(super) viscous: Option<[Rc<GridHierarchy>; 2]>,
    /// Conditions on the sides, as `layer_velocity.frag` takes them.
    pub(super) sides: Stream,
    pub(super) nodes: Rects,
    /// Texels along the open side.
    pub(super) strips: Rects,
    /// A single record.
    pub(super) one: Rects,
}

impl Domain {
    /// Builds the operators, which a fluid, its tracers and its pictures share.
    pub fn new(machine: &Machine, settings: Settings) -> Result<Rc<Self>, Error> {
        let grid = settings.check()?;
        let size = (grid.columns() as u32, grid.rows() as u32);
        let strips = grid.rows().div_ceil(STRIP) as u32;
        let (storage, options) = (settings.stencils, settings.hierarchy);
        let operator = |grid, sigma| {
            GridHierarchy::helmholtz(machine, grid, sigma, storage, options).map(Rc::new)
        };
        let viscous = match viscous_problems(&grid, &settings) {
            None => None,
            Some(([x, y], sigma)) => Some([operator(x, sigma)?, operator(y, sigma)?]),
        };
        let sides = conditions(&grid, &settings).into_flattened();
        Ok(Rc::new(Self {
            kernels: FluidKernels::new(machine, grid.rows())?,
            pressure: operator(grid, 0.0)?,
            viscous,
            sides: Stream::from_data(machine, "sides", size, Format::Rgba32F, &sides)?,
            nodes: machine.rect(Rect::of_size(size.0, size.1))?,
            strips: machine.rect(Rect::of_size(1, strips))?,
            one: machine.rect(Rect::of_size(1, 1))?,
            machine: machine.clone(),
            settings,
            grid,
        }))
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The nodes.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The machine that runs it.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Indices of the last column and row, as programs take them.
    pub(super) fn last(&self) -> [f32; 2] {
        self.grid.cells.map(|n| n as f32)
    }

    fn size(&self) -> Size {
        (self.grid.columns() as u32, self.grid.rows() as u32)
    }

    /// Creates a stream with one record per node, all zero.
    pub(super) fn plain(&self, label: &str, format: Format) -> Result<Stream, StreamError> {
        Stream::zeros(&self.machine, label, self.size(), format)
    }

    /// Creates a pair of such streams.
    pub(super) fn plain_pair(&self, label: &str, format: Format) -> Result<Pair, StreamError> {
        Pair::zeros(&self.machine, label, self.size(), format)
    }
}

/// The Helmholtz problems of u_x and u_y, if there is viscosity: their grids, and the σ of
/// (1 − ν Δt ∇²) u = f divided by ν Δt.
fn viscous_problems(grid: &Grid, settings: &Settings) -> Option<([Grid; 2], f64)> {
    let grids = viscous_sides(settings).map(|sides| Grid { sides, ..*grid });
    // §4.1, Eq. 2, divided by ν Δt: (σ − ∇²) u* = σ u, where σ = 1 / (ν Δt)
    let sigma = 1.0 / (settings.viscosity * settings.dt);
    (settings.viscosity > 0.0).then_some((grids, sigma))
}

/// Nodes that viscosity does not change, for u_x and for u_y: the velocity normal to a side is
/// prescribed, and so is the velocity along a wall to which the fluid sticks. At the open side u_y
/// has zero normal derivative.
fn viscous_sides(settings: &Settings) -> [Sides; 2] {
    let along = match settings.walls {
        Walls::Slip => Neumann,
        Walls::Stick => Dirichlet,
    };
    let right = settings.inlet.map_or(along, |_| Neumann);
    [
        Sides::new([Dirichlet, Dirichlet, along, along]),
        Sides::new([along, right, Dirichlet, Dirichlet]),
    ]
}

/// Conditions at each node, as `layer_velocity.frag` takes them: the factors of u_x and u_y, the
/// velocity of the inlet, and whether the node is open. Inner nodes keep everything.
pub fn conditions(grid: &Grid, settings: &Settings) -> Vec<[f32; 4]> {
    let [last_column, last_row] = grid.cells;
    let slips = match settings.walls {
        Walls::Slip => 1.0,
        Walls::Stick => 0.0,
    };
    // Factor of a component, given whether a wall is normal to it and whether one is parallel to it.
    let kept = |normal: bool, along: bool| match (normal, along) {
        (true, _) => 0.0,
        (false, true) => slips,
        (false, false) => 1.0,
    };
    let node = |place: usize| {
        let [i, j] = grid.node(place);
        let on_side = i == 0 || i == last_column;
        let above_or_below = j == 0 || j == last_row;
        match settings.inlet {
            Some(inlet) if i == 0 && inlet.contains(j) => [0.0, 0.0, inlet.speed as f32, 0.0],
            Some(_) if i == last_column => [1.0, f32::from(!above_or_below), 0.0, 1.0],
            _ => [kept(on_side, above_or_below), kept(above_or_below, on_side), 0.0, 0.0],
        }
    };
    (0..grid.nodes()).map(node).collect()
}

/// Parts put in front of the programs over a grid: for inner texels, and for the border.
const INNER: [Part; 2] =
    [source!(part "bolz2003/grid/grid_inner"), source!(part "bolz2003/fluid/sides_none")];
const BORDER: [Part; 3] = [
    source!(part "bolz2003/grid/grid_nodes"),
    source!(part "bolz2003/grid/grid_border"),
    source!(part "bolz2003/fluid/sides_normal"),
];

/// Rows summed by one fragment: with more, a program for 513 rows would be longer than the
/// NV30's 1024 instructions.
const STRIP: usize = 32;

/// Records of a table of colours.
pub const COLOURS: usize = 256;

/// The programs.
pub struct FluidKernels {
    /// Advection.
    pub advect: Rc<Kernel>,
    /// The body force.
    pub add_force: Rc<Kernel>,
    /// A stroke of the mouse.
    pub stroke: Rc<Kernel>,
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
            on_grid(source!(bolz2003, "fluid/layer_velocity"), [&inside, &at_sides])
        };
        let subtract = |axis, extent| {
            let defines = [("AXIS", axis), ("EXTENT(i)", extent)];
            on_grid(source!(bolz2003, "fluid/subtract_gradient"), [&defines; 2])
        };
        Ok(Self {
            advect: plain(&source!(bolz2003, "fluid/advect", with "bolz2003/fluid/bilinear"))?,
            add_force: plain(&source!(bolz2003, "fluid/add_force"))?,
            stroke: plain(&source!(bolz2003, "fluid/stroke", with "stream/stroke"))?,
            outflow_strips: sized(&source!(bolz2003, "fluid/outflow_strips"), "STRIP", STRIP)?,
            outflow_correction: sized(
                &source!(bolz2003, "fluid/outflow_correction"),
                "STRIPS",
                rows.div_ceil(STRIP),
            )?,
            layer_velocity: [layer("x", "conditioned_x(p)")?, layer("y", "conditioned_y(p)")?],
            unlayer_velocity: plain(&source!(bolz2003, "fluid/unlayer_velocity"))?,
            divergence: on_grid(source!(bolz2003, "fluid/divergence"), [&[]; 2])?,
            subtract_gradient: [
                subtract("vec2(1.0, 0.0)", "WIDTH(i)")?,
                subtract("vec2(0.0, 1.0)", "HEIGHT(i)")?,
            ],
            speed: plain(&source!(bolz2003, "fluid/pictures/speed"))?,
            vorticity: plain(&source!(bolz2003, "fluid/pictures/vorticity"))?,
            dye_inlet: plain(&source!(bolz2003, "fluid/dye_inlet"))?,
            move_particles: plain(&source!(
                bolz2003, "fluid/pictures/move_particles",
                with "bolz2003/fluid/bilinear"
            ))?,
            particles: machine
                .kernel(&source!(bolz2003, "fluid/pictures/particles").for_points(), &[])?,
            picture: sized(
                &source!(bolz2003, "fluid/pictures/field", with "bolz2003/fluid/bilinear"),
                "COLOURS",
                COLOURS,
            )?,
            picture_dye: plain(&source!(
                bolz2003, "fluid/pictures/dye",
                with "bolz2003/fluid/bilinear"
            ))?,
        })
    }
}

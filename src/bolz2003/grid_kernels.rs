//! The kernels over grids, each in front of which stands how a texel's nodes are found (Bolz et al.
//! 2003, section 4.2).
//!
//! Every program says `vec4 node(vec2 i)`, what the nodes of texel i get, and `result =
//! KEEP(node(AT))`. What `AT` and `KEEP` are is put in front: nothing special over inner texels
//! (`grid_inner.glsl`), duplicates and masks over the border (`grid_border.glsl`), every node once
//! (`grid_owned.glsl`). The programs that apply a level's operator say `APPLY(i)`: the stencil in
//! nine streams, or in constants, is put in front likewise.
//!
//! A further kernel over grids is a file `name.frag` of this form and
//! `GridKernel::new(machine, &grid_program!("name", ""))`; [`LayeredGrid::draw`] runs it.
//!
//! [`LayeredGrid::draw`]: super::layering::LayeredGrid::draw

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Source, StreamError};

/// A program over a grid, with each of the texts that stand in front of it.
pub(super) struct GridProgram {
    pub inner: Source,
    pub border: Source,
    pub owned: Source,
}

/// The program `file`.frag with the texts `front` before it; `variant` ends its name.
macro_rules! grid_program {
    ($file:literal, $variant:literal $(, $front:literal)*) => {
        $crate::bolz2003::grid_kernels::GridProgram {
            inner: $crate::stream::Source {
                name: concat!("bolz2003/", $file, $variant),
                text: concat!(
                    include_str!("../../glsl/bolz2003/grid_inner.glsl"),
                    $(include_str!(concat!("../../glsl/bolz2003/", $front, ".glsl")),)*
                    include_str!(concat!("../../glsl/bolz2003/", $file, ".frag"))
                ),
            },
            border: $crate::stream::Source {
                name: concat!("bolz2003/", $file, $variant, ", border"),
                text: concat!(
                    include_str!("../../glsl/bolz2003/grid_nodes.glsl"),
                    include_str!("../../glsl/bolz2003/grid_border.glsl"),
                    $(include_str!(concat!("../../glsl/bolz2003/", $front, ".glsl")),)*
                    include_str!(concat!("../../glsl/bolz2003/", $file, ".frag"))
                ),
            },
            owned: $crate::stream::Source {
                name: concat!("bolz2003/", $file, $variant, ", owned"),
                text: concat!(
                    include_str!("../../glsl/bolz2003/grid_nodes.glsl"),
                    include_str!("../../glsl/bolz2003/grid_owned.glsl"),
                    $(include_str!(concat!("../../glsl/bolz2003/", $front, ".glsl")),)*
                    include_str!(concat!("../../glsl/bolz2003/", $file, ".frag"))
                ),
            },
        }
    };
}

pub(super) use grid_program;

/// The programs that apply an operator.
struct OperatorPrograms {
    product: GridProgram,
    residual: GridProgram,
    jacobi: GridProgram,
    scale_by_diagonal: GridProgram,
}

macro_rules! operator_programs {
    ($variant:literal $(, $front:literal)*) => {
        OperatorPrograms {
            product: grid_program!("stencil_product", $variant $(, $front)*),
            residual: grid_program!("stencil_residual", $variant $(, $front)*),
            jacobi: grid_program!("stencil_jacobi", $variant $(, $front)*),
            scale_by_diagonal: grid_program!("scale_by_diagonal", $variant $(, $front)*),
        }
    };
}

const STORED: OperatorPrograms = operator_programs!("", "stencil_entries", "stored_stencil");
const FIVE_POINT: OperatorPrograms =
    operator_programs!(" of five constants", "constant_five_point");
const NINE_POINT: OperatorPrograms =
    operator_programs!(" of nine constants", "constant_nine_point");

const COPY: GridProgram = grid_program!("copy_nodes", "");
const LAYER: GridProgram = grid_program!("layer", "");
const INTERPOLATE: GridProgram = grid_program!("interpolate", "");
const CORRECT: GridProgram = grid_program!("correct", "");
const PROJECT: GridProgram = grid_program!("project", "");
const COMPOSE: GridProgram = grid_program!("compose_stencil", "", "stencil_entries");
const UNLAYER: Source = Source {
    name: "bolz2003/unlayer",
    text: include_str!("../../glsl/bolz2003/unlayer.frag"),
};

/// A program over a grid in its two forms: for the inner texels and for the border.
pub struct GridKernel {
    pub(super) inner: Rc<Kernel>,
    pub(super) border: Rc<Kernel>,
}

impl GridKernel {
    /// Leaves every node where it is needed, duplicates included.
    pub(super) fn new(machine: &Machine, program: &GridProgram) -> Result<Self, StreamError> {
        Self::with_defines(machine, program, &[])
    }

    /// As [`GridKernel::new`], with macros in front.
    pub(super) fn with_defines(
        machine: &Machine,
        program: &GridProgram,
        defines: &[(&str, &str)],
    ) -> Result<Self, StreamError> {
        Ok(Self {
            inner: machine.kernel(&program.inner, defines)?,
            border: machine.kernel(&program.border, defines)?,
        })
    }

    /// Leaves every node once, so that the result can be summed.
    fn owned(machine: &Machine, program: &GridProgram) -> Result<Self, StreamError> {
        Ok(Self {
            inner: machine.kernel(&program.inner, &[])?,
            border: machine.kernel(&program.owned, &[])?,
        })
    }

    /// The program over inner texels: the one whose instructions the paper counts.
    pub fn inner(&self) -> &Kernel {
        &self.inner
    }

    /// The program over the border.
    pub fn border(&self) -> &Kernel {
        &self.border
    }
}

/// The kernels that do not depend on the operator.
pub struct GridKernels {
    /// v ← v, over the ring of v itself: the border in step again.
    pub copy: GridKernel,
    /// v ← v with every node once.
    pub copy_owned: GridKernel,
    /// Quadrants from a plain grid.
    pub layer: GridKernel,
    /// A plain grid from quadrants.
    pub unlayer: Rc<Kernel>,
    /// v ← S coarse
    pub interpolate: GridKernel,
    /// v ← u + S coarse
    pub correct: GridKernel,
    /// v ← P fine
    pub project: GridKernel,
}

impl GridKernels {
    /// Compiles them, unless the machine has them already.
    ///
    /// # Errors
    /// When the driver refuses a program.
    pub fn new(machine: &Machine) -> Result<Rc<Self>, StreamError> {
        Ok(Rc::new(Self {
            copy: GridKernel::new(machine, &COPY)?,
            copy_owned: GridKernel::owned(machine, &COPY)?,
            layer: GridKernel::new(machine, &LAYER)?,
            unlayer: machine.kernel(&UNLAYER, &[])?,
            interpolate: GridKernel::new(machine, &INTERPOLATE)?,
            correct: GridKernel::new(machine, &CORRECT)?,
            project: GridKernel::new(machine, &PROJECT)?,
        }))
    }
}

/// The kernel that computes one of the nine entries of the coarser stencils.
///
/// # Errors
/// When the driver refuses the program.
pub fn compose_kernel(machine: &Machine) -> Result<GridKernel, StreamError> {
    GridKernel::new(machine, &COMPOSE)
}

/// Where the stencil of an operator is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StencilKind {
    /// In nine streams, as in the paper.
    Stored,
    /// In constants, five of them not zero.
    FivePoint,
    /// In constants.
    NinePoint,
}

/// The kernels that apply an operator.
pub struct OperatorKernels {
    /// v ← A u
    pub product: GridKernel,
    /// r ← b − A u
    pub residual: GridKernel,
    /// The same with every node once.
    pub residual_owned: GridKernel,
    /// v ← u + ω D⁻¹ (b − A u)
    pub jacobi: GridKernel,
    /// v ← ω D⁻¹ u
    pub scale_by_diagonal: GridKernel,
}

impl OperatorKernels {
    /// Compiles them, unless the machine has them already.
    ///
    /// # Errors
    /// When the driver refuses a program.
    pub fn new(machine: &Machine, kind: StencilKind) -> Result<Rc<Self>, StreamError> {
        let programs = match kind {
            StencilKind::Stored => &STORED,
            StencilKind::FivePoint => &FIVE_POINT,
            StencilKind::NinePoint => &NINE_POINT,
        };
        Ok(Rc::new(Self {
            product: GridKernel::new(machine, &programs.product)?,
            residual: GridKernel::new(machine, &programs.residual)?,
            residual_owned: GridKernel::owned(machine, &programs.residual)?,
            jacobi: GridKernel::new(machine, &programs.jacobi)?,
            scale_by_diagonal: GridKernel::new(machine, &programs.scale_by_diagonal)?,
        }))
    }
}

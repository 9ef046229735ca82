//! The kernels over grids; in front of each is the code that finds a texel's nodes (Bolz et al.
//! 2003, section 4.2).
//!
//! Every program defines `vec4 node(vec2 i)`, the values of the nodes of texel i, and sets `result =
//! KEEP(node(AT))`. The definitions of `AT` and `KEEP` are put in front: the identity over inner texels
//! (`grid_inner.glsl`), duplicates and masks over the border (`grid_border.glsl`), every node once (`grid_owned.glsl`). The programs that apply a level's
//! operator call `APPLY(i)`: the stencil, in nine streams or in constants, is also put in front.
//!
//! To add a kernel over grids, write a file `name.frag` of this form and call
//! `GridKernel::new(machine, &source!(bolz2003, "name"))`; [`LayeredGrid::draw`] runs it.
//!
//! [`LayeredGrid::draw`]: super::layering::LayeredGrid::draw

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Part, Source, StreamError, source};

/// For inner texels: the identity.
const INNER: [Part; 1] = [source!(part "bolz2003/grid/grid_inner")];
/// For the border: duplicates and masks.
const BORDER: [Part; 2] =
    [source!(part "bolz2003/grid/grid_nodes"), source!(part "bolz2003/grid/grid_border")];
/// For the border: every node once.
const OWNED: [Part; 2] =
    [source!(part "bolz2003/grid/grid_nodes"), source!(part "bolz2003/grid/grid_owned")];

/// Parts put in front of the programs that apply an operator, for each [`StencilKind`].
const STORED: [Part; 2] = [
    source!(part "bolz2003/grid/stencil/stencil_entries"),
    source!(part "bolz2003/grid/stencil/stored_stencil"),
];
const FIVE_POINT: [Part; 1] = [source!(part "bolz2003/grid/stencil/constant_five_point")];
const NINE_POINT: [Part; 1] = [source!(part "bolz2003/grid/stencil/constant_nine_point")];

const INTERPOLATE: Source = source!(bolz2003, "grid/transfer/interpolate");

/// A program over a grid in its two forms: for the inner texels and for the border.
pub struct GridKernel {
    /// Over inner texels: the program whose instructions the paper counts.
    pub inner: Rc<Kernel>,
    pub(crate) border: Rc<Kernel>,
}

impl GridKernel {
    /// Compiles a program that writes every node wherever it is stored, duplicates included.
    pub(crate) fn new(machine: &Machine, program: &Source) -> Result<Self, StreamError> {
        Self::of(machine, program, [&INNER, &BORDER], [&[]; 2])
    }

    /// Compiles a program that writes every node once, so that the result can be summed.
    fn owned(machine: &Machine, program: &Source) -> Result<Self, StreamError> {
        Self::of(machine, program, [&INNER, &OWNED], [&[]; 2])
    }

    /// Compiles a program with parts and macros in front, over inner texels and over the border.
    pub(crate) fn of(
        machine: &Machine,
        program: &Source,
        parts: [&[Part]; 2],
        defines: [&[(&str, &str)]; 2],
    ) -> Result<Self, StreamError> {
        let kernel = |form: usize| {
            let program = program.with(parts[form].iter().copied());
            machine.kernel(&program, defines[form])
        };
        Ok(Self { inner: kernel(0)?, border: kernel(1)? })
    }
}

/// The kernels that do not depend on the operator.
pub struct GridKernels {
    /// v ← v, over the ring of v itself: updates the border.
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
    pub fn new(machine: &Machine) -> Result<Rc<Self>, StreamError> {
        let new = |source| GridKernel::new(machine, &source);
        Ok(Rc::new(Self {
            copy: new(source!(bolz2003, "grid/copy_nodes"))?,
            copy_owned: GridKernel::owned(machine, &source!(bolz2003, "grid/copy_nodes"))?,
            layer: new(source!(bolz2003, "grid/layer"))?,
            unlayer: machine.kernel(&source!(bolz2003, "grid/unlayer"), &[])?,
            interpolate: new(INTERPOLATE)?,
            correct: GridKernel::of(
                machine,
                &INTERPOLATE,
                [&INNER, &BORDER],
                [&[("ADDED", "1")]; 2],
            )?,
            project: new(source!(bolz2003, "grid/transfer/project"))?,
        }))
    }
}

/// Compiles the kernel that computes one of the nine entries of the coarser stencils.
pub fn compose_kernel(machine: &Machine) -> Result<GridKernel, StreamError> {
    // §4.2: A_2h = P A_h S, one entry d per draw
    GridKernel::new(
        machine,
        &source!(bolz2003, "grid/stencil/compose", with "bolz2003/grid/stencil/stencil_entries"),
    )
}

/// Storage of an operator's stencil.
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
    /// The residual with every node once.
    pub residual_owned: GridKernel,
    /// v ← u + ω D⁻¹ (b − A u)
    pub jacobi: GridKernel,
    /// v ← ω D⁻¹ u
    pub scale_by_diagonal: GridKernel,
}

impl OperatorKernels {
    /// Compiles them, unless the machine has them already.
    pub fn new(machine: &Machine, kind: StencilKind) -> Result<Rc<Self>, StreamError> {
        let stencil: &[Part] = match kind {
            StencilKind::Stored => &STORED,
            StencilKind::FivePoint => &FIVE_POINT,
            StencilKind::NinePoint => &NINE_POINT,
        };
        let with_stencil = |source: Source| source.with(stencil.iter().copied());
        let residual = source!(bolz2003, "grid/stencil/residual");
        let new = |source| GridKernel::new(machine, &with_stencil(source));
        Ok(Rc::new(Self {
            product: new(source!(bolz2003, "grid/stencil/product"))?,
            residual_owned: GridKernel::owned(machine, &with_stencil(residual.clone()))?,
            residual: new(residual)?,
            jacobi: new(source!(bolz2003, "grid/stencil/jacobi"))?,
            scale_by_diagonal: new(source!(bolz2003, "grid/stencil/scale_by_diagonal"))?,
        }))
    }
}

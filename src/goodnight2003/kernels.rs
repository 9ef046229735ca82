//! The four kernels (goodnight2003 §4.1).

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Source, StreamError};

/// The program `file`.frag with the texts `front` before it; `variant` ends its name.
macro_rules! program {
    ($file:literal, $variant:literal $(, $front:literal)*) => {
        Source {
            name: concat!("goodnight2003/", $file, $variant),
            text: concat!(
                $(include_str!(concat!("../../glsl/goodnight2003/", $front, ".glsl")),)*
                include_str!(concat!("../../glsl/goodnight2003/", $file, ".frag"))
            ),
        }
    };
}

const SMOOTH: Source = program!(
    "smooth_original", "", "general", "condition", "relaxed_computed"
);
const JACOBI: Source = program!(
    "smooth_original", " by Jacobi", "general", "condition", "relaxed_jacobi"
);
const RESIDUAL: Source = program!("residual_original", "", "general", "condition");
const RESTRICT_EVEN: Source = program!(
    "restrict_original", "", "general", "weight_even", "restrict_original"
);
const RESTRICT_UNEVEN: Source = program!(
    "restrict_original", " from uneven", "general", "weight_uneven", "restrict_original"
);
const INTERPOLATE_EVEN: Source = program!(
    "interpolate_original", "", "general", "weight_even"
);
const INTERPOLATE_UNEVEN: Source = program!(
    "interpolate_original", " to uneven", "general", "weight_uneven"
);

/// The programs of a solver.
pub struct Kernels {
    /// New values at nodes of one colour.
    pub smooth: Rc<Kernel>,
    /// The residual.
    pub residual: Rc<Kernel>,
    /// The ways between two grids.
    pub transfers: [Transfers; 2],
}

/// The ways between a grid and the next coarser one.
pub struct Transfers {
    /// The finer grid's residual as source.
    pub restrict: Rc<Kernel>,
    /// The coarser grid's correction, added.
    pub interpolate: Rc<Kernel>,
}

impl Kernels {
    /// Compiles them.
    ///
    /// # Errors
    /// [`StreamError::Gl`] when the driver refuses a program.
    pub fn new(machine: &Machine, is_jacobi: bool) -> Result<Self, StreamError> {
        let transfers = |restrict, takers, interpolate| -> Result<Transfers, StreamError> {
            Ok(Transfers {
                restrict: machine.kernel(restrict, &[("TAKERS", takers)])?,
                interpolate: machine.kernel(interpolate, &[])?,
            })
        };
        Ok(Self {
            smooth: machine.kernel(if is_jacobi { &JACOBI } else { &SMOOTH }, &[])?,
            residual: machine.kernel(&RESIDUAL, &[])?,
            transfers: [
                transfers(&RESTRICT_EVEN, "3.0", &INTERPOLATE_EVEN)?,
                transfers(&RESTRICT_UNEVEN, "4.0", &INTERPOLATE_UNEVEN)?,
            ],
        })
    }
}

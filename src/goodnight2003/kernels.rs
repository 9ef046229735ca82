//! The four kernels (goodnight2003 §4.1).

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Source, StreamError};

/// The program `file`.frag with the texts `front` before it.
macro_rules! program {
    ($file:literal $(, $front:literal)*) => {
        Source {
            name: concat!("goodnight2003/", $file),
            text: concat!(
                $(include_str!(concat!("../../glsl/goodnight2003/", $front, ".glsl")),)*
                include_str!(concat!("../../glsl/goodnight2003/", $file, ".frag"))
            ),
        }
    };
}

const SMOOTH: Source = program!("smooth_original", "general", "condition");
const RESIDUAL: Source = program!("residual_original", "general", "condition");
const RESTRICT: Source = program!("restrict_original", "general", "weight", "restrict_original");
const INTERPOLATE: Source = program!("interpolate_original", "general", "weight");

/// The programs of a solver.
pub struct Kernels {
    /// New values at nodes of one colour.
    pub smooth: Rc<Kernel>,
    /// The residual.
    pub residual: Rc<Kernel>,
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
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self {
            smooth: machine.kernel(&SMOOTH, &[])?,
            residual: machine.kernel(&RESIDUAL, &[])?,
            restrict: machine.kernel(&RESTRICT, &[])?,
            interpolate: machine.kernel(&INTERPOLATE, &[])?,
        })
    }
}

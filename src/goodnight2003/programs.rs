//! The programs, put together from the files in `glsl/goodnight2003`: which texts make up a kernel
//! in each of its versions (goodnight2003 §4.2, §6).

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Source, StreamError};

use super::Smoother;
use super::settings::{Programs, Settings};

macro_rules! text {
    ($file:literal) => {
        include_str!(concat!("../../glsl/goodnight2003/", $file))
    };
}

/// The program `file`.frag with the texts `front` before it; `variant` ends its name.
macro_rules! program {
    ($file:literal, $variant:literal $(, $front:literal)*) => {
        &Source {
            name: concat!("goodnight2003/", $file, $variant),
            text: concat!($(text!($front),)* include_str!(
                concat!("../../glsl/goodnight2003/", $file, ".frag")
            )),
        }
    };
}

macro_rules! vertex {
    ($file:literal) => {
        Some(&Source {
            name: concat!("goodnight2003/", $file),
            text: include_str!(concat!("../../glsl/goodnight2003/", $file, ".vert")),
        })
    };
}

/// How a fragment of a smoother knows whether its node is its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// The colour stands in the red-black map.
    Stored,
    /// The colour is computed.
    Computed,
    /// Jacobi: it always is.
    Always,
}

/// A fragment program, and a vertex program if it has one of its own.
type Texts = (&'static Source, Option<&'static Source>);

/// Chooses and compiles programs.
pub struct Library<'a> {
    machine: &'a Machine,
    is_jacobi: bool,
    red_black_map: bool,
}

impl<'a> Library<'a> {
    /// The programs that these settings ask for.
    pub fn new(machine: &'a Machine, settings: &Settings) -> Self {
        Self {
            machine,
            is_jacobi: matches!(settings.smoother, Smoother::Jacobi(_)),
            red_black_map: settings.red_black_map,
        }
    }

    /// §4.1.2
    ///
    /// # Errors
    /// [`StreamError::Gl`] when the driver refuses the program, as everywhere below.
    pub fn smooth(&self, version: Programs) -> Result<Rc<Kernel>, StreamError> {
        use Programs as P;
        use Turn as T;
        let source = match (version, self.turn(version)) {
            (P::Original, T::Stored | T::Computed) => {
                program!(
                    "smooth_original",
                    "",
                    "general.glsl",
                    "condition.glsl",
                    "relaxed_computed.glsl"
                )
            }
            (P::Original, T::Always) => {
                program!(
                    "smooth_original",
                    " by Jacobi",
                    "general.glsl",
                    "condition.glsl",
                    "relaxed_jacobi.glsl"
                )
            }
            (P::Fast, T::Stored) => {
                program!("smooth_fast", "", "condition.glsl", "relaxed_stored.glsl")
            }
            (P::Fast, T::Computed) => {
                program!(
                    "smooth_fast",
                    ", colours computed",
                    "condition.glsl",
                    "relaxed_computed.glsl"
                )
            }
            (P::Fast, T::Always) => {
                program!(
                    "smooth_fast",
                    " by Jacobi",
                    "condition.glsl",
                    "relaxed_jacobi.glsl"
                )
            }
            (P::Fastpath, T::Stored) => program!("smooth_fastpath", "", "relaxed_stored.glsl"),
            (P::Fastpath, T::Computed) => {
                program!(
                    "smooth_fastpath",
                    ", colours computed",
                    "relaxed_computed.glsl"
                )
            }
            (P::Fastpath, T::Always) => {
                program!("smooth_fastpath", " by Jacobi", "relaxed_jacobi.glsl")
            }
        };
        self.compile((source, own(version, vertex!("neighbours"))))
    }

    /// §4.1.3
    ///
    /// # Errors
    /// As [`Library::smooth`].
    pub fn residual(&self, version: Programs) -> Result<Rc<Kernel>, StreamError> {
        let source = match version {
            Programs::Original => {
                program!("residual_original", "", "general.glsl", "condition.glsl")
            }
            Programs::Fast => program!("residual_fast", "", "condition.glsl"),
            Programs::Fastpath => program!("residual_fastpath", ""),
        };
        self.compile((source, own(version, vertex!("neighbours"))))
    }

    /// §4.1.4, from a grid with even or uneven intervals.
    ///
    /// # Errors
    /// As [`Library::smooth`].
    pub fn restrict(&self, version: Programs, is_even: bool) -> Result<Rc<Kernel>, StreamError> {
        let source = match (version, is_even) {
            (Programs::Original, true) => {
                program!(
                    "restrict",
                    " original",
                    "general.glsl",
                    "restrict_original.glsl"
                )
            }
            (Programs::Original, false) => {
                program!(
                    "restrict",
                    " from uneven",
                    "general.glsl",
                    "weight_uneven.glsl",
                    "share.glsl",
                    "restrict_uneven.glsl"
                )
            }
            (Programs::Fast, _) => program!("restrict", " fast", "restrict_fast.glsl"),
            (Programs::Fastpath, _) => {
                program!("restrict", " fastpath", "restrict_fastpath.glsl")
            }
        };
        self.compile((source, own(version, vertex!("nine"))))
    }

    /// §4.1.4, and the first pass of the smoother with it (§6).
    ///
    /// # Errors
    /// As [`Library::smooth`].
    pub fn restrict_and_sweep(
        &self,
        version: Programs,
        is_even: bool,
    ) -> Result<Rc<Kernel>, StreamError> {
        use Programs as P;
        use Turn as T;
        let source = match (version, self.turn(version), is_even) {
            (P::Original, T::Stored | T::Computed, true) => {
                program!(
                    "restrict_and_sweep",
                    " original",
                    "general.glsl",
                    "restrict_original.glsl",
                    "condition.glsl",
                    "relaxed_computed.glsl"
                )
            }
            (P::Original, T::Stored | T::Computed, false) => {
                program!(
                    "restrict_and_sweep",
                    " from uneven",
                    "general.glsl",
                    "weight_uneven.glsl",
                    "share.glsl",
                    "restrict_uneven.glsl",
                    "condition.glsl",
                    "relaxed_computed.glsl"
                )
            }
            (P::Original, T::Always, true) => {
                program!(
                    "restrict_and_sweep",
                    " original, by Jacobi",
                    "general.glsl",
                    "restrict_original.glsl",
                    "condition.glsl",
                    "relaxed_jacobi.glsl"
                )
            }
            (P::Original, T::Always, false) => {
                program!(
                    "restrict_and_sweep",
                    " from uneven, by Jacobi",
                    "general.glsl",
                    "weight_uneven.glsl",
                    "share.glsl",
                    "restrict_uneven.glsl",
                    "condition.glsl",
                    "relaxed_jacobi.glsl"
                )
            }
            (P::Fast, T::Stored, _) => {
                program!(
                    "restrict_and_sweep",
                    " fast",
                    "restrict_fast.glsl",
                    "condition.glsl",
                    "relaxed_stored.glsl"
                )
            }
            (P::Fast, T::Computed, _) => {
                program!(
                    "restrict_and_sweep",
                    " fast, colours computed",
                    "restrict_fast.glsl",
                    "condition.glsl",
                    "relaxed_computed.glsl"
                )
            }
            (P::Fast, T::Always, _) => {
                program!(
                    "restrict_and_sweep",
                    " fast, by Jacobi",
                    "restrict_fast.glsl",
                    "condition.glsl",
                    "relaxed_jacobi.glsl"
                )
            }
            (P::Fastpath, T::Stored, _) => {
                program!(
                    "restrict_and_sweep_fastpath",
                    "",
                    "restrict_fastpath.glsl",
                    "relaxed_stored.glsl"
                )
            }
            (P::Fastpath, T::Computed, _) => {
                program!(
                    "restrict_and_sweep_fastpath",
                    ", colours computed",
                    "restrict_fastpath.glsl",
                    "relaxed_computed.glsl"
                )
            }
            (P::Fastpath, T::Always, _) => {
                program!(
                    "restrict_and_sweep_fastpath",
                    " by Jacobi",
                    "restrict_fastpath.glsl",
                    "relaxed_jacobi.glsl"
                )
            }
        };
        self.compile((source, own(version, vertex!("nine"))))
    }

    /// §4.1.5, to a grid with even or uneven intervals.
    ///
    /// # Errors
    /// As [`Library::smooth`].
    pub fn interpolate(&self, version: Programs, is_even: bool) -> Result<Rc<Kernel>, StreamError> {
        let source = match (version, is_even, self.red_black_map) {
            (Programs::Original, true, _) => {
                program!(
                    "interpolate_original",
                    "",
                    "general.glsl",
                    "weight_even.glsl"
                )
            }
            (Programs::Original, false, _) => {
                program!(
                    "interpolate_original",
                    " to uneven",
                    "general.glsl",
                    "weight_uneven.glsl"
                )
            }
            (Programs::Fast, _, true) => {
                program!("interpolate_fast", "", "weights_stored.glsl")
            }
            (Programs::Fast, _, false) => {
                program!(
                    "interpolate_fast",
                    ", parity computed",
                    "weights_computed.glsl"
                )
            }
            (Programs::Fastpath, _, true) => {
                program!("interpolate_fastpath", "", "weights_stored.glsl")
            }
            (Programs::Fastpath, _, false) => {
                program!(
                    "interpolate_fastpath",
                    ", parity computed",
                    "weights_computed.glsl"
                )
            }
        };
        self.compile((source, own(version, vertex!("four"))))
    }

    /// A level, from one surface to the other (§6).
    ///
    /// # Errors
    /// As [`Library::smooth`].
    pub fn copy(&self) -> Result<Rc<Kernel>, StreamError> {
        self.compile((program!("copy", ""), None))
    }

    /// The operator of a coarser level (§4.1.1).
    ///
    /// # Errors
    /// As [`Library::smooth`].
    pub fn coarser_operator(&self) -> Result<Rc<Kernel>, StreamError> {
        let source = program!(
            "coarser_operator",
            "",
            "general.glsl",
            "weight_uneven.glsl",
            "share.glsl"
        );
        self.compile((source, None))
    }

    /// Kills fragments that have converged (§4.1.3).
    ///
    /// # Errors
    /// As [`Library::smooth`].
    pub fn exceeds(&self) -> Result<Rc<Kernel>, StreamError> {
        self.compile((program!("exceeds", ""), None))
    }

    fn compile(&self, (fragment, vertex): Texts) -> Result<Rc<Kernel>, StreamError> {
        match vertex {
            None => self.machine.kernel(fragment, &[]),
            Some(vertex) => self.machine.rectangle_kernel(fragment, vertex, &[]),
        }
    }

    fn turn(&self, version: Programs) -> Turn {
        match (self.is_jacobi, self.red_black_map, version) {
            (true, ..) => Turn::Always,
            (false, true, Programs::Fast | Programs::Fastpath) => Turn::Stored,
            _ => Turn::Computed,
        }
    }
}

/// The original programs have no vertex program of their own.
fn own(version: Programs, vertex: Option<&'static Source>) -> Option<&'static Source> {
    vertex.filter(|_| version != Programs::Original)
}

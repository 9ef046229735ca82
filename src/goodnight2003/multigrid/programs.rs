//! The programs, assembled from the files in `glsl/goodnight2003`: the parts of each kernel
//! in each of its versions (goodnight2003 §4.2, §6).

use std::rc::Rc;

use crate::stream::{Kernel, Machine, Part, Source, StreamError, source};

use super::settings::Programs::{self, Fast, Fastpath, Original};
use super::settings::{Settings, Smoother};

const NEIGHBOURS: Part = source!(vertex "goodnight2003/multigrid/fast/neighbours");
const NINE: Part = source!(vertex "goodnight2003/multigrid/fast/nine");
const FOUR: Part = source!(vertex "goodnight2003/multigrid/fast/four");
const GENERAL: Part = source!(part "goodnight2003/multigrid/original/general");
/// Restriction from a grid with uneven intervals.
const UNEVEN: [Part; 4] = [
    GENERAL,
    source!(part "goodnight2003/multigrid/original/weight_uneven"),
    source!(part "goodnight2003/multigrid/original/share"),
    source!(part "goodnight2003/multigrid/original/restrict_uneven"),
];

/// A copy of a level from one surface to the other (§6).
pub const COPY: Source = source!(goodnight2003, "multigrid/copy");
/// The operator of a coarser level (§4.1.1).
pub const COARSER_OPERATOR: Source = source!(
    goodnight2003, "multigrid/maps/coarser_operator",
    with "goodnight2003/multigrid/original/general",
    "goodnight2003/multigrid/original/weight_uneven",
    "goodnight2003/multigrid/original/share"
);
/// Discards fragments that have converged (§4.1.3).
pub const EXCEEDS: Source = source!(goodnight2003, "multigrid/exceeds");
/// The operator map with boundary conditions (§4.2, §5.1).
pub const FOLD_OPERATOR: Source = source!(goodnight2003, "multigrid/maps/fold_operator", with "goodnight2003/multigrid/condition");
/// The red–black map with the additional parts of the stencils' centres.
pub const FOLD_LEAK: Source =
    source!(goodnight2003, "multigrid/maps/fold_leak", with "goodnight2003/multigrid/condition");
/// The source with the contributions of the conditions.
pub const FOLD_SOURCE: Source =
    source!(goodnight2003, "multigrid/maps/fold_source", with "goodnight2003/multigrid/condition");

/// Chooses and compiles the programs that exist in versions.
pub struct Library<'a> {
    machine: &'a Machine,
    is_jacobi: bool,
    red_black_map: bool,
}

impl<'a> Library<'a> {
    /// Creates a library for these settings.
    pub fn new(machine: &'a Machine, settings: &Settings) -> Self {
        Self {
            machine,
            is_jacobi: matches!(settings.smoother, Smoother::Jacobi(_)),
            red_black_map: settings.red_black_map,
        }
    }

    /// Smoother (§4.1.2).
    pub fn smooth(&self, version: Programs) -> Result<Rc<Kernel>, StreamError> {
        let source = match version {
            Original => source!(goodnight2003, "multigrid/original/smooth"),
            Fast => source!(goodnight2003, "multigrid/fast/smooth"),
            Fastpath => source!(goodnight2003, "multigrid/fastpath/smooth"),
        };
        self.of_equation(version, source, true)
    }

    /// Residual (§4.1.3).
    pub fn residual(&self, version: Programs) -> Result<Rc<Kernel>, StreamError> {
        let source = match version {
            Original => source!(goodnight2003, "multigrid/original/residual"),
            Fast => source!(goodnight2003, "multigrid/fast/residual"),
            Fastpath => source!(goodnight2003, "multigrid/fastpath/residual"),
        };
        self.of_equation(version, source, false)
    }

    /// A program that evaluates a node's equation.
    fn of_equation(
        &self,
        version: Programs,
        source: Source,
        smooths: bool,
    ) -> Result<Rc<Kernel>, StreamError> {
        let equation = self.equation(version, smooths);
        let source = source.with(equation).with(general(version));
        self.compile(version, &source, NEIGHBOURS)
    }

    /// Restriction (§4.1.4) from a grid with even or uneven intervals.
    pub fn restrict(&self, version: Programs, is_even: bool) -> Result<Rc<Kernel>, StreamError> {
        let source =
            source!(goodnight2003, "multigrid/restrict").with(restriction(version, is_even));
        self.compile(version, &source, NINE)
    }

    /// Interpolation (§4.1.5) to a grid with even or uneven intervals.
    pub fn interpolate(&self, version: Programs, is_even: bool) -> Result<Rc<Kernel>, StreamError> {
        let weights = match (version, is_even, self.red_black_map) {
            (Original, true, _) => source!(part "goodnight2003/multigrid/original/weight_even"),
            (Original, false, _) => source!(part "goodnight2003/multigrid/original/weight_uneven"),
            (_, _, true) => source!(part "goodnight2003/multigrid/fastpath/weights_stored"),
            (_, _, false) => source!(part "goodnight2003/multigrid/fast/weights_computed"),
        };
        let source = match version {
            Original => source!(goodnight2003, "multigrid/original/interpolate"),
            Fast => source!(goodnight2003, "multigrid/fast/interpolate"),
            Fastpath => source!(goodnight2003, "multigrid/fastpath/interpolate"),
        };
        let source = source.with([weights]).with(general(version));
        self.compile(version, &source, FOUR)
    }

    /// The original programs have no vertex program of their own.
    fn compile(
        &self,
        version: Programs,
        fragment: &Source,
        vertex: Part,
    ) -> Result<Rc<Kernel>, StreamError> {
        match version {
            Original => self.machine.kernel(fragment, &[]),
            // §6, Table 1: texture coordinates come from a vertex program
            _ => self.machine.kernel(&fragment.with_vertices(vertex), &[]),
        }
    }

    /// The parts of a node's equation: the condition, except for the inside, and, for
    /// a smoother, the test whether a fragment's node has the colour to be changed: always
    /// true (Jacobi), from the red–black map, or computed.
    fn equation(&self, version: Programs, smooths: bool) -> Vec<Part> {
        let conditions = version != Fastpath;
        let is_stored = smooths && self.red_black_map && !self.is_jacobi;
        let mut parts = Vec::new();
        if is_stored || conditions {
            parts.push(source!(part "goodnight2003/multigrid/red_black"));
        }
        if conditions {
            parts.push(source!(part "goodnight2003/multigrid/condition_folded"));
        }
        if smooths {
            parts.push(match (self.is_jacobi, is_stored) {
                (true, _) => source!(part "goodnight2003/multigrid/relaxed_jacobi"),
                (false, true) => source!(part "goodnight2003/multigrid/relaxed_stored"),
                (false, false) => source!(part "goodnight2003/multigrid/relaxed_computed"),
            });
        }
        parts
    }
}

/// The first part of the original programs.
fn general(version: Programs) -> Option<Part> {
    (version == Original).then_some(GENERAL)
}

/// The first parts of the programs that restrict.
fn restriction(version: Programs, is_even: bool) -> Vec<Part> {
    let part = match (version, is_even) {
        (Original, false) => return UNEVEN.to_vec(),
        (Original, true) => source!(part "goodnight2003/multigrid/original/restrict_original"),
        (Fast, _) => source!(part "goodnight2003/multigrid/fast/restrict_fast"),
        (Fastpath, _) => source!(part "goodnight2003/multigrid/fastpath/restrict_fastpath"),
    };
    general(version).into_iter().chain([part]).collect()
}

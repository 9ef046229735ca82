//! Settings of a flow, and their limits.

use super::body::Body;
use super::motion::Motion;
use crate::goodnight2003::{Error, Metric, Settings};
use crate::scene::Setting;
use crate::stream::Size;

/// A body, its motion, and the grid around it. Lengths are in chords or diameters, speeds in units of
/// the stream's.
#[derive(Debug, Clone)]
pub struct WingSettings {
    /// The body.
    pub body: Body,
    /// Coordinates instead of the body's: `metric`, `place` and `coordinates` in one text, as in
    /// `metric_log_polar.glsl`; ξ from 0 on the body to ln(2 `radius`), conductivity one.
    pub coordinates: Option<Metric>,
    /// Its motion.
    pub motion: Motion,
    /// Speed times chord over viscosity.
    pub reynolds: f64,
    /// Nodes from the body outwards, and around it, including the replica of the first.
    pub size: Size,
    /// Radius of the grid.
    pub radius: f64,
    /// A step's length, relative to the one at which changes alternate; stable up to 0.5 if neighbouring cells differ
    /// little, up to 0.4 next to a sharp edge.
    pub courant: f64,
    /// Cycles of the solver per step, each from the previous step's stream function.
    pub cycles: usize,
    /// Settings of the solver.
    pub solver: Settings,
}

impl WingSettings {
    /// A body at rest at Reynolds number 100, in a small grid that reaches 40 diameters or chords.
    pub fn new(body: Body) -> Self {
        Self {
            body,
            coordinates: None,
            motion: Motion::default(),
            reynolds: 100.0,
            size: (129, 129),
            radius: 40.0,
            courant: 0.35,
            cycles: 1,
            solver: Settings::robust(),
        }
    }

    /// Checks the settings.
    pub fn check(&self) -> Result<(), Setting> {
        let (radial, angular) = (self.size.0 as usize, self.size.1 as usize);
        Setting::positive("the Reynolds number", self.reynolds)?;
        Setting::at_least("the number of nodes outwards", radial, 9)?;
        Setting::check(
            "the number of nodes around the body",
            angular as f64,
            angular >= 9 && !angular.is_multiple_of(2),
            "give an odd number of at least 9, since the last node is a replica of the first",
        )?;
        let (radius, courant) = (self.radius, self.courant);
        let remedy = "give at least 2 chords";
        Setting::check("the radius of the grid", radius, radius >= 2.0, remedy)?;
        let fits = courant > 0.0 && courant <= 0.5;
        let remedy = "give a number above 0 and up to 0.5";
        Setting::check("the Courant number", courant, fits, remedy)?;
        Setting::at_least("the number of cycles", self.cycles, 1)?;
        let motion = &self.motion;
        for oscillation in [motion.heave, motion.lag, motion.pitch] {
            Setting::finite("an amplitude", oscillation.amplitude)?;
            Setting::not_negative("a frequency", oscillation.frequency)?;
        }
        Setting::finite("the incidence", motion.incidence)
    }

    /// The range of ξ.
    pub fn range(&self) -> f64 {
        let from = match self.coordinates {
            Some(_) => Body::Cylinder.circle_radius(),
            None => self.body.circle_radius(),
        };
        // §5.3: the rectangle is wrapped into a disc from r to R: ξ ends at ln(R / r)
        (self.radius / from).ln()
    }
}

/// The functions that a file of coordinates must define.
const FUNCTIONS: [&str; 3] = ["vec3 metric(", "vec2 place(", "vec2 coordinates("];

/// A user's coordinates: the same contents as `metric_log_polar.glsl` for a cylinder. `name` is the name in
/// messages, the path of its file.
/// Errors other than a missing function are reported by [`super::Wing::new`].
pub fn coordinates_of_text(name: &str, text: &str) -> Result<Metric, Error> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.replace(" (", "(");
    let mut functions = FUNCTIONS.into_iter();
    match functions.find(|function| !words.contains(function)) {
        None => Ok(Metric::of_text(name, text)),
        Some(function) => Err(Error::Coordinates {
            name: name.to_owned(),
            function: function.trim_end_matches('('),
        }),
    }
}

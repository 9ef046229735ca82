//! The steady temperature on a plate (section 5.1).

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::experiment::{Presets, Solve};
use crate::goodnight2003::Condition;
use crate::goodnight2003::heat::Periodic;
use crate::settings::{GridSize, extend, text};

use super::Method;

/// The solve of the registry.
pub static HEAT: Solve = Solve::of::<Settings>("heat");

/// Settings of a solve: the plate and its solver. What is left open is the scene's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Settings {
    /// Scene (.toml), or picture of heat sources (.png, .gif, .hdr, .exr) [default: the bundled scene]
    #[schemars(extend("positional" = true, "takes" = "SCENE|PICTURE"))]
    pub input: Option<PathBuf>,
    /// Number of nodes [default: the scene's, the picture's, or square cells, 257 nodes along the longer
    /// side]
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<GridSize>")]
    pub size: Option<GridSize>,
    /// Width and height of the plate [default: the scene's, or square cells and height 1]
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "WIDTHxHEIGHT"))]
    pub extent: Option<Extent>,
    /// Thermal conductivity k [default: the scene's, or 1]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub conductivity: Option<f64>,
    /// Heat per unit area of a white pixel [default: the scene's, or 1]
    pub white: Option<f64>,
    /// Add a uniform source or sink so that a plate without prescribed temperatures balances
    pub make_up: bool,
    /// Condition on the west side: value=20, slope=0 (the outward normal derivative) or
    /// alpha=1,beta=2,gamma=3
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>")]
    pub west: Option<Condition>,
    /// Condition on the east side
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>")]
    pub east: Option<Condition>,
    /// Condition on the south side, the lower one
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>")]
    pub south: Option<Condition>,
    /// Condition on the north side
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>")]
    pub north: Option<Condition>,
    /// Condition on all other sides
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>")]
    pub sides: Option<Condition>,
    /// Periodic directions
    #[schemars(extend("heading" = "Sides", "nothing" = "scene"))]
    pub periodic: Option<Periodic>,
    /// Solver.
    #[serde(flatten)]
    pub method: Method,
    /// Maximum number of corrections in double precision, after single precision is exhausted; 0: single
    /// precision throughout, as in the paper
    #[schemars(extend("heading" = "Solver"))]
    pub refine: usize,
}

fn arrange(schema: &mut Schema) {
    let sides = ["west", "east", "south", "north", "sides"];
    extend(schema, &sides, "heading", "Sides");
    extend(schema, &sides, "takes", "CONDITION");
    let rtol = "Relative tolerance: converged is |b - A x| <= max(rtol |b|, atol), where x is T minus the printed \
                reference temperature, the middle of those of the sides";
    extend(schema, &["rtol"], "description", rtol);
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            input: None,
            size: None,
            extent: None,
            conductivity: None,
            white: None,
            make_up: false,
            west: None,
            east: None,
            south: None,
            north: None,
            sides: None,
            periodic: None,
            method: Method::default(),
            refine: 10,
        }
    }
}

impl Presets for Settings {
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let paper = Self { method: Method::paper(), refine: 0, ..Self::default() };
        vec![
            ("robust", "corrections in double precision, L2 norm by reduction", Self::default()),
            ("paper", "V(4,4) in single precision, occlusion queries, surfaces up to 2048", paper),
        ]
    }
}

/// Width and height. Their word is `4x3`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent(pub [f64; 2]);

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.0[0], self.0[1])
    }
}

impl FromStr for Extent {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let positive = |text: &str| text.parse().ok().filter(|n: &f64| n.is_finite() && *n > 0.0);
        let sides = text.split_once(['x', '×']);
        let sides = sides.and_then(|(width, height)| Some([positive(width)?, positive(height)?]));
        sides.map(Self).ok_or("give width and height, both above zero, as in 4x3")
    }
}

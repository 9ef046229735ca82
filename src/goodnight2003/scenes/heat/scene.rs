//! The description of a plate: its size, its sources, the conditions on its sides.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::goodnight2003::{Condition, Side};
use crate::io::grey::Grey;
use crate::stream::Size;

use super::HeatSource;

/// Default number of nodes along the longer side of a plate.
pub const DEFAULT_NODES: u32 = 257;

/// The description of a plate. A `None` has a default that depends on the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Columns and rows of nodes; by default those of the picture, or square cells with
    /// 257 along the longer side.
    pub size: Option<Size>,
    /// Width and height; by default the height is 1 and cells are square.
    pub extent: Option<[f64; 2]>,
    /// k, the thermal conductivity.
    pub conductivity: f64,
    /// True if heat that leaves in the east enters in the west; true if heat that leaves in the north
    /// enters in the south.
    pub periodic: [bool; 2],
    /// Shapes that heat or cool the plate.
    pub sources: Vec<HeatSource>,
    /// A picture of the heat source.
    pub picture: Option<PictureSource>,
    /// Conditions along west, east, south and north.
    pub sides: [SideConditions; 4],
    /// Conditions elsewhere: on sides without a condition of their own, and between the pieces of a side.
    pub otherwise: SideConditions,
}

impl Default for Scene {
    /// No sources, no conditions, k = 1.
    fn default() -> Self {
        Self {
            size: None,
            extent: None,
            conductivity: 1.0,
            periodic: [false; 2],
            sources: Vec::new(),
            picture: None,
            sides: Default::default(),
            otherwise: SideConditions::default(),
        }
    }
}

/// A picture of heat per unit area: one value per node, resampled if the sizes differ.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureSource {
    /// The picture.
    pub grey: Grey,
    /// Heat per unit area of a white pixel.
    pub white: f64,
}

/// Conditions along a side: on parts of it, of which later ones take precedence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SideConditions(pub Vec<Piece>);

/// A condition on a part of a side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Start, from the south or west end of the side.
    pub from: f64,
    /// End.
    pub to: f64,
    /// Condition between them.
    pub condition: Condition,
}

impl SideConditions {
    /// One condition along the whole side.
    pub fn all(condition: Condition) -> Self {
        Self(vec![Piece { from: f64::NEG_INFINITY, to: f64::INFINITY, condition }])
    }

    /// The condition at a position; the ends of a piece belong to it, within `slack`.
    pub fn at(&self, place: f64, slack: f64) -> Option<Condition> {
        let applies = |piece: &&Piece| (piece.from - slack..=piece.to + slack).contains(&place);
        let piece = self.0.iter().rev().find(applies);
        piece.map(|piece| piece.condition)
    }
}

impl Scene {
    /// A side's conditions.
    pub fn side(&mut self, side: Side) -> &mut SideConditions {
        &mut self.sides[side as usize]
    }

    /// Joins sides, which then have no conditions.
    pub fn join(&mut self, periodic: Periodic) {
        self.periodic = periodic.axes();
        for side in Side::ALL {
            if self.periodic[usize::from(matches!(side, Side::South | Side::North))] {
                *self.side(side) = SideConditions::default();
            }
        }
    }

    /// Columns and rows of nodes: as given, or the default of [`Scene::size`].
    pub fn nodes(&self) -> Size {
        if let Some(size) = self.size {
            return size;
        }
        if let Some(picture) = &self.picture {
            return picture.grey.dimensions();
        }
        let [width, height] = self.extent.unwrap_or([1.0, 1.0]);
        let cell = width.max(height) / f64::from(DEFAULT_NODES - 1);
        // Even numbers of cells, so that any axis can be periodic.
        let nodes = |extent: f64| 2 * (0.5 * extent / cell).round().max(1.0) as u32 + 1;
        (nodes(width), nodes(height))
    }
}

/// Pairs of sides that are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Periodic {
    /// West and east.
    X,
    /// South and north.
    Y,
    /// Both pairs.
    Both,
    /// Neither.
    None,
}

impl Periodic {
    /// Tests whether west and east are joined, and south and north.
    pub fn axes(self) -> [bool; 2] {
        [Self::X, Self::Y].map(|axis| self == axis || self == Self::Both)
    }
}

/// A condition as given in a scene's file or on the command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionParts {
    /// Start on a side; by default the end of the side.
    pub from: Option<f64>,
    /// End.
    pub to: Option<f64>,
    /// The temperature.
    pub value: Option<f64>,
    /// Its derivative along the outward normal.
    pub slope: Option<f64>,
    /// α.
    pub alpha: Option<f64>,
    /// β.
    pub beta: Option<f64>,
    /// γ.
    pub gamma: Option<f64>,
}

impl ConditionParts {
    /// Converts it to a condition.
    pub fn condition(&self) -> Result<Condition, &'static str> {
        let given = [self.value, self.slope, self.alpha, self.beta, self.gamma];
        if given.iter().flatten().any(|&n| !(n as f32).is_finite()) {
            return Err("a number is not finite in single precision");
        }
        match given {
            [None, None, None, None, None] => {
                Err("no condition is given (value, slope, or alpha, beta and gamma)")
            }
            [Some(value), None, None, None, None] => Ok(Condition::value(value)),
            [None, Some(slope), None, None, None] => Ok(Condition::slope(slope)),
            [None, None, Some(0.0), Some(0.0), Some(_)] => Err("alpha and beta are both zero"),
            [None, None, Some(alpha), Some(beta), Some(gamma)] => {
                Ok(Condition { alpha, beta, gamma })
            }
            [None, None, ..] => Err("of alpha, beta and gamma all three are needed"),
            _ => Err("too much is given; use one of value, slope, or alpha, beta and gamma"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { alpha: 1.0, beta: 0.0, gamma } => write!(f, "value={gamma}"),
            Self { alpha: 0.0, beta: 1.0, gamma } => write!(f, "slope={gamma}"),
            Self { alpha, beta, gamma } => write!(f, "alpha={alpha},beta={beta},gamma={gamma}"),
        }
    }
}

impl FromStr for Condition {
    type Err = String;

    /// Parses `value=20`, `slope=0`, or `alpha=1,beta=2,gamma=3`.
    fn from_str(text: &str) -> Result<Self, String> {
        const REMEDY: &str = "Give value=20, slope=0 or alpha=1,beta=2,gamma=3";
        let mut parts = ConditionParts::default();
        for part in text.split(',') {
            let (name, number) = part.split_once('=').unwrap_or((part, ""));
            let place = match name.trim() {
                "value" => &mut parts.value,
                "slope" => &mut parts.slope,
                "alpha" => &mut parts.alpha,
                "beta" => &mut parts.beta,
                "gamma" => &mut parts.gamma,
                name => return Err(format!("there is no condition `{name}`. {REMEDY}")),
            };
            let number: Option<f64> = number.trim().parse().ok();
            let number = number.ok_or_else(|| format!("`{part}` has no number. {REMEDY}"))?;
            if place.replace(number).is_some() {
                return Err(format!("`{}` is given twice. {REMEDY}", name.trim()));
            }
        }
        parts.condition().map_err(|what| format!("{what}. {REMEDY}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_read_as_it_is_written() {
        assert_eq!("value=-2e1".parse(), Ok(Condition::value(-20.0)));
        assert_eq!("slope=0".parse(), Ok(Condition::slope(0.0)));
        let mixed = Condition { alpha: 1.0, beta: -2.0, gamma: 3.0 };
        assert_eq!("gamma=3, alpha=1,beta=-2".parse(), Ok(mixed));
        for condition in [mixed, Condition::value(1e-9), Condition::slope(-0.1)] {
            assert_eq!(condition.to_string().parse(), Ok(condition));
        }
        for (bad, why) in [
            ("", "there is no condition ``"),
            ("20", "there is no condition `20`"),
            ("value", "`value` has no number"),
            ("value=", "`value=` has no number"),
            ("value=x", "`value=x` has no number"),
            ("value=1,value=2", "`value` is given twice"),
            ("value=1,slope=2", "too much is given"),
            ("value=inf", "a number is not finite"),
            ("alpha=1", "of alpha, beta and gamma all three"),
        ] {
            let error = bad.parse::<Condition>().unwrap_err();
            assert!(error.starts_with(why) && error.contains(". Give value=20"), "{bad}: {error}");
        }
    }
}

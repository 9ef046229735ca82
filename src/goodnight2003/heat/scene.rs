//! A plate as it is described: its size, its sources, what holds along its sides.

use serde::Deserialize;

use crate::goodnight2003::{Condition, Side};
use crate::io::grey::Grey;
use crate::stream::Size;

use super::HeatSource;

/// Nodes along the longer side of a plate of which nothing else is said.
pub const DEFAULT_NODES: u32 = 257;

/// The description of a plate. What is `None` has a default that depends on the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Columns and rows of nodes; by default those of the picture, or square cells with
    /// [`DEFAULT_NODES`] along the longer side.
    pub size: Option<Size>,
    /// Width and height; by default the height is 1 and cells are square.
    pub extent: Option<[f64; 2]>,
    /// k, the thermal conductivity.
    pub conductivity: f64,
    /// Whether what leaves at the east enters at the west, and whether what leaves at the north
    /// enters at the south.
    pub periodic: [bool; 2],
    /// Shapes that heat or cool.
    pub sources: Vec<HeatSource>,
    /// A picture that heats.
    pub picture: Option<PictureSource>,
    /// West, east, south, north: what holds along each.
    pub sides: [SideConditions; 4],
    /// What holds where nothing is said of it: on a whole side, or between its pieces.
    pub otherwise: SideConditions,
}

impl Default for Scene {
    /// No source, nothing said of the sides, k = 1.
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

/// Grey levels as heat an area: one value a node, or resampled where the size is another.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureSource {
    /// The picture.
    pub grey: Grey,
    /// Heat an area of white.
    pub white: f64,
}

/// What holds along a side: conditions on parts of it, of which later ones count first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SideConditions(pub Vec<Piece>);

/// A condition on a part of a side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Where it begins, from the south or west end of the side.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// What holds there.
    pub condition: Condition,
}

impl SideConditions {
    /// The same all along.
    pub fn all(condition: Condition) -> Self {
        Self(vec![Piece {
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            condition,
        }])
    }

    /// What holds at a place; the ends of a piece belong to it, to `slack`.
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

    /// Columns and rows of nodes: as given, or as [`Scene::size`] says.
    pub fn nodes(&self) -> Size {
        if let Some(size) = self.size {
            return size;
        }
        if let Some(picture) = &self.picture {
            return picture.grey.dimensions();
        }
        let [width, height] = self.extent.unwrap_or([1.0, 1.0]);
        let cell = width.max(height) / f64::from(DEFAULT_NODES - 1);
        // Even numbers of cells, so that any side can be periodic.
        let nodes = |extent: f64| 2 * (0.5 * extent / cell).round().max(1.0) as u32 + 1;
        (nodes(width), nodes(height))
    }
}

/// A condition from what is given of it, as in a scene's file or on the command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionParts {
    /// Where on a side it begins; by default at its end.
    pub from: Option<f64>,
    /// Where it ends.
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
    /// The condition.
    pub fn condition(&self) -> Result<Condition, &'static str> {
        let given = [self.value, self.slope, self.alpha, self.beta, self.gamma];
        if given.iter().flatten().any(|&n| !(n as f32).is_finite()) {
            return Err("a number is not finite in single precision");
        }
        match given {
            [None, None, None, None, None] => {
                Err("no condition is given: value, slope, or alpha, beta and gamma")
            }
            [Some(value), None, None, None, None] => Ok(Condition::value(value)),
            [None, Some(slope), None, None, None] => Ok(Condition::slope(slope)),
            [None, None, Some(0.0), Some(0.0), Some(_)] => {
                Err("alpha and beta are both zero, which says nothing")
            }
            [None, None, Some(alpha), Some(beta), Some(gamma)] => {
                Ok(Condition { alpha, beta, gamma })
            }
            [None, None, ..] => Err("of alpha, beta and gamma all three are needed"),
            _ => Err("too much is given: one of value, slope, or alpha, beta and gamma"),
        }
    }
}

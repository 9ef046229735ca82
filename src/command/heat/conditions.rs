//! Conditions and periods on the command line.

use std::str::FromStr;

use clap::{Args, ValueEnum};

use crate::goodnight2003::heat::{ConditionParts, Scene, SideConditions};
use crate::goodnight2003::{Condition, Side};

/// Conditions on the sides, which replace the scene's.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Sides")]
pub struct Sides {
    /// Condition on the west side: value=20, slope=0 (the outward normal derivative) or
    /// alpha=1,beta=2,gamma=3
    #[arg(long, value_name = "CONDITION")]
    west: Option<Given>,

    /// Condition on the east side
    #[arg(long, value_name = "CONDITION")]
    east: Option<Given>,

    /// Condition on the south side, the lower one
    #[arg(long, value_name = "CONDITION")]
    south: Option<Given>,

    /// Condition on the north side
    #[arg(long, value_name = "CONDITION")]
    north: Option<Given>,

    /// Condition on all other sides
    #[arg(long, value_name = "CONDITION")]
    sides: Option<Given>,

    /// Periodic directions
    #[arg(long, value_enum)]
    periodic: Option<Periodic>,
}

/// A condition along a whole side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Given(Condition);

/// Pairs of sides that are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Periodic {
    /// West and east.
    X,
    /// South and north.
    Y,
    /// Both pairs.
    Both,
    /// Neither.
    None,
}

impl FromStr for Given {
    type Err = String;

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
        let condition = parts.condition();
        condition.map(Given).map_err(|what| format!("{what}. {REMEDY}"))
    }
}

impl Sides {
    /// Replaces the conditions of the scene.
    pub fn apply(&self, scene: &mut Scene) {
        if let Some(periodic) = self.periodic {
            scene.periodic = match periodic {
                Periodic::X => [true, false],
                Periodic::Y => [false, true],
                Periodic::Both => [true, true],
                Periodic::None => [false, false],
            };
            // Joined sides take no condition.
            for (side, joined) in [
                (Side::West, scene.periodic[0]),
                (Side::East, scene.periodic[0]),
                (Side::South, scene.periodic[1]),
                (Side::North, scene.periodic[1]),
            ] {
                if joined {
                    *scene.side(side) = SideConditions::default();
                }
            }
        }
        let given = [self.west, self.east, self.south, self.north];
        for (side, given) in Side::ALL.into_iter().zip(given) {
            if let Some(Given(condition)) = given {
                *scene.side(side) = SideConditions::all(condition);
            }
        }
        if let Some(Given(condition)) = self.sides {
            scene.otherwise = SideConditions::all(condition);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        sides: Sides,
    }

    fn applied(line: &str, mut scene: Scene) -> Scene {
        let line = format!("line {line}");
        Line::parse_from(line.split_whitespace()).sides.apply(&mut scene);
        scene
    }

    #[test]
    fn a_condition_is_read_as_it_is_written() {
        assert_eq!("value=-2e1".parse(), Ok(Given(Condition::value(-20.0))));
        assert_eq!("slope=0".parse(), Ok(Given(Condition::slope(0.0))));
        let mixed = Condition { alpha: 1.0, beta: -2.0, gamma: 3.0 };
        assert_eq!("gamma=3, alpha=1,beta=-2".parse(), Ok(Given(mixed)));
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
            let error = bad.parse::<Given>().unwrap_err();
            assert!(error.starts_with(why) && error.contains(". Give value=20"), "{bad}: {error}");
        }
    }

    #[test]
    fn options_take_the_place_of_what_the_scene_says() {
        let all = SideConditions::all;
        let mut scene = Scene::default();
        for side in Side::ALL {
            *scene.side(side) = all(Condition::value(1.0));
        }
        let mut hot = applied("--north value=9 --sides slope=0", scene.clone());
        assert_eq!(*hot.side(Side::North), all(Condition::value(9.0)));
        assert_eq!(*hot.side(Side::South), all(Condition::value(1.0)));
        assert_eq!(hot.otherwise, all(Condition::slope(0.0)));
        let mut ring = applied("--periodic x", scene.clone());
        assert!(ring.side(Side::West).0.is_empty() && !ring.side(Side::South).0.is_empty());
        // A condition on a joined side is rejected when the plate is made.
        let mut both = applied("--periodic x --west value=1", scene);
        assert!(!both.side(Side::West).0.is_empty() && both.periodic[0]);
    }
}

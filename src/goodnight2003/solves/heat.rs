//! The steady temperature on a plate (section 5.1).

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::error::BoxedError;
use crate::bundled::PLATE;
use crate::experiment::{Experiment, Place, Presets, Record, Solve};
use crate::goodnight2003::scenes::heat::{
    Periodic, Plate, Scene, SideConditions, Stated, Steady, flow, parse_scene, plate, read_input,
};
use crate::goodnight2003::study::manufactured::{Coordinates, Kind, Kinds, Manufactured, errors};
use crate::goodnight2003::{Condition, Equations, Error, Problem, Side};
use crate::io::extension;
use crate::settings::{GridSize, extend, flat, text};
use crate::stream::Size;

use super::Method;

/// The solve of the registry.
pub static HEAT: Solve = Solve::of::<Settings>("heat", record);

/// Solves a plate.
fn record(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let task: Settings = experiment.typed()?;
    let (settings, criteria) = (task.method.settings(), task.method.criteria());
    settings.check()?;
    let plate = task.plate(&task.scene()?)?;
    place.machine.take_ledger();
    let mut found =
        Steady::solve(place.machine, plate, &settings, &criteria, task.refine, |_, _| ())?;
    found.error = task.error(&found.plate.problem, &found.values)?;
    let mut record = Record::of(&found, &place.machine.take_ledger());
    record.one("levels", found.plate.problem.levels() as f64);
    Ok(record)
}

/// Settings of a solve: the plate and its solver. What is left open is the scene's.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Settings {
    /// Scene (.toml), or picture of heat sources (.png, .gif, .hdr, .exr) [default: the bundled scene]
    #[schemars(extend("positional" = true, "takes" = "SCENE|PICTURE"))]
    pub input: Option<PathBuf>,
    /// Problem of the paper's experiments, in the place of a scene
    #[schemars(extend("nothing" = "scene"))]
    pub problem: Option<Stated>,
    /// Coordinates of the manufactured problem [default: cartesian]
    pub coordinates: Option<Coordinates>,
    /// Conditions of the manufactured problem: dirichlet, neumann, mixed or periodic, for all sides or for
    /// west,east,south,north [default: dirichlet]
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "KINDS"))]
    pub boundary: Option<Kinds>,
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
                reference temperature, the middle of those of the sides. Unless --refine is 0, also: |b - A x| <= rtol \
                |b| with each row divided by the sum of the magnitudes of its coefficients, an estimated error of at \
                most 10 rtol of the range of T, and a defect of at most 100 rtol of the turnover";
    extend(schema, &["rtol"], "description", rtol);
}

impl Presets for Settings {
    #[rustfmt::skip]
    fn presets() -> Vec<(&'static str, &'static str, Self)> {
        let robust = Self { method: Method::robust(), refine: 10, ..Self::default() };
        vec![
            ("robust", "corrections in double precision, L2 norm by reduction", robust),
            ("paper", "V(4,4) in single precision, occlusion queries, surfaces up to 2048", Self::default()),
        ]
    }
}

impl Settings {
    /// The scene of the input, with the changes of the settings. With a stated problem it has the size alone.
    pub fn scene(&self) -> Result<Scene, BoxedError> {
        self.check()?;
        let mut scene = match (&self.input, self.problem) {
            (_, Some(_)) => Scene::default(),
            (Some(path), _) => match extension(&path.to_string_lossy()).as_str() {
                "toml" | "png" | "gif" | "hdr" | "exr" => read_input(path)?,
                _ => {
                    let what = "is not a scene (.toml) nor a picture of heat sources (.png, .gif, .hdr, .exr). \
                                Give one of these";
                    return Err(format!("{}: {what}", path.display()).into());
                }
            },
            (None, _) => parse_scene(PLATE)?,
        };
        let &Self { west, east, south, north, sides, periodic, .. } = self;
        // A condition on a joined side is rejected when the plate is made.
        periodic.into_iter().for_each(|periodic| scene.join(periodic));
        for (side, given) in Side::ALL.into_iter().zip([west, east, south, north]) {
            given.into_iter().for_each(|c| *scene.side(side) = SideConditions::all(c));
        }
        sides.into_iter().for_each(|c| scene.otherwise = SideConditions::all(c));
        scene.size = self.size.map(|size| (size.columns, size.rows)).or(scene.size);
        scene.extent = self.extent.map(|Extent(sides)| sides).or(scene.extent);
        scene.conductivity = self.conductivity.unwrap_or(scene.conductivity);
        match (self.white, &mut scene.picture) {
            (Some(white), Some(picture)) => picture.white = white,
            (Some(_), None) => {
                let what = "--white is the heat of a white pixel, but there is no picture. Give a picture, or leave it out";
                return Err(what.into());
            }
            (None, _) => {}
        }
        Ok(scene)
    }

    /// Checks that a stated problem gets no settings of a scene, and no other problem those of the manufactured one.
    fn check(&self) -> Result<(), BoxedError> {
        #[rustfmt::skip]
        const SCENE: [&str; 11] = [
            "input", "extent", "conductivity", "white", "make_up", "west", "east", "south", "north", "sides",
            "periodic",
        ];
        let all = flat(self);
        let given = |names: &[&str]| {
            let name = names
                .iter()
                .find(|name| !matches!(all[**name], Value::Null | Value::Bool(false)))?;
            let option = format!("--{}", name.replace('_', "-"));
            Some(if *name == "input" { "a scene or picture".to_owned() } else { option })
        };
        let (scene, manufactured) = (given(&SCENE), given(&["coordinates", "boundary"]));
        Err(match (self.problem, scene, manufactured) {
            (Some(_), Some(what), _) => {
                format!("--problem is a complete plate, without {what}. Leave one of the two out")
                    .into()
            }
            (None | Some(Stated::Plate | Stated::Flow), _, Some(what)) => {
                format!("{what} is for --problem manufactured. Add that, or leave {what} out")
                    .into()
            }
            _ => return Ok(()),
        })
    }

    /// The plate of a scene of these settings, with a steady state; errors have the remedies of the command.
    pub fn plate(&self, scene: &Scene) -> Result<Plate, BoxedError> {
        let size = scene.nodes();
        let stated = match self.problem {
            None => None,
            Some(Stated::Plate) => Some(plate(size)?),
            Some(Stated::Flow) => Some(flow(size)?),
            Some(Stated::Manufactured) => Some(self.manufactured().problem(size.0, size.1)?.0),
        };
        if let Some(problem) = stated {
            return Ok(Plate::stated(problem));
        }
        let mut plate = Plate::new(scene).map_err(|error| match error {
            Error::NoCondition(side) => BoxedError::from(format!(
                "the {side} side has no condition. Give it one, as in --{side} value=20, or all sides \
                 without one by --sides slope=0, or join it with its opposite by --periodic"
            )),
            error => error.into(),
        })?;
        let balance = if self.make_up {
            plate.make_up().map(drop)
        } else {
            Equations::new(&plate.problem).and_then(|equations| equations.balance())
        };
        match balance {
            Ok(()) => Ok(plate),
            Err(Error::Incompatible(sum)) => Err(format!(
                "no side has a prescribed temperature, and sources and sides add up to {:.4e} instead of 0, so \
                 there is no steady state. Prescribe a temperature on a side, or add --make-up",
                -plate.conductivity * sum
            )
            .into()),
            Err(error) => Err(error.into()),
        }
    }

    /// The boundary value problem.
    pub fn problem(&self) -> Result<Problem, BoxedError> {
        Ok(self.plate(&self.scene()?)?.problem)
    }

    /// The manufactured problem.
    pub fn manufactured(&self) -> Manufactured {
        let Kinds(kinds) = self.boundary.unwrap_or(Kinds([Some(Kind::Dirichlet); 4]));
        Manufactured { coordinates: self.coordinates.unwrap_or(Coordinates::Cartesian), kinds }
    }

    /// Largest difference of values at the nodes from the solution of the manufactured problem, up to a constant that
    /// the problem leaves free; none for other problems.
    pub fn error(&self, problem: &Problem, values: &[f64]) -> Result<Option<f64>, Error> {
        if self.problem != Some(Stated::Manufactured) {
            return Ok(None);
        }
        let (columns, rows) = problem.grid.size(0);
        let (_, exact) = self.manufactured().problem(columns, rows)?;
        let mean = problem.grid.mean(|node| values[node] - exact[node]);
        let shift = if problem.is_singular() { mean } else { 0.0 };
        let values: Vec<f64> = values.iter().map(|value| value - shift).collect();
        Ok(Some(errors(problem, &values, &exact)[0]))
    }

    /// The settings with another size.
    pub fn on(&self, (columns, rows): Size) -> Self {
        Self { size: Some(GridSize::new(columns, rows)), ..self.clone() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Subject;

    #[test]
    fn options_take_the_place_of_what_the_scene_says() {
        let all = SideConditions::all;
        let scene = |options: &[[&str; 2]]| {
            let mut experiment = HEAT.experiment("").unwrap();
            options.iter().for_each(|[name, word]| experiment.set(name, word).unwrap());
            experiment.typed::<Settings>().unwrap().scene()
        };
        let mut hot = scene(&[["north", "value=9"], ["sides", "slope=1"]]).unwrap();
        assert_eq!(*hot.side(Side::North), all(Condition::value(9.0)));
        assert_eq!(*hot.side(Side::West), all(Condition::value(20.0)));
        assert_eq!(hot.otherwise, all(Condition::slope(1.0)));
        let mut ring = scene(&[["periodic", "x"]]).unwrap();
        assert!(ring.side(Side::West).0.is_empty() && !ring.side(Side::North).0.is_empty());
        // A condition on a joined side is rejected when the plate is made.
        let mut both = scene(&[["periodic", "x"], ["west", "value=1"]]).unwrap();
        assert!(!both.side(Side::West).0.is_empty() && both.periodic[0]);
        assert!(scene(&[["input", "a.jpg"]]).is_err());
    }
}

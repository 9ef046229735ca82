//! Conditions of the settings: f, and u or its normal derivative on parts of the boundary.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::base::error::BoxedError;
use crate::base::formula::Formula;
use crate::base::nearest::suggestion;
use crate::base::order::ShortSort;
use crate::geveler2011::{BoundaryPart, Condition, Problem, QuadMesh};

use super::coarse::Coarse;
use super::given::Given;

/// A formula, with the first position where it had no finite value.
pub struct Watched {
    formula: Formula,
    /// Option that gave the formula.
    option: String,
    is_slope: bool,
    failed: OnceLock<[f64; 2]>,
}

impl Watched {
    fn new(formula: Formula, option: String, is_slope: bool) -> Self {
        Self { formula, option, is_slope, failed: OnceLock::new() }
    }

    fn at(&self, place: [f64; 2]) -> f64 {
        let value = self.formula.at(place);
        if !value.is_finite() {
            self.failed.get_or_init(|| place);
        }
        value
    }
}

/// A condition, and the parts of the boundary that it is for.
struct Meant<'a> {
    given: &'a Given,
    is_slope: bool,
    parts: Vec<usize>,
}

impl Meant<'_> {
    /// Conditions without a name are larger than all with one.
    fn size(&self) -> (bool, usize) {
        (self.given.name.is_none(), self.parts.len())
    }

    /// Tests whether it is for all parts of a smaller one.
    fn contains(&self, other: &Self) -> bool {
        self.size() > other.size() && other.parts.iter().all(|part| self.parts.contains(part))
    }

    fn says_the_same(&self, other: &Self) -> bool {
        (self.is_slope, &self.given.formula) == (other.is_slope, &other.given.formula)
    }

    fn watched(&self) -> Watched {
        let option = if self.is_slope { "--neumann" } else { "--dirichlet" };
        let Given { formula, .. } = self.given;
        Watched::new(formula.clone(), format!("{option} {}", self.given), self.is_slope)
    }
}

/// The problem on a mesh.
pub struct Conditions {
    source: Watched,
    /// One condition per part of the boundary.
    parts: Vec<Watched>,
}

impl Conditions {
    /// Builds f and the conditions. `values` gives u on each part of the boundary; `dirichlet` and `neumann`
    /// replace it. Of two conditions on a part that with fewer edges decides, if they are all among the other's.
    /// The mesh's parts are put into the order of their conditions: where two meet, the later value replaces the other.
    ///
    /// # Errors
    /// An unknown part, two conditions on one part, or a piece of the mesh without a prescribed u.
    pub fn new(
        Coarse { mesh, elsewhere, .. }: &mut Coarse,
        source: Formula,
        values: impl Fn(usize) -> Formula,
        [dirichlet, neumann]: [&[Given]; 2],
    ) -> Result<Self, BoxedError> {
        let mut all = Vec::new();
        let slopes = neumann.iter().map(|given| (given, true));
        for (given, is_slope) in dirichlet.iter().map(|given| (given, false)).chain(slopes) {
            all.push(Meant { given, is_slope, parts: parts_of(given, mesh, elsewhere)? });
        }
        let mut parts: Vec<(usize, Watched)> = Vec::new();
        for (part, BoundaryPart { name, .. }) in mesh.parts.iter().enumerate() {
            let here = || (1..).zip(&all).filter(|(_, meant)| meant.parts.contains(&part));
            let Some((place, least)) = here().min_by_key(|(_, meant)| meant.size()) else {
                parts.push((0, Watched::new(values(part), format!("u on {name}"), false)));
                continue;
            };
            if here().any(|(_, other)| !other.contains(least) && !other.says_the_same(least)) {
                let what = format!("two conditions are given on the boundary {name}. Give one");
                return Err(what.into());
            }
            parts.push((place, least.watched()));
        }
        let known: Vec<bool> = parts.iter().map(|(_, part)| !part.is_slope).collect();
        if !mesh.every_piece_has(&known) {
            return Err(BoxedError::from(
                "pure Neumann problem: u is determined only up to a constant on (a piece of) the mesh. Prescribe \
                 it on one boundary by --dirichlet",
            ));
        }
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.order_by_key(|&part| parts[part].0);
        mesh.keep_parts(&order);
        parts.order_by_key(|(place, _)| *place);
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        let option = format!("--rhs {source}");
        Ok(Self { source: Watched::new(source, option, false), parts })
    }

    /// Calls `then` with the problem as functions, which must outlive it.
    pub fn with_problem<T>(&self, then: impl FnOnce(&Problem<'_>) -> T) -> T {
        let source = |at: [f64; 2]| self.source.at(at);
        let functions: Vec<_> =
            (self.parts.iter()).map(|part| move |at: [f64; 2]| part.at(at)).collect();
        let conditions = self.parts.iter().zip(&functions);
        let boundary = conditions.map(|(part, function)| {
            if part.is_slope {
                Condition::Neumann(function)
            } else {
                Condition::Dirichlet(function)
            }
        });
        then(&Problem { source: &source, boundary: boundary.collect() })
    }

    /// Checks that all formulas had finite values wherever they were evaluated.
    pub fn check(&self) -> Result<(), BoxedError> {
        for watched in self.parts.iter().chain([&self.source]) {
            if let Some(place @ [x, y]) = watched.failed.get() {
                let (option, value) = (&watched.option, watched.formula.at(*place));
                let what =
                    format!("{option} is {value} at ({x}, {y}). It must be finite everywhere");
                return Err(what.into());
            }
        }
        Ok(())
    }

    /// Returns the problem as one line: `-lap u = 1; u = 0 on outer, u = 1 on circle`.
    pub fn equation(&self, mesh: &QuadMesh) -> String {
        let on = |(watched, name): (&Watched, &String)| {
            let what = if watched.is_slope { "du/dn" } else { "u" };
            format!("{what} = {} on {name}", watched.formula)
        };
        let names = mesh.parts.iter().map(|part| &part.name);
        let parts: Vec<String> = self.parts.iter().zip(names).map(on).collect();
        format!("-lap u = {}; {}", self.source.formula, parts.join(", "))
    }
}

/// The parts of the boundary with a condition's name; without a name, all parts.
fn parts_of(
    given: &Given,
    mesh: &QuadMesh,
    elsewhere: &BTreeMap<String, bool>,
) -> Result<Vec<usize>, BoxedError> {
    let all = 0..mesh.parts.len();
    let Some(name) = &given.name else {
        return Ok(all.collect());
    };
    let has_it = |part: &BoundaryPart| part.name == *name || part.groups.contains(name);
    let meant: Vec<usize> = all.filter(|&part| has_it(&mesh.parts[part])).collect();
    if !meant.is_empty() {
        return Ok(meant);
    }
    if let Some(is_inside) = elsewhere.get(name) {
        let why = match is_inside {
            true => "is inside the mesh, and conditions apply to its boundary",
            false => "is named in the file, but no edge of the mesh has it",
        };
        return Err(format!("{name} {why}. Leave it out").into());
    }
    let mut names: Vec<&str> = Vec::new();
    for part in &mesh.parts {
        for name in std::iter::once(&part.name).chain(&part.groups) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    Err(format!(
        "there is no boundary {name}; {}this mesh has {}",
        suggestion(name, &names),
        names.join(", ")
    )
    .into())
}

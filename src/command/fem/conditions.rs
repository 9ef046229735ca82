//! Conditions on the command line: f, and u or its normal derivative on parts of the boundary.

use std::str::FromStr;
use std::sync::OnceLock;

use crate::formula::{Formula, FormulaError};
use crate::geveler2011::{Condition, Problem, QuadMesh};
use crate::nearest::suggestion;

use super::super::failure::Failure;

/// A formula, for a named part of the boundary or for all of it.
#[derive(Clone, Debug)]
pub struct Given {
    name: Option<String>,
    formula: Formula,
}

impl FromStr for Given {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // No formula has this sign, but a name may.
        let (name, formula) = match text.rsplit_once('=') {
            Some((name, formula)) => (Some(name.to_owned()), formula),
            None => (None, text),
        };
        let remedy = match name {
            Some(_) => "",
            None => " (give FORMULA or NAME=FORMULA, as in outer=0)",
        };
        let formula = formula.parse().map_err(|fault: FormulaError| format!("{fault}{remedy}"))?;
        Ok(Self { name, formula })
    }
}

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

/// The problem on a mesh.
pub struct Conditions {
    source: Watched,
    /// One condition per part of the boundary.
    parts: Vec<Watched>,
}

impl Conditions {
    /// Builds f and the conditions. `values` gives u on each part of the boundary; `dirichlet` and `neumann`
    /// replace it. A named part takes precedence over all parts together.
    ///
    /// # Errors
    /// An unknown part, two conditions on one part, or a piece of the mesh without a prescribed u.
    pub fn new(
        mesh: &QuadMesh,
        source: Formula,
        values: impl Fn(usize) -> Formula,
        [dirichlet, neumann]: [&[Given]; 2],
    ) -> Result<Self, Failure> {
        let names: Vec<&str> = mesh.parts.iter().map(|part| part.name.as_str()).collect();
        let by_default = |(part, name): (usize, &&str)| {
            Watched::new(values(part), format!("u on {name}"), false)
        };
        let mut parts: Vec<Watched> = names.iter().enumerate().map(by_default).collect();
        let all = || {
            let u = dirichlet.iter().map(|given| (false, given));
            u.chain(neumann.iter().map(|given| (true, given)))
        };
        for is_named in [false, true] {
            let mut is_given = vec![false; names.len()];
            for (is_slope, given) in all().filter(|(_, given)| given.name.is_some() == is_named) {
                for part in parts_of(given, &names)? {
                    if std::mem::replace(&mut is_given[part], true) {
                        let what = format!(
                            "two conditions are given on the boundary {}. Give one",
                            names[part]
                        );
                        return Err(Failure::input(what));
                    }
                    let option = if is_slope { "--neumann" } else { "--dirichlet" };
                    let option = match &given.name {
                        Some(name) => format!("{option} {name}={}", given.formula),
                        None => format!("{option} {}", given.formula),
                    };
                    parts[part] = Watched::new(given.formula.clone(), option, is_slope);
                }
            }
        }
        let known: Vec<bool> = parts.iter().map(|part| !part.is_slope).collect();
        if !mesh.every_piece_has(&known) {
            return Err(Failure::input(
                "pure Neumann problem: u is determined only up to a constant on (a piece of) the mesh. Prescribe \
                 it on one boundary by --dirichlet",
            ));
        }
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
    pub fn check(&self) -> Result<(), Failure> {
        for watched in self.parts.iter().chain([&self.source]) {
            if let Some(place @ [x, y]) = watched.failed.get() {
                let (option, value) = (&watched.option, watched.formula.at(*place));
                let what =
                    format!("{option} is {value} at ({x}, {y}). It must be finite everywhere");
                return Err(Failure::input(what));
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

/// The parts of the boundary with this name, or whose names begin with it and a dot (all curves of a component
/// in FEAT's meshes). Without a name, all parts.
fn parts_of(given: &Given, names: &[&str]) -> Result<Vec<usize>, Failure> {
    let Some(name) = &given.name else {
        return Ok((0..names.len()).collect());
    };
    let is_meant = |part: &usize| {
        let rest = names[*part].strip_prefix(name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let meant_parts: Vec<usize> = (0..names.len()).filter(is_meant).collect();
    if meant_parts.is_empty() {
        return Err(Failure::input(format_args!(
            "there is no boundary {name}; {}this mesh has {}",
            suggestion(name, names),
            names.join(", ")
        )));
    }
    Ok(meant_parts)
}

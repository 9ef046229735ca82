//! Exhibits of the report: the bundled matrices and a grid.

use crate::arguments::GridSize;
use crate::bundled::{MATRICES, matrix};
use crate::claim::{Exhibit, Figure};
use crate::layouts::compare::table;
use crate::layouts::usual;
use crate::stream::Machine;
use crate::timing::Effort;

use super::super::failure::Failure;
use super::input::{self, Input};

/// Nodes per side of the grid.
const GRID: u32 = 129;

/// The bundled matrices and a grid, laid out.
pub fn exhibits(machine: &Machine, quick: bool) -> Result<Vec<Exhibit>, Failure> {
    let effort = Effort { rounds: if quick { 3 } else { 6 }, chain: 4 };
    let mut exhibits = Vec::new();
    for (name, file) in MATRICES {
        let what = match name {
            "airfoil" => "a mesh around an airfoil",
            "knot" => "the surface of a knot",
            "unit_cube" => "the surface of a cube",
            _ => "a frame's stiffness (Harwell-Boeing)",
        };
        let matrix = matrix(file).map_err(Failure::input)?;
        let input = input::of(what, matrix, usual(), None);
        let caption = "Memory of each layout: an entry has the colour of its row, a pointer \
                       that of the x it refers to.";
        let argument = format!("matrix {name}");
        exhibits.push(exhibit(machine, effort, [name, &argument, caption], &input)?);
    }
    let argument = format!("grid --size {GRID}");
    let caption = "Memory of each layout: a node has the colour of its position.";
    let names = ["grid", argument.as_str(), caption];
    exhibits.push(exhibit(machine, effort, names, &Input::Plane(GridSize::new(GRID, GRID)))?);
    Ok(exhibits)
}

fn exhibit(
    machine: &Machine,
    effort: Effort,
    [name, argument, caption]: [&str; 3],
    input: &Input,
) -> Result<Exhibit, Failure> {
    input.check(machine)?;
    let sections = input.sections(machine, effort)?;
    let texts: Vec<String> =
        sections.iter().map(|section| table::text(section, super::WIDTH)).collect();
    Ok(Exhibit {
        title: match input {
            Input::Matrix { title, .. } => title.clone(),
            _ => format!("a grid of {GRID}x{GRID} nodes"),
        },
        text: texts.join("\n\n"),
        command: format!("fragstream layouts {argument} --png {name}.png"),
        figure: Figure::new(format!("layouts/{name}.png"), caption, input.picture(machine)?)
            .with_numbers(table::csv(&sections)),
        ..Exhibit::default()
    })
}

//! What the page on layouts and the report show: the bundled matrices and others, grids, a vector.

use crate::claim::{Exhibit, Figure};
use crate::layouts::examples::examples;
use crate::layouts::race::Section;
use crate::layouts::table;
use crate::stream::Machine;
use crate::timing::Effort;

use super::super::failure::Failure;
use super::input::{self, Input};

/// The grids and the vector whose tables are shown, by their names.
const OTHERS: [(&str, Input); 3] = [
    ("plane", Input::Plane(513)),
    ("space", Input::Space(48)),
    ("vector", Input::Vector(1 << 20)),
];
/// Nodes along a side of the report's grid.
const GRID: usize = 129;

/// An example, laid out.
pub struct Shown {
    /// Its name, and that of its files.
    pub name: &'static str,
    /// Its tables.
    pub sections: Vec<Section>,
    /// Its picture, PNG; empty for those that have none.
    pub picture: Vec<u8>,
}

/// All that the page shows.
pub fn all(
    machine: &Machine,
    effort: Effort,
    say: impl Fn(&'static str),
) -> Result<Vec<Shown>, Failure> {
    let own = examples().map_err(Failure::input)?.into_iter();
    let own = own.map(|example| {
        let title = format!("{}, {}", example.name, example.what);
        let input = input::of(&title, example.matrix, example.layouts, None);
        (example.name, input)
    });
    let show = |(name, input)| {
        say(name);
        shown(machine, name, &input, effort)
    };
    own.chain(OTHERS).map(show).collect()
}

/// What the report shows: the bundled matrices and a grid.
pub fn exhibits(machine: &Machine, effort: Effort) -> Result<Vec<Exhibit>, Failure> {
    let bundled = examples().map_err(Failure::input)?.into_iter();
    let bundled = bundled.filter(|example| example.is_bundled);
    let bundled = bundled.map(|example| {
        let input = input::of(example.what, example.matrix, example.layouts, None);
        (example.name, example.name.to_owned(), input)
    });
    let grid = ("grid", format!("--grid {GRID}"), Input::Plane(GRID));
    let exhibit = |(name, argument, input): (&'static str, String, Input)| {
        let shown = shown(machine, name, &input, effort)?;
        let texts: Vec<String> = shown.sections.iter().map(table::text).collect();
        let caption = match input {
            Input::Matrix { .. } => {
                "How each layout lies in memory: an entry has the colour of its row, a pointer \
                 that of the x it leads to."
            }
            _ => "How each layout lies in memory: a node has the colour of its place.",
        };
        Ok(Exhibit {
            title: match &input {
                Input::Matrix { title, .. } => title.clone(),
                _ => format!("a grid of {GRID}² nodes"),
            },
            text: texts.join("\n\n"),
            command: format!("fragstream layouts {argument} --png {name}.png"),
            figure: Figure {
                file: format!("layouts/{name}.png"),
                caption: caption.to_owned(),
                content: shown.picture,
                numbers: Some(super::separated(&shown.sections)),
            },
        })
    };
    bundled.chain([grid]).map(exhibit).collect()
}

fn shown(
    machine: &Machine,
    name: &'static str,
    input: &Input,
    effort: Effort,
) -> Result<Shown, Failure> {
    input.check(machine)?;
    Ok(Shown {
        name,
        sections: input.sections(machine, effort)?,
        picture: input.picture(machine)?,
    })
}

//! The page of the comparison: its table and its words are made of the numbers.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::film::error::FilmError;
use crate::film::page::{STYLE, escape, made};
use crate::film::scripts::REPLAY;

use super::{CELLS, PRESSURE_BYTES, Pressure, Row, SWEEPS, Step};

/// The step of a method that reaches a goal.
type Goal<'a> = &'a dyn Fn(&Row) -> Option<Step>;

const TEMPLATE: &str = include_str!("pressure.html");
const SCRIPT: &str = include_str!("pressure.js");

impl Pressure {
    /// Returns the page.
    ///
    /// # Errors
    /// [`FilmError::Page`] if it has more than [`PRESSURE_BYTES`].
    pub fn page(&self) -> Result<String, FilmError> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(bytemuck::cast_slice(&self.right))?;
        let rows =
            json!({ "cells": CELLS, "methods": self.rows }).to_string().replace('<', "\\u003c");
        let details = self
            .rows
            .iter()
            .map(|row| format!("<p><strong>{}.</strong> {}</p>", row.name, row.about));
        let details = format!("{}\n{DETAILS}", details.collect::<Vec<_>>().join("\n"));
        let made_by = &self.films[0].trace.made;
        let made_by = format!(
            "Recorded by fragstream {} on {}: {}",
            made_by.version, made_by.renderer, made_by.command
        );
        let parts = [
            ("style", STYLE),
            ("words", &*self.words()),
            ("table", &self.table()),
            ("details", &details),
            ("made", &escape(&made_by)),
            ("rows", &rows),
            ("right", &STANDARD.encode(packed.finish()?)),
        ];
        let script = [&REPLAY[..], &[SCRIPT]].concat().join("\n");
        made(TEMPLATE, &script, &parts, &self.films, PRESSURE_BYTES)
    }

    fn row(&self, name: &str) -> &Row {
        self.rows.iter().find(|row| row.name == name).expect("a method of the list")
    }

    /// The answer, as a list.
    fn words(&self) -> String {
        let [jacobi, gradients, preconditioned, cycle, red_black] =
            ["Jacobi", "CG", "PCG", "V-cycle", "Red–black"].map(|name| self.row(name));
        let budget = self.budget();
        let within = |row: &Row| {
            let step = row.within(budget);
            (step.units, percent(step.divergence))
        };
        let [
            (_, by_jacobi),
            (iterations, by_gradients),
            (cycles, by_cycle),
            (red_black_cycles, by_red_black),
        ] = [jacobi, gradients, cycle, red_black].map(within);
        let better = if gradients.within(budget).divergence < jacobi.within(budget).divergence {
            "That is less than 20 sweeps leave, but not by much"
        } else {
            "So conjugate gradients alone are not the answer"
        };
        let fetches = |row: &Row, share: f64| {
            row.reaches(share).map_or(f64::INFINITY, |step| step.fetches as f64)
        };
        let ratio = |row: &Row, share: f64| fetches(jacobi, share) / fetches(row, share);
        let units = |row: &Row, share: f64| row.reaches(share).map_or(0, |step| step.units);
        let switches = |row: &Row| {
            let step = row.within(budget);
            format!("{:.0} %", 100.0 * step.switching / (step.seconds + step.switching))
        };
        let gained = |ratio: f64| {
            if ratio >= 10.0 {
                format!("{ratio:.0} times fewer fetches")
            } else if ratio >= 1.0 {
                format!("{ratio:.1} times fewer fetches")
            } else {
                format!("{:.1} times as many fetches", 1.0 / ratio)
            }
        };
        [
            format!(
                "<strong>With the fetches of {SWEEPS} Jacobi sweeps</strong>, which leave {by_jacobi} of the divergence, \
                 {iterations} iterations of CG leave {by_gradients}. {better}."
            ),
            format!(
                "<strong>Multigrid is the answer.</strong> {} leaves {by_cycle} with at most as many fetches, and {} {by_red_black}.",
                counted(cycles, "V-cycle"),
                counted(red_black_cycles, "cycle of red–black multigrid"),
            ),
            format!(
                "<strong>To a tenth</strong> of the divergence, Jacobi takes {} sweeps and CG {} iterations with {}, since \
                 each of them adds up two inner products and moves three vectors.",
                units(jacobi, 0.1), units(gradients, 0.1), gained(ratio(gradients, 0.1)),
            ),
            format!(
                "<strong>To a thousandth</strong>, Jacobi takes {} sweeps. CG takes {} iterations with {}, and {} take \
                 {}. The finer the grid, the more sweeps and iterations it takes, but hardly more cycles.",
                units(jacobi, 1e-3), units(gradients, 1e-3), gained(ratio(gradients, 1e-3)),
                counted(units(cycle, 1e-3), "V-cycle"), gained(ratio(cycle, 1e-3)),
            ),
            format!(
                "<strong>A preconditioner</strong> makes CG as good as multigrid if it is multigrid: to a thousandth PCG takes {}, and \
                 V-cycles alone are {}. But each iteration waits for three sums that the CPU reads, and a cycle waits for nothing.",
                counted(units(preconditioned, 1e-3), "iteration"), units(cycle, 1e-3),
            ),
            format!(
                "<strong>Passes are the price.</strong> A V-cycle has {} of them, most on small grids; {SWEEPS} sweeps have {}. In the \
                 model of 2003, target switches are {} of the time of a V-cycle, and {} of that of the sweeps.",
                cycle.steps[1].passes, jacobi.within(budget).passes, switches(cycle), switches(jacobi),
            ),
        ]
        .map(|words| format!("<li>{words}</li>"))
        .join("\n")
    }

    /// Fetches of 20 Jacobi sweeps.
    fn budget(&self) -> u64 {
        let step = self.row("Jacobi").first(|step| step.units == SWEEPS);
        step.map_or(0, |step| step.fetches)
    }

    fn table(&self) -> String {
        let budget = self.budget();
        let mut html = "<table><thead><tr><th></th><th class=\"number\">units</th><th class=\"number\">passes</th>\
            <th class=\"number\">fetches</th><th class=\"number\">MB through the cache</th><th class=\"number\">in 2003, ms</th>\
            <th class=\"number\">of it passes, ms</th><th class=\"number\">residual left</th><th class=\"number\">divergence left</th></tr></thead>"
            .to_owned();
        let goals: [(String, Goal<'_>); 3] = [
            (format!("with the fetches of {SWEEPS} Jacobi sweeps"), &|row| {
                Some(*row.within(budget))
            }),
            ("until a tenth is left".into(), &|row| row.reaches(0.1)),
            ("until a thousandth is left".into(), &|row| row.reaches(1e-3)),
        ];
        for (goal, step) in goals {
            html += &format!("<tbody><tr><th colspan=\"9\" scope=\"rowgroup\">{goal}</th></tr>");
            for row in &self.rows {
                let cells = step(row).map(|step| {
                    let [all, passes] = [step.seconds + step.switching, step.seconds]
                        .map(|s| format!("{:.1}", 1e3 * s));
                    [
                        counted(step.units, &row.unit.to_lowercase()),
                        grouped(step.passes),
                        grouped(step.fetches),
                        format!("{:.1}", step.bytes as f64 / 1e6),
                        all,
                        passes,
                        percent(step.residual),
                        percent(step.divergence),
                    ]
                    .map(|cell| format!("<td class=\"number\">{cell}</td>"))
                    .concat()
                });
                let cells = cells.unwrap_or_else(|| "<td colspan=\"8\">not reached</td>".into());
                html += &format!("<tr><th scope=\"row\">{}</th>{cells}</tr>", row.name);
            }
            html += "</tbody>";
        }
        html + "</table>"
    }
}

impl Row {
    /// The first step that leaves this share of the divergence.
    fn reaches(&self, share: f64) -> Option<Step> {
        self.first(|step| step.divergence <= share).copied()
    }
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 1.0 { format!("{percent:.1} %") } else { format!("{percent:.2} %") }
}

/// A count with its digits in groups of three.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(String::from_utf8_lossy).collect::<Vec<_>>().join("\u{2009}")
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

const DETAILS: &str = "<p><strong>One matrix.</strong> The pressure is at the 129 × 129 corners of the 128 × 128 cells, because the \
grids of multigrid are then nested. A corner inside has the equation of a cell-centred fluid: four times its value minus its four \
neighbours. On a wall it has half a control volume, and where two walls meet a quarter; a cell-centred fluid has whole cells there. \
The walls let nothing through (Neumann), so that the pressure is determined up to a constant.</p>\
<p><strong>Counts.</strong> The first four methods store one node per texel with 32 bits, and red–black multigrid a record of \
four numbers. A fetch is a fetch of one texel. Bytes are those that a texture cache of 8 KB with lines of 32 bytes moves from memory. \
Preparation, such as the upload of maps, is not counted, because it is done once. The time in 2003 is that of a GeForce FX 5800 \
Ultra in the model: its passes, and 0.33 ms for each target switch.</p>\
<p><strong>Divergence.</strong> The corrected velocity is on the edges between nodes. Its divergence is the residual of the equation \
for the pressure, computed in double precision from the pressure in single precision. The page computes it again from what your \
browser has drawn. Jacobi and CG are filmed until a tenth is left; all their units cost the same.</p>";

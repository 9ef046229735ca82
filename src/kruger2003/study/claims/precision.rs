//! §6: conjugate gradients in 24 bits, the paper's "Achilles' heel".

use crate::claim::{Checked, Claim, Found, Run, Table, times};
use crate::kruger2003::precision::{FORMATS, Row, SIDES, chart, row};

/// Largest factor between a residual and that of an independent program.
const FACTOR: f64 = 2.0;

/// Cells per side, and residuals of an independent program in 32 bits and in 24, rounded and truncated.
const INDEPENDENT: [(usize, [f64; 3]); 2] =
    [(64, [1.1e-4, 1.1e-2, 1.4e-2]), (256, [3.0e-3, 0.28, 0.31])];

pub(super) fn precision(run: &mut Run<'_>, _: &Claim) -> Checked {
    let sides = run.pick(&SIDES[..1], &SIDES);
    let rows = sides.iter().map(|&side| row(side));
    let rows: Vec<Row> = rows.collect::<Result<_, _>>()?;
    let mut found = Found::new();
    for (side, known) in INDEPENDENT {
        for row in rows.iter().filter(|row| row.side == side) {
            for (place, known) in known.into_iter().enumerate() {
                let ratio = row.residuals[place + 1] / known;
                let name = FORMATS[place + 1].0;
                let name =
                    format!("{name} on {side}²: residual relative to an independent program's");
                found = found.between(name, ratio, [1.0 / FACTOR, FACTOR]);
            }
        }
    }
    if let Some(Row { side, residuals }) = rows.last() {
        let name = times(format!("the residual of 32 bits, in 24 bits, rounded, on {side}²"));
        found = found.shows(name, residuals[2] / residuals[1]).headline("times the residual");
    }
    let caption = "Best true residual of conjugate gradients in each number format, relative to the right-hand side.";
    run.chart("precision", caption, &chart(&rows))?;
    let mut table = Table::new(caption, ["format", "cells per side", "best true residual"]);
    for row in &rows {
        for ((name, _), residual) in FORMATS.iter().zip(row.residuals) {
            table.point(name, row.side, [residual]);
        }
    }
    run.table("residuals", table);
    Ok(found.because("The rounding of the Radeon's chip was not verified: published measurements place it between the \
                      two."))
}

//! §6: conjugate gradients in 24 bits, the paper's "Achilles' heel".

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::experiment::{Record, Study, Takes};
use crate::kruger2003::precision::{FORMATS, SIDES, row};

/// Cells per side, and residuals of an independent program in 32 bits and in 24, rounded and truncated.
const INDEPENDENT: [(usize, [f64; 3]); 2] =
    [(64, [1.1e-4, 1.1e-2, 1.4e-2]), (256, [3.0e-3, 0.28, 0.31])];

/// Names of the formats, in their order.
const NAMES: [&str; FORMATS.len()] = ["double", "single", "rounded", "truncated", "half"];

/// The largest grid.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Largest {
    /// Number of cells along a side of the largest grid, of 64, 128 and 256
    #[schemars(range(min = 64, max = 256))]
    pub largest: usize,
}

impl Default for Largest {
    fn default() -> Self {
        Self { largest: 256 }
    }
}

/// Best residuals in the formats.
pub static PRECISION: Study = Study::measuring(
    "kruger2003/precision",
    "The best residual of conjugate gradients in each number format, by the interpreter",
    Takes::all::<Largest>(),
    &[
        ("sides", "", "cells per side of each grid"),
        (
            "{double|single|rounded|truncated|half}",
            "",
            "best true residual on each grid, relative to the right-hand side",
        ),
        (
            "independent.{single|rounded|truncated}",
            "",
            "the same relative to that of an independent program, on grids of 64² and 256²",
        ),
    ],
    |experiment, _| {
        let Largest { largest } = experiment.typed()?;
        let sides = SIDES.into_iter().filter(|side| *side <= largest);
        let rows = sides.map(row).collect::<Result<Vec<_>, _>>()?;
        let mut record = Record::new();
        record.each("sides", rows.iter().map(|row| row.side as f64));
        for (at, name) in NAMES.into_iter().enumerate() {
            record.each(name, rows.iter().map(|row| row.residuals[at]));
        }
        for (at, name) in NAMES[1..4].iter().enumerate() {
            let ratios = INDEPENDENT.iter().filter_map(|(side, known)| {
                let row = rows.iter().find(|row| row.side == *side)?;
                Some(row.residuals[at + 1] / known[at])
            });
            record.each(format!("independent.{name}"), ratios);
        }
        Ok(record)
    },
);

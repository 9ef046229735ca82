//! §4.3: the product's bytes on the paper's GPU, by numbering.

use crate::card::cache::{Sets, Shape};
use crate::experiment::{Record, Study, Takes};
use crate::geveler2011::Numbering;
use crate::geveler2011::solves::fem::{self, FEM};
use crate::geveler2011::traffic::{matrices, rates};
use crate::timing::rig::spread;

/// The GPU's texture cache as printed (§4.1), with lines of this number of bytes, which is not printed.
const fn cache(line: u32) -> Shape {
    Shape { bytes: 16 << 10, line, ways: 8, sets: Sets::Hashed }
}

/// Bytes per line of plausible caches.
const LINES: [u32; 3] = [32, 64, 128];

/// Rates by the bytes of a product.
pub static TRAFFIC: Study = Study::measuring(
    "geveler2011/traffic",
    "Rates of a product on CIRCLE if only its bytes take time, through a texture cache of 16 KB with 8 ways",
    Takes::of(&FEM, "paper", "element levels"),
    &[
        (
            "{rate|second}.{2lv|cm|xyz|sto|hie}.{32|64|128}",
            "MFlop/s",
            "by bytes per line, and with a second level of 256 KB",
        ),
        ("spread.{32|64|128}", "", "the fastest numbering relative to the slowest"),
    ],
    |experiment, _| {
        let (one, mut record): (fem::Settings, _) = (experiment.typed()?, Record::new());
        let mut alone = [[0.0; 5]; 3];
        for (at, matrix) in matrices(one.element, one.levels.into())?.enumerate() {
            let name = Numbering::ALL[at].name().to_lowercase();
            for (k, rates) in rates(&matrix, &LINES.map(cache)).into_iter().enumerate() {
                alone[k][at] = rates[0];
                record.one(format!("rate.{name}.{}", LINES[k]), 1e-6 * rates[0]);
                record.one(format!("second.{name}.{}", LINES[k]), 1e-6 * rates[1]);
            }
        }
        for (line, rates) in LINES.into_iter().zip(alone) {
            record.one(format!("spread.{line}"), spread(rates));
        }
        Ok(record)
    },
);

//! The listings and Appendix B: lengths of programs, and memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::batty2003::matrix::product_source;
use crate::batty2003::{Placement, Settings};
use crate::card::count::count;
use crate::experiment::{Record, Study, Takes};
use crate::stream::{Source, source};

const SUM: Source = source!(stream, "reduce");

/// Counts of the final configuration's product, and of SumReduce.
pub static PROGRAMS: Study = Study::measuring(
    "batty2003/programs",
    "The lengths of the product and of SumReduce, in the instructions of NV30",
    Takes::nothing(),
    &[
        ("{product|sum}.instructions", "", "all instructions"),
        ("{product|sum}.kinds", "", "their number by kind"),
        ("{product|sum}.registers", "", "registers of 32 bits"),
    ],
    |_, _| {
        let product = product_source(&Settings::paper_2003()).assemble(&[]);
        let sum = SUM.assemble(&[("COMBINE(a, b)", "((a) + (b))")]);
        let mut record = Record::new();
        for (name, text) in [("product", product), ("sum", sum)] {
            let count = count(&text)?;
            let kinds = count.by_kind.iter().map(|(kind, n)| format!("{n} {kind}"));
            record.one(format!("{name}.instructions"), f64::from(count.instructions));
            record.text(format!("{name}.kinds"), kinds.collect::<Vec<_>>().join(", "));
            record.one(format!("{name}.registers"), f64::from(count.registers));
        }
        Ok(record)
    },
);

/// Number of cells along a side of a box.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Cells {
    /// Number of cells along a side of the box
    #[schemars(range(min = 4, max = 320))]
    pub size: u16,
}

impl Default for Cells {
    fn default() -> Self {
        Self { size: 100 }
    }
}

/// Bytes of a matrix.
pub static MEMORY: Study = Study::measuring(
    "batty2003/memory",
    "The memory of a matrix of seven diagonals",
    Takes::all::<Cells>(),
    &[("bytes", "", "of the seven textures")],
    |experiment, place| {
        let Cells { size } = experiment.typed()?;
        let size = [usize::from(size); 3];
        let layout = Placement::new(place.machine, size, &Settings::paper_2003())?.layout();
        let mut record = Record::new();
        record.one("bytes", (7 * layout.capacity() * size_of::<f32>()) as f64);
        Ok(record)
    },
);

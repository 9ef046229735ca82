//! Table 1: instructions and registers of the four kernels.

use crate::card::count::{count, count_vertex};
use crate::experiment::{Record, Study, Takes};
use crate::goodnight2003::multigrid::programs::Library;
use crate::goodnight2003::solves::{HEAT, heat};

/// The programs of the kernels.
pub static KERNELS: Study = Study::measuring(
    "goodnight2003/kernels",
    "Instructions and registers of smooth, residual, restrict and interpolate",
    Takes::of(&HEAT, "paper", "programs red_black_map smoother"),
    &[
        (
            "{smooth|residual|restrict|interpolate}.{instructions|registers}",
            "",
            "of the fragment program, registers of 32-bit numbers",
        ),
        (
            "{smooth|residual|restrict|interpolate}.vertex.{instructions|registers}",
            "",
            "of the vertex program",
        ),
        ("{instructions|registers}", "", "of the four fragment programs together"),
    ],
    |experiment, place| {
        let settings: heat::Settings = experiment.typed()?;
        let settings = settings.method.settings();
        let (library, version) = (Library::new(place.machine, &settings), settings.programs);
        let kernels = [
            ("smooth", library.smooth(version)?),
            ("residual", library.residual(version)?),
            ("restrict", library.restrict(version, true)?),
            ("interpolate", library.interpolate(version, true)?),
        ];
        let (mut record, mut together) = (Record::new(), [0, 0]);
        for (name, kernel) in kernels {
            let fragment = count(&kernel.text().fragment)?;
            let vertex = count_vertex(&kernel.text().vertex)?;
            for (part, count) in [(name.to_owned(), &fragment), (format!("{name}.vertex"), &vertex)]
            {
                record.one(format!("{part}.instructions"), count.instructions);
                record.one(format!("{part}.registers"), count.registers);
            }
            together = [together[0] + fragment.instructions, together[1] + fragment.registers];
        }
        record.one("instructions", together[0]);
        record.one("registers", together[1]);
        Ok(record)
    },
);

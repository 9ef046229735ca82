//! Table 1: instructions and registers of the four kernels.

use crate::card::count::{Count, count, count_vertex};
use crate::claim::{BoxedError, Checked, Claim, Printed, Run, Versus};
use crate::experiment::{Record, Study, Takes};
use crate::goodnight2003::multigrid::programs::Library;
use crate::goodnight2003::solves::{HEAT, heat};
use crate::timing::cost::all;

const TABLE_1: Versus<4, 3> = Versus {
    caption: "Table 1: instructions of the kernels.",
    rows: ["smooth", "residual", "restrict", "interpolate"],
    columns: ["original", "optimised", "vertex program"],
    paper: [[79.0, 20.0, 12.0], [45.0, 16.0, 11.0], [66.0, 21.0, 11.0], [93.0, 25.0, 13.0]],
};
/// For the fragment programs, registers of 32-bit numbers.
const REGISTERS_1: Versus<4, 3> = Versus {
    caption: "Table 1: registers of the kernels.",
    paper: [[6.0, 4.0, 2.0], [7.0, 4.0, 1.0], [6.0, 3.0, 1.0], [6.0, 3.0, 2.0]],
    ..TABLE_1
};
pub(super) const INSTRUCTIONS: Printed = Printed::Ratios(&const { TABLE_1.ratios(0, 1) });
pub(super) const REGISTERS: Printed = Printed::Ratios(&const { REGISTERS_1.ratios(0, 1) });

pub(super) fn instructions(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let here = counted(run, claim, "instructions")?;
    let name = "the instructions in the original";
    Ok(TABLE_1.compared(run, "table1", here, (name, 0, 1)).because(
        "The lengths depend on the author of a program and, for the paper's, on the Cg compiler.",
    ))
}

pub(super) fn registers(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let here = counted(run, claim, "registers")?;
    let found = REGISTERS_1.compared(
        run,
        "table1-registers",
        here,
        ("the registers in the original", 0, 1),
    );
    let [[original, optimised], [printed, others]] = [here, REGISTERS_1.paper]
        .map(|table| [0, 1].map(|column| table.iter().map(|row| row[column]).sum::<f64>()));
    Ok(found.because(format!(
        "Values share registers here, which saves most in the original programs. All four take {original} registers here \
         instead of {printed}, and the optimised ones {optimised} instead of {others}."
    )))
}

/// The programs of the kernels.
pub static KERNELS: Study = Study::measuring(
    "goodnight2003/kernels",
    "Instructions and registers of smooth, residual, restrict and interpolate",
    Takes::of(&HEAT, "paper", "programs red_black_map smoother"),
    &[
        ("instructions", "", "of the fragment programs"),
        ("registers", "", "of the fragment programs, of 32-bit numbers"),
        ("vertex.instructions", "", "of the vertex programs"),
        ("vertex.registers", "", "of the vertex programs"),
    ],
    |experiment, place| {
        let settings: heat::Settings = experiment.typed()?;
        let settings = settings.method.settings();
        let (library, version) = (Library::new(place.machine, &settings), settings.programs);
        let kernels = all([
            library.smooth(version),
            library.residual(version),
            library.restrict(version, true),
            library.interpolate(version, true),
        ])?;
        let fragment = all(kernels.each_ref().map(|kernel| count(&kernel.text().fragment)))?;
        let vertex = all(kernels.each_ref().map(|kernel| count_vertex(&kernel.text().vertex)))?;
        let mut record = Record::new();
        for (part, counts) in [("", fragment), ("vertex.", vertex)] {
            let each = |of: fn(&Count) -> u32| counts.each_ref().map(|one| f64::from(of(one)));
            record.each(format!("{part}instructions"), each(|count| count.instructions));
            record.each(format!("{part}registers"), each(|count| count.registers));
        }
        Ok(record)
    },
);

/// A count of the original, the optimised and the vertex programs, in the cells of the paper's table.
fn counted(run: &mut Run<'_>, claim: &Claim, what: &str) -> Result<[[f64; 3]; 4], BoxedError> {
    let [original, optimised] = run.records(claim)?;
    let vertex = format!("vertex.{what}");
    let columns = all([original.all(what), optimised.all(what), optimised.all(&vertex)])?;
    Ok([0, 1, 2, 3].map(|row| columns.map(|column| column[row])))
}

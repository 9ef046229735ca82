//! Table 1: instructions and registers of the four kernels.

use std::sync::Arc;

use crate::card::count::{Count, count, count_vertex};
use crate::claim::{BoxedError, Checked, Claim, Printed, Run, Versus};
use crate::goodnight2003::multigrid::programs::Library;
use crate::goodnight2003::solves::heat;
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
    let here = counted(run, claim)?.map(|row| row.map(|count| f64::from(count[0])));
    let name = "the instructions in the original";
    Ok(TABLE_1.compared(run, "table1", here, (name, 0, 1)).because(
        "The lengths depend on the author of a program and, for the paper's, on the Cg compiler.",
    ))
}

pub(super) fn registers(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let here = counted(run, claim)?.map(|row| row.map(|count| f64::from(count[1])));
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

/// Instructions and registers of fragstream's programs, in the cells of the paper's table.
fn counted(run: &mut Run<'_>, claim: &Claim) -> Result<[[[u32; 2]; 3]; 4], BoxedError> {
    let each = run.each::<heat::Settings, 2>(claim)?;
    let kernels = |settings: heat::Settings| {
        let settings = settings.method.settings();
        let (library, version) = (Library::new(run.machine, &settings), settings.programs);
        all([
            library.smooth(version),
            library.residual(version),
            library.restrict(version, true),
            library.interpolate(version, true),
        ])
    };
    let [original, optimised] = all(each.map(kernels))?;
    let cell = |count: Arc<Count>| [count.instructions, count.registers];
    Ok(all([0, 1, 2, 3].map(|row| {
        let (original, optimised) = (original[row].text(), optimised[row].text());
        all([
            count(&original.fragment).map(cell),
            count(&optimised.fragment).map(cell),
            count_vertex(&optimised.vertex).map(cell),
        ])
    }))?)
}

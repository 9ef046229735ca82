//! Table 1: instructions and registers of the four kernels.

use crate::card::count::count;
use crate::claim::{BoxedError, Checked, Claim, Found, Printed, Run, Table};
use crate::goodnight2003::multigrid::programs::Library;
use crate::goodnight2003::{Programs, Settings};

/// Instructions and temporary registers of a program; for the paper's fragment programs, the registers of
/// 32-bit numbers.
type Length = [u32; 2];

/// A row of the table: the lengths of the original program, the optimised one, and its vertex program.
type Row = (&'static str, [Length; 3]);

/// The paper's table.
const PAPER: [Row; 4] = [
    ("smooth", [[79, 6], [20, 4], [12, 2]]),
    ("residual", [[45, 7], [16, 4], [11, 1]]),
    ("restrict", [[66, 6], [21, 3], [11, 1]]),
    ("interpolate", [[93, 6], [25, 3], [13, 2]]),
];

const QUANTITIES: [&str; 2] = ["instructions", "registers"];

/// The original program's instructions or registers relative to the optimised one's.
const fn gain((name, [original, optimised, _]): Row, quantity: usize) -> (&'static str, f64) {
    (name, original[quantity] as f64 / optimised[quantity] as f64)
}

const fn gains(quantity: usize) -> [(&'static str, f64); 4] {
    let [smooth, residual, restrict, interpolate] = PAPER;
    [
        gain(smooth, quantity),
        gain(residual, quantity),
        gain(restrict, quantity),
        gain(interpolate, quantity),
    ]
}

pub(super) const INSTRUCTIONS: Printed = Printed::Ratios(&const { gains(0) });
pub(super) const REGISTERS: Printed = Printed::Ratios(&const { gains(1) });

pub(super) fn instructions(run: &mut Run<'_>, _: &Claim) -> Checked {
    let found = compared(run, "table1", 0)?;
    Ok(found.because(
        "The lengths depend on the author of a program and, for the paper's, on the Cg compiler.",
    ))
}

pub(super) fn registers(run: &mut Run<'_>, _: &Claim) -> Checked {
    let found = compared(run, "table1-registers", 1)?;
    Ok(found.because("Values share registers here, which saves most in the original programs."))
}

fn compared(run: &mut Run<'_>, name: &str, quantity: usize) -> Checked {
    let rows = run.once(counted)?;
    let what = QUANTITIES[quantity];
    let programs = ["original", "optimised", "vertex program"];
    let heads = ["kernel".to_owned()]
        .into_iter()
        .chain((programs.iter()).flat_map(|p| [format!("{p}, paper"), format!("{p}, here")]));
    let mut table = Table::new(format!("Table 1: {what} of the kernels."), heads);
    let mut found = Found::new();
    for (&(kernel, here), (_, paper)) in rows.iter().zip(PAPER) {
        let pairs = (0..programs.len()).flat_map(|k| [paper[k], here[k]]);
        let numbers = pairs.map(|length| f64::from(length[quantity]).into());
        table.push([kernel.into()].into_iter().chain(numbers));
        let name = format!("times the {what} in the original {kernel}");
        found = found.ratio(name, gain((kernel, here), quantity).1);
    }
    run.table(name, table);
    Ok(found.each("times"))
}

/// The table of fragstream's programs.
fn counted(run: &mut Run<'_>) -> Result<[Row; 4], BoxedError> {
    let program = |kernel, version| {
        // The map of colours is one of the later optimisations.
        let settings =
            Settings { red_black_map: version != Programs::Original, ..Settings::paper_2003() };
        let library = Library::new(run.machine, &settings);
        match kernel {
            "smooth" => library.smooth(version),
            "residual" => library.residual(version),
            "restrict" => library.restrict(version, true),
            _ => library.interpolate(version, true),
        }
    };
    let length = |text: &str| -> Result<Length, BoxedError> {
        let count = count(text)?;
        Ok([count.instructions, count.registers])
    };
    let mut rows = PAPER;
    for (kernel, lengths) in &mut rows {
        let original = program(kernel, Programs::Original)?;
        let optimised = program(kernel, Programs::Fastpath)?;
        let optimised = optimised.text();
        *lengths = [
            length(&original.text().fragment)?,
            length(&optimised.fragment)?,
            length(&optimised.vertex)?,
        ];
    }
    Ok(rows)
}

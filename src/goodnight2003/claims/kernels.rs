//! Table 1: instructions and registers of the four kernels.

use crate::card::count::count;
use crate::claim::{BoxedError, Checked, Claim, Found, Printed, Run, Table};
use crate::goodnight2003::multigrid::programs::Library;
use crate::goodnight2003::{Programs, Settings};

/// Instructions and temporary registers of a program; of the paper's fragment programs the registers of
/// 32-bit numbers.
type Length = [u32; 2];

/// A row of the table: the original program, the optimised one, and its vertex program.
#[derive(Clone, Copy)]
struct Kernel {
    name: &'static str,
    original: Length,
    optimised: Length,
    vertex: Length,
}

impl Kernel {
    const fn new(name: &'static str, original: Length, optimised: Length, vertex: Length) -> Self {
        Self {
            name,
            original,
            optimised,
            vertex,
        }
    }

    /// The original's instructions or registers by the optimised program's.
    const fn gain(&self, what: usize) -> f64 {
        self.original[what] as f64 / self.optimised[what] as f64
    }
}

/// The paper's table.
const PAPER: [Kernel; 4] = [
    Kernel::new("smooth", [79, 6], [20, 4], [12, 2]),
    Kernel::new("residual", [45, 7], [16, 4], [11, 1]),
    Kernel::new("restrict", [66, 6], [21, 3], [11, 1]),
    Kernel::new("interpolate", [93, 6], [25, 3], [13, 2]),
];

const INSTRUCTIONS: usize = 0;
const REGISTERS: usize = 1;

const fn gains(what: usize) -> [(&'static str, f64); 4] {
    let [smooth, residual, restrict, interpolate] = &PAPER;
    [
        (smooth.name, smooth.gain(what)),
        (residual.name, residual.gain(what)),
        (restrict.name, restrict.gain(what)),
        (interpolate.name, interpolate.gain(what)),
    ]
}

pub(super) const FEWER_INSTRUCTIONS: Printed = Printed::Ratios(&const { gains(INSTRUCTIONS) });
pub(super) const FEWER_REGISTERS: Printed = Printed::Ratios(&const { gains(REGISTERS) });

pub(super) fn instructions(run: &mut Run<'_>, _: &Claim) -> Checked {
    let found = compared(run, ["table1", "instructions"], INSTRUCTIONS)?;
    Ok(found.because(
        "Both lengths depend on who writes the programs, and the paper's on the compiler of Cg.",
    ))
}

pub(super) fn registers(run: &mut Run<'_>, _: &Claim) -> Checked {
    let found = compared(run, ["table1-registers", "registers"], REGISTERS)?;
    Ok(found.because(
        "Registers are shared between values here wherever an order of the instructions allows it, which saves \
         most in the original programs.",
    ))
}

fn compared(run: &mut Run<'_>, [table, unit]: [&str; 2], what: usize) -> Checked {
    let kernels = run.once(counted)?;
    let columns = ["original", "optimised", "vertex program"];
    let columns = columns.iter().flat_map(|program| {
        let whose = |who: &str| format!("{program}, {who} ({unit})");
        [whose("paper"), whose("here")]
    });
    let caption = format!("Table 1: {unit} of the original and the optimised programs.");
    let mut rows = Table::new(caption, ["kernel".to_owned()].into_iter().chain(columns));
    let mut found = Found::new();
    for (here, paper) in kernels.iter().zip(&PAPER) {
        let lengths = |of: fn(&Kernel) -> Length| [of(paper)[what], of(here)[what]];
        let cells = [
            lengths(|k| k.original),
            lengths(|k| k.optimised),
            lengths(|k| k.vertex),
        ];
        let numbers = cells
            .as_flattened()
            .iter()
            .map(|&length| f64::from(length).into());
        rows.push([here.name.into()].into_iter().chain(numbers));
        let name = format!("times the {unit} in the original {} program", here.name);
        found = found.ratio(name, here.gain(what));
    }
    run.table(table, rows);
    Ok(found)
}

/// The table of fragstream's programs.
fn counted(run: &mut Run<'_>) -> Result<[Kernel; 4], BoxedError> {
    let kernel = |name, version| {
        // Colours are stored in a map since one of the later optimisations.
        let settings = Settings {
            red_black_map: version != Programs::Original,
            ..Settings::paper_2003()
        };
        let library = Library::new(run.machine, &settings);
        match name {
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
    let mut kernels = PAPER;
    for counted in &mut kernels {
        let original = kernel(counted.name, Programs::Original)?;
        let optimised = kernel(counted.name, Programs::Fastpath)?;
        counted.original = length(&original.text().fragment)?;
        counted.optimised = length(&optimised.text().fragment)?;
        counted.vertex = length(&optimised.text().vertex)?;
    }
    Ok(kernels)
}

//! The programs as Mesa's compilers for NV30 and R300 make them: machine code by others. figures/mesa/README.md says how it was
//! made, and explains the differences.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::base::table::read_csv;

/// Counts of the machine code: figures/mesa/22.3.6.csv, by the version of Mesa.
const TABLE: &str = include_str!("../../figures/mesa/22.3.6.csv");

/// A program in machine code.
#[derive(Debug)]
pub struct Compiled {
    /// Cells of the table by the heads of their columns, as in `NV30 fetches`.
    cells: BTreeMap<String, String>,
}

/// The words of a program's name in any order: parts are named by their paths or without.
fn key(name: &str) -> BTreeSet<String> {
    let words = name.split_whitespace().filter(|&word| word != "with").enumerate();
    let words = words.map(|(at, word)| match word.trim_end_matches(',') {
        part if at > 0 && !part.contains('=') => part.rsplit('/').next().unwrap_or(part),
        word => word,
    });
    words.map(str::to_owned).collect()
}

/// The machine code of a program of `glsl/`, by its name with parts and defines; none if it was not compiled.
pub fn compiled(program: &str) -> Option<&'static Compiled> {
    static ALL: LazyLock<BTreeMap<BTreeSet<String>, Compiled>> = LazyLock::new(|| {
        let rows = read_csv(TABLE);
        let (head, rows) = rows.split_first().expect("a head");
        let cells = |row: &Vec<String>| head.iter().cloned().zip(row.iter().cloned()).collect();
        rows.iter().map(|row| (key(&row[0]), Compiled { cells: cells(row) })).collect()
    });
    ALL.get(&key(program))
}

impl Compiled {
    fn cell(&self, card: &str, quantity: &str) -> &str {
        self.cells.get(&format!("{card} {quantity}")).map_or("", |cell| cell)
    }

    /// Least and largest number of instructions, fetches, registers or nodes for a card. The compiler for NV30 moves more
    /// than it has to: the least number of instructions is that without moves.
    pub fn count(&self, card: &str, quantity: &str) -> Option<[f64; 2]> {
        let number = |quantity: &str| self.cell(card, quantity).parse::<f64>().ok();
        Some(match (card, quantity) {
            ("NV30", "instructions") => {
                let all = number("instructions")?;
                [all - number("moves")?, all]
            }
            ("R300", "instructions") => [number("arithmetic")? + number("fetches")?; 2],
            _ => [number(quantity)?; 2],
        })
    }

    /// Number of instructions by kind on NV30 without moves, as in `7 ADD, 14 TEX`.
    pub fn kinds(&self) -> &str {
        self.cell("NV30", "kinds")
    }
}

/// Whether a program fits R300, by its compiler, or the reason why it does not; none if it was not compiled.
pub fn on_r300(program: &str) -> Option<Result<(), &'static str>> {
    let compiled = compiled(program)?;
    match compiled.cell("R300", "refusal") {
        "" => compiled.count("R300", "instructions").map(|_| Ok(())),
        refusal => Some(Err(refusal)),
    }
}

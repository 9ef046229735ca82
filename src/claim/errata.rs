//! Errata: printed formulas that cannot be meant, run as printed and as corrected.

use super::Table;
use super::found::Found;
use super::run::Run;

/// A printed formula and its correction, compared by a number that is small if a formula is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Erratum {
    /// Name of the number, as in `error of Gauss–Seidel`.
    pub number: &'static str,
    /// The printed formula and the corrected one.
    pub formulas: [&'static str; 2],
    /// The number by each of them.
    pub measured: [f64; 2],
    /// Smallest number of the printed formula and largest number of the corrected one, from mathematics.
    pub bounds: [f64; 2],
}

impl Run<'_> {
    /// Shows errata as a table with this name. The printed formula's number has to reach its bound, and the corrected one's
    /// may not exceed its own.
    pub fn errata(&mut self, name: &str, errata: &[Erratum]) -> Found {
        let mut table = Table::new(
            "Printed formulas that cannot be meant, and their corrections: a number of each, and its bound.",
            [
                "number",
                "printed formula",
                "its number",
                "at least",
                "corrected formula",
                "its number",
                "at most",
            ],
        );
        let is_one = |erratum: &&Erratum| {
            let ([printed, corrected], [least, most]) = (erratum.measured, erratum.bounds);
            printed >= least && corrected <= most
        };
        let count = errata.iter().filter(is_one).count();
        let mut found =
            Found::new().shows("formulas", count as f64).headline("right only as corrected");
        for erratum in errata {
            let ([printed, corrected], [least, most]) = (erratum.measured, erratum.bounds);
            let [as_printed, as_corrected] = erratum.formulas;
            table.push([
                erratum.number.into(),
                as_printed.into(),
                printed.into(),
                least.into(),
                as_corrected.into(),
                corrected.into(),
                most.into(),
            ]);
            found = found
                .at_least(format!("{}, as printed", erratum.number), printed, least)
                .at_most(format!("{}, corrected", erratum.number), corrected, most);
        }
        self.table(name, table);
        found
    }
}

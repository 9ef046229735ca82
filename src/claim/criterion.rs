//! Hash of what a row demands. A changed criterion begins a history of its own.

use std::rc::Rc;

use super::{BoxedError, Claim, Class, Printed};
use crate::stream::ProgramText;

/// Hash of a row: statement, class, number and the range in which it is reproduced, basis, device, and the words and sizes of
/// its experiments in full mode.
pub fn of_row(claim: &Claim) -> Result<String, BoxedError> {
    let ranges: Vec<_> = claim.paper.each().iter().map(|one| one.range()).collect();
    let Claim { says: statement, class, paper, judged_on, needs, .. } = claim;
    // The zero keeps the hashes of stored results.
    let mut text = format!("{statement} {class} {paper:?} {ranges:?} 0 {judged_on:?} {needs:?}");
    let is_ratio = |one: &Printed| matches!(one, Printed::Ratio(_));
    let is_count = matches!(claim.class, Class::Count | Class::Consistency);
    if is_count && paper.each().iter().any(is_ratio) {
        text += " by rounding";
    }
    for experiment in claim.experiments(false, &[])? {
        let size = experiment.settings().get("size").map(ToString::to_string);
        text += &format!(" {experiment} {}", size.unwrap_or_default());
    }
    Ok(hash(&text))
}

/// Hash of the texts of programs.
pub fn of_programs(programs: &[Rc<ProgramText>]) -> String {
    hash(&programs.iter().map(|program| &*program.fragment).collect::<String>())
}

/// Eight digits for a text.
fn hash(text: &str) -> String {
    // FNV-1a of 32 bits.
    let hash = text
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{hash:08x}")
}

#[cfg(test)]
mod tests {
    use super::super::JudgedOn;
    use super::*;

    #[test]
    fn a_criterion_is_what_the_row_demands() {
        let row = Claim::of("shape", "value.a = \"times as long: 2 = 2\"");
        let hash = |row: &Claim| of_row(row).unwrap();
        assert_eq!(hash(&row), hash(&Claim { id: "b", ..row }));
        for other in [
            Claim { says: "It is slower.", ..row },
            Claim { paper: Printed::Ratio(2.1), ..row },
            Claim { judged_on: JudgedOn::Count, ..row },
        ] {
            assert_ne!(hash(&row), hash(&other));
        }
    }
}

//! Hash of what a row demands. A changed criterion begins a history of its own.

use std::rc::Rc;

use super::found::{Bound, Value};
use super::{BoxedError, Claim, Class, Printed};
use crate::stream::ProgramText;
use crate::timing::interval::short;

/// Hash of a row before any run: statement, class, number and the range in which it is reproduced, basis, device, and the
/// words and sizes of its experiments in full mode.
pub fn of_row(claim: &Claim) -> Result<String, BoxedError> {
    let ranges: Vec<_> = claim.paper.each().iter().map(|one| one.range()).collect();
    let Claim { says: statement, class, paper, within, judged_on, needs, .. } = claim;
    let mut text =
        format!("{statement} {class} {paper:?} {ranges:?} {within} {judged_on:?} {needs:?}");
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

/// Hash of the quantities that a check compares, and of their bounds. A bound with more than three digits is computed by
/// the check, and does not count. Values by other compilers are of the same quantities.
pub fn of_values(values: &[Value]) -> String {
    let is_own = |value: &&Value| value.bound != Bound::None && value.compiler.is_empty();
    let judged = values.iter().filter(is_own);
    let text = judged.map(|value| {
        let (kind, numbers) = match value.bound {
            Bound::None | Bound::Printed => ("printed", vec![]),
            Bound::Is(_) => ("is", vec![]),
            Bound::Equal(one) => ("equal", vec![one]),
            Bound::AtMost(one) => ("at most", vec![one]),
            Bound::AtLeast(one) => ("at least", vec![one]),
            Bound::Between(least, most) => ("between", vec![least, most]),
            Bound::Curve(one) => ("curve", vec![one]),
        };
        let is_written = |number: &f64| short(*number).parse() == Ok(*number);
        let numbers: Vec<f64> = numbers.into_iter().filter(is_written).collect();
        format!("{} {} {kind} {numbers:?};", value.name, value.unit)
    });
    hash(&text.collect::<String>())
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
    use super::super::{Found, shape};
    use super::*;

    #[test]
    fn a_criterion_is_the_row_s_and_that_of_what_is_compared() {
        let row = shape("a", "", "It is faster.", Printed::Ratio(2.0), |_, _| Err("".into()));
        let hash = |row: &Claim| of_row(row).unwrap();
        assert_eq!(hash(&row), hash(&Claim { id: "b", ..row }));
        for other in [
            Claim { says: "It is slower.", ..row },
            Claim { paper: Printed::Ratio(2.1), ..row },
            row.judged_on(super::super::JudgedOn::Count),
        ] {
            assert_ne!(hash(&row), hash(&other));
        }
        let found =
            |most: f64, value: f64| of_values(&Found::new().at_most("a", value, most).values);
        assert_eq!(found(2.0, 1.0), found(2.0, 1.5));
        assert_ne!(found(2.0, 1.0), found(1.5, 1.0));
        assert_eq!(found(1.2345e-6, 1.0), found(1.3456e-6, 1.0));
    }
}

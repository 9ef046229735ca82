//! Every program of this project keeps the rules of 2003, or declares an exception with a reason.

use fragstream::card::dialect::check;

use crate::card::programs::files;

#[test]
fn all_programs_keep_the_era_s_rules() {
    let violations: Vec<String> = files()
        .iter()
        .filter_map(|(name, source)| check(name, source).err())
        .flatten()
        .map(|violation| violation.to_string())
        .collect();
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

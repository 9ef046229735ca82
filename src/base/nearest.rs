//! Suggestions for misspelt names.

use std::cmp::Reverse;

use strsim::levenshtein;

/// Bytes of a name that is looked for within others.
const SHORTEST: usize = 3;

/// Returns the names closest to `name`, nearest first, at most three: those that begin with it or contain it,
/// and those that differ by few letters, preferably the last ones.
pub fn nearest<'a>(name: &str, names: &[&'a str]) -> Vec<&'a str> {
    let common = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let mut ranked: Vec<(usize, Reverse<usize>, &str)> = names
        .iter()
        .filter_map(|&other| Some((cost(name, other)?, Reverse(common(other)), other)))
        .collect();
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().take(3).map(|(.., name)| name).collect()
}

/// A question at the beginning of a message, if there is a close name.
pub fn suggestion(name: &str, names: &[&str]) -> String {
    let near = nearest(name, names);
    near.first().map_or_else(String::new, |near| format!("did you mean {near}? "))
}

/// Distance of a candidate that is close; names are also compared without the paper in front of the slash.
fn cost(name: &str, candidate: &str) -> Option<usize> {
    let tail = candidate.rsplit('/').next().unwrap_or(candidate);
    let begins = !name.is_empty() && [candidate, tail].iter().any(|one| one.starts_with(name));
    if begins || (name.len() >= SHORTEST && candidate.contains(name)) {
        return Some(0);
    }
    let slips = |one: &str| Some(levenshtein(name, one)).filter(|&slips| slips <= one.len() / 3);
    [candidate, tail].into_iter().filter_map(slips).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_a_part_and_a_claim_without_its_paper_are_understood() {
        let names = ["bolz2003", "bolz2003/rectangle", "kruger2003/ops"];
        assert_eq!(nearest("bolz2033", &names), ["bolz2003"]);
        assert_eq!(nearest("rectangel", &names), ["bolz2003/rectangle"]);
        assert_eq!(nearest("kruger", &names), ["kruger2003/ops"]);
        assert!(nearest("something else", &names).is_empty());
        // A long path does not make a short name closer, nor does one letter.
        let programs = ["batty2003/dots/smooth", "goodnight2003/multigrid/smooth"];
        assert!(["nosuch", "m"].iter().all(|name| nearest(name, &programs).is_empty()));
        assert_eq!(nearest("smoth", &programs), programs);
    }
}

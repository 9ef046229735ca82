//! What a misspelt name may have meant.

/// The names closest to `name`, nearest first, three at most: those that begin with it or contain
/// it, and those that few changes of letters lead to.
pub fn nearest<'a>(name: &str, names: &[&'a str]) -> Vec<&'a str> {
    let mut ranked: Vec<(usize, &str)> = names
        .iter()
        .map(|&candidate| (cost(name, candidate), candidate))
        .filter(|&(cost, candidate)| cost <= candidate.len() / 3)
        .collect();
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How far a candidate is; names are also compared without the paper in front of the slash.
fn cost(name: &str, candidate: &str) -> usize {
    if !name.is_empty() && candidate.contains(name) {
        return 0;
    }
    let tail = candidate.rsplit('/').next().unwrap_or(candidate);
    edits(name, candidate).min(edits(name, tail))
}

/// Levenshtein's distance: insertions, deletions and replacements of letters.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_as_levenshtein_does() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("same", "same"), 0);
    }

    #[test]
    fn a_slip_a_part_and_a_claim_without_its_paper_are_understood() {
        let names = ["bolz2003", "bolz2003/rectangle", "kruger2003/ops"];
        assert_eq!(nearest("bolz2033", &names), ["bolz2003"]);
        assert_eq!(nearest("rectangel", &names), ["bolz2003/rectangle"]);
        assert_eq!(nearest("kruger", &names), ["kruger2003/ops"]);
        assert!(nearest("something else", &names).is_empty());
    }
}

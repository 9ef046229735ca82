//! The page of the advice that aged, as it is committed.

use std::collections::BTreeSet;
use std::fs;

use fragstream::aged::{FOLDERS, FORMULAS, Machine, sentences};
use sha2::{Digest, Sha256};

use crate::claim::readme::root;

/// SHA-256 of the classification: mechanisms of all sentences, by counts, by words and by the second rater. It is not to
/// change after the values were seen.
const REGISTERED: &str = "149aed7467f82f6d2296a466cb9de2b645af6eb0de5b42910ab9e2e3cbf1b427";

/// Parts of other sentences, which no test counts, at sizes that were chosen after the values were seen.
const LATER: [&str; 3] = ["cohl", "tex1l", "rejl"];

#[test]
fn the_classification_is_the_registered_one() {
    let mut hash = Sha256::new();
    for one in sentences().into_iter().filter(|one| !LATER.contains(&one.key)) {
        let all = (one.key, one.mechanism, one.by_words, one.second, one.statement);
        hash.update(format!("{all:?}\n"));
    }
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, REGISTERED);
}

#[test]
fn the_formulas_are_those_that_were_frozen_before_the_next_card() {
    let text = fs::read_to_string(root().join("src/aged/expected.rs")).unwrap();
    let (_, formulas) = text.split_once("    pub fn expected(").unwrap();
    let (formulas, _) = formulas.split_once("#[cfg(test)]").unwrap();
    let hash = Sha256::digest(formulas.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        hash, FORMULAS,
        "a formula changed: a prediction that is made after the values is none"
    );
}

/// Cells of the machines in a line of the page's tests.
fn tested(line: &str) -> Vec<String> {
    let page = fs::read_to_string(root().join("figures/aged/README.md")).unwrap();
    let found = page.lines().find(|text| text.starts_with(&format!("| {line}")));
    let cells = found.unwrap_or_else(|| panic!("no line {line}"));
    cells.trim_end_matches(" |").split(" | ").skip(1).map(str::to_owned).collect()
}

#[test]
fn what_the_page_says_about_its_tests_is_in_them() {
    let one_sided = |cell: &str| -> f64 {
        cell.split("; ").nth(1).unwrap().split(", ").next().unwrap().parse().unwrap()
    };
    let registered = tested("**as registered**");
    let [.., before, last] = &registered[..] else { panic!("{registered:?}") };
    // The second rater can change nothing on the two GPUs.
    let second = tested("mechanism by the second rater");
    assert_eq!(second[1..], [before.clone(), last.clone()]);
    // The size of an effect explains as much as its mechanism.
    let sizes = tested("effects of 1.5 and more");
    for (size, mechanism) in sizes.iter().zip(&registered) {
        assert!(one_sided(size) <= one_sided(mechanism), "{size} {mechanism}");
    }
    // No variation with one vote is significant.
    assert!(tested("one vote per call").iter().all(|cell| one_sided(cell) > 0.05));
}

#[test]
fn the_articles_pdf_was_made_from_its_page() {
    let folder = root().join("figures/article");
    let [page, pdf] = ["README.md", "article.pdf"].map(|file| fs::read(folder.join(file)).unwrap());
    let hash = Sha256::digest(&page);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let is_in = pdf.windows(hash.len()).any(|part| part == hash.as_bytes());
    assert!(is_in, "python3 figures/article/build.py makes it again");
}

#[test]
fn every_sentence_with_a_row_has_a_value_in_a_report() {
    let read = |folder| Machine::read(&root().join(folder)).unwrap();
    let machines = FOLDERS.map(read);
    let mut keys = BTreeSet::new();
    for one in sentences() {
        assert!(keys.insert(one.key), "{} is there twice", one.key);
        let is_found = machines.iter().any(|machine| one.measured(&machine.report).is_some());
        assert_eq!(is_found, !one.row.is_empty(), "{}", one.key);
    }
}

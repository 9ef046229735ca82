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

/// The parts, too, which are put in front of programs.
#[test]
fn all_texts_of_a_paper_name_its_section_or_say_that_they_are_not_in_it() {
    let papers = ["bolz2003", "kruger2003", "goodnight2003", "batty2003", "geveler2011"];
    let is_of_paper = |name: &str| papers.iter().any(|paper| name.contains(&format!("/{paper}/")));
    let without = files().iter().filter(|(name, text)| {
        let head = text.lines().map_while(|line| line.strip_prefix("//"));
        let head = head.map(str::trim).collect::<Vec<_>>().join(" ");
        let words = ["section", "Section", "Appendix", "Fig.", "colorplate", "not in"];
        is_of_paper(name) && !words.iter().any(|word| head.contains(word))
    });
    let without: Vec<&str> = without.map(|(name, _)| name.as_str()).collect();
    assert!(without.is_empty(), "{}", without.join("\n"));
}

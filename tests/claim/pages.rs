//! The pages have what follows from `figures/report.json`, and the report has the claims as they are made.
//!
//! A run of all claims or of some is taken over, in a clone of the project, by
//!
//! ```text
//! fragstream reproduce [PAPER|ID…] --out figures
//! fragstream reproduce --pages
//! ```
//!
//! The first command stores the results, figures and tables next to those of earlier runs, the second writes the pages.

use std::fs;

use fragstream::claim::report::json::Entry;
use fragstream::papers::PAPERS;
use fragstream::papers::pages::{pages, report};

use crate::claim::readme::{below_root, root};

const HOW: &str = "run `fragstream reproduce --pages`";
const TAKE_OVER: &str = "take a run of it over, as tests/claim/pages.rs describes";

/// The names of all claims, in the papers' order.
pub fn ids() -> Vec<String> {
    let of = |paper: &'static fragstream::claim::Paper| {
        paper.claims.iter().map(|claim| format!("{}/{}", paper.id, claim.id))
    };
    PAPERS.iter().copied().flat_map(of).collect()
}

#[test]
fn the_pages_are_those_of_the_report() {
    for (path, text) in pages(root()).expect("the pages of this project") {
        let page = fs::read_to_string(&path).expect("a page");
        let name = below_root(&path).display();
        for (stands, should) in page.lines().zip(text.lines()) {
            assert_eq!(stands, should, "{name}: {HOW}");
        }
        assert!(page == text, "{name}: {HOW}");
    }
}

#[test]
fn what_is_not_built_of_a_claim_is_on_its_paper_s_page() {
    for paper in PAPERS {
        for (part, rows) in paper.partly {
            let page = root().join(format!("figures/{}/README.md", paper.id));
            let page = fs::read_to_string(page).expect("a page");
            let (_, list) = page.split_once("\n## Not built\n").expect("a list");
            assert!(list.split("\n## ").next().unwrap().contains(part), "{part}");
            let is_row = |row: &&&str| paper.claims.iter().any(|claim| claim.id == **row);
            assert!(rows.iter().all(|row| is_row(&row)), "{rows:?}");
        }
    }
}

/// Text that is written by hand gets stale when a verdict changes.
#[test]
fn a_paper_s_page_has_verdicts_in_its_generated_parts_only() {
    const WORDS: [&str; 7] =
        ["reproduced", "differ", "differs", "undecided", "applicable", "verdict", "verdicts"];
    for paper in PAPERS {
        let page = root().join(format!("figures/{}/README.md", paper.id));
        let page = fs::read_to_string(page).expect("a page");
        let mut generated = false;
        let mut blocks = vec![String::new()];
        for line in page.lines() {
            generated =
                (generated || line.starts_with("<!-- ")) && !line.starts_with("<!-- end of ");
            if line.is_empty() || line.starts_with(['-', '|', '#']) {
                blocks.push(String::new());
            }
            if !generated {
                *blocks.last_mut().unwrap() += &format!("{line}\n");
            }
        }
        let is_named = |block: &String| {
            paper.claims.iter().any(|claim| block.contains(&format!("`{}`", claim.id)))
        };
        for block in blocks.iter().filter(|block| is_named(block)) {
            let mut words = block.split(|c: char| !c.is_alphabetic());
            let verdict = words.find(|word| WORDS.contains(word));
            assert_eq!(verdict, None, "{}: a claim's name and a verdict:\n{block}", paper.id);
        }
    }
}

#[test]
fn every_claim_is_in_the_committed_report_as_it_is_made() {
    let entries = report(&root().join("figures")).expect("a report").claims;
    let claims = PAPERS.iter().flat_map(|p| p.claims.iter().map(move |c| (p.id, c)));
    for (paper, claim) in claims {
        let id = format!("{paper}/{}", claim.id);
        let entry = entries.iter().find(|entry| entry.id == id).expect(TAKE_OVER);
        let made = [claim.class.name(), claim.variant.name(), claim.judged_on.name()];
        // Whether the paper's card could have run all of it is known only after a run.
        let variant = entry.variant.split(',').next().unwrap_or_default();
        let stands = [entry.class.name(), variant, entry.judged_on.name()];
        assert_eq!(
            (made, claim.printed.to_owned()),
            (stands, entry.paper.clone()),
            "{}: {TAKE_OVER}",
            entry.id
        );
    }
    let (superseded, entries): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|one| one.is_removed);
    for entry in &superseded {
        assert!(!ids().contains(&entry.id), "{}: {TAKE_OVER}", entry.id);
    }
    for entry in &entries {
        assert!(entry.run.contains(", full, "), "{}: {TAKE_OVER}", entry.id);
    }
    let there: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(there, ids(), "{TAKE_OVER}");
    for file in entries.iter().flat_map(Entry::files) {
        assert!(root().join("figures").join(file).exists(), "{file} is missing: {TAKE_OVER}");
    }
}

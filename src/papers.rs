//! The papers and their claims, and the pages about them.

mod main_claims;
pub mod pages;

use crate::claim::Paper;
use crate::{batty2003, bolz2003, geveler2011, goodnight2003, kruger2003, retrodiction};

/// The five papers in order of publication, and last the claims that belong to no single paper.
pub static PAPERS: &[&Paper] = &[
    &bolz2003::study::claims::PAPER,
    &kruger2003::study::claims::PAPER,
    &goodnight2003::study::claims::PAPER,
    &batty2003::study::claims::PAPER,
    &geveler2011::study::claims::PAPER,
    &retrodiction::claims::PAPER,
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_claim_has_a_name_of_its_own_and_a_statement() {
        for paper in PAPERS {
            assert!(!paper.claims.is_empty(), "{}", paper.id);
            let names: BTreeSet<&str> = paper.claims.iter().map(|claim| claim.id).collect();
            assert_eq!(names.len(), paper.claims.len(), "{}", paper.id);
            for claim in paper.claims {
                assert!(!claim.says.is_empty() && !claim.section.is_empty(), "{}", claim.id);
            }
        }
    }
}

//! §3: a printed formula that cannot be meant, run as printed and as corrected.

use crate::bundled;
use crate::claim::{Checked, Claim, Erratum, Run};
use crate::mesh::Connectivity;

/// The first row of group k, on the CPU. The rows are those of the scan, sorted by their number of off-diagonal entries;
/// unused vertices have none.
pub(super) fn errata(run: &mut Run<'_>, _: &Claim) -> Checked {
    let rings = Connectivity::new(&bundled::scan()?)?;
    let mut lengths: Vec<usize> = (0..rings.vertices()).map(|i| rings.valence(i)).collect();
    lengths.sort_unstable();
    let rows = |k: usize| lengths.iter().filter(|&&length| length == k).count();
    let counts: Vec<usize> = (0..=lengths.last().map_or(0, |&k| k)).map(rows).collect();
    // Rows whose last program has another length, or that have none, if group k begins after the rows of the groups
    // from `first` to k − 1.
    let wrong = |first: usize| {
        let mut drawn = vec![None; lengths.len()];
        for (k, &count) in counts.iter().enumerate() {
            let start: usize = counts[first.min(k)..k].iter().sum();
            drawn[start..start + count].fill(Some(k));
        }
        let pairs = drawn.iter().zip(&lengths);
        pairs.filter(|&(drawn, length)| *drawn != Some(*length)).count() as f64
    };
    let empty = counts[0] as f64;
    let found = run.errata(
        "errata",
        &[Erratum {
            number: "rows without a program of their length",
            formulas: ["1 + Σ i_l, l = 1 … k − 1", "1 + Σ i_l, l = 0 … k − 1"],
            measured: [wrong(1), wrong(0)],
            // As printed, group 1 begins where group 0 does, and at least as many rows at the end are in no group.
            bounds: [empty, 0.0],
        }],
    );
    Ok(found
        .shows("rows", lengths.len() as f64)
        .at_least("rows without off-diagonal entries", empty, 1.0)
        .because(
            "The printed formula is right only if each row has an off-diagonal entry, but k begins at 0.",
        ))
}

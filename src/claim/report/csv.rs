//! `report.csv`: one line per value, for a spreadsheet.

use super::json::Entry;
use crate::claim::{Bound, Measured};
use crate::picture::field;

/// Heads of the columns; the unit of the numbers is in a column of its own.
const HEAD: &str = "claim,name,paper,here,low,high,unit,verdict,bound,rounds,confidence,class,variant,judged on,section,time (s),run\n";

/// The values of all claims, each in its own unit. The paper's number is next to the headline.
pub fn csv(claims: &[Entry]) -> String {
    let mut text = HEAD.to_owned();
    for claim in claims {
        for value in &claim.values {
            let [here, low, high, rounds, confidence] = match &value.measured {
                Measured::Number(i) => [
                    i.median.to_string(),
                    i.low.to_string(),
                    i.high.to_string(),
                    i.rounds.to_string(),
                    format!("{:.3}", i.confidence()),
                ],
                Measured::Text(text) => [text, "", "", "", ""].map(str::to_owned),
            };
            let paper = if value.is_key { &claim.paper } else { "" };
            let bound = match &value.bound {
                Bound::None => String::new(),
                bound => bound.text(1.0),
            };
            let seconds = claim.seconds.to_string();
            let names = [&*claim.id, &*value.name, paper, &here, &low, &high, &*value.unit];
            let result = claim.result();
            let judged = [&*result, &bound, &rounds, &confidence, claim.class.name()];
            let origin =
                [&*claim.variant, claim.judged_on.name(), &claim.section, &seconds, &claim.run];
            let cells = names.iter().chain(&judged).chain(&origin);
            text += &cells.map(|cell| field(cell)).collect::<Vec<_>>().join(",");
            text += "\n";
        }
    }
    text
}

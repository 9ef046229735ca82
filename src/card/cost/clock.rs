//! The clock of the drivers of 2003: counts of a ledger multiplied by costs that the papers print.
//!
//! A cost belongs to the driver of its paper. It may judge another paper's sentence, but never its own. The model's
//! fitted time of a target switch ([`super::OPENGL`]) judges none.

use serde::Serialize;

use crate::stream::Ledger;

/// A cost of a driver, with its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The operation.
    pub what: &'static str,
    /// Seconds of one.
    pub seconds: f64,
    /// The paper, and what it prints.
    pub source: &'static str,
}

/// A change of the buffer that is rendered to, with its context.
pub const SWITCH: Cost = Cost {
    what: "changes of the buffer",
    seconds: 1.0 / 200.0,
    source: "bolz2003, section 3.3: about 200 pbuffer switches per second",
};

/// A wait until everything is drawn.
pub const WAIT: Cost = Cost {
    what: "waits for all drawing",
    seconds: 0.7 / 1330.2,
    source: "batty2003, Appendix C, section 7: 0.7 s for 1330 operations",
};

/// A texel that is read back.
pub const READ_BACK: Cost = Cost {
    what: "texels read back",
    seconds: 0.678_88 / 1e6,
    source: "batty2003: 678.88 ms for the cells of a grid, assumed to be a million",
};

/// All costs.
pub const COSTS: [Cost; 3] = [SWITCH, WAIT, READ_BACK];

/// The charge for one kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Charged {
    /// Its cost.
    #[serde(flatten)]
    pub cost: Cost,
    /// Number of operations.
    pub count: u64,
}

impl Charged {
    /// Seconds of all of them.
    pub fn seconds(&self) -> f64 {
        self.count as f64 * self.cost.seconds
    }
}

/// Charges for a ledger, in the order of [`COSTS`]. A query and a read-back wait for all drawing.
pub fn charges(ledger: &Ledger) -> [Charged; 3] {
    let waits = ledger.finishes + ledger.queries + ledger.read_backs;
    let counts = [ledger.buffer_switches, waits, ledger.texels_read_back];
    [0, 1, 2].map(|at| Charged { cost: COSTS[at], count: counts[at] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_is_charged_what_the_papers_print() {
        let ledger = Ledger {
            buffer_switches: 400,
            target_switches: 900,
            finishes: 1000,
            queries: 300,
            read_backs: 30,
            texels_read_back: 1_000_000,
            ..Ledger::default()
        };
        let seconds = charges(&ledger).map(|charged| charged.seconds());
        for (seconds, expected) in seconds.into_iter().zip([2.0, 0.7, 0.679]) {
            assert!((seconds - expected).abs() < 1e-3, "{seconds} for {expected}");
        }
    }
}

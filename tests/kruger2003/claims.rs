//! The paper's claims hold in quick mode, and those that say *paper* run what its card could run.

use fragstream::claim::difference;
use fragstream::kruger2003::rejected::Periodic;
use fragstream::kruger2003::study::claims::layouts::{vector, wide};

use crate::common::machine;

#[test]
#[ignore = "the command checks them"]
fn binding_claims_hold_on_the_paper_s_card() {
    let findings =
        crate::common::claims::binding_claims_hold(&fragstream::kruger2003::study::claims::PAPER);
    for finding in findings {
        assert!(finding.beyond.is_empty(), "{}: {:?}", finding.id(), finding.beyond);
    }
}

#[test]
fn the_rejected_method_computes_the_product() {
    let machine = machine();
    for n in [1, 2, 32] {
        let (entries, x) = (vector(n * n, 1), vector(n, 2));
        let periodic = Periodic::new(&machine, &entries, &x).unwrap();
        let rows = wide(&entries);
        let rows = rows.chunks(n);
        let expected: Vec<f64> =
            rows.map(|row| row.iter().zip(wide(&x)).map(|(a, x)| a * x).sum()).collect();
        let found = periodic.multiply().unwrap().read().unwrap();
        assert!(difference(&found, &expected) < 1e-6, "n = {n}");
    }
}

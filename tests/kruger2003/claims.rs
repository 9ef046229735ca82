//! The paper's claims hold in quick mode, and those that say *paper* run what its card could run.

use fragstream::claim::difference;
use fragstream::kruger2003::claims::layouts::{sparse, vector, wide};
use fragstream::kruger2003::claims::product::{different_in_place, savings};
use fragstream::kruger2003::rejected::Periodic;

use crate::common::machine;

#[test]
#[ignore = "the command checks them"]
fn binding_claims_hold_on_the_paper_s_card() {
    let findings =
        crate::common::claims::binding_claims_hold(&fragstream::kruger2003::claims::PAPER);
    for finding in findings {
        assert!(finding.beyond.is_empty(), "{}: {:?}", finding.id(), finding.beyond);
    }
}

#[test]
fn sums_in_place_have_the_bits_of_sums_in_two_textures() {
    assert_eq!(different_in_place(&machine(), 64 * 64).unwrap(), 0);
}

#[test]
fn vertices_save_bytes_fragments_and_fetches_of_a_scattered_matrix() {
    let savings = savings(&machine(), &sparse(256, 13, 4).unwrap()).unwrap();
    assert!(savings.iter().all(|&saving| saving >= 2.0), "{savings:?}");
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

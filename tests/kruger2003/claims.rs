//! The paper's claims hold in quick mode.

use fragstream::kruger2003::claims::product::{different_in_place, savings};
use fragstream::kruger2003::claims::samples::sparse;

use crate::common::machine;

#[test]
fn binding_claims_hold() {
    crate::common::claims::binding_claims_hold(&fragstream::kruger2003::claims::PAPER);
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

//! The paper's claims.

#[test]
#[ignore = "the command checks them"]
fn binding_claims_hold() {
    crate::common::claims::binding_claims_hold(&fragstream::geveler2011::claims::PAPER);
}

//! The paper's binding claims.

#[test]
fn binding_claims_hold() {
    crate::common::claims::binding_claims_hold(&fragstream::bolz2003::claims::PAPER);
}

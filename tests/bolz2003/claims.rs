//! The paper's binding claims.

#[test]
#[ignore = "the command checks them"]
fn binding_claims_hold() {
    crate::common::claims::binding_claims_hold(&fragstream::bolz2003::claims::PAPER);
}

//! The paper's claims.

#[test]
#[ignore = "the command checks them"]
fn binding_claims_hold() {
    crate::common::claims::binding_claims_hold(&fragstream::batty2003::claims::PAPER);
}

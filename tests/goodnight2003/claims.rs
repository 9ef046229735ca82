//! The paper's binding claims, on small inputs.

#[test]
#[ignore = "the command checks them"]
fn binding_claims_hold() {
    crate::common::claims::binding_claims_hold(&fragstream::goodnight2003::claims::PAPER);
}

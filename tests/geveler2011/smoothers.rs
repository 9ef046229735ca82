//! Smoothers on the coarsest level.

use fragstream::geveler2011::{
    Element, Numbering, Precision, Settings, Setup, Smoother, device, host,
};

use crate::common::machine;

#[test]
fn conjugate_gradients_on_the_coarsest_level_have_the_diagonal_whatever_the_smoother() {
    let (meshes, element) = (Setup::Blood.meshes(1), Element::Q1);
    let system = Setup::Blood.discretise(&meshes, element, Numbering::TwoLevel).unwrap();
    // The approximate inverse is not symmetric.
    let [jacobi, inverse] = [Smoother::Jacobi, Smoother::Spai]
        .map(|smoother| Settings { smoother, ..Setup::Blood.settings() });
    let on_host = |settings| host::solve(&system, settings).unwrap();
    let (u, outcome) = on_host(&jacobi);
    assert!(outcome.reason.is_converged());
    assert_eq!(u, on_host(&inverse).0);
    let machine = machine();
    let history = |settings| {
        let solved = device::solve(&machine, &system, settings, Precision::Mixed).unwrap();
        solved.history
    };
    assert_eq!(history(&jacobi), history(&inverse));
}

//! The experiments of linear algebra come out as the paper says. (Simulations have tests of their own,
//! on smaller grids.)

use fragstream::claim::{Options, Verdict};
use fragstream::kruger2003::experiments::{matrices, operators, product, solvers};
use fragstream::stream::Machine;
use fragstream::timing::Effort;

#[test]
fn claims_that_bind_are_reproduced() {
    let mut machine = Machine::headless().expect("this machine has OpenGL");
    let options = Options {
        quick: true,
        out: std::env::temp_dir(),
        ..Options::default()
    };
    let mut count = 0;
    for experiment in [
        operators::EXPERIMENT,
        matrices::EXPERIMENT,
        solvers::EXPERIMENT,
    ] {
        for finding in experiment.perform(&mut machine, &options) {
            let (claim, why) = (finding.claim.id, &finding.why);
            assert_eq!(finding.verdict, Verdict::Reproduced, "{claim}: {why}");
            count += 1;
        }
    }
    assert_eq!(count, 7);
}

#[test]
fn matrices_that_are_not_square_are_multiplied_too() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let finding = product::not_square(&machine).expect("products");
    assert_eq!(finding.verdict, Verdict::Reproduced, "{finding:?}");
}

#[test]
fn what_a_product_takes_is_counted_and_sums_in_place_are_the_same() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let once = Effort {
        rounds: 1,
        chain: 1,
    };
    let finding = product::vertices(&machine, 256, once).expect("products");
    assert_eq!(finding.verdict, Verdict::Reproduced, "{finding:?}");
    // How long they take is not for a test.
    let [_, in_place] = product::diagonals(&machine, 64 * 64, once).expect("products");
    assert!(in_place.measured.contains("the same"), "{in_place:?}");
}

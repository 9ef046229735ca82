//! The experiments of linear algebra come out as the paper says. (Simulations have tests of their own,
//! on smaller grids.)

use fragstream::claim::{Options, Verdict};
use fragstream::kruger2003::experiments::{matrices, operators, solvers};
use fragstream::stream::Machine;

#[test]
fn claims_that_bind_are_reproduced() {
    let mut machine = Machine::headless().expect("this machine has OpenGL");
    let options = Options {
        quick: true,
        out: std::env::temp_dir(),
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
    assert_eq!(count, 6);
}

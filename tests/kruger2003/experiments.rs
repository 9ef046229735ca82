//! The experiments that do not measure time come out as the paper says.

use fragstream::claim::{Class, Options, Verdict};
use fragstream::kruger2003::experiments::experiments;
use fragstream::stream::Machine;

#[test]
fn claims_that_bind_are_reproduced() {
    let mut machine = Machine::headless().expect("this machine has OpenGL");
    let options = Options {
        quick: true,
        out: std::env::temp_dir(),
    };
    let binding = experiments()
        .into_iter()
        .filter(|e| e.claims.iter().all(|claim| claim.class != Class::Shape));
    let mut count = 0;
    for experiment in binding {
        for finding in experiment.perform(&mut machine, &options) {
            let (claim, why) = (finding.claim.id, &finding.why);
            assert_eq!(finding.verdict, Verdict::Reproduced, "{claim}: {why}");
            count += 1;
        }
    }
    assert_eq!(count, 6);
}

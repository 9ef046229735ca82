//! The test of a paper's binding claims is its table, in quick mode. Continuous integration runs the command instead; broken
//! programs are tried on these tests.

use fragstream::claim::{Checker, Finding, Paper, Run, Verdict};
use fragstream::stream::Machine;

/// The test of a paper.
macro_rules! binding {
    ($paper:ident) => {
        #[test]
        #[ignore = "the command checks them"]
        fn binding_claims_hold() {
            crate::common::claims::binding_claims_hold(&fragstream::$paper::study::claims::PAPER);
        }
    };
}
pub(crate) use binding;

/// Checks every exact, tolerance and identity claim of a paper on small inputs, and returns the findings.
pub fn binding_claims_hold(paper: &'static Paper) -> Vec<Finding> {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let mut run = Run::new(&machine);
    run.quick = true;
    let mut checker = Checker::new(run);
    let is_checked = |class: fragstream::claim::Class| {
        class.is_binding() || !class.is_counted() && !class.may_differ()
    };
    let (mut failures, mut findings) = (Vec::new(), Vec::new());
    for claim in paper.claims.iter().filter(|claim| is_checked(claim.class)) {
        let finding = checker.check((paper, claim)).expect("no inputs of the user's");
        if !matches!(finding.verdict, Verdict::Reproduced | Verdict::NotRun) {
            let values: Vec<String> =
                finding.found.values.iter().map(ToString::to_string).collect();
            let (values, cause) = (values.join("; "), &finding.found.cause);
            failures.push(format!("{}: {}: {values} {cause}", finding.id(), finding.verdict));
        }
        findings.push(finding);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    findings
}

//! Every pass beside what its program says.

use fragstream::card::interpret::Witness;
use fragstream::stream::observe;

/// Lets the passes of some work be compared with their programs in double precision, within bounds
/// that follow from the programs' operations. None may contradict its program; these programs are to
/// run, by the names of their files, and little of what they compute may be left undecided.
#[track_caller]
pub fn assert_faithful(programs: &[&str], work: impl FnOnce()) {
    let witness = Witness::called();
    work();
    observe(None);
    let findings = witness.findings();
    for (kernel, finding) in &findings {
        assert_eq!(finding.contradiction, None, "{kernel}: {finding:?}");
    }
    for program in programs {
        let is_it = |name: &str| name.split(' ').next() == Some(program);
        let of_it = findings.iter().filter(|(name, _)| is_it(name));
        let (numbers, undecided) = of_it.fold((0, 0), |(numbers, undecided), (_, finding)| {
            (numbers + finding.numbers, undecided + finding.undecided)
        });
        assert!(numbers > 0, "{program} has not run");
        assert!(
            20 * undecided <= numbers,
            "{program}: {undecided} of {numbers} undecided"
        );
    }
}

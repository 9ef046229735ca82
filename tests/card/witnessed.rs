//! Every program of `glsl/` is run once by the GPU and once by the interpreter, on random streams:
//! what a driver makes of it lies within the bounds that follow from its own operations.

use fragstream::card::count::count;
use fragstream::card::dialect::{Rule, declares_exception};
use fragstream::card::limits::excess;
use fragstream::program::formats::Registers;
use fragstream::stream::Machine;

use crate::card::programs::{Open, assembled, files};
use crate::common::machine;
use crate::common::witness::Finding;

/// Grain and tiles of these pictures are hashes, the last digits of a sine, which no bound decides.
const HASHED: [&str; 2] =
    ["kruger2003/simulation/fluid_picture", "kruger2003/simulation/water_picture"];

/// Low parts of numbers are errors of rounding, of which a twin without rounding knows nothing: half of
/// what these compute. `geveler2011/products.rs` compares the numbers' values.
const LOW_PARTS: [&str; 4] = ["pairs", "native", "error_free", "stream/error_free"];

/// How many numbers of a program no bound may decide about.
pub fn may_be_undecided(line: &Open, finding: &Finding) -> u64 {
    if HASHED.contains(&line.program) {
        finding.numbers
    } else if line.parts.iter().any(|part| LOW_PARTS.contains(part)) {
        finding.numbers / 2
    } else {
        finding.numbers / 20
    }
}

#[test]
fn every_program_computes_what_its_text_says_and_fits_its_card_or_says_that_it_does_not() {
    let machine = machine();
    let (mut excesses, mut too_long) = (Vec::new(), String::new());
    for line in assembled() {
        let kernel = line.kernel(&machine);
        let (text, limits) = (&kernel.text().fragment, kernel.text().limits);
        excesses.extend(excess(kernel.text()));
        if count(text).is_ok_and(|count| !limits.excesses(&count).is_empty()) {
            too_long += text;
        }
        let finding = line.finding(&machine);
        assert_eq!(finding.contradiction, None, "{line:?}");
        assert!(finding.undecided <= may_be_undecided(&line, &finding), "{line:?}: {finding:?}");
    }
    assert!(excesses.is_empty(), "{}", excesses.join("\n"));
    for (file, text) in files() {
        let is_needed = !declares_exception(text, Rule::Limits) || too_long.contains(text.trim());
        assert!(is_needed, "{file} fits, as far as it is tried");
    }
}

#[test]
fn a_machine_without_a_driver_computes_every_program_within_the_same_bounds() {
    let machine = Machine::interpreted(Registers::Single).expect("no driver is needed");
    // No register has 64 bits.
    for line in assembled().into_iter().filter(|line| !line.parts.contains(&"native")) {
        let finding = line.finding(&machine);
        assert_eq!(finding.contradiction, None, "{line:?}");
        assert!(finding.undecided <= may_be_undecided(&line, &finding), "{line:?}: {finding:?}");
    }
}

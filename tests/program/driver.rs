//! The driver runs listings: every program as assembly, beside GLSL.

use std::fs;
use std::process::Command;

use fragstream::gl::Backend;
use fragstream::program::Listing;
use fragstream::stream::Machine;

use crate::card::programs::assembled;
use crate::card::witnessed::may_be_undecided;

/// What assembly does not have: double precision and derivatives.
const LACKING: [&str; 3] = ["GL_ARB_gpu_shader_fp64", "dFd", "fwidth"];

/// Programs whose numbers are the same to the last bit, at least. The others have quotients, roots, or sums
/// that GLSL takes in another order.
const SAME_BITS: usize = 118;

#[test]
fn the_driver_takes_every_listing_and_computes_what_its_text_says() {
    let machine = |backend| Machine::headless_in(backend).expect("this machine has OpenGL");
    let (glsl, arb) = (machine(Backend::Glsl), machine(Backend::Arb));
    let (mut programs, mut same, mut largest) = (0, 0, 0.0f64);
    for line in assembled() {
        let kernel = line.kernel(&arb);
        let is_lacking = LACKING.iter().any(|word| kernel.text().fragment.contains(word));
        assert_eq!(kernel.is_in_assembly(), !is_lacking, "{line:?}");
        if is_lacking {
            continue;
        }
        let finding = line.finding(&arb);
        assert_eq!(finding.contradiction, None, "{line:?}");
        assert!(finding.undecided <= may_be_undecided(&line, &finding), "{line:?}: {finding:?}");
        programs += 1;
        let [there, here] = [&glsl, &arb].map(|machine| line.drawn(machine));
        let is_same = |(a, b): (&f32, &f32)| a == b || a.is_nan() && b.is_nan();
        let is_same = there.iter().zip(&here).all(is_same);
        same += usize::from(is_same);
        let finite = there.iter().zip(&here).filter(|(a, b)| a.is_finite() && b.is_finite());
        let size =
            there.iter().filter(|a| a.is_finite()).fold(0.0f64, |m, a| m.max(f64::from(a.abs())));
        let off = finite.fold(0.0f64, |m, (a, b)| m.max(f64::from((a - b).abs())));
        if !is_same && finding.undecided == 0 {
            largest = largest.max(off / size);
        }
    }
    println!("{programs} programs, {same} of them the same bits, others by {largest:.1e} at most");
    assert!(programs >= 150 && same >= SAME_BITS, "{same} of {programs}");
    assert!(largest < 1e-4, "{largest}");
}

#[test]
fn what_assembly_lacks_runs_as_glsl_and_the_ledger_says_so() {
    let machine = Machine::headless_in(Backend::Arb).expect("this machine has OpenGL");
    for line in assembled() {
        if line.parts.contains(&"native") {
            line.drawn(&machine);
        }
    }
    let accounts = machine.ledger().kernels;
    assert!(!accounts.is_empty());
    assert!(accounts.values().all(|account| !account.in_assembly));
    let bill = fragstream::card::cost::bill(&machine.ledger()).to_string();
    assert!(!bill.contains("ran as GLSL"), "nothing ran as assembly");
    let copy = assembled().into_iter().find(|line| line.program == "stream/copy");
    copy.expect("a copy").drawn(&machine);
    let bill = fragstream::card::cost::bill(&machine.ledger()).to_string();
    assert!(bill.contains("ran as GLSL: assembly cannot express it"));
}

#[test]
fn infinities_derivatives_and_double_precision_are_not_of_this_assembly() {
    let refused = |body: &str| {
        let text = format!("uniform vec4 a; void main() {{ result = {body}; }}");
        Listing::of(&text).expect("a listing").arb().expect_err("no such thing").to_string()
    };
    assert!(refused("dFdx(a)").contains("derivatives"));
    assert!(refused("min(a, 1.0 / 0.0)").contains("infinite"));
    let double = "#extension GL_ARB_gpu_shader_fp64 : require\nvoid main() { result = vec4(1.0); }";
    assert!(Listing::of(double).expect_err("double precision").to_string().contains("double"));
}

/// The command `listing` with these arguments: its exit code, its output, its messages.
fn listed(arguments: &str) -> (Option<i32>, String, String) {
    let mut listing = Command::new(env!("CARGO_BIN_EXE_fragstream"));
    let output = listing.arg("listing").args(arguments.split(' ')).output().expect("the command");
    let [out, err] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    (output.status.code(), out, err)
}

#[test]
fn the_command_lists_only_what_an_assembler_reads_and_counts_what_it_lists() {
    let (code, _, message) = listed("geveler2011/multiply --with native");
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("no card of 2003 computes in double precision"), "{message}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("infinite.frag");
    fs::write(&file, "void main() { result = min(here.xyxy, 1.0 / 0.0); }").expect("a file");
    for form in ["arb", "fp1.0", "ps2.0"] {
        let (code, _, message) = listed(&format!("{} --form {form}", file.display()));
        assert_eq!(code, Some(2), "{form}: {message}");
        assert!(message.contains("no infinite constants"), "{form}: {message}");
    }
    let rows = "geveler2011/ellpack --with single --with packed --with tiles --with row_r";
    let (_, out, message) = listed(&format!("{rows} --json"));
    let shown: serde_json::Value =
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{message}"));
    let shown = &shown["result"]["listings"][0];
    let lines = shown["lines"].as_array().unwrap_or_else(|| panic!("{shown}"));
    assert_eq!(shown["instructions"], lines.len());
}

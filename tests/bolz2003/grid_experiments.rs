//! The experiments of Bolz et al. 2003, section 4, in their quick form give the verdicts that are
//! expected.

use fragstream::bolz2003::experiments::experiments;
use fragstream::claim::{Finding, Options, Verdict};
use fragstream::stream::Machine;

/// The largest file that a figure may be.
const LARGEST_FIGURE: usize = 400_000;

/// The quick finding for this claim.
fn finding(claim: &str) -> Finding {
    let mut machine = Machine::headless().expect("a working OpenGL");
    let options = Options {
        quick: true,
        out: std::env::temp_dir(),
    };
    let experiments = experiments();
    let experiment = experiments
        .iter()
        .find(|experiment| experiment.answers_to(claim))
        .expect("an experiment with this claim");
    let mut findings = experiment.perform(&mut machine, &options);
    for figure in findings.iter().flat_map(|finding| &finding.figures) {
        let picture = image::load_from_memory(&figure.png).expect("a picture");
        let (width, height) = (picture.width(), picture.height());
        assert!(width >= 500 && height >= 300, "{}", figure.file);
        let bytes = figure.png.len();
        assert!(bytes < LARGEST_FIGURE, "{}: {bytes}", figure.file);
        assert!(figure.file.starts_with("bolz2003/") && figure.caption.ends_with('.'));
        assert!(!figure.caption.contains("  "), "{}", figure.caption);
    }
    let place = findings
        .iter()
        .position(|finding| finding.claim.id == claim);
    findings.swap_remove(place.expect("a finding"))
}

fn assert_reproduced(claim: &str) -> Finding {
    let finding = finding(claim);
    assert_eq!(finding.verdict, Verdict::Reproduced, "{finding:?}");
    assert!(!finding.figures.is_empty(), "{finding:?}");
    finding
}

#[test]
fn borders_are_in_step_after_every_kernel_and_a_poisoned_one_would_be_seen() {
    let finding = assert_reproduced("bolz2003/layering");
    assert!(
        finding.measured.starts_with("257² in 129×129"),
        "{finding:?}"
    );
    // The control: every value of a poisoned ring is found.
    let found = finding.why.split("is found: ").nth(1).expect("a control");
    let numbers: Vec<&str> = found.split(' ').collect();
    assert_eq!(numbers[0], numbers[2], "{found}");
    assert!(numbers[0].parse::<usize>().expect("a number") > 1000);
}

#[test]
fn stencils_composed_on_the_gpu_are_the_product_of_matrices() {
    let finding = assert_reproduced("bolz2003/galerkin");
    assert!(
        finding.why.contains("has 0 entries beyond"),
        "{}",
        finding.why
    );
}

#[test]
fn the_convergence_factor_is_the_twin_s_and_flat() {
    assert_reproduced("bolz2003/vcycle");
}

#[test]
fn a_pass_of_full_multigrid_leaves_the_error_of_the_discretisation() {
    let finding = assert_reproduced("bolz2003/fmg");
    assert!(
        finding.measured.contains("up to 257²"),
        "{}",
        finding.measured
    );
}

#[test]
fn four_channels_gain_in_the_model_what_they_should() {
    let finding = finding("bolz2003/four-channels");
    let model = finding.measured.split("as fast, ").nth(1).expect("a ratio");
    let model: f64 = model
        .split(' ')
        .next()
        .expect("a number")
        .parse()
        .expect("a number");
    assert!((2.0..=4.0).contains(&model), "{}", finding.measured);
}

#[test]
fn a_cycle_s_fragments_are_proportional_to_the_unknowns() {
    let finding = finding("bolz2003/order-n");
    let within = finding
        .why
        .split("constant within ")
        .nth(1)
        .expect("a factor");
    let within: f64 = within
        .split(' ')
        .next()
        .expect("a number")
        .parse()
        .expect("a number");
    assert!(within < 1.5, "{}", finding.why);
}

#[test]
fn the_programs_over_grids_are_counted_beside_the_paper_s() {
    let finding = assert_reproduced("bolz2003/instructions");
    assert!(
        finding.measured.contains("(18 fetches)"),
        "{}",
        finding.measured
    );
    for program in ["stencil", "interpolation", "projection"] {
        assert!(finding.measured.contains(program), "{}", finding.measured);
    }
}

#[test]
fn rates_and_the_cpu_are_measured_for_grids_too() {
    let finding = finding("bolz2003/rates");
    for what in ["stencil 257²", "interpolation", "projection"] {
        assert!(finding.measured.contains(what), "{}", finding.measured);
    }
}

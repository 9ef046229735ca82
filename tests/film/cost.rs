//! What recording costs.

use std::time::Instant;

use assert_cmd::Command;

/// Of a run, without the texels for tests.
const MOST: f64 = 0.2;

/// Commands whose runs are short, of few large passes, or of many small ones.
const COMMANDS: [&[&str]; 5] = [
    &["poisson"],
    &["poisson", "--size", "769x769"],
    &["water", "--steps", "50"],
    &["fluid", "--steps", "5"],
    &["wing", "--steps", "20"],
];

#[test]
#[ignore = "a measurement on a machine at rest: cargo test --release --test it recording_takes -- --ignored"]
fn recording_takes_less_than_a_fifth_of_a_run_longer() {
    let folder = tempfile::tempdir().expect("a folder");
    let film = folder.path().join("film.html");
    for command in COMMANDS {
        let seconds = |film: &[&str]| {
            let started = Instant::now();
            let mut run = Command::new(env!("CARGO_BIN_EXE_fragstream"));
            run.args(command)
                .args(film)
                .current_dir(&folder)
                .assert()
                .success();
            started.elapsed().as_secs_f64()
        };
        let film = ["--film", film.to_str().expect("a name")];
        let mut pairs: Vec<f64> = (0..15)
            .map(|_| seconds(&film) / seconds(&[]) - 1.0)
            .collect();
        pairs.sort_by(f64::total_cmp);
        let longer = pairs[pairs.len() / 2];
        eprintln!("{}: {:+.0} %", command.join(" "), 100.0 * longer);
        assert!(longer < MOST, "{}", command.join(" "));
    }
}

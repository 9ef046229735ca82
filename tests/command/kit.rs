//! The kit for a card: its C program, compiled and run on llvmpipe under Xvfb, computes what fragstream computes with the
//! same listings, and its times come back as those of a card.

use std::fs;
use std::path::Path;
use std::process::Command;

use fragstream::claim::kit::Kit;
use fragstream::program::Listing;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::support::{assert_says, fails, folder_with, fragstream, names, succeeds};

/// Rows with whole rectangles and parts of them, coordinates from vertex programs, queries, read-backs, halves and waits.
const ROWS: &str =
    "batty2003/c7 goodnight2003/fig7 goodnight2003/half-storage kruger2003/single-pixels";

/// Whether a program is there. Where tests may not be skipped, it has to be.
fn has(program: &str, package: &str) -> bool {
    let found =
        Command::new("which").arg(program).output().is_ok_and(|found| found.status.success());
    if !found {
        println!("skipped: there is no {program} (Debian: apt-get install {package})");
        assert!(std::env::var_os("FRAGSTREAM_NO_SKIPS").is_none());
    }
    found
}

/// Builds something with the Makefile of a kit, without any warning.
fn make(folder: &Path, what: &str) {
    let mut made = Command::new("make");
    made.args(["-s", what, "CFLAGS=-O1 -std=c89 -pedantic -Wall -Wextra -Werror"]);
    let made = made.current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// A kit of these rows on small inputs.
fn kit(folder: &TempDir) {
    succeeds(&mut fragstream(folder, &format!("kit kit {ROWS} --quick")));
}

#[test]
fn the_program_computes_the_same_and_its_times_are_a_column() {
    let folder = tempdir().unwrap();
    kit(&folder);
    let path = folder.path().join("kit");
    if has("i686-w64-mingw32-gcc", "gcc-mingw-w64-i686") {
        make(&path, "kit.exe");
    }
    if !has("cc", "gcc libgl-dev libx11-dev") || !has("xvfb-run", "xvfb xauth") {
        return;
    }
    make(&path, "kit");
    for process in ["1", "2"] {
        let mut run = Command::new("xvfb-run");
        run.args(["-a", "./kit", process, "475 MHz", "3"]).env("LP_NUM_THREADS", "0");
        let done = run.current_dir(&path).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let csv = fs::read_to_string(path.join("kit.csv")).unwrap();
    let read = Kit::of_csv(&csv).unwrap();
    assert_eq!((&*read.mode, &*read.machine[2]), ("quick", "475 MHz"));
    assert!(read.refused.is_empty(), "{:?}", read.refused);
    assert!(read.samples.iter().all(|one| one.works.iter().all(|(_, times)| times.len() == 3)));
    // Bit by bit; where a program has a reciprocal or a root, the last texture within 4 ulp.
    for line in csv.lines().skip(5) {
        let cells: Vec<&str> = line.split(',').collect();
        let [error, bits] = [&cells[cells.len() - 5], &cells[cells.len() - 4]];
        let is_near = error.parse::<f64>().unwrap() <= 4.0 * f64::from(f32::EPSILON);
        assert!(*bits == "equal" || is_near, "{line}");
    }
    // As if it came from a card.
    let card = csv.replace(&read.machine[0], "GeForce FX 5900/AGP/SSE2");
    fs::write(folder.path().join("kit.csv"), card).unwrap();
    let mut judge =
        fragstream(&folder, "reproduce --quick --kit kit.csv batty2003/c7 batty2003/c2 --out card");
    let notes = String::from_utf8(judge.assert().code(0).get_output().stderr.clone()).unwrap();
    assert_says(&notes, &["batty2003/c2: The check failed: the kit has no times of batty2003/c2"]);
    let report = fs::read_to_string(folder.path().join("card/report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["claims"].as_array().unwrap().len(), 1);
    assert_eq!(report["runs"][0]["renderer"], "GeForce FX 5900/AGP/SSE2");
    let columns = report["claims"][0]["columns"].as_array().unwrap();
    let gain =
        columns.iter().find(|one| one["source"] == "its card, by a kit").expect("its column");
    let seconds = |work: &str| -> f64 {
        let own = read.samples.iter().filter(|one| one.row == "batty2003/c7");
        let medians = own.map(|one| {
            let mut times = one.works.iter().find(|(name, _)| name == work).unwrap().1.clone();
            times.sort_by(f64::total_cmp);
            times[1].ln()
        });
        medians.sum::<f64>() / 2.0
    };
    let expected = (seconds("before") - seconds("after")).exp();
    assert!((gain["value"].as_f64().unwrap() / expected - 1.0).abs() < 1e-3, "{gain} {expected}");
}

#[test]
fn its_listings_are_those_of_the_compiler_and_its_files_are_small() {
    let folder = tempdir().unwrap();
    kit(&folder);
    let path = folder.path().join("kit");
    let programs = names(path.join("programs"));
    assert!(programs.len() > 20);
    for name in programs.iter().filter(|name| name.ends_with(".nv")) {
        let text = fs::read_to_string(path.join("programs").join(name)).unwrap();
        let listing = Listing::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let count = |of: &str| of.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(count(&listing.to_string()), count(&text), "{name}");
    }
    let bytes = |name: &String| fs::metadata(path.join("works").join(name)).unwrap().len();
    for name in names(path.join("works")) {
        assert!(bytes(&name) < 400_000, "{name}");
    }
    // A folder that is somebody's own stays as it is.
    fs::write(folder.path().join("README.md"), "mine").unwrap();
    let text = fails(&mut fragstream(&folder, "kit . batty2003/c7 --quick"), 2);
    assert_says(&text, &["README.md", "--force"]);
}

#[test]
fn what_a_card_got_wrong_is_not_judged_and_a_damaged_file_is_refused() {
    let head = "kit,quick,0\ncard,\"a, b\"\ndriver,c\nclock,d\nprocess,race,work\n";
    let line = |race: &str, error: &str| format!("1,{race},w,,{error},1e-4,0,equal,2.0,4.0\n");
    let kit =
        Kit::of_csv(&format!("{head}{}{}", line("p/a", "2e-4"), line("p/b", "1e-5"))).unwrap();
    assert_eq!(kit.samples.iter().map(|one| &*one.row).collect::<Vec<_>>(), ["p/b"]);
    assert_eq!(kit.samples[0].works, [("w".to_owned(), vec![2e-3, 4e-3])]);
    assert_says(kit.refused.first().unwrap(), &["p/a, w", "2.0e-4", "1.0e-4"]);
    let refused =
        Kit::of_csv(&format!("{head}1,p/a,w,a program is refused,0,0,0,differ\n")).unwrap();
    assert_says(refused.refused.first().unwrap(), &["a program is refused"]);
    for (text, fault) in [
        ("", "line 1: kit is missing"),
        ("kit,quick\ncard,x\n", "line 3: driver is missing"),
        (&format!("{head}1,p/a,w\n"), "line 6: it ends too early"),
        (&format!("{head}{}", line("p/a", "x")), "line 6: “x” is not a number"),
    ] {
        let folder = folder_with("kit.csv", text);
        let mut command = fragstream(&folder, "reproduce --quick --kit kit.csv");
        assert_says(&fails(&mut command, 2), &["kit.csv", fault]);
    }
    let folder = folder_with("kit.csv", head);
    let text = fails(&mut fragstream(&folder, "reproduce --kit kit.csv"), 2);
    assert_says(&text, &["made in quick mode", "Add --quick"]);
}

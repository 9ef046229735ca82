//! The command itself: usage, pipes, exit codes, and the commands that need no input.

use std::fs::{self, OpenOptions};
use std::process::{Command, Stdio};

use crate::command::support::*;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn bad_usage_is_one_line_and_exit_2() {
    let cases = [
        ("--nonsense", "'--nonsense'"),
        ("smoth a.ply b.ply", "'smooth'"),
        ("smooth", "<IN> <OUT>"),
        ("smooth a.ply", "<OUT>"),
        ("smooth a.ply b.ply --step 3", "'--steps'"),
        ("smooth a.ply b.ply --lambda-dt 0", "above 0"),
        ("smooth a.ply b.ply --lambda-dt -1", "above 0"),
        ("smooth a.ply b.ply --noise NaN", "at least 0"),
        ("smooth a.ply b.ply --seed 3", "--noise"),
        ("smooth a.ply b.ply --steps 1.5", "'1.5'"),
        ("solve", "<A.mtx>"),
        ("solve a.mtx --method sor", "cg, pcg"),
        ("solve a.mtx --layout jagged", "rows, diagonals"),
        ("solve a.mtx --rtol -1", "at least 0"),
        ("solve a.mtx --rtol", "--rtol"),
        ("solve a.mtx --rect 0x4", "26x18"),
        ("solve a.mtx --rhs random:x", "random:1"),
        ("list --ledger=xml", "table, json"),
        ("reproduce bolz2033", "bolz2003"),
        ("reproduce no-such-thing", "fragstream list"),
    ];
    let folder = tempdir().unwrap();
    for (arguments, part) in cases {
        let mut command = fragstream(&folder, arguments);
        assert_says(&fails(&mut command, 2), &[part]);
        command.assert().stdout("");
    }
    assert!(names(&folder).is_empty());
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = tempdir().unwrap();
    for arguments in ["--help", "-h", "help", "smooth --help", "solve -h"] {
        let text = succeeds(&mut fragstream(&folder, arguments));
        assert!(text.contains("--ledger") && text.contains("Usage:"));
    }
    let version = succeeds(&mut fragstream(&folder, "--version"));
    assert_eq!(
        version.trim(),
        concat!("fragstream ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_list_is_of_what_was_asked_for_and_tells_the_commands() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "list card"));
    assert!(
        text.contains("card/cards") && !text.contains("bolz2003/"),
        "{text}"
    );
    let text = succeeds(&mut fragstream(&folder, "list bolz2003/fig5 --json"));
    let claims: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(claims[0]["command"], "fragstream reproduce bolz2003/fig5");
    assert!(
        claims[0]["user_command"]
            .as_str()
            .unwrap()
            .starts_with("fragstream fluid")
    );
}

#[test]
fn list_names_all_papers() {
    let text = succeeds(&mut fragstream(&tempdir().unwrap(), "list"));
    for paper in fragstream::papers::PAPERS {
        assert_says(&text, &[paper.id, paper.title]);
    }
}

#[test]
fn info_tells_formats_limits_and_the_derived_rectangle() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "info"));
    assert_says(&text, &["renderer", "Rgba32F", "best rectangle 26x18"]);
    let info: Value =
        serde_json::from_str(&succeeds(&mut fragstream(&folder, "info --json"))).unwrap();
    assert_eq!(info["nv30"]["rectangle"], "26x18");
    assert_eq!(info["commit"], env!("FRAGSTREAM_COMMIT"));
    assert!(info["limits"]["texture_size"].as_u64().unwrap() >= 1024);
    assert!(info["limits"]["texture_units"].as_u64().unwrap() >= 16);
    let formats = info["formats"].as_array().unwrap();
    assert_eq!(formats.len(), fragstream::stream::Format::ALL.len());
    assert!(formats.iter().all(|format| format["ok"] == true));
}

#[test]
fn a_device_that_is_not_there_is_exit_2() {
    let folder = tempdir().unwrap();
    let line = fails(
        fragstream(&folder, "info").env("FRAGSTREAM_DEVICE", "99"),
        2,
    );
    assert_says(&line, &["FRAGSTREAM_DEVICE", "99", "give a number"]);
}

#[cfg(unix)]
#[test]
fn a_device_that_is_no_text_is_exit_2() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempdir().unwrap();
    let device = std::ffi::OsStr::from_bytes(b"\xff");
    let line = fails(
        fragstream(&folder, "info").env("FRAGSTREAM_DEVICE", device),
        2,
    );
    assert_says(&line, &["FRAGSTREAM_DEVICE", "give a number"]);
}

#[test]
fn nothing_is_printed_before_exit_2() {
    let folder = tempdir().unwrap();
    for (arguments, says) in [
        ("list --film a.html", "a.html: no film"),
        ("smooth bunny a.ply --rect 99999x99999", "99999x99999"),
    ] {
        let mut command = fragstream(&folder, arguments);
        assert_says(&fails(&mut command, 2), &[says]);
        command.assert().stdout("");
    }
    assert!(names(&folder).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_system_is_one_line_and_exit_2() {
    let folder = tempdir().unwrap();
    for (limit, arguments, says) in [
        (
            "-f 1",
            "poisson --size 65x65 --rtol 1e-3 --out u.f32",
            "u.f32: cannot write: ",
        ),
        (
            "-v 1048576",
            "heat --size 4097x4097",
            "4097x4097 nodes: needs about",
        ),
        (
            "-v 1048576",
            "poisson --size 3073x3073",
            "needs about 1.2 GB of memory",
        ),
    ] {
        let line = format!("ulimit {limit}; exec \"$0\" {arguments}");
        let mut command = assert_cmd::Command::new("sh");
        command.args(["-c", &line]).arg(cargo_bin!("fragstream"));
        command.current_dir(&folder);
        assert_says(&fails(&mut command, 2), &[says]);
        command.assert().stdout("");
        assert!(names(&folder).is_empty());
    }
}

#[test]
fn bad_input_is_found_before_a_driver_is_needed() {
    let folder = tempdir().unwrap();
    let mut command = fragstream(&folder, "solve nothing.mtx");
    assert_says(
        &fails(command.env("FRAGSTREAM_DEVICE", "99"), 2),
        &["nothing.mtx"],
    );
}

#[test]
fn the_ledger_goes_to_standard_error() {
    let folder = tempdir().unwrap();
    fs::copy(bundled("unit_cube.mtx"), folder.path().join("a.mtx")).unwrap();
    let table = fragstream(&folder, "solve a.mtx --ledger").assert().code(0);
    let text = String::from_utf8_lossy(&table.get_output().stderr).into_owned();
    assert_says(&text, &["kernel", "bolz2003/sparse/spmv", "read-backs"]);
    let json = fragstream(&folder, "--ledger=json solve a.mtx --json")
        .assert()
        .code(0);
    let ledger: Value = serde_json::from_slice(&json.get_output().stderr).unwrap();
    assert!(ledger["uploads"].as_u64().unwrap() > 0);
    assert!(ledger["uncounted"].is_null(), "{ledger}");
    let solution: Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!(solution["reason"], "converged");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for arguments in [["list"], ["info"], ["--help"]] {
        let mut child = Command::new(cargo_bin!("fragstream"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_one_line_and_exit_2() {
    for arguments in [vec!["list"], vec!["info", "--json"], vec!["--help"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(cargo_bin!("fragstream"))
            .args(&arguments)
            .stdout(full)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        assert_says(&text, &["fragstream: standard output"]);
    }
}

#[test]
fn a_report_folder_that_cannot_be_made_is_exit_2() {
    let folder = folder_with("file", "kept");
    for out in ["file", "file/below"] {
        let line = fails(
            &mut fragstream(&folder, &format!("reproduce --quick --out {out}")),
            2,
        );
        assert_says(&line, &[out]);
    }
    assert_eq!(names(&folder), ["file"]);
    assert_eq!(fs::read(folder.path().join("file")).unwrap(), b"kept");
}

//! The command itself: output, pipes, and the commands that need no input.

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::support::*;
use assert_cmd::cargo::cargo_bin;
use fragstream::command::grammar;
use image::Rgb32FImage;
use rayon::prelude::*;
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = tempdir().unwrap();
    for arguments in ["--help", "-h", "help", "smooth --help"] {
        let text = succeeds(&mut fragstream(&folder, arguments));
        assert!(text.contains("--ledger") && text.contains("Usage:"));
    }
    let version = succeeds(&mut fragstream(&folder, "--version"));
    let (number, commit) = (env!("CARGO_PKG_VERSION"), env!("FRAGSTREAM_COMMIT"));
    assert_eq!(version.trim(), format!("fragstream {number} ({commit})"));
}

#[test]
fn a_define_is_a_float_where_it_bounds_a_loop_and_an_integer_in_a_condition() {
    let folder = tempdir().unwrap();
    let own = "#if TERMS > 2\n#define MORE 1.0\n#else\n#define MORE 0.0\n#endif\nuniform stream x;\nvoid main() {\n    \
               vec4 sum = vec4(MORE);\n    for (float k = 0.0; k < ROWS; k += 1.0) sum += fetch(x, here + vec2(k, 0.0));\n    \
               result = sum;\n}\n";
    fs::write(folder.path().join("own.frag"), own).unwrap();
    for (line, fetches) in [
        ("kruger2003/matrices/diagonals --define DIAGONALS=3", 7),
        ("kruger2003/matrices/diagonals --define DIAGONALS=2 --define CONTINUED=1", 5),
        ("layouts/quarters --define DIAGONALS=3 --define INNER=1", 6),
        ("bolz2003/sparse/spmv --define ROW_LENGTH=6", 21),
        // The row of the table, which is not continued.
        ("kruger2003/matrices/matrix_product --define COLUMNS=48", 96),
        ("own.frag --define ROWS=4 --define TERMS=3", 4),
    ] {
        let listing = succeeds(&mut fragstream(&folder, &format!("listing {line}")));
        let found = listing.lines().find_map(|line| line.strip_prefix("fetches "));
        assert_eq!(found.map(str::trim), Some(&*fetches.to_string()), "{line}");
    }
}

#[test]
fn the_front_page_shows_lines_of_a_listing_and_its_length() {
    let page = include_str!("../../README.md");
    let block = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
    let folder = tempdir().unwrap();
    let listing = succeeds(&mut fragstream(&folder, "listing bolz2003/sparse/spmv"));
    for line in block.expect("a block").lines() {
        let instruction = line.split('#').next().unwrap_or_default().trim();
        assert!(listing.contains(instruction), "{instruction}");
    }
    let length = listing.lines().find_map(|line| line.strip_prefix("instructions "));
    let said = format!("prints {} instructions", length.expect("a length").trim());
    assert!(page.contains(&said), "README.md: {said}");
}

#[test]
fn a_list_has_the_claims_that_were_named_and_their_options() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "list"));
    for paper in fragstream::papers::PAPERS {
        assert_says(&text, &[paper.id, paper.title]);
    }
    let text = succeeds(&mut fragstream(&folder, "list card"));
    assert!(text.contains("card/cards") && !text.contains("bolz2003/"), "{text}");
    let list = object(&folder, "list bolz2003/fig5", 0);
    assert_eq!(list["claims"][0]["command"], "fragstream reproduce bolz2003/fig5");
    assert!(list["claims"][0]["inputs"].as_array().unwrap().contains(&"--size".into()));
}

#[test]
fn six_scenes_run_as_a_command_in_a_window_in_the_page_and_as_a_film() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "list --scenes"));
    for entry in fragstream::scenes::SCENES.iter().copied() {
        let line = text.lines().find(|line| line.starts_with(entry.name)).expect(entry.name);
        assert_eq!(line.matches("yes").count(), 4, "{line}");
    }
    let scenes = object(&folder, "list --scenes", 0);
    assert_eq!(scenes["scenes"].as_array().map(Vec::len), Some(6));
    assert_eq!(scenes["scenes"][0]["views"][0], "surface");
}

#[test]
fn info_has_formats_limits_and_the_derived_rectangle() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "info"));
    assert_says(&text, &["renderer", "Rgba32F", "rectangle 26x18"]);
    let info = object(&folder, "info", 0);
    assert_eq!(info["nv30"]["rectangle"], "26x18");
    assert_eq!(info["commit"], env!("FRAGSTREAM_COMMIT"));
    assert!(number(&info, "/limits/texture_size") >= 1024.0);
    assert!(number(&info, "/limits/texture_units") >= 16.0);
    let formats = info["formats"].as_array().unwrap();
    assert_eq!(formats.len(), fragstream::stream::Format::ALL.len());
    assert!(formats.iter().all(|format| format["ok"] == true));
}

#[test]
fn a_claim_is_checked_with_an_input_and_its_report_is_written() {
    let folder = tempdir().unwrap();
    let line = "reproduce bolz2003/vcycle --quick --size 33 --sweeps 2,2 --out r";
    let report = object(&folder, line, 0);
    assert_eq!(report["claims"][0]["id"], "bolz2003/vcycle-size-33-pre-2-post-2");
    let paper = report["claims"][0]["paper"].as_str().unwrap();
    assert_eq!(paper, "theory: (2/3) to the number of sweeps");
    let command = report["claims"][0]["command"].as_str().unwrap();
    assert!(command.ends_with("--size 33 --pre 2 --post 2"), "{command}");
    assert!(folder.path().join("r/report.html").is_file());
}

#[cfg(unix)]
#[test]
fn a_device_that_is_no_text_is_exit_2() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempdir().unwrap();
    let device = std::ffi::OsStr::from_bytes(b"\xff");
    let line = fails(fragstream(&folder, "info").env("FRAGSTREAM_DEVICE", device), 2);
    assert_says(&line, &["FRAGSTREAM_DEVICE", "Give a number"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_argument_that_is_not_text_is_used_or_refused() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempdir().unwrap();
    let missing = std::ffi::OsStr::from_bytes(b"no\xff");
    for command in
        ["solve", "smooth", "fem", "tonemap", "heat", "film", "listing", "layouts matrix"]
    {
        let output = fragstream(&folder, command).arg(missing).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_system_is_one_line_and_exit_2() {
    let folder = tempdir().unwrap();
    for (limit, arguments, says) in [
        ("-f 1", "poisson --size 65x65 --rtol 1e-3 --out u.f32", "u.f32: cannot write: "),
        ("-v 1048576", "heat --size 4097x4097", "4097x4097 nodes: needs about"),
        ("-v 1048576", "poisson --size 3073x3073", "needs about 1.3 GB of memory"),
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
fn operators_are_timed_and_compared_with_their_ceilings_and_the_cpu() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "bench kruger2003 --quick"));
    // Nothing of another paper.
    assert!(!text.contains("the scan"), "{text}");
    // Kernel, ceiling, ratio, CPU and its ratio.
    let line = text.lines().find(|line| line.starts_with("x y, one"));
    let numbers = line.unwrap()["x y, one per texel".len()..].split_whitespace();
    let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers.len(), 5);
    assert!(numbers.iter().all(|&number| number > 0.0), "{numbers:?}");
}

#[test]
fn the_model_of_the_cards_is_printed_and_written() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "card --csv c.csv --png c.png"));
    assert_says(&text, &["seconds per pass", "held-out", "ratio"]);
    let csv = fs::read_to_string(folder.path().join("c.csv")).unwrap();
    let timings = object(&folder, "card", 0);
    assert_eq!(csv.lines().count(), timings["timings"].as_array().unwrap().len() + 1);
    assert!(image::open(folder.path().join("c.png")).is_ok());
}

#[test]
fn a_scene_is_filmed_into_a_page_of_its_name() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "film"));
    assert_says(&text, &["vcycle", "spmv"]);
    succeeds(&mut fragstream(&folder, "film spmv"));
    assert_eq!(names(&folder), ["spmv.html"]);
}

#[test]
fn the_ledger_goes_to_standard_error() {
    let folder = tempdir().unwrap();
    let table = fragstream(&folder, "solve unit_cube --ledger").assert().code(0);
    let text = String::from_utf8_lossy(&table.get_output().stderr).into_owned();
    assert_says(&text, &["kernel", "bolz2003/sparse/spmv", "read-backs"]);
    let json = fragstream(&folder, "--ledger=json solve unit_cube --json").assert().code(0);
    let ledger: Value = serde_json::from_slice(&json.get_output().stderr).unwrap();
    assert!(ledger["uploads"].as_u64().unwrap() > 0);
    assert!(ledger["uncounted"].is_null(), "{ledger}");
    let solution = result(&json.get_output().stdout, "solve unit_cube");
    assert_eq!(solution["reason"], "converged");
}

#[test]
fn the_passes_of_a_run_are_a_folded_list_of_all_that_the_ledger_counts() {
    let folder = tempdir().unwrap();
    for line in ["cycle --size 17", "solve unit_cube", "water --size 16x16 --steps 3"] {
        let run = fragstream(&folder, &format!("{line} --passes --json --ledger=json"));
        let run = { run }.assert().code(0);
        let result: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
        let ledger: Value = serde_json::from_slice(&run.get_output().stderr).unwrap();
        // Passes, fragments, fetches, switches of the target and read-backs, groups as often as they are done.
        fn sum(items: &Value, times: u64, all: &mut [u64; 5]) {
            for item in items.as_array().unwrap() {
                let number = |name: &str| times * item[name].as_u64().unwrap();
                if item["times"].is_u64() {
                    sum(&item["passes"], number("times"), all);
                } else if item["pass"] == "(read back)" {
                    all[4] += times;
                } else {
                    let more = [times, number("fragments"), number("fetches")];
                    all.iter_mut().zip(more).for_each(|(all, more)| *all += more);
                    all[3] += item["switches"][0].as_u64().unwrap();
                }
            }
        }
        let mut all = [0; 5];
        sum(&result["passes"], 1, &mut all);
        let kernels = ledger["kernels"].as_object().unwrap();
        let total =
            |name: &str| kernels.values().map(|one| one[name].as_u64().unwrap()).sum::<u64>();
        let own = |name: &str| ledger[name].as_u64().unwrap();
        let expected: [u64; 3] = [total("passes"), total("fragments"), total("fetches")];
        assert_eq!(all[..3], expected, "{line}");
        assert_eq!(all[3..], [own("target_switches"), own("read_backs")], "{line}");
    }
    let table = fragstream(&folder, "cycle --size 17 --passes").assert().code(0);
    let text = String::from_utf8_lossy(&table.get_output().stderr).into_owned();
    assert_says(&text, &[" × [", "jacobi with grid_inner", "u 11x11", "2 target"]);
}

#[test]
fn as_json_the_ledger_is_one_object_that_holds_the_notes() {
    let folder = tempdir().unwrap();
    for (line, code, notes) in [
        ("heat --size 17x13 --png t.png", 0, &["wrote t.png, "][..]),
        (
            "poisson --size 17 --refine 0 --rtol 1e-12 --history h.csv",
            3,
            &["wrote h.csv, ", "error: "],
        ),
        ("solve no.mtx", 2, &["error: no.mtx: "]),
        ("list card", 0, &[]),
    ] {
        let output = fragstream(&folder, &format!("{line} --ledger=json")).assert().code(code);
        let ledger: Value = serde_json::from_slice(&output.get_output().stderr).unwrap();
        assert!(ledger["kernels"].is_object(), "{ledger}");
        let found = ledger["notes"].as_array().unwrap();
        assert_eq!(found.len(), notes.len(), "{ledger}");
        for (found, start) in found.iter().zip(notes) {
            assert!(found.as_str().unwrap().starts_with(start), "{ledger}");
        }
    }
}

#[test]
fn a_missing_file_is_named_with_its_cause_once() {
    let folder = tempdir().unwrap();
    for line in [
        "solve no.mtx",
        "solve bcsstk01 --rhs no.mtx",
        "solve bcsstk01 --x0 no.mtx",
        "smooth no.ply o.ply",
        "fem no.msh",
        "fem no.tri",
        "heat no.toml",
        "heat no.png",
        "tonemap no.hdr o.png",
        "layouts matrix no.mtx",
        "poisson --rhs no.png",
        "poisson --rhs no.f32",
        "water --settings no.json",
    ] {
        let text = fails(&mut fragstream(&folder, line), 2);
        assert_eq!(text.matches("there is no such file").count(), 1, "{line}: {text}");
        assert!(!text.contains("os error") && !text.contains(".:"), "{line}: {text}");
    }
}

/// The options that make a line of the front page small enough for a test.
fn smaller(line: &str) -> &'static str {
    match line.split(' ').nth(1).unwrap() {
        "reproduce" | "bench" => "--quick",
        "jet" | "water" | "dye" | "wing" | "liquid" => "--steps 3",
        _ => "",
    }
}

#[test]
fn each_line_of_the_front_page_runs_in_an_empty_folder() {
    let page = include_str!("../../README.md");
    let rows = page.lines().filter(|line| line.starts_with("| `fragstream "));
    let code = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let lines: Vec<&str> = code.filter(|code| code.starts_with("fragstream ")).collect();
    assert!(lines.len() > 20, "{lines:?}");
    lines.into_par_iter().for_each(|line| {
        let folder = tempdir().unwrap();
        // Of a whole paper, which .ci/run tries, one claim.
        let short = [("--steps 600 ", ""), ("geveler2011", "geveler2011/transfer"), ("513", "65")];
        let words =
            short.iter().fold(line.to_owned(), |line, (long, short)| line.replace(long, short));
        let quoted = words.split('"').enumerate();
        let words: Vec<&str> = quoted
            .flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            })
            .collect();
        let mut command = fragstream(&folder, "");
        command.args(&words[1..]).args(smaller(line).split_whitespace());
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let code = if words[1] == "view" { 4 } else { 0 };
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
    });
}

#[test]
fn each_layout_that_the_report_shows_is_shown_again_by_its_command() {
    let figures = Path::new(env!("CARGO_MANIFEST_DIR")).join("figures");
    let report: Value =
        serde_json::from_slice(&fs::read(figures.join("report.json")).unwrap()).unwrap();
    let shown = report["exhibits"].as_array().unwrap().iter();
    let commands = shown.filter_map(|one| one["command"].as_str()?.strip_prefix("fragstream "));
    let layouts: Vec<&str> = commands.filter(|line| line.starts_with("layouts ")).collect();
    assert!(layouts.len() > 4, "{layouts:?}");
    for line in layouts {
        let folder = tempdir().unwrap();
        fragstream(&folder, &format!("{line} --rounds 1")).assert().code(0);
        assert_eq!(names(&folder).len(), 1, "{line}");
    }
}

#[test]
fn the_first_picture_is_made_by_the_command_below_it() {
    let page = include_str!("../../README.md");
    let picture = page.split("](figures/").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
    let line = page.lines().find(|line| line.contains("# the picture above")).unwrap();
    let (line, remark) = line.split_once(" #").unwrap();
    let folder = tempdir().unwrap();
    fragstream(&folder, line.trim().trim_start_matches("fragstream ")).assert().code(0);
    let made = remark.rsplit(' ').next().unwrap().split('/').next().unwrap();
    let made = folder.path().join(made).join(picture);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("figures").join(picture);
    assert_eq!(image::open(made).unwrap(), image::open(kept).unwrap());
}

#[test]
fn the_advice_that_aged_is_a_row_per_advice_with_the_outcome_on_each_machine() {
    let folder = tempdir().unwrap();
    let [kept, own] = ["", "/figures"].map(|report| {
        let report =
            format!("{}{report}", if report.is_empty() { "" } else { env!("CARGO_MANIFEST_DIR") });
        object(&folder, &format!("aged {report}"), 0)["advice"].as_array().unwrap().clone()
    });
    assert_eq!(kept.len(), own.len());
    for (kept, own) in kept.iter().zip(&own) {
        assert_eq!([&kept["sentence"], &kept["llvmpipe"]], [&own["sentence"], &own["llvmpipe"]]);
    }
    let row = |name: &str| kept.iter().find(|one| one["row"] == name).expect(name);
    // The interval on the H100 excludes 1 (1.56 to 1.71 times as long with 32 bits).
    assert!(row("half-storage")["H100"].as_str().unwrap().ends_with(" held"));
    assert_eq!(row("half-storage")["saves"], "bytes");
}

#[test]
fn every_command_prints_one_object() {
    let folder = tempdir().unwrap();
    Rgb32FImage::new(33, 33).save(folder.path().join("grey.hdr")).unwrap();
    let lines = [
        "aged",
        concat!("aged ", env!("CARGO_MANIFEST_DIR"), "/figures"),
        "bench kruger2003 --quick",
        "card",
        "fem circle --levels 2",
        "film",
        "film kernel",
        "jet --size 33x17 --steps 1",
        "cycle --size 17 --steps 1",
        "heat --size 9",
        "info",
        "layouts grid --size 9 --rounds 1",
        "layouts matrix unit_cube --layouts rows --rounds 1",
        "layouts vector --size 10 --rounds 1",
        "liquid --size 8 --steps 1",
        "kit kit kruger2003/single-pixels --quick",
        "list",
        "listing",
        "listing bolz2003/sparse/spmv batty2003/printed",
        "listing bolz2003/sparse/spmv --form arb",
        "dye --size 16 --steps 1",
        "poisson --size 9",
        "reproduce card/cards",
        "run bolz2003/cycles --size 17",
        "run water --size 16 --steps 1",
        "smooth bunny smooth.ply --steps 1",
        "solve unit_cube",
        "tonemap grey.hdr grey.png",
        "water --size 16 --steps 1",
        "wing --size 9x17 --steps 1",
    ];
    for line in lines {
        assert!(object(&folder, line, 0).is_object(), "{line}");
    }
    for command in grammar().get_subcommands().map(clap::Command::get_name) {
        // A window needs a display: see `window`. A script of completions is not an object.
        let is_tried = lines.iter().any(|line| line.split(' ').next() == Some(command));
        assert!(is_tried || ["view", "completions"].contains(&command), "{command}");
    }
}

#[test]
fn a_picture_that_was_not_asked_for_is_offered_on_a_terminal_alone() {
    let folder = tempdir().unwrap();
    let notes = |line: &str| {
        let output = fragstream(&folder, line).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(notes("heat --size 17x13"), "");
    assert!(notes("heat --size 17x13 --png t.png").starts_with("wrote t.png, "));
    let on_terminal = |line: &str| {
        let line = format!("{} {line}", cargo_bin!("fragstream").display());
        let mut script = Command::new("script");
        script.args(["--quiet", "--return", "/dev/null", "--command", &line]);
        let output = script.current_dir(&folder).stdin(Stdio::null()).output();
        output.map(|output| String::from_utf8(output.stdout).unwrap())
    };
    let Ok(text) = on_terminal("heat --size 17x13") else {
        println!("skipped: there is no `script` (Debian: bsdutils)");
        assert!(std::env::var_os("FRAGSTREAM_NO_SKIPS").is_none());
        return;
    };
    assert_says(&text, &["tip: --png FILE.png: Draw the temperature"]);
    for line in ["heat --size 17x13 --png t.png", "heat --size 17x13 --json", "list card"] {
        assert!(!on_terminal(line).unwrap().contains("tip: "), "{line}");
    }
}

#[test]
fn a_film_of_a_command_that_draws_nothing_is_refused_before_it_runs() {
    let folder = tempdir().unwrap();
    for command in ["list", "listing", "card", "info", "film"] {
        let mut line = fragstream(&folder, &format!("{command} --film x.html"));
        let message = fails(&mut line, 2);
        assert_says(&message, &["x.html: ", command, "draws nothing", "Leave out --film"]);
        line.assert().stdout("");
    }
    assert!(names(&folder).is_empty());
}

#[test]
fn a_closed_pipe_ends_quietly_and_does_not_stop_the_work() {
    let folder = tempdir().unwrap();
    for line in ["list", "info --json", "--help", "heat --size 17x13 --out t.f32 --json"] {
        let mut child = Command::new(cargo_bin!("fragstream"))
            .args(line.split(' '))
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
        let notes = String::from_utf8_lossy(&output.stderr);
        assert!(notes.is_empty() || notes.starts_with("wrote t.f32"), "{line}: {notes}");
    }
    assert_eq!(names(&folder), ["t.f32"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_exit_2() {
    for arguments in [vec!["list"], vec!["info", "--json"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output =
            Command::new(cargo_bin!("fragstream")).args(&arguments).stdout(full).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert_says(&text, &["error: standard output: "]);
    }
}

/// A command on a system on which EGL finds no driver.
#[cfg(target_os = "linux")]
fn without_a_driver(folder: &tempfile::TempDir, arguments: &str) -> assert_cmd::Command {
    let mut command = fragstream(folder, arguments);
    command.env("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent").env_remove("FRAGSTREAM_BACKEND");
    command
}

#[cfg(target_os = "linux")]
#[test]
fn small_runs_need_no_driver_and_long_ones_name_the_packages() {
    let folder = tempdir().unwrap();
    let run = without_a_driver(&folder, "water --size 16x16 --steps 2 --json").assert().success();
    let [printed, noted] = [&run.get_output().stdout, &run.get_output().stderr];
    assert_says(&String::from_utf8_lossy(noted), &["no OpenGL", "interpreter"]);
    let printed: Value = serde_json::from_slice(printed).unwrap();
    assert_eq!(
        (&printed["backend"], &printed["arithmetic"]),
        (&"interpreter".into(), &"single precision".into())
    );
    for long in ["water --size 512x512 --steps 100000", "reproduce --quick"] {
        assert_says(&fails(&mut without_a_driver(&folder, long), 4), &["a minute", "apt-get"]);
    }
    let asked = fails(&mut without_a_driver(&folder, "info --backend glsl"), 4);
    assert_says(&asked, &["no EGL", "apt-get"]);
    let rows = "reproduce kruger2003/not-square goodnight2003/fig7 --quick --out r --json";
    let run = without_a_driver(&folder, rows).assert().success();
    let rows: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(rows["result"]["run"]["backend"], "interpreter");
    let verdict = |at: usize| &rows["result"]["claims"][at]["verdict"];
    assert_eq!([verdict(0), verdict(1)], ["reproduced", "not run"]);
}

#[test]
fn registers_are_chosen_for_the_interpreter_alone() {
    let folder = tempdir().unwrap();
    let water = "water --size 16x16 --steps 2 --ledger=json";
    let run = fragstream(&folder, &format!("{water} --arithmetic r300-24")).assert().success();
    let ledger: Value = serde_json::from_slice(&run.get_output().stderr).unwrap();
    assert_eq!(ledger["backend"], "interpreter");
    assert_eq!(ledger["arithmetic"], "24 bits of R300, truncated");
    let both =
        fails(&mut fragstream(&folder, &format!("{water} --arithmetic single --backend arb")), 2);
    assert_says(&both, &["--arithmetic", "--backend"]);
    let drawn = fails(
        &mut fragstream(&folder, "liquid --size 8 --steps 1 --png l.png --backend interpreter"),
        4,
    );
    assert_says(&drawn, &["the interpreter cannot", "--backend"]);
}

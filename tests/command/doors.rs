//! What comes in from others, and what goes out: names of any bytes, texts of any encoding, links to endless files, films,
//! reports with markup, and files that fragstream did not write.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::command::support::*;

const PROGRAM: &str = "uniform stream x;\nvoid main() { result = fetch(x, here); }\n";
const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// The report of the repository.
fn figures(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("figures").join(name)
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_any_bytes_are_files() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempdir().unwrap();
    let name = |end: &str| OsStr::from_bytes(&[b"n\xff", end.as_bytes()].concat()).to_owned();
    let put = |end: &str, bytes: &[u8]| fs::write(folder.path().join(name(end)), bytes).unwrap();
    let case = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name);
        fs::read(path).unwrap()
    };
    put(".mtx", format!("{HEADER}1 1 1\n1 1 2\n").as_bytes());
    put(".off", &case("one_line.off"));
    put(".msh", &case("unit_square.msh"));
    put(".hdr", &case("plain24.hdr"));
    put(".toml", &fs::read(bundled("plate.toml")).unwrap());
    put(".frag", PROGRAM.as_bytes());
    // The command, its file, and the option of a result with the end of its name.
    for (command, end, result) in [
        ("solve", ".mtx", "--out .x.mtx"),
        ("smooth --steps 1", ".off", "--out .x.off"),
        ("fem --levels 2", ".msh", "--png .x.png"),
        ("tonemap", ".hdr", "--out .y.png"),
        ("heat --size 9", ".toml", "--out .x.f32"),
        ("listing", ".frag", ""),
        ("film --steps 1 --size 4", ".frag", "--out .x.html"),
        ("layouts matrix --layouts rows --rounds 1", ".mtx", ""),
        ("poisson --size 9 --png", ".z.png", ""),
        ("completions", "", ""),
    ] {
        let mut line = fragstream(&folder, command);
        let line = line.arg(name(end));
        if let Some((option, end)) = result.split_once(' ') {
            line.arg(option).arg(name(end));
        }
        let output = line.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{command}: {text}");
        // The names are shown by their bytes.
        assert!(!text.contains("wrote") || text.contains("n\\xff"), "{command}: {text}");
        if let Some((_, end)) = result.split_once(' ') {
            assert!(folder.path().join(name(end)).is_file(), "{command}");
        }
    }
    let missing = fragstream(&folder, "solve").arg(name(".missing")).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert_says(&String::from_utf8(missing.stderr).unwrap(), &["n\\xff.missing", "no such file"]);
    // A result does not replace what is read.
    let own = fragstream(&folder, "tonemap").args([name(".hdr"), name(".hdr")]).output().unwrap();
    assert_eq!(own.status.code(), Some(2));
}

#[test]
fn texts_of_each_encoding_are_the_same() {
    let program = PROGRAM;
    let files = [
        ("solve", "a.mtx", format!("{HEADER}1 1 1\n1 1 2\n")),
        ("smooth --steps 1 --out o.ply", "a.obj", TETRAHEDRON.into()),
        ("heat --size 9", "a.toml", fs::read_to_string(bundled("plate.toml")).unwrap()),
        ("listing", "a.frag", program.to_owned()),
        ("listing", "b.frag", program.replace(' ', "\u{a0}")),
    ];
    for (command, name, text) in &files {
        let marked = format!("\u{feff}{text}");
        let [little, big] = [u16::to_le_bytes, u16::to_be_bytes]
            .map(|to: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(to).collect::<Vec<u8>>());
        let printed = [text.as_bytes(), marked.as_bytes(), &little, &big].map(|bytes| {
            let folder = folder_with(name, bytes);
            succeeds(&mut fragstream(&folder, &format!("{command} {name}")))
        });
        if !["smooth", "heat", "solve"].iter().any(|timed| command.starts_with(timed)) {
            assert!(printed.iter().all(|one| *one == printed[0]), "{name}");
        }
    }
    // Blanks of others do not reach the driver.
    let folder = folder_with("b.frag", &files[4].2);
    succeeds(&mut fragstream(&folder, "film b.frag --steps 1 --size 4 --backend glsl"));
    let zero_width = program.replacen(' ', "\u{200b}", 1);
    let folder = folder_with("c.frag", zero_width);
    assert_says(&fails(&mut fragstream(&folder, "listing c.frag"), 2), &["1:8", "(U+200B)"]);
}

#[test]
fn texts_of_files_do_not_command_the_terminal() {
    let escape = "\\u001b]0;owned\\u0007\\u001b[2J";
    let long = "x".repeat(100_000);
    let folder = tempdir().unwrap();
    for (name, preset, field) in [("a", escape, "size"), ("b", "", escape), ("c", "", &long)] {
        let text = format!(
            "{{\"experiment\": {{\"preset\": \"{preset}\", \"settings\": {{\"{field}\": \"9x9\"}}}}}}"
        );
        fs::write(folder.path().join(name), text).unwrap();
        let line = format!("heat --settings {name}");
        let output = fragstream(&folder, &line).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.trim_end().contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
        assert!(said.len() < 5000, "{name}: {} bytes", said.len());
    }
}

#[test]
fn what_is_printed_does_not_command_the_terminal() {
    let folder = tempdir().unwrap();
    let name = "a\u{1b}[2J.frag";
    let text = PROGRAM.replace("; }", "; /* \u{1b}]0;owned\u{7}\u{9b}2J\u{1b}[8m */ }");
    fs::write(folder.path().join(name), text).unwrap();
    let mut report: serde_json::Value =
        serde_json::from_slice(&fs::read(figures("report.json")).unwrap()).unwrap();
    for run in report["runs"].as_array_mut().unwrap() {
        run["renderer"] = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}2J".into();
    }
    fs::write(folder.path().join("r.json"), report.to_string()).unwrap();
    fs::create_dir(folder.path().join("f")).unwrap();
    fs::copy(figures("report.json"), folder.path().join("f/report.json")).unwrap();
    for columns in [None, Some("60")] {
        for words in [
            &["listing", name][..],
            &["listing", name, "--form", "arb"],
            &["listing", name, "--json"],
            &["reproduce", "--compare", "r.json", "--out", "f"],
        ] {
            let mut line = fragstream(&folder, "");
            line.args(words);
            columns.map(|columns| line.env("COLUMNS", columns));
            let output = line.output().unwrap();
            let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{words:?}: {said:?}");
            assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
            if words.contains(&"--json") {
                serde_json::from_str::<serde_json::Value>(&said).unwrap();
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn reports_without_end_are_refused_and_a_table_that_cannot_be_read_is_named() {
    use std::os::unix::fs::symlink;
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("z")).unwrap();
    symlink("/dev/zero", at("z/report.json")).unwrap();
    let line = fails(&mut fragstream(&folder, "reproduce --compare z --out o"), 2);
    assert_says(&line, &["report.json", "more than 64 MiB"]);
    fs::create_dir(at("y")).unwrap();
    fs::copy(figures("report.json"), at("y/report.json")).unwrap();
    symlink("/dev/zero", at("y/limits.csv")).unwrap();
    assert_says(&fails(&mut fragstream(&folder, "aged y --out ag"), 2), &["limits.csv", "64 MiB"]);
    fs::remove_file(at("y/limits.csv")).unwrap();
    for bytes in [&b"h\nseconds per draw,1,1,1\xff\n"[..], b"h\nseconds per draw,0,0,0\n"] {
        fs::write(at("y/limits.csv"), bytes).unwrap();
        assert_says(&fails(&mut fragstream(&folder, "aged y --out ag"), 2), &["limits.csv"]);
    }
    fs::remove_file(at("y/limits.csv")).unwrap();
    fs::create_dir(at("y/limits.csv")).unwrap();
    assert_says(&fails(&mut fragstream(&folder, "aged y --out ag"), 2), &["limits.csv"]);
    assert!(!at("ag").exists());
    // A report of nothing that was asked for.
    fs::write(at("no.json"), "{\"benchmarks\": []}").unwrap();
    assert_says(
        &fails(&mut fragstream(&folder, "reproduce --compare no.json --out o"), 2),
        &["no.json"],
    );
}

#[test]
fn markup_and_other_s_numbers_do_not_reach_the_page() {
    let folder = tempdir().unwrap();
    let mut report: serde_json::Value =
        serde_json::from_slice(&fs::read(figures("report.json")).unwrap()).unwrap();
    for run in report["runs"].as_array_mut().unwrap() {
        run["renderer"] = "a,b<script>alert(1)</script>|".into();
        run["cpu"] = "<script>|\u{1b}[2J".into();
    }
    for (at, claim) in report["claims"].as_array_mut().unwrap().iter_mut().enumerate() {
        for value in claim["values"].as_array_mut().unwrap() {
            if value["measured"]["median"].is_number() && at % 3 == 0 {
                value["measured"]["median"] = (-1.0).into();
            }
        }
    }
    fs::create_dir(folder.path().join("h")).unwrap();
    fs::write(folder.path().join("h/report.json"), report.to_string()).unwrap();
    succeeds(&mut fragstream(&folder, "aged h --out ag"));
    let read = |name: &str| fs::read_to_string(folder.path().join("ag").join(name)).unwrap();
    assert!(!read("README.md").contains("<script"));
    for page in ["README.md", "aged.svg"] {
        assert!(!read(page).contains("NaN") && !read(page).contains('\u{1b}'), "{page}");
    }
    // Heads have as many columns as the lines below.
    let table = read("aged.csv");
    let columns = |line: &str| {
        let mut quoted = false;
        line.chars()
            .filter(|&c| {
                quoted ^= c == '"';
                c == ',' && !quoted
            })
            .count()
    };
    let mut lines = table.lines().map(columns);
    let head = lines.next();
    assert!(lines.all(|line| Some(line) == head));
}

#[test]
fn a_page_replaces_only_what_fragstream_wrote() {
    let folder = folder_with("README.md", "my own\n");
    let figures = figures("");
    let line = format!("aged {} --out .", figures.display());
    let said = fails(&mut fragstream(&folder, &line), 2);
    assert_says(&said, &["README.md", "did not write this file", "--force"]);
    assert_eq!(names(&folder), ["README.md"]);
    assert_eq!(fs::read_to_string(folder.path().join("README.md")).unwrap(), "my own\n");
    succeeds(&mut fragstream(&folder, &format!("{line} --force")));
    assert_eq!(names(&folder), ["README.md", "aged.csv", "aged.svg"]);
    // Its own files are replaced.
    succeeds(&mut fragstream(&folder, &line));
}

#[test]
fn completions_keep_blanks_and_offer_files_where_files_are_taken() {
    let folder = folder_with("my file.mtx", "");
    fs::write(folder.path().join("myfile"), "").unwrap();
    succeeds(&mut fragstream(&folder, "completions c"));
    let completed = |words: &str, option: &str| {
        let script = format!(
            "compopt() {{ :; }}; source c/fragstream.bash; COMP_WORDS=(fragstream {words} my); COMP_CWORD=3; \
             _fragstream fragstream my {option}; printf '<%s>' \"${{COMPREPLY[@]}}\""
        );
        let mut bash = std::process::Command::new("bash");
        let output = bash.arg("-c").arg(script).current_dir(&folder).output();
        output.ok().map(|output| String::from_utf8(output.stdout).unwrap())
    };
    let Some(files) = completed("solve --rhs", "--rhs") else {
        println!("skipped: there is no bash");
        return;
    };
    assert!(files.contains("<my file.mtx>"), "{files}");
    for option in ["--dirichlet", "--neumann"] {
        assert_eq!(completed(&format!("fem {option}"), option).unwrap(), "<my>", "{option}");
    }
    let both = completed("fem --png", "--png").unwrap();
    assert!(both.contains("<my file.mtx>") && both.contains("<myfile>"), "{both}");
}

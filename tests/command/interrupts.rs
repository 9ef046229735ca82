//! Commands that are interrupted: what is finished is kept.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use fragstream::claim::Report;
use image::{AnimationDecoder, codecs::gif::GifDecoder};
use tempfile::tempdir;

use crate::command::support::*;

/// A command that runs in a folder. It is killed when a test fails.
struct Running(Child);

impl Running {
    fn new(folder: &Path, line: &str) -> Self {
        let mut command = Command::new(cargo_bin!("fragstream"));
        command.current_dir(folder).args(line.split_whitespace());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(command.spawn().expect("the command"))
    }

    fn is_over(&mut self) -> bool {
        self.0.try_wait().expect("a child").is_some()
    }

    fn wait_for(&mut self, what: &str, mut is_there: impl FnMut() -> bool) {
        while !is_there() {
            assert!(!self.is_over(), "it ended before {what}");
            sleep(Duration::from_millis(5));
        }
    }

    fn send(&self, signal: &str) {
        let kill =
            Command::new("kill").args([format!("-{signal}"), self.0.id().to_string()]).status();
        assert!(kill.expect("kill").success());
    }

    /// The exit code, and standard error.
    fn end(mut self) -> (Option<i32>, String) {
        let mut text = String::new();
        let error = self.0.stderr.as_mut().expect("piped");
        error.read_to_string(&mut text).expect("text");
        (self.0.wait().expect("a child").code(), text)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn has_parts(folder: &Path) -> bool {
    names(folder).iter().any(|name| name.ends_with(".part"))
}

#[test]
fn an_interrupted_run_keeps_the_claims_that_it_has_checked() {
    for (signal, code) in [("HUP", 129), ("TERM", 143)] {
        let folder = tempdir().unwrap();
        let out = folder.path().join("r");
        let mut run = Running::new(folder.path(), "reproduce geveler2011 --quick --out r");
        run.wait_for("its first claim", || out.join("report.json").exists());
        run.send(signal);
        let (ended, text) = run.end();
        assert_eq!(ended, Some(code), "{text}");
        assert_says(&text, &["interrupted after ", "report.html"]);
        let claims = Report::read(&out).unwrap().claims;
        assert!(!claims.is_empty() && claims.len() < 20, "{}", claims.len());
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        let csv = fs::read_to_string(out.join("report.csv")).unwrap();
        for claim in &claims {
            assert!(page.contains(&format!("id=\"{}\"", claim.id)) && csv.contains(&claim.id));
            for file in claim.files() {
                assert!(out.join(file).exists(), "{file}");
            }
        }
        assert!(!has_parts(&out));
    }
}

#[test]
fn an_interrupted_race_keeps_the_samples_of_finished_processes_and_ends_the_present_one() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("r");
    let mut run = Running::new(folder.path(), "reproduce kruger2003/vecmul --order 5 --out r");
    run.wait_for("its first process", || out.join("samples.csv").exists());
    run.send("TERM");
    let (ended, text) = run.end();
    assert_eq!(ended, Some(143), "{text}");
    assert_says(&text, &["interrupted after 0 of 1 claims"]);
    let samples = fs::read_to_string(out.join("samples.csv")).unwrap();
    // Three durations, three twins, six rounds.
    let of_first = samples.lines().filter(|line| line.starts_with("1,1,twins")).count();
    assert_eq!(of_first, 54, "{samples}");
    assert!(fs::read_to_string(out.join("runs.csv")).unwrap().ends_with(",5\n"));
    let is_left = |entry: &fs::DirEntry| {
        fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder.path())
    };
    let left = fs::read_dir("/proc").unwrap().flatten().filter(is_left).count();
    assert_eq!(left, 0);
}

#[test]
fn a_second_run_into_a_folder_is_refused_while_the_first_one_runs() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("r");
    let mut run = Running::new(folder.path(), "reproduce geveler2011 --quick --out r");
    run.wait_for("its first claim", || out.join("report.json").exists());
    let line = "reproduce bolz2003/rectangle --quick --out r";
    assert_says(&fails(&mut fragstream(&folder, line), 2), &["another run", "--out"]);
}

#[test]
fn an_interrupted_animation_keeps_its_frames_its_rows_and_its_last_state() {
    let signals = [("HUP", 129), ("INT", 130), ("QUIT", 131), ("TERM", 143), ("XCPU", 152)];
    for (signal, code) in signals {
        let folder = tempdir().unwrap();
        let line = "wing --size 17 --radius 10 --steps 1000000 --every 1 --width 16 --gif w.gif --png w.png";
        let mut run = Running::new(folder.path(), line);
        let mut output = BufReader::new(run.0.stdout.take().expect("piped"));
        let mut text = String::new();
        // The heading and the first row.
        for _ in 0..2 {
            output.read_line(&mut text).unwrap();
        }
        run.send(signal);
        output.read_to_string(&mut text).unwrap();
        let (ended, notes) = run.end();
        assert_eq!(ended, Some(code), "{notes}");
        assert_says(
            &notes,
            &["interrupted after step ", "of 1000000", "wrote w.gif", "wrote w.png"],
        );
        assert_says(&text, &["steps per second"]);
        let gif = BufReader::new(fs::File::open(folder.path().join("w.gif")).unwrap());
        assert!(GifDecoder::new(gif).unwrap().into_frames().count() >= 1);
        assert!(image::open(folder.path().join("w.png")).is_ok());
    }
}

#[test]
fn an_interrupted_animation_in_a_folder_has_whole_frames() {
    let folder = tempdir().unwrap();
    let line = "water --size 16 --width 16 --steps 1000000 --every 1 --frames f";
    let mut run = Running::new(folder.path(), line);
    let second = folder.path().join("f/frame-0001.png");
    run.wait_for("its second frame", || second.exists());
    run.send("INT");
    let (ended, notes) = run.end();
    assert_eq!(ended, Some(130), "{notes}");
    let frames = names(folder.path().join("f"));
    assert_says(&notes, &["interrupted after step ", &format!("wrote {} frames", frames.len())]);
    for frame in frames {
        assert!(image::open(folder.path().join("f").join(&frame)).is_ok(), "{frame}");
    }
}

/// Sends a signal to a command that writes a large file, while a part of it is there. Returns the exit code, and whether
/// there was a part.
fn ended_while_writing(signal: &str) -> (Option<i32>, bool) {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("u.f32"), "old").unwrap();
    let line = "poisson --size 1025x1025 --maxiter 1 --rtol 1 --out u.f32";
    let mut run = Running::new(folder.path(), line);
    let mut is_seen = false;
    while !run.is_over() && !is_seen {
        is_seen = has_parts(folder.path());
    }
    if !run.is_over() {
        run.send(signal);
    }
    let (code, text) = run.end();
    assert!(!has_parts(folder.path()), "{signal}: {text}");
    let bytes = fs::read(folder.path().join("u.f32")).unwrap();
    assert!(bytes == b"old" || bytes.len() == 4 * 1025 * 1025, "{signal}");
    (code, is_seen)
}

#[test]
fn a_signal_leaves_no_part_of_a_file() {
    let mut seen = 0;
    let all = ["HUP", "USR1", "XCPU", "BUS", "QUIT", "TERM", "USR2", "ALRM", "VTALRM", "ABRT"];
    let tried = if all_calls() { all.len() } else { 4 };
    // On a busy machine a part may come and go while this test waits for its turn: it then tries again.
    for (number, signal) in all[..tried].iter().cycle().take(20).enumerate() {
        if number >= tried && seen > 0 {
            break;
        }
        let (code, is_seen) = ended_while_writing(signal);
        // A signal without a code of its own ends the process as if it had not been handled.
        let number = ["HUP", "QUIT", "TERM", "XCPU"].iter().position(|one| one == signal);
        let right = number.map(|at| [129, 131, 143, 152][at]);
        assert!(code == Some(0) || code == right, "{signal}: {code:?}");
        seen += usize::from(is_seen);
    }
    assert!(seen > 0, "no part was ever seen");
}

#[test]
fn a_second_signal_ends_a_run_whose_disk_hangs() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("r");
    fs::create_dir(&out).unwrap();
    // A pipe without a reader: opening it does not return.
    let made = Command::new("mkfifo").arg(out.join("report.html")).status();
    assert!(made.expect("mkfifo").success());
    let mut run = Running::new(folder.path(), "reproduce bolz2003/rectangle --quick --out r");
    run.wait_for("its claim", || out.join("report.json").exists());
    sleep(Duration::from_secs(2));
    for signal in ["TERM", "INT"] {
        assert!(!run.is_over(), "the pipe was read");
        run.send(signal);
        sleep(Duration::from_secs(1));
    }
    let is_over = (0..60).any(|_| run.is_over() || (sleep(Duration::from_secs(1)), false).1);
    assert!(is_over, "two signals did not end it");
    assert_eq!(run.end().0, Some(130));
}

#[test]
fn a_signal_that_is_ignored_from_the_start_stays_ignored() {
    // As `nohup` does.
    let folder = tempdir().unwrap();
    let line = "wing --size 17 --radius 10 --steps 8 --width 16 --gif w.gif";
    let command = format!("trap '' HUP; exec {} {line}", cargo_bin!("fragstream").display());
    let mut run = Running(
        Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sh"),
    );
    sleep(Duration::from_millis(500));
    if !run.is_over() {
        run.send("HUP");
    }
    let (code, text) = run.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(folder.path().join("w.gif").exists());
}

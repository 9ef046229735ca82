//! Errors at every place in the code that can fail: writes of files, folders that are made, looks at the memory, textures
//! and passes. A command then ends with its exit code and one line; each file is the old one or a new one, and nothing
//! else is left.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::command::support::*;
use rayon::prelude::*;
use tempfile::{TempDir, tempdir, tempdir_in};

/// Commands that write files, and the smallest number of calls of each that fail at night.
const COMMANDS: [(&str, usize); 21] = [
    ("poisson --size 9x9 --out o.f32 --png o.png", 6),
    ("heat --size 9x9 --out o.f32 --csv o.csv", 6),
    ("solve a.mtx --out o.mtx --history o.csv", 6),
    ("smooth corners.obj o.ply --steps 1 --rtol 1e-2", 6),
    ("fem squares_4.msh --levels 2 --out o.vtu", 6),
    ("tonemap small.hdr o.png", 6),
    ("water --size 16 --width 16 --steps 4 --every 1 --gif o.gif", 6),
    ("dye --size 16 --width 16 --steps 2 --every 1 --frames o", 6),
    ("jet --size 17x9 --width 17 --steps 1 --png o.png --csv o.csv", 6),
    ("wing --size 9x17 --radius 10 --width 16 --steps 1 --png o.png", 6),
    ("cycle --size 9 --width 16 --steps 1 --png o.png", 6),
    ("liquid --size 8 --width 16 --steps 2 --every 1 --surface o.ply --surfaces o", 6),
    ("layouts matrix a.mtx --rounds 1 --csv o.csv", 6),
    ("layouts grid --size 3 --rounds 1 --csv o.csv", 6),
    ("layouts vector --size 4 --rounds 1 --csv o.csv", 6),
    ("layouts families --largest 1000 --rounds 1 --limit 0.01 --out o", 6),
    ("film gather --out o.html", 6),
    ("film --course course.toml --out o.html --diagrams o", 6),
    ("water --size 16 --steps 1 --film o.html", 6),
    ("completions o", 5),
    ("reproduce batty2003/memory --quick --out o", 9),
];

/// A course of the films that the diagrams show.
const COURSE: &str = "title = 'a'\nlessons = [
    { scene = 'reduction', title = 'b', text = '' },
    { scene = 'spmv', title = 'c', text = '' },
    { scene = 'one-surface', title = 'd', text = '' },
]\n";

/// The files below a folder, by their paths.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            let within = files(&path).into_iter();
            all.extend(within.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            all.insert(name, fs::read(path).unwrap());
        }
    }
    all
}

/// Tests whether a file whose contents depend on time is complete.
fn is_whole(name: &str, bytes: &[u8]) -> bool {
    match name.rsplit('.').next().unwrap() {
        "json" => serde_json::from_slice::<serde_json::Value>(bytes).is_ok(),
        "svg" => bytes.trim_ascii_end().ends_with(b"</svg>"),
        "html" => bytes.trim_ascii_end().ends_with(b"</html>"),
        "png" => image::load_from_memory(bytes).is_ok(),
        "gif" => bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"),
        "csv" | "md" => bytes.ends_with(b"\n"),
        _ => false,
    }
}

/// A folder with the inputs of the commands, and old files in the places of results.
fn folder(results: &BTreeMap<String, Vec<u8>>) -> TempDir {
    // Files there are synced at once.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempdir_in(memory) } else { tempdir() }.unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    fs::write(folder.path().join("a.mtx"), laplacian(12, 1.0)).unwrap();
    for name in ["corners.obj", "squares_4.msh"] {
        fs::copy(data.join(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("course.toml"), COURSE).unwrap();
    let picture = image::Rgb32FImage::from_fn(8, 8, |x, y| image::Rgb([(x * y) as f32 + 0.1; 3]));
    image::DynamicImage::from(picture).save(folder.path().join("small.hdr")).unwrap();
    for name in results.keys() {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // A report that cannot be read is refused.
        if !name.ends_with(".json") {
            fs::write(path, "old").unwrap();
        }
    }
    folder
}

/// Runs a command whose n-th call of a kind fails, and checks its end. Returns false if it makes fewer calls.
fn fails_at(
    line: &str,
    kind: &str,
    n: usize,
    inputs: &[String],
    right: &BTreeMap<String, Vec<u8>>,
) -> bool {
    let folder = folder(right);
    let mut command = fragstream(&folder, line);
    let output = command.env("FRAGSTREAM_FAIL", format!("{kind} {n}")).output().unwrap();
    let at = format!("{line}: {kind} {n}");
    let text = String::from_utf8(output.stderr).unwrap();
    let is_hit = text.contains("FRAGSTREAM_FAIL is hit");
    let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(!text.contains("panicked"), "{at}: {text}");
    match (is_hit, kind, output.status.code()) {
        (false, _, Some(0))
        | (true, "write", Some(2))
        | (true, "pass" | "texture", Some(2 | 4)) => {}
        // Less memory may be enough, or the rest of the work.
        (true, "memory", Some(0 | 2)) => {}
        // A layout is compared without its ceiling, too.
        (true, "pass", Some(0)) if line.starts_with("layouts") => {}
        (_, _, code) => panic!("{at}: {code:?}: {text}"),
    }
    let is_good = output.status.code() == Some(0);
    assert_eq!(errors.len(), usize::from(!is_good), "{at}: {text}");
    for (name, bytes) in files(folder.path()) {
        if !inputs.contains(&name) {
            let new = right.get(&name).unwrap_or_else(|| panic!("{at}: {name} is left"));
            assert!(bytes == b"old" || bytes == *new || is_whole(&name, &bytes), "{at}: {name}");
            assert!(!is_good || bytes != b"old", "{at}: {name} is not written");
        }
    }
    is_hit
}

/// Runs a command in which the n-th call of a kind fails: the first and the last place that writes, the first texture, and the
/// middle one of passes and of places that look at the memory. At night each n for the places that write and that look at
/// the memory, and the first and the middle one of the others. Returns the number of runs in which a call failed.
fn fails_everywhere(line: &str) -> usize {
    let sound = folder(&BTreeMap::new());
    let inputs = names(sound.path());
    let run = fragstream(&sound, line).env("FRAGSTREAM_FAIL", "count 0").assert().code(0);
    let counted = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    let mut right = files(sound.path());
    right.retain(|name, _| !inputs.contains(name));
    assert!(!right.is_empty(), "{line}: no results");
    let count = |kind: &str| {
        let all = counted.matches(&format!("FRAGSTREAM_FAIL counts {kind}\n")).count();
        let middle = all.div_ceil(2);
        let is_tried = |n: &usize| match (kind, all_calls()) {
            ("texture" | "pass", true) => [1, middle].contains(n),
            (_, true) => true,
            ("write", false) => [1, all].contains(n),
            ("texture", false) => *n == 1,
            (_, false) => *n == middle,
        };
        let numbers = (1..=all).filter(is_tried);
        numbers.filter(|&n| fails_at(line, kind, n, &inputs, &right)).count()
    };
    ["write", "memory", "texture", "pass"].map(count).iter().sum()
}

#[test]
fn a_call_that_fails_ends_a_command_in_good_order() {
    COMMANDS.par_iter().for_each(|&(line, least)| {
        let tried = fails_everywhere(line);
        println!("{tried:4} calls failed in: {line}");
        let least = if all_calls() { least } else { 2 };
        assert!(tried >= least, "{line}: only {tried} calls");
    });
}

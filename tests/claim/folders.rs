//! The folder of a paper: its table of sections names the files that exist, and its method names the paper's equations.

use std::fs;
use std::path::{Path, PathBuf};

const PAPERS: [&str; 5] = ["bolz2003", "kruger2003", "goodnight2003", "batty2003", "geveler2011"];

fn root(folder: &str, paper: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(paper)
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let of = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flat_map(of).collect()
}

/// The words in backticks of the last column of the table.
fn named(paper: &str) -> Vec<String> {
    let text = fs::read_to_string(root("src", paper).join("mod.rs")).expect("the module");
    let rows = text.lines().filter(|line| line.starts_with("//! |"));
    let cells = rows.map(|row| row.trim_end_matches(" |").rsplit(" | ").next().expect("a cell"));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// True if the paper or the streams have a program with this name, in which one star stands for any text.
fn is_program(paper: &str, name: &str) -> bool {
    let (start, end) = name.split_once('*').unwrap_or((name, ""));
    let is_it = |path: PathBuf| {
        let path = path.to_string_lossy().into_owned();
        path.contains(&format!("/{start}")) && path.ends_with(end)
    };
    [paper, "stream"].iter().any(|folder| files(&root("glsl", folder)).into_iter().any(is_it))
}

#[test]
fn the_table_of_sections_and_the_files_are_the_same() {
    for paper in PAPERS {
        let folder = root("src", paper);
        let is_file = |module: &str| {
            let path = folder.join(module.replace("::", "/"));
            path.with_extension("rs").is_file() || path.join("mod.rs").is_file()
        };
        let named = named(paper);
        let (programs, modules): (Vec<_>, Vec<_>) = named
            .iter()
            .filter(|name| !name.starts_with("crate::"))
            .partition(|name| name.contains('.') || name.contains('*'));
        for name in programs {
            assert!(is_program(paper, name), "{paper} has no {name}");
        }
        for name in &modules {
            assert!(is_file(name), "{paper} has no {name}");
        }
        for path in files(&folder) {
            let path = path.strip_prefix(&folder).expect("a file").with_extension("");
            let module = path.to_string_lossy().replace('/', "::");
            let is_in = |name: &&String| format!("{module}::").starts_with(&format!("{name}::"));
            let is_known = modules.iter().any(is_in) || module.ends_with("mod");
            assert!(is_known || module == "error", "no section of {paper} names {module}");
        }
    }
}

/// Files of the method that compute nothing of the paper, each with its reason.
const WITHOUT: [(&str, &str); 6] = [
    ("bolz2003/fluid/picture.rs", "Fig. 5 is a picture without a formula"),
    ("kruger2003/strokes.rs", "the paper gives no formula for strokes"),
    ("goodnight2003/multigrid/refinement.rs", "fragstream's: the paper ends at single precision"),
    ("goodnight2003/problem/side.rs", "names of sides"),
    ("goodnight2003/wing/forces.rs", "the paper computes no forces"),
    ("geveler2011/from_file.rs", "the paper reads no files of users"),
];

/// True for a comment inside a function that begins with a part of the paper, or is a line's number of its listing.
fn names_a_part(line: &str) -> bool {
    const PARTS: [&str; 4] = ["§", "Appendix ", "GPU Algorithm", "Preconditioned Conjugate"];
    line.starts_with("    ")
        && line.split_once("// ").is_some_and(|(_, comment)| {
            PARTS.iter().any(|part| comment.starts_with(part))
                || comment.chars().all(|letter| letter.is_ascii_digit() || ", ".contains(letter))
        })
}

#[test]
fn each_file_of_a_method_names_the_part_of_the_paper_that_it_computes() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut without = Vec::new();
    for path in PAPERS.iter().flat_map(|paper| files(&src.join(paper))) {
        let name = path.strip_prefix(&src).expect("a file").to_string_lossy().into_owned();
        let is_beside = ["/study/", "/scenes/", "/solves/", "/mod.rs", "/error.rs"];
        if is_beside.iter().any(|part| name.contains(part)) || !name.ends_with(".rs") {
            continue;
        }
        if !fs::read_to_string(&path).expect("a text").lines().any(names_a_part) {
            without.push(name);
        }
    }
    without.sort();
    let mut listed = WITHOUT.map(|(name, _)| name);
    listed.sort();
    assert_eq!(without, listed);
}

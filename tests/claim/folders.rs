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

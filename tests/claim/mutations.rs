//! `tests/mutations.md` tells which test notices when a program is broken: what it names is there.

use std::fs;

use crate::claim::readme::root;

#[test]
fn every_program_and_test_that_the_table_of_broken_programs_names_is_there() {
    let text = fs::read_to_string(root().join("tests/mutations.md")).expect("tests/mutations.md");
    let mut rows = 0;
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let program = cells[0].trim_start_matches("| ").trim_matches('`');
        assert!(root().join("glsl").join(program).exists(), "{program}");
        let Some((binary, test)) = cells.get(2).and_then(|cell| cell.split_once(": ")) else {
            continue;
        };
        let (binary, test) = (
            binary.trim_matches('`'),
            test.trim_end_matches(" |").trim_matches('`'),
        );
        let (module, function) = test.rsplit_once("::").expect("module::test");
        let file = root()
            .join("tests")
            .join(binary)
            .join(module.replace("::", "/"));
        let text = fs::read_to_string(file.with_extension("rs"))
            .or_else(|_| fs::read_to_string(file.join("mod.rs")));
        let text = text.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        assert!(
            text.contains(&format!("fn {function}()")),
            "{binary}: {test}"
        );
        rows += 1;
    }
    assert!(rows > 50, "{rows} rows");
}

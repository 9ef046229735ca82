//! A program that is broken on purpose, to show that a test can fail. Only for tests.
//!
//! The variable `FRAGSTREAM_MUTANT` holds a file below `glsl/`, a text in it and its replacement, separated by
//! tabs: the first columns of a row of `tests/mutants/programs.tsv`.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

use crate::base::memory::system_text;

static MUTANT: LazyLock<Option<Mutant>> = LazyLock::new(|| {
    let row = std::env::var("FRAGSTREAM_MUTANT").ok()?;
    Some(Mutant::new(&row))
});

/// Text of a file, and the broken text.
struct Mutant {
    sound: String,
    broken: String,
}

impl Mutant {
    fn new(row: &str) -> Self {
        let &[program, from, to, ..] = &*row.split('\t').collect::<Vec<_>>() else {
            panic!(
                "FRAGSTREAM_MUTANT: give a program, a text in it and its replacement, separated by tabs"
            );
        };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("glsl").join(program);
        let text = system_text(path)
            .unwrap_or_else(|| panic!("FRAGSTREAM_MUTANT: glsl/{program} is not readable"));
        assert!(text.contains(from), "FRAGSTREAM_MUTANT: no `{from}` in glsl/{program}");
        // A kernel moves these lines to its beginning.
        let lines = text.split('\n');
        let lines = lines.map(|line| if line.starts_with("#extension") { "" } else { line });
        let sound = lines.collect::<Vec<_>>().join("\n");
        let broken = sound.replacen(from, to, 1);
        Self { sound, broken }
    }
}

/// Returns the text of a program, broken if it contains the mutant's file. In that case a line is written to
/// standard error directly, because the test harness captures printed output.
pub fn mutated(text: &str) -> Cow<'_, str> {
    match &*MUTANT {
        Some(mutant) if text.contains(&mutant.sound) => {
            let _ = writeln!(std::io::stderr(), "FRAGSTREAM_MUTANT is in a program");
            text.replacen(&mutant.sound, &mutant.broken, 1).into()
        }
        _ => text.into(),
    }
}

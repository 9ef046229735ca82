//! Help texts, as files in `help/`. After a change, `FRAGSTREAM_SNAPSHOTS=write cargo test --test cli help`
//! writes them again.

use std::fs;
use std::path::Path;

use fragstream::command::grammar;
use tempfile::tempdir;

use super::support::{fragstream, succeeds};

/// The commands and their subcommands, with their long help.
fn helps(command: clap::Command, path: &str, found: &mut Vec<(String, String)>) {
    let mut command = command.term_width(100);
    found.push((path.to_owned(), command.render_long_help().to_string()));
    // What `run` runs has the settings of a scene, a solve or a study, and no text of its own.
    let inner = command.get_subcommands().filter(|_| path != "fragstream-run");
    for inner in inner.cloned() {
        let name = inner.get_name().to_owned();
        if name != "help" {
            helps(inner, &format!("{path}-{name}"), found);
        }
    }
}

#[test]
fn help_texts_are_those_in_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/help");
    let mut grammar = grammar();
    grammar.build();
    let mut found = Vec::new();
    helps(grammar, "fragstream", &mut found);
    assert!(found.len() > 20);
    let writes = std::env::var_os("FRAGSTREAM_SNAPSHOTS").is_some_and(|value| value == "write");
    for (name, text) in found {
        // Trailing blanks say nothing.
        let text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        let file = folder.join(format!("{name}.txt"));
        if writes {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&file, text).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(text, expected, "{name}: FRAGSTREAM_SNAPSHOTS=write updates the texts");
    }
}

#[test]
fn completions_and_the_manual_have_every_option_that_a_command_takes() {
    let folder = tempdir().unwrap();
    succeeds(&mut fragstream(&folder, "completions all"));
    let read = |name: &str| fs::read_to_string(folder.path().join("all").join(name)).unwrap();
    let completions = read("fragstream.bash");
    let mut grammar = grammar();
    grammar.build();
    let mut left = vec![("fragstream".to_owned(), grammar)];
    let mut options = 0;
    while let Some((path, command)) = left.pop() {
        let inner = command.get_subcommands().filter(|one| !one.is_hide_set());
        let inner = inner.filter(|one| one.get_name() != "help");
        // The label of a section has the names as they are.
        left.extend(inner.map(|one| (format!("{path} {}", one.get_name()), one.clone())));
        let page = read(&format!("{}.1", path.replace([' ', '/'], "-"))).replace("\\-", "-");
        let label = format!("        {})\n", path.replace([' ', '-'], "__subcmd__"));
        let (_, section) = completions.split_once(&label).expect("a section for each command");
        let words: Vec<&str> = section.lines().next().unwrap().split([' ', '"']).collect();
        for argument in command.get_arguments() {
            let Some(option) = argument.get_long().map(|name| format!("--{name}")) else {
                continue;
            };
            assert!(words.contains(&option.as_str()), "{path}: {option} in {words:?}");
            assert!(argument.is_hide_set() || page.contains(&option), "{path}.1: {option}");
            options += 1;
        }
    }
    assert!(options > 300, "{options}");
}

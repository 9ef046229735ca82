//! The commands, options, claims and files that the pages, the guide and the course name exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use clap::Command;
use clap::error::ErrorKind;
use fragstream::command::grammar;
use fragstream::papers::PAPERS;

use crate::claim::readme::{below_root, files, root};

/// A piece of code in a text: a line of a block, or a part of a sentence.
struct Code {
    /// The file, for messages.
    page: String,
    text: String,
    /// The language of its block; none within a sentence.
    block: Option<String>,
    /// The first code of its row, if it is in a table.
    row: String,
}

/// The code on all pages, in the guide and in the course.
fn code() -> Vec<Code> {
    let folders = ["figures", "glsl", "tests"].map(|folder| files(&root().join(folder)));
    let pages = folders
        .concat()
        .into_iter()
        .filter(|file| file.extension().is_some_and(|kind| kind == "md"));
    let others =
        ["README.md", "src/guide.rs", "src/film/course.toml"].map(|page| root().join(page));
    let mut code = Vec::new();
    for page in others.into_iter().chain(pages) {
        let text = fs::read_to_string(&page).expect("a page");
        let text = text.replace("<code>", "`").replace("</code>", "`");
        let name = below_root(&page).display().to_string();
        let mut block: Option<String> = None;
        for line in text.lines() {
            let line = line.strip_prefix("//!").map_or(line, str::trim_start);
            if let Some(language) = line.trim_start().strip_prefix("```") {
                block = if block.is_some() { None } else { Some(language.to_owned()) };
                continue;
            }
            let parts: Vec<&str> = match block {
                Some(_) => vec![line],
                None => line.split('`').skip(1).step_by(2).collect(),
            };
            let row =
                if line.starts_with('|') { parts.first().copied().unwrap_or_default() } else { "" };
            code.extend(parts.iter().map(|part| Code {
                page: name.clone(),
                text: (*part).to_owned(),
                block: block.clone(),
                row: row.to_owned(),
            }));
        }
    }
    code
}

/// The words of a command line without its remark, as a shell splits it, if it is one of fragstream's.
fn words(line: &str) -> Option<Vec<String>> {
    let line = line.split(" #").next()?;
    // Alternatives and remarks are set off by wide space.
    let line = line.split("   ").next()?.trim();
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in line.chars() {
        match (character, quote) {
            ('"' | '\'', None) => quote = Some(character),
            (mark, Some(open)) if mark == open => quote = None,
            (' ', None) => words.push(String::new()),
            (other, _) => words.last_mut()?.push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    (words.first()? == "fragstream").then_some(words)
}

/// Input files of commands, by the names of their arguments.
const INPUTS: [&str; 8] =
    ["input", "mesh", "matrix", "file", "rhs", "x0", "prolongation", "operator"];

/// Faults of a command that a sentence names without its arguments.
const UNFINISHED: [ErrorKind; 2] =
    [ErrorKind::MissingRequiredArgument, ErrorKind::MissingSubcommand];

#[test]
fn every_command_on_a_page_can_be_typed() {
    let (mut runs, mut grammar) = (0, grammar());
    for Code { page, text, block, .. } in code() {
        let is_pattern = text.contains(['[', '…', '<']) || text.contains("COMMAND");
        let Some(words) = words(&text).filter(|_| !is_pattern) else {
            continue;
        };
        let matches = match grammar.try_get_matches_from_mut(&words) {
            Ok(matches) => matches,
            // Help, and what a sentence leaves out.
            Err(error) if error.kind() == ErrorKind::DisplayHelp => continue,
            Err(error) if block.is_none() && UNFINISHED.contains(&error.kind()) => continue,
            Err(error) => panic!("{page}: {text}: {error}"),
        };
        let is_to_run = page == "README.md" || block.as_deref() == Some("sh");
        let Some((_, given)) = matches.subcommand().filter(|_| is_to_run) else {
            continue;
        };
        runs += 1;
        for input in INPUTS {
            let Ok(Some(values)) = given.try_get_raw(input) else {
                continue;
            };
            for value in values.map(Path::new) {
                let is_file = value.extension().is_some() || value.components().count() > 1;
                let is_there = root().join(value).exists();
                assert!(!is_file || is_there, "{page}: {text}: no {}", value.display());
            }
        }
    }
    assert!(runs > 40, "{runs} command lines");
}

/// The long names of the options of a command.
fn options(command: &Command) -> BTreeSet<String> {
    let names = command.get_arguments().filter_map(clap::Arg::get_long_and_visible_aliases);
    names.flatten().map(str::to_owned).collect()
}

/// Its options and those of its subcommands.
fn all_options(command: &Command) -> BTreeSet<String> {
    let below = command.get_subcommands().flat_map(all_options);
    options(command).into_iter().chain(below).collect()
}

/// The command, or its subcommand, that a line of code begins with.
fn named<'a>(grammar: &'a Command, words: &[&str]) -> Option<&'a Command> {
    let words = words.strip_prefix(&["fragstream"]).unwrap_or(words);
    let mut command = grammar.find_subcommand(words.first()?)?;
    while let Some(below) = words.iter().skip(1).find_map(|word| command.find_subcommand(word)) {
        command = below;
    }
    Some(command)
}

#[test]
fn every_option_on_a_page_is_one_of_its_command() {
    let mut grammar = grammar();
    grammar.build();
    let mut found = 0;
    for Code { page, text, row, block } in code() {
        let words: Vec<&str> = text.split_whitespace().collect();
        let of_row: Vec<&str> = row.split_whitespace().collect();
        let known = match named(&grammar, &words).or_else(|| named(&grammar, &of_row)) {
            Some(command) => all_options(command),
            None if block.is_none() && text.starts_with("--") => all_options(&grammar),
            None => continue,
        };
        for word in words.iter().filter_map(|word| word.strip_prefix("--")) {
            let name = word.split(['=', ',', '[']).next().unwrap_or_default();
            assert!(name.is_empty() || known.contains(name), "{page}: {text}: no --{name}");
            found += 1;
        }
    }
    assert!(found > 100, "{found} options");
}

#[test]
fn every_command_takes_what_the_front_page_promises() {
    let mut grammar = grammar();
    grammar.build();
    for command in grammar.get_subcommands().filter(|command| command.get_name() != "help") {
        let (name, known) = (command.get_name(), options(command));
        for option in ["json", "ledger", "film", "backend"] {
            assert!(known.contains(option), "{name}: no --{option}");
        }
        let help = command.get_arguments().find(|option| option.get_long() == Some("rtol"));
        if let Some(help) = help.and_then(clap::Arg::get_help) {
            let help = help.to_string();
            let is_said = help.contains("converged") || help.contains("Stop when");
            assert!(is_said, "{name} --rtol: {help}");
        }
    }
}

#[test]
fn every_claim_with_inputs_on_a_page_takes_them() {
    let claims = PAPERS.iter().flat_map(|paper| paper.claims.iter().map(|claim| (paper.id, claim)));
    let claims: Vec<_> =
        claims.map(|(paper, claim)| (format!("{paper}/{}", claim.id), claim)).collect();
    let mut found = 0;
    for Code { page, text, .. } in code() {
        let Some(words) =
            words(&text).filter(|words| words.get(1).is_some_and(|word| word == "reproduce"))
        else {
            continue;
        };
        for (_, claim) in claims.iter().filter(|(id, _)| words.contains(id)) {
            let own = claim.options();
            let takes = |option: &str| {
                own.contains(option) || option == "--sweeps" && own.contains("--pre")
            };
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let is_general = ["--quick", "--out", "--why"].contains(&option.as_str());
                assert!(is_general || takes(option), "{page}: {text}: no {option}");
                found += 1;
            }
        }
    }
    assert!(found > 2, "{found} inputs");
}

#[test]
fn every_file_and_claim_that_a_page_names_is_there() {
    let papers: Vec<&str> = PAPERS.iter().map(|paper| paper.id).collect();
    let ids: Vec<String> = super::pages::ids();
    let is_there = |path: &str| {
        let kinds = ["", ".frag", ".glsl"];
        kinds.iter().any(|kind| root().join(format!("{path}{kind}")).exists())
    };
    let mut missing = Vec::new();
    // A run may have left its own report, with rows of former claims.
    let is_page = |code: &Code| code.block.is_none() && !code.page.ends_with("report.md");
    for Code { page, text, .. } in code().into_iter().filter(is_page) {
        let path = text.trim_end_matches('/');
        let Some((first, rest)) = path.split_once('/').filter(|_| !path.contains([' ', '*', '…']))
        else {
            continue;
        };
        let is_known = match first {
            "src" | "tests" | "glsl" | "figures" => {
                let of_papers = papers.iter().filter(|id| **id != "card");
                let name = Path::new(rest).file_stem().is_some_and(|stem| stem == "name");
                name || of_papers.map(|id| path.replace("<paper>", id)).all(|path| is_there(&path))
            }
            paper if papers.contains(&paper) => {
                let program = path.split(' ').next().unwrap_or(path);
                ids.contains(&path.to_owned())
                    || is_there(&format!("glsl/{program}"))
                    || is_there(&format!("figures/{path}"))
                    || is_there(&format!("src/{path}"))
            }
            _ => continue,
        };
        if !is_known {
            missing.push(format!("{page}: {text}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_guide_and_the_page_of_the_tests_name_every_folder() {
    let folders = |below: &str| {
        let entries = fs::read_dir(root().join(below)).expect("a folder").flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let guide = fs::read_to_string(root().join("src/guide.rs")).expect("the guide");
    let tests = fs::read_to_string(root().join("tests/README.md")).expect("a page");
    for folder in folders("src").iter().filter(|folder| !folder.ends_with(char::is_numeric)) {
        assert!(guide.contains(&format!("`src/{folder}`")), "src/guide.rs: no src/{folder}");
    }
    for folder in folders("tests") {
        assert!(tests.contains(&format!("[{folder}]({folder})")), "tests/README.md: no {folder}");
    }
}

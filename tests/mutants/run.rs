//! Breaks programs, and runs tests in processes of their own.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use rayon::prelude::*;

use super::{LIST, Mutant, NONE, list};

/// A broken program may never come to an end.
const PATIENCE: Duration = Duration::from_secs(900);
/// Mutants that `cargo test` tries.
const SAMPLE: usize = 20;

/// Outcome of some tests with a broken program.
enum Outcome {
    /// These failed; none is named where the process ended before its tests did.
    Noticed(Vec<String>),
    /// All that were run passed with the broken program.
    Survived,
    /// None that was run has the program.
    NotDrawn,
}

/// Runs the tests that these arguments choose with a broken program.
fn outcome(mutant: &Mutant, arguments: &[&str]) -> Outcome {
    let Mutant { program, from, to, .. } = mutant;
    let output = Command::new(std::env::current_exe().expect("a path"))
        .args(arguments)
        .env("FRAGSTREAM_MUTANT", [program.as_str(), from, to].join("\t"))
        .timeout(PATIENCE)
        .output()
        .expect("a process");
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    if !err.contains("FRAGSTREAM_MUTANT is in a program") {
        return Outcome::NotDrawn;
    }
    if output.status.success() {
        return Outcome::Survived;
    }
    let lines = out.lines().filter_map(|line| line.strip_prefix("test "));
    let failed = lines.filter_map(|line| line.strip_suffix(" ... FAILED"));
    Outcome::Noticed(failed.map(str::to_owned).collect())
}

/// The named test, then those of the paper or module, then all but those that compare what a driver computes
/// with what the text says.
fn killer(mutant: &Mutant) -> Result<String, &'static str> {
    let named = mutant.killer.as_deref().unwrap_or_default();
    let module = mutant.program.split('/').next().expect("a folder");
    let module = format!("{module}::");
    let stages: [&[&str]; 3] = [
        &["--include-ignored", "--exact", named],
        &["--include-ignored", &module],
        &["--skip", "card::", "--skip", "mutants::", "--skip", &module],
    ];
    let mut is_drawn = false;
    for arguments in stages {
        match outcome(mutant, arguments) {
            Outcome::Noticed(tests) => {
                let first = tests.into_iter().next();
                return Ok(first.unwrap_or_else(|| named.to_owned()));
            }
            Outcome::Survived => is_drawn = true,
            Outcome::NotDrawn => {}
        }
    }
    Err(if is_drawn { "survives" } else { "is in no program that a test draws" })
}

#[test]
fn a_sample_of_broken_programs_is_noticed() {
    let list: Vec<Mutant> = list()
        .into_iter()
        // A whole table of claims takes most of a minute.
        .filter(|mutant| matches!(&mutant.killer, Ok(test) if !test.contains("::claims::binding")))
        .collect();
    let sample: Vec<&Mutant> = list.iter().step_by(list.len().div_ceil(SAMPLE)).collect();
    let survivors: Vec<&Mutant> = sample
        .into_par_iter()
        .filter(|mutant| {
            let named = mutant.killer.as_deref().expect("a test");
            !matches!(outcome(mutant, &["--exact", named]), Outcome::Noticed(_))
        })
        .collect();
    assert!(survivors.is_empty(), "{survivors:#?}");
}

#[test]
#[ignore = "ten minutes"]
fn every_broken_program_is_noticed_and_the_list_says_by_which_test() {
    let mut list = list();
    let survivors = list.par_iter_mut().filter(|mutant| mutant.killer.is_ok());
    let survivors = survivors.filter_map(|mutant| {
        let start = Instant::now();
        let found = killer(mutant);
        let said = found.as_deref().unwrap_or_else(|what| what);
        println!("{:6.1} s  {}: {said}", start.elapsed().as_secs_f64(), mutant.program);
        match found {
            Ok(test) => {
                mutant.killer = Ok(test);
                None
            }
            Err(what) => Some(format!("{} {what}: `{}`", mutant.program, mutant.to)),
        }
    });
    let survivors: Vec<String> = survivors.collect();
    let mut text = String::from("program\tfrom\tto\tkiller\n");
    for Mutant { program, from, to, killer } in &list {
        let killer = match killer {
            Ok(test) => test.clone(),
            Err(reason) => format!("{NONE}{reason}"),
        };
        text += &format!("{program}\t{from}\t{to}\t{killer}\n");
    }
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(LIST), text).expect(LIST);
    assert!(survivors.is_empty(), "{survivors:#?}");
}

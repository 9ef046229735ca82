//! A text means one thing: random correct programs, random damaged ones, and hostile ones.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use fragstream::card::count::count;
use fragstream::card::dialect::user_source;
use fragstream::program::Listing;
use fragstream::stream::Limits;

use super::agree::{Outcome, Ways};
use super::author::program;
use super::damaged::{damaged, hostile};
use crate::common::nightly::{seed, share};

/// Seconds of one core that a text may take, more without optimisation, and megabytes of memory.
const SECONDS: f64 = if cfg!(debug_assertions) { 5.0 } else { 1.0 };
const MEGABYTES: u64 = 200;

/// Seconds of one core that this thread has taken.
fn seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|time| time.parse().ok()).map_or(0.0, |time: f64| 1e-9 * time)
}

/// The largest memory that this process has had.
fn megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.expect("a number") / 1024
}

/// What the front end and the compiler say to a text, in time.
fn judged(name: &str, text: &str) -> Result<(), String> {
    let start = seconds();
    let judge = || {
        let source = user_source("program", text, Limits::NV30);
        let source = source.map_err(|error| error.to_string())?;
        let assembled = source.assemble(&[]);
        // The live page also counts each text.
        let listing = count(&assembled).and_then(|_| Listing::of(&assembled));
        listing.map(drop).map_err(|error| error.to_string())
    };
    let result = catch_unwind(judge);
    let taken = seconds() - start;
    assert!(taken < SECONDS, "{name}: {taken} seconds");
    result.unwrap_or_else(|_| panic!("{name}: a panic\n{text}"))
}

/// Tests whether a message begins with a line and a column of the text.
fn has_place(message: &str, text: &str) -> bool {
    let place = message.strip_prefix("program:").or(message.strip_prefix("line "));
    let numbers = place.map(|place| place.replacen(", column ", ":", 1));
    let mut numbers = numbers.iter().flat_map(|place| place.split(':'));
    let mut number = || numbers.next().and_then(|number| number.parse::<usize>().ok());
    let lines = text.lines().count().max(1) + 1;
    matches!((number(), number()), (Some(line), Some(1..)) if (1..=lines).contains(&line))
}

/// Runs random correct programs. Returns how many were drawn.
fn correct_programs(first: u64, count: u64, is_whole: bool) -> usize {
    let ways = Ways::new(first, is_whole);
    let mut drawn = 0;
    for seed in first..first + count {
        let text = program(seed, is_whole);
        match ways.outcome(&text) {
            Ok(Outcome::Drawn { is_exact, .. }) if is_exact || !is_whole => drawn += 1,
            Ok(Outcome::Refused(message)) if message.contains("more than") => {}
            other => panic!("seed {seed}: {other:?}\n{text}"),
        }
    }
    drawn
}

/// Runs random damaged programs. Returns how many were refused.
fn damaged_programs(first: u64, count: u64) -> usize {
    let ways = Ways::new(first, true);
    let mut refused = 0;
    for seed in first..first + count {
        let text = damaged(seed);
        let outcome = catch_unwind(AssertUnwindSafe(|| ways.outcome(&text)));
        match outcome.unwrap_or_else(|_| panic!("seed {seed}: a panic\n{text}")) {
            Ok(Outcome::Refused(message)) => {
                assert!(has_place(&message, &text), "seed {seed}: {message}\n{text}");
                refused += 1;
            }
            Ok(_) => {}
            Err(message) => panic!("seed {seed}: {message}\n{text}"),
        }
    }
    refused
}

#[test]
fn a_correct_program_means_the_same_to_driver_listing_and_interpreter() {
    let drawn = correct_programs(1, 150, true);
    assert!(drawn > 140, "{drawn} of 150");
}

#[test]
fn a_program_of_fractions_means_the_same_to_listing_and_interpreter_bit_by_bit() {
    let drawn = correct_programs(1, 400, false);
    assert!(drawn > 370, "{drawn} of 400");
}

#[test]
fn a_damaged_program_is_refused_with_its_place_or_means_one_thing() {
    let refused = damaged_programs(1, 400);
    assert!(refused > 200, "{refused} of 400");
}

/// Of the hostile texts, those that ask for little after all.
const HARMLESS: [&str; 4] = [
    "a line of splices",
    "a loop over data next to fifty arrays",
    "loops over data in loops over data",
    "a thousand fetches, each after the one before",
];

/// In a process of its own, whose memory is measured.
#[test]
fn no_text_takes_a_second_or_much_memory() {
    let test = std::env::current_exe().expect("this program");
    let command = "ulimit -v 4000000; exec timeout 300 \"$0\" --ignored --exact program::net::hostile_texts --nocapture";
    let output = Command::new("bash").args(["-c", command]).arg(test).output().expect("bash");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
#[ignore = "in a process of its own"]
fn hostile_texts() {
    let (before, mut taken_as_they_are) = (megabytes(), Vec::new());
    for (name, text) in hostile() {
        match judged(name, &text) {
            Ok(()) => taken_as_they_are.push(name),
            Err(message) => {
                assert!(message.len() < 20_000, "{name}: a message of {} bytes", message.len());
                assert!(has_place(&message, &text), "{name}: {message}");
            }
        }
        let taken = megabytes() - before;
        assert!(taken < MEGABYTES, "{name}: {taken} MB");
    }
    assert_eq!(taken_as_they_are, HARMLESS);
    for seed in 1..=1_000 {
        let text = damaged(seed);
        if let Err(message) = judged(&format!("seed {seed}"), &text) {
            assert!(has_place(&message, &text), "seed {seed}: {message}\n{text}");
        }
    }
    assert!(megabytes() - before < MEGABYTES);
}

/// With other random numbers every night.
#[test]
#[ignore = "4 000 programs, for tests/nightly.sh"]
fn many_random_programs() {
    let (first, count) = (seed() << 20, share(2_000) as u64);
    let (drawn, refused) = (correct_programs(first, count, true), damaged_programs(first, count));
    println!(
        "random programs, and damaged ones | {} | {drawn} mean one thing, {refused} refused",
        2 * count
    );
}

//! Notes in headers: the line `// Cost: …`, and the files of macros. `FRAGSTREAM_SNAPSHOTS=write cargo test --test it
//! program::cost` writes the costs again.

use std::collections::BTreeSet;
use std::fs;

use fragstream::card::count::count;
use fragstream::stream::Machine;

use crate::card::programs::{Open, assembled};
use crate::common::machine;

const COST: &str = "// Cost:";

/// The line for a program with its parts and defines. The length does not depend on constants of a formula, which
/// are fractions.
fn line(open: &Open, machine: &Machine) -> String {
    let kernel = open.kernel(machine);
    let count = count(&kernel.text().fragment).expect("a listing");
    let number = |n: u32, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let is_fraction = |value: &str| value.parse().is_ok_and(|value: f32| value.fract() != 0.0);
    let defines = open.defines().filter(|(_, value)| !is_fraction(value));
    let defines = defines.map(|(name, value)| format!("{name}={}", value.trim_end_matches(".0")));
    let mut with: Vec<String> = defines.collect();
    if !open.parts.is_empty() {
        with.insert(0, open.parts.join(" "));
    }
    let instructions = number(count.instructions, "instruction", "instructions");
    let fetches = number(count.fetches, "of them a fetch", "of them fetches");
    let end = if with.is_empty() { "" } else { ", with " };
    format!("{COST} {instructions}, {fetches}{end}{}", with.join(", "))
}

/// The text with this line in its header: in place of the old one, or at the end.
fn with_cost(text: &str, cost: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(old) = lines.iter_mut().find(|line| line.starts_with(COST)) {
        *old = cost;
    } else {
        let header = lines.iter().take_while(|line| line.starts_with("//"));
        let end = header.count();
        lines.splice(end..end, ["//", cost]);
    }
    lines.join("\n") + "\n"
}

#[test]
fn headers_give_the_cost_of_the_first_variant() {
    let machine = machine();
    let writes = std::env::var_os("FRAGSTREAM_SNAPSHOTS").is_some_and(|value| value == "write");
    let mut seen = BTreeSet::new();
    for open in assembled() {
        if !seen.insert(open.program) {
            continue;
        }
        let path = format!("{}/glsl/{}.frag", env!("CARGO_MANIFEST_DIR"), open.program);
        let text = fs::read_to_string(&path).expect("a text");
        let expected = with_cost(&text, &line(&open, &machine));
        if writes {
            fs::write(&path, expected).expect("a file that can be written");
        } else {
            assert!(text == expected, "{path}: FRAGSTREAM_SNAPSHOTS=write updates it");
        }
    }
    assert!(seen.len() > 100);
}

#[test]
fn headers_name_the_files_of_their_parts() {
    for open in assembled() {
        for part in &open.parts {
            let name = part.rsplit('/').next().expect("a name");
            let family = name.split('_').next().expect("a word");
            let others = open.parts.iter().filter(|other| *other != part);
            let others = others.map(|other| format!("{other}.glsl"));
            let mut files = others.chain([format!("{}.frag", open.program)]);
            let names = [format!("{name}.glsl"), format!("{family}_*.glsl")];
            let is_named =
                files.any(|file| names.iter().any(|name| open.text(&file).contains(name)));
            assert!(is_named, "{}: {part}.glsl", open.program);
        }
    }
}

//! English that reads as English: phrases that do not occur in help, errors, reports, pages, headers of programs
//! and summaries.

use std::fs;
use std::path::Path;

use crate::claim::readme::{below_root, files, root};

/// The folders and pages that are free of them.
const CLEAN: [&str; 5] = ["README.md", "figures", "glsl", "src", "tests/README.md"];

const BANNED: &str = "right side|right sides|regular matrix|regular matrices|full matrix|full matrices|roundings|\
    whole number|whole numbers|in turn|in turns|in the mean|taken off|takes off|cut off|cuts off|part of the way|\
    back-tracing|bundled light|beside|but for|anew|alike|likewise|apart|so many|who|whoever|stands|stand|\
    lies|leads|lead|tells|told|says|said|knows|is none|is no|nothing but|other way round|all round|round the|\
    round a|round an|round it|round its|round this|one at least|two at most|of ours|is ours|are ours|\
    change of target|changes of target|change of the target|changes of the target|change of buffer|\
    changes of buffer|change of context|changes of context";

/// Nouns that are counted, and the units that they are counted per: not "four cells a texel".
const COUNTED: &str = "one two three four five six seven eight nine ten entry entries node nodes cell cells row rows \
    column columns texel texels record records pass passes sweep sweeps fetch fetches instruction instructions bit \
    bits byte bytes float floats number numbers diagonal diagonals fragment fragments channel channels unknown \
    unknowns sample samples frame frames product products switch switches iteration iterations particle particles \
    force spaces texture textures buffer ns ms µs step steps program programs";
const UNITS: &str = "texel record fragment row column pass cell node pixel second metre step iteration cycle sweep \
    entry level side corner rectangle point unit program film file line diagonal grid vertex edge switch tile slice \
    block quadrant triangle solve product frame minute core channel mass sample bound";

/// Words that do not begin a summary, which is a verb or a noun phrase.
const OPENINGS: &str = "What How That Whether Where Why Who Whose Of When";

/// A text without what is between these marks.
pub(super) fn without(mut text: &str, open: &str, close: &str) -> String {
    let mut kept = String::new();
    while let Some((before, rest)) = text.split_once(open) {
        kept = kept + before + " ` ";
        text = rest.split_once(close).map_or("", |(_, after)| after);
    }
    kept + text
}

/// The paragraphs of a page, without code, quotations and generated parts.
fn of_page(text: &str) -> Vec<String> {
    let marks = [("<!-- ", "<!-- end of "), ("```", "```"), ("“", "”"), ("`", "`")];
    let mut prose =
        marks.iter().fold(text.to_owned(), |text, (open, close)| without(&text, open, close));
    if text.contains("<p>") {
        prose = without(&prose, "<", ">");
    }
    let mut paragraphs = vec![String::new()];
    for line in prose.lines() {
        if line.is_empty() || line.starts_with(['|', '-', '#']) {
            paragraphs.push(String::new());
        }
        *paragraphs.last_mut().expect("a paragraph") += &format!("{line}\n");
    }
    paragraphs
}

/// The comments of a program, and the documentation and string literals of a Rust file.
fn of_code(text: &str, is_rust: bool) -> Vec<String> {
    let marks = if is_rust { &["///", "//!"][..] } else { &["//"] };
    let (mut found, mut comment, mut literal) = (Vec::new(), String::new(), None::<String>);
    for line in text.lines().chain([""]).map(str::trim) {
        let words = marks.iter().find_map(|mark| line.strip_prefix(mark));
        if let Some(words) = words.filter(|_| literal.is_none()) {
            comment += &format!("{words}\n");
            continue;
        }
        let whole = std::mem::take(&mut comment);
        found.push(without(&without(&whole, "```", "```"), "`", "`"));
        if !is_rust || (literal.is_none() && line.starts_with("//")) {
            continue;
        }
        let line = line.replace("\\\"", "'").replace("'\"'", "");
        for (place, part) in line.split('"').enumerate() {
            literal = match literal {
                None if place > 0 => Some(part.to_owned()),
                Some(whole) if place > 0 => {
                    found.push(format!("` {whole}"));
                    None
                }
                inside => inside.map(|whole| whole + " " + part),
            };
        }
    }
    found
}

/// The phrases in a paragraph that a native speaker would have to hear twice.
fn slips(paragraph: &str, is_code: bool) -> Vec<String> {
    let raw: Vec<&str> = paragraph.split_whitespace().collect();
    let bare = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words: Vec<String> = raw.iter().map(bare).collect();
    let is_in = |list: &str, word: &str| list.split_whitespace().any(|known| known == word);
    let ends = |word: &str| word.ends_with(['.', ',', ';', ':', ')', '|', '`']);
    let mut slips = Vec::new();
    for at in 0..words.len() {
        let before = |back: usize| at.checked_sub(back).map_or("", |place| words[place].as_str());
        let phrase = BANNED.split('|').find(|phrase| {
            let mut parts = phrase.split(' ').enumerate();
            let is_it = parts.all(|(k, part)| words.get(at + k).is_some_and(|word| word == part));
            let next = words.get(at + 2).map_or("", |word| word.as_str());
            let is_native = before(1) == "there" || next.ends_with("er");
            is_it && !(["is no", "is none"].contains(phrase) && is_native)
        });
        let is_per = at >= 2
            && is_in(COUNTED, before(2))
            && ["a", "an"].contains(&raw[at - 1])
            && is_in(UNITS, &words[at])
            && !ends(raw[at - 2]);
        let is_last = before(1) == "at" && is_in("least most", &words[at]) && ends(raw[at]);
        let is_same = raw[0] == "The" && words.get(1).is_some_and(|word| word == "same");
        let is_opening = is_code && at == 0 && (is_in(OPENINGS, raw[0]) || is_same);
        if phrase.is_some() || is_per || is_last || is_opening {
            let (from, to) = (at.saturating_sub(4), raw.len().min(at + 5));
            slips.push(raw[from..to].join(" "));
        }
    }
    slips
}

#[test]
fn clean_texts_stay_clean() {
    let mut found = Vec::new();
    for path in CLEAN.iter().map(|path| root().join(path)) {
        let all = match path.is_dir() {
            true => files(&path),
            false => vec![path],
        };
        for file in all {
            let kind = file.extension().and_then(|kind| kind.to_str());
            let is_course = file.ends_with("src/film/course.toml");
            let (is_page, is_rust) = (is_course || kind == Some("md"), kind == Some("rs"));
            if !is_page && !is_rust && !["frag", "vert", "glsl"].map(Some).contains(&kind) {
                continue;
            }
            let text = fs::read_to_string(&file).expect("a text");
            let paragraphs = match is_page {
                true => of_page(&text),
                false => of_code(&text, is_rust),
            };
            let name: &Path = below_root(&file);
            for paragraph in paragraphs {
                let slips = slips(&paragraph, !is_page);
                found.extend(slips.iter().map(|slip| format!("{}: {slip}", name.display())));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

//! Films of somebody else: any integer of their JSON may be any other one.

use fragstream::film::{Course, Film, FilmError, diagrams, films, scenes};
use serde_json::Value;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};

use crate::common::machine;

/// A film of the course as JSON, and its packed floats.
fn trace(name: &str) -> (Value, String) {
    let film = scenes::find(name).expect("a scene").film(&machine()).expect("a film");
    let text = film.text().expect("a text");
    let (trace, floats) = text.split_once('.').expect("two parts");
    let mut json = String::new();
    let packed = STANDARD.decode(trace).expect("base64");
    GzDecoder::new(&packed[..]).read_to_string(&mut json).expect("gzip");
    (serde_json::from_str(&json).expect("JSON"), floats.to_owned())
}

fn packed(trace: &Value, floats: &str) -> String {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(trace.to_string().as_bytes()).expect("memory");
    format!("{}.{floats}", STANDARD.encode(packed.finish().expect("memory")))
}

/// Places of the integers: the first and the last of each kind, a kind being a place without the numbers in lists.
fn integers(of: &Value, place: &str, kind: &str, all: &mut Vec<(String, String)>) {
    match of {
        Value::Number(number) if number.is_u64() => all.push((kind.to_owned(), place.to_owned())),
        Value::Array(list) => list.iter().enumerate().for_each(|(at, one)| {
            // Small lists are pairs and rectangles, whose entries differ in meaning.
            let kind = if list.len() <= 4 { format!("{kind}/{at}") } else { format!("{kind}/*") };
            integers(one, &format!("{place}/{at}"), &kind, all);
        }),
        Value::Object(fields) => {
            // Events of each kind have fields of their own.
            let own = fields.get("kind").and_then(Value::as_str).unwrap_or_default();
            for (name, one) in fields {
                integers(one, &format!("{place}/{name}"), &format!("{kind}/{own}{name}"), all);
            }
        }
        _ => {}
    }
}

/// A course with this film, whose exercise looks for the passes of a program.
const COURSE: &str = "title = 't'\n[[lessons]]\nfilm = 'h.html'\ntitle = 'l'\ntext = 'x'\n[lessons.exercise]\n\
                      program = 'bolz'\nreplace = 'a'\nwith = 'b'\ntext = 't'\n";

#[test]
fn a_film_with_another_integer_is_read_or_refused() {
    let (json, floats) = trace("spmv");
    let mut places = Vec::new();
    integers(&json, "", "", &mut places);
    places.sort();
    let kinds = places.chunk_by(|(one, _), (other, _)| one == other);
    let chosen: Vec<&str> = kinds
        .flat_map(|kind| [&kind[0], &kind[kind.len() - 1]])
        .map(|(_, place)| &**place)
        .collect();
    assert!(chosen.len() > 60, "{}", chosen.len());
    let course = Course::parse(COURSE).expect("a course");
    let mut refused = 0;
    for place in chosen {
        for value in [0u64, 1, 5, 999, u64::from(u32::MAX) / 2 + 1, u64::from(u32::MAX), u64::MAX] {
            let mut mutant = json.clone();
            *mutant.pointer_mut(place).expect("a place") = value.into();
            match Film::of_text(&packed(&mutant, &floats)) {
                // Everything that uses a film takes it.
                Ok(film) => {
                    let _ = course.html([&film.trace]);
                    film.floats().expect("floats");
                    let _ = diagrams(&[film]);
                }
                Err(FilmError::Malformed(_)) => refused += 1,
                Err(other) => panic!("{place} is {value}: {other}"),
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn few_bytes_of_a_film_do_not_unpack_to_many() {
    let (json, _) = trace("spmv");
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..64 {
        bomb.write_all(&vec![0; 1 << 20]).expect("memory");
    }
    let floats = STANDARD.encode(bomb.finish().expect("memory"));
    let page = format!(
        "<script type=\"application/octet-stream\" class=\"film\" id=\"film-1\">{}</script>",
        packed(&json, &floats)
    );
    let error = films(&page).expect_err("a bomb").to_string();
    assert!(error.contains("a hundred times its length"), "{error}");
}

//! The scenes that are worth showing.

use std::collections::BTreeSet;

use fragstream::film::scenes::{SCENES, find};
use fragstream::film::{Event, course};

use crate::common::machine;

#[test]
fn every_scene_is_short_and_says_what_it_shows() {
    let machine = machine();
    for scene in SCENES {
        let film = scene.film(&machine).expect(scene.name);
        let passes = film.trace.events.iter();
        let passes = passes
            .filter(|event| matches!(event, Event::Pass(_)))
            .count();
        assert!(
            (2..=2700).contains(&passes),
            "{}: {passes} passes",
            scene.name
        );
        let scenes = film.trace.events.iter();
        let scenes = scenes
            .filter(|event| matches!(event, Event::Scene { .. }))
            .count();
        assert!(scenes >= 2 && scene.opens < scenes, "{}", scene.name);
        let size = film.text().expect("a text").len();
        assert!(size < 400_000, "{}: {size} bytes", scene.name);
        for kernel in &film.trace.kernels {
            assert!(
                !kernel.caption.is_empty() && !kernel.caption.contains("//"),
                "{}",
                kernel.name
            );
            assert!(kernel.instructions.is_some(), "{}", kernel.name);
        }
    }
}

#[test]
fn a_film_is_the_same_behind_another_one() {
    let machine = machine();
    let film = |name| find(name).expect("a scene").film(&machine);
    let [alone, other, again] = ["red-black", "switches", "red-black"].map(film);
    let [alone, other, again] = [alone, other, again].map(|film| film.expect("a film").trace);
    assert_eq!(again.events, alone.events);
    assert_eq!(again.costs, alone.costs);
    assert_ne!(other.events, alone.events);
}

#[test]
fn names_are_known_once_and_the_nearest_is_offered() {
    let names: BTreeSet<&str> = SCENES.iter().map(|scene| scene.name).collect();
    assert_eq!(names.len(), SCENES.len());
    assert!(course::SCENES.iter().all(|name| names.contains(name)));
    let message = find("vcylce").err().expect("a slip").to_string();
    assert!(message.contains("did you mean vcycle?"), "{message}");
}

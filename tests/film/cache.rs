//! The player's texture cache against that of the library, on recorded films.

use std::collections::BTreeMap;
use std::rc::Rc;

use fragstream::card::cache::Shape;
use fragstream::card::traffic::Traffic;
use fragstream::program::interpret::Order;
use serde_json::{Value, json};

use crate::common::machine;
use crate::film::browser::{answers, film_elements, instead_of_start, text};

/// Products with scattered fetches, with vertices and diagonals, and with the seven diagonals of a box.
const FILMS: [&str; 3] = ["spmv", "gather", "liquid-product"];

#[test]
fn the_player_s_cache_misses_as_often_as_the_library_s() {
    let (mut elements, mut expected) = (String::new(), BTreeMap::new());
    for name in FILMS {
        let machine = machine();
        let orders = [Order::Batches, Order::Fragments];
        let traffic = orders.map(|order| Rc::new(Traffic::new(vec![Shape::of_kb(8)], order)));
        let watched = traffic.clone().map(|one| machine.observe(one).expect("an observer"));
        let film = fragstream::film::scenes::find(name).expect("a scene").film(&machine);
        let film = film.expect("a film");
        drop(watched);
        elements += &film_elements(name, &film);
        expected.insert(name, by_kernel(&traffic));
    }
    let page = instead_of_start(&elements, &text("tests/film/cache.js"));
    if let Some(found) = answers(&[&page]) {
        assert_eq!(found[0], json!(expected));
    }
}

/// Fetches of each kernel, and its misses in both orders.
fn by_kernel(traffic: &[Rc<Traffic>; 2]) -> Value {
    let mut sums: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    for (order, traffic) in (1..).zip(traffic) {
        assert!(traffic.untraced().is_empty(), "{:?}", traffic.untraced());
        for ((kernel, _), stream) in traffic.streams() {
            let sum = sums.entry(kernel).or_default();
            sum[order] += stream.misses[0];
            sum[0] += stream.fetches * u64::from(order == 1);
        }
    }
    assert!(sums.values().any(|[fetches, misses, _]| misses < fetches));
    json!(sums)
}

//! The machine code of Mesa's compilers (figures/mesa) in the rows that name it.

use fragstream::base::table::read_csv;
use fragstream::card::count::{Count, count};
use fragstream::card::mesa::{compiled, on_r300};
use fragstream::claim::{Bound, Found, Value};
use fragstream::papers::pages::report;
use fragstream::program::formats::Registers;
use fragstream::stream::{Limits, Machine};

use super::programs::assembled;
use crate::claim::readme::root;

#[test]
fn rows_name_programs_that_were_compiled_and_values_that_there_are() {
    let entries = report(&root().join("figures")).expect("a report").claims;
    let lines = read_csv(include_str!("../../figures/mesa/rows.csv"));
    for line in &lines[1..] {
        let [row, value, card, quantity, program, over] = &line[..] else { panic!("{line:?}") };
        let entry = entries.iter().find(|entry| entry.id == *row);
        let entry = entry.unwrap_or_else(|| panic!("{row}: no such row"));
        assert!(entry.values.iter().any(|one| one.name == *value), "{row}: no value {value}");
        for program in [program, over].into_iter().filter(|name| !name.is_empty()) {
            let code = compiled(program).unwrap_or_else(|| panic!("{program} was not compiled"));
            let is_counted = quantity == "kinds" || code.count(card, quantity).is_some();
            assert!(is_counted, "{program}: no {quantity} for {card}");
        }
    }
}

#[test]
fn fetches_decide_a_row_and_instructions_are_shown() {
    let of = |fetches: f64| {
        let values = vec![
            Value::of("product", 33.0, "", Bound::Between(21.0, 45.0)),
            Value::of("fetches of the product", fetches, "", Bound::Equal(fetches)),
        ];
        Found { values, ..Found::default() }.compiled("bolz2003/instructions")
    };
    let is_kept = |value: &Value| value.bound.is_kept(&value.measured, 0.0) == Some(true);
    let [right, wrong] = [21.0, 20.0].map(of);
    assert_eq!(right.values.len(), 4);
    assert_eq!(right.values[1].bound, Bound::None);
    assert!(right.values.iter().all(is_kept));
    // The listing has what the row asks for, and the compiler has not.
    assert!(!wrong.values.iter().all(is_kept));
    // By the name in a report, where a part has no folder.
    assert!(compiled("kruger2003/simulation/push with stroke").is_some());
    assert!(compiled("kruger2003/simulation/push").is_none());
}

#[test]
fn the_compiler_of_r300_decides_what_fits_it() {
    let (small, large) = (
        Count::default(),
        Count { instructions: 200, arithmetic: 180, fetches: 20, ..Count::default() },
    );
    let refused = "kruger2003/simulation/explicit with interpolate_linear";
    let accepted = "kruger2003/simulation/trace";
    assert!(on_r300(refused).is_some_and(|one| one.is_err()));
    assert!(Limits::R300.excesses_of(refused, &small)[0].contains("indirections"));
    assert_eq!(Limits::R300.excesses_of(accepted, &large), Vec::<String>::new());
    // A program of a user, and another card: by the count.
    assert_eq!(Limits::R300.excesses_of("mine.frag", &small), Vec::<String>::new());
    assert!(!Limits::R300.excesses_of("mine.frag", &large).is_empty());
    assert_eq!(Limits::NV30.excesses_of(refused, &small), Vec::<String>::new());
}

#[test]
fn fetches_are_those_of_the_listing_of_every_program() {
    // Equal fetches are merged.
    let merged = ("bolz2003/grid/stencil/compose", 171, 131.0);
    let machine = Machine::interpreted(Registers::Single).expect("no driver is needed");
    let mut compared = 0;
    for line in assembled() {
        let defines: Vec<_> =
            line.defines().map(|(name, value)| format!("{name}={value}")).collect();
        let name = format!("{} {} {}", line.program, line.parts.join(" "), defines.join(" "));
        let Some(code) = compiled(&name) else { continue };
        let own = count(&line.kernel(&machine).text().fragment).expect("a listing").fetches;
        for [fetches, _] in
            ["NV30", "R300"].into_iter().filter_map(|card| code.count(card, "fetches"))
        {
            let is_merged = (line.program, own, fetches) == merged;
            assert!(fetches == f64::from(own) || is_merged, "{name}: {fetches} for {own}");
            compared += 1;
        }
    }
    assert!(compared > 250, "{compared} numbers");
}

//! What the live page shows is of one thing: a unit of work, a program, a formula; and a link or a pasted text that it does not
//! know as a whole is named at its place.

use fragstream::card::dialect::user_source;
use fragstream::stream::Limits;
use serde_json::json;

use super::devtools::{Browser, DESKTOP, usual};
use super::pages::{SAYS, address, some_scenes};

/// Takes two units of work, and counts: the passes drawn in each, those of the ledger, and the timed steps of each.
const UNITS: &str = "(() => {
    play(false);
    const found = [];
    const finish = () => { do advance(); while (!page.running.between()); };
    finish();
    for (let unit = 0; unit < 9; unit += 1) {
      page.times = [];
      const steps = page.steps;
      finish();
      showLedger();
      const { passes, cards } = JSON.parse(page.running.bill());
      const { textContent } = byId('counts').rows[0].cells[1];
      const shown = [...byId('cards').tBodies[0].rows].slice(0, cards.length).map((row) => row.cells[1].textContent);
      const modelled = cards.map((card) => (1000 * (card.passes + card.switching)).toFixed(1));
      found.push({ steps: page.steps - steps, parts: page.times.length > 0 ? page.parts : 0, timed: page.times.length,
        isShown: textContent === grouped(passes) && shown.join() === modelled.join(), passes,
        said: byId('status').textContent });
    }
    return { found, unit: byId('unit').textContent };
  })()";

/// Hides the GPU's clock, whose times come later.
const WITHOUT_CLOCK: &str = "WebGL2RenderingContext.prototype.getExtension = ((of) => function (name) {
    return name === 'EXT_disjoint_timer_query_webgl2' ? null : of.call(this, name); })(WebGL2RenderingContext.prototype.getExtension);";

#[test]
fn time_passes_and_cards_are_of_the_same_unit_in_every_scene() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=water&grid=64"), DESKTOP, &[], WITHOUT_CLOCK);
    // The second half has units of several steps.
    for entry in some_scenes(1) {
        let (scene, name) = (entry.described(), json!(entry.name));
        let unit = scene["unit"].as_str().expect("a unit");
        browser.run(&format!("choose('side', '64'); enter({name}); play(false)"));
        let units = browser.run(UNITS);
        assert_eq!(units["unit"], format!("of the last {unit}"), "{name}");
        let found = units["found"].as_array().expect("units");
        assert!(found.iter().any(|one| one["timed"] == 1), "{name}: {units}");
        for one in found {
            assert_eq!(one["isShown"], true, "{name}: {units}");
            // A time is that of all steps of its unit.
            let said =
                one["said"].as_str().is_some_and(|said| said.contains(&format!(" ms per {unit}")));
            assert!(one["timed"] == 0 || one["parts"] == one["steps"] && said, "{name}: {units}");
        }
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn no_text_is_shown_with_the_count_of_another_and_each_slider_names_its_formula() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(
        &address("scene=water&grid=64"),
        DESKTOP,
        &[["prefers-reduced-motion", "reduce"]],
        "",
    );
    for entry in some_scenes(0) {
        let name = json!(entry.name);
        browser.run(&format!("choose('side', '64'); enter({name})"));
        let counted = browser.run(
            "page.programs.filter((name) => { byId('program').value = name; openProgram();
                return byId('text').value.includes('Cost:') || !byId('length').textContent; })",
        );
        assert_eq!(counted, json!([]), "{name}");
        // The size of a picture enters no formula.
        let silent = browser.run(
            "[...byId('fields').querySelectorAll('[type=range]')].map((one) => one.closest('.field'))
                .filter((one) => !/paper|Fig\\.|^zoom/.test(one.textContent)).map((one) => one.textContent)",
        );
        assert_eq!(silent, json!([]), "{name}");
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn a_link_keeps_what_the_page_knows_and_names_the_rest() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    for (hash, said) in [
        (
            "scene=water&grid=64&courant=2&utm_source=mail",
            "water has no setting “utm_source”: it is left out.",
        ),
        ("scene=water&grid=64&rain=fast&courant=2", "--rain fast."),
    ] {
        browser.open(&address(hash), DESKTOP, &[], "");
        let says = browser.run(SAYS);
        assert!(says.as_str().is_some_and(|says| says.contains(said)), "{hash}: {says}");
        let command = browser.run("byId('command').value");
        assert!(command.as_str().is_some_and(|line| line.contains("--courant 2")), "{command}");
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn a_pasted_text_is_read_or_its_sign_is_named_at_its_place() {
    let text = "uniform stream x;\nvoid main() {\n    result = 2.0 * fetch(x, here) - 1.0;\n}\n";
    let read =
        |text: &str| user_source("pasted", text, Limits::NV30).map_err(|why| why.to_string());
    for same in [
        text.to_owned(),
        format!("\u{feff}{text}"),
        text.replace(' ', "\u{a0}"),
        text.replace("    ", "\u{2003}\u{3000}"),
        text.replace('\n', "\r\n"),
    ] {
        assert!(read(&same).is_ok(), "{same:?}");
    }
    for (sign, pasted, remedy) in [
        ("-", "−", "`-`"),
        ("-", "–", "`-`"),
        ("*", "×", "`*`"),
        ("*", "·", "`*`"),
        ("2.0", "“2.0”", "quotation marks"),
        ("2.0", "‘2.0’", "quotation marks"),
        ("2.0", "2\u{200b}.0", "U+200B"),
    ] {
        let found = read(&text.replacen(sign, pasted, 1)).expect_err("a refusal");
        let mark = pasted.chars().find(|one| !one.is_ascii()).expect("a sign");
        let name = format!("(U+{:04X})", u32::from(mark));
        let parts = ["3:", &name, remedy];
        assert!(parts.iter().all(|part| found.contains(part)), "{pasted}: {found}");
    }
}

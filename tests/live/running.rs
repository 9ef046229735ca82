//! The live page while it runs: pictures of its textures, its clock, and settings that change.

use serde_json::{Value, json};

use super::devtools::{Browser, DESKTOP, MESA, usual};
use super::pages::{SAYS, address};
use crate::common::nightly::all_pages;

/// Counts what is read back: columns and rows of each read.
const COUNTING: &str = "globalThis.reads = [];
    const { readPixels } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.readPixels = function (x, y, width, height, ...all) {
      reads.push([width, height]);
      return readPixels.call(this, x, y, width, height, ...all);
    };";

/// Texels whose colour in the picture of their texture does not have the sign of their first channel, and how many have
/// a colour of their own.
const COLOURED: &str = "(() => {
    const wrong = [];
    let coloured = 0;
    JSON.parse(page.running.textures()).forEach(({ label, size: [columns, rows] }, number) => {
      const texels = page.running.texels(number);
      const channels = texels.length / (columns * rows);
      const canvas = byId('textures').children[number].children[0];
      const [across, down] = [Math.min(channels, 2), Math.ceil(channels / 2)];
      if (canvas.width !== across * columns || canvas.height !== down * rows) wrong.push([label, canvas.width, canvas.height]);
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const most = texels.reduce((so, value) => Math.max(so, Math.abs(value)), 0);
      for (let k = 0; k < columns * rows && most > 0; k += 1) {
        const value = texels[channels * k] / most;
        const pixel = 4 * ((canvas.height - 1 - Math.floor(k / columns)) * canvas.width + (k % columns));
        const [red, , blue] = data.subarray(pixel);
        if (Math.abs(value) < 0.2) continue;
        coloured += 1;
        if ((red > blue) !== (value > 0)) wrong.push([label, k, value, red, blue]);
      }
    });
    return [wrong.slice(0, 5), coloured > 100];
  })()";

#[test]
fn textures_are_shown_in_their_colours_and_none_is_read_back() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    let scenes = ["dye&pens=2", "water"];
    for scene in &scenes[..if all_pages() { 2 } else { 1 }] {
        browser.open(&address(&format!("scene={scene}&size=32x32&grid=0")), DESKTOP, &[], COUNTING);
        // A slow machine would make the picture coarser meanwhile.
        browser.run("page.running.coarser = () => {}");
        browser.until("page.steps > 8");
        browser.run("reads.length = 0; globalThis.shelves = 0;
            const { shelf } = page.running;
            page.running.shelf = (side) => { shelves += 1; return shelf.call(page.running, side); }");
        browser.until("shelves > 2");
        let texels = browser
            .run("reads.reduce((sum, [width, height]) => sum + width * height, 0) / shelves");
        let largest = browser.run("Math.max(...reads.map(([width, height]) => width * height))");
        // Of a texture the largest value is read, of a step some sums.
        assert_eq!(largest, 1, "{scene}");
        eprintln!("{scene}: {texels} texels are read per picture of the textures");
        // Once the page is still, so is the shelf, and the canvas shows the scene.
        browser.run("byId('play').click()");
        browser.until("!page.stale && !page.touched");
        let picture = browser.run("page.canvas.toDataURL()");
        assert_eq!(browser.run(COLOURED), json!([[], true]), "{scene}");
        browser.run("shelves = 0; page.stale = true");
        browser.until("shelves > 0");
        browser.run(
            "(async () => { page.lastShelf = -Infinity; for (let k = 0; k < 3; k += 1) await shown(); })()",
        );
        assert_eq!(browser.run("shelves"), 1, "{scene}");
        assert_eq!(browser.run("page.canvas.toDataURL()"), picture, "{scene}");
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

/// A clock of the GPU that says 2.5 ms, and `disjoint` if that is set.
const CLOCK: &str = "{ globalThis.disjoint = false;
    const all = WebGL2RenderingContext.prototype;
    const kept = { ...Object.getOwnPropertyDescriptors(all) };
    const of = (name) => kept[name].value;
    all.getExtension = function (name) {
      const names = { TIME_ELAPSED_EXT: 1, QUERY_COUNTER_BITS_EXT: 2, GPU_DISJOINT_EXT: 3 };
      return name === 'EXT_disjoint_timer_query_webgl2' ? names : of('getExtension').call(this, name);
    };
    all.getQuery = () => 64;
    for (const name of ['beginQuery', 'endQuery']) {
      all[name] = function (target, ...more) { if (target !== 1) of(name).call(this, target, ...more); };
    }
    all.getQueryParameter = function (query, name) { return name === this.QUERY_RESULT ? 2.5e6 : true; };
    all.getParameter = function (name) { return name === 3 ? disjoint : of('getParameter').call(this, name); }; }";

#[test]
fn steps_are_timed_by_the_gpu_where_it_has_a_clock() {
    let clock = "byId('cards').tBodies[0].lastChild.innerText";
    let without = CLOCK.replace("? names :", "? null :");
    let all = [(MESA, "", None), (usual(), CLOCK, Some(true)), (usual(), &without, Some(false))];
    // With the clock that the driver has at night alone.
    for (renderer, before, is) in all.into_iter().skip(usize::from(!all_pages())) {
        let Some(mut browser) = Browser::start(renderer) else { return };
        browser.open(&address("scene=water&grid=64"), DESKTOP, &[], before);
        browser.until("page.times.length > 2");
        let has = browser.run("page.timer !== null");
        assert_eq!(has, is.map_or(has.clone(), Value::from));
        browser.until(&format!("{clock}.match(/[0-9.]+$/)"));
        let said = browser.run(clock);
        let by = if has == true { "(timer query)" } else { "(until a pixel is read)" };
        assert!(said.as_str().is_some_and(|said| said.contains(by)), "{said}");
        assert_eq!(browser.run("page.times.every((time) => time >= 0 && time < 10_000)"), true);
        eprintln!("{renderer:?}: {said}");
        if before == CLOCK {
            assert_eq!(browser.run("page.times.every((time) => time === 2.5)"), true);
            // The times of a disturbed clock are dropped.
            browser.run("disjoint = true; page.times = []; globalThis.from = page.steps");
            browser.until("page.steps > from + 20");
            assert_eq!(browser.run("page.times"), json!([]));
        }
        assert_eq!(browser.uncaught, [""; 0]);
    }
}

#[test]
fn a_time_is_that_of_the_unit_whose_ledger_is_shown() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=cycle"), DESKTOP, &[], CLOCK);
    browser.until("page.times.length > 1");
    let parts = browser.run(
        "(() => { play(false); while (!page.running.between()) advance();
           let parts = 0;
           do { advance(); parts += 1; } while (!page.running.between());
           return parts; })()",
    );
    assert!(parts.as_u64() > Some(4), "{parts}");
    // The clock says 2.5 ms for each of them.
    assert_eq!(browser.run("page.times[0]"), json!(2.5 * parts.as_f64().unwrap()));
    assert_eq!(browser.run("byId('status').textContent.includes(' per V-cycle')"), true);
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn a_changed_setting_acts_on_the_run_where_it_can() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=water&grid=64"), DESKTOP, &[], "");
    browser.until("page.steps > 12");
    browser.run("play(false)");
    for (name, word, goes_on) in
        [("courant", "2", true), ("rain", "7", true), ("start", "hump", false)]
    {
        let found = browser.run(&format!(
            "(() => {{ const {{ steps }} = page;
               const inputs = [...byId('fields').querySelectorAll('[data-name={name}]')];
               inputs.at(-1).value = '{word}';
               inputs.at(-1).dispatchEvent(new Event('change', {{ bubbles: true }}));
               return [page.steps === steps, byId('command').value.includes('--{name} {word}'), inputs[0].value]; }})()"
        ));
        assert_eq!(found, json!([goes_on, true, word]), "{name}");
        assert_eq!(browser.run(SAYS), "");
    }
    // Another setting keeps those before it.
    assert_eq!(browser.run("page.running.command()"), browser.run("byId('command').value"));
    let command = browser.run("byId('command').value");
    assert!(command.as_str().is_some_and(|command| command.contains("--courant 2")), "{command}");
}

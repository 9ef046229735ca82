//! The live page as people use it: presets, links, fingers, phones, keys, reloads, a lost context.

use fragstream::scene::Entry;
use fragstream::scenes::SCENES;
use serde_json::{Value, json};

use super::PAGE;
use super::devtools::{Browser, DESKTOP, MESA, SIDEWAYS, UPRIGHT, usual};
use crate::common::nightly::all_pages;

/// Cells per side, so that a step is quick in software.
const SIDE: u32 = 64;

/// What makes a page wait for Play: a test that looks at no step then computes none.
const STILL: &[[&str; 2]] = &[["prefers-reduced-motion", "reduce"]];

/// The sample of presets and settings of half of the scenes: every fifth one, or all of all scenes at night.
fn every() -> usize {
    if all_pages() { 1 } else { 5 }
}

/// Every second scene from this one on, or all at night.
pub(super) fn some_scenes(from: usize) -> impl Iterator<Item = &'static Entry> {
    let is_all = all_pages();
    let (from, step) = if is_all { (0, 1) } else { (from, 2) };
    SCENES.iter().copied().skip(from).step_by(step)
}

/// The page with the part after `#`.
pub(super) fn address(hash: &str) -> String {
    format!("file://{}/{PAGE}#{hash}", env!("CARGO_MANIFEST_DIR"))
}

/// Sentences that the page shows: of what it cannot run, of a link, of a setting.
pub(super) const SAYS: &str = "[byId('notice').hidden ? '' : byId('reason').textContent, byId('linked').textContent, \
     byId('refused').textContent].join('')";

/// Checks that the page runs without complaint and takes steps.
fn runs(browser: &mut Browser, what: &str) {
    assert_eq!(browser.run(SAYS), "", "{what}");
    goes_on(browser);
}

/// Waits until the page has taken a step.
fn goes_on(browser: &mut Browser) {
    let steps = browser.run("page.steps");
    browser.until(&format!("page.steps > {steps}"));
}

/// The command of an experiment on a grid of this side.
fn command(entry: &'static Entry, preset: &str) -> String {
    let mut experiment = entry.experiment(preset).expect("a preset");
    entry.resized(&mut experiment, SIDE / entry.interactive.coarser).expect("a size");
    experiment.to_string()
}

#[test]
fn every_preset_runs_or_is_disabled_with_its_reason() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=water&grid=64"), DESKTOP, &[], "");
    browser.run("choose('side', '64')");
    let mut number = 0;
    for entry in some_scenes(0) {
        browser.run(&format!("document.querySelector('[data-scene={}]').click()", entry.name));
        for [preset, about] in entry.presets() {
            number += 1;
            let tried = number % every() == 0;
            let chosen = browser.run(&format!(
                "(() => {{ const option = [...byId('preset').options].find((one) => one.value === '{preset}');
                   if (!option || option.disabled) return option ? option.text : null;
                   if (!{tried}) return null;
                   option.selected = true;
                   byId('preset').dispatchEvent(new Event('change'));
                   return ''; }})()"
            ));
            // The usual one has no name in the list, and the one for films is left out.
            if chosen != "" {
                let reason = chosen.as_str().unwrap_or(preset);
                assert!(reason.starts_with(preset) && reason != format!("{preset}: {about}"));
                continue;
            }
            runs(&mut browser, preset);
            assert_eq!(browser.run("byId('command').value"), command(entry, preset), "{preset}");
        }
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

/// Gives every setting of the present scene another value by its own input, and takes it back. Returns refusals.
const TURNED: &str = "(() => {
    const said = [];
    const names = new Set([...byId('fields').querySelectorAll('[data-name]:not(:disabled)')].map((one) => one.dataset.name));
    for (const [number, name] of [...names].entries()) {
      if (number % every) continue;
      const [input] = byId('fields').querySelectorAll(`[data-name=${name}]`);
      if (input.type === 'text') continue;
      const before = page.running.command();
      if (input.type === 'checkbox') input.checked = !input.checked;
      else if (input.type === 'range') input.value = input.value === input.min ? input.max : input.min;
      else {
        const other = [...input.options].find((option) => !option.selected && !option.disabled);
        if (!other) continue;
        other.selected = true;
      }
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
      const reason = byId('notice').hidden ? byId('refused').textContent : byId('reason').textContent;
      if (reason) said.push([name, reason]);
      else if (page.running.command() === before) said.push([name, 'no change']);
      byId('unchanged').click();
    }
    return said;
  })()";

#[test]
fn every_setting_has_an_input_that_changes_the_command() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=water&grid=64"), DESKTOP, STILL, "");
    for entry in some_scenes(1) {
        browser.run(&format!("choose('side', '64'); enter('{}')", entry.name));
        let shown = "[...new Set([...byId('fields').querySelectorAll('[data-name]')].map((one) => one.dataset.name))]";
        let is_shown =
            |field: &&fragstream::settings::Field| !field.is_hidden() && !field.is_of_command();
        let fields = entry.fields();
        let mut names: Vec<&str> =
            fields.iter().filter(is_shown).map(|field| field.name()).collect();
        let shown = browser.run(shown);
        let mut shown: Vec<&str> =
            shown.as_array().expect("names").iter().filter_map(Value::as_str).collect();
        names.sort_unstable();
        shown.sort_unstable();
        assert_eq!(shown, names, "{}", entry.name);
        let turned = TURNED.replace("% every", &format!("% {}", every()));
        assert_eq!(browser.run(&turned), json!([]), "{}", entry.name);
    }
    // A word that is refused leaves the simulation as it was.
    browser.run(
        "choose('side', '64'); enter('water'); const size = byId('fields').querySelector('[data-name=size]'); size.value = 'wide';
         size.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    assert_eq!(
        browser.run("byId('refused').textContent"),
        "--size wide. Give columns and rows, as in 513x129."
    );
    assert_eq!(browser.run("size.value"), "64x64");
    assert_eq!(browser.run("byId('notice').hidden"), true);
}

#[test]
fn every_link_opens_as_it_was_made() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    let mut links = Vec::new();
    browser.open(&address("scene=water&grid=64"), DESKTOP, &[], "");
    browser.run("choose('side', '64')");
    // That of the dye, or all at night.
    let is_tried = |place: &usize| all_pages() || *place == 1;
    for entry in (0..SCENES.len()).filter(is_tried).map(|place| SCENES[place]) {
        browser.run(&format!("enter('{}')", entry.name));
        browser.run(
            "byId('view').selectedIndex = byId('view').options.length - 1;
             byId('view').dispatchEvent(new Event('change'));
             byId('text').value = byId('text').value.replace('void main() {', 'void main() { // mine');
             byId('text').dispatchEvent(new Event('input'));
             runProgram()",
        );
        let state = browser.run(
            "[page.scene, page.running.command(), [...editsOf(page.scene)], byId('view').value]",
        );
        assert_eq!(state[2].as_array().map(Vec::len), Some(1), "{state}");
        let url = browser.run("link()").as_str().expect("a link").to_owned();
        links.push((url, state));
    }
    for (number, (url, state)) in links.iter().enumerate() {
        for (screen, other) in [(DESKTOP, 0), (UPRIGHT, 1)] {
            if !all_pages() && number % 2 == other {
                continue;
            }
            browser.open(url, screen, &[], "");
            let opened = browser.run("[page.scene, page.running.command(), [...editsOf(page.scene)], byId('view').value]");
            assert_eq!(opened, *state, "{url}");
            assert_eq!(browser.run("byId('text').value.includes('// mine')"), true, "{url}");
            runs(&mut browser, url);
        }
        if number == 0 {
            // What is shared survives a reload.
            browser.run("byId('open-share').click()");
            browser.until("byId('share').open");
            browser.reload();
            assert_eq!(browser.run("page.running.command()"), state[1]);
        }
    }
    // A canvas that was never shown may have no pixels: that depends on how the browser composes.
    if all_pages() {
        let Some(mut mesa) = Browser::start(MESA) else { return };
        for (url, state) in &links {
            mesa.open(url, DESKTOP, &[], "");
            assert_eq!(mesa.run("page.running.command()"), state[1]);
            runs(&mut mesa, url);
        }
    }
    // The link that the command prints.
    let mut experiment = SCENES[0].experiment("hump").expect("a preset");
    experiment.set("courant", "2").expect("a setting");
    browser.open(&address(&experiment.link()), DESKTOP, &[], "");
    assert_eq!(browser.run("byId('command').value"), experiment.to_string());
    runs(&mut browser, "a link of the command");
    let name = if all_pages() { "SwiftShader" } else { "Mesa" };
    let renderer = browser.run("byId('renderer').textContent");
    assert!(renderer.as_str().is_some_and(|renderer| renderer.contains(name)), "{renderer}");
    assert_eq!(browser.uncaught, [""; 0]);
}

#[test]
fn links_that_cannot_be_followed_say_why_and_the_page_lives() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=jet&preset=paper&grid=64"), DESKTOP, &[], "");
    runs(&mut browser, "jet paper");
    let [bomb, lines] =
        ["'0'.repeat(2e7)", "JSON.stringify([['x', '\\n'.repeat(1e5)]])"].map(|text| {
            let packed = browser.run(&format!("pack({text})"));
            format!("scene=water&grid=64&programs={}", packed.as_str().expect("letters"))
        });
    for (hash, said) in [
        ("scene=fire", "This link names no scene of this page."),
        ("scene=water&preset=x", "Choose one of rain,"),
        ("scene=water&courant=fast", "--courant fast. Give a number above 0."),
        (
            "scene=liquid&file=a.toml",
            "a page reads no files. On a machine of your own: fragstream liquid ",
        ),
        ("scene=water&grid=64&programs=H4sI", "damaged: copy the whole link"),
        (&bomb, "more than 100 kB"),
        (&lines, "more than 100 kB"),
        ("scene=dye&size=4096", "too large for software"),
    ] {
        browser.run(&format!("location.hash = '{hash}'"));
        browser.until("byId('linked').textContent");
        let linked = browser.run("byId('linked').textContent");
        assert!(linked.as_str().is_some_and(|text| text.contains(said)), "{said}: {linked}");
        browser.until("byId('notice').hidden && page.running");
        goes_on(&mut browser);
    }
    assert_eq!(browser.uncaught, [""; 0]);
}

/// Two fingers that draw at the same time, at these parts of the picture's width.
const FINGERS: [f64; 2] = [0.25, 0.75];

#[test]
fn each_finger_draws_its_own_stroke() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=dye&pens=0&grid=64"), UPRIGHT, &[], "");
    browser.run("globalThis.ways = new Map();
        for (const name of ['moved', 'finger']) {
          const before = page.running[name].bind(page.running);
          page.running[name] = (...all) => {
            const [id, x, y] = name === 'moved' ? ['first', ...all] : all;
            ways.set(id, [...(ways.get(id) || []), [x / page.canvas.width, y / page.canvas.height]]);
            before(...all);
          };
        }
        page.canvas.scrollIntoView({ block: 'center' })");
    let place = browser.run("(({ left, top, width, height }) => [left, top, width, height])(page.canvas.getBoundingClientRect())");
    let [left, top, width, height] = [0, 1, 2, 3].map(|part| place[part].as_f64().expect("a box"));
    let at = |y: f64| FINGERS.map(|x| [left + x * width, top + y * height]);
    browser.touch("touchStart", &at(0.3)[..1]);
    browser.touch("touchStart", &at(0.3));
    for step in 1..6 {
        browser.touch("touchMove", &at(0.3 + 0.05 * f64::from(step)));
        browser.run("new Promise(requestAnimationFrame)");
    }
    browser.touch("touchEnd", &[]);
    browser.run("new Promise((done) => { setTimeout(done, 200); })");
    let ways = browser.run("[...ways.values()]");
    let ways = ways.as_array().expect("ways");
    assert_eq!(ways.len(), FINGERS.len(), "{ways:?}");
    for (way, x) in ways.iter().zip(FINGERS) {
        let way = way.as_array().expect("places");
        assert!(way.len() >= 5, "{way:?}");
        for place in way {
            assert!((place[0].as_f64().expect("a number") - x).abs() < 0.02, "{way:?}");
        }
    }
    // Both have left dye: texels of each half that are not black.
    let dyed = browser.run(
        "(() => {
        const textures = JSON.parse(page.running.textures());
        const number = textures.findIndex(({ label }) => label.startsWith('dye'));
        const [columns, rows] = textures[number].size;
        const texels = page.running.texels(number);
        const channels = texels.length / (columns * rows);
        const halves = [0, 0];
        for (let k = 0; k < columns * rows; k += 1) {
          if (texels[channels * k] + texels[channels * k + 1] + texels[channels * k + 2] > 0.05) halves[Number(k % columns >= columns / 2)] += 1;
        }
        return halves;
      })()",
    );
    assert!(dyed[0].as_u64() > Some(3) && dyed[1].as_u64() > Some(3), "{dyed}");
}

/// Elements on a page that is too wide, and targets that are smaller than 40 pixels.
const UNFIT: &str = "(() => {
    const said = [];
    if (document.documentElement.scrollWidth > innerWidth) said.push(['width', document.documentElement.scrollWidth]);
    for (const one of document.querySelectorAll('button, select, input, summary, label.tick')) {
      const { width, height, right } = (one.closest('label.tick') || one).getBoundingClientRect();
      if (!one.checkVisibility() || width === 0) continue;
      if (right > innerWidth + 1) said.push([one.id || one.textContent, 'right', right]);
      if (height < 40) said.push([one.id || one.dataset.name || one.textContent, height]);
    }
    return said;
  })()";

#[test]
fn phones_have_the_picture_its_controls_and_room_for_fingers() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=dye&grid=64"), UPRIGHT, STILL, "");
    for (number, screen) in [UPRIGHT, SIDEWAYS].into_iter().enumerate() {
        browser.resize(screen);
        // Half of the scenes on each, or all at night.
        for entry in some_scenes(number) {
            browser.run(&format!("choose('side', '64'); enter('{}')", entry.name));
            browser.run("for (const one of document.querySelectorAll('details')) one.open = true; scrollTo(0, 0)");
            assert_eq!(browser.run(UNFIT), json!([]), "{} {screen:?}", entry.name);
            let seen = "(({ bottom, right }) => bottom <= innerHeight && right <= innerWidth)";
            for part in ["page.canvas", "byId('play')"] {
                let seen = browser.run(&format!("{seen}({part}.getBoundingClientRect())"));
                assert_eq!(seen, true, "{part} {} {screen:?}", entry.name);
            }
        }
        // Sideways the picture stays in view.
        browser.run("scrollTo(0, 600)");
        let stays = browser.run("page.canvas.getBoundingClientRect().top >= 0");
        assert_eq!(stays, screen.width > screen.height, "{screen:?}");
    }
    browser.open(&address("scene=water&grid=64&embed"), UPRIGHT, &[], "");
    assert_eq!(browser.run(UNFIT), json!([]));
    let shown = browser.run("[...document.querySelectorAll('button, select, a')].filter((one) => one.checkVisibility()).map((one) => one.id)");
    assert_eq!(shown, json!(["play", "step", "reset", "view", "whole"]));
    assert!(
        browser
            .run("byId('whole').href")
            .as_str()
            .is_some_and(|url| url.ends_with("#scene=water&grid=64"))
    );
    runs(&mut browser, "embedded");
}

#[test]
fn keys_and_motion_are_the_readers_choice() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=water&grid=64"), DESKTOP, STILL, "");
    let state = "[page.playing, page.steps]";
    let still = browser.run(state);
    browser.run("new Promise((done) => { setTimeout(done, 300); })");
    assert_eq!((browser.run(state), &still[0]), (still.clone(), &json!(false)));
    browser.run("byId('play').click()");
    runs(&mut browser, "after Play");
    // The row of scenes is one stop, and its arrows choose.
    let stops = "[...byId('scenes').children].filter((one) => one.tabIndex === 0).map((one) => one.dataset.scene).join()";
    assert_eq!(browser.run(stops), "water");
    browser.run("byId('scenes').children[0].focus()");
    browser.key("ArrowRight");
    assert_eq!(browser.run("[page.scene, document.activeElement.dataset.scene].join()"), "dye,dye");
    assert_eq!(browser.run(stops), "dye");
    browser.run("document.activeElement.blur()");
    browser.key("2");
    assert_eq!(browser.run("byId('view').value"), "1");
    browser.run("byId('letters').click()");
    browser.key("3");
    assert_eq!(browser.run("byId('view').value"), "1");
    browser.reload();
    assert_eq!(browser.run("byId('letters').checked"), false);
}

#[test]
fn a_second_has_sixty_steps_on_any_display() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=water&grid=64"), DESKTOP, STILL, "");
    for rate in [30, 50, 60, 75, 120, 144, 240] {
        let steps = browser.run(&format!(
            "(() => {{ Object.assign(page, {{ lastStep: 0, times: [1], spent: 0, playing: true }});
               let steps = 0;
               for (let k = 1; k <= {rate}; k += 1) steps += due(k * 1000 / {rate});
               return steps; }})()"
        ));
        assert!((59..=61).contains(&steps.as_u64().expect("a number")), "{rate} Hz: {steps}");
    }
    // A step that takes longer than a picture is not taken twice.
    assert_eq!(browser.run("(() => { Object.assign(page, { lastStep: 0, times: [40], playing: true }); return due(70); })()"), 1);
}

#[test]
fn a_lost_context_comes_back_in_every_scene_that_is_entered() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    browser.open(&address("scene=water&grid=64"), DESKTOP, &[], "");
    for scene in ["water", "cycle"] {
        browser.run(&format!("enter('{scene}')"));
        browser.run("globalThis.lost = page.canvas.getContext('webgl2').getExtension('WEBGL_lose_context'); lost.loseContext()");
        browser.until("byId('reason').textContent.includes('dropped') && !byId('notice').hidden");
        browser.run(if scene == "water" {
            "lost.restoreContext()"
        } else {
            "byId('again').click()"
        });
        browser.until("byId('notice').hidden && page.running");
        assert_eq!(browser.run("page.scene"), scene);
        runs(&mut browser, scene);
    }
}

#[test]
fn a_browser_that_lacks_something_says_what() {
    let Some(mut browser) = Browser::start(usual()) else { return };
    let without_floats = "const all = WebGL2RenderingContext.prototype.getExtension;
        WebGL2RenderingContext.prototype.getExtension = function (name) {
          return name === 'EXT_color_buffer_float' ? null : all.call(this, name);
        };";
    for (before, said) in [
        ("delete window.DecompressionStream", "cannot unpack gzip (DecompressionStream)"),
        ("delete window.WebAssembly", "has no WebAssembly"),
        (without_floats, "no textures of floats"),
    ] {
        browser.open(&address(""), DESKTOP, &[], before);
        let reason = browser.run("byId('reason').textContent");
        assert!(reason.as_str().is_some_and(|reason| reason.contains(said)), "{reason}");
        assert_eq!(browser.run("byId('pictures').checkVisibility()"), true);
    }
    browser.open(
        &address("scene=water&grid=64"),
        DESKTOP,
        &[],
        "delete window.MediaRecorder; window.open = () => null",
    );
    assert_eq!(browser.run("byId('record').disabled"), true);
    browser.run("byId('film').click()");
    let remark = browser.run(
        "[byId('remark').innerText, byId('remark').querySelector('a').href.slice(0, 5)].join()",
    );
    assert_eq!(remark, "The browser has blocked the new page. Open the film,blob:");
}

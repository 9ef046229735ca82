//! The page that runs the solvers in a browser computes what the library computes here, and stays usable.

pub mod devtools;
mod gallery;
mod honest;
mod pages;
mod running;
mod shots;

use std::collections::BTreeMap;

use fragstream::film::{PAGE_BYTES, page};
use fragstream::live::Live;
use fragstream::scenes::SCENES;
use fragstream::view::keys::Action;
use serde_json::{Value, json};

use self::pages::some_scenes;
use crate::common::machine;
use crate::film::browser::{WITHOUT_WEBGL, answers, driven, found, text};

const PAGE: &str = "figures/course/live.html";
const AGAIN: &str = "cargo run --release --manifest-path src/live/pack/Cargo.toml --target-dir target makes it again";

/// What a typed text must not do.
const HOSTILE: &str =
    "</textarea><img src=x onerror=document.title='taken'><script>document.title='taken'</script>";

/// A program of the fluid, what is replaced in it, and by what.
const EDITED: [&str; 3] =
    ["kruger2003/simulation/project", "- dt * gradient(at_u", "- 0.5 * dt * gradient(at_u"];

/// A run in the page and here: a scene, cells per side, time steps or cycles, and whether its program is edited.
struct Run {
    scene: &'static str,
    side: u32,
    units: usize,
    edited: bool,
}

const RUNS: [Run; 7] = [
    Run { scene: "dye", side: 64, units: 10, edited: false },
    Run { scene: "dye", side: 64, units: 10, edited: true },
    Run { scene: "water", side: 64, units: 10, edited: false },
    Run { scene: "jet", side: 32, units: 10, edited: false },
    Run { scene: "cycle", side: 64, units: 2, edited: false },
    Run { scene: "wing", side: 32, units: 10, edited: false },
    Run { scene: "liquid", side: 64, units: 4, edited: false },
];

/// Rounding errors of the largest number that a run may differ by. A single pass of a film differs by at most four
/// (`film/crosscheck.rs`), and here up to a thousand are chained: 31 were measured.
const ROUNDINGS: f64 = 100.0;

/// Texts that are judged: one that is fine, and others that did not exist in 2003, or in GLSL.
fn judged() -> [String; 4] {
    let fine = "uniform stream velocity;\nuniform float factor;\n\
                void main() { result = vec4(factor * fetch(velocity, here).x); }\n";
    [
        fine.into(),
        fine.replace("factor *", "float(int(factor)) *"),
        fine.replace("factor;", "other;").replace("factor *", "other *"),
        fine.replace('}', ""),
    ]
}

/// All textures of a run, by their labels, and the passes of its last step.
fn run_here(run: &Run) -> (BTreeMap<String, Vec<f32>>, Live) {
    let mut live = Live::new(&machine(), run.scene, run.side, (64, 64)).expect("a scene");
    for (name, text) in edits(run) {
        live.edit(&name, &text).expect("a program");
    }
    for _ in 0..run.units {
        live.step().expect("a step");
        while !live.is_between_units() {
            live.step().expect("a step");
        }
    }
    let textures = live.textures().into_iter().enumerate();
    let textures = textures.map(|(i, texture)| (texture.label, live.texels(i).expect("texels")));
    (textures.collect(), live)
}

/// The programs that a run edits.
fn edits(run: &Run) -> BTreeMap<String, String> {
    if !run.edited {
        return BTreeMap::new();
    }
    let mut live = Live::new(&machine(), run.scene, 16, (64, 64)).expect("a scene");
    live.step().expect("a step");
    let [name, from, to] = EDITED;
    let text = live.text(name, true).expect("a program that has run");
    assert!(text.contains(from));
    [(name.to_owned(), text.replace(from, to))].into()
}

/// The page as it is kept, with a driver at its end and a script before everything else.
fn driven_page(before: &str) -> String {
    let runs = RUNS.iter().map(|run| {
        json!({"scene": run.scene, "side": run.side, "units": run.units, "edits": edits(run)})
    });
    let judged =
        json!({"scene": "dye", "name": "kruger2003/simulation/divergence", "texts": judged()});
    let scenes: Vec<&str> = some_scenes(0).map(|entry| entry.name).collect();
    let task = json!({
        "computed": runs.collect::<Vec<_>>(), "judged": judged, "hostile": HOSTILE, "scenes": scenes,
    });
    let task = task.to_string().replace('<', "\\u003c");
    let drive = text("tests/live/drive.js");
    let task = format!("<script type=\"application/json\" id=\"task\">{task}</script></body>");
    driven(&text(PAGE).replace("</body>", &task), before, &drive)
}

#[test]
fn the_landed_page_has_these_texts() {
    let landed = text(PAGE);
    for part in ["live/page/live.css", "live/page/live.js", "film/player/common.js"] {
        let part = text(&format!("src/{part}"));
        assert!(landed.contains(part.trim_end()), "{AGAIN}");
    }
    let frame = text("src/live/page/live.html");
    for part in frame.split("{{").map(|part| part.split_once("}}").map_or(part, |(_, rest)| rest)) {
        assert!(landed.contains(part), "{AGAIN}");
    }
    assert!(landed.len() < 1_250_000, "{} bytes", landed.len());
    // A page that this one opens is under its policy, too.
    let film = page("", &[], "", PAGE_BYTES).expect("a page");
    let (_, policy) = film.split_once("script-src ").expect("a policy");
    let player = policy.split(';').next().expect("the player's name");
    assert!(landed.contains(player), "{AGAIN}");
}

#[test]
fn the_pinned_version_of_wasm_bindgen_is_that_of_the_lock() {
    let lock = text("Cargo.lock");
    let (_, rest) = lock.split_once("name = \"wasm-bindgen\"\nversion = \"").expect("a package");
    let version = rest.split('"').next().expect("a version");
    let pinned = format!("wasm-bindgen-cli-support = \"={version}\"");
    assert!(text("src/live/pack/Cargo.toml").contains(&pinned), "{pinned}");
}

#[test]
fn the_page_computes_what_the_library_computes_and_stays_usable() {
    let pages = ["", WITHOUT_WEBGL].map(driven_page);
    let Some(found) = answers(&pages.each_ref().map(String::as_str)) else {
        return;
    };
    let [live, without] = &found[..] else {
        panic!("{} answers", found.len());
    };
    for (run, there) in RUNS.iter().zip(live["computed"].as_array().expect("runs")) {
        a_run_agrees(run, there);
    }
    let velocity = |run: usize| &live["computed"][run]["textures"]["velocity, with its border"];
    assert_ne!(velocity(0), velocity(1), "the edited program runs");
    texts_are_judged_alike(&live["judged"]);
    a_hostile_text_stays_text(live);
    keys_suffice(&live["keyed"]);
    a_state_is_a_link(&live["linked"]);
    // EBML, the beginning of WebM.
    assert_eq!(live["clipped"]["begins"], json!([0x1a, 0x45, 0xdf, 0xa3]), "{}", live["clipped"]);
    assert_eq!(live["clipped"]["ending"], "webm");
    assert_eq!(live["clipped"]["pictured"], true, "{}", live["clipped"]);
    a_step_is_a_film(&live["filmed"]);
    a_lost_context_comes_back(&live["disturbed"]);
    scenes_show_their_inside(live);
    assert_eq!(live["resources"], json!([]), "no network");
    assert_eq!(without["ready"], "pictures");
    assert_eq!(without["shown"], 4);
    let reason = without["reason"].as_str().expect("a reason");
    assert!(reason.contains("no WebGL 2"), "{reason}");
}

#[test]
fn every_exercise_changes_what_its_scene_computes() {
    let textures = |live: &mut Live| -> Vec<Vec<f32>> {
        for _ in 0..2 {
            live.step().expect("a step");
            while !live.is_between_units() {
                live.step().expect("a step");
            }
        }
        (0..live.textures().len()).map(|number| live.texels(number).expect("texels")).collect()
    };
    let mut exercises = 0;
    for entry in SCENES.iter().copied() {
        let Some(exercise) = entry.interactive.exercise else { continue };
        let start = || Live::new(&machine(), entry.name, 32, (64, 64)).expect("a scene");
        let (mut plain, mut changed) = (start(), start());
        assert_eq!(textures(&mut plain), textures(&mut changed), "{}", entry.name);
        let programs = changed.programs().into_iter();
        let named = programs.filter(|program| program.name.starts_with(exercise.program));
        for program in named {
            let text = changed.text(&program.name, true).expect("a text");
            assert_eq!(text.matches(exercise.replace).count(), 1, "{}", program.name);
            let text = text.replace(exercise.replace, exercise.with);
            changed.edit(&program.name, &text).expect("a program");
        }
        assert_ne!(textures(&mut plain), textures(&mut changed), "{}", entry.name);
        exercises += 1;
    }
    assert!(exercises >= 4);
}

/// A link, another one that its scene takes over or not, and whether it does.
const STEERED: [(&str, &str, bool); 8] = [
    ("scene=water&rain=0", "scene=water&rain=0&courant=2&shore=absorbing&iterations=9", true),
    ("scene=water&rain=0", "scene=water&rain=0&start=hump", false),
    ("scene=water&rain=0", "scene=water&rain=0&size=24x24", false),
    ("scene=water&rain=0", "scene=dye", false),
    ("scene=dye&pens=2", "scene=dye&pens=5&viscosity=0.1&dt=0.5&fade=0.9", true),
    ("scene=dye&pens=2", "scene=dye&pens=2&interpolation=cubic&warm_start=false&lid=1", true),
    ("scene=dye&pens=2", "scene=dye&pens=2&start=vortices", false),
    ("scene=jet", "scene=jet&dt=0.5", false),
];

#[test]
fn a_changed_setting_steers_the_run_or_leaves_it_as_it_is() {
    let size = |link: &str| if link.contains("size") { 0 } else { 32 };
    let start = |link: &str| Live::linked(&machine(), link, size(link), (64, 64)).expect("a scene");
    let step = |live: &mut Live| live.step().expect("a step");
    // The state: the matrix of the water belongs to its settings.
    let state = |live: &Live| -> Vec<Vec<u32>> {
        let labels = live.textures().into_iter().map(|texture| texture.label).enumerate();
        let vectors = labels.filter(|(_, label)| !label.starts_with("diagonal"));
        let bits = |number| live.texels(number).expect("texels").into_iter().map(f32::to_bits);
        vectors.map(|(number, _)| bits(number).collect()).collect()
    };
    for (from, to, takes) in STEERED {
        let [mut plain, mut steered] = [from, from].map(start);
        for live in [&mut plain, &mut steered] {
            (0..3).for_each(|_| step(live));
        }
        let before = state(&steered);
        assert_eq!(steered.steer(to, size(to)).expect("settings"), takes, "{to}");
        assert!(state(&steered) == before, "{to}");
        let settings = if takes { to } else { from };
        assert_eq!(steered.settings(), start(settings).settings(), "{to}");
        for live in [&mut plain, &mut steered] {
            (0..2).for_each(|_| step(live));
        }
        assert_eq!(state(&steered) != state(&plain), takes, "{to}");
        // There and back is as if nothing had happened.
        let [mut plain, mut steered] = [from, from].map(start);
        step(&mut plain);
        step(&mut steered);
        for link in [to, from] {
            steered.steer(link, size(link)).expect("settings");
        }
        step(&mut plain);
        step(&mut steered);
        assert!(state(&steered) == state(&plain), "{to}");
    }
    let mut live = start(STEERED[0].0);
    live.act(Action::View(1)).expect("a view");
    live.steer("scene=water&rain=0&courant=2", 32).expect("settings");
    let command = live.experiment().to_string();
    assert!(command.contains("--courant 2") && command.contains("--show height"), "{command}");
    let refused = live.steer("scene=water&courant=0", 32).expect_err("a setting");
    assert!(refused.to_string().contains("courant"), "{refused}");
}

#[test]
fn a_link_is_the_experiment_and_what_a_page_cannot_run_is_refused_with_its_command() {
    let linked = |link: &str, side| Live::linked(&machine(), link, side, (64, 64));
    let command = |link, side| linked(link, side).expect("a scene").experiment().to_string();
    let waves = "scene=water&preset=fig7&courant=3&size=16x16";
    assert_eq!(command(waves, 0), "fragstream water --preset fig7 --size 16x16 --courant 3");
    // Another grid changes the time between drops, unless the link gives it.
    assert_eq!(command("scene=water", 64), "fragstream water --size 64x64 --rain 15");
    assert_eq!(command("scene=water&rain=7", 64), "fragstream water --size 64x64 --rain 7");
    assert_eq!(
        command("scene=liquid&preset=dam&scene=drop&dt=0.01", 64),
        "fragstream liquid --scene drop --size 16 --dt 0.01"
    );
    // A page has a preset and a grid of its own where the link has none.
    assert_eq!(command("scene=jet", 16), "fragstream jet --preset fused --size 33x17");
    let refused =
        linked("scene=liquid&preset=dam&file=glass.toml", 0).err().expect("files").to_string();
    assert_eq!(
        refused,
        "a page reads no files. On a machine of your own: fragstream liquid glass.toml"
    );
}

/// The largest difference of each texture, in rounding errors of its largest number. What is left of a residual on the
/// levels of a cycle is judged by the solution, the largest number that it is computed from.
fn a_run_agrees(run: &Run, there: &Value) {
    let (here, live) = run_here(run);
    let bill = live.bill();
    let total = bill.total();
    let name = format!("{}, edited: {}", run.scene, run.edited);
    assert_eq!(there["passes"], total.done.passes, "{name}");
    assert_eq!(there["fetches"], total.done.fetches, "{name}");
    let cards = there["cards"].as_array().expect("cards");
    for (here, there) in bill.cards.iter().zip(cards) {
        assert_eq!(there["card"], here.card);
        let passes = there["passes"].as_f64().expect("seconds");
        assert!((passes - here.passes).abs() <= 1e-9 * here.passes, "{name}");
    }
    let programs = live.programs().into_iter();
    let programs = programs.map(|program| {
        let text = live.text(&program.name, false).expect("a text");
        (program.name, code(&text))
    });
    let landed = there["programs"].as_array().expect("programs").iter();
    let landed = landed.map(|program| {
        let [name, text] = [0, 1].map(|part| program[part].as_str().expect("a text"));
        (name.to_owned(), code(text))
    });
    assert!(landed.eq(programs), "{name}: {AGAIN}");
    let passes = total.done.passes as f64 * run.units as f64;
    let peak_of = |texels: &[f32]| {
        texels.iter().fold(0.0f64, |peak, &value| peak.max(f64::from(value).abs()))
    };
    let solution = here.get("level 0: u").map(|texels| peak_of(texels));
    for (label, texels) in here {
        let found = there["textures"][&label].as_array().expect("texels");
        assert_eq!(found.len(), texels.len(), "{name}: {label}");
        let peak = solution.unwrap_or_else(|| peak_of(&texels));
        let differences = found.iter().zip(&texels);
        let differences = differences
            .map(|(there, &here)| (there.as_f64().expect("a number") - f64::from(here)).abs());
        let worst =
            differences.fold(0.0f64, f64::max) / (peak.max(1e-30) * f64::from(f32::EPSILON));
        eprintln!("{name}: {label}: {worst:.1} rounding errors of {peak:.2e}, {passes} passes");
        assert!(worst <= ROUNDINGS, "{name}: {label}: {worst} rounding errors");
    }
}

/// A text without comments and empty lines.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    let lines = lines.map(str::trim_end).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Tests whether a value is a text with this part.
fn holds(value: &Value, part: &str) -> bool {
    value.as_str().is_some_and(|text| text.contains(part))
}

fn texts_are_judged_alike(found: &Value) {
    let mut live = Live::new(&machine(), "dye", 16, (64, 64)).expect("a scene");
    live.step().expect("a step");
    let name = "kruger2003/simulation/divergence";
    let found = found.as_array().expect("judgements");
    for (text, there) in judged().iter().zip(found) {
        assert_eq!(there["checked"], json!(live.check(name, text)), "{text}");
        let refused = live.edit(name, text).err().map(|error| error.to_string());
        assert_eq!(there["refused"], json!(refused), "{text}");
    }
    let refused = |at: usize| found[at]["refused"].as_str().unwrap_or_default();
    assert_eq!(refused(0), "");
    assert!(refused(1).contains("int"), "{}", refused(1));
    assert!(refused(2).contains("other"), "{}", refused(2));
    assert_ne!(refused(3), "");
}

fn a_hostile_text_stays_text(live: &Value) {
    assert_eq!(live["images"], 0);
    assert_eq!((&live["title"], &live["ended"]), (&live["ended"], &live["title"]));
    assert_ne!(live["ended"], "taken");
    let typed = &live["typed"];
    assert!(holds(&typed["said"], "line 1, column 1"), "{typed}");
    assert_eq!(typed["lines"], 1);
    assert_eq!(typed["restored"], true);
}

fn keys_suffice(keyed: &Value) {
    assert_eq!(keyed[" "]["playing"], false);
    let steps = |key: &str| keyed[key]["steps"].as_u64().expect("a count");
    assert_eq!(steps("s"), steps(" ") + 1);
    assert_eq!(keyed["2"]["view"], "1");
    assert_eq!(keyed["a"]["auto"], false);
    assert_eq!(steps("r"), 0);
    assert_eq!(keyed["r"]["playing"], true);
    assert_eq!((&keyed["stirred"], &keyed["help"]), (&json!(true), &json!(true)));
}

fn a_state_is_a_link(linked: &Value) {
    let [sent, received, damaged, unknown, refused] =
        ["sent", "received", "damaged", "unknown", "refused"].map(|state| &linked[state]);
    assert!(linked["url"].as_str().is_some_and(|url| url.len() < 4000), "{linked}");
    for part in ["scene", "preset", "command", "view", "programs", "program", "text"] {
        assert_eq!(received[part], sent[part], "{part}");
    }
    assert_eq!(sent["programs"].as_array().map(Vec::len), Some(1));
    assert!(holds(&sent["text"], "// mine"));
    for state in [received, damaged, unknown, refused] {
        assert_eq!(state["notice"], true, "{state}");
    }
    assert!(holds(&damaged["said"], "damaged"), "{damaged}");
    assert_eq!((&damaged["preset"], &damaged["programs"]), (&json!(""), &json!([])), "{damaged}");
    assert!(holds(&unknown["said"], "<img src=x>. Choose one of rain, "), "{unknown}");
    assert_eq!(refused["programs"], json!([]), "{refused}");
    assert!(holds(&refused["found"], "`nonsense`"));
}

/// Plays a film: its passes, those that do not come out bit by bit, whether it has the edited text, and hits and misses of
/// the fetches of a few texels, in batches.
const PLAYED: &str = "
    const [{ replay, film }] = page.views;
    const wrong = film.passes.filter((index) => {
      replay.goTo(index + 1);
      return !statusText(replay.distance(film.events[index]), false)[1];
    });
    const edited = film.texts.some((text) => text.includes('- 0.5 * dt * gradient(at_u'));
    const traced = film.passes.find((index) => film.kernels[film.events[index].kernel].name.includes('simulation/trace'));
    replay.goTo(traced + 1);
    const hits = [[8, 8], [9, 8], [20, 30]].flatMap(([x, y]) => hitsAt(replay, film.events[traced], x, y)[0].hits);
    return { passes: film.passes.length, wrong: wrong.length, edited, hits };";

/// The film of a step, which was recorded in the browser from the middle of a run, is that step.
fn a_step_is_a_film(filmed: &Value) {
    assert_eq!((&filmed["opened"], &filmed["playing"]), (&json!(["blob"]), &json!(false)));
    let made = filmed["made"].as_str().expect("a page");
    let Some(found) = found(made, PLAYED) else { return };
    assert_eq!(found["passes"], filmed["passes"]);
    assert_eq!((&found["wrong"], &found["edited"]), (&json!(0), &json!(true)));
    let hits = found["hits"].as_array().expect("hits and misses");
    for kind in [true, false] {
        assert!(hits.contains(&json!(kind)), "{hits:?}");
    }
}

fn a_lost_context_comes_back(disturbed: &Value) {
    assert_eq!(disturbed["told"], true, "{disturbed}");
    assert!(holds(&disturbed["said"], "dropped"), "{disturbed}");
    assert_eq!(disturbed["back"], true, "{disturbed}");
    assert_eq!(disturbed["width"], 300, "{disturbed}");
    assert_eq!(disturbed["went"], true, "{disturbed}");
}

fn scenes_show_their_inside(live: &Value) {
    for entry in some_scenes(0) {
        let scene = entry.name;
        let shown = &live[scene];
        assert_eq!(shown["notice"], "", "{scene}");
        assert_eq!(shown["auto"], ["water", "dye"].contains(&scene), "{scene}");
        for count in ["textures", "programs", "program"] {
            assert!(shown[count].as_u64() > Some(1), "{scene}: {count}: {shown}");
        }
        assert!(holds(&shown["passes"], "passes"), "{shown}");
        assert!(holds(&shown["length"], "instructions"), "{scene}");
    }
}

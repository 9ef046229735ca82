//! An experiment comes back from each of its forms: a command line, a link, JSON.

use fragstream::base::random::SplitMix64;
use fragstream::command::grammar;
use fragstream::experiment::{Experiment, Subject};
use fragstream::experiments::ALL;
use fragstream::program::formats::Registers;
use fragstream::scenes::linked;
use fragstream::settings::Field;
use fragstream::stream::Machine;

use crate::common::nightly::all_pages;

/// Random settings per preset.
fn values() -> u64 {
    if all_pages() { 200 } else { 25 }
}

/// A random word that the field takes: a choice, a number in its range, or one of the examples of its type.
fn word(field: &Field, random: &mut SplitMix64) -> String {
    let number = |limit: &str| field.schema()[limit].as_f64();
    if field.is_optional() && random.uniform() < 0.3 {
        return "none".to_owned();
    }
    let choices = field.choices();
    if !choices.is_empty() {
        return choices[random.below(choices.len())][0].to_owned();
    }
    if field.is_flag() {
        return (random.uniform() < 0.5).to_string();
    }
    let kind = &field.schema()["type"];
    let is =
        |name: &str| kind == name || kind.as_array().is_some_and(|a| a.iter().any(|k| k == name));
    let least = number("minimum").or(number("exclusiveMinimum")).unwrap_or(-1e6);
    let most = number("maximum").unwrap_or(1e6).min(1e15);
    if is("integer") {
        return ((least + random.uniform() * (most - least)).round() as u64).to_string();
    }
    if is("number") {
        return (least + (1e-9 + random.uniform()) * (most - least)).min(most).to_string();
    }
    let examples: &[&str] = match field.takes().as_str() {
        "WxH" => &["96x64", "7x7", "513x129"],
        "A,f" => &["0.5,0.2", "-1,0.25,33.3"],
        "T,C,E,P" => &["0.05,0,0.15,0.25", "0.1,-0.2,0.3,-0.4"],
        "SMOOTHER" => &["red-black", "jacobi:0.7"],
        "SIDES" => &["neumann", "dirichlet,neumann,periodic,periodic"],
        "KINDS" => &["mixed", "dirichlet,neumann,periodic,periodic"],
        "CONDITION" => &["value=20", "slope=-0.5", "alpha=1,beta=-2,gamma=3e-7"],
        "WIDTHxHEIGHT" => &["4x3", "0.1x1e-3"],
        "[NAME=]FORMULA" => &["x*y", "-1", "inner=0;outer=sin(x)", "a b;c=2"],
        "FORMULA" => &["x+exp(-y)", "-1e-3"],
        "MESH" => &["circle", "blood", "a b.msh", "-x.tri"],
        "FILE|ones|random:SEED" => &["ones", "random:7", "-b.mtx"],
        "SIZE" => &["2GB", "1234.567kB"],
        "NUMBER|chebyshev" => &["chebyshev", "0.6666666666666666", "1e-8"],
        "NAME|FORMULA|FILE" => &["random:7", "-x*y^2 + 1", "a b.PNG", "-1", "-g.f32"],
        _ => &["a file's name.txt", "-x.toml"],
    };
    examples[random.below(examples.len())].to_owned()
}

/// The experiment with random values in about half of its settings.
fn random(entry: &'static dyn Subject, preset: &str, seed: u64) -> Experiment {
    let mut experiment = entry.experiment(preset).expect(preset);
    let (fields, mut values) = (entry.fields(), SplitMix64::new(seed));
    for field in &fields {
        // Of two settings that say the same, one.
        let is_replaced = fields.iter().any(|other| other.instead_of() == Some(field.name()));
        if values.uniform() < 0.5 && !is_replaced {
            let word = word(field, &mut values);
            experiment.set(field.name(), &word).unwrap_or_else(|e| panic!("{}: {e}", field.name()));
        }
    }
    experiment
}

fn presets(entry: &'static dyn Subject) -> impl Iterator<Item = &'static str> {
    entry.presets().into_iter().map(|[name, _]| name)
}

#[test]
fn experiments_come_back_from_command_lines() {
    let mut grammar = grammar();
    grammar.build();
    for &entry in ALL.iter() {
        for preset in presets(entry) {
            for seed in 0..values() {
                let experiment = random(entry, preset, seed);
                let words = experiment.words();
                let line = std::iter::once("fragstream".to_owned()).chain(words.clone());
                let matches = grammar.try_get_matches_from_mut(line);
                let matches = matches.unwrap_or_else(|error| panic!("{words:?}: {error}"));
                let (_, matches) = matches.subcommand().expect("a scene");
                let back = fragstream::command::experiment_of(entry, matches).expect("settings");
                assert_eq!(back.words(), words);
                assert_eq!(back, experiment, "{words:?}");
            }
        }
    }
}

#[test]
fn experiments_come_back_from_links_and_json() {
    for &entry in ALL.iter() {
        for preset in presets(entry) {
            for seed in 0..values() {
                let experiment = random(entry, preset, seed);
                if fragstream::scenes::find(entry.command()).is_some() {
                    assert_eq!(linked(&experiment.link()).expect("a link").1, experiment);
                }
                let text = experiment.described()["settings"].to_string();
                let mut back = entry.experiment(preset).expect(preset);
                back.take(&serde_json::from_str(&text).expect("JSON")).expect("settings");
                assert_eq!(back, experiment);
            }
        }
    }
}

#[test]
fn a_link_has_the_setting_that_is_called_scene() {
    let liquid = fragstream::experiments::find("liquid").expect("a scene");
    let mut drop = liquid.experiment("small").expect("a preset");
    drop.set("scene", "drop").expect("a setting");
    let (entry, back) = linked(&drop.link()).expect("a link");
    assert_eq!((entry.name, back), ("liquid", drop));
}

#[test]
fn an_unknown_setting_and_a_value_out_of_range_are_refused_with_a_remedy() {
    let refusal =
        |link: &str| linked(link).err().map(|error| error.to_string()).unwrap_or_default();
    let range = "--damping -1. Give a number of at least 0.";
    assert_eq!(refusal("scene=water&damping=-1"), range);
    assert!(refusal("scene=water&shore=rocky").contains("Choose one of reflecting, absorbing."));
    assert!(refusal("scene=water&dampin=0").contains("Did you mean damping?"));
    assert!(refusal("scene=watr").contains("Choose one of water, "));
    assert!(refusal("scene=water&size=1e3x5").contains("as in 513x129"));
}

#[test]
fn a_setting_given_instead_of_another_leaves_that_open() {
    let dye = fragstream::experiments::find("dye").expect("a scene");
    let mut vortices = dye.experiment("vortices").expect("a preset");
    vortices.set("reynolds", "100").expect("a setting");
    assert!(vortices.settings()["viscosity"].is_null());
    assert_eq!(vortices.to_string(), "fragstream dye --preset vortices --reynolds 100");
    vortices.set("viscosity", "0.5").expect("a setting");
    assert_eq!(vortices.to_string(), "fragstream dye --preset vortices --viscosity 0.5");
}

#[test]
fn what_a_machine_lacks_is_said_with_the_command_that_runs_elsewhere() {
    let lacks = |command: &str, setting: [&str; 2], machine: Option<&Machine>| {
        let subject = fragstream::experiments::find(command).expect(command);
        let mut experiment = subject.experiment("paper").expect("a preset");
        experiment.set(setting[0], setting[1]).expect("a setting");
        experiment.check_on(machine).err().unwrap_or_default()
    };
    let on_page = "a page has one rendering context. On a machine of your own: \
                   fragstream wing --preset paper --buffer context";
    assert_eq!(lacks("wing", ["buffer", "context"], None), on_page);
    let file = lacks("liquid", ["file", "box.toml"], None);
    assert!(
        file.ends_with(
            "reads no files. On a machine of your own: fragstream liquid --preset paper box.toml"
        ),
        "{file}"
    );
    assert_eq!(lacks("wing", ["buffer", "framebuffer"], None), "");
    let interpreter = Machine::interpreted(Registers::Single).expect("an interpreter");
    assert_eq!(lacks("wing", ["buffer", "context"], Some(&interpreter)), "");
    let doubles = lacks("fem", ["precision", "native"], Some(&interpreter));
    assert!(doubles.ends_with("On another machine: fragstream fem --preset paper"), "{doubles}");
    assert_eq!(lacks("fem", ["precision", "pairs"], Some(&interpreter)), "");
}

#[test]
fn a_headline_names_the_preset_and_what_differs_from_the_paper_s() {
    let headline = |command: &str, preset: &str, settings: &[[&str; 2]]| {
        let subject = fragstream::experiments::find(command).expect(command);
        let mut experiment = subject.experiment(preset).expect(preset);
        settings.iter().for_each(|[name, word]| experiment.set(name, word).expect(word));
        experiment.headline()
    };
    assert_eq!(
        headline("solve", "", &[["matrix", "a.mtx"], ["refine", "0"]]),
        "solve: preset auto"
    );
    assert_eq!(headline("solve", "paper", &[["matrix", "a.mtx"]]), "solve: preset paper");
    assert_eq!(headline("fem", "paper", &[]), "fem: preset paper");
    let other = "fem: preset paper (differs from --preset paper in levels)";
    assert_eq!(headline("fem", "paper", &[["levels", "3"]]), other);
}

//! A setting that nobody reads does not exist: each setting that a claim takes changes the record of what it runs, or is
//! refused with a remedy.

use std::collections::BTreeMap;

use fragstream::experiment::{Experiment, Kept, Place};
use fragstream::papers::PAPERS;
use fragstream::settings::Field;
use fragstream::stream::Machine;
use serde_json::Value;

/// One of so many settings is tried at each commit; all of the subjects whose names begin with the value of
/// `FRAGSTREAM_ALL_SETTINGS` are.
const SAMPLE: usize = 96;

/// Other words for a setting.
fn others(field: &Field, word: &str) -> Vec<String> {
    let choices = field.choices().into_iter().map(|[name, _]| name.to_owned());
    let mut others: Vec<String> = choices.collect();
    if field.is_flag() {
        others.extend(["true", "false"].map(str::to_owned));
    }
    if let Ok(number) = word.parse::<f64>() {
        let numbers =
            [2.0 * number, (number / 2.0).ceil(), number / 2.0, number + 1.0, 10.0 * number];
        others.extend(numbers.map(|number| number.to_string()));
        others.extend([format!("{:e}", number / 100.0), format!("{:e}", number * 1e4)]);
    }
    let named: &[&str] = match field.name() {
        "size" => &["33", "17", "65", "32", "33x17", "24"],
        "input" => &["cube", "bunny", "room", "figures/input/plate.toml"],
        "mesh" => &["circle", "blood"],
        "boundary" => &["neumann", "dirichlet", "periodic"],
        "rect" => &["8x8"],
        "omega" => &["0.5", "0.9", "chebyshev"],
        "rhs" => &["x+1", "ones"],
        "coarsest" => &["cg", "jacobi:3"],
        "inlet" => &["off", "0.5"],
        "heave" | "lag" | "pitch" => &["0.4,0.3", "10,0.3", "0.1,0.2,0.5"],
        "west" | "east" | "south" | "north" | "sides" => &["value=20", "slope=0"],
        "extent" => &["2x1", "3x1"],
        "problem" => &["plate", "flow", "manufactured"],
        "dirichlet" => &["x", "2"],
        "smoother" => &["jacobi:0.7"],
        _ => &["0.01", "1", "2", "0.5", "10", "3"],
    };
    others.extend(named.iter().map(|&word| word.to_owned()));
    others.retain(|other| other != word);
    others
}

/// The numbers, texts and pictures of a record, without seconds and settings; or the message of its refusal.
fn found(experiment: &Experiment, machine: &Machine) -> Result<Value, String> {
    let kept = Kept::default();
    let record =
        experiment.run(Place { machine, kept: &kept }).map_err(|error| error.to_string())?;
    let Value::Object(mut all) = record.json() else { panic!("an object") };
    all.retain(|name, _| !name.starts_with("settings.") && !name.contains("seconds"));
    for picture in &record.pictures {
        all.insert(format!("picture.{}", picture.name), picture.png.clone().into());
    }
    Ok(Value::Object(all))
}

/// Tests whether another value of a setting changes what an experiment finds, or is refused.
fn is_read(experiment: &Experiment, field: &Field, usual: &Value, machine: &Machine) -> bool {
    let word = field.word(&experiment.settings()[field.name()]);
    others(field, &word).iter().any(|other| {
        let mut changed = experiment.clone();
        // What the setting does not take at all says nothing.
        changed.set(field.name(), other).is_ok()
            && match found(&changed, machine) {
                Ok(now) => now != *usual,
                Err(message) => message.contains(". ") || message.contains(": "),
            }
    })
}

#[test]
fn each_setting_that_a_claim_takes_changes_what_it_finds_or_is_refused() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let all = std::env::var("FRAGSTREAM_ALL_SETTINGS").ok();
    let claims =
        PAPERS.iter().flat_map(|paper| paper.claims.iter().map(move |claim| (paper, claim)));
    // The settings of a subject, by all the experiments that claims make of it.
    let mut subjects = BTreeMap::<&str, (Vec<Experiment>, Vec<Field>)>::new();
    for (_, claim) in claims {
        let open = claim.options();
        for experiment in claim.experiments(true, &[]).expect("experiments") {
            let subject = experiment.subject();
            let (experiments, fields) = subjects.entry(subject.command()).or_default();
            for field in subject.fields() {
                let is_known = fields.iter().any(|known| known.name() == field.name());
                if open.contains(&format!("--{}", field.option())) && !is_known {
                    fields.push(field);
                }
            }
            if !experiments.contains(&experiment) {
                experiments.push(experiment);
            }
        }
    }
    let (mut count, mut unread) = (0_usize, Vec::new());
    for (name, (experiments, fields)) in subjects {
        let mut usual = BTreeMap::new();
        for field in fields {
            count += 1;
            let is_all = all.as_ref().map(|of| name.starts_with(of));
            if !is_all.unwrap_or(count.is_multiple_of(SAMPLE)) {
                continue;
            }
            let is_read = experiments.iter().enumerate().any(|(place, experiment)| {
                let usual = usual.entry(place).or_insert_with(|| {
                    found(experiment, &machine)
                        .unwrap_or_else(|error| panic!("{experiment}: {error}"))
                });
                // A work of the CPU has seconds alone.
                let is_of_the_cpu = usual["passes"].as_f64() == Some(0.0);
                experiment.subject().is_timed() && is_of_the_cpu
                    || is_read(experiment, &field, usual, &machine)
            });
            if !is_read {
                eprintln!("nobody reads {name} --{}", field.option());
                unread.push(format!("{name} --{}", field.option()));
            }
        }
    }
    assert!(count > 100, "{count} settings");
    assert!(unread.is_empty(), "nobody reads {}", unread.join(", "));
}

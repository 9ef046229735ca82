//! Claims run the experiments that their rows name: what the report stores of a claim is what its check got.

use fragstream::claim::{Checker, Claim, Given, Run, choose};
use fragstream::command::{experiment_of, grammar};
use fragstream::experiment::{Experiment, Kept, Place};
use fragstream::experiments::subject;
use fragstream::papers::PAPERS;
use fragstream::stream::Machine;

/// Rows whose checks are cheap in quick mode.
const CHEAP: [&str; 4] =
    ["kruger2003/fig7", "kruger2003/nse", "kruger2003/nse-forces", "kruger2003/wave-sizes"];

fn rows() -> impl Iterator<Item = (String, &'static Claim)> {
    let papers =
        PAPERS.iter().flat_map(|paper| paper.claims.iter().map(move |claim| (paper, claim)));
    papers.map(|(paper, claim)| (format!("{}/{}", paper.id, claim.id), claim))
}

fn words(experiments: &[Experiment]) -> Vec<String> {
    experiments.iter().map(ToString::to_string).collect()
}

#[test]
fn the_experiments_of_rows_are_command_lines_in_both_modes() {
    let mut grammar = grammar();
    grammar.build();
    let mut count = 0;
    for (id, claim) in rows() {
        for is_quick in [true, false] {
            let experiments = claim.experiments(is_quick, &[]);
            for experiment in experiments.unwrap_or_else(|error| panic!("{id}: {error}")) {
                let line = ["fragstream".to_owned()].into_iter().chain(experiment.words());
                let matches = grammar.try_get_matches_from_mut(line);
                let matches = matches.unwrap_or_else(|error| panic!("{id}: {experiment}: {error}"));
                let (name, matches) = match matches.subcommand() {
                    Some(("run", matches)) => matches.subcommand().expect("a study"),
                    one => one.expect("a command"),
                };
                let of = subject(name).expect(name);
                assert_eq!(experiment_of(of, matches).expect("settings"), experiment, "{id}");
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count} experiments");
}

#[test]
fn a_check_gets_the_experiments_of_its_row_with_a_user_s_settings_in_place() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let given = [["damping", "0.001"], ["pens", "1.5"]].map(|words| words.map(str::to_owned));
    for words_given in [&[][..], &given] {
        let mut run = Run::new(&machine);
        run.quick = true;
        run.given = Given { words: words_given.to_vec() };
        let mut checker = Checker::new(run);
        for chosen in choose(PAPERS, &CHEAP.map(str::to_owned)).expect("claims") {
            let taken = checker.check(chosen).expect("a finding");
            let of_row = chosen.1.experiments(true, words_given).expect("experiments");
            assert_eq!(words(&taken.experiments), words(&of_row), "{}", taken.id());
            let options = chosen.1.options();
            let takes = words_given.iter().any(|[name, _]| options.contains(&format!("--{name}")));
            assert_eq!(taken.inputs.is_empty(), !takes, "{}", taken.id());
        }
    }
}

#[test]
fn settings_of_variants_are_the_claim_s() {
    let (_, forces) = rows().find(|(id, _)| id == "kruger2003/nse-forces").expect("a row");
    let options = forces.options();
    assert!(options.contains("--size") && options.contains("--warm-start"));
    assert!(!options.contains("--iterations"), "{options:?}");
    let [few, many, _] = &words(&forces.experiments(false, &[]).expect("experiments"))[..] else {
        panic!("three experiments");
    };
    assert_eq!(few, "fragstream run kruger2003/left --preset fig8 --size 256x256 --steps 150");
    assert_eq!(
        many,
        "fragstream run kruger2003/left --preset fig8 --size 256x256 --iterations 60 --steps 150"
    );
}

#[test]
fn variants_are_split_and_a_user_s_settings_replace_those_of_the_mode_alone() {
    let (_, problems) = rows().find(|(id, _)| id == "geveler2011/problems").expect("a row");
    assert!(problems.options().contains("--levels") && !problems.options().contains("--numbering"));
    let given = [["levels", "3"].map(str::to_owned)];
    let all = |given| words(&problems.experiments(false, given).expect("experiments"));
    let (usual, given) = (all(&[]), all(&given));
    assert_eq!((usual.len(), given.len()), (60, 60));
    assert_eq!(usual[16], "fragstream run geveler2011/cycle-one --element q2 --numbering cm");
    assert_eq!(usual[0], "fragstream run geveler2011/cycle-one --levels 8");
    assert_eq!(usual[30], "fragstream run geveler2011/cycle-one blood --levels 5");
    // They replace the levels of all lines.
    assert_eq!(given[0], "fragstream run geveler2011/cycle-one --levels 3");
    assert_eq!(given[30], "fragstream run geveler2011/cycle-one blood --levels 3");
    let (_, cycles) = rows().find(|(id, _)| id == "geveler2011/convergence").expect("a row");
    let cycles = words(&cycles.experiments(true, &[]).expect("experiments"));
    let mixed = cycles.iter().filter(|line| line.contains("--precision mixed")).count();
    assert_eq!((cycles.len(), mixed), (10, 7));
}

/// Studies whose records take no second.
const SHORT: [&str; 4] = [
    "goodnight2003/kernels --programs original --no-red-black-map",
    "goodnight2003/atlas --size 257x257",
    "geveler2011/numbering --levels 3 --numbering hie",
    "batty2003/iterations --size 8 --grouping quadrants",
];

#[test]
fn a_printed_line_gives_the_record_that_a_check_reads_to_the_last_bit() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    for line in SHORT {
        let (name, options) = line.split_once(' ').expect("options");
        let mut experiment = subject(name).expect(name).experiment("").expect("settings");
        experiment.given(options).expect(options);
        assert_eq!(experiment.to_string(), format!("fragstream run {line}"));
        let kept = Kept::default();
        let record = experiment.run(Place { machine: &machine, kept: &kept }).expect(line);
        let mut command = assert_cmd::Command::cargo_bin("fragstream").expect("the command");
        let output = command.arg("run").args(line.split(' ')).arg("--json").output().expect(line);
        let printed: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(printed["result"], record.json(), "{line}");
    }
}

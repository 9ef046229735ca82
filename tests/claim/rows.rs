//! Claims as data: the files of rows, their scopes, conditions and messages, and a file of a user's.

use fragstream::claim::judge::on_its_card;
use fragstream::claim::{Bound, Claim, Found, Measured, Value, Verdict, judge, rows};
use fragstream::experiments::subjects;
use fragstream::papers::{PAPERS, pages};
use fragstream::timing::Interval;

use crate::claim::readme::root;

/// All rows of files.
fn of_files() -> impl Iterator<Item = (String, &'static Claim, &'static rows::Row)> {
    let claims =
        PAPERS.iter().flat_map(|paper| paper.claims.into_iter().map(move |claim| (paper, claim)));
    claims.map(|(paper, claim)| (format!("{}/{}", paper.id, claim.id), claim, claim.row))
}

#[test]
fn the_experiments_of_a_row_are_inside_what_its_sentence_is_about() {
    let mut count = 0;
    for (id, _, row) in of_files() {
        assert!(!row.scope().is_empty(), "{id} has no scope");
        let beyond = row.beyond_scope().expect("experiments");
        assert!(beyond.is_empty(), "{id}: {}", beyond.join("; "));
        count += 1;
    }
    assert!(count >= 28, "{count} rows");
}

/// Values of a result that no condition of this kind holds for.
fn broken(measured: &Measured) -> [Measured; 3] {
    let number = |value: f64| Measured::Number(Interval::from(value));
    match measured {
        Measured::Text(text) => [(); 3].map(|()| Measured::Text(format!("not {text}"))),
        Measured::Number(one) => {
            [number(1e30), number(-1e30), number(1e-6 * one.median.abs().max(1e-3))]
        }
    }
}

#[test]
fn one_edited_number_turns_the_verdict_of_each_row() {
    let report = pages::report(&root().join("figures")).expect("the report");
    let mut conditions = 0;
    for paper in PAPERS {
        for claim in paper.claims {
            let id = format!("{}/{}", paper.id, claim.id);
            let Some(entry) = report.claims.iter().find(|entry| entry.id == id) else { continue };
            let found = Found { values: entry.values.clone(), ..Found::default() };
            // The model of a card decides about the card.
            let of = |found: &Found| match claim.is_of_its_card() {
                true => on_its_card(claim, &found.values),
                false => judge(claim, found, false, 0.03).verdict,
            };
            let verdict = of(&found);
            if verdict != Verdict::Reproduced {
                continue;
            }
            let is_judged = |place: &usize| found.values[*place].bound != Bound::None;
            for place in (0..found.values.len()).filter(is_judged) {
                let model = found.values.get(place + 1).is_some_and(|next| next.is_model);
                let edit = place + usize::from(model && claim.is_of_its_card());
                let turns = broken(&found.values[edit].measured).into_iter().any(|measured| {
                    let mut edited = found.clone();
                    edited.values[edit].measured = measured;
                    of(&edited) != verdict
                });
                assert!(turns, "{id}: {} can have any value", found.values[place].name);
                conditions += 1;
            }
        }
    }
    assert!(conditions > 200, "{conditions} conditions");
}

#[test]
fn the_time_of_a_card_of_2003_is_decided_by_its_model_or_not_at_all() {
    let claim = |id: &str| {
        let (_, claim, _) = of_files().find(|(one, ..)| one == id).expect("a row");
        claim
    };
    let verdict = |id: &str, here: f64, model: Option<f64>| {
        let times = Interval { rounds: 36, processes: 6, ..Interval::from(here) };
        let values = vec![Value::of("gain", times, "", Bound::Printed)];
        let found = Found { values, ..Found::default() }.modelled(model);
        on_its_card(claim(id), &found.values)
    };
    // The paper prints 3.3 times; a time here is not its card's.
    let sizes = |here, model| verdict("kruger2003/wave-sizes", here, model);
    assert_eq!(sizes(1.0, Some(3.3)), Verdict::Reproduced);
    assert_eq!(sizes(3.3, Some(1.2)), Verdict::Differs);
    assert_eq!(sizes(3.3, Some(2.3)), Verdict::NotResolvable);
    assert_eq!(sizes(3.3, None), Verdict::NotDecidable);
    // Pages give the factor of the model's interval.
    let factor = format!("a factor of {:.2}", (2.0 * fragstream::card::cost::HELD_OUT).exp());
    for page in ["README.md", "article/README.md", "changed-criteria.md"] {
        let text = std::fs::read_to_string(root().join("figures").join(page)).expect("a page");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&factor), "{page}");
    }
    // The model was fitted to these.
    assert_eq!(verdict("kruger2003/reduce", 3.3, Some(3.3)), Verdict::NotDecidable);
}

/// The message for a file of rows.
fn fault(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, text).expect("a file");
    let error = rows::read(&path, PAPERS, &subjects()).expect_err("a fault").to_string();
    error.replace(&format!("{}/", folder.path().display()), "")
}

const ROW: &str = "[paper]\nid = \"mine\"\n[list]\nlayout = [\"one\", \"seven\"]\n[row.a]\nplace = \"§1\"\nsays = \"So it is.\"\n\
                   about = \"arithmetic\"\npaper = \"twice\"\nclass = \"exact\"\nrun.dam = \"batty2003/dam --size 16\"\n\
                   [row.a.value]\ngain = \"gain: dam.left == 1\"\n";

#[test]
fn a_fault_has_line_and_column_and_says_what_there_is() {
    for (from, to, says) in [
        (
            "dam.left",
            "dam.lef",
            "mine.toml:13:15: batty2003/dam has no quantity lef: did you mean left? there are",
        ),
        (
            "dam.left",
            "damm.left",
            "mine.toml:13:15: nothing is called damm in this row: did you mean dam? there are dam, printed",
        ),
        ("dam.left == 1", "dam", "mine.toml:13:15: name a quantity of dam, as in dam.passes"),
        (
            "== 1",
            "~ 1",
            "mine.toml:13:24: a condition is one of = p, > 1, < 1, in a to b, <= c, >= c, == n, meets p, is 'text'",
        ),
        ("== 1", "== 1 2", "this is left over after the condition"),
        ("== 1", "= dam.left", "the paper's number consists of numbers and printed ones"),
        ("== 1", "in 1", "a range is written as in a to b"),
        (
            "dam.left",
            "total(dam.left)",
            "no function total: there are count, first, largest, last, mean, smallest, sum",
        ),
        ("gain: ", "gain ", "write a line as label: expression [unit] condition"),
        ("--size 16", "--sise 16", "mine.toml:11:26: --sise"),
        ("--size 16", "--size many", "--size many"),
        (
            "batty2003/dam",
            "batty2003/damm",
            "nothing that runs is called batty2003/damm: did you mean batty2003/dam?",
        ),
        ("run.dam", "race.dam", "this is no work that is timed"),
        ("class = \"exact\"", "class = \"exactly\"", "exactly"),
        ("about =", "abuot =", "abuot"),
        ("gain = ", "\"{layuot}\" = ", "no list layuot: did you mean layout? there are layout"),
        (
            "[row.a.value]",
            "headline = \"{gian}\"\n[row.a.value]",
            "no value gian in this row: there are gain",
        ),
        (
            "[row.a.value]",
            "card = \"Quadro FX 3000\"\n[row.a.value]",
            "no model of this card: there are",
        ),
        (
            "[row.a.value]",
            "small.damm = \"--size 16\"\n[row.a.value]",
            "no name of a run or a work in the row begins so",
        ),
        ("[row.a.value]", "aside = [\"dam\"]\n[row.a.value]", "no work of this name in the row"),
        ("[row.a.value]", "quick = \"--sides 3\"\n[row.a.value]", "mine.toml:12:10: --sides"),
        (
            "[row.a.value]",
            "full.dan = \"--size 8\"\n[row.a.value]",
            "mine.toml:12:13: no name of a run or a work in the row begins so",
        ),
        (
            "run.dam = \"batty2003/dam --size 16\"",
            "race.dam = \"batty2003/iterations --size {8|16} --stop-at {1|16}\"",
            "a work has one setting in braces at most",
        ),
        ("== 1", "over 1.. == 1", "this row has no sweep: give it one"),
        (
            "[row.a.value]",
            "over.size = \"{layout}\"\n[row.a.value]",
            "a sweep has numbers: name a list of them",
        ),
        ("gain: ", "gain at {dam.settings.sise}: ", "a label has settings in braces"),
        ("id = \"mine\"", "id = \"batty2003\"", "the id \"batty2003\" of [paper] is not free"),
        ("[paper]\nid = \"mine\"\n", "", "whose claims are these?"),
    ] {
        let text = ROW.replacen(from, to, 1);
        assert_ne!(text, ROW, "{from}");
        let fault = fault(&text);
        assert!(fault.contains(says), "{to}: {fault}");
    }
}

const RANGES: &str = r#"
[paper]
id = "mine"
[row.a]
place = "§1"
says = "So it is."
scope = { of = "two vectors" }
about = "arithmetic"
paper = "(both)"
class = "tolerance"
run.few = "kruger2003/vectors --no-packed --entries 64"
run.many = "kruger2003/vectors --no-packed --entries 256"
small.many = "--entries 1024"
value.range = "fragments: few and many: few.fragments to many.fragments in 64 to 1024"
value.curve = "times as many: few.fragments / 256 to many.fragments / 256 meets 1"
[row.a.table.fragments]
caption = "Fragments."
columns = ["vector", "formula", "fragments"]
rows = [["few", "'n = 64", "few.fragments"], ["many", "", "many.fragments"]]
[row.a.chart.fragments]
title = "Fragments"
axes = ["entries", "fragments"]
caption = "Fragments."
x = "few.fragments"
[row.a.chart.fragments.lines]
few = "few.fragments"
"#;

#[test]
fn a_value_may_be_a_range_and_a_line_may_have_quick_options_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, RANGES).expect("a file");
    let own = rows::read(&path, PAPERS, &subjects()).expect("claims");
    // What the lines have alike is not compared.
    let options = own.claims[0].options();
    assert!(options.contains("--packed") && !options.contains("--entries"), "{options:?}");
    let machine = fragstream::stream::Machine::headless().expect("this machine has OpenGL");
    let mut run = fragstream::claim::Run::new(&machine);
    run.quick = true;
    let checked = fragstream::claim::Checker::new(run).check((own, &own.claims[0]));
    let finding = checked.expect("a finding");
    assert_eq!(finding.verdict, Verdict::Reproduced, "{:?}", finding.found);
    let values: Vec<_> = finding.found.values.iter().map(ToString::to_string).collect();
    let expected = ["fragments: few and many: 64 to 1024", "0.250 to 4 times as many"];
    assert_eq!(values, expected);
    let csv = finding.tables[0].csv();
    assert!(csv.contains("few,n = 64,64\n") && csv.contains("many,,1024\n"), "{csv}");
    assert_eq!(finding.figures[0].file, "mine/fragments.svg");
}

#[test]
fn a_row_of_the_list_is_a_file_of_one_s_own() {
    for paper in PAPERS {
        for claim in paper.claims {
            let text = rows::own(&[(paper, claim)]);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("mine.toml");
            std::fs::write(&path, &text).expect("a file");
            let own = rows::read(&path, PAPERS, &subjects());
            let own = own.unwrap_or_else(|error| panic!("{}: {error}\n{text}", claim.id));
            assert_eq!(own.claims[0].says, claim.says);
            assert_eq!(own.claims[0].paper, claim.paper, "{}", claim.id);
        }
    }
}

/// The file of the guide's page.
fn example() -> String {
    let page = std::fs::read_to_string(root().join("figures/replicate.md")).expect("the page");
    let (_, rest) = page.split_once("```toml\n").expect("an example");
    rest.split_once("```").expect("its end").0.to_owned()
}

/// A cube of n³ cells has seven diagonals of four bytes. Their textures are squares of texels of four for these n.
const CUBES: &str = r#"
[paper]
id = "mine"
[printed]
large = 28
exact = "almost exactly 1.75"
[list]
sides = ["4", "16", "36"]
[row.cubes]
place = "§1"
says = "A matrix of n³ cells takes 28 n³ bytes."
scope = { of = "cubes", size = "4..64" }
about = "arithmetic"
paper = "28 n³"
class = "tolerance"
run.cube = "batty2003/memory --size 64"
over = { size = "{sides}", of = "cells per side" }
headline = "{middle}, {all}"
value.own = "kilobytes at {cube.settings.size}: cube.bytes / 1e3 == 7340.032"
value.middle = "kilobytes from 8 to 40: cube.bytes / 1e3 over 8..40 in 114 to 1307"
value.none = "kilobytes above: cube.bytes / 1e3 over 100.. == 7340.032"
value.all = "times 1000 bytes: cube.bytes / 1e3 over .. meets printed.large"
value.ratio = "times as many bytes as 16 per cell: cube.bytes / (16 * cube.settings.size^3) = printed.exact"
[row.cubes.chart.cubes]
title = "Bytes of a matrix"
axes = ["cells per side", "kilobytes"]
lines."matrix" = "cube.bytes / 1e3"
"#;

/// Names and ends of the values of a file's only row, with settings of a user's.
fn ends(text: &str, given: &[[&str; 2]]) -> (Vec<(String, f64, f64)>, Verdict, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, text).expect("a file");
    let own = rows::read(&path, PAPERS, &subjects()).expect("claims");
    assert_eq!(own.claims[0].row.beyond_scope().expect("experiments").len(), 0);
    let machine = fragstream::stream::Machine::headless().expect("this machine has OpenGL");
    let mut run = fragstream::claim::Run::new(&machine);
    run.given.words = given.iter().map(|words| words.map(str::to_owned)).collect();
    let mut found =
        fragstream::claim::Checker::new(run).check((own, &own.claims[0])).expect("a finding");
    let values = found.found.values.iter().filter_map(|value| match &value.measured {
        Measured::Number(number) => Some((value.name.to_string(), number.low, number.high)),
        Measured::Text(_) => None,
    });
    let numbers = found.figures.iter_mut().flat_map(|figure| figure.take_files());
    let numbers = numbers.filter(|(name, _)| name.ends_with(".csv"));
    let numbers = numbers.map(|(_, text)| String::from_utf8(text).expect("a text"));
    (values.collect(), found.verdict, numbers.collect())
}

#[test]
fn a_row_over_a_sweep_has_its_own_value_last_and_ranges_of_the_others() {
    let value = |name: &str, low: f64, high: f64| (name.to_owned(), low, high);
    let (values, verdict, numbers) = ends(CUBES, &[]);
    let expected = [
        value("kilobytes at 64", 7340.032, 7340.032),
        value("kilobytes from 8 to 40", 114.688, 1306.368),
        value("kilobytes above", 7340.032, 7340.032),
        value("times 1000 bytes", 1.792, 7340.032),
        value("cells per side with the printed 28 times", 10.0, 10.0),
        value("times as many bytes as 16 per cell", 1.75, 1.75),
    ];
    assert_eq!(values, expected);
    assert_eq!(verdict, Verdict::Reproduced);
    assert_eq!(
        numbers,
        "series,cells per side,kilobytes\nmatrix,4,1.792\nmatrix,16,114.688\nmatrix,36,1306.368\nmatrix,64,7340.032\n"
    );
    // Smaller values than a user's alone.
    let (values, verdict, _) = ends(CUBES, &[["size", "16"]]);
    assert_eq!(
        (&values[0], &values[1]),
        (
            &value("kilobytes at 16", 114.688, 114.688),
            &value("kilobytes from 8 to 40", 114.688, 114.688)
        )
    );
    assert_eq!(verdict, Verdict::NotJudged);
    let missed = CUBES.replacen("large = 28", "large = 9000", 1);
    assert_eq!(ends(&missed, &[]).1, Verdict::NotReproduced);
}

#[test]
fn the_file_of_the_guide_gives_verdicts_and_its_mistake_the_message_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, example()).expect("a file");
    let own = rows::read(&path, PAPERS, &subjects()).expect("claims");
    let machine = fragstream::stream::Machine::headless().expect("this machine has OpenGL");
    let mut run = fragstream::claim::Run::new(&machine);
    run.quick = true;
    let mut checker = fragstream::claim::Checker::new(run);
    let verdicts =
        own.claims.into_iter().map(|claim| checker.check((own, claim)).expect("a finding").verdict);
    let verdicts: Vec<Verdict> = verdicts.collect();
    assert_eq!(verdicts[..2], [Verdict::Reproduced; 2], "{verdicts:?}");
    assert_ne!(verdicts[2], Verdict::NotReproduced);
    let page = std::fs::read_to_string(root().join("figures/replicate.md")).expect("the page");
    let fault = fault(&example().replacen("sum(diagonal.", "sum(diagnal.", 1));
    assert!(page.contains(&fault), "{fault}");
}

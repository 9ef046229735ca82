//! The report: its files, its exit status, its tables, its page.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use fragstream::claim::report::compare::compare;
use fragstream::claim::report::counts;
use fragstream::claim::report::html::page;
use fragstream::claim::report::json::Entry;
use fragstream::claim::report::provenance::Provenance;
use fragstream::claim::report::store::Store;
use fragstream::claim::report::terminal::{Look, table};
use fragstream::claim::rows::built_in;
use fragstream::claim::{
    Bound, Checker, Claim, Claims, Exhibit, Figure, Interval, JudgedOn, Measured, Paper, Report,
    Run, Table, Verdict, choose,
};
use fragstream::experiment::{Record, Study, Subject, Takes};
use fragstream::papers::PAPERS;
use fragstream::picture::plot::{Axis, Chart, Series, Style};
use fragstream::stream::StreamError;
use fragstream::timing::Samples;

use crate::claim::readme::root;
use crate::common::machine;
use crate::film::browser::{allowing, answers};
use crate::live::devtools::{Browser, SWIFTSHADER, UPRIGHT};

/// The studies of the claims.
static STUDIES: [&Study; 5] = [&RECTANGLE, &ENTRIES, &RATES, &FILE, &DOUBLES];

static RECTANGLE: Study = Study::measuring(
    "stam1999/rectangle",
    "The best rectangle",
    Takes::nothing(),
    &[("best", "", "its sides")],
    |_, _| {
        let (mut record, chart) = (Record::new(), steps());
        record.text("best", "26x18");
        record.chart("fig3", "The model's staircase.", chart.svg()?, chart.csv());
        Ok(record)
    },
);

static ENTRIES: Study = Study::measuring(
    "stam1999/entries",
    "Entries",
    Takes::nothing(),
    &[("off", "", "largest difference")],
    |_, _| {
        let (mut record, mut table) =
            (Record::numbers([("off", 0.25)]), Table::new("Entries.", ["row", "off (1)"]));
        table.push(["a|<i>".into(), 0.25.into()]);
        record.table("table2", table);
        Ok(record)
    },
);

static RATES: Study = Study::measuring(
    "stam1999/rates",
    "Nine rounds",
    Takes::nothing(),
    &[("gain", "", "seconds without the step relative to those with it")],
    |_, _| {
        let mut record = Record::new();
        record.each("gain", [1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.2, 2.4, 2.5]);
        Ok(record)
    },
);

static FILE: Study =
    Study::measuring("stam1999/file", "A file", Takes::nothing(), &[("lines", "", "")], |_, _| {
        Err("no file".into())
    });

static DOUBLES: Study = Study::measuring(
    "stam1999/doubles",
    "Doubles",
    Takes::nothing(),
    &[("gain", "", "")],
    |_, _| Err(StreamError::NoDouble { kernel: "doubles".into() }.into()),
);

/// A row: id, class, place, statement, the paper's words, and what is measured.
fn row([id, class, place, says, paper]: [&str; 5], measures: &str) -> String {
    format!(
        "[row.{id}]\nclass = \"{class}\"\nplace = \"{place}\"\nsays = \"{says}\"\npaper = \"{paper}\"\n\
         about = \"arithmetic\"\n{measures}\n"
    )
}

fn claims<const N: usize>(rows: [String; N]) -> Vec<Claim> {
    let subjects = STUDIES.map(|study| study as &'static dyn Subject);
    built_in("stam1999.toml", &rows.concat(), "id,value\n", &subjects)
}

fn sum() -> String {
    let words = ["sum", "identity", "§4", "Two and two is four.", "4"];
    row(words, "value.sum = \"sum: 2 + 2 == 4\"")
}

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    claims([
        row(
            ["rectangle", "exact", "§3.2.2", "The best rectangle is 26 by 18.", "26x18"],
            "run.model = \"stam1999/rectangle\"\npictures = [\"model\"]\n\
             value.rectangle = \"rectangle: model.best is '26x18'\"",
        ),
        row(
            ["entries", "tolerance", "Table 2", "Entries are right.", "0"],
            "run.matrix = \"stam1999/entries\"\npictures = [\"matrix\"]\nbecause = \"A <reason> & more.\"\n\
             value.off = \"largest difference: matrix.off <= 1e-3\"",
        ),
        row(
            ["rates", "shape", "§3.3", "It is faster.", "3 times"],
            "run.rounds = \"stam1999/rates\"\nvalue.gain = \"times as long without the step: rounds.gain = 3\"",
        ),
        sum(),
        row(
            ["file", "exact", "§5", "A file.", "4"],
            "run.file = \"stam1999/file\"\nvalue.lines = \"lines: file.lines == 4\"",
        ),
        row(
            ["doubles", "shape", "§6", "Fast.", "faster; no number"],
            "run.works = \"stam1999/doubles\"\nvalue.gain = \"gain: works.gain > 1\"",
        ),
    ])
});

static PAPER: Paper = Paper {
    id: "stam1999",
    authors: "Jos <b>Stam</b>",
    title: "Stable Fluids & more",
    year: 1999,
    subject: "",
    partly: &[],
    together: &[],
    claims: Claims::Of(&CLAIMS),
};

fn steps() -> Chart {
    let staircase = (1..=52).map(|k| (25.0 * f64::from(k), (25.0 * f64::from(k) / 468.0).ceil()));
    let series = [
        Series::new("model", Style::Line, staircase),
        Series::new("measured", Style::LinePoints, [(25.0, 0.4), (1300.0, 2.6)]),
    ];
    let axes = ["rectangle area (pixels)", "time (batches)"].map(Axis::linear);
    Chart::new("Time of a rectangle & its area", axes, series).marked([(468.0, "26×18")])
}

/// A run of claims in this mode, from this commit, whose results are kept in a folder.
fn kept(
    folder: &Path,
    papers: &[&'static Paper],
    [mode, commit]: [&str; 2],
    replaces: bool,
) -> Store {
    let machine = machine();
    let mut checker = Checker::new(Run::new(&machine));
    fs::create_dir_all(folder).unwrap();
    let mut store = Store::open(folder, papers, replaces).unwrap();
    store.start(Provenance {
        mode: mode.into(),
        commit: commit.into(),
        renderer: "llvmpipe".into(),
        ..Provenance::default()
    });
    for (paper, claim) in choose(papers, &[]).unwrap() {
        store.keep(checker.check((paper, claim)).expect("no inputs")).unwrap();
    }
    store
}

/// All claims of the paper, and an exhibit, in a quick run.
fn store(folder: &Path) -> Store {
    let mut store = kept(folder, &[&PAPER], ["quick", "1a"], false);
    let exhibit = Exhibit {
        title: "a grid".into(),
        text: "rows 3 ms".into(),
        command: "fragstream layouts --grid 9".into(),
        figure: Figure::new("layouts/grid.png", "A grid.", [1, 2, 3]).with_numbers("x\n1\n"),
        ..Exhibit::default()
    };
    // Once, however often it is shown.
    store.show(exhibit.clone()).unwrap();
    store.show(exhibit).unwrap();
    assert_eq!(store.report().exhibits.len(), 1);
    store
}

fn report() -> Report {
    store(tempfile::tempdir().unwrap().path()).report().clone()
}

#[test]
fn no_claim_is_lost_a_binding_one_that_fails_makes_a_run_fail_and_identities_are_not_counted() {
    let report = report();
    let verdicts: Vec<Verdict> = report.claims.iter().map(|one| one.verdict).collect();
    let expected = [
        Verdict::Reproduced,
        Verdict::NotReproduced,
        Verdict::Undecided,
        Verdict::Reproduced,
        Verdict::NotReproduced,
        Verdict::NotRun,
    ];
    assert_eq!(verdicts, expected);
    let cause = &report.claims[4].why;
    assert_eq!(cause, "The check failed: no file");
    let failures = report.claims.iter().filter(|claim| claim.is_failure());
    let failures: Vec<&str> = failures.map(|claim| claim.id.as_str()).collect();
    assert_eq!(failures, ["stam1999/entries", "stam1999/file"]);
    assert_eq!(counts(&report.claims), "1 reproduced, 1 undecided, 2 not reproduced, 1 not run");
}

#[test]
fn claims_are_chosen_by_paper_or_name_once_and_in_their_order() {
    let chosen = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let chosen = choose(&[&PAPER], &names).map_err(str::to_owned);
        chosen.map(|chosen| chosen.iter().map(|(_, claim)| claim.id).collect::<Vec<_>>())
    };
    let all: Vec<&str> = PAPER.claims.iter().map(|claim| claim.id).collect();
    assert_eq!(chosen(&[]).as_ref(), Ok(&all));
    assert_eq!(chosen(&["stam1999"]), Ok(all));
    let two = chosen(&["stam1999/sum", "stam1999/rates"]);
    assert_eq!(two, Ok(vec!["rates", "sum"]));
    let unknown = chosen(&["stam1999/sum", "stam1999/none"]);
    assert_eq!(unknown, Err("stam1999/none".to_owned()));
}

#[test]
fn writing_makes_the_folder_replaces_what_was_there_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/b");
    store(&out).write_pages().unwrap();
    fs::write(out.join("report.html"), "old").unwrap();
    store(&out).write_pages().unwrap();
    let names = |folder: &std::path::Path| {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let files = ["layouts", "report.csv", "report.html", "report.json", "report.md", "stam1999"];
    assert_eq!(names(&out), files);
    assert_eq!(names(&out.join("stam1999")), ["fig3.csv", "fig3.svg", "table2.csv"]);
    assert_eq!(names(&out.join("layouts")), ["grid.csv", "grid.png"]);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("stam1999/table2.csv"), "row,off (1)\na|<i>,0.25\n");
    let csv = read("report.csv");
    assert_eq!(csv.lines().count(), 1 + 4, "a line per value:\n{csv}");
    let rates =
        "stam1999/rates,,times as long without the step,here,3 times,1.9,1.5,2.5,times,undecided";
    assert!(csv.contains(rates), "{csv}");
    let claims = store(&out).report().claims.clone();
    let judged = claims.iter().flat_map(|claim| &claim.values).filter(|v| v.bound != Bound::None);
    let has_verdict = |line: &&str| Verdict::ALL.iter().any(|v| line.contains(&format!(",{v},")));
    assert_eq!(csv.lines().filter(has_verdict).count(), judged.count(), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    let rates = &json["claims"][2];
    assert_eq!(rates["verdict"], "undecided");
    assert_eq!(rates["values"][0]["measured"]["high"], 2.5);
    assert_eq!(rates["command"], "fragstream reproduce stam1999/rates --quick");
    assert!(rates["run"].as_str().unwrap().contains("quick, llvmpipe"));
    assert!(read("report.md").contains("- `stam1999/rates`: shape, by measurement."));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stam1999"), "").unwrap();
    let machine = machine();
    let mut store = Store::open(folder.path(), &[&PAPER], false).unwrap();
    let finding = Checker::new(Run::new(&machine)).check((&PAPER, &PAPER.claims[0])).unwrap();
    let message = store.keep(finding).unwrap_err().to_string();
    assert!(message.contains("fig3.svg"), "{message}");
    assert!(!message.contains('\n'));
}

#[test]
fn the_page_holds_every_claim_escapes_every_text_and_fetches_nothing_from_elsewhere() {
    let page = page(&report());
    for text in [
        "id=\"stam1999/entries\"",
        "src=\"stam1999/fig3.svg\"",
        "href=\"stam1999/table2.csv\"",
        "Stable Fluids &amp; more",
        "Jos &lt;b&gt;Stam",
        "A &lt;reason&gt; &amp; more.",
        "a|&lt;i&gt;",
        "1.90 times as long without the step, 1.50 to 2.50",
        "1.90 times, 1.50 to 2.50",
        "? undecided",
        "To cite",
        "fragstream reproduce stam1999/rates --quick",
        "rows 3 ms",
    ] {
        assert!(page.contains(text), "{text}");
    }
    for text in ["<b>Stam", "<reason>", "http://", "https://", "<link", "<script src"] {
        assert!(!page.contains(text), "{text}");
    }
}

#[test]
fn every_program_that_ran_is_listed_once_and_a_long_one_by_its_length() {
    let program = |name: &str, body: &str| {
        let text = format!("uniform stream x;\nvoid main() {{ {body} }}\n");
        (format!("stam1999/{name}"), text)
    };
    let names = |programs: &[(String, String)]| programs.iter().map(|one| one.0.clone()).collect();
    let twice = program("twice", "result = 2.0 * fetch(x, here) + 1.0;");
    let sum = |n: u32| {
        let body = format!(
            "vec4 y = fetch(x, here); for (float c = 0.0; c < {n}.0; c += 1.0) y += sin(y.x); result = y;"
        );
        program(&format!("sines with waves, seas N={n}.0"), &body)
    };
    let mut report = report();
    let programs = [twice.clone(), sum(150), sum(100), sum(250), sum(400)];
    report.claims[0].programs = names(&programs);
    report.claims[1].programs = names(&[twice]);
    report.programs = programs.into();
    let page = page(&report);
    let count = |text: &str| page.matches(text).count();
    // In both rows and in the list of programs.
    assert_eq!(count("2 instructions, 1 fetch, 1 register<"), 3);
    assert_eq!(count("href=\"#program-stam1999/twice\""), 2);
    assert_eq!(count("<details id=\"program-stam1999/twice\">"), 1);
    assert_eq!(count("MADR o[COLR], {2}.x, R0, {1}.x;"), 1);
    // Of the definitions that are not too long, the middle one is shown; an addition per sine, and the fetch.
    assert_eq!(count("<details id=\"program-stam1999/sines-with-waves,-seas\">"), 1);
    assert_eq!(count("SINR"), 150);
    report.claims[0].programs = names(&[sum(400)]);
    report.claims[1].programs.clear();
    report.programs = [sum(400)].into();
    let page = fragstream::claim::report::html::page(&report);
    let command = "fragstream listing stam1999/sines --with waves --with seas --define N=400.0";
    assert_eq!(page.matches(command).count(), 1);
    assert!(!page.contains("SINR"));
}

/// Follows links, one after the other; tops of their claims in the window, once pictures on the way are loaded and the
/// page has been drawn twice at the same place.
const FOLLOW: &str = "(async () => {
    const landed = [];
    for (const id of IDS) {
      document.querySelector(`a[href='#${id}']`).click();
      const claim = document.getElementById(id);
      const drawn = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
      let [top, before] = [NaN, NaN];
      while (top !== before || ![...document.images].every((image) => image.complete || image.loading === 'lazy')) {
        before = top;
        await drawn();
        top = claim.getBoundingClientRect().top;
      }
      landed.push([id, claim.getBoundingClientRect().top, claim.querySelector('.evidence').open]);
    }
    window.parent.postMessage({ landed }, '*');
  })();";

#[test]
fn links_of_the_page_land_on_their_claims_and_open_them() {
    let ids = [
        "bolz2003/vcycle",
        "goodnight2003/fig4",
        "geveler2011/table2",
        "kruger2003/fig8",
        "batty2003/liquid",
    ];
    let figures = root().join("figures");
    let report = fs::read(figures.join("report.json")).expect("the committed report");
    let page = page(&serde_json::from_slice(&report).expect("a report"));
    let driver = FOLLOW.replace("IDS", &format!("{ids:?}"));
    let page = page
        .replace("src=\"", &format!("src=\"file://{}/", figures.display()))
        .replace("</body>", &format!("<script>{driver}</script></body>"));
    let page = allowing(&page, &[&driver]);
    let Some(answers) = answers(&[&page]) else { return };
    let landed = answers[0]["landed"].as_array().expect("claims");
    assert_eq!(landed.len(), ids.len());
    for claim in landed {
        let top = claim[1].as_f64().expect("a number");
        assert!((0.0..=20.0).contains(&top) && claim[2] == true, "{claim}");
    }
}

#[test]
fn a_phone_shows_the_contents_at_once_and_nothing_beside_its_screen() {
    let Some(mut browser) = Browser::start(SWIFTSHADER) else { return };
    let page = format!("file://{}", root().join("figures/report.html").display());
    let ready = "addEventListener('load', () => { document.body.dataset.ready = ''; })";
    browser.open(&page, UPRIGHT, &[], ready);
    let height = browser.run("document.documentElement.scrollHeight");
    assert!(height.as_f64() < Some(100_000.0), "{height}");
    let top = browser.run("document.getElementById('contents').getBoundingClientRect().top");
    assert!(top.as_f64() < Some(UPRIGHT.height.into()), "{top}");
    browser.run("for (const one of document.querySelectorAll('details')) one.open = true");
    assert_eq!(browser.run("document.documentElement.scrollWidth"), UPRIGHT.width);
}

/// The table of claims without colour.
fn printed(claims: &[Entry], width: usize, why: bool) -> String {
    let text = table(claims, Look { width, is_coloured: false, why });
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(width), "\n{text}");
    text
}

#[test]
fn a_claim_takes_a_line_of_80_columns_and_one_that_is_not_reproduced_or_has_a_list_two_at_most() {
    let report = fs::read(root().join("figures/report.json")).expect("the committed report");
    let claims = serde_json::from_slice::<Report>(&report).expect("a report").claims;
    let text = printed(&claims, 80, false);
    assert!(text.lines().count() <= 2 * claims.len());
    let (mut sign, mut has_list) = (None, false);
    for line in text.lines() {
        match line.chars().next() {
            Some(' ') => assert!(has_list || matches!(sign, None | Some('≠' | '?')), "{line}"),
            first => (sign, has_list) = (first, line.contains(", ")),
        }
    }
    for claim in &claims {
        let headlines = claim.values.iter().filter(|value| value.is_key).count();
        assert_eq!(headlines, 1, "{}", claim.id);
    }
}

#[test]
fn a_narrow_table_loses_no_word_and_its_last_line_says_what_failed() {
    let text = printed(&report().claims, 64, true);
    for word in
        ["✓ rectangle", "26x18", "? rates", "1.90", "Two and two", "<reason>", "? 1 undecided"]
    {
        assert!(text.contains(word), "{word} is missing:\n{text}");
    }
    let last = text.lines().last();
    assert_eq!(last, Some("Failed claims: stam1999/entries, stam1999/file."));
    let look = Look { width: 80, is_coloured: true, why: false };
    assert!(table(&report().claims, look).contains("\x1b[32m✓\x1b[0m rectangle"));
}

static LATER_CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let new = row(["new", "exact", "§1", "New.", "0"], "value.sum = \"sum: 0 == 0\"");
    claims([new, sum()])
});

/// The paper later: one claim is gone, and another one is new.
static LATER: Paper = Paper { claims: Claims::Of(&LATER_CLAIMS), ..PAPER };

#[test]
fn reports_of_two_machines_are_compared_by_today_s_rule() {
    let report = report();
    let mut other = report.clone();
    other.runs[0].renderer = "NVIDIA X/PCIe".into();
    let run = other.runs[0].name();
    for claim in &mut other.claims {
        claim.run.clone_from(&run);
        claim.verdict = Verdict::Reproduced;
    }
    let table = compare(&[&PAPER], &[&report, &other]);
    assert_eq!(table.head[5..], ["llvmpipe", "NVIDIA X"]);
    let rates = table.rows.iter().find(|row| row[0] == "stam1999/rates").expect("a row");
    let cell = "undecided: 1.90, 1.50 to 2.50";
    assert_eq!(rates[1..], ["3 times", "measurement", "–", "–", cell, cell]);
    // Columns without any number are left out.
    assert!(!table.markdown().contains("trace") && table.csv().contains("trace"));
}

#[test]
fn a_stored_value_keeps_its_source_and_a_cell_has_the_row_s_verdict() {
    let names = |row: &Vec<String>| row[0] == "bolz2003/bandwidth";
    let h100 = Report::read(&root().join("figures/h100")).unwrap();
    // Its row was judged by timings, and today's is judged by the model.
    let old = h100.claims.iter().find(|entry| entry.id == "bolz2003/bandwidth").unwrap();
    assert_eq!(old.judged_on, JudgedOn::Measurement);
    let table = compare(PAPERS, &[&h100]);
    let row = table.rows.iter().find(|row| names(row)).expect("a row");
    let [card, machine] = ["its card", "NVIDIA H100"]
        .map(|name| &row[table.head.iter().position(|head| head.starts_with(name)).expect(name)]);
    assert_eq!((card.as_str(), machine.as_str()), ("–", "another quantity: 1.78, 1.10"));
    // The last five runs of the row do not agree, whatever its interval in this one.
    let mut report = report();
    let is_rates = |entry: &&mut Entry| entry.id == "stam1999/rates";
    report.claims.iter_mut().find(is_rates).expect("a row").verdict = Verdict::Differs;
    let table = compare(&[&PAPER], &[&report]);
    assert_eq!(table.rows[0][5], "differs: 1.90, 1.50 to 2.50");
}

#[test]
fn bars_over_rows_show_one_quantity() {
    let report = Report::read(&root().join("figures")).unwrap();
    let mut count = 0;
    for paper in PAPERS.iter().copied() {
        for together in paper.together {
            together.exhibit(paper, &report.claims).unwrap_or_else(|error| panic!("{error}"));
            // A row with a ratio of something else.
            let mut other = report.claims.clone();
            let is_first = |entry: &&mut Entry| entry.parts() == (paper.id, together.rows[0]);
            let values = &mut other.iter_mut().find(is_first).expect("a row").values;
            values.iter_mut().for_each(|value| value.name = "times the instructions".into());
            let error = together.exhibit(paper, &other).unwrap_err().to_string();
            assert!(error.contains(together.rows[0]), "{error}");
            count += 1;
        }
    }
    assert!(count > 0);
}

/// Name, commit of the run, and what is special about the row.
fn rows(store: &Store) -> Vec<String> {
    let rows = store.report().claims.iter().map(|claim| {
        let commit = claim.run.split(',').next().unwrap();
        let mark = claim.result().replace(&claim.verdict.to_string(), "");
        format!("{} {commit}{mark}", claim.parts().1)
    });
    rows.collect()
}

#[test]
fn a_report_is_extended_and_a_quick_run_does_not_replace_a_full_one_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    drop(kept(folder, &[&PAPER], ["full", "1a"], false));
    let removed = ["rectangle", "entries", "rates", "file", "doubles"];
    let removed = removed.map(|name| format!("{name} 1a, superseded"));
    let is = |first: [&str; 2], store: &Store| {
        let mut expected: Vec<String> = first.map(str::to_owned).to_vec();
        expected.extend(removed.clone());
        let mut rows = rows(store);
        rows[2..].sort_by_key(|row| removed.iter().position(|one| one == row));
        assert_eq!(rows, expected);
    };

    let quick = kept(folder, &[&LATER], ["quick", "2b"], false);
    is(["new 2b", "sum 1a"], &quick);
    let ran: Vec<String> = quick.ran().iter().map(Entry::result).collect();
    assert_eq!(ran, ["reproduced", "reproduced, not stored"]);
    let modes: Vec<&str> = quick.report().runs.iter().map(|run| run.mode.as_str()).collect();
    assert_eq!(modes, ["full", "quick"]);
    // What is not there any more is not counted.
    assert_eq!(counts(&quick.report().claims), "1 reproduced");
    assert!(page(quick.report()).contains("superseded"));
    drop(quick);

    let replaced = kept(folder, &[&LATER], ["quick", "3c"], true);
    is(["new 3c", "sum 3c"], &replaced);
    let commits: Vec<&str> = replaced.report().runs.iter().map(|run| run.commit.as_str()).collect();
    assert_eq!(commits, ["1a", "3c"]);
    drop(replaced);

    let full = kept(folder, &[&PAPER], ["full", "4d"], false);
    assert!(rows(&full).iter().filter(|row| row.ends_with("4d")).count() == PAPER.claims.len());
    assert!(rows(&full).contains(&"new 3c, superseded".to_owned()));
    let programs = full.report().programs.len();
    assert_eq!(Report::read(folder).unwrap().programs.len(), programs);
}

#[test]
fn a_claim_with_inputs_has_a_row_and_files_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    drop(kept(folder.path(), &[&PAPER], ["full", "1a"], false));
    let machine = machine();
    let mut store = Store::open(folder.path(), &[&PAPER], false).unwrap();
    let mut finding = Checker::new(Run::new(&machine)).check((&PAPER, &PAPER.claims[0])).unwrap();
    finding.inputs = "--size 513 --sweeps 2,2".into();
    store.keep(finding).unwrap();
    let rows: Vec<&Entry> = store.report().claims.iter().take(3).collect();
    let expected = ["rectangle", "rectangle-size-513-sweeps-2-2", "entries"];
    let expected = expected.map(|name| format!("stam1999/{name}"));
    assert_eq!([0, 1, 2].map(|at| rows[at].id.clone()), expected);
    assert_eq!([0, 1, 2].map(|at| rows[at].anchor()), expected);
    assert_eq!(rows[1].parts(), rows[0].parts());
    assert!(!rows[1].is_removed);
    assert_eq!(counts(&store.report().claims), counts(&report().claims));
}

#[test]
fn a_folder_takes_one_run_at_a_time_and_a_report_that_cannot_be_read_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Store::open(folder.path(), &[&PAPER], false).err().map(|e| e.to_string());
    let first = Store::open(folder.path(), &[&PAPER], false).unwrap();
    let message = open().expect("a lock");
    assert!(message.contains("another run") && message.contains("--out"), "{message}");
    drop(first);
    assert_eq!(open(), None);
    for (file, content, says) in [
        ("report.json", "{ \"format\": 2, \"claims\": [", "report.json: cannot be read"),
        ("report.json", "{ \"run\": {}, \"claims\": [] }", "format 1"),
        ("report.json", "{ \"format\": 99 }", "format 99"),
        ("report.json", "{ \"format\": 2 }", "missing field"),
    ] {
        fs::write(folder.path().join(file), content).unwrap();
        let message = open().expect(says);
        assert!(message.contains(says) && message.contains("--out"), "{message}");
        assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), content);
    }
}

#[test]
fn the_samples_of_all_runs_are_kept_next_to_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let seconds = vec![1.25e-3, 0.5];
    let works = vec![("slow, as printed".to_owned(), seconds)];
    let (row, programs) = ("stam1999/rates".to_owned(), String::new());
    let criterion = "c".to_owned();
    let samples = Samples { row, process: 2, criterion, programs, works, ..Samples::default() };
    let first = samples.clone();
    for seed in [7, 8] {
        let mut store = Store::open(folder.path(), &[&PAPER], false).unwrap();
        let renderer = "llvmpipe".to_owned();
        store.start(Provenance { renderer, seed, ..Provenance::default() });
        store.sample(std::slice::from_ref(&samples)).unwrap();
        store.sample(&[Samples { process: 3, ..samples.clone() }]).unwrap();
    }
    let runs = "run,commit,date,machine,processor,seed\n1,,,llvmpipe,,7\n2,,,llvmpipe,,8\n";
    assert_eq!(read("runs.csv"), runs);
    let samples = read("samples.csv");
    let lines: Vec<&str> = samples.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 2 * 2);
    assert_eq!(lines[0], "run,process,row,work,seconds");
    assert_eq!(lines[1], "1,2,stam1999/rates,\"slow, as printed\",1.2500e-3");
    assert_eq!(lines[8], "2,3,stam1999/rates,\"slow, as printed\",5.0000e-1");
    assert_eq!(
        read("races.csv"),
        "run,row,criterion,programs\n1,stam1999/rates,c,\n2,stam1999/rates,c,\n"
    );
    // Both runs of this machine, with two processes each, and none of another machine.
    let mut store = Store::open(folder.path(), &[&PAPER], false).unwrap();
    let run =
        |renderer: &str| Provenance { renderer: renderer.to_owned(), ..Provenance::default() };
    store.start(run("llvmpipe"));
    let history = store.history();
    assert_eq!(history.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    assert!(history.iter().flatten().all(|one| one.works == first.works && one.continues(&first)));
    store.start(run("NVIDIA X"));
    assert_eq!(store.history().len(), 0);
}

#[test]
fn an_older_report_names_the_rule_by_which_its_timings_were_judged() {
    let report = Report::read(&root().join("figures")).unwrap();
    let timing = report.claims.iter().find(|entry| entry.id == "kruger2003/vecmul").unwrap();
    let judged = timing.trust();
    assert!(judged.contains("one process") || judged.contains("processes"), "{judged}");
    let mut entry = timing.clone();
    let measured = |processes, runs| Interval {
        median: 2.0,
        low: 1.9,
        high: 2.1,
        rounds: 36,
        processes,
        runs,
    };
    for (processes, runs, says) in [
        (0, 0, "by the rounds of one process"),
        (6, 0, "by 6 processes with 36 rounds in all"),
        (18, 3, "by 3 runs with 18 processes in all"),
    ] {
        for value in &mut entry.values {
            value.measured = Measured::Number(measured(processes, runs));
        }
        assert!(entry.trust().contains(says), "{}", entry.trust());
    }
}

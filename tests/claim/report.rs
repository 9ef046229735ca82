//! The report: its files, its exit status, its table, its page, its charts.

use std::fs;

use fragstream::claim::{
    BoxedError, Claim, Class, Exhibit, Experiment, Figure, Finding, JudgedOn, Options, Report,
    Variant, Verdict, report::html, table::table,
};
use fragstream::picture::numbers::with_numbers;
use fragstream::picture::plot::{
    Axis, Bars, Chart, Group, HEIGHT, PlotError, Series, Style, WIDTH, bars, chart,
};
use fragstream::stream::StreamError;
use serde_json::{Value, json};

const RECTANGLE: Claim = Claim {
    id: "bolz2003/rectangle",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§3.2.2",
    statement: "The best rectangle for one texel of depth is 26 by 18 pixels: the largest that a \
                single batch of 128 tuples can fill, counting those twice that both triangles touch.",
    paper: "26x18",
};
const ENTRIES: Claim = Claim {
    id: "bolz2003/entries",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.1.2",
    statement: "The matrix entries are computed by fragment programs, without the CPU.",
    paper: "computed on the GPU",
};
const RATES: Claim = Claim {
    id: "bolz2003/rates",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.3",
    statement: "On a mesh of 37 000 vertices the GPU multiplies 120 times a second, reduces 3400 times, \
                and does 110 iterations of conjugate gradients.",
    paper: "SpMV 120/s, reduction 3400/s, CG 110/s",
};

fn chart_of_steps() -> Chart {
    let staircase = (1..=52).map(|k| {
        let area = 25.0 * f64::from(k);
        (area, (area / 468.0).ceil())
    });
    let measured = (1..=52).map(|k| {
        let area = 25.0 * f64::from(k);
        (area, 0.35 + area / 600.0 + 0.1 * (area * 0.7).sin())
    });
    Chart {
        title: "Time of a rectangle against its area".into(),
        x: Axis::linear("rectangle area (pixels)"),
        y: Axis::linear("time (batches)"),
        series: vec![
            Series::new("model", Style::Step, staircase),
            Series::new("this GPU", Style::LinePoints, measured),
        ],
        marks: vec![(468.0, "26×18".into())],
    }
}

fn chart_of_residuals() -> Chart {
    let fall = |rate: f64, floor: f64| {
        (0..120).map(move |k| {
            (
                f64::from(k),
                (rate.powi(k) + floor) * (1.0 + 0.3 * f64::from(k).sin()),
            )
        })
    };
    Chart {
        title: "Residual of conjugate gradients, bcsstk01".into(),
        x: Axis::linear("iteration"),
        y: Axis::logarithmic("‖b − A x‖ / ‖b‖"),
        series: vec![
            Series::new("f64, diagonal", Style::Line, fall(0.78, 0.0)),
            Series::new("f64", Style::Line, fall(0.9, 0.0)),
            Series::new("f32, recursion", Style::Line, fall(0.91, 0.0)),
            Series::new("f32, b − A x", Style::Line, fall(0.9, 1e-4)),
        ],
        marks: vec![],
    }
}

fn bars_of_rates(axis: Axis) -> Bars {
    Bars {
        title: "Kernels a second, relative to the matrix product".into(),
        axis,
        categories: ["SpMV", "reduction", "CG iteration", "stencil, 257²"]
            .map(String::from)
            .to_vec(),
        groups: vec![
            Group::new("paper", [Some(1.0), Some(28.3), Some(0.92), Some(11.4)]),
            Group::new("NV30 model", [Some(1.0), Some(27.5), None, Some(8.2)]),
            Group::new("measured", [Some(1.0), Some(19.1), Some(0.71), Some(6.3)]),
        ],
    }
}

fn report() -> Report {
    let mut report = Report {
        findings: vec![
            RECTANGLE.reproduced("26x18").with_figure(
                "bolz2003/fig3.png",
                "Time against rectangle area: the model's staircase, and this GPU, which has none.",
                chart(&chart_of_steps()).unwrap(),
            ),
            ENTRIES
                .reproduced("largest relative difference 3.1·10⁻⁶")
                .because("All entries of the scan."),
            RATES
                .differs(
                    "SpMV 310/s, reduction 5900/s, CG 220/s",
                    "The ratio of reduction to product is smaller \
                    here, because a change of target costs as much as many fragments.",
                )
                .with_figure(
                    "bolz2003/rates.png",
                    "Rates relative to the matrix product.",
                    bars(&bars_of_rates(Axis::logarithmic("relative to SpMV"))).unwrap(),
                ),
        ],
        ..Report::default()
    };
    for (name, value) in [
        ("renderer", "llvmpipe (LLVM 15.0.6, 256 bits)"),
        ("version", "4.5 (Core Profile) Mesa 22.3.6"),
        ("mode", "quick"),
        ("threads", "2"),
    ] {
        report.machine.insert(name.into(), value.into());
    }
    report
}

#[test]
fn the_json_has_the_documented_shape() {
    let value: Value = serde_json::from_str(&report().json()).unwrap();
    assert_eq!(value["machine"]["mode"], "quick");
    assert_eq!(
        value["claims"][0],
        json!({
            "id": "bolz2003/rectangle", "class": "exact", "variant": "paper",
            "judged_on": "count", "paper": "26x18", "measured": "26x18",
            "verdict": "reproduced", "why": "", "figures": ["bolz2003/fig3.png"],
        })
    );
    let of_claims = |key: &str| -> Vec<&str> {
        value["claims"]
            .as_array()
            .unwrap()
            .iter()
            .map(|claim| claim[key].as_str().unwrap())
            .collect()
    };
    assert_eq!(of_claims("class"), ["exact", "tolerance", "shape"]);
    assert_eq!(
        of_claims("verdict"),
        ["reproduced", "reproduced", "differs"]
    );
    assert_eq!(value.as_object().unwrap().len(), 2);
    assert_eq!(
        RATES.not_reproduced("", "").verdict.to_string(),
        "not reproduced"
    );
}

#[test]
fn a_claim_that_does_not_hold_gets_the_verdict_of_its_class() {
    for (class, refuted) in [
        (Class::Exact, Verdict::NotReproduced),
        (Class::Tolerance, Verdict::NotReproduced),
        (Class::Shape, Verdict::Differs),
        (Class::Picture, Verdict::NotReproduced),
    ] {
        let claim = Claim { class, ..RECTANGLE };
        assert_eq!(
            claim.judge(true, "26x18", "a remark"),
            claim.reproduced("26x18").because("a remark")
        );
        assert_eq!(
            claim.judge(false, "25x18", "a reason"),
            claim.judged(refuted, "25x18", "a reason")
        );
    }
}

#[test]
fn only_exact_and_tolerance_claims_make_a_run_fail() {
    for (class, binding) in [
        (Class::Exact, true),
        (Class::Tolerance, true),
        (Class::Shape, false),
        (Class::Picture, false),
    ] {
        let claim = Claim { class, ..RECTANGLE };
        assert!(!claim.reproduced("26x18").is_failure());
        assert_eq!(claim.differs("25x18", "…").is_failure(), binding, "{class}");
        let not = claim.not_reproduced("", "…");
        assert_eq!(not.is_failure(), binding, "{class}");
    }
}

#[test]
fn writing_makes_the_folder_replaces_what_was_there_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/b");
    let report = report();
    report.write(&out).unwrap();
    fs::write(out.join("report.json"), "old").unwrap();
    report.write(&out).unwrap();

    let names = |folder: &std::path::Path| {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(
        names(&out),
        ["bolz2003", "report.html", "report.json", "report.md"]
    );
    let row = "| `bolz2003/rectangle` | exact | paper | count | 26x18 | 26x18 | reproduced |\n";
    let text = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(text.contains(row), "{text}");
    assert_eq!(
        names(&out.join("bolz2003")),
        ["fig3.csv", "fig3.png", "rates.csv", "rates.png"]
    );
    assert_eq!(
        fs::read_to_string(out.join("report.json")).unwrap(),
        report.json()
    );
    assert_eq!(
        fs::read_to_string(out.join("report.html")).unwrap(),
        html::page(&report.machine, &report.findings, &[])
    );
    assert_eq!(
        fs::read(out.join("bolz2003/fig3.png")).unwrap(),
        report.findings[0].figures[0].png
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let occupied = folder.path().join("file");
    fs::write(&occupied, "").unwrap();
    let message = report().write(&occupied).unwrap_err().to_string();
    assert!(
        message.contains("fig3.png") && message.contains("choose a folder"),
        "{message}"
    );
    assert!(!message.contains('\n'));
}

#[test]
fn the_table_fits_100_columns_and_loses_no_word() {
    let text = table(&report().findings);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "\n{text}"
    );
    for word in [
        "bolz2003/rectangle",
        "exact",
        "26x18",
        "differs",
        "CG",
        "220/s",
        "tolerance",
    ] {
        assert!(text.contains(word), "{word} is missing:\n{text}");
    }
    // Columns are aligned: every row's verdict starts where the heading does.
    let start = text.lines().next().unwrap().find("verdict").unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("bolz2003/rates"))
        .unwrap();
    let verdict: String = line.chars().skip(start).collect();
    assert_eq!(verdict, "differs");
}

#[test]
fn a_word_wider_than_its_column_is_broken_and_not_lost() {
    let long = "q".repeat(70);
    let text = table(&[RECTANGLE.reproduced(long)]);
    assert!(text.lines().all(|line| line.chars().count() <= 100));
    assert_eq!(text.matches('q').count(), 70, "\n{text}");
}

#[test]
fn the_page_holds_every_claim_and_picture_and_nothing_from_elsewhere() {
    let report = report();
    let page = html::page(&report.machine, &report.findings, &[]);
    for finding in &report.findings {
        assert!(page.contains(&format!("<article id=\"{}\">", finding.claim.id)));
        assert!(page.contains(&format!("href=\"#{}\"", finding.claim.id)));
        assert!(page.contains(finding.claim.paper) && page.contains(&finding.measured));
    }
    let pictures = ["png;base64,iVBOR", "gif;base64,R0lGOD"];
    let pictures = pictures.map(|kind| page.matches(&format!("data:image/{kind}")).count());
    assert_eq!(pictures.iter().sum::<usize>(), 2);
    assert!(page.contains("fragstream reproduce bolz2003/rates --quick"));
    assert_eq!(page.matches("its numbers</a>").count(), 2);
    for link in [
        "href=\"#glossary\"",
        "href=\"#contents\"",
        "href=\"#bolz2003\"",
    ] {
        assert!(page.contains(link), "{link}");
    }
    assert!(page.contains("Sparse Matrix Solvers on the GPU"));
    for outside in ["<script", "http://", "https://", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn whatever_is_reported_is_escaped() {
    let hostile = "<script>alert(\"1\")</script> & 'x'";
    let mut report = Report {
        findings: vec![RECTANGLE.differs(hostile, hostile).with_figure(
            "f.png",
            hostile,
            b"PNG".to_vec(),
        )],
        ..Report::default()
    };
    report.machine.insert(hostile.into(), hostile.into());
    let page = html::page(&report.machine, &report.findings, &[]);
    assert!(!page.contains("<script") && !page.contains("\"1\""));
    // Machine's name and value, measured twice, why, caption and alternative text.
    assert_eq!(
        page.matches("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;")
            .count(),
        7
    );
}

#[test]
fn what_is_shown_without_a_claim_has_a_section_a_command_and_its_files_but_no_verdict() {
    let csv = "layout,bytes\nrows,36\n";
    let report = Report {
        exhibits: vec![Exhibit {
            title: "a mesh & its rows".to_owned(),
            text: "rows  36 kB".to_owned(),
            command: "fragstream layouts airfoil".to_owned(),
            figure: Figure {
                file: "layouts/airfoil.png".to_owned(),
                caption: "How it lies.".to_owned(),
                png: with_numbers(chart(&chart_of_steps()).unwrap(), csv),
            },
        }],
        ..Report::default()
    };
    let folder = tempfile::tempdir().unwrap();
    report.write(folder.path()).unwrap();
    let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("layouts/airfoil.csv"), csv);
    let page = read("report.html");
    for part in [
        "href=\"#exhibits\"",
        "a mesh &amp; its rows",
        "<pre>rows  36 kB</pre>",
        "<code>fragstream layouts airfoil</code>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("class=\"verdict\""));
}

type Machine = u32;

fn complete(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    *machine += 1;
    // Not in the order in which they are declared.
    Ok(vec![
        ENTRIES.reproduced("1e-6"),
        RECTANGLE.reproduced("26x18"),
    ])
}

fn silent(_: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    assert!(options.quick);
    Ok(vec![RECTANGLE.reproduced("26x18")])
}

fn lacking(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let kernel = "kruger2003/accumulate".to_owned();
    Err(StreamError::NoBarrier { kernel }.into())
}

fn failing(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    Err("no such texture".into())
}

fn experiment(
    run: fn(&mut Machine, &Options) -> Result<Vec<Finding>, BoxedError>,
) -> Experiment<Machine> {
    const CLAIMS: &[Claim] = &[RECTANGLE, ENTRIES];
    Experiment {
        id: "bolz2003/staircase",
        section: "§3.2.2",
        title: "Time against rectangle area",
        claims: CLAIMS,
        run,
    }
}

#[test]
fn an_experiment_reports_once_on_every_claim_whatever_happens() {
    let options = Options {
        quick: true,
        out: "out".into(),
        ..Options::default()
    };
    let mut machine = 0;
    let findings = experiment(complete).perform(&mut machine, &options);
    assert_eq!(machine, 1);
    assert_eq!(
        findings
            .iter()
            .map(|finding| finding.claim)
            .collect::<Vec<_>>(),
        [RECTANGLE, ENTRIES]
    );

    let findings = experiment(silent).perform(&mut machine, &options);
    assert_eq!(findings[0].verdict, Verdict::Reproduced);
    assert_eq!(findings[1].verdict, Verdict::NotReproduced);

    let findings = experiment(failing).perform(&mut machine, &options);
    assert_eq!(findings.len(), 2);
    assert!(
        findings
            .iter()
            .all(|finding| finding.is_failure() && finding.why.contains("no such texture"))
    );

    let findings = experiment(lacking).perform(&mut machine, &options);
    assert!(
        findings
            .iter()
            .all(|f| f.verdict == Verdict::NotRun && !f.is_failure())
    );
}

#[test]
fn an_experiment_is_chosen_by_its_id_its_paper_or_a_claim() {
    let experiment = experiment(complete);
    for name in ["bolz2003", "bolz2003/staircase", "bolz2003/entries"] {
        assert!(experiment.answers_to(name));
    }
    for name in ["bolz", "kruger2003", "bolz2003/rates", ""] {
        assert!(!experiment.answers_to(name));
    }
}

/// The picture that a chart became.
fn decoded(png: &[u8]) -> image::RgbImage {
    let picture = image::load_from_memory(png).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (WIDTH, HEIGHT));
    picture
}

/// Number of pixels of exactly this colour.
fn pixels(picture: &image::RgbImage, colour: [u8; 3]) -> usize {
    picture.pixels().filter(|pixel| pixel.0 == colour).count()
}

const BLUE: [u8; 3] = [0x00, 0x72, 0xb2];
const VERMILION: [u8; 3] = [0xd5, 0x5e, 0x00];

#[test]
fn every_kind_of_chart_draws_its_series_in_their_colours() {
    let log_log = Chart {
        x: Axis::logarithmic("n"),
        series: vec![
            Series::new("a", Style::Points, [(1.0, 1.0), (1e3, 1e-3), (1e6, 1e-7)]),
            Series::new("b", Style::Line, [(1.0, 2.0), (1e6, 1e-6)]),
        ],
        ..chart_of_residuals()
    };
    for kind in [chart_of_steps(), chart_of_residuals(), log_log] {
        let picture = decoded(&chart(&kind).unwrap());
        assert!(
            pixels(&picture, BLUE) > 150 && pixels(&picture, VERMILION) > 150,
            "{}",
            kind.title
        );
        assert!(pixels(&picture, [255; 3]) > 700_000, "mostly white");
    }
}

#[test]
fn bars_are_as_long_as_their_values() {
    let picture = decoded(
        &bars(&Bars {
            title: "Two values".into(),
            axis: Axis::linear("units").with_range(0.0, 4.0),
            categories: vec!["a".into()],
            groups: vec![
                Group::new("one", [Some(1.0)]),
                Group::new("three", [Some(3.0)]),
            ],
        })
        .unwrap(),
    );
    let length = |colour: [u8; 3]| {
        let widest = |y: u32| {
            (0..WIDTH)
                .filter(|&x| picture.get_pixel(x, y).0 == colour)
                .count()
        };
        (160..HEIGHT).map(widest).max().unwrap() as f64
    };
    approx::assert_relative_eq!(length(VERMILION) / length(BLUE), 3.0, max_relative = 0.02);
}

#[test]
fn what_cannot_be_drawn_is_an_error_and_what_can_is_drawn_without_the_rest() {
    let with = |points: Vec<(f64, f64)>, y: Axis| {
        let series = vec![Series::new("s", Style::LinePoints, points)];
        chart(&Chart {
            title: "t".into(),
            series,
            y,
            ..Chart::default()
        })
    };
    assert!(matches!(
        with(vec![], Axis::linear("y")),
        Err(PlotError::Empty(_))
    ));
    assert!(matches!(
        with(vec![(1.0, f64::NAN)], Axis::linear("y")),
        Err(PlotError::Empty(_))
    ));
    assert!(matches!(
        with(vec![(1.0, 0.0)], Axis::logarithmic("y")),
        Err(PlotError::Empty(_))
    ));
    assert!(
        with(
            vec![(1.0, 0.0), (2.0, f64::INFINITY), (3.0, 5.0)],
            Axis::logarithmic("y")
        )
        .is_ok()
    );
    assert!(with(vec![(1.0, 1.0)], Axis::linear("y")).is_ok());

    let mut uneven = bars_of_rates(Axis::linear("x"));
    uneven.groups[1].values.pop();
    assert!(matches!(
        bars(&uneven),
        Err(PlotError::Length {
            values: 3,
            categories: 4,
            ..
        })
    ));
}

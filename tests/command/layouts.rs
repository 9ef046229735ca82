//! `fragstream layouts`.

use std::fs;

use crate::command::support::*;
use fragstream::base::table::read_csv;
use fragstream::layouts::compare::families::{factor, stored};
use fragstream::layouts::named::Family;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A matrix without structure: rows of 1 to 7 entries of both signs and of very different sizes, one of
/// them with an entry in every column, one without any but its diagonal's.
fn ugly(n: usize) -> String {
    let mut entries = Vec::new();
    for row in 0..n {
        let length = match row {
            5 => n,
            9 => 1,
            row => 1 + row * 7919 % 7,
        };
        for k in 0..length {
            let column = match length == n {
                true => k,
                false => (row + k * (k + 11)) % n,
            };
            let value = ((row * 31 + column * 17) as f64).sin() * 10f64.powi((row % 5) as i32 - 2);
            entries.push((row + 1, column + 1, value));
        }
    }
    entries.sort_by_key(|&(row, column, _)| (row, column));
    entries.dedup_by_key(|&mut (row, column, _)| (row, column));
    let lines = entries.iter().map(|(row, column, value)| format!("{row} {column} {value:e}\n"));
    format!("{HEADER}{n} {n} {}\n{}", entries.len(), lines.collect::<String>())
}

/// What `layouts` writes as JSON, layout by layout.
fn layouts(folder: &TempDir, arguments: &str) -> Vec<Value> {
    let value = object(folder, &format!("layouts {arguments} --rounds 1"), 0);
    value["sections"][0]["layouts"].as_array().unwrap().clone()
}

fn of<'a>(lines: &'a [Value], layout: &str) -> &'a Value {
    let line = lines.iter().find(|line| line["layout"] == layout);
    line.unwrap_or_else(|| panic!("no line of {layout}"))
}

fn count(line: &Value, key: &str) -> u64 {
    line["run"][key].as_u64().unwrap()
}

#[test]
fn every_layout_multiplies_an_ugly_matrix_as_double_precision_does_and_counts_as_its_formula_says()
{
    let n = 41;
    let folder = folder_with("ugly.mtx", ugly(n));
    let lines = layouts(&folder, "matrix ugly.mtx");
    let longest = n as f64;
    for line in lines.iter().filter(|line| line["layout"] != "wrapped") {
        // So many roundings of a row's sum, each of 6e-8, and one of each entry.
        let error = line["run"]["error"].as_f64().unwrap();
        assert!(error <= (longest + 2.0) * 6e-8, "{line}");
    }
    let entries = of(&lines, "points")["run"]["fragments"].as_u64().unwrap();
    // A point an entry, a pass an entry of the longest row, two fetches each.
    assert_eq!(count(of(&lines, "points"), "passes"), n as u64);
    assert_eq!(count(of(&lines, "points"), "fetches"), 2 * entries);
    let padding = of(&lines, "ellpack")["memory"]["padding"].as_f64().unwrap();
    let tiles = of(&lines, "ellpack")["memory"]["textures"].as_str().unwrap();
    let (width, height) = tiles.strip_suffix(" Rgba32F").unwrap().split_once('x').unwrap();
    let places = width.parse::<u64>().unwrap() * height.parse::<u64>().unwrap();
    assert!((padding - (1.0 - entries as f64 / places as f64)).abs() < 1e-12);
    assert!(of(&lines, "ellpack-r")["run"]["cards"].is_null());
    // Rows that end are of no card of 2003, which has no trivial program for them either.
    assert!(of(&lines, "ellpack-r")["run"]["of_ceiling"].is_null());
    assert!(of(&lines, "ellpack")["run"]["of_ceiling"].is_f64());
    // Columns fetch an entry and an x for every column.
    assert_eq!(count(of(&lines, "columns"), "passes"), 1);
    let why = of(&lines, "wrapped")["refused"].as_str().unwrap();
    assert!(why.contains("seven-point"), "{why}");
}

#[test]
fn a_method_solves_in_the_layouts_that_it_takes_and_the_others_say_why_not() {
    let folder = folder_with("laplacian.mtx", laplacian(20, 1.0));
    for (method, count) in [("pcg", 4), ("lu", 1)] {
        let options = "--layouts columns,rows,slices --rounds 1";
        let command = format!("layouts matrix laplacian.mtx --method {method} {options}");
        let value = object(&folder, &command, 0);
        let lines = value["sections"][1]["layouts"].as_array().unwrap();
        let solved = || lines.iter().filter(|line| line["run"].is_object());
        assert_eq!(solved().count(), count, "{value}");
        for line in solved() {
            assert!(line["run"]["error"].as_f64().unwrap() <= 1e-5, "{line}");
            // Conjugate gradients end after as many steps as there are unknowns, except for rounding.
            assert!(line["iterations"].as_u64().unwrap() <= 21, "{line}");
        }
        for layout in ["rows", "slices"].into_iter().filter(|_| method == "lu") {
            let refused = of(lines, layout)["refused"].as_str().unwrap();
            let expected = format!("lu does not work on the layout {layout}");
            assert_says(refused, &[&expected]);
        }
    }
}

#[test]
fn a_layout_that_does_not_fit_says_what_it_would_take_and_the_others_run() {
    let n = 70_000;
    let diagonal = (1..=n).map(|k| format!("{k} {k} 1\n")).collect::<String>();
    let folder = folder_with("large.mtx", format!("{HEADER}{n} {n} {n}\n{diagonal}"));
    let lines = layouts(&folder, "matrix large.mtx --layouts columns,diagonals");
    let columns = of(&lines, "columns");
    let why = columns["refused"].as_str().unwrap();
    // A tile per column, each of 265 x 265 texels: five passes of 64 in a row of tiles, and 219 rows.
    let [width, height] = [5 * 64 * 265, 219 * 265u64];
    assert!(why.contains(&format!("{width}x{height}")), "{why}");
    assert_eq!(columns["memory"]["bytes"], 4 * width * height);
    assert!(columns["run"].is_null());
    assert_eq!(count(of(&lines, "diagonals"), "fetches"), 2 * 265 * 265);
}

#[test]
fn a_layout_over_the_limit_of_its_storage_is_refused_alone() {
    // A diagonal per entry above the main one: each takes a texture of 30 000 entries, 2.2 GB in all.
    let (n, more) = (30_000, 18_000);
    let diagonal = (1..=n).map(|k| format!("{k} {k} 1\n"));
    let others = (1..=more).map(|k| format!("{} {} 1\n", k / 2 + 1, k / 2 + 1 + k));
    let entries: String = diagonal.chain(others).collect();
    let folder = folder_with("wide.mtx", format!("{HEADER}{n} {n} {}\n{entries}", n + more));
    let lines = layouts(&folder, "matrix wide.mtx --layouts rows,diagonals --limit 100GB");
    assert_says(
        of(&lines, "diagonals")["refused"].as_str().unwrap(),
        &["over the limit of 2.1 GB"],
    );
    assert!(of(&lines, "rows")["run"].is_object());
}

#[test]
fn a_vector_is_summed_in_as_many_passes_as_its_longer_side_has_halves() {
    let folder = tempdir().unwrap();
    // 32 x 32, 16 x 16 texels of four, 4 x 250.
    let value = object(&folder, "layouts vector --size 1000 --rounds 1", 0);
    assert_says(&value.to_string(), &["one-dimensional", "array, all cores"]);
    let [additions, sums] = [0, 1].map(|k| value["sections"][k]["layouts"].as_array().unwrap());
    for layout in ["single", "four per texel", "one-dimensional", "elongated"] {
        assert_eq!(count(of(additions, layout), "passes"), 1);
    }
    assert_eq!(count(of(additions, "four per texel"), "fragments"), 256);
    // Two textures of 32 x 32 texels, each read once, through a cache of any size.
    for size in ["2 KB", "8 KB", "16 KB"] {
        assert_eq!(of(additions, "single")["run"]["bytes_moved"][size], 2 * 4 * 32 * 32);
    }
    assert_eq!(value["sections"][0]["useful_bytes"], 2 * 4 * 1000);
    for (layout, passes) in [
        ("single, 2 x 2 padded", 5),
        ("single, bounds tested", 5),
        ("single, by quadrants", 5),
        ("single, stop early", 3),
        ("four per texel, 2 x 2 padded", 4),
        ("elongated, 2 x 2 padded", 8),
    ] {
        let line = of(sums, layout);
        assert_eq!(count(line, "passes"), passes, "{layout}");
        assert!(line["run"]["error"].as_f64().unwrap() < 6e-7, "{layout}");
    }
}

#[test]
fn a_grid_is_multiplied_alike_in_every_layout_and_fewer_buffers_are_changed_less_often() {
    let folder = tempdir().unwrap();
    let value = object(&folder, "layouts grid --size 17 --rounds 1 --png out.png", 0);
    let [five, nine, cycles] =
        [0, 1, 2].map(|k| value["sections"][k]["layouts"].as_array().unwrap());
    for (lines, points) in [(five, 5.0), (nine, 9.0)] {
        for line in lines.iter() {
            let error = line["run"]["error"].as_f64().unwrap();
            assert!(error < (points + 3.0) * 6e-8, "{line}");
        }
    }
    assert_eq!(count(of(five, "one node per texel"), "fetches"), 2 * 5 * 17 * 17);
    let passes = |lines, layout| count(of(lines, layout), "passes");
    // So small a grid is one rectangle, border and all; copies need the inside before the border.
    assert_eq!(passes(five, "quadrants, border fused"), 1);
    assert!(passes(five, "quadrants, border copied") >= 2);
    let of_textures = five.iter().chain(nine).chain(cycles);
    for line in of_textures.filter(|line| line["from"] != "CPU") {
        assert!(line["run"]["of_ceiling"].as_f64() > Some(0.0), "{line}");
    }
    let switches = |layout| count(of(cycles, layout), "target_switches");
    let (pair, one) = ("one surface pair per level", "one buffer, with copies");
    assert!(switches("two buffers") < switches(pair));
    assert!(passes(cycles, one) > passes(cycles, pair));
    let picture = image::open(folder.path().join("out.png")).unwrap();
    assert!(picture.width() >= 1000 && picture.height() >= 400);
}

#[test]
fn a_rectangle_is_laid_out_and_its_csv_has_the_names_of_its_json() {
    let folder = tempdir().unwrap();
    let value = object(&folder, "layouts grid --size 33x17 --rounds 1 --csv out.csv", 0);
    let line = of(value["sections"][0]["layouts"].as_array().unwrap(), "one node per texel");
    // 561 nodes in a texture of 24 x 24 texels.
    assert_eq!(count(line, "fetches"), 2 * 5 * 24 * 24);
    let csv = fs::read_to_string(folder.path().join("out.csv")).unwrap();
    let lines = read_csv(&csv);
    let [head, first] = [&lines[0], &lines[1]];
    assert_eq!(head[0], "title");
    for name in [
        "layout",
        "memory.bytes",
        "run.fetches",
        "run.seconds_low",
        "run.bytes_per_second",
        "run.cards.Radeon 9800",
        "run.bytes_moved.8 KB",
    ] {
        let found = name.split('.').fold(line, |value, key| &value[key]);
        let place = head.iter().position(|one| *one == name).unwrap_or_else(|| panic!("{csv}"));
        match found.as_f64() {
            // The title of the section has no comma.
            Some(number) => assert_eq!(first[place].parse(), Ok(number), "{name}"),
            None => assert_eq!(first[place], found.as_str().unwrap()),
        }
    }
    for (size, expected) in
        [("33x", "as in 513x129"), ("2", "at least three"), ("9x2", "at least three")]
    {
        let refused = fails(&mut fragstream(&folder, &format!("layouts grid --size {size}")), 2);
        assert_says(&refused, &[expected]);
    }
}

#[test]
fn tables_have_at_most_80_columns() {
    let folder = tempdir().unwrap();
    for what in ["matrix airfoil", "grid --size 17", "vector --size 1000"] {
        let text = succeeds(&mut fragstream(&folder, &format!("layouts {what} --rounds 1")));
        for line in text.lines().filter(|line| line.contains("  ")) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn families_leave_out_what_the_limit_does_not_allow_and_write_curves_and_a_map() {
    let folder = tempdir().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join("there").join(name)).unwrap();
    let command = "layouts families --largest 1000 --rounds 1 --out there";
    let text = succeeds(&mut fragstream(&folder, command));
    for family in ["box", "grid", "mesh", "elements", "graph", "dense"] {
        assert!(text.contains(&format!("{family}: ")), "{text}");
        let curves = read(&format!("family-{family}.svg"));
        assert!(curves.contains("ellpack"), "{family}");
    }
    assert_eq!(text.matches(": Use ").count(), 6);
    let lines = read("families.csv");
    // Seven layouts and two of the CPU for each.
    assert_eq!(lines.lines().count(), 1 + 6 * 9);
    assert!(read("families.svg").contains("dense 32"));
    // Drawn again from the table, next to another run, without timing.
    let (curves, table) = (read("family-mesh.svg"), "there/families.csv");
    let command = format!("layouts families --from {table} --compare {table} --out there");
    let again = succeeds(&mut fragstream(&folder, &command));
    // Both machines are named.
    let named = again.strip_prefix(&*text).unwrap_or_else(|| panic!("{again}\n{text}"));
    assert!(named.lines().all(|line| line.starts_with("there/families.csv: ")), "{named}");
    assert!(named.lines().count() == 2 && named.contains("cores"), "{named}");
    assert_eq!((read("family-mesh.svg"), read("families.csv")), (curves, lines.clone()));
    assert_eq!(read("families.svg").matches("there/families.csv").count(), 2);
    let command = "layouts families --from there/family-mesh.svg --out there";
    let refused = fails(&mut fragstream(&folder, command), 2);
    assert_says(&refused, &["family-mesh.svg: not a table of families. Give a whole families.csv"]);
    let part: Vec<&str> = lines.lines().take(21).collect();
    fs::write(folder.path().join("part.csv"), part.join("\n")).unwrap();
    let refused =
        fails(&mut fragstream(&folder, "layouts families --from part.csv --out there"), 2);
    assert_says(
        &refused,
        &["part.csv: a part of a table, 20 of 54 lines. Give a whole families.csv"],
    );
    let command = "layouts families --largest 4000 --limit 0.01 --rounds 1 --out there";
    let value = object(&folder, command, 0);
    // The first matrix has taken all of the time.
    assert_eq!(value["left_out"].as_array().unwrap().len(), 11);
    assert_eq!(value["sections"].as_array().unwrap().len(), 1);
}

/// The layouts of a section that its intervals do not rule out.
fn not_slower(section: &Value) -> Vec<String> {
    let lines = section["layouts"].as_array().unwrap().iter();
    let level = lines.filter(|line| line["from"] != "CPU" && line["run"].is_object());
    let level = level
        .filter(|line| line["run"]["of_fastest"]["low"].as_f64().is_some_and(|low| low <= 1.0));
    level.map(|line| line["layout"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn solve_takes_what_layouts_recommends_or_gives_its_rule() {
    let folder = tempdir().unwrap();
    let names = [
        "box:3000",
        "grid:3000",
        "mesh:1000",
        "mesh:3000",
        "elements:2000",
        "fem:q1:level3",
        "powerlaw:1000",
        "powerlaw:3000",
        "banded:2000:9",
    ];
    // All nine at night.
    let tried: Vec<&str> = names.into_iter().step_by(if all_calls() { 1 } else { 3 }).collect();
    let mut agreed = Vec::new();
    for &name in &tried {
        let layouts = object(&folder, &format!("layouts matrix {name} --rounds 3"), 0);
        let solve = object(&folder, &format!("solve {name}"), 0);
        let taken = solve["layout"].as_str().unwrap_or_else(|| panic!("{solve}")).to_owned();
        let level = not_slower(&layouts["sections"][0]);
        let advised = layouts["advice"][0]["here"].as_str().unwrap();
        assert!(level.iter().any(|one| one == advised), "{name}: {advised} of {level:?}");
        let choice = &solve["layout_choice"];
        let rule = choice["reason"].as_str().unwrap_or_else(|| panic!("{solve}"));
        let is_timed = choice["products"].as_object().is_some_and(|all| all.len() > 1);
        agreed.push((
            level.contains(&taken) || !is_timed && !rule.is_empty(),
            name,
            taken,
            rule.to_owned(),
        ));
    }
    assert!(agreed.iter().filter(|one| one.0).count() + 1 >= tried.len(), "{agreed:?}");
}

#[test]
fn the_page_and_the_command_have_one_answer_for_2003() {
    // Those of the page: `wrapped` is for boxes of cells alone.
    const LAYOUTS: &str = "--layouts rows,diagonals,quarters,columns,points,ellpack,ellpack-r";
    let folder = tempdir().unwrap();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/figures/layouts/families.csv");
    let members = stored(&fs::read_to_string(page).unwrap()).unwrap();
    for member in members
        .iter()
        .filter(|member| member.rows <= if member.family == Family::Dense { 200 } else { 1100 })
    {
        let family = member.family.name();
        let value = object(
            &folder,
            &format!("layouts matrix {family}:{} --rounds 1 {LAYOUTS}", member.rows),
            0,
        );
        let here = value["advice"][0]["on_2003"].as_str();
        let rows = member.rows;
        let on_page = factor(&members, &format!("2003 layout {family} {rows} {rows}"));
        assert_eq!(here.map(|here| format!("`{here}`")), on_page, "{family} {rows}: {value}");
    }
}

#[test]
fn several_matrices_are_one_table_and_a_refused_one_a_line() {
    let folder = folder_with("a.mtx", laplacian(20, 1.0));
    fs::create_dir(folder.path().join("more")).unwrap();
    fs::copy(folder.path().join("a.mtx"), folder.path().join("more/b.mtx")).unwrap();
    let big = format!("{HEADER}2 2 2\n1 1 1e39\n2 2 1\n");
    fs::write(folder.path().join("more/c.mtx"), big).unwrap();
    let command = "layouts matrix a.mtx more grid:100 --layouts rows,ellpack --rounds 1";
    let output = fragstream(&folder, command).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_says(
        &text,
        &["for 2003", "a.mtx: 20 rows", "more/b.mtx: 20 rows", "grid:100: 100 rows"],
    );
    assert_says(&text, &["more/c.mtx: the entry at row 1, column 1 (counted from 1) is 1e39"]);
    assert_says(&String::from_utf8(output.stderr).unwrap(), &["1 of 4 matrices were refused"]);
    // Its second row is zero in single precision, next to the first.
    let small = format!("{HEADER}2 2 2\n1 1 1e38\n2 2 1e-20\n");
    fs::write(folder.path().join("small.mtx"), small).unwrap();
    let lines = layouts(&folder, "matrix small.mtx --layouts rows,ellpack");
    assert_says(
        of(&lines, "rows")["refused"].as_str().unwrap(),
        &["left the range of single precision"],
    );
}

#[test]
fn timings_have_their_samples_and_their_origin() {
    let folder = tempdir().unwrap();
    let value = object(&folder, "layouts matrix airfoil --layouts rows,ellpack --rounds 2", 0);
    let section = &value["sections"][0];
    for line in section["layouts"].as_array().unwrap() {
        let times = line["run"]["times"].as_array().unwrap();
        assert!(
            times.len() == 2 && times.iter().all(|heat| heat.as_array().unwrap().len() == 2),
            "{line}"
        );
        assert!(line["run"]["of_fastest"]["median"].as_f64() > Some(0.0), "{line}");
    }
    assert!(section["twins"]["median"].as_f64() > Some(0.0), "{section}");
    for name in ["machine", "renderer", "driver", "commit", "date"] {
        assert!(!section["origin"][name].as_str().unwrap().is_empty(), "{name}");
    }
    assert!(section["origin"]["is_busy"].is_boolean());
}

//! Every program compiles in a browser, and every pass of the films comes out there as it was
//! recorded: bit by bit, or within what another order of rounding explains.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::LazyLock;

use fragstream::film::scenes::SCENES;
use fragstream::stream::Machine;
use serde_json::{Value, json};

use crate::browser::{answer, element, text};
use crate::programs::assembled;

/// Programs that no browser can compile: WebGL has no double precision.
const DOUBLE: &str = "GL_ARB_gpu_shader_fp64";

/// Films in which faults are planted: one that reduces, with identities, and one with feedback.
const FAULTY: [&str; 2] = ["reduction", "lu"];

/// A film too large for this: every target of the wing's flow is a grid of many nodes.
const LEFT_OUT: &str = "wing";

/// Films, and scenes whose title begins like this, that come out bit by bit: their arithmetic leaves no
/// choice of order.
const EXACT: [(&str, &str); 3] = [("cg", "Ten iterations"), ("gauss-seidel", ""), ("lu", "")];

/// Mesa's llvmpipe adds (a + b) + (c + d) where the text says ((a + b) + c) + d.
const ORDER: &str = "sums of several terms, whose order Mesa's compiler changes";
/// The terms of scalar products.
const LENGTH: &str = "dot and length, whose terms may be added in any order";
const EXPONENTIAL: &str = "exp, which drivers compute to some units in the last place";

/// Kernels that need not come out bit by bit, by the file's name, and the cause.
const DIFFERENT: [(&str, &str); 6] = [
    ("bolz2003/correct", ORDER),
    ("bolz2003/diagonal", LENGTH),
    ("bolz2003/off_diagonal", LENGTH),
    ("bolz2003/project", ORDER),
    ("bolz2003/right_hand_side", ORDER),
    ("kruger2003/stroke", EXPONENTIAL),
];

/// Of these, the mean of residuals of both signs: what rounding leaves is as large as they make it, not
/// as what is left of them.
const CANCELLING: &str = "bolz2003/project";

/// What is written into it stays.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All programs of `glsl/` that a browser may be expected to compile.
fn programs() -> Vec<Value> {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let files = crate::programs::files();
    let open = assembled(&files);
    let all = open.iter().map(|one| (one, one.kernel(&machine)));
    all.filter(|(_, kernel)| !kernel.text().fragment.contains(DOUBLE))
        .map(|(one, kernel)| {
            json!({
                "name": format!("{one:?}"),
                "vertex": kernel.text().vertex,
                "fragment": kernel.text().fragment,
                "points": kernel.name().ends_with("for points"),
            })
        })
        .collect()
}

/// The task for `check.js`: all programs, all films with all their texels.
fn page() -> String {
    let mut elements = String::new();
    let mut films = Vec::new();
    for scene in SCENES.iter().filter(|scene| scene.name != LEFT_OUT) {
        let texels = Memory::default();
        let machine = Machine::headless().expect("this machine has OpenGL");
        let film = scene.film(&machine, Some(Box::new(texels.clone())));
        let film = film.unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        let container = film.container().expect("bytes");
        elements += &element(&format!("film-{}", scene.name), &container);
        elements += &element(&format!("texels-{}", scene.name), &texels.0.borrow());
        films.push(json!({"name": scene.name, "faults": FAULTY.contains(&scene.name)}));
    }
    let task = json!({"programs": programs(), "films": films});
    elements += &element("task", task.to_string().as_bytes());
    let player =
        ["decode", "program", "replay"].map(|name| text(&format!("src/film/player/{name}.js")));
    let check = text("tests/film/check.js");
    format!(
        "<!doctype html>{elements}<script>{}\n{check}</script>",
        player.join("\n")
    )
}

/// What the browser has found; nothing where there is none.
fn found() -> Option<&'static Value> {
    static FOUND: LazyLock<Option<Value>> = LazyLock::new(|| answer(&page(), None));
    FOUND.as_ref()
}

/// What was found of one kernel in one scene.
struct Finding<'a> {
    film: &'a str,
    scene: &'a str,
    kernel: &'a str,
    passes: u64,
    same: u64,
    /// The largest difference, in units of what is allowed for what is as large as the target.
    of_target: f64,
    /// The same for what is as large as the numbers that were read.
    of_operands: f64,
}

fn findings<'a>(found: &'a Value) -> Vec<Finding<'a>> {
    let films = found["films"].as_object().expect("films").iter();
    let kernels = films.flat_map(|(film, kernels)| {
        let kernels = kernels.as_array().expect("kernels").iter();
        kernels.map(move |kernel| (film, kernel))
    });
    let finding = |(film, kernel): (&'a String, &'a Value)| Finding {
        film,
        scene: kernel["scene"].as_str().expect("a title"),
        kernel: kernel["kernel"].as_str().expect("a name"),
        passes: kernel["passes"].as_u64().expect("a count"),
        same: kernel["same"].as_u64().expect("a count"),
        of_target: kernel["ofTarget"].as_f64().expect("a number"),
        of_operands: kernel["ofOperands"].as_f64().expect("a number"),
    };
    kernels.map(finding).collect()
}

#[test]
fn a_browser_compiles_every_program() {
    let Some(found) = found() else { return };
    assert_eq!(found["refused"], json!([]));
}

#[test]
fn a_browser_computes_each_pass_as_recorded_within_four_roundings() {
    let Some(found) = found() else { return };
    for one in findings(found) {
        let place = format!("{}, {}: {}", one.film, one.scene, one.kernel);
        let of_passes = format!("{} of {} passes", one.same, one.passes);
        let is_of = |file: &str| one.kernel.split(' ').next() == Some(file);
        let cause = DIFFERENT.iter().find(|(file, _)| is_of(file));
        let excess = match is_of(CANCELLING) {
            true => one.of_operands,
            false => one.of_target,
        };
        assert!(excess <= 1.0, "{place}: {excess} times what is allowed");
        if one.same < one.passes {
            let (_, cause) = cause.unwrap_or_else(|| panic!("{place}: {of_passes}"));
            eprintln!("{place}: {of_passes} bit by bit; {cause}");
        }
    }
}

#[test]
fn what_leaves_no_choice_of_order_comes_out_bit_by_bit() {
    let Some(found) = found() else { return };
    for (film, scene) in EXACT {
        let all = findings(found).into_iter();
        let exact = all.filter(|one| one.film == film && one.scene.starts_with(scene));
        let (passes, same) = exact.fold((0, 0), |(p, s), one| (p + one.passes, s + one.same));
        assert!(passes > 0 && same == passes, "{film}: {same} of {passes}");
    }
}

#[test]
fn planted_faults_are_noticed_and_nothing_else_is() {
    let Some(found) = found() else { return };
    let caught = |film: &str, fault: &str| found["caught"][film][fault].as_u64();
    for film in FAULTY {
        assert_eq!(caught(film, "none"), Some(0), "{film}");
        assert!(caught(film, "a shifted coordinate") > Some(0), "{film}");
    }
    let [reduces, feeds_back] = FAULTY;
    assert!(caught(reduces, "a wrong identity") > Some(0));
    assert_eq!(caught(reduces, "no shadow copy"), Some(0));
    assert!(caught(feeds_back, "no shadow copy") > Some(0));
}

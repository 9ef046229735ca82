//! The comparison of methods for the pressure: its equations, its counts, and its page.

use std::f64::consts::PI;

use fragstream::film::pressure::{
    CELLS, METHODS, PRESSURE_BYTES, counted, left, right_side, volume,
};
use serde_json::Value;

use crate::common::machine;
use crate::film::browser::{found, text};

const AGAIN: &str = "fragstream film --pressure --out figures/course/pressure.html makes it again";
/// Units of each method that are counted again: more take long, and cost the same.
const UNITS: usize = 20;

/// A wave between walls at all nodes, V times as large, and its eigenvalue for the operator per volume.
fn wave([k, l]: [f64; 2], in_volume: bool) -> (Vec<f32>, f64) {
    let n = CELLS as f64;
    let nodes = (0..=CELLS).flat_map(|y| (0..=CELLS).map(move |x| (x, y)));
    let of = |(x, y): (usize, usize)| {
        let value = (PI * k * x as f64 / n).cos() * (PI * l * y as f64 / n).cos();
        (if in_volume { value * volume(x, y) } else { value }) as f32
    };
    let [a, b] = [k, l].map(|k| 4.0 * (PI * k / (2.0 * n)).sin().powi(2));
    (nodes.map(of).collect(), a + b)
}

#[test]
fn the_equations_have_waves_as_solutions_and_jacobi_damps_them_by_their_eigenvalue() {
    let sum: f64 = right_side().iter().map(|&f| f64::from(f)).sum();
    assert!(sum.abs() < 1e-5, "what flows out flows in: {sum}");
    for modes in [[3.0, 0.0], [40.0, 17.0]] {
        let ((p, lambda), (right, _)) = (wave(modes, false), wave(modes, true));
        // The norm of a wave of density one is that of its cosines: a half for each that is not constant.
        let rms = modes.map(|k| if k == 0.0 { 1.0 } else { 0.5f64.sqrt() });
        let [_, density] = left(&right, &vec![0.0; p.len()]);
        assert!((density - rms[0] * rms[1]).abs() < 1e-6, "{density}");
        let right: Vec<f32> = right.iter().map(|f| (f64::from(*f) * lambda) as f32).collect();
        let [_, rest] = left(&right, &p);
        assert!(rest < 1e-6, "{rest}");
        let (row, _) = counted(&machine(), &METHODS[0], &right, UNITS).expect("a run");
        for step in &row.steps {
            let left = (1.0 - lambda / 4.0).abs().powi(step.units as i32);
            assert!((step.divergence - left).abs() < 1e-5, "{step:?}: {left}");
        }
    }
}

/// The landed page and what it says of the methods.
fn landed() -> (String, Value) {
    let page = text("figures/course/pressure.html");
    let rows = page.split_once("id=\"rows\">").and_then(|(_, rest)| rest.split_once("</script>"));
    let rows = serde_json::from_str(rows.expect("rows").0).expect("rows");
    (page, rows)
}

#[test]
fn the_landed_counts_and_residuals_are_those_of_this_machine() {
    let (page, rows) = landed();
    assert!(page.len() <= PRESSURE_BYTES, "{} bytes", page.len());
    let (machine, right) = (machine(), right_side());
    for (method, landed) in METHODS.iter().zip(rows["methods"].as_array().expect("methods")) {
        let (row, _) = counted(&machine, method, &right, UNITS).expect("a run");
        assert_eq!(landed["name"], method.name);
        let steps = landed["steps"].as_array().expect("steps");
        for (step, landed) in row.steps.iter().zip(steps) {
            let whole = |name: &str| landed[name].as_u64().expect("a count");
            assert_eq!(whole("units"), step.units as u64);
            assert_eq!((whole("passes"), whole("fetches")), (step.passes, step.fetches), "{AGAIN}");
            for (name, here) in [("residual", step.residual), ("divergence", step.divergence)] {
                let there = landed[name].as_f64().expect("a share");
                assert!((there - here).abs() <= 1e-6, "{} {step:?}: {there}: {AGAIN}", method.name);
            }
        }
        // A thousandth is reached, and what was not recounted costs the same per unit.
        let last = &steps[steps.len() - 1];
        assert!(last["divergence"].as_f64().is_some_and(|left| left <= 1e-3), "{last}");
        let [one, two] = [1, 2].map(|at| row.steps[at.min(row.steps.len() - 1)].passes);
        let units = last["units"].as_u64().expect("a count");
        assert_eq!(last["passes"], one + (units - 1) * (two - one), "{}", method.name);
    }
}

const RUN: &str = "
    byId('run').click();
    await until('all methods', () => !byId('run').disabled);
    const shares = [...document.querySelectorAll('#cards li')].map(({ dataset }) => [Number(dataset.share), Number(dataset.recorded)]);
    const network = performance.getEntriesByType('resource').length;
    const lines = document.querySelectorAll('#chart polyline').length;
    return { shares, network, lines, said: byId('state').textContent };";

#[test]
fn a_browser_runs_all_methods_and_leaves_what_was_recorded() {
    let (page, _) = landed();
    for part in ["pressure/pressure.js", "player/replay.js", "player/film.css"] {
        let part = text(&format!("src/film/{part}"));
        assert!(page.contains(part.trim_end()), "{AGAIN}");
    }
    let Some(found) = found(&page, RUN) else { return };
    let shares = found["shares"].as_array().expect("shares");
    assert_eq!(shares.len(), METHODS.len(), "{found}");
    for pair in shares {
        let [here, there] = [0, 1].map(|at| pair[at].as_f64().expect("a share"));
        assert!(here > 0.0 && (here - there).abs() <= 1e-5, "{found}");
    }
    assert_eq!((&found["network"], &found["lines"]), (&0.into(), &5.into()));
}

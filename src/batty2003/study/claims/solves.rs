//! Fig. 2 and the tables: operations of the dam's solves, their times, and the CPU's.

use crate::base::order::ShortSort;
use crate::batty2003::study::table::{CALLS, MILLISECONDS, SCALE_ADD, SECONDS};
use crate::claim::{Cell, Checked, Claim, Found, Interval, Run, Table, times};
use crate::experiment::Record;
use crate::picture::plot::{Axis, Bars, Group};
use crate::timing::cost::all;
use crate::timing::interval::short;

use super::dam::{PARTS, Solve, solves};

/// Products, dots, scale-adds, preconditionings, set-ups, read-backs.
#[rustfmt::skip]
const NAMES: [&str; 6] = ["product", "dot", "scale-add", "precondition", "set-up", "read-back"];

/// The paper's milliseconds, with those of a scale-add by the table's totals.
const PRINTED_MS: [f64; 6] = {
    let [product, dot, _, precondition, set_up, read_back] = MILLISECONDS;
    [product, dot, SCALE_ADD, precondition, set_up, read_back]
};

/// Shares in the time of all solves (per cent).
pub const SHARES: [(&str, f64); 6] = [
    (NAMES[0], 50.3),
    (NAMES[1], 24.4),
    (NAMES[2], 10.8),
    (NAMES[3], 3.5),
    (NAMES[4], 5.7),
    (NAMES[5], 5.4),
];

/// Time of each operation in units of a product.
pub const PRODUCTS: [(&str, f64); 5] = [
    (NAMES[1], PRINTED_MS[1] / PRINTED_MS[0]),
    (NAMES[2], PRINTED_MS[2] / PRINTED_MS[0]),
    (NAMES[3], PRINTED_MS[3] / PRINTED_MS[0]),
    (NAMES[4], PRINTED_MS[4] / PRINTED_MS[0]),
    (NAMES[5], PRINTED_MS[5] / PRINTED_MS[0]),
];

/// Ratios of the times of a solve. Of the two GPUs, the slower one's are closer to one and are compared.
#[rustfmt::skip]
pub const RESULTS: [(&str, f64); 4] = [
    ("as long with the diagonal as with IC(0), CPU", SECONDS[0] / SECONDS[1]),
    ("as long on the CPU with the diagonal as on the GPU", SECONDS[0] / SECONDS[2]),
    ("as long on the CPU with IC(0) as on the GPU", SECONDS[1] / SECONDS[2]),
    ("as long on an FX 1000 as on an FX 2000, model", SECONDS[2] / SECONDS[3]),
];

const IN_SOFTWARE: &str = "In software an operation takes as long as its fetches, and set-up and read-back are copies within \
                           main memory; in 2003 they went over a bus.";

/// Calls of each operation in all solves.
fn calls(solves: &[Solve]) -> [f64; 6] {
    [0, 1, 2, 3, 4, 5].map(|k| solves.iter().map(|solve| solve.calls[k]).sum())
}

fn iterations(solves: &[Solve]) -> f64 {
    solves.iter().map(|solve| solve.iterations).sum()
}

pub(super) fn identities(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [dam] = run.records(claim)?;
    let usual = solves(&dam, "usual")?;
    let [products, dots, scale_adds, preconditionings, solves, _] = calls(&usual);
    let n = iterations(&usual);
    let text = format!("{scale_adds} = 3 · {products} − {solves}");
    Ok(Found::new()
        .shows("scale-adds by products and solves", text)
        .headline("")
        .equal("products", products, n + solves)
        .equal("preconditionings", preconditionings, products)
        .equal("scale-adds", scale_adds, 3.0 * n + 2.0 * solves)
        .equal("scale-adds and solves", scale_adds + solves, 3.0 * products)
        // Iterations are proportional to the cells per side, and the paper's grid had 10⁶ cells or more.
        .shows("products per solve, scaled to 100 cells per side", products / solves * 100.0 / dam.last("cells")?)
        .shows("dots per product", dots / products)
        .because(
            "The paper does not print the formulas. They are the only small ones that fit, and the loop was written to \
            match them.",
        ))
}

/// A value of every solve, as a median and an interval.
fn over<T>(solves: &[T], value: impl Fn(&T) -> f64) -> Interval {
    Interval::of(solves.iter().map(value).collect())
}

/// Seconds of the last solve in the model of the FX 1000, with the printed transfers, scaled to the number of cells.
fn model(dam: &Record) -> Result<[f64; 6], String> {
    let operation = |k: usize| dam.last(&format!("fx_1000.{}", PARTS[k]));
    let [set_up, read_back] = transfers(dam)?;
    Ok([operation(0)?, operation(1)?, operation(2)?, operation(3)?, set_up, read_back])
}

fn transfers(dam: &Record) -> Result<[f64; 2], String> {
    let millions = (dam.last("cells")? / 100.0).powi(3);
    Ok([PRINTED_MS[4], PRINTED_MS[5]].map(|ms| 1e-3 * ms * millions))
}

fn percent(parts: [f64; 6]) -> [f64; 6] {
    parts.map(|part| 100.0 * part / parts.iter().sum::<f64>())
}

/// Names of the parts, the largest first.
fn order(parts: [f64; 6]) -> String {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.order_by(|&a, &b| parts[b].total_cmp(&parts[a]));
    let names: Vec<&str> = order.into_iter().map(|part| NAMES[part]).collect();
    names.join(", ")
}

pub(super) fn fig2(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [dam] = run.records(claim)?;
    let waited = solves(&dam, "waited")?;
    let share = |k: usize| over(&waited, |solve| percent(solve.seconds)[k]);
    let shares = [0, 1, 2, 3, 4, 5].map(share);
    let here = shares.map(|share| share.median);
    let (model, printed) = (percent(model(&dam)?), SHARES.map(|(_, share)| share));
    let groups = [
        Group::new("paper", printed.map(Some)),
        Group::new("model of the FX 1000", model.map(Some)),
        Group::new("here", shares.map(Some)),
    ];
    let axis = Axis::linear("per cent");
    let drawn = Bars::new("Time of the solves by operation", axis, NAMES, groups);
    let caption = "Shares of the operations in the time of all solves; the model has the printed set-up and read-back.";
    run.bars("fig2", caption, &drawn)?;
    let mut found = Found::new();
    for (k, name) in NAMES.into_iter().enumerate() {
        found = found.ratio(name, (shares[k], "%")).modelled(Some(model[k]));
    }
    let name = "shares of the product, the dot product and the scale-add";
    Ok(found
        .list(name, here[..3].iter().copied(), "%")
        .is("order by time", order(here), order(printed))
        .because(run.in_software(IN_SOFTWARE)))
}

pub(super) fn operations(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [dam] = run.records(claim)?;
    let solves = solves(&dam, "waited")?;
    let (model, calls) = (model(&dam)?, calls(&solves));
    let columns = [
        "operation",
        "paper (calls)",
        "paper (ms)",
        "here (calls)",
        "here (ms)",
        "model of the FX 1000 (ms)",
    ];
    let mut table = Table::new("The table of operations.", columns);
    let mut found = Found::new();
    for (k, name) in NAMES.into_iter().enumerate() {
        let each = |solve: &Solve, k: usize| solve.seconds[k] / solve.calls[k];
        let ms = over(&solves, |solve| 1e3 * each(solve, k));
        let model = 1e3 * model[k] / solves[solves.len() - 1].calls[k];
        let printed = [CALLS[k], PRINTED_MS[k], calls[k]].map(Cell::Number);
        let here = [ms.into(), model.into()];
        table.push([name.into()].into_iter().chain(printed).chain(here));
        if k > 0 {
            let by_product = over(&solves, |solve| each(solve, k) / each(solve, 0));
            found = found.ratio(name, (by_product, "products"));
        }
    }
    run.table("operations", table);
    let each = all([0, 1, 2, 3].map(|k| dam.last(&format!("fetches.{}", PARTS[k]))))?;
    let fetches: Vec<String> = each[1..].iter().map(|one| short(one / each[0])).collect();
    let fetches = fetches.join(", ");
    let name = "fetches of a dot product, a scale-add and a preconditioning, in products";
    Ok(found.each("").shows(name, fetches).because(run.in_software(IN_SOFTWARE)))
}

pub(super) fn results(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [dam] = run.records(claim)?;
    let transfers: f64 = transfers(&dam)?.iter().sum();
    let first = dam.last("fx_1000.all")? + transfers;
    let second = dam.last("fx_2000.all")? + transfers;
    let [diagonal, ic, gpu] =
        all(["diagonal", "ic", "gpu"].map(|name| dam.all(&format!("seconds.{name}"))))?;
    let solves: Vec<usize> = (0..gpu.len()).collect();
    let seconds = |k: usize, n: usize| [diagonal, ic, gpu][k][n];
    let here = |k: usize| Some(over(&solves, |&n| seconds(k, n)));
    let rows = [
        ("CPU, diagonal", here(0), None),
        ("CPU, incomplete Cholesky", here(1), None),
        ("Quadro FX 1000, diagonal", here(2), Some(first)),
        ("Quadro FX 2000, diagonal", None, Some(second)),
    ];
    let columns = ["solve", "paper (s)", "here (s)", "model (s)"];
    let mut table = Table::new("The table of results: seconds per solve.", columns);
    for ((name, here, model), printed) in rows.into_iter().zip(SECONDS) {
        table.push([name.into(), printed.into(), here.into(), model.into()]);
    }
    run.table("results", table);
    let ratio = |k: usize, by: usize| over(&solves, |&n| seconds(k, n) / seconds(by, n));
    let ratios = [ratio(0, 1), ratio(0, 2), ratio(1, 2), (first / second).into()];
    let found = RESULTS.iter().zip(ratios);
    let found =
        found.fold(Found::new(), |found, ((name, _), ratio)| found.ratio(times(name), ratio));
    let in_software = "A software rasteriser runs on all cores of the same CPU, and fetches eight floats one by one where \
                       a program on the CPU loads them at once.";
    Ok(found
        .each("times")
        .because("The CPU solves on one core.")
        .because(run.in_software(in_software)))
}

/// Step 4 of Appendix C: it changes the number of iterations, not their cost.
pub(super) fn guesses(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [dam] = run.records(claim)?;
    let [warm, from_b] = all(["starts.warm", "starts.right_side"].map(|name| dam.last(name)))?;
    Ok(Found::new()
        .ratio(times("as many iterations from b"), from_b / warm)
        .shows("iterations from b", from_b)
        .shows("iterations from the last pressure", warm)
        .shows("systems", dam.all("left")?.len() as f64)
        .because("All systems of the dam, in single precision on the CPU. The unit of b is not that of p, so b is not a \
                  better start than zero."))
}

/// Smallest share of a major culprit.
const MAJOR: f64 = 0.5;

/// Step 8 of Appendix C: times of the operations until their calls return.
pub(super) fn culprit(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [dam] = run.records(claim)?;
    let share = |solves, k: usize| {
        over(solves, |solve: &Solve| solve.seconds[k] / solve.seconds[..4].iter().sum::<f64>())
    };
    let [naive, waited_for] = all(["usual", "waited"].map(|kind| solves(&dam, kind)))?;
    let [naive, waited_for] = [&naive, &waited_for].map(|solves| share(solves, 1));
    Ok(Found::new()
        .at_least("share of the dot product without waiting", naive, MAJOR)
        .headline("share")
        .at_most(
            "share of the dot product, each operation waited for",
            (waited_for, "share"),
            MAJOR,
        )
        .because("Its read-back waits for the passes before it: this driver, too, has a queue."))
}

//! Fig. 2 and the tables: operations of the dam's solves, their times, and the CPU's.

use crate::batty2003::Operation;
use crate::card::cost::{QUADRO_FX_1000, QUADRO_FX_2000};
use crate::card::count::CountError;
use crate::claim::{Cell, Checked, Claim, Found, Interval, Run, Table};
use crate::picture::plot::{Axis, Bars, Group};
use crate::stream::Ledger;
use crate::timing::cost::all;

use super::dam::{Dam, Solve, broken};

/// Products, dots, scale-adds, preconditionings, set-ups, read-backs.
#[rustfmt::skip]
const NAMES: [&str; 6] = ["product", "dot", "scale-add", "precondition", "set-up", "read-back"];

/// The paper's numbers of operations, and their milliseconds. Its table has 2.40 ms for a scale-add, but 69.25 s
/// divided by 28 749 are 2.41.
const PRINTED_COUNTS: [f64; 6] = [9600.0, 19_891.0, 28_749.0, 9600.0, 51.0, 51.0];
const PRINTED_MS: [f64; 6] = [33.56, 7.85, 2.41, 2.30, 711.36, 678.88];

/// Products per solve for 100 cells per side, and operations per product.
pub const COUNTS: [(&str, f64); 4] = [
    ("products per solve", 9600.0 / 51.0),
    ("dots", PRINTED_COUNTS[1] / PRINTED_COUNTS[0]),
    ("scale-adds", PRINTED_COUNTS[2] / PRINTED_COUNTS[0]),
    ("preconditionings", PRINTED_COUNTS[3] / PRINTED_COUNTS[0]),
];

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

/// The paper's seconds of a solve: CPU with the diagonal, CPU with IC(0), FX 1000, FX 2000.
const PRINTED_SECONDS: [f64; 4] = [32.0, 16.5, 12.3, 10.3];

/// Ratios of these times. Of the two GPUs, the slower one's are closer to one and are compared.
#[rustfmt::skip]
pub const RESULTS: [(&str, f64); 4] = [
    ("times as long with the diagonal as with IC(0), CPU", PRINTED_SECONDS[0] / PRINTED_SECONDS[1]),
    ("times as long on the CPU with the diagonal as on the GPU", PRINTED_SECONDS[0] / PRINTED_SECONDS[2]),
    ("times as long on the CPU with IC(0) as on the GPU", PRINTED_SECONDS[1] / PRINTED_SECONDS[2]),
    ("times as long on an FX 1000 as on an FX 2000, model", PRINTED_SECONDS[2] / PRINTED_SECONDS[3]),
];

const TRANSFERS: &str = "In 2003 set-up and read-back went over a bus, here from memory to memory. The cause of the \
                         other differences is not known.";

/// Calls of each operation in all solves.
fn calls(solves: &[Solve]) -> [f64; 6] {
    [0, 1, 2, 3, 4, 5].map(|k| solves.iter().map(|solve| solve.calls[k]).sum())
}

fn iterations(solves: &[Solve]) -> f64 {
    solves.iter().map(|solve| solve.iterations).sum()
}

pub(super) fn identities(run: &mut Run<'_>, _: &Claim) -> Checked {
    let dam = run.once(broken)?;
    let [products, _, scale_adds, preconditionings, solves, _] = calls(&dam.usual);
    let n = iterations(&dam.usual);
    let text = format!("{scale_adds} = 3 · {products} − {solves}");
    Ok(Found::new()
        .shows_text("scale-adds by products and solves", text)
        .headline("")
        .equal("products", products, n + solves)
        .equal("preconditionings", preconditionings, products)
        .equal("scale-adds", scale_adds, 3.0 * n + 2.0 * solves)
        .equal("scale-adds and solves", scale_adds + solves, 3.0 * products)
        .because(
            "The paper does not print the formulas. They are the only small ones that fit, and the loop was written to \
            match them.",
        ))
}

pub(super) fn counts(run: &mut Run<'_>, _: &Claim) -> Checked {
    let dam = run.once(broken)?;
    let ([usual, always], solves) = ([&dam.usual, &dam.always].map(|s| calls(s)), dam.usual.len());
    // Iterations are proportional to the cells per side, and the paper's grid had 10⁶ cells or more.
    let products = usual[0] / solves as f64 * 100.0 / dam.side as f64;
    let mut found = Found::value("products per solve, scaled to 100 cells per side", products);
    for k in 1..4 {
        found = found.ratio(COUNTS[k].0, usual[k] / usual[0]).unit("per product");
    }
    Ok(found
        .each("")
        .shows("dots per product with the norm in every iteration", always[1] / always[0])
        .shows("solves", solves as f64)
        .because("The norm every 13 iterations is inferred from the printed counts."))
}

/// A value of every solve, as a median and an interval.
fn over<T>(solves: &[T], value: impl Fn(&T) -> f64) -> Interval {
    Interval::of(solves.iter().map(value).collect())
}

/// Seconds of the last solve in the model of the FX 1000, with the printed transfers, scaled to the number of cells.
fn model(dam: &Dam) -> Result<[f64; 6], CountError> {
    let operations = Operation::ALL.map(|operation| seconds(&dam.ledger, operation));
    let [product, dot, scale_add, precondition] = all(operations)?;
    let [set_up, read_back] = transfers(dam);
    Ok([product, dot, scale_add, precondition, set_up, read_back])
}

fn transfers(dam: &Dam) -> [f64; 2] {
    let millions = (dam.side as f64 / 100.0).powi(3);
    [PRINTED_MS[4], PRINTED_MS[5]].map(|ms| 1e-3 * ms * millions)
}

/// Seconds of an operation of a ledger in the model.
fn seconds(ledger: &Ledger, operation: Operation) -> Result<f64, CountError> {
    let begins = operation.kernels().concat();
    let kernels = ledger.kernels.clone().into_iter();
    let mut meant = Ledger {
        kernels: kernels
            .filter(|(text, _)| begins.iter().any(|begin| text.name.starts_with(begin)))
            .collect(),
        ..Ledger::default()
    };
    // Each pass renders to another surface than the previous one.
    meant.target_switches = meant.total().passes;
    QUADRO_FX_1000.seconds(&meant)
}

fn percent(parts: [f64; 6]) -> [f64; 6] {
    parts.map(|part| 100.0 * part / parts.iter().sum::<f64>())
}

/// Names of the parts, the largest first.
fn order(parts: [f64; 6]) -> String {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| parts[b].total_cmp(&parts[a]));
    let names: Vec<&str> = order.into_iter().map(|part| NAMES[part]).collect();
    names.join(", ")
}

pub(super) fn fig2(run: &mut Run<'_>, _: &Claim) -> Checked {
    let dam = run.once(broken)?;
    let share = |k: usize| over(&dam.waited_for, |solve| percent(solve.seconds)[k]);
    let shares = [0, 1, 2, 3, 4, 5].map(share);
    let here = shares.map(|share| share.median);
    let (model, printed) = (percent(model(&dam)?), SHARES.map(|(_, share)| share));
    let drawn = Bars {
        title: "Time of the solves by operation".into(),
        axis: Axis::linear("per cent"),
        categories: NAMES.map(String::from).into(),
        groups: vec![
            Group::new("paper", printed.map(Some)),
            Group::new("model of the FX 1000", model.map(Some)),
            Group::new("here", shares.map(Some)),
        ],
    };
    let caption = "Shares of the operations in the time of all solves; the model has the printed set-up and read-back.";
    run.bars("fig2", caption, &drawn)?;
    let mut found = Found::new();
    for (k, name) in NAMES.into_iter().enumerate() {
        found = found.ratio(name, shares[k]).unit("%").with_model(model[k]);
    }
    let name = "shares of the product, the dot product and the scale-add";
    Ok(found
        .list(name, here[..3].iter().copied(), "%")
        .is("order by time", order(here), order(printed))
        .because(TRANSFERS))
}

pub(super) fn operations(run: &mut Run<'_>, _: &Claim) -> Checked {
    let dam = run.once(broken)?;
    let (model, calls, solves) = (model(&dam)?, calls(&dam.waited_for), &dam.waited_for);
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
        let ms = over(solves, |solve| 1e3 * each(solve, k));
        let model = 1e3 * model[k] / solves[solves.len() - 1].calls[k];
        let printed = [PRINTED_COUNTS[k], PRINTED_MS[k], calls[k]].map(Cell::Number);
        let here = [ms.into(), model.into()];
        table.push([name.into()].into_iter().chain(printed).chain(here));
        if k > 0 {
            let by_product = over(solves, |solve| each(solve, k) / each(solve, 0));
            found = found.ratio(name, by_product).unit("products");
        }
    }
    run.table("operations", table);
    Ok(found.each("").because(TRANSFERS))
}

pub(super) fn results(run: &mut Run<'_>, _: &Claim) -> Checked {
    let dam = run.once(broken)?;
    let transfers: f64 = transfers(&dam).iter().sum();
    let first = QUADRO_FX_1000.seconds(&dam.ledger)? + transfers;
    let second = QUADRO_FX_2000.seconds(&dam.ledger)? + transfers;
    let here = |k: usize| Some(over(&dam.seconds, |seconds| seconds[k]));
    let rows = [
        ("CPU, diagonal", here(0), None),
        ("CPU, incomplete Cholesky", here(1), None),
        ("Quadro FX 1000, diagonal", here(2), Some(first)),
        ("Quadro FX 2000, diagonal", None, Some(second)),
    ];
    let columns = ["solve", "paper (s)", "here (s)", "model (s)"];
    let mut table = Table::new("The table of results: seconds per solve.", columns);
    for ((name, here, model), printed) in rows.into_iter().zip(PRINTED_SECONDS) {
        table.push([name.into(), printed.into(), here.into(), model.into()]);
    }
    run.table("results", table);
    let ratio = |k: usize, by: usize| over(&dam.seconds, |seconds| seconds[k] / seconds[by]);
    let ratios = [ratio(0, 1), ratio(0, 2), ratio(1, 2), (first / second).into()];
    let found = RESULTS.iter().zip(ratios);
    let found = found.fold(Found::new(), |found, ((name, _), ratio)| found.ratio(*name, ratio));
    Ok(found.each("times").because(
        "llvmpipe runs on the cores of the CPU that it is compared with. It fetches eight floats one by one where \
         the CPU loads them at once.",
    ))
}

/// Step 4 of Appendix C: it changes the number of iterations, not their cost.
pub(super) fn guesses(run: &mut Run<'_>, _: &Claim) -> Checked {
    let dam = run.once(broken)?;
    let [from_b, warm] = [&dam.from_b, &dam.always].map(|solves| iterations(solves));
    Ok(Found::new()
        .ratio("times as many iterations from b", from_b / warm)
        .shows("iterations from b", from_b)
        .shows("iterations from the last pressure", warm)
        .because("The unit of b is not that of p, so b is not a better start than zero."))
}

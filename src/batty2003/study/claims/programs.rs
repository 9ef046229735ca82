//! The listings and Appendix A: lengths of programs, memory, theoretical rates.

use std::sync::Arc;

use crate::batty2003::matrix::product_source;
use crate::batty2003::study::table::MILLISECONDS;
use crate::batty2003::{Placement, Settings};
use crate::card::count::{Count, CountError, count};
use crate::claim::{Checked, Claim, Found, Run};
use crate::stream::{Source, source};

const SUM: Source = source!(stream, "reduce");

/// Largest relative difference of a number of instructions from the paper's.
const TOLERANCE: f64 = 0.35;

/// Instructions of the product's listing without its moves.
const KINDS: &str = "7 ADD, 6 FRC, 9 MAD, 7 MUL, 14 TEX";

/// Counts of the final configuration's product, and of SumReduce.
fn counted() -> Result<[Arc<Count>; 2], CountError> {
    let product = product_source(&Settings::paper_2003()).assemble(&[]);
    let sum = SUM.assemble(&[("COMBINE(a, b)", "((a) + (b))")]);
    Ok([count(&product)?, count(&sum)?])
}

pub(super) fn instructions(_: &mut Run<'_>, _: &Claim) -> Checked {
    let [product, sum] = counted()?;
    let kinds = product.by_kind.iter();
    let kinds: Vec<String> = kinds.map(|(kind, n)| format!("{n} {kind}")).collect();
    let near = |paper: f64| [(1.0 - TOLERANCE) * paper, (1.0 + TOLERANCE) * paper];
    let lengths = [&product, &sum].map(|count| f64::from(count.instructions));
    Ok(Found::new()
        .list("instructions of the product and of SumReduce", lengths, "")
        .between("product", f64::from(product.instructions), near(56.0))
        .is("its instructions", kinds.join(", "), KINDS)
        .between("SumReduce", f64::from(sum.instructions), near(12.0))
        .because(
            "Channels that an instruction reads together are computed side by side here, which saves the 13 moves of Cg's \
             allocator. In SumReduce the addition of a half is folded into its constant, and one addition does for \
             all three positions.",
        ))
}

pub(super) fn registers(_: &mut Run<'_>, _: &Claim) -> Checked {
    let [product, sum] = counted()?.map(|count| f64::from(count.registers));
    Ok(Found::value("product", product)
        .ratio("SumReduce", sum)
        .each("")
        .because(
            "The listing is allocated in the order of the instructions that NV30 runs fastest. The paper's registers were \
             assigned by Cg.",
        ))
}

pub(super) fn memory(run: &mut Run<'_>, _: &Claim) -> Checked {
    let layout = Placement::new(run.machine, [100; 3], &Settings::paper_2003())?.layout();
    let bytes = 7 * layout.capacity() * size_of::<f32>();
    // Texels of 2048² hold four entries each, and a cell has seven.
    let most = 4 * 2048 * 2048 / 7;
    Ok(Found::new()
        .equal("matrix of 100³ cells", bytes as f64 / 1e6, 28.0)
        .headline("MB")
        .equal("most cells of a matrix in one 2048² texture", f64::from(most), 2_396_745.0)
        .because("A megabyte is 10⁶ bytes here, and nothing is padded."))
}

pub(super) fn appendix_a(_: &mut Run<'_>, _: &Claim) -> Checked {
    let channels = 4.0;
    let rates = [
        ("Athlon 1800+", 1.5, "1.5"),
        ("Quadro FX 1000", 0.3 * 8.0 * channels, "9.6"),
        ("Quadro FX 2000", 0.4 * 8.0 * channels, "12.8"),
    ];
    let all = rates.map(|(_, rate, _)| format!("{rate:.1}")).join(", ");
    let found = Found::new().shows("rates of the three", all).headline("GFlop/s");
    let found = rates.into_iter().fold(found, |found, rate| {
        let (name, rate, printed) = rate;
        found.is(format!("{name} (GFlop/s)"), format!("{rate:.1}"), printed)
    });
    // Seven products and six sums per cell.
    let reached = 13.0 * 1e6 / (MILLISECONDS[0] / 1e3) / 1e9;
    Ok(found
        .shows("the printed product, assuming 10⁶ cells", (reached, "GFlop/s"))
        .because(
            "The paper means one operation per cycle where it prints one per second, and assumes eight pipelines where \
             bolz2003 has four for the same family.",
        ))
}

//! §2, §6: times, and the ratios between them.
//!
//! Absolute times of 2003 mean nothing today; ratios are compared, within one run on one machine. A
//! ratio counts as reproduced within a factor of [`AGREES`]. What a ratio is of is timed in turns.

use crate::claim::timing::{Comparison, Effort, Work, median, medians};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::kruger2003::speed;
use crate::kruger2003::{AlgebraError, ColumnOptions, DiagonalOptions, Layout, Operation, Packing};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::stream::Machine;

const VECMUL: Claim = Claim {
    id: "kruger2003/vecmul",
    class: Class::Shape,
    section: "§6",
    statement: "The product of two vectors, entry by entry, takes time in proportion to their length.",
    paper: "512² 0.2 ms, 1024² 0.72 ms, 2048² 2.8 ms: 3.6 and 3.9 times",
};
const GAP: Claim = Claim {
    id: "kruger2003/gap",
    class: Class::Shape,
    section: "§6",
    statement: "Against optimised software, operations on vectors and full matrices gain most, the \
                reduction least.",
    paper: "12 to 15 times; the reduction 3 times",
};
const MATVEC: Claim = Claim {
    id: "kruger2003/matvec",
    class: Class::Shape,
    section: "§6",
    statement: "A full 4096 × 4096 matrix times a vector, beside a matrix of the same size with ten \
                diagonals.",
    paper: "230 ms to 0.72 ms: 320 times",
};
const REDUCE: Claim = Claim {
    id: "kruger2003/reduce",
    class: Class::Shape,
    section: "§3.3, §6",
    statement: "A reduction takes a pass for each halving of the texture; its time grows with the \
                length.",
    paper: "1024² 1.6 ms, 2048² 5.4 ms: 3.4 times",
};
const TEX1D: Claim = Claim {
    id: "kruger2003/tex1d",
    class: Class::Shape,
    section: "§2",
    statement: "Square 2D textures are rendered faster than 1D textures with as many texels.",
    paper: "about 2 times",
};
const RGBA: Claim = Claim {
    id: "kruger2003/rgba",
    class: Class::Shape,
    section: "§6",
    statement: "Four consecutive entries in a texel instead of one make everything up to four times \
                as fast.",
    paper: "up to 4 times",
};

/// A ratio agrees with the paper's if it is within this factor of it.
pub const AGREES: f64 = 2.0;

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/speed",
    paper: "kruger2003",
    section: "§2, §6",
    title: "Times of the operators, and their ratios",
    claims: &[VECMUL, GAP, MATVEC, REDUCE, TEX1D, RGBA],
    run,
};

/// Sides of the vectors: 512² entries and so on.
const SIDES: [usize; 3] = [512, 1024, 2048];

/// What is measured once and used by several claims.
struct Measured {
    /// Seconds of the product of two vectors, four entries a texel, for each of [`SIDES`], in turns.
    product_seconds: [f64; 3],
    /// Likewise, of the sum of a vector.
    sum_seconds: [f64; 3],
    /// The same beside ceilings and the CPU.
    products: Vec<Comparison>,
    /// Likewise.
    sums: Vec<Comparison>,
    dense: Comparison,
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let effort = Effort::of(options.quick);
    let quads = |side| Layout::square(side * side, Packing::Quad);
    let each = |time: fn(&Machine, Layout, Effort) -> Result<Comparison, AlgebraError>| {
        let times = SIDES.map(|side| time(machine, quads(side)?, effort));
        times.into_iter().collect::<Result<Vec<_>, _>>()
    };
    let in_turns = |work: fn(&Machine, Layout) -> Result<Work<'static>, AlgebraError>| {
        let [small, middle, large] = SIDES.map(|side| work(machine, quads(side)?));
        Ok::<_, AlgebraError>(medians(machine, effort, [small?, middle?, large?])?)
    };
    let measured = Measured {
        product_seconds: in_turns(speed::vector_product_work)?,
        sum_seconds: in_turns(speed::reduction_work)?,
        products: each(speed::vector_product)?,
        sums: each(speed::reduction)?,
        dense: speed::dense_product(machine, quads(64)?, ColumnOptions::default(), effort)?,
    };
    Ok(vec![
        vecmul(&measured)?,
        gap(machine, options.quick)?,
        matvec(machine, &measured, effort)?,
        reduce(machine, &measured)?,
        tex1d(machine, effort)?,
        rgba(machine, effort)?,
    ])
}

fn agrees(found: f64, paper: f64) -> bool {
    (1.0 / AGREES..=AGREES).contains(&(found / paper))
}

fn judge(claim: Claim, agrees: bool, measured: String, why: String) -> Finding {
    if agrees {
        claim.reproduced(measured).because(why)
    } else {
        claim.differs(measured, why)
    }
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.2} ms", seconds * 1e3)
}

fn vecmul(measured: &Measured) -> Result<Finding, BoxedError> {
    let times = measured.product_seconds;
    let (first, second) = (times[1] / times[0], times[2] / times[1]);
    let text = format!(
        "512² {}, 1024² {}, 2048² {}: {first:.1} and {second:.1} times",
        milliseconds(times[0]),
        milliseconds(times[1]),
        milliseconds(times[2]),
    );
    let largest = &measured.products[2];
    let why = format!(
        "Four entries a texel. At 2048², where the vectors take {} MB, an operation moves {:.2} of \
         the bytes a second that a copy moves (an operation reads two vectors and writes one), and \
         a copy there takes {:.1} times as long as at 1024².",
        3 * 2048 * 2048 * 4 / 1_000_000,
        largest.of_ceiling(),
        largest.ceiling / measured.products[1].ceiling,
    );
    let paper = [0.2, 0.72, 2.8];
    let all = agrees(first, paper[1] / paper[0]) && agrees(second, paper[2] / paper[1]);
    let figure = bars(&Bars {
        title: "The product of two vectors grows with their length".into(),
        axis: Axis::logarithmic("milliseconds"),
        categories: SIDES.map(|side| format!("{side}²")).into(),
        groups: vec![
            Group::new("paper", paper.map(Some)),
            Group::new("here", times.iter().map(|t| Some(t * 1e3))),
            Group::new(
                "here, on the CPU",
                measured.products.iter().map(|t| Some(t.cpu * 1e3)),
            ),
        ],
    })?;
    Ok(judge(VECMUL, all, text, why).with_figure(
        "kruger2003/vecmul.png",
        "Milliseconds for the product of two vectors, entry by entry, four entries a texel.",
        figure,
    ))
}

/// Times as fast as the CPU: the product of vectors, the full matrix, the reduction.
type Gains = [f64; 3];

/// One of each a round: what a round compares is timed in turns, within a second or so.
fn gains(machine: &Machine, quick: bool) -> Result<Vec<Gains>, BoxedError> {
    let (rounds, chain) = if quick { (11, 2) } else { (31, 4) };
    let length = SIDES[2] * SIDES[2];
    let vectors = Layout::square(length, Packing::Quad)?;
    let rows = Layout::square(4096, Packing::Quad)?;
    let mut works = [
        speed::vector_product_work(machine, vectors)?,
        speed::vector_operation_on_cpu(length, Operation::Multiply),
        speed::dense_product_work(machine, rows, ColumnOptions::default())?,
        speed::dense_product_on_cpu(4096),
        speed::reduction_work(machine, vectors)?,
        speed::reduction_on_cpu(length),
    ];
    let round = |_| {
        let works = works.each_mut().map(|work| -> Work<'_> { Box::new(work) });
        let seconds = medians(machine, Effort { rounds: 1, chain }, works)?;
        Ok([0, 2, 4].map(|pair| seconds[pair + 1] / seconds[pair]))
    };
    (0..rounds).map(round).collect()
}

/// Between what two of these values the median of all that could have been measured lies, with a
/// confidence of 95 %: each of them is as often above it as below, whatever its distribution.
fn interval_of_median(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let outside = (((n - 1.96 * n.sqrt()) / 2.0).floor() as usize).max(1);
    [values[outside - 1], values[values.len() - outside]]
}

fn gap(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let rounds = gains(machine, quick)?;
    let gains = [0, 1, 2].map(|k| median(rounds.iter().map(|gains| gains[k]).collect()));
    let [product, dense, sum] = gains;
    // To gain least is to gain less than the lesser of the others.
    let shares = rounds
        .iter()
        .map(|[product, dense, sum]| sum / product.min(*dense));
    let [least, most] = interval_of_median(shares.collect());
    let order = if most < 1.0 {
        "the reduction gains least"
    } else if least > 1.0 {
        "it is not the reduction that gains least"
    } else {
        "which gains least lies within the scatter"
    };
    let text = format!("vectors {product:.2}, full matrix {dense:.2}, reduction {sum:.2} times");
    let why = format!(
        "The claim checked is the order: {order}. Of {} rounds, in each of which all six programs \
         take turns, the reduction gains {least:.2} to {most:.2} times what the lesser of the \
         others gains (the median, with 95 % confidence). The GPU is {}. On the CPU all cores, vector \
         registers and single precision are used. Of 2048² entries the product of vectors moves 50 \
         MB, the sum 17 MB, the last passes of which are too small to fill any machine; where \
         memory is what both wait for, they gain alike.",
        rounds.len(),
        machine.context().description().renderer
    );
    let figure = bars(&Bars {
        title: "Times as fast as the CPU".into(),
        axis: Axis::logarithmic("CPU time / GPU time"),
        categories: ["vectors, 2048²", "full matrix, 4096²", "reduction, 2048²"]
            .map(String::from)
            .into(),
        groups: vec![
            Group::new("paper", [13.5, 13.5, 3.0].map(Some)),
            Group::new("here", gains.map(Some)),
        ],
    })?;
    Ok(judge(GAP, most < 1.0, text, why).with_figure(
        "kruger2003/gap.png",
        "How many times as fast as the CPU: the paper's single-threaded program of 2003, and this \
         one on all cores.",
        figure,
    ))
}

fn matvec(machine: &Machine, measured: &Measured, effort: Effort) -> Result<Finding, BoxedError> {
    let n = 4096;
    let numbers = [0, 1, 2, 3, 64, n - 64, n - 3, n - 2, n - 1, 65];
    let layout = Layout::square(n, Packing::Quad)?;
    let options = DiagonalOptions::default();
    let banded = speed::banded_product(machine, layout, &numbers, options, effort)?;
    // Vectors of 4096 entries are small; the paper's 0.72 ms are those of its 1024² vectors.
    let ratio = measured.dense.kernel / banded.kernel;
    let text = format!(
        "{} to {}: {ratio:.0} times",
        milliseconds(measured.dense.kernel),
        milliseconds(banded.kernel)
    );
    let why = format!(
        "Work alone would give 4096/10 = 410. A vector of 4096 entries is 32 × 32 texels here: a \
         pass over them costs little more than a pass, the full matrix takes {} of them. On the CPU \
         the ratio is {:.0}.",
        n / crate::kruger2003::matrices::columns::MOST_A_PASS,
        measured.dense.cpu / banded.cpu
    );
    Ok(judge(MATVEC, agrees(ratio, 0.23 / 0.72e-3), text, why))
}

fn reduce(machine: &Machine, measured: &Measured) -> Result<Finding, BoxedError> {
    let times = measured.sum_seconds;
    let ratio = times[2] / times[1];
    let side = 1024;
    let layout = Layout::square(side * side, Packing::Single)?;
    let algebra = crate::kruger2003::Algebra::new(machine, layout)?;
    let x = algebra.zeros()?;
    machine.take_ledger();
    algebra.reduce(crate::stream::Reduce::Sum, &x, None)?;
    let passes = machine.take_ledger().total().passes;
    let text = format!(
        "1024² {}, 2048² {}: {ratio:.1} times; {passes} passes for 1024² texels",
        milliseconds(times[1]),
        milliseconds(times[2])
    );
    let why = format!(
        "Four entries a texel, so that 1024² entries take nine passes; the read-back of the result is \
         included. A chain of passes with the same fetches takes {:.2} of the time at 2048².",
        measured.sums[2].of_ceiling()
    );
    let all = agrees(ratio, 5.4 / 1.6) && passes == u64::from(side.ilog2());
    Ok(judge(REDUCE, all, text, why))
}

fn tex1d(machine: &Machine, effort: Effort) -> Result<Finding, BoxedError> {
    let limit = machine.context().description().rectangle_limit;
    let ratio = |length, widest| -> Result<f64, AlgebraError> {
        let lines = Layout::lines(length, Packing::Single, widest)?;
        let square = Layout::square(length, Packing::Single)?;
        let works = [
            speed::vector_product_work(machine, lines)?,
            speed::vector_product_work(machine, square)?,
        ];
        let [lines, square] = medians(machine, effort, works)?;
        Ok(lines / square)
    };
    // The longest 1D texture of 2003, the longest here, and a vector of several of them.
    let short = ratio(2048, 2048)?;
    let one = ratio(limit as usize, limit)?;
    let many = ratio(1024 * 1024, limit)?;
    let text = format!(
        "{short:.1} times for 2048 texels, {one:.1} for {limit}, {many:.1} for 1024² in lines"
    );
    let why = format!(
        "A line is rasterised in tiles of which it covers one row. The paper does not say of which \
         length it speaks; the verdict is on {limit} texels, one line against a square."
    );
    Ok(judge(TEX1D, agrees(one, 2.0), text, why))
}

fn rgba(machine: &Machine, effort: Effort) -> Result<Finding, BoxedError> {
    let n = 1024 * 1024;
    let single = Layout::square(n, Packing::Single)?;
    let quads = Layout::square(n, Packing::Quad)?;
    // A five-point stencil on a grid of 1024².
    let numbers = [0, 1, 1024, n - 1024, n - 1];
    let options = DiagonalOptions::default();
    let banded = |layout| speed::banded_product(machine, layout, &numbers, options, effort);
    let (band_single, band_quads) = (banded(single)?, banded(quads)?);
    let works = [
        speed::vector_product_work(machine, single)?,
        speed::vector_product_work(machine, quads)?,
        speed::reduction_work(machine, single)?,
        speed::reduction_work(machine, quads)?,
        speed::banded_product_work(machine, single, &numbers, options)?,
        speed::banded_product_work(machine, quads, &numbers, options)?,
    ];
    let seconds = medians(machine, effort, works)?;
    let gains = [0, 2, 4].map(|pair| seconds[pair] / seconds[pair + 1]);
    let text = format!(
        "product of vectors {:.1}, reduction {:.1}, five diagonals {:.1} times",
        gains[0], gains[1], gains[2]
    );
    let why = format!(
        "1024² entries. Both layouts move the same bytes: where memory is what is waited for, four \
         entries a texel gain nothing; where fragments are, they gain four times. Diagonals that do not start at a texel are fetched in two halves and put \
         together, which takes twice the fetches of x. In one pass, five diagonals reach {:.2} \
         (one entry a texel) and {:.2} (four) of a program with coherent fetches.",
        band_single.of_ceiling(),
        band_quads.of_ceiling()
    );
    let largest = gains.iter().copied().fold(0.0, f64::max);
    let all = agrees(largest, 4.0) && gains.iter().all(|&gain| gain > 1.0);
    Ok(judge(RGBA, all, text, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_median_leaves_out_what_a_coin_seldom_throws() {
        // At most 9 of 31 throws are heads with a probability of 1.5 %, at most 1 of 11 with 0.6 %.
        let values = |n: usize| (0..n).rev().map(|v| v as f64).collect();
        assert_eq!(interval_of_median(values(31)), [9.0, 21.0]);
        assert_eq!(interval_of_median(values(11)), [1.0, 9.0]);
        assert_eq!(interval_of_median(values(1)), [0.0, 0.0]);
    }
}

//! §2, §6: times, and the ratios between them.
//!
//! Ratios are compared, within one run on one machine; what a ratio is of is timed alternately.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::kruger2003::AlgebraError;
use crate::kruger2003::speed::{
    banded_product, column_textures_product, dense_product, sum, vector_product,
};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::solver::TextureSpace;
use crate::stream::{Format, Layout, LayoutError, Machine, Reduce};
use crate::timing::case::measure;
use crate::timing::cost::all;
use crate::timing::rig::{agrees, interval_of_median, samples, work};
use crate::timing::{Case, Effort, Times, Work, median, medians};

const VECMUL: Claim = Claim {
    id: "kruger2003/vecmul",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "The product of two vectors, entry by entry, takes time in proportion to their length.",
    paper: "512² 0.2 ms, 1024² 0.72 ms, 2048² 2.8 ms: 3.6 and 3.9 times",
};
const GAP: Claim = Claim {
    id: "kruger2003/gap",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "Against optimised software, operations on vectors and full matrices gain most, the \
                reduction least.",
    paper: "12 to 15 times; the reduction 3 times",
};
const MATVEC: Claim = Claim {
    id: "kruger2003/matvec",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "A full 4096 × 4096 matrix times a vector, each column a texture and a pass, beside a \
                matrix of the same size with ten diagonals.",
    paper: "230 ms to 0.72 ms: 320 times",
};
const TILED: Claim = Claim {
    id: "kruger2003/matvec-tiled",
    class: Class::Shape,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§3.2",
    statement: "Ours beside it: all columns as tiles of one texture, 64 a pass.",
    paper: "(the paper's variant in the same run)",
};
const REDUCE: Claim = Claim {
    id: "kruger2003/reduce",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.3, §6",
    statement: "A reduction takes a pass for each halving of the texture; its time grows with the \
                length.",
    paper: "1024² 1.6 ms, 2048² 5.4 ms: 3.4 times",
};
const TEX1D: Claim = Claim {
    id: "kruger2003/tex1d",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§2",
    statement: "Square 2D textures are rendered faster than 1D textures with as many texels.",
    paper: "about 2 times",
};
const RGBA: Claim = Claim {
    id: "kruger2003/rgba",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "Four consecutive entries in a texel instead of one make everything up to four times \
                as fast.",
    paper: "up to 4 times",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "kruger2003/speed",
    section: "§2, §6",
    title: "Times of the operators, and their ratios",
    claims: &[VECMUL, GAP, MATVEC, TILED, REDUCE, TEX1D, RGBA],
    run,
};

/// Sides of the vectors: 512² entries and so on.
const SIDES: [usize; 3] = [512, 1024, 2048];
/// Rows of the full matrix.
const ORDER: usize = 4096;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    // Most of what is timed here takes milliseconds: short chains will do.
    let effort = Effort {
        chain: 2,
        ..Effort::of(options.quick)
    };
    let rounds = Rounds::of_large_operands(machine, options.quick)?;
    let [matvec, tiled] = matvec(machine, &rounds, effort)?;
    Ok(vec![
        vecmul(machine, effort)?,
        gap(machine, &rounds)?,
        matvec,
        tiled,
        reduce(machine, effort)?,
        tex1d(machine, effort)?,
        rgba(machine, effort)?,
    ])
}

/// The layout of a square of entries, four a texel.
fn quads(side: usize) -> Result<Layout, LayoutError> {
    Layout::square(side * side, Format::Rgba32F)
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.2} ms", seconds * 1e3)
}

fn vecmul(machine: &Machine, effort: Effort) -> Result<Finding, BoxedError> {
    let products = all(SIDES.map(|side| vector_product(machine, quads(side)?)))?;
    let products = measure(machine, effort, products)?;
    let times = products.map(|times| times.kernel);
    let (first, second) = (times[1] / times[0], times[2] / times[1]);
    let text = format!(
        "512² {}, 1024² {}, 2048² {}: {first:.1} and {second:.1} times",
        milliseconds(times[0]),
        milliseconds(times[1]),
        milliseconds(times[2]),
    );
    let ceilings = products.map(|times| times.ceiling.unwrap_or(f64::NAN));
    let why = format!(
        "Four entries a texel. At 2048², where the vectors take {} MB, an operation moves {:.2} of \
         the bytes a second that a copy moves (an operation reads two vectors and writes one), and \
         a copy there takes {:.1} times as long as at 1024².",
        3 * 2048 * 2048 * 4 / 1_000_000,
        products[2].of_ceiling(),
        ceilings[2] / ceilings[1],
    );
    let paper = [0.2, 0.72, 2.8];
    let agree = agrees(first, paper[1] / paper[0]) && agrees(second, paper[2] / paper[1]);
    let figure = bars(&Bars {
        title: "The product of two vectors grows with their length".into(),
        axis: Axis::logarithmic("milliseconds"),
        categories: SIDES.map(|side| format!("{side}²")).into(),
        groups: vec![
            Group::new("paper", paper.map(Some)),
            Group::new("here", times.iter().map(|t| Some(t * 1e3))),
            Group::new(
                "here, on the CPU",
                products.iter().map(|t| t.cpu.map(|t| t * 1e3)),
            ),
        ],
    })?;
    Ok(VECMUL.judge(agree, text, why).with_figure(
        "kruger2003/vecmul.png",
        "Milliseconds for the product of two vectors, entry by entry, four entries a texel.",
        figure,
    ))
}

/// What the product of vectors, the full matrix and the reduction take on both sides, round by round.
/// What a round compares is timed alternately, within a second or so.
struct Rounds {
    gpu: [Vec<f64>; 3],
    cpu: [Vec<f64>; 3],
}

impl Rounds {
    /// Vectors of 2048² entries, a matrix of 4096² as the paper has it.
    fn of_large_operands(machine: &Machine, quick: bool) -> Result<Self, BoxedError> {
        let (rounds, chain) = if quick { (7, 1) } else { (15, 1) };
        let cases = [
            vector_product(machine, quads(SIDES[2])?)?,
            column_textures_product(machine, Layout::square(ORDER, Format::Rgba32F)?)?,
            sum(machine, quads(SIDES[2])?)?,
        ];
        let works = cases.into_iter();
        let works = works.flat_map(|case| [Some(case.kernel), case.cpu]);
        let mut works: Vec<Work<'_>> = works.flatten().collect();
        let seconds = samples(machine, Effort { rounds, chain }, &mut works)?;
        Ok(Self {
            gpu: [0, 2, 4].map(|n| seconds[n].clone()),
            cpu: [1, 3, 5].map(|n| seconds[n].clone()),
        })
    }

    /// How many times as fast as the CPU, round by round.
    fn gains(&self) -> [Vec<f64>; 3] {
        [0, 1, 2].map(|n| {
            let pairs = self.cpu[n].iter().zip(&self.gpu[n]);
            pairs.map(|(cpu, gpu)| cpu / gpu).collect()
        })
    }
}

fn gap(machine: &Machine, rounds: &Rounds) -> Result<Finding, BoxedError> {
    let [products, matrices, sums] = rounds.gains();
    // To gain least is to gain less than the lesser of the others.
    let others = products.iter().zip(&matrices).map(|(p, m)| p.min(*m));
    let shares = sums.iter().zip(others).map(|(sum, other)| sum / other);
    let [least, most] = interval_of_median(shares.collect());
    let count = sums.len();
    let gains = [products, matrices, sums].map(median);
    let [product, dense, sum] = gains;
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
         MB, the sum 17 MB, the last passes of which are too small to fill any machine. What the gains \
         come from is not isolated.",
        count,
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
    Ok(GAP.judge(most < 1.0, text, why).with_figure(
        "kruger2003/gap.png",
        "How many times as fast as the CPU: the paper's single-threaded program of 2003, and this \
         one on all cores.",
        figure,
    ))
}

fn matvec(machine: &Machine, rounds: &Rounds, effort: Effort) -> Result<[Finding; 2], BoxedError> {
    let n = ORDER;
    let numbers = [0, 1, 2, 3, 64, n - 64, n - 3, n - 2, n - 1, 65];
    let layout = Layout::square(n, Format::Rgba32F)?;
    let banded = banded_product(machine, layout, &numbers)?;
    let banded = banded.measure(machine, effort)?;
    let [dense, dense_on_cpu] = [&rounds.gpu, &rounds.cpu].map(|times| median(times[1].clone()));
    // As many passes over a single texel: what passes cost however small they are.
    let few = Layout::square(layout.channels(), layout.format())?;
    let mut one_texel = column_textures_product(machine, few)?.kernel;
    let passes = work(move |_| (0..n / few.length()).try_for_each(&mut one_texel));
    let tiled = dense_product(machine, layout)?.kernel;
    let [passes, tiled] = medians(machine, effort.of_long_runs(3), [passes, tiled])?;
    // Vectors of 4096 entries are small; the paper's 0.72 ms are those of its 1024² vectors.
    let ratio = dense / banded.kernel;
    let text = format!(
        "{} to {}: {ratio:.0} times",
        milliseconds(dense),
        milliseconds(banded.kernel)
    );
    let why = format!(
        "Work alone would give 4096/10 = 410. A vector of 4096 entries is 32 × 32 texels here, and the ten \
         diagonals take one pass. Isolated is what {n} passes in place cost however small they are: over \
         a single texel, {:.0} % of the time; what else is in the ratio is not. On the CPU the ratio is {:.0}.",
        100.0 * passes / dense,
        dense_on_cpu / banded.cpu.unwrap_or(f64::NAN)
    );
    let finding = MATVEC.judge(agrees(ratio, 0.23 / 0.72e-3), text, why);
    let gain = dense / tiled;
    let text = format!("{}, {gain:.1} times as fast", milliseconds(tiled));
    let why = format!(
        "{} passes instead of {n}.",
        n / crate::kruger2003::matrices::columns::MOST_A_PASS
    );
    Ok([finding, TILED.judge(gain > 1.0, text, why)])
}

fn reduce(machine: &Machine, effort: Effort) -> Result<Finding, BoxedError> {
    let cases = [
        sum(machine, quads(1024)?)?.alone(),
        sum(machine, quads(2048)?)?.without_cpu(),
    ];
    let times: [Times; 2] = measure(machine, effort, cases)?;
    let ratio = times[1].kernel / times[0].kernel;
    let side = 1024;
    let space = TextureSpace::new(machine, Layout::square(side * side, Format::R32F)?)?;
    let x = space.zeros()?;
    machine.take_ledger();
    space.reduce(Reduce::Sum, &x, None)?;
    let passes = machine.take_ledger().total().passes;
    let text = format!(
        "1024² {}, 2048² {}: {ratio:.1} times; {passes} passes for 1024² texels",
        milliseconds(times[0].kernel),
        milliseconds(times[1].kernel)
    );
    let why = format!(
        "Four entries a texel, so that 1024² entries take nine passes; the read-back of the result is \
         included. A chain of passes with the same fetches takes {:.2} of the time at 2048².",
        times[1].of_ceiling()
    );
    let agree = agrees(ratio, 5.4 / 1.6) && passes == u64::from(side.ilog2());
    Ok(REDUCE.judge(agree, text, why))
}

fn tex1d(machine: &Machine, effort: Effort) -> Result<Finding, BoxedError> {
    let limit = machine.context().description().rectangle_limit;
    let ratio = |length, widest| -> Result<f64, BoxedError> {
        let lines = Layout::lines(length, Format::R32F, widest)?;
        let square = Layout::square(length, Format::R32F)?;
        let products = [lines, square].map(|layout| Ok(vector_product(machine, layout)?.alone()));
        let products: [Case<'_>; 2] = all::<_, AlgebraError, 2>(products)?;
        let [lines, square] = measure(machine, effort, products)?;
        Ok(lines.kernel / square.kernel)
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
    Ok(TEX1D.judge(agrees(one, 2.0), text, why))
}

fn rgba(machine: &Machine, effort: Effort) -> Result<Finding, BoxedError> {
    let n = 1024 * 1024;
    let single = Layout::square(n, Format::R32F)?;
    let quads = Layout::square(n, Format::Rgba32F)?;
    // A five-point stencil on a grid of 1024².
    let numbers = [0, 1, 1024, n - 1024, n - 1];
    let cases = [
        vector_product(machine, single)?.alone(),
        vector_product(machine, quads)?.alone(),
        sum(machine, single)?.alone(),
        sum(machine, quads)?.alone(),
        banded_product(machine, single, &numbers)?.without_cpu(),
        banded_product(machine, quads, &numbers)?.without_cpu(),
    ];
    let times = measure(machine, effort, cases)?;
    let gains = [0, 2, 4].map(|pair| times[pair].kernel / times[pair + 1].kernel);
    let text = format!(
        "product of vectors {:.1}, reduction {:.1}, five diagonals {:.1} times",
        gains[0], gains[1], gains[2]
    );
    let why = format!(
        "1024² entries. Both layouts move the same bytes: where memory is what is waited for, four \
         entries a texel gain nothing; where fragments are, they gain four times. Diagonals that do not start at a texel are fetched in two halves and put \
         together, which takes twice the fetches of x. In one pass, five diagonals reach {:.2} \
         (one entry a texel) and {:.2} (four) of a program with coherent fetches.",
        times[4].of_ceiling(),
        times[5].of_ceiling()
    );
    let largest = gains.iter().copied().fold(0.0, f64::max);
    let agree = agrees(largest, 4.0) && gains.iter().all(|&gain| gain > 1.0);
    Ok(RGBA.judge(agree, text, why))
}

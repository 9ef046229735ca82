//! Figures 2, 3, 6 and 7: seconds over the nodes of a side, a curve for each way. What differs from
//! figure to figure is what is timed, and what has to come out.

use crate::card::cost::bill;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::experiments::{effort, sizes};
use crate::goodnight2003::speed::cycles::{cycle_and_tests, cycles, cycles_beside_cpu};
use crate::goodnight2003::speed::problems::{eight_sweeps, flow, plate};
use crate::goodnight2003::{Programs, Settings};
use crate::stream::Machine;
use crate::timing::{Cost, Effort, TimingError};

use super::chart::{Measured, OnGrid, curves};

const FIG2: Claim = Claim {
    id: "goodnight2003/fig2",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.2, Fig. 2",
    statement: "A program for all nodes that knows periodic sides is slow; one that does not is fast; \
                the lean one inside and the general one along the sides are almost as fast, and know \
                them.",
    paper: "slow > fastpath ≥ fast (curves)",
};
const FIG3: Claim = Claim {
    id: "goodnight2003/fig3",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§5.3, Fig. 3",
    statement: "On small grids a V-cycle with all levels and eight sweeps on each takes the CPU less \
                time, on large ones the GPU.",
    paper: "the GPU is faster on large grids",
};
const FIG3_OURS: Claim = Claim {
    id: "goodnight2003/fig3-ours",
    class: Class::Shape,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "Ours beside it: the restriction does the smoother's first pass along with its own work, \
                so that no pass reads what it writes, and small grids have one program a kernel.",
    paper: "(the paper's variant in the same run)",
};
const FIG6: Claim = Claim {
    id: "goodnight2003/fig6",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6, Fig. 6",
    statement: "To look up which nodes are red is faster than to compute it in every fragment, though \
                memory is what the solver waits for.",
    paper: "about 30 %",
};
const FIG7: Claim = Claim {
    id: "goodnight2003/fig7",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.1.3, §6, Fig. 7",
    statement: "An occlusion query that counts the nodes with too large a residual is about five times \
                as fast, on large grids, as reading all residuals back to look at them; the residual \
                itself, which both need, taken off.",
    paper: "about 5 times on large grids",
};

/// The experiment of Figure 2, §4.2: lean programs for the inside.
pub const PROGRAMS: Experiment<Machine> = Experiment {
    id: "goodnight2003/programs",
    section: "§4.2, Fig. 2",
    title: "General programs, and lean ones for the inside",
    claims: &[FIG2],
    run: |machine, options| {
        Figure {
            claim: FIG2,
            file: "goodnight2003/fig2.png",
            caption: "Seconds for a V-cycle with programs for all nodes that know periodic sides (slow), \
                      that do not (fast), and with both, each where it is needed (fastpath, on all \
                      grids).",
            title: "Lean programs inside, general ones along the sides",
            what: "seconds for a V-cycle",
            names: ["slow", "fastpath", "fast"],
            measure: |machine, n, effort| {
                let programs = [Programs::Original, Programs::Fastpath, Programs::Fast];
                let settings = programs.map(|programs| Settings {
                    programs,
                    ..Settings::paper_2003()
                });
                cycles(machine, &plate(n)?, settings, effort)
            },
            judge: programs,
        }
        .run(machine, options)
    },
};

/// The experiment of Figure 3: the GPU beside the CPU.
pub const PROCESSORS: Experiment<Machine> = Experiment {
    id: "goodnight2003/processors",
    section: "§5.3, Fig. 3",
    title: "V-cycles on the GPU and on the CPU",
    claims: &[FIG3, FIG3_OURS],
    run: |machine, options| {
        let figure = Figure {
            claim: FIG3,
            file: "goodnight2003/fig3.png",
            caption: "Seconds for a V-cycle of the flow problem, eight sweeps on each of all levels.",
            title: "V-cycles on the GPU and on the CPU",
            what: "seconds for a V-cycle",
            names: ["as in the paper", "ours", "CPU, one core", "CPU, all cores"],
            measure: |machine, n, effort| {
                let settings = [Settings::paper_2003(), eight_sweeps()];
                cycles_beside_cpu(machine, &flow(n)?, settings, effort)
            },
            judge: processors,
        };
        let (finding, measured) = figure.measured(machine, options)?;
        let (holds, text, why) = beside_paper(&measured);
        Ok(vec![finding, FIG3_OURS.judge(holds, text, why)])
    },
};

/// The experiment of Figure 6: the red-black map, stored or computed.
pub const RED_BLACK: Experiment<Machine> = Experiment {
    id: "goodnight2003/red-black",
    section: "§6, Fig. 6",
    title: "The red-black map, stored or computed",
    claims: &[FIG6],
    run: |machine, options| {
        Figure {
            claim: FIG6,
            file: "goodnight2003/fig6.png",
            caption: "Seconds for a V-cycle, with the stored red-black map and with its computation.",
            title: "Which nodes are red: looked up, or computed",
            what: "seconds for a V-cycle",
            names: ["stored", "computed"],
            measure: |machine, n, effort| {
                let settings = [true, false].map(|red_black_map| Settings {
                    red_black_map,
                    ..Settings::paper_2003()
                });
                cycles(machine, &flow(n)?, settings, effort)
            },
            judge: red_black,
        }
        .run(machine, options)
    },
};

/// The experiment of Figure 7: how convergence is tested.
pub const CONVERGENCE: Experiment<Machine> = Experiment {
    id: "goodnight2003/convergence",
    section: "§4.1.3, §6, Fig. 7",
    title: "Tests of convergence: query, read-back, reduction",
    claims: &[FIG7],
    run: |machine, options| {
        Figure {
            claim: FIG7,
            file: "goodnight2003/fig7.png",
            caption: "Seconds for a test of convergence in three ways, each with the residual that it needs, \
                      beside those of the residual alone and of a V-cycle.",
            title: "A test of convergence",
            what: "seconds",
            names: ["query", "read-back", "L2 by reduction", "the residual", "a cycle"],
            measure: |machine, n, effort| {
                cycle_and_tests(machine, &flow(n)?, &Settings::paper_2003(), effort)
            },
            judge: convergence,
        }
        .run(machine, options)
    },
};

/// Whether it came out, what was measured, and why or a remark.
type Judgement = (bool, String, String);

/// A figure with a curve for each of N ways.
struct Figure<const N: usize> {
    claim: Claim,
    file: &'static str,
    caption: &'static str,
    title: &'static str,
    /// What the curves show.
    what: &'static str,
    /// The ways, in the order of their costs.
    names: [&'static str; N],
    /// Measures all ways on n² nodes.
    measure: fn(&Machine, u32, Effort) -> Result<[Cost; N], TimingError>,
    judge: fn(&Measured<N>, &str) -> Judgement,
}

impl<const N: usize> Figure<N> {
    fn run(&self, machine: &Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
        Ok(vec![self.measured(machine, options)?.0])
    }

    /// The finding, and the costs that it rests on.
    fn measured(
        &self,
        machine: &Machine,
        options: &Options,
    ) -> Result<(Finding, Vec<OnGrid<N>>), BoxedError> {
        let mut costs = Vec::new();
        for n in sizes(options) {
            costs.push((n, (self.measure)(machine, n, effort(options.quick, n))?));
        }
        let renderer = &machine.context().description().renderer;
        let (holds, measured, why) = (self.judge)(&costs, renderer);
        let picture = curves(self.title, self.what, self.names, &costs)?;
        let finding = self.claim.judge(holds, measured, why);
        let finding = finding.with_figure(self.file, self.caption, picture);
        Ok((finding, costs))
    }
}

/// The costs on the smallest and on the largest grid.
fn ends<const N: usize>(measured: &Measured<N>) -> [&(u32, [Cost; N]); 2] {
    let last = measured.len() - 1;
    [&measured[0], &measured[last]]
}

/// All instructions that the fragments of a run execute.
fn instructions(cost: &Cost) -> f64 {
    let kernels = bill(&cost.ledger).kernels;
    let each = kernels.values();
    each.map(|charge| charge.done.fragments as f64 * f64::from(charge.instructions))
        .sum()
}

fn programs(measured: &Measured<3>, _: &str) -> Judgement {
    let over = |costs: &[Cost; 3], of: fn(&Cost) -> f64| {
        let [slow, fastpath, fast] = costs.each_ref().map(of);
        [slow / fastpath, slow / fast]
    };
    let [(smallest, at_first), (largest, at_last)] = ends(measured);
    let [first, _] = over(at_first, |cost| cost.seconds);
    let [fastpath, fast] = over(at_last, |cost| cost.seconds);
    let [fastpath_in_model, fast_in_model] = over(at_last, |cost| cost.nv30_seconds);
    let text = format!(
        "slow/fastpath {first:.1} at {smallest}², {fastpath:.1} at {largest}², slow/fast {fast:.1}; in the \
         model {fastpath_in_model:.1} and {fast_in_model:.1}",
    );
    let order = fastpath / fast;
    let [slow_length, fastpath_length, fast_length] = at_last.each_ref().map(instructions);
    let gains = fastpath.min(fast) > 1.2;
    let cause = match (gains, order <= SAME_ORDER) {
        (true, true) => "",
        (false, _) => " Why time does not follow that count is not isolated.",
        (true, false) => {
            " The order of the last two is the other way round: the fast programs keep every neighbour within \
             the grid, the lean ones inside need not; what that costs is the difference of the two counts."
        }
    };
    let why = format!(
        "V-cycles with eight sweeps a level on a plate without periodic sides, which the fast programs \
         do not know; boundary conditions in the operator map, colours from the red-black map, and lean \
         programs inside of every grid. Counted, a slow cycle runs {:.1} times as many \
         instructions as a fastpath one, a fast one {:.2} times.{cause}",
        slow_length / fastpath_length,
        fast_length / fastpath_length,
    );
    let holds = gains && order <= SAME_ORDER;
    (holds, text, why)
}

/// How much faster the fastpath may be than the fast programs for both to count as equal.
const SAME_ORDER: f64 = 1.05;

fn processors(measured: &Measured<4>, renderer: &str) -> Judgement {
    // Beside one core, as in the paper.
    let gain = |costs: &[Cost; 4]| costs[2].seconds / costs[0].seconds;
    let [(smallest, at_first), (largest, at_last)] = ends(measured);
    let (first, last) = (gain(at_first), gain(at_last));
    let crossing = measured.iter().find(|(_, costs)| gain(costs) > 1.0);
    let text = format!(
        "{first:.3} times as fast as one core at {smallest}², {last:.3} at {largest}²; {}",
        match crossing {
            Some((n, _)) => format!("faster from {n}² on"),
            None => "never faster".into(),
        }
    );
    let [gpu, _, one, all] = at_last.each_ref().map(|cost| 1e3 * cost.seconds);
    let why = format!(
        "The GPU is {renderer}; the program for the CPU has the same arithmetic in single precision. On \
         the largest grid a cycle takes {gpu:.1} ms here, {one:.1} ms on one core, {all:.1} ms on all. \
         What a program takes on the same cores without fetches and passes is the last two numbers; what \
         of the rest is fetches and what is passes is not isolated.",
    );
    (last > 1.0 && last > first, text, why)
}

/// Ours beside the paper's variant.
fn beside_paper(measured: &Measured<4>) -> Judgement {
    let gain = |costs: &[Cost; 4]| costs[0].seconds / costs[1].seconds;
    let [(smallest, at_first), (largest, at_last)] = ends(measured);
    let text = format!(
        "{:.2} times as fast at {smallest}², {:.2} at {largest}²",
        gain(at_first),
        gain(at_last)
    );
    let passes = |cost: &Cost| cost.ledger.total().passes;
    let why = format!(
        "On {largest}² a cycle takes {} passes instead of {}, and changes the surface {} times instead of {}. \
         Why time does not follow these counts is not isolated.",
        passes(&at_last[1]),
        passes(&at_last[0]),
        at_last[1].ledger.target_switches,
        at_last[0].ledger.target_switches,
    );
    let all_faster = measured.iter().all(|(_, costs)| gain(costs) > 1.0);
    (all_faster, text, why)
}

fn red_black(measured: &Measured<2>, _: &str) -> Judgement {
    let [_, (largest, [stored, computed])] = ends(measured);
    let gain = computed.seconds / stored.seconds - 1.0;
    let text = format!(
        "{:.0} % at {largest}², {:.0} % in the model",
        100.0 * gain,
        100.0 * (computed.nv30_seconds / stored.nv30_seconds - 1.0),
    );
    let per_node = |cost: &Cost, sum: f64| sum / cost.ledger.total().fragments as f64;
    let fetches = |cost: &Cost| bill(&cost.ledger).total().fetches as f64;
    let why = format!(
        "The map costs fetches of 16 bytes, the computation arithmetic: a fragment of the cycle runs {:.1} \
         instructions with the map and {:.1} without, {:.1} and {:.1} of them fetches. Which is cheaper \
         depends on what a machine waits for; that is not isolated further. The model of the GeForce FX \
         takes the longer of the two, its bytes not cached.",
        per_node(stored, instructions(stored)),
        per_node(computed, instructions(computed)),
        per_node(stored, fetches(stored)),
        per_node(computed, fetches(computed)),
    );
    ((0.15..=0.6).contains(&gain), text, why)
}

fn convergence(measured: &Measured<5>, renderer: &str) -> Judgement {
    // The paper's largest grid, or the largest of a quick run.
    let paper = measured.iter().find(|(n, _)| *n == PAPER_SIDE);
    let (n, costs) = paper.unwrap_or(ends(measured)[1]);
    let [query, read_back, reduction, residual, cycle] = costs.each_ref().map(|cost| cost.seconds);
    // Less than a fiftieth of the residual's own time cannot be told from its noise.
    let net = |test: f64| (test - residual).max(residual / 50.0);
    let gain = net(read_back) / net(query);
    let text = format!(
        "at {n}² {gain:.1} times net of the residual, {:.1} times with it, {:.2} times with its cycle",
        read_back / query,
        (cycle + read_back) / (cycle + query),
    );
    let bytes = 16.0 * f64::from(*n).powi(2);
    let why = format!(
        "A cycle takes {:.1} ms, the residual {:.1} ms; on top of it the query {:.1} ms, the read-back {:.1} \
         ms, the L2 norm by reduction {:.1} ms. The read-back, its largest value looked for on the CPU, \
         moves {:.1} GB/s on {renderer}, where it is a copy in main memory; in 2003 it crossed a bus.",
        1e3 * cycle,
        1e3 * residual,
        1e3 * net(query),
        1e3 * net(read_back),
        1e3 * net(reduction),
        1e-9 * bytes / net(read_back),
    );
    ((2.5..=10.0).contains(&gain), text, why)
}

/// The largest grid that the paper times.
const PAPER_SIDE: u32 = 1025;

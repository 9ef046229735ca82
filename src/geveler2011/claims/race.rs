//! Products and cycles in all five numberings on one core, on all cores and on the GPU, alternately (§4.3 to §4.5).
//!
//! All are in double precision, as in the paper, with rows that end at rl, and separate A and j. A GPU without double
//! precision takes pairs of floats.

use std::thread::scope;

use crate::claim::{BoxedError, Interval, Run, Samples};
use crate::solver::multigrid::Start;
use crate::solver::{Hierarchy, HostSpace, MatrixHierarchy, Multigrid, VectorSpace};
use crate::stream::{Machine, StreamError};
use crate::timing::rig::work;
use crate::timing::{PingPong, Work, one_core};

use crate::geveler2011::{
    Arithmetic, Discretisation, Element, Ellpack, Numbering, PairSpace, ProductSpace, Settings,
    Setup, device, host,
};

/// The compared processors.
pub const PROCESSORS: [&str; 3] = ["one core", "all cores", "GPU"];

/// Index of the GPU among these.
pub const GPU: usize = 2;

/// Times of products and cycles on a level of a problem.
pub struct Race {
    /// The element.
    pub element: Element,
    /// The level.
    pub level: usize,
    /// Number of unknowns.
    pub unknowns: usize,
    /// Number of entries of the matrix.
    pub entries: usize,
    /// Number of cycles of a solve in 2LV and in STO, in double precision on the CPU.
    pub counts: [usize; 2],
    /// Seconds of y ← A x, of three processors in each numbering.
    products: Samples,
    /// Seconds of a cycle including the norm for the stopping test.
    cycles: Samples,
}

impl Race {
    /// Times products, until the order of the numberings is `decided`, and cycles. All matrices are in memory at the
    /// same time.
    pub fn run(
        run: &Run<'_>,
        setup: Setup,
        (element, level): (Element, usize),
        decided: impl Fn(&Samples) -> bool,
    ) -> Result<Self, BoxedError> {
        let settings = setup.settings();
        let problems = numbered(setup, element, level)?;
        let count = |numbering: Numbering| {
            let problem = &problems[numbering as usize];
            Ok::<_, BoxedError>(host::solve(problem, &settings)?.1.iterations)
        };
        let (machine, arithmetic) = (run.machine, arithmetic(run.machine));
        let contender = |problem: &Discretisation| {
            Ok::<_, BoxedError>(Contender {
                matrix: Ellpack::new(&problem.matrices[0]),
                on_all_cores: host::hierarchy(problem, &settings)?,
                on_gpu: device::hierarchy(machine, problem, &settings, arithmetic)?,
            })
        };
        let contenders: Vec<_> = problems.iter().map(contender).collect::<Result<_, _>>()?;
        scope(|scope| {
            let mut products = Vec::new();
            let mut cycles = Vec::new();
            for (problem, contender) in problems.iter().zip(&contenders) {
                products.extend(contender.products()?);
                cycles.push(one_core(scope, move |runs| {
                    let hierarchy = host::hierarchy(problem, &settings)?;
                    let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
                    let mut u = problem.start.clone();
                    runs.each(|_| cycle(&hierarchy, &mut multigrid, &problem.right_side, &mut u))
                }));
                cycles.extend(contender.cycles(problem, settings)?);
            }
            Ok(Self {
                element,
                level,
                unknowns: problems[0].matrices[0].rows(),
                entries: problems[0].matrices[0].entries(),
                counts: [count(Numbering::TwoLevel)?, count(Numbering::Stochastic)?],
                products: run.rounds(1, &mut products, decided)?,
                cycles: run.rounds(1, &mut cycles, |_| true)?,
            })
        })
    }

    /// Name, as in `Q1 level 9`.
    pub fn name(&self) -> String {
        format!("{:?} level {}", self.element, self.level)
    }

    /// Number of rounds of the cycles.
    pub fn rounds(&self) -> usize {
        self.cycles.0.len()
    }

    /// Seconds of a product.
    pub fn product(&self, numbering: Numbering, processor: usize) -> f64 {
        self.products.seconds(place(numbering, processor))
    }

    /// MFlop/s of the product: an addition and a multiplication per entry.
    pub fn rate(&self, numbering: Numbering, processor: usize) -> Interval {
        let place = place(numbering, processor);
        self.products.of(|round| 2e-6 * self.entries as f64 / round[place])
    }

    /// Seconds of a solve, that is, of its cycles.
    pub fn solve(&self, numbering: Numbering, processor: usize) -> f64 {
        self.solves(numbering, processor).median
    }

    /// Seconds of a solve with their interval.
    pub fn solves(&self, numbering: Numbering, processor: usize) -> Interval {
        self.cycles.interval(place(numbering, processor)).times(self.counts[0] as f64)
    }

    /// Speed-up of a solve over the previous processor.
    pub fn speed_up(&self, numbering: Numbering, processor: usize) -> Interval {
        let [before, now] = [processor - 1, processor].map(|p| place(numbering, p));
        self.cycles.ratio(before, now)
    }

    /// Gain of a solve on the GPU from one numbering to another, round by round.
    pub fn gains(&self, from: Numbering, to: Numbering) -> impl Iterator<Item = f64> {
        let [from, to] = [from, to].map(|numbering| place(numbering, GPU));
        self.cycles.0.iter().map(move |round| round[from] / round[to])
    }

    /// Gain of a cycle from STO to XYZ on the GPU, relative to that on all cores.
    pub fn sorting(&self) -> Interval {
        self.cycles.of(|round| {
            let seconds = |numbering, processor| round[place(numbering, processor)];
            let gain = |p| seconds(Numbering::Stochastic, p) / seconds(Numbering::Xyz, p);
            gain(GPU) / gain(1)
        })
    }

    /// Times as long a solve takes in its slowest numbering as in its fastest.
    pub fn spread(&self, processor: usize) -> Interval {
        let seconds = |n: &Numbering| self.cycles.seconds(place(*n, processor));
        let by_time = |a: &Numbering, b: &Numbering| seconds(a).total_cmp(&seconds(b));
        let slow = Numbering::ALL.into_iter().max_by(by_time);
        let fast = Numbering::ALL.into_iter().min_by(by_time);
        let [slow, fast] = [slow, fast].map(|n| place(n.unwrap_or(Numbering::Xyz), processor));
        self.cycles.ratio(slow, fast)
    }

    /// Order of the numberings on a processor.
    pub fn ends(&self, processor: usize) -> [([Numbering; 2], Interval); 2] {
        ends(&self.products, processor)
    }
}

/// Products in STO relative to the slowest other numbering, and in the fastest other one relative to XYZ.
pub fn ends(products: &Samples, processor: usize) -> [([Numbering; 2], Interval); 2] {
    use Numbering::{Stochastic, Xyz};
    let seconds = |n: &Numbering| products.seconds(place(*n, processor));
    let others = |but| Numbering::ALL.into_iter().filter(move |&n| n != but);
    let slowest = others(Stochastic).max_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    let fastest = others(Xyz).min_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    let pairs = [[Stochastic, slowest.unwrap_or(Stochastic)], [fastest.unwrap_or(Xyz), Xyz]];
    pairs.map(|[slow, fast]| {
        let ratio = products.ratio(place(slow, processor), place(fast, processor));
        ([slow, fast], ratio)
    })
}

/// The problem in all five numberings, assembled once.
fn numbered(
    setup: Setup,
    element: Element,
    level: usize,
) -> Result<Vec<Discretisation>, BoxedError> {
    let meshes = setup.meshes(level);
    let assembled = setup.discretise(&meshes, element, Numbering::TwoLevel)?;
    let others = Numbering::ALL[1..].iter();
    let others = others.map(|&numbering| assembled.renumbered(&meshes, element, numbering));
    let mut all: Vec<_> = others.collect();
    all.insert(0, assembled);
    Ok(all)
}

/// Position of the samples of a numbering and a processor.
fn place(numbering: Numbering, processor: usize) -> usize {
    PROCESSORS.len() * numbering as usize + processor
}

/// The GPU's arithmetic.
pub fn arithmetic(machine: &Machine) -> Arithmetic {
    if machine.context().description().double_precision {
        Arithmetic::Native
    } else {
        Arithmetic::Pairs
    }
}

/// The hierarchies in one numbering.
struct Contender {
    matrix: Ellpack<f64>,
    on_all_cores: MatrixHierarchy<HostSpace<f64>>,
    on_gpu: MatrixHierarchy<PairSpace>,
}

impl Contender {
    /// Products on each of the processors.
    fn products(&self) -> Result<[Work<'_>; 3], StreamError> {
        let matrix = &self.matrix;
        let ones = vec![1.0; matrix.lengths.len()];
        let vectors = || PingPong::of_two(ones.clone()).from(ones.clone());
        let (mut one, mut all) = (vectors(), vectors());
        let level = self.on_gpu.level(0);
        let mut streams =
            PingPong::new(2, || level.space.zeros())?.from(level.space.vector_of(&ones)?);
        Ok([
            work(move |run| {
                let (x, y) = one.of(run);
                matrix.multiply(x, y)
            }),
            work(move |run| {
                let (x, y) = all.of(run);
                matrix.multiply_parallel(x, y)
            }),
            work(move |run| {
                let (x, y) = streams.of(run);
                level.matrix.apply(&level.space, x, y)
            }),
        ])
    }

    /// Cycles on all cores and on the GPU.
    fn cycles<'a>(
        &'a self,
        problem: &'a Discretisation,
        settings: Settings,
    ) -> Result<[Work<'a>; 2], BoxedError> {
        let host = &self.on_all_cores;
        let mut on_all_cores = Multigrid::new(host, settings.cycle)?;
        let mut u = problem.start.clone();
        let device = &self.on_gpu;
        let mut on_gpu = Multigrid::new(device, settings.cycle)?;
        let space = &device.level(0).space;
        let b = space.vector_of(&problem.right_side)?;
        let mut v = space.vector_of(&problem.start)?;
        Ok([
            work(move |_| cycle(host, &mut on_all_cores, &problem.right_side, &mut u)),
            work(move |_| cycle(device, &mut on_gpu, &b, &mut v)),
        ])
    }
}

/// A cycle, and the norm of the residual after it.
fn cycle<H: Hierarchy>(
    hierarchy: &H,
    multigrid: &mut Multigrid<'_, H>,
    b: &H::Vector,
    u: &mut H::Vector,
) -> Result<(), H::Error> {
    multigrid.cycle(Start::Given, b, u)?;
    hierarchy.residual_norm(b, u).map(drop)
}

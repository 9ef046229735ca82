//! Where the grids lie, and how passes avoid to read what they write (goodnight2003 §6): all
//! strategies leave the same bits, and the ledger tells them apart.

use crate::common::machine;
use crate::goodnight2003::kinds::axis;
use fragstream::goodnight2003::{
    Axis, Boundaries, Condition, Error, Grid, Hazard, Metric, Problem, Programs, Settings,
    Smoother, Solver, Strategy,
};
use fragstream::solver::Cycle;
use fragstream::stream::{Buffer, Format, Ledger, Machine};

/// Sources that are no pattern, values at all sides that are not periodic.
fn problem(x: Axis, y: Axis) -> Problem {
    let grid = Grid { x, y };
    let boundaries = Boundaries::all(&grid, Condition::value(0.5));
    let source = (0..grid.nodes(0)).map(|i| ((i * i) % 17) as f64 - 8.0).collect();
    Problem::new(grid, Metric::polar(), boundaries, source).unwrap()
}

/// Elongated ones end in a single row, and periods have odd numbers of intervals on coarser levels.
fn problems() -> [Problem; 4] {
    [
        problem(axis(27, false), axis(50, false)),
        problem(axis(17, false), axis(33, true)),
        problem(axis(40, false), axis(4, false)),
        problem(axis(40, false), axis(23, true)),
    ]
}

const CYCLES: u64 = 2;

/// The bits of the finest level's U after some cycles, and what the cycles took.
fn cycles(machine: &Machine, problem: &Problem, settings: &Settings) -> (Vec<u32>, Ledger) {
    let mut solver = Solver::new(machine, problem, settings).unwrap();
    machine.take_ledger();
    for _ in 0..CYCLES {
        solver.cycle().unwrap();
    }
    let ledger = machine.take_ledger();
    let u = solver.solution().unwrap();
    assert!(u.iter().all(|u| u.is_finite()) && u.iter().any(|u| *u != 0.0));
    (u.into_iter().map(f32::to_bits).collect(), ledger)
}

const HAZARDS: [Hazard; 3] = [Hazard::Barrier, Hazard::Finish, Hazard::Copy];

/// All pairs that are possible.
fn choices() -> Vec<(Strategy, Hazard)> {
    let pairs = Strategy::ALL.into_iter().flat_map(|s| HAZARDS.map(|h| (s, h)));
    let possible = |&(s, h): &(Strategy, Hazard)| s != Strategy::Two || h.reads_target();
    pairs.filter(possible).collect()
}

#[test]
fn all_strategies_leave_the_same_bits() {
    let machine = machine();
    for (number, problem) in problems().into_iter().enumerate() {
        let variants = [
            (Programs::Fastpath, Cycle::v(2, 2), Smoother::RedBlack),
            (Programs::Original, Cycle::v(1, 1), Smoother::RedBlack),
            (Programs::Fastpath, Cycle::w(1, 2), Smoother::RedBlack),
            (Programs::Fastpath, Cycle::v(0, 2), Smoother::RedBlack),
            (Programs::Fastpath, Cycle::v(2, 1), Smoother::Jacobi(0.8)),
        ];
        // Each variant with two of the problems.
        let chosen = [number, number + 2].map(|variant| variants[variant % variants.len()]);
        for (programs, cycle, smoother) in chosen {
            let mut first: Option<Vec<u32>> = None;
            let contexts = Strategy::ALL.map(|storage| (storage, Hazard::Barrier));
            let contexts = contexts.map(|choice| (choice, Buffer::Context));
            let framebuffers = choices().into_iter();
            let framebuffers = framebuffers.map(|choice| (choice, Buffer::Framebuffer));
            for ((storage, hazard), buffer) in framebuffers.chain(contexts) {
                let settings = Settings {
                    storage,
                    hazard,
                    buffer,
                    programs,
                    cycle,
                    smoother,
                    ..Settings::robust()
                };
                let (bits, ledger) = cycles(&machine, &problem, &settings);
                let first = first.get_or_insert_with(|| bits.clone());
                assert!(*first == bits, "{settings:?}, {:?}", problem.grid);
                if buffer == Buffer::Context {
                    assert_eq!(ledger.context_switches, ledger.buffer_switches);
                }
            }
        }
    }
}

#[test]
fn the_ledger_tells_strategies_apart() {
    let machine = machine();
    let problem = problem(axis(33, false), axis(33, false));
    let mut table = Vec::new();
    for (storage, hazard) in choices() {
        let settings =
            Settings { storage, hazard, programs: Programs::Original, ..Settings::robust() };
        let (_, ledger) = cycles(&machine, &problem, &settings);
        let total = ledger.total();
        let copies: u64 = ledger
            .kernels
            .iter()
            .filter(|(text, _)| text.name.contains("copy"))
            .map(|(_, account)| account.sum().passes)
            .sum();
        table.push((
            (storage, hazard),
            total.passes,
            copies,
            total.feedback,
            ledger.target_switches,
            ledger.buffer_switches,
        ));
    }
    let of = |storage, hazard| *table.iter().find(|row| row.0 == (storage, hazard)).unwrap();
    // 33, 17, 9, 5, 3: four levels with 2 + 2 sweeps, residual, interpolation, and a restriction;
    // 8 sweeps on the fifth.
    let passes = CYCLES * (4 * (8 + 3) + 16);
    use Hazard::{Barrier, Copy};
    use Strategy::{One, Separate, Two};
    for storage in Strategy::ALL {
        assert_eq!(of(storage, Barrier).1, passes);
    }
    // Every pass has another buffer as target.
    let (_, _, copies, feedback, targets, buffers) = of(Separate, Barrier);
    assert_eq!((copies, feedback, targets, buffers), (0, 0, passes, passes));
    // Out of and into the finest level, whose buffer is current at first.
    assert_eq!(of(Two, Barrier).5, CYCLES * 2);
    for hazard in HAZARDS {
        assert_eq!(of(One, hazard).5, 0);
    }
    // A copy for each interpolation.
    assert_eq!(of(One, Copy).2, CYCLES * 4);
    assert_eq!((of(One, Copy).1, of(One, Copy).3), (passes + CYCLES * 4, 0));
    assert!(of(One, Barrier).3 > 0);
}

#[test]
fn what_cannot_be_is_said() {
    let machine = machine();
    let new = |problem: &Problem, settings: Settings| {
        Solver::new(&machine, problem, &settings).err().unwrap()
    };
    let plain = problem(axis(33, false), axis(33, false));
    let error = new(
        &plain,
        Settings { storage: Strategy::Two, hazard: Hazard::Copy, ..Settings::robust() },
    );
    assert_eq!(error, Error::SameSurface);
    let periodic = problem(axis(9, false), axis(33, true));
    let error = new(&periodic, Settings { programs: Programs::Fast, ..Settings::robust() });
    assert_eq!(error, Error::Periodic);
    let error = new(&plain, Settings { surface_limit: Some(40), ..Settings::robust() });
    assert_eq!(
        error.to_string(),
        "the grids of one surface take 50 x 33 texels, over the limit of 40. Take fewer nodes, or a \
         surface for each level (storage `separate`)."
    );
    let error = new(&plain, Settings { precision: Format::R32F, ..Settings::robust() });
    assert_eq!(error, Error::Precision(Format::R32F));
}

//! The kernels of the multigrid solver (goodnight2003 §4.1) against their twins in double
//! precision, from the maps as read back, on random data and awkward sizes.

use crate::common::{machine, random};
use crate::goodnight2003::kinds::axis;
use fragstream::goodnight2003::{
    Axis, Boundaries, Colour, Condition, Grid, Level, Metric, Problem, Programs, Settings, Side,
    Smoother, Solver,
};
use fragstream::solver::Cycle;
use fragstream::stream::{Rect, Stream};

/// Another condition at every node of every side: values, slopes and mixes.
fn motley(grid: &Grid) -> Boundaries {
    let mut boundaries = Boundaries::new();
    let (columns, rows) = grid.size(0);
    for (number, side) in Side::ALL.into_iter().enumerate() {
        let (nodes, periodic) = match side {
            Side::West | Side::East => (rows, grid.x.is_periodic()),
            Side::South | Side::North => (columns, grid.y.is_periodic()),
        };
        let gammas = random(nodes as usize, number as u64);
        let condition = |(node, gamma): (usize, f32)| {
            let gamma = f64::from(gamma);
            let (alpha, beta) = [(2.0, 0.0), (0.0, 1.0), (1.5, 2.0)][(node + number) % 3];
            Condition { alpha, beta, gamma }
        };
        if !periodic {
            let conditions = gammas.into_iter().enumerate().map(condition).collect();
            boundaries = boundaries.with_each(side, conditions);
        }
    }
    boundaries
}

/// Sizes, periodic or not, two and three nodes, odd and even; of elongated ones, coarser grids have
/// a single node across, and of some periods an odd number of intervals.
fn grids() -> Vec<Grid> {
    let plain = "2x2 2x9 3x3 5x7 12x33 9x9 4x6 17x10 50x39 7x2 33x65 65x2 3x40 30x4";
    // A period is marked.
    let periodic = "9px12 7x17p 13px5p 3px3 33px33p 7px40 51x15p 23px47p 3px19p";
    let axis = |text: &str| {
        let nodes = text.trim_end_matches('p');
        axis(nodes.parse().unwrap(), nodes != text)
    };
    let grid = |size: &str| {
        let (x, y) = size.split_once('x').unwrap();
        Grid { x: axis(x), y: axis(y) }
    };
    plain.split(' ').chain(periodic.split(' ')).map(grid).collect()
}

fn problem(grid: Grid) -> Problem {
    Problem::new(grid, Metric::polar(), motley(&grid), vec![0.0; grid.nodes(0)]).unwrap()
}

fn part(stream: &Stream, place: Rect) -> Vec<[f64; 4]> {
    let all = stream.read().unwrap();
    let mut texels = Vec::new();
    for row in place.y..place.y + place.height {
        for column in place.x..place.x + place.width {
            let at = 4 * (row as usize * stream.width() as usize + column as usize);
            texels.push([0, 1, 2, 3].map(|c| f64::from(all[at + c])));
        }
    }
    texels
}

/// Every level's maps as read back.
fn twins(solver: &Solver) -> Vec<Level> {
    let maps = solver.maps();
    let twin = |level| maps.level(&solver.problem().grid, level).unwrap();
    (0..maps.atlas.places.len()).map(twin).collect()
}

/// A random state of a level: U, r, F. Replicas are what their originals are.
fn random_state(grid: &Grid, level: u32, seed: u64) -> [Vec<f64>; 3] {
    let (columns, _) = grid.size(level);
    [0, 1, 2].map(|channel| {
        let values = random(grid.nodes(level), seed + channel);
        let original = |(column, row)| {
            let (x, y) = (grid.x.original(level, column), grid.y.original(level, row));
            f64::from(values[(y * columns + x) as usize])
        };
        grid.places(level).map(original).collect()
    })
}

fn write(solver: &Solver, level: usize, [u, r, f]: &[Vec<f64>; 3]) {
    let texels: Vec<f32> = (0..u.len())
        .flat_map(|node| [u[node] as f32, r[node] as f32, f[node] as f32, 0.0])
        .collect();
    solver.levels().write(level, &texels).unwrap();
}

fn read(solver: &Solver, level: usize) -> [Vec<f64>; 4] {
    let texels = solver.levels().read(level).unwrap();
    [0, 1, 2, 3].map(|c| texels.iter().skip(c).step_by(4).map(|v| f64::from(*v)).collect())
}

/// Checks that both are the same up to rounding, and that a replica is expected to have its original's value.
#[track_caller]
fn assert_close(what: &str, (grid, level): (&Grid, u32), got: &[f64], expected: &[f64]) {
    let scale = expected.iter().fold(1.0f64, |a, b| a.max(b.abs()));
    assert_eq!(got.len(), expected.len());
    for (node, (column, row)) in grid.places(level).enumerate() {
        let (got, expected_here) = (got[node], expected[node]);
        let off = (got - expected_here).abs() / scale;
        assert!(off < 2e-6, "{what} at node {node} of {grid:?}: {got} for {expected_here}");
        let (x, y) = (grid.x.original(level, column), grid.y.original(level, row));
        let original = expected[(y * grid.size(level).0 + x) as usize];
        assert_eq!(expected_here, original, "{what} at node {node} of {grid:?}");
    }
}

/// Each kernel on each level of each grid.
fn check_kernels_on(grids: impl IntoIterator<Item = Grid>, settings: &Settings) {
    let machine = machine();
    for grid in grids {
        let is_periodic = grid.x.is_periodic() || grid.y.is_periodic();
        if settings.programs == Programs::Fast && is_periodic {
            continue;
        }
        let solver = Solver::new(&machine, &problem(grid), settings).unwrap();
        let twins = twins(&solver);
        let levels = solver.levels();
        for (level, twin) in twins.iter().enumerate() {
            let mut state = random_state(&grid, level as u32, 7 * level as u64);
            // Folded, a prescribed value is a source, and a residual until it is there.
            let held = twin.start();
            let is_held = |node: &usize| twin.is_held(*node);
            (0..held.len()).filter(is_held).for_each(|node| state[2][node] = -held[node]);
            let check = |what: &str, expected: [&Vec<f64>; 3], level: usize| {
                let got = read(&solver, level);
                for channel in 0..3 {
                    let what = format!("{what}, channel {channel}, level {level}");
                    assert_close(&what, (&grid, level as u32), &got[channel], expected[channel]);
                }
                assert!(got[3].iter().all(|v| *v == 0.0));
            };
            let [u, r, f] = &state;
            match settings.smoother {
                Smoother::RedBlack => {
                    for colour in Colour::BOTH {
                        write(&solver, level, &state);
                        levels.half_sweep(level, colour).unwrap();
                        check("half sweep", [&twin.half_sweep(colour, f, u), r, f], level);
                    }
                }
                Smoother::Jacobi(omega) => {
                    write(&solver, level, &state);
                    levels.sweep(level, 1).unwrap();
                    check("Jacobi", [&twin.jacobi(omega, f, u), r, f], level);
                }
            }
            (0..held.len()).filter(is_held).for_each(|node| state[0][node] = held[node]);
            let [u, r, f] = &state;
            write(&solver, level, &state);
            levels.residual(level).unwrap();
            check("residual", [u, &twin.residual(f, u), f], level);
            let Some(coarse) = twins.get(level + 1) else {
                continue;
            };
            write(&solver, level, &state);
            levels.restrict(level).unwrap();
            let (zero, source) = (vec![0.0; coarse.nodes()], twin.restrict(coarse, r));
            check("restriction", [&zero, &zero, &source], level + 1);
            let correction = random_state(&grid, level as u32 + 1, 100);
            write(&solver, level, &state);
            write(&solver, level + 1, &correction);
            levels.interpolate(level).unwrap();
            check("interpolation", [&twin.correct(coarse, &correction[0], u), r, f], level);
        }
    }
}

/// These programs, wherever they can run: as they are, with computed colours, and with damped Jacobi.
fn check(programs: Programs) {
    let settings = Settings { programs, ..Settings::robust() };
    check_kernels_on(grids(), &settings);
    // What differs little, on every third grid.
    let computed = Settings { red_black_map: false, ..settings };
    let jacobi = Settings { smoother: Smoother::Jacobi(0.8), ..settings };
    for settings in [computed, jacobi] {
        check_kernels_on(grids().into_iter().step_by(3), &settings);
    }
}

#[test]
fn original_programs_do_what_their_twins_do() {
    check(Programs::Original);
}

#[test]
fn fastpath_programs_do_what_their_twins_do() {
    check(Programs::Fastpath);
}

#[test]
fn fast_programs_do_what_their_twins_do() {
    check(Programs::Fast);
}

/// Beyond a side is another grid of the atlas, whose texels have weight 0.
#[test]
fn fast_programs_do_not_count_what_is_beyond_a_side() {
    let machine = machine();
    let settings = Settings { programs: Programs::Fast, ..Settings::robust() };
    for grid in grids() {
        if grid.x.is_periodic() || grid.y.is_periodic() {
            continue;
        }
        let solver = Solver::new(&machine, &problem(grid), &settings).unwrap();
        let levels = solver.levels();
        for level in 0..solver.maps().atlas.places.len() {
            let state = random_state(&grid, level as u32, 5);
            let [clean, poisoned] = [0.0, 1e30].map(|beyond| {
                let of_kernel = |run: &dyn Fn()| {
                    for surface in &levels.storage.surfaces {
                        let texels = (surface.width() * surface.height()) as usize;
                        surface.write(&vec![beyond; 4 * texels]).unwrap();
                    }
                    write(&solver, level, &state);
                    run();
                    read(&solver, level)
                };
                let sweep = of_kernel(&|| levels.half_sweep(level, Colour::Red).unwrap());
                [sweep, of_kernel(&|| levels.residual(level).unwrap())]
            });
            assert_eq!(clean, poisoned, "{grid:?}, level {level}");
        }
    }
}

#[test]
fn the_operator_map_is_the_problem_s() {
    let machine = machine();
    for grid in grids() {
        let problem = problem(grid);
        let solver = Solver::new(&machine, &problem, &Settings::robust()).unwrap();
        let operators = problem.operators(problem.levels()).unwrap();
        for (level, place) in solver.maps().atlas.places.iter().enumerate() {
            let got = part(&solver.maps().operator, *place);
            // Each coarser level adds up positive terms: in each, quotient, square, weight and two
            // products, over eight additions at most; 14 roundings of 6e-8.
            let bound = 1e-6 * (1 + level) as f64;
            for node in grid.originals(level as u32) {
                let (got, expected) = (got[node], operators[level][node]);
                for k in 0..4 {
                    let off = (got[k] - expected[k]).abs();
                    assert!(off <= bound * expected[k].abs(), "{grid:?}: {got:?} {expected:?}");
                }
            }
        }
    }
}

/// Radius and angle, their scale factors computed by the machine and read back.
#[test]
fn coordinates_that_only_the_machine_knows_make_the_same_equations() {
    let machine = machine();
    let text = "vec3 metric(vec2 p) {\n    return vec3(1.0, p.x, 1.0);\n}\n";
    let [known, read] = [Metric::polar(), Metric::of_text("polar", text)].map(|metric| {
        let grid =
            Grid { x: Axis::new(9, 1.0, 0.125).unwrap(), y: Axis::new(12, 0.0, 0.125).unwrap() };
        let boundaries = Boundaries::all(&grid, Condition::slope(0.25)).with(
            &grid,
            Side::West,
            Condition::value(1.0),
        );
        let source = vec![1.0; grid.nodes(0)];
        let problem = Problem::new(grid, metric, boundaries, source).unwrap();
        Solver::new(&machine, &problem, &Settings::robust()).unwrap()
    });
    for (a, b) in known.source().unwrap().into_iter().zip(read.source().unwrap()) {
        assert!((a - b).abs() < 1e-6 * a.abs(), "{a} {b}");
    }
}

#[test]
fn a_cycle_on_one_level_is_the_coarsest_s_sweeps() {
    let machine = machine();
    let grid = Grid { x: axis(9, false), y: axis(9, false) };
    let settings = Settings {
        levels: Some(1),
        coarsest_sweeps: 3,
        cycle: Cycle::v(1, 1),
        programs: Programs::Original,
        ..Settings::robust()
    };
    let mut solver = Solver::new(&machine, &problem(grid), &settings).unwrap();
    machine.take_ledger();
    solver.cycle().unwrap();
    assert_eq!(machine.take_ledger().total().passes, 6);
}

//! Goodnight et al. 2003: all grids on one surface, and colours.

use crate::base::error::BoxedError;
use crate::goodnight2003::{
    Boundaries, Condition, Grid, Metric, Norm, Problem, Programs, Settings, Solver, Strategy, Test,
};
use crate::solver::Start;
use crate::stream::{Buffer, Machine};

use super::narrated::narrated_cycle;
use super::{Run, Scene};

pub const ONE_SURFACE: Scene = Scene {
    name: "one-surface",
    title: "All grids on the two surfaces of one buffer",
    paper: "goodnight2003",
    section: "section 6",
    opens: 1,
    run: Run::Grid(33, one_surface),
};

pub const RED_BLACK: Scene = Scene {
    name: "red-black",
    title: "Red and black: every other node at a time",
    paper: "goodnight2003",
    section: "section 4.1.2",
    opens: 0,
    run: Run::Grid(17, red_black),
};

pub const SWITCHES: Scene = Scene {
    name: "switches",
    title: "The cost of a switch: a buffer per surface, and one for all",
    paper: "goodnight2003",
    section: "section 6",
    opens: 0,
    run: Run::Grid(17, switches),
};

/// A plate with cold sides, heated at one point and cooled at another.
fn plate(nodes: u32) -> Result<Problem, BoxedError> {
    let grid = Grid::unit(nodes, nodes)?;
    let place = |column: u32, row: u32| (row * nodes + column) as usize;
    let mut source = vec![0.0; grid.nodes(0)];
    source[place(nodes / 3, nodes / 3)] = 100.0;
    source[place(2 * nodes / 3, nodes / 2)] = -100.0;
    let sides = Boundaries::all(&grid, Condition::value(0.0));
    Ok(Problem::new(grid, Metric::cartesian(), sides, source)?)
}

fn one_surface(machine: &Machine, nodes: u32) -> Result<(), BoxedError> {
    machine.scene("Maps for all levels are computed and uploaded");
    let settings = Settings {
        norm: Norm::Maximum,
        test: Test::Occlusion,
        programs: Programs::Original,
        ..Settings::robust()
    };
    let mut solver = Solver::new(machine, &plate(nodes)?, &settings)?;
    narrated_cycle(machine, solver.levels_mut(), settings.cycle, Start::Given)?;
    machine.scene(
        "Is it good enough? An occlusion query counts the fragments whose residual is too large",
    );
    solver.measure(0.01)?;
    Ok(())
}

fn red_black(machine: &Machine, nodes: u32) -> Result<(), BoxedError> {
    machine.scene(&format!("A plate of {nodes} x {nodes} nodes"));
    let settings = Settings {
        test: Test::Occlusion,
        levels: Some(1),
        norm: Norm::Maximum,
        programs: Programs::Original,
        ..Settings::robust()
    };
    let mut solver = Solver::new(machine, &plate(nodes)?, &settings)?;
    for sweep in 1..=4 {
        machine.scene(&format!("Sweep {sweep}: red nodes, then black nodes"));
        solver.smooth(0, 1)?;
    }
    machine.scene("How many residuals are too large? An occlusion query counts the fragments");
    solver.measure(0.01)?;
    Ok(())
}

fn switches(machine: &Machine, nodes: u32) -> Result<(), BoxedError> {
    let ways = [
        ("A buffer with its own context for each surface", Strategy::Separate),
        ("One buffer for all grids", Strategy::One),
    ];
    for (title, storage) in ways {
        let settings = Settings {
            storage,
            buffer: Buffer::Context,
            programs: Programs::Original,
            ..Settings::robust()
        };
        machine.scene(&format!("{title}: the maps"));
        let mut solver = Solver::new(machine, &plate(nodes)?, &settings)?;
        machine.scene(&format!("{title}: a V(2, 2)-cycle"));
        solver.cycle()?;
    }
    Ok(())
}

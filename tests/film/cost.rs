//! What recording costs.

use std::fs;

use fragstream::film::Limits;
use fragstream::goodnight2003::{Boundaries, Condition, Grid, Metric, Problem, Settings, Solver};
use fragstream::kruger2003::{Water, WaterSettings};
use fragstream::stream::Machine;

use crate::common::machine;
use crate::support::recorded;

/// Nodes or cells along a side.
const SIDE: u32 = 257;

/// Of a run, without the texels for tests.
const MOST: f64 = 0.2;

/// Seconds that all cores have worked for this process: one of software renderers is busy with threads.
fn seconds(run: impl FnOnce()) -> f64 {
    let worked = || {
        let status = fs::read_to_string("/proc/self/stat").expect("Linux");
        let fields = status.rsplit(')').next().expect("fields");
        let ticks = fields.split_whitespace().skip(11).take(2);
        ticks
            .map(|ticks| ticks.parse::<f64>().expect("ticks"))
            .sum::<f64>()
            / 100.0
    };
    let before = worked();
    run();
    worked() - before
}

fn waves(machine: &Machine) {
    let mut water = Water::at_rest(machine, WaterSettings::new(SIDE, SIDE)).expect("memory");
    (0..40).for_each(|_| water.step().expect("a step"));
}

fn cycles(machine: &Machine) {
    let grid = Grid::unit(SIDE, SIDE).expect("a grid");
    let source = (0..grid.nodes(0)).map(|node| (node as f64).sin()).collect();
    let sides = Boundaries::all(&grid, Condition::value(0.0));
    let problem = Problem::new(grid, Metric::cartesian(), sides, source).expect("a problem");
    let mut solver = Solver::new(machine, &problem, &Settings::default()).expect("memory");
    (0..20).for_each(|_| solver.cycle().expect("a cycle"));
}

#[test]
#[ignore = "a measurement on a machine at rest: cargo test --release --test film -- --ignored"]
fn recording_costs_less_than_a_fifth_of_a_run() {
    let machine = machine();
    for (name, run) in [("waves", waves as fn(&Machine)), ("cycles", cycles)] {
        let [mut without, mut with] = [f64::MAX; 2];
        for _ in 0..3 {
            without = without.min(seconds(|| run(&machine)));
            let film = || drop(recorded(&machine, Limits::default(), run).expect("a film"));
            with = with.min(seconds(film));
        }
        eprintln!("{name}: {without:.2} s, recorded {with:.2} s");
        assert!(with < (1.0 + MOST) * without, "{name}");
    }
}

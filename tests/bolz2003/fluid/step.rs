//! Whole steps of the fluid against those of its twin in double precision.

use super::formulas as twin;
use super::twin::FluidTwin;
use crate::common::{UNIT, machine, random};
use fragstream::bolz2003::fluid::{Domain, Dye, Fluid, Inlet, Settings, Walls};
use fragstream::bolz2003::grid::hierarchy::{HierarchyOptions, StencilStorage};
use fragstream::bolz2003::grid::layering::{BorderSync, ChannelUse};
use fragstream::solver::{Cycle, Real};
use fragstream::stream::{Machine, Stream};

/// Boxes and channels, with and without viscosity, of sizes from the smallest on.
fn settings() -> Vec<Settings> {
    let closed = |columns, rows| Settings::new(columns, rows).closed();
    let smallest_inlet = Inlet {
        speed: 1.0,
        first: 1,
        rows: 1,
    };
    vec![
        closed(3, 3),
        Settings {
            inlet: Some(smallest_inlet),
            viscosity: 0.3,
            ..Settings::new(3, 3)
        },
        Settings {
            hierarchy: HierarchyOptions::paper_2003(),
            ..closed(43, 3)
        },
        Settings {
            walls: Walls::Stick,
            viscosity: 0.2,
            dt: 0.7,
            ..closed(9, 65)
        },
        closed(33, 17),
        Settings::new(33, 17),
        Settings {
            walls: Walls::Stick,
            viscosity: 0.5,
            stencils: StencilStorage::Streams,
            ..Settings::new(17, 49)
        },
        Settings {
            viscosity: 2.0,
            cycles: 1,
            cycle: Cycle::w(1, 1),
            hierarchy: HierarchyOptions {
                layout: ChannelUse::Scalar,
                sync: BorderSync::Copy,
                ..HierarchyOptions::default()
            },
            ..Settings::new(33, 17)
        },
    ]
}

fn pairs(numbers: Vec<f32>) -> Vec<[f32; 2]> {
    numbers.as_chunks().0.to_vec()
}

/// NaN where there is one.
fn largest_difference<T: Real>(a: &[[T; 2]], b: &[[f64; 2]]) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    let differences = pairs.map(|(a, b)| (a.to_f64() - b).abs());
    differences.fold(0.0, |most, off| {
        if off > most || off.is_nan() {
            off
        } else {
            most
        }
    })
}

/// A fluid and its dye on the CPU.
struct Run<T> {
    settings: Settings,
    fluid: FluidTwin<T>,
    dye: Vec<[T; 2]>,
}

impl<T: Real> Run<T> {
    fn new(settings: Settings, velocity: &[[f32; 2]], dye: &[[f32; 2]]) -> Self {
        let mut fluid = FluidTwin::at_rest(settings).unwrap();
        fluid.set_velocity(velocity);
        let precise = |record: &[f32; 2]| record.map(|value| T::from_f64(f64::from(value)));
        Self {
            settings,
            fluid,
            dye: dye.iter().map(precise).collect(),
        }
    }

    fn step(&mut self) {
        self.fluid.step();
        let grid = self.settings.check().unwrap();
        let dt = T::from_f64(self.settings.dt);
        self.dye = twin::advect(&grid, &self.dye, self.fluid.velocity(), dt);
        if let Some(inlet) = self.settings.inlet {
            let rows = inlet.first..inlet.first + inlet.rows;
            let middle = inlet.first as f64 + 0.5 * inlet.rows as f64;
            for (j, dye) in rows.clone().zip(twin::dye_inlet(rows, T::from_f64(middle))) {
                self.dye[grid.place(0, j)] = dye;
            }
        }
    }
}

/// Four steps from random velocities, with a random force or none.
fn check(machine: &Machine, settings: Settings, force: Option<&[[f32; 2]]>) {
    let domain = Domain::new(machine, settings).unwrap();
    let start = pairs(random(2 * domain.grid().nodes(), 1));
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    fluid.set_velocity(&start).unwrap();
    let mut dye = Dye::new(&domain).unwrap();
    let dye_at_start = pairs(dye.concentrations().read().unwrap());
    let mut single = Run::<f32>::new(settings, &start, &dye_at_start);
    let mut double = Run::<f64>::new(settings, &start, &dye_at_start);
    if let Some(force) = force {
        fluid.set_force(force).unwrap();
        single.fluid.set_force(force);
        double.fluid.set_force(force);
    }
    let length = settings.columns.max(settings.rows) as f64;
    for step in 1..=4 {
        fluid.step().unwrap();
        dye.step(&fluid).unwrap();
        single.step();
        double.step();
        let (u, u_single, u_double) = (
            fluid.velocity(),
            single.fluid.velocity(),
            double.fluid.velocity(),
        );
        for (what, got, single, double) in [
            ("velocity", u, u_single, u_double),
            ("dye", dye.concentrations(), &single.dye, &double.dye),
        ] {
            let what = format!("{what} after {step} steps, {settings:?}");
            assert_close(got, single, double, length * f64::from(step), &what);
        }
    }
}

/// The twin in single precision shows how much the roundings of these very steps matter. Those of
/// the stream processor are as large, but others: so the largest differences are not the same, yet
/// less than three times as large, unless so small that the result's own rounding is seen.
/// `lengths` is the domain's length times the number of steps.
fn assert_close(got: &Stream, single: &[[f32; 2]], double: &[[f64; 2]], lengths: f64, what: &str) {
    let off = largest_difference(&pairs(got.read().unwrap()), double);
    let rounding = largest_difference(single, double);
    let most = largest_difference(double, &vec![[0.0; 2]; double.len()]);
    // A place is rounded by UNIT times its distance in each step, and what differs there by up to 2
    // along both axes; the pressure is as large as a velocity times a length, and so are roundings.
    let expected = 8.0 * UNIT * most.max(1.0) * lengths;
    assert!(
        rounding <= expected,
        "{rounding:e}, not {expected:e}; {what}"
    );
    let bound = 3.0 * rounding + 4.0 * UNIT * most;
    assert!(off <= bound, "{off:e}, not {bound:e}; {what}");
}

#[test]
fn steps_of_velocity_and_dye_are_those_of_the_twin() {
    let machine = machine();
    for settings in settings() {
        let nodes = settings.check().unwrap().nodes();
        check(&machine, settings, None);
        check(&machine, settings, Some(&pairs(random(2 * nodes, 2))));
    }
}

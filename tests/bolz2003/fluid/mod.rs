//! The fluid solver against mathematics: what advection, projection and viscosity do to fields
//! whose future is known.

mod kernels;
mod pictures;

use std::f64::consts::PI;

use crate::common::{machine, random, wide_records};
use fragstream::bolz2003::Error;
use fragstream::bolz2003::fluid::{Domain, Dye, Fluid, Inlet, Particles, Settings, Stroke, Walls};
use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::hierarchy::Coarsest;
use fragstream::scene::NotFinite;
use fragstream::solver::Cycle;

/// Settings of a box without an inlet.
fn closed(columns: usize, rows: usize) -> Settings {
    Settings { inlet: None, ..Settings::fused(columns, rows) }
}

/// Taylor and Green's vortices, `waves` half waves in each direction: u = A (sin kx cos ly,
/// −(k/l) cos kx sin ly). Nothing flows through the sides, and the fluid slips along them. In a
/// square they keep their shape and viscosity makes them decay as exp(−2νk²t).
fn taylor_green(grid: &Grid, amplitude: f64, waves: usize) -> Vec<[f32; 2]> {
    let [k, l] = grid.cells.map(|n| PI * waves as f64 / n as f64);
    // The discrete divergence vanishes with the central differences' wave numbers.
    let ratio = k.sin() / l.sin();
    let velocity = |place: usize| {
        let [x, y] = grid.node(place).map(|index| index as f64);
        let along = (k * x).sin() * (l * y).cos();
        let across = -ratio * (k * x).cos() * (l * y).sin();
        [along, across].map(|v| (amplitude * v) as f32)
    };
    (0..grid.nodes()).map(velocity).collect()
}

fn velocity(fluid: &Fluid) -> Vec<[f64; 2]> {
    let read = fluid.velocity().read().unwrap();
    let pairs = read.chunks_exact(2);
    pairs.map(|v| [f64::from(v[0]), f64::from(v[1])]).collect()
}

/// Root mean square of the components' differences.
fn distance(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let squares = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).powi(2));
    (squares.sum::<f64>() / a.len() as f64).sqrt()
}

fn size_of(field: &[[f64; 2]]) -> f64 {
    distance(field, &vec![[0.0; 2]; field.len()])
}

/// The amplitude of a field relative to another of the same shape.
fn amplitude(field: &[[f64; 2]], shape: &[[f64; 2]]) -> f64 {
    let product = |a: &[[f64; 2]], b: &[[f64; 2]]| -> f64 {
        a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum()
    };
    product(field, shape) / product(shape, shape)
}

#[test]
fn a_stroke_is_a_bell_of_force_for_one_step_and_no_force_costs_no_pass() {
    let machine = machine();
    let domain = Domain::new(&machine, Settings { dt: 0.5, ..closed(33, 17) }).unwrap();
    let (from, to, radius) = ([8.25, 5.5], [20.0, 5.5], 3.0);
    let bell = |place: usize| {
        let [i, j] = domain.grid().node(place).map(|n| n as f64);
        let (x, y) = (i - i.clamp(from[0], to[0]), j - from[1]);
        let bell = (-(x * x + y * y) / (radius * radius)).exp();
        [0.4 * bell, -0.2 * bell].map(|v| v as f32)
    };
    let bell: Vec<[f32; 2]> = (0..domain.grid().nodes()).map(bell).collect();
    let mut wanted = Fluid::at_rest(&domain).unwrap();
    wanted.set_force(&bell).unwrap();
    wanted.step().unwrap();
    let ends = [from, to].map(|end| end.map(|x| x as f32));
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    fluid.push(Stroke { ends, radius: radius as f32, force: [0.4, -0.2] });
    fluid.step().unwrap();
    let wanted = velocity(&wanted);
    assert!(size_of(&wanted) > 1e-3);
    assert!(distance(&velocity(&fluid), &wanted) < 1e-6 * size_of(&wanted));
    let mut passes = || {
        machine.take_ledger();
        fluid.step().unwrap();
        let passes = machine.take_ledger().total().passes;
        fluid.set_force(&vec![[0.0; 2]; domain.grid().nodes()]).unwrap();
        passes
    };
    assert_eq!(passes(), passes());
}

#[test]
fn a_velocity_free_of_divergence_is_preserved_by_the_projection() {
    let machine = machine();
    let domain = Domain::new(&machine, closed(65, 33)).unwrap();
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    let start = taylor_green(domain.grid(), 1.0, 2);
    fluid.set_velocity(&start).unwrap();
    let divergence = fluid.project().unwrap();
    assert!(divergence.before < 1e-6, "{divergence:?}");
    let change = distance(&velocity(&fluid), &wide_records(&start));
    assert!(change < 1e-6, "{change}");
}

#[test]
fn a_gradient_is_projected_to_almost_nothing() {
    // u = grad cos(kx) cos(ly) has no part that is free of divergence. Central differences leave
    // sin²(θ/2) of it on each axis.
    let machine = machine();
    let settings = Settings { cycles: 6, ..closed(65, 65) };
    let domain = Domain::new(&machine, settings).unwrap();
    let grid = *domain.grid();
    for waves in [1.0, 2.0, 4.0] {
        let k = waves * PI / grid.cells[0] as f64;
        let field: Vec<[f32; 2]> = (0..grid.nodes())
            .map(|place| {
                let (x, y) = ((place % 65) as f64 * k, (place / 65) as f64 * k);
                [(x.sin() * y.cos()) as f32, (x.cos() * y.sin()) as f32]
            })
            .collect();
        let mut fluid = Fluid::at_rest(&domain).unwrap();
        fluid.set_velocity(&field).unwrap();
        let divergence = fluid.project().unwrap();
        let left = size_of(&velocity(&fluid)) / size_of(&wide_records(&field));
        let expected = (k / 2.0).sin().powi(2);
        assert!((left - expected).abs() < 2e-5, "{waves}: {left} {expected}");
        let ratio = divergence.after / divergence.before;
        assert!((ratio - expected).abs() < 2e-5, "{waves}: {ratio} {expected}");
        assert!(divergence.residual < 1e-4 * divergence.before, "{divergence:?}");
    }
}

#[test]
fn taylor_and_green_s_vortices_decay_with_the_viscosity() {
    // So slow that advection moves nothing: what decays them is viscosity alone.
    let machine = machine();
    let (n, viscosity, steps) = (64, 0.8, 20);
    let k = 2.0 * PI / n as f64;
    let rate = 2.0 * viscosity * k * k;
    let time = 0.5 / rate;
    let dt = time / f64::from(steps);
    let settings = Settings { viscosity, dt, ..closed(n + 1, n + 1) };
    let domain = Domain::new(&machine, settings).unwrap();
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    let start = taylor_green(domain.grid(), 1e-4, 2);
    fluid.set_velocity(&start).unwrap();
    for _ in 0..steps {
        fluid.step().unwrap();
    }
    let measured = -amplitude(&velocity(&fluid), &wide_records(&start)).ln() / time;
    // Implicit Euler with 20 steps over half a decay time: 1/40 of a half, and the discrete
    // Laplacian's k²/12.
    let lambda = 2.0 * (2.0 - 2.0 * k.cos()) * viscosity;
    let discrete = (1.0 + lambda * dt).ln() / dt;
    assert!((measured / discrete - 1.0).abs() < 1e-3, "{measured} {discrete}");
    assert!((measured / rate - 1.0).abs() < 0.02, "{measured} {rate}");
}

#[test]
fn advection_interpolates_dye_where_the_fluid_was_and_clamps_that_place_to_the_domain() {
    let machine = machine();
    let settings = Settings { dt: 0.5, inlet: None, ..Settings::fused(33, 17) };
    let domain = Domain::new(&machine, settings).unwrap();
    let grid = domain.grid();
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    let mut dye = Dye::new(&domain).unwrap();
    for [u, v] in [[6.0, -4.0], [-2.5, 3.25], [-0.2, 1.8]] {
        fluid.set_velocity(&vec![[u, v]; grid.nodes()]).unwrap();
        let before = random(2 * grid.nodes(), 3);
        dye.concentrations().write(&before).unwrap();
        dye.step(&fluid).unwrap();
        let after = dye.concentrations().read().unwrap();
        for (place, found) in after.chunks(2).enumerate() {
            let [i, j] = grid.node(place).map(|index| index as f32);
            let (x, y) = ((i - 0.5 * u).clamp(0.0, 32.0), (j - 0.5 * v).clamp(0.0, 16.0));
            let (left, lower) = (x.floor().min(31.0), y.floor().min(15.0));
            for (channel, found) in found.iter().enumerate() {
                let at = |i: f32, j: f32| {
                    before[2 * grid.place((left + i) as usize, (lower + j) as usize) + channel]
                };
                let mix = |a: f32, b: f32, share: f32| a + share * (b - a);
                let row = |j| mix(at(0.0, j), at(1.0, j), x - left);
                let expected = mix(row(0.0), row(1.0), y - lower);
                assert!((found - expected).abs() < 1e-6, "{i} {j}: {found}");
            }
        }
    }
}

#[test]
fn as_much_leaves_as_enters_and_nothing_passes_the_walls() {
    let machine = machine();
    for (walls, columns, rows) in [(Walls::Slip, 65, 33), (Walls::Stick, 17, 49)] {
        let settings = Settings { walls, viscosity: 0.1, ..Settings::fused(columns, rows) };
        let domain = Domain::new(&machine, settings).unwrap();
        let inlet = settings.inlet.unwrap();
        let mut fluid = Fluid::at_rest(&domain).unwrap();
        let mut dye = Dye::new(&domain).unwrap();
        // Each of the two dyes enters in its half of the inlet, and nowhere else.
        dye.step(&fluid).unwrap();
        let entered = dye.concentrations().read().unwrap();
        assert_eq!(entered.iter().filter(|&&c| c > 0.0).count(), inlet.rows);
        for _ in 0..12 {
            let divergence = fluid.measured_step().unwrap();
            dye.step(&fluid).unwrap();
            assert!(divergence.residual < 0.05 * divergence.before, "{divergence:?}");
            let u = velocity(&fluid);
            let at = |i: usize, j: usize| u[i + columns * j];
            let mut out = 0.0;
            for j in 0..rows {
                let height = if j == 0 || j == rows - 1 { 0.5 } else { 1.0 };
                let expected = if inlet.contains(j) { inlet.speed } else { 0.0 };
                assert_eq!(at(0, j)[0], expected);
                out += height * at(columns - 1, j)[0];
            }
            assert!((out / inlet.flux() - 1.0).abs() < 1e-5, "{out}");
            for i in 0..columns {
                assert_eq!((at(i, 0)[1], at(i, rows - 1)[1]), (0.0, 0.0));
            }
            for j in (0..rows).filter(|&j| inlet.contains(j)) {
                let entered = dye.concentrations().read_record(0, j as u32).unwrap();
                let is_upper = 2 * (j - inlet.first) >= inlet.rows;
                let expected = if is_upper { [0.0, 1.0] } else { [1.0, 0.0] };
                assert_eq!(entered[..2], expected);
            }
        }
    }
}

#[test]
fn a_force_accelerates_by_its_part_that_is_free_of_divergence() {
    let machine = machine();
    let settings = Settings { dt: 0.5, ..closed(33, 33) };
    let domain = Domain::new(&machine, settings).unwrap();
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    let force = taylor_green(domain.grid(), 1e-3, 2);
    fluid.set_force(&force).unwrap();
    fluid.step().unwrap();
    let expected: Vec<[f64; 2]> = wide_records(&force).iter().map(|f| f.map(|c| 0.5 * c)).collect();
    let difference = distance(&velocity(&fluid), &expected) / size_of(&expected);
    assert!(difference < 1e-4, "{difference}");
}

#[test]
fn particles_in_a_vortex_stay_on_their_circle() {
    // Close to the centre of a slow vortex particles go round; the midpoint rule keeps the radius.
    let machine = machine();
    let domain = Domain::new(&machine, Settings { dt: 0.5, ..closed(33, 33) }).unwrap();
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    fluid.set_velocity(&taylor_green(domain.grid(), 1.0, 1)).unwrap();
    let mut particles = Particles::new(&domain, 256).unwrap();
    let radius = |p: &[f32; 3]| f64::from((p[0] - 16.5).hypot(p[1] - 16.5));
    let before = particles.read().unwrap();
    for _ in 0..40 {
        particles.step(&fluid).unwrap();
    }
    let after = particles.read().unwrap();
    assert_eq!(before.len(), 256);
    for (before, after) in before.iter().zip(&after).filter(|(p, _)| radius(p) < 5.0) {
        assert!((radius(before) - radius(after)).abs() < 0.2, "{before:?} {after:?}");
        let moved = f64::from((before[0] - after[0]).hypot(before[1] - after[1]));
        assert!(moved >= 0.5 * radius(before), "{before:?} {after:?}");
    }
}

#[test]
fn particles_are_born_in_the_inlet_and_stay_inside() {
    let machine = machine();
    let domain = Domain::new(&machine, Settings::fused(65, 33)).unwrap();
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    let mut particles = Particles::new(&domain, 2000).unwrap();
    let mut seen = 0;
    for _ in 0..30 {
        fluid.step().unwrap();
        particles.step(&fluid).unwrap();
        let now = particles.read().unwrap();
        assert!(now.iter().all(|p| (0.5..=64.5).contains(&p[0]) && (0.5..=32.5).contains(&p[1])));
        assert!(now.len() >= seen, "once born they come back");
        seen = now.len();
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let good = Settings::fused(65, 33);
    let inlet = Inlet::in_the_middle_of(33, 2.0);
    let bad = [
        Settings { columns: 60, ..good },
        Settings { dt: 0.0, ..good },
        Settings { dt: f64::NAN, ..good },
        Settings { viscosity: -1.0, ..good },
        Settings { cycles: 0, ..good },
        Settings { inlet: Some(Inlet { speed: f64::INFINITY, ..inlet }), ..good },
        Settings { inlet: Some(Inlet { rows: 40, ..inlet }), ..good },
    ];
    good.check().unwrap();
    for settings in bad {
        let message = settings.check().unwrap_err().to_string();
        assert!(!message.contains('\n') && message.len() > 20, "{message}");
    }
}

#[test]
fn a_velocity_that_is_not_finite_is_an_error() {
    let machine = machine();
    let domain = Domain::new(&machine, Settings::fused(33, 17)).unwrap();
    let mut fluid = Fluid::at_rest(&domain).unwrap();
    fluid.set_velocity(&vec![[f32::INFINITY, 0.0]; domain.grid().nodes()]).unwrap();
    let error = fluid.measured_step().unwrap_err();
    assert!(matches!(error, Error::Diverged(NotFinite { steps: 1, .. })));
}

#[test]
fn the_coarsest_grid_is_relaxed_as_much_as_the_cycle_in_use_relaxes() {
    for cycle in [Cycle::default(), Cycle::v(1, 1), Cycle::w(2, 3)] {
        let settings = Settings::new(33, 33).with_cycle(cycle);
        assert_eq!(settings.cycle, cycle);
        let Coarsest::Jacobi { leaves } = settings.hierarchy.coarsest else {
            panic!("{:?}", settings.hierarchy)
        };
        // Each sweep with ω = 2/3 leaves 1 − ω/2 of the high frequencies.
        let expected = (2.0_f64 / 3.0).powi((cycle.before + cycle.after) as i32);
        assert!((leaves / expected - 1.0).abs() < 1e-12, "{cycle}: {leaves}");
    }
}

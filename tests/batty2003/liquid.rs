//! The liquid: what physics says that it must do, and scenes at the edge of sense.

use fragstream::base::error::{ErrorKind, WithKind};
use fragstream::batty2003::scenes::flip::Solids;
use fragstream::batty2003::scenes::flip::{
    Body, Faces, Field, Grid, Inflow, Liquid, Particle, Projection, Scene, Shape, Step,
};
use fragstream::batty2003::{Error, Preconditioner, PressureSolver, host_solver};
use fragstream::solver::{Criteria, Real};

const GRAVITY: f64 = 9.81;

fn solver<T: Real>() -> impl PressureSolver {
    host_solver::<T>(Preconditioner::Mic)
}

fn to(rtol: f64) -> Criteria {
    Criteria { rtol, ..Criteria::default() }
}

/// So many steps; what each did.
fn run(liquid: &mut Liquid, steps: usize) -> Vec<Step> {
    let mut solver = solver::<f64>();
    let step = |_| liquid.step(&mut solver, &Criteria::default()).unwrap();
    (0..steps).map(step).collect()
}

fn cuboid(from: [f64; 3], to: [f64; 3]) -> Shape {
    Shape::Box { from, to }
}

fn still(shape: Shape) -> Body {
    Body { shape, velocity: [0.0; 3] }
}

/// The fastest particle, in any direction (m/s).
fn fastest(liquid: &Liquid) -> f32 {
    let speeds = liquid.particles().iter().flat_map(|particle| particle.velocity);
    speeds.fold(0.0, |fastest, speed| fastest.max(speed.abs()))
}

/// What all particles have of something, each standing for an eighth of a cell of water.
fn sum(liquid: &Liquid, of: impl Fn(&Particle) -> f64) -> f64 {
    let grid = liquid.scene().grid();
    let mass = liquid.scene().density * grid.spacing.powi(3) / 8.0;
    liquid.particles().iter().map(|p| mass * of(p)).sum()
}

#[test]
fn between_its_points_a_field_is_trilinear() {
    let value = |[x, y, z]: [f64; 3]| 1.0 + 2.0 * x - 3.0 * y + 0.5 * z;
    let (size, origin, spacing) = ([3, 4, 5], [0.5, -1.0, 0.25], 0.5);
    let point = |n: usize| {
        let at = [n % 3, n / 3 % 4, n / 12];
        [0, 1, 2].map(|d| origin[d] + spacing * at[d] as f64)
    };
    let values = (0..60).map(|n| value(point(n)) as f32).collect();
    let field = Field::new(size, origin, spacing, values);
    for at in [[0.5, -1.0, 0.25], [0.9, 0.3, 1.1], [1.5, 0.5, 2.25]] {
        assert!((field.sample(at) - value(at)).abs() < 1e-6);
        let slopes = field.gradient(at).into_iter().zip([2.0, -3.0, 0.5]);
        for (found, expected) in slopes {
            assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
        }
    }
    // Outside, as at the nearest place inside.
    assert_eq!(field.sample([9.0, 0.0, 9.0]), field.sample([1.5, 0.0, 2.25]));
}

#[test]
fn in_a_column_at_rest_the_pressure_is_that_of_the_water_above() {
    // A level surface anywhere between two centres of cells.
    let grid = Grid { size: [3, 9, 2], spacing: 0.05 };
    let solids = Solids::new(grid, &[]);
    let (density, time_step) = (800.0, 0.01);
    for surface in [0.201, 0.21, 0.2249] {
        let height = |cell| grid.centre(grid.cell(cell))[1] - surface;
        let values = (0..grid.cells()).map(|cell| height(cell) as f32).collect();
        let projection = Projection {
            level_set: &Field::new(grid.size, [0.025; 3], grid.spacing, values),
            open: &solids.open,
            time_step,
            density,
        };
        let mut velocity = Faces::constant(grid, 0.0);
        velocity.across[1].fill(-GRAVITY * time_step);
        let mut system = projection.matrix();
        system.right_side = projection.right_side(&system, &velocity, |_| 0.0);
        let mut pressure = vec![0.0; grid.cells()];
        let solved = solver::<f64>().solve(&system, &mut pressure, &to(1e-12));
        assert!(solved.unwrap().reason.is_converged());
        for (cell, &found) in pressure.iter().enumerate() {
            let expected = density * GRAVITY * -height(cell).min(0.0);
            // The level set is in single precision.
            assert!((found - expected).abs() < 1e-4, "{found} for {expected} Pa");
        }
        let known = projection.project(&mut velocity, &pressure);
        let known = velocity.across[1].iter().zip(&known[1]);
        let known: Vec<_> = known.filter(|(_, layer)| **layer == 0).collect();
        assert_eq!(known.len(), 4 * 6);
        assert!(known.iter().all(|(u, _)| u.abs() < 1e-8));
    }
}

/// Depth of water (m) over the floor of a pool, from the mean pressure in the cells two above the floor that no solid
/// touches.
fn depth_by_pressure(liquid: &Liquid) -> f64 {
    let grid = liquid.scene().grid();
    let solids = Solids::new(grid, &liquid.scene().solids);
    let at = |cell: &usize| grid.cell(*cell)[1] == 1 && solids.openness(grid.cell(*cell)) == 1.0;
    let cells: Vec<usize> = (0..grid.cells()).filter(at).collect();
    let mean = cells.iter().map(|&cell| liquid.pressure()[cell]).sum::<f64>() / cells.len() as f64;
    mean / (liquid.scene().density * GRAVITY) + 1.5 * grid.spacing
}

#[test]
fn a_pool_s_pressure_is_that_of_its_depth_to_second_order() {
    // The particles' own φ puts the surface 0.7 cells too high: 0.02 m on 32 cells. Around a pillar that is askew to the
    // grid, the pressure is the same.
    let pillar = cuboid([0.2, -1.0, 0.13], [0.331, 2.0, 0.27]);
    for (n, solids) in [(32, vec![]), (64, vec![]), (128, vec![]), (32, vec![pillar])] {
        let mut liquid = Liquid::new(Scene {
            size: [16, n, 16],
            liquids: vec![still(cuboid([0.0; 3], [1.0, 0.37, 1.0]))],
            solids,
            ..Scene::empty(n)
        })
        .unwrap();
        for steps in [1, 9] {
            run(&mut liquid, steps);
            let error = depth_by_pressure(&liquid) - 0.37;
            let most = 4.0 * (n as f64).powi(-2);
            assert!(error.abs() < most, "{n} cells: {error} m");
        }
    }
}

#[test]
fn a_drop_smaller_than_a_cell_falls_freely() {
    let mut scene = Scene::empty(12);
    scene.liquids = vec![still(Shape::Sphere { centre: [0.5, 0.7, 0.5], radius: 0.04 })];
    let mut liquid = Liquid::new(scene).unwrap();
    assert!((1..8).contains(&liquid.particles().len()));
    run(&mut liquid, 12);
    let speed = GRAVITY * 12.0 / 120.0;
    for particle in liquid.particles() {
        assert!((f64::from(-particle.velocity[1]) / speed - 1.0).abs() < 1e-3, "{particle:?}");
    }
}

#[test]
fn a_pool_at_rest_stays_at_rest() {
    let mut scene = Scene::empty(8);
    scene.size = [5, 8, 4];
    scene.liquids = vec![still(cuboid([0.0; 3], [1.0, 0.5, 1.0]))];
    let mut liquid = Liquid::new(scene).unwrap();
    let height = sum(&liquid, |p| p.position[1].into());
    let steps = run(&mut liquid, 100);
    // A wave of half the pool's depth would make it 1 m/s fast.
    assert!(fastest(&liquid) < 0.1, "{} m/s", fastest(&liquid));
    let sunk = 1.0 - sum(&liquid, |p| p.position[1].into()) / height;
    assert!(sunk.abs() < 0.01, "{sunk}");
    assert!((steps[99].volume / steps[0].volume - 1.0).abs() < 0.01);
}

#[test]
fn a_ball_falls_freely() {
    let mut scene = Scene::empty(12);
    scene.liquids = vec![still(Shape::Sphere { centre: [0.5, 0.7, 0.5], radius: 0.2 })];
    let mut liquid = Liquid::new(scene).unwrap();
    let height = sum(&liquid, |p| p.position[1].into());
    let mass = sum(&liquid, |_| 1.0);
    assert!(
        (mass / (1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.2_f64.powi(3)) - 1.0).abs() < 0.02
    );
    for step in run(&mut liquid, 12) {
        // Of five cells across, the volume is not known any better.
        let share = 1000.0 * step.volume / mass;
        assert!((share - 1.0).abs() < 0.05, "{share}");
    }
    let time = 12.0 / 120.0;
    let speed = sum(&liquid, |p| p.velocity[1].into()) / mass;
    assert!((speed / (-GRAVITY * time) - 1.0).abs() < 1e-3, "{speed} m/s");
    // Of a step, the acceleration counts from its end on.
    let fallen = (height - sum(&liquid, |p| p.position[1].into())) / mass;
    let expected = 0.5 * GRAVITY * time * (time - 1.0 / 120.0);
    assert!((fallen / expected - 1.0).abs() < 1e-2, "{fallen} for {expected} m");
}

#[test]
fn the_dam_keeps_its_volume_with_the_divergence_offset_and_gains_no_energy() {
    // Of the dam a slice.
    let mut liquid =
        Liquid::new(Scene { size: [10, 10, 4], keep_volume: true, ..Scene::dam(10) }).unwrap();
    let energy = |liquid: &Liquid| {
        sum(liquid, |p| {
            let squared: f64 = p.velocity.iter().map(|&v| f64::from(v).powi(2)).sum();
            0.5 * squared + GRAVITY * f64::from(p.position[1])
        })
    };
    let (start, first) = (liquid.volume(), energy(&liquid));
    // What the particles enclose is what the scene says.
    assert!((start / (0.28 * 0.4) - 1.0).abs() < 0.02, "{start}");
    let mut last = first;
    for _ in 0..20 {
        for step in run(&mut liquid, 10) {
            let share = step.volume / start;
            assert!((share - 1.0).abs() < 0.02, "{share}");
        }
        let now = energy(&liquid);
        assert!(now < last + 0.01 * first, "{now} J after {last} J");
        last = now;
    }
    // The water has come down from 0.7 m in a part of the box to 0.28 m in all of it, and sloshes.
    assert!(last < 0.65 * first);
}

/// A ball of water above a ball and a slab, askew to the grid.
fn falls_on_solids() -> Scene {
    let ball = |centre, radius| Shape::Sphere { centre, radius };
    Scene {
        liquids: vec![Body { shape: ball([0.45, 0.62, 0.5], 0.22), velocity: [0.5, -3.0, 0.0] }],
        solids: vec![ball([0.4, 0.21, 0.5], 0.21), cuboid([0.7, -1.0, 0.31], [0.83, 0.43, 2.0])],
        ..Scene::empty(10)
    }
}

#[test]
fn water_stays_out_of_solids() {
    let scene = falls_on_solids();
    let mut liquid = Liquid::new(scene.clone()).unwrap();
    run(&mut liquid, 30);
    let solids = Solids::new(scene.grid(), &scene.solids);
    let mut touched = 0;
    for particle in liquid.particles() {
        let at = particle.position.map(f64::from);
        assert!(at.iter().all(|x| (0.0..1.0).contains(x)));
        // Solids as the grid knows them: with rounded edges.
        let distance = solids.distance(at);
        assert!(distance > -0.01, "{distance} m at {at:?}");
        touched += usize::from(distance < 0.03);
    }
    assert!(touched > 30, "{touched}");
}

/// A box of 0.6 m, six cells wide, whose corners are rounded, and accelerated askew.
fn askew(liquid: Shape, solids: Vec<Shape>) -> Scene {
    Scene {
        spacing: 0.1,
        gravity: [3.0, -9.81, 4.0],
        liquids: vec![still(liquid)],
        solids,
        ..Scene::empty(6)
    }
}

#[test]
fn walls_shelves_and_corners_that_end_at_the_glass_let_nothing_through() {
    let between = |axis: usize, from: f64, to: f64| {
        let (mut low, mut high) = ([0.0; 3], [0.6; 3]);
        (low[axis], high[axis]) = (from, to);
        cuboid(low, high)
    };
    let mut scenes = Vec::new();
    for axis in 0..3 {
        // On the corners of cells, and between them; the water on either side.
        for [wet, wall, dry] in
            [[[0.0, 0.2], [0.2, 0.3], [0.3, 0.6]], [[0.4, 0.6], [0.17, 0.32], [0.0, 0.17]]]
        {
            let [wet, wall, dry] = [wet, wall, dry].map(|[from, to]| between(axis, from, to));
            scenes.push((askew(wet, vec![wall]), dry));
        }
        // An edge of the glass, behind two walls that meet.
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut walls = [([0.0; 3], [0.6; 3]); 2];
        for (wall, across, along) in [(0, u, v), (1, v, u)] {
            let (from, to) = &mut walls[wall];
            (from[across], to[across], to[along]) = (0.2, 0.3, 0.3);
        }
        let mut dry = [0.6; 3];
        (dry[u], dry[v]) = (0.2, 0.2);
        let walls = walls.map(|(from, to)| cuboid(from, to)).to_vec();
        scenes.push((askew(between(u, 0.4, 0.6), walls), cuboid([0.0; 3], dry)));
    }
    for (number, (scene, dry)) in scenes.into_iter().enumerate() {
        let mut liquid = Liquid::new(scene).unwrap();
        let steps = run(&mut liquid, 300);
        let volumes = |at: usize| &steps[at].regions;
        assert_eq!(volumes(0).len(), 2);
        assert!(volumes(0).contains(&0.0));
        assert_eq!(volumes(299), volumes(0), "parts of scene {number}");
        let positions = liquid.particles().iter().map(|particle| particle.position.map(f64::from));
        let behind = positions.filter(|&at| dry.distance(at) < -0.01).count();
        assert_eq!(behind, 0, "particles behind the solid of scene {number}");
    }
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let particles = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut liquid = Liquid::new(falls_on_solids()).unwrap();
            let mut solver = host_solver::<f32>(Preconditioner::Ic);
            for _ in 0..4 {
                liquid.step(&mut solver, &to(1e-3)).unwrap();
            }
            (liquid.particles().to_vec(), liquid.volume())
        })
    };
    let expected = particles(1);
    assert!(expected.0.len() > 300);
    for threads in [2, 3] {
        assert!(particles(threads) == expected);
    }
}

#[test]
fn what_flows_in_is_its_area_times_its_speed() {
    let inflow = |seed| {
        let shape = cuboid([0.0, 0.6, 0.3], [0.2, 0.8, 0.7]);
        let inflow = Inflow { shape, velocity: [2.0, 0.0, 0.0], until: Some(0.1) };
        let scene = Scene { inflows: vec![inflow], seed, ..Scene::empty(10) };
        let mut liquid = Liquid::new(scene).unwrap();
        assert_eq!(liquid.particles().len(), 2 * 2 * 4 * 8);
        run(&mut liquid, 12);
        let mass = sum(&liquid, |_| 1.0) / 1000.0;
        let before = liquid.particles().len();
        run(&mut liquid, 2);
        assert_eq!(liquid.particles().len(), before);
        mass
    };
    // Particles enter at random positions.
    let mass = (0..8).map(inflow).sum::<f64>() / 8.0;
    let expected = 0.2 * 0.4 * (0.2 + 2.0 * 0.1);
    assert!((mass / expected - 1.0).abs() < 0.1, "{mass} for {expected}");
}

#[test]
fn water_can_be_pushed_and_poured() {
    let mut liquid = Liquid::new(Scene::dam(8)).unwrap();
    liquid.push([0.2, 0.3, 0.5], [0.0, 2.0, 0.0], 0.25);
    for particle in liquid.particles() {
        let [x, y, z] = particle.position;
        let distance = ((x - 0.2).powi(2) + (y - 0.3).powi(2) + (z - 0.5).powi(2)).sqrt();
        let speed = particle.velocity[1];
        assert_eq!(speed > 0.0, distance < 0.25);
        assert!((0.0..2.0).contains(&speed));
    }
    let before = liquid.particles().len();
    let shape = cuboid([0.5, 0.5, 0.5], [0.75, 0.75, 0.75]);
    liquid.pour(&shape, [0.0, -1.0, 0.0]).unwrap();
    assert_eq!(liquid.particles().len(), before + 8 * 8);
    // Where there is water, there is no room for more.
    liquid.pour(&shape, [0.0; 3]).unwrap();
    assert_eq!(liquid.particles().len(), before + 8 * 8);
    run(&mut liquid, 1);
    assert!(liquid.pour(&shape, [f64::NAN; 3]).is_err());
}

#[test]
fn without_liquid_there_is_nothing_to_solve() {
    let full_of_solid = Scene {
        liquids: vec![still(cuboid([0.0; 3], [1.0; 3]))],
        solids: vec![cuboid([-1.0; 3], [2.0; 3])],
        ..Scene::empty(5)
    };
    for scene in [Scene::empty(4), full_of_solid] {
        let mut liquid = Liquid::new(scene).unwrap();
        let step = run(&mut liquid, 2).remove(1);
        assert_eq!((step.unknowns, step.volume, step.closed_pockets), (0, 0.0, 0));
        assert!(step.outcome.reason.is_converged());
        assert!(liquid.pressure().iter().all(|&p| p == 0.0));
    }
}

#[test]
fn water_that_no_air_touches_is_at_rest_under_a_pressure_known_but_for_a_constant() {
    // A box that is full, and of a width that no texel of four cells divides.
    let scene = Scene {
        size: [5, 6, 3],
        liquids: vec![still(cuboid([-1.0; 3], [9.0; 3]))],
        ..Scene::empty(6)
    };
    let mut liquid = Liquid::new(scene.clone()).unwrap();
    let mut solver = solver::<f64>();
    for _ in 0..3 {
        let step = liquid.step(&mut solver, &to(1e-10)).unwrap();
        assert_eq!((step.unknowns, step.closed_pockets), (90, 1));
        assert!((step.volume - 90.0 / 216.0).abs() < 1e-6);
    }
    assert!(fastest(&liquid) < 1e-6, "{}", fastest(&liquid));
    let (p, grid) = (liquid.pressure(), scene.grid());
    let rise = p[grid.number([2, 1, 1])] - p[grid.number([2, 4, 1])];
    assert!((rise - 1000.0 * GRAVITY * 0.5).abs() < 1e-3, "{rise} Pa");
}

#[test]
fn one_cell_is_a_box_too() {
    for size in [[1, 1, 1], [1, 7, 1], [2, 1, 3]] {
        let scene = Scene {
            size,
            liquids: vec![still(cuboid([0.0; 3], [2.0, 0.3, 2.0]))],
            ..Scene::empty(4)
        };
        let mut liquid = Liquid::new(scene).unwrap();
        run(&mut liquid, 3);
        assert!(!liquid.particles().is_empty());
    }
}

#[test]
fn a_velocity_beyond_all_numbers_is_an_error() {
    let mut liquid = Liquid::new(Scene::dam(8)).unwrap();
    liquid.push([0.2; 3], [f64::INFINITY, 0.0, 0.0], 0.3);
    let error = liquid.step(&mut solver::<f64>(), &to(1e-4)).unwrap_err();
    assert!(matches!(error, Error::Velocity(_)), "{error}");
}

#[test]
fn scenes_that_make_no_sense_are_refused() {
    let scene = || Scene::dam(8);
    let solid = |shape| Scene { solids: vec![shape], ..scene() };
    let ball = |radius| Shape::Sphere { centre: [0.5; 3], radius };
    #[rustfmt::skip]
    let scenes = [
        ("density", Scene { density: -1.0, ..scene() }),
        ("density", Scene { density: f64::NAN, ..scene() }),
        ("time step", Scene { time_step: 0.0, ..scene() }),
        ("side of a cell", Scene { spacing: -0.1, ..scene() }),
        ("gravity", Scene { gravity: [0.0, f64::INFINITY, 0.0], ..scene() }),
        ("FLIP", Scene { flip: 1.5, ..scene() }),
        ("cells", Scene { size: [8, 0, 8], ..scene() }),
        ("cells", Scene { size: [usize::MAX, 2, 2], ..scene() }),
        ("radius", solid(ball(0.0))),
        ("radius", solid(ball(f64::NAN))),
        ("corner", solid(cuboid([f64::NAN; 3], [1.0; 3]))),
        ("side of a box", solid(cuboid([0.5; 3], [0.5, 1.0, 1.0]))),
        ("a solid in metres is 0.01. Give", solid(cuboid([0.99, 0.0, 0.0], [1.0; 3]))),
        ("thickness of a solid", solid(ball(0.06))),
    ];
    for (named, scene) in scenes {
        let error = Liquid::new(scene).unwrap_err();
        assert_eq!(error.error_kind(), ErrorKind::Input);
        let text = error.to_string();
        assert!(text.contains(named) && !text.contains('\n'), "{named}: {text}");
    }
}

#[test]
fn a_grid_that_memory_does_not_hold_is_refused_with_the_largest_that_it_holds() {
    let scene = Scene::dam(200);
    let eighth = scene.bytes() / 8 + 1000;
    let error = scene.check_memory(eighth).unwrap_err();
    assert_eq!(error.error_kind(), ErrorKind::Input);
    let text = error.to_string();
    assert!(text.contains("200 x 200 x 200") && text.contains("at most 100 along"), "{text}");
    assert!(Scene::dam(100).check_memory(eighth).is_ok());
    // A box that fills takes more than one that stays as empty as it is.
    let inflow = Inflow { shape: cuboid([0.0; 3], [0.1; 3]), velocity: [0.0; 3], until: None };
    let filling = Scene { inflows: vec![inflow], ..Scene::dam(100) };
    assert!(filling.check_memory(eighth).is_err());
}

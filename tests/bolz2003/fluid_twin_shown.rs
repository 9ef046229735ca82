//! Every program that shows the fluid against its twins, in single and in double precision, on
//! random data: what is measured of the velocity, particles, dye, and pictures.

use crate::common::{UNIT, wide_records};
use crate::fluid_bench::{Bench, INTERPOLATION, on_all_grids, records};
use fragstream::bolz2003::fluid::kernels::COLOURS;
use fragstream::bolz2003::fluid::twin::{self, Birth, Particle};
use fragstream::solver::Real;
use fragstream::stream::{Format, Pass, Rect};

#[test]
fn what_is_shown_of_the_velocity_is_its_twins() {
    on_all_grids(|bench| {
        let grid = &bench.grid;
        let velocity = bench.records::<2>(1.0, 14);
        let stream = bench.stream(&velocity);
        let speed = bench.run(&bench.kernels.speed, bench.size(), Format::R32F, |pass| {
            pass.read("velocity", &stream)
        });
        bench.assert_twins(
            "speed",
            &speed.read().unwrap(),
            &twin::speed(&velocity),
            &twin::speed(&wide_records(&velocity)),
            // Under a root of up to √2 half of two roundings, and the root's own nine.
            UNIT * 10.0 * 2f64.sqrt(),
        );
        let kernel = &bench.kernels.vorticity;
        let vorticity = bench.run(kernel, bench.size(), Format::R32F, |pass| {
            pass.read("velocity", &stream).set("last", bench.last)
        });
        bench.assert_twins(
            "vorticity",
            &vorticity.read().unwrap(),
            &twin::vorticity(grid, &velocity),
            &twin::vorticity(grid, &wide_records(&velocity)),
            // Two quotients up to 2 of a difference, a quotient rounding five times as much; and
            // their difference up to 4.
            UNIT * (2.0 * 2.0 * (1.0 + 5.0) + 4.0),
        );
    });
}

#[test]
fn dye_enters_as_its_twin_says_and_nowhere_else() {
    on_all_grids(|bench| {
        // Openings of one row, of an odd number of rows and of nearly all.
        let rows = bench.grid.rows();
        for opening in [1..2, 1..(rows / 2 + 1), 1..(rows - 1)] {
            let middle = opening.start as f32 + 0.5 * opening.len() as f32;
            let before = bench.records::<2>(1.0, 15);
            let target = bench.stream(&before);
            let rect = Rect {
                x: 0,
                y: opening.start as u32,
                width: 1,
                height: opening.len() as u32,
            };
            Pass::new(&bench.kernels.dye_inlet)
                .set("middle", middle)
                .draw(&target, &bench.machine.rect(rect).unwrap())
                .unwrap();
            let mut expected = before;
            for (j, dye) in opening.clone().zip(twin::dye_inlet(opening, middle)) {
                expected[bench.grid.place(0, j)] = dye;
            }
            assert_eq!(target.read().unwrap(), expected.as_flattened());
        }
    });
}

/// Particles as a stream holds them.
fn flat<T: Real>(particles: &[Particle<T>]) -> Vec<[T; 4]> {
    let record = |p: &Particle<T>| [p.place[0], p.place[1], p.age, T::ZERO];
    particles.iter().map(record).collect()
}

/// Particles all over the domain, every other one less than a grid space from where they leave;
/// some are not born yet, some will be too old, or just as old as can be. Ages are multiples of
/// 1/4, the step an odd multiple of 1/8 and lives all multiples of it, so that sums and comparisons
/// are exact.
fn random_particles(bench: &Bench<'_>, n: usize) -> (Vec<Particle<f32>>, Vec<Birth<f32>>) {
    let [columns, rows] = bench.last;
    let share = |v: f32| 0.5 * (v + 1.0);
    let particle = |(k, [x, y, age]): (usize, [f32; 3])| {
        let from_right = share(x) * if k % 2 == 0 { columns } else { 1.0 };
        Particle {
            place: [0.5 + columns - from_right, 0.5 + rows * share(y)],
            age: (8.0 * age).floor() / 4.0,
        }
    };
    let birth = |[x, y, life]: [f32; 3]| Birth {
        place: [0.5 + columns * share(x), 0.5 + rows * share(y)],
        life: (16.0 * share(life)).floor() / 8.0,
    };
    let particles = records(n, 1.0, 16).into_iter().enumerate();
    let births = records(n, 1.0, 17).into_iter();
    (
        particles.map(particle).collect(),
        births.map(birth).collect(),
    )
}

fn wide_particle(particle: &Particle<f32>) -> Particle<f64> {
    Particle {
        place: particle.place.map(f64::from),
        age: f64::from(particle.age),
    }
}

fn wide_birth(birth: &Birth<f32>) -> Birth<f64> {
    Birth {
        place: birth.place.map(f64::from),
        life: f64::from(birth.life),
    }
}

/// How far a particle's place is off after a step.
fn place_bound(bench: &Bench<'_>, dt: f64, fastest: f64) -> f64 {
    // How far a step goes, and how a place so far from the origin rounds.
    let way = dt * fastest;
    let place = UNIT * (bench.length() + 1.0 + way);
    // Half the way there: the velocity and two products of it are rounded.
    let middle = 0.5 * way * (INTERPOLATION + 2.0 * UNIT) + place;
    // Neighbours' velocities differ by up to twice the largest, along both axes.
    way * (INTERPOLATION + 2.0 * 2.0 * middle + UNIT) + place
}

/// What programs make of random particles, one record each: the stream processor's, and the twins.
struct Moved {
    program: Vec<[f32; 4]>,
    single: Vec<[f32; 4]>,
    double: Vec<[f64; 4]>,
    /// Whether it is beyond rounding that a particle leaves at the right, or that it stays.
    decided: Vec<bool>,
    bound: f64,
}

fn move_random_particles(bench: &Bench<'_>) -> Moved {
    let grid = &bench.grid;
    let (size, dt, fastest) = ((64, 7), 0.375, 4.0);
    let (particles, births) = random_particles(bench, 64 * 7);
    let velocity = bench.records::<2>(fastest, 18);
    let born = births
        .iter()
        .map(|b| [b.place[0], b.place[1], b.life, f32::NAN]);
    let streams = [
        bench.stream_of(size, &flat(&particles)),
        bench.stream_of(size, &born.collect::<Vec<_>>()),
        bench.stream(&velocity),
    ];
    let kernel = &bench.kernels.move_particles;
    let got = bench.run(kernel, size, Format::Rgba32F, |pass| {
        pass.read("particles", &streams[0])
            .read("births", &streams[1])
            .read("velocity", &streams[2])
            .set("dt", dt)
            .set("extent", bench.last)
    });
    let single = twin::move_particles(grid, &particles, &births, &velocity, dt);

    let (velocity, dt) = (wide_records(&velocity), f64::from(dt));
    let particles: Vec<_> = particles.iter().map(wide_particle).collect();
    let births: Vec<_> = births.iter().map(wide_birth).collect();
    let double = twin::move_particles(grid, &particles, &births, &velocity, dt);
    let bound = place_bound(bench, dt, f64::from(fastest));
    let right = f64::from(bench.last[0]) + 0.5;
    let is_decided = |particle| {
        let [x, _] = twin::carry(grid, particle, &velocity, dt);
        (x - right).abs() > 2.0 * bound
    };
    Moved {
        program: got.read().unwrap().as_chunks().0.to_vec(),
        single: flat(&single),
        double: flat(&double),
        decided: particles.iter().map(is_decided).collect(),
        bound,
    }
}

#[test]
fn particles_move_as_their_twins() {
    on_all_grids(|bench| {
        let moved = move_random_particles(bench);
        let undecided = moved.decided.iter().filter(|&&decided| !decided).count();
        assert!(undecided <= 5, "{undecided} on {:?}", bench.size());
        bench.assert_twins(
            "particles",
            select(&moved.program, &moved.decided).as_flattened(),
            select(&moved.single, &moved.decided).as_flattened(),
            select(&moved.double, &moved.decided).as_flattened(),
            moved.bound,
        );
    });
}

fn select<T: Copy>(records: &[T], chosen: &[bool]) -> Vec<T> {
    let pairs = records.iter().zip(chosen);
    let chosen = pairs.filter(|&(_, &chosen)| chosen);
    chosen.map(|(&record, _)| record).collect()
}

/// Pictures of a grid with two and with three samples a grid space: their spacing and size, and how
/// far what is interpolated there of numbers up to 1 is off.
fn pictures(bench: &Bench<'_>) -> [(f32, [usize; 2], f64); 2] {
    [2, 3].map(|zoom| {
        // Of a place a product and a sum are rounded; neighbours differ by up to 2 along both axes.
        let place = 2.0 * UNIT * (bench.length() + 1.0);
        let off = INTERPOLATION + 2.0 * 2.0 * place;
        (1.0 / zoom as f32, bench.grid.cells.map(|n| n * zoom), off)
    })
}

#[test]
fn pictures_of_a_quantity_are_their_twins() {
    on_all_grids(|bench| {
        let grid = &bench.grid;
        let quantity = bench.records::<1>(1.0, 19);
        let colours = records::<4>(COLOURS, 1.0, 20);
        let range = [-0.5f32, 0.75];
        let streams = [
            bench.stream(&quantity),
            bench.stream_of((COLOURS as u32, 1), &colours),
        ];
        for (spacing, size, off) in pictures(bench) {
            let kernel = &bench.kernels.picture;
            let target = (size[0] as u32, size[1] as u32);
            let got = bench.run(kernel, target, Format::Rgba32F, |pass| {
                pass.read("quantity", &streams[0])
                    .read("colours", &streams[1])
                    .set("range", range)
                    .set("spacing", spacing)
                    .set("extent", bench.last)
            });
            let single = twin::picture(grid, &quantity, &colours, range, spacing, size);
            let double = twin::picture(
                grid,
                &wide_records(&quantity),
                &wide_records(&colours),
                range.map(f64::from),
                f64::from(spacing),
                size,
            );
            // A share of the range's 1.25, by two differences and a quotient, which rounds five
            // times as much; as a place among colours, which differ by up to 2.
            let share = off / 1.25 + UNIT * 7.0;
            let colour = COLOURS as f64 * (share + 3.0 * UNIT);
            bench.assert_twins(
                "picture",
                &got.read().unwrap(),
                single.as_flattened(),
                double.as_flattened(),
                2.0 * colour + 5.0 * UNIT,
            );
        }
    });
}

#[test]
fn pictures_of_dye_are_their_twins() {
    on_all_grids(|bench| {
        let grid = &bench.grid;
        let dye = bench.records::<2>(1.0, 21);
        let stream = bench.stream(&dye);
        let colours: [[f32; 3]; 3] = records(3, 1.0, 22).try_into().unwrap();
        let wide_colours = colours.map(|colour| colour.map(f64::from));
        for (spacing, size, off) in pictures(bench) {
            let kernel = &bench.kernels.picture_dye;
            let target = (size[0] as u32, size[1] as u32);
            let got = bench.run(kernel, target, Format::Rgba32F, |pass| {
                pass.read("dye", &stream)
                    .set("background", colours[0])
                    .set("lower_dye", colours[1])
                    .set("upper_dye", colours[2])
                    .set("spacing", spacing)
                    .set("extent", bench.last)
            });
            let single = twin::picture_dye(grid, &dye, &colours, spacing, size);
            let wide_spacing = f64::from(spacing);
            let double =
                twin::picture_dye(grid, &wide_records(&dye), &wide_colours, wide_spacing, size);
            bench.assert_twins(
                "picture of dye",
                &colour_of(&got.read().unwrap()),
                single.as_flattened(),
                double.as_flattened(),
                // Two shares in the background's and one in each dye's; five operations on numbers
                // up to 3.
                4.0 * off + 5.0 * 3.0 * UNIT,
            );
        }
    });
}

/// Opaque records without their fourth channel.
fn colour_of(records: &[f32]) -> Vec<f32> {
    let (records, _) = records.as_chunks::<4>();
    let colour = |&[r, g, b, opacity]: &[f32; 4]| {
        assert_eq!(opacity, 1.0);
        [r, g, b]
    };
    records.iter().flat_map(colour).collect()
}

//! Flow round a flapping wing (goodnight2003, section 5.3).

mod goodnight2003_wing_common;

use fragstream::goodnight2003::wing::body::Body;
use fragstream::goodnight2003::wing::forces::frequency;
use fragstream::goodnight2003::wing::motion::{Motion, Push};
use goodnight2003_wing_common::*;

#[test]
#[ignore]
fn street() {
    let env = |name: &str, value: f64| std::env::var(name).map_or(value, |v| v.parse().unwrap());
    let body = Body::Cylinder;
    let (m, n) = (env("M", 129.0) as usize, env("N", 129.0) as usize);
    let lattice = lattice(&body, m, n, env("R", 40.0));
    let motion = Motion {
        push: Some(Push { speed: 0.3, duration: 3.0 }),
        ..Motion::default()
    };
    let mut flow = Reference::new(&body, lattice, motion, env("RE", 100.0));
    let mut history = Vec::new();
    let mut steps = 0;
    let mut dt = 0.0;
    let end = env("T", 150.0);
    while flow.time < end {
        if steps % 10 == 0 {
            dt = flow.longest_step(env("C", 0.4));
        }
        flow.step(dt);
        steps += 1;
        if steps % 10 == 0 {
            let f = flow.forces();
            history.push((flow.time, f.lift));
            if steps % 500 == 0 {
                println!("{steps} t {:.3} dt {dt:.5} lift {:.4} drag {:.4} gamma {:.4}", flow.time, f.lift, f.drag, flow.circulation);
            }
        }
    }
    println!("St {:?}", frequency(&history, 0.6 * end));
}

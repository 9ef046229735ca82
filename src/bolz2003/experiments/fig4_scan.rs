//! Fig. 4, bottom: a scanned mesh with complicated boundaries is denoised by geometric flow.
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::stream::Machine;
use crate::bolz2003::flow::*;
use crate::bolz2003::packing::*;
use crate::mesh::*;
use crate::solver::*;

const CLAIM: Claim = Claim { id: "bolz2003/fig4-scan", class: Class::Tolerance, section: "", statement: "", paper: "" };
/// x
pub const EXPERIMENT: Experiment<Machine> = Experiment { id: "bolz2003/scan", paper: "bolz2003", section: "", title: "", claims: &[CLAIM], run };

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let mesh = super::input::scan()?;
    let con = Connectivity::new(&mesh)?;
    let e2 = measure::mean_squared_edge_length(&mesh, &con);
    println!("e2 {e2:e} loops {} diag {}", con.boundary_loops().len(), measure::bounding_box(&mesh).unwrap().diagonal());
    for factor in [0.1, 0.3, 1.0, 3.0, 10.0] {
        for (pre, rtol) in [(false, 1e-5), (true, 1e-5), (true, 1e-6), (true,1e-7),(false,1e-7),(true,1e-8)] {
            let layout = FlowLayout::new(&con, &PackingOptions::default())?;
            let mut flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
            let t = std::time::Instant::now();
            let o = flow.step(factor * e2, pre, &Criteria { rtol, ..Criteria::default() })?;
            let got = flow.positions()?;
            let dt = t.elapsed().as_secs_f64();
            let reference = super::reference::step(&mesh, &con, factor * e2)?;
            let (mut err, mut disp, mut maxerr) = (0.0f64, 0.0f64, 0.0f64);
            for ((g, r), old) in got.iter().zip(&reference).zip(&mesh.positions) {
                let e: f64 = (0..3).map(|k| (f64::from(g[k]) - r[k]).powi(2)).sum();
                let d: f64 = (0..3).map(|k| (f64::from(old[k]) - r[k]).powi(2)).sum();
                err += e; disp += d; maxerr = maxerr.max(e.sqrt());
            }
            println!("factor {factor} pre {pre} rtol {rtol:e}: {:?} it {} repl {} {dt:.2}s err/disp {:e} rmsdisp/h {:e} maxerr/diag {:e}", o.reason, o.iterations, o.replacements, (err/disp).sqrt(), (disp/34000.0).sqrt()/e2.sqrt(), maxerr/0.25);
        }
    }
    Ok(vec![])
}

//! x
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::stream::Machine;
use crate::bolz2003::flow::*;
use crate::bolz2003::twin;
use crate::bolz2003::packing::*;
use crate::mesh::*;

const CLAIM: Claim = Claim { id: "bolz2003/entries", class: Class::Tolerance, section: "", statement: "", paper: "" };
/// x
pub const EXPERIMENT: Experiment<Machine> = Experiment { id: "bolz2003/matrix-entries", paper: "bolz2003", section: "", title: "", claims: &[CLAIM], run };

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let mesh = super::input::scan()?;
    let con = Connectivity::new(&mesh)?;
    let layout = FlowLayout::new(&con, &PackingOptions::default())?;
    let (packing, images) = (layout.packing.clone(), layout.images.clone());
    let flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
    let e2 = measure::mean_squared_edge_length(&mesh, &con);
    flow.compute_entries(e2)?;
    let off = flow.matrix().off_diagonal.read()?;
    let diag = flow.matrix().diagonal.read()?;
    let x: Vec<[f64; 4]> = mesh.positions.iter().map(|p| [f64::from(p[0]), f64::from(p[1]), f64::from(p[2]), 0.0]).collect();
    let x = packing.scatter(&x);
    let toff = twin::off_diagonal(&packing, &images, &x, e2);
    let tdiag = twin::diagonal(&packing, &images, &toff, &x);
    let mut rel: Vec<(f64, f64, f64)> = Vec::new();
    for ((g, t), k) in off.iter().zip(&toff).zip(0..) {
        if *t != 0.0 {
            let f = |p: [f32; 2]| x[packing.index(texel_at(p))];
            let i = f(images.ring.own[k]); let j = f(images.pointers.column[k]);
            let n = f(images.ring.next[k]); let p = f(images.ring.previous[k]);
            let c1 = twin::cotangent(j, p, i); let c2 = twin::cotangent(i, n, j);
            let e = (f64::from(*g) - t).abs();
            rel.push((e / t.abs(), e / (e2 * (c1.abs() + c2.abs())), (c1+c2)/(c1.abs()+c2.abs())));
        }
    }
    rel.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{} entries; worst raw {:?}", rel.len(), &rel[..12]);
    println!("over 1e-4: {}", rel.iter().filter(|r| r.0 > 1e-4).count());
    rel.sort_by(|a, b| b.1.total_cmp(&a.1));
    println!("worst cond {:?}", &rel[..5]);
    let d = diag.iter().zip(&tdiag).filter(|(_, t)| **t != 0.0).map(|(g, t)| (f64::from(*g) - t).abs() / t.abs()).fold(0.0, f64::max);
    println!("diag {d:e}");
    Ok(vec![])
}

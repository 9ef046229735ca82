//! Geveler et al. 2011: multigrid for finite elements, every step a product with a sparse matrix.

use crate::claim::registry::BoxedError;
use crate::geveler2011::elements::{Condition, Element, Numbering, Problem};
use crate::geveler2011::mesh::circle;
use crate::geveler2011::multigrid::device::Prepared;
use crate::geveler2011::multigrid::{Discretisation, Precision, Settings};
use crate::stream::Machine;

use super::Scene;

pub const FEM: Scene = Scene {
    name: "fem",
    title: "Finite elements round a circle: multigrid of products",
    paper: "geveler2011",
    section: "section 4",
    run: fem,
};

fn fem(machine: &Machine) -> Result<(), BoxedError> {
    let (zero, one) = (|_: [f64; 2]| 0.0, |_: [f64; 2]| 1.0);
    let (zero, one) = (Condition::Dirichlet(&zero), Condition::Dirichlet(&one));
    let problem = Problem {
        source: &|_| 1.0,
        boundary: vec![zero, one],
    };
    let meshes = circle().levels(2);
    machine.scene("Matrices of two levels, and those between them, are uploaded");
    let numbering = Numbering::TwoLevel;
    let discretisation = Discretisation::new(&meshes, Element::Q1, &problem, numbering)?;
    let settings = Settings {
        max_cycles: 1,
        ..Settings::paper_circle()
    };
    let prepared = Prepared::new(machine, &discretisation, &settings, Precision::Single)?;
    machine.scene("One V-cycle: every step of it is a product");
    prepared.solve()?;
    Ok(())
}

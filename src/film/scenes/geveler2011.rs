//! Geveler et al. 2011: multigrid for finite elements; each step of a cycle is a sparse matrix–vector product.

use crate::base::error::BoxedError;
use crate::geveler2011::device::hierarchy;
use crate::geveler2011::{
    Arithmetic, Condition, Discretisation, Element, Numbering, Problem, ProductSpace, Settings,
    circle,
};
use crate::solver::{Hierarchy, Multigrid, Start, TextureSpace};
use crate::stream::Machine;

use super::narrated::narrated_cycle;
use super::{Run, Scene};

pub const FEM: Scene = Scene {
    name: "fem",
    title: "Finite elements around a circle: multigrid from sparse products",
    paper: "geveler2011",
    section: "section 4",
    opens: 2,
    run: Run::Fixed(fem),
};

fn fem(machine: &Machine) -> Result<(), BoxedError> {
    let (zero, one) = (|_: [f64; 2]| 0.0, |_: [f64; 2]| 1.0);
    let (zero, one) = (Condition::Dirichlet(&zero), Condition::Dirichlet(&one));
    let problem = Problem { source: &|_| 1.0, boundary: vec![zero, one] };
    let meshes = circle().levels(2);
    machine.scene("The matrices of two levels, and those between them, are uploaded");
    let numbering = Numbering::TwoLevel;
    let discretisation = Discretisation::new(&meshes, Element::Q1, &problem, numbering)?;
    let settings = Settings::paper_circle();
    let hierarchy =
        hierarchy::<TextureSpace>(machine, &discretisation, &settings, Arithmetic::Single)?;
    machine.scene("The right-hand side, and a start with the boundary's values");
    let space = &hierarchy.level(0).space;
    let b = space.vector_of(&discretisation.right_side)?;
    let mut u = space.vector_of(&discretisation.start)?;
    let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
    narrated_cycle(machine, &mut multigrid.on(&b, &mut u), settings.cycle, Start::Given)?;
    machine.scene("The residual after the cycle: a product, and a norm");
    hierarchy.residual_norm(&b, &u)?;
    u.read()?;
    Ok(())
}

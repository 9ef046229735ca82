//! Bolz et al. 2003: rows in rectangles, conjugate gradients, grids in quadrants.

use crate::base::error::BoxedError;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::stencil::Stencils;
use crate::bolz2003::grid::{Boundary, Grid, Sides};
use crate::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::mesh::Connectivity;
use crate::mesh::generate::{add_normal_noise, cube, torus};
use crate::solver::{Criteria, Csr, Cycle, Hierarchy, Multigrid, Start};
use crate::stream::{Format, Machine, Stream};

use super::narrated::narrated_cycle;
use super::{Run, Scene};

pub const SPMV: Scene = Scene {
    name: "spmv",
    title: "A sparse matrix: rows of equal length form a rectangle",
    paper: "bolz2003",
    section: "section 3.1.1",
    opens: 0,
    run: Run::Fixed(spmv),
};

pub const CG: Scene = Scene {
    name: "cg",
    title: "Conjugate gradients smooth a mesh",
    paper: "bolz2003",
    section: "sections 3.1 and 3.3",
    opens: 0,
    run: Run::Fixed(cg),
};

pub const LAYERING: Scene = Scene {
    name: "layering",
    title: "A grid in four quadrants, with a border",
    paper: "bolz2003",
    section: "section 4.2",
    opens: 1,
    run: Run::Grid(17, layering),
};

pub const VCYCLE: Scene = Scene {
    name: "vcycle",
    title: "A V-cycle of multigrid in quadrants",
    paper: "bolz2003",
    section: "section 4.2",
    opens: 2,
    run: Run::Grid(33, vcycle),
};

/// A packing with rectangles that are small enough for a projector.
const SMALL: PackingOptions =
    PackingOptions { rectangle: [8, 4], longest_pass: 200, texture_limit: 4096 };

/// The graph's Laplacian plus the identity: each row has one entry per neighbour.
fn graph_matrix(rings: &Connectivity) -> Result<Csr<f64>, BoxedError> {
    let n = rings.vertices();
    let entries = (0..n).flat_map(|i| {
        let neighbours = rings.neighbours()[rings.ring(i)].iter();
        let beside = neighbours.map(move |&j| (i, j as usize, -1.0));
        beside.chain([(i, i, 1.0 + rings.valence(i) as f64)])
    });
    Ok(Csr::from_triplets(n, n, entries)?)
}

fn spmv(machine: &Machine) -> Result<(), BoxedError> {
    let matrix = graph_matrix(&Connectivity::new(&torus(120, 4))?)?;
    machine.scene("Entries and pointers of 120 rows are uploaded");
    let (packing, [images]) = pack([&matrix], &SMALL)?;
    let sparse = SparseMatrix::upload(machine, &packing, &images, Format::R32F)?;
    let numbers: Vec<f32> = (0..matrix.rows()).map(|i| (0.2 * i as f32).sin()).collect();
    let size = packing.size;
    let x = Stream::from_data(machine, "x", size, Format::R32F, &packing.scatter(&numbers))?;
    let y = Stream::zeros(machine, "y", size, Format::R32F)?;
    machine.scene("y = A x: one pass per row length");
    sparse.multiply(&x, &y)?;
    machine.scene("And again: x = A y");
    sparse.multiply(&y, &x)?;
    x.read()?;
    Ok(())
}

fn cg(machine: &Machine) -> Result<(), BoxedError> {
    let mut mesh = cube(4);
    add_normal_noise(&mut mesh, 0.1, 7);
    let options = PackingOptions { rectangle: [13, 9], ..PackingOptions::default() };
    machine.scene("A mesh is uploaded: the vertices' positions and their neighbours");
    let layout = FlowLayout::new(&Connectivity::new(&mesh)?, &options)?;
    let mut flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
    machine.scene("The matrix and the right-hand side are computed from the positions");
    flow.compute_entries(0.02)?;
    machine.scene("Ten iterations of conjugate gradients");
    let criteria = Criteria { max_iterations: 10, rtol: 0.0, ..Criteria::default() };
    flow.solve(false, &criteria)?;
    machine.scene("The smoothed positions are read back");
    flow.positions()?;
    Ok(())
}

/// Poisson's equation on the unit square, with values prescribed on the sides.
fn hierarchy(machine: &Machine, nodes: usize) -> Result<(GridHierarchy, Vec<f32>), BoxedError> {
    let grid = Grid::new(nodes, nodes, Sides::all(Boundary::Dirichlet))?;
    let stencils = Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.0);
    let hierarchy = GridHierarchy::stored(machine, &stencils, HierarchyOptions::default())?;
    let (h, middle) = (1.0 / (nodes - 1) as f32, nodes / 2);
    // A source and a sink.
    let mut b = vec![0.0; grid.nodes()];
    b[grid.place(middle / 2, middle / 2)] = 1.0 / (h * h);
    b[grid.place(middle + middle / 2, middle + middle / 3)] = -1.0 / (h * h);
    Ok((hierarchy, b.iter().map(|b| h * h * b).collect()))
}

fn layering(machine: &Machine, nodes: u32) -> Result<(), BoxedError> {
    machine.scene("The stencils of all levels are uploaded, nine textures per level");
    let (hierarchy, _) = hierarchy(machine, nodes as usize)?;
    let (layered, grid) = (hierarchy.grid(), *hierarchy.grid().grid());
    let numbers: Vec<f32> = (0..grid.nodes())
        .map(|place| grid.node(place))
        .map(|[i, j]| (i + nodes as usize * j) as f32)
        .collect();
    machine.scene(&format!("A grid of {nodes} x {nodes} numbered nodes, one per texel"));
    let plain = layered.plain("nodes")?;
    plain.write(&numbers)?;
    let v = layered.zeros("four quadrants")?;
    machine.scene("Layering: one quadrant per channel, and a ring of duplicates");
    layered.layer(&plain, &v)?;
    machine.scene("A kernel reads its neighbours in all four quadrants at once");
    let product = layered.zeros("A v")?;
    hierarchy.level(0).multiply(&v, &product)?;
    machine.scene("Back to one node per texel");
    layered.unlayer(&product, &plain)?;
    plain.read()?;
    Ok(())
}

fn vcycle(machine: &Machine, nodes: u32) -> Result<(), BoxedError> {
    machine.scene("The matrices of the coarser grids are composed, nine entries per node");
    let (hierarchy, b) = hierarchy(machine, nodes as usize)?;
    machine.scene("The right-hand side is uploaded: a source and a sink");
    let b = hierarchy.grid().upload(&b)?;
    let mut u = hierarchy.zeros(0)?;
    let mut multigrid = Multigrid::new(&hierarchy, Cycle::default())?;
    let mut start = Start::Zero;
    for _ in 0..2 {
        let levels = &mut multigrid.on(&b, &mut u);
        narrated_cycle(machine, levels, Cycle::default(), start)?;
        start = Start::Given;
    }
    machine.scene("The norm of the residual after two cycles");
    hierarchy.residual_norm(&b, &u)?;
    machine.scene("The solution, one node per texel");
    hierarchy.grid().download(&u)?;
    Ok(())
}

//! Matrices of Poisson's equation: Table 1, patch tests, orders of convergence, published sums.

use fragstream::geveler2011::{
    Condition, Element, Problem, QuadMesh, Space, System, blood, circle,
};
use fragstream::solver::Lu;

/// −Δu = f with u = g on all of the boundary.
fn dirichlet(
    mesh: &QuadMesh,
    element: Element,
    f: &(dyn Fn([f64; 2]) -> f64 + Sync),
    g: &(dyn Fn([f64; 2]) -> f64 + Sync),
) -> System {
    let boundary = vec![Condition::Dirichlet(g); mesh.parts.len()];
    Space::new(mesh, element).assemble(&Problem { source: f, boundary }).unwrap()
}

/// The solution, by elimination.
fn solve(system: &System) -> Vec<f64> {
    let n = system.matrix.rows();
    let factors = Lu::new(n, system.matrix.to_dense()).unwrap();
    factors.solve(1, &system.right_side)
}

#[test]
fn a_linear_solution_is_exact_on_any_mesh() {
    let linear = |[x, y]: [f64; 2]| 0.3 - 1.7 * x + 0.9 * y;
    for (mesh, element) in [
        (circle().levels(3).remove(2), Element::Q1),
        (blood(), Element::Q1),
        (circle().levels(2).remove(1), Element::Q2),
    ] {
        let system = dirichlet(&mesh, element, &|_| 0.0, &linear);
        let points = Space::new(&mesh, element).points();
        for (u, at) in solve(&system).iter().zip(points) {
            assert!((u - linear(at)).abs() < 1e-12 * 20.0, "{u} at {at:?}");
        }
    }
}

#[test]
fn slopes_given_at_the_boundary_bring_the_same_linear_solution() {
    // On the rectangle: u = 2x − y at the sides' normals; held on the circle.
    let linear = |[x, y]: [f64; 2]| 2.0 * x - y;
    let slope = |[x, y]: [f64; 2]| match (x, y) {
        (0.0, _) => -2.0,
        (1.0, _) => 2.0,
        (_, 0.0) => 1.0,
        _ => -1.0,
    };
    let mesh = circle().levels(2).remove(1);
    for element in Element::ALL {
        let boundary = vec![Condition::Neumann(&slope), Condition::Dirichlet(&linear)];
        let space = Space::new(&mesh, element);
        let system = space.assemble(&Problem { source: &|_| 0.0, boundary }).unwrap();
        for (u, at) in solve(&system).iter().zip(space.points()) {
            assert!((u - linear(at)).abs() < 1e-12, "{element:?}: {u} at {at:?}");
        }
    }
}

#[test]
fn errors_fall_with_the_order_of_the_element() {
    let exact = |[x, y]: [f64; 2]| (2.0 * x + 0.3).sin() * y.exp();
    // −Δu = (4 − 1) u
    let source = |at: [f64; 2]| 3.0 * exact(at);
    let error = |mesh: &QuadMesh, element| {
        let u = solve(&dirichlet(mesh, element, &source, &exact));
        let points = Space::new(mesh, element).points();
        let squares = u.iter().zip(points).map(|(u, at)| (u - exact(at)).powi(2));
        (squares.sum::<f64>() / u.len() as f64).sqrt()
    };
    let levels = circle().levels(4);
    let order = |element, level: usize| {
        (error(&levels[level - 1], element) / error(&levels[level], element)).log2()
    };
    let (q1, q2) = (order(Element::Q1, 3), order(Element::Q2, 2));
    assert!((1.8..2.4).contains(&q1), "Q1: {q1}");
    assert!(q2 > 2.7, "Q2: {q2}");
}

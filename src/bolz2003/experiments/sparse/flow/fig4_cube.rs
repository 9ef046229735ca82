//! Fig. 4, top: a cube with noise along its normals is smoothed by geometric flow.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::mesh::measure::{enclosed_volume, mean_squared_edge_length, rms_distance_to_cube};
use crate::mesh::{Connectivity, TriangleMesh, generate};
use crate::picture::mesh::{View, draw};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::picture::sheet::side_by_side;
use crate::stream::Machine;
use crate::timing::rig::range;

use super::smooth;

const CLAIM: Claim = Claim {
    id: "bolz2003/fig4-cube",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "Fig. 4, §3",
    statement: "Geometric flow smooths a cube with noise along its normals; its faces become flat \
                again.",
    paper: "smoothed (a picture)",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/cube",
    section: "Fig. 4",
    title: "A noisy cube is smoothed",
    claims: &[CLAIM],
    run,
};

/// Squares along each edge of the cube [−1, 1]³.
const SQUARES: u32 = 40;
/// Standard deviation of the noise: two fifths of a square.
const NOISE: f64 = 0.02;
const SEED: u64 = 2003;
/// λΔt in units of the clean cube's mean squared edge.
const STEP: f64 = 0.3;
/// Steps after which the picture is taken, and to which the claim is judged on all vertices.
const STEPS: usize = 10;
/// Steps that the curves show.
const ALL_STEPS: usize = 25;
/// Volume may change by so much, as a share of the cube's.
const DRIFT: f64 = 0.02;
/// Vertices whose distance from every edge was at least this are the inside of a face.
const MARGIN: f32 = 0.2;

/// What is measured after each step.
struct State {
    /// RMS distance of all vertices from the cube's surface.
    all: f64,
    /// The same of those inside faces, from their own face.
    faces: f64,
    /// Volume as a share of the cube's.
    volume: f64,
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let clean = generate::cube(SQUARES);
    let connectivity = Connectivity::new(&clean)?;
    let lambda_dt = STEP * mean_squared_edge_length(&clean, &connectivity);
    let mut mesh = clean.clone();
    generate::add_normal_noise(&mut mesh, NOISE, SEED);

    let (meshes, _) = smooth(machine, &connectivity, mesh, lambda_dt, ALL_STEPS)?;
    let states: Vec<State> = meshes.iter().map(|mesh| State::of(mesh, &clean)).collect();
    let size = if options.quick { 400 } else { 500 };
    Ok(vec![
        judge(&states)
            .with_figure(
                "bolz2003/fig4-cube.png",
                format!(
                    "A cube of {} vertices with normal noise, and the same after {STEPS} and {ALL_STEPS} steps \
                     of geometric flow. The faces become flat; edges and corners, whose curvature is \
                     real, become round.",
                    clean.positions.len()
                ),
                draw_meshes(machine, &meshes, size)?,
            )
            .with_figure(
                "bolz2003/fig4-cube-rms.png",
                "Distance from the true cube, step by step. Inside the faces it falls all the time. Over \
                 all vertices it falls until the rounding of edges outweighs what is left of the \
                 noise.",
                draw_curves(&states)?,
            ),
    ])
}

impl State {
    fn of(mesh: &TriangleMesh, clean: &TriangleMesh) -> Self {
        let vertices = mesh.positions.iter().zip(&clean.positions);
        let distances = vertices.filter_map(|(now, then)| {
            let axis = face(then)?;
            Some(f64::from(now[axis] - then[axis]).powi(2))
        });
        let distances: Vec<f64> = distances.collect();
        State {
            all: rms_distance_to_cube(mesh),
            faces: (distances.iter().sum::<f64>() / distances.len().max(1) as f64).sqrt(),
            volume: enclosed_volume(mesh) / 8.0,
        }
    }
}

/// The axis that the face of a vertex is normal to, if the vertex lies well inside that face.
fn face(position: &[f32; 3]) -> Option<usize> {
    let inside = |axis: usize| position[axis].abs() <= 1.0 - MARGIN;
    (0..3).find(|&axis| inside((axis + 1) % 3) && inside((axis + 2) % 3))
}

fn judge(states: &[State]) -> Finding {
    let falls = |values: &[f64]| values.is_sorted_by(|a, b| a > b);
    let faces: Vec<f64> = states.iter().map(|state| state.faces).collect();
    let all: Vec<f64> = states.iter().map(|state| state.all).collect();
    let (first, at) = (&states[0], &states[STEPS]);
    let drift = (at.volume - first.volume).abs();
    let (lowest, _) = range(all.iter().copied());
    let turn = all.iter().position(|&rms| rms == lowest).unwrap_or(0);
    let measured = format!(
        "in {STEPS} steps RMS {:.4} → {:.4} (inside faces {:.4} → {:.4}), volume {:+.2} %",
        first.all,
        at.all,
        first.faces,
        at.faces,
        100.0 * (at.volume - first.volume)
    );
    let why = format!(
        "Inside the faces the distance falls in every one of {ALL_STEPS} steps, to {:.4}. Over all vertices \
         it falls until step {turn}, to {lowest:.4}: from there edges and corners, which mean curvature \
         flow rounds, move away faster than the noise decays. λΔt is {STEP} of the mean squared edge; \
         the volume may drift by {:.0} %.",
        faces[ALL_STEPS],
        100.0 * DRIFT
    );
    let holds = falls(&faces) && falls(&all[..=STEPS]) && drift < DRIFT;
    CLAIM.judge(holds, measured, why)
}

/// All from one side, the view being that of the clean cube.
fn draw_meshes(
    machine: &Machine,
    meshes: &[TriangleMesh],
    size: u32,
) -> Result<Vec<u8>, BoxedError> {
    let mut view = View::of(&generate::cube(1), 32.0, 24.0);
    view.radius *= 0.92;
    let mut pictures = Vec::new();
    for step in [0, STEPS, ALL_STEPS] {
        let name = match step {
            0 => "noisy".to_owned(),
            _ => format!("after {step} steps"),
        };
        pictures.push((name, draw(machine, &meshes[step], &view, size)?));
    }
    Ok(side_by_side(&pictures)?)
}

fn draw_curves(states: &[State]) -> Result<Vec<u8>, BoxedError> {
    let series = |label, of: fn(&State) -> f64| {
        let states = states.iter().enumerate();
        let points = states.map(|(step, state)| (step as f64, of(state)));
        Series::new(label, Style::LinePoints, points)
    };
    Ok(chart(&Chart {
        title: "Distance from the true cube".into(),
        x: Axis::linear("step"),
        y: Axis::linear("RMS distance (half an edge = 1)"),
        series: vec![
            series("inside faces", |state| state.faces),
            series("all vertices", |state| state.all),
        ],
        marks: vec![(STEPS as f64, "picture".into())],
    })?)
}

//! The kernels of the flapping wing (goodnight2003, section 5.3) compute what they say, and the
//! coordinates are those of the body.

use std::f64::consts::TAU;
use std::ops::Range;

use super::formulas::{Flow, Lattice, Step, Vorticity, stream_function};
use crate::common::{drawn, interpreted, machine, mix, wide};

use fragstream::base::random::SplitMix64;
use fragstream::card::dialect::user_source;
use fragstream::goodnight2003::Metric;
use fragstream::goodnight2003::wing::WingKernels;
use fragstream::goodnight2003::wing::{Body, Joukowski};
use fragstream::program::interpret::{Run, Texture};
use fragstream::stream::{Format, Limits, Machine, Pass, Rect, Stream};

fn airfoil() -> Body {
    Body::Airfoil(Joukowski::default())
}

/// Random numbers, `width` a node; the last row is a replica of the first.
fn field(random: &mut SplitMix64, (columns, rows): (usize, usize), width: usize) -> Vec<f32> {
    let row = columns * width;
    let mut all = random.vector(row * (rows - 1));
    all.extend_from_within(..row);
    all
}

/// Random data of a lattice with steps of 1/8 and 1/2.
struct Data {
    nodes: Stream,
    operator: Stream,
    vorticity: Stream,
    psi: Stream,
}

const STEPS: [f32; 2] = [0.125, 0.5];

impl Data {
    fn new(machine: &Machine, size: (usize, usize), seed: u64) -> Self {
        let random = &mut SplitMix64::new(seed);
        let mut nodes = field(random, size, 4);
        let positive = |v: f32| 1.5 + v;
        for node in nodes.chunks_exact_mut(4) {
            node[2] = positive(node[2]);
            node[3] = positive(node[3]);
        }
        let operator: Vec<f32> = field(random, size, 4).into_iter().map(positive).collect();
        let stream = |format, data: &[f32]| {
            let size = (size.0 as u32, size.1 as u32);
            Stream::from_data(machine, "data", size, format, data).expect("a stream")
        };
        Self {
            nodes: stream(Format::Rgba32F, &nodes),
            operator: stream(Format::Rgba32F, &operator),
            vorticity: stream(Format::Rg32F, &field(random, size, 2)),
            psi: stream(Format::R32F, &field(random, size, 1)),
        }
    }
}

/// What a step reads beside the solver, on random data of both signs, turning.
#[test]
fn the_kernels_of_a_step_are_their_formulas() {
    let machine = machine();
    let kernels = WingKernels::new(&machine, &Body::Cylinder.metric()).expect("kernels");
    let data = Data::new(&machine, (12, 17), 7);
    let records = |stream: &Stream| wide(&stream.read().expect("data"));
    let lattice = Lattice { columns: 12, rows: 17 };
    let cell = STEPS[0] * STEPS[1];
    let nodes: Vec<[f64; 4]> = records(&data.nodes).as_chunks().0.to_vec();
    let vorticity = records(&data.vorticity);
    let zeta = |t: &[f64]| Vorticity { value: t[0], tendency: t[1] };
    let flow = Flow {
        lattice,
        volumes: nodes.iter().map(|node| node[2] * f64::from(cell)).collect(),
        operator: records(&data.operator).as_chunks().0.to_vec(),
        vorticity: vorticity.chunks_exact(2).map(zeta).collect(),
        psi: records(&data.psi),
    };
    let (turn, weights) = ([0.75f32, -0.5], [0.25f32, -0.125]);
    let motion = [0.5f32, -0.25, 0.75, 1.5];
    // Draws these columns, and compares them with what is expected of all nodes.
    let check = |pass: Pass<'_>, format: Format, columns: Range<u32>, expected: Vec<f64>| {
        let target = Stream::zeros(&machine, "result", (12, 17), format).unwrap();
        let rect = Rect::at([columns.start, 0], (columns.len() as u32, 17));
        pass.read_if_declared("vorticity", &data.vorticity)
            .read_if_declared("psi", &data.psi)
            .read_if_declared("nodes", &data.nodes)
            .read_if_declared("potentials", &data.nodes)
            .read_if_declared("operator", &data.operator)
            .read_if_declared("state", &data.operator)
            .read_if_declared("solution", &data.operator)
            .set_if_declared("size", [12.0f32, 17.0])
            .set_if_declared("cell", cell)
            .set_if_declared("viscosity", 0.25)
            .set_if_declared("weights", weights)
            .set_if_declared("motion", motion)
            .draw(&target, rect)
            .unwrap();
        let nodes = (0..).zip(expected.chunks(format.channels()));
        let drawn = nodes.filter(|(node, _)| columns.contains(&(node % 12)));
        let expected: Vec<f64> = drawn.flat_map(|(_, values)| values.to_vec()).collect();
        assert_close(&wide(&target.read_rect(rect).unwrap()), &expected);
    };

    let next = flow.transport(&Step {
        weights: weights.map(f64::from),
        viscosity: 0.25,
        turn: turn.map(f64::from),
    });
    let last = next.iter().skip(11).step_by(12);
    assert!({ last }.any(|z| z.value != 0.5), "somewhere it leaves");
    let next: Vec<f64> = next.iter().flat_map(|z| [z.value, z.tendency]).collect();
    let far = Pass::new(&kernels.far).set("turn", turn);
    check(far, Format::Rg32F, 11..12, next.clone());
    let transport = Pass::new(&kernels.transport).set("turn", turn);
    check(transport, Format::Rg32F, 1..11, next);

    // How fast a step's changes could grow: by the flow through a volume's faces, and by diffusion.
    let fastest = |node: (isize, isize)| {
        let [east, west, north, south] = flow.fluxes(node).map(f64::abs);
        let here = lattice.index(node.0, node.1);
        let spread: f64 = flow.operator[here].iter().sum();
        (east.max(west) + north.max(south) + 0.25 * spread) / flow.volumes[here]
    };
    let rate = Pass::new(&kernels.rate);
    check(rate, Format::R32F, 1..11, lattice.nodes().map(fastest).collect());

    let rows = flow.probe(turn[0].into());
    let probed = lattice.nodes().flat_map(|(_, row)| rows[row as usize]);
    let probe = Pass::new(&kernels.probe).set("turn", turn[0]);
    check(probe, Format::Rgba32F, 0..1, probed.collect());

    // The state keeps U, and the solution is added to the potential flows.
    let u: Vec<f64> = flow.operator.iter().map(|a| a[0]).collect();
    let state = u.iter().zip(flow.source(turn[0].into()));
    let state = state.flat_map(|(u, f)| [*u, 0.0, f, 0.0]).collect();
    let source = Pass::new(&kernels.source).set("turn", turn[0]);
    check(source, Format::Rgba32F, 0..12, state);
    let psi = stream_function(&nodes, &u, motion.map(f64::from));
    check(Pass::new(&kernels.stream_function), Format::R32F, 0..12, psi);
}

/// To the roundings of some dozen operations on numbers of size one.
#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1.0f64, |most, v| most.max(v.abs()));
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() < 2e-6 * largest, "{index}: {a} for {b}");
    }
}

/// The nodes of a grid of 33 columns and 17 rows with these steps.
fn nodes(machine: &Machine, metric: &Metric, step: [f64; 2]) -> Vec<[f32; 4]> {
    let kernels = WingKernels::new(machine, metric).expect("kernels");
    let target = Stream::zeros(machine, "nodes", (33, 17), Format::Rgba32F).expect("a stream");
    Pass::new(&kernels.nodes)
        .set("spacing", step.map(|step| step as f32))
        .set("period", 16.0)
        .draw(&target, target.full())
        .expect("nodes");
    target.read().expect("data").as_chunks().0.to_vec()
}

#[test]
fn coordinates_on_the_machine_are_those_of_the_body() {
    let machine = machine();
    let cambered = Body::Airfoil(Joukowski::new(0.1, 0.1, 0.05, 0.4));
    for body in [Body::Cylinder, airfoil(), cambered] {
        let step = [(10.0 / body.circle_radius()).ln() / 32.0, TAU / 16.0];
        let nodes = nodes(&machine, &body.metric(), step);
        for (node, texel) in nodes.iter().enumerate() {
            let (xi, eta) = ((node % 33) as f64 * step[0], (node / 33) as f64 * step[1]);
            let [x, y] = body.place(xi, eta);
            let length = x.hypot(y).max(1.0);
            assert!((f64::from(texel[0]) - x).abs() < 1e-5 * length, "{body:?}");
            assert!((f64::from(texel[1]) - y).abs() < 1e-5 * length, "{body:?}");
            let area = body.stretch(xi, eta).powi(2);
            assert!((f64::from(texel[2]) / area - 1.0).abs() < 1e-4, "{body:?}");
            // A driver may divide with an error of an ulp.
            assert!((texel[3] - 1.0).abs() < 1e-6, "{body:?}");
        }
        assert_eq!(nodes[..33], nodes[16 * 33..], "the last row is the first");
    }
}

#[test]
fn coordinates_need_not_be_conformal() {
    let text = "vec3 metric(vec2 p) { return vec3(2.0, 0.5 + p.x, 1.0); }\n\
                vec2 place(vec2 p) { return p; }\n\
                vec2 coordinates(vec2 z) { return z; }";
    let nodes = nodes(&machine(), &Metric::of_text("mine", text), [0.25, 0.5]);
    for (node, texel) in nodes.iter().enumerate() {
        let across = 0.5 + 0.25 * (node % 33) as f32;
        assert_eq!(texel[2..], [2.0 * across, across / 2.0]);
    }
}

#[test]
fn coordinates_on_the_machine_are_the_inverse_of_places() {
    let machine = machine();
    let cambered = Body::Airfoil(Joukowski::new(0.1, 0.1, 0.05, 0.4));
    for body in [Body::Cylinder, airfoil(), cambered] {
        let program = "void main() {\n\
                       vec2 p = vec2(0.1, 0.098174770424681) * (here - 0.5);\n\
                       vec2 difference = coordinates(place(p)) - p;\n\
                       float turns = difference.y / 6.283185307179586;\n\
                       result = vec4(difference.x, turns - floor(turns + 0.5), 0.0, 0.0);\n}";
        let text = format!("{}\n{program}", body.metric().glsl());
        let source = user_source("inverse", text, Limits::NV30).expect("a program");
        let kernel = machine.kernel(&source, &[]).expect("a kernel");
        let target =
            Stream::zeros(&machine, "difference", (40, 65), Format::Rgba32F).expect("a stream");
        Pass::new(&kernel).draw(&target, target.full()).expect("a pass");
        let texels = target.read().expect("data");
        let off = texels.iter().fold(0.0_f32, |worst, value| worst.max(value.abs()));
        // Next to the trailing edge the map squares distances: of a place known to seven digits
        // its inverse is known to four.
        assert!(off < 1e-3, "{body:?}: {off}");
    }
}

#[test]
fn the_picture_has_the_colour_of_the_vorticity_at_rest_and_the_wing_is_grey() {
    let program = interpreted(&[
        Body::Cylinder.metric().glsl(),
        "#define COORDINATES(z) coordinates(z)",
        include_str!("../../../glsl/stream/catmull_rom.glsl"),
        include_str!("../../../glsl/view/signed.glsl"),
        include_str!("../../../glsl/goodnight2003/wing/picture.frag"),
    ]);
    // A vorticity that cubics between nodes reproduce across, and on fine rows nearly so along the wing.
    let (columns, rows) = (9, 65);
    let spacing = [0.25, TAU / 64.0];
    let smooth = |[xi, eta]: [f64; 2]| 0.9 * xi * xi - 0.8 * (eta - 0.3).cos();
    let nodes = (0..columns * rows).map(|node| [node % columns, node / columns]);
    let values = nodes.map(|node| smooth([0, 1].map(|axis| node[axis] as f64 * spacing[axis])));
    let vorticity = Texture::new((columns, rows), 1, values.collect());
    let (corner, step, pivot, angle): (_, _, _, f64) = ([-2.0, -1.8], 0.24, [0.1, 0.2], 0.3);
    let (turn, most) = (0.25, 2.5);
    let size = (17, 15);
    let run = Run::<f64>::new(&program)
        .read("vorticity", &vorticity)
        .set("size", [columns as f64, rows as f64])
        .set("spacing", spacing)
        .set("corner", corner)
        .set("sample_step", [step])
        .set("pivot", pivot)
        .set("axis", [angle.cos(), angle.sin()])
        .set("double_turn", [turn])
        .set("most", [most]);
    let mut seen = [0; 3];
    for (number, texel) in (0..).zip(drawn(run, size)) {
        let sample = [number % size.0, number / size.0].map(|at| f64::from(at) + 0.5);
        let [x, y] = [0, 1].map(|axis| corner[axis] + step * sample[axis] - pivot[axis]);
        // Turned back by the wing's angle.
        let z = [angle.cos() * x + angle.sin() * y, angle.cos() * y - angle.sin() * x];
        let place = [(2.0 * z[0].hypot(z[1])).ln(), z[1].atan2(z[0]).rem_euclid(TAU)];
        let value = smooth(place) + turn;
        let share = (value.abs() / most).powf(0.75);
        let [middle, bright] = match value < 0.0 {
            true => [[0.02, 0.17, 0.55], [0.55, 0.88, 1.0]],
            false => [[0.62, 0.16, 0.02], [1.0, 0.86, 0.48]],
        };
        let dark = [0.006, 0.007, 0.012];
        let (expected, kind) = match place[0] < 0.0 {
            true => ([0.45; 3], 2),
            false if share < 0.5 => (mix(dark, middle, 2.0 * share), usize::from(value < 0.0)),
            false => (mix(middle, bright, (2.0 * share - 1.0).min(1.0)), usize::from(value < 0.0)),
        };
        seen[kind] += 1;
        // Next to the wing there is no node behind the first one, and the slope there is one-sided.
        let bound = if place[0] < spacing[0] { 1e-2 } else { 1e-3 };
        for channel in 0..3 {
            let off = (texel[channel] - expected[channel]).abs();
            assert!(off < bound, "{texel:?} for {expected:?} at {place:?}");
        }
    }
    assert!(seen.into_iter().all(|count| count > 8), "{seen:?}");
}

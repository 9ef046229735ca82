//! The kernels of the flapping wing (goodnight2003, section 5.3) against their twins, and the
//! coordinates against those of the body.

use crate::common::machine;

use crate::wing_common::*;
use fragstream::card::dialect::user_source;
use fragstream::goodnight2003::wing::kernels::WingKernels;
use fragstream::goodnight2003::wing::twin::{self, Lattice, Node, Step, Vorticity};
use fragstream::goodnight2003::wing::{Body, Joukowski};
use fragstream::random::SplitMix64;
use fragstream::stream::{Format, Machine, Pass, Rect, Stream};

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

/// Random data of a lattice: as streams, and as the twins take it.
struct Data {
    lattice: Lattice<f32>,
    nodes: Vec<Node<f32>>,
    operator: Vec<[f32; 4]>,
    vorticity: Vec<Vorticity<f32>>,
    psi: Vec<f32>,
    streams: [Stream; 4],
}

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
        let vorticity = field(random, size, 2);
        let psi = field(random, size, 1);
        let stream = |label, format, data: &[f32]| {
            let size = (size.0 as u32, size.1 as u32);
            Stream::from_data(machine, label, size, format, data).expect("a stream")
        };
        Self {
            lattice: Lattice {
                columns: size.0,
                rows: size.1,
                step_xi: 0.125,
                step_eta: 0.5,
            },
            streams: [
                stream("nodes", Format::Rgba32F, &nodes),
                stream("operator", Format::Rgba32F, &operator),
                stream("vorticity", Format::Rg32F, &vorticity),
                stream("psi", Format::R32F, &psi),
            ],
            nodes: nodes
                .chunks_exact(4)
                .map(|n| Node {
                    place: [n[0], n[1]],
                    area: n[2],
                    ratio: n[3],
                })
                .collect(),
            operator: operator
                .chunks_exact(4)
                .map(|a| [a[0], a[1], a[2], a[3]])
                .collect(),
            vorticity: vorticity
                .chunks_exact(2)
                .map(|z| Vorticity {
                    value: z[0],
                    tendency: z[1],
                })
                .collect(),
            psi,
        }
    }

    fn size(&self) -> [f32; 2] {
        [self.lattice.columns as f32, self.lattice.rows as f32]
    }

    fn zeros(&self, machine: &Machine, format: Format) -> Stream {
        let size = (self.lattice.columns as u32, self.lattice.rows as u32);
        Stream::zeros(machine, "result", size, format).expect("a stream")
    }

    fn columns(&self, machine: &Machine, x: usize, width: usize) -> fragstream::stream::Rects {
        let rect = Rect {
            x: x as u32,
            y: 0,
            width: width as u32,
            height: self.lattice.rows as u32,
        };
        machine.rect(rect).expect("a rectangle")
    }
}

/// That what a kernel wrote is what its twin says, but for rounding.
fn assert_same(what: &str, kernel: &[f32], twin: &[f32], scale: f32) {
    assert_eq!(kernel.len(), twin.len(), "{what}");
    for (index, (a, b)) in kernel.iter().zip(twin).enumerate() {
        let bound = 16.0 * f32::EPSILON * scale;
        assert!(
            (a - b).abs() <= bound,
            "{what} at {index}: {a} for {b} (bound {bound})"
        );
    }
}

const SIZES: [(usize, usize); 6] = [(4, 3), (5, 9), (9, 5), (33, 17), (10, 33), (64, 65)];

#[test]
fn kernels_do_what_their_twins_do() {
    let machine = machine();
    let kernels = WingKernels::new(&machine, &Body::Cylinder.metric()).expect("kernels");
    for (seed, size) in SIZES.into_iter().enumerate() {
        let data = Data::new(&machine, size, seed as u64 + 1);
        let (columns, rows) = size;
        let lattice = &data.lattice;
        let [nodes, operator, vorticity, psi] = &data.streams;
        let cell = lattice.step_xi * lattice.step_eta;
        let step = Step {
            weights: [0.3, -0.1],
            viscosity: 0.2,
            turn: [0.4, 0.6],
        };

        let target = data.zeros(&machine, Format::Rg32F);
        Pass::new(&kernels.transport)
            .read("vorticity", vorticity)
            .read("psi", psi)
            .read("nodes", nodes)
            .read("operator", operator)
            .set("size", data.size())
            .set("cell", cell)
            .set("viscosity", step.viscosity)
            .set("weights", step.weights)
            .set("turn", step.turn)
            .draw(&target, &data.columns(&machine, 1, columns - 2))
            .expect("transport");
        Pass::new(&kernels.far)
            .read("vorticity", vorticity)
            .read("psi", psi)
            .set("size", data.size())
            .set("turn", step.turn)
            .draw(&target, &data.columns(&machine, columns - 1, 1))
            .expect("far");
        let mut expected = twin::transport(
            lattice,
            &data.nodes,
            &data.operator,
            &data.vorticity,
            &data.psi,
            &step,
        );
        expected
            .iter_mut()
            .step_by(columns)
            .for_each(|z| *z = Vorticity::default());
        let flat: Vec<f32> = expected
            .iter()
            .flat_map(|z| [z.value, z.tendency])
            .collect();
        // Up to forty terms of up to about one, over a volume of at least 1/32.
        assert_same(
            "transport",
            &target.read().expect("data"),
            &flat,
            32.0 * 8.0,
        );

        let target = data.zeros(&machine, Format::Rg32F);
        Pass::new(&kernels.wall)
            .read("vorticity", vorticity)
            .read("psi", psi)
            .read("nodes", nodes)
            .set("step_xi", lattice.step_xi)
            .draw(&target, &data.columns(&machine, 0, 1))
            .expect("wall");
        let expected = twin::wall(lattice, &data.nodes, &data.vorticity, &data.psi);
        let first = |all: &[f32]| -> Vec<f32> {
            all.chunks_exact(2 * columns)
                .flat_map(|row| [row[0], row[1]])
                .collect()
        };
        let flat: Vec<f32> = expected
            .iter()
            .flat_map(|z| [z.value, z.tendency])
            .collect();
        assert_same(
            "wall",
            &first(&target.read().expect("data")),
            &first(&flat),
            1000.0,
        );

        let state = field(&mut SplitMix64::new(77), size, 4);
        let shape = (columns as u32, rows as u32);
        let state =
            Stream::from_data(&machine, "state", shape, Format::Rgba32F, &state).expect("a stream");
        let target = data.zeros(&machine, Format::Rgba32F);
        Pass::new(&kernels.source)
            .read("state", &state)
            .read("vorticity", vorticity)
            .read("nodes", nodes)
            .set("size", data.size())
            .set("cell", cell)
            .set("turn", 0.7)
            .draw(&target, &data.columns(&machine, 0, columns))
            .expect("source");
        let (old, new) = (state.read().expect("data"), target.read().expect("data"));
        let channel = |all: &[f32], k: usize| -> Vec<f32> {
            all.iter().skip(k).step_by(4).copied().collect()
        };
        assert_eq!(channel(&old, 0), channel(&new, 0), "the solution stays");
        let expected = twin::source(lattice, &data.nodes, &data.vorticity, 0.7);
        assert_same("source", &channel(&new, 2), &expected, 1.0);

        let target = data.zeros(&machine, Format::R32F);
        Pass::new(&kernels.rate)
            .read("psi", psi)
            .read("nodes", nodes)
            .read("operator", operator)
            .set("size", data.size())
            .set("cell", cell)
            .set("viscosity", 0.2)
            .draw(&target, &data.columns(&machine, 1, columns - 2))
            .expect("rate");
        let expected = twin::rate(lattice, &data.nodes, &data.operator, &data.psi, 0.2);
        assert_same("rate", &target.read().expect("data"), &expected, 32.0 * 4.0);

        let target =
            Stream::zeros(&machine, "probe", (1, rows as u32), Format::Rgba32F).expect("a stream");
        Pass::new(&kernels.probe)
            .read("vorticity", vorticity)
            .read("psi", psi)
            .set("size", data.size())
            .set("turn", 0.4)
            .draw(&target, &data.columns(&machine, 0, 1))
            .expect("probe");
        let expected = twin::probe(lattice, &data.vorticity, &data.psi, 0.4);
        assert_same(
            "probe",
            &target.read().expect("data"),
            expected.as_flattened(),
            4.0,
        );

        let potentials = field(&mut SplitMix64::new(78), size, 4);
        let stream = Stream::from_data(&machine, "flows", shape, Format::Rgba32F, &potentials)
            .expect("a stream");
        let target = data.zeros(&machine, Format::R32F);
        let motion = [1.0, -0.4, 0.3, 0.2];
        Pass::new(&kernels.stream_function)
            .read("potentials", &stream)
            .read("solution", &state)
            .set("motion", motion)
            .draw(&target, &data.columns(&machine, 0, columns))
            .expect("psi");
        let flows: Vec<[f32; 4]> = potentials
            .chunks_exact(4)
            .map(|p| [p[0], p[1], p[2], p[3]])
            .collect();
        let expected = twin::stream_function(&flows, &channel(&old, 0), motion);
        assert_same("psi", &target.read().expect("data"), &expected, 2.0);
    }
}

#[test]
fn coordinates_on_the_machine_are_those_of_the_body() {
    let machine = machine();
    let cambered = Body::Airfoil(Joukowski::new(0.1, 0.1, 0.05, 0.4));
    for body in [Body::Cylinder, airfoil(), cambered] {
        let kernels = WingKernels::new(&machine, &body.metric()).expect("kernels");
        let lattice = lattice(&body, 33, 17, 10.0);
        let target = Stream::zeros(&machine, "nodes", (33, 17), Format::Rgba32F).expect("a stream");
        Pass::new(&kernels.nodes)
            .set("spacing", [lattice.step_xi as f32, lattice.step_eta as f32])
            .set("period", 16.0)
            .draw(&target, &machine.rect(target.full()).expect("a rectangle"))
            .expect("nodes");
        let texels = target.read().expect("data");
        for (texel, node) in texels.chunks_exact(4).zip(nodes(&body, &lattice)) {
            let [x, y] = node.place;
            let length = x.hypot(y).max(1.0);
            assert!((f64::from(texel[0]) - x).abs() < 1e-5 * length, "{body:?}");
            assert!((f64::from(texel[1]) - y).abs() < 1e-5 * length, "{body:?}");
            assert!(
                (f64::from(texel[2]) / node.area - 1.0).abs() < 1e-4,
                "{body:?}"
            );
            assert_eq!(texel[3], 1.0);
        }
        let row = 4 * 33;
        assert_eq!(
            texels[..row],
            texels[16 * row..],
            "the last row is the first"
        );
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
        let source = user_source("inverse", text).expect("a program");
        let kernel = machine.kernel(&source, &[]).expect("a kernel");
        let target =
            Stream::zeros(&machine, "difference", (40, 65), Format::Rgba32F).expect("a stream");
        Pass::new(&kernel)
            .draw(&target, &machine.rect(target.full()).expect("a rectangle"))
            .expect("a pass");
        let texels = target.read().expect("data");
        let off = texels
            .iter()
            .fold(0.0_f32, |worst, value| worst.max(value.abs()));
        // Next to the trailing edge the map squares distances: of a place known to seven digits
        // its inverse is known to four.
        println!("{off:.1e}");
        assert!(off < 1e-3, "{body:?}: {off}");
    }
}

#[test]
fn a_uniform_vorticity_is_carried_nowhere() {
    let machine = machine();
    let mut data = Data::new(&machine, (12, 17), 5);
    data.vorticity.iter_mut().for_each(|z| z.value = 3.0);
    let step = Step {
        weights: [1.0, 0.0],
        viscosity: 1.0,
        turn: [0.0; 2],
    };
    let next = twin::transport(
        &data.lattice,
        &data.nodes,
        &data.operator,
        &data.vorticity,
        &data.psi,
        &step,
    );
    for (i, z) in next
        .iter()
        .enumerate()
        .filter(|(i, _)| i % 12 != 0 && i % 12 != 11)
    {
        assert!(z.tendency.abs() < 2e-4, "{i}: {}", z.tendency);
    }
}

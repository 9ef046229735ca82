//! The kernels of the flapping wing (goodnight2003, section 5.3) compute what they say, and the
//! coordinates are those of the body.

use crate::common::machine;
use crate::witness::assert_faithful;

use crate::wing_common::*;
use fragstream::card::dialect::user_source;
use fragstream::goodnight2003::wing::kernels::WingKernels;
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

/// Random data of a lattice with steps of 1/8 and 1/2.
struct Data<'m> {
    machine: &'m Machine,
    size: (usize, usize),
    nodes: Stream,
    operator: Stream,
    vorticity: Stream,
    psi: Stream,
}

const STEPS: [f32; 2] = [0.125, 0.5];

impl<'m> Data<'m> {
    fn new(machine: &'m Machine, size: (usize, usize), seed: u64) -> Self {
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
            machine,
            size,
            nodes: stream(Format::Rgba32F, &nodes),
            operator: stream(Format::Rgba32F, &operator),
            vorticity: stream(Format::Rg32F, &field(random, size, 2)),
            psi: stream(Format::R32F, &field(random, size, 1)),
        }
    }

    fn records(&self, seed: u64) -> Stream {
        let size = (self.size.0 as u32, self.size.1 as u32);
        let data = field(&mut SplitMix64::new(seed), self.size, 4);
        Stream::from_data(self.machine, "data", size, Format::Rgba32F, &data).expect("a stream")
    }

    /// Runs a kernel for some columns of a target of zeros.
    fn draw(&self, pass: Pass<'_>, format: Format, (x, width): (usize, usize)) -> Stream {
        let size = (self.size.0 as u32, self.size.1 as u32);
        let target = Stream::zeros(self.machine, "result", size, format).expect("a stream");
        let rect = Rect {
            x: x as u32,
            y: 0,
            width: width as u32,
            height: size.1,
        };
        let columns = self.machine.rect(rect).expect("a rectangle");
        pass.draw(&target, &columns).expect("a pass");
        target
    }

    fn transport(&self, kernels: &WingKernels, weights: [f32; 2], turn: [f32; 2]) -> Stream {
        let pass = Pass::new(&kernels.transport)
            .read("vorticity", &self.vorticity)
            .read("psi", &self.psi)
            .read("nodes", &self.nodes)
            .read("operator", &self.operator)
            .set("size", [self.size.0 as f32, self.size.1 as f32])
            .set("cell", STEPS[0] * STEPS[1])
            .set("viscosity", 0.2)
            .set("weights", weights)
            .set("turn", turn);
        self.draw(pass, Format::Rg32F, (1, self.size.0 - 2))
    }
}

const SIZES: [(usize, usize); 6] = [(4, 3), (5, 9), (9, 5), (33, 17), (10, 33), (64, 65)];

#[test]
fn kernels_do_what_they_say() {
    let machine = machine();
    let kernels = WingKernels::new(&machine, &Body::Cylinder.metric()).expect("kernels");
    let programs = [
        "goodnight2003/wing_transport",
        "goodnight2003/wing_far",
        "goodnight2003/wing_wall",
        "goodnight2003/wing_source",
        "goodnight2003/wing_rate",
        "goodnight2003/wing_probe",
        "goodnight2003/wing_stream_function",
    ];
    for (seed, size) in SIZES.into_iter().enumerate() {
        let data = Data::new(&machine, size, seed as u64 + 1);
        assert_faithful(&programs, || run_all(&kernels, &data));
    }
}

fn run_all(kernels: &WingKernels, data: &Data<'_>) {
    let (columns, rows) = data.size;
    let (extent, cell) = ([columns as f32, rows as f32], STEPS[0] * STEPS[1]);
    data.transport(kernels, [0.3, -0.1], [0.4, 0.6]);
    let far = Pass::new(&kernels.far)
        .read("vorticity", &data.vorticity)
        .read("psi", &data.psi)
        .set("size", extent)
        .set("turn", [0.4, 0.6]);
    data.draw(far, Format::Rg32F, (columns - 1, 1));
    let wall = Pass::new(&kernels.wall)
        .read("vorticity", &data.vorticity)
        .read("psi", &data.psi)
        .read("nodes", &data.nodes)
        .set("step_xi", STEPS[0]);
    data.draw(wall, Format::Rg32F, (0, 1));
    let state = data.records(77);
    let source = Pass::new(&kernels.source)
        .read("state", &state)
        .read("vorticity", &data.vorticity)
        .read("nodes", &data.nodes)
        .set("size", extent)
        .set("cell", cell)
        .set("turn", 0.7);
    data.draw(source, Format::Rgba32F, (0, columns));
    let rate = Pass::new(&kernels.rate)
        .read("psi", &data.psi)
        .read("nodes", &data.nodes)
        .read("operator", &data.operator)
        .set("size", extent)
        .set("cell", cell)
        .set("viscosity", 0.2);
    data.draw(rate, Format::R32F, (1, columns - 2));
    let probe = Pass::new(&kernels.probe)
        .read("vorticity", &data.vorticity)
        .read("psi", &data.psi)
        .set("size", extent)
        .set("turn", 0.4);
    data.draw(probe, Format::Rgba32F, (0, 1));
    let potentials = data.records(78);
    let psi = Pass::new(&kernels.stream_function)
        .read("potentials", &potentials)
        .read("solution", &state)
        .set("motion", [1.0, -0.4, 0.3, 0.2]);
    data.draw(psi, Format::R32F, (0, columns));
}

#[test]
fn a_uniform_vorticity_is_carried_nowhere() {
    let machine = machine();
    let kernels = WingKernels::new(&machine, &Body::Cylinder.metric()).expect("kernels");
    let data = Data::new(&machine, (12, 17), 5);
    data.vorticity.fill([3.0, 0.0, 0.0, 0.0]);
    let next = data
        .transport(&kernels, [1.0, 0.0], [0.0; 2])
        .read()
        .expect("data");
    for (i, z) in next.chunks_exact(2).enumerate() {
        assert!(z[1].abs() < 2e-4, "{i}: {}", z[1]);
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

//! Results follow their input: scaled by a power of two, moved, renumbered, or with x and y exchanged.
//!
//! | command | change | the result | bound of the difference |
//! |---|---|---|---|
//! | `solve` | b × 2ᵏ; A × 2ᵏ | x × 2ᵏ; x × 2⁻ᵏ | 0: scaling by a power of two is exact |
//! | `solve` | rows and columns permuted | x permuted | 2 rtol ‖b‖ ‖A⁻¹‖: both residuals are within the tolerance |
//! | `fem` | f and u on the boundary × 2ᵏ; the mesh × 2ᵏ and f × 2⁻²ᵏ | u × 2ᵏ; u | 0 |
//! | `fem` | the mesh moved by ±2²⁰ of its sizes | u | 0: its coordinates have 6 bits, and differences of them are exact |
//! | `fem` | vertices, cells, names permuted; x and y exchanged | u at the same points | 2 rtol κ ‖u‖, κ ≤ 2 / h²; where two prescribed parts meet, the order of the options decides |
//! | `poisson` | g × 2ᵏ | u × 2ᵏ | 0 by a formula; 2⁻¹⁴⁹, the spacing of the smallest 32-bit floats, in files of them, which hold 2^±120 |
//! | `poisson` | x and y exchanged | u exchanged | 2 rtol ‖g‖ / (σ + 4), and 2⁻²³ of u written in 32 bits |
//! | `heat` | temperatures and sources × 2ᵏ | T × 2ᵏ | 0; refused where they are not finite in single precision |
//! | `heat` | a side α T + β ∂T/∂n = 15 α, α from 1 to 1e9 | tends to T = 15 | β/α of the slope (goodnight2003/heat.rs) |
//! | `heat` | x and y exchanged | T exchanged | 2 tolerance / 4 sin²(πh/2), that is, over the smallest eigenvalue |
//! | `tonemap` | luminance × 2ᵏ | the same picture | 0: it depends on ratios |
//! | `tonemap` | x and y exchanged | the picture exchanged | 1 of 255: a neighbouring shade |
//! | `liquid` | lengths and gravity × 2ᵏ | volume × 2³ᵏ, pressure × 2²ᵏ | 2⁻²³ per step: the pressure is in single precision. Lengths × 2^±120 are refused: their squares are not in it |
//! | `smooth` | the mesh × 2ᵏ | positions × 2ᵏ | 0 |
//! | `smooth` | the mesh moved by ±2²⁰ of its sizes | positions moved | 2⁻³²: a sum in double precision near 2²⁰ |
//! | `smooth` | vertices, faces, corners permuted; x and y exchanged | the same | rtol and 2⁻²³ of the size |
//!
//! Commands without a row, and the reason:
//!
//! | command | reason |
//! |---|---|
//! | `wing` | dimensionless: lengths in chords, speeds in that of the stream, the viscosity as a Reynolds number |
//! | `jet`, `dye` | dimensionless: lengths in cells, and a fixed number of cycles or iterations per step; nothing is called converged |
//! | `water` | dimensionless: a Courant number and a share; heights are those of its own drops, and iterations are counted |
//! | `cycle` | dimensionless: it reads nothing, and its source and sink have the strengths 1 and -1 |
//! | `film`, `view`, `run` | they run what is above |
//! | `layouts` | nothing is called converged but by `solve`; errors are relative to double precision |
//! | `reproduce`, `list`, `card`, `aged`, `bench`, `info`, `listing`, `kit` | they solve no problem of the user's |
//!
//! The equation of `tonemap` is dimensionless, too: logarithms of ratios of luminance, at most 177 in single precision,
//! whose squares it holds.

use std::fmt::Write;
use std::fs;

use crate::command::support::*;
use fragstream::base::random::SplitMix64;
use fragstream::command::grammar;
use fragstream::io::matrix_market::read_vector;
use fragstream::io::raw::{read_floats, write_floats};
use image::{ImageFormat, Rgb, Rgb32FImage};
use tempfile::{TempDir, tempdir};

/// k of the factors 2ᵏ: small ones, and those beyond which a square or a tolerance leaves the range of floats.
const POWERS: [i32; 4] = [-120, -8, 8, 120];

/// k of the factors 2ᵏ of quantities that are in double precision throughout.
const FAR: [i32; 4] = [-1000, -120, 8, 1000];

/// Distances, in sizes of a mesh, by which it is moved.
const SHIFTS: [f64; 2] = [-1_048_576.0, 1_048_576.0];

const SEEDS: [u64; 2] = [1, 2];

/// Every second one of these, or all at night.
fn some<T: Copy>(all: &[T]) -> impl Iterator<Item = T> {
    all.iter().copied().step_by(if all_calls() { 1 } else { 2 })
}

#[test]
fn every_command_has_a_row_or_a_reason() {
    let table: Vec<&str> =
        include_str!("invariance.rs").lines().take_while(|l| l.starts_with("//!")).collect();
    let first = |line: &&str| line.split('|').nth(1).unwrap_or_default().to_owned();
    let commands: String = table.iter().map(first).collect();
    for command in grammar().get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("`{}`", command.get_name());
        assert!(commands.contains(&name), "{name} is not in the table");
    }
}

fn two(k: i32) -> f64 {
    2.0_f64.powi(k)
}

/// 0, 1, …, n − 1 in a random order.
fn order(n: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    SplitMix64::new(seed).shuffle(&mut order);
    order
}

fn norm(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Checks that `got` is `expected` times `factor`.
fn follows(what: &str, got: &[f64], expected: &[f64], factor: f64) {
    assert_eq!(got.len(), expected.len(), "{what}");
    assert!(expected.iter().any(|&v| v != 0.0), "{what}");
    for (got, expected) in got.iter().zip(expected) {
        assert_eq!(*got, factor * expected, "{what}");
    }
}

/// x of a tridiagonal system in the order of `rows`.
fn solved(folder: &TempDir, of_matrix: f64, of_b: f64, rows: &[usize]) -> Vec<f64> {
    let n = rows.len();
    let mut place = vec![0; n];
    rows.iter().enumerate().for_each(|(at, &row)| place[row] = at + 1);
    let mut a = format!("{HEADER}{n} {n} {}\n", 3 * n - 2);
    for row in 0..n {
        for column in row.saturating_sub(1)..n.min(row + 2) {
            let entry = if row == column { 2.0 } else { -1.0 } * of_matrix;
            writeln!(a, "{} {} {entry:e}", place[row], place[column]).unwrap();
        }
    }
    let mut b = format!("%%MatrixMarket matrix array real general\n{n} 1\n");
    for &row in rows {
        writeln!(b, "{:e}", of_b * (1.0 + (7 * row % 11) as f64)).unwrap();
    }
    fs::write(folder.path().join("a.mtx"), a).unwrap();
    fs::write(folder.path().join("b.mtx"), b).unwrap();
    succeeds(&mut fragstream(folder, "solve a.mtx --rhs b.mtx --out x.mtx"));
    read_vector(&folder.path().join("x.mtx")).unwrap()
}

#[test]
fn solutions_of_systems_follow_b_a_and_the_order_of_rows() {
    let (folder, n) = (tempdir().unwrap(), 24);
    let plain: Vec<usize> = (0..n).collect();
    let x = solved(&folder, 1.0, 1.0, &plain);
    for k in some(&FAR) {
        follows(&format!("b 2^{k}"), &solved(&folder, 1.0, two(k), &plain), &x, two(k));
        follows(&format!("A 2^{k}"), &solved(&folder, two(k), 1.0, &plain), &x, two(-k));
    }
    let smallest = 2.0 - 2.0 * (std::f64::consts::PI / (n + 1) as f64).cos();
    let bound = 2e-8 * norm(plain.iter().map(|row| 1.0 + (7 * row % 11) as f64)) / smallest;
    for seed in some(&SEEDS) {
        let rows = order(n, seed);
        let found = solved(&folder, 1.0, 1.0, &rows);
        let difference = norm(rows.iter().zip(&found).map(|(&row, found)| found - x[row]));
        assert!(difference <= bound, "{seed}: {difference:e} {bound:e}");
    }
}

/// Form in which a mesh is written.
#[derive(Clone)]
struct Written {
    scale: f64,
    shift: f64,
    seed: Option<u64>,
    is_exchanged: bool,
}

const AS_GIVEN: Written = Written { scale: 1.0, shift: 0.0, seed: None, is_exchanged: false };

impl Written {
    fn order(&self, n: usize) -> Vec<usize> {
        self.seed.map_or_else(|| (0..n).collect(), |seed| order(n, seed))
    }

    fn position(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [x, y] = [x + self.shift, y - 2.0 * self.shift].map(|v| v * self.scale);
        if self.is_exchanged { [y, x] } else { [x, y] }
    }

    /// The position before all changes.
    fn origin(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [x, y] = if self.is_exchanged { [y, x] } else { [x, y] };
        let [x, y] = [x, y].map(|v| v / self.scale);
        [x - self.shift, y + 2.0 * self.shift]
    }
}

/// Cells per side of the mesh, and those of its finest level.
const CELLS: [usize; 2] = [4, 16];

/// The unit square of quadrilaterals whose inner vertices are moved, in Gmsh's format.
fn gmsh(written: &Written) -> String {
    let (n, side) = (CELLS[0], CELLS[0] + 1);
    let mut random = SplitMix64::new(9);
    let points: Vec<[f64; 2]> = (0..side * side)
        .map(|vertex| {
            let is_inner = |i: usize| i > 0 && i < n;
            let (i, j) = (vertex % side, vertex / side);
            let by = [0, 1].map(|_| random.below(5) as f64 - 2.0);
            let by = if is_inner(i) && is_inner(j) { by } else { [0.0; 2] };
            [i as f64 / 4.0 + by[0] / 64.0, j as f64 / 4.0 + by[1] / 64.0]
        })
        .collect();
    let vertices = written.order(points.len());
    let mut number = vec![0; points.len()];
    vertices.iter().enumerate().for_each(|(at, &vertex)| number[vertex] = at + 1);
    let names = ["floor", "wall", "lid", "hot side"];
    let tags = written.order(names.len());
    let mut text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n".to_owned();
    for &name in &tags {
        writeln!(text, "1 {} \"{}\"", tags[name] + 1, names[name]).unwrap();
    }
    writeln!(text, "$EndPhysicalNames\n$Nodes\n{}", points.len()).unwrap();
    for (at, &vertex) in vertices.iter().enumerate() {
        let [x, y] = written.position(points[vertex]);
        writeln!(text, "{} {x:e} {y:e} 0", at + 1).unwrap();
    }
    let mut elements = Vec::new();
    let mut element = |kind: usize, tag: usize, corners: &[usize]| {
        let corners: Vec<String> = corners.iter().map(|&v| number[v].to_string()).collect();
        elements.push(format!("{kind} 2 {tag} {tag} {}", corners.join(" ")));
    };
    for k in 0..n {
        let sides = [[k, k + 1], [k * side, (k + 1) * side], [n * side + k, n * side + k + 1]];
        let hot = [k * side + n, (k + 1) * side + n];
        for (name, ends) in sides.into_iter().chain([hot]).enumerate() {
            element(1, tags[name] + 1, &ends);
        }
    }
    for cell in 0..n * n {
        let first = cell / n * side + cell % n;
        element(3, 9, &[first, first + 1, first + side + 1, first + side]);
    }
    writeln!(text, "$EndNodes\n$Elements\n{}", elements.len()).unwrap();
    for (at, element) in written.order(elements.len()).into_iter().enumerate() {
        writeln!(text, "{} {}", at + 1, elements[element]).unwrap();
    }
    text + "$EndElements\n"
}

/// Numbers of an array of a VTK file.
fn array(text: &str, name: &str) -> Vec<f64> {
    let (_, rest) = text.split_once(name).unwrap();
    let (_, rest) = rest.split_once('>').unwrap();
    let (numbers, _) = rest.split_once("</DataArray>").unwrap();
    numbers.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

/// u at all points in the order of their original positions.
fn on_mesh(folder: &TempDir, written: &Written, of_u: f64, rtol: f64) -> Vec<f64> {
    fs::write(folder.path().join("m.msh"), gmsh(written)).unwrap();
    // With u in units of f times a length squared.
    let f = of_u / (written.scale * written.scale);
    let mut command = fragstream(folder, "fem m.msh --levels 3 --out u.vtu");
    // At the corners of the lid two values are prescribed.
    let [hot, lid] = [("hot side", 4.0), ("lid", 2.0)]
        .map(|(name, divisor)| format!("{name}={:e}", of_u / divisor));
    command.args([
        "--rhs",
        &format!("{f:e}"),
        "--dirichlet",
        &hot,
        "--dirichlet",
        &lid,
        "--dirichlet",
        "wall=0",
    ]);
    succeeds(command.args(["--neumann", "0", "--rtol", &format!("{rtol:e}")]));
    let text = fs::read_to_string(folder.path().join("u.vtu")).unwrap();
    let points = array(&text, "NumberOfComponents=\"3\" format=\"ascii\"");
    let (points, _) = points.as_chunks::<3>();
    let mut all: Vec<([f64; 2], f64)> = points
        .iter()
        .zip(array(&text, "Name=\"u\" format=\"ascii\""))
        .map(|(&[x, y, _], u)| (written.origin([x, y]), u))
        .collect();
    assert_eq!(all.len(), (CELLS[1] + 1).pow(2));
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all.into_iter().map(|(_, u)| u).collect()
}

#[test]
fn finite_elements_follow_right_sides_boundary_values_and_meshes() {
    let folder = tempdir().unwrap();
    let u = on_mesh(&folder, &AS_GIVEN, 1.0, 1e-8);
    for k in some(&FAR) {
        follows(&format!("f 2^{k}"), &on_mesh(&folder, &AS_GIVEN, two(k), 1e-8), &u, two(k));
    }
    for k in some(&POWERS) {
        let scaled = Written { scale: two(k), ..AS_GIVEN };
        follows(&format!("mesh 2^{k}"), &on_mesh(&folder, &scaled, 1.0, 1e-8), &u, 1.0);
    }
    for shift in some(&SHIFTS) {
        let moved = Written { shift, ..AS_GIVEN };
        follows(&format!("moved by {shift}"), &on_mesh(&folder, &moved, 1.0, 1e-8), &u, 1.0);
    }
}

#[test]
fn finite_elements_do_not_depend_on_numbers_names_and_axes() {
    let (folder, rtol) = (tempdir().unwrap(), 1e-9);
    let u = on_mesh(&folder, &AS_GIVEN, 1.0, rtol);
    let bound = 2.0 * rtol * 2.0 * (CELLS[1] * CELLS[1]) as f64 * norm(u.iter().copied());
    let changed = |seed| Written { seed, is_exchanged: seed.is_none(), ..AS_GIVEN };
    for written in some(&SEEDS).map(Some).chain([None]).map(changed) {
        let other = on_mesh(&folder, &written, 1.0, rtol);
        let difference = norm(u.iter().zip(&other).map(|(u, other)| u - other));
        assert!(difference <= bound, "{:?}: {difference:e} {bound:e}", written.seed);
    }
}

/// u of `poisson` on a square for g times a factor.
fn of_poisson(folder: &TempDir, side: usize, sides: &str, g: &[f32]) -> Vec<f64> {
    write_floats(&folder.path().join("g.f32"), g.iter().copied()).unwrap();
    let line = format!(
        "poisson --size {side}x{side} --boundary {sides} --sigma 2 --rhs g.f32 --out u.f32"
    );
    succeeds(&mut fragstream(folder, &line));
    let u = read_floats(&folder.path().join("u.f32"), side * side).unwrap();
    u.into_iter().map(f64::from).collect()
}

#[test]
fn poisson_follows_its_right_side_and_the_exchange_of_x_and_y() {
    let (folder, side) = (tempdir().unwrap(), 33);
    let mut random = SplitMix64::new(4);
    // From 1/2 to 2, so that no 32-bit float is subnormal.
    let g: Vec<f32> =
        (0..side * side).map(|_| (0.5 + 1.5 * random.below(1000) as f64 / 1000.0) as f32).collect();
    let u = of_poisson(&folder, side, "d,n,n,d", &g);
    for k in some(&POWERS) {
        let scaled: Vec<f32> = g.iter().map(|g| g * two(k) as f32).collect();
        let found = of_poisson(&folder, side, "d,n,n,d", &scaled);
        for (found, u) in found.iter().zip(&u) {
            assert!((found - u * two(k)).abs() <= two(-149), "2^{k}: {found:e} {u:e}");
        }
    }
    let largest = |k: i32| {
        let line = format!("poisson --size {side}x{side} --rhs {:e}*sin(3*x+y)", two(k));
        number(&object(&folder, &line, 0), "/u_max")
    };
    let right = largest(0);
    for k in some(&FAR) {
        assert_eq!(largest(k), right * two(k), "2^{k}");
    }
    let exchanged = |place: usize| place % side * side + place / side;
    let of_g: Vec<f32> = (0..g.len()).map(|place| g[exchanged(place)]).collect();
    let found = of_poisson(&folder, side, "n,d,d,n", &of_g);
    let difference = norm((0..u.len()).map(|place| found[place] - u[exchanged(place)]));
    let bound = 2e-5 * norm(g.iter().map(|&g| f64::from(g))) / 6.0;
    let bound = bound + two(-23) * norm(u.iter().copied());
    assert!(difference <= bound, "{difference:e} {bound:e}");
}

/// T of a plate of unit size with a heater, whose temperatures and heat are multiplied.
fn of_heat(folder: &TempDir, factor: f64, is_exchanged: bool) -> (Vec<f64>, f64) {
    let names = ["west", "east", "south", "north"];
    let [west, east, south, north] =
        if is_exchanged { [2, 3, 0, 1] } else { [0, 1, 2, 3] }.map(|side: usize| names[side]);
    let at = |[x, y]: [f64; 2]| if is_exchanged { [y, x] } else { [x, y] };
    let ([x0, y0], [x1, y1]) = (at([0.25, 0.125]), at([0.5, 0.75]));
    let of = |value: f64| format!("{:e}", factor * value);
    let text = format!(
        "size = [33, 33]\nextent = [1.0, 1.0]\nconductivity = 2.0\n\
         [{west}]\nvalue = {}\n[{east}]\nvalue = {}\n[{south}]\nslope = {}\n\
         [{north}]\nalpha = 3.0\nbeta = 2.0\ngamma = {}\n\
         [[source]]\nfrom = [{x0:?}, {y0:?}]\nto = [{x1:?}, {y1:?}]\npower = {}\n",
        of(20.0),
        of(30.0),
        of(1.0),
        of(45.0),
        of(10.0),
    );
    fs::write(folder.path().join("plate.toml"), text).unwrap();
    let solved = object(folder, "heat plate.toml --csv t.csv", 0);
    let text = fs::read_to_string(folder.path().join("t.csv")).unwrap();
    let last = |line: &str| line.rsplit(',').next().unwrap().parse().unwrap();
    (text.lines().skip(1).map(last).collect(), number(&solved, "/tolerance"))
}

#[test]
fn temperatures_follow_heat_and_the_exchange_of_x_and_y() {
    let folder = tempdir().unwrap();
    let (t, tolerance) = of_heat(&folder, 1.0, false);
    // A scene's temperatures are finite in single precision.
    for k in some(&POWERS).chain([-1000]) {
        follows(&format!("2^{k}"), &of_heat(&folder, two(k), false).0, &t, two(k));
    }
    fs::write(folder.path().join("far.toml"), format!("[sides]\nvalue = {:e}\n", two(1000)))
        .unwrap();
    assert_says(
        &fails(&mut fragstream(&folder, "heat far.toml"), 2),
        &["far.toml", "single precision"],
    );
    let (exchanged, _) = of_heat(&folder, 1.0, true);
    let pairs = (0..t.len()).map(|place| exchanged[place % 33 * 33 + place / 33] - t[place]);
    let smallest = 4.0 * (std::f64::consts::PI / 64.0).sin().powi(2);
    let bound = 2.0 * tolerance / smallest;
    assert!(norm(pairs.clone()) <= bound, "{:e} {bound:e}", norm(pairs));
}

#[test]
fn tone_mapped_pictures_depend_on_ratios_of_luminance() {
    let folder = tempdir().unwrap();
    let pixel = |x: u32, y: u32, k: i32| {
        // Mantissas of the format are bytes.
        let value = |c: u32| (8 + (5 * x + 3 * y + 7 * c) % 100) as f32 / 8.0;
        let is_lit = if x > 10 && y > 6 { 8.0 } else { 1.0 };
        Rgb([0, 1, 2].map(|c| is_lit * value(c) * two(k) as f32))
    };
    let shown = |picture: Rgb32FImage| {
        picture.save_with_format(folder.path().join("a.hdr"), ImageFormat::Hdr).unwrap();
        succeeds(&mut fragstream(&folder, "tonemap a.hdr o.png"));
        image::open(folder.path().join("o.png")).unwrap().to_rgb8()
    };
    let plain = shown(Rgb32FImage::from_fn(24, 17, |x, y| pixel(x, y, 0)));
    for k in some(&POWERS) {
        let scaled = shown(Rgb32FImage::from_fn(24, 17, |x, y| pixel(x, y, k)));
        assert!(scaled == plain, "2^{k}");
    }
    let exchanged = shown(Rgb32FImage::from_fn(17, 24, |x, y| pixel(y, x, 0)));
    for (x, y, shade) in plain.enumerate_pixels() {
        let other = exchanged.get_pixel(y, x);
        assert!(shade.0.iter().zip(other.0).all(|(a, b)| a.abs_diff(b) <= 1), "{x} {y}");
    }
}

/// A ball of 32 vertices; three of them are not symmetric.
fn ball() -> (Vec<[f64; 3]>, Vec<[usize; 3]>) {
    let (rings, around) = (4, 8);
    let mut points = vec![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    for ring in 1..rings {
        for k in 0..around {
            let [theta, phi] =
                [ring as f64 / 4.0, k as f64 / 4.0].map(|v| v * std::f64::consts::PI);
            let radius = 1.0 + 0.2 * ((3 * ring + 5 * k) % 7) as f64 / 7.0;
            let at = [theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()];
            // A few bits, so that what is moved is exact.
            points.push(at.map(|v| (v * radius * 1024.0).round() / 1024.0));
        }
    }
    let at = |ring: usize, k: usize| 2 + (ring - 1) * around + k % around;
    let mut faces = Vec::new();
    for k in 0..around {
        faces.push([0, at(1, k), at(1, k + 1)]);
        faces.push([1, at(rings - 1, k + 1), at(rings - 1, k)]);
        for ring in 1..rings - 1 {
            faces.push([at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)]);
            faces.push([at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)]);
        }
    }
    (points, faces)
}

/// The positions of a ball after two steps, in the order and the place of those given.
fn smoothed(folder: &TempDir, written: &Written) -> Vec<[f64; 3]> {
    let (points, faces) = ball();
    let vertices = written.order(points.len());
    let mut number = vec![0; points.len()];
    let mut text = String::new();
    for (at, &vertex) in vertices.iter().enumerate() {
        number[vertex] = at + 1;
        let [x, y, z] = points[vertex];
        let [x, y] = written.position([x, y]);
        writeln!(text, "v {x:e} {y:e} {:e}", z * written.scale).unwrap();
    }
    for (turn, face) in written.order(faces.len()).into_iter().enumerate() {
        let corners = [0, 1, 2].map(|corner| {
            let turned = if written.seed.is_some() { corner + turn } else { corner };
            number[faces[face][turned % 3]]
        });
        writeln!(text, "f {} {} {}", corners[0], corners[1], corners[2]).unwrap();
    }
    fs::write(folder.path().join("a.obj"), text).unwrap();
    succeeds(&mut fragstream(folder, "smooth a.obj b.obj --steps 2 --rtol 1e-9"));
    let text = fs::read_to_string(folder.path().join("b.obj")).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
    let mut found = vec![[f64::NAN; 3]; points.len()];
    for (line, &vertex) in lines.zip(&vertices) {
        let numbers: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        let [x, y] = written.origin([numbers[0], numbers[1]]);
        found[vertex] = [x, y, numbers[2] / written.scale];
    }
    found
}

#[test]
fn smoothed_meshes_follow_their_scale_place_order_and_axes() {
    let folder = tempdir().unwrap();
    let plain = smoothed(&folder, &AS_GIVEN);
    let (before, _) = ball();
    assert!(plain.iter().zip(&before).any(|(a, b)| (a[0] - b[0]).abs() > 0.01));
    let check = |what: String, written: Written, bound: f64| {
        let found = smoothed(&folder, &written);
        for (found, plain) in found.as_flattened().iter().zip(plain.as_flattened()) {
            assert!((found - plain).abs() <= bound, "{what}: {found} {plain}");
        }
    };
    for k in some(&POWERS) {
        check(format!("2^{k}"), Written { scale: two(k), ..AS_GIVEN }, 0.0);
    }
    for shift in some(&SHIFTS) {
        check(format!("moved by {shift}"), Written { shift, ..AS_GIVEN }, two(-31));
    }
    for seed in some(&SEEDS) {
        check(format!("order {seed}"), Written { seed: Some(seed), ..AS_GIVEN }, two(-23));
    }
    check("exchanged".into(), Written { is_exchanged: true, ..AS_GIVEN }, two(-23));
}

#[test]
fn a_liquid_follows_its_unit_of_length_or_the_unit_is_refused() {
    let folder = tempdir().unwrap();
    let written = |k: i32| {
        let f = two(k);
        let text = format!(
            "gravity = [0.0, {:e}, 0.0]\ntime_step = 0.0078125\n[grid]\nsize = [8, 8, 8]\nspacing = {:e}\n\
             [[liquid]]\nfrom = [0.0, 0.0, 0.0]\nto = [{:e}, {:e}, {f:e}]\n",
            -10.0 * f,
            0.125 * f,
            0.5 * f,
            0.5 * f
        );
        fs::write(folder.path().join("s.toml"), text).unwrap();
    };
    let steps = 12;
    let line = format!("liquid s.toml --steps {steps}");
    let run = |k: i32| {
        written(k);
        let result = object(&folder, &line, 0);
        let last = result["rows"].as_array().and_then(|rows| rows.last()).expect("a row").clone();
        [("volume", 3 * k), ("highest_pressure", 2 * k)]
            .map(|(name, power)| last[name].as_f64().expect(name) / two(power))
    };
    let plain = run(0);
    assert!(plain.iter().all(|number| *number > 0.1), "{plain:?}");
    for k in [-60, 60] {
        for (got, expected) in run(k).into_iter().zip(plain) {
            let difference = (got / expected - 1.0).abs();
            assert!(difference <= f64::from(steps) * two(-23), "{k}: {difference:e}");
        }
    }
    for k in [-120, 120] {
        written(k);
        assert_says(
            &fails(&mut fragstream(&folder, &line), 2),
            &["s.toml", "the side of a cell", "1e19"],
        );
    }
}

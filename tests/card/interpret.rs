//! The interpreter does what the text of a program says: answers that are known beforehand.

use std::f64::consts::{FRAC_PI_4, FRAC_PI_6};

use approx::assert_relative_eq;
use fragstream::program::interpret::{
    Arithmetic, InterpretError, Operation, Order, Program, Run, Texture,
};
use fragstream::stream::{Point, Rect};

const PRELUDE: &str = include_str!("../../glsl/stream/program/prelude.glsl");
const DECLARED: &str = "uniform stream x; uniform stream y; uniform vec4 a; uniform vec4 b;
    uniform vec4 c; uniform float s;\n";

fn program(declared: &str, body: &str) -> Program {
    let text = format!("#version 330 core\n{PRELUDE}\n{declared}\nvoid main() {{ {body} }}");
    Program::new(&text).unwrap_or_else(|error| panic!("{body}: {error}"))
}

/// What a body makes of a = (2, -3, 0.25, 8), b = (1, 5, -0.5, 3), c = (10, 20, 30, 40), s = -0.75.
fn result<T: Arithmetic<Stored = T>>(body: &str) -> [T; 4] {
    let program = program(DECLARED, body);
    let mut target = Texture::zeros((1, 1), 4);
    let run = Run::<T>::new(&program)
        .set("a", [2.0, -3.0, 0.25, 8.0])
        .set("b", [1.0, 5.0, -0.5, 3.0])
        .set("c", [10.0, 20.0, 30.0, 40.0])
        .set("s", [-0.75]);
    let drawn = run.draw(&mut target, &[Rect::of_size(1, 1)]);
    assert_eq!(drawn.expect("all is bound"), 1, "{body}");
    std::array::from_fn(|channel| target.data()[channel])
}

#[test]
fn operators_work_channel_by_channel() {
    for (body, expected) in [
        ("result = a + b;", [3.0, 2.0, -0.25, 11.0]),
        ("result = a - b;", [1.0, -8.0, 0.75, 5.0]),
        ("result = a * b;", [2.0, -15.0, -0.125, 24.0]),
        ("result = c / a;", [5.0, -20.0 / 3.0, 120.0, 5.0]),
        ("result = c / s;", [10.0, 20.0, 30.0, 40.0].map(|c| c / -0.75)),
        ("result = -a.wzyx;", [-8.0, -0.25, 3.0, -2.0]),
        ("result = vec4(1.0 / 3.0, s, b.yx);", [1.0 / 3.0, -0.75, 5.0, 1.0]),
        ("result = c; result.yw -= 2.0 * a.xy;", [10.0, 16.0, 30.0, 46.0]),
        (
            "float n = 1.0; float old = n++; float two = n; float new = ++n; \
             result = vec4(old, two, new, n);",
            [1.0, 2.0, 3.0, 3.0],
        ),
        ("result = vec4(a.x > b.x, a.x < b.x, a.x == 2.0, a.x != 2.0);", [1.0, 0.0, 1.0, 0.0]),
        ("result = vec4(s <= -0.75, s >= 0.0, !(s < 0.0), s < 0.0);", [1.0, 0.0, 0.0, 1.0]),
        (
            "result = vec4(s < 0.0 && a.x < 0.0, s < 0.0 || a.x < 0.0, 0.0, 0.0);",
            [0.0, 1.0, 0.0, 0.0],
        ),
        ("result = a.x < b.x ? a : c;", [10.0, 20.0, 30.0, 40.0]),
    ] {
        assert_eq!(result::<f64>(body), expected, "{body}");
    }
}

#[test]
fn functions_are_those_of_the_language() {
    for (body, expected) in [
        ("result = abs(a);", [2.0, 3.0, 0.25, 8.0]),
        ("result = sign(vec4(s, a.xy, 0.0));", [-1.0, 1.0, -1.0, 0.0]),
        ("result = floor(vec4(s, a.xz, -2.0));", [-1.0, 2.0, 0.0, -2.0]),
        ("result = ceil(vec4(s, a.xz, -2.0));", [0.0, 2.0, 1.0, -2.0]),
        ("result = fract(vec4(s, a.xz, -2.0));", [0.25, 0.0, 0.25, 0.0]),
        ("result = mod(a, 3.0);", [2.0, 0.0, 0.25, 2.0]),
        ("result = min(a, b);", [1.0, -3.0, -0.5, 3.0]),
        ("result = max(a, b);", [2.0, 5.0, 0.25, 8.0]),
        ("result = clamp(a, 0.0, 1.0);", [1.0, 0.0, 0.25, 1.0]),
        ("result = clamp(a, -1.0, 4.0);", [2.0, -1.0, 0.25, 4.0]),
        ("result = step(0.25, a);", [1.0, 0.0, 1.0, 1.0]),
        ("result = mix(a, b, 0.25);", [1.75, -1.0, 0.0625, 6.75]),
        ("result = smoothstep(0.0, 4.0, a);", [0.5, 0.0, 0.0625 * 0.0625 * (3.0 - 0.125), 1.0]),
        (
            "result = vec4(dot(a, b), dot(a.xyz, b.xyz), dot(a.xy, b.xy), dot(a.x, b.x));",
            [10.875, -13.125, -13.0, 2.0],
        ),
        ("result = vec4(cross(a.xyz, b.xyz), 0.0);", [0.25, 1.25, 13.0, 0.0]),
        (
            "result = vec4(length(vec2(3.0, -4.0)), distance(a.xy, b.xy), 0.0, 0.0);",
            [5.0, 65f64.sqrt(), 0.0, 0.0],
        ),
        ("result = vec4(normalize(vec3(0.0, -4.0, 0.0)), 0.0);", [0.0, -1.0, 0.0, 0.0]),
        ("result = vec4(reflect(a.xy, vec2(0.0, 1.0)), 0.0, 0.0);", [2.0, 3.0, 0.0, 0.0]),
        (
            "result = vec4(sqrt(a.x), sqrt(0.0), inversesqrt(a.z), pow(a.x, b.y));",
            [2f64.sqrt(), 0.0, 2.0, 32.0],
        ),
        (
            "result = vec4(exp2(s), log2(a.w), exp(s), log(a.w));",
            [(-0.75f64).exp2(), 3.0, (-0.75f64).exp(), 8f64.ln()],
        ),
        (
            "result = vec4(sin(s), cos(s), tan(s), degrees(s));",
            [(-0.75f64).sin(), (-0.75f64).cos(), (-0.75f64).tan(), (-0.75f64).to_degrees()],
        ),
        ("result = vec4(radians(45.0), radians(c.z), 0.0, 0.0);", [FRAC_PI_4, FRAC_PI_6, 0.0, 0.0]),
    ] {
        // Factors such as log2(e) stand in the program in single precision.
        for (found, expected) in result::<f64>(body).into_iter().zip(expected) {
            assert_relative_eq!(found, expected, max_relative = 1e-7, epsilon = 1e-15);
        }
    }
    assert!(result::<f64>("result = vec4(pow(a.y, 2.0));")[0].is_nan());
}

#[test]
fn every_operation_of_single_precision_is_rounded_once() {
    let (third, seven) = (1f32 / 3.0, 0.7f32);
    for (body, expected) in [
        ("float t = 1.0 / 3.0; result = vec4(t * 0.7 + b.y);", third * seven + 5.0),
        ("float t = 1.0 / 3.0; result = vec4(b.w / t);", 3.0 / third),
        ("result = vec4(sqrt(0.7 * a.x));", (0.7f32 * 2.0).sqrt()),
        ("result = vec4(mix(b.w, 0.7, 0.1));", 3.0 * (1.0 - 0.1f32) + seven * 0.1),
        ("result = vec4(dot(vec3(0.1, 0.7, 0.3), b.xyw));", 0.1 + seven * 5.0 + 0.3 * 3.0),
        (
            "result = vec4(0.0); for (float n = 0.0; n < 10.0; n += 1.0) result += 0.1 * b.x;",
            (0..10).map(|_| 0.1f32).sum(),
        ),
    ] {
        assert_eq!(result::<f32>(body), [expected; 4], "{body}");
    }
}

#[test]
fn double_precision_computes_with_constants_in_double_precision_too() {
    assert_eq!(result::<f64>("result = vec4((1.0 / 3.0) * 3.0 - 1.0);"), [0.0; 4]);
    assert_eq!(result::<f64>("result = vec4(sqrt(2.0));"), [2f64.sqrt(); 4]);
    assert_ne!(f64::from(2f32.sqrt()), 2f64.sqrt());
}

#[test]
fn the_program_of_points_has_no_derivatives() {
    let fragment = program(DECLARED, "result = dFdx(here.xyxy);");
    let mut target = Texture::<f64>::zeros((3, 2), 1);
    let point = Point { target: [0, 0], value: 1.0, source: [0, 0] };
    let drawn = Run::<f64>::new(&fragment).draw_points(&mut target, &[point], [0, 0]);
    assert_eq!(drawn, Err(InterpretError::Neighbours));
    let traced = Run::<f64>::new(&fragment).trace_points(
        (3, 2),
        &[point],
        [0, 0],
        Order::Batches,
        |_, _| (),
    );
    assert_eq!(traced, Err(InterpretError::Neighbours));
}

#[test]
fn a_fetch_in_a_loop_that_ends_with_data_is_also_made_behind_the_loop() {
    let one = "sum += fetch(x, here).x;";
    let loops = |name: &str, bound: &str, body: &str| {
        format!("for (float {name} = 0.0; {name} < min({bound}, 4.0); {name} += 1.0) {{ {body} }}")
    };
    let short = loops("k", "s", one);
    assert_eq!(fetches(&short, 0.0), 0);
    assert_eq!(fetches(&format!("{short} {one}"), 0.0), 4);
    // Each iteration fetches another record.
    let inner = loops("j", "two", "sum += fetch(x, here + vec2(j, 0.0)).x;");
    assert_eq!(fetches(&inner, 0.0), 4 * 2);
    assert_eq!(fetches(&loops("k", "s", &inner), 1.0), 4 * 2);
    assert_eq!(fetches(&loops("k", "s", &inner), 0.0), 0);
    // The inner loop does not run, the outer one does.
    let empty = loops("j", "none", one);
    assert_eq!(fetches(&loops("k", "s", &empty), 1.0), 0);
    let behind = loops("k", "s", &format!("{empty} {one}"));
    assert_eq!([0.0, 1.0].map(|s| fetches(&behind, s)), [0, 4]);
    // Another loop runs that needs the same record.
    let two = loops("j", "two", one);
    assert_eq!([&short, &empty].map(|first| fetches(&format!("{first} {two}"), 0.0)), [4; 2]);
}

/// Number of fetches of a body on 2 x 2 records.
fn fetches(body: &str, s: f64) -> usize {
    let variables = "float sum = 0.0; float two = a.x; float none = b.x;";
    let program = program(DECLARED, &format!("{variables} {body} result = vec4(sum);"));
    let x = Texture::<f32>::zeros((2, 2), 1);
    let run = Run::<f32>::new(&program).read("x", &x).set("s", [s]);
    let run = run.set("a", [2.0; 4]).set("b", [0.0; 4]);
    let mut count = 0;
    run.trace((2, 2), &[Rect::of_size(2, 2)], Order::Batches, |_, _| count += 1).unwrap();
    count
}

/// Whole numbers only, towards zero.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Whole(i64);

impl Arithmetic for Whole {
    type Stored = Self;

    fn from_f64(value: f64) -> Self {
        Self(value as i64)
    }

    fn to_f64(self) -> f64 {
        self.0 as f64
    }

    fn compute(operation: Operation, operands: [Self; 3]) -> Self {
        let [Whole(a), Whole(b), Whole(c)] = operands;
        match operation {
            Operation::Add => Whole(a + b),
            Operation::Multiply => Whole(a * b),
            Operation::Divide => Whole(a * (1 / b)),
            Operation::Select => Whole(if a != 0 { b } else { c }),
            Operation::SquareRoot => Whole(a.isqrt()),
            _ => panic!("{operation:?}"),
        }
    }
}

#[test]
fn an_arithmetic_of_one_s_own_rounds_every_result() {
    // 2 * 0.25: the quarter is zero already.
    assert_eq!(result::<Whole>("result = a.x * a;"), [4, -6, 0, 16].map(Whole));
    assert_eq!(result::<Whole>("result = vec4(3.0) * 0.75;"), [Whole(0); 4]);
    assert_eq!(result::<Whole>("result = vec4(sqrt(c.x));"), [Whole(3); 4]);
    assert_eq!(result::<Whole>("result = c / b.xyyx;"), [10, 0, 0, 40].map(Whole));
}

#[test]
fn functions_and_loops_are_those_of_the_text() {
    let body = "vec4 sum = vec4(0.0);
        for (float n = 1.0; n <= 4.0; n += 1.0) sum = add(sum, fetch(x, here + vec2(n, 0.0)));
        shift(sum, s); result = sum;";
    let functions = "vec4 add(vec4 sum, vec4 one) { return sum + one; }
        void shift(inout vec4 sum, in float by) { sum += by; }";
    let program = program(&format!("{DECLARED}{functions}"), body);
    let x = Texture::new((5, 1), 1, vec![1.0, 10.0, 100.0, 1000.0, 1e4]);
    let mut target = Texture::<f64>::zeros((2, 1), 1);
    let run = Run::<f64>::new(&program).read("x", &x).set("s", [0.5]);
    run.draw(&mut target, &[Rect::of_size(2, 1)]).expect("bound");
    // Beyond the end stands the last record again.
    assert_eq!(target.data(), [11_110.5, 21_100.5]);
}

#[test]
fn a_fetch_takes_the_nearest_record_and_fills_up_with_0_0_0_1() {
    let program = program(DECLARED, "result = fetch(x, here * 2.0 - 3.0);");
    let x = Texture::new((3, 2), 2, (0..12).map(f64::from).collect());
    let mut target = Texture::<f64>::zeros((4, 3), 4);
    let run = Run::<f64>::new(&program).read("x", &x);
    run.draw(&mut target, &[Rect::of_size(4, 3)]).expect("bound");
    for (place, record) in target.data().chunks(4).enumerate() {
        let at = |p: usize, length: i64| (2 * p as i64 - 2).clamp(0, length - 1);
        let texel = 3 * at(place / 4, 2) + at(place % 4, 3);
        assert_eq!(record, [2.0 * texel as f64, 2.0 * texel as f64 + 1.0, 0.0, 1.0]);
    }
}

#[test]
fn only_rectangles_are_drawn_and_discarded_fragments_stay() {
    let program =
        program(DECLARED, "if (here.x > 4.0 && here.y < 2.0) discard; result = here.xyxy;");
    let mut target = Texture::<f32>::zeros((7, 5), 2);
    let rect = |x, y, width, height| Rect { x, y, width, height };
    let drawn = Run::<f32>::new(&program).draw(&mut target, &[rect(1, 1, 5, 3), rect(0, 4, 1, 1)]);
    assert_eq!(drawn, Ok(14));
    for (place, record) in target.data().chunks(2).enumerate() {
        let (x, y) = (place % 7, place / 7);
        let is_drawn = (1..6).contains(&x) && (1..4).contains(&y) || (x, y) == (0, 4);
        let is_discarded = x >= 4 && y < 2;
        let expected = match is_drawn && !is_discarded {
            true => [x as f32 + 0.5, y as f32 + 0.5],
            false => [0.0; 2],
        };
        assert_eq!(record, expected, "{x}, {y}");
    }
}

#[test]
fn derivatives_are_differences_within_blocks_of_two_by_two() {
    let body =
        "result = vec4(dFdx(fetch(x, here).x), dFdy(fetch(x, here).x), fwidth(s * here.x), 0.0);";
    let program = program(DECLARED, body);
    let squares = (0..4 * 6).map(|n| f64::from((n % 4) * (n % 4) + 100 * (n / 4)));
    let x = Texture::new((4, 6), 1, squares.collect());
    let mut target = Texture::<f64>::zeros((4, 6), 4);
    let rect = Rect { x: 1, y: 1, width: 3, height: 4 };
    let run = Run::<f64>::new(&program).read("x", &x).set("s", [-2.0]);
    run.draw(&mut target, &[rect]).expect("bound");
    for (place, record) in target.data().chunks(4).enumerate() {
        let (x, y) = (place % 4, place / 4);
        let expected = match x >= 1 && (1..5).contains(&y) {
            true => [if x < 2 { 1.0 } else { 5.0 }, 100.0, 2.0, 0.0],
            false => [0.0; 4],
        };
        assert_eq!(record, expected, "{x}, {y}");
    }
}

#[test]
fn coordinates_of_a_vertex_program_are_interpolated() {
    let vertex = Program::vertex(&format!(
        "#version 330 core\n{}\nuniform vec2 first; out vec2 half_way; out vec4 both;
         void main() {{ gl_Position = placed; half_way = 0.5 * (corner - first);
         both = vec4(corner, target_size); }}",
        include_str!("../../glsl/stream/program/vertex.glsl")
    ));
    let vertex = vertex.expect("a correct program");
    let declared = "in vec2 half_way; in vec4 both; uniform vec2 first;";
    let fragment = program(declared, "result = vec4(half_way, both.xy - here + both.zw);");
    let mut target = Texture::<f64>::zeros((6, 5), 4);
    let rect = Rect { x: 2, y: 1, width: 3, height: 4 };
    let run = Run::<f64>::new(&fragment).vertices(&vertex).set("first", [2.0, 1.0]);
    run.draw(&mut target, &[rect]).expect("bound");
    for y in 1..5 {
        for x in 2..5 {
            let place = 4 * (6 * y + x);
            let half = [x as f64 - 1.5, y as f64 - 0.5].map(|p| 0.5 * p);
            let expected = [half[0], half[1], 6.0, 5.0];
            for (found, expected) in target.data()[place..].iter().zip(expected) {
                assert_relative_eq!(*found, expected, max_relative = 1e-15);
            }
        }
    }
}

#[test]
fn points_bring_a_value_and_a_position_and_go_on_in_the_next_row() {
    let vertex = Program::vertex(include_str!("../../glsl/stream/program/points.vert"));
    let vertex = vertex.expect("a correct program");
    let declared = "in float value; in vec2 at; uniform stream x;";
    let fragment = program(declared, "result = value * fetch(x, at);");
    let x = Texture::new((3, 2), 1, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let mut target = Texture::<f64>::zeros((3, 2), 1);
    let point = |target, value, source| Point { target, value, source };
    let points = [point([0, 0], 10.0, [0, 0]), point([2, 0], -1.0, [1, 1])];
    let run = Run::<f64>::new(&fragment).vertices(&vertex).read("x", &x);
    let drawn = run.draw_points(&mut target, &points, [1, 0]);
    assert_eq!(drawn, Ok(2));
    assert_eq!(target.data(), [0.0, 20.0, 0.0, -6.0, 0.0, 0.0]);
}

#[test]
fn what_is_missing_or_unknown_or_outside_is_an_error() {
    let program = program(DECLARED, "result = s * fetch(x, here);");
    let x = Texture::<f64>::zeros((2, 2), 1);
    let full = [Rect::of_size(2, 2)];
    let run = |run: Run<'_, f64>, rects: &[Rect]| run.draw(&mut x.clone(), rects).err();
    let missing = |name: &str| Some(InterpretError::Missing { name: name.into() });
    let unknown = |name: &str| Some(InterpretError::Unknown { name: name.into() });
    let bound = Run::<f64>::new(&program).read("x", &x);
    assert_eq!(run(bound.clone(), &full), missing("s"));
    let complete = bound.set("s", [1.0]);
    assert_eq!(run(complete.clone(), &full), None);
    assert_eq!(run(Run::new(&program).set("s", [1.0]), &full), missing("x"));
    assert_eq!(run(complete.clone().set("q", [1.0]), &full), unknown("q"));
    assert_eq!(run(complete.clone().set("a", [1.0]), &full), unknown("a"));
    assert_eq!(run(complete.clone().read("s", &x), &full), unknown("s"));
    let outside = run(complete, &[Rect::of_size(3, 1)]);
    assert_eq!(outside, Some(InterpretError::Outside { size: (2, 2) }));
    let branch =
        Program::new("uniform float s; void main() {\nif (s < 1.0) { result = vec4(s); } }");
    assert!(matches!(branch, Err(InterpretError::Program(_))));
}

#[test]
fn a_loop_that_ends_with_data_changes_nothing_behind_its_end() {
    let program = program(
        "uniform stream lengths; float total;
         void add(float term) { total += term; }",
        "total = 0.0; vec2 p = here;
         float length = fetch(lengths, here).x;
         for (float k = 0.0; k < min(length, 4.0); k += 1.0) { add(k + 1.0); p.x += 2.0; }
         result = vec4(total, p, 1.0);",
    );
    let lengths = Texture::new((6, 1), 1, vec![0.0, 1.0, 2.0, 3.0, 4.0, 9.0]);
    let mut target = Texture::<f64>::zeros((6, 1), 2);
    let run = Run::<f64>::new(&program).read("lengths", &lengths);
    run.draw(&mut target, &[Rect::of_size(6, 1)]).unwrap();
    // 1 + 2 + ... + length, and twice the length to the right; never more than four times.
    let expected = [[0.0, 0.5], [1.0, 3.5], [3.0, 6.5], [6.0, 9.5], [10.0, 12.5], [10.0, 13.5]];
    assert_eq!(target.data(), expected.as_flattened());
}

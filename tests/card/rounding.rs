//! The steps of a text in five arithmetics, next to exact integers that are rounded once per step.

use fragstream::base::random::SplitMix64;
use fragstream::program::formats::{Chopped24, Half, Nearest24};
use fragstream::program::interpret::{Arithmetic, Program, Rect, Run, Texture};

const PRELUDE: &str = include_str!("../../glsl/stream/program/prelude.glsl");

/// A number format without its range: significant bits, and what happens to the rest.
#[derive(Clone, Copy, Debug)]
struct Format {
    bits: u32,
    truncates: bool,
    /// True if a quotient is one operation.
    divides: bool,
}

const DOUBLE: Format = Format { bits: 53, truncates: false, divides: true };
const SINGLE: Format = Format { bits: 24, ..DOUBLE };
const NEAREST: Format = Format { bits: 17, truncates: false, divides: false };
const CHOPPED: Format = Format { truncates: true, ..NEAREST };
const HALF: Format = Format { bits: 11, ..NEAREST };

/// A positive number as an integer times a power of two.
fn parts(value: f64) -> (u128, i32) {
    assert!(value.is_normal() && value > 0.0, "{value}");
    let bits = value.to_bits();
    (u128::from(bits << 12 >> 12 | 1 << 52), (bits >> 52) as i32 - 1075)
}

impl Format {
    /// The number in this format for `number` times a power of two, where a 1 in the last bit may stand for anything
    /// behind it.
    fn rounded(self, number: u128, exponent: i32) -> f64 {
        let dropped = (u128::BITS - number.leading_zeros()).saturating_sub(self.bits);
        let kept = number >> dropped;
        let twice_the_rest = 2 * (number - (kept << dropped));
        let last = 1 << dropped;
        let is_above = twice_the_rest > last || twice_the_rest == last && kept % 2 == 1;
        let up = u128::from(is_above && !self.truncates);
        (kept + up) as f64 * f64::from(exponent + dropped as i32).exp2()
    }

    fn product(self, a: f64, b: f64) -> f64 {
        let ((a, a_exponent), (b, b_exponent)) = (parts(a), parts(b));
        self.rounded(a * b, a_exponent + b_exponent)
    }

    fn quotient(self, a: f64, b: f64) -> f64 {
        let ((a, a_exponent), (b, b_exponent)) = (parts(a), parts(b));
        let (a, a_exponent) = (a << 70, a_exponent - 70);
        let behind = u128::from(a % b != 0);
        self.rounded(2 * (a / b) + behind, a_exponent - b_exponent - 1)
    }

    fn root(self, a: f64) -> f64 {
        let (a, exponent) = parts(a);
        let shift = 70 + exponent.rem_euclid(2);
        let a = a << shift;
        let behind = u128::from(a.isqrt().pow(2) != a);
        self.rounded(2 * a.isqrt() + behind, (exponent - shift) / 2 - 1)
    }

    /// The difference of two numbers that are at most 2^60 apart.
    fn difference(self, a: f64, b: f64) -> f64 {
        if a < b {
            return -self.difference(b, a);
        }
        let ((a, a_exponent), (b, b_exponent)) = (parts(a), parts(b));
        let exponent = a_exponent.min(b_exponent);
        let [a, b] = [(a, a_exponent), (b, b_exponent)].map(|(n, of)| n << (of - exponent));
        self.rounded(a - b, exponent)
    }

    /// A number of this format from 1 to 2.
    fn random(self, random: &mut SplitMix64) -> f64 {
        let fraction = random.next_u64() >> (65 - self.bits);
        1.0 + fraction as f64 / f64::from(self.bits as i32 - 1).exp2()
    }
}

/// Results of a body for records x, y of a stream, one record each.
fn results<T: Arithmetic>(body: &str, records: &[[f64; 2]]) -> Vec<[f64; 4]> {
    let text = format!(
        "#version 330 core\n{PRELUDE}\nuniform stream s; uniform float tenth;
         void main() {{ float x = fetch(s, here).x; float y = fetch(s, here).y;\n{body} }}"
    );
    let program = Program::new(&text).unwrap_or_else(|error| panic!("{body}: {error}"));
    let data = records.as_flattened().iter().map(|&value| T::Stored::from_f64(value));
    let size = (records.len(), 1);
    let stream = Texture::new(size, 2, data.collect());
    let mut target = Texture::zeros(size, 4);
    let run = Run::<T>::new(&program).read("s", &stream).set("tenth", [0.1f32.into()]);
    run.draw(&mut target, &[Rect::of_size(size.0 as u32, 1)]).expect("all is bound");
    let channels = target.data().chunks(4);
    channels.map(|four| std::array::from_fn(|at| four[at].to_f64())).collect()
}

/// Runs a check in all arithmetics.
macro_rules! in_all {
    ($check:ident) => {
        $check::<f64>(DOUBLE);
        $check::<f32>(SINGLE);
        $check::<Nearest24>(NEAREST);
        $check::<Chopped24>(CHOPPED);
        $check::<Half>(HALF);
    };
}

fn random_records(format: Format) -> Vec<[f64; 2]> {
    let mut random = SplitMix64::new(u64::from(format.bits));
    (0..500).map(|_| [format.random(&mut random), format.random(&mut random)]).collect()
}

#[test]
fn quotients_and_roots_are_rounded_at_each_step_of_the_text_and_of_a_card() {
    fn check<T: Arithmetic>(format: Format) {
        let records = random_records(format);
        let body = "float r = 1.0 / y; result = vec4(x * r, x / y, x * sqrt(y), -x / -y);";
        let (mut from_text, mut from_root) = (0, 0);
        for (&[x, y], found) in records.iter().zip(results::<T>(body, &records)) {
            let in_two = format.product(x, format.quotient(1.0, y));
            let in_one = format.quotient(x, y);
            let quotient = if format.divides { in_one } else { in_two };
            let by_root = format.product(x, format.root(y));
            assert_eq!(found, [in_two, quotient, by_root, quotient], "{x} and {y}, {format:?}");
            from_text += u32::from(in_two != in_one);
            let by_divisor = format.quotient(x, format.quotient(1.0, format.root(y)));
            from_root += u32::from(by_root != by_divisor);
        }
        // The records tell one rounding from two.
        assert!(from_text > 50 && from_root > 50, "{from_text}, {from_root}, {format:?}");
    }
    in_all!(check);
}

#[test]
fn lengths_and_remainders_have_the_same_roots_and_quotients() {
    fn check<T: Arithmetic>(format: Format) {
        let records = random_records(format);
        let body = "result = vec4(length(vec2(x, 0.0)), y / length(vec2(x, 0.0)), sqrt(x) / sqrt(y), 3.0 / y);";
        for (&[x, y], found) in records.iter().zip(results::<T>(body, &records)) {
            let divide = |a: f64, b: f64| match format.divides {
                true => format.quotient(a, b),
                false => format.product(a, format.quotient(1.0, b)),
            };
            let length = format.root(format.product(x, x));
            let roots = divide(format.root(x), format.root(y));
            let expected = [length, divide(y, length), roots, divide(3.0, y)];
            assert_eq!(found, expected, "{x} and {y}, {format:?}");
        }
    }
    in_all!(check);
}

#[test]
fn differences_are_rounded_from_the_exact_one() {
    fn check<T: Arithmetic>(format: Format) {
        let mut random = SplitMix64::new(5);
        let least = if format.bits == 11 { 13 } else { 60 };
        let records: Vec<[f64; 2]> = (0..500)
            .map(|at| {
                [1.0, f64::from(-(at % least)).exp2()].map(|p| p * format.random(&mut random))
            })
            .chain((1..least).map(|n| [1.0, f64::from(-n).exp2()]))
            .filter(|[x, y]| x != y)
            .collect();
        let body = "result = vec4(x - y, y - x, mix(x, y, -1.0), dot(vec3(x, y, 0.0), vec3(1.0, -1.0, 0.0)));";
        for (&[x, y], found) in records.iter().zip(results::<T>(body, &records)) {
            let one = format.difference(x, y);
            let extrapolated = format.difference(2.0 * x, y);
            assert_eq!(found, [one, -one, extrapolated, one], "{x} and {y}, {format:?}");
        }
    }
    in_all!(check);
}

#[test]
fn truncation_is_that_of_the_exact_sum() {
    let (least, place) = ((-62f64).exp2(), (-17f64).exp2());
    let body = "result = vec4(x - y, y - x, fract(-y), x + y);";
    let records = [[1.0, least]];
    let one = 1.0 - place;
    assert_eq!(results::<Chopped24>(body, &records), [[one, -one, one, 1.0]]);
    assert_eq!(results::<Nearest24>(body, &records), [[1.0, -1.0, 1.0, 1.0]]);
}

#[test]
fn a_comparison_reads_constants_in_the_arithmetic_of_its_program() {
    fn check<T: Arithmetic>(format: Format) {
        let body = "float v = min(x, 0.1); float w = max(y, tenth);
            result = vec4(v == 0.1, v >= tenth, w <= 0.1, v != w);";
        let found = results::<T>(body, &[[0.25, -1.0], [1.0, 0.0]]);
        assert_eq!(found, [[1.0, 1.0, 1.0, 0.0]; 2], "{format:?}");
    }
    in_all!(check);
    // What is between two numbers of half precision is not told from them.
    let close = [[1.0, 1.0 + 1.0 / 8192.0]];
    assert_eq!(results::<Half>("result = vec4(x == y);", &close), [[1.0; 4]]);
    assert_eq!(results::<f32>("result = vec4(x == y);", &close), [[0.0; 4]]);
}

#[test]
fn positions_are_compared_in_32_bits_with_half_registers_too() {
    let records = vec![[0.0; 2]; 2052];
    // In half precision both 2049.5 and 2049.75 are 2050.
    let found = results::<Half>("result = vec4(here.x < 2049.75);", &records);
    for (column, found) in found.into_iter().enumerate() {
        assert_eq!(found, [f64::from(u8::from(column <= 2049)); 4], "{column}");
    }
    let moved = "vec2 p = here + vec2(0.25, 0.0); float t = p.x < 2050.0 ? 1.0 : 0.0;
        result = vec4(t + 0.0 * fetch(s, p).x);";
    let found = results::<Half>(moved, &records);
    assert_eq!([2049, 2050].map(|column| found[column][0]), [1.0, 0.0]);
}

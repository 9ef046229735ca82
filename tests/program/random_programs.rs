//! Random programs: their listings compute what they say.

use fragstream::program::Listing;
use fragstream::program::interpret::{Program, Run, Texture};
use fragstream::random::SplitMix64;
use fragstream::stream::Rect;

const SIZE: (usize, usize) = (5, 3);

/// Writes programs.
struct Author {
    random: SplitMix64,
    /// Variables, by their number of channels.
    variables: [Vec<String>; 4],
}

impl Author {
    fn below(&mut self, n: usize) -> usize {
        (self.random.uniform() * n as f64) as usize % n
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    /// An expression of so many channels.
    fn expression(&mut self, width: usize, depth: usize) -> String {
        if depth == 0 {
            let variables = self.variables[width - 1].len();
            return match self.below(4) {
                0 if variables > 0 => {
                    let at = self.below(variables);
                    self.variables[width - 1][at].clone()
                }
                1 => self.swizzled(width),
                2 if width == 1 => self.one_of(&["0.5", "1.0", "-2.0", "3.25", "0.0", "s"]).into(),
                _ => {
                    let of = self.one_of(&["a", "b", "gl_FragCoord"]);
                    format!("{of}.{}", self.channels(width, 4))
                }
            };
        }
        let (a, b) = (depth - 1, self.below(depth));
        match self.below(15) {
            0 | 1 => format!("({} + {})", self.expression(width, a), self.expression(width, b)),
            2 => format!("({} - {})", self.expression(width, a), self.expression(width, b)),
            3 | 4 => format!("({} * {})", self.expression(width, a), self.expression(width, b)),
            5 => format!("({} * {})", self.expression(1, a), self.expression(width, b)),
            6 => {
                let name = self.one_of(&["min", "max", "step"]);
                format!("{name}({}, {})", self.expression(width, a), self.expression(width, b))
            }
            7 => {
                let name = self.one_of(&["floor", "abs", "fract", "-", "sign", "dFdx", "fwidth"]);
                format!("{name}({})", self.expression(width, a))
            }
            8 => {
                let [x, y, t] = [a, b, 0].map(|depth| self.expression(width, depth));
                format!("mix({x}, {y}, {t})")
            }
            9 => format!("clamp({}, 0.0, 1.0)", self.expression(width, a)),
            10 | 11 => {
                let [x, y] = [a, b].map(|depth| self.expression(width, depth));
                format!("({} ? {x} : {y})", self.condition(1))
            }
            12 if width == 1 => {
                let wide = 2 + self.below(3);
                format!("dot({}, {})", self.expression(wide, a), self.expression(wide, b))
            }
            12 | 13 if width > 1 => {
                let first = 1 + self.below(width - 1);
                let [x, y] = [first, width - first].map(|width| self.expression(width, b));
                format!("vec{width}({x}, {y})")
            }
            _ => {
                let position = self.expression(2, b);
                let channels = self.channels(width, 4);
                format!("fetch({}, {position}).{channels}", self.one_of(&["x", "y"]))
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let relation = self.one_of(&["<", ">", "<=", ">="]);
        let zero = self.below(2) == 0;
        let other = if zero { "0.0".into() } else { self.expression(1, 1) };
        let simple = format!("{} {relation} {other}", self.expression(1, 1));
        match self.below(4) {
            0 if depth > 0 => {
                let both = self.one_of(&["&&", "||"]);
                format!("({simple}) {both} ({})", self.condition(depth - 1))
            }
            1 => format!("!({simple})"),
            _ => simple,
        }
    }

    fn channels(&mut self, width: usize, of: usize) -> String {
        (0..width).map(|_| ["x", "y", "z", "w"][self.below(of)]).collect()
    }

    fn swizzled(&mut self, width: usize) -> String {
        let wide = 1 + self.below(3);
        match self.variables[wide].len() {
            0 => self.expression(width, 1),
            n => {
                let at = self.below(n);
                let name = self.variables[wide][at].clone();
                format!("{name}.{}", self.channels(width, wide + 1))
            }
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from(
            "uniform stream x;\nuniform stream y;\nuniform vec4 a;\nuniform vec4 b;\nuniform float s;\n\
             void main() {\n",
        );
        for number in 0..3 + self.below(6) {
            let width = 1 + self.below(4);
            let kind = ["float", "vec2", "vec3", "vec4"][width - 1];
            let value = self.expression(width, 3);
            text += &format!("    {kind} v{number} = {value};\n");
            self.variables[width - 1].push(format!("v{number}"));
            if self.below(4) == 0 {
                let [condition, term] = [self.condition(0), self.expression(width, 1)];
                text += &format!("    v{number} += {condition} ? {term} : {kind}(0.0);\n");
            }
            if self.below(12) == 0 {
                text += &format!("    if ({}) discard;\n", self.condition(0));
            }
        }
        let result = self.expression(4, 2);
        text + &format!("    result = {result};\n}}\n")
    }
}

/// What a program draws; the same bits for zeros of both signs.
fn drawn(program: &Program, textures: &[Texture<f64>; 2]) -> Vec<u64> {
    let mut target = Texture::<f64>::zeros(SIZE, 4);
    let run = Run::<f64>::new(program);
    let names = ["x", "y"];
    let mut run = names.into_iter().zip(textures).fold(run, |run, (name, texture)| {
        match program.declares(name) {
            true => run.read(name, texture),
            false => run,
        }
    });
    for (name, value) in
        [("a", vec![0.3, -0.7, 1.5, 2.0]), ("b", vec![-1.1, 0.9, 0.4, -0.2]), ("s", vec![0.6])]
    {
        if program.declares(name) {
            run = run.set(name, value);
        }
    }
    run.draw(&mut target, &[Rect::of_size(5, 3)]).expect("a program that runs");
    let bits = |value: &f64| match value.is_nan() {
        true => u64::MAX,
        false => (value + 0.0).to_bits(),
    };
    target.data().iter().map(bits).collect()
}

#[test]
fn listings_of_random_programs_compute_what_these_say() {
    let mut tested = 0;
    for seed in 0..1500 {
        let mut author = Author { random: SplitMix64::new(seed), variables: Default::default() };
        let text = author.program();
        let data = |random: &mut SplitMix64| {
            let data = random.vector(4 * SIZE.0 * SIZE.1);
            Texture::of_singles((SIZE.0 as u32, SIZE.1 as u32), 4, &data)
        };
        let textures = [data(&mut author.random), data(&mut author.random)];
        let program = match Program::folded(&text) {
            Ok(program) => program,
            Err(error) => {
                assert!(
                    error.to_string().contains("more than 500 tokens"),
                    "{error}
{text}"
                );
                continue;
            }
        };
        tested += 1;
        let listing = Listing::of(&text).expect("a listing");
        let emitted = Program::of_listing(&listing);
        assert_eq!(
            drawn(&emitted, &textures),
            drawn(&program, &textures),
            "{seed}\n{text}\n{listing}"
        );
        let read = Listing::parse(&listing.to_string());
        let read = read.unwrap_or_else(|error| panic!("{seed}: {error}\n{listing}"));
        assert_eq!(read.instructions.len(), listing.instructions.len());
    }
    assert!(tested > 1000, "{tested}");
}

//! Writes random programs that are correct, and compute on small integers without rounding, or on fractions.
//!
//! They have what a reader of GLSL gets wrong first: names that hide others, swizzles on both sides, arguments that
//! are changed, nested loops, macros with arguments, conditions of the preprocessor, comments between any two words.

use fragstream::base::random::SplitMix64;

const TYPES: [&str; 4] = ["float", "vec2", "vec3", "vec4"];

/// Width of an array.
const ARRAY: usize = usize::MAX;

/// Few names, so that they often hide each other.
const NAMES: [&str; 7] = ["s", "a", "b", "k", "v", "w", "t"];

/// First lines of every program. `KEEP` turns any number into an integer below nine, or leaves a fraction as it is.
const HEAD: &str = "uniform stream x ;
uniform stream y ; uniform vec4 a , b ;
uniform float s ;
#define KEEP(v) floor ( clamp ( ( v ) , - 8.0 , 8.0 ) )
#define SUM( p , q ) ( ( p ) + ( q ) )
#define MINUS - 1.0
#define PICK( c , p , q ) ( c ? p : q )
const float K = 2.0 ;
";

/// What may be between two words.
const BETWEEN: [&str; 9] = [
    "\n",
    "\t",
    "  ",
    "/**/",
    " /* v = 1.0; */ ",
    "/*/ s *= 3.0; /*/",
    "// } ) ;\n",
    "// on \\\n and on\n",
    " \\\n",
];

/// What is true for the preprocessor, and what is not.
const TRUTHS: [&str; 8] = [
    "#if 7 / 2 == 3",
    "#ifdef KEEP",
    "#if __VERSION__ == 330",
    "#if defined ( SUM ) && ! defined NOTHING",
    "#if 1 << 3 > 7",
    "#if NOTHING == 0 && 0x10 == 16",
    "#if - 5 % 3 == - 2 || 0",
    "#ifndef NOTHING",
];
const UNTRUTHS: [&str; 4] =
    ["#if 16777217 == 16777216", "#ifdef NOTHING", "#if defined KEEP && 0", "#if ! 1"];

/// A name in a scope.
#[derive(Clone)]
struct Name {
    name: String,
    /// Number of channels; 0 for a truth value, or [`ARRAY`].
    width: usize,
    /// A constant or a counter cannot be changed.
    is_variable: bool,
    /// Value of a constant.
    constant: Option<usize>,
}

struct Function {
    name: String,
    returns: usize,
    /// Widths of the parameters, and whether each is changed.
    parameters: Vec<(usize, bool)>,
}

pub struct Author {
    random: SplitMix64,
    scopes: Vec<Vec<Name>>,
    functions: Vec<Function>,
    text: String,
    /// Loops around the present statement.
    loops: usize,
    /// True in `main`: a function that discards is a statement of its own.
    is_main: bool,
    is_whole: bool,
}

/// The text of a random program on integers, or on fractions.
pub fn program(seed: u64, is_whole: bool) -> String {
    let global = |(name, width): (&str, usize)| Name {
        name: name.into(),
        width,
        is_variable: false,
        constant: None,
    };
    let globals = [("a", 4), ("b", 4), ("s", 1)].map(global);
    let constant = Name { constant: Some(2), ..global(("K", 1)) };
    let mut author = Author {
        random: SplitMix64::new(seed),
        scopes: vec![globals.into_iter().chain([constant]).collect()],
        functions: Vec::new(),
        text: String::new(),
        loops: 0,
        is_main: false,
        is_whole,
    };
    for _ in 0..author.random.below(3) {
        author.function();
    }
    author.main();
    let head = if is_whole { HEAD.to_owned() } else { HEAD.replace("floor", "") };
    let text = head + &author.text;
    scattered(&text, &mut author.random)
}

/// The program with other white space and comments between its words.
fn scattered(text: &str, random: &mut SplitMix64) -> String {
    let mut scattered = String::new();
    for line in text.lines() {
        let is_directive = line.trim_start().starts_with('#');
        for (at, word) in line.split(' ').enumerate() {
            if at > 0 {
                let between = match random.below(12) {
                    0 if is_directive => ["\t", "/**/ ", " \\\n"][random.below(3)],
                    0 => BETWEEN[random.below(BETWEEN.len())],
                    _ => " ",
                };
                scattered += between;
            }
            scattered += word;
        }
        scattered += "\n";
    }
    scattered
}

impl Author {
    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.random.below(all.len())]
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    /// The names that are not hidden by others.
    fn visible(&self, is_meant: impl Fn(&Name) -> bool) -> Vec<Name> {
        let mut visible: Vec<Name> = Vec::new();
        for name in self.scopes.iter().rev().flatten() {
            if !visible.iter().any(|known| known.name == name.name) {
                visible.push(name.clone());
            }
        }
        visible.retain(|name| name.width != ARRAY && is_meant(name));
        visible
    }

    fn any(&mut self, is_meant: impl Fn(&Name) -> bool) -> Option<Name> {
        let visible = self.visible(is_meant);
        (!visible.is_empty()).then(|| visible[self.random.below(visible.len())].clone())
    }

    /// A name that the present scope does not have.
    fn new_name(&mut self) -> Option<String> {
        let name = self.one_of(&NAMES).to_owned();
        let scope = self.scopes.last().expect("a scope");
        (!scope.iter().any(|known| known.name == name)).then_some(name)
    }

    fn declare(&mut self, name: &str, width: usize, is_variable: bool, constant: Option<usize>) {
        let name = Name { name: name.into(), width, is_variable, constant };
        self.scopes.last_mut().expect("a scope").push(name);
    }

    fn write(&mut self, line: &str) {
        self.text += line;
        self.text += "\n";
    }

    /// Channels, each only once if they are to be written.
    fn channels(&mut self, width: usize, of: usize, once: bool) -> String {
        let sets = ["xyzw", "rgba", "stpq"][self.random.below(3)];
        let mut letters: Vec<char> = sets.chars().take(of).collect();
        let mut chosen = String::new();
        for _ in 0..width {
            let at = self.random.below(letters.len());
            chosen.push(if once { letters.remove(at) } else { letters[at] });
        }
        chosen
    }

    fn literal(&mut self) -> &'static str {
        let all = ["0.5", "1.0", "2.", ".5", "3.0", "0.0", "MINUS", "1e0", "( - 2.0 )", "K", "3.3"];
        self.one_of(if self.is_whole { &all[..10] } else { &all })
    }

    fn leaf(&mut self, width: usize) -> String {
        match self.random.below(7) {
            0 | 1 => match self.any(|name| name.width == width) {
                Some(name) => name.name,
                None => self.leaf(width),
            },
            2 | 3 => match self.any(|name| name.width > 1) {
                Some(name) if width == 1 && self.chance(2) => {
                    let at = self.random.below(name.width);
                    if self.chance(3) {
                        let channels = self.channels(name.width, name.width, false);
                        return format!("{}.{channels} [ {at} ]", name.name);
                    }
                    format!("{} [ {at} ]", name.name)
                }
                Some(name) => {
                    let channels = self.channels(width, name.width, false);
                    format!("{} . {channels}", name.name)
                }
                None => self.leaf(width),
            },
            4 if width <= 2 => format!("here.{}", self.channels(width, 2, false)),
            4 | 5 => {
                let moved = ["+ vec2 ( 1.0 , - 1.0 )", "- vec2 ( 2.0 , 0.0 )", ""];
                let (stream, moved) = (self.one_of(&["x", "y"]), self.one_of(&moved));
                format!("fetch ( {stream} , here {moved} ) . {}", self.channels(width, 4, false))
            }
            _ if width == 1 => self.literal().into(),
            _ => format!("vec{width} ( {} )", self.literal()),
        }
    }

    fn expression(&mut self, width: usize, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(width);
        }
        let (d, kind) = (depth - 1, TYPES[width - 1]);
        match self.random.below(15) {
            0 => format!("{} + {}", self.expression(width, d), self.leaf(width)),
            1 => format!("( {} - {} )", self.expression(width, d), self.expression(width, d)),
            2 => format!("KEEP ( {} * ( {} ) )", self.leaf(width), self.expression(width, d)),
            3 => format!("KEEP ( ( {} ) * {} )", self.expression(1, d), self.leaf(width)),
            4 => format!("SUM ( {} , {} )", self.expression(width, d), self.expression(width, d)),
            5 if !self.is_whole && self.chance(3) => {
                let [x, y, share] = [d, d, 0].map(|depth| self.expression(width, depth));
                format!("mix ( {x} , {y} , {share} )")
            }
            5 => {
                let name = self.one_of(&["min", "max", "step"]);
                format!("{name} ( {} , {} )", self.expression(width, d), self.expression(width, d))
            }
            6 => {
                let names = ["floor", "abs", "sign", "-", "ceil", "fract", "dFdx", "fwidth"];
                let name = self.one_of(if self.is_whole { &names[..5] } else { &names });
                format!("{name} ( {} )", self.expression(width, d))
            }
            7 | 8 => {
                let [x, y] = [0, 1].map(|_| self.expression(width, d));
                format!("( {} ? {x} : {y} )", self.condition(d))
            }
            9 => {
                let [x, y] = [0, 1].map(|_| self.leaf(width));
                format!("PICK ( {} , {x} , {y} )", self.condition(0))
            }
            10 if width == 1 => {
                let wide = 2 + self.random.below(3);
                format!("KEEP ( dot ( {} , {} ) )", self.leaf(wide), self.leaf(wide))
            }
            10 | 11 if width > 1 => {
                let first = 1 + self.random.below(width - 1);
                let [x, y] = [first, width - first].map(|width| self.expression(width, d));
                format!("{kind} ( {x} , {y} )")
            }
            11 | 12 => match self.any(|name| name.width == 0) {
                Some(name) => format!("{kind} ( float ( {} ) )", name.name),
                None => self.leaf(width),
            },
            13 => match self.call(width, false) {
                Some(call) => call,
                None => self.leaf(width),
            },
            _ => format!("( {} )", self.expression(width, d)),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let known = if self.chance(3) { self.any(|name| name.width == 0) } else { None };
        let simple = known.map_or_else(
            || {
                let relation = self.one_of(&["<", ">", "<=", ">=", "==", "!="]);
                format!("{} {relation} {}", self.expression(1, depth), self.leaf(1))
            },
            |name| name.name,
        );
        match self.random.below(4) {
            0 if depth > 0 => {
                let both = self.one_of(&["&&", "||", "^^"]);
                format!("( {simple} {both} {} )", self.condition(depth - 1))
            }
            1 => format!("! ( {simple} )"),
            _ => format!("( {simple} )"),
        }
    }

    /// A call of a function with this result; with changed arguments only if these are wanted.
    fn call(&mut self, returns: usize, changes: bool) -> Option<String> {
        let is_meant = |one: &Function| {
            one.returns == returns && one.parameters.iter().any(|one| one.1) == changes
        };
        let meant: Vec<usize> =
            (0..self.functions.len()).filter(|&at| is_meant(&self.functions[at])).collect();
        if meant.is_empty() {
            return None;
        }
        let at = meant[self.random.below(meant.len())];
        let (name, parameters) =
            (self.functions[at].name.clone(), self.functions[at].parameters.clone());
        let mut changed = Vec::new();
        let mut arguments = Vec::new();
        for (width, is_changed) in parameters {
            if !is_changed {
                arguments.push(self.expression(width, 1));
                continue;
            }
            let taken = changed.clone();
            let meant = |name: &Name| name.is_variable && !taken.contains(&name.name);
            if let Some(name) = self.any(|name| meant(name) && name.width > width)
                && self.chance(2)
            {
                let channels = self.channels(width, name.width, true);
                arguments.push(format!("{} . {channels}", name.name));
                changed.push(name.name);
            } else {
                let name = self.any(|name| meant(name) && name.width == width)?;
                arguments.push(name.name.clone());
                changed.push(name.name);
            }
        }
        Some(format!("{name} ( {} )", arguments.join(" , ")))
    }

    fn assignment(&mut self) {
        let Some(name) = self.any(|name| name.is_variable && name.width > 0) else { return };
        let operator = self.one_of(&["=", "=", "+=", "-=", "*="]);
        let (target, width) = match self.random.below(3) {
            0 if name.width > 1 => {
                let width = 1 + self.random.below(name.width);
                (format!("{}.{}", name.name, self.channels(width, name.width, true)), width)
            }
            1 if name.width > 1 => {
                (format!("{} [ {} ]", name.name, self.random.below(name.width)), 1)
            }
            _ => (name.name.clone(), name.width),
        };
        let value = self.expression(width, 2);
        self.write(&format!("{target} {operator} {value} ;"));
        self.write(&format!("{0} = KEEP ( {0} ) ;", name.name));
    }

    fn declaration(&mut self) {
        let Some(name) = self.new_name() else { return };
        let width = self.random.below(5);
        match self.random.below(6) {
            0 => {
                let value = self.random.below(4);
                self.write(&format!("const float {name} = {value}.0 ;"));
                self.declare(&name, 1, false, Some(value));
            }
            _ if width == 0 => {
                let value = self.condition(1);
                self.write(&format!("bool {name} = {value} ;"));
                self.declare(&name, 0, false, None);
            }
            1 => {
                let value = self.random.below(3) + 1;
                let kind = TYPES[width - 1];
                self.write(&format!("{kind} {name} [ {value} ] ;"));
                let last = value - 1;
                self.declare(&name, ARRAY, false, None);
                let of = self.expression(width, 1);
                self.write(&format!("{name} [ {last} ] = KEEP ( {of} ) ;"));
                if let Some(other) = self.new_name() {
                    self.write(&format!("{kind} {other} = {name} [ {last} ] ;"));
                    self.declare(&other, width, true, None);
                }
            }
            _ => {
                // The name is visible only after its own initial value.
                let value = self.expression(width, 2);
                self.write(&format!("{} {name} = KEEP ( {value} ) ;", TYPES[width - 1]));
                self.declare(&name, width, true, None);
            }
        }
    }

    fn repetition(&mut self) {
        let Some(counter) = self.new_name() else { return };
        let bound = match self.any(|name| name.constant.is_some_and(|value| value < 4)) {
            Some(name) if self.chance(2) && name.name != counter => name.name,
            _ => self.one_of(&["1.0", "2.0", "3.0", "K", "K + 1.0"]).to_owned(),
        };
        let head = match self.random.below(4) {
            0 => format!("float {counter} = {bound} ; {counter} > 0.0 ; {counter} -= 1.0"),
            1 => format!("float {counter} = 0.0 ; {counter} < {bound} ; ++ {counter}"),
            2 => format!("float {counter} = 1.0 ; {counter} <= {bound} ; {counter} ++"),
            _ => format!("float {counter} = 0.0 ; {counter} < {bound} ; {counter} += 0.5 + 0.5"),
        };
        self.scopes.push(Vec::new());
        self.declare(&counter, 1, false, None);
        self.loops += 1;
        self.write(&format!("for ( {head} ) {{"));
        self.statements(2);
        self.write("}");
        self.loops -= 1;
        self.scopes.pop();
    }

    /// Statements of which the preprocessor takes the first, or the second.
    fn alternative(&mut self) {
        let is_first = self.chance(2);
        let test = match is_first {
            true => self.one_of(&TRUTHS),
            false => self.one_of(&UNTRUTHS),
        };
        self.write(test);
        for first in [true, false] {
            if first == is_first {
                self.assignment();
            } else {
                self.write("not a statement ) {");
            }
            self.write(if first { "#else" } else { "#endif" });
        }
    }

    fn statement(&mut self) {
        match self.random.below(16) {
            0..=3 => self.declaration(),
            4..=7 => self.assignment(),
            8 if self.loops < 2 => self.repetition(),
            9 => {
                self.scopes.push(Vec::new());
                self.write("{");
                self.statements(3);
                self.write("}");
                self.scopes.pop();
            }
            10 => self.alternative(),
            11 => {
                if let Some(call) = self.call(0, true) {
                    self.write(&format!("{call} ;"));
                }
            }
            12 => {
                let width = 1 + self.random.below(4);
                if let Some(call) = self.call(width, true)
                    && let Some(name) = self.new_name()
                {
                    self.write(&format!("{} {name} = {call} ;", TYPES[width - 1]));
                    self.declare(&name, width, true, None);
                }
            }
            13 => {
                if let Some(name) = self.any(|name| name.is_variable && name.width > 0) {
                    let step = self.one_of(&["++", "--"]);
                    let name = name.name;
                    match self.chance(2) {
                        true => self.write(&format!("{name} {step} ;")),
                        false => self.write(&format!("{step} {name} ;")),
                    }
                    self.write(&format!("{name} = KEEP ( {name} ) ;"));
                }
            }
            14 if self.is_main && self.loops == 0 && self.chance(3) => {
                let condition = self.condition(1);
                self.write(&format!("if ( {condition} ) discard ;"));
            }
            _ => {
                if let Some(name) = self.any(|name| name.is_variable && name.width > 0) {
                    let [x, y] = [0, 1].map(|_| self.expression(name.width, 1));
                    let condition = self.condition(1);
                    let name = name.name;
                    self.write(&format!("{name} = KEEP ( {condition} ? {x} : {y} ) ;"));
                }
            }
        }
    }

    fn statements(&mut self, most: usize) {
        for _ in 0..=self.random.below(most) {
            self.statement();
        }
    }

    fn function(&mut self) {
        let name = format!("f{}", self.functions.len());
        let returns = self.random.below(5);
        let mut parameters = Vec::new();
        let mut declared = Vec::new();
        self.scopes.push(Vec::new());
        let mut first = String::new();
        for _ in 0..1 + self.random.below(3) {
            let Some(parameter) = self.new_name() else { continue };
            let width = 1 + self.random.below(4);
            let way = self.one_of(&["", "in", "const in", "inout", "inout", "out"]);
            let is_changed = way.ends_with("out");
            if way == "out" {
                first += &format!("{parameter} = {} ( 1.0 ) ;", TYPES[width - 1]);
            }
            self.declare(&parameter, width, is_changed, None);
            declared
                .push(format!("{way} {} {parameter}", TYPES[width - 1]).trim_start().to_owned());
            parameters.push((width, is_changed));
        }
        let kind = if returns == 0 { "void" } else { TYPES[returns - 1] };
        let declared = declared.join(" , ");
        self.write(&format!("{kind} {name} ( {declared} ) {{"));
        self.write(&first);
        self.statements(3);
        if returns > 0 {
            let value = self.expression(returns, 1);
            self.write(&format!("return KEEP ( {value} ) ;"));
        }
        self.write("}");
        self.scopes.pop();
        self.functions.push(Function { name, returns, parameters });
    }

    fn main(&mut self) {
        self.scopes.push(Vec::new());
        self.is_main = true;
        self.write("void main ( ) {");
        self.write("vec4 r = fetch ( x , here ) ; vec2 u = here ; float z = 0.0 ;");
        for (name, width) in [("r", 4), ("u", 2), ("z", 1)] {
            self.declare(name, width, true, None);
        }
        self.write("u = KEEP ( u ) ;");
        for _ in 0..4 + self.random.below(8) {
            self.statement();
        }
        let value = self.expression(4, 1);
        self.write(&format!("result = {value} + r + vec4 ( u , z , MINUS ) ;"));
        self.write("}");
    }
}

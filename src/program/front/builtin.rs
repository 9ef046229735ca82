//! Operators and built-in functions: their names, operands and results, and the instructions that they become.

use super::types::Type;
use crate::program::arithmetic::Operation;
use crate::program::graph::{Channel, Graph, Value, absolute, is_constant, negate, scalar};

/// An operator or a built-in function.
pub(crate) struct BuiltIn {
    pub name: &'static str,
    /// Types of the operands of each form: `g` is a float or a vector, the same one everywhere, `f` a float, `3` a
    /// vector of three, `b` a bool and `d` a double.
    forms: &'static [&'static str],
    /// Type of the result, in the same letters; `g` is the type of the widest operand.
    result: char,
    pub operation: Emit,
}

/// Adds instructions to a graph.
type Emit = fn(&mut Graph, &[Value]) -> Value;

/// The operators, and the float functions of GLSL 1.10 that a processor of 2003 could compute.
#[rustfmt::skip]
pub(crate) const BUILT_INS: &[BuiltIn] = {
    use Operation as O;
    const fn row(name: &'static str, forms: &'static [&'static str], result: char, operation: Emit) -> BuiltIn {
        BuiltIn { name, forms, result, operation }
    }
    &[
        row("+", &["gg", "gf", "fg", "dd"], 'g', |graph, v| graph.add(&v[0], &v[1])),
        row("-", &["gg", "gf", "fg", "dd"], 'g', |graph, v| graph.subtract(&v[0], &v[1])),
        row("*", &["gg", "gf", "fg", "dd"], 'g', |graph, v| graph.multiply(&v[0], &v[1])),
        row("/", &["gg", "gf", "fg", "dd"], 'g', |graph, v| graph.divide(&v[0], &v[1])),
        row("<", &["ff", "dd"], 'b', |graph, v| graph.channelwise(O::Less, &[&v[0], &v[1]])),
        row(">", &["ff", "dd"], 'b', |graph, v| graph.channelwise(O::Less, &[&v[1], &v[0]])),
        row(">=", &["ff", "dd"], 'b', |graph, v| graph.channelwise(O::GreaterEqual, &[&v[0], &v[1]])),
        row("<=", &["ff", "dd"], 'b', |graph, v| graph.channelwise(O::GreaterEqual, &[&v[1], &v[0]])),
        row("==", &["ff", "bb", "dd"], 'b', |graph, v| graph.channelwise(O::Equal, &[&v[0], &v[1]])),
        row("!=", &["ff", "bb", "dd"], 'b', |graph, v| graph.channelwise(O::NotEqual, &[&v[0], &v[1]])),
        row("^^", &["bb"], 'b', |graph, v| graph.channelwise(O::NotEqual, &[&v[0], &v[1]])),
        row("&&", &["bb"], 'b', |graph, v| graph.channelwise(O::And, &[&v[0], &v[1]])),
        row("||", &["bb"], 'b', |graph, v| graph.channelwise(O::Or, &[&v[0], &v[1]])),
        row("!", &["b"], 'b', |graph, v| graph.not(&v[0])),
        row("- ", &["g", "d"], 'g', |_, v| negate(&v[0])),
        row("+ ", &["g", "d"], 'g', |_, v| v[0].clone()),
        row("?:", &["bgg", "bbb", "bdd"], 'g', |graph, v| graph.select(&v[0], &v[1], &v[2])),
        row("radians", &["g"], 'g', |graph, v| graph.multiply(&v[0], &scalar(1f32.to_radians()))),
        row("degrees", &["g"], 'g', |graph, v| graph.multiply(&v[0], &scalar(1f32.to_degrees()))),
        row("sin", &["g"], 'g', |graph, v| graph.each_channel(O::Sine, &[&v[0]])),
        row("cos", &["g"], 'g', |graph, v| graph.each_channel(O::Cosine, &[&v[0]])),
        row("tan", &["g"], 'g', |graph, v| {
            let [sine, cosine] = [O::Sine, O::Cosine].map(|of| graph.each_channel(of, &[&v[0]]));
            graph.divide(&sine, &cosine)
        }),
        row("pow", &["gg"], 'g', |graph, v| graph.each_channel(O::Power, &[&v[0], &v[1]])),
        row("exp", &["g"], 'g', |graph, v| {
            let exponent = graph.multiply(&v[0], &scalar(std::f32::consts::LOG2_E));
            graph.each_channel(O::Exponential, &[&exponent])
        }),
        row("log", &["g"], 'g', |graph, v| {
            let logarithm = graph.each_channel(O::Logarithm, &[&v[0]]);
            graph.multiply(&logarithm, &scalar(std::f32::consts::LN_2))
        }),
        row("exp2", &["g"], 'g', |graph, v| graph.each_channel(O::Exponential, &[&v[0]])),
        row("log2", &["g"], 'g', |graph, v| graph.each_channel(O::Logarithm, &[&v[0]])),
        row("sqrt", &["g"], 'g', |graph, v| graph.square_root(&v[0])),
        row("inversesqrt", &["g"], 'g', |graph, v| graph.each_channel(O::InverseRoot, &[&v[0]])),
        row("abs", &["g"], 'g', |_, v| absolute(&v[0])),
        row("sign", &["g"], 'g', |graph, v| {
            let positive = graph.channelwise(O::Less, &[&scalar(0.0), &v[0]]);
            let negative = graph.channelwise(O::Less, &[&v[0], &scalar(0.0)]);
            graph.subtract(&positive, &negative)
        }),
        row("floor", &["g"], 'g', |graph, v| graph.channelwise(O::Floor, &[&v[0]])),
        row("ceil", &["g"], 'g', |graph, v| negate(&graph.channelwise(O::Floor, &[&negate(&v[0])]))),
        row("fract", &["g"], 'g', |graph, v| graph.channelwise(O::Fraction, &[&v[0]])),
        row("mod", &["gg", "gf"], 'g', |graph, v| {
            let quotient = graph.divide(&v[0], &v[1]);
            let whole = graph.channelwise(O::Floor, &[&quotient]);
            let multiple = graph.multiply(&v[1], &whole);
            graph.subtract(&v[0], &multiple)
        }),
        row("min", &["gg", "gf"], 'g', |graph, v| graph.channelwise(O::Minimum, &[&v[0], &v[1]])),
        row("max", &["gg", "gf"], 'g', |graph, v| graph.channelwise(O::Maximum, &[&v[0], &v[1]])),
        row("clamp", &["ggg", "gff"], 'g', |graph, v| {
            if is_constant(&v[1], 0.0) && is_constant(&v[2], 1.0) {
                return graph.channelwise(O::Saturate, &[&v[0]]);
            }
            let above = graph.channelwise(O::Maximum, &[&v[0], &v[1]]);
            graph.channelwise(O::Minimum, &[&above, &v[2]])
        }),
        row("mix", &["ggg", "ggf"], 'g', |graph, v| graph.channelwise(O::Interpolate, &[&v[0], &v[1], &v[2]])),
        row("step", &["gg", "fg"], 'g', |graph, v| graph.channelwise(O::GreaterEqual, &[&v[1], &v[0]])),
        row("smoothstep", &["ggg", "ffg"], 'g', |graph, v| {
            let width = graph.subtract(&v[1], &v[0]);
            let offset = graph.subtract(&v[2], &v[0]);
            let ratio = graph.divide(&offset, &width);
            let t = graph.channelwise(O::Saturate, &[&ratio]);
            let square = graph.multiply(&t, &t);
            let twice = graph.multiply(&t, &scalar(2.0));
            let rest = graph.subtract(&scalar(3.0), &twice);
            graph.multiply(&square, &rest)
        }),
        row("length", &["g"], 'f', |graph, v| length(graph, &v[0])),
        row("distance", &["gg"], 'f', |graph, v| {
            let difference = graph.subtract(&v[0], &v[1]);
            length(graph, &difference)
        }),
        row("dot", &["gg"], 'f', |graph, v| graph.dot(&v[0], &v[1])),
        row("cross", &["33"], '3', |graph, v| {
            let rotated = |value: &[Channel]| vec![value[1], value[2], value[0]];
            let (a1, b1) = (rotated(&v[0]), rotated(&v[1]));
            let plus = graph.multiply(&a1, &rotated(&b1));
            let minus = graph.multiply(&rotated(&a1), &b1);
            graph.subtract(&plus, &minus)
        }),
        row("normalize", &["g"], 'g', |graph, v| {
            let square = graph.dot(&v[0], &v[0]);
            let inverse = graph.each_channel(O::InverseRoot, &[&square]);
            graph.multiply(&v[0], &inverse)
        }),
        row("reflect", &["gg"], 'g', |graph, v| {
            let along = graph.dot(&v[1], &v[0]);
            let twice = graph.multiply(&along, &scalar(2.0));
            let moved = graph.multiply(&v[1], &twice);
            graph.subtract(&v[0], &moved)
        }),
        row("dFdx", &["g"], 'g', |graph, v| derivative(graph, O::DerivativeX, &v[0])),
        row("dFdy", &["g"], 'g', |graph, v| derivative(graph, O::DerivativeY, &v[0])),
        row("fwidth", &["g"], 'g', |graph, v| {
            let [x, y] = [O::DerivativeX, O::DerivativeY].map(|along| absolute(&derivative(graph, along, &v[0])));
            graph.add(&x, &y)
        }),
    ]
};

/// The functions among [`BUILT_INS`].
pub(crate) fn functions() -> impl Iterator<Item = &'static BuiltIn> {
    BUILT_INS.iter().filter(|one| one.name.starts_with(|c: char| c.is_ascii_lowercase()))
}

impl BuiltIn {
    /// Type of its value for operands of some types; `None` if it has no form for them.
    pub(super) fn result(&self, operands: &[Type]) -> Option<Type> {
        let fits = |form: &&&str| {
            let mut generic = None;
            form.len() == operands.len()
                && form.chars().zip(operands).all(|(letter, given)| match (letter, given) {
                    (_, Type::Unknown) => true,
                    ('g', Type::Float(width)) => *generic.get_or_insert(*width) == *width,
                    (letter, given) => Some(*given) == of_letter(letter),
                })
        };
        self.forms.iter().find(fits)?;
        let widest = || operands.iter().max_by_key(|one| one.width()).copied();
        let is_unknown = operands.contains(&Type::Unknown);
        of_letter(self.result).or_else(|| if is_unknown { Some(Type::Unknown) } else { widest() })
    }

    /// The types of its operands, as text.
    pub(super) fn forms(&self) -> Vec<String> {
        let forms = self.forms.iter().filter(|form| !form.contains('d'));
        let word = |letter| of_letter(letter).map_or("vector".to_owned(), |ty| ty.to_string());
        forms.map(|form| form.chars().map(word).collect::<Vec<_>>().join(", ")).collect()
    }
}

fn of_letter(letter: char) -> Option<Type> {
    match letter {
        'f' => Some(Type::Float(1)),
        '3' => Some(Type::Float(3)),
        'b' => Some(Type::Bool),
        'd' => Some(Type::Double),
        _ => None,
    }
}

fn derivative(graph: &mut Graph, along: Operation, x: &[Channel]) -> Value {
    graph.whole(along, vec![x.to_vec()], x.len())
}

fn length(graph: &mut Graph, x: &[Channel]) -> Value {
    let square = graph.dot(x, x);
    graph.square_root(&square)
}

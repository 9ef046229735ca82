//! Built-in functions, as instructions.

use super::graph::{Channel, Graph, Value, absolute, is_constant, negate, scalar};
use crate::program::arithmetic::Operation;

/// The value of a built-in function; `None` if there is no function with this name and number of arguments.
///
/// Functions without an instruction are expanded to their definitions.
pub(super) fn call(graph: &mut Graph, name: &str, arguments: &[Value]) -> Option<Value> {
    match arguments {
        [x] => of_one(graph, name, x),
        [a, b] => of_two(graph, name, a, b),
        [a, b, c] => of_three(graph, name, a, b, c),
        _ => None,
    }
}

fn of_one(graph: &mut Graph, name: &str, x: &[Channel]) -> Option<Value> {
    use Operation as O;
    let scalar_operation = match name {
        "inversesqrt" => Some(O::InverseRoot),
        "exp2" => Some(O::Exponential),
        "log2" => Some(O::Logarithm),
        "sin" => Some(O::Sine),
        "cos" => Some(O::Cosine),
        _ => None,
    };
    if let Some(operation) = scalar_operation {
        return Some(graph.each_channel(operation, &[x]));
    }
    Some(match name {
        "abs" => absolute(x),
        "floor" => graph.channelwise(O::Floor, &[x]),
        "ceil" => negate(&graph.channelwise(O::Floor, &[&negate(x)])),
        "fract" => graph.channelwise(O::Fraction, &[x]),
        "dFdx" => graph.whole(O::DerivativeX, vec![x.to_vec()], x.len()),
        "dFdy" => graph.whole(O::DerivativeY, vec![x.to_vec()], x.len()),
        "fwidth" => {
            let [along_x, along_y] = [O::DerivativeX, O::DerivativeY]
                .map(|along| absolute(&graph.whole(along, vec![x.to_vec()], x.len())));
            graph.add(&along_x, &along_y)
        }
        "sign" => {
            let positive = graph.channelwise(O::Less, &[&scalar(0.0), x]);
            let negative = graph.channelwise(O::Less, &[x, &scalar(0.0)]);
            graph.subtract(&positive, &negative)
        }
        "sqrt" => square_root(graph, x),
        "length" => length(graph, x),
        "normalize" => {
            let square = graph.dot(x, x);
            let inverse = graph.each_channel(O::InverseRoot, &[&square]);
            graph.multiply(x, &inverse)
        }
        "exp" => {
            let exponent = graph.multiply(x, &scalar(std::f32::consts::LOG2_E));
            graph.each_channel(O::Exponential, &[&exponent])
        }
        "log" => {
            let logarithm = graph.each_channel(O::Logarithm, &[x]);
            graph.multiply(&logarithm, &scalar(std::f32::consts::LN_2))
        }
        "tan" => {
            let sine = graph.each_channel(O::Sine, &[x]);
            let cosine = graph.each_channel(O::Cosine, &[x]);
            graph.divide(&sine, &cosine)
        }
        "radians" => graph.multiply(x, &scalar(1f32.to_radians())),
        "degrees" => graph.multiply(x, &scalar(1f32.to_degrees())),
        _ => return None,
    })
}

fn of_two(graph: &mut Graph, name: &str, a: &[Channel], b: &[Channel]) -> Option<Value> {
    use Operation as O;
    Some(match name {
        "min" => graph.channelwise(O::Minimum, &[a, b]),
        "max" => graph.channelwise(O::Maximum, &[a, b]),
        "step" => graph.channelwise(O::GreaterEqual, &[b, a]),
        "pow" => graph.each_channel(O::Power, &[a, b]),
        "dot" if a.len() == b.len() => graph.dot(a, b),
        "distance" => {
            let difference = graph.subtract(a, b);
            length(graph, &difference)
        }
        "mod" => {
            let quotient = graph.divide(a, b);
            let whole = graph.channelwise(O::Floor, &[&quotient]);
            let multiple = graph.multiply(b, &whole);
            graph.subtract(a, &multiple)
        }
        "cross" if a.len() == 3 && b.len() == 3 => {
            let rotated = |value: &[Channel]| vec![value[1], value[2], value[0]];
            let (a1, b1) = (rotated(a), rotated(b));
            let plus = graph.multiply(&a1, &rotated(&b1));
            let minus = graph.multiply(&rotated(&a1), &b1);
            graph.subtract(&plus, &minus)
        }
        "reflect" => {
            let along = graph.dot(b, a);
            let twice = graph.multiply(&along, &scalar(2.0));
            let moved = graph.multiply(b, &twice);
            graph.subtract(a, &moved)
        }
        _ => return None,
    })
}

fn of_three(
    graph: &mut Graph,
    name: &str,
    a: &[Channel],
    b: &[Channel],
    c: &[Channel],
) -> Option<Value> {
    use Operation as O;
    Some(match name {
        "mix" => graph.channelwise(O::Interpolate, &[a, b, c]),
        "clamp" if is_constant(b, 0.0) && is_constant(c, 1.0) => saturate(graph, a),
        "clamp" => {
            let above = graph.channelwise(O::Maximum, &[a, b]);
            graph.channelwise(O::Minimum, &[&above, c])
        }
        "smoothstep" => {
            let width = graph.subtract(b, a);
            let offset = graph.subtract(c, a);
            let ratio = graph.divide(&offset, &width);
            let t = saturate(graph, &ratio);
            let square = graph.multiply(&t, &t);
            let twice = graph.multiply(&t, &scalar(2.0));
            let rest = graph.subtract(&scalar(3.0), &twice);
            graph.multiply(&square, &rest)
        }
        _ => return None,
    })
}

fn saturate(graph: &mut Graph, x: &[Channel]) -> Value {
    graph.channelwise(Operation::Saturate, &[x])
}

fn length(graph: &mut Graph, x: &[Channel]) -> Value {
    let square = graph.dot(x, x);
    square_root(graph, &square)
}

fn square_root(graph: &mut Graph, x: &[Channel]) -> Value {
    let inverse = graph.each_channel(Operation::InverseRoot, &[x]);
    graph.each_channel(Operation::Reciprocal, &[&inverse])
}

//! Conditions of `#if`, in integers.

use super::fault::{Fault, Place};
use super::lex::{Token, precedence};

/// Evaluates a condition whose macros are expanded; other names are zero.
pub(super) fn evaluate(mut tokens: &[Token], place: Place) -> Result<bool, Fault> {
    let value = binary(&mut tokens, place, 0)?;
    tokens.first().map_or(Ok(value != 0), |more| Err(unexpected(more)))
}

fn unexpected(token: &Token) -> Fault {
    let found = format!("`{}` in a condition", token.text);
    Fault::syntax(token.place, &found, "write integers, names and operators")
}

/// Takes operators from this level on, and their operands, from the tokens that are left.
fn binary(rest: &mut &[Token], place: Place, least: usize) -> Result<i64, Fault> {
    let mut value = unary(rest, place)?;
    while let [operator, others @ ..] = rest
        && let Some(level) = precedence(&operator.text).filter(|&level| level >= least)
    {
        *rest = others;
        let other = binary(rest, place, level + 1)?;
        value = computed(&operator.text, value, other).ok_or_else(|| {
            let found = format!("{value} {} {other} in a condition", operator.text);
            Fault::syntax(operator.place, &found, "use integers of 32 bits")
        })?;
    }
    Ok(value)
}

fn unary(rest: &mut &[Token], place: Place) -> Result<i64, Fault> {
    let incomplete = || Fault::syntax(place, "condition that is not complete", "write a value");
    let (first, others) = rest.split_first().ok_or_else(incomplete)?;
    *rest = others;
    match &*first.text {
        "-" => Ok(-unary(rest, place)?),
        "+" => unary(rest, place),
        "!" => Ok(i64::from(unary(rest, place)? == 0)),
        "~" => Ok(!unary(rest, place)?),
        "(" => {
            let value = binary(rest, place, 0)?;
            let open = || Fault::syntax(first.place, "`(` without `)`", "close it");
            *rest = rest.split_first().filter(|(close, _)| close.is(")")).ok_or_else(open)?.1;
            Ok(value)
        }
        name if first.is_name() && name != "defined" => Ok(0),
        number => {
            let (digits, radix) = match number.strip_prefix('0') {
                Some("") | None => (number, 10),
                Some(rest) => rest.strip_prefix(['x', 'X']).map_or((rest, 8), |hex| (hex, 16)),
            };
            i32::from_str_radix(digits, radix).map(i64::from).map_err(|_| unexpected(first))
        }
    }
}

/// The value of an operator; `None` if it has none in 32 bits.
fn computed(operator: &str, a: i64, b: i64) -> Option<i64> {
    let shift = u32::try_from(b).ok().filter(|&by| by < 32);
    let value = match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "<<" => a << shift?,
        ">>" => a >> shift?,
        "&" => a & b,
        "^" => a ^ b,
        "|" => a | b,
        _ => i64::from(match operator {
            "<" => a < b,
            ">" => a > b,
            "<=" => a <= b,
            ">=" => a >= b,
            "==" => a == b,
            "!=" => a != b,
            "&&" => a != 0 && b != 0,
            "||" => a != 0 || b != 0,
            _ => return None,
        }),
    };
    i32::try_from(value).ok().map(i64::from)
}

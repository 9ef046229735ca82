//! Conditions of `#if`, in integers.

use super::fault::{Fault, Place};
use super::lex::Token;
use super::parse::precedence;

/// Evaluates a condition whose macros are expanded; other names are zero.
pub(super) fn evaluate(tokens: &[Token], place: Place) -> Result<bool, Fault> {
    let mut rest = Rest { tokens, place };
    let value = rest.binary(0)?;
    match rest.tokens.first() {
        None => Ok(value != 0),
        Some(more) => Err(unexpected(more)),
    }
}

fn unexpected(token: &Token) -> Fault {
    let found = format!("`{}` in a condition", token.text);
    Fault::syntax(token.place, found, "write integers, names and operators")
}

/// The tokens that are left of a condition.
struct Rest<'a> {
    tokens: &'a [Token],
    place: Place,
}

impl Rest<'_> {
    fn binary(&mut self, least: u8) -> Result<i64, Fault> {
        let mut value = self.unary()?;
        while let [operator, rest @ ..] = self.tokens
            && let Some(level) = precedence(&operator.text).filter(|&level| level >= least)
        {
            self.tokens = rest;
            let other = self.binary(level + 1)?;
            let computed = computed(&operator.text, value, other);
            value = computed.ok_or_else(|| {
                let found = format!("{value} {} {other} in a condition", operator.text);
                Fault::syntax(operator.place, found, "use integers of 32 bits")
            })?;
        }
        Ok(value)
    }

    fn unary(&mut self) -> Result<i64, Fault> {
        let [first, rest @ ..] = self.tokens else {
            return Err(Fault::syntax(
                self.place,
                "condition that is not complete",
                "write a value",
            ));
        };
        self.tokens = rest;
        match &*first.text {
            "-" => Ok(-self.unary()?),
            "+" => self.unary(),
            "!" => Ok(i64::from(self.unary()? == 0)),
            "~" => Ok(!self.unary()?),
            "(" => {
                let value = self.binary(0)?;
                match self.tokens {
                    [close, rest @ ..] if close.is(")") => self.tokens = rest,
                    _ => return Err(Fault::syntax(first.place, "`(` without `)`", "close it")),
                }
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
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "&" => a & b,
        "^" => a ^ b,
        "|" => a | b,
        "&&" => i64::from(a != 0 && b != 0),
        "||" => i64::from(a != 0 || b != 0),
        _ => return None,
    };
    i32::try_from(value).ok().map(i64::from)
}

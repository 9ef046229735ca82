//! Expressions, and their types.

use std::rc::Rc;

use super::builtin::{BUILT_INS, functions};
use super::fault::{Fault, Place};
use super::lex::precedence;
use super::parse::{POSITION, Parsed, Parser, Stuck};
use super::tree::{Expr, Function, Node, Storage};
use super::types::{Type, foreign, integer, is_in_capitals};
use super::{DEEPEST, DEEPEST_EXPRESSION, Stage};
use crate::program::rule::Rule;

impl Parser {
    /// An expression, possibly with side effects.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST_EXPRESSION {
            self.stop(&format!("an expression that nests deeper than {DEEPEST_EXPRESSION}"));
        }
        let read = self.assignment();
        self.depth -= 1;
        read
    }

    /// An expression without side effects.
    pub(super) fn value(&mut self) -> Parsed<Expr> {
        let value = self.expression()?;
        Ok(self.pure(value))
    }

    fn pure(&mut self, value: Expr) -> Expr {
        if value.acts {
            let found = match &value.node {
                Node::Call(number, _) => &*self.program.functions[*number].name,
                _ => "an assignment",
            };
            let found = format!("{found} changes a variable in an expression");
            self.broken(value.place, Rule::SideEffects, &found);
        }
        Expr { acts: false, ..value }
    }

    fn assignment(&mut self) -> Parsed<Expr> {
        let target = self.conditional()?;
        let token = self.ahead(0).clone();
        let is_comparison = precedence(&token.text).is_some();
        let Some(operator) = token.text.strip_suffix('=').filter(|_| !is_comparison) else {
            return Ok(target);
        };
        self.advance();
        let value = self.expression()?;
        Ok(self.assign(operator, token.place, target, value))
    }

    /// `target = value`, or with an operator in front of `=`.
    fn assign(&mut self, operator: &str, place: Place, target: Expr, mut value: Expr) -> Expr {
        self.writes(&target);
        let (mut ty, mut row) = (value.ty, None);
        if !operator.is_empty() {
            value = self.pure(value);
            row = BUILT_INS.iter().position(|one| one.name == operator);
            let Some(row) = row else {
                return self.broken(place, Rule::Operators, &format!("operator {operator}="));
            };
            ty = BUILT_INS[row].result(&[target.ty, value.ty]).unwrap_or(Type::Void);
        }
        self.needs(&Expr { place, ..value.clone() }, ty, target.ty);
        let (ty, node) = (target.ty, Node::Assign(Box::new(target), row, Box::new(value)));
        Expr { acts: true, ..Expr::new(node, ty, place) }
    }

    /// `x++` and the like.
    fn step(&mut self, symbol: &str, place: Place, target: Expr, gives_old: bool) -> Expr {
        let one = Expr::new(Node::Number(1.0), Type::Float(1), place);
        let target = self.pure(target);
        let assigned = self.assign(&symbol[..1], place, target.clone(), one);
        if !gives_old {
            return assigned;
        }
        let (ty, node) = (target.ty, Node::Before(Box::new(target), Box::new(assigned)));
        Expr { acts: true, ..Expr::new(node, ty, place) }
    }

    /// Reports a value whose type is not the one that is needed.
    pub(super) fn needs(&mut self, value: &Expr, given: Type, needed: Type) {
        if !given.fits(needed) || matches!(given, Type::Void | Type::Stream) {
            let found = format!("{} where {needed} is needed", value.ty);
            let remedy = match needed {
                Type::Bool => "compare numbers, as in `x > 0.0`",
                _ => "convert with a constructor or a swizzle",
            };
            self.wrong(value.place, &found, remedy);
        }
    }

    /// Checks that a target can be assigned.
    fn writes(&mut self, target: &Expr) {
        let mut root = target;
        while let Node::Swizzle(base, channels) = &root.node {
            if (1..channels.len()).any(|at| channels[..at].contains(&channels[at])) {
                self.wrong(root.place, "a channel assigned twice", "name each channel once");
            }
            root = base;
        }
        let (Node::Variable(number) | Node::Element(number, _)) = root.node else {
            if root.ty != Type::Unknown {
                self.wrong(target.place, "an assignment to a value", "assign to a variable");
            }
            return;
        };
        let variable = &self.program.variables[number];
        let name = Rc::clone(&variable.name);
        self.current.acts |= variable.is_global;
        let is_variable = matches!(variable.storage, Storage::Variable | Storage::Out);
        if variable.is_locked {
            let found = format!("loop: its body changes `{name}`");
            self.broken(target.place, Rule::ConstantLoops, &found);
        } else if !is_variable || variable.ty == Type::Stream {
            let found = format!("an assignment to `{name}`, which can only be read");
            self.wrong(target.place, &found, "assign to a variable of your own");
        }
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        let place = self.place();
        if !self.accept("?") {
            return Ok(condition);
        }
        let first = self.expression()?;
        self.expect(":")?;
        let second = self.expression()?;
        Ok(self.apply("?:", place, vec![condition, first, second]))
    }

    fn binary(&mut self, least: usize) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some(level) = precedence(&self.ahead(0).text).filter(|&level| level >= least) {
            let symbol = self.advance();
            let right = self.binary(level + 1)?;
            left = self.apply(&symbol.text, symbol.place, vec![left, right]);
        }
        Ok(left)
    }

    /// An operator or built-in function of some operands.
    fn apply(&mut self, name: &str, place: Place, operands: Vec<Expr>) -> Expr {
        let operands: Vec<Expr> = operands.into_iter().map(|one| self.pure(one)).collect();
        let types: Vec<Type> = operands.iter().map(|one| one.ty).collect();
        let Some(row) = BUILT_INS.iter().position(|one| one.name == name) else {
            return self.broken(place, Rule::Operators, &format!("operator {name}"));
        };
        if let Some(ty) = BUILT_INS[row].result(&types) {
            return Expr::new(Node::Apply(row, operands), ty, place);
        }
        let is_equation = matches!(name, "==" | "!=") && types[0] == types[1];
        if is_equation && matches!(types[0], Type::Float(_)) {
            let found = format!("`{name}` of vectors");
            return self.left_out(place, &found, "compare their channels one by one");
        }
        self.mismatch(name, place, &types, BUILT_INS[row].forms())
    }

    /// Reports operands of wrong types.
    fn mismatch(&mut self, name: &str, place: Place, given: &[Type], forms: Vec<String>) -> Expr {
        let found = format!("`{}` of ({})", name.trim(), list(given));
        let forms = forms.join(") or (");
        self.wrong(place, &found, &format!("give it ({forms}), with vectors of one size"))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let token = self.ahead(0).clone();
        let name = match &*token.text {
            "+" => "+ ",
            "-" => "- ",
            "!" | "~" | "++" | "--" => &token.text,
            _ => return self.postfix(),
        };
        self.advance();
        let operand = self.unary()?;
        Ok(match name {
            "++" | "--" => self.step(name, token.place, operand, false),
            _ => self.apply(name, token.place, vec![operand]),
        })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut value = self.primary()?;
        loop {
            let token = self.ahead(0).clone();
            value = match &*token.text {
                "." | "[" => {
                    self.advance();
                    value = self.pure(value);
                    if token.is(".") { self.field(value)? } else { self.index(value)? }
                }
                symbol @ ("++" | "--") => {
                    self.advance();
                    self.step(symbol, token.place, value, true)
                }
                _ => return Ok(value),
            }
        }
    }

    fn field(&mut self, of: Expr) -> Parsed<Expr> {
        let token = self.ahead(0).clone();
        let named = ["xyzw", "rgba", "stpq"].into_iter().find_map(|names| {
            let channels = token.text.chars().map(|name| names.find(name));
            let channels: Vec<usize> = channels.collect::<Option<_>>()?;
            let is_vector = matches!(of.ty, Type::Float(2..)) && (1..=4).contains(&channels.len());
            (is_vector && channels.iter().all(|&at| at < of.ty.width())).then_some(channels)
        });
        if let Some(channels) = named {
            self.advance();
            return Ok(swizzled(of, channels));
        }
        let is_open = self.is_open && is_in_capitals(&token.text);
        if of.ty != Type::Unknown && !is_open {
            let remedy = "name one to four channels of a vector, such as .xy";
            self.wrong(token.place, &format!("`.{}` of {}", token.text, of.ty), remedy);
        }
        if !token.is_name() {
            return Err(Stuck);
        }
        self.advance();
        Ok(self.elsewhere(of.place))
    }

    /// Something that another text defines, or that is already reported.
    fn elsewhere(&mut self, place: Place) -> Expr {
        self.is_partial = true;
        Expr::unknown(place)
    }

    /// A channel of a vector, or an element of an array.
    fn index(&mut self, of: Expr) -> Parsed<Expr> {
        if of.ty == Type::Unknown {
            let is_integer = integer(&self.ahead(0).text).map(|_| drop(self.advance()));
            is_integer.map_or_else(|| self.value().map(drop), Ok)?;
            return self.expect("]").map(|()| of);
        }
        let token = self.advance();
        let array = match of.node {
            Node::Variable(number) => Some(number).zip(self.program.variables[number].size),
            _ => None,
        };
        let length = array.map_or(of.ty.width(), |(_, size)| size);
        let is_indexed = length > 1 || array.is_some();
        let index = integer(&token.text).filter(|&index| is_indexed && index < length);
        let Some(index) = index else {
            let found = format!("index `{}` of {length} elements", token.text);
            self.wrong(token.place, &found, "write an integer from 0, such as [0]");
            return Err(Stuck);
        };
        self.expect("]")?;
        Ok(match array {
            Some((number, _)) => Expr::new(Node::Element(number, index), of.ty, of.place),
            None => swizzled(of, vec![index]),
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.ahead(0).clone();
        let place = token.place;
        let is_type = Type::named(&token.text).is_some() && self.ahead(1).is("(");
        let is_value = token.is_name() || token.is_number() || token.is("(");
        if !is_value || foreign(&token.text).is_some() {
            return self.unexpected("write a value: a name, a number, a call or `(`");
        }
        if is_type {
            let ty = self.type_name()?;
            let arguments = self.list(Self::value)?;
            return Ok(self.construct(ty, arguments, place));
        }
        self.advance();
        Ok(match &*token.text {
            "(" => {
                let inner = self.expression()?;
                self.expect(")")?;
                inner
            }
            "true" => Expr::new(Node::Number(1.0), Type::Bool, place),
            "false" => Expr::new(Node::Number(0.0), Type::Bool, place),
            number if token.is_number() => self.number(number, place),
            name if self.is("(") => {
                let arguments = self.list(Self::value)?;
                self.call(name, arguments, place)
            }
            name => self.variable(name, place),
        })
    }

    fn number(&mut self, text: &str, place: Place) -> Expr {
        let digits = text.trim_end_matches(['f', 'F']);
        let is_float = digits.contains(['.', 'e', 'E']) && !digits.starts_with("0x");
        match digits.parse::<f32>() {
            Ok(value) if is_float && value.is_finite() && text.len() - digits.len() < 2 => {
                Expr::new(Node::Number(value), Type::Float(1), place)
            }
            _ if is_float => {
                self.wrong(place, &format!("number {text}"), "write it like 1.5 or 2.0e-3")
            }
            _ => self.broken(place, Rule::Types, &format!("integer {text}")),
        }
    }

    fn variable(&mut self, name: &str, place: Place) -> Expr {
        let is_vertex = self.stage == Stage::Vertex;
        let of_stage = match name {
            "here" | "gl_FragCoord" | "result" => !is_vertex,
            "gl_Position" => is_vertex,
            _ => true,
        };
        if name == "here" && of_stage {
            let position = Expr::new(Node::Variable(POSITION), Type::Float(4), place);
            return swizzled(position, vec![0, 1]);
        }
        let Some(number) = self.find(name).filter(|_| of_stage) else {
            return self.unknown(name, place);
        };
        let variable = &self.program.variables[number];
        if variable.size.is_some() && !self.is("[") {
            let found = format!("array {name} without an index");
            return self.left_out(place, &found, "read and write its elements one by one");
        }
        Expr::new(Node::Variable(number), variable.ty, place)
    }

    /// A name that is not declared.
    fn unknown(&mut self, name: &str, place: Place) -> Expr {
        match name {
            "gl_FragColor" | "gl_FragData" | "gl_FragDepth" | "gl_SampleMask" => {
                self.broken(place, Rule::OneResult, &format!("output {name}"))
            }
            _ if name.starts_with("gl_") => {
                self.broken(place, Rule::Functions, &format!("input {name}"))
            }
            _ if self.is_open || self.excused.contains(name) => self.elsewhere(place),
            _ => {
                let remedy = self.suggestion(name, "declare it before this line");
                self.wrong(place, &format!("unknown name `{name}`"), &remedy)
            }
        }
    }

    /// `vec3(...)` and the like.
    fn construct(&mut self, ty: Type, arguments: Vec<Expr>, place: Place) -> Expr {
        let widths: Vec<usize> = arguments.iter().map(|one| one.ty.width()).collect();
        let all: usize = widths.iter().sum();
        let last = widths.last().copied().unwrap_or(0);
        // The last argument is used, but need not be used completely.
        let is_filled = all >= ty.width() && (all - last < ty.width() || widths.len() == 1);
        if arguments.iter().any(|one| one.ty == Type::Unknown) {
            return Expr { ty, ..Expr::unknown(place) };
        }
        if ty.width() == 0 || widths.contains(&0) || !is_filled && widths != [1] {
            let types: Vec<Type> = arguments.iter().map(|one| one.ty).collect();
            let found = format!("{ty}({})", list(&types));
            let remedy = format!("give it {} channels, or one float", ty.width());
            return Expr { ty, ..self.wrong(place, &found, &remedy) };
        }
        if ty == Type::Bool && arguments[0].ty != Type::Bool {
            let nodes = [Node::Construct(arguments), Node::Number(0.0)];
            let sides = nodes.map(|node| Expr::new(node, Type::Float(1), place));
            return self.apply("!=", place, sides.into());
        }
        Expr::new(Node::Construct(arguments), ty, place)
    }

    fn call(&mut self, name: &str, arguments: Vec<Expr>, place: Place) -> Expr {
        let types: Vec<Type> = arguments.iter().map(|one| one.ty).collect();
        let fits = |one: &Function| {
            let needed = one.types();
            needed.len() == types.len() && needed.iter().zip(&types).all(|(a, b)| b.fits(*a))
        };
        let all = &self.program.functions;
        let found = all.iter().position(|one| *one.name == *name && fits(one));
        let named = all.iter().filter(|one| *one.name == *name);
        let forms: Vec<String> = named.map(|one| list(&one.types())).collect();
        if name == "fetch" {
            self.fetch(arguments, &types, place)
        } else if self.find(name).is_some() {
            self.wrong(place, &format!("a call of variable `{name}`"), "take another name for it")
        } else if let Some(number) = found {
            self.inlined(number, arguments, place)
        } else if !forms.is_empty() {
            self.mismatch(name, place, &types, forms)
        } else if functions().any(|one| one.name == name) {
            self.apply(name, place, arguments)
        } else if self.is_open && is_in_capitals(name) || self.excused.contains(name) {
            self.elsewhere(place)
        } else {
            let remedy = self.suggestion(name, Rule::Functions.remedy());
            let fault = Fault::new(place, Rule::Functions, &format!("function {name}"));
            self.report(fault.with(&remedy))
        }
    }

    fn fetch(&mut self, arguments: Vec<Expr>, types: &[Type], place: Place) -> Expr {
        if self.stage == Stage::Vertex {
            return self.broken(place, Rule::Functions, "fetch in a vertex program");
        }
        let node = match <[Expr; 2]>::try_from(arguments) {
            Ok([stream, at]) if stream.ty == Type::Stream && at.ty.fits(Type::Float(2)) => {
                match stream.node {
                    Node::Variable(number) => Node::Fetch(number, Box::new(at)),
                    other => other,
                }
            }
            Ok([Expr { ty: Type::Unknown, .. }, _]) => Node::Number(2.0),
            _ => self.mismatch("fetch", place, types, vec!["stream, vec2".into()]).node,
        };
        Expr::new(node, Type::Float(4), place)
    }

    /// A call of a function of the program.
    fn inlined(&mut self, number: usize, arguments: Vec<Expr>, place: Place) -> Expr {
        let function = &self.program.functions[number];
        let (ty, tokens, depth) = (function.result, function.tokens, function.depth);
        let acts = function.acts || function.parameters.iter().any(|one| one.is_out);
        self.current.acts |= function.acts;
        if Some(number) == self.current.number || &*function.name == "main" {
            let found = format!("function {} calls itself", function.name);
            return Expr { ty, ..self.broken(place, Rule::Recursion, &found) };
        }
        let is_out: Vec<bool> = function.parameters.iter().map(|one| one.is_out).collect();
        let targets = arguments.iter().zip(is_out).filter(|(_, is_out)| *is_out);
        targets.for_each(|(target, _)| self.writes(target));
        self.unroll(tokens);
        self.current.depth = self.current.depth.max(depth + 1);
        if self.current.depth >= DEEPEST {
            self.stop(&format!("calls that nest deeper than {DEEPEST}"));
        }
        Expr { acts, ..Expr::new(Node::Call(number, arguments), ty, place) }
    }

    /// A type at this position.
    pub(super) fn type_name(&mut self) -> Parsed<Type> {
        let token = self.ahead(0).clone();
        let ty = match Type::named(&token.text) {
            Some(Type::Double) => {
                let fault = Fault::new(token.place, Rule::Types, "type double");
                let is_listed = self.program.has_double || self.is_open;
                self.report(if is_listed { fault.listed() } else { fault });
                Type::Double
            }
            Some(ty) => ty,
            // A mesh is positioned by a matrix.
            None if self.stage == Stage::Vertex && token.text.starts_with("mat") => Type::Unknown,
            None => return self.unexpected("write a type: float, vec2, vec3, vec4 or bool"),
        };
        self.advance();
        Ok(ty)
    }
}

fn swizzled(of: Expr, channels: Vec<usize>) -> Expr {
    let (ty, place) = (Type::Float(channels.len()), of.place);
    Expr::new(Node::Swizzle(Box::new(of), channels), ty, place)
}

/// Some types, as text.
fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

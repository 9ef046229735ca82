//! Expressions, and their types.

use std::rc::Rc;

use super::Stage;
use super::builtin::{BUILT_INS, BuiltIn};
use super::fault::{Fault, Place};
use super::parse::{POSITION, Parsed, Parser, precedence};
use super::size::{DEEPEST, DEEPEST_EXPRESSION};
use super::tree::{Expr, Node, Operator, Storage};
use super::types::{Foreign, Type, foreign};
use crate::program::dialect::Rule;

impl Expr {
    fn new(node: Node, ty: Type, place: Place) -> Expr {
        Expr { node, ty, place, is_constant: false, acts: false }
    }

    /// The same, constant if all its parts are.
    fn of(self, is_constant: bool) -> Expr {
        Expr { is_constant, ..self }
    }

    fn unknown(place: Place) -> Expr {
        Expr::new(Node::Unknown, Type::Unknown, place).of(true)
    }

    fn number(value: f32, ty: Type, place: Place) -> Expr {
        Expr::new(Node::Number(value), ty, place).of(true)
    }
}

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut first = self.assignment()?;
        while self.is(",") {
            let place = self.advance().place;
            let second = self.assignment()?;
            let (ty, acts) = (second.ty, first.acts || second.acts);
            first = Expr::new(Node::Comma(Box::new(first), Box::new(second)), ty, place);
            first.acts = acts;
        }
        Ok(first)
    }

    /// An expression without side effects.
    pub(super) fn pure(&mut self, parsed: Parsed<Expr>) -> Parsed<Expr> {
        let expression = parsed?;
        if expression.acts {
            let found = match &expression.node {
                Node::Call(number, _) => {
                    let name = &self.program.functions[*number].name;
                    format!("{name}, which changes variables, in an expression")
                }
                _ => "an assignment in an expression".to_owned(),
            };
            self.broken(expression.place, Rule::SideEffects, found);
        }
        Ok(Expr { acts: false, ..expression })
    }

    pub(super) fn condition(&mut self) -> Parsed<Expr> {
        let parsed = self.expression();
        let condition = self.pure(parsed)?;
        self.needs(&condition, Type::Bool, "a condition", "compare numbers, as in `x > 0.0`");
        Ok(condition)
    }

    /// Reports an expression that has another type than the one that is needed.
    pub(super) fn needs(&mut self, given: &Expr, ty: Type, what: &str, remedy: &str) {
        if !given.ty.fits(ty) {
            self.wrong(given.place, format!("{} as {what} of type {ty}", given.ty), remedy);
        }
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST_EXPRESSION {
            self.stop(format!("an expression that nests deeper than {DEEPEST_EXPRESSION}"));
        }
        let read = self.assigned();
        self.depth -= 1;
        read
    }

    fn assigned(&mut self) -> Parsed<Expr> {
        let target = self.conditional()?;
        let symbol = Rc::clone(&self.ahead(0).text);
        let is_foreign = ["%=", "&=", "|=", "^=", "<<=", ">>="].contains(&&*symbol);
        let operator = match &*symbol {
            "=" => None,
            "+=" | "-=" | "*=" | "/=" => Operator::of(&symbol[..1]),
            _ if is_foreign => None,
            _ => return Ok(target),
        };
        let place = self.advance().place;
        let mut parsed = self.assignment();
        if operator.is_some() {
            parsed = self.pure(parsed);
        }
        let value = parsed?;
        if is_foreign {
            self.broken(target.place, Rule::Operators, format!("operator {symbol}"));
            return Ok(Expr::unknown(place));
        }
        self.writes(&target);
        let given = match operator {
            Some(_) => target.ty.combined(value.ty),
            None => Some(value.ty),
        };
        let is_value = !matches!(value.ty, Type::Void | Type::Stream);
        if !is_value || !given.is_some_and(|given| given.fits(target.ty)) {
            let found = format!("`{symbol}` of {} to {}", value.ty, target.ty);
            self.wrong(place, found, "convert with a constructor or a swizzle");
        }
        let (ty, at) = (target.ty, target.place);
        let node = Node::Assign(Box::new(target), operator, Box::new(value));
        Ok(Expr { acts: true, ..Expr::new(node, ty, at) })
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
        let number = match root.node {
            Node::Variable(number) | Node::Element(number, _) => number,
            Node::Unknown | Node::Number(_) if root.ty == Type::Unknown => return,
            _ => {
                return self.wrong(
                    target.place,
                    "an assignment to a value",
                    "assign to a variable or to its channels",
                );
            }
        };
        let variable = &self.program.variables[number];
        let name = Rc::clone(&variable.name);
        self.current.acts |= variable.is_global;
        if variable.is_locked {
            self.broken(
                target.place,
                Rule::ConstantLoops,
                format!("loop: its body changes `{name}`"),
            );
        } else if !matches!(variable.storage, Storage::Variable | Storage::Out)
            || variable.ty == Type::Stream
        {
            self.wrong(
                target.place,
                format!("an assignment to `{name}`"),
                "it can only be read: assign to a variable of your own",
            );
        }
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        if !self.is("?") {
            return Ok(condition);
        }
        let place = self.advance().place;
        let condition = self.pure(Ok(condition))?;
        self.needs(&condition, Type::Bool, "a condition", "compare numbers, as in `x > 0.0`");
        let parsed = self.expression();
        let first = self.pure(parsed)?;
        self.expect(":")?;
        let parsed = self.assignment();
        let second = self.pure(parsed)?;
        let is_value = !matches!(first.ty, Type::Void | Type::Stream);
        if !is_value || !first.ty.fits(second.ty) {
            let found = format!("`?:` between {} and {}", first.ty, second.ty);
            self.wrong(place, found, "give both sides the same type");
            return Ok(Expr::unknown(place));
        }
        let ty = if first.ty == Type::Unknown { second.ty } else { first.ty };
        let is_constant = condition.is_constant && first.is_constant && second.is_constant;
        let at = condition.place;
        let node = Node::Select(Box::new([condition, first, second]));
        Ok(Expr::new(node, ty, at).of(is_constant))
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some(level) = precedence(&self.ahead(0).text).filter(|&level| level >= least) {
            let symbol = self.advance();
            left = self.pure(Ok(left))?;
            let parsed = self.binary(level + 1);
            let right = self.pure(parsed)?;
            left = self.combined(&symbol.text, symbol.place, left, right);
        }
        Ok(left)
    }

    fn combined(&mut self, symbol: &str, place: Place, a: Expr, b: Expr) -> Expr {
        let both = |ty: Type| a.ty.fits(ty) && b.ty.fits(ty);
        let is_number = both(Type::Float(1)) || both(Type::Double);
        let Some(operator) = Operator::of(symbol) else {
            self.broken(place, Rule::Operators, format!("operator {symbol}"));
            return Expr::unknown(place);
        };
        let (ty, remedy) = match symbol {
            "+" | "-" | "*" | "/" => (a.ty.combined(b.ty), "use vectors of one size, or a float"),
            "<" | ">" | "<=" | ">=" => {
                (is_number.then_some(Type::Bool), "compare one channel of each")
            }
            "==" | "!=" => {
                let is_one = is_number || both(Type::Bool);
                if !is_one && a.ty == b.ty && matches!(a.ty, Type::Float(_)) {
                    let fault = Fault::new(place, Rule::Dialect, format!("`{symbol}` of vectors"));
                    self.report(fault.with("compare their channels one by one"));
                    return Expr::unknown(place);
                }
                (is_one.then_some(Type::Bool), "compare two numbers or two conditions")
            }
            _ => (both(Type::Bool).then_some(Type::Bool), "use conditions, such as `x > 0.0`"),
        };
        let Some(ty) = ty else {
            self.wrong(place, format!("`{symbol}` between {} and {}", a.ty, b.ty), remedy);
            return Expr::unknown(place);
        };
        let (is_constant, at) = (a.is_constant && b.is_constant, a.place);
        Expr::new(Node::Binary(operator, Box::new(a), Box::new(b)), ty, at).of(is_constant)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let symbol = Rc::clone(&self.ahead(0).text);
        if !["+", "-", "!", "~", "++", "--"].contains(&&*symbol) {
            return self.postfix();
        }
        let place = self.advance().place;
        let parsed = self.unary();
        let operand = self.pure(parsed)?;
        if symbol.len() == 2 {
            return Ok(self.step(operand, &symbol, false));
        }
        let is_number = matches!(operand.ty, Type::Float(_) | Type::Double | Type::Unknown);
        let is_right = if &*symbol == "!" { operand.ty.fits(Type::Bool) } else { is_number };
        if &*symbol == "~" {
            self.broken(place, Rule::Operators, "operator ~");
        } else if !is_right {
            self.wrong(
                place,
                format!("`{symbol}` of {}", operand.ty),
                "use - for numbers and ! for conditions",
            );
        }
        if &*symbol == "~" || !is_right {
            return Ok(Expr::unknown(place));
        }
        let (ty, is_constant) = (operand.ty, operand.is_constant);
        let negated = |of: Expr| Expr::new(Node::Negate(Box::new(of)), ty, place).of(is_constant);
        Ok(match &*symbol {
            "!" => Expr::new(Node::Not(Box::new(operand)), ty, place).of(is_constant),
            "-" => negated(operand),
            _ => negated(negated(operand)),
        })
    }

    /// `++` or `--`.
    fn step(&mut self, target: Expr, symbol: &str, gives_old: bool) -> Expr {
        self.writes(&target);
        let (ty, place) = (target.ty, target.place);
        if !matches!(ty, Type::Float(_) | Type::Double | Type::Unknown) {
            self.wrong(place, format!("`{symbol}` of {ty}"), "step a number");
        }
        let by = if symbol == "++" { 1.0 } else { -1.0 };
        Expr { acts: true, ..Expr::new(Node::Step(Box::new(target), by, gives_old), ty, place) }
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut value = self.primary()?;
        loop {
            match &*self.ahead(0).text {
                "." => {
                    self.advance();
                    value = self.pure(Ok(value))?;
                    value = self.field(value)?;
                }
                "[" => {
                    self.advance();
                    value = self.pure(Ok(value))?;
                    value = self.index(value)?;
                }
                "++" | "--" => {
                    let symbol = self.advance();
                    value = self.pure(Ok(value))?;
                    value = self.step(value, &symbol.text, true);
                }
                _ => return Ok(value),
            }
        }
    }

    fn field(&mut self, of: Expr) -> Parsed<Expr> {
        if !self.ahead(0).is_name() {
            return self.unexpected("name channels, such as .xy");
        }
        let token = self.advance();
        let place = token.place;
        let at = |name: char| {
            let sets = ["xyzw", "rgba", "stpq"].into_iter().enumerate();
            sets.filter_map(|(set, names)| Some((set, names.find(name)?))).next()
        };
        let Type::Float(width @ 2..) = of.ty else {
            if of.ty != Type::Unknown {
                self.wrong(
                    place,
                    format!("`.{}` of {}", token.text, of.ty),
                    "only vectors have channels",
                );
            }
            return Ok(Expr::unknown(of.place));
        };
        if self.is_open && is_in_capitals(&token.text) {
            return Ok(Expr::unknown(of.place));
        }
        let named: Option<Vec<(usize, usize)>> = token.text.chars().map(at).collect();
        let named = named.filter(|named| {
            named.len() <= 4 && named.iter().all(|&(set, at)| set == named[0].0 && at < width)
        });
        let Some(named) = named else {
            self.wrong(
                place,
                format!("`.{}` of {}", token.text, of.ty),
                format!("name up to four of the channels .{}", &"xyzw"[..width]),
            );
            return Ok(Expr::unknown(of.place));
        };
        let channels = named.into_iter().map(|(_, at)| at).collect();
        Ok(Self::swizzled(of, channels))
    }

    fn swizzled(of: Expr, channels: Vec<usize>) -> Expr {
        let (ty, at, is_constant) = (Type::Float(channels.len()), of.place, of.is_constant);
        Expr::new(Node::Swizzle(Box::new(of), channels), ty, at).of(is_constant)
    }

    /// A channel of a vector, or an element of an array.
    fn index(&mut self, of: Expr) -> Parsed<Expr> {
        let (place, at) = (self.place(), of.place);
        let digits = Rc::clone(&self.ahead(0).text);
        let literal = if self.ahead(1).is("]") { integer(&digits) } else { None };
        if literal.is_some() {
            self.advance();
        } else {
            let parsed = self.expression();
            let index = self.pure(parsed)?;
            if index.ty != Type::Unknown {
                self.wrong(
                    place,
                    format!("an index of type {}", index.ty),
                    "write an integer, such as [0]",
                );
            }
        }
        self.expect("]")?;
        let array = match of.node {
            Node::Variable(number) => {
                self.program.variables[number].size.map(|size| (number, size))
            }
            _ => None,
        };
        let length = match (array, of.ty) {
            (Some((_, size)), _) => size,
            (None, Type::Float(width @ 2..)) => width,
            (None, Type::Unknown) => return Ok(Expr::unknown(at)),
            (None, ty) => {
                self.wrong(place, format!("an index of {ty}"), "index a vector or an array");
                return Ok(Expr::unknown(at));
            }
        };
        let Some(index) = literal else { return Ok(Expr::unknown(at)) };
        if index >= length {
            self.wrong(
                place,
                format!("index {index} of {length}"),
                format!("use 0 to {}", length - 1),
            );
            return Ok(Expr::unknown(at));
        }
        Ok(match array {
            Some((number, _)) => Expr::new(Node::Element(number, index), of.ty, at),
            None => Self::swizzled(of, vec![index]),
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.ahead(0).clone();
        let place = token.place;
        if token.is_number() {
            self.advance();
            return Ok(self.number(&token.text, place));
        }
        if self.accept("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let is_call = self.ahead(1).is("(");
        match &*token.text {
            "true" | "false" => {
                self.advance();
                Ok(Expr::number(f32::from(u8::from(token.is("true"))), Type::Bool, place))
            }
            name if is_call && (Type::named(name).is_some() || foreign(name).is_some()) => {
                let ty = self.type_name()?;
                let arguments = self.arguments()?;
                Ok(self.construct(ty, arguments, place))
            }
            name if !token.is_name() || foreign(name).is_some() || Type::named(name).is_some() => {
                self.unexpected("write a value: a name, a number, a call or `(`")
            }
            _ if is_call => {
                self.advance();
                let arguments = self.arguments()?;
                Ok(self.call(&token.text, arguments, place))
            }
            _ => {
                self.advance();
                Ok(self.variable(&token.text, place))
            }
        }
    }

    fn number(&mut self, text: &str, place: Place) -> Expr {
        let is_integer = |text: &str| {
            text.bytes().all(|c| c.is_ascii_digit())
                || text.starts_with("0x")
                || text.starts_with("0X")
        };
        if is_integer(text) {
            self.broken(place, Rule::Types, format!("integer {text}"));
            return Expr::unknown(place);
        }
        if let Some(digits) = text.strip_suffix(['u', 'U']).filter(|text| is_integer(text)) {
            self.broken(place, Rule::Types, format!("unsigned integer {digits}"));
            return Expr::unknown(place);
        }
        if text.ends_with("lf") || text.ends_with("LF") {
            self.broken(place, Rule::Types, format!("double {text}"));
            return Expr::unknown(place);
        }
        let digits = text.strip_suffix(['f', 'F']).filter(|text| !is_integer(text)).unwrap_or(text);
        match digits.parse::<f32>() {
            Ok(value) if value.is_finite() => Expr::number(value, Type::Float(1), place),
            _ => {
                self.wrong(place, format!("number {text}"), "write it like 1.5 or 2.0e-3");
                Expr::unknown(place)
            }
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
            return Self::swizzled(position, vec![0, 1]);
        }
        if let Some(number) = self.find(name).filter(|_| of_stage) {
            let known = &self.program.variables[number];
            let (ty, is_constant) = (known.ty, known.storage == Storage::Constant);
            if known.size.is_some() && !self.is("[") {
                let fault =
                    Fault::new(place, Rule::Dialect, format!("array {name} without an index"));
                self.report(fault.with("read and write its elements one by one"));
                return Expr::unknown(place);
            }
            return Expr::new(Node::Variable(number), ty, place).of(is_constant);
        }
        match name {
            _ if self.is_open && is_in_capitals(name) => {
                return Expr::number(2.0, Type::Unknown, place);
            }
            "gl_FragColor" | "gl_FragData" | "gl_FragDepth" | "gl_SampleMask" => {
                self.broken(place, Rule::OneResult, format!("output {name}"));
            }
            _ if name.starts_with("gl_") => {
                self.broken(place, Rule::Functions, format!("input {name}"));
            }
            _ if self.is_open => {}
            _ => {
                let remedy = self.suggestion(name, "declare it before this line");
                self.wrong(place, format!("unknown name `{name}`"), remedy);
            }
        }
        Expr::unknown(place)
    }

    /// The arguments of a call, from `(` to `)`.
    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        self.expect("(")?;
        if self.is("void") && self.ahead(1).is(")") {
            self.advance();
        }
        while !self.is(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            let parsed = self.assignment();
            arguments.push(self.pure(parsed)?);
        }
        self.expect(")")?;
        Ok(arguments)
    }

    /// `vec3(...)` and the like.
    fn construct(&mut self, ty: Type, arguments: Vec<Expr>, place: Place) -> Expr {
        let given = Self::list(arguments.iter().map(|one| one.ty));
        let is_unknown = arguments.iter().any(|one| one.ty == Type::Unknown);
        let has_values = arguments.iter().all(|one| one.ty.width() > 0);
        if ty == Type::Unknown || is_unknown {
            return Expr { ty, ..Expr::unknown(place) };
        }
        let widths: Vec<usize> = arguments.iter().map(|one| one.ty.width()).collect();
        let (all, needed) = (widths.iter().sum::<usize>(), ty.width());
        let is_repeated = widths == [1];
        let has_unused = widths.len() > 1 && all - widths[widths.len() - 1] >= needed;
        if !has_values || needed == 0 || all < needed && !is_repeated || has_unused {
            let remedy = format!("give it {needed} channels, or one float");
            self.wrong(place, format!("{ty}({given})"), remedy);
            return Expr { ty, ..Expr::unknown(place) };
        }
        let is_constant = arguments.iter().all(|one| one.is_constant);
        let is_truth = arguments[0].ty == Type::Bool;
        let value = Expr::new(Node::Construct(arguments), ty, place).of(is_constant);
        if ty != Type::Bool || is_truth {
            return value;
        }
        let number = Expr { ty: Type::Float(1), ..value };
        let zero = Expr::number(0.0, Type::Float(1), place);
        self.combined("!=", place, number, zero)
    }

    fn call(&mut self, name: &Rc<str>, arguments: Vec<Expr>, place: Place) -> Expr {
        let types: Vec<Type> = arguments.iter().map(|one| one.ty).collect();
        let given = Self::list(types.iter().copied());
        if &**name == "fetch" {
            return self.fetch(arguments, &given, place);
        }
        if self.find(name).is_some() {
            self.wrong(
                place,
                format!("a call of `{name}`, which is a variable"),
                "take another name for it",
            );
            return Expr::unknown(place);
        }
        let of_name =
            || self.program.functions.iter().enumerate().filter(|(_, one)| one.name == *name);
        let fits = of_name().find(|(_, one)| {
            let needed = one.parameters.iter().map(|parameter| parameter.ty);
            one.parameters.len() == types.len()
                && needed.zip(&types).all(|(needed, ty)| ty.fits(needed))
        });
        if let Some((number, _)) = fits {
            return self.inlined(number, arguments, place);
        }
        let mut forms: Vec<String> = of_name().map(|(_, one)| Self::parameters(one)).collect();
        if let Some(at) = BUILT_INS.iter().position(|one| one.name == &**name) {
            if let Some(ty) = BUILT_INS[at].result(&types) {
                let is_derivative = matches!(BUILT_INS[at].name, "dFdx" | "dFdy" | "fwidth");
                let is_constant = !is_derivative && arguments.iter().all(|one| one.is_constant);
                return Expr::new(Node::BuiltIn(at, arguments), ty, place).of(is_constant);
            }
            forms = BUILT_INS[at].forms_in_words();
        }
        if !forms.is_empty() {
            let remedy = format!("give it ({})", forms.join(") or ("));
            self.wrong(place, format!("{name}({given})"), remedy);
        } else if !(self.is_open && is_in_capitals(name)) {
            let remedy = self.suggestion(name, Rule::Functions.remedy());
            self.report(
                Fault::new(place, Rule::Functions, format!("function {name}")).with(remedy),
            );
        }
        Expr::unknown(place)
    }

    fn fetch(&mut self, mut arguments: Vec<Expr>, given: &str, place: Place) -> Expr {
        if self.stage == Stage::Vertex {
            self.broken(place, Rule::Functions, "fetch in a vertex program");
            return Expr::unknown(place);
        }
        let fetched = match (arguments.pop(), arguments.pop(), arguments.len()) {
            (Some(position), Some(stream), 0)
                if position.ty.fits(Type::Float(2)) && stream.ty.fits(Type::Stream) =>
            {
                match stream.node {
                    Node::Variable(number) => Node::Fetch(number, Box::new(position)),
                    _ => Node::Unknown,
                }
            }
            _ => {
                self.wrong(
                    place,
                    format!("fetch({given})"),
                    "give it a stream and a position: fetch(stream, vec2)",
                );
                Node::Unknown
            }
        };
        Expr::new(fetched, Type::Float(4), place)
    }

    /// A call of a function of the program.
    fn inlined(&mut self, number: usize, arguments: Vec<Expr>, place: Place) -> Expr {
        let function = &self.program.functions[number];
        let (name, ty, tokens, depth) =
            (Rc::clone(&function.name), function.result, function.tokens, function.depth);
        let parameters = function.parameters.clone();
        let acts = function.acts || parameters.iter().any(|one| one.is_out);
        self.current.acts |= function.acts;
        if number == self.current.number || &*name == "main" {
            self.broken(place, Rule::Recursion, format!("function {name} calls itself"));
            return Expr { ty, ..Expr::unknown(place) };
        }
        for (parameter, argument) in parameters.iter().zip(&arguments) {
            if parameter.is_out {
                self.writes(argument);
            }
        }
        self.unroll(tokens);
        self.current.depth = self.current.depth.max(depth + 1);
        if self.current.depth >= DEEPEST {
            self.stop(format!("calls that nest deeper than {DEEPEST}"));
        }
        Expr { acts, ..Expr::new(Node::Call(number, arguments), ty, place) }
    }
}

impl BuiltIn {
    /// The types of its parameters, as text.
    fn forms_in_words(&self) -> Vec<String> {
        let word = |letter| match letter {
            'g' => "number or vector of one size",
            'f' => "float",
            _ => "vec3",
        };
        let words = |form: &&str| form.chars().map(word).collect::<Vec<_>>().join(", ");
        self.forms.iter().map(words).collect()
    }
}

impl Parser {
    /// A type at this position. One that the dialect does not have is reported, and unknown.
    pub(super) fn type_name(&mut self) -> Parsed<Type> {
        let token = self.ahead(0).clone();
        let ty = match (Type::named(&token.text), foreign(&token.text)) {
            (Some(Type::Double), _) => {
                let fault = Fault::new(token.place, Rule::Types, "type double");
                let is_listed = self.has_double || self.is_open;
                self.report(if is_listed { fault.listed() } else { fault });
                Type::Double
            }
            (Some(ty), _) => ty,
            // A mesh is positioned by a matrix.
            (None, Some(Foreign::Matrix)) if self.stage == Stage::Vertex => Type::Unknown,
            (None, Some(Foreign::Resource)) => {
                self.broken(token.place, Rule::Resources, format!("type {}", token.text));
                Type::Unknown
            }
            (None, Some(_)) => {
                self.broken(token.place, Rule::Types, format!("type {}", token.text));
                Type::Unknown
            }
            (None, None) => {
                return self.unexpected("write a type: float, vec2, vec3, vec4 or bool");
            }
        };
        self.advance();
        Ok(ty)
    }
}

/// The value of a decimal integer.
pub(super) fn integer(digits: &str) -> Option<usize> {
    let is_decimal = digits.bytes().all(|c| c.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    digits.parse().ok().filter(|_| is_decimal)
}

/// Tests whether a name may be a macro that another text defines.
fn is_in_capitals(name: &str) -> bool {
    name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_')
}

//! Declarations: variables and functions.

use std::rc::Rc;

use super::builtin::BUILT_INS;
use super::fault::Fault;
use super::parse::{Current, Parsed, Parser};
use super::tree::{Function, Kind, Parameter, Statement, Storage, Variable};
use super::types::{Type, integer};
use super::{LONGEST_ARRAY, Stage};
use crate::program::STREAMS;
use crate::program::rule::Rule;

/// Number of interpolated inputs of a fragment program: its texture coordinates.
const COORDINATES: usize = 8;

impl Parser {
    /// Tests whether a declaration is at this position.
    pub(super) fn is_declaration(&self) -> bool {
        let word = &*self.ahead(0).text;
        Type::named(word).is_some() && !self.ahead(1).is("(")
            || matches!(word, "const" | "uniform" | "in" | "out" | "lowp" | "mediump" | "highp")
    }

    /// The qualifiers in front of a type: whether `const` is among them, and `uniform`, `in`, `out` or `inout`.
    fn qualifiers(&mut self) -> (bool, Option<Rc<str>>) {
        let (mut is_const, mut storage) = (false, None);
        loop {
            match &*self.ahead(0).text {
                "const" => is_const = true,
                "uniform" | "in" | "out" | "inout" if storage.is_none() => {
                    storage = Some(Rc::clone(&self.ahead(0).text));
                }
                "lowp" | "mediump" | "highp" | "smooth" => {}
                // The number of an attribute.
                "layout" if self.stage != Stage::Fragment && self.ahead(2).is("location") => {
                    while !self.is(")") && !self.is_at_end() {
                        self.advance();
                    }
                }
                _ => return (is_const, storage),
            }
            self.advance();
        }
    }

    /// A declaration outside of functions.
    pub(super) fn external(&mut self) -> Parsed<()> {
        if self.accept("precision") {
            self.advance();
            self.advance();
            return self.expect(";");
        }
        let (is_const, storage) = self.qualifiers();
        let ty = self.type_name()?;
        let size = self.size()?;
        if self.ahead(1).is("(") {
            return self.scope(|parser| parser.function(ty));
        }
        let storage = match storage.as_deref() {
            None if is_const => Storage::Constant,
            None => Storage::Variable,
            Some("uniform") => Storage::Uniform,
            Some("in") => Storage::In,
            Some(_) => Storage::Out,
        };
        let first = self.names(storage, ty, size)?;
        self.program.first.extend(first);
        Ok(())
    }

    /// A declaration in a function.
    pub(super) fn local(&mut self) -> Parsed<Vec<Statement>> {
        let place = self.place();
        let (is_const, storage) = self.qualifiers();
        if let Some(storage) = storage {
            let found = format!("{storage} in a function");
            self.wrong(place, &found, "declare it outside of functions");
        }
        let ty = self.type_name()?;
        let size = self.size()?;
        self.names(if is_const { Storage::Constant } else { Storage::Variable }, ty, size)
    }

    /// The size of an array, if there is one at this position.
    fn size(&mut self) -> Parsed<Option<usize>> {
        let place = self.place();
        if !self.accept("[") {
            return Ok(None);
        }
        let digits = self.advance();
        self.expect("]")?;
        let size = integer(&digits.text).filter(|size| (1..=LONGEST_ARRAY).contains(size));
        if size.is_none() {
            let found = format!("an array of {} elements", digits.text);
            self.left_out(place, &found, &format!("use an integer from 1 to {LONGEST_ARRAY}"));
        }
        Ok(size.or(Some(1)))
    }

    /// The names of a declaration, up to `;`.
    fn names(&mut self, storage: Storage, ty: Type, of: Option<usize>) -> Parsed<Vec<Statement>> {
        let (mut statements, is_global) = (Vec::new(), self.is_outside());
        loop {
            let line = self.place().0;
            let (name, place) = self.name()?;
            let size = self.size()?.or(of);
            let first = if self.accept("=") { Some(self.expression()?) } else { None };
            let value = first.as_ref().and_then(|first| self.program.constant(first));
            let remedy = match (storage, &first, &value) {
                (_, Some(_), _) if size.is_some() => Some("assign its elements one by one"),
                (Storage::Uniform | Storage::In | Storage::Out, Some(_), _) => {
                    Some("declare it without a value: every pass sets it")
                }
                (Storage::Variable, Some(_), None) if is_global => Some("assign it in main"),
                (Storage::Constant, Some(_), None) => Some("delete `const`"),
                (Storage::Constant, None, _) => Some("give it one, or delete `const`"),
                _ => None,
            };
            if let Some(remedy) = remedy {
                self.left_out(place, &format!("the value of {name}"), remedy);
            }
            if let Some(first) = &first {
                self.needs(first, first.ty, ty);
            }
            let value = value.filter(|_| storage == Storage::Constant);
            let new = Variable::new(Rc::clone(&name), ty, storage, place);
            let number = self.bind(Variable { size, value, ..new });
            self.unroll(size.unwrap_or(0));
            if is_global {
                self.outside(number);
            } else if matches!(ty, Type::Stream | Type::Void) {
                let found = format!("{ty} {name} in a function");
                self.wrong(place, &found, "declare it outside: `uniform stream NAME;`");
            }
            if matches!(storage, Storage::Variable | Storage::Constant) {
                statements.push(Statement { line, kind: Kind::Declare(number, first) });
            }
            if !self.accept(",") {
                return self.expect(";").map(|()| statements);
            }
        }
    }

    /// Checks a variable outside of functions: what a pass can set, and how many there are.
    fn outside(&mut self, number: usize) {
        let variable = self.program.variables[number].clone();
        let Variable { name, ty, size, storage, place, .. } = variable;
        let (is_stream, is_plain) = (ty == Type::Stream, size.is_none());
        let is_vector = matches!(ty, Type::Float(_) | Type::Unknown);
        let fits = match storage {
            Storage::Uniform => is_vector || is_stream && is_plain,
            Storage::In | Storage::Out => is_vector && is_plain,
            Storage::Variable | Storage::Constant => !is_stream && ty != Type::Void,
        };
        if !fits && ty != Type::Double {
            let remedy = "declare `uniform stream NAME;`, or a float, vec2, vec3 or vec4";
            self.report(Fault::new(place, Rule::Types, &format!("{ty} {name}")).with(remedy));
        }
        let same = self.program.globals().filter(|one| one.storage == storage);
        let number = same.filter(|one| (one.ty == Type::Stream) == is_stream).count();
        let (rule, found) = match (storage, self.stage) {
            (Storage::Out, Stage::Fragment | Stage::Prelude) if &*name != "result" => {
                (Rule::OneResult, format!("second output {name}"))
            }
            (Storage::In, Stage::Fragment) | (Storage::Out, Stage::Vertex)
                if number == COORDINATES + 1 =>
            {
                (Rule::EightCoordinates, format!("coordinate {name} is number {number}"))
            }
            (Storage::Uniform, _) if is_stream && number == STREAMS + 1 => {
                (Rule::SixteenStreams, format!("stream {name} is number {number}"))
            }
            _ => return,
        };
        self.report(Fault::new(place, rule, &found).listed());
    }

    /// A function, in a scope of its own.
    fn function(&mut self, result: Type) -> Parsed<()> {
        let (name, place) = self.name()?;
        let is_variable = self.find(&name).is_some();
        let first = self.program.variables.len();
        let parameters = self.list(Self::parameter)?;
        let is_defined = !self.is(";");
        let (of, default) = (Rc::clone(&name), Function::default());
        let function = Function { name: of, place, parameters, result, is_defined, ..default };
        let is_same =
            |one: &Function| one.is_defined && one.name == name && one.types() == function.types();
        if BUILT_INS.iter().any(|one| one.name == &*name) {
            let found = format!("a second function {name}");
            self.left_out(place, &found, "take another name: this one is built in");
        } else if !is_defined {
            let found = format!("function {name} before its definition");
            let fault = Fault::new(place, Rule::Recursion, &found);
            self.report(fault.with("define it before its first call"));
        } else if is_variable || self.program.functions.iter().any(is_same) {
            self.wrong(place, &format!("second definition of {name}"), "take another name");
        }
        if &*name == "main" && (result != Type::Void || !function.parameters.is_empty()) {
            self.wrong(place, "main with parameters or a value", "write `void main()`");
        }
        let number = self.program.functions.len();
        self.current = Current { number: Some(number), first, result, ..Current::default() };
        self.unrolled = 0;
        self.program.functions.push(function);
        if !is_defined {
            return self.expect(";");
        }
        let body = self.block()?;
        if !matches!(result, Type::Void | Type::Unknown) && !self.current.returns {
            let found = format!("function {name} without a value");
            self.wrong(place, &found, "end it with `return value;`");
        }
        let function = &mut self.program.functions[number];
        let Current { acts, depth, .. } = std::mem::take(&mut self.current);
        (function.body, function.tokens) = (body, self.unrolled);
        (function.acts, function.depth) = (acts, depth);
        Ok(())
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let place = self.place();
        let (is_const, storage) = self.qualifiers();
        let ty = self.type_name()?;
        let name = match self.is(",") || self.is(")") {
            true => format!("parameter {}", self.program.variables.len()).into(),
            false => self.name()?.0,
        };
        let storage = storage.as_deref().unwrap_or("in");
        let (is_in, is_out) = (storage != "out", storage.ends_with("out"));
        if self.is("[") {
            self.size()?;
            let found = format!("array {name} as a parameter");
            self.left_out(place, &found, "pass its elements one by one");
        }
        let cannot_be_out = ty == Type::Stream || is_const;
        if ty == Type::Void || is_out && cannot_be_out || storage == "uniform" {
            let found = format!("parameter {name}");
            self.wrong(place, &found, "pass a stream, a float, a vector or a bool");
        }
        let storage = if is_const && !is_out { Storage::Constant } else { Storage::Variable };
        let variable = self.bind(Variable::new(name, ty, storage, place));
        Ok(Parameter { variable, ty, is_in, is_out })
    }
}

//! Declarations: variables and functions.

use std::rc::Rc;

use super::Stage;
use super::builtin::BUILT_INS;
use super::fault::Fault;
use super::parse::{Current, Parsed, Parser};
use super::size::LONGEST_ARRAY;
use super::tree::{Function, Kind, Parameter, Statement, Storage};
use super::types::{Type, integer};
use crate::program::STREAMS;
use crate::program::dialect::Rule;

/// Number of interpolated inputs of a fragment program: its texture coordinates.
const COORDINATES: usize = 8;

/// Qualifiers in front of a type.
#[derive(Default)]
struct Qualifiers {
    is_const: bool,
    /// `uniform`, `in`, `out` or `inout`.
    storage: Option<Rc<str>>,
}

impl Parser {
    /// Tests whether a declaration is at this position.
    pub(super) fn is_declaration(&self) -> bool {
        let word = &*self.ahead(0).text;
        Type::named(word).is_some() && !self.ahead(1).is("(")
            || matches!(word, "const" | "uniform" | "in" | "out" | "lowp" | "mediump" | "highp")
    }

    fn qualifiers(&mut self) -> Parsed<Qualifiers> {
        let mut found = Qualifiers::default();
        loop {
            match &*self.ahead(0).text {
                "const" => found.is_const = true,
                "uniform" | "in" | "out" | "inout" if found.storage.is_none() => {
                    found.storage = Some(Rc::clone(&self.ahead(0).text));
                }
                "lowp" | "mediump" | "highp" | "smooth" => {}
                // The number of an attribute.
                "layout" if self.stage != Stage::Fragment && self.ahead(2).is("location") => {
                    while !self.is(")") && !self.is_at_end() {
                        self.advance();
                    }
                }
                _ => return Ok(found),
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
        let qualifiers = self.qualifiers()?;
        let ty = self.type_name()?;
        let size = self.size()?;
        if self.ahead(1).is("(") {
            return self.function(ty);
        }
        let mut first = Vec::new();
        self.declarators(&qualifiers, ty, size, &mut first)?;
        self.program.first.extend(first);
        Ok(())
    }

    /// A declaration in a function.
    pub(super) fn local(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        let place = self.place();
        let qualifiers = self.qualifiers()?;
        if let Some(storage) = &qualifiers.storage {
            self.wrong(
                place,
                format!("{storage} in a function"),
                "declare it outside of functions",
            );
        }
        let ty = self.type_name()?;
        let size = self.size()?;
        self.declarators(&Qualifiers { storage: None, ..qualifiers }, ty, size, statements)
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
            let fault = Fault::new(place, Rule::Dialect, found);
            self.report(fault.with(format!("use an integer from 1 to {LONGEST_ARRAY}")));
        }
        Ok(size.or(Some(1)))
    }

    /// The names of a declaration, up to `;`.
    fn declarators(
        &mut self,
        qualifiers: &Qualifiers,
        ty: Type,
        of_type: Option<usize>,
        statements: &mut Vec<Statement>,
    ) -> Parsed<()> {
        loop {
            let line = self.place().0;
            let (name, place) = self.name()?;
            let size = self.size()?.or(of_type);
            let first = if self.accept("=") { Some(self.expression()?) } else { None };
            let storage = match (qualifiers.storage.as_deref(), qualifiers.is_const) {
                (None, true) => Storage::Constant,
                (None, false) => Storage::Variable,
                (Some("uniform"), _) => Storage::Uniform,
                (Some("in"), _) => Storage::In,
                (Some(_), _) => Storage::Out,
            };
            let is_global = self.is_outside();
            let value = first.as_ref().and_then(|first| self.program.constant(first));
            let left_out = match (storage, &first, &value) {
                (_, Some(_), _) if size.is_some() => Some("assign its elements one by one"),
                (Storage::Uniform | Storage::In | Storage::Out, Some(_), _) => {
                    Some("declare it without a value: every pass sets it")
                }
                (Storage::Variable, Some(_), None) if is_global => Some("assign it in main"),
                (Storage::Constant, Some(_), None) => Some("delete `const`"),
                (Storage::Constant, None, _) => Some("give it one, or delete `const`"),
                _ => None,
            };
            if let Some(remedy) = left_out {
                self.report(
                    Fault::new(place, Rule::Dialect, format!("the value of {name}")).with(remedy),
                );
            }
            if let Some(first) = &first {
                self.needs(first, first.ty, ty);
            }
            let number = self.bind(Rc::clone(&name), ty, size, storage, place);
            if storage == Storage::Constant {
                self.program.variables[number].value = value;
            }
            self.unroll(size.unwrap_or(0));
            if is_global {
                self.program.globals.push(number);
                self.outside(number);
            } else if matches!(ty, Type::Stream | Type::Void) {
                self.wrong(
                    place,
                    format!("{ty} {name} in a function"),
                    "declare it outside: `uniform stream NAME;`",
                );
            }
            if matches!(storage, Storage::Variable | Storage::Constant) {
                statements.push(Statement { line, kind: Kind::Declare(number, first) });
            }
            if !self.accept(",") {
                return self.expect(";");
            }
        }
    }

    /// Checks a variable outside of functions: what a pass can set, and how many there are.
    fn outside(&mut self, number: usize) {
        let variable = self.program.variables[number].clone();
        let (name, place, stage) = (&variable.name, variable.place, self.stage);
        let is_stream = variable.ty == Type::Stream;
        let is_vector = matches!(variable.ty, Type::Float(_) | Type::Unknown);
        let is_plain = variable.size.is_none();
        let fits = match variable.storage {
            Storage::Uniform => is_vector || is_stream && is_plain,
            Storage::In | Storage::Out => is_vector && is_plain,
            Storage::Variable | Storage::Constant => !is_stream && variable.ty != Type::Void,
        };
        if !fits && variable.ty != Type::Double {
            let fault = Fault::new(place, Rule::Types, format!("{} {name}", variable.ty));
            self.report(
                fault.with("declare `uniform stream NAME;`, or a float, vec2, vec3 or vec4"),
            );
        }
        let coordinate = match stage {
            Stage::Fragment => Storage::In,
            _ => Storage::Out,
        };
        let number_of = |storage: Storage, is_stream: bool| {
            let same = self.program.globals().filter(|one| one.storage == storage);
            same.filter(|one| (one.ty == Type::Stream) == is_stream).count()
        };
        let number = number_of(variable.storage, is_stream);
        if variable.storage == Storage::Out && &**name != "result" && stage != Stage::Vertex {
            self.report(
                Fault::new(place, Rule::OneResult, format!("second output {name}")).listed(),
            );
        } else if variable.storage == coordinate
            && stage != Stage::Prelude
            && number == COORDINATES + 1
        {
            let found = format!("coordinate {name} is number {number}");
            self.report(Fault::new(place, Rule::EightCoordinates, found).listed());
        } else if is_stream && variable.storage == Storage::Uniform && number == STREAMS + 1 {
            let found = format!("stream {name} is number {number}");
            self.report(Fault::new(place, Rule::SixteenStreams, found).listed());
        }
    }

    fn function(&mut self, result: Type) -> Parsed<()> {
        let (name, place) = self.name()?;
        self.expect("(")?;
        self.open();
        let first_variable = self.program.variables.len();
        let parameters = self.parameter_list();
        if parameters.is_err() {
            self.close();
        }
        let parameters = parameters?;
        let types =
            |parameters: &[Parameter]| parameters.iter().map(|one| one.ty).collect::<Vec<_>>();
        let is_same = |one: &Function| {
            one.is_defined && one.name == name && types(&one.parameters) == types(&parameters)
        };
        let is_prototype = self.is(";");
        if BUILT_INS.iter().any(|one| one.name == &*name) {
            let fault = Fault::new(place, Rule::Dialect, format!("a second function {name}"));
            self.report(fault.with("take another name, for this one is built in"));
        } else if is_prototype {
            let fault = Fault::new(
                place,
                Rule::Recursion,
                format!("function {name} before its definition"),
            );
            self.report(fault.with("define it before its first call"));
        } else if self.program.functions.iter().any(is_same) || self.global(&name) {
            self.wrong(place, format!("second definition of {name}"), "take another name");
        }
        if &*name == "main" && (result != Type::Void || !parameters.is_empty()) {
            self.wrong(place, "main with parameters or a value", "write `void main()`");
        }
        let number = self.program.functions.len();
        self.current = Current::function(number, first_variable);
        self.unrolled = 0;
        self.program.functions.push(Function {
            name: Rc::clone(&name),
            parameters,
            result,
            body: Vec::new(),
            is_defined: !is_prototype,
            acts: false,
            tokens: 0,
            depth: 0,
        });
        let body = if is_prototype { self.expect(";").map(|()| Vec::new()) } else { self.block() };
        self.close();
        let body = body?;
        let is_missing = !matches!(result, Type::Void | Type::Unknown) && !self.current.returns;
        if is_missing && !is_prototype {
            self.wrong(
                place,
                format!("function {name} without a value"),
                "end it with `return value;`",
            );
        }
        let function = &mut self.program.functions[number];
        function.body = body;
        function.acts = self.current.acts;
        function.tokens = self.unrolled;
        function.depth = self.current.depth;
        self.current.number = usize::MAX;
        Ok(())
    }

    fn parameter_list(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if self.is("void") && self.ahead(1).is(")") {
            self.advance();
        }
        while !self.is(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            let place = self.place();
            let Qualifiers { is_const, storage } = self.qualifiers()?;
            let ty = self.type_name()?;
            let mut name: Rc<str> = format!("parameter {}", parameters.len()).into();
            if !self.is(",") && !self.is(")") {
                name = self.name()?.0;
            }
            let (is_in, is_out) = match storage.as_deref() {
                Some("out") => (false, true),
                Some("inout") => (true, true),
                _ => (true, false),
            };
            if self.is("[") {
                self.size()?;
                let fault =
                    Fault::new(place, Rule::Dialect, format!("array {name} as a parameter"));
                self.report(fault.with("pass its elements one by one"));
            }
            let is_kept = !is_out && !is_const;
            let is_wrong = ty == Type::Void || is_out && (ty == Type::Stream || is_const);
            if is_wrong || storage.as_deref() == Some("uniform") {
                self.wrong(
                    place,
                    format!("parameter {name}"),
                    "pass a stream, a float, a vector or a bool",
                );
            }
            let storage = if is_kept || is_out { Storage::Variable } else { Storage::Constant };
            let variable = self.bind(name, ty, None, storage, place);
            parameters.push(Parameter { variable, ty, is_in, is_out });
        }
        self.expect(")")?;
        Ok(parameters)
    }
}

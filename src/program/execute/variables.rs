//! Declarations, and the meaning of names.

use glsl_lang::ast::{
    ArraySpecifier, ArraySpecifierDimensionData, Expr, ExprData, InitDeclaratorList, Initializer,
    InitializerData, Node, NodeContent, StorageQualifierData, TypeSpecifier,
    TypeSpecifierNonArrayData,
};

use super::{Execution, Outcome, Variable};
use crate::program::dialect::Rule;
use crate::program::dialect::declaration::declared;
use crate::program::graph::{Channel, Source, Value};

/// Target of an assignment: a variable, optionally an element of it, optionally some channels.
struct Place {
    name: String,
    element: Option<usize>,
    channels: Option<Vec<usize>>,
}

impl Execution<'_> {
    pub(super) fn declare_globals(&mut self) -> Outcome<()> {
        let syntax = self.syntax;
        let position = self.graph.input(4);
        self.global("here", Variable::Value(position[..2].to_vec()));
        self.inputs.push(("gl_FragCoord".into(), position.clone()));
        self.global("gl_FragCoord", Variable::Value(position));
        self.output("result", 4);
        self.output("gl_Position", 4);
        for global in syntax.globals() {
            if global.is_stream() {
                self.streams.push(global.name.into());
                self.global(global.name, Variable::Stream(self.streams.len()));
            } else if global.has_storage(&StorageQualifierData::Uniform)
                || global.has_storage(&StorageQualifierData::In)
                || global.has_storage(&StorageQualifierData::Varying)
            {
                if !global.has_storage(&StorageQualifierData::Uniform) {
                    self.varying.push(global.name.into());
                }
                let input = self.input(global.name, global.declaration)?;
                self.global(global.name, input);
            } else if global.has_storage(&StorageQualifierData::Out) {
                let width = self.width(&global.declaration.head.ty.ty)?;
                self.output(global.name, width);
            } else {
                self.declare(global.declaration)?;
            }
        }
        Ok(())
    }

    fn global(&mut self, name: &str, variable: Variable) {
        self.globals.insert(name.into(), variable);
    }

    /// Adds a register that the program may write.
    fn output(&mut self, name: &str, width: usize) {
        self.global(name, Variable::Value(unwritten(width)));
        self.outputs.push(name.into());
    }

    /// Adds a register that is filled before the program starts, or an array of them.
    fn input(&mut self, name: &str, list: &InitDeclaratorList) -> Outcome<Variable> {
        let width = self.width(&list.head.ty.ty)?;
        let of_type = list.head.ty.ty.array_specifier.as_ref();
        let size = list.head.array_specifier.as_ref().or(of_type);
        match size {
            None => Ok(Variable::Value(self.register_of(name.into(), width))),
            Some(size) => {
                let size = self.array_size(size)?;
                let element = |index| self.register_of(format!("{name}[{index}]"), width);
                Ok(Variable::Array((0..size).map(element).collect()))
            }
        }
    }

    fn register_of(&mut self, name: String, width: usize) -> Value {
        let register = self.graph.input(width);
        self.inputs.push((name, register.clone()));
        register
    }

    fn array_size(&self, size: &ArraySpecifier) -> Outcome<usize> {
        if let [dimension] = size.dimensions.as_slice()
            && let ArraySpecifierDimensionData::ExplicitlySized(size) = &dimension.content
            && let Some(size) = self.constants.evaluate(size)
        {
            return Ok(size as usize);
        }
        self.unsupported(size, "an array of this size", "give its size as a constant")
    }

    /// Number of channels of a type. A `double` (by an exception from the era's rules) is a number like others:
    /// the arithmetic of the run decides.
    pub(super) fn width(&self, ty: &TypeSpecifier) -> Outcome<usize> {
        match ty.ty.content {
            TypeSpecifierNonArrayData::Float
            | TypeSpecifierNonArrayData::Double
            | TypeSpecifierNonArrayData::Bool => Ok(1),
            TypeSpecifierNonArrayData::Vec2 => Ok(2),
            TypeSpecifierNonArrayData::Vec3 => Ok(3),
            TypeSpecifierNonArrayData::Vec4 => Ok(4),
            _ => self.unsupported(
                ty,
                &format!("type {}", self.syntax.text_of(ty)),
                Rule::Types.remedy(),
            ),
        }
    }

    pub(super) fn declare(&mut self, list: &InitDeclaratorList) -> Outcome<()> {
        let width = self.width(&list.head.ty.ty)?;
        self.constants.declare(list);
        for (name, size, initializer) in declared(list) {
            let value = match (size, initializer) {
                (Some(size), None) => {
                    Variable::Array(vec![unwritten(width); self.array_size(size)?])
                }
                (Some(size), Some(_)) => {
                    return self.unsupported(
                        size,
                        "an initialised array",
                        "assign its elements one by one",
                    );
                }
                (None, initializer) => Variable::Value(self.initial(initializer, width)?),
            };
            self.bind(name.as_str(), value);
        }
        Ok(())
    }

    fn initial(&mut self, initializer: Option<&Initializer>, width: usize) -> Outcome<Value> {
        let Some(initializer) = initializer else {
            return Ok(unwritten(width));
        };
        match &initializer.content {
            InitializerData::Simple(expression) => {
                let value = self.evaluate(expression)?;
                self.fits(expression, &value, width)?;
                Ok(value)
            }
            InitializerData::List(_) => self.unsupported(
                initializer,
                "a list of values",
                "use a constructor, such as vec4(...)",
            ),
        }
    }

    pub(super) fn bind(&mut self, name: &str, variable: Variable) {
        let block = self.frames.last_mut().and_then(|blocks| blocks.last_mut());
        block.unwrap_or(&mut self.globals).insert(name.to_string(), variable);
    }

    pub(super) fn find(&mut self, name: &str) -> Option<&mut Variable> {
        let blocks = self.frames.last_mut().into_iter().flatten().rev();
        let mut scopes = blocks.chain(std::iter::once(&mut self.globals));
        scopes.find_map(|scope| scope.get_mut(name))
    }

    fn place(&mut self, target: &Expr) -> Outcome<Place> {
        match &target.content {
            ExprData::Variable(name) => {
                Ok(Place { name: name.as_str().to_string(), element: None, channels: None })
            }
            ExprData::Dot(base, channels) => {
                let mut place = self.place(base)?;
                let Some(chosen) = swizzle(channels.as_str()) else {
                    return self.unsupported(target, "this field", "name channels, such as .xy");
                };
                place.channels = match place.channels {
                    None => Some(chosen),
                    Some(of) => chosen.iter().map(|&at| of.get(at).copied()).collect(),
                };
                Ok(place)
            }
            ExprData::Bracket(base, index) => {
                let mut place = self.place(base)?;
                let Some(index) = self.constants.evaluate(index) else {
                    return self.unsupported(
                        target,
                        "an index that is not constant",
                        "index with a constant",
                    );
                };
                match self.find(&place.name) {
                    Some(Variable::Array(_)) if place.element.is_none() => {
                        place.element = Some(index as usize);
                    }
                    _ => place.channels = Some(vec![index as usize]),
                }
                Ok(place)
            }
            _ => self.unsupported(
                target,
                "an assignment to this",
                "assign to a variable or to its channels",
            ),
        }
    }

    /// The whole value of the variable or element of `place`.
    fn register(&mut self, place: &Place) -> Option<&mut Value> {
        match (self.find(&place.name)?, place.element) {
            (Variable::Value(value), None) => Some(value),
            (Variable::Array(values), Some(element)) => values.get_mut(element),
            _ => None,
        }
    }

    pub(super) fn read(&mut self, expression: &Expr) -> Outcome<Value> {
        let place = self.place(expression)?;
        let value = self.register(&place).cloned();
        match (value, place.channels) {
            (Some(value), None) => Ok(value),
            (Some(value), Some(channels)) => self.pick(expression, &value, &channels),
            (None, _) => self.unsupported(
                expression,
                &format!("`{}` as a value", place.name),
                "declare it; read streams with fetch and arrays by index",
            ),
        }
    }

    pub(super) fn pick(
        &self,
        expression: &Expr,
        value: &Value,
        channels: &[usize],
    ) -> Outcome<Value> {
        let picked = channels.iter().map(|&channel| value.get(channel).copied());
        match picked.collect() {
            Some(value) => Ok(value),
            None => self.no_channel(expression),
        }
    }

    pub(super) fn assign(&mut self, target: &Expr, value: Value) -> Outcome<()> {
        let place = self.place(target)?;
        let width = match (self.register(&place), &place.channels) {
            (Some(_), Some(channels)) => channels.len(),
            (Some(register), None) => register.len(),
            (None, _) => {
                let what = format!("an assignment to `{}`", place.name);
                return self.unsupported(target, &what, "declare it as a variable");
            }
        };
        self.fits(target, &value, width)?;
        let register = self.register(&place).into_iter().flatten();
        let mut register: Vec<&mut Channel> = register.collect();
        let channels = place.channels.unwrap_or_else(|| (0..width).collect());
        for (channel, new) in channels.into_iter().zip(value) {
            match register.get_mut(channel) {
                Some(old) => **old = new,
                None => return self.no_channel(target),
            }
        }
        Ok(())
    }

    /// Checks that a value has as many channels as the variable that it is assigned to.
    fn fits<T: NodeContent>(&self, node: &Node<T>, value: &Value, width: usize) -> Outcome<()> {
        if value.len() == width {
            return Ok(());
        }
        let what = format!("an assignment of {} channels to {width}", value.len());
        self.unsupported(node, &what, "convert with a constructor or a swizzle")
    }

    fn no_channel<T>(&self, node: &Expr) -> Outcome<T> {
        self.unsupported(node, "a channel that is not there", "name a channel that it has")
    }
}

/// A register without a value yet.
fn unwritten(width: usize) -> Value {
    vec![Channel::plain(Source::Unwritten); width]
}

/// The channels that a swizzle names.
pub(super) fn swizzle(names: &str) -> Option<Vec<usize>> {
    let channel = |name| ["xyzw", "rgba", "stpq"].iter().find_map(|channels| channels.find(name));
    names.chars().map(channel).collect()
}

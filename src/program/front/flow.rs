//! Variables that are read before they are written, and a result that is not written. Drivers leave anything in them, and
//! listings zero.
//!
//! Without branches, statements run in the order of the text. Only a loop whose trip count is data may not run at all.
//! Each function is read once: what it needs of the program's variables, and what it leaves in them, holds for all
//! calls.

use std::collections::HashMap;

use super::Stage;
use super::fault::{Fault, Place};
use super::parse::RESULT;
use super::tree::{Expr, Kind, Loop, Node, Register, Statement, Storage, Tree, behind, register};
use super::types::Type;
use crate::program::rule::Rule;

/// Channels of a register: those that are certainly written, and those that a call left without a value. Of a variable
/// of the program, the caller decides the others.
#[derive(Clone, Copy, Default)]
struct State {
    written: u8,
    lost: u8,
}

/// Effect of a function, or of the part that has been read.
#[derive(Default)]
struct Effect {
    /// Channels of the program's variables that are read before they are written, with the places of the reads.
    needs: Vec<(Register, u8, Place)>,
    after: HashMap<Register, State>,
}

struct Flow<'a> {
    program: &'a Tree,
    /// Effects of the functions so far.
    effects: Vec<Effect>,
    now: Effect,
    faults: Vec<Fault>,
}

const ALL: State = State { written: 0b1111, lost: 0 };

/// Faults of a program. That it does not write its result is said only if it declares exceptions from all others.
pub(super) fn faults(program: &Tree, stage: Stage, is_excepted: bool) -> Vec<Fault> {
    let (effects, now, faults) = (Vec::new(), Effect::default(), Vec::new());
    let mut flow = Flow { program, effects, now, faults };
    for function in &program.functions {
        flow.now = Effect::default();
        for one in function.parameters.iter().filter(|one| one.is_in) {
            flow.now.after.insert((one.variable, 0), ALL);
        }
        flow.run(&function.body);
        let effect = std::mem::take(&mut flow.now);
        flow.effects.push(effect);
    }
    flow.run(&program.first);
    let main = program.functions.iter().position(|one| &*one.name == "main");
    for (register, channels, place) in main.map_or(Vec::new(), |main| flow.needs(main)) {
        let written = flow.now.after.get(&register).map_or(0, |state| state.written);
        if channels & !written != 0 {
            flow.fault(register, channels & !written, place);
        }
    }
    let is_sound = is_excepted && flow.faults.is_empty();
    if let Some(main) = main.filter(|_| is_sound && stage == Stage::Fragment) {
        let after = &flow.effects[main].after;
        let written = after.get(&(RESULT, 0)).map_or(0, |state| state.written);
        if written != ALL.written {
            let name = flow.name((RESULT, 0), !written);
            let place = program.functions[main].place;
            flow.faults.push(unwritten(&name, place));
        }
    }
    flow.faults
}

/// Fault of a result, or a part of it, that is not written.
pub(super) fn unwritten(name: &str, place: Place) -> Fault {
    let fault = Fault::new(place, Rule::Dialect, &format!("`{name}` is not written"));
    fault.with("assign all of `result` on every path")
}

impl Flow<'_> {
    fn needs(&mut self, function: usize) -> Vec<(Register, u8, Place)> {
        self.effects[function].needs.clone()
    }

    fn run(&mut self, statements: &[Statement]) {
        for Statement { kind, .. } in statements {
            match kind {
                Kind::Block(block) => self.run(block),
                Kind::Declare(number, first) => {
                    first.iter().for_each(|first| self.value(first));
                    for element in 0..self.program.variables[*number].size.unwrap_or(1) {
                        let state = if first.is_some() { ALL } else { State::default() };
                        self.now.after.insert((*number, element), state);
                    }
                }
                Kind::Discard(None) | Kind::Return(None) => {}
                Kind::Evaluate(value) | Kind::Discard(Some(value)) | Kind::Return(Some(value)) => {
                    self.value(value);
                }
                Kind::For(one) if one.values.is_empty() => {}
                Kind::For(one) => self.repeat(one),
            }
        }
    }

    fn repeat(&mut self, one: &Loop) {
        self.now.after.insert((one.counter, 0), ALL);
        let Some(condition) = &one.condition else {
            return self.run(&one.body);
        };
        self.value(condition);
        let before = self.now.after.clone();
        self.run(&one.body);
        for (register, state) in &mut self.now.after {
            state.written &= before.get(register).map_or(0, |before| before.written);
        }
    }

    fn value(&mut self, of: &Expr) {
        match &of.node {
            Node::Number(_) => {}
            Node::Variable(_) | Node::Element(..) | Node::Swizzle(..) => {
                let (root, channels) = behind(of);
                match register(root) {
                    Some(register) => {
                        let channels = channels.into_iter().fold(0, |all, at| all | 1 << at);
                        self.read(register, channels, root.place);
                    }
                    None => self.value(root),
                }
            }
            Node::Apply(_, operands) | Node::Construct(operands) => {
                operands.iter().for_each(|one| self.value(one));
            }
            Node::Assign(target, row, value) => {
                self.value(value);
                if row.is_some() {
                    self.value(target);
                }
                self.write(target, ALL.written);
            }
            Node::Before(target, assigned) => {
                self.value(target);
                self.value(assigned);
            }
            Node::Call(number, arguments) => self.call(*number, arguments),
            Node::Fetch(_, position) => self.value(position),
        }
    }

    fn call(&mut self, number: usize, arguments: &[Expr]) {
        let parameters = &self.program.functions[number].parameters;
        let pairs = || parameters.iter().zip(arguments);
        pairs().filter(|(one, _)| one.is_in).for_each(|(_, argument)| self.value(argument));
        for (register, channels, place) in self.needs(number) {
            self.read(register, channels, place);
        }
        let after = std::mem::take(&mut self.effects[number].after);
        for (register, left) in &after {
            if self.program.variables[register.0].is_global {
                let state = self.now.after.entry(*register).or_default();
                state.written = state.written & !left.lost | left.written;
                state.lost = state.lost & !left.written | left.lost;
            }
        }
        for (one, argument) in pairs().filter(|(one, _)| one.is_out) {
            let given = after.get(&(one.variable, 0)).map_or(0, |state| state.written);
            self.write(argument, given);
        }
        self.effects[number].after = after;
    }

    /// Reads channels of a register. Each is reported once.
    fn read(&mut self, register: Register, channels: u8, place: Place) {
        let variable = &self.program.variables[register.0];
        let is_given = matches!(variable.storage, Storage::Uniform | Storage::In);
        if is_given || variable.ty == Type::Stream || variable.value.is_some() {
            return;
        }
        let state = self.now.after.entry(register).or_default();
        let missing = channels & !state.written;
        let is_local = !variable.is_global || state.lost & missing != 0;
        state.written |= missing;
        match missing {
            0 => {}
            _ if is_local => self.fault(register, missing, place),
            _ => self.now.needs.push((register, missing, place)),
        }
    }

    /// Writes the channels of a target. Those that are not given lose their values.
    fn write(&mut self, target: &Expr, given: u8) {
        let (root, channels) = behind(target);
        let Some(register) = register(root) else { return };
        let state = self.now.after.entry(register).or_default();
        for (at, channel) in channels.into_iter().enumerate() {
            let (one, is_given) = (1 << channel, given >> at & 1 == 1);
            state.written = if is_given { state.written | one } else { state.written & !one };
            state.lost = if is_given { state.lost & !one } else { state.lost | one };
        }
    }

    fn fault(&mut self, register: Register, channels: u8, place: Place) {
        let found = format!("`{}` is read before it is written", self.name(register, channels));
        let fault = Fault::new(place, Rule::Dialect, &found);
        self.faults.push(fault.with("assign it on every path to this place"));
    }

    /// Name of some channels of a register.
    fn name(&self, (number, element): Register, channels: u8) -> String {
        let variable = &self.program.variables[number];
        let mut name = variable.name.to_string();
        if variable.size.is_some() {
            name += &format!("[{element}]");
        }
        let missing = "xyzw".chars().enumerate().filter(|(at, _)| channels >> at & 1 == 1);
        let missing: String = missing.map(|(_, channel)| channel).collect();
        if missing.len() < variable.ty.width() {
            name += &format!(".{missing}");
        }
        name
    }
}

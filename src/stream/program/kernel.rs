//! Kernels: fragment programs, ready to run.

use std::rc::Rc;

use crate::gl::{Assembly, Context, DriverProgram, GlError, Uniform};
use crate::program::dialect::{refused, report};
use crate::program::front::{Stage, Storage, Tree, Type, Variable, assembled_as, outline};
use crate::program::{Listing, interpret};
use crate::stream::StreamError;
use crate::stream::device::Device;

use super::source::{ProgramText, Source};
use super::{Limits, STREAMS};

/// Constants that every pass sets automatically.
const AUTOMATIC: [&str; 2] = ["target_size", "target_offset"];

/// A compiled fragment program with its declared inputs.
pub struct Kernel {
    number: u64,
    /// Number of the context that holds the program, as [`Machine::home`](crate::stream::Machine::home); 0 for the interpreter's.
    pub(in crate::stream) home: u64,
    pub(in crate::stream) code: Code,
    pub(in crate::stream) inputs: Vec<Input>,
    /// The driver's variables for the size of the target and the offset of points, if the program uses them.
    pub(in crate::stream) automatic: [Option<Uniform>; 2],
    in_assembly: bool,
    text: Rc<ProgramText>,
}

/// Executable form of a kernel.
pub(in crate::stream) enum Code {
    /// Program of the driver.
    Driver(DriverProgram),
    /// Fragment and vertex program of the interpreter.
    Interpreter(Box<[interpret::Program; 2]>),
}

/// A declared `uniform`: a stream or a constant.
pub(in crate::stream) struct Input {
    pub name: String,
    /// `None` for a stream, else the number of components of a constant.
    pub components: Option<usize>,
    /// `None` if the driver found that the program does not need it.
    pub uniform: Option<Uniform>,
}

impl Kernel {
    pub(in crate::stream) fn new(
        device: &Device,
        number: u64,
        text: ProgramText,
        is_built_in: bool,
    ) -> Result<Self, StreamError> {
        let name = &text.name;
        let [vertex, fragment] = read(&text, is_built_in)?;
        if let Some(missing) = missing_coordinate(&vertex, &fragment) {
            return Err(StreamError::Coordinate { kernel: name.clone(), name: missing });
        }
        if fragment.has_double && !device.description().double_precision {
            return Err(StreamError::NoDouble { kernel: name.clone() });
        }
        let mut in_assembly = false;
        let code = match device {
            Device::Driver(context) => {
                let assembled =
                    if context.description().assembly { assembled(context, &text) } else { None };
                in_assembly = assembled.is_some();
                Code::Driver(match assembled {
                    Some(program) => program,
                    None => DriverProgram::new(context, name, &text.vertex, &text.fragment)?,
                })
            }
            Device::Interpreter(..) => {
                let fragment = interpret::Program::new(&text.fragment)?;
                Code::Interpreter(Box::new([fragment, interpret::Program::vertex(&text.vertex)?]))
            }
        };
        let inputs = inputs(code.uniforms(), [&fragment, &vertex])
            .map_err(|log| GlError::Compile { program: name.clone(), log })?;
        let streams = inputs.iter().filter(|i| i.components.is_none()).count();
        if streams > STREAMS {
            return Err(StreamError::TooManyStreams { kernel: name.clone(), streams });
        }
        let home = device.place().number();
        let automatic = AUTOMATIC.map(|name| code.uniform(name));
        Ok(Self { number, home, code, inputs, automatic, in_assembly, text: Rc::new(text) })
    }

    /// Compiles the kernel with another text after the prelude of its fragment program. Its name, defines, limits and
    /// vertex program remain, and it may declare only inputs that this kernel has.
    pub(in crate::stream) fn edited(
        &self,
        device: &Device,
        number: u64,
        own: &str,
    ) -> Result<Self, StreamError> {
        let text = ProgramText { fragment: self.text.with_own(own), ..(*self.text).clone() };
        let edited = Self::new(device, number, text, false)?;
        let is_new = |one: &&Input| {
            let mut known = self.inputs.iter();
            !known.any(|known| (&known.name, known.components) == (&one.name, one.components))
        };
        match edited.inputs.iter().find(is_new) {
            None => Ok(edited),
            Some(other) => Err(StreamError::Unknown {
                kernel: edited.name().to_owned(),
                what: match other.components {
                    None => "stream",
                    Some(_) => "constant of this size",
                },
                name: other.name.clone(),
            }),
        }
    }

    /// A kernel of an unmodified listing, for rectangles.
    pub(in crate::stream) fn of_listing(
        device: &Device,
        number: u64,
        name: &str,
        listing: &Listing,
    ) -> Result<Self, StreamError> {
        let limits = Limits::none("a listing, which is not held against a card");
        let plain = Source::checked(name.to_owned(), String::new(), limits).program(&[]);
        let lacking = GlError::Compile {
            program: name.to_owned(),
            log: "ARB_fragment_program cannot express it".into(),
        };
        let code = match device {
            Device::Driver(context) => {
                Code::Driver(run_listing(context, name, &plain.vertex, listing).ok_or(lacking)??)
            }
            Device::Interpreter(..) => {
                let fragment = interpret::Program::of_listing(listing);
                Code::Interpreter(Box::new([fragment, interpret::Program::vertex(&plain.vertex)?]))
            }
        };
        let streams = listing.streams.iter().map(|name| (name, None));
        let constants = listing.parameters.iter();
        let constants = constants.map(|one| (&one.name, Some(one.channels)));
        let inputs = streams.chain(constants).map(|(name, components)| Input {
            name: name.clone(),
            components,
            uniform: code.uniform(name),
        });
        Ok(Self {
            number,
            home: device.place().number(),
            inputs: inputs.collect(),
            automatic: AUTOMATIC.map(|name| code.uniform(name)),
            code,
            in_assembly: true,
            text: Rc::new(ProgramText { fragment: listing.to_string(), ..plain }),
        })
    }

    /// Name of its file, with the defines of this variant.
    pub fn name(&self) -> &str {
        &self.text.name
    }

    /// Its definition.
    pub fn text(&self) -> &Rc<ProgramText> {
        &self.text
    }

    /// Tests whether it declares a stream or constant of this name.
    pub fn declares(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| input.name == name)
    }

    /// Names of the streams that it reads, in the order of their declarations.
    pub fn streams(&self) -> impl Iterator<Item = &str> {
        let inputs = self.inputs.iter();
        let streams = inputs.filter(|input| input.components.is_none());
        streams.map(|input| &*input.name)
    }

    /// Number of this kernel, unique on its machine.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Tests whether it runs for points.
    pub fn is_for_points(&self) -> bool {
        self.text.for_points
    }

    /// Tests whether the driver runs it as assembly.
    pub fn is_in_assembly(&self) -> bool {
        self.in_assembly
    }
}

impl Code {
    /// Uniforms that the driver's program uses.
    pub fn uniforms(&self) -> &[Uniform] {
        match self {
            Self::Driver(program) => program.uniforms(),
            Self::Interpreter(_) => &[],
        }
    }

    fn uniform(&self, name: &str) -> Option<Uniform> {
        self.uniforms().iter().find(|one| one.name == name).cloned()
    }
}

/// Reads the vertex and the fragment program. Of built-in ones a release build reads the outline: tests read them whole.
fn read(text: &ProgramText, is_built_in: bool) -> Result<[Tree; 2], StreamError> {
    let both = [(&*text.vertex, Stage::Vertex), (&*text.fragment, Stage::Fragment)];
    let outlines = || both.map(|(text, stage)| outline(text, stage));
    if is_built_in && !cfg!(debug_assertions) {
        return Ok(outlines());
    }
    let whole = both.map(|(text, stage)| assembled_as(text, stage));
    for ((source, _), whole) in both.iter().zip(&whole) {
        let refused = refused(&text.name, source, &whole.faults);
        if !refused.is_empty() {
            return Err(StreamError::Rules(report(&refused)));
        }
    }
    debug_assert!(!is_built_in || whole.iter().zip(&outlines()).all(|(a, b)| a.declares_as(b)));
    Ok(whole)
}

/// The variables of a storage class that a program declares, in order.
fn declared(text: &Tree, storage: Storage) -> impl Iterator<Item = &Variable> {
    text.globals().filter(move |variable| variable.storage == storage)
}

/// A coordinate that the fragment program reads but the vertex program does not output.
fn missing_coordinate(vertex: &Tree, fragment: &Tree) -> Option<String> {
    let is_given = |taken: &&Variable| {
        let mut given = declared(vertex, Storage::Out);
        given.any(|given| (given.ty, &given.name) == (taken.ty, &taken.name))
    };
    let missing = declared(fragment, Storage::In).find(|taken| !is_given(taken));
    missing.map(|one| one.name.to_string())
}

/// The inputs of both programs, each name once, or a fault in one of them.
fn inputs(uniforms: &[Uniform], texts: [&Tree; 2]) -> Result<Vec<Input>, String> {
    let mut inputs: Vec<Input> = Vec::new();
    for Variable { name, ty, size, .. } in
        texts.into_iter().flat_map(|text| declared(text, Storage::Uniform))
    {
        if AUTOMATIC.contains(&&**name) || inputs.iter().any(|known| known.name == **name) {
            continue;
        }
        let uniform = uniforms.iter().find(|one| one.name == **name).cloned();
        let components = match ty {
            Type::Stream => None,
            Type::Float(components) if size.is_none() => Some(*components),
            _ => {
                let what = if size.is_some() { "an array".to_owned() } else { ty.to_string() };
                return Err(format!(
                    "uniform {name} is {what}; declare streams, float, vec2, vec3 or vec4, one by one"
                ));
            }
        };
        inputs.push(Input { name: name.to_string(), components, uniform });
    }
    Ok(inputs)
}

/// The program in assembly; `None` if assembly cannot express it, or the driver rejects it.
fn assembled(context: &Rc<Context>, text: &ProgramText) -> Option<DriverProgram> {
    let listing = Listing::of(&text.fragment).ok()?;
    run_listing(context, &text.name, &text.vertex, &listing)?.ok()
}

/// A listing with the vertex program that positions its fragments; `None` if assembly cannot express it.
fn run_listing(
    context: &Rc<Context>,
    name: &str,
    vertex: &str,
    listing: &Listing,
) -> Option<Result<DriverProgram, GlError>> {
    let fragment = listing.arb().ok()?;
    let (_, after) = vertex.split_once("#version 330 core\n")?;
    let mut after = after.to_owned();
    let mut names = String::new();
    for Variable { name, ty, .. } in declared(&assembled_as(vertex, Stage::Vertex), Storage::Out) {
        after = after.replace(&format!("out {ty} {name};"), "");
        let channels = ["", ".x", ".xy", ".xyz", ""].get(ty.width())?;
        let number = listing.coordinates.iter().position(|one| *one.name == **name);
        names += &match number {
            Some(number) => format!("#define {name} gl_TexCoord[{number}]{channels}\n"),
            None => format!("{ty} {name};\n"),
        };
    }
    let parameters = listing.parameters.iter();
    let parameters: Vec<(String, usize)> =
        parameters.map(|one| (one.name.clone(), one.channels)).collect();
    let assembly =
        Assembly { text: &fragment.text, parameters: &parameters, streams: &listing.streams };
    let vertex = format!("#version 330 compatibility\n{names}{after}");
    Some(DriverProgram::assembled(context, name, &vertex, assembly))
}

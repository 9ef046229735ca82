//! Kernels: fragment programs, ready to run.

use std::rc::Rc;

use crate::gl::{Assembly, Context, GlError, Program, Uniform};
use crate::program::{Listing, own_text};
use crate::stream::StreamError;

use super::STREAMS;
use super::declarations::{Declaration, declarations};
use super::source::Source;

/// Constants that every pass sets automatically.
const AUTOMATIC: [&str; 2] = ["target_size", "target_offset"];

/// Mark of a program that computes in double precision.
const DOUBLE: &str = "#extension GL_ARB_gpu_shader_fp64";

/// The texts of a program as the driver sees them, from `#version` on.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ProgramText {
    /// Vertex program, which positions the corners or points.
    pub vertex: String,
    /// Fragment program.
    pub fragment: String,
}

impl ProgramText {
    /// The fragment program without its defines and its prelude.
    pub fn own(&self) -> &str {
        own_text(&self.fragment)
    }

    /// The fragment program with another text after its prelude.
    pub fn with_own(&self, own: &str) -> String {
        let head = self.fragment.strip_suffix(self.own());
        format!("{}{own}", head.unwrap_or_default())
    }
}

/// A compiled fragment program with its declared inputs.
pub struct Kernel {
    number: u64,
    name: String,
    program: Program,
    inputs: Vec<Input>,
    for_points: bool,
    in_assembly: bool,
    text: Rc<ProgramText>,
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
        context: &Rc<Context>,
        number: u64,
        source: &Source,
        defines: &[(&str, &str)],
    ) -> Result<Self, StreamError> {
        let name = source.variant(defines);
        let text = ProgramText {
            vertex: source.assemble_vertex(defines),
            fragment: source.assemble(defines),
        };
        Self::of_text(context, number, name, text, source.is_for_points())
    }

    /// The same kernel with another text after the prelude of its fragment program. Its name, defines and
    /// vertex program remain, and it may declare only inputs that this kernel has.
    pub(in crate::stream) fn edited(
        &self,
        context: &Rc<Context>,
        number: u64,
        own: &str,
    ) -> Result<Self, StreamError> {
        let text =
            ProgramText { vertex: self.text.vertex.clone(), fragment: self.text.with_own(own) };
        let (name, for_points) = (self.name.clone(), self.for_points);
        let edited = Self::of_text(context, number, name, text, for_points)?;
        let is_new = |one: &&Input| {
            let mut known = self.inputs.iter();
            !known.any(|known| (&known.name, known.components) == (&one.name, one.components))
        };
        match edited.inputs.iter().find(is_new) {
            None => Ok(edited),
            Some(other) => Err(StreamError::Unknown {
                kernel: edited.name.clone(),
                what: match other.components {
                    None => "stream",
                    Some(_) => "constant of this size",
                },
                name: other.name.clone(),
            }),
        }
    }

    fn of_text(
        context: &Rc<Context>,
        number: u64,
        name: String,
        text: ProgramText,
        for_points: bool,
    ) -> Result<Self, StreamError> {
        if let Some(missing) = missing_coordinate(&text) {
            return Err(StreamError::Coordinate { kernel: name, name: missing });
        }
        if text.fragment.contains(DOUBLE) && !context.description().double_precision {
            return Err(StreamError::NoDouble { kernel: name });
        }
        let assembled =
            if context.description().assembly { assembled(context, &name, &text) } else { None };
        let in_assembly = assembled.is_some();
        let program = match assembled {
            Some(program) => program,
            None => Program::new(context, &name, &text.vertex, &text.fragment)?,
        };
        let inputs = inputs(&program, &text)
            .map_err(|log| GlError::Compile { program: name.clone(), log })?;
        let streams = inputs.iter().filter(|i| i.components.is_none()).count();
        if streams > STREAMS {
            return Err(StreamError::TooManyStreams { kernel: name, streams });
        }
        Ok(Self { number, name, program, inputs, for_points, in_assembly, text: Rc::new(text) })
    }

    /// A kernel of an unmodified listing, for rectangles.
    pub(in crate::stream) fn of_listing(
        context: &Rc<Context>,
        number: u64,
        name: &str,
        listing: &Listing,
    ) -> Result<Self, StreamError> {
        let vertex = Source::new("", "", &[]).assemble_vertex(&[]);
        let lacking = GlError::Compile {
            program: name.to_owned(),
            log: "ARB_fragment_program cannot express it".into(),
        };
        let program = run_listing(context, name, &vertex, listing).ok_or(lacking)??;
        let uniform = |name: &str| program.uniforms().iter().find(|one| one.name == name).cloned();
        let streams = listing.streams.iter().map(|name| (name, None));
        let constants = listing.parameters.iter();
        let constants = constants.map(|one| (&one.name, Some(one.channels)));
        let inputs = streams.chain(constants).map(|(name, components)| Input {
            name: name.clone(),
            components,
            uniform: uniform(name),
        });
        Ok(Self {
            number,
            name: name.to_owned(),
            inputs: inputs.collect(),
            program,
            for_points: false,
            in_assembly: true,
            text: Rc::new(ProgramText { vertex, fragment: listing.to_string() }),
        })
    }

    /// Name of its file, with the defines of this variant.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text, and that of its vertex program.
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
        self.for_points
    }

    /// Tests whether the driver runs it as assembly.
    pub fn is_in_assembly(&self) -> bool {
        self.in_assembly
    }

    pub(in crate::stream) fn program(&self) -> &Program {
        &self.program
    }

    pub(in crate::stream) fn inputs(&self) -> &[Input] {
        &self.inputs
    }
}

/// A coordinate that the fragment program reads but the vertex program does not output.
fn missing_coordinate(text: &ProgramText) -> Option<String> {
    let given = declarations(&text.vertex, "out");
    let taken = declarations(&text.fragment, "in").into_iter();
    let missing = |one: &Declaration| {
        let mut given = given.iter();
        !one.conditional && !given.any(|given| (&given.kind, &given.name) == (&one.kind, &one.name))
    };
    taken.filter(missing).map(|one| one.name).next()
}

/// The inputs of both programs, each name once, or a fault in one of them.
fn inputs(program: &Program, text: &ProgramText) -> Result<Vec<Input>, String> {
    let mut inputs: Vec<Input> = Vec::new();
    let uniforms = [&text.fragment, &text.vertex].map(|text| declarations(text, "uniform"));
    for Declaration { kind, name, conditional } in uniforms.into_iter().flatten() {
        if AUTOMATIC.contains(&&*name) || inputs.iter().any(|known| known.name == name) {
            continue;
        }
        let active = |name: &str| program.uniforms().iter().find(|one| one.name == name);
        let uniform = active(&name).cloned();
        if conditional && uniform.is_none() {
            continue;
        }
        let components = components(&kind);
        let is_array = active(&format!("{name}[0]")).is_some();
        if is_array || (components.is_none() && kind != "stream") {
            let what = if is_array { "an array" } else { &kind };
            return Err(format!(
                "uniform {name} is {what}; declare streams, float, vec2, vec3 or vec4, one by one"
            ));
        }
        inputs.push(Input { name, components, uniform });
    }
    Ok(inputs)
}

/// The program in assembly; `None` if assembly cannot express it, or the driver rejects it.
fn assembled(context: &Rc<Context>, name: &str, text: &ProgramText) -> Option<Program> {
    if text.fragment.contains(DOUBLE) {
        return None;
    }
    let listing = Listing::of(&text.fragment).ok()?;
    run_listing(context, name, &text.vertex, &listing)?.ok()
}

/// A listing with the vertex program that positions its fragments; `None` if assembly cannot express it.
fn run_listing(
    context: &Rc<Context>,
    name: &str,
    vertex: &str,
    listing: &Listing,
) -> Option<Result<Program, GlError>> {
    let fragment = listing.arb().ok()?;
    let (_, after) = vertex.split_once("#version 330 core\n")?;
    let mut after = after.to_owned();
    let mut names = String::new();
    for Declaration { kind, name, .. } in declarations(vertex, "out") {
        after = after.replace(&format!("out {kind} {name};"), "");
        let channels = ["", ".x", ".xy", ".xyz", ""].get(components(&kind)?)?;
        let number = listing.coordinates.iter().position(|one| one.name == name);
        names += &match number {
            Some(number) => format!("#define {name} gl_TexCoord[{number}]{channels}\n"),
            None => format!("{kind} {name};\n"),
        };
    }
    let parameters = listing.parameters.iter();
    let parameters: Vec<(String, usize)> =
        parameters.map(|one| (one.name.clone(), one.channels)).collect();
    let assembly =
        Assembly { text: &fragment.text, parameters: &parameters, streams: &listing.streams };
    let vertex = format!("#version 330 compatibility\n{names}{after}");
    Some(Program::assembled(context, name, &vertex, assembly))
}

fn components(kind: &str) -> Option<usize> {
    match kind {
        "float" => Some(1),
        "vec2" => Some(2),
        "vec3" => Some(3),
        "vec4" => Some(4),
        _ => None,
    }
}

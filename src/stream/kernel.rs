//! Kernels: fragment programs, ready to run.

use glsl_lang::ast::StorageQualifierData;

use crate::gl::{GlError, Program, Uniform};

use super::source::{Source, SourceText, source};
use super::{Machine, StreamError};
use crate::card::count::{self as instructions, CountError};
use crate::card::dialect::STREAMS;
use crate::card::dialect::syntax::Syntax;

/// The vertex program of rectangles, and that of points.
const RECTANGLE: Source = source!(vertex "stream/rectangle");
const POINTS: &str = include_str!("../../glsl/stream/points.vert");
/// Constants that every pass sets by itself.
const AUTOMATIC: [&str; 2] = ["target_size", "target_offset"];

/// What a kernel runs for, and the vertex program that places it.
#[derive(Clone)]
pub(super) enum Vertices<'a> {
    /// Rectangles.
    Rectangles,
    /// Rectangles, with coordinates for the fragments.
    Own(SourceText<'a>),
    /// Points.
    Points,
}

impl Vertices<'_> {
    fn assemble(&self, defines: &[(&str, &str)]) -> String {
        match self {
            Self::Rectangles => SourceText::from(&RECTANGLE).assemble_vertex(&[]),
            Self::Own(source) => source.assemble_vertex(defines),
            Self::Points => POINTS.to_owned(),
        }
    }
}

/// A compiled fragment program with its declared inputs.
pub struct Kernel {
    number: u64,
    name: String,
    program: Program,
    inputs: Vec<Input>,
    for_points: bool,
    count: instructions::Count,
    vertex_count: instructions::Count,
}

/// A declared `uniform`: a stream or a constant.
pub(super) struct Input {
    pub name: String,
    /// `None` for a stream, else the components of a constant.
    pub components: Option<usize>,
    /// `None` where the driver found that the program does not need it.
    pub uniform: Option<Uniform>,
    /// Fetches from it a fragment.
    pub fetches: u32,
}

impl Kernel {
    pub(super) fn new(
        machine: &Machine,
        source: SourceText<'_>,
        vertices: Vertices<'_>,
        defines: &[(&str, &str)],
    ) -> Result<Self, StreamError> {
        let name = label(&source, &vertices, defines);
        let refused = |log: String| GlError::Compile {
            program: name.clone(),
            log,
        };
        let text = source.assemble(defines);
        let vertex = vertices.assemble(defines);
        let program = Program::new(machine.context(), &name, &vertex, &text)?;
        let count = instructions::count(&text).map_err(|error| match error {
            CountError::Unsupported { line, what } => {
                let line = source.line_of(line, defines);
                refused(CountError::Unsupported { line, what }.to_string())
            }
            other => refused(other.to_string()),
        })?;
        let vertex_count =
            instructions::count(&vertex).map_err(|error| refused(error.to_string()))?;
        let parse = |text| Syntax::parse(text, &[]).map_err(|error| refused(error.to_string()));
        let (fragment, vertex) = (parse(&text)?, parse(&vertex)?);
        if let Some(missing) = missing_coordinate(&fragment, &vertex) {
            return Err(StreamError::Coordinate {
                kernel: name.clone(),
                name: missing.to_owned(),
            });
        }
        let inputs = inputs(&program, [&fragment, &vertex], &count).map_err(refused)?;
        let streams = inputs.iter().filter(|i| i.components.is_none()).count();
        if streams > STREAMS {
            return Err(StreamError::TooManyStreams {
                kernel: name,
                streams,
            });
        }
        Ok(Self {
            number: machine.next_number(),
            name,
            program,
            inputs,
            for_points: matches!(vertices, Vertices::Points),
            count,
            vertex_count,
        })
    }

    /// Its file, and the defines that make it this variant.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its instructions, as a fragment processor of 2003 would count them.
    pub fn count(&self) -> &instructions::Count {
        &self.count
    }

    /// Instructions of the vertex program that places what it runs for, once a corner.
    pub fn vertex_count(&self) -> &instructions::Count {
        &self.vertex_count
    }

    /// Whether it declares a stream or constant of this name.
    pub fn declares(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| input.name == name)
    }

    /// Tells kernels apart.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether it runs for points.
    pub(super) fn is_for_points(&self) -> bool {
        self.for_points
    }

    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    pub(super) fn inputs(&self) -> &[Input] {
        &self.inputs
    }
}

pub(super) fn label(
    source: &SourceText<'_>,
    vertices: &Vertices<'_>,
    defines: &[(&str, &str)],
) -> String {
    let mut label = source.label.clone().into_owned();
    if let Vertices::Own(vertex) = vertices {
        label += &format!(" with {}", vertex.label);
    }
    for (name, value) in defines {
        label += &format!(" {name}={value}");
    }
    if let Vertices::Points = vertices {
        label += " for points";
    }
    label
}

/// The type and the name of each global variable of a storage class.
fn globals(syntax: &Syntax, storage: StorageQualifierData) -> impl Iterator<Item = (&str, &str)> {
    let globals = syntax
        .globals()
        .filter(move |global| global.has_storage(&storage));
    globals.map(|global| {
        let kind = syntax.text_of(&global.declaration.head.ty.ty);
        (kind, global.name)
    })
}

/// A coordinate that the fragment program takes, but the vertex program does not hand over.
fn missing_coordinate<'a>(fragment: &'a Syntax, vertex: &Syntax) -> Option<&'a str> {
    let given: Vec<_> = globals(vertex, StorageQualifierData::Out).collect();
    let mut taken = globals(fragment, StorageQualifierData::In);
    let missing = taken.find(|coordinate| !given.contains(coordinate));
    missing.map(|(_, name)| name)
}

/// What a pass must give to either program, each name once, or what is wrong with one.
fn inputs(
    program: &Program,
    programs: [&Syntax; 2],
    count: &instructions::Count,
) -> Result<Vec<Input>, String> {
    let mut inputs: Vec<Input> = Vec::new();
    let mut fetches = count.fetches_by_stream.iter().copied();
    let uniforms = programs.map(|syntax| globals(syntax, StorageQualifierData::Uniform));
    for (kind, name) in uniforms.into_iter().flatten() {
        if AUTOMATIC.contains(&name) || inputs.iter().any(|known| known.name == name) {
            continue;
        }
        let components = components(kind);
        let is_stream = kind == "stream";
        let array = format!("{name}[0]");
        let is_array = program.uniforms().iter().any(|one| one.name == array);
        if is_array || (components.is_none() && !is_stream) {
            let what = if is_array { "an array" } else { kind };
            return Err(format!(
                "uniform {name} is {what}; declare streams, float, vec2, vec3 or vec4, one by one"
            ));
        }
        let mut uniforms = program.uniforms().iter();
        inputs.push(Input {
            name: name.to_owned(),
            components,
            uniform: uniforms.find(|uniform| uniform.name == name).cloned(),
            fetches: match is_stream {
                true => fetches.next().unwrap_or(0),
                false => 0,
            },
        });
    }
    Ok(inputs)
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

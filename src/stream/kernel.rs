//! Kernels: fragment programs, ready to run.

use crate::gl::{Program, Uniform};

use super::{Machine, StreamError, instructions};

const PRELUDE: &str = include_str!("../../glsl/stream/prelude.glsl");
/// The vertex programs of rectangles and of points.
const RECTANGLE: &str = include_str!("../../glsl/stream/rectangle.vert");
const POINTS: &str = include_str!("../../glsl/stream/points.vert");
/// Texture units of the machine.
const STREAMS: usize = 16;

/// The text of a fragment program, as it stands in `glsl/`.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// `folder/file`, without the ending.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

impl Source {
    /// The whole program that the driver sees: version, one `#define` a pair, prelude, text.
    pub fn assemble(&self, defines: &[(&str, &str)]) -> String {
        let defines: String = defines
            .iter()
            .map(|(name, value)| format!("#define {name} {value}\n"))
            .collect();
        format!("#version 330 core\n{defines}{PRELUDE}{}", self.text)
    }
}

/// A compiled fragment program with its declared inputs.
pub struct Kernel {
    name: String,
    program: Program,
    inputs: Vec<Input>,
    for_points: bool,
    count: instructions::Count,
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
        source: &Source,
        defines: &[(&str, &str)],
        for_points: bool,
    ) -> Result<Self, StreamError> {
        let name = label(source, defines, for_points);
        let text = source.assemble(defines);
        let vertex = if for_points { POINTS } else { RECTANGLE };
        let program = Program::new(machine.context(), &name, vertex, &text)?;
        let count = instructions::count(&text).map_err(|error| crate::gl::GlError::Compile {
            program: name.clone(),
            log: error.to_string(),
        })?;
        let mut fetches = count.fetches_by_stream.iter().copied();
        let inputs: Vec<Input> = declarations(source.text)
            .map(|(kind, input)| Input {
                name: input.to_owned(),
                components: components(kind),
                uniform: program
                    .uniforms()
                    .iter()
                    .find(|uniform| uniform.name == input)
                    .cloned(),
                fetches: match components(kind) {
                    None => fetches.next().unwrap_or(0),
                    Some(_) => 0,
                },
            })
            .collect();
        let streams = inputs.iter().filter(|i| i.components.is_none()).count();
        if streams > STREAMS {
            return Err(StreamError::TooManyStreams {
                kernel: name,
                streams,
            });
        }
        Ok(Self {
            name,
            program,
            inputs,
            for_points,
            count,
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

pub(super) fn label(source: &Source, defines: &[(&str, &str)], for_points: bool) -> String {
    let mut label = source.name.to_owned();
    for (name, value) in defines {
        label += &format!(" {name}={value}");
    }
    if for_points {
        label += " for points";
    }
    label
}

/// The `uniform KIND NAME;` statements of a program: the era's dialect has one a line.
fn declarations(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let mut words = line.trim().strip_prefix("uniform ")?.split_whitespace();
        Some((words.next()?, words.next()?.trim_end_matches(';')))
    })
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

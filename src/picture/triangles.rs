//! Triangles in space, drawn depth-tested or added up, which no pass is. What is drawn here, the ledger
//! counts as drawn outside.

use crate::gl::{GlError, Primitive, Program, VertexBuffer};
use crate::stream::{Machine, Stream, StreamError};

/// A vertex and a fragment program for triangles.
pub struct Shader(Program);

/// What becomes of fragments at the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The one of the smallest depth stays.
    Nearest,
    /// All are added.
    Sum,
}

/// Triangles to be drawn.
pub struct Triangles<'a> {
    /// The programs.
    pub shader: &'a Shader,
    /// The vertex program's matrix `to_clip`, column by column.
    pub to_clip: [f32; 16],
    /// The programs' other constants.
    pub constants: &'a [(&'static str, [f32; 4])],
    /// How many numbers each attribute of a vertex has.
    pub attributes: &'static [usize],
    /// Attributes of three vertices a triangle.
    pub vertices: &'a [f32],
    /// What becomes of fragments at the same place.
    pub combine: Combine,
}

impl Shader {
    /// Compiled. `name` stands in error messages.
    pub fn new(
        machine: &Machine,
        name: &str,
        [vertex, fragment]: [&str; 2],
    ) -> Result<Self, StreamError> {
        Ok(Self(Program::new(
            machine.context(),
            name,
            vertex,
            fragment,
        )?))
    }
}

/// Clears a picture and draws into it, one after the other.
pub fn draw(
    target: &Stream,
    background: [f32; 4],
    drawn: &[Triangles<'_>],
) -> Result<(), StreamError> {
    target.draw_outside(|context, framebuffer| {
        framebuffer.clear(background);
        drawn.iter().try_for_each(|triangles| {
            let buffer = VertexBuffer::new(context, triangles.attributes, triangles.vertices)?;
            triangles.bind();
            match triangles.combine {
                Combine::Nearest => buffer.draw_depth_tested(Primitive::Triangles),
                Combine::Sum => buffer.draw_added(Primitive::Triangles),
            }
            Ok::<(), GlError>(())
        })
    })
}

impl Triangles<'_> {
    fn bind(&self) {
        let program = &self.shader.0;
        program.bind();
        for uniform in program.uniforms() {
            if uniform.name == "to_clip" {
                program.set_matrix(uniform, &self.to_clip);
            }
            if let Some((_, value)) = self.constants.iter().find(|c| c.0 == uniform.name) {
                program.set(uniform, *value);
            }
        }
    }
}

//! Triangles in space, drawn with a depth test or added, which passes cannot do. The ledger counts them as
//! drawn outside.

use crate::gl::{DriverProgram, GlError, Primitive, VertexBuffer};
use crate::stream::{Machine, Stream, StreamError};

/// A vertex and a fragment program for triangles.
pub struct Shader(DriverProgram);

/// Combination of fragments at the same position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The fragment with the smallest depth remains.
    Nearest,
    /// All fragments are added.
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
    /// Number of components of each attribute of a vertex.
    pub attributes: &'static [usize],
    /// Attributes of the vertices, three vertices per triangle.
    pub vertices: &'a [f32],
    /// Combination of fragments at the same position.
    pub combine: Combine,
}

impl Shader {
    /// Compiles the programs. `name` appears in error messages.
    pub fn new(
        machine: &Machine,
        name: &str,
        [vertex, fragment]: [&str; 2],
    ) -> Result<Self, StreamError> {
        let context = machine.context("hide surfaces by their depth, or add fragments")?;
        Ok(Self(DriverProgram::new(context, name, vertex, fragment)?))
    }
}

/// Clears a picture and draws triangles into it, in sequence.
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

//! Vertex and fragment program pairs.

use std::rc::Rc;

use glow::HasContext;

use super::context::dialect;
use super::{Context, GlError};

/// An active uniform of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uniform {
    /// Its name.
    pub name: String,
    /// How many floats it takes; `None` for a sampler.
    pub components: Option<usize>,
    location: glow::UniformLocation,
}

/// A linked program.
pub struct Program {
    context: Rc<Context>,
    name: glow::Program,
    uniforms: Vec<Uniform>,
}

impl Program {
    /// Compiles and links. `name` stands in error messages.
    pub fn new(
        context: &Rc<Context>,
        name: &str,
        vertex: &str,
        fragment: &str,
    ) -> Result<Self, GlError> {
        let gl = context.glow();
        let refused = |log: String| GlError::Compile {
            program: name.to_owned(),
            log: log.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        // SAFETY: fresh names, complete sources; shaders are flagged for deletion once linked.
        unsafe {
            let program = gl.create_program().map_err(refused)?;
            let mut this = Self {
                context: Rc::clone(context),
                name: program,
                uniforms: Vec::new(),
            };
            for (kind, source) in [
                (glow::VERTEX_SHADER, vertex),
                (glow::FRAGMENT_SHADER, fragment),
            ] {
                #[cfg(feature = "mutants")]
                let source = &super::mutated(source);
                let shader = gl.create_shader(kind).map_err(refused)?;
                gl.shader_source(shader, &dialect(source));
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
                let log =
                    (!gl.get_shader_compile_status(shader)).then(|| gl.get_shader_info_log(shader));
                // In a browser glow knows nothing more of it after this.
                gl.delete_shader(shader);
                if let Some(log) = log {
                    return Err(refused(log));
                }
            }
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(refused(gl.get_program_info_log(program)));
            }
            this.uniforms = active_uniforms(gl, program);
            Ok(this)
        }
    }

    /// The uniforms that the linked program really uses.
    pub fn uniforms(&self) -> &[Uniform] {
        &self.uniforms
    }

    /// Makes it the program of what is drawn next.
    pub fn bind(&self) {
        // SAFETY: the program is alive and linked.
        unsafe { self.context.glow().use_program(Some(self.name)) }
    }

    /// Sets a float uniform of the bound program: as many of the four values as it takes.
    pub fn set(&self, uniform: &Uniform, value: [f32; 4]) {
        let gl = self.context.glow();
        let location = Some(&uniform.location);
        // SAFETY: the location is this program's, with this many components.
        unsafe {
            match uniform.components {
                Some(1) => gl.uniform_1_f32(location, value[0]),
                Some(2) => gl.uniform_2_f32_slice(location, &value[..2]),
                Some(3) => gl.uniform_3_f32_slice(location, &value[..3]),
                Some(_) => gl.uniform_4_f32_slice(location, &value),
                None => {}
            }
        }
    }

    /// Sets a 4x4 matrix uniform (column by column) of the bound program.
    pub fn set_matrix(&self, uniform: &Uniform, columns: &[f32; 16]) {
        // SAFETY: sixteen values, as a mat4 takes.
        unsafe {
            self.context
                .glow()
                .uniform_matrix_4_f32_slice(Some(&uniform.location), false, columns);
        }
    }

    /// Lets a sampler of the bound program fetch from a texture unit.
    pub fn set_unit(&self, uniform: &Uniform, unit: u32) {
        // SAFETY: the location is this program's sampler.
        unsafe {
            self.context
                .glow()
                .uniform_1_i32(Some(&uniform.location), unit as i32);
        }
    }
}

/// The uniforms of a linked program.
fn active_uniforms(gl: &glow::Context, program: glow::Program) -> Vec<Uniform> {
    // SAFETY: the caller just linked the program; indices are below the count that GL gives.
    unsafe {
        (0..gl.get_active_uniforms(program))
            .filter_map(|index| gl.get_active_uniform(program, index))
            .filter_map(|active| {
                let components = match active.utype {
                    glow::FLOAT => Some(1),
                    glow::FLOAT_VEC2 => Some(2),
                    glow::FLOAT_VEC3 => Some(3),
                    glow::FLOAT_VEC4 => Some(4),
                    glow::FLOAT_MAT4 => Some(16),
                    _ => None,
                };
                let location = gl.get_uniform_location(program, &active.name)?;
                Some(Uniform {
                    name: active.name,
                    components,
                    location,
                })
            })
            .collect()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the name is ours and is not used after this.
        unsafe { self.context.glow().delete_program(self.name) }
    }
}

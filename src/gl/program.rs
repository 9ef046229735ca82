//! Vertex and fragment program pairs.

use std::cell::RefCell;
use std::rc::Rc;

use glow::HasContext;

use super::context::dialect;
use super::{Context, GlError};

/// An active uniform of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uniform {
    /// Its name.
    pub name: String,
    /// Number of floats; `None` for a sampler.
    pub components: Option<usize>,
    /// Place among the uniforms of its program.
    at: usize,
    location: Option<glow::UniformLocation>,
    /// Local parameter of an assembled fragment program.
    local: Option<u32>,
}

/// A linked program.
pub struct DriverProgram {
    context: Rc<Context>,
    name: glow::Program,
    uniforms: Vec<Uniform>,
    /// Values by the places of the uniforms, as bits; a sampler's is its unit. Contexts of a group share them.
    values: RefCell<Vec<Option<[u32; 4]>>>,
    /// GL name of the fragment program, if it is in assembly.
    assembly: Option<u32>,
}

/// A fragment program in assembly.
#[derive(Debug, Clone, Copy)]
pub struct Assembly<'a> {
    /// `!!ARBfp1.0`.
    pub text: &'a str,
    /// Names and numbers of components of its local parameters.
    pub parameters: &'a [(String, usize)],
    /// Names of its streams, by texture unit.
    pub streams: &'a [String],
}

impl DriverProgram {
    /// Compiles and links. `name` appears in error messages.
    pub(crate) fn new(
        context: &Rc<Context>,
        name: &str,
        vertex: &str,
        fragment: &str,
    ) -> Result<Self, GlError> {
        let shaders = [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)];
        Self::linked(context, &shaders).map_err(|log| refused(name, &log))
    }

    /// Links a fragment program in assembly. The vertex program passes coordinates in `gl_TexCoord`.
    pub(crate) fn assembled(
        context: &Rc<Context>,
        name: &str,
        vertex: &str,
        fragment: Assembly<'_>,
    ) -> Result<Self, GlError> {
        let assembler = context.assembler.ok_or_else(|| GlError::NoAssembly {
            driver: context.description().renderer.clone(),
        })?;
        let refused = |log: String| refused(name, &log);
        let mut this = Self::linked(context, &[(glow::VERTEX_SHADER, vertex)]).map_err(refused)?;
        // SAFETY: the context is current, and the source is complete.
        let assembled = unsafe { assembler.assemble(fragment.text) };
        this.assembly = Some(assembled.map_err(refused)?);
        for (local, (name, components)) in (0..).zip(fragment.parameters) {
            match this.uniforms.iter_mut().find(|one| one.name == *name) {
                Some(uniform) => uniform.local = Some(local),
                None => this.uniforms.push(Uniform {
                    name: name.clone(),
                    components: Some(*components),
                    at: 0,
                    location: None,
                    local: Some(local),
                }),
            }
        }
        this.uniforms.extend(fragment.streams.iter().map(|name| Uniform {
            name: name.clone(),
            components: None,
            at: 0,
            location: None,
            local: None,
        }));
        this.number();
        Ok(this)
    }

    /// Links shaders, or returns the driver's message.
    fn linked(context: &Rc<Context>, shaders: &[(u32, &str)]) -> Result<Self, String> {
        let gl = context.glow();
        // SAFETY: fresh names, complete sources; shaders are flagged for deletion once linked.
        unsafe {
            let name = gl.create_program()?;
            let mut this = Self {
                context: Rc::clone(context),
                name,
                uniforms: Vec::new(),
                values: RefCell::default(),
                assembly: None,
            };
            for &(kind, source) in shaders {
                #[cfg(feature = "mutants")]
                let source = &super::mutated(source);
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, &dialect(source, kind == glow::VERTEX_SHADER));
                gl.compile_shader(shader);
                gl.attach_shader(name, shader);
                let log =
                    (!gl.get_shader_compile_status(shader)).then(|| gl.get_shader_info_log(shader));
                // In a browser glow needs the shader only until here.
                gl.delete_shader(shader);
                if let Some(log) = log {
                    return Err(log);
                }
            }
            gl.link_program(name);
            if !gl.get_program_link_status(name) {
                return Err(gl.get_program_info_log(name));
            }
            this.uniforms = active_uniforms(gl, name);
            this.number();
            Ok(this)
        }
    }

    /// Gives each uniform its place, with no value yet.
    fn number(&mut self) {
        self.uniforms.iter_mut().enumerate().for_each(|(at, uniform)| uniform.at = at);
        self.values = vec![None; self.uniforms.len()].into();
    }

    /// Stores the value of a uniform, and tests whether it was another one.
    fn changes(&self, uniform: &Uniform, value: [u32; 4]) -> bool {
        match self.values.borrow_mut().get_mut(uniform.at) {
            Some(known) => known.replace(value) != Some(value),
            None => true,
        }
    }

    /// Uniforms that the linked program uses.
    pub fn uniforms(&self) -> &[Uniform] {
        &self.uniforms
    }

    /// Makes it the program of subsequent draws.
    pub fn bind(&self) {
        // SAFETY: the program is alive and linked.
        unsafe {
            let gl = self.context.glow();
            gl.use_program(Some(self.name));
            if let (Some(assembly), Some(assembler)) = (self.assembly, self.context.assembler) {
                assembler.bind(assembly);
                gl.enable(super::assembly::FRAGMENT_PROGRAM);
            }
        }
    }

    /// Sets a float uniform of the bound program from as many of the four values as it has components.
    pub fn set(&self, uniform: &Uniform, value: [f32; 4]) {
        if !self.changes(uniform, value.map(f32::to_bits)) {
            return;
        }
        let gl = self.context.glow();
        let location = uniform.location.as_ref();
        // SAFETY: the location is this program's, with this many components; so is the local parameter.
        unsafe {
            if let (Some(local), Some(assembler)) = (uniform.local, self.context.assembler) {
                assembler.set(local, value);
            }
            if location.is_none() {
                return;
            }
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
            self.context.glow().uniform_matrix_4_f32_slice(
                uniform.location.as_ref(),
                false,
                columns,
            );
        }
    }

    /// Lets a sampler of the bound program fetch from a texture unit.
    pub fn set_unit(&self, uniform: &Uniform, unit: u32) {
        if !self.changes(uniform, [unit, 0, 0, 0]) {
            return;
        }
        // SAFETY: the location is this program's sampler.
        unsafe {
            self.context.glow().uniform_1_i32(uniform.location.as_ref(), unit as i32);
        }
    }
}

/// The driver's message in one line.
fn refused(name: &str, log: &str) -> GlError {
    let log = log.split_whitespace().collect::<Vec<_>>().join(" ");
    GlError::Compile { program: name.to_owned(), log }
}

/// The uniforms of a linked program.
fn active_uniforms(gl: &glow::Context, program: glow::Program) -> Vec<Uniform> {
    // SAFETY: the caller has just linked the program; indices are below the count given by GL.
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
                    at: 0,
                    location: Some(location),
                    local: None,
                })
            })
            .collect()
    }
}

impl Drop for DriverProgram {
    fn drop(&mut self) {
        // SAFETY: the name is ours and is no longer used.
        unsafe {
            self.context.glow().delete_program(self.name);
            if let (Some(assembly), Some(assembler)) = (self.assembly, self.context.assembler) {
                assembler.delete(assembly);
            }
        }
    }
}

//! Vertex buffers: geometry that is uploaded once and drawn many times.

use std::rc::Rc;

use glow::HasContext;

use super::{Context, GlError};

/// Primitives that the vertices form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names are explicit
pub enum Primitive {
    Triangles,
    Points,
}

/// Vertices in graphics memory, all with the same few float attributes.
pub struct VertexBuffer {
    context: Rc<Context>,
    name: glow::Buffer,
    attributes: &'static [usize],
    count: usize,
}

impl VertexBuffer {
    /// Uploads `data`: for each vertex the components of attribute 0, 1, …. `attributes` gives the number of
    /// components of each.
    pub(crate) fn new(
        context: &Rc<Context>,
        attributes: &'static [usize],
        data: &[f32],
    ) -> Result<Self, GlError> {
        let doing = "uploading geometry";
        let gl = context.glow();
        // SAFETY: GL copies the slice before the call returns.
        let name = unsafe {
            let name = gl.create_buffer().map_err(|_| GlError::OutOfMemory { doing })?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(name));
            gl.buffer_data_u8_slice(
                glow::ARRAY_BUFFER,
                bytemuck::cast_slice(data),
                glow::STATIC_DRAW,
            );
            name
        };
        let buffer = Self {
            context: Rc::clone(context),
            name,
            attributes,
            count: data.len() / attributes.iter().sum::<usize>(),
        };
        context.check(doing)?;
        Ok(buffer)
    }

    /// The context that holds the vertices.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Draws all vertices with the bound program into the bound framebuffer.
    pub fn draw(&self, primitive: Primitive) {
        let gl = self.context.glow();
        let stride = self.attributes.iter().sum::<usize>() * size_of::<f32>();
        let mode = match primitive {
            Primitive::Triangles => glow::TRIANGLES,
            Primitive::Points => glow::POINTS,
        };
        // SAFETY: the attributes describe the buffer's own layout, and only its vertices are drawn.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.name));
            let mut offset = 0;
            for (index, &components) in self.attributes.iter().enumerate() {
                gl.enable_vertex_attrib_array(index as u32);
                gl.vertex_attrib_pointer_f32(
                    index as u32,
                    components as i32,
                    glow::FLOAT,
                    false,
                    stride as i32,
                    offset as i32,
                );
                offset += components * size_of::<f32>();
            }
            gl.draw_arrays(mode, 0, self.count as i32);
            for index in 0..self.attributes.len() {
                gl.disable_vertex_attrib_array(index as u32);
            }
        }
    }

    /// As [`VertexBuffer::draw`], with hidden surfaces removed (`GL_LESS`).
    pub fn draw_depth_tested(&self, primitive: Primitive) {
        let gl = self.context.glow();
        // SAFETY: plain state.
        unsafe { gl.enable(glow::DEPTH_TEST) };
        self.draw(primitive);
        // SAFETY: plain state.
        unsafe { gl.disable(glow::DEPTH_TEST) };
    }

    /// As [`VertexBuffer::draw`], with additive blending (`GL_BLEND`), for pictures.
    pub fn draw_added(&self, primitive: Primitive) {
        let gl = self.context.glow();
        // SAFETY: plain state.
        unsafe {
            gl.enable(glow::BLEND);
            gl.blend_func(glow::ONE, glow::ONE);
        }
        self.draw(primitive);
        // SAFETY: plain state.
        unsafe { gl.disable(glow::BLEND) };
    }
}

impl Drop for VertexBuffer {
    fn drop(&mut self) {
        // SAFETY: the name is ours and is no longer used.
        unsafe { self.context.glow().delete_buffer(self.name) }
    }
}

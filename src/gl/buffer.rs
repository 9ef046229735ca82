//! Vertex buffers: geometry that is uploaded once and drawn many times.

use std::cell::RefCell;
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
    /// Vertex arrays, each with the number of its context: contexts of a group do not share them.
    arrays: RefCell<Vec<(u64, glow::VertexArray)>>,
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
            arrays: RefCell::default(),
            attributes,
            count: data.len() / attributes.iter().sum::<usize>(),
        };
        buffer.array().map_err(|_| GlError::OutOfMemory { doing })?;
        context.check(doing)?;
        Ok(buffer)
    }

    /// The vertex array in the current context, made at its first use there.
    fn array(&self) -> Result<glow::VertexArray, String> {
        let gl = self.context.glow();
        let number = self.context.current_number();
        let mut arrays = self.arrays.borrow_mut();
        if let Some((_, array)) = arrays.iter().find(|(context, _)| *context == number) {
            return Ok(*array);
        }
        let stride = self.attributes.iter().sum::<usize>() * size_of::<f32>();
        // SAFETY: the attributes describe the buffer's own layout.
        let array = unsafe {
            let array = gl.create_vertex_array()?;
            gl.bind_vertex_array(Some(array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.name));
            let mut offset = 0;
            for (index, &components) in (0..).zip(self.attributes) {
                let (components, length) = (components as i32, components * size_of::<f32>());
                let (stride, at) = (stride as i32, offset as i32);
                gl.enable_vertex_attrib_array(index);
                gl.vertex_attrib_pointer_f32(index, components, glow::FLOAT, false, stride, at);
                offset += length;
            }
            array
        };
        arrays.push((number, array));
        Ok(array)
    }

    /// The context that holds the vertices.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Draws all vertices with the bound program into the bound framebuffer.
    pub fn draw(&self, primitive: Primitive) {
        let gl = self.context.glow();
        let mode = match primitive {
            Primitive::Triangles => glow::TRIANGLES,
            Primitive::Points => glow::POINTS,
        };
        // Without an array nothing is bound, and GL refuses the draw with an error that the next check finds.
        let array = self.array().ok();
        // SAFETY: only the buffer's own vertices are drawn.
        unsafe {
            gl.bind_vertex_array(array);
            gl.draw_arrays(mode, 0, self.count as i32);
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
        let gl = self.context.glow();
        let number = self.context.current_number();
        // SAFETY: the names are ours and are no longer used. Arrays of other contexts go with those.
        unsafe {
            for (context, array) in self.arrays.take() {
                if context == number {
                    gl.delete_vertex_array(array);
                }
            }
            gl.delete_buffer(self.name);
        }
    }
}

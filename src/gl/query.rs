//! Occlusion queries: the number of fragments that survive.

use std::rc::Rc;

use glow::HasContext;

use super::{Context, GlError};

/// A `GL_SAMPLES_PASSED` query.
pub struct Occlusion {
    context: Rc<Context>,
    name: glow::Query,
}

impl Occlusion {
    /// Creates a query of this very context.
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, GlError> {
        let doing = "making a query";
        // SAFETY: no arguments.
        let name =
            unsafe { context.own().create_query() }.map_err(|_| GlError::OutOfMemory { doing })?;
        Ok(Self { context: Rc::clone(context), name })
    }

    /// Counts the fragments that `draw` writes into a framebuffer of the same context. Waits for the result.
    pub fn count(&self, draw: impl FnOnce()) -> u32 {
        let gl = self.context.own();
        // SAFETY: begin and end enclose the drawing; no other query of this kind runs on a thread
        // that is inside this function.
        unsafe {
            gl.begin_query(glow::SAMPLES_PASSED, self.name);
            draw();
            gl.end_query(glow::SAMPLES_PASSED);
            gl.get_query_parameter_u32(self.name, glow::QUERY_RESULT)
        }
    }
}

impl Drop for Occlusion {
    fn drop(&mut self) {
        // SAFETY: the name is ours and is no longer used.
        unsafe { self.context.own().delete_query(self.name) }
    }
}

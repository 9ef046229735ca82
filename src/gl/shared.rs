//! Contexts that share objects: any number per group, of which one is current at a time.
//!
//! Textures, programs and vertex buffers belong to the group; framebuffers, queries and vertex arrays to their
//! context (OpenGL 3.3, appendix D). Changes to a shared object become visible in another context when they are
//! complete and the object is bound again there (section D.3). Completion is signalled by a fence: on leaving a
//! context, one is placed after its commands and flushed by the change; the next context makes its server
//! wait for it. The caller binds objects again.

use std::rc::Rc;

use glow::HasContext;
use glutin::config::GetGlConfig;
use glutin::display::{GetGlDisplay, GlDisplay};
use glutin::prelude::PossiblyCurrentGlContext;

use super::context::{CURRENT, Current, builder};
use super::{Context, GlError};

impl Context {
    /// Creates another context of the same group, without a surface, and makes it current.
    pub(crate) fn sharing(self: &Rc<Self>) -> Result<Rc<Self>, GlError> {
        // No command is pending when the new context first sees the shared objects.
        self.finish();
        self.sharing_with()
            .map(Rc::new)
            .map_err(|error| GlError::NoSharing { cause: error.to_string() })
    }

    fn sharing_with(self: &Rc<Self>) -> Result<Self, glutin::error::Error> {
        let display = self.system().display();
        let attributes = builder(self.backend()).with_sharing(self.system()).build(None);
        // SAFETY: the attributes name no window, and a context of the same display that is alive.
        let context = unsafe { display.create_context(&self.system().config(), &attributes)? };
        let context = context.make_current_surfaceless()?;
        let device = &self.description().device;
        let mut shared = Self::current(&display, context, None, (device, self.backend()), None);
        shared.join(self);
        Ok(shared)
    }

    /// Makes this very context current, and all previous work of its group visible to it.
    pub fn make_current(&self) {
        let left = CURRENT.get();
        if left.context == self.number() {
            return;
        }
        let gl = self.table();
        let in_group = left.context != 0 && left.group == self.group();
        // SAFETY: addresses that the system gives are valid for any context; this is the one to be left.
        let fence = in_group
            .then(|| unsafe { gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) }.ok())
            .flatten();
        if left.context != 0 && fence.is_none() {
            // SAFETY: no arguments.
            unsafe { gl.finish() };
        }
        // A context that was once current on this thread can become current again.
        let entered = match &self.window {
            Some(window) => self.system().make_current(&window.surface),
            None => self.system().make_current_surfaceless(),
        };
        if entered.is_ok() {
            CURRENT.set(Current { context: self.number(), group: self.group() });
        }
        if let Some(fence) = fence {
            // SAFETY: sync objects belong to the group, and this one is deleted once.
            unsafe {
                gl.wait_sync(fence, 0, glow::TIMEOUT_IGNORED);
                gl.delete_sync(fence);
            }
        }
    }
}

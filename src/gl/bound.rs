//! Textures bound in the current context, so that binding one again costs no call.

use glow::HasContext;

use super::Context;
use super::context::TEXTURE;

/// Textures by unit, in one context of a group.
#[derive(Default)]
pub(super) struct Bound {
    /// Number of the context; in another one, nothing is known.
    context: u64,
    active: u32,
    units: Vec<Option<glow::Texture>>,
}

impl Bound {
    /// Forgets a texture that is deleted: its name may come again.
    pub fn forget(&mut self, texture: glow::Texture) {
        for unit in &mut self.units {
            unit.take_if(|bound| *bound == texture);
        }
    }
}

impl Context {
    /// Binds a texture of this context's group to a unit, or to whichever is active.
    pub(super) fn bind_texture(&self, unit: Option<u32>, texture: glow::Texture) {
        let gl = self.glow();
        let mut bound = self.bound.borrow_mut();
        if bound.context != self.current_number() {
            *bound = Bound { context: self.current_number(), ..Bound::default() };
            // SAFETY: plain state.
            unsafe { gl.active_texture(glow::TEXTURE0) };
        }
        let unit = unit.unwrap_or(bound.active);
        if bound.units.get(unit as usize) == Some(&Some(texture)) {
            return;
        }
        // SAFETY: the caller's texture is alive.
        unsafe {
            if bound.active != unit {
                gl.active_texture(glow::TEXTURE0 + unit);
                bound.active = unit;
            }
            gl.bind_texture(TEXTURE, Some(texture));
        }
        let length = bound.units.len().max(unit as usize + 1);
        bound.units.resize(length, None);
        bound.units[unit as usize] = Some(texture);
    }
}

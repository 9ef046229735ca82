//! Textures bound in the current context, so that binding one again costs no call.

use glow::HasContext;

/// Target of the textures of streams, whose coordinates are columns and rows. WebGL has no rectangle textures.
pub(super) const TEXTURE: u32 =
    if cfg!(target_family = "wasm") { glow::TEXTURE_2D } else { glow::TEXTURE_RECTANGLE };

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

    /// Binds a texture of the group of the current context, which has this number, to a unit, or to whichever is active.
    pub fn bind(
        &mut self,
        gl: &glow::Context,
        current: u64,
        unit: Option<u32>,
        texture: glow::Texture,
    ) {
        if self.context != current {
            *self = Self { context: current, ..Self::default() };
            // SAFETY: plain state.
            unsafe { gl.active_texture(glow::TEXTURE0) };
        }
        let unit = unit.unwrap_or(self.active);
        if self.units.get(unit as usize) == Some(&Some(texture)) {
            return;
        }
        // SAFETY: the caller's texture is alive.
        unsafe {
            if self.active != unit {
                gl.active_texture(glow::TEXTURE0 + unit);
                self.active = unit;
            }
            gl.bind_texture(TEXTURE, Some(texture));
        }
        let length = self.units.len().max(unit as usize + 1);
        self.units.resize(length, None);
        self.units[unit as usize] = Some(texture);
    }
}

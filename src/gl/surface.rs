//! The surface of a window, and the handles required of any toolkit's window.

use std::rc::Rc;

use raw_window_handle::{HasDisplayHandle, HasWindowHandle};

use super::system::Surface;

/// A window of any toolkit that provides its system handles.
pub trait NativeWindow: HasWindowHandle + HasDisplayHandle {}

impl<W: HasWindowHandle + HasDisplayHandle> NativeWindow for W {}

/// Visible drawing surface of a context. Fields are dropped in this order, the window last.
pub(super) struct WindowSurface {
    pub surface: Surface<glutin::surface::WindowSurface>,
    _window: Rc<dyn NativeWindow>,
}

impl WindowSurface {
    /// Creates the surface of this window, and keeps the window alive.
    pub fn new(
        surface: Surface<glutin::surface::WindowSurface>,
        window: Rc<dyn NativeWindow>,
    ) -> Self {
        Self { surface, _window: window }
    }
}

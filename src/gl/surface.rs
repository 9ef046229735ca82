//! The surface of a window, and what any toolkit's window has to tell for it.

use std::rc::Rc;

use glutin::api::egl::surface::Surface;
use raw_window_handle::{HasDisplayHandle, HasWindowHandle};

/// A window of any toolkit that tells its system's handles.
pub trait NativeWindow: HasWindowHandle + HasDisplayHandle {}

impl<W: HasWindowHandle + HasDisplayHandle> NativeWindow for W {}

/// What a context draws into to be seen. Its fields are dropped in this order: the window last.
pub(super) struct WindowSurface {
    pub surface: Surface<glutin::surface::WindowSurface>,
    _window: Rc<dyn NativeWindow>,
}

impl WindowSurface {
    /// The surface of this window, which it keeps alive.
    pub fn new(
        surface: Surface<glutin::surface::WindowSurface>,
        window: Rc<dyn NativeWindow>,
    ) -> Self {
        Self {
            surface,
            _window: window,
        }
    }
}

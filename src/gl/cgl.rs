//! CGL: macOS's way to OpenGL ([`super::system`] elsewhere is `egl.rs`). It has one device, which the system
//! chooses. Compiled by every check, and not yet run by anyone.

pub use glutin::api::cgl::context::PossiblyCurrentContext;
pub use glutin::api::cgl::display::Display;
pub use glutin::api::cgl::surface::Surface;
use raw_window_handle::{AppKitDisplayHandle, RawDisplayHandle};

/// The system's device.
#[derive(Clone)]
pub struct Device;

/// Lists the only device.
pub fn devices() -> Result<Vec<Device>, String> {
    Ok(vec![Device])
}

/// Opens the display of the device: contexts without a window.
pub fn display(_: &Device) -> glutin::error::Result<Display> {
    // SAFETY: the handle refers to nothing.
    unsafe { Display::new(RawDisplayHandle::AppKit(AppKitDisplayHandle::new())) }
}

/// Returns the device of a window's display.
pub fn device_of(_: &Display) -> Option<Device> {
    Some(Device)
}

/// CGL does not say which devices draw in software.
pub fn is_software(_: &Device) -> bool {
    false
}

pub fn name_of(_: &Device) -> String {
    "CGL".into()
}

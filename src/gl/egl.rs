//! EGL: the system's way to OpenGL, on everything but macOS ([`super::system`] there is `cgl.rs`).

pub use glutin::api::egl::context::PossiblyCurrentContext;
pub use glutin::api::egl::device::Device;
pub use glutin::api::egl::display::Display;
pub use glutin::api::egl::surface::Surface;

/// Lists the devices of all drivers, or the reason why there are none.
pub fn devices() -> Result<Vec<Device>, String> {
    let devices: Vec<_> = Device::query_devices().map_err(|error| error.to_string())?.collect();
    if devices.is_empty() { Err("EGL lists no devices".into()) } else { Ok(devices) }
}

/// Opens the display of a device: contexts without a window.
pub fn display(device: &Device) -> glutin::error::Result<Display> {
    // SAFETY: the device is from EGL's own list; no raw display handle is involved.
    unsafe { Display::with_device(device, None) }
}

/// Returns the device that draws for a window's display. Not every driver names it.
pub fn device_of(display: &Display) -> Option<Device> {
    display.device().ok()
}

/// EGL marks software devices by an extension that hardware devices do not have.
pub fn is_software(device: &Device) -> bool {
    device.extensions().contains("EGL_MESA_device_software")
}

/// EGL's name of the device, or else its file.
pub fn name_of(device: &Device) -> String {
    let node = || device.drm_device_node_path().map(|path| path.display().to_string());
    let name = device.name().map(str::to_owned).or_else(node);
    let kind = if is_software(device) { "software" } else { "unnamed" };
    name.unwrap_or_else(|| kind.to_owned())
}

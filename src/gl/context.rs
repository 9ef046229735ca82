//! OpenGL contexts. A headless one needs no display: with EGL it uses the device platform, without a surface. Contexts
//! of windows are created in [`super::window`].

use crate::base::order::ShortSort;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::{Mutex, MutexGuard, PoisonError};

use glow::HasContext;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{
    ContextApi, ContextAttributes, ContextAttributesBuilder, GlProfile, Version,
};
use glutin::display::GlDisplay;
use glutin::prelude::PossiblyCurrentGlContext;
use raw_window_handle::RawWindowHandle;

use super::GlError;
use super::assembly::{Assembler, Backend};
use super::bound::Bound;
use super::description::{Description, pending};
use super::surface::WindowSurface;
use super::system::{self, Device, Display, PossiblyCurrentContext, is_software, name_of};

/// True if read-backs always have four channels. Here they have the channels of the texture.
pub(super) const READS_FOUR_CHANNELS: bool = false;

/// True if queries count the surviving fragments.
pub(crate) const COUNTS_FRAGMENTS: bool = true;

/// The text of a program for the driver: unchanged.
pub(super) fn dialect(text: &str, _is_vertex: bool) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// The context and group that are current on a thread, by number (0: none).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Current {
    pub context: u64,
    pub group: u64,
}

thread_local! {
    /// Allows several contexts per thread.
    pub(super) static CURRENT: Cell<Current> = const { Cell::new(Current { context: 0, group: 0 }) };
    static NEXT: Cell<u64> = const { Cell::new(1) };
}

/// An OpenGL 3.3 core context of this thread, headless or of a window.
pub struct Context {
    glow: glow::Context,
    /// Surface of the window; absent for a headless context.
    pub(super) window: Option<WindowSurface>,
    system: PossiblyCurrentContext,
    number: u64,
    /// Number of the first context in the group that shares objects.
    group: u64,
    description: Description,
    texture_barrier: Option<TextureBarrier>,
    pub(super) assembler: Option<Assembler>,
    /// Textures bound by its group.
    pub(super) bound: RefCell<Bound>,
    /// The context with which it was created to share objects; kept alive.
    beside: Option<Rc<Context>>,
    /// Dropped last, after everything else of the context.
    _lock: Option<Rc<RendererLock>>,
}

/// `glTextureBarrier`, which glow does not support.
type TextureBarrier = unsafe extern "system" fn();

impl Context {
    /// Creates a context without a display or surface, on the first EGL device with OpenGL 3.3 core. Hardware
    /// is tried before software renderers. With a software renderer only one thread of a process draws at a
    /// time: others wait here until the first has dropped its contexts, because Mesa's llvmpipe occasionally
    /// crashes when two threads draw (22.3.6 once in eighty runs of the tests, inside `swrast_dri.so`). The wait
    /// has no limit, because a run may take hours: do not wait for a thread that needs a context while yours has
    /// one. The variable `FRAGSTREAM_DEVICE` (a number from 0) selects one device.
    ///
    /// # Errors
    /// [`GlError::NoEgl`], [`GlError::NoContext`] or [`GlError::NoAssembly`] if no driver of this machine fits;
    /// [`GlError::NoSuchDevice`] if `FRAGSTREAM_DEVICE` selects no device.
    pub fn headless(backend: Backend) -> Result<Rc<Self>, GlError> {
        // This must precede any call of EGL, because the first one loads the drivers.
        let lock = RendererLock::take();
        let mut devices = system::devices().map_err(|cause| GlError::NoEgl { cause })?;
        if let Some(choice) = std::env::var_os("FRAGSTREAM_DEVICE") {
            let choice = choice.to_string_lossy().into_owned();
            let picked = choice.parse().ok().and_then(|n: usize| devices.get(n));
            devices = vec![
                picked.cloned().ok_or(GlError::NoSuchDevice { choice, devices: devices.len() })?,
            ];
        }
        devices.order_by_key(is_software);
        let mut cause = String::new();
        for device in &devices {
            let lock = is_software(device).then(|| Rc::clone(&lock));
            match Self::on_device(device, backend, lock) {
                Ok(context) if backend == Backend::Arb && !context.description.assembly => {
                    let driver = context.description.renderer.clone();
                    return Err(GlError::NoAssembly { driver });
                }
                Ok(context) => return Ok(Rc::new(context)),
                Err(error) => cause = error.to_string(),
            }
        }
        Err(GlError::NoContext { devices: devices.len(), cause })
    }

    /// Tunes the driver for passes of this size. Call it before the first context is created.
    #[cfg(feature = "cli")]
    pub(crate) fn expect_passes(texels: usize) {
        let _lock = RendererLock::take();
        super::rasteriser::without_threads_if_small(texels);
    }

    fn on_device(
        device: &Device,
        backend: Backend,
        lock: Option<Rc<RendererLock>>,
    ) -> Result<Self, glutin::error::Error> {
        let display = system::display(device)?;
        let template =
            ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        // SAFETY: the template names no native window.
        let config = unsafe { display.find_configs(template)? }
            .next()
            .ok_or_else(|| glutin::error::Error::from(glutin::error::ErrorKind::BadConfig))?;
        // SAFETY: the attributes hold no window handle and no context to share with.
        let context = unsafe { display.create_context(&config, &attributes(backend, None))? };
        let context = context.make_current_surfaceless()?;
        Ok(Self::current(&display, context, None, (&name_of(device), backend), lock))
    }

    /// Wraps a context that has just been made current, with its surface if there is one.
    pub(super) fn current(
        display: &Display,
        system: PossiblyCurrentContext,
        window: Option<WindowSurface>,
        (device, backend): (&str, Backend),
        lock: Option<Rc<RendererLock>>,
    ) -> Self {
        // SAFETY: the context is current on this thread, and the loader asks its own display.
        let glow = unsafe {
            glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name))
        };
        let number = NEXT.replace(NEXT.get() + 1);
        CURRENT.set(Current { context: number, group: number });
        let mut description = describe(&glow, device, lock.is_some());
        let has_assembly = glow.supported_extensions().contains("GL_ARB_fragment_program");
        // A core context may have the entry points but reject all programs.
        let assembler = (backend == Backend::Arb && has_assembly)
            .then(|| Assembler::load(|name| display.get_proc_address(name)))
            .flatten();
        description.assembly = assembler.is_some();
        let texture_barrier = description.texture_barrier.then(|| {
            let address = display.get_proc_address(c"glTextureBarrier");
            // SAFETY: the driver lists the extension, so the address is that of this function, or null. An optional
            // function pointer represents null as `None`.
            unsafe {
                std::mem::transmute::<*const std::ffi::c_void, Option<TextureBarrier>>(address)
            }
        });
        // Rows are packed.
        // SAFETY: plain state of the current context.
        unsafe {
            glow.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
            glow.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
        }
        Self {
            glow,
            window,
            system,
            number,
            group: number,
            description,
            texture_barrier: texture_barrier.flatten(),
            assembler,
            bound: RefCell::default(),
            beside: None,
            _lock: lock,
        }
    }

    /// Names and limits of the driver.
    pub fn description(&self) -> &Description {
        &self.description
    }

    pub(super) fn backend(&self) -> Backend {
        match self.assembler {
            Some(_) => Backend::Arb,
            None => Backend::Glsl,
        }
    }

    /// Adds this context, which has just been made current, to the group of `other`.
    pub(super) fn join(&mut self, other: &Rc<Self>) {
        self.group = other.group;
        self.description.software = other.description.software;
        self.beside = Some(Rc::clone(other));
        CURRENT.set(Current { context: self.number, group: self.group });
    }

    /// The function table, with a context of this group current on the thread: for shared objects.
    pub(super) fn glow(&self) -> &glow::Context {
        if CURRENT.get().group != self.group {
            self.make_current();
        }
        &self.glow
    }

    /// The function table, with this very context current: for objects that are not shared.
    pub(super) fn own(&self) -> &glow::Context {
        self.make_current();
        &self.glow
    }

    /// Number of the group's context that is current.
    pub(super) fn current_number(&self) -> u64 {
        CURRENT.get().context
    }

    /// The function table, whichever context is current.
    pub(super) fn table(&self) -> &glow::Context {
        &self.glow
    }

    /// Number that identifies the context.
    pub fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn group(&self) -> u64 {
        self.group
    }

    pub(super) fn system(&self) -> &PossiblyCurrentContext {
        &self.system
    }

    /// Waits until all commands are complete.
    pub fn finish(&self) {
        // SAFETY: no arguments.
        unsafe { self.glow().finish() }
    }

    /// Makes everything rendered so far visible to fetches of the same texture (`glTextureBarrier`). Does
    /// nothing if [`Description::texture_barrier`] is false.
    pub fn texture_barrier(&self) {
        if let Some(texture_barrier) = self.texture_barrier {
            self.glow();
            // SAFETY: the entry point belongs to this context, which is current now.
            unsafe { texture_barrier() }
        }
    }

    /// Converts the pending GL error, if there is one.
    pub(crate) fn check(&self, doing: &'static str) -> Result<(), GlError> {
        pending(self.glow(), doing)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.finish();
        if CURRENT.get().context == self.number {
            // EGL keeps a context alive while it is current. Otherwise it might destroy the context later, when
            // another thread holds the lock and draws. (If it cannot be released, it stays current.)
            let _ = self.system.make_not_current_in_place();
            CURRENT.set(Current::default());
        }
    }
}

/// OpenGL 3.3: core, or a compatibility context with the older assembly.
pub(super) fn builder(backend: Backend) -> ContextAttributesBuilder {
    ContextAttributesBuilder::new()
        .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
        .with_profile(match backend {
            Backend::Glsl => GlProfile::Core,
            Backend::Arb => GlProfile::Compatibility,
        })
}

/// OpenGL 3.3, with or without a window.
pub(super) fn attributes(backend: Backend, window: Option<RawWindowHandle>) -> ContextAttributes {
    builder(backend).build(window)
}

/// Lock of a software renderer: one thread draws at a time, and its contexts share the lock.
///
/// It is wider than a test of Mesa 22.3.6 alone would make it. Three threads without any lock created 9000 contexts, each of
/// which compiled, drew, counted and read back, with and without llvmpipe's own threads: none crashed, and all values were
/// right. Eighty runs of the tests, of which one crashed, create some five times as many.
pub(super) struct RendererLock {
    _guard: MutexGuard<'static, ()>,
}

impl RendererLock {
    /// Returns the lock that this thread already holds, or waits for it.
    pub fn take() -> Rc<Self> {
        static DRAWING: Mutex<()> = Mutex::new(());
        thread_local! {
            static MINE: RefCell<Weak<RendererLock>> = const { RefCell::new(Weak::new()) };
        }
        MINE.with_borrow_mut(|mine| {
            mine.upgrade().unwrap_or_else(|| {
                // The lock protects no data that a panic could have corrupted.
                let guard = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
                let lock = Rc::new(RendererLock { _guard: guard });
                *mine = Rc::downgrade(&lock);
                lock
            })
        })
    }
}

fn describe(glow: &glow::Context, device: &str, software: bool) -> Description {
    let version = glow.version();
    let limit = |name| {
        // Viewport dimensions are two numbers, all other limits one.
        let mut values = [i32::MAX; 2];
        // SAFETY: GL writes at most as many numbers as fit.
        unsafe { glow.get_parameter_i32_slice(name, &mut values) };
        u32::try_from(values[0].min(values[1])).unwrap_or(0)
    };
    // SAFETY: string queries of the current context.
    let text = |name| unsafe { glow.get_parameter_string(name) };
    Description {
        vendor: text(glow::VENDOR),
        renderer: text(glow::RENDERER),
        version: text(glow::VERSION),
        device: device.to_owned(),
        rectangle_limit: limit(glow::MAX_RECTANGLE_TEXTURE_SIZE)
            .min(limit(glow::MAX_VIEWPORT_DIMS)),
        texture_units: limit(glow::MAX_TEXTURE_IMAGE_UNITS),
        software,
        texture_barrier: (version.major, version.minor) >= (4, 5)
            || glow.supported_extensions().contains("GL_ARB_texture_barrier"),
        double_precision: glow.supported_extensions().contains("GL_ARB_gpu_shader_fp64"),
        assembly: false,
    }
}

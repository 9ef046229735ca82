//! OpenGL contexts. A headless one needs no display: EGL's device platform, without a surface. Those
//! of windows are made in [`super::window`].

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::{Mutex, MutexGuard, PoisonError};

use glow::HasContext;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{
    ContextApi, ContextAttributes, ContextAttributesBuilder, GlProfile, Version,
};
use glutin::display::GlDisplay;
use glutin::prelude::PossiblyCurrentGlContext;
use raw_window_handle::RawWindowHandle;

use super::GlError;
use super::assembly::{Assembler, Backend};
use super::surface::WindowSurface;

/// Target of the textures of streams, whose coordinates are columns and rows.
pub(super) const TEXTURE: u32 = glow::TEXTURE_RECTANGLE;

/// A read-back has the channels of its texture.
pub(super) const READS_FOUR_CHANNELS: bool = false;

/// A query tells how many fragments survived.
pub(super) const COUNTS_FRAGMENTS: bool = true;

/// The text of a program as the driver takes it: as it is.
pub(super) fn dialect(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// What is current on a thread: a context and its group, by number (0: none).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Current {
    pub context: u64,
    pub group: u64,
}

thread_local! {
    /// So that several contexts can live side by side.
    pub(super) static CURRENT: Cell<Current> = const { Cell::new(Current { context: 0, group: 0 }) };
    static NEXT: Cell<u64> = const { Cell::new(1) };
}

/// An OpenGL 3.3 core context of this thread, headless or of a window.
pub struct Context {
    glow: glow::Context,
    /// What it is current with; none of a headless context.
    pub(super) window: Option<WindowSurface>,
    egl: PossiblyCurrentContext,
    number: u64,
    /// The number of the first context of those that share objects.
    group: u64,
    description: Description,
    texture_barrier: Option<TextureBarrier>,
    pub(super) assembler: Option<Assembler>,
    /// The context that it was made beside, which it keeps alive.
    beside: Option<Rc<Context>>,
    /// Given back last, when nothing of the context is left.
    _lock: Option<Rc<RendererLock>>,
}

/// `glTextureBarrier`, which glow does not carry.
type TextureBarrier = unsafe extern "system" fn();

/// What the driver says of itself, and its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// `GL_VENDOR`.
    pub vendor: String,
    /// `GL_RENDERER`.
    pub renderer: String,
    /// `GL_VERSION`.
    pub version: String,
    /// The EGL device's name, where it has one.
    pub device: String,
    /// Largest side of a rectangle texture, in texels.
    pub rectangle_limit: u32,
    /// Texture units of a fragment program.
    pub texture_units: u32,
    /// True if a program for the CPU draws, as far as EGL tells.
    pub software: bool,
    /// True if `GL_ARB_texture_barrier` (or GL 4.5) is there: needed by feedback passes.
    pub texture_barrier: bool,
    /// True if `GL_ARB_gpu_shader_fp64` is there: programs may compute in double precision.
    pub double_precision: bool,
    /// True if programs run as assembly ([`Backend::Arb`]).
    pub assembly: bool,
}

impl Context {
    /// A context without a display or surface, on the first EGL device that gives OpenGL 3.3 core.
    /// Hardware comes before software renderers. Of these only one thread of a process draws at a
    /// time: another one waits here until the first has dropped its contexts, for Mesa's llvmpipe
    /// crashes now and then when two threads draw (22.3.6 once in eighty runs of the tests, inside
    /// `swrast_dri.so`). The variable `FRAGSTREAM_DEVICE` (a number from 0) picks one device.
    pub fn headless() -> Result<Rc<Self>, GlError> {
        Self::headless_in(Backend::chosen()?)
    }

    /// The same for a back end.
    pub fn headless_in(backend: Backend) -> Result<Rc<Self>, GlError> {
        // Before EGL is asked for anything: a first question loads the drivers.
        let lock = RendererLock::take();
        let no_egl = |cause: String| GlError::NoEgl { cause };
        let mut devices: Vec<Device> = Device::query_devices()
            .map_err(|error| no_egl(error.to_string()))?
            .collect();
        if devices.is_empty() {
            return Err(no_egl("EGL lists no device".into()));
        }
        if let Some(choice) = std::env::var_os("FRAGSTREAM_DEVICE") {
            let choice = choice.to_string_lossy().into_owned();
            let picked = choice.parse().ok().and_then(|n: usize| devices.get(n));
            devices = vec![picked.cloned().ok_or(GlError::NoSuchDevice {
                choice,
                devices: devices.len(),
            })?];
        }
        devices.sort_by_key(is_software);
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
        Err(GlError::NoContext {
            devices: devices.len(),
            cause,
        })
    }

    /// The same, for passes that write so many texels of four numbers as a rule: a software renderer draws
    /// small ones without threads of its own. The first context of a process decides for all, and the
    /// variable `LP_NUM_THREADS`, which this may set, for every one.
    #[cfg(feature = "cli")]
    pub(crate) fn headless_for(texels: usize) -> Result<Rc<Self>, GlError> {
        Self::expect_passes(texels);
        Self::headless()
    }

    /// Has the first context, which is still to come, be for such passes.
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
        // SAFETY: the device comes from EGL's own list; no raw display handle is involved.
        let display = unsafe { Display::with_device(device, None)? };
        let template = ConfigTemplateBuilder::new()
            .with_surface_type(ConfigSurfaceTypes::empty())
            .build();
        // SAFETY: the template names no native window.
        let config = unsafe { display.find_configs(template)? }
            .next()
            .ok_or_else(|| glutin::error::Error::from(glutin::error::ErrorKind::BadConfig))?;
        // SAFETY: the attributes hold no window handle and no context to share with.
        let egl = unsafe { display.create_context(&config, &attributes(backend, None))? };
        let egl = egl.make_current_surfaceless()?;
        Ok(Self::current(
            &display,
            egl,
            None,
            (&name_of(device), backend),
            lock,
        ))
    }

    /// A context that has just been made current, with this surface if it has one.
    pub(super) fn current(
        display: &Display,
        egl: PossiblyCurrentContext,
        window: Option<WindowSurface>,
        (device, backend): (&str, Backend),
        lock: Option<Rc<RendererLock>>,
    ) -> Self {
        // SAFETY: the context is current on this thread, and the loader asks its own display.
        let glow = unsafe {
            glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name))
        };
        let number = NEXT.replace(NEXT.get() + 1);
        CURRENT.set(Current {
            context: number,
            group: number,
        });
        let mut description = describe(&glow, device, lock.is_some());
        let has_assembly = glow
            .supported_extensions()
            .contains("GL_ARB_fragment_program");
        // A core context may have the entry points, and refuse all programs.
        let assembler = (backend == Backend::Arb && has_assembly)
            .then(|| Assembler::load(|name| display.get_proc_address(name)))
            .flatten();
        description.assembly = assembler.is_some();
        let texture_barrier = description.texture_barrier.then(|| {
            let address = display.get_proc_address(c"glTextureBarrier");
            // SAFETY: the driver names the extension, so the address is of this function, or null,
            // which is None of an optional function pointer.
            unsafe {
                std::mem::transmute::<*const std::ffi::c_void, Option<TextureBarrier>>(address)
            }
        });
        // One vertex array serves all: its attribute layout is set at each draw. Rows are packed.
        // SAFETY: plain state of the current context; the vertex array lives as long as it.
        unsafe {
            let array = glow.create_vertex_array().ok();
            glow.bind_vertex_array(array);
            glow.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
            glow.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
        }
        Self {
            glow,
            window,
            egl,
            number,
            group: number,
            description,
            texture_barrier: texture_barrier.flatten(),
            assembler,
            beside: None,
            _lock: lock,
        }
    }

    /// What the driver says of itself.
    pub fn description(&self) -> &Description {
        &self.description
    }

    pub(super) fn backend(&self) -> Backend {
        match self.assembler {
            Some(_) => Backend::Arb,
            None => Backend::Glsl,
        }
    }

    /// Makes it, which has just been made current, one of the group of `other`.
    pub(super) fn join(&mut self, other: &Rc<Self>) {
        self.group = other.group;
        self.description.software = other.description.software;
        self.beside = Some(Rc::clone(other));
        CURRENT.set(Current {
            context: self.number,
            group: self.group,
        });
    }

    /// The function table, with a context of this group current on the thread: for objects that the
    /// group shares.
    pub(super) fn glow(&self) -> &glow::Context {
        if CURRENT.get().group != self.group {
            self.make_current();
        }
        &self.glow
    }

    /// The function table, with this very context current: for objects that are its own.
    pub(super) fn own(&self) -> &glow::Context {
        self.make_current();
        &self.glow
    }

    /// The function table, whatever is current.
    pub(super) fn table(&self) -> &glow::Context {
        &self.glow
    }

    /// Tells contexts apart.
    pub fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn group(&self) -> u64 {
        self.group
    }

    pub(super) fn egl(&self) -> &PossiblyCurrentContext {
        &self.egl
    }

    /// Waits until everything that was asked for is done.
    pub fn finish(&self) {
        // SAFETY: no arguments.
        unsafe { self.glow().finish() }
    }

    /// Makes what has been rendered so far visible to fetches of the same texture
    /// (`glTextureBarrier`). Does nothing where [`Description::texture_barrier`] is false.
    pub fn texture_barrier(&self) {
        if let Some(texture_barrier) = self.texture_barrier {
            self.glow();
            // SAFETY: the entry point belongs to this context, which is current now.
            unsafe { texture_barrier() }
        }
    }

    /// The pending GL error, if any, as ours.
    pub fn check(&self, doing: &'static str) -> Result<(), GlError> {
        // SAFETY: no arguments.
        match unsafe { self.glow().get_error() } {
            glow::NO_ERROR => Ok(()),
            glow::OUT_OF_MEMORY => Err(GlError::OutOfMemory { doing }),
            code => Err(GlError::Other { code, doing }),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.finish();
        if CURRENT.get().context == self.number {
            // EGL keeps a context for as long as it is current, and would destroy it at another time:
            // when the lock is not ours any more, and another thread draws. (Where it cannot be
            // released, it stays as it is.)
            let _ = self.egl.make_not_current_in_place();
            CURRENT.set(Current::default());
        }
    }
}

/// OpenGL 3.3: core, or with the assembly of older versions.
pub(super) fn builder(backend: Backend) -> ContextAttributesBuilder {
    ContextAttributesBuilder::new()
        .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
        .with_profile(match backend {
            Backend::Glsl => GlProfile::Core,
            Backend::Arb => GlProfile::Compatibility,
        })
}

/// OpenGL 3.3, for a window or none.
pub(super) fn attributes(backend: Backend, window: Option<RawWindowHandle>) -> ContextAttributes {
    builder(backend).build(window)
}

/// One thread at a time draws with a software renderer; its contexts share the lock.
pub(super) struct RendererLock {
    _guard: MutexGuard<'static, ()>,
}

impl RendererLock {
    /// The lock that this thread has already, or the next one.
    pub fn take() -> Rc<Self> {
        static DRAWING: Mutex<()> = Mutex::new(());
        thread_local! {
            static MINE: RefCell<Weak<RendererLock>> = const { RefCell::new(Weak::new()) };
        }
        MINE.with_borrow_mut(|mine| {
            mine.upgrade().unwrap_or_else(|| {
                // Nothing is behind the lock that a panic could have left in disorder.
                let guard = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
                let lock = Rc::new(RendererLock { _guard: guard });
                *mine = Rc::downgrade(&lock);
                lock
            })
        })
    }
}

/// EGL marks software devices by an extension; hardware devices have none of it.
pub(super) fn is_software(device: &Device) -> bool {
    device.extensions().contains("EGL_MESA_device_software")
}

/// What EGL calls the device, or else where it is.
pub(super) fn name_of(device: &Device) -> String {
    let node = || {
        device
            .drm_device_node_path()
            .map(|path| path.display().to_string())
    };
    let name = device.name().map(str::to_owned).or_else(node);
    let kind = if is_software(device) {
        "software"
    } else {
        "unnamed"
    };
    name.unwrap_or_else(|| kind.to_owned())
}

fn describe(glow: &glow::Context, device: &str, software: bool) -> Description {
    let version = glow.version();
    let limit = |name| {
        // Viewport dimensions are two numbers, the other limits one.
        let mut values = [i32::MAX; 2];
        // SAFETY: GL writes at most as many numbers as there is room for.
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
            || glow
                .supported_extensions()
                .contains("GL_ARB_texture_barrier"),
        double_precision: glow
            .supported_extensions()
            .contains("GL_ARB_gpu_shader_fp64"),
        assembly: false,
    }
}

//! Back ends: GLSL, or the assembly of `GL_ARB_fragment_program`, which glow does not support.

use std::ffi::{CStr, c_char, c_void};

pub(super) const FRAGMENT_PROGRAM: u32 = 0x8804;
const FORMAT_ASCII: u32 = 0x8875;
const ERROR_STRING: u32 = 0x8874;
const ERROR_POSITION: u32 = 0x864B;
const PROGRAM_BINDING: u32 = 0x8677;

/// Language of the fragment programs given to the driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// GLSL, in a core context.
    #[default]
    Glsl,
    /// `!!ARBfp1.0`, in a compatibility context; programs that it cannot express run as GLSL.
    Arb,
}

/// Entry points of the extension.
#[derive(Clone, Copy)]
pub(super) struct Assembler {
    generate: unsafe extern "system" fn(i32, *mut u32),
    bind: unsafe extern "system" fn(u32, u32),
    delete: unsafe extern "system" fn(i32, *const u32),
    string: unsafe extern "system" fn(u32, u32, i32, *const c_void),
    local: unsafe extern "system" fn(u32, u32, f32, f32, f32, f32),
    program: unsafe extern "system" fn(u32, u32, *mut i32),
    text: unsafe extern "system" fn(u32) -> *const c_char,
    integer: unsafe extern "system" fn(u32, *mut i32),
    error: unsafe extern "system" fn() -> u32,
}

impl Assembler {
    /// Loads the entry points from a driver with the extension. `None` if one is missing.
    #[cfg(not(target_family = "wasm"))]
    pub fn load(address: impl Fn(&CStr) -> *const c_void) -> Option<Self> {
        /// # Safety
        /// The name is that of a function of type `T`.
        unsafe fn function<T>(address: *const c_void) -> Option<T> {
            assert_eq!(size_of::<T>(), size_of::<*const c_void>());
            // SAFETY: as the caller promises; both have the size of a pointer, and null becomes None.
            (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
        }
        // SAFETY: the types are those of the extension's specification, for these names.
        unsafe {
            Some(Self {
                generate: function(address(c"glGenProgramsARB"))?,
                bind: function(address(c"glBindProgramARB"))?,
                delete: function(address(c"glDeleteProgramsARB"))?,
                string: function(address(c"glProgramStringARB"))?,
                local: function(address(c"glProgramLocalParameter4fARB"))?,
                program: function(address(c"glGetProgramivARB"))?,
                text: function(address(c"glGetString"))?,
                integer: function(address(c"glGetIntegerv"))?,
                error: function(address(c"glGetError"))?,
            })
        }
    }

    /// Assembles a program, and returns its name or the driver's message. The bound program stays bound.
    ///
    /// # Safety
    /// The context of these entry points is current.
    pub unsafe fn assemble(&self, text: &str) -> Result<u32, String> {
        // SAFETY: out-parameters are one number each; the text has the given length.
        unsafe {
            let (mut name, mut before, mut position) = (0, 0, -1);
            (self.program)(FRAGMENT_PROGRAM, PROGRAM_BINDING, &mut before);
            (self.generate)(1, &mut name);
            (self.bind)(FRAGMENT_PROGRAM, name);
            // Of a lost context there is always another error.
            let _ = (0..100).find(|_| (self.error)() == 0);
            let length = i32::try_from(text.len()).unwrap_or(i32::MAX);
            (self.string)(FRAGMENT_PROGRAM, FORMAT_ASCII, length, text.as_ptr().cast());
            let error = (self.error)();
            (self.integer)(ERROR_POSITION, &mut position);
            let log = if error != 0 || position != -1 {
                Some(CStr::from_ptr((self.text)(ERROR_STRING)))
            } else {
                None
            };
            let log = log.map(|log| log.to_string_lossy().into_owned());
            (self.bind)(FRAGMENT_PROGRAM, before.unsigned_abs());
            match log {
                None => Ok(name),
                Some(log) => {
                    self.delete(name);
                    Err(log)
                }
            }
        }
    }

    /// Binds a program.
    ///
    /// # Safety
    /// The context is current, and the name is that of a program.
    pub unsafe fn bind(&self, name: u32) {
        // SAFETY: as the caller promises.
        unsafe { (self.bind)(FRAGMENT_PROGRAM, name) }
    }

    /// Sets a local parameter of the bound program.
    ///
    /// # Safety
    /// The context is current, and a program is bound.
    pub unsafe fn set(&self, local: u32, [x, y, z, w]: [f32; 4]) {
        // SAFETY: as the caller promises.
        unsafe { (self.local)(FRAGMENT_PROGRAM, local, x, y, z, w) }
    }

    /// Deletes a program.
    ///
    /// # Safety
    /// The context is current, and the program is no longer used.
    pub unsafe fn delete(&self, name: u32) {
        // SAFETY: one name.
        unsafe { (self.delete)(1, &name) }
    }
}

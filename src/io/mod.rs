//! Files: triangle meshes (PLY, OBJ, OFF, STL), meshes of the plane (MSH, TRI with PRM), matrices and vectors
//! (Matrix Market, SciPy), pictures as numbers, pictures of high dynamic range (Radiance HDR, OpenEXR), raw floats,
//! TOML, and atomic writes.
//!
//! Readers load the whole file, trust none of its counts, and report every violation of the format on one line
//! with the file, the position and the remedy.

pub mod atomic;
pub mod error;
#[cfg(feature = "exr")]
mod exr;
pub mod grey;
pub mod hdr;
pub mod matrix_market;
pub mod mesh;
pub(crate) mod names;
mod npz;
pub mod plane_mesh;
mod radiance;
pub mod raw;
pub mod reading;
mod text;
pub mod toml_text;

#[cfg(feature = "plot")]
pub(crate) use atomic::create_folder;
#[cfg(all(unix, feature = "cli"))]
pub(crate) use atomic::remove_parts;
pub use atomic::write_atomically;
#[cfg(feature = "cli")]
pub(crate) use atomic::{behind_links, is_descriptor};
pub use error::{Fault, InputError, Place, UnknownExtension, WriteError};
pub use hdr::{HdrImage, read_hdr};
pub use mesh::{MeshFile, MeshFormat, read_valid_mesh, write_mesh};
pub use reading::read_text;
pub(crate) use reading::remark;

/// Extension of a file's name, in lower case; an empty text if it has none.
pub(crate) fn extension(name: &str) -> String {
    let extension = std::path::Path::new(name).extension().and_then(|end| end.to_str());
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// Pictures for tests of their readers.
#[cfg(test)]
mod pictures {
    use std::io::Cursor;

    use image::{DynamicImage, ImageFormat};

    /// A picture as a file.
    pub fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// A file cut to a fraction of its length, with other bytes at some fractions of the rest.
    pub fn damaged(mut bytes: Vec<u8>, keep: f64, damage: Vec<(f64, u8)>) -> Vec<u8> {
        bytes.truncate((keep * bytes.len() as f64) as usize);
        for (place, byte) in damage {
            let place = (place * bytes.len() as f64) as usize;
            if let Some(there) = bytes.get_mut(place) {
                *there = byte;
            }
        }
        bytes
    }
}

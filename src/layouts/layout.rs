//! The trait of all layouts: the plan of a matrix, and its upload.

use std::fmt;
use std::rc::Rc;

use serde::{Serialize, Serializer};

use crate::bolz2003::sparse::packing::PackingOptions;
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{Layout as VectorLayout, Machine, Stream, StreamError};

use super::error::LayoutsError;
use super::textures::{Texture, VERTEX_BYTES, total_bytes};

/// Number of records of a sum that are left to the CPU: reading them back takes less time than the passes that
/// would combine them.
const STOP_AT: u64 = 1 << 13;

/// A layout of the registry.
pub type Layout = &'static dyn MatrixLayout;

/// A layout of matrices in textures.
///
/// To add a layout, implement this in a file and add a line to [`ALL`](super::ALL): `solve` and `layouts` then
/// offer it.
pub trait MatrixLayout: Sync {
    /// The layout's name, source and purpose.
    fn label(&self) -> Label;

    /// The textures, computed before any of them exists. `side` is the largest side
    /// of a texture.
    ///
    /// # Errors
    /// The reason why the layout cannot hold the matrix.
    fn plan(&self, matrix: &Csr<f64>, side: u32) -> Result<Plan, LayoutsError>;

    /// Uploads a matrix.
    ///
    /// # Errors
    /// The reason why the layout cannot hold it, and errors of the machine.
    fn upload(
        &self,
        machine: &Machine,
        matrix: &Csr<f64>,
        upload: &Upload,
    ) -> Result<Stored, LayoutsError>;
}

/// Description of a layout.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Name on the command line and in tables.
    pub name: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// True if a card of 2003 could run the product.
    pub is_of_2003: bool,
}

impl Label {
    /// A layout that a card of 2003 could run.
    pub const fn new(name: &'static str, source: &'static str, about: &'static str) -> Self {
        Self { name, source, about, is_of_2003: true }
    }
}

impl PartialEq for dyn MatrixLayout {
    fn eq(&self, other: &Self) -> bool {
        self.label().name == other.label().name
    }
}

impl fmt::Display for dyn MatrixLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label().name)
    }
}

impl fmt::Debug for dyn MatrixLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for dyn MatrixLayout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "cli")]
impl clap::ValueEnum for Layout {
    fn value_variants<'a>() -> &'a [Self] {
        &super::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let label = self.label();
        let about = format!("{} ({})", label.about, label.source);
        Some(clap::builder::PossibleValue::new(label.name).help(about))
    }
}

/// Size of a matrix in a layout.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The textures of the matrix.
    pub textures: Vec<Texture>,
    /// Number of entries drawn as points.
    pub points: u64,
    /// Fraction of the positions for entries without an entry.
    pub padding: f64,
}

impl Plan {
    /// Textures with this number of positions for this number of entries.
    pub fn new(textures: Vec<Texture>, places: u64, entries: usize) -> Self {
        Self {
            textures,
            points: 0,
            padding: match places {
                0 => 0.0,
                places => 1.0 - entries as f64 / places as f64,
            },
        }
    }

    /// Size in graphics memory, in bytes.
    pub fn bytes(&self) -> u64 {
        total_bytes(&self.textures).saturating_add(self.points * VERTEX_BYTES)
    }

    /// Message about a texture that is larger than this, if there is one.
    pub fn oversize(&self, side: u32) -> Option<String> {
        let longest = |texture: &Texture| texture.width.max(texture.height);
        let texture = (self.textures.iter()).find(|&texture| longest(texture) > side.into())?;
        let Texture { width, height, .. } = texture;
        Some(format!(
            "needs a texture of {width}x{height} texels, but this driver allows {side} per side"
        ))
    }
}

/// Settings of an upload.
#[derive(Clone, Copy, Debug, Default)]
pub struct Upload {
    /// True if the transpose is stored, too.
    pub transposed: bool,
    /// The rectangles of [`ROWS`](super::ROWS).
    pub packing: PackingOptions,
}

/// A product in textures.
pub type Product = Rc<dyn Operator<TextureSpace>>;

/// A square matrix in textures, with the space of its vectors.
pub struct Stored {
    /// The vectors.
    pub space: TextureSpace,
    /// A
    pub matrix: Product,
    /// Aᵀ, if requested.
    pub transpose: Option<Product>,
    /// Short description of the storage.
    pub words: String,
    /// The position of each entry in a vector's texture; `None` if they are in order.
    places: Option<Vec<u32>>,
}

impl Stored {
    /// A matrix with its vectors. `places` has the position of each entry, unless they are in order.
    ///
    /// # Errors
    /// Errors of the machine.
    pub fn new(
        machine: &Machine,
        vectors: VectorLayout,
        places: Option<Vec<u32>>,
        (matrix, words): (Product, String),
        transpose: Option<Product>,
    ) -> Result<Self, LayoutsError> {
        Ok(Self {
            space: TextureSpace::new(machine, vectors)?.stopping_at(STOP_AT)?,
            matrix,
            transpose,
            words,
            places,
        })
    }

    /// A matrix whose transpose, if requested, is uploaded as a second matrix by the same function.
    ///
    /// # Errors
    /// Errors of the function and of the machine.
    pub fn pair(
        machine: &Machine,
        vectors: VectorLayout,
        places: Option<Vec<u32>>,
        (matrix, transposed): (&Csr<f64>, bool),
        store: impl Fn(&Csr<f64>) -> Result<(Product, String), LayoutsError>,
    ) -> Result<Self, LayoutsError> {
        let transpose = transposed.then(|| store(&matrix.transpose()));
        let transpose = transpose.transpose()?.map(|(product, _)| product);
        Self::new(machine, vectors, places, store(matrix)?, transpose)
    }

    /// The position of an entry among the floats of a vector's texture.
    pub fn place(&self, entry: usize) -> usize {
        let places = self.places.as_ref();
        places.map_or(entry, |places| places[entry] as usize)
    }

    /// A vector with these entries.
    ///
    /// # Errors
    /// Errors of the machine.
    pub fn vector(&self, entries: &[f32]) -> Result<Stream, StreamError> {
        let Some(places) = &self.places else {
            return self.space.vector(entries);
        };
        let mut image = vec![0.0; self.space.layout().capacity()];
        for (&place, &entry) in places.iter().zip(entries) {
            image[place as usize] = entry;
        }
        let vector = self.space.zeros()?;
        vector.write(&image)?;
        Ok(vector)
    }

    /// The entries of a vector.
    ///
    /// # Errors
    /// Errors of the machine.
    pub fn read(&self, vector: &Stream) -> Result<Vec<f32>, StreamError> {
        let image = vector.read()?;
        Ok(match &self.places {
            None => image,
            Some(places) => places.iter().map(|&place| image[place as usize]).collect(),
        })
    }

    /// y ← A x
    ///
    /// # Errors
    /// Errors of the machine.
    pub fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.matrix.apply(&self.space, x, y)
    }
}

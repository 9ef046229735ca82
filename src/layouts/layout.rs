//! A layout as a value, and a matrix that is stored in one.

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::base::nearest::suggestion;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::solver::{Csr, Operator, TextureSpace};
use crate::stream::{Format, Layout as VectorLayout, Machine, Stream, StreamError};

use super::error::LayoutsError;
use super::textures::{Observed, Texture, VERTEX_BYTES};

/// Number of records of a sum that are left to the CPU: reading them back takes less time than the passes that
/// would combine them.
const STOP_AT: u64 = 1 << 13;

/// A layout of matrices in textures.
pub type Layout = &'static MatrixLayout;

/// A layout of matrices in textures: one value.
///
/// To add a layout to this crate, write such a value in a file and add it to [`ALL`](super::ALL): `solve` and
/// `layouts` then offer it. Outside, [`solve_csr`](crate::solve::solve_csr) and
/// [`compare`](super::compare::products::compare) take any other one.
pub struct MatrixLayout {
    /// Name on the command line and in tables.
    pub name: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// True if a card of 2003 could run the product.
    pub is_of_2003: bool,
    /// True if comparisons leave it out unless it is named: a variant of another layout.
    pub is_variant: bool,
    /// Contents of its textures.
    pub roles: &'static [Role],
    /// The memory that a matrix would need, or the reason why the layout cannot hold it. The number is the largest side
    /// of a texture.
    pub footprint: fn(&Csr<f64>, u32) -> Result<Footprint, LayoutsError>,
    /// Uploads a matrix.
    pub store: fn(&Machine, &Csr<f64>, &Upload) -> Result<Stored, LayoutsError>,
}

/// Contents of a texture of a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Role {
    /// Label of the texture, without its number if there are several.
    pub texture: &'static str,
    /// Contents in words.
    pub words: &'static str,
    /// Kind of contents.
    pub contents: Contents,
}

/// Kind of contents of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Entries of the matrix, with this number of them in the first channels of a texel.
    Values(usize),
    /// Entries of the matrix, one per channel, at the position of their row in a vector's texture. The number is that of
    /// texels per position.
    AtRows(usize),
    /// Positions of entries of the vector, as pairs of floats.
    Pointers,
    /// A number or a pair for each row, at the row's position in a vector's texture.
    OfRows,
}

impl MatrixLayout {
    /// The role of the texture with this label.
    pub fn role(&self, label: &str) -> Option<&'static Role> {
        let is_number = |c: char| c.is_ascii_digit() || " _".contains(c);
        let texture = label.trim_end_matches(is_number);
        self.roles.iter().find(|role| role.texture == texture)
    }

    /// The fraction of the positions for entries that have none, among observed textures and vertices.
    pub fn padding(&self, seen: &Observed, entries: usize) -> Option<f64> {
        let of_texture = |texture: &Texture| {
            let per_texel = match self.role(&texture.name).map(|role| role.contents) {
                Some(Contents::Values(count)) => count,
                Some(Contents::AtRows(_)) => texture.format.channels(),
                _ => 0,
            };
            texture.width * texture.height * per_texel as u64
        };
        let places = seen.vertices() + seen.data.iter().map(of_texture).sum::<u64>();
        (places > 0).then(|| 1.0 - entries as f64 / places as f64)
    }
}

impl PartialEq for MatrixLayout {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for MatrixLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl fmt::Debug for MatrixLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = Vec::from_iter(super::ALL.iter().map(|layout| layout.name));
        super::ALL.iter().copied().find(|layout| layout.name == name).ok_or_else(|| {
            format!("{}choose one of {}", suggestion(name, &names), names.join(", "))
        })
    }
}

impl Serialize for MatrixLayout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "cli")]
impl clap::ValueEnum for Layout {
    fn value_variants<'a>() -> &'a [Self] {
        super::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let about = format!("{} ({})", self.about, self.source);
        Some(clap::builder::PossibleValue::new(self.name).help(about))
    }
}

/// Memory of a matrix, computed before it is taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Footprint {
    /// Bytes of all textures and vertices.
    pub bytes: u64,
    /// Width and height of the largest texture.
    largest: [u64; 2],
}

impl Footprint {
    /// The memory of some textures of one size.
    pub fn textures(count: usize, size: [u64; 2], format: Format) -> Self {
        let texels = size[0].saturating_mul(size[1]).saturating_mul(count as u64);
        Self { bytes: texels.saturating_mul(format.bytes() as u64), largest: size }
    }

    /// The memory of some textures laid out like vectors.
    pub fn vectors(count: usize, layout: VectorLayout) -> Self {
        let (width, height) = layout.size();
        Self::textures(count, [width.into(), height.into()], layout.format())
    }

    /// The memory of some vertices.
    pub fn vertices(count: usize) -> Self {
        Self { bytes: count as u64 * VERTEX_BYTES, largest: [0; 2] }
    }

    /// The memory of both.
    pub fn and(self, other: Self) -> Self {
        let longest = |one: Self| one.largest[0].max(one.largest[1]);
        let largest = if longest(other) > longest(self) { other.largest } else { self.largest };
        Self { bytes: self.bytes.saturating_add(other.bytes), largest }
    }

    /// Longest side of a texture.
    pub fn side(&self) -> u64 {
        self.largest[0].max(self.largest[1])
    }

    /// Message about a texture that is larger than this, if there is one.
    pub fn oversize(&self, side: u32) -> Option<String> {
        let [width, height] = self.largest;
        (self.side() > side.into()).then(|| {
            format!(
                "needs a texture of {width}x{height} texels, but this driver allows {side} per side"
            )
        })
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
    /// [`LayoutsError::Unsuited`] for a position in the padding of the vectors; [`LayoutsError::Stream`].
    pub fn new(
        machine: &Machine,
        vectors: VectorLayout,
        places: Option<Vec<u32>>,
        (matrix, words): (Product, String),
        transpose: Option<Product>,
    ) -> Result<Self, LayoutsError> {
        let last = places.iter().flatten().max();
        if let Some(last) = last.filter(|&&last| last as usize >= vectors.length()) {
            return Err(LayoutsError::Unsuited(format!(
                "an entry is at position {last} of {vectors}. Use a longer layout, such as Layout::grid"
            )));
        }
        Ok(Self {
            space: TextureSpace::new(machine, vectors)?.stopping_at(STOP_AT)?,
            matrix,
            transpose,
            words,
            places,
        })
    }

    /// A matrix whose transpose, if requested, is uploaded as a second matrix by the same function.
    pub fn pair<T: Operator<TextureSpace> + 'static>(
        machine: &Machine,
        vectors: VectorLayout,
        places: Option<Vec<u32>>,
        (matrix, transposed): (&Csr<f64>, bool),
        store: impl Fn(&Csr<f64>) -> Result<(T, String), LayoutsError>,
    ) -> Result<Self, LayoutsError> {
        let transpose = transposed.then(|| store(&matrix.transpose())).transpose()?;
        let transpose = transpose.map(|(product, _)| Rc::new(product) as Product);
        let (product, words) = store(matrix)?;
        Self::new(machine, vectors, places, (Rc::new(product), words), transpose)
    }

    /// The position of an entry among the floats of a vector's texture.
    pub fn place(&self, entry: usize) -> usize {
        let places = self.places.as_ref();
        places.map_or(entry, |places| places[entry] as usize)
    }

    /// A vector with these entries.
    pub fn vector(&self, entries: &[f32]) -> Result<Stream, StreamError> {
        let Some(places) = &self.places else {
            return self.space.vector(entries);
        };
        let mut image = vec![0.0; self.space.layout().length()];
        for (&place, &entry) in places.iter().zip(entries) {
            image[place as usize] = entry;
        }
        self.space.vector(&image)
    }

    /// The entries of a vector.
    pub fn read(&self, vector: &Stream) -> Result<Vec<f32>, StreamError> {
        let image = vector.read()?;
        Ok(match &self.places {
            None => image,
            Some(places) => places.iter().map(|&place| image[place as usize]).collect(),
        })
    }

    /// y ← A x
    pub fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.matrix.apply(&self.space, x, y)
    }
}

//! What a matrix takes in a layout, worked out before there is any texture.

use crate::batty2003::pressure::System;
use crate::batty2003::pressure::gpu::Placement;
use crate::bolz2003::sparse::matrix::row_lengths;
use crate::bolz2003::sparse::packing::{Packing, PackingOptions};
use crate::geveler2011::products::EllpackStorage;
use crate::kruger2003::matrices::columns::Tiles;
use crate::kruger2003::matrices::diagonals;
use crate::layouts::race::Memory;
use crate::layouts::textures::{Texture, VERTEX_BYTES, total_bytes};
use crate::solver::Csr;
use crate::stream::{Format, Layout, LayoutError};
use crate::system::quarters::{Quarters, is_unit};
use crate::system::stored::texels_a_row;

use super::boxes;
use super::layout::MatrixLayout;

/// The textures of a matrix in a layout, and whether they can be had.
pub struct Plan {
    /// Textures and their bytes.
    pub memory: Memory,
    /// Why it cannot be run, if it cannot.
    pub refused: Option<String>,
    /// Where rows lie ([`MatrixLayout::Rows`]).
    pub(super) packing: Option<Packing>,
    /// The matrix as a box's ([`MatrixLayout::Slices`] and its kin).
    pub(super) system: Option<System<f64>>,
}

/// What may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Texels along the side of a texture.
    pub side: u32,
    /// Bytes of a matrix.
    pub bytes: u64,
}

impl Plan {
    /// The plan of a matrix without stored zeros.
    ///
    /// # Errors
    /// A matrix without rows, or with more than any layout counts.
    pub fn new(
        matrix: &Csr<f64>,
        layout: MatrixLayout,
        limits: Limits,
    ) -> Result<Self, LayoutError> {
        let plan = match layout {
            MatrixLayout::Rows => Self::rows(matrix),
            MatrixLayout::Diagonals => Self::diagonals(matrix, Format::R32F)?,
            MatrixLayout::DiagonalsRgba => Self::diagonals(matrix, Format::Rgba32F)?,
            MatrixLayout::Quarters => Self::quarters(matrix, limits.side)?,
            MatrixLayout::Columns => Self::columns(matrix)?,
            MatrixLayout::Points => Self::of(Vec::new(), matrix.entries() as u64, matrix),
            MatrixLayout::Ellpack => Self::ellpack(matrix, false)?,
            MatrixLayout::EllpackR => Self::ellpack(matrix, true)?,
            MatrixLayout::Wrapped | MatrixLayout::OneTexture | MatrixLayout::Slices => {
                Self::boxes(matrix, layout, limits.side)
            }
        };
        Ok(plan.within(limits))
    }

    /// So many textures with so many places for the entries of a matrix.
    fn of(textures: Vec<Texture>, places: u64, matrix: &Csr<f64>) -> Self {
        let vertices = match textures.is_empty() {
            true => places * VERTEX_BYTES,
            false => 0,
        };
        let memory = Memory {
            bytes: total_bytes(&textures).saturating_add(vertices),
            padding: Some(1.0 - matrix.entries() as f64 / places.max(1) as f64),
            textures,
        };
        Self {
            memory,
            refused: None,
            packing: None,
            system: None,
        }
    }

    fn refused(why: String) -> Self {
        Self {
            memory: Memory::default(),
            refused: Some(why),
            packing: None,
            system: None,
        }
    }

    /// The same, refused where a texture is too large or all are.
    fn within(mut self, limits: Limits) -> Self {
        let widest = |texture: &&Texture| texture.width.max(texture.height);
        let side = u64::from(limits.side);
        let largest = self.memory.textures.iter().max_by_key(widest);
        if let Some(texture) = largest.filter(|texture| widest(texture) > side) {
            let Texture { width, height, .. } = texture;
            let why = format!("a texture of {width}x{height} texels; this driver's end at {side}");
            self.refused.get_or_insert(why);
        } else if self.memory.bytes > limits.bytes {
            let [bytes, most] = [self.memory.bytes, limits.bytes].map(|bytes| bytes as f64 / 1e9);
            let why = format!("{bytes:.1} GB of textures; {most:.1} GB are allowed");
            self.refused.get_or_insert(why);
        }
        self
    }

    fn rows(matrix: &Csr<f64>) -> Self {
        // Larger textures than any driver's: what it would take is wanted even so.
        let options = PackingOptions {
            texture_limit: u32::MAX,
            ..PackingOptions::default()
        };
        let packing = match row_lengths(matrix).map(|lengths| Packing::new(&lengths, &options)) {
            Ok(Ok(packing)) => packing,
            Ok(Err(error)) => return Self::refused(error.to_string()),
            Err(error) => return Self::refused(error.to_string()),
        };
        let [own, segments] =
            [packing.size, packing.segment_size].map(|(w, h)| [w, h].map(u64::from));
        let textures = vec![
            Texture::planned("off-diagonal", segments, Format::R32F),
            Texture::planned("row pointers", own, Format::Rg32F),
            Texture::planned("column pointers", segments, Format::Rg32F),
            Texture::planned("diagonal", own, Format::R32F),
        ];
        let places = own[0] * own[1] + segments[0] * segments[1];
        Self {
            packing: Some(packing),
            ..Self::of(textures, places, matrix)
        }
    }

    fn diagonals(matrix: &Csr<f64>, format: Format) -> Result<Self, LayoutError> {
        let layout = Layout::square(matrix.rows(), format)?;
        let (width, height) = layout.size();
        let count = diagonals::count(matrix, layout.capacity());
        let size = [width.into(), height.into()];
        let textures = vec![Texture::planned("diagonal", size, format); count];
        let places = count as u64 * layout.capacity() as u64;
        Ok(Self::of(textures, places, matrix))
    }

    fn quarters(matrix: &Csr<f64>, limit: u32) -> Result<Self, LayoutError> {
        let vectors = Quarters::new(matrix.rows(), texels_a_row(limit, matrix.rows()))?;
        let (count, layout) = (vectors.diagonals_of(matrix), vectors.layout());
        let (width, height) = layout.size();
        let size = [width.into(), height.into()];
        let textures = vec![Texture::planned("diagonal", size, layout.format()); count];
        let places = count as u64 * layout.capacity() as u64;
        // Ones on the main diagonal are stored nowhere.
        let stored = match is_unit(matrix) {
            true => matrix.entries() - matrix.rows(),
            false => matrix.entries(),
        };
        let mut plan = Self::of(textures, places, matrix);
        plan.memory.padding = (places > 0).then(|| 1.0 - stored as f64 / places as f64);
        Ok(plan)
    }

    fn columns(matrix: &Csr<f64>) -> Result<Self, LayoutError> {
        let layout = Layout::square(matrix.rows(), Format::R32F)?;
        let (width, height) = Tiles::of(layout).sides();
        let textures = vec![Texture::planned("columns", [width, height], Format::R32F)];
        Ok(Self::of(textures, width.saturating_mul(height), matrix))
    }

    fn ellpack(matrix: &Csr<f64>, ends: bool) -> Result<Self, LayoutError> {
        let longest = (0..matrix.rows()).map(|row| matrix.row_length(row)).max();
        let size = EllpackStorage::texture_size(matrix.rows(), longest.unwrap_or(0))?;
        let mut textures = vec![Texture::planned("matrix", size, Format::Rgba32F)];
        if ends {
            let (width, height) = Layout::square(matrix.rows(), Format::R32F)?.size();
            let size = [width.into(), height.into()];
            textures.push(Texture::planned("row_lengths", size, Format::R32F));
        }
        Ok(Self::of(textures, size[0].saturating_mul(size[1]), matrix))
    }

    fn boxes(matrix: &Csr<f64>, layout: MatrixLayout, limit: u32) -> Self {
        let system = match boxes::system(matrix) {
            Ok(system) => system,
            Err(why) => return Self::refused(why),
        };
        let settings = boxes::settings(layout).unwrap_or_default();
        let placement = match Placement::within(limit, system.size, &settings) {
            Ok(placement) => placement,
            Err(error) => return Self::refused(error.to_string()),
        };
        let (width, height) = placement.layout().size();
        let [width, height] = [width, height].map(u64::from);
        let textures = match layout {
            MatrixLayout::OneTexture => {
                vec![Texture::planned(
                    "mat",
                    [7 * width, height],
                    Format::Rgba32F,
                )]
            }
            _ => vec![Texture::planned("mat", [width, height], Format::Rgba32F); 7],
        };
        Self {
            system: Some(system),
            ..Self::of(textures, 7 * 4 * width * height, matrix)
        }
    }
}

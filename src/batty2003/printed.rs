//! The two listings that the paper prints, as its compiler made them: the product and the sum.

use crate::batty2003::pressure::Settings;
use crate::batty2003::pressure::gpu::matrix::product_source;
use crate::program::Listing;
use crate::program::listing::ListingError;
use crate::stream::{Source, source};

const SUM: Source = source!("stream/reduce");

/// A printed listing, and the program that fragstream has for it.
#[derive(Clone, Copy, Debug)]
pub struct Printed {
    /// Its name in the paper.
    pub name: &'static str,
    text: &'static str,
    /// Fragstream's names of the constants, in the order in which the listing declares them, and of the
    /// textures.
    parameters: &'static [&'static str],
    streams: &'static [&'static str],
}

/// SeptDiagMul and SumReduce.
pub fn all() -> [Printed; 2] {
    [
        Printed {
            name: "septdiagmul",
            text: include_str!("printed/septdiagmul.fp"),
            parameters: &["width", "inv_width", "x_offset", "y_offset", "z_offset"],
            streams: &[
                "mat_0", "mat_1", "mat_2", "mat_3", "mat_4", "mat_5", "mat_6", "x",
            ],
        },
        Printed {
            name: "sumreduce",
            text: include_str!("printed/sumreduce.fp"),
            parameters: &[],
            streams: &["x"],
        },
    ]
}

impl Printed {
    /// The listing with fragstream's names: `f[TEX0]` is the position of the fragment.
    ///
    /// # Errors
    /// None, as long as the files are those that the paper prints.
    pub fn listing(&self) -> Result<Listing, ListingError> {
        let mut listing = Listing::parse(self.text)?;
        for (parameter, name) in listing.parameters.iter_mut().zip(self.parameters) {
            (*name).clone_into(&mut parameter.name);
        }
        listing.streams = self.streams.iter().map(|&name| name.to_owned()).collect();
        for coordinate in &mut listing.coordinates {
            "gl_FragCoord".clone_into(&mut coordinate.name);
        }
        Ok(listing)
    }

    /// Fragstream's program: its final configuration's product, or its sum.
    pub fn own(&self) -> String {
        match self.name {
            "septdiagmul" => product_source(&Settings::paper_2003()).assemble(&[]),
            _ => SUM.assemble(&[("COMBINE(a, b)", "((a) + (b))")]),
        }
    }
}

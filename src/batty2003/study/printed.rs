//! The two listings that the paper prints, as its compiler made them: the product and the sum.

use crate::batty2003::matrix::product_source;
use crate::batty2003::settings::Settings;
use crate::program::Listing;
use crate::program::listing::ListingError;
use crate::stream::{Source, source};

const SUM: Source = source!(stream, "reduce");

/// A printed listing, and the program that fragstream has for it.
#[derive(Clone, Copy, Debug)]
pub struct Printed {
    /// Its name in the paper.
    pub name: &'static str,
    text: &'static str,
    /// Fragstream's names of the constants and their channels, in the order in which the listing declares
    /// them, and names of the textures.
    parameters: &'static [(&'static str, usize)],
    streams: &'static [&'static str],
}

/// SeptDiagMul and SumReduce.
pub fn all() -> [Printed; 2] {
    [
        Printed {
            name: "septdiagmul",
            text: include_str!("printed/septdiagmul.fp"),
            parameters: &[
                ("width", 1),
                ("inv_width", 1),
                ("x_offset", 2),
                ("y_offset", 2),
                ("z_offset", 2),
            ],
            streams: &["mat_0", "mat_1", "mat_2", "mat_3", "mat_4", "mat_5", "mat_6", "x"],
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
    pub fn listing(&self) -> Result<Listing, ListingError> {
        let mut listing = Listing::parse(self.text)?;
        for (parameter, (name, channels)) in listing.parameters.iter_mut().zip(self.parameters) {
            (*name).clone_into(&mut parameter.name);
            parameter.channels = *channels;
        }
        listing.streams = self.streams.iter().map(|&name| name.to_owned()).collect();
        for coordinate in &mut listing.coordinates {
            "gl_FragCoord".clone_into(&mut coordinate.name);
        }
        Ok(listing)
    }

    /// Fragstream's program and its defines: its final configuration's product, or its sum.
    pub fn source(&self) -> (Source, &'static [(&'static str, &'static str)]) {
        match self.name {
            "septdiagmul" => (product_source(&Settings::paper_2003()), &[]),
            _ => (SUM, &[("COMBINE(a, b)", "((a) + (b))")]),
        }
    }

    /// The text of that program.
    pub fn own(&self) -> String {
        let (source, defines) = self.source();
        source.assemble(defines)
    }
}

//! OpenEXR pictures: which layer is read, and its colours.

use std::io::Cursor;

use exr::meta::header::Header;
use exr::prelude::{FlatSamples, MetaData, ReadChannels, ReadLayers, read};
use image::{DynamicImage, Rgb32FImage};

use super::error::Fault;
use super::hdr::{LUMINANCE, SAVE, squared, undecodable};
use super::radiance::{Matrix, applied, to_rec_709};
use super::reading::remark;

/// Last part of the name that Blender gives to its result.
const COMBINED: &str = "Combined";

/// Names of the views of a stereo picture.
const VIEWS: [&str; 2] = ["left", "right"];

/// Remedy for a file with several layers.
const CHOOSE: &str = "choose one by `tonemap --layer NAME`, or save one as R, G and B";

/// Channels of colours or of luminance in a part of a file.
struct Layer {
    /// Its name; empty if it is the only one of a file without names.
    name: String,
    /// Names of its part and of its channels: red, green and blue, or luminance, RY and BY, or luminance alone.
    part: Option<String>,
    channels: [String; 3],
}

impl Layer {
    /// The layers of a file, part by part.
    fn all(meta: &MetaData) -> Vec<Self> {
        let mut layers: Vec<Self> = Vec::new();
        for header in meta.headers.iter().filter(|header| !header.deep) {
            let part = header.own_attributes.layer_name.as_ref().map(ToString::to_string);
            let whole = header
                .channels
                .list
                .iter()
                .filter(|channel| channel.sampling.x() == 1 && channel.sampling.y() == 1);
            let names: Vec<String> = whole.map(|channel| channel.name.to_string()).collect();
            for last in &names {
                let (group, end) = last.rsplit_once('.').unwrap_or(("", last));
                let of = |colour: &str| match group {
                    "" => colour.to_owned(),
                    group => format!("{group}.{colour}"),
                };
                let has = |colour: &str| names.contains(&of(colour));
                let channels = match end {
                    "R" if has("G") && has("B") => ["R", "G", "B"],
                    "Y" if has("RY") && has("BY") => ["Y", "RY", "BY"],
                    "Y" if !(has("R") || has("X")) => ["Y"; 3],
                    _ => continue,
                };
                let name = match part.as_deref().unwrap_or("") {
                    part if group.is_empty() => part.to_owned(),
                    part if part.is_empty()
                        || format!("{group}.").starts_with(&format!("{part}.")) =>
                    {
                        group.to_owned()
                    }
                    part => format!("{part}.{group}"),
                };
                layers.push(Self { name, part: part.clone(), channels: channels.map(of) });
            }
        }
        layers
    }

    /// Tests whether this is its name, or the end of it.
    fn is_called(&self, name: &str) -> bool {
        self.name.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }
}

/// The layer of this name; without a name plain colours, Blender's result, luminance, or the only layer.
fn chosen<'a>(layers: &'a [Layer], name: Option<&str>) -> Result<Option<&'a Layer>, Fault> {
    let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
    let refuse = |what: String| {
        let named =
            names.iter().map(|name| if name.is_empty() { "(without a name)" } else { name });
        let what = format!("{what}its layers are {}", named.collect::<Vec<_>>().join(", "));
        Err(Fault::in_file(what, CHOOSE))
    };
    let called = |name: &str| -> Vec<&'a Layer> {
        let exact = layers.iter().filter(|layer| layer.name == name).collect::<Vec<_>>();
        let by_end = || layers.iter().filter(|layer| layer.is_called(name)).collect();
        if exact.is_empty() { by_end() } else { exact }
    };
    if let Some(name) = name {
        return match called(name)[..] {
            [layer] => Ok(Some(layer)),
            [] if layers.is_empty() => Ok(None),
            [] => refuse(format!("there is no layer {name}: ")),
            _ => refuse(format!("there are several layers {name}: ")),
        };
    }
    let of = |channel| layers.iter().filter(|layer| layer.channels[0] == channel).collect();
    let [plain, grey]: [Vec<&Layer>; 2] = ["R", "Y"].map(of);
    match (&plain[..], &called(COMBINED)[..], &grey[..], layers) {
        // The views of a stereo picture.
        ([view, other], ..)
            if VIEWS == [&*view.name, &*other.name] || VIEWS == [&*other.name, &*view.name] =>
        {
            remark(format!("the view is {}; not used: {}", VIEWS[0], VIEWS[1]));
            Ok(Some(if view.name == VIEWS[0] { view } else { other }))
        }
        ([layer], ..) | (_, [layer], ..) | ([], _, [layer], _) => Ok(Some(layer)),
        (.., [layer]) => Ok(Some(layer)),
        (.., []) => Ok(None),
        _ => refuse(String::new()),
    }
}

/// Conversion of colours with the primaries of a file, and the weights of its red, green and blue in luminance.
fn colours_of(header: &Header) -> (Option<Matrix>, [f64; 3]) {
    let attributes = &header.shared_attributes;
    let primaries = attributes
        .chromaticities
        .map(|all| [all.red, all.green, all.blue, all.white].map(|place| [place.x(), place.y()]));
    let matrix = primaries.and_then(|all| to_rec_709(all.as_flattened()));
    let weight = |matrix: &Matrix, k: usize| (0..3).map(|i| LUMINANCE[i] * matrix[i][k]).sum();
    (matrix, matrix.map_or(LUMINANCE, |matrix| [0, 1, 2].map(|k| weight(&matrix, k))))
}

/// Decodes a layer as colours. `check` takes the size and the bytes of a pixel in the file.
pub(super) fn decoded(
    bytes: &[u8],
    name: Option<&str>,
    check: impl FnOnce([u32; 2], u64) -> Result<(), Fault>,
) -> Result<DynamicImage, Fault> {
    let damaged = |error: exr::error::Error| match error {
        exr::error::Error::NotSupported(what) => {
            Fault::in_file(format!("not supported: {what}"), SAVE)
        }
        error => undecodable(&error),
    };
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(damaged)?;
    let layers = Layer::all(&meta);
    let Some(layer) = chosen(&layers, name)? else {
        let channels = meta.headers.iter().flat_map(|header| &header.channels.list);
        let names: Vec<String> = channels.map(|channel| channel.name.to_string()).collect();
        let what = format!("its channels are {}", names.join(", "));
        return Err(Fault::in_file(
            what,
            "give a picture with R, G and B, with Y, or with layers of colours",
        ));
    };
    let size = meta.headers.first().map_or([0; 2], |header| {
        let size = header.shared_attributes.display_window.size;
        [size.width() as u32, size.height() as u32]
    });
    let channels = meta.headers.iter().flat_map(|header| &header.channels.list);
    check(size, channels.map(|channel| channel.sample_type.bytes_per_sample() as u64).sum())?;
    let (matrix, [red, green, blue]) = meta.headers.first().map_or((None, LUMINANCE), colours_of);
    let has_chroma = layer.channels[1].ends_with("RY");
    if has_chroma {
        remark("its colours are those of Y, RY and BY");
    }
    let is_coloured = layer.channels[0] != layer.channels[1];
    let picture = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .all_layers()
        .all_attributes();
    let picture = picture.from_buffered(Cursor::new(bytes)).map_err(damaged)?;
    let window = picture.attributes.display_window.position;
    let channel = |name: &String| -> Option<(&FlatSamples, [i64; 3])> {
        picture.layer_data.iter().find_map(|part| {
            let own = part.attributes.layer_name.as_ref().map(ToString::to_string);
            let mut all = part.channel_data.list.iter().filter(|_| own == layer.part);
            let found = all.find(|channel| channel.name.to_string() == *name)?;
            let at = part.attributes.layer_position;
            let [left, top] = [at.x() - window.x(), at.y() - window.y()].map(i64::from);
            Some((&found.sample_data, [left, top, part.size.width() as i64]))
        })
    };
    let colours = layer.channels.each_ref().map(channel);
    let [width, height] = size;
    let mut image = Rgb32FImage::new(width, height);
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        for (value, channel) in pixel.0.iter_mut().zip(&colours) {
            let Some((samples, [left, top, columns])) = channel else { continue };
            let [x, y] = [i64::from(x) - left, i64::from(y) - top];
            let at = usize::try_from(y * columns + x).ok();
            if (0..*columns).contains(&x)
                && let Some(at) = at.filter(|&at| at < samples.len())
            {
                *value = samples.value_by_flat_index(at).to_f32();
            }
        }
        if has_chroma {
            // RY and BY are the differences of red and blue from the luminance, divided by it.
            let [luminance, ry, by] = pixel.0.map(f64::from);
            let [r, b] = [ry, by].map(|difference| (difference + 1.0) * luminance);
            pixel.0 = [r, (luminance - red * r - blue * b) / green, b].map(|value| value as f32);
        }
        if let Some(matrix) = matrix.filter(|_| is_coloured) {
            pixel.0 = applied(&matrix, pixel.0);
        }
    }
    let ratio = meta.headers.first().map_or(1.0, |header| header.shared_attributes.pixel_aspect);
    Ok(squared(image.into(), ratio))
}

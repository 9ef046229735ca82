//! OpenEXR pictures without channels R, G and B: luminance, or the only layer with colours.

use std::io::Cursor;

use exr::prelude::{FlatSamples, MetaData, ReadChannels, ReadLayers, read};
use image::{DynamicImage, Rgb32FImage};

use super::error::{FETCH, Fault};
use super::hdr::SAVE;

/// Decodes the luminance Y, or else the channels R, G and B of the only layer that has them, as colours.
///
/// # Errors
/// [`Fault`] with the channels of the file, of a damaged file, or that of `check`.
pub(super) fn decoded(
    bytes: &[u8],
    check: impl FnOnce([u32; 2]) -> Result<(), Fault>,
) -> Result<DynamicImage, Fault> {
    let damaged = |error: exr::error::Error| match error {
        exr::error::Error::NotSupported(what) => {
            Fault::in_file(format!("not supported: {what}"), SAVE)
        }
        error => Fault::in_file(format!("cannot be decoded: {error}"), FETCH),
    };
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(damaged)?;
    let size = meta.headers.first().map_or([0; 2], |header| {
        let size = header.shared_attributes.display_window.size;
        [size.width() as u32, size.height() as u32]
    });
    check(size)?;
    let picture = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .all_layers()
        .all_attributes();
    let picture = picture.from_buffered(Cursor::new(bytes)).map_err(damaged)?;
    let window = picture.attributes.display_window.position;
    let mut found: Vec<(String, &FlatSamples, [i64; 3])> = Vec::new();
    for layer in &picture.layer_data {
        let at = layer.attributes.layer_position;
        let place = [
            i64::from(at.x() - window.x()),
            i64::from(at.y() - window.y()),
            layer.size.width() as i64,
        ];
        for channel in &layer.channel_data.list {
            if channel.sampling.x() == 1 && channel.sampling.y() == 1 {
                found.push((channel.name.to_string(), &channel.sample_data, place));
            }
        }
    }
    let named = |name: &str| found.iter().find(|(own, ..)| own == name);
    let layers: Vec<&str> = found.iter().filter_map(|(name, ..)| name.strip_suffix(".R")).collect();
    let colours = match (named("Y"), &layers[..]) {
        (Some(grey), _) => Some([grey; 3]),
        (None, [layer]) => {
            let of = |colour: &str| named(&format!("{layer}.{colour}"));
            of("R").zip(of("G")).zip(of("B")).map(|((red, green), blue)| [red, green, blue])
        }
        _ => None,
    };
    let Some(colours) = colours else {
        let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
        let what = format!("its channels are {}", names.join(", "));
        return Err(Fault::in_file(
            what,
            "give a picture with R, G and B, with Y, or with one layer of colours",
        ));
    };
    let [width, height] = size;
    let mut image = Rgb32FImage::new(width, height);
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        for (value, (_, samples, [left, top, columns])) in pixel.0.iter_mut().zip(colours) {
            let [x, y] = [i64::from(x) - left, i64::from(y) - top];
            let at = usize::try_from(y * columns + x).ok();
            if (0..*columns).contains(&x)
                && let Some(at) = at.filter(|&at| at < samples.len())
            {
                *value = samples.value_by_flat_index(at).to_f32();
            }
        }
    }
    Ok(image.into())
}

#[cfg(test)]
mod tests {
    use exr::prelude::{
        AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, SmallVec,
        WritableImage,
    };

    use crate::io::hdr::parse_hdr;

    /// A picture of two columns and one row with channels of these names and values.
    fn file(channels: &[(&str, [f32; 2])]) -> Vec<u8> {
        let list = channels
            .iter()
            .map(|(name, values)| AnyChannel::new(*name, FlatSamples::F32(values.to_vec())));
        let channels = AnyChannels::sort(list.collect::<SmallVec<_>>());
        let layer =
            Layer::new((2, 1), LayerAttributes::default(), Encoding::SMALL_LOSSLESS, channels);
        let mut bytes = std::io::Cursor::new(Vec::new());
        Image::from_layer(layer).write().to_buffered(&mut bytes).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn luminance_and_the_only_layer_are_read_and_other_channels_listed() {
        let grey = parse_hdr(&file(&[("Y", [0.25, 2.0]), ("A", [1.0, 1.0])])).unwrap();
        assert_eq!(grey.pixels(), [[0.25; 3], [2.0; 3]]);
        let layer = [
            ("rgba.R", [1.0, 2.0]),
            ("rgba.G", [3.0, 4.0]),
            ("rgba.B", [5.0, 6.0]),
            ("id.X", [0.0; 2]),
        ];
        assert_eq!(parse_hdr(&file(&layer)).unwrap().pixels(), [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]);
        let fault = parse_hdr(&file(&[("U", [0.0; 2]), ("V", [0.0; 2])])).unwrap_err().to_string();
        assert!(
            fault.starts_with("its channels are U, V. Give a picture with R, G and B"),
            "{fault}"
        );
    }
}

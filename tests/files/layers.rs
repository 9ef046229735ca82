//! Layers and parts of OpenEXR pictures: the one that is meant is read, or all are named.

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, ImageAttributes, IntegerBounds, Layer,
    LayerAttributes, SmallVec, Vec2, WritableImage,
};

use exr::meta::attribute::Chromaticities;
use fragstream::io::hdr::{parse_hdr, parse_layer};

/// Names and values of channels.
type Channels<'a> = &'a [(&'a str, [f32; 2])];

/// A picture of two columns and one row in one part without a name.
fn file(channels: Channels<'_>) -> Vec<u8> {
    parts(&[(None, channels)])
}

/// A picture of two columns and one row in parts.
fn parts(parts: &[(Option<&str>, Channels<'_>)]) -> Vec<u8> {
    let layer = |(name, channels): &(Option<&str>, Channels<'_>)| {
        let list = channels
            .iter()
            .map(|(name, values)| AnyChannel::new(*name, FlatSamples::F32(values.to_vec())));
        let channels = AnyChannels::sort(list.collect::<SmallVec<_>>());
        let attributes = name.map_or_else(LayerAttributes::default, LayerAttributes::named);
        Layer::new((2, 1), attributes, Encoding::SMALL_LOSSLESS, channels)
    };
    let layers: SmallVec<[_; 2]> = parts.iter().map(layer).collect();
    let attributes = ImageAttributes::new(IntegerBounds::from_dimensions((2, 1)));
    let mut bytes = std::io::Cursor::new(Vec::new());
    Image::from_layers(attributes, layers).write().to_buffered(&mut bytes).unwrap();
    bytes.into_inner()
}

#[test]
fn of_several_parts_the_one_that_is_meant_is_read_whatever_their_order() {
    let colours = |value: f32| ["R", "G", "B"].map(|name| (name, [value; 2]));
    let first = |parts_of: &[(Option<&str>, Channels<'_>)], layer: Option<&str>| {
        let read = |parts_of: &[_]| {
            parse_layer(&parts(parts_of), layer).map(|picture| picture.pixels()[0][0])
        };
        let backwards: Vec<_> = parts_of.iter().rev().copied().collect();
        let (one, other) = (read(parts_of), read(&backwards));
        assert_eq!(one.is_ok(), other.is_ok());
        if one.is_ok() {
            assert_eq!(one, other);
        }
        one
    };
    let (left, right, depth) = (colours(2.0), colours(3.0), [("Z", [9.0; 2])]);
    let inner = ["d.R", "d.G", "d.B"].map(|name| (name, [4.0; 2]));
    // Colours next to a part without any, and to one whose channels have its name.
    let beauty = [(Some("rgba"), &left[..]), (Some("depth"), &depth[..]), (Some("d"), &inner)];
    assert_eq!(first(&beauty, None), Ok(2.0));
    assert_eq!(first(&beauty, Some("d")), Ok(4.0));
    let blender = [(Some("View.Emit"), &left[..]), (Some("View.Combined"), &right[..])];
    assert_eq!(first(&blender, None), Ok(3.0));
    let eyes = [(Some("left"), &left[..]), (Some("right"), &right[..])];
    assert_eq!(first(&eyes, None), Ok(2.0));
    let others = [(Some("left"), &left[..]), (Some("top"), &right[..])];
    let fault = first(&others, None).unwrap_err().to_string();
    assert!(fault.starts_with("its layers are left, top. Choose one by"), "{fault}");
    assert_eq!((first(&eyes, Some("left")), first(&eyes, Some("right"))), (Ok(2.0), Ok(3.0)));
    let grey = [("Y", [5.0; 2])];
    let greys = [(Some("a"), &grey[..]), (Some("b"), &grey[..])];
    assert!(first(&greys, None).is_err());
    assert_eq!(first(&greys, Some("b")), Ok(5.0));
}

#[test]
fn colours_of_differences_from_luminance_are_those_of_its_definition() {
    // RY = (R - Y) / Y, BY = (B - Y) / Y, and Y = 0.2126 R + 0.7152 G + 0.0722 B, in two units.
    let [r, g, b] = [0.9, 0.5, 0.25];
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let differences = [(r - y) / y, (b - y) / y];
    let [ry, by] = differences.map(|difference| [difference, difference]);
    let picture = parse_hdr(&file(&[("Y", [y, 8.0 * y]), ("RY", ry), ("BY", by)])).unwrap();
    for (pixel, unit) in picture.pixels().iter().zip([1.0, 8.0]) {
        for (found, right) in pixel.iter().zip([r, g, b]) {
            assert!((found - unit * right).abs() < 1e-6 * unit, "{pixel:?}");
        }
    }
}

#[test]
fn primaries_decide_the_luminance_of_colours() {
    // Those of Rec. 709, blue before red and green; and ACEScg (AP1), of which the luminance is published.
    let [red, green, blue] = [[0.64, 0.33], [0.3, 0.6], [0.15, 0.06]];
    let turned = [blue, red, green, [0.3127, 0.329]];
    let aces = [[0.713, 0.293], [0.165, 0.83], [0.128, 0.044], [0.32168, 0.33767]];
    let read = |primaries: [[f32; 2]; 4], colour: [f32; 3]| -> [[f32; 3]; 2] {
        let channels = ["B", "G", "R"].map(|name| {
            let at = ["R", "G", "B"].iter().position(|own| *own == name).unwrap();
            AnyChannel::new(name, FlatSamples::F32(vec![colour[at]]))
        });
        let mut attributes = ImageAttributes::new(IntegerBounds::from_dimensions((1, 1)));
        let [red, green, blue, white] = primaries.map(|[x, y]| Vec2(x, y));
        attributes.chromaticities = Some(Chromaticities { red, green, blue, white });
        let channels = AnyChannels::sort(channels.into_iter().collect());
        let layer =
            Layer::new((1, 1), LayerAttributes::default(), Encoding::UNCOMPRESSED, channels);
        let mut exr = std::io::Cursor::new(Vec::new());
        Image::from_layers(attributes, [layer].to_vec()).write().to_buffered(&mut exr).unwrap();
        let words = primaries.as_flattened().iter().map(f32::to_string).collect::<Vec<_>>();
        let head = format!("#?RADIANCE\nPRIMARIES= {}\n\n-Y 1 +X 1\n", words.join(" "));
        let bytes = colour.map(|channel| (128.0 * channel) as u8);
        let hdr = [head.as_bytes(), &bytes, &[129]].concat();
        [exr.into_inner(), hdr].map(|file| parse_hdr(&file).unwrap().pixels()[0])
    };
    let luminance = |colour| fragstream::io::hdr::luminance(colour);
    for (at, weight) in [0.0722, 0.2126, 0.7152].into_iter().enumerate() {
        let unit = [0, 1, 2].map(|k| if k == at { 1.0 } else { 0.0 });
        for pixel in read(turned, unit) {
            assert!((luminance(pixel) - weight).abs() < 1e-3, "{at}: {pixel:?}");
            let right = [0, 1, 2].map(|k| if k == (at + 2) % 3 { 1.0 } else { 0.0 });
            assert!(pixel.iter().zip(right).all(|(a, b): (&f32, f32)| (a - b).abs() < 2e-3));
        }
    }
    for (at, weight) in [0.272_229, 0.674_082, 0.053_689].into_iter().enumerate() {
        let unit = [0, 1, 2].map(|k| if k == at { 1.0 } else { 0.0 });
        // Colours out of gamut are kept; of a negative luminance there is none here.
        for pixel in read(aces, unit) {
            assert!((luminance(pixel) - weight).abs() < 1e-3, "{at}: {pixel:?}");
        }
    }
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
    assert!(fault.starts_with("its channels are U, V. Give a picture with R, G and B"), "{fault}");
}

#[test]
fn of_several_layers_the_one_that_is_named_is_read_and_blender_s_result_without_a_name() {
    let colours = |names: &[&'static str]| {
        let channels = names.iter().enumerate().flat_map(|(k, name)| {
            ["R", "G", "B"].map(|colour| (format!("{name}.{colour}"), [k as f32 + 1.0; 2]))
        });
        let channels: Vec<(String, [f32; 2])> = channels.collect();
        file(&channels.iter().map(|(name, values)| (name.as_str(), *values)).collect::<Vec<_>>())
    };
    let first =
        |bytes: &[u8], layer: Option<&str>| parse_layer(bytes, layer).map(|p| p.pixels()[0][0]);
    let blender = colours(&["View.DiffDir", "View.Combined", "View.Emit"]);
    assert_eq!(first(&blender, None), Ok(2.0));
    assert_eq!(first(&blender, Some("View.Emit")), Ok(3.0));
    assert_eq!(first(&blender, Some("Emit")), Ok(3.0));
    let fault = first(&blender, Some("Emitt")).unwrap_err().to_string();
    let says = "there is no layer Emitt: its layers are View.";
    assert!(fault.starts_with(says), "{fault}");
    let two = colours(&["albedo", "beauty"]);
    let fault = first(&two, None).unwrap_err().to_string();
    assert!(fault.starts_with("its layers are albedo, beauty. Choose one by"), "{fault}");
    assert_eq!(first(&two, Some("beauty")), Ok(2.0));
    let scenes = colours(&["a.Combined", "b.Combined"]);
    assert!(first(&scenes, None).is_err() && first(&scenes, Some("Combined")).is_err());
    assert_eq!(first(&scenes, Some("b.Combined")), Ok(2.0));
    let plain = [("R", [7.0; 2]), ("G", [7.0; 2]), ("B", [7.0; 2])];
    let layer = [("a.R", [8.0; 2]), ("a.G", [8.0; 2]), ("a.B", [8.0; 2])];
    let both = file(&[plain, layer].concat());
    assert_eq!((first(&both, None), first(&both, Some("a"))), (Ok(7.0), Ok(8.0)));
}

//! Builds the page: compiles the library for WebAssembly, runs wasm-bindgen, and combines the results with the
//! page's own texts and a few pictures in one file.

#![allow(clippy::disallowed_methods)]

use std::error::Error;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::DynamicImage;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use wasm_bindgen_cli_support::Bindgen;

use scripts::{hash, plain, player};

/// The player of the films that the page makes: their pages are under this page's policy, too.
#[path = "../../film/scripts.rs"]
mod scripts;

/// The page, below the root of the project.
const PAGE: &str = "figures/course/live.html";

/// Pictures for browsers that cannot run the solvers: title, file, and the part that is shown, as fractions of
/// its height.
const PICTURES: [(&str, &str, [f64; 2]); 4] = [
    ("Dye in a fluid", "kruger2003/fig8.png", [0.0, 1.0]),
    ("Waves in a basin", "kruger2003/view-water.png", [0.0, 1.0]),
    ("A jet", "bolz2003/fig5.png", [0.4, 0.59]),
    ("A V-cycle", "course/vcycle.png", [0.0, 1.0]),
];

/// Width of a picture in pixels, and quality of its JPEG.
const COLUMNS: u32 = 320;
const QUALITY: u8 = 72;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let target = root.join("target");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(&root)
        .args(["rustc", "--locked", "--lib", "--crate-type", "cdylib"])
        .args(["--profile", "web", "--no-default-features"])
        .args(["--target", "wasm32-unknown-unknown", "--target-dir"])
        .arg(&target)
        .status()?;
    if !status.success() {
        return Err(
            "cargo failed. If it lacks the target: rustup target add wasm32-unknown-unknown".into(),
        );
    }
    let glued = target.join("live");
    Bindgen::new()
        .input_path(target.join("wasm32-unknown-unknown/web/fragstream.wasm"))
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&glued)?;
    let wasm = fs::read(glued.join("fragstream_bg.wasm"))?;
    let mut packed = Vec::new();
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Gzip, &wasm[..], &mut packed)?;

    let texts = root.join("src/live/page");
    let mut page = fs::read_to_string(texts.join("live.html"))?;
    let read = |path: &Path| fs::read_to_string(path).map(|text| text.trim_end().to_owned());
    let common = read(&texts.join("../../film/player/common.js"))?;
    let script = read(&texts.join("live.js"))?;
    let glue = plain(&read(&glued.join("fragstream.js"))?);
    let hashes = [&glue, &format!("{common}\n{script}"), &player()].map(|script| hash(script));
    let parts = [
        ("{{style}}", fs::read_to_string(texts.join("live.css"))?),
        ("{{pictures}}", pictures(&root.join("figures"))?),
        ("{{hashes}}", hashes.join(" ")),
        ("{{common}}", common),
        ("{{script}}", script),
        ("{{glue}}", glue),
        ("{{wasm}}", letters(&packed)),
    ];
    for (mark, part) in parts {
        page = page.replace(mark, part.trim_end());
    }
    fs::write(root.join(PAGE), &page)?;
    let sizes = [wasm.len(), packed.len(), page.len()].map(|bytes| bytes / 1000);
    println!(
        "{PAGE}: {} kB; WebAssembly {} kB, compressed {} kB",
        sizes[2], sizes[0], sizes[1]
    );
    Ok(())
}

/// Bytes as text: 13 bits in two letters of 91, all printable ones of ASCII but `.`, `<` and `>`; at most 6 bits that are
/// left at the end in one letter. A page unpacks it (`unpackLibrary`).
fn letters(bytes: &[u8]) -> String {
    let all: Vec<char> = ('!'..='~').filter(|letter| !".<>".contains(*letter)).collect();
    let (mut text, mut held, mut bits) = (String::with_capacity(bytes.len() * 16 / 13 + 2), 0, 0);
    for &byte in bytes {
        held |= usize::from(byte) << bits;
        bits += 8;
        if bits >= 13 {
            let pair = held & 0x1fff;
            text.extend([all[pair / all.len()], all[pair % all.len()]]);
            held >>= 13;
            bits -= 13;
        }
    }
    match bits {
        0 => {}
        1..=6 => text.push(all[held]),
        _ => text.extend([all[held / all.len()], all[held % all.len()]]),
    }
    text
}

fn pictures(figures: &Path) -> Result<String, Box<dyn Error>> {
    let mut all = String::new();
    for (title, file, [from, to]) in PICTURES {
        let picture = image::open(figures.join(file))?;
        let row = |share: f64| (share * f64::from(picture.height())) as u32;
        let part = picture.crop_imm(0, row(from), picture.width(), row(to) - row(from));
        let small = part
            .resize(COLUMNS, u32::MAX, FilterType::CatmullRom)
            .to_rgb8();
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::from(small)
            .write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY))?;
        let letters = STANDARD.encode(bytes.into_inner());
        all += &format!(
            "<figure><img alt=\"{title}\" src=\"data:image/jpeg;base64,{letters}\"><figcaption>{title}</figcaption></figure>\n"
        );
    }
    Ok(all)
}

//! Pictures that simulations write: one, a folder of frames, or an animation.

use std::cell::RefCell;
use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, DynamicImage, Frame, ImageFormat, RgbImage};

use fragstream::io::write_atomically;

use super::failure::Failure;
use super::paths::check_folder_of;

/// How long a frame of an animation stands.
const FRAME: Duration = Duration::from_millis(40);

/// Where pictures go.
#[derive(Args)]
pub struct Destination {
    /// Write the last state as a PNG file
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Write frame-0000.png, … into this folder; files of these names are replaced
    #[arg(long, value_name = "DIR", conflicts_with = "gif")]
    frames: Option<PathBuf>,

    /// Write an animated GIF
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,

    /// A frame every so many steps
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

/// How large pictures are that need not fit their grid's nodes.
#[derive(Args)]
pub struct Width {
    /// Pixels of a row of a picture
    #[arg(long, value_name = "N", default_value_t = 640,
          value_parser = clap::value_parser!(u32).range(16..=4096))]
    pub width: u32,
}

impl Destination {
    /// That everything can be written: better known before the work than after it.
    pub fn check(&self) -> Result<(), Failure> {
        if let Some(folder) = &self.frames {
            if !folder.is_dir() {
                return Err(Failure::in_file(folder, "is no folder; make it first"));
            }
            check_writable(folder)?;
        }
        self.gif
            .iter()
            .chain(&self.png)
            .try_for_each(|file| check_file(file))
    }

    /// The film, if pictures are wanted.
    pub fn film(&self) -> Result<Option<Film<'_>>, Failure> {
        let reel = match (&self.gif, &self.frames, &self.png) {
            (Some(file), _, _) => Some(Reel::gif(file)?),
            (None, Some(folder), _) => Some(Reel::Folder(folder.clone())),
            (None, None, Some(_)) => None,
            (None, None, None) => return Ok(None),
        };
        Ok(Some(Film {
            destination: self,
            reel,
            frames: 0,
        }))
    }
}

/// That this file can be written.
pub fn check_file(file: &Path) -> Result<(), Failure> {
    check_folder_of(file)?;
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => check_writable(folder),
        _ => check_writable(Path::new(".")),
    }
}

/// That a file can be made in this folder; it is removed again.
fn check_writable(folder: &Path) -> Result<(), Failure> {
    let probe = folder.join(format!(".fragstream-{}.part", std::process::id()));
    let made = OpenOptions::new().write(true).create_new(true).open(&probe);
    made.and_then(|_| fs::remove_file(&probe)).map_err(|error| {
        let what = format!("cannot write there: {error}; choose another folder");
        Failure::in_file(folder, what)
    })
}

/// Pictures in the making.
pub struct Film<'a> {
    destination: &'a Destination,
    reel: Option<Reel>,
    frames: u32,
}

impl Film<'_> {
    /// Takes the picture of a step if there is one to take.
    pub fn take<E>(
        &mut self,
        step: u32,
        last: bool,
        picture: impl FnOnce() -> Result<RgbImage, E>,
    ) -> Result<(), Failure>
    where
        Failure: From<E>,
    {
        let png = self.destination.png.as_ref().filter(|_| last);
        let due = step.is_multiple_of(self.destination.every);
        let reel = self.reel.as_mut().filter(|_| due);
        if png.is_none() && reel.is_none() {
            return Ok(());
        }
        let picture = picture()?;
        if let Some(file) = png {
            write_png(file, &picture)?;
        }
        if let Some(reel) = reel {
            reel.add(self.frames, picture)?;
            self.frames += 1;
        }
        Ok(())
    }

    /// Writes what is not written yet, and says what is there.
    pub fn finish(self, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(file) = &self.destination.png {
            writeln!(out, "{}: the last state", file.display())?;
        }
        if let Some(reel) = self.reel {
            writeln!(out, "{}: {} frames", reel.finish()?.display(), self.frames)?;
        }
        Ok(())
    }
}

/// Where frames go.
enum Reel {
    /// A file each.
    Folder(PathBuf),
    /// One file, encoded as the frames come, and written when all are there.
    Gif {
        file: PathBuf,
        bytes: Shared,
        encoder: GifEncoder<Shared>,
    },
}

impl Reel {
    fn gif(file: &Path) -> Result<Self, Failure> {
        let bytes = Shared::default();
        // Speed 10 of 30: colours are chosen from every tenth pixel.
        let mut encoder = GifEncoder::new_with_speed(bytes.clone(), 10);
        let unencoded = |error| Failure::in_file(file, error);
        encoder.set_repeat(Repeat::Infinite).map_err(unencoded)?;
        Ok(Reel::Gif {
            file: file.to_path_buf(),
            bytes,
            encoder,
        })
    }

    fn add(&mut self, number: u32, picture: RgbImage) -> Result<(), Failure> {
        match self {
            Reel::Folder(folder) => {
                write_png(&folder.join(format!("frame-{number:04}.png")), &picture)
            }
            Reel::Gif { file, encoder, .. } => {
                let delay = Delay::from_saturating_duration(FRAME);
                let picture = DynamicImage::from(picture).into_rgba8();
                let encoded = encoder.encode_frame(Frame::from_parts(picture, 0, 0, delay));
                encoded.map_err(|error| Failure::in_file(file, error))
            }
        }
    }

    /// Writes what is not written yet; the path.
    fn finish(self) -> Result<PathBuf, Failure> {
        match self {
            Reel::Folder(folder) => Ok(folder),
            Reel::Gif {
                file,
                bytes,
                encoder,
            } => {
                // The encoder writes the animation's end when it is dropped.
                drop(encoder);
                write_atomically(&file, |out| out.write_all(&bytes.0.borrow()))
                    .map_err(Failure::input)?;
                Ok(file)
            }
        }
    }
}

/// Writes a picture as a PNG file.
pub fn write_png(file: &Path, picture: &RgbImage) -> Result<(), Failure> {
    let mut png = Cursor::new(Vec::new());
    let encoded = picture.write_to(&mut png, ImageFormat::Png);
    encoded.map_err(|error| Failure::in_file(file, error))?;
    write_atomically(file, |out| out.write_all(png.get_ref())).map_err(Failure::input)
}

/// Bytes that can be read after the encoder which writes them is gone.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

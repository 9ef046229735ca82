//! `fragstream fluid`: Stam's fluid, with pictures (bolz2003, section 4.1).

use std::cell::RefCell;
use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, DynamicImage, Frame, ImageFormat, RgbImage};

use fragstream::bolz2003::fluid::initial::shear_layer;
use fragstream::bolz2003::fluid::{
    Divergence, Domain, Dye, Fluid, FluidError, Inlet, Painter, Particles, Settings, Shown, Walls,
};
use fragstream::io::write_atomically;
use fragstream::solver::Cycle;

use super::arguments::{not_negative, positive};
use super::failure::{Failure, Status};
use super::paths::check_folder_of;
use super::session::{Session, progress_bar};

/// Lines of the table.
const LINES: u32 = 10;

/// How long a frame of the animation stands.
const FRAME: Duration = Duration::from_millis(40);

/// Simulate a fluid by Stam's method, with a multigrid solver (bolz2003, section 4.1).
///
/// Lengths are in grid spaces, speeds in grid spaces a unit of time. Fluid at rest fills a box; a jet
/// comes in through an opening in the middle of the left side, and the right side is open. With
/// `--inlet off` the box is closed and two streams flow against each other.
///
/// Along walls the fluid slips; with a viscosity it sticks to them.
///
/// The table has a line for a tenth of the steps each: the divergence (root mean square, a unit of
/// time) by central differences before and after the projection, and that of the velocities between
/// nodes, which is the residual of the pressure's equation.
#[derive(Args)]
pub struct Arguments {
    /// Nodes of a row and of a column: powers of two times a small number, and one
    #[arg(long, value_name = "WxH", default_value_t = Size { columns: 513, rows: 129 })]
    size: Size,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    steps: u32,

    /// The time of a step
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = positive,
          allow_negative_numbers = true)]
    dt: f64,

    /// The viscosity, in squared grid spaces a unit of time; the interpolation has some of its own
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = not_negative,
          allow_negative_numbers = true)]
    viscosity: f64,

    /// V-cycles of each solve
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    cycles: u32,

    /// Smoothing sweeps of a cycle before the coarser grid
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        allow_negative_numbers = true
    )]
    pre: u32,

    /// Smoothing sweeps afterwards
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        allow_negative_numbers = true
    )]
    post: u32,

    /// The speed of the jet, or `off`
    #[arg(long, value_name = "SPEED", default_value = "2", value_parser = jet,
          allow_negative_numbers = true)]
    inlet: Jet,

    /// Write frame-0000.png, … into this folder; files of these names are replaced
    #[arg(long, value_name = "DIR", conflicts_with = "gif")]
    frames: Option<PathBuf>,

    /// Write an animated GIF
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,

    /// A frame every so many steps
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    every: u32,

    /// Particles that are drawn over the picture
    #[arg(long, value_name = "N", default_value_t = 60_000,
          value_parser = clap::value_parser!(u32).range(..=10_000_000), allow_negative_numbers = true)]
    particles: u32,

    /// What is shown in colours
    #[arg(long, value_enum, default_value_t = Show::Speed)]
    show: Show,

    /// Pixels of a frame for each grid space
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=16), allow_negative_numbers = true)]
    zoom: u32,
}

/// What is shown in colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    /// How fast the fluid is
    Speed,
    /// How it turns: blue clockwise, amber counter-clockwise
    Vorticity,
    /// Two dyes, one for each half of the jet
    Dye,
    /// The pressure
    Pressure,
}

impl From<Show> for Shown {
    fn from(show: Show) -> Self {
        match show {
            Show::Speed => Shown::Speed,
            Show::Vorticity => Shown::Vorticity,
            Show::Dye => Shown::Dye,
            Show::Pressure => Shown::Pressure,
        }
    }
}

/// Nodes of a row and of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    columns: usize,
    rows: usize,
}

impl std::fmt::Display for Size {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', '×']).and_then(|(columns, rows)| {
            // Larger than any texture is as bad as no number.
            let side = |text: &str| text.parse().ok().filter(|&side: &usize| side <= 1 << 20);
            let (columns, rows) = (side(columns)?, side(rows)?);
            Some(Size { columns, rows })
        });
        sides.ok_or_else(|| "give columns and rows of nodes, as in 513x129".to_owned())
    }
}

/// The speed of the jet, if there is one.
type Jet = Option<f64>;

fn jet(text: &str) -> Result<Jet, String> {
    match text {
        "off" => Ok(None),
        speed => positive(speed)
            .map(Some)
            .map_err(|_| "give a speed above 0, or off".to_owned()),
    }
}

impl From<FluidError> for Failure {
    fn from(error: FluidError) -> Self {
        match error {
            FluidError::Stream(error) => error.into(),
            FluidError::NotFinite { .. } => Failure::new(Status::Unconverged, error),
            FluidError::Grid(_) | FluidError::Setting { .. } => Failure::new(Status::Input, error),
        }
    }
}

/// Checks, simulates, and writes frames.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.settings();
    settings.check()?;
    arguments.check_destination()?;
    let machine = session.machine()?;
    let domain = Domain::new(&machine, settings)?;
    let mut fluid = Fluid::at_rest(&domain)?;
    if settings.inlet.is_none() {
        fluid.set_velocity(&shear_layer(domain.grid(), 1.0))?;
        fluid.project()?;
    }
    let mut film = match arguments.wants_frames() {
        true => Some(Film::new(&domain, arguments)?),
        false => None,
    };

    let bar = progress_bar(arguments.steps.into());
    let mut clock = Duration::ZERO;
    writeln!(session.out, "{}", heading())?;
    for step in 1..=arguments.steps {
        let start = Instant::now();
        let has_line = step % arguments.steps.div_ceil(LINES) == 0 || step == arguments.steps;
        let mut divergence = None;
        if has_line || !bar.is_hidden() {
            divergence = Some(fluid.measured_step()?);
        } else {
            fluid.step()?;
        }
        if let Some(film) = &mut film {
            film.carry(&fluid)?;
        }
        machine.finish();
        clock += start.elapsed();
        if let Some(film) = film.as_mut().filter(|_| step % arguments.every == 0) {
            film.take(&fluid)?;
        }
        if let Some(divergence) = divergence {
            bar.set_message(format!(
                "divergence {:.1e} to {:.1e}",
                divergence.before, divergence.after
            ));
            if has_line {
                let line = line(step, &divergence);
                bar.suspend(|| writeln!(session.out, "{line}"))?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let written = film.map(Film::finish).transpose()?;
    let (steps, seconds) = (arguments.steps, clock.as_secs_f64());
    let rate = f64::from(steps) / seconds;
    writeln!(
        session.out,
        "{}: {steps} steps in {seconds:.2} s, {rate:.1} steps/s",
        arguments.size
    )?;
    if let Some(written) = written {
        writeln!(session.out, "{written}")?;
    }
    Ok(())
}

impl Arguments {
    fn settings(&self) -> Settings {
        let Size { columns, rows } = self.size;
        Settings {
            dt: self.dt,
            viscosity: self.viscosity,
            walls: match self.viscosity {
                0.0 => Walls::Slip,
                _ => Walls::Stick,
            },
            inlet: self.inlet.map(|speed| Inlet::in_the_middle_of(rows, speed)),
            cycles: self.cycles as usize,
            cycle: Cycle::v(self.pre as usize, self.post as usize),
            ..Settings::new(columns, rows)
        }
    }

    fn wants_frames(&self) -> bool {
        self.frames.is_some() || self.gif.is_some()
    }

    /// That frames can be written: better known before the work than after it.
    fn check_destination(&self) -> Result<(), Failure> {
        if let Some(folder) = &self.frames {
            if !folder.is_dir() {
                return Err(Failure::in_file(folder, "is no folder; make it first"));
            }
            check_writable(folder)?;
        }
        if let Some(file) = &self.gif {
            check_folder_of(file)?;
            match file.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => check_writable(folder)?,
                _ => check_writable(Path::new("."))?,
            }
        }
        Ok(())
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

fn heading() -> String {
    let [before, after, residual] = ["before", "after", "residual"];
    format!(" step  divergence {before:>9}  {after:>9}  {residual:>9}")
}

fn line(step: u32, divergence: &Divergence) -> String {
    let Divergence {
        before,
        after,
        residual,
    } = divergence;
    format!("{step:5}  {before:20.3e}  {after:9.3e}  {residual:9.3e}")
}

/// Frames, and what they need beside the fluid.
struct Film<'a> {
    painter: Painter<'a>,
    shown: Shown,
    dye: Option<Dye<'a>>,
    particles: Option<Particles<'a>>,
    frames: u32,
    reel: Reel,
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

impl<'a> Film<'a> {
    fn new(domain: &'a Domain, arguments: &Arguments) -> Result<Self, Failure> {
        let shown = Shown::from(arguments.show);
        let number = arguments.particles as usize;
        let reel = match (&arguments.gif, &arguments.frames) {
            (Some(file), _) => Reel::gif(file)?,
            (None, folder) => Reel::Folder(folder.clone().unwrap_or_default()),
        };
        Ok(Self {
            painter: Painter::new(domain, arguments.zoom, arguments.inlet.unwrap_or(1.0))?,
            shown,
            dye: match shown {
                Shown::Dye => Some(Dye::new(domain)?),
                _ => None,
            },
            particles: match number {
                0 => None,
                _ => Some(Particles::new(domain, number)?),
            },
            frames: 0,
            reel,
        })
    }

    /// Carries on what the fluid carries.
    fn carry(&mut self, fluid: &Fluid<'_>) -> Result<(), FluidError> {
        if let Some(dye) = &mut self.dye {
            dye.step(fluid)?;
        }
        if let Some(particles) = &mut self.particles {
            particles.step(fluid)?;
        }
        Ok(())
    }

    fn take(&mut self, fluid: &Fluid<'_>) -> Result<(), Failure> {
        let (dye, particles) = (self.dye.as_ref(), self.particles.as_ref());
        let picture = self.painter.paint(fluid, self.shown, dye, particles)?;
        self.reel.add(self.frames, picture)?;
        self.frames += 1;
        Ok(())
    }

    /// Writes what is not written yet, and says what is there.
    fn finish(self) -> Result<String, Failure> {
        let place = self.reel.finish()?;
        Ok(format!("{}: {} frames", place.display(), self.frames))
    }
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
                let file = folder.join(format!("frame-{number:04}.png"));
                let mut png = Cursor::new(Vec::new());
                let encoded = picture.write_to(&mut png, ImageFormat::Png);
                encoded.map_err(|error| Failure::in_file(&file, error))?;
                write_atomically(&file, |out| out.write_all(png.get_ref()))
                    .map_err(Failure::input)?;
            }
            Reel::Gif { file, encoder, .. } => {
                let delay = Delay::from_saturating_duration(FRAME);
                let picture = DynamicImage::from(picture).into_rgba8();
                let encoded = encoder.encode_frame(Frame::from_parts(picture, 0, 0, delay));
                encoded.map_err(|error| Failure::in_file(file, error))?;
            }
        }
        Ok(())
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

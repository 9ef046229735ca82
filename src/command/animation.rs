//! Films of simulations: the loop that steps one, prints its table and takes its pictures: one, a
//! folder of frames, or an animation.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use image::RgbImage;

use crate::io::write_atomically;
use crate::memory;
use crate::picture::{Canvas, Gif, png};
use crate::simulation::Simulation;

use super::failure::Failure;
use super::files::{check_file, check_folder};
use super::session::{Output, Session, progress_bar};

/// Rows of a table.
const ROWS: u32 = 10;

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
            check_folder(folder)?;
        }
        self.gif
            .iter()
            .chain(&self.png)
            .try_for_each(|file| check_file(file))
    }

    /// After how many steps there is a frame.
    pub fn every(&self) -> u32 {
        self.every
    }

    /// Whether pictures are wanted.
    pub fn is_wanted(&self) -> bool {
        self.gif.is_some() || self.frames.is_some() || self.png.is_some()
    }

    /// Steps a simulation so often, with its table, a progress bar and a closing line; its pictures are
    /// drawn on the canvas.
    pub fn film<S: Simulation>(
        &self,
        simulation: &mut S,
        steps: u32,
        canvas: &Canvas,
        session: &mut Session,
    ) -> Result<Film<'_>, Failure>
    where
        Failure: From<S::Error>,
    {
        if self.gif.is_some() {
            // The file grows in memory: a byte per pixel at most, and as much again when it is moved.
            let (width, height) = canvas.size();
            let pixels = u64::from(width) * u64::from(height);
            let frames = u64::from(steps / self.every);
            memory::check(
                format_args!("--gif: {frames} frames"),
                frames,
                2 * pixels,
                1,
            )?;
        }
        let mut film = Film::new(self)?;
        let bar = progress_bar(steps.into());
        let (mut stepping, mut drawing) = (Duration::ZERO, Duration::ZERO);
        let between = steps.div_ceil(ROWS);
        let mut due = between;
        if let Some(heading) = simulation.heading() {
            writeln!(session.out, "{heading}")?;
        }
        if let Some(row) = simulation.row()? {
            writeln!(session.out, "{row}")?;
        }
        let filmed = session.filmed();
        for step in 1..=steps {
            let start = Instant::now();
            let has_row = step >= due || step == steps;
            simulation.step(has_row || !bar.is_hidden())?;
            simulation.machine().finish();
            stepping += start.elapsed();
            if has_row && let Some(row) = simulation.row()? {
                bar.suspend(|| writeln!(session.out, "{row}"))?;
                due = (step / between + 1) * between;
            }
            let start = Instant::now();
            film.take(step, step == steps, || {
                simulation.draw(canvas)?;
                Ok(canvas.image()?)
            })?;
            drawing += start.elapsed();
            if step == 1 {
                let passes = (session.filmed() - filmed) * steps as usize;
                bar.suspend(|| session.expect_passes(passes));
            }
            bar.set_message(simulation.progress());
            bar.inc(1);
        }
        bar.finish_and_clear();
        let (grid, remark) = (simulation.grid(), simulation.remark());
        let seconds = stepping.as_secs_f64();
        let rate = f64::from(steps) / seconds;
        let pictures = match self.is_wanted() {
            true => format!(", and {:.2} s for pictures", drawing.as_secs_f64()),
            false => String::new(),
        };
        writeln!(
            session.out,
            "{grid}: {steps} steps in {seconds:.2} s, {rate:.1} steps/s{pictures}{remark}"
        )?;
        Ok(film)
    }
}

/// Pictures in the making.
pub struct Film<'a> {
    destination: &'a Destination,
    gif: Option<(&'a Path, Gif)>,
    frames: u32,
}

impl<'a> Film<'a> {
    fn new(destination: &'a Destination) -> Result<Self, Failure> {
        let gif = match &destination.gif {
            None => None,
            Some(file) => {
                let gif = Gif::new().map_err(|error| Failure::in_file(file, error))?;
                Some((file.as_path(), gif))
            }
        };
        Ok(Self {
            destination,
            gif,
            frames: 0,
        })
    }

    /// Takes the picture of a step if there is one to take.
    fn take(
        &mut self,
        step: u32,
        last: bool,
        picture: impl FnOnce() -> Result<RgbImage, Failure>,
    ) -> Result<(), Failure> {
        let Destination { png, frames, .. } = self.destination;
        // A run of fewer steps has one frame all the same: a GIF without any is no file of its kind.
        let due = step.is_multiple_of(self.destination.every) || (last && self.frames == 0);
        let png = png.as_ref().filter(|_| last);
        let frames = frames.as_ref().filter(|_| due);
        let gif = self.gif.as_mut().filter(|_| due);
        if png.is_none() && frames.is_none() && gif.is_none() {
            return Ok(());
        }
        let picture = picture()?;
        if let Some(file) = png {
            write_png(file, &picture)?;
        }
        if let Some(folder) = frames {
            let name = format!("frame-{:04}.png", self.frames);
            write_png(&folder.join(name), &picture)?;
        }
        if let Some((file, gif)) = gif {
            gif.add(picture)
                .map_err(|error| Failure::in_file(file, error))?;
        }
        self.frames += u32::from(due);
        Ok(())
    }

    /// Writes what is not written yet, and says what is there.
    pub fn finish(self, out: &mut impl Write) -> Result<(), Failure> {
        let Destination { png, frames, .. } = self.destination;
        if let Some(file) = png {
            writeln!(out, "{}: the last state", file.display())?;
        }
        if let Some((file, gif)) = self.gif {
            let bytes = gif.finish();
            write_atomically(file, |out| out.write_all(&bytes))?;
        }
        if let Some(path) = frames.as_ref().or(self.destination.gif.as_ref()) {
            let plural = if self.frames == 1 { "" } else { "s" };
            writeln!(out, "{}: {} frame{plural}", path.display(), self.frames)?;
        }
        Ok(())
    }
}

/// Writes what a simulation has recorded as a CSV file, and says how much it is.
pub fn write_history(
    file: &Path,
    simulation: &impl Simulation,
    out: &mut Output,
) -> Result<(), Failure> {
    let lines = simulation.history();
    write_atomically(file, |out| {
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))
    })?;
    let records = lines.len().saturating_sub(1);
    Ok(writeln!(out, "{}: {records} lines", file.display())?)
}

/// Writes a picture as a PNG file.
pub fn write_png(file: &Path, picture: &RgbImage) -> Result<(), Failure> {
    let bytes = png(picture).map_err(|error| Failure::in_file(file, error))?;
    Ok(write_atomically(file, |out| out.write_all(&bytes))?)
}

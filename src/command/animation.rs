//! Scenes as a table, pictures and animations.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use clap::Args;
use image::RgbImage;
use serde_json::{Map, Value, json};

use crate::arguments::count;
use crate::base::error::counted;
use crate::base::memory;
use crate::io::{write_atomically, write_mesh};
use crate::picture::{Canvas, Gif, png as encoded};
use crate::scene::{Effort, Fields, Ready, Scene};
use crate::stream::Machine;

use super::failure::Failure;
use super::interrupt;
use super::output::{Folder, Target, UNLIMITED, file};
use super::printer::row;
use super::session::{Progress, Session};

/// Rows of a table.
const ROWS: u32 = 10;

/// Options for pictures of a scene.
#[derive(Args)]
#[command(next_help_heading = "Pictures")]
pub struct Destination {
    /// Draw the last state
    #[arg(long, value_name = "FILE.png", value_parser = file("png"))]
    png: Option<Target>,

    /// Write an animation
    #[arg(long, value_name = "FILE.gif", value_parser = file("gif"))]
    gif: Option<Target>,

    /// Write frame-0000.png, … into this folder; files of these names are replaced
    #[arg(long, value_name = "DIR", conflicts_with = "gif")]
    frames: Option<Folder>,

    /// Write a table of every step: its iterations and residual, or the scene's own numbers
    #[arg(long, alias = "history", value_name = "FILE.csv", value_parser = file("csv"))]
    csv: Option<Target>,

    /// Number of steps per frame
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = count(1..=u32::MAX))]
    every: u32,
}

impl Destination {
    /// The picture of the last state, if it is wanted.
    pub fn png(&self) -> Option<&Target> {
        self.png.as_ref()
    }

    /// Tests whether pictures are wanted.
    pub fn is_wanted(&self) -> bool {
        self.gif.is_some() || self.frames.is_some() || self.png.is_some()
    }

    /// Runs a scene, draws it on the canvas, and prints its table and its result. Surfaces go into a folder. The
    /// frames and the history of a run that could not continue are still written. An interrupt makes the next step the
    /// last one.
    pub fn film(
        &self,
        scene: &mut dyn Scene,
        ready: &Ready,
        surfaces: Option<&Folder>,
        (machine, canvas): (&Machine, &Canvas),
        session: &mut Session,
    ) -> Result<(), Failure> {
        let mut efforts = Vec::new();
        let mut film = Film::new(self)?;
        let run =
            self.run(scene, ready, surfaces, (machine, canvas), (&mut film, &mut efforts), session);
        let filmed = if film.frames > 0 { film.finish() } else { Ok(()) };
        if let Some(file) = &self.csv {
            let mut lines = scene.history();
            if lines.is_empty() {
                lines = efforts;
                lines.insert(0, "step,iterations,residual".to_owned());
            }
            file.lines(&lines[0], &lines[1..])?;
        }
        run.and(filmed)
    }

    fn run(
        &self,
        scene: &mut dyn Scene,
        ready: &Ready,
        surfaces: Option<&Folder>,
        (machine, canvas): (&Machine, &Canvas),
        (film, efforts): (&mut Film<'_>, &mut Vec<String>),
        session: &mut Session,
    ) -> Result<(), Failure> {
        let (steps, view) = (ready.steps, ready.view);
        surfaces.map_or(Ok(()), Folder::make)?;
        if self.gif.is_some() {
            // The file grows in memory: at most one byte per pixel, and twice that while the buffer is moved.
            let (width, height) = canvas.size();
            let pixels = u64::from(width) * u64::from(height);
            let frames = u64::from(steps / self.every);
            memory::check(format_args!("--gif: {frames} frames"), frames, 2 * pixels, 1)?;
        }
        interrupt::before_end(|| ControlFlow::Continue(()));
        let progress = Progress::of_steps(steps.into());
        let (mut stepping, mut drawing) = (Duration::ZERO, Duration::ZERO);
        let between = steps.div_ceil(ROWS);
        let mut due = between;
        let mut rows = Vec::new();
        let mut record = |fields: Option<Fields>, session: &mut Session| {
            let Some(fields) = fields else {
                return Ok(false);
            };
            let fields = fields.into_iter().map(|(name, n)| (name.to_owned(), value(n)));
            let fields: Map<String, Value> = fields.collect();
            if !session.json {
                progress.suspend(|| {
                    session.print_headline()?;
                    let row = row(&fields, rows.is_empty(), session.out.columns(UNLIMITED));
                    session.out.write_all(row.as_bytes())
                })?;
            }
            rows.push(Value::Object(fields));
            Ok::<_, Failure>(true)
        };
        record(scene.row()?, session)?;
        let filmed = session.filmed();
        let mut last = steps;
        for step in 1..=steps {
            let start = Instant::now();
            let interrupted = interrupt::arrived().filter(|_| step < steps);
            if let Some(status) = interrupted {
                last = step;
                session.interrupt(status, format_args!("step {step} of {steps}"));
            }
            let has_row = step >= due || step == last;
            scene.step(has_row || progress.is_shown() || self.csv.is_some())?;
            machine.finish();
            stepping += start.elapsed();
            if self.csv.is_some() {
                let Effort { iterations, residual } = scene.effort();
                efforts.push(format!("{step},{iterations},{residual:e}"));
            }
            if let Some(folder) = surfaces.filter(|_| step.is_multiple_of(self.every))
                && let Some(surface) = scene.surface()
            {
                let name = format!("surface-{:04}.ply", step / self.every - 1);
                write_mesh(&folder.path().join(name), &surface)?;
            }
            if has_row && record(scene.row()?, session)? {
                due = (step / between + 1) * between;
            }
            let start = Instant::now();
            film.take(step, step == last, || {
                scene.draw(view, canvas)?;
                Ok(canvas.image()?)
            })?;
            drawing += start.elapsed();
            if step == 1 {
                session.forecast((stepping + drawing) * (steps - 1))?;
                let passes = (session.filmed() - filmed) * steps as usize;
                progress.suspend(|| session.expect_passes(passes));
            }
            progress.say(|| scene.progress());
            progress.step();
            if step == last {
                break;
            }
        }
        drop(progress);
        let seconds = stepping.as_secs_f64();
        let mut result = json!({
            "grid": scene.grid(),
            "steps": last,
            "seconds": seconds,
            "steps_per_second": f64::from(last) / seconds,
        });
        if self.is_wanted() {
            result["seconds_of_pictures"] = json!(drawing.as_secs_f64());
        }
        for (name, number) in scene.summary() {
            result[name] = value(number);
        }
        if session.json {
            result["rows"] = Value::Array(rows);
        }
        session.print(&(), &result)?;
        if let Some(folder) = surfaces {
            folder.report(counted((last / self.every) as usize, "surface"));
        }
        Ok(())
    }
}

/// A number; integers are written without a fraction.
fn value(number: f64) -> Value {
    if number.trunc() == number && number.abs() < 1e15 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

/// Pictures in the making.
struct Film<'a> {
    destination: &'a Destination,
    gif: Option<(&'a Target, Gif)>,
    frames: u32,
}

impl<'a> Film<'a> {
    fn new(destination: &'a Destination) -> Result<Self, Failure> {
        destination.frames.as_ref().map_or(Ok(()), Folder::make)?;
        let gif = destination.gif.as_ref().map(|file| {
            let gif = Gif::new().map_err(|error| Failure::in_file(file.path(), error))?;
            Ok::<_, Failure>((file, gif))
        });
        Ok(Self { destination, gif: gif.transpose()?, frames: 0 })
    }

    /// Takes the picture of a step if there is one to take.
    fn take(
        &mut self,
        step: u32,
        last: bool,
        picture: impl FnOnce() -> Result<RgbImage, Failure>,
    ) -> Result<(), Failure> {
        let Destination { png, frames, .. } = self.destination;
        // A GIF needs at least one frame, however short the run is.
        let due = step.is_multiple_of(self.destination.every) || (last && self.frames == 0);
        let png = png.as_ref().filter(|_| last);
        let frames = frames.as_ref().filter(|_| due);
        let gif = self.gif.as_mut().filter(|_| due);
        if png.is_none() && frames.is_none() && gif.is_none() {
            return Ok(());
        }
        let picture = picture()?;
        if let Some(file) = png {
            file.picture(&picture)?;
        }
        if let Some(folder) = frames {
            let file = folder.path().join(format!("frame-{:04}.png", self.frames));
            let bytes = encoded(&picture).map_err(|error| Failure::in_file(&file, error))?;
            write_atomically(&file, |out| out.write_all(&bytes))?;
        }
        if let Some((file, gif)) = gif {
            gif.add(picture).map_err(|error| Failure::in_file(file.path(), error))?;
        }
        self.frames += u32::from(due);
        Ok(())
    }

    /// Writes the animation, and reports the frames. On a full disk, the animation has as many frames as fit.
    fn finish(self) -> Result<(), Failure> {
        if let Some(folder) = &self.destination.frames {
            folder.report(counted(self.frames as usize, "frame"));
        }
        let Some((file, gif)) = self.gif else {
            return Ok(());
        };
        let all = gif.frames();
        let attempt = |frames| write_atomically(file.path(), |out| gif.write(frames, out));
        let mut is_full = false;
        let written = file.write(|_| attempt(all).inspect_err(|error| is_full = error.is_full()));
        let Err(mut failure) = written else {
            return Ok(());
        };
        // A descriptor would be written to again and again.
        let (mut fits, mut exceeds) = (0, if file.path().starts_with("/dev") { 0 } else { all });
        while is_full && exceeds > fits + 1 {
            let middle = usize::midpoint(fits, exceeds);
            *(if attempt(middle).is_ok() { &mut fits } else { &mut exceeds }) = middle;
        }
        if fits > 0 {
            failure.message += &format!(" The first {fits} of {all} frames were written.");
        }
        Err(failure)
    }
}

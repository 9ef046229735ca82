//! `fragstream tonemap`: pictures of high dynamic range on a screen (goodnight2003, section 5.2).

use std::path::Path;

use clap::Args;
use serde_json::json;

use crate::gl::GlError;
use crate::goodnight2003::Error;
use crate::goodnight2003::solves::tonemap::Settings;
use crate::goodnight2003::tonemap::{ToneMapper, panels};
use crate::settings::GridSize;
use crate::solver::Reason;
use crate::stream::StreamError;

use super::failure::{Failure, Status};
use super::outcome::Outcome;
use super::output::{Target, file, note};
use super::session::{Session, cycles_shown};
use super::task::Task;

/// Compress the contrast of a picture of high dynamic range so that a screen can show it (goodnight2003,
/// section 5.2)
///
/// Gradients of log luminance are attenuated, large ones more than small ones, on all scales (Fattal,
/// Lischinski, Werman 2002): a gradient of magnitude g is multiplied by (g/a)^(beta-1), where a is alpha times
/// the average gradient, once on each level of a pyramid. The picture whose gradients are nearest to these
/// solves a Poisson equation, by multigrid in textures. Pictures have any size.
///
/// The solver has `converged`, or the picture is as accurate as single precision allows (`at-rounding`: the residual
/// exceeds the tolerance, but not what rounding errors alone can leave). Exit code 3 means that neither is so; the
/// picture is written all the same, unless the solver diverged.
#[derive(Args)]
pub struct Files {
    /// Picture to write
    #[arg(value_name = "OUT.png", value_parser = file("png"))]
    output: Option<Target>,

    /// Picture to write
    #[arg(long, value_name = "FILE.png", value_parser = file("png"), conflicts_with = "output",
          help_heading = "Output")]
    out: Option<Target>,

    /// Draw side by side: the picture merely clamped, this result, and that of a Poisson solver on the CPU in
    /// double precision
    #[arg(long, value_name = "FILE.png", value_parser = file("png"), help_heading = "Output")]
    compare: Option<Target>,
}

/// Bytes of memory per pixel.
const PIXEL: u64 = 430;

impl Task for Files {
    type Settings = Settings;

    fn run(&self, task: &Settings, session: &mut Session) -> Result<(), Failure> {
        let Settings { input, look: settings, method, .. } = task;
        let solver = &method.settings();
        solver.check()?;
        settings.check().map_err(|error| failure(error.into()))?;
        let image = task.image()?;
        if let black @ 1.. = image.blackened() {
            let all = image.pixels().len();
            note(format_args!("{black} of {all} pixels have negative luminance and become black"));
        }
        let in_input = |error| in_file(input, failure(error));
        let size = (image.width() as u32, image.height() as u32);
        let scales = settings.level_sizes(size).map_err(in_input)?;
        session.resolved("scales", scales.len());
        session.resolved("norm", json!(solver.norm));
        let memory = GridSize::new(size.0, size.1).check_memory(PIXEL);
        memory.map_err(|error| Failure::in_file(input, error))?;
        let machine = session.machine_for(image.width() * image.height() / 4)?;
        let criteria = &method.criteria();
        let mapper = ToneMapper::new(&machine, &image, settings, solver);
        let mut mapper = mapper.map_err(in_input)?;
        let mapped = mapper.solve(criteria, cycles_shown()).map_err(in_input)?;
        let solve = &mapped.solve;
        let is_usable = !matches!(*solve.reason, Reason::Diverged | Reason::NotFinite);
        let host = match &self.compare {
            Some(_) if is_usable => Some(mapper.solve_on_cpu(criteria).map_err(in_input)?),
            _ => None,
        };
        let pictures = host.as_ref().map(|host| [&mapped.picture, &host.picture]);
        let norms = [solve.residual, solve.tolerance];
        let outcome = Outcome::of_cycles(solve.reason, solve.cycles, norms);
        let is_at_rounding = solve.is_solved() && !solve.reason.is_converged();
        Outcome { suffices: is_at_rounding, ..outcome }.end(
            &[
                (is_usable, self.out.as_ref().or(self.output.as_ref()), &|file| {
                    file.picture(&mapped.picture)
                }),
                (pictures.is_some(), self.compare.as_ref(), &|file| {
                    pictures.map_or(Ok(()), |pictures| file.picture(&panels(&image, pictures)))
                }),
            ],
            session,
            &(),
            &json!({
                "size": [image.width(), image.height()],
                "reason": if is_at_rounding { "at-rounding".into() } else { json!(solve.reason) },
                "cycles": solve.cycles,
                "residual": solve.residual,
                "tolerance": solve.tolerance,
                "rounding": solve.rounding,
                "original_contrast": (mapped.original[1] - mapped.original[0]).exp(),
                "contrast": mapped.range.contrast(),
                "difference": host.as_ref().map(|host| mapped.difference(host)),
                "levels": mapped.levels,
            }),
        )
    }
}

/// The library's errors.
fn failure(error: Error) -> Failure {
    match error {
        Error::Stream(StreamError::Gl(GlError::TooLarge { width, height, limit })) => {
            Failure::input(format_args!(
                "the picture takes a {width}x{height} texture, over this driver's limit of {limit} \
             texels per side. Give a smaller one"
            ))
        }
        error => error.into(),
    }
}

/// Adds the file's name to the message.
fn in_file(path: &Path, failure: Failure) -> Failure {
    match failure.status {
        Status::Input => Failure::in_file(path, failure.message),
        _ => failure,
    }
}

//! `fragstream tonemap`: pictures of high dynamic range on a screen (goodnight2003, section 5.2).

use std::path::{Path, PathBuf};

use clap::Args;

use crate::claim::bundled::{PANORAMA, is_named, panorama};
use crate::gl::GlError;
use crate::goodnight2003::SolverError;
use crate::goodnight2003::tonemap::{
    Difference, ToneMapError, ToneMapSettings, ToneMapped, compare, tone_map, twin,
};
use crate::io::hdr::{HdrImage, read_hdr};
use crate::solver::Reason;
use crate::stream::StreamError;

use super::animation::write_png;
use super::arguments::boundary_value::BoundaryValue;
use super::arguments::size::GridSize;
use super::arguments::{not_negative, positive};
use super::failure::{Failure, OUT_OF_RANGE, Status};
use super::files::check_targets;
use super::session::{Session, cycles_shown};

/// Compress a picture of high dynamic range so that a screen can show it (goodnight2003, section
/// 5.2).
///
/// Gradients of log luminance are attenuated, large ones more than small ones, on all scales (Fattal,
/// Lischinski, Werman 2002); the picture that has these gradients, as nearly as one can, solves a
/// Poisson equation, by multigrid in textures. Any size will do.
///
/// A gradient of magnitude g is multiplied by (g/a)^(beta-1), a being alpha times the average of all,
/// once on each level of a pyramid.
///
/// Ends with exit code 3 where the solver stops for a reason other than `converged`; the picture is
/// written all the same, unless the solver diverged.
#[derive(Args)]
pub struct Arguments {
    /// Picture: a Radiance HDR or OpenEXR file, or `room`, the bundled panorama
    #[arg(value_name = "IN.hdr|exr")]
    input: PathBuf,

    /// The file to write
    #[arg(value_name = "OUT.png")]
    output: PathBuf,

    #[command(flatten)]
    look: Look,

    /// The picture is a panorama: its left side goes on at the right one
    #[arg(long)]
    periodic: bool,

    /// Write to this PNG file, next to each other: the picture plainly clamped, this result, and the
    /// CPU's in double precision
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    method: BoundaryValue,
}

/// What the picture is to look like.
#[derive(Args)]
struct Look {
    /// Gradients of this multiple of the average keep their magnitude
    #[arg(long, value_name = "NUMBER", default_value_t = ToneMapSettings::default().alpha,
          value_parser = positive, allow_negative_numbers = true)]
    alpha: f64,

    /// The exponent, usually 0.8 to 0.9: 1 compresses nothing, less compresses more
    #[arg(long, value_name = "NUMBER", default_value_t = ToneMapSettings::default().beta,
          value_parser = positive, allow_negative_numbers = true)]
    beta: f64,

    /// Gradients below this multiple of alpha are magnified as if they had it
    #[arg(long, value_name = "NUMBER", default_value_t = ToneMapSettings::default().noise,
          value_parser = positive, allow_negative_numbers = true)]
    noise: f64,

    /// Scales on which gradients are attenuated, each half as fine as the one before; 1 for the
    /// picture alone [default: as long as both sides keep 32 samples]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    scales: Option<u32>,

    /// How much colour is kept, from 0 to 1
    #[arg(long, value_name = "NUMBER", default_value_t = ToneMapSettings::default().saturation,
          value_parser = not_negative, allow_negative_numbers = true)]
    saturation: f64,

    /// The contrast, white to black, to which the result is stretched, but never to more than the
    /// picture's own: a screen has 100 at most, less keeps corners out of the dark
    #[arg(long, value_name = "NUMBER", default_value_t = ToneMapSettings::default().contrast,
          value_parser = positive, allow_negative_numbers = true)]
    contrast: f64,

    /// So many percent of the pixels become black
    #[arg(long, value_name = "PERCENT", default_value_t = ToneMapSettings::default().black,
          value_parser = not_negative, allow_negative_numbers = true)]
    black: f64,

    /// So many percent of the pixels become white
    #[arg(long, value_name = "PERCENT", default_value_t = ToneMapSettings::default().white,
          value_parser = not_negative, allow_negative_numbers = true)]
    white: f64,
}

impl Look {
    fn settings(&self) -> ToneMapSettings {
        ToneMapSettings {
            alpha: self.alpha,
            beta: self.beta,
            noise: self.noise,
            scales: self.scales,
            saturation: self.saturation,
            contrast: self.contrast,
            black: self.black,
            white: self.white,
            ..ToneMapSettings::default()
        }
    }
}

/// Bytes of memory per pixel.
const PIXEL: u64 = 430;

/// Reads, compresses, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    check_files(arguments)?;
    arguments.method.check()?;
    let settings = ToneMapSettings {
        periodic: arguments.periodic,
        ..arguments.look.settings()
    };
    settings.check().map_err(|error| failure(error.into()))?;
    let image = match is_named(&arguments.input, PANORAMA) {
        true => panorama().map_err(Failure::input)?,
        false => read_hdr(&arguments.input)?,
    };
    let in_input = |error| in_file(&arguments.input, failure(error));
    let size = (image.width() as u32, image.height() as u32);
    settings.level_sizes(size).map_err(in_input)?;
    let (columns, rows) = size;
    let memory = GridSize { columns, rows }.check_memory(PIXEL);
    memory.map_err(|error| Failure::in_file(&arguments.input, error))?;
    let machine = session.machine_for(image.width() * image.height() / 4)?;
    let (solver, criteria) = (arguments.method.settings(), arguments.method.criteria());
    let mapped = tone_map(
        &machine,
        &image,
        &settings,
        &solver,
        &criteria,
        cycles_shown(),
    );
    let mapped = mapped.map_err(in_input)?;
    let usable = !matches!(mapped.solve.reason, Reason::Diverged | Reason::NotFinite);
    let mut difference = None;
    if usable {
        write_png(&arguments.output, &mapped.picture)?;
        if let Some(path) = &arguments.compare {
            let host = twin::tone_map(&image, &settings, &solver, &criteria);
            let host = host.map_err(in_input)?;
            let panels = compare::panels(&image, [&mapped.picture, &host.picture]);
            write_png(path, &panels)?;
            difference = Some(mapped.difference(&host));
        }
    }
    print(arguments, &image, &mapped, difference, session)?;
    match mapped.solve.is_solved() {
        true => Ok(()),
        false => Err(unconverged(arguments, &mapped, usable)),
    }
}

fn check_files(arguments: &Arguments) -> Result<(), Failure> {
    let (out, compare) = (arguments.output.as_path(), arguments.compare.as_deref());
    for path in std::iter::once(out).chain(compare) {
        let extension = path.extension().and_then(|end| end.to_str());
        if !extension.is_some_and(|end| end.eq_ignore_ascii_case("png")) {
            return Err(Failure::in_file(path, "give a name that ends in .png"));
        }
    }
    check_targets([Some(out), compare])
}

/// The library's errors.
fn failure(error: ToneMapError) -> Failure {
    match error {
        ToneMapError::Solver(SolverError::Stream(StreamError::Gl(GlError::TooLarge {
            width,
            height,
            limit,
        }))) => Failure::input(format_args!(
            "the picture takes a {width}x{height} texture, over this driver's limit of {limit} \
             texels a side; give a smaller one"
        )),
        error => error.into(),
    }
}

/// The same failure, with the file that it is about.
fn in_file(path: &Path, failure: Failure) -> Failure {
    match failure.status {
        Status::Input => Failure::in_file(path, failure.message),
        _ => failure,
    }
}

/// How much brighter the picture's white is than its black.
fn original_contrast(mapped: &ToneMapped) -> f64 {
    (mapped.original[1] - mapped.original[0]).exp()
}

fn print(
    arguments: &Arguments,
    image: &HdrImage,
    mapped: &ToneMapped,
    difference: Option<Difference>,
    session: &mut Session,
) -> Result<(), Failure> {
    let (solve, size) = (&mapped.solve, [image.width(), image.height()]);
    if arguments.json {
        let levels = mapped.levels.iter().map(|level| {
            let (columns, rows) = level.size;
            serde_json::json!({"size": [columns, rows], "average_gradient": level.average_gradient})
        });
        let difference = difference.map(|difference| {
            serde_json::json!({
                "channel": difference.channel,
                "share": difference.share,
                "log_luminance": difference.logarithm,
            })
        });
        return session.out.json(&serde_json::json!({
            "size": size,
            "levels": levels.collect::<Vec<_>>(),
            "reason": solve.reason.to_string(),
            "cycles": solve.cycles,
            "residual": solve.residual,
            "tolerance": solve.tolerance,
            "original_contrast": original_contrast(mapped),
            "contrast": mapped.range.contrast(),
            "difference": difference,
        }));
    }
    let (columns, rows) = mapped.levels.last().map_or((0, 0), |level| level.size);
    let levels = mapped.levels.iter();
    let gradients: Vec<String> = levels
        .map(|level| format!("{:.4}", level.average_gradient))
        .collect();
    let scales = format!("{}, the coarsest {columns}x{rows}", mapped.levels.len());
    let multigrid = format!(
        "{} after {} cycles, residual {:.3e} (goal {:.3e})",
        solve.reason, solve.cycles, solve.residual, solve.tolerance
    );
    let contrast = format!(
        "{:.0} to 1, shown as {:.0} to 1",
        original_contrast(mapped),
        mapped.range.contrast()
    );
    let mut lines = vec![
        ("picture", format!("{}x{}", size[0], size[1])),
        ("scales", scales),
        (
            "gradients",
            format!("{} on average, a pixel", gradients.join(" ")),
        ),
        ("multigrid", multigrid),
        ("contrast", contrast),
    ];
    if let Some(difference) = difference {
        let beside = format!(
            "channels at most {} of 255 apart ({:.3} % of them at all), log luminance {:.1e}",
            difference.channel,
            100.0 * difference.share,
            difference.logarithm
        );
        lines.push(("beside CPU", beside));
    }
    session.out.rows(13, &lines)
}

/// Why the equation is not solved, and what may help.
fn unconverged(arguments: &Arguments, mapped: &ToneMapped, written: bool) -> Failure {
    let solve = &mapped.solve;
    let remedy = match solve.reason {
        Reason::Diverged => "choose more sweeps (--pre, --post)",
        Reason::MaximumIterations => "allow more with --maxiter, or choose a larger --rtol",
        Reason::Stagnated => "single precision leads no closer: choose a larger --rtol",
        _ => OUT_OF_RANGE,
    };
    let name = arguments.output.display();
    let unwritten = match written {
        true => String::new(),
        false => format!("; {name} was not written"),
    };
    Failure::unconverged(
        "multigrid",
        solve.reason,
        format_args!("{} cycles", solve.cycles),
        [solve.residual, solve.tolerance],
        format_args!("{remedy}{unwritten}"),
    )
}

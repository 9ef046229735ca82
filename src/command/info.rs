//! `fragstream info`: the driver, the formats that were probed, the limits, the model's rectangle.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use fragstream::card::cost::Nv30;
use fragstream::gl::Format;
use fragstream::stream::Machine;

use super::failure::Failure;
use super::session::Session;

/// Tell what the graphics driver is and can do.
///
/// Every format was written, computed with and read back before it is listed; a driver that gives a
/// wrong number in any of them is refused with exit code 4.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    fragstream: &'static str,
    vendor: String,
    renderer: String,
    version: String,
    device: String,
    formats: Vec<ProbedFormat>,
    limits: Limits,
    nv30: Model,
}

#[derive(Serialize)]
struct ProbedFormat {
    name: String,
    ok: bool,
}

#[derive(Serialize)]
struct Limits {
    texture_size: u32,
    texture_units: u32,
    texture_barrier: bool,
}

/// What the model of the GeForce FX derives.
#[derive(Serialize)]
struct Model {
    rectangle: String,
    area: u32,
    tuples: u64,
    tuples_per_batch: u32,
}

/// Prints what the machine is.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let info = Info::of(&session.machine()?);
    let out = &mut session.out;
    if arguments.json {
        return out.json(&info);
    }
    writeln!(out, "fragstream       {}", info.fragstream)?;
    writeln!(out, "renderer         {}", info.renderer)?;
    writeln!(out, "vendor           {}", info.vendor)?;
    writeln!(out, "OpenGL           {}", info.version)?;
    writeln!(out, "EGL device       {}", info.device)?;
    for format in &info.formats {
        let verdict = if format.ok { "ok" } else { "wrong numbers" };
        writeln!(out, "format           {:<8} {verdict}", format.name)?;
    }
    let limits = &info.limits;
    let size = limits.texture_size;
    let barrier = if limits.texture_barrier { "yes" } else { "no" };
    writeln!(out, "largest texture  {size}x{size} texels")?;
    writeln!(out, "texture units    {}", limits.texture_units)?;
    writeln!(out, "texture barrier  {barrier}")?;
    let model = &info.nv30;
    writeln!(
        out,
        "NV30 model       best rectangle {}: {} pixels, {} tuples, {} a batch",
        model.rectangle, model.area, model.tuples, model.tuples_per_batch
    )?;
    Ok(())
}

impl Info {
    fn of(machine: &Machine) -> Self {
        let description = machine.context().description().clone();
        let nv30 = Nv30::default();
        let best = nv30.best_rectangle();
        // A machine starts only where each format gave the known answer.
        let formats = Format::ALL.map(|format| ProbedFormat {
            name: format.to_string(),
            ok: true,
        });
        Info {
            fragstream: env!("CARGO_PKG_VERSION"),
            vendor: description.vendor,
            renderer: description.renderer,
            version: description.version,
            device: description.device,
            formats: formats.into(),
            limits: Limits {
                texture_size: description.rectangle_limit,
                texture_units: description.texture_units,
                texture_barrier: description.texture_barrier,
            },
            nv30: Model {
                rectangle: format!("{}x{}", best.width, best.height),
                area: best.area(),
                tuples: best.tuples.total(),
                tuples_per_batch: nv30.tuples_per_batch,
            },
        }
    }
}

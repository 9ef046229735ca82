//! `fragstream info`: the driver, the formats that were probed, the limits, the model's rectangle.

use clap::Args;
use serde_json::json;

use crate::card::cost::Nv30;
use crate::gl::Format;

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

/// Prints what the machine is.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let machine = session.machine()?;
    let description = machine.context().description();
    let size = description.rectangle_limit;
    let nv30 = Nv30::default();
    let best = nv30.best_rectangle();
    let rectangle = format!("{}x{}", best.width, best.height);
    let (area, tuples) = (best.area(), best.tuples.total());
    if arguments.json {
        // A machine starts only where each format gave the known answer.
        let formats = Format::ALL.map(|format| json!({"name": format.to_string(), "ok": true}));
        return session.out.json(&json!({
            "fragstream": env!("CARGO_PKG_VERSION"),
            "commit": env!("FRAGSTREAM_COMMIT"),
            "vendor": description.vendor,
            "renderer": description.renderer,
            "version": description.version,
            "device": description.device,
            "formats": formats,
            "limits": {
                "texture_size": size,
                "texture_units": description.texture_units,
                "texture_barrier": description.texture_barrier,
                "double_precision": description.double_precision,
                "pairs_of_floats": machine.keeps_errors(),
            },
            "nv30": {
                "rectangle": rectangle,
                "area": area,
                "tuples": tuples,
                "tuples_per_batch": nv30.tuples_per_batch,
            },
        }));
    }
    let batch = nv30.tuples_per_batch;
    let model =
        format!("best rectangle {rectangle}: {area} pixels, {tuples} tuples, {batch} a batch");
    let yes = |has: bool| if has { "yes" } else { "no" }.to_owned();
    let mut rows = vec![
        ("fragstream", env!("CARGO_PKG_VERSION").to_owned()),
        ("commit", env!("FRAGSTREAM_COMMIT").to_owned()),
        ("renderer", description.renderer.clone()),
        ("vendor", description.vendor.clone()),
        ("OpenGL", description.version.clone()),
        ("EGL device", description.device.clone()),
    ];
    rows.extend(Format::ALL.map(|format| ("format", format!("{:<8} ok", format.to_string()))));
    rows.extend([
        ("largest texture", format!("{size}x{size} texels")),
        ("texture units", description.texture_units.to_string()),
        ("texture barrier", yes(description.texture_barrier)),
        ("double precision", yes(description.double_precision)),
        ("pairs of floats", yes(machine.keeps_errors())),
        ("NV30 model", model),
    ]);
    session.out.rows(17, &rows)
}

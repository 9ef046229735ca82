//! `fragstream info`: the driver, the tested formats, the limits, and the rectangle of the model.

use std::io::Write;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::base::columns::aligned;
use crate::card::cost::Nv30;
use crate::gl::Format;
use crate::timing::limits::{Limit, limits};
use crate::timing::{Effort, Interval};

use super::failure::Failure;
use super::output::{Target, UNLIMITED, file};
use super::session::Session;

/// Describe the graphics driver, and test what it computes
///
/// Every listed format has been written, computed with and read back. A driver that returns a wrong number in
/// any of them is rejected with exit code 4.
#[derive(Args)]
pub struct Arguments {
    /// Measure what passes are bound by, and what draws, waits, read-backs and switches cost: some seconds
    #[arg(long)]
    limits: bool,

    /// Write these limits, as `fragstream aged` reads them next to a report
    #[arg(long, value_name = "FILE.csv", value_parser = file("csv"), requires = "limits")]
    csv: Option<Target>,
}

/// Prints the driver, the formats and the limits.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let machine = session.machine()?;
    let description = machine.description();
    let backend = match machine.backend() {
        "arb" => "arb: ARB_fragment_program; double precision and derivatives run as GLSL",
        name => name,
    };
    let nv30 = Nv30::default();
    let best = nv30.best_rectangle();
    // Every format has passed its test, or there would be no machine.
    let formats = Format::ALL.map(|format| json!({"name": format.to_string(), "ok": true}));
    let info = json!({
        "fragstream": env!("CARGO_PKG_VERSION"),
        "commit": env!("FRAGSTREAM_COMMIT"),
        "vendor": description.vendor,
        "renderer": description.renderer,
        "version": description.version,
        "device": description.device,
        "backend": backend,
        "limits": {
            "texture_size": description.rectangle_limit,
            "texture_units": description.texture_units,
            "texture_barrier": description.texture_barrier,
            "double_precision": description.double_precision,
            "pairs_of_floats": machine.keeps_errors(),
        },
        "nv30": {
            "rectangle": format!("{}x{}", best.width, best.height),
            "area": best.area(),
            "tuples": best.tuples.total(),
            "tuples_per_batch": nv30.tuples_per_batch,
        },
        "formats": formats,
    });
    if !arguments.limits {
        return session.print(&(), &info);
    }
    let found = limits(&machine, Effort::FULL)?;
    if let Some(file) = &arguments.csv {
        let line = |Limit { name, value: Interval { median, low, high, .. } }: &Limit| {
            format!("{name},{median},{low},{high}")
        };
        file.lines("limit,value,low,high", found.iter().map(line))?;
    }
    let measured: Map<String, Value> =
        found.iter().map(|one| (one.name.clone(), json!(one.value))).collect();
    let result = json!({ "renderer": description.renderer, "measured": measured });
    session.print_as(&result, |out| {
        let cell = |one: &Limit| vec![one.name.clone(), one.value.text("")];
        let rows = found.iter().map(cell).collect();
        let width = out.columns(UNLIMITED);
        write!(out, "{}", aligned(&["limit", &description.renderer], rows, |_| true, width))
    })
}

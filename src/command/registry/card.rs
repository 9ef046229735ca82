//! `fragstream card`: the cards of 2003, and how their model fares with what the papers print.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::card::cost::CARDS;
use crate::io::write_atomically;
use crate::kruger2003::claims::precision;
use crate::picture::plot::chart;
use crate::retrodiction::claims::{self, FACTOR};
use crate::retrodiction::{Basis, Timing, timings};

use super::super::failure::Failure;
use super::super::files::{check_targets, write_csv};
use super::super::session::{Output, Session, spinner};

/// Hold the model of the cards of 2003 against every timing that the papers print
///
/// The model has six numbers that were fitted to the rows called calibrated; the others were held
/// out. Lengths of programs are the papers', or counted from our own where none is printed.
#[derive(Args)]
pub struct Arguments {
    /// Solve Poisson's equation by conjugate gradients in the number formats of the cards instead
    ///
    /// Runs fragstream's programs in the interpreter; takes minutes on the largest of the three grids.
    #[arg(long, conflicts_with = "csv")]
    precision: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Write the table as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw what is printed
    #[arg(long, value_name = "PNG")]
    png: Option<PathBuf>,
}

/// Prints the table.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let (csv, png) = (arguments.csv.as_deref(), arguments.png.as_deref());
    check_targets([csv, png])?;
    if arguments.precision {
        return precision(arguments.json, png, session);
    }
    let timings = timings().map_err(Failure::input)?;
    if let Some(file) = csv {
        let names = "id,paper,section,card,what,basis,printed_s,model_s,ratio";
        write_csv(file, names, timings.iter().map(line))?;
    }
    if let Some(file) = png {
        let picture = claims::picture(&timings).png().map_err(Failure::input)?;
        write_atomically(file, |out| out.write_all(&picture))?;
    }
    match arguments.json {
        true => session.out.json(&json!({ "timings": timings })),
        false => table(&timings, &mut session.out),
    }
}

/// Prints the best residual in each format, each line as soon as it is known.
fn precision(json: bool, png: Option<&Path>, session: &mut Session) -> Result<(), Failure> {
    let out = &mut session.out;
    let names = precision::FORMATS.map(|(name, _)| name);
    if !json {
        let names = names.map(|name| format!("{name:>18}")).concat();
        writeln!(
            out,
            "best true residual, relative to the right-hand side\n{:<6}{names}",
            "cells"
        )?;
    }
    let mut rows = Vec::new();
    for side in precision::SIDES {
        let sign = spinner();
        sign.set_message(format!("{side}² cells"));
        let row = precision::row(side).map_err(Failure::input)?;
        sign.finish_and_clear();
        if !json {
            let residuals = row.residuals.map(|residual| format!("{residual:>18.1e}"));
            writeln!(out, "{:<6}{}", format!("{side}²"), residuals.concat())?;
        }
        rows.push(row);
    }
    if let Some(file) = png {
        let picture = chart(&precision::chart(&precision::table(&rows))).map_err(Failure::input)?;
        write_atomically(file, |out| out.write_all(&picture))?;
    }
    if json {
        let rows = rows.iter().map(|row| {
            let residuals = names.into_iter().zip(row.residuals);
            json!({ "side": row.side, "residuals": residuals.collect::<BTreeMap<_, _>>() })
        });
        out.json(&json!({ "precision": rows.collect::<Vec<_>>() }))?;
    }
    Ok(())
}

fn line(timing: &Timing) -> String {
    let Timing {
        id,
        paper,
        section,
        what,
        card,
        basis,
        printed,
        model,
    } = timing;
    let (basis, ratio) = (basis.name(), timing.ratio());
    format!("{id},{paper},{section},{card},\"{what}\",{basis},{printed:.6e},{model:.6e},{ratio:.3}")
}

fn table(timings: &[Timing], out: &mut Output) -> Result<(), Failure> {
    for card in CARDS {
        let (device, driver) = (card.device, card.driver);
        let switch = match driver.switch > 0.0 {
            true => format!(", {:.2} ms a switch", driver.switch * 1e3),
            false => String::new(),
        };
        writeln!(
            out,
            "{:<22} {} pipelines at {:.0} MHz, {}: {:.1} µs a pass{switch}",
            device.name,
            device.pipelines,
            device.clock * 1e-6,
            driver.name,
            driver.pass * 1e6,
        )?;
    }
    for basis in Basis::ALL {
        writeln!(
            out,
            "\n{:<60} {:>10} {:>10} {:>6}",
            basis.name(),
            "paper ms",
            "model ms",
            "ratio"
        )?;
        for timing in timings.iter().filter(|timing| timing.basis == basis) {
            let what = format!("{:<4}{:<14}{}", timing.id, timing.paper, timing.what);
            let far = match basis.is_judged() && !timing.is_within(FACTOR) {
                true => "  further off than 30 %",
                false => "",
            };
            writeln!(
                out,
                "{what:<60} {:>10} {:>10} {:>6.2}{far}",
                milliseconds(timing.printed),
                milliseconds(timing.model),
                timing.ratio()
            )?;
        }
    }
    Ok(())
}

/// Three digits.
fn milliseconds(seconds: f64) -> String {
    let digits = (-(1e3 * seconds).log10().floor() + 2.0).max(0.0);
    format!("{:.*}", digits as usize, 1e3 * seconds)
}

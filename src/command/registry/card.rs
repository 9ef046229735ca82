//! `fragstream card`: the model of the 2003 cards compared with the papers' timings.

use std::collections::BTreeMap;
use std::io::{self, Write};

use clap::Args;
use serde_json::json;

use crate::card::cost::CARDS;
use crate::kruger2003::claims::precision;
use crate::picture::plot::chart;
use crate::retrodiction::claims::{self, FACTOR};
use crate::retrodiction::{Basis, Gain, Timing, gains, timings};

use super::super::failure::Failure;
use super::super::output::{Target, csv, png};
use super::super::session::{Output, Progress, Session};

/// Compare the cost model of the 2003 cards with every timing in the papers
///
/// The model has six numbers, fitted to the rows called calibrated; the others were held out. Program lengths
/// are the papers', or counted from fragstream's programs if the paper prints none.
#[derive(Args)]
pub struct Arguments {
    /// Solve Poisson's equation by conjugate gradients in the number formats of the cards instead
    ///
    /// Runs fragstream's programs in the interpreter; takes minutes on the largest of the three grids.
    #[arg(long, conflicts_with = "csv")]
    precision: bool,

    /// Write the table
    #[arg(long, value_name = "FILE.csv", value_parser = csv)]
    csv: Option<Target>,

    /// Draw the table
    #[arg(long, value_name = "FILE.png", value_parser = png)]
    png: Option<Target>,
}

/// Prints the table.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.precision {
        return precision(arguments.png.as_ref(), session);
    }
    let timings = timings().map_err(Failure::input)?;
    if let Some(file) = &arguments.csv {
        let names = "id,paper,section,card,what,basis,printed_s,model_s,ratio";
        file.lines(names, timings.iter().map(line))?;
    }
    if let Some(file) = &arguments.png {
        file.bytes(&claims::picture(&timings).png().map_err(Failure::input)?)?;
    }
    let gains = gains().map_err(Failure::input)?;
    let described = json!({ "timings": timings, "gains": gains });
    session.print_as(&described, |out| table(&timings, &gains, out))
}

/// Prints the best residual in each format.
fn precision(png: Option<&Target>, session: &mut Session) -> Result<(), Failure> {
    let names = precision::FORMATS.map(|(name, _)| name);
    let progress = Progress::of_steps(precision::SIDES.len() as u64);
    let mut rows = Vec::new();
    for side in precision::SIDES {
        progress.say(|| format!("{side}² cells"));
        rows.push(precision::row(side).map_err(Failure::input)?);
        progress.step();
    }
    drop(progress);
    if let Some(file) = png {
        let picture = chart(&precision::chart(&precision::table(&rows))).map_err(Failure::input)?;
        file.bytes(&picture)?;
    }
    let described = rows.iter().map(|row| {
        let residuals = names.into_iter().zip(row.residuals);
        json!({ "side": row.side, "residuals": residuals.collect::<BTreeMap<_, _>>() })
    });
    session.print_as(
        &json!({ "precision": described.collect::<Vec<_>>() }),
        |out| {
            let names = names.map(|name| format!("{name:>18}")).concat();
            writeln!(
                out,
                "best true residual, relative to the right-hand side\n{:<6}{names}",
                "cells"
            )?;
            for row in &rows {
                let residuals = row.residuals.map(|residual| format!("{residual:>18.1e}"));
                writeln!(out, "{:<6}{}", format!("{}²", row.side), residuals.concat())?;
            }
            Ok(())
        },
    )
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

fn table(timings: &[Timing], gains: &[Gain], out: &mut Output) -> io::Result<()> {
    for card in CARDS {
        let (device, driver) = (card.device, card.driver);
        let switch = if driver.switch > 0.0 {
            format!(", {:.2} ms per switch", driver.switch * 1e3)
        } else {
            String::new()
        };
        writeln!(
            out,
            "{:<22} {} pipelines at {:.0} MHz, {}: {:.1} µs per pass{switch}",
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
            let far = if basis.is_judged() && !timing.is_within(FACTOR) {
                "  off by more than 30 %"
            } else {
                ""
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
    let head = "gain of a change, held out";
    writeln!(out, "\n{head:<76} {:>6} {:>6}", "paper", "model")?;
    for gain in gains {
        let what = format!("{:<8}{}", gain.id, gain.what);
        writeln!(out, "{what:<76} {:>6.2} {:>6.2}", gain.printed, gain.model)?;
    }
    Ok(())
}

/// Three digits.
fn milliseconds(seconds: f64) -> String {
    let digits = (-(1e3 * seconds).log10().floor() + 2.0).max(0.0);
    format!("{:.*}", digits as usize, 1e3 * seconds)
}

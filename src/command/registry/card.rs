//! `fragstream card`: the model of the 2003 cards compared with the papers' timings.

use clap::Args;
use serde_json::{Value, json};

use crate::card::cost::clock::COSTS;
use crate::card::cost::{CARDS, Card};
use crate::kruger2003::precision;
use crate::retrodiction::{Timing, claims, gains, refit, timings};

use super::super::failure::Failure;
use super::super::output::{Target, file};
use super::super::session::{Progress, Session};

/// Compare the cost model of the 2003 cards with every timing in the papers
///
/// The model has five numbers, fitted to the rows called calibrated; the others were held out. Program lengths
/// are the papers', or counted from fragstream's programs if the paper prints none.
#[derive(Args)]
pub struct Arguments {
    /// Solve Poisson's equation by conjugate gradients in the number formats of the cards instead
    ///
    /// Runs fragstream's programs in the interpreter; takes minutes on the largest of the three grids.
    #[arg(long, conflicts_with = "csv")]
    precision: bool,

    /// Write the table
    #[arg(long, value_name = "FILE.csv", value_parser = file("csv"))]
    csv: Option<Target>,

    /// Draw the table
    #[arg(long, value_name = "FILE.png", value_parser = file("png"))]
    png: Option<Target>,
}

/// Prints the tables.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.precision {
        return precision(arguments.png.as_ref(), session);
    }
    let timings = timings().map_err(Failure::input)?;
    if let Some(file) = &arguments.csv {
        let names = "id,paper,section,card,what,prints,basis,printed_s,model_s,ratio";
        file.lines(names, timings.iter().map(line))?;
    }
    if let Some(file) = &arguments.png {
        file.bytes(&claims::picture(&timings).png().map_err(Failure::input)?)?;
    }
    let cards = CARDS.map(|Card { device, driver, .. }| {
        json!({
            "card": device.name,
            "driver": driver.name,
            "pipelines": device.pipelines,
            "megahertz": 1e-6 * device.clock,
            "seconds_per_pass": driver.pass,
            "seconds_per_switch": driver.switch,
        })
    });
    let timings = timings.iter().map(|timing| {
        let mut record = json!(timing);
        record["ratio"] = timing.ratio().into();
        record
    });
    let timings: Vec<Value> = timings.collect();
    let gains = gains().map_err(Failure::input)?;
    let refits = refit::refits().map_err(Failure::input)?.map(|one| {
        let numbers = refit::NAMES.iter().zip(one.numbers);
        let numbers = numbers.map(|(&(name, ..), number)| (name.to_owned(), json!(number)));
        let without = ("without".to_owned(), json!(one.without));
        let spread = [("fitted", Some(one.fitted)), ("left_out", one.left_out)];
        let spread = spread.map(|(name, value)| (name.to_owned(), json!(value)));
        [without].into_iter().chain(numbers).chain(spread).collect::<Value>()
    });
    let result = json!({
        "cards": cards, "drivers": COSTS, "timings": timings, "gains": gains, "refits": refits,
    });
    session.print(&json!({}), &result)
}

/// Prints the best true residual in each format, relative to the right-hand side.
fn precision(png: Option<&Target>, session: &mut Session) -> Result<(), Failure> {
    let progress = Progress::of_steps(precision::SIDES.len() as u64);
    let mut rows = Vec::new();
    for side in precision::SIDES {
        progress.say(|| format!("{side}² cells"));
        rows.push(precision::row(side).map_err(Failure::input)?);
        progress.step();
    }
    drop(progress);
    if let Some(file) = png {
        file.bytes(&precision::chart(&rows).png().map_err(Failure::input)?)?;
    }
    let records = rows.iter().map(|row| {
        let names = precision::FORMATS.map(|(name, _)| name.to_owned());
        let residuals = row.residuals.map(Value::from);
        let side = ("side".to_owned(), row.side.into());
        [side].into_iter().chain(names.into_iter().zip(residuals)).collect()
    });
    let records: Vec<Value> = records.collect();
    session.print(&json!({}), &json!({ "precision": records }))
}

/// A timing as comma-separated values.
fn line(timing: &Timing) -> String {
    let Timing { id, paper, section, what, card, basis, provenance, printed, model } = timing;
    let (basis, provenance, ratio) = (basis.name(), provenance.name(), timing.ratio());
    format!(
        "{id},{paper},{section},{card},\"{what}\",{provenance},{basis},{printed:.6e},{model:.6e},{ratio:.3}"
    )
}

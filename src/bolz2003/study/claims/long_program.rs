//! §3.2.1: the time of a rectangle drawn alone when only arithmetic counts, by the method of Fig. 3. The staircase and
//! the waste of small grids, measured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::{ASPECT, LARGEST_AREA};
use crate::base::error::BoxedError;
use crate::base::order::ShortSort;
use crate::bolz2003::rectangles::{BEST, Rectangles};
use crate::card::cost::Nv30;
use crate::card::cost::rectangle::even_sizes;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::stream::Size;
use crate::timing::rig::samples;
use crate::timing::{Effort, Interval, Work};

/// Rounds of a measurement in this process.
const ROUNDS: Effort = Effort { rounds: 6, chain: 1 };

/// Settings of rectangles.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Drawn {
    /// Smallest area in pixels
    from: u32,
    /// Area in pixels below which the rectangles are
    below: u32,
    /// Side of a square in pixels, instead of rectangles by their area
    #[schemars(range(min = 1, max = 2048))]
    side: Option<u32>,
    /// Multiply-adds of the long program
    #[schemars(range(min = 16, max = 20_000))]
    instructions: u32,
    /// Multiply-adds of all pixels of a square: the smaller it is, the longer its program
    #[schemars(range(min = 10_000, max = 100_000_000))]
    work: u32,
    /// Draw with a program of eight multiply-adds, whose time is that of a draw
    short: bool,
}

impl Default for Drawn {
    fn default() -> Self {
        Self {
            from: 4,
            below: LARGEST_AREA + 1,
            side: None,
            instructions: 8000,
            work: 20_000_000,
            short: false,
        }
    }
}

impl Drawn {
    fn rectangles(&self) -> Rectangles {
        let is_inside = |&(w, h): &Size| (self.from..self.below).contains(&(w * h));
        match self.side {
            Some(side) => {
                Rectangles::new(vec![(side, side)], |area| (self.work / area).clamp(100, 20_000))
            }
            None => {
                let mut sizes = even_sizes(LARGEST_AREA, ASPECT);
                sizes.order_by_key(|&(w, h)| (w * h, w));
                sizes.retain(is_inside);
                Rectangles::new(sizes, |_| self.instructions)
            }
        }
    }
}

/// Rectangles drawn alone.
pub static RECTANGLES: Study = Study::timing(
    "bolz2003/rectangles",
    "Rectangles drawn one after the other with a long program without fetches, waiting for each draw",
    Takes::some::<Drawn>("from below instructions short"),
    drawn,
);

/// A square drawn alone.
pub static SQUARE: Study = Study::timing(
    "bolz2003/square",
    "A square drawn with a long program without fetches, the longer the smaller it is",
    Takes::some::<Drawn>("side work short"),
    drawn,
);

fn drawn(experiment: &Experiment, place: Place<'_>) -> Result<Work<'static>, BoxedError> {
    let settings: Drawn = experiment.typed()?;
    let works = settings.rectangles().works(place.machine)?.into_iter();
    // A long and a short work of each rectangle.
    let works = works.skip(usize::from(settings.short)).step_by(2);
    let mut works: Vec<_> = works.map(|(_, work)| work).collect();
    let machine = place.machine.clone();
    Ok(Box::new(move |run| {
        works.iter_mut().try_for_each(|work| {
            work(run)?;
            machine.finish();
            Ok(())
        })
    }))
}

/// The staircase, measured.
pub static MEASURED: Study = Study::measuring(
    "bolz2003/measured-stairs",
    "Time of every rectangle of even sides with a long program without fetches, in this process",
    Takes::some::<Drawn>("instructions"),
    &[("area", "pixels", "area of each rectangle"), ("time", "", "its time, relative to 26×18")],
    |experiment, place| {
        let all = experiment.typed::<Drawn>()?.rectangles();
        let works = all.works(place.machine)?.into_iter();
        let mut works: Vec<_> = works.map(|(_, work)| work).collect();
        let seconds = samples(place.machine, ROUNDS, &mut works)?;
        // Fewer rounds than asked for fit into the time.
        let rounds = seconds.iter().map(Vec::len).min().unwrap_or_default();
        let rounds: Vec<Vec<f64>> = (0..rounds)
            .map(|round| all.seconds(&seconds.iter().map(|of| of[round]).collect::<Vec<_>>()))
            .collect();
        let best = all.sizes.iter().position(|&size| size == BEST).ok_or("26×18 is missing")?;
        let nv30 = Nv30::default();
        let (mut here, mut model) = (Vec::new(), Vec::new());
        for (one, &(width, height)) in all.sizes.iter().enumerate() {
            let relative = rounds.iter().map(|seconds| seconds[one] / seconds[best]);
            let relative = Interval::of(relative.collect());
            // The time of a draw without its program is subtracted, which may leave less than nothing.
            here.push((all.area(one), Interval { low: relative.low.max(0.0), ..relative }));
            let tuples = nv30.tuples(width, height).total();
            model.push((all.area(one), nv30.batches(tuples) as f64));
        }
        let mut record = Record::new();
        record.each("area", here.iter().map(|(area, _)| *area));
        record.each("time", here.iter().map(|(_, time)| time.median));
        let here = Series::measured("here", Style::Points, here);
        let series = [here, Series::new("model", Style::Points, model)];
        let axes = ["area of the rectangle (pixels)", "time (26×18 = 1)"].map(Axis::linear);
        let chart = Chart::new("The same experiment today", axes, series)
            .marked([(f64::from(BEST.0 * BEST.1), "26×18")]);
        let caption = "Multiply-adds without fetches, one rectangle per draw, waiting for each draw; and the model of the \
                       GeForce FX, whose staircase the measurement would have to follow. Intervals end at zero, below which no \
                       time is.";
        record.chart("fig3-measured", caption, chart.svg()?, chart.csv());
        Ok(record)
    },
);

//! One projection by five methods, for the page that compares them: how many passes, fetches and bytes make a velocity
//! free of divergence?
//!
//! All methods solve A p = f on the same grid of 128 x 128 cells with walls. A is the five-point Neumann operator on the
//! 129 x 129 nodes, which need multigrid's grids of 65, 33, … nodes; a node on a wall has half a control volume, and in a
//! corner a quarter. f is minus the divergence of a velocity that a pen has drawn. What a method leaves of the
//! divergence is its residual f − A p.

mod methods;
mod page;

use serde::Serialize;

use crate::base::error::BoxedError;
use crate::card::cache::Shape;
use crate::card::traffic::Traffic;
use crate::program::interpret::Order;
use crate::stream::Machine;

use super::container::Film;
use super::error::{FilmError, PAGE_BYTES};
use super::recorder::{About, Recorder};
use super::trace::{Event, Trace};
use methods::after;
use methods::nodes;
pub use methods::{CELLS, METHODS, Method};

/// Maximum size of the page in bytes.
pub const PRESSURE_BYTES: usize = 1_200_000;
/// Number of Jacobi sweeps that fluids in browsers take.
const SWEEPS: usize = 20;
/// The texture cache through which bytes are counted: 8 KB with lines of 32 bytes.
const CACHE: Shape = Shape::of_kb(8);

/// A method's work and what it leaves, after each of its units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Name of the method.
    pub name: &'static str,
    /// Name of its unit: a sweep, an iteration, a cycle.
    pub unit: &'static str,
    /// Programs and layout, in a sentence.
    pub about: &'static str,
    /// Texel and channel of the first node in the pressure's texture.
    pub origin: [usize; 2],
    /// Totals after units.
    pub steps: Vec<Step>,
    /// Number of units in the film.
    pub filmed: usize,
}

impl Row {
    /// The first step with a property.
    pub fn first(&self, holds: impl Fn(&Step) -> bool) -> Option<&Step> {
        self.steps.iter().find(|step| holds(step))
    }

    /// The last step with at most this number of fetches.
    fn within(&self, fetches: u64) -> &Step {
        let last = self.steps.iter().rev().find(|step| step.fetches <= fetches);
        last.unwrap_or(&self.steps[0])
    }
}

/// Totals after a number of units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Step {
    /// Number of units.
    pub units: usize,
    /// Passes.
    pub passes: u64,
    /// Fetches.
    pub fetches: u64,
    /// Bytes that a texture cache moves from memory.
    pub bytes: u64,
    /// Seconds of the passes on a GeForce FX 5800 Ultra, by the model.
    pub seconds: f64,
    /// Seconds of its target switches.
    pub switching: f64,
    /// ‖f − A p‖ / ‖f‖, in double precision from the pressure in single precision.
    pub residual: f64,
    /// Root mean square divergence of the corrected velocity, relative to that before.
    pub divergence: f64,
}

/// The comparison: all rows, and a film of each.
pub struct Pressure {
    /// Right-hand side f, one value per node.
    pub right: Vec<f32>,
    /// The methods.
    pub rows: Vec<Row>,
    films: Vec<Film>,
}

impl Pressure {
    /// Runs and records all methods.
    pub fn of(machine: &Machine, say: impl Fn(&str)) -> Result<Self, FilmError> {
        let right = right_side();
        let (mut rows, mut films) = (Vec::new(), Vec::new());
        for method in METHODS {
            say(method.name);
            let failed = |error: BoxedError| FilmError::Run(format!("{}: {error}", method.name));
            let (mut row, film) = counted(machine, method, &right, method.most)?;
            let moved = |units| moved(machine, method, &right, units).map_err(failed);
            let [none, one, two] = [moved(0)?, moved(1)?, moved(2)?];
            for step in row.steps.iter_mut().filter(|step| step.units > 0) {
                step.bytes = one - none + (step.units as u64 - 1) * (two - one);
            }
            rows.push(row);
            films.push(film);
        }
        Ok(Self { right, rows, films })
    }
}

/// A method with its work, except for bytes, after at most this number of units; and its film.
pub fn counted(
    machine: &Machine,
    method: &Method,
    right: &[f32],
    most: usize,
) -> Result<(Row, Film), FilmError> {
    let row = measured(machine, method, right, most);
    let mut row = row.map_err(|error| FilmError::Run(format!("{}: {error}", method.name)))?;
    let film = filmed(machine, method, right, row.filmed)?;
    price(&mut row, &film.trace);
    Ok((row, film))
}

/// A method's residuals, until the divergence is a thousandth.
fn measured(
    machine: &Machine,
    method: &Method,
    right: &[f32],
    most: usize,
) -> Result<Row, BoxedError> {
    let mut row = Row {
        name: method.name,
        unit: method.unit,
        about: method.about,
        origin: method.origin,
        steps: Vec::new(),
        filmed: method.most,
    };
    let mut error = None;
    machine.forget();
    (method.run)(machine, right, most, &mut |units, pressure| {
        let reached =
            |share: f64| row.first(|step| step.divergence <= share * row.steps[0].divergence);
        let has_ended = !row.steps.is_empty() && reached(1e-3).is_some();
        if has_ended || units > SWEEPS && units % SWEEPS > 0 && method.most > PASSING {
            return !has_ended;
        }
        match after(method.origin, pressure) {
            Ok(nodes) => {
                let [residual, divergence] = left(right, &nodes);
                row.steps.push(Step { units, residual, divergence, ..Step::default() });
            }
            Err(found) => error = Some(found),
        }
        error.is_none()
    })?;
    if let Some(error) = error {
        return Err(error.into());
    }
    let first = row.steps[0];
    for step in &mut row.steps {
        step.residual /= first.residual;
        step.divergence /= first.divergence;
    }
    let end = row.first(|step| step.divergence <= if row.steps.len() > LONG { 0.1 } else { 1e-3 });
    row.filmed = end.or(row.steps.last()).map_or(0, |step| step.units);
    // For a curve, later steps are dense enough at a distance of a twentieth.
    let goals = [0.1, 1e-3].map(|share| row.first(|step| step.divergence <= share).copied());
    let mut last = 0;
    row.steps.retain(|step| {
        let is_kept =
            step.units <= SWEEPS || step.units * 20 >= last * 21 || goals.contains(&Some(*step));
        last = if is_kept { step.units } else { last };
        is_kept
    });
    Ok(row)
}

/// A method with more units than this is measured at every twentieth only.
const PASSING: usize = 1000;
/// A film of more units than this ends at a tenth of the divergence.
const LONG: usize = 50;

fn filmed(
    machine: &Machine,
    method: &Method,
    right: &[f32],
    units: usize,
) -> Result<Film, FilmError> {
    let about = About {
        name: "pressure".into(),
        title: method.name.into(),
        opens: 1,
        command: "fragstream film --pressure".into(),
        ..About::default()
    };
    machine.forget();
    let recorder = Recorder::start(machine, about, PAGE_BYTES, |_| ())?;
    machine.scene("Preparation");
    let run = (method.run)(machine, right, units, &mut |done, pressure| {
        // A program would wait for the pressure now.
        let waits = done == 0 || pressure.read_record(1, 1).is_ok();
        if done < units {
            machine.scene(&format!("{} {}", method.unit, done + 1));
        }
        waits
    });
    run.map_err(|error| FilmError::Run(format!("{}: {error}", method.name)))?;
    recorder.end(false)
}

/// Fills in passes, fetches and the model's times from a film. All units of a method after the first cost the same.
fn price(row: &mut Row, trace: &Trace) {
    let mut totals: Vec<Step> = Vec::new();
    for event in &trace.events {
        match event {
            Event::Scene { .. } => totals.push(totals.last().copied().unwrap_or_default()),
            Event::Pass(pass) => {
                if let Some(now) = totals.last_mut() {
                    let cost = &trace.costs[trace.calls[pass.call].cost];
                    now.passes += 1;
                    now.fetches += cost.fetches;
                    now.seconds += cost.seconds[0];
                    now.switching += cost.switching[0];
                }
            }
            _ => {}
        }
    }
    let at = |units: usize| totals[units.min(totals.len() - 1)];
    let [prepared, before, last] = [at(0), at(totals.len() - 2), at(totals.len() - 1)];
    for step in &mut row.steps {
        let now = at(step.units);
        let more = step.units.saturating_sub(row.filmed) as u64;
        let total = |of: fn(&Step) -> f64| {
            of(&now) - of(&prepared) + more as f64 * (of(&last) - of(&before))
        };
        step.passes = now.passes - prepared.passes + more * (last.passes - before.passes);
        step.fetches = now.fetches - prepared.fetches + more * (last.fetches - before.fetches);
        step.seconds = total(|step| step.seconds);
        step.switching = total(|step| step.switching);
    }
}

/// Bytes through [`CACHE`] with this number of units.
fn moved(
    machine: &Machine,
    method: &Method,
    right: &[f32],
    units: usize,
) -> Result<u64, BoxedError> {
    machine.forget();
    let traffic =
        Traffic::of(machine, vec![CACHE], Order::Batches, || -> Result<_, BoxedError> {
            (method.run)(machine, right, units, &mut |_, _| true)
        })?;
    match traffic.untraced().into_iter().next() {
        Some((name, why)) => Err(format!("{name}: {why}").into()),
        None => Ok(traffic.bytes_moved()[0]),
    }
}

/// Area of each node's control volume.
pub fn volume(column: usize, row: usize) -> f64 {
    let width = |at: usize| if at == 0 || at == CELLS { 0.5 } else { 1.0 };
    width(column) * width(row)
}

/// Minus the divergence of what a pen has drawn, as flow out of each control volume: along a curve it pushes the fluid
/// in its direction. Nothing flows through the walls, and the sum of all is zero.
pub fn right_side() -> Vec<f32> {
    let at = |t: f64| {
        let angle = 1.5 * std::f64::consts::PI * t;
        [64.0 + 38.0 * angle.cos(), 60.0 + 30.0 * (1.7 * angle).sin()]
    };
    let strokes: Vec<[[f64; 2]; 2]> =
        (0..24u32).map(|n| [at(f64::from(n) / 24.0), at(f64::from(n + 1) / 24.0)]).collect();
    let velocity = |x: f64, y: f64, axis: usize| -> f64 {
        let pushes = strokes.iter().map(|[from, to]| {
            let distance = (x - from[0]).powi(2) + (y - from[1]).powi(2);
            (to[axis] - from[axis]) * (-distance / 18.0).exp()
        });
        pushes.sum()
    };
    let n = CELLS as f64;
    // Flow through a face: its length times the velocity in its middle.
    let through = |x: f64, y: f64, axis: usize| {
        let (along, across) = if axis == 0 { (x, y) } else { (y, x) };
        let length = if across == 0.0 || across == n { 0.5 } else { 1.0 };
        if along < 0.0 || along > n { 0.0 } else { length * velocity(x, y, axis) }
    };
    let out = |[column, row]: [usize; 2]| {
        let (x, y) = (column as f64, row as f64);
        let right_and_top = through(x + 0.5, y, 0) + through(x, y + 0.5, 1);
        (through(x - 0.5, y, 0) + through(x, y - 0.5, 1) - right_and_top) as f32
    };
    nodes().map(out).collect()
}

/// Norm of f − A p, and root mean square of its density, both in double precision.
pub fn left(right: &[f32], pressure: &[f32]) -> [f64; 2] {
    let at = |[column, row]: [usize; 2]| row * (CELLS + 1) + column;
    let (mut squares, mut densities) = (0.0, 0.0);
    for node @ [column, row] in nodes() {
        let own = f64::from(pressure[at(node)]);
        let mut residual = f64::from(right[at(node)]);
        for (axis, across) in [row, column].into_iter().enumerate() {
            let face = if across == 0 || across == CELLS { 0.5 } else { 1.0 };
            for beside in
                [node[axis].checked_sub(1), Some(node[axis] + 1).filter(|&at| at <= CELLS)]
            {
                let Some(beside) = beside else { continue };
                let mut other = node;
                other[axis] = beside;
                residual -= face * (own - f64::from(pressure[at(other)]));
            }
        }
        squares += residual * residual;
        densities += residual * residual / volume(column, row);
    }
    [squares.sqrt(), (densities / (CELLS * CELLS) as f64).sqrt()]
}

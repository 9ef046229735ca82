//! Refinement: x in double precision, from corrections that were solved for in single precision.
//!
//! Single precision cannot hold an x whose residual is small: rounding x alone leaves a residual of about
//! ε |A| |x|, which on an ill-conditioned matrix is most of b. It can hold a correction. So x and the
//! residual r = b − A x are kept in double precision on the CPU, A d = r is solved for d with as many
//! digits as single precision gives, and x ← x + d. The error shrinks by a factor of about κ ε from one
//! correction to the next, as long as that is below one (N. J. Higham, *Accuracy and stability of
//! numerical algorithms*, 2002, chapter 12).
//!
//! What solves for d is the caller's: conjugate gradients on textures, sweeps, cycles, factors. Residuals
//! are handed over with their root mean square scaled to about one, so that no square of them underflows.

use crate::parallel::{PART, collect, parts};

use super::host::tree_dot;
use super::multigrid::reason_to_stop;
use super::stopping::{Criteria, Outcome, Reason};

/// Corrections that may pass without a new smallest residual. The first ones may well enlarge it: an x of
/// many digits more has errors that A makes much of, and that the next correction takes away.
pub const PATIENCE: usize = 6;

/// What is to be corrected.
#[derive(Debug)]
pub struct Defect<'a> {
    /// The number of the correction, from 1.
    pub number: usize,
    /// The residual over [`scale`](Self::scale).
    pub residual: &'a [f32],
    /// Its norm.
    pub norm: f64,
    /// What the residual was divided by.
    pub scale: f64,
    /// The scale of the defect before over this one's; `None` for the first.
    pub rescaled: Option<f64>,
    /// The norm of the residual at which the whole is solved, over `scale` too.
    pub goal: f64,
    /// Iterations done so far.
    pub done: usize,
}

/// By how much a solve for a correction reduces the residual, about what single precision makes of a matrix of
/// condition 1e3 to 1e4: more would be digits of a system that is not quite the one given. And which part of
/// the goal the last one goes to.
const STARTING_AGAIN: [f64; 2] = [1e-4, 0.5];

/// The same where each solve goes on where the one before ended. A true residual takes little more than an
/// iteration then, and the less the recursion has drifted from it, the fewer follow: on matrices of condition
/// 1e3 to 1e6 shares of 0.1 to 0.01 need about as many. To miss the goal by a little takes no more.
const GOING_ON: [f64; 2] = [0.01, 0.95];

impl Defect<'_> {
    /// When a recursion for the correction is to stop, where `criteria` are those of the whole. It may go on
    /// where the one before ended ([`Workspace::correction`](super::Workspace::correction)), or start again.
    pub fn criteria(&self, criteria: &Criteria, goes_on: bool) -> Criteria {
        let [reduction, share] = if goes_on { GOING_ON } else { STARTING_AGAIN };
        Criteria {
            rtol: reduction,
            atol: share * self.goal,
            max_iterations: criteria.max_iterations.saturating_sub(self.done),
            ..*criteria
        }
    }
}

/// What was found.
#[derive(Debug)]
pub struct Correction {
    /// d, over the defect's scale.
    pub values: Vec<f32>,
    /// Norms of the residual after each iteration, over the scale, as the solve had them: one at least.
    pub norms: Vec<f64>,
    /// Why it went no further. Only [`Reason::Converged`], [`Reason::Stagnated`] and
    /// [`Reason::MaximumIterations`] promise that another correction may help.
    pub reason: Reason,
}

impl Correction {
    /// What so many steps found that look at no residual of their own, such as cycles; one at least. The
    /// history has NaN for all of them but the last.
    pub fn unseen(values: Vec<f32>, steps: usize) -> Self {
        Self {
            values,
            norms: vec![f64::NAN; steps],
            reason: Reason::Converged,
        }
    }
}

/// Corrects x until `residual`(x) = b − A x is within the tolerance.
///
/// `rounding`(x) is the norm of the residual that rounding x leaves, ε ‖|A| |x|‖: once the residual is below
/// it, a correction that does not halve it is the last. `criteria` bound the iterations of all corrections
/// together, `corrections` their number; `norm_of_b` is what the relative tolerance is relative to, the
/// first residual where it is zero. x is the best one that was found. The outcome's history has the norms
/// of all corrections one after the other, the last norm of each being the true one, and its replacements
/// are the corrections. `observer` is shown the iterations done and the true residual, before the first
/// correction and after each. Converged is what the residual in double precision says, and nothing else.
///
/// # Errors
/// Those of `correct`.
pub fn refine<E>(
    criteria: &Criteria,
    corrections: usize,
    norm_of_b: f64,
    x: &mut [f64],
    (residual, rounding): (impl Fn(&[f64]) -> Vec<f64>, impl Fn(&[f64]) -> f64),
    mut correct: impl FnMut(&Defect<'_>) -> Result<Correction, E>,
    mut observer: impl FnMut(usize, f64),
) -> Result<Outcome, E> {
    let mut defect = residual(x);
    let first = norm(&defect);
    let reference = if norm_of_b == 0.0 { first } else { norm_of_b };
    let tolerance = criteria.tolerance(reference);
    let outer = Criteria {
        max_iterations: corrections,
        ..*criteria
    };
    let (mut history, mut norms) = (vec![first], vec![first]);
    // The smallest residual so far, and its x where a correction has led away from it.
    let (mut smallest, mut best, mut is_best) = (first, Vec::new(), true);
    let (mut end, mut before) = (None, None);
    observer(0, first);
    let reason = loop {
        let stop = reason_to_stop(&norms, tolerance, &outer);
        let exhausted = history.len() > criteria.max_iterations;
        let exhausted = exhausted.then_some(Reason::MaximumIterations);
        match (stop, end, exhausted) {
            (Some(Reason::Converged), ..) => break Reason::Converged,
            (_, Some(reason), _) | (Some(reason), ..) | (.., Some(reason)) => break reason,
            (None, None, None) => {}
        }
        let scale = scale_of(norms[norms.len() - 1], defect.len());
        let single = collect(defect.len(), |place| (defect[place] / scale) as f32);
        let correction = correct(&Defect {
            number: norms.len(),
            residual: &single,
            norm: norms[norms.len() - 1] / scale,
            scale,
            rescaled: before.map(|before| before / scale),
            goal: tolerance / scale,
            done: history.len() - 1,
        })?;
        before = Some(scale);
        history.extend(correction.norms.iter().map(|norm| norm * scale));
        if is_best {
            best.clear();
            best.extend_from_slice(x);
            is_best = false;
        }
        parts(x, PART, &|first, x| {
            for (x, &value) in x.iter_mut().zip(&correction.values[first..]) {
                *x += f64::from(value) * scale;
            }
        });
        defect = residual(x);
        let now = norm(&defect);
        if !now.is_finite() {
            break Reason::NotFinite;
        }
        if let Some(last) = history.last_mut() {
            *last = now;
        }
        norms.push(now);
        observer(history.len() - 1, now);
        // A solve that broke off may have brought something all the same, and be worth another.
        let goes_on = matches!(
            correction.reason,
            Reason::Converged | Reason::Stagnated | Reason::MaximumIterations
        );
        let has_helped = now <= smallest / 2.0;
        end = match (has_helped, goes_on) {
            (true, _) => None,
            (false, true) => (now.min(smallest) <= rounding(x)).then_some(Reason::Stagnated),
            (false, false) => Some(correction.reason),
        };
        if now < smallest {
            (smallest, is_best) = (now, true);
        }
    };
    if !is_best {
        x.copy_from_slice(&best);
    }
    Ok(Outcome {
        reason,
        iterations: history.len() - 1,
        residual: history.last().copied().unwrap_or(first),
        verified: Some(smallest),
        history,
        replacements: norms.len() - 1,
    })
}

/// The power of two that brings the root mean square of so many values of this norm into [1, 2), so that
/// what single precision holds stays exact; one where there is none.
fn scale_of(norm: f64, values: usize) -> f64 {
    match norm / (values as f64).sqrt() {
        mean if mean > 0.0 && mean.is_finite() => {
            2.0_f64.powi(mean.log2().floor().clamp(-1000.0, 1000.0) as i32)
        }
        _ => 1.0,
    }
}

fn norm(values: &[f64]) -> f64 {
    tree_dot(values, values).sqrt()
}

//! Refinement: x in double precision, from corrections computed in single precision.
//!
//! Single precision cannot represent an x with a small residual: rounding x alone leaves a residual of about ε
//! |A| |x|, which on an ill-conditioned matrix is most of b. It can represent a correction. So x and the
//! residual r = b − A x are kept in double precision on the CPU, A d = r is solved for d in single precision,
//! and x ← x + d. Each correction multiplies the error by about κ ε, as long as that is below one (N. J.
//! Higham, *Accuracy and stability of numerical algorithms*, 2002, chapter 12).
//!
//! The caller provides the solver for d: conjugate gradients on textures, sweeps, cycles, factors. Residuals
//! are scaled to a root mean square of about one, so that no square of them underflows.

use crate::base::parallel::{PART, collect, parts};

use super::host::tree_dot;
use super::multigrid::reason_to_stop;
use super::stopping::{Criteria, Outcome, Reason};

/// Number of corrections without a new smallest residual after which the refinement stops. The first
/// corrections may well enlarge the residual: A amplifies the errors of an x with many more digits, and the
/// next correction removes them.
pub const PATIENCE: usize = 6;

/// A residual that is to be corrected.
#[derive(Debug)]
pub struct Defect<'a> {
    /// Residual divided by [`scale`](Self::scale).
    pub residual: &'a [f32],
    /// Norm of `residual`.
    pub norm: f64,
    /// Divisor of the residual.
    pub scale: f64,
    /// Scale of the previous defect divided by this one's; `None` for the first.
    pub rescaled: Option<f64>,
    /// Norm, also divided by `scale`, at which the system counts as solved.
    pub goal: f64,
    /// Number of iterations so far.
    pub done: usize,
}

/// Reduction of the residual by one correction, the fraction of the goal that the last one aims at, and
/// [`Criteria::of_largest`]. A reduction of 1e-4 is about what single precision reaches for condition numbers from 1e3
/// to 1e4; further digits would belong to a slightly different system.
const STARTING_AGAIN: [f64; 3] = [1e-4, 0.9, 1e-5];

/// Reductions if each solve continues where the previous one ended. Then a new true residual costs little more
/// than an iteration, and the less the recursion has drifted, the fewer follow: for condition numbers from 1e3
/// to 1e6 reductions of 0.1 to 0.01 need about the same number. Missing the goal by a little costs no more.
const GOING_ON: [f64; 3] = [0.01, 0.95, 0.01];

impl<'a> Defect<'a> {
    /// A residual of this norm, divided by `scale`, that is to fall to `tolerance`.
    pub fn new(residual: &'a [f32], [norm, scale, tolerance]: [f64; 3], done: usize) -> Self {
        let [norm, goal] = [norm, tolerance].map(|value| value / scale);
        Self { residual, norm, scale, rescaled: None, goal, done }
    }

    /// Criteria of the recursion for this correction, where `criteria` are those of the whole solve. It may
    /// continue where the previous one ended ([`Workspace::correction`](super::Workspace::correction)), or
    /// start again.
    pub fn criteria(&self, criteria: &Criteria, goes_on: bool) -> Criteria {
        let [reduction, share, of_largest] = if goes_on { GOING_ON } else { STARTING_AGAIN };
        Criteria {
            rtol: reduction,
            atol: share * self.goal,
            max_iterations: criteria.max_iterations.saturating_sub(self.done),
            of_largest,
            ..*criteria
        }
    }
}

/// Result of a solve for a correction.
#[derive(Debug)]
pub struct Correction {
    /// d, divided by the defect's scale, without `shift`.
    pub values: Vec<f32>,
    /// Constant part of d, divided by the scale. Rounded to single precision in `values`, a large one would hide the rest.
    pub shift: f64,
    /// Norms of the residual after each iteration, divided by the scale, from the recursion; at least one.
    pub norms: Vec<f64>,
    /// Reason for stopping. Only after [`Reason::Converged`], [`Reason::Stagnated`] and
    /// [`Reason::MaximumIterations`] may another correction help.
    pub reason: Reason,
}

impl Correction {
    /// Result of `steps` steps without residuals, such as cycles; at least one. The history has NaN for all
    /// steps but the last.
    pub fn unseen(values: Vec<f32>, steps: usize) -> Self {
        Self { values, shift: 0.0, norms: vec![f64::NAN; steps], reason: Reason::Converged }
    }

    /// x ← x + scale d
    pub(crate) fn add_to(&self, x: &mut [f64], scale: f64) {
        add(x, &self.values, scale);
        if self.shift != 0.0 {
            x.iter_mut().for_each(|x| *x += scale * self.shift);
        }
    }
}

/// Corrects x until `residual`(x) = b − A x is within the tolerance.
///
/// `rounding`(x) is the norm of the residual that rounding x leaves, ε ‖|A| |x|‖: below it, a correction that
/// does not halve the residual is the last. `criteria` limit the iterations of all corrections together,
/// `corrections` their number. The relative tolerance refers to `norm_of_b`, or to the first residual if that
/// is zero. x becomes the best iterate; if the iterations are used up, the
/// last one, which has the smaller error even if its residual is larger. The outcome's history contains the norms of all corrections; the last
/// norm of each is the true one. Its replacements are the corrections. `observer` gets the number of iterations
/// and the true residual, before the first correction and after each. Convergence is decided only by the
/// residual in double precision, that of the x returned is the second result.
pub fn refine<E>(
    criteria: &Criteria,
    corrections: usize,
    norm_of_b: f64,
    x: &mut [f64],
    (residual, rounding): (impl Fn(&[f64]) -> Vec<f64>, impl Fn(&[f64]) -> f64),
    mut correct: impl FnMut(&Defect<'_>) -> Result<Correction, E>,
    mut observer: impl FnMut(usize, f64),
) -> Result<(Outcome, Vec<f64>), E> {
    let mut defect = residual(x);
    let first = norm(&defect);
    let reference = if norm_of_b == 0.0 { first } else { norm_of_b };
    let tolerance = criteria.tolerance(reference);
    let outer = Criteria { max_iterations: corrections, ..*criteria };
    let (mut history, mut norms) = (vec![first], vec![first]);
    // The smallest residual so far, and its x if a later correction enlarged it.
    let (mut smallest, mut best, mut is_best) = (first, Vec::new(), true);
    let (mut end, mut before) = (None, None);
    observer(0, first);
    let (reason, is_last_wanted) = loop {
        let stop = reason_to_stop(&norms, tolerance, &outer);
        let exhausted = history.len() > criteria.max_iterations;
        let exhausted = exhausted.then_some(Reason::MaximumIterations);
        match (stop, end, exhausted) {
            (Some(Reason::Converged), ..) => break (Reason::Converged, false),
            (_, Some(reason), _) | (Some(reason), ..) => break (reason, false),
            (.., Some(reason)) => break (reason, true),
            (None, None, None) => {}
        }
        let scale = scale_of(norms[norms.len() - 1], defect.len());
        let single = collect(defect.len(), |place| (defect[place] / scale) as f32);
        let norms_of = [norms[norms.len() - 1], scale, tolerance];
        let correction = correct(&Defect {
            rescaled: before.map(|before| before / scale),
            ..Defect::new(&single, norms_of, history.len() - 1)
        })?;
        before = Some(scale);
        history.extend(correction.norms.iter().map(|norm| norm * scale));
        if is_best {
            best.clear();
            best.extend_from_slice(x);
            is_best = false;
        }
        correction.add_to(x, scale);
        defect = residual(x);
        let now = norm(&defect);
        if !now.is_finite() {
            break (Reason::NotFinite, false);
        }
        if let Some(last) = history.last_mut() {
            *last = now;
        }
        norms.push(now);
        observer(history.len() - 1, now);
        // A solve that ended early may still have improved x, and be worth another.
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
    if is_last_wanted {
        smallest = norms[norms.len() - 1];
    } else if !is_best {
        x.copy_from_slice(&best);
        defect = residual(x);
    }
    let outcome = Outcome {
        reason,
        iterations: history.len() - 1,
        residual: history.last().copied().unwrap_or(first),
        verified: Some(smallest),
        history,
        replacements: norms.len() - 1,
    };
    Ok((outcome, defect))
}

/// x ← x + scale d
pub(crate) fn add(x: &mut [f64], d: &[f32], scale: f64) {
    parts(x, PART, &|first, x| {
        for (x, &d) in x.iter_mut().zip(&d[first..]) {
            *x += f64::from(d) * scale;
        }
    });
}

/// The power of two that scales the root mean square of `values` values with this norm into [1, 2), so that
/// single-precision values remain exact; one if there is none.
pub(crate) fn scale_of(norm: f64, values: usize) -> f64 {
    match norm / (values as f64).sqrt() {
        mean if mean > 0.0 && mean.is_finite() => {
            2.0_f64.powi(mean.log2().floor().clamp(-1022.0, 1022.0) as i32)
        }
        _ => 1.0,
    }
}

fn norm(values: &[f64]) -> f64 {
    tree_dot(values, values).sqrt()
}

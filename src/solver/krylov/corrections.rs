//! Conjugate gradients for corrections: of which the residual is taken anew from time to time, and which wait
//! for numbers once an iteration.
//!
//! An x in double precision is corrected again and again ([`super::super::refinement`]). Where every correction
//! started the method again, all that it had learnt of the matrix would be lost. So the true residual takes the
//! place of the recursion's, and the direction stays (G. L. G. Sleijpen and H. A. van der Vorst, *Reliable
//! updated residuals in hybrid Bi-CG methods*, 1996; H. A. van der Vorst and Q. Ye, 2000).
//!
//! The method as Shewchuk lists it waits for pᵀAp, and then for the new rᵀr. Here one pass gives four
//! products, of which both follow, before r is changed:
//!
//! ```text
//! |r − α q|² = rᵀr − 2 α rᵀq + α² qᵀq,   q = A p,   α = rᵀr / pᵀq
//! ```
//!
//! That is an identity, and rᵀr is taken anew in each iteration, so that nothing adds up (after G. Meurant,
//! *Multitasking the conjugate gradient method on the CRAY X-MP/48*, 1987).
//!
//! Nothing in an iteration needs d itself: d ← d + α p waits until there are four directions, which a space may
//! add in one go.

use super::super::space::VectorSpace;
use super::super::stopping::{Criteria, Outcome, Reason};
use super::conjugate_gradients::{Workspace, unless_positive};
use super::record::{LinearSystem, Progress, Record};

/// Directions that d goes along at once.
const AT_ONCE: usize = 4;

impl<S: VectorSpace> Workspace<S> {
    /// Solves A d = b for a correction d, which is zero, to an x that is kept elsewhere and has b for its
    /// residual; no preconditioner is applied.
    ///
    /// It ends at the tolerance of `criteria`, where `rtol` is relative to the largest residual on the way:
    /// what rounding leaves is a share of that. With `rescaled`, b is what the correction before has left,
    /// multiplied by so much, and the method goes on in the direction it would have taken next, unless it had
    /// lost patience. What the recursion says is taken at its word, as in [`Workspace::recursion`]. The
    /// observer is shown a d that may be some iterations old.
    ///
    /// # Errors
    /// What the space or the operator report.
    pub fn correction(
        &mut self,
        system: &LinearSystem<'_, S>,
        d: &mut S::Vector,
        criteria: &Criteria,
        rescaled: Option<f64>,
        observer: impl FnMut(&Progress<'_, S::Vector>),
    ) -> Result<Outcome, S::Error> {
        let (space, a, b) = (system.space, system.operator, system.b);
        while self.earlier.len() + 1 < AT_ONCE {
            self.earlier.push(space.zeros()?);
        }
        let (r, p, q) = (&mut self.residual, &mut self.direction, &mut self.product);
        let earlier = &mut self.earlier;
        let norm = space.dot(b, b)?.sqrt();
        let mut record = Record::new(observer, norm, criteria);
        record.push(norm, d);
        let kept = self.conjugate.take().zip(rescaled);
        if let Some(reason) = record.at_start() {
            return Ok(record.outcome(reason, None, 0));
        }
        space.copy(b, r)?;
        if let Some((beta, rescaled)) = kept {
            space.xpby(p, beta * rescaled, b)?;
        } else {
            space.copy(b, p)?;
            self.coefficients.start();
        }
        let mut smallest = (f64::INFINITY, 0);
        // α along the earlier directions, and at the end along p too.
        let mut waiting: Vec<f64> = Vec::with_capacity(AT_ONCE);
        let mut reason = Reason::MaximumIterations;
        while record.iterations < criteria.max_iterations {
            a.apply(space, p, q)?;
            let [rr, pq, rq, qq] = space.products(r, p, q)?;
            if let Some(unusable) = unless_positive(pq, Reason::Indefinite) {
                reason = unusable;
                break;
            }
            let alpha = rr / pq;
            let squared = rr - 2.0 * alpha * rq + alpha * alpha * qq;
            // Rounding may leave less than nothing; what is no number stays none.
            let squared = if squared < 0.0 { 0.0 } else { squared };
            let (beta, norm) = (squared / rr, squared.sqrt());
            waiting.push(alpha);
            space.axpy(r, -alpha, q)?;
            self.coefficients.push(alpha, beta);
            record.iterations += 1;
            record.target = record.target.max(criteria.rtol * norm);
            if let Some(end) = record.look(norm, d, &mut smallest, criteria) {
                self.conjugate = (norm <= record.target).then_some(beta);
                reason = end.unwrap_or_else(|| record.word());
                let before = &earlier[..waiting.len() - 1];
                go_along(space, d, &mut waiting, before, p)?;
                break;
            }
            match earlier.get_mut(waiting.len() - 1) {
                Some(free) => {
                    space.xpby_into(r, beta, p, free)?;
                    std::mem::swap(p, free);
                }
                None => {
                    go_along(space, d, &mut waiting, earlier, p)?;
                    space.xpby(p, beta, r)?;
                }
            }
        }
        let before = &earlier[..waiting.len()];
        go_along(space, d, &mut waiting, before, p)?;
        Ok(record.outcome(reason, None, 0))
    }
}

/// d goes along the earlier directions, and along p if there is an α for it too.
fn go_along<S: VectorSpace>(
    space: &S,
    d: &mut S::Vector,
    waiting: &mut Vec<f64>,
    earlier: &[S::Vector],
    p: &S::Vector,
) -> Result<(), S::Error> {
    let directions = earlier.iter().chain([p]);
    let terms: Vec<_> = waiting.drain(..).zip(directions).collect();
    space.add_all(d, &terms)
}

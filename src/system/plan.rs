//! What a matrix will be solved by, decided before anything is laid out.

use std::time::Instant;

use crate::kruger2003::ColumnMatrix;
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine};

use super::choice::{Layout, Method};
use super::colours::Colours;
use super::error::SystemError;
use super::estimate::Estimate;
use super::options::{Limit, Options};

/// The method and the layout that a matrix will be solved by, and what that will take.
#[derive(Debug)]
pub struct Plan {
    /// The one asked for, or the one that suits the matrix.
    pub method: Method,
    /// The one asked for, or the one expected to be fastest.
    pub layout: Layout,
    /// What it will take.
    pub estimate: Estimate,
    /// How many unknowns are iterated for: all, or those of all colours but one.
    pub unknowns: usize,
    /// Of the matrix as it is, if it is to be solved with them.
    pub(super) colours: Option<Colours>,
    /// What planning took.
    pub(super) seconds: f64,
}

impl Plan {
    /// For a matrix and these options.
    ///
    /// # Errors
    /// A method and a layout that do not go together.
    pub fn new(a: &Csr<f64>, options: &Options) -> Result<Self, SystemError> {
        let started = Instant::now();
        let is_balanced = |method: Method| method.is_balanced(options.corrections);
        // What mostly suits a matrix is supposed to, until that is known.
        let (method, mut colours) = rayon::join(
            || options.method.unwrap_or_else(|| Method::suited_to(a)),
            || {
                let layout = options.layout.unwrap_or(Layout::Quarters);
                let is_balanced = is_balanced(options.method.unwrap_or(Method::Pcg));
                Colours::wanted(a, layout, is_balanced)
            },
        );
        let layouts = method.layouts();
        let is_balanced = is_balanced(method);
        let mut estimated = |layout| {
            let colours = match layout {
                Layout::Quarters if is_balanced => colours.take(),
                _ => None,
            };
            let estimate = Estimate::of(a, (method, layout), is_balanced, colours.as_ref());
            (layout, estimate, colours)
        };
        let (layout, estimate, colours) = match options.layout {
            Some(layout) => estimated(layout),
            None => {
                let general = |layout: &&Layout| matches!(layout, Layout::Rows | Layout::Quarters);
                let all = layouts
                    .iter()
                    .filter(general)
                    .map(|&layout| estimated(layout));
                let fits = all.filter(|(layout, e, _)| e.over(*layout, &options.limit).is_none());
                let fastest = fits.min_by(|(_, a, _), (_, b, _)| a.effort().total_cmp(&b.effort()));
                fastest.unwrap_or_else(|| estimated(layouts[0]))
            }
        };
        if !layouts.contains(&layout) {
            return Err(SystemError::Combination { method, layout });
        }
        Ok(Self {
            method,
            layout,
            estimate,
            unknowns: colours.as_ref().map_or(a.rows(), Colours::unknowns),
            colours,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// That a matrix of so many rows can be solved like this here.
    ///
    /// # Errors
    /// A texture that this driver does not make, or a texture barrier; an estimate over the limit.
    pub fn check(&self, machine: &Machine, rows: usize, limit: &Limit) -> Result<(), SystemError> {
        let Self {
            method,
            layout,
            estimate,
            ..
        } = *self;
        let is_feedback = matches!(method, Method::GaussSeidel | Method::Lu);
        if is_feedback && !machine.context().description().texture_barrier {
            return Err(SystemError::NoBarrier { method });
        }
        if layout == Layout::Columns {
            let vectors = VectorLayout::square(rows, Format::R32F)?;
            ColumnMatrix::check(machine, vectors)
                .map_err(|error| SystemError::from(error).elsewhere(method))?;
        }
        match estimate.over(layout, limit) {
            None => Ok(()),
            Some(limit) => Err(SystemError::Limit {
                method,
                layout,
                estimate,
                limit,
                remedy: match method {
                    Method::Lu => "take the method bicgstab on the layout rows",
                    Method::GaussSeidel if layout == Layout::Columns => "take the layout points",
                    _ if layout == Layout::Rows => "give a smaller matrix",
                    _ => "take the layout rows",
                },
            }),
        }
    }
}

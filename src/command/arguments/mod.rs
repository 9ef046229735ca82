//! Arguments that several commands take.

pub mod boundary_value;
pub mod size;
pub mod usage;

use std::fmt;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use crate::bolz2003::sparse::packing::PackingOptions;
use crate::card::cost::Nv30;
use crate::solver::Criteria;
use crate::stream::Machine;

use super::failure::Failure;

/// The method that solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Conjugate gradients.
    Cg,
    /// Conjugate gradients with the diagonal as preconditioner.
    Pcg,
}

/// The name of a choice as it is given.
pub fn name_of(value: impl ValueEnum) -> String {
    let name = value.to_possible_value();
    name.map_or_else(String::new, |name| name.get_name().to_owned())
}

/// What counts as converged.
#[derive(Args, Clone, Copy, Debug)]
pub struct Tolerances {
    /// Converged is |r| <= max(rtol |b|, atol), r the residual, b that of zero with prescribed values
    /// put in: the right side
    #[arg(long, value_name = "NUMBER", default_value = "1e-5",
          value_parser = not_negative, allow_negative_numbers = true)]
    pub rtol: f64,

    /// The absolute tolerance, in the unit of b
    #[arg(long, value_name = "NUMBER", default_value = "0",
          value_parser = not_negative, allow_negative_numbers = true)]
    pub atol: f64,
}

/// When to stop.
#[derive(Args)]
pub struct Stopping {
    #[command(flatten)]
    pub tolerances: Tolerances,

    /// The largest number of iterations of one solve
    #[arg(long, value_name = "N", default_value_t = Criteria::default().max_iterations)]
    pub maxiter: usize,
}

impl Stopping {
    /// The criteria, if b was multiplied by `scale` beforehand.
    pub fn criteria(&self, scale: f64) -> Criteria {
        Criteria {
            rtol: self.tolerances.rtol,
            atol: self.tolerances.atol * scale,
            max_iterations: self.maxiter,
            ..Criteria::default()
        }
    }
}

/// How to solve by conjugate gradients with the matrix as groups of rows, and when to stop.
#[derive(Args)]
pub struct Solver {
    /// Conjugate gradients, plain or with the diagonal as preconditioner
    #[arg(long, value_enum, default_value_t = Method::Cg)]
    pub method: Method,

    #[command(flatten)]
    pub stopping: Stopping,

    /// Width and height in texels of the rectangles that rows are packed into
    #[arg(long, value_name = "WxH", default_value_t = Rectangle::default())]
    pub rect: Rectangle,
}

impl Solver {
    /// How to pack rows on this machine.
    pub fn packing(&self, machine: &Machine) -> PackingOptions {
        self.rect.packing(machine)
    }
}

/// Width and height in texels of the rectangles that rows are packed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle(pub [u32; 2]);

impl Rectangle {
    /// How to pack rows on this machine.
    pub fn packing(self, machine: &Machine) -> PackingOptions {
        PackingOptions {
            rectangle: self.0,
            texture_limit: machine.context().description().rectangle_limit,
            ..PackingOptions::default()
        }
    }
}

impl Default for Rectangle {
    /// What the model of the NV30 finds best, 26 x 18.
    fn default() -> Self {
        let best = Nv30::default().best_rectangle();
        Self([best.width, best.height])
    }
}

impl fmt::Display for Rectangle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.0;
        write!(formatter, "{width}x{height}")
    }
}

impl FromStr for Rectangle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|&side: &u32| side > 0);
        let sides = text
            .split_once(['x', '×'])
            .and_then(|(width, height)| Some([side(width)?, side(height)?]));
        let remedy = "give a width and a height, as in 26x18";
        sides.map(Self).ok_or_else(|| remedy.to_owned())
    }
}

/// A finite number.
pub fn finite(text: &str) -> Result<f64, String> {
    number(text, |_| true, "give a finite number")
}

/// A finite number that is not negative.
pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |value| value >= 0.0, "give a number of at least 0")
}

/// A finite number above zero.
pub fn positive(text: &str) -> Result<f64, String> {
    number(text, |value| value > 0.0, "give a number above 0")
}

/// That a cycle with so many sweeps before and after a coarser level (`--pre`, `--post`) does something.
pub fn check_sweeps(pre: usize, post: usize) -> Result<(), Failure> {
    match pre + post {
        0 => Err(Failure::input(
            "--pre 0 --post 0 leaves nothing that relaxes; give a sweep to one of them",
        )),
        _ => Ok(()),
    }
}

/// Sweeps before and after a coarser level, as in `4,4`.
pub fn sweeps(text: &str) -> Result<[usize; 2], String> {
    let number = |text: &str| text.trim().parse::<u16>().ok().map(usize::from);
    text.split_once(',')
        .and_then(|(before, after)| Some([number(before)?, number(after)?]))
        .filter(|[before, after]| before + after > 0)
        .ok_or_else(|| "give two numbers of sweeps, as in 4,4".to_owned())
}

fn number(text: &str, fits: impl Fn(f64) -> bool, remedy: &str) -> Result<f64, String> {
    let value = text.parse().ok();
    let fitting = value.filter(|&value: &f64| value.is_finite() && fits(value));
    fitting.ok_or_else(|| remedy.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        solver: Solver,
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let solver = Line::parse_from(["line"]).solver;
        assert_eq!(solver.stopping.criteria(1.0), Criteria::default());
        let default = PackingOptions::default().rectangle;
        assert_eq!(solver.rect, Rectangle(default));
    }

    #[test]
    fn a_rectangle_has_two_sides_of_at_least_one_texel() {
        assert_eq!("26x18".parse(), Ok(Rectangle([26, 18])));
        for bad in ["auto", "26", "0x18", "26x", "x", "26x18x2", "-1x2", "1.5x2"] {
            assert!(bad.parse::<Rectangle>().is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_finite_and_of_the_right_sign() {
        assert_eq!(not_negative("0"), Ok(0.0));
        assert_eq!(positive("1e-6"), Ok(1e-6));
        for bad in ["-1", "NaN", "inf", "", "1,5"] {
            assert!(
                not_negative(bad).is_err() && positive(bad).is_err(),
                "{bad}"
            );
        }
        assert!(positive("0").is_err());
    }
}

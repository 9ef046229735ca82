//! Arguments that several commands take.

use std::str::FromStr;

use clap::{Args, ValueEnum};

use fragstream::bolz2003::packing::PackingOptions;
use fragstream::solver::Criteria;
use fragstream::stream::Machine;

/// The method that solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Conjugate gradients.
    Cg,
    /// Conjugate gradients with the diagonal as preconditioner.
    Pcg,
}

impl Method {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Cg => "cg",
            Method::Pcg => "pcg",
        }
    }
}

/// How to solve, and when to stop.
#[derive(Args)]
pub struct Solver {
    /// Conjugate gradients, plain or with the diagonal as preconditioner
    #[arg(long, value_enum, default_value_t = Method::Cg)]
    pub method: Method,

    /// Converged is |b - A x| <= max(rtol |b|, atol)
    #[arg(long, value_name = "NUMBER", default_value_t = Criteria::default().rtol,
          value_parser = not_negative, allow_negative_numbers = true)]
    pub rtol: f64,

    /// The absolute tolerance, in the unit of b
    #[arg(long, value_name = "NUMBER", default_value_t = Criteria::default().atol,
          value_parser = not_negative, allow_negative_numbers = true)]
    pub atol: f64,

    /// The largest number of iterations of one solve
    #[arg(long, value_name = "N", default_value_t = Criteria::default().max_iterations)]
    pub maxiter: usize,

    /// Width and height in texels of the rectangles that rows are packed into
    #[arg(long, value_name = "WxH", default_value_t = Rectangle::default())]
    pub rect: Rectangle,
}

impl Solver {
    /// When to stop, if b was multiplied by `scale` beforehand.
    pub fn criteria(&self, scale: f64) -> Criteria {
        Criteria {
            rtol: self.rtol,
            atol: self.atol * scale,
            max_iterations: self.maxiter,
            ..Criteria::default()
        }
    }

    /// How to pack rows on this machine.
    pub fn packing(&self, machine: &Machine) -> PackingOptions {
        PackingOptions {
            rectangle: self.rect.texels(machine),
            texture_limit: machine.context().description().rectangle_limit,
            ..PackingOptions::default()
        }
    }
}

/// The rectangles that rows are packed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle([u32; 2]);

impl Rectangle {
    /// Width and height. A size that has to be measured is to be found on `_machine`.
    fn texels(self, _machine: &Machine) -> [u32; 2] {
        self.0
    }
}

impl Default for Rectangle {
    fn default() -> Self {
        Rectangle(PackingOptions::default().rectangle)
    }
}

impl std::fmt::Display for Rectangle {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}x{}", self.0[0], self.0[1])
    }
}

impl FromStr for Rectangle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|&side: &u32| side > 0);
        let sides = text
            .split_once(['x', '×'])
            .and_then(|(width, height)| Some(Rectangle([side(width)?, side(height)?])));
        sides.ok_or_else(|| "give a width and a height, as in 26x18".to_owned())
    }
}

/// A finite number that is not negative.
pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |value| value >= 0.0, "give a number of at least 0")
}

/// A finite number above zero.
pub fn positive(text: &str) -> Result<f64, String> {
    number(text, |value| value > 0.0, "give a number above 0")
}

fn number(text: &str, fits: impl Fn(f64) -> bool, remedy: &str) -> Result<f64, String> {
    let value = text.parse().ok();
    let fitting = value.filter(|&value: &f64| value.is_finite() && fits(value));
    fitting.ok_or_else(|| remedy.to_owned())
}

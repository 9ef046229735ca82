//! How the pressure is solved for: on the card or on the CPU, and how far.

use clap::{Args, ValueEnum};

use crate::batty2003::LiquidError;
use crate::batty2003::pressure::gpu::{Index, Storage};
use crate::batty2003::pressure::host::Extent;
use crate::batty2003::pressure::{
    GpuSolver, Preconditioner, PressureSolver, Settings, host_solver,
};
use crate::solver::Criteria;
use crate::stream::Machine;

use super::super::arguments::not_negative;
use super::super::failure::Failure;

/// What solves for the pressure.
#[derive(Args)]
pub struct Solving {
    /// What solves for the pressure [default: gpu, or what the preconditioner needs]
    #[arg(long, value_enum)]
    on: Option<On>,

    /// What brings conjugate gradients closer in fewer iterations
    #[arg(long, value_enum, default_value_t = Preconditioner::Diagonal)]
    preconditioner: Preconditioner,

    /// How the matrix lies in textures [default: seven]
    #[arg(long, value_enum)]
    layout: Option<Storage>,

    /// How a program finds the texel of a neighbour [default: frac]
    #[arg(long, value_enum)]
    index: Option<Index>,

    /// Converged is |r| <= rtol |b|, r the residual, b the right side. A step's residual is in the next
    /// one's right side, so that 1e-3 is enough
    #[arg(long, value_name = "NUMBER", default_value = "1e-3", value_parser = not_negative,
          allow_negative_numbers = true)]
    rtol: f64,

    /// After how many iterations the norm of the residual is taken; 13 in the paper
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    norm_every: u32,

    /// The largest number of iterations of one solve
    #[arg(long, value_name = "N", default_value_t = Criteria::default().max_iterations)]
    maxiter: usize,
}

/// What solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum On {
    /// Fragment programs
    Gpu,
    /// All cores of the CPU, in double precision
    Cpu,
}

impl Solving {
    /// Whether the choices go together.
    pub fn check(&self) -> Result<(), Failure> {
        if self.on == Some(On::Gpu) && self.is_for_cpu() {
            return Err(Failure::input(
                "--preconditioner ic and mic are for the CPU: leave out --on gpu",
            ));
        }
        let switches = [
            ("--layout", self.layout.is_some()),
            ("--index", self.index.is_some()),
        ];
        match switches.into_iter().find(|switch| switch.1) {
            Some((name, _)) if self.place() == On::Cpu => Err(Failure::input(format_args!(
                "{name} is for the GPU: leave it out"
            ))),
            _ => Ok(()),
        }
    }

    fn is_for_cpu(&self) -> bool {
        matches!(
            self.preconditioner,
            Preconditioner::Ic | Preconditioner::Mic
        )
    }

    fn place(&self) -> On {
        let usual = if self.is_for_cpu() { On::Cpu } else { On::Gpu };
        self.on.unwrap_or(usual)
    }

    /// When to stop.
    pub fn criteria(&self) -> Criteria {
        Criteria {
            rtol: self.rtol,
            max_iterations: self.maxiter,
            norm_every: self.norm_every as usize,
            ..Criteria::default()
        }
    }

    /// The solver, for a grid of this size.
    pub fn solver(
        &self,
        machine: &Machine,
        size: [usize; 3],
    ) -> Result<Box<dyn PressureSolver>, LiquidError> {
        Ok(match self.place() {
            On::Cpu => Box::new(host_solver::<f64>(self.preconditioner, Extent::Liquid)),
            On::Gpu => {
                let usual = Settings::default();
                let settings = Settings {
                    storage: self.layout.unwrap_or(usual.storage),
                    index: self.index.unwrap_or(usual.index),
                    preconditioned: self.preconditioner == Preconditioner::Diagonal,
                    ..usual
                };
                Box::new(GpuSolver::new(machine, size, settings)?)
            }
        })
    }
}

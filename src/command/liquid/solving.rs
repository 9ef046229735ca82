//! The solver of the pressure: on the GPU or on the CPU.

use clap::{Args, ValueEnum};

use crate::arguments::count;
use crate::batty2003::{
    GpuSolver, Index, LiquidError, Preconditioner, PressureSolver, Settings, Storage, host_solver,
};
use crate::solver::Criteria;
use crate::stream::Machine;

use super::super::failure::Failure;

/// Solver of the pressure.
#[derive(Args)]
#[command(next_help_heading = "Pressure",
          mut_arg("rtol", |arg| arg.default_value("1e-3")), mut_arg("atol", |arg| arg.hide(true)))]
pub struct Solving {
    /// Processor that solves for the pressure [default: gpu; cpu with --preconditioner ic or mic]
    #[arg(long, value_enum)]
    on: Option<On>,

    /// Preconditioner
    #[arg(long, value_enum, default_value_t = Preconditioner::Diagonal)]
    preconditioner: Preconditioner,

    /// Layout of the matrix in textures [default: seven]
    #[arg(long, value_enum)]
    layout: Option<Storage>,

    /// Index arithmetic for the texel of a neighbour [default: frac]
    #[arg(long, value_enum)]
    index: Option<Index>,

    #[command(flatten)]
    criteria: Criteria,

    /// Number of iterations between two norms of the residual; about 13 in the paper
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = count(1..=10_000_u32))]
    norm_every: u32,
}

/// Processor that solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum On {
    /// Fragment programs
    Gpu,
    /// All cores of the CPU, in double precision
    Cpu,
}

impl Solving {
    /// Checks that the options are compatible.
    pub fn check(&self) -> Result<(), Failure> {
        if self.on == Some(On::Gpu) && self.is_for_cpu() {
            return Err(Failure::input(
                "--preconditioner ic and mic run on the CPU. Leave out --on gpu",
            ));
        }
        let switches = [("--layout", self.layout.is_some()), ("--index", self.index.is_some())];
        match switches.into_iter().find(|switch| switch.1) {
            Some((name, _)) if self.place() == On::Cpu => {
                Err(Failure::input(format_args!("{name} applies to the GPU. Leave it out")))
            }
            _ => Ok(()),
        }
    }

    fn is_for_cpu(&self) -> bool {
        matches!(self.preconditioner, Preconditioner::Ic | Preconditioner::Mic)
    }

    fn place(&self) -> On {
        let usual = if self.is_for_cpu() { On::Cpu } else { On::Gpu };
        self.on.unwrap_or(usual)
    }

    /// The stopping criteria.
    pub fn criteria(&self) -> Criteria {
        Criteria { norm_every: self.norm_every as usize, ..self.criteria }
    }

    /// The solver, for a grid of this size.
    pub fn solver(
        &self,
        machine: &Machine,
        size: [usize; 3],
    ) -> Result<Box<dyn PressureSolver>, LiquidError> {
        Ok(match self.place() {
            On::Cpu => Box::new(host_solver::<f64>(self.preconditioner)),
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

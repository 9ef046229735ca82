//! Solves on the card, counted and timed, and what each operation has to do with it.

use std::time::Instant;

use crate::batty2003::LiquidError;
use crate::batty2003::pressure::gpu::{Operation, Tally};
use crate::batty2003::pressure::{GpuSolver, Settings, System};
use crate::card::cost::{QUADRO_FX_1000, bill};
use crate::card::count::CountError;
use crate::solver::{Criteria, Outcome};
use crate::stream::{Ledger, Machine};

/// A solver whose solves are counted and timed.
pub struct Timed {
    machine: Machine,
    solver: GpuSolver,
    criteria: Criteria,
    /// How many solves there were.
    pub solves: u64,
    /// Their iterations.
    pub iterations: u64,
    /// Seconds of set-up, solve, read-back, all solves together.
    pub phases: [f64; 3],
    /// What the last solve did between set-up and read-back.
    pub ledger: Ledger,
}

impl Timed {
    /// For systems of one size, until these criteria are met.
    pub fn new(
        machine: &Machine,
        size: [usize; 3],
        settings: Settings,
        criteria: Criteria,
    ) -> Result<Self, LiquidError> {
        Ok(Self {
            machine: machine.clone(),
            solver: GpuSolver::new(machine, size, settings)?,
            criteria,
            solves: 0,
            iterations: 0,
            phases: [0.0; 3],
            ledger: Ledger::default(),
        })
    }

    /// Solves a system, from the last step's pressure unless its settings say otherwise.
    pub fn solve(
        &mut self,
        system: &System<f64>,
        last: &[f64],
    ) -> Result<(Outcome, Vec<f64>), LiquidError> {
        if self.solves == 0 {
            // Programs are translated at their first use, which is not what set-up means.
            self.solver.set_up(system, last)?;
            self.solver.iterate(&Criteria {
                max_iterations: 1,
                ..self.criteria
            })?;
            self.solver.tally().take();
        }
        self.machine.finish();
        let start = Instant::now();
        self.solver.set_up(system, last)?;
        self.machine.finish();
        let set_up = start.elapsed().as_secs_f64();
        self.machine.take_ledger();
        let outcome = self.solver.iterate(&self.criteria)?;
        self.machine.finish();
        let solved = start.elapsed().as_secs_f64();
        self.ledger = self.machine.take_ledger();
        let pressure = self.solver.read_back()?;
        let all = start.elapsed().as_secs_f64();
        let phases = [set_up, solved - set_up, all - solved];
        for (sum, phase) in self.phases.iter_mut().zip(phases) {
            *sum += phase;
        }
        self.solves += 1;
        self.iterations += outcome.iterations as u64;
        Ok((outcome, pressure))
    }

    /// How often each operation ran in all solves, and how long where each was waited for.
    pub fn tally(&self) -> Tally {
        self.solver.tally().get()
    }

    /// Seconds of all solves, with set-up and read-back.
    pub fn seconds(&self) -> f64 {
        self.phases.iter().sum()
    }

    /// Of each operation to a product.
    pub fn proportions(&self) -> [f64; 4] {
        let counts = self.tally().counts;
        counts.map(|count| count as f64 / counts[0].max(1) as f64)
    }
}

/// What a ledger has of one operation.
#[derive(Clone, Copy)]
pub struct Share {
    /// Texture fetches.
    pub fetches: f64,
    /// Seconds of an FX 1000 by the model of the cards.
    pub card_seconds: f64,
}

/// Fetches and the model's seconds of an operation in a ledger.
pub fn share(ledger: &Ledger, operation: Operation) -> Result<Share, CountError> {
    let begins: &[&str] = match operation {
        Operation::Product => &["batty2003/pressure/septdiagmul"],
        Operation::Dot => &["batty2003/pressure/multiply", "stream/reduce"],
        Operation::ScaleAdd => &["stream/vector_op", "stream/scale"],
        Operation::Precondition => &["batty2003/pressure/precondition"],
    };
    let kernels = ledger.kernels.clone().into_iter();
    let mut meant = Ledger {
        kernels: kernels
            .filter(|(name, _)| begins.iter().any(|begin| name.starts_with(begin)))
            .collect(),
        ..Ledger::default()
    };
    // Each is into another surface than the last.
    meant.target_switches = meant.total().passes;
    Ok(Share {
        fetches: bill(&meant).total().fetches as f64,
        card_seconds: QUADRO_FX_1000.seconds(&meant)?,
    })
}

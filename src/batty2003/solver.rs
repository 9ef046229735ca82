//! The pressure solve in fragment programs.

use std::cell::Cell;

use super::Error;
use super::system::{PressureSolver, System, convert};
use crate::solver::host::tree_dot;
use crate::solver::refinement::{Correction, Defect, PATIENCE, refine};
use crate::solver::scaling::power_of_two;
use crate::solver::{Criteria, LengthMismatch, LinearSystem, Outcome, Reason, Workspace};
use crate::stream::{Machine, Stream};

use super::matrix::{InverseDiagonal, SevenDiagonals};
use super::placement::Placement;
use super::settings::{Entries, Guess, Scalars, Settings};
use super::space::PressureSpace;
use super::surfaces::SurfaceScalars;

/// Largest number of corrections per solve.
const CORRECTIONS: usize = 10;

/// Numbers further from 1 than this, either way, are scaled before their squares leave the range of single precision.
const FAR: f64 = (1_u64 << 30) as f64;

/// Conjugate gradients on the GPU, for systems of one size, whose textures are kept from solve to solve.
pub struct GpuSolver {
    settings: Settings,
    size: [usize; 3],
    space: PressureSpace,
    matrix: SevenDiagonals,
    diagonal: InverseDiagonal,
    b: Stream,
    x: Stream,
    method: Method,
}

enum Method {
    Cpu(Box<Workspace<PressureSpace>>),
    Surfaces(Box<SurfaceScalars>),
}

impl GpuSolver {
    /// Creates textures and programs for systems of this size: nx, ny, nz.
    pub fn new(machine: &Machine, size: [usize; 3], settings: Settings) -> Result<Self, Error> {
        let placement = Placement::new(machine, size, &settings)?;
        let vector = |label| Stream::vector(machine, label, placement.layout());
        let space = PressureSpace::new(machine, placement.layout(), &settings)?;
        Ok(Self {
            settings,
            size,
            matrix: SevenDiagonals::new(machine, placement, &settings)?,
            diagonal: InverseDiagonal::new(machine, placement)?,
            b: vector("right-hand side")?,
            x: vector("pressure")?,
            method: match settings.scalars {
                Scalars::Cpu => Method::Cpu(Box::new(Workspace::new(&space)?)),
                Scalars::Surfaces => {
                    Method::Surfaces(Box::new(SurfaceScalars::new(machine, &space)?))
                }
            },
            space,
        })
    }

    /// The paper's "Setup": uploads a system and the start of a solve, one pressure per cell.
    pub fn set_up(&mut self, system: &System<f64>, pressure: &[f64]) -> Result<(), Error> {
        check(self.size, system, pressure)?;
        self.matrix.write(system)?;
        self.diagonal.write(system)?;
        let b: Vec<f32> = convert(&system.right_side);
        self.b.write(&b)?;
        // Appendix C, step 4: x ← b, or x ← the previous step's pressure
        let start = match self.settings.guess {
            Guess::RightSide => b,
            Guess::Warm => {
                // Pressure outside the liquid must not act on it.
                let mut pressure = pressure.to_vec();
                system.confine(&mut pressure);
                convert(&pressure)
            }
        };
        Ok(self.x.write(&start)?)
    }

    /// Makes the next solve start from zero, without an upload.
    pub fn start_from_zero(&mut self) {
        self.x.fill([0.0; 4]);
    }

    /// Solves the system last set up, continuing from the last solve, and trusts the
    /// recursive residual. Nothing is uploaded.
    pub fn iterate(&mut self, criteria: &Criteria) -> Result<Outcome, Error> {
        let system = LinearSystem {
            space: &self.space,
            operator: &self.matrix,
            preconditioner: self.settings.preconditioned.then_some(&self.diagonal as _),
            b: &self.b,
        };
        Ok(match &mut self.method {
            Method::Cpu(workspace) => {
                workspace.recursion(&system, &mut self.x, criteria, |_| ())?
            }
            Method::Surfaces(surfaces) => surfaces.recursion(&system, &mut self.x, criteria)?,
        })
    }

    /// The paper's "Readback of Data": the pressure of each cell.
    pub fn read_back(&self) -> Result<Vec<f64>, Error> {
        Ok(convert(&self.x.read()?))
    }

    /// Seconds of each operation since they were last taken ([`PressureSpace::seconds`]).
    pub fn seconds(&self) -> &Cell<[f64; 4]> {
        &self.space.seconds
    }
}

/// Checks that lengths match and all numbers are finite in single precision. Layouts wrap, so zero
/// coefficients meet numbers of distant cells, and zero times infinity is not zero.
fn check(size: [usize; 3], system: &System<f64>, pressure: &[f64]) -> Result<(), Error> {
    if system.size != size {
        return Err(Error::OtherSize { expected: size, found: system.size });
    }
    let [x, y, z] = &system.upper;
    let vectors: [(&str, &[f64]); 6] = [
        ("the matrix's diagonal", &system.diagonal),
        ("the matrix's diagonal at +x", x),
        ("the matrix's diagonal at +y", y),
        ("the matrix's diagonal at +z", z),
        ("the right-hand side", &system.right_side),
        ("the initial pressure", pressure),
    ];
    for (what, vector) in vectors {
        LengthMismatch::check(size.iter().product(), vector)?;
        if let Some(cell) = vector.iter().position(|&v| !(v as f32).is_finite()) {
            return Err(Error::NotFinite { what, cell });
        }
    }
    Ok(())
}

impl PressureSolver for GpuSolver {
    fn streams(&self) -> Vec<(String, &Stream)> {
        [("right-hand side", &self.b), ("pressure", &self.x)]
            .map(|(name, stream)| (name.to_owned(), stream))
            .into()
    }

    /// The paper's solve, followed by corrections in double precision if necessary
    /// ([`crate::solver::refinement`]): the recursive residual alone never makes a solve converged. The residual
    /// of the pressure that is read back is recomputed on the CPU from the original system, and
    /// is `verified` in the outcome. As long as it is too large, the GPU solves for a correction.
    ///
    /// A system whose numbers are far from 1 is first multiplied by powers of two.
    fn solve(
        &mut self,
        system: &System<f64>,
        pressure: &mut Vec<f64>,
        criteria: &Criteria,
    ) -> Result<Outcome, Error> {
        let far = |values: &[f64]| {
            let scale = power_of_two(values);
            if (1.0 / FAR..=FAR).contains(&scale) { 1.0 } else { scale }
        };
        // Bytes hold only the entries that they are made for, and one outlying entry is not a unit.
        let is_float = self.settings.entries == Entries::Float;
        let of_matrix = far(&system.diagonal);
        let is_even = system.diagonal.iter().all(|&a| a == 0.0 || a * of_matrix >= 1.0 / FAR);
        let of_matrix = if is_float && is_even { of_matrix } else { 1.0 };
        let of_right_side = far(&system.right_side);
        if [of_matrix, of_right_side] == [1.0; 2] {
            return self.solve_near(system, pressure, criteria);
        }
        let mut scaled = system.map(|value| value * of_matrix);
        scaled.right_side = system.right_side.iter().map(|b| b * of_right_side).collect();
        let unit = of_right_side / of_matrix;
        pressure.iter_mut().for_each(|p| *p *= unit);
        let criteria = Criteria { atol: criteria.atol * of_right_side, ..*criteria };
        let mut outcome = self.solve_near(&scaled, pressure, &criteria)?;
        pressure.iter_mut().for_each(|p| *p /= unit);
        outcome.residual /= of_right_side;
        outcome.verified = outcome.verified.map(|norm| norm / of_right_side);
        outcome.history.iter_mut().for_each(|norm| *norm /= of_right_side);
        Ok(outcome)
    }
}

impl GpuSolver {
    /// Solves a system whose numbers and their squares are in the range of single precision.
    fn solve_near(
        &mut self,
        system: &System<f64>,
        pressure: &mut Vec<f64>,
        criteria: &Criteria,
    ) -> Result<Outcome, Error> {
        let norm = tree_dot(&system.right_side, &system.right_side).sqrt();
        if norm == 0.0 {
            // No tolerance is relative to zero; the solution is zero.
            pressure.fill(0.0);
        }
        self.set_up(system, pressure)?;
        let first = self.iterate(criteria)?;
        *pressure = self.read_back()?;
        if !matches!(first.reason, Reason::Converged | Reason::Stagnated) {
            let verified = Some(system.residual_norm(pressure));
            return Ok(Outcome { verified, ..first });
        }
        let outer = Criteria { patience: PATIENCE, ..*criteria };
        let mut iterations = first.iterations;
        let correct = |defect: &Defect<'_>| {
            self.b.write(defect.residual)?;
            self.start_from_zero();
            let part = self.iterate(&Criteria {
                max_iterations: criteria.max_iterations - iterations,
                ..defect.criteria(criteria, false)
            })?;
            iterations += part.iterations;
            Ok::<_, Error>(Correction {
                values: self.x.read()?,
                shift: 0.0,
                norms: part.history[1..].to_vec(),
                reason: part.reason,
            })
        };
        let exact = (|x: &[f64]| system.residual(x), |x: &[f64]| system.rounding(x));
        let (refined, _) = refine(&outer, CORRECTIONS, norm, pressure, exact, correct, |_, _| ())?;
        Ok(Outcome {
            iterations,
            // The first norm is that of the last one's vector.
            history: [&first.history[..], &refined.history[1..]].concat(),
            ..refined
        })
    }
}

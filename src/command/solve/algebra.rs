//! Solving in the layouts of kruger2003: diagonals, columns, points.

use fragstream::kruger2003::{
    Accumulation, AlgebraError, ColumnMatrix, ColumnOptions, DiagonalMatrix, DiagonalOptions,
    GaussSeidel, LuSolver, Matrix, Schedule, VertexMatrix,
};
use fragstream::solver::{
    Criteria, Csr, Operator, Outcome, Progress, Reason, TextureDiagonal, TextureSpace,
    conjugate_gradients,
};
use fragstream::stream::{Format, Layout as VectorLayout, Machine, Stream};

use super::method::{Layout, Method};
use super::solution::{Clock, Observer, Solved};
use super::system::System;

/// Uploads, solves and reads back. The time of an upload includes what the CPU does for the layout.
pub fn solve(
    machine: &Machine,
    system: &System,
    (layout, method): (Layout, Method),
    criteria: &Criteria,
    observer: &mut Observer<'_>,
) -> Result<Solved, AlgebraError> {
    let clock = Clock::start(machine);
    let vectors = VectorLayout::square(system.a.rows(), Format::R32F)?;
    let space = TextureSpace::new(machine, vectors)?;
    let b: Vec<f32> = system.b.iter().map(|&value| value as f32).collect();
    let mut run = Run {
        a: &system.a,
        norm_of_b: system.norm_of_b(),
        b: space.vector(&b)?,
        x: space.zeros()?,
        space,
        criteria,
        observer,
        clock,
    };
    let (outcome, storage) = match method {
        Method::Cg | Method::Pcg => run.conjugate_gradients(layout, method == Method::Pcg)?,
        Method::GaussSeidel => run.gauss_seidel(layout)?,
        Method::Lu => run.lu()?,
        Method::Multigrid => unreachable!("it has a layout of its own"),
    };
    run.clock.seconds.compute = run.clock.lap();
    let x = run.x.read()?.into_iter().map(f64::from).collect();
    run.clock.seconds.read_back = run.clock.lap();
    Ok(Solved {
        x,
        outcome,
        storage,
        seconds: run.clock.seconds,
    })
}

struct Run<'a, 'o> {
    a: &'a Csr<f64>,
    norm_of_b: f64,
    space: TextureSpace,
    b: Stream,
    x: Stream,
    criteria: &'a Criteria,
    observer: &'a mut Observer<'o>,
    clock: Clock,
}

/// What a method did, and in a few words how the matrix was stored.
type Done = (Outcome, String);

impl Run<'_, '_> {
    fn conjugate_gradients(
        &mut self,
        layout: Layout,
        preconditioned: bool,
    ) -> Result<Done, AlgebraError> {
        let (matrix, storage) = self.store(layout)?;
        let diagonal: Vec<f32> = self.a.diagonal().iter().map(|&v| v as f32).collect();
        let diagonal = self.space.vector(&diagonal)?;
        let divide = TextureDiagonal::new(&self.space, &diagonal)?;
        self.clock.seconds.upload = self.clock.lap();
        let preconditioner = preconditioned.then_some(&divide as &dyn Operator<TextureSpace>);
        let (b, x, criteria) = (&self.b, &mut self.x, self.criteria);
        let observer = shown(self.observer);
        let outcome = conjugate_gradients(
            &self.space,
            &matrix,
            preconditioner,
            b,
            x,
            criteria,
            observer,
        )?;
        Ok((outcome, storage))
    }

    fn gauss_seidel(&mut self, layout: Layout) -> Result<Done, AlgebraError> {
        let solver = match layout {
            Layout::Columns => GaussSeidel::by_columns(&self.space, self.a)?,
            _ => GaussSeidel::new(&self.space, self.a, Schedule::default())?,
        };
        self.clock.seconds.upload = self.clock.lap();
        let observer = shown(self.observer);
        let outcome = solver.solve(&self.space, &self.b, &mut self.x, self.criteria, observer)?;
        let draws = counted(solver.draws(), "draw");
        Ok((outcome, format!("{draws} a sweep")))
    }

    fn lu(&mut self) -> Result<Done, AlgebraError> {
        self.clock.seconds.upload = self.clock.lap();
        let solver = match LuSolver::new(&self.space, self.a) {
            Ok(solver) => solver,
            Err(AlgebraError::ZeroPivot { row, .. }) => {
                return Ok((
                    broken_down(self.norm_of_b),
                    format!("no pivot for row {}", row + 1),
                ));
            }
            Err(error) => return Err(error),
        };
        let observer = shown(self.observer);
        let outcome = solver.solve(&self.space, &self.b, &mut self.x, self.criteria, observer)?;
        let exchanged = solver.factors().permutation.iter().enumerate();
        let exchanged = exchanged.filter(|&(row, &from)| row != from).count();
        Ok((outcome, format!("{exchanged} rows exchanged")))
    }

    fn store(&self, layout: Layout) -> Result<(Box<dyn Matrix>, String), AlgebraError> {
        let (machine, vectors) = (self.space.machine(), self.space.layout());
        Ok(match layout {
            Layout::Columns => {
                let options = ColumnOptions::default();
                let matrix = ColumnMatrix::new(machine, vectors, self.a, options)?;
                let (width, height) = matrix.stream().size();
                (Box::new(matrix), format!("one {width}x{height} texture"))
            }
            Layout::Points => {
                let accumulation = Accumulation::default();
                let matrix = VertexMatrix::new(machine, vectors, self.a, accumulation)?;
                let (count, draws) = (matrix.vertices(), matrix.passes());
                (
                    Box::new(matrix),
                    format!("{count} in {}", counted(draws, "draw")),
                )
            }
            _ => {
                let matrix = self.diagonals(self.a)?;
                let (count, passes) = (matrix.numbers().count(), matrix.passes());
                let passes = counted(passes, "pass");
                (Box::new(matrix), format!("{count} in {passes}"))
            }
        })
    }

    fn diagonals(&self, matrix: &Csr<f64>) -> Result<DiagonalMatrix, AlgebraError> {
        let (machine, vectors) = (self.space.machine(), self.space.layout());
        DiagonalMatrix::new(machine, vectors, matrix, DiagonalOptions::default())
    }
}

/// As in `1 pass`, `2 passes`, `2 draws`.
fn counted(count: usize, what: &str) -> String {
    let plural = match (count, what) {
        (1, _) => "",
        (_, "pass") => "es",
        _ => "s",
    };
    format!("{count} {what}{plural}")
}

/// The outcome of a decomposition that met a pivot of zero: nothing was solved, and b is left.
fn broken_down(norm_of_b: f64) -> Outcome {
    Outcome {
        reason: Reason::ZeroPivot,
        iterations: 0,
        residual: norm_of_b,
        verified: None,
        history: vec![norm_of_b],
        replacements: 0,
    }
}

/// What the observer of a solve shows.
fn shown(observer: &mut Observer<'_>) -> impl FnMut(&Progress<'_, Stream>) {
    |progress| observer(progress.iteration, progress.residual, progress.tolerance)
}

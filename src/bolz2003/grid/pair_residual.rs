//! The finest level's residual in pairs of floats, about 48 bits, which corrections in single precision change on the GPU
//! (fragstream's variant: the residuals of section 4.2 are in single precision).

use std::rc::Rc;

use crate::base::parallel::collect;
use crate::solver::scaling::pair;
use crate::stream::{Format, Kernel, Pair, Pass, Rects, Stream, StreamError, source};

use super::layering::LayeredGrid;

/// The residual r of −∇²u + σu = g on a plain grid, one node per texel.
pub struct PairResidual {
    kernel: Rc<Kernel>,
    nodes: Rects,
    /// r: high and low parts.
    r: Pair,
    ends: [f32; 4],
    period: [f32; 2],
    reaction: [f32; 2],
}

impl PairResidual {
    /// Uploads r, one value per node, divided by `scale`.
    pub fn new(
        grid: &LayeredGrid,
        sigma_h2: f64,
        residual: &[f64],
        scale: f64,
    ) -> Result<Self, StreamError> {
        let (machine, nodes) = (grid.machine(), grid.grid());
        let size = (nodes.columns() as u32, nodes.rows() as u32);
        let r = Pair::zeros(machine, "residual", size, Format::Rg32F)?;
        let mut values = collect(residual.len(), |place| pair(residual[place] / scale));
        nodes.bring_in_step(&mut values);
        r.front().write(values.as_flattened())?;
        let program = source!(bolz2003, "grid/stencil/residual_pair", with "stream/error_free");
        let period = |axis| if nodes.is_periodic(axis) { nodes.cells[axis] as f32 } else { 0.0 };
        Ok(Self {
            kernel: machine.kernel(&program, &[])?,
            nodes: machine.rect(r.front().full())?,
            r,
            ends: nodes.ends(),
            period: [0, 1].map(period),
            reaction: pair(sigma_h2),
        })
    }

    /// r ← r − A d for a correction d on a plain grid.
    pub fn correct(&mut self, d: &Stream) -> Result<(), StreamError> {
        let Self { kernel, nodes, r, ends, period, reaction } = self;
        // §4.2: r = b − A u, where u grows by d
        r.draw(|r, target| {
            Pass::new(kernel)
                .read("r", r)
                .read("correction", d)
                .set("one", 1.0)
                .set("ends", *ends)
                .set("period", *period)
                .set("reaction", *reaction)
                .draw(target, &*nodes)
        })
    }

    /// r on a plain grid: high and low parts.
    pub fn pairs(&self) -> &Stream {
        self.r.front()
    }
}

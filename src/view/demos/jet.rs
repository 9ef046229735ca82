//! A jet in a window (Bolz et al. 2003, section 4.1, Fig. 5): strokes drag the fluid along.

use crate::bolz2003;
use crate::bolz2003::fluid::{Domain, Dye, Fluid, Painter, Settings, Shown};
use crate::picture::Canvas;
use crate::simulation::Simulation;
use crate::stream::{Machine, Size, Stream};

use crate::view::demo::{Demo, Effort, Push};

const SHOWN: [Shown; 4] = [Shown::Dye, Shown::Speed, Shown::Vorticity, Shown::Pressure];

/// Fraction of the mouse's speed that the fluid takes.
const SHARE: f32 = 0.25;

/// The fluid in a domain, its dye, and its picture.
struct Moving<'a> {
    fluid: Fluid<'a>,
    dye: Dye<'a>,
    painter: Painter<'a>,
}

impl<'a> Moving<'a> {
    /// Fluid at rest.
    fn new(domain: &'a Domain) -> Result<Self, bolz2003::Error> {
        let inlet = domain.settings().inlet;
        Ok(Self {
            fluid: Fluid::at_rest(domain)?,
            dye: Dye::new(domain)?,
            painter: Painter::new(domain, inlet.map_or(1.0, |inlet| inlet.speed))?,
        })
    }
}

self_cell::self_cell!(
    /// A domain, and the fluid in it.
    struct Owned {
        owner: Domain,
        #[covariant]
        dependent: Moving,
    }
);

/// A jet that enters fluid at rest. It steps by fragstream's variant ([`Settings::fused`]), which gives the paper's fluid
/// in half the time.
pub struct Jet {
    owned: Owned,
    shown: Shown,
    /// The change of the velocity of every node in the next step, if there is one.
    push: Option<Vec<[f32; 2]>>,
}

impl Jet {
    /// Fluid at rest in a box with this many nodes.
    pub fn new(machine: &Machine, columns: usize, rows: usize) -> Result<Self, bolz2003::Error> {
        let domain = Domain::new(machine, Settings::fused(columns, rows))?;
        Ok(Self {
            owned: Owned::try_new(domain, |domain| Moving::new(domain))?,
            shown: Shown::Dye,
            push: None,
        })
    }

    fn domain(&self) -> &Domain {
        self.owned.borrow_owner()
    }

    fn moving(&self) -> &Moving<'_> {
        self.owned.borrow_dependent()
    }
}

impl Simulation for Jet {
    type Error = bolz2003::Error;

    fn machine(&self) -> &Machine {
        self.domain().machine()
    }

    fn grid(&self) -> String {
        let (columns, rows) = self.size();
        format!("{columns}x{rows} nodes")
    }

    fn step(&mut self, _measured: bool) -> Result<(), bolz2003::Error> {
        let push = self.push.take();
        self.owned.with_dependent_mut(|_, Moving { fluid, dye, .. }| {
            if let Some(push) = &push {
                fluid.set_force(push)?;
            }
            fluid.step()?;
            if let Some(mut push) = push {
                push.fill([0.0; 2]);
                fluid.set_force(&push)?;
            }
            dye.step(fluid)
        })
    }

    fn draw(&mut self, canvas: &Canvas) -> Result<(), bolz2003::Error> {
        let Moving { fluid, dye, painter } = self.moving();
        painter.draw(fluid, self.shown, Some(dye), None, canvas)
    }
}

impl Demo for Jet {
    const NAME: &'static str = "jet";
    const VIEWS: &'static [&'static str] = &["dye", "speed", "vorticity", "pressure"];
    const DETAIL_IN_SOFTWARE: f32 = 0.75;

    fn size(&self) -> Size {
        let grid = self.domain().grid();
        (grid.columns() as u32, grid.rows() as u32)
    }

    fn show(&mut self, view: usize) {
        self.shown = SHOWN[view];
    }

    fn aspect(&self) -> f32 {
        let [width, height] = self.domain().grid().cells.map(|cells| cells as f32);
        width / height
    }

    fn cell(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        let [width, height] = self.domain().grid().cells.map(|cells| cells as f32);
        Some([place[0] * width, place[1] * height])
    }

    /// Applies a force for one step, with a bell curve across the stroke.
    fn push(&mut self, push: &Push) -> Result<(), bolz2003::Error> {
        let grid = *self.domain().grid();
        let (from, way) = (push.from, [0, 1].map(|k| push.to[k] - push.from[k]));
        let squared = way[0] * way[0] + way[1] * way[1];
        if squared == 0.0 {
            return Ok(());
        }
        let speed = (SHARE * push.way).min(3.0) / squared.sqrt();
        let radius = 1.5 * push.radius.max(1.0);
        let changes = self.push.get_or_insert_with(|| vec![[0.0; 2]; grid.nodes()]);
        for (place, change) in changes.iter_mut().enumerate() {
            let [i, j] = grid.node(place).map(|n| n as f32);
            let off = [i - from[0], j - from[1]];
            let along = ((off[0] * way[0] + off[1] * way[1]) / squared).clamp(0.0, 1.0);
            let off = [off[0] - along * way[0], off[1] - along * way[1]];
            let bell = (-(off[0] * off[0] + off[1] * off[1]) / (radius * radius)).exp();
            change[0] += speed * bell * way[0];
            change[1] += speed * bell * way[1];
        }
        Ok(())
    }

    fn toggle_scene(&mut self) {}

    fn reset(&mut self) -> Result<(), bolz2003::Error> {
        self.push = None;
        self.owned.with_dependent_mut(|domain, moving| {
            *moving = Moving::new(domain)?;
            Ok(())
        })
    }

    fn effort(&self) -> Effort {
        Effort { iterations: self.domain().settings().cycles, residual: f64::NAN }
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        let streams = [
            ("velocity", self.moving().fluid.velocity()),
            ("pressure, in four quadrants", self.moving().fluid.pressure()),
            ("dye", self.moving().dye.concentrations()),
        ];
        let named = streams.map(|(name, stream)| (name.to_owned(), stream));
        named.into()
    }
}

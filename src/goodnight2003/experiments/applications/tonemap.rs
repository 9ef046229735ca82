//! §5.2, colour plate 2: a picture of high dynamic range, compressed by the GPU and by the CPU.

use crate::claim::bundled;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::Settings;
use crate::goodnight2003::tonemap::{ToneMapSettings, compare, tone_map, twin};
use crate::solver::Criteria;
use crate::solver::multigrid::default_criteria;
use crate::stream::Machine;

const TONEMAP: Claim = Claim {
    id: "goodnight2003/tonemap",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§5.2, colour plate 2",
    statement: "Gradient-domain compression of a picture of high dynamic range: the GPU's and the \
                CPU's results look alike.",
    paper: "two pictures",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/tonemap",
    section: "§5.2",
    title: "Tone mapping of high dynamic range",
    claims: &[TONEMAP],
    run,
};

/// A channel may be so far off, of 255: rounded to the next step instead of to this one.
const CHANNEL: u8 = 1;

/// I may be so far off: a fifth of what tells the brightest two of 256 greys apart.
const LOGARITHM: f64 = 1e-3;

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let image = input::panorama()?;
    let (settings, solver) = (ToneMapSettings::default(), Settings::default());
    let criteria = default_criteria();
    let device = tone_map(machine, &image, &settings, &solver, &criteria, |_, _| {})?;
    let exact = Criteria {
        rtol: 1e-10,
        ..criteria
    };
    let host = twin::tone_map(&image, &settings, &solver, &exact)?;
    let difference = device.difference(&host);
    let text = format!(
        "channels at most {} of 255 apart, {:.2} % of them at all; log luminance {:.1e}",
        difference.channel,
        100.0 * difference.share,
        difference.logarithm
    );
    let why = format!(
        "{}x{} pixels, {} levels of attenuation; the GPU's residual falls by {:.0e} in {} cycles, the \
         CPU's, in double precision, by {:.0e} in {}. The bounds are {CHANNEL} of 255 and \
         {LOGARITHM:.0e}.",
        image.width(),
        image.height(),
        device.levels.len(),
        criteria.rtol,
        device.solve.cycles,
        exact.rtol,
        host.solve.cycles,
    );
    let solved = device.solve.is_solved() && host.solve.is_solved();
    let alike = difference.channel <= CHANNEL && difference.logarithm <= LOGARITHM;
    let finding = TONEMAP.judge(solved && alike, text, why);
    let panels = compare::panels(&image, [&device.picture, &host.picture]);
    let caption = "A room with lamps and daylight, luminance over 5.5 decades: exposed for the room \
                   and clamped; compressed on the GPU; compressed on the CPU. Panorama: Poly Haven, \
                   CC0.";
    let finding = finding.with_image("goodnight2003/tonemap.png", caption, &panels)?;
    Ok(vec![finding])
}

//! §5.2, colour plate 2: a picture of high dynamic range, its Poisson equation solved on the GPU and on the CPU.

use crate::claim::{Checked, Claim, Found, Run, bundled};
use crate::goodnight2003::Settings;
use crate::goodnight2003::tonemap::panels;
use crate::goodnight2003::tonemap::{ToneMapSettings, ToneMapper};
use crate::solver::Criteria;
use crate::solver::multigrid::default_criteria;

/// Largest difference of a channel, of 255: rounding to a neighbouring step.
const CHANNEL: f64 = 1.0;

/// Largest difference of the log luminance: a fifth of the step between the brightest two of 256 grey levels.
const LOGARITHM: f64 = 1e-3;

pub(super) fn room(run: &mut Run<'_>, _: &Claim) -> Checked {
    let image = bundled::panorama()?;
    let (settings, solver) = (ToneMapSettings::default(), Settings::default());
    let criteria = default_criteria();
    let mut mapper = ToneMapper::new(run.machine, &image, &settings, &solver)?;
    let device = mapper.solve(&criteria, |_, _| {})?;
    let exact = Criteria {
        rtol: 1e-10,
        ..criteria
    };
    let host = mapper.solve_on_cpu(&exact)?;
    let difference = device.difference(&host);
    let panels = panels(&image, [&device.picture, &host.picture]);
    let caption = "A room with lamps and daylight (luminance over 5.5 decades), exposed for the room and clamped; \
                   compressed by the Poisson solver on the GPU, and on the CPU. Picture: Poly Haven, CC0.";
    run.image("tonemap", caption, &panels)?;
    Ok(Found::new()
        .at_most(
            "largest difference of a channel (0 to 255)",
            f64::from(difference.channel),
            CHANNEL,
        )
        .at_most(
            "largest difference of the log luminance",
            difference.logarithm,
            LOGARITHM,
        )
        .holds(
            "both are solved",
            device.solve.is_solved() && host.solve.is_solved(),
        )
        .shows_in("channels that differ", 100.0 * difference.share, "%")
        .shows("cycles on the GPU", device.solve.cycles as f64))
}

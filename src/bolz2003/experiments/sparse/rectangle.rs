//! §3.2.2: the best rectangle of the GeForce FX, derived from the model of its fragment stage.

use crate::card::cost::{Nv30, Rectangle};
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, listed,
};
use crate::picture::colour::map::SEQUENTIAL;
use crate::picture::numbers::with_numbers;
use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet};
use crate::stream::Machine;

const CLAIM: Claim = Claim {
    id: "bolz2003/rectangle",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "§3.2.2",
    statement: "Of all rectangles that fit a single batch of the GeForce FX (128 tuples of 2×2 \
                pixels, two triangles a rectangle), the one that wastes least is 26 × 18 pixels.",
    paper: "26×18",
};

const ONE_BATCH: Claim = Claim {
    id: "bolz2003/one-batch",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Model,
    section: "§3.2.2",
    statement: "Rectangles that fill one batch (z = 1) lose little beside rectangles of many batches \
                (z ≫ 1): more of their tuples lie on the diagonal.",
    paper: "less than 10 %",
};

/// Numbers of batches that are compared with one.
const BATCHES: [u32; 3] = [2, 4, 8];
/// The paper's bound.
const NEGLIGIBLE: f64 = 0.1;

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/best-rectangle",
    section: "§3.2.2",
    title: "The best rectangle, found by trying all of them in the model",
    claims: &[CLAIM, ONE_BATCH],
    run,
};

const BELOW: Colour = [0xcf, 0xe3, 0xf1];
const ABOVE: Colour = [0xfb, 0xe6, 0xc8];
const TWICE: Colour = [0xd5, 0x5e, 0x00];

fn run(_: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let nv30 = Nv30::default();
    let best = nv30.best_rectangle();
    let tuples = best.tuples;
    let measured = format!(
        "{}×{}: {} tuples + {} twice = {}",
        best.width,
        best.height,
        tuples.covered,
        tuples.twice,
        tuples.total()
    );
    let tied = nv30.best_rectangles(1).len();
    let useful = 100.0 * (1.0 - nv30.waste(best.width, best.height));
    let remark = format!(
        "All sizes were tried. {tied} are best, this one and its transpose; {useful:.1} % of a batch is \
         then useful work. The wide one is taken: it touches fewer rows of the texture."
    );
    let finding = CLAIM.judge((best.width, best.height) == (26, 18), measured, remark);
    Ok(vec![
        finding
            .with_figure(
                "bolz2003/rectangle.png",
                format!(
                    "The best rectangle as the model rasterises it: two triangles, in tuples of 2×2 \
                     pixels. Dots are pixel centres, white where both triangles put the tuple into \
                     the fragment stage: {} of {} tuples are done twice, and {} fill the batch \
                     exactly.",
                    tuples.twice,
                    tuples.covered,
                    tuples.total()
                ),
                draw_tuples(&nv30, best)?,
            )
            .with_figure(
                "bolz2003/rectangle-waste.png",
                "Useful share of the fragment stage for every rectangle that stands alone (the \
                 model): bright ridges are rectangles that just fill 1, 2, 3 … batches. The ring \
                 marks 26×18, the best of the first ridge; its mirror image is as good.",
                draw_waste(&nv30, best)?,
            ),
        one_batch(&nv30),
    ])
}

/// What a batch a rectangle costs beside several.
fn one_batch(nv30: &Nv30) -> Finding {
    let useful = |batches: u32| {
        let best = nv30.best_rectangles(batches);
        let of = |rectangle: &Rectangle| 1.0 - nv30.waste(rectangle.width, rectangle.height);
        best.first().map_or(0.0, of)
    };
    let one = useful(1);
    let loss = |useful: f64| 1.0 - one / useful;
    let losses = BATCHES.map(|z| (z, loss(useful(z))));
    let text = losses.map(|(z, loss)| format!("z = {z}: {:.1} %", 100.0 * loss));
    let most = loss(1.0);
    let why = format!(
        "Each z with its own best rectangle. Beside a fragment stage of which nothing is wasted, the limit of \
         large z, it is {:.1} %. What it costs to start a rectangle is not in the model.",
        100.0 * most
    );
    let holds = most < NEGLIGIBLE && losses.iter().all(|&(_, loss)| loss < NEGLIGIBLE);
    ONE_BATCH.judge(holds, listed(text), why)
}

/// Whether the centre of a pixel lies in the triangle above the diagonal.
fn is_above(rectangle: Rectangle, x: u32, y: u32) -> bool {
    (2 * x + 1) * rectangle.height < (2 * y + 1) * rectangle.width
}

/// Every tuple of the rectangle, those that both triangles touch in a strong colour.
fn draw_tuples(nv30: &Nv30, rectangle: Rectangle) -> Result<Vec<u8>, BoxedError> {
    let (width, height, side) = (rectangle.width, rectangle.height, nv30.tuple_side);
    let scale = 40.0;
    let (left, top) = (50.0, 96.0);
    let mut sheet = Sheet::new(1140, 900);
    // Rows are counted from the bottom.
    let corner = |x: u32, y: u32| {
        [
            left + scale * f64::from(x),
            top + scale * f64::from(height - y),
        ]
    };
    let mut twice = 0;
    for y in (0..height).step_by(side as usize) {
        for x in (0..width).step_by(side as usize) {
            let pixels = (0..side * side).map(|k| (x + k % side, y + k / side));
            let above = pixels.clone().filter(|&(x, y)| is_above(rectangle, x, y));
            let above = above.count() as u32;
            let colour = match above {
                0 => BELOW,
                n if n == side * side => ABOVE,
                _ => TWICE,
            };
            twice += u64::from(colour == TWICE);
            let ([x0, y0], [x1, y1]) = (corner(x, y + side), corner(x + side, y));
            sheet.fill([x0 + 1.5, y0 + 1.5], [x1 - 1.5, y1 - 1.5], colour);
            let dot = if colour == TWICE { [255; 3] } else { QUIET };
            for (x, y) in pixels {
                let [x, y] = corner(x, y);
                sheet.disc([x + scale / 2.0, y - scale / 2.0], 2.5, dot)?;
            }
        }
    }
    if twice != rectangle.tuples.twice {
        return Err(format!("the picture shows {twice} tuples twice, the model does not").into());
    }
    sheet.line(&[corner(0, 0), corner(width, height)], 3.0, INK)?;
    let title = format!(
        "{width} × {height} pixels: {} tuples, {twice} of them twice, fill one batch of {}",
        rectangle.tuples.covered, nv30.tuples_per_batch
    );
    sheet.text(&title, [left, 48.0], Align::Left, 36.0, INK)?;
    let legend = [
        (BELOW, "lower triangle"),
        (ABOVE, "upper triangle"),
        (TWICE, "both: rasterised twice"),
    ];
    for (k, (colour, text)) in legend.into_iter().enumerate() {
        let x = left + 300.0 * k as f64;
        sheet.fill([x, 844.0], [x + 32.0, 876.0], colour);
        sheet.text(text, [x + 44.0, 860.0], Align::Left, 26.0, INK)?;
    }
    Ok(sheet.png()?)
}

/// The useful share of every rectangle up to some size, the best one ringed.
fn draw_waste(nv30: &Nv30, best: Rectangle) -> Result<Vec<u8>, BoxedError> {
    const LARGEST: u32 = 64;
    let cell = 11.0;
    let (left, bottom) = (110.0, 816.0);
    let mut sheet = Sheet::new(980, 906);
    // The middle of a rectangle's cell.
    let middle = |w: u32, h: u32| {
        let [right, up] = [w, h].map(|side| cell * (f64::from(side) - 0.5));
        [left + right, bottom - up]
    };
    let side = cell * f64::from(LARGEST);
    sheet.shade(
        [left, bottom - side],
        [left + side, bottom],
        |across, down| {
            let [w, h] = [across, 1.0 - down].map(|share| (share * f64::from(LARGEST)) as u32 + 1);
            SEQUENTIAL.at(1.0 - nv30.waste(w, h))
        },
    );
    let [x, y] = middle(best.width, best.height);
    ring(&mut sheet, [x, y], 13.0)?;
    let name = format!("{}×{}", best.width, best.height);
    sheet.text(&name, [x + 22.0, y - 22.0], Align::Left, 30.0, INK)?;
    for tick in [1, 16, 32, 48, 64] {
        let ([x, y], tick) = (middle(tick, tick), tick.to_string());
        sheet.text(&tick, [x, bottom + 22.0], Align::Centre, 24.0, QUIET)?;
        sheet.text(&tick, [left - 12.0, y], Align::Right, 24.0, QUIET)?;
    }
    let title = "Useful share of the fragment stage, by size of the rectangle";
    sheet.text(title, [40.0, 40.0], Align::Left, 34.0, INK)?;
    let across = [left + cell * 32.0, bottom + 58.0];
    sheet.text("width (pixels)", across, Align::Centre, 26.0, QUIET)?;
    sheet.text("height", [40.0, 86.0], Align::Left, 26.0, QUIET)?;
    sheet.shade([850.0, bottom - 400.0], [880.0, bottom], |_, down| {
        SEQUENTIAL.at(1.0 - down)
    });
    for percent in [0, 50, 100] {
        let y = bottom - 4.0 * f64::from(percent);
        let text = format!("{percent} %");
        sheet.text(&text, [888.0, y - 2.0], Align::Left, 24.0, QUIET)?;
    }
    let mut csv = "width,height,useful\n".to_owned();
    for (w, h) in (1..=LARGEST).flat_map(|h| (1..=LARGEST).map(move |w| (w, h))) {
        csv += &format!("{w},{h},{:.4}\n", 1.0 - nv30.waste(w, h));
    }
    Ok(with_numbers(sheet.png()?, &csv))
}

fn ring(sheet: &mut Sheet, [x, y]: [f64; 2], radius: f64) -> Result<(), BoxedError> {
    let at = |k: u32| {
        let angle = f64::from(k) * std::f64::consts::TAU / 48.0;
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    let points: Vec<_> = (0..=48).map(at).collect();
    Ok(sheet.line(&points, 3.0, INK)?)
}

//! An axis: positions of values, and ticks.

/// Distribution of values along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal distances.
    #[default]
    Linear,
    /// Equal ratios have equal distances; values that are not positive are dropped.
    Logarithmic,
}

/// An axis of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Quantity, with the unit, such as `rectangle area (pixels)`.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// The range shown; by default that of the values, extended to zero if that is near.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// A logarithmic axis.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Axis { label: label.into(), scale: Scale::Logarithmic, range: None }
    }

    /// Sets the range.
    pub fn with_range(mut self, from: f64, to: f64) -> Self {
        self.range = Some((from, to));
        self
    }

    /// The ruler that shows these values; `None` if none of them can be shown.
    pub(super) fn ruler(&self, values: impl Iterator<Item = f64>) -> Option<Ruler> {
        let scale = self.scale;
        let mut shown = values.filter(|&value| scale.shows(value)).peekable();
        shown.peek()?;
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let given =
            self.range.filter(|(from, to)| from < to && scale.shows(*from) && scale.shows(*to));
        let (low, high) = given.unwrap_or_else(|| scale.comfortable(low, high));
        Some(Ruler { scale, low, high })
    }
}

impl Scale {
    /// Tests whether such an axis can show a value.
    pub(super) fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Scale::Linear || value > 0.0)
    }

    /// A range with some space around low and high.
    fn comfortable(self, low: f64, high: f64) -> (f64, f64) {
        match self {
            Scale::Linear => {
                let reach = if high > low { high - low } else { high.abs().max(1.0) };
                // Zero is included if it is near.
                let low_end =
                    if low >= 0.0 && low <= 0.5 * high { 0.0 } else { low - 0.05 * reach };
                (low_end, high + 0.05 * reach)
            }
            Scale::Logarithmic => {
                let air = (high / low).powf(0.04).max(1.25);
                (low / air, high * air)
            }
        }
    }
}

/// An axis with its range fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Ruler {
    /// The position of a value: from 0 to 1 inside of the axis.
    pub fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// Tests whether a value is on the axis, ends included.
    pub fn holds(&self, value: f64) -> bool {
        self.scale.shows(value) && (-1e-9..=1.0 + 1e-9).contains(&self.place(value))
    }

    /// Round values along the axis, about `wanted` of them.
    pub fn ticks(&self, wanted: usize) -> Vec<f64> {
        let ticks = match self.scale {
            Scale::Linear => linear_ticks(self.low, self.high, wanted),
            Scale::Logarithmic => logarithmic_ticks(self.low, self.high, wanted),
        };
        ticks.into_iter().filter(|&tick| self.holds(tick)).collect()
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough * 0.999);
    let step = factor.unwrap_or(10.0) * power;
    let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

/// Powers of ten, thinned out if there are many, with 2 and 5 in between if there are few.
fn logarithmic_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = (high / low).log10();
    let stride = (decades / wanted.max(1) as f64).ceil().max(1.0) as i32;
    let between: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = (first..=last).filter(|power| power.rem_euclid(stride) == 0);
    powers.flat_map(|power| between.iter().map(move |factor| factor * 10f64.powi(power))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_lie_on_the_axis() {
        let ruler = Axis::linear("").ruler([0.0, 520.0].into_iter()).unwrap();
        assert_eq!(ruler.ticks(6), [0.0, 100.0, 200.0, 300.0, 400.0, 500.0]);
        let ruler = Axis::logarithmic("").ruler([3e-6, 2.0].into_iter()).unwrap();
        let powers: Vec<f64> = (-5..=0).map(|power| 10f64.powi(power)).collect();
        assert_eq!(ruler.ticks(7), powers);
        let ruler = Axis::logarithmic("").ruler([1e-40, 1e40].into_iter()).unwrap();
        assert!(ruler.ticks(6).len() <= 7);
    }

    #[test]
    fn the_ends_of_the_axis_lie_at_zero_and_one() {
        for axis in
            [Axis::linear("").with_range(2.0, 8.0), Axis::logarithmic("").with_range(2.0, 8.0)]
        {
            let ruler = axis.ruler([3.0].into_iter()).unwrap();
            assert!(ruler.place(2.0).abs() < 1e-12 && (ruler.place(8.0) - 1.0).abs() < 1e-12);
            assert!(ruler.holds(2.0) && ruler.holds(8.0) && !ruler.holds(9.0));
        }
        assert!(
            (Axis::logarithmic("")
                .with_range(1.0, 100.0)
                .ruler([1.0].into_iter())
                .unwrap()
                .place(10.0)
                - 0.5)
                .abs()
                < 1e-12
        );
    }

    #[test]
    fn what_cannot_be_shown_gives_no_ruler() {
        assert!(Axis::linear("").ruler([f64::NAN, f64::INFINITY].into_iter()).is_none());
        assert!(Axis::logarithmic("").ruler([0.0, -1.0].into_iter()).is_none());
        assert!(
            Axis::linear("").ruler([5.0, 5.0].into_iter()).is_some_and(|ruler| ruler.holds(5.0))
        );
    }
}

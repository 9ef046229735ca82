//! The title of the window: frames per second, iterations, residual.

use std::collections::VecDeque;

use web_time::{Duration, Instant};

use crate::stream::Size;

use crate::scene::Effort;

/// Interval over which the rate is averaged.
const SPAN: Duration = Duration::from_secs(1);

/// Frames per second, over the last second.
#[derive(Debug, Default)]
pub struct FrameRate {
    frames: VecDeque<Instant>,
}

impl FrameRate {
    /// Adds a frame.
    pub fn frame(&mut self, now: Instant) {
        self.frames.push_back(now);
        // At least two are kept, because frames may take longer than the interval.
        while self.frames.len() > 2 && self.frames.front().is_some_and(|&f| now - f > SPAN) {
            self.frames.pop_front();
        }
    }

    /// Forgets all frames: there is no rate while nothing moves.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// Frames per second; 0 before the second frame.
    pub fn rate(&self) -> f64 {
        match (self.frames.front(), self.frames.back()) {
            (Some(&first), Some(&last)) if last > first => {
                (self.frames.len() - 1) as f64 / (last - first).as_secs_f64()
            }
            _ => 0.0,
        }
    }
}

pub fn title(
    (name, size, counted): (&str, Size, &str),
    shown: &str,
    (rate, effort, paused): (f64, Effort, bool),
) -> String {
    let (columns, rows) = size;
    let pace = if paused { "paused".to_owned() } else { format!("{rate:.1} fps") };
    let residual = match effort.residual {
        residual if residual.is_finite() => format!(" · residual {residual:.1e}"),
        _ => String::new(),
    };
    let iterations = effort.iterations;
    format!(
        "{name} {columns}x{rows} · {shown} · {pace} · {iterations} {counted}{residual} · h: keys - fragstream"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_second() {
        let start = Instant::now();
        let mut rate = FrameRate::default();
        assert_eq!(rate.rate(), 0.0);
        // A second at 50 frames per second, then two at 20.
        let fast = (0..50).map(|k| k * 20);
        let slow = (0..41).map(|k| 1000 + k * 50);
        for milliseconds in fast.chain(slow) {
            rate.frame(start + Duration::from_millis(milliseconds));
        }
        assert!((rate.rate() - 20.0).abs() < 1e-9, "{}", rate.rate());
    }

    #[test]
    fn frames_of_several_seconds_have_a_rate() {
        let start = Instant::now();
        let mut rate = FrameRate::default();
        for seconds in [0, 4, 8] {
            rate.frame(start + Duration::from_secs(seconds));
        }
        assert_eq!(rate.rate(), 0.25);
    }
}

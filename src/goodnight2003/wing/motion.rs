//! The motion of the body, and the undisturbed fluid in its frame (goodnight2003 §5.3).
//!
//! Far away the fluid moves with speed one to the right. The body's pivot heaves (up and down) and
//! lags (back and forth), and the body pitches around it. Everything is described in the frame of the body,
//! in which the undisturbed fluid has the velocity R(−θ)(U − V) − Ω × r, where V is the velocity of the pivot,
//! θ the angle of the body, counted counter-clockwise, and Ω = θ̇. Its stream function is
//!
//!   ψ = u y − v x + Ω (x² + y²)/2,   (u, v) = R(−θ)(U − V).

use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

/// A sin(2π f t + φ). Its word is `A,f`, or `A,f,φ`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Oscillation {
    /// A, in chords, or in radians for pitching.
    pub amplitude: f64,
    /// f, in oscillations per chord travelled by the fluid.
    pub frequency: f64,
    /// φ, in degrees.
    pub phase: f64,
}

impl Oscillation {
    fn at(&self, time: f64) -> f64 {
        self.amplitude * (TAU * self.frequency * time + self.phase.to_radians()).sin()
    }

    fn rate(&self, time: f64) -> f64 {
        let omega = TAU * self.frequency;
        self.amplitude * omega * (omega * time + self.phase.to_radians()).cos()
    }

    fn acceleration(&self, time: f64) -> f64 {
        let omega = TAU * self.frequency;
        -omega * omega * self.at(time)
    }
}

impl fmt::Display for Oscillation {
    /// `A,f`, or `A,f,phase`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.amplitude, self.frequency)?;
        if self.phase == 0.0 { Ok(()) } else { write!(f, ",{}", self.phase) }
    }
}

impl FromStr for Oscillation {
    type Err = String;

    /// `A,f` or `A,f,phase`, the phase in degrees.
    fn from_str(text: &str) -> Result<Self, String> {
        let finite = |part: &str| part.trim().parse().ok().filter(|v: &f64| v.is_finite());
        let numbers: Option<Vec<f64>> = text.split(',').map(finite).collect();
        let (amplitude, frequency, phase) = match numbers.as_deref() {
            Some(&[amplitude, frequency]) => (amplitude, frequency, 0.0),
            Some(&[amplitude, frequency, phase]) => (amplitude, frequency, phase),
            _ => return Err("give amplitude and frequency, as in 0.5,0.2".into()),
        };
        if frequency < 0.0 {
            return Err("give a frequency of at least 0".into());
        }
        Ok(Self { amplitude, frequency, phase })
    }
}

/// A push to the side at the beginning, V_y = speed sin²(π t / duration), which breaks the symmetry
/// that a flow past a cylinder at rest would keep for a long time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// The highest speed.
    pub speed: f64,
    /// Its duration.
    pub duration: f64,
}

impl Default for Push {
    /// Three tenths of the stream's speed, over three chords.
    fn default() -> Self {
        Self { speed: 0.3, duration: 3.0 }
    }
}

impl Push {
    fn rate(&self, time: f64) -> f64 {
        let share = (0.5 * TAU * time / self.duration).sin();
        self.strength(time) * share * share
    }

    fn acceleration(&self, time: f64) -> f64 {
        let omega = TAU / self.duration;
        0.5 * self.strength(time) * omega * (omega * time).sin()
    }

    fn strength(&self, time: f64) -> f64 {
        if time < self.duration { self.speed } else { 0.0 }
    }
}

/// The motion of the body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Up and down.
    pub heave: Oscillation,
    /// Back and forth.
    pub lag: Oscillation,
    /// Nose up and down, around the pivot, in radians.
    pub pitch: Oscillation,
    /// The mean angle of the chord to the stream, nose up, in radians.
    pub incidence: f64,
    /// A push at the beginning.
    pub push: Option<Push>,
}

/// The frame of the body at a point in time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Frame {
    /// (u, v) of the undisturbed fluid at the pivot, along the axes of the body.
    pub stream: [f64; 2],
    /// θ, counter-clockwise.
    pub angle: f64,
    /// Ω = θ̇
    pub turn: f64,
    /// Ω̇ = θ̈
    pub turn_rate: f64,
    /// The acceleration of the pivot, along the axes of the body.
    pub acceleration: [f64; 2],
    /// The pivot, in a frame at rest.
    pub pivot: [f64; 2],
}

impl Motion {
    /// The frame of the body at a time.
    pub fn frame(&self, time: f64) -> Frame {
        let angle = -self.incidence - self.pitch.at(time);
        let push = self.push.map_or(0.0, |push| push.rate(time));
        let pushed = self.push.map_or(0.0, |push| push.acceleration(time));
        // §5.3: the velocities of lagging (horizontal) and heaving (vertical)
        let velocity = [self.lag.rate(time), self.heave.rate(time) + push];
        let acceleration = [self.lag.acceleration(time), self.heave.acceleration(time) + pushed];
        Frame {
            stream: rotate([1.0 - velocity[0], -velocity[1]], -angle),
            angle,
            turn: -self.pitch.rate(time),
            turn_rate: -self.pitch.acceleration(time),
            acceleration: rotate(acceleration, -angle),
            pivot: [self.lag.at(time), self.heave.at(time)],
        }
    }
}

/// A vector turned counter-clockwise.
pub fn rotate([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sine, cosine) = angle.sin_cos();
    [cosine * x - sine * y, sine * x + cosine * y]
}

//! A pass next to each round of a race: its time shows the speed of the device at that moment.

use std::time::Duration;

use web_time::Instant;

use crate::base::error::BoxedError;
use crate::stream::{Format, Machine, Pass, Rect, Source, Stream, source};

use super::rig::{Work, work};

const COPY: Source = source!(stream, "copy");

/// Texels per side.
const SIDE: u32 = 512;

/// Time for which a device draws before a race, so that it reaches its clock.
const AWAKE: Duration = Duration::from_millis(300);

/// Largest time of the reference pass, relative to its best, next to a round that counts.
const SLOWEST: f64 = 1.2;

/// Fewest rounds that have to remain; otherwise all count.
const FEWEST: usize = 3;

/// Copies a texture of 512² records with four channels.
pub fn pass(machine: &Machine) -> Result<Work<'static>, BoxedError> {
    let texture = || Stream::zeros(machine, "reference", (SIDE, SIDE), Format::Rgba32F);
    let (kernel, from, to) = (machine.kernel(&COPY, &[])?, texture()?, texture()?);
    let all = machine.rect(Rect::at([0, 0], (SIDE, SIDE)))?;
    Ok(work(move |_| Pass::new(&kernel).read("x", &from).draw(&to, &all)))
}

/// Seconds of a run, with all drawing finished before and after.
pub fn seconds(machine: &Machine, work: &mut Work<'_>) -> Result<f64, BoxedError> {
    machine.finish();
    let start = Instant::now();
    work(0)?;
    machine.finish();
    Ok(start.elapsed().as_secs_f64())
}

/// Draws until the device is awake.
pub fn wake(machine: &Machine, work: &mut Work<'_>) -> Result<(), BoxedError> {
    let start = Instant::now();
    while start.elapsed() < AWAKE {
        seconds(machine, work)?;
    }
    Ok(())
}

/// Tests whether a device is slow, by the time of the reference pass and its best.
pub fn is_slow(time: f64, best: f64) -> bool {
    time > SLOWEST * best
}

/// Tests for each round by its reference time whether it counts. All do if too few would.
pub fn counting(times: &[f64]) -> Vec<bool> {
    let best = times.iter().copied().fold(f64::INFINITY, f64::min);
    let counts: Vec<bool> = times.iter().map(|&time| !is_slow(time, best)).collect();
    match counts.iter().filter(|counts| **counts).count() {
        FEWEST.. => counts,
        _ => vec![true; times.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_rounds_do_not_count_unless_most_are_slow() {
        assert_eq!(counting(&[1.0, 1.3, 1.1, 1.2]), [true, false, true, true]);
        assert_eq!(counting(&[1.0, 1.3, 1.1, 1.3]), [true; 4]);
        assert!(counting(&[]).is_empty());
    }

    #[test]
    fn the_reference_takes_time_and_wakes_the_device() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let mut work = pass(&machine).unwrap();
        let start = Instant::now();
        wake(&machine, &mut work).unwrap();
        assert!(start.elapsed() >= AWAKE && seconds(&machine, &mut work).unwrap() > 0.0);
    }
}

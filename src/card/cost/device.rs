//! The cards whose timings the papers print, each with the driver of its paper.

use super::clock::WAIT;

/// Fitted numbers that all cards share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// k: time of a strided fetch relative to a coherent one.
    pub strided: f64,
    /// κ: additional time of an instruction per two further registers, on NV30.
    pub registers: f64,
    /// t_gather: seconds of a random fetch.
    pub gather: f64,
}

/// The model's numbers.
pub const FITTED: Numbers = Numbers { strided: 2.2, registers: 0.78, gather: 30e-9 };

/// Root mean square of the logarithm of the model's seconds relative to the printed ones, for the timings that were held out
/// of the fit.
pub const HELD_OUT: f64 = 0.144;

/// Architecture of a fragment processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// NV30: tuples of 2 x 2 fragments in batches of 128; fetches take issue slots of the arithmetic unit;
    /// registers are few.
    Nv30,
    /// R300 and R350: fetches and arithmetic run in parallel; timings show no batches.
    R300,
}

/// A fragment processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// Trade name.
    pub name: &'static str,
    /// Architecture.
    pub architecture: Architecture,
    /// Fragments processed at a time.
    pub pipelines: f64,
    /// Clock frequency in hertz.
    pub clock: f64,
}

/// Time that the driver takes in addition to the fragments, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driver {
    /// Name of the graphics interface.
    pub name: &'static str,
    /// Time per pass. Fitted in Direct3D 9; zero in OpenGL, where no timing determines it.
    pub pass: f64,
    /// Time per target switch. Fitted to batty2003 alone, where it cannot be separated from the effect of the
    /// grid's size. It is not a property of the card: bolz2003 prints 200 switches per second, and
    /// goodnight2003's factor of 3 fits 0.3 to 1.5 ms.
    pub switch: f64,
    /// Time of a `glFinish` after an operation. Printed ([`WAIT`]).
    pub finish: f64,
}

/// A card in its computer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Card {
    /// The fragment processor.
    pub device: Device,
    /// Its driver.
    pub driver: Driver,
    /// Fitted numbers that all cards share.
    pub numbers: Numbers,
}

/// OpenGL, as in bolz2003, goodnight2003 and batty2003.
pub const OPENGL: Driver =
    Driver { name: "OpenGL", pass: 0.0, switch: 0.33e-3, finish: WAIT.seconds };

/// Direct3D 9, as in kruger2003. The time of target switches is part of the time per pass.
pub const DIRECT3D_9: Driver = Driver { name: "Direct3D 9", pass: 59e-6, switch: 0.0, finish: 0.0 };

const fn nv30(name: &'static str, clock: f64) -> Card {
    Card {
        device: Device { name, architecture: Architecture::Nv30, pipelines: 4.0, clock },
        driver: OPENGL,
        numbers: FITTED,
    }
}

/// The card of bolz2003 and goodnight2003.
pub const GEFORCE_FX_5800_ULTRA: Card = nv30("GeForce FX 5800 Ultra", 500e6);

/// A card of batty2003. Its table is of this card, because 640.7 s / 51 = 12.56 s.
pub const QUADRO_FX_1000: Card = nv30("Quadro FX 1000", 300e6);

/// A card of batty2003.
pub const QUADRO_FX_2000: Card = nv30("Quadro FX 2000", 400e6);

/// The card of kruger2003, which gives only its name; here it is an R350 at 380 MHz.
pub const RADEON_9800: Card = Card {
    device: Device {
        name: "Radeon 9800",
        architecture: Architecture::R300,
        pipelines: 8.0,
        clock: 380e6,
    },
    driver: DIRECT3D_9,
    numbers: FITTED,
};

/// All cards.
pub const CARDS: [Card; 4] = [GEFORCE_FX_5800_ULTRA, QUADRO_FX_1000, QUADRO_FX_2000, RADEON_9800];

//! The cards whose timings the papers print, each with the driver that its paper ran it under.

/// How a fragment processor hands out its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// NV30: tuples of 2 x 2 fragments, 128 of them a batch; fetches take a turn of the arithmetic
    /// unit; registers are few.
    Nv30,
    /// R300 and R350: fetches and arithmetic side by side; no batches that a timing would show.
    R300,
}

/// A fragment processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// As it was sold.
    pub name: &'static str,
    /// What it is.
    pub architecture: Architecture,
    /// Fragments in work at a time.
    pub pipelines: f64,
    /// Cycles a second.
    pub clock: f64,
}

/// What the driver takes, beside the fragments. All in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driver {
    /// The interface it implements.
    pub name: &'static str,
    /// For a pass. Fitted.
    pub pass: f64,
    /// For a change of the surface that is rendered into, where a pass makes one. Fitted to
    /// batty2003 alone, and there not told apart from the size of its grid. It is no property of the
    /// card: bolz2003 prints 200 changes a second, goodnight2003's factor of 3 fits 0.3 to 1.5 ms.
    pub switch: f64,
    /// For a `glFinish` behind an operation. Printed: 0.7 s over 1330 operations (batty2003,
    /// Appendix C, section 7).
    pub finish: f64,
}

/// A card in its computer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Card {
    /// The fragment processor.
    pub device: Device,
    /// What drives it.
    pub driver: Driver,
}

/// As bolz2003, goodnight2003 and batty2003 used it.
pub const OPENGL: Driver = Driver {
    name: "OpenGL",
    pass: 1.5e-6,
    switch: 0.33e-3,
    finish: 0.7 / 1330.2,
};

/// As kruger2003 used it. What changes of the surface cost is in its passes.
pub const DIRECT3D_9: Driver = Driver {
    name: "Direct3D 9",
    pass: 59e-6,
    switch: 0.0,
    finish: 0.0,
};

const fn nv30(name: &'static str, clock: f64) -> Card {
    Card {
        device: Device {
            name,
            architecture: Architecture::Nv30,
            pipelines: 4.0,
            clock,
        },
        driver: OPENGL,
    }
}

/// bolz2003 and goodnight2003.
pub const GEFORCE_FX_5800_ULTRA: Card = nv30("GeForce FX 5800 Ultra", 500e6);

/// batty2003. That its table is of this card follows from 640.7 s / 51 = 12.56 s.
pub const QUADRO_FX_1000: Card = nv30("Quadro FX 1000", 300e6);

/// batty2003.
pub const QUADRO_FX_2000: Card = nv30("Quadro FX 2000", 400e6);

/// kruger2003, which says no more than its name: here an R350 at 380 MHz.
pub const RADEON_9800: Card = Card {
    device: Device {
        name: "Radeon 9800",
        architecture: Architecture::R300,
        pipelines: 8.0,
        clock: 380e6,
    },
    driver: DIRECT3D_9,
};

/// All of them.
pub const CARDS: [Card; 4] = [
    GEFORCE_FX_5800_ULTRA,
    QUADRO_FX_1000,
    QUADRO_FX_2000,
    RADEON_9800,
];

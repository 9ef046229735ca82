//! Limits of programs on the cards of 2003.

use crate::program::STREAMS;

/// The limits that a program is held against: those of a card, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limits {
    /// Name of the card, or the reason why there are no limits.
    pub card: &'static str,
    /// Number of instructions.
    pub instructions: u32,
    /// Number of instructions other than fetches; in slots for pixel shader 2.0.
    pub arithmetic: u32,
    /// Number of fetches.
    pub fetches: u32,
    /// True if both count in slots of pixel shader 2.0.
    pub in_slots: bool,
    /// Temporary registers.
    pub registers: u32,
    /// Constants.
    pub constants: u32,
    /// Interpolated coordinates, including the position on cards without a register for it.
    pub coordinates: u32,
    /// The order of dependent reads.
    pub read_order: u32,
    /// Phases.
    pub phases: u32,
    /// Textures.
    pub streams: u32,
}

impl Limits {
    /// `NV_fragment_program`: a GeForce FX.
    pub const NV30: Self = Self {
        card: "NV30",
        instructions: 1024,
        arithmetic: 1024,
        fetches: 1024,
        in_slots: false,
        registers: 32,
        constants: u32::MAX,
        coordinates: 9,
        read_order: 1024,
        phases: u32::MAX,
        streams: STREAMS as u32,
    };

    /// Pixel shader 2.0: a Radeon 9500 to 9800.
    pub const R300: Self = Self {
        card: "R300",
        instructions: 64 + 32,
        arithmetic: 64,
        fetches: 32,
        in_slots: true,
        registers: 12,
        constants: 32,
        coordinates: 8,
        read_order: 3,
        phases: u32::MAX,
        streams: STREAMS as u32,
    };

    /// The minimum of `ARB_fragment_program`: a program of this size ran on every card of 2003.
    pub const ARB: Self = Self {
        card: "ARB",
        instructions: 72,
        arithmetic: 48,
        fetches: 24,
        in_slots: false,
        registers: 16,
        constants: 24,
        coordinates: 9,
        read_order: u32::MAX,
        phases: 4,
        streams: STREAMS as u32,
    };

    /// No limits, for a reason.
    pub const fn none(reason: &'static str) -> Self {
        Self {
            card: reason,
            instructions: u32::MAX,
            arithmetic: u32::MAX,
            fetches: u32::MAX,
            in_slots: false,
            registers: u32::MAX,
            constants: u32::MAX,
            coordinates: u32::MAX,
            read_order: u32::MAX,
            phases: u32::MAX,
            streams: u32::MAX,
        }
    }

    /// Tests whether there are none.
    pub const fn are_none(&self) -> bool {
        self.instructions == u32::MAX
    }
}

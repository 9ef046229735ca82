//! What the tests of the fluid share.

// Every test program uses a part of it.
#![allow(dead_code)]

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fragstream::stream::Machine;

/// Half the distance from 1 to the next number.
pub const UNIT: f64 = 0.5 * f32::EPSILON as f64;

/// Whose turn it is: contexts of Mesa's software renderer that draw long runs at the same time
/// crash in the driver.
static TURN: Mutex<()> = Mutex::new(());

/// A machine that draws while no other one does.
pub struct Alone {
    machine: Machine,
    _turn: MutexGuard<'static, ()>,
}

impl Deref for Alone {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        &self.machine
    }
}

pub fn machine() -> Alone {
    // A test that failed in its turn does not spoil the others.
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Alone {
        machine: Machine::headless().expect("this machine has OpenGL"),
        _turn: turn,
    }
}

//! Features without which settings cannot run, and which browsers or some drivers lack.

use crate::stream::Machine;

/// A feature that some machines lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Files of the user
    Files,
    /// Rendering contexts that share textures
    Contexts,
    /// Double precision in programs
    Doubles,
}

impl Need {
    /// The need of this name, as the keyword `needs` of a setting has it.
    pub(super) fn of(name: &str) -> Option<Self> {
        let all = [Self::Files, Self::Contexts, Self::Doubles];
        all.into_iter().find(|need| format!("{need:?}").eq_ignore_ascii_case(name))
    }

    /// The reason why this machine, or without a machine a page in a browser, lacks it.
    pub fn lacking(self, machine: Option<&Machine>) -> Option<&'static str> {
        let is_there = machine
            .is_some_and(|machine| self != Self::Doubles || machine.description().double_precision);
        (!is_there).then_some(match self {
            Self::Files => "a page reads no files",
            Self::Contexts => "a page has one rendering context",
            Self::Doubles => {
                "there is no double precision in programs (GL_ARB_gpu_shader_fp64). Choose --precision mixed or pairs"
            }
        })
    }
}

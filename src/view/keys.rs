//! The keys.

#[cfg(feature = "view")]
use winit::event::KeyEvent;
#[cfg(feature = "view")]
use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

/// Help on the keys, printed at the start and by `--help`, and shown by the keys H and F1.
pub const KEYS: &str = "\
left button   push along a stroke
right button  lift water, move fluid without dye, pour liquid
+ -           a wider or narrower stroke
f c           a finer or a coarser picture
space         pause or continue
s or .        one step
r             restart
1 to 6, tab   view; the last one is a texture as in memory
t             the next texture
a             rain, stirring pens or tap on and off
h or F1       show or hide this help
p             save the picture: fragstream-001.png, ...
q or escape   close";

/// Action of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names are explicit
pub enum Action {
    Pause,
    Step,
    Reset,
    /// Number from 0.
    View(usize),
    NextView,
    NextTexture,
    Wider,
    Narrower,
    Finer,
    Coarser,
    Scene,
    Help,
    Picture,
    Close,
}

#[cfg(feature = "view")]
impl Action {
    /// The action of a key event. Only some actions repeat while a key is held down.
    pub fn of(event: &KeyEvent) -> Option<Self> {
        let action = Self::of_key(&event.logical_key).or_else(|| Self::of_place(event))?;
        let repeats = matches!(action, Self::Step | Self::Wider | Self::Narrower);
        (event.state.is_pressed() && (repeats || !event.repeat)).then_some(action)
    }

    fn of_key(key: &Key) -> Option<Self> {
        let text = match key {
            Key::Named(NamedKey::Space) => return Some(Self::Pause),
            Key::Named(NamedKey::Tab) => return Some(Self::NextView),
            Key::Named(NamedKey::F1) => return Some(Self::Help),
            Key::Named(NamedKey::Escape) => return Some(Self::Close),
            Key::Character(text) => text.to_lowercase(),
            _ => return None,
        };
        Some(match text.as_str() {
            " " => Self::Pause,
            "s" | "." => Self::Step,
            "r" => Self::Reset,
            "t" => Self::NextTexture,
            "+" | "=" => Self::Wider,
            "-" => Self::Narrower,
            "f" => Self::Finer,
            "c" => Self::Coarser,
            "a" => Self::Scene,
            "h" => Self::Help,
            "p" => Self::Picture,
            "q" => Self::Close,
            _ => {
                let number: usize = text.parse().ok()?;
                Self::View(number.checked_sub(1)?)
            }
        })
    }

    /// Digits by the position of their keys, because not every keyboard has them without shift.
    fn of_place(event: &KeyEvent) -> Option<Self> {
        let PhysicalKey::Code(code) = event.physical_key else {
            return None;
        };
        let digits = [
            KeyCode::Digit1,
            KeyCode::Digit2,
            KeyCode::Digit3,
            KeyCode::Digit4,
            KeyCode::Digit5,
            KeyCode::Digit6,
        ];
        digits.iter().position(|&digit| digit == code).map(Self::View)
    }
}

//! Textures as stored in memory.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use crate::picture::Canvas;
use crate::stream::{
    Combine, Edges, Format, Kernel, Machine, Pass, Reduction, Size, Source, Stream, StreamError,
    source,
};

use crate::scene::Scale;

const TEXTURE: Source = source!(view, "texture");

/// Pixels per texel from which lines between texels are drawn.
const LINES_FROM: f32 = 8.0;

/// The larger one of two absolute values.
const LARGEST: Combine =
    Combine { text: "max(abs(a), abs(b))", identity: 0.0, on_cpu: |a, b| a.abs().max(b.abs()) };

/// Finds the largest absolute value of streams.
pub(super) struct Largest {
    machine: Machine,
    /// By size and format of the streams.
    reductions: HashMap<(Size, Format), Reduction>,
}

impl Largest {
    pub(super) fn new(machine: &Machine) -> Self {
        Self { machine: machine.clone(), reductions: HashMap::new() }
    }

    /// Largest absolute value of each channel.
    pub(super) fn of(&mut self, stored: &Stream) -> Result<[f32; 4], StreamError> {
        let (size, format) = (stored.size(), stored.format());
        let known = self.reductions.entry((size, format));
        match known {
            Entry::Occupied(known) => known.get().of(stored),
            Entry::Vacant(new) => {
                let reduction =
                    Reduction::new(&self.machine, size, format, LARGEST, Edges::Padded)?;
                new.insert(reduction).of(stored)
            }
        }
    }
}

/// Draws textures, texel by texel, scaled by their largest absolute value.
pub struct TextureView {
    kernel: Rc<Kernel>,
    largest: Largest,
}

impl TextureView {
    /// Compiles the program.
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self { kernel: machine.kernel(&TEXTURE, &[])?, largest: Largest::new(machine) })
    }

    /// Draws a texture, and returns the value of the picture's brightest and darkest colours.
    pub fn draw(&mut self, stored: &Stream, canvas: &Canvas) -> Result<f32, StreamError> {
        let most = self.largest.of(stored)?.into_iter().take(3).fold(0.0, f32::max);
        let ((width, height), picture) = (stored.size(), canvas.stream().size());
        let texels = [width as f32 / picture.0 as f32, height as f32 / picture.1 as f32];
        let single = stored.format().channels() == 1;
        let lines = texels[0].max(texels[1]) * LINES_FROM <= 1.0;
        let pass = Pass::new(&self.kernel)
            .read("stored", stored)
            .set("texels", texels)
            .set("most", most.max(f32::MIN_POSITIVE))
            .set("grey", if single { 1.0 } else { 0.0 })
            .set("lines", if lines { 0.5 } else { 0.0 });
        canvas.draw(pass)?;
        Ok(most)
    }

    /// The colours of each channel, from black for `-most` to white for `most`.
    pub fn scale(most: f32) -> Scale {
        let light = |k: usize| [(k as f32 / 16.0).powf(2.2); 3];
        let colours: Vec<_> = (0..=16).map(light).collect();
        Scale::signed(&colours, most)
    }
}

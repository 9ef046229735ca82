//! Textures as stored in memory.

use std::collections::HashMap;
use std::rc::Rc;

use crate::picture::Canvas;
use crate::stream::{
    Edges, Format, Kernel, Machine, Pass, Reduce, Reduction, Size, Source, Stream, StreamError,
    source,
};

use crate::scene::Scale;

const TEXTURE: Source = source!(view, "texture");

/// Pixels per texel from which lines between texels are drawn.
const LINES_FROM: f32 = 8.0;

/// Finds the largest and the smallest value of streams of one size and format.
type Range = [Reduction; 2];

/// Draws textures, texel by texel, scaled by their largest absolute value.
pub struct TextureView {
    machine: Machine,
    kernel: Rc<Kernel>,
    ranges: HashMap<(Size, Format), Range>,
}

impl TextureView {
    /// Compiles the program.
    pub fn new(machine: &Machine) -> Result<Self, StreamError> {
        Ok(Self {
            machine: machine.clone(),
            kernel: machine.kernel(&TEXTURE, &[])?,
            ranges: HashMap::new(),
        })
    }

    /// Draws a texture, and returns the value of the picture's brightest and darkest colours.
    pub fn draw(&mut self, stored: &Stream, canvas: &Canvas) -> Result<f32, StreamError> {
        let most = self.most(stored)?;
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

    /// Largest absolute value in the first three channels.
    fn most(&mut self, stored: &Stream) -> Result<f32, StreamError> {
        let (size, format) = (stored.size(), stored.format());
        let range = match self.ranges.remove(&(size, format)) {
            Some(range) => range,
            None => {
                let reduction =
                    |operator| Reduction::new(&self.machine, size, format, operator, Edges::Padded);
                [reduction(Reduce::Maximum)?, reduction(Reduce::Minimum)?]
            }
        };
        let (high, low) = (range[0].of(stored)?, range[1].of(stored)?);
        self.ranges.insert((size, format), range);
        let channels = format.channels().min(3);
        let amounts = (0..channels).map(|k| high[k].max(-low[k]));
        Ok(amounts.fold(0.0, f32::max))
    }
}

//! Passes: one kernel over some rectangles or points of one target.

use std::time::Instant;

use crate::base::failing::fails;
use crate::gl::{COUNTS_FRAGMENTS, DriverProgram, GlError, Occlusion, Size};
use crate::program::formats::{Chopped24, Half, Nearest24, Registers};

use super::device::{Device, Place};
use super::error::StreamError;
use super::extent::{Drawable, Extent};
use super::ledger::PassCounts;
use super::memory::{Memory, Stream};
use super::observer::{Drawing, Observer, Switches};
use super::program::{Code, Input, Kernel, STREAMS, Source, source};

const COPY: Source = source!(stream, "copy");
/// A number that programs do not compute.
const UNDRAWN: f32 = -32768.0;

/// The value of a constant: one to four floats.
#[derive(Debug, Clone, Copy)]
pub struct Constant {
    value: [f32; 4],
    components: usize,
}

impl Constant {
    /// The floats.
    pub fn numbers(&self) -> &[f32] {
        &self.value[..self.components]
    }
}

impl From<f32> for Constant {
    fn from(value: f32) -> Self {
        Self { value: [value, 0.0, 0.0, 0.0], components: 1 }
    }
}

impl<const N: usize> From<[f32; N]> for Constant {
    fn from(values: [f32; N]) -> Self {
        let mut value = [0.0; 4];
        value[..N].copy_from_slice(&values);
        Self { value, components: N }
    }
}

/// Columns and rows.
impl From<Size> for Constant {
    fn from((columns, rows): Size) -> Self {
        [columns as f32, rows as f32].into()
    }
}

/// Number among the given streams or constants of each declared input.
type Slots = Vec<Option<usize>>;

/// A run of a kernel in preparation: its inputs by name, then [`Pass::draw`].
///
/// Operations that a fragment processor does not have cannot be expressed, or are rejected before anything is
/// drawn: a pass has one target and never reads it (unless it is declared as feedback), its inputs are streams
/// and constants, its extent is rectangles or points.
#[must_use = "a pass does nothing until it is drawn"]
#[derive(Clone)]
pub struct Pass<'a> {
    kernel: &'a Kernel,
    streams: Vec<(&'a str, &'a Stream)>,
    constants: Vec<(&'a str, Constant)>,
    iterations: Option<u64>,
    feedback: bool,
}

impl Kernel {
    /// A pass of this kernel, without inputs.
    pub fn pass(&self) -> Pass<'_> {
        Pass {
            kernel: self,
            streams: Vec::with_capacity(self.streams().count()),
            constants: Vec::with_capacity(self.inputs.len() - self.streams().count()),
            iterations: None,
            feedback: false,
        }
    }
}

impl<'a> Pass<'a> {
    /// As [`Kernel::pass`].
    pub fn new(kernel: &'a Kernel) -> Self {
        kernel.pass()
    }

    /// Binds a stream to the input of this name.
    pub fn read(mut self, name: &'a str, stream: &'a Stream) -> Self {
        self.streams.push((name, stream));
        self
    }

    /// Sets the constant of this name.
    pub fn set(mut self, name: &'a str, value: impl Into<Constant>) -> Self {
        self.constants.push((name, value.into()));
        self
    }

    /// As [`Pass::read`], if the kernel has an input of this name.
    pub fn read_if_declared(self, name: &'a str, stream: &'a Stream) -> Self {
        if self.kernel.declares(name) { self.read(name, stream) } else { self }
    }

    /// As [`Pass::set`], if the kernel has a constant of this name.
    pub fn set_if_declared(self, name: &'a str, value: impl Into<Constant>) -> Self {
        if self.kernel.declares(name) { self.set(name, value) } else { self }
    }

    /// Sets the ledger's number of iterations of the program's loop, over all fragments: for a program whose
    /// trip count is data, by an exception from the era's rules.
    pub fn iterations(mut self, iterations: u64) -> Self {
        self.iterations = Some(iterations);
        self
    }

    /// Allows the target among the inputs. Each fragment may fetch the record at its own position, or records
    /// that no fragment of this pass writes. A texture barrier makes earlier draws visible.
    pub fn feedback(mut self) -> Self {
        self.feedback = true;
        self
    }

    /// Runs the kernel once for each record of the rectangles or points of `target`.
    ///
    /// # Errors
    /// [`StreamError::Hazard`], [`StreamError::Outside`], [`StreamError::Unknown`], [`StreamError::Missing`],
    /// [`StreamError::NoBarrier`], [`StreamError::Primitive`], [`StreamError::OtherMachine`]. In each case nothing is
    /// drawn.
    pub fn draw(self, target: &Stream, extent: impl Drawable) -> Result<(), StreamError> {
        self.execute(target, &extent.extent(target.machine())?, false)?;
        Ok(())
    }

    /// As [`Pass::draw`], and counts the fragments that were not discarded. Waits for the result.
    pub fn draw_counting(self, target: &Stream, extent: impl Drawable) -> Result<u32, StreamError> {
        let machine = target.machine();
        let survivors = self.execute(target, &extent.extent(machine)?, true)?;
        machine.ledger_mut().queries += 1;
        machine.notify(|observer| observer.counted(survivors));
        Ok(survivors)
    }

    /// Runs the kernel, and records it. Returns the number of fragments that were not discarded, if it `counts`.
    fn execute(self, target: &Stream, extent: &Extent, counts: bool) -> Result<u32, StreamError> {
        if self.feedback && target.machine().copies() {
            return self.on_copy(target, extent, counts);
        }
        if counts && !COUNTS_FRAGMENTS {
            let survivors = self.clone().count_by_drawing(target, extent)?;
            self.execute(target, extent, false)?;
            return Ok(survivors);
        }
        let slots = self.check(target, extent)?;
        if fails("pass") {
            return Err(GlError::Other { code: 0, doing: "drawing" }.into());
        }
        let machine = target.machine();
        let stand_in = machine.stand_in(self.kernel)?;
        let kernel = stand_in.as_deref().unwrap_or(self.kernel);
        let run = self.run(&slots, target, extent);
        self.notify(kernel, (target, extent), &run, |observer, pass| observer.before(pass));
        let bound = machine.bind_target(target.number(), &target.allocation);
        let switches = Switches { program: machine.bind_program(kernel), ..bound };
        let survivors = match (&kernel.code, target.allocation.context()) {
            (Code::Driver(program), Place::Driver(context)) => {
                // A substitute may declare fewer inputs, in another order.
                let others = stand_in.as_ref().map(|kernel| self.slots_of(kernel));
                let slots = others.as_ref().unwrap_or(&slots);
                self.bind((kernel, slots), program, target, extent);
                if counts {
                    Occlusion::new(&context)?.count(|| extent.draw())
                } else {
                    extent.draw();
                    0
                }
            }
            _ => self.interpret(kernel, (target, extent), &run)?,
        };
        self.record(kernel, (target, extent), run, switches);
        Ok(survivors)
    }

    /// Runs the kernel, which reads a copy of its target.
    fn on_copy(self, target: &Stream, extent: &Extent, counts: bool) -> Result<u32, StreamError> {
        let machine = target.machine();
        let copy = Stream::zeros(machine, target.label(), target.size(), target.format())?;
        machine.kernel(&COPY, &[])?.pass().read("x", target).draw(&copy, target.full())?;
        let mut pass: Pass<'_> = self;
        pass.feedback = false;
        for (_, stream) in &mut pass.streams {
            if stream.number() == target.number() {
                *stream = &copy;
            }
        }
        pass.execute(target, extent, counts)
    }

    /// Counts the records that are drawn into a stream of [`UNDRAWN`], where queries do not count. A record that several
    /// points draw counts once.
    fn count_by_drawing(self, target: &Stream, extent: &Extent) -> Result<u32, StreamError> {
        let machine = target.machine();
        let marked = Stream::zeros(machine, "counted", target.size(), target.format())?;
        marked.fill([UNDRAWN; 4]);
        self.execute(&marked, extent, false)?;
        let records = marked.read_back()?;
        let records = records.chunks(target.format().channels());
        let drawn = records.filter(|record| record.iter().any(|&number| number != UNDRAWN));
        Ok(u32::try_from(drawn.count()).unwrap_or(u32::MAX))
    }

    /// Binds the inputs of a driver's program.
    fn bind(
        &self,
        (kernel, slots): (&Kernel, &Slots),
        program: &DriverProgram,
        target: &Stream,
        extent: &Extent,
    ) {
        let [size, offset] = &kernel.automatic;
        if let Some(size) = size {
            let (width, height) = target.size();
            program.set(size, [width as f32, height as f32, 0.0, 0.0]);
        }
        if let Extent::Points(points) = extent
            && let Some(offset) = offset
        {
            program.set(offset, points.offset());
        }
        let mut unit = 0;
        for (input, slot) in kernel.inputs.iter().zip(slots) {
            let (Some(uniform), Some(slot)) = (&input.uniform, *slot) else {
                continue;
            };
            if input.components.is_some() {
                program.set(uniform, self.constants[slot].1.value);
            } else if let Memory::Driver(texture, _) = &self.streams[slot].1.allocation.memory {
                texture.bind(unit);
                program.set_unit(uniform, unit);
                unit += 1;
            }
        }
        if self.feedback
            && let Place::Driver(context) = target.allocation.context()
        {
            context.texture_barrier();
        }
    }

    /// Runs the kernel in the interpreter.
    fn interpret(
        &self,
        kernel: &Kernel,
        on: (&Stream, &Extent),
        run: &PassCounts,
    ) -> Result<u32, StreamError> {
        let target = on.0;
        let (Device::Interpreter(registers, _, until), Code::Interpreter(programs), Some(drawn)) =
            (target.machine().device(), &kernel.code, target.allocation.interpreted())
        else {
            return Ok(0);
        };
        if until.is_some_and(|until| Instant::now() > until) {
            return Err(GlError::Overdue.into());
        }
        // A pass with feedback reads what was there before.
        let before = self.feedback.then(|| drawn.clone());
        let textures = self.streams.iter().filter_map(|&(name, stream)| {
            let own = before.as_ref().filter(|_| stream.number() == target.number());
            Some((name, own.or_else(|| stream.allocation.interpreted())?.borrow()))
        });
        let textures: Vec<_> = textures.collect();
        let (pass, drawn) = (self.drawing(kernel, on, run), &mut *drawn.borrow_mut());
        let survivors = match registers {
            Registers::Single => pass.interpret::<f32>(programs, &textures, drawn),
            Registers::Nv30Half => pass.interpret::<Half>(programs, &textures, drawn),
            Registers::R300 => pass.interpret::<Chopped24>(programs, &textures, drawn),
            Registers::R300Nearest => pass.interpret::<Nearest24>(programs, &textures, drawn),
        };
        Ok(u32::try_from(survivors?).unwrap_or(u32::MAX))
    }

    /// Checks that everything is on the target's machine.
    fn check_machine(&self, target: &Stream, extent: &Extent) -> Result<(), StreamError> {
        let (machine, kernel) = (target.machine(), self.kernel);
        let mut streams = self.streams.iter();
        let what = if kernel.home != machine.home() {
            format!("the kernel {}", kernel.name())
        } else if let Some((_, other)) = streams.find(|(_, s)| !s.machine().is(machine)) {
            format!("the stream {}", other.label())
        } else if extent.home() != machine.home() {
            format!("the geometry of a pass of {}", kernel.name())
        } else {
            return Ok(());
        };
        Err(StreamError::OtherMachine { what, target: target.label().to_owned() })
    }

    /// Checks that the machine supports the pass, and that it matches the kernel's declarations.
    fn check(&self, target: &Stream, extent: &Extent) -> Result<Slots, StreamError> {
        self.check_machine(target, extent)?;
        let kernel = || self.kernel.name().to_owned();
        if self.kernel.is_for_points() != matches!(extent, Extent::Points(_)) {
            return Err(StreamError::Primitive { kernel: kernel() });
        }
        let slots = self.check_inputs()?;
        let is_target = |stream: &Stream| stream.number() == target.number();
        let mut streams = self.streams.iter();
        if let Some((_, stream)) = streams.find(|(_, stream)| is_target(stream))
            && !self.feedback
        {
            return Err(StreamError::Hazard {
                kernel: kernel(),
                stream: stream.label().to_owned(),
            });
        }
        if self.feedback && !target.machine().description().texture_barrier {
            return Err(StreamError::NoBarrier { kernel: kernel() });
        }
        if !extent.within(target.size()) {
            return Err(StreamError::Outside {
                kernel: kernel(),
                stream: target.label().to_owned(),
            });
        }
        Ok(slots)
    }

    /// Finds the given inputs of a kernel, of which the first counts if a name is given twice.
    fn slots_of(&self, kernel: &Kernel) -> Slots {
        let inputs = kernel.inputs.iter();
        let slots = inputs.map(|Input { name, components, .. }| match components {
            None => self.streams.iter().position(|(given, _)| given == name),
            Some(_) => self.constants.iter().position(|(given, _)| given == name),
        });
        slots.collect()
    }

    /// Checks that the given inputs are exactly the declared ones, and finds them.
    fn check_inputs(&self) -> Result<Slots, StreamError> {
        let inputs = &self.kernel.inputs;
        let mut slots: Slots = vec![None; inputs.len()];
        let streams = self.streams.iter().map(|&(name, _)| (name, None));
        let constants = self.constants.iter();
        let constants = constants.map(|&(name, value)| (name, Some(value.components)));
        for (number, (name, components)) in streams.chain(constants).enumerate() {
            let is_declared = |input: &Input| input.components == components && input.name == name;
            let Some(place) = inputs.iter().position(is_declared) else {
                return Err(StreamError::Unknown {
                    kernel: self.kernel.name().to_owned(),
                    what: match components {
                        None => "stream",
                        Some(_) => "constant of this size",
                    },
                    name: name.to_owned(),
                });
            };
            let first = if components.is_none() { 0 } else { self.streams.len() };
            slots[place].get_or_insert(number - first);
        }
        match inputs.iter().zip(&slots).find(|(_, slot)| slot.is_none()) {
            None => Ok(slots),
            Some((missing, _)) => Err(StreamError::Missing {
                kernel: self.kernel.name().to_owned(),
                name: missing.name.clone(),
            }),
        }
    }

    fn run(&self, slots: &Slots, target: &Stream, extent: &Extent) -> PassCounts {
        let mut record_bytes = [0; STREAMS];
        let inputs = self.kernel.inputs.iter().zip(slots);
        let streams = inputs.filter(|(input, _)| input.components.is_none());
        for (bytes, (_, slot)) in record_bytes.iter_mut().zip(streams) {
            if let Some(slot) = *slot {
                *bytes = self.streams[slot].1.format().bytes() as u8;
            }
        }
        let fragments = extent.fragments();
        let (rectangles, points, tuples) = match extent {
            Extent::Rects(rects) => (rects.list().len() as u64, 0, rects.tuples()),
            Extent::Points(points) => (0, points.count(), points.count()),
        };
        PassCounts {
            rectangles,
            points,
            fragments,
            tuples,
            record_bytes,
            bytes_written: fragments * target.format().bytes() as u64,
            iterations: self.iterations,
            feedback: self.feedback,
        }
    }

    fn record(&self, kernel: &Kernel, on: (&Stream, &Extent), run: PassCounts, switches: Switches) {
        on.0.machine().recorded().pass(self.kernel, run);
        let after = |observer: &dyn Observer, pass: Drawing<'_>| observer.after(pass, switches);
        self.notify(kernel, on, &run, after);
    }

    /// A run of this kernel, which may be a substitute, as observers see it.
    fn drawing<'b>(
        &'b self,
        kernel: &'b Kernel,
        (target, extent): (&'b Stream, &'b Extent),
        run: &'b PassCounts,
    ) -> Drawing<'b> {
        let (streams, constants) = (&self.streams, &self.constants);
        Drawing { kernel, streams, constants, target, extent, run }
    }

    fn notify(
        &self,
        kernel: &Kernel,
        on: (&Stream, &Extent),
        run: &PassCounts,
        what: impl Fn(&dyn Observer, Drawing<'_>),
    ) {
        let drawing = self.drawing(kernel, on, run);
        on.0.machine().notify(|observer| what(observer, drawing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Format, Limits, Machine, Source};

    #[test]
    fn survivors_are_counted_by_drawing_as_by_a_query() {
        let machine = Machine::headless().unwrap();
        let text = "uniform stream x; void main() { if (fetch(x, here).x < 3.5) discard; result = vec4(1.0); }";
        let source = Source::checked("survive".into(), text.into(), Limits::NV30);
        let kernel = machine.kernel(&source, &[]).unwrap();
        let numbers: Vec<f32> = (0..12).map(|number| number as f32).collect();
        let x = Stream::from_data(&machine, "x", (4, 3), Format::R32F, &numbers).unwrap();
        let y = Stream::zeros(&machine, "y", (4, 3), Format::R32F).unwrap();
        let pass = || kernel.pass().read("x", &x);
        let extent = y.full().extent(&machine).unwrap();
        assert_eq!(pass().count_by_drawing(&y, &extent).unwrap(), 8);
        assert_eq!(pass().draw_counting(&y, y.full()).unwrap(), 8);
    }
}

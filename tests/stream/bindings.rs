//! What is bound is bound again only if it changes, and every pass still reads its own inputs.

use std::rc::Rc;

use crate::common::machine;
use fragstream::base::random::SplitMix64;
use fragstream::stream::{
    Buffer, Format, Kernel, Limits, Machine, Rect, Source, StandIn, Stream, StreamError,
};

const COMBINE: Source = Source::new(
    "test/combine",
    "uniform stream x;\nuniform stream y;\nuniform float factor;\nuniform vec2 shift;\n\
     void main() {\n    result = factor * fetch(x, here) + shift.y * fetch(y, here) + vec4(shift.x);\n}\n",
    &[],
    Limits::R300,
);

/// [`COMBINE`] with its inputs in another order, one of them unused.
const TURNED: &str = "uniform vec2 shift;\nuniform stream y;\nuniform float factor;\n\
     void main() {\n    result = shift.y * fetch(y, here) + vec4(shift.x + factor);\n}\n";

const SIZE: (u32, u32) = (3, 2);

/// A stream with the number that fills it.
struct Filled(Stream, f32);

impl Filled {
    fn new(machine: &Machine, value: f32, in_context: bool) -> Self {
        let buffer = if in_context { Buffer::Context } else { Buffer::Framebuffer };
        let made = Stream::surfaces(machine, buffer, ["filled"], SIZE, Format::R32F);
        let [stream] = made.unwrap();
        stream.fill([value; 4]);
        Self(stream, value)
    }
}

/// Draws with some of the streams into another one.
fn combine(kernel: &Kernel, [x, y]: [&Filled; 2], to: &mut Filled, factor: f32, shift: [f32; 2]) {
    let pass = kernel.pass().read("x", &x.0).set("factor", factor).set("shift", shift);
    pass.read("y", &y.0).draw(&to.0, Rect::of_size(SIZE.0, SIZE.1)).unwrap();
    to.1 = factor * x.1 + shift[1] * y.1 + shift[0];
    assert_eq!(to.0.read().unwrap(), [to.1; 6]);
}

#[test]
fn passes_of_two_machines_and_of_several_contexts_take_their_own_inputs() {
    let machines = [machine(), machine()];
    let kernels = machines.each_ref().map(|machine| machine.kernel(&COMBINE, &[]).unwrap());
    let mut random = SplitMix64::new(7);
    let mut streams = machines
        .each_ref()
        .map(|machine| (0..4).map(|n| Filled::new(machine, n as f32, n == 3)).collect::<Vec<_>>());
    for step in 0..200 {
        let which = random.below(2);
        let (machine, kernel, own) = (&machines[which], &kernels[which], &mut streams[which]);
        let mut below = |count: usize| random.below(count);
        // The names of deleted textures come again.
        if below(4) == 0 {
            own.remove(below(3));
            own.insert(0, Filled::new(machine, step as f32, false));
        }
        let at = below(4);
        let mut to = own.remove(at);
        let inputs = [&own[below(3)], &own[below(3)]];
        let few = [0.0, -0.0, 0.5, -0.25];
        combine(kernel, inputs, &mut to, few[below(4)], [few[below(4)], few[below(4)]]);
        own.insert(at, to);
    }
}

#[test]
fn a_substitute_with_other_inputs_takes_them_by_name() {
    let machine = machine();
    let kernel = machine.kernel(&COMBINE, &[]).unwrap();
    let turned = machine.edited(kernel.text(), TURNED).unwrap();
    let stand_in: StandIn =
        Rc::new(move |_: &Kernel| -> Result<_, StreamError> { Ok(Some(Rc::clone(&turned))) });
    let [x, y] = [2.0, 3.0].map(|value| Filled::new(&machine, value, false));
    let mut to = Filled::new(&machine, 0.0, false);
    for _ in 0..2 {
        combine(&kernel, [&x, &y], &mut to, 10.0, [1.0, 2.0]);
        machine.standing_in(&stand_in, || {
            let pass = kernel.pass().set("shift", [1.0, 2.0]).read("y", &y.0).set("factor", 10.0);
            pass.read("x", &x.0).draw(&to.0, to.0.full()).unwrap();
        });
        assert_eq!(to.0.read().unwrap(), [17.0; 6]);
    }
    let passes = machine.ledger().kernels.values().map(|account| account.sum().passes).sum::<u64>();
    assert_eq!(passes, 4);
}

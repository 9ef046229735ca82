//! A short run, recorded.

use fragstream::card::dialect::user_source;
use fragstream::film::{About, Film, FilmError, Recorder};
use fragstream::stream::{Buffer, Format, Limits, Machine, Pass, Stream, StreamError};

/// What a run is about.
pub fn about(title: &str) -> About {
    About { name: "test".into(), title: title.into(), ..About::default() }
}

/// Records a run as a film whose page has at most `page_bytes` bytes.
pub fn recorded(
    machine: &Machine,
    page_bytes: usize,
    run: impl FnOnce(&Machine),
) -> Result<Film, FilmError> {
    let recorder = Recorder::start(machine, about("a test"), page_bytes, |_| ())?;
    run(machine);
    recorder.finish()
}

/// Adds one to a stream `passes` times, in two buffers of their own contexts: uploads, fills, passes,
/// switches, an occlusion query and read-backs.
pub fn count_up(machine: &Machine, label: &str, text: &str, passes: usize) -> Vec<f32> {
    let run = || -> Result<Vec<f32>, StreamError> {
        let source = user_source("add one", text, Limits::NV30)?;
        let kernel = machine.kernel(&source, &[])?;
        let stream = || Stream::surfaces(machine, Buffer::Context, [label], (5, 3), Format::R32F);
        let ([mut from], [mut to]) = (stream()?, stream()?);
        from.fill([-0.0; 4]);
        from.write(&[0.5; 15])?;
        for pass in 0..passes {
            machine.scene(&format!("pass {pass} of {label}"));
            let run = Pass::new(&kernel).read("x", &from).set("one", 1.0);
            match pass {
                0 => drop(run.draw_counting(&to, to.full())?),
                _ => run.draw(&to, to.full())?,
            }
            std::mem::swap(&mut from, &mut to);
        }
        from.read_record(2, 1)?;
        from.read()
    };
    run().expect("this machine can add")
}

/// The program of [`count_up`].
pub const ADD_ONE: &str = "uniform stream x;\nuniform float one;\n\
                           void main() { result = fetch(x, here) + one; }\n";

//! A program is known by what it is, and its streams by their names.

use fragstream::card::cost::bill;
use fragstream::card::dialect::user_source;
use fragstream::card::limits::excess;
use fragstream::stream::{Format, Kernel, Limits, Machine, Pass, Stream};
use std::rc::Rc;

use crate::common::machine;

fn kernel(machine: &Machine, body: &str, limits: Limits) -> Rc<Kernel> {
    let text = format!("uniform stream x;\nvoid main() {{ result = {body}; }}\n");
    machine.kernel(&user_source("layouts/own", text, limits).unwrap(), &[]).unwrap()
}

#[test]
fn programs_of_one_name_are_compiled_and_billed_apart() {
    let machine = machine();
    let [one, other] = ["fetch(x, here)", "fetch(x, here) * fetch(x, here + vec2(1.0))"]
        .map(|body| kernel(&machine, body, Limits::NV30));
    let again = kernel(&machine, "fetch(x, here)", Limits::NV30);
    assert_eq!(again.number(), one.number());
    let stream = |label| Stream::zeros(&machine, label, (4, 2), Format::Rgba32F).unwrap();
    let (x, target) = (stream("x"), stream("target"));
    machine.take_ledger();
    for kernel in [&one, &other, &one] {
        Pass::new(kernel).read("x", &x).draw(&target, target.full()).unwrap();
    }
    let bill = bill(&machine.ledger());
    let mut charges: Vec<_> = bill
        .kernels
        .iter()
        .map(|(name, charge)| (&**name, charge.done.passes, charge.done.fetches))
        .collect();
    charges.sort_by_key(|&(_, passes, _)| passes);
    let [(first, 1, 16), (second, 2, 16)] = charges[..] else { panic!("{charges:?}") };
    let mut names = [first, second];
    names.sort_unstable();
    assert_eq!(names, ["layouts/own", "layouts/own (2)"]);
}

#[test]
fn a_program_has_the_limits_that_its_source_gives_it_whatever_its_name() {
    let machine = machine();
    let fetches = (0..40).map(|k| format!("fetch(x, here + vec2({k}.0))"));
    let sums = fetches.collect::<Vec<_>>().join(" + ");
    let fits = |limits| excess(kernel(&machine, &sums, limits).text());
    assert_eq!(fits(Limits::NV30), None);
    let message = fits(Limits::R300).expect("an excess");
    assert!(message.starts_with("layouts/own does not fit R300: "), "{message}");
    assert_eq!(fits(Limits::none("a test")), None);
    // A text that replaces it has its limits.
    let original = kernel(&machine, "fetch(x, here)", Limits::R300);
    let own = format!("uniform stream x;\nvoid main() {{ result = {sums}; }}\n");
    let edited = machine.edited(original.text(), &own).unwrap();
    assert!(excess(edited.text()).is_some());
}

#[test]
fn bytes_are_billed_by_the_names_of_the_streams() {
    let machine = machine();
    for first in ["#if 1\nuniform stream unused;\n#endif\n", "uniform stream unused;\n", ""] {
        let text = format!(
            "{first}uniform stream x; uniform stream y;\nvoid main() {{ result = fetch(y, here) + \
             fetch(x, here) + fetch(x, here + vec2(1.0)); }}\n"
        );
        let source = user_source("own", text, Limits::NV30).unwrap();
        let kernel = machine.kernel(&source, &[]).unwrap();
        let formats = [("unused", Format::Rg32F), ("x", Format::Rgba32F), ("y", Format::R32F)];
        let streams = formats
            .map(|(name, format)| (name, Stream::zeros(&machine, name, (4, 2), format).unwrap()));
        let target = Stream::zeros(&machine, "target", (4, 2), Format::R32F).unwrap();
        machine.take_ledger();
        let declared = streams.iter().filter(|(name, _)| kernel.declares(name));
        let pass =
            declared.fold(Pass::new(&kernel), |pass, (name, stream)| pass.read(name, stream));
        pass.draw(&target, target.full()).unwrap();
        let total = bill(&machine.ledger()).total();
        assert_eq!(
            (total.done.fetches, total.done.bytes_read),
            (8 * 3, 8 * (2 * 16 + 4)),
            "{first}"
        );
    }
}

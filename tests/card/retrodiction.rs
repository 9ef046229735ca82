//! The model of the cards beside what the papers print.

use fragstream::card::cost::{
    Area, CARDS, Card, Demand, GEFORCE_FX_5800_ULTRA, QUADRO_FX_1000, RADEON_9800,
};
use fragstream::retrodiction::witnesses::{Witness, prediction, witnesses};
use fragstream::retrodiction::{Basis, FACTOR, Timing, timings};

#[test]
fn every_timing_is_there_and_the_claim_about_them_holds() {
    let timings = timings().expect("countable programs");
    let counts = Basis::ALL.map(|basis| timings.iter().filter(|one| one.basis == basis).count());
    assert_eq!(counts, [16, 6, 1, 4, 1]);
    let is_off = |one: &&Timing| one.basis.is_judged() && !one.is_within(FACTOR);
    let off: Vec<&str> = timings.iter().filter(is_off).map(|one| one.id).collect();
    assert_eq!(off, ["B7"], "bolz2003's time step is known to be further off");
}

#[test]
fn what_binds_a_pass_is_its_fetches_its_registers_or_its_result() {
    let area = Area::rectangle(512, 512);
    let seconds = |card: Card, change: fn(&mut Demand)| {
        let mut demand = Demand {
            arithmetic: 2,
            fetches: 6,
            registers: 2,
            bytes: 96.0,
            bytes_written: 16.0,
            ..Demand::default()
        };
        change(&mut demand);
        card.pass_seconds(&demand, area) - card.driver.pass
    };
    let fx = |change| seconds(GEFORCE_FX_5800_ULTRA, change);
    let plain = fx(|_| ());
    // Half the bytes, half the time; further arithmetic is free as long as fetches bind.
    assert!((plain / fx(|demand| demand.bytes = 48.0) - 2.0).abs() < 1e-9);
    assert_eq!(fx(|demand| demand.arithmetic = 18), plain);
    assert!(fx(|demand| demand.arithmetic = 19) > plain);
    // Registers slow instructions down, not fetches; and on the FX alone.
    assert_eq!(fx(|demand| demand.registers = 4), plain);
    assert!(fx(|demand| demand.registers = 8) > plain);
    assert_eq!(seconds(RADEON_9800, |demand| demand.registers = 8), seconds(RADEON_9800, |_| ()));
    // A clear takes as long as one fetch; strides and gathers cost extra.
    let clear = fx(|demand| (demand.bytes, demand.fetches) = (0.0, 0));
    let copy = fx(|demand| (demand.bytes, demand.fetches) = (16.0, 1));
    assert_eq!(clear, copy);
    let strided = fx(|demand| (demand.bytes, demand.bytes_strided) = (0.0, 96.0));
    assert!((strided / plain - 2.2).abs() < 1e-9);
    let gathered = fx(|demand| demand.random = 1);
    assert!((gathered - plain - 512.0 * 512.0 * 30e-9).abs() < 1e-9);
}

#[test]
fn a_slower_clock_and_a_partly_filled_batch_take_longer() {
    let demand = Demand { arithmetic: 20, registers: 2, bytes_written: 16.0, ..Demand::default() };
    let pass = |card: Card, side| {
        card.pass_seconds(&demand, Area::rectangle(side, side)) - card.driver.pass
    };
    let ratio = pass(QUADRO_FX_1000, 256) / pass(GEFORCE_FX_5800_ULTRA, 256);
    assert!((ratio - 5.0 / 3.0).abs() < 1e-9);
    assert_eq!(pass(QUADRO_FX_1000, 1), pass(QUADRO_FX_1000, 20));
    assert!(pass(RADEON_9800, 1) < pass(RADEON_9800, 20));
    assert!(CARDS.iter().all(|card| pass(*card, 64) > 0.0));
}

#[test]
fn what_others_measured_is_met_without_a_fit() {
    let all = witnesses();
    let off = |one: &Witness| one.ratio.ln().abs();
    for one in &all {
        assert!(off(one) < 1.15_f64.ln(), "{}: {} and {}", one.id, one.model, one.measured);
    }
    let (ratios, others): (Vec<_>, Vec<_>) =
        all.iter().partition(|one| one.what.ends_with("ratio"));
    assert_eq!((ratios.len(), others.len()), (5, 5));
    // One that was read as bytes and not as texels would be off by four.
    assert!(others.iter().map(|one| off(one)).fold(0.0, f64::max) < 0.14);
}

#[test]
fn the_prediction_on_the_card_s_page_is_the_model_s() {
    let page = include_str!("../../figures/card/README.md");
    for registers in [4, 6, 8] {
        let [fitted, low, high] = prediction(registers);
        let line = format!("| {registers} | {fitted:.1} | {low:.1} to {high:.1} |");
        assert!(page.contains(&line), "{line}");
    }
    // The interval is that of the refits on the same page.
    let interval = page.lines().find(|line| line.starts_with("| κ |"));
    assert!(interval.is_some_and(|line| line.contains("0.579 to 1.41")), "{interval:?}");
    // Bytes per second of neighbouring texels of 16 bytes, and random fetches per second.
    let texel = Demand { fetches: 1, bytes: 16.0, ..Demand::default() };
    let rate =
        |card: Card| 16e-9 * card.device.pipelines * card.device.clock / card.cycles(&texel).bytes;
    let rates = format!(
        "at most {} GB/s on a GeForce FX 5800 Ultra and {:.1} GB/s on a Radeon 9800",
        rate(GEFORCE_FX_5800_ULTRA),
        rate(RADEON_9800)
    );
    assert!(page.replace('\n', " ").contains(&rates), "{rates}");
    let gather = 1e9 * RADEON_9800.numbers.gather;
    assert!(page.contains(&format!("in {gather:.0} ns, {:.0} million per second", 1e3 / gather)));
}

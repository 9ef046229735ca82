//! The test of the advice: as registered, by the second rater, with one vote per call, and by the size of an effect.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::verdict::{Test, Verdict};
use super::{Kind, Machine, Sentence};
use crate::base::number::short;
use crate::base::table::Table;

/// An effect of 2003 that was large.
const LARGE: f64 = 1.5;

/// Chooses the group of an advice; `None` leaves it out.
type Group<'g> = &'g dyn Fn(&Sentence) -> Option<bool>;

/// Decides the advice that is wanted on a machine, in two groups.
fn decided<'s>(
    sentences: &'s [Sentence],
    machine: &Machine,
    group: Group<'_>,
) -> Vec<(&'s Sentence, bool, Verdict)> {
    let advice = sentences.iter().filter(|one| one.kind == Kind::Advice);
    let verdicts = advice.filter_map(|one| {
        let found = one.measured(&machine.report)?;
        Some((one, group(one)?, Verdict::of(one, &found)))
    });
    verdicts.filter(|(.., verdict)| *verdict != Verdict::Open).collect()
}

/// The test of one machine.
fn test(sentences: &[Sentence], machine: &Machine, group: Group<'_>) -> Test {
    let verdicts = decided(sentences, machine, group).into_iter();
    Test::of(verdicts.map(|(_, is_first, verdict)| (is_first, verdict)))
}

/// The test with one vote for all sentences that share a call or a program, by their majority.
fn vote(sentences: &[Sentence], machine: &Machine, group: Group<'_>) -> Test {
    let mut votes: BTreeMap<&str, (bool, i32)> = BTreeMap::new();
    for (one, is_first, verdict) in decided(sentences, machine, group) {
        let is_held = matches!(verdict, Verdict::Held | Verdict::HeldLess);
        votes.entry(one.shares).or_insert((is_first, 0)).1 += if is_held { 1 } else { -1 };
    }
    let verdict = |votes: i32| match votes.cmp(&0) {
        Ordering::Greater => Verdict::Held,
        Ordering::Less => Verdict::Aged,
        Ordering::Equal => Verdict::Open,
    };
    Test::of(votes.into_values().map(|(is_first, votes)| (is_first, verdict(votes))))
}

/// Tests whether an effect in 2003 was large: the printed one, or that of the model of its card.
fn is_large(one: &Sentence, machines: &[Machine]) -> Option<bool> {
    let its = || machines.first().and_then(|machine| one.on_its_card(&machine.report));
    let effect = one.number.or_else(|| one.counts().is_none().then(its)?.map(|its| its.median));
    effect.map(|effect| effect >= LARGE)
}

fn shares(test: &Test) -> String {
    let ([a, n], [c, m]) = (test.first, test.second);
    format!("{a} of {n}, {c} of {m}; {}, {}", short(test.one_sided), short(test.two_sided))
}

/// The four lines.
pub(super) fn tests(sentences: &[Sentence], machines: &[Machine]) -> String {
    let names = machines.iter().map(|machine| &*machine.name);
    let mut table = Table::new("", ["variation"].into_iter().chain(names));
    let mut line = |name: &str, of: &dyn Fn(&Machine) -> Test| {
        let cells = machines.iter().map(|one| shares(&of(one)).into());
        table.push([name.into()].into_iter().chain(cells));
    };
    let outside = |one: &Sentence| Some(one.mechanism.is_outside());
    line("**as registered**", &|machine| test(sentences, machine, &outside));
    line("mechanism by the second rater", &|machine| {
        test(sentences, machine, &|one| Some(one.second.is_outside()))
    });
    line("one vote per call or program that sentences share", &|machine| {
        vote(sentences, machine, &outside)
    });
    line("effects of 1.5 and more in 2003 against smaller ones, of any mechanism †", &|machine| {
        test(sentences, machine, &|one| is_large(one, machines))
    });
    format!(
        "\n## The test\n\nThe hypothesis was that advice which saves round trips and bytes held, and advice which saves \
         instructions and lanes aged. Held among the decided ones: round trips and bytes, then instructions and lanes; p of \
         Fisher's exact test, one-sided and two-sided.\n\n{}\n† Looked at after the values: no test.\n\nThe hypothesis was \
         written before the values of the H100, but after many outcomes of the H200, which has the same die: it describes \
         rather than tests. Sentences share calls and programs, so that p is too small unless these have one vote. The size of \
         an effect in 2003 explains as much as its mechanism.\n",
        table.markdown(|_| false)
    )
}

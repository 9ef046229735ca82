//! The papers' main claims, as two readers chose them without results, and the verdict of each, which follows from its
//! rows.

use serde::Deserialize;

use super::PAPERS;
use crate::base::table::Table;
use crate::claim::report::columns::{Column, cell};
use crate::claim::report::compare::of_reports;
use crate::claim::report::json::Entry;
use crate::claim::{BoxedError, Claim, Class, JudgedOn, Report, Value, Verdict};
use crate::io::toml_text::parse_toml;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    claim: Vec<Main>,
}

/// A main claim, as `figures/main-claims.toml` has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Main {
    paper: String,
    name: String,
    place: String,
    says: String,
    kind: Kind,
    rows: Vec<String>,
    #[serde(default)]
    untested: String,
    #[serde(default)]
    second: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Works,
    Rate,
    Gain,
}

named! {
    /// Verdict on a main claim.
    Outcome {
        /// All rows support it, and it is not about the speed of a card.
        Replicated = "replicated",
        /// The row with its number supports it, and no row contradicts it.
        InPrinciple = "replicated in principle: nobody has the card",
        /// A row contradicts it, or its number was not found.
        NotReplicated = "not replicated",
    }
}

/// Relation of a row to its main claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stance {
    Supports,
    Contradicts,
    Open,
}

impl Stance {
    /// By the row's class, basis and verdict, and by whether a time is as printed in the model of its card or elsewhere.
    fn of(class: Class, basis: JudgedOn, verdict: Verdict, is_elsewhere: bool) -> Self {
        let is_time = class == Class::Shape;
        match verdict {
            Verdict::Reproduced if class == Class::Erratum => Self::Contradicts,
            _ if class == Class::Erratum => Self::Open,
            Verdict::Reproduced if class.is_counted() => Self::Supports,
            _ if is_time && is_elsewhere => Self::Supports,
            Verdict::Differs if is_time && basis == JudgedOn::Measurement => Self::Open,
            Verdict::Differs | Verdict::NotReproduced => Self::Contradicts,
            _ => Self::Open,
        }
    }
}

impl Outcome {
    fn of(kind: Kind, rows: &[Stance]) -> Self {
        match () {
            () if rows.contains(&Stance::Contradicts) => Self::NotReplicated,
            () if rows.first() != Some(&Stance::Supports) => Self::NotReplicated,
            () if kind == Kind::Works && !rows.contains(&Stance::Open) => Self::Replicated,
            () => Self::InPrinciple,
        }
    }
}

/// A row of evidence: its relation to the claim, its verdict, the printed number and ours.
struct Evidence {
    claim: &'static Claim,
    stance: Stance,
    verdict: Verdict,
    printed: String,
    here: String,
}

impl Evidence {
    fn of(id: &str, reports: &[&Report]) -> Result<Self, BoxedError> {
        let mut all =
            PAPERS.iter().flat_map(|of| of.claims.all().iter().map(move |one| (of.id, one)));
        let claim = all.find(|(paper, claim)| id == format!("{paper}/{}", claim.id));
        let (_, claim) = claim.ok_or_else(|| format!("main-claims.toml: there is no row {id}"))?;
        let Some((entry, columns)) = of_reports(id, claim, reports) else {
            let (stance, verdict, printed) =
                (Stance::Open, Verdict::NotRun, claim.printed.to_owned());
            return Ok(Self { claim, stance, verdict, printed, here: String::new() });
        };
        let there = elsewhere(entry, &columns).filter(|_| entry.verdict != Verdict::Reproduced);
        let is_elsewhere = there.is_some();
        Ok(Self {
            claim,
            stance: Stance::of(entry.class, basis(claim), entry.verdict, is_elsewhere),
            verdict: entry.verdict,
            printed: entry.paper.clone(),
            here: there.unwrap_or_else(|| entry.here()),
        })
    }
}

/// Basis of a row: the model for the time of a card of 2003.
fn basis(claim: &Claim) -> JudgedOn {
    if claim.is_of_its_card() { JudgedOn::Model } else { claim.judged_on }
}

/// The values of a time in the model of its card or on another machine, if it is as printed there.
fn elsewhere(entry: &Entry, columns: &[Column]) -> Option<String> {
    columns.iter().filter(|one| !one.decides).find_map(|place| {
        let is_of = |one: &&Column| (one.source, &one.machine) == (place.source, &place.machine);
        let its: Vec<&Column> = columns.iter().filter(|one| !one.decides).filter(is_of).collect();
        let text = cell(&its);
        let numbers = text.strip_prefix("reproduced: ")?;
        let machine = place.machine.trim_start_matches("NVIDIA ").split(' ').next();
        let machine = machine.filter(|name| !name.is_empty()).unwrap_or("model of its card");
        let is_it = |value: &&Value| value.name == place.name;
        let unit = entry.values.iter().find(is_it).map_or("", |value| &*value.unit);
        Some(format!("{} ({machine})", format!("{numbers} {unit}").trim_end()))
    })
}

/// A main claim with its evidence and its verdict.
struct Judged {
    main: Main,
    rows: Vec<Evidence>,
    outcome: Outcome,
}

impl Judged {
    fn of(main: Main, reports: &[&Report]) -> Result<Self, BoxedError> {
        let id = |row: &String| format!("{}/{row}", main.paper);
        let rows = main.rows.iter().map(|row| Evidence::of(&id(row), reports));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let stances: Vec<Stance> = rows.iter().map(|row| row.stance).collect();
        Ok(Self { outcome: Outcome::of(main.kind, &stances), main, rows })
    }

    /// Names of the rows, as links; with a relation, those of it with their verdicts.
    fn links(&self, folder: &str, stance: Option<Stance>) -> String {
        let rows = self.rows.iter().filter(|row| stance.is_none_or(|stance| row.stance == stance));
        let links = rows.map(|row| match stance {
            None => self.link(folder, &format!("`{}`", row.claim.id), row),
            Some(_) => format!("`{}` ({})", row.claim.id, row.verdict),
        });
        links.collect::<Vec<_>>().join(", ")
    }

    fn link(&self, folder: &str, text: &str, row: &Evidence) -> String {
        format!("[{text}]({folder}{}/README.md#{})", self.main.paper, row.claim.id)
    }

    /// The verdict, with the rows that contradict it or leave it open, and what no row tests.
    fn verdict(&self) -> String {
        let of = |stance| self.links("", Some(stance));
        let [against, open] = [Stance::Contradicts, Stance::Open].map(of);
        let untested = self.main.untested.clone();
        let remarks = [("contradicted by", against), ("open", open), ("no row", untested)];
        let remarks = remarks.iter().filter(|(_, text)| !text.is_empty());
        let remarks: String = remarks.map(|(name, text)| format!("; {name}: {text}")).collect();
        format!("*{}*{remarks}", self.outcome)
    }
}

/// The main claims with their verdicts.
pub struct MainClaims(Vec<Judged>);

impl MainClaims {
    /// Judges the main claims of a list by reports, of which the first has precedence.
    pub fn of(list: &str, reports: &[&Report]) -> Result<Self, BoxedError> {
        let List { claim } = parse_toml(list).map_err(|fault| fault.to_string())?;
        let judged = claim.into_iter().map(|main| Judged::of(main, reports));
        Ok(Self(judged.collect::<Result<_, _>>()?))
    }

    /// A table per paper, below its name.
    fn per_paper(&self, head: &[&str], rows: impl Fn(&[&Judged]) -> Vec<Vec<String>>) -> String {
        let tables = PAPERS.iter().filter_map(|paper| {
            let its = self.0.iter().filter(|one| one.main.paper == paper.id);
            let its: Vec<&Judged> = its.collect();
            let mut table = Table::new("", head.iter().copied());
            rows(&its).into_iter().for_each(|cells| table.row(cells));
            let table = table.markdown(|_| false);
            (!its.is_empty()).then(|| format!("\n**{}**\n\n{table}", paper.id))
        });
        tables.collect()
    }

    /// Numbers of verdicts in a sentence.
    pub fn counts(&self) -> String {
        let of = |outcome| self.0.iter().filter(|one| one.outcome == outcome).count();
        let [replicated, in_principle, not] = Outcome::ALL.map(of);
        let is_against = |one: &&Judged| one.rows.iter().any(|r| r.stance == Stance::Contradicts);
        let against = self.0.iter().filter(is_against).count();
        format!(
            "Of {} main claims {replicated} are replicated, {in_principle} in principle, and {not} are not: rows contradict \
             {against} of these, and leave {} open.\n",
            self.0.len(),
            not - against
        )
    }

    /// A line per paper, with links from `folder`.
    pub fn lines(&self, folder: &str) -> String {
        let head = ["main claims"].into_iter().chain(Outcome::ALL.map(Outcome::name));
        let mut table = Table::new("", head);
        for paper in PAPERS {
            let its = || self.0.iter().filter(|one| one.main.paper == paper.id);
            let cells = Outcome::ALL.map(|outcome| {
                let its = its().filter(|one| one.outcome == outcome).filter_map(|one| {
                    let row = one.rows.first()?;
                    let link = one.link(folder, &one.main.name, row);
                    Some(format!("{link}: {}", row.here).trim_end_matches(": ").to_owned())
                });
                its.collect::<Vec<_>>().join("<br>")
            });
            if its().next().is_some() {
                let link = format!("[{0}]({folder}{0}/README.md)", paper.id);
                table.row([link].into_iter().chain(cells));
            }
        }
        format!("{}\n{}", table.markdown(|_| false), self.counts())
    }

    /// The main claims in a table per paper, with links from `folder`.
    pub fn tables(&self, folder: &str) -> String {
        let head = ["main claim", "printed", "here", "verdict", "rows"];
        let line = |one: &&Judged| {
            let says = format!("{} ({})", one.main.says, one.main.place);
            let number = |of: fn(&Evidence) -> &String| one.rows.first().map(of).cloned();
            let [printed, here] = [number(|row| &row.printed), number(|row| &row.here)];
            let [printed, here] = [printed, here].map(Option::unwrap_or_default);
            vec![says, printed, here, one.verdict(), one.links(folder, None)]
        };
        self.counts() + &self.per_paper(&head, |its| its.iter().map(line).collect())
    }

    /// The rows of evidence in a table per paper.
    pub fn evidence(&self) -> String {
        let head = ["claim", "statement", "printed", "here", "judged on", "verdict"];
        self.per_paper(&head, |its| {
            let mut seen = Vec::new();
            let rows = its.iter().flat_map(|one| &one.rows);
            let rows = rows.filter(|row| {
                let is_new = !seen.contains(&row.claim.id);
                seen.push(row.claim.id);
                is_new
            });
            let line = |row: &Evidence| {
                let Evidence { claim, verdict, printed, here, .. } = row;
                let statement = format!("{} ({})", claim.says, claim.section);
                let basis = basis(claim).name().to_owned();
                let (name, verdict) = (format!("`{}`", claim.id), verdict.to_string());
                vec![name, statement, printed.clone(), here.clone(), basis, verdict]
            };
            rows.map(line).collect()
        })
    }

    /// The claims for which the second reader has something else.
    pub fn second(&self) -> String {
        let others = self.0.iter().filter(|one| !one.main.second.is_empty());
        let others: Vec<String> = others
            .map(|one| format!("- {}, *{}*: {}.\n", one.main.paper, one.main.name, one.main.second))
            .collect();
        let same = self.0.len() - others.len();
        format!(
            "The second reader has the same for {same} of {}.\n\n{}",
            self.0.len(),
            others.concat()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_elsewhere_decides_nothing_against_a_card_of_2003_and_an_erratum_does() {
        let of = |class, basis, verdict| Stance::of(class, basis, verdict, false);
        let time = |verdict| of(Class::Shape, JudgedOn::Measurement, verdict);
        assert_eq!(time(Verdict::Differs), Stance::Open);
        assert_eq!(time(Verdict::Reproduced), Stance::Supports);
        assert_eq!(of(Class::Shape, JudgedOn::Model, Verdict::Differs), Stance::Contradicts);
        assert_eq!(of(Class::Count, JudgedOn::Count, Verdict::Differs), Stance::Contradicts);
        assert_eq!(of(Class::Erratum, JudgedOn::Count, Verdict::Reproduced), Stance::Contradicts);
        // A sum of the paper's own tables tests no program.
        assert_eq!(of(Class::Consistency, JudgedOn::Count, Verdict::Reproduced), Stance::Open);
        let there = Stance::of(Class::Shape, JudgedOn::Measurement, Verdict::Undecided, true);
        assert_eq!(there, Stance::Supports);
    }

    #[test]
    fn a_verdict_needs_the_first_row_and_no_contradiction() {
        use Stance::{Contradicts, Open, Supports};
        let all = [Supports, Supports];
        assert_eq!(Outcome::of(Kind::Works, &all), Outcome::Replicated);
        assert_eq!(Outcome::of(Kind::Gain, &all), Outcome::InPrinciple);
        assert_eq!(Outcome::of(Kind::Rate, &[Supports, Open]), Outcome::InPrinciple);
        for rows in [&[][..], &[Open, Supports], &[Supports, Contradicts]] {
            assert_eq!(Outcome::of(Kind::Works, rows), Outcome::NotReplicated);
        }
    }
}

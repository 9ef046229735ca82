//! What a paper claims, and what came out here.

use std::fmt;

use image::{ImageResult, RgbImage};
use serde::{Deserialize, Serialize};

use crate::picture::{numbers, png};

/// How a claim can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// `exact`: a count, a size, an optimum, an identity; equal on any machine.
    Exact,
    /// `tolerance`: a residual, a rate of convergence, an agreement within a stated bound.
    Tolerance,
    /// `shape`: a timing, of which a ratio, an ordering or a slope is compared.
    Shape,
    /// `picture`: something to look at.
    Picture,
}

impl Class {
    /// Whether a claim of this class must come out, whatever the machine.
    pub fn is_binding(self) -> bool {
        matches!(self, Class::Exact | Class::Tolerance)
    }

    /// What becomes of a claim that did not hold: one that is binding was not reproduced, and so was
    /// a picture that could not be made as claimed; the shape of a timing differs.
    pub fn refuted(self) -> Verdict {
        match self {
            Class::Shape => Verdict::Differs,
            Class::Exact | Class::Tolerance | Class::Picture => Verdict::NotReproduced,
        }
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::Exact => "exact",
            Class::Tolerance => "tolerance",
            Class::Shape => "shape",
            Class::Picture => "picture",
        }
    }
}

/// Whose method ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// `paper`: exactly what the paper describes.
    Paper,
    /// `ours`: a variant of our own, or something that the paper leaves open.
    Ours,
}

impl Variant {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Paper => "paper",
            Variant::Ours => "ours",
        }
    }
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgedOn {
    /// `count`: a number of passes, instructions, entries, bytes or iterations.
    Count,
    /// `measurement`: seconds, or values that were computed.
    Measurement,
    /// `model`: what the model of a card of 2003 says.
    Model,
    /// `picture`: something to look at.
    Picture,
}

impl JudgedOn {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            JudgedOn::Count => "count",
            JudgedOn::Measurement => "measurement",
            JudgedOn::Model => "model",
            JudgedOn::Picture => "picture",
        }
    }
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// `reproduced`: it came out as the paper says.
    Reproduced,
    /// `differs`: it came out otherwise, and the finding says why.
    Differs,
    /// `not reproduced`: it did not come out, or could not be checked.
    #[serde(rename = "not reproduced")]
    NotReproduced,
    /// `not run`: this driver lacks what the experiment needs.
    #[serde(rename = "not run")]
    NotRun,
}

impl Verdict {
    /// All of them, the best first.
    pub const ALL: [Self; 4] = [
        Self::Reproduced,
        Self::Differs,
        Self::NotReproduced,
        Self::NotRun,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Differs => "differs",
            Verdict::NotReproduced => "not reproduced",
            Verdict::NotRun => "not run",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A claim of a paper. The constants of an experiment's file hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Paper and name, as in `bolz2003/rectangle`.
    pub id: &'static str,
    /// How it can be checked.
    pub class: Class,
    /// Whose method runs.
    pub variant: Variant,
    /// What the verdict rests on.
    pub judged_on: JudgedOn,
    /// Where the paper says it, as in `§3.2.2`.
    pub section: &'static str,
    /// The claim in our own words: one or two sentences.
    pub statement: &'static str,
    /// The paper's value, short, as in `26x18`.
    pub paper: &'static str,
}

impl Claim {
    /// The id of the paper: what stands before the slash.
    pub fn paper_id(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }

    /// The claim was reproduced if it `holds`, otherwise what its class says ([`Class::refuted`]);
    /// `why` is the remark or the reason.
    pub fn judge(
        self,
        holds: bool,
        measured: impl Into<String>,
        why: impl Into<String>,
    ) -> Finding {
        let verdict = match holds {
            true => Verdict::Reproduced,
            false => self.class.refuted(),
        };
        self.judged(verdict, measured, why)
    }

    /// The claim came out.
    pub fn reproduced(self, measured: impl Into<String>) -> Finding {
        self.judged(Verdict::Reproduced, measured, "")
    }

    /// The claim came out otherwise, for the reason given.
    pub fn differs(self, measured: impl Into<String>, why: impl Into<String>) -> Finding {
        self.judged(Verdict::Differs, measured, why)
    }

    /// The claim did not come out, or could not be checked, for the reason given.
    pub fn not_reproduced(self, measured: impl Into<String>, why: impl Into<String>) -> Finding {
        self.judged(Verdict::NotReproduced, measured, why)
    }

    /// The experiment could not be run on this driver, for the reason given.
    pub fn not_run(self, why: impl Into<String>) -> Finding {
        self.judged(Verdict::NotRun, "", why)
    }

    /// The claim with any verdict.
    pub fn judged(
        self,
        verdict: Verdict,
        measured: impl Into<String>,
        why: impl Into<String>,
    ) -> Finding {
        Finding {
            claim: self,
            measured: measured.into(),
            verdict,
            why: why.into(),
            model: String::new(),
            figures: Vec::new(),
            programs: Vec::new(),
            inputs: String::new(),
        }
    }
}

/// A picture that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its file, relative to the report's folder, as in `bolz2003/fig3.png`.
    pub file: String,
    /// What it shows, in a sentence.
    pub caption: String,
    /// The picture as PNG.
    pub png: Vec<u8>,
}

/// A claim and what came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was claimed.
    pub claim: Claim,
    /// What was measured, short, comparable with [`Claim::paper`].
    pub measured: String,
    /// What became of the claim.
    pub verdict: Verdict,
    /// Why, wherever the verdict is not [`Verdict::Reproduced`]; otherwise a remark or nothing.
    pub why: String,
    /// What the model of a card of 2003 says beside it, if it says anything. No verdict on a measurement
    /// rests on it.
    pub model: String,
    /// The pictures that show it.
    pub figures: Vec<Figure>,
    /// The programs that ran for it; of an experiment with several claims, the first one's finding has
    /// them, and those with figures.
    pub programs: Vec<Program>,
    /// Inputs of the user's that it was found with, as options.
    pub inputs: String,
}

/// A fragment program that an experiment ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its name, as in `bolz2003/sparse/spmv`.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Figure {
    /// The numbers that it shows, as CSV, if it is a plot.
    pub fn numbers(&self) -> Option<String> {
        numbers(&self.png)
    }
}

impl Finding {
    /// The same finding with a remark or a reason.
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = why.into();
        self
    }

    /// The same finding with what the model of a card says beside it.
    pub fn with_model(mut self, model: impl Into<String>) -> Self {
        self.model = model.into();
        self
    }

    /// The same finding with one more picture.
    pub fn with_figure(
        mut self,
        file: impl Into<String>,
        caption: impl Into<String>,
        png: Vec<u8>,
    ) -> Self {
        self.figures.push(Figure {
            file: file.into(),
            caption: caption.into(),
            png,
        });
        self
    }

    /// The same finding with one more picture, in pixels.
    pub fn with_image(
        self,
        file: impl Into<String>,
        caption: impl Into<String>,
        picture: &RgbImage,
    ) -> ImageResult<Self> {
        Ok(self.with_figure(file, caption, png(picture)?))
    }

    /// Whether this finding makes a run fail: an exact or tolerance claim that was run and is not
    /// reproduced.
    pub fn is_failure(&self) -> bool {
        let is_settled = matches!(self.verdict, Verdict::Reproduced | Verdict::NotRun);
        self.claim.class.is_binding() && !is_settled
    }
}

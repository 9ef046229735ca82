//! A user's inputs for claims that accept them.

use super::Claim;
use crate::settings::GridSize;

/// A user's inputs, which replace the claims' own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Names and words of settings, as in `size` and `64`.
    pub words: Vec<[String; 2]>,
}

impl Given {
    /// As options: `--size 513 --pre 2`; empty if nothing was given.
    pub fn options(&self) -> String {
        self.arguments().collect::<Vec<_>>().join(" ")
    }

    /// As arguments of a command line.
    pub fn arguments(&self) -> impl Iterator<Item = String> {
        self.words.iter().flat_map(|[name, word]| match (name.replace('_', "-"), &**word) {
            (option, "true") => vec![format!("--{option}")],
            (option, "false") => vec![format!("--no-{option}")],
            (option, word) if word.starts_with('-') => vec![format!("--{option}={word}")],
            (option, word) => vec![format!("--{option}"), word.to_owned()],
        })
    }

    /// The inputs that a claim takes.
    pub fn taken(&self, claim: &Claim) -> Self {
        let open = claim.row.open();
        let takes = |name: &str| open.iter().any(|field| field.name() == name);
        // A mesh was `--mesh` before claims had the settings of their commands.
        let words = self.words.iter().map(|[name, word]| match &**name {
            "mesh" if !takes("mesh") => ["input".to_owned(), word.clone()],
            _ => [name.clone(), word.clone()],
        });
        Self { words: words.filter(|[name, _]| takes(name)).collect() }
    }

    /// The word of a setting.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.words.iter().find(|word| word[0] == name).map(|[_, word]| &**word)
    }

    /// Nodes per side of a square grid.
    pub fn grid(&self) -> Option<usize> {
        let [columns, rows] = self.word("size")?.parse().ok().map(GridSize::sides)?;
        (columns == rows).then_some(columns)
    }
}

/// Most characters of inputs in a name.
const LONGEST: usize = 100;

/// A user's inputs, as options, for the end of a name: `--size 513` becomes `-size-513`; empty without inputs.
pub(crate) fn slug(options: &str) -> String {
    let words = options.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.flat_map(|word| "-".chars().chain(word.chars())).take(LONGEST).collect()
}

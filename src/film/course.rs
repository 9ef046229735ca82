//! A course: films in teaching order, each with a text, an exercise for the player's edit box, and a question.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::iter::repeat;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;

use crate::program::dialect::{check_assembled, report};
use crate::program::front::replaced;
use crate::program::own_text;

use super::error::FilmError;
use super::page::escape;
use super::scenes;
use super::trace::{Event, Trace};

/// The elements of a lesson's text. Nothing else in it can become markup, so that a page executes only
/// programs of films.
const ELEMENTS: [&str; 17] = [
    "<p>",
    "</p>",
    "<p class=\"formula\">",
    "<em>",
    "</em>",
    "<strong>",
    "</strong>",
    "<code>",
    "</code>",
    "<sub>",
    "</sub>",
    "<sup>",
    "</sup>",
    "<ul>",
    "</ul>",
    "<li>",
    "</li>",
];

/// Translations by the English texts, which are listed in figures/course/words.toml.
type Words = BTreeMap<String, String>;

/// A course, as its file describes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// Title of the page.
    pub title: String,
    /// Translations of the player's own texts, by what is seen in English; `{}` where they change.
    #[serde(default)]
    pub words: Words,
    /// Lessons, in order.
    pub lessons: Vec<Lesson>,
}

/// A film with its text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// Name of the scene that is filmed, unless the film is given.
    #[serde(default)]
    pub scene: String,
    /// Page of a film of your own, in the folder of the course's file.
    pub film: Option<PathBuf>,
    /// Nodes or cells per side, in scenes that have a choice.
    pub grid: Option<u32>,
    /// Title.
    pub title: String,
    /// Text, as HTML.
    pub text: String,
    /// A change of a program, and what to look for.
    pub exercise: Option<Exercise>,
    /// A question, as HTML.
    pub question: Option<String>,
}

/// A change of a program in the edit box.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// Beginning of the program's name in the film.
    pub program: String,
    /// A part of its text.
    pub replace: String,
    /// The text that takes its place.
    pub with: String,
    /// The points to look for, as HTML.
    pub text: String,
}

impl Course {
    /// Returns the course of fragstream.
    pub fn of_2003() -> Self {
        Self::parse(include_str!("course.toml")).expect("a course that the tests read")
    }

    /// Reads a course from TOML.
    ///
    /// # Errors
    /// [`FilmError::Course`] for a file of another form, no lesson, an unknown scene, or an element that is not allowed.
    pub fn parse(text: &str) -> Result<Self, FilmError> {
        let course: Self =
            toml::from_str(text).map_err(|error| FilmError::Course(error.to_string()))?;
        if course.lessons.is_empty() {
            return Err(FilmError::Course("there are no lessons. Write [[lessons]]".into()));
        }
        for (number, lesson) in (1..).zip(&course.lessons) {
            match (lesson.scene.is_empty(), &lesson.film) {
                (false, None) => drop(scenes::find(&lesson.scene)?),
                (true, Some(_)) if lesson.grid.is_none() => {}
                _ => {
                    return Err(FilmError::Course(format!(
                        "lesson {number} needs either scene = \"NAME\", with grid if you like, or film = \"FILE.html\""
                    )));
                }
            }
            let exercise = lesson.exercise.as_ref().map(|one| &one.text);
            for text in [Some(&lesson.text), exercise, lesson.question.as_ref()] {
                check(text.map_or("", String::as_str)).map_err(|tag| {
                    let allowed = ELEMENTS.map(|one| one.replace("</", "<"));
                    FilmError::Course(format!(
                        "lesson {number} contains '{tag}'. Write &lt; for a sign, or one of {}",
                        allowed.iter().step_by(2).map(String::as_str).collect::<Vec<_>>().join(" ")
                    ))
                })?;
            }
        }
        Ok(course)
    }

    /// Names the parts that lessons lack: exercises and questions.
    pub fn lacking(&self) -> Vec<String> {
        let lessons = (1..).zip(&self.lessons).filter_map(|(number, lesson)| {
            let parts =
                [("exercise", lesson.exercise.is_none()), ("question", lesson.question.is_none())];
            let parts: Vec<&str> =
                parts.into_iter().filter(|part| part.1).map(|part| part.0).collect();
            (!parts.is_empty())
                .then(|| format!("lesson {number} has no {}.", parts.join(" and no ")))
        });
        lessons.collect()
    }

    /// Returns the texts as HTML: one article per film.
    ///
    /// # Errors
    /// [`FilmError::Course`] if an exercise does not fit its film.
    pub fn html<'a>(
        &self,
        films: impl IntoIterator<Item = &'a Trace>,
    ) -> Result<String, FilmError> {
        let mut html = String::new();
        for ((number, lesson), film) in (1..).zip(&self.lessons).zip(films) {
            let passes = lesson.exercise.as_ref().map(|exercise| exercise.passes(film));
            let passes = passes.transpose().map_err(|reason| {
                FilmError::Course(format!(
                    "the exercise of lesson {number} does not fit its film: {reason}"
                ))
            })?;
            let passes = passes.as_deref().unwrap_or_default();
            _ = lesson.write(number, film, passes, &self.words, &mut html);
        }
        if !self.words.is_empty() {
            let words = json!(self.words).to_string().replace('<', "\\u003c");
            _ = writeln!(html, "<script type=\"application/json\" id=\"words\">{words}</script>");
        }
        Ok(html)
    }
}

impl Exercise {
    /// The passes that run the program, by their numbers.
    fn passes(&self, film: &Trace) -> Result<Vec<usize>, String> {
        let Self { program, replace, with, .. } = self;
        let passes = film.events.iter().filter_map(|event| match event {
            Event::Pass(pass) => Some(film.calls[pass.call].kernel),
            _ => None,
        });
        let passes: Vec<(usize, usize)> = (1..).zip(passes).collect();
        let runs = |kernel: usize| film.kernels[kernel].name.starts_with(program);
        let found = passes.iter().find(|&&(_, kernel)| runs(kernel));
        let &(_, kernel) = found.ok_or_else(|| {
            let names = passes.iter().map(|&(_, kernel)| film.kernels[kernel].name.as_str());
            let names: BTreeSet<&str> = names.collect();
            let names: Vec<&str> = names.into_iter().collect();
            format!("no pass runs '{program}'. Name one of {}", names.join(", "))
        })?;
        let (name, text) = (&film.kernels[kernel].name, &film.texts[film.kernels[kernel].fragment]);
        let own = own_text(text);
        let head = text.strip_suffix(own).unwrap_or_default();
        let changed = replaced(head, own, replace, with).map_err(|count| {
            format!(
                "'{replace}' is {count} times in '{name}'. Copy a part that is in it once, as the player shows it"
            )
        })?;
        let faults = check_assembled(&format!("{head}{changed}"));
        if !faults.is_empty() {
            return Err(format!(
                "'{with}' makes '{name}' a text that does not run: {}",
                report(&faults)
            ));
        }
        Ok(passes.into_iter().filter(|one| one.1 == kernel).map(|one| one.0).collect())
    }
}

/// A text of the page in the course's language, with these parts in place of each `{}`.
fn worded(words: &Words, english: &str, parts: &[&str]) -> String {
    let own = words.get(english).filter(|own| !own.is_empty());
    let own = escape(own.map_or(english, String::as_str));
    let mut texts = own.split("{}");
    let mut made = texts.next().unwrap_or_default().to_owned();
    for (text, part) in texts.zip(parts.iter().chain(repeat(&""))) {
        made.extend([*part, text]);
    }
    made
}

/// The passes of a film's lesson in words, as links.
fn runs(number: usize, passes: &[usize], words: &Words) -> String {
    let link = |word: &str, pass: usize| {
        let word = worded(words, word, &[&pass.to_string()]);
        format!("<a href=\"#film={number}&amp;pass={pass}\">{word}</a>")
    };
    match *passes {
        [one] => worded(words, "{} runs it.", &[&link("Pass {}", one)]),
        [one, two] => {
            worded(words, "{} and {} run it.", &[&link("Passes {}", one), &link("{}", two)])
        }
        _ => worded(words, "{} is the first that runs it.", &[&link("Pass {}", passes[0])]),
    }
}

impl Lesson {
    fn write(
        &self,
        number: usize,
        film: &Trace,
        passes: &[usize],
        words: &Words,
        html: &mut String,
    ) -> std::fmt::Result {
        let (scene, title, text) = (&self.scene, escape(&self.title), self.text.trim());
        let grid = self.grid.unwrap_or(0);
        writeln!(
            html,
            "<article class=\"lesson\" id=\"lesson-{number}\" data-film=\"{number}\" data-scene=\"{scene}\" data-grid=\"{grid}\">"
        )?;
        writeln!(html, "<h2>{title}</h2>\n{text}")?;
        if let Some(exercise) = &self.exercise {
            let [program, replace, with] =
                [&exercise.program, &exercise.replace, &exercise.with].map(|part| escape(part));
            let (pass, text) = (passes[0], exercise.text.trim());
            let [head, start] = ["Exercise.", "Try it"].map(|english| worded(words, english, &[]));
            let parts = [&program, &replace, &with].map(|part| format!("<code>{part}</code>"));
            let change = worded(
                words,
                "In the program {}, replace {} with {}.",
                &parts.each_ref().map(String::as_str),
            );
            let runs = runs(number, passes, words);
            writeln!(
                html,
                "<p class=\"exercise\"><strong>{head}</strong> {change} <button type=\"button\" class=\"try\" \
                 data-pass=\"{pass}\" data-replace=\"{replace}\" data-by=\"{with}\">{start}</button> {runs} {text}</p>"
            )?;
        }
        if let Some(question) = &self.question {
            let (head, question) = (worded(words, "Question.", &[]), question.trim());
            writeln!(html, "<p class=\"question\"><strong>{head}</strong> {question}</p>")?;
        }
        let command = format!("<code>{}</code>", escape(&film.made.command));
        let made = worded(words, "Made by {}", &[&command]);
        writeln!(html, "<p class=\"command\">{made}</p>\n</article>\n")
    }
}

/// Checks that each `<` begins an allowed element; else returns what it begins.
fn check(text: &str) -> Result<(), String> {
    for (at, _) in text.match_indices('<') {
        let rest = &text[at..];
        if !ELEMENTS.iter().any(|element| rest.starts_with(element)) {
            return Err(rest.chars().take(12).collect());
        }
    }
    Ok(())
}

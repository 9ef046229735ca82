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
    /// Its answer, as HTML; numbers in `<strong>` are looked for in what students write.
    pub answer: Option<String>,
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
    /// Hints, as HTML, which a reader asks for one by one.
    #[serde(default)]
    pub hints: Vec<String>,
    /// Its answer, as HTML, like that of a question.
    pub answer: Option<String>,
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
            for text in lesson.texts() {
                check(text).map_err(|tag| {
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
        let mut key = String::new();
        for (number, lesson) in (1..).zip(&self.lessons) {
            _ = lesson.write_answers(number, &self.words, &mut key);
        }
        if !key.is_empty() {
            _ = writeln!(html, "<div id=\"key\">\n{key}</div>");
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

/// The field for a reader's answer to a part of a lesson.
fn field(part: &str, words: &Words) -> String {
    let label = worded(words, "Your answer", &[]);
    format!(
        "<label class=\"answer\">{label} <textarea data-part=\"{part}\" rows=\"2\" maxlength=\"4000\"></textarea></label>"
    )
}

impl Lesson {
    /// All texts that are HTML.
    fn texts(&self) -> impl Iterator<Item = &String> {
        let exercise = self
            .exercise
            .iter()
            .flat_map(|one| one.hints.iter().chain([&one.text]).chain(&one.answer));
        [&self.text].into_iter().chain(&self.question).chain(&self.answer).chain(exercise)
    }

    /// Writes the answers, for teachers.
    fn write_answers(&self, number: usize, words: &Words, html: &mut String) -> std::fmt::Result {
        let exercise = self.exercise.as_ref();
        let parts = [
            ("question", "Question.", self.question.as_ref(), self.answer.as_ref()),
            (
                "exercise",
                "Exercise.",
                exercise.map(|one| &one.text),
                exercise.and_then(|one| one.answer.as_ref()),
            ),
        ];
        if parts.iter().all(|part| part.3.is_none()) {
            return Ok(());
        }
        let title = escape(&self.title);
        writeln!(
            html,
            "<section data-film=\"{number}\">\n<h3><a href=\"#film={number}\">{number}. {title}</a></h3>"
        )?;
        for (part, head, asked, answer) in parts {
            let (Some(asked), Some(answer)) = (asked, answer) else { continue };
            let head = worded(words, head, &[]);
            writeln!(html, "<p class=\"asked\"><em>{head}</em> {}</p>", asked.trim())?;
            writeln!(html, "<p class=\"solution\" data-part=\"{part}\">{}</p>", answer.trim())?;
        }
        writeln!(html, "</section>")
    }

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
                "<div class=\"exercise\"><p><strong>{head}</strong> {change} <button type=\"button\" class=\"try\" \
                 data-pass=\"{pass}\" data-replace=\"{replace}\" data-by=\"{with}\">{start}</button> {runs} {text}</p>"
            )?;
            for hint in &exercise.hints {
                writeln!(html, "<p class=\"hint\" hidden>{}</p>", hint.trim())?;
            }
            if !exercise.hints.is_empty() {
                let hint = worded(words, "Hint", &[]);
                writeln!(html, "<p><button type=\"button\" class=\"ask\">{hint}</button></p>")?;
            }
            writeln!(html, "{}</div>", field("exercise", words))?;
        }
        if let Some(question) = &self.question {
            let (head, question) = (worded(words, "Question.", &[]), question.trim());
            let field = field("question", words);
            writeln!(
                html,
                "<div class=\"question\"><p><strong>{head}</strong> {question}</p>\n{field}</div>"
            )?;
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

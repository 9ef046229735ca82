//! `fragstream kit`: the works of claims for a card without OpenGL 3.3.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::rc::Rc;

use clap::Args;
use serde_json::json;

use crate::claim::{Checker, Run, probes};
use crate::film::kit::Tape;
use crate::gl;
use crate::io::write_atomically;
use crate::papers::PAPERS;
use crate::stream::Backend;
use crate::timing::origin::commit;

use super::super::failure::Failure;
use super::super::output::{Folder, note};
use super::super::session::{Progress, Session};
use super::reproduce::chosen;

/// The rows of a kit.
pub const ROWS: [&str; 24] = [
    "bolz2003/four-channels",
    "bolz2003/bandwidth",
    "kruger2003/diagonals-a-pass",
    "kruger2003/in-place",
    "kruger2003/columns-timed",
    "kruger2003/single-pixels",
    "kruger2003/rgba",
    "kruger2003/vecmul",
    "kruger2003/higher-precision",
    "kruger2003/reduce",
    "goodnight2003/fig2",
    "goodnight2003/fig6",
    "goodnight2003/fig7",
    "goodnight2003/finish",
    "goodnight2003/half-storage",
    "goodnight2003/red-black",
    "batty2003/c2",
    "batty2003/c3",
    "batty2003/c5",
    "batty2003/c6",
    "batty2003/c7",
    "batty2003/c8",
    "batty2003/c9-timed",
    "batty2003/c10",
];

/// The files that are the same in each kit.
const FILES: [(&str, &str); 7] = [
    ("README.md", include_str!("../../film/kit/README.md")),
    ("Makefile", include_str!("../../film/kit/Makefile")),
    ("kit.c", include_str!("../../film/kit/kit.c")),
    ("window.h", include_str!("../../film/kit/window.h")),
    ("glx.c", include_str!("../../film/kit/glx.c")),
    ("wgl.c", include_str!("../../film/kit/wgl.c")),
    ("run.bat", include_str!("../../film/kit/run.bat")),
];

/// Write a kit for a card of 2003: one C program that times the works of claims there
///
/// The program needs OpenGL 1.5 with fragment programs, a C compiler, and nothing of fragstream. It writes kit.csv, which
/// `fragstream reproduce --kit` judges. The folder has the passes of each work, the programs as listings, and a README.
#[derive(Args)]
pub struct Arguments {
    /// Folder, which is made
    folder: Folder,

    /// Claims whose works are raced, as `fragstream list` names them [default: 24 of them]
    #[arg(value_name = "ID")]
    names: Vec<String>,

    /// Smaller works, for a trial
    #[arg(long)]
    quick: bool,
}

/// Works of a race: units of a round, name, passes as text.
type Works = Vec<(f64, String, String)>;

/// Writes the folder.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let Arguments { folder, names, quick } = arguments;
    let usual = || ROWS.map(str::to_owned).to_vec();
    let chosen = chosen(PAPERS, &if names.is_empty() { usual() } else { names.clone() })?;
    Backend::Driver(gl::Backend::Arb).choose();
    let machine = session.machine()?;
    if machine.backend() != "arb" {
        return Err(Failure::input(
            "a kit has listings, as --backend arb runs them: leave out --backend",
        ));
    }
    folder.check_own("README.md", "fragstream kit")?;
    folder.make()?;
    let (tape, progress) = (Rc::new(Tape::default()), Progress::of_steps(chosen.len() as u64));
    let (races, refused) =
        (RefCell::new(Vec::<(String, Works)>::new()), RefCell::new(BTreeMap::new()));
    let mut run = Run::new(&machine);
    run.quick = *quick;
    run.recorder = Some(Box::new(|[race, work], units, round| {
        match tape.record(&machine, round) {
            Ok(passes) => {
                let mut races = races.borrow_mut();
                let own = (units, work.to_owned(), passes);
                match races.last_mut().filter(|(last, _)| last == race) {
                    Some((_, works)) => works.push(own),
                    None => races.push((race.to_owned(), vec![own])),
                }
            }
            Err(why) => {
                drop(refused.borrow_mut().insert(race.to_owned(), format!("{work}: {why}")))
            }
        }
        Ok(())
    }));
    if names.is_empty() {
        probes::race(&run).map_err(Failure::input)?;
    }
    let mut checker = Checker::new(run);
    for row in chosen {
        progress.say(|| format!("{}/{}", row.0.id, row.1.id));
        // What a row finds in a recorded race means nothing.
        checker.check(row).map_err(Failure::input)?;
        progress.step();
    }
    drop(checker);
    let (mut races, refused) = (races.into_inner(), refused.into_inner());
    races.retain(|(race, _)| !refused.contains_key(race));
    for (race, why) in &refused {
        note(format_args!("{race} is not in the kit: {why}"));
    }
    let mode = if *quick { "quick" } else { "full" };
    let mut list = format!("kit,{mode},{}\n", commit());
    let mut files = FILES.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec();
    for (race, works) in &races {
        list += &format!("race {race}\n");
        for (units, work, passes) in works {
            let file = format!("works/{:03}.txt", files.len());
            list += &format!("{file} {units} {work}\n");
            files.push((file, passes.clone()));
        }
    }
    files.push(("works.txt".to_owned(), list));
    for (name, [arb, nv]) in tape.programs().map_err(Failure::input)? {
        files.extend([(format!("programs/{name}.arb"), arb), (format!("programs/{name}.nv"), nv)]);
    }
    for inner in ["works", "programs"] {
        fs::create_dir_all(folder.path().join(inner))?;
    }
    for (name, text) in &files {
        write_atomically(&folder.path().join(name), |out| out.write_all(text.as_bytes()))?;
    }
    let works: usize = races.iter().map(|(_, works)| works.len()).sum();
    folder.report(format_args!("a kit of {works} works in {} races", races.len()));
    let names: Vec<&String> = races.iter().map(|(race, _)| race).collect();
    session.print(&(), &json!({ "works": works, "races": names, "refused": refused }))
}

//! Tables 2 to 4 as pictures, the paper's numbers beside these.

use crate::picture::sheet::SheetError;
use crate::picture::table::table;

use super::super::elements::Numbering;
use super::printed::{LEVELS, Processors, TABLE_2, TABLE_3, TABLE_4};
use super::race::{DEVICE, Race};

const HEADINGS: [&str; 7] = [
    "",
    "paper: one core",
    "four",
    "GPU",
    "here: one core",
    "all",
    "stream processor",
];

/// MFlop/s of products.
pub fn picture_2(circle: &[Vec<Race>; 2]) -> Result<Vec<u8>, SheetError> {
    let rates = |race: &Race, numbering| [0, 1, 2].map(|p| race.rate(numbering, p));
    let paper = |numbering: Numbering, element: usize| &TABLE_2[numbering as usize][element];
    levels(circle, rates, paper, |rate| format!("{rate:.0}"))
}

/// Seconds of solves.
pub fn picture_3(circle: &[Vec<Race>; 2]) -> Result<Vec<u8>, SheetError> {
    let seconds = |race: &Race, numbering| [0, 1, 2].map(|p| race.solve(numbering, p));
    let paper = |numbering: Numbering, element: usize| &TABLE_3[numbering as usize][element];
    levels(circle, seconds, paper, |seconds| format!("{seconds:.2}"))
}

/// Three numbers of the paper's and three of these, by numbering and level.
fn levels<'a>(
    circle: &[Vec<Race>; 2],
    ours: impl Fn(&Race, Numbering) -> Processors,
    paper: impl Fn(Numbering, usize) -> &'a [Processors; 4],
    text: impl Fn(f64) -> String,
) -> Result<Vec<u8>, SheetError> {
    let mut rows = Vec::new();
    for (element, races) in circle.iter().enumerate() {
        for race in races {
            rows.push(vec![format!("{}: {} unknowns", race.name(), race.unknowns)]);
            for numbering in Numbering::ALL {
                let printed = LEVELS[element]
                    .iter()
                    .position(|&level| level == race.level);
                let printed = printed.map(|row| paper(numbering, element)[row].map(&text));
                let mut row = vec![numbering.name().to_owned()];
                row.extend(printed.unwrap_or_default());
                row.extend(ours(race, numbering).map(&text));
                rows.push(row);
            }
        }
    }
    table(&HEADINGS, &rows)
}

/// Gains of solves of BLOOD.
pub fn picture_4(blood: &[Race; 2]) -> Result<Vec<u8>, SheetError> {
    let mut rows = Vec::new();
    for (element, race) in blood.iter().enumerate() {
        let (name, unknowns) = (race.name(), race.unknowns);
        rows.push(vec![format!("{name} here: {unknowns} unknowns")]);
        for numbering in Numbering::ALL {
            let paper = TABLE_4[numbering as usize][element];
            let ours = [1, DEVICE].map(|p| race.solve(numbering, p - 1) / race.solve(numbering, p));
            let gains = paper.into_iter().chain(ours);
            let mut row = vec![numbering.name().to_owned()];
            row.extend(gains.map(|gain| format!("{gain:.2}")));
            rows.push(row);
        }
    }
    let headings = [
        "",
        "paper: four cores to one",
        "GPU to four cores",
        "here: all cores to one",
        "stream processor to all cores",
    ];
    table(&headings, &rows)
}

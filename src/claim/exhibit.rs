//! Contents of a report: figures, programs, and exhibits without a claim.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};
use serde::{Deserialize, Serialize};

/// A picture that belongs to a finding. A stored report has its description; the files are next to the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figure {
    /// Its file, relative to the report's folder, as in `bolz2003/fig3.svg`.
    pub file: String,
    /// Caption of one sentence.
    pub caption: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// CSV file with its numbers, or an empty name.
    pub numbers: String,
    #[serde(skip)]
    contents: Vec<(String, Vec<u8>)>,
}

impl Figure {
    /// Creates a figure. Its file contains SVG for a chart, PNG for a picture.
    pub fn new(
        file: impl Into<String>,
        caption: impl Into<String>,
        content: impl Into<Vec<u8>>,
    ) -> Self {
        let (file, content) = (file.into(), content.into());
        Self {
            size: size(&content),
            contents: vec![(file.clone(), content)],
            file,
            caption: caption.into(),
            numbers: String::new(),
        }
    }

    /// Adds the numbers in it, as CSV.
    pub fn with_numbers(mut self, csv: impl Into<Vec<u8>>) -> Self {
        let stem = self.file.rsplit_once('.').map_or(&*self.file, |(stem, _)| stem);
        self.numbers = format!("{stem}.csv");
        self.contents.push((self.numbers.clone(), csv.into()));
        self
    }

    /// Removes its files, with their names relative to the report's folder; none if they were stored.
    pub fn take_files(&mut self) -> Vec<(String, Vec<u8>)> {
        std::mem::take(&mut self.contents)
    }
}

/// Width and height of a PNG, or of an SVG by its first `viewBox`; zeros for other bytes.
fn size(content: &[u8]) -> [u32; 2] {
    let reader = ImageReader::with_format(Cursor::new(content), ImageFormat::Png);
    if let Ok((width, height)) = reader.into_dimensions() {
        return [width, height];
    }
    let text = std::str::from_utf8(content).unwrap_or_default();
    let (_, rest) = text.split_once("viewBox=\"0 0 ").unwrap_or_default();
    let mut sides = rest.split([' ', '"']).map(|side| side.parse().unwrap_or(0));
    [(); 2].map(|()| sides.next().unwrap_or(0))
}

/// A fragment program that ran for a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Its name, as in `bolz2003/sparse/spmv`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A picture and a table with the command that reproduces them. Not judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Exhibit {
    /// Title.
    pub title: String,
    /// Its table as text for a terminal.
    pub text: String,
    /// The command that shows it again.
    pub command: String,
    /// Its picture, with the numbers of the table.
    pub figure: Figure,
    /// Name of its run.
    pub run: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_knows_its_size_and_a_stored_one_has_no_files() {
        let svg = "<svg viewBox=\"0 0 1280 800\"><g viewBox=\"0 0 1 1\"/></svg>";
        let mut chart = Figure::new("a/b.svg", "A chart.", svg).with_numbers("x\n");
        let png = crate::picture::png(&image::RgbImage::new(3, 2)).unwrap();
        let sizes = [chart.size, Figure::new("", "", png).size, Figure::new("", "", "x").size];
        assert_eq!(sizes, [[1280, 800], [3, 2], [0, 0]]);
        let stored: Figure = serde_json::from_value(serde_json::json!(chart)).unwrap();
        assert_eq!(chart.take_files()[1], ("a/b.csv".to_owned(), b"x\n".to_vec()));
        assert_eq!(stored, chart);
    }
}

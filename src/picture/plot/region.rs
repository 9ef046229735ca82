//! Values on a region of the plane as colours, with contour lines and a colour bar.

use super::PlotError;
use super::plate::Plate;
use super::style::paint;
use crate::picture::colour::Map;
use crate::picture::sheet::{INK, Sheet, SheetError};

/// Values at points of a region, which is divided into triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Region<'a> {
    /// Title.
    pub title: String,
    /// A second, less prominent line.
    pub note: String,
    /// Points, x to the right and y up, and their values.
    pub points: &'a [([f64; 2], f64)],
    /// Corners of each triangle; values are linear in between.
    pub triangles: &'a [[u32; 3]],
    /// Lines of the region's boundary.
    pub outline: &'a [[[f64; 2]; 2]],
    /// Colours from the lowest to the highest value.
    pub colours: &'static Map,
}

/// Draws a region; PNG, 1280 x 800.
pub fn region(region: &Region<'_>) -> Result<Vec<u8>, PlotError> {
    let nothing = || PlotError::Empty(region.title.clone());
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for (at, _) in region.points {
        for k in 0..2 {
            low[k] = low[k].min(at[k]);
            high[k] = high[k].max(at[k]);
        }
    }
    let extent = [high[0] - low[0], high[1] - low[1]];
    if !extent.iter().all(|side| side.is_finite() && *side > 0.0) {
        return Err(nothing());
    }
    let values = region.points.iter().map(|(_, value)| *value);
    let plate = Plate::new(values, extent, region.colours).ok_or_else(nothing)?;
    let drawing = Drawing { region, plate, low, extent };
    paint(|sheet| {
        drawing.plate.draw_head(sheet, &region.title, &region.note)?;
        drawing.draw(sheet)?;
        drawing.plate.draw_bar(sheet)
    })
}

struct Drawing<'a> {
    region: &'a Region<'a>,
    plate: Plate,
    low: [f64; 2],
    extent: [f64; 2],
}

impl Drawing<'_> {
    /// Position of a point on the sheet.
    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, top, right, bottom] = self.plate.frame;
        let across = (x - self.low[0]) / self.extent[0];
        let up = (y - self.low[1]) / self.extent[1];
        [left + across * (right - left), bottom - up * (bottom - top)]
    }

    fn draw(&self, sheet: &mut Sheet) -> Result<(), SheetError> {
        let corners = |triangle: &[u32; 3]| {
            triangle.map(|point| {
                let (at, value) = self.region.points[point as usize];
                (self.place(at), value)
            })
        };
        for triangle in self.region.triangles {
            let corners = corners(triangle);
            sheet.shade_triangle(corners.map(|(at, _)| at), |shares| {
                let terms = shares.iter().zip(&corners);
                self.plate.colour(terms.map(|(share, (_, value))| share * value).sum())
            });
        }
        let lines = self.plate.lines();
        for triangle in self.region.triangles {
            let corners = corners(triangle);
            for &(level, colour) in &lines {
                if let Some(segment) = crossing(&corners, level) {
                    sheet.line(&segment, 1.0, colour)?;
                }
            }
        }
        for line in self.region.outline {
            sheet.line(&line.map(|at| self.place(at)), 2.0, INK)?;
        }
        Ok(())
    }
}

/// The contour line of a level in a triangle.
fn crossing(corners: &[([f64; 2], f64); 3], level: f64) -> Option<[[f64; 2]; 2]> {
    let mut ends = (0..3).filter_map(|k| {
        let ((a, from), (b, to)) = (corners[k], corners[(k + 1) % 3]);
        let share = (level - from) / (to - from);
        // A corner on the level counts as above it.
        let crosses = (from < level) != (to < level);
        crosses.then(|| [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis])))
    });
    Some([ends.next()?, ends.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::colour::map::SEQUENTIAL;

    #[test]
    fn colours_follow_values_inside_and_nothing_is_drawn_outside() {
        // A triangle below the diagonal whose values grow to the right.
        let points = [([0.0, 0.0], 0.0), ([3.0, 0.0], 1.0), ([3.0, 2.0], 1.0)];
        let png = region(&Region {
            title: String::new(),
            note: String::new(),
            points: &points,
            triangles: &[[0, 1, 2]],
            outline: &[],
            colours: &SEQUENTIAL,
        })
        .expect("a picture");
        let picture = image::load_from_memory(&png).expect("a PNG").to_rgb8();
        // The region is as high as the room, 900 wide, from 120 on.
        for x in [250, 577, 903] {
            let expected = SEQUENTIAL.at((f64::from(x) + 0.5 - 120.0) / 900.0);
            let found = picture.get_pixel(x, 730).0;
            let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 2);
            assert!(near, "{found:?} at {x}, not {expected:?}");
        }
        assert_eq!(picture.get_pixel(200, 300).0, [255; 3]);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let picture = |points: &[([f64; 2], f64)]| {
            let (title, note) = (String::new(), String::new());
            let (triangles, outline): (&[[u32; 3]], &[_]) = (&[], &[]);
            region(&Region { title, note, points, triangles, outline, colours: &SEQUENTIAL })
        };
        assert!(picture(&[]).is_err());
        assert!(picture(&[([0.0, 0.0], 1.0), ([1.0, 1.0], f64::NAN)]).is_err());
        assert!(picture(&[([0.0, 0.0], 1.0), ([0.0, 1.0], 2.0)]).is_err());
    }
}

//! Contents of a mesh file: its mesh, and where its coordinates are, so that the file can be written again with
//! other coordinates and everything else unchanged.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

use crate::base::order::ShortSort;
use crate::io::error::{Fault, Place};
use crate::io::reading::remark;
use crate::io::text::Shortest;
use crate::mesh::TriangleMesh;
use crate::mesh::polygon::Faces;
use crate::mesh::vector::Vector;

/// Remedy for a face with fewer than three corners.
const REPAIR: &str = "remove the face, or repair the mesh (--repair)";

/// Largest number of names in a message, and of names that are kept.
const MOST_NAMED: usize = 12;
const MOST_OTHERS: usize = 64;

/// A mesh file while it is read, and when it has been.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    pub mesh: TriangleMesh,
    pub faces: Faces,
    /// Address of the file's first byte, if the places are kept.
    begin: Option<usize>,
    /// The bytes of the coordinates in the file, three ranges per vertex.
    places: Vec<[Range<usize>; 3]>,
    pub numbers: Numbers,
    /// The first face with fewer than three corners, and the number of these faces.
    pub short: Option<(Fault, usize)>,
    /// Names of the file's other contents: properties, keywords, elements.
    pub others: Vec<String>,
    /// Vertices with a coordinate that is not finite, which no face may use.
    unfit: BTreeMap<u32, Fault>,
}

/// The form of the coordinates in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Decimal numbers.
    #[default]
    Text,
    /// Floats of 32 or 64 bits.
    Binary { is_big_endian: bool },
    /// Binary integers, which cannot hold other coordinates.
    Integers,
    /// Decimal numbers with weights, by which they are divided.
    Weighted,
}

impl Contents {
    /// Empty contents of a file; with `keep`, of one that will be written again.
    pub fn new(file: &[u8], keep: bool) -> Self {
        Self { begin: keep.then_some(file.as_ptr() as usize), ..Self::default() }
    }

    /// Tests whether a coordinate is a float of 32 bits.
    pub fn is_single(&self) -> bool {
        matches!(self.numbers, Numbers::Binary { .. })
            && self.places.as_flattened().iter().any(|place| place.len() == 4)
    }

    /// Adds a vertex: its coordinates with their bytes in the file. `fault` is that of one which is not finite.
    pub fn vertex(
        &mut self,
        coordinates: [(f64, &[u8]); 3],
        fault: impl FnOnce(&'static str) -> Fault,
    ) {
        if let Some(axis) = coordinates.iter().position(|(value, _)| !value.is_finite()) {
            let vertex = self.mesh.positions.len() as u32;
            self.unfit.insert(vertex, fault(["x", "y", "z"][axis]));
        }
        self.mesh.positions.push(coordinates.map(|(value, _)| value));
        if let Some(begin) = self.begin {
            self.places.push(coordinates.map(|(_, bytes)| {
                let start = bytes.as_ptr() as usize - begin;
                start..start + bytes.len()
            }));
        }
    }

    /// Adds a face, in a line of the file (0 in a binary file). One with fewer than three corners has no triangles.
    pub fn face(&mut self, corners: &[u32], line: usize) {
        if corners.len() < 3 {
            let face = self.faces.count();
            let place = if line > 0 { Place::Line(line) } else { Place::Face { face, line: None } };
            let what = format!("face {face} has {} corners, but needs 3", corners.len());
            self.short.get_or_insert_with(|| (Fault::new(place, what, REPAIR), 0)).1 += 1;
        }
        self.faces.push(&mut self.mesh, corners, line);
    }

    /// The fault of a vertex that is not finite: of the first that a triangle uses, or of the first of all.
    pub fn unfit(&self, is_used: bool) -> Option<&Fault> {
        if self.unfit.is_empty() || !is_used {
            return self.unfit.values().next();
        }
        let corners = self.mesh.triangles.as_flattened().iter();
        corners.filter_map(|corner| self.unfit.get(corner)).next()
    }

    /// Removes the vertices that are not finite, none of which a triangle uses. Returns their number.
    pub fn drop_unfit(&mut self) -> usize {
        let unfit: Vec<u32> = std::mem::take(&mut self.unfit).into_keys().collect();
        let before = |vertex: u32| unfit.partition_point(|&other| other < vertex) as u32;
        for corner in self.mesh.triangles.as_flattened_mut() {
            *corner -= before(*corner);
        }
        self.mesh.positions.retain(|position| position.iter().all(|value| value.is_finite()));
        unfit.len()
    }

    /// Notes other contents.
    pub fn other(&mut self, name: &[u8]) {
        let is_known = self.others.iter().any(|known| known.as_bytes() == name);
        if self.others.len() < MOST_OTHERS && !is_known {
            self.others.push(name.escape_ascii().to_string());
        }
    }

    /// Remarks on other contents that are not among these harmless ones.
    pub fn remark_beyond(&self, harmless: &[&str], kind: &str) {
        let others = self.others.iter().map(String::as_str);
        let others = others.filter(|other| !harmless.contains(other)).take(MOST_NAMED);
        let others: Vec<&str> = others.collect();
        if !others.is_empty() {
            remark(format!("not used: {kind}{}", others.join(", ")));
        }
    }

    /// Splits the polygons.
    pub fn finished(mut self) -> Self {
        self.faces.split(&mut self.mesh);
        self
    }

    /// Writes the file with other positions. A coordinate that has not changed keeps its digits.
    pub fn write(&self, out: &mut impl Write, file: &[u8], positions: &[Vector]) -> io::Result<()> {
        let mut written = 0;
        for ((places, old), new) in self.places.iter().zip(&self.mesh.positions).zip(positions) {
            let mut axes = [0, 1, 2];
            axes.order_by_key(|&axis| places[axis].start);
            for axis in axes.into_iter().filter(|&axis| old[axis].to_bits() != new[axis].to_bits())
            {
                out.write_all(&file[written..places[axis].start])?;
                written = places[axis].end;
                let Numbers::Binary { is_big_endian } = self.numbers else {
                    write!(out, "{}", Shortest(new[axis]))?;
                    continue;
                };
                let mut bytes = match places[axis].len() {
                    4 => (new[axis] as f32).to_be_bytes().to_vec(),
                    _ => new[axis].to_be_bytes().to_vec(),
                };
                if !is_big_endian {
                    bytes.reverse();
                }
                out.write_all(&bytes)?;
            }
        }
        out.write_all(&file[written..])
    }
}

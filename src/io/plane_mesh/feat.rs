//! Meshes of FEATFLOW and FEAT2: TRI files with vertices, cells and boundary vertices, PRM files with the
//! curves of the boundary.
//!
//! A boundary vertex has no coordinates in the file. Its first number is its parameter on the curves of its
//! component: 2.25 is a quarter along the third. That curve of component 1 is called `1.3`, and `1` with the others.

use std::collections::HashMap;
use std::f64::consts::PI;

use super::cells::{PlaneCell, PlaneEdge, PlaneMesh, PlanePart};
use crate::io::error::{Fault, quote};
use crate::io::text::{Fields, Lines, number};

/// Remedy for unsupported curves.
const CURVES: &str = "use lines (1) and circles (2)";

/// Fault of cells with eight corners, and its remedy.
const IN_SPACE: &str = "a cell has more than four corners: this is a mesh in space";
const PLANE: &str = "give a plane mesh of triangles and quadrilaterals";

/// Checks that the cells of a TRI file are in the plane, as far as that can be seen without its curves.
pub(super) fn check_plane(text: &[u8]) -> Result<(), Fault> {
    let mut lines = Lines::new(text, 1, None);
    let is_heading =
        |fields: &mut Fields| fields.next().is_some_and(|word| word.eq_ignore_ascii_case(b"KVERT"));
    if !lines.any(|mut fields| is_heading(&mut fields)) {
        return Ok(());
    }
    match lines.next() {
        Some(cell) if cell.clone().count() == 8 => Err(Fault::in_line(cell.line, IN_SPACE, PLANE)),
        _ => Ok(()),
    }
}

/// Largest angle of an edge: beyond it, the middle of the edge is far from the arc.
const WIDEST: f64 = 0.9 * PI;

/// Tolerance of a parameter at the end of a curve, because published meshes have few digits.
const AT_END: f64 = 1e-4;

/// A curve of the boundary, for a parameter from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
enum Curve {
    Line { from: [f64; 2], along: [f64; 2] },
    Circle { centre: [f64; 2], radius: f64, angles: [f64; 2] },
}

impl Curve {
    fn at(&self, t: f64) -> [f64; 2] {
        match self {
            Self::Line { from, along } => [0, 1].map(|k| from[k] + t * along[k]),
            Self::Circle { centre, radius, angles: [first, last] } => {
                let angle = first + t * (last - first);
                [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()]
            }
        }
    }
}

/// The curves of each component of the boundary: the contents of a PRM file.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves(Vec<Vec<Curve>>);

impl Curves {
    /// Parses the contents of a PRM file.
    pub fn parse(text: &[u8]) -> Result<Self, Fault> {
        let mut tokens = Tokens::new(text);
        tokens.heading("NBCT")?;
        let mut kinds = Vec::new();
        for _ in 0..tokens.number::<u32>("the number of components")? {
            tokens.heading("IBCT")?;
            tokens.number::<i64>("the component")?;
            tokens.heading("NCOMP")?;
            let count: u32 = tokens.number("the number of curves")?;
            tokens.heading("ITYP")?;
            let mut component = Vec::new();
            for _ in 0..count {
                component.push(tokens.kind()?);
            }
            kinds.push(component);
        }
        tokens.heading("PARAMETERS")?;
        let mut components = Vec::new();
        for kinds in kinds {
            let curves = kinds.into_iter().map(|is_circle| tokens.curve(is_circle));
            components.push(curves.collect::<Result<_, _>>()?);
        }
        Ok(Self(components))
    }

    /// The curve of a component between two parameters, and the fraction of it; `None` if it is more than one
    /// curve. A circle that is a component by itself is closed, and has no end.
    fn between(&self, component: usize, ends: [f64; 2]) -> Option<(usize, f64)> {
        let curves = &self.0[component];
        let count = curves.len() as f64;
        // Forwards, or backwards if that is shorter: the last curve ends where the first begins.
        let forward = (ends[1] - ends[0]).rem_euclid(count);
        let (from, share) =
            if forward <= 0.5 * count { (ends[0], forward) } else { (ends[1], count - forward) };
        let middle = (from + 0.5 * share).rem_euclid(count);
        let curve = middle.floor();
        let is_closed = matches!(curves[..], [Curve::Circle { .. }]);
        let fits = is_closed || (middle - curve - 0.5).abs() + 0.5 * share <= 0.5 + AT_END;
        (fits && curve < count).then_some((curve as usize, share))
    }
}

/// Parses the contents of a TRI file.
pub fn parse(text: &[u8], curves: &Curves) -> Result<PlaneMesh, Fault> {
    let mut tokens = Tokens::new(text);
    let [cells, vertices] = tokens.sizes()?;
    tokens.heading("DCORVG")?;
    let mut places = Vec::new();
    for vertex in 1..=vertices {
        places.push([
            tokens.finite(format_args!("vertex {vertex}: x or the parameter"))?,
            tokens.finite(format_args!("vertex {vertex}: y"))?,
        ]);
    }
    tokens.heading("KVERT")?;
    let mut mesh = PlaneMesh::default();
    for _ in 0..cells {
        mesh.cells.push(tokens.cell(vertices)?);
    }
    tokens.heading("KNPR")?;
    let mut component_of = Vec::new();
    for vertex in 1..=vertices {
        let what = format!("the boundary component of vertex {vertex}");
        let component: u32 = tokens.number(&what)?;
        let [t, _] = places[vertex as usize - 1];
        let count = match component {
            0 => f64::INFINITY,
            _ => match curves.0.get(component as usize - 1) {
                Some(curves) => curves.len() as f64,
                None => {
                    let what =
                        format!("{what} is {component}, but the PRM file has {}", curves.0.len());
                    return Err(tokens.fields.fault(what));
                }
            },
        };
        if component > 0 && !(0.0..count).contains(&t) {
            let what = format!(
                "vertex {vertex} has the parameter {t}, but component {component} has {count} curves"
            );
            return Err(tokens.fields.fault(what));
        }
        component_of.push(component);
    }
    let place = |([t, y], component): (&[f64; 2], &u32)| match component {
        0 => [*t, *y],
        _ => curves.0[*component as usize - 1][*t as usize].at(t.fract()),
    };
    mesh.vertices = places.iter().zip(&component_of).map(place).collect();
    let parameters: Vec<f64> = places.iter().map(|[t, _]| *t).collect();
    name_edges(&mut mesh, &component_of, &parameters, curves)?;
    Ok(mesh)
}

/// Finds the edges that belong to one cell only, and their curves.
fn name_edges(
    mesh: &mut PlaneMesh,
    component_of: &[u32],
    parameters: &[f64],
    curves: &Curves,
) -> Result<(), Fault> {
    let mut met: HashMap<[u32; 2], (usize, [u32; 2], usize)> = HashMap::new();
    for cell in &mesh.cells {
        for (k, &a) in cell.corners.iter().enumerate() {
            let b = cell.corners[(k + 1) % cell.corners.len()];
            met.entry([a.min(b), a.max(b)]).or_insert((0, [a, b], cell.line)).0 += 1;
        }
    }
    let mut alone: Vec<([u32; 2], usize)> = met
        .into_values()
        .filter(|(count, ..)| *count == 1)
        .map(|(_, ends, line)| (ends, line))
        .collect();
    alone.sort_unstable();
    let mut parts: HashMap<(u32, usize), u32> = HashMap::new();
    for (ends, line) in alone {
        let [component, other] = ends.map(|v| component_of[v as usize]);
        if component == 0 || component != other {
            continue;
        }
        let [a, b] = ends.map(|v| v + 1);
        let index = component as usize - 1;
        let Some((curve, share)) = curves.between(index, ends.map(|v| parameters[v as usize]))
        else {
            let what =
                format!("the boundary edge from vertex {a} to {b} crosses the end of a curve");
            return Err(Fault::in_line(line, what, "put a vertex where curves meet"));
        };
        let circle = match curves.0[index][curve] {
            Curve::Line { .. } => None,
            Curve::Circle { centre, radius, angles } => {
                if (share * (angles[1] - angles[0])).abs() > WIDEST {
                    let what =
                        format!("the boundary edge from vertex {a} to {b} spans half a circle");
                    return Err(Fault::in_line(line, what, "put a vertex between them"));
                }
                Some((centre, radius))
            }
        };
        let part = *parts.entry((component, curve)).or_insert_with(|| {
            let names = vec![format!("{component}.{}", curve + 1), component.to_string()];
            mesh.parts.push(PlanePart { names, circle });
            mesh.parts.len() as u32 - 1
        });
        mesh.edges.push(PlaneEdge { ends, part });
    }
    Ok(())
}

/// Numbers distributed over any lines, between headings on their own lines.
struct Tokens<'a> {
    lines: Lines<'a>,
    fields: Fields<'a>,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { lines: Lines::new(text, 1, None), fields: Fields::none(1) }
    }

    /// Moves to the next line at the end of this one.
    fn advance(&mut self, what: &str) -> Result<(), Fault> {
        if self.fields.clone().next().is_none() {
            self.fields = self.lines.demand(|| format!("the file ends before {what}"))?;
        }
        Ok(())
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Fault> {
        self.advance(what)?;
        self.fields.number(what)
    }

    /// A number in double precision.
    fn finite(&mut self, what: impl std::fmt::Display) -> Result<f64, Fault> {
        let what = what.to_string();
        self.advance(&what)?;
        self.fields.finite(what)
    }

    /// Checks that the next line contains this word.
    fn heading(&mut self, word: &str) -> Result<(), Fault> {
        self.fields = self.lines.demand(|| format!("the file ends before {word}"))?;
        let found = self.fields.next().unwrap_or_default();
        if !found.to_ascii_uppercase().starts_with(word.as_bytes()) {
            return Err(self
                .fields
                .fault(format!("{word} is expected here, not {}", quote(found))));
        }
        self.fields = Fields::none(self.fields.line);
        Ok(())
    }

    /// The numbers of cells and vertices, below two lines of arbitrary text.
    fn sizes(&mut self) -> Result<[u32; 2], Fault> {
        loop {
            let missing = || "the line of sizes (NEL NVT NMT NVE NBCT) is missing".into();
            let line = self.lines.demand(missing)?;
            let numbers: Vec<Option<u32>> = line.take(5).map(number).collect();
            if let [Some(cells), Some(vertices), Some(_), Some(_), Some(_)] = numbers[..] {
                return Ok([cells, vertices]);
            }
        }
    }

    /// A line with three or four corners; the fourth corner of a triangle may be zero.
    fn cell(&mut self, vertices: u32) -> Result<PlaneCell, Fault> {
        let mut fields = self.lines.demand(|| "the file ends among the cells".into())?;
        let line = fields.line;
        let mut corners = Vec::with_capacity(4);
        while fields.clone().next().is_some() && corners.len() < 4 {
            let corner: u32 = fields.number("a corner")?;
            if corner == 0 && corners.len() == 3 {
                break;
            }
            if !(1..=vertices).contains(&corner) {
                return Err(fields.fault(format!("there is no vertex {corner}")));
            }
            corners.push(corner - 1);
        }
        if corners.len() < 3 {
            return Err(fields.fault("a cell needs three or four corners"));
        }
        if fields.count() > 0 {
            return Err(Fault::in_line(line, IN_SPACE, PLANE));
        }
        Ok(PlaneCell { corners, line })
    }

    /// Returns true for a circle, false for a line.
    fn kind(&mut self) -> Result<bool, Fault> {
        let mut fields = self.lines.demand(|| "the file ends among the curves".into())?;
        let kind: i64 = fields.number("the kind of the curve")?;
        match kind {
            1 => Ok(false),
            2 => Ok(true),
            _ => {
                let name = match kind {
                    3 => "open splines".to_owned(),
                    4 => "closed splines".to_owned(),
                    kind => format!("curves of the kind {kind}"),
                };
                let what = format!("{name} are not supported");
                Err(Fault::in_line(fields.line, what, CURVES))
            }
        }
    }

    fn curve(&mut self, is_circle: bool) -> Result<Curve, Fault> {
        let mut pair = |names: [&str; 2]| -> Result<[f64; 2], Fault> {
            Ok([self.finite(names[0])?, self.finite(names[1])?])
        };
        if !is_circle {
            let from = pair(["x of a line", "y of a line"])?;
            let along = pair(["the width of a line", "the height of a line"])?;
            return Ok(Curve::Line { from, along });
        }
        let centre = pair(["x of a centre", "y of a centre"])?;
        let [radius, _] = pair(["a radius", "the number after a radius"])?;
        let angles = pair(["an angle", "an angle"])?;
        if radius <= 0.0 {
            return Err(self.fields.fault(format!("a circle has the radius {radius}")));
        }
        Ok(Curve::Circle { centre, radius, angles })
    }
}

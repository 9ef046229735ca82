//! Gmsh's MSH in its text forms 2.2 and 4.1. Physical curves are the parts of the boundary, straight from node
//! to node, because the file contains no curves. (When Gmsh saves all elements in 2.2, it omits the groups.)
//!
//! This is own code because the maintained crate, `mshio`, reads no names of physical groups and gives no lines
//! in errors.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{PlaneCell, PlaneEdge, PlaneMesh, PlanePart};
use crate::io::error::{Fault, quote};
use crate::io::text::{Fields, Lines};

/// Remedy for unsupported files.
const EXPORT: &str = "export it from Gmsh as `Version 4 ASCII` or `Version 2 ASCII`";

/// Parses the contents of an MSH file. Nodes without a cell are dropped.
///
/// # Errors
/// The first [`Fault`]: the line and the violation of the format.
pub fn parse(text: &[u8]) -> Result<PlaneMesh, Fault> {
    let mut lines = Lines::new(text, 1, None);
    let mut found = Contents::default();
    let mut version = None;
    while let Some(mut fields) = lines.next() {
        let section = fields.next().unwrap_or_default();
        let Some(name) = section.strip_prefix(b"$") else {
            let what = format!("a section is expected here, not {}", quote(section));
            return Err(Fault::in_line(fields.line, what, EXPORT));
        };
        match (name, version) {
            (b"MeshFormat", _) => version = Some(parse_version(&mut lines)?),
            (b"PhysicalNames", _) => found.physical_names(&mut lines)?,
            (b"Nodes" | b"Elements" | b"Entities", None) => {
                let what = "there is no section $MeshFormat before this";
                return Err(Fault::in_line(fields.line, what, EXPORT));
            }
            (b"Entities", _) => found.entities(&mut lines)?,
            (b"Nodes", Some(Version::Two)) => found.nodes_2(&mut lines)?,
            (b"Nodes", Some(Version::Four)) => found.nodes_4(&mut lines)?,
            (b"Elements", Some(Version::Two)) => found.elements_2(&mut lines)?,
            (b"Elements", Some(Version::Four)) => found.elements_4(&mut lines)?,
            (b"Periodic", _) => found.periodic = true,
            (b"NOD" | b"ELM", _) => {
                let what = "the file has version 1 of the format";
                return Err(Fault::in_line(fields.line, what, EXPORT));
            }
            _ => {}
        }
        skip_to_end(name, &mut lines)?;
    }
    found.into_mesh()
}

#[derive(Clone, Copy)]
enum Version {
    Two,
    Four,
}

fn parse_version(lines: &mut Lines) -> Result<Version, Fault> {
    let mut fields = lines.demand(|| "the version is missing".into())?;
    let (line, version) = (fields.line, fields.next().unwrap_or_default());
    let refuse = |what: String| Err(Fault::in_line(line, what, EXPORT));
    let is_binary = fields.number::<u8>("the file type")? != 0;
    if is_binary {
        return refuse("the file is binary".to_owned());
    }
    match version {
        b"2.2" | b"2.1" | b"2.0" | b"2" => Ok(Version::Two),
        b"4.1" => Ok(Version::Four),
        b"4" | b"4.0" => {
            refuse("the file has version 4.0, which newer programs write as 4.1".to_owned())
        }
        other => refuse(format!("the version {} is not read", quote(other))),
    }
}

fn skip_to_end(name: &[u8], lines: &mut Lines) -> Result<(), Fault> {
    let end = [b"$End", name].concat();
    loop {
        let missing = || format!("the section {} has no end", quote(name));
        if lines.demand(missing)?.next() == Some(&end[..]) {
            return Ok(());
        }
    }
}

/// An element of the file.
struct Element {
    kind: u32,
    /// Physical group; in version 4, the curve or surface.
    group: i64,
    nodes: Vec<u64>,
    line: usize,
}

#[derive(Default)]
struct Contents {
    /// Names by dimension and number of the physical group.
    names: FxHashMap<(u8, i64), String>,
    /// Physical group of each curve.
    group_of_curve: FxHashMap<i64, i64>,
    /// Coordinates by number of the node.
    nodes: FxHashMap<u64, [f64; 3]>,
    elements: Vec<Element>,
    periodic: bool,
}

impl Contents {
    fn physical_names(&mut self, lines: &mut Lines) -> Result<(), Fault> {
        for _ in 0..count(lines, "physical names")? {
            let mut fields = lines.demand(|| "the file ends among the physical names".into())?;
            let dimension = fields.number("the dimension")?;
            let number = fields.number("the number of the group")?;
            let name = String::from_utf8_lossy(fields.rest()).into_owned();
            self.names.insert((dimension, number), name.trim_matches('"').to_owned());
        }
        Ok(())
    }

    fn entities(&mut self, lines: &mut Lines) -> Result<(), Fault> {
        let mut fields = lines.demand(|| "the numbers of entities are missing".into())?;
        let points: u64 = fields.number("the number of points")?;
        let curves: u64 = fields.number("the number of curves")?;
        for _ in 0..points {
            lines.demand(|| "the file ends among the points".into())?;
        }
        for _ in 0..curves {
            let mut fields = lines.demand(|| "the file ends among the curves".into())?;
            let curve = fields.number("the number of the curve")?;
            for _ in 0..6 {
                fields.number::<f64>("a side of the curve's box")?;
            }
            if fields.number::<u32>("the number of physical groups")? > 0 {
                // The first of several groups; the sign is a direction.
                let group: i64 = fields.number("the physical group")?;
                self.group_of_curve.insert(curve, group.saturating_abs());
            }
        }
        Ok(())
    }

    fn nodes_2(&mut self, lines: &mut Lines) -> Result<(), Fault> {
        for _ in 0..count(lines, "nodes")? {
            let mut fields = lines.demand(|| "the file ends among the nodes".into())?;
            let number = fields.number("the number of the node")?;
            self.node(number, &mut fields)?;
        }
        Ok(())
    }

    /// Adds a node, which may be repeated in the same position only.
    fn node(&mut self, number: u64, fields: &mut Fields) -> Result<(), Fault> {
        let mut axis = |name| fields.finite(format_args!("node {number}: {name}"));
        let place = [axis("x")?, axis("y")?, axis("z")?];
        match self.nodes.insert(number, place) {
            Some(before) if before != place => {
                Err(fields.fault(format!("node {number} has a second position")))
            }
            _ => Ok(()),
        }
    }

    fn nodes_4(&mut self, lines: &mut Lines) -> Result<(), Fault> {
        for _ in 0..count(lines, "blocks of nodes")? {
            let mut fields = lines.demand(|| "the file ends among the nodes".into())?;
            for what in ["dimension", "number of the entity", "mark of parameters"] {
                fields.number::<i64>(format_args!("the {what}"))?;
            }
            let mut numbers: Vec<u64> = Vec::new();
            for _ in 0..fields.number::<u64>("the number of nodes")? {
                let mut fields = lines.demand(|| "the file ends among the nodes".into())?;
                numbers.push(fields.number("the number of the node")?);
            }
            for number in numbers {
                let mut fields = lines.demand(|| "the file ends among the nodes".into())?;
                self.node(number, &mut fields)?;
            }
        }
        Ok(())
    }

    fn elements_2(&mut self, lines: &mut Lines) -> Result<(), Fault> {
        for _ in 0..count(lines, "elements")? {
            let mut fields = lines.demand(|| "the file ends among the elements".into())?;
            fields.number::<u64>("the number of the element")?;
            let kind = fields.number("the kind of the element")?;
            let tags: u32 = fields.number("the number of tags")?;
            // The first tag is the physical group, or zero for none.
            let mut group = 0;
            for tag in 0..tags {
                let value: i64 = fields.number("a tag")?;
                group = if tag == 0 { value } else { group };
            }
            self.element(kind, group, fields)?;
        }
        Ok(())
    }

    fn elements_4(&mut self, lines: &mut Lines) -> Result<(), Fault> {
        for _ in 0..count(lines, "blocks of elements")? {
            let mut fields = lines.demand(|| "the file ends among the elements".into())?;
            fields.number::<u8>("the dimension")?;
            let entity: i64 = fields.number("the number of the entity")?;
            let kind: u32 = fields.number("the kind of the elements")?;
            let group = self.group_of_curve.get(&entity).copied().unwrap_or(0);
            for _ in 0..fields.number::<u64>("the number of elements")? {
                let mut fields = lines.demand(|| "the file ends among the elements".into())?;
                fields.number::<u64>("the number of the element")?;
                self.element(kind, group, fields)?;
            }
        }
        Ok(())
    }

    /// Adds an edge or a cell; points are ignored.
    fn element(&mut self, kind: u32, group: i64, mut fields: Fields) -> Result<(), Fault> {
        let corners = match kind {
            15 => return Ok(()),
            1 => 2,
            2 => 3,
            3 => 4,
            _ => {
                let what = format!("{} are not supported", named(kind));
                return Err(Fault::in_line(fields.line, what, remedy(kind)));
            }
        };
        let mut nodes = Vec::with_capacity(corners);
        for _ in 0..corners {
            let node: u64 = fields.number("a node of the element")?;
            if !self.nodes.contains_key(&node) {
                return Err(fields.fault(format!("there is no node {node}")));
            }
            nodes.push(node);
        }
        fields.end()?;
        self.elements.push(Element { kind, group, nodes, line: fields.line });
        Ok(())
    }

    fn into_mesh(self) -> Result<PlaneMesh, Fault> {
        let mut mesh = PlaneMesh { periodic: self.periodic, ..PlaneMesh::default() };
        // Gmsh writes a cell once for each of its groups.
        let mut seen = FxHashSet::default();
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let mut height = None;
        for element in self.elements.iter().filter(|element| element.kind != 1) {
            let mut corners = Vec::with_capacity(element.nodes.len());
            for node in &element.nodes {
                let [x, y, z] = self.nodes[node];
                if (z - *height.get_or_insert(z)).abs() > 1e-9 * (1.0 + x.abs() + y.abs()) {
                    let what = format!("node {node} has another z than the cells before");
                    let remedy = "give a mesh in the plane, all z the same";
                    return Err(Fault::in_line(element.line, what, remedy));
                }
                corners.push(*numbers.entry(*node).or_insert_with(|| {
                    mesh.vertices.push([x, y]);
                    mesh.vertices.len() as u32 - 1
                }));
            }
            let mut sorted = [u32::MAX; 4];
            sorted[..corners.len()].copy_from_slice(&corners);
            sorted.sort_unstable();
            if seen.insert(sorted) {
                mesh.cells.push(PlaneCell { corners, line: element.line });
            }
        }
        if mesh.cells.is_empty() {
            let what = "there are no triangles or quadrilaterals";
            return Err(Fault::in_file(
                what,
                "mesh the surface and, if it has physical groups, give it one",
            ));
        }
        let mut parts: FxHashMap<i64, u32> = FxHashMap::default();
        for edge in self.elements.iter().filter(|element| element.kind == 1) {
            let ends = [0, 1].map(|k| numbers.get(&edge.nodes[k]).copied());
            let ([Some(a), Some(b)], true) = (ends, edge.group != 0) else {
                continue;
            };
            let part = *parts.entry(edge.group).or_insert_with(|| {
                let name = self.names.get(&(1, edge.group)).cloned();
                mesh.parts.push(PlanePart {
                    name: name.unwrap_or_else(|| edge.group.to_string()),
                    circle: None,
                });
                mesh.parts.len() as u32 - 1
            });
            mesh.edges.push(PlaneEdge { ends: [a, b], part });
        }
        Ok(mesh)
    }
}

/// Reads the number of items that follow.
fn count(lines: &mut Lines, what: &str) -> Result<u64, Fault> {
    let mut fields = lines.demand(|| format!("the number of {what} is missing"))?;
    fields.number(format_args!("the number of {what}"))
}

/// Gmsh's name for elements of this number.
fn named(kind: u32) -> String {
    let name = match kind {
        4 => "tetrahedra",
        5 => "hexahedra",
        6 => "prisms",
        7 => "pyramids",
        8 => "edges of second order",
        9 => "triangles of second order",
        10 | 16 => "quadrilaterals of second order",
        _ => return format!("elements of the kind {kind}"),
    };
    name.to_owned()
}

fn remedy(kind: u32) -> &'static str {
    match kind {
        4..=7 => "give a plane mesh of triangles and quadrilaterals",
        _ => "set the order of the mesh to 1",
    }
}

//! Gmsh's MSH in its text forms 2.2 and 4.1. Physical curves name the parts of the boundary, straight from node
//! to node, because the file contains no curves. An edge may be in several of them: edges with the same names are
//! one part. (When Gmsh saves all elements in 2.2, it omits the groups.)
//!
//! This is own code because the maintained crate, `mshio`, reads no names of physical groups and gives no lines
//! in errors.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{PlaneCell, PlaneEdge, PlaneMesh, PlanePart};
use crate::io::error::{CORRECT, Fault, quote};
use crate::io::reading::remark;
use crate::io::text::{Fields, Lines};

/// Kind of the edges.
const EDGE: u32 = 1;

/// Sections that do not change the mesh.
const HARMLESS: [&[u8]; 3] = [b"Comments", b"Parametrizations", b"GhostElements"];

/// Remedy for unsupported files.
const EXPORT: &str = "export it from Gmsh as `Version 4 ASCII` or `Version 2 ASCII`";

/// Parses the contents of an MSH file. Nodes without a cell are dropped.
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
            (b"Nodes" | b"ParametricNodes" | b"Elements" | b"Entities", None) => {
                let what = "there is no section $MeshFormat before this";
                return Err(Fault::in_line(fields.line, what, EXPORT));
            }
            (b"Entities", _) if !found.elements.is_empty() => {
                let what = "the section $Entities comes after $Elements";
                return Err(Fault::in_line(fields.line, what, EXPORT));
            }
            (b"Entities", _) => found.entities(&mut lines)?,
            (b"PartitionedEntities", _) => found.partitioned_entities(&mut lines)?,
            (b"Nodes" | b"ParametricNodes", Some(Version::Two)) => found.nodes_2(&mut lines)?,
            (b"Nodes" | b"ParametricNodes", Some(Version::Four)) => found.nodes_4(&mut lines)?,
            (b"Elements", Some(Version::Two)) => found.elements_2(&mut lines)?,
            (b"Elements", Some(Version::Four)) => found.elements_4(&mut lines)?,
            (b"Periodic", _) => found.periodic = true,
            (b"NOD" | b"ELM", _) => {
                let what = "the file has version 1 of the format";
                return Err(Fault::in_line(fields.line, what, EXPORT));
            }
            _ if HARMLESS.contains(&name) => {}
            _ => remark(format!("not used: the section {}", quote(section))),
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
    /// Physical groups of an edge.
    groups: Vec<i64>,
    nodes: Vec<u64>,
    line: usize,
}

#[derive(Default)]
struct Contents {
    /// Names by dimension and number of the physical group.
    names: FxHashMap<(u8, i64), String>,
    /// Physical groups of each curve.
    groups_of_curve: FxHashMap<i64, Vec<i64>>,
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
        let curves = Self::counted_curves(lines)?;
        for _ in 0..curves {
            let mut fields = lines.demand(|| "the file ends among the curves".into())?;
            let curve = fields.number("the number of the curve")?;
            let groups = groups(&mut fields)?;
            self.groups_of_curve.insert(curve, groups);
        }
        Ok(())
    }

    /// Parts of curves, which belong to the groups of the whole, too.
    fn partitioned_entities(&mut self, lines: &mut Lines) -> Result<(), Fault> {
        lines.demand(|| "the number of partitions is missing".into())?;
        for _ in 0..count(lines, "ghost entities")? {
            lines.demand(|| "the file ends among the ghost entities".into())?;
        }
        let curves = Self::counted_curves(lines)?;
        for _ in 0..curves {
            let mut fields = lines.demand(|| "the file ends among the curves".into())?;
            let curve = fields.number("the number of the curve")?;
            let dimension: i64 = fields.number("the dimension of the parent")?;
            let parent: i64 = fields.number("the number of the parent")?;
            for _ in 0..fields.number::<u64>("the number of partitions")? {
                fields.number::<i64>("a partition")?;
            }
            let mut groups = groups(&mut fields)?;
            if let Some(whole) = self.groups_of_curve.get(&parent).filter(|_| dimension == 1) {
                groups.extend(whole);
            }
            self.groups_of_curve.insert(curve, groups);
        }
        Ok(())
    }

    /// Reads the numbers of entities, skips the points, and returns the number of curves.
    fn counted_curves(lines: &mut Lines) -> Result<u64, Fault> {
        let mut fields = lines.demand(|| "the numbers of entities are missing".into())?;
        let points: u64 = fields.number("the number of points")?;
        let curves = fields.number("the number of curves")?;
        for _ in 0..points {
            lines.demand(|| "the file ends among the points".into())?;
        }
        Ok(curves)
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
            // The first tag is the physical group, or zero for none. Its sign is a direction.
            let mut groups = Vec::new();
            for tag in 0..tags {
                let value: i64 = fields.number("a tag")?;
                if tag == 0 && value != 0 && kind == EDGE {
                    groups.push(value.saturating_abs());
                }
            }
            self.element(kind, groups, fields)?;
        }
        Ok(())
    }

    fn elements_4(&mut self, lines: &mut Lines) -> Result<(), Fault> {
        for _ in 0..count(lines, "blocks of elements")? {
            let mut fields = lines.demand(|| "the file ends among the elements".into())?;
            fields.number::<u8>("the dimension")?;
            let entity: i64 = fields.number("the number of the entity")?;
            let kind: u32 = fields.number("the kind of the elements")?;
            let groups = self.groups_of_curve.get(&entity).filter(|_| kind == EDGE);
            let groups = groups.cloned().unwrap_or_default();
            for _ in 0..fields.number::<u64>("the number of elements")? {
                let mut fields = lines.demand(|| "the file ends among the elements".into())?;
                fields.number::<u64>("the number of the element")?;
                self.element(kind, groups.clone(), fields)?;
            }
        }
        Ok(())
    }

    /// Adds an edge or a cell; points are ignored.
    fn element(&mut self, kind: u32, groups: Vec<i64>, mut fields: Fields) -> Result<(), Fault> {
        let corners = match kind {
            15 => return Ok(()),
            EDGE => 2,
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
            nodes.push(node);
        }
        fields.end()?;
        self.elements.push(Element { kind, groups, nodes, line: fields.line });
        Ok(())
    }

    fn into_mesh(self) -> Result<PlaneMesh, Fault> {
        // Nodes may follow their elements.
        for element in &self.elements {
            if let Some(node) = element.nodes.iter().find(|node| !self.nodes.contains_key(node)) {
                return Err(Fault::in_line(
                    element.line,
                    format!("there is no node {node}"),
                    CORRECT,
                ));
            }
        }
        let mut mesh = PlaneMesh { periodic: self.periodic, ..PlaneMesh::default() };
        // Gmsh writes a cell once for each of its groups.
        let mut seen = FxHashSet::default();
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let mut height = None;
        for element in self.elements.iter().filter(|element| element.kind != EDGE) {
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
        // An edge may be in several groups, in 2.2 once for each.
        let mut edges: Vec<([u32; 2], BTreeSet<i64>)> = Vec::new();
        let mut known: FxHashMap<[u32; 2], usize> = FxHashMap::default();
        for edge in self.elements.iter().filter(|element| element.kind == EDGE) {
            let ends = [0, 1].map(|k| numbers.get(&edge.nodes[k]).copied());
            let ([Some(a), Some(b)], false) = (ends, edge.groups.is_empty()) else {
                continue;
            };
            let at = *known.entry([a.min(b), a.max(b)]).or_insert(edges.len());
            if at == edges.len() {
                edges.push(([a, b], BTreeSet::new()));
            }
            edges[at].1.extend(&edge.groups);
        }
        let mut parts: FxHashMap<BTreeSet<i64>, u32> = FxHashMap::default();
        for (ends, groups) in edges {
            let part = *parts.entry(groups).or_insert_with_key(|groups| {
                let name = |group: &i64| {
                    let name = self.names.get(&(1, *group)).cloned();
                    name.unwrap_or_else(|| group.to_string())
                };
                mesh.parts
                    .push(PlanePart { names: groups.iter().map(name).collect(), circle: None });
                mesh.parts.len() as u32 - 1
            });
            mesh.edges.push(PlaneEdge { ends, part });
        }
        let is_there = |name: &String| mesh.parts.iter().any(|part| part.names.contains(name));
        let names: BTreeSet<String> = self.names.into_values().collect();
        let unused: Vec<String> = names.into_iter().filter(|name| !is_there(name)).collect();
        let parts = unused.into_iter().map(|name| PlanePart { names: vec![name], circle: None });
        mesh.parts.extend(parts);
        Ok(mesh)
    }
}

/// The physical groups of a curve, after its box. A group's sign is a direction.
fn groups(fields: &mut Fields) -> Result<Vec<i64>, Fault> {
    for _ in 0..6 {
        fields.number::<f64>("a side of the curve's box")?;
    }
    let count: u64 = fields.number("the number of physical groups")?;
    let group = |_| fields.number::<i64>("a physical group").map(i64::saturating_abs);
    (0..count).map(group).collect()
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
        8..=10 | 16 => "set the order of the mesh to 1",
        _ => "give a plane mesh of triangles and quadrilaterals, of order 1",
    }
}

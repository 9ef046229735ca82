//! A run of a program: its bindings and its targets.

use std::collections::HashMap;

use rayon::prelude::*;

use super::lanes::Lanes;
use super::program::{Argument, Operand, Program};
use super::{Arithmetic, InterpretError, Point, Rect, Texture};

/// Columns of fragments that are run together: an even number, for derivatives.
const BLOCK: usize = 32;

/// Smallest number of fragments of a thread.
const SHARED: usize = 2048;

/// A run in preparation: streams and constants by name, then [`Run::draw`]. It is the reference of
/// the stream processor's passes, and sets `target_size` automatically, as they do.
#[derive(Clone)]
pub struct Run<'a, T: Arithmetic> {
    fragment: &'a Program,
    vertex: Option<&'a Program>,
    streams: Vec<(&'a str, &'a Texture<T::Stored>)>,
    constants: Vec<(&'a str, Vec<f64>)>,
}

/// Results of a vertex program: for each channel of each coordinate the register of the fragment program that
/// receives it, and its value at each vertex.
type Coordinates = Vec<(usize, Vec<f64>)>;

/// Registers of points, and the record of each.
type AtPoints<'a, T> = (Lanes<'a, T>, Vec<(usize, usize)>);

impl<'a, T: Arithmetic> Run<'a, T> {
    /// Creates a run of a fragment program.
    pub fn new(fragment: &'a Program) -> Self {
        Self { fragment, vertex: None, streams: Vec::new(), constants: Vec::new() }
    }

    /// Adds the vertex program that computes the coordinates.
    pub fn vertices(self, vertex: &'a Program) -> Self {
        Self { vertex: Some(vertex), ..self }
    }

    /// Binds a texture to the stream of this name.
    pub fn read(mut self, name: &'a str, texture: &'a Texture<T::Stored>) -> Self {
        self.streams.push((name, texture));
        self
    }

    /// Sets the constant of this name to one to four numbers.
    pub fn set(mut self, name: &'a str, value: impl IntoIterator<Item = f64>) -> Self {
        self.constants.push((name, value.into_iter().collect()));
        self
    }

    /// Runs the program for each record of the rectangles. Returns the number of fragments that were not
    /// discarded.
    pub fn draw(
        mut self,
        target: &mut Texture<T::Stored>,
        rectangles: &[Rect],
    ) -> Result<u64, InterpretError> {
        let size = target.size();
        self.start(size)?;
        let is_inside = |rect: &Rect| rect.within((size.0 as u32, size.1 as u32));
        if !rectangles.iter().all(is_inside) {
            return Err(InterpretError::Outside { size });
        }
        let mut survivors = 0;
        for rect in rectangles {
            let coordinates = self.corners(*rect)?;
            survivors += self.rectangle(target, *rect, &coordinates)?;
        }
        Ok(survivors)
    }

    /// Runs the program for one record per point, all of them moved by `offset`, with the vertex program of
    /// points.
    pub fn draw_points(
        mut self,
        target: &mut Texture<T::Stored>,
        points: &[Point],
        offset: [i32; 2],
    ) -> Result<u64, InterpretError> {
        self = self.set("target_offset", offset.map(f64::from));
        self.start(target.size())?;
        let (mut lanes, places) = self.at_points(points, offset, target.size())?;
        lanes.run(&self.textures()?);
        let mut survivors = 0;
        let result = self.result();
        for (lane, &(x, y)) in places.iter().enumerate() {
            if let Some(result) = result.filter(|_| !lanes.is_killed(lane)) {
                target.store(x, y, result.map(|at| lanes.get(at, lane).store()));
                survivors += 1;
            }
        }
        Ok(survivors)
    }

    /// Registers for points, filled, and the records that the points are.
    pub(super) fn at_points(
        &self,
        points: &[Point],
        offset: [i32; 2],
        (width, height): (usize, usize),
    ) -> Result<AtPoints<'a, T>, InterpretError> {
        if self.fragment.has_derivatives {
            return Err(InterpretError::Neighbours);
        }
        let centre = |[x, y]: [i32; 2]| [f64::from(x) + 0.5, f64::from(y) + 0.5];
        let targets: Vec<_> = points.iter().map(|point| centre(point.target)).collect();
        let values: Vec<_> = points.iter().map(|point| f64::from(point.value)).collect();
        let sources: Vec<_> = points.iter().map(|point| centre(point.source)).collect();
        let attributes = [
            ("position", targets.as_flattened()),
            ("number", &values),
            ("coordinate", sources.as_flattened()),
        ];
        let coordinates = self.coordinates(&attributes, points.len())?;
        let mut lanes = self.lanes(points.len(), 1)?;
        let mut places = Vec::new();
        for (lane, [x, y]) in targets.iter().enumerate() {
            let (column, row) = (x + f64::from(offset[0]), y + f64::from(offset[1]));
            let carry = (column / width as f64).floor();
            let [column, row] = [column - carry * width as f64, row + carry].map(f64::floor);
            if !(0.0..height as f64).contains(&row) {
                let size = (width, height);
                return Err(InterpretError::Outside { size });
            }
            places.push((column as usize, row as usize));
            self.place(&mut lanes, lane, places[lane]);
            for (register, values) in &coordinates {
                lanes.set(*register, lane, T::given(values[lane]));
            }
        }
        Ok((lanes, places))
    }

    /// Sets the constants common to all passes, and rejects names that no program declares.
    pub(super) fn start(&mut self, (width, height): (usize, usize)) -> Result<(), InterpretError> {
        let programs = || [Some(self.fragment), self.vertex].into_iter().flatten();
        let constant = self.constants.iter().find(|(name, value)| {
            let is_it = |input: &Argument| input.name == *name && input.channels == value.len();
            let mut inputs = programs().flat_map(|program| &program.inputs);
            *name != "target_offset" && !inputs.any(is_it)
        });
        let stream = self.streams.iter().find(|(name, _)| {
            let mut streams = programs().flat_map(|program| &program.streams);
            !streams.any(|(known, _)| known == name)
        });
        let unknown = constant.map(|(name, _)| name).or(stream.map(|(name, _)| name));
        if let Some(name) = unknown {
            let name = name.to_string();
            return Err(InterpretError::Unknown { name });
        }
        self.constants.push(("target_size", vec![width as f64, height as f64]));
        Ok(())
    }

    /// The textures of the fragment program's streams.
    pub(super) fn textures(&self) -> Result<Vec<Option<&'a Texture<T::Stored>>>, InterpretError> {
        let streams = self.fragment.streams.iter().map(|(name, is_needed)| {
            match self.streams.iter().find(|(given, _)| given == name) {
                Some(&(_, texture)) => Ok(Some(texture)),
                None if *is_needed => Err(InterpretError::Missing { name: name.clone() }),
                None => Ok(None),
            }
        });
        streams.collect()
    }

    /// Fills the registers of a program's constants; `given` has the values that are not bound.
    fn constants<U: Arithmetic>(
        &self,
        program: &Program,
        lanes: &mut Lanes<'_, U>,
        given: impl Fn(&str) -> bool,
    ) -> Result<(), InterpretError> {
        for input in program.inputs.iter().filter(|input| !given(&input.name)) {
            match self.constants.iter().find(|(name, _)| *name == input.name) {
                Some((_, value)) => {
                    for (register, &value) in (input.first..).zip(value) {
                        lanes.fill(register, value);
                    }
                }
                None if input.is_needed => {
                    let name = input.name.clone();
                    return Err(InterpretError::Missing { name });
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Coordinates at the corners of a rectangle.
    pub(super) fn corners(&self, rect: Rect) -> Result<Coordinates, InterpretError> {
        let ends = [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height];
        let [left, low, right, top] = ends.map(f64::from);
        let corners = [[left, low], [right, low], [right, top], [left, top]];
        self.coordinates(&[("corner", corners.as_flattened())], 4)
    }

    /// The coordinates on a target of this size, by name, as forms in column and row: the value at the origin and two
    /// slopes, for each of four channels.
    pub(crate) fn forms(
        mut self,
        size: (usize, usize),
    ) -> Result<HashMap<String, [[f32; 3]; 4]>, InterpretError> {
        self.start(size)?;
        let corners = self.corners(Rect::of_size(1, 1))?;
        let form = |register: usize| {
            let (_, of) = corners.iter().find(|(at, _)| *at == register)?;
            Some([of[0], of[1] - of[0], of[3] - of[0]].map(|number| number as f32))
        };
        let forms = |input: &Argument| {
            let channel = |at| if at < input.channels { form(input.first + at) } else { None };
            (input.name.clone(), std::array::from_fn(|at| channel(at).unwrap_or_default()))
        };
        Ok(self.fragment.inputs.iter().map(forms).collect())
    }

    /// Runs the vertex program for vertices with these attributes.
    fn coordinates(
        &self,
        attributes: &[(&str, &[f64])],
        vertices: usize,
    ) -> Result<Coordinates, InterpretError> {
        let Some(program) = self.vertex else {
            return Ok(Vec::new());
        };
        let mut lanes = Lanes::<T::Stored>::new(program, vertices, 1);
        let is_attribute = |name: &str| attributes.iter().any(|(one, _)| *one == name);
        let is_given = |name: &str| name == "gl_FragCoord" || is_attribute(name);
        self.constants(program, &mut lanes, is_given)?;
        for input in &program.inputs {
            if let Some((_, values)) = attributes.iter().find(|(name, _)| *name == input.name) {
                for (lane, record) in values.chunks(input.channels).enumerate() {
                    for (register, &value) in (input.first..).zip(record) {
                        lanes.set(register, lane, T::Stored::given(value));
                    }
                }
            }
        }
        lanes.run(&[]);
        let mut coordinates = Coordinates::new();
        for (name, value) in &program.outputs {
            let mut inputs = self.fragment.inputs.iter();
            if let Some(input) = inputs.find(|input| input.name == *name) {
                for (register, &channel) in (input.first..).zip(value) {
                    let values = (0..vertices).map(|lane| lanes.get(channel, lane).to_f64());
                    coordinates.push((register, values.collect()));
                }
            }
        }
        Ok(coordinates)
    }

    /// Registers for a block of fragments, filled with the constants.
    pub(super) fn lanes(
        &self,
        columns: usize,
        rows: usize,
    ) -> Result<Lanes<'a, T>, InterpretError> {
        let mut lanes = Lanes::new(self.fragment, columns, rows);
        let outputs = self.vertex.iter().flat_map(|program| &program.outputs);
        let names: Vec<&String> = outputs.map(|(name, _)| name).collect();
        let is_given =
            |name: &str| name == "gl_FragCoord" || names.iter().any(|known| *known == name);
        self.constants(self.fragment, &mut lanes, is_given)?;
        Ok(lanes)
    }

    /// Sets the position of a fragment.
    fn place(&self, lanes: &mut Lanes<'_, T>, lane: usize, (x, y): (usize, usize)) {
        let position = [x as f64 + 0.5, y as f64 + 0.5, 0.5, 1.0];
        let first = self.fragment.inputs[0].first; // gl_FragCoord
        for (register, value) in (first..).zip(position) {
            lanes.set(register, lane, T::given(value));
        }
    }

    /// Sets the position and the coordinates of a fragment of a rectangle.
    pub(super) fn fill(
        &self,
        lanes: &mut Lanes<'_, T>,
        lane: usize,
        place: (usize, usize),
        (rect, coordinates): (Rect, &Coordinates),
    ) {
        self.place(lanes, lane, place);
        for (register, corners) in coordinates {
            let value = interpolate(rect, place, corners);
            let largest = corners.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
            lanes.set(*register, lane, T::interpolated(value, largest));
        }
    }

    /// Operands that hold the result of a fragment.
    fn result(&self) -> Option<[Operand; 4]> {
        let mut outputs = self.fragment.outputs.iter();
        let (_, result) = outputs.find(|(name, _)| name == "result")?;
        (result.len() == 4).then(|| std::array::from_fn(|channel| result[channel]))
    }

    /// Draws a rectangle, block by block; rows are shared among threads.
    fn rectangle(
        &self,
        target: &mut Texture<T::Stored>,
        rect: Rect,
        coordinates: &Coordinates,
    ) -> Result<u64, InterpretError> {
        let textures = self.textures()?;
        self.lanes(0, 0)?; // reports missing bindings before anything is drawn
        // Derivatives need whole blocks of 2 x 2, including fragments outside the rectangle.
        let side = if self.fragment.has_derivatives { 2 } else { 1 };
        let aligned = |first: u32| first as usize / side * side;
        let [right, top] = [rect.x + rect.width, rect.y + rect.height].map(|end| end as usize);
        let first = aligned(rect.x);
        let block = (right - first).next_multiple_of(side).clamp(1, BLOCK);
        let (width, channels, storage) = (target.size().0, target.channels, target.storage);
        let rows = aligned(rect.y)..top;
        let Some(result) = self.result() else {
            return Ok(0);
        };
        let is_drawn = |(band, _): &(usize, _)| rows.contains(&(band * side));
        // A small rectangle is not worth a second thread.
        let shared = SHARED / (block * side);
        let bands = target.bands(side).with_min_len(shared.max(1)).enumerate().filter(is_drawn);
        bands
            .map_init(
                || self.lanes(block, side),
                |lanes, (band, records)| {
                    let lanes = lanes.as_mut().map_err(|error| error.clone())?;
                    let mut survivors = 0;
                    for column in (first..right).step_by(block) {
                        let places = |lane| (column + lane % block, band * side + lane / block);
                        for lane in 0..block * side {
                            self.fill(lanes, lane, places(lane), (rect, coordinates));
                        }
                        lanes.run(&textures);
                        for lane in 0..block * side {
                            let (x, y) = places(lane);
                            let is_inside = (rect.x as usize..right).contains(&x)
                                && (rect.y as usize..top).contains(&y);
                            if is_inside && !lanes.is_killed(lane) {
                                let record = (y % side * width + x) * channels;
                                let record = records[record..][..channels].iter_mut();
                                record.zip(result).for_each(|(to, at)| {
                                    *to = storage.kept(lanes.get(at, lane).store());
                                });
                                survivors += 1;
                            }
                        }
                    }
                    Ok(survivors)
                },
            )
            .sum()
    }
}

/// A coordinate at the centre of a fragment. The corners are in the order of `draw`, and the diagonal from the
/// first divides the rectangle into two triangles, each with its own slope.
fn interpolate(rect: Rect, (x, y): (usize, usize), corners: &[f64]) -> f64 {
    let along = |place: usize, first: u32, length: u32| {
        (place as f64 + 0.5 - f64::from(first)) / f64::from(length)
    };
    let (s, t) = (along(x, rect.x, rect.width), along(y, rect.y, rect.height));
    let [origin, right, across, above] = [0, 1, 2, 3].map(|corner| corners[corner]);
    if s >= t {
        origin + s * (right - origin) + t * (across - right)
    } else {
        origin + t * (above - origin) + s * (across - above)
    }
}

//! The bytes that the passes of a machine move through a texture cache.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use rayon::prelude::*;

use super::cache::{Cache, Shape};
use super::interpreted::{Programs, texture};
use crate::base::columns::aligned;
use crate::program::interpret::{InterpretError, Order, Texture};
use crate::stream::{Drawing, Extent, Machine, Observer, StreamError};

/// Textures begin at multiples of this number of bytes.
const ALIGNMENT: u64 = 1 << 24;
/// Fetches that are kept before the caches see them.
const KEPT: usize = 1 << 20;

/// Observes a machine ([`crate::stream::Machine::observe`]), runs every pass in the interpreter, and simulates
/// caches over its fetches, in the order of a card. Each pass begins with empty caches; textures are stored in
/// rows.
pub struct Traffic {
    shapes: Vec<Shape>,
    order: Order,
    programs: Programs,
    found: RefCell<Found>,
}

#[derive(Default)]
struct Found {
    streams: BTreeMap<(String, String), StreamTraffic>,
    vertices: u64,
    untraced: BTreeMap<String, String>,
}

/// Fetches of a kernel from one of its streams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamTraffic {
    /// Fetches.
    pub fetches: u64,
    /// Bytes of the fetched records, as often as they are fetched.
    pub bytes: u64,
    /// Misses in each of the caches.
    pub misses: Vec<u64>,
}

impl Traffic {
    /// An observer for these caches.
    pub fn new(shapes: Vec<Shape>, order: Order) -> Self {
        Self { shapes, order, programs: Programs::default(), found: RefCell::default() }
    }

    /// The traffic of what a function draws.
    pub fn of<E: From<StreamError>>(
        machine: &Machine,
        shapes: Vec<Shape>,
        order: Order,
        draw: impl FnOnce() -> Result<(), E>,
    ) -> Result<Rc<Self>, E> {
        let traffic = Rc::new(Self::new(shapes, order));
        let observation = machine.observe(Rc::clone(&traffic) as _)?;
        draw()?;
        drop(observation);
        Ok(traffic)
    }

    /// Fetches by kernel and stream.
    pub fn streams(&self) -> BTreeMap<(String, String), StreamTraffic> {
        self.found.borrow().streams.clone()
    }

    /// Kernels that could not be traced, with the reason.
    pub fn untraced(&self) -> BTreeMap<String, String> {
        self.found.borrow().untraced.clone()
    }

    /// Number of points that were drawn.
    pub fn vertices(&self) -> u64 {
        self.found.borrow().vertices
    }

    /// Bytes moved by all passes, for each cache; those of vertices, which pass no cache, are not among them.
    pub fn bytes_moved(&self) -> Vec<u64> {
        let found = self.found.borrow();
        let moved = |(at, shape): (usize, &Shape)| -> u64 {
            let misses = found.streams.values().map(|stream| stream.misses[at]);
            misses.sum::<u64>() * u64::from(shape.line)
        };
        self.shapes.iter().enumerate().map(moved).collect()
    }

    /// Number of fetches, and of misses for each cache.
    pub fn misses(&self) -> (u64, Vec<u64>) {
        let found = self.found.borrow();
        let streams = || found.streams.values();
        let misses = |at: usize| streams().map(|stream| stream.misses[at]).sum();
        let fetches = streams().map(|stream| stream.fetches).sum();
        (fetches, (0..self.shapes.len()).map(misses).collect())
    }

    fn trace(&self, pass: Drawing<'_>) -> Result<(), InterpretError> {
        let programs = self.programs.of(pass, true)?;
        let names: Vec<&str> = programs[0].stream_names().collect();
        let mut textures: Vec<(&str, Box<Texture<f32>>)> = Vec::new();
        let mut places = vec![(0, 0); names.len()];
        let mut free = 0;
        // A texture that is bound to two names is in memory once.
        let mut firsts: BTreeMap<u64, u64> = BTreeMap::new();
        for &(name, stream) in pass.streams {
            let Some(number) = names.iter().position(|one| *one == name) else { continue };
            let (width, height) = stream.size();
            let bytes = stream.format().bytes() as u64;
            let first = *firsts.entry(stream.number()).or_insert(free);
            places[number] = (first, bytes);
            let end = first + u64::from(width) * u64::from(height) * bytes;
            free = free.max(end.next_multiple_of(ALIGNMENT));
            textures.push((name, Box::new(texture(stream)?)));
        }
        let run = pass.bound::<f32>(&programs, &textures);
        let mut watch = Watch::new(&self.shapes, places);
        let fetched = |stream, texel| watch.fetched(stream, texel);
        let (width, height) = pass.target.size();
        let size = (width as usize, height as usize);
        match pass.extent {
            Extent::Rects(rects) => run.trace(size, rects.list(), self.order, fetched)?,
            Extent::Points(points) => {
                run.trace_points(size, points.list(), points.moved(), self.order, fetched)?
            }
        }
        let found = &mut *self.found.borrow_mut();
        if let Extent::Points(points) = pass.extent {
            found.vertices += points.list().len() as u64;
        }
        for (name, one) in names.iter().zip(watch.end()) {
            let key = (pass.kernel.name().to_owned(), (*name).to_owned());
            let sum = found.streams.entry(key).or_default();
            sum.misses.resize(self.shapes.len(), 0);
            sum.fetches += one.fetches;
            sum.bytes += one.bytes;
            sum.misses.iter_mut().zip(one.misses).for_each(|(sum, misses)| *sum += misses);
        }
        Ok(())
    }
}

impl fmt::Display for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.shapes.iter().map(|shape| format!("{} KB", shape.bytes >> 10));
        let sizes: Vec<String> = sizes.collect();
        let headings = ["through texture caches", "fetches", "MB read"];
        let headings: Vec<&str> =
            headings.into_iter().chain(sizes.iter().map(String::as_str)).collect();
        let streams = self.streams();
        let rows = streams.iter().map(|((kernel, name), stream)| {
            let moved = self.shapes.iter().zip(&stream.misses).map(|(shape, misses)| {
                let moved = (misses * u64::from(shape.line)) as f64;
                format!("{:.3}", moved / stream.bytes.max(1) as f64)
            });
            let megabytes = format!("{:.1}", stream.bytes as f64 / 1e6);
            let first = [format!("{kernel}: {name}"), stream.fetches.to_string(), megabytes];
            first.into_iter().chain(moved).collect()
        });
        f.write_str(&aligned(
            &headings,
            rows.collect(),
            |column| column == 0,
            f.width().unwrap_or(usize::MAX),
        ))?;
        writeln!(f, "sizes of caches: bytes moved per byte read")?;
        let untraced = self.untraced();
        for (kernel, why) in untraced {
            writeln!(f, "{kernel} is not traced: {why}")?;
        }
        Ok(())
    }
}

impl Observer for Traffic {
    fn before(&self, pass: Drawing<'_>) {
        if let Err(error) = self.trace(pass) {
            let mut found = self.found.borrow_mut();
            found.untraced.entry(pass.kernel.name().to_owned()).or_insert(error.to_string());
        }
    }
}

/// The caches of one pass.
struct Watch {
    /// First byte of each stream, and bytes of a record.
    places: Vec<(u64, u64)>,
    /// Stream and address of fetches that the caches have not yet seen.
    kept: Vec<(u8, u64)>,
    fetches: Vec<u64>,
    /// Each cache, with its misses by stream.
    caches: Vec<(Cache, Vec<u64>)>,
}

impl Watch {
    fn new(shapes: &[Shape], places: Vec<(u64, u64)>) -> Self {
        let streams = places.len();
        let caches = shapes.iter().map(|&shape| (Cache::new(shape), vec![0; streams]));
        Self { places, kept: Vec::new(), fetches: vec![0; streams], caches: caches.collect() }
    }

    fn fetched(&mut self, stream: usize, texel: usize) {
        let (first, bytes) = self.places[stream];
        self.fetches[stream] += 1;
        self.kept.push((stream as u8, first + texel as u64 * bytes));
        if self.kept.len() == KEPT {
            self.look();
        }
    }

    /// Passes the kept fetches to the caches.
    fn look(&mut self) {
        self.caches.par_iter_mut().for_each(|(cache, misses)| {
            for &(stream, address) in &self.kept {
                misses[stream as usize] += u64::from(!cache.fetch(address));
            }
        });
        self.kept.clear();
    }

    fn end(mut self) -> impl Iterator<Item = StreamTraffic> {
        self.look();
        (0..self.places.len()).map(move |stream| StreamTraffic {
            fetches: self.fetches[stream],
            bytes: self.fetches[stream] * self.places[stream].1,
            misses: self.caches.iter().map(|(_, misses)| misses[stream]).collect(),
        })
    }
}
